//! The whole-body solver of a humanoid animator.

use super::body_read::outcome_out;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::SinewAnimator;
use super::reserve::Room;
use super::result::SinewResult;
use super::types::{
    SINEW_BODY_EFFECTOR_INPUT_POSITION, SINEW_BODY_EFFECTOR_INPUT_ROTATION, SINEW_BODY_MAX_LEVEL,
    SinewBodyEffectorInput, SinewBodyOutcome, SinewBodySolverMode, SinewBodySolverSettings, SinewGoalPriority,
    SinewHumanEffector, SinewHumanEffectorArg, SinewIkGoalArg, SinewOutcome,
};
use super::{read, registry, rooms};
use crate::humanoid::{BodyEffector, BodySolverMode, BodySolverSettings, GoalPriority, IkGoalInput};
use crate::math::{Quat, Vec3};
use crate::world::Character;

pub(super) fn settings_out(settings: &BodySolverSettings) -> SinewBodySolverSettings {
    let mode = match settings.mode {
        BodySolverMode::Off => SinewBodySolverMode::Off,
        BodySolverMode::Converge => SinewBodySolverMode::Converge,
        BodySolverMode::Track => SinewBodySolverMode::Track,
    };
    SinewBodySolverSettings {
        struct_size: size_of::<SinewBodySolverSettings>() as u32,
        mode: mode as i32,
        holds_feet: u32::from(settings.holds_feet),
        balance_weight: settings.balance_weight,
        hips_stiffness: settings.hips_stiffness,
        spine_stiffness: settings.spine_stiffness,
        shoulder_stiffness: settings.shoulder_stiffness,
    }
}

pub(super) fn effector_out(input: &IkGoalInput) -> SinewBodyEffectorInput {
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    SinewBodyEffectorInput {
        set: flag(input.position.is_some(), SINEW_BODY_EFFECTOR_INPUT_POSITION)
            | flag(input.rotation.is_some(), SINEW_BODY_EFFECTOR_INPUT_ROTATION),
        position: input.position.unwrap_or(Vec3::ZERO).into(),
        rotation: input.rotation.unwrap_or(Quat::IDENTITY).into(),
        position_weight: input.position_weight,
        rotation_weight: input.rotation_weight,
    }
}

pub(super) fn priority_out(priority: &GoalPriority) -> SinewGoalPriority {
    SinewGoalPriority {
        position_importance: priority.position_importance,
        rotation_importance: priority.rotation_importance,
        level: u32::from(priority.level),
    }
}

fn priority_in(priority: Option<&SinewGoalPriority>) -> Result<GoalPriority, Failure> {
    let given = in_ref(priority, "priority")?;
    let importance = |name, value| read::between(name, value, 1e-6, 1e6);
    Ok(GoalPriority {
        position_importance: importance("priority.position_importance", given.position_importance)?,
        rotation_importance: importance("priority.rotation_importance", given.rotation_importance)?,
        level: read::within("priority.level", given.level, 0, SINEW_BODY_MAX_LEVEL)? as u8,
    })
}

fn effector_of(raw: SinewHumanEffectorArg) -> Result<BodyEffector, Failure> {
    Ok(BodyEffector::ALL[read::decode::<SinewHumanEffector>("effector", raw)? as usize])
}

/// Fills settings of the whole-body solver with their size and defaults: off.
///
/// @param out_settings  the settings.
pub extern "C" fn sinew_body_solver_settings_default(
    out_settings: Option<&mut SinewBodySolverSettings>,
) -> SinewResult {
    guard("sinew_body_solver_settings_default", || {
        *out_ref(out_settings, "out_settings")? = settings_out(&BodySolverSettings::default());
        Ok(())
    })
}

