//! An axis of a joint towards a point: the shortest turn from the axis to `d`, the direction from
//! the eye to the target, as in [`super::axis`].
//!
//! `ḋ = −(1 − d dᵀ) v/l` for an eye with the velocity `v` at distance `l`, so row `i` has, beside
//! its torque, the force `(∂rᵢ/∂d)/l` at the eye, `∂r/∂d = n (n × d)ᵀ − k u nᵀ`. A target nearer
//! than a millimetre counts as that far: at the eye itself the direction is undefined.

use super::axis::set_turn;
use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::debug::Part;
use crate::math::{Vec3, normalize_or};
use crate::skeleton::JointIndex;

/// Task: an axis of a joint towards a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaze {
    /// The joint.
    pub joint: JointIndex,
    /// The eye in the joint's space.
    pub eye_js: Vec3,
    /// The line of sight in the joint's space, unit.
    pub axis_js: Vec3,
    /// The target point, in the space of the solve.
    pub target: Vec3,
}

impl Task for Gaze {
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
        let eye = at[0].point(self.eye_js);
        let a = at[0].rotation * self.axis_js;
        let to = self.target - eye;
        let u = normalize_or(to, a);
        let nearness = 1.0 / to.length().max(1e-3);
        rows.terms[0].point = eye;
        set_turn(rows, a, u, |covector| covector * nearness);
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.target = space.point(self.target);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.target = at[0].point(self.eye_js) + at[0].rotation * self.axis_js;
    }
    fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
        [Some((self.joint, self.eye_js)), None]
    }
    fn set_points(&mut self, points: [Vec3; 2]) {
        self.eye_js = points[0];
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.line(at[0].point(self.eye_js), self.target, Part::LookAt);
    }
}
