//! The kinds of entries of a log.

/// The name of a function.
pub const NAME: u8 = 1;
/// A pose buffer.
pub const POSE: u8 = 2;
/// Pose arrays.
pub const ARRAYS: u8 = 3;
/// A call.
pub const CALL: u8 = 4;
/// The end.
pub const END: u8 = 5;
