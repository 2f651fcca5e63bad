//! A frame of grounding allocates nothing, nor does a batch of frames through the C ABI.

mod walker;

use sinew::grounding::{GrounderSettings, Hit, LegPose};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use walker::{Walk, answer, steps};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_frame_allocates_nothing() {
    let walk = Walk::quadruped(1.0);
    let mut grounder = walk.grounder(GrounderSettings { body_tilt: 0.8, ..GrounderSettings::default() });
    let mut hits: Vec<Hit> = Vec::with_capacity(20);
    let mut poses: Vec<LegPose> = Vec::with_capacity(4);
    let mut counts = 0;
    for frame in 0..200 {
        let t = frame as f32 / 60.0;
        poses.clear();
        poses.extend((0..4).map(|leg| walk.pose(leg, t)));
        let given = walk.frame(t, 1.0 / 60.0);
        let before = COUNT.with(Cell::get);
        let solved = grounder.solve_with(&given, &poses, &mut hits, |query| answer(query, steps)).is_some();
        counts += COUNT.with(Cell::get) - before;
        assert!(solved);
    }
    assert_eq!(counts, 0, "allocations in 200 frames");
}
