//! The rest of the Animator's IK calls: look-at, body, bone rotations, the whole input, and what the avatar knows.

use super::guard::{guard, in_ref, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewHumanBoneArg, SinewHumanoidInput, SinewLookAtWeight, SinewQuat, SinewVec3};
use super::{input, read, registry};
use crate::humanoid::{IkGoal, LookAtWeight};

/// Sets the point to look at. Stays until changed.
///
/// @param position  world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_look_at_position(
    animator: SinewAnimator,
    position: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_look_at_position", || {
        let position = read::vec3("position", in_ref(position, "position")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_look_at_position(position)?))
    })
}

/// Gives the point to look at: what was set since the last solve, else the point one metre ahead of the animation's own gaze.
///
/// @param out_position  written on success: world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_look_at_position(
    animator: SinewAnimator,
    out_position: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_get_look_at_position", || {
        let out = out_ref(out_position, "out_position")?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.look_at_position()?.into();
            Ok(())
        })
    })
}

/// Sets how much the character looks at the point. Stays until changed. Unity's shorter overloads fill in body 0, head 1, eyes 0,
/// clamp 0.5. Values outside 0 … 1 are limited to that range.
///
/// @param weight  0 … 1; multiplies the next three.
/// @param body    0 … 1; share the spine takes.
/// @param head    0 … 1; share neck and head take of what is left.
/// @param eyes    0 … 1; share the eyes take of what is left, within their range.
/// @param clamp   0 (free) … 1 (no turning): the head may turn (1 − clamp) · 180° away from the chest's forward.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_look_at_weight(
    animator: SinewAnimator,
    weight: f32,
    body: f32,
    head: f32,
    eyes: f32,
    clamp: f32,
) -> SinewResult {
    guard("sinew_animator_set_look_at_weight", || {
        let weights = LookAtWeight {
            weight: read::weight("weight", weight)?,
            body: read::weight("body", body)?,
            head: read::weight("head", head)?,
            eyes: read::weight("eyes", eyes)?,
            clamp: read::weight("clamp", clamp)?,
        };
        registry::with_animator(animator, |character| Ok(character.animator.set_look_at_weight(weights)?))
    })
}

/// Gives the five look-at weights.
///
/// @param out_weight  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_look_at_weight(
    animator: SinewAnimator,
    out_weight: Option<&mut SinewLookAtWeight>,
) -> SinewResult {
    guard("sinew_animator_get_look_at_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.look_at_weight()?.into();
            Ok(())
        })
    })
}

/// Sets where the body's centre of mass shall be; the hips move so that it is there. Stays until changed or cleared with
/// sinew_animator_clear_body. Limbs with weighted goals stay on their goals.
///
/// @param position  world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_body_position(
    animator: SinewAnimator,
    position: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_body_position", || {
        let position = read::vec3("position", in_ref(position, "position")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_body_position(position)?))
    })
}

/// Gives the body's centre of mass: what was set since the last solve, else that of the pose buffer.
///
/// @param out_position  written on success: world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_body_position(
    animator: SinewAnimator,
    out_position: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_get_body_position", || {
        let out = out_ref(out_position, "out_position")?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.body_position()?.into();
            Ok(())
        })
    })
}

/// Sets how the body shall be turned, about its centre of mass. Stays until changed or cleared with sinew_animator_clear_body.
///
/// @param rotation  world space; X right, Y up, Z forward of the body, the mean of its lower and upper half; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE, _INVALID_ROTATION, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_body_rotation(
    animator: SinewAnimator,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_body_rotation", || {
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_body_rotation(rotation)?))
    })
}

/// Gives how the body is turned: what was set since the last solve, else that of the pose buffer.
///
/// @param out_rotation  written on success: world space; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_body_rotation(
    animator: SinewAnimator,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_body_rotation", || {
        let out = out_ref(out_rotation, "out_rotation")?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.body_rotation()?.into();
            Ok(())
        })
    })
}

/// Takes back body position and rotation: the body is where the animation has it.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_clear_body(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_clear_body", || {
        registry::with_animator(animator, |character| Ok(character.animator.clear_body()?))
    })
}

/// Replaces the local rotation of a human bone before anything else is solved. Stays until changed or cleared with
/// sinew_animator_clear_bone_local_rotations.
///
/// @param bone      a SinewHumanBone that the avatar has.
/// @param rotation  in the bone's parent joint; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _INVALID_ROTATION,
///         _BONE_NOT_MAPPED, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_bone_local_rotation(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_bone_local_rotation", || {
        let bone = read::bone(bone)?;
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_bone_local_rotation(bone, rotation)?))
    })
}

