//! The whole-body solver of a humanoid, judged from outside in double precision.

use sinew::animator::{Animator, FrameStep};
use sinew::humanoid::{
    BodyEffector, BodySolverMode, BodySolverSettings, HumanBone, HumanoidSettings, IkGoal, IkGoalInput, IkHint,
    LookAtWeight,
};
use sinew::math::{Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use testkit::Random;
use testkit::characters::{self, joint, kinds, pose, set_pose};
use testkit::human_mass::Masses;
use testkit::idle::idle_pose_of;
use testkit::matchers::{self, wide};
use testkit::person::{Person, PersonOptions, person};

const ON: BodySolverSettings = BodySolverSettings {
    mode: BodySolverMode::Converge,
    holds_feet: true,
    balance_weight: 0.0,
    hips_stiffness: 0.5,
    spine_stiffness: 0.5,
    shoulder_stiffness: 0.7,
};

fn end(goal: IkGoal) -> HumanBone {
    goal.bones()[2]
}

fn height(animator: &Animator) -> f64 {
    let spaces = characters::world(animator);
    matchers::distance(
        spaces[joint(animator, HumanBone::Head)].position,
        spaces[joint(animator, HumanBone::LeftFoot)].position,
    )
}

fn position(animator: &Animator, bone: HumanBone) -> [f64; 3] {
    characters::world(animator)[joint(animator, bone)].position
}

/// A person at ease with the solver on, knees a little bent.
fn standing(person: &Person, limits_enabled: bool) -> Animator {
    let mut animator = characters::animator(person, 0.0);
    animator.set_settings(&HumanoidSettings { limits_enabled, ..HumanoidSettings::default() }).unwrap();
    animator.set_body_solver(&ON).unwrap();
    set_pose(&mut animator, &idle_pose_of(person.view(), 0.7));
    animator
}

/// Persons whose joints are not sheared.
fn rigs() -> Vec<(String, Person)> {
    kinds().into_iter().filter(|(name, _)| !name.contains("Uneven") && !name.contains("Mirror")).collect()
}

#[test]
fn body_position_is_met_with_planted_feet_and_hands() {
    let mut random = Random::new(5);
    let (mut worst, mut count) = (0.0_f64, 0);
    for limits_enabled in [false, true] {
        for (name, person) in rigs() {
            let masses = Masses::new(&person);
            for _ in 0..6 {
                let mut animator = standing(&person, limits_enabled);
                let size = height(&animator);
                // Crouch a little: stretched legs let the hips go nowhere but down.
                let axes = person.axes;
                let off = axes.up * -0.05
                    + axes.right * random.between(-0.04, 0.04)
                    + axes.forward * random.between(-0.03, 0.03)
                    + axes.up * random.between(-0.05, 0.0);
                let centre = animator.body_position().unwrap();
                let goal = centre + off * (size as f32 / 1.6);
                animator.set_body_position(goal).unwrap();
                let mut ends = Vec::new();
                for limb in IkGoal::ALL {
                    let at = animator.ik_position(limb).unwrap();
                    animator.set_ik_position(limb, at).unwrap();
                    animator.set_ik_position_weight(limb, 1.0).unwrap();
                    ends.push(wide(at));
                }
                animator.solve().unwrap();
                let off = matchers::distance(masses.centre(&characters::world(&animator)), wide(goal)) / size;
                worst = worst.max(off);
                assert!(off < 5e-4, "{name}, limits {limits_enabled}: centre {off:e} {:?}", animator.body_outcome());
                for (limb, at) in IkGoal::ALL.into_iter().zip(ends) {
                    let off = matchers::distance(position(&animator, end(limb)), at) / size;
                    worst = worst.max(off);
                    assert!(off < 5e-4, "{name}, limits {limits_enabled}, {limb:?}: {off:e}");
                    assert_eq!(animator.ik_outcome(limb).unwrap().status, Status::Reached);
                }
                let outcome = animator.step_outcome(FrameStep::Body);
                assert!(outcome.status != Status::Inactive && f64::from(outcome.residual_m) < 5e-4 * size, "{name}");
                count += 1;
            }
        }
    }
    println!("{count} poses: worst {worst:.1e} of the height");
}

/// Input of every kind.
fn ask_for_much(animator: &mut Animator, random: &mut Random) {
    let size = height(animator) as f32;
    for limb in IkGoal::ALL {
        let at = animator.ik_position(limb).unwrap() + random.in_ball(0.1) * size;
        animator.set_ik_position(limb, at).unwrap();
        animator.set_ik_position_weight(limb, random.unit01()).unwrap();
        animator.set_ik_rotation(limb, random.rotation()).unwrap();
        animator.set_ik_rotation_weight(limb, random.unit01()).unwrap();
    }
    for hint in IkHint::ALL {
        let at = animator.ik_hint_position(hint).unwrap() + random.in_ball(0.3) * size;
        animator.set_ik_hint_position(hint, at).unwrap();
        animator.set_ik_hint_position_weight(hint, random.unit01()).unwrap();
    }
    let at = animator.body_position().unwrap() + random.in_ball(0.05) * size;
    animator.set_body_position(at).unwrap();
    let turned = random.rotation_within(0.3) * animator.body_rotation().unwrap();
    animator.set_body_rotation(turned).unwrap();
    animator.set_look_at_position(at + random.in_ball(1.0) * size).unwrap();
    animator.set_look_at_weight(LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes: 1.0, clamp: 0.5 }).unwrap();
}

