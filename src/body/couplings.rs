//! Coupled joints: a joint whose turn about an axis follows another joint's turn (twist bones,
//! mimic joints).
//!
//! # Derivation
//!
//! With `θ` the driver's turn about its axis, the driven joint is `swing · R(axis, ratio θ +
//! offset)`, `swing` what its incoming rotation has across the axis. It has no coordinate of its
//! own: its part of the Jacobian joins that of the driver. For the driver's rotation `(v, w)` from
//! rest, with `p = v · a`, an angular velocity `ω` in the rest frame changes the angle `2 atan2(p,
//! w)` by `θ̇ = ω · g`, `g = (w² a + w v × a + p v)/(w² + p²)`. A row with the torque `t` on the
//! driver and `u` on the driven joint along its axis so has `t + e`, `e = ratio g u`, in place of
//! `t`: the dual gains `(t + e)ᵀ V (t + e)' − tᵀ V t'` for each two rows, `V` the driver's
//! mobility.
//!
//! The driven joint's limits are the driver's, too: where the driver's own freedom can state the
//! range that they leave (a hinge about the axis, a twist), it does; elsewhere the driven joint
//! stays at its limit while the driver goes on.

use crate::limits::{Freedom, HingeAxis, JointModel, PreparedJoint, Range};
use crate::math::{Quat, Vec3, axis_angle, rotation_angle, swing_twist, twist_angle};
use crate::skeleton::JointIndex;
use core::f32::consts::PI;

/// How a joint's turn about an axis follows another joint's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointCoupling {
    /// The joint that is followed.
    pub driver: JointIndex,
    /// The driver's axis, in its own space, unit. Its turn is that of the twist about this axis,
    /// −π … π, counted from rest.
    pub driver_axis: Vec3,
    /// The axis of the joint itself, in its own space, unit.
    pub axis: Vec3,
    /// Turn of the joint per turn of the driver, −100 … 100.
    pub ratio: f32,
    /// Turn of the joint where the driver has none, radians.
    pub offset_rad: f32,
}

/// One coupling in a solve.
#[derive(Clone, Debug)]
pub(super) struct Coupled {
    /// Places of the joint and of its driver.
    pub driven: usize,
    pub driver: usize,
    /// Axes in limit space.
    axis: Vec3,
    driver_axis: Vec3,
    ratio: f32,
    offset_rad: f32,
    /// The joint's own limits.
    model: PreparedJoint,
    /// What the incoming pose has across the axis.
    swing: Quat,
    /// Whether the joint's own limits hold it.
    is_held: bool,
    /// Axis of the joint, and gradient of its angle by the driver's turn; model space.
    pub along: Vec3,
    pub gradient: Vec3,
}

/// Difference below which a rotation is its own projection, radians.
const HELD_RAD: f32 = 1e-4;
/// The same at set-up.
const INSIDE_RAD: f32 = 2e-6;

impl Coupled {
    pub fn new(driven: usize, driver: usize, coupling: &JointCoupling, models: &[PreparedJoint]) -> Self {
        Self {
            driven,
            driver,
            axis: models[driven].frame().conjugate() * coupling.axis,
            driver_axis: models[driver].frame().conjugate() * coupling.driver_axis,
            ratio: coupling.ratio,
            offset_rad: coupling.offset_rad,
            model: models[driven].clone(),
            swing: Quat::IDENTITY,
            is_held: false,
            along: Vec3::ZERO,
            gradient: Vec3::ZERO,
        }
    }
    /// Takes over what the incoming pose has across the axis.
    pub fn load(&mut self, turns: &[Quat]) {
        self.swing = swing_twist(turns[self.driven], self.axis).0;
    }
    /// Turns the joint by where its driver is, inside its limits.
    pub fn apply(&mut self, turns: &mut [Quat]) {
        let angle = self.ratio * twist_angle(turns[self.driver], self.driver_axis) + self.offset_rad;
        let turn = (self.swing * axis_angle(self.axis, angle)).normalize();
        let inside = self.model.project(turn);
        self.is_held = rotation_angle(inside.conjugate() * turn) > HELD_RAD;
        turns[self.driven] = inside;
    }
    /// The gradient for these turns and frames.
    pub fn linearize(&mut self, turns: &[Quat], frames: &[Quat]) {
        let q = turns[self.driver];
        let (v, w, a) = (Vec3::new(q.x, q.y, q.z), q.w, self.driver_axis);
        let p = v.dot(a);
        let size = w * w + p * p;
        let rate = if self.is_held || size < 1e-6 { 0.0 } else { self.ratio / size };
        let gradient = (a * (w * w) + v.cross(a) * w + v * p) * rate;
        self.gradient = frames[self.driver] * gradient;
        self.along = frames[self.driven] * (self.swing * self.axis);
    }
}

/// What a model leaves of turns about an axis of the joint's space, around rest.
fn range_about(model: &JointModel, axis: Vec3) -> Range {
    let end = |sign: f32| {
        let is_inside = |angle: f32| model.violation_rad(axis_angle(axis, sign * angle)) < INSIDE_RAD;
        let (mut inside, mut outside) = (0.0, PI);
        if is_inside(PI) {
            return sign * PI;
        }
        for _ in 0..24 {
            let middle = 0.5 * (inside + outside);
            if is_inside(middle) { inside = middle } else { outside = middle }
        }
        sign * inside
    };
    Range { min: end(-1.0), max: end(1.0) }
}

impl JointCoupling {
    /// Takes into the driver's model what the driven joint's model leaves, where it can state it.
    pub(super) fn tighten(&self, driver: &mut JointModel, driven: &JointModel) {
        let range = range_about(driven, self.axis);
        if range.is_free() || self.ratio == 0.0 {
            return;
        }
        let (a, b) = ((range.min - self.offset_rad) / self.ratio, (range.max - self.offset_rad) / self.ratio);
        let (mut low, mut high) = (a.min(b), a.max(b));
        let axis = driver.frame.conjugate() * self.driver_axis;
        let own = match &driver.freedom {
            Freedom::Hinge { axis: HingeAxis::X, .. } => Vec3::X,
            Freedom::Hinge { axis: HingeAxis::Z, .. } => Vec3::Z,
            _ => Vec3::Y,
        };
        let along = axis.dot(own);
        if along.abs() < 0.9999 {
            return;
        }
        if along < 0.0 {
            (low, high) = (-high, -low);
        }
        let (Freedom::Hinge { range, .. }
        | Freedom::Ball { twist: range, .. }
        | Freedom::Universal { twist: range, .. }) = &mut driver.freedom
        else {
            return;
        };
        let (low, high) = (low.max(range.min), high.min(range.max));
        if low <= high {
            *range = Range { min: low, max: high };
        }
    }
}
