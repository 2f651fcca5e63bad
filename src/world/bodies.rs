//! Many bodies in one call: on the threads of a runner, with a level of detail each and a budget.
//!
//! Bodies share nothing, so each answer has the bits of a call of its own, on any number of
//! threads.

use super::runner::{RangeResult, Runner, RunnerFault, WorkClaimed};
use crate::body::{BodyDetail, BodyOutcome, PlacedBody, PlacedBodyError};
use crate::math::Transform;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// A crowd of bodies, by number. Methods are called from any thread.
pub trait BodyCrowd: Sync {
    /// Number of bodies.
    fn count(&self) -> u32;
    /// Claims a body; false when it has been claimed in this call.
    fn claim(&self, number: u32) -> bool;
    /// Solves a body that was claimed.
    fn solve(&self, number: u32);
    /// Leaves a body that was claimed as it is: the budget is used up.
    fn cut(&self, number: u32);
}

/// Solves a crowd. `until`: the time of `clock` from which on bodies are cut; the first one is
/// always solved. Bodies that the runner leaves out are solved by the calling thread.
pub fn solve_crowd(
    crowd: &impl BodyCrowd,
    runner: &dyn Runner,
    until: Option<f64>,
    clock: &(dyn Fn() -> f64 + Sync),
) -> Option<RunnerFault> {
    let count = crowd.count();
    if count == 0 {
        return None;
    }
    let (twice, out_of_range) = (AtomicBool::new(false), AtomicBool::new(false));
    let one = |number: u32| {
        let is_mine = crowd.claim(number);
        if is_mine && number > 0 && until.is_some_and(|until| clock() >= until) {
            crowd.cut(number);
        } else if is_mine {
            crowd.solve(number);
        }
        is_mine
    };
    let some = |numbers: Range<u32>| {
        if numbers.start > numbers.end || numbers.end > count {
            out_of_range.store(true, Ordering::Relaxed);
            return RangeResult::OutOfRange;
        }
        let skipped = numbers.filter(|number| !one(*number)).count();
        if skipped > 0 {
            twice.store(true, Ordering::Relaxed);
            return RangeResult::Twice;
        }
        RangeResult::Done
    };
    let ran = runner.run(count, &some);
    let left = (0..count).filter(|number| one(*number)).count() as u32;
    let never = (left > 0 && ran != Ok(WorkClaimed::Part)).then_some(RunnerFault::NeverRun(left));
    let twice = twice.load(Ordering::Relaxed).then_some(RunnerFault::Twice);
    let out_of_range = out_of_range.load(Ordering::Relaxed).then_some(RunnerFault::OutOfRange);
    ran.err().or(never).or(twice).or(out_of_range)
}

/// A body of a crowd with its pose.
#[derive(Debug)]
pub struct BodyWork<'a> {
    /// The body.
    pub body: &'a mut PlacedBody,
    /// Local transforms, one per joint, solved in place.
    pub pose: &'a mut [Transform],
    /// How much of the work is done.
    pub detail: BodyDetail,
    /// How it ended; `None` before the call, and when the budget was used up.
    pub outcome: Option<Result<BodyOutcome, PlacedBodyError>>,
    /// Whether a call has claimed it.
    is_claimed: bool,
}

impl<'a> BodyWork<'a> {
    /// Work in full detail.
    pub fn new(body: &'a mut PlacedBody, pose: &'a mut [Transform]) -> Self {
        Self { body, pose, detail: BodyDetail::FULL, outcome: None, is_claimed: false }
    }
}

/// Bodies in Rust; see [`solve_bodies`].
struct Works<'a, 'b> {
    works: &'a [Mutex<BodyWork<'b>>],
    dt_s: f32,
}

impl BodyCrowd for Works<'_, '_> {
    fn count(&self) -> u32 {
        self.works.len() as u32
    }
    fn claim(&self, number: u32) -> bool {
        let mut work = match self.works[number as usize].try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is solving it.
            Err(TryLockError::WouldBlock) => return false,
        };
        !core::mem::replace(&mut work.is_claimed, true)
    }
    fn solve(&self, number: u32) {
        let mut work = self.works[number as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let BodyWork { body, pose, detail, outcome, .. } = &mut *work;
        *outcome = Some(body.solve_detailed(pose, self.dt_s, detail));
    }
    fn cut(&self, _number: u32) {}
}

/// Solves many bodies in one call, on the threads of a runner. `until` and `clock`: see
/// [`solve_crowd`]; to share a budget fairly, rotate the order from frame to frame. The same bits
/// as solves one by one, on any number of threads. Allocates nothing.
pub fn solve_bodies(
    works: &mut [Mutex<BodyWork<'_>>],
    dt_s: f32,
    runner: &dyn Runner,
    until: Option<f64>,
    clock: &(dyn Fn() -> f64 + Sync),
) -> Option<RunnerFault> {
    for work in works.iter_mut() {
        let work = work.get_mut().unwrap_or_else(PoisonError::into_inner);
        (work.is_claimed, work.outcome) = (false, None);
    }
    solve_crowd(&Works { works, dt_s }, runner, until, clock)
}
