//! A grounder's records, checked on the way in, written on the way out.

use super::guard::Failure;
use super::read;
use super::result::SinewResult;
use super::types::{
    SinewContactRule, SinewFootModel, SinewGroundHit, SinewGroundQuery, SinewGrounded, SinewGrounderBody,
    SinewGrounderFrame, SinewGrounderLeg, SinewGrounderLegResult, SinewGrounderSettings, SinewSteppingSettings,
    SinewVec3,
};
use crate::grounding::{
    BodyResult, Contact, ContactRule, FootModel, Gait, Grounded, GrounderFrame, GrounderSettings, Hit, LegPose,
    LegResult, Quality, Query, SteppingSettings,
};
use crate::math::{F32x4, Lane, LaneVec3, Vec3};
use core::fmt::Display;
use wide::{CmpLe, f32x4};

/// Largest coordinate, metres; speed, m/s and rad/s; and time, seconds, that a grounder takes:
/// squares of speeds and accelerations over its shortest step are finite up to there.
const FARTHEST: f32 = 1e9;
const FASTEST: f32 = 1e9;
const LONGEST: f32 = 1e6;

/// Whether all numbers of four points or vectors are at most `most`; false also where one is NaN.
#[inline(always)]
fn are_bounded([a, b, c, d]: [&SinewVec3; 4], most: f32) -> bool {
    let fours = [[a.x, a.y, a.z, b.x], [b.y, b.z, c.x, c.y], [c.z, d.x, d.y, d.z]];
    let [x, y, z] = fours.map(|four| f32x4::new(four).abs().cmp_le(f32x4::splat(most)));
    (x & y & z).move_mask() == 0xf
}

/// A point or vector whose numbers are at most `most`.
fn bounded(argument: impl Display, v: &SinewVec3, most: f32) -> Result<Vec3, Failure> {
    let value = read::vec3(&argument, v)?;
    match value.to_array().into_iter().find(|number| number.abs() > most) {
        None => Ok(value),
        Some(number) => Err(too_large(argument, number, most)),
    }
}
#[cold]
#[inline(never)]
fn too_large(argument: impl Display, number: f32, most: f32) -> Failure {
    let message = format_args!("{argument} has {number:e}, beyond {most:e}: results would not be finite");
    Failure::new(SinewResult::SinewErrorNotFinite, message)
}

/// A time from 0 on.
fn time(argument: impl Display, given: f32) -> Result<f32, Failure> {
    let value = read::weight(&argument, given)?;
    if value < 0.0 {
        return Err(Failure::argument(format_args!("{argument} is {value}, below 0")));
    }
    if value > LONGEST { Err(too_large(argument, value, LONGEST)) } else { Ok(value) }
}

fn no_such(argument: impl Display, value: i64) -> Failure {
    Failure::new(
        SinewResult::SinewErrorInvalidEnum,
        format_args!("{argument} is {value}, which is not a value of its enum"),
    )
}

/// Copies the numbers that settings have under the same names on both sides.
macro_rules! same_names {
    ($from:expr, $base:expr) => {{
        let from = $from;
        let mut to = $base;
        same_names!(@ from, to, query_radius, max_step_up, max_step_down, plant_speed, release_speed, plant_height, release_height,
            release_distance, release_twist, release_stretch, plant_time, release_time, foothold_shift, swing_clearance, swing_time,
            foot_tilt, max_foot_tilt, tilt_time, soft_extension, max_extension, heel_lift, pelvis_follow, pelvis_rise_time,
            pelvis_fall_time, max_pelvis_offset, body_tilt, max_body_tilt, airborne_time, airborne_height, weight, scale);
        to
    }};
    (@ $from:ident, $to:ident, $($name:ident),*) => { $($to.$name = $from.$name;)* };
}

/// Sizes that settings once had: without the scale.
pub(super) const OLDER_SETTINGS: [usize; 1] = [core::mem::offset_of!(SinewGrounderSettings, scale)];

/// Settings as the header has them.
pub(super) fn settings_out(settings: &GrounderSettings) -> SinewGrounderSettings {
    let empty = SinewGrounderSettings::default();
    SinewGrounderSettings {
        struct_size: size_of::<SinewGrounderSettings>() as u32,
        quality: settings.quality as i32,
        ..same_names!(settings, empty)
    }
}

