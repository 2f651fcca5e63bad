//! Vectors, quaternions, transforms.

use safer_ffi::prelude::*;

/// Three floats: a point, a vector or a direction. The function documents space and unit.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SinewVec3 {
    /// X component.
    pub x: f32,
    /// Y component.
    pub y: f32,
    /// Z component.
    pub z: f32,
}

/// A rotation: a unit quaternion with the Hamilton product (`a * b` applies `b` first).
///
/// As input it is normalised; one shorter than 0.001 or longer than 1000 gives
/// SINEW_ERROR_INVALID_ROTATION.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SinewQuat {
    /// X of the vector part.
    pub x: f32,
    /// Y of the vector part.
    pub y: f32,
    /// Z of the vector part.
    pub z: f32,
    /// Scalar part; 1 for the identity.
    pub w: f32,
}

/// Position, rotation and scale of a joint in its parent, 40 bytes:
/// `point_parent = position + rotation · (scale ∘ point)`.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTransform {
    /// Metres (or the rig's unit).
    pub position: SinewVec3,
    /// Rotation in the parent.
    pub rotation: SinewQuat,
    /// Factor per axis; 1 for rigid rigs. May be negative (mirrored) or uneven.
    pub scale: SinewVec3,
}

/// The frame of a joint in model space.
///
/// A point p of the joint's space is at position + x_axis * p.x + y_axis * p.y + z_axis * p.z: the
/// exact linear part, with scale and shear of all ancestors.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewModelFrame {
    /// Origin of the joint, metres.
    pub position: SinewVec3,
    /// Orientation, unit. Below a mirroring scale it is the one that Unity reports.
    pub rotation: SinewQuat,
    /// Image of the joint's X axis; unit where nothing is scaled.
    pub x_axis: SinewVec3,
    /// Image of its Y axis.
    pub y_axis: SinewVec3,
    /// Image of its Z axis.
    pub z_axis: SinewVec3,
}
