//! Inputs and results of the two-bone kernels.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// A limb of two bones and its target, by vectors. All vectors are relative to the root joint, in
/// any one space, in metres (or any unit: only proportions count). No number may be beyond 1e18.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneJob {
    /// Set by sinew_two_bone_job_default.
    pub struct_size: u32,
    /// Root joint to mid joint (shoulder to elbow), current pose.
    pub root_mid: SinewVec3,
    /// Mid joint to end joint (elbow to wrist), current pose.
    pub mid_end: SinewVec3,
    /// Root joint to target.
    pub target: SinewVec3,
    /// Root joint to the pole: a point that the mid joint faces. Default zero.
    pub pole: SinewVec3,
    /// Axis about which the mid joint bends by a positive angle, any length: where a (nearly)
    /// straight limb bends. Default X.
    pub hinge: SinewVec3,
    /// Direction relative to which the bend side follows the target, any length. Zero (default):
    /// the limb's current direction. The side flips when the target is exactly opposite to it.
    pub centre: SinewVec3,
    /// How far the end goes from its current position (0) to the target (1). Clamped. Default 1.
    pub weight: f32,
    /// How far the bend side turns from the limb's own (0) to the pole's (1). Clamped. Default 0.
    pub pole_weight: f32,
    /// Fraction of the reach over which the limb slows down before it is straight. Clamped to 0 …
    /// 1. Default 0.
    pub softness: f32,
    /// How much both bones may lengthen to reach, as a fraction of their length. Clamped to 0 … 1.
    /// Default 0.
    pub stretch: f32,
}

/// The joints' rotations.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneResult {
    /// Turn of the root joint, in the job's space: new rotation = root · old rotation.
    pub root: SinewQuat,
    /// Turn of the mid joint after the root's, in the job's space: new rotation = mid · root · old
    /// rotation.
    pub mid: SinewQuat,
    /// Factor on both bone lengths, 1 … 1 + stretch.
    pub stretch: f32,
    /// Distance from the weighted target to the nearest point the limb can reach; 0 when reached.
    pub beyond: f32,
}

/// A limb of two bones and its target, by local transforms: root, mid and end joint, each the child
/// of the one before, all of scale 1. "Parent's space" is that of the root joint's parent. Lengths
/// in metres (or any unit). No number may be beyond 1e18.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewJointLimbJob {
    /// Set by sinew_joint_limb_job_default.
    pub struct_size: u32,
    /// Local rotation of the root joint (shoulder). Default identity.
    pub root: SinewQuat,
    /// Local rotation of the mid joint (elbow). Default identity.
    pub mid: SinewQuat,
    /// Local rotation of the end joint (wrist). Default identity.
    pub end: SinewQuat,
    /// Goal orientation of the end joint, parent's space; used when end_weight is above 0. Default
    /// identity.
    pub end_goal: SinewQuat,
    /// Local position of the mid joint. Default zero.
    pub mid_at: SinewVec3,
    /// Local position of the end joint. Default zero.
    pub end_at: SinewVec3,
    /// Root joint to target, parent's space. Default zero.
    pub target: SinewVec3,
    /// Root joint to the pole, a point that the mid joint faces, parent's space. Default zero.
    pub pole: SinewVec3,
    /// Direction in which a straight limb bends, fixed in the root joint's space, any length.
    /// Default X.
    pub bend_side: SinewVec3,
    /// Direction relative to which the bend side follows the target, parent's space, any length.
    /// Zero (default): the limb's current direction. The side flips when the target is exactly
    /// opposite.
    pub centre: SinewVec3,
    /// How far the end goes from its current position (0) to the target (1). Clamped. Default 1.
    pub weight: f32,
    /// How far the bend side turns from the limb's own (0) to the pole's (1). Clamped. Default 0.
    pub pole_weight: f32,
    /// Fraction of the reach over which the limb slows down before it is straight. Clamped to 0 …
    /// 1. Default 0.
    pub softness: f32,
    /// How much both bones may lengthen to reach, as a fraction of their length. Clamped to 0 … 1.
    /// Default 0.
    pub stretch: f32,
    /// How far the end's orientation goes from its current one in the parent's space (0) to
    /// end_goal (1). Clamped. Default 0.
    pub end_weight: f32,
}

/// Where the three joints of a limb are in a list of records. Each must be the child of the one
/// before.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewLimbPlaces {
    /// Index of the root joint's record.
    pub root: u32,
    /// Index of the mid joint's record.
    pub mid: u32,
    /// Index of the end joint's record.
    pub end: u32,
}

/// The joints' new local rotations.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewJointLimbResult {
    /// Local rotation of the root joint.
    pub root: SinewQuat,
    /// Local rotation of the mid joint.
    pub mid: SinewQuat,
    /// Local rotation of the end joint.
    pub end: SinewQuat,
    /// Factor on the local positions of mid and end, 1 … 1 + stretch.
    pub stretch: f32,
    /// Distance from the weighted target to the nearest point the limb can reach; 0 when reached.
    pub beyond: f32,
}
