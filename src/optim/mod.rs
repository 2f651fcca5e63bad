//! Numerical methods without a skeleton or a chain, shared by the iterative solvers.
//!
//! | file | what is in it |
//! |---|---|
//! | [`best_turn`](mod@best_turn) | the turn that brings several directions nearest to others |
//! | [`cholesky`] | factors and solves the dual matrix |
//! | `eight_systems` | eight systems side by side |
//! | [`dual`] | the dual normal matrix of a few rows, from the torques of rows about joints |
//! | [`eigen`] | eigenvectors of a small symmetric matrix |
//! | [`spectrum`] | a symmetric system solved direction by direction |
//! | [`step`] | trusted share of a step |
//! | [`damping`] | Levenberg-Marquardt damping schedule with accept and reject |
//! | [`mobility_sum`] | 6x6 mobility of a path of joints (21 numbers), the blocks of the dual |
//! | [`wrench_rows`] | wrenches of many rows, several at a time |
//! | [`active_set`] | a joint's share of a step with borders as equality constraints |
//! | [`progress`] | stop rule of methods that keep their best result |
//! | [`stall`] | when an iteration has stopped making progress |
//! | [`root`] | zero and minimum of a function of one number |
//! | [`work`] | steps that a solve may take, and what ends it early |
//! | [`noise`] | pseudo-random numbers, the same everywhere |

pub mod active_set;
pub mod best_turn;
pub mod cholesky;
pub mod damping;
pub mod dual;
pub mod eigen;
mod eight_systems;
pub mod mobility_sum;
pub mod noise;
pub mod progress;
pub mod rank_one;
pub mod root;
pub mod spectrum;
pub mod stall;
pub mod step;
pub mod work;
pub mod wrench_rows;

pub use active_set::JointStep;
pub use best_turn::best_turn;
pub use cholesky::Cholesky;
pub use damping::{Damping, DampingRule};
pub use dual::DualMatrix;
pub(crate) use eight_systems::EightSystems;
pub(crate) use mobility_sum::NO_TORQUE;
pub use mobility_sum::{MobilitySum, Motion, Wrench};
pub use noise::Noise;
pub use rank_one::{Changed, RankOne};
pub use spectrum::Spectrum;
pub use stall::Stall;
pub use work::{Interrupt, Source, Work};
pub use wrench_rows::WrenchRows;
