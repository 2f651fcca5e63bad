//! A scoped loan of a value to other threads. Threads may use it while it is lent; the owner
//! revokes it and waits until the last use has ended.
//!
//! A [`LoanSlot`] is for borrowed values (a host's job system runs a call's work through it): after
//! [`LoanSlot::revoke`] has returned no thread uses the value, and later lookups with its ticket
//! find nothing, even while another value is lent. The model tests in `tests/lending` try
//! every interleaving of the threads' steps.

#[cfg(loom)]
use loom::sync::{RwLock, RwLockWriteGuard};
#[cfg(not(loom))]
use std::sync::{RwLock, RwLockWriteGuard};

use std::sync::TryLockError;

/// A slot in which one value at a time is lent, under a ticket.
#[derive(Debug)]
pub struct LoanSlot<T> {
    lent: RwLock<Option<(u64, T)>>,
}

impl<T: Copy> Default for LoanSlot<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> LoanSlot<T> {
    /// An empty slot.
    pub fn new() -> Self {
        Self { lent: RwLock::new(None) }
    }
    fn try_write(&self) -> Option<RwLockWriteGuard<'_, Option<(u64, T)>>> {
        match self.lent.try_write() {
            Ok(lent) => Some(lent),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
    #[cfg(not(loom))]
    fn write(&self) -> RwLockWriteGuard<'_, Option<(u64, T)>> {
        super::attempts::until(|| self.try_write())
    }
    /// In the model threads take turns, and one that tries again and again has endless orders.
    #[cfg(loom)]
    fn write(&self) -> RwLockWriteGuard<'_, Option<(u64, T)>> {
        self.lent.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
    /// Lends a value under a ticket that was not used in this slot before.
    pub fn lend(&self, ticket: u64, thing: T) {
        *self.write() = Some((ticket, thing));
    }
    /// Calls `use_it` with the value lent under this ticket, on any number of threads at once;
    /// `None` when the loan has been revoked, is being revoked, or never existed. Never waits, so
    /// nested calls are allowed.
    pub fn with<R>(&self, ticket: u64, use_it: impl FnOnce(T) -> R) -> Option<R> {
        let lent = match self.lent.try_read() {
            Ok(lent) => lent,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        match *lent {
            Some((here, thing)) if here == ticket => Some(use_it(thing)),
            _ => None,
        }
    }
    /// Revokes the loan. Waits for the threads that use the value; true when a wait was necessary.
    pub fn revoke(&self) -> bool {
        if let Some(mut lent) = self.try_write() {
            *lent = None;
            return false;
        }
        *self.write() = None;
        true
    }
}
