//! Goals and poles of constraints.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Meaning of a position goal: a point, or the centre of a sphere.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewDistanceMode {
    /// No sphere: the tip goes to the position. The radius is not used.
    None = 0,
    /// The tip stays inside the sphere.
    Inside = 1,
    /// The tip stays on the sphere.
    On = 2,
    /// The tip stays outside the sphere.
    Outside = 3,
}
/// A [`SinewDistanceMode`] as it arrives, checked before use.
pub type SinewDistanceModeArg = i32;

/// Flag of SinewConstraintGoal::set: `position` is given.
pub const SINEW_CONSTRAINT_POSITION: u32 = 1;
/// Flag of SinewConstraintGoal::set: `rotation` is given.
pub const SINEW_CONSTRAINT_ROTATION: u32 = 1 << 1;
/// Flag of SinewConstraintGoal::set: `axis` and `direction` are given; ignored when `rotation` is.
pub const SINEW_CONSTRAINT_AXIS: u32 = 1 << 2;

/// The goal of one end of a constraint. Fill it with sinew_constraint_goal_default or
/// sinew_animator_get_constraint_goal first.
///
/// A rotation goal with weight 0 holds the end's animated rotation while the chain moves; without a
/// rotation goal the chain carries the end along. The same holds for positions.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewConstraintGoal {
    /// Set by sinew_constraint_goal_default.
    pub struct_size: u32,
    /// Which of position, rotation and axis are given: bitwise OR of SINEW_CONSTRAINT_…. Default 0:
    /// no goal.
    pub set: u32,
    /// Goal position of the tip, world space, metres; with a distance mode the sphere's centre.
    pub position: SinewVec3,
    /// Goal rotation of the end joint, world space.
    pub rotation: SinewQuat,
    /// An axis of the end joint, in its space, any length but zero.
    pub axis: SinewVec3,
    /// Goal direction of `axis`, world space, any length but zero. The twist about it stays free.
    pub direction: SinewVec3,
    /// Fraction of the way from the animated position to the goal, clamped to 0 … 1. Default 1.
    pub position_weight: f32,
    /// Fraction of the way from the animated rotation (or axis) to the goal, clamped to 0 … 1.
    /// Default 1.
    pub rotation_weight: f32,
    /// Importance of the position where not all goals of a chain can be met, clamped to 0.01 … 1.
    /// Default 1. Only ratios matter: squared distances count by it. Not for fading: where nothing
    /// opposes, the least importance is obeyed.
    pub position_importance: f32,
    /// Importance of the rotation or axis, likewise; a radian counts as much as a third of the
    /// chain's length. Default 1.
    pub rotation_importance: f32,
    /// A SinewDistanceMode. Default SINEW_DISTANCE_MODE_NONE.
    pub distance_mode: i32,
    /// Radius of the sphere, world space, metres, 0 or more; not used without a distance mode.
    pub radius: f32,
}

/// Flag of SinewPole::flags: `at` is a direction, not a point.
pub const SINEW_POLE_DIRECTION: u32 = 1;
/// Flag of SinewPole::flags: `reference` is given.
pub const SINEW_POLE_REFERENCE: u32 = 1 << 1;

/// A pole vector: where the bend of a chain or limb faces. Fill it with sinew_pole_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewPole {
    /// Set by sinew_pole_default.
    pub struct_size: u32,
    /// Bitwise OR of SINEW_POLE_DIRECTION and SINEW_POLE_REFERENCE. Default 0.
    pub flags: u32,
    /// The pole, world space: a point in metres, or a direction. It only swivels the chain about
    /// the line from its root to the goal.
    pub at: SinewVec3,
    /// With SINEW_POLE_REFERENCE: the side of the chain that faces the pole, fixed to the chain's
    /// first joint, in that joint's space. Without: the side to which the chain bends in the
    /// animation. Two-bone limbs always use their mid joint.
    pub reference: SinewVec3,
    /// Angle from the pole to that side about the line from root to goal, radians. Default 0.
    /// Periodic: any finite angle is accepted. See sinew_animator_compute_pole_angle.
    pub angle_rad: f32,
    /// How far the chain swivels to the pole, clamped to 0 … 1. Default 1.
    pub weight: f32,
}
