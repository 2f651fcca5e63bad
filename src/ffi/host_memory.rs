//! Where the library's memory comes from: the host's callbacks, or the system.
#![cfg_attr(not(feature = "host-allocator"), allow(dead_code))]

use super::c_types::c_void;
use super::guard::FloatEnvironment;
use super::types::{SinewAllocate, SinewFree};
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicU8, Ordering};
use std::alloc::System;
use std::sync::OnceLock;

/// The host's allocator.
#[derive(Debug)]
pub(super) struct Hook {
    pub allocate: SinewAllocate,
    pub free: SinewFree,
    pub user: *mut c_void,
}

// SAFETY: the pointer is only handed back to the host, whose contract allows calls from any thread.
unsafe impl Send for Hook {}
// SAFETY: as above.
unsafe impl Sync for Hook {}

static HOOK: OnceLock<Hook> = OnceLock::new();

/// Nothing has been allocated.
const UNDECIDED: u8 = 0;
/// Everything comes from the system, for good.
const SYSTEM: u8 = 1;
/// Everything comes from the hook, for good.
const HOST: u8 = 2;

static SOURCE: AtomicU8 = AtomicU8::new(UNDECIDED);

/// Makes the hook the source of all memory; false when there is a source already.
pub(super) fn set(hook: Hook) -> bool {
    HOOK.set(hook).is_ok() && decide(HOST) == HOST
}

/// The source that counts, `wanted` if there was none.
fn decide(wanted: u8) -> u8 {
    SOURCE.compare_exchange(UNDECIDED, wanted, Ordering::AcqRel, Ordering::Acquire).map_or_else(|now| now, |_| wanted)
}

fn hook() -> Option<&'static Hook> {
    let source = match SOURCE.load(Ordering::Acquire) {
        UNDECIDED => decide(SYSTEM),
        decided => decided,
    };
    if source == HOST { HOOK.get() } else { None }
}

/// Calls the host. No exception gets beyond an `extern "C"` function of Rust: it ends the process
/// here, before it reaches code that cannot be unwound.
extern "C" fn call_allocate(hook: &Hook, size: usize, alignment: usize) -> *mut c_void {
    (hook.allocate)(hook.user, size, alignment)
}

/// The same for what is freed.
extern "C" fn call_free(hook: &Hook, memory: *mut c_void, size: usize, alignment: usize) {
    (hook.free)(hook.user, memory, size, alignment);
}

/// Memory, or null.
///
/// # Safety
/// The size is not 0.
pub(super) unsafe fn allocate(layout: Layout) -> *mut u8 {
    let Some(hook) = hook() else {
        // SAFETY: as required here.
        return unsafe { System.alloc(layout) };
    };
    // The host may change the floating-point mode.
    let _pinned = FloatEnvironment::pin();
    let memory = call_allocate(hook, layout.size(), layout.align());
    if memory as usize & (layout.align() - 1) != 0 {
        call_free(hook, memory, layout.size(), layout.align());
        return core::ptr::null_mut();
    }
    memory.cast()
}

/// Gives memory back.
///
/// # Safety
/// It came from [`allocate`] with this layout.
pub(super) unsafe fn release(memory: *mut u8, layout: Layout) {
    match hook() {
        None => {
            // SAFETY: as required here.
            unsafe { System.dealloc(memory, layout) }
        }
        Some(hook) => {
            let _pinned = FloatEnvironment::pin();
            call_free(hook, memory.cast(), layout.size(), layout.align());
        }
    }
}

/// Memory of another size in place of `memory`, with its contents; null: no memory, and the old one
/// stays. `None` when the source has no such call.
///
/// # Safety
/// As for `GlobalAlloc::realloc`; the memory came from [`allocate`].
pub(super) unsafe fn resize(memory: *mut u8, layout: Layout, size: usize) -> Option<*mut u8> {
    // SAFETY: as required here.
    hook().is_none().then(|| unsafe { System.realloc(memory, layout, size) })
}
