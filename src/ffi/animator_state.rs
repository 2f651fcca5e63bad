//! What of an animator lasts between frames, and where in a frame its constraints are solved.

use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewConstraint};
use super::result::SinewResult;
use super::types::{SinewConstraintPlacement, SinewConstraintPlacementArg, SinewFrameStepArg};
use super::{read, registry};
use crate::animator::{ConstraintPlacement, FrameStep};

/// Sets where in a frame a constraint is solved. Later steps start from the pose it leaves: a chain
/// placed before SINEW_FRAME_STEP_LIMBS moves the shoulders that the arms reach from, while hand
/// goals are still met. Constraints of the same placement are solved in the order in which they
/// were added. Goals that mean the animation's own place mean it as it was before the frame. Stays
/// until changed.
///
/// @param placement  a SinewConstraintPlacement; default SINEW_CONSTRAINT_PLACEMENT_STACK.
/// @param step       a SinewFrameStep; ignored, but checked, for SINEW_CONSTRAINT_PLACEMENT_STACK.
pub extern "C" fn sinew_animator_set_constraint_placement(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    placement: SinewConstraintPlacementArg,
    step: SinewFrameStepArg,
) -> SinewResult {
    guard("sinew_animator_set_constraint_placement", || {
        let step = read::frame_step(step)?;
        let placement = read::constraint_placement(placement, step)?;
        registry::with_constraint(animator, constraint, |animator, id| {
            Ok(animator.set_constraint_placement(id, placement)?)
        })
    })
}

/// Returns where in a frame a constraint is solved.
///
/// @param out_placement  a SinewConstraintPlacement.
/// @param out_step       a SinewFrameStep: SINEW_FRAME_STEP_CONSTRAINTS for
///                       SINEW_CONSTRAINT_PLACEMENT_STACK.
pub extern "C" fn sinew_animator_get_constraint_placement(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_placement: Option<&mut i32>,
    out_step: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_placement", || {
        let out_placement = out_ref(out_placement, "out_placement")?;
        let out_step = out_ref(out_step, "out_step")?;
        registry::with_constraint(animator, constraint, |animator, id| {
            let (placement, step) = match animator.constraint_placement(id)? {
                ConstraintPlacement::Stack => (SinewConstraintPlacement::Stack, FrameStep::Constraints),
                ConstraintPlacement::Before(step) => (SinewConstraintPlacement::Before, step),
                ConstraintPlacement::After(step) => (SinewConstraintPlacement::After, step),
            };
            (*out_placement, *out_step) = (placement as i32, step as i32);
            Ok(())
        })
    })
}

/// Resets everything of an animator that lasts between frames, as if it had never been solved: the
/// next solve shows its goals at once. For teleports and cuts. Goals, settings and pose stay.
pub extern "C" fn sinew_animator_reset_state(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_reset_state", || {
        registry::with_animator(animator, |character| {
            character.reset_state();
            Ok(())
        })
    })
}

/// Writes everything of an animator that lasts between frames into a buffer. An animator of the
/// same rig, goals, settings and pose that restores it goes on with the same bits. The bytes mean
/// the same on every platform, to this version of the library; they hold no goals, settings or
/// pose, and nothing that a world records of it between solves (SINEW_LOD_EVERY_NTH, a budget).
///
/// @param out_bytes  room for `capacity` bytes; may be NULL when capacity is 0.
/// @param capacity   number of bytes there is room for.
/// @param out_size   number of bytes; also written on SINEW_ERROR_BUFFER_TOO_SMALL. It changes with
///                   sinew_animator_set_settings (switch times), sinew_animator_set_body_solver
///                   (on or off) and constraints: those with a warm start, and with a switch time
///                   (sinew_animator_set_constraint_inertialization_time).
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_bytes is not written.
pub unsafe extern "C" fn sinew_animator_snapshot(
    animator: SinewAnimator,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_snapshot", || {
        let out_size = out_ref(out_size, "out_size")?;
        registry::with_animator(animator, |character| {
            let size = character.animator.snapshot_size();
            if size > capacity as usize {
                *out_size = size as u32;
                return Err(Failure::new(
                    SinewResult::SinewErrorBufferTooSmall,
                    format_args!("capacity is {capacity}, the snapshot has {size} bytes"),
                ));
            }
            // SAFETY: required of the caller of the C function; see `read`.
            let out = unsafe { read::array_mut("out_bytes", out_bytes, size) }?;
            if character.animator.snapshot_into(out) == Ok(size) {
                *out_size = size as u32;
            }
            Ok(())
        })
    })
}

/// Sets everything of an animator that lasts between frames from a snapshot. The animator must have
/// the same rig, and switch times above 0 for the same goals and constraints, as the one that was
/// saved, and its whole-body solver must be on, in either mode, if it was on there, else off. In a
/// world the next call solves it, whatever its level but SINEW_LOD_OFF, and shows the result; where
/// a budget does not reach for all that were restored, the calls after it solve the rest, before
/// other animators. Allocates nothing.
///
/// @param bytes  `size` bytes that sinew_animator_snapshot wrote.
/// @param size   number of bytes.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the bytes are not a snapshot of such an animator.
pub unsafe extern "C" fn sinew_animator_restore(animator: SinewAnimator, bytes: *const u8, size: u32) -> SinewResult {
    guard("sinew_animator_restore", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let bytes = unsafe { read::array("bytes", bytes, size as usize) }?;
        registry::with_animator(animator, |character| Ok(character.restore(bytes)?))
    })
}
