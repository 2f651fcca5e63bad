//! Calls of a C host for one character: what it sets, solves and reads in a frame. A unit is a
//! call, or a frame.

#[path = "../../tests/capi/mod.rs"]
pub mod capi;

use super::humanoid::CHARACTERS;
use super::time::{Scene, timed};
use super::{Row, counted};
use capi::{RigData, ok, quat, transform, transforms, vec3};
use sinew::ffi::*;
use sinew::math::{Quat, Transform, Vec3};
use std::hint::black_box;
use testkit::Random;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

/// Calls of a row.
const CALLS: usize = 16;

/// Characters of one avatar, and poses for them.
pub struct Cast {
    pub animators: Vec<SinewAnimator>,
    poses: Vec<Vec<SinewTransform>>,
}

impl Cast {
    pub fn new() -> Self {
        let person = person(&PersonOptions::default());
        let data = RigData::of_person(&person);
        let mut random = Random::new(1);
        let poses = (0..CHARACTERS).map(|_| transforms(&random_human_pose(person.view(), &mut random, 0.3))).collect();
        Self { animators: (0..CHARACTERS).map(|_| data.animator()).collect(), poses }
    }
    /// Goals for both feet, with rotations, and a point to look at.
    pub fn ask(&self) {
        let mut random = Random::new(2);
        for animator in &self.animators {
            for (goal, x) in [(0, -0.1), (1, 0.1)] {
                let place = Vec3::new(x, 0.15, 0.05) + random.in_ball(0.05);
                ok(sinew_animator_set_ik_position(*animator, goal, Some(&vec3(place))));
                ok(sinew_animator_set_ik_position_weight(*animator, goal, 1.0));
                ok(sinew_animator_set_ik_rotation(*animator, goal, Some(&quat(random.rotation_within(0.3)))));
                ok(sinew_animator_set_ik_rotation_weight(*animator, goal, 1.0));
            }
            let place = Vec3::new(0.5, 1.5, 2.0) + random.in_ball(0.5);
            ok(sinew_animator_set_look_at_position(*animator, Some(&vec3(place))));
            ok(sinew_animator_set_look_at_weight(*animator, 1.0, 0.3, 0.7, 0.0, 0.5));
        }
    }
    pub fn each(&self) -> impl Iterator<Item = (SinewAnimator, &[SinewTransform])> {
        self.animators.iter().copied().zip(self.poses.iter().map(Vec::as_slice))
    }
    /// Writes the poses into the buffers, as a host does.
    fn animate(&self) {
        for (animator, pose) in self.each() {
            ok(unsafe { sinew_animator_set_pose(animator, pose.as_ptr(), pose.len() as u32) });
        }
    }
}

/// The pose buffer of an animator.
pub fn buffer(animator: SinewAnimator) -> &'static mut [SinewTransform] {
    let (mut pose, mut count) = (core::ptr::null_mut(), 0);
    ok(sinew_animator_get_pose_buffer(animator, Some(&mut pose), Some(&mut count)));
    // SAFETY: as long as the animator, which is not destroyed.
    unsafe { core::slice::from_raw_parts_mut(pose, count as usize) }
}

/// A call with its number, for each character in turn.
fn calls(name: &str, call: fn(SinewAnimator, u32)) -> Row {
    let work = move || {
        let cast = Cast::new();
        cast.animate();
        let all = || {
            for number in 0..CALLS {
                call(black_box(cast.animators[number % CHARACTERS]), number as u32);
            }
        };
        all();
        counted(&mut || all());
        CALLS as u64
    };
    Row { name: format!("c_abi_{name}"), work: Box::new(work) }
}

/// Feet on goals, a gaze: pose in the buffer, solve, and with `frames` the frames of all joints.
fn feet_look_at(name: &str, frames: bool) -> Row {
    let work = move || {
        let cast = Cast::new();
        cast.ask();
        let none = frame();
        let mut out = vec![none; cast.poses[0].len()];
        let mut all = || {
            for animator in &cast.animators {
                ok(sinew_animator_solve(black_box(*animator)));
                if frames {
                    ok(unsafe { sinew_animator_get_model_frames(*animator, out.as_mut_ptr(), out.len() as u32) });
                }
            }
        };
        cast.animate();
        all();
        cast.animate();
        counted(&mut all);
        CHARACTERS as u64
    };
    Row { name: format!("c_abi_{name}"), work: Box::new(work) }
}

