//! The rest of the Animator's IK calls: look-at, body, bone rotations, the whole input, and what
//! the avatar knows.

use super::accessors::accessors;
use super::convert::joint_index;
use super::guard::{guard, in_ref, optional_out, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewHumanBoneArg, SinewHumanoidInput, SinewLookAtWeight, SinewOutcome, SinewQuat, SinewVec3};
use super::{input, read, registry, rooms};
use crate::humanoid::{IkGoal, LookAtWeight};

accessors! {
    /// Sets the point to look at.
    ///
    /// @param position  world space, metres.
    set sinew_animator_set_look_at_position(position: Option<&SinewVec3> => vec3)
        = set_look_at_position;

    /// Returns the point to look at: the one set since the last solve, else the point one metre
    /// ahead of the animated gaze. Reads the pose buffer.
    ///
    /// @param out_position  world space, metres.
    get_of_buffer sinew_animator_get_look_at_position() -> out_position: Option<&mut SinewVec3> = look_at_position;
}

/// Returns the ray along which the character looks: from the middle of the eyes (without eyes: the
/// head) where the head faces. Reads the pose buffer.
///
/// @param out_origin     world space, metres; may be NULL.
/// @param out_direction  world space, unit; may be NULL.
pub extern "C" fn sinew_animator_get_gaze(
    animator: SinewAnimator,
    out_origin: Option<&mut SinewVec3>,
    out_direction: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_get_gaze", || {
        let out_origin = optional_out(out_origin, "out_origin")?;
        let out_direction = optional_out(out_direction, "out_direction")?;
        registry::with_animator(animator, |character| {
            let (origin_ws, direction_ws) = character.gaze_ws()?;
            read::computed("out_origin", origin_ws)?;
            read::computed("out_direction", direction_ws)?;
            if let Some(out) = out_origin {
                *out = origin_ws.into();
            }
            if let Some(out) = out_direction {
                *out = direction_ws.into();
            }
            Ok(())
        })
    })
}

/// Sets the five look-at weights, each clamped to 0 … 1. Unity's shorter overloads use body 0, head
/// 1, eyes 0, clamp 0.5.
///
/// @param weight  global weight; multiplies body, head and eyes.
/// @param body    fraction of the turn that the spine takes.
/// @param head    fraction of the rest that neck and head take.
/// @param eyes    fraction of the rest that the eyes take, within their range.
/// @param clamp   0 (free) … 1 (no turn): the head may turn (1 − clamp) · 180° from the chest's
///                forward direction.
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

accessors! {
    /// Returns the five look-at weights.
    ///
    /// @param out_weight  the weights.
    get sinew_animator_get_look_at_weight() -> out_weight: Option<&mut SinewLookAtWeight> = look_at_weight;

    /// Returns the outcome of the last solve for the look-at. residual_rad is the angle from the
    /// direction of the head (of the eyes, when they take part) to the weighted goal direction.
    ///
    /// @param out_outcome  SINEW_STATUS_INACTIVE before the first solve.
    get sinew_animator_get_look_at_outcome() -> out_outcome: Option<&mut SinewOutcome> = look_at_outcome;

    /// Sets the goal position of the body's centre of mass; the hips move to reach it. Stays until
    /// changed or cleared with sinew_animator_clear_body. Limbs with weighted goals stay on their
    /// goals.
    ///
    /// @param position  world space, metres.
    set sinew_animator_set_body_position(position: Option<&SinewVec3> => vec3) = set_body_position;

    /// Returns the body's centre of mass: the goal set since the last solve, else that of the
    /// animation, moved by what sinew_animator_apply_grounder has set since. Reads the pose buffer.
    ///
    /// @param out_position  world space, metres.
    get_posed sinew_animator_get_body_position() -> out_position: Option<&mut SinewVec3> = body_position;

    /// Sets the goal rotation of the body, about its centre of mass. Stays until changed or cleared
    /// with sinew_animator_clear_body.
    ///
    /// @param rotation  world space; X right, Y up, Z forward of the body: the mean of its lower
    ///                  and upper half.
    set sinew_animator_set_body_rotation(rotation: Option<&SinewQuat> => quat) = set_body_rotation;

    /// Returns the rotation of the body: the goal set since the last solve, else that of the
    /// animation, turned by what sinew_animator_apply_grounder has set since. Reads the pose
    /// buffer.
    ///
    /// @param out_rotation  world space.
    get_posed sinew_animator_get_body_rotation() -> out_rotation: Option<&mut SinewQuat> = body_rotation;

    /// Clears the goals of body position and body rotation, and a move of the body.
    set sinew_animator_clear_body() = clear_body;
}

