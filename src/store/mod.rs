//! Generational slots that threads may share: values under ids. Independent of IK.
//!
//! A value is stored in a slot; its [`Id`] holds the slot's index, a generation that changes
//! whenever the slot is emptied or filled, and a kind. An id that is stale, of another kind, or
//! invented finds nothing.
//!
//! No operation waits for another thread. The free slots are a lock-free list, and each slot has a
//! lock of its own that is only ever tried: a value in use is [`StoreError::Busy`], a shared value
//! has any number of readers, and a slot that a call with a stale id holds is passed over. So a
//! thread of high priority does not wait for one of low priority, and in the child of a `fork()` a
//! call that another thread of the parent had begun blocks no other value.

mod attempts;
mod free_list;
mod id;
mod lending;
mod lock;

pub use id::{Id, StoreError};
pub use lending::LoanSlot;
pub use lock::SlotLock;
pub(crate) use lock::enter;

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use free_list::FreeList;
use id::INDEX_BITS;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock, TryLockError};

#[derive(Debug)]
struct Slot<L> {
    /// Odd while filled, even while empty; incremented when filled and when emptied. 0: never
    /// filled.
    generation: AtomicU32,
    /// The generation for which [`Slots::set_signal`] is on; 0: none.
    signal: AtomicU32,
    /// The next free slot, while this one is free: see [`FreeList`].
    next: AtomicU32,
    value: L,
}

/// Size of the first chunk; every chunk doubles the total, so slots never move.
const FIRST_CHUNK_BITS: u32 = 6;
const CHUNKS: usize = (INDEX_BITS - FIRST_CHUNK_BITS) as usize + 1;

impl<L> Slot<L> {
    const fn new<T>() -> Self
    where
        L: SlotLock<T>,
    {
        Self { generation: AtomicU32::new(0), signal: AtomicU32::new(0), next: AtomicU32::new(0), value: L::EMPTY }
    }
}

/// The first 64 slots of a store as a static, so that they are not allocated: a library that is
/// unloaded takes them along.
#[derive(Debug)]
pub struct FirstSlots<T, L = Mutex<Option<T>>> {
    slots: [Slot<L>; 1 << FIRST_CHUNK_BITS],
    values: PhantomData<fn() -> T>,
}

impl<T, L: SlotLock<T>> FirstSlots<T, L> {
    /// Empty slots.
    #[expect(clippy::new_without_default, reason = "only as the value of a static")]
    pub const fn new() -> Self {
        Self { slots: [const { Slot::new::<T>() }; 1 << FIRST_CHUNK_BITS], values: PhantomData }
    }
}

/// Values under generational ids; one call at a time uses a value.
#[derive(Debug)]
pub struct Slots<T, L: 'static = Mutex<Option<T>>> {
    kind: u8,
    first: Option<&'static [Slot<L>]>,
    chunks: [OnceLock<Box<[Slot<L>]>>; CHUNKS],
    free: FreeList,
    values: PhantomData<fn() -> T>,
}

/// Immutable values under generational ids; any number of calls share a value.
pub type SharedSlots<T> = Slots<Arc<T>, RwLock<Option<Arc<T>>>>;
/// The first slots of a [`SharedSlots`].
pub type FirstSharedSlots<T> = FirstSlots<Arc<T>, RwLock<Option<Arc<T>>>>;

impl<T, L: SlotLock<T>> Slots<T, L> {
    /// An empty store whose ids have this `kind`, which must not be 0.
    pub const fn new(kind: u8) -> Self {
        Self::of(kind, None)
    }
    /// The same with slots that need not be allocated, and that no other store has.
    pub const fn with_first(kind: u8, first: &'static FirstSlots<T, L>) -> Self {
        Self::of(kind, Some(&first.slots))
    }
    const fn of(kind: u8, first: Option<&'static [Slot<L>]>) -> Self {
        assert!(kind != 0);
        let chunks = [const { OnceLock::new() }; CHUNKS];
        Self { kind, first, chunks, free: FreeList::new(), values: PhantomData }
    }

