//! Sinew: native inverse kinematics for characters.
//!
//! Layers, in the order data flows; each uses only layers above it:
//!
//! | layer | what is in it |
//! |---|---|
//! | [`math`] | pinned float functions, lanes, transforms |
//! | [`store`] | generational slots, safe to share between threads |
//! | [`optim`] | numerical methods without a skeleton or a chain: Cholesky, damping, active set, root finding |
//! | [`debug`] | a sink for lines that any layer below may draw into |
//! | [`skeleton`] | rig, pose, forward kinematics |
//! | [`limits`] | joint model: range, stiffness and stretch of a joint |
//! | [`outcome`] | how a solve ended: status, residuals, iterations |
//! | [`closed_form`] | pure functions: the two-bone limb, aiming, the shares of a gaze |
//! | [`tasks`] | one residual with its Jacobian per file |
//! | [`body`] | any number of tasks on one skeleton in one solve |
//! | [`chains`] | iterating solvers of chains and trees |
//! | [`constraints`] | a solver applied to a pose: one demand each, on any skeleton |
//! | [`humanoid`] | avatar, goals, and the humanoid steps of a frame: look-at, body, limbs |
//! | [`trackers`] | a whole body from three to fifteen trackers: calibration, filters, steps |
//! | [`grounding`] | feet on the ground: queries, contacts, locks, pelvis; any number of legs |
//! | [`animator`] | one character of any rig: the order of a frame, state between frames |
//! | [`world`] | many animators in one call |
//! | [`record`] | logs of calls: the format of recordings |
//! | `ffi` | the C ABI (feature `capi`); the only unsafe code but for a few lines of [`math::dispatch`] |
//!
//! Units and conventions: metres (or whatever unit the rig is in), radians, quaternions
//! `x, y, z, w`. The layers above [`humanoid`] in this table do not depend on an up axis or on
//! handedness; up and forward come with the avatar.
#![deny(unsafe_code)]

pub mod math;
pub mod store;
pub mod optim;
pub mod debug;
pub mod skeleton;
pub mod limits;
pub mod outcome;
pub mod closed_form;
pub mod tasks;
pub mod body;
pub mod chains;
pub mod constraints;
pub mod humanoid;
pub mod grounding;
pub mod trackers;
pub mod animator;
pub mod world;
pub mod record;
#[cfg(feature = "record")]
pub mod ffi;
