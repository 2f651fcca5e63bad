//! The lane type of eight numbers in one AVX register, for builds without AVX.
//!
//! It is private: no code but [`run_eight`] can name it, whose caller has checked the processor. So
//! its operations are sound, although none of them checks anything.

#![allow(unsafe_code)]

use super::dispatch::Task;
use super::eight_lane::{EightLane, EightTask};
use super::lane::{Lane, LaneMask, lanes};
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

impl Register {
    #[inline(always)]
    fn new(numbers: [f32; 8]) -> Self {
        // SAFETY: both are 32 bytes of numbers.
        Self(unsafe { core::mem::transmute::<[f32; 8], __m256>(numbers) })
    }
    #[inline(always)]
    fn as_array_ref(&self) -> &[f32; 8] {
        // SAFETY: both are 32 bytes of numbers, and numbers need less alignment.
        unsafe { core::mem::transmute::<&__m256, &[f32; 8]>(&self.0) }
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self::new([number; 8])
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
    fn fast_min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn fast_max(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
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
    fn count_less<const N: usize>(keys: &[[i32; 8]; N], others: &[i32]) -> [[i32; 8]; N] {
        // SAFETY: both are 32 bytes of numbers; for the operations see the module's text.
        unsafe {
            let keys = keys.map(|keys| core::mem::transmute::<[i32; 8], __m256i>(keys));
            let mut counts = [_mm256_setzero_si256(); N];
            for other in others {
                let other = _mm256_set1_epi32(*other);
                for (count, key) in counts.iter_mut().zip(keys) {
                    // All bits set are -1.
                    *count = _mm256_sub_epi32(*count, _mm256_cmpgt_epi32(key, other));
                }
            }
            counts.map(|count| core::mem::transmute::<__m256i, [i32; 8]>(count))
        }
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
