//! What clocks answer: kept for the log while a call is recorded, and given from the log while it
//! is replayed. Budgets depend on them.

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing is kept.
const OFF: u8 = 0;
const KEEP: u8 = 1;
const GIVE: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(OFF);

/// Times to give, and which is next.
static GIVEN: Mutex<(Vec<f64>, usize)> = Mutex::new((Vec::new(), 0));

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one clock has answered in the call under way. Its world is in use by that call alone, on
/// however many threads.
#[derive(Debug, Default)]
pub(super) struct Times(Mutex<Vec<f64>>);

impl Times {
    /// The time of `clock`, or the one that it returned when the call was recorded.
    #[inline]
    pub fn time(&self, clock: impl FnOnce() -> f64) -> f64 {
        match MODE.load(Ordering::Relaxed) {
            OFF => clock(),
            GIVE => given(clock),
            _ => self.keep(clock()),
        }
    }
    #[cold]
    #[inline(never)]
    fn keep(&self, now: f64) -> f64 {
        let mut times = lock(&self.0);
        if times.try_reserve(1).is_ok() {
            times.push(now);
        }
        now
    }
    /// At the begin of a call: forgets what an earlier one has not handed over.
    pub fn begin(&self) {
        if MODE.load(Ordering::Relaxed) == KEEP {
            lock(&self.0).clear();
        }
    }
    /// At the end of a call: hands over what was kept.
    pub fn end(&self, put: impl FnOnce(&[f64])) {
        if MODE.load(Ordering::Relaxed) == KEEP {
            let mut times = lock(&self.0);
            if !times.is_empty() {
                put(&times);
                times.clear();
            }
        }
    }
}

#[cold]
#[inline(never)]
fn given(clock: impl FnOnce() -> f64) -> f64 {
    let (times, next) = &mut *lock(&GIVEN);
    // A call that needs the time more often than the recorded one: it stands still.
    let given = times.get(*next).or(times.last()).copied();
    *next += 1;
    given.unwrap_or_else(clock)
}

/// Begins or ends keeping; nothing is given any more.
pub(super) fn keep(does: bool) {
    MODE.store(if does { KEEP } else { OFF }, Ordering::Relaxed);
    *lock(&GIVEN) = (Vec::new(), 0);
}

/// Gives these until [`keep`] is called.
pub(super) fn give(list: Vec<f64>) {
    *lock(&GIVEN) = (list, 0);
    MODE.store(GIVE, Ordering::Relaxed);
}
