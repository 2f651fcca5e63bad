//! The vocabulary of joint names, and how a name falls apart into words of it.
//!
//! Names come as `mixamorig:LeftForeArm`, `upperarm_twist_01_l`, `Bip01 L Finger01`,
//! `DEF-thigh.L.001`, `lShldr`, `leftupleg` or `左足首`. They are cut at separators, at changes of
//! letter case and between letters and digits; a piece that is no known word is then cut into as
//! few known words as possible (`lthumb` → `l` `thumb`).

use Word::*;

/// What one word of a joint name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Left,
    Right,
    Upper,
    Lower,
    Fore,
    In,
    Hips,
    Hip,
    Torso,
    Chest,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    Shoulder,
    Arm,
    Humerus,
    Forearm,
    Hand,
    Palm,
    Leg,
    Thigh,
    Shin,
    Foot,
    Toe,
    Finger,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
    Metacarpal,
    Root,
    Body,
    /// A joint that only carries roll.
    Twist,
    /// A leaf that marks the end of a bone.
    End,
    /// A control, goal or mechanism of the rig.
    Control,
    /// Hair, cloth, face, props: no bone of the body.
    Extra,
    /// A second set of leg joints that follows the first (`左足D`).
    Double,
    /// Rigify's deforming bones.
    Deform,
    /// Rigify's copies of the template bones.
    Original,
    /// `joint` as a word (`LHipJoint`).
    Joint,
    /// Without meaning.
    Filler,
}

/// Words that may also be found inside a longer run of letters.
const WORDS: &[(Word, &[&str])] = &[
    (Left, &["left", "左"]),
    (Right, &["right", "右"]),
    (Upper, &["upper"]),
    (Lower, &["lower", "low"]),
    (Fore, &["fore"]),
    (Hips, &["hips", "pelvis", "pelvic", "腰", "下半身"]),
    (Hip, &["hip"]),
    (
        Torso,
        &[
            "spine",
            "spinal",
            "torso",
            "trunk",
            "abdomen",
            "abdominal",
            "belly",
            "tummy",
            "stomach",
            "waist",
            "back",
            "lumbar",
            "上半身",
        ],
    ),
    (Chest, &["chest", "thorax", "ribcage", "sternum"]),
    (Neck, &["neck", "cervical", "首"]),
    (Head, &["head", "skull", "cranium", "頭"]),
    (Jaw, &["jaw", "mandible", "顎", "あご"]),
    (Eye, &["eye", "eyes", "eyeball", "目"]),
    (Clavicle, &["clavicle", "clav", "collar", "collarbone"]),
    (Shoulder, &["shoulder", "shldr", "shoulders", "肩"]),
    (Arm, &["arm", "腕"]),
    (Humerus, &["humerus", "bicep", "biceps"]),
    (Forearm, &["forearm", "elbow", "radius", "ulna", "肘", "ひじ"]),
    (Hand, &["hand", "wrist", "手首", "手"]),
    (Palm, &["palm"]),
    (Leg, &["leg", "足", "脚"]),
    (Thigh, &["thigh", "femur", "もも", "太もも"]),
    (Shin, &["calf", "shin", "knee", "tibia", "ひざ", "膝"]),
    (Foot, &["foot", "feet", "ankle", "足首"]),
    (Toe, &["toe", "toes", "ball", "つま先", "爪先", "足先"]),
    (Finger, &["finger", "fingers", "digit", "指"]),
    (Thumb, &["thumb", "親指"]),
    (Index, &["index", "pointer", "forefinger", "人指", "人差指", "人差し指"]),
    (Middle, &["middle", "中指"]),
    (Ring, &["ring", "薬指"]),
    (Little, &["pinky", "pinkie", "little", "小指"]),
    (Metacarpal, &["metacarpal", "carpal", "fingerbase", "inhand"]),
    (Root, &["root", "armature", "skeleton", "センター", "グルーブ", "全ての親", "親"]),
    (Twist, &["twist", "捩", "捩れ"]),
    (End, &["end", "nub", "site", "先"]),
    (Control, &["target", "control", "controller", "ctrl", "pole", "effector", "goal", "キャンセル"]),
    (
        Extra,
        &[
            "補助",
            "slot",
            "socket",
            "attach",
            "weapon",
            "prop",
            "hair",
            "髪",
            "スカート",
            "胸",
            "乳",
            "両",
            "skirt",
            "cloth",
            "cape",
            "tail",
            "wing",
            "breast",
            "brow",
            "eyebrow",
            "eyelid",
            "eyelash",
            "lid",
            "lash",
            "blink",
            "lip",
            "lips",
            "mouth",
            "cheek",
            "tongue",
            "teeth",
            "nose",
            "nostril",
            "buttock",
            "pectoral",
            "scapula",
            "muscle",
            "share",
            "jiggle",
            "corrective",
            "helper",
            "holder",
        ],
    ),
    (Joint, &["joint"]),
    (Filler, &["bone", "bind", "base", "bend", "stretch", "mixamorig", "character"]),
];

