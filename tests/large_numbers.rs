//! Large finite numbers: what a call hands out or keeps is finite, or the call is refused with a
//! sentence. Numbers of ordinary size are never refused.
#![allow(clippy::disallowed_methods)] // numbers of a test, not poses

mod capi;

use capi::{RigData, ok};
use sinew::animator::Animator;
use sinew::constraints::{ChainDefinition, ConstraintDefinition, ConstraintGoal, TwoBoneDefinition};
use sinew::ffi::*;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanoidSettings, IkGoal};
use sinew::limits::{JointModel, Stretch};
use sinew::math::{Quat, Vec3};
use sinew::skeleton::SkeletonBuilder;
use std::sync::Arc;
use testkit::{PersonOptions, Random, person};

fn all_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|n| n.is_finite())
}

fn numbers_of(v: SinewVec3) -> [f32; 3] {
    [v.x, v.y, v.z]
}
fn numbers_of_turn(q: SinewQuat) -> [f32; 4] {
    [q.x, q.y, q.z, q.w]
}

/// A number of this size, of either sign; now and then another one up to it.
fn number(random: &mut Random, size: f32) -> f32 {
    let usual = random.unit01() * 2.0 - 1.0;
    match (random.unit01() * 8.0) as u32 {
        0 => usual,
        1 => usual * size.sqrt(),
        2 => size,
        3 => -size,
        _ => usual * size,
    }
}

fn vector(random: &mut Random, size: f32) -> SinewVec3 {
    SinewVec3 { x: number(random, size), y: number(random, size), z: number(random, size) }
}

fn two_bone(random: &mut Random, size: f32) -> SinewTwoBoneJob {
    SinewTwoBoneJob {
        struct_size: size_of::<SinewTwoBoneJob>() as u32,
        root_mid: vector(random, size),
        mid_end: vector(random, size),
        target: vector(random, size),
        pole: vector(random, size),
        hinge: vector(random, size),
        centre: vector(random, size),
        weight: random.unit01(),
        pole_weight: random.unit01(),
        softness: random.unit01(),
        stretch: random.unit01(),
    }
}

fn joint_limb(random: &mut Random, size: f32) -> SinewJointLimbJob {
    let turn = SinewQuat { x: 0.0, y: 0.6, z: 0.0, w: 0.8 };
    let limb = two_bone(random, size);
    SinewJointLimbJob {
        struct_size: size_of::<SinewJointLimbJob>() as u32,
        root: turn,
        mid: turn,
        end: turn,
        end_goal: turn,
        mid_at: limb.root_mid,
        end_at: limb.mid_end,
        target: limb.target,
        pole: limb.pole,
        bend_side: limb.hinge,
        centre: limb.centre,
        weight: limb.weight,
        pole_weight: limb.pole_weight,
        softness: limb.softness,
        stretch: limb.stretch,
        end_weight: random.unit01(),
    }
}

#[test]
fn limbs_of_any_size_that_is_taken_give_finite_turns() {
    let mut random = Random::new(16);
    for exponent in -44..=38 {
        let size = 10f64.powi(exponent) as f32;
        for _ in 0..2000 {
            let job = two_bone(&mut random, size);
            let mut turns =
                SinewTwoBoneResult { root: SinewQuat::default(), mid: SinewQuat::default(), stretch: 0.0, beyond: 0.0 };
            match unsafe { sinew_two_bone_solve(&job, Some(&mut turns)) } {
                SinewResult::SinewOk => {
                    let sound = all_finite(&numbers_of_turn(turns.root)) && all_finite(&numbers_of_turn(turns.mid));
                    assert!(
                        sound && all_finite(&[turns.stretch, turns.beyond]),
                        "1e{exponent}: {job:?} gave {turns:?}"
                    );
                }
                refused => {
                    assert!(exponent > 18, "1e{exponent} is refused: {job:?}");
                    assert_eq!(refused, SinewResult::SinewErrorInvalidArgument);
                }
            }
            let job = joint_limb(&mut random, size);
            let mut turns = SinewJointLimbResult {
                root: SinewQuat::default(),
                mid: SinewQuat::default(),
                end: SinewQuat::default(),
                stretch: 0.0,
                beyond: 0.0,
            };
            match unsafe { sinew_joint_limb_solve(&job, Some(&mut turns)) } {
                SinewResult::SinewOk => {
                    let turned = [turns.root, turns.mid, turns.end].map(numbers_of_turn);
                    let sound = turned.iter().all(|q| all_finite(q)) && all_finite(&[turns.stretch, turns.beyond]);
                    assert!(sound, "1e{exponent}: {job:?} gave {turns:?}");
                }
                refused => {
                    assert!(exponent > 18, "1e{exponent} is refused: {job:?}");
                    assert_eq!(refused, SinewResult::SinewErrorInvalidArgument);
                }
            }
        }
    }
}

