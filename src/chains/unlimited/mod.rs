//! Unbranched chains without joint limits, several joints at a time.

pub(super) mod ball_dls;
mod start;
pub(super) mod sweeps;
pub(super) mod two_bone;