/// Words that count only when they are a whole piece of the name.
const WHOLE: &[(Word, &[&str])] = &[
    (Left, &["l", "lf", "lt", "lft", "izq", "izquierda", "izquierdo", "gauche", "links"]),
    (Right, &["r", "rt", "rgt", "rht", "der", "derecha", "derecho", "droite", "droit", "rechts"]),
    (Upper, &["up"]),
    (Lower, &["lo", "dn"]),
    (In, &["in"]),
    (Middle, &["mid"]),
    (Little, &["pink"]),
    (Metacarpal, &["meta"]),
    (Body, &["body", "lowerbody", "lowertorso"]),
    (Torso, &["upperbody", "rib", "ribs"]),
    (Root, &["cog", "com", "center", "centre", "master", "main", "global", "world", "reference", "rig", "scene"]),
    (
        Filler,
        &[
            "hub", "rear", "ex", "face", "b", "c", "j", "m", "x", "bip", "adj", "valve", "biped", "bn", "sk", "skel",
            "node",
        ],
    ),
    (Twist, &["roll", "tw"]),
    (End, &["tip", "top", "null", "leaf"]),
    (
        Control,
        &[
            "effect",
            "ik",
            "fk",
            "mch",
            "vis",
            "tweak",
            "pivot",
            "parent",
            "ctl",
            "con",
            "cnt",
            "tgt",
            "loc",
            "locator",
            "constraint",
            "offset",
            "heel",
            "footsteps",
            "switch",
        ],
    ),
    (Double, &["d"]),
    (
        Extra,
        &[
            "sec",
            "phys",
            "physics",
            "dyn",
            "spring",
            "collider",
            "item",
            "gun",
            "sword",
            "shield",
            "camera",
            "light",
            "backpack",
            "necklace",
            "headgear",
            "hat",
            "helmet",
            "forehead",
            "chin",
            "temple",
            "ear",
            "ears",
            "earring",
            "bust",
            "boob",
            "boobs",
            "butt",
            "glute",
            "pec",
            "pad",
            "aux",
            "deltoid",
            "trapezius",
            "armor",
            "armour",
            "belt",
            "strap",
            "pouch",
            "ribbon",
            "tie",
            "collision",
        ],
    ),
    (Deform, &["def", "deform"]),
    (Original, &["org"]),
    (Joint, &["jnt", "jt"]),
];

/// The words of a name; numbers are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    /// Known words, in order.
    pub(super) words: Vec<Word>,
    /// Whether some piece of the name is no known word.
    pub(super) has_unknown: bool,
}

/// Cuts a name into words. Only the part after the last `:` or `|` counts (name spaces, paths).
pub(super) fn words_of(name: &str) -> Words {
    let plain: Vec<char> = name.rsplit([':', '|']).next().unwrap_or(name).chars().map(half_width).collect();
    let mut out = Words::default();
    let mut start = 0;
    for i in 0..=plain.len() {
        if i == plain.len() || (i > start && is_boundary(&plain, i)) {
            piece(&plain[start..i], &mut out);
            start = i;
        }
    }
    out
}

/// Full-width letters and digits (usual in Japanese rigs) as plain ones.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xff01 + 0x21).unwrap_or(c),
        _ => c,
    }
}

