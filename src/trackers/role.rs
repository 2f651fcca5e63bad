//! What a tracker is worn on, and the bones that a tracked body moves.

use crate::humanoid::{Avatar, HumanBone};
use crate::skeleton::JointIndex;

/// Where a tracker is worn. It stands for the joint of [`Self::bone`], after calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum TrackerRole {
    /// Headset: the head's joint.
    Head = 0,
    /// Controller or tracked hand: the wrist.
    LeftHand = 1,
    /// Controller or tracked hand: the wrist.
    RightHand = 2,
    /// Belt or pelvis.
    Hips = 3,
    /// Strap around the ribs: the topmost spine bone.
    Chest = 4,
    /// Shoe: the ankle.
    LeftFoot = 5,
    /// Shoe: the ankle.
    RightFoot = 6,
    /// Above or below the elbow: the forearm's joint.
    LeftElbow = 7,
    /// Above or below the elbow: the forearm's joint.
    RightElbow = 8,
    /// Above or below the knee: the shin's joint.
    LeftKnee = 9,
    /// Above or below the knee: the shin's joint.
    RightKnee = 10,
    /// Upper arm near the shoulder: the upper arm's joint.
    LeftShoulder = 11,
    /// Upper arm near the shoulder: the upper arm's joint.
    RightShoulder = 12,
    /// Toes: the ball of the foot.
    LeftToes = 13,
    /// Toes: the ball of the foot.
    RightToes = 14,
    /// The thumb: its last joint.
    LeftThumb = 15,
    /// The thumb: its last joint.
    RightThumb = 16,
    /// The index finger: its last joint.
    LeftIndex = 17,
    /// The index finger: its last joint.
    RightIndex = 18,
    /// The middle finger: its last joint.
    LeftMiddle = 19,
    /// The middle finger: its last joint.
    RightMiddle = 20,
    /// The ring finger: its last joint.
    LeftRing = 21,
    /// The ring finger: its last joint.
    RightRing = 22,
    /// The little finger: its last joint.
    LeftLittle = 23,
    /// The little finger: its last joint.
    RightLittle = 24,
}

