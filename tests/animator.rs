//! The animator's goals, hints and getters, judged from outside: forward kinematics in `f64`, world
//! space.

use sinew::animator::{Animator, AnimatorError};
use sinew::humanoid::{HumanBone, HumanoidInput, IkGoal, IkGoalInput, IkHint, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::{Outcome, Status};
use sinew::skeleton::{PoseError, SkeletonBuilder};
use std::sync::Arc;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose};
use testkit::continuity::{self, SmoothPath};
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, Affine64, wide};
use testkit::person::{Handedness, Person, PersonOptions, RestPose, Units, person};
use testkit::{BoneRolls, Random};

const STRETCH: f32 = 0.05;

fn kinds() -> Vec<(String, Person)> {
    let mut kinds = characters::kinds();
    let plain = PersonOptions::default();
    let up = PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, rest: RestPose::A, ..PersonOptions::gltf() };
    kinds.push(("Z up, A-pose".into(), person(&up)));
    kinds.push(("twist joints".into(), person(&PersonOptions { twist_joints: true, ..plain })));
    kinds
}

fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn end_joint(animator: &Animator, goal: IkGoal) -> usize {
    joint(animator, goal.bones()[2])
}

/// Where a hand or foot is in the world.
fn end_ws(animator: &Animator, goal: IkGoal) -> [f64; 3] {
    characters::world(animator)[end_joint(animator, goal)].position
}

/// A point within reach of a limb, in the world: where the limb of another pose has its end.
fn reachable(animator: &Animator, person: &Person, random: &mut Random, goal: IkGoal) -> Vec3 {
    let mut other = animator.clone();
    let mut pose = pose(animator);
    let turned = random_human_pose(person.view(), random, 1.0);
    for bone in &goal.bones()[..2] {
        let j = joint(animator, *bone);
        pose[j].rotation = turned[j].rotation;
    }
    set_pose(&mut other, &pose);
    // A little nearer than the limb's end, so that stretching and straightening stay out of the
    // way.
    let spaces = characters::world(&other);
    let root = spaces[joint(animator, goal.bones()[0])].position;
    let end = spaces[end_joint(animator, goal)].position;
    narrow([0, 1, 2].map(|i| root[i] + 0.9 * (end[i] - root[i])))
}

/// How large the character is in the world.
fn size(animator: &Animator) -> f64 {
    let spaces = characters::world(animator);
    matchers::distance(
        spaces[joint(animator, HumanBone::Head)].position,
        spaces[joint(animator, HumanBone::LeftFoot)].position,
    )
}

#[test]
fn hands_and_feet_reach_their_goals() {
    let mut random = Random::new(1);
    let (mut worst, mut all) = (0.0f64, Vec::new());
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            for _ in 0..3 {
                set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
                let size = size(&animator);
                let targets = IkGoal::ALL.map(|goal| reachable(&animator, &person, &mut random, goal));
                for goal in IkGoal::ALL {
                    animator.set_ik_position(goal, targets[goal.index()]).unwrap();
                    animator.set_ik_position_weight(goal, 1.0).unwrap();
                }
                animator.solve().unwrap();
                matchers::assert_sound(&pose(&animator));
                for goal in IkGoal::ALL {
                    let off = matchers::distance(end_ws(&animator, goal), wide(targets[goal.index()]));
                    all.push(off / size);
                    worst = worst.max(off / size);
                    assert!(off < 1e-5 * size, "{name} {root_kind:?} {goal:?}: {off:e} of {size}");
                    let outcome = animator.ik_outcome(goal).unwrap();
                    assert_eq!(outcome.status, Status::Reached, "{name} {root_kind:?} {goal:?}");
                    assert!((f64::from(outcome.residual_m) - off).abs() < 5e-6 * size, "{outcome:?} {off}");
                }
            }
        }
    }
    all.sort_by(f64::total_cmp);
    println!("animator goals: median {:.1e}, worst {worst:.1e} of the body's height", all[all.len() / 2]);
}

