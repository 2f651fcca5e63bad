//! The structs, enums and callback of grounders.

use super::super::c_types::c_void;
use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Queries per foot and frame.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewGroundQuality {
    /// One: below a planted foot, at the landing place of a swinging one. For smooth ground.
    One = 1,
    /// Three: ball, heel, and one that alternates between landing place and path.
    Three = 3,
    /// Five: ball, heel, landing place, and two along the path. The default; finds the edges of
    /// steps within a few frames.
    Five = 5,
}

/// What a ground query is for. The answer has the same form for all.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewGroundPurpose {
    /// Ground below the ball of the foot.
    Ball = 0,
    /// Ground below the ankle joint.
    Heel = 1,
    /// Ground where the foot is going to land.
    Landing = 2,
    /// Ground along the way of the foot.
    Path = 3,
}

/// The source of whether a foot is planted.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewGroundContact {
    /// Height and speed of the animated foot, with hysteresis. The default.
    Auto = 0,
    /// The host: planted.
    Planted = 1,
    /// The host: in the air.
    Swing = 2,
}

/// Whether a character stands on ground.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewGrounded {
    /// From the ground below the feet. The default.
    Auto = 0,
    /// It does.
    Yes = 1,
    /// It jumps, falls or swims: everything fades out.
    No = 2,
}

/// How a grounder works. Lengths and speeds are those of a person with legs of about 0.85 m, in
/// metres; `scale` takes them to other sizes and units. Members of "0 or more", and times, are at
/// most 1,000,000. Fill with sinew_grounder_settings_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SinewGrounderSettings {
    /// Size of this struct in bytes, set by sinew_grounder_settings_default.
    pub struct_size: u32,
    /// A SinewGroundQuality. Default five.
    pub quality: i32,
    /// Radius of the swept sphere of each query, metres, 0 or more. Default 0: rays.
    pub query_radius: f32,
    /// Height above the root's plane up to which ground is stepped on, metres, 0 or more; where
    /// ground that is known leads higher, as far above that, and at most 0.8 of the distance from
    /// the root more. What is higher is overhead. Default 0.5.
    pub max_step_up: f32,
    /// Depth below the plane likewise. Default 0.6.
    pub max_step_down: f32,
    /// Speed of the ball over the ground below which a low foot is planted, m/s, above 0. Default
    /// 0.45.
    pub plant_speed: f32,
    /// Speed above which a planted foot is released, m/s, plant_speed or more. Default 0.75.
    pub release_speed: f32,
    /// Height of the animated ball over its standing height below which a slow foot is planted,
    /// metres, 0 or more. Default
    /// 0.055.
    pub plant_height: f32,
    /// Height above which it is released, metres, plant_height or more. Default 0.1.
    pub release_height: f32,
    /// Level distance between a lock and the animated ball at which the lock is given up, metres,
    /// above 0. Default 0.25.
    pub release_distance: f32,
    /// Turn of the surface against the foot, or of the foot with its root against the surface,
    /// since the plant at which the lock is given up, radians, above 0. A foot that its animation
    /// pivots on the ball stays. Default 1.
    pub release_twist: f32,
    /// How far a leg may be too short for its lock, after heel and pelvis have given way, metres,
    /// above 0. Default 0.07.
    pub release_stretch: f32,
    /// Seconds in which a foot comes to rest when planted, 0 or more. Default 0.05.
    pub plant_time: f32,
    /// Seconds in which a released foot goes over into the animation's way, 0 or more. Default
    /// 0.15.
    pub release_time: f32,
    /// How far a foot may be moved along its way to stand on a step rather than across its edge,
    /// metres, 0 (off) or more. Default 0.12.
    pub foothold_shift: f32,
    /// Height that a swinging sole keeps over edges, metres, 0 or more. Default 0.02.
    pub swing_clearance: f32,
    /// Seconds that a swing is expected to take before one was seen, above 0. Default 0.4.
    pub swing_time: f32,
    /// How much of the ground's slope the feet follow, 0 to 1. Default 1.
    pub foot_tilt: f32,
    /// Most that a foot is turned to the ground, radians, 0 or more. Default 0.7.
    pub max_foot_tilt: f32,
    /// Half-life of the turn to the ground, seconds, 0 or more. Default 0.05.
    pub tilt_time: f32,
    /// Part of the leg's length at which straightening slows down, 0 to 1. Default 0.98.
    pub soft_extension: f32,
    /// Part of the leg's length that is never exceeded, but where the animation does, 0 to 1.
    /// Default 0.995.
    pub max_extension: f32,
    /// How much heels lift before the pelvis gives way, 0 to 1. Default 0.9.
    pub heel_lift: f32,
    /// How much the pelvis follows the mean height of the ground under the feet, 0 to 1. Default
    /// 0.5.
    pub pelvis_follow: f32,
    /// Seconds in which the pelvis rises nine tenths of the way, above 0. Default 0.6.
    pub pelvis_rise_time: f32,
    /// Seconds in which it sinks nine tenths of the way, above 0. Default 0.35.
    pub pelvis_fall_time: f32,
    /// Furthest the pelvis moves, metres, 0 or more. Default 0.5.
    pub max_pelvis_offset: f32,
    /// How much the body tilts with the ground under three feet or more, 0 to 1. Default 0; four
    /// legs need about 0.8.
    pub body_tilt: f32,
    /// Furthest the body tilts, radians, 0 or more. Default 0.6.
    pub max_body_tilt: f32,
    /// Seconds in which everything fades out in the air, and back in, above 0. Default 0.2.
    pub airborne_time: f32,
    /// Height of the root over the ground below all feet at which a character counts as airborne,
    /// metres, 0 or more. Default
    /// 0.35.
    pub airborne_height: f32,
    /// Overall weight, 0 (the animation, bit for bit) to 1. Default 1.
    pub weight: f32,
    /// Size of the character beside a person with legs of about 0.85 m, in the host's unit of
    /// length, 0.0001 to 10,000: 1 for a person in metres, 100 for a person in centimetres, 1.5 for
    /// a giant one and a half times as large, 0.1 for a figure of a tenth. Multiplies all lengths
    /// and speeds of these settings and of SinewSteppingSettings, and those built in; what is given
    /// per frame, and foot models, are in the host's unit already. Default 1.
    pub scale: f32,
}

