//! Memory for eight bodies side by side, which eight bodies share: that of one of them is free.

use super::eight::{EIGHT, EightBodies, Room};
use super::solver::Body;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError, Weak};

/// The memory that the next body shares, until eight do. Only ever tried, as the locks of `store`
/// are: another thread may hold it, or in the child of a `fork()` one that does not run any more.
static LAST: Mutex<Option<Weak<Mutex<EightBodies>>>> = Mutex::new(None);

/// A body's share of such memory.
#[derive(Clone, Debug)]
pub(super) struct EightMemory {
    shared: Arc<Mutex<EightBodies>>,
    /// What it has room for at least.
    room: Room,
}

impl EightMemory {
    /// Memory with room for a body. Allocates.
    pub fn of(body: &Body) -> Self {
        let room = Room::of(body);
        let mut last = lock(&LAST);
        let open = last
            .as_ref()
            .and_then(|last| last.as_ref())
            .and_then(Weak::upgrade)
            .filter(|shared| Arc::strong_count(shared) <= EIGHT);
        let open = open.filter(|shared| lock(shared).map(|mut eight| eight.reserve(&room)).is_some());
        if let Some(shared) = open {
            return Self { shared, room };
        }
        let mut eight = EightBodies::default();
        eight.reserve(&room);
        let shared = Arc::new(Mutex::new(eight));
        // Where another thread is about to share memory, this is for one body alone.
        if let Some(last) = &mut last {
            **last = Some(Arc::downgrade(&shared));
        }
        Self { shared, room }
    }
    /// Whether it has room for a body.
    pub fn is_enough_for(&self, body: &Body) -> bool {
        self.room.holds(&Room::of(body))
    }
    /// The memory, for [`lock`]. A clone of the share itself would lock what all bodies have in
    /// common when it is dropped.
    pub fn shared(&self) -> Arc<Mutex<EightBodies>> {
        self.shared.clone()
    }
}

/// What a mutex holds, where no other thread uses it.
pub(super) fn lock<T>(shared: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match shared.try_lock() {
        Ok(held) => Some(held),
        // Nothing in it lasts.
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Drop for EightMemory {
    fn drop(&mut self) {
        // With the last body ends the block that the weak pointer would keep; where another thread
        // is about to share memory, with the next body.
        let Some(mut last) = lock(&LAST) else { return };
        let is_last = last.as_ref().is_some_and(|weak| core::ptr::eq(weak.as_ptr(), Arc::as_ptr(&self.shared)));
        if is_last && Arc::strong_count(&self.shared) == 1 {
            *last = None;
        }
    }
}