/// Overrides the local rotation of a human bone, before anything else is solved. Stays until
/// changed or cleared with sinew_animator_clear_bone_local_rotations. The first override of an
/// animator allocates, later ones do not.
///
/// @param bone      a SinewHumanBone.
/// @param rotation  in the bone's parent joint.
/// @return SINEW_ERROR_BONE_NOT_MAPPED.
pub extern "C" fn sinew_animator_set_bone_local_rotation(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_bone_local_rotation", || {
        let bone = read::bone(bone)?;
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        registry::with_animator(animator, |character| {
            let _room = match character.animator.needs_memory_for_bones() {
                true => Some(rooms::SETTINGS.room(character.buffer().len())?),
                false => None,
            };
            Ok(character.animator.set_bone_local_rotation(bone, rotation)?)
        })
    })
}

accessors! {
    /// Returns the local rotation of a human bone: the override, else that of the animation. Reads
    /// the pose buffer.
    ///
    /// @param bone          a SinewHumanBone.
    /// @param out_rotation  in the bone's parent joint.
    /// @return SINEW_ERROR_BONE_NOT_MAPPED.
    get_of_buffer sinew_animator_get_bone_local_rotation(bone: SinewHumanBoneArg => bone)
        -> out_rotation: Option<&mut SinewQuat> = bone_local_rotation;

    /// Clears all bone rotation overrides.
    set sinew_animator_clear_bone_local_rotations() = clear_bone_local_rotations;

    /// Resets the humanoid input: clears all goals, their spaces and effector points, hints,
    /// look-at, body goals and bone rotation overrides; all weights 0.
    set sinew_animator_reset_ik() = reset_ik;
}

/// Fills a humanoid input with defaults: no position or rotation given, all weights 0 (look-at:
/// head 1, clamp 0.5).
///
/// @param out_input  the input.
pub extern "C" fn sinew_humanoid_input_default(out_input: Option<&mut SinewHumanoidInput>) -> SinewResult {
    guard("sinew_humanoid_input_default", || {
        *out_ref(out_input, "out_input")? = input::default();
        Ok(())
    })
}

/// Sets goals, hints, look-at and body in one call; replaces all values set before except bone
/// rotation overrides, goal spaces and effector points. An invalid number refuses the whole input.
///
/// @param input  see SinewHumanoidInput.
/// @return SINEW_ERROR_INVALID_ARGUMENT: unknown bits in `set`.
pub extern "C" fn sinew_animator_set_input(animator: SinewAnimator, input: Option<&SinewHumanoidInput>) -> SinewResult {
    guard("sinew_animator_set_input", || {
        let input = input::read(in_ref(input, "input")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_input(&input)?))
    })
}

/// Returns goals, hints, look-at and body as set.
///
/// @param out_input  the input; what is not flagged in `set` is zero (rotations: identity).
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

/// Reports whether the animator has an avatar.
///
/// @param out_is_human  1 or 0.
pub extern "C" fn sinew_animator_get_is_human(animator: SinewAnimator, out_is_human: Option<&mut u32>) -> SinewResult {
    guard("sinew_animator_get_is_human", || {
        let out = out_ref(out_is_human, "out_is_human")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.is_human() as u32;
            Ok(())
        })
    })
}

/// Returns the human scale: the height of the centre of mass above the soles in the T-pose; 1 for
/// an animator without avatar.
///
/// @param out_scale  metres (or the rig's unit).
pub extern "C" fn sinew_animator_get_human_scale(animator: SinewAnimator, out_scale: Option<&mut f32>) -> SinewResult {
    guard("sinew_animator_get_human_scale", || {
        let out = out_ref(out_scale, "out_scale")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.human_scale();
            Ok(())
        })
    })
}

/// Returns the distance from the left foot's goal point (the ankle joint) down to its sole, in the
/// T-pose.
///
/// @param out_height  metres (or the rig's unit), along the Y axis of the foot's goal frame.
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

/// Returns the distance from the right foot's goal point (the ankle joint) down to its sole, in the
/// T-pose.
///
/// @param out_height  metres (or the rig's unit), along the Y axis of the foot's goal frame.
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

/// Returns the joint of a human bone (Unity: GetBoneTransform).
///
/// @param bone       a SinewHumanBone.
/// @param out_joint  its joint index, or -1 when the avatar does not have the bone.
pub extern "C" fn sinew_animator_get_bone_joint(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    out_joint: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_animator_get_bone_joint", || {
        let out = out_ref(out_joint, "out_joint")?;
        let bone = read::bone(bone)?;
        registry::with_animator(animator, |character| {
            *out = joint_index(character.animator.bone_joint(bone)?);
            Ok(())
        })
    })
}