/// Sets the whole-body solver of an animator: off (default) or on, and how.
/// While it is on, goals of hands and feet, hints, look-at, body position and
/// rotation and effectors are met by the whole body at once, in the step
/// SINEW_FRAME_STEP_BODY. While it is off, every frame has the same bits as
/// without it. sinew_animator_reset_ik keeps it. Allocates.
///
/// @param settings  see SinewBodySolverSettings; weights are clamped to 0 … 1.
/// @return SINEW_ERROR_INVALID_ENUM: mode; SINEW_ERROR_INVALID_ARGUMENT: holds_feet.
pub unsafe extern "C" fn sinew_animator_set_body_solver(
    animator: SinewAnimator,
    settings: *const SinewBodySolverSettings,
) -> SinewResult {
    guard("sinew_animator_set_body_solver", || {
        // SAFETY: what the C function requires of its caller; see `read`.
        let given = unsafe { read::sized("settings", settings, &[], settings_out(&BodySolverSettings::default())) }?;
        let mode = match read::decode("settings.mode", given.mode)? {
            SinewBodySolverMode::Off => BodySolverMode::Off,
            SinewBodySolverMode::Converge => BodySolverMode::Converge,
            SinewBodySolverMode::Track => BodySolverMode::Track,
        };
        let settings = BodySolverSettings {
            mode,
            holds_feet: read::within("settings.holds_feet", given.holds_feet, 0, 1)? == 1,
            balance_weight: read::weight("settings.balance_weight", given.balance_weight)?,
            hips_stiffness: read::weight("settings.hips_stiffness", given.hips_stiffness)?,
            spine_stiffness: read::weight("settings.spine_stiffness", given.spine_stiffness)?,
            shoulder_stiffness: read::weight("settings.shoulder_stiffness", given.shoulder_stiffness)?,
        };
        registry::with_animator(animator, |character| {
            let _room = rooms::BODY_SOLVER.room(character.buffer().len())?;
            Ok(character.animator.set_body_solver(&settings)?)
        })
    })
}

/// Returns the settings of the whole-body solver, clamped.
///
/// @param out_settings  the settings.
pub extern "C" fn sinew_animator_get_body_solver(
    animator: SinewAnimator,
    out_settings: Option<&mut SinewBodySolverSettings>,
) -> SinewResult {
    guard("sinew_animator_get_body_solver", || {
        let out = out_ref(out_settings, "out_settings")?;
        registry::with_animator(animator, |character| {
            *out = settings_out(character.animator.body_solver()?);
            Ok(())
        })
    })
}

/// Sets the goal of an effector of the whole-body solver. No effect while the
/// solver is off, or for a bone that the rig does not have. Stays until changed or
/// cleared with sinew_animator_reset_ik.
///
/// @param effector  a SinewHumanEffector.
/// @param input     see SinewBodyEffectorInput.
/// @return SINEW_ERROR_INVALID_ARGUMENT: unknown bits in `set`.
pub extern "C" fn sinew_animator_set_body_effector(
    animator: SinewAnimator,
    effector: SinewHumanEffectorArg,
    input: Option<&SinewBodyEffectorInput>,
) -> SinewResult {
    guard("sinew_animator_set_body_effector", || {
        let given = in_ref(input, "input")?;
        let effector = effector_of(effector)?;
        read::flags("input.set", given.set, SINEW_BODY_EFFECTOR_INPUT_POSITION | SINEW_BODY_EFFECTOR_INPUT_ROTATION)?;
        let mut input = IkGoalInput {
            position_weight: read::weight("input.position_weight", given.position_weight)?,
            rotation_weight: read::weight("input.rotation_weight", given.rotation_weight)?,
            ..IkGoalInput::default()
        };
        if given.set & SINEW_BODY_EFFECTOR_INPUT_POSITION != 0 {
            input.position = Some(read::vec3("input.position", &given.position)?);
        }
        if given.set & SINEW_BODY_EFFECTOR_INPUT_ROTATION != 0 {
            input.rotation = Some(read::quat("input.rotation", &given.rotation)?);
        }
        registry::with_animator(animator, |character| Ok(character.animator.set_body_effector(effector, &input)?))
    })
}

/// Returns the goal of an effector as set.
///
/// @param effector   a SinewHumanEffector.
/// @param out_input  the goal; what is not flagged is zero, a rotation the identity.
pub extern "C" fn sinew_animator_get_body_effector(
    animator: SinewAnimator,
    effector: SinewHumanEffectorArg,
    out_input: Option<&mut SinewBodyEffectorInput>,
) -> SinewResult {
    guard("sinew_animator_get_body_effector", || {
        let out = out_ref(out_input, "out_input")?;
        let effector = effector_of(effector)?;
        registry::with_animator(animator, |character| {
            *out = effector_out(character.animator.body_effector(effector)?);
            Ok(())
        })
    })
}

