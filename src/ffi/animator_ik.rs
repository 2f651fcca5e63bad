//! The Animator's IK goals and bend hints, the spaces that they are given in, and effector points.

use super::accessors::accessors;
use super::convert::joint_index;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::SinewAnimator;
use super::reserve::Room;
use super::result::SinewResult;
use super::types::{SinewIkGoalArg, SinewIkHintArg, SinewOutcome, SinewQuat, SinewVec3};
use super::{read, registry, rooms};
use crate::humanoid::BodySolverMode;
use crate::world::Character;

accessors! {
    /// Sets the goal position of a hand or foot. No effect while the position weight is 0.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param position  world space, metres, or the space of sinew_animator_set_ik_goal_space: of
    ///                  the wrist or ankle joint, or of the point of
    ///                  sinew_animator_set_ik_effector_point.
    set sinew_animator_set_ik_position(goal: SinewIkGoalArg => goal, position: Option<&SinewVec3> => vec3)
        = set_ik_position;

    /// Returns the goal position of a hand or foot: the one set since the last solve, else that of
    /// the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_position  world space, metres, or the goal's space.
    get_of_buffer sinew_animator_get_ik_position(goal: SinewIkGoalArg => goal)
        -> out_position: Option<&mut SinewVec3> = ik_position;

    /// Sets the goal rotation of a hand or foot. No effect while the rotation weight is 0.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param rotation  world space, or the goal's space, in Unity's goal frame: X to the right of
    ///                  the hand or foot, Y out of the back of the hand or the top of the foot, Z
    ///                  along fingers or toes.
    set sinew_animator_set_ik_rotation(goal: SinewIkGoalArg => goal, rotation: Option<&SinewQuat> => quat)
        = set_ik_rotation;

    /// Returns the goal rotation of a hand or foot: the one set since the last solve, else that of
    /// the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_rotation  world space, or the goal's space, Unity's goal frame.
    get_of_buffer sinew_animator_get_ik_rotation(goal: SinewIkGoalArg => goal)
        -> out_rotation: Option<&mut SinewQuat> = ik_rotation;

    /// Sets the goal rotation of a hand or foot by the rotation of its joint, in place of the goal
    /// frame. It replaces the goal of sinew_animator_set_ik_rotation and has the same weight. Uses
    /// the mirror signs of the current root transform; in a goal's space those of its joint.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param rotation  world space, or the goal's space, in the joint's axes (in Unity:
    ///                  Transform.rotation of the bone).
    set sinew_animator_set_ik_rotation_bone(goal: SinewIkGoalArg => goal, rotation: Option<&SinewQuat> => quat)
        = set_ik_rotation_bone;

    /// Returns the goal rotation of a hand or foot as rotation of its joint: the one set since the
    /// last solve, else that of the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_rotation  world space, or the goal's space, in the joint's axes.
    get_of_buffer sinew_animator_get_ik_rotation_bone(goal: SinewIkGoalArg => goal)
        -> out_rotation: Option<&mut SinewQuat> = ik_rotation_bone;

    /// Sets the weight of a hand's or foot's goal position. Default 0.
    ///
    /// @param goal    a SinewIkGoal.
    /// @param weight  0 (animated position) … 1 (at the goal); clamped.
    set sinew_animator_set_ik_position_weight(goal: SinewIkGoalArg => goal, weight: f32 => number)
        = set_ik_position_weight;

    /// Returns the weight of a hand's or foot's goal position.
    ///
    /// @param goal        a SinewIkGoal.
    /// @param out_weight  0 … 1.
    get sinew_animator_get_ik_position_weight(goal: SinewIkGoalArg => goal)
        -> out_weight: Option<&mut f32> = ik_position_weight;

    /// Sets the weight of a hand's or foot's goal rotation. Default 0.
    ///
    /// @param goal    a SinewIkGoal.
    /// @param weight  0 (rotation before IK) … 1 (goal rotation); clamped.
    set sinew_animator_set_ik_rotation_weight(goal: SinewIkGoalArg => goal, weight: f32 => number)
        = set_ik_rotation_weight;

    /// Returns the weight of a hand's or foot's goal rotation.
    ///
    /// @param goal        a SinewIkGoal.
    /// @param out_weight  0 … 1.
    get sinew_animator_get_ik_rotation_weight(goal: SinewIkGoalArg => goal)
        -> out_weight: Option<&mut f32> = ik_rotation_weight;

    /// Sets the hint of a knee or elbow: the point it bends towards. It only swivels the limb about
    /// the line from its root to its end.
    ///
    /// @param hint      a SinewIkHint.
    /// @param position  world space, metres, or the space of the limb's goal.
    set sinew_animator_set_ik_hint_position(hint: SinewIkHintArg => hint, position: Option<&SinewVec3> => vec3)
        = set_ik_hint_position;

    /// Returns the hint of a knee or elbow: the one set since the last solve, else the animated
    /// position of the joint. Reads the pose buffer.
    ///
    /// @param hint          a SinewIkHint.
    /// @param out_position  world space, metres, or the space of the limb's goal.
    get_of_buffer sinew_animator_get_ik_hint_position(hint: SinewIkHintArg => hint)
        -> out_position: Option<&mut SinewVec3> = ik_hint_position;

    /// Sets the weight of a knee's or elbow's hint. Default 0.
    ///
    /// @param hint    a SinewIkHint.
    /// @param weight  0 (bend of the animation) … 1 (faces the hint); clamped.
    set sinew_animator_set_ik_hint_position_weight(hint: SinewIkHintArg => hint, weight: f32 => number)
        = set_ik_hint_position_weight;

    /// Returns the weight of a knee's or elbow's hint.
    ///
    /// @param hint        a SinewIkHint.
    /// @param out_weight  0 … 1.
    get sinew_animator_get_ik_hint_position_weight(hint: SinewIkHintArg => hint)
        -> out_weight: Option<&mut f32> = ik_hint_position_weight;

    /// Returns the outcome of the last solve for a hand or foot.
    ///
    /// @param goal         a SinewIkGoal.
    /// @param out_outcome  SINEW_STATUS_INACTIVE before the first solve.
    get sinew_animator_get_ik_outcome(goal: SinewIkGoalArg => goal)
        -> out_outcome: Option<&mut SinewOutcome> = ik_outcome;
}

