//! What the functions of the host's tasks answer, kept for the log while a recording runs.
//!
//! Each such task has a number. At replay each has a queue of its own that calls of the log fill
//! (`replay`), so only the order of one task's answers counts, on whichever thread it is solved.

use super::types::SinewTaskRows;
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static NEXT: AtomicU32 = AtomicU32::new(1);

thread_local! {
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// The number of a new task.
pub(super) fn number() -> u32 {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    LAST.set(number);
    number
}

/// The number of the last task that this thread has made.
pub(super) fn last() -> u32 {
    LAST.get()
}

struct Kept {
    list: Vec<(u32, SinewTaskRows)>,
    is_complete: bool,
}

/// Whether answers are kept.
static IS_ON: AtomicBool = AtomicBool::new(false);

static KEPT: Mutex<Kept> = Mutex::new(Kept { list: Vec::new(), is_complete: true });

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an answer of a task's function between [`begin`] and [`end`].
#[inline]
pub(super) fn keep(number: u32, rows: &SinewTaskRows) {
    if IS_ON.load(Ordering::Relaxed) {
        push(number, rows);
    }
}

#[cold]
#[inline(never)]
fn push(number: u32, rows: &SinewTaskRows) {
    let mut kept = kept();
    if kept.list.try_reserve(1).is_ok() {
        kept.list.push((number, *rows));
    } else {
        kept.is_complete = false;
    }
}

/// Begins to keep answers.
pub(super) fn begin() {
    *kept() = Kept { list: Vec::new(), is_complete: true };
    IS_ON.store(true, Ordering::Relaxed);
}

/// Ends keeping, and forgets what was kept.
pub(super) fn end() {
    IS_ON.store(false, Ordering::Relaxed);
    *kept() = Kept { list: Vec::new(), is_complete: true };
}

/// Hands what was kept to `put`, by number, and forgets it. False: there was no memory for some of
/// it.
pub(super) fn take(mut put: impl FnMut(u32, &[(u32, SinewTaskRows)])) -> bool {
    let mut kept = kept();
    kept.list.chunk_by(|a, b| a.0 == b.0).for_each(|rows| put(rows[0].0, rows));
    kept.list.clear();
    kept.is_complete
}
