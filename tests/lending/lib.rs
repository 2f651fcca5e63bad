//! `src/store/lending.rs` of the engine, with what it waits by, alone, for `model.rs`.

#[cfg(not(loom))]
#[path = "../../src/store/attempts.rs"]
mod attempts;
#[path = "../../src/store/lending.rs"]
mod lending;

pub use lending::LoanSlot;
