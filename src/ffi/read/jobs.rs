//! Jobs of the kernels: checked in bulk, since a check costs as much as a solve.

use super::numbers::finite;
use super::pointers::{check_pointer, struct_size};
use crate::ffi::guard::Failure;
use core::fmt::Display;
use safer_ffi::layout::ReprC;
use wide::{CmpLe, f32x8};

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
pub(in crate::ffi) unsafe fn job<'a, J: ReprC>(pointer: *const J) -> Result<&'a J, Failure> {
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
pub(in crate::ffi) fn finite_job<const N: usize>(
    name: JobName,
    numbers: &[f32; N],
    members: &[(&str, usize)],
) -> Result<(), Failure> {
    if are_moderate(numbers) { Ok(()) } else { check_numbers(name, numbers, members) }
}

/// Names a job in messages: the only one, or one of a batch.
#[derive(Clone, Copy)]
pub(in crate::ffi) struct JobName(pub Option<usize>);

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
pub(in crate::ffi) fn moderate(argument: impl Display, value: f32) -> Result<f32, Failure> {
    let value = finite(&argument, value)?;
    if value.abs() <= LARGEST {
        return Ok(value);
    }
    Err(Failure::argument(format_args!("{argument} is {value}, beyond {LARGEST:e}")))
}
