//! What the methods share on unbranched chains whose joints may take any rotation: they move points
//! or bones, and the joints' rotations are made once, at the end (`model::scans`).
//!
//! Turning the chain about its root as one piece, the *aim*, changes the first joint only. So
//! instead of the chain the goal is turned back, and the first joint is turned at the end.

use crate::chains::model::blocks::{Extent, Runs};
use crate::chains::model::scans;
use crate::chains::model::{Chain, ChainGoal};
use crate::chains::start;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{Quat, Vec3, arc, normalize_or, slerp_short};

/// Position of a chain and its goal. `ws.state` knows whether the last joint is held.
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
    pub fn new(chain: &Chain, position: Vec3, ws: &mut ChainWorkspace) -> Self {
        ws.load_lanes();
        let root = ws.state.pose().root_position + ws.state.pose().root_rotation * chain.joints[0].offset;
        Self {
            count: start::active(chain, ws),
            target: start::carried_target(chain, position, ws) - root,
            effector: position - root,
            stretched: ws.state.pose().stretch.iter().fold(false, |any, s| any | (*s != 1.0)),
        }
    }
    /// Forward kinematics of the pose in `ws.lanes`, several joints at a time.
    pub fn forward<L: Runs>(&self, chain: &Chain, ws: &mut ChainWorkspace) -> Extent {
        let stretch = self.stretched.then_some(ws.lanes.stretch.as_slice());
        let (blocks, table) = (L::blocks(&mut ws.lanes.blocks), L::joints(&chain.table));
        scans::forward(blocks, table, &ws.lanes.rotations, stretch, ws.state.pose().root_rotation, self.count)
    }
    /// Aims the chain, as [`start::prepare`] does, and bends it if it is straight and has to fold.
    /// Returns the chain as it is then, in `ws.lanes`, and the turn of the whole about its root
    /// that is still to be made.
    pub fn prepare<L: Runs>(
        &self,
        chain: &Chain,
        goal: &ChainGoal,
        extent: &Extent,
        ws: &mut ChainWorkspace,
    ) -> (Extent, Quat) {
        let line = extent.tip.length();
        let folds = self.target.length() <= line - 1e-6 * extent.length;
        if !folds || line < extent.length * (1.0 - 1e-5) {
            return (*extent, self.aim(chain, goal, extent, ws));
        }
        ws.save(Slot::Clamped);
        ws.state.update(chain);
        start::prepare(chain, core::slice::from_ref(goal), ws);
        ws.load_lanes();
        ws.restore(Slot::Clamped);
        (self.forward::<L>(chain, ws), Quat::IDENTITY)
    }
    /// Turn of the whole chain about its root that brings its end into the target's direction, and
    /// round that direction to the pole.
    pub fn aim(&self, chain: &Chain, goal: &ChainGoal, extent: &Extent, ws: &mut ChainWorkspace) -> Quat {
        let (from, to) = (extent.tip, self.target);
        let small = 1e-4 * chain.length;
        let forward = normalize_or(from, Vec3::Y);
        let towards = normalize_or(to, forward);
        let turn = if from.length() > small && to.length() > small { arc(forward, towards) } else { Quat::IDENTITY };
        match &goal.pole {
            Some(pole) => {
                // The pose in work is not the caller's any more when it was bent, or in a later
                // round.
                ws.save(Slot::Clamped);
                ws.state.rotations_mut().copy_from_slice(&ws.lanes.rotations[..chain.joints.len()]);
                ws.state.update(chain);
                let swivel = start::swivel(chain, pole, towards, turn, ws);
                ws.restore(Slot::Clamped);
                (swivel * turn).normalize()
            }
            None if self.count >= 3 => {
                let share = start::free_share(chain, from, to);
                if share < 1.0 { slerp_short(Quat::IDENTITY, turn, share) } else { turn }
            }
            None => turn,
        }
    }
    /// Makes the joints' rotations, in `ws.lanes`, from what the bones were turned by and the aim;
    /// returns how far the effector is from its goal.
    pub fn write_back<L: Runs>(&self, chain: &Chain, aim: Quat, ws: &mut ChainWorkspace) -> f32 {
        let back = aim.conjugate();
        let tip = scans::write_back(
            L::blocks(&mut ws.lanes.blocks),
            L::joints(&chain.table),
            &mut ws.lanes.rotations,
            self.stretched.then_some(&ws.lanes.stretch),
            (back * ws.state.pose().root_rotation).normalize(),
            ws.state.pose().root_rotation,
            ws.state.held().map(|held| (chain.joints.len() - 1, back * held)),
        );
        (self.effector - tip).length()
    }
}
