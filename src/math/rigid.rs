//! Frames without scale: a position and a rotation, and the step from a parent to its joint.
//!
//! ```text
//! position = P + R·p,   rotation = R·q
//! ```
//!
//! There are two implementations of the step with the same bits (`tests/animator/frames.rs`
//! compares them). [`Rigid`] has one number of several characters in each lane, for crowds.
//! [`step`] has the numbers of one joint side by side, a vector in one register of four numbers,
//! for a single character, which would leave seven of a crowd's eight lanes empty.
//!
//! A product of unit quaternions is not normalised at every joint: its length drifts by about 1e-7
//! per joint. Instead, an input rotation is normalised where its squared length is off by more than
//! 4e-7, and the product is tightened at every [`TIGHTENED_DEPTH`]th joint below the root, and
//! where a frame is read. All this depends only on the numbers and the skeleton. *Tightened* means
//! `q·(3 − |q|²)/2`, a step of Newton's method for `q/|q|`, which squares the relative error of the
//! length.

use super::dispatch::Level;
use super::eight_lane::{EightLane, EightTask};
use super::lane::{Lane, LaneMask};
use super::lane_types::{LaneQuat, LaneVec3};
use super::rotation::{unit_correction, unit_correction_with};
use super::transform::Transform;
use super::{Quat, Vec3};
use core::ops::{Add, Div, Mul, Sub};
use wide::{CmpEq, CmpLt, f32x4};

/// How far the squared length of a rotation may be from 1 to count as unit: more than the rounding
/// error of a normalisation.
pub const OFF_UNIT: f32 = 4e-7;

/// Joints whose depth in the skeleton is a multiple of this have their rotations tightened.
pub const TIGHTENED_DEPTH: usize = 8;

/// Position and rotation of a joint. In memory the seven numbers in this order, each `x y z` and `x
/// y z w`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Rigid<T> {
    /// Position, metres (host units).
    pub position: LaneVec3<T>,
    /// Rotation, unit.
    pub rotation: LaneQuat<T>,
}

impl<L: Lane> Rigid<L> {
    /// The frame of a joint whose local transform in `self` is `local`. The rotation is the plain
    /// product.
    #[inline(always)]
    pub fn then(&self, local: &Self) -> Self {
        Self {
            position: self.position + self.rotation.rotate(local.position),
            rotation: self.rotation * local.rotation,
        }
    }
    /// The same frame with its rotation, whose length must be close to 1, corrected towards unit
    /// length.
    #[inline(always)]
    pub fn tightened(&self) -> Self {
        Self { rotation: self.rotation * unit_correction(self.rotation.dot(self.rotation)), ..*self }
    }
    /// Mask of the lanes in which the rotation's squared length is within 4e-7 of 1.
    #[inline(always)]
    pub fn is_unit(&self) -> L::Mask {
        (self.rotation.dot(self.rotation) - L::splat(1.0)).abs().lt(L::splat(OFF_UNIT))
    }
    /// The same frame with its rotation normalised where its squared length is off by 4e-7 or more.
    #[inline(always)]
    pub fn made_unit(&self) -> Self {
        let unit = self.is_unit();
        if !unit.not().any() {
            return *self;
        }
        Self { rotation: LaneQuat::select(unit, self.rotation, self.rotation.normalize()), ..*self }
    }
}

impl Rigid<f32> {
    /// A transform without its scale, its rotation made unit.
    #[inline(always)]
    pub fn from_transform(t: &Transform) -> Self {
        Self::of_transform(t).made_unit()
    }
    /// A transform without its scale, its rotation as it is.
    #[inline(always)]
    pub fn of_transform(t: &Transform) -> Self {
        Self { position: LaneVec3::from_vec3(t.position), rotation: LaneQuat::from_quat(t.rotation) }
    }
}

/// A register of numbers in groups of four, one group per joint.
pub(crate) trait Fours:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Permutes each group: the numbers at these four places, in this order.
    fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self;
    /// The same four in each group.
    fn groups(of: [f32; 4]) -> Self;
    /// Exact square root.
    fn root(self) -> Self;
    /// Each group with the signs changed where these are negative.
    fn flipped(self, signs: [f32; 4]) -> Self;
}

