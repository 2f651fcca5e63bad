//! Arguments as they arrive, checked.

mod enums;
mod jobs;
mod numbers;
mod pointers;

pub(super) use enums::*;
pub(super) use jobs::*;
pub(super) use numbers::*;
pub(super) use pointers::*;
