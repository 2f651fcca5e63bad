//! What the methods share on unbranched chains whose joints may take any rotation: they move points or bones, and the joints' rotations are made once, at
//! the end (`super::blocks`).
//!
//! Turning the chain about its root as one piece, the *aim*, changes the first joint only. So instead of the chain the goal is turned back, and the first joint
//! is turned at the end.

use crate::chains::model::blocks::{self, Extent, Runs};
use crate::chains::model::{Chain, ChainGoal, ChainPose, ChainSettings};
use crate::chains::start;
use crate::chains::state::{ADMITTED, ChainWorkspace};
use crate::math::{F32x4, F32x8, Quat, Vec3, arc, normalize_or, slerp_short};
use crate::outcome::{Outcome, Status};

/// Where a chain stands and what it is asked for. `ws.pinned` says whether its last joint is held.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Start {
    /// Joints that carry the carried point.
    pub count: usize,
    /// Where the carried point has to be, from the first joint.
    pub target: Vec3,
    /// Where the effector has to be, from the first joint.
    effector: Vec3,
    /// Whether some bone has not its rest length.
    stretched: bool,
}

impl Start {
    /// Of this pose, which is taken into `ws.lanes`, and goal.
    pub fn new(chain: &Chain, pose: &ChainPose, position: Vec3, ws: &mut ChainWorkspace) -> Self {
        ws.load(pose);
        let root = pose.root_position + pose.root_rotation * chain.joints[0].offset;
        Self {
            count: start::active(chain, ws),
            target: start::carried_target(chain, pose, position, ws) - root,
            effector: position - root,
            stretched: pose.stretch.iter().fold(false, |any, s| any | (*s != 1.0)),
        }
    }
    /// Forward kinematics of the pose in `ws.lanes`, several joints at a time.
    pub fn forward<L: Runs>(&self, chain: &Chain, pose: &ChainPose, ws: &mut ChainWorkspace) -> Extent {
        let stretch = self.stretched.then_some(ws.lanes.1.as_slice());
        let (blocks, table) = (L::blocks(&mut ws.blocks), L::joints(&chain.table));
        blocks::forward(blocks, table, &ws.lanes.0, stretch, pose.root_rotation, self.count)
    }
    /// Aims the chain, as [`start::prepare`] does, and bends it if it is straight and has to fold. Returns the chain as it is then, in `ws.lanes`, and the turn of
    /// the whole about its root that is still to be made.
    pub fn prepare<L: Runs>(
        &self,
        chain: &Chain,
        pose: &mut ChainPose,
        goal: &ChainGoal,
        extent: &Extent,
        ws: &mut ChainWorkspace,
    ) -> (Extent, Quat) {
        let line = extent.tip.length();
        let folds = self.target.length() <= line - 1e-6 * extent.length;
        if !folds || line < extent.length * (1.0 - 1e-5) {
            return (*extent, self.aim(chain, pose, goal, extent, ws));
        }
        ws.save(ADMITTED, pose);
        ws.forward(chain, pose);
        start::prepare(chain, pose, core::slice::from_ref(goal), ws);
        ws.load(pose);
        ws.restore(ADMITTED, pose);
        (self.forward::<L>(chain, pose, ws), Quat::IDENTITY)
    }
    /// Turn of the whole chain about its root that brings its end into the target's direction, and round that direction to the pole.
    pub fn aim(
        &self,
        chain: &Chain,
        pose: &mut ChainPose,
        goal: &ChainGoal,
        extent: &Extent,
        ws: &mut ChainWorkspace,
    ) -> Quat {
        let (from, to) = (extent.tip, self.target);
        let small = 1e-4 * chain.length;
        let forward = normalize_or(from, Vec3::Y);
        let towards = normalize_or(to, forward);
        let turn = if from.length() > small && to.length() > small { arc(forward, towards) } else { Quat::IDENTITY };
        match &goal.pole {
            Some(pole) => {
                // The pose in work is not the caller's any more when it was bent, or in a later round.
                ws.save(ADMITTED, pose);
                pose.rotations.copy_from_slice(&ws.lanes.0[..chain.joints.len()]);
                ws.forward(chain, pose);
                let swivel = start::swivel(chain, pose, pole, towards, turn, ws);
                ws.restore(ADMITTED, pose);
                (swivel * turn).normalize()
            }
            None if self.count >= 3 => {
                let share = start::free_share(chain, from, to);
                if share < 1.0 { slerp_short(Quat::IDENTITY, turn, share) } else { turn }
            }
            None => turn,
        }
    }
    /// Makes the joints' rotations, in `ws.lanes`, from what the bones were turned by and the aim; returns how far the effector is from its goal.
    pub fn write_back<L: Runs>(&self, chain: &Chain, pose: &ChainPose, aim: Quat, ws: &mut ChainWorkspace) -> f32 {
        let back = aim.conjugate();
        let tip = blocks::write_back(
            L::blocks(&mut ws.blocks),
            L::joints(&chain.table),
            &mut ws.lanes.0,
            self.stretched.then_some(&ws.lanes.1),
            (back * pose.root_rotation).normalize(),
            pose.root_rotation,
            ws.pinned.map(|held| (chain.joints.len() - 1, back * held)),
        );
        (self.effector - tip).length()
    }
}

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
    /// Sweeps over the bones in the blocks, as long as `progress` goes on; leaves there what they were turned by.
    fn run<L: Runs>(
        chain: &Chain,
        settings: &ChainSettings,
        ws: &mut ChainWorkspace,
        span: &Span,
        progress: &mut Progress,
    );
    /// One sweep over joints with limits towards where the carried point has to be, no joint by more than `most` radians. Forward kinematics are
    /// up to date; they need not be, afterwards.
    fn sweep(chain: &Chain, pose: &mut ChainPose, ws: &mut ChainWorkspace, target: Vec3, most: f32);
}

