//! The pose of one character: local transforms, and the frames in model space that follow from them.

use super::{JointIndex, Skeleton};
use crate::math::{Frame, Quat, Transform, Vec3};

/// Why a pose was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// The number of transforms is not the number of joints.
    #[error("{given} transforms for {expected} joints")]
    Length {
        /// Joints of the skeleton.
        expected: usize,
        /// Transforms given.
        given: usize,
    },
    /// A transform has a number that is not finite.
    #[error("joint {joint}: the transform has a number that is not finite")]
    NotFinite {
        /// The joint.
        joint: JointIndex,
    },
    /// A rotation is (nearly) the zero quaternion.
    #[error("joint {joint}: the rotation is not a rotation (length {length})")]
    ZeroRotation {
        /// The joint.
        joint: JointIndex,
        /// Length of the quaternion given.
        length: f32,
    },
}

/// Local transforms of every joint, and their frames in model space.
///
/// The local transforms are kept exactly as given, bit for bit: only the joints that a solver moved come out changed.
/// Rotations that are a little off unit length are normalised on the way to model space, not in place.
#[derive(Clone, Debug)]
pub struct Pose {
    local: Vec<Transform>,
    model: Vec<Frame>,
}

impl Pose {
    /// The rest pose of a skeleton.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self { local: skeleton.rest_local().to_vec(), model: skeleton.rest_model().to_vec() }
    }
    /// Local transforms, one per joint.
    pub fn local(&self) -> &[Transform] {
        &self.local
    }
    /// Local transforms for writing; call [`Self::update`] before model frames are read.
    pub fn local_mut(&mut self) -> &mut [Transform] {
        &mut self.local
    }
    /// Frame of a joint in model space, as of the last update of that joint.
    #[inline]
    pub fn model(&self, joint: JointIndex) -> Frame {
        self.model[joint]
    }
    /// Frame that a joint's local transform lives in: its parent's, or model space itself.
    pub fn parent_frame(&self, skeleton: &Skeleton, joint: JointIndex) -> Frame {
        skeleton.parent(joint).map_or(Frame::IDENTITY, |p| self.model[p])
    }

    /// Checks that every number is finite and every rotation a rotation.
    pub fn check(local: &[Transform]) -> Result<(), PoseError> {
        local.iter().enumerate().try_for_each(|(joint, transform)| Self::check_joint(joint, transform))
    }
    /// Checks one joint's transform.
    #[inline]
    pub fn check_joint(joint: JointIndex, transform: &Transform) -> Result<(), PoseError> {
        if !transform.is_finite() {
            return Err(PoseError::NotFinite { joint });
        }
        let length = transform.rotation.length();
        // Also false for the infinite length of huge components.
        if !(length > Skeleton::LEAST_QUATERNION && length < 1.0 / Skeleton::LEAST_QUATERNION) {
            return Err(PoseError::ZeroRotation { joint, length });
        }
        Ok(())
    }

    /// Recomputes the frames of all joints.
    pub fn update(&mut self, skeleton: &Skeleton) {
        self.update_range(skeleton, 0..self.local.len());
    }
    /// Recomputes the frames of a joint and everything below it.
    pub fn update_subtree(&mut self, skeleton: &Skeleton, joint: JointIndex) {
        self.update_range(skeleton, skeleton.subtree(joint));
    }
    /// Recomputes the frames of the listed joints, which must be in joint order and have up-to-date parents.
    pub fn update_joints(&mut self, skeleton: &Skeleton, joints: &[JointIndex]) {
        for &joint in joints {
            self.update_joint(skeleton, joint);
        }
    }
    /// [`Self::update_joints`] without those before `first`, when nothing but `first` and what lies below it has moved: no joint lies
    /// before its parent.
    pub fn update_joints_from(&mut self, skeleton: &Skeleton, joints: &[JointIndex], first: JointIndex) {
        self.update_joints(skeleton, &joints[joints.partition_point(|j| *j < first)..]);
    }
    fn update_range(&mut self, skeleton: &Skeleton, joints: core::ops::Range<JointIndex>) {
        for joint in joints {
            self.update_joint(skeleton, joint);
        }
    }
    #[inline(always)]
    fn update_joint(&mut self, skeleton: &Skeleton, joint: JointIndex) {
        let outer = skeleton.parent(joint).map_or(&Frame::IDENTITY, |p| &self.model[p]);
        self.model[joint] = outer.then_about(&self.local[joint]);
    }

    /// Gives a joint the orientation `rotation_ms` in model space by changing its local rotation. The frames of the
    /// joint and of everything below it are stale until updated.
    pub fn set_rotation_ms(&mut self, skeleton: &Skeleton, joint: JointIndex, rotation_ms: Quat) {
        self.local[joint].rotation = self.parent_frame(skeleton, joint).rotation_in(rotation_ms);
    }
    /// Moves a joint to `position_ms` in model space by changing its local position. Stays where it is when an ancestor's
    /// scale is zero. Frames from the joint down are stale until updated.
    pub fn set_position_ms(&mut self, skeleton: &Skeleton, joint: JointIndex, position_ms: Vec3) {
        if let Some(position) = self.parent_frame(skeleton, joint).point_in(position_ms) {
            self.local[joint].position = position;
        }
    }
}
