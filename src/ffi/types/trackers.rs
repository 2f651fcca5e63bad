//! Tracked bodies: samples, settings, calibration.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// A whole body from trackers, for one character. One thread at a time; different tracked bodies
/// may be used from different threads at once.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinewTrackedBody {
    /// Opaque; 0 is the null handle.
    pub bits: u64,
}

/// Where a tracker is worn. After calibration it stands for the joint that is named.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewTrackerRole {
    /// Headset: the head.
    Head = 0,
    /// Controller or tracked hand: the wrist.
    LeftHand = 1,
    /// The right one.
    RightHand = 2,
    /// Belt or pelvis: the hips.
    Hips = 3,
    /// Strap around the ribs: the topmost spine bone.
    Chest = 4,
    /// Shoe: the ankle.
    LeftFoot = 5,
    /// The right one.
    RightFoot = 6,
    /// Above or below the elbow: where the forearm begins.
    LeftElbow = 7,
    /// The right one.
    RightElbow = 8,
    /// Above or below the knee: where the shin begins.
    LeftKnee = 9,
    /// The right one.
    RightKnee = 10,
    /// Upper arm near the shoulder: where the upper arm begins.
    LeftShoulder = 11,
    /// The right one.
    RightShoulder = 12,
    /// Toes: the ball of the foot.
    LeftToes = 13,
    /// The right one.
    RightToes = 14,
    /// Thumb: its last joint.
    LeftThumb = 15,
    /// The right one.
    RightThumb = 16,
    /// Index finger: its last joint.
    LeftIndex = 17,
    /// The right one.
    RightIndex = 18,
    /// Middle finger: its last joint.
    LeftMiddle = 19,
    /// The right one.
    RightMiddle = 20,
    /// Ring finger: its last joint.
    LeftRing = 21,
    /// The right one.
    RightRing = 22,
    /// Little finger: its last joint.
    LeftLittle = 23,
    /// The right one.
    RightLittle = 24,
}
/// A [`SinewTrackerRole`] as it arrives, checked before use.
pub type SinewTrackerRoleArg = i32;

/// Number of values of SinewTrackerRole.
pub const SINEW_TRACKER_ROLE_COUNT: u32 = 25;

/// Part of the body whose answer can be faded to the animation: the pose that
/// sinew_tracked_body_apply writes over.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewTrackedPart {
    /// Clavicle, upper arm, forearm and hand. At 0 they have the animation's rotations on the ribs
    /// of the tracked body.
    LeftArm = 0,
    /// The right one.
    RightArm = 1,
    /// Thigh, shin, foot and toes. At 0 the foot is where the animation has it over the floor below
    /// the tracked body, and the knee points where the animation has it.
    LeftLeg = 2,
    /// The right one.
    RightLeg = 3,
    /// At 0 the animation's bob, sway and tilt of the hips are added to the tracked hips; head and
    /// hands stay where they are.
    Pelvis = 4,
    /// Fingers with trackers.
    LeftFingers = 5,
    /// The right ones.
    RightFingers = 6,
}
/// A [`SinewTrackedPart`] as it arrives, checked before use.
pub type SinewTrackedPartArg = i32;

/// How the avatar's size follows the player's.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewTrackerScale {
    /// The head is as high as the player's, in heights of the avatar.
    Height = 0,
    /// The hands are as far apart in the T-pose.
    ArmSpan = 1,
    /// The hips are as high.
    HipsHeight = 2,
    /// Metres of the room are metres of the avatar.
    Keep = 3,
}
/// A [`SinewTrackerScale`] as it arrives, checked before use.
pub type SinewTrackerScaleArg = i32;

/// The pose in which a player calibrates.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewCalibrationPose {
    /// Arms level, palms down.
    TPose = 0,
    /// Arms 45 degrees below level, palms toward the thighs.
    APose = 1,
}
/// A [`SinewCalibrationPose`] as it arrives, checked before use.
pub type SinewCalibrationPoseArg = i32;

/// Flag of SinewTrackerSample::set: the position is given.
pub const SINEW_TRACKER_SAMPLE_POSITION: u32 = 1;
/// Flag of SinewTrackerSample::set: the rotation is given.
pub const SINEW_TRACKER_SAMPLE_ROTATION: u32 = 1 << 1;

