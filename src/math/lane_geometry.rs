//! Methods of vectors and quaternions over a [`Lane`]: the solver kernels are written in them.

use super::float;
use super::lane::{F32x4, Lane, LaneMask};
use super::lane_types::{LaneQuat, LaneVec3};
use super::{Quat, Vec3};
use core::ops::{Add, Mul, Neg, Sub};

impl<L: Lane> LaneVec3<L> {
    /// From components.
    #[inline(always)]
    pub fn new(x: L, y: L, z: L) -> Self {
        Self { x, y, z }
    }
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: Vec3) -> Self {
        Self::new(L::splat(v.x), L::splat(v.y), L::splat(v.z))
    }
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }
    /// Inner product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        L::inner(self, o)
    }
    /// Cross product, by the component formula.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        L::crossed(self, o)
    }
    /// Length.
    #[inline(always)]
    pub fn length(self) -> L {
        self.dot(self).sqrt()
    }
    /// `if_true` where `mask`, else `if_false`.
    #[inline(always)]
    pub fn select(mask: L::Mask, if_true: Self, if_false: Self) -> Self {
        Self::new(
            L::select(mask, if_true.x, if_false.x),
            L::select(mask, if_true.y, if_false.y),
            L::select(mask, if_true.z, if_false.z),
        )
    }
    /// Unit vector along `self`, or `fallback` where the length is below `least`; also the length.
    #[inline(always)]
    pub fn normalize_or(self, fallback: Self, least: L) -> (Self, L) {
        // Scaled by the largest component first, so that the squares of tiny or huge vectors
        // neither underflow nor overflow.
        let largest = self.x.abs().max(self.y.abs()).max(self.z.abs());
        let safe = largest.max(L::splat(f32::MIN_POSITIVE));
        let scaled = self * (L::splat(1.0) / safe);
        let length = scaled.length();
        let unit = scaled * (L::splat(1.0) / length.max(L::splat(0.5)));
        let full = length * largest;
        (Self::select(full.lt(least), fallback, unit), full)
    }
    /// Unit vector along `self`, or `fallback` where the length is `least` or below; also the
    /// length. The squares of lengths below 1e-18 and above 1e18 leave the range of `f32`: use
    /// [`Self::normalize_or`] for those.
    #[inline(always)]
    pub fn unit_or(self, fallback: Self, least: L) -> (Self, L) {
        let length = self.dot(self).root();
        (Self::select(least.lt(length), self * (L::splat(1.0) / length), fallback), length)
    }
    /// Some unit vector at right angles to the unit vector `self`.
    #[inline(always)]
    pub fn any_perpendicular(self) -> Self {
        let use_x = self.x.abs().lt(L::splat(0.8));
        let axis = Self::select(use_x, Self::splat(Vec3::X), Self::splat(Vec3::Y));
        let p = axis - self * self.dot(axis);
        p * (L::splat(1.0) / p.length())
    }
    /// Part of `self` at right angles to the unit vector `axis`.
    #[inline(always)]
    pub fn reject_from(self, axis: Self) -> Self {
        self - axis * self.dot(axis)
    }
    /// `self + (to − self) · t`.
    #[inline(always)]
    pub fn lerp(self, to: Self, t: L) -> Self {
        self + (to - self) * t
    }
    /// Hamilton product of the pure quaternion with this vector part, and `q`.
    #[inline(always)]
    pub fn pure_times(self, q: LaneQuat<L>) -> LaneQuat<L> {
        LaneQuat::new(
            self.x * q.w + self.y * q.z - self.z * q.y,
            self.y * q.w + self.z * q.x - self.x * q.z,
            self.z * q.w + self.x * q.y - self.y * q.x,
            -(self.x * q.x + self.y * q.y + self.z * q.z),
        )
    }
}

impl LaneVec3<f32> {
    /// As a single-lane vector.
    #[inline(always)]
    pub fn from_vec3(v: Vec3) -> Self {
        Self::splat(v)
    }
    /// Back to the public vector type.
    #[inline(always)]
    pub fn to_vec3(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }
}

impl LaneVec3<F32x4> {
    /// Four vectors.
    #[inline(always)]
    pub(crate) fn of([a, b, c, d]: [Vec3; 4]) -> Self {
        Self::new(F32x4([a.x, b.x, c.x, d.x]), F32x4([a.y, b.y, c.y, d.y]), F32x4([a.z, b.z, c.z, d.z]))
    }
    /// One of the four.
    #[inline(always)]
    pub(crate) fn at(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }
}

