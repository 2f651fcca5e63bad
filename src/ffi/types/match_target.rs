//! The target of `sinew_animator_match_target`.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// A part of the body to match; numbers are those of Unity's AvatarTarget.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewAvatarTarget {
    /// The root transform.
    Root = 0,
    /// Centre of mass and orientation of the body.
    Body = 1,
    /// Left ankle joint, Unity's goal frame.
    LeftFoot = 2,
    /// Right ankle joint, Unity's goal frame.
    RightFoot = 3,
    /// Left wrist joint, Unity's goal frame.
    LeftHand = 4,
    /// Right wrist joint, Unity's goal frame.
    RightHand = 5,
}
/// A [`SinewAvatarTarget`] as it arrives, checked before use.
pub type SinewAvatarTargetArg = i32;

/// Input of sinew_animator_match_target: which part to match, where, and when.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewMatchTarget {
    /// Set by sinew_match_target_default.
    pub struct_size: u32,
    /// A SinewAvatarTarget. Default: the root.
    pub part: i32,
    /// Goal position of the part, world space, metres. Default: the origin.
    pub position: SinewVec3,
    /// Goal rotation of the part, world space; hands and feet in Unity's goal frame. Default: the
    /// identity.
    pub rotation: SinewQuat,
    /// Weight of the position along each world axis, clamped to 0 … 1. Default 1, 1, 1.
    pub position_weight: SinewVec3,
    /// Weight of the rotation, clamped to 0 … 1. Default 1.
    pub rotation_weight: f32,
    /// Normalised clip time at which matching starts; values above 1 count loops. Default 0.
    pub start_time: f32,
    /// Normalised clip time at which the part is at the target. Default 1, as in Unity.
    pub end_time: f32,
}
