//! Who runs a world's work: the calling thread, or others it can get.

use core::ops::Range;

/// What became of a range of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeResult {
    /// It was done.
    Done,
    /// Some of it had been done before, or is being done; that was left alone, the rest was done.
    Twice,
    /// It reaches beyond the work there is; nothing was done.
    OutOfRange,
}

/// What a runner did that it must not do. Never a reason for a race or for work left undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunnerFault {
    /// It came back with work left that it had taken on; the calling thread has done that.
    #[error("{0} parts of the work were never run; the calling thread ran them")]
    NeverRun(u32),
    /// It ran a part a second time, which did nothing.
    #[error("a part of the work was run twice; the second run was skipped")]
    Twice,
    /// It asked for work beyond what there is, which did nothing.
    #[error("a range outside the work was requested and skipped")]
    OutOfRange,
    /// It came back while a thread was still at work; the call has waited for that thread.
    #[error("the wait callback returned while a task was running; the call waited for it")]
    StillRunning,
}

/// How much of the work a runner has taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkClaimed {
    /// All of it.
    All,
    /// Some of it or none; the rest is the caller's, and that is no fault.
    Part,
}

/// Runs work on whatever threads it has.
pub trait Runner: Sync {
    /// Has `work` called with ranges that together cover `0..count`, each part once, from whichever threads, and returns when all those calls have
    /// returned. The caller of this does whatever was left out itself.
    fn run(&self, count: u32, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Result<WorkClaimed, RunnerFault>;
}

/// The calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Runner for Serial {
    fn run(&self, count: u32, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Result<WorkClaimed, RunnerFault> {
        work(0..count);
        Ok(WorkClaimed::All)
    }
}
