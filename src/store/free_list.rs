//! A lock-free list of free slot indices (Treiber, "Systems Programming: Coping with Parallelism",
//! IBM RJ 5118, 1986), linked through the slots themselves, so that freeing allocates nothing.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Free indices: those that were freed, last in first out, then those that were never used.
///
/// The methods are given `link`, which finds the link of an index: 0 for none, else the next index
/// plus one.
#[derive(Debug)]
pub(super) struct FreeList {
    /// Low half: first index plus one, 0 for none. High half: a count of changes, without which a
    /// slow call could mistake a list that was changed and changed back for the one that it read.
    head: AtomicU64,
    never_used: AtomicU32,
}

impl FreeList {
    pub const fn new() -> Self {
        Self { head: AtomicU64::new(0), never_used: AtomicU32::new(0) }
    }

    /// The first index that was never used.
    pub fn next(&self) -> u32 {
        self.never_used.load(Ordering::Relaxed)
    }

    fn changed(head: u64, first: u32) -> u64 {
        (head & !(u32::MAX as u64)).wrapping_add(1 << 32) | first as u64
    }

    /// Takes an index below `end`; `None` when all are in use.
    pub fn pop<'a>(&self, end: u32, link: impl Fn(u32) -> &'a AtomicU32) -> Option<u32> {
        let mut head = self.head.load(Ordering::Acquire);
        while let Some(index) = (head as u32).checked_sub(1) {
            let next = Self::changed(head, link(index).load(Ordering::Relaxed));
            match self.head.compare_exchange_weak(head, next, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some(index),
                Err(now) => head = now,
            }
        }
        let next = |used: u32| (used < end).then_some(used + 1);
        self.never_used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()
    }

    /// Returns an index that the caller owns.
    pub fn push<'a>(&self, index: u32, link: impl Fn(u32) -> &'a AtomicU32) {
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            link(index).store(head as u32, Ordering::Relaxed);
            let next = Self::changed(head, index + 1);
            match self.head.compare_exchange_weak(head, next, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }
}

/// Indices that one call owns, linked in the same way.
#[derive(Debug, Default)]
pub(super) struct Chain {
    first: u32,
}

impl Chain {
    pub fn add(&mut self, index: u32, link: &AtomicU32) {
        link.store(self.first, Ordering::Relaxed);
        self.first = index + 1;
    }
    /// Takes them out; the link of each is read before the index is handed out.
    pub fn indices<'a>(mut self, link: impl Fn(u32) -> &'a AtomicU32) -> impl Iterator<Item = u32> {
        core::iter::from_fn(move || {
            let index = self.first.checked_sub(1)?;
            self.first = link(index).load(Ordering::Relaxed);
            Some(index)
        })
    }
}
