//! Who does a world's work: the calling thread, the host's job system, or a pool of threads of our
//! own.

use super::c_types::c_void;
#[cfg(feature = "rayon")]
use super::guard::FloatEnvironment;
use super::guard::call_host;
use super::ids::SinewJob;
use super::types::{SinewEnqueue, SinewWait};
use crate::store::{FirstSharedSlots, Id, LoanSlot, SharedSlots};
use crate::world::{RangeResult, Runner, RunnerFault, Serial, WorkClaimed};
use core::ops::Range;
use std::sync::Arc;

/// Work lent to the host's threads. Not really static: it is taken back before what it borrows ends
/// (see [`Loan`]).
pub(super) type Work = &'static (dyn Fn(Range<u32>) -> RangeResult + Sync);

/// What is lent now, by the host's name for it. The kind differs from the others' in several bits.
pub(super) static LENT: SharedSlots<LoanSlot<Work>> = SharedSlots::with_first(0xC5, &FIRST_LENT);
static FIRST_LENT: FirstSharedSlots<LoanSlot<Work>> = FirstSharedSlots::new();

/// Parts of eight animators that make a good range: some hundred microseconds of work.
const GRAIN: u32 = 8;

/// The host's job system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jobs {
    pub enqueue: SinewEnqueue,
    pub wait: SinewWait,
    pub user: *mut c_void,
}

// SAFETY: the pointer is only handed back to the host, on the thread that solves.
unsafe impl Send for Jobs {}
// SAFETY: as above.
unsafe impl Sync for Jobs {}

/// Who does the work.
pub(super) enum Workers {
    Caller,
    Host(Jobs, Arc<LoanSlot<Work>>),
    #[cfg(feature = "rayon")]
    Pool(crate::world::Threads),
}

impl Workers {
    /// How many threads may work at once; of the host's an assumption.
    pub fn count(&self) -> usize {
        match self {
            Self::Caller => 1,
            Self::Host(..) => 8,
            #[cfg(feature = "rayon")]
            Self::Pool(threads) => threads.count(),
        }
    }
}

impl Runner for Workers {
    fn run(
        &self,
        count: u32,
        most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        match self {
            Self::Host(jobs, slot) if count > 1 => jobs.run(slot, count, work),
            #[cfg(feature = "rayon")]
            Self::Pool(threads) if count > 1 => threads.run(count, most, &|range| {
                // A thread begins with the modes of the thread that started it.
                let _pinned = FloatEnvironment::pin();
                work(range)
            }),
            _ => Serial.run(count, most, work),
        }
    }
}

/// Work on the slot; taken back at the latest when this is dropped.
struct Loan<'a> {
    slot: &'a LoanSlot<Work>,
    id: Id,
    over: bool,
}

impl<'a> Loan<'a> {
    fn new(slot: &'a Arc<LoanSlot<Work>>, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Option<Self> {
        let id = LENT.insert(slot.clone()).ok()?;
        // SAFETY: only the lifetime changes. No thread uses the work after `revoke`, which comes
        // at the latest when the loan is dropped, and `work` outlives the loan in the only function
        // that makes one.
        let work = unsafe { core::mem::transmute::<&(dyn Fn(Range<u32>) -> RangeResult + Sync), Work>(work) };
        let loan = Self { slot, id, over: false };
        slot.lend(id.bits(), work);
        Some(loan)
    }
    /// True when a thread was still at work.
    fn revoke(&mut self) -> bool {
        self.over = true;
        let _ = LENT.forget(self.id);
        self.slot.revoke()
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.revoke();
        }
    }
}

impl Jobs {
    fn run(
        &self,
        slot: &Arc<LoanSlot<Work>>,
        count: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
        let Some(mut loan) = Loan::new(slot, work) else { return Ok(WorkClaimed::Part) };
        // What is left of the work is done here.
        let task = call_host(|| {
            let task = (self.enqueue)(self.user, SinewJob { bits: loan.id.bits() }, count, GRAIN);
            if !task.is_null() {
                (self.wait)(self.user, task);
            }
            task
        });
        let still_running = loan.revoke();
        match (task.is_null(), still_running) {
            (true, _) => Ok(WorkClaimed::Part),
            (false, true) => Err(RunnerFault::StillRunning),
            (false, false) => Ok(WorkClaimed::All),
        }
    }
}
