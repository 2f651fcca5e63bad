//! Who exists and what is solved in which order.
//!
//! A [`Registry`] holds skeletons, avatars and characters under ids that any thread may use. A character is an [`Animator`] with a
//! pose buffer that a host may write into between solves; different threads may solve different characters at once.
//!
//! A [`World`] is a set of characters solved in one call. It groups them by equal avatar and set-up, says who is solved fully,
//! partly, now and then or not at all ([`Level`]), keeps to a time budget, and runs on the threads a [`Runner`] has: the caller's,
//! the host's, or a pool of its own. Whatever it chooses, a character that is solved gets the bits that [`Character::solve`] gives.
//!
//! [`Animator`]: crate::animator::Animator

mod arrays;
mod character;
mod correction;
mod level;
mod members;
mod registry;
mod run;
mod runner;
// The file is named after its type, as everywhere.
#[allow(clippy::module_inception)]
mod world;
#[cfg(feature = "rayon")]
mod threads;

pub use arrays::PoseArrays;
pub use character::Character;
pub use level::Level;
pub use registry::{Registry, WorldError};
pub use runner::{RangeResult, Runner, RunnerFault, Serial, WorkClaimed};
#[cfg(feature = "rayon")]
pub use threads::Threads;
pub use world::{Call, Failed, Host, InArrays, OwnBuffers, Report, RowState, World};
