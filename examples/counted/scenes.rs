//! Scenes to be timed: one, a hundred and ten thousand characters with feet and gaze, and two-bone
//! limbs that stay in the cache or stream from memory. A unit is a character or a limb.

use super::time::{Scene, timed};
use super::{c_abi, kernels};
use sinew::animator::Animator;
use sinew::animator::crowd::{self, Frames};
use sinew::closed_form::batch::Workspace;
use sinew::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use sinew::closed_form::records::LimbPlaces;
use sinew::humanoid::{IkGoal, LookAtWeight};
use sinew::math::{Quat, TILE, Tile, Tiled, Transform, Vec3};
use sinew::skeleton::PoseTile;
use sinew::skeleton::crowd::STEP;
use std::hint::black_box;
use testkit::Random;
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::limbs::tiled;
use testkit::person::{PersonOptions, person};

/// Poses that the characters of a scene take in turn.
const POSES: usize = 64;
/// Limbs beyond any last-level cache: 110 MB with their results.
const MANY_LIMBS: usize = 1 << 19;
/// Characters whose records are read and written, four limbs each: 27 MB and 8 MB of goals.
const MANY_RECORDS: usize = 10_000;
const JOINTS: usize = 67;

/// Both feet on goals with rotation, spine and head turned to a point, and the frames of all
/// joints; several side by side in place.
fn feet_and_look_at(count: usize) -> (u64, impl FnMut() -> f64) {
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(1);
    let poses: Vec<Vec<Transform>> =
        (0..POSES.min(count)).map(|_| random_human_pose(person.view(), &mut random, 0.3)).collect();
    let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.7, eyes: 0.0, clamp: 0.5 };
    let mut animators: Vec<Animator> = (0..count)
        .map(|_| {
            let mut animator = characters::animator_of(&avatar);
            for (foot, x) in [(IkGoal::LeftFoot, -0.1), (IkGoal::RightFoot, 0.1)] {
                let place = Vec3::new(x, 0.15, 0.05) + random.in_ball(0.05);
                animator.set_ik_position(foot, place).expect("a human");
                animator.set_ik_position_weight(foot, 1.0).expect("a human");
                animator.set_ik_rotation(foot, Quat::IDENTITY).expect("a human");
                animator.set_ik_rotation_weight(foot, 1.0).expect("a human");
            }
            animator.set_look_at_position(Vec3::new(0.5, 1.5, 2.0) + random.in_ball(0.5)).expect("a human");
            animator.set_look_at_weight(weight).expect("a human");
            animator
        })
        .collect();
    let mut workspace = crowd::Workspace::default();
    let skeleton = animators[0].skeleton().clone();
    let mut tiles: Vec<PoseTile> =
        (0..count.div_ceil(STEP)).map(|_| PoseTile::rest(&skeleton).expect("no scale")).collect();
    let round = move || {
        if let [animator] = &mut animators[..] {
            animator.pose_mut().local_mut().copy_from_slice(&poses[0]);
            return timed(|| {
                animator.solve().expect("a pose");
                animator.pose_mut().update(&skeleton);
            });
        }
        for (i, pose) in (0..count).zip(poses.iter().cycle()) {
            tiles[i / STEP].put_pose(i % STEP, pose);
        }
        timed(|| {
            for (animators, tile) in animators.chunks_mut(STEP).zip(&mut tiles) {
                let mut animators = animators.iter_mut();
                let lanes = core::array::from_fn(|_| animators.next());
                crowd::solve_tile(lanes, tile, Frames::All, &mut workspace, |_, error| panic!("{error}"));
            }
        })
    };
    (count as u64, round)
}

/// Limbs in blocks, their three rotations found one by one or together.
fn limbs(count: usize, together: bool) -> (u64, Box<dyn FnMut() -> f64>) {
    let alone: Vec<JointLimb<f32>> = kernels::joint_arms().into_iter().cycle().take(count).collect();
    if !together {
        let mut out = vec![JointLimbSolution::<f32>::default(); count];
        let round = move || {
            timed(|| {
                for (limb, out) in black_box(&alone).iter().zip(&mut out) {
                    *out = joint_limb::solve(limb);
                }
            })
        };
        return (count as u64, Box::new(round));
    }
    let blocks = tiled::<JointLimb<Tile>>(alone);
    let mut out = vec![JointLimbSolution::<Tile>::default(); blocks.len()];
    let mut workspace = Workspace::default();
    (count as u64, Box::new(move || timed(|| workspace.joint_limbs(black_box(&blocks), &mut out))))
}

/// Four limbs of each character, in the host's records and back.
fn records(count: usize) -> (u64, impl FnMut() -> f64) {
    let arms = kernels::joint_arms();
    let mut animation = vec![Transform::IDENTITY; count * JOINTS];
    let mut places = Vec::new();
    let mut limbs = vec![JointLimb::<Tile>::default(); (count * 4).div_ceil(TILE)];
    for i in 0..count * 4 {
        let arm = &arms[i % arms.len()];
        let root = i / 4 * JOINTS + 3 + i % 4 * 16;
        animation[root].rotation = arm.root.to_quat();
        animation[root + 1] = Transform::new(arm.mid_at.to_vec3(), arm.mid.to_quat());
        animation[root + 2] = Transform::new(arm.end_at.to_vec3(), arm.end.to_quat());
        places.push(LimbPlaces { root: root as u32, mid: root as u32 + 1, end: root as u32 + 2 });
        limbs[i / TILE].put(i % TILE, *arm);
    }
    let mut records = animation.clone();
    let mut rotations = vec![JointLimbSolution::<Tile>::default(); limbs.len()];
    let mut workspace = Workspace::default();
    let round = move || {
        records.copy_from_slice(&animation);
        let (records, limbs, rotations) = (black_box(&mut records), &mut limbs, &mut rotations);
        timed(|| assert!(workspace.joint_limbs_in_records(records, &places, limbs, rotations)))
    };
    (count as u64 * 4, round)
}

pub fn scenes() -> Vec<Scene> {
    let mut scenes = vec![
        Scene::new("scene_feet_look_at/1", || feet_and_look_at(1)),
        Scene::new("scene_feet_look_at/100", || feet_and_look_at(100)),
        Scene::new("scene_feet_look_at/10000", || feet_and_look_at(10_000)),
        Scene::new("scene_two_bone_one_by_one/hot", || limbs(256, false)),
        Scene::new("scene_two_bone_one_by_one/streaming", || limbs(MANY_LIMBS, false)),
        Scene::new("scene_two_bone_batch/hot", || limbs(256, true)),
        Scene::new("scene_two_bone_batch/streaming", || limbs(MANY_LIMBS, true)),
        Scene::new("scene_two_bone_records/hot", || records(16)),
        Scene::new("scene_two_bone_records/streaming", || records(MANY_RECORDS)),
    ];
    scenes.extend(c_abi::scenes());
    scenes
}