/// What a tracker reports. Tracking space: axes as the avatar's model space, metres of the room,
/// the origin anywhere on the floor.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTrackerSample {
    /// Seconds, of any clock that all samples and updates of a body share.
    pub time_s: f64,
    /// Place of the tracker; not read unless flagged.
    pub position: SinewVec3,
    /// Rotation of the tracker; not read unless flagged.
    pub rotation: SinewQuat,
    /// What the tracker senses: bitwise OR of SINEW_TRACKER_SAMPLE_…. An inertial tracker senses
    /// its rotation only.
    pub set: u32,
    /// How much the tracker is to be believed, 0 (lost) … 1; clamped. Its part in the body follows
    /// within the fade time. At 0 position and rotation do not count: it fades out where it was.
    pub confidence: f32,
}

/// Settings of a tracked body. Fill it with sinew_tracked_body_settings_default or
/// sinew_tracked_body_get_settings first. Lengths suit an avatar of 1.7 m; the body scales them.
/// Members of "≥ 0" are at most 1,000,000.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewTrackedBodySettings {
    /// Set by sinew_tracked_body_settings_default.
    pub struct_size: u32,
    /// Cut-off frequency of the filter (One-Euro) at rest, hertz, ≥ 0; 0, the default: no filter.
    /// Small values remove more noise and lag more.
    pub min_cutoff_hz: f32,
    /// What speed adds to the cut-off frequency, hertz per m/s (rotations: per rad/s), ≥ 0. Default
    /// 8.
    pub speed_cutoff: f32,
    /// How far a late sample is extrapolated, seconds, ≥ 0. Default 0.05. After that it is held.
    pub max_extrapolation_s: f32,
    /// Age of a sample from which its tracker counts as lost, seconds, > 0. Default 0.25.
    pub lost_after_s: f32,
    /// Seconds in which a tracker that is lost fades out, and one that is found or returns fades
    /// in, > 0. Default 0.3. After a short interruption the body leaves what was shown meanwhile
    /// within half of it.
    pub fade_time_s: f32,
    /// How firmly the head stays at its tracker where the trackers are farther apart than the
    /// avatar is long, 0 … 1. Default 1.
    pub head_lock: f32,
    /// The same for the hips. Default 0: the hips give way. With both at 1 the spine stretches.
    pub hips_lock: f32,
    /// Part of the trained tables in what is not tracked, 0 … 1. Default 1; at 0 only closed forms
    /// are used.
    pub prior_weight: f32,
    /// Part of the procedural steps of untracked feet, 0 … 1. Default 1; at 0 they glide along
    /// below the body.
    pub step_weight: f32,
    /// Distance of an untracked foot from where it belongs at which it steps, metres, > 0. Default
    /// 0.25.
    pub step_distance: f32,
    /// Seconds of a step, > 0. Default 0.3.
    pub step_time_s: f32,
    /// Height of a step, metres, ≥ 0. Default 0.1.
    pub step_height: f32,
    /// How far a tracker may be off what was sent last and still count as at rest in a packet,
    /// metres of the room, ≥ 0. Default 0.001.
    pub rest_distance: f32,
    /// The same of its rotation, radians, ≥ 0. Default 0.003.
    pub rest_angle: f32,
    /// Least delay with which a remote player is shown, seconds, ≥ 0. Default 0.
    pub min_delay_s: f32,
    /// Largest delay, seconds, ≥ 0. Default 0.4; the smaller one of the two counts.
    pub max_delay_s: f32,
}

/// Room that a packet of a tracked body needs, bytes.
pub const SINEW_TRACKER_PACKET_SIZE: u32 = 200;

/// How a tracker is mounted on its bone.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTrackerOffset {
    /// 1: the tracker has been calibrated; 0: it sits on the joint, with the avatar's axes.
    pub is_set: u32,
    /// Joint of the bone in the tracker's own frame, metres of the avatar.
    pub position: SinewVec3,
    /// Turn of the bone away from the T-pose in the tracker's own frame.
    pub rotation: SinewQuat,
}

/// Everything that calibration found: plain numbers to save, edit and load. Fill it with
/// sinew_tracked_body_get_calibration first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTrackerCalibration {
    /// Set by sinew_tracked_body_get_calibration.
    pub struct_size: u32,
    /// Metres of the avatar per metre of the room, > 0. Default 1.
    pub scale: f32,
    /// Height of the floor in tracking space, metres of the room. Default 0.
    pub floor: f32,
    /// The player's: height of the head's tracker above the floor, metres of the room; 0: unknown.
    pub head_height: f32,
    /// The player's: distance of the hands' trackers in the T-pose; 0: unknown.
    pub arm_span: f32,
    /// The player's: height of the hips' tracker above the floor; 0: unknown.
    pub hips_height: f32,
    /// By SinewTrackerRole.
    pub offsets: [SinewTrackerOffset; 25],
}
