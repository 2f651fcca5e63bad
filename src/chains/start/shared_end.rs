//! A free chain whose last joint is held at a rotation or axis goal that puts its target out of
//! reach: the turn of the last joint at which position and rotation share what is left.
//!
//! # Derivation
//!
//! With the last joint at rotation `R` and its bone `o`, the other bones end nearest to the goal
//! `g` (from the root) on the line to `g − R o`: straight, or folded about the longest, at the edge
//! `ρ` of what they reach. What is left is `|g − R o| − ρ`, and the least weighted sum of squares
//!
//! ```text
//! w (d(φ) − ρ)² + v φ²,   d(φ)² = g² + o² − 2 g o cos(α − φ)
//! ```
//!
//! has `R` turned from the rotation goal by `φ` in the plane of `g` and `o`, which are at the angle
//! `α`: nothing is gained by a turn out of it. Too far the bone turns towards the goal, too near
//! away from it. The slope is below zero at `φ = 0` and above it where `o` is in line with `g`; its
//! root between is where the shares balance.
//!
//! *An axis goal* leaves the twist about the axis free. Out of reach, the best twist brings the
//! bone into the plane of the axis and the goal, on the goal's side; with that, `R` is as above.

use super::reach_bounds::ReachBounds;
use super::span::bone_length;
use crate::chains::model::{Chain, ChainGoal};
use crate::chains::state::{position_scale, rotation_scale};
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Vec3, arc, axis_angle, float, normalize_or, perpendicular};
use crate::optim::root::Bracket;

/// Holds the last joint where its axis goal keeps the position of a free chain out of reach: turned
/// to the axis, and about it to the target's side. Forward kinematics must be up to date, and are
/// afterwards.
pub(in crate::chains) fn hold_end_axis(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let goal = &goals[0];
    let last = chain.joints.len() - 1;
    let (Some(target), Some(axis), None) = (goal.position, goal.axis, goal.rotation) else { return };
    let is_free = chain.serial && last > 0 && chain.joints[last].model.is_isotropic();
    if !is_free || goal.distance.is_some() || !chain.joints[..last].iter().all(|j| j.model.is_unlimited()) {
        return;
    }
    let line = target - ws.state.position[0];
    let parts = |v: Vec3, along: Vec3| {
        let part = v.dot(along);
        (part, v - along * part)
    };
    let bone_js = chain.effectors[0].offset * ws.state.pose().stretch[last];
    let (bone_along, bone_aside) = parts(bone_js, normalize_or(axis.axis, Vec3::Y));
    let direction = normalize_or(axis.direction, Vec3::Y);
    let (goal_along, goal_aside) = parts(line, direction);
    let reach: f32 = (0..last).map(|i| bone_length(chain, ws, i)).sum();
    let (ahead, beside) = (goal_along - bone_along, goal_aside.length() - bone_aside.length());
    if ahead * ahead + beside * beside < reach * reach {
        return;
    }
    let now = ws.state.rotation[last];
    let turned = arc(normalize_or(now * axis.axis, direction), direction) * now;
    let side = parts(turned * bone_js, direction).1;
    // A bone along the axis has no side: the twist is that of the pose.
    let twist = if bone_aside.length().min(goal_aside.length()) > 1e-5 * chain.length {
        float::atan2(direction.dot(side.cross(goal_aside)), side.dot(goal_aside))
    } else {
        0.0
    };
    ws.state.hold(Some((axis_angle(direction, twist) * turned).normalize()));
    ws.state.update(chain);
}

/// Turns the rotation that the last joint is held at; returns the bounds with the direction of the
/// target that the others carry to then.
pub(in crate::chains) fn share_with_end(
    chain: &Chain,
    goal: &ChainGoal,
    bounds: &ReachBounds,
    ws: &mut ChainWorkspace,
) -> ReachBounds {
    let (Some(held), Some(target)) = (ws.state.held(), goal.position) else { return *bounds };
    let effector = &chain.effectors[0];
    let line = target - ws.state.position[0];
    let bone = held * (effector.offset * ws.state.pose().stretch[effector.joint]);
    let (far, size) = (line.length(), bone.length());
    if far.min(size) <= 1e-7 * chain.length {
        return *bounds;
    }
    let normal = bone.cross(line);
    let between = float::atan2(normal.length(), bone.dot(line));
    let normal = normalize_or(normal, perpendicular(line));
    // Towards the goal, or away from it.
    let (sign, room) = if bounds.side > 0 { (1.0, between) } else { (-1.0, core::f32::consts::PI - between) };
    let (w, v) = (position_scale(goal), rotation_scale(chain, goal));
    let (w, v) = (w * w, v * v);
    let slope = |turn: f32| {
        let (s, c) = float::sin_cos(between - sign * turn);
        let left = float::sqrt((far * far + size * size - 2.0 * far * size * c).max(0.0));
        v * turn - sign * w * far * size * s * (1.0 - bounds.edge / left.max(1e-20))
    };
    let mut bracket = Bracket::new((0.0, slope(0.0)), (room, slope(room)));
    let mut turn = 0.0;
    for _ in 0..60 {
        if bracket.is_narrow() {
            break;
        }
        turn = bracket.guess();
        let value = slope(turn);
        if value == 0.0 {
            break;
        }
        bracket.put(turn, value);
    }
    ws.state.hold(Some((axis_angle(normal, sign * turn) * held).normalize()));
    let carried = super::carried_target(chain, target, ws) - ws.state.position[0];
    ReachBounds { direction: normalize_or(carried, bounds.direction), ..*bounds }
}
