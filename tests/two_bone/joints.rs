//! What the solve does to the joints: lengths, hinges, joints in between, scale and mirrors.

use super::*;

#[test]
fn bones_keep_their_lengths() {
    let mut random = Random::new(17);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..30 {
            let pose = case.random_pose(&mut random);
            let goal = LimbGoal { softness: 0.1, ..case.goal(random.in_ball(1.0)) };
            let (after, _) = case.solve(&pose, &goal);
            for joint in 0..pose.len() {
                assert_eq!(pose[joint].position, after[joint].position, "{}", case.name);
                assert_eq!(pose[joint].scale, after[joint].scale, "{}", case.name);
            }
            // Only root and mid turn.
            for joint in [0, 1, 4, 5] {
                assert_eq!(pose[joint], after[joint], "{}", case.name);
            }
        }
    }
}

#[test]
fn the_mid_joint_turns_about_one_hinge() {
    // Sweeping the target must swing the forearm in the plane of its hinge: seen from the upper
    // arm, the axis between two poses is always the same.
    let mut random = Random::new(18);
    for case in Case::all(0.33, 0.26, 0.8) {
        let pose = case.rig.pose();
        let mut axes: Vec<Vec3> = Vec::new();
        for _ in 0..20 {
            let target = random.unit_vector() * random.between(0.1, 0.55);
            let (after, _) = case.solve(&pose, &case.goal(target));
            let turn = after[3].rotation * pose[3].rotation.conjugate();
            if sinew::math::rotation_angle(turn) > 0.1 {
                let v = Vec3::new(turn.x, turn.y, turn.z).normalize();
                axes.push(if axes.first().is_some_and(|a| a.dot(v) < 0.0) { -v } else { v });
            }
        }
        for axis in &axes {
            assert!(axis.angle_between(axes[0]) < 2e-3, "{}: {axis} {}", case.name, axes[0]);
        }
    }
}

#[test]
fn joints_in_between_move_rigidly() {
    let mut random = Random::new(19);
    for parent in ParentKind::ALL {
        for rolls in BoneRolls::ALL {
            let options = ChainOptions { bone_count: 7, bone_length: 0.12, bend_rad: 0.2, parent, rolls, zigzag: true };
            let rig = chain(&options);
            let (root, mid, end) = (rig.joints[0], rig.joints[3], rig.joints[5]);
            let joints = LimbJoints::new(&rig.skeleton, root, mid, end).unwrap();
            assert_eq!(joints.path(), &rig.joints[0..6]);
            for _ in 0..20 {
                let pose = random.pose_near_rest(&rig.skeleton, 0.3);
                let target_ms =
                    rig.skeleton.rest_model()[1].point_out(random.unit_vector() * random.between(0.2, 0.45));
                let goal = LimbGoal::at(target_ms, Vec3::Y);
                let (after, outcome) = solve_on(&rig.skeleton, &joints, &pose, &goal);
                // Only root and mid turn.
                for joint in (0..pose.len()).filter(|j| *j != root && *j != mid) {
                    assert_eq!(pose[joint], after[joint], "{parent:?} {rolls:?}");
                }
                if outcome.status == Status::Reached {
                    let off = matchers::distance_to_goal(&rig.skeleton, &after, end, target_ms);
                    assert!(off < 1e-5, "{parent:?} {rolls:?}: {off:e}");
                }
            }
        }
    }
}

#[test]
fn joint_order_and_relations_are_checked() {
    let rig = limb_rig(&LimbOptions::default());
    assert!(LimbJoints::new(&rig.skeleton, 2, 2, 4).is_none());
    assert!(LimbJoints::new(&rig.skeleton, 3, 2, 4).is_none());
    assert!(LimbJoints::new(&rig.skeleton, 2, 4, 3).is_none());
    let joints = LimbJoints::new(&rig.skeleton, 2, 3, 5).unwrap();
    assert_eq!((joints.root(), joints.mid(), joints.end()), (2, 3, 5));
}

#[test]
fn uneven_scale_inside_the_limb_converges() {
    let mut random = Random::new(20);
    let (mut rounds, mut misses, mut tried) = (0, 0, 0);
    let mut errors = Vec::new();
    for case in Case::all(0.33, 0.26, 0.5) {
        for scale in [Vec3::new(1.0, 1.2, 0.9), Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 1.3, 1.0)] {
            for _ in 0..15 {
                let mut pose = case.random_pose(&mut random);
                pose[2].scale = scale;
                // As far as some bend of this very hinge puts the end, so that the target is within
                // reach.
                let (somewhere, _) = case.solve(&pose, &case.goal(random.unit_vector() * random.between(0.15, 0.45)));
                let target = random.unit_vector() * length(case.places(&somewhere)[1]) as f32;
                let (after, outcome) = case.solve(&pose, &case.goal(target));
                matchers::assert_sound(&after[2..5]);
                let off = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, case.out(target));
                rounds = rounds.max(outcome.iterations);
                tried += 1;
                let honest = (f64::from(outcome.residual_m) - off).abs();
                assert!(honest < 3e-6, "{} {outcome:?} {off:e}", case.name);
                match outcome.status {
                    Status::Reached => errors.push(off),
                    _ => misses += 1,
                }
                assert!(outcome.status != Status::Reached || off < 2e-5, "{} {outcome:?} {off:e}", case.name);
            }
        }
    }
    let (median, worst) = summary(&mut errors);
    println!("uneven: {tried} targets, {misses} missed, up to {rounds} rounds, median {median:.1e}, worst {worst:.1e}");
    assert!(misses * 100 <= tried, "{misses} of {tried} missed");
}

#[test]
fn a_parent_squashed_flat_leaves_the_limb_alone() {
    let mut rig = limb_rig(&LimbOptions::default());
    let mut pose = rig.pose();
    pose[1].scale = Vec3::new(1.0, 0.0, 1.0);
    rig.joints.truncate(3);
    let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).unwrap();
    let (after, outcome) = solve_on(&rig.skeleton, &joints, &pose, &LimbGoal::at(Vec3::ONE, Vec3::Y));
    matchers::assert_pose_bits_equal(&pose, &after);
    assert_eq!(outcome.status, Status::Unreachable);
    let off = matchers::distance_to_goal(&rig.skeleton, &after, 4, Vec3::ONE);
    assert!((f64::from(outcome.residual_m) - off).abs() < 1e-6);
}

#[test]
fn a_mirrored_limb_gives_the_mirrored_pose() {
    // The limb under a mirror, and the mirrored target: the local rotations must be the very same
    // motion.
    let mut random = Random::new(21);
    let plain = Case::new(LimbOptions { parent: ParentKind::Rotated, ..LimbOptions::default() });
    let mirrored = Case::new(LimbOptions { parent: ParentKind::Mirrored, ..LimbOptions::default() });
    for _ in 0..50 {
        let pose = plain.random_pose(&mut random);
        let mut other = pose.clone();
        other[..2].copy_from_slice(&mirrored.rig.pose()[..2]);
        let target = random.in_ball(0.6);
        let (a, _) = plain.solve(&pose, &plain.goal(target));
        let (b, _) = mirrored.solve(&other, &mirrored.goal(target));
        assert!(matchers::max_joint_step_rad(&a[2..], &b[2..]) < 2e-3);
    }
}
