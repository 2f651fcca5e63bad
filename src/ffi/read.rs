//! Arguments as they arrive, checked: the only place that follows the caller's pointers to arrays
//! and texts.
//!
//! The functions that do are unsafe. Their requirements are those of every C function
//! (docs/c-abi.md, "Arguments"): a pointer that is not NULL leads to as many records as the text of
//! its parameter states, for the length of the call, and no other thread writes them meanwhile.
//! Everything that crosses is [`ReprC`]: safer-ffi proves that a type has a C layout.

use super::c_types::c_char;
use super::guard::Failure;
use super::result::SinewResult;
use super::types::{
    SinewAvatarTarget, SinewChainSolver, SinewConstraintPlacement, SinewCurve, SinewDistanceMode, SinewFrameStep,
    SinewModelFrame, SinewPoseArrays, SinewPoseLayout, SinewQuat, SinewTransform, SinewVec3,
};
use crate::animator::{AvatarTarget, ConstraintPlacement, FrameStep};
use crate::chains::ChainSolver;
use crate::chains::spline::CurveKind;
use crate::constraints::DistanceMode;
use crate::humanoid::{HumanBone, IkGoal, IkHint};
use crate::math::{Quat, Transform, Vec3};
use crate::skeleton::Skeleton;
use crate::world::PoseArrays;
use core::f32::consts::{PI, TAU};
use core::ffi::CStr;
use core::fmt::Display;
use safer_ffi::layout::{CLayoutOf, ReprC, from_raw};
use wide::{CmpGe, CmpLe, f32x4, f32x8};

/// An array of `count` records, `count` not 0.
pub(super) unsafe fn array<'a, T: ReprC>(argument: &str, pointer: *const T, count: usize) -> Result<&'a [T], Failure> {
    check_pointer::<T>(argument, pointer, count)?;
    // SAFETY: not null, aligned; the caller vouches that `count` records are there for the length
    // of the call.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// Room for `count` records, `count` not 0. The caller's memory must have been written once (any
/// bytes do).
pub(super) unsafe fn array_mut<'a, T: ReprC>(
    argument: &str,
    pointer: *mut T,
    count: usize,
) -> Result<&'a mut [T], Failure> {
    check_pointer::<T>(argument, pointer, count)?;
    // SAFETY: as above, and no other code uses the memory during the call.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, count) })
}

/// Room for `count` records; `None` for a null pointer.
pub(super) unsafe fn optional_array_mut<'a, T: ReprC>(
    argument: &str,
    pointer: *mut T,
    count: usize,
) -> Result<Option<&'a mut [T]>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller vouches for the array.
    unsafe { array_mut(argument, pointer, count) }.map(Some)
}

pub(super) fn check_pointer<T>(argument: &str, pointer: *const T, count: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::null(argument));
    }
    if !pointer.is_aligned() {
        return Err(Failure::misaligned::<T>(argument));
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::new(
            SinewResult::SinewErrorInvalidArgument,
            format_args!("{argument}: {count} records do not fit in memory"),
        ));
    }
    Ok(())
}

/// The core's records over the header's: the same ten floats (see `convert`).
pub(super) fn as_transforms(records: &[SinewTransform]) -> &[Transform] {
    // SAFETY: size, alignment and field offsets are equal, checked at compile time; any bits are
    // valid floats.
    unsafe { core::slice::from_raw_parts(records.as_ptr().cast(), records.len()) }
}

/// The same, to be written.
pub(super) fn as_transforms_mut(records: &mut [SinewTransform]) -> &mut [Transform] {
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), records.len()) }
}

/// Frames as the numbers that they are.
pub(super) fn as_rows_mut(frames: &mut [SinewModelFrame]) -> &mut [[f32; 16]] {
    const _: () = assert!(size_of::<SinewModelFrame>() == 64 && align_of::<SinewModelFrame>() == 4);
    // SAFETY: a C struct of sixteen `f32` and nothing else, checked above.
    unsafe { core::slice::from_raw_parts_mut(frames.as_mut_ptr().cast(), frames.len()) }
}

