//! Version, result texts, last error.

use super::c_types::c_char;
use super::guard::{Failure, guard, out_ref};
use super::result::SinewResult;
use super::text;
use super::types::{SINEW_ABI_VERSION, SinewVersion};

/// Returns the library's version and ABI number. Call it once after loading; refuse to continue
/// when `abi` is not the SINEW_ABI_VERSION you compiled against.
///
/// @param out_version  the version.
pub extern "C" fn sinew_version(out_version: Option<&mut SinewVersion>) -> SinewResult {
    guard("sinew_version", || {
        let out = out_ref(out_version, "out_version")?;
        let number = |text: &str| text.parse().unwrap_or(0);
        *out = SinewVersion {
            major: number(env!("CARGO_PKG_VERSION_MAJOR")),
            minor: number(env!("CARGO_PKG_VERSION_MINOR")),
            patch: number(env!("CARGO_PKG_VERSION_PATCH")),
            abi: SINEW_ABI_VERSION,
        };
        Ok(())
    })
}

/// Returns the name and meaning of a result code, for example "SINEW_ERROR_BUSY: another thread is
/// using this object".
///
/// @param result    a SinewResult.
/// @param out_text  zero-terminated UTF-8, valid for the life of the process.
pub extern "C" fn sinew_result_text(result: i32, out_text: Option<&mut *const c_char>) -> SinewResult {
    guard("sinew_result_text", || {
        let out = out_ref(out_text, "out_text")?;
        let text = text::of_code(result).ok_or_else(|| {
            Failure::new(
                SinewResult::SinewErrorInvalidEnum,
                format_args!("result is {result}, which is no SinewResult"),
            )
        })?;
        *out = text.as_ptr();
        Ok(())
    })
}

/// Returns the message of this thread's last call that failed: function, argument, value. Empty
/// before the first failure; calls that succeed do not clear it.
///
/// @param out_text  zero-terminated UTF-8, valid until this thread's next failing call.
pub extern "C" fn sinew_last_error(out_text: Option<&mut *const c_char>) -> SinewResult {
    guard("sinew_last_error", || {
        let out = out_ref(out_text, "out_text")?;
        *out = text::last_error();
        Ok(())
    })
}
