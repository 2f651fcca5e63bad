//! An allocator that counts, for tests that no frame calls the allocator.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: sinew_testkit::allocations::Counting = sinew_testkit::allocations::Counting;
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts the calls of each thread.
pub struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread has allocated, freed or resized memory. 0 for ever where [`Counting`] is
/// not the global allocator: a test program that measures shows first that it counts.
pub fn calls() -> u64 {
    CALLS.get()
}

fn count() {
    // Unavailable while a thread ends, when nothing is measured.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count();
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller has it.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
