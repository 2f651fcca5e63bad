//! Texts: names and meanings of codes, and the last error of each thread.

use super::c_types::c_char;
use super::result::SinewResult;
use core::cell::RefCell;
use core::ffi::CStr;

/// Every code with its text. The list is checked against the enum by a test and by the match in
/// [`position`].
const CODES: &[(SinewResult, &CStr)] = &[
    (SinewResult::SinewOk, c"SINEW_OK: done"),
    (SinewResult::SinewErrorNullPointer, c"SINEW_ERROR_NULL_POINTER: a pointer that must not be null is null"),
    (
        SinewResult::SinewErrorInvalidHandle,
        c"SINEW_ERROR_INVALID_HANDLE: the handle is null, destroyed, of another kind, or was never created",
    ),
    (SinewResult::SinewErrorInvalidArgument, c"SINEW_ERROR_INVALID_ARGUMENT: an argument is outside its range"),
    (SinewResult::SinewErrorNotFinite, c"SINEW_ERROR_NOT_FINITE: a number is NaN or infinite"),
    (SinewResult::SinewErrorOutOfRange, c"SINEW_ERROR_OUT_OF_RANGE: an index is outside its range"),
    (
        SinewResult::SinewErrorStructSize,
        c"SINEW_ERROR_STRUCT_SIZE: struct_size is unknown; fill the struct with its default function first",
    ),
    (SinewResult::SinewErrorBufferTooSmall, c"SINEW_ERROR_BUFFER_TOO_SMALL: the buffer is too small"),
    (SinewResult::SinewErrorLengthMismatch, c"SINEW_ERROR_LENGTH_MISMATCH: an array does not have the required length"),
    (SinewResult::SinewErrorInvalidEnum, c"SINEW_ERROR_INVALID_ENUM: an integer is not a value of its enum"),
    (
        SinewResult::SinewErrorInvalidRotation,
        c"SINEW_ERROR_INVALID_ROTATION: a quaternion is no rotation: nearly zero, or huge",
    ),
    (SinewResult::SinewErrorInvalidText, c"SINEW_ERROR_INVALID_TEXT: a text is not valid UTF-8"),
    (SinewResult::SinewErrorBusy, c"SINEW_ERROR_BUSY: another thread or an outer call is using this object"),
    (
        SinewResult::SinewErrorPoisoned,
        c"SINEW_ERROR_POISONED: a panic happened inside an earlier call on this object; it can only be destroyed",
    ),
    (
        SinewResult::SinewErrorTooManyObjects,
        c"SINEW_ERROR_TOO_MANY_OBJECTS: no more objects of this kind can be created",
    ),
    (
        SinewResult::SinewErrorAlreadyMember,
        c"SINEW_ERROR_ALREADY_MEMBER: the animator already belongs to a world, this one or another",
    ),
    (SinewResult::SinewErrorNotMember, c"SINEW_ERROR_NOT_MEMBER: the animator does not belong to this world"),
    (
        SinewResult::SinewErrorJobs,
        c"SINEW_ERROR_JOBS: the host's job callbacks broke their contract; the work was done",
    ),
    (
        SinewResult::SinewErrorNotAvailable,
        c"SINEW_ERROR_NOT_AVAILABLE: not available in this build of the library or on this platform",
    ),
    (
        SinewResult::SinewErrorOutOfMemory,
        c"SINEW_ERROR_OUT_OF_MEMORY: there is no memory for the call; nothing was done",
    ),
    (SinewResult::SinewErrorInvalidParent, c"SINEW_ERROR_INVALID_PARENT: a joint's parent is not before it"),
    (SinewResult::SinewErrorNotHumanoid, c"SINEW_ERROR_NOT_HUMANOID: the animator has no avatar"),
    (SinewResult::SinewErrorMissingBone, c"SINEW_ERROR_MISSING_BONE: a required human bone is not mapped"),
    (SinewResult::SinewErrorBoneNotMapped, c"SINEW_ERROR_BONE_NOT_MAPPED: the avatar has no such bone"),
    (SinewResult::SinewErrorJointNotFound, c"SINEW_ERROR_JOINT_NOT_FOUND: no joint has this name"),
    (
        SinewResult::SinewErrorBoneConflict,
        c"SINEW_ERROR_BONE_CONFLICT: two bones share a joint, or a knee or elbow is not below its hip or shoulder",
    ),
    (
        SinewResult::SinewErrorWrongSkeleton,
        c"SINEW_ERROR_WRONG_SKELETON: the avatar or the animator is of another skeleton",
    ),
    (
        SinewResult::SinewErrorInvalidChain,
        c"SINEW_ERROR_INVALID_CHAIN: the joints of a constraint are not below one another as it requires",
    ),
    (SinewResult::SinewErrorPanic, c"SINEW_ERROR_PANIC: a fault inside the library was caught; please report it"),
];

