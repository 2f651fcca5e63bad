//! Legs of a person for a grounder, and what the grounder has found as goals of the animator.

use super::grounder_read as checked;
use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewGrounder};
use super::result::SinewResult;
use super::types::{SinewFootModel, SinewGrounderFrame, SinewGrounderLeg};
use super::{read, registry, rooms};
use crate::grounding::GrounderFrame;

/// Legs of a person.
const LEGS: u32 = 2;

fn check_legs(leg_count: u32) -> Result<(), Failure> {
    if leg_count == LEGS {
        return Ok(());
    }
    Err(Failure::new(SinewResult::SinewErrorLengthMismatch, format_args!("leg_count is {leg_count}, not {LEGS}")))
}

/// Returns models of the left and the right foot, for sinew_grounder_create: measured on the
/// avatar's T-pose, in metres of the world (the root's scale counts). Soles are as far below the
/// ankles as sinew_avatar_get_goal_constants returns, toes reach 0.55 of the way from ankle to toe
/// joint beyond it, heels 0.3 behind the ankle. A foot without toe bone has one contact point.
///
/// @param out_feet   the left and the right foot, struct_size included.
/// @param leg_count  2.
/// @return SINEW_ERROR_LENGTH_MISMATCH: leg_count; SINEW_ERROR_NOT_HUMANOID.
pub unsafe extern "C" fn sinew_animator_get_foot_models(
    animator: SinewAnimator,
    out_feet: *mut SinewFootModel,
    leg_count: u32,
) -> SinewResult {
    guard("sinew_animator_get_foot_models", || {
        check_legs(leg_count)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_feet", out_feet, LEGS as usize) }?;
        registry::with_animator(animator, |character| {
            let [left, right] = character.animator.foot_models()?;
            let feet = [checked::measured_foot(&left)?, checked::measured_foot(&right)?];
            out.copy_from_slice(&feet);
            Ok(())
        })
    })
}

/// Returns what sinew_grounder_begin takes, of the animation: call it after the pose was written
/// and before the solve. Reads the pose buffer.
///
/// @param out_frame  root, rotation, up and pelvis, world space; time and ground contact are the
///                   defaults of sinew_grounder_frame_default: set `dt_s` after this call.
/// @param out_legs   the left and the right leg, world space; weights are 1, contacts automatic, no
///                   landings are given.
/// @param leg_count  2.
/// @return SINEW_ERROR_LENGTH_MISMATCH: leg_count; SINEW_ERROR_NOT_HUMANOID.
pub unsafe extern "C" fn sinew_animator_get_grounder_legs(
    animator: SinewAnimator,
    out_frame: Option<&mut SinewGrounderFrame>,
    out_legs: *mut SinewGrounderLeg,
    leg_count: u32,
) -> SinewResult {
    guard("sinew_animator_get_grounder_legs", || {
        let out_frame = out_ref(out_frame, "out_frame")?;
        check_legs(leg_count)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let out_legs = unsafe { read::array_mut("out_legs", out_legs, LEGS as usize) }?;
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            let mut frame = GrounderFrame::default();
            character.animator.place_grounder_frame(&mut frame)?;
            let [left, right] = character.animator.grounder_legs()?;
            let legs = [checked::pose_out(&left), checked::pose_out(&right)];
            let frame = checked::frame_out(&frame);
            // Numbers that the grounder would refuse are refused here.
            checked::frame("out_frame", &frame)?;
            for (i, leg) in legs.iter().enumerate() {
                checked::leg(i, leg)?;
            }
            *out_frame = frame;
            out_legs.copy_from_slice(&legs);
            Ok(())
        })
    })
}

/// Sets what a grounder has found in its last finished frame: goals and weights of both feet and
/// overrides of the toes (sinew_animator_set_bone_local_rotation) are replaced, and the body is
/// moved and turned about the pelvis. A foot whose goal has a space or an effector point
/// (sinew_animator_set_ik_goal_space) is left to its goal. Body position and rotation that were set
/// since the last solve are moved along. Older ones are cleared, and the body is moved from where
/// the pose has it, whatever overrides and constraints have turned by then
/// (SINEW_INPUT_BODY_MOVE). A body position or rotation that is set after this call replaces the
/// move. Where the grounder changes nothing, in the air over flat ground, the feet's weights are 0
/// and the pose stays as animated, bit for bit. Call it once per frame, before
/// sinew_animator_solve. The first call that turns toes allocates. Reads the pose buffer.
///
/// @param grounder  a grounder of two legs, left and right, with the animation of this frame.
/// @return SINEW_ERROR_LENGTH_MISMATCH: the grounder has another number of legs or has finished no
///         frame; SINEW_ERROR_NOT_HUMANOID.
pub extern "C" fn sinew_animator_apply_grounder(animator: SinewAnimator, grounder: SinewGrounder) -> SinewResult {
    guard("sinew_animator_apply_grounder", || {
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            let _room = match character.animator.needs_memory_for_bones() {
                true => Some(rooms::SETTINGS.room(character.buffer().len())?),
                false => None,
            };
            registry::with_grounder(grounder, |host| Ok(character.animator.apply_grounder(&host.grounder)?))
        })
    })
}
