//! Sinew: native inverse kinematics for characters.
//!
//! Rooms, in the order data flows; each uses only rooms above it:
//!
//! | room | what is in it |
//! |---|---|
//! | [`math`] | pinned float functions, lanes, transforms |
//! | [`store`] | generational slots, safe to share between threads |
//! | [`debug`] | a sink for lines that any room below may draw into |
//! | [`skeleton`] | rig, pose, forward kinematics |
//! | [`limits`] | joint model: what a joint may do, how willingly |
//! | [`goal`] | words all solvers share: weights, outcomes |
//! | [`chains`] | one limb, one goal: two-bone, aim; chains: damped least squares, sweeps |
//! | [`constraints`] | a solver at work on a pose: one demand each, on any skeleton |
//! | [`humanoid`] | avatar, the Animator's goals, look-at and body |
//! | [`grounding`] | feet on the ground: queries, contacts, locks, pelvis; any number of legs |
//! | [`world`] | who exists, what is solved in which order |
//! | `ffi` | the C ABI (feature `capi`); the only unsafe code but for the few lines of [`math::dispatch`] |
//!
//! Units and conventions: metres (or whatever unit the rig is in), radians, quaternions `x, y, z, w`. No axis is "up"
//! and no world is left- or right-handed below [`humanoid`], where up and forward come with the avatar.
#![deny(unsafe_code)]

pub mod math;
pub mod store;
pub mod debug;
pub mod skeleton;
pub mod limits;
pub mod goal;
pub mod chains;
pub mod constraints;
pub mod humanoid;
pub mod grounding;
pub mod world;
#[cfg(feature = "capi")]
pub mod ffi;
