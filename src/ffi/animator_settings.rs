//! What an animator does beyond Unity's: help from the body, and switches that take their time.

use super::guard::{Failure, guard, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::SinewIkGoalArg;
use super::{read, registry};
use crate::humanoid::HumanoidSettings;
use safer_ffi::prelude::*;

/// What a character does beyond Unity's Animator, all of it off by default. Fill with sinew_humanoid_settings_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanoidSettings {
    /// Size of this struct in bytes, set by sinew_humanoid_settings_default.
    pub struct_size: u32,
    /// Left, right: how far the clavicle turns towards a far hand goal, 0 (not at all, default) … 1 (as far as people's do:
    /// 30° up, 15° down, forward and back). It begins at 70 % of the arm's reach.
    pub shoulder_weights: [f32; 2],
    /// How far the spine bends towards hand goals out of reach, 0 (default) … 1 (until they are reached, at most 60° in all).
    pub spine_weight: f32,
    /// In SinewIkGoal order: how much of a goal's distance beyond reach the hips give way to, 0 (default) … 1 (all of it, as
    /// far as feet with goals let them go).
    pub pull_weights: [f32; 4],
    /// In SinewIkGoal order: seconds in which a limb goes over to a new weight or goal until 1 % of the jump is left, 0 or
    /// more; 0 (default): at once. Time passes with sinew_animator_advance.
    pub inertialization_times_s: [f32; 4],
    /// 1: arms and legs keep to people's joint limits where goals move them (docs/animator.md); 0 (default): they do not, as in Unity.
    pub limits_enabled: u32,
}

fn write(settings: &HumanoidSettings) -> SinewHumanoidSettings {
    SinewHumanoidSettings {
        struct_size: size_of::<SinewHumanoidSettings>() as u32,
        shoulder_weights: settings.shoulder_weights,
        spine_weight: settings.spine_weight,
        pull_weights: settings.pull_weights,
        inertialization_times_s: settings.inertialization_times_s,
        limits_enabled: settings.limits_enabled as u32,
    }
}

/// Fills settings with their size and defaults: everything off.
///
/// @param out_settings  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_humanoid_settings_default(out_settings: Option<&mut SinewHumanoidSettings>) -> SinewResult {
    guard("sinew_humanoid_settings_default", || {
        *out_ref(out_settings, "out_settings")? = write(&HumanoidSettings::default());
        Ok(())
    })
}

/// Sets how the body helps hands and feet, and how long switches take. Stays until changed; sinew_animator_reset_ik leaves it.
/// Weights outside 0 … 1 are limited to that range, times below a microsecond count as 0. At set-up: a goal that gets a switch
/// time allocates, one that loses it frees.
///
/// @param settings  see SinewHumanoidSettings; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _INVALID_HANDLE, _INVALID_ARGUMENT (limits_enabled), _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_settings(
    animator: SinewAnimator,
    settings: *const SinewHumanoidSettings,
) -> SinewResult {
    guard("sinew_animator_set_settings", || {
        let given = read::sized("settings", settings, &[], write(&HumanoidSettings::default()))?;
        if given.limits_enabled > 1 {
            return Err(Failure::argument(format_args!(
                "settings.limits_enabled is {}, not 0 or 1",
                given.limits_enabled
            )));
        }
        let weights = |name: &str, values: &[f32]| -> Result<(), Failure> {
            for (i, value) in values.iter().enumerate() {
                read::weight(format_args!("settings.{name}[{i}]"), *value)?;
            }
            Ok(())
        };
        weights("shoulder_weights", &given.shoulder_weights)?;
        weights("pull_weights", &given.pull_weights)?;
        weights("inertialization_times_s", &given.inertialization_times_s)?;
        let settings = HumanoidSettings {
            shoulder_weights: given.shoulder_weights,
            spine_weight: read::weight("settings.spine_weight", given.spine_weight)?,
            pull_weights: given.pull_weights,
            inertialization_times_s: given.inertialization_times_s,
            limits_enabled: given.limits_enabled != 0,
        };
        registry::with_animator(animator, |character| Ok(character.animator.set_settings(&settings)?))
    })
}

/// Gives the settings as they are, weights and times limited to their ranges.
///
/// @param out_settings  written on success, struct_size included; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_settings(
    animator: SinewAnimator,
    out_settings: Option<&mut SinewHumanoidSettings>,
) -> SinewResult {
    guard("sinew_animator_get_settings", || {
        let out = out_ref(out_settings, "out_settings")?;
        registry::with_animator(animator, |character| {
            *out = write(character.animator.settings()?);
            Ok(())
        })
    })
}

/// Lets time pass for everything of an animator that lasts between frames: once a frame, before
/// sinew_animator_solve. Today that is inertialization; nothing happens while no goal has a switch time,
/// and without an avatar.
///
/// @param dt_s  seconds since the last call; 0 and less count as none.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_advance(animator: SinewAnimator, dt_s: f32) -> SinewResult {
    guard("sinew_animator_advance", || {
        let dt_s = read::weight("dt_s", dt_s)?;
        registry::with_animator(animator, |character| {
            character.animator.advance(dt_s);
            Ok(())
        })
    })
}

/// Says that what is set for a goal from now on is another goal than before, so that the limb goes there in its switch time. A
/// changed weight needs no such call. Nothing happens while the goal has no switch time.
///
/// @param goal  a SinewIkGoal.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_inertialize(animator: SinewAnimator, goal: SinewIkGoalArg) -> SinewResult {
    guard("sinew_animator_inertialize", || {
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| Ok(character.animator.inertialize(goal)?))
    })
}

/// Tells whether a switch of a goal is under way: the hand or foot is then not yet where sinew_animator_get_ik_outcome says.
///
/// @param goal              a SinewIkGoal.
/// @param out_is_inertializing  written on success: 1 or 0; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_is_inertializing(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_is_inertializing: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_is_inertializing", || {
        let out = out_ref(out_is_inertializing, "out_is_inertializing")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.is_inertializing(goal)? as u32;
            Ok(())
        })
    })
}
