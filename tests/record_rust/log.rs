//! Recordings in memory, and their replay.

use core::ffi::c_void;
use sinew::ffi::mirror::take_left_out;
use sinew::ffi::replay::{Outcome, Player};
use sinew::ffi::{SinewResult, sinew_record_begin_callback, sinew_record_end};
use sinew::record::Log;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process has one recording.
static ONE: Mutex<()> = Mutex::new(());

pub fn alone() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

extern "C-unwind" fn collect(user: *mut c_void, bytes: *const u8, size: u32) -> u32 {
    let log = unsafe { &mut *user.cast::<Vec<u8>>() };
    log.extend_from_slice(unsafe { core::slice::from_raw_parts(bytes, size as usize) });
    0
}

pub fn record(session: impl FnOnce()) -> Vec<u8> {
    let mut log = Vec::<u8>::new();
    take_left_out();
    assert_eq!(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()), SinewResult::SinewOk);
    session();
    assert_eq!(sinew_record_end(), SinewResult::SinewOk);
    log
}

/// But for rounding: the C functions normalise rotations that are given to them.
pub fn assert_near(usual: &[f32], recorded: &[f32]) {
    let worst = usual.iter().zip(recorded).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(usual.len() == recorded.len() && worst < 1e-5, "a recording changes the pose by {worst}");
}

/// Whether all of a log comes out the same; returns the number of solves in it.
pub fn replay(log: &[u8]) -> usize {
    let log = Log::read(log).expect("a log");
    let mut player = Player::new(&log.head).expect("of this version");
    let mut frames = 0;
    for played in log.entries.iter().filter_map(|entry| player.play(entry)) {
        assert!(played.is_same() && matches!(played.outcome, Outcome::Run { .. }), "{played:?}");
        frames += usize::from(played.is_frame);
    }
    frames
}
