//! Version, result texts, last error.

use super::guard::{guard, out_ref};
use super::result::SinewResult;
use super::text;
use super::types::SinewVersion;
use libc::c_char;

/// Writes the library's version and ABI number. Call it once after loading and refuse to go on when `abi` is not the
/// SINEW_ABI_VERSION you compiled against.
///
/// @param out_version  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version(out_version: Option<&mut SinewVersion>) -> SinewResult {
    guard("sinew_version", || {
        let out = out_ref(out_version, "out_version")?;
        let number = |text: &str| text.parse().unwrap_or(0);
        *out = SinewVersion {
            major: number(env!("CARGO_PKG_VERSION_MAJOR")),
            minor: number(env!("CARGO_PKG_VERSION_MINOR")),
            patch: number(env!("CARGO_PKG_VERSION_PATCH")),
            abi: super::types::SINEW_ABI_VERSION,
        };
        Ok(())
    })
}

/// Gives the name of a result code and what it means, for example
/// "SINEW_ERROR_BUSY: another thread is using this object".
///
/// @param result    any code; unknown ones give SINEW_ERROR_INVALID_ENUM.
/// @param out_text  written on success: zero-terminated UTF-8, valid for the life of the process; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, SINEW_ERROR_INVALID_ENUM. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_result_text(result: i32, out_text: Option<&mut *const c_char>) -> SinewResult {
    guard("sinew_result_text", || {
        let out = out_ref(out_text, "out_text")?;
        *out = text::of_code(result)?.as_ptr();
        Ok(())
    })
}

/// Gives the sentence about the last call of this thread that did not return SINEW_OK: function, argument, value. Empty when
/// there was none. Calls that succeed leave it alone.
///
/// @param out_text  written on success: zero-terminated UTF-8, valid until this thread's next failing call; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread; each has its own text.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_last_error(out_text: Option<&mut *const c_char>) -> SinewResult {
    guard("sinew_last_error", || {
        let out = out_ref(out_text, "out_text")?;
        *out = text::last_error();
        Ok(())
    })
}
