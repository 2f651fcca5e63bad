//! The order of a frame: where constraints may be placed in it, what lasts from one to the next.

use sinew::animator::{Animator, AnimatorError, ConstraintPlacement, FrameStep};
use sinew::constraints::{ConstraintDefinition, ConstraintId, CopyRotationDefinition};
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use std::sync::Arc;
use testkit::Random;
use testkit::chains::{ParentKind, random_chain};
use testkit::characters::{self, set_pose};
use testkit::human_pose::random_human_pose;
use testkit::matchers;
use testkit::person::{Person, PersonOptions, person};

/// A character with a hand goal within reach, at full weight, and its animation.
fn scene(random: &mut Random) -> (Person, Animator, Vec<Transform>) {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.05);
    let animation = random_human_pose(person.view(), random, 0.3);
    set_pose(&mut animator, &animation);
    let shoulder = animator.bone_joint(HumanBone::RightUpperArm).unwrap().unwrap();
    let wrist = animator.ik_position(IkGoal::RightHand).unwrap();
    let inward = (animator.joint_ws(shoulder).position - wrist) * 0.3;
    animator.set_ik_position(IkGoal::RightHand, wrist + inward + random.in_ball(0.05)).unwrap();
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    (person, animator, animation)
}

/// A constraint that turns a bone by `turn` from where the animation has it.
fn turn(animator: &mut Animator, bone: HumanBone, turn: Quat) -> ConstraintId {
    let joint = animator.bone_joint(bone).unwrap().unwrap();
    let definition = ConstraintDefinition::CopyRotation(CopyRotationDefinition::of(joint));
    let id = animator.add_constraint(&definition).unwrap();
    let rotation_ws = (animator.joint_ws(joint).rotation * turn).normalize();
    let input = animator.constraint_mut(id).unwrap();
    input.goals[0].rotation_ws = Some(rotation_ws);
    input.goals[0].rotation_weight = 1.0;
    input.weight = 1.0;
    id
}

fn solved(animator: &Animator, animation: &[Transform]) -> Animator {
    let mut animator = animator.clone();
    set_pose(&mut animator, animation);
    animator.solve().unwrap();
    matchers::assert_sound(animator.pose().local());
    animator
}

/// How far the right wrist is from its goal, by forward kinematics; the root is at the origin.
fn wrist_off(animator: &Animator, target: Vec3) -> f64 {
    let joint = animator.bone_joint(HumanBone::RightHand).unwrap().unwrap();
    let frames = matchers::forward_kinematics(animator.skeleton(), animator.pose().local());
    matchers::distance(frames[joint].position, matchers::wide(target))
}

fn assert_differ(a: &[Transform], b: &[Transform]) {
    assert!(a.iter().zip(b).any(|(a, b)| matchers::numbers(a) != matchers::numbers(b)));
}

fn target(animator: &Animator) -> Vec3 {
    animator.input().unwrap().goals[IkGoal::RightHand.index()].position.unwrap()
}

fn placements() -> impl Iterator<Item = ConstraintPlacement> {
    let of = |step: &FrameStep| [ConstraintPlacement::Before(*step), ConstraintPlacement::After(*step)];
    [ConstraintPlacement::Stack].into_iter().chain(FrameStep::ALL.iter().flat_map(of))
}

#[test]
fn steps_start_from_what_a_constraint_before_them_left() {
    let mut random = Random::new(1);
    for _ in 0..20 {
        let (_, mut animator, animation) = scene(&mut random);
        let by = axis_angle(random.unit_vector(), 0.25);
        let id = turn(&mut animator, HumanBone::Spine, by);
        let target = target(&animator);
        for placement in placements() {
            animator.set_constraint_placement(id, placement).unwrap();
            assert_eq!(animator.constraint_placement(id).unwrap(), placement);
            let solved = solved(&animator, &animation);
            let off = wrist_off(&solved, target);
            let comes_first = match placement {
                ConstraintPlacement::Stack => false,
                ConstraintPlacement::Before(step) => step <= FrameStep::Limbs,
                ConstraintPlacement::After(step) => step < FrameStep::Limbs,
            };
            // The spine turns in each case, and carries the hand away where it turns last.
            let outcome = solved.constraint_outcome(id).unwrap();
            assert_eq!(outcome.status, Status::Reached, "{placement:?} {outcome:?}");
            if comes_first {
                assert!(off < 1e-4, "{placement:?}: {off}");
                assert_eq!(solved.ik_outcome(IkGoal::RightHand).unwrap().status, Status::Reached);
            } else {
                assert!(off > 1e-3, "{placement:?}: {off}");
            }
        }
    }
}