    /// Chunk and index in the chunk: chunk 0 holds the first 64 slots, chunk k the next 64 ·
    /// 2^(k−1).
    fn place(index: u32) -> (usize, usize) {
        let chunk = (u32::BITS - (index >> FIRST_CHUNK_BITS).leading_zeros()) as usize;
        let start = if chunk == 0 { 0 } else { 1usize << (FIRST_CHUNK_BITS as usize + chunk - 1) };
        (chunk, index as usize - start)
    }

    fn length(chunk: usize) -> usize {
        1 << (FIRST_CHUNK_BITS as usize + chunk.saturating_sub(1))
    }

    fn chunk(&self, chunk: usize) -> &[Slot<L>] {
        match self.first {
            Some(first) if chunk == 0 => first,
            _ => self.chunks[chunk].get_or_init(|| (0..Self::length(chunk)).map(|_| Slot::new()).collect()),
        }
    }

    /// The slots of a chunk, if there are any yet.
    fn made(&self, chunk: usize) -> Option<&[Slot<L>]> {
        match self.first {
            Some(first) if chunk == 0 => Some(first),
            _ => self.chunks[chunk].get().map(|slots| &slots[..]),
        }
    }

    /// How many bytes the next [`Self::insert`] allocates: 0, or those of a chunk when all slots
    /// are in use.
    pub fn growth(&self) -> usize {
        let next = self.free.next();
        let chunk = Self::place(next.min((1 << INDEX_BITS) - 1)).0;
        if self.made(chunk).is_some() { 0 } else { Self::length(chunk) * size_of::<Slot<L>>() }
    }

    fn slot(&self, id: Id) -> Result<&Slot<L>, StoreError> {
        self.find(id).ok_or(StoreError::Invalid)
    }
    /// The slot of a value. Once for all calls, so that these are small, and with an answer that
    /// fits in a register.
    #[inline(never)]
    fn find(&self, id: Id) -> Option<&Slot<L>> {
        if id.kind() != self.kind || id.generation() & 1 == 0 {
            return None;
        }
        let first = self.first.and_then(|first| first.get(id.index() as usize));
        let slot = first.or_else(|| self.find_later(id.index()))?;
        (slot.generation.load(Ordering::Acquire) == id.generation()).then_some(slot)
    }
    #[cold]
    #[inline(never)]
    fn find_later(&self, index: u32) -> Option<&Slot<L>> {
        let (chunk, place) = Self::place(index);
        self.made(chunk)?.get(place)
    }

    /// The slot of an index that was taken from the free list.
    fn at(&self, index: u32) -> &Slot<L> {
        let (chunk, place) = Self::place(index);
        &self.chunk(chunk)[place]
    }

    /// Stores a value and returns its id.
    pub fn insert(&self, value: T) -> Result<Id, StoreError> {
        let mut passed_over = free_list::Chain::default();
        let index = loop {
            let Some(index) = self.free.pop(1 << INDEX_BITS, |index| &self.at(index).next) else {
                break None;
            };
            // This call owns the slot now; but a call with a stale id may just be inside.
            match self.at(index).value.try_owned() {
                Some(filled) => break Some((index, filled)),
                None => passed_over.add(index, &self.at(index).next),
            }
        };
        for index in passed_over.indices(|index| &self.at(index).next) {
            self.free.push(index, |index| &self.at(index).next);
        }
        let Some((index, mut filled)) = index else { return Err(StoreError::Full) };
        let slot = self.at(index);
        // A forgotten value may still be here; it is dropped outside the lock.
        let forgotten = filled.replace(value);
        slot.value.clear_poison();
        let generation = slot.generation.load(Ordering::Relaxed).wrapping_add(1);
        slot.generation.store(generation, Ordering::Release);
        drop(filled);
        drop(forgotten);
        Ok(Id::new(self.kind, generation, index))
    }

    /// Removes a value; [`StoreError::Busy`] while another call uses it. A poisoned value can be
    /// removed.
    pub fn remove(&self, id: Id) -> Result<T, StoreError> {
        let slot = self.slot(id)?;
        let mut filled = slot.value.try_owned().ok_or(StoreError::Busy)?;
        Self::retire(id, slot)?;
        let value = filled.take().ok_or(StoreError::Invalid)?;
        drop(filled);
        self.release(id);
        Ok(value)
    }

