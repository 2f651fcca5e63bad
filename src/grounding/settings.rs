//! Settings of a grounder, each with unit, range and default.

use super::query::Quality;

/// Smallest and largest [`GrounderSettings::scale`].
pub(super) const MIN_SCALE: f32 = 1e-4;
pub(super) const MAX_SCALE: f32 = 1e4;

/// How a grounder works. Lengths and speeds are those of a person with legs of about 0.85 m, in
/// metres; [`scale`](Self::scale) takes them to other sizes and units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrounderSettings {
    /// Queries per foot and frame. Default five.
    pub quality: Quality,
    /// Radius of the swept sphere of each query, metres; 0 (default) casts rays.
    pub query_radius: f32,
    /// How far above the root's ground plane ground is still stepped on, metres, ≥ 0; where ground
    /// that is known leads higher, as far above that, and at most 0.8 of the distance from the root
    /// more. What is higher is overhead. Default 0.5.
    pub max_step_up: f32,
    /// How far below the plane likewise. Default 0.6.
    pub max_step_down: f32,
    /// Speed of the ball over the ground below which a low foot is planted, m/s. Default 0.45.
    pub plant_speed: f32,
    /// Speed above which a planted foot is released, m/s; must not be below `plant_speed`. Default
    /// 0.75.
    pub release_speed: f32,
    /// Height of the animated ball over its standing height below which a slow foot is planted,
    /// metres. Default 0.055.
    pub plant_height: f32,
    /// Height above which it is released, metres. Default 0.10.
    pub release_height: f32,
    /// Horizontal distance between a lock and the animated ball at which the lock is given up,
    /// metres. Default 0.25.
    pub release_distance: f32,
    /// Turn of the surface against the foot, or of the foot with its root against the surface,
    /// since the plant at which the lock is given up, radians. A foot that its animation pivots on
    /// the ball stays. Default 1.0.
    pub release_twist: f32,
    /// How far the leg may be too short for its lock (after heel and pelvis have given way) before
    /// it is given up, metres.
    /// Default 0.07.
    pub release_stretch: f32,
    /// Seconds in which a foot comes to rest when planted. Default 0.05.
    pub plant_time: f32,
    /// Seconds in which a released foot goes over into the animation's way. Default 0.15.
    pub release_time: f32,
    /// How far a foot may be moved along its way to stand on a step rather than across its edge,
    /// metres; 0 switches that off.
    /// Default 0.12.
    pub foothold_shift: f32,
    /// Height that a swinging sole keeps over edges, metres. Default 0.02.
    pub swing_clearance: f32,
    /// Seconds a swing is expected to take before one was seen. Default 0.4.
    pub swing_time: f32,
    /// How much of the ground's slope the foot follows, 0 … 1. Default 1.
    pub foot_tilt: f32,
    /// Most that a foot is turned to the ground, radians. Default 0.7.
    pub max_foot_tilt: f32,
    /// Seconds in which a foot turns to the ground (half-life). Default 0.05.
    pub tilt_time: f32,
    /// Part of the leg's length at which straightening begins to be slowed down. Default 0.98.
    pub soft_extension: f32,
    /// Part of the leg's length that is never exceeded, but where the animation does. Default
    /// 0.995.
    pub max_extension: f32,
    /// Whether heels lift before the pelvis gives way (1) or the pelvis alone gives way (0).
    /// Default 0.9.
    pub heel_lift: f32,
    /// How much the pelvis follows the mean height of the ground under the feet, 0 … 1. Default
    /// 0.5.
    pub pelvis_follow: f32,
    /// Seconds in which the pelvis rises (90 % of the way). Default 0.6.
    pub pelvis_rise_time: f32,
    /// Seconds in which the pelvis sinks (90 % of the way). Default 0.35.
    pub pelvis_fall_time: f32,
    /// Furthest the pelvis moves in all, metres. Default 0.5.
    pub max_pelvis_offset: f32,
    /// How much the body tilts with the ground under its feet, 0 … 1. Default 0; four legs and more
    /// need about 0.8.
    pub body_tilt: f32,
    /// Furthest the body tilts, radians. Default 0.6.
    pub max_body_tilt: f32,
    /// Seconds in which everything fades out in the air and back in before landing. Default 0.2.
    pub airborne_time: f32,
    /// Height of the root over the ground below all feet at which the character counts as airborne,
    /// metres. Default 0.35.
    pub airborne_height: f32,
    /// Overall weight, 0 (the animation, bit for bit) … 1. Default 1.
    pub weight: f32,
    /// Size of the character beside a person with legs of about 0.85 m, in the host's unit of
    /// length: 1 for a person in metres, 100 for a person in centimetres, 1.5 for a giant one and a
    /// half times as large, 0.1 for a figure of a tenth. Multiplies all lengths and speeds of these
    /// settings and of [`SteppingSettings`](super::SteppingSettings), and those built in. What the
    /// host gives per frame, and foot models, are in the host's unit already. Limited to 0.0001 …
    /// 10,000; default 1. A change counts from the next frame that begins; what lasts between
    /// frames is converted.
    pub scale: f32,
}

impl GrounderSettings {
    /// The scale within its range.
    pub(super) fn limited_scale(&self) -> f32 {
        // No number is the smallest.
        if self.scale > MIN_SCALE { self.scale.min(MAX_SCALE) } else { MIN_SCALE }
    }
}

impl Default for GrounderSettings {
    fn default() -> Self {
        Self {
            quality: Quality::Five,
            query_radius: 0.0,
            max_step_up: 0.5,
            max_step_down: 0.6,
            plant_speed: 0.45,
            release_speed: 0.75,
            plant_height: 0.055,
            release_height: 0.10,
            release_distance: 0.25,
            release_twist: 1.0,
            release_stretch: 0.07,
            plant_time: 0.05,
            release_time: 0.15,
            foothold_shift: 0.12,
            swing_clearance: 0.02,
            swing_time: 0.4,
            foot_tilt: 1.0,
            max_foot_tilt: 0.7,
            tilt_time: 0.05,
            soft_extension: 0.98,
            max_extension: 0.995,
            heel_lift: 0.9,
            pelvis_follow: 0.5,
            pelvis_rise_time: 0.6,
            pelvis_fall_time: 0.35,
            max_pelvis_offset: 0.5,
            body_tilt: 0.0,
            max_body_tilt: 0.6,
            airborne_time: 0.2,
            airborne_height: 0.35,
            weight: 1.0,
            scale: 1.0,
        }
    }
}
