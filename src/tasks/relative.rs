//! A joint relative to another: a point of it at a point of the other (`r = y − x`), or its
//! orientation relative to the other's (`r = log(R₂ q R₁⁻¹)`).
//!
//! Both joints move: the row's force acts on the first joint's point and its opposite on the
//! second's, which coincide when the task is met (a two-handed weapon, closed loops, holding
//! hands). For the rotation, the goal turns with the angular velocity `ω₂` of `R₂`:
//! `log(exp(ω₂) exp(r)) = r + J(−r) ω₂`, so the second joint's torque is `−J(−r)ᵀ a`.

use super::orientation::{log_with_factor, torque};
use super::{Anchor, Axes, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::debug::Part;
use crate::math::{Quat, Vec3};
use crate::skeleton::JointIndex;

/// Task: a point of a joint at a point of another joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePosition {
    /// The joint.
    pub joint: JointIndex,
    /// The joint's point, in the joint's space.
    pub point_js: Vec3,
    /// The other joint.
    pub other: JointIndex,
    /// The other's point, in the other's space.
    pub other_point_js: Vec3,
    /// Active axes of the space of the solve.
    pub axes: Axes,
}

/// Task: the orientation of a joint relative to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeOrientation {
    /// The joint.
    pub joint: JointIndex,
    /// The other joint.
    pub other: JointIndex,
    /// The joint's rotation relative to the other, unit.
    pub rotation: Quat,
    /// Active axes of the rotation vector.
    pub axes: Axes,
}

fn two(joint: JointIndex, other: JointIndex) -> [Option<Anchor>; MAX_ANCHORS] {
    [Some(Anchor::Joint(joint)), Some(Anchor::Joint(other)), None]
}

impl Task for RelativePosition {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        two(self.joint, self.other)
    }
    fn row_count(&self) -> usize {
        self.axes.count()
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let (x, y) = (at[0].point(self.point_js), at[1].point(self.other_point_js));
        (rows.terms[0].point, rows.terms[1].point) = (x, y);
        let axes = self.axes.of_joint(at[0].rotation);
        let (active, count) = axes.active();
        for (row, axis) in active.into_iter().take(count).enumerate() {
            rows.set(row, (y - x).dot(axis), 0, axis, axes.turn_torque(axis, y - x));
            rows.terms[1].force[row] = -axis;
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.axes.enter(space);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        let x = at[0].point(self.point_js);
        self.other_point_js = at[1].rotation.conjugate() * (x - at[1].position);
    }
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [Some((self.joint, self.point_js)), Some((self.other, self.other_point_js))]
    }
    fn set_points(&mut self, points: [Vec3; 2]) {
        [self.point_js, self.other_point_js] = points;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let from = at[0].point(self.point_js);
        let to = at[1].point(self.other_point_js);
        lines.line(from, from + self.axes.along(to - from), Part::Residual);
    }
}

impl Task for RelativeOrientation {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        two(self.joint, self.other)
    }
    fn row_count(&self) -> usize {
        self.axes.count()
    }
    fn unit(&self) -> Unit {
        Unit::Angle
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let goal = at[1].rotation * self.rotation;
        let (r, c) = log_with_factor(goal * at[0].rotation.conjugate());
        (rows.terms[0].point, rows.terms[1].point) = (at[0].position, at[1].position);
        let axes = self.axes.of_joint(goal);
        let (active, count) = axes.active();
        for (row, axis) in active.into_iter().take(count).enumerate() {
            let own = torque(r, c, axis);
            rows.set(row, r.dot(axis), 0, Vec3::ZERO, own);
            // Axes that turn with the joint turn with the goal as well: only the difference counts.
            rows.terms[1].torque[row] = -if axes.turn_with_joint { own } else { torque(-r, c, axis) };
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.axes.enter(space);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.rotation = (at[1].rotation.conjugate() * at[0].rotation).normalize();
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.frame(at[0].position, at[1].rotation * self.rotation);
    }
}
