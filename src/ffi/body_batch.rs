//! Many bodies in one call.

use super::body_read as checked;
use super::guard::{Failure, guard, optional_out};
use super::ids::{SinewBody, SinewWorld};
use super::recorder::capture;
use super::registry::{self, HostBody, HostWorld};
use super::result::SinewResult;
use super::running;
use super::types::{SINEW_BODY_MAX_LEVEL, SinewBodyBatchReport, SinewBodyWork, SinewBodyWorkState, SinewTransform};
use super::workers::Workers;
use super::{read, text};
use crate::body::{BodyBeside, BodyDetail, MOST_BESIDE, solve_beside};
use crate::math::Transform;
use crate::store::{Held, enter};
use crate::world::{BodyCrowd, RunnerFault, solve_crowd};
use core::sync::atomic::{AtomicI32, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Fills the work of a body with its defaults: full detail, no body and no pose.
///
/// @param out_work  the work.
pub extern "C" fn sinew_body_work_default(out_work: Option<&mut SinewBodyWork>) -> SinewResult {
    guard("sinew_body_work_default", || {
        *super::guard::out_ref(out_work, "out_work")? = SinewBodyWork {
            body: SinewBody { bits: 0 },
            pose: core::ptr::null_mut(),
            joint_count: 0,
            iteration_share: 1.0,
            max_level: SINEW_BODY_MAX_LEVEL,
            state: SinewBodyWorkState::Waiting as i32,
            result: SinewResult::SinewOk as i32,
            outcome: Default::default(),
        };
        Ok(())
    })
}

/// Solves many bodies, each with its pose, in one call: on the threads and within the budget
/// of a world. Each answer has the bits of a call of sinew_body_solve, with any number of
/// threads. A body that cannot be solved does not keep the others from it. Up to eight bodies in
/// track mode that follow each other and are alike are solved side by side, which is faster. Waits
/// for the threads of the world. Allocates as sinew_body_solve does.
///
/// @param works       see SinewBodyWork; no body twice. To share a budget fairly, rotate the
///                    order from frame to frame: the first is always solved.
/// @param count       number of works.
/// @param dt_s        length of the frame, seconds, 0 … 1000, for track mode.
/// @param world       the world whose threads, budget and clock are used; its animators are not
///                    touched. The null handle: the calling thread, no budget.
/// @param out_report  numbers of bodies by state, written also when bodies failed; may be NULL.
/// @return the code of the first body that failed, of which sinew_last_error has the reason;
///         SINEW_ERROR_INVALID_ARGUMENT: a body twice, dt_s, nothing was done; SINEW_ERROR_JOBS:
///         the world's callbacks broke their contract, all was solved.
pub unsafe extern "C" fn sinew_body_solve_batch(
    works: *mut SinewBodyWork,
    count: u32,
    dt_s: f32,
    world: SinewWorld,
    out_report: Option<&mut SinewBodyBatchReport>,
) -> SinewResult {
    guard("sinew_body_solve_batch", || {
        let out_report = optional_out(out_report, "out_report")?;
        let dt_s = read::between("dt_s", dt_s, 0.0, 1e3)?;
        let works: &mut [SinewBodyWork] = match count {
            0 => &mut [],
            // SAFETY: what the C function requires of its caller; see `read`.
            _ => unsafe { read::array_mut("works", works, count as usize) }?,
        };
        begin(works)?;
        let mut solve = |world: Option<&HostWorld>| {
            running::captures(0, |parts| capture::works(0, works, pose_of, parts));
            running::begun();
            let crowd = Crowd { works: works.as_mut_ptr(), count, dt_s, refusal: Mutex::new(None) };
            let fault = match world {
                Some(world) => crowd.on(world),
                None => solve_crowd(&crowd, &Workers::Caller, None, &|| 0.0),
            };
            (fault, crowd.refusal())
        };
        let (fault, refusal) =
            if world.bits == 0 { solve(None) } else { registry::with_world(world, |world| Ok(solve(Some(world))))? };
        finish(works, fault, refusal, out_report)
    })
}

/// Marks all as waiting; refuses a body that is there twice.
fn begin(works: &mut [SinewBodyWork]) -> Result<(), Failure> {
    let call = registry::next_body_call();
    for (number, work) in works.iter().enumerate() {
        // One that is no body, or in use, is found when it is solved.
        let is_new = registry::with_body(work.body, |host| Ok(core::mem::replace(&mut host.call, call) != call));
        if is_new.is_ok_and(|is_new| !is_new) {
            return Err(Failure::argument(format_args!("works[{number}].body is in the works twice")));
        }
    }
    for work in works {
        work.state = SinewBodyWorkState::Waiting as i32;
        work.result = SinewResult::SinewOk as i32;
    }
    Ok(())
}

/// The pose that a work will be solved from, with the checks of [`Crowd::begin_one`].
fn pose_of<'a>(work: &SinewBodyWork) -> Option<&'a [SinewTransform]> {
    checked::detail(work.iteration_share, work.max_level).ok()?;
    let joints = registry::with_body(work.body, |host| Ok(host.body.skeleton().joint_count())).ok()?;
    read::length("joint_count", work.joint_count, joints).ok()?;
    // SAFETY: what the C function requires of its caller; see `read`.
    unsafe { read::array("pose", work.pose, joints) }.ok()
}

/// Counts the works by state. `refusal`: the first work that failed, by its place, and why.
fn finish(
    works: &[SinewBodyWork],
    fault: Option<RunnerFault>,
    mut refusal: Option<(u32, Failure)>,
    out_report: Option<&mut SinewBodyBatchReport>,
) -> Result<(), Failure> {
    let mut report = SinewBodyBatchReport::default();
    let mut first = Ok(());
    for (number, work) in works.iter().enumerate() {
        match work.state {
            state if state == SinewBodyWorkState::Solved as i32 => report.solved += 1,
            state if state == SinewBodyWorkState::Cut as i32 => report.cut += 1,
            _ => {
                report.failed += 1;
                if first.is_ok() {
                    let place = format_args!("works[{number}]");
                    first = Err(match refusal.take() {
                        Some((refused, failure)) if refused as usize == number => failure.about(place),
                        _ => Failure::new(text::code(work.result), format_args!("{place}.body was not solved")),
                    });
                }
            }
        }
    }
    if let Some(out) = out_report {
        *out = report;
    }
    match fault {
        Some(fault) => Err(Failure::new(SinewResult::SinewErrorJobs, fault)),
        None => first,
    }
}

/// The host's records while a call runs. Threads claim one each by its `state`, which is only read
/// and written atomically until then; what else is in a record belongs to the thread that has
/// claimed it.
struct Crowd {
    works: *mut SinewBodyWork,
    count: u32,
    dt_s: f32,
    /// Why the first work of those that failed was not solved, with its place.
    refusal: Mutex<Option<(u32, Failure)>>,
}

// SAFETY: see the type; bodies are locked by the registry.
unsafe impl Sync for Crowd {}

impl Crowd {
    fn on(&self, world: &HostWorld) -> Option<RunnerFault> {
        world.clock.times.begin();
        let until = world.set.budget().map(|seconds| world.clock.now_s() + seconds);
        let fault = solve_crowd(self, &world.workers, until, &|| world.clock.now_s());
        world.clock.times.end(running::timed);
        fault
    }
    fn work(&self, number: u32) -> *mut SinewBodyWork {
        debug_assert!(number < self.count);
        // SAFETY: `solve_crowd` only passes numbers below `count`.
        unsafe { self.works.add(number as usize) }
    }
    fn state(&self, number: u32) -> &AtomicI32 {
        // SAFETY: the record is there, aligned, and its state is used by this function alone.
        unsafe { AtomicI32::from_ptr(&raw mut (*self.work(number)).state) }
    }
    /// Keeps the reason of the first work that failed.
    #[cold]
    #[inline(never)]
    fn refuse(&self, number: u32, failure: Failure) {
        let mut first = enter(&self.refusal);
        if first.as_ref().is_none_or(|(before, _)| number <= *before) {
            *first = Some((number, failure));
        }
    }
    fn refusal(&self) -> Option<(u32, Failure)> {
        enter(&self.refusal).take()
    }
    /// The body of a record, with what else a solve needs.
    fn begin_one<'a>(
        &self,
        number: u32,
    ) -> Result<(Held<'static, HostBody>, &'a mut [Transform], BodyDetail), Failure> {
        let work = self.work(number);
        // SAFETY: this thread has claimed the record; `state` is not touched.
        let (body, pose, count, iteration_share, max_level) =
            unsafe { ((*work).body, (*work).pose, (*work).joint_count, (*work).iteration_share, (*work).max_level) };
        let detail = checked::detail(iteration_share, max_level)?;
        let host = registry::lock_body(body)?;
        read::length("joint_count", count, host.body.skeleton().joint_count())?;
        // SAFETY: what the C function requires of its caller; see `read`.
        let pose = unsafe { read::array_mut("pose", pose, count as usize) }?;
        Ok((host, read::as_transforms_mut(pose), detail))
    }
    /// Solves bodies side by side; why some were not, by their places.
    fn solve_some(&self, numbers: &[u32], failures: &mut [Option<Failure>; MOST_BESIDE]) {
        let mut begun: [_; MOST_BESIDE] = core::array::from_fn(|place| {
            let begun = self.begin_one(*numbers.get(place)?);
            begun.map_err(|failure| failures[place] = Some(failure)).ok()
        });
        let mut bodies = begun.each_mut().map(|begun| {
            let (host, pose, detail) = begun.as_mut()?;
            Some(BodyBeside { body: &mut host.body, pose, detail: *detail, outcome: None })
        });
        solve_beside(&mut bodies, self.dt_s);
        for ((body, number), failure) in bodies.into_iter().zip(numbers).zip(failures) {
            match body.and_then(|body| body.outcome) {
                // SAFETY: this thread has claimed the record; `state` is not touched.
                Some(Ok(outcome)) => unsafe { (*self.work(*number)).outcome = checked::outcome_out(&outcome) },
                Some(Err(error)) => *failure = Some(error.into()),
                None => {}
            }
        }
    }
}

