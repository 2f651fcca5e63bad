//! Memory for the arguments of one call.

/// Most bytes of an argument: more than any host has, and less than a hostile log may claim.
const MOST: usize = 1 << 28;

/// Blocks that live as long as a call.
#[derive(Default)]
pub(super) struct Arena(Vec<Box<[u128]>>);

impl Arena {
    /// Zeros with `contents` at their beginning. `None`: too large.
    pub fn place(&mut self, contents: &[u8], size: usize) -> Option<*mut u8> {
        let size = size.max(contents.len());
        if size > MOST {
            return None;
        }
        let mut block = vec![0u128; size / 16 + 2].into_boxed_slice();
        // Aligned: what was refused for its address is not run again, and a log may be wrong.
        let first = block.as_mut_ptr().cast::<u8>();
        // SAFETY: the block is 32 bytes larger than needed, rounded down to 16.
        unsafe { core::ptr::copy_nonoverlapping(contents.as_ptr(), first, contents.len()) };
        self.0.push(block);
        Some(first)
    }
}