/// Sets how much the goal of a hand or foot counts where the whole-body solver cannot meet all
/// goals: a ratio and a level, which a held foot has, too. No effect while the solver is off. Stays
/// until changed or cleared with sinew_animator_reset_ik. Allocates the first time, and where it
/// changes a level while the solver is on.
///
/// @param goal      a SinewIkGoal.
/// @param priority  see SinewGoalPriority.
/// @return SINEW_ERROR_INVALID_ARGUMENT: an importance or a level out of range.
pub extern "C" fn sinew_animator_set_ik_goal_priority(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    priority: Option<&SinewGoalPriority>,
) -> SinewResult {
    guard("sinew_animator_set_ik_goal_priority", || {
        let goal = read::goal(goal)?;
        let priority = priority_in(priority)?;
        registry::with_animator(animator, |character| {
            let _room = room_for_levels(character)?;
            Ok(character.animator.set_ik_goal_priority(goal, &priority)?)
        })
    })
}

/// Returns how much the goal of a hand or foot counts.
///
/// @param goal          a SinewIkGoal.
/// @param out_priority  as set, or the default.
pub extern "C" fn sinew_animator_get_ik_goal_priority(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_priority: Option<&mut SinewGoalPriority>,
) -> SinewResult {
    guard("sinew_animator_get_ik_goal_priority", || {
        let out = out_ref(out_priority, "out_priority")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = priority_out(&character.animator.ik_goal_priority(goal)?);
            Ok(())
        })
    })
}

/// Sets how much the goal of an effector counts where the whole-body solver cannot meet all goals;
/// see sinew_animator_set_ik_goal_priority.
///
/// @param effector  a SinewHumanEffector.
/// @param priority  see SinewGoalPriority.
/// @return SINEW_ERROR_INVALID_ARGUMENT: an importance or a level out of range.
pub extern "C" fn sinew_animator_set_body_effector_priority(
    animator: SinewAnimator,
    effector: SinewHumanEffectorArg,
    priority: Option<&SinewGoalPriority>,
) -> SinewResult {
    guard("sinew_animator_set_body_effector_priority", || {
        let effector = effector_of(effector)?;
        let priority = priority_in(priority)?;
        registry::with_animator(animator, |character| {
            let _room = room_for_levels(character)?;
            Ok(character.animator.set_body_effector_priority(effector, &priority)?)
        })
    })
}

/// Returns how much the goal of an effector counts.
///
/// @param effector      a SinewHumanEffector.
/// @param out_priority  as set, or the default.
pub extern "C" fn sinew_animator_get_body_effector_priority(
    animator: SinewAnimator,
    effector: SinewHumanEffectorArg,
    out_priority: Option<&mut SinewGoalPriority>,
) -> SinewResult {
    guard("sinew_animator_get_body_effector_priority", || {
        let out = out_ref(out_priority, "out_priority")?;
        let effector = effector_of(effector)?;
        registry::with_animator(animator, |character| {
            *out = priority_out(&character.animator.body_effector_priority(effector)?);
            Ok(())
        })
    })
}

/// Memory for the priorities of an animator that has none yet, and for the tasks of its whole-body
/// solver.
fn room_for_levels(character: &Character) -> Result<Option<Room>, Failure> {
    let is_solver_on = character.animator.body_solver().is_ok_and(|settings| settings.mode != BodySolverMode::Off);
    let need = match (is_solver_on, character.animator.needs_memory_for_priorities()) {
        (true, _) => rooms::BODY_SOLVER,
        (false, true) => rooms::SMALL,
        (false, false) => return Ok(None),
    };
    need.room(character.buffer().len()).map(Some)
}

/// Returns how the whole-body solver ended in the last solve, all goals together.
///
/// @param out_outcome  inactive while it is off or has no goals; metres of model space.
pub extern "C" fn sinew_animator_get_body_outcome(
    animator: SinewAnimator,
    out_outcome: Option<&mut SinewBodyOutcome>,
) -> SinewResult {
    guard("sinew_animator_get_body_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        registry::with_animator(animator, |character| {
            *out = outcome_out(&character.animator.body_outcome()?);
            Ok(())
        })
    })
}

/// Returns how an effector ended in the last solve.
///
/// @param effector     a SinewHumanEffector.
/// @param out_outcome  inactive while the solver is off or both weights are 0.
pub extern "C" fn sinew_animator_get_body_effector_outcome(
    animator: SinewAnimator,
    effector: SinewHumanEffectorArg,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_animator_get_body_effector_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        let effector = effector_of(effector)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.body_effector_outcome(effector)?.into();
            Ok(())
        })
    })
}
