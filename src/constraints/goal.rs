//! The input of a constraint for each frame, in world space.

use crate::chains::{AxisGoal, ChainDistance, Pole};
use crate::math::{Frame, Mat3, Quat, Vec3, arc, float, fraction, length, normalize_or, rotation_angle, slerp_short};
use crate::outcome::weight01;
use crate::tasks::DistanceRule;

/// The side of a sphere that a point is kept on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DistanceMode {
    /// Not farther from the centre than the radius.
    #[default]
    Inside,
    /// At the radius.
    On,
    /// Not nearer to the centre than the radius.
    Outside,
}

/// Turns a position goal into the centre of a sphere to be inside, on or outside of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceGoal {
    /// Which side.
    pub mode: DistanceMode,
    /// Radius in metres, world space, 0 or more.
    pub radius_m: f32,
}

/// The goal of one end of a constraint. The default has none.
///
/// A rotation goal with weight 0 holds the end as the animation turned it while the chain moves; no
/// rotation goal lets the chain carry it along. The same goes for the position. So each weight is
/// continuous from the animation (0) to the goal (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintGoal {
    /// Goal position of the tip, metres (aim: what to point at; with `distance`: the sphere's
    /// centre); `None`: no matter.
    pub position_ws: Option<Vec3>,
    /// Goal rotation of the end joint; `None`: no matter.
    pub rotation_ws: Option<Quat>,
    /// A single axis of the end joint, and its goal direction in world space, when
    /// `rotation_ws` is `None`.
    pub axis_ws: Option<AxisGoal>,
    /// Share of the way from the animation's place to the goal's, 0 … 1, default 1.
    pub position_weight: f32,
    /// Share of the way from the animation's rotation (or axis) to the goal's, 0 … 1, default 1.
    pub rotation_weight: f32,
    /// Importance of the position where not everything can be met, 0 … 1, default 1; only ratios
    /// matter. Less than 0.01 counts as 0.01. Not for fading: where nothing opposes, the least
    /// importance is obeyed.
    pub position_importance: f32,
    /// Importance of the rotation or axis, likewise; a radian counts as much as a third of a
    /// chain's length.
    pub rotation_importance: f32,
    /// Distance to keep from `position_ws` in place of being there.
    pub distance: Option<DistanceGoal>,
}

impl Default for ConstraintGoal {
    fn default() -> Self {
        Self {
            position_ws: None,
            rotation_ws: None,
            axis_ws: None,
            position_weight: 1.0,
            rotation_weight: 1.0,
            position_importance: 1.0,
            rotation_importance: 1.0,
            distance: None,
        }
    }
}

impl ConstraintGoal {
    /// Only a position.
    pub fn at(position_ws: Vec3) -> Self {
        Self { position_ws: Some(position_ws), ..Self::default() }
    }
    /// Position and rotation.
    pub fn pose(position_ws: Vec3, rotation_ws: Quat) -> Self {
        Self { rotation_ws: Some(rotation_ws), ..Self::at(position_ws) }
    }

    /// The goal in model space, weights applied against the place of the tip and the end joint's
    /// frame before the solve.
    pub(super) fn in_model(&self, world: &Frame, weight: f32, tip_ms: Vec3, end: &Frame) -> ModelGoal {
        let position_weight = weight * weight01(self.position_weight);
        let rotation_weight = weight * weight01(self.rotation_weight);
        let mut weighted = None;
        let position_ms = self.position_ws.map(|target_ws| {
            let target_ms = match self.distance {
                None => point_in(world, target_ws),
                Some(distance) => {
                    let tip_ws = world.point_out(tip_ms);
                    let aside = normalize_or(world.vector_out(axis_out(end, Vec3::Y)), Vec3::Y);
                    let nearest_ws = distance.nearest(target_ws, tip_ws, aside);
                    let now_m = length(tip_ws - target_ws);
                    weighted = Some(match nearest_ws {
                        Some(_) => {
                            DistanceGoal { radius_m: now_m + (distance.radius_m - now_m) * position_weight, ..distance }
                        }
                        None => distance,
                    });
                    nearest_ws.map_or(tip_ms, |nearest_ws| point_in(world, nearest_ws))
                }
            };
            if position_weight < 1.0 { tip_ms.lerp(target_ms, position_weight) } else { target_ms }
        });
        let rotation_ms = self
            .rotation_ws
            .map(|rotation_ws| slerp_short(end.rotation, world.rotation_in(rotation_ws.normalize()), rotation_weight));
        let axis_ms = self.axis_ws.filter(|_| rotation_ms.is_none()).map(|axis| {
            let now = axis_out(end, axis.axis);
            let direction = normalize_or(direction_in(world, axis.direction), now);
            AxisGoal { direction: fraction(arc(now, direction), rotation_weight) * now, ..axis }
        });
        ModelGoal { position_ms, distance: weighted, rotation_ms, axis_ms }
    }
}

