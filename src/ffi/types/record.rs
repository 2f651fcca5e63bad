//! The callback that receives a recording.

use super::super::c_types::c_void;

/// Receives the next `size` bytes of a recording and returns 0, or any other number when it cannot
/// store them: the recording ends then. Called from any thread that calls the library, one at a
/// time, while the others wait. It cannot begin or end a recording (SINEW_ERROR_BUSY), and other
/// calls that it makes are not logged. It must return normally: no exception, no longjmp.
pub type SinewRecordSink = extern "C-unwind" fn(user: *mut c_void, bytes: *const u8, size: u32) -> u32;
