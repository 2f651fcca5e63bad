//! An axis of a joint along a direction: `r = θ n`, the rotation vector of the shortest turn that
//! takes the axis `a` to the direction `d`; `n` is the unit vector along `a × d`.
//!
//! # Derivation
//!
//! With `u = n × a`, a turn of `a` about `n` lowers `θ`, and one about `u` moves `a` out of the
//! plane, which turns `n` about `d` by the turn over `sin θ`. So `J = n nᵀ + k (n × d) uᵀ`, `k =
//! θ/sin θ`; turns about `a` change nothing. Row `i` has the torque `n nᵢ + k (n × d)ᵢ u`. The rows
//! have the components of one vector, so a share of it is a share of the turn: a blend moves the
//! goal along the arc. Near the opposite direction, where the turn is about any axis, `sin θ` is
//! limited; at the direction itself `J = 1 − a aᵀ`. Three rows of rank two.

use super::turn::ShortestTurn;
use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::debug::Part;
use crate::math::Vec3;
use crate::skeleton::JointIndex;

/// An axis of a joint along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The joint.
    pub joint: JointIndex,
    /// The axis in the joint's space, unit.
    pub axis_js: Vec3,
    /// The direction in the space of the solve, unit.
    pub direction: Vec3,
}

impl Task for Axis {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        one(self.joint)
    }
    fn row_count(&self) -> usize {
        3
    }
    fn unit(&self) -> Unit {
        Unit::Angle
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        rows.terms[0].point = at[0].position;
        set_turn(rows, at[0].rotation * self.axis_js, self.direction, |_| Vec3::ZERO);
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.direction = space.direction(self.direction);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.direction = at[0].rotation * self.axis_js;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let to = at[0].position + self.direction * lines.mark() * 2.0;
        lines.line(at[0].position, to, Part::GoalAxis);
    }
}

/// Least `sin θ` of the Jacobian.
const LEAST_SINE: f32 = 0.05;

/// Sets the three rows of the turn from the axis `a` to the direction `to`, both unit. `move_to`
/// returns the force that belongs to a covector of the direction: zero where the direction stays.
pub(super) fn set_turn(rows: &mut Rows, a: Vec3, to: Vec3, move_to: impl Fn(Vec3) -> Vec3) {
    let ShortestTurn { n, angle, sine } = ShortestTurn::between(a, to);
    let k = if angle > core::f32::consts::FRAC_PI_2 {
        angle / sine.max(LEAST_SINE)
    } else if sine > 1e-3 {
        angle / sine
    } else {
        1.0
    };
    let (u, aside) = (n.cross(a), n.cross(to) * k);
    for row in 0..3 {
        let (along, beside) = (n[row], aside[row]);
        // The direction moves the other way round: along the arc, and out of its plane.
        let of_direction = n.cross(to) * along - n * (k * u[row]);
        rows.set(row, angle * along, 0, move_to(of_direction), n * along + u * beside);
    }
}
