//! Lines that show a character and its goals.

use super::super::c_types::c_void;
use super::math::SinewVec3;
use safer_ffi::prelude::*;

/// What a debug line shows. Those of a grounder have parts that are else of other things.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewDebugPart {
    /// From a joint's parent to the joint.
    Bone = 0,
    /// From an effector (or the centre of mass) to its goal: as long as the residual. Of a
    /// grounder: a query that has hit nothing, over its whole length.
    Residual = 1,
    /// An axis of a goal's frame; for a goal without rotation, one line of a cross. Of a grounder:
    /// a query up to its hit, and from there the ground's normal.
    GoalAxis = 2,
    /// From a knee or elbow to its hint; from the joint of a constraint that bends to its pole.
    Hint = 3,
    /// From the eyes to the look-at point; the ray of an aim. Of a grounder: a small cross at the
    /// ball of a swinging foot, and from there to its landing.
    LookAt = 4,
    /// The centre of mass, as a small cross. Of a grounder: the displacement of the pelvis.
    Body = 5,
    /// The range of a joint that has limits of its own: the border of its swing, a fan for a hinge
    /// or twist. Of a SinewBody: a joint that stands on a border of its limits, as a small cross.
    Limit = 6,
    /// The border of the area above which the centre of mass is kept. Of a grounder: a large cross
    /// at the ball of a planted foot.
    Support = 7,
}

/// A line to draw, world space, metres. Those of which a number would not be finite are left out.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewDebugLine {
    /// Start.
    pub from: SinewVec3,
    /// End.
    pub to: SinewVec3,
    /// A SinewDebugPart.
    pub part: i32,
}

/// Receives one debug line. `from` and `to` are in world space, metres, and valid only during the
/// call; `part` is a SinewDebugPart. Calls on the same animator return SINEW_ERROR_BUSY.
///
/// It must return normally. An exception that leaves it ends the process (abort); after a longjmp
/// out of it the animator is in use for ever: every call on it returns SINEW_ERROR_BUSY.
pub type SinewDrawLine =
    extern "C-unwind" fn(user: *mut c_void, from: *const SinewVec3, to: *const SinewVec3, part: i32);