fn frame() -> SinewModelFrame {
    let zero = vec3(Vec3::ZERO);
    SinewModelFrame { position: zero, rotation: quat(Quat::IDENTITY), x_axis: zero, y_axis: zero, z_axis: zero }
}

/// The same frame of one character, alone in a loop or with cold caches: between the frames as much
/// memory is written as no cache holds.
fn frame_of_one(is_cold: bool) -> (u64, impl FnMut() -> f64) {
    const EVICTED: usize = 64 << 20;
    const LINE: usize = 64;
    let cast = Cast::new();
    cast.ask();
    let mut out = vec![frame(); cast.poses[0].len()];
    let mut memory = vec![0u8; if is_cold { EVICTED } else { 0 }];
    let round = move || {
        let (animator, pose) = (cast.animators[0], &cast.poses[0]);
        ok(unsafe { sinew_animator_set_pose(animator, pose.as_ptr(), pose.len() as u32) });
        for line in memory.chunks_mut(LINE) {
            line[0] = line[0].wrapping_add(1);
        }
        black_box(&mut memory);
        timed(|| {
            ok(sinew_animator_solve(black_box(animator)));
            ok(unsafe { sinew_animator_get_model_frames(animator, out.as_mut_ptr(), out.len() as u32) });
        })
    };
    (1, round)
}

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("scene_c_abi_feet_look_at/hot", || frame_of_one(false)),
        Scene::new("scene_c_abi_feet_look_at/cold", || frame_of_one(true)),
    ]
}

/// All frames of a rig of 67 joints.
fn frames_of_67() -> Row {
    let work = || {
        let rig = super::kernels::joints_67();
        let index = |joint: &Option<usize>| joint.map_or(-1, |j| j as i32);
        let (parents, rest): (Vec<i32>, _) = (rig.parents().iter().map(index).collect(), transforms(rig.rest_local()));
        let mut def = SinewSkeletonDef {
            struct_size: 0,
            joint_count: 0,
            parents: core::ptr::null(),
            rest: core::ptr::null(),
            names: core::ptr::null(),
        };
        ok(sinew_skeleton_def_default(Some(&mut def)));
        (def.joint_count, def.parents, def.rest) = (parents.len() as u32, parents.as_ptr(), rest.as_ptr());
        let mut skeleton = SinewSkeleton { bits: 0 };
        ok(unsafe { sinew_skeleton_create(Some(&def), Some(&mut skeleton)) });
        let mut def = SinewAnimatorDef { struct_size: 0, flags: 0, skeleton, avatar: SinewAvatar { bits: 0 } };
        ok(sinew_animator_def_default(Some(&mut def)));
        def.skeleton = skeleton;
        let mut animator = SinewAnimator { bits: 0 };
        ok(sinew_animator_create(Some(&def), Some(&mut animator)));
        let mut out = vec![frame(); parents.len()];
        let mut all = || {
            ok(unsafe { sinew_animator_get_model_frames(black_box(animator), out.as_mut_ptr(), out.len() as u32) });
        };
        all();
        counted(&mut all);
        1
    };
    Row { name: "c_abi_model_frames_67_joints".to_string(), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        frames_of_67(),
        feet_look_at("feet_look_at", false),
        feet_look_at("feet_look_at_with_frames", true),
        calls("set_root", |animator, number| {
            let root = Transform::new(Vec3::X * number as f32, Quat::IDENTITY);
            ok(sinew_animator_set_root(animator, Some(&transform(&root))));
        }),
        calls("set_ik_position", |animator, number| {
            ok(sinew_animator_set_ik_position(animator, (number % 4) as i32, Some(&vec3(Vec3::Y))));
        }),
        calls("get_ik_position", |animator, number| {
            let mut out = vec3(Vec3::ZERO);
            ok(sinew_animator_get_ik_position(animator, (number % 4) as i32, Some(black_box(&mut out))));
        }),
        calls("get_ik_rotation", |animator, number| {
            let mut out = quat(Quat::IDENTITY);
            ok(sinew_animator_get_ik_rotation(animator, (number % 4) as i32, Some(black_box(&mut out))));
        }),
        calls("get_look_at_position", |animator, _| {
            let mut out = vec3(Vec3::ZERO);
            ok(sinew_animator_get_look_at_position(animator, Some(black_box(&mut out))));
        }),
        calls("get_joint_world", |animator, number| {
            let mut out = vec3(Vec3::ZERO);
            ok(sinew_animator_get_joint_world(animator, 3 * number, Some(black_box(&mut out)), None));
        }),
    ]
}
