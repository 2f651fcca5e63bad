//! The 55 human bones: Unity's numbers, names, parents, and the share of the body's mass each
//! carries.

/// Letters of the longest human name without its spaces.
const PLAIN_LENGTH: usize = 24;

/// The human names without spaces in lower case, padded with zeros: what [`HumanBone::from_name`]
/// compares with.
static PLAIN_NAMES: [[u8; PLAIN_LENGTH]; HumanBone::COUNT] = {
    let mut plain = [[0; PLAIN_LENGTH]; HumanBone::COUNT];
    let mut bone = 0;
    while bone < HumanBone::COUNT {
        let name = HumanBone::NAMES[bone].as_bytes();
        let (mut from, mut to) = (0, 0);
        while from < name.len() {
            if name[from] != b' ' {
                plain[bone][to] = name[from].to_ascii_lowercase();
                to += 1;
            }
            from += 1;
        }
        bone += 1;
    }
    plain
};

/// The human bones; numbers are those of Unity's HumanBodyBones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i32)]
pub enum HumanBone {
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

use HumanBone::*;

impl HumanBone {
    /// Number of human bones.
    pub const COUNT: usize = 55;

    /// All bones, in the order of their numbers.
    pub const ALL: [HumanBone; Self::COUNT] = [
        Hips,
        LeftUpperLeg,
        RightUpperLeg,
        LeftLowerLeg,
        RightLowerLeg,
        LeftFoot,
        RightFoot,
        Spine,
        Chest,
        Neck,
        Head,
        LeftShoulder,
        RightShoulder,
        LeftUpperArm,
        RightUpperArm,
        LeftLowerArm,
        RightLowerArm,
        LeftHand,
        RightHand,
        LeftToes,
        RightToes,
        LeftEye,
        RightEye,
        Jaw,
        LeftThumbProximal,
        LeftThumbIntermediate,
        LeftThumbDistal,
        LeftIndexProximal,
        LeftIndexIntermediate,
        LeftIndexDistal,
        LeftMiddleProximal,
        LeftMiddleIntermediate,
        LeftMiddleDistal,
        LeftRingProximal,
        LeftRingIntermediate,
        LeftRingDistal,
        LeftLittleProximal,
        LeftLittleIntermediate,
        LeftLittleDistal,
        RightThumbProximal,
        RightThumbIntermediate,
        RightThumbDistal,
        RightIndexProximal,
        RightIndexIntermediate,
        RightIndexDistal,
        RightMiddleProximal,
        RightMiddleIntermediate,
        RightMiddleDistal,
        RightRingProximal,
        RightRingIntermediate,
        RightRingDistal,
        RightLittleProximal,
        RightLittleIntermediate,
        RightLittleDistal,
        UpperChest,
    ];

    /// Unity's human names (`HumanTrait.BoneName`): no spaces in body bones, spaces in fingers.
    const NAMES: [&'static str; Self::COUNT] = [
        "Hips",
        "LeftUpperLeg",
        "RightUpperLeg",
        "LeftLowerLeg",
        "RightLowerLeg",
        "LeftFoot",
        "RightFoot",
        "Spine",
        "Chest",
        "Neck",
        "Head",
        "LeftShoulder",
        "RightShoulder",
        "LeftUpperArm",
        "RightUpperArm",
        "LeftLowerArm",
        "RightLowerArm",
        "LeftHand",
        "RightHand",
        "LeftToes",
        "RightToes",
        "LeftEye",
        "RightEye",
        "Jaw",
        "Left Thumb Proximal",
        "Left Thumb Intermediate",
        "Left Thumb Distal",
        "Left Index Proximal",
        "Left Index Intermediate",
        "Left Index Distal",
        "Left Middle Proximal",
        "Left Middle Intermediate",
        "Left Middle Distal",
        "Left Ring Proximal",
        "Left Ring Intermediate",
        "Left Ring Distal",
        "Left Little Proximal",
        "Left Little Intermediate",
        "Left Little Distal",
        "Right Thumb Proximal",
        "Right Thumb Intermediate",
        "Right Thumb Distal",
        "Right Index Proximal",
        "Right Index Intermediate",
        "Right Index Distal",
        "Right Middle Proximal",
        "Right Middle Intermediate",
        "Right Middle Distal",
        "Right Ring Proximal",
        "Right Ring Intermediate",
        "Right Ring Distal",
        "Right Little Proximal",
        "Right Little Intermediate",
        "Right Little Distal",
        "UpperChest",
    ];

    /// The fifteen bones a humanoid must have.
    pub const REQUIRED: [HumanBone; 15] = [
        Hips,
        LeftUpperLeg,
        RightUpperLeg,
        LeftLowerLeg,
        RightLowerLeg,
        LeftFoot,
        RightFoot,
        Spine,
        Head,
        LeftUpperArm,
        RightUpperArm,
        LeftLowerArm,
        RightLowerArm,
        LeftHand,
        RightHand,
    ];

