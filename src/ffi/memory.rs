//! Memory for hosts of the WebAssembly module, which have no allocator of their own in it.

use std::alloc::{Layout, alloc_zeroed, dealloc};

/// Alignment of every block: that of the largest type of the C interface, and of a vector register.
const ALIGN: usize = 16;

/// Allocates zeroed bytes for arguments and results.
///
/// Returns an address that 16 divides; 0 for 0 bytes, or when there is no memory. Give it back with
/// `sinew_wasm_free`.
#[cfg(target_family = "wasm")]
#[cfg_attr(feature = "capi", unsafe(no_mangle))]
pub extern "C" fn sinew_wasm_alloc(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes, ALIGN) {
        // SAFETY: the size is not zero.
        Ok(layout) if bytes > 0 => unsafe { alloc_zeroed(layout) },
        _ => std::ptr::null_mut(),
    }
}

/// Frees bytes of `sinew_wasm_alloc`; `bytes` as requested there. An address of 0 is allowed.
#[cfg(target_family = "wasm")]
#[cfg_attr(feature = "capi", unsafe(no_mangle))]
pub unsafe extern "C" fn sinew_wasm_free(address: *mut u8, bytes: usize) {
    if let (false, Ok(layout)) = (address.is_null(), Layout::from_size_align(bytes, ALIGN)) {
        // SAFETY: the caller vouches that address and size are those of one allocation.
        unsafe { dealloc(address, layout) }
    }
}
