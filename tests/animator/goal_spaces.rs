//! Goals in the space of a joint, and for a point of the hand or foot: judged in the final pose.

use super::*;
use sinew::animator::{ConstraintPlacement, FrameStep, StateHash};
use sinew::constraints::{AimDefinition, ConstraintDefinition};
use sinew::humanoid::{BodySolverMode, BodySolverSettings, HumanoidSettings};
use testkit::characters::solve3;

const RIGHT: IkGoal = IkGoal::RightHand;
const LEFT: IkGoal = IkGoal::LeftHand;

/// A world point in a joint's space.
fn into_space(space: &Affine64, point: [f64; 3]) -> Vec3 {
    narrow(solve3(&space.columns, [0, 1, 2].map(|i| point[i] - space.position[i])))
}

/// Distance between the effector point of a limb and a point of a joint's space, in the world.
fn off(animator: &Animator, goal: IkGoal, space: usize, point: Vec3) -> f64 {
    let spaces = characters::world(animator);
    let effector = wide(animator.ik_effector_point(goal).unwrap());
    matchers::distance(spaces[end_joint(animator, goal)].point(effector), spaces[space].point(wide(point)))
}

/// What moves the trunk in the same frame.
fn move_trunk(animator: &mut Animator, random: &mut Random) {
    let forward = characters::world(animator)[joint(animator, HumanBone::Head)].position;
    animator.set_look_at_position(narrow(forward) + random.in_ball(3.0)).unwrap();
    animator.set_look_at_weight(LookAtWeight { weight: 1.0, body: 0.7, head: 0.8, eyes: 0.5, clamp: 0.5 }).unwrap();
    let body = animator.body_position().unwrap();
    animator.set_body_position(body + random.in_ball(0.05)).unwrap();
    let bone = HumanBone::Spine;
    animator.set_bone_local_rotation(bone, random.rotation_within(0.4)).unwrap();
}

/// Gives a limb a goal in a joint's space that it can reach once everything before is solved, and
/// returns it: what is set so far is solved on a copy for that.
fn give_goal(animator: &mut Animator, person: &Person, random: &mut Random, goal: IkGoal, space: usize) -> Vec3 {
    let mut before = animator.clone();
    before.solve().unwrap();
    let target = reachable(&before, person, random, goal);
    let point = into_space(&characters::world(&before)[space], wide(target));
    animator.set_ik_goal_space(goal, Some(space)).unwrap();
    animator.set_ik_position(goal, point).unwrap();
    animator.set_ik_position_weight(goal, 1.0).unwrap();
    point
}

/// The outcome says what is measured.
fn assert_reached(animator: &Animator, goal: IkGoal, off: f64, size: f64, what: &str) {
    let outcome = animator.ik_outcome(goal).unwrap();
    assert!(off < 5e-5 * size, "{what} {goal:?}: {off:e} of {size}, {outcome:?}");
    assert_eq!(outcome.status, Status::Reached, "{what} {goal:?} {outcome:?} {off:e}");
    assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{what} {outcome:?} {off}");
}

#[test]
fn a_goal_in_the_space_of_the_trunk_is_met_in_the_final_pose() {
    let mut random = Random::new(401);
    let (mut worst, mut late) = (0.0f64, 0.0f64);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            for goal in IkGoal::ALL {
                set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
                animator.reset_ik().unwrap();
                move_trunk(&mut animator, &mut random);
                let bones = [HumanBone::Hips, HumanBone::Spine, HumanBone::Head, HumanBone::RightUpperLeg];
                let space = match goal {
                    IkGoal::RightFoot => joint(&animator, HumanBone::Head),
                    _ => joint(&animator, bones[random.below(4)]),
                };
                let early = characters::world(&animator)[space];
                let point = give_goal(&mut animator, &person, &mut random, goal, space);
                let hint = random.in_ball(0.3);
                animator.set_ik_hint_position(IkHint::ALL[goal.index()], hint).unwrap();
                animator.set_ik_hint_position_weight(IkHint::ALL[goal.index()], random.unit01()).unwrap();
                animator.solve().unwrap();
                let (size, off) = (size(&animator), off(&animator, goal, space, point));
                worst = worst.max(off / size);
                let end = characters::world(&animator)[end_joint(&animator, goal)].position;
                late = late.max(matchers::distance(end, early.point(wide(point))) / size);
                assert_reached(&animator, goal, off, size, &format!("{name} {root_kind:?}"));
            }
        }
    }
    println!("in the space of the trunk: {worst:.1e} of the body's height; from the animated pose {late:.1e}");
    assert!(late > 0.01, "the trunk did not move");
}

