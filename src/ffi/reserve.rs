//! Memory for a call that has begun when the host has no more.
//!
//! Rust's collections end the process when an allocation fails. So a call that allocates requests
//! enough memory before it changes anything ([`Room::take`]): when that is refused, the call is,
//! and nothing has happened. From then on it cannot fail for lack of memory: what the host refuses
//! is cut from the room. Usually nothing is, and the room is given back when the call ends. A room
//! that something was cut from lives until all of that has been freed.
//!
//! What is allocated outside such a call, a few hundred bytes now and then (a block of the thread
//! pool's queue), is cut from a small static reserve when the host refuses it.
#![cfg_attr(not(feature = "host-allocator"), allow(dead_code))]

use super::guard::Failure;
use super::host_memory;
use super::result::SinewResult;
use core::alloc::Layout;
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Whether this build's allocator can cut from a reserve (`allocator`).
const HAS_RESERVES: bool = cfg!(feature = "host-allocator");

/// Alignment of a room, and the largest that can be cut from it.
const ALIGN: usize = 128;

/// The smallest and the largest room.
const MIN_BYTES: usize = 4096;
const MAX_BYTES: usize = 1 << 30;

/// Memory that pieces are cut from, from the bottom up. It ends with its last user.
struct Block {
    taken: AtomicBool,
    /// Address and size of the memory: a multiple of [`ALIGN`] and the exponent of a power of two
    /// in one number; 0: none.
    span: AtomicUsize,
    /// Low half: bytes that are cut off. High half: a count of changes, without which a slow call
    /// could mistake the number for an older one.
    cut: AtomicU64,
    /// Pieces, and calls that may cut more.
    users: AtomicUsize,
}

/// Blocks that something was cut from. When as many are in use, calls are refused.
static BLOCKS: [Block; 64] = [const { Block::new(0) }; 64];
/// How many are in use.
static IN_USE: AtomicUsize = AtomicUsize::new(0);

/// Memory for allocations outside of rooms.
#[repr(align(128))]
struct Static(UnsafeCell<[u8; Static::BYTES]>);

impl Static {
    const BITS: u32 = 16;
    const BYTES: usize = 1 << Static::BITS;
}

// SAFETY: only its address is used here; the bytes belong to those who get pieces.
unsafe impl Sync for Static {}

static STATIC: Static = Static(UnsafeCell::new([0; Static::BYTES]));
/// One user that stays, so that it never ends.
static STATIC_BLOCK: Block = Block::new(1);

impl Block {
    const fn new(users: usize) -> Self {
        Self {
            taken: AtomicBool::new(false),
            span: AtomicUsize::new(0),
            cut: AtomicU64::new(0),
            users: AtomicUsize::new(users),
        }
    }
    fn cut_to(before: u64, bytes: usize) -> u64 {
        (before & !(u32::MAX as u64)).wrapping_add(1 << 32) | bytes as u64
    }
    fn is_static(&self) -> bool {
        core::ptr::eq(self, &STATIC_BLOCK)
    }
    fn span(&self) -> usize {
        if self.is_static() {
            STATIC.0.get().expose_provenance() | Static::BITS as usize
        } else {
            self.span.load(Ordering::Acquire)
        }
    }
    /// A piece of memory; null when it does not fit or the block has ended.
    fn cut(&self, layout: Layout) -> *mut u8 {
        let join = |users: usize| (users > 0).then_some(users + 1);
        if layout.align() > ALIGN || self.users.fetch_update(Ordering::AcqRel, Ordering::Acquire, join).is_err() {
            return core::ptr::null_mut();
        }
        // Only now: a block that ends may begin anew with other memory.
        let (start, size) = Reserved::range(self.span());
        let mut before = self.cut.load(Ordering::Acquire);
        loop {
            let at = (before as u32 as usize).next_multiple_of(layout.align());
            let end = at.saturating_add(layout.size());
            if end > size {
                self.leave();
                return core::ptr::null_mut();
            }
            let after = Self::cut_to(before, end);
            match self.cut.compare_exchange_weak(before, after, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return core::ptr::with_exposed_provenance_mut(start + at),
                Err(now) => before = now,
            }
        }
    }
    /// Takes a piece back. The uppermost one can be cut anew at once.
    fn put_back(&self, offset: usize, size: usize) {
        let before = self.cut.load(Ordering::Acquire);
        if before as u32 as usize == offset + size {
            let after = Self::cut_to(before, offset);
            let _ = self.cut.compare_exchange(before, after, Ordering::AcqRel, Ordering::Relaxed);
        }
        self.leave();
    }
    /// One user less.
    fn leave(&self) {
        let cut = self.cut.load(Ordering::Acquire);
        let left = self.users.fetch_sub(1, Ordering::AcqRel) - 1;
        if self.is_static() && left == 1 {
            // All pieces are back; a cut since `cut` was read has changed it.
            let _ = self.cut.compare_exchange(cut, Self::cut_to(cut, 0), Ordering::AcqRel, Ordering::Relaxed);
        } else if left == 0 {
            let span = self.span.swap(0, Ordering::AcqRel);
            Reserved { span, block: NONE }.release();
            self.taken.store(false, Ordering::Release);
            IN_USE.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// No block yet.
const NONE: u8 = u8::MAX;

/// The room of a call: its memory, and the block that it became when something was cut from it.
#[derive(Clone, Copy)]
struct Reserved {
    span: usize,
    block: u8,
}

impl Reserved {
    const NOTHING: Self = Self { span: 0, block: NONE };

    /// Address and size.
    fn range(span: usize) -> (usize, usize) {
        (span & !(ALIGN - 1), 1 << (span & (ALIGN - 1)))
    }
    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, ALIGN).unwrap_or_else(|_| unreachable!("at most 2^30 bytes"))
    }
    /// Gives the memory back to the host.
    fn release(self) {
        let (start, size) = Self::range(self.span);
        // SAFETY: this is the memory of `Room::take`, which has no user left.
        unsafe { host_memory::release(core::ptr::with_exposed_provenance_mut(start), Self::layout(size)) }
    }
    /// Makes the memory a block that any thread finds.
    fn publish(&mut self) -> Option<&'static Block> {
        if self.span == 0 {
            return None;
        }
        if let Some(block) = BLOCKS.get(self.block as usize) {
            return Some(block);
        }
        let is_free =
            |block: &&Block| block.taken.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        let (place, block) = BLOCKS.iter().enumerate().find(|(_, block)| is_free(block))?;
        IN_USE.fetch_add(1, Ordering::AcqRel);
        block.cut.store(0, Ordering::Relaxed);
        block.span.store(self.span, Ordering::Release);
        block.users.store(1, Ordering::Release);
        self.block = place as u8;
        Some(block)
    }
}

