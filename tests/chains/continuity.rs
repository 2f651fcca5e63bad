//! A goal that moves smoothly moves the chain smoothly: sweeps in which jumps are searched by
//! bisection. Pole vectors: the bend follows them, limits hold with them, and one added at the
//! current swivel changes nothing.

use crate::cases::{Case, Kind};
use sinew::chains::{ChainGoal, ChainSettings, ChainSolver, Pole};
use sinew::limits::{AxisLimits, Freedom, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle, perpendicular};
use sinew::outcome::Status;
use testkit::Random;
use testkit::continuity::{self, Continuity, SmoothPath};

fn settings() -> ChainSettings {
    ChainSettings::default()
}

fn sweep(case: &mut Case, samples: usize, mut goal_at: impl FnMut(f64) -> ChainGoal) -> Continuity {
    let size = case.chain.length();
    continuity::judge(samples, size, |s| {
        case.goals[0] = goal_at(s);
        case.solve(ChainSolver::Default, &settings());
        case.pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
    })
}

/// Point on a circle round `centre`, at right angles to `axis`.
fn circle(centre: Vec3, axis: Vec3, radius: f32, s: f64) -> Vec3 {
    let angle = (s * core::f64::consts::TAU) as f32;
    centre + axis_angle(axis, angle) * perpendicular(axis) * radius
}

fn assert_smooth(name: &str, found: &[(u64, Continuity)], jump: f64) {
    let worst = found.iter().map(|(_, c)| c.jump).fold(0.0, f64::max);
    let bad: Vec<_> = found.iter().filter(|(_, c)| c.jump > jump).map(|(s, c)| (s, c.jump, c.jump_at)).collect();
    println!("{name}: {} sweeps, worst jump {worst:.4}, over {jump}: {}", found.len(), bad.len());
    assert!(bad.is_empty(), "{name}: {bad:?}");
}

#[test]
fn planar_chains_follow_a_target_all_the_way_round_the_root() {
    for joints in [2, 3, 5, 10] {
        let mut found = Vec::new();
        for seed in 0..20 {
            let mut case = Case::new(Kind::Planar, joints, seed);
            // The plane of the chain: its hinges are all about one axis.
            let axis =
                case.start.root_rotation * case.chain.joints()[0].rest * case.chain.joints()[0].model.hinge_axis();
            let (root, hole) = (case.root(), case.hole());
            let radius = hole + (case.chain.length() - hole) * (0.25 + 0.03 * seed as f32);
            found.push((seed, sweep(&mut case, 120, |s| ChainGoal::at(circle(root, axis, radius, s)))));
        }
        assert_smooth(&format!("planar {joints}"), &found, 0.02);
    }
}

#[test]
fn free_chains_follow_smooth_paths() {
    for joints in [2, 3, 5, 10, 30] {
        let mut found = Vec::new();
        for seed in 0..12 {
            let mut case = Case::new(Kind::Free, joints, seed);
            let mut random = Random::new(seed);
            let root = case.root();
            let start = Vec3::from_array(case.places(&case.start)[0].0.map(|x| x as f32)) - root;
            let ahead = start.normalize() * case.chain.length() * 0.6;
            // In front of the chain, in and out of reach; behind it is the singular direction.
            let path = SmoothPath::random(&mut random, 5, root + ahead, case.chain.length() * 0.55);
            found.push((seed, sweep(&mut case, 100, |s| ChainGoal::at(path.at(s)))));
        }
        assert_smooth(&format!("free {joints}"), &found, 0.02);
    }
}

#[test]
fn rotation_goals_turn_smoothly() {
    for joints in [3, 5, 8] {
        let mut found = Vec::new();
        for seed in 0..12 {
            let mut case = Case::new(Kind::Rotation, joints, seed);
            let (position, rotation) = (case.goals[0].position.unwrap(), case.goals[0].rotation.unwrap());
            let axis = Random::new(seed).unit_vector();
            found.push((
                seed,
                sweep(&mut case, 100, |s| ChainGoal::pose(position, axis_angle(axis, (s - 0.5) as f32) * rotation)),
            ));
        }
        assert_smooth(&format!("rotation {joints}"), &found, 0.02);
    }
}

#[test]
fn poles_turn_the_bend_and_never_flip_it() {
    for joints in [2, 3, 4] {
        let mut found = Vec::new();
        for seed in 0..12 {
            let mut case = Case::new(Kind::Free, joints, seed);
            let (root, target) = (case.root(), case.goals[0].position.unwrap());
            let axis = (target - root).normalize();
            let middle = root + (target - root) * 0.5;
            let radius = case.chain.length();
            let goal =
                |s| ChainGoal { pole: Some(Pole::point(circle(middle, axis, radius, s))), ..ChainGoal::at(target) };
            found.push((seed, sweep(&mut case, 120, goal)));
            if joints == 2 {
                // The elbow faces the pole.
                for i in 0..8 {
                    case.goals[0] = goal(f64::from(i) / 8.0);
                    let outcome = case.solve(ChainSolver::Default, &settings());
                    assert_eq!(outcome.status, Status::Reached);
                    let bone = case.chain.joints()[1].offset;
                    let q = case.start.root_rotation * case.chain.joints()[0].rest * case.pose.rotations[0];
                    let across = |v: Vec3| (v - axis * v.dot(axis)).normalize();
                    let pole = case.goals[0].pole.unwrap().at - root;
                    let elbow = q * bone;
                    if elbow.cross(axis).length() > 0.05 * elbow.length() {
                        assert!(across(elbow).dot(across(pole)) > 0.9999, "{seed}");
                    }
                }
            }
        }
        assert_smooth(&format!("pole {joints}"), &found, 0.02);
    }
}