#[test]
fn limbs_follow_one_another_in_any_order() {
    let mut random = Random::new(402);
    let mut worst = 0.0f64;
    let orders = [
        [IkGoal::LeftHand, IkGoal::RightHand, IkGoal::LeftFoot, IkGoal::RightFoot],
        [IkGoal::RightHand, IkGoal::LeftHand, IkGoal::RightFoot, IkGoal::LeftFoot],
        [IkGoal::RightFoot, IkGoal::RightHand, IkGoal::LeftFoot, IkGoal::LeftHand],
    ];
    for (name, person) in kinds() {
        for (number, order) in orders.into_iter().enumerate() {
            for (root_kind, root) in characters::roots() {
                let mut animator = characters::animator(&person, STRETCH);
                animator.set_root(root).unwrap();
                set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
                move_trunk(&mut animator, &mut random);
                let target = reachable(&animator, &person, &mut random, order[0]);
                animator.set_ik_position(order[0], target).unwrap();
                animator.set_ik_position_weight(order[0], random.unit01()).unwrap();
                let mut goals = Vec::new();
                for pair in order.windows(2) {
                    // The end, the mid and the root joint: all of them turn.
                    let space = joint(&animator, pair[0].bones()[2 - random.below(3)]);
                    animator.set_ik_rotation(pair[0], random.rotation()).unwrap();
                    animator.set_ik_rotation_weight(pair[0], random.unit01()).unwrap();
                    goals.push((pair[1], space, give_goal(&mut animator, &person, &mut random, pair[1], space)));
                }
                animator.solve().unwrap();
                let size = size(&animator);
                for (goal, space, point) in goals {
                    let off = off(&animator, goal, space, point);
                    worst = worst.max(off / size);
                    assert_reached(&animator, goal, off, size, &format!("{name} {root_kind:?} order {number}"));
                }
            }
        }
    }
    println!("three limbs that follow: {worst:.1e} of the body's height");
}

#[test]
fn a_rotation_in_a_joints_space_turns_with_the_joint() {
    let mut random = Random::new(403);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        if name.contains("Uneven") || name.contains("Mirrored") {
            continue; // sheared and mirrored spaces of bones are no rotations
        }
        let mut animator = characters::animator(&person, STRETCH);
        animator.set_root(random.rigid(2.0)).unwrap();
        for goal in [LEFT, RIGHT, IkGoal::LeftFoot] {
            for of_bone in [false, true] {
                animator.reset_ik().unwrap();
                set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
                move_trunk(&mut animator, &mut random);
                let bone = if goal == LEFT { HumanBone::RightHand } else { HumanBone::Spine };
                let (space, rotation) = (joint(&animator, bone), random.rotation());
                animator.set_ik_goal_space(goal, Some(space)).unwrap();
                match of_bone {
                    true => animator.set_ik_rotation_bone(goal, rotation).unwrap(),
                    false => animator.set_ik_rotation(goal, rotation).unwrap(),
                }
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                let read = animator.ik_rotation_bone(goal).unwrap();
                if of_bone {
                    assert!(matchers::rotation_angle_rad(read, rotation) < 1e-5, "{name} {goal:?}");
                }
                animator.solve().unwrap();
                let model = matchers::model_rotations(animator.skeleton(), animator.pose().local());
                let from_bone = animator.avatar().unwrap().goal_from_bone(goal);
                let bone = if of_bone { rotation } else { rotation * from_bone.conjugate() };
                let wanted = matchers::product(model[space], bone.to_array().map(f64::from));
                let off = matchers::angle_between_rad(model[end_joint(&animator, goal)], wanted);
                worst = worst.max(off);
                assert!(off < 2e-5, "{name} {goal:?}: {off:e}");
                let outcome = animator.ik_outcome(goal).unwrap();
                assert_eq!(outcome.status, Status::Reached);
                assert!(f64::from(outcome.residual_rad) < 1e-3, "{outcome:?}");
            }
        }
    }
    println!("rotations in a joint's space: {worst:.1e} rad");
}

#[test]
fn the_effector_point_is_at_the_goal_at_every_rotation_weight() {
    let mut random = Random::new(404);
    let (mut worst, mut reached, mut all) = ([0.0f64; 2], 0, 0);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            for goal in IkGoal::ALL {
                for weight in [0.0, 0.3, 1.0] {
                    animator.reset_ik().unwrap();
                    set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
                    let size = size(&animator);
                    // The point a hand's breadth off, in the bone's own units.
                    let end = characters::world(&animator)[end_joint(&animator, goal)];
                    let unit = matchers::distance(end.point([1.0, 0.0, 0.0]), end.position);
                    let point = random.unit_vector() * (0.05 * size / unit) as f32;
                    // So near the end's present place that its joint can be brought there.
                    let target =
                        narrow(end.point(wide(point))).lerp(reachable(&animator, &person, &mut random, goal), 0.2);
                    animator.set_ik_effector_point(goal, point).unwrap();
                    animator.set_ik_position(goal, target).unwrap();
                    animator.set_ik_position_weight(goal, 1.0).unwrap();
                    let turn = random.rotation_within(0.4);
                    let rotation = turn * animator.ik_rotation(goal).unwrap();
                    animator.set_ik_rotation(goal, rotation).unwrap();
                    animator.set_ik_rotation_weight(goal, weight).unwrap();
                    animator.solve().unwrap();
                    let end = characters::world(&animator)[end_joint(&animator, goal)];
                    let off = matchers::distance(end.point(wide(point)), wide(target));
                    let outcome = animator.ik_outcome(goal).unwrap();
                    let what = format!("{name} {root_kind:?} {goal:?} {weight}: {off:e} of {size}, {outcome:?}");
                    assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{what}");
                    all += 1;
                    if outcome.status == Status::Reached {
                        reached += 1;
                        let uneven = usize::from(name.contains("Uneven"));
                        worst[uneven] = worst[uneven].max(off / size);
                        assert!(off < 5e-5 * size, "{what}");
                    }
                }
            }
        }
    }
    assert!(reached * 100 >= all * 95, "{reached} of {all}");
    println!("effector points: {:.1e}, under uneven scale {:.1e} of the body's height", worst[0], worst[1]);
}

