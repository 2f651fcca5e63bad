//! Waiting for a lock by attempts.
//!
//! After a few attempts the thread sleeps between them, so that a holder of lower priority on the
//! same core gets to run. Nothing waits in the lock itself: ThreadSanitizer can follow attempts
//! also when the standard library is not instrumented.

use std::time::Duration;

/// How often a lock is tried before the thread sleeps.
const TRIES: u32 = 64;
/// How long it sleeps first; twice as long each time, up to 64 times this.
const FIRST_SLEEP: Duration = Duration::from_micros(16);

/// What an attempt gives that succeeds.
pub(super) fn until<G>(mut attempt: impl FnMut() -> Option<G>) -> G {
    let mut tries: u32 = 0;
    loop {
        if let Some(inside) = attempt() {
            return inside;
        }
        if tries < TRIES {
            core::hint::spin_loop();
        } else {
            std::thread::sleep(FIRST_SLEEP * (1 << (tries - TRIES).min(6)));
        }
        tries = tries.saturating_add(1);
    }
}
