//! A chain as plain data.

use super::constraint::SinewChainDef;
use super::constraint_goal::{SinewConstraintGoal, SinewPole};
use super::joint_limits::SinewJointLimits;
use super::math::SinewTransform;
use safer_ffi::prelude::*;

/// Input of sinew_chain_solve: joints, their limits, goals and settings as plain arrays. Fill it
/// with sinew_chain_job_default first. Model space is the space of joints without parent.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewChainJob {
    /// Set by sinew_chain_job_default.
    pub struct_size: u32,
    /// Number of joints, 1 … 65535: length of `parents`, `rest`, `limits`, `pose`.
    pub joint_count: u32,
    /// Index of each joint's parent, lower than its own; -1 for none.
    pub parents: *const i32,
    /// Rest transform of each joint in its parent; limits and the plane count from it.
    pub rest: *const SinewTransform,
    /// Limits of each joint, counted from its rest rotation; NULL (default): all joints are free.
    pub limits: *const SinewJointLimits,
    /// Goal of each end, `def.end_count` of them, in model space in place of world space.
    pub goals: *const SinewConstraintGoal,
    /// Pole of a chain with one end, in model space; NULL (default): the bend of the pose.
    pub pole: *const SinewPole,
    /// Ends, number of joints, solver and its settings, as for sinew_animator_add_chain. Joints
    /// that are not in the chain stay as they are.
    pub def: SinewChainDef,
    /// How many steps of work the solve may take, as for sinew_animator_set_max_work; clamped to
    /// SINEW_MAX_WORK, the default.
    pub max_work: u32,
}
