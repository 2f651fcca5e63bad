//! Calibration of tracked bodies.

use super::c_types::c_char;
use super::guard::{Failure, guard, out_ref};
use super::result::SinewResult;
use super::tracked_body_read as checked;
use super::types::{
    SinewCalibrationPose, SinewCalibrationPoseArg, SinewTrackedBody, SinewTrackerCalibration, SinewTrackerScale,
    SinewTrackerScaleArg, SinewVec3,
};
use super::{read, rooms};
use crate::math::Vec3;
use crate::trackers::{CalibrationError, CalibrationPose, ScalePolicy, TrackerCalibration, TrackerRole};

/// Most unlabelled trackers in one call.
const MAX_TRACKERS: u32 = 64;

fn no_head() -> Failure {
    Failure::argument(format_args!("body: {}", CalibrationError::NoHead))
}

/// Sets the calibration from the newest samples, while the player stands in a pose, whichever way
/// they face: how each tracker is mounted, and the avatar's scale. May be called again at any time.
/// Trackers that are lost (confidence 0) do not count, nor do those whose newest sample is more
/// than `lost_after_s` older than the newest one of all trackers. Allocates.
///
/// @param pose   a SinewCalibrationPose.
/// @param scale  a SinewTrackerScale: what of the player the avatar's size follows.
/// @param floor  height of the floor in tracking space, metres.
/// @return SINEW_ERROR_INVALID_ARGUMENT: there is no head tracker with a position, or the head is
///         less than 5 cm above the floor and nothing gives the size that `scale` is about;
///         nothing changed.
pub extern "C" fn sinew_tracked_body_calibrate(
    body: SinewTrackedBody,
    pose: SinewCalibrationPoseArg,
    scale: SinewTrackerScaleArg,
    floor: f32,
) -> SinewResult {
    guard("sinew_tracked_body_calibrate", || {
        let pose = match read::decode("pose", pose)? {
            SinewCalibrationPose::TPose => CalibrationPose::TPose,
            SinewCalibrationPose::APose => CalibrationPose::APose,
        };
        let policy = match read::decode("scale", scale)? {
            SinewTrackerScale::Height => ScalePolicy::Height,
            SinewTrackerScale::ArmSpan => ScalePolicy::ArmSpan,
            SinewTrackerScale::HipsHeight => ScalePolicy::HipsHeight,
            SinewTrackerScale::Keep => ScalePolicy::Keep,
        };
        let floor = read::weight("floor", floor)?;
        checked::with_body(body, |body| {
            let _room = rooms::CALIBRATION.room(body.avatar().skeleton().joint_count())?;
            body.calibrate(pose, policy, floor).map_err(|error| match error {
                CalibrationError::NoHead => no_head(),
                CalibrationError::NoSize { .. } => Failure::argument(format_args!("floor {floor}: {error}")),
            })
        })
    })
}

/// Sets a calibration: one that was saved, or edited.
///
/// @param calibration  see SinewTrackerCalibration.
/// @return SINEW_ERROR_INVALID_ARGUMENT: scale or is_set out of range.
pub unsafe extern "C" fn sinew_tracked_body_set_calibration(
    body: SinewTrackedBody,
    calibration: *const SinewTrackerCalibration,
) -> SinewResult {
    guard("sinew_tracked_body_set_calibration", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let calibration = unsafe { checked::calibration(calibration) }?;
        checked::with_body(body, |body| {
            body.set_calibration(calibration);
            Ok(())
        })
    })
}

/// Returns the calibration, to save or edit.
///
/// @param out_calibration  the calibration, struct_size included.
pub extern "C" fn sinew_tracked_body_get_calibration(
    body: SinewTrackedBody,
    out_calibration: Option<&mut SinewTrackerCalibration>,
) -> SinewResult {
    guard("sinew_tracked_body_get_calibration", || {
        let out = out_ref(out_calibration, "out_calibration")?;
        checked::with_body(body, |body| {
            *out = checked::calibration_out(body.calibration());
            Ok(())
        })
    })
}

/// Writes the calibration as JSON text, for a settings file. Allocates.
///
/// @param out_text    room for the text and its terminating zero; may be NULL when capacity is 0.
/// @param capacity    bytes of room.
/// @param out_length  bytes needed, with the zero; also written with
///                    SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_text is not written.
pub unsafe extern "C" fn sinew_tracked_body_get_calibration_json(
    body: SinewTrackedBody,
    out_text: *mut c_char,
    capacity: u32,
    out_length: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_tracked_body_get_calibration_json", || {
        let out_length = out_ref(out_length, "out_length")?;
        let _room = rooms::CALIBRATION.room(0)?;
        let text = checked::with_body(body, |body| Ok(body.calibration().to_json()))?;
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { read::write_text("out_text", &text, out_text, capacity, out_length) }
    })
}

/// Sets a calibration from JSON text. Missing parts have their defaults, unknown ones are skipped.
///
/// @param text  as sinew_tracked_body_get_calibration_json wrote it, or edited.
/// @return SINEW_ERROR_INVALID_TEXT: no calibration, the message states where; nothing changed.
pub unsafe extern "C" fn sinew_tracked_body_set_calibration_json(
    body: SinewTrackedBody,
    text: *const c_char,
) -> SinewResult {
    guard("sinew_tracked_body_set_calibration_json", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let text = unsafe { read::text("text", text) }?;
        let _room = rooms::CALIBRATION.with(0, text.len().saturating_mul(8))?;
        let calibration = TrackerCalibration::from_json(text)
            .map_err(|error| Failure::new(SinewResult::SinewErrorInvalidText, format_args!("text: {error}")))?;
        checked::with_body(body, |body| {
            body.set_calibration(calibration);
            Ok(())
        })
    })
}

/// Finds what unlabelled trackers are worn on, while the player stands in the T-pose. The head must
/// have a sample; those of the hands report left from right. Roles that have a sample are not given
/// again. On a leg the lowest tracker is the foot's, the next the knee's. Allocates.
///
/// @param places     places of the unlabelled trackers, tracking space.
/// @param count      number of trackers, 1 to 64.
/// @param floor      height of the floor in tracking space, metres.
/// @param out_roles  room for `count` numbers: a SinewTrackerRole each, or -1 for a stray.
/// @return SINEW_ERROR_INVALID_ARGUMENT: count, or there is no head tracker with a position.
pub unsafe extern "C" fn sinew_tracked_body_assign_trackers(
    body: SinewTrackedBody,
    places: *const SinewVec3,
    count: u32,
    floor: f32,
    out_roles: *mut i32,
) -> SinewResult {
    guard("sinew_tracked_body_assign_trackers", || {
        let count = read::within("count", count, 1, MAX_TRACKERS)? as usize;
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("places", places, count) }?;
        // SAFETY: as above.
        let out = unsafe { read::array_mut("out_roles", out_roles, count) }?;
        let floor = read::weight("floor", floor)?;
        let mut at = [Vec3::ZERO; MAX_TRACKERS as usize];
        for (i, (own, place)) in at.iter_mut().zip(given).enumerate() {
            *own = read::vec3(format_args!("places[{i}]"), place)?;
        }
        let mut roles = [None::<TrackerRole>; MAX_TRACKERS as usize];
        checked::with_body(body, |body| {
            let _room = rooms::CALIBRATION.room(body.avatar().skeleton().joint_count())?;
            let Some(_) = body.assign(&at[..count], floor, &mut roles[..count]) else { return Err(no_head()) };
            for (out, role) in out.iter_mut().zip(&roles) {
                *out = role.map_or(-1, |role| role as i32);
            }
            Ok(())
        })
    })
}
