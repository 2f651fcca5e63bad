//! Pseudo-random numbers, the same on every machine.
//!
//! Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014 (SplitMix64).

/// A sequence that depends only on its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise {
    state: u64,
}

impl Noise {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }
    /// The next number, −1 … 1, of 24 bits.
    pub fn signed(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 * (1.0 / 8_388_608.0) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_range_evenly() {
        let mut noise = Noise::new(1);
        let numbers: Vec<f32> = (0..4000).map(|_| noise.signed()).collect();
        let mean = numbers.iter().sum::<f32>() / 4000.0;
        assert!(mean.abs() < 0.05, "{mean}");
        assert!(numbers.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(numbers.iter().any(|x| *x > 0.95) && numbers.iter().any(|x| *x < -0.95));
    }
}
