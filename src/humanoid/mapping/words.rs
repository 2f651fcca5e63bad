//! The vocabulary of joint names, and how a name falls apart into words of it.
//!
//! Names come as `mixamorig:LeftForeArm`, `upperarm_twist_01_l`, `Bip01 L Finger01`, `DEF-thigh.L.001`, `lShldr`,
//! `leftupleg` or `左足首`. They are cut at separators, at changes of letter case and between letters and digits; a
//! piece that is no known word is then cut into as few known words as possible (`lthumb` → `l` `thumb`).

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
    /// Rigify's deforming bones.
    Deform,
    /// Rigify's copies of the template bones.
    Original,
    /// `joint` as a word (`LHipJoint`).
    Joint,
    /// Says nothing.
    Filler,
}

/// Words that may also be found inside a longer run of letters.
const WORDS: &[(&str, Word)] = &[
    ("left", Left),
    ("right", Right),
    ("左", Left),
    ("右", Right),
    ("upper", Upper),
    ("lower", Lower),
    ("low", Lower),
    ("fore", Fore),
    ("hips", Hips),
    ("pelvis", Hips),
    ("pelvic", Hips),
    ("腰", Hips),
    ("下半身", Hips),
    ("hip", Hip),
    ("spine", Torso),
    ("spinal", Torso),
    ("torso", Torso),
    ("trunk", Torso),
    ("abdomen", Torso),
    ("abdominal", Torso),
    ("belly", Torso),
    ("tummy", Torso),
    ("stomach", Torso),
    ("waist", Torso),
    ("back", Torso),
    ("lumbar", Torso),
    ("上半身", Torso),
    ("chest", Chest),
    ("thorax", Chest),
    ("ribcage", Chest),
    ("sternum", Chest),
    ("neck", Neck),
    ("cervical", Neck),
    ("首", Neck),
    ("head", Head),
    ("skull", Head),
    ("cranium", Head),
    ("頭", Head),
    ("jaw", Jaw),
    ("mandible", Jaw),
    ("顎", Jaw),
    ("あご", Jaw),
    ("eye", Eye),
    ("eyes", Eye),
    ("eyeball", Eye),
    ("目", Eye),
    ("clavicle", Clavicle),
    ("clav", Clavicle),
    ("collar", Clavicle),
    ("collarbone", Clavicle),
    ("shoulder", Shoulder),
    ("shldr", Shoulder),
    ("shoulders", Shoulder),
    ("肩", Shoulder),
    ("arm", Arm),
    ("腕", Arm),
    ("humerus", Humerus),
    ("bicep", Humerus),
    ("biceps", Humerus),
    ("forearm", Forearm),
    ("elbow", Forearm),
    ("radius", Forearm),
    ("ulna", Forearm),
    ("肘", Forearm),
    ("ひじ", Forearm),
    ("hand", Hand),
    ("wrist", Hand),
    ("手首", Hand),
    ("手", Hand),
    ("palm", Palm),
    ("leg", Leg),
    ("足", Leg),
    ("脚", Leg),
    ("thigh", Thigh),
    ("femur", Thigh),
    ("もも", Thigh),
    ("太もも", Thigh),
    ("calf", Shin),
    ("shin", Shin),
    ("knee", Shin),
    ("tibia", Shin),
    ("ひざ", Shin),
    ("膝", Shin),
    ("foot", Foot),
    ("feet", Foot),
    ("ankle", Foot),
    ("足首", Foot),
    ("toe", Toe),
    ("toes", Toe),
    ("ball", Toe),
    ("つま先", Toe),
    ("爪先", Toe),
    ("足先", Toe),
    ("finger", Finger),
    ("fingers", Finger),
    ("digit", Finger),
    ("指", Finger),
    ("thumb", Thumb),
    ("親指", Thumb),
    ("index", Index),
    ("pointer", Index),
    ("forefinger", Index),
    ("人指", Index),
    ("人差指", Index),
    ("人差し指", Index),
    ("middle", Middle),
    ("中指", Middle),
    ("ring", Ring),
    ("薬指", Ring),
    ("pinky", Little),
    ("pinkie", Little),
    ("little", Little),
    ("小指", Little),
    ("metacarpal", Metacarpal),
    ("carpal", Metacarpal),
    ("fingerbase", Metacarpal),
    ("inhand", Metacarpal),
    ("root", Root),
    ("armature", Root),
    ("skeleton", Root),
    ("センター", Root),
    ("グルーブ", Root),
    ("全ての親", Root),
    ("twist", Twist),
    ("捩", Twist),
    ("捩れ", Twist),
    ("end", End),
    ("nub", End),
    ("site", End),
    ("target", Control),
    ("control", Control),
    ("controller", Control),
    ("ctrl", Control),
    ("pole", Control),
    ("effector", Control),
    ("goal", Control),
    ("キャンセル", Control),
    ("親", Root),
    ("補助", Extra),
    ("先", End),
    ("slot", Extra),
    ("socket", Extra),
    ("attach", Extra),
    ("weapon", Extra),
    ("prop", Extra),
    ("hair", Extra),
    ("髪", Extra),
    ("スカート", Extra),
    ("胸", Extra),
    ("乳", Extra),
    ("両", Extra),
    ("skirt", Extra),
    ("cloth", Extra),
    ("cape", Extra),
    ("tail", Extra),
    ("wing", Extra),
    ("breast", Extra),
    ("brow", Extra),
    ("eyebrow", Extra),
    ("eyelid", Extra),
    ("eyelash", Extra),
    ("lid", Extra),
    ("lash", Extra),
    ("blink", Extra),
    ("lip", Extra),
    ("lips", Extra),
    ("mouth", Extra),
    ("cheek", Extra),
    ("tongue", Extra),
    ("teeth", Extra),
    ("nose", Extra),
    ("nostril", Extra),
    ("buttock", Extra),
    ("pectoral", Extra),
    ("scapula", Extra),
    ("muscle", Extra),
    ("jiggle", Extra),
    ("corrective", Extra),
    ("helper", Extra),
    ("holder", Extra),
    ("joint", Joint),
    ("bone", Filler),
    ("bind", Filler),
    ("base", Filler),
    ("bend", Filler),
    ("stretch", Filler),
    ("mixamorig", Filler),
    ("character", Filler),
];

