//! The host's way to replace the allocator of the shipped libraries.

use super::c_types::c_void;
use super::guard::{Failure, guard};
use super::host_memory::{self, Hook};
use super::result::SinewResult;
use super::types::{SinewAllocate, SinewFree};

/// Sets where all memory of the library comes from. Call it before any other function of the
/// library; it cannot be undone. Without it memory comes from the system (malloc). When `allocate`
/// returns NULL, the call that needs memory is refused with SINEW_ERROR_OUT_OF_MEMORY, and nothing
/// has changed; calls that do not allocate never are.
///
/// @param allocate  see SinewAllocate.
/// @param free      see SinewFree.
/// @param user      passed to both; may be NULL. Must stay valid until the process ends or the
///                  library is unloaded.
/// @return SINEW_ERROR_NOT_AVAILABLE: the library has allocated memory already, or it was built
///         without the feature `host-allocator`.
pub extern "C" fn sinew_set_allocator(
    allocate: Option<SinewAllocate>,
    free: Option<SinewFree>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_set_allocator", || {
        let allocate = allocate.ok_or_else(|| Failure::null("allocate"))?;
        let free = free.ok_or_else(|| Failure::null("free"))?;
        let refused = |why: &str| Failure::new(SinewResult::SinewErrorNotAvailable, format_args!("allocate: {why}"));
        if !cfg!(feature = "host-allocator") {
            return Err(refused("the library was built without the feature `host-allocator`"));
        }
        if host_memory::set(Hook { allocate, free, user }) {
            return Ok(());
        }
        Err(refused("the library has an allocator already, or has allocated from the system"))
    })
}
