//! Handles: kind, generation and index in 64 bits, by value. Zero is null.

use safer_ffi::prelude::*;

/// A rig: joints with names, parents and rest transforms. Immutable. Avatars and animators keep the
/// data alive, so the handle may be destroyed as soon as they are created.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewSkeleton {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// The map from human bones to a skeleton's joints, with measurements of its T-pose. Immutable,
/// shared like a skeleton.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewAvatar {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// One character: a pose, its goals and constraints, and the outcome of its last solve.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewAnimator {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// One constraint of one animator; invalid for any other animator. It ends with
/// sinew_animator_remove_constraint or with its animator, and its value is never used again.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewConstraint {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// A set of animators that are solved in one call. An animator belongs to at most one world.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewWorld {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Feet on the ground for one character. One thread at a time; different grounders may be used from
/// different threads at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewGrounder {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// The whole-body solver for one character of any rig. One thread at a time; different bodies may
/// be used from different threads at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewBody {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// One task of one body; invalid for any other body. It ends with sinew_body_remove_task or with
/// its body, and its value is never used again.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewBodyTask {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Work of one sinew_world_solve that runs in the host's job system. Valid until that call returns.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewJob {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}
