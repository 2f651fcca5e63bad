//! Joint transforms: translation · rotation · scale.

use super::{Quat, Vec3};

/// Position, rotation and scale of a joint in its parent: `point_parent = position + rotation ·
/// (scale ∘ point)`.
///
/// This is the record that hosts exchange with the library: ten `f32` in this order, 40 bytes,
/// 4-byte aligned.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Transform {
    /// Position of the joint in the parent's space, in host units (metres unless the rig has
    /// another unit).
    pub position: Vec3,
    /// Unit quaternion, `x, y, z, w`.
    pub rotation: Quat,
    /// Scale per axis of the joint, 1 for rigid rigs; may be negative (mirrored) or uneven.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A rigid transform.
    #[inline]
    pub fn new(position: Vec3, rotation: Quat) -> Self {
        Self { position, rotation, scale: Vec3::ONE }
    }
    /// A translation without rotation or scale.
    #[inline]
    pub fn at(position: Vec3) -> Self {
        Self { position, ..Self::IDENTITY }
    }
}