/// Everything that an animator computes from its pose.
fn read_back(animator: SinewAnimator, joints: u32, what: &str) {
    let (mut point, mut turn) = (SinewVec3::default(), SinewQuat::default());
    let refused = SinewResult::SinewErrorNotFinite;
    let sound = |result: SinewResult, numbers: &[f32], name: &str| {
        assert!(result == SinewResult::SinewOk || result == refused, "{what}: {name} gave {result:?}");
        assert!(result == refused || all_finite(numbers), "{what}: {name} gave {numbers:?}");
    };
    let result = sinew_animator_get_joint_world(animator, joints - 1, Some(&mut point), Some(&mut turn));
    sound(result, &numbers_of(point), "position of a joint");
    sound(result, &numbers_of_turn(turn), "rotation of a joint");
    sound(sinew_animator_get_body_position(animator, Some(&mut point)), &numbers_of(point), "body position");
    sound(sinew_animator_get_body_rotation(animator, Some(&mut turn)), &numbers_of_turn(turn), "body rotation");
    sound(sinew_animator_get_look_at_position(animator, Some(&mut point)), &numbers_of(point), "look-at");
    for goal in 0..4 {
        sound(sinew_animator_get_ik_position(animator, goal, Some(&mut point)), &numbers_of(point), "goal");
        sound(sinew_animator_get_ik_rotation(animator, goal, Some(&mut turn)), &numbers_of_turn(turn), "goal rotation");
        sound(sinew_animator_get_ik_hint_position(animator, goal, Some(&mut point)), &numbers_of(point), "hint");
    }
    let mut direction = SinewVec3::default();
    let result = sinew_animator_get_gaze(animator, Some(&mut point), Some(&mut direction));
    sound(result, &[numbers_of(point), numbers_of(direction)].concat(), "gaze");
}

/// An input that an animator holds can be set again: every number in it is finite.
fn input_can_be_set_again(animator: SinewAnimator, what: &str) {
    let mut input = unsafe { std::mem::zeroed::<SinewHumanoidInput>() };
    ok(sinew_animator_get_input(animator, Some(&mut input)));
    let result = sinew_animator_set_input(animator, Some(&input));
    assert_eq!(result, SinewResult::SinewOk, "{what}: what is read cannot be set");
}

#[test]
fn a_pose_with_a_large_number_puts_none_that_is_not_finite_into_an_animator() {
    let animator = RigData::of_person(&person(&PersonOptions::default())).animator();
    let (mut pose, mut joints) = (std::ptr::null_mut(), 0u32);
    ok(sinew_animator_get_pose_buffer(animator, Some(&mut pose), Some(&mut joints)));
    let mut random = Random::new(19);
    for exponent in 10..=38 {
        let size = 10f64.powi(exponent) as f32;
        let what = format!("1e{exponent}");
        for round in 0..60 {
            ok(sinew_animator_reset_pose(animator));
            let joint = round % joints as usize;
            // SAFETY: the buffer has a transform per joint.
            unsafe { (*pose.add(joint)).position = vector(&mut random, size) };
            read_back(animator, joints, &what);
            match sinew_animator_match_goals_from_pose(animator) {
                SinewResult::SinewOk | SinewResult::SinewErrorNotFinite => {}
                other => panic!("{what}: {other:?}"),
            }
            input_can_be_set_again(animator, &what);
        }
    }
}

