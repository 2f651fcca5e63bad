//! The whole-body solver of a humanoid animator: settings and effectors.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// How the goals of a humanoid become a pose.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodySolverMode {
    /// Each limb for itself, in closed form; effectors have no effect.
    Off = 0,
    /// The whole body at once; each pose depends on the animation and the input alone.
    Converge = 1,
    /// The whole body at once, from the last pose, with bounded work per frame. Time passes with
    /// sinew_animator_advance.
    Track = 2,
}
/// A [`SinewBodySolverMode`] as it arrives, checked before use.
pub type SinewBodySolverModeArg = i32;

/// Effectors of the whole-body solver beside the goals of hands and feet.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewHumanEffector {
    /// The hips.
    Hips = 0,
    /// The highest of spine, chest and upper chest.
    Chest = 1,
    /// The head.
    Head = 2,
    /// Left shoulder joint: where the upper arm begins.
    LeftShoulder = 3,
    /// Right shoulder joint.
    RightShoulder = 4,
    /// Left elbow: where the forearm begins.
    LeftElbow = 5,
    /// Right elbow.
    RightElbow = 6,
    /// Left knee: where the shin begins.
    LeftKnee = 7,
    /// Right knee.
    RightKnee = 8,
}
/// A [`SinewHumanEffector`] as it arrives, checked before use.
pub type SinewHumanEffectorArg = i32;

/// Flag of SinewBodyEffectorInput::set: the position is given.
pub const SINEW_BODY_EFFECTOR_INPUT_POSITION: u32 = 1;
/// Flag of SinewBodyEffectorInput::set: the rotation is given.
pub const SINEW_BODY_EFFECTOR_INPUT_ROTATION: u32 = 1 << 1;

/// Settings of the whole-body solver of an animator. Fill it with
/// sinew_body_solver_settings_default or sinew_animator_get_body_solver first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewBodySolverSettings {
    /// Set by sinew_body_solver_settings_default.
    pub struct_size: u32,
    /// A SinewBodySolverMode. Default SINEW_BODY_SOLVER_MODE_OFF.
    pub mode: i32,
    /// 1 (default): feet stay where the animation has them, as far as their goals have no weight.
    /// Feet have priority over everything else. 0: they follow the body.
    pub holds_feet: u32,
    /// How far the centre of mass is kept above the soles of feet that are held or have a goal, 0
    /// (not at all, default) … 1.
    pub balance_weight: f32,
    /// 0 (the hips move and turn as readily as any joint) … 1 (hardly). Default 0.5.
    pub hips_stiffness: f32,
    /// The same for spine and chest, and half of it for neck and head. Default 0.5.
    pub spine_stiffness: f32,
    /// The same for the clavicles. Default 0.7.
    pub shoulder_stiffness: f32,
}

/// Goal of an effector. All zero: the effector is free.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewBodyEffectorInput {
    /// Which of position and rotation are given: bitwise OR of SINEW_BODY_EFFECTOR_INPUT_…; what is
    /// not given is the animation's own, which holds the effector, and is not read.
    pub set: u32,
    /// Of the effector's joint, world space, metres.
    pub position: SinewVec3,
    /// Of the effector's joint, world space, in the joint's axes.
    pub rotation: SinewQuat,
    /// 0 (free) … 1 (at the goal); clamped.
    pub position_weight: f32,
    /// 0 (free) … 1 (as the goal); clamped.
    pub rotation_weight: f32,
}

/// How much a goal counts where the whole-body solver cannot meet all goals. Fill it with
/// sinew_animator_get_ik_goal_priority or sinew_animator_get_body_effector_priority first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewGoalPriority {
    /// Ratio in conflicts of one level, of the position: the squared error counts by it, 1e-6 …
    /// 1e6. Default 1. Not for fading: where nothing opposes, the least importance is obeyed.
    pub position_importance: f32,
    /// The same of the rotation.
    pub rotation_importance: f32,
    /// 0 … SINEW_BODY_MAX_LEVEL: goals of a level give way to those of lower levels. Default 0 for
    /// feet, 1 for hands and effectors; body position and rotation have 1, hints and look-at 2.
    pub level: u32,
}
