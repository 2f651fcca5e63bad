//! Generational slots that threads may share: values under ids. Independent of IK.
//!
//! A value is stored in a slot; its [`Id`] holds the slot's index, a generation that changes
//! whenever the slot is emptied or filled, and a kind. An id that is stale, of another kind, or
//! invented finds nothing. Each slot has its own lock: a lookup never waits for another value, and
//! takes no common lock.

mod lending;

pub use lending::LoanSlot;

use core::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};

/// Name of a value in a [`Slots`]: kind, generation, index. Never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

const INDEX_BITS: u32 = 24;
const GENERATION_BITS: u32 = 32;

impl Id {
    fn new(kind: u8, generation: u32, index: u32) -> Self {
        Self((kind as u64) << (INDEX_BITS + GENERATION_BITS) | (generation as u64) << INDEX_BITS | index as u64)
    }
    /// From the bits of [`Self::bits`]. Any number is accepted; an invalid one finds nothing.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
    /// The id as a number, for hosts.
    pub fn bits(self) -> u64 {
        self.0
    }
    fn kind(self) -> u8 {
        (self.0 >> (INDEX_BITS + GENERATION_BITS)) as u8
    }
    fn generation(self) -> u32 {
        (self.0 >> INDEX_BITS) as u32
    }
    fn index(self) -> u32 {
        self.0 as u32 & ((1 << INDEX_BITS) - 1)
    }
}

/// Why a slot could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The id is null, stale, of another kind, or was never issued.
    #[error("null, destroyed, of another kind, or never created")]
    Invalid,
    /// Another call is using the value.
    #[error("in use by another call")]
    Busy,
    /// A panic happened while the value was in use.
    #[error("a panic happened in an earlier call")]
    Poisoned,
    /// All slots are in use.
    #[error("no more can be created")]
    Full,
}

#[derive(Debug)]
struct Slot<T> {
    /// Odd while filled, even while empty; incremented when filled and when emptied. 0: never
    /// filled.
    generation: AtomicU32,
    value: Mutex<Option<T>>,
}

#[derive(Debug, Default)]
struct FreeList {
    emptied: Vec<u32>,
    never_used: u32,
}

/// Size of the first chunk; every chunk doubles the total, so slots never move.
const FIRST_CHUNK_BITS: u32 = 6;
const CHUNKS: usize = (INDEX_BITS - FIRST_CHUNK_BITS) as usize + 1;

/// Values under generational ids.
#[derive(Debug)]
pub struct Slots<T> {
    kind: u8,
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    free: Mutex<FreeList>,
}

impl<T> Slots<T> {
    /// An empty store whose ids have this `kind`, which must not be 0.
    pub const fn new(kind: u8) -> Self {
        assert!(kind != 0);
        Self {
            kind,
            chunks: [const { OnceLock::new() }; CHUNKS],
            free: Mutex::new(FreeList { emptied: Vec::new(), never_used: 0 }),
        }
    }

    /// Chunk and index in the chunk: chunk 0 holds the first 64 slots, chunk k the next 64 ·
    /// 2^(k−1).
    fn place(index: u32) -> (usize, usize) {
        let chunk = (u32::BITS - (index >> FIRST_CHUNK_BITS).leading_zeros()) as usize;
        let start = if chunk == 0 { 0 } else { 1usize << (FIRST_CHUNK_BITS as usize + chunk - 1) };
        (chunk, index as usize - start)
    }

    fn chunk(&self, chunk: usize) -> &[Slot<T>] {
        self.chunks[chunk].get_or_init(|| {
            let length = 1usize << (FIRST_CHUNK_BITS as usize + chunk.saturating_sub(1));
            (0..length).map(|_| Slot { generation: AtomicU32::new(0), value: Mutex::new(None) }).collect()
        })
    }

    fn slot(&self, id: Id) -> Result<&Slot<T>, StoreError> {
        let (chunk, place) = Self::place(id.index());
        if id.kind() != self.kind || id.generation() & 1 == 0 {
            return Err(StoreError::Invalid);
        }
        let slot = self.chunks[chunk].get().and_then(|c| c.get(place)).ok_or(StoreError::Invalid)?;
        if slot.generation.load(Ordering::Acquire) == id.generation() { Ok(slot) } else { Err(StoreError::Invalid) }
    }

