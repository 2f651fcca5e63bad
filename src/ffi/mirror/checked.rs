//! Codes of calls as failures.

use super::super::guard::Failure;
use super::super::result::SinewResult;
use super::super::text;
use core::ffi::CStr;

/// The failure of a call.
pub fn checked(result: SinewResult) -> Result<(), Failure> {
    if result == SinewResult::SinewOk {
        return Ok(());
    }
    // SAFETY: the text of this thread's last failure.
    let why = unsafe { CStr::from_ptr(text::last_error()) };
    Err(Failure::new(result, why.to_string_lossy()))
}
