//! The structs that begin with their size.

use safer_ffi::prelude::*;

/// A struct that begins with struct_size, for sinew_default_sized.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewSizedStruct {
    /// SinewSkeletonDef.
    SkeletonDef = 0,
    /// SinewAvatarDef.
    AvatarDef = 1,
    /// SinewMappingHints.
    MappingHints = 2,
    /// SinewAnimatorDef.
    AnimatorDef = 3,
    /// SinewHumanoidInput.
    HumanoidInput = 4,
    /// SinewHumanoidSettings.
    HumanoidSettings = 5,
    /// SinewMatchTarget.
    MatchTarget = 6,
    /// SinewChainDef.
    ChainDef = 7,
    /// SinewTwoBoneDef.
    TwoBoneDef = 8,
    /// SinewCopyRotationDef.
    CopyRotationDef = 9,
    /// SinewAimDef.
    AimDef = 10,
    /// SinewSplineDef.
    SplineDef = 11,
    /// SinewConstraintGoal.
    ConstraintGoal = 12,
    /// SinewPole.
    Pole = 13,
    /// SinewJointLimits.
    JointLimits = 14,
    /// SinewBodySettings.
    BodySettings = 15,
    /// SinewBodyTaskDef.
    BodyTaskDef = 16,
    /// SinewBodyDrag.
    BodyDrag = 17,
    /// SinewBodySolverSettings.
    BodySolverSettings = 18,
    /// SinewWorldFrame.
    WorldFrame = 19,
    /// SinewGrounderSettings.
    GrounderSettings = 20,
    /// SinewFootModel.
    FootModel = 21,
    /// SinewGrounderFrame.
    GrounderFrame = 22,
    /// SinewSteppingSettings.
    SteppingSettings = 23,
    /// SinewContactRule.
    ContactRule = 24,
    /// SinewTrackedBodySettings.
    TrackedBodySettings = 25,
    /// SinewTwoBoneJob.
    TwoBoneJob = 26,
    /// SinewJointLimbJob.
    JointLimbJob = 27,
    /// SinewAimJob.
    AimJob = 28,
    /// SinewChainJob.
    ChainJob = 29,
}
/// A [`SinewSizedStruct`] as it arrives, checked before use.
pub type SinewSizedStructArg = i32;
