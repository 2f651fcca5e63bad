//! The lane of a character that is solved alone: one number, whose vectors and quaternions are in
//! one register each.
//!
//! [`f32`] is the lane of kernels in loops over tiles, where the compiler puts eight *limbs* side
//! by side. For a single character the numbers of a vector are side by side instead, and a kernel
//! with several sets of numbers ([`Lane::several`]) processes four at a time. The bits are those of
//! every other lane.

use super::dispatch::{Level, Task};
use super::lane::{F32x4, Kernel, Lane};
use super::lane_types::{LaneQuat, LaneVec3};
use super::{Quat, Vec3, rigid};
use core::ops::{Add, Div, Mul, Neg, Sub};
use wide::f32x4;

/// One number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct ScalarInRegister(pub f32);

impl From<ScalarInRegister> for f32 {
    #[inline(always)]
    fn from(number: ScalarInRegister) -> Self {
        number.0
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for ScalarInRegister {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for ScalarInRegister {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// A vector in a register; its fourth number is unspecified.
#[inline(always)]
pub(crate) fn three(v: LaneVec3<ScalarInRegister>) -> f32x4 {
    f32x4::new([v.x.0, v.y.0, v.z.0, v.z.0])
}
/// The vector in a register.
#[inline(always)]
pub(crate) fn vector(register: f32x4) -> LaneVec3<ScalarInRegister> {
    let [x, y, z, _] = *register.as_array_ref();
    LaneVec3::new(ScalarInRegister(x), ScalarInRegister(y), ScalarInRegister(z))
}
/// A quaternion in a register.
#[inline(always)]
pub(crate) fn four(q: LaneQuat<ScalarInRegister>) -> f32x4 {
    f32x4::new([q.x.0, q.y.0, q.z.0, q.w.0])
}
/// The quaternion in a register.
#[inline(always)]
pub(crate) fn quaternion(register: f32x4) -> LaneQuat<ScalarInRegister> {
    let [x, y, z, w] = *register.as_array_ref();
    LaneQuat::new(ScalarInRegister(x), ScalarInRegister(y), ScalarInRegister(z), ScalarInRegister(w))
}

/// A vector, rotated: [`LaneQuat::rotate`] on plain numbers.
#[inline(always)]
pub(crate) fn turned(q: Quat, v: Vec3) -> Vec3 {
    let turned = rigid::turned(f32x4::new(q.to_array()), f32x4::new([v.x, v.y, v.z, v.z]));
    vector(turned).to_scalar().to_vec3()
}

impl LaneVec3<ScalarInRegister> {
    /// The plain numbers.
    #[inline(always)]
    pub(crate) fn to_scalar(self) -> LaneVec3<f32> {
        LaneVec3 { x: self.x.0, y: self.y.0, z: self.z.0 }
    }
}
impl LaneQuat<ScalarInRegister> {
    /// The plain numbers.
    #[inline(always)]
    pub(crate) fn to_scalar(self) -> LaneQuat<f32> {
        LaneQuat { x: self.x.0, y: self.y.0, z: self.z.0, w: self.w.0 }
    }
}

impl Lane for ScalarInRegister {
    type Mask = bool;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn run<T: Task>(task: T) -> T::Output {
        Level::for_one().run(task)
    }
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(Lane::sqrt(self.0))
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(Lane::root(self.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(f32::abs(self.0))
    }
    #[inline(always)]
    fn copy_sign(self, sign: Self) -> Self {
        Self(f32::copysign(self.0, sign.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(Lane::min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(Lane::max(self.0, other.0))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self.0 < other.0
    }
    #[inline(always)]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
    #[inline(always)]
    fn map(self, function: impl Fn(f32) -> f32) -> Self {
        Self(function(self.0))
    }
    #[inline(always)]
    fn map2(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self {
        Self(function(self.0, other.0))
    }

    const SETS: usize = 4;
    /// All four side by side.
    #[inline(always)]
    fn several<const N: usize, const M: usize>(
        kernel: &impl Kernel<N, M>,
        sets: [&[[Self; 4]; N]; 4],
        _: usize,
    ) -> [[[Self; 4]; M]; 4] {
        let zero = F32x4([0.0; 4]);
        let mut beside = [[zero; 4]; N];
        for (i, group) in beside.iter_mut().enumerate() {
            let rows = sets.map(|set| f32x4::new(set[i].map(f32::from)));
            *group = f32x4::transpose(rows).map(|row| F32x4(*row.as_array_ref()));
        }
        let found = kernel.run(&beside);
        let mut answers = [[[Self(0.0); 4]; M]; 4];
        for (i, group) in found.iter().enumerate() {
            let rows = f32x4::transpose(group.map(|row| f32x4::new(row.0)));
            for (answer, row) in answers.iter_mut().zip(rows) {
                answer[i] = row.as_array_ref().map(Self);
            }
        }
        answers
    }

    #[inline(always)]
    fn sum(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        vector(three(a) + three(b))
    }
    #[inline(always)]
    fn difference(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        vector(three(a) - three(b))
    }
    #[inline(always)]
    fn scaled(v: LaneVec3<Self>, by: Self) -> LaneVec3<Self> {
        vector(three(v) * f32x4::splat(by.0))
    }
    #[inline(always)]
    fn inner(a: LaneVec3<Self>, b: LaneVec3<Self>) -> Self {
        let [x, y, z, _] = *(three(a) * three(b)).as_array_ref();
        Self(x + y + z)
    }
    #[inline(always)]
    fn crossed(a: LaneVec3<Self>, b: LaneVec3<Self>) -> LaneVec3<Self> {
        vector(rigid::cross(three(a), three(b)))
    }
    #[inline(always)]
    fn turned(q: LaneQuat<Self>, v: LaneVec3<Self>) -> LaneVec3<Self> {
        vector(rigid::turned(four(q), three(v)))
    }
    #[inline(always)]
    fn product(a: LaneQuat<Self>, b: LaneQuat<Self>) -> LaneQuat<Self> {
        quaternion(rigid::product(four(a), four(b)))
    }
    #[inline(always)]
    fn inner4(a: LaneQuat<Self>, b: LaneQuat<Self>) -> Self {
        let [x, y, z, w] = *(four(a) * four(b)).as_array_ref();
        Self((x + y) + (z + w))
    }
    #[inline(always)]
    fn scaled4(q: LaneQuat<Self>, by: Self) -> LaneQuat<Self> {
        quaternion(four(q) * f32x4::splat(by.0))
    }
    #[inline(always)]
    fn conjugate(q: LaneQuat<Self>) -> LaneQuat<Self> {
        quaternion(rigid::conjugate(four(q)))
    }
}
