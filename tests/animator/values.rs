//! Setters, getters and the whole input; what the avatar reports.

use super::*;

/// They compute no more than they need.
#[test]
fn getters_have_the_bits_of_the_joints_frame() {
    let mut random = Random::new(31);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            for goal in IkGoal::ALL {
                let [_, mid, end] = goal.bones().map(|bone| animator.joint_ws(joint(&animator, bone)));
                assert_eq!(animator.ik_position(goal).unwrap(), end.position, "{name} {root_kind:?} {goal:?}");
                let hint = animator.ik_hint_position(IkHint::ALL[goal.index()]).unwrap();
                assert_eq!(hint, mid.position, "{name} {root_kind:?} {goal:?}");
                // What the goals are set to from the pose, which asks for whole frames.
                let mut other = animator.clone();
                other.match_goals_from_pose().unwrap();
                let given = other.input().unwrap().goals[goal.index()];
                let own = animator.ik_rotation(goal).unwrap().normalize();
                assert_eq!(Some(own), given.rotation, "{name} {root_kind:?} {goal:?}");
            }
        }
    }
}

#[test]
fn getters_give_the_animations_own_goals_until_something_is_set() {
    let mut random = Random::new(3);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let (spaces, size) = (characters::world(&animator), size(&animator));
            for goal in IkGoal::ALL {
                let own = animator.ik_position(goal).unwrap();
                let off = matchers::distance(wide(own), end_ws(&animator, goal));
                assert!(off < 3e-6 * size.max(1.0), "{name} {root_kind:?} {goal:?} {off:e}");
                let knee = joint(&animator, goal.bones()[1]);
                let hint = animator.ik_hint_position(IkHint::ALL[goal.index()]).unwrap();
                assert!(matchers::distance(wide(hint), spaces[knee].position) < 3e-6 * size.max(1.0));
            }
            // Setting the own goals changes nothing, but for the bits.
            let before = pose(&animator);
            for goal in IkGoal::ALL {
                let (position, rotation) = (animator.ik_position(goal).unwrap(), animator.ik_rotation(goal).unwrap());
                animator.set_ik_position(goal, position).unwrap();
                animator.set_ik_rotation(goal, rotation).unwrap();
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
            }
            let mut limp = animator.clone();
            animator.solve().unwrap();
            let moved = matchers::max_joint_step_rad(&before, &pose(&animator));
            // The bend of a straight limb goes with the square root of its length's rounding error.
            assert!(moved < 4e-3, "{name} {root_kind:?} {moved}");
            for goal in IkGoal::ALL {
                let off = matchers::distance(end_ws(&animator, goal), end_ws(&limp, goal));
                assert!(off < 1e-5 * size, "{name} {root_kind:?}: {off:e}");
            }
            limp.set_ik_position(IkGoal::LeftFoot, Vec3::ONE).unwrap();
            assert_eq!(limp.ik_position(IkGoal::LeftFoot).unwrap(), Vec3::ONE);
        }
    }
}

#[test]
fn own_goals_and_no_stretch_change_nothing() {
    let mut random = Random::new(4);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        for _ in 0..4 {
            let before = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &before);
            for goal in IkGoal::ALL {
                let (position, rotation) = (animator.ik_position(goal).unwrap(), animator.ik_rotation(goal).unwrap());
                animator.set_ik_position(goal, position).unwrap();
                animator.set_ik_rotation(goal, rotation).unwrap();
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
            }
            animator.solve().unwrap();
            let moved = matchers::max_joint_step_rad(&before, &pose(&animator));
            worst = worst.max(moved);
            assert!(moved < 4e-3, "{name}: {moved}");
        }
    }
    println!("own goals set again: joints move up to {worst:.1e} rad");
}

