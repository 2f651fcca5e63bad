//! Choices read from the fuzzer's bytes.

/// The bytes not read yet. After the last one every choice is the first.
pub struct Input<'a> {
    bytes: &'a [u8],
}

/// Floats that break arithmetic more often than others.
const NASTY: [f32; 16] = [
    0.0,
    -0.0,
    1e-45,
    -1e-42,
    f32::MIN_POSITIVE,
    1e-20,
    1e-6,
    1e6,
    1e15,
    1e18,
    1e25,
    f32::MAX,
    f32::MIN,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
];

impl<'a> Input<'a> {
    /// Reads from the first byte on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }
    /// Whether all has been read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }
    /// The next four bytes.
    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }
    /// The next eight bytes.
    pub fn long(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }
    /// A number in `0 .. count`; `count` at most 65,536 and not 0.
    pub fn below(&mut self, count: usize) -> usize {
        match count {
            0..=1 => 0,
            2..=256 => usize::from(self.byte()) % count,
            _ => (usize::from(self.byte()) | usize::from(self.byte()) << 8) % count,
        }
    }
    /// True once in `count` times, and never when all has been read.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }
    /// In 0 ≤ x < 1.
    pub fn unit(&mut self) -> f32 {
        self.below(65_536) as f32 / 65_536.0
    }
    /// In -2 ≤ x < 2.
    pub fn calm(&mut self) -> f32 {
        4.0 * self.unit() - 2.0
    }
    /// Mostly calm, sometimes as bad as a float can be.
    pub fn number(&mut self) -> f32 {
        match self.below(32) {
            31 => NASTY[self.below(NASTY.len())],
            30 => f32::from_bits(self.word()),
            29 => 200.0 * self.unit() - 100.0,
            _ => self.calm(),
        }
    }
    /// Calm, and finite where it is not.
    pub fn finite(&mut self) -> f32 {
        let number = self.number();
        if number.is_finite() { number } else { 1.0 }
    }
}