#[test]
fn a_point_moves_continuously_with_both_weights_and_stays_at_weight_0() {
    let person = person(&PersonOptions::default());
    let mut random = Random::new(405);
    let mut animator = characters::animator(&person, STRETCH);
    let start = random_human_pose(person.view(), &mut random, 1.0);
    let point = Vec3::new(0.02, -0.03, 0.08);
    set_pose(&mut animator, &start);
    let target = reachable(&animator, &person, &mut random, RIGHT);
    animator.set_ik_effector_point(RIGHT, point).unwrap();
    animator.set_ik_position(RIGHT, target).unwrap();
    animator.set_ik_rotation(RIGHT, random.rotation()).unwrap();
    let mut solve = |place: f32, turn: f32| {
        set_pose(&mut animator, &start);
        animator.set_ik_position_weight(RIGHT, place).unwrap();
        animator.set_ik_rotation_weight(RIGHT, turn).unwrap();
        animator.solve().unwrap();
        pose(&animator)
    };
    matchers::assert_pose_bits_equal(&start, &solve(0.0, 0.0));
    for along_place in [true, false] {
        let mut before: Option<Vec<Transform>> = None;
        for i in 0..=400 {
            let weight = i as f32 / 400.0;
            let now = if along_place { solve(weight, 0.5) } else { solve(0.8, weight) };
            if let Some(before) = &before {
                let step = matchers::max_joint_step_rad(before, &now);
                assert!(step < 0.05, "{along_place} {weight}: {step}");
            }
            before = Some(now);
        }
    }
}

#[test]
fn with_limits_the_outcome_is_what_is_measured() {
    let mut random = Random::new(406);
    let (mut reached, mut missed) = (0, 0);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        let settings = HumanoidSettings { limits_enabled: true, shoulder_weights: [0.5; 2], ..Default::default() };
        animator.set_settings(&settings).unwrap();
        for _ in 0..12 {
            animator.reset_ik().unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.6));
            move_trunk(&mut animator, &mut random);
            let size = size(&animator);
            let space = joint(&animator, HumanBone::Spine);
            let point = give_goal(&mut animator, &person, &mut random, RIGHT, space);
            let hand = joint(&animator, HumanBone::RightHand);
            let held = give_goal(&mut animator, &person, &mut random, LEFT, hand);
            let end = characters::world(&animator)[end_joint(&animator, LEFT)];
            let unit = matchers::distance(end.point([1.0, 0.0, 0.0]), end.position);
            animator.set_ik_effector_point(LEFT, random.unit_vector() * (0.03 * size / unit) as f32).unwrap();
            animator.set_ik_rotation(LEFT, random.rotation()).unwrap();
            animator.set_ik_rotation_weight(LEFT, 1.0).unwrap();
            animator.solve().unwrap();
            for (goal, space, point) in [(RIGHT, space, point), (LEFT, hand, held)] {
                let (off, outcome) = (off(&animator, goal, space, point), animator.ik_outcome(goal).unwrap());
                assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{name} {goal:?} {outcome:?} {off}");
                if outcome.status == Status::Reached {
                    reached += 1;
                    assert!(off < 2e-4 * size, "{name} {goal:?} {outcome:?} {off}");
                } else {
                    missed += 1;
                }
            }
        }
    }
    assert!(reached > 20 && missed > 20, "{reached} reached, {missed} missed");
}

#[test]
fn goals_in_the_space_of_clavicles_that_help_are_met() {
    let mut random = Random::new(407);
    for (name, person) in kinds() {
        if person.human[HumanBone::LeftShoulder.index()].is_none() {
            continue;
        }
        let mut animator = characters::animator(&person, STRETCH);
        let settings = HumanoidSettings { shoulder_weights: [1.0; 2], ..Default::default() };
        animator.set_settings(&settings).unwrap();
        for bone in [HumanBone::LeftShoulder, HumanBone::RightShoulder] {
            animator.reset_ik().unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let target = reachable(&animator, &person, &mut random, RIGHT);
            animator.set_ik_position(RIGHT, target).unwrap();
            animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
            let space = joint(&animator, bone);
            let point = give_goal(&mut animator, &person, &mut random, LEFT, space);
            animator.solve().unwrap();
            let (size, off) = (size(&animator), off(&animator, LEFT, space, point));
            let outcome = animator.ik_outcome(LEFT).unwrap();
            assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{name} {bone:?} {outcome:?} {off}");
            assert!(outcome.status != Status::Reached || off < 1e-4 * size, "{name} {bone:?} {outcome:?} {off}");
        }
    }
    // Both hands on the opposite shoulders are no circle.
    let mut animator = characters::animator(&person(&PersonOptions::default()), STRETCH);
    let [left, right] = [HumanBone::LeftShoulder, HumanBone::RightShoulder].map(|bone| joint(&animator, bone));
    animator.set_ik_goal_space(RIGHT, Some(left)).unwrap();
    animator.set_ik_goal_space(LEFT, Some(right)).unwrap();
}

