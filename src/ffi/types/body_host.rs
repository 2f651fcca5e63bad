//! Rows of a body's tasks that the host computes.

use super::super::c_types::c_void;
use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Where a joint is, world space.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewTaskPlacement {
    /// The joint's position, metres.
    pub position: SinewVec3,
    /// The joint's rotation, unit.
    pub rotation: SinewQuat,
}

/// One joint's part of the Jacobian of rows; world space.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewTaskTerm {
    /// The point at which the forces act, metres; it moves with the joint.
    pub point: SinewVec3,
    /// Of each row: what its value falls by when the point moves by one metre along X, Y and Z.
    pub force: [SinewVec3; 3],
    /// Of each row: what its value falls by, beside what the point's motion does, when the joint
    /// turns by one radian about X, Y and Z.
    pub torque: [SinewVec3; 3],
}

/// Rows of a task: residuals and their Jacobian.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewTaskRows {
    /// Of each row what is left, goal minus current value: metres or radians; 0: met.
    pub value: [f32; 3],
    /// Of each joint its part of the Jacobian.
    pub terms: [SinewTaskTerm; 3],
}

/// Computes the rows of a task. `at` has three entries: of `joint`, `other` and `end` of the
/// task; of -1 the origin. `out_rows` is zero beforehand. Both pointers are valid during the call
/// only. The same placements must give the same rows. A row that is not finite means that there is
/// no value: a step that leads there is not taken. Called on the thread that solves, which
/// sinew_body_solve_batch may take from a world. Calls on the same body return SINEW_ERROR_BUSY. It
/// must return normally: no exception, no longjmp.
pub type SinewComputeRows =
    extern "C-unwind" fn(user: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows);
