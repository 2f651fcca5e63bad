//! The definition of an avatar, with the joint ranges of human bones.

use super::super::ids::SinewSkeleton;
use super::math::{SinewTransform, SinewVec3};
use safer_ffi::prelude::*;

/// Joint range of a human bone, radians from the T-pose; docs/animator.md defines the directions.
///
/// Elbows and knees have bend and twist, toes and outer finger joints have bend only. Angles
/// between a half and a full turn are clamped to a half; angles beyond a full turn are refused
/// (SINEW_ERROR_INVALID_ARGUMENT), since they are most likely degrees.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanRange {
    /// A SinewHumanBone.
    pub bone: i32,
    /// Minimum bend.
    pub bend_min_rad: f32,
    /// Maximum bend, not below the minimum.
    pub bend_max_rad: f32,
    /// Minimum sideways bend.
    pub side_min_rad: f32,
    /// Maximum sideways bend.
    pub side_max_rad: f32,
    /// Minimum twist about the bone axis (of a hand: the forearm's, of a foot: the shin's).
    pub twist_min_rad: f32,
    /// Maximum twist.
    pub twist_max_rad: f32,
}

/// SinewAvatarDef::human_range_set: joints of healthy adults as clinics measure them.
pub const SINEW_HUMAN_RANGES_MEASURED: u32 = 0;
/// SinewAvatarDef::human_range_set: Unity's muscle ranges.
pub const SINEW_HUMAN_RANGES_MUSCLES: u32 = 1;

/// Input of sinew_avatar_create: which joint is which human bone.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAvatarDef {
    /// Set by sinew_avatar_def_default.
    pub struct_size: u32,
    /// Number of entries in `human_joints`: SINEW_HUMAN_BONE_COUNT, the default.
    pub human_joint_count: u32,
    /// The rig.
    pub skeleton: SinewSkeleton,
    /// Joint of each SinewHumanBone, or -1. Fifteen bones are required.
    pub human_joints: *const i32,
    /// Local transform of every joint in the T-pose (facing forward, arms straight out to the
    /// sides, palms down). NULL (default): computed from the skeleton's rest pose.
    pub t_pose: *const SinewTransform,
    /// Up axis of the character in model space, any length; zero (default): computed from the
    /// joints.
    pub up: SinewVec3,
    /// Direction the chest faces in the T-pose, model space, any length; zero (default): computed
    /// from the joints.
    pub forward: SinewVec3,
    /// How much an arm may lengthen to reach a goal, as a fraction of its length, 0 … 1. Stretching
    /// starts as far before full extension as it goes beyond it, or where the animation holds the
    /// arm if that is farther. 0 keeps bone lengths. Default 0.05, as in Unity.
    pub arm_stretch: f32,
    /// The same for a leg. Default 0.05.
    pub leg_stretch: f32,
    /// Fraction of an upper arm's roll that the elbow takes, 0 (all at the shoulder) … 1 (all at
    /// the elbow). Default 0.5, as in Unity. See docs/animator.md, "Twist".
    pub upper_arm_twist: f32,
    /// Fraction of a hand's roll that the wrist takes, 0 (all at the elbow) … 1 (all at the wrist).
    /// Default 0.5.
    pub lower_arm_twist: f32,
    /// Fraction of a thigh's roll that the knee takes, 0 (all at the hip) … 1 (all at the knee).
    /// Default 0.5.
    pub upper_leg_twist: f32,
    /// Fraction of a foot's roll that the ankle takes, 0 (all at the knee) … 1 (all at the ankle).
    /// Default 0.5.
    pub lower_leg_twist: f32,
    /// Minimum sideways distance of the ankles, as a fraction of the human scale, 0 … 1. Default 0:
    /// no minimum.
    pub feet_spacing: f32,
    /// Number of entries in `human_ranges`. Default 0.
    pub human_range_count: u32,
    /// Ranges that override the default human ranges for limits_enabled of SinewHumanoidSettings;
    /// of two entries for one bone the last counts. NULL (default): no overrides.
    pub human_ranges: *const SinewHumanRange,
    /// Which ranges count for bones without an entry in `human_ranges`: SINEW_HUMAN_RANGES_MEASURED
    /// (default) or SINEW_HUMAN_RANGES_MUSCLES. docs/animator.md has both tables.
    pub human_range_set: u32,
}
