//! Chains of any number of bones and targets for them, for measuring speed: the total length is 1,
//! whatever the number.

use crate::random::Random;
use sinew::chains::{Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, solve};
use sinew::limits::JointModel;
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::outcome::Outcome;

/// A chain with everything for a solve, and targets.
#[derive(Clone, Debug)]
pub struct Reach {
    /// Bones of equal length, 1 together.
    pub chain: Chain,
    /// At rest; its root at the origin.
    pub rest: ChainPose,
    /// Copied from `rest` before each solve.
    pub pose: ChainPose,
    /// Scratch.
    pub workspace: ChainWorkspace,
    /// Targets at 0.3 … 0.9 of the length from the root, in any direction.
    pub targets: Vec<Vec3>,
}

/// Number of targets of [`Reach::new`].
pub const TARGETS: usize = 100;

impl Reach {
    /// Free ball joints; at rest the chain is gently bent, one radian from end to end, with a
    /// slight twist out of the plane.
    pub fn new(bones: usize) -> Self {
        Self::with_model(bones, JointModel::FREE)
    }
    /// The same with another joint model.
    pub fn with_model(bones: usize, model: JointModel) -> Self {
        let each = 1.0 / bones as f32;
        let bend = (axis_angle(Vec3::Z, 0.4 * each) * axis_angle(Vec3::X, each)).normalize();
        let vectors = vec![Vec3::Y * each; bones];
        let rests: Vec<Quat> = (0..bones).map(|i| if i == 0 { Quat::IDENTITY } else { bend }).collect();
        let chain = Chain::serial(&vectors, &rests, &vec![model; bones]).expect("a sound chain");
        let mut random = Random::new(7);
        let targets = (0..TARGETS).map(|_| random.unit_vector() * random.between(0.3, 0.9)).collect();
        let rest = ChainPose::rest(&chain);
        Self { pose: rest.clone(), workspace: ChainWorkspace::new(&chain), chain, rest, targets }
    }
    /// Places of the joints at rest, and of the end.
    pub fn points(&self) -> Vec<Vec3> {
        let (mut place, mut rotation) = (Vec3::ZERO, Quat::IDENTITY);
        let mut points = Vec::new();
        for joint in self.chain.joints() {
            place += rotation * joint.offset;
            rotation = (rotation * joint.rest).normalize();
            points.push(place);
        }
        points.push(place + rotation * self.chain.effectors()[0].offset);
        points
    }
    /// Resets to rest and returns the goal of this number (modulo their count).
    pub fn start(&mut self, number: usize) -> [ChainGoal; 1] {
        self.pose.clone_from(&self.rest);
        [ChainGoal::at(self.targets[number % self.targets.len()])]
    }
    /// Solves from the pose as it is.
    pub fn run(&mut self, solver: ChainSolver, settings: &ChainSettings, goal: &[ChainGoal; 1]) -> Outcome {
        solve(solver, &self.chain, &mut self.pose, goal, settings, &mut self.workspace)
    }
    /// Solves from rest for the target of this number.
    pub fn solve(&mut self, solver: ChainSolver, settings: &ChainSettings, number: usize) -> Outcome {
        let goal = self.start(number);
        self.run(solver, settings, &goal)
    }
}