/// Settings from the header's, every range checked.
pub(super) unsafe fn settings(pointer: *const SinewGrounderSettings) -> Result<GrounderSettings, Failure> {
    let filled = settings_out(&GrounderSettings::default());
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::sized("settings", pointer, &OLDER_SETTINGS, filled) }?;
    let quality = match given.quality {
        1 => Quality::One,
        3 => Quality::Three,
        5 => Quality::Five,
        other => return Err(no_such("settings.quality", other.into())),
    };
    let s = &given;
    for (name, value) in [
        ("settings.query_radius", s.query_radius),
        ("settings.max_step_up", s.max_step_up),
        ("settings.max_step_down", s.max_step_down),
        ("settings.plant_height", s.plant_height),
        ("settings.plant_time", s.plant_time),
        ("settings.release_time", s.release_time),
        ("settings.foothold_shift", s.foothold_shift),
        ("settings.swing_clearance", s.swing_clearance),
        ("settings.max_foot_tilt", s.max_foot_tilt),
        ("settings.tilt_time", s.tilt_time),
        ("settings.max_pelvis_offset", s.max_pelvis_offset),
        ("settings.max_body_tilt", s.max_body_tilt),
        ("settings.airborne_height", s.airborne_height),
    ] {
        read::between(name, value, 0.0, 1e6)?;
    }
    for (name, value) in [
        ("settings.plant_speed", s.plant_speed),
        ("settings.release_distance", s.release_distance),
        ("settings.release_twist", s.release_twist),
        ("settings.release_stretch", s.release_stretch),
    ] {
        read::above_zero(name, value)?;
    }
    for (name, value) in [
        ("settings.swing_time", s.swing_time),
        ("settings.pelvis_rise_time", s.pelvis_rise_time),
        ("settings.pelvis_fall_time", s.pelvis_fall_time),
        ("settings.airborne_time", s.airborne_time),
    ] {
        read::between(name, read::above_zero(name, value)?, 0.0, 1e6)?;
    }
    for (name, value) in [
        ("settings.foot_tilt", s.foot_tilt),
        ("settings.soft_extension", s.soft_extension),
        ("settings.max_extension", s.max_extension),
        ("settings.heel_lift", s.heel_lift),
        ("settings.pelvis_follow", s.pelvis_follow),
        ("settings.body_tilt", s.body_tilt),
        ("settings.weight", s.weight),
    ] {
        read::fraction(name, value)?;
    }
    read::between("settings.scale", s.scale, 1e-4, 1e4)?;
    read::between("settings.release_speed", s.release_speed, s.plant_speed, f32::MAX)?;
    read::between("settings.release_height", s.release_height, s.plant_height, f32::MAX)?;
    let base = GrounderSettings { quality, ..GrounderSettings::default() };
    Ok(same_names!(s, base))
}

/// Stepping settings as the header has them.
pub(super) fn stepping_out(settings: &SteppingSettings) -> SinewSteppingSettings {
    SinewSteppingSettings {
        struct_size: size_of::<SinewSteppingSettings>() as u32,
        gait: settings.gait as i32,
        trigger_distance: settings.trigger_distance,
        trigger_angle: settings.trigger_angle,
        trigger_balance: settings.trigger_balance,
        lead: settings.lead,
        step_time: settings.step_time,
        step_height: settings.step_height,
    }
}

/// Stepping settings from the header's, every range checked.
pub(super) unsafe fn stepping(pointer: *const SinewSteppingSettings) -> Result<SteppingSettings, Failure> {
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::sized("settings", pointer, &[], stepping_out(&SteppingSettings::default())) }?;
    Ok(SteppingSettings {
        gait: match given.gait {
            0 => Gait::Groups,
            1 => Gait::Wave,
            2 => Gait::Free,
            other => return Err(no_such("settings.gait", other.into())),
        },
        trigger_distance: read::above_zero("settings.trigger_distance", given.trigger_distance)?,
        trigger_angle: read::above_zero("settings.trigger_angle", given.trigger_angle)?,
        trigger_balance: read::above_zero("settings.trigger_balance", given.trigger_balance)?,
        lead: read::fraction("settings.lead", given.lead)?,
        step_time: read::between(
            "settings.step_time",
            read::above_zero("settings.step_time", given.step_time)?,
            0.0,
            1e6,
        )?,
        step_height: read::between("settings.step_height", given.step_height, 0.0, 1e6)?,
    })
}