#[test]
fn end_rotations_are_met_after_a_constraint_on_the_limb() {
    let mut random = Random::new(2);
    for _ in 0..20 {
        let (_, mut animator, animation) = scene(&mut random);
        let hand = animator.bone_joint(HumanBone::RightHand).unwrap().unwrap();
        let wanted = (animator.joint_ws(hand).rotation * random.rotation_within(0.6)).normalize();
        animator.set_ik_rotation_bone(IkGoal::RightHand, wanted).unwrap();
        animator.set_ik_rotation_weight(IkGoal::RightHand, 1.0).unwrap();
        // No roll of the forearm: the twist step would turn it back.
        let id = turn(&mut animator, HumanBone::RightLowerArm, axis_angle(Vec3::X, 0.3));
        let off = |animator: &Animator| {
            let now = animator.joint_ws(hand).rotation;
            matchers::rotation_angle_rad(now, wanted)
        };
        for (placement, is_met) in [
            (ConstraintPlacement::After(FrameStep::Limbs), true),
            (ConstraintPlacement::Before(FrameStep::EndRotations), true),
            (ConstraintPlacement::After(FrameStep::EndRotations), false),
            (ConstraintPlacement::Stack, false),
        ] {
            animator.set_constraint_placement(id, placement).unwrap();
            let off = off(&solved(&animator, &animation));
            assert_eq!(off < 2e-3, is_met, "{placement:?}: {off}");
        }
    }
}

#[test]
fn a_placed_constraint_without_weight_leaves_every_bit() {
    let mut random = Random::new(3);
    for _ in 0..10 {
        let (_, mut animator, animation) = scene(&mut random);
        animator.set_look_at_position(random.in_ball(2.0)).unwrap();
        animator.set_look_at_weight(LookAtWeight { weight: 1.0, body: 0.3, ..Default::default() }).unwrap();
        for bone_turns in [false, true] {
            if bone_turns {
                animator.set_body_rotation(random.rotation_within(0.3)).unwrap();
            }
            let without = solved(&animator, &animation);
            let mut with = animator.clone();
            let id = turn(&mut with, HumanBone::Spine, axis_angle(Vec3::Y, 0.5));
            with.constraint_mut(id).unwrap().weight = 0.0;
            for placement in placements() {
                with.set_constraint_placement(id, placement).unwrap();
                let with = solved(&with, &animation);
                matchers::assert_pose_bits_equal(without.pose().local(), with.pose().local());
                assert_eq!(with.constraint_outcome(id).unwrap().status, Status::Inactive);
            }
        }
    }
}

/// It remembers what is there without it, at its place in the frame: the steps run one by one.
#[test]
fn a_placed_constraint_with_a_switch_time_and_no_weight_changes_nothing() {
    let mut random = Random::new(5);
    for _ in 0..10 {
        let (_, mut animator, animation) = scene(&mut random);
        animator.set_look_at_position(random.in_ball(2.0)).unwrap();
        animator.set_look_at_weight(LookAtWeight { weight: 1.0, body: 0.3, ..Default::default() }).unwrap();
        let without = solved(&animator, &animation);
        let mut with = animator.clone();
        let id = turn(&mut with, HumanBone::Spine, axis_angle(Vec3::Y, 0.5));
        with.constraint_mut(id).unwrap().weight = 0.0;
        with.set_constraint_inertialization_time(id, 0.3).unwrap();
        for placement in placements() {
            with.set_constraint_placement(id, placement).unwrap();
            let with = solved(&with, &animation);
            let apart = matchers::max_joint_step_rad(without.pose().local(), with.pose().local());
            assert!(apart < 2e-6, "{placement:?}: {apart} rad");
            assert_eq!(with.constraint_outcome(id).unwrap().status, Status::Inactive);
            assert!(wrist_off(&with, target(&animator)) < 1e-4, "{placement:?}");
        }
    }
}

