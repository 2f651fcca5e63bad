//! One limb: the kernel alone, a batch, on a pose, and as a C host calls it. Baseline of the
//! ratios: `kernel_scalar`. `kernel_scalar` and `kernel_wide` both solve the same 1024 limbs per
//! iteration; divide by 1024 for one limb.

#[path = "../tests/capi/mod.rs"]
mod capi;

use capi::{ok, transforms, vec3};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::closed_form::batch::Workspace;
use sinew::closed_form::limb::{self, LimbGoal, LimbJoints};
use sinew::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
use sinew::ffi::*;
use sinew::math::{LaneVec3, TILE, Tile, Vec3};
use sinew::skeleton::Pose;
use std::hint::black_box;
use std::time::Duration;
use testkit::Random;
use testkit::chains::{LimbOptions, limb as limb_rig};
use testkit::human_pose::random_human_pose;
use testkit::limbs::tiled;
use testkit::person::{PersonOptions, person};

const LIMBS: usize = 1024;

/// Random arms, so that symmetry and branch prediction hide nothing.
fn limbs() -> Vec<TwoBone<f32>> {
    let mut random = Random::new(1);
    let lane = LaneVec3::from_vec3;
    (0..LIMBS)
        .map(|_| TwoBone {
            root_mid: lane(random.unit_vector() * 0.33),
            mid_end: lane(random.unit_vector() * 0.26),
            hinge: lane(random.unit_vector()),
            centre: lane(random.unit_vector()),
            target: lane(random.in_ball(0.7)),
            weight: 1.0,
            pole: lane(random.in_ball(1.0)),
            pole_weight: random.unit01(),
            softness: 0.0,
            stretch: 0.05,
        })
        .collect()
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("two_bone");
    group.sample_size(50).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));

    let scalar = limbs();
    let blocks = tiled::<TwoBone<Tile>>(scalar.clone());
    let mut turns = vec![TwoBoneSolution::<Tile>::default(); LIMBS / TILE];
    let mut workspace = Workspace::default();
    group.throughput(Throughput::Elements(LIMBS as u64));
    group.bench_function("kernel_scalar", |bencher| {
        bencher.iter(|| {
            for limb in &scalar {
                black_box(two_bone::solve(black_box(limb)));
            }
        })
    });
    group.bench_function("kernel_wide", |bencher| {
        bencher.iter(|| workspace.two_bone(black_box(&blocks), black_box(&mut turns)))
    });

    group.throughput(Throughput::Elements(1));
    let rig = limb_rig(&LimbOptions::default());
    let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).expect("one limb");
    let mut random = Random::new(2);
    let targets: Vec<Vec3> = (0..256).map(|_| random.in_ball(0.5)).collect();
    let rest = rig.pose();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut next = 0;
    group.bench_function("limb_on_a_pose", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % targets.len();
            pose.local_mut()[2..5].copy_from_slice(&rest[2..5]);
            let goal = LimbGoal::at(targets[next], Vec3::NEG_Z);
            black_box(limb::solve(&rig.skeleton, &mut pose, &joints, black_box(&goal)))
        })
    });

    let person = person(&PersonOptions::default());
    let animator = capi::RigData::of_person(&person).animator();
    let animation = transforms(&random_human_pose(person.view(), &mut random, 0.5));
    let joints = animation.len() as u32;
    ok(sinew_animator_set_ik_position_weight(animator, 3, 1.0));
    group.bench_function("c_abi_solve_one_hand", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % targets.len();
            let target = vec3(Vec3::new(0.2, 1.3, 0.2) + targets[next]);
            ok(sinew_animator_set_pose(animator, animation.as_ptr(), joints));
            ok(sinew_animator_set_ik_position(animator, 3, Some(&target)));
            ok(sinew_animator_solve(animator));
        })
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