#[test]
fn own_joints_and_circles_are_refused_and_change_nothing() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    let of = |bone| person.joint(bone);
    use HumanBone::{
        Chest, LeftFoot, LeftHand, LeftIndexProximal, LeftLowerArm, LeftUpperArm, RightHand, RightLowerArm,
    };
    for bone in [LeftUpperArm, LeftLowerArm, LeftHand, LeftIndexProximal] {
        let error = animator.set_ik_goal_space(LEFT, Some(of(bone))).unwrap_err();
        assert_eq!(error, AnimatorError::SpaceOfOwnLimb { goal: LEFT, joint: of(bone) });
        assert!(error.to_string().contains("the left hand"), "{error}");
    }
    let count = person.skeleton.joint_count();
    assert_eq!(animator.set_ik_goal_space(LEFT, Some(count)), Err(AnimatorError::NoSuchJoint(count)));
    assert_eq!(animator.ik_goal_space(LEFT), Ok(None));
    animator.set_ik_goal_space(LEFT, Some(of(RightHand))).unwrap();
    assert_eq!(
        animator.set_ik_goal_space(RIGHT, Some(of(LeftIndexProximal))),
        Err(AnimatorError::SpacesInCircle { goal: RIGHT, joint: of(LeftIndexProximal) })
    );
    assert_eq!(animator.ik_goal_space(RIGHT), Ok(None));
    // Through three limbs.
    animator.set_ik_goal_space(RIGHT, Some(of(LeftFoot))).unwrap();
    assert!(animator.set_ik_goal_space(IkGoal::LeftFoot, Some(of(LeftHand))).is_err());
    animator.set_ik_goal_space(LEFT, Some(of(Chest))).unwrap();
    animator.set_ik_goal_space(IkGoal::LeftFoot, Some(of(LeftHand))).unwrap();
    assert!(animator.set_ik_goal_space(LEFT, Some(of(RightLowerArm))).is_err());
    assert_eq!(animator.ik_goal_space(LEFT), Ok(Some(of(Chest))));
    animator.reset_ik().unwrap();
    assert!(IkGoal::ALL.iter().all(|goal| animator.ik_goal_space(*goal) == Ok(None)));
    let mut chain = Animator::new(Arc::new(person.skeleton.clone()), None).unwrap();
    assert_eq!(chain.set_ik_goal_space(LEFT, None), Err(AnimatorError::NotHumanoid));
    assert_eq!(chain.set_ik_effector_point(LEFT, Vec3::ZERO), Err(AnimatorError::NotHumanoid));
}

#[test]
fn a_space_or_point_that_was_taken_back_leaves_no_trace() {
    let mut random = Random::new(408);
    for (name, person) in kinds() {
        let mut plain = characters::animator(&person, STRETCH);
        let start = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut plain, &start);
        for goal in IkGoal::ALL {
            let target = reachable(&plain, &person, &mut random, goal);
            plain.set_ik_position(goal, target).unwrap();
            plain.set_ik_position_weight(goal, random.unit01()).unwrap();
            plain.set_ik_rotation(goal, random.rotation()).unwrap();
            plain.set_ik_rotation_weight(goal, random.unit01()).unwrap();
        }
        let mut other = plain.clone();
        let space = joint(&other, HumanBone::Head);
        let hash = |animator: &Animator| {
            let mut hash = StateHash::default();
            animator.hash_state(&mut hash);
            hash.finish()
        };
        for goal in IkGoal::ALL {
            other.set_ik_goal_space(goal, Some(space)).unwrap();
            other.set_ik_effector_point(goal, Vec3::ONE).unwrap();
        }
        assert_ne!(hash(&plain), hash(&other), "{name}");
        for goal in IkGoal::ALL {
            other.set_ik_goal_space(goal, None).unwrap();
            other.set_ik_effector_point(goal, Vec3::ZERO).unwrap();
        }
        assert_eq!(hash(&plain), hash(&other), "{name}");
        plain.solve().unwrap();
        other.solve().unwrap();
        matchers::assert_pose_bits_equal(&pose(&plain), &pose(&other));
    }
}

#[test]
fn limbs_without_a_space_keep_their_bits_beside_one_that_has_it() {
    let mut random = Random::new(409);
    let person = person(&PersonOptions::default());
    for _ in 0..50 {
        let mut plain = characters::animator(&person, STRETCH);
        set_pose(&mut plain, &random_human_pose(person.view(), &mut random, 1.0));
        for goal in [RIGHT, IkGoal::LeftFoot] {
            let target = reachable(&plain, &person, &mut random, goal);
            plain.set_ik_position(goal, target).unwrap();
            plain.set_ik_position_weight(goal, 1.0).unwrap();
        }
        let mut other = plain.clone();
        let space = joint(&other, HumanBone::Chest);
        give_goal(&mut other, &person, &mut random, LEFT, space);
        plain.solve().unwrap();
        other.solve().unwrap();
        let (a, b) = (pose(&plain), pose(&other));
        let left = person.skeleton.subtree(joint(&other, HumanBone::LeftUpperArm));
        for j in (0..a.len()).filter(|j| !left.contains(j)) {
            assert_eq!(matchers::numbers(&a[j]), matchers::numbers(&b[j]), "{}", person.skeleton.name(j));
        }
    }
}

