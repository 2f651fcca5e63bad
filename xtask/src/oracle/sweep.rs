//! Flips: a joint that turns far between neighbouring frames whose goals are close together.
//!
//! The rule. Between two frames the goals *sweep* an angle: the largest of the angle through which
//! the direction root → goal turns, the angle through which the pole goes round that line, the turn
//! of a rotation goal, and the change of bend that the change of distance alone requires. A joint
//! that turns by more than 30° + 2 × that angle has flipped.
//!
//! It counts only where a continuous answer exists. For chains without limits that is everywhere
//! except near the known singularities (see [`is_singular`]); for the others, where some solver
//! went through the same step, on its goals and within its limits, without a flip.

use super::format::{Case, Constraint, Frame};
use super::geometry::V3;
use super::goals::{Goal, is_free, link_lengths};
use super::kinematics::{BonePose, pose_bones};
use super::measure::is_on_line;

/// Turn of the fastest joint between two poses, radians.
pub fn turn(case: &Case, from: &BonePose, to: &BonePose) -> f64 {
    let moved = case.moved_bones();
    moved.iter().map(|bone| from.rotation[*bone].angle_to(to.rotation[*bone])).fold(0.0, f64::max)
}

/// A step between two neighbouring frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Turn above which a joint has flipped, radians.
    pub allowed: f64,
    /// A continuous answer is known to exist, whatever the solvers do.
    pub is_continuous: bool,
    /// Near a singularity no rule can be slow.
    pub is_singular: bool,
}

/// What may be expected of the step from frame `k` to frame `k + 1`.
pub fn step(case: &Case, frames: [&Frame; 2], goals: [Option<&[Goal]>; 2]) -> Step {
    let before = pose_bones(case, &BonePose::rigid(case.fk_rotations()));
    let mut swept = 0.0_f64;
    let (mut is_singular, mut is_continuous) = (false, true);
    for (index, constraint) in case.constraints.iter().enumerate() {
        let root = before.root(constraint);
        // With a pole and an influence between 0 and 1 joints are blended: half a turn for the
        // whole way.
        let faded = (case.influence(frames[1], index) - case.influence(frames[0], index)).abs();
        swept = swept.max(faded * std::f64::consts::PI);
        swept = swept.max((case.pole_angle(frames[1], index) - case.pole_angle(frames[0], index)).abs());
        let points = [0, 1].map(|end| match goals[end] {
            Some(goals) => goals[index].position,
            None => Some(frames[end].target(&constraint.target).position),
        });
        let rotations = [0, 1].map(|end| goals[end].and_then(|goals| goals[index].rotation));
        if let [Some(a), Some(b)] = rotations {
            swept = swept.max(a.angle_to(b));
            is_continuous = false;
        }
        is_continuous &= is_free(case, constraint) || is_planar(case, constraint);
        // iTaSC cases fade in from the rest pose, not from the pose that influence 0 leaves alone.
        is_singular |= case.solver == "itasc" && frames.iter().any(|frame| case.influence(frame, index) == 0.0);
        let [Some(a), Some(b)] = points.map(|point| point.map(|p| p - root)) else { continue };
        let links = link_lengths(case, constraint, &before);
        swept = swept.max(a.angle(b)).max(bend_change(&links, [a.len(), b.len()]));
        let poles = constraint.pole.as_ref().map(|name| [0, 1].map(|end| frames[end].target(name).position - root));
        if let Some([p, q]) = poles {
            let (across_a, across_b) = (p.across(a), q.across(b));
            swept = swept.max(across_a.angle(across_b));
        }
        let rest = before.effector(case, constraint) - root;
        for (goal, pole) in [(a, poles.map(|p| p[0])), (b, poles.map(|p| p[1]))] {
            is_singular |= self::is_singular(constraint, goal, pole, rest, is_planar(case, constraint));
        }
    }
    // Several goals on one tree: unknown.
    is_continuous &= case.constraints.len() == 1 || case.constraints.iter().all(|c| c.pole.is_some());
    Step { allowed: 30_f64.to_radians() + 2.0 * swept, is_continuous, is_singular }
}

/// Within 0.05 L of the root; within 12° of the line root → goal for a pole; without a pole, a goal
/// within 12° of straight behind (the direction opposite to the effector before IK), where the
/// shortest turn changes sides.
fn is_singular(constraint: &Constraint, goal: V3, pole: Option<V3>, rest: V3, planar: bool) -> bool {
    let near = 12_f64.to_radians();
    if goal.len() < 0.05 * constraint.chain_length {
        return true;
    }
    match pole {
        Some(pole) => is_on_line(goal, pole),
        None => !planar && std::f64::consts::PI - goal.angle(rest) < near,
    }
}

/// Only hinges, none of them limited.
fn is_planar(case: &Case, constraint: &Constraint) -> bool {
    constraint.chain.iter().all(|bone| {
        let dof = case.dof(*bone);
        let free: Vec<usize> = (0..3).filter(|axis| !dof.lock[*axis]).collect();
        free.len() == 1 && !dof.limit[free[0]] && !case.may_stretch(*bone)
    })
}

/// Change of bend of a limb that a change of distance requires: the largest change of an angle in
/// the triangle root, middle joint, effector of two bones; longer chains count as two equal halves.
fn bend_change(links: &[f64], distances: [f64; 2]) -> f64 {
    let sum: f64 = links.iter().sum();
    let (a, b) = if let [a, b] = links { (*a, *b) } else { (sum / 2.0, sum / 2.0) };
    // The angle opposite to the third side; distances out of reach are brought into it.
    let opposite = |p: f64, q: f64, side: f64| match p * q {
        0.0 => 0.0,
        twice => ((p * p + q * q - side * side) / (2.0 * twice)).clamp(-1.0, 1.0).acos(),
    };
    let [from, to] = distances.map(|d| {
        let d = d.clamp((a - b).abs(), a + b);
        [opposite(a, b, d), opposite(a, d, b), opposite(b, d, a)]
    });
    from.iter().zip(to).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
