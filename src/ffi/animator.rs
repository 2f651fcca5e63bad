//! Animator functions: life, pose, solve, outcomes.

use super::guard::{Failure, FloatEnvironment, guard, in_ref, out_ref};
use super::ids::{SinewAnimator, SinewAvatar, SinewSkeleton};
use super::result::SinewResult;
use super::types::{SinewAnimatorDef, SinewDebugLine, SinewIkGoalArg, SinewOutcome, SinewTransform, SinewVec3};
use super::{read, registry};
use libc::c_void;

/// Fills an animator definition with its size and null handles.
///
/// @param out_def  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
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

/// Makes an animator in the skeleton's rest pose, root transform the identity, all weights 0.
///
/// @param def           see SinewAnimatorDef; without an avatar the humanoid calls answer SINEW_ERROR_NOT_HUMANOID.
/// @param out_animator  written on success; destroy with sinew_animator_destroy.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _INVALID_HANDLE, _INVALID_ARGUMENT (flags),
///         _WRONG_SKELETON (the avatar was made for another), _TOO_MANY_OBJECTS. Any thread.
#[unsafe(no_mangle)]
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
        let skeleton = registry::skeleton(def.skeleton)?;
        let avatar = if def.avatar.bits == 0 { None } else { Some(registry::avatar(def.avatar)?) };
        *out = registry::insert_animator(skeleton, avatar)?;
        Ok(())
    })
}

/// Destroys an animator. Its pose buffer is freed: do not touch it afterwards.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _BUSY (another thread is solving it; nothing was done). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_destroy(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_destroy", || registry::remove_animator(animator))
}

/// Tells whether a handle is a living animator.
///
/// @param out_valid  written: 1 or 0; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_is_valid(animator: SinewAnimator, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_animator_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::animator_is_valid(animator) as u32;
        Ok(())
    })
}

/// Gives the pose buffer: one local transform per joint, in joint order. The host writes its animation there before
/// sinew_animator_solve, which leaves the result there. The address stays the same until the animator is destroyed. Do not
/// write while another thread solves this animator.
///
/// @param out_pose   written on success: address of the first transform; not NULL.
/// @param out_count  written on success: number of transforms; may be NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_pose_buffer(
    animator: SinewAnimator,
    out_pose: Option<&mut *mut SinewTransform>,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_pose_buffer", || {
        let out = out_ref(out_pose, "out_pose")?;
        registry::with_animator(animator, |character| {
            let buffer = character.buffer();
            *out = buffer.as_ptr().cast_mut().cast();
            if let Some(out_count) = out_count {
                *out_count = buffer.len() as u32;
            }
            Ok(())
        })
    })
}

/// Copies a pose in. Refused as a whole when one number is bad.
///
/// @param pose   local transforms in joint order; not NULL.
/// @param count  number of transforms; must be the joint count.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _LENGTH_MISMATCH, _NOT_FINITE, _INVALID_ROTATION, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_pose(
    animator: SinewAnimator,
    pose: *const SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_set_pose", || {
        registry::with_animator(animator, |character| {
            read::length("count", count, character.buffer().len())?;
            let pose = read::array("pose", pose, count as usize)?;
            character.set_pose(read::as_transforms(pose))?;
            Ok(())
        })
    })
}

/// Copies the pose out, as the last solve (or the last write) left it.
///
/// @param out_pose  room for `count` local transforms in joint order; not NULL.
/// @param count     number of transforms; must be the joint count.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _LENGTH_MISMATCH, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_pose(
    animator: SinewAnimator,
    out_pose: *mut SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_animator_get_pose", || {
        registry::with_animator(animator, |character| {
            read::length("count", count, character.buffer().len())?;
            let out = read::array_mut("out_pose", out_pose, count as usize)?;
            for (out, t) in out.iter_mut().zip(character.buffer()) {
                *out = t.get().into();
            }
            Ok(())
        })
    })
}

/// Puts the skeleton's rest pose into the pose buffer.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_reset_pose(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_reset_pose", || {
        registry::with_animator(animator, |character| {
            character.reset_pose();
            Ok(())
        })
    })
}

/// Sets where the character's root object stands: world from model space. Goals are in world space.
///
/// @param root  world space, metres; scale may be uneven or negative, not zero; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE, _INVALID_ROTATION, _INVALID_ARGUMENT (zero
///         scale), _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_root(animator: SinewAnimator, root: Option<&SinewTransform>) -> SinewResult {
    guard("sinew_animator_set_root", || {
        let root = read::transform(format_args!("root"), in_ref(root, "root")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_root(root)?))
    })
}

/// Gives the root transform last set; the identity before.
///
/// @param out_root  written on success; world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
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

/// Solves one animator: reads the pose buffer, applies everything set, writes the joints that moved back to the buffer. With all
/// weights 0 the buffer stays bit for bit as it was. Nothing changes when an error is returned.
///
/// @return SINEW_OK (also when a goal is out of reach: see the outcomes), SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_solve(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_solve", || registry::with_animator(animator, |character| Ok(character.solve()?)))
}