#[test]
fn getters_answer_in_the_space_and_at_the_point() {
    let mut random = Random::new(410);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let (space, size) = (joint(&animator, HumanBone::Spine), size(&animator));
            animator.set_ik_goal_space(RIGHT, Some(space)).unwrap();
            let end = characters::world(&animator)[end_joint(&animator, RIGHT)];
            let unit = matchers::distance(end.point([1.0, 0.0, 0.0]), end.position);
            let point = Vec3::new(0.1, -0.2, 0.3) * (0.1 * size / unit) as f32;
            animator.set_ik_effector_point(RIGHT, point).unwrap();
            assert_eq!(animator.ik_effector_point(RIGHT), Ok(point));
            let spaces = characters::world(&animator);
            let read = spaces[space].point(wide(animator.ik_position(RIGHT).unwrap()));
            let effector = spaces[end_joint(&animator, RIGHT)].point(wide(point));
            let what = format!("{name} {root_kind:?}");
            assert!(matchers::distance(read, effector) < 1e-5 * size, "{what}");
            let read = spaces[space].point(wide(animator.ik_hint_position(IkHint::RightElbow).unwrap()));
            let elbow = spaces[joint(&animator, HumanBone::RightLowerArm)].position;
            assert!(matchers::distance(read, elbow) < 1e-5 * size, "{what}");
            // What was set, until the next solve.
            let wild = random.in_ball(1.0);
            animator.set_ik_position(RIGHT, wild).unwrap();
            assert_eq!(animator.ik_position(RIGHT), Ok(wild));
            // Goals from the pose change nothing at full weight.
            animator.match_goals_from_pose().unwrap();
            for goal in IkGoal::ALL {
                animator.set_ik_position_weight(goal, 1.0).unwrap();
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
            }
            animator.solve().unwrap();
            let (a, b) = (spaces, characters::world(&animator));
            for goal in IkGoal::ALL {
                for bone in goal.bones() {
                    let j = joint(&animator, bone);
                    let off = matchers::distance(a[j].position, b[j].position);
                    assert!(off < 2e-3 * size, "{what} {bone:?} {off:e}");
                }
            }
        }
    }
}

#[test]
fn a_goal_without_a_position_keeps_the_animations_place_in_the_space() {
    let mut random = Random::new(411);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.7));
        let head = joint(&animator, HumanBone::Head);
        animator.set_ik_goal_space(LEFT, Some(head)).unwrap();
        let place = animator.ik_position(LEFT).unwrap();
        let look = narrow(characters::world(&animator)[head].position) + person.axes.forward + random.in_ball(0.3);
        animator.set_look_at_position(look).unwrap();
        animator.set_look_at_weight(LookAtWeight { weight: 0.3, head: 1.0, ..Default::default() }).unwrap();
        animator.set_ik_position_weight(LEFT, 1.0).unwrap();
        animator.solve().unwrap();
        let (off, outcome) = (off(&animator, LEFT, head, place), animator.ik_outcome(LEFT).unwrap());
        let size = size(&animator);
        assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{name} {outcome:?} {off}");
        assert!(outcome.status != Status::Reached || off < 5e-5 * size, "{name} {outcome:?} {off}");
    }
}

/// An aim of spine and chest, as a rifle needs it.
fn aim_of_chest(animator: &mut Animator, placement: ConstraintPlacement, at: Vec3) {
    let chest = joint(animator, HumanBone::Chest);
    let aim = AimDefinition { joint_count: 2, ..AimDefinition::of(chest) };
    let id = animator.add_constraint(&ConstraintDefinition::Aim(aim)).unwrap();
    animator.set_constraint_placement(id, placement).unwrap();
    let input = animator.constraint_mut(id).unwrap();
    input.weight = 1.0;
    input.goals[0].position_ws = Some(at);
    input.goals[0].position_weight = 1.0;
}

#[test]
fn hands_on_a_rifle_of_the_chest_follow_an_aim_in_the_same_solve() {
    let mut random = Random::new(412);
    let person = person(&PersonOptions::default());
    for after in [false, true] {
        for _ in 0..40 {
            let mut animator = characters::animator(&person, STRETCH);
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.4));
            let chest = joint(&animator, HumanBone::Chest);
            let placement = match after {
                true => ConstraintPlacement::Stack,
                false => ConstraintPlacement::Before(FrameStep::Limbs),
            };
            let enemy = person.axes.forward * 4.0 + random.in_ball(1.5);
            aim_of_chest(&mut animator, placement, enemy);
            let goals = [LEFT, RIGHT].map(|goal| (goal, give_goal(&mut animator, &person, &mut random, goal, chest)));
            animator.solve().unwrap();
            for (goal, point) in goals {
                let off = off(&animator, goal, chest, point);
                let size = size(&animator);
                let outcome = animator.ik_outcome(goal).unwrap();
                assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{after} {outcome:?} {off}");
                // A constraint after the limbs carries hands and chest together.
                if !after || outcome.status == Status::Reached {
                    assert_reached(&animator, goal, off, size, &format!("{after}"));
                }
            }
        }
    }
}

#[test]
fn a_constraint_that_moves_only_the_space_is_measured() {
    let mut random = Random::new(413);
    let person = person(&PersonOptions::default());
    let mut missed = 0;
    for _ in 0..20 {
        let mut animator = characters::animator(&person, STRETCH);
        set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.5));
        let head = joint(&animator, HumanBone::Head);
        let aim = AimDefinition::of(head);
        let id = animator.add_constraint(&ConstraintDefinition::Aim(aim)).unwrap();
        let point = give_goal(&mut animator, &person, &mut random, LEFT, head);
        let input = animator.constraint_mut(id).unwrap();
        (input.weight, input.goals[0].position_ws) = (1.0, Some(random.in_ball(3.0)));
        input.goals[0].position_weight = 1.0;
        animator.solve().unwrap();
        let (off, outcome) = (off(&animator, LEFT, head, point), animator.ik_outcome(LEFT).unwrap());
        assert!((f64::from(outcome.residual_m) - off).abs() < 4e-5, "{outcome:?} {off}");
        missed += usize::from(outcome.status != Status::Reached);
    }
    assert!(missed > 15, "{missed}");
}

