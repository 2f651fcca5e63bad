//! The types of the header: enums, structs, constants and callbacks, one file per subject.
//!
//! A type file uses other type files and nothing else of `ffi`, so that every function file can use
//! all of them.

mod aim_job;
mod animator;
mod avatar;
mod body;
mod body_host;
mod body_solver;
mod chain_job;
mod constraint;
mod constraint_goal;
mod debug_line;
mod frame;
mod grounding;
mod human_bone;
mod humanoid;
mod joint_limits;
mod limb_job;
mod mapping;
mod match_target;
mod matrix;
mod math;
mod memory;
mod outcome;
mod record;
mod sized;
mod skeleton;
mod trackers;
mod version;
mod world;

pub use aim_job::*;
pub use animator::*;
pub use avatar::*;
pub use body::*;
pub use body_host::*;
pub use body_solver::*;
pub use chain_job::*;
pub use constraint::*;
pub use constraint_goal::*;
pub use debug_line::*;
pub use frame::*;
pub use grounding::*;
pub use human_bone::*;
pub use humanoid::*;
pub use joint_limits::*;
pub use limb_job::*;
pub use mapping::*;
pub use match_target::*;
pub use math::*;
pub use matrix::*;
pub use memory::*;
pub use outcome::*;
pub use record::*;
pub use sized::*;
pub use skeleton::*;
pub use trackers::*;
pub use version::*;
pub use world::*;
