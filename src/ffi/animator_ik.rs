//! The Animator's IK goals and bend hints.

use super::guard::{guard, in_ref, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewIkGoalArg, SinewIkHintArg, SinewQuat, SinewVec3};
use super::{read, registry};

/// Sets where a hand or foot shall be. Stays until changed; has no effect while the position weight is 0.
///
/// @param goal      a SinewIkGoal.
/// @param position  world space, metres: the wrist or ankle joint; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_position(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    position: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_ik_position", || {
        let goal = read::goal(goal)?;
        let position = read::vec3("position", in_ref(position, "position")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_position(goal, position)?))
    })
}

/// Gives where a hand or foot shall be: what was set since the last solve, else the animation's own goal, computed from the
/// pose buffer and the root transform.
///
/// @param goal          a SinewIkGoal.
/// @param out_position  written on success: world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_position(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_position: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_get_ik_position", || {
        let out = out_ref(out_position, "out_position")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.ik_position(goal)?.into();
            Ok(())
        })
    })
}

/// Sets how a hand or foot shall be turned. Stays until changed; has no effect while the rotation weight is 0.
///
/// @param goal      a SinewIkGoal.
/// @param rotation  world space, in Unity's goal frame: X to the right of the hand or foot, Y out of the back of the hand or the
///                  top of the foot, Z along the fingers or toes; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _INVALID_ROTATION, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_rotation(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_ik_rotation", || {
        let goal = read::goal(goal)?;
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_rotation(goal, rotation)?))
    })
}

/// Gives how a hand or foot shall be turned: what was set since the last solve, else the animation's own goal.
///
/// @param goal          a SinewIkGoal.
/// @param out_rotation  written on success: world space, Unity's goal frame; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_rotation(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_ik_rotation", || {
        let out = out_ref(out_rotation, "out_rotation")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.ik_rotation(goal)?.into();
            Ok(())
        })
    })
}

/// Sets how a hand or foot *joint* shall be turned: what its own world rotation shall be, in place of the goal frame. Both are
/// views of one goal: this replaces what sinew_animator_set_ik_rotation set, and the weight is the same. Goes by the mirror
/// signs of the root as it is now.
///
/// @param goal      a SinewIkGoal.
/// @param rotation  world space, in the joint's own axes (what Unity's Transform.rotation of the bone shall be); not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _INVALID_ROTATION, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_rotation_bone(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_ik_rotation_bone", || {
        let goal = read::goal(goal)?;
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_rotation_bone(goal, rotation)?))
    })
}

/// Gives how a hand or foot joint shall be turned: what was set since the last solve, else the animation's own.
///
/// @param goal          a SinewIkGoal.
/// @param out_rotation  written on success: world space, in the joint's own axes; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_rotation_bone(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_ik_rotation_bone", || {
        let out = out_ref(out_rotation, "out_rotation")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.ik_rotation_bone(goal)?.into();
            Ok(())
        })
    })
}

/// Sets how far a hand or foot follows its goal position. Stays until changed. Default 0.
///
/// @param goal    a SinewIkGoal.
/// @param weight  0 (the animated position) … 1 (at the goal); values outside are limited to that range.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_position_weight(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_ik_position_weight", || {
        let goal = read::goal(goal)?;
        let weight = read::weight("weight", weight)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_position_weight(goal, weight)?))
    })
}

/// Gives how far a hand or foot follows its goal position.
///
/// @param goal        a SinewIkGoal.
/// @param out_weight  written on success: 0 … 1; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_position_weight(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_weight: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_ik_position_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.ik_position_weight(goal)?;
            Ok(())
        })
    })
}

/// Sets how far a hand or foot follows its goal rotation. Stays until changed. Default 0.
///
/// @param goal    a SinewIkGoal.
/// @param weight  0 (the rotation before IK) … 1 (at the goal); values outside are limited to that range.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_rotation_weight(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_ik_rotation_weight", || {
        let goal = read::goal(goal)?;
        let weight = read::weight("weight", weight)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_rotation_weight(goal, weight)?))
    })
}

/// Gives how far a hand or foot follows its goal rotation.
///
/// @param goal        a SinewIkGoal.
/// @param out_weight  written on success: 0 … 1; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_rotation_weight(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_weight: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_ik_rotation_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.ik_rotation_weight(goal)?;
            Ok(())
        })
    })
}

/// Sets the point a knee or elbow shall bend towards. It only swivels the limb about the line from its root to its end.
///
/// @param hint      a SinewIkHint.
/// @param position  world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_hint_position(
    animator: SinewAnimator,
    hint: SinewIkHintArg,
    position: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_ik_hint_position", || {
        let hint = read::hint(hint)?;
        let position = read::vec3("position", in_ref(position, "position")?)?;
        registry::with_animator(animator, |character| Ok(character.animator.set_ik_hint_position(hint, position)?))
    })
}

/// Gives the point a knee or elbow shall bend towards: what was set since the last solve, else the animation's own knee or elbow.
///
/// @param hint          a SinewIkHint.
/// @param out_position  written on success: world space, metres; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and
///         _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_hint_position(
    animator: SinewAnimator,
    hint: SinewIkHintArg,
    out_position: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_get_ik_hint_position", || {
        let out = out_ref(out_position, "out_position")?;
        let hint = read::hint(hint)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.ik_hint_position(hint)?.into();
            Ok(())
        })
    })
}

/// Sets how far a knee or elbow follows its hint. Stays until changed. Default 0.
///
/// @param hint    a SinewIkHint.
/// @param weight  0 (bend of the animation) … 1 (points at the hint); values outside are limited to that range.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_set_ik_hint_position_weight(
    animator: SinewAnimator,
    hint: SinewIkHintArg,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_ik_hint_position_weight", || {
        let hint = read::hint(hint)?;
        let weight = read::weight("weight", weight)?;
        registry::with_animator(animator, |character| {
            Ok(character.animator.set_ik_hint_position_weight(hint, weight)?)
        })
    })
}

/// Gives how far a knee or elbow follows its hint.
///
/// @param hint        a SinewIkHint.
/// @param out_weight  written on success: 0 … 1; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_HUMANOID, _BUSY,
///         _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_ik_hint_position_weight(
    animator: SinewAnimator,
    hint: SinewIkHintArg,
    out_weight: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_ik_hint_position_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        let hint = read::hint(hint)?;
        registry::with_animator(animator, |character| {
            *out = character.animator.ik_hint_position_weight(hint)?;
            Ok(())
        })
    })
}
