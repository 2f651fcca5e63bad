//! What a call that is recorded states of itself while it runs: that it is past its checks, and
//! what it is about to overwrite.
//!
//! The call itself states it, on the thread that made it: only it knows which memory of the host it
//! may read, and from where on it has changed something even if it fails.

use super::guard::Failure;
use super::result::SinewResult;
use super::rooms;
use super::types::SinewTransform;
use crate::record::{self, Part, Tag};
use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};

static IS_RECORDING: AtomicBool = AtomicBool::new(false);

/// Whether calls are logged.
#[inline(always)]
pub(super) fn is_recording() -> bool {
    IS_RECORDING.load(Ordering::Relaxed)
}
/// Begins or ends logging.
pub(super) fn set_recording(does: bool) {
    IS_RECORDING.store(does, Ordering::Relaxed);
}

/// Room for more, or a failure where there is no memory.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let wanted = (list.len() + more).saturating_mul(2 * size_of::<T>());
    let _room = rooms::SMALL.with(0, wanted)?;
    list.try_reserve(more).map_err(|error| Failure::new(SinewResult::SinewErrorOutOfMemory, error))
}

/// Parts of a call as bytes.
#[derive(Default)]
pub(super) struct Parts(Vec<u8>);

impl Parts {
    /// With room for the data of most calls.
    pub fn with_room() -> Self {
        Self(Vec::with_capacity(8 << 10))
    }
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
    pub fn clear(&mut self) {
        self.0.clear();
    }
    pub fn is_unused(&self) -> bool {
        self.0.capacity() == 0
    }
    /// Adds bytes as they are.
    pub fn add(&mut self, more: &[u8]) -> Result<(), Failure> {
        reserve(&mut self.0, more.len())?;
        self.0.extend_from_slice(more);
        Ok(())
    }
    /// Adds a part.
    pub fn put(&mut self, tag: Tag, argument: usize, index: usize, contents: &[u8]) -> Result<(), Failure> {
        reserve(&mut self.0, contents.len() + record::PART_HEAD)?;
        let part = Part { tag, argument: argument as u8, index: index as u32, bytes: contents };
        record::put_part(&mut self.0, &part);
        Ok(())
    }
}

/// What a call has stated.
#[derive(Default)]
pub(super) struct Running {
    /// What it is about to overwrite, and what clocks have answered.
    pub parts: Parts,
    /// Whether it is past its checks.
    pub has_begun: bool,
    /// Arguments whose memory is in `parts`, one bit each.
    pub captured: u32,
    /// Whether there was no memory for some of it.
    pub has_lost: bool,
}

thread_local! {
    /// The innermost call of this thread that is recorded.
    static CALL: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Runs a call; what it states is added to `parts`.
pub(super) fn watch<R>(parts: Parts, run: impl FnOnce() -> R) -> (R, Running) {
    let own = Running { parts, ..Running::default() };
    // A thread that ends has no such place any more.
    let outer = CALL.try_with(|call| call.replace(Some(own))).ok().flatten();
    let result = run();
    let own = CALL.try_with(|call| call.replace(outer)).ok().flatten();
    (result, own.unwrap_or_default())
}

#[cold]
#[inline(never)]
fn note(state: impl FnOnce(&mut Running)) {
    let _ = CALL.try_with(|call| {
        if let Some(running) = call.borrow_mut().as_mut() {
            state(running);
        }
    });
}

/// The call is past the checks that refuse it as a whole: from here on it may change something
/// although it fails. What its arguments lead to may be read, before it returns and after.
#[inline(always)]
pub(super) fn begun() {
    if is_recording() {
        note(|running| running.has_begun = true);
    }
}

/// Lets `put` copy what an argument leads to, before the call overwrites it.
#[inline(always)]
pub(super) fn captures(argument: usize, put: impl FnOnce(&mut Parts) -> Result<(), Failure>) {
    if is_recording() {
        note(|running| {
            running.captured |= 1 << argument;
            running.has_lost |= put(&mut running.parts).is_err();
        });
    }
}

/// The call has begun, and is about to overwrite a pose.
#[inline(always)]
pub(super) fn overwrites(argument: usize, pose: &[SinewTransform]) {
    if is_recording() {
        captures(argument, |parts| parts.put(Tag::Data, argument, 0, pose_bytes(pose)));
        begun();
    }
}

/// The clock of the call has answered this.
pub(super) fn timed(times: &[f64]) {
    // SAFETY: numbers without padding.
    let bytes = unsafe { core::slice::from_raw_parts(times.as_ptr().cast::<u8>(), size_of_val(times)) };
    note(|running| running.has_lost |= running.parts.put(Tag::Answers, 0, 0, bytes).is_err());
}

/// A pose as bytes.
pub(super) fn pose_bytes(pose: &[SinewTransform]) -> &[u8] {
    const _: () = assert!(size_of::<SinewTransform>() == 40);
    // SAFETY: ten floats each, without padding.
    unsafe { core::slice::from_raw_parts(pose.as_ptr().cast::<u8>(), size_of_val(pose)) }
}
