//! The entry to all chain solvers: checks, the choice of the method, and the fallback of methods
//! that stop short.

use super::methods::{ccd::Ccd, fabrik::Fabrik, jacobian, robust, spring, tree_sweeps, warm_start};
use super::model::{Chain, ChainDistance, ChainGoal, ChainPose, ChainSettings, ChainSolver, Pole};
use super::start;
use super::state;
use super::unlimited::{ball_dls, sweeps};
use super::warm_start::WarmStart;
use super::workspace::{ChainWorkspace, Slot};
use crate::math::Vec3;
use crate::optim::Work;
use crate::outcome::{Outcome, Status};

/// Goals farther from the root than this, in chain lengths, are moved nearer.
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

/// Solves a chain for its goals, one per effector, starting from the pose it is given. No
/// allocation; the same inputs give the same bits. Inputs that are not finite leave the pose
/// untouched and report `Inactive`. Ends with the best pose so far after [`Work::MOST`] steps.
pub fn solve(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
) -> Outcome {
    workspace.work.begin(Work::MOST);
    solve_within(solver, chain, pose, goals, settings, workspace)
}

/// [`solve`] with the steps that are left in [`ChainWorkspace::work_mut`].
pub fn solve_within(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
) -> Outcome {
    solve_checked(solver, chain, pose, goals, settings, workspace, None)
}

/// [`solve_within`] from the last answer of the same chain: it stays in its family of answers while
/// that meets the goals, and goes back to the given pose in what they leave free, by a tenth of a
/// radian a solve. Where the goals are not met, one attempt from another pose is made in each
/// solve, so a solve costs about as much as two descents whatever the goals are; `max_attempts`
/// counts the attempts of one round. An unbranched chain without limits has one family of answers
/// and is solved as by [`solve_within`]; it forgets the last answer. Bones stretch from the given
/// pose's lengths. [`ChainSolver::Spring`] shapes the given pose, and starts at the last answer
/// only where that misses the goals and `finish` is set.
pub fn solve_warm(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
    warm: &mut WarmStart,
) -> Outcome {
    if !warm.fits(chain) {
        return Outcome::INACTIVE;
    }
    let outcome = solve_checked(solver, chain, pose, goals, settings, workspace, Some(warm));
    if outcome.status == Status::Inactive {
        warm.reset();
    }
    outcome
}

fn solve_checked(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    workspace: &mut ChainWorkspace,
    warm: Option<&mut WarmStart>,
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
    let requested = goals.iter().any(|g| g.position.is_some() || g.rotation.is_some() || g.axis.is_some());
    if !fits || !finite || !requested || chain.length < Chain::SHORTEST || !state::make_unit(pose) {
        return Outcome::INACTIVE;
    }
    pose.root_rotation = pose.root_rotation.normalize();
    let settings = &ChainSettings { tolerance: settings.tolerance_of(joints), ..*settings };
    // Goals very far away are moved nearer, in their direction, so that squares stay finite.
    let mut nearer;
    let (root, far) = (pose.root_position, FAR * chain.length.max(1e-3));
    let mut goals = goals;
    // A length that overflows is infinite, which is far too.
    let is_far = |p: Vec3| (p - root).length() > far;
    let first = root + pose.root_rotation * chain.joints[0].offset;
    // A distance that cannot be kept: the chain goes to the point that is nearest to keeping it.
    let is_out = |d: &ChainDistance| chain.is_rigid() && chain.serial && d.is_out_of_reach(first, chain.length);
    let is_hopeless = |d: &ChainDistance| is_far(d.center) || is_out(d);
    if goals.iter().any(|g| g.position.is_some_and(is_far) || g.distance.as_ref().is_some_and(is_hopeless)) {
        nearer = [ChainGoal::default(); Chain::MAX_EFFECTORS];
        nearer[..goals.len()].copy_from_slice(goals);
        for goal in &mut nearer {
            if let Some(distance) = goal.distance.as_ref().filter(|d| !is_far(d.center) && is_out(d)) {
                goal.position = goal.position.map(|tip| distance.nearest_to_reach(first, tip));
            }
            goal.position = goal.position.map(|position| root + shortened(position - root, far));
            goal.distance = goal.distance.filter(|distance| !is_hopeless(distance));
        }
        goals = &nearer[..goals.len()];
    }
    workspace.state.load(pose);
    let outcome = solve_state(solver, chain, goals, settings, workspace, warm);
    workspace.state.store(pose);
    outcome
}

