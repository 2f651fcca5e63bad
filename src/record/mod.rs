//! Logs of calls with their data: the format, to write and to read. What the calls are is the
//! business of the layer that logs them (`ffi`).

mod entry;
mod format;
mod hash;
pub mod kind;
mod log;

pub use entry::{Call, Entry, Part, Tag};
pub use format::{
    CALL_HEAD, ENTRY_HEAD, FORMAT, Head, MAX_WORDS, PART_HEAD, PLAIN_HEAD, call_head, entry_head, part_head,
    plain_head, pose_head, put_entry, put_head, put_part, written_head,
};
pub use hash::BitHash;
pub use log::{Log, LogError};