impl<L: Lane> Add for LaneVec3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        L::sum(self, o)
    }
}
impl<L: Lane> Sub for LaneVec3<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        L::difference(self, o)
    }
}
impl<L: Lane> Mul<L> for LaneVec3<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: L) -> Self {
        L::scaled(self, s)
    }
}
impl<L: Lane> Neg for LaneVec3<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<L: Lane> LaneQuat<L> {
    /// From components.
    #[inline(always)]
    pub fn new(x: L, y: L, z: L, w: L) -> Self {
        Self { x, y, z, w }
    }
    /// The same quaternion in every lane.
    #[inline(always)]
    pub fn splat(q: Quat) -> Self {
        let [x, y, z, w] = q.to_array().map(L::splat);
        Self::new(x, y, z, w)
    }
    /// No rotation.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::new(L::splat(0.0), L::splat(0.0), L::splat(0.0), L::splat(1.0))
    }
    /// From a vector part and a scalar part.
    #[inline(always)]
    pub fn from_parts(v: LaneVec3<L>, w: L) -> Self {
        Self::new(v.x, v.y, v.z, w)
    }
    /// Vector part.
    #[inline(always)]
    pub fn vector(self) -> LaneVec3<L> {
        LaneVec3::new(self.x, self.y, self.z)
    }
    /// Four-component inner product, as the sum of two sums of two: the order in which a register
    /// of four is added.
    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        L::inner4(self, o)
    }
    /// Unit quaternion along `self`; the length must not be zero.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        self * (L::splat(1.0) / self.dot(self).root())
    }
    /// Unit quaternion along `self`, with the bits of `glam`'s `normalize`, which adds the squares
    /// in order.
    #[inline(always)]
    pub(crate) fn normalize_in_order(self) -> Self {
        let size2 = self.x * self.x + self.y * self.y + self.z * self.z + self.w * self.w;
        self * (L::splat(1.0) / size2.root())
    }
    /// Rotates a vector, with the bits of `glam`'s `Quat::mul_vec3`.
    #[inline(always)]
    pub(crate) fn turn(self, v: LaneVec3<L>) -> LaneVec3<L> {
        let (axis, two) = (self.vector(), L::splat(2.0));
        v * (self.w * self.w - axis.dot(axis)) + axis * (v.dot(axis) * two) + axis.cross(v) * (self.w * two)
    }
    /// The inverse of a unit quaternion.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        L::conjugate(self)
    }
    /// Hamilton product with the pure quaternion that has `v` as its vector part.
    #[inline(always)]
    pub fn times_pure(self, v: LaneVec3<L>) -> Self {
        Self::new(
            self.w * v.x + self.y * v.z - self.z * v.y,
            self.w * v.y + self.z * v.x - self.x * v.z,
            self.w * v.z + self.x * v.y - self.y * v.x,
            -(self.x * v.x + self.y * v.y + self.z * v.z),
        )
    }
    /// Rotates a vector.
    #[inline(always)]
    pub fn rotate(self, v: LaneVec3<L>) -> LaneVec3<L> {
        L::turned(self, v)
    }
    /// Rotates two vectors by the inverse: fewer operations than one after the other.
    #[inline(always)]
    pub fn unrotate2(self, v: [LaneVec3<L>; 2]) -> [LaneVec3<L>; 2] {
        let one = L::splat(1.0);
        let (x2, y2, z2) = (self.x + self.x, self.y + self.y, self.z + self.z);
        let (xx, yy, zz) = (self.x * x2, self.y * y2, self.z * z2);
        let (xy, xz, yz) = (self.x * y2, self.x * z2, self.y * z2);
        let (wx, wy, wz) = (self.w * x2, self.w * y2, self.w * z2);
        let x = LaneVec3::new(one - (yy + zz), xy + wz, xz - wy);
        let y = LaneVec3::new(xy - wz, one - (xx + zz), yz + wx);
        let z = LaneVec3::new(xz + wy, yz - wx, one - (xx + yy));
        let [a, b] = v;
        [LaneVec3::new(x.dot(a), y.dot(a), z.dot(a)), LaneVec3::new(x.dot(b), y.dot(b), z.dot(b))]
    }
    /// `if_true` where `mask`, else `if_false`.
    #[inline(always)]
    pub fn select(mask: L::Mask, if_true: Self, if_false: Self) -> Self {
        Self::new(
            L::select(mask, if_true.x, if_false.x),
            L::select(mask, if_true.y, if_false.y),
            L::select(mask, if_true.z, if_false.z),
            L::select(mask, if_true.w, if_false.w),
        )
    }
    /// Rotation about the unit `axis` by `angle` radians.
    #[inline(always)]
    pub fn from_axis_angle(axis: LaneVec3<L>, angle: L) -> Self {
        let half = angle * L::splat(0.5);
        let (sine, cosine) = float::sin_cos(half);
        Self::from_parts(axis * sine, cosine)
    }
    /// Shortest rotation that takes the unit vector `from` to the unit vector `to`; where they are
    /// opposite, a half turn about `fallback_axis` (unit, at right angles to `from`).
    #[inline(always)]
    pub fn arc(from: LaneVec3<L>, to: LaneVec3<L>, fallback_axis: LaneVec3<L>) -> Self {
        let cosine = from.dot(to);
        let v = from.cross(to);
        // Near a half turn much of a short cross product is rounding: what of it is along `from`
        // would turn `from` out of its way.
        let v = LaneVec3::select(cosine.lt(L::splat(-0.999)), v.reject_from(from), v);
        let sine2 = v.dot(v);
        // 1 + cos cancels near a half turn; sin² / (1 − cos) is the same number without the
        // cancellation.
        let one = L::splat(1.0);
        let w = L::select(cosine.lt(L::splat(0.0)), sine2 / (one - cosine.min(L::splat(0.0))), one + cosine);
        // Below a sine of 1e-7 the cross product is rounding noise.
        let opposite = sine2.lt(L::splat(1e-14)).and(cosine.lt(L::splat(0.0)));
        let q = Self::select(opposite, Self::from_parts(fallback_axis, L::splat(0.0)), Self::from_parts(v, w));
        q.normalize()
    }
    /// Rotation that takes the orthonormal pair (`a0`, `b0`) to the orthonormal pair (`a1`, `b1`).
    ///
    /// Both pairs are completed to frames, the rotation matrix is `F1 · F0ᵀ`, and the quaternion is
    /// computed from the largest of the four diagonal combinations (Shepperd 1978, "Quaternion from
    /// rotation matrix"), so no component is lost to cancellation.
    #[inline(always)]
    pub fn from_frames(a0: LaneVec3<L>, b0: LaneVec3<L>, a1: LaneVec3<L>, b1: LaneVec3<L>) -> Self {
        let c0 = a0.cross(b0);
        let c1 = a1.cross(b1);
        let m = |r1: [L; 3], r0: [L; 3]| r1[0] * r0[0] + r1[1] * r0[1] + r1[2] * r0[2];
        let (x1, y1, z1) = ([a1.x, b1.x, c1.x], [a1.y, b1.y, c1.y], [a1.z, b1.z, c1.z]);
        let (x0, y0, z0) = ([a0.x, b0.x, c0.x], [a0.y, b0.y, c0.y], [a0.z, b0.z, c0.z]);
        let (m00, m01, m02) = (m(x1, x0), m(x1, y0), m(x1, z0));
        let (m10, m11, m12) = (m(y1, x0), m(y1, y0), m(y1, z0));
        let (m20, m21, m22) = (m(z1, x0), m(z1, y0), m(z1, z0));
        let one = L::splat(1.0);
        let (dw, dx) = (one + m00 + m11 + m22, one + m00 - m11 - m22);
        let (dy, dz) = (one - m00 + m11 - m22, one - m00 - m11 + m22);
        let qw = Self::new(m21 - m12, m02 - m20, m10 - m01, dw);
        let qx = Self::new(dx, m10 + m01, m02 + m20, m21 - m12);
        let qy = Self::new(m10 + m01, dy, m21 + m12, m02 - m20);
        let qz = Self::new(m02 + m20, m21 + m12, dz, m10 - m01);
        let best_wx = Self::select(dw.lt(dx), qx, qw);
        let best_yz = Self::select(dy.lt(dz), qz, qy);
        Self::select(dw.max(dx).lt(dy.max(dz)), best_yz, best_wx).normalize()
    }
}