#[test]
fn the_whole_body_meets_goals_in_spaces_and_at_points() {
    let mut random = Random::new(414);
    let (mut worst, mut reached, mut all) = (0.0f64, 0, 0);
    for (name, person) in kinds() {
        if name.contains("Uneven") {
            continue; // the body's solve knows one scale per joint
        }
        for holds_feet in [false, true] {
            let mut animator = characters::animator(&person, STRETCH);
            let settings = BodySolverSettings { mode: BodySolverMode::Converge, holds_feet, ..Default::default() };
            animator.set_body_solver(&settings).unwrap();
            for round in 0..3 {
                animator.reset_ik().unwrap();
                set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.4));
                let size = size(&animator);
                let chest = joint(&animator, HumanBone::Spine);
                let target = reachable(&animator, &person, &mut random, RIGHT);
                animator.set_ik_position(RIGHT, target).unwrap();
                animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
                let space = if round == 0 { chest } else { joint(&animator, HumanBone::RightHand) };
                let point = give_goal(&mut animator, &person, &mut random, LEFT, space);
                if round == 2 {
                    let end = characters::world(&animator)[end_joint(&animator, LEFT)];
                    let unit = matchers::distance(end.point([1.0, 0.0, 0.0]), end.position);
                    animator.set_ik_effector_point(LEFT, random.unit_vector() * (0.03 * size / unit) as f32).unwrap();
                    animator.set_ik_effector_point(RIGHT, random.unit_vector() * (0.03 * size / unit) as f32).unwrap();
                }
                animator.solve().unwrap();
                let (off, outcome) = (off(&animator, LEFT, space, point), animator.ik_outcome(LEFT).unwrap());
                let what = format!("{name} {holds_feet} {round}: {off:e} of {size} {outcome:?}");
                assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5 * size, "{what}");
                all += 1;
                if outcome.status == Status::Reached {
                    reached += 1;
                    worst = worst.max(off / size);
                    assert!(off < 5e-4 * size, "{what}");
                }
            }
        }
    }
    println!("whole body: {reached} of {all} reached, {worst:.1e} of the body's height");
    assert!(reached * 10 > all * 8, "{reached} of {all}");
}

#[test]
fn the_whole_body_keeps_a_hand_on_a_limb_that_rolls() {
    let person = person(&PersonOptions::default());
    let spaces = [HumanBone::RightUpperLeg, HumanBone::RightLowerLeg];
    for (mode, space) in [BodySolverMode::Converge, BodySolverMode::Track].into_iter().zip(spaces) {
        for degrees in [0.0, 30.0, 60.0] {
            let mut animator = characters::animator(&person, 0.0);
            let bent = [
                (HumanBone::LeftUpperArm, Vec3::Z, 1.2),
                (HumanBone::RightUpperArm, Vec3::Z, -1.2),
                (HumanBone::RightLowerArm, Vec3::Y, -0.5),
                (HumanBone::RightUpperLeg, Vec3::X, -1.0),
                (HumanBone::RightLowerLeg, Vec3::X, 1.2),
            ];
            for (bone, axis, angle) in bent {
                let at = joint(&animator, bone);
                let turned = axis_angle(axis, angle) * animator.joint_ws(at).rotation;
                let above = animator.joint_ws(animator.skeleton().parent(at).unwrap()).rotation;
                animator.pose_mut().local_mut()[at].rotation = (above.conjugate() * turned).normalize();
            }
            let start = pose(&animator);
            let foot = animator.joint_ws(joint(&animator, HumanBone::RightFoot));
            let goal = IkGoal::RightFoot;
            animator.set_ik_position(goal, foot.position + Vec3::Y * 0.03).unwrap();
            let out = axis_angle(Vec3::Y, f32::to_radians(degrees));
            animator.set_ik_rotation_bone(goal, out * foot.rotation).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
            animator.set_ik_rotation_weight(goal, 1.0).unwrap();
            let space = joint(&animator, space);
            let hand = animator.joint_ws(joint(&animator, HumanBone::RightHand)).position;
            let on_limb = animator.joint_ws(space).position + Vec3::new(0.0, 0.0, 0.12);
            let point = into_space(&characters::world(&animator)[space], wide(hand.lerp(on_limb, 0.6)));
            animator.set_ik_goal_space(RIGHT, Some(space)).unwrap();
            animator.set_ik_position(RIGHT, point).unwrap();
            animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
            animator.set_body_solver(&BodySolverSettings { mode, ..Default::default() }).unwrap();
            for _ in 0..if mode == BodySolverMode::Track { 90 } else { 1 } {
                set_pose(&mut animator, &start);
                animator.advance(1.0 / 60.0);
                animator.solve().unwrap();
            }
            let (off, outcome) = (off(&animator, RIGHT, space, point), animator.ik_outcome(RIGHT).unwrap());
            assert!(off < 1e-3, "{mode:?}, foot out by {degrees}: {off} m, {outcome:?}");
            assert!((f64::from(outcome.residual_m) - off).abs() < 2e-5, "{mode:?}: {off} m, {outcome:?}");
        }
    }
}

