//! A space inside another, into which tasks are brought.
//!
//! A solve runs in model space. Hosts give goals in world space and move the character's root under
//! them.

use crate::math::{Quat, Transform, Vec3};

/// A space inside another: rotation, place and an even scale.
#[derive(Clone, Copy, Debug)]
pub struct InnerSpace {
    /// Its origin.
    pub place: Vec3,
    /// The inverse of its rotation.
    pub back: Quat,
    /// The inverse of its scale.
    pub shrink: f32,
    /// Whether the frames of masked axes stay as they are.
    pub keeps_axes: bool,
}

impl InnerSpace {
    /// The space that `root` places. Its scale counts by its first number, which must not be 0.
    pub fn new(root: &Transform, keeps_axes: bool) -> Self {
        Self { place: root.position, back: root.rotation.conjugate(), shrink: 1.0 / root.scale.x, keeps_axes }
    }
    /// A point.
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.back * (p - self.place) * self.shrink
    }
    /// A rotation.
    pub fn rotation(&self, q: Quat) -> Quat {
        (self.back * q).normalize()
    }
}
