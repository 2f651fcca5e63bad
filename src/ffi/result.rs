//! Result codes.

use safer_ffi::prelude::*;

/// Return value of every function. Codes come in blocks of a hundred and are never reused.
///
/// cbindgen:prefix-with-name=false
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewResult {
    /// Done; the out-parameters are written.
    SinewOk = 0,

    // 100: arguments
    /// A pointer that must not be null is null.
    SinewErrorNullPointer = 100,
    /// The handle is null, stale (destroyed), of another kind, or was never created.
    SinewErrorInvalidHandle = 101,
    /// An argument is outside its range.
    SinewErrorInvalidArgument = 102,
    /// A number is NaN or infinite.
    SinewErrorNotFinite = 103,
    /// An index is outside its range.
    SinewErrorOutOfRange = 104,
    /// `struct_size` is unknown: the struct was not filled by its `…_default` function.
    SinewErrorStructSize = 105,
    /// The caller's buffer is too small; the function documents where it writes the required size.
    SinewErrorBufferTooSmall = 106,
    /// An array does not have the required length.
    SinewErrorLengthMismatch = 107,
    /// An integer is not a value of its enum.
    SinewErrorInvalidEnum = 108,
    /// A quaternion is shorter than 0.001 or longer than 1000.
    SinewErrorInvalidRotation = 109,
    /// A text is not valid UTF-8.
    SinewErrorInvalidText = 110,

    // 200: objects
    /// Another thread (or a callback's caller) is using this object; nothing was done.
    SinewErrorBusy = 200,
    /// A panic happened inside an earlier call on this object; it can only be destroyed.
    SinewErrorPoisoned = 201,
    /// No more objects of this kind can be created.
    SinewErrorTooManyObjects = 202,
    /// The animator already belongs to a world, this one or another.
    SinewErrorAlreadyMember = 203,
    /// The animator does not belong to this world.
    SinewErrorNotMember = 204,
    /// The host's job callbacks broke their contract; the work was done.
    SinewErrorJobs = 205,
    /// Not available in this build of the library or on this platform.
    SinewErrorNotAvailable = 206,
    /// There is no memory for the call; nothing was done.
    SinewErrorOutOfMemory = 207,

    // 300: rigs
    /// A joint's parent is not before it.
    SinewErrorInvalidParent = 300,
    /// The animator has no avatar: humanoid calls do not apply.
    SinewErrorNotHumanoid = 301,
    /// A bone every humanoid needs is not mapped.
    SinewErrorMissingBone = 302,
    /// This human bone is not mapped in the avatar.
    SinewErrorBoneNotMapped = 303,
    /// No joint has this name.
    SinewErrorJointNotFound = 304,
    /// Two human bones are mapped to one joint, or a knee or elbow is not below its hip or
    /// shoulder.
    SinewErrorBoneConflict = 305,
    /// The avatar or the animator is of another skeleton.
    SinewErrorWrongSkeleton = 306,
    /// The joints of a constraint are not below one another as it requires.
    SinewErrorInvalidChain = 307,

    // 900: faults of this library
    /// A panic was caught inside the library; the object is poisoned. Please report it.
    SinewErrorPanic = 900,
    // Last added: SinewErrorOutOfMemory = 207.
}
