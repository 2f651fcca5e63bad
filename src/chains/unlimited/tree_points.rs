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

use super::sweeps::Progress;
use crate::chains::methods::fabrik::drawn;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::state::{ChainState, importance};
use crate::chains::workspace::{ChainWorkspace, Link, LinkKind};
use crate::math::{Quat, Vec3, arc, normalize_or};
use crate::optim::best_turn;

/// The weight of an effector's place among those of others.
pub(in crate::chains) fn weight(goal: &ChainGoal) -> f32 {
    importance(goal.position_importance)
}

/// Takes the goals' weights into the nodes: `reach.weight` and `reach.links`. What else is in
/// `reach` gets its size.
pub(in crate::chains) fn load(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let ChainWorkspace { state, reach, .. } = ws;
    let (joints, parent) = (chain.joints.len(), &chain.attached.parent);
    reach.weight.clear();
    reach.weight.resize(joints, 0.0);
    reach.weight.extend(goals.iter().map(|goal| if goal.position.is_some() { weight(goal) } else { 0.0 }));
    reach.place.resize(parent.len(), Vec3::ZERO);
    reach.arm.resize(parent.len(), Vec3::ZERO);
    reach.turns.iter_mut().for_each(|turns| turns.resize(joints, Quat::IDENTITY));
    for (node, joint) in parent.iter().enumerate().rev() {
        if let Some(joint) = *joint {
            reach.weight[joint] += reach.weight[node];
        }
    }
    reach.links.clear();
    for (node, joint) in parent.iter().enumerate().filter(|(node, _)| reach.weight[*node] > 0.0) {
        if let Some(joint) = *joint {
            let mut all = chain.attached.to(joint).iter().filter(|node| reach.weight[**node] > 0.0);
            let kind = match (all.next(), all.next()) {
                (_, None) => LinkKind::Alone,
                (first, _) if first == Some(&node) => LinkKind::First,
                _ => LinkKind::Other,
            };
            let share = reach.weight[node] / reach.weight[joint];
            let length = (chain.offset(node) * state.pose().stretch[joint]).length();
            reach.links.push(Link { node, joint, share, length, kind });
        }
    }
}

/// The places required of the nodes, from the last to the first, of those whose joints are at
/// `points`. `lever`: from the joint to the node, where the goal has a rotation.
#[inline(always)]
pub(in crate::chains) fn require_places(
    goals: &[ChainGoal],
    links: &[Link],
    points: &[Vec3],
    place: &mut [Vec3],
    lever: impl Fn(&Link) -> Option<Vec3>,
) {
    let (joints, tips) = place.split_at_mut(place.len() - goals.len());
    joints.fill(Vec3::ZERO);
    for (tip, goal) in tips.iter_mut().zip(goals) {
        *tip = goal.position.unwrap_or(Vec3::ZERO);
    }
    for link in links.iter().rev() {
        let requested = match lever(link) {
            Some(lever) => place[link.node] - lever,
            None => drawn(place[link.node], points[link.joint], link.length),
        };
        place[link.joint] += requested * link.share;
    }
}

/// Sweeps until the goals are met, the iterations are used up or nothing is gained, after [`load`],
/// when chain and goals are of the kind. The best pose met is the result.
pub(in crate::chains) fn sweep(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Progress> {
    let is_point = |goal: &ChainGoal| goal.rotation.is_none() && goal.axis.is_none() && goal.distance.is_none();
    // A cap counts per joint and sweep; points know no joints.
    let is_capped = settings.sweep_step_rad < core::f32::consts::PI;
    if chain.summary.limited > 0 || is_capped || !goals.iter().all(is_point) {
        return None;
    }
    ws.state.update(chain);
    let ChainWorkspace { state, reach, sweep, work, .. } = ws;
    let joints = chain.joints.len();
    let [_, points, others] = &mut sweep.points;
    points[..joints].copy_from_slice(&state.position);
    points[joints..].copy_from_slice(&state.tip);
    // Roots stay where they are.
    others.copy_from_slice(points);
    for link in &reach.links {
        reach.arm[link.node] = points[link.node] - points[link.joint];
    }
    let [turns, other_turns] = &mut reach.turns;
    turns.fill(Quat::IDENTITY);
    let (mut now, mut other) = ((points, turns), (others, other_turns));
    let tree = Tree { chain, goals, weight: &reach.weight, arm: &reach.arm, links: &reach.links };
    let (cost, farthest_squared) = tree.miss(now.0);
    let mut progress = Progress::of_several(cost, farthest_squared);
    let (mut now_is_best, mut has_gained) = (true, false);
    while progress.goes_on(chain, settings, work) {
        require_places(goals, &reach.links, now.0, &mut reach.place, |_| None);
        if now_is_best {
            // The points of the best sweep stay.
            core::mem::swap(&mut now, &mut other);
            now.1.copy_from_slice(other.1);
        }
        tree.forward(&reach.place, now.0, now.1);
        let (cost, farthest_squared) = tree.miss(now.0);
        now_is_best = progress.add_several(cost, farthest_squared);
        has_gained |= now_is_best;
    }
    // A pose that is best as it was keeps its bits.
    if has_gained {
        let (points, turns) = if now_is_best { now } else { other };
        tree.pose(points, turns, state);
    }
    Some(progress)
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
    /// The sum of the weighted squared distances from the goals, and the largest of them.
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
        (cost, most)
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