fn effector(animator: &Animator, bone: HumanBone, off: Vec3) -> IkGoalInput {
    let at = matchers::vec3(position(animator, bone)) + off;
    IkGoalInput { position: Some(at), position_weight: 1.0, ..IkGoalInput::default() }
}

/// The weights of effectors stayed, so that the next solve moved the matched pose once more.
#[test]
fn a_matched_pose_stays_as_it_is() {
    let mut random = Random::new(16);
    for (name, person) in rigs() {
        let mut animator = standing(&person, true);
        ask_for_much(&mut animator, &mut random);
        let chest = effector(&animator, HumanBone::Spine, random.in_ball(0.1));
        animator.set_body_effector(BodyEffector::Chest, &chest).unwrap();
        let head = IkGoalInput { position_weight: 0.5, rotation_weight: 0.5, ..Default::default() };
        animator.set_body_effector(BodyEffector::Head, &head).unwrap();
        animator.match_pose_from_goals().unwrap();
        let kept = pose(&animator);
        animator.solve().unwrap();
        matchers::assert_pose_bits_equal(&kept, &pose(&animator));
        let now = animator.body_effector(BodyEffector::Chest).unwrap();
        assert_eq!((now.position, now.position_weight), (chest.position, 0.0), "{name}");
    }
}

#[test]
fn switched_off_it_leaves_every_bit() {
    let mut random = Random::new(6);
    for (name, person) in rigs() {
        let start = idle_pose_of(person.view(), 0.3);
        let mut plain = characters::animator(&person, 0.05);
        let mut switched = plain.clone();
        switched.set_body_solver(&ON).unwrap();
        let head = effector(&switched, HumanBone::Head, Vec3::ONE);
        switched.set_body_effector(BodyEffector::Head, &head).unwrap();
        set_pose(&mut switched, &start);
        switched.solve().unwrap();
        switched.set_body_solver(&BodySolverSettings::default()).unwrap();
        let mut input = random.clone();
        for (animator, random) in [(&mut plain, &mut random), (&mut switched, &mut input)] {
            set_pose(animator, &start);
            ask_for_much(animator, random);
            animator.solve().unwrap();
        }
        matchers::assert_pose_bits_equal(&pose(&plain), &pose(&switched));
        // Nothing asked for: nothing moves.
        let mut idle = standing(&person, true);
        set_pose(&mut idle, &start);
        idle.solve().unwrap();
        matchers::assert_pose_bits_equal(&start, &pose(&idle));
        assert_eq!(idle.body_outcome().unwrap().status, Status::Inactive, "{name}");
    }
}