impl TrackerRole {
    /// Number of roles.
    pub const COUNT: usize = 25;
    /// All roles, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Head,
        Self::LeftHand,
        Self::RightHand,
        Self::Hips,
        Self::Chest,
        Self::LeftFoot,
        Self::RightFoot,
        Self::LeftElbow,
        Self::RightElbow,
        Self::LeftKnee,
        Self::RightKnee,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftToes,
        Self::RightToes,
        Self::LeftThumb,
        Self::RightThumb,
        Self::LeftIndex,
        Self::RightIndex,
        Self::LeftMiddle,
        Self::RightMiddle,
        Self::LeftRing,
        Self::RightRing,
        Self::LeftLittle,
        Self::RightLittle,
    ];
    /// Its number.
    pub fn index(self) -> usize {
        self as usize
    }
    /// Its name, as files have it.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; TrackerRole::COUNT] = [
            "Head",
            "LeftHand",
            "RightHand",
            "Hips",
            "Chest",
            "LeftFoot",
            "RightFoot",
            "LeftElbow",
            "RightElbow",
            "LeftKnee",
            "RightKnee",
            "LeftShoulder",
            "RightShoulder",
            "LeftToes",
            "RightToes",
            "LeftThumb",
            "RightThumb",
            "LeftIndex",
            "RightIndex",
            "LeftMiddle",
            "RightMiddle",
            "LeftRing",
            "RightRing",
            "LeftLittle",
            "RightLittle",
        ];
        NAMES[self.index()]
    }
    /// Place of a finger's role among those of fingers: twice the digit, 0 the thumb, and 1 more on
    /// the right; `None` for other parts.
    pub(super) fn finger(self) -> Option<usize> {
        self.index().checked_sub(FIRST_FINGER)
    }
    /// The side, 0 = left, of a hand or one of its fingers.
    pub(super) fn hand_side(self) -> Option<usize> {
        match self {
            Self::LeftHand => Some(0),
            Self::RightHand => Some(1),
            _ => self.finger().map(|number| number % 2),
        }
    }
    /// The bone whose joint it stands for; the chest's is the topmost spine bone that the avatar
    /// has.
    pub fn bone(self) -> HumanBone {
        match self {
            Self::Head => HumanBone::Head,
            Self::LeftHand => HumanBone::LeftHand,
            Self::RightHand => HumanBone::RightHand,
            Self::Hips => HumanBone::Hips,
            Self::Chest => HumanBone::Chest,
            Self::LeftFoot => HumanBone::LeftFoot,
            Self::RightFoot => HumanBone::RightFoot,
            Self::LeftElbow => HumanBone::LeftLowerArm,
            Self::RightElbow => HumanBone::RightLowerArm,
            Self::LeftKnee => HumanBone::LeftLowerLeg,
            Self::RightKnee => HumanBone::RightLowerLeg,
            Self::LeftShoulder => HumanBone::LeftUpperArm,
            Self::RightShoulder => HumanBone::RightUpperArm,
            Self::LeftToes => HumanBone::LeftToes,
            Self::RightToes => HumanBone::RightToes,
            Self::LeftThumb => HumanBone::LeftThumbDistal,
            Self::RightThumb => HumanBone::RightThumbDistal,
            Self::LeftIndex => HumanBone::LeftIndexDistal,
            Self::RightIndex => HumanBone::RightIndexDistal,
            Self::LeftMiddle => HumanBone::LeftMiddleDistal,
            Self::RightMiddle => HumanBone::RightMiddleDistal,
            Self::LeftRing => HumanBone::LeftRingDistal,
            Self::RightRing => HumanBone::RightRingDistal,
            Self::LeftLittle => HumanBone::LeftLittleDistal,
            Self::RightLittle => HumanBone::RightLittleDistal,
        }
    }
    /// The three joints of a finger's role; `None` for other parts, and where one is missing.
    pub(super) fn finger_joints(self, avatar: &Avatar) -> Option<[JointIndex; 3]> {
        self.finger()?;
        let last = self.bone().index();
        let joint = |back: usize| HumanBone::from_index(last - back).and_then(|bone| avatar.joint(bone));
        Some([joint(2)?, joint(1)?, joint(0)?])
    }
    /// The same part of the other side; of the trunk: itself.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Head | Self::Hips | Self::Chest => self,
            Self::LeftHand
            | Self::LeftFoot
            | Self::LeftElbow
            | Self::LeftKnee
            | Self::LeftShoulder
            | Self::LeftToes
            | Self::LeftThumb
            | Self::LeftIndex
            | Self::LeftMiddle
            | Self::LeftRing
            | Self::LeftLittle => Self::ALL[self.index() + 1],
            _ => Self::ALL[self.index() - 1],
        }
    }
}

/// Fingers of both hands.
pub(super) const FINGER_COUNT: usize = 10;
/// The first of their roles.
pub(super) const FIRST_FINGER: usize = TrackerRole::LeftThumb as usize;

/// The bones that a tracked body turns, by their place in its arrays.
pub(super) const BONES: [HumanBone; BONE_COUNT] = [
    HumanBone::Hips,
    HumanBone::Spine,
    HumanBone::Chest,
    HumanBone::UpperChest,
    HumanBone::Neck,
    HumanBone::Head,
    HumanBone::LeftShoulder,
    HumanBone::LeftUpperArm,
    HumanBone::LeftLowerArm,
    HumanBone::LeftHand,
    HumanBone::RightShoulder,
    HumanBone::RightUpperArm,
    HumanBone::RightLowerArm,
    HumanBone::RightHand,
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::LeftToes,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
    HumanBone::RightToes,
];
pub(super) const BONE_COUNT: usize = 22;
pub(super) const HIPS: usize = 0;
pub(super) const NECK: usize = 4;
pub(super) const HEAD: usize = 5;

/// Places of an arm's bones: clavicle, upper arm, forearm, hand.
pub(super) fn arm(side: usize) -> [usize; 4] {
    let first = 6 + 4 * side;
    [first, first + 1, first + 2, first + 3]
}
/// Places of a leg's bones: thigh, shin, foot, toes.
pub(super) fn leg(side: usize) -> [usize; 4] {
    let first = 14 + 4 * side;
    [first, first + 1, first + 2, first + 3]
}
/// The role of a side, 0 left, 1 right, from the left one.
pub(super) fn of_side(left: TrackerRole, side: usize) -> TrackerRole {
    if side == 0 { left } else { left.mirrored() }
}
