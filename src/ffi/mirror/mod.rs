//! Rust objects in a recording: those of programs that do not call the C functions.
//!
//! While a recording runs, a recorded object has each solve made by the C functions as well, on an
//! object of theirs that it creates, sets up and feeds like the Rust one. These calls are logged,
//! and what they compute is what the program gets.

mod animator;
mod body;
mod checked;
mod define;
mod fed;
mod give;
mod grounder;
mod left_out;
mod pose;
mod tracked_body;

pub use animator::RecordedAnimator;
pub use body::RecordedBody;
pub use grounder::RecordedGrounder;
pub use left_out::{is_recording, leave_out, take_left_out};
pub use tracked_body::RecordedTrackedBody;
