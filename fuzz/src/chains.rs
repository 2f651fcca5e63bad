//! A chain with limits and goals from the bytes; what a solver says of its pose is what a judge in
//! `f64` finds, and limits hold.

#[path = "../../tests/chains/cases.rs"]
mod chain_cases;

use crate::input::Input;
use chain_cases::{Case, Kind};
use sinew::chains::{Chain, ChainJoint, ChainPose, ChainSettings, ChainSolver, Effector};
use sinew::math::{Quat, Vec3};
use sinew::outcome::Status;

const KINDS: [Kind; 14] = [
    Kind::Free,
    Kind::StraightOnAxis,
    Kind::NearRoot,
    Kind::FullReach,
    Kind::Planar,
    Kind::PlanarOnAxis,
    Kind::PlanarLimits,
    Kind::Limits,
    Kind::HingeLimits,
    Kind::Locks,
    Kind::Rotation,
    Kind::RotationLimits,
    Kind::Tree,
    Kind::Stiff,
];

/// Solves what the bytes describe.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = KINDS[input.below(KINDS.len())];
    let joints = 2 + input.below(9);
    let mut case = Case::new(kind, joints, input.long());
    if input.one_in(3) {
        change(&mut case, &mut input);
    }
    for goal in &mut case.goals {
        if input.one_in(3) {
            goal.position = Some(vector(&mut input) * 2.0);
        }
        if input.one_in(6) {
            let turn = Quat::from_xyzw(input.calm(), input.calm(), input.calm(), 2.5 + input.calm());
            goal.rotation = Some(turn.normalize());
        }
    }
    let solver = ChainSolver::ALL[input.below(ChainSolver::ALL.len())];
    let settings = ChainSettings { max_iterations: 1 + input.below(60) as u32, ..ChainSettings::default() };
    let outcome = case.solve(solver, &settings);
    let what = format!("{kind:?}, {joints} joints, {solver:?}: {outcome:?}");
    for q in &case.pose.rotations {
        assert!(q.is_finite() && (q.length() - 1.0).abs() < 1e-4, "{what}: {q}");
    }
    assert!(case.pose.stretch.iter().all(|s| s.is_finite()), "{what}");
    assert!(case.violation() < 1e-3, "{what}: {} rad beyond a limit", case.violation());
    let (miss, angle) = case.miss();
    let length = f64::from(case.chain.length());
    let said = f64::from(outcome.residual_m) / length;
    assert!((said - miss).abs() < 1e-4 * (1.0 + miss), "{what}: the judge finds {miss} of the length, {said} was said");
    if outcome.status == Status::Reached {
        assert!(miss < 1e-3, "{what}: reached, but {miss} of the length away");
        assert!(angle < 1e-2, "{what}: reached, but {angle} rad away");
    }
}

fn vector(input: &mut Input) -> Vec3 {
    Vec3::new(input.calm(), input.calm(), input.calm())
}

/// Bones of other lengths, or of none.
fn change(case: &mut Case, input: &mut Input) {
    let mut joints: Vec<ChainJoint> = case.chain.joints().to_vec();
    for joint in joints.iter_mut().skip(1) {
        joint.offset *= [1.0, 0.3, 0.1, 3.0, 0.0][input.below(5)];
    }
    let effectors: Vec<Effector> = case.chain.effectors().to_vec();
    let Ok(chain) = Chain::new(joints, effectors) else { return };
    if chain.length() > 0.1 {
        let start = ChainPose { stretch: vec![1.0; chain.joints().len()], ..case.start.clone() };
        let goals = case.goals.clone();
        *case = Case::of(case.seed, chain, start);
        case.goals = goals;
    }
}
