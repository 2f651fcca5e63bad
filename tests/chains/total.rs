//! Chain solvers take any finite input: what comes out is finite, unit, inside limits, the same
//! every time, and nothing is allocated.

use crate::cases::{Case, Kind};
use sinew::chains::{
    AxisGoal, Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, Pole,
};
use sinew::limits::JointModel;
use sinew::math::{Quat, Vec3};
use sinew::outcome::Status;
use testkit::Random;
use testkit::allocations::calls;

fn assert_sound(pose: &ChainPose, what: &str) {
    for q in &pose.rotations {
        assert!(q.is_finite() && (q.length() - 1.0).abs() < 1e-4, "{what}: {q}");
    }
    assert!(pose.stretch.iter().all(|s| s.is_finite()), "{what}");
}

#[test]
fn no_solve_allocates() {
    for kind in [Kind::Free, Kind::Limits, Kind::Rotation, Kind::Tree, Kind::Planar] {
        for solver in ChainSolver::ALL {
            let mut case = Case::new(kind, 6, 3);
            let mut pose = case.start.clone();
            let before = calls();
            sinew::chains::solve(
                solver,
                &case.chain,
                &mut pose,
                &case.goals,
                &ChainSettings::default(),
                &mut case.workspace,
            );
            assert_eq!(calls(), before, "{kind:?} {solver:?}");
        }
    }
}

#[test]
fn odd_goals_and_chains_give_sound_poses() {
    let mut random = Random::new(5);
    for round in 0..300 {
        let kinds = [Kind::Free, Kind::Limits, Kind::Planar, Kind::StraightOnAxis, Kind::HingeLimits];
        let mut case = Case::new(kinds[round % kinds.len()], 1 + random.below(6), round as u64);
        if random.below(3) == 0 {
            // Bones without length, or very uneven ones.
            let mut joints: Vec<ChainJoint> = case.chain.joints().to_vec();
            joints.iter_mut().for_each(|j| j.offset *= [0.0, 0.0, 1.0, 1e-4, 1e3][random.below(5)]);
            let mut effectors: Vec<Effector> = case.chain.effectors().to_vec();
            effectors[0].offset *= [0.0, 1.0][random.below(2)];
            case.chain = Chain::new(joints, effectors).unwrap();
        }
        let size = [0.0, 1e-30, 1e-6, 1.0, 1e6, 1e18, 3e38][random.below(7)];
        case.goals[0].position = Some(random.unit_vector() * size);
        if random.below(2) == 0 {
            case.goals[0].rotation = Some(random.rotation());
        } else if random.below(2) == 0 {
            case.goals[0].axis = Some(AxisGoal { axis: random.unit_vector(), direction: random.unit_vector() });
        }
        if random.below(2) == 0 {
            let at = random.unit_vector() * [0.0, 1.0, 1e18][random.below(3)];
            case.goals[0].pole = Some(Pole { is_direction: random.below(2) == 0, ..Pole::point(at) });
        }
        for solver in ChainSolver::ALL {
            case.solve(solver, &ChainSettings { max_attempts: 4, ..ChainSettings::default() });
            assert_sound(&case.pose, &format!("{round} {solver:?} {:?}", case.goals[0]));
            assert!(case.chain.length() < Chain::SHORTEST || case.violation() < 1e-4, "{round} {solver:?}");
        }
    }
}

#[test]
fn what_is_not_a_number_is_refused_and_changes_nothing() {
    let mut case = Case::new(Kind::Free, 4, 1);
    for position in [Vec3::NAN, Vec3::new(f32::INFINITY, 0.0, 0.0)] {
        case.goals[0] = ChainGoal::at(position);
        assert_eq!(case.solve(ChainSolver::Default, &ChainSettings::default()).status, Status::Inactive);
        assert_eq!(case.pose, case.start);
    }
    let none = ChainGoal::default();
    case.goals[0] = none;
    assert_eq!(case.solve(ChainSolver::Default, &ChainSettings::default()).status, Status::Inactive);
    assert!(Chain::serial(&[], &[], &[]).is_err());
    assert!(Chain::serial(&[Vec3::NAN], &[Quat::IDENTITY], &[JointModel::FREE]).is_err());
    assert!(Chain::serial(&[Vec3::Y], &[Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)], &[JointModel::FREE]).is_err());
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for kind in [Kind::Free, Kind::Limits, Kind::Rotation, Kind::Tree] {
        let mut first = Case::new(kind, 6, 11);
        let mut second = Case::new(kind, 6, 11);
        first.solve(ChainSolver::Default, &ChainSettings::default());
        // The second workspace has solved something else before.
        let goal = second.goals[0];
        second.goals[0] = ChainGoal::pose(Vec3::X, Quat::IDENTITY);
        second.solve(ChainSolver::Default, &ChainSettings::default());
        second.goals[0] = goal;
        second.solve(ChainSolver::Default, &ChainSettings::default());
        let bits = |pose: &ChainPose| pose.rotations.iter().map(|q| q.to_array().map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&first.pose), bits(&second.pose), "{kind:?}");
    }
    let _ = ChainWorkspace::new(&Case::new(Kind::Free, 2, 0).chain);
}
