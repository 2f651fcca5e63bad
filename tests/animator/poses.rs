//! Poses in and out: rigs, overrides, stretch, bad numbers, the same bits.

use super::*;

#[test]
fn character_poses_do_not_depend_on_the_rig() {
    let mut reference: Option<Vec<[f64; 3]>> = None;
    let plain = PersonOptions::default();
    let mut options = Vec::new();
    for bone_rolls in BoneRolls::ALL {
        for rest in [RestPose::T, RestPose::A] {
            for (handedness, units) in [(Handedness::Left, Units::Metres), (Handedness::Right, Units::Centimetres)] {
                for (up, facing) in [(Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::NEG_Y), (Vec3::Y, Vec3::NEG_X)] {
                    for twist_joints in [false, true] {
                        options.push(PersonOptions {
                            bone_rolls,
                            rest,
                            handedness,
                            units,
                            up,
                            facing,
                            twist_joints,
                            ..plain
                        });
                    }
                }
            }
        }
    }
    for options in options {
        let person = person(&options);
        let mut animator = characters::animator(&person, STRETCH);
        let unit = options.units.per_metre();
        let at = |r: f32, u: f32, f: f32| person.axes.vector(r, u, f) * unit;
        let pose = random_human_pose(person.view(), &mut Random::new(77), 0.7);
        set_pose(&mut animator, &pose);
        animator.set_ik_position(IkGoal::RightHand, at(0.2, 1.3, 0.4)).unwrap();
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        animator.set_ik_position(IkGoal::LeftHand, at(-0.9, 1.6, 0.3)).unwrap();
        animator.set_ik_position_weight(IkGoal::LeftHand, 0.7).unwrap();
        animator.set_ik_hint_position(IkHint::LeftElbow, at(-0.5, 0.5, -0.5)).unwrap();
        animator.set_ik_hint_position_weight(IkHint::LeftElbow, 0.8).unwrap();
        animator.set_ik_position(IkGoal::LeftFoot, at(-0.15, 0.3, 0.2)).unwrap();
        animator.set_ik_position_weight(IkGoal::LeftFoot, 0.9).unwrap();
        let toes = sinew::math::frame_rotation(at(-0.3, 0.1, 1.0), at(0.1, 1.0, 0.0));
        animator.set_ik_rotation(IkGoal::LeftFoot, toes).unwrap();
        animator.set_ik_rotation_weight(IkGoal::LeftFoot, 1.0).unwrap();
        animator.set_look_at_position(at(0.8, 1.9, 1.0)).unwrap();
        let look = LookAtWeight { weight: 1.0, body: 0.3, head: 0.9, eyes: 1.0, clamp: 0.5 };
        animator.set_look_at_weight(look).unwrap();
        animator.set_body_position(at(0.05, 0.9, 0.02)).unwrap();
        animator.solve().unwrap();
        let spaces = characters::world(&animator);
        let axes = [person.axes.right, person.axes.up, person.axes.forward].map(wide);
        let mut seen = Vec::new();
        for bone in HumanBone::ALL {
            let p = spaces[joint(&animator, bone)].position.map(|c| c / f64::from(unit));
            seen.push(axes.map(|a| a[0] * p[0] + a[1] * p[1] + a[2] * p[2]));
        }
        let expected = reference.get_or_insert_with(|| seen.clone());
        for (bone, (a, b)) in HumanBone::ALL.iter().zip(expected.iter().zip(&seen)) {
            assert!(matchers::distance(*a, *b) < 3e-4, "{} {a:?} {b:?} {options:?}", bone.name());
        }
    }
}

