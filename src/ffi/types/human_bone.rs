//! Human bones, and the goals and hints of their limbs. Numbers are Unity's.

use safer_ffi::prelude::*;

/// Number of human bones: the length of arrays indexed by SinewHumanBone.
pub const SINEW_HUMAN_BONE_COUNT: u32 = 55;

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
