//! Bones without length: a joint that coincides with its parent moves nothing, but what it turns
//! still has to be counted.

use crate::cases::{Case, Kind};
use sinew::chains::{Chain, ChainJoint, ChainPose, ChainSettings, ChainSolver};
use sinew::outcome::Status;
use testkit::Random;

/// The chain of a case with the bones that end at some joints made as long as nothing.
fn collapsed(kind: Kind, joints: usize, seed: u64, is_collapsed: impl Fn(usize) -> bool) -> Case {
    let case = Case::new(kind, joints, seed);
    let mut list: Vec<ChainJoint> = case.chain.joints().to_vec();
    for (index, joint) in list.iter_mut().enumerate().skip(1) {
        if is_collapsed(index) {
            joint.offset *= 0.0;
        }
    }
    let chain = Chain::new(list, case.chain.effectors().to_vec()).expect("a sound chain");
    let start = ChainPose { stretch: vec![1.0; joints], ..case.start.clone() };
    let mut collapsed = Case::of(seed, chain, start);
    collapsed.goals = case.goals;
    collapsed
}

/// What the outcome says is what the judge finds, and "reached" is near.
fn assert_honest(case: &mut Case, what: &str) {
    for solver in ChainSolver::ALL {
        let outcome = case.solve(solver, &ChainSettings::default());
        let what = format!("{what}, {solver:?}: {outcome:?}");
        let (miss, angle) = case.miss();
        let said = f64::from(outcome.residual_m / case.chain.length());
        assert!((said - miss).abs() < 1e-5, "{what}: the judge finds {miss} of the length, {said} was said");
        if outcome.status == Status::Reached {
            assert!(miss < 1e-3, "{what}: {miss} of the length away");
            assert!(angle < 1e-2, "{what}: {angle} rad away");
        }
    }
}

#[test]
fn a_position_and_rotation_goal_behind_a_bone_without_length() {
    for joints in 3..9 {
        for seed in 0..60 {
            for first in (1..joints).rev().take(3) {
                let mut case = collapsed(Kind::Rotation, joints, seed, |joint| joint >= first);
                assert_honest(&mut case, &format!("{joints} joints, seed {seed}, none from {first} on"));
            }
        }
    }
}

#[test]
fn bones_without_length_anywhere() {
    let mut random = Random::new(11);
    for kind in [Kind::Free, Kind::Rotation, Kind::StraightOnAxis] {
        for seed in 0..100 {
            let joints = 3 + random.below(7);
            let none: Vec<bool> = (0..joints).map(|_| random.below(3) == 0).collect();
            let mut case = collapsed(kind, joints, seed, |joint| none[joint]);
            assert_honest(&mut case, &format!("{kind:?}, {joints} joints, seed {seed}, {none:?}"));
        }
    }
}
