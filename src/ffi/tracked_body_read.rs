//! Tracked bodies by handle, and their records, checked on the way in, written on the way out.

use super::guard::Failure;
use super::read;
use super::registry;
use super::types::{
    SINEW_TRACKER_SAMPLE_POSITION, SINEW_TRACKER_SAMPLE_ROTATION, SinewQuat, SinewTrackedBody,
    SinewTrackedBodySettings, SinewTrackedPart, SinewTrackerCalibration, SinewTrackerOffset, SinewTrackerRole,
    SinewTrackerSample,
};
use crate::math::{Quat, Transform};
use crate::skeleton::Pose;
use crate::store::{FirstSlots, Id, Slots};
use crate::trackers::{
    PlayerMeasures, TrackedBody, TrackedBodySettings, TrackedPart, TrackerCalibration, TrackerOffset, TrackerRole,
    TrackerSample,
};
use core::fmt::Display;

/// The kind differs from those of the others in several bits.
/// Boxed: 64 slots of 13 KB are no part of the library's file.
static BODIES: Slots<Box<TrackedBody>> = Slots::with_first(0x3E, &FIRST);
static FIRST: FirstSlots<Box<TrackedBody>> = FirstSlots::new();

pub(super) fn insert(body: Box<TrackedBody>) -> Result<SinewTrackedBody, Failure> {
    let id = registry::insert(&BODIES, body, "body")?;
    Ok(SinewTrackedBody { bits: id.bits() })
}
pub(super) fn is_valid(handle: SinewTrackedBody) -> bool {
    BODIES.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove(handle: SinewTrackedBody) -> Result<(), Failure> {
    BODIES.remove(Id::from_bits(handle.bits)).map(drop).map_err(|e| Failure::store(e, "body", handle.bits))
}
/// Uses a tracked body; busy at once when another thread does.
pub(super) fn with_body<R>(
    handle: SinewTrackedBody,
    use_it: impl FnOnce(&mut TrackedBody) -> Result<R, Failure>,
) -> Result<R, Failure> {
    BODIES.with(Id::from_bits(handle.bits), |body| use_it(body)).map_err(|e| Failure::store(e, "body", handle.bits))?
}

pub(super) fn role(argument: impl Display, raw: i32) -> Result<TrackerRole, Failure> {
    Ok(TrackerRole::ALL[read::decode::<SinewTrackerRole>(argument, raw)? as usize])
}

pub(super) fn part(argument: impl Display, raw: i32) -> Result<TrackedPart, Failure> {
    Ok(TrackedPart::ALL[read::decode::<SinewTrackedPart>(argument, raw)? as usize])
}

/// Writes a body into a pose; `argument` names the pose.
pub(super) fn apply(argument: &str, body: &mut TrackedBody, pose: &mut [Transform]) -> Result<(), Failure> {
    if body.apply(pose) {
        return Ok(());
    }
    const WHY: &str = "a part is animated, and reads it";
    let Some(joint) = body.unfit_joint(pose) else {
        return Err(Failure::argument(format_args!("{argument}: a bone has no rotation or no place; {WHY}")));
    };
    Err(match Pose::check_joint(joint, &pose[joint]) {
        Err(error) => Failure::argument(format_args!("{argument}: {error}; {WHY}")),
        Ok(()) => Failure::argument(format_args!("{argument}: joint {joint}: the place is not within 1e9 m; {WHY}")),
    })
}

/// A sample, checked.
pub(super) fn sample(given: &SinewTrackerSample) -> Result<TrackerSample, Failure> {
    read::flags("sample.set", given.set, SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION)?;
    let has = |bit: u32| given.set & bit != 0;
    Ok(TrackerSample {
        time_s: time("sample.time_s", given.time_s)?,
        position: has(SINEW_TRACKER_SAMPLE_POSITION)
            .then(|| read::vec3("sample.position", &given.position))
            .transpose()?,
        rotation: has(SINEW_TRACKER_SAMPLE_ROTATION)
            .then(|| read::quat("sample.rotation", &given.rotation))
            .transpose()?,
        confidence: crate::outcome::weight01(read::weight("sample.confidence", given.confidence)?),
    })
}

/// A time in seconds.
pub(super) fn time(argument: &str, value: f64) -> Result<f64, Failure> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(Failure::new(super::result::SinewResult::SinewErrorNotFinite, format_args!("{argument} is {value}")))
}

