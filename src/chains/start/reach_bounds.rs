//! The shell that an unlimited, unbranched chain can reach, and the straight or folded pose of a
//! target outside of it.

use super::span::{active, bone_length, carried_target};
use crate::chains::model::{Chain, ChainGoal};
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Quat, Vec3, arc, normalize_or};

/// The region an unlimited, unbranched chain can fill, and where a target is in it.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct ReachBounds {
    /// Whether the target is outside: beyond the length (1), nearer than the chain can fold (−1),
    /// or inside (0).
    pub side: i8,
    /// For a target outside: a goal a little inside the reach_bounds, for the effector.
    pub inside: Vec3,
    /// Unit direction root → carried target.
    pub(super) direction: Vec3,
    /// For a target outside: the distance from the root that is nearest to it.
    pub(super) edge: f32,
    /// For folding: the longest bone.
    pub(super) longest: usize,
}

/// The reach_bounds, for chains that have one: unbranched, all turning joints unlimited, a position
/// goal.
pub(in crate::chains) fn reach_bounds(
    chain: &Chain,
    goals: &[ChainGoal],
    ws: &mut ChainWorkspace,
) -> Option<ReachBounds> {
    let target = goals[0].position.filter(|_| goals[0].distance.is_none())?;
    if !chain.serial || (ws.state.held().is_none() && (goals[0].rotation.is_some() || goals[0].axis.is_some())) {
        return None;
    }
    let count = active(chain, ws);
    if chain.joints[..count].iter().any(|j| !j.model.is_unlimited()) {
        return None;
    }
    let (mut length, mut longest) = (0.0_f32, 0);
    for i in 0..count {
        length += bone_length(chain, ws, i);
        if bone_length(chain, ws, i) > bone_length(chain, ws, longest) {
            longest = i;
        }
    }
    let hole = (2.0 * bone_length(chain, ws, longest) - length).max(0.0);
    let root = ws.state.position[0];
    let carried = carried_target(chain, target, ws);
    let distance = (carried - root).length();
    let now = normalize_or(ws.state.carried(chain, 0) - root, Vec3::Y);
    let direction = if distance > 1e-6 * length { (carried - root) * (1.0 / distance) } else { now };
    let back = target - carried;
    let rounding = 1e-7 * length;
    let (side, edge, radius) = if distance >= length - rounding {
        (1, length, length * (1.0 - 1e-4))
    } else if distance <= hole + rounding && hole > 0.0 {
        (-1, hole, (hole + 1e-4 * length).min(length))
    } else {
        (0, distance, distance)
    };
    Some(ReachBounds { side, inside: root + direction * radius + back, direction, edge, longest })
}

/// Puts the bones exactly on the line to a target outside the reach_bounds: all along it, or folded
/// about the longest.
pub(in crate::chains) fn straighten_to_target(chain: &Chain, reach_bounds: &ReachBounds, ws: &mut ChainWorkspace) {
    ws.state.update(chain);
    let count = active(chain, ws);
    let mut above = ws.state.pose().root_rotation;
    for i in 0..count {
        let next = if i + 1 < chain.joints.len() { ws.state.position[i + 1] } else { ws.state.tip[0] };
        let along = if reach_bounds.side > 0 || i == reach_bounds.longest {
            reach_bounds.direction
        } else {
            -reach_bounds.direction
        };
        let bone = next - ws.state.position[i];
        let turn =
            if bone.length() > 1e-9 * chain.length { arc(normalize_or(bone, along), along) } else { Quat::IDENTITY };
        let turned = (turn * ws.state.rotation[i]).normalize();
        let frame = (above * chain.joints[i].rest).normalize();
        ws.state.set_rotation(i, (frame.conjugate() * turned).normalize());
        above = turned;
    }
    ws.state.update(chain);
}
