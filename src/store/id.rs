//! Names of stored values, and why one is not found.

/// Name of a value in a [`Slots`](super::Slots): kind, generation, index. Never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

pub(super) const INDEX_BITS: u32 = 24;
const GENERATION_BITS: u32 = 32;

impl Id {
    /// The bits of [`Self::bits`] with the index: small, and no two values have the same at a time.
    pub const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

    pub(super) fn new(kind: u8, generation: u32, index: u32) -> Self {
        Self((kind as u64) << (INDEX_BITS + GENERATION_BITS) | (generation as u64) << INDEX_BITS | index as u64)
    }
    /// From the bits of [`Self::bits`]. Any number is accepted; an invalid one finds nothing.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
    /// The id as a number, for hosts.
    pub fn bits(self) -> u64 {
        self.0
    }
    pub(super) fn kind(self) -> u8 {
        (self.0 >> (INDEX_BITS + GENERATION_BITS)) as u8
    }
    pub(super) fn generation(self) -> u32 {
        (self.0 >> INDEX_BITS) as u32
    }
    pub(super) fn index(self) -> u32 {
        self.0 as u32 & ((1 << INDEX_BITS) - 1)
    }
}

/// Why a slot could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The id is null, stale, of another kind, or was never issued.
    #[error("null, destroyed, of another kind, or never created")]
    Invalid,
    /// Another call is using the value.
    #[error("in use by another call")]
    Busy,
    /// A panic happened while the value was in use.
    #[error("a panic happened in an earlier call")]
    Poisoned,
    /// All slots are in use.
    #[error("no more can be created")]
    Full,
}
