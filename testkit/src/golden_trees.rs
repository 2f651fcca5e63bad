//! The golden scene of trees: chains with several ends.

use crate::matchers::{HASH_START, hash_transforms};
use crate::random::Random;
use sinew::chains::{
    Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, WarmStart, solve,
    solve_warm,
};
use sinew::limits::{Freedom, JointModel, Range, SwingRegion};
use sinew::math::{Transform, Vec3};

const TRUNK: usize = 2;
const BRANCHES: usize = 4;
const BRANCH: usize = 3;

/// Joints of one length; branches stand side by side on the trunk.
fn tree(model: JointModel, random: &mut Random) -> Chain {
    let mut joints: Vec<ChainJoint> = Vec::new();
    let mut effectors = Vec::new();
    let mut add = |parent: Option<usize>, offset: Vec3| {
        joints.push(ChainJoint { parent, offset, rest: random.rotation_within(0.2), model });
        joints.len() - 1
    };
    let mut top = add(None, Vec3::ZERO);
    for _ in 1..TRUNK {
        top = add(Some(top), Vec3::Y);
    }
    for branch in 0..BRANCHES {
        let mut last = top;
        for joint in 0..BRANCH {
            let aside = if joint == 0 { Vec3::X * (branch as f32 - 1.5) } else { Vec3::ZERO };
            last = add(Some(last), Vec3::Y + aside);
        }
        effectors.push(Effector { joint: last, offset: Vec3::Y });
    }
    Chain::new(joints, effectors).expect("a sound tree")
}

/// Limited trees that start at their last answer, goals that move in and out of reach.
pub fn play_warm() -> u64 {
    let mut random = Random::new(13);
    let mut hash = HASH_START;
    let cone = Freedom::Ball { swing: SwingRegion::cone(0.6), twist: Range::new(-0.4, 0.4) };
    let chain = tree(JointModel::limited(cone), &mut random);
    let (mut workspace, settings) = (ChainWorkspace::new(&chain), ChainSettings::default());
    for solver in [ChainSolver::Default, ChainSolver::Fabrik, ChainSolver::DampedLeastSquares] {
        let mut warm = WarmStart::new(&chain);
        let mut places = [0, 1, 2, 3].map(|branch| Vec3::new(branch as f32 - 1.5, 4.0, 0.0));
        for _ in 0..30 {
            places.iter_mut().for_each(|place| *place += random.in_ball(0.4));
            let goals = places.map(ChainGoal::at);
            let mut pose = ChainPose::rest(&chain);
            let outcome = solve_warm(solver, &chain, &mut pose, &goals, &settings, &mut workspace, &mut warm);
            let rotations = pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q));
            hash = hash_transforms(&rotations.collect::<Vec<_>>(), hash);
            hash = hash_transforms(&[Transform::at(Vec3::splat(outcome.residual_m))], hash);
        }
    }
    hash
}

/// Every solver on free and limited trees, goals in and out of reach, some with rotations.
pub fn play() -> u64 {
    let mut random = Random::new(12);
    let mut hash = HASH_START;
    let range = |angle: f32| Range::new(-angle, angle);
    let cone = Freedom::Ball { swing: SwingRegion::cone(0.6), twist: range(0.4) };
    for model in [JointModel::FREE, JointModel::limited(cone)] {
        let chain = tree(model, &mut random);
        let mut workspace = ChainWorkspace::new(&chain);
        for solver in ChainSolver::ALL {
            for turned in [false, true] {
                let goals: Vec<ChainGoal> = (0..BRANCHES)
                    .map(|branch| {
                        let place = Vec3::new(branch as f32 - 1.5, 4.0, 0.0) + random.in_ball(1.5);
                        if turned { ChainGoal::pose(place, random.rotation_within(1.0)) } else { ChainGoal::at(place) }
                    })
                    .collect();
                let settings = ChainSettings { max_iterations: 20, max_attempts: 3, ..ChainSettings::default() };
                let mut pose = ChainPose::rest(&chain);
                let outcome = solve(solver, &chain, &mut pose, &goals, &settings, &mut workspace);
                let rotations = pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q));
                hash = hash_transforms(&rotations.collect::<Vec<_>>(), hash);
                hash = hash_transforms(&[Transform::at(Vec3::splat(outcome.residual_m))], hash);
            }
        }
    }
    hash
}
