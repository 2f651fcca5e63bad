//! Lines that show a body: bones, goals and what is left of them, active limits, centre of mass,
//! area of support.

use super::placed::PlacedBody;
use super::solver::Body;
use crate::debug::{Line, Part, Sink};
use crate::math::Vec3;
use crate::skeleton::JointIndex;
use crate::tasks::{GoalSink, Task};

/// A joint this near to a border stands on it, radians.
const AT_LIMIT_RAD: f32 = 2e-3;
/// Length of marks beside the size of the body.
const MARK: f32 = 0.04;

impl Body {
    /// Calls `visit` for each joint that stands on a border of its limits in the last answer, an
    /// end of its slide included, in joint order. Locks are no borders.
    pub fn limited_joints(&self, mut visit: impl FnMut(JointIndex)) {
        let places = self.solve.plan.joints.iter().zip(&self.solve.models).zip(&self.solve.state.at.turns);
        for (place, ((&joint, model), turn)) in places.enumerate().skip(1) {
            let is_at_end = self.solve.step.slides.is_at_end(place, &self.solve.state.at);
            if is_at_end || model.is_at_border(*turn, AT_LIMIT_RAD) {
                visit(joint);
            }
        }
    }
}

/// Draws in model space what a sink takes in world space.
struct Drawing<'a, S> {
    body: &'a PlacedBody,
    sink: &'a mut S,
    mark: f32,
}

impl<S: Sink> GoalSink for Drawing<'_, S> {
    fn line(&mut self, from: Vec3, to: Vec3, part: Part) {
        let (from_ws, to_ws) = (self.body.to_world(from), self.body.to_world(to));
        self.sink.line(Line { from_ws, to_ws, part });
    }
    fn cross(&mut self, at: Vec3, part: Part) {
        let size = self.mark * self.body.root().scale.x;
        self.sink.cross(self.body.to_world(at), size, part);
    }
    fn area(&mut self, corners: &[Vec3], up: Vec3) {
        let lowest = |low: f32, joint: JointIndex| low.min(up.dot(self.body.pose().model(joint).position));
        let height = (0..self.body.skeleton().joint_count()).fold(f32::INFINITY, lowest);
        for (i, corner) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            self.line(*corner + up * height, next + up * height, Part::Support);
        }
    }
    fn mark(&self) -> f32 {
        self.mark
    }
}

impl PlacedBody {
    /// Draws the last pose, the goals that have a blend, what is left of them, joints at their
    /// limits, the centre of mass and the area that carries it; world space.
    pub fn draw(&self, sink: &mut impl Sink) {
        let (skeleton, pose) = (self.skeleton().clone(), self.pose());
        let at = |joint| pose.model(joint).position;
        let reach = (0..skeleton.joint_count()).map(|j| (at(j) - at(0)).length()).fold(0.0, f32::max);
        let mut drawing = Drawing { body: self, sink, mark: MARK * reach };
        for joint in 0..skeleton.joint_count() {
            if let Some(parent) = skeleton.parent(joint) {
                drawing.line(at(parent), at(joint), Part::Bone);
            }
        }
        let body = self.body();
        for demand in body.demands.iter().flatten().filter(|d| d.blend > 0.0) {
            demand.task.draw(&self.placements(demand), &mut drawing);
        }
        body.limited_joints(|joint| drawing.cross(at(joint), Part::Limit));
        if let Some(center_ws) = self.center_of_mass_ws() {
            let size = drawing.mark * self.root().scale.x;
            drawing.sink.cross(center_ws, size, Part::Body);
        }
    }
}
