//! A fast hash of bytes, to compare two runs. Not of untrusted data.

/// A hash of all bytes that were added, with the lengths of the pieces.
#[derive(Clone, Debug)]
pub struct BitHash([u64; 4]);

/// Odd, with about as many ones as zeros: the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for BitHash {
    fn default() -> Self {
        Self([0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89])
    }
}

impl BitHash {
    /// The hash of bytes in one piece.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.add(bytes);
        hash.finish()
    }
    /// Adds bytes: 32 at a time, in four lanes that do not wait for each other. The rotation brings
    /// the high bits (signs) to where the multiplication spreads them.
    #[inline]
    pub fn add(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<32>();
        let mut lanes = self.0;
        for block in blocks {
            for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                *lane = mix(*lane, u64::from_le_bytes(*word));
            }
        }
        for (lane, word) in rest.chunks(8).enumerate() {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            lanes[lane] = mix(lanes[lane], u64::from_le_bytes(padded));
        }
        lanes[3] = mix(lanes[3], bytes.len() as u64);
        self.0 = lanes;
    }
    /// The hash; never 0.
    pub fn finish(&self) -> u64 {
        let joined = self.0.iter().fold(0, |joined, lane| mix(joined, *lane));
        (joined ^ joined >> 32).max(1)
    }
}

#[inline(always)]
fn mix(lane: u64, word: u64) -> u64 {
    let spread = (lane ^ word).rotate_left(29).wrapping_mul(FACTOR);
    // Else one of the highest bits is all that differs, and one bit of the next word undoes it.
    spread ^ spread >> 32
}

#[cfg(test)]
mod tests {
    use super::BitHash;

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes: Vec<u8> = (0..101u8).map(|i| i.wrapping_mul(37)).collect();
        let mut seen = std::collections::HashSet::from([BitHash::of(&bytes), BitHash::of(&bytes[..100])]);
        for bit in 0..bytes.len() * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(BitHash::of(&other)), "bit {bit}");
        }
    }

    #[test]
    fn signs_of_two_numbers_do_not_cancel() {
        let ones: Vec<u8> = [1.0f32; 40].iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut seen = std::collections::HashSet::from([BitHash::of(&ones)]);
        for first in 0..40 {
            for second in 0..first {
                let mut other = ones.clone();
                other[first * 4 + 3] ^= 0x80;
                other[second * 4 + 3] ^= 0x80;
                assert!(seen.insert(BitHash::of(&other)), "{first} {second}");
            }
        }
    }
}
