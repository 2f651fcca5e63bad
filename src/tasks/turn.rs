//! The orientation of a joint, or one axis of it, with the geometric Jacobian: the residual is a
//! rotation vector, and its rows have their own axes as torques.
//!
//! # Derivation
//!
//! A residual `r` is undone by the turn `r`: a joint that turns with `ω` along `r` lowers it by
//! just `ω`. So the Jacobian is 1, without the terms of [`Orientation`](super::Orientation) that
//! the other directions have away from the goal. The gradient is the same, as `J r = r` there; at
//! the goal so are both Jacobians. For solvers that take steps as rotations, a chain's.
//!
//! For an axis `a` the residual is the shortest turn that brings it to its direction, which turns
//! about `a` do not change: rows of `1 − a aᵀ`.
//!
//! Source: D. Whitney, "Resolved motion rate control of manipulators and human prostheses", IEEE
//! Trans. Man-Machine Systems 10 (1969).

use super::{Anchor, MAX_ANCHORS, Placement, Rows, Task, Unit, one};
use crate::math::{Quat, Vec3, float, normalize_or, perpendicular, rotation_vector};
use crate::skeleton::JointIndex;

/// The shortest turn between two unit vectors.
pub(super) struct ShortestTurn {
    /// Its unit axis; any across the first vector where the two are one line.
    pub n: Vec3,
    /// Its angle, radians, and the sine of that.
    pub angle: f32,
    pub sine: f32,
}

impl ShortestTurn {
    pub fn between(from: Vec3, to: Vec3) -> Self {
        let across = from.cross(to);
        let sine = across.length();
        Self { n: normalize_or(across, perpendicular(from)), angle: float::atan2(sine, from.dot(to)), sine }
    }
}

/// Goal of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TurnGoal {
    /// Rotation of the joint in the space of the solve.
    Rotation(Quat),
    /// An axis in the joint's space, and its direction in the space of the solve.
    Axis(Vec3, Vec3),
}

/// Task: the orientation of a joint or of one of its axes, with the geometric Jacobian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The joint.
    pub joint: JointIndex,
    /// Its goal.
    pub goal: TurnGoal,
}

impl Task for Turn {
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
        let now = at[0].rotation;
        rows.terms[0].point = at[0].position;
        let (left, fixed) = match self.goal {
            TurnGoal::Rotation(goal) => (rotation_vector(goal.normalize() * now.conjugate()), Vec3::ZERO),
            TurnGoal::Axis(axis, direction) => {
                let from = normalize_or(now * axis, Vec3::Y);
                let turn = ShortestTurn::between(from, normalize_or(direction, Vec3::Y));
                (turn.n * turn.angle, from)
            }
        };
        for (row, (value, axis)) in left.to_array().into_iter().zip(Vec3::AXES).enumerate() {
            rows.set(row, value, 0, Vec3::ZERO, axis - fixed * fixed.dot(axis));
        }
    }
}
