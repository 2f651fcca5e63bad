//! Numbers within their ranges: counts, joints, weights, angles, vectors, rotations.

use crate::animator::Animator;
use crate::ffi::convert::as_transform;
use crate::ffi::guard::Failure;
use crate::ffi::result::SinewResult;
use crate::ffi::types::{SinewQuat, SinewTransform, SinewVec3};
use crate::math::{Frame, Quat, Transform, Vec3};
use crate::skeleton::Skeleton;
use core::f32::consts::{PI, TAU};
use core::fmt::Display;
use wide::{CmpGe, CmpLe, f32x4};

/// A length that must be a certain one.
pub(in crate::ffi) fn length(argument: &str, given: u32, expected: usize) -> Result<(), Failure> {
    if given as usize == expected {
        return Ok(());
    }
    Err(Failure::new(
        SinewResult::SinewErrorLengthMismatch,
        format_args!("{argument} is {given}, the skeleton has {expected} joints"),
    ))
}

/// A joint index.
#[inline(always)]
pub(in crate::ffi) fn joint(argument: impl Display, given: u32, joints: usize) -> Result<usize, Failure> {
    if (given as usize) < joints { Ok(given as usize) } else { Err(no_joint(argument, given, joints)) }
}
#[cold]
#[inline(never)]
fn no_joint(argument: impl Display, given: u32, joints: usize) -> Failure {
    Failure::new(
        SinewResult::SinewErrorOutOfRange,
        format_args!("{argument} is {given}, the skeleton has {joints} joints"),
    )
}

/// A joint index, or -1 for none.
pub(in crate::ffi) fn optional_joint(argument: &str, given: i32, joints: usize) -> Result<Option<usize>, Failure> {
    match u32::try_from(given) {
        Ok(index) => joint(argument, index, joints).map(Some),
        Err(_) if given == -1 => Ok(None),
        Err(_) => Err(Failure::new(
            SinewResult::SinewErrorOutOfRange,
            format_args!("{argument} is {given}, the skeleton has {joints} joints"),
        )),
    }
}

/// Bits of which only some have a meaning.
pub(in crate::ffi) fn flags(argument: &str, given: u32, known: u32) -> Result<(), Failure> {
    if given & !known == 0 {
        return Ok(());
    }
    Err(Failure::argument(format_args!("{argument} is {given:#x}, which has unknown bits")))
}

/// Index of the parent of joint `index`: lower than its own, or -1 for none.
pub(in crate::ffi) fn parent(argument: &str, index: usize, given: i32) -> Result<Option<usize>, Failure> {
    match usize::try_from(given) {
        Ok(parent) if parent < index => Ok(Some(parent)),
        Err(_) if given == -1 => Ok(None),
        _ => Err(Failure::new(
            SinewResult::SinewErrorInvalidParent,
            format_args!("{argument}[{index}] is {given}; it must be -1 or an index below {index}"),
        )),
    }
}

/// Number of joints of a rig given as arrays.
pub(in crate::ffi) fn joint_count(argument: &str, given: u32) -> Result<usize, Failure> {
    match given as usize {
        count @ 1..=Skeleton::MAX_JOINTS => Ok(count),
        count => Err(Failure::new(
            SinewResult::SinewErrorInvalidArgument,
            format_args!("{argument} is {count}, not 1 to {}", Skeleton::MAX_JOINTS),
        )),
    }
}

/// A number within bounds; `f32::MAX` is no bound.
pub(in crate::ffi) fn between(argument: &str, value: f32, least: f32, most: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    if most >= f32::MAX {
        return Err(Failure::argument(format_args!("{argument} is {value}, not {least} or more")));
    }
    Err(Failure::argument(format_args!("{argument} is {value}, not {least} to {most}")))
}

