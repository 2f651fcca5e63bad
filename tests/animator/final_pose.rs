//! Outcomes are those of the pose that the host gets. They were fixed where a step or a constraint
//! ended: a chain on the chest took a hand that was "reached" 28 cm off its goal, and the residual
//! of a look-at was the head's angle to the whole target, whatever the weights and the eyes.

use sinew::animator::{Animator, ConstraintPlacement, FrameStep};
use sinew::constraints::{AimDefinition, ChainDefinition, ConstraintDefinition, ConstraintId, TwoBoneDefinition};
use sinew::humanoid::{HumanBone, IkGoal, LookAtWeight};
use sinew::math::{Quat, Vec3, float};
use sinew::outcome::{Outcome, Status};
use testkit::characters::{self, joint, set_pose, world};
use testkit::matchers::{direction_angle_rad, distance, wide};
use testkit::person::{Person, PersonOptions, person};
use testkit::{BoneRolls, characters::Facing64};

fn kinds() -> [Person; 2] {
    [PersonOptions::default(), PersonOptions { bone_rolls: BoneRolls::Random(3), ..PersonOptions::gltf() }]
        .map(|options| person(&options))
}
fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
fn at(animator: &Animator, bone: HumanBone) -> Vec3 {
    narrow(world(animator)[joint(animator, bone)].position)
}
fn add(animator: &mut Animator, definition: ConstraintDefinition, goal: Vec3) -> ConstraintId {
    let id = animator.add_constraint(&definition).unwrap();
    let input = animator.constraint_mut(id).unwrap();
    input.weight = 1.0;
    input.goals[0].position_ws = Some(goal);
    id
}
/// Leans the trunk, after the limbs where it is placed nowhere else.
fn lean(animator: &mut Animator, by: Vec3) -> ConstraintId {
    let chest = joint(animator, HumanBone::Chest);
    let goal = at(animator, HumanBone::Chest) + by;
    add(animator, ConstraintDefinition::Chain(ChainDefinition::ending_at(chest, 2)), goal)
}
/// How far in front of and beside the shoulder.
fn before_the_shoulder(animator: &Animator, person: &Person) -> Vec3 {
    at(animator, HumanBone::RightUpperArm) + person.axes.forward * 0.35 - person.axes.up * 0.1
}
#[track_caller]
fn assert_off(outcome: Outcome, off: f64) {
    assert!(off > 0.02, "nothing moved");
    assert!((f64::from(outcome.residual_m) - off).abs() < 1e-4, "{outcome:?}, but {off} m");
    assert_eq!(outcome.status, Status::Stalled);
}

#[test]
fn a_hand_that_a_later_constraint_moves_has_not_reached_its_goal() {
    for (person, weight) in kinds().iter().flat_map(|person| [(person, 1.0), (person, 0.6)]) {
        let mut animator = characters::animator(person, 0.0);
        let goal = before_the_shoulder(&animator, person);
        let hand = IkGoal::RightHand;
        animator.set_ik_position(hand, goal).unwrap();
        animator.set_ik_position_weight(hand, weight).unwrap();
        let start = at(&animator, HumanBone::RightHand);
        let wanted = start.lerp(goal, weight);
        let id = lean(&mut animator, person.axes.forward * 0.08);
        let rest = person.t_pose.clone();
        // A route with limits, too; its goal is the same.
        for limits_enabled in [false, true] {
            let settings = sinew::humanoid::HumanoidSettings { limits_enabled, ..Default::default() };
            animator.set_settings(&settings).unwrap();
            animator.constraint_mut(id).unwrap().weight = 0.0;
            set_pose(&mut animator, &rest);
            animator.solve().unwrap();
            let outcome = animator.ik_outcome(hand).unwrap();
            assert_eq!(outcome.status, Status::Reached);
            assert!(outcome.residual_m < 1e-4);
            animator.constraint_mut(id).unwrap().weight = 1.0;
            set_pose(&mut animator, &rest);
            animator.solve().unwrap();
            let off = distance(wide(at(&animator, HumanBone::RightHand)), wide(wanted));
            assert_off(animator.ik_outcome(hand).unwrap(), off);
        }
    }
}