/// Solves an unbranched chain for its position goal by such a method: on bones alone where it can be done so.
pub(in crate::chains) fn solve<S: Sweeps>(
    chain: &Chain,
    pose: &mut ChainPose,
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
        if let Some(outcome) = on_bones(chain, pose, goals, settings, ws) {
            return outcome;
        }
    }
    start::start_aimed(chain, pose, goals, ws);
    start::iterate(chain, pose, goals, settings, ws, |chain, pose, ws, target| {
        S::sweep(chain, pose, ws, target, most);
    })
}

fn on_bones<S: Sweeps, L: Runs>(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let span = begin::<L>(chain, pose, goals, ws)?;
    let mut progress = Progress::new((span.target - span.tip).length());
    S::run::<L>(chain, settings, ws, &span, &mut progress);
    Some(finish::<L>(chain, pose, settings, ws, &span, &progress))
}

/// Takes the pose into the blocks, bent where it must and aimed, when the chain and the goal are of the kind.
fn begin<L: Runs>(chain: &Chain, pose: &mut ChainPose, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Option<Span> {
    let goal = &goals[0];
    let position = goal.position?;
    start::hold_end_rotation(chain, goals, ws);
    if !chain.is_free() || (ws.pinned.is_none() && (goal.rotation.is_some() || goal.axis.is_some())) {
        return None;
    }
    if !chain.is_rigid() {
        start::clamp_to_limits(chain, pose);
    }
    let start = Start::new(chain, pose, position, ws);
    let extent = start.forward::<L>(chain, pose, ws);
    if !chain.is_ball() && start::is_stiff_first(chain) {
        return None;
    }
    let (extent, aim) = start.prepare::<L>(chain, pose, goal, &extent, ws);
    let blocks = L::blocks(&mut ws.blocks);
    for (i, length) in ws.lengthen[..start.count].iter_mut().enumerate() {
        *length = blocks[i % blocks.len()].length.get(i / blocks.len());
    }
    Some(Span { count: start.count, tip: extent.tip, target: aim.conjugate() * start.target, start, aim })
}

/// Makes the pose from what the bones were turned by.
fn finish<L: Runs>(
    chain: &Chain,
    pose: &mut ChainPose,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    span: &Span,
    progress: &Progress,
) -> Outcome {
    let miss = span.start.write_back::<L>(chain, pose, span.aim, ws);
    ws.pinned = None;
    pose.rotations.copy_from_slice(&ws.lanes.0[..chain.joints.len()]);
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
pub(in crate::chains) struct Progress {
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
