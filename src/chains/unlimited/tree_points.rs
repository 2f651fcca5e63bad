//! FABRIK on trees whose joints may take any rotation: points alone are swept, and rotations are
//! made once, after the last sweep.
//!
//! # Derivation
//!
//! As in [`tree_sweeps`](crate::chains::methods::tree_sweeps), with joints and effectors as nodes
//! of one list. *Backward*, a node with a place requires the joint that it is attached to on the
//! line to where that was; a joint goes to the centroid of what is required of it. *Forward*, a
//! joint with one node puts it on the line to its place. A joint with several keeps them together:
//! they are where they were at the start, turned by the rotation that fits their places best; one
//! step ([`crate::optim::best_turn`]) from that of the sweep before. More steps reach no more
//! goals, and exact ones turn bones that are nearly in one line by half a turn where the goals
//! hardly move.
//!
//! Nodes without a goal below take no part and are carried along.

use crate::chains::methods::fabrik::drawn;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::state::ChainState;
use crate::chains::workspace::{ChainWorkspace, Link, LinkKind};
use crate::math::{Quat, Vec3, arc, normalize_or};
use crate::optim::best_turn;
use crate::optim::progress::Progress;
use crate::outcome::{Status, weight01};

/// The weight of an effector's place among those of others.
pub(in crate::chains) fn weight(goal: &ChainGoal) -> f32 {
    weight01(goal.position_weight).max(0.01)
}

/// Sweeps until the goals are met, the iterations are used up or nothing is gained, after [`load`],
/// when chain and goals are of the kind. The best pose met is the result; returns why it ended and
/// the number of sweeps.
pub(in crate::chains) fn sweep(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<(Status, u32)> {
    let is_point = |goal: &ChainGoal| goal.rotation.is_none() && goal.axis.is_none() && goal.distance.is_none();
    // A cap counts per joint and sweep; points know no joints.
    let is_capped = settings.sweep_step_rad < core::f32::consts::PI;
    if chain.summary.limited > 0 || is_capped || !goals.iter().all(is_point) {
        return None;
    }
    let joints = chain.joints.len();
    let [_, points, others] = &mut ws.sweep.points;
    points[..joints].copy_from_slice(&ws.state.position);
    points[joints..].copy_from_slice(&ws.state.tip);
    // Roots stay where they are.
    others.copy_from_slice(points);
    ws.reach.turns[0].fill(Quat::IDENTITY);
    let ChainWorkspace { state, reach, sweep, work, .. } = ws;
    let [now, other] = &mut reach.turns;
    let [_, points, other_points] = &mut sweep.points;
    let (mut now, mut other) = ((points, now), (other_points, other));
    let tree = Tree { chain, goals, weight: &reach.weight, arm: &reach.arm, links: &reach.links };
    let mut miss = tree.miss(now.0);
    let mut progress = Progress::new(miss.0);
    let close = settings.tolerance.max(0.0) * chain.length;
    let (mut now_is_best, mut nearest, mut iterations) = (true, miss.1, 0);
    let mut has_gained = false;
    let status = loop {
        if nearest <= close {
            break Status::Reached;
        }
        if iterations >= settings.max_iterations || !work.spend(tree.links.len() as u32) {
            break Status::OutOfIterations;
        }
        if progress.is_stalled() {
            break Status::Stalled;
        }
        iterations += 1;
        tree.backward(now.0, &mut reach.place);
        if now_is_best {
            // The points of the best sweep stay.
            core::mem::swap(&mut now, &mut other);
            now.1.copy_from_slice(other.1);
        }
        tree.forward(&reach.place, now.0, now.1);
        miss = tree.miss(now.0);
        now_is_best = progress.add(miss.0);
        if now_is_best {
            (nearest, has_gained) = (miss.1, true);
        }
    };
    // A pose that is best as it was keeps its bits.
    if has_gained {
        let (points, turns) = if now_is_best { now } else { other };
        tree.pose(points, turns, state);
    }
    Some((status, iterations))
}

/// Takes the pose and the goals' weights into the nodes: `reach.weight`, `reach.arm` and
/// `reach.links`. Brings forward kinematics up to date.
pub(in crate::chains) fn load(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    ws.state.update(chain);
    let ChainWorkspace { state, reach, .. } = ws;
    let (joints, parent) = (chain.joints.len(), &chain.attached.parent);
    let place = |node: usize| if node < joints { state.position[node] } else { state.tip[node - joints] };
    reach.weight[..joints].fill(0.0);
    for (node, goal) in goals.iter().enumerate() {
        reach.weight[joints + node] = if goal.position.is_some() { weight(goal) } else { 0.0 };
    }
    for (node, joint) in parent.iter().enumerate().rev() {
        if let Some(joint) = *joint {
            reach.weight[joint] += reach.weight[node];
        }
    }
    reach.links.clear();
    for (node, joint) in parent.iter().enumerate().filter(|(node, _)| reach.weight[*node] > 0.0) {
        if let Some(joint) = *joint {
            let arm = place(node) - state.position[joint];
            reach.arm[node] = arm;
            let mut all = chain.attached.to(joint).iter().filter(|node| reach.weight[**node] > 0.0);
            let kind = match (all.next(), all.next()) {
                (_, None) => LinkKind::Alone,
                (first, _) if first == Some(&node) => LinkKind::First,
                _ => LinkKind::Other,
            };
            let share = reach.weight[node] / reach.weight[joint];
            reach.links.push(Link { node, joint, share, length: arm.length(), kind });
        }
    }
}

/// What stays the same during the sweeps.
struct Tree<'a> {
    chain: &'a Chain,
    goals: &'a [ChainGoal],
    weight: &'a [f32],
    arm: &'a [Vec3],
    links: &'a [Link],
}

