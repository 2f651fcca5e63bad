//! Constraints.

mod aim;
mod aim_chain;
mod any_rig;
mod onset;
mod spline;
