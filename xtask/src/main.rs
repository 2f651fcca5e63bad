//! Sinew's chores.
fn main() {}
