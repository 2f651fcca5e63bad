//! Input and result of the aim kernel.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// A ray fixed to a joint, and its target. All vectors are relative to the joint, in any one space,
/// in metres (or any unit: only proportions count). No number may be beyond 1e18.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewAimJob {
    /// Set by sinew_aim_job_default.
    pub struct_size: u32,
    /// Joint to start of the ray, current pose. Default zero.
    pub offset: SinewVec3,
    /// Direction of the ray, current pose, any length but zero. Default +Z.
    pub axis: SinewVec3,
    /// Joint to target. Default +Z.
    pub target: SinewVec3,
    /// Axis of the half turn to a target exactly behind, any length. Zero (default): an arbitrary
    /// axis perpendicular to the ray.
    pub behind: SinewVec3,
}

/// The joint's rotation.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewAimResult {
    /// Turn of the joint, in the job's space: new rotation = turn · old rotation.
    pub turn: SinewQuat,
    /// 1 when the ray meets the target; 0 when the target is nearer to the joint than the ray ever
    /// comes: then the nearest point of the ray is turned towards it.
    pub met: u32,
}
