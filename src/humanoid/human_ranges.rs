//! How far people's joints go: two sets of ranges, counted from the T-pose.
//!
//! # Measured ranges
//!
//! The default. Joints of healthy adults as clinics measure them: the ranges of the American
//! Academy of Orthopaedic Surgeons and of D. Boone, S. Azen, "Normal range of motion of joints in
//! male subjects", J. Bone Joint Surg. 61-A (1979); the clavicle: S. Rettig et al. (2015); the
//! hip's rotation: P. Kouyoumdjian et al., Orthop. Traumatol. Surg. Res. 98 (2012). In degrees:
//!
//! | bone | bend (towards) | side (towards) | twist |
//! |---|---|---|---|
//! | UpperLeg, UpperArm | half-spaces, below | | |
//! | LowerLeg | 0 … 160 (backward), a hinge | | ±40 |
//! | Foot | ±60 (toes up) | ±45 (sole out) | ±45 about the shin |
//! | Toes | −45 … 70 (up), a hinge | | |
//! | Shoulder | −10 … 40 (up) | −20 … 30 (forward) | none |
//! | LowerArm | 0 … 150, a hinge | | −68 … 107 (thumb up) |
//! | Hand | ±90 (up) | ±60 (thumb) | the forearm's · lowerArmTwist |
//!
//! Spine, neck, head, eyes, jaw and fingers as below. An elbow bends as the rig's rest pose has it
//! bent by more than 10°, else forward and 17° up. Palms down in the T-pose, with such an elbow,
//! are 17° of pronation, so of 85° of pronation and 90° of supination 68° and 107° are left.
//!
//! Hands and feet are wider than clinics measure them: the joints of skeletons are some degrees
//! off, and shoes and toes add to what an ankle does.
//!
//! *Shoulder and hip*: the range of their twist depends on the direction of the arm or thigh. With
//! `R` the turn from the T-pose in the chest (wherever the clavicle is) or in the hips, in the axes
//! out, up, forward, admissible is `⟨N, R⟩ + c ≥ 0` for the `N` and `c` of [`SHOULDER_TURN`] and
//! [`HIP_TURN`], outside of the caps of [`SHOULDER_CAPS`] and [`HIP_CAPS`]. Fitted by linear least
//! squares to ranges of the twist at 18 directions of the arm (root mean square 9°) and 3 of the
//! thigh (3°). The arm: lowered −72 … 92 (inward), sideways −109 … 61, forward −124 … 27, 40 back
//! −40 … 117; extension 60, horizontal abduction 45, adduction 135. The thigh: straight 50 out, 45
//! in; flexion 136, extension 39, abduction 70, adduction 40.
//!
//! # Muscles
//!
//! Unity's muscle ranges (`HumanTrait.GetMuscleDefaultMin/Max`). Muscles count from a half-bent
//! neutral pose, limits here from the T-pose, which in muscle values is at: thigh 0.6 of
//! front–back, knee and elbow fully stretched, arm 0.4 of down–up and 0.3 of front–back, fingers
//! about 0.67 and 0.8 stretched. Counted from there, in degrees:
//!
//! | bone | bend (towards) | side (towards) | twist |
//! |---|---|---|---|
//! | Spine, Chest, Neck, Head | −40 … 40 (forward) | −40 … 40 (right) | ±40 |
//! | UpperChest | −20 … 20 (forward) | −20 … 20 (right) | ±20 |
//! | Eye | −10 … 15 (up) | −20 … 20 (right) | none |
//! | Jaw | −10 … 10 (up) | −10 … 10 (right) | none |
//! | UpperLeg | −20 … 120 (forward) | −60 … 60 (out) | ±60 |
//! | LowerLeg | 0 … 160 (backward), a hinge | | ±90 |
//! | Foot | −50 … 50 (toes up) | −30 … 30 (sole out) | ±30 about the shin |
//! | Toes | −50 … 50 (up), a hinge | | |
//! | Shoulder | −15 … 30 (up) | −15 … 15 (forward) | none |
//! | UpperArm | −100 … 60 (up) | −70 … 130 (forward) | ±90 |
//! | LowerArm | 0 … 160 (forward and a little up), a hinge | | ±90 |
//! | Hand | −80 … 80 (up) | −40 … 40 (forward) | ±90 · lowerArmTwist |
//! | first finger joints | −17 … 83 (palm) | ±20 (index, little), ±7.5 (middle, ring) | none |
//! | other finger joints | −9 … 81 (palm), a hinge | | |
//! | thumb | ±20, then ±40 | ±25, then none | none |
//!
//! Bend and side together limit the swing of the bone to four quarters of ellipses. The hips are
//! free. Unity gives the foot two freedoms and does not state about which axes; both candidates
//! have the range of "twist in–out" here.

use super::HumanBone;
use crate::limits::Range;
use HumanBone::*;

const DEGREE: f32 = core::f32::consts::PI / 180.0;

/// Which ranges of people's joints count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HumanRangeSet {
    /// Joints of healthy adults as clinics measure them; shoulder and hip with a twist range that
    /// depends on the direction of the limb.
    #[default]
    Measured,
    /// Unity's muscle ranges.
    Muscles,
}

/// A condition `⟨N, R⟩ + c ≥ 0` on a left limb in the axes out, up, forward: `N` by columns, `c`.
pub(super) type BodyCondition = ([[f32; 3]; 3], f32);
/// A cap in the same axes: normal, greatest cosine.
pub(super) type BodyCap = ([f32; 3], f32);

