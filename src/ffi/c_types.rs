//! The types of C that cross the boundary.

/// From the platform's C library.
#[cfg(not(target_family = "wasm"))]
pub use libc::{c_char, c_void};

/// wasm32-unknown-unknown has no C library, and the crate `libc` no types for it; these are the
/// same.
#[cfg(target_family = "wasm")]
pub use core::ffi::{c_char, c_void};
