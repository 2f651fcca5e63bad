//! Where a recording goes.

use super::super::c_types::c_void;
use super::super::guard::{Failure, FloatEnvironment};
use super::super::result::SinewResult;
use super::super::types::SinewRecordSink;
use core::cell::Cell;
use std::io::Write;

/// A file or the host's callback.
pub(in crate::ffi) enum Sink {
    /// A file.
    File(std::fs::File),
    /// The host's callback.
    Callback {
        /// The callback.
        sink: SinewRecordSink,
        /// What it receives.
        user: *mut c_void,
    },
    /// A sink that has refused bytes: a block that is offered again could be stored twice.
    Closed,
}

// SAFETY: the pointer is only handed back to the host, whose contract allows calls from any thread.
unsafe impl Send for Sink {}

/// Bytes that a callback receives at a time.
const MOST: usize = 1 << 20;

thread_local! {
    /// Whether the thread is in the host's callback: what it calls there is not logged.
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the thread is in the host's callback.
pub(super) fn is_inside() -> bool {
    IS_INSIDE.get()
}

impl Sink {
    /// Writes bytes; fails when they cannot be stored, and from then on.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.store(bytes);
        if written.is_err() {
            *self = Self::Closed;
        }
        written
    }
    fn store(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let failed = |why: &dyn core::fmt::Display| {
            Failure::new(SinewResult::SinewErrorNotAvailable, format_args!("the recording cannot be written: {why}"))
        };
        match self {
            Self::File(file) => file.write_all(bytes).map_err(|error| failed(&error)),
            Self::Callback { sink, user } => {
                // The host may change the floating-point mode.
                let _pinned = FloatEnvironment::pin();
                for bytes in bytes.chunks(MOST) {
                    IS_INSIDE.set(true);
                    let answer = sink(*user, bytes.as_ptr(), bytes.len() as u32);
                    IS_INSIDE.set(false);
                    if answer != 0 {
                        return Err(failed(&format_args!("the sink returned {answer}")));
                    }
                }
                Ok(())
            }
            Self::Closed => Err(failed(&"an earlier part of it was refused")),
        }
    }
}
