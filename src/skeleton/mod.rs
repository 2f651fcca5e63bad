//! Skeleton (immutable rest data), pose (local and model transforms), views of joints, joints that
//! go over to another solution, gather and scatter of eight poses.
//!
//! A [`Skeleton`] is arrays, parent before child: one forward loop is forward kinematics. A
//! [`Pose`] belongs to one character and holds the local transforms and the frames computed from
//! them in *model space*, the space of the character's root object (Unity: the GameObject with the
//! Animator).

mod builder;
pub mod crowd;
mod definition;
pub(crate) mod eight;
pub(crate) mod exchanged;
pub(crate) mod joint_switch;
pub(crate) mod joint_view;
mod order;
pub(crate) mod path;
mod pose;
pub(crate) mod tile;

pub use builder::SkeletonBuilder;
pub use definition::{JointDefinition, Skeleton, SkeletonError};
pub use pose::{Pose, PoseError};
pub use tile::PoseTile;

/// Index of a joint in its skeleton.
pub type JointIndex = usize;
