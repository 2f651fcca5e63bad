//! The lane type: one `f32`, or four or eight side by side.
//!
//! A kernel written over [`Lane`] has no branches on values, only [`Lane::select`]; so [`F32x4`]
//! and [`F32x8`] give the bits of four and eight scalar calls. There is no horizontal operation and
//! no fused multiply-add: those would make the widths differ.

use super::dispatch::{Level, Task};
use super::lane_types::{LaneQuat, LaneVec3};
use core::ops::{Add, Div, Index, Mul, Neg, Sub};
use wide::{CmpLt, f32x4, f32x8};

/// A function from numbers to numbers, both in groups of four, over any lane: [`Lane::several`] may
/// run several side by side.
pub trait Kernel<const N: usize, const M: usize> {
    /// The results for one set of numbers.
    fn run<L: Lane>(&self, numbers: &[[L; 4]; N]) -> [[L; 4]; M];
}

/// A truth value per lane.
pub trait LaneMask: Copy + core::fmt::Debug {
    /// True in a lane where both are.
    fn and(self, other: Self) -> Self;
    /// True in a lane where one is.
    fn or(self, other: Self) -> Self;
    /// True in a lane where `self` is not.
    fn not(self) -> Self;
    /// Whether any lane is true. The only way from lane values to control flow, for an early out:
    /// it may skip work whose result a select would discard, and never changes a result.
    fn any(self) -> bool;
    /// A bit for each lane, from the lowest.
    fn bits(self) -> u8;
}

