//! Free chains whose position and rotation goals exclude each other: the least weighted sum of
//! both, judged in `f64`, at rest where the answer is given back, without jumps.

use crate::cases::{Case, Kind};
use sinew::chains::{AxisGoal, ChainGoal, ChainSettings, ChainSolver};
use sinew::math::{Transform, Vec3, perpendicular};
use sinew::outcome::Status;
use testkit::Random;
use testkit::continuity;
use testkit::matchers::{rotation_angle_rad, vec3};

/// Weighted squares of what is left, metres²; a radian counts as a third of the chain's length.
fn cost(case: &Case, metres: f64, radians: f64) -> f64 {
    let goal = &case.goals[0];
    let turn = f64::from(case.chain.length()) / 3.0 * radians;
    f64::from(goal.position_importance) * metres * metres + f64::from(goal.rotation_importance) * turn * turn
}

fn cost_now(case: &Case) -> f64 {
    let (share, radians) = case.miss();
    cost(case, share * f64::from(case.chain.length()), radians)
}

/// The least cost where an axis goal leaves the twist free: the bone in the plane of axis and goal.
fn least_cost_of_axis(case: &Case) -> f64 {
    let goal = &case.goals[0];
    let axis = goal.axis.unwrap();
    let line = goal.position.unwrap() - case.root();
    let parts = |v: Vec3, along: Vec3| {
        let [v, along] = [v, along].map(|v| v.to_array().map(f64::from));
        let part = v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
        let aside = [0, 1, 2].map(|i| v[i] - along[i] * part);
        (part, (aside[0] * aside[0] + aside[1] * aside[1] + aside[2] * aside[2]).sqrt())
    };
    let (bone_along, bone_aside) = parts(case.chain.effectors()[0].offset, axis.axis);
    let (goal_along, goal_aside) = parts(line, axis.direction);
    let far = (goal_along * goal_along + goal_aside * goal_aside).sqrt();
    let along = (bone_along * goal_along + bone_aside * goal_aside) / far;
    least(case, far, (bone_along * bone_along + bone_aside * bone_aside).sqrt(), along)
}

/// The least cost: the last joint turns by an angle about the normal of the plane of its bone and
/// the goal, and the other bones are straight, or folded about the longest.
fn least_cost(case: &Case) -> f64 {
    let goal = &case.goals[0];
    let root = case.root().to_array();
    let target = goal.position.unwrap().to_array();
    let bone = (goal.rotation.unwrap() * case.chain.effectors()[0].offset).to_array().map(f64::from);
    let line = [0, 1, 2].map(|i| f64::from(target[i]) - f64::from(root[i]));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (far, size) = (dot(line, line).sqrt(), dot(bone, bone).sqrt());
    least(case, far, size, dot(line, bone) / far)
}

/// The least over turns of a bone of this length, of which so much is along the line to the goal.
fn least(case: &Case, far: f64, size: f64, along: f64) -> f64 {
    let across = (size * size - along * along).max(0.0).sqrt();
    let bones: Vec<f64> = case.chain.joints()[1..].iter().map(|j| f64::from(j.offset.length())).collect();
    let length: f64 = bones.iter().sum();
    let hole = (2.0 * bones.iter().copied().fold(0.0, f64::max) - length).max(0.0);
    let at = |turn: f64| {
        // Seen in the plane, the goal ahead.
        let (s, c) = (libm::sin(turn), libm::cos(turn));
        let (x, y) = (along * c + across * s, across * c - along * s);
        let left = libm::hypot(far - x, y);
        cost(case, (left - length).max(hole - left).max(0.0), turn)
    };
    (-20_000..=20_000).map(|i| at(f64::from(i) * core::f64::consts::PI / 20_000.0)).fold(f64::INFINITY, f64::min)
}

fn out_of_reach(joints: usize, seed: u64) -> Case {
    let mut case = Case::new(Kind::Rotation, joints, seed);
    let mut random = Random::new(seed * 31 + joints as u64);
    let out = random.unit_vector();
    let size = case.chain.length();
    let distance = if seed.is_multiple_of(5) { 0.02 } else { random.between(0.9, 2.2) } * size;
    case.goals[0] = ChainGoal {
        rotation: Some(random.rotation()),
        position_importance: random.between(0.1, 1.0),
        rotation_importance: random.between(0.1, 1.0),
        ..ChainGoal::at(case.root() + out * distance)
    };
    case
}