/// Whether a new piece starts at `i`, which is at least 1.
fn is_boundary(text: &[char], i: usize) -> bool {
    let (before, here) = (text[i - 1], text[i]);
    if !before.is_alphanumeric() || !here.is_alphanumeric() || before.is_ascii() != here.is_ascii() {
        return true;
    }
    if before.is_ascii_digit() != here.is_ascii_digit() {
        return true;
    }
    let next_lower = text.get(i + 1).is_some_and(|c| c.is_lowercase());
    (before.is_lowercase() && here.is_uppercase()) || (before.is_uppercase() && here.is_uppercase() && next_lower)
}

fn piece(text: &[char], out: &mut Words) {
    if text.iter().all(|c| c.is_ascii_digit()) {
        return;
    }
    if !text.iter().any(|c| c.is_alphanumeric()) {
        return;
    }
    let low: Vec<char> = text.iter().flat_map(|c| c.to_lowercase()).collect();
    let whole: String = low.iter().collect();
    match find(WHOLE, &whole).or_else(|| find(WORDS, &whole)) {
        Some(word) => out.words.push(word),
        None => match segment(&low) {
            Some(words) => out.words.extend(words),
            None => out.has_unknown = true,
        },
    }
}

fn find(table: &[(Word, &[&str])], text: &str) -> Option<Word> {
    table.iter().find(|(_, names)| names.contains(&text)).map(|(word, _)| *word)
}

/// Longest run of letters that is searched for words inside it.
const LONGEST_PIECE: usize = 32;

/// Cuts a run of letters into as few known words as possible; `l` and `r` may stand at its start or
/// end, `up` and `lo` at its start or after a side.
fn segment(text: &[char]) -> Option<Vec<Word>> {
    let n = text.len();
    if !(2..=LONGEST_PIECE).contains(&n) {
        return None;
    }
    // best[i]: fewest words that cover text[..i], the start of the last of them, and its meaning.
    let mut best: Vec<Option<(usize, usize, Word)>> = vec![None; n + 1];
    for end in 1..=n {
        for start in 0..end {
            let count = if start == 0 { 0 } else { best[start].map_or(usize::MAX, |b| b.0) };
            if count == usize::MAX {
                continue;
            }
            let part: String = text[start..end].iter().collect();
            let edge = start == 0 || end == n;
            let early = matches!(text[..start].iter().collect::<String>().as_str(), "" | "l" | "r" | "left" | "right");
            let word = match part.as_str() {
                "l" if edge => Some(Left),
                "r" if edge => Some(Right),
                "up" if early => Some(Upper),
                "lo" if early => Some(Lower),
                _ => find(WORDS, &part),
            };
            if let Some(word) = word
                && best[end].is_none_or(|b| count + 1 < b.0)
            {
                best[end] = Some((count + 1, start, word));
            }
        }
    }
    let mut words = Vec::new();
    let mut end = n;
    while end > 0 {
        let (_, start, word) = best[end]?;
        words.push(word);
        end = start;
    }
    words.reverse();
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_apart_into_words() {
        let words = |name: &str| words_of(name).words;
        assert_eq!(words("mixamorig:LeftForeArm"), [Left, Fore, Arm]);
        assert_eq!(words("lthumb"), [Left, Thumb]);
        assert_eq!(words("leftupleg"), [Left, Upper, Leg]);
        assert_eq!(words("RThumb"), [Right, Thumb]);
        assert_eq!(words("Palm2L"), [Palm, Left]);
        assert_eq!(words("左足首"), [Left, Foot]);
        assert_eq!(words("左足ＩＫ"), [Left, Leg, Control]);
        assert_eq!(words("lShldr"), [Left, Shoulder]);
        assert_eq!(words("DEF-upper_arm.L.001"), [Deform, Upper, Arm, Left]);
        assert_eq!(words("handslot.l"), [Hand, Extra, Left]);
        assert_eq!(words("handle"), []);
        assert_eq!(words("armature"), [Root]);
        assert_eq!(words("rear"), [Filler]);
        assert_eq!(words(""), []);
    }
}
