//! Goals, hints and rotation goals are met, and only by the limb they belong to.

use super::*;

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
