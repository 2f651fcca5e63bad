//! The stack of constraints on an animator: demands beyond the humanoid ones, on any rig, solved in the order they were added.

use crate::chains::chain::Pole;
use crate::chains::pose_chain::{PoseChain, PoseChainDefinition, PoseChainError, PoseChainGoal};
use crate::goal::{Outcome, weight01};
use crate::math::{Frame, Quat, Vec3, length};
use crate::skeleton::{Pose, Skeleton};

/// Name of a constraint on its animator; never given out twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstraintId(pub u32);

/// What a chain constraint's tip shall do, world space. The default asks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ConstraintGoal {
    /// Where the tip shall be, metres; `None`: no matter.
    pub position_ws: Option<Vec3>,
    /// How the end joint shall be turned; `None`: no matter.
    pub rotation_ws: Option<Quat>,
    /// Which way the chain shall bend, its `at` in world space; `None`: as the animation has it.
    pub pole_ws: Option<Pole>,
    /// 0 (the animation, bit for bit) … 1 (the goal); values outside are limited.
    pub weight: f32,
}

#[derive(Clone, Debug)]
struct Entry {
    id: ConstraintId,
    chain: PoseChain,
    goal: ConstraintGoal,
    outcome: Outcome,
}

/// An animator's constraints, in the order they are solved.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintStack {
    entries: Vec<Entry>,
    next: u32,
}

impl ConstraintStack {
    pub fn add_chain(
        &mut self,
        skeleton: &Skeleton,
        definition: &PoseChainDefinition,
    ) -> Result<ConstraintId, PoseChainError> {
        let chain = PoseChain::new(skeleton, definition)?;
        let id = ConstraintId(self.next);
        self.next += 1;
        self.entries.push(Entry { id, chain, goal: ConstraintGoal::default(), outcome: Outcome::INACTIVE });
        Ok(id)
    }
    pub fn remove(&mut self, id: ConstraintId) -> Option<()> {
        let place = self.entries.iter().position(|e| e.id == id)?;
        self.entries.remove(place);
        Some(())
    }
    pub fn set_goal(&mut self, id: ConstraintId, goal: ConstraintGoal) -> Option<()> {
        let entry = self.entries.iter_mut().find(|e| e.id == id)?;
        entry.goal = ConstraintGoal { weight: weight01(goal.weight), ..goal };
        Some(())
    }
    pub fn goal(&self, id: ConstraintId) -> Option<&ConstraintGoal> {
        self.entries.iter().find(|e| e.id == id).map(|e| &e.goal)
    }
    pub fn outcome(&self, id: ConstraintId) -> Option<Outcome> {
        self.entries.iter().find(|e| e.id == id).map(|e| e.outcome)
    }

    /// Solves every constraint with weight.
    pub fn solve(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame) {
        let mut updated = false;
        for entry in &mut self.entries {
            entry.outcome = Outcome::INACTIVE;
            if entry.goal.weight <= 0.0 {
                continue;
            }
            if !updated {
                pose.update(skeleton);
                updated = true;
            }
            let point = |p: Vec3| world.point_in(p).unwrap_or(p);
            let goal = PoseChainGoal {
                position_ms: entry.goal.position_ws.map(point),
                rotation_ms: entry.goal.rotation_ws.map(|r| world.rotation_in(r)),
                pole_ms: entry.goal.pole_ws.map(|pole| Pole {
                    at: if pole.is_direction { point(pole.at + world.position) } else { point(pole.at) },
                    ..pole
                }),
                weight: entry.goal.weight,
            };
            let end = entry.chain.end();
            let from_ms = entry.chain.tip_ms(pose);
            let mut outcome = entry.chain.solve(skeleton, pose, &goal);
            pose.update_subtree(skeleton, entry.chain.path()[0]);
            if let Some(position_ms) = goal.position_ms {
                // In world units, whatever the root's scale.
                let wanted_ms = from_ms.lerp(position_ms, goal.weight);
                outcome.residual_m = length(world.linear * (entry.chain.tip_ms(pose) - wanted_ms));
            }
            outcome.keep_finite(pose.local()[end].is_finite());
            entry.outcome = outcome;
        }
    }
}
