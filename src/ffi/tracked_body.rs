//! Tracked bodies: made, fed, updated, read.

use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::{SinewAnimator, SinewAvatar};
use super::result::SinewResult;
use super::tracked_body_read as checked;
use super::types::{
    SinewOutcome, SinewQuat, SinewTrackedBody, SinewTrackedBodySettings, SinewTrackedPartArg, SinewTrackerRoleArg,
    SinewTrackerSample, SinewTransform, SinewVec3,
};
use super::{read, registry, rooms, running};
use crate::trackers::{TrackedBody, TrackedBodySettings};

/// Fills settings with their size and defaults.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_tracked_body_settings_default(
    out_settings: Option<&mut SinewTrackedBodySettings>,
) -> SinewResult {
    guard("sinew_tracked_body_settings_default", || {
        *out_ref(out_settings, "out_settings")? = checked::settings_out(&TrackedBodySettings::default());
        Ok(())
    })
}

/// Creates a tracked body: three to 25 trackers in, the pose of an avatar out. It belongs to no
/// animator; sinew_tracked_body_apply and sinew_tracked_body_apply_to_animator carry its pose away.
///
/// @param avatar    the avatar; it may be destroyed afterwards.
/// @param settings  see SinewTrackedBodySettings; may be NULL: the defaults.
/// @param out_body  the tracked body.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a setting out of its range.
pub unsafe extern "C" fn sinew_tracked_body_create(
    avatar: SinewAvatar,
    settings: *const SinewTrackedBodySettings,
    out_body: Option<&mut SinewTrackedBody>,
) -> SinewResult {
    guard("sinew_tracked_body_create", || {
        let out = out_ref(out_body, "out_body")?;
        let avatar = registry::avatar(avatar)?;
        let _room = rooms::TRACKED_BODY.room(avatar.skeleton().joint_count())?;
        let settings = if settings.is_null() {
            TrackedBodySettings::default()
        } else {
            // SAFETY: required of the caller of the C function; see `read`.
            unsafe { checked::settings(settings) }?
        };
        *out = checked::insert(Box::new(TrackedBody::new(avatar, settings)))?;
        Ok(())
    })
}

/// Destroys a tracked body.
///
/// @return SINEW_ERROR_BUSY: another thread is using it; nothing was done.
pub extern "C" fn sinew_tracked_body_destroy(body: SinewTrackedBody) -> SinewResult {
    guard("sinew_tracked_body_destroy", || checked::remove(body))
}

/// Reports whether a handle is a living tracked body.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_tracked_body_is_valid(body: SinewTrackedBody, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_tracked_body_is_valid", || {
        *out_ref(out_valid, "out_valid")? = checked::is_valid(body) as u32;
        Ok(())
    })
}

/// Sets the settings; what lasts between frames stays.
///
/// @param settings  see SinewTrackedBodySettings.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a setting out of its range.
pub unsafe extern "C" fn sinew_tracked_body_set_settings(
    body: SinewTrackedBody,
    settings: *const SinewTrackedBodySettings,
) -> SinewResult {
    guard("sinew_tracked_body_set_settings", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let settings = unsafe { checked::settings(settings) }?;
        checked::with_body(body, |body| {
            body.set_settings(settings);
            Ok(())
        })
    })
}

/// Returns the settings.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_tracked_body_get_settings(
    body: SinewTrackedBody,
    out_settings: Option<&mut SinewTrackedBodySettings>,
) -> SinewResult {
    guard("sinew_tracked_body_get_settings", || {
        let out = out_ref(out_settings, "out_settings")?;
        checked::with_body(body, |body| {
            *out = checked::settings_out(body.settings());
            Ok(())
        })
    })
}

/// Sets a sample of a tracker. A sample that is older than the newest of its role is dropped; a
/// tracker that stops reporting fades out. Exception: where the newest sample is more than
/// lost_after_s ahead of the last update and the given one is not, the time of the newest was
/// wrong, and the given one replaces it.
///
/// @param role    a SinewTrackerRole.
/// @param sample  see SinewTrackerSample.
/// @return SINEW_ERROR_INVALID_ARGUMENT: unknown bits in `set`.
pub extern "C" fn sinew_tracked_body_set_tracker(
    body: SinewTrackedBody,
    role: SinewTrackerRoleArg,
    sample: Option<&SinewTrackerSample>,
) -> SinewResult {
    guard("sinew_tracked_body_set_tracker", || {
        let sample = checked::sample(in_ref(sample, "sample")?)?;
        let role = checked::role("role", role)?;
        checked::with_body(body, |body| {
            body.set_tracker(role, &sample);
            Ok(())
        })
    })
}

