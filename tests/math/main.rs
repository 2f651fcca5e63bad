//! Numbers: pinned functions and lanes.

mod float;
mod lanes;
