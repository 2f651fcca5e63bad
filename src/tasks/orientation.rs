//! The orientation of a joint: `r = log(goal · R⁻¹)`, the rotation vector of the residual.
//!
//! # Derivation
//!
//! With the angular velocity `ω` of `R`, `log(exp(r) exp(−ω dt)) = r − J(r) ω dt`, where `J` is the
//! inverse of the right Jacobian of the rotation group, `J(r) = 1 + ½ [r]× + c [r]×²`,
//! `c = (1 − (θ/2) cot(θ/2))/θ²`, `θ = |r|`. Row `i` has the torque `Jᵀ` of its axis,
//! `a − ½ r × a + c r × (r × a)`. As `J r = r`, the gradient is that of the plain geometric
//! Jacobian; with masked axes it differs, and steps far from the goal are better. `J` is finite up
//! to a full turn; `r` itself jumps at a half turn to the opposite direction.
//!
//! Source: J. Solà, J. Deray, D. Atchuthan, "A micro Lie theory for state estimation in robotics"
//! (2018), §II, eq. 144.

use super::{Anchor, Axes, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::math::{Quat, Vec3, float};
use crate::skeleton::JointIndex;

/// Task: the orientation of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orientation {
    /// The joint.
    pub joint: JointIndex,
    /// The goal's rotation in the space of the solve, unit.
    pub goal: Quat,
    /// Active axes of the rotation vector.
    pub axes: Axes,
}

impl Orientation {
    /// All axes.
    pub fn new(joint: JointIndex, goal: Quat) -> Self {
        Self { joint, goal, axes: Axes::ALL }
    }
}

/// Rotation vector of a rotation (the short way round) and the factor `c` of its Jacobian.
#[inline(always)]
pub(super) fn log_with_factor(q: Quat) -> (Vec3, f32) {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let s2 = v.length_squared();
    // Near 1: asin(s) = s (1 + s²/6 + …), and c tends to 1/12.
    if s2 < 1e-4 {
        return (v * (2.0 + s2 * (1.0 / 3.0)), 1.0 / 12.0);
    }
    let s = float::sqrt(s2);
    let half = float::atan2(s, q.w);
    let c = (1.0 - half * q.w / s) / (4.0 * half * half);
    (v * (2.0 * half / s), c)
}

/// The torque of the row of an axis.
#[inline(always)]
pub(super) fn torque(r: Vec3, c: f32, axis: Vec3) -> Vec3 {
    let across = r.cross(axis);
    axis - across * 0.5 + r.cross(across) * c
}

impl Task for Orientation {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        one(self.joint)
    }
    fn row_count(&self) -> usize {
        self.axes.count()
    }
    fn unit(&self) -> Unit {
        Unit::Angle
    }
    #[inline(always)]
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let (r, c) = log_with_factor(self.goal * at[0].rotation.conjugate());
        rows.terms[0].point = at[0].position;
        // `r` has the same components in the joint's frame as in the goal's, which stays.
        let (axes, count) = self.axes.of_joint(self.goal).active();
        for (row, axis) in axes[..count].iter().enumerate() {
            rows.set(row, r.dot(*axis), 0, Vec3::ZERO, torque(r, c, *axis));
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.goal = space.rotation(self.goal);
        self.axes.enter(space);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.goal = at[0].rotation;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.frame(at[0].position, self.goal);
    }
}
