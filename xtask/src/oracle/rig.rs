//! A case as the library sees it: a skeleton with one joint per bone, and a tip joint at the tail
//! of every effector bone.

use super::format::{Case, Constraint};
use super::geometry::{Placement, Rotation, V3};
use super::kinematics::BonePose;
use anyhow::{Context, Result, ensure};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointIndex, Pose, Skeleton, SkeletonBuilder};

/// The library's skeleton of a case. Joint `i` is bone `i`; tips come after the bones.
pub struct Rig {
    pub skeleton: Skeleton,
    /// Pose before IK.
    pub before: Pose,
    /// Tip joint of each bone that has one.
    tips: Vec<Option<JointIndex>>,
}

/// A point in the library's numbers.
pub fn vec3(v: V3) -> Vec3 {
    Vec3::from_array(v.0.map(|x| x as f32))
}

/// A rotation in the library's numbers.
pub fn quat(q: Rotation) -> Quat {
    Quat::from_array(q.0.map(|x| x as f32))
}

/// A rotation of the library's.
pub fn rotation(q: Quat) -> Rotation {
    Rotation::new(q.to_array().map(f64::from))
}

/// A point of the library's.
pub fn point(v: Vec3) -> V3 {
    V3(v.to_array().map(f64::from))
}

impl Rig {
    /// Builds skeleton and pose.
    pub fn new(case: &Case) -> Result<Rig> {
        let mut builder = SkeletonBuilder::new();
        for bone in 0..case.bone_count() {
            let Placement { position, rotation } = case.rest_local(bone);
            builder.joint_turned(&case.bones.name[bone], case.parent(bone), vec3(position), quat(rotation));
        }
        let mut tips = vec![None; case.bone_count()];
        for constraint in case.constraints.iter().filter(|c| c.use_tail) {
            let bone = constraint.bone;
            if tips[bone].is_none() {
                let tail = Vec3::new(0.0, case.bones.length[bone] as f32, 0.0);
                tips[bone] = Some(builder.joint_at(&format!("{} tip", case.bones.name[bone]), Some(bone), tail));
            }
        }
        let skeleton = builder.build().context("the library refuses the skeleton")?;
        let mut before = Pose::rest(&skeleton);
        for (bone, local) in case.fk_rotations().into_iter().enumerate() {
            before.local_mut()[bone].rotation = quat(case.rest_local(bone).rotation * local);
        }
        before.update(&skeleton);
        Ok(Rig { skeleton, before, tips })
    }

    /// Joint that a constraint brings to its target.
    pub fn effector(&self, constraint: &Constraint) -> JointIndex {
        self.tips[constraint.bone].filter(|_| constraint.use_tail).unwrap_or(constraint.bone)
    }

    /// What the library made of the pose, in the terms of the files: a joint further along its bone
    /// is a longer bone, a joint anywhere else is torn off.
    pub fn read(&self, case: &Case, solved: &[Transform]) -> Result<BonePose> {
        let n = case.bone_count();
        let rest = self.skeleton.rest_local();
        ensure!(solved.len() == rest.len(), "{} joints came back of {}", solved.len(), rest.len());
        ensure!(solved.iter().all(|t| t.scale == Vec3::ONE), "the library scaled a joint");
        let rotations = (0..n).map(|bone| case.rest_local(bone).rotation.inverse() * rotation(solved[bone].rotation));
        let mut pose = BonePose::rigid(rotations.collect());
        for joint in 0..rest.len() {
            if let Some(parent) = self.skeleton.parent(joint)
                && solved[joint].position != rest[joint].position
            {
                let (from, to) = (point(rest[joint].position), point(solved[joint].position));
                let factor = to.dot(from) / from.dot(from);
                if factor.is_finite() {
                    pose.scale[parent] = factor;
                }
            }
        }
        for bone in 0..n {
            if solved[bone].position != rest[bone].position {
                let scale = case.parent(bone).map_or(1.0, |p| pose.scale[p]);
                let moved = point(solved[bone].position) * (1.0 / scale) - point(rest[bone].position);
                pose.offset[bone] = case.rest_local(bone).rotation.inverse().rotate(moved);
            }
        }
        Ok(pose)
    }
}
