//! What clocks answer: kept for the log while a call is recorded, and given from the log while it
//! is replayed. Budgets depend on them.

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing is kept.
const OFF: u8 = 0;
const KEEP: u8 = 1;
const GIVE: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(OFF);

struct Times {
    list: Vec<f64>,
    /// The next to give.
    next: usize,
}

static TIMES: Mutex<Times> = Mutex::new(Times { list: Vec::new(), next: 0 });

fn times() -> MutexGuard<'static, Times> {
    TIMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time of `clock`, or the one that it returned when the call was recorded.
#[inline]
pub(super) fn time(clock: impl FnOnce() -> f64) -> f64 {
    match MODE.load(Ordering::Relaxed) {
        OFF => clock(),
        mode => kept_or_given(mode, clock),
    }
}

#[cold]
#[inline(never)]
fn kept_or_given(mode: u8, clock: impl FnOnce() -> f64) -> f64 {
    if mode == GIVE {
        let mut times = times();
        // A call that needs the time more often than the recorded one: it stands still.
        let given = times.list.get(times.next).or(times.list.last()).copied();
        times.next += 1;
        return given.unwrap_or_else(clock);
    }
    let now = clock();
    let mut times = times();
    if times.list.try_reserve(1).is_ok() {
        times.list.push(now);
    }
    now
}

/// Begins or ends keeping.
pub(super) fn keep(does: bool) {
    MODE.store(if does { KEEP } else { OFF }, Ordering::Relaxed);
    *times() = Times { list: Vec::new(), next: 0 };
}

/// Hands what was kept to `put` and forgets it.
pub(super) fn take(put: impl FnOnce(&[f64])) {
    let mut times = times();
    put(&times.list);
    times.list.clear();
}

/// Gives these until [`keep`] is called.
pub(super) fn give(list: Vec<f64>) {
    *times() = Times { list, next: 0 };
    MODE.store(GIVE, Ordering::Relaxed);
}