#[test]
fn position_and_rotation_share_what_is_left() {
    let mut out = 0;
    for joints in [2, 3, 4, 8] {
        for seed in 0..40 {
            let mut case = out_of_reach(joints, seed);
            let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
            if outcome.status == Status::Reached {
                continue;
            }
            out += 1;
            assert_eq!(outcome.status, Status::Unreachable, "{joints} {seed}");
            let (found, least) = (cost_now(&case), least_cost(&case));
            assert!(found <= 1.001 * least + 1e-5, "{joints} {seed}: {found} m², {least} can be had");
            let (miss, angle) = case.miss();
            let said = f64::from(outcome.residual_m / case.chain.length());
            assert!((said - miss).abs() < 1e-5, "{joints} {seed}: {said} said, {miss} found");
            assert!((f64::from(outcome.residual_rad) - angle).abs() < 1e-3, "{joints} {seed}");
        }
    }
    assert!(out > 80, "{out} of 160 are out of reach");
}

/// The same with an axis of the last joint in place of its rotation, well out of reach.
fn axis_out_of_reach(joints: usize, seed: u64) -> Case {
    let mut case = out_of_reach(joints, seed * 5 + 1);
    let mut random = Random::new(seed * 77 + joints as u64);
    let (root, size) = (case.root(), case.chain.length());
    let goal = &mut case.goals[0];
    let out = (goal.position.unwrap() - root).normalize();
    goal.rotation = None;
    // Every other one along the bone: its twist moves nothing.
    let axis = if seed.is_multiple_of(2) { Vec3::Y } else { random.unit_vector() };
    goal.axis = Some(AxisGoal { axis, direction: random.unit_vector() });
    goal.position = Some(root + out * size * random.between(1.05, 2.0));
    case
}

#[test]
fn position_and_axis_share_what_is_left_and_stay() {
    for joints in [2, 3, 4, 8] {
        for seed in 0..30 {
            let mut case = axis_out_of_reach(joints, seed);
            for again in 0..4 {
                let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
                assert_eq!(outcome.status, Status::Unreachable, "{joints} {seed}");
                let found = cost(&case, f64::from(outcome.residual_m), f64::from(outcome.residual_rad));
                let least = least_cost_of_axis(&case);
                assert!(found <= 1.001 * least + 1e-5, "{joints} {seed}: {found} m², {least} can be had");
                let moved = case.start.rotations.iter().zip(&case.pose.rotations);
                let moved = moved.map(|(a, b)| rotation_angle_rad(*a, *b)).fold(0.0, f64::max);
                assert!(again == 0 || moved < 5e-3, "{joints} {seed}: {moved} rad in call {again}");
                case.start.rotations.clone_from(&case.pose.rotations);
            }
        }
    }
}

#[test]
fn goals_beyond_an_axis_move_the_chain_smoothly() {
    for joints in [3, 4, 8] {
        for seed in 0..12 {
            let mut case = axis_out_of_reach(joints, seed);
            let (root, size) = (case.root(), case.chain.length());
            let ahead = (vec3(case.places(&case.start)[0].0) - root).normalize();
            let aside = perpendicular(ahead);
            let found = continuity::judge(200, size, |s| {
                let path = ahead * (1.1 + 0.5 * s as f32) + aside * (0.5 * s as f32);
                case.goals[0].position = Some(root + path * size);
                case.solve(ChainSolver::Default, &ChainSettings::default());
                case.pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
            });
            assert!(found.jump < 0.02, "{joints} {seed}: {found:?}");
        }
    }
}

#[test]
fn the_answer_given_back_stays() {
    for joints in [2, 3, 4, 8] {
        for seed in 0..40 {
            let mut case = out_of_reach(joints, seed);
            case.solve(ChainSolver::Default, &ChainSettings::default());
            for again in 0..5 {
                let before = case.pose.rotations.clone();
                case.start.rotations.clone_from(&before);
                case.solve(ChainSolver::Default, &ChainSettings::default());
                let moved = before.iter().zip(&case.pose.rotations).map(|(a, b)| rotation_angle_rad(*a, *b));
                let moved = moved.fold(0.0, f64::max);
                // At the very edge of the reach a bend of this size is within the tolerance.
                assert!(moved < 5e-3, "{joints} {seed}: {moved} rad in call {again}");
            }
        }
    }
}

#[test]
fn goals_that_leave_the_reach_move_the_chain_smoothly() {
    for joints in [3, 4, 8] {
        for seed in 0..12 {
            let mut case = Case::new(Kind::Rotation, joints, seed);
            let mut random = Random::new(seed * 131 + joints as u64);
            let (root, size, rotation) = (case.root(), case.chain.length(), random.rotation());
            // Ahead of the end, where an aim has no direction to come round by.
            let ahead = (case.goals[0].position.unwrap() - root).normalize();
            let aside = perpendicular(ahead);
            case.goals[0].rotation = Some(rotation);
            let found = continuity::judge(400, size, |s| {
                let path = ahead * (0.7 + 0.9 * s as f32) + aside * (0.5 * s as f32);
                case.goals[0].position = Some(root + path * size);
                case.solve(ChainSolver::Default, &ChainSettings::default());
                case.pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
            });
            assert!(found.jump < 0.02, "{joints} {seed}: {found:?}");
        }
    }
}
