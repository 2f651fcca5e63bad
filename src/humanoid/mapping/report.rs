//! The map of human bones to joints, and the account of how it was found.

use super::super::HumanBone;
use super::super::t_pose::BodyAxes;
use crate::skeleton::JointIndex;

/// Which joint is which human bone; bones that a rig lacks have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanMap([Option<JointIndex>; HumanBone::COUNT]);

impl Default for HumanMap {
    fn default() -> Self {
        Self::new()
    }
}

impl HumanMap {
    /// No bone has a joint.
    pub const fn new() -> Self {
        Self([None; HumanBone::COUNT])
    }
    /// From a table in the order of Unity's `HumanBodyBones` (0 … 54).
    pub const fn from_array(joints: [Option<JointIndex>; HumanBone::COUNT]) -> Self {
        Self(joints)
    }
    /// The table, in the order of Unity's `HumanBodyBones`.
    pub const fn as_array(&self) -> &[Option<JointIndex>; HumanBone::COUNT] {
        &self.0
    }
    /// Joint of a bone.
    #[inline]
    pub fn get(&self, bone: HumanBone) -> Option<JointIndex> {
        self.0[bone.index()]
    }
    /// Gives a bone a joint, or takes it away.
    pub fn set(&mut self, bone: HumanBone, joint: Option<JointIndex>) {
        self.0[bone.index()] = joint;
    }
    /// Bones that have a joint, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (HumanBone, JointIndex)> + '_ {
        HumanBone::ALL.into_iter().filter_map(|bone| Some((bone, self.get(bone)?)))
    }
    /// First bone this joint is mapped to.
    pub fn bone_of(&self, joint: JointIndex) -> Option<HumanBone> {
        self.iter().find(|(_, j)| *j == joint).map(|(bone, _)| bone)
    }
    /// Number of bones that have a joint, 0 … 55.
    pub fn len(&self) -> usize {
        self.0.iter().flatten().count()
    }
    /// Whether no bone has a joint.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Required bones without a joint, in the order of [`HumanBone::REQUIRED`].
    pub fn missing_required(&self) -> Vec<HumanBone> {
        HumanBone::REQUIRED.into_iter().filter(|bone| self.get(*bone).is_none()).collect()
    }
    /// Nearest bone above this one that has a joint; `None` when there is none (always so for the hips).
    pub fn present_parent(&self, bone: HumanBone) -> Option<HumanBone> {
        core::iter::successors(bone.parent(), |b| b.parent()).find(|b| self.get(*b).is_some())
    }
}

/// What a mapping of one bone rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The joint's name.
    Name,
    /// Its place in the hierarchy, between joints found otherwise.
    Topology,
    /// Positions in the rest pose: symmetry, heights, lengths.
    Geometry,
}

/// How one bone was mapped.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingEntry {
    /// The bone.
    pub bone: HumanBone,
    /// Its joint.
    pub joint: JointIndex,
    /// What the mapping rests on.
    pub evidence: Evidence,
    /// The same in a short sentence.
    pub why: String,
    /// 0 … 1; below 0.5 it is worth a look.
    pub confidence: f32,
}

/// What kind of body a skeleton seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyShape {
    /// All required bones are there, and they lie as a human body does.
    Humanoid,
    /// Human bones were found, but some that are required are missing.
    Incomplete,
    /// The trunk lies across the legs: an animal. No bone is mapped.
    FourLegged,
    /// Nothing that looks like a body.
    Unknown,
}

/// What the sides rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideSource {
    /// The names say left and right.
    Names,
    /// Left is where it must be for the direction the character faces and the handedness of the axes.
    Facing,
}

/// Result of the automatic mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingReport {
    /// The bones found.
    pub map: HumanMap,
    /// One entry per bone found, in the order of the bones' numbers.
    pub entries: Vec<MappingEntry>,
    /// Required bones that were not found.
    pub missing_required: Vec<HumanBone>,
    /// What kind of body it is.
    pub shape: BodyShape,
    /// What left and right rest on.
    pub sides: SideSource,
    /// Guess of the body's axes in model space, when enough bones were found.
    pub axes: Option<BodyAxes>,
    /// Contradictions and doubts, one sentence each.
    pub notes: Vec<String>,
}

impl MappingReport {
    /// Whether the skeleton can be used as a humanoid: all required bones are there.
    pub fn is_humanoid(&self) -> bool {
        self.shape == BodyShape::Humanoid
    }
    /// How a bone was mapped.
    pub fn entry(&self, bone: HumanBone) -> Option<&MappingEntry> {
        self.entries.iter().find(|e| e.bone == bone)
    }
}
