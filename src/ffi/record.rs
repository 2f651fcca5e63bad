//! Recordings: every call with its data, to be replayed anywhere.

use super::c_types::{c_char, c_void};
use super::guard::{Failure, guard};
use super::read;
use super::recorder::{self, Sink};
use super::result::SinewResult;
use super::rooms;
use super::types::SinewRecordSink;

/// Starts a recording of all calls of the process, with their data, to a file; `sinew-replay FILE`
/// runs it and compares the bits. Call it before the objects of interest are created: calls that
/// use older ones are logged, but cannot be replayed. One recording at a time.
///
/// @param path  UTF-8, zero-terminated; a file that exists is overwritten.
/// @return SINEW_ERROR_BUSY: a recording is under way, also in its sink; SINEW_ERROR_NOT_AVAILABLE:
///         the file cannot be created, or the platform has no files; SINEW_ERROR_INVALID_TEXT:
///         path.
pub unsafe extern "C" fn sinew_record_begin(path: *const c_char) -> SinewResult {
    guard("sinew_record_begin", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let path = unsafe { read::text("path", path) }?;
        let _room = rooms::RECORDING.room(0)?;
        recorder::begin(|| {
            let file = std::fs::File::create(path).map_err(|error| {
                Failure::new(SinewResult::SinewErrorNotAvailable, format_args!("path {path:?}: {error}"))
            })?;
            Ok(Sink::File(file))
        })
    })
}

/// Starts a recording that a callback receives; else as sinew_record_begin.
///
/// @param sink  see SinewRecordSink.
/// @param user  passed to it; may be NULL. Must stay valid until sinew_record_end returns.
/// @return SINEW_ERROR_BUSY: a recording is under way.
pub extern "C" fn sinew_record_begin_callback(sink: Option<SinewRecordSink>, user: *mut c_void) -> SinewResult {
    guard("sinew_record_begin_callback", || {
        let sink = sink.ok_or_else(|| Failure::null("sink"))?;
        let _room = rooms::RECORDING.room(0)?;
        recorder::begin(|| Ok(Sink::Callback { sink, user }))
    })
}

/// Ends the recording; what was not written yet is written. A call that could not be logged is not
/// refused: the recording stops before it, and this function returns why.
///
/// @return SINEW_ERROR_NOT_AVAILABLE: no recording is under way, or it could not be written to its
///         end.
pub extern "C" fn sinew_record_end() -> SinewResult {
    guard("sinew_record_end", recorder::end)
}
