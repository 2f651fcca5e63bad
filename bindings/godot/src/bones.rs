//! A `Skeleton3D` as a skeleton of the core: which bone is which joint.

use crate::convert;
use godot::classes::Skeleton3D;
use sinew::math::{Frame, Transform, Vec3};
use sinew::skeleton::{JointDefinition, JointIndex, Skeleton};
use std::sync::Arc;

/// The bones of a `Skeleton3D`, in Godot's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneTable {
    /// Names.
    pub names: Vec<String>,
    /// Parents, which need not come before their children; −1: none.
    pub parents: Vec<i32>,
    /// Rest transforms in the parent.
    pub rests: Vec<Transform>,
}

impl BoneTable {
    /// Reads them from the engine.
    pub fn read(skeleton: &Skeleton3D) -> Self {
        let bones = 0..skeleton.get_bone_count();
        Self {
            names: bones.clone().map(|b| skeleton.get_bone_name(b).to_string()).collect(),
            parents: bones.clone().map(|b| skeleton.get_bone_parent(b)).collect(),
            rests: bones.map(|b| convert::transform_unsheared(&skeleton.get_bone_rest(b))).collect(),
        }
    }
    /// The bone of a name.
    pub fn find(&self, name: &str) -> Option<i32> {
        self.names.iter().position(|n| n == name).map(|b| b as i32)
    }
    /// Parent of a bone; also `None` for one that is not there.
    pub fn parent(&self, bone: i32) -> Option<i32> {
        let parent = *self.parents.get(usize::try_from(bone).ok()?)?;
        (0..self.parents.len() as i32).contains(&parent).then_some(parent)
    }
    /// The bone and its ancestors, up to a root.
    pub fn lineage(&self, bone: i32) -> impl Iterator<Item = i32> + '_ {
        core::iter::successors(Some(bone), |b| self.parent(*b)).take(self.parents.len())
    }
}

/// Some bones of a skeleton, with their ancestors, as a skeleton of the core: all that a solve
/// needs.
#[derive(Clone, Debug)]
pub struct Subset {
    /// The joints, depth first.
    pub skeleton: Arc<Skeleton>,
    /// Godot's number of each joint.
    pub bones: Box<[i32]>,
    /// The bone in whose space the joints are, no joint itself; `None`: the skeleton's space.
    pub above: Option<i32>,
}

impl Subset {
    /// The given bones and all their ancestors. The error text describes what is wrong with the
    /// skeleton.
    pub fn new(table: &BoneTable, wanted: impl IntoIterator<Item = i32>) -> Result<Self, String> {
        Self::with_ancestors(table, wanted, None)
    }
    /// The given bones and their ancestors up to `top`, their common ancestor: bones above it do
    /// not move during a solve, and the engine has their transforms. With bones that are not below
    /// it, all ancestors are included.
    pub fn below(table: &BoneTable, top: i32, wanted: &[i32]) -> Result<Self, String> {
        let hang = wanted.iter().all(|bone| table.lineage(*bone).any(|above| above == top));
        Self::with_ancestors(table, wanted.iter().copied(), table.parent(top).filter(|_| hang))
    }
    fn with_ancestors(
        table: &BoneTable,
        wanted: impl IntoIterator<Item = i32>,
        above: Option<i32>,
    ) -> Result<Self, String> {
        let mut needed = vec![false; table.parents.len()];
        for bone in wanted {
            for bone in table.lineage(bone).take_while(|bone| Some(*bone) != above) {
                if let Some(needed) = needed.get_mut(bone as usize) {
                    *needed = true;
                }
            }
        }
        let mut bones: Vec<i32> = Vec::new();
        let mut joint_of: Vec<Option<JointIndex>> = vec![None; needed.len()];
        let mut joints = Vec::new();
        let mut children: Vec<Vec<i32>> = vec![Vec::new(); needed.len()];
        let mut open: Vec<i32> = Vec::new();
        for bone in (0..needed.len() as i32).rev().filter(|b| needed[*b as usize]) {
            match table.parent(bone).filter(|parent| Some(*parent) != above) {
                Some(parent) => children[parent as usize].push(bone),
                None => open.push(bone),
            }
        }
        // Children were collected backwards, so the stack gives them in Godot's order, depth first.
        while let Some(bone) = open.pop() {
            let place = bone as usize;
            joint_of[place] = Some(bones.len());
            joints.push(JointDefinition {
                name: table.names[place].clone(),
                parent: table.parent(bone).and_then(|p| joint_of[p as usize]),
                rest: table.rests[place],
            });
            bones.push(bone);
            open.extend(&children[place]);
        }
        let skeleton = Skeleton::new(joints).map_err(|error| error.to_string())?;
        Ok(Self { skeleton: Arc::new(skeleton), bones: bones.into(), above })
    }
    /// An axis given in the skeleton's space at rest, converted to that of the parent bone.
    pub fn axis_at_rest(&self, table: &BoneTable, axis_ms: Vec3) -> Vec3 {
        let Some(above) = self.above else { return axis_ms };
        let mut lineage: Vec<i32> = table.lineage(above).collect();
        lineage.reverse();
        let rest = lineage.iter().fold(Frame::IDENTITY, |frame, bone| frame.then(&table.rests[*bone as usize]));
        rest.signs() * (rest.rotation.conjugate() * axis_ms)
    }
    /// Joint of a bone.
    pub fn joint(&self, bone: i32) -> Option<JointIndex> {
        self.bones.iter().position(|b| *b == bone)
    }
}
