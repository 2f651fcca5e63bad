//! Blocks that arguments point to.

use std::alloc::{Layout, alloc, dealloc};

/// What a call may do with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Never written.
    Input,
    /// Written only on success.
    Output,
    /// An array that is read and written, or what a struct points to.
    Both,
}

/// Memory of exactly the size that an argument needs.
pub struct Block {
    at: *mut u8,
    pub bytes: usize,
    pub role: Use,
    /// Name of the argument.
    pub argument: &'static str,
    /// Name of the type of its records.
    pub of: &'static str,
    before: Vec<u8>,
}

/// Bytes behind a block that nobody may write. Under AddressSanitizer there are none.
const GUARD: usize = if cfg!(feature = "exact") { 0 } else { 64 };
const PATTERN: u8 = 0xc3;

impl Block {
    /// Unwritten memory is a pattern that is no small number.
    pub fn new(argument: &'static str, of: &'static str, bytes: usize, role: Use) -> Self {
        let bytes = bytes.max(1);
        // SAFETY: the size is not 0.
        let at = unsafe { alloc(Self::layout(bytes)) };
        assert!(!at.is_null(), "no memory for {bytes} bytes");
        // SAFETY: that much was allocated.
        unsafe {
            at.write_bytes(0xa5, bytes);
            at.add(bytes).write_bytes(PATTERN, GUARD);
        }
        Self { at, bytes, role, argument, of, before: Vec::new() }
    }

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes + GUARD, 16).expect("a small block")
    }

    pub fn pointer(&self) -> *mut u8 {
        self.at
    }

    /// What stands there now.
    pub fn content(&mut self) -> &mut [u8] {
        // SAFETY: written when it was made; nobody else uses it between two calls.
        unsafe { core::slice::from_raw_parts_mut(self.at, self.bytes) }
    }

    /// Remembers what stands there.
    pub fn keep(&mut self) {
        self.before = self.content().to_vec();
    }

    /// Whether the bytes of a range are those that stood there.
    pub fn is_kept_in(&mut self, range: std::ops::Range<usize>) -> bool {
        let now = self.content()[range.clone()].to_vec();
        self.before.get(range) == Some(&now[..])
    }

    /// Whether what stands there is what stood there.
    pub fn is_kept(&mut self) -> bool {
        let before = std::mem::take(&mut self.before);
        let same = before == self.content();
        self.before = before;
        same
    }

    /// Whether nothing was written behind it.
    pub fn is_guarded(&self) -> bool {
        // SAFETY: the guard is part of what was allocated.
        (0..GUARD).all(|k| unsafe { self.at.add(self.bytes + k).read() } == PATTERN)
    }

    /// Writes a value at a byte.
    pub fn put<T: Copy>(&mut self, byte: usize, value: T) {
        assert!(byte + size_of::<T>() <= self.bytes);
        // SAFETY: inside of the block.
        unsafe { self.at.add(byte).cast::<T>().write_unaligned(value) };
    }

    /// The value at a byte.
    pub fn get<T: Copy>(&self, byte: usize) -> T {
        assert!(byte + size_of::<T>() <= self.bytes);
        // SAFETY: inside of the block; used for plain numbers only.
        unsafe { self.at.add(byte).cast::<T>().read_unaligned() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with the same layout.
        unsafe { dealloc(self.at, Self::layout(self.bytes)) };
    }
}