thread_local! {
    static CURRENT: Cell<Reserved> = const { Cell::new(Reserved::NOTHING) };
}
/// Place plus one of a block that all threads may cut from; 0: none.
static SHARED: AtomicUsize = AtomicUsize::new(0);

/// Memory that the host has refused; null when there is no reserve.
pub(super) fn cut(layout: Layout) -> *mut u8 {
    let own = CURRENT.try_with(|current| {
        let mut reserved = current.get();
        let block = reserved.publish();
        current.set(reserved);
        block.map(|block| block.cut(layout))
    });
    if let Ok(Some(memory)) = own
        && !memory.is_null()
    {
        return memory;
    }
    if let Some(block) = SHARED.load(Ordering::Acquire).checked_sub(1).and_then(|place| BLOCKS.get(place)) {
        let memory = block.cut(layout);
        if !memory.is_null() {
            return memory;
        }
    }
    STATIC_BLOCK.cut(layout)
}

/// The block of memory that came from [`cut`], and how far into it; `None` for all other.
fn find(memory: *mut u8) -> Option<(&'static Block, usize)> {
    let within = |block: &'static Block| {
        let span = block.span();
        let (start, size) = Reserved::range(span);
        let offset = memory.addr().wrapping_sub(start);
        (span != 0 && offset < size).then_some((block, offset))
    };
    let others: &[Block] = if IN_USE.load(Ordering::Acquire) == 0 { &[] } else { &BLOCKS };
    within(&STATIC_BLOCK).or_else(|| others.iter().find_map(within))
}

/// Whether memory came from [`cut`].
pub(super) fn owns(memory: *mut u8) -> bool {
    find(memory).is_some()
}

/// Takes memory back that came from [`cut`]; false for all other.
pub(super) fn put_back(memory: *mut u8, size: usize) -> bool {
    find(memory).map(|(block, offset)| block.put_back(offset, size)).is_some()
}

/// Memory enough for the rest of a call, until dropped.
pub(super) struct Room {
    outer: Reserved,
    is_shared: bool,
}

impl Room {
    /// Requests `bytes` of the host, before anything is changed. What the thread allocates until
    /// the room is dropped may then be refused by the host: it comes from the room.
    #[must_use = "the room ends when it is dropped"]
    pub fn take(bytes: usize) -> Result<Room, Failure> {
        if !HAS_RESERVES {
            return Ok(Room { outer: Reserved::NOTHING, is_shared: false });
        }
        let size = bytes.clamp(MIN_BYTES, MAX_BYTES).next_power_of_two();
        let none = || {
            let message = format_args!("the call needs room for {bytes} bytes of memory");
            Failure::new(SinewResult::SinewErrorOutOfMemory, message)
        };
        if bytes > MAX_BYTES || IN_USE.load(Ordering::Acquire) >= BLOCKS.len() / 2 {
            return Err(none());
        }
        // SAFETY: the size is not 0.
        let memory = unsafe { host_memory::allocate(Reserved::layout(size)) };
        if memory.is_null() {
            return Err(none());
        }
        let reserved = Reserved { span: memory.expose_provenance() | size.trailing_zeros() as usize, block: NONE };
        let outer = CURRENT.try_with(|current| current.replace(reserved));
        outer.map(|outer| Room { outer, is_shared: false }).map_err(|_| {
            reserved.release();
            none()
        })
    }
    /// The same, and for what other threads allocate meanwhile: those that the call starts.
    pub fn for_all_threads(bytes: usize) -> Result<Room, Failure> {
        let mut room = Self::take(bytes)?;
        let place = CURRENT.try_with(|current| {
            let mut reserved = current.get();
            let is_published = reserved.publish().is_some();
            current.set(reserved);
            if is_published { reserved.block as usize + 1 } else { 0 }
        });
        let place = place.unwrap_or(0);
        room.is_shared = place > 0 && SHARED.compare_exchange(0, place, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        Ok(room)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if !HAS_RESERVES {
            return;
        }
        if self.is_shared {
            SHARED.store(0, Ordering::Release);
        }
        let Ok(own) = CURRENT.try_with(|current| current.replace(self.outer)) else { return };
        match BLOCKS.get(own.block as usize) {
            Some(block) => block.leave(),
            None => own.release(),
        }
    }
}