/// Clears a tracker at once, without fading.
///
/// @param role  a SinewTrackerRole.
pub extern "C" fn sinew_tracked_body_clear_tracker(body: SinewTrackedBody, role: SinewTrackerRoleArg) -> SinewResult {
    guard("sinew_tracked_body_clear_tracker", || {
        let role = checked::role("role", role)?;
        checked::with_body(body, |body| {
            body.clear_tracker(role);
            Ok(())
        })
    })
}

/// Returns which part a tracker has in the body.
///
/// @param role          a SinewTrackerRole.
/// @param out_presence  0 (lost) … 1.
pub extern "C" fn sinew_tracked_body_get_presence(
    body: SinewTrackedBody,
    role: SinewTrackerRoleArg,
    out_presence: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_tracked_body_get_presence", || {
        let out = out_ref(out_presence, "out_presence")?;
        let role = checked::role("role", role)?;
        checked::with_body(body, |body| {
            *out = body.presence(role);
            Ok(())
        })
    })
}

/// Sets where tracking space is in the host's world: a stick moves and turns it. Untracked feet
/// stand still in that world. Default: the world itself.
///
/// @param position  of the origin of tracking space, metres of the avatar.
/// @param rotation  only its turn about up counts.
pub extern "C" fn sinew_tracked_body_set_origin(
    body: SinewTrackedBody,
    position: Option<&SinewVec3>,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_tracked_body_set_origin", || {
        let position = read::vec3("position", in_ref(position, "position")?)?;
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        checked::with_body(body, |body| {
            body.set_origin(position, rotation);
            Ok(())
        })
    })
}

/// Sets how much of a part is the tracked body's own answer; the rest is the animation's, which is
/// the pose that sinew_tracked_body_apply writes over: a locomotion clip for the legs below a
/// tracked head and hands, a clip for an arm without a controller. It counts for trackers of that
/// part, too. The animation plays in place: its model space is below the tracked body, on the
/// floor, and faces where the hips do. Weights last until they are set again, are in snapshots, and
/// are not sent to remote players.
///
/// @param part    a SinewTrackedPart.
/// @param weight  0 (the animation) … 1 (the tracked body, the default); clamped.
/// @return SINEW_ERROR_NOT_FINITE: weight.
pub extern "C" fn sinew_tracked_body_set_part_weight(
    body: SinewTrackedBody,
    part: SinewTrackedPartArg,
    weight: f32,
) -> SinewResult {
    guard("sinew_tracked_body_set_part_weight", || {
        let part = checked::part("part", part)?;
        let weight = read::weight("weight", weight)?;
        checked::with_body(body, |body| {
            body.set_part_weight(part, weight);
            Ok(())
        })
    })
}

/// Returns how much of a part is the tracked body's own answer.
///
/// @param part        a SinewTrackedPart.
/// @param out_weight  0 … 1.
pub extern "C" fn sinew_tracked_body_get_part_weight(
    body: SinewTrackedBody,
    part: SinewTrackedPartArg,
    out_weight: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_tracked_body_get_part_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        let part = checked::part("part", part)?;
        checked::with_body(body, |body| {
            *out = body.part_weight(part);
            Ok(())
        })
    })
}

/// Resets all that lasts between frames but the newest samples: after a teleport or a cut.
pub extern "C" fn sinew_tracked_body_reset(body: SinewTrackedBody) -> SinewResult {
    guard("sinew_tracked_body_reset", || {
        checked::with_body(body, |body| {
            body.reset();
            Ok(())
        })
    })
}

/// Solves the body for a time. Trackers out of reach are no error: see
/// sinew_tracked_body_get_outcome.
///
/// @param time_s  seconds, on the clock of the samples; before the last time: the last time.
/// @return SINEW_ERROR_NOT_FINITE: time_s.
pub extern "C" fn sinew_tracked_body_update(body: SinewTrackedBody, time_s: f64) -> SinewResult {
    guard("sinew_tracked_body_update", || {
        let time_s = checked::time("time_s", time_s)?;
        checked::with_body(body, |body| {
            body.update(time_s);
            Ok(())
        })
    })
}

/// Writes the body of the last update into a pose: the joints from the hips to head, hands and
/// toes, and tracked fingers, which fade between what is there and their trackers. Other fingers,
/// the face and all other joints stay as they are. With the character's root at the origin of
/// tracking space, the body is where the player is. Where a part's weight is below 1, what is there
/// is read, too: see sinew_tracked_body_set_part_weight.
///
/// @param pose   local transforms, one per joint.
/// @param count  must be the number of joints of the skeleton.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count; SINEW_ERROR_INVALID_ARGUMENT: a part is animated,
///         and a bone of the pose has no rotation or no place within 1e9 m.
pub unsafe extern "C" fn sinew_tracked_body_apply(
    body: SinewTrackedBody,
    pose: *mut SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_tracked_body_apply", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("pose", pose, count.max(1) as usize) }?;
        checked::with_body(body, |body| {
            read::length("count", count, body.pose().len())?;
            running::overwrites(1, &out[..count as usize]);
            checked::apply("pose", body, read::as_transforms_mut(&mut out[..count as usize]))
        })
    })
}

