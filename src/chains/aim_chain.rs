//! How several joints share a gaze: the law that looking and aiming have in common.
//!
//! # Why it never tears
//!
//! A direction is taken as a vector at right angles to straight ahead: its length is the angle from there, its direction
//! the way to go (the logarithm map of the sphere). It is unique but for exactly behind, where the fade makes it zero. Parts of a
//! turn are parts of the straight line between two such vectors, so no share ever goes the other way round. To each vector
//! belongs one orientation of the head, [`Gaze::orientation`]; a turn from one vector to another is the quotient of the two, so
//! a tilt that the animation gave the head stays.
//!
//! Where the gaze starts straight ahead, the line between the vectors is a part of a great circle, and the parts of the turn are turns about one axis: that
//! is what [`shares`] hands out.
//!
//! Source: elementary differential geometry of the sphere; M. do Carmo, "Riemannian Geometry", ch. 3, for the map.

use super::limb::soft_limit;
use crate::math::{LaneQuat, LaneVec3, Quat, Vec3, axis_angle, float, normalize_or, perpendicular};

const PI: f32 = core::f32::consts::PI;

/// Straight ahead and up: unit, at right angles.
#[derive(Clone, Copy, Debug)]
pub struct Gaze {
    /// Up.
    pub up: Vec3,
    /// Straight ahead.
    pub forward: Vec3,
}

impl Gaze {
    /// From two directions; `up` is made to stand at right angles.
    pub fn new(forward: Vec3, up: Vec3) -> Self {
        Self { up: normalize_or(up - forward * forward.dot(up), perpendicular(forward)), forward }
    }
    /// The vector of a unit direction; see the module's text.
    pub fn log(&self, direction: Vec3) -> Vec3 {
        let aside = direction - self.forward * self.forward.dot(direction);
        let angle = float::atan2(aside.length(), self.forward.dot(direction));
        normalize_or(aside, perpendicular(self.forward)) * angle
    }
    /// The unit direction of a vector.
    pub fn exp(&self, v: Vec3) -> Vec3 {
        let angle = v.length();
        self.forward * float::cos(angle) + normalize_or(v, Vec3::ZERO) * float::sin(angle)
    }
    /// How a head that looks along a vector is turned, for one that looks along forward: the ears level with the chest while the
    /// gaze is in front, going over to the shortest turn from forward sideways, overhead and behind, where level has no meaning.
    pub fn orientation(&self, v: Vec3) -> Quat {
        let direction = self.exp(v);
        let axis = normalize_or(self.forward.cross(v), self.up);
        let shortest = axis_angle(axis, v.length()) * self.up;
        let level = self.up - direction * direction.dot(self.up);
        let front = float::smooth_step(-0.3, 0.3, direction.dot(self.forward));
        let up = shortest.lerp(level, front);
        let up = normalize_or(up - direction * direction.dot(up), perpendicular(direction));
        let lane = LaneVec3::from_vec3;
        LaneQuat::from_frames(lane(self.forward), lane(self.up), lane(direction), lane(up)).to_quat()
    }
    /// Turn of a head that looks along `from` so that it looks along `to`.
    pub fn turn(&self, from: Vec3, to: Vec3) -> Quat {
        (self.orientation(to) * self.orientation(from).conjugate()).normalize()
    }
}

/// How far a gaze may go from straight ahead.
#[derive(Clone, Copy, Debug)]
pub struct ViewCone {
    /// Half angle of the cone, 0 … π; π: no limit.
    pub limit_rad: f32,
    /// Part of the limit over which the angle bends to it, before and after, 0 … 1. Less where the cone leaves less room.
    pub softness: f32,
    /// Least angle over which the gaze fades to zero towards exactly behind, radians. Where the cone is narrower it is half of what lies
    /// beyond it. 0 without a cone: no fade, and a jump there.
    pub behind_rad: f32,
}

impl ViewCone {
    /// How much of a gaze to this angle from straight ahead does not fade.
    pub fn in_view(&self, angle: f32) -> f32 {
        1.0 - behind(angle, self.behind_rad.max((PI - self.limit_rad) * 0.5))
    }
    /// The angle that is taken for one that is wanted.
    pub fn allowed(&self, angle: f32) -> f32 {
        let softness = self.softness.min((PI - self.limit_rad) / self.limit_rad.max(1e-6));
        soft_limit(angle, self.limit_rad, softness) * self.in_view(angle)
    }
}

/// How much of an angle from straight ahead fades away towards exactly behind, where it would go left and right at once.
pub fn behind(angle: f32, band: f32) -> f32 {
    if band > 0.0 { float::smooth_step(PI - band, PI, angle) } else { 0.0 }
}

/// Angle between two directions of any length, radians, 0 … π.
pub fn angle_between(a: Vec3, b: Vec3) -> f32 {
    float::atan2(a.cross(b).length(), a.dot(b))
}

/// The turns of joints that share the way from one unit direction to another, each its part of the whole: about one axis, so that in a row they add up
/// exactly. `aside`: the axis to take between opposite directions.
pub fn shares(from: Vec3, to: Vec3, aside: Vec3, parts: impl Iterator<Item = f32>) -> impl Iterator<Item = Quat> {
    let across = from.cross(to);
    let angle = float::atan2(across.length(), from.dot(to));
    let aside = normalize_or(aside - from * from.dot(aside), perpendicular(from));
    let axis = if across.length() > 1e-7 { normalize_or(across, aside) } else { aside };
    parts.map(move |part| axis_angle(axis, angle * part))
}