impl Fours for f32x4 {
    #[inline(always)]
    fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self {
        let v = self.as_array_ref();
        Self::new([v[A], v[B], v[C], v[D]])
    }
    #[inline(always)]
    fn groups(of: [f32; 4]) -> Self {
        Self::new(of)
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn flipped(self, signs: [f32; 4]) -> Self {
        self ^ Self::new(signs)
    }
}

impl<E: EightLane> Fours for E {
    #[inline(always)]
    fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self {
        let v = self.numbers();
        Self::of_numbers([v[A], v[B], v[C], v[D], v[4 + A], v[4 + B], v[4 + C], v[4 + D]])
    }
    #[inline(always)]
    fn groups([a, b, c, d]: [f32; 4]) -> Self {
        Self::of_numbers([a, b, c, d, a, b, c, d])
    }
    #[inline(always)]
    fn root(self) -> Self {
        Lane::sqrt(self)
    }
    #[inline(always)]
    fn flipped(self, signs: [f32; 4]) -> Self {
        EightLane::flipped(self, Self::groups(signs))
    }
}

/// Two groups in one register.
#[inline(always)]
pub(crate) fn both<E: EightLane>(groups: [f32x4; 2]) -> E {
    E::of_numbers(*bytemuck::cast_ref(&groups))
}
/// A register's two groups.
#[inline(always)]
pub(crate) fn each<E: EightLane>(register: E) -> [f32x4; 2] {
    let [a, b, c, d, e, f, g, h] = register.numbers();
    [f32x4::new([a, b, c, d]), f32x4::new([e, f, g, h])]
}

/// A joint's frame in two groups: the position, whose fourth number is unspecified, and the
/// rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<F> {
    pub position: F,
    pub rotation: F,
}

/// [`Rigid::then`] with the numbers of a joint side by side.
#[inline(always)]
pub(crate) fn step<F: Fours>(parent: Placed<F>, local: Placed<F>) -> Placed<F> {
    Placed {
        position: parent.position + turned(parent.rotation, local.position),
        rotation: product(parent.rotation, local.rotation),
    }
}

/// Each group's vector, rotated by a quaternion.
#[inline(always)]
pub(crate) fn turned<F: Fours>(r: F, p: F) -> F {
    // A cross product whose components come out as z, x, y.
    let turned = r.pick::<1, 2, 0, 3>();
    let half = r * p.pick::<1, 2, 0, 3>() - turned * p;
    let zxy = half + half;
    let cross = zxy.pick::<1, 2, 0, 3>();
    let across = (r * zxy.pick::<2, 0, 1, 3>() - turned * cross).pick::<1, 2, 0, 3>();
    p + cross * r.pick::<3, 3, 3, 3>() + across
}

/// Each group's product of quaternions.
#[inline(always)]
pub(crate) fn product<F: Fours>(r: F, q: F) -> F {
    let [x, y, z] = [r.pick::<0, 0, 0, 0>(), r.pick::<1, 1, 1, 1>(), r.pick::<2, 2, 2, 2>()];
    let w = r.pick::<3, 3, 3, 3>();
    w * q
        + x * q.pick::<3, 2, 1, 0>().flipped([0.0, -0.0, 0.0, -0.0])
        + y * q.pick::<2, 3, 0, 1>().flipped([0.0, 0.0, -0.0, -0.0])
        + z * q.pick::<1, 0, 3, 2>().flipped([-0.0, 0.0, 0.0, -0.0])
}

/// Each group's conjugate quaternion.
#[inline(always)]
pub(crate) fn conjugate<F: Fours>(q: F) -> F {
    q.flipped([-0.0, -0.0, -0.0, 0.0])
}

/// Each group's cross product of vectors.
#[inline(always)]
pub(crate) fn cross<F: Fours>(a: F, b: F) -> F {
    (a * b.pick::<1, 2, 0, 3>() - a.pick::<1, 2, 0, 3>() * b).pick::<1, 2, 0, 3>()
}

/// The squared length of each group's quaternion, in all four places of the group.
#[inline(always)]
fn length_squared<F: Fours>(q: F) -> F {
    let squares = q * q;
    let pairs = squares + squares.pick::<1, 0, 3, 2>();
    pairs + pairs.pick::<2, 3, 0, 1>()
}

