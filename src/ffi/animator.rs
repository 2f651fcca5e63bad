//! Animator functions: creation, pose, solve.

use super::chain_solve::write_frames;
use super::guard::{Failure, guard, in_ref, optional_out, out_ref};
use super::ids::{SinewAnimator, SinewAvatar, SinewSkeleton};
use super::result::SinewResult;
use super::types::{SinewAnimatorDef, SinewModelFrame, SinewQuat, SinewTransform, SinewVec3};
use super::{read, registry, rooms, running};
use crate::world::Character;

/// Fills an animator definition with defaults: null handles.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_animator_def_default(out_def: Option<&mut SinewAnimatorDef>) -> SinewResult {
    guard("sinew_animator_def_default", || {
        *out_ref(out_def, "out_def")? = SinewAnimatorDef {
            struct_size: size_of::<SinewAnimatorDef>() as u32,
            flags: 0,
            skeleton: SinewSkeleton { bits: 0 },
            avatar: SinewAvatar { bits: 0 },
        };
        Ok(())
    })
}

/// Creates an animator in the skeleton's rest pose, with an identity root transform and all weights
/// 0.
///
/// @param def           skeleton and, for a humanoid, avatar.
/// @param out_animator  the animator; destroy it with sinew_animator_destroy.
/// @return SINEW_ERROR_INVALID_ARGUMENT: flags; SINEW_ERROR_WRONG_SKELETON: the avatar was created
///         for another skeleton.
pub extern "C" fn sinew_animator_create(
    def: Option<&SinewAnimatorDef>,
    out_animator: Option<&mut SinewAnimator>,
) -> SinewResult {
    guard("sinew_animator_create", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewAnimatorDef>())?;
        let out = out_ref(out_animator, "out_animator")?;
        if def.flags != 0 {
            return Err(Failure::new(
                SinewResult::SinewErrorInvalidArgument,
                format_args!("def.flags is {}, must be 0", def.flags),
            ));
        }
        let in_def = |failure: Failure| failure.about("def");
        let skeleton = registry::skeleton(def.skeleton).map_err(in_def)?;
        let _room = rooms::ANIMATOR.room(skeleton.joint_count())?;
        let avatar = if def.avatar.bits == 0 { None } else { Some(registry::avatar(def.avatar).map_err(in_def)?) };
        *out = registry::insert_animator(skeleton, avatar).map_err(in_def)?;
        Ok(())
    })
}

/// Destroys an animator. Frees its pose buffer.
///
/// @return SINEW_ERROR_BUSY: another thread is using it; nothing was done.
pub extern "C" fn sinew_animator_destroy(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_destroy", || registry::remove_animator(animator))
}

/// Reports whether a handle is a living animator.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_animator_is_valid(animator: SinewAnimator, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_animator_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::animator_is_valid(animator) as u32;
        Ok(())
    })
}

/// Returns the pose buffer: one local transform per joint, in joint order. Write the animation to
/// it before sinew_animator_solve, which leaves the result in it. The address does not change until
/// the animator is destroyed. Do not write to it while a call uses the animator, on another thread
/// or in a callback.
///
/// @param out_pose   address of the first transform.
/// @param out_count  number of transforms; may be NULL.
pub extern "C" fn sinew_animator_get_pose_buffer(
    animator: SinewAnimator,
    out_pose: Option<&mut *mut SinewTransform>,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_pose_buffer", || {
        let out_count = optional_out(out_count, "out_count")?;
        let out = out_ref(out_pose, "out_pose")?;
        registry::with_animator(animator, |character| {
            *out = character.buffer_address().cast();
            if let Some(out_count) = out_count {
                *out_count = character.buffer().len() as u32;
            }
            Ok(())
        })
    })
}

/// Copies a pose into the pose buffer. An invalid number refuses the whole pose.
///
/// @param pose   local transforms in joint order.
/// @param count  number of transforms: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_animator_set_pose(
    animator: SinewAnimator,
    pose: *const SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_set_pose", || {
        registry::with_animator(animator, |character| {
            read::length("count", count, character.buffer().len())?;
            // SAFETY: required of the caller of the C function; see `read`.
            let pose = unsafe { read::array("pose", pose, count as usize) }?;
            let pose = read::as_transforms(pose);
            match core::ptr::eq(pose, character.buffer()) {
                true => character.check_pose()?,
                false => character.set_pose(pose)?,
            }
            Ok(())
        })
    })
}

/// Copies the pose buffer.
///
/// @param out_pose  room for `count` local transforms in joint order.
/// @param count     number of transforms: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_animator_get_pose(
    animator: SinewAnimator,
    out_pose: *mut SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_get_pose", || {
        registry::with_animator(animator, |character| {
            read::length("count", count, character.buffer().len())?;
            // SAFETY: required of the caller of the C function; see `read`.
            let out = unsafe { read::array_mut("out_pose", out_pose, count as usize) }?;
            for (out, t) in out.iter_mut().zip(character.buffer()) {
                *out = (*t).into();
            }
            Ok(())
        })
    })
}

/// Resets the pose buffer to the skeleton's rest pose.
pub extern "C" fn sinew_animator_reset_pose(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_reset_pose", || {
        registry::with_animator(animator, |character| {
            character.reset_pose();
            Ok(())
        })
    })
}