impl DistanceGoal {
    /// The nearest point to `tip_ws` that keeps the distance, `None` when the tip does. `aside` is
    /// the way out from the very centre.
    pub fn nearest(&self, centre_ws: Vec3, tip_ws: Vec3, aside: Vec3) -> Option<Vec3> {
        let away = tip_ws - centre_ws;
        let distance = length(away);
        let kept = match self.mode {
            DistanceMode::Inside => distance <= self.radius_m,
            DistanceMode::On => distance == self.radius_m,
            DistanceMode::Outside => distance >= self.radius_m,
        };
        (!kept).then(|| centre_ws + normalize_or(away, aside) * self.radius_m)
    }
    /// The goal of a chain whose space is in a parent frame: the linear way out of there becomes
    /// the shape of the distance, or its unit where all directions have the same.
    pub(super) fn in_chain(&self, center: Vec3, world: &Frame, parent: &Frame) -> ChainDistance {
        let linear = world.linear() * parent.linear();
        let axes = [linear.x_axis, linear.y_axis, linear.z_axis];
        let lengths = axes.map(length);
        let scale = (lengths[0] + lengths[1] + lengths[2]) / 3.0;
        let least = 1e-5 * scale;
        let even = lengths.iter().all(|l| (l - scale).abs() <= least)
            && (0..3).all(|i| axes[i].dot(axes[(i + 1) % 3]).abs() <= least * scale);
        ChainDistance {
            center,
            distance: self.radius_m / scale,
            rule: match self.mode {
                DistanceMode::Inside => DistanceRule::Inside,
                DistanceMode::On => DistanceRule::OnSurface,
                DistanceMode::Outside => DistanceRule::Outside,
            },
            shape: if even { Mat3::IDENTITY } else { linear * (1.0 / scale) },
        }
    }
    /// How far from kept a tip is, metres.
    pub(super) fn violation_m(&self, centre_ws: Vec3, tip_ws: Vec3) -> f32 {
        let beyond = length(tip_ws - centre_ws) - self.radius_m;
        match self.mode {
            DistanceMode::Inside => beyond.max(0.0),
            DistanceMode::On => beyond.abs(),
            DistanceMode::Outside => (-beyond).max(0.0),
        }
    }
}

/// A goal in model space with its weights applied.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ModelGoal {
    /// With a distance: the nearest point that keeps it.
    pub position_ms: Option<Vec3>,
    /// The distance from the goal's position, metres.
    pub distance: Option<DistanceGoal>,
    pub rotation_ms: Option<Quat>,
    pub axis_ms: Option<AxisGoal>,
}

/// Least tolerance with which an outcome is measured again after later steps: a share of the
/// constraint's length, and radians. Rounding of the joints above is well below it.
pub(super) const MOVED: f32 = 1e-4;

/// What an end has left of its goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndLeft {
    /// World space, metres.
    pub residual_m: f32,
    pub residual_rad: f32,
    /// The goal is a point, not a distance.
    pub has_point: bool,
}

