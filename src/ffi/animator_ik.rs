//! The Animator's IK goals and bend hints.

use super::accessors::accessors;
use super::guard::guard;
use super::ids::SinewAnimator;
use super::registry;
use super::result::SinewResult;
use super::types::{SinewIkGoalArg, SinewIkHintArg, SinewOutcome, SinewQuat, SinewVec3};

accessors! {
    /// Sets the goal position of a hand or foot. No effect while the position weight is 0.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param position  world space, metres: of the wrist or ankle joint.
    set sinew_animator_set_ik_position(goal: SinewIkGoalArg => goal, position: Option<&SinewVec3> => vec3)
        = set_ik_position;

    /// Returns the goal position of a hand or foot: the one set since the last solve, else that of
    /// the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_position  world space, metres.
    get_of_buffer sinew_animator_get_ik_position(goal: SinewIkGoalArg => goal)
        -> out_position: Option<&mut SinewVec3> = ik_position;

    /// Sets the goal rotation of a hand or foot. No effect while the rotation weight is 0.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param rotation  world space, in Unity's goal frame: X to the right of the hand or foot,
    ///                  Y out of the back of the hand or the top of the foot, Z along fingers or
    ///                  toes.
    set sinew_animator_set_ik_rotation(goal: SinewIkGoalArg => goal, rotation: Option<&SinewQuat> => quat)
        = set_ik_rotation;

    /// Returns the goal rotation of a hand or foot: the one set since the last solve, else that of
    /// the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_rotation  world space, Unity's goal frame.
    get_of_buffer sinew_animator_get_ik_rotation(goal: SinewIkGoalArg => goal)
        -> out_rotation: Option<&mut SinewQuat> = ik_rotation;

    /// Sets the goal rotation of a hand or foot by the rotation of its joint, in place of the goal
    /// frame. It replaces the goal of sinew_animator_set_ik_rotation and has the same weight. Uses
    /// the mirror signs of the current root transform.
    ///
    /// @param goal      a SinewIkGoal.
    /// @param rotation  world space, in the joint's axes (in Unity: Transform.rotation of the
    ///                  bone).
    set sinew_animator_set_ik_rotation_bone(goal: SinewIkGoalArg => goal, rotation: Option<&SinewQuat> => quat)
        = set_ik_rotation_bone;

    /// Returns the goal rotation of a hand or foot as rotation of its joint: the one set since the
    /// last solve, else that of the animation. Reads the pose buffer.
    ///
    /// @param goal          a SinewIkGoal.
    /// @param out_rotation  world space, in the joint's axes.
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
    /// @param position  world space, metres.
    set sinew_animator_set_ik_hint_position(hint: SinewIkHintArg => hint, position: Option<&SinewVec3> => vec3)
        = set_ik_hint_position;

    /// Returns the hint of a knee or elbow: the one set since the last solve, else the animated
    /// position of the joint. Reads the pose buffer.
    ///
    /// @param hint          a SinewIkHint.
    /// @param out_position  world space, metres.
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
