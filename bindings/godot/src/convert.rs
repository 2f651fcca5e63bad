//! Numbers of Godot to numbers of the core and back. Both are single precision, so nothing is rounded but where a basis becomes a
//! quaternion.

use godot::builtin::{Basis, Quaternion, Transform3D, Vector3};
use sinew::math::{Mat3, Quat, Transform, Vec3, length, normalize_or};

/// A vector for the core.
#[inline]
pub fn vec3(v: Vector3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}
/// A vector for Godot.
#[inline]
pub fn vector3(v: Vec3) -> Vector3 {
    Vector3::new(v.x, v.y, v.z)
}
/// A rotation for the core, as it is: not normalised.
#[inline]
pub fn quat(q: Quaternion) -> Quat {
    Quat::from_xyzw(q.x, q.y, q.z, q.w)
}
/// A rotation for Godot.
#[inline]
pub fn quaternion(q: Quat) -> Quaternion {
    Quaternion::new(q.x, q.y, q.z, q.w)
}
/// The matrix whose columns are the basis' axes.
#[inline]
pub fn mat3(b: &Basis) -> Mat3 {
    Mat3::from_cols(vec3(b.col_a()), vec3(b.col_b()), vec3(b.col_c()))
}

/// Rotation and scale of a basis, as `Basis.get_rotation_quaternion` and `get_scale` have them: a mirroring basis scales all three axes
/// by negative numbers. Shear is dropped.
pub fn rotation_scale(b: &Basis) -> (Quat, Vec3) {
    let linear = mat3(b);
    let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    let scale = Vec3::new(length(linear.x_axis), length(linear.y_axis), length(linear.z_axis)) * sign;
    let x = normalize_or(linear.x_axis * sign, Vec3::X);
    let y = linear.y_axis * sign;
    let y = normalize_or(y - x * x.dot(y), Vec3::Y);
    let z = normalize_or(linear.z_axis * sign, Vec3::Z);
    let z = normalize_or(z - x * x.dot(z) - y * y.dot(z), x.cross(y));
    (Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize(), scale)
}

/// Orientation of a basis.
#[inline]
pub fn rotation(b: &Basis) -> Quat {
    rotation_scale(b).0
}

/// Position, rotation and scale of a transform; shear is dropped.
pub fn transform(t: &Transform3D) -> Transform {
    let (rotation, scale) = rotation_scale(&t.basis);
    Transform { position: vec3(t.origin), rotation, scale }
}

/// Whether the basis' axes are not at right angles (to rounding).
pub fn is_sheared(b: &Basis) -> bool {
    let m = mat3(b);
    let aslant = |a: Vec3, b: Vec3| a.dot(b).abs() > 1e-4 * length(a) * length(b);
    aslant(m.x_axis, m.y_axis) || aslant(m.y_axis, m.z_axis) || aslant(m.z_axis, m.x_axis)
}
