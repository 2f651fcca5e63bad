//! Eight numbers side by side in the registers that this processor has.
//!
//! A build for any x86-64 processor has registers of four, so [`F32x8`] is two of them there. Work
//! that is written over [`EightLane`] is compiled a second time for AVX, with a lane type of one
//! register, and picked at run time ([`Level::run_eight`]). Both are the same source; each
//! operation is the scalar one in every lane, so the bits are the same, too.
//!
//! The lane type for AVX is private: no code but [`Level::run_eight`] can name it, and that has
//! checked the processor. So its operations are sound, although none of them checks anything.

#![allow(unsafe_code)]

use super::dispatch::Level;
use super::lane::{F32x8, Lane, Mask8};
use wide::{CmpEq, f32x4, f32x8};

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
            return f32x8::transpose(rows).map(|row| Self(row.to_array()));
        }
        // `wide` would transpose number by number here.
        let halves = rows.map(bytemuck::cast::<f32x8, [f32x4; 2]>);
        let quarter = |from: usize, half: usize| f32x4::transpose(core::array::from_fn(|i| halves[from + i][half]));
        let [upper, lower] = [[quarter(0, 0), quarter(4, 0)], [quarter(0, 1), quarter(4, 1)]];
        core::array::from_fn(|i| {
            let [left, right] = if i < 4 { upper } else { lower };
            Self(bytemuck::cast([left[i % 4], right[i % 4]]))
        })
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

impl Level {
    /// Runs the task with the widest registers of this level, up to eight numbers.
    #[inline]
    pub(crate) fn run_eight<T: EightTask>(self, task: T) -> T::Output {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
        if self.has_avx() {
            // SAFETY: the processor has AVX2.
            return unsafe { avx::run_eight(task) };
        }
        task.run::<F32x8>()
    }
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
mod avx {
    use super::{EightLane, EightTask};
    use crate::math::dispatch::Task;
    use crate::math::lane::{Lane, LaneMask, lanes};
    use core::arch::x86_64::*;
    use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Index, Mul, Neg, Not, Sub};

    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn run_eight<T: EightTask>(task: T) -> T::Output {
        task.run::<AvxF32x8>()
    }

    /// Work of a function that is not inlined into [`run_eight`].
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn run<T: Task>(task: T) -> T::Output {
        task.run()
    }

    /// A register with the operations of the `wide` crate's.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(in crate::math) struct Register(__m256);

    impl From<[f32; 8]> for Register {
        #[inline(always)]
        fn from(numbers: [f32; 8]) -> Self {
            // SAFETY: both are 32 bytes of numbers.
            Self(unsafe { core::mem::transmute::<[f32; 8], __m256>(numbers) })
        }
    }

    impl Register {
        #[inline(always)]
        fn to_array(self) -> [f32; 8] {
            // SAFETY: both are 32 bytes of numbers.
            unsafe { core::mem::transmute::<__m256, [f32; 8]>(self.0) }
        }
        #[inline(always)]
        fn splat(number: f32) -> Self {
            Self::from([number; 8])
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: see the module's text; so below.
            Self(unsafe { _mm256_sqrt_ps(self.0) })
        }
        #[inline(always)]
        fn cmp_lt(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn cmp_eq(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn blend(self, if_true: Self, if_false: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_blendv_ps(if_false.0, if_true.0, self.0) })
        }
        #[inline(always)]
        fn move_mask(self) -> i32 {
            // SAFETY: as above.
            unsafe { _mm256_movemask_ps(self.0) }
        }
        #[inline(always)]
        fn any(self) -> bool {
            self.move_mask() != 0
        }
    }

