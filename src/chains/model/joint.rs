//! Joints and effectors of a chain, as plain data.

use crate::limits::JointModel;
use crate::math::{Quat, Vec3};

/// One joint of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainJoint {
    /// Its parent, lower than its own index; `None` for a root joint.
    pub parent: Option<usize>,
    /// Where it sits in its parent's space (root joints: in the root's space).
    pub offset: Vec3,
    /// Its rotation at rest in its parent's space; limits count from it.
    pub rest: Quat,
    /// What it may do.
    pub model: JointModel,
}

/// A point fixed in a joint that has a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effector {
    /// Joint it is fixed in.
    pub joint: usize,
    /// Where, in the joint's space.
    pub offset: Vec3,
}