/// Sets the root transform: from model space to world space. Goals are in world space.
///
/// @param root  world space, metres; scale may be uneven or negative, its largest size 1e-15 …
///              1e15, the others at least 1e-6 of that.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the scale.
pub extern "C" fn sinew_animator_set_root(animator: SinewAnimator, root: Option<&SinewTransform>) -> SinewResult {
    guard("sinew_animator_set_root", || {
        let root = read::transform(format_args!("root"), in_ref(root, "root")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_root(root)?))
    })
}

/// Returns the root transform. Default: the identity.
///
/// @param out_root  world space, metres.
pub extern "C" fn sinew_animator_get_root(
    animator: SinewAnimator,
    out_root: Option<&mut SinewTransform>,
) -> SinewResult {
    guard("sinew_animator_get_root", || {
        let out = out_ref(out_root, "out_root")?;
        registry::with_animator(animator, |character| {
            *out = (*character.animator.root()).into();
            Ok(())
        })
    })
}

/// Solves one animator: reads the pose buffer, applies goals and constraints, and writes the joints
/// that moved back to the buffer. With all weights 0 the buffer does not change by a single bit. An
/// unreachable goal is not an error: see SinewOutcome. Allocates once in an animator's life: for
/// the first pose with a scale, where the skeleton's rest pose has none. So does any other call
/// that is the first to read such a pose.
pub extern "C" fn sinew_animator_solve(animator: SinewAnimator) -> SinewResult {
    solve_seen(animator, |_| (), |_| ())
}

/// Solves, and lets a recording see the pose before and after it: see [`Character::solve_seen`].
#[inline(always)]
pub(super) fn solve_seen(
    animator: SinewAnimator,
    before: impl FnOnce(&Character),
    after: impl FnOnce(&Character),
) -> SinewResult {
    guard("sinew_animator_solve", || {
        registry::with_animator(animator, |character| Ok(character.solve_seen(before, after)?))
    })
}

/// Solves many animators on the calling thread, in the given order. One that fails does not stop
/// the others. Different batches may run on different threads. Allocates as sinew_animator_solve
/// does.
///
/// @param animators    handles; may be NULL when count is 0.
/// @param count        number of handles.
/// @param out_results  SinewResult of each animator, also written when some fail; may be NULL.
/// @return the code of the first animator that failed.
pub unsafe extern "C" fn sinew_animator_solve_batch(
    animators: *const SinewAnimator,
    count: u32,
    out_results: *mut i32,
) -> SinewResult {
    guard("sinew_animator_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let animators = unsafe { read::array("animators", animators, count as usize) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let mut results = unsafe { read::optional_array_mut("out_results", out_results, count as usize) }?;
        running::begun();
        registry::solve_batch(animators, |index, result| {
            if let Some(results) = results.as_deref_mut() {
                results[index] = result as i32;
            }
        })
    })
}

/// Returns the position and orientation of a joint in world space. Reads the pose buffer.
///
/// @param joint         0 … joint count − 1.
/// @param out_position  metres; may be NULL.
/// @param out_rotation  orientation; below a mirroring scale, the one Unity reports; may be NULL.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_animator_get_joint_world(
    animator: SinewAnimator,
    joint: u32,
    out_position: Option<&mut SinewVec3>,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_joint_world", || {
        let out_position = optional_out(out_position, "out_position")?;
        let out_rotation = optional_out(out_rotation, "out_rotation")?;
        registry::with_animator(animator, |character| {
            let joint = read::joint("joint", joint, character.buffer().len())?;
            let (position, rotation) = character.joint_ws(joint, out_rotation.is_some())?;
            let position = read::computed("out_position", position)?;
            let rotation = read::computed("out_rotation", rotation)?;
            if let Some(out) = out_position {
                *out = position.into();
            }
            if let Some(out) = out_rotation {
                *out = rotation.into();
            }
            Ok(())
        })
    })
}

/// Computes the model frames of all joints (forward kinematics). Reads the pose buffer.
///
/// @param out_frames  room for `count` frames in joint order.
/// @param count       number of frames: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_animator_get_model_frames(
    animator: SinewAnimator,
    out_frames: *mut SinewModelFrame,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_get_model_frames", || {
        registry::with_animator(animator, |character| {
            read::length("count", count, character.buffer().len())?;
            // SAFETY: required of the caller of the C function; see `read`.
            let out = unsafe { read::array_mut("out_frames", out_frames, count as usize) }?;
            character.check_pose()?;
            read::computed_frames("out_frames", &mut character.animator, |frame| *frame)?;
            if !character.animator.write_model_rows(read::as_rows_mut(out)) {
                write_frames(character.animator.updated_frames(), out);
            }
            Ok(())
        })
    })
}

/// Sets the share of their iterations that the animator's chain constraints and its whole-body
/// solver make, at least one each: less effort where less precision is needed. Closed forms have no
/// iterations. In a world it is multiplied by the share of the level of detail.
///
/// @param scale  0 (one iteration) … 1 (the default: all of them); clamped.
pub extern "C" fn sinew_animator_set_iteration_scale(animator: SinewAnimator, scale: f32) -> SinewResult {
    guard("sinew_animator_set_iteration_scale", || {
        let scale = read::weight("scale", scale)?;
        registry::with_animator(animator, |character| {
            character.animator.set_iteration_scale(scale);
            Ok(())
        })
    })
}

/// Returns the scale of the iterations of chain constraints and of the whole-body solver.
///
/// @param out_scale  0 … 1; default 1.
pub extern "C" fn sinew_animator_get_iteration_scale(
    animator: SinewAnimator,
    out_scale: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_iteration_scale", || {
        let out = out_ref(out_scale, "out_scale")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.iteration_scale();
            Ok(())
        })
    })
}
