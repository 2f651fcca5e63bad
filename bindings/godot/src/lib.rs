//! Sinew for Godot 4.6: inverse kinematics as `SkeletonModifier3D` nodes.
//!
//! Files, in the order data flows; each uses only those above it:
//!
//! | file | what is in it |
//! |---|---|
//! | `convert` | numbers of Godot to numbers of the core and back |
//! | `property` | property types that note their changes; targets given as node paths |
//! | `bones` | a `Skeleton3D` as a skeleton of the core: which bone is which joint |
//! | `attached` | an animator at work on a `Skeleton3D`: poses in and out, world and skeleton space |
//! | `outcome` | what a solve left, as Godot sees it |
//! | `display` | what a node shows: debug lines in the 3D view, warnings in the editor |
//! | `limits` | `SinewJointLimits`: what joints may do, as resources |
//! | `constraint` | what the nodes with one constraint share |
//! | `two_bone_ik`, `chain_ik`, `spline_ik`, `copy_rotation` | nodes for any skeleton |
//! | `avatar` | which bone is which human bone, shared by all characters of a rig |
//! | `humanoid` | a humanoid at work: what one update asks of it |
//! | `look_at`, `humanoid_ik` | nodes that know humanoids |
//! | `humanoid_calls` | what scripts call on the latter |
//!
//! The build switches off the binding crate's own checks of object lifetimes (feature `safeguards-release-disengaged`), which would
//! cost more than the solvers. So no node trusts a `Gd` of a node it does not own: the skeleton is asked for in every update, and targets are
//! used only after the engine said that their instance id is still one (`property::TargetPath`).

mod convert;
mod property;
mod bones;
mod attached;
mod outcome;
mod display;
mod limits;
mod constraint;
mod two_bone_ik;
mod chain_ik;
mod spline_ik;
mod copy_rotation;
mod avatar;
mod humanoid;
mod look_at;
mod humanoid_ik;
mod humanoid_calls;

use godot::init::{ExtensionLibrary, gdextension};

struct SinewExtension;

// SAFETY: the entry point is made by the macro and called by the engine alone.
#[gdextension]
unsafe impl ExtensionLibrary for SinewExtension {}
