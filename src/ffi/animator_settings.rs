//! What an animator does beyond Unity's: help from the body, and switches that take their time.

use super::accessors::accessors;
use super::guard::{Failure, guard, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewHumanoidSettings, SinewIkGoalArg};
use super::{read, registry, rooms};
use crate::humanoid::HumanoidSettings;

pub(super) fn write(settings: &HumanoidSettings) -> SinewHumanoidSettings {
    SinewHumanoidSettings {
        struct_size: size_of::<SinewHumanoidSettings>() as u32,
        shoulder_weights: settings.shoulder_weights,
        spine_weight: settings.spine_weight,
        pull_weights: settings.pull_weights,
        inertialization_times_s: settings.inertialization_times_s,
        limits_enabled: settings.limits_enabled as u32,
        bend_weight: settings.bend_weight,
        look_at_inertialization_time_s: settings.look_at_inertialization_time_s,
        trunk_avoidance: settings.trunk_avoidance,
    }
}
/// Sizes of earlier settings: without `look_at_inertialization_time_s`, `trunk_avoidance`.
pub(super) const OLDER_SIZES: [usize; 2] = [
    core::mem::offset_of!(SinewHumanoidSettings, look_at_inertialization_time_s),
    core::mem::offset_of!(SinewHumanoidSettings, trunk_avoidance),
];

/// Fills settings with defaults: everything off.
///
/// @param out_settings  the settings.
pub extern "C" fn sinew_humanoid_settings_default(out_settings: Option<&mut SinewHumanoidSettings>) -> SinewResult {
    guard("sinew_humanoid_settings_default", || {
        *out_ref(out_settings, "out_settings")? = write(&HumanoidSettings::default());
        Ok(())
    })
}

/// Sets how the body compensates for hands and feet, and how long switches take.
/// sinew_animator_reset_ik keeps it. Weights are clamped to 0 … 1, times to 1e6 s; times below a
/// microsecond count as 0. Allocates when a switch time or limits_enabled changes; a goal that
/// loses its switch time frees memory.
///
/// @param settings  see SinewHumanoidSettings.
/// @return SINEW_ERROR_INVALID_ARGUMENT: limits_enabled.
pub unsafe extern "C" fn sinew_animator_set_settings(
    animator: SinewAnimator,
    settings: *const SinewHumanoidSettings,
) -> SinewResult {
    guard("sinew_animator_set_settings", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::sized("settings", settings, &OLDER_SIZES, write(&HumanoidSettings::default())) }?;
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
            look_at_inertialization_time_s: read::weight(
                "settings.look_at_inertialization_time_s",
                given.look_at_inertialization_time_s,
            )?,
            limits_enabled: given.limits_enabled != 0,
            bend_weight: read::weight("settings.bend_weight", given.bend_weight)?,
            trunk_avoidance: read::weight("settings.trunk_avoidance", given.trunk_avoidance)?,
        };
        registry::with_animator(animator, |character| {
            // Only these take memory; the others may change in every frame.
            let takes_memory = |old: &HumanoidSettings| {
                old.inertialization_times_s != settings.inertialization_times_s
                    || old.look_at_inertialization_time_s != settings.look_at_inertialization_time_s
                    || old.limits_enabled != settings.limits_enabled
            };
            let _room = match character.animator.settings() {
                Ok(old) if takes_memory(old) => Some(rooms::SETTINGS.room(character.buffer().len())?),
                _ => None,
            };
            Ok(character.animator.set_settings(&settings)?)
        })
    })
}

/// Returns the settings, clamped.
///
/// @param out_settings  the settings.
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

/// Advances the time of everything that lasts between frames. Call it once per frame, before
/// sinew_animator_solve. It is the time of switches, and of the whole-body solver in the mode
/// SINEW_BODY_SOLVER_MODE_TRACK, which needs the call in every frame. No effect while neither a
/// goal nor a constraint has a switch time and the solver is not in that mode.
///
/// @param dt_s  seconds since the last call; values below 0 count as 0.
pub extern "C" fn sinew_animator_advance(animator: SinewAnimator, dt_s: f32) -> SinewResult {
    guard("sinew_animator_advance", || {
        let dt_s = read::weight("dt_s", dt_s)?;
        registry::with_animator(animator, |character| {
            character.animator.advance(dt_s);
            Ok(())
        })
    })
}

accessors! {
    /// Starts a switch to another goal: what is set for the goal from now on replaces
    /// the old goal within its switch time. A changed weight starts a switch without this
    /// call. No effect while the goal has no switch time.
    ///
    /// @param goal  a SinewIkGoal.
    set sinew_animator_inertialize(goal: SinewIkGoalArg => goal) = inertialize;

    /// Reports whether a switch is under way. The hand or foot is then not yet where
    /// sinew_animator_get_ik_outcome returns.
    ///
    /// @param goal                  a SinewIkGoal.
    /// @param out_is_inertializing  1 or 0.
    get sinew_animator_get_is_inertializing(goal: SinewIkGoalArg => goal)
        -> out_is_inertializing: Option<&mut u32> = is_inertializing;

    /// Starts a switch of the look-at: the position set from now on is another target, and the
    /// gaze goes there within `look_at_inertialization_time_s` of SinewHumanoidSettings, past the
    /// front where both are behind. Changed weights, and a position after none, need no such call.
    /// No effect without a switch time.
    set sinew_animator_inertialize_look_at() = inertialize_look_at;

    /// Reports whether a switch of the look-at is under way. Its outcome is measured from the
    /// target and weights of that moment.
    ///
    /// @param out_is_inertializing  1 or 0.
    get sinew_animator_get_is_look_at_inertializing()
        -> out_is_inertializing: Option<&mut u32> = is_inertializing_look_at;
}
