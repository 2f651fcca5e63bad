//! The recorder: writes every call with its data to a log (`crate::record`).
//!
//! A call costs one relaxed load while there is no recording. While there is one, calls are logged
//! when they return, one at a time, so that a call comes after those whose results it uses, and a
//! call from inside a callback before the call that the callback belongs to. Nothing is locked
//! while a call runs. What the host has written to a pose buffer is logged before the call that
//! reads it, if it has changed. What else a call overwrites it hands over itself, once it has
//! checked it (`running`): the recorder reads no memory of the host that the call would not read. A
//! call that is refused as a whole changes nothing: its code and its arguments are logged, not what
//! they lead to.

pub(in crate::ffi) mod capture;
mod memory;
pub(in crate::ffi) mod observe;
mod sink;
mod state;
mod worlds;

pub(super) use sink::Sink;

use super::animator::solve_seen;
use super::answers;
use super::c_types::c_void;
use super::guard::Failure;
use super::host_rows;
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::running;
use super::shapes::{Function, Kind, Shape, Way, from_word, to_word};
use super::types::{SinewCastGround, SinewGroundHit, SinewGroundQuery};
use core::sync::atomic::{AtomicU32, Ordering};
use state::{Pending, Recorder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

static NUMBER: AtomicU32 = AtomicU32::new(0);
static STATE: Mutex<Option<Recorder>> = Mutex::new(None);

pub(super) use running::is_recording;

/// The number of the recording that runs: each has another.
pub(super) fn number() -> u32 {
    NUMBER.load(Ordering::Relaxed)
}

/// Begins a recording.
pub(super) fn begin(sink: impl FnOnce() -> Result<Sink, Failure>) -> Result<(), Failure> {
    // The state is locked while a sink is called.
    if sink::is_inside() {
        return Err(Failure::new(SinewResult::SinewErrorBusy, "a recording is under way: its sink must not begin one"));
    }
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if state.is_some() {
        return Err(Failure::new(SinewResult::SinewErrorBusy, "a recording is under way"));
    }
    *state = Some(Recorder::new(sink()?)?);
    answers::keep(true);
    host_rows::begin();
    NUMBER.fetch_add(1, Ordering::Relaxed);
    running::set_recording(true);
    Ok(())
}

/// Ends the recording; the failure that stopped it, if one did.
pub(super) fn end() -> Result<(), Failure> {
    if sink::is_inside() {
        return Err(Failure::new(SinewResult::SinewErrorBusy, "the sink must not end its recording"));
    }
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    keep_nothing();
    match state.take() {
        Some(recorder) => recorder.end(),
        None => Err(Failure::new(SinewResult::SinewErrorNotAvailable, "no recording is under way")),
    }
}

/// From here on no call is logged, and no answers of callbacks are kept.
fn keep_nothing() {
    running::set_recording(false);
    answers::keep(false);
    host_rows::end();
}

/// Lets the recorder do something; when it fails or panics the recording stops.
fn with_recorder(work: impl FnOnce(&mut Recorder) -> Result<(), Failure>) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(recorder) = state.as_mut().filter(|recorder| recorder.is_running()) else { return };
    // A failure, which has room for its message, ends within: else that is copied by every call.
    let is_done = catch_unwind(AssertUnwindSafe(|| match work(recorder) {
        Ok(()) => true,
        Err(failure) => {
            recorder.stop(failure);
            false
        }
    }));
    let is_done = is_done.unwrap_or_else(|payload| {
        std::mem::forget(payload);
        recorder.stop(Failure::new(SinewResult::SinewErrorPanic, "a panic in the recorder"));
        false
    });
    if !is_done {
        keep_nothing();
    }
}

/// Calls a function and logs the call.
#[cold]
#[inline(never)]
pub(super) fn call(function: &'static Function, words: &[u64]) -> SinewResult {
    if sink::is_inside() {
        // SAFETY: the arguments of the exported function, whose caller vouches for them.
        return unsafe { function.run(words) };
    }
    match function.way {
        Way::Setter { records, size } => {
            // SAFETY: as above.
            let result = unsafe { function.run(words) };
            // SAFETY: as above.
            with_recorder(|recorder| unsafe { recorder.after_setter(function, words, result, records, size) });
            return result;
        }
        Way::LoneSolve => {
            let animator = SinewAnimator { bits: words[0] };
            let bits = animator.bits;
            let result = solve_seen(
                animator,
                |character| with_recorder(|recorder| recorder.log_buffer(bits, character)),
                |character| with_recorder(|recorder| recorder.log_solve(function, bits, character)),
            );
            if result != SinewResult::SinewOk {
                use SinewResult as R;
                let is_refused =
                    matches!(result, R::SinewErrorInvalidHandle | R::SinewErrorBusy | R::SinewErrorPoisoned);
                with_recorder(|recorder| {
                    // The pose buffer is as it was.
                    recorder.log_pose(animator.bits)?;
                    recorder.after(function, words, result, Pending { has_begun: !is_refused, ..Pending::default() })
                });
            }
            return result;
        }
        Way::Other => {}
    }
    let mut pending = Pending::default();
    if !matches!(function.kind, Kind::plain) {
        with_recorder(|recorder| recorder.before(function, words, &mut pending));
    }
    let cast = function.shapes.iter().position(|shape| matches!(shape, Shape::Cast));
    let (result, running) = running::watch(core::mem::take(&mut pending.parts), || match cast {
        Some(place) => call_with_ground(function, words, place, &mut pending),
        // SAFETY: as above.
        None => unsafe { function.run(words) },
    });
    pending.take(running);
    with_recorder(|recorder| recorder.after(function, words, result, pending));
    result
}

/// The host's ground, and what it has answered.
struct Ground {
    cast: SinewCastGround,
    user: *mut c_void,
    answers: Vec<u8>,
    is_complete: bool,
}

fn call_with_ground(function: &Function, words: &[u64], place: usize, pending: &mut Pending) -> SinewResult {
    // SAFETY: the shape states that the argument is such a callback, or NULL.
    let cast: Option<SinewCastGround> = unsafe { from_word(words[place]) };
    let Some(cast) = cast else {
        // SAFETY: the arguments of the exported function, whose caller vouches for them.
        return unsafe { function.run(words) };
    };
    // SAFETY: the argument after the callback is what it receives.
    let user = unsafe { from_word(words[place + 1]) };
    let mut ground = Ground { cast, user, answers: Vec::new(), is_complete: true };
    let mut words: Vec<u64> = words.to_vec();
    words[place] = to_word::<SinewCastGround>(cast_and_keep);
    words[place + 1] = to_word(&raw mut ground);
    // SAFETY: the same arguments, but for a callback that calls the host's with what it receives.
    let result = unsafe { function.run(&words) };
    pending.answers = ground.answers;
    pending.has_lost = !ground.is_complete;
    result
}

extern "C-unwind" fn cast_and_keep(user: *mut c_void, query: *const SinewGroundQuery, out_hit: *mut SinewGroundHit) {
    // SAFETY: `call_with_ground` hands over its ground, which only this thread uses meanwhile.
    let ground = unsafe { &mut *user.cast::<Ground>() };
    (ground.cast)(ground.user, query, out_hit);
    if ground.answers.try_reserve(size_of::<SinewGroundHit>()).is_err() {
        ground.is_complete = false;
        return;
    }
    // SAFETY: a record of the library, without padding.
    ground.answers.extend_from_slice(unsafe { memory::bytes(out_hit, 1) });
}
