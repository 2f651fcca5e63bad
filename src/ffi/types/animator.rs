//! The definition of an animator.

use super::super::ids::{SinewAvatar, SinewSkeleton};
use safer_ffi::prelude::*;

/// The most steps of work that any solve takes: see sinew_animator_set_max_work.
pub const SINEW_MAX_WORK: u32 = 8000000;

/// Input of sinew_animator_create.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAnimatorDef {
    /// Set by sinew_animator_def_default.
    pub struct_size: u32,
    /// Reserved; must be 0.
    pub flags: u32,
    /// The rig.
    pub skeleton: SinewSkeleton,
    /// An avatar created for this skeleton; the null handle (default) for a rig that is not a
    /// humanoid.
    pub avatar: SinewAvatar,
}