/// The columns belong to the upper arm, to what is up on it, and to where its forearm bends.
pub(super) const SHOULDER_TURN: BodyCondition =
    ([[0.1219, -0.0475, -0.0597], [0.5046, 0.4003, -0.0781], [-0.3008, 0.2868, 0.4298]], -0.2017);
pub(super) const SHOULDER_CAPS: [BodyCap; 2] = [([0.0, 0.3489, -0.9371], 0.70), ([-0.8692, 0.3740, -0.3234], 0.42)];
/// The columns belong to out, up and forward in the T-pose.
pub(super) const HIP_TURN: BodyCondition =
    ([[0.707, -0.038, -0.032], [-0.126, -0.210, -0.061], [0.060, 0.139, 0.474]], -0.595);
pub(super) const HIP_CAPS: [BodyCap; 3] =
    [([0.0, 0.663, -0.748], -0.05), ([-1.0, 0.0, 0.0], 0.65), ([0.8, 0.5, -0.33], 0.6)];

/// Range of a human bone, counted from the T-pose, radians; the directions are those of the table
/// in `docs/animator.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanRange {
    /// Bend; the only freedom of elbows, knees, toes and outer finger joints beside their twist.
    pub bend: Range,
    /// Bend to the side.
    pub side: Range,
    /// Twist about the bone's axis (a hand's about the forearm, a foot's about the shin), in the
    /// sense of the joint's own space; of forearm and hand, positive brings the thumb up.
    pub twist: Range,
}

fn degrees(min: f32, max: f32) -> Range {
    Range::new(min * DEGREE, max * DEGREE)
}

impl HumanRange {
    fn new(bend: (f32, f32), side: (f32, f32), twist: f32) -> Self {
        Self { bend: degrees(bend.0, bend.1), side: degrees(side.0, side.1), twist: degrees(-twist, twist) }
    }
    /// The range of a bone in a set; `None` for the hips, which are free. A hand's twist is the
    /// whole forearm's; the wrist has the avatar's `lower_arm_twist` of it. Of the measured
    /// shoulders and hips, which half-spaces limit, this is what about encloses them.
    pub fn of(set: HumanRangeSet, bone: HumanBone) -> Option<Self> {
        match set {
            HumanRangeSet::Measured => Self::measured(bone),
            HumanRangeSet::Muscles => Self::muscles(bone),
        }
    }
    fn measured(bone: HumanBone) -> Option<Self> {
        let forearm = degrees(-68.0, 107.0);
        Some(match bone {
            LeftUpperLeg | RightUpperLeg => Self::new((-39.0, 136.0), (-40.0, 70.0), 50.0),
            LeftLowerLeg | RightLowerLeg => Self::new((0.0, 160.0), (0.0, 0.0), 40.0),
            LeftFoot | RightFoot => Self::new((-60.0, 60.0), (-45.0, 45.0), 45.0),
            LeftToes | RightToes => Self::new((-45.0, 70.0), (0.0, 0.0), 0.0),
            LeftShoulder | RightShoulder => Self::new((-10.0, 40.0), (-20.0, 30.0), 0.0),
            LeftUpperArm | RightUpperArm => Self::new((-90.0, 90.0), (-45.0, 135.0), 100.0),
            LeftLowerArm | RightLowerArm => Self { twist: forearm, ..Self::new((0.0, 150.0), (0.0, 0.0), 0.0) },
            LeftHand | RightHand => Self { twist: forearm, ..Self::new((-90.0, 90.0), (-60.0, 60.0), 0.0) },
            _ => return Self::muscles(bone),
        })
    }
    fn muscles(bone: HumanBone) -> Option<Self> {
        let first_finger = |spread: f32| Self::new((-17.0, 83.0), (-spread, spread), 0.0);
        Some(match bone {
            Hips => return None,
            Spine | Chest | Neck | Head => Self::new((-40.0, 40.0), (-40.0, 40.0), 40.0),
            UpperChest => Self::new((-20.0, 20.0), (-20.0, 20.0), 20.0),
            LeftEye | RightEye => Self::new((-10.0, 15.0), (-20.0, 20.0), 0.0),
            Jaw => Self::new((-10.0, 10.0), (-10.0, 10.0), 0.0),
            LeftUpperLeg | RightUpperLeg => Self::new((-20.0, 120.0), (-60.0, 60.0), 60.0),
            LeftLowerLeg | RightLowerLeg | LeftLowerArm | RightLowerArm => Self::new((0.0, 160.0), (0.0, 0.0), 90.0),
            LeftFoot | RightFoot => Self::new((-50.0, 50.0), (-30.0, 30.0), 30.0),
            LeftToes | RightToes => Self::new((-50.0, 50.0), (0.0, 0.0), 0.0),
            LeftShoulder | RightShoulder => Self::new((-15.0, 30.0), (-15.0, 15.0), 0.0),
            LeftUpperArm | RightUpperArm => Self::new((-100.0, 60.0), (-70.0, 130.0), 90.0),
            LeftHand | RightHand => Self::new((-80.0, 80.0), (-40.0, 40.0), 90.0),
            LeftThumbProximal | RightThumbProximal => Self::new((-20.0, 20.0), (-25.0, 25.0), 0.0),
            LeftThumbIntermediate | RightThumbIntermediate | LeftThumbDistal | RightThumbDistal => {
                Self::new((-40.0, 40.0), (0.0, 0.0), 0.0)
            }
            LeftIndexProximal | RightIndexProximal | LeftLittleProximal | RightLittleProximal => first_finger(20.0),
            LeftMiddleProximal | RightMiddleProximal | LeftRingProximal | RightRingProximal => first_finger(7.5),
            _ => Self::new((-9.0, 81.0), (0.0, 0.0), 0.0),
        })
    }
}
