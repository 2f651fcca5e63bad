//! Sinew: native inverse kinematics for characters.
//!
//! The right hand goes to a point, and the head looks at it:
//!
//! ```
//! use sinew::animator::Animator;
//! use sinew::humanoid::{Avatar, AvatarDefinition, IkGoal, LookAtWeight, map_joints};
//! use sinew::math::Vec3;
//! use sinew::skeleton::{Skeleton, SkeletonBuilder, SkeletonError};
//! use std::sync::Arc;
//!
//! /// Fifteen joints in a T-pose that face +Z. Yours come from a file or from your engine.
//! fn person() -> Result<Skeleton, SkeletonError> {
//!     let mut rig = SkeletonBuilder::new();
//!     let hips = rig.joint_at("Hips", None, Vec3::new(0.0, 1.0, 0.0));
//!     let spine = rig.joint_at("Spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
//!     rig.joint_at("Head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
//!     for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
//!         let at = |x_m: f32, y_m: f32, z_m: f32| Vec3::new(x * x_m, y_m, z_m);
//!         let arm = rig.joint_at(&format!("{side}UpperArm"), Some(spine), at(0.2, 0.3, 0.0));
//!         let forearm = rig.joint_at(&format!("{side}LowerArm"), Some(arm), at(0.28, 0.0, 0.0));
//!         rig.joint_at(&format!("{side}Hand"), Some(forearm), at(0.25, 0.0, 0.0));
//!         let thigh = rig.joint_at(&format!("{side}UpperLeg"), Some(hips), at(0.1, 0.0, 0.0));
//!         let shin = rig.joint_at(&format!("{side}LowerLeg"), Some(thigh), at(0.0, -0.45, 0.01));
//!         rig.joint_at(&format!("{side}Foot"), Some(shin), at(0.0, -0.45, -0.01));
//!     }
//!     rig.build()
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let skeleton = Arc::new(person()?);
//!     let map = map_joints(&skeleton).map; // Mixamo, VRM, Unreal, Biped … names, or your own table
//!     let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?;
//!     let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar)))?;
//!     let handle = Vec3::new(-0.3, 1.2, 0.4); // world space, metres
//!     animator.set_ik_position(IkGoal::RightHand, handle)?;
//!     animator.set_ik_position_weight(IkGoal::RightHand, 1.0)?;
//!     animator.set_look_at_position(handle)?;
//!     animator.set_look_at_weight(LookAtWeight { weight: 1.0, ..Default::default() })?;
//!
//!     for _frame in 0..60 {
//!         // Rewrite every joint from your animation: the pose still holds the last result.
//!         animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
//!         animator.solve()?; // then read `animator.pose()`
//!     }
//!     let off_m = animator.ik_outcome(IkGoal::RightHand)?.residual_m;
//!     println!("the hand is {off_m} m off");
//!     assert!(off_m < 1e-5);
//!     Ok(())
//! }
//! ```
//!
//! Goals of people are in [`animator`] and [`humanoid`], chains and limits of any rig in
//! [`constraints`] and [`limits`], whole bodies in [`body`].
//!
//! # Layers
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
//! | [`trackers`] | a whole body from three to 25 trackers: calibration, filters, steps |
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
