//! Grounders whose feet step by themselves, and contacts learned from clips.

use super::grounder_read as checked;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::SinewGrounder;
use super::result::SinewResult;
use super::types::{SinewContactRule, SinewFootModel, SinewFrameRange, SinewSteppingSettings, SinewVec3};
use super::{read, registry, rooms};
use crate::grounding::{ContactRule, FootModel, SteppingSettings, contacts_from_clip};
use crate::math::Vec3;

/// Most frames of a clip, and points of an outline.
const MAX_POINTS: u32 = 10_000_000;

/// Fills stepping settings with their size and defaults.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_stepping_settings_default(out_settings: Option<&mut SinewSteppingSettings>) -> SinewResult {
    guard("sinew_stepping_settings_default", || {
        *out_ref(out_settings, "out_settings")? = checked::stepping_out(&SteppingSettings::default());
        Ok(())
    })
}

/// Makes the feet of a grounder step by themselves, for feet without animation: spiders, cranes, VR
/// bodies. The legs that each frame is begun with are then the homes of the feet: where they would
/// stand if the body stood still there. Called again with the same groups, only the settings change
/// and steps go on; otherwise it allocates, steps begin anew, and a frame under way is forgotten.
/// Snapshots have another size than without.
///
/// @param settings     see SinewSteppingSettings; may be NULL: the defaults.
/// @param groups       group of each leg; legs of one group swing together. May be NULL when
///                     group_count is 0: alternating around the body (a biped's walk, a trot, a
///                     tripod).
/// @param group_count  0, or the number of legs.
/// @return SINEW_ERROR_LENGTH_MISMATCH: group_count; SINEW_ERROR_INVALID_ARGUMENT: a setting out of
///         its range.
pub unsafe extern "C" fn sinew_grounder_set_stepping(
    grounder: SinewGrounder,
    settings: *const SinewSteppingSettings,
    groups: *const u32,
    group_count: u32,
) -> SinewResult {
    guard("sinew_grounder_set_stepping", || {
        let settings = if settings.is_null() {
            SteppingSettings::default()
        } else {
            // SAFETY: required of the caller of the C function; see `read`.
            unsafe { checked::stepping(settings) }?
        };
        // SAFETY: required of the caller of the C function; see `read`.
        let groups =
            if group_count == 0 { &[] } else { unsafe { read::array("groups", groups, group_count as usize) }? };
        registry::with_grounder(grounder, |host| {
            let legs = host.grounder.leg_count();
            let goes_on = host.grounder.stepping().is_some() && host.grounder.stepping_groups() == groups;
            let _room = if goes_on { None } else { Some(rooms::STEPPING.room(legs)?) };
            if host.grounder.set_stepping(Some(settings), groups) {
                return Ok(());
            }
            Err(Failure::new(
                SinewResult::SinewErrorLengthMismatch,
                format_args!("group_count is {group_count}, the grounder has {legs} legs"),
            ))
        })
    })
}

/// Clears the stepping of a grounder: the legs of each frame are an animation again.
pub extern "C" fn sinew_grounder_clear_stepping(grounder: SinewGrounder) -> SinewResult {
    guard("sinew_grounder_clear_stepping", || {
        registry::with_grounder(grounder, |host| {
            host.grounder.set_stepping(None, &[]);
            Ok(())
        })
    })
}

/// Computes a foot model from the outline of its sole in a pose that stands on flat ground.
/// Allocates.
///
/// @param ankle        ankle joint, metres, any space.
/// @param ball         root of the toes.
/// @param outline      points of the sole; the lowest is on the ground.
/// @param point_count  number of points, 1 … 10,000,000.
/// @param up           normal of the ground, any length but zero.
/// @param out_foot     the foot model, struct_size included.
/// @return SINEW_ERROR_INVALID_ARGUMENT: up has no length, or point_count.
pub unsafe extern "C" fn sinew_foot_model_from_outline(
    ankle: Option<&SinewVec3>,
    ball: Option<&SinewVec3>,
    outline: *const SinewVec3,
    point_count: u32,
    up: Option<&SinewVec3>,
    out_foot: Option<&mut SinewFootModel>,
) -> SinewResult {
    guard("sinew_foot_model_from_outline", || {
        let out = out_ref(out_foot, "out_foot")?;
        let ankle = read::vec3("ankle", in_ref(ankle, "ankle")?)?;
        let ball = read::vec3("ball", in_ref(ball, "ball")?)?;
        let up = read::direction("up", in_ref(up, "up")?)?;
        let count = read::within("point_count", point_count, 1, MAX_POINTS)?;
        let _room = rooms::OUTLINE.room(count as usize)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let points = unsafe { points("outline", outline, count) }?;
        *out = checked::measured_foot(&FootModel::from_outline(ankle, ball, &points, up))?;
        Ok(())
    })
}

