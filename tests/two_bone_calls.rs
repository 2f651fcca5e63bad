//! The C functions for single limbs: the numbers of the core, alone and in batches of any size, and refusals that write nothing.

use sinew::chains::two_bone::{self, TwoBone};
use sinew::ffi::*;
use sinew::math::{LaneVec3, Vec3};
use testkit::Random;

const NOTHING: SinewTwoBoneResult = SinewTwoBoneResult {
    root: SinewQuat { x: 9.0, y: 9.0, z: 9.0, w: 9.0 },
    mid: SinewQuat { x: 9.0, y: 9.0, z: 9.0, w: 9.0 },
    stretch: 9.0,
    beyond: 9.0,
};

fn default_job() -> SinewTwoBoneJob {
    let zero = SinewVec3::default();
    let mut job = SinewTwoBoneJob {
        struct_size: 0,
        root_mid: zero,
        mid_end: zero,
        target: zero,
        pole: zero,
        hinge: zero,
        centre: zero,
        weight: 0.0,
        pole_weight: 0.0,
        softness: 0.0,
        stretch: 0.0,
    };
    assert_eq!(sinew_two_bone_job_default(Some(&mut job)), SinewResult::SinewOk);
    job
}

fn jobs(count: usize) -> Vec<SinewTwoBoneJob> {
    let mut random = Random::new(1);
    (0..count)
        .map(|_| {
            let mut vector = |most: f32| Vec3::into(random.in_ball(most));
            SinewTwoBoneJob {
                root_mid: vector(0.4),
                mid_end: vector(0.4),
                target: vector(0.8),
                pole: vector(1.0),
                hinge: vector(1.0),
                centre: vector(1.0),
                pole_weight: random.unit01(),
                softness: random.unit01() * 0.2,
                stretch: random.unit01() * 0.1,
                ..default_job()
            }
        })
        .collect()
}

#[test]
fn a_call_and_a_batch_give_the_core_s_numbers() {
    let lane = |v: SinewVec3| LaneVec3::from_vec3(v.into());
    for count in [1usize, 3, 64, 65, 500] {
        let jobs = jobs(count);
        let mut together = vec![NOTHING; count];
        let result = sinew_two_bone_solve_batch(jobs.as_ptr(), count as u32, together.as_mut_ptr());
        assert_eq!(result, SinewResult::SinewOk);
        for (job, together) in jobs.iter().zip(together) {
            let mut alone = NOTHING;
            assert_eq!(sinew_two_bone_solve(Some(job), Some(&mut alone)), SinewResult::SinewOk);
            assert_eq!(alone, together);
            let core = two_bone::solve(&TwoBone {
                root_mid: lane(job.root_mid),
                mid_end: lane(job.mid_end),
                hinge: lane(job.hinge),
                centre: lane(job.centre),
                target: lane(job.target),
                weight: job.weight,
                pole: lane(job.pole),
                pole_weight: job.pole_weight,
                softness: job.softness,
                stretch: job.stretch,
            });
            assert_eq!(SinewTwoBoneResult::from(core), alone);
        }
    }
}

#[test]
fn one_bad_job_writes_nothing() {
    let mut jobs = jobs(100);
    jobs[70].pole.y = f32::NAN;
    let mut results = vec![NOTHING; 100];
    let batch = |jobs: &[SinewTwoBoneJob], results: &mut [SinewTwoBoneResult]| {
        sinew_two_bone_solve_batch(jobs.as_ptr(), jobs.len() as u32, results.as_mut_ptr())
    };
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewErrorNotFinite);
    jobs[70] = SinewTwoBoneJob { struct_size: 1, ..default_job() };
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewErrorStructSize);
    assert!(results.iter().all(|r| *r == NOTHING));
    jobs[70] = default_job();
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewOk);
    assert!(results.iter().all(|r| *r != NOTHING));
    assert_eq!(sinew_two_bone_solve_batch(core::ptr::null(), 0, core::ptr::null_mut()), SinewResult::SinewOk);
    let null = sinew_two_bone_solve_batch(jobs.as_ptr(), 1, core::ptr::null_mut());
    assert_eq!(null, SinewResult::SinewErrorNullPointer);
}

#[test]
fn weights_outside_0_to_1_are_limited() {
    let mut job = jobs(1)[0];
    (job.weight, job.pole_weight, job.softness, job.stretch) = (7.0, -3.0, -1.0, 4.0);
    let limited = SinewTwoBoneJob { weight: 1.0, pole_weight: 0.0, softness: 0.0, stretch: 1.0, ..job };
    let solve = |job: &SinewTwoBoneJob| {
        let mut out = NOTHING;
        assert_eq!(sinew_two_bone_solve(Some(job), Some(&mut out)), SinewResult::SinewOk);
        out
    };
    assert_eq!(solve(&job), solve(&limited));
}
