//! Many bodies in one call: on the threads of a runner, with a level of detail each and a budget.
//!
//! Bodies share nothing, so each answer has the bits of a call of its own, on any number of
//! threads.

use super::runner::{RangeResult, Runner, RunnerFault, WorkClaimed};
use crate::body::{BodyBeside, BodyDetail, BodyOutcome, MOST_BESIDE, PlacedBody, PlacedBodyError, solve_beside};
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
    /// Solves bodies that were claimed.
    fn solve(&self, numbers: &[u32]);
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
    // Claims some, and solves those that are not cut; how many were claimed.
    let claim = |numbers: Range<u32>| {
        let (mut own, mut solved, mut claimed) = ([0; MOST_BESIDE], 0, 0);
        for number in numbers.filter(|number| crowd.claim(*number)) {
            claimed += 1;
            if number > 0 && until.is_some_and(|until| clock() >= until) {
                crowd.cut(number);
            } else {
                own[solved] = number;
                solved += 1;
            }
        }
        if solved > 0 {
            crowd.solve(&own[..solved]);
        }
        claimed
    };
    let all = |numbers: Range<u32>| -> usize {
        let end = numbers.end;
        numbers.step_by(MOST_BESIDE).map(|first| claim(first..end.min(first + MOST_BESIDE as u32))).sum()
    };
    let some = |numbers: Range<u32>| {
        if numbers.start > numbers.end || numbers.end > count {
            out_of_range.store(true, Ordering::Relaxed);
            return RangeResult::OutOfRange;
        }
        if all(numbers.clone()) < numbers.len() {
            twice.store(true, Ordering::Relaxed);
            return RangeResult::Twice;
        }
        RangeResult::Done
    };
    let ran = runner.run(count, MOST_BESIDE as u32, &some);
    let left = all(0..count) as u32;
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
    fn solve(&self, numbers: &[u32]) {
        let lock = |number: &u32| self.works[*number as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let mut works: [_; MOST_BESIDE] = core::array::from_fn(|place| numbers.get(place).map(lock));
        let mut bodies = works.each_mut().map(|work| {
            let BodyWork { body, pose, detail, .. } = &mut **work.as_mut()?;
            Some(BodyBeside { body, pose, detail: *detail, outcome: None })
        });
        solve_beside(&mut bodies, self.dt_s);
        let outcomes = bodies.map(|body| body.and_then(|body| body.outcome));
        for (work, outcome) in works.iter_mut().flatten().zip(outcomes) {
            work.outcome = outcome;
        }
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
