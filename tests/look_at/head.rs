//! How far the head turns, how level it stays, and what stays unchanged.

use super::*;

#[test]
fn the_head_looks_at_what_is_in_range() {
    let mut random = Random::new(1);
    let mut worst: f64 = 0.0;
    for (name, mut looker) in Looker::kinds() {
        for (root_kind, root) in characters::roots() {
            looker.animator.set_root(root).unwrap();
            for amount in [0.0, 1.0] {
                let pose = looker.random_pose(&mut random, amount);
                for _ in 0..4 {
                    let [r, u, f] = spread(random.between(0.0, 78.0), random.between(0.0, 360.0));
                    let direction = looker.along_chest(&pose, r, u, f);
                    let body = if random.below(2) == 0 { 0.0 } else { random.unit01() };
                    // A body that leans towards a near target brings the eyes right up to it.
                    let nearest = if body > 0.0 || name.contains("hung") { 1.5 } else { 0.3 };
                    let metres = random.between(nearest, 5.0) * root.scale.abs().max_element();
                    let target = looker.point(&pose, direction, metres);
                    let weight = LookAtWeight { weight: 1.0, body, head: 1.0, eyes: 0.0, clamp: 0.0 };
                    let after = looker.look(&pose, target, weight);
                    matchers::assert_sound(&after);
                    let off = looker.off_deg(&after, target);
                    worst = worst.max(off);
                    assert!(
                        off < 0.1,
                        "{name} root {root_kind:?} amount {amount}: {off} {weight:?} at {metres} m, {r} {u} {f}, head {}",
                        looker.turned_deg(&pose)
                    );
                    let outcome = looker.animator.look_at_outcome().unwrap();
                    assert_eq!(outcome.status, Status::Reached, "{name} {root_kind:?}");
                    // Computed in model space, so only where world and model have the same angles.
                    if !matches!(root_kind, ParentKind::UnevenlyScaled) {
                        assert!((f64::from(outcome.residual_rad) * DEGREES - off).abs() < 0.02, "{outcome:?} {off}");
                    }
                }
            }
        }
    }
    println!("in range: worst {worst:.1e} degrees");
}

/// A head of scale zero, as first-person games hide it, had no direction: it was turned anywhere,
/// neck and spine as if it faced forward, and the outcome was `Reached`.
#[test]
fn a_head_of_no_size_looks_as_one_that_has_a_size() {
    let mut random = Random::new(21);
    for (name, mut looker) in Looker::kinds() {
        if name.contains("Uneven") {
            continue; // the eyes are elsewhere
        }
        let head = looker.person.joint(HumanBone::Head);
        for _ in 0..8 {
            let sized = looker.random_pose(&mut random, 1.0);
            let mut hidden = sized.clone();
            hidden[head].scale = Vec3::ZERO;
            let [r, u, f] = spread(random.between(0.0, 70.0), random.between(0.0, 360.0));
            // Far: the hidden eyes are at the head joint.
            let target = looker.point(&sized, looker.along_chest(&sized, r, u, f), 500.0);
            let eyes = if random.below(2) == 0 { 0.0 } else { 1.0 };
            let weight = LookAtWeight { weight: 1.0, body: 0.3, head: random.between(0.4, 1.0), eyes, clamp: 0.0 };
            let expected = looker.look(&sized, target, weight);
            let status = looker.animator.look_at_outcome().unwrap().status;
            let after = looker.look(&hidden, target, weight);
            assert_eq!(after[head].scale, Vec3::ZERO);
            let off = matchers::max_joint_step_rad(&expected, &after) * DEGREES;
            assert!(off < 0.1, "{name}: {off} degrees");
            let outcome = looker.animator.look_at_outcome().unwrap();
            assert_eq!(outcome.status, status, "{name}: {outcome:?}");
            let seen = looker.animator.gaze_ws().unwrap().1.to_array().map(f64::from);
            let line = looker.head.now(&looker.spaces(&expected))[2];
            assert!(matchers::direction_angle_rad(seen, line) * DEGREES < 0.1, "{name}: {seen:?} {line:?}");
        }
    }
}

