//! The Animator's IK goals and bend hints.

use super::guard::{guard, in_ref, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewIkGoalArg, SinewIkHintArg, SinewOutcome, SinewQuat, SinewVec3};
use super::{read, registry};

/// Sets the goal position of a hand or foot. No effect while the position weight is 0.
///
/// @param goal      a SinewIkGoal.
/// @param position  world space, metres: of the wrist or ankle joint.
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

/// Returns the goal position of a hand or foot: the one set since the last solve, else that of the
/// animation. Reads the pose buffer.
///
/// @param goal          a SinewIkGoal.
/// @param out_position  world space, metres.
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

/// Sets the goal rotation of a hand or foot. No effect while the rotation weight is 0.
///
/// @param goal      a SinewIkGoal.
/// @param rotation  world space, in Unity's goal frame: X to the right of the hand or foot, Y out
///                  of the back of the hand or the top of the foot, Z along fingers or toes.
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

/// Returns the goal rotation of a hand or foot: the one set since the last solve, else that of the
/// animation. Reads the pose buffer.
///
/// @param goal          a SinewIkGoal.
/// @param out_rotation  world space, Unity's goal frame.
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

/// Sets the goal rotation of a hand or foot by the rotation of its joint, in place of the goal
/// frame. It replaces the goal of sinew_animator_set_ik_rotation and has the same weight. Uses the
/// mirror signs of the current root transform.
///
/// @param goal      a SinewIkGoal.
/// @param rotation  world space, in the joint's axes (in Unity: Transform.rotation of the bone).
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

/// Returns the goal rotation of a hand or foot as rotation of its joint: the one set since the last
/// solve, else that of the animation. Reads the pose buffer.
///
/// @param goal          a SinewIkGoal.
/// @param out_rotation  world space, in the joint's axes.
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

/// Sets the weight of a hand's or foot's goal position. Default 0.
///
/// @param goal    a SinewIkGoal.
/// @param weight  0 (animated position) … 1 (at the goal); clamped.
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

/// Returns the weight of a hand's or foot's goal position.
///
/// @param goal        a SinewIkGoal.
/// @param out_weight  0 … 1.
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

/// Sets the weight of a hand's or foot's goal rotation. Default 0.
///
/// @param goal    a SinewIkGoal.
/// @param weight  0 (rotation before IK) … 1 (goal rotation); clamped.
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

/// Returns the weight of a hand's or foot's goal rotation.
///
/// @param goal        a SinewIkGoal.
/// @param out_weight  0 … 1.
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

/// Sets the hint of a knee or elbow: the point it bends towards. It only swivels the limb about the
/// line from its root to its end.
///
/// @param hint      a SinewIkHint.
/// @param position  world space, metres.
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

/// Returns the hint of a knee or elbow: the one set since the last solve, else the animated
/// position of the joint. Reads the pose buffer.
///
/// @param hint          a SinewIkHint.
/// @param out_position  world space, metres.
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

/// Sets the weight of a knee's or elbow's hint. Default 0.
///
/// @param hint    a SinewIkHint.
/// @param weight  0 (bend of the animation) … 1 (faces the hint); clamped.
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

/// Returns the weight of a knee's or elbow's hint.
///
/// @param hint        a SinewIkHint.
/// @param out_weight  0 … 1.
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

/// Returns the outcome of the last solve for a hand or foot.
///
/// @param goal         a SinewIkGoal.
/// @param out_outcome  SINEW_STATUS_INACTIVE before the first solve.
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
