//! The closed forms, alone and in batches, and model frames. A unit is a limb, a ray, a character.

use super::{Row, counted};
use sinew::closed_form::aim_ray::Aim;
use sinew::closed_form::batch::{AimTurns, Workspace};
use sinew::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use sinew::closed_form::records::LimbPlaces;
use sinew::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
use sinew::ffi::*;
use sinew::math::dispatch::Level;
use sinew::math::{LaneQuat, LaneVec3, Rigid, TILE, Tile, Transform, Vec3};
use sinew::skeleton::crowd::{self, Eight};
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use std::hint::black_box;
use testkit::Random;
use testkit::limbs::tiled;

/// Limbs of a batch, as many as stay in the first cache.
const LIMBS: usize = 256;

/// A row whose work is done once to warm up and then counted; `units` of it at a time.
fn row<T: 'static>(name: &str, units: u64, make: fn() -> T, work: fn(&mut T)) -> Row {
    row_after(name, units, make, |_| {}, work)
}

/// The same, with something to put right before each time.
fn row_after<T: 'static>(name: &str, units: u64, make: fn() -> T, before: fn(&mut T), work: fn(&mut T)) -> Row {
    let run = move || {
        let mut state = make();
        before(&mut state);
        work(&mut state);
        before(&mut state);
        counted(&mut || work(&mut state));
        units
    };
    Row { name: name.to_string(), work: Box::new(run) }
}

/// A random arm: target in any direction at 0.3 to 1.3 of its length, a pole of weight 1, soft
/// reach.
fn arm(random: &mut Random) -> TwoBone<f32> {
    let lane = LaneVec3::from_vec3;
    let (a, b) = (random.between(0.2, 0.5), random.between(0.2, 0.5));
    TwoBone {
        root_mid: lane(random.unit_vector() * a),
        mid_end: lane(random.unit_vector() * b),
        hinge: lane(random.unit_vector()),
        target: lane(random.unit_vector() * ((a + b) * random.between(0.3, 1.3))),
        weight: 1.0,
        pole: lane(random.unit_vector() * 0.5),
        pole_weight: 1.0,
        softness: 0.03,
        ..TwoBone::default()
    }
}

fn arms() -> Vec<TwoBone<f32>> {
    let mut random = Random::new(1);
    (0..LIMBS).map(|_| arm(&mut random)).collect()
}

/// The same arms by their joints' rotations.
pub fn joint_arms() -> Vec<JointLimb<f32>> {
    let mut random = Random::new(2);
    let mut turn = || LaneQuat::from_quat(random.rotation());
    let joints = |arm: TwoBone<f32>| JointLimb {
        root: turn(),
        mid: turn(),
        end: turn(),
        mid_at: arm.root_mid,
        end_at: arm.mid_end,
        target: arm.target,
        weight: 1.0,
        pole: arm.pole,
        pole_weight: 1.0,
        bend_side: arm.hinge,
        softness: arm.softness,
        ..JointLimb::default()
    };
    arms().into_iter().map(joints).collect()
}

fn rays() -> Vec<Aim<f32>> {
    let mut random = Random::new(3);
    let lane = LaneVec3::from_vec3;
    let ray = |axis: Vec3, offset: Vec3, target: Vec3| Aim {
        offset: lane(offset),
        axis: lane(axis),
        target: lane(target),
        behind: lane(sinew::math::perpendicular(axis)),
    };
    let mut next = || (random.unit_vector(), random.unit_vector() * 0.1, random.unit_vector() * 0.8);
    (0..LIMBS).map(|_| next()).map(|(axis, offset, target)| ray(axis, offset, target)).collect()
}

fn jobs() -> Vec<SinewTwoBoneJob> {
    let vector = |v: LaneVec3<f32>| SinewVec3 { x: v.x, y: v.y, z: v.z };
    let job = |arm: TwoBone<f32>| {
        let zero = SinewVec3::default();
        SinewTwoBoneJob {
            struct_size: size_of::<SinewTwoBoneJob>() as u32,
            root_mid: vector(arm.root_mid),
            mid_end: vector(arm.mid_end),
            target: vector(arm.target),
            pole: vector(arm.pole),
            hinge: vector(arm.hinge),
            centre: zero,
            weight: 1.0,
            pole_weight: arm.pole_weight,
            softness: arm.softness,
            stretch: 0.0,
        }
    };
    arms().into_iter().map(job).collect()
}

