//! The map of human bones to joints.

use super::super::bone::HumanBone;
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
    /// Nearest bone above this one that has a joint; `None` when there is none (always so for the
    /// hips).
    pub fn present_parent(&self, bone: HumanBone) -> Option<HumanBone> {
        core::iter::successors(bone.parent(), |b| b.parent()).find(|b| self.get(*b).is_some())
    }
}
