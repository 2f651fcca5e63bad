//! Errors of calls on an animator.

use crate::constraints::ConstraintId;
use crate::humanoid::HumanBone;
use crate::skeleton::{JointIndex, PoseError};

/// Why a call on an animator failed. A failed call changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum AnimatorError {
    /// The animator has no avatar.
    #[error("the animator has no avatar: humanoid calls do not apply")]
    NotHumanoid,
    /// The avatar lacks the bone.
    #[error("the avatar has no {}", .0.name())]
    BoneNotMapped(HumanBone),
    /// The pose has an invalid transform.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The root transform has a zero scale: world space cannot be mapped back.
    #[error("the root transform's scale is zero")]
    ZeroScale,
    /// The avatar was created for another skeleton.
    #[error("the avatar was created for another skeleton")]
    WrongSkeleton,
    /// The joint index is outside the skeleton.
    #[error("the skeleton has no joint {0}")]
    NoSuchJoint(JointIndex),
    /// The animator has no such constraint; it may have been removed.
    #[error("the animator has no constraint {}", .0.0)]
    NoSuchConstraint(ConstraintId),
    /// The bytes are not a snapshot of this animator's state.
    #[error("the snapshot cannot be restored: {0}")]
    BadSnapshot(&'static str),
}