/// Text of a code; `None` for a number that is no code.
pub(super) fn of_code(code: i32) -> Option<&'static CStr> {
    CODES.iter().find(|(result, _)| *result as i32 == code).map(|(_, text)| *text)
}

/// A zero-terminated text of bounded length that needs no allocation. What does not fit is cut at a
/// character's edge.
#[derive(Clone, Copy)]
pub(super) struct Text {
    length: usize,
    bytes: [u8; Text::CAPACITY],
}

impl Text {
    const CAPACITY: usize = 512;

    pub(super) const EMPTY: Self = Self { length: 0, bytes: [0; Self::CAPACITY] };

    pub(super) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or("")
    }
}

impl core::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        // One byte stays for the terminating zero.
        let room = Self::CAPACITY - 1 - self.length;
        let mut take = text.len().min(room);
        while !text.is_char_boundary(take) {
            take -= 1;
        }
        self.bytes[self.length..self.length + take].copy_from_slice(&text.as_bytes()[..take]);
        self.length += take;
        self.bytes[self.length] = 0;
        Ok(())
    }
}

thread_local! {
    static LAST_ERROR: RefCell<Text> = const { RefCell::new(Text::EMPTY) };
}

/// Remembers the sentence for this thread.
pub(super) fn set_last_error(function: &str, message: &str) {
    // `try_with`: a call during the thread's own destruction still gets its code, only no sentence.
    let _ = LAST_ERROR.try_with(|last| {
        let mut last = last.borrow_mut();
        *last = Text::EMPTY;
        let _ = core::fmt::Write::write_fmt(&mut *last, format_args!("{function}: {message}"));
    });
}

/// The code with this number; SINEW_ERROR_INVALID_ARGUMENT for a number that is none.
pub(super) fn code(number: i32) -> SinewResult {
    let found = CODES.iter().find(|(code, _)| *code as i32 == number);
    found.map_or(SinewResult::SinewErrorInvalidArgument, |(code, _)| *code)
}

/// Address of this thread's sentence.
pub(super) fn last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.as_ptr()).map_or(c"".as_ptr(), |text| {
        // SAFETY: the text lives as long as the thread; only its address is taken here.
        unsafe { (&raw const (*text).bytes).cast() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Write;

    /// The place of each code in the list; without a wildcard arm, so a new code without text does
    /// not compile.
    fn position(result: SinewResult) -> usize {
        use SinewResult::*;
        match result {
            SinewOk => 0,
            SinewErrorNullPointer => 1,
            SinewErrorInvalidHandle => 2,
            SinewErrorInvalidArgument => 3,
            SinewErrorNotFinite => 4,
            SinewErrorOutOfRange => 5,
            SinewErrorStructSize => 6,
            SinewErrorBufferTooSmall => 7,
            SinewErrorLengthMismatch => 8,
            SinewErrorInvalidEnum => 9,
            SinewErrorInvalidRotation => 10,
            SinewErrorInvalidText => 11,
            SinewErrorBusy => 12,
            SinewErrorPoisoned => 13,
            SinewErrorTooManyObjects => 14,
            SinewErrorAlreadyMember => 15,
            SinewErrorNotMember => 16,
            SinewErrorJobs => 17,
            SinewErrorNotAvailable => 18,
            SinewErrorOutOfMemory => 19,
            SinewErrorInvalidParent => 20,
            SinewErrorNotHumanoid => 21,
            SinewErrorMissingBone => 22,
            SinewErrorBoneNotMapped => 23,
            SinewErrorJointNotFound => 24,
            SinewErrorBoneConflict => 25,
            SinewErrorWrongSkeleton => 26,
            SinewErrorInvalidChain => 27,
            SinewErrorPanic => 28,
        }
    }

    #[test]
    fn every_code_has_its_own_number_and_text() {
        for (place, (result, text)) in CODES.iter().enumerate() {
            assert_eq!(position(*result), place);
            let text = text.to_str().unwrap();
            let (name, meaning) = text.split_once(": ").unwrap();
            // SinewErrorBusy is SINEW_ERROR_BUSY.
            let mut expected = String::new();
            for c in format!("{result:?}").chars() {
                if c.is_uppercase() && !expected.is_empty() {
                    expected.push('_');
                }
                expected.extend(c.to_uppercase());
            }
            assert_eq!(name, expected);
            assert!(meaning.len() > 3);
            for (other, _) in &CODES[..place] {
                assert_ne!(*other as i32, *result as i32);
            }
        }
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let mut text = Text::EMPTY;
        for _ in 0..400 {
            text.write_str("é").unwrap();
        }
        assert_eq!(text.as_str().chars().count(), 255);
        assert_eq!(text.bytes[text.length], 0);
    }
}
