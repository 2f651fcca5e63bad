//! What the sweeping methods share on unbranched chains whose joints may take any rotation: they move points or bones, and the joints'
//! rotations are made once, at the end (`super::blocks`).

use super::blocks;
use super::chain::{Chain, ChainGoal, ChainPose, ChainSettings};
use super::prepare;
use super::workspace::ChainWorkspace;
use crate::goal::{Outcome, Status};
use crate::math::Vec3;

/// What a sweep needs to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Joints that carry the carried point.
    pub count: usize,
    /// Where the first one is.
    pub root: Vec3,
    /// Where the carried point is at the start.
    pub tip: Vec3,
    /// Where it has to be.
    pub target: Vec3,
    /// Where the effector has to be.
    position: Vec3,
    /// Whether some bone has not its rest length.
    stretched: bool,
}

/// Takes the pose into the blocks when the chain and the goal are of the kind. `ws.lanes` holds the pose.
pub(super) fn begin(chain: &Chain, pose: &mut ChainPose, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Option<Span> {
    let goal = &goals[0];
    let position = goal.position?;
    prepare::pin(chain, goals, ws);
    if !chain.free || (ws.pinned.is_none() && (goal.rotation.is_some() || goal.axis.is_some())) {
        ws.pinned = None;
        return None;
    }
    if !chain.rigid {
        prepare::admit(chain, pose);
        ws.load(pose);
    }
    let stretched = pose.stretch.iter().fold(false, |any, s| any | (*s != 1.0));
    let stretch = stretched.then_some(ws.lanes.1.as_slice());
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    let extent = blocks::forward(&mut ws.blocks, &chain.table, &ws.lanes.0, stretch, pose.root_rotation, count);
    let root = pose.root_position + pose.root_rotation * chain.joints[0].offset;
    let target = prepare::carried_target(chain, pose, position, ws);
    for i in 0..count {
        ws.lengthen[i] = ws.blocks[i % chain.table.len()].length.0[i / chain.table.len()];
    }
    Some(Span { count, root, tip: root + extent.tip, target, position, stretched })
}

/// Makes the pose from what the bones were turned by, unless the one before was better.
pub(super) fn finish(
    chain: &Chain,
    pose: &mut ChainPose,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    span: &Span,
    progress: &Progress,
) -> Outcome {
    let joints = chain.joints.len();
    let held = ws.pinned.take();
    let tip = blocks::write_back(
        &mut ws.blocks,
        &chain.table,
        &mut ws.lanes.0,
        span.stretched.then_some(&ws.lanes.1),
        pose.root_rotation,
        pose.root_rotation,
        held.map(|held| (joints - 1, held)),
    );
    let miss = (span.position - (span.root + tip)).length();
    // A pose that is held differs from the one before even where the points do not.
    if progress.iterations > 0 || held.is_some() {
        pose.rotations.copy_from_slice(&ws.lanes.0[..joints]);
    }
    let reached = miss <= settings.tolerance.max(0.0) * chain.length;
    let status = match progress.status {
        _ if reached => Status::Reached,
        Status::Reached => Status::Stalled,
        other => other,
    };
    Outcome { status, iterations: progress.iterations, residual_m: miss, residual_rad: 0.0 }
}

/// When the plain methods stop: goal met, iterations used up, or hardly anything gained in twenty of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Iterations so far.
    pub iterations: u32,
    /// How it ended.
    pub status: Status,
    best: f32,
    mark: f32,
    idle: u32,
}

impl Progress {
    /// Starts this far from the goal.
    pub fn new(distance: f32) -> Self {
        let cost = distance * distance;
        Self { iterations: 0, status: Status::OutOfIterations, best: cost, mark: cost, idle: 0 }
    }
    /// Whether another sweep shall be made.
    pub fn goes_on(&mut self, chain: &Chain, settings: &ChainSettings) -> bool {
        let close = settings.tolerance.max(0.0) * chain.length;
        if self.best <= close * close {
            self.status = Status::Reached;
        } else if self.iterations >= settings.max_iterations {
            self.status = Status::OutOfIterations;
        } else if self.idle >= 20 {
            self.status = Status::Stalled;
        } else {
            self.iterations += 1;
            return true;
        }
        false
    }
    /// What a sweep left; whether it is the best so far.
    pub fn add(&mut self, distance: f32) -> bool {
        let cost = distance * distance;
        let better = cost < self.best;
        if better {
            self.best = cost;
        }
        if self.best < 0.999 * self.mark {
            (self.mark, self.idle) = (self.best, 0);
        } else {
            self.idle += 1;
        }
        better
    }
}