/// What stands on the ground at the end of a leg; metres, all 0 … 1,000,000. Fill with
/// sinew_foot_model_default or sinew_foot_model_from_rest first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewFootModel {
    /// Size of this struct in bytes, set by those functions.
    pub struct_size: u32,
    /// 1 (default): ankle and ball are two joints with a sole between. 0: hooves, stilts, insect
    /// legs; ball and ankle are one.
    pub has_sole: u32,
    /// Height of the ball joint over the ground when the foot stands flat. Default 0.03.
    pub ball_height: f32,
    /// Height of the ankle joint likewise. Default 0.09.
    pub heel_height: f32,
    /// How far the sole reaches beyond the ball joint. Default 0.07.
    pub toe_length: f32,
    /// How far it reaches behind the ankle joint. Default 0.04.
    pub heel_length: f32,
}

/// The character in a frame, world space. Fill with sinew_grounder_frame_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGrounderFrame {
    /// Size of this struct in bytes, set by sinew_grounder_frame_default.
    pub struct_size: u32,
    /// A SinewGrounded. Default auto.
    pub grounded: i32,
    /// A point of the plane that the animation walks on: the character's root, metres. Default the
    /// origin.
    pub root: SinewVec3,
    /// Rotation of the root; only its turn about up counts. Default the identity.
    pub rotation: SinewQuat,
    /// Normal of that plane, any length but zero: up, wherever that is. Default Y.
    pub up: SinewVec3,
    /// The pelvis, about which body tilt turns, metres. Default the origin.
    pub pelvis: SinewVec3,
    /// Seconds since the last frame, 0 to 1e6; 0 (and below 1e-5) pauses: the last frame's state
    /// is read out again and does not change. Default 1/60.
    pub dt_s: f32,
}

/// An animated leg in a frame, world space, before any correction.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGrounderLeg {
    /// First joint of the limb, metres.
    pub hip: SinewVec3,
    /// Joint that bends.
    pub knee: SinewVec3,
    /// End joint.
    pub ankle: SinewVec3,
    /// Root of the toes, the contact point; the ankle again for a leg without a foot.
    pub ball: SinewVec3,
    /// Rotation of the ankle joint.
    pub foot: SinewQuat,
    /// Weight of this leg; limited to 0 … 1.
    pub weight: f32,
    /// A SinewGroundContact.
    pub contact: i32,
    /// 1: the host knows the landing and the next two members count; 0: they are ignored.
    pub has_landing: u32,
    /// Seconds until the foot lands, 0 to 1e6.
    pub landing_time_s: f32,
    /// Place of the animated ball when it lands, relative to the root as it is then, in the root's
    /// space, metres.
    pub landing: SinewVec3,
}

/// A ray, or a sweep of a sphere, that the host casts against the ground.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGroundQuery {
    /// Start, world space, metres.
    pub origin: SinewVec3,
    /// Unit direction, world space.
    pub direction: SinewVec3,
    /// Length, metres.
    pub length: f32,
    /// Radius of the swept sphere, metres; 0: a ray.
    pub radius: f32,
    /// Index of the leg.
    pub leg: u32,
    /// A SinewGroundPurpose.
    pub purpose: i32,
}

/// The host's answer to a query. With `hit` 0 nothing else is read.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGroundHit {
    /// 1: there is ground; 0: there is none within the query's length.
    pub hit: u32,
    /// Number of the body, of the host's choice; 0 for ground that never moves.
    pub body: u32,
    /// Point on the surface, world space, metres.
    pub point: SinewVec3,
    /// Normal of the surface, world space, any length but zero.
    pub normal: SinewVec3,
    /// Mean velocity of that surface point over the last frame, m/s: how far it moved since the
    /// frame before, divided by the
    /// frame's time.
    pub velocity: SinewVec3,
    /// Angular velocity of the body over the last frame likewise, rad/s.
    pub angular_velocity: SinewVec3,
}

