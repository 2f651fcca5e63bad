//! Joint by joint construction of a skeleton.

use super::{JointDefinition, JointIndex, Skeleton, SkeletonError};
use crate::math::{Quat, Transform, Vec3};

/// Collects joints, parent before child, and builds a [`Skeleton`] from them.
///
/// ```
/// use sinew::math::Vec3;
/// use sinew::skeleton::SkeletonBuilder;
/// let mut builder = SkeletonBuilder::new();
/// let hip = builder.joint_at("hip", None, Vec3::new(0.0, 0.9, 0.0));
/// let knee = builder.joint_at("knee", Some(hip), Vec3::new(0.0, -0.45, 0.0));
/// builder.joint_at("ankle", Some(knee), Vec3::new(0.0, -0.42, 0.0));
/// assert_eq!(builder.build().unwrap().joint_count(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SkeletonBuilder {
    joints: Vec<JointDefinition>,
}

impl SkeletonBuilder {
    /// A builder without joints.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a joint and returns its index. Invalid parents and numbers are reported by
    /// [`Self::build`].
    pub fn joint(&mut self, name: &str, parent: Option<JointIndex>, rest: Transform) -> JointIndex {
        self.joints.push(JointDefinition { name: name.to_owned(), parent, rest });
        self.joints.len() - 1
    }
    /// Adds a joint without rotation at `position` in its parent.
    pub fn joint_at(&mut self, name: &str, parent: Option<JointIndex>, position: Vec3) -> JointIndex {
        self.joint(name, parent, Transform::at(position))
    }
    /// Adds a joint with position and rotation in its parent.
    pub fn joint_turned(
        &mut self,
        name: &str,
        parent: Option<JointIndex>,
        position: Vec3,
        rotation: Quat,
    ) -> JointIndex {
        self.joint(name, parent, Transform::new(position, rotation))
    }
    /// Checks all joints and creates the skeleton.
    pub fn build(self) -> Result<Skeleton, SkeletonError> {
        Skeleton::new(self.joints)
    }
}
