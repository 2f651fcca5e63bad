//! The work of a solve: counted in steps, bounded, and ended early from outside.
//!
//! A step is about what one joint costs in one pass over a chain: 10 to 80 ns, by solver and
//! limits, on a server processor of 2021 (docs/speed.md, "Worst cases"). An iterative solver spends
//! steps as it goes and ends with its best pose when none are left. Counting costs a subtraction
//! and a comparison per iteration.

use core::fmt::Debug;
use std::sync::Arc;

/// Ends a solve early: a request from another thread, or a clock. Looked at every [`Work::LOOK`]
/// steps.
pub trait Interrupt: Debug + Send + Sync {
    /// Whether the solve is to end now, with the best pose so far.
    fn is_raised(&self) -> bool;
}

/// Who may interrupt a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The caller, from any thread.
    Cancel,
    /// A time budget.
    Budget,
}

/// Steps that a solve may still take.
#[derive(Clone, Debug)]
pub struct Work {
    /// Steps until the next look: none are left, or an interrupt may be raised.
    until_look: u32,
    /// Steps that are left after those.
    beyond: u32,
    interrupts: [Option<Arc<dyn Interrupt>>; 2],
}

impl Default for Work {
    fn default() -> Self {
        Self { until_look: Self::MOST, beyond: 0, interrupts: [None, None] }
    }
}

impl Work {
    /// The most steps that any solve takes, whatever its settings: a fraction of a second.
    pub const MOST: u32 = 8_000_000;
    /// Steps between two looks at the interrupts; that many are always taken. Less than a
    /// millisecond.
    pub const LOOK: u32 = 8192;

    /// Sets or clears what may end solves.
    pub fn set_interrupt(&mut self, source: Source, interrupt: Option<Arc<dyn Interrupt>>) {
        self.interrupts[source as usize] = interrupt;
    }
    /// Takes over the interrupts of another solve.
    pub fn share_interrupts(&mut self, other: &Self) {
        self.interrupts.clone_from(&other.interrupts);
    }
    /// Starts a solve with this many steps, at most [`Self::MOST`].
    pub fn begin(&mut self, most: u32) {
        self.provide(most.min(Self::MOST));
    }
    fn provide(&mut self, steps: u32) {
        let look = if self.interrupts.iter().any(Option::is_some) { steps.min(Self::LOOK) } else { steps };
        (self.until_look, self.beyond) = (look, steps - look);
    }
    /// Takes steps; false when there were not as many: then none are left, and the solve ends.
    #[inline(always)]
    pub fn spend(&mut self, steps: u32) -> bool {
        if let Some(left) = self.until_look.checked_sub(steps) {
            self.until_look = left;
            return true;
        }
        self.spend_and_look(steps)
    }
    #[cold]
    #[inline(never)]
    fn spend_and_look(&mut self, steps: u32) -> bool {
        let left = self.left().saturating_sub(steps);
        let is_raised = self.interrupts.iter().flatten().any(|interrupt| interrupt.is_raised());
        self.provide(if is_raised { 0 } else { left });
        left > 0 && !is_raised
    }
    /// Whether more steps than so many are left before the next look at the interrupts.
    pub(crate) fn covers(&self, steps: u32) -> bool {
        self.until_look > steps
    }
    /// Steps that are left.
    pub fn left(&self) -> u32 {
        self.until_look + self.beyond
    }
    /// Whether the solve has to end.
    pub fn is_out(&self) -> bool {
        self.left() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    #[derive(Debug, Default)]
    struct Flag {
        raised: AtomicBool,
        looks: AtomicU32,
    }
    impl Interrupt for Flag {
        fn is_raised(&self) -> bool {
            self.looks.fetch_add(1, Ordering::Relaxed);
            self.raised.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn steps_are_counted_and_none_is_taken_twice() {
        let mut work = Work::default();
        work.begin(100);
        assert!(work.spend(60) && work.left() == 40 && !work.is_out());
        assert!(!work.spend(41) && work.is_out());
        assert!(!work.spend(1));
        work.begin(u32::MAX);
        assert_eq!(work.left(), Work::MOST);
    }

    #[test]
    fn a_raised_interrupt_ends_a_solve_at_the_next_look() {
        let flag = Arc::new(Flag::default());
        let mut work = Work::default();
        work.set_interrupt(Source::Cancel, Some(flag.clone()));
        work.begin(10 * Work::LOOK);
        for _ in 0..3 * Work::LOOK / 64 {
            assert!(work.spend(64));
        }
        let looks = flag.looks.load(Ordering::Relaxed);
        assert!((2..=3).contains(&looks), "{looks} looks");
        flag.raised.store(true, Ordering::Relaxed);
        let mut more = 0;
        while work.spend(64) {
            more += 64;
        }
        assert!(more <= Work::LOOK && work.is_out(), "{more} more steps");
    }
}
