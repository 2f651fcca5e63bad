//! Local transforms to model frames for a whole person. Baseline: `person_full`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::humanoid::HumanBone;
use sinew::skeleton::Pose;
use std::hint::black_box;
use std::time::Duration;
use testkit::Random;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("forward_kinematics");
    group.sample_size(50).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    let person = person(&PersonOptions::default());
    let animation = random_human_pose(person.view(), &mut Random::new(1), 1.0);
    let mut pose = Pose::rest(&person.skeleton);
    pose.local_mut().copy_from_slice(&animation);
    group.throughput(Throughput::Elements(animation.len() as u64));
    group.bench_function("person_full", |bencher| bencher.iter(|| black_box(&mut pose).update(&person.skeleton)));
    let arm = person.joint(HumanBone::RightUpperArm);
    group.throughput(Throughput::Elements(person.skeleton.subtree(arm).len() as u64));
    group.bench_function("arm_and_fingers", |bencher| {
        bencher.iter(|| black_box(&mut pose).update_subtree(&person.skeleton, arm))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
