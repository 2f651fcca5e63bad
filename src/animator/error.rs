//! Errors of calls on an animator.

use crate::constraints::ConstraintId;
use crate::humanoid::{HumanBone, IkGoal};
use crate::math::Vec3;
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
    /// Numbers of the pose or of the root transform are so large that a result would not be finite.
    #[error("the numbers of the pose or the root are too large: {0} would not be finite")]
    TooLarge(&'static str),
    /// World space cannot be mapped back through the root transform's scale: see
    /// [`Animator::set_root`](super::Animator::set_root).
    #[error(
        "the root transform's scale is {0}: the largest must be between 1e-15 and 1e15 in size, the \
         others at least 1e-6 of it"
    )]
    BadScale(Vec3),
    /// The avatar was created for another skeleton.
    #[error("the avatar was created for another skeleton")]
    WrongSkeleton,
    /// The joint index is outside the skeleton.
    #[error("the skeleton has no joint {0}")]
    NoSuchJoint(JointIndex),
    /// The grounder has not two legs, or has finished no frame.
    #[error("the grounder has results of {0} legs, not of the two of a person after a finished frame")]
    LegCount(usize),
    /// A goal cannot be in the space of a joint that its own limb moves.
    #[error("joint {joint} is on or below the limb of {}: its goal cannot be in that space", .goal.name())]
    SpaceOfOwnLimb {
        /// The goal.
        goal: IkGoal,
        /// The joint.
        joint: JointIndex,
    },
    /// Limbs whose goals are in the spaces of each other's joints have no order.
    #[error("joint {joint} is on a limb that follows that of {} by its goal's space: a circle", .goal.name())]
    SpacesInCircle {
        /// The goal.
        goal: IkGoal,
        /// The joint.
        joint: JointIndex,
    },
    /// The animator has no such constraint; it may have been removed.
    #[error("the animator has no constraint {}", .0.0)]
    NoSuchConstraint(ConstraintId),
    /// The bytes are not a snapshot of this animator's state.
    #[error("the snapshot cannot be restored: {0}")]
    BadSnapshot(&'static str),
}