/// A zero-terminated UTF-8 text.
pub(super) unsafe fn text<'a>(argument: impl Display, pointer: *const c_char) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::new(SinewResult::SinewErrorNullPointer, format_args!("{argument} is NULL")));
    }
    // SAFETY: the caller vouches for the terminating zero.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        Failure::new(
            SinewResult::SinewErrorInvalidText,
            format_args!("{argument} is not UTF-8 from byte {}", error.valid_up_to()),
        )
    })
}

/// Writes a zero-terminated text to the caller's memory, and how many bytes it needs.
pub(super) unsafe fn write_text(
    argument: &str,
    text: &str,
    out: *mut c_char,
    capacity: u32,
    out_length: &mut u32,
) -> Result<(), Failure> {
    let needed = text.len() + 1;
    if needed > capacity as usize {
        *out_length = needed as u32;
        return Err(Failure::new(
            SinewResult::SinewErrorBufferTooSmall,
            format_args!("capacity is {capacity}, the text needs {needed} bytes"),
        ));
    }
    // SAFETY: the caller vouches for the room.
    let out = unsafe { array_mut(argument, out.cast::<u8>(), needed) }?;
    out[..text.len()].copy_from_slice(text.as_bytes());
    out[text.len()] = 0;
    *out_length = needed as u32;
    Ok(())
}

/// Name number `index` of an array of names that may be missing as a whole.
pub(super) unsafe fn optional_name(names: *const *const c_char, index: usize) -> Result<String, Failure> {
    if names.is_null() {
        return Ok(String::new());
    }
    // SAFETY: the caller vouches that there is a name for each joint.
    let name = unsafe { names.add(index).read_unaligned() };
    // SAFETY: the caller vouches for the text.
    Ok(unsafe { text(format_args!("def.names[{index}]"), name) }?.to_owned())
}

/// Number of bytes of all names, NULL ones left out.
pub(super) unsafe fn bytes_of_names(names: *const *const c_char, count: usize) -> usize {
    if names.is_null() {
        return 0;
    }
    // SAFETY: the caller vouches that there is a name for each joint.
    let names = (0..count).map(|index| unsafe { names.add(index).read_unaligned() });
    // SAFETY: the caller vouches for the text.
    names.filter(|name| !name.is_null()).map(|name| unsafe { CStr::from_ptr(name) }.count_bytes()).sum()
}

/// A struct that came from its default function.
pub(super) fn struct_size(argument: impl Display, given: u32, expected: usize) -> Result<(), Failure> {
    if given as usize == expected {
        return Ok(());
    }
    Err(Failure::new(
        SinewResult::SinewErrorStructSize,
        format_args!("{argument} is {given}, not {expected}; fill the struct with its default function first"),
    ))
}

/// A struct that came from its default function, of this release or of an older one: `older` are
/// the sizes it once had, and what such a struct lacks is as in `filled`. Only as many bytes are
/// read as the struct states.
pub(super) unsafe fn sized<T: ReprC + Copy>(
    argument: &str,
    pointer: *const T,
    older: &[usize],
    mut filled: T,
) -> Result<T, Failure> {
    check_pointer::<T>(argument, pointer, 1)?;
    // SAFETY: not null, aligned; every such struct begins with its size.
    let given = unsafe { pointer.cast::<u32>().read() };
    if !older.contains(&(given as usize)) {
        struct_size(format_args!("{argument}.struct_size"), given, size_of::<T>())?;
    }
    // SAFETY: the caller vouches for as many bytes as the struct states; they are not more than T
    // has, and T is plain numbers and pointers.
    unsafe { core::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut filled).cast::<u8>(), given as usize) };
    Ok(filled)
}

/// A length that must be a certain one.
pub(super) fn length(argument: &str, given: u32, expected: usize) -> Result<(), Failure> {
    if given as usize == expected {
        return Ok(());
    }
    Err(Failure::new(
        SinewResult::SinewErrorLengthMismatch,
        format_args!("{argument} is {given}, the skeleton has {expected} joints"),
    ))
}

