//! Whether a recording runs, and what it lacks.

use super::super::recorder;
use core::sync::atomic::{AtomicU32, Ordering};

/// Solves that were made during the last recording and are not in it.
static LEFT_OUT: AtomicU32 = AtomicU32::new(0);

/// Whether a recording runs.
pub fn is_recording() -> bool {
    recorder::is_recording()
}

/// Counts a solve that a recording cannot have, while one runs: of an object that has no mirror.
pub fn leave_out() {
    if is_recording() {
        LEFT_OUT.fetch_add(1, Ordering::Relaxed);
    }
}

/// How many solves were left out since the last call.
pub fn take_left_out() -> u32 {
    LEFT_OUT.swap(0, Ordering::Relaxed)
}