#[test]
fn a_crowd_gives_the_same_bits() {
    let mut random = Random::new(415);
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, STRETCH);
    let mut single: Vec<Animator> = (0..19).map(|_| characters::animator_of(&avatar)).collect();
    for (number, animator) in single.iter_mut().enumerate() {
        set_pose(animator, &random_human_pose(person.view(), &mut random, 0.8));
        let target = reachable(animator, &person, &mut random, RIGHT);
        animator.set_ik_position(RIGHT, target).unwrap();
        animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
        if number % 3 == 1 {
            let space = joint(animator, HumanBone::RightHand);
            give_goal(animator, &person, &mut random, LEFT, space);
        }
        if number % 5 == 2 {
            animator.set_ik_effector_point(RIGHT, Vec3::new(0.0, 0.05, 0.02)).unwrap();
        }
    }
    let mut crowd = single.clone();
    for animator in &mut single {
        animator.solve().unwrap();
    }
    let mut members: Vec<&mut Animator> = crowd.iter_mut().collect();
    sinew::animator::crowd::solve(&mut members, &mut Default::default(), |place, error| panic!("{place}: {error}"));
    for (a, b) in single.iter().zip(&crowd) {
        matchers::assert_pose_bits_equal(&pose(a), &pose(b));
        assert_eq!(a.ik_outcome(LEFT), b.ik_outcome(LEFT));
    }
}

#[test]
fn a_hand_stays_on_the_other_while_that_one_switches() {
    let mut random = Random::new(416);
    let (mut moved, mut worst) = (0.0f64, 0.0f64);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        let times = [0.0, 0.0, 0.0, 0.3];
        animator.set_settings(&HumanoidSettings { inertialization_times_s: times, ..Default::default() }).unwrap();
        let start = random_human_pose(person.view(), &mut random, 0.6);
        set_pose(&mut animator, &start);
        let hand = joint(&animator, HumanBone::RightHand);
        let near = reachable(&animator, &person, &mut random, RIGHT);
        let step = Vec3::Y * (0.05 * size(&animator)) as f32;
        animator.set_ik_position(RIGHT, near).unwrap();
        animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
        let point = give_goal(&mut animator, &person, &mut random, LEFT, hand);
        for frame in 0..20 {
            if frame == 3 {
                animator.inertialize(RIGHT).unwrap();
                animator.set_ik_position(RIGHT, near - step).unwrap();
            }
            set_pose(&mut animator, &start);
            animator.advance(1.0 / 60.0);
            animator.solve().unwrap();
            let size = size(&animator);
            if frame == 4 {
                let end = characters::world(&animator)[hand].position;
                moved = moved.max(matchers::distance(end, wide(near - step)) / size);
            }
            if animator.ik_outcome(LEFT).unwrap().status == Status::Reached {
                let off = off(&animator, LEFT, hand, point);
                worst = worst.max(off / size);
                assert!(off < 1e-4 * size, "{name} {frame}: {off:e} of {size}");
            }
        }
    }
    assert!(moved > 0.02, "nothing was switched");
    println!("on a hand that switches: {worst:.1e} of the body's height");
}

#[test]
fn the_body_helps_no_goal_that_it_takes_along() {
    let mut random = Random::new(417);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        let settings = HumanoidSettings { spine_weight: 1.0, pull_weights: [0.0, 0.0, 1.0, 1.0], ..Default::default() };
        animator.set_settings(&settings).unwrap();
        let start = random_human_pose(person.view(), &mut random, 0.4);
        set_pose(&mut animator, &start);
        let chest = person.human[HumanBone::Chest.index()].unwrap_or(joint(&animator, HumanBone::Spine));
        let spaces = characters::world(&animator);
        let [shoulder, hand] =
            [HumanBone::LeftUpperArm, HumanBone::LeftHand].map(|bone| spaces[joint(&animator, bone)].position);
        let beyond = [0, 1, 2].map(|i| shoulder[i] + 2.0 * (hand[i] - shoulder[i]));
        animator.set_ik_goal_space(LEFT, Some(chest)).unwrap();
        animator.set_ik_position(LEFT, into_space(&spaces[chest], beyond)).unwrap();
        animator.set_ik_position_weight(LEFT, 1.0).unwrap();
        animator.solve().unwrap();
        assert_eq!(animator.ik_outcome(LEFT).unwrap().status, Status::Unreachable, "{name}");
        let after = pose(&animator);
        for bone in [HumanBone::Hips, HumanBone::Spine] {
            let j = joint(&animator, bone);
            assert_eq!(matchers::numbers(&start[j]), matchers::numbers(&after[j]), "{name} {bone:?}");
        }
        // In the world the same place moves the body.
        let space = characters::world(&animator)[chest];
        set_pose(&mut animator, &start);
        animator.set_ik_goal_space(LEFT, None).unwrap();
        animator.set_ik_position(LEFT, narrow(beyond)).unwrap();
        animator.solve().unwrap();
        assert_ne!(characters::world(&animator)[chest], space, "{name}");
    }
}

