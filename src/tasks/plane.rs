//! A point of a joint on, above or below a plane (floor, wall, table): one row,
//! `±(offset − n · x)`, force `±n`.

use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::debug::Part;
use crate::math::Vec3;
use crate::skeleton::JointIndex;

/// Sides of the plane that meet the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSide {
    /// On the plane only.
    On,
    /// On the plane, or on the side of its normal.
    Above,
    /// On the plane, or on the side opposite to its normal.
    Below,
}

/// Task: a point of a joint on, above or below a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The joint.
    pub joint: JointIndex,
    /// The point in the joint's space.
    pub point_js: Vec3,
    /// Normal of the plane in the space of the solve, unit.
    pub normal: Vec3,
    /// Distance of the plane from the origin along the normal.
    pub offset: f32,
    /// Side that meets the task.
    pub side: PlaneSide,
}

impl Task for Plane {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        one(self.joint)
    }
    fn row_count(&self) -> usize {
        1
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn is_one_sided(&self) -> bool {
        self.side != PlaneSide::On
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let x = at[0].point(self.point_js);
        let sign = if self.side == PlaneSide::Below { -1.0 } else { 1.0 };
        rows.terms[0].point = x;
        rows.set(0, sign * (self.offset - self.normal.dot(x)), 0, self.normal * sign, Vec3::ZERO);
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.offset = (self.offset - self.normal.dot(space.place)) * space.shrink;
        self.normal = space.direction(self.normal);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.offset = self.normal.dot(at[0].point(self.point_js));
        self.side = PlaneSide::On;
    }
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [Some((self.joint, self.point_js)), None]
    }
    fn set_points(&mut self, points: [Vec3; 2]) {
        self.point_js = points[0];
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let from = at[0].point(self.point_js);
        let above = self.normal.dot(from) - self.offset;
        let beyond = match self.side {
            PlaneSide::On => above,
            PlaneSide::Above => above.min(0.0),
            PlaneSide::Below => above.max(0.0),
        };
        lines.line(from, from - self.normal * beyond, Part::Residual);
        lines.line(from - self.normal * above, from - self.normal * (above - lines.mark()), Part::GoalAxis);
    }
}