#[test]
fn every_weight_at_0_leaves_every_bit() {
    let mut random = Random::new(2);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, STRETCH);
        animator.set_root(random.rigid(2.0)).unwrap();
        for goal in IkGoal::ALL {
            animator.set_ik_position(goal, random.in_ball(2.0)).unwrap();
            animator.set_ik_rotation(goal, random.rotation()).unwrap();
        }
        for hint in IkHint::ALL {
            animator.set_ik_hint_position(hint, random.in_ball(2.0)).unwrap();
        }
        animator.set_look_at_position(random.in_ball(2.0)).unwrap();
        for _ in 0..5 {
            let before = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &before);
            animator.solve().unwrap();
            matchers::assert_pose_bits_equal(&before, &pose(&animator));
            assert!(IkGoal::ALL.iter().all(|g| animator.ik_outcome(*g).unwrap() == Outcome::INACTIVE), "{name}");
        }
        // A limb with weight leaves all others alone.
        let before = pose(&animator);
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        animator.solve().unwrap();
        let after = pose(&animator);
        let may = IkGoal::RightHand.bones().map(|b| joint(&animator, b));
        for j in (0..before.len()).filter(|j| !may.contains(j)) {
            let twist = person.skeleton.name(j).contains("Twist");
            assert!(twist || before[j] == after[j], "{name}: {} moved", person.skeleton.name(j));
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

/// The goal frame's axes in the world after forward kinematics: bone axes in `f64`, times the
/// constant the avatar states.
fn goal_axes(animator: &Animator, spaces: &[Affine64], goal: IkGoal) -> [[f64; 3]; 3] {
    let from_bone =
        Affine64::from_transform(&Transform::new(Vec3::ZERO, animator.avatar().unwrap().goal_from_bone(goal)));
    let bone = spaces[end_joint(animator, goal)];
    [0, 1, 2].map(|i| bone.direction(from_bone.columns[i]))
}

#[test]
fn in_the_t_pose_goals_point_along_fingers_and_toes() {
    for (name, person) in kinds() {
        if name.contains("Uneven") || name.contains("Mirrored") {
            continue; // sheared and mirrored: the goal's rotation is a rotation, the bone's space is not
        }
        let mut animator = characters::animator(&person, STRETCH);
        set_pose(&mut animator, &person.t_pose);
        let axes = *animator.avatar().unwrap().axes();
        let spaces = characters::world(&animator);
        for goal in IkGoal::ALL {
            let along = match goal {
                IkGoal::LeftHand => -axes.right,
                IkGoal::RightHand => axes.right,
                _ => axes.forward,
            };
            let [_, y, z] = goal_axes(&animator, &spaces, goal);
            assert!(matchers::direction_angle_rad(z, wide(along)) < 1e-5, "{name} {goal:?}");
            assert!(matchers::direction_angle_rad(y, wide(axes.up)) < 1e-5, "{name} {goal:?}");
            let rotation = animator.ik_rotation(goal).unwrap();
            assert!((rotation * Vec3::Z).angle_between(along) < 1e-3, "{name} {goal:?}");
            assert!((rotation * Vec3::Y).angle_between(axes.up) < 1e-3, "{name} {goal:?}");
        }
    }
}

#[test]
fn rotation_goals_turn_hands_and_feet() {
    let mut random = Random::new(6);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let rotations = IkGoal::ALL.map(|_| random.rotation());
            for goal in IkGoal::ALL {
                animator.set_ik_rotation(goal, rotations[goal.index()]).unwrap();
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                if random.below(2) == 0 {
                    let target = reachable(&animator, &person, &mut random, goal);
                    animator.set_ik_position(goal, target).unwrap();
                    animator.set_ik_position_weight(goal, 1.0).unwrap();
                }
            }
            animator.solve().unwrap();
            for goal in IkGoal::ALL {
                let outcome = animator.ik_outcome(goal).unwrap();
                assert!(outcome.residual_rad < 1e-5 && outcome.status == Status::Reached, "{name} {outcome:?}");
                let left = matchers::rotation_angle_rad(animator.ik_rotation(goal).unwrap(), rotations[goal.index()]);
                assert!(left < 1e-5, "{name} {root_kind:?} {goal:?}: {left}");
            }
            // Along the fingers and out of the back, seen from outside, also in a mirror (but for
            // shear).
            if !matches!(root_kind, ParentKind::UnevenlyScaled) && !name.contains("Uneven") {
                let spaces = characters::world(&animator);
                let mirrored = name.contains("Mirrored");
                for goal in IkGoal::ALL.into_iter().filter(|_| !mirrored) {
                    let axes = goal_axes(&animator, &spaces, goal);
                    for (axis, unit) in [(axes[1], Vec3::Y), (axes[2], Vec3::Z)] {
                        let off = matchers::direction_angle_rad(axis, wide(rotations[goal.index()] * unit));
                        assert!(off < 2e-5, "{name} {root_kind:?} {goal:?}: {off}");
                    }
                }
            }
            // Seen from outside, where bone spaces are rotations: the axes of the goal frame are
            // those of the goal.
            let plain = |k: ParentKind| {
                matches!(k, ParentKind::Identity | ParentKind::Moved | ParentKind::Rotated | ParentKind::Scaled)
            };
            if plain(root_kind) && !name.contains("Uneven") && !name.contains("Mirrored") {
                let spaces = characters::world(&animator);
                for goal in IkGoal::ALL {
                    let wanted = Affine64::from_transform(&Transform::new(Vec3::ZERO, rotations[goal.index()]));
                    for (axis, column) in goal_axes(&animator, &spaces, goal).iter().zip(&wanted.columns) {
                        let off = matchers::direction_angle_rad(*axis, *column);
                        assert!(off < 2e-5, "{name} {root_kind:?} {goal:?}: {off}");
                    }
                }
            }
        }
    }
}