/// Fills a contact rule with its size and defaults.
///
/// @param out_rule  the rule, struct_size included.
pub extern "C" fn sinew_contact_rule_default(out_rule: Option<&mut SinewContactRule>) -> SinewResult {
    guard("sinew_contact_rule_default", || {
        *out_ref(out_rule, "out_rule")? = checked::rule_out(&ContactRule::default());
        Ok(())
    })
}

/// Computes in which frames of a clip on flat ground a foot stands. Allocates: once per clip, not
/// per frame.
///
/// @param track         place of the contact point per frame, metres.
/// @param frame_count   number of frames, 1 … 10,000,000; with fewer than 3 there are no stances.
/// @param frame_time_s  seconds per frame, above 0.
/// @param up            normal of the ground, any length but zero.
/// @param rule          see SinewContactRule; may be NULL: the defaults.
/// @param out_ranges    room for `capacity` stances; may be NULL when capacity is 0.
/// @param capacity      number of stances there is room for.
/// @param out_count     written, also on SINEW_ERROR_BUFFER_TOO_SMALL: number of stances.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: nothing but out_count is written;
///         SINEW_ERROR_INVALID_ARGUMENT: frame_count, frame_time_s, up, or a number of the rule.
pub unsafe extern "C" fn sinew_contacts_from_clip(
    track: *const SinewVec3,
    frame_count: u32,
    frame_time_s: f32,
    up: Option<&SinewVec3>,
    rule: *const SinewContactRule,
    out_ranges: *mut SinewFrameRange,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_contacts_from_clip", || {
        let out_count = out_ref(out_count, "out_count")?;
        let frame_time_s = read::above_zero("frame_time_s", frame_time_s)?;
        let up = read::direction("up", in_ref(up, "up")?)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let rule = if rule.is_null() { ContactRule::default() } else { unsafe { checked::rule(rule) }? };
        let count = read::within("frame_count", frame_count, 1, MAX_POINTS)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let _room = rooms::TRACK.room(count as usize)?;
        // SAFETY: as above.
        let track = unsafe { points("track", track, count) }?;
        let found = contacts_from_clip(&track, frame_time_s, up, &rule);
        if found.len() > capacity as usize {
            *out_count = found.len() as u32;
            return Err(Failure::new(
                SinewResult::SinewErrorBufferTooSmall,
                format_args!("capacity is {capacity}, there are {} stances", found.len()),
            ));
        }
        if !found.is_empty() {
            // SAFETY: required of the caller of the C function; see `read`.
            let out = unsafe { read::array_mut("out_ranges", out_ranges, found.len()) }?;
            for (out, range) in out.iter_mut().zip(&found) {
                *out = SinewFrameRange { start: range.start as u32, end: range.end as u32 };
            }
        }
        *out_count = found.len() as u32;
        Ok(())
    })
}

/// A copy of checked points.
///
/// # Safety
/// As for `read::array`.
unsafe fn points(name: &str, pointer: *const SinewVec3, count: u32) -> Result<Vec<Vec3>, Failure> {
    // SAFETY: as above.
    let given = unsafe { read::array(name, pointer, count as usize) }?;
    // A list whose elements may fail grows by doubling.
    let mut points = Vec::with_capacity(given.len());
    for (i, point) in given.iter().enumerate() {
        points.push(read::vec3(format_args!("{name}[{i}]"), point)?);
    }
    Ok(points)
}