#[test]
fn the_body_helps_a_hand_to_where_the_other_hand_will_be() {
    let person = person(&PersonOptions::default());
    let mut random = Random::new(418);
    let mut helped = 0;
    for _ in 0..60 {
        let mut animator = characters::animator(&person, STRETCH);
        let settings = HumanoidSettings { pull_weights: [0.0, 0.0, 1.0, 1.0], ..Default::default() };
        set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 0.4));
        let target = narrow(characters::world(&animator)[joint(&animator, HumanBone::Head)].position)
            + person.axes.forward * 0.75
            + random.in_ball(0.2);
        animator.set_ik_position(RIGHT, target).unwrap();
        animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
        let hand = joint(&animator, HumanBone::RightHand);
        animator.set_ik_goal_space(LEFT, Some(hand)).unwrap();
        let grip = random.in_ball(0.1);
        animator.set_ik_position(LEFT, grip).unwrap();
        animator.set_ik_position_weight(LEFT, 1.0).unwrap();
        let mut alone = animator.clone();
        alone.solve().unwrap();
        animator.set_settings(&settings).unwrap();
        animator.solve().unwrap();
        let (helped_off, alone_off) = (off(&animator, LEFT, hand, grip), off(&alone, LEFT, hand, grip));
        if alone.ik_outcome(LEFT).unwrap().status == Status::Unreachable {
            assert!(helped_off < 1e-4, "{helped_off:e}, alone {alone_off:e}");
            helped += 1;
        }
    }
    assert!(helped > 20, "{helped}");
}

#[test]
fn the_help_for_a_hand_begins_with_the_weight_of_the_hand_that_carries_its_goal() {
    let person = person(&PersonOptions::default());
    let spine = HumanoidSettings { spine_weight: 1.0, ..HumanoidSettings::default() };
    let pull = HumanoidSettings { pull_weights: [0.0, 0.0, 1.0, 0.0], ..HumanoidSettings::default() };
    for settings in [spine, pull] {
        let solved = |weight: f32| {
            let mut animator = characters::animator(&person, 0.0);
            animator.set_settings(&settings).unwrap();
            let down = [(HumanBone::LeftUpperArm, 1.2), (HumanBone::RightUpperArm, -1.2)];
            for (bone, angle) in down {
                let local = animator.bone_local_rotation(bone).unwrap();
                animator.set_bone_local_rotation(bone, axis_angle(Vec3::Z, angle) * local).unwrap();
            }
            let right_hand = joint(&animator, HumanBone::RightHand);
            let shoulder = characters::world(&animator)[joint(&animator, HumanBone::Chest)].position;
            animator.set_ik_goal_space(LEFT, Some(right_hand)).unwrap();
            animator.set_ik_position(LEFT, Vec3::Z * 0.9).unwrap();
            animator.set_ik_position_weight(LEFT, 1.0).unwrap();
            animator.set_ik_position(RIGHT, narrow(shoulder) + Vec3::new(0.25, 0.0, 0.3)).unwrap();
            animator.set_ik_position_weight(RIGHT, weight).unwrap();
            animator.solve().unwrap();
            characters::world(&animator)[joint(&animator, HumanBone::Head)].position
        };
        let mut last = solved(0.0);
        let whole = matchers::distance(last, solved(1.0));
        assert!(whole > 0.05, "the body helps the left hand by {whole} m");
        assert!(matchers::distance(last, solved(1e-6)) < 1e-4, "the help begins at once");
        for percent in 1..=100 {
            let next = solved(percent as f32 / 100.0);
            let step = matchers::distance(last, next);
            assert!(step < 0.15 * whole, "{percent} %: {step} of {whole} m");
            last = next;
        }
    }
}

#[test]
fn debug_lines_show_a_goal_where_its_space_has_it() {
    use sinew::debug::{Line, Part};
    let mut random = Random::new(419);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        animator.set_root(random.rigid(2.0)).unwrap();
        set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
        let (space, point) = (joint(&animator, HumanBone::Spine), Vec3::new(0.3, 2.0, 0.2));
        animator.set_ik_goal_space(RIGHT, Some(space)).unwrap();
        animator.set_ik_effector_point(RIGHT, Vec3::new(0.0, 0.04, 0.01)).unwrap();
        animator.set_ik_position(RIGHT, point).unwrap();
        animator.set_ik_position_weight(RIGHT, 1.0).unwrap();
        animator.set_ik_hint_position(IkHint::RightElbow, point * 2.0).unwrap();
        animator.set_ik_hint_position_weight(IkHint::RightElbow, 1.0).unwrap();
        animator.solve().unwrap();
        let mut lines = Vec::new();
        animator.draw(&mut |line: Line| lines.push(line));
        let line = |part| *lines.iter().find(|line: &&Line| line.part == part).expect("a line");
        let (spaces, size) = (characters::world(&animator), size(&animator));
        let near = |a: Vec3, b: [f64; 3]| {
            assert!(matchers::distance(wide(a), b) < 1e-5 * size.max(5.0), "{name}: {a} beside {b:?}");
        };
        let residual = line(Part::Residual);
        near(residual.to_ws, spaces[space].point(wide(point)));
        near(
            residual.from_ws,
            spaces[end_joint(&animator, RIGHT)].point([0.0, f64::from(0.04f32), f64::from(0.01f32)]),
        );
        near(line(Part::Hint).to_ws, spaces[space].point(wide(point * 2.0)));
    }
}