impl BodyCrowd for Crowd {
    fn count(&self) -> u32 {
        self.count
    }
    fn claim(&self, number: u32) -> bool {
        let (waiting, failed) = (SinewBodyWorkState::Waiting as i32, SinewBodyWorkState::Failed as i32);
        self.state(number).compare_exchange(waiting, failed, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
    fn solve(&self, numbers: &[u32]) {
        let mut failures = [const { None }; MOST_BESIDE];
        let solved = catch_unwind(AssertUnwindSafe(|| self.solve_some(numbers, &mut failures)));
        let panic = solved.err().map(Failure::panic);
        // After a panic none is known to have been solved.
        let panicked = panic.as_ref().map(|panic| panic.code);
        failures[0] = panic.or(failures[0].take());
        for (number, failure) in numbers.iter().zip(failures) {
            let result = panicked.or(failure.as_ref().map(|failure| failure.code));
            if let Some(failure) = failure {
                self.refuse(*number, failure);
            }
            let result = result.unwrap_or(SinewResult::SinewOk);
            // SAFETY: this thread has claimed the record; `state` is not touched.
            unsafe { (*self.work(*number)).result = result as i32 };
            if result == SinewResult::SinewOk {
                self.state(*number).store(SinewBodyWorkState::Solved as i32, Ordering::Release);
            }
        }
    }
    fn cut(&self, number: u32) {
        self.state(number).store(SinewBodyWorkState::Cut as i32, Ordering::Release);
    }
}
