//! The C functions for single limbs: the numbers of the core, alone and in batches of any size, and
//! refusals that write nothing.

use sinew::closed_form::joint_limb::{self, JointLimb};
use sinew::closed_form::two_bone::{self, TwoBone};
use sinew::ffi::*;
use sinew::math::{LaneQuat, LaneVec3, Vec3};
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
        let result = unsafe { sinew_two_bone_solve_batch(jobs.as_ptr(), count as u32, together.as_mut_ptr()) };
        assert_eq!(result, SinewResult::SinewOk);
        for (job, together) in jobs.iter().zip(together) {
            let mut alone = NOTHING;
            assert_eq!(unsafe { sinew_two_bone_solve(job, Some(&mut alone)) }, SinewResult::SinewOk);
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
    let batch = |jobs: &[SinewTwoBoneJob], results: &mut [SinewTwoBoneResult]| unsafe {
        sinew_two_bone_solve_batch(jobs.as_ptr(), jobs.len() as u32, results.as_mut_ptr())
    };
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewErrorNotFinite);
    jobs[70] = SinewTwoBoneJob { struct_size: 1, ..default_job() };
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewErrorStructSize);
    assert!(results.iter().all(|r| *r == NOTHING));
    jobs[70] = default_job();
    assert_eq!(batch(&jobs, &mut results), SinewResult::SinewOk);
    assert!(results.iter().all(|r| *r != NOTHING));
    assert_eq!(
        unsafe { sinew_two_bone_solve_batch(core::ptr::null(), 0, core::ptr::null_mut()) },
        SinewResult::SinewOk
    );
    let null = unsafe { sinew_two_bone_solve_batch(jobs.as_ptr(), 1, core::ptr::null_mut()) };
    assert_eq!(null, SinewResult::SinewErrorNullPointer);
}

#[test]
fn weights_outside_0_to_1_are_limited() {
    let mut job = jobs(1)[0];
    (job.weight, job.pole_weight, job.softness, job.stretch) = (7.0, -3.0, -1.0, 4.0);
    let limited = SinewTwoBoneJob { weight: 1.0, pole_weight: 0.0, softness: 0.0, stretch: 1.0, ..job };
    let solve = |job: &SinewTwoBoneJob| {
        let mut out = NOTHING;
        assert_eq!(unsafe { sinew_two_bone_solve(job, Some(&mut out)) }, SinewResult::SinewOk);
        out
    };
    assert_eq!(solve(&job), solve(&limited));
}

fn default_joint_job() -> SinewJointLimbJob {
    let (zero, none) = (SinewVec3::default(), SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 });
    let mut job = SinewJointLimbJob {
        struct_size: 0,
        root: none,
        mid: none,
        end: none,
        end_goal: none,
        mid_at: zero,
        end_at: zero,
        target: zero,
        pole: zero,
        bend_side: zero,
        centre: zero,
        weight: 0.0,
        pole_weight: 0.0,
        softness: 0.0,
        stretch: 0.0,
        end_weight: 0.0,
    };
    assert_eq!(sinew_joint_limb_job_default(Some(&mut job)), SinewResult::SinewOk);
    job
}

fn random_joint_job(random: &mut Random) -> SinewJointLimbJob {
    let mut quat = || random.rotation().into();
    let [root, mid, end, end_goal] = [quat(), quat(), quat(), quat()];
    let mut vector = |most: f32| Vec3::into(random.in_ball(most));
    let [mid_at, end_at, target, pole] = [vector(0.4), vector(0.4), vector(0.8), vector(1.0)];
    let [bend_side, centre] = [vector(1.0), vector(1.0)];
    SinewJointLimbJob {
        root,
        mid,
        end,
        end_goal,
        mid_at,
        end_at,
        target,
        pole,
        bend_side,
        centre,
        weight: 1.0,
        pole_weight: [0.0, 0.5, 1.0][random.below(3)],
        softness: random.unit01() * 0.2,
        stretch: [0.0, 0.1][random.below(2)],
        end_weight: [0.0, 0.5, 1.0][random.below(3)],
        ..default_joint_job()
    }
}