/// An angle in radians, at most a full turn either way. A greater one was most likely meant in
/// degrees. Not for angles that may wind up over many turns: a pole's swivel, the roll along a
/// spline.
pub(in crate::ffi) fn angle_rad(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if value.abs() <= TAU {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, beyond a full turn of 2 pi: is it in radians?")))
}

/// An angle in radians, from 0 to pi.
pub(in crate::ffi) fn half_turn_rad(argument: &str, value: f32) -> Result<f32, Failure> {
    between(argument, angle_rad(argument, value)?, 0.0, PI)
}

/// A count within bounds.
pub(in crate::ffi) fn within(argument: &str, given: u32, least: u32, most: u32) -> Result<u32, Failure> {
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    Err(Failure::argument(format_args!("{argument} is {given}, not {least} to {most}")))
}

#[inline(always)]
pub(super) fn finite(argument: impl Display, value: f32) -> Result<f32, Failure> {
    if value.is_finite() { Ok(value) } else { Err(not_a_number(argument, value)) }
}
#[cold]
#[inline(never)]
fn not_a_number(argument: impl Display, value: f32) -> Failure {
    Failure::new(SinewResult::SinewErrorNotFinite, format_args!("{argument} is {value}"))
}

/// A result about to be handed out. Finite numbers can have products and sums that are not.
pub(in crate::ffi) fn computed<T: Computed>(argument: &str, value: T) -> Result<T, Failure> {
    if value.is_sound() { Ok(value) } else { Err(overflowed(argument)) }
}
#[cold]
#[inline(never)]
fn overflowed(argument: &str) -> Failure {
    let message = format_args!("{argument} would not be finite: the numbers of the pose or the root are too large");
    Failure::new(SinewResult::SinewErrorNotFinite, message)
}

/// Frames of an animator's joints about to be handed out, each as `place` maps it: see
/// [`computed`]. Brings them up to date.
pub(in crate::ffi) fn computed_frames(
    argument: &str,
    animator: &mut Animator,
    place: impl Fn(&Frame) -> Frame,
) -> Result<(), Failure> {
    // No product of numbers up to 1e18 overflows, so that most poses are not mapped here.
    let are_ordinary = place(&Frame::IDENTITY).is_within(ORDINARY) && animator.frames_are_within(ORDINARY);
    if are_ordinary || animator.updated_frames().all(|frame| place(&frame).is_within(f32::MAX)) {
        return Ok(());
    }
    Err(overflowed(argument))
}
/// Size of the numbers that are never refused.
const ORDINARY: f32 = 1e18;

/// What [`computed`] can check.
pub(in crate::ffi) trait Computed {
    fn is_sound(&self) -> bool;
}
impl Computed for &[Frame] {
    #[inline(always)]
    fn is_sound(&self) -> bool {
        self.iter().all(|frame| frame.is_within(f32::MAX))
    }
}
impl Computed for Vec3 {
    #[inline(always)]
    fn is_sound(&self) -> bool {
        are_finite(self.to_array())
    }
}
impl Computed for [f32; 4] {
    #[inline(always)]
    fn is_sound(&self) -> bool {
        are_finite(*self)
    }
}
impl Computed for Quat {
    #[inline(always)]
    fn is_sound(&self) -> bool {
        are_finite(self.to_array())
    }
}
/// Whether all numbers are finite: zero times another is NaN, which the sum keeps.
#[inline(always)]
fn are_finite<const N: usize>(numbers: [f32; N]) -> bool {
    numbers.into_iter().fold(0.0, |sum, number| sum + number * 0.0) == 0.0
}

/// Whether all four are in 0 … 1.
#[inline(always)]
pub(in crate::ffi) fn are_fractions(numbers: [f32; 4]) -> bool {
    let numbers = f32x4::new(numbers);
    (numbers.cmp_ge(f32x4::ZERO) & numbers.cmp_le(f32x4::ONE)).move_mask() == 0xf
}

// A failure has room for its message. So what succeeds is inlined, and what fails is not: else the
// room is copied with every result.

/// A point or vector.
#[inline(always)]
pub(in crate::ffi) fn vec3(argument: impl Display, v: &SinewVec3) -> Result<Vec3, Failure> {
    let value: Vec3 = (*v).into();
    if are_finite(value.to_array()) { Ok(value) } else { Err(not_finite(argument, v)) }
}
#[cold]
#[inline(never)]
fn not_finite(argument: impl Display, v: &SinewVec3) -> Failure {
    let (member, value) = [("x", v.x), ("y", v.y)].into_iter().find(|(_, n)| !n.is_finite()).unwrap_or(("z", v.z));
    Failure::new(SinewResult::SinewErrorNotFinite, format_args!("{argument}.{member} is {value}"))
}

/// A rotation, normalised.
#[inline(always)]
pub(in crate::ffi) fn quat(argument: impl Display, q: &SinewQuat) -> Result<Quat, Failure> {
    let value: Quat = (*q).into();
    if is_rotation(value) { Ok(value.normalize()) } else { Err(no_rotation(argument, q, value.length())) }
}
/// The same; one that is unit to rounding stays as it is, so that a value that was read back is the
/// same when it is set again.
pub(in crate::ffi) fn unit_quat(argument: impl Display, q: &SinewQuat) -> Result<Quat, Failure> {
    let value: Quat = (*q).into();
    let is_unit = (value.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON;
    if is_unit { Ok(value) } else { quat(argument, q) }
}
/// Whether a quaternion has a length; false also where a number is not finite.
#[inline(always)]
fn is_rotation(value: Quat) -> bool {
    let length = value.length();
    length > Skeleton::MIN_QUATERNION_LENGTH && length < 1.0 / Skeleton::MIN_QUATERNION_LENGTH
}
#[cold]
#[inline(never)]
fn no_rotation(argument: impl Display, q: &SinewQuat, length: f32) -> Failure {
    for (member, value) in [("x", q.x), ("y", q.y), ("z", q.z), ("w", q.w)] {
        if let Err(failure) = finite(format_args!("{argument}.{member}"), value) {
            return failure;
        }
    }
    Failure::new(
        SinewResult::SinewErrorInvalidRotation,
        format_args!("{argument} ({}, {}, {}, {}) has length {length}", q.x, q.y, q.z, q.w),
    )
}

/// A transform, its rotation normalised.
#[inline(always)]
pub(in crate::ffi) fn transform(argument: impl Display, t: &SinewTransform) -> Result<Transform, Failure> {
    let value = *as_transform(t);
    if value.is_finite() {
        // A unit rotation, which most are, need not wait for a root and a division.
        if value.rotation.length_squared() == 1.0 {
            return Ok(value);
        }
        if is_rotation(value.rotation) {
            return Ok(Transform { rotation: value.rotation.normalize(), ..value });
        }
    }
    Err(no_transform(argument, t))
}
#[cold]
#[inline(never)]
fn no_transform(argument: impl Display, t: &SinewTransform) -> Failure {
    let found = vec3(format_args!("{argument}.position"), &t.position)
        .and_then(|_| quat(format_args!("{argument}.rotation"), &t.rotation))
        .and_then(|_| vec3(format_args!("{argument}.scale"), &t.scale));
    found.map_or_else(|failure| failure, |_| Failure::argument(argument))
}

/// A weight: finite; the range is limited further in.
#[inline(always)]
pub(in crate::ffi) fn weight(argument: impl Display, value: f32) -> Result<f32, Failure> {
    finite(argument, value)
}

/// A fraction that must be in 0 … 1.
pub(in crate::ffi) fn fraction(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Failure::new(SinewResult::SinewErrorInvalidArgument, format_args!("{argument} is {value}, not 0 to 1")))
}

/// A number that must not be negative.
pub(in crate::ffi) fn not_negative(argument: &str, value: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, below 0")))
}

/// A number that must be above zero.
pub(in crate::ffi) fn above_zero(argument: &str, value: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, not above 0")))
}

/// A direction that must be given, normalised.
pub(in crate::ffi) fn direction(argument: impl Display, v: &SinewVec3) -> Result<Vec3, Failure> {
    let given = vec3(&argument, v)?;
    let unit = crate::math::normalize_or(given, Vec3::ZERO);
    if unit != Vec3::ZERO {
        return Ok(unit);
    }
    Err(Failure::argument(format_args!("{argument} ({}, {}, {}) has no length", v.x, v.y, v.z)))
}

/// The same; one that is unit to rounding stays as it is: see [`unit_quat`].
pub(in crate::ffi) fn unit_direction(argument: impl Display, v: &SinewVec3) -> Result<Vec3, Failure> {
    let unit = direction(argument, v)?;
    Ok(crate::math::unit_or((*v).into(), unit))
}

/// A direction, normalised; zero means "not given".
pub(in crate::ffi) fn axis(argument: &str, v: SinewVec3) -> Result<Option<Vec3>, Failure> {
    let v = vec3(argument, &v)?;
    if v == Vec3::ZERO {
        return Ok(None);
    }
    Ok(Some(crate::math::normalize_or(v, Vec3::Y)))
}
