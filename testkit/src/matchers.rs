//! Judges: they recompute everything in `f64` from local transforms and use no flag and no cached
//! frame.

use sinew::math::{Quat, Transform, Vec3, float};
use sinew::skeleton::{JointIndex, Skeleton};

/// A joint's space in model space, exact: a full 3×3 part with the scale, shear and mirroring of
/// all parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine64 {
    /// Columns of the linear part: the images of the joint's x, y and z axes.
    pub columns: [[f64; 3]; 3],
    /// Origin of the joint, model space, rig units.
    pub position: [f64; 3],
}

impl Affine64 {
    /// Model space itself.
    pub const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], position: [0.0, 0.0, 0.0] };

    /// The matrix of one transform; its rotation is normalised first.
    pub fn from_transform(t: &Transform) -> Self {
        let q = unit_quat(t.rotation);
        let [x, y, z, w] = q;
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let scale = wide(t.scale);
        let column = |i: usize| rotation[i].map(|c| c * scale[i]);
        Self { columns: [column(0), column(1), column(2)], position: wide(t.position) }
    }
    /// This space, then `local` inside it.
    pub fn then(&self, local: &Self) -> Self {
        Self { columns: local.columns.map(|c| self.direction(c)), position: self.point(local.position) }
    }
    /// A direction of the joint's space in model space.
    pub fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        let c = &self.columns;
        [0, 1, 2].map(|i| c[0][i] * v[0] + c[1][i] * v[1] + c[2][i] * v[2])
    }
    /// A point of the joint's space in model space.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let d = self.direction(p);
        [0, 1, 2].map(|i| self.position[i] + d[i])
    }
    /// The joint's axis 0, 1 or 2 in model space, unit length (zero where a scale is zero).
    pub fn axis(&self, index: usize) -> [f64; 3] {
        let c = self.columns[index];
        let length = length(c);
        if length > 0.0 { c.map(|x| x / length) } else { c }
    }
    /// The position rounded to `f32`.
    pub fn position_f32(&self) -> Vec3 {
        narrow(self.position)
    }
}

/// Space of every joint in model space, from local transforms.
///
/// # Panics
/// When `local` has not one transform per joint.
pub fn forward_kinematics(skeleton: &Skeleton, local: &[Transform]) -> Vec<Affine64> {
    assert_eq!(local.len(), skeleton.joint_count(), "one transform per joint");
    let mut model: Vec<Affine64> = Vec::with_capacity(local.len());
    for (joint, transform) in local.iter().enumerate() {
        let outer = skeleton.parent(joint).map_or(Affine64::IDENTITY, |p| model[p]);
        model.push(outer.then(&Affine64::from_transform(transform)));
    }
    model
}

/// Rotation of every joint in model space as the plain product of local rotations, `x, y, z, w`.
/// Meaningful for rigs without negative scale; judge mirrored rigs by [`Affine64::axis`].
pub fn model_rotations(skeleton: &Skeleton, local: &[Transform]) -> Vec<[f64; 4]> {
    let mut model: Vec<[f64; 4]> = Vec::with_capacity(local.len());
    for (joint, transform) in local.iter().enumerate() {
        let own = unit_quat(transform.rotation);
        model.push(skeleton.parent(joint).map_or(own, |p| product(model[p], own)));
    }
    model
}

