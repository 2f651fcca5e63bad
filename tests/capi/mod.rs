//! A character made through the C ABI, for tests and benches that call what a C host would call.
#![allow(dead_code, reason = "each user takes what it needs")]

use sinew::ffi::*;
use sinew::math::{Quat, Transform, Vec3};
use testkit::matchers::numbers;
use testkit::{HoldCylinderScene, Person};

/// Asserts success.
#[track_caller]
pub fn ok(result: SinewResult) {
    assert!(result == SinewResult::SinewOk, "{}", result as i32);
}

pub fn vec3(v: Vec3) -> SinewVec3 {
    SinewVec3 { x: v.x, y: v.y, z: v.z }
}
pub fn quat(q: Quat) -> SinewQuat {
    SinewQuat { x: q.x, y: q.y, z: q.z, w: q.w }
}
pub fn transform(t: &Transform) -> SinewTransform {
    SinewTransform { position: vec3(t.position), rotation: quat(t.rotation), scale: vec3(t.scale) }
}

/// A rig's data as a C host has it.
pub struct RigData {
    parents: Vec<i32>,
    rest: Vec<SinewTransform>,
    human: Vec<i32>,
    t_pose: Vec<SinewTransform>,
    up: Vec3,
    forward: Vec3,
}

impl RigData {
    pub fn of_person(person: &Person) -> Self {
        let axes = person.axes;
        Self::new(&person.skeleton, &person.human, &person.t_pose, axes.up, axes.forward)
    }
    pub fn of_scene(scene: &HoldCylinderScene) -> Self {
        Self::new(&scene.skeleton, &scene.human, &scene.t_pose, scene.axes.up, scene.axes.forward)
    }
    fn new(
        skeleton: &sinew::skeleton::Skeleton,
        human: &[Option<usize>],
        t_pose: &[Transform],
        up: Vec3,
        forward: Vec3,
    ) -> Self {
        let index = |joint: &Option<usize>| joint.map_or(-1, |j| j as i32);
        Self {
            parents: skeleton.parents().iter().map(index).collect(),
            rest: skeleton.rest_local().iter().map(transform).collect(),
            human: human.iter().map(index).collect(),
            t_pose: t_pose.iter().map(transform).collect(),
            up,
            forward,
        }
    }
    /// Skeleton and avatar.
    pub fn avatar(&self) -> (SinewSkeleton, SinewAvatar) {
        let mut def = SinewSkeletonDef {
            struct_size: 0,
            joint_count: 0,
            parents: core::ptr::null(),
            rest: core::ptr::null(),
            names: core::ptr::null(),
        };
        ok(sinew_skeleton_def_default(Some(&mut def)));
        def.joint_count = self.parents.len() as u32;
        (def.parents, def.rest) = (self.parents.as_ptr(), self.rest.as_ptr());
        let mut skeleton = SinewSkeleton { bits: 0 };
        ok(unsafe { sinew_skeleton_create(Some(&def), Some(&mut skeleton)) });
        let mut def = SinewAvatarDef {
            struct_size: 0,
            human_joint_count: 0,
            skeleton,
            human_joints: core::ptr::null(),
            t_pose: core::ptr::null(),
            up: vec3(Vec3::ZERO),
            forward: vec3(Vec3::ZERO),
            arm_stretch: 0.0,
            leg_stretch: 0.0,
            upper_arm_twist: 0.0,
            lower_arm_twist: 0.0,
            upper_leg_twist: 0.0,
            lower_leg_twist: 0.0,
            feet_spacing: 0.0,
            human_range_count: 0,
            human_ranges: std::ptr::null(),
            human_range_set: 0,
        };
        ok(sinew_avatar_def_default(Some(&mut def)));
        (def.skeleton, def.human_joints, def.t_pose) = (skeleton, self.human.as_ptr(), self.t_pose.as_ptr());
        (def.up, def.forward) = (vec3(self.up), vec3(self.forward));
        let mut avatar = SinewAvatar { bits: 0 };
        ok(unsafe { sinew_avatar_create(&def, Some(&mut avatar)) });
        (skeleton, avatar)
    }
    /// One character.
    pub fn animator(&self) -> SinewAnimator {
        let (skeleton, avatar) = self.avatar();
        let mut def = SinewAnimatorDef { struct_size: 0, flags: 0, skeleton, avatar };
        ok(sinew_animator_def_default(Some(&mut def)));
        (def.skeleton, def.avatar) = (skeleton, avatar);
        let mut animator = SinewAnimator { bits: 0 };
        ok(sinew_animator_create(Some(&def), Some(&mut animator)));
        animator
    }
}

/// The pose as a C host keeps it.
pub fn transforms(pose: &[Transform]) -> Vec<SinewTransform> {
    pose.iter().map(transform).collect()
}

/// Whether two transforms are the same bits.
pub fn same_bits(a: &SinewTransform, b: &Transform) -> bool {
    let (p, q, s) = (a.position, a.rotation, a.scale);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z].map(f32::to_bits) == numbers(b).map(f32::to_bits)
}
