//! The pose of a chain: what a solve reads and writes.

use super::chain::Chain;
use crate::math::{Quat, Vec3};

/// The state a solve reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainPose {
    /// Where the root joints' parent stands in the solve space.
    pub root_position: Vec3,
    /// How it is turned.
    pub root_rotation: Quat,
    /// Rotation of each joint after its rest transform; the identity is rest. Solves start here.
    pub rotations: Vec<Quat>,
    /// Factor on the length of everything below the joint, 1: rest length.
    pub stretch: Vec<f32>,
}

impl ChainPose {
    /// The rest pose, its root at the origin.
    pub fn rest(chain: &Chain) -> Self {
        Self {
            root_position: Vec3::ZERO,
            root_rotation: Quat::IDENTITY,
            rotations: vec![Quat::IDENTITY; chain.joints.len()],
            stretch: vec![1.0; chain.joints.len()],
        }
    }
}
