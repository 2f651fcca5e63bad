//! Runners: the threads that a world's work runs on.

use core::ops::Range;

/// Result of a range of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeResult {
    /// The range was done.
    Done,
    /// A part of the range was already done or in progress and was skipped; the rest was done.
    Twice,
    /// The range exceeds the work; nothing was done.
    OutOfRange,
}

/// A contract violation of a runner. It never causes a data race or leaves work undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunnerFault {
    /// It returned before all claimed work was done; the calling thread did the rest.
    #[error("{0} parts of the work were never run; the calling thread ran them")]
    NeverRun(u32),
    /// It ran a part twice; the second run was skipped.
    #[error("a part of the work was run twice; the second run was skipped")]
    Twice,
    /// It requested a range outside the work; the request was skipped.
    #[error("a range outside the work was requested and skipped")]
    OutOfRange,
    /// It returned while a thread was still working; the call waited for that thread.
    #[error("the wait callback returned while a task was running; the call waited for it")]
    StillRunning,
}

/// How much of the work a runner has claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkClaimed {
    /// All of it.
    All,
    /// A part or none. The caller does the rest; this is not a fault.
    Part,
}

/// Runs work on its threads.
pub trait Runner: Sync {
    /// Calls `work`, from any threads, with ranges that together cover `0..count` without overlap,
    /// and returns when all those calls have returned. The caller does any part that was left out.
    /// `most`: up to so many parts in a range gain by each other; 1 where they do not.
    fn run(
        &self,
        count: u32,
        most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault>;
}

/// The calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Runner for Serial {
    fn run(
        &self,
        count: u32,
        _most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        work(0..count);
        Ok(WorkClaimed::All)
    }
}
