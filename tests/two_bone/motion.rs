//! Weights and moving targets: continuous results, bounded joint speed, bend sides of straight
//! limbs.

use super::*;

#[test]
fn a_straight_limb_bends_to_its_anatomical_side() {
    let mut random = Random::new(12);
    for case in Case::all(0.33, 0.26, 0.0) {
        for _ in 0..30 {
            let mut pose = case.rig.pose();
            // The whole arm turned any way; the anatomical side turns with the upper bone.
            let turn = random.rotation();
            pose[2].rotation = (turn * pose[2].rotation).normalize();
            let along = turn * Vec3::X;
            let side = turn * Vec3::NEG_Z;
            let (after, _) = case.solve(&pose, &case.goal(along * random.between(0.1, 0.55)));
            let [mid, end] = case.places(&after);
            let angle = matchers::direction_angle_rad(across(mid, end), wide(side));
            assert!(angle < 1e-3, "{}: {angle}", case.name);
        }
    }
}

/// The offset of a folded limb's mid joint is as small as that of a straight one. A nearly straight
/// limb that folds must have the side that it has on the way there: the bones rolled by the angle
/// between both sides within a hundredth of a millimetre.
#[test]
fn a_nearly_straight_limb_that_folds_keeps_its_anatomical_side() {
    let mut random = Random::new(19);
    for (upper, lower) in [(0.33, 0.26), (0.26, 0.33)] {
        for case in Case::all(upper, lower, 0.05) {
            let mut pose = case.rig.pose();
            pose[2].rotation = (random.rotation() * pose[2].rotation).normalize();
            let away = random.unit_vector();
            let solved = |distance: f32| {
                let side = case.rig.skeleton.rest_local()[2].rotation.conjugate() * Vec3::Y;
                case.solve(&pose, &LimbGoal::at(case.out(away * distance), side)).0
            };
            let folded = (upper - lower).abs();
            let before = solved(1.001 * folded);
            for part in [1.0001, 1.000_01, 1.0, 0.999, 0.5] {
                let rolled = matchers::max_joint_step_rad(&before, &solved(part * folded)).to_degrees();
                assert!(rolled < 8.0, "{} {part}: {rolled} degrees", case.name);
            }
        }
    }
}

#[test]
fn weight_0_passes_through_bit_for_bit() {
    let mut random = Random::new(13);
    for case in Case::all(0.33, 0.26, 0.3) {
        let pose = case.random_pose(&mut random);
        let goal = LimbGoal { weight: 0.0, stretch: 0.05, softness: 0.1, ..case.goal(random.in_ball(2.0)) };
        let (after, outcome) = case.solve(&pose, &goal);
        matchers::assert_pose_bits_equal(&pose, &after);
        assert_eq!(outcome, Outcome::INACTIVE);
        // A hand that is already there hardly moves, whatever the weight.
        let [_, end] = case.places(&pose);
        for weight in [0.01, 0.5, 1.0] {
            let goal = LimbGoal { weight, ..case.goal(vec3(end)) };
            let moved = matchers::max_joint_step_rad(&pose, &case.solve(&pose, &goal).0);
            assert!(moved < 2e-4, "{}: {moved}", case.name);
        }
    }
}

#[test]
fn weights_are_continuous() {
    let mut random = Random::new(14);
    let mut worst = continuity::Continuity { step_rad: 0.0, step_at: 0.0, jump: 0.0, jump_at: 0.0, joint: 0 };
    for bend in [0.3, 0.0] {
        for case in Case::all(0.33, 0.26, bend) {
            for stretch in [0.0, 0.05] {
                let mut pose = if bend == 0.0 { case.rig.pose() } else { case.random_pose(&mut random) };
                let aside = random.rotation_within(1.5);
                pose[2].rotation = (aside * pose[2].rotation).normalize();
                let target = random.in_ball(1.2);
                let found = continuity::judge(100, case.length(), |s| {
                    let goal = LimbGoal { weight: s as f32, stretch, ..case.goal(target) };
                    case.solve(&pose, &goal).0
                });
                assert!(found.jump < 5e-3, "{} bend {bend} stretch {stretch} {found:?}", case.name);
                if found.step_rad > worst.step_rad {
                    worst = found;
                }
            }
        }
    }
    println!("weights: {worst:?}");
}

#[test]
fn moving_targets_move_the_limb_continuously() {
    let mut random = Random::new(15);
    let mut worst: f64 = 0.0;
    for (round, case) in Case::all(0.33, 0.26, 0.3).into_iter().enumerate() {
        for kind in 0..6 {
            let pose = case.random_pose(&mut random);
            let centre_ps = if kind % 2 == 0 { Vec3::ZERO } else { random.unit_vector() };
            let soft = if kind < 4 { 0.0 } else { 0.05 };
            // In and out of reach, past the root, across the straight pose.
            let path = SmoothPath::random(&mut random, 12, Vec3::ZERO, 0.9);
            let pole = random.in_ball(1.0);
            let found = continuity::judge(400, case.length(), |s| {
                let goal = LimbGoal {
                    centre_ps,
                    stretch: soft,
                    pole_ms: case.out(pole),
                    pole_weight: if kind == 3 { 1.0 } else { 0.0 },
                    ..case.goal(path.at(s))
                };
                case.solve(&pose, &goal).0
            });
            worst = worst.max(found.jump);
            assert!(found.jump < 5e-3, "{} round {round} kind {kind} {found:?}", case.name);
        }
    }
    println!("moving targets: largest jump left {worst:.1e}");
}

