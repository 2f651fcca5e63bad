//! The end of a call's time budget, as solves that have begun see it.

use crate::optim::Interrupt;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

/// Ends the solves of a call when its time is up: [`World::set_deadline`](super::World::set_deadline).
pub struct Deadline {
    /// Bits of the time in seconds.
    until: AtomicU64,
    clock: Box<dyn Fn() -> f64 + Send + Sync>,
}

impl Deadline {
    /// By a clock of monotonic seconds: the one that calls of the world use.
    pub fn new(clock: Box<dyn Fn() -> f64 + Send + Sync>) -> Self {
        Self { until: AtomicU64::new(f64::INFINITY.to_bits()), clock }
    }
    pub(super) fn set(&self, until: f64) {
        self.until.store(until.to_bits(), Ordering::Relaxed);
    }
}

impl Interrupt for Deadline {
    fn is_raised(&self) -> bool {
        (self.clock)() >= f64::from_bits(self.until.load(Ordering::Relaxed))
    }
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").field("until", &f64::from_bits(self.until.load(Ordering::Relaxed))).finish()
    }
}