/// A number, or several computed side by side.
pub trait Lane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + core::fmt::Debug
{
    /// A truth value per lane.
    type Mask: LaneMask;
    /// How many numbers are computed together.
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// Exact square root; 0 where the argument is negative.
    fn sqrt(self) -> Self;
    /// Exact square root of a number that is not negative; the result for other numbers is
    /// unspecified.
    fn root(self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// The magnitude of `self` with the sign bit of `sign`.
    fn copy_sign(self, sign: Self) -> Self;
    /// The smaller; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// The larger; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// Lane-wise `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// `if_true` where `mask`, else `if_false`.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;
    /// Runs work on numbers of this lane type with the processor's instructions for it. A function
    /// over lanes that is not inlined into its callers does its work in one.
    #[inline(always)]
    fn run<T: Task>(task: T) -> T::Output {
        task.run()
    }
    /// Applies a pinned function to each lane.
    fn map(self, function: impl Fn(f32) -> f32) -> Self;
    /// Applies a pinned function of two arguments to each lane.
    fn map2(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self;

    /// Clamps to `low ..= high`.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
    /// `self + (to − self) · t`.
    #[inline(always)]
    fn lerp(self, to: Self, t: Self) -> Self {
        self + (to - self) * t
    }

    /// How many sets of numbers [`Self::several`] processes at the cost of one.
    const SETS: usize = 1;
    /// The results of a kernel for the first `count` sets of numbers, 1 … 4. The other sets must be
    /// copies of one of those; their results are unspecified.
    #[inline(always)]
    fn several<const N: usize, const M: usize>(
        kernel: &impl Kernel<N, M>,
        sets: [&[[Self; 4]; N]; 4],
        count: usize,
    ) -> [[[Self; 4]; M]; 4] {
        let mut answers = [[[Self::splat(0.0); 4]; M]; 4];
        for (answer, set) in answers.iter_mut().zip(sets).take(count) {
            *answer = kernel.run(set);
        }
        answers
    }

    // Operators of vectors and quaternions, by the component formulas. A lane type may override
    // them with a shorter computation of the same bits.

    /// Sum of vectors.
    #[inline(always)]
    fn sum(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        LaneVec3 { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
    }
    /// Difference of vectors.
    #[inline(always)]
    fn difference(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        LaneVec3 { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
    }
    /// A vector times a number.
    #[inline(always)]
    fn scaled(v: LaneVec3<Self>, by: Self) -> LaneVec3<Self> {
        LaneVec3 { x: v.x * by, y: v.y * by, z: v.z * by }
    }
    /// Inner product of vectors.
    #[inline(always)]
    fn inner(a: LaneVec3<Self>, b: LaneVec3<Self>) -> Self {
        a.x * b.x + a.y * b.y + a.z * b.z
    }
    /// Cross product of vectors.
    #[inline(always)]
    fn crossed(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        let (x, y, z) = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        LaneVec3 { x, y, z }
    }
    /// A vector turned by a quaternion.
    #[inline(always)]
    fn turned(q: LaneQuat<Self>, v: LaneVec3<Self>) -> LaneVec3<Self> {
        let u = LaneVec3 { x: q.x, y: q.y, z: q.z };
        let t = Self::scaled(Self::crossed(u, v), Self::splat(2.0));
        Self::sum(Self::sum(v, Self::scaled(t, q.w)), Self::crossed(u, t))
    }
    /// Product of quaternions.
    #[inline(always)]
    fn product(a: LaneQuat<Self>, b: LaneQuat<Self>) -> LaneQuat<Self> {
        LaneQuat {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
    /// Inner product of quaternions.
    #[inline(always)]
    fn inner4(a: LaneQuat<Self>, b: LaneQuat<Self>) -> Self {
        (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w)
    }
    /// A quaternion times a number.
    #[inline(always)]
    fn scaled4(q: LaneQuat<Self>, by: Self) -> LaneQuat<Self> {
        LaneQuat { x: q.x * by, y: q.y * by, z: q.z * by, w: q.w * by }
    }
    /// Conjugate of a quaternion.
    #[inline(always)]
    fn conjugate(q: LaneQuat<Self>) -> LaneQuat<Self> {
        LaneQuat { x: -q.x, y: -q.y, z: -q.z, w: q.w }
    }
}

impl LaneMask for bool {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        u8::from(self)
    }
}

/// The lane of a single character.
pub(crate) trait Single: Lane<Mask = bool> + Into<f32> {}
impl<L: Lane<Mask = bool> + Into<f32>> Single for L {}

impl Lane for f32 {
    type Mask = bool;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(Lane::max(self, 0.0))
    }
    #[inline(always)]
    fn root(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn copy_sign(self, sign: Self) -> Self {
        self.copysign(sign)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
    #[inline(always)]
    fn map(self, function: impl Fn(f32) -> f32) -> Self {
        function(self)
    }
    #[inline(always)]
    fn map2(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self {
        function(self, other)
    }
}

macro_rules! lanes {
    ($(#[$doc:meta])* $Lanes:ident, $Mask:ident, $register:ident, $width:literal, $align:literal $(, $run:item)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(C, align($align))]
        pub struct $Lanes(pub [f32; $width]);

        impl $Lanes {
            #[inline(always)]
            pub(in $crate::math) fn register(self) -> $register {
                $register::new(self.0)
            }
            #[inline(always)]
            pub(in $crate::math) fn of(register: $register) -> Self {
                // Not `to_array`: in builds with debug assertions it checks what it copies, which
                // multiplies the time that this crate takes to compile.
                Self(*register.as_array_ref())
            }
        }

        /// One truth value per lane: all bits of the lane set, or none.
        #[derive(Clone, Copy, Debug)]
        pub struct $Mask(pub(in $crate::math) $register);

        impl Index<usize> for $Mask {
            type Output = bool;
            /// One lane, for code that reads results.
            #[inline]
            fn index(&self, lane: usize) -> &bool {
                if self.0.as_array_ref()[lane].to_bits() != 0 { &true } else { &false }
            }
        }

        $crate::math::lane::lane_operator!($Lanes, Add, add, +);
        $crate::math::lane::lane_operator!($Lanes, Sub, sub, -);
        $crate::math::lane::lane_operator!($Lanes, Mul, mul, *);
        $crate::math::lane::lane_operator!($Lanes, Div, div, /);

        impl Neg for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self::of(self.register() ^ $register::splat(-0.0))
            }
        }

        impl LaneMask for $Mask {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
            #[inline(always)]
            fn any(self) -> bool {
                self.0.any()
            }
            #[inline(always)]
            fn bits(self) -> u8 {
                self.0.move_mask() as u8
            }
        }

        impl Lane for $Lanes {
            type Mask = $Mask;
            const WIDTH: usize = $width;
            $($run)?

            #[inline(always)]
            fn splat(value: f32) -> Self {
                Self([value; $width])
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                Self::of(Lane::max(self, Self::splat(0.0)).register().sqrt())
            }
            #[inline(always)]
            fn root(self) -> Self {
                Self(self.0.map(f32::sqrt))
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self::of(self.register() & $register::splat(f32::from_bits(0x7fff_ffff)))
            }
            #[inline(always)]
            fn copy_sign(self, sign: Self) -> Self {
                Self::of(Lane::abs(self).register() | (sign.register() & $register::splat(-0.0)))
            }
            // The instruction of x86 gives the second number where neither is the smaller, or the
            // larger, one, as the scalar rule does; that of other processors does not.
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if cfg!(target_arch = "x86_64") {
                    return Self::of(self.register().fast_min(other.register()));
                }
                Self::select(self.lt(other), self, other)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if cfg!(target_arch = "x86_64") {
                    return Self::of(self.register().fast_max(other.register()));
                }
                Self::select(other.lt(self), self, other)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> $Mask {
                $Mask(self.register().cmp_lt(other.register()))
            }
            #[inline(always)]
            fn select(mask: $Mask, if_true: Self, if_false: Self) -> Self {
                Self::of(mask.0.blend(if_true.register(), if_false.register()))
            }
            #[inline(always)]
            fn map(self, function: impl Fn(f32) -> f32) -> Self {
                Self(self.0.map(function))
            }
            #[inline(always)]
            fn map2(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self {
                Self(core::array::from_fn(|i| function(self.0[i], other.0[i])))
            }
        }
    };
}

macro_rules! lane_operator {
    ($Lanes:ident, $trait:ident, $method:ident, $op:tt) => {
        impl $trait for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::of(self.register() $op other.register())
            }
        }
    };
}

pub(super) use lane_operator;
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
pub(super) use lanes;

lanes!(
    /// Four numbers side by side: one vector register where the target has them; the arithmetic of
    /// each lane is the scalar one.
    F32x4,
    Mask4,
    f32x4,
    4,
    16,
    #[inline(always)]
    fn run<T: Task>(task: T) -> T::Output {
        Level::for_one().run(task)
    }
);
lanes!(
    /// Eight numbers side by side: one vector register where the build's processor level has
    /// registers of eight, else two of four, or eight scalars; the arithmetic of each lane is the
    /// scalar one everywhere.
    F32x8,
    Mask8,
    f32x8,
    8,
    32
);
