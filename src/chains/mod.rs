//! Chains and trees of joints, and the iterating solvers behind one entry, [`solve`].
//!
//! | module | what is in it |
//! |---|---|
//! | `model` | types: [`Chain`], [`ChainPose`], [`ChainGoal`], [`ChainSettings`] |
//! | `state` | pose, frames and residual of a solve, one object |
//! | `warm_start` | [`WarmStart`]: what a chain remembers from solve to solve |
//! | `workspace` | [`ChainWorkspace`]: the state, and scratch by method |
//! | `start` | what happens before the first iteration: aim, pole, reach bounds, opening of straight chains |
//! | `methods` | one file per method |
//! | `unlimited` | chains without joint limits, several joints at a time |
//! | `solve` | the entry: checks, dispatch, fallback |
//! | [`spline`] | a chain laid on a curve |

mod methods;
pub(crate) mod model;
mod solve;
pub mod spline;
mod start;
mod state;
mod unlimited;
mod warm_start;
mod workspace;

pub use model::{
    AxisGoal, Chain, ChainDistance, ChainError, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, Effector,
    Pole,
};
pub use solve::{solve, solve_warm, solve_within};
pub use warm_start::WarmStart;
pub use workspace::ChainWorkspace;