/// A joint index.
pub(super) fn joint(argument: impl Display, given: u32, joints: usize) -> Result<usize, Failure> {
    if (given as usize) < joints {
        return Ok(given as usize);
    }
    Err(Failure::new(
        SinewResult::SinewErrorOutOfRange,
        format_args!("{argument} is {given}, the skeleton has {joints} joints"),
    ))
}

/// A joint index, or -1 for none.
pub(super) fn optional_joint(argument: &str, given: i32, joints: usize) -> Result<Option<usize>, Failure> {
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
pub(super) fn flags(argument: &str, given: u32, known: u32) -> Result<(), Failure> {
    if given & !known == 0 {
        return Ok(());
    }
    Err(Failure::argument(format_args!("{argument} is {given:#x}, which has unknown bits")))
}

/// Index of the parent of joint `index`: lower than its own, or -1 for none.
pub(super) fn parent(argument: &str, index: usize, given: i32) -> Result<Option<usize>, Failure> {
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
pub(super) fn joint_count(argument: &str, given: u32) -> Result<usize, Failure> {
    match given as usize {
        count @ 1..=Skeleton::MAX_JOINTS => Ok(count),
        count => Err(Failure::new(
            SinewResult::SinewErrorInvalidArgument,
            format_args!("{argument} is {count}, not 1 to {}", Skeleton::MAX_JOINTS),
        )),
    }
}

/// Numbers from 0 to 1e6, one per joint, or none at all.
pub(super) unsafe fn shares<'a>(argument: &str, pointer: *const f32, count: u32) -> Result<&'a [f32], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if count as usize > Skeleton::MAX_JOINTS {
        return Err(Failure::new(
            SinewResult::SinewErrorLengthMismatch,
            format_args!("{argument} has {count} entries, more than a skeleton's joints"),
        ));
    }
    // SAFETY: the caller vouches for the array.
    let given = unsafe { array(argument, pointer, count as usize) }?;
    for (i, value) in given.iter().enumerate() {
        let value = finite(format_args!("{argument}[{i}]"), *value)?;
        if !(0.0..=1e6).contains(&value) {
            return Err(Failure::argument(format_args!("{argument}[{i}] is {value}, not 0 to 1e6")));
        }
    }
    Ok(given)
}

/// A number within bounds.
pub(super) fn between(argument: &str, value: f32, least: f32, most: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, not {least} to {most}")))
}

/// An angle in radians, at most a full turn either way. A greater one was most likely meant in
/// degrees. Not for angles that may wind up over many turns: a pole's swivel, the roll along a
/// spline.
pub(super) fn angle_rad(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if value.abs() <= TAU {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, beyond a full turn of 2 pi: is it in radians?")))
}

/// An angle in radians, from 0 to pi.
pub(super) fn half_turn_rad(argument: &str, value: f32) -> Result<f32, Failure> {
    between(argument, angle_rad(argument, value)?, 0.0, PI)
}

/// A count within bounds.
pub(super) fn within(argument: &str, given: u32, least: u32, most: u32) -> Result<u32, Failure> {
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    Err(Failure::argument(format_args!("{argument} is {given}, not {least} to {most}")))
}

fn finite(argument: impl Display, value: f32) -> Result<f32, Failure> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(Failure::new(SinewResult::SinewErrorNotFinite, format_args!("{argument} is {value}")))
}

/// Numbers of jobs and of records that are solved in place are at most this large: squares of
/// larger ones, and what the solvers make of them, would not be finite.
const LARGEST: f32 = 1e18;

/// Whether the squares of at least eight numbers are well below what f32 can hold. False also for
/// some numbers that are allowed: near [`LARGEST`], [`check_numbers`] decides.
#[inline(always)]
fn are_moderate<const N: usize>(numbers: &[f32; N]) -> bool {
    const { assert!(N >= 8) };
    // In whole rows, of which the last may begin before the one before it ends.
    let row = |at: usize| numbers[at..].first_chunk::<8>().map_or(f32x8::ZERO, |row| f32x8::new(*row));
    let last = row(N - 8);
    let mut squares = last * last;
    for at in (0..N - 8).step_by(8) {
        let row = row(at);
        squares += row * row;
    }
    squares.cmp_le(f32x8::splat(LARGEST * LARGEST)).move_mask() == 0xff
}

/// A job that came from its default function. A pointer and not a reference comes in: nothing
/// beyond the size may be read, not even ahead of time by the optimizer, before the size is known
/// to be right.
#[inline(always)]
pub(super) unsafe fn job<'a, J: ReprC>(pointer: *const J) -> Result<&'a J, Failure> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(job_pointer(pointer));
    }
    // SAFETY: not null, aligned; every such struct begins with its size.
    let given = unsafe { pointer.cast::<u32>().read() };
    if given as usize != size_of::<J>() {
        return Err(job_size::<J>(given));
    }
    // SAFETY: the caller vouches for as many bytes as the struct states.
    Ok(unsafe { &*pointer })
}
#[cold]
#[inline(never)]
fn job_pointer<J>(pointer: *const J) -> Failure {
    check_pointer("job", pointer, 1).err().unwrap_or_else(|| Failure::null("job"))
}
#[cold]
#[inline(never)]
fn job_size<J>(given: u32) -> Failure {
    struct_size("job.struct_size", given, size_of::<J>()).err().unwrap_or_else(|| Failure::argument("job"))
}

