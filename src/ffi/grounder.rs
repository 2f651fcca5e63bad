//! Grounders: made, set up, destroyed, remembered.

use super::grounder_read as checked;
use super::guard::{Failure, guard, in_ref, optional_in, out_ref};
use super::ids::SinewGrounder;
use super::result::SinewResult;
use super::types::{SinewFootModel, SinewGrounderSettings, SinewVec3};
use super::{read, registry, rooms};
use crate::grounding::{FootModel, Grounder, GrounderSettings};

/// Most legs of a character.
const MAX_LEGS: u32 = 1000;

/// Fills settings with their size and defaults.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_grounder_settings_default(out_settings: Option<&mut SinewGrounderSettings>) -> SinewResult {
    guard("sinew_grounder_settings_default", || {
        *out_ref(out_settings, "out_settings")? = checked::settings_out(&GrounderSettings::default());
        Ok(())
    })
}

/// Fills a foot model with its size and defaults.
///
/// @param out_foot  the foot model, struct_size included.
pub extern "C" fn sinew_foot_model_default(out_foot: Option<&mut SinewFootModel>) -> SinewResult {
    guard("sinew_foot_model_default", || {
        *out_ref(out_foot, "out_foot")? = checked::foot_out(&FootModel::default());
        Ok(())
    })
}

/// Computes a foot model from joints of a pose that stands on flat ground.
///
/// @param ankle     ankle joint, metres, any space.
/// @param ball      root of the toes; may be NULL: a leg without a foot.
/// @param toe_tip   tip of the toes; may be NULL when there is none.
/// @param ground    any point of the ground.
/// @param up        normal of the ground, any length but zero.
/// @param out_foot  the foot model, struct_size included.
/// @return SINEW_ERROR_INVALID_ARGUMENT: up has no length.
pub extern "C" fn sinew_foot_model_from_rest(
    ankle: Option<&SinewVec3>,
    ball: Option<&SinewVec3>,
    toe_tip: Option<&SinewVec3>,
    ground: Option<&SinewVec3>,
    up: Option<&SinewVec3>,
    out_foot: Option<&mut SinewFootModel>,
) -> SinewResult {
    guard("sinew_foot_model_from_rest", || {
        let ball = optional_in(ball, "ball")?;
        let toe_tip = optional_in(toe_tip, "toe_tip")?;
        let out = out_ref(out_foot, "out_foot")?;
        let ankle = read::vec3("ankle", in_ref(ankle, "ankle")?)?;
        let ball = ball.map(|p| read::vec3("ball", p)).transpose()?;
        let toe_tip = toe_tip.map(|p| read::vec3("toe_tip", p)).transpose()?;
        let ground = read::vec3("ground", in_ref(ground, "ground")?)?;
        let up = read::direction("up", in_ref(up, "up")?)?;
        *out = checked::measured_foot(&FootModel::from_rest(ankle, ball, toe_tip, ground, up))?;
        Ok(())
    })
}

/// Creates a grounder: feet on the ground for one character with any number of legs. It belongs
/// to no animator; the host carries poses to it and results away.
///
/// @param feet          one model per leg.
/// @param count         number of legs, 1 to 1000.
/// @param settings      see SinewGrounderSettings; may be NULL: the defaults.
/// @param out_grounder  the grounder.
/// @return SINEW_ERROR_INVALID_ARGUMENT: count, or a setting or length out of its range.
pub unsafe extern "C" fn sinew_grounder_create(
    feet: *const SinewFootModel,
    count: u32,
    settings: *const SinewGrounderSettings,
    out_grounder: Option<&mut SinewGrounder>,
) -> SinewResult {
    guard("sinew_grounder_create", || {
        let out = out_ref(out_grounder, "out_grounder")?;
        let count = read::within("count", count, 1, MAX_LEGS)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("feet", feet, count as usize) }?;
        let _room = rooms::GROUNDER.room(given.len())?;
        let mut models = Vec::with_capacity(given.len());
        for (i, foot) in given.iter().enumerate() {
            models.push(checked::foot(format_args!("feet[{i}]"), foot)?);
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let settings =
            if settings.is_null() { GrounderSettings::default() } else { unsafe { checked::settings(settings) }? };
        *out = registry::insert_grounder(registry::HostGrounder::new(Grounder::new(&models, settings)))?;
        Ok(())
    })
}

/// Destroys a grounder.
///
/// @return SINEW_ERROR_BUSY: another thread is using it; nothing was done.
pub extern "C" fn sinew_grounder_destroy(grounder: SinewGrounder) -> SinewResult {
    guard("sinew_grounder_destroy", || registry::remove_grounder(grounder))
}

/// Reports whether a handle is a living grounder.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_grounder_is_valid(grounder: SinewGrounder, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_grounder_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::grounder_is_valid(grounder) as u32;
        Ok(())
    })
}

/// Returns the number of legs.
///
/// @param out_count  number of legs.
pub extern "C" fn sinew_grounder_get_leg_count(grounder: SinewGrounder, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_grounder_get_leg_count", || {
        let out = out_ref(out_count, "out_count")?;
        registry::with_grounder(grounder, |host| {
            *out = host.grounder.leg_count() as u32;
            Ok(())
        })
    })
}

/// Sets the settings; locks and all else that lasts stay. Another scale counts from the next frame
/// that begins, and what lasts is converted to it.
///
/// @param settings  see SinewGrounderSettings.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a setting out of its range.
pub unsafe extern "C" fn sinew_grounder_set_settings(
    grounder: SinewGrounder,
    settings: *const SinewGrounderSettings,
) -> SinewResult {
    guard("sinew_grounder_set_settings", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let settings = unsafe { checked::settings(settings) }?;
        registry::with_grounder(grounder, |host| {
            host.grounder.set_settings(settings);
            Ok(())
        })
    })
}

