//! Callbacks of the host's allocator.

use super::super::c_types::c_void;

/// Returns memory of `size` bytes, more than 0, at an address that `alignment` divides (a power of
/// two, 1 … 128), or NULL when there is none. Called from every thread that uses the library, also
/// from the threads of sinew_world_set_threads. It must not call this library.
///
/// It must return normally. An exception that leaves it ends the process (abort); a longjmp out of
/// it is undefined behaviour.
pub type SinewAllocate = extern "C-unwind" fn(user: *mut c_void, size: usize, alignment: usize) -> *mut c_void;

/// Receives memory back, with the size and alignment that it was allocated with; never NULL. Called
/// like SinewAllocate.
pub type SinewFree = extern "C-unwind" fn(user: *mut c_void, memory: *mut c_void, size: usize, alignment: usize);