impl LaneQuat<f32> {
    /// As a single-lane quaternion.
    #[inline(always)]
    pub fn from_quat(q: Quat) -> Self {
        Self::new(q.x, q.y, q.z, q.w)
    }
    /// Back to the public quaternion type.
    #[inline(always)]
    pub fn to_quat(self) -> Quat {
        Quat::from_xyzw(self.x, self.y, self.z, self.w)
    }
}

impl LaneQuat<F32x4> {
    /// Four quaternions.
    #[inline(always)]
    pub(crate) fn of([a, b, c, d]: [Quat; 4]) -> Self {
        Self::new(
            F32x4([a.x, b.x, c.x, d.x]),
            F32x4([a.y, b.y, c.y, d.y]),
            F32x4([a.z, b.z, c.z, d.z]),
            F32x4([a.w, b.w, c.w, d.w]),
        )
    }
    /// One of the four.
    #[inline(always)]
    pub(crate) fn at(&self, lane: usize) -> Quat {
        Quat::from_xyzw(self.x.0[lane], self.y.0[lane], self.z.0[lane], self.w.0[lane])
    }
}

impl<L: Lane> Mul for LaneQuat<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        L::product(self, o)
    }
}
impl<L: Lane> Add for LaneQuat<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z, self.w + o.w)
    }
}
impl<L: Lane> Sub for LaneQuat<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z, self.w - o.w)
    }
}
impl<L: Lane> Mul<L> for LaneQuat<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: L) -> Self {
        L::scaled4(self, s)
    }
}