/// Each group's unit quaternion.
#[inline(always)]
pub(crate) fn normalize<F: Fours>(q: F) -> F {
    q * (F::groups([1.0; 4]) / length_squared(q).root())
}

/// Each group's quaternion, whose length must be close to 1, corrected towards unit length.
#[inline(always)]
pub(crate) fn tightened<F: Fours>(q: F) -> F {
    q * unit_correction_with(length_squared(q), |number| F::groups([number; 4]))
}

/// A quaternion as a register.
#[inline(always)]
pub(crate) fn of_quat(q: Quat) -> f32x4 {
    f32x4::new(q.to_array())
}
/// The reverse of [`of_quat`].
#[inline(always)]
pub(crate) fn to_quat(q: f32x4) -> Quat {
    Quat::from_array(*q.as_array_ref())
}
/// `a · b` in registers, with the bits of `glam`'s product of numbers.
#[inline(always)]
pub(crate) fn times(a: Quat, b: Quat) -> Quat {
    to_quat(product(of_quat(a), of_quat(b)))
}
/// [`times`], made unit.
#[inline(always)]
pub(crate) fn unit_times(a: Quat, b: Quat) -> Quat {
    to_quat(normalize_in_order(product(of_quat(a), of_quat(b))))
}
/// A vector turned in registers, with the bits of `glam`'s `Quat::mul_vec3`.
#[inline(always)]
pub(crate) fn turn_vec3(q: Quat, v: Vec3) -> Vec3 {
    let b = Vec3::new(q.x, q.y, q.z);
    let (axis, vector) = (of_quat(q), of_vec3(v));
    let along = vector * f32x4::splat(q.w * q.w - b.dot(b)) + axis * f32x4::splat(v.dot(b) * 2.0);
    to_vec3(along + cross(axis, vector) * f32x4::splat(q.w * 2.0))
}
/// A vector as a register, its fourth number 0.
#[inline(always)]
pub(crate) fn of_vec3(v: Vec3) -> f32x4 {
    f32x4::new([v.x, v.y, v.z, 0.0])
}
/// The reverse of [`of_vec3`].
#[inline(always)]
pub(crate) fn to_vec3(v: f32x4) -> Vec3 {
    let [x, y, z, _] = *v.as_array_ref();
    Vec3::new(x, y, z)
}

/// Four numbers of a record, from place `AT`.
#[inline(always)]
pub(crate) fn four<const AT: usize>(t: &Transform) -> f32x4 {
    let numbers: &[f32; 10] = bytemuck::cast_ref(t);
    // Read as one piece: built number by number, the compiler splits it into scalars.
    numbers[AT..].first_chunk::<4>().map_or(f32x4::ZERO, |four| f32x4::new(*four))
}

/// Position and rotation of a record, as it has them.
#[inline(always)]
pub(crate) fn seven(t: &Transform) -> [f32; 7] {
    let numbers: &[f32; 10] = bytemuck::cast_ref(t);
    numbers.first_chunk().copied().unwrap_or_default()
}

/// Position, rotation and the scale's first number of eight records, each number of all eight side
/// by side.
#[inline(always)]
pub(crate) fn columns<E: EightLane>(records: [&Transform; 8]) -> [E; 8] {
    E::transpose(records.map(|t| {
        let numbers: &[f32; 10] = bytemuck::cast_ref(t);
        numbers.first_chunk::<8>().map_or(E::splat(0.0), |eight| E::of_numbers(*eight))
    }))
}

/// The reverse of [`columns`]: the first eight numbers of each character's record, from transforms
/// without scale.
#[inline(always)]
pub(crate) fn records<E: EightLane>(of: &Rigid<E>) -> [E; 8] {
    let (p, r) = (&of.position, &of.rotation);
    E::transpose([p.x, p.y, p.z, r.x, r.y, r.z, r.w, E::splat(1.0)])
}

/// Writes a record's first eight numbers.
#[inline(always)]
pub(crate) fn put_record(t: &mut Transform, eight: impl EightLane) {
    let numbers: &mut [f32; 10] = bytemuck::cast_mut(t);
    if let Some(room) = numbers.first_chunk_mut::<8>() {
        *room = eight.numbers();
    }
}