/// A line of bones with a constraint that may lengthen them.
fn stretching(definition: &ConstraintDefinition) -> Animator {
    let mut rig = SkeletonBuilder::new();
    let mut joint = rig.joint_at("base", None, Vec3::ZERO);
    for number in 0..3 {
        joint = rig.joint_at(&format!("bone {number}"), Some(joint), Vec3::new(0.02, 0.5, 0.0));
    }
    let mut animator = Animator::new(Arc::new(rig.build().expect("a rig")), None).expect("an animator");
    for joint in 1..=3 {
        let stretch = Stretch { min: 1.0, max: 3.0, compliance: 1.0 };
        animator.set_joint_limits(joint, &JointModel { stretch, ..JointModel::FREE }).expect("limits");
    }
    let id = animator.add_constraint(definition).expect("a constraint");
    animator.constraint_mut(id).expect("the constraint").weight = 1.0;
    animator
}

#[test]
fn a_switch_between_poses_of_any_size_leaves_a_finite_pose() {
    let person = person(&PersonOptions::default());
    let skeleton = Arc::new(person.skeleton.clone());
    let mut definition = AvatarDefinition::default();
    HumanBone::ALL.into_iter().for_each(|bone| definition.map.set(bone, person.human[bone.index()]));
    let avatar = Arc::new(Avatar::new(skeleton.clone(), &definition).expect("a person"));
    let mut animator = Animator::new(skeleton.clone(), Some(avatar)).expect("an animator");
    let settings = HumanoidSettings { inertialization_times_s: [0.5; 4], ..HumanoidSettings::default() };
    animator.set_settings(&settings).expect("settings");
    let limb = [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot].map(|bone| person.joint(bone));
    let mut random = Random::new(29);
    let mut solved = 0;
    for round in 0..2000 {
        animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
        if round % 3 > 0 {
            let way = random.in_ball(1.0);
            let at = (if round % 2 == 0 { way } else { Vec3::Y }) * (f32::MAX * (0.9 + 0.1 * random.unit01()));
            animator.pose_mut().local_mut()[limb[round % 3]].position = at;
        }
        animator.set_ik_position_weight(IkGoal::LeftFoot, random.unit01()).expect("a weight");
        animator.advance(random.unit01() * 0.1);
        if animator.solve().is_ok() {
            solved += 1;
            assert!(animator.pose().local().iter().all(|joint| joint.is_finite()), "round {round}");
        }
    }
    assert!(solved > 500, "{solved} solves");
}

#[test]
fn bones_that_would_overflow_do_not_stretch() {
    let limb = TwoBoneDefinition { stretch: 2.0, ..TwoBoneDefinition::ending_at(3) };
    let mut random = Random::new(23);
    for definition in
        [ConstraintDefinition::TwoBone(limb), ConstraintDefinition::Chain(ChainDefinition::ending_at(3, 3))]
    {
        let mut animator = stretching(&definition);
        let rest = animator.pose().local().to_vec();
        let mut grown = 0;
        for round in 0..3000 {
            // As often ordinary bones, which stretch, as some near the largest number.
            let size = if round % 2 == 0 { 1.0 } else { f32::MAX };
            animator.pose_mut().local_mut().copy_from_slice(&rest);
            for joint in &mut animator.pose_mut().local_mut()[2..] {
                let part = |random: &mut Random| {
                    (random.unit01() * 2.0 - 1.0) * if random.unit01() < 0.5 { size } else { 1.0 }
                };
                joint.position = Vec3::new(part(&mut random), part(&mut random), part(&mut random));
                joint.rotation = Quat::IDENTITY;
            }
            if round % 3 == 0 {
                // With another scale on each axis a limb is solved another way.
                animator.pose_mut().local_mut()[1].scale = Vec3::new(1.0, 1.5, 0.7);
            }
            let before: Vec<Vec3> = animator.pose().local().iter().map(|joint| joint.position).collect();
            let id = animator.constraint_ids().next().expect("a constraint");
            let goal = random.in_ball(1.0) * if random.unit01() < 0.5 { 10.0 } else { f32::MAX };
            animator.constraint_mut(id).expect("it").goals[0] = ConstraintGoal::at(goal);
            if animator.solve().is_ok() {
                let pose = animator.pose().local();
                assert!(pose.iter().all(|joint| joint.is_finite()), "{definition:?}, round {round}: {pose:?}");
                grown += usize::from(pose.iter().zip(&before).any(|(now, before)| now.position != *before));
            }
        }
        assert!(grown > 100, "bones stretched in {grown} rounds");
    }
}
