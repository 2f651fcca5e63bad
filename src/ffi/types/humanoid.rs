//! Inputs and settings of a humanoid.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_LEFT_FOOT].position` is given.
pub const SINEW_INPUT_LEFT_FOOT_POSITION: u32 = 1;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_RIGHT_FOOT].position` is given.
pub const SINEW_INPUT_RIGHT_FOOT_POSITION: u32 = 1 << 1;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_LEFT_HAND].position` is given.
pub const SINEW_INPUT_LEFT_HAND_POSITION: u32 = 1 << 2;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_RIGHT_HAND].position` is given.
pub const SINEW_INPUT_RIGHT_HAND_POSITION: u32 = 1 << 3;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_LEFT_FOOT].rotation` is given.
pub const SINEW_INPUT_LEFT_FOOT_ROTATION: u32 = 1 << 4;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_RIGHT_FOOT].rotation` is given.
pub const SINEW_INPUT_RIGHT_FOOT_ROTATION: u32 = 1 << 5;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_LEFT_HAND].rotation` is given.
pub const SINEW_INPUT_LEFT_HAND_ROTATION: u32 = 1 << 6;
/// Flag of SinewHumanoidInput::set: `goals[SINEW_IK_GOAL_RIGHT_HAND].rotation` is given.
pub const SINEW_INPUT_RIGHT_HAND_ROTATION: u32 = 1 << 7;
/// Flag of SinewHumanoidInput::set: `hints[SINEW_IK_HINT_LEFT_KNEE].position` is given.
pub const SINEW_INPUT_LEFT_KNEE_POSITION: u32 = 1 << 8;
/// Flag of SinewHumanoidInput::set: `hints[SINEW_IK_HINT_RIGHT_KNEE].position` is given.
pub const SINEW_INPUT_RIGHT_KNEE_POSITION: u32 = 1 << 9;
/// Flag of SinewHumanoidInput::set: `hints[SINEW_IK_HINT_LEFT_ELBOW].position` is given.
pub const SINEW_INPUT_LEFT_ELBOW_POSITION: u32 = 1 << 10;
/// Flag of SinewHumanoidInput::set: `hints[SINEW_IK_HINT_RIGHT_ELBOW].position` is given.
pub const SINEW_INPUT_RIGHT_ELBOW_POSITION: u32 = 1 << 11;
/// Flag of SinewHumanoidInput::set: the look-at position is given.
pub const SINEW_INPUT_LOOK_AT_POSITION: u32 = 1 << 12;
/// Flag of SinewHumanoidInput::set: the body position is given.
pub const SINEW_INPUT_BODY_POSITION: u32 = 1 << 13;
/// Flag of SinewHumanoidInput::set: the body rotation is given.
pub const SINEW_INPUT_BODY_ROTATION: u32 = 1 << 14;
/// Flag of SinewHumanoidInput::set, without those of body position and body rotation: the two
/// members are a move of the hips and a turn about them, from where the pose has them when the body
/// step runs. sinew_animator_apply_grounder sets it.
pub const SINEW_INPUT_BODY_MOVE: u32 = 1 << 15;

/// Goal of one hand or foot in a SinewHumanoidInput.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewIkGoalInput {
    /// World space, metres, or the space of sinew_animator_set_ik_goal_space.
    pub position: SinewVec3,
    /// World space, or the same space, in Unity's goal frame: X to the right of the hand or foot, Y
    /// out of its back, Z along fingers or toes.
    pub rotation: SinewQuat,
    /// 0 (animated position) … 1 (at the goal); clamped.
    pub position_weight: f32,
    /// 0 (rotation before IK) … 1 (goal rotation); clamped.
    pub rotation_weight: f32,
}

/// Bend hint of one knee or elbow in a SinewHumanoidInput.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewIkHintInput {
    /// World space, metres, or the space of the limb's goal.
    pub position: SinewVec3,
    /// 0 (bend of the animation) … 1 (the joint points at the hint); clamped.
    pub weight: f32,
}

