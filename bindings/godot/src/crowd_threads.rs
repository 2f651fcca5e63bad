//! The engine's worker threads as a runner of the core.

use godot::builtin::GString;
use godot::classes::{Os, WorkerThreadPool};
use godot::obj::Singleton;
use godot::sys::{self, GodotFfi};
use sinew::world::{RangeResult, Runner, RunnerFault, Serial, WorkClaimed};
use std::ffi::c_void;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs work on the threads of the engine's `WorkerThreadPool` and on the calling one, which is
/// the engine's main thread.
#[derive(Clone, Copy, Debug)]
pub struct EngineThreads;

/// Ranges that each thread has at least, so that none waits long for the last.
const RANGES: u32 = 4;

/// The work of one call, of which each thread takes a range after the other.
struct Shared<'a> {
    work: &'a (dyn Fn(Range<u32>) -> RangeResult + Sync),
    next: AtomicU32,
    count: u32,
    size: u32,
}

impl Shared<'_> {
    fn run(&self) {
        loop {
            let first = self.next.fetch_add(self.size, Ordering::Relaxed);
            if first >= self.count {
                return;
            }
            (self.work)(first..self.count.min(first + self.size));
        }
    }
}

impl Runner for EngineThreads {
    fn run(
        &self,
        count: u32,
        most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        let threads = u32::try_from(Os::singleton().get_processor_count()).unwrap_or(1).max(1);
        let size = (count / (RANGES * threads)).clamp(1, most);
        let helpers = count.div_ceil(size).min(threads).saturating_sub(1);
        if helpers == 0 {
            return Serial.run(count, most, work);
        }
        let shared = Shared { work, next: AtomicU32::new(0), count, size };
        let mut pool = WorkerThreadPool::singleton();
        let name = GString::from("Sinew crowd");
        // SAFETY: the pool is the engine's; `shared` lives until the group has ended, for which the
        // call below waits in every case; the engine copies the name.
        let group = unsafe {
            sys::interface_fn!(worker_thread_pool_add_native_group_task)(
                pool.obj_sys(),
                Some(run_shared),
                (&raw const shared).cast_mut().cast(),
                helpers.cast_signed(),
                -1,
                true as sys::GDExtensionBool,
                name.sys().cast(),
            )
        };
        let own = catch_unwind(AssertUnwindSafe(|| shared.run()));
        pool.wait_for_group_task_completion(group);
        match own {
            Ok(()) => Ok(WorkClaimed::All),
            // The caller finds what was left out.
            Err(_) => Ok(WorkClaimed::Part),
        }
    }
}

/// # Safety
/// `shared` is a [`Shared`] that outlives the call.
unsafe extern "C" fn run_shared(shared: *mut c_void, _element: u32) {
    // SAFETY: the caller's promise; only shared references to it exist.
    let shared = unsafe { &*shared.cast::<Shared<'_>>() };
    // A panic must not reach the engine's code; the caller does what was left out.
    _ = catch_unwind(AssertUnwindSafe(|| shared.run()));
}