/// [`solve`] from the pose in the workspace's state.
fn solve_state(
    solver: ChainSolver,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    mut warm: Option<&mut WarmStart>,
) -> Outcome {
    if chain.is_free()
        && let Some(warm) = warm.take()
    {
        // One family of answers: what was remembered while there were limits is out of date.
        warm.reset();
    }
    if solver == ChainSolver::Default
        && let Some(outcome) = ball_dls::solve(chain, goals, settings, ws)
    {
        return outcome;
    }
    ws.save(Slot::Start);
    let mut outcome = match (solver, &mut warm) {
        (ChainSolver::Default, Some(warm)) => {
            let has_last = warm_start::begin(chain, goals, ws, warm);
            warm_start::solve(chain, goals, settings, ws, warm, has_last)
        }
        (ChainSolver::Default, None) => robust::solve(chain, goals, settings, ws),
        (_, warm) => solve_named(solver, chain, goals, settings, ws, warm.as_deref_mut()),
    };
    // Whatever overflowed on the way: a pose that is not finite is never handed out.
    if !state::is_finite(ws.state.pose()) {
        ws.restore(Slot::Start);
        for (q, joint) in ws.state.rotations_mut().iter_mut().zip(&chain.joints) {
            *q = joint.model.project(*q);
        }
        ws.state.hold(None);
        ws.state.number_rows(goals);
        let left = ws.state.measure(chain, goals);
        outcome = Outcome { status: Status::Stalled, residual_m: left.metres, residual_rad: left.radians, ..outcome };
        if let Some(warm) = warm {
            warm.reset();
        }
    } else if let Some(warm) = warm {
        // The proportional solver shapes the animation anew, and rests with it.
        if solver != ChainSolver::Spring {
            outcome = warm_start::rest(chain, goals, settings, ws, warm, outcome);
        }
        warm.keep(ws);
    }
    outcome
}

/// [`solve_state`] by the method that the solver names, and where that stops short by the default
/// solver.
fn solve_named(
    solver: ChainSolver,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    mut warm: Option<&mut WarmStart>,
) -> Outcome {
    // The proportional solver shapes the pose of the animation.
    let is_spring = solver == ChainSolver::Spring;
    let mut has_last = false;
    if !is_spring && let Some(warm) = warm.as_deref_mut() {
        has_last = warm_start::begin(chain, goals, ws, warm);
        if has_last && let Some(met) = warm_start::lead_back(chain, goals, settings, ws, warm) {
            return met;
        }
    }
    let outcome = match solver {
        ChainSolver::Fabrik if !chain.serial => tree_sweeps::fabrik(chain, goals, settings, ws),
        ChainSolver::Ccd if !chain.serial => tree_sweeps::ccd(chain, goals, settings, ws),
        ChainSolver::Spring => spring::solve(chain, goals, settings, ws),
        ChainSolver::Fabrik => sweeps::solve::<Fabrik>(chain, goals, settings, ws),
        ChainSolver::Ccd => sweeps::solve::<Ccd>(chain, goals, settings, ws),
        ChainSolver::DampedLeastSquares => jacobian::solve(jacobian::Method::Damped, chain, goals, settings, ws),
        ChainSolver::Transpose => jacobian::solve(jacobian::Method::Transpose, chain, goals, settings, ws),
        ChainSolver::PseudoInverse => jacobian::solve(jacobian::Method::PseudoInverse, chain, goals, settings, ws),
        ChainSolver::SelectivelyDamped => jacobian::solve(jacobian::Method::Selective, chain, goals, settings, ws),
        ChainSolver::Default => robust::solve(chain, goals, settings, ws),
    };
    let is_final = is_spring && outcome.status == Status::Unreachable;
    let may_finish = settings.finish && !is_final && !ws.work.is_out();
    let more = match (outcome.status, warm) {
        (Status::Reached, Some(warm)) if has_last => warm_start::lead_back(chain, goals, settings, ws, warm),
        (Status::Reached, _) => None,
        (_, warm) if may_finish => ball_dls::solve(chain, goals, settings, ws).or_else(|| {
            Some(match warm {
                Some(warm) if is_spring => warm_start::finish_shape(chain, goals, settings, ws, warm),
                Some(warm) => warm_start::solve(chain, goals, settings, ws, warm, has_last),
                None => robust::solve(chain, goals, settings, ws),
            })
        }),
        _ => None,
    };
    more.map_or(outcome, |more| Outcome { iterations: outcome.iterations + more.iterations, ..more })
}

impl Pole {
    /// This pole with the angle at which adding it leaves the chain where it is: the swivel that
    /// `pose` and the goal's position give without a pole. Compute it once, at set-up; afterwards
    /// the chain follows the pole.
    pub fn in_place(self, chain: &Chain, pose: &ChainPose, goal: &ChainGoal, workspace: &mut ChainWorkspace) -> Self {
        let joints = chain.joints.len();
        let fits = workspace.fits(chain) && pose.rotations.len() == joints && pose.stretch.len() == joints;
        let is_sound = fits && goal.is_finite();
        if !is_sound {
            return Self { angle_rad: 0.0, ..self };
        }
        workspace.state.load(pose);
        let angle_rad = start::angle_in_place(chain, goal, &self, workspace);
        Self { angle_rad, ..self }
    }
}
