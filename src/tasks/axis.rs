//! An axis of a joint along a direction: `r = d − a`, the chord between the unit vectors, of length
//! `2 sin(θ/2)`.
//!
//! `ȧ = ω × a`, so row `i` has the torque `a × eᵢ`. The only singular direction of the chord is the
//! opposite one, where the gradient vanishes. Three rows of rank two.

use super::{Anchor, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::math::Vec3;
use crate::skeleton::JointIndex;

/// An axis of a joint along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The joint.
    pub joint: JointIndex,
    /// The axis in the joint's space, unit.
    pub axis_js: Vec3,
    /// The direction in the space of the solve, unit.
    pub direction: Vec3,
}

impl Task for Axis {
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
        let a = at[0].rotation * self.axis_js;
        let left = self.direction - a;
        rows.terms[0].point = at[0].position;
        for (row, (value, e)) in left.to_array().into_iter().zip(Vec3::AXES).enumerate() {
            rows.set(row, value, 0, Vec3::ZERO, a.cross(e));
        }
    }
}
