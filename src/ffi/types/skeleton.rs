//! The definition of a skeleton.

use super::super::c_types::c_char;
use super::math::SinewTransform;
use safer_ffi::prelude::*;

/// Input of sinew_skeleton_create.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewSkeletonDef {
    /// Set by sinew_skeleton_def_default.
    pub struct_size: u32,
    /// Number of joints, 1 … 65535; the length of the arrays below.
    pub joint_count: u32,
    /// Parent of each joint: an index below the joint's own, or -1 for a root. Several roots are
    /// allowed.
    pub parents: *const i32,
    /// Rest transform of each joint in its parent (of a root: in model space, the space of the
    /// character's root object).
    pub rest: *const SinewTransform,
    /// Name of each joint, UTF-8, zero-terminated; NULL when the joints have no names.
    pub names: *const *const c_char,
}