/// The arm reaches from where the spine is on its way.
#[test]
fn hands_stay_on_their_goals_while_a_constraint_before_the_limbs_switches() {
    let mut random = Random::new(6);
    for _ in 0..10 {
        let (_, mut animator, animation) = scene(&mut random);
        let id = turn(&mut animator, HumanBone::Spine, axis_angle(random.unit_vector(), 0.3));
        let spine = animator.bone_joint(HumanBone::Spine).unwrap().unwrap();
        animator.set_constraint_placement(id, ConstraintPlacement::Before(FrameStep::Limbs)).unwrap();
        animator.set_constraint_inertialization_time(id, 0.3).unwrap();
        animator.constraint_mut(id).unwrap().weight = 0.0;
        let target = target(&animator);
        let mut last = None;
        let mut turned = 0.0_f64;
        for frame in 0..200 {
            animator.constraint_mut(id).unwrap().weight = if (20..120).contains(&frame) { 1.0 } else { 0.0 };
            animator.advance(1.0 / 240.0);
            animator = solved(&animator, &animation);
            let off = wrist_off(&animator, target);
            assert!(off < 1e-4, "{frame}: {off} m");
            let now = animator.pose().local()[spine].rotation;
            turned = turned.max(matchers::rotation_angle_rad(now, animation[spine].rotation));
            if let Some(last) = last {
                let step = matchers::rotation_angle_rad(last, now);
                assert!(step < 0.012, "{frame}: {step} rad");
            }
            last = Some(now);
            assert_eq!(animator.is_inertializing_constraint(id).unwrap(), frame >= 20, "{frame}");
        }
        assert!(turned > 0.28, "{turned}");
    }
}

#[test]
fn without_an_avatar_a_constraint_gives_the_same_bits_wherever_it_is_placed() {
    let mut random = Random::new(4);
    let rig = random_chain(&mut random, 5, 0.4, ParentKind::ALL[0]);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let definition = ConstraintDefinition::CopyRotation(CopyRotationDefinition::of(rig.end()));
    let id = animator.add_constraint(&definition).unwrap();
    let input = animator.constraint_mut(id).unwrap();
    input.goals[0].rotation_ws = Some(random.rotation());
    input.goals[0].rotation_weight = 1.0;
    input.weight = 0.7;
    let animation = animator.pose().local().to_vec();
    let stacked = solved(&animator, &animation);
    assert_differ(&animation, stacked.pose().local());
    for placement in placements() {
        animator.set_constraint_placement(id, placement).unwrap();
        matchers::assert_pose_bits_equal(stacked.pose().local(), solved(&animator, &animation).pose().local());
    }
}

#[test]
fn constraints_of_one_placement_are_solved_in_the_order_of_their_creation() {
    let mut random = Random::new(5);
    let (_, mut animator, animation) = scene(&mut random);
    let first = turn(&mut animator, HumanBone::Spine, axis_angle(Vec3::Y, 0.3));
    let second = turn(&mut animator, HumanBone::Spine, axis_angle(Vec3::Y, -0.3));
    let alone = {
        let mut animator = animator.clone();
        animator.remove_constraint(first).unwrap();
        animator.set_constraint_placement(second, ConstraintPlacement::Before(FrameStep::Body)).unwrap();
        solved(&animator, &animation)
    };
    // Placed the other way round, and with one in between that is placed later.
    for id in [second, first] {
        animator.set_constraint_placement(id, ConstraintPlacement::Before(FrameStep::Body)).unwrap();
    }
    let both = solved(&animator, &animation);
    let worst = matchers::max_joint_step_rad(alone.pose().local(), both.pose().local());
    assert!(worst < 1e-5, "{worst}");
    let gone = animator.remove_constraint(first).and(animator.set_constraint_placement(first, Default::default()));
    assert_eq!(gone, Err(AnimatorError::NoSuchConstraint(first)));
    assert_eq!(animator.constraint_placement(first), Err(AnimatorError::NoSuchConstraint(first)));
}

#[test]
fn steps_report_how_they_ended() {
    let mut random = Random::new(6);
    let (_, mut animator, animation) = scene(&mut random);
    let near = solved(&animator, &animation);
    assert_eq!(near.step_outcome(FrameStep::Limbs).status, Status::Reached);
    assert_eq!(near.step_outcome(FrameStep::LookAt).status, Status::Inactive);
    assert_eq!(near.step_outcome(FrameStep::Constraints).status, Status::Inactive);
    animator.set_ik_position(IkGoal::RightHand, Vec3::new(0.0, 50.0, 0.0)).unwrap();
    turn(&mut animator, HumanBone::Head, axis_angle(Vec3::Y, 0.3));
    let far = solved(&animator, &animation);
    let limbs = far.step_outcome(FrameStep::Limbs);
    assert_eq!(limbs.status, Status::Unreachable);
    assert_eq!(limbs.residual_m, far.ik_outcome(IkGoal::RightHand).unwrap().residual_m);
    assert_eq!(far.step_outcome(FrameStep::Constraints).status, Status::Reached);
}

fn switching(random: &mut Random) -> (Animator, Vec<Transform>) {
    let (_, mut animator, animation) = scene(random);
    let settings = HumanoidSettings { inertialization_times_s: [0.0, 0.3, 0.0, 0.5], ..Default::default() };
    animator.set_settings(&settings).unwrap();
    (animator, animation)
}

