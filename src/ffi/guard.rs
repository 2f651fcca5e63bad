//! What stands around every export: catch panics, pin the floating-point environment, turn failures
//! into codes.

use super::result::SinewResult;
use super::text::{self, Text};
use crate::animator::AnimatorError;
use crate::humanoid::AvatarError;
use crate::skeleton::{PoseError, SkeletonError};
use crate::store::StoreError;
use crate::world::WorldError;
use core::any::Any;
use core::fmt::{self, Display, Write};
use safer_ffi::layout::ReprC;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A code and the sentence that goes with it. Holds no allocation, so failing costs none.
pub(super) struct Failure {
    pub code: SinewResult,
    message: Text,
}

impl Failure {
    #[cold]
    #[inline(never)]
    pub fn new(code: SinewResult, message: impl Display) -> Self {
        let mut text = Text::EMPTY;
        let _ = write!(text, "{message}");
        Self { code, message: text }
    }
    #[cold]
    #[inline(never)]
    pub fn null(argument: &str) -> Self {
        Self::new(SinewResult::SinewErrorNullPointer, format_args!("{argument} is NULL"))
    }
    #[cold]
    #[inline(never)]
    pub fn misaligned<T>(argument: &str) -> Self {
        let message = format_args!("{argument} is not aligned to {} bytes", align_of::<T>());
        Self::new(SinewResult::SinewErrorInvalidArgument, message)
    }
    pub fn argument(message: impl Display) -> Self {
        Self::new(SinewResult::SinewErrorInvalidArgument, message)
    }
    /// What a caught panic states.
    #[cold]
    #[inline(never)]
    pub fn panic(payload: Box<dyn Any + Send>) -> Self {
        let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let failure = Self::new(SinewResult::SinewErrorPanic, what.unwrap_or("a panic without a message"));
        // A payload may itself panic when dropped.
        std::mem::forget(payload);
        failure
    }
    /// The same with the argument that it is about in front.
    #[cold]
    #[inline(never)]
    pub fn about(self, argument: impl Display) -> Self {
        Self::new(self.code, format_args!("{argument}: {}", self.message()))
    }
    pub fn message(&self) -> &str {
        self.message.as_str()
    }
}

/// Runs the body of an export. Whatever happens in it, a code comes back.
pub(super) fn guard(function: &'static str, body: impl FnOnce() -> Result<(), Failure>) -> SinewResult {
    let _pinned = FloatEnvironment::pin();
    // The failure, which has room for its message, ends within: else that is copied by every call.
    let code = || match body() {
        Ok(()) => SinewResult::SinewOk,
        Err(failure) => failed(function, &failure),
    };
    catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|payload| panicked(function, payload))
}

#[cold]
#[inline(never)]
fn failed(function: &str, failure: &Failure) -> SinewResult {
    text::set_last_error(function, failure.message());
    failure.code
}

#[cold]
#[inline(never)]
fn panicked(function: &str, payload: Box<dyn Any + Send>) -> SinewResult {
    failed(function, &Failure::panic(payload))
}

/// An out-parameter that must be there.
#[inline(always)]
pub(super) fn out_ref<'a, T: ReprC>(out: Option<&'a mut T>, argument: &str) -> Result<&'a mut T, Failure> {
    match out {
        Some(out) if is_aligned(out) => Ok(out),
        out => Err(unusable::<T>(out.is_none(), argument)),
    }
}

/// An in-parameter that must be there.
#[inline(always)]
pub(super) fn in_ref<'a, T: ReprC>(value: Option<&'a T>, argument: &str) -> Result<&'a T, Failure> {
    match value {
        Some(value) if is_aligned(value) => Ok(value),
        value => Err(unusable::<T>(value.is_none(), argument)),
    }
}

/// An out-parameter that may be NULL.
#[inline(always)]
pub(super) fn optional_out<'a, T: ReprC>(out: Option<&'a mut T>, argument: &str) -> Result<Option<&'a mut T>, Failure> {
    if out.as_ref().is_none_or(|out| is_aligned(*out)) { Ok(out) } else { Err(unusable::<T>(false, argument)) }
}

/// An in-parameter that may be NULL.
#[inline(always)]
pub(super) fn optional_in<'a, T: ReprC>(value: Option<&'a T>, argument: &str) -> Result<Option<&'a T>, Failure> {
    if value.is_none_or(|value| is_aligned(value)) { Ok(value) } else { Err(unusable::<T>(false, argument)) }
}

#[cold]
#[inline(never)]
fn unusable<T>(is_null: bool, argument: &str) -> Failure {
    if is_null { Failure::null(argument) } else { Failure::misaligned::<T>(argument) }
}

