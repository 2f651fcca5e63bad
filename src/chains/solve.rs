//! The entry to all chain solvers: checks, the choice of the method, and the fallback of methods that stop short.

use super::methods::{ccd::Ccd, fabrik::Fabrik, jacobian, robust, spring, tree_sweeps};
use super::model::{Chain, ChainGoal, ChainPose, ChainSettings, ChainSolver, Pole};
use super::start;
use super::state::{self, ChainWorkspace, START};
use super::unlimited::{ball_dls, sweeps};
use crate::math::Vec3;
use crate::outcome::{Outcome, Status};

/// Farthest goal that is told from one farther away, in chain lengths from the root.
const FAR: f32 = 1e6;

/// The vector, at most `most` long; any finite vector.
fn shortened(v: Vec3, most: f32) -> Vec3 {
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs()).min(f32::MAX);
    if largest <= 0.0 {
        return v;
    }
    let unit =
        Vec3::new(v.x.clamp(-f32::MAX, f32::MAX), v.y.clamp(-f32::MAX, f32::MAX), v.z.clamp(-f32::MAX, f32::MAX))
            / largest;
    let length = unit.length();
    if length * largest <= most { v } else { unit * (most / length) }
}

/// Solves a chain for its goals, one per effector, starting from the pose it is given. No allocation; the same inputs give the
/// same bits. Inputs that are not finite leave the pose untouched and report `Inactive`.
pub fn solve(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
) -> Outcome {
    let joints = chain.joints.len();
    let fits = pose.rotations.len() == joints
        && pose.stretch.len() == joints
        && goals.len() == chain.effectors.len()
        && workspace.fits(chain);
    let finite = pose.root_position.is_finite()
        && pose.root_position.abs().max_element() < Chain::LONGEST_BONE
        && pose.root_rotation.is_finite()
        && pose.root_rotation.length_squared() > 1e-6
        && goals.iter().all(ChainGoal::is_finite);
    let asked = goals.iter().any(|g| g.position.is_some() || g.rotation.is_some() || g.axis.is_some());
    if !fits || !finite || !asked || chain.length < Chain::SHORTEST || !state::make_unit(pose) {
        return Outcome::INACTIVE;
    }
    pose.root_rotation = pose.root_rotation.normalize();
    // Goals beyond all measure are taken nearer, in their direction, so that squares stay numbers.
    let mut nearer;
    let far = FAR * chain.length.max(1e-3);
    let mut goals = goals;
    // A length that overflows is infinite, which is far too.
    if goals.iter().any(|g| g.position.is_some_and(|p| (p - pose.root_position).length() > far)) {
        nearer = [ChainGoal::default(); Chain::MAX_EFFECTORS];
        nearer[..goals.len()].copy_from_slice(goals);
        for position in nearer.iter_mut().filter_map(|g| g.position.as_mut()) {
            *position = pose.root_position + shortened(*position - pose.root_position, far);
        }
        goals = &nearer[..goals.len()];
    }
    if solver == ChainSolver::Default
        && let Some(outcome) = ball_dls::solve(chain, pose, goals, settings, workspace)
    {
        return outcome;
    }
    workspace.save(START, pose);
    let mut outcome = match solver {
        ChainSolver::Default => robust::solve(chain, pose, goals, settings, workspace),
        ChainSolver::Fabrik if !chain.serial => tree_sweeps::fabrik(chain, pose, goals, settings, workspace),
        ChainSolver::Ccd if !chain.serial => tree_sweeps::ccd(chain, pose, goals, settings, workspace),
        ChainSolver::Spring => spring::solve(chain, pose, goals, settings, workspace),
        ChainSolver::Fabrik => sweeps::solve::<Fabrik>(chain, pose, goals, settings, workspace),
        ChainSolver::Ccd => sweeps::solve::<Ccd>(chain, pose, goals, settings, workspace),
        ChainSolver::DampedLeastSquares => {
            jacobian::solve(jacobian::Method::Damped, chain, pose, goals, settings, workspace)
        }
        ChainSolver::Transpose => jacobian::solve(jacobian::Method::Transpose, chain, pose, goals, settings, workspace),
        ChainSolver::PseudoInverse => {
            jacobian::solve(jacobian::Method::PseudoInverse, chain, pose, goals, settings, workspace)
        }
        ChainSolver::SelectivelyDamped => {
            jacobian::solve(jacobian::Method::Selective, chain, pose, goals, settings, workspace)
        }
    };
    let final_word = solver == ChainSolver::Spring && outcome.status == Status::Unreachable;
    if outcome.status != Status::Reached && solver != ChainSolver::Default && settings.finish && !final_word {
        let finished = match ball_dls::solve(chain, pose, goals, settings, workspace) {
            Some(outcome) => outcome,
            None => robust::solve(chain, pose, goals, settings, workspace),
        };
        outcome = Outcome { iterations: outcome.iterations + finished.iterations, ..finished };
    }
    // Whatever overflowed on the way: a pose that is not made of numbers is never handed out.
    if !state::is_finite(pose) {
        workspace.restore(START, pose);
        for (q, joint) in pose.rotations.iter_mut().zip(&chain.joints) {
            *q = joint.model.project(*q);
        }
        return Outcome { status: Status::Stalled, ..Outcome::INACTIVE };
    }
    outcome
}

impl Pole {
    /// This pole with the angle at which adding it leaves the chain where it is: the swivel that `pose` and the goal's position give without a
    /// pole. To be asked once, at set-up; afterwards the chain follows the pole.
    pub fn in_place(self, chain: &Chain, pose: &ChainPose, goal: &ChainGoal, workspace: &mut ChainWorkspace) -> Self {
        let mut pose = pose.clone();
        let sound = workspace.fits(chain) && pose.rotations.len() == chain.joints.len() && goal.is_finite();
        let angle_rad = if sound { start::angle_in_place(chain, &mut pose, goal, &self, workspace) } else { 0.0 };
        Self { angle_rad, ..self }
    }
}
