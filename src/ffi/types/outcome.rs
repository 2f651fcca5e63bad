//! How a solve ended.

use safer_ffi::prelude::*;

/// How a solve ended. An unreachable goal is not an error.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewStatus {
    /// No goal, or weight 0: the pose was not changed.
    Inactive = 0,
    /// The goal, at its weight, is met.
    Reached = 1,
    /// The goal is out of reach of the joints; a limb points straight at it.
    Unreachable = 2,
    /// An iterative solver stopped making progress before it met the goal, or a later step of the
    /// frame (such as a constraint on the chest) moved the effector away from it.
    Stalled = 3,
    /// An iterative solver used all its iterations before it met the goal.
    OutOfIterations = 4,
}

/// What a solve left, measured on the resulting pose, without the offsets of switches
/// (sinew_animator_inertialize).
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewOutcome {
    /// A SinewStatus.
    pub status: i32,
    /// Iterations used; 0 for closed-form solvers.
    pub iterations: u32,
    /// Distance from effector to weighted goal, world space, metres (or the rig's unit).
    pub residual_m: f32,
    /// Angle from effector orientation (look-at, aim: direction) to weighted goal, radians, 0 … π.
    pub residual_rad: f32,
}
