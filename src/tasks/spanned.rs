//! The orientation of a frame that four points span: `r = log(goal · R⁻¹)`. Two lower points are
//! fixed in one joint (the hips), the two upper ones are joints of their own (the shoulders). The
//! up axis runs from the middle of the lower points to the middle of the upper ones, the side axis
//! is the mean of both lines: the mean orientation of the lower and the upper half of a trunk.
//!
//! # Derivation
//!
//! With `U = (a + b) − (l + r)`, `S = (b − a) + (r − l)`, `u` the unit `U`, `S⊥` the part of `S`
//! across `u`, `s` its unit and `q = u × s`: the frame turns with
//!
//! ```text
//! ω = u × U̇/|U| + u (q · (Ṡ − (S·u) U̇/|U|))/|S⊥|
//! ```
//!
//! as `ω · u = q · ṡ`. A row with the torque `t` ([`super::orientation`]) falls by `t · ω`, so `U`
//! has the force `(t × u − (t·u) (S·u)/|S⊥| q)/|U|` and `S` the force `(t·u) q/|S⊥|`.

use super::orientation::{log_with_factor, torque};
use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::math::{Quat, Vec3, frame_rotation};
use crate::skeleton::JointIndex;

/// Task: the orientation of the frame that four points span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpannedOrientation {
    /// The joint that carries the lower points.
    pub lower: JointIndex,
    /// Left and right lower point, in the space of `lower`.
    pub lower_points_js: [Vec3; 2],
    /// The joints that are the left and the right upper point.
    pub upper: [JointIndex; 2],
    /// `orientation = spanned frame · this`: the spanned frame has Z along `side × up` and Y up.
    pub from_span: Quat,
    /// Whether Z is along `up × side` instead: a space of the other handedness.
    pub is_mirrored: bool,
    /// The goal's rotation in the space of the solve, unit.
    pub goal: Quat,
}

impl SpannedOrientation {
    /// The orientation for placements of the anchors, and up and side; `None` where the points span
    /// no frame.
    pub(super) fn now(&self, at: &[Placement; MAX_ANCHORS]) -> Option<(Quat, Vec3, Vec3)> {
        let [l, r] = self.lower_points_js.map(|point_js| at[0].point(point_js));
        let (a, b) = (at[1].position, at[2].position);
        let (up, side) = ((a + b) - (l + r), (b - a) + (r - l));
        let forward = if self.is_mirrored { up.cross(side) } else { side.cross(up) };
        let least = 1e-6 * (1e-6 + up.length_squared() + side.length_squared());
        if forward.length() < least {
            return None;
        }
        Some(((frame_rotation(forward, up) * self.from_span).normalize(), up, side))
    }
}

impl Task for SpannedOrientation {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        [self.lower, self.upper[0], self.upper[1]].map(|joint| Some(Anchor::Joint(joint)))
    }
    fn row_count(&self) -> usize {
        3
    }
    fn unit(&self) -> Unit {
        Unit::Angle
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let Some((now, up, side)) = self.now(at) else { return };
        let height = up.length();
        let u = up * (1.0 / height);
        let along = side.dot(u);
        let across = side - u * along;
        let width = across.length();
        let q = u.cross(across * (1.0 / width));
        let [l, r] = self.lower_points_js.map(|point_js| at[0].point(point_js));
        rows.terms[0].point = (l + r) * 0.5;
        (rows.terms[1].point, rows.terms[2].point) = (at[1].position, at[2].position);
        let (rest, c) = log_with_factor(self.goal * now.conjugate());
        for (row, axis) in Vec3::AXES.into_iter().enumerate() {
            let t = torque(rest, c, axis);
            let about = t.dot(u) / width;
            let (on_up, on_side) = ((t.cross(u) - q * (about * along)) * (1.0 / height), q * about);
            rows.set(row, rest.dot(axis), 0, on_up * -2.0, (r - l).cross(on_side));
            rows.terms[1].force[row] = on_up - on_side;
            rows.terms[2].force[row] = on_up + on_side;
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.goal = space.rotation(self.goal);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.goal = self.now(at).map_or(self.goal, |(now, ..)| now);
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.frame((at[1].position + at[2].position) * 0.5, self.goal);
    }
}