/// Distance between two points, in their unit.
pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    length([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// Distance of a joint from a point in model space, after forward kinematics; rig units.
pub fn distance_to_goal(skeleton: &Skeleton, local: &[Transform], joint: JointIndex, goal_ms: Vec3) -> f64 {
    distance(forward_kinematics(skeleton, local)[joint].position, wide(goal_ms))
}

/// Asserts that a joint is within `tolerance` (rig units) of a point in model space.
#[track_caller]
pub fn assert_reached(skeleton: &Skeleton, local: &[Transform], joint: JointIndex, goal_ms: Vec3, tolerance: f64) {
    let off = distance_to_goal(skeleton, local, joint, goal_ms);
    assert!(off <= tolerance, "joint {joint} ({}) is {off:e} from {goal_ms}", skeleton.name(joint));
}

/// Angle in radians, 0 … π, of the rotation that carries `a` to `b`; neither need be exactly unit.
pub fn rotation_angle_rad(a: Quat, b: Quat) -> f64 {
    angle_between_rad(unit_quat(a), unit_quat(b))
}

/// As [`rotation_angle_rad`], for the rotations of [`model_rotations`].
pub fn angle_between_rad(a: [f64; 4], b: [f64; 4]) -> f64 {
    let d = product([-a[0], -a[1], -a[2], a[3]], b);
    // The pinned `f32` function keeps seven digits of the angle, also of a tiny one, for both
    // arguments are exact enough.
    2.0 * f64::from(float::atan2(length([d[0], d[1], d[2]]) as f32, d[3].abs() as f32))
}

/// Angle in radians, 0 … π, between two directions of any length.
pub fn direction_angle_rad(a: [f64; 3], b: [f64; 3]) -> f64 {
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let scale = (length(a) * length(b)).max(1e-300);
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    f64::from(float::atan2((length(cross) / scale) as f32, (dot / scale) as f32))
}

/// Largest change, over all joints, of the distance between a joint and its parent in model space;
/// rig units.
pub fn bone_length_change(skeleton: &Skeleton, before: &[Transform], after: &[Transform]) -> f64 {
    let (a, b) = (forward_kinematics(skeleton, before), forward_kinematics(skeleton, after));
    let mut largest = 0.0f64;
    for joint in 0..a.len() {
        if let Some(parent) = skeleton.parent(joint) {
            let change =
                distance(b[joint].position, b[parent].position) - distance(a[joint].position, a[parent].position);
            largest = largest.max(change.abs());
        }
    }
    largest
}

/// Asserts that no bone became longer or shorter by more than `tolerance` rig units.
#[track_caller]
pub fn assert_bone_lengths_kept(skeleton: &Skeleton, before: &[Transform], after: &[Transform], tolerance: f64) {
    let change = bone_length_change(skeleton, before, after);
    assert!(change <= tolerance, "a bone changed its length by {change:e}");
}

/// Largest angle in radians between the local rotations of a joint in two poses.
pub fn max_joint_step_rad(a: &[Transform], b: &[Transform]) -> f64 {
    a.iter().zip(b).map(|(a, b)| rotation_angle_rad(a.rotation, b.rotation)).fold(0.0, f64::max)
}

/// Whether every number of every transform is finite.
pub fn all_finite(pose: &[Transform]) -> bool {
    pose.iter().all(Transform::is_finite)
}

/// Asserts that every number is finite and every rotation a unit quaternion (within 1e-5).
#[track_caller]
pub fn assert_sound(pose: &[Transform]) {
    for (joint, t) in pose.iter().enumerate() {
        assert!(t.is_finite(), "joint {joint} has a number that is not finite: {t:?}");
        let length = t.rotation.length();
        assert!((length - 1.0).abs() < 1e-5, "joint {joint} has a rotation of length {length}");
    }
}

/// The ten numbers of a transform in the order hosts exchange them.
pub fn numbers(t: &Transform) -> [f32; 10] {
    let (p, q, s) = (t.position, t.rotation, t.scale);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z]
}

/// Asserts that two poses are the same bits (so `0` differs from `-0`).
#[track_caller]
pub fn assert_pose_bits_equal(expected: &[Transform], actual: &[Transform]) {
    assert_eq!(expected.len(), actual.len(), "poses of different length");
    for (joint, (a, b)) in expected.iter().zip(actual).enumerate() {
        let bits = |t: &Transform| numbers(t).map(f32::to_bits);
        assert!(bits(a) == bits(b), "joint {joint} differs:\n expected {a:?}\n   actual {b:?}");
    }
}

/// Where a hash starts: the offset basis of FNV-1a with 64 bits.
pub const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a (64 bits) over the little-endian bytes of the ten numbers of each transform. `seed` is
/// [`HASH_START`] for a new hash, or the hash so far.
pub fn hash_transforms(transforms: &[Transform], seed: u64) -> u64 {
    let mut hash = seed;
    for byte in transforms.iter().flat_map(numbers).flat_map(f32::to_le_bytes) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// The vector in `f64`.
pub fn wide(v: Vec3) -> [f64; 3] {
    v.to_array().map(f64::from)
}
/// The vector in `f32`.
pub fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::from_array(v.map(|x| x as f32))
}

fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

fn unit_quat(q: Quat) -> [f64; 4] {
    let q = [q.x, q.y, q.z, q.w].map(f64::from);
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    q.map(|c| c / length)
}

/// The rotation `b`, then `a`: the product of two quaternions, `x, y, z, w`.
pub fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// The vector turned by a unit quaternion.
pub fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = product(product(q, [v[0], v[1], v[2], 0.0]), [-q[0], -q[1], -q[2], q[3]]);
    [x, y, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chains::{ChainOptions, ParentKind, chain};
    use crate::random::Random;
    use sinew::skeleton::Pose;

    #[test]
    fn it_agrees_with_the_core_under_every_parent() {
        let mut random = Random::new(11);
        for parent in ParentKind::ALL {
            let rig = chain(&ChainOptions { parent, bone_count: 6, ..ChainOptions::default() });
            let pose = random.pose_near_rest(&rig.skeleton, 2.0);
            let mut core = Pose::rest(&rig.skeleton);
            core.local_mut().copy_from_slice(&pose);
            core.update(&rig.skeleton);
            let judge = forward_kinematics(&rig.skeleton, &pose);
            for (joint, space) in judge.iter().enumerate() {
                assert!(distance(space.position, wide(core.model(joint).position)) < 1e-5, "{parent:?}");
            }
            let turned = model_rotations(&rig.skeleton, &pose);
            if parent != ParentKind::Mirrored {
                let off = angle_between_rad(turned[4], unit_quat(core.model(4).rotation));
                assert!(off < 1e-5, "{parent:?} {off}");
            }
        }
    }

    #[test]
    fn angles_are_right() {
        let q = sinew::math::axis_angle(Vec3::Z, 0.25);
        assert!((rotation_angle_rad(Quat::IDENTITY, q) - 0.25).abs() < 1e-6);
        assert!((rotation_angle_rad(q, -q)).abs() < 1e-6);
        let right = direction_angle_rad([2.0, 0.0, 0.0], [0.0, 0.1, 0.0]);
        assert!((right - core::f64::consts::FRAC_PI_2).abs() < 1e-6);
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash_transforms(&[], HASH_START), HASH_START);
        let mut expected = HASH_START;
        for number in [0.0f32, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0] {
            for byte in number.to_le_bytes() {
                expected ^= u64::from(byte);
                expected = expected.wrapping_mul(0x100_0000_01b3);
            }
        }
        assert_eq!(hash_transforms(&[Transform::IDENTITY], HASH_START), expected);
        let two = [Transform::IDENTITY, Transform::at(Vec3::X)];
        let chained = hash_transforms(&two[1..], hash_transforms(&two[..1], HASH_START));
        assert_eq!(hash_transforms(&two, HASH_START), chained);
    }
}
