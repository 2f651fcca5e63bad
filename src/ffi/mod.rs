//! The C ABI: one file per handle type, every export behind one guard.
//!
//! The contract in short (docs/c-abi.md has it line by line, with the test of each line):
//!
//! - Handles are one-field structs by value; everything else crosses as a pointer or a scalar.
//! - Every function returns a code; results go to out-pointers, written only on success.
//! - Enums arrive as integers and are checked; numbers are checked; nothing changes on an error.
//! - No panic crosses; an object in which one happened answers `SINEW_ERROR_POISONED`.
//! - Two threads on one animator or world: one of them gets `SINEW_ERROR_BUSY`.
//!
//! # Safety
//!
//! Exports that follow pointers of the caller, in arguments or in structs, are unsafe. All of them
//! have the same requirements: a pointer is NULL only where the text of its parameter allows that,
//! else it leads to as many records as that text states; for the length of the call the records
//! stay there and are not written elsewhere. References (`Option<&T>`) are pointers whose
//! compiler-checked form implies this.
//!
//! This is the only room with unsafe code: in `read` (pointers that the caller vouches
//! for), in `guard` (the floating-point environment) and in the casts between our transform records
//! and the header's.
#![allow(unsafe_code)]
// A failure carries its sentence inline, so that failing allocates nothing; that makes it large on
// purpose.
#![allow(clippy::result_large_err)]
// Stated once, under "Safety" above, for all exports.
#![allow(clippy::missing_safety_doc)]

mod accessors;
mod aim;
mod allocator;
mod animator;
mod animator_body;
mod animator_debug;
mod animator_grounding;
mod animator_ik;
mod animator_match;
mod animator_matrices;
mod animator_settings;
mod animator_state;
mod animator_work;
mod answers;
mod argument;
mod avatar;
mod body;
mod body_batch;
mod body_drag;
mod body_host;
mod body_meet;
mod body_read;
mod body_solve;
mod body_solver;
mod body_tasks;
mod c_types;
mod chain_solve;
mod constraint_goals;
mod constraints;
mod convert;
mod defaults;
mod export;
mod exports;
#[cfg(feature = "fault-injection")]
mod fault;
#[cfg(feature = "host-allocator")]
mod global_allocator;
mod grounder;
mod grounder_debug;
mod grounder_frame;
mod grounder_read;
mod grounder_stepping;
mod guard;
mod hash;
mod host_memory;
mod host_rows;
mod human_ranges;
mod ids;
mod input;
mod joint_limb;
mod joint_limits;
mod mapping;
pub mod mirror;
#[cfg(target_family = "wasm")]
mod memory;
mod read;
mod record;
mod recorder;
mod registry;
pub mod replay;
mod reserve;
mod result;
mod rooms;
mod running;
mod shapes;
mod sized_defaults;
mod skeleton;
mod text;
mod tracked_body;
mod tracked_body_read;
mod tracker_calibration;
mod tracker_network;
mod two_bone;
mod types;
mod version;
mod workers;
mod world;
mod world_arrays;
mod world_frame;
mod world_jobs;
mod world_solve;

pub use exports::*;
#[cfg(feature = "fault-injection")]
pub use fault::sinew_test_panic;
pub use ids::*;
#[cfg(target_family = "wasm")]
pub use memory::{sinew_wasm_alloc, sinew_wasm_free};
pub use result::SinewResult;
pub use types::*;
