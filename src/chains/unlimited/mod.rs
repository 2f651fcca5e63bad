//! Chains without joint limits: unbranched ones several joints at a time, trees as points.

pub(super) mod ball_dls;
mod start;
pub(super) mod sweeps;
pub(super) mod tree_points;
pub(super) mod two_bone;