fn solve_joints(job: &SinewJointLimbJob) -> (SinewResult, SinewJointLimbResult) {
    let nine = SinewQuat { x: 9.0, y: 9.0, z: 9.0, w: 9.0 };
    let mut out = SinewJointLimbResult { root: nine, mid: nine, end: nine, stretch: 9.0, beyond: 9.0 };
    (unsafe { sinew_joint_limb_solve(job, Some(&mut out)) }, out)
}

#[test]
fn a_call_with_joints_gives_the_core_s_numbers() {
    let (lane, quat) = (|v: SinewVec3| LaneVec3::from_vec3(v.into()), |q: SinewQuat| LaneQuat::from_quat(q.into()));
    let mut random = Random::new(2);
    for _ in 0..1000 {
        let job = random_joint_job(&mut random);
        let limb = JointLimb {
            root: quat(job.root),
            mid: quat(job.mid),
            end: quat(job.end),
            end_goal: quat(job.end_goal),
            mid_at: lane(job.mid_at),
            end_at: lane(job.end_at),
            target: lane(job.target),
            pole: lane(job.pole),
            bend_side: lane(job.bend_side),
            centre: lane(job.centre),
            weight: job.weight,
            pole_weight: job.pole_weight,
            softness: job.softness,
            stretch: job.stretch,
            end_weight: job.end_weight,
        };
        let core = SinewJointLimbResult::from(joint_limb::solve(&limb));
        assert_eq!(solve_joints(&job), (SinewResult::SinewOk, core));
    }
}

#[test]
fn joints_off_unit_length_are_normalised_and_weights_limited() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let job = random_joint_job(&mut random);
        let longer = |q: SinewQuat| SinewQuat { x: q.x * 2.0, y: q.y * 2.0, z: q.z * 2.0, w: q.w * 2.0 };
        let (stretch, end_weight, pole_weight) = (1.0, 1.0, 0.0);
        let plain = SinewJointLimbJob { stretch, end_weight, pole_weight, ..job };
        let odd = SinewJointLimbJob {
            root: longer(job.root),
            end: longer(job.end),
            end_goal: longer(job.end_goal),
            weight: 3.0,
            stretch: 7.0,
            end_weight: 2.0,
            pole_weight: -1.0,
            ..job
        };
        let ((_, plain), (code, odd)) = (solve_joints(&plain), solve_joints(&odd));
        assert_eq!(code, SinewResult::SinewOk);
        for (a, b) in [(plain.root, odd.root), (plain.mid, odd.mid), (plain.end, odd.end)] {
            let dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
            assert!(dot > 1.0 - 1e-6, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_bad_joint_job_writes_nothing() {
    let job = random_joint_job(&mut Random::new(4));
    let zero = SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 };
    let (_, untouched) = solve_joints(&SinewJointLimbJob { struct_size: 1, ..job });
    assert_eq!(untouched.beyond, 9.0);
    let refused = |job: SinewJointLimbJob, code: SinewResult| assert_eq!(solve_joints(&job), (code, untouched));
    refused(SinewJointLimbJob { struct_size: 1, ..job }, SinewResult::SinewErrorStructSize);
    refused(SinewJointLimbJob { end_weight: f32::NAN, ..job }, SinewResult::SinewErrorNotFinite);
    refused(
        SinewJointLimbJob { root: SinewQuat { x: f32::INFINITY, ..job.root }, ..job },
        SinewResult::SinewErrorNotFinite,
    );
    refused(SinewJointLimbJob { mid: zero, ..job }, SinewResult::SinewErrorInvalidRotation);
    refused(SinewJointLimbJob { end_goal: zero, end_weight: 0.5, ..job }, SinewResult::SinewErrorInvalidRotation);
    // One without influence is not checked.
    assert_eq!(solve_joints(&SinewJointLimbJob { end_goal: zero, end_weight: 0.0, ..job }).0, SinewResult::SinewOk);
    assert_eq!(unsafe { sinew_joint_limb_solve(core::ptr::null(), None) }, SinewResult::SinewErrorNullPointer);
}
