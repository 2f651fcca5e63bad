//! Values for mirrors, given again only where they have changed.

use super::super::guard::Failure;
use super::super::result::SinewResult;
use super::checked::checked;

/// Gives a value that has changed.
pub fn give<T: PartialEq + Copy>(
    last: &mut Option<T>,
    value: T,
    give: impl FnOnce(&T) -> SinewResult,
) -> Result<(), Failure> {
    if *last != Some(value) {
        checked(give(&value))?;
        *last = Some(value);
    }
    Ok(())
}

/// Gives one of several values that has changed.
pub fn give_at<T: PartialEq + Clone>(
    last: &mut Vec<T>,
    place: usize,
    first: &T,
    value: T,
    give: impl FnOnce(&T) -> SinewResult,
) -> Result<(), Failure> {
    if place >= last.len() {
        last.resize(place + 1, first.clone());
    }
    if last[place] != value {
        checked(give(&value))?;
        last[place] = value;
    }
    Ok(())
}
