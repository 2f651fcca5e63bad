//! The structs and enums that cross the boundary.

use super::human_ranges::SinewHumanRange;
use super::ids::{SinewAvatar, SinewSkeleton};
use libc::c_char;
use safer_ffi::prelude::*;

/// Three floats: a point, vector or direction. The function says in which space and unit.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SinewVec3 {
    /// First component.
    pub x: f32,
    /// Second component.
    pub y: f32,
    /// Third component.
    pub z: f32,
}

/// A rotation: unit quaternion with the Hamilton product (`a * b` applies `b` first). Slightly off unit length is
/// normalised; (nearly) zero is refused with SINEW_ERROR_INVALID_ROTATION.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewQuat {
    /// First component of the vector part.
    pub x: f32,
    /// Second component of the vector part.
    pub y: f32,
    /// Third component of the vector part.
    pub z: f32,
    /// Scalar part; 1 for no rotation.
    pub w: f32,
}

/// Position, rotation and scale in the parent: `point_parent = position + rotation · (scale ∘ point)`. 40 bytes.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTransform {
    /// Metres (or the rig's own unit).
    pub position: SinewVec3,
    /// Rotation in the parent.
    pub rotation: SinewQuat,
    /// Factors per axis; 1 for rigid rigs. Negative (mirrored) and uneven scale are allowed.
    pub scale: SinewVec3,
}

/// Version of the library.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewVersion {
    /// Major version.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// Patch version.
    pub patch: u32,
    /// Number of the binary interface; compare with SINEW_ABI_VERSION of the header.
    pub abi: u32,
}

/// The four IK goals; numbers are those of Unity's AvatarIKGoal.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewIkGoal {
    /// Left foot; the goal point is the ankle joint.
    LeftFoot = 0,
    /// Right foot; the goal point is the ankle joint.
    RightFoot = 1,
    /// Left hand; the goal point is the wrist joint.
    LeftHand = 2,
    /// Right hand; the goal point is the wrist joint.
    RightHand = 3,
}
/// A [`SinewIkGoal`] as it arrives, checked before use.
pub type SinewIkGoalArg = i32;

/// The four bend hints; numbers are those of Unity's AvatarIKHint.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewIkHint {
    /// Left knee.
    LeftKnee = 0,
    /// Right knee.
    RightKnee = 1,
    /// Left elbow.
    LeftElbow = 2,
    /// Right elbow.
    RightElbow = 3,
}
/// A [`SinewIkHint`] as it arrives, checked before use.
pub type SinewIkHintArg = i32;

