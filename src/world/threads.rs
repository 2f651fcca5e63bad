//! A thread pool of the library, for hosts without a job system (feature `rayon`).

use super::runner::{RangeResult, Runner, RunnerFault, WorkClaimed};
use core::ops::Range;
use rayon::prelude::*;

/// A pool of threads that runs a world's work in parts. Results do not depend on the number of
/// threads.
///
/// The pool's queue allocates one block in about sixty calls; nothing else allocates.
#[derive(Debug)]
pub struct Threads {
    pool: rayon::ThreadPool,
}

impl Threads {
    /// Maximum number of threads.
    pub const MAX: usize = 256;

    /// Starts `count` threads, 1 to [`Self::MAX`]; they end when the pool is dropped. `None` when
    /// the platform has no threads or cannot start that many.
    pub fn new(count: usize) -> Option<Self> {
        let count = count.clamp(1, Self::MAX);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(|i| format!("sinew {i}"));
        Some(Self { pool: builder.build().ok()? })
    }
}

impl Runner for Threads {
    fn run(&self, count: u32, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Result<WorkClaimed, RunnerFault> {
        self.pool.install(|| {
            (0..count).into_par_iter().for_each(|part| {
                work(part..part + 1);
            });
        });
        Ok(WorkClaimed::All)
    }
}