/// Whether a transform has a scale.
#[inline(always)]
pub(crate) fn is_scaled(t: &Transform) -> bool {
    // The group begins with the rotation's last number.
    any_scaled(add_scale(unscaled(), t))
}

/// A transform without its scale, its rotation as it is.
#[inline(always)]
pub(crate) fn placed_plain(t: &Transform) -> Placed<f32x4> {
    Placed { position: four::<0>(t), rotation: four::<3>(t) }
}

/// A transform without its scale, its rotation made unit.
#[inline(always)]
pub(crate) fn placed(t: &Transform) -> Placed<f32x4> {
    Placed { position: four::<0>(t), rotation: made_unit(four::<3>(t)) }
}

/// A quaternion, normalised where its squared length is off by 4e-7 or more.
#[inline(always)]
fn made_unit(rotation: f32x4) -> f32x4 {
    let unit = (length_squared(rotation) - f32x4::splat(1.0)).abs().cmp_lt(f32x4::splat(OFF_UNIT));
    // All four are true or none is.
    if unit.move_mask() == 0 { normalize(rotation) } else { rotation }
}

/// A unit quaternion with the bits of `glam`'s `normalize`, which adds the squares in order.
#[inline(always)]
pub(crate) fn normalize_in_order(q: f32x4) -> f32x4 {
    q * f32x4::splat(1.0 / squares_in_order(q).sqrt())
}
#[inline(always)]
fn squares_in_order(q: f32x4) -> f32 {
    let [x, y, z, w] = *(q * q).as_array_ref();
    x + y + z + w
}

/// The rotation of a transform without scale as a frame: the bits of [`Frame::from_transform`] of
/// the transform with its rotation normalised. `None` for a transform with a scale.
///
/// [`Frame::from_transform`]: super::Frame::from_transform
#[inline(always)]
pub(crate) fn frame_rotation(t: &Transform) -> Option<f32x4> {
    if is_scaled(t) {
        return None;
    }
    // Where the squares add up to 1 a quaternion is divided by 1: its bits need not wait for a root
    // and a division.
    let given = four::<3>(t);
    let unit = if squares_in_order(given) == 1.0 { given } else { made_unit(normalize_in_order(given)) };
    let turned = product(f32x4::new([0.0, 0.0, 0.0, 1.0]), unit);
    let is_one = length_squared(turned).cmp_eq(f32x4::splat(1.0)).move_mask() != 0;
    Some(if is_one { turned } else { normalize(turned) })
}

/// Accumulates the scale check over many transforms; see [`any_scaled`].
#[inline(always)]
pub(crate) fn add_scale(unscaled: f32x4, t: &Transform) -> f32x4 {
    unscaled & four::<6>(t).cmp_eq(f32x4::splat(1.0))
}
/// Initial value for [`add_scale`].
#[inline(always)]
pub(crate) fn unscaled() -> f32x4 {
    f32x4::ZERO.cmp_eq(f32x4::ZERO)
}
/// Whether one of the accumulated transforms has a scale.
#[inline(always)]
pub(crate) fn any_scaled(unscaled: f32x4) -> bool {
    unscaled.move_mask() & 0b1110 != 0b1110
}

impl Transform {
    /// Whether all ten numbers are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // Zero times a finite number is zero; times infinity or NaN it is NaN, which the sum keeps.
        // One test covers ten numbers.
        let zero = f32x4::ZERO;
        let nothing = four::<0>(self) * zero + four::<3>(self) * zero + four::<6>(self) * zero;
        nothing.cmp_eq(zero).move_mask() == 0b1111
    }
}

/// Whether all numbers of a transform are finite, its rotation is unit within the tolerance, and
/// its scale is 1.
#[inline(always)]
pub(crate) fn is_plain(t: &Transform) -> bool {
    let zero = f32x4::ZERO;
    // The fourth number is the rotation's first, which must be finite, too.
    let finite = (four::<0>(t) * zero).cmp_eq(zero);
    let unit = (length_squared(four::<3>(t)) - f32x4::splat(1.0)).abs().cmp_lt(f32x4::splat(OFF_UNIT));
    let plain = four::<6>(t).cmp_eq(f32x4::splat(1.0));
    (finite & unit).move_mask() & (plain.move_mask() | 0b0001) == 0b1111
}

