//! Replays recordings: runs the calls of a log with their data and compares what they return and
//! write.
//!
//! Objects get new handles; those of the log are mapped. Callbacks are answered from the log. A log
//! may be any bytes: what does not fit the functions is refused before anything is called.

mod arguments;
mod memory;
mod player;

pub use player::{Figure, Outcome, PlayError, Played, Player};