#[test]
fn rotation_weight_0_keeps_the_orientation_while_the_limb_moves() {
    let mut random = Random::new(7);
    for (name, person) in kinds() {
        if name.contains("Uneven") || name.contains("Mirrored") {
            continue;
        }
        let mut animator = characters::animator(&person, STRETCH);
        set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
        let before = IkGoal::ALL.map(|goal| animator.ik_rotation(goal).unwrap());
        for goal in IkGoal::ALL {
            let target = reachable(&animator, &person, &mut random, goal);
            animator.set_ik_position(goal, target).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
        }
        let mut half = animator.clone();
        animator.solve().unwrap();
        let wanted = IkGoal::ALL.map(|_| random.rotation());
        for goal in IkGoal::ALL {
            let kept = matchers::rotation_angle_rad(animator.ik_rotation(goal).unwrap(), before[goal.index()]);
            assert!(kept < 1e-5, "{name} {goal:?} {kept}");
            half.set_ik_rotation(goal, wanted[goal.index()]).unwrap();
            half.set_ik_rotation_weight(goal, 0.5).unwrap();
        }
        half.solve().unwrap();
        for goal in IkGoal::ALL {
            let now = half.ik_rotation(goal).unwrap();
            let (a, b) = (
                matchers::rotation_angle_rad(before[goal.index()], now),
                matchers::rotation_angle_rad(now, wanted[goal.index()]),
            );
            assert!((a - b).abs() < 1e-4, "{name} {goal:?}: {a} and {b}");
        }
    }
}

#[test]
fn a_hint_swivels_and_nothing_else() {
    let mut random = Random::new(8);
    for (name, person) in kinds() {
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, STRETCH);
            animator.set_root(root).unwrap();
            let before = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &before);
            let size = size(&animator);
            let spaces = characters::world(&animator);
            let rotations = IkGoal::ALL.map(|goal| animator.ik_rotation(goal).unwrap());
            for hint in IkHint::ALL {
                let at = spaces[joint(&animator, hint.goal().bones()[1])].position;
                animator.set_ik_hint_position(hint, narrow(at) + random.unit_vector() * size as f32).unwrap();
                animator.set_ik_hint_position_weight(hint, [0.5, 1.0][random.below(2)]).unwrap();
            }
            animator.solve().unwrap();
            for goal in IkGoal::ALL {
                let off = matchers::distance(end_ws(&animator, goal), spaces[end_joint(&animator, goal)].position);
                assert!(off < 1e-5 * size, "{name} {root_kind:?} {goal:?}: the end moved by {off:e}");
                let turned = matchers::rotation_angle_rad(animator.ik_rotation(goal).unwrap(), rotations[goal.index()]);
                assert!(turned < 2e-5, "{name} {root_kind:?} {goal:?}: the end turned by {turned}");
            }
        }
    }
}