/// A phone or a mirror: the head does not aim at what is right before the eyes, and reports it.
#[test]
fn what_is_reached_right_before_the_eyes_is_met() {
    let mut random = Random::new(8);
    let (mut met, mut missed) = (0, 0);
    for (name, mut looker) in Looker::kinds() {
        let pose = looker.random_pose(&mut random, 0.0);
        for _ in 0..40 {
            let [r, u, f] = spread(random.between(0.0, 60.0), random.between(0.0, 360.0));
            let direction = looker.along_chest(&pose, r, u, f);
            let metres = random.between(0.08, 0.4);
            let target = looker.point(&pose, direction, metres);
            // Eyes would be measured in place of the head.
            let weight = LookAtWeight { weight: 1.0, body: 0.0, head: 1.0, eyes: 0.0, clamp: 0.0 };
            let after = looker.look(&pose, target, weight);
            let off = looker.off_deg(&after, target);
            let outcome = looker.animator.look_at_outcome().unwrap();
            if outcome.status == Status::Reached {
                assert!(off < 0.15, "{name}: {off} at {metres} m, {r} {u} {f}");
                met += 1;
            } else {
                missed += 1;
            }
            assert!((f64::from(outcome.residual_rad) * DEGREES - off).abs() < 0.02, "{name}: {outcome:?} {off}");
        }
    }
    assert!(met > 0 && missed > 0, "{met} met, {missed} missed");
}

#[test]
fn weight_0_leaves_every_bit() {
    let mut random = Random::new(6);
    for (name, mut looker) in Looker::kinds() {
        let pose = looker.random_pose(&mut random, 1.0);
        let target = looker.point(&pose, Vec3::X, 1.0);
        for weight in [
            LookAtWeight { weight: 0.0, body: 1.0, head: 1.0, eyes: 1.0, clamp: 0.0 },
            LookAtWeight { weight: 1.0, body: 0.0, head: 0.0, eyes: 0.0, clamp: 0.0 },
        ] {
            let after = looker.look(&pose, target, weight);
            matchers::assert_pose_bits_equal(&pose, &after);
            assert_eq!(looker.animator.look_at_outcome().unwrap().status, Status::Inactive, "{name}");
        }
    }
}

#[test]
fn the_clamp_limits_how_far_the_head_turns() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for clamp in [0.0, 0.25, 0.5, 0.75, 0.9, 1.0] {
        let limit = 180.0 * (1.0 - f64::from(clamp));
        let mut farthest: f64 = 0.0;
        for angle in 0..=180 {
            for around in [0.0, 40.0, 90.0, 135.0, 200.0, 270.0] {
                let [r, u, f] = spread(angle as f32, around);
                let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 3.0);
                let after = looker.look(&pose, target, LookAtWeight { clamp, ..head_only(1.0) });
                let turned = looker.turned_deg(&after);
                farthest = farthest.max(turned);
                // The eyes move a little with the head, so the angle at the eyes is not quite that
                // of the head.
                assert!(turned < limit + 6.0, "clamp {clamp} angle {angle} around {around}: {turned}");
            }
        }
        println!("clamp {clamp}: turns up to {farthest:.1} of {limit:.1} degrees");
    }
}

#[test]
fn what_is_right_behind_is_not_looked_at() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for clamp in [0.0, 0.5] {
        let behind = looker.point(&pose, looker.along_chest(&pose, 0.0, 0.0, -1.0), 2.0);
        let after = looker.look(&pose, behind, LookAtWeight { clamp, body: 0.5, eyes: 1.0, ..head_only(1.0) });
        assert!(matchers::max_joint_step_rad(&pose, &after) < 2e-3);
        assert_eq!(looker.animator.look_at_outcome().unwrap().status, Status::Unreachable);
    }
}

