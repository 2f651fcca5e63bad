//! Goals of the effectors of a chain: positions, rotations, axes, and the pole.

use crate::math::{Mat3, Quat, Vec3, normalize_or};
use crate::tasks::DistanceRule;

/// The direction that the bend of a chain faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pole {
    /// The pole, in the solve space.
    pub at: Vec3,
    /// `at` is a direction, not a point.
    pub is_direction: bool,
    /// The side of the chain that faces the pole, fixed in the first joint's space (its own space,
    /// after its rotation). `None`: the side to which the chain bends in the pose the solve starts
    /// from, so that a pole on that side changes nothing.
    pub reference: Option<Vec3>,
    /// Turn of the reference about root → target before it faces the pole, radians; default 0.
    pub angle_rad: f32,
    /// How far the chain swivels to the pole, 0 … 1; default 1.
    pub weight: f32,
}

impl Pole {
    /// A point the chain bends towards.
    pub fn point(at: Vec3) -> Self {
        Self { at, is_direction: false, reference: None, angle_rad: 0.0, weight: 1.0 }
    }
}

/// A direction for a single axis of the effector; the turn about it stays free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisGoal {
    /// Axis in the effector joint's space, unit.
    pub axis: Vec3,
    /// Its direction, in the solve space, unit.
    pub direction: Vec3,
}

/// A distance of the effector from a point, in place of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainDistance {
    /// The point, in the solve space.
    pub center: Vec3,
    /// The distance, 0 or more.
    pub distance: f32,
    /// Distances that meet the goal.
    pub rule: DistanceRule,
    /// Linear map to the space in which the distance is measured; the identity: the solve space.
    pub shape: Mat3,
}

impl ChainDistance {
    /// Whether no end of a chain of this length from `root` can meet the goal. Known only where the
    /// distance is measured in the solve space; else false.
    pub(in crate::chains) fn is_out_of_reach(&self, root: Vec3, length: f32) -> bool {
        let (apart, reach) = ((self.center - root).length(), length * 1.000_01);
        let (too_far, too_near) = (apart > self.distance + reach, self.distance > apart + reach);
        self.shape == Mat3::IDENTITY
            && match self.rule {
                DistanceRule::Inside => too_far,
                DistanceRule::OnSurface => too_far || too_near,
                DistanceRule::Outside => too_near,
            }
    }
    /// The point that an end of a chain from `root` is nearest to meeting such a goal at: on the
    /// line from the root to the centre. `tip`: decides where they are one.
    pub(in crate::chains) fn nearest_to_reach(&self, root: Vec3, tip: Vec3) -> Vec3 {
        let apart = (self.center - root).length();
        if apart > self.distance {
            return root + (self.center - root) * ((apart - self.distance) / apart);
        }
        let away = if apart > 1e-6 * self.distance { (root - self.center) / apart } else { tip - root };
        let away = normalize_or(away, Vec3::Y);
        root + away * (self.distance - apart)
    }
}

/// Goal of one effector. The default has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainGoal {
    /// Goal position of the effector, in the solve space.
    pub position: Option<Vec3>,
    /// Distance to keep in place of being at `position`, which then is a point that keeps it: the
    /// chain is aimed at that point, the Jacobian methods solve for the distance alone (one row),
    /// and sweeps and [`ChainSolver::Spring`](super::ChainSolver::Spring) for the point.
    pub distance: Option<ChainDistance>,
    /// Goal rotation of the effector's joint, in the solve space.
    pub rotation: Option<Quat>,
    /// One axis only, when `rotation` is `None`.
    pub axis: Option<AxisGoal>,
    /// Importance of the position where not everything can be met, 0.01 … 1; only ratios matter.
    pub position_importance: f32,
    /// Importance of rotation or axis, as above (a radian counts like a third of the chain's
    /// length).
    pub rotation_importance: f32,
    /// Pole, for unbranched chains.
    pub pole: Option<Pole>,
    /// How far [`ChainSolver::Spring`](super::ChainSolver::Spring) takes the bends from those of
    /// the pose to the proportions of the rest pose, 0 … 1; default 1. Constraints set their
    /// weight.
    pub spring_share: f32,
}

impl Default for ChainGoal {
    fn default() -> Self {
        Self {
            position: None,
            distance: None,
            rotation: None,
            axis: None,
            position_importance: 1.0,
            rotation_importance: 1.0,
            pole: None,
            spring_share: 1.0,
        }
    }
}

impl ChainGoal {
    /// Only a position.
    pub fn at(position: Vec3) -> Self {
        Self { position: Some(position), ..Self::default() }
    }
    /// Position and rotation.
    pub fn pose(position: Vec3, rotation: Quat) -> Self {
        Self { rotation: Some(rotation), ..Self::at(position) }
    }
    pub(in crate::chains) fn is_finite(&self) -> bool {
        self.position.is_none_or(|p| p.is_finite())
            && self.distance.is_none_or(|d| d.center.is_finite() && d.distance.is_finite() && d.shape.is_finite())
            && self.rotation.is_none_or(|r| r.is_finite() && r.length() > 1e-3)
            && self.axis.is_none_or(|a| a.axis.is_finite() && a.direction.is_finite())
            && self.pole.is_none_or(|p| p.at.is_finite() && p.reference.is_none_or(|r| r.is_finite()))
    }
}
