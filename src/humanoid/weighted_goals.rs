//! What the outcomes of hands and feet are measured from: the goals at their weights, as the steps
//! had them. Constraints that are solved after a step can move what it has placed; then the outcome
//! is measured again.

use crate::closed_form::limb_kernel::RigidOutcome;
use crate::math::{Frame, Quat, Single, Vec3, length, rotation_angle};
use crate::outcome::Outcome;

/// Angle above which an end or a line of sight has missed its goal, radians: 0.1°.
pub(crate) const MISSED_RAD: f32 = 2e-3;
/// Distance above which an end has missed its goal, as a part of the human scale.
pub(crate) const MISSED: f32 = 1e-4;

/// Where a hand or foot was to be at the weights of its goal, model space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WeightedEnd {
    /// `None` without a position goal, hint or push.
    pub position_ms: Option<Vec3>,
    /// `None` without a rotation goal.
    pub rotation_ms: Option<Quat>,
}

impl WeightedEnd {
    /// Of an end as the steps on a view have left it. `turns`: it has a goal rotation, which it
    /// always has there.
    pub fn on_view<L: Single>(end: &Frame, left: &RigidOutcome<L>, turns: bool) -> Self {
        let off = left.left_ms;
        let off = Vec3::new(off.x.into(), off.y.into(), off.z.into());
        Self { position_ms: (!left.still).then(|| end.position - off), rotation_ms: turns.then_some(end.rotation) }
    }
    /// The outcome of an end that is now here; `human_scale` is that of model space.
    pub fn measure_again(&self, end: &Frame, world: &Frame, human_scale: f32, outcome: Outcome) -> Outcome {
        let off = self.position_ms.map_or(Vec3::ZERO, |wanted| end.position - wanted);
        let off_rad = self.rotation_ms.map_or(0.0, |wanted| rotation_angle(end.rotation * wanted.conjugate()));
        let is_met = length(off) <= MISSED * human_scale.abs() && off_rad <= MISSED_RAD;
        outcome.measured_again(length(world.vector_out(off)), off_rad, is_met)
    }
}

/// Where a limb was to bring its end, with the frame of its goal's space at that time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedEnd {
    /// The effector point.
    pub point_ms: Vec3,
    pub rotation_ms: Quat,
    pub space_ms: Option<Frame>,
    /// Whether a goal, a hint or a push places the point.
    pub is_position: bool,
    /// Whether there is a rotation goal.
    pub is_rotation: bool,
}

impl PlacedEnd {
    /// The place after the space has moved to `now`: what the outcome is measured from, at the
    /// effector point.
    pub fn carried(&self, now: Option<&Frame>) -> WeightedEnd {
        let (mut point_ms, mut rotation_ms) = (self.point_ms, self.rotation_ms);
        if let (Some(then), Some(now)) = (&self.space_ms, now)
            && then != now
        {
            point_ms = then.point_in(point_ms).map_or(point_ms, |point_js| now.point_out(point_js));
            rotation_ms = now.rotation_out(then.rotation_in(rotation_ms));
        }
        WeightedEnd {
            position_ms: self.is_position.then_some(point_ms),
            rotation_ms: self.is_rotation.then_some(rotation_ms),
        }
    }
}