    /// Makes an id stale; of several calls with the same id, one succeeds.
    fn retire(id: Id, slot: &Slot<L>) -> Result<(), StoreError> {
        let stale = id.generation().wrapping_add(1);
        slot.generation
            .compare_exchange(id.generation(), stale, Ordering::AcqRel, Ordering::Acquire)
            .map_or(Err(StoreError::Invalid), |_| Ok(()))
    }

    /// Returns a retired id's slot to the free list. A slot whose generations are used up is not
    /// used again, so no id is issued twice.
    fn release(&self, id: Id) {
        if id.generation() != u32::MAX {
            self.free.push(id.index(), |index| &self.at(index).next);
        }
    }

    /// Calls `use_it` with a value; [`StoreError::Busy`] at once, without waiting, while another
    /// call uses it. A panic in `use_it` poisons the value.
    pub fn with<R>(&self, id: Id, use_it: impl FnOnce(&mut T) -> R) -> Result<R, StoreError> {
        self.with_or(id, |value| Ok(use_it(value)), Err)
    }
    /// [`Self::with`] where `refused` turns an error into a result: one with much room in it is not
    /// copied.
    #[inline(always)]
    pub fn with_or<R>(&self, id: Id, use_it: impl FnOnce(&mut T) -> R, refused: impl FnOnce(StoreError) -> R) -> R {
        let Some(slot) = self.find(id) else { return refused(StoreError::Invalid) };
        match slot.value.try_exclusive() {
            Ok(mut filled) => match filled.as_mut() {
                Some(value) if slot.generation.load(Ordering::Acquire) == id.generation() => use_it(value),
                _ => refused(StoreError::Invalid),
            },
            Err(TryLockError::Poisoned(_)) => refused(StoreError::Poisoned),
            Err(TryLockError::WouldBlock) => refused(StoreError::Busy),
        }
    }

    /// Locks a value until the returned guard is dropped; errors as in [`Self::with`]. A panic that
    /// drops the guard poisons the value.
    pub fn lock(&self, id: Id) -> Result<InUse<L::Guard<'_>>, StoreError> {
        let slot = self.slot(id)?;
        let filled = match slot.value.try_exclusive() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(_)) => return Err(StoreError::Poisoned),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy),
        };
        if slot.generation.load(Ordering::Acquire) != id.generation() || filled.is_none() {
            return Err(StoreError::Invalid);
        }
        Ok(InUse(filled))
    }

    /// Turns a value's signal on or off: a flag beside the value that any thread may set at any
    /// time, also while another call uses the value. Off for a new value.
    pub fn set_signal(&self, id: Id, on: bool) -> Result<(), StoreError> {
        let signal = if on { id.generation() } else { 0 };
        self.slot(id)?.signal.store(signal, Ordering::Release);
        Ok(())
    }
    /// Whether the signal of a value is on; false for an id that finds nothing.
    pub fn has_signal(&self, id: Id) -> bool {
        self.slot(id).is_ok_and(|slot| slot.signal.load(Ordering::Acquire) == id.generation())
    }

    /// Whether the id names an existing value, in use or not.
    pub fn contains(&self, id: Id) -> bool {
        self.slot(id).is_ok()
    }
}

/// Exclusive access to a value of [`Slots`].
pub type Held<'a, T> = InUse<MutexGuard<'a, Option<T>>>;

/// Exclusive access to a value, until dropped.
#[derive(Debug)]
pub struct InUse<G>(G);

impl<T, G: Deref<Target = Option<T>>> Deref for InUse<G> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| unreachable!("only filled slots are handed out"))
    }
}

impl<T, G: DerefMut<Target = Option<T>>> DerefMut for InUse<G> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap_or_else(|| unreachable!("only filled slots are handed out"))
    }
}