    macro_rules! operation {
        ($trait:ident, $method:ident, $intrinsic:ident) => {
            impl $trait for Register {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: see the module's text.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        };
    }
    operation!(Add, add, _mm256_add_ps);
    operation!(Sub, sub, _mm256_sub_ps);
    operation!(Mul, mul, _mm256_mul_ps);
    operation!(Div, div, _mm256_div_ps);
    operation!(BitAnd, bitand, _mm256_and_ps);
    operation!(BitOr, bitor, _mm256_or_ps);
    operation!(BitXor, bitxor, _mm256_xor_ps);

    impl Not for Register {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            self ^ Self::splat(f32::from_bits(u32::MAX))
        }
    }

    lanes!(
        /// Eight numbers in one register of AVX.
        AvxF32x8,
        AvxMask8,
        Register,
        8,
        32,
        #[inline(always)]
        fn run<T: Task>(task: T) -> T::Output {
            // SAFETY: see the module's text.
            unsafe { run(task) }
        }
    );

    /// Transposes both 4×4 halves of four rows.
    #[inline(always)]
    fn fours([a, b, c, d]: [AvxF32x8; 4]) -> [Register; 4] {
        let (a, b, c, d) = (a.register().0, b.register().0, c.register().0, d.register().0);
        // SAFETY: see the module's text.
        unsafe {
            let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (next_low, next_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            [
                Register(_mm256_shuffle_ps::<0x44>(low, next_low)),
                Register(_mm256_shuffle_ps::<0xee>(low, next_low)),
                Register(_mm256_shuffle_ps::<0x44>(high, next_high)),
                Register(_mm256_shuffle_ps::<0xee>(high, next_high)),
            ]
        }
    }
    #[inline(always)]
    fn first_halves(a: Register, b: Register) -> AvxF32x8 {
        // SAFETY: see the module's text.
        AvxF32x8::of(Register(unsafe { _mm256_permute2f128_ps::<0x20>(a.0, b.0) }))
    }
    #[inline(always)]
    fn last_halves(a: Register, b: Register) -> AvxF32x8 {
        // SAFETY: see the module's text.
        AvxF32x8::of(Register(unsafe { _mm256_permute2f128_ps::<0x31>(a.0, b.0) }))
    }

    impl EightLane for AvxF32x8 {
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
        fn equals(self, other: Self) -> AvxMask8 {
            AvxMask8(self.register().cmp_eq(other.register()))
        }
        #[inline(always)]
        fn flipped(self, signs: Self) -> Self {
            Self::of(self.register() ^ signs.register())
        }
        #[inline(always)]
        fn transpose(rows: [Self; 8]) -> [Self; 8] {
            let [a, b, c, d, e, f, g, h] = rows;
            let (upper, lower) = (fours([a, b, c, d]), fours([e, f, g, h]));
            let ([a, b, c, d], [e, f, g, h]) = (upper, lower);
            [
                first_halves(a, e),
                first_halves(b, f),
                first_halves(c, g),
                first_halves(d, h),
                last_halves(a, e),
                last_halves(b, f),
                last_halves(c, g),
                last_halves(d, h),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::LaneMask;

    /// Every operation on three sets of numbers.
    struct Operations([[f32; 8]; 3]);

    impl EightTask for Operations {
        type Output = Vec<[f32; 8]>;
        #[inline(always)]
        fn run<E: EightLane>(self) -> Vec<[f32; 8]> {
            let [x, y, z] = self.0.map(E::of_numbers);
            let mask = |mask: E::Mask| E::select(mask, E::splat(1.0), E::splat(0.0));
            let bits = |mask: E::Mask| E::splat(f32::from(mask.bits()));
            let all = [
                x + y,
                x - y,
                x * y,
                x / y,
                -x,
                Lane::sqrt(x),
                Lane::abs(x).root(),
                Lane::abs(x),
                x.copy_sign(y),
                Lane::min(x, y),
                Lane::max(x, y),
                Lane::clamp(x, y, z),
                x.lerp(y, z),
                mask(x.lt(y)),
                mask(x.equals(y)),
                mask(x.lt(y).and(y.lt(z))),
                mask(x.lt(y).or(y.lt(z))),
                mask(x.lt(y).not()),
                bits(x.lt(y)),
                E::splat(f32::from(u8::from(x.lt(y).any()))),
                E::select(x.lt(y), y, z),
                x.flipped(y),
                x.map(|n| n + 1.0),
                x.map2(y, |a, b| a - b),
            ];
            all.map(E::numbers).to_vec()
        }
    }

    #[test]
    fn every_level_has_the_bits_of_the_narrowest() {
        let odd =
            [0.0, -0.0, 1.0, -2.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, f32::MAX, f32::MIN_POSITIVE];
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = (state >> 8) as usize;
            if place % 3 == 0 { odd[place / 3 % odd.len()] } else { (place % 2001) as f32 * 1e-3 - 1.0 }
        };
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        for round in 0..2000 {
            let numbers: [[f32; 8]; 3] = core::array::from_fn(|_| core::array::from_fn(|_| number()));
            let mut found = Level::all().map(|level| (level, level.run_eight(Operations(numbers))));
            let (_, narrowest) = found.next().expect("the baseline");
            for (level, wide) in found {
                for (operation, (a, b)) in narrowest.iter().zip(&wide).enumerate() {
                    let is_same = a.iter().zip(b).all(|(a, b)| same(*a, *b));
                    assert!(is_same, "{level:?}, round {round}, operation {operation} of {numbers:?}: {a:?}, {b:?}");
                }
            }
        }
    }

    struct Transposed([[f32; 8]; 8]);

    impl EightTask for Transposed {
        type Output = [[f32; 8]; 8];
        #[inline(always)]
        fn run<E: EightLane>(self) -> Self::Output {
            E::transpose(self.0.map(E::of_numbers)).map(E::numbers)
        }
    }

    #[test]
    fn every_level_transposes() {
        let rows: [[f32; 8]; 8] = core::array::from_fn(|row| core::array::from_fn(|column| (8 * row + column) as f32));
        for level in Level::all() {
            let columns = level.run_eight(Transposed(rows));
            for (row, numbers) in rows.iter().enumerate() {
                for (column, number) in numbers.iter().enumerate() {
                    assert_eq!(columns[column][row], *number, "{level:?}, row {row}, column {column}");
                }
            }
        }
    }
}