#[test]
fn effectors_are_met_and_feet_stay() {
    for limits_enabled in [false, true] {
        for (name, person) in rigs() {
            for effector_kind in BodyEffector::ALL {
                let mut animator = standing(&person, limits_enabled);
                let size = height(&animator);
                let bone = match effector_kind {
                    BodyEffector::Hips => HumanBone::Hips,
                    BodyEffector::Chest => {
                        let chest = [HumanBone::UpperChest, HumanBone::Chest, HumanBone::Spine];
                        chest.into_iter().find(|b| animator.bone_joint(*b).unwrap().is_some()).unwrap()
                    }
                    BodyEffector::Head => HumanBone::Head,
                    BodyEffector::LeftShoulder => HumanBone::LeftUpperArm,
                    BodyEffector::RightShoulder => HumanBone::RightUpperArm,
                    BodyEffector::LeftElbow => HumanBone::LeftLowerArm,
                    BodyEffector::RightElbow => HumanBone::RightLowerArm,
                    BodyEffector::LeftKnee => HumanBone::LeftLowerLeg,
                    BodyEffector::RightKnee => HumanBone::RightLowerLeg,
                };
                let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|foot| position(&animator, foot));
                let off = (person.axes.forward * 0.03 - person.axes.up * 0.03) * (size as f32);
                let mut goal = effector(&animator, bone, off);
                // A knee stays at the shin's length from the ankle.
                let foot = match effector_kind {
                    BodyEffector::LeftKnee => Some(feet[0]),
                    BodyEffector::RightKnee => Some(feet[1]),
                    _ => None,
                };
                if let Some(ankle) = foot.map(matchers::vec3) {
                    let shin = (matchers::vec3(position(&animator, bone)) - ankle).length();
                    goal.position = goal.position.map(|p| ankle + (p - ankle).normalize() * shin);
                }
                animator.set_body_effector(effector_kind, &goal).unwrap();
                animator.solve().unwrap();
                let what = format!("{name}, {effector_kind:?}, limits {limits_enabled}");
                let missing = matchers::distance(position(&animator, bone), wide(goal.position.unwrap())) / size;
                assert!(missing < 5e-4, "{what}: {missing:e}");
                assert_eq!(animator.body_effector_outcome(effector_kind).unwrap().status, Status::Reached, "{what}");
                for (foot, at) in [HumanBone::LeftFoot, HumanBone::RightFoot].into_iter().zip(feet) {
                    let moved = matchers::distance(position(&animator, foot), at) / size;
                    assert!(moved < 5e-4, "{what}: {foot:?} moved {moved:e}");
                }
            }
        }
    }
}

#[test]
fn a_hand_out_of_reach_moves_no_foot() {
    for (name, person) in rigs() {
        let mut animator = standing(&person, true);
        let start = pose(&animator);
        let size = height(&animator);
        let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|foot| position(&animator, foot));
        let hand = animator.ik_position(IkGoal::RightHand).unwrap();
        let far = hand + (person.axes.forward * 1.5 + person.axes.up * 0.5) * (size as f32);
        animator.set_ik_position(IkGoal::RightHand, far).unwrap();
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        let before = matchers::distance(wide(hand), wide(far));
        animator.solve().unwrap();
        let after = matchers::distance(position(&animator, HumanBone::RightHand), wide(far));
        assert!(after < before - 0.4 * size, "{name}: {after} of {before}");
        assert_ne!(animator.ik_outcome(IkGoal::RightHand).unwrap().status, Status::Reached);
        for (foot, at) in [HumanBone::LeftFoot, HumanBone::RightFoot].into_iter().zip(feet) {
            let moved = matchers::distance(position(&animator, foot), at) / size;
            assert!(moved < 1e-3, "{name}: {foot:?} moved {moved:e}");
        }
        let hips = joint(&animator, HumanBone::Hips);
        for (j, (before, after)) in start.iter().zip(pose(&animator)).enumerate().filter(|(j, _)| *j != hips) {
            assert_eq!((before.position, before.scale), (after.position, after.scale), "{name}: joint {j}");
        }
    }
}

