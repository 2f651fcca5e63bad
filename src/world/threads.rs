//! A thread pool of the library, for hosts without a job system (feature `rayon`).

use super::runner::{RangeResult, Runner, RunnerFault, WorkClaimed};
use core::ops::Range;
use rayon::prelude::*;
use std::thread::{self, JoinHandle};

/// A pool of threads that runs a world's work in parts. Results do not depend on the number of
/// threads.
///
/// The pool's queue allocates one block in about sixty calls; nothing else allocates.
#[derive(Debug)]
pub struct Threads {
    /// There until dropped.
    pool: Option<rayon::ThreadPool>,
    threads: Vec<JoinHandle<()>>,
    /// The process that has the threads: the child of a `fork()` has the pool without them.
    process: u32,
}

/// The number of this process, where there can be others with the same memory.
fn process() -> u32 {
    #[cfg(unix)]
    return std::process::id();
    #[cfg(not(unix))]
    0
}

impl Threads {
    /// Maximum number of threads.
    pub const MAX: usize = 256;

    /// Starts `count` threads, 1 to [`Self::MAX`], and waits until they run. When the pool is
    /// dropped, they have ended. `None` when the platform has no threads or cannot start that many.
    pub fn new(count: usize) -> Option<Self> {
        let count = count.clamp(1, Self::MAX);
        let mut own = Self { pool: None, threads: Vec::with_capacity(count), process: process() };
        let threads = &mut own.threads;
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count).spawn_handler(|worker| {
            let name = format!("sinew {}", worker.index());
            threads.push(thread::Builder::new().name(name).spawn(|| worker.run())?);
            Ok(())
        });
        let pool = builder.build().ok()?;
        pool.broadcast(|_| {});
        own.pool = Some(pool);
        Some(own)
    }
    /// Number of threads.
    pub fn count(&self) -> usize {
        self.threads.len()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if self.process != process() {
            // There is no thread to end, and one that never ends would be waited for.
            core::mem::forget(self.pool.take());
            core::mem::forget(core::mem::take(&mut self.threads));
            return;
        }
        // Ends the threads as soon as they have nothing to do.
        self.pool = None;
        for thread in self.threads.drain(..) {
            // One of them may drop the pool itself, from a callback of the host.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

/// Ranges that each thread has at least, so that none waits long for the last.
const RANGES: u32 = 4;

impl Runner for Threads {
    fn run(
        &self,
        count: u32,
        most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        let Some(pool) = self.pool.as_ref().filter(|_| self.process == process()) else {
            return Ok(WorkClaimed::Part);
        };
        let size = (count / (RANGES * self.count() as u32)).clamp(1, most);
        pool.install(|| {
            (0..count.div_ceil(size)).into_par_iter().for_each(|range| {
                work(range * size..count.min((range + 1) * size));
            });
        });
        Ok(WorkClaimed::All)
    }
}
