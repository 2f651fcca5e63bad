//! An axis of a joint along a direction: `r = d − a`, the chord between the unit vectors, of length
//! `2 sin(θ/2)`.
//!
//! `ȧ = ω × a`, so row `i` has the torque `a × eᵢ`. The only singular direction of the chord is the
//! opposite one, where the gradient vanishes. Three rows of rank two.

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
        set_chord(rows, at[0].rotation * self.axis_js, self.direction, |_| Vec3::ZERO);
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.direction = space.back * self.direction;
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.direction = at[0].rotation * self.axis_js;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let to = at[0].position + self.direction * lines.mark() * 2.0;
        lines.line(at[0].position, to, Part::GoalAxis);
    }
}

/// Sets the three rows of the chord from the axis `a` to the direction `to`, both unit; `force`
/// returns the force along one of the axes.
pub(super) fn set_chord(rows: &mut Rows, a: Vec3, to: Vec3, force: impl Fn(Vec3) -> Vec3) {
    for (row, (value, e)) in (to - a).to_array().into_iter().zip(Vec3::AXES).enumerate() {
        rows.set(row, value, 0, force(e), a.cross(e));
    }
}
