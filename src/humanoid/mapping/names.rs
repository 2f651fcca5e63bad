//! What is read from a joint's name: side, part of the body, and whether it is a bone of
//! the body at all.

use super::words::{Word, words_of};

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left = 0,
    Right = 1,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::Left, Side::Right];

    pub(super) fn other(self) -> Side {
        if self == Side::Left { Side::Right } else { Side::Left }
    }
}

/// Fingers, in the order of Unity's bone numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digit {
    Thumb = 0,
    Index = 1,
    Middle = 2,
    Ring = 3,
    Little = 4,
}

impl Digit {
    pub(super) const ALL: [Digit; 5] = [Digit::Thumb, Digit::Index, Digit::Middle, Digit::Ring, Digit::Little];
}

/// Part of the body a name points to. Some words are ambiguous and stay so here (`LeftLeg` is a
/// shin in one family and a thigh in another): the place in the limb decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Unknown,
    Root,
    Body,
    Hips,
    Torso,
    Chest,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    /// `shoulder`: the clavicle, or the upper arm where a clavicle precedes it.
    Shoulder,
    /// `arm` without upper or lower.
    Arm,
    UpperArm,
    LowerArm,
    Hand,
    Palm,
    Metacarpal,
    /// A finger joint without a finger's name (it may have numbers).
    Finger,
    Digit(Digit),
    /// A joint between pelvis and thigh.
    HipJoint,
    /// `hip` with a side: usually the thigh.
    SideHip,
    /// `leg` without upper or lower.
    Leg,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
}

impl Part {
    pub(super) fn is_arm(self) -> bool {
        use Part::*;
        matches!(self, Clavicle | Shoulder | Arm | UpperArm | LowerArm | Hand | Palm)
    }
    pub(super) fn is_leg(self) -> bool {
        use Part::*;
        matches!(self, HipJoint | SideHip | Leg | UpperLeg | LowerLeg | Foot | Toes)
    }
    pub(super) fn is_trunk(self) -> bool {
        use Part::*;
        matches!(self, Hips | Torso | Chest | Neck | Head)
    }
}

/// Why a joint is no main bone, whatever part it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aside {
    /// It may be a main bone.
    No,
    /// It carries roll.
    Twist,
    /// It marks the end of a bone.
    End,
    /// It belongs to the rig's controls.
    Control,
    /// Hair, cloth, face, props.
    Extra,
}

/// All that is read from a name.
#[derive(Clone, Debug)]
pub(super) struct NameInfo {
    pub(super) part: Part,
    pub(super) side: Option<Side>,
    pub(super) aside: Aside,
    /// Small bonus among joints with the same meaning: deforming bones before copies of them.
    pub(super) rank: f32,
    /// A finger's metacarpal, by name.
    pub(super) is_metacarpal: bool,
}

impl NameInfo {
    /// Whether the joint may be a main bone of this part of the body.
    pub(super) fn is_bone(&self) -> bool {
        self.aside == Aside::No
    }
}

/// Reads all names. Words that most of the joints share (a prefix such as `rig_`) mean nothing and
/// are left out.
pub(super) fn read_names(names: &[String]) -> Vec<NameInfo> {
    use Word::*;
    let all: Vec<_> = names.iter().map(|name| words_of(name)).collect();
    let common: Vec<Word> = [Root, Body, Twist, End, Control, Extra, Index, Head, Torso]
        .into_iter()
        .filter(|word| {
            let count = all.iter().filter(|w| w.words.contains(word)).count();
            names.len() >= 10 && count * 10 >= names.len() * 6
        })
        .collect();
    all.into_iter()
        .map(|mut words| {
            words.words.retain(|w| !common.contains(w));
            interpret(&words.words, words.has_unknown)
        })
        .collect()
}

fn interpret(words: &[Word], has_unknown: bool) -> NameInfo {
    use Word::*;
    let has = |w: Word| words.contains(&w);
    let side = match (has(Left), has(Right)) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    };
    let aside = if has(Extra) {
        Aside::Extra
    } else if has(Control) {
        Aside::Control
    } else if has(End) {
        Aside::End
    } else if has(Twist) {
        Aside::Twist
    } else {
        Aside::No
    };
    let part = part_of(&has, side.is_some());
    let rank = if has(Deform) {
        0.1
    } else if has(Original) {
        -0.1
    } else {
        0.0
    };
    // A neck or spine joint that twists is still the neck or spine; an upper jaw does not move.
    let aside = match part {
        Part::Neck | Part::Torso | Part::Chest if aside == Aside::Twist => Aside::No,
        Part::Jaw if has(Upper) => Aside::Extra,
        part if part.is_leg() && has(Double) => Aside::Control,
        _ => aside,
    };
    // `左肩` rather than `左肩P`: the name without a rest fits more exactly.
    let rank = if has_unknown { rank - 0.02 } else { rank };
    let is_metacarpal = has(Metacarpal) || (has(In) && has(Hand));
    NameInfo { part, side, aside, rank, is_metacarpal }
}