#[test]
fn setters_getters_and_whole_input_agree() {
    let mut random = Random::new(5);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    let mut input = HumanoidInput::default();
    let root = random.rigid(1.0);
    animator.set_root(root).unwrap();
    assert_eq!(*animator.root(), root);
    for goal in IkGoal::ALL {
        let set = IkGoalInput {
            position: Some(random.in_ball(1.0)),
            rotation: Some(random.rotation()),
            position_weight: random.unit01(),
            rotation_weight: random.unit01(),
        };
        input.goals[goal.index()] = set;
        animator.set_ik_position(goal, set.position.unwrap()).unwrap();
        animator.set_ik_rotation(goal, set.rotation.unwrap()).unwrap();
        animator.set_ik_position_weight(goal, set.position_weight).unwrap();
        animator.set_ik_rotation_weight(goal, set.rotation_weight).unwrap();
        assert_eq!(animator.ik_position(goal).unwrap(), set.position.unwrap());
        assert_eq!(animator.ik_rotation(goal).unwrap(), set.rotation.unwrap().normalize());
        assert_eq!(animator.ik_position_weight(goal).unwrap(), set.position_weight);
        assert_eq!(animator.ik_rotation_weight(goal).unwrap(), set.rotation_weight);
    }
    for hint in IkHint::ALL {
        let (position, weight) = (random.in_ball(1.0), random.unit01());
        (input.hints[hint.index()].position, input.hints[hint.index()].weight) = (Some(position), weight);
        animator.set_ik_hint_position(hint, position).unwrap();
        animator.set_ik_hint_position_weight(hint, weight).unwrap();
        assert_eq!(animator.ik_hint_position(hint).unwrap(), position);
        assert_eq!(animator.ik_hint_position_weight(hint).unwrap(), weight);
    }
    let look = LookAtWeight { weight: 0.9, body: 0.2, head: 0.7, eyes: 0.5, clamp: 0.4 };
    (input.look_at_weight, input.look_at_position) = (look, Some(random.in_ball(2.0)));
    animator.set_look_at_weight(look).unwrap();
    animator.set_look_at_position(input.look_at_position.unwrap()).unwrap();
    assert_eq!(animator.look_at_weight().unwrap(), look);
    assert_eq!(animator.look_at_position().unwrap(), input.look_at_position.unwrap());
    (input.body_position, input.body_rotation) = (Some(random.in_ball(0.5)), Some(random.rotation_within(0.5)));
    animator.set_body_position(input.body_position.unwrap()).unwrap();
    animator.set_body_rotation(input.body_rotation.unwrap()).unwrap();
    assert_eq!(animator.body_position().unwrap(), input.body_position.unwrap());
    assert_eq!(animator.body_rotation().unwrap(), input.body_rotation.unwrap().normalize());

    let mut whole = characters::animator(&person, STRETCH);
    whole.set_root(root).unwrap();
    whole.set_input(&input).unwrap();
    let animation = random_human_pose(person.view(), &mut random, 1.0);
    for each in [&mut animator, &mut whole] {
        set_pose(each, &animation);
        each.solve().unwrap();
    }
    matchers::assert_pose_bits_equal(&pose(&animator), &pose(&whole));
    assert_eq!(animator.input().unwrap(), whole.input().unwrap());
    // After a solve the getters give the new pose's own again, but what was set stays in force.
    let own = animator.ik_position(IkGoal::RightHand).unwrap();
    assert!(matchers::distance(wide(own), end_ws(&animator, IkGoal::RightHand)) < 5e-6);
    let first = pose(&animator);
    set_pose(&mut animator, &animation);
    animator.solve().unwrap();
    matchers::assert_pose_bits_equal(&first, &pose(&animator));
    // Weights outside 0 … 1 are limited; NaN is 0.
    for (given, kept) in [(-1.0, 0.0), (7.0, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
        animator.set_ik_position_weight(IkGoal::LeftHand, given).unwrap();
        assert_eq!(animator.ik_position_weight(IkGoal::LeftHand).unwrap(), kept);
        animator.set_ik_rotation_weight(IkGoal::LeftHand, given).unwrap();
        assert_eq!(animator.ik_rotation_weight(IkGoal::LeftHand).unwrap(), kept);
        animator.set_ik_hint_position_weight(IkHint::LeftElbow, given).unwrap();
        assert_eq!(animator.ik_hint_position_weight(IkHint::LeftElbow).unwrap(), kept);
    }
    animator.reset_ik().unwrap();
    set_pose(&mut animator, &animation);
    animator.solve().unwrap();
    matchers::assert_pose_bits_equal(&animation, &pose(&animator));
}

#[test]
fn what_the_avatar_knows() {
    for (name, person) in kinds() {
        let animator = characters::animator(&person, STRETCH);
        if name.contains("hung") {
            continue;
        }
        let unit = person.options.units.per_metre();
        assert!((0.8..1.1).contains(&(animator.human_scale() / unit)), "{name} {}", animator.human_scale());
        for goal in [IkGoal::LeftFoot, IkGoal::RightFoot] {
            let height = animator.foot_bottom_height(goal).unwrap() / unit;
            assert!((0.05..0.12).contains(&height), "{name} {height}");
        }
        assert_eq!(animator.foot_bottom_height(IkGoal::LeftHand).unwrap(), 0.0);
        for bone in HumanBone::ALL {
            assert_eq!(animator.bone_joint(bone).unwrap(), person.human[bone.index()]);
        }
        let left = animator.foot_bottom_height(IkGoal::LeftFoot).unwrap();
        let right = animator.foot_bottom_height(IkGoal::RightFoot).unwrap();
        assert!((left - right).abs() < 1e-5 * unit);
    }
}