/// Sets the space in which position, rotation and hint of a hand or foot are given: that of a joint
/// of the character, in place of world space. Stays until changed or cleared with
/// sinew_animator_reset_ik; numbers that are set already are read in the new space. The joint
/// counts as the frame has left it when the limb is solved: after bone overrides, body, spine,
/// look-at and constraints placed before SINEW_FRAME_STEP_LIMBS, and a joint of another limb after
/// that limb: limbs are solved in the order of their spaces. Points are mapped by the joint's whole
/// frame, scale included (in Unity: Transform.TransformPoint), rotations by its rotation and mirror
/// signs. What was never set of a goal is where the animation has it in that space. The first call
/// of an animator allocates, and those while its whole-body solver is on.
///
/// @param goal   a SinewIkGoal.
/// @param joint  0 … joint count − 1, or -1 for world space, the default. Not on or below the
///               goal's own limb, from upper arm or thigh on; not on a limb that follows this one
///               by its own goal's space.
/// @return SINEW_ERROR_OUT_OF_RANGE: no such joint; SINEW_ERROR_INVALID_ARGUMENT: a joint of the
///         goal's own limb, or a circle.
pub extern "C" fn sinew_animator_set_ik_goal_space(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    joint: i32,
) -> SinewResult {
    guard("sinew_animator_set_ik_goal_space", || {
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            let space = read::optional_joint("joint", joint, character.buffer().len())?;
            let _room = room_for_places(character)?;
            Ok(character.animator.set_ik_goal_space(goal, space)?)
        })
    })
}

/// Returns the joint in whose space a goal is given.
///
/// @param goal       a SinewIkGoal.
/// @param out_joint  its index; -1 for world space.
pub extern "C" fn sinew_animator_get_ik_goal_space(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    out_joint: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_animator_get_ik_goal_space", || {
        let out = out_ref(out_joint, "out_joint")?;
        let goal = read::goal(goal)?;
        registry::with_animator(animator, |character| {
            *out = joint_index(character.animator.ik_goal_space(goal)?);
            Ok(())
        })
    })
}

/// Sets the point of a hand or foot that its goal position is for: the palm, the sole, the tip of a
/// weapon. The hand or foot turns as it does without one, and the limb brings the point to the
/// goal. Stays until changed or cleared with sinew_animator_reset_ik. The first call of an animator
/// allocates.
///
/// @param goal   a SinewIkGoal.
/// @param point  in the space of the wrist or ankle joint, along the bone's own axes, in metres of
///               that space. Default zero: the joint itself.
pub extern "C" fn sinew_animator_set_ik_effector_point(
    animator: SinewAnimator,
    goal: SinewIkGoalArg,
    point: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_ik_effector_point", || {
        let goal = read::goal(goal)?;
        let point = read::vec3("point", in_ref(point, "point")?)?;
        registry::with_animator(animator, |character| {
            let _room = room_for_places(character)?;
            Ok(character.animator.set_ik_effector_point(goal, point)?)
        })
    })
}

accessors! {
    /// Returns the point of a hand or foot that its goal position is for.
    ///
    /// @param goal       a SinewIkGoal.
    /// @param out_point  in the space of the wrist or ankle joint; zero: the joint itself.
    get sinew_animator_get_ik_effector_point(goal: SinewIkGoalArg => goal)
        -> out_point: Option<&mut SinewVec3> = ik_effector_point;
}

/// Memory for the spaces and points of an animator that has none yet, and for the tasks of its
/// whole-body solver.
fn room_for_places(character: &Character) -> Result<Option<Room>, Failure> {
    let is_solver_on = character.animator.body_solver().is_ok_and(|settings| settings.mode != BodySolverMode::Off);
    let need = match (is_solver_on, character.animator.needs_memory_for_places()) {
        (true, _) => rooms::BODY_SOLVER,
        (false, true) => rooms::SMALL,
        (false, false) => return Ok(None),
    };
    need.room(character.buffer().len()).map(Some)
}