/// A contact rule as the header has it.
pub(super) fn rule_out(rule: &ContactRule) -> SinewContactRule {
    SinewContactRule {
        struct_size: size_of::<SinewContactRule>() as u32,
        speed: rule.speed,
        height: rule.height,
        least_time_s: rule.least_time_s,
        closed_gap_s: rule.closed_gap_s,
    }
}

/// A contact rule from the header's.
pub(super) unsafe fn rule(pointer: *const SinewContactRule) -> Result<ContactRule, Failure> {
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::sized("rule", pointer, &[], rule_out(&ContactRule::default())) }?;
    Ok(ContactRule {
        speed: read::between("rule.speed", given.speed, 0.0, f32::MAX)?,
        height: read::between("rule.height", given.height, 0.0, f32::MAX)?,
        least_time_s: read::between("rule.least_time_s", given.least_time_s, 0.0, f32::MAX)?,
        closed_gap_s: read::between("rule.closed_gap_s", given.closed_gap_s, 0.0, f32::MAX)?,
    })
}

/// A foot model as the header has it.
pub(super) fn foot_out(foot: &FootModel) -> SinewFootModel {
    SinewFootModel {
        struct_size: size_of::<SinewFootModel>() as u32,
        has_sole: foot.has_sole as u32,
        ball_height: foot.ball_height,
        heel_height: foot.heel_height,
        toe_length: foot.toe_length,
        heel_length: foot.heel_length,
    }
}

/// The same of one that was measured, whose lengths must be finite.
pub(super) fn measured_foot(foot: &FootModel) -> Result<SinewFootModel, Failure> {
    read::computed("out_foot", [foot.ball_height, foot.heel_height, foot.toe_length, foot.heel_length])?;
    Ok(foot_out(foot))
}

/// A foot model from the header's.
pub(super) fn foot(argument: impl Display, given: &SinewFootModel) -> Result<FootModel, Failure> {
    read::struct_size(format_args!("{argument}.struct_size"), given.struct_size, size_of::<SinewFootModel>())?;
    if given.has_sole > 1 {
        return Err(Failure::argument(format_args!("{argument}.has_sole is {}, not 0 or 1", given.has_sole)));
    }
    for (name, value) in [
        ("ball_height", given.ball_height),
        ("heel_height", given.heel_height),
        ("toe_length", given.toe_length),
        ("heel_length", given.heel_length),
    ] {
        let value = read::weight(format_args!("{argument}.{name}"), value)?;
        if !(0.0..=1e6).contains(&value) {
            return Err(Failure::argument(format_args!("{argument}.{name} is {value}, not 0 to 1e6")));
        }
    }
    Ok(FootModel {
        ball_height: given.ball_height,
        heel_height: given.heel_height,
        toe_length: given.toe_length,
        heel_length: given.heel_length,
        has_sole: given.has_sole != 0,
    })
}

/// A frame as the header has it.
pub(super) fn frame_out(frame: &GrounderFrame) -> SinewGrounderFrame {
    let grounded = match frame.grounded {
        Grounded::Auto => SinewGrounded::Auto,
        Grounded::Yes => SinewGrounded::Yes,
        Grounded::No => SinewGrounded::No,
    };
    SinewGrounderFrame {
        struct_size: size_of::<SinewGrounderFrame>() as u32,
        grounded: grounded as i32,
        root: frame.root_ws.into(),
        rotation: frame.rotation_ws.into(),
        up: frame.up_ws.into(),
        pelvis: frame.pelvis_ws.into(),
        dt_s: frame.dt_s,
    }
}

