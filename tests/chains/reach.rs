//! Chain solvers, judged from outside: `f64` forward kinematics on the result of thousands of made
//! cases. What a witness pose proves reachable is reached, limits hold, and the solver's own
//! outcome is checked.

use crate::cases::{Case, Kind, Score};
use sinew::chains::{Chain, ChainSettings, ChainSolver};
use sinew::limits::Stretch;
use sinew::outcome::Status;

/// Cases per kind; `SINEW_CASES` sets another number.
fn cases(usual: u64) -> u64 {
    std::env::var("SINEW_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn run(kind: Kind, joints: usize, count: u64, solver: ChainSolver) -> Score {
    let mut score = Score::default();
    for seed in 0..count {
        let mut case = Case::new(kind, joints, seed);
        let outcome = case.solve(solver, &ChainSettings::default());
        score.add(&case, &outcome);
    }
    let (missed, violated, lied) = (score.missed.len(), score.violated.len(), score.lied.len());
    let each = score.iterations as f64 / count as f64;
    println!(
        "{kind:?} {joints} {solver:?}: {count} cases, {missed} missed {violated} violated {lied} lied, median {:.1e}, {each:.1} iterations",
        score.median()
    );
    score
}

fn all_reached(kind: Kind, sizes: &[usize], count: u64) {
    for &joints in sizes {
        let count = cases(count).min(20_000 / joints as u64);
        let score = run(kind, joints, count, ChainSolver::Default);
        assert_eq!(score.missed, [0u64; 0], "{kind:?} of {joints}: cases not reached");
        assert_eq!(score.violated, [0u64; 0], "{kind:?} of {joints}: limits");
        assert_eq!(score.lied, [0u64; 0], "{kind:?} of {joints}: its own numbers");
        assert!(score.median() <= 1e-6, "{kind:?} of {joints}: median {}", score.median());
    }
}

#[test]
fn free_chains() {
    all_reached(Kind::Free, &[1, 2, 3, 5, 10, 30, 100, 300], 60);
}
#[test]
fn straight_chains_with_the_target_on_their_axis() {
    all_reached(Kind::StraightOnAxis, &[2, 3, 5, 10, 30, 100], 40);
}
#[test]
fn targets_near_the_root() {
    all_reached(Kind::NearRoot, &[3, 5, 10, 30, 100], 40);
}
#[test]
fn targets_at_full_reach() {
    all_reached(Kind::FullReach, &[2, 3, 5, 10, 30, 100], 40);
}
#[test]
fn planar_hinges() {
    all_reached(Kind::Planar, &[2, 3, 5, 10, 30], 60);
}
#[test]
fn straight_planar_hinges_with_the_target_on_their_axis() {
    all_reached(Kind::PlanarOnAxis, &[2, 3, 5, 10], 40);
}
#[test]
fn planar_hinges_with_limits() {
    all_reached(Kind::PlanarLimits, &[2, 3, 5, 10], 60);
}
#[test]
fn every_kind_of_limit() {
    all_reached(Kind::Limits, &[2, 3, 5, 8], 100);
}
#[test]
fn hinges_with_limits() {
    all_reached(Kind::HingeLimits, &[3, 4, 6], 60);
}
#[test]
fn locks() {
    all_reached(Kind::Locks, &[3, 4, 6], 60);
}
#[test]
fn rotation_goals() {
    all_reached(Kind::Rotation, &[2, 3, 5, 8, 30], 60);
}
#[test]
fn rotation_goals_with_limits() {
    all_reached(Kind::RotationLimits, &[4, 6, 8], 60);
}
#[test]
fn trees() {
    all_reached(Kind::Tree, &[6, 9, 14], 40);
}
/// Narrow ranges and branches that share two joints: a search without any bound on its time misses
/// 14 of 100 of these. A bounded one may not miss many more.
#[test]
fn trees_of_hinges_with_limits() {
    let count = cases(500);
    let score = run(Kind::HingeTree, 22, count, ChainSolver::Default);
    assert!(score.missed.len() as u64 * 100 <= 15 * count, "not reached: {:?}", score.missed);
    assert_eq!(score.violated, [0u64; 0], "limits");
    assert_eq!(score.lied, [0u64; 0], "its own numbers");
}
#[test]
fn stiff_joints() {
    all_reached(Kind::Stiff, &[3, 5, 8], 40);
}

#[test]
fn every_method_reaches_because_the_default_finishes() {
    for solver in [
        ChainSolver::DampedLeastSquares,
        ChainSolver::PseudoInverse,
        ChainSolver::Transpose,
        ChainSolver::SelectivelyDamped,
        ChainSolver::Fabrik,
        ChainSolver::Ccd,
    ] {
        for kind in [Kind::Free, Kind::StraightOnAxis, Kind::Limits, Kind::Planar, Kind::Rotation] {
            let score = run(kind, 5, cases(30), solver);
            assert_eq!(score.missed, [0u64; 0], "{solver:?} {kind:?}");
            assert_eq!(score.violated, [0u64; 0], "{solver:?} {kind:?}");
        }
    }
}

#[test]
fn goals_that_the_bones_rule_out_are_unreachable_whatever_limits_the_joints_have() {
    let mut near = 0;
    for kind in [Kind::Free, Kind::Limits, Kind::HingeLimits, Kind::Planar, Kind::Locks, Kind::Stiff, Kind::Tree] {
        for seed in 0..cases(12) {
            let mut case = Case::new(kind, 2 + seed as usize % 5, seed);
            let (root, hole, length) = (case.root(), case.hole(), case.chain.length());
            let out = (case.goals[0].position.unwrap() - root).normalize();
            let mut status_at = |distance: f32| {
                case.goals[0].position = Some(root + out * distance);
                case.solve(ChainSolver::Default, &ChainSettings::default()).status
            };
            for distance in [1.01 * length, 1.3 * length, 20.0 * length] {
                assert_eq!(status_at(distance), Status::Unreachable, "{kind:?} {seed}: {distance} of {length}");
            }
            if hole > 0.02 && kind != Kind::Tree {
                near += 1;
                assert_eq!(status_at(0.9 * hole), Status::Unreachable, "{kind:?} {seed}: {hole} of {length}");
            }
        }
    }
    assert!(near > 3, "{near}");
    // What limits alone rule out is not known to be out of reach.
    let mut stalled = 0;
    for seed in 0..cases(12) {
        let mut case = Case::new(Kind::HingeLimits, 4, seed);
        let inside = case.root() + (case.root() - case.goals[0].position.unwrap()) * 0.9;
        case.goals[0].position = Some(inside);
        let status = case.solve(ChainSolver::Default, &ChainSettings::default()).status;
        assert_ne!(status, Status::Unreachable, "{seed}");
        stalled += u32::from(status == Status::Stalled);
    }
    assert!(stalled > 0);
}
#[test]
fn free_chains_stretch_to_goals_beyond_reach() {
    for joints in [2, 3, 5, 30] {
        for seed in 0..20 {
            let mut case = Case::new(Kind::Free, joints, seed);
            let mut list = case.chain.joints().to_vec();
            list.iter_mut().for_each(|j| j.model.stretch = Stretch { min: 0.8, max: 1.4, compliance: 0.5 });
            case.chain = Chain::new(list, case.chain.effectors().to_vec()).unwrap();
            let direction = (case.goals[0].position.unwrap() - case.root()).normalize();
            case.goals[0].position = Some(case.root() + direction * case.chain.length() * 1.2);
            let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
            assert!(case.miss().0 < 1e-5, "{joints} {seed}: {outcome:?}");
            case.solve(ChainSolver::Default, &ChainSettings { use_stretch: false, ..ChainSettings::default() });
            assert!((case.miss().0 - 0.2).abs() < 1e-5, "{joints} {seed}: straight, and no longer than its bones");
        }
    }
}

#[test]
fn bones_that_stretch_are_out_of_reach_beyond_their_greatest_length() {
    for kind in [Kind::Free, Kind::HingeLimits, Kind::Limits] {
        for joints in [2, 4, 12] {
            for seed in 0..10 {
                let mut case = Case::new(kind, joints, seed);
                let mut list = case.chain.joints().to_vec();
                list.iter_mut().for_each(|j| j.model.stretch = Stretch { min: 0.9, max: 1.3, compliance: 0.5 });
                case.chain = Chain::new(list, case.chain.effectors().to_vec()).unwrap();
                let direction = (case.goals[0].position.unwrap() - case.root()).normalize();
                for factor in [1.31, 1.5, 4.0] {
                    case.goals[0].position = Some(case.root() + direction * case.chain.length() * factor);
                    let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
                    assert_eq!(outcome.status, Status::Unreachable, "{kind:?} {joints} {seed} {factor}: {outcome:?}");
                    if kind == Kind::Free {
                        let left = f64::from(factor - 1.3);
                        assert!((case.miss().0 - left).abs() < 1e-3, "{joints} {seed} {factor}: {:?}", case.miss());
                    }
                }
            }
        }
    }
}
