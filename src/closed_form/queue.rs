//! Queue of a batch's limbs for the exact form (the fallback), gathered from all blocks so that it
//! runs wide, too.

use crate::math::{TILE, Tiled};

/// The limbs that wait.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Block and place of each limb.
    limbs: [(u32, u32); TILE],
    count: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self { limbs: [(0, 0); TILE], count: 0 }
    }
}

/// With fewer limbs than this the exact form runs one limb at a time.
const FEW: usize = 4;

impl Queue {
    pub fn is_full(&self) -> bool {
        self.count == TILE
    }
    pub fn push(&mut self, block: usize, place: usize) {
        self.limbs[self.count] = (block as u32, place as u32);
        self.count += 1;
    }
    /// Empties the queue.
    fn take(&mut self) -> ([(u32, u32); TILE], usize) {
        (self.limbs, core::mem::take(&mut self.count))
    }
}

/// Runs the exact form for the limbs in the queue: singly by `one`, or gathered as a `block` of
/// which the first `count` places are used.
#[inline(always)]
pub(super) fn run_queued<B: Tiled, O: Tiled>(
    queue: &mut Queue,
    limbs: &[B],
    out: &mut [O],
    gathered: &mut B,
    found: &mut O,
    one: impl Fn(&B::One) -> O::One,
    block: impl FnOnce(&B, &mut O, usize),
) {
    let (queue, count) = queue.take();
    let queue = &queue[..count];
    if count < FEW {
        for &(block, place) in queue {
            let limb = limbs[block as usize].at(place as usize);
            out[block as usize].put(place as usize, one(&limb));
        }
        return;
    }
    for (i, &(block, place)) in queue.iter().enumerate() {
        gathered.put(i, limbs[block as usize].at(place as usize));
    }
    block(gathered, found, count);
    for (i, &(block, place)) in queue.iter().enumerate() {
        out[block as usize].put(place as usize, found.at(i));
    }
}