/// Solves many animators, one after the other, in the order given. One that fails does not stop the others.
///
/// @param animators    handles; not NULL unless count is 0.
/// @param count        number of handles.
/// @param out_results  written: what sinew_animator_solve would have returned for each (a SinewResult); may be NULL.
/// @return SINEW_OK when all succeeded, else the code of the first that did not; SINEW_ERROR_NULL_POINTER. One thread per
///         animator; different batches may run at once.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_solve_batch(
    animators: *const SinewAnimator,
    count: u32,
    out_results: *mut i32,
) -> SinewResult {
    guard("sinew_animator_solve_batch", || {
        if count == 0 {
            return Ok(());
        }
        let animators = read::array("animators", animators, count as usize)?;
        let mut results = read::optional_array_mut(out_results, count as usize);
        registry::solve_batch(animators, |index, result| {
            if let Some(results) = results.as_deref_mut() {
                results[index] = result as i32;
            }
        })
    })
}

/// Gives what the last solve left at an IK goal.
///
/// @param goal         a SinewIkGoal.
/// @param out_outcome  written on success; inactive before the first solve; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY, _POISONED. One thread
///         per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_outcome(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_animator_get_ik_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.ik_outcome(goal)?.into();
            Ok(())
        })
    })
}

/// Gives what the last solve left of the look-at: residual_rad is the angle between where the head (the eyes, when they
/// take part) looks and the weighted goal direction.
///
/// @param out_outcome  written on success; inactive before the first solve; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_look_at_outcome(
    animator: SinewAnimator,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_animator_get_look_at_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.look_at_outcome()?.into();
            Ok(())
        })
    })
}

/// Gives where a joint is in world space, computed from the pose buffer and the root transform.
///
/// @param joint          0 … joint count − 1.
/// @param out_position   written on success: metres; may be NULL.
/// @param out_rotation   written on success: orientation; below a mirroring scale, the orientation Unity would report; may be NULL.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _OUT_OF_RANGE, _NOT_FINITE and _INVALID_ROTATION (in the pose buffer),
///         _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_joint_world(
    animator: SinewAnimator,
    joint: u32,
    out_position: Option<&mut SinewVec3>,
    out_rotation: Option<&mut super::types::SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_joint_world", || {
        registry::with_animator(animator, |character| {
            let joint = read::joint("joint", joint, character.buffer().len())?;
            character.load_pose()?;
            let frame = character.animator.joint_ws(joint);
            if let Some(out) = out_position {
                *out = frame.position.into();
            }
            if let Some(out) = out_rotation {
                *out = frame.rotation.into();
            }
            Ok(())
        })
    })
}

/// Receives one debug line. `from` and `to` are in world space, metres, and only valid during the call; `part` is a
/// SinewDebugPart. Calling back into the same animator gives SINEW_ERROR_BUSY.
pub type SinewDrawLine = extern "C" fn(user: *mut c_void, from: *const SinewVec3, to: *const SinewVec3, part: i32);

/// Draws the character as the pose buffer and the last solve left it: bones, goals, residuals, hints, look line.
///
/// @param draw_line  called once per line, on this thread, before this function returns; not NULL.
/// @param user       handed to draw_line as it is.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE and _INVALID_ROTATION (in the pose buffer),
///         _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_draw(
    animator: SinewAnimator,
    draw_line: Option<SinewDrawLine>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_animator_draw", || {
        let draw_line = draw_line.ok_or_else(|| Failure::null("draw_line"))?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            character.animator.draw(&mut |line: crate::debug::Line| {
                let (from, to): (SinewVec3, SinewVec3) = (line.from_ws.into(), line.to_ws.into());
                draw_line(user, &from, &to, line.part as i32);
                // The host may have left another mode; the next line is computed in the default one.
                FloatEnvironment::reset();
            });
            Ok(())
        })
    })
}

/// Writes the same lines as sinew_animator_draw into an array, for hosts that cannot take callbacks.
///
/// @param out_lines  room for `capacity` lines; may be NULL when capacity is 0.
/// @param capacity   number of lines there is room for.
/// @param out_count  written, also on SINEW_ERROR_BUFFER_TOO_SMALL: number of lines there are; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _BUFFER_TOO_SMALL (nothing but out_count is written), _INVALID_HANDLE,
///         _NOT_FINITE and _INVALID_ROTATION (in the pose buffer), _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_debug_lines(
    animator: SinewAnimator,
    out_lines: *mut SinewDebugLine,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_debug_lines", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            let mut count = 0usize;
            character.animator.draw(&mut |_: crate::debug::Line| count += 1);
            if count > capacity as usize {
                *out_count = count as u32;
                return Err(Failure::new(
                    SinewResult::SinewErrorBufferTooSmall,
                    format_args!("capacity is {capacity}, there are {count} lines"),
                ));
            }
            let out = if count == 0 { &mut [] } else { read::array_mut("out_lines", out_lines, count)? };
            let mut next = 0;
            character.animator.draw(&mut |line: crate::debug::Line| {
                out[next] = SinewDebugLine { from: line.from_ws.into(), to: line.to_ws.into(), part: line.part as i32 };
                next += 1;
            });
            *out_count = count as u32;
            Ok(())
        })
    })
}