/// The numbers of a job: all of them finite, none beyond [`LARGEST`].
#[inline(always)]
pub(super) fn finite_job<const N: usize>(
    name: JobName,
    numbers: &[f32; N],
    members: &[(&str, usize)],
) -> Result<(), Failure> {
    if are_moderate(numbers) { Ok(()) } else { check_numbers(name, numbers, members) }
}

/// Names a job in messages: the only one, or one of a batch.
#[derive(Clone, Copy)]
pub(super) struct JobName(pub Option<usize>);

impl Display for JobName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(index) => write!(f, "jobs[{index}]"),
            None => f.write_str("job"),
        }
    }
}

/// Names which number of a job is not finite or too large, if one is. `members`: the name of each
/// member of the job after `struct_size`, and how many numbers it has.
#[cold]
#[inline(never)]
fn check_numbers(name: JobName, numbers: &[f32], members: &[(&str, usize)]) -> Result<(), Failure> {
    let mut rest = numbers;
    for &(member, count) in members {
        let (own, after) = rest.split_at(count.min(rest.len()));
        rest = after;
        for (place, value) in own.iter().enumerate() {
            let component = if count == 1 { "" } else { [".x", ".y", ".z", ".w"].get(place).unwrap_or(&"") };
            moderate(format_args!("{name}.{member}{component}"), *value)?;
        }
    }
    Ok(())
}