fn joint_jobs() -> Vec<SinewJointLimbJob> {
    let vector = |v: LaneVec3<f32>| SinewVec3 { x: v.x, y: v.y, z: v.z };
    let quat = |q: LaneQuat<f32>| SinewQuat { x: q.x, y: q.y, z: q.z, w: q.w };
    let job = |arm: JointLimb<f32>| {
        let zero = SinewVec3::default();
        SinewJointLimbJob {
            struct_size: size_of::<SinewJointLimbJob>() as u32,
            root: quat(arm.root),
            mid: quat(arm.mid),
            end: quat(arm.end),
            end_goal: quat(LaneQuat::identity()),
            mid_at: vector(arm.mid_at),
            end_at: vector(arm.end_at),
            target: vector(arm.target),
            pole: vector(arm.pole),
            bend_side: vector(arm.bend_side),
            centre: zero,
            weight: 1.0,
            pole_weight: arm.pole_weight,
            softness: arm.softness,
            stretch: 0.0,
            end_weight: 0.0,
        }
    };
    joint_arms().into_iter().map(job).collect()
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    const BLOCKS: usize = LIMBS / TILE;
    rows.push(row(
        "two_bone_batch_turns",
        LIMBS as u64,
        || (Workspace::default(), tiled::<TwoBone<Tile>>(arms()), vec![TwoBoneSolution::<Tile>::default(); BLOCKS]),
        |(workspace, limbs, turns)| workspace.two_bone(black_box(limbs), turns),
    ));
    rows.push(row(
        "two_bone_batch_rotations",
        LIMBS as u64,
        || {
            let limbs = tiled::<JointLimb<Tile>>(joint_arms());
            (Workspace::default(), limbs, vec![JointLimbSolution::<Tile>::default(); BLOCKS])
        },
        |(workspace, limbs, rotations)| workspace.joint_limbs(black_box(limbs), rotations),
    ));
    rows.push(row_after(
        "two_bone_batch_rotations_in_records",
        LIMBS as u64,
        || {
            let joints = joint_arms();
            let quat = |q: LaneQuat<f32>| q.to_quat();
            let records: Vec<Transform> = (joints.iter())
                .flat_map(|j| {
                    let root = Transform::new(Vec3::Y, quat(j.root));
                    [
                        root,
                        Transform::new(j.mid_at.to_vec3(), quat(j.mid)),
                        Transform::new(j.end_at.to_vec3(), quat(j.end)),
                    ]
                })
                .collect();
            let place = |i: usize| LimbPlaces { root: i as u32 * 3, mid: i as u32 * 3 + 1, end: i as u32 * 3 + 2 };
            let places: Vec<LimbPlaces> = (0..LIMBS).map(place).collect();
            let rotations = vec![JointLimbSolution::<Tile>::default(); BLOCKS];
            (Workspace::default(), records.clone(), records, places, tiled::<JointLimb<Tile>>(joints), rotations)
        },
        // Each time from the animation's pose, as a host calls it: on limbs that are at their
        // targets already, stretched ones among them, more would go through the long form.
        |(_, animation, records, ..)| records.copy_from_slice(animation),
        |(workspace, _, records, places, limbs, rotations)| {
            assert!(workspace.joint_limbs_in_records(black_box(records), places, limbs, rotations));
        },
    ));
    rows.push(row(
        "aim_batch",
        LIMBS as u64,
        || (Workspace::default(), tiled::<Aim<Tile>>(rays()), vec![AimTurns::default(); BLOCKS]),
        |(workspace, rays, turns)| workspace.aim(black_box(rays), turns),
    ));
    rows.push(row("two_bone_turns", LIMBS as u64, arms, |limbs| {
        for limb in limbs.iter() {
            black_box(two_bone::solve(black_box(limb)));
        }
    }));
    rows.push(row("two_bone_rotations", LIMBS as u64, joint_arms, |limbs| {
        for limb in limbs.iter() {
            black_box(joint_limb::solve(black_box(limb)));
        }
    }));
    rows.push(row(
        "c_abi_two_bone",
        LIMBS as u64,
        || {
            let jobs = jobs();
            let mut out = SinewTwoBoneResult::from(two_bone::solve(&arms()[0]));
            assert_eq!(unsafe { sinew_two_bone_solve(&jobs[0], Some(&mut out)) }, SinewResult::SinewOk);
            (jobs, out)
        },
        |(jobs, out)| {
            type Solve = unsafe extern "C" fn(*const SinewTwoBoneJob, Option<&mut SinewTwoBoneResult>) -> SinewResult;
            let solve: Solve = black_box(sinew_two_bone_solve);
            for job in jobs.iter() {
                assert_eq!(unsafe { solve(job, Some(black_box(&mut *out))) }, SinewResult::SinewOk);
            }
        },
    ));
    rows.push(row(
        "c_abi_joint_limb",
        LIMBS as u64,
        || {
            let jobs = joint_jobs();
            let out = SinewJointLimbResult::from(joint_limb::solve(&joint_arms()[0]));
            (jobs, out)
        },
        |(jobs, out)| {
            type Solve =
                unsafe extern "C" fn(*const SinewJointLimbJob, Option<&mut SinewJointLimbResult>) -> SinewResult;
            let solve: Solve = black_box(sinew_joint_limb_solve);
            for job in jobs.iter() {
                assert_eq!(unsafe { solve(job, Some(black_box(&mut *out))) }, SinewResult::SinewOk);
            }
        },
    ));
    rows.push(row(
        "c_abi_two_bone_batch",
        LIMBS as u64,
        || (jobs(), vec![SinewTwoBoneResult::from(two_bone::solve(&arms()[0])); LIMBS]),
        |(jobs, out)| {
            let result =
                unsafe { sinew_two_bone_solve_batch(black_box(jobs.as_ptr()), LIMBS as u32, out.as_mut_ptr()) };
            assert_eq!(result, SinewResult::SinewOk);
        },
    ));
    rows.push(row(
        "frames_of_eight_67_joints",
        crowd::STEP as u64,
        || {
            let skeleton = joints_67();
            let local: Vec<_> = skeleton.rest_local().iter().map(eight).collect();
            (Level::widest(), skeleton, local.clone(), local)
        },
        |(level, skeleton, local, model)| crowd::update(*level, skeleton, black_box(local), model),
    ));
    // Transforms that a host has just written, of which nothing is known yet.
    rows.push(row(
        "frames_of_one_67_joints_unread",
        1,
        || (joints_67(), Pose::rest(&joints_67())),
        |(skeleton, pose)| {
            black_box(pose.local_mut());
            pose.update(skeleton);
        },
    ));
    // Transforms that were checked when they were taken over.
    rows.push(row(
        "frames_of_one_67_joints",
        1,
        || (joints_67(), Pose::rest(&joints_67())),
        |(skeleton, pose)| black_box(pose).update(skeleton),
    ));
    rows
}

fn eight(t: &Transform) -> Rigid<Eight> {
    let mut all = Rigid::default();
    (0..crowd::STEP).for_each(|i| all.put(i, Rigid::from_transform(t)));
    all
}

/// As many joints as a person with fingers has, branching as one does.
pub(super) fn joints_67() -> Skeleton {
    let mut random = Random::new(4);
    let joint = |i: usize| JointDefinition {
        name: String::new(),
        parent: if i.is_multiple_of(9) { i.checked_sub(1).map(|_| i / 2) } else { Some(i - 1) },
        rest: Transform::new(random.unit_vector() * 0.1, random.rotation()),
    };
    Skeleton::new((0..67).map(joint).collect()).expect("a skeleton")
}