impl<T> SharedSlots<T> {
    /// A shared, immutable value. Never waits, and any number of calls may do so at once.
    pub fn get(&self, id: Id) -> Result<Arc<T>, StoreError> {
        let slot = self.slot(id)?;
        let shared = match slot.value.try_read() {
            Ok(filled) => filled.as_ref().cloned(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().as_ref().cloned(),
            // It is being emptied, and the generation shows it below; or `with` uses it.
            Err(TryLockError::WouldBlock) => None,
        };
        if slot.generation.load(Ordering::Acquire) != id.generation() {
            return Err(StoreError::Invalid);
        }
        shared.ok_or(StoreError::Busy)
    }
    /// Removes a shared value; existing references to it stay valid. When another call is copying
    /// the reference at this moment, the slot keeps its own until it is filled again.
    pub fn forget(&self, id: Id) -> Result<(), StoreError> {
        let slot = self.slot(id)?;
        Self::retire(id, slot)?;
        let value = slot.value.try_owned().and_then(|mut filled| filled.take());
        self.release(id);
        drop(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_find_only_their_own_value() {
        let slots: Slots<usize> = Slots::new(7);
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
        let slots: Slots<i32> = Slots::new(1);
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
    fn a_signal_is_that_of_one_value_and_can_be_set_while_it_is_in_use() {
        let slots: Slots<i32> = Slots::new(4);
        let id = slots.insert(5).unwrap();
        assert!(!slots.has_signal(id));
        slots.with(id, |_| assert_eq!(slots.set_signal(id, true), Ok(()))).unwrap();
        assert!(slots.has_signal(id));
        assert_eq!(slots.remove(id), Ok(5));
        let next = slots.insert(6).unwrap();
        assert_eq!(next.index(), id.index());
        assert!(!slots.has_signal(next) && !slots.has_signal(id));
        assert_eq!(slots.set_signal(id, true), Err(StoreError::Invalid));
        slots.set_signal(next, true).unwrap();
        slots.set_signal(next, false).unwrap();
        assert!(!slots.has_signal(next));
    }

    #[test]
    fn a_shared_value_is_never_busy_and_ends_once() {
        let slots: SharedSlots<u32> = Slots::new(9);
        let id = slots.insert(Arc::new(5)).unwrap();
        let reader = slots.slot(id).unwrap().value.read().unwrap();
        assert_eq!(slots.get(id).as_deref(), Ok(&5));
        // A reader is inside: the value ends all the same, and the slot is passed over.
        assert_eq!(slots.forget(id), Ok(()));
        assert_eq!(slots.forget(id), Err(StoreError::Invalid));
        assert_eq!(slots.get(id), Err(StoreError::Invalid));
        let next = slots.insert(Arc::new(6)).unwrap();
        assert_ne!(next.index(), id.index());
        assert_eq!(slots.get(next).as_deref(), Ok(&6));
        drop(reader);
        let after = slots.insert(Arc::new(7)).unwrap();
        assert_eq!(after.index(), id.index(), "the slot that was passed over is free again");
        assert_eq!(slots.get(after).as_deref(), Ok(&7));
    }

    #[test]
    fn threads_never_share_a_slot() {
        let slots: SharedSlots<(usize, usize)> = Slots::new(3);
        let shared = slots.insert(Arc::new((99, 0))).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let slots = &slots;
                scope.spawn(move || {
                    for round in 0..2000 {
                        let ids: Vec<Id> =
                            (0..5).map(|i| slots.insert(Arc::new((thread, round * 5 + i))).unwrap()).collect();
                        for (i, id) in ids.into_iter().enumerate() {
                            assert_eq!(*slots.get(id).unwrap(), (thread, round * 5 + i));
                            assert_eq!(slots.forget(id), Ok(()));
                            assert_eq!(slots.get(id), Err(StoreError::Invalid));
                            assert_eq!(*slots.get(shared).unwrap(), (99, 0));
                        }
                    }
                });
            }
        });
        assert_eq!(slots.forget(shared), Ok(()));
        // All indices are free again: as many as were ever in use come back before a new one.
        let used = slots.insert(Arc::new((0, 0))).unwrap().index();
        assert!(used < 64, "slots leak: {used}");
    }

    #[test]
    fn chunks_join_without_gap() {
        let mut last = (0, 0);
        for index in 0..100_000u32 {
            let (chunk, place) = Slots::<u8, Mutex<Option<u8>>>::place(index);
            if index > 0 {
                assert!((chunk == last.0 && place == last.1 + 1) || (chunk == last.0 + 1 && place == 0));
            }
            last = (chunk, place);
        }
        assert_eq!(Slots::<u8, Mutex<Option<u8>>>::place((1 << INDEX_BITS) - 1).0, CHUNKS - 1);
    }
}
