//! `src/store/lending.rs` of the engine alone, for `model.rs`.

#[path = "../../src/store/lending.rs"]
mod lending;

pub use lending::LoanSlot;