#[test]
fn a_hand_rotation_that_a_later_constraint_turns_is_measured() {
    for person in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let hand = IkGoal::RightHand;
        animator.set_ik_rotation(hand, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)).unwrap();
        animator.set_ik_rotation_weight(hand, 1.0).unwrap();
        lean(&mut animator, person.axes.forward * 0.08);
        set_pose(&mut animator, &person.t_pose);
        animator.solve().unwrap();
        let outcome = animator.ik_outcome(hand).unwrap();
        assert!(outcome.residual_rad > 0.05 && outcome.status == Status::Stalled, "{outcome:?}");
        assert_eq!(outcome.residual_m, 0.0);
    }
}

#[test]
fn a_constraint_that_a_later_one_moves_has_not_reached_its_goal() {
    for person in kinds() {
        let hand = person.joint(HumanBone::RightHand);
        let definitions = [
            ConstraintDefinition::Chain(ChainDefinition::ending_at(hand, 4)),
            ConstraintDefinition::Chain(ChainDefinition::ending_at(hand, 3)),
            ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(hand)),
        ];
        for definition in definitions {
            let mut animator = characters::animator(&person, 0.0);
            let goal = before_the_shoulder(&animator, &person);
            let first = add(&mut animator, definition, goal);
            lean(&mut animator, person.axes.forward * 0.08);
            set_pose(&mut animator, &person.t_pose);
            animator.solve().unwrap();
            let off = distance(wide(at(&animator, HumanBone::RightHand)), wide(goal));
            assert_off(animator.constraint_outcome(first).unwrap(), off);
        }
    }
}

#[test]
fn a_step_that_moves_a_constraint_placed_before_it_is_seen() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let hand = joint(&animator, HumanBone::RightHand);
    let goal = before_the_shoulder(&animator, &person);
    let chain = add(&mut animator, ConstraintDefinition::Chain(ChainDefinition::ending_at(hand, 3)), goal);
    animator.set_constraint_placement(chain, ConstraintPlacement::Before(FrameStep::Limbs)).unwrap();
    animator.set_ik_position(IkGoal::RightHand, goal + person.axes.up * 0.2).unwrap();
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    set_pose(&mut animator, &person.t_pose);
    animator.solve().unwrap();
    let off = distance(wide(at(&animator, HumanBone::RightHand)), wide(goal));
    assert_off(animator.constraint_outcome(chain).unwrap(), off);
    assert_eq!(animator.ik_outcome(IkGoal::RightHand).unwrap().status, Status::Reached);
}

#[test]
fn an_aim_that_a_later_one_turns_has_not_reached_its_goal() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let head = joint(&animator, HumanBone::Head);
    let target = at(&animator, HumanBone::Head) + person.axes.forward + person.axes.right * 0.4;
    let aim = add(&mut animator, ConstraintDefinition::Aim(AimDefinition::of(head)), target);
    lean(&mut animator, person.axes.forward * 0.08);
    set_pose(&mut animator, &person.t_pose);
    animator.solve().unwrap();
    let outcome = animator.constraint_outcome(aim).unwrap();
    let frame = &world(&animator)[head];
    let to = (target - narrow(frame.position)).to_array().map(f64::from);
    let off = direction_angle_rad(frame.direction([0.0, 0.0, 1.0]), to);
    assert!(off > 0.05 && (f64::from(outcome.residual_rad) - off).abs() < 1e-4, "{outcome:?}, but {off}");
    assert_eq!(outcome.status, Status::Stalled);
}

/// Angles of the eyes to the target, the larger one, radians.
fn eyes_off(animator: &Animator, target: Vec3) -> f64 {
    let spaces = world(animator);
    let avatar = animator.avatar().unwrap();
    let off = [HumanBone::LeftEye, HumanBone::RightEye].map(|eye| {
        let eye = joint(animator, eye);
        let [_, _, forward] = Facing64::new(avatar, eye).now(&spaces);
        direction_angle_rad(forward, (target - narrow(spaces[eye].position)).to_array().map(f64::from))
    });
    off[0].max(off[1])
}
fn look(animator: &mut Animator, person: &Person, target: Vec3, weight: LookAtWeight) -> Outcome {
    animator.set_look_at_position(target).unwrap();
    animator.set_look_at_weight(weight).unwrap();
    set_pose(animator, &person.t_pose);
    animator.solve().unwrap();
    animator.look_at_outcome().unwrap()
}
/// A point this many degrees to the right of straight ahead.
fn aside(animator: &Animator, person: &Person, degrees: f32) -> Vec3 {
    let (sine, cosine) = float::sin_cos(degrees.to_radians());
    let head = (at(animator, HumanBone::LeftEye) + at(animator, HumanBone::RightEye)) * 0.5;
    head + person.axes.forward * (2.0 * cosine) + person.axes.right * (2.0 * sine)
}