/// Returns the settings.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_grounder_get_settings(
    grounder: SinewGrounder,
    out_settings: Option<&mut SinewGrounderSettings>,
) -> SinewResult {
    guard("sinew_grounder_get_settings", || {
        let out = out_ref(out_settings, "out_settings")?;
        registry::with_grounder(grounder, |host| {
            *out = checked::settings_out(host.grounder.settings());
            Ok(())
        })
    })
}

/// Sets the foot model of a leg: other shoes, or bare feet.
///
/// @param leg   index of the leg.
/// @param foot  see SinewFootModel.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a length out of its range; SINEW_ERROR_OUT_OF_RANGE:
///         leg.
pub extern "C" fn sinew_grounder_set_foot(
    grounder: SinewGrounder,
    leg: u32,
    foot: Option<&SinewFootModel>,
) -> SinewResult {
    guard("sinew_grounder_set_foot", || {
        let foot = checked::foot("foot", in_ref(foot, "foot")?)?;
        registry::with_grounder(grounder, |host| {
            let legs = host.grounder.leg_count();
            if host.grounder.set_foot(leg as usize, foot) { Ok(()) } else { Err(no_leg(leg, legs)) }
        })
    })
}

/// Returns the foot model of a leg.
///
/// @param leg       index of the leg.
/// @param out_foot  the foot model, struct_size included.
/// @return SINEW_ERROR_OUT_OF_RANGE: leg.
pub extern "C" fn sinew_grounder_get_foot(
    grounder: SinewGrounder,
    leg: u32,
    out_foot: Option<&mut SinewFootModel>,
) -> SinewResult {
    guard("sinew_grounder_get_foot", || {
        let out = out_ref(out_foot, "out_foot")?;
        registry::with_grounder(grounder, |host| match host.grounder.foot(leg as usize) {
            Some(foot) => {
                *out = checked::foot_out(foot);
                Ok(())
            }
            None => Err(no_leg(leg, host.grounder.leg_count())),
        })
    })
}

fn no_leg(leg: u32, legs: usize) -> Failure {
    Failure::new(SinewResult::SinewErrorOutOfRange, format_args!("leg is {leg}, the grounder has {legs}"))
}

/// Resets all that lasts between frames: after a teleport or a cut. The next frame starts as the
/// first.
pub extern "C" fn sinew_grounder_reset(grounder: SinewGrounder) -> SinewResult {
    guard("sinew_grounder_reset", || {
        registry::with_grounder(grounder, |host| {
            host.grounder.reset();
            Ok(())
        })
    })
}

/// Returns the size of a snapshot. It depends on the number of legs, on whether feet step by
/// themselves (sinew_grounder_set_stepping) and on the library's version only.
///
/// @param out_size  bytes.
pub extern "C" fn sinew_grounder_get_snapshot_size(grounder: SinewGrounder, out_size: Option<&mut u32>) -> SinewResult {
    guard("sinew_grounder_get_snapshot_size", || {
        let out = out_ref(out_size, "out_size")?;
        registry::with_grounder(grounder, |host| {
            *out = host.grounder.snapshot_size() as u32;
            Ok(())
        })
    })
}

/// Writes all that lasts between frames, in a frame that of before it. Set in any grounder with as
/// many legs and the same stepping, the frames that follow are the same bits; in one of another
/// scale it is converted.
///
/// @param out_bytes  room for `size` bytes.
/// @param size       must be that of sinew_grounder_get_snapshot_size.
/// @return SINEW_ERROR_LENGTH_MISMATCH: size.
pub unsafe extern "C" fn sinew_grounder_get_snapshot(
    grounder: SinewGrounder,
    out_bytes: *mut u8,
    size: u32,
) -> SinewResult {
    guard("sinew_grounder_get_snapshot", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_bytes", out_bytes, size.max(1) as usize) }?;
        registry::with_grounder(grounder, |host| {
            let needed = host.grounder.snapshot_size();
            if host.grounder.snapshot(&mut out[..size as usize]) { Ok(()) } else { Err(wrong_size(size, needed)) }
        })
    })
}

/// Sets all that lasts between frames from a snapshot. A frame under way is forgotten.
///
/// @param bytes  as sinew_grounder_get_snapshot of this version of the library wrote them.
/// @param size   must be that of sinew_grounder_get_snapshot_size.
/// @return SINEW_ERROR_LENGTH_MISMATCH: size; SINEW_ERROR_NOT_FINITE: also a number beyond 1e9, or
///         bytes without a scale.
pub unsafe extern "C" fn sinew_grounder_set_snapshot(
    grounder: SinewGrounder,
    bytes: *const u8,
    size: u32,
) -> SinewResult {
    guard("sinew_grounder_set_snapshot", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::array("bytes", bytes, size.max(1) as usize) }?;
        registry::with_grounder(grounder, |host| {
            let needed = host.grounder.snapshot_size();
            if size as usize != needed {
                return Err(wrong_size(size, needed));
            }
            if host.grounder.restore(&given[..size as usize]) {
                return Ok(());
            }
            let message = "bytes hold a number that is not finite or beyond 1e9, or no scale";
            Err(Failure::new(SinewResult::SinewErrorNotFinite, message))
        })
    })
}

fn wrong_size(size: u32, needed: usize) -> Failure {
    Failure::new(SinewResult::SinewErrorLengthMismatch, format_args!("size is {size}, a snapshot has {needed}"))
}
