//! Rotations of single joints: arcs, fractions, swing and twist, frames.

use super::float;
use super::lane::{Lane, LaneMask};
use super::lane_types::{LaneQuat, LaneVec3};
use super::{Quat, Vec3};
use core::ops::{Mul, Sub};

/// Unit vector along `v`, or `fallback` when `v` is shorter than 1e-20 (or not finite).
#[inline]
pub fn normalize_or(v: Vec3, fallback: Vec3) -> Vec3 {
    LaneVec3::from_vec3(v).normalize_or(LaneVec3::from_vec3(fallback), 1e-20).0.to_vec3()
}

/// [`normalize_or`]; a vector that is unit to rounding stays as it is, so that a value that was
/// read back is the same when it is set again.
#[inline]
pub(crate) fn unit_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let is_unit = (v.length_squared() - 1.0).abs() <= 8.0 * f32::EPSILON;
    if is_unit { v } else { normalize_or(v, fallback) }
}

/// `v` times a factor; `v` itself where that would overflow.
#[inline]
pub fn scaled_or_same(v: Vec3, factor: f32) -> Vec3 {
    let scaled = v * factor;
    if scaled.is_finite() { scaled } else { v }
}

/// Length of `v`, also where its square leaves the range of `f32`.
#[inline]
pub fn length(v: Vec3) -> f32 {
    LaneVec3::from_vec3(v).normalize_or(LaneVec3::zero(), 0.0).1
}

/// Length of `v`, whose square must be in the range of `f32`, for code that may run with AVX:
/// `Vec3::length` takes its root by an SSE instruction, which costs some 0.1 µs there.
#[inline(always)]
pub(crate) fn plain_length(v: Vec3) -> f32 {
    Lane::root(v.length_squared())
}

/// The unit quaternion along `q`, likewise.
#[inline(always)]
pub(crate) fn unit_quat(q: Quat) -> Quat {
    q * (1.0 / Lane::root(q.length_squared()))
}

/// Some unit vector at right angles to the unit vector `axis`.
#[inline]
pub fn perpendicular(axis: Vec3) -> Vec3 {
    LaneVec3::from_vec3(axis).any_perpendicular().to_vec3()
}

/// Rotation about the unit `axis` by `angle_rad`.
#[inline]
pub fn axis_angle(axis: Vec3, angle_rad: f32) -> Quat {
    LaneQuat::from_axis_angle(LaneVec3::from_vec3(axis), angle_rad).to_quat()
}

/// Shortest rotation from the unit vector `from` to the unit vector `to`; a half turn about some
/// perpendicular axis when they are opposite.
#[inline]
pub fn arc(from: Vec3, to: Vec3) -> Quat {
    LaneQuat::arc(LaneVec3::from_vec3(from), LaneVec3::from_vec3(to), LaneVec3::from_vec3(perpendicular(from)))
        .to_quat()
}

/// Rotation whose frame has its `z` axis along `forward` and its `y` axis as near to `up` as that
/// allows, in a world where `x = y × z` by the component formula (what Unity calls `LookRotation`).
/// Both inputs need not be unit; when they are parallel, an arbitrary perpendicular replaces `up`.
pub fn frame_rotation(forward: Vec3, up: Vec3) -> Quat {
    let z = normalize_or(forward, Vec3::Z);
    let y = normalize_or(up - z * z.dot(up), perpendicular(z));
    let lane = LaneVec3::from_vec3;
    LaneQuat::from_frames(lane(Vec3::Z), lane(Vec3::Y), lane(z), lane(y)).to_quat()
}

/// Angle in radians, 0 … π, of the rotation `q`.
#[inline]
pub fn rotation_angle(q: Quat) -> f32 {
    let v = Vec3::new(q.x, q.y, q.z);
    2.0 * float::atan2(plain_length(v), q.w.abs())
}

/// Axis times angle of the rotation `q`, radians, the short way round.
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let s = v.length();
    if s < 1e-9 { v * 2.0 } else { v * (2.0 * float::atan2(s, q.w) / s) }
}

/// The rotation by a rotation vector, any length: the inverse of [`rotation_vector`].
pub(crate) fn from_rotation_vector(v: Vec3) -> Quat {
    let angle = length(v);
    if angle < 1e-12 { Quat::IDENTITY } else { axis_angle(v / angle, angle) }
}

/// [`rotation_vector`] without root, quotient or arc tangent, relative error below 1e-6: see
/// [`rotation_factor`].
#[inline(always)]
pub(crate) fn short_rotation_vector(q: Quat) -> Vec3 {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let t = 1.0 - (q.w * sign).min(1.0);
    Vec3::new(q.x, q.y, q.z) * (rotation_factor(t) * sign)
}

