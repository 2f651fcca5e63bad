//! The centre of mass at a point (three axes), above a point (two), or in a plane (one):
//! `r = goal − c`.

use super::{Anchor, Axes, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::math::Vec3;

/// Task: the centre of mass at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CenterOfMass {
    /// Goal position, in the space of the solve.
    pub goal: Vec3,
    /// Active axes: without the vertical one, the centre of mass is above or below the goal.
    pub axes: Axes,
}

impl Task for CenterOfMass {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        [Some(Anchor::CenterOfMass), None, None]
    }
    fn row_count(&self) -> usize {
        self.axes.count()
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let left = self.goal - at[0].position;
        rows.terms[0].point = at[0].position;
        let (axes, count) = self.axes.active();
        for (row, axis) in axes[..count].iter().enumerate() {
            rows.set(row, left.dot(*axis), 0, *axis, Vec3::ZERO);
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.goal = space.point(self.goal);
        self.axes.enter(space);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.goal = at[0].position;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let from = at[0].position;
        lines.goal(from, from + self.axes.along(self.goal - from));
    }
}
