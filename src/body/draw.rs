//! Lines that show a body: bones, goals and what is left of them, active limits, centre of mass,
//! area of support.

use super::demand::Demand;
use super::placed::PlacedBody;
use super::solver::{Body, BodyTaskId};
use crate::debug::{Line, Part, Sink};
use crate::math::{Transform, Vec3};
use crate::skeleton::JointIndex;
use crate::tasks::{GoalSink, InnerSpace, MAX_ANCHORS, Placement, Task, point_out, rotation_out};

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
    /// Where model space is in the world.
    root: Transform,
    /// From the model space of the last solve to that of `root`, where these are two.
    moved: Option<Transform>,
}

impl<S> Drawing<'_, S> {
    /// A point of the pose.
    fn seen(&self, point: Vec3) -> Vec3 {
        self.moved.as_ref().map_or(point, |moved| point_out(moved, point))
    }
    /// Where the anchors of a task are in the pose.
    fn placements(&self, demand: &Demand) -> [Placement; MAX_ANCHORS] {
        let at = self.body.placements(demand);
        let Some(moved) = &self.moved else { return at };
        at.map(|at| Placement { position: point_out(moved, at.position), rotation: rotation_out(moved, at.rotation) })
    }
}

/// From the model space of one root to that of another.
fn between(from: &Transform, to: &Transform) -> Transform {
    let space = InnerSpace::new(to, false);
    Transform {
        position: space.point(from.position),
        rotation: space.rotation(from.rotation),
        scale: space.signs * from.scale * space.shrink,
    }
}

impl<S: Sink> GoalSink for Drawing<'_, S> {
    fn line(&mut self, from: Vec3, to: Vec3, part: Part) {
        let (from_ws, to_ws) = (point_out(&self.root, from), point_out(&self.root, to));
        self.sink.line(Line { from_ws, to_ws, part });
    }
    fn cross(&mut self, at: Vec3, part: Part) {
        let size = self.mark * self.root.scale.x.abs();
        self.sink.cross(point_out(&self.root, at), size, part);
    }
    fn area(&mut self, corners: &[Vec3], up: Vec3) {
        let lowest = |low: f32, joint: JointIndex| low.min(up.dot(self.seen(self.body.pose().model(joint).position)));
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
    /// Draws the last pose where it was solved, the goals that have a blend, what is left of them,
    /// joints at their limits, the centre of mass and the area that carries it; world space. A pin
    /// that no solve has held yet has no goal.
    pub fn draw(&self, sink: &mut impl Sink) {
        let (skeleton, pose) = (self.skeleton().clone(), self.pose());
        let at = |joint| pose.model(joint).position;
        let reach = (0..skeleton.joint_count()).map(|j| (at(j) - at(0)).length()).fold(0.0, f32::max);
        let (solved, now) = (*self.solved_root(), *self.root());
        let moved = (solved != now).then(|| between(&solved, &now));
        let mut drawing = Drawing { body: self, sink, mark: MARK * reach, root: solved, moved: None };
        for joint in 0..skeleton.joint_count() {
            if let Some(parent) = skeleton.parent(joint) {
                drawing.line(at(parent), at(joint), Part::Bone);
            }
        }
        let body = self.body();
        for (id, demand) in body.demands.iter().enumerate() {
            let Some(demand) = demand.as_ref().filter(|demand| demand.blend > 0.0) else { continue };
            // Goals stay where they are in the world when the root moves; pins are held in the
            // pose.
            (drawing.root, drawing.moved) = match self.pin(BodyTaskId(id)) {
                Some(false) => continue,
                Some(true) => (solved, None),
                None => (now, moved),
            };
            demand.task.draw(&drawing.placements(demand), &mut drawing);
        }
        (drawing.root, drawing.moved) = (solved, None);
        body.limited_joints(|joint| drawing.cross(at(joint), Part::Limit));
        if let Some(center_ms) = self.center_of_mass_ms() {
            drawing.cross(center_ms, Part::Body);
        }
    }
}
