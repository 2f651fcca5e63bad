//! Orientation of the joint frames of a generated rig: no solver may depend on it, so every test
//! rig comes in all kinds.

use crate::random::Random;
use sinew::math::{Quat, Transform, Vec3, frame_rotation, normalize_or};
use sinew::skeleton::{JointIndex, Skeleton, SkeletonBuilder};

/// The frame each joint gets in the rest pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoneRolls {
    /// All joint frames are model space's own: rest rotations are the identity.
    #[default]
    Identity,
    /// The joint's `y` axis points along its bone and `z` as near to the given reference as it can
    /// (Blender's way).
    AlongBone,
    /// Any rotation, a different one for each joint; the seed decides.
    Random(u64),
}

impl BoneRolls {
    /// One of each kind, for loops over all of them.
    pub const ALL: [BoneRolls; 3] = [BoneRolls::Identity, BoneRolls::AlongBone, BoneRolls::Random(7)];

    /// Model-space rotations for joints whose bones point along these unit vectors (see
    /// [`bones_ms`]). `reference` is where `z` should point for [`BoneRolls::AlongBone`].
    pub fn rotations_ms(self, bones_ms: &[Vec3], reference: Vec3) -> Vec<Quat> {
        match self {
            BoneRolls::Identity => vec![Quat::IDENTITY; bones_ms.len()],
            BoneRolls::AlongBone => bones_ms.iter().map(|bone| along(*bone, reference)).collect(),
            BoneRolls::Random(seed) => {
                let mut random = Random::new(seed);
                bones_ms.iter().map(|_| random.rotation()).collect()
            }
        }
    }
}

/// Unit vectors along each joint's bone, for joints at `positions_ms` (any unit): to the `chosen`
/// child, or to the first one where none is chosen. A leaf, and a bone without length, continues
/// its parent's bone.
pub fn bones_ms(
    parents: &[Option<JointIndex>],
    positions_ms: &[Vec3],
    chosen: impl Fn(JointIndex) -> Option<JointIndex>,
) -> Vec<Vec3> {
    let mut bones: Vec<Vec3> = Vec::with_capacity(parents.len());
    for joint in 0..parents.len() {
        let inherited = parents[joint].map_or(Vec3::Y, |p| bones[p]);
        let first_child = || (joint + 1..parents.len()).find(|c| parents[*c] == Some(joint));
        let child = chosen(joint).or_else(first_child);
        bones.push(child.map_or(inherited, |c| normalize_or(positions_ms[c] - positions_ms[joint], inherited)));
    }
    bones
}

/// Rotation whose `y` axis is the unit vector `bone` and whose `z` axis is as near to `reference`
/// as that allows.
fn along(bone: Vec3, reference: Vec3) -> Quat {
    let flat = reference - bone * bone.dot(reference);
    let z = if flat.length() > 0.2 { flat } else { sinew::math::perpendicular(bone) };
    frame_rotation(z, bone)
}

/// Local transforms of joints that stand at these places, turned this way, in model space; scale 1.
pub fn local_transforms(
    parents: &[Option<JointIndex>],
    positions_ms: &[Vec3],
    rotations_ms: &[Quat],
) -> Vec<Transform> {
    (0..parents.len())
        .map(|joint| match parents[joint] {
            None => Transform::new(positions_ms[joint], rotations_ms[joint]),
            Some(parent) => {
                let back = rotations_ms[parent].conjugate();
                let offset = positions_ms[joint] - positions_ms[parent];
                Transform::new(back * offset, (back * rotations_ms[joint]).normalize())
            }
        })
        .collect()
}

/// Skeleton of these joints.
///
/// # Panics
/// When the joints make no skeleton (a parent after its child, a number that is not finite).
pub fn skeleton(names: &[String], parents: &[Option<JointIndex>], rest: &[Transform]) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for joint in 0..names.len() {
        builder.joint(&names[joint], parents[joint], rest[joint]);
    }
    builder.build().expect("a made rig is a valid skeleton")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn y_runs_along_the_bone() {
        let parents = [None, Some(0), Some(1)];
        let positions = [Vec3::ZERO, Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.3, -0.2, 0.1)];
        let bones = bones_ms(&parents, &positions, |_| None);
        let turned = BoneRolls::AlongBone.rotations_ms(&bones, Vec3::Z);
        let first = (positions[1] - positions[0]).normalize();
        assert!((turned[0] * Vec3::Y - first).length() < 1e-6);
        assert!((turned[1] * Vec3::Y - Vec3::NEG_Y).length() < 1e-6);
        assert!((turned[2] * Vec3::Y - Vec3::NEG_Y).length() < 1e-6);
    }
}