/// What is to be done with the body, world space.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGrounderBody {
    /// Displacement of the pelvis, metres.
    pub offset: SinewVec3,
    /// Turn of the body about the pelvis.
    pub turn: SinewQuat,
    /// Unit normal of the ground under the feet: of the plane through three contacts or more, else
    /// the mean of the normals under planted feet, which it follows with the settings' tilt_time.
    pub ground_normal: SinewVec3,
    /// Part of the correction in force: 1 on the ground, 0 in the air.
    pub presence: f32,
    /// Number of planted feet.
    pub planted: u32,
}

/// A leg as it is put out, world space.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGrounderLegResult {
    /// First joint, moved with the body, metres.
    pub hip: SinewVec3,
    /// Joint that bends, by the closed-form limb in the animation's bend plane.
    pub knee: SinewVec3,
    /// End joint: a goal for a limb or body solver.
    pub ankle: SinewVec3,
    /// Contact point.
    pub ball: SinewVec3,
    /// Rotation of the ankle joint.
    pub foot: SinewQuat,
    /// Turn of the animated toes, which stay along the ground: new world rotation = toes_turn ·
    /// old.
    pub toes_turn: SinewQuat,
    /// 1: locked to the ground.
    pub planted: u32,
    /// Seconds until a swinging foot lands, as far as is known; 0 for a planted one.
    pub time_to_landing_s: f32,
    /// Place of that landing, metres, at the height of the animated ball.
    pub landing: SinewVec3,
    /// How far the foot is from its place because the leg is too short, metres.
    pub shortage_m: f32,
}

/// Who may step when. In all of them neighbours around the body never swing at the same time.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewGait {
    /// Legs of one group at a time: a biped's walk, a trot, a tripod. The default.
    Groups = 0,
    /// One leg at a time, the one that needs it most.
    Wave = 1,
    /// Any leg.
    Free = 2,
}

/// How feet without animation step. Lengths are those of a person with legs of about 0.85 m, in
/// metres; the scale of SinewGrounderSettings multiplies them. Fill with
/// sinew_stepping_settings_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewSteppingSettings {
    /// Size of this struct in bytes, set by sinew_stepping_settings_default.
    pub struct_size: u32,
    /// A SinewGait. Default groups.
    pub gait: i32,
    /// Distance of a foot from its home at which it steps, metres, above 0; less while the body
    /// stands. Default 0.18.
    pub trigger_distance: f32,
    /// Turn of a foot against its home at which it steps, radians, above 0. Default 0.6.
    pub trigger_angle: f32,
    /// How far the pelvis may be outside the area of the standing feet, metres, above 0. Default
    /// 0.12.
    pub trigger_balance: f32,
    /// How far beyond its home a foot lands while the body moves, as a part of trigger_distance, 0
    /// to 1. Default 0.8.
    pub lead: f32,
    /// Seconds of a step, above 0, at most 1,000,000; fast bodies step in less, down to two fifths
    /// of it. Default 0.3.
    pub step_time: f32,
    /// Height of a step over flat ground, metres, 0 … 1,000,000. Default 0.08.
    pub step_height: f32,
}

/// When a point of a clip counts as standing. Speed and height are in the unit of the track, with
/// defaults for a person in metres; for characters of another scale (see SinewGrounderSettings)
/// multiply both by it. Fill with sinew_contact_rule_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewContactRule {
    /// Size of this struct in bytes, set by sinew_contact_rule_default.
    pub struct_size: u32,
    /// Speed below which it may stand, m/s, 0 or more. Default 0.35.
    pub speed: f32,
    /// Height over its own low (the second percentile of its heights) below which it may, metres, 0
    /// or more. Default 0.045.
    pub height: f32,
    /// Shortest stance, seconds, 0 or more; shorter ones are dropped. Default 0.07.
    pub least_time_s: f32,
    /// Longest gap within a stance, seconds, 0 or more; it is closed. Default 0.035.
    pub closed_gap_s: f32,
}

/// Frames of a clip.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewFrameRange {
    /// The first.
    pub start: u32,
    /// The one after the last.
    pub end: u32,
}

/// Answers one query: writes `out_hit`, which is "no hit" beforehand. Both pointers are valid
/// during the call only. Calling back into the same grounder gives SINEW_ERROR_BUSY.
///
/// It must return normally. An exception that leaves it ends the process (abort); after a longjmp
/// out of it the grounder is in use for ever: every call on it returns SINEW_ERROR_BUSY.
pub type SinewCastGround =
    extern "C-unwind" fn(user: *mut c_void, query: *const SinewGroundQuery, out_hit: *mut SinewGroundHit);