/// Writes the body of the last update into the pose buffer of an animator, as
/// sinew_tracked_body_apply does, before its solve.
///
/// @param animator  an animator of the skeleton that the body's avatar was created for.
/// @return SINEW_ERROR_WRONG_SKELETON: the animator is of another skeleton, even if it has as many
///         joints; SINEW_ERROR_INVALID_ARGUMENT: as of sinew_tracked_body_apply.
pub extern "C" fn sinew_tracked_body_apply_to_animator(body: SinewTrackedBody, animator: SinewAnimator) -> SinewResult {
    guard("sinew_tracked_body_apply_to_animator", || {
        checked::with_body(body, |body| {
            registry::with_animator(animator, |character| {
                if !std::sync::Arc::ptr_eq(character.animator.skeleton(), body.avatar().skeleton()) {
                    let message = "animator is of another skeleton than the avatar of the body";
                    return Err(Failure::new(SinewResult::SinewErrorWrongSkeleton, message));
                }
                checked::apply("the animator's pose", body, character.buffer_mut())
            })
        })
    })
}

/// Returns how near a tracker's bone came to it in the last update. Of head, hands, hips and feet
/// with a presence below 1 the residuals are measured from the goal that the body aims at: a place
/// and a rotation between the tracker's and what is assumed without it.
///
/// @param role         a SinewTrackerRole.
/// @param out_outcome  inactive where the tracker took no part.
pub extern "C" fn sinew_tracked_body_get_outcome(
    body: SinewTrackedBody,
    role: SinewTrackerRoleArg,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_tracked_body_get_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        let role = checked::role("role", role)?;
        checked::with_body(body, |body| {
            *out = body.outcome(role).into();
            Ok(())
        })
    })
}

/// Returns the size of a snapshot. It depends on the library's version only.
///
/// @param out_size  bytes.
pub extern "C" fn sinew_tracked_body_get_snapshot_size(
    body: SinewTrackedBody,
    out_size: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_tracked_body_get_snapshot_size", || {
        let out = out_ref(out_size, "out_size")?;
        checked::with_body(body, |body| {
            *out = body.snapshot_size() as u32;
            Ok(())
        })
    })
}

/// Writes all that lasts between frames, but not what was packed and received over the network: the
/// jitter buffer of a remote player, and which trackers are due in the next packet. Set in any
/// tracked body with the same avatar, settings and calibration, the frames that follow from the
/// same samples are the same bits.
///
/// @param out_bytes  room for `size` bytes.
/// @param size       must be that of sinew_tracked_body_get_snapshot_size.
/// @return SINEW_ERROR_LENGTH_MISMATCH: size.
pub unsafe extern "C" fn sinew_tracked_body_get_snapshot(
    body: SinewTrackedBody,
    out_bytes: *mut u8,
    size: u32,
) -> SinewResult {
    guard("sinew_tracked_body_get_snapshot", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_bytes", out_bytes, size.max(1) as usize) }?;
        checked::with_body(body, |body| {
            let needed = body.snapshot_size();
            if body.snapshot(&mut out[..size as usize]) { Ok(()) } else { Err(wrong_size(size, needed)) }
        })
    })
}

/// Sets all that lasts between frames from a snapshot. Outcomes are inactive until the next update.
///
/// @param bytes  as sinew_tracked_body_get_snapshot of this version of the library wrote them.
/// @param size   must be that of sinew_tracked_body_get_snapshot_size.
/// @return SINEW_ERROR_LENGTH_MISMATCH: size; SINEW_ERROR_INVALID_ARGUMENT: the bytes are no
///         snapshot.
pub unsafe extern "C" fn sinew_tracked_body_set_snapshot(
    body: SinewTrackedBody,
    bytes: *const u8,
    size: u32,
) -> SinewResult {
    guard("sinew_tracked_body_set_snapshot", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("bytes", bytes, size.max(1) as usize) }?;
        checked::with_body(body, |body| {
            let needed = body.snapshot_size();
            if size as usize != needed {
                return Err(wrong_size(size, needed));
            }
            if body.restore(&given[..size as usize]) {
                return Ok(());
            }
            Err(Failure::argument("bytes hold a number that is not finite or out of its range, or no rotation"))
        })
    })
}

fn wrong_size(size: u32, needed: usize) -> Failure {
    Failure::new(SinewResult::SinewErrorLengthMismatch, format_args!("size is {size}, a snapshot has {needed}"))
}
