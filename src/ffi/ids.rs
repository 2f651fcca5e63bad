//! Handles: kind, generation and index in 64 bits, by value. Zero is null.

use safer_ffi::prelude::*;

/// A rig: joints with names, parents and rest transforms. Immutable; kept alive by the avatars and animators made from it,
/// so it may be destroyed right after those are made. Any thread, any number at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewSkeleton {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Which joint of a skeleton is which human bone, and what was measured on its T-pose. Immutable, shared like a skeleton.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewAvatar {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// One character: a pose, its goals, and what the last solve left. One thread at a time; different animators may be used
/// from different threads at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewAnimator {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// One constraint of one animator. Never given out twice in a process; it means nothing to any other animator, and ends with
/// sinew_animator_remove_constraint or with its animator.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewConstraint {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Animators that are solved in one call. One thread at a time; an animator belongs to at most one.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewWorld {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Feet on the ground for one character. One thread at a time; different grounders may be used from different threads at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewGrounder {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Work of one sinew_world_solve that the host's job system runs. It ends with that call; afterwards it is stale.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewJob {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}
