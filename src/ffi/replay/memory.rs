//! Memory for the arguments of one call.

/// Most bytes of an argument: more than any host has, and less than a hostile log may claim.
const MOST: usize = 1 << 28;

/// Blocks that live as long as a call.
#[derive(Default)]
pub(super) struct Arena(Vec<Box<[u128]>>);

impl Arena {
    /// Zeros with `contents` at their beginning, at an address with the alignment of `word`, an
    /// address as a log has it. `None`: too large.
    pub fn place(&mut self, contents: &[u8], size: usize, word: u64) -> Option<*mut u8> {
        let size = size.max(contents.len());
        if size > MOST {
            return None;
        }
        let mut block = vec![0u128; size / 16 + 2].into_boxed_slice();
        let first = block.as_mut_ptr().cast::<u8>().wrapping_add((word & 15) as usize);
        // SAFETY: the block is 32 bytes larger than needed, rounded down to 16; the offset is at
        // most 15.
        unsafe { core::ptr::copy_nonoverlapping(contents.as_ptr(), first, contents.len()) };
        self.0.push(block);
        Some(first)
    }
}