/// A frame from the header's.
pub(super) fn frame(argument: impl Display, given: &SinewGrounderFrame) -> Result<GrounderFrame, Failure> {
    let a = &argument;
    read::struct_size(format_args!("{a}.struct_size"), given.struct_size, size_of::<SinewGrounderFrame>())?;
    let dt_s = time(format_args!("{a}.dt_s"), given.dt_s)?;
    Ok(GrounderFrame {
        root_ws: bounded(format_args!("{a}.root"), &given.root, FARTHEST)?,
        rotation_ws: read::quat(format_args!("{a}.rotation"), &given.rotation)?,
        up_ws: read::direction(format_args!("{a}.up"), &given.up)?,
        pelvis_ws: bounded(format_args!("{a}.pelvis"), &given.pelvis, FARTHEST)?,
        dt_s,
        grounded: match given.grounded {
            0 => Grounded::Auto,
            1 => Grounded::Yes,
            2 => Grounded::No,
            other => return Err(no_such(format_args!("{a}.grounded"), other.into())),
        },
    })
}

/// An animated leg as the header has it.
pub(super) fn pose_out(leg: &LegPose) -> SinewGrounderLeg {
    let (landing_time_s, landing) = leg.landing.unwrap_or((0.0, Vec3::ZERO));
    SinewGrounderLeg {
        hip: leg.hip_ws.into(),
        knee: leg.knee_ws.into(),
        ankle: leg.ankle_ws.into(),
        ball: leg.ball_ws.into(),
        foot: leg.foot_ws.into(),
        weight: leg.weight,
        contact: leg.contact as i32,
        has_landing: leg.landing.is_some() as u32,
        landing_time_s,
        landing: landing.into(),
    }
}

/// A leg from the header's.
#[inline(always)]
pub(super) fn leg(index: usize, given: &SinewGrounderLeg) -> Result<LegPose, Failure> {
    let point = |name: &str, p| bounded(format_args!("legs[{index}].{name}"), p, FARTHEST);
    let landing = match given.has_landing {
        0 => None,
        1 => {
            let time = time(format_args!("legs[{index}].landing_time_s"), given.landing_time_s)?;
            Some((time, point("landing", &given.landing)?))
        }
        other => return Err(Failure::argument(format_args!("legs[{index}].has_landing is {other}, not 0 or 1"))),
    };
    if !are_bounded([&given.hip, &given.knee, &given.ankle, &given.ball], FARTHEST) {
        check_points(index, given)?;
    }
    Ok(LegPose {
        hip_ws: given.hip.into(),
        knee_ws: given.knee.into(),
        ankle_ws: given.ankle.into(),
        ball_ws: given.ball.into(),
        foot_ws: read::quat(format_args!("legs[{index}].foot"), &given.foot)?,
        weight: crate::outcome::weight01(read::weight(format_args!("legs[{index}].weight"), given.weight)?),
        contact: match given.contact {
            0 => Contact::Auto,
            1 => Contact::Planted,
            2 => Contact::Swing,
            other => return Err(no_such(format_args!("legs[{index}].contact"), other.into())),
        },
        landing,
    })
}
/// Checks the points of a leg one by one.
#[cold]
#[inline(never)]
fn check_points(index: usize, given: &SinewGrounderLeg) -> Result<(), Failure> {
    for (name, p) in [("hip", &given.hip), ("knee", &given.knee), ("ankle", &given.ankle), ("ball", &given.ball)] {
        bounded(format_args!("legs[{index}].{name}"), p, FARTHEST)?;
    }
    Ok(())
}

/// A query as the header has it.
pub(super) fn query_out(query: &Query) -> SinewGroundQuery {
    SinewGroundQuery {
        origin: query.origin_ws.into(),
        direction: query.direction_ws.into(),
        length: query.length,
        radius: query.radius,
        leg: query.leg,
        purpose: query.purpose as i32,
    }
}

/// An answer without a hit.
pub(super) fn no_hit() -> SinewGroundHit {
    let zero = Vec3::ZERO.into();
    SinewGroundHit { hit: 0, body: 0, point: zero, normal: Vec3::Y.into(), velocity: zero, angular_velocity: zero }
}