#[test]
fn level_targets_leave_the_head_upright() {
    for (name, mut looker) in Looker::kinds() {
        if name.contains("Uneven") {
            continue; // sheared: no right angles to keep
        }
        let pose = looker.t_pose();
        for body in [0.0, 0.5] {
            for degrees in [-70, -40, -10, 10, 40, 70] {
                let [r, _, f] = spread(degrees as f32, 0.0);
                let target = looker.point(&pose, looker.along_chest(&pose, r, 0.0, f), 50.0);
                let after = looker.look(&pose, target, LookAtWeight { body, ..head_only(1.0) });
                let spaces = looker.spaces(&after);
                let tilt = matchers::direction_angle_rad(looker.head.now(&spaces)[1], looker.trunk.now(&spaces)[1]);
                assert!(tilt * DEGREES < 0.5, "{name} body {body} {degrees}: {}", tilt * DEGREES);
            }
        }
    }
}

#[test]
fn up_and_aside_the_ears_stay_level() {
    // Without roll, the line through the ears is at right angles to the chest's up.
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for (r, u, f) in [(0.5, 0.5, 0.7), (-0.5, 0.5, 0.7), (0.6, -0.4, 0.7), (0.8, 0.3, 0.3)] {
        let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 20.0);
        let after = looker.look(&pose, target, head_only(1.0));
        let spaces = looker.spaces(&after);
        let ears = matchers::direction_angle_rad(looker.head.now(&spaces)[0], looker.trunk.now(&spaces)[1]) * DEGREES;
        println!("towards {r} {u} {f}: ears {:.2} degrees off level", ears - 90.0);
        assert!((ears - 90.0).abs() < 3.0, "{r} {u} {f}: {ears}");
    }
}

#[test]
fn half_the_head_weight_goes_half_the_way() {
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    let [r, u, f] = spread(60.0, 20.0);
    let target = looker.point(&pose, looker.along_chest(&pose, r, u, f), 100.0);
    for weight in [0.25, 0.5, 0.75] {
        let after = looker.look(&pose, target, head_only(weight));
        let turned = looker.turned_deg(&after);
        assert!((turned - 60.0 * f64::from(weight)).abs() < 2.0, "{weight}: {turned}");
    }
}

#[test]
fn a_mirrored_target_gives_the_mirrored_gaze() {
    let mut random = Random::new(8);
    let mut looker = Looker::new(&PersonOptions::default());
    let pose = looker.t_pose();
    for _ in 0..40 {
        let direction = random.unit_vector();
        let weight = LookAtWeight {
            weight: 1.0,
            body: random.unit01(),
            head: random.unit01(),
            eyes: 1.0,
            clamp: random.unit01(),
        };
        let mirrored = Vec3::new(-direction.x, direction.y, direction.z);
        let (a, b) = (looker.point(&pose, direction, 1.0), looker.point(&pose, mirrored, 1.0));
        let (a, b) = (looker.look(&pose, a, weight), looker.look(&pose, b, weight));
        for bone in [HumanBone::Spine, HumanBone::UpperChest, HumanBone::Neck, HumanBone::Head] {
            let joint = looker.person.joint(bone);
            let (q, m) = (a[joint].rotation, b[joint].rotation);
            let seen = sinew::math::Quat::from_xyzw(m.x, -m.y, -m.z, m.w);
            let off = matchers::rotation_angle_rad(q, seen);
            assert!(off < 2e-3, "{} {direction} {weight:?}: {off}", bone.name());
        }
        let (left, right) = (looker.person.joint(HumanBone::LeftEye), looker.person.joint(HumanBone::RightEye));
        let m = b[right].rotation;
        let off = matchers::rotation_angle_rad(a[left].rotation, sinew::math::Quat::from_xyzw(m.x, -m.y, -m.z, m.w));
        assert!(off < 2e-3, "eyes {direction} {weight:?}: {off}");
    }
}