fn part_of(has: &dyn Fn(Word) -> bool, has_side: bool) -> Part {
    use Word as W;
    let any = |list: &[W]| list.iter().any(|w| has(*w));
    if has(W::Jaw) {
        return Part::Jaw;
    }
    if has(W::Eye) {
        return Part::Eye;
    }
    if !any(&[W::Toe, W::Foot, W::Torso, W::Chest, W::Neck, W::Head, W::Leg, W::Arm, W::Forearm]) {
        if any(&[W::Thumb, W::Index, W::Ring, W::Little, W::Middle]) {
            // `Middle` last: it is also the middle joint of another finger.
            return Part::Digit(if has(W::Thumb) {
                Digit::Thumb
            } else if has(W::Index) {
                Digit::Index
            } else if has(W::Ring) {
                Digit::Ring
            } else if has(W::Little) {
                Digit::Little
            } else {
                Digit::Middle
            });
        }
        if has(W::Metacarpal) {
            return Part::Metacarpal;
        }
        if has(W::Finger) {
            return Part::Finger;
        }
    }
    let (upper, lower) = (has(W::Upper), has(W::Lower));
    if has(W::Toe) {
        Part::Toes
    } else if has(W::Foot) {
        Part::Foot
    } else if has(W::Hand) {
        Part::Hand
    } else if has(W::Palm) {
        Part::Palm
    } else if has(W::Forearm) || (has(W::Arm) && (lower || has(W::Fore))) {
        Part::LowerArm
    } else if has(W::Humerus) || (has(W::Arm) && upper) {
        Part::UpperArm
    } else if has(W::Clavicle) {
        Part::Clavicle
    } else if has(W::Arm) {
        Part::Arm
    } else if has(W::Shin) || (has(W::Leg) && lower) {
        Part::LowerLeg
    } else if has(W::Thigh) || (has(W::Leg) && upper) {
        Part::UpperLeg
    } else if has(W::Leg) {
        Part::Leg
    } else if has(W::Shoulder) {
        Part::Shoulder
    } else if has(W::Neck) {
        Part::Neck
    } else if has(W::Head) {
        Part::Head
    } else if has(W::Hip) && has_side {
        if has(W::Joint) { Part::HipJoint } else { Part::SideHip }
    } else if has(W::Hips) && has_side {
        Part::HipJoint
    } else if has(W::Hips) || has(W::Hip) {
        Part::Hips
    } else if has(W::Chest) {
        Part::Chest
    } else if has(W::Torso) {
        if lower && has(W::Body) { Part::Body } else { Part::Torso }
    } else if has(W::Body) {
        Part::Body
    } else if has(W::Root) {
        Part::Root
    } else {
        Part::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> (Part, Option<Side>, Aside) {
        let info = read_names(&[name.to_owned()]).remove(0);
        (info.part, info.side, info.aside)
    }

    #[test]
    fn names_of_many_families_are_understood() {
        let (l, r) = (Some(Side::Left), Some(Side::Right));
        let bone = |name: &str, part: Part, side: Option<Side>| {
            assert_eq!(read(name), (part, side, Aside::No), "{name}");
        };
        bone("mixamorig:LeftForeArm", Part::LowerArm, l);
        bone("Bip01 L UpperArm", Part::UpperArm, l);
        bone("ValveBiped.Bip01_R_Thigh", Part::UpperLeg, r);
        bone("upperarm_l", Part::UpperArm, l);
        bone("J_Bip_R_LowerLeg", Part::LowerLeg, r);
        bone("J_Adj_L_FaceEye", Part::Eye, l);
        bone("shoulder.L", Part::Shoulder, l);
        bone("Character1_LeftArm", Part::Arm, l);
        bone("LHipJoint", Part::HipJoint, l);
        bone("LeftHip", Part::SideHip, l);
        bone("lCollar", Part::Clavicle, l);
        bone("lShldr", Part::Shoulder, l);
        bone("rThighBend", Part::UpperLeg, r);
        bone("左腕", Part::Arm, l);
        bone("右ひざ", Part::LowerLeg, r);
        bone("左足首", Part::Foot, l);
        bone("下半身", Part::Hips, None);
        bone("lfemur", Part::UpperLeg, l);
        bone("rhumerus", Part::UpperArm, r);
        bone("Palm2L", Part::Palm, l);
        bone("FootR", Part::Foot, r);
        bone("Left wrist", Part::Hand, l);
        bone("Bip01 L Finger01", Part::Finger, l);
        bone("DEF-f_index.01.L", Part::Digit(Digit::Index), l);
        bone("左人指１", Part::Digit(Digit::Index), l);
        bone("LittleFinger1_R", Part::Digit(Digit::Little), r);
        bone("ball_r", Part::Toes, r);
        bone("neck01", Part::Neck, None);
        bone("Bip01 MJaw", Part::Jaw, None);
    }

    #[test]
    fn joints_beside_the_body_are_distinguished() {
        let aside = |name: &str, aside: Aside| assert_eq!(read(name).2, aside, "{name}");
        aside("upperarm_twist_01_l", Aside::Twist);
        aside("LeftForeArmRoll", Aside::Twist);
        aside("lForearmTwist", Aside::Twist);
        aside("HeadTop_End", Aside::End);
        aside("Bip01 L Finger0Nub", Aside::End);
        aside("IK-foot.l", Aside::Control);
        aside("ik_hand_r", Aside::Control);
        aside("PoleTargetL", Aside::Control);
        aside("左足ＩＫ", Aside::Control);
        aside("左ひざD", Aside::Control);
        aside("handslot.l", Aside::Extra);
        aside("J_Sec_L_Bust1", Aside::Extra);
        aside("REyeBlinkTop", Aside::Extra);
        aside("FrontHair_L", Aside::Extra);
    }
}
