//! Something lent to other threads for a while: whoever comes in time may use it, and taking it back waits for the last of them.
//!
//! A [`LoanSlot`] is meant for borrowed things (a host's job system runs a call's work through it): once [`LoanSlot::take_back`] has
//! returned nobody uses the thing any more, and whoever comes later finds nothing, even when the next thing lies there. The model tests in
//! `tests/lending_model.rs` go through every order of the threads' steps.

#[cfg(loom)]
use loom::sync::{RwLock, RwLockWriteGuard};
#[cfg(not(loom))]
use std::sync::{RwLock, RwLockWriteGuard};

use std::sync::{PoisonError, TryLockError};

/// A place where one thing at a time is lent, under a ticket.
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
    /// Nothing is lent.
    pub fn new() -> Self {
        Self { lent: RwLock::new(None) }
    }
    fn write(&self) -> RwLockWriteGuard<'_, Option<(u64, T)>> {
        self.lent.write().unwrap_or_else(PoisonError::into_inner)
    }
    /// Lends a thing under a ticket that was not used here before.
    pub fn lend(&self, ticket: u64, thing: T) {
        *self.write() = Some((ticket, thing));
    }
    /// Uses what is lent under this ticket, any number of threads at once; `None` when it has been taken back, is just being taken back, or never was
    /// there. Never waits, so whoever uses the thing may come here again meanwhile.
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
    /// Ends the loan. Waits for those who use the thing; true when there was somebody to wait for.
    pub fn take_back(&self) -> bool {
        if let Ok(mut lent) = self.lent.try_write() {
            *lent = None;
            return false;
        }
        *self.write() = None;
        true
    }
}
