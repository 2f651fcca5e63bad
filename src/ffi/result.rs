//! Result codes.

use safer_ffi::prelude::*;

/// What every function returns. Codes come in blocks of a hundred and are never reused.
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
    /// The handle is null, stale (destroyed), of another kind, or was never given out.
    SinewErrorInvalidHandle = 101,
    /// An argument is outside what the function takes.
    SinewErrorInvalidArgument = 102,
    /// A number is NaN or infinite.
    SinewErrorNotFinite = 103,
    /// An index is outside its range.
    SinewErrorOutOfRange = 104,
    /// `struct_size` is not one this library knows: the struct did not come from its `…_default` function.
    SinewErrorStructSize = 105,
    /// The caller's buffer is too small; the needed size was written where the function says so.
    SinewErrorBufferTooSmall = 106,
    /// An array has another length than the skeleton needs.
    SinewErrorLengthMismatch = 107,
    /// An integer is none of the enum's values.
    SinewErrorInvalidEnum = 108,
    /// A quaternion is (nearly) zero, so it is no rotation.
    SinewErrorInvalidRotation = 109,
    /// A text is not valid UTF-8.
    SinewErrorInvalidText = 110,

    // 200: objects
    /// Another thread (or a callback's caller) is using this object right now; nothing was done.
    SinewErrorBusy = 200,
    /// A panic happened inside an earlier call on this object; it can only be destroyed.
    SinewErrorPoisoned = 201,
    /// No more objects of this kind can be made.
    SinewErrorTooManyObjects = 202,
    /// The animator belongs to a world already, this one or another.
    SinewErrorAlreadyMember = 203,
    /// The animator does not belong to this world.
    SinewErrorNotMember = 204,
    /// The host's job callbacks did not do as they must; the work was done nonetheless.
    SinewErrorJobs = 205,
    /// This build of the library, or this platform, does not have what was asked for.
    SinewErrorNotAvailable = 206,

    // 300: rigs
    /// A joint's parent does not come before it.
    SinewErrorInvalidParent = 300,
    /// The animator has no avatar, so the humanoid calls have no meaning.
    SinewErrorNotHumanoid = 301,
    /// A bone every humanoid needs is not mapped.
    SinewErrorMissingBone = 302,
    /// This human bone is not mapped in the avatar.
    SinewErrorBoneNotMapped = 303,
    /// No joint has this name.
    SinewErrorJointNotFound = 304,
    /// Two human bones are mapped to one joint, or a knee or elbow is not below its hip or shoulder.
    SinewErrorBoneConflict = 305,
    /// The avatar's skeleton is not the animator's.
    SinewErrorWrongSkeleton = 306,
    /// The joints of a constraint do not hang from one another as it needs.
    SinewErrorInvalidChain = 307,

    // 900: faults of this library
    /// A panic was caught inside the library; the object concerned is poisoned. Please report it.
    SinewErrorPanic = 900,
    // Last added: SinewErrorNotAvailable = 206.
}
