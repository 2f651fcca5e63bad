//! A space inside another, into which tasks are brought.
//!
//! A solve runs in model space. Hosts give goals in world space and move the character's root under
//! them. A root may mirror: its scale is `s D`, `s` above 0 and `D` a diagonal matrix of signs. A
//! point `p` is at `place + s R D p` then, a joint's rotation `q` is `R D q D` ([`Frame`]'s law),
//! and a turn `ω` of a joint is `R det(D) D ω`.
//!
//! [`Frame`]: crate::math::Frame

use crate::math::{Quat, Transform, Vec3, conjugate_by_signs, signs_of};

/// A space inside another: rotation, place and an even scale, whose axes may be mirrored.
#[derive(Clone, Copy, Debug)]
pub struct InnerSpace {
    /// Its origin.
    pub place: Vec3,
    /// The inverse of its rotation.
    pub back: Quat,
    /// The inverse of the size of its scale.
    pub shrink: f32,
    /// The signs of its scale, each +1 or −1.
    pub signs: Vec3,
    /// Whether the frames of masked axes stay as they are.
    pub keeps_axes: bool,
}

impl InnerSpace {
    /// The space that `root` places. The size of its scale is that of its first number, which must
    /// not be 0.
    pub fn new(root: &Transform, keeps_axes: bool) -> Self {
        let (place, back) = (root.position, root.rotation.conjugate());
        Self { place, back, shrink: 1.0 / root.scale.x.abs(), signs: signs_of(root.scale), keeps_axes }
    }
    /// A point.
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.signs * (self.back * (p - self.place) * self.shrink)
    }
    /// A direction: it keeps its length.
    pub fn direction(&self, d: Vec3) -> Vec3 {
        self.signs * (self.back * d)
    }
    /// A rotation, or a frame of axes, whose directions keep their lines.
    pub fn rotation(&self, q: Quat) -> Quat {
        conjugate_by_signs(self.back * q, self.signs).normalize()
    }
}

/// A point of the space that `root` places, in the outer one. The size of the scale is that of its
/// first number.
pub(crate) fn point_out(root: &Transform, p: Vec3) -> Vec3 {
    root.position + root.rotation * (signs_of(root.scale) * (p * root.scale.x.abs()))
}

/// A joint's rotation in the space that `root` places, in the outer one.
pub(crate) fn rotation_out(root: &Transform, q: Quat) -> Quat {
    (root.rotation * conjugate_by_signs(q, signs_of(root.scale))).normalize()
}

/// The space that `inner` places in the one that `root` places, in the outer one.
pub(crate) fn compose(root: &Transform, inner: &Transform) -> Transform {
    Transform {
        position: point_out(root, inner.position),
        rotation: rotation_out(root, inner.rotation),
        scale: root.scale.x.abs() * signs_of(root.scale) * inner.scale,
    }
}