#[test]
fn bone_overrides_come_before_everything_else() {
    let mut random = Random::new(9);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    let animation = random_human_pose(person.view(), &mut random, 1.0);
    let elbow = random.rotation();
    let head = random.rotation_within(0.5);
    animator.set_bone_local_rotation(HumanBone::RightLowerArm, elbow).unwrap();
    animator.set_bone_local_rotation(HumanBone::Head, head).unwrap();
    assert_eq!(animator.bone_local_rotation(HumanBone::Head).unwrap(), head.normalize());
    set_pose(&mut animator, &animation);
    animator.solve().unwrap();
    let mut expected = animation.clone();
    expected[joint(&animator, HumanBone::RightLowerArm)].rotation = elbow.normalize();
    expected[joint(&animator, HumanBone::Head)].rotation = head.normalize();
    matchers::assert_pose_bits_equal(&expected, &pose(&animator));

    // With a look-at on top: the same as an animation that had the override in it.
    let look = LookAtWeight { weight: 1.0, ..LookAtWeight::default() };
    animator.set_look_at_weight(look).unwrap();
    animator.set_look_at_position(Vec3::new(0.3, 1.5, 2.0)).unwrap();
    let mut other = characters::animator(&person, STRETCH);
    other.set_look_at_weight(look).unwrap();
    other.set_look_at_position(Vec3::new(0.3, 1.5, 2.0)).unwrap();
    set_pose(&mut animator, &animation);
    set_pose(&mut other, &expected);
    animator.solve().unwrap();
    other.solve().unwrap();
    matchers::assert_pose_bits_equal(&pose(&other), &pose(&animator));

    animator.reset_ik().unwrap();
    set_pose(&mut animator, &animation);
    animator.solve().unwrap();
    matchers::assert_pose_bits_equal(&animation, &pose(&animator));
    let least = PersonOptions { with_optional: false, with_fingers: false, ..PersonOptions::default() };
    let mut least = characters::animator(&testkit::person(&least), STRETCH);
    let refused = Err(AnimatorError::BoneNotMapped(HumanBone::Chest));
    assert_eq!(least.set_bone_local_rotation(HumanBone::Chest, Quat::IDENTITY), refused);
    assert_eq!(least.bone_local_rotation(HumanBone::Chest).map(|_| ()), refused);
}

#[test]
fn bad_poses_are_refused_and_nothing_changes() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    animator.set_ik_position(IkGoal::RightHand, Vec3::new(0.3, 1.2, 0.4)).unwrap();
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    animator.solve().unwrap();
    let outcome = animator.ik_outcome(IkGoal::RightHand).unwrap();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for part in 0..3 {
            let mut broken = person.t_pose.clone();
            match part {
                0 => broken[20].position.y = bad,
                1 => broken[20].rotation.w = bad,
                _ => broken[20].scale.x = bad,
            }
            set_pose(&mut animator, &broken);
            assert!(matches!(animator.solve(), Err(AnimatorError::Pose(PoseError::NotFinite { joint: 20, .. }))));
            matchers::assert_pose_bits_equal(&broken, &pose(&animator));
            assert_eq!(animator.ik_outcome(IkGoal::RightHand).unwrap(), outcome);
        }
    }
    let mut broken = person.t_pose.clone();
    broken[3].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    set_pose(&mut animator, &broken);
    assert!(matches!(animator.solve(), Err(AnimatorError::Pose(PoseError::ZeroRotation { joint: 3, .. }))));
    matchers::assert_pose_bits_equal(&broken, &pose(&animator));
    let flat = Transform { scale: Vec3::new(1.0, 0.0, 1.0), ..Transform::IDENTITY };
    let root = *animator.root();
    assert!(matches!(animator.set_root(flat), Err(AnimatorError::BadScale(_))));
    assert_eq!(*animator.root(), root);
}

#[test]
fn quaternions_off_unit_length_are_taken_for_rotations() {
    let mut random = Random::new(10);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    animator.set_ik_position(IkGoal::RightHand, Vec3::new(0.3, 1.2, 0.4)).unwrap();
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    let unit = random_human_pose(person.view(), &mut random, 1.0);
    let mut longer = unit.clone();
    longer.iter_mut().for_each(|t| t.rotation *= random.between(0.9, 1.1));
    set_pose(&mut animator, &unit);
    animator.solve().unwrap();
    let expected = pose(&animator);
    set_pose(&mut animator, &longer);
    animator.solve().unwrap();
    assert!(matchers::max_joint_step_rad(&expected, &pose(&animator)) < 1e-5);
}