/// The human bones; numbers are those of Unity's HumanBodyBones.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewHumanBone {
    /// Pelvis, the root of the human bones. Required.
    Hips = 0,
    /// Thigh. Required.
    LeftUpperLeg = 1,
    /// Thigh. Required.
    RightUpperLeg = 2,
    /// Shin; its joint is the knee. Required.
    LeftLowerLeg = 3,
    /// Shin; its joint is the knee. Required.
    RightLowerLeg = 4,
    /// Foot; its joint is the ankle. Required.
    LeftFoot = 5,
    /// Foot; its joint is the ankle. Required.
    RightFoot = 6,
    /// First spine bone above the hips. Required.
    Spine = 7,
    /// Optional.
    Chest = 8,
    /// Optional.
    Neck = 9,
    /// Required.
    Head = 10,
    /// Clavicle. Optional.
    LeftShoulder = 11,
    /// Clavicle. Optional.
    RightShoulder = 12,
    /// Upper arm; its joint is the shoulder joint. Required.
    LeftUpperArm = 13,
    /// Upper arm; its joint is the shoulder joint. Required.
    RightUpperArm = 14,
    /// Forearm; its joint is the elbow. Required.
    LeftLowerArm = 15,
    /// Forearm; its joint is the elbow. Required.
    RightLowerArm = 16,
    /// Hand; its joint is the wrist. Required.
    LeftHand = 17,
    /// Hand; its joint is the wrist. Required.
    RightHand = 18,
    /// Toes; its joint is the ball of the foot. Optional.
    LeftToes = 19,
    /// Toes; its joint is the ball of the foot. Optional.
    RightToes = 20,
    /// Optional.
    LeftEye = 21,
    /// Optional.
    RightEye = 22,
    /// Optional.
    Jaw = 23,
    /// Finger bone. Optional.
    LeftThumbProximal = 24,
    /// Finger bone. Optional.
    LeftThumbIntermediate = 25,
    /// Finger bone. Optional.
    LeftThumbDistal = 26,
    /// Finger bone. Optional.
    LeftIndexProximal = 27,
    /// Finger bone. Optional.
    LeftIndexIntermediate = 28,
    /// Finger bone. Optional.
    LeftIndexDistal = 29,
    /// Finger bone. Optional.
    LeftMiddleProximal = 30,
    /// Finger bone. Optional.
    LeftMiddleIntermediate = 31,
    /// Finger bone. Optional.
    LeftMiddleDistal = 32,
    /// Finger bone. Optional.
    LeftRingProximal = 33,
    /// Finger bone. Optional.
    LeftRingIntermediate = 34,
    /// Finger bone. Optional.
    LeftRingDistal = 35,
    /// Finger bone. Optional.
    LeftLittleProximal = 36,
    /// Finger bone. Optional.
    LeftLittleIntermediate = 37,
    /// Finger bone. Optional.
    LeftLittleDistal = 38,
    /// Finger bone. Optional.
    RightThumbProximal = 39,
    /// Finger bone. Optional.
    RightThumbIntermediate = 40,
    /// Finger bone. Optional.
    RightThumbDistal = 41,
    /// Finger bone. Optional.
    RightIndexProximal = 42,
    /// Finger bone. Optional.
    RightIndexIntermediate = 43,
    /// Finger bone. Optional.
    RightIndexDistal = 44,
    /// Finger bone. Optional.
    RightMiddleProximal = 45,
    /// Finger bone. Optional.
    RightMiddleIntermediate = 46,
    /// Finger bone. Optional.
    RightMiddleDistal = 47,
    /// Finger bone. Optional.
    RightRingProximal = 48,
    /// Finger bone. Optional.
    RightRingIntermediate = 49,
    /// Finger bone. Optional.
    RightRingDistal = 50,
    /// Finger bone. Optional.
    RightLittleProximal = 51,
    /// Finger bone. Optional.
    RightLittleIntermediate = 52,
    /// Finger bone. Optional.
    RightLittleDistal = 53,
    /// Optional; between chest and neck. Last because Unity added it last.
    UpperChest = 54,
}
/// A [`SinewHumanBone`] as it arrives, checked before use.
pub type SinewHumanBoneArg = i32;

/// How a solve ended. Out of reach is not an error.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewStatus {
    /// Nothing was asked (weight 0); the pose passed through untouched.
    Inactive = 0,
    /// The goal, at its weight, is met.
    Reached = 1,
    /// The goal lies beyond what the joints allow; the limb points straight at it.
    Unreachable = 2,
    /// An iterating solver stopped making progress first.
    Stalled = 3,
    /// An iterating solver used up its iterations first.
    OutOfIterations = 4,
}

/// What a solve left, measured on the resulting pose.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewOutcome {
    /// A SinewStatus.
    pub status: i32,
    /// Iterations used; 0 for closed forms.
    pub iterations: u32,
    /// Distance between effector and weighted goal, world space, metres (or the rig's own unit).
    pub residual_m: f32,
    /// Angle between effector orientation (look-at: direction) and weighted goal, radians, 0 … π.
    pub residual_rad: f32,
}

