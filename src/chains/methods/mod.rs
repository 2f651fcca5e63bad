//! The iterating methods, one file each.
//!
//! | file | method |
//! |---|---|
//! | `dls` | damped least squares in the dual, limits as an active set |
//! | `descent` | what a descent ends with, and its patience |
//! | `newton` | Newton's method, which `dls` goes on with where goals are out of reach of limits |
//! | `jacobian` | transpose, pseudo-inverse, selectively damped least squares |
//! | `null_space` | null-space descent: nearer to a given pose without moving the effectors |
//! | `ccd`, `fabrik` | sweeps along one chain; `tree_sweeps`: both on trees |
//! | `spring` | all bends in proportion |
//! | `iterate` | the loop of the plain methods |
//! | `robust` | the default: aims, damped least squares, other attempts when stopped short |
//! | `attempts` | these: descents from other poses, and of branches alone |
//! | `warm_start` | the default one from its last answer, one attempt a solve |

mod attempts;
pub(super) mod ccd;
mod descent;
pub(super) mod dls;
pub(super) mod fabrik;
pub(super) mod iterate;
pub(super) mod jacobian;
#[cfg(test)]
mod jacobian_check;
pub(super) mod newton;
pub(super) mod null_space;
pub(super) mod robust;
pub(super) mod spring;
pub(super) mod step;
pub(super) mod tree_sweeps;
pub(super) mod warm_start;
