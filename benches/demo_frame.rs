//! A frame of "hold the cylinder" as a C host plays it: pose in, goals, solve, pose out. Baseline:
//! `pose_in_and_out`, the same without goals and solve.

#[path = "../tests/capi/mod.rs"]
mod capi;

use capi::{RigData, ok, quat, transform, transforms, vec3};
use criterion::{Criterion, criterion_group, criterion_main};
use sinew::ffi::*;
use std::hint::black_box;
use std::time::Duration;
use testkit::HoldCylinderScene;

struct Frame {
    pose: Vec<SinewTransform>,
    root: SinewTransform,
    position: SinewVec3,
    rotation: SinewQuat,
    look: SinewVec3,
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("demo_frame");
    group.sample_size(50).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    let scene = HoldCylinderScene::new();
    let animator = RigData::of_scene(&scene).animator();
    // From the seconds in which the hand holds the cylinder.
    let frames: Vec<Frame> = (150..360)
        .map(|frame| Frame {
            pose: transforms(&scene.pose(frame)),
            root: transform(&scene.root(frame)),
            position: vec3(scene.goal(frame).position),
            rotation: quat(scene.goal(frame).rotation),
            look: vec3(scene.cylinder(frame).position),
        })
        .collect();
    let mut out = frames[0].pose.clone();
    let joints = out.len() as u32;
    let mut next = 0;
    group.bench_function("pose_in_and_out", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % frames.len();
            ok(sinew_animator_set_pose(animator, frames[next].pose.as_ptr(), joints));
            ok(sinew_animator_get_pose(animator, black_box(out.as_mut_ptr()), joints));
        })
    });
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % frames.len();
            let frame = &frames[next];
            ok(sinew_animator_set_pose(animator, frame.pose.as_ptr(), joints));
            ok(sinew_animator_set_root(animator, Some(&frame.root)));
            ok(sinew_animator_set_ik_position_weight(animator, 3, 1.0));
            ok(sinew_animator_set_ik_rotation_weight(animator, 3, 1.0));
            ok(sinew_animator_set_ik_position(animator, 3, Some(&frame.position)));
            ok(sinew_animator_set_ik_rotation(animator, 3, Some(&frame.rotation)));
            ok(sinew_animator_set_look_at_weight(animator, 1.0, 0.0, 1.0, 0.0, 0.5));
            ok(sinew_animator_set_look_at_position(animator, Some(&frame.look)));
            ok(sinew_animator_solve(animator));
            ok(sinew_animator_get_pose(animator, black_box(out.as_mut_ptr()), joints));
        })
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
