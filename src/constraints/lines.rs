//! Debug lines of constraints: goals, what is left to them, spheres, poles, curves.

use super::goal::{ConstraintGoal, ConstraintInput, DistanceGoal};
use super::pose_chain::ChainEnd;
use crate::chains::spline::Curve;
use crate::debug::{Line, Part, Sink};
use crate::math::{Frame, Quat, Vec3, axis_angle, length, normalize_or};
use crate::outcome::weight01;
use crate::skeleton::{JointIndex, Pose};
use core::f32::consts::TAU;

/// Lines of a sphere's circle.
const AROUND: usize = 24;
/// Lines of one segment of a curve.
const STEPS: usize = 12;

/// Where a constraint draws, and the pose that it draws; frames are up to date.
pub(super) struct GoalLines<'a> {
    pub pose: &'a Pose,
    pub world: &'a Frame,
    /// Length of marks, metres.
    pub mark_m: f32,
    pub sink: &'a mut dyn Sink,
}

impl GoalLines<'_> {
    fn line(&mut self, from_ws: Vec3, to_ws: Vec3, part: Part) {
        self.sink.line(Line { from_ws, to_ws, part });
    }
    fn joint(&self, joint: JointIndex) -> Vec3 {
        self.world.point_out(self.pose.model(joint).position)
    }
    fn tip(&self, end: &ChainEnd) -> Vec3 {
        self.world.point_out(self.pose.model(end.joint).point_out(end.tip_js))
    }
    /// A direction of a joint's own space, unit, world space.
    fn direction(&self, joint: JointIndex, axis_js: Vec3) -> Vec3 {
        normalize_or(self.world.vector_out(self.pose.model(joint).vector_out(axis_js)), Vec3::Y)
    }
    fn axes(&mut self, at_ws: Vec3, rotation_ws: Quat) {
        for axis in Vec3::AXES {
            self.line(at_ws, at_ws + rotation_ws * axis * self.mark_m, Part::GoalAxis);
        }
    }

    /// The goal of a chain's or limb's end, as far as it has weight.
    pub fn end(&mut self, end: &ChainEnd, goal: &ConstraintGoal) {
        let tip_ws = self.tip(end);
        if end.tip_js != Vec3::ZERO {
            let from_ws = self.joint(end.joint);
            self.line(from_ws, tip_ws, Part::Bone);
        }
        let place_ws = goal.position_ws.filter(|_| weight01(goal.position_weight) > 0.0);
        let has_turn = weight01(goal.rotation_weight) > 0.0;
        if let Some(place_ws) = place_ws {
            let to_ws = self.sphere(goal.distance, tip_ws, place_ws);
            self.line(tip_ws, to_ws, Part::Residual);
        }
        let centre_ws = place_ws.unwrap_or(tip_ws);
        match (goal.rotation_ws.filter(|_| has_turn), goal.axis_ws.filter(|_| has_turn)) {
            (Some(rotation_ws), _) => self.axes(centre_ws, rotation_ws),
            (None, Some(axis)) => {
                let along = normalize_or(axis.direction, Vec3::ZERO) * (2.0 * self.mark_m);
                self.line(centre_ws, centre_ws + along, Part::GoalAxis);
                let now = self.direction(end.joint, axis.axis) * (2.0 * self.mark_m);
                self.line(centre_ws + now, centre_ws + along, Part::Residual);
            }
            (None, None) if place_ws.is_some() => self.sink.cross(centre_ws, self.mark_m, Part::GoalAxis),
            (None, None) => {}
        }
    }

    /// The sphere that a tip keeps to, as three circles; returns the goal point on it.
    fn sphere(&mut self, distance: Option<DistanceGoal>, tip_ws: Vec3, centre_ws: Vec3) -> Vec3 {
        let Some(distance) = distance else { return centre_ws };
        for (axis, arm) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            let at =
                |step: usize| centre_ws + axis_angle(axis, TAU * step as f32 / AROUND as f32) * arm * distance.radius_m;
            for step in 0..AROUND {
                self.line(at(step), at(step + 1), Part::GoalAxis);
            }
        }
        distance.nearest(centre_ws, tip_ws, Vec3::X).unwrap_or(tip_ws)
    }

    /// From the joint that bends to the pole; `path` leads from the root to the end.
    pub fn pole(&mut self, path: &[JointIndex], input: &ConstraintInput) {
        let Some(pole) = input.pole_ws.filter(|pole| weight01(pole.weight) > 0.0) else { return };
        let from_ws = self.bend(path);
        let to_ws =
            if pole.is_direction { from_ws + normalize_or(pole.at, Vec3::ZERO) * (4.0 * self.mark_m) } else { pole.at };
        self.line(from_ws, to_ws, Part::Hint);
    }
    /// The joint of a path that is farthest from the line between its ends; the middle one of a
    /// straight path.
    fn bend(&self, path: &[JointIndex]) -> Vec3 {
        let (root_ws, end_ws) = (self.joint(path[0]), self.joint(path[path.len() - 1]));
        let line = normalize_or(end_ws - root_ws, Vec3::ZERO);
        let mut farthest = (1e-3 * length(end_ws - root_ws), self.joint(path[path.len() / 2]));
        for &joint in path {
            let from_root = self.joint(joint) - root_ws;
            let away = length(from_root - line * line.dot(from_root));
            if away > farthest.0 {
                farthest = (away, root_ws + from_root);
            }
        }
        farthest.1
    }

    /// A ray of an aim as far as its target, and what is left between them.
    pub fn sight(&mut self, eye: &ChainEnd, axis_js: Vec3, goal: &ConstraintGoal) {
        let has_weight = weight01(goal.position_weight) > 0.0;
        let Some(target_ws) = goal.position_ws.filter(|_| has_weight) else { return };
        let eye_ws = self.tip(eye);
        let seen_ws = eye_ws + self.direction(eye.joint, axis_js) * length(target_ws - eye_ws);
        self.line(eye_ws, seen_ws, Part::LookAt);
        self.line(seen_ws, target_ws, Part::Residual);
        self.sink.cross(target_ws, self.mark_m, Part::GoalAxis);
    }

    /// A curve through points relative to `origin_ws`, and a cross at each control point that has a
    /// goal.
    pub fn curve(&mut self, origin_ws: Vec3, curve: &Curve, goals: &[ConstraintGoal]) {
        let mut from_ws = origin_ws + curve.start();
        for segment in 0..curve.segment_count() {
            for step in 1..=STEPS {
                let to_ws = origin_ws + curve.at(segment, step as f32 / STEPS as f32);
                self.line(from_ws, to_ws, Part::GoalAxis);
                from_ws = to_ws;
            }
        }
        for point_ws in goals.iter().filter_map(|goal| goal.position_ws) {
            self.sink.cross(point_ws, self.mark_m, Part::GoalAxis);
        }
    }

    /// The frame that a joint copies.
    pub fn turn(&mut self, joint: JointIndex, goal: &ConstraintGoal, source: Option<JointIndex>, offset: Quat) {
        let copied = match (goal.rotation_ws, source) {
            _ if weight01(goal.rotation_weight) <= 0.0 => None,
            (Some(rotation_ws), _) => Some(rotation_ws),
            (None, Some(source)) => Some(self.world.rotation_out(self.pose.model(source).rotation)),
            (None, None) => None,
        };
        if let Some(copied_ws) = copied {
            let at_ws = self.joint(joint);
            self.axes(at_ws, copied_ws * offset);
        }
    }
}
