//! The pole vector: it swivels the limb, by its weight, and nothing jumps.

use super::*;

#[test]
fn a_pole_pulls_the_mid_joint_into_its_half_plane() {
    let mut random = Random::new(7);
    for case in Case::all(0.33, 0.26, 0.3) {
        for as_direction in [false, true] {
            for _ in 0..40 {
                let pose = case.random_pose(&mut random);
                let target = random.unit_vector() * random.between(0.15, 0.55);
                let mut goal = case.goal(target);
                let pole = if as_direction { random.unit_vector() * 1000.0 } else { random.in_ball(1.0) };
                // Near the line through root and target the pole fades out by design: another test.
                if pole.angle_between(target).to_degrees().min(180.0 - pole.angle_between(target).to_degrees()) < 4.0 {
                    continue;
                }
                (goal.pole_ms, goal.pole_weight) = (case.out(pole), 1.0);
                let (after, outcome) = case.solve(&pose, &goal);
                let [mid, end] = case.places(&after);
                let pole = case.back(wide(goal.pole_ms));
                let angle = matchers::direction_angle_rad(across(mid, end), across(pole, end));
                assert!(angle < 5e-5, "{}: {angle}", case.name);
                assert_eq!(outcome.status, Status::Reached);
            }
        }
    }
}

#[test]
fn a_partial_pole_interpolates_and_going_round_it_never_flips() {
    let mut random = Random::new(8);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..10 {
            let pose = case.random_pose(&mut random);
            let target = random.unit_vector() * random.between(0.15, 0.55);
            let pole = random.unit_vector();
            if pole.cross(target).length() < 0.1 * target.length() {
                continue;
            }
            let mid_at = |weight: f32| {
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..case.goal(target) };
                let [mid, end] = case.places(&case.solve(&pose, &goal).0);
                across(mid, end)
            };
            let (none, all) = (mid_at(0.0), mid_at(1.0));
            let whole = matchers::direction_angle_rad(none, all);
            let mut last = 0.0;
            for weight in [0.1, 0.25, 0.5, 0.75, 0.9] {
                let part = matchers::direction_angle_rad(none, mid_at(weight));
                let left = matchers::direction_angle_rad(mid_at(weight), all);
                assert!((part + left - whole).abs() < 2e-4 && part >= last - 1e-4, "{}: {part} of {whole}", case.name);
                assert!(weight != 0.5 || (part - 0.5 * whole).abs() < 2e-4, "{}: half is half", case.name);
                last = part;
            }
        }
        let pose = case.random_pose(&mut random);
        let target = case.reachable(&mut random);
        let (x, y) = (target.normalize().any_orthonormal_vector(), target.normalize());
        let z = x.cross(y);
        for weight in [0.3, 0.8] {
            let found = continuity::judge(300, case.length(), |s| {
                let angle = s as f32 * 2.0 * PI;
                let pole = x * float::cos(angle) + z * float::sin(angle) + y * 0.3;
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..case.goal(target) };
                case.solve(&pose, &goal).0
            });
            assert!(found.jump < 2e-3, "{} {weight} {found:?}", case.name);
        }
    }
}

#[test]
fn adding_a_pole_that_agrees_changes_nothing() {
    let mut random = Random::new(9);
    for case in Case::all(0.33, 0.26, 0.7) {
        let pose = case.random_pose(&mut random);
        let [mid, end] = case.places(&pose);
        let goal = case.goal(vec3(end));
        let pole = vec3(mid) * 3.0 - vec3(end) * 0.4;
        for weight in [0.3, 1.0] {
            let with = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..goal };
            let moved = matchers::max_joint_step_rad(&pose, &case.solve(&pose, &with).0);
            assert!(moved < 5e-5, "{}: {moved}", case.name);
        }
    }
}

#[test]
fn a_pole_crossing_the_line_makes_no_jump() {
    let mut random = Random::new(10);
    let case = Case::new(LimbOptions::default());
    for _ in 0..20 {
        let pose = case.random_pose(&mut random);
        let target = case.reachable(&mut random);
        let aside = random.in_ball(0.02);
        // Past the line beyond the target and behind the root, closely and exactly through.
        for (from, to) in [(aside, -aside), (aside, -aside + random.in_ball(0.01))] {
            for along in [1.5, -0.7] {
                let found = continuity::judge(200, case.length(), |s| {
                    let pole = target * along + from.lerp(to, s as f32);
                    let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: 1.0, ..case.goal(target) };
                    case.solve(&pose, &goal).0
                });
                assert!(found.jump < 2e-3, "{found:?}");
            }
        }
    }
}

#[test]
fn pole_weights_are_continuous() {
    let mut random = Random::new(11);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..3 {
            let pose = case.random_pose(&mut random);
            let target = case.reachable(&mut random);
            let pole = random.in_ball(1.0);
            let found = continuity::judge(50, case.length(), |s| {
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: s as f32, ..case.goal(target) };
                case.solve(&pose, &goal).0
            });
            assert!(found.jump < 2e-3, "{} {found:?}", case.name);
        }
    }
}

#[test]
fn the_target_is_held_while_the_pole_circles() {
    let case = Case::new(LimbOptions::default());
    let pose = case.rig.pose();
    let target = Vec3::new(0.3, 0.1, 0.25);
    let found = continuity::judge(360, case.length(), |s| {
        let angle = s as f32 * 2.0 * PI;
        let pole = Vec3::new(0.0, float::cos(angle), float::sin(angle));
        let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: 1.0, ..case.goal(target) };
        let (after, _) = case.solve(&pose, &goal);
        matchers::assert_reached(&case.rig.skeleton, &after, 4, goal.target_ms, 1e-5);
        after
    });
    assert!(found.jump < 2e-3 && found.step_rad < 0.1, "{found:?}");
}