/// Gives the local rotation of a human bone: the replacement when one is set, else that of the pose buffer.
///
/// @param bone          a SinewHumanBone that the avatar has; else SINEW_ERROR_BONE_NOT_MAPPED.
/// @param out_rotation  written on success: in the bone's parent joint; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_bone_local_rotation(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_bone_local_rotation", || {
        let out = out_ref(out_rotation, "out_rotation")?;
        let bone = read::bone(bone)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.bone_local_rotation(bone)?.into();
            Ok(())
        })
    })
}

/// Takes back all replaced bone rotations.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_clear_bone_local_rotations(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_clear_bone_local_rotations", || {
        registry::with_animator(animator, |character| Ok(character.animator.clear_bone_local_rotations()?))
    })
}

/// Takes back everything that was set: all goals, hints, look-at, body, bone rotations; all weights 0.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_reset_ik(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_reset_ik", || {
        registry::with_animator(animator, |character| Ok(character.animator.reset_ik()?))
    })
}

/// Fills a whole input with its size, nothing set, all weights 0 (look-at: head 1, clamp 0.5).
///
/// @param out_input  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_humanoid_input_default(out_input: Option<&mut SinewHumanoidInput>) -> SinewResult {
    guard("sinew_humanoid_input_default", || {
        *out_ref(out_input, "out_input")? = input::default();
        Ok(())
    })
}

/// Sets goals, hints, look-at and body in one call, in place of everything set before (bone rotations stay). Refused as a whole
/// when one number is bad.
///
/// @param input  see SinewHumanoidInput; parts not flagged in `set` are the animation's own, whatever numbers they hold; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _STRUCT_SIZE, _NOT_FINITE,
///         _INVALID_ROTATION, _INVALID_ARGUMENT (unknown bits in `set`), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_input(animator: SinewAnimator, input: Option<&SinewHumanoidInput>) -> SinewResult {
    guard("sinew_animator_set_input", || {
        let input = input::read(in_ref(input, "input")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_input(&input)?))
    })
}

/// Gives goals, hints, look-at and body as they are set; setting them again changes nothing.
///
/// @param out_input  written on success; not NULL. Parts not flagged in `set` are zero (rotations: the identity).
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_input(
    animator: SinewAnimator,
    out_input: Option<&mut SinewHumanoidInput>,
) -> SinewResult {
    guard("sinew_animator_get_input", || {
        let out = out_ref(out_input, "out_input")?;
        registry::with_animator(animator, |character| {
            *out = input::write(character.animator.input()?);
            Ok(())
        })
    })
}

/// Tells whether the animator has an avatar.
///
/// @param out_is_human  written on success: 1 or 0; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_is_human(animator: SinewAnimator, out_is_human: Option<&mut u32>) -> SinewResult {
    guard("sinew_animator_get_is_human", || {
        let out = out_ref(out_is_human, "out_is_human")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.is_human() as u32;
            Ok(())
        })
    })
}

/// Gives the scale of the humanoid: height of the centre of mass above the soles in the T-pose, in the rig's unit (metres);
/// 1 for an animator without avatar.
///
/// @param out_scale  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_human_scale(animator: SinewAnimator, out_scale: Option<&mut f32>) -> SinewResult {
    guard("sinew_animator_get_human_scale", || {
        let out = out_ref(out_scale, "out_scale")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.human_scale();
            Ok(())
        })
    })
}

/// Gives how far the sole of the left foot lies below its goal point (the ankle joint), in the T-pose.
///
/// @param out_height  written on success: metres (rig's unit), along the foot goal's Y axis; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_left_feet_bottom_height(
    animator: SinewAnimator,
    out_height: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_left_feet_bottom_height", || {
        let out = out_ref(out_height, "out_height")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.foot_bottom_height(IkGoal::LeftFoot)?;
            Ok(())
        })
    })
}

/// Gives how far the sole of the right foot lies below its goal point (the ankle joint), in the T-pose.
///
/// @param out_height  written on success: metres (rig's unit), along the foot goal's Y axis; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_right_feet_bottom_height(
    animator: SinewAnimator,
    out_height: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_right_feet_bottom_height", || {
        let out = out_ref(out_height, "out_height")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.foot_bottom_height(IkGoal::RightFoot)?;
            Ok(())
        })
    })
}

/// Gives the joint of a human bone (Unity: GetBoneTransform).
///
/// @param bone       a SinewHumanBone.
/// @param out_joint  written on success: its joint index, or -1 when the avatar has no such bone; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_bone_joint(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    out_joint: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_animator_get_bone_joint", || {
        let out = out_ref(out_joint, "out_joint")?;
        let bone = read::bone(bone)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.bone_joint(bone)?.map_or(-1, |j| j as i32);
            Ok(())
        })
    })
}