#[test]
fn a_rig_without_avatar_passes_through() {
    let mut builder = SkeletonBuilder::new();
    let tail = builder.joint_at("tail", None, Vec3::ZERO);
    builder.joint_at("tip", Some(tail), Vec3::X);
    let skeleton = Arc::new(builder.build().unwrap());
    let mut animator = Animator::new(skeleton.clone(), None).unwrap();
    animator.pose_mut().local_mut()[1].rotation = axis_angle(Vec3::Y, 0.3);
    let before = pose(&animator);
    animator.solve().unwrap();
    matchers::assert_pose_bits_equal(&before, &pose(&animator));
    assert!(!animator.is_human());
    assert_eq!(animator.human_scale(), 1.0);
    let refused = Err(AnimatorError::NotHumanoid);
    assert_eq!(animator.set_ik_position(IkGoal::LeftFoot, Vec3::ZERO), refused);
    assert_eq!(animator.ik_position(IkGoal::LeftFoot).map(|_| ()), refused);
    assert_eq!(animator.set_look_at_position(Vec3::ZERO), refused);
    assert_eq!(animator.set_body_position(Vec3::ZERO), refused);
    assert_eq!(animator.reset_ik(), refused);
    assert_eq!(animator.ik_outcome(IkGoal::LeftFoot).map(|_| ()), refused);
    let other = characters::avatar(&person(&PersonOptions::default()), 0.0);
    assert_eq!(Animator::new(skeleton, Some(other)).map(|_| ()), Err(AnimatorError::WrongSkeleton));
}

#[test]
fn stretch_lengthens_arms_and_legs_up_to_its_limit_and_not_without_weight() {
    let person = person(&PersonOptions::default());
    for (stretch, expected) in [(0.0f32, 1.0f64), (0.05, 1.05), (0.2, 1.2)] {
        let mut animator = characters::animator(&person, stretch);
        for goal in IkGoal::ALL {
            set_pose(&mut animator, &person.t_pose);
            let spaces = characters::world(&animator);
            let [root, mid, end] = goal.bones().map(|b| spaces[joint(&animator, b)].position);
            let full = matchers::distance(root, mid) + matchers::distance(mid, end);
            animator.reset_ik().unwrap();
            animator.set_ik_position(goal, narrow(root) + Vec3::new(0.3, -0.3, 1.0) * 5.0).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
            animator.solve().unwrap();
            let after = characters::world(&animator);
            let reach = matchers::distance(after[joint(&animator, goal.bones()[0])].position, end_ws(&animator, goal));
            assert!((reach / full - expected).abs() < 1e-5, "{stretch} {goal:?}: {}", reach / full);
            assert_eq!(animator.ik_outcome(goal).unwrap().status, Status::Unreachable);
            let left = matchers::distance(
                end_ws(&animator, goal),
                wide(animator.input().unwrap().goals[goal.index()].position.unwrap()),
            );
            assert!((f64::from(animator.ik_outcome(goal).unwrap().residual_m) - left).abs() < 5e-6);
        }
    }
}

#[test]
fn same_input_same_bits_whatever_was_solved_before() {
    let mut random = Random::new(12);
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, STRETCH);
    let mut used = characters::animator_of(&avatar);
    for _ in 0..10 {
        let mut input = HumanoidInput::default();
        for goal in &mut input.goals {
            (goal.position, goal.position_weight) = (Some(random.in_ball(1.5)), random.unit01());
        }
        input.look_at_position = Some(random.in_ball(3.0));
        input.look_at_weight.weight = 1.0;
        let animation = random_human_pose(person.view(), &mut random, 1.0);
        let mut fresh = characters::animator_of(&avatar);
        for animator in [&mut used, &mut fresh] {
            set_pose(animator, &animation);
            animator.set_input(&input).unwrap();
            animator.solve().unwrap();
        }
        matchers::assert_pose_bits_equal(&pose(&fresh), &pose(&used));
    }
}
