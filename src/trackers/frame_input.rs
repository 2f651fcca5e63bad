//! The trackers of a frame as the solver needs them: goals of bones in canonical space.

use super::role::TrackerRole;
use crate::math::{Quat, Vec3, slerp_short};

/// What a tracker requests of its bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoneGoal {
    /// The tracker, canonical space, avatar metres.
    pub sensor: Vec3,
    /// Joint of the bone, canonical space, avatar metres.
    pub position: Vec3,
    /// Rotation counted from the T-pose.
    pub turn: Quat,
    pub place_weight: f32,
    pub turn_weight: f32,
}

impl Default for BoneGoal {
    fn default() -> Self {
        Self { sensor: Vec3::ZERO, position: Vec3::ZERO, turn: Quat::IDENTITY, place_weight: 0.0, turn_weight: 0.0 }
    }
}

impl BoneGoal {
    /// Whether it counts at all.
    pub fn is_active(&self) -> bool {
        self.place_weight > 0.0 || self.turn_weight > 0.0
    }
    /// The goal's place in a mixture with what is assumed without it.
    pub fn place_over(&self, assumed: Vec3) -> Vec3 {
        if self.place_weight >= 1.0 { self.position } else { assumed.lerp(self.position, self.place_weight) }
    }
    pub fn turn_over(&self, assumed: Quat) -> Quat {
        slerp_short(assumed, self.turn, self.turn_weight)
    }
}

/// The goals of all roles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Goals(pub [BoneGoal; TrackerRole::COUNT]);

impl Goals {
    pub fn of(&self, role: TrackerRole) -> &BoneGoal {
        &self.0[role.index()]
    }
}