#[test]
fn every_method_bends_towards_the_pole_alone() {
    let alone = ChainSettings { finish: false, max_attempts: 0, max_iterations: 3000, ..settings() };
    let mut bad = Vec::new();
    for solver in ChainSolver::ALL {
        for seed in 0..40 {
            let mut case = Case::new(Kind::Free, 2, seed);
            let (root, target) = (case.root(), case.goals[0].position.unwrap());
            let axis = (target - root).normalize();
            case.goals[0].pole = Some(Pole::point(circle(root, axis, case.chain.length(), seed as f64 / 40.0)));
            case.solve(solver, &alone);
            let elbow = case.pose.root_rotation
                * (case.chain.joints()[0].rest * (case.pose.rotations[0] * case.chain.joints()[1].offset));
            let across = |v: Vec3| v - axis * v.dot(axis);
            if across(elbow).length() < 0.05 * elbow.length() {
                continue;
            }
            let faces = across(elbow).normalize().dot(across(case.goals[0].pole.unwrap().at - root).normalize());
            // The transpose creeps: it is judged by its side alone.
            let misses = case.miss().0 > 1e-4 && solver != ChainSolver::Transpose;
            if faces < 0.9999 || misses {
                bad.push(format!("{solver:?} {seed}: faces it by {faces}, off by {:e}", case.miss().0));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn straight_limbs_bend_with_a_pole() {
    for seed in 0..20 {
        let mut case = Case::new(Kind::StraightOnAxis, 2, seed);
        let side = Random::new(seed).unit_vector();
        case.goals[0].pole = Some(Pole { is_direction: true, ..Pole::point(side) });
        assert_eq!(case.solve(ChainSolver::Default, &settings()).status, Status::Reached, "{seed}");
        assert!(case.miss().0 < 2e-6);
    }
}

#[test]
fn a_pole_in_place_changes_nothing() {
    for seed in 0..20 {
        for joints in [2, 3, 5] {
            let mut case = Case::new(Kind::Free, joints, seed);
            case.solve(ChainSolver::Default, &settings());
            let without = case.pose.clone();
            let at = Random::new(seed).in_ball(3.0);
            if joints > 2 {
                // Free chains of three bones or more are aimed in full only with a pole; one that
                // points right is left where it is.
                case.start.clone_from(&without);
            }
            for reference in [None, Some(Vec3::X)] {
                let pole = Pole { reference, ..Pole::point(at) };
                let goal = ChainGoal { pole: None, ..case.goals[0] };
                case.goals[0].pole = Some(pole.in_place(&case.chain, &case.start, &goal, &mut case.workspace));
                case.solve(ChainSolver::Default, &settings());
                for (a, b) in without.rotations.iter().zip(&case.pose.rotations) {
                    let angle = testkit::matchers::rotation_angle_rad(*a, *b);
                    assert!(angle < 2e-3, "{seed} {joints} {reference:?}: {angle}");
                }
            }
        }
    }
}

#[test]
fn limits_hold_with_a_pole() {
    for seed in 0..200 {
        let mut case = Case::new(Kind::Limits, 3, seed);
        case.goals[0].pole = Some(Pole::point(Random::new(seed).in_ball(3.0)));
        case.solve(ChainSolver::Default, &settings());
        assert!(case.violation() < 1e-5, "{seed}");
        assert!(case.miss().0 < 1e-5, "{seed}: {:?}", case.miss());
    }
}

#[test]
fn limited_chains_follow_short_paths() {
    // Limits can force a jump (the arm that must go round the back); short paths about a solvable
    // middle must not.
    let mut found = Vec::new();
    for seed in 0..30 {
        let mut case = Case::new(Kind::Free, 4, seed);
        let range = Range::new(-0.9, 0.9);
        let freedom = Freedom::from(AxisLimits { locked: [false; 3], range: [Some(range); 3] });
        let mut joints = case.chain.joints().to_vec();
        joints.iter_mut().for_each(|j| j.model = JointModel::limited(freedom));
        case.chain = sinew::chains::Chain::new(joints, case.chain.effectors().to_vec()).unwrap();
        case.start.rotations.fill(Quat::IDENTITY);
        let rest = Vec3::from_array(case.places(&case.start)[0].0.map(|x| x as f32));
        let middle = case.root() + (rest - case.root()) * 0.8;
        let path = SmoothPath::random(&mut Random::new(seed), 4, middle, 0.3 * case.chain.length());
        found.push((seed, sweep(&mut case, 100, |s| ChainGoal::at(path.at(s)))));
    }
    assert_smooth("limits", &found, 0.02);
}
