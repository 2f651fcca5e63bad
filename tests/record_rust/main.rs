//! Rust objects in a recording: each solve is made by C functions, too, which are logged, and gives
//! the same pose as without a recording; the log replays to the same bits.

mod animators;
mod bodies;
mod feet;
mod log;
mod trackers;
