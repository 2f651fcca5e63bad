//! `SinewCopyRotation`: a bone that copies the rotation of another bone, a node or a property.

use crate::bones::Subset;
use crate::calls::Rig;
use crate::constraint::{self, Slot, constraint_node};
use crate::convert::{is_rotation, quat, vec3};
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, target_node};
use godot::builtin::{GString, PackedStringArray, Quaternion, Vector3};
use godot::classes::{ISkeletonModifier3D, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::constraints::{ConstraintDefinition, ConstraintGoal, CopyRotationDefinition};
use sinew::outcome::Outcome;

/// The rotation comes from a bone; the number of TARGET_BONE.
const FROM_BONE: i32 = 0;
/// It comes from a node; TARGET_NODE.
const FROM_NODE: i32 = 1;

/// Turns a bone as another bone of the skeleton, a node, or a property: twist bones that take part
/// of a hand's roll, feet that keep a plate's rotation, antennae that follow a head.
///
/// Swing and twist have separate shares. The bone's limits hold.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewCopyRotation {
    /// The bone that is turned.
    #[export_group(name = "Bones")]
    #[export]
    pub bone: Setup<GString>,
    /// The bone's axis, in its own space, which splits a rotation into swing and twist. Godot's
    /// bones run along +Y.
    #[export]
    #[init(val = Setup::new(Vector3::UP))]
    pub axis: Setup<Vector3>,
    /// Offset from the copied rotation, in the copied frame.
    #[export]
    pub offset: Setup<Quaternion>,

    /// What is copied: the rotation of a bone of the same skeleton, of a node of the scene, or the
    /// plain property.
    #[export_group(name = "Target")]
    #[export(enum = (Bone = 0, Node = 1, Properties = 2))]
    pub target_source: Setup<i32>,
    /// The bone whose rotation (in the skeleton) is copied, after the preceding modifiers.
    #[export]
    pub source_bone: Setup<GString>,
    /// The node whose rotation is copied.
    #[export(node_path = ("Node3D"))]
    pub target: TargetPath,
    /// The rotation to copy, world space.
    #[export]
    pub target_rotation: Quaternion,
    /// Weight: the animation (0) to the copied rotation (1).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub weight: f32,
    /// Share of the swing (all but the turn about [member axis]) that is copied, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(1.0))]
    pub swing: Setup<f32>,
    /// Share of the turn about [member axis] that is copied, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(1.0))]
    pub twist: Setup<f32>,

    /// Time of the transition to other weights, another target node, and after [method
    /// inertialize], seconds, 0 or more; 0: at once. A target that moves is followed without lag.
    /// [member SkeletonModifier3D.influence] and [member SkeletonModifier3D.active] are the
    /// engine's and know no transition: let a weight go to 0.
    #[export_group(name = "Transition")]
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    pub inertialization_time: f32,

    /// Limits of the bone; may be shared with other nodes and characters.
    #[export_group(name = "Limits")]
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,

    /// Draws the bones, their limits and the axis in the 3D view, in the editor and in the game.
    /// While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Remaining angle in radians between the bone and its goal rotation, because of limits.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,180,0.0001,radians_as_degrees")]
    pub residual_angle: f32,

    slot: Slot,
    display: Display,
    base: Base<SkeletonModifier3D>,
}

constraint_node!(SinewCopyRotation, paths: [target], outcome: |outcome| { residual_angle: outcome.residual_rad });

#[godot_api(secondary)]
impl SinewCopyRotation {
    /// A bone of the same skeleton is copied.
    #[constant]
    pub const TARGET_BONE: i64 = 0;
    /// A node is copied.
    #[constant]
    pub const TARGET_NODE: i64 = 1;
    /// A plain property is copied.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 2;
}

impl SinewCopyRotation {
    fn forget(&mut self) {
        self.slot.forget();
    }
    fn look(&mut self, rig: Rig) {
        self.slot.look(rig);
    }

    fn solve(&mut self, rig: Rig) -> Outcome {
        self.set_up(rig);
        let rotation = match *self.target_source {
            FROM_BONE => None,
            FROM_NODE => {
                let node = target_node!(self.target);
                if self.inertialization_time > 0.0 {
                    self.slot.follow(constraint::TARGET, constraint::add_node(1, node));
                }
                match node {
                    Some(node) => Some(property::placement_of(node).1),
                    None => return self.slot.rest(rig),
                }
            }
            _ => Some(quat(self.target_rotation)),
        };
        let weight = self.weight;
        let Some(constrained) = &mut self.slot.constrained else { return Outcome::INACTIVE };
        if weight.is_nan() || weight <= 0.0 || rotation.is_some_and(|rotation| !is_rotation(rotation)) {
            return constrained.rest(rig);
        }
        constrained.update(rig, false, |place, input| {
            input.weight = weight;
            input.goals[0] = ConstraintGoal {
                rotation_ws: rotation.map(|rotation| place.rotation(rotation)),
                ..ConstraintGoal::default()
            };
        })
    }

    fn set_up(&mut self, rig: Rig) {
        let changed = self.bone.take_changed()
            | self.axis.take_changed()
            | self.offset.take_changed()
            | self.target_source.take_changed()
            | self.source_bone.take_changed()
            | self.swing.take_changed()
            | self.twist.take_changed()
            | self.limits.take_changed();
        let (bone, source, copies_bone) = (&self.bone, &self.source_bone, *self.target_source == FROM_BONE);
        let (axis, offset) = (vec3(*self.axis), quat(*self.offset));
        let (swing, twist) = (*self.swing, *self.twist);
        self.slot.refresh(rig, changed, self.limits.as_ref(), |table| {
            let bone = constraint::bone(table, &bone.to_string(), "Bone")?;
            let (subset, source) = if copies_bone {
                let source = constraint::bone(table, &source.to_string(), "Source Bone")?;
                let subset = match table.lineage(bone).find(|above| table.lineage(source).any(|b| b == *above)) {
                    Some(both) => Subset::below(table, both, &[bone, source])?,
                    None => Subset::new(table, [bone, source])?,
                };
                (subset, Some(source))
            } else {
                (Subset::below(table, bone, &[bone])?, None)
            };
            let definition = CopyRotationDefinition {
                joint: subset.joint(bone).unwrap_or_default(),
                source: source.and_then(|source| subset.joint(source)),
                offset,
                axis_js: axis,
                swing,
                twist,
            };
            Ok((subset, ConstraintDefinition::CopyRotation(definition)))
        });
    }

    fn is_hidden(&self, property: &str) -> bool {
        match property {
            "source_bone" => *self.target_source != FROM_BONE,
            "target" => *self.target_source != FROM_NODE,
            "target_rotation" => matches!(*self.target_source, FROM_BONE | FROM_NODE),
            _ => false,
        }
    }

    fn problems(&self) -> Vec<String> {
        let instead = "choose another target_source";
        let target = || self.target.problem("target", Some(instead), &self.base());
        if *self.target_source == FROM_NODE { target().into_iter().collect() } else { Vec::new() }
    }

    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(drawing);
        }
    }
}
