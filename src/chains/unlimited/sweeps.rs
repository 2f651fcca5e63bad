//! Methods that sweep over an unbranched chain: on bones alone where every rotation is allowed.

use super::start::Start;
use crate::chains::methods::iterate::iterate;
use crate::chains::model::blocks::Runs;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::workspace::ChainWorkspace;
use crate::math::{F32x4, F32x8, Quat, Vec3};
use crate::optim::{self, Work};
use crate::outcome::{Outcome, Status};

/// What a sweep needs to know: the chain, its root at the origin, seen from before the aim.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Span {
    /// Joints that carry the carried point.
    pub count: usize,
    /// Where the carried point is at the start.
    pub tip: Vec3,
    /// Where it has to be.
    pub target: Vec3,
    start: Start,
    aim: Quat,
}

/// A method that sweeps over an unbranched chain.
pub(in crate::chains) trait Sweeps {
    /// Sweeps over the bones in the blocks, as long as `progress` goes on; leaves there what they
    /// were turned by.
    fn run<L: Runs>(
        chain: &Chain,
        settings: &ChainSettings,
        ws: &mut ChainWorkspace,
        span: &Span,
        progress: &mut Progress,
    );
    /// One sweep over joints with limits towards where the carried point has to be, no joint by
    /// more than `most` radians. Forward kinematics are up to date; they need not be, afterwards.
    fn sweep(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3, most: f32);
}

/// Solves an unbranched chain for its position goal by such a method: on bones alone where it can
/// be done so.
pub(in crate::chains) fn solve<S: Sweeps>(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if !chain.is_serial() || goals[0].position.is_none() {
        return Outcome::INACTIVE;
    }
    let most = settings.sweep_step_rad.max(1e-3);
    // A cap counts per joint and sweep; the free way knows bones only.
    if most >= core::f32::consts::PI {
        let on_bones = if chain.table.is_short() { on_bones::<S, F32x4> } else { on_bones::<S, F32x8> };
        if let Some(outcome) = on_bones(chain, goals, settings, ws) {
            return outcome;
        }
    }
    start::start_aimed(chain, goals, ws);
    iterate(chain, goals, settings, ws, |chain, ws, target| {
        S::sweep(chain, ws, target, most);
    })
}

fn on_bones<S: Sweeps, L: Runs>(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let span = begin::<L>(chain, goals, ws)?;
    let mut progress = Progress::new((span.target - span.tip).length());
    S::run::<L>(chain, settings, ws, &span, &mut progress);
    Some(finish::<L>(chain, settings, ws, &span, &progress))
}

/// Takes the pose into the blocks, bent where it must and aimed, when the chain and the goal are of
/// the kind.
fn begin<L: Runs>(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Option<Span> {
    let goal = &goals[0];
    let position = goal.position?;
    start::hold_end_rotation(chain, goals, ws);
    if !chain.is_free() || (ws.state.held().is_none() && (goal.rotation.is_some() || goal.axis.is_some())) {
        return None;
    }
    if !chain.is_rigid() {
        start::clamp_to_limits(chain, ws);
    }
    let start = Start::new(chain, position, ws);
    let extent = start.forward::<L>(chain, ws);
    if !chain.is_ball() && start::is_stiff_first(chain) {
        return None;
    }
    let (extent, aim) = start.prepare::<L>(chain, goal, &extent, ws);
    let blocks = L::blocks(&mut ws.lanes.blocks);
    for (i, length) in ws.sweep.lengths[..start.count].iter_mut().enumerate() {
        *length = blocks[i % blocks.len()].length.get(i / blocks.len());
    }
    Some(Span { count: start.count, tip: extent.tip, target: aim.conjugate() * start.target, start, aim })
}

/// Makes the pose from what the bones were turned by.
fn finish<L: Runs>(
    chain: &Chain,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    span: &Span,
    progress: &Progress,
) -> Outcome {
    let miss = span.start.write_back::<L>(chain, span.aim, ws);
    ws.state.hold(None);
    ws.state.rotations_mut().copy_from_slice(&ws.lanes.rotations[..chain.joints.len()]);
    let reached = miss <= settings.tolerance.max(0.0) * chain.length;
    let status = progress.status_as_measured(reached);
    Outcome { status, iterations: progress.iterations, residual_m: miss, residual_rad: 0.0 }
}

/// When sweeps stop: goal met, iterations used up, or hardly anything gained in twenty of them.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Progress {
    /// Iterations so far.
    pub iterations: u32,
    /// How it ended.
    pub status: Status,
    cost: optim::progress::Progress,
    /// The square of the largest distance from a goal after the best sweep.
    farthest_squared: f32,
}

impl Progress {
    /// Starts this far from the goal.
    pub fn new(distance: f32) -> Self {
        Self::of_several(distance * distance, distance * distance)
    }
    /// Starts at this cost of several goals, and with this square of the largest distance from one.
    pub fn of_several(cost: f32, farthest_squared: f32) -> Self {
        let cost = optim::progress::Progress::new(cost);
        Self { iterations: 0, status: Status::OutOfIterations, cost, farthest_squared }
    }
    /// Whether there has to be another sweep. It takes as many steps as there are joints.
    pub fn goes_on(&mut self, chain: &Chain, settings: &ChainSettings, work: &mut Work) -> bool {
        let close = settings.tolerance.max(0.0) * chain.length;
        if self.farthest_squared <= close * close {
            self.status = Status::Reached;
        } else if self.iterations >= settings.max_iterations || !work.spend(chain.joints.len() as u32) {
            self.status = Status::OutOfIterations;
        } else if self.cost.is_stalled() {
            self.status = Status::Stalled;
        } else {
            self.iterations += 1;
            return true;
        }
        false
    }
    /// The distance that a sweep left; whether it is the least so far.
    pub fn add(&mut self, distance: f32) -> bool {
        self.add_several(distance * distance, distance * distance)
    }
    /// The cost that a sweep left, and the square of the largest distance; whether the cost is the
    /// least so far.
    pub fn add_several(&mut self, cost: f32, farthest_squared: f32) -> bool {
        let is_best = self.cost.add(cost);
        if is_best {
            self.farthest_squared = farthest_squared;
        }
        is_best
    }
    /// The status where the pose that came of the sweeps is measured.
    pub fn status_as_measured(&self, is_reached: bool) -> Status {
        match self.status {
            _ if is_reached => Status::Reached,
            Status::Reached => Status::Stalled,
            other => other,
        }
    }
}