    fn free_list(&self) -> MutexGuard<'_, FreeList> {
        enter(&self.free)
    }

    /// Stores a value and returns its id.
    pub fn insert(&self, value: T) -> Result<Id, StoreError> {
        let index = {
            let mut free = self.free_list();
            match free.emptied.pop() {
                Some(index) => index,
                None if free.never_used < 1 << INDEX_BITS => {
                    free.never_used += 1;
                    free.never_used - 1
                }
                None => return Err(StoreError::Full),
            }
        };
        let (chunk, place) = Self::place(index);
        let slot = &self.chunk(chunk)[place];
        // This call owns the slot: it was taken from the free list. Only a call with a stale id can
        // hold its lock, briefly.
        let mut filled = enter(&slot.value);
        *filled = Some(value);
        slot.value.clear_poison();
        let generation = slot.generation.load(Ordering::Relaxed).wrapping_add(1);
        slot.generation.store(generation, Ordering::Release);
        Ok(Id::new(self.kind, generation, index))
    }

    /// Removes a value; [`StoreError::Busy`] while another call uses it. A poisoned value can be
    /// removed.
    pub fn remove(&self, id: Id) -> Result<T, StoreError> {
        let slot = self.slot(id)?;
        let filled = match slot.value.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy),
        };
        self.empty(id, slot, filled)
    }

    /// Empties a slot whose lock is held, and returns it to the free list.
    fn empty(&self, id: Id, slot: &Slot<T>, mut filled: MutexGuard<'_, Option<T>>) -> Result<T, StoreError> {
        if slot.generation.load(Ordering::Acquire) != id.generation() {
            return Err(StoreError::Invalid);
        }
        let value = filled.take().ok_or(StoreError::Invalid)?;
        let generation = id.generation().wrapping_add(1);
        slot.generation.store(generation, Ordering::Release);
        drop(filled);
        // A slot whose generations are used up is retired, so no id is issued twice.
        if generation != 0 {
            self.free_list().emptied.push(id.index());
        }
        Ok(value)
    }

    /// Calls `use_it` with a value; [`StoreError::Busy`] at once, without waiting, while another
    /// call uses it. A panic in `use_it` poisons the value.
    pub fn with<R>(&self, id: Id, use_it: impl FnOnce(&mut T) -> R) -> Result<R, StoreError> {
        Ok(use_it(&mut *self.lock(id)?))
    }

    /// Locks a value until the returned guard is dropped; errors as in [`Self::with`]. A panic that
    /// drops the guard poisons the value.
    pub fn lock(&self, id: Id) -> Result<InUse<'_, T>, StoreError> {
        let slot = self.slot(id)?;
        let filled = match slot.value.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(_)) => return Err(StoreError::Poisoned),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy),
        };
        if slot.generation.load(Ordering::Acquire) != id.generation() || filled.is_none() {
            return Err(StoreError::Invalid);
        }
        Ok(InUse(filled))
    }

    /// Whether the id names an existing value, in use or not.
    pub fn contains(&self, id: Id) -> bool {
        self.slot(id).is_ok()
    }
}

/// Exclusive access to a value, until dropped.
#[derive(Debug)]
pub struct InUse<'a, T>(MutexGuard<'a, Option<T>>);

impl<T> Deref for InUse<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| unreachable!("only filled slots are handed out"))
    }
}

impl<T> DerefMut for InUse<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap_or_else(|| unreachable!("only filled slots are handed out"))
    }
}

impl<T> Slots<Arc<T>> {
    /// A shared, immutable value. Never busy: the lock is held only while the pointer is copied.
    pub fn get(&self, id: Id) -> Result<Arc<T>, StoreError> {
        let slot = self.slot(id)?;
        let filled = enter(&slot.value);
        if slot.generation.load(Ordering::Acquire) != id.generation() {
            return Err(StoreError::Invalid);
        }
        filled.as_ref().cloned().ok_or(StoreError::Invalid)
    }
    /// Removes a shared value; existing references to it stay valid.
    pub fn forget(&self, id: Id) -> Result<(), StoreError> {
        let slot = self.slot(id)?;
        let filled = enter(&slot.value);
        self.empty(id, slot, filled).map(drop)
    }
}

/// Locks a mutex that is never held longer than a push, a pop or a copy. Spins in place of a
/// blocking wait: that needs no system call, and ThreadSanitizer can follow it also when the
/// standard library is not instrumented.
pub(crate) fn enter<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    loop {
        match lock.try_lock() {
            Ok(inside) => return inside,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_find_only_their_own_value() {
        let slots = Slots::new(7);
        let ids: Vec<Id> = (0..1000).map(|i| slots.insert(i).unwrap()).collect();
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(slots.with(*id, |v| *v), Ok(i));
        }
        assert_eq!(slots.remove(ids[500]), Ok(500));
        assert_eq!(slots.remove(ids[500]), Err(StoreError::Invalid));
        let again = slots.insert(-1i32 as usize).unwrap();
        assert_eq!(again.index(), ids[500].index());
        assert_ne!(again, ids[500]);
        assert_eq!(slots.with(ids[500], |v| *v), Err(StoreError::Invalid));
        for bits in [0, 1, u64::MAX, ids[3].bits() ^ (1 << 60), ids[3].bits() + (1 << INDEX_BITS)] {
            assert_eq!(slots.with(Id::from_bits(bits), |v| *v), Err(StoreError::Invalid), "{bits:x}");
        }
    }

    #[test]
    fn a_value_in_use_is_busy_and_a_panic_poisons_it() {
        let slots = Slots::new(1);
        let id = slots.insert(5).unwrap();
        slots
            .with(id, |_| {
                assert_eq!(slots.with(id, |v| *v), Err(StoreError::Busy));
                assert_eq!(slots.remove(id), Err(StoreError::Busy));
            })
            .unwrap();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = slots.with(id, |_| panic!("on purpose"));
        }));
        assert!(panicked.is_err());
        assert_eq!(slots.with(id, |v| *v), Err(StoreError::Poisoned));
        assert_eq!(slots.remove(id), Ok(5));
        let next = slots.insert(6).unwrap();
        assert_eq!(slots.with(next, |v| *v), Ok(6));
    }

    #[test]
    fn chunks_join_without_gap() {
        let mut last = (0, 0);
        for index in 0..100_000u32 {
            let (chunk, place) = Slots::<u8>::place(index);
            if index > 0 {
                assert!((chunk == last.0 && place == last.1 + 1) || (chunk == last.0 + 1 && place == 0));
            }
            last = (chunk, place);
        }
        assert_eq!(Slots::<u8>::place((1 << INDEX_BITS) - 1).0, CHUNKS - 1);
    }
}