/// Words that count only when they are a whole piece of the name.
const WHOLE: &[(&str, Word)] = &[
    ("l", Left),
    ("r", Right),
    ("lf", Left),
    ("lt", Left),
    ("lft", Left),
    ("rt", Right),
    ("rt", Right),
    ("rgt", Right),
    ("rht", Right),
    ("izq", Left),
    ("izquierda", Left),
    ("izquierdo", Left),
    ("der", Right),
    ("derecha", Right),
    ("derecho", Right),
    ("gauche", Left),
    ("droite", Right),
    ("droit", Right),
    ("links", Left),
    ("rechts", Right),
    ("up", Upper),
    ("lo", Lower),
    ("dn", Lower),
    ("in", In),
    ("mid", Middle),
    ("pink", Little),
    ("body", Body),
    ("lowerbody", Body),
    ("lowertorso", Body),
    ("upperbody", Torso),
    ("rib", Torso),
    ("ribs", Torso),
    ("cog", Root),
    ("com", Root),
    ("center", Root),
    ("centre", Root),
    ("master", Root),
    ("main", Root),
    ("global", Root),
    ("world", Root),
    ("reference", Root),
    ("rig", Root),
    ("scene", Root),
    ("hub", Filler),
    ("roll", Twist),
    ("tw", Twist),
    ("tip", End),
    ("top", End),
    ("null", End),
    ("leaf", End),
    ("effect", Control),
    ("ik", Control),
    ("fk", Control),
    ("mch", Control),
    ("vis", Control),
    ("tweak", Control),
    ("pivot", Control),
    ("parent", Control),
    ("ctl", Control),
    ("con", Control),
    ("cnt", Control),
    ("tgt", Control),
    ("loc", Control),
    ("locator", Control),
    ("constraint", Control),
    ("offset", Control),
    ("heel", Control),
    ("footsteps", Control),
    ("switch", Control),
    ("d", Control),
    ("sec", Extra),
    ("phys", Extra),
    ("physics", Extra),
    ("dyn", Extra),
    ("spring", Extra),
    ("collider", Extra),
    ("item", Extra),
    ("gun", Extra),
    ("sword", Extra),
    ("shield", Extra),
    ("camera", Extra),
    ("light", Extra),
    ("backpack", Extra),
    ("necklace", Extra),
    ("headgear", Extra),
    ("hat", Extra),
    ("helmet", Extra),
    ("forehead", Extra),
    ("chin", Extra),
    ("temple", Extra),
    ("ear", Extra),
    ("ears", Extra),
    ("earring", Extra),
    ("rear", Filler),
    ("bust", Extra),
    ("boob", Extra),
    ("boobs", Extra),
    ("butt", Extra),
    ("glute", Extra),
    ("pec", Extra),
    ("pad", Extra),
    ("aux", Extra),
    ("deltoid", Extra),
    ("trapezius", Extra),
    ("armor", Extra),
    ("armour", Extra),
    ("belt", Extra),
    ("strap", Extra),
    ("pouch", Extra),
    ("ribbon", Extra),
    ("tie", Extra),
    ("collision", Extra),
    ("def", Deform),
    ("deform", Deform),
    ("org", Original),
    ("jnt", Joint),
    ("jt", Joint),
    ("ex", Filler),
    ("face", Filler),
    ("b", Filler),
    ("c", Filler),
    ("j", Filler),
    ("m", Filler),
    ("x", Filler),
    ("bip", Filler),
    ("adj", Filler),
    ("valve", Filler),
    ("biped", Filler),
    ("bn", Filler),
    ("sk", Filler),
    ("skel", Filler),
    ("node", Filler),
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

fn find(table: &[(&str, Word)], text: &str) -> Option<Word> {
    table.iter().find(|(name, _)| *name == text).map(|(_, word)| *word)
}

/// Longest run of letters that is searched for words inside it.
const LONGEST_PIECE: usize = 32;

/// Cuts a run of letters into as few known words as possible; `l` and `r` may stand at its start or end, `up` and `lo`
/// at its start or after a side.
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
            let early = start == 0 || (start == 1 && matches!(text[0], 'l' | 'r'));
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