/// A skeleton to be made. Fill with sinew_skeleton_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewSkeletonDef {
    /// Size of this struct in bytes, set by sinew_skeleton_def_default.
    pub struct_size: u32,
    /// Number of joints, 1 … 65535; the length of the arrays below.
    pub joint_count: u32,
    /// Index of each joint's parent, lower than the joint's own index; -1 for a root. Several roots are allowed.
    pub parents: *const i32,
    /// Rest transform of each joint in its parent (a root's: in model space, the space of the character's root object).
    pub rest: *const SinewTransform,
    /// Names, UTF-8, zero-terminated, copied; NULL when the joints have none.
    pub names: *const *const c_char,
}

/// An avatar to be made: which joint is which human bone. Fill with sinew_avatar_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAvatarDef {
    /// Size of this struct in bytes, set by sinew_avatar_def_default.
    pub struct_size: u32,
    /// Number of entries in `human_joints`; must be SINEW_HUMAN_BONE_COUNT (55).
    pub human_joint_count: u32,
    /// The rig.
    pub skeleton: SinewSkeleton,
    /// For each SinewHumanBone its joint index, or -1. Fifteen bones are required. Copied.
    pub human_joints: *const i32,
    /// Local transforms of every joint in the T-pose (facing forward, arms straight out to the sides, palms down), one per
    /// joint. NULL: reconstructed from the skeleton's rest pose. Copied.
    pub t_pose: *const SinewTransform,
    /// Up axis of the character in model space; zero (default): derived from the joints.
    pub up: SinewVec3,
    /// Direction the character's chest faces in the T-pose, model space; zero (default): derived from the joints.
    pub forward: SinewVec3,
    /// How much an arm may lengthen to reach a goal, as a fraction of its length, 0 … 1; stretching starts as far before full
    /// extension as it goes beyond it, or where the animation holds the arm if that is farther. 0 keeps bone lengths. Default
    /// 0.05, as Unity's.
    pub arm_stretch: f32,
    /// The same for a leg. Default 0.05.
    pub leg_stretch: f32,
    /// Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) … 1 (all at the elbow). Default 0.5, as
    /// Unity's. docs/animator.md says what is shared, and over which joints.
    pub upper_arm_twist: f32,
    /// Part of a hand's roll that the wrist takes, 0 (all at the elbow) … 1 (all at the wrist). Default 0.5.
    pub lower_arm_twist: f32,
    /// Part of a thigh's roll that the knee takes, 0 (all at the hip) … 1 (all at the knee). Default 0.5.
    pub upper_leg_twist: f32,
    /// Part of a foot's roll that the ankle takes, 0 (all at the knee) … 1 (all at the ankle). Default 0.5.
    pub lower_leg_twist: f32,
    /// Least distance of the ankles sideways, as a part of the human scale, 0 … 1. Default 0: none.
    pub feet_spacing: f32,
    /// Number of entries in `human_ranges`. Default 0.
    pub human_range_count: u32,
    /// Ranges of bones in place of people's, for limits_enabled of SinewHumanoidSettings; the last entry of a bone counts. NULL when
    /// there are none (default). Copied.
    pub human_ranges: *const SinewHumanRange,
}

/// An animator (one character) to be made. Fill with sinew_animator_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAnimatorDef {
    /// Size of this struct in bytes, set by sinew_animator_def_default.
    pub struct_size: u32,
    /// Reserved; must be 0.
    pub flags: u32,
    /// The rig.
    pub skeleton: SinewSkeleton,
    /// The avatar made for this skeleton; the null handle (default) for a rig that is no humanoid.
    pub avatar: SinewAvatar,
}

/// One IK goal, as part of a whole input.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewIkGoalInput {
    /// World space, metres.
    pub position: SinewVec3,
    /// World space, in Unity's goal frame (X right of the hand or foot, Y out of its back, Z along fingers or toes).
    pub rotation: SinewQuat,
    /// 0 (animated position) … 1 (at the goal).
    pub position_weight: f32,
    /// 0 (rotation before IK) … 1 (goal rotation).
    pub rotation_weight: f32,
}