#[test]
fn only_spine_neck_head_and_eyes_turn() {
    let mut random = Random::new(9);
    let mut looker = Looker::new(&PersonOptions::default());
    for _ in 0..10 {
        let pose = looker.random_pose(&mut random, 1.0);
        let target = looker.point(&pose, random.unit_vector(), 1.0);
        let after =
            looker.look(&pose, target, LookAtWeight { weight: 1.0, body: 0.5, head: 1.0, eyes: 1.0, clamp: 0.3 });
        use HumanBone::*;
        let may = [Spine, Chest, UpperChest, Neck, Head, LeftEye, RightEye].map(|b| looker.person.joint(b));
        for joint in (0..pose.len()).filter(|j| !may.contains(j)) {
            matchers::assert_pose_bits_equal(&pose[joint..=joint], &after[joint..=joint]);
        }
        for joint in may {
            assert_eq!((pose[joint].position, pose[joint].scale), (after[joint].position, after[joint].scale));
        }
    }
}

#[test]
fn every_rig_looks_the_same_way() {
    let mut reference: Option<Vec<f64>> = None;
    for (name, mut looker) in Looker::kinds() {
        if name.contains("hung") || name == "least" {
            continue;
        }
        let pose = looker.t_pose();
        let target = looker.point(&pose, looker.along_chest(&pose, 0.6, 0.3, 0.6), 1.0);
        let weight = LookAtWeight { weight: 0.9, body: 0.3, head: 0.8, eyes: 1.0, clamp: 0.4 };
        let after = looker.look(&pose, target, weight);
        let spaces = looker.spaces(&after);
        let axes = looker.person.axes;
        let model = [axes.right, axes.up, axes.forward].map(|v| v.to_array().map(f64::from));
        let mut seen = Vec::new();
        for facing in [looker.head, looker.trunk] {
            for axis in facing.now(&spaces) {
                seen.extend(model.map(|m| axis[0] * m[0] + axis[1] * m[1] + axis[2] * m[2]));
            }
        }
        let expected = reference.get_or_insert_with(|| seen.clone());
        for (a, b) in expected.iter().zip(&seen) {
            assert!((a - b).abs() < 2e-4, "{name}: {a} {b}");
        }
    }
}

#[test]
fn the_getter_gives_the_animations_own_gaze() {
    let mut random = Random::new(10);
    for (name, mut looker) in Looker::kinds() {
        let pose = looker.random_pose(&mut random, 1.0);
        characters::set_pose(&mut looker.animator, &pose);
        let spaces = looker.spaces(&pose);
        let (origin, gaze) = looker.animator.gaze_ws().unwrap();
        let expected = looker.origin(&spaces);
        let off = matchers::distance(expected, origin.to_array().map(f64::from)) / f64::from(looker.unit());
        assert!(off < 5e-6, "{name}: {off}");
        let angle = matchers::direction_angle_rad(looker.head.now(&spaces)[2], gaze.to_array().map(f64::from));
        assert!(angle < 1e-5, "{name}: {angle}");
        assert_eq!(looker.animator.look_at_position().unwrap(), origin + gaze);
        looker.animator.set_look_at_position(Vec3::ONE).unwrap();
        assert_eq!(looker.animator.look_at_position().unwrap(), Vec3::ONE);
    }
}

#[test]
fn a_still_head_that_already_looks_there_keeps_still() {
    let mut random = Random::new(11);
    let mut looker = Looker::new(&PersonOptions::default());
    let mut worst = 0.0f64;
    for _ in 0..20 {
        let pose = looker.random_pose(&mut random, 0.6);
        let spaces = looker.spaces(&pose);
        let gaze = looker.head.now(&spaces)[2];
        let direction = Vec3::new(gaze[0] as f32, gaze[1] as f32, gaze[2] as f32);
        let target = looker.point(&pose, direction, 2.0);
        let after = looker.look(&pose, target, LookAtWeight { clamp: 0.2, body: 0.5, ..head_only(1.0) });
        worst = worst.max(matchers::max_joint_step_rad(&pose, &after));
    }
    assert!(worst < 1e-3, "{worst}");
}
