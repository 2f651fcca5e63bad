//! Registry of all objects, and worlds: many animators solved in one call.
//!
//! A [`Registry`] holds skeletons, avatars and characters under ids that any thread may use. A
//! character is an [`Animator`] with a pose buffer that a host may write into between solves;
//! different threads may solve different characters at once.
//!
//! A [`World`] is a set of characters solved in one call. It groups them by equal skeleton and
//! avatar, has a level of detail for each ([`Level`]), keeps to a time budget, and runs on the
//! threads of a [`Runner`]: the caller's, the host's, or its own pool. In every case a character
//! that is solved gets the bits of [`Character::solve`].
//!
//! [`Paced`] has the same levels for an animator that a host solves alone.
//!
//! [`solve_bodies`] does the same for whole bodies ([`crate::body`]), each with its pose.
//!
//! [`Animator`]: crate::animator::Animator

mod arrays;
mod bodies;
#[cfg(feature = "record")]
mod buffer_reads;
mod character;
mod correction;
mod deadline;
mod level;
mod members;
mod pace;
mod registry;
mod run;
mod runner;
mod schedule;
// The file is named after its type, as everywhere.
#[allow(clippy::module_inception)]
mod world;
#[cfg(feature = "rayon")]
mod threads;

pub use arrays::PoseArrays;
pub use bodies::{BodyCrowd, BodyWork, solve_bodies, solve_crowd};
pub use character::Character;
pub use deadline::Deadline;
pub use level::Level;
pub use pace::{Paced, PacedCall, PacedSolve, PacedTime};
pub use registry::{FirstObjects, Registry, WorldError};
pub use runner::{RangeResult, Runner, RunnerFault, Serial, WorkClaimed};
#[cfg(feature = "rayon")]
pub use threads::Threads;
pub use world::{Call, Failed, Host, InArrays, OwnBuffers, PosePlace, Report, RowState, World};
