//! A point of a joint at a distance from a fixed point or from a point of another joint: one row,
//! `±(d − |x − y|)`.
//!
//! The force is the unit direction `n` from the other point, and `−n` on that one. At the other
//! point itself the direction is undefined; a fixed axis replaces it, so that "outside" can leave.

use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::debug::Part;
use crate::math::{Vec3, normalize_or};
use crate::skeleton::JointIndex;

/// Rule for the distances that meet the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceRule {
    /// At most the distance.
    Inside,
    /// The distance itself.
    OnSurface,
    /// At least the distance.
    Outside,
}

/// A point of a joint at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The joint.
    pub joint: JointIndex,
    /// The point in the joint's space.
    pub point_js: Vec3,
    /// The other joint; `None` for a fixed point.
    pub other: Option<JointIndex>,
    /// The other point: in the other joint's space, else in the space of the solve.
    pub center: Vec3,
    /// The distance, 0 or more.
    pub distance: f32,
    /// Distances that meet the task.
    pub rule: DistanceRule,
}

impl Distance {
    fn other_point(&self, at: &[Placement; MAX_ANCHORS]) -> Vec3 {
        if self.other.is_some() { at[1].point(self.center) } else { self.center }
    }
}

impl Task for Distance {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        [Some(Anchor::Joint(self.joint)), self.other.map(Anchor::Joint), None]
    }
    fn row_count(&self) -> usize {
        1
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn is_one_sided(&self) -> bool {
        self.rule != DistanceRule::OnSurface
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let x = at[0].point(self.point_js);
        let y = self.other_point(at);
        let between = x - y;
        let n = normalize_or(between, Vec3::Y);
        let sign = if self.rule == DistanceRule::Inside { -1.0 } else { 1.0 };
        rows.terms[0].point = x;
        rows.terms[1].point = y;
        rows.set(0, sign * (self.distance - between.length()), 0, n * sign, Vec3::ZERO);
        if self.other.is_some() {
            rows.terms[1].force[0] = -n * sign;
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.distance *= space.shrink;
        if self.other.is_none() {
            self.center = space.point(self.center);
        }
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.distance = (at[0].point(self.point_js) - self.other_point(at)).length();
        self.rule = DistanceRule::OnSurface;
    }
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [Some((self.joint, self.point_js)), self.other.map(|other| (other, self.center))]
    }
    fn set_points(&mut self, points: [Vec3; 2]) {
        self.point_js = points[0];
        if self.other.is_some() {
            self.center = points[1];
        }
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        let (from, center) = (at[0].point(self.point_js), self.other_point(at));
        let way = from - center;
        let distance = match self.rule {
            DistanceRule::Inside => way.length().min(self.distance),
            DistanceRule::OnSurface => self.distance,
            DistanceRule::Outside => way.length().max(self.distance),
        };
        lines.line(from, center + normalize_or(way, Vec3::Y) * distance, Part::Residual);
        lines.cross(center, Part::GoalAxis);
    }
}