fn frames(animator: &mut Animator, animation: &[Transform], count: usize) -> Vec<Vec<Transform>> {
    let mut poses = Vec::new();
    for _ in 0..count {
        set_pose(animator, animation);
        animator.advance(1.0 / 60.0);
        animator.solve().unwrap();
        poses.push(animator.pose().local().to_vec());
    }
    poses
}

#[test]
fn a_restored_snapshot_goes_on_with_the_same_bits() {
    let mut random = Random::new(7);
    let (mut animator, animation) = switching(&mut random);
    frames(&mut animator, &animation, 3);
    animator.set_ik_position_weight(IkGoal::RightHand, 0.2).unwrap();
    frames(&mut animator, &animation, 4);
    assert!(animator.is_inertializing(IkGoal::RightHand).unwrap());
    let mut snapshot = vec![7];
    animator.snapshot(&mut snapshot);
    let snapshot = snapshot.split_off(1);
    assert_eq!(snapshot.len(), animator.snapshot_size());
    let mut room = vec![0xA5; snapshot.len() + 3];
    assert_eq!(animator.snapshot_into(&mut room[..snapshot.len() - 1]), Err(snapshot.len()));
    assert!(room.iter().all(|byte| *byte == 0xA5));
    assert_eq!(animator.snapshot_into(&mut room), Ok(snapshot.len()));
    assert_eq!(room[..snapshot.len()], snapshot);
    assert_eq!(room[snapshot.len()..], [0xA5; 3]);
    // Another animator of the same rig, input and settings, with another past.
    let mut other = animator.clone();
    let expected = frames(&mut animator, &animation, 20);
    other.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    frames(&mut other, &animation, 9);
    other.set_ik_position_weight(IkGoal::RightHand, 0.2).unwrap();
    let mut unrestored = other.clone();
    other.restore(&snapshot).unwrap();
    for (expected, found) in expected.iter().zip(frames(&mut other, &animation, 20)) {
        matchers::assert_pose_bits_equal(expected, &found);
    }
    let found = frames(&mut unrestored, &animation, 1);
    assert_differ(&expected[0], &found[0]);
}

#[test]
fn after_a_reset_the_next_solve_is_its_own_start() {
    let mut random = Random::new(8);
    let (mut animator, animation) = switching(&mut random);
    let at_once = solved(&animator, &animation);
    animator.set_ik_position_weight(IkGoal::RightHand, 0.0).unwrap();
    frames(&mut animator, &animation, 3);
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    let mut switched = animator.clone();
    animator.reset_state();
    assert!(!animator.is_inertializing(IkGoal::RightHand).unwrap());
    matchers::assert_pose_bits_equal(at_once.pose().local(), &frames(&mut animator, &animation, 1)[0]);
    assert_differ(at_once.pose().local(), &frames(&mut switched, &animation, 1)[0]);
}

#[test]
fn a_bad_snapshot_changes_nothing() {
    let mut random = Random::new(9);
    let (mut animator, animation) = switching(&mut random);
    frames(&mut animator, &animation, 3);
    animator.set_ik_position_weight(IkGoal::RightHand, 0.5).unwrap();
    frames(&mut animator, &animation, 1);
    let mut good = Vec::new();
    animator.snapshot(&mut good);
    let refused = |animator: &Animator, bytes: &[u8]| {
        let mut tried = animator.clone();
        let error = tried.restore(bytes);
        assert!(matches!(error, Err(AnimatorError::BadSnapshot(_))), "{error:?}");
        let mut now = Vec::new();
        tried.snapshot(&mut now);
        let mut before = Vec::new();
        animator.snapshot(&mut before);
        assert_eq!(now, before);
    };
    for length in 0..good.len() {
        refused(&animator, &good[..length]);
    }
    refused(&animator, &[&good[..], &[0]].concat());
    for word in 0..good.len() / 4 {
        let mut bad = good.clone();
        bad[4 * word..4 * word + 4].copy_from_slice(&f32::NAN.to_bits().to_le_bytes());
        refused(&animator, &bad);
    }
    // Of an animator in which other goals have a switch time, and of another rig.
    let (_, plain, _) = scene(&mut random);
    let mut other = Vec::new();
    plain.snapshot(&mut other);
    refused(&animator, &other);
    let rig = random_chain(&mut random, 5, 0.4, ParentKind::ALL[0]);
    let mut crane = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    refused(&crane, &good);
    // A rig without an avatar has state, too: none.
    let mut nothing = Vec::new();
    crane.snapshot(&mut nothing);
    crane.restore(&nothing).unwrap();
    crane.advance(0.1);
    crane.reset_state();
}