/// Weights of the look-at, each clamped to 0 … 1.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewLookAtWeight {
    /// Global weight; multiplies body, head and eyes. Default 0.
    pub weight: f32,
    /// Fraction of the turn that the spine takes. Default 0.
    pub body: f32,
    /// Fraction of the rest that neck and head take. Default 1.
    pub head: f32,
    /// Fraction of the rest that the eyes take, within their range. Default 0.
    pub eyes: f32,
    /// 0: free; 1: no turn. The head may turn (1 − clamp) · 180° from the chest's forward
    /// direction. Default 0.5.
    pub clamp: f32,
}

/// All inputs of a humanoid in one struct, for sinew_animator_set_input and worlds.
///
/// Fill it with sinew_humanoid_input_default or sinew_animator_get_input first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanoidInput {
    /// Set by sinew_humanoid_input_default.
    pub struct_size: u32,
    /// Which positions and rotations below are given: bitwise OR of SINEW_INPUT_…; the others come
    /// from the animation and are not read. Weights always count.
    pub set: u32,
    /// Goals, by SinewIkGoal.
    pub goals: [SinewIkGoalInput; 4],
    /// Hints, by SinewIkHint.
    pub hints: [SinewIkHintInput; 4],
    /// Point to look at, world space, metres.
    pub look_at_position: SinewVec3,
    /// Look-at weights.
    pub look_at_weight: SinewLookAtWeight,
    /// Centre of mass, world space, metres; with SINEW_INPUT_BODY_MOVE: move of the hips.
    pub body_position: SinewVec3,
    /// Orientation of the body, world space; with SINEW_INPUT_BODY_MOVE: turn about the hips.
    pub body_rotation: SinewQuat,
}

/// Features beyond Unity's Animator, all off by default.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanoidSettings {
    /// Set by sinew_humanoid_settings_default.
    pub struct_size: u32,
    /// Left, right: how far the clavicle turns towards a far hand goal, 0 (default) … 1 (30° up,
    /// 15° down, forward and back). It starts at 70 % of the arm's reach; a goal where the
    /// animation has the hand gets none.
    pub shoulder_weights: [f32; 2],
    /// How far the spine bends towards hand goals out of reach, 0 (default) … 1 (until they are
    /// reached, at most 60° in all).
    pub spine_weight: f32,
    /// By SinewIkGoal: how much of a goal's distance beyond reach the hips compensate, 0 (default)
    /// … 1 (all of it, as far as feet with goals allow), times the goal's position weight.
    pub pull_weights: [f32; 4],
    /// By SinewIkGoal: switch time, seconds in which a limb goes over to a new weight or goal until
    /// 1 % of the jump is left; 0 (default): at once. Time passes with sinew_animator_advance.
    pub inertialization_times_s: [f32; 4],
    /// 1: human ranges count as joint limits, for constraints and for what humanoid goals and
    /// look-at move (docs/animator.md); 0 (default): no human limits, as in Unity.
    pub limits_enabled: u32,
    /// How far elbows and knees of limbs with goals go where people's go: 0 (default: where the
    /// shortest turn takes the animation's) … 1. Hints outweigh it (docs/animator.md).
    pub bend_weight: f32,
    /// Switch time of the look-at, seconds in which the gaze goes over to other weights or another
    /// target (sinew_animator_inertialize_look_at) until 1 % of the jump is left; 0 (default): at
    /// once. Time passes with sinew_animator_advance.
    pub look_at_inertialization_time_s: f32,
    /// How far elbows of arms with hand goals swivel out of the trunk, 0 (default: not at all) … 1
    /// (until they are outside). The hand stays; an elbow that the animation has inside may stay as
    /// far inside. Hints outweigh it, and the whole-body solver does not use it
    /// (docs/animator.md).
    pub trunk_avoidance: f32,
}