/// Whether the address of a record that came from the host is one that its type may have. The
/// compiler would answer for itself: to it, every reference is aligned. So it does not see where
/// the address comes from.
#[inline(always)]
fn is_aligned<T>(record: *const T) -> bool {
    unseen(record as usize) & (align_of::<T>() - 1) == 0
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn unseen(mut address: usize) -> usize {
    // SAFETY: no instruction; the compiler only has to assume that the register has changed.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags)) };
    address
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
fn unseen(address: usize) -> usize {
    core::hint::black_box(address)
}

impl From<PoseError> for Failure {
    fn from(error: PoseError) -> Self {
        let code = match error {
            PoseError::Length { .. } => SinewResult::SinewErrorLengthMismatch,
            PoseError::NotFinite { .. } => SinewResult::SinewErrorNotFinite,
            PoseError::ZeroRotation { .. } => SinewResult::SinewErrorInvalidRotation,
            PoseError::NoMemory => SinewResult::SinewErrorOutOfMemory,
        };
        Self::new(code, format_args!("pose: {error}"))
    }
}

impl From<SkeletonError> for Failure {
    fn from(error: SkeletonError) -> Self {
        let code = match error {
            SkeletonError::Empty | SkeletonError::TooManyJoints { .. } => SinewResult::SinewErrorInvalidArgument,
            SkeletonError::ParentNotBefore { .. } => SinewResult::SinewErrorInvalidParent,
            SkeletonError::NotFinite { .. } => SinewResult::SinewErrorNotFinite,
            SkeletonError::ZeroRotation { .. } => SinewResult::SinewErrorInvalidRotation,
        };
        Self::new(code, error)
    }
}

impl From<AvatarError> for Failure {
    fn from(error: AvatarError) -> Self {
        let code = match error {
            AvatarError::MissingBones(_) => SinewResult::SinewErrorMissingBone,
            AvatarError::NoSuchJoint { .. } => SinewResult::SinewErrorOutOfRange,
            AvatarError::SharedJoint { .. } | AvatarError::NotBelow { .. } => SinewResult::SinewErrorBoneConflict,
            AvatarError::TPoseLength { .. } => SinewResult::SinewErrorLengthMismatch,
            AvatarError::NoAxes => SinewResult::SinewErrorInvalidArgument,
            AvatarError::TooLarge => SinewResult::SinewErrorNotFinite,
        };
        Self::new(code, error)
    }
}

impl From<AnimatorError> for Failure {
    fn from(error: AnimatorError) -> Self {
        let code = match error {
            AnimatorError::NotHumanoid => SinewResult::SinewErrorNotHumanoid,
            AnimatorError::BoneNotMapped(_) => SinewResult::SinewErrorBoneNotMapped,
            AnimatorError::Pose(error) => return error.into(),
            AnimatorError::TooLarge(_) => SinewResult::SinewErrorNotFinite,
            AnimatorError::BadScale(_) => SinewResult::SinewErrorInvalidArgument,
            AnimatorError::WrongSkeleton => SinewResult::SinewErrorWrongSkeleton,
            AnimatorError::SpaceOfOwnLimb { .. } | AnimatorError::SpacesInCircle { .. } => {
                SinewResult::SinewErrorInvalidArgument
            }
            AnimatorError::NoSuchConstraint(_) => SinewResult::SinewErrorInvalidHandle,
            AnimatorError::NoSuchJoint(_) => SinewResult::SinewErrorOutOfRange,
            AnimatorError::LegCount(_) => SinewResult::SinewErrorLengthMismatch,
            AnimatorError::BadSnapshot(_) => SinewResult::SinewErrorInvalidArgument,
        };
        match error {
            AnimatorError::BoneNotMapped(_) => Self::new(code, format_args!("bone: {error}")),
            AnimatorError::BadSnapshot(_) => Self::new(code, format_args!("bytes: {error}")),
            AnimatorError::LegCount(_) => Self::new(code, format_args!("grounder: {error}")),
            _ => Self::new(code, error),
        }
    }
}

impl Failure {
    /// Names the argument whose handle could not be used.
    pub fn store(error: StoreError, argument: &str, bits: u64) -> Self {
        let code = match error {
            StoreError::Invalid => SinewResult::SinewErrorInvalidHandle,
            StoreError::Busy => SinewResult::SinewErrorBusy,
            StoreError::Poisoned => SinewResult::SinewErrorPoisoned,
            StoreError::Full => SinewResult::SinewErrorTooManyObjects,
        };
        Self::new(code, format_args!("{argument} {bits:#018x}: {error}"))
    }
    pub fn world(error: WorldError, argument: impl fmt::Display, bits: u64) -> Self {
        match error {
            WorldError::Store(error) => {
                let failure = Self::store(error, "", bits);
                Self::new(failure.code, format_args!("{argument}{}", failure.message()))
            }
            WorldError::Animator(error) => {
                let failure = Self::from(error);
                Self::new(failure.code, format_args!("{argument}: {}", failure.message()))
            }
            WorldError::AlreadyMember => {
                Self::new(SinewResult::SinewErrorAlreadyMember, format_args!("{argument}: {error}"))
            }
            WorldError::NotMember => Self::new(SinewResult::SinewErrorNotMember, format_args!("{argument}: {error}")),
            WorldError::NoArrays => Self::new(SinewResult::SinewErrorNotAvailable, format_args!("{argument}: {error}")),
            WorldError::Panicked => Self::new(SinewResult::SinewErrorPanic, format_args!("{argument}: {error}")),
            WorldError::Refused(code) => Self::new(text::code(code), format_args!("{argument}: {error}")),
        }
    }
}

/// Calls the host, which may leave another floating-point mode; what follows computes in the
/// default one. Not inlined: the compiler takes the mode for constant, and could move arithmetic of
/// the caller between the host's return and the change of mode.
#[inline(never)]
pub(super) fn call_host<R>(call: impl FnOnce() -> R) -> R {
    let answer = call();
    FloatEnvironment::reset();
    answer
}

/// The host's floating-point environment, modes and sticky flags, put back when dropped.
/// Flush-to-zero, denormals-are-zero and rounding modes change results; the library computes in the
/// default environment, whatever the host has set.
pub(super) struct FloatEnvironment {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    found: u64,
    /// The sticky exception flags, where they are in a register of their own.
    #[cfg(target_arch = "aarch64")]
    flags: u64,
}

#[cfg(target_arch = "x86_64")]
impl FloatEnvironment {
    /// All exceptions masked, round to nearest, no flushing.
    const DEFAULT: u32 = 0x1F80;
    /// The six sticky exception flags: they change no result.
    const FLAGS: u32 = 0x3F;

    #[inline]
    pub fn pin() -> Self {
        let found = Self::read();
        if found as u32 & !Self::FLAGS != Self::DEFAULT {
            Self::set(Self::DEFAULT);
        }
        Self { found }
    }
    #[inline]
    fn read() -> u64 {
        let mut control = core::mem::MaybeUninit::<u32>::uninit();
        // SAFETY: stores the control register, four bytes, to the address of a local.
        let control = unsafe {
            core::arch::asm!("stmxcsr [{}]", in(reg) control.as_mut_ptr(), options(nostack, preserves_flags));
            control.assume_init()
        };
        control as u64
    }
    /// The default environment, after a host's callback: within a guard, which puts back what it
    /// found.
    pub fn reset() {
        Self::set(Self::DEFAULT);
    }
    fn set(value: u32) {
        // SAFETY: loads a control word whose reserved bits are zero; either the default or one that
        // was in force.
        unsafe { core::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for FloatEnvironment {
    #[inline]
    fn drop(&mut self) {
        // The sticky exception flags, too: hosts that watch for NaN read them after a frame.
        if Self::read() != self.found {
            Self::set(self.found as u32);
        }
    }
}

#[cfg(target_arch = "aarch64")]
impl FloatEnvironment {
    #[inline]
    pub fn pin() -> Self {
        let (control, status): (u64, u64);
        // SAFETY: reads the floating-point control and status registers.
        unsafe {
            core::arch::asm!("mrs {}, fpcr", out(reg) control, options(nomem, nostack, preserves_flags));
            core::arch::asm!("mrs {}, fpsr", out(reg) status, options(nomem, nostack, preserves_flags));
        }
        if control != 0 {
            Self::set(0);
        }
        Self { found: control, flags: status }
    }
    /// The default environment, after a host's callback: within a guard, which puts back what it
    /// found.
    pub fn reset() {
        Self::set(0);
    }
    fn set(control: u64) {
        // SAFETY: writes the default (0) or what was in force.
        unsafe { core::arch::asm!("msr fpcr, {}", in(reg) control, options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
impl Drop for FloatEnvironment {
    #[inline]
    fn drop(&mut self) {
        if self.found != 0 {
            Self::set(self.found);
        }
        // The sticky exception flags, too: hosts that watch for NaN read them after a frame.
        // SAFETY: writes the status that was in force.
        unsafe { core::arch::asm!("msr fpsr, {}", in(reg) self.flags, options(nomem, nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl FloatEnvironment {
    /// Wasm has no modes. Others, such as 32-bit ARM, have the host's: docs/c-abi.md and
    /// docs/conventions.md state that hosts keep the default there.
    #[inline]
    pub fn pin() -> Self {
        Self {}
    }
    /// See `pin`.
    pub fn reset() {}
}