#[test]
fn eyes_that_take_part_are_measured() {
    for person in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        for head in [0.0, 0.3, 1.0] {
            let weight = LookAtWeight { weight: 1.0, body: 0.0, head, eyes: 1.0, clamp: 0.0 };
            let near = aside(&animator, &person, 10.0);
            let outcome = look(&mut animator, &person, near, weight);
            assert!(outcome.status == Status::Reached && outcome.residual_rad < 1e-3, "{head}: {outcome:?}");
            set_pose(&mut animator, &person.t_pose);
            let far = aside(&animator, &person, 45.0);
            let outcome = look(&mut animator, &person, far, weight);
            let off = eyes_off(&animator, far);
            assert!((f64::from(outcome.residual_rad) - off).abs() < 1e-3, "{head}: {outcome:?}, but {off}");
            let status = if head < 1.0 { Status::Unreachable } else { Status::Reached };
            assert_eq!(outcome.status, status, "{head}: {off}");
            set_pose(&mut animator, &person.t_pose);
        }
    }
}

#[test]
fn a_gaze_of_partial_weight_reaches_its_weighted_goal() {
    for person in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let weights = [
            LookAtWeight { weight: 1.0, body: 0.0, head: 0.5, eyes: 0.0, clamp: 0.0 },
            LookAtWeight { weight: 0.3, body: 0.4, head: 0.5, eyes: 0.0, clamp: 0.0 },
            LookAtWeight { weight: 0.5, body: 1.0, head: 0.0, eyes: 0.0, clamp: 0.0 },
            LookAtWeight { weight: 0.5, body: 0.3, head: 0.6, eyes: 0.2, clamp: 0.0 },
        ];
        for weight in weights {
            let target = aside(&animator, &person, 30.0);
            let outcome = look(&mut animator, &person, target, weight);
            assert!(outcome.status == Status::Reached && outcome.residual_rad < 2e-3, "{weight:?}: {outcome:?}");
            // The clamp keeps a part of it.
            set_pose(&mut animator, &person.t_pose);
            let outcome = look(&mut animator, &person, target, LookAtWeight { clamp: 0.9, eyes: 0.0, ..weight });
            assert!(outcome.status == Status::Unreachable && outcome.residual_rad > 0.01, "{weight:?}: {outcome:?}");
            set_pose(&mut animator, &person.t_pose);
        }
    }
}

#[test]
fn a_gaze_that_a_later_constraint_moves_is_measured() {
    for person in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let target = aside(&animator, &person, 20.0);
        let id = lean(&mut animator, person.axes.forward * 0.08);
        let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 1.0, eyes: 0.0, clamp: 0.0 };
        let outcome = look(&mut animator, &person, target, weight);
        let (origin, direction) = animator.gaze_ws().unwrap();
        let off = direction_angle_rad(wide(direction), wide(target - origin));
        assert!(off > 0.05 && (f64::from(outcome.residual_rad) - off).abs() < 1e-3, "{outcome:?}, but {off}");
        assert_eq!(outcome.status, Status::Stalled);
        animator.constraint_mut(id).unwrap().weight = 0.0;
        assert_eq!(look(&mut animator, &person, target, weight).status, Status::Reached);
        // With eyes.
        animator.constraint_mut(id).unwrap().weight = 1.0;
        let outcome = look(&mut animator, &person, target, LookAtWeight { eyes: 1.0, ..weight });
        let off = eyes_off(&animator, target);
        assert!(off > 0.05 && (f64::from(outcome.residual_rad) - off).abs() < 1e-3, "{outcome:?}, but {off}");
    }
}