impl Tree<'_> {
    /// The sum of the weighted squared distances from the goals, and the largest distance.
    fn miss(&self, points: &[Vec3]) -> (f32, f32) {
        let (mut cost, mut most) = (0.0, 0.0_f32);
        let joints = self.chain.joints.len();
        for ((goal, weight), point) in self.goals.iter().zip(&self.weight[joints..]).zip(&points[joints..]) {
            if let Some(target) = goal.position {
                let square = (target - *point).length_squared();
                cost += square * weight;
                most = most.max(square);
            }
        }
        (cost, most.sqrt())
    }
    /// The places required of the nodes, from the last to the first.
    fn backward(&self, points: &[Vec3], place: &mut [Vec3]) {
        let (joints, tips) = place.split_at_mut(self.chain.joints.len());
        joints.fill(Vec3::ZERO);
        for (tip, goal) in tips.iter_mut().zip(self.goals) {
            *tip = goal.position.unwrap_or(Vec3::ZERO);
        }
        for link in self.links.iter().rev() {
            place[link.joint] += drawn(place[link.node], points[link.joint], link.length) * link.share;
        }
    }
    /// The points of the nodes below the roots, from the first to the last, and the turns of joints
    /// with several.
    fn forward(&self, place: &[Vec3], points: &mut [Vec3], turns: &mut [Quat]) {
        for link in self.links {
            let here = points[link.joint];
            match link.kind {
                LinkKind::Alone => points[link.node] = drawn(here, place[link.node], link.length),
                LinkKind::First => {
                    let nodes = self.nodes(link.joint);
                    let pairs = nodes.clone().map(|node| (self.arm[node], place[node] - here, self.weight[node]));
                    let turn = &mut turns[link.joint];
                    *turn = best_turn(*turn, pairs, 1);
                    nodes.for_each(|node| points[node] = here + *turn * self.arm[node]);
                }
                // Placed with the first one.
                LinkKind::Other => {}
            }
        }
    }
    /// Makes the pose from points and turns.
    fn pose(&self, points: &[Vec3], turns: &[Quat], state: &mut ChainState) {
        for (i, joint) in self.chain.joints.iter().enumerate() {
            let (outer, origin, factor) = match joint.parent {
                Some(p) => (state.rotation[p], state.position[p], state.pose().stretch[p]),
                None => (state.pose().root_rotation, state.pose().root_position, 1.0),
            };
            let frame = outer * joint.rest;
            let here = origin + outer * (joint.offset * factor);
            let carried = frame * state.pose().rotations[i];
            let mut nodes = self.nodes(i);
            let turned = match (nodes.next(), nodes.next()) {
                (None, _) => None,
                (Some(node), None) => {
                    let bone = carried * self.chain.offset(node);
                    let (now, wanted) = (normalize_or(bone, Vec3::Y), points[node] - here);
                    Some(arc(now, normalize_or(wanted, now)) * carried)
                }
                // As it was at the start, turned.
                _ => Some(turns[i] * state.rotation[i]),
            };
            if let Some(turned) = turned {
                state.set_rotation(i, (frame.conjugate() * turned).normalize());
            }
            state.position[i] = here;
            state.rotation[i] = (frame * state.pose().rotations[i]).normalize();
        }
    }
    /// The nodes that are attached to a joint and have a place.
    #[inline(always)]
    fn nodes(&self, joint: usize) -> impl Iterator<Item = usize> + Clone {
        self.chain.attached.to(joint).iter().copied().filter(|node| self.weight[*node] > 0.0)
    }
}
