//! Lines that show a body: bones, goals and what is left of them, active limits, centre of mass,
//! area of support.

use super::placed::PlacedBody;
use super::solver::Body;
use crate::debug::{Line, Part, Sink};
use crate::math::{Quat, Vec3, normalize_or};
use crate::skeleton::JointIndex;
use crate::tasks::{AnyTask, Axes, DistanceRule, Placement, PlaneSide, SupportArea};

/// A joint this near to a border stands on it, radians.
const AT_LIMIT_RAD: f32 = 2e-3;
/// Length of marks beside the size of the body.
const MARK: f32 = 0.04;

impl Body {
    /// Calls `visit` for each joint that stands on a border of its limits in the last answer, in
    /// joint order. Locks are no borders.
    pub fn limited_joints(&self, mut visit: impl FnMut(JointIndex)) {
        let places = self.solve.plan.joints.iter().zip(&self.solve.models).zip(&self.solve.state.at.turns);
        for ((&joint, model), turn) in places.skip(1) {
            if model.is_at_border(*turn, AT_LIMIT_RAD) {
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

impl<S: Sink> Drawing<'_, S> {
    fn line(&mut self, from: Vec3, to: Vec3, part: Part) {
        let (from_ws, to_ws) = (self.body.to_world(from), self.body.to_world(to));
        self.sink.line(Line { from_ws, to_ws, part });
    }
    fn cross(&mut self, at: Vec3, part: Part) {
        let size = self.mark * self.body.root().scale.x;
        self.sink.cross(self.body.to_world(at), size, part);
    }
    fn goal(&mut self, from: Vec3, to: Vec3) {
        self.line(from, to, Part::Residual);
        self.cross(to, Part::GoalAxis);
    }
    fn frame(&mut self, at: Vec3, rotation: Quat) {
        for axis in Vec3::AXES {
            self.line(at, at + rotation * axis * self.mark, Part::GoalAxis);
        }
    }
    fn area(&mut self, area: &SupportArea, up: Vec3, height: f32) {
        let corners = area.corners();
        for (i, corner) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            self.line(*corner + up * height, next + up * height, Part::Support);
        }
    }
    fn task(&mut self, task: &AnyTask, at: &[Placement; 3]) {
        let x = |point_js: Vec3| at[0].point(point_js);
        // The part of the way that counts.
        let along = |axes: &Axes, way: Vec3| {
            let mut sum = Vec3::ZERO;
            axes.each(|_, axis| sum += axis * way.dot(axis));
            sum
        };
        match task {
            AnyTask::Position(t) => {
                let from = x(t.point_js);
                self.goal(from, from + along(&t.axes, t.goal - from));
            }
            AnyTask::Orientation(t) => self.frame(at[0].position, t.goal),
            AnyTask::Axis(t) => {
                self.line(at[0].position, at[0].position + t.direction * self.mark * 2.0, Part::GoalAxis);
            }
            AnyTask::Gaze(t) => self.line(x(t.eye_js), t.target, Part::LookAt),
            AnyTask::PoleVector(t) => self.line(at[0].position, t.pole, Part::Hint),
            AnyTask::Distance(t) => {
                let (from, center) = (x(t.point_js), if t.other.is_some() { at[1].point(t.center) } else { t.center });
                let way = from - center;
                let distance = match t.rule {
                    DistanceRule::Inside => way.length().min(t.distance),
                    DistanceRule::OnSurface => t.distance,
                    DistanceRule::Outside => way.length().max(t.distance),
                };
                self.line(from, center + normalize_or(way, Vec3::Y) * distance, Part::Residual);
                self.cross(center, Part::GoalAxis);
            }
            AnyTask::Plane(t) => {
                let from = x(t.point_js);
                let above = t.normal.dot(from) - t.offset;
                let beyond = match t.side {
                    PlaneSide::On => above,
                    PlaneSide::Above => above.min(0.0),
                    PlaneSide::Below => above.max(0.0),
                };
                self.line(from, from - t.normal * beyond, Part::Residual);
                self.line(from - t.normal * above, from - t.normal * (above - self.mark), Part::GoalAxis);
            }
            AnyTask::RelativePosition(t) => {
                let from = x(t.point_js);
                let to = at[1].point(t.other_point_js);
                self.line(from, from + along(&t.axes, to - from), Part::Residual);
            }
            AnyTask::RelativeOrientation(t) => self.frame(at[0].position, at[1].rotation * t.rotation),
            AnyTask::SpannedOrientation(t) => self.frame((at[1].position + at[2].position) * 0.5, t.goal),
            AnyTask::CenterOfMass(t) => {
                let from = at[0].position;
                self.goal(from, from + along(&t.axes, t.goal - from));
            }
            AnyTask::Support(t) => {
                let lowest = |low: f32, joint: JointIndex| low.min(t.up.dot(self.body.pose().model(joint).position));
                let height = (0..self.body.skeleton().joint_count()).fold(f32::INFINITY, lowest);
                self.area(&t.area, t.up, height);
            }
            AnyTask::HostTask(_) => {}
        }
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
            drawing.task(&demand.task, &self.placements(demand));
        }
        body.limited_joints(|joint| drawing.cross(at(joint), Part::Limit));
        if let Some(center_ws) = self.center_of_mass_ws() {
            let size = drawing.mark * self.root().scale.x;
            drawing.sink.cross(center_ws, size, Part::Body);
        }
    }
}