/// Size of the numbers of near positions: those of any frames composed of them are below 1e18.
const NEAR: f32 = 1e12;

/// Whether all rotations are unit within the tolerance, and all scales 1; and with `NEAR`, whether
/// all positions are near, too. Cheaper than [`is_plain`] one at a time.
#[inline(always)]
pub(crate) fn are_plain<const NEAR: bool>(all: &[Transform]) -> bool {
    Level::for_one().run_eight(ArePlain::<NEAR>(all))
}

struct ArePlain<'a, const NEAR: bool>(&'a [Transform]);

impl<const NEAR: bool> EightTask for ArePlain<'_, NEAR> {
    type Output = bool;
    #[inline(always)]
    fn run<E: EightLane>(self) -> bool {
        are_plain_in::<E, NEAR>(self.0)
    }
}

#[inline(always)]
fn are_plain_in<E: EightLane, const MUST_BE_NEAR: bool>(all: &[Transform]) -> bool {
    let one = E::splat(1.0);
    let (eights, last) = all.as_chunks::<8>();
    let (mut unit, mut unscaled, mut near) = (one.equals(one), one.equals(one), one.equals(one));
    for eight in eights {
        let pairs = [0, 1, 2, 3].map(|i| [&eight[i], &eight[4 + i]]);
        let squares = pairs.map(|pair| placed_pair::<E>(pair).rotation).map(|q| q * q);
        // In the order of `length_squared`: the first two and the last two.
        let halves = [sums_of_two(squares[0], squares[1]), sums_of_two(squares[2], squares[3])];
        let length = sums_of_two(halves[0], halves[1]);
        unit = unit.and((length - one).abs().lt(E::splat(OFF_UNIT)));
        for pair in pairs {
            unscaled = unscaled.and(both::<E>(pair.map(four::<6>)).equals(one));
            if MUST_BE_NEAR {
                // The fourth number is the rotation's first.
                near = near.and(placed_pair::<E>(pair).position.abs().lt(E::splat(NEAR)));
            }
        }
    }
    // The number before the scale is the rotation's last.
    const SCALES: u8 = 0b1110_1110;
    unit.bits() == 0xff
        && unscaled.bits() & SCALES == SCALES
        && near.bits() == 0xff
        && last.iter().all(|t| is_plain(t) && (!MUST_BE_NEAR || t.position.abs().max_element() < NEAR))
}

/// The sums of the first and the last two numbers of each group of four: those of `a`, then those
/// of `b`.
#[inline(always)]
fn sums_of_two<E: EightLane>(a: E, b: E) -> E {
    let (a, b) = (a.numbers(), b.numbers());
    let picked = |i: usize| E::of_numbers([a[i], a[2 + i], b[i], b[2 + i], a[4 + i], a[6 + i], b[4 + i], b[6 + i]]);
    picked(0) + picked(1)
}

/// Two transforms side by side, without their scale.
#[inline(always)]
pub(crate) fn placed_pair<E: EightLane>(t: [&Transform; 2]) -> Placed<E> {
    Placed { position: both([four::<0>(t[0]), four::<0>(t[1])]), rotation: both([four::<3>(t[0]), four::<3>(t[1])]) }
}

/// Two transforms side by side; `None` when one has a scale or a rotation that is not unit.
#[inline(always)]
pub(crate) fn placed_plain_pair<E: EightLane>(t: [&Transform; 2]) -> Option<Placed<E>> {
    let pair = placed_pair::<E>(t);
    let unit = (length_squared(pair.rotation) - E::splat(1.0)).abs().lt(E::splat(OFF_UNIT));
    let plain = both::<E>([four::<6>(t[0]), four::<6>(t[1])]).equals(E::splat(1.0));
    // The number before the scale is the rotation's last.
    const ALL: u8 = 0b1110_1110;
    if unit.and(plain).bits() & ALL != ALL {
        return None;
    }
    Some(pair)
}