/// The way of a hand through reach and out of it, and what the pose does on it.
fn most_turn_of_a_hand(animator: &mut Animator, start: &[Transform], frames: u32) -> f64 {
    set_pose(animator, start);
    let size = height(animator) as f32;
    let axes = *animator.avatar().unwrap().axes();
    let hand = animator.ik_position(IkGoal::RightHand).unwrap();
    let (mut most, mut last) = (0.0_f64, None::<Vec<Transform>>);
    for frame in 0..=frames {
        let s = sinew::math::float::cos(frame as f32 / frames as f32 * core::f32::consts::TAU) * -0.5 + 0.5;
        set_pose(animator, start);
        let goal = hand + (axes.forward * 0.7 + axes.up * 0.3 - axes.right * 0.3) * (s * size);
        animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        animator.advance(1.0 / 60.0);
        animator.solve().unwrap();
        let now = pose(animator);
        if let Some(last) = &last {
            most = most.max(matchers::max_joint_step_rad(last, &now));
        }
        last = Some(now);
    }
    most
}

#[test]
fn a_goal_that_moves_smoothly_moves_the_body_smoothly() {
    let person = person(&PersonOptions::default());
    let start = idle_pose_of(person.view(), 0.0);
    for mode in [BodySolverMode::Converge, BodySolverMode::Track] {
        for limits_enabled in [false, true] {
            let mut animator = standing(&person, limits_enabled);
            animator.set_body_solver(&BodySolverSettings { mode, ..ON }).unwrap();
            let most = most_turn_of_a_hand(&mut animator, &start, 120);
            println!("{mode:?}, limits {limits_enabled}: most turn a frame {:.2} degrees", most.to_degrees());
            assert!(most.to_degrees() < 20.0, "{mode:?}: {most}");
        }
    }
}

#[test]
fn rotations_and_gaze_are_met() {
    let person = person(&PersonOptions::default());
    let mut animator = standing(&person, true);
    let axes = person.axes;
    let head = position(&animator, HumanBone::Head);
    let target = matchers::vec3(head) + axes.forward * 2.0 + axes.right * 1.0;
    animator.set_look_at_position(target).unwrap();
    animator.set_look_at_weight(LookAtWeight { weight: 1.0, body: 0.2, head: 1.0, eyes: 0.0, clamp: 0.3 }).unwrap();
    let turned = axis_angle(axes.up, 0.2) * animator.body_rotation().unwrap();
    animator.set_body_rotation(turned).unwrap();
    let at = animator.body_position().unwrap() - axes.up * 0.06;
    animator.set_body_position(at).unwrap();
    animator.solve().unwrap();
    let off = matchers::rotation_angle_rad(animator.body_rotation().unwrap(), turned);
    assert!(off < 3e-3, "body rotation: {off}");
    let (origin, gaze) = animator.gaze_ws().unwrap();
    let off = matchers::direction_angle_rad(wide(gaze), wide(target - origin));
    assert!(off < 0.02, "gaze: {off}");
    let chest = axis_angle(axes.right, 0.2);
    let joint = joint(&animator, HumanBone::Head);
    let before = animator.joint_ws(joint).rotation;
    animator.clear_body().unwrap();
    animator.set_look_at_weight(LookAtWeight::default()).unwrap();
    let wanted = (chest * before).normalize();
    let input = IkGoalInput { rotation: Some(wanted), rotation_weight: 1.0, ..IkGoalInput::default() };
    animator.set_body_effector(BodyEffector::Head, &input).unwrap();
    set_pose(&mut animator, &idle_pose_of(person.view(), 0.7));
    animator.solve().unwrap();
    let off = matchers::rotation_angle_rad(animator.joint_ws(joint).rotation, wanted);
    assert!(off < 3e-3, "head: {off}");
}