/// A number that is finite and not beyond [`LARGEST`].
pub(super) fn moderate(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if value.abs() <= LARGEST {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, beyond {LARGEST:e}")))
}

/// A result about to be handed out. Finite numbers can have products and sums that are not.
pub(super) fn computed<T: Computed>(argument: &str, value: T) -> Result<T, Failure> {
    if value.is_sound() { Ok(value) } else { Err(overflowed(argument)) }
}
#[cold]
#[inline(never)]
fn overflowed(argument: &str) -> Failure {
    let message = format_args!("{argument} would not be finite: the numbers of the pose or the root are too large");
    Failure::new(SinewResult::SinewErrorNotFinite, message)
}

/// What [`computed`] can check.
pub(super) trait Computed {
    fn is_sound(&self) -> bool;
}
impl Computed for Vec3 {
    fn is_sound(&self) -> bool {
        self.is_finite()
    }
}
impl Computed for Quat {
    fn is_sound(&self) -> bool {
        self.is_finite()
    }
}

/// Whether all four are in 0 … 1.
#[inline(always)]
pub(super) fn are_fractions(numbers: [f32; 4]) -> bool {
    let numbers = f32x4::new(numbers);
    (numbers.cmp_ge(f32x4::ZERO) & numbers.cmp_le(f32x4::ONE)).move_mask() == 0xf
}

// A failure has room for its message. So what succeeds is inlined, and what fails is not: else the
// room is copied with every result.

/// A point or vector.
#[inline(always)]
pub(super) fn vec3(argument: impl Display, v: &SinewVec3) -> Result<Vec3, Failure> {
    let value: Vec3 = (*v).into();
    if value.is_finite() { Ok(value) } else { Err(not_finite(argument, v)) }
}
#[cold]
#[inline(never)]
fn not_finite(argument: impl Display, v: &SinewVec3) -> Failure {
    let (member, value) = [("x", v.x), ("y", v.y)].into_iter().find(|(_, n)| !n.is_finite()).unwrap_or(("z", v.z));
    Failure::new(SinewResult::SinewErrorNotFinite, format_args!("{argument}.{member} is {value}"))
}

/// A rotation, normalised.
#[inline(always)]
pub(super) fn quat(argument: impl Display, q: &SinewQuat) -> Result<Quat, Failure> {
    let value: Quat = (*q).into();
    let length = value.length();
    // Also false where a number is not finite.
    if length > Skeleton::MIN_QUATERNION_LENGTH && length < 1.0 / Skeleton::MIN_QUATERNION_LENGTH {
        return Ok(value.normalize());
    }
    Err(no_rotation(argument, q, length))
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
pub(super) fn transform(argument: impl Display, t: &SinewTransform) -> Result<Transform, Failure> {
    Ok(Transform {
        position: vec3(format_args!("{argument}.position"), &t.position)?,
        rotation: quat(format_args!("{argument}.rotation"), &t.rotation)?,
        scale: vec3(format_args!("{argument}.scale"), &t.scale)?,
    })
}

/// A weight: finite; the range is limited further in.
pub(super) fn weight(argument: impl Display, value: f32) -> Result<f32, Failure> {
    finite(argument, value)
}

/// A fraction that must be in 0 … 1.
pub(super) fn fraction(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Failure::new(SinewResult::SinewErrorInvalidArgument, format_args!("{argument} is {value}, not 0 to 1")))
}

/// A number that must not be negative.
pub(super) fn not_negative(argument: &str, value: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, below 0")))
}

/// A number that must be above zero.
pub(super) fn above_zero(argument: &str, value: f32) -> Result<f32, Failure> {
    let value = finite(argument, value)?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, not above 0")))
}

/// A direction that must be given, normalised.
pub(super) fn direction(argument: impl Display, v: &SinewVec3) -> Result<Vec3, Failure> {
    let given = vec3(&argument, v)?;
    let unit = crate::math::normalize_or(given, Vec3::ZERO);
    if unit != Vec3::ZERO {
        return Ok(unit);
    }
    Err(Failure::argument(format_args!("{argument} ({}, {}, {}) has no length", v.x, v.y, v.z)))
}

/// A direction, normalised; zero means "not given".
pub(super) fn axis(argument: &str, v: SinewVec3) -> Result<Option<Vec3>, Failure> {
    let v = vec3(argument, &v)?;
    if v == Vec3::ZERO {
        return Ok(None);
    }
    Ok(Some(crate::math::normalize_or(v, Vec3::Y)))
}

/// An enum that arrived as an integer: safer-ffi's check, kept in release builds.
pub(super) fn decode<T: ReprC + Copy>(argument: impl Display, raw: i32) -> Result<T, Failure>
where
    CLayoutOf<T>: Copy,
{
    const { assert!(size_of::<CLayoutOf<T>>() == size_of::<i32>()) };
    // SAFETY: the C layout of a `repr(i32)` enum is an i32, any bits are valid for it; `from_raw`
    // checks them.
    let layout: CLayoutOf<T> = unsafe { core::mem::transmute_copy(&raw) };
    // SAFETY: `from_raw` returns None for an integer that is no variant.
    unsafe { from_raw::<T>(layout) }.ok_or_else(|| not_of_the_enum(argument, raw))
}

/// An enum of the core, which lists its values in the order of their numbers.
fn listed<T: Copy>(argument: impl Display, raw: i32, values: &[T]) -> Result<T, Failure> {
    match usize::try_from(raw).ok().and_then(|index| values.get(index)) {
        Some(value) => Ok(*value),
        None => Err(not_of_the_enum(argument, raw)),
    }
}
fn not_of_the_enum(argument: impl Display, raw: i32) -> Failure {
    Failure::new(
        SinewResult::SinewErrorInvalidEnum,
        format_args!("{argument} is {raw}, which is not a value of its enum"),
    )
}

/// A SinewIkGoal.
pub(super) fn goal(raw: i32) -> Result<IkGoal, Failure> {
    listed("goal", raw, &IkGoal::ALL)
}
/// A SinewIkHint.
pub(super) fn hint(raw: i32) -> Result<IkHint, Failure> {
    listed("hint", raw, &IkHint::ALL)
}
/// A SinewHumanBone.
pub(super) fn bone(raw: i32) -> Result<HumanBone, Failure> {
    bone_of("bone", raw)
}
/// The same as a member.
pub(super) fn bone_of(argument: impl Display, raw: i32) -> Result<HumanBone, Failure> {
    listed(argument, raw, &HumanBone::ALL)
}
/// A SinewAvatarTarget.
pub(super) fn avatar_target(argument: &str, raw: i32) -> Result<AvatarTarget, Failure> {
    Ok(AvatarTarget::ALL[decode::<SinewAvatarTarget>(argument, raw)? as usize])
}
/// A SinewChainSolver.
pub(super) fn solver(raw: i32) -> Result<ChainSolver, Failure> {
    Ok(match decode::<SinewChainSolver>("def.solver", raw)? {
        SinewChainSolver::Default => ChainSolver::Default,
        SinewChainSolver::DampedLeastSquares => ChainSolver::DampedLeastSquares,
        SinewChainSolver::Transpose => ChainSolver::Transpose,
        SinewChainSolver::PseudoInverse => ChainSolver::PseudoInverse,
        SinewChainSolver::SelectivelyDamped => ChainSolver::SelectivelyDamped,
        SinewChainSolver::Fabrik => ChainSolver::Fabrik,
        SinewChainSolver::Ccd => ChainSolver::Ccd,
        SinewChainSolver::Spring => ChainSolver::Spring,
    })
}
/// A SinewPoseLayout.
pub(super) fn pose_layout(argument: &str, raw: i32) -> Result<SinewPoseLayout, Failure> {
    decode::<SinewPoseLayout>(argument, raw)
}
/// A SinewPoseArrays.
pub(super) fn pose_arrays(raw: i32) -> Result<PoseArrays, Failure> {
    Ok(match decode::<SinewPoseArrays>("which", raw)? {
        SinewPoseArrays::None => PoseArrays::None,
        SinewPoseArrays::Locals => PoseArrays::Locals,
        SinewPoseArrays::LocalsAndFrames => PoseArrays::LocalsAndFrames,
    })
}
/// A SinewCurve.
pub(super) fn curve(raw: i32) -> Result<CurveKind, Failure> {
    Ok(match decode::<SinewCurve>("def.curve", raw)? {
        SinewCurve::CatmullRom => CurveKind::CatmullRom,
        SinewCurve::Bezier => CurveKind::Bezier,
    })
}
/// A SinewFrameStep.
pub(super) fn frame_step(raw: i32) -> Result<FrameStep, Failure> {
    Ok(FrameStep::ALL[decode::<SinewFrameStep>("step", raw)? as usize])
}
/// A SinewConstraintPlacement at a step.
pub(super) fn constraint_placement(raw: i32, step: FrameStep) -> Result<ConstraintPlacement, Failure> {
    Ok(match decode::<SinewConstraintPlacement>("placement", raw)? {
        SinewConstraintPlacement::Stack => ConstraintPlacement::Stack,
        SinewConstraintPlacement::Before => ConstraintPlacement::Before(step),
        SinewConstraintPlacement::After => ConstraintPlacement::After(step),
    })
}
/// A SinewDistanceMode; `None` for no sphere.
pub(super) fn distance_mode(argument: &str, raw: i32) -> Result<Option<DistanceMode>, Failure> {
    Ok(match decode::<SinewDistanceMode>(argument, raw)? {
        SinewDistanceMode::None => None,
        SinewDistanceMode::Inside => Some(DistanceMode::Inside),
        SinewDistanceMode::On => Some(DistanceMode::On),
        SinewDistanceMode::Outside => Some(DistanceMode::Outside),
    })
}
