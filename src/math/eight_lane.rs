//! Eight numbers side by side in the registers that this processor has.
//!
//! A build for any x86-64 processor has registers of four, so [`F32x8`] is two of them there. Work
//! that is written over [`EightLane`] is compiled a second time for AVX, with a lane type of one
//! register, and picked at run time (`Level::run_eight`). Both are the same source; each operation
//! is the scalar one in every lane, so the bits are the same, too.

use super::lane::{F32x4, F32x8, Lane, Mask8};
use super::lane_types::{LaneQuat, LaneVec3};
use wide::{CmpEq, CmpGt, f32x4, f32x8, i32x8};

/// A lane type of eight numbers, which are [`Self::numbers`] in memory.
pub(crate) trait EightLane: Lane {
    /// The numbers by lane.
    fn of_numbers(numbers: [f32; 8]) -> Self;
    /// The reverse of [`Self::of_numbers`].
    fn numbers(self) -> [f32; 8];
    /// Transposes an 8×8 matrix given by rows.
    fn transpose(rows: [Self; 8]) -> [Self; 8];
    /// Where both numbers are equal.
    fn equals(self, other: Self) -> Self::Mask;
    /// With the signs changed where those of `signs` are negative.
    fn flipped(self, signs: Self) -> Self;
    /// The numbers by lane, to be written.
    fn numbers_mut(&mut self) -> &mut [f32; 8];
    /// For each key, how many of `others` are less.
    fn count_less<const N: usize>(keys: &[[i32; 8]; N], others: &[i32]) -> [[i32; 8]; N];
}

/// A lane type to compute in, of numbers that are kept in memory as `M`: the same in each lane.
pub(crate) trait Registers<M>: Lane {
    /// From memory.
    fn load(kept: M) -> Self;
    /// To memory.
    fn store(self) -> M;
}

impl Registers<F32x4> for F32x4 {
    #[inline(always)]
    fn load(kept: Self) -> Self {
        kept
    }
    #[inline(always)]
    fn store(self) -> Self {
        self
    }
}

impl<E: EightLane> Registers<F32x8> for E {
    #[inline(always)]
    fn load(kept: F32x8) -> Self {
        Self::of_numbers(kept.numbers())
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        F32x8::of_numbers(self.numbers())
    }
}

impl<L: Lane> LaneVec3<L> {
    /// From memory.
    #[inline(always)]
    pub(crate) fn load<M>(kept: LaneVec3<M>) -> Self
    where
        L: Registers<M>,
    {
        Self::new(L::load(kept.x), L::load(kept.y), L::load(kept.z))
    }
    /// To memory.
    #[inline(always)]
    pub(crate) fn store<M>(self) -> LaneVec3<M>
    where
        L: Registers<M>,
    {
        LaneVec3 { x: self.x.store(), y: self.y.store(), z: self.z.store() }
    }
}

impl<L: Lane> LaneQuat<L> {
    /// From memory.
    #[inline(always)]
    pub(crate) fn load<M>(kept: LaneQuat<M>) -> Self
    where
        L: Registers<M>,
    {
        Self::new(L::load(kept.x), L::load(kept.y), L::load(kept.z), L::load(kept.w))
    }
    /// To memory.
    #[inline(always)]
    pub(crate) fn store<M>(self) -> LaneQuat<M>
    where
        L: Registers<M>,
    {
        LaneQuat { x: self.x.store(), y: self.y.store(), z: self.z.store(), w: self.w.store() }
    }
}

/// Work that is compiled for each lane type of eight: `run`, and everything in it that has to run
/// wide, must be `#[inline(always)]`, or do its work in [`Lane::run`]. That includes closures: more
/// than a few operations must not be in one, nor be the body of `map`, `fold` or `for_each`.
pub(crate) trait EightTask {
    /// Result of the work.
    type Output;
    /// Does the work.
    fn run<E: EightLane>(self) -> Self::Output;
}

impl EightLane for F32x8 {
    #[inline(always)]
    fn of_numbers(numbers: [f32; 8]) -> Self {
        Self(numbers)
    }
    #[inline(always)]
    fn numbers(self) -> [f32; 8] {
        self.0
    }
    #[inline(always)]
    fn numbers_mut(&mut self) -> &mut [f32; 8] {
        &mut self.0
    }
    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        let rows = rows.map(|row| f32x8::new(row.0));
        if cfg!(target_feature = "avx") {
            return f32x8::transpose(rows).map(|row| Self(*row.as_array_ref()));
        }
        // `wide` would transpose number by number here.
        let halves = rows.map(|row| *bytemuck::cast_ref::<f32x8, [f32x4; 2]>(&row));
        let quarter = |from: usize, half: usize| f32x4::transpose(core::array::from_fn(|i| halves[from + i][half]));
        let [upper, lower] = [[quarter(0, 0), quarter(4, 0)], [quarter(0, 1), quarter(4, 1)]];
        core::array::from_fn(|i| {
            let [left, right] = if i < 4 { upper } else { lower };
            Self(*bytemuck::cast_ref(&[left[i % 4], right[i % 4]]))
        })
    }
    #[inline(always)]
    fn count_less<const N: usize>(keys: &[[i32; 8]; N], others: &[i32]) -> [[i32; 8]; N] {
        let keys = keys.map(i32x8::new);
        let mut counts = [i32x8::ZERO; N];
        for other in others {
            for (count, key) in counts.iter_mut().zip(keys) {
                // All bits set are -1.
                *count -= key.cmp_gt(i32x8::splat(*other));
            }
        }
        counts.map(|count| *count.as_array_ref())
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Mask8 {
        Mask8(self.register().cmp_eq(other.register()))
    }
    #[inline(always)]
    fn flipped(self, signs: Self) -> Self {
        Self::of(self.register() ^ signs.register())
    }
}