#[test]
fn straight_limbs_bend_as_people_do() {
    for (name, person) in kinds() {
        if name.contains("Uneven") {
            continue; // sheared: forward is not at right angles to up
        }
        let mut animator = characters::animator(&person, STRETCH);
        set_pose(&mut animator, &person.t_pose);
        let spaces = characters::world(&animator);
        let axes = *animator.avatar().unwrap().axes();
        for goal in IkGoal::ALL {
            let root = spaces[joint(&animator, goal.bones()[0])].position;
            let end = spaces[end_joint(&animator, goal)].position;
            let nearer = [0, 1, 2].map(|i| root[i] + 0.7 * (end[i] - root[i]));
            animator.set_ik_position(goal, narrow(nearer)).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
        }
        animator.solve().unwrap();
        let after = characters::world(&animator);
        for goal in IkGoal::ALL {
            let mid = joint(&animator, goal.bones()[1]);
            let moved = [0, 1, 2].map(|i| after[mid].position[i] - spaces[mid].position[i]);
            let ahead = wide(axes.forward);
            let forward = moved[0] * ahead[0] + moved[1] * ahead[1] + moved[2] * ahead[2];
            let sign = if goal.is_foot() { 1.0 } else { -1.0 };
            assert!(forward * sign > 0.05 * size(&animator), "{name} {goal:?}: {forward}");
        }
    }
}

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
            assert_eq!(animator.solve(), Err(AnimatorError::Pose(PoseError::NotFinite { joint: 20 })));
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
    assert_eq!(animator.set_root(flat), Err(AnimatorError::ZeroScale));
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
fn the_whole_solve_is_continuous_in_every_weight_and_goal() {
    let mut random = Random::new(11);
    let mut bad = Vec::new();
    let rigs = [
        PersonOptions::default(),
        PersonOptions { bone_rolls: BoneRolls::Random(4), ..PersonOptions::gltf() },
        PersonOptions { with_optional: false, with_fingers: false, ..PersonOptions::default() },
    ];
    for options in rigs {
        let person = person(&options);
        let mut animator = characters::animator(&person, STRETCH);
        for round in 0..8 {
            let animation = match round {
                0 => person.t_pose.clone(),
                _ => random_human_pose(person.view(), &mut random, 1.0),
            };
            let centre = Vec3::Y * 1.1;
            let mut path = || SmoothPath::random(&mut random, 6, centre, 0.9);
            let hands = IkGoal::ALL.map(|_| path());
            let hints = IkHint::ALL.map(|_| path());
            let (look, body) = (path(), path());
            // Each weight has its own curve from 0 to 1 and back.
            let mut curve = || SmoothPath::random(&mut random, 5, Vec3::splat(0.5), 0.9);
            let weights = [curve(), curve(), curve(), curve(), curve(), curve()];
            set_pose(&mut animator, &animation);
            animator.reset_ik().unwrap();
            // Not near a half turn from the animation: there the shorter way changes sides, for any
            // partial weight.
            let own = IkGoal::ALL.map(|goal| animator.ik_rotation(goal).unwrap());
            let found = continuity::judge(250, 1.0, |s| {
                let w = |i: usize| weights[i].at(s);
                let mut input = HumanoidInput::default();
                for goal in IkGoal::ALL {
                    let i = goal.index();
                    input.goals[i] = IkGoalInput {
                        position: Some(hands[i].at(s)),
                        rotation: Some(axis_angle(hands[i].at(0.3).normalize(), hands[i].at(s).x) * own[i]),
                        position_weight: w(i).x,
                        rotation_weight: w(i).y,
                    };
                    input.hints[i].position = Some(hints[i].at(s));
                    input.hints[i].weight = w(i).z;
                }
                input.look_at_position = Some(look.at(s));
                input.look_at_weight =
                    LookAtWeight { weight: w(4).x, body: w(4).y, head: w(4).z, eyes: w(5).x, clamp: w(5).y };
                if round % 2 == 1 {
                    input.body_position = Some(body.at(s));
                }
                set_pose(&mut animator, &animation);
                animator.set_input(&input).unwrap();
                animator.solve().unwrap();
                pose(&animator)
            });
            if found.jump > 6e-3 {
                bad.push(format!("round {round} {} {found:?}", person.skeleton.name(found.joint)));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_goal_far_out_and_back_is_continuous_on_the_t_pose() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, STRETCH);
    for goal in IkGoal::ALL {
        set_pose(&mut animator, &person.t_pose);
        let here = narrow(end_ws(&animator, goal));
        for direction in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Y, Vec3::Y] {
            let found = continuity::judge(300, 1.0, |s| {
                set_pose(&mut animator, &person.t_pose);
                animator.reset_ik().unwrap();
                animator.set_ik_position(goal, here + direction * (s as f32 - 0.5)).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
                animator.solve().unwrap();
                pose(&animator)
            });
            assert!(found.jump < 5e-3, "{goal:?} {direction} {found:?}");
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