/// An answer as the header has it.
pub(super) fn hit_out(hit: &Hit) -> SinewGroundHit {
    if !hit.hit {
        return no_hit();
    }
    SinewGroundHit {
        hit: 1,
        body: hit.body,
        point: hit.point_ws.into(),
        normal: hit.normal_ws.into(),
        velocity: hit.velocity_ws.into(),
        angular_velocity: hit.angular_velocity_ws.into(),
    }
}

/// An answer from the header's.
pub(super) fn hit(index: usize, given: &SinewGroundHit) -> Result<Hit, Failure> {
    let (hit, is_plain) = plain_hit(given, crate::math::normalize_or(given.normal.into(), Vec3::ZERO));
    if is_plain { Ok(hit) } else { hit_by_parts(index, given) }
}
/// The unit normals of up to four answers, zero where one has no length.
#[inline(always)]
pub(super) fn unit_normals(hits: &[SinewGroundHit]) -> [Vec3; 4] {
    let normals: [Vec3; 4] = core::array::from_fn(|i| hits[if i < hits.len() { i } else { 0 }].normal.into());
    let [x, y, z] = [normals.map(|n| n.x), normals.map(|n| n.y), normals.map(|n| n.z)].map(F32x4);
    let (units, _) = LaneVec3::new(x, y, z).normalize_or(LaneVec3::zero(), F32x4::splat(1e-20));
    core::array::from_fn(|i| Vec3::new(units.x.0[i], units.y.0[i], units.z.0[i]))
}
/// An answer from the header's with its unit normal, and whether nothing is wrong with it; where
/// something may be, [`hit`] finds out.
#[inline(always)]
pub(super) fn plain_hit(given: &SinewGroundHit, normal_ws: Vec3) -> (Hit, bool) {
    let vectors = [&given.point, &given.normal, &given.velocity, &given.angular_velocity];
    let hit = given.hit == 1;
    // A grounder ignores the numbers of an answer without a hit.
    let is_plain = given.hit == 0 || (hit && are_bounded(vectors, FARTHEST.min(FASTEST)) && normal_ws != Vec3::ZERO);
    let [point_ws, _, velocity_ws, angular_velocity_ws] = vectors.map(|v| Vec3::from(*v));
    (Hit { hit, body: given.body, point_ws, normal_ws, velocity_ws, angular_velocity_ws }, is_plain)
}
/// The same, checked number by number.
#[cold]
#[inline(never)]
fn hit_by_parts(index: usize, given: &SinewGroundHit) -> Result<Hit, Failure> {
    if given.hit != 1 {
        return Err(Failure::argument(format_args!("hits[{index}].hit is {}, not 0 or 1", given.hit)));
    }
    Ok(Hit {
        hit: true,
        body: given.body,
        point_ws: bounded(format_args!("hits[{index}].point"), &given.point, FARTHEST)?,
        normal_ws: read::direction(format_args!("hits[{index}].normal"), &given.normal)?,
        velocity_ws: bounded(format_args!("hits[{index}].velocity"), &given.velocity, FASTEST)?,
        angular_velocity_ws: bounded(format_args!("hits[{index}].angular_velocity"), &given.angular_velocity, FASTEST)?,
    })
}

/// The body as the header has it.
pub(super) fn body_out(body: &BodyResult) -> SinewGrounderBody {
    SinewGrounderBody {
        offset: body.offset_ws.into(),
        turn: body.turn_ws.into(),
        ground_normal: body.ground_normal_ws.into(),
        presence: body.presence,
        planted: body.planted,
    }
}

/// A leg as the header has it.
pub(super) fn leg_out(leg: &LegResult) -> SinewGrounderLegResult {
    SinewGrounderLegResult {
        hip: leg.hip_ws.into(),
        knee: leg.knee_ws.into(),
        ankle: leg.ankle_ws.into(),
        ball: leg.ball_ws.into(),
        foot: leg.foot_ws.into(),
        toes_turn: leg.toes_turn.into(),
        planted: leg.planted as u32,
        time_to_landing_s: leg.time_to_landing_s,
        landing: leg.landing_ws.into(),
        shortage_m: leg.shortage_m,
    }
}