#[test]
fn joint_speed_is_bounded_away_from_the_singular_direction() {
    let mut random = Random::new(16);
    let (mut fastest, mut fastest_far) = (0.0f64, 0.0f64);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..150 {
            let pose = case.random_pose(&mut random);
            let centre = random.unit_vector();
            let target = random.unit_vector() * random.between(0.25, 0.9) * case.length();
            if target.angle_between(-centre) < 0.5 {
                continue;
            }
            let delta = random.unit_vector() * (1e-3 * case.length());
            // The pose's own direction over its centre is the other half of the way.
            let [_, end] = case.places(&pose);
            let solve = |target| case.solve(&pose, &LimbGoal { centre_ps: centre, ..case.goal(target) }).0;
            let (a, b) = (solve(target), solve(target + delta));
            let speed = matchers::max_joint_step_rad(&a, &b) / 1e-3;
            fastest = fastest.max(speed);
            if vec3(end).angle_between(-centre) > 0.5 {
                fastest_far = fastest_far.max(speed);
            }
        }
    }
    println!("joint speed: {fastest:.1} rad per limb length, {fastest_far:.1} with the pose itself away, too");
    assert!(fastest < 25.0);
}

#[test]
fn soft_and_stretching_limbs_straighten_at_bounded_speed() {
    for bend_rad in [0.6, 2.0] {
        straightens_at_bounded_speed(bend_rad);
    }
}

fn straightens_at_bounded_speed(bend_rad: f32) {
    let case = Case::new(LimbOptions { bend_rad, ..LimbOptions::default() });
    let pose = case.rig.pose();
    let extent = length(case.places(&pose)[1]) as f32 / case.length();
    let full = case.length();
    for (softness, stretch) in [(0.05, 0.0), (0.2, 0.0), (0.0, 0.05), (0.0, 0.3), (0.05, 0.05), (1.0, 0.0), (0.0, 1.0)]
    {
        let at = |distance: f32| {
            let goal = LimbGoal { softness, stretch, ..case.goal(Vec3::X * distance) };
            case.solve(&pose, &goal)
        };
        let bend = |pose: &[Transform]| {
            let [mid, end] = case.places(pose);
            matchers::direction_angle_rad(mid, sub(end, mid))
        };
        let steps = 1500;
        let (mut last_bend, mut last_end, mut fastest) = (bend(&at(full * 0.6).0), 0.0, 0.0f64);
        for i in 0..=steps {
            let distance = full * (0.6 + 1.8 * i as f32 / steps as f32);
            let (after, outcome) = at(distance);
            let [mid, end] = case.places(&after);
            let (now, reach) = (bend(&after), length(end));
            let step = f64::from(1.8 / steps as f32);
            if i > 0 {
                fastest = fastest.max((now - last_bend).abs() / step);
                assert!(now <= last_bend + 2e-3, "the bend opens again at {distance}");
                assert!(reach >= last_end - 1e-6, "the end comes back at {distance}");
                assert!((reach - last_end) / f64::from(full) < step * 1.05 + 1e-6, "the end runs ahead at {distance}");
            }
            (last_bend, last_end) = (now, reach);
            assert!(reach <= f64::from(full * (1.0 + stretch)) + 2e-6);
            let upper = length(mid) / f64::from(case.upper);
            assert!((1.0 - 1e-5..=1.0 + f64::from(stretch) + 1e-5).contains(&upper));
            let left = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, case.out(Vec3::X * distance));
            assert!((f64::from(outcome.residual_m) - left).abs() < 3e-6);
            if softness == 0.0 && distance <= full * (1.0 + stretch) {
                assert!(left < 5e-6, "stretch {stretch} reaches {distance}: {left:e}");
            }
            if distance > full * (1.0 + stretch) * (1.0 + softness) + 1e-6 {
                assert!((reach - f64::from(full * (1.0 + stretch))).abs() < 3e-6, "full reach: {reach}");
                assert_eq!(outcome.status, Status::Unreachable);
            }
        }
        println!(
            "bend {bend_rad} softness {softness} stretch {stretch}: opens by up to {fastest:.1} rad per limb length"
        );
        // Stretching starts where the pose has the limb, if that is beyond 1 − stretch.
        let tightest = (softness + stretch.min(1.0 - extent)).min(1.0);
        assert!(fastest < f64::from(4.0 / tightest.sqrt()), "softness {softness} stretch {stretch}: {fastest}");
    }
}

#[test]
fn soft_limits_match_their_formula() {
    for softness in [0.0, 0.1, 0.5, 1.0] {
        let mut last = soft_limit(0.0, 2.0, softness);
        assert_eq!(last, 0.0);
        for i in 1..=4000 {
            let value = i as f32 * 1e-3;
            let now = soft_limit(value, 2.0, softness);
            assert!(now <= value.min(2.0) + 1e-6 && now >= last - 1e-6 && now - last < 1.01e-3, "{softness} {value}");
            last = now;
        }
        assert!((soft_limit(2.0 * (1.0 + softness) + 0.01, 2.0, softness) - 2.0).abs() < 3e-7);
        let unchanged = 2.0 * (1.0 - softness) * 0.99;
        assert_eq!(soft_limit(unchanged, 2.0, softness), unchanged);
    }
}
