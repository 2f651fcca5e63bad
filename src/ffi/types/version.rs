//! The version of the library and of its binary interface.

use safer_ffi::prelude::*;

/// Number of the binary interface that this header describes; sinew_version reports the library's.
pub const SINEW_ABI_VERSION: u32 = 1;

/// Version of the library.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewVersion {
    /// Major version.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// Patch version.
    pub patch: u32,
    /// Number of the binary interface; compare it with SINEW_ABI_VERSION.
    pub abi: u32,
}
