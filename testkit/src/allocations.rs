//! An allocator that counts, for tests that no frame calls the allocator and of what objects hold.
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
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

/// How often this thread has allocated, freed or resized memory. 0 for ever where [`Counting`] is
/// not the global allocator: a test program that measures shows first that it counts.
pub fn calls() -> u64 {
    CALLS.get()
}

/// Bytes that this thread has allocated and not freed.
pub fn held() -> i64 {
    BYTES.get()
}

fn count(bytes: i64) {
    // Unavailable while a thread ends, when nothing is measured.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    let _ = BYTES.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: as the caller has it.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
