//! The position of a point of a joint: `r = goal − x`, `ẋ` the velocity of the point. Exact: the
//! force of each row is its axis, beside a torque where the axes turn with the joint.

use super::{Anchor, Axes, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::math::Vec3;
use crate::skeleton::JointIndex;

/// Task: the position of a point of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// The joint.
    pub joint: JointIndex,
    /// The point, in the joint's space (a palm, a weapon's tip); zero is the joint itself.
    pub point_js: Vec3,
    /// Goal position, in the space of the solve.
    pub goal: Vec3,
    /// Active axes.
    pub axes: Axes,
}

impl Position {
    /// The position of the joint itself, all axes.
    pub fn new(joint: JointIndex, goal: Vec3) -> Self {
        Self { joint, point_js: Vec3::ZERO, goal, axes: Axes::ALL }
    }
}

impl Task for Position {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        one(self.joint)
    }
    fn row_count(&self) -> usize {
        self.axes.count()
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    #[inline(always)]
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let x = at[0].point(self.point_js);
        let left = self.goal - x;
        rows.terms[0].point = x;
        let axes = self.axes.of_joint(at[0].rotation);
        let (active, count) = axes.active();
        for (row, axis) in active[..count].iter().enumerate() {
            rows.set(row, left.dot(*axis), 0, *axis, axes.turn_torque(*axis, left));
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.goal = space.point(self.goal);
        self.axes.enter(space);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.goal = at[0].point(self.point_js);
    }
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [Some((self.joint, self.point_js)), None]
    }
    fn set_points(&mut self, points: [Vec3; 2]) {
        self.point_js = points[0];
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let from = at[0].point(self.point_js);
        lines.goal(from, from + self.axes.along(self.goal - from));
    }
}
