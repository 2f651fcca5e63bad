//! Two-phase ground queries: the grounder writes rays or sweeps, the host answers them, one answer
//! per query.

use crate::math::Vec3;

/// Why a query is made. Debug drawing and physics layers may differ by it; the answer has the same
/// form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Purpose {
    /// Ground below the ball of the foot (or the tip of a leg without a foot).
    #[default]
    Ball = 0,
    /// Ground below the ankle joint.
    Heel = 1,
    /// Ground where the foot is going to land.
    Landing = 2,
    /// Ground along the way of the swing, where edges are looked for.
    Path = 3,
}

/// A ray, or a sweep of a sphere, that the host casts against the ground.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Query {
    /// Start, world space, metres.
    pub origin_ws: Vec3,
    /// Unit direction, world space: against the up vector of the frame.
    pub direction_ws: Vec3,
    /// Length from the origin, metres.
    pub length: f32,
    /// Radius of the swept sphere, metres; 0 for a ray.
    pub radius: f32,
    /// Index of the leg.
    pub leg: u32,
    /// What the answer is for.
    pub purpose: Purpose,
}

/// The host's answer to one query.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Hit {
    /// Whether there is ground. Everything else is ignored when not.
    pub hit: bool,
    /// Point on the surface, world space, metres.
    pub point_ws: Vec3,
    /// Unit normal of the surface, world space.
    pub normal_ws: Vec3,
    /// Number of the body that was hit, of the host's choice; 0 for ground that never moves.
    pub body: u32,
    /// Mean velocity of that surface point over the last frame, metres per second: how far it has
    /// moved since the frame
    /// before, divided by the frame's time (what physics engines with fixed steps report). Zero for
    /// ground that does not move.
    pub velocity_ws: Vec3,
    /// Angular velocity of the body, radians per second, world space, over the last frame likewise.
    pub angular_velocity_ws: Vec3,
}

/// How many queries a foot may make in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Quality {
    /// One: below a planted foot, at the landing place of a swinging one. Smooth ground only.
    One = 1,
    /// Three: ball, heel, and one that alternates between landing place and path.
    Three = 3,
    /// Five: ball, heel, landing place, and two along the path, of which one looks where a fast
    /// foot is going to be soon. Finds the edges of steps within a few frames.
    #[default]
    Five = 5,
}
