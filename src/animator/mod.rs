//! One character of any rig, and the order of a frame.
//!
//! | file | what is in it |
//! |---|---|
//! | `animator` | [`Animator`]: pose, root, input, constraints, state |
//! | `frame` | the order of the steps, written once; where constraints may be placed in it |
//! | `route` | which view of the pose a frame runs on: one question per step |
//! | `solve` | the steps on one character's pose |
//! | `view_frame` | the steps that can run on one pose without scale or on eight |
//! | [`crowd`] | many characters in one call |
//! | `before` | the pose before a solve, put back when a result is not finite |
//! | `state`, `snapshot` | what lasts between frames: advance, reset, snapshot, restore |
//! | `outcome` | how each step of the last frame ended |
//! | `humanoid_part`, `goals`, `input`, `goal_frame`, `ik_fk`, `match_target` | the humanoid calls |
//! | `grounding` | legs for a grounder, its results as goals |
//! | `body_solver` | switch, effectors and outcomes of the whole-body solver |
//! | `constraints` | the calls on constraints and joint limits |
//! | `hash` | a number for the state |
//! | `draw`, `limit_lines` | debug lines |

mod error;
mod frame;
mod route;
mod state;
mod before;
mod humanoid_part;
// The file is named after its type, as in all layers.
#[allow(clippy::module_inception)]
mod animator;
mod view_frame;
mod solve;
mod snapshot;
mod outcome;
mod goals;
mod input;
mod body_solver;
mod constraints;
mod goal_frame;
mod goal_places;
mod hash;
mod ik_fk;
mod match_target;
mod grounding;
mod limit_lines;
mod draw;
pub mod crowd;

pub use animator::Animator;
pub use error::AnimatorError;
pub use frame::{ConstraintPlacement, FrameStep};
pub use hash::StateHash;
pub use match_target::{AvatarTarget, MatchTarget};