/// The factor `2 acos(w)/√(1 − w²)` from a quaternion's vector part to its rotation vector, by `1 −
/// w`, 0 … 1: a polynomial fitted at the Chebyshev nodes.
#[inline(always)]
pub(crate) fn rotation_factor<L: Lane>(t: L) -> L {
    const FACTOR: [f32; 9] = [
        2.0,
        0.666_643_1,
        0.267_270_87,
        0.108_385_6,
        0.079_240_77,
        -0.052_254_583,
        0.123_520_5,
        -0.086_521_28,
        0.035_307_336,
    ];
    let mut sum = L::splat(FACTOR[8]);
    for i in (0..8).rev() {
        sum = sum * t + L::splat(FACTOR[i]);
    }
    sum
}

/// An angle brought to −π … π; the argument must be in −3π … 3π.
#[inline]
pub fn wrap_angle(angle_rad: f32) -> f32 {
    use core::f32::consts::{PI, TAU};
    if angle_rad > PI {
        angle_rad - TAU
    } else if angle_rad < -PI {
        angle_rad + TAU
    } else {
        angle_rad
    }
}

/// Angle in radians, −π … π, of the twist of `q` about the unit `axis`: that of the second factor
/// of [`swing_twist`]. 0 for a half-turn swing.
#[inline]
pub fn twist_angle(q: Quat, axis: Vec3) -> f32 {
    wrap_angle(2.0 * float::atan2(axis.x * q.x + axis.y * q.y + axis.z * q.z, q.w))
}

/// The rotation `q` with `weight` times its angle, the short way round; the identity at 0, `q` (or
/// −`q`) at 1.
#[inline]
pub fn fraction(q: Quat, weight: f32) -> Quat {
    lane_fraction(LaneQuat::from_quat(q), weight).to_quat()
}

/// [`fraction`] of several rotations side by side.
#[inline(always)]
pub fn lane_fraction<L: Lane>(q: LaneQuat<L>, weight: L) -> LaneQuat<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let q = q * one.copy_sign(q.w + zero);
    let v = q.vector();
    let size = v.length();
    let (sine, cosine) = float::sin_cos(float::atan2(size, q.w) * weight);
    let turned = LaneQuat::from_parts(v * (sine / size.max(L::splat(1e-12))), cosine);
    let part = LaneQuat::select(size.lt(L::splat(1e-12)), LaneQuat::identity(), turned);
    LaneQuat::select(weight.lt(one).or(one.lt(weight)), part, q)
}

/// Spherical interpolation from `from` to `to` at `weight` 0 … 1 along the shorter arc, with
/// constant speed. Exactly `from` at 0 and exactly `to` at 1.
#[inline]
pub fn slerp_short(from: Quat, to: Quat, weight: f32) -> Quat {
    lane_slerp_short(LaneQuat::from_quat(from), LaneQuat::from_quat(to), weight).to_quat()
}

/// [`slerp_short`] of several rotations side by side.
#[inline(always)]
pub fn lane_slerp_short<L: Lane>(from: LaneQuat<L>, to: LaneQuat<L>, weight: L) -> LaneQuat<L> {
    let begun = L::splat(0.0).lt(weight);
    let unfinished = weight.lt(L::splat(1.0));
    let ends = LaneQuat::select(begun, to, from);
    let between = begun.and(unfinished);
    if !between.any() {
        return ends;
    }
    let way = lane_fraction((to * from.conjugate()).normalize(), weight);
    LaneQuat::select(between, (way * from).normalize(), ends)
}

/// Splits `q = swing · twist`, the twist about the unit `axis` and the swing about an axis at right
/// angles to it. For a half-turn swing, where the split is not unique, the twist is the identity.
pub fn swing_twist(q: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = axis.x * q.x + axis.y * q.y + axis.z * q.z;
    let length = float::sqrt(along * along + q.w * q.w);
    if length < 1e-9 {
        return (q, Quat::IDENTITY);
    }
    let s = along / length;
    let twist = Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, q.w / length);
    ((q * twist.conjugate()).normalize(), twist)
}

/// Signs of a scale, each +1 or −1.
#[inline]
pub fn signs_of(scale: Vec3) -> Vec3 {
    let sign = |s: f32| if s < 0.0 { -1.0 } else { 1.0 };
    Vec3::new(sign(scale.x), sign(scale.y), sign(scale.z))
}

/// The rotation seen through a mirror: `D · R · D` for the diagonal matrix `D` with entries `signs`
/// (each +1 or −1).
#[inline]
pub fn conjugate_by_signs(q: Quat, signs: Vec3) -> Quat {
    Quat::from_xyzw(q.x * signs.y * signs.z, q.y * signs.z * signs.x, q.z * signs.x * signs.y, q.w)
}

/// Factor that corrects a nearly unit quaternion towards unit length, from its squared length:
/// `(3 − |q|²)/2`, a step of Newton's method for `1/|q|` that needs neither root nor division.
#[inline(always)]
pub fn unit_correction<L: Lane>(length_squared: L) -> L {
    unit_correction_with(length_squared, L::splat)
}

/// [`unit_correction`] for any number type; `splat` makes its constants.
#[inline(always)]
pub(super) fn unit_correction_with<T: Mul<Output = T> + Sub<Output = T>>(
    length_squared: T,
    splat: impl Fn(f32) -> T,
) -> T {
    splat(1.5) - length_squared * splat(0.5)
}