/// One bend hint, as part of a whole input.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewIkHintInput {
    /// World space, metres.
    pub position: SinewVec3,
    /// 0 (bend of the animation) … 1 (the joint points at the hint).
    pub weight: f32,
}

/// The weights of a look-at, each 0 … 1.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewLookAtWeight {
    /// Global; multiplies body, head and eyes. Default 0.
    pub weight: f32,
    /// Share the spine takes. Default 0.
    pub body: f32,
    /// Share neck and head take of what is left. Default 1.
    pub head: f32,
    /// Share the eyes take of what is left, within their range. Default 0.
    pub eyes: f32,
    /// 0: free; 1: no turning at all; the head may turn (1 − clamp) · 180° away from the chest's forward. Default 0.5.
    pub clamp: f32,
}

/// Everything a character's IK callback can set, for one call instead of many. Fill with
/// sinew_humanoid_input_default or sinew_animator_get_input first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanoidInput {
    /// Size of this struct in bytes, set by sinew_humanoid_input_default.
    pub struct_size: u32,
    /// Which positions and rotations below are given, a sum of SINEW_INPUT_…; the others are the animation's own. Weights
    /// always count.
    pub set: u32,
    /// Goals, in SinewIkGoal order.
    pub goals: [SinewIkGoalInput; 4],
    /// Hints, in SinewIkHint order.
    pub hints: [SinewIkHintInput; 4],
    /// Point to look at, world space, metres.
    pub look_at_position: SinewVec3,
    /// Look-at weights.
    pub look_at_weight: SinewLookAtWeight,
    /// Centre of mass, world space, metres.
    pub body_position: SinewVec3,
    /// Orientation of the body, world space.
    pub body_rotation: SinewQuat,
}

/// Bit in SinewHumanoidInput::set: position of goal 0 is given; shift left by the goal's number for the others.
pub const SINEW_INPUT_GOAL_POSITION: u32 = 1;
/// Bit in SinewHumanoidInput::set: rotation of goal 0 is given; shift left by the goal's number for the others.
pub const SINEW_INPUT_GOAL_ROTATION: u32 = 1 << 4;
/// Bit in SinewHumanoidInput::set: position of hint 0 is given; shift left by the hint's number for the others.
pub const SINEW_INPUT_HINT_POSITION: u32 = 1 << 8;
/// Bit in SinewHumanoidInput::set: the look-at position is given.
pub const SINEW_INPUT_LOOK_AT_POSITION: u32 = 1 << 12;
/// Bit in SinewHumanoidInput::set: the body position is given.
pub const SINEW_INPUT_BODY_POSITION: u32 = 1 << 13;
/// Bit in SinewHumanoidInput::set: the body rotation is given.
pub const SINEW_INPUT_BODY_ROTATION: u32 = 1 << 14;

/// Number of human bones: the length of tables indexed by SinewHumanBone.
pub const SINEW_HUMAN_BONE_COUNT: u32 = 55;
/// Number of the binary interface this header describes; sinew_version reports the library's.
pub const SINEW_ABI_VERSION: u32 = 1;

/// What a debug line shows.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewDebugPart {
    /// From a joint's parent to the joint.
    Bone = 0,
    /// From an effector (or the centre of mass) to its goal, as long as the residual.
    Residual = 1,
    /// An axis of a goal's frame; of a goal without rotation a line of the cross at its place.
    GoalAxis = 2,
    /// From a knee or elbow to its hint.
    Hint = 3,
    /// From the eyes to the look-at point.
    LookAt = 4,
    /// The centre of mass, as a small cross.
    Body = 5,
}

/// A line to draw, world space, metres.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewDebugLine {
    /// Start.
    pub from: SinewVec3,
    /// End.
    pub to: SinewVec3,
    /// A SinewDebugPart.
    pub part: i32,
}
