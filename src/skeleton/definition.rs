//! The immutable description of a rig.

use super::JointIndex;
use super::order::{self, Link, Pair};
use crate::math::{Frame, Transform};

/// Definition of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDefinition {
    /// Name, any text; may repeat and may be empty.
    pub name: String,
    /// Index of the parent joint, lower than the joint's own; `None` for a root. A skeleton may
    /// have several roots.
    pub parent: Option<JointIndex>,
    /// Transform in the parent (for a root: in model space) in the rest pose.
    pub rest: Transform,
}

/// Why a skeleton could not be created.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// No joints were given.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// More joints than 65,535.
    #[error("{count} joints are more than the {} a skeleton may have", Skeleton::MAX_JOINTS)]
    TooManyJoints {
        /// Number of joints given.
        count: usize,
    },
    /// A parent does not come before its child.
    #[error("joint {joint}: parent {parent} does not come before it")]
    ParentNotBefore {
        /// The child.
        joint: JointIndex,
        /// Its parent index, as given.
        parent: i64,
    },
    /// A rest transform has a number that is not finite.
    #[error("joint {joint}: the rest transform has a number that is not finite")]
    NotFinite {
        /// The joint.
        joint: JointIndex,
    },
    /// A rest rotation is the zero quaternion.
    #[error("joint {joint}: the rest rotation is not a rotation (length {length})")]
    ZeroRotation {
        /// The joint.
        joint: JointIndex,
        /// Length of the quaternion given.
        length: f32,
    },
}

/// A rig: joints with names, parents and rest transforms. Immutable, shared by all characters of
/// its kind.
#[derive(Clone, Debug)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<JointIndex>>,
    rest_local: Vec<Transform>,
    rest_model: Vec<Frame>,
    roots: Vec<JointIndex>,
    links: Vec<Link>,
    pairs: Vec<Pair>,
    /// One past the last descendant: every descendant of `j` is in `j + 1 .. subtree_end[j]` (so
    /// may other joints be, when the host's order is not depth first).
    subtree_end: Vec<JointIndex>,
}

impl Skeleton {
    /// Maximum number of joints.
    pub const MAX_JOINTS: usize = 65_535;

    /// Checks the joints and computes the derived tables. Rest rotations are normalised.
    pub fn new(joints: Vec<JointDefinition>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints { count: joints.len() });
        }
        let mut skeleton = Self {
            names: Vec::with_capacity(joints.len()),
            parents: Vec::with_capacity(joints.len()),
            rest_local: Vec::with_capacity(joints.len()),
            rest_model: Vec::with_capacity(joints.len()),
            roots: Vec::new(),
            links: Vec::new(),
            pairs: Vec::new(),
            subtree_end: (1..=joints.len()).collect(),
        };
        for (index, joint) in joints.into_iter().enumerate() {
            if let Some(parent) = joint.parent
                && parent >= index
            {
                return Err(SkeletonError::ParentNotBefore { joint: index, parent: parent as i64 });
            }
            if !joint.rest.is_finite() {
                return Err(SkeletonError::NotFinite { joint: index });
            }
            let length = joint.rest.rotation.length();
            if length < Self::MIN_QUATERNION_LENGTH || !length.is_finite() {
                return Err(SkeletonError::ZeroRotation { joint: index, length });
            }
            let mut rest = joint.rest;
            rest.rotation = rest.rotation.normalize();
            skeleton.rest_local.push(rest);
            skeleton.parents.push(joint.parent);
            skeleton.names.push(joint.name);
        }
        skeleton.roots = (0..skeleton.parents.len()).filter(|j| skeleton.parents[*j].is_none()).collect();
        skeleton.links = order::links(&skeleton.parents);
        skeleton.pairs = order::pairs(&skeleton.links);
        for (link, rest) in skeleton.links.iter().zip(&skeleton.rest_local) {
            let parent = link.parent().map(|p| skeleton.rest_model[p]);
            skeleton.rest_model.push(Frame::of_joint(parent, rest, link.is_tightened()));
        }
        for index in (0..skeleton.parents.len()).rev() {
            if let Some(parent) = skeleton.parents[index] {
                skeleton.subtree_end[parent] = skeleton.subtree_end[parent].max(skeleton.subtree_end[index]);
            }
        }
        Ok(skeleton)
    }

    /// Minimum length of a quaternion that counts as a rotation (and is normalised); shorter ones
    /// are refused.
    pub const MIN_QUATERNION_LENGTH: f32 = 1e-3;

    /// Number of joints, at least 1.
    pub fn joint_count(&self) -> usize {
        self.parents.len()
    }
    /// Name of a joint.
    pub fn name(&self, joint: JointIndex) -> &str {
        &self.names[joint]
    }
    /// Names of all joints.
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// First joint with this name.
    pub fn find_joint(&self, name: &str) -> Option<JointIndex> {
        self.names.iter().position(|n| n == name)
    }
    /// Parent of a joint; `None` for a root.
    pub fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.parents[joint]
    }
    /// Parents of all joints; each is lower than the joint's own index.
    pub fn parents(&self) -> &[Option<JointIndex>] {
        &self.parents
    }
    /// Rest transforms, each in its parent.
    pub fn rest_local(&self) -> &[Transform] {
        &self.rest_local
    }
    /// Rest frames in model space.
    pub fn rest_model(&self) -> &[Frame] {
        &self.rest_model
    }
    /// Joints without a parent.
    pub fn roots(&self) -> &[JointIndex] {
        &self.roots
    }
    /// Link of a joint to its parent.
    #[inline(always)]
    pub(super) fn link(&self, joint: JointIndex) -> Link {
        self.links[joint]
    }
    /// Links of all joints.
    #[inline(always)]
    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }
    /// Pairs of joints below the roots, in the order of the update.
    #[inline(always)]
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
    /// Range that holds the joint and all its descendants.
    pub fn subtree(&self, joint: JointIndex) -> core::ops::Range<JointIndex> {
        joint..self.subtree_end[joint]
    }
    /// Joints from `joint`'s parent up to a root.
    pub fn ancestors(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        core::iter::successors(self.parents[joint], |j| self.parents[*j])
    }
    /// These joints and all their ancestors, in joint order.
    pub fn with_ancestors(&self, joints: impl IntoIterator<Item = JointIndex>) -> Box<[JointIndex]> {
        let mut needed = vec![false; self.parents.len()];
        for joint in joints {
            core::iter::once(joint).chain(self.ancestors(joint)).for_each(|j| needed[j] = true);
        }
        (0..needed.len()).filter(|j| needed[*j]).collect()
    }
    /// Whether `ancestor` is `joint` or an ancestor of it.
    pub fn is_self_or_ancestor(&self, ancestor: JointIndex, joint: JointIndex) -> bool {
        joint == ancestor || self.ancestors(joint).any(|j| j == ancestor)
    }
    /// Direct children of a joint, in joint order.
    pub fn children(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        self.subtree(joint).skip(1).filter(move |j| self.parents[*j] == Some(joint))
    }
}