#[test]
fn track_mode_continues_from_a_snapshot_with_the_same_bits() {
    let person = person(&PersonOptions::default());
    let mut animator = standing(&person, true);
    animator.set_body_solver(&BodySolverSettings { mode: BodySolverMode::Track, ..ON }).unwrap();
    let start = idle_pose_of(person.view(), 0.7);
    let hand = animator.ik_position(IkGoal::LeftHand).unwrap();
    let frame = |animator: &mut Animator, number: u32| {
        set_pose(animator, &start);
        animator.set_ik_position(IkGoal::LeftHand, hand + Vec3::Y * (0.02 * number as f32)).unwrap();
        animator.set_ik_position_weight(IkGoal::LeftHand, 1.0).unwrap();
        animator.advance(1.0 / 60.0);
        animator.solve().unwrap();
        pose(animator)
    };
    (0..10).for_each(|number| drop(frame(&mut animator, number)));
    let mut snapshot = Vec::new();
    animator.snapshot(&mut snapshot);
    assert_eq!(snapshot.len(), animator.snapshot_size());
    let expected = frame(&mut animator, 10);
    (11..20).for_each(|number| drop(frame(&mut animator, number)));
    animator.restore(&snapshot).unwrap();
    matchers::assert_pose_bits_equal(&expected, &frame(&mut animator, 10));
    // Another state gives another pose: there is something to be restored.
    animator.reset_state();
    assert_ne!(expected, frame(&mut animator, 10));
    assert!(animator.restore(&snapshot[..snapshot.len() - 4]).is_err());
    animator.set_body_solver(&BodySolverSettings::default()).unwrap();
    assert!(animator.restore(&snapshot).is_err());
}

#[test]
fn in_a_crowd_it_has_the_bits_of_a_single_solve() {
    use sinew::animator::crowd::{Workspace, solve};
    let person = person(&PersonOptions::default());
    let first = standing(&person, true);
    let mut single: Vec<Animator> = (0..9).map(|_| first.clone()).collect();
    for (i, animator) in single.iter_mut().enumerate() {
        ask_for_much(animator, &mut Random::new(i as u64 + 1));
        if i % 3 == 2 {
            animator.set_body_solver(&BodySolverSettings::default()).unwrap();
        }
    }
    let mut together = single.clone();
    single.iter_mut().for_each(|animator| animator.solve().unwrap());
    let mut members: Vec<&mut Animator> = together.iter_mut().collect();
    solve(&mut members, &mut Workspace::default(), |place, error| panic!("{place}: {error}"));
    for (a, b) in single.iter().zip(&together) {
        matchers::assert_pose_bits_equal(&pose(a), &pose(b));
        matchers::assert_sound(&pose(a));
    }
}

/// An animation that leans aside, without any goal: held feet are enough to balance above.
#[test]
fn it_balances_above_held_feet_without_goals() {
    let person = person(&PersonOptions::default());
    let masses = Masses::new(&person);
    let lean = |animator: &mut Animator| {
        let hips = joint(animator, HumanBone::Hips);
        let mut local = pose(animator);
        local[hips].position += person.axes.right * (0.2 * height(animator) as f32);
        set_pose(animator, &local);
    };
    let aside = |animator: &Animator| {
        let centre = masses.centre(&characters::world(animator));
        let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|foot| position(animator, foot));
        let middle: [f64; 3] = core::array::from_fn(|i| 0.5 * (feet[0][i] + feet[1][i]));
        let right = wide(person.axes.right);
        (0..3).map(|i| (centre[i] - middle[i]) * right[i]).sum::<f64>() / height(animator)
    };
    let mut offs = Vec::new();
    for balance_weight in [0.0, 1.0] {
        let mut animator = standing(&person, false);
        // The legs lean with the hips: feet stay where they were.
        let feet = [IkGoal::LeftFoot, IkGoal::RightFoot].map(|foot| animator.ik_position(foot).unwrap());
        lean(&mut animator);
        animator.set_body_solver(&BodySolverSettings { mode: BodySolverMode::Off, ..ON }).unwrap();
        for (foot, at) in [IkGoal::LeftFoot, IkGoal::RightFoot].into_iter().zip(feet) {
            animator.set_ik_position(foot, at).unwrap();
            animator.set_ik_position_weight(foot, 1.0).unwrap();
        }
        animator.solve().unwrap();
        let leaning = pose(&animator);
        let mut animator = standing(&person, false);
        animator.set_body_solver(&BodySolverSettings { balance_weight, ..ON }).unwrap();
        set_pose(&mut animator, &leaning);
        animator.solve().unwrap();
        offs.push(aside(&animator));
    }
    assert!(offs[0] > 0.1 && offs[1] < 0.9 * offs[0], "{offs:?} of the height beside the feet");
}
