//! Locks: of a slot, which are only tried, and of lists that are held for a push or a pop.

use super::attempts;
use core::ops::DerefMut;
use std::sync::{Mutex, MutexGuard, RwLock, RwLockWriteGuard, TryLockError, TryLockResult};

/// The lock of a slot: a mutex for values that one call at a time may use, a read-write lock for
/// shared ones. Only attempts that do not wait.
pub trait SlotLock<T> {
    /// The lock of an empty slot.
    const EMPTY: Self;
    /// Exclusive access until dropped.
    type Guard<'a>: DerefMut<Target = Option<T>>
    where
        Self: 'a;
    /// Exclusive access, if no other thread is inside.
    fn try_exclusive(&self) -> TryLockResult<Self::Guard<'_>>;
    /// Forgets that a panic happened inside.
    fn clear_poison(&self);
    /// Exclusive access to fill or to empty the slot, which a panic inside does not forbid; `None`:
    /// another thread is inside.
    fn try_owned(&self) -> Option<Self::Guard<'_>> {
        match self.try_exclusive() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<T> SlotLock<T> for Mutex<Option<T>> {
    const EMPTY: Self = Mutex::new(None);
    type Guard<'a>
        = MutexGuard<'a, Option<T>>
    where
        Self: 'a;
    #[inline(always)]
    fn try_exclusive(&self) -> TryLockResult<Self::Guard<'_>> {
        self.try_lock()
    }
    fn clear_poison(&self) {
        Mutex::clear_poison(self);
    }
}

impl<T> SlotLock<T> for RwLock<Option<T>> {
    const EMPTY: Self = RwLock::new(None);
    type Guard<'a>
        = RwLockWriteGuard<'a, Option<T>>
    where
        Self: 'a;
    #[inline(always)]
    fn try_exclusive(&self) -> TryLockResult<Self::Guard<'_>> {
        self.try_write()
    }
    fn clear_poison(&self) {
        RwLock::clear_poison(self);
    }
}

/// Locks a mutex that is never held longer than a push or a pop.
pub(crate) fn enter<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    attempts::until(|| match lock.try_lock() {
        Ok(inside) => Some(inside),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    })
}
