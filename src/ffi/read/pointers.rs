//! Arrays, texts and structs behind the caller's pointers: the only place that follows them.
//!
//! The functions that do are unsafe. Their requirements are those of every C function
//! (docs/c-abi.md, "Arguments"): a pointer that is not NULL leads to as many records as the text of
//! its parameter states, for the length of the call, and no other thread writes them meanwhile.
//! Everything that crosses is [`ReprC`]: safer-ffi proves that a type has a C layout.

use super::numbers::finite;
use crate::ffi::c_types::c_char;
use crate::ffi::guard::Failure;
use crate::ffi::result::SinewResult;
use crate::ffi::types::{SinewModelFrame, SinewTransform};
use crate::math::Transform;
use crate::skeleton::Skeleton;
use core::ffi::CStr;
use core::fmt::Display;
use safer_ffi::layout::ReprC;

/// An array of `count` records, `count` not 0.
pub(in crate::ffi) unsafe fn array<'a, T: ReprC>(
    argument: &str,
    pointer: *const T,
    count: usize,
) -> Result<&'a [T], Failure> {
    check_pointer::<T>(argument, pointer, count)?;
    // SAFETY: not null, aligned; the caller vouches that `count` records are there for the length
    // of the call.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// Room for `count` records, `count` not 0. The caller's memory must have been written once (any
/// bytes do).
pub(in crate::ffi) unsafe fn array_mut<'a, T: ReprC>(
    argument: &str,
    pointer: *mut T,
    count: usize,
) -> Result<&'a mut [T], Failure> {
    check_pointer::<T>(argument, pointer, count)?;
    // SAFETY: as above, and no other code uses the memory during the call.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, count) })
}

/// Room for `count` records; `None` for a null pointer.
pub(in crate::ffi) unsafe fn optional_array_mut<'a, T: ReprC>(
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

pub(in crate::ffi) fn check_pointer<T>(argument: &str, pointer: *const T, count: usize) -> Result<(), Failure> {
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
pub(in crate::ffi) fn as_transforms(records: &[SinewTransform]) -> &[Transform] {
    // SAFETY: size, alignment and field offsets are equal, checked at compile time; any bits are
    // valid floats.
    unsafe { core::slice::from_raw_parts(records.as_ptr().cast(), records.len()) }
}

/// The same, to be written.
pub(in crate::ffi) fn as_transforms_mut(records: &mut [SinewTransform]) -> &mut [Transform] {
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), records.len()) }
}

/// Frames as the numbers that they are.
pub(in crate::ffi) fn as_rows_mut(frames: &mut [SinewModelFrame]) -> &mut [[f32; 16]] {
    const _: () = assert!(size_of::<SinewModelFrame>() == 64 && align_of::<SinewModelFrame>() == 4);
    // SAFETY: a C struct of sixteen `f32` and nothing else, checked above.
    unsafe { core::slice::from_raw_parts_mut(frames.as_mut_ptr().cast(), frames.len()) }
}

/// A zero-terminated UTF-8 text.
pub(in crate::ffi) unsafe fn text<'a>(argument: impl Display, pointer: *const c_char) -> Result<&'a str, Failure> {
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
pub(in crate::ffi) unsafe fn write_text(
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
pub(in crate::ffi) unsafe fn optional_name(names: *const *const c_char, index: usize) -> Result<String, Failure> {
    if names.is_null() {
        return Ok(String::new());
    }
    // SAFETY: the caller vouches that there is a name for each joint.
    let name = unsafe { names.add(index).read_unaligned() };
    // SAFETY: the caller vouches for the text.
    Ok(unsafe { text(format_args!("def.names[{index}]"), name) }?.to_owned())
}

/// Number of bytes of all names, NULL ones left out.
pub(in crate::ffi) unsafe fn bytes_of_names(names: *const *const c_char, count: usize) -> usize {
    if names.is_null() {
        return 0;
    }
    // SAFETY: the caller vouches that there is a name for each joint.
    let names = (0..count).map(|index| unsafe { names.add(index).read_unaligned() });
    // SAFETY: the caller vouches for the text.
    names.filter(|name| !name.is_null()).map(|name| unsafe { CStr::from_ptr(name) }.count_bytes()).sum()
}

/// A struct that came from its default function.
pub(in crate::ffi) fn struct_size(argument: impl Display, given: u32, expected: usize) -> Result<(), Failure> {
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
pub(in crate::ffi) unsafe fn sized<T: ReprC + Copy>(
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

/// Numbers from 0 to 1e6, one per joint, or none at all.
pub(in crate::ffi) unsafe fn shares<'a>(argument: &str, pointer: *const f32, count: u32) -> Result<&'a [f32], Failure> {
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
