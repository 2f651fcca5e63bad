//! The allocator of the shipped libraries: everything that they allocate. Only with the feature
//! `host-allocator`, which Rust programs do not have: there can be one such allocator in a program,
//! and the choice is theirs.

use super::{host_memory, reserve};
use core::alloc::{GlobalAlloc, Layout};

struct HostAllocator;

#[global_allocator]
static GLOBAL: HostAllocator = HostAllocator;

// SAFETY: memory comes from the host's callbacks, which vouch for it (its alignment is checked),
// from the system or from a reserve, and goes back to where it came from.
unsafe impl GlobalAlloc for HostAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's size is not 0.
        let memory = unsafe { host_memory::allocate(layout) };
        if memory.is_null() { reserve::cut(layout) } else { memory }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if !reserve::put_back(memory, layout.size()) {
            // SAFETY: it is not of a reserve, so `allocate` gave it.
            unsafe { host_memory::release(memory, layout) }
        }
    }
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !reserve::owns(memory) {
            // SAFETY: as above; the rest is required of the caller.
            match unsafe { host_memory::resize(memory, layout, size) } {
                Some(resized) if !resized.is_null() => return resized,
                _ => {}
            }
        }
        // SAFETY: required of the caller.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller's size is not 0.
        let resized = unsafe { self.alloc(wanted) };
        if !resized.is_null() {
            // SAFETY: both have at least as many bytes, and the new ones have no other owner.
            unsafe { core::ptr::copy_nonoverlapping(memory, resized, layout.size().min(size)) };
            // SAFETY: required of the caller.
            unsafe { self.dealloc(memory, layout) };
        }
        resized
    }
}
