//! Places of a tile that a stage of a batch runs for.

use crate::math::{TILE, Tile};

/// The places of a block where a flag is set.
pub(super) struct Picked {
    places: [u8; TILE],
    pub count: usize,
}

impl Picked {
    #[inline(always)]
    pub fn new(flags: &Tile) -> Self {
        let mut picked = Self { places: [0; TILE], count: 0 };
        if flags.any() {
            for (group, flags) in flags.0.chunks_exact(8).enumerate() {
                if flags.iter().fold(0, |bits, v| bits | v.to_bits()) != 0 {
                    for (i, flag) in flags.iter().enumerate() {
                        picked.places[picked.count % TILE] = (group * 8 + i) as u8;
                        picked.count += (*flag != 0.0) as usize;
                    }
                }
            }
        }
        picked
    }
    #[inline(always)]
    pub fn each(&self, mut work: impl FnMut(usize)) {
        self.places[..self.count].iter().for_each(|place| work(*place as usize % TILE));
    }
}
