//! Nothing of a frame allocates: a counting allocator sees the whole test program.

use crate::player::{Player, SIX, THREE};
use sinew::math::{Quat, Transform, Vec3};
use sinew::trackers::{MAX_PACKET_BYTES, TrackedBodySettings, TrackerRole};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Unavailable while a thread ends, when nothing is measured.
        _ = COUNT.try_with(|c| c.set(c.get() + 1));
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
    for roles in [THREE, SIX, &TrackerRole::ALL] {
        let settings = TrackedBodySettings { min_cutoff_hz: 2.0, ..TrackedBodySettings::default() };
        let mut player = Player::new(settings);
        player.calibrate(roles);
        let mut far = player.body.clone();
        let mut pose: Vec<Transform> = player.body.pose().to_vec();
        let (mut packet, mut counted) = ([0; MAX_PACKET_BYTES], 0);
        for frame in 0..200 {
            player.at_ease(roles, Quat::IDENTITY, Vec3::new(0.004 * frame as f32, 0.0, 0.0));
            let time = player.time;
            player.time += 1.0 / 60.0;
            let before = COUNT.with(Cell::get);
            player.body.update(time);
            let applied = player.body.apply(&mut pose);
            let size = player.body.pack(&mut packet);
            let received = far.receive(&packet[..size], time);
            far.update_remote(time);
            // The first packet makes the buffer of the receiver.
            counted += if frame == 0 { 0 } else { COUNT.with(Cell::get) - before };
            assert!(applied && received);
        }
        assert_eq!(counted, 0, "allocations in 200 frames of {} trackers", roles.len());
    }
}
