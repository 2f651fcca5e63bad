//! Outcomes of a solve in Godot's types.

use godot::builtin::GString;
use sinew::outcome::Outcome;

/// The status as the number the nodes' `STATUS_…` constants have.
pub fn status(outcome: &Outcome) -> i32 {
    outcome.status as i32
}

/// The status as text.
pub fn text(status: i32) -> GString {
    const NAMES: [&str; 5] = ["inactive", "reached", "unreachable", "stalled", "out of iterations"];
    let known = usize::try_from(status).ok().and_then(|s| NAMES.get(s));
    GString::from(*known.unwrap_or(&""))
}
