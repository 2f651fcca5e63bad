//! Constraints.

mod aim;
mod aim_chain;
mod any_rig;
mod importance;
mod onset;
mod spline;
mod switches;
mod warm_start;
