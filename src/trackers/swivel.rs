//! How fast elbows and knees swivel about the line from the root to the end of their limb.
//!
//! # Method
//!
//! Which way an elbow or a knee points is a sum of directions, which vanishes for some places of a
//! hand: no sum can do without (it would be a field of tangents on a sphere without a zero). There
//! the answer turns by up to half a turn at once. So the pole of the frame before is carried along
//! with the limb's line, and goes on from there by what the limb itself has turned and by a speed
//! of its own at most. Both are the same at every frame rate.

use super::posture::across;
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or, rotation_angle};
use bytemuck::{Pod, Zeroable};

/// Speed of a swivel by itself, radians per second.
const OWN_SPEED: f32 = 5.0;
/// What it turns for each radian by which the limb's line turns, and by which its end does.
const WITH_LINE: f32 = 1.0;
const WITH_END: f32 = 1.0;

/// What lasts of a limb's swivel: numbers only. Directions in the frame of the ribs or the pelvis.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Swivel {
    started: u32,
    axis: Vec3,
    pole: Vec3,
    end: Quat,
}

/// A limb in a frame of time: its line from root to end (unit) and the rotation of its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Rotation of the part that carries the limb.
    pub base: Quat,
    pub axis: Vec3,
    pub end: Quat,
    /// Time since the frame before.
    pub dt: f32,
    /// Part of the pole that is tracked: at 1 it is free.
    pub tracked: f32,
}

impl Swivel {
    /// The pole that is shown for a pole that is due. What lasts goes to `next`.
    pub fn limit(&self, line: &Line, due: Vec3, next: &mut Self) -> Vec3 {
        let back = line.base.conjugate();
        let (axis, end) = (back * line.axis, (back * line.end).normalize());
        let due_here = normalize_or(across(back * due, axis), Vec3::ZERO);
        *next = Self { started: 1, axis, pole: due_here, end };
        if self.started == 0 {
            next.started = u32::from(due_here != Vec3::ZERO);
            return due;
        }
        let carry = arc(self.axis, axis);
        let carried = normalize_or(across(carry * self.pole, axis), Vec3::ZERO);
        if carried == Vec3::ZERO {
            next.started = u32::from(due_here != Vec3::ZERO);
            return due;
        }
        if due_here == Vec3::ZERO {
            next.pole = carried;
            return line.base * carried;
        }
        let turned = rotation_angle((end * self.end.conjugate()).normalize());
        let most = OWN_SPEED * line.dt + WITH_LINE * rotation_angle(carry) + WITH_END * turned;
        let most = most / (1.0 - line.tracked).max(1e-3);
        // No clamp, which panics for numbers that ran over; the body is discarded then.
        let angle = float::atan2(carried.cross(due_here).dot(axis), carried.dot(due_here));
        if angle.abs() <= most {
            return due;
        }
        next.pole = axis_angle(axis, angle.max(-most).min(most)) * carried;
        line.base * next.pole
    }
    pub fn is_sound(&self) -> bool {
        self.axis.is_finite() && self.pole.is_finite() && self.end.is_finite()
    }
}
