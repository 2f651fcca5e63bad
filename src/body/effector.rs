//! Where the effector of a task is in the world: a point, or a rotation.

use crate::math::{Quat, Vec3, from_rotation_vector, rotation_vector, slerp_short};

/// What a position or an orientation is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effector {
    /// A point, metres.
    Point(Vec3),
    /// A joint's rotation, unit.
    Turn(Quat),
}

impl Effector {
    /// From here to there: metres, or a rotation vector.
    pub fn way(self, to: Self) -> Vec3 {
        match (self, to) {
            (Self::Point(from), Self::Point(to)) => to - from,
            (Self::Turn(from), Self::Turn(to)) => rotation_vector(to * from.conjugate()),
            _ => Vec3::ZERO,
        }
    }
    /// The same, moved.
    pub fn moved(self, way: Vec3) -> Self {
        match self {
            Self::Point(from) => Self::Point(from + way),
            Self::Turn(from) => Self::Turn((from_rotation_vector(way) * from).normalize()),
        }
    }
    /// Between two of one kind.
    pub fn between(self, to: Self, share: f32) -> Self {
        match (self, to) {
            (Self::Point(from), Self::Point(to)) => Self::Point(from + (to - from) * share),
            (Self::Turn(from), Self::Turn(to)) => Self::Turn(slerp_short(from, to, share)),
            _ => self,
        }
    }
    /// Whether all numbers of it are.
    pub fn is_finite(self) -> bool {
        match self {
            Self::Point(point) => point.is_finite(),
            Self::Turn(turn) => turn.is_finite(),
        }
    }
    /// A rotation with another one before it.
    pub fn after(self, rotation: Quat) -> Self {
        match self {
            Self::Point(_) => self,
            Self::Turn(turn) => Self::Turn((turn * rotation).normalize()),
        }
    }
}
