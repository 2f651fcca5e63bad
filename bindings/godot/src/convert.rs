//! Numbers of Godot to numbers of the core and back. Both are single precision, so nothing is
//! rounded but where a basis becomes a quaternion.

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
/// A rotation for the core, not normalised.
#[inline]
pub fn quat(q: Quaternion) -> Quat {
    Quat::from_xyzw(q.x, q.y, q.z, q.w)
}
/// Whether it is a rotation: finite numbers, and a length.
#[inline]
pub fn is_rotation(q: Quat) -> bool {
    q.is_finite() && q.length() > 1e-3
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

/// Lengths of the basis' axes; all three negative when it mirrors, as `Basis.get_scale` has them.
fn scale(linear: &Mat3) -> Vec3 {
    let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    let lengths = Vec3::new(length(linear.x_axis), length(linear.y_axis), length(linear.z_axis));
    without_rounding(lengths) * sign
}

/// A scale in which values that differ from 1 by rounding are exactly 1. Godot takes the scale of
/// poses and rests from the lengths of a basis' axes, and frames without scale are faster in the
/// core.
#[inline]
pub fn without_rounding(scale: Vec3) -> Vec3 {
    const ROUNDING: f32 = 2e-6;
    let exact = |size: f32| if (size - 1.0).abs() < ROUNDING { 1.0 } else { size };
    Vec3::new(exact(scale.x), exact(scale.y), exact(scale.z))
}

/// The rotation of a basis without its scale; shear is dropped: X stays, Y keeps its plane.
fn rotation_without(linear: &Mat3, scale: Vec3) -> Quat {
    let sign = if scale.x < 0.0 { -1.0 } else { 1.0 };
    let x = normalize_or(linear.x_axis * sign, Vec3::X);
    let y = linear.y_axis * sign;
    let y = normalize_or(y - x * x.dot(y), Vec3::Y);
    let z = normalize_or(linear.z_axis * sign, Vec3::Z);
    let z = normalize_or(z - x * x.dot(z) - y * y.dot(z), x.cross(y));
    Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize()
}

/// Orientation of a basis, as `Basis.get_rotation_quaternion` has it; shear is dropped.
#[inline]
pub fn rotation(b: &Basis) -> Quat {
    let linear = mat3(b);
    rotation_without(&linear, scale(&linear))
}

/// Position, rotation and scale of a transform; shear is dropped.
pub fn transform_unsheared(t: &Transform3D) -> Transform {
    let linear = mat3(&t.basis);
    let scale = scale(&linear);
    Transform { position: vec3(t.origin), rotation: rotation_without(&linear, scale), scale }
}

/// Position, rotation and scale of a transform whose axes are at right angles (to rounding).
pub fn transform(t: &Transform3D) -> Option<Transform> {
    let m = mat3(&t.basis);
    let scale = scale(&m);
    let aslant = |a: Vec3, b: Vec3, lengths: f32| a.dot(b).abs() > 1e-4 * lengths.abs();
    let sheared = aslant(m.x_axis, m.y_axis, scale.x * scale.y)
        || aslant(m.y_axis, m.z_axis, scale.y * scale.z)
        || aslant(m.z_axis, m.x_axis, scale.z * scale.x);
    let rotation = || rotation_without(&m, scale);
    (!sheared).then(|| Transform { position: vec3(t.origin), rotation: rotation(), scale })
}