    /// Number of the bone, 0 … 54.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The bone with this number.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }
    /// Unity's human name, for example `LeftUpperLeg` or `Left Thumb Proximal`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }
    /// The bone with this human name; spaces and letter case do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut wanted = [0; PLAIN_LENGTH];
        let letters = name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase);
        for (at, letter) in letters.enumerate() {
            if !letter.is_ascii_graphic() || at == PLAIN_LENGTH {
                return None;
            }
            wanted[at] = letter as u8;
        }
        Self::ALL.into_iter().find(|b| PLAIN_NAMES[b.index()] == wanted)
    }
    /// Whether a humanoid must have this bone.
    pub fn is_required(self) -> bool {
        Self::REQUIRED.contains(&self)
    }
    /// Its parent bone in a complete skeleton; `None` for the hips. Where the parent is
    /// missing in a rig, its parent takes its place, and so on.
    pub fn parent(self) -> Option<Self> {
        match self {
            Hips => None,
            LeftUpperLeg => Some(Hips),
            RightUpperLeg => Some(Hips),
            LeftLowerLeg => Some(LeftUpperLeg),
            RightLowerLeg => Some(RightUpperLeg),
            LeftFoot => Some(LeftLowerLeg),
            RightFoot => Some(RightLowerLeg),
            Spine => Some(Hips),
            Chest => Some(Spine),
            Neck => Some(UpperChest),
            Head => Some(Neck),
            LeftShoulder => Some(UpperChest),
            RightShoulder => Some(UpperChest),
            LeftUpperArm => Some(LeftShoulder),
            RightUpperArm => Some(RightShoulder),
            LeftLowerArm => Some(LeftUpperArm),
            RightLowerArm => Some(RightUpperArm),
            LeftHand => Some(LeftLowerArm),
            RightHand => Some(RightLowerArm),
            LeftToes => Some(LeftFoot),
            RightToes => Some(RightFoot),
            LeftEye => Some(Head),
            RightEye => Some(Head),
            Jaw => Some(Head),
            LeftThumbProximal => Some(LeftHand),
            LeftThumbIntermediate => Some(LeftThumbProximal),
            LeftThumbDistal => Some(LeftThumbIntermediate),
            LeftIndexProximal => Some(LeftHand),
            LeftIndexIntermediate => Some(LeftIndexProximal),
            LeftIndexDistal => Some(LeftIndexIntermediate),
            LeftMiddleProximal => Some(LeftHand),
            LeftMiddleIntermediate => Some(LeftMiddleProximal),
            LeftMiddleDistal => Some(LeftMiddleIntermediate),
            LeftRingProximal => Some(LeftHand),
            LeftRingIntermediate => Some(LeftRingProximal),
            LeftRingDistal => Some(LeftRingIntermediate),
            LeftLittleProximal => Some(LeftHand),
            LeftLittleIntermediate => Some(LeftLittleProximal),
            LeftLittleDistal => Some(LeftLittleIntermediate),
            RightThumbProximal => Some(RightHand),
            RightThumbIntermediate => Some(RightThumbProximal),
            RightThumbDistal => Some(RightThumbIntermediate),
            RightIndexProximal => Some(RightHand),
            RightIndexIntermediate => Some(RightIndexProximal),
            RightIndexDistal => Some(RightIndexIntermediate),
            RightMiddleProximal => Some(RightHand),
            RightMiddleIntermediate => Some(RightMiddleProximal),
            RightMiddleDistal => Some(RightMiddleIntermediate),
            RightRingProximal => Some(RightHand),
            RightRingIntermediate => Some(RightRingProximal),
            RightRingDistal => Some(RightRingIntermediate),
            RightLittleProximal => Some(RightHand),
            RightLittleIntermediate => Some(RightLittleProximal),
            RightLittleDistal => Some(RightLittleIntermediate),
            UpperChest => Some(Chest),
        }
    }
    /// The same bone of the other side; the bone itself when it has no side.
    pub fn mirrored(self) -> Self {
        let name = self.name();
        let other = match (name.strip_prefix("Left"), name.strip_prefix("Right")) {
            (Some(rest), _) => format!("Right{rest}"),
            (_, Some(rest)) => format!("Left{rest}"),
            _ => return self,
        };
        Self::from_name(&other).unwrap_or(self)
    }
    /// Share of the body's mass, in kilograms of an 82.5 kg person (the mass table seen in Unity
    /// avatars). A missing bone's share goes to its nearest present parent.
    pub fn mass_kg(self) -> f32 {
        match self {
            Hips | Chest | UpperChest => 12.0,
            LeftUpperLeg | RightUpperLeg => 10.0,
            LeftLowerLeg | RightLowerLeg | Head => 4.0,
            LeftFoot | RightFoot => 0.8,
            Spine => 2.5,
            Neck => 1.0,
            LeftShoulder | RightShoulder | LeftHand | RightHand => 0.5,
            LeftUpperArm | RightUpperArm => 2.0,
            LeftLowerArm | RightLowerArm => 1.5,
            LeftToes | RightToes => 0.2,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_parents_agree() {
        for (i, bone) in HumanBone::ALL.into_iter().enumerate() {
            assert_eq!(bone.index(), i);
            assert_eq!(HumanBone::from_index(i), Some(bone));
            assert_eq!(HumanBone::from_name(bone.name()), Some(bone));
            assert_eq!(bone.mirrored().mirrored(), bone);
            assert_eq!(bone.mirrored().parent(), bone.parent().map(HumanBone::mirrored));
            let mut up = bone;
            while let Some(parent) = up.parent() {
                up = parent;
            }
            assert_eq!(up, Hips);
        }
        let total: f32 = HumanBone::ALL.into_iter().map(HumanBone::mass_kg).sum();
        assert!((total - 82.5).abs() < 1e-4, "{total}");
    }
}
