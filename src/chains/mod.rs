//! Chains of joints and their goals: closed forms as pure functions of plain data, and iterating solvers behind one entry.
//!
//! | module | what is in it |
//! |---|---|
//! | [`two_bone`], [`aim`], [`limb`] | closed forms |
//! | [`joint_limb`] | the two-bone form from three local rotations to three, for rigs without scale |
//! | [`batch`] | the closed forms for many limbs in one call, as wide as the processor is |
//! | [`aim_chain`] | how several joints share a gaze: the law of aim constraints and of looking |
//! | [`spline`] | a chain laid on a curve |
//! | [`chain`] | any number of joints, limits, several effectors: types and [`chain::solve`] |
//!
//! Behind [`chain::solve`], one file per method: `dls` (damped least squares in the dual, limits as an active set), `ball` (the same for
//! free chains with a position goal), `two_bone_chain` (these, of two bones, by [`two_bone`]), `extend` (lengthening in closed form), `jacobian` (transpose, pseudo-inverse, selective damping), `fabrik`, `ccd`
//! (`free`: what they share on chains without limits; `tree_sweeps`: both on trees), `spring` (all bends in proportion), and `solve`, the default that puts
//! them together. `blocks` takes unbranched chains several joints at a time, `bracket` finds roots.

pub mod aim;
pub mod batch;
pub mod records;
pub mod joint_limb;
pub(crate) mod figure;
pub mod aim_chain;
pub mod limb;
pub mod spline;
pub mod two_bone;

mod ball;
mod blocks;
mod bracket;
pub mod chain;
mod ccd;
mod dls;
mod extend;
mod fabrik;
mod free;
mod jacobian;
#[cfg(test)]
mod jacobian_check;
mod kind;
mod prepare;
mod relax;
mod solve;
mod two_bone_short;
mod spring;
mod tree_sweeps;
mod two_bone_chain;
mod workspace;