/// Copies the numbers that settings have under the same names on both sides.
macro_rules! same_names {
    ($from:expr, $base:expr) => {{
        let from = $from;
        let mut to = $base;
        same_names!(@ from, to, min_cutoff_hz, speed_cutoff, max_extrapolation_s, lost_after_s, fade_time_s, head_lock,
            hips_lock, prior_weight, step_weight, step_distance, step_time_s, step_height, rest_distance, rest_angle,
            min_delay_s, max_delay_s);
        to
    }};
    (@ $from:ident, $to:ident, $($name:ident),*) => { $($to.$name = $from.$name;)* };
}

/// Settings as the header has them.
pub(super) fn settings_out(settings: &TrackedBodySettings) -> SinewTrackedBodySettings {
    let empty = SinewTrackedBodySettings::default();
    SinewTrackedBodySettings {
        struct_size: size_of::<SinewTrackedBodySettings>() as u32,
        ..same_names!(settings, empty)
    }
}

/// Settings from the header's, every range checked.
pub(super) unsafe fn settings(pointer: *const SinewTrackedBodySettings) -> Result<TrackedBodySettings, Failure> {
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::sized("settings", pointer, &[], settings_out(&TrackedBodySettings::default())) }?;
    for (name, value) in [
        ("settings.min_cutoff_hz", given.min_cutoff_hz),
        ("settings.speed_cutoff", given.speed_cutoff),
        ("settings.max_extrapolation_s", given.max_extrapolation_s),
        ("settings.step_height", given.step_height),
        ("settings.rest_distance", given.rest_distance),
        ("settings.rest_angle", given.rest_angle),
        ("settings.min_delay_s", given.min_delay_s),
        ("settings.max_delay_s", given.max_delay_s),
    ] {
        read::between(name, value, 0.0, 1e6)?;
    }
    for (name, value) in [
        ("settings.lost_after_s", given.lost_after_s),
        ("settings.fade_time_s", given.fade_time_s),
        ("settings.step_distance", given.step_distance),
        ("settings.step_time_s", given.step_time_s),
    ] {
        read::above_zero(name, value)?;
    }
    for (name, value) in [
        ("settings.head_lock", given.head_lock),
        ("settings.hips_lock", given.hips_lock),
        ("settings.prior_weight", given.prior_weight),
        ("settings.step_weight", given.step_weight),
    ] {
        read::fraction(name, value)?;
    }
    let base = TrackedBodySettings::default();
    Ok(same_names!(given, base))
}

/// A calibration as the header has it.
pub(super) fn calibration_out(from: &TrackerCalibration) -> SinewTrackerCalibration {
    SinewTrackerCalibration {
        struct_size: size_of::<SinewTrackerCalibration>() as u32,
        scale: from.scale,
        floor: from.floor,
        head_height: from.player.head_height,
        arm_span: from.player.arm_span,
        hips_height: from.player.hips_height,
        offsets: from.offsets.map(|offset| {
            let known = offset.unwrap_or_default();
            SinewTrackerOffset {
                is_set: u32::from(offset.is_some()),
                position: known.position.into(),
                rotation: known.rotation.into(),
            }
        }),
    }
}

/// A rotation of a calibration. A unit one keeps its bits, so that what was read can be set again.
fn unit_quat(argument: impl Display, given: &SinewQuat) -> Result<Quat, Failure> {
    let (own, unit): (Quat, Quat) = ((*given).into(), read::quat(argument, given)?);
    Ok(if (own.length() - 1.0).abs() < 1e-6 { own } else { unit })
}

/// A calibration from the header's, checked.
pub(super) unsafe fn calibration(pointer: *const SinewTrackerCalibration) -> Result<TrackerCalibration, Failure> {
    let filled = calibration_out(&TrackerCalibration::default());
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::sized("calibration", pointer, &[], filled) }?;
    let mut offsets = [None; TrackerRole::COUNT];
    for (i, (own, out)) in given.offsets.iter().zip(&mut offsets).enumerate() {
        let name = format_args!("calibration.offsets[{i}].is_set").to_string();
        if read::within(&name, own.is_set, 0, 1)? == 1 {
            *out = Some(TrackerOffset {
                position: read::vec3(format_args!("calibration.offsets[{i}].position"), &own.position)?,
                rotation: unit_quat(format_args!("calibration.offsets[{i}].rotation"), &own.rotation)?,
            });
        }
    }
    Ok(TrackerCalibration {
        scale: read::above_zero("calibration.scale", given.scale)?,
        floor: read::weight("calibration.floor", given.floor)?,
        player: PlayerMeasures {
            head_height: read::weight("calibration.head_height", given.head_height)?,
            arm_span: read::weight("calibration.arm_span", given.arm_span)?,
            hips_height: read::weight("calibration.hips_height", given.hips_height)?,
        },
        offsets,
    })
}