impl ModelGoal {
    /// What an end whose joint is at `frame` has left of this goal, made of `given`. `across_ms`:
    /// unit axis of a plane; positions count in the plane only.
    pub fn left(
        &self,
        given: &ConstraintGoal,
        world: &Frame,
        frame: &Frame,
        tip_js: Vec3,
        across_ms: Option<Vec3>,
    ) -> EndLeft {
        let mut left = EndLeft { residual_m: 0.0, residual_rad: 0.0, has_point: false };
        if let Some(wanted_ms) = self.position_ms {
            let tip_ms = frame.point_out(tip_js);
            left.residual_m = match (self.distance, given.position_ws) {
                (Some(distance), Some(centre_ws)) => distance.violation_m(centre_ws, world.point_out(tip_ms)),
                _ => {
                    left.has_point = true;
                    let mut off = tip_ms - wanted_ms;
                    if let Some(axis) = across_ms {
                        off -= axis * axis.dot(off);
                    }
                    length(world.vector_out(off))
                }
            };
        }
        left.residual_rad = match (self.rotation_ms, self.axis_ms) {
            (Some(wanted), _) => rotation_angle(frame.rotation * wanted.conjugate()),
            (None, Some(axis)) => {
                let points = axis_out(frame, axis.axis);
                float::atan2(length(points.cross(axis.direction)), points.dot(axis.direction))
            }
            (None, None) => 0.0,
        };
        left
    }
}

/// A length in the space of a parent, as metres in world space; an average where a scale is uneven.
pub(super) fn length_ws(world: &Frame, parent: &Frame, length_ps: f32) -> f32 {
    length(world.vector_out(parent.vector_out(Vec3::splat(length_ps * 0.577_35))))
}

/// The whole input of a constraint. Kept until changed.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintInput {
    /// How far the pose goes from the animation (0, bit for bit) to the constraint's answer (1);
    /// limited to that range. Default 0.
    pub weight: f32,
    /// One per end, in the order of the definition; the number is fixed.
    pub goals: Box<[ConstraintGoal]>,
    /// The way a chain or limb bends, its `at` in world space; `None`: as the animation has
    /// it.
    pub pole_ws: Option<Pole>,
}

impl ConstraintInput {
    pub(super) fn new(ends: usize) -> Self {
        Self { weight: 0.0, goals: vec![ConstraintGoal::default(); ends].into(), pole_ws: None }
    }
    /// The pole in model space.
    pub(super) fn pole_in_model(&self, world: &Frame) -> Option<Pole> {
        self.pole_ws.map(|pole| Pole {
            at: if pole.is_direction { direction_in(world, pole.at) } else { point_in(world, pole.at) },
            weight: weight01(pole.weight),
            ..pole
        })
    }
}

/// A world point in model space; the root's scale was checked when it was set.
pub(crate) fn point_in(world: &Frame, point_ws: Vec3) -> Vec3 {
    world.point_in(point_ws).unwrap_or(point_ws)
}
/// A world direction in model space, not normalised.
pub(super) fn direction_in(world: &Frame, direction_ws: Vec3) -> Vec3 {
    world.inverse_linear().map_or(direction_ws, |inverse| inverse * direction_ws)
}
/// A joint's axis in model space, unit, by rotation and mirror signs alone.
pub(super) fn axis_out(frame: &Frame, axis_js: Vec3) -> Vec3 {
    normalize_or(frame.rotation * (frame.signs() * axis_js), Vec3::Y)
}
/// A model-space axis in a joint's space, unit.
pub(super) fn axis_in(frame: &Frame, axis_ms: Vec3) -> Vec3 {
    normalize_or(frame.signs() * (frame.rotation.conjugate() * axis_ms), Vec3::Y)
}
/// −1 for a frame that mirrors, so that a pole's angle turns the same way, seen in model space, on
/// both sides of a rig.
pub(super) fn handed(frame: &Frame) -> f32 {
    frame.signs().x * frame.signs().y * frame.signs().z
}
