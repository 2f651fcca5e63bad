//! Fingers below a hand: by name, by number, or by their order across the palm. Toes below a
//! foot.

use super::body::Body;
use super::names::{Aside, Digit, Part, Side};
use crate::math::{Vec3, normalize_or};
use crate::skeleton::JointIndex;

/// Joints of the fingers of one hand: `[thumb … little][proximal, intermediate, distal]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingers {
    pub(super) joints: [[Option<JointIndex>; 3]; 5],
    /// Fingers named one by one, as against found by number or position.
    pub(super) by_name: [bool; 5],
}

impl Fingers {
    fn set<'a>(&mut self, digit: Digit, joints: impl IntoIterator<Item = &'a JointIndex>, by_name: bool) {
        for (slot, joint) in self.joints[digit as usize].iter_mut().zip(joints) {
            *slot = Some(*joint);
        }
        self.by_name[digit as usize] = by_name;
    }
    fn has(&self, digit: Digit) -> bool {
        self.joints[digit as usize][0].is_some()
    }
}

/// A line of joints below the hand that may be a finger.
struct Line {
    /// Without a metacarpal.
    joints: Vec<JointIndex>,
    /// The joint before them whose name states that it is a numbered finger's metacarpal: the first
    /// joint of a thumb.
    metacarpal: Option<JointIndex>,
    /// Number of the finger in its name.
    number: Option<u32>,
    has_name: bool,
}

/// Most joints below a hand or foot that are looked at.
const MAX_BELOW: usize = 1024;

/// Finds the fingers below a hand.
pub(super) fn find_fingers(body: &Body, hand: JointIndex, elbow: JointIndex, side: Side) -> Fingers {
    let mut found = Fingers::default();
    let below: Vec<JointIndex> = body
        .skeleton
        .subtree(hand)
        .take(MAX_BELOW)
        .filter(|j| body.is_bone(*j) && body.side(*j) != Some(side.other()) && body.is_above(hand, *j))
        .collect();
    for digit in Digit::ALL {
        // The longest line of joints that name this finger; a metacarpal counts for the thumb only.
        let named = |j: JointIndex| {
            body.part(j) == Part::Digit(digit) && (digit == Digit::Thumb || !body.names[j].is_metacarpal)
        };
        let mut best: Vec<JointIndex> = Vec::new();
        for &joint in below.iter().filter(|j| named(**j)) {
            let mut line: Vec<JointIndex> =
                body.up(joint).take_while(|j| *j != hand).filter(|j| body.is_bone(*j) && named(*j)).collect();
            line.reverse();
            if line.len() > best.len() {
                best = line;
            }
        }
        if !best.is_empty() {
            found.set(digit, &best, true);
        }
    }
    let lines = unnamed_lines(body, hand);
    if lines.is_empty() {
        return found;
    }
    if !by_number(&mut found, &lines) {
        by_position(body, hand, elbow, &mut found, lines);
    }
    found
}

/// Lines of joints below the hand without a finger's own name.
fn unnamed_lines(body: &Body, hand: JointIndex) -> Vec<Line> {
    let may_be = |j: JointIndex| {
        let (part, aside) = (body.part(j), body.names[j].aside);
        aside == Aside::No && matches!(part, Part::Unknown | Part::Finger | Part::Metacarpal)
    };
    let mut starts: Vec<JointIndex> = body.children[hand].iter().copied().filter(|j| may_be(*j)).collect();
    // One joint that carries all the fingers, a palm.
    if let [palm] = starts[..]
        && body.children[palm].iter().filter(|j| may_be(**j)).count() > 1
    {
        starts = body.children[palm].iter().copied().filter(|j| may_be(*j)).collect();
    }
    let mut lines = Vec::new();
    for start in starts {
        let mut joints = vec![start];
        while joints.len() < 6
            && let Some(next) = body.main_child[joints[joints.len() - 1]].filter(|j| may_be(*j))
        {
            joints.push(next);
        }
        let is_named = body.part(start) == Part::Metacarpal;
        if is_named || is_metacarpal(body, hand, &joints) {
            joints.remove(0);
        }
        let metacarpal = (is_named && finger_number(body, start).is_some()).then_some(start);
        let Some(&first) = joints.first() else { continue };
        let has_name = joints.iter().any(|j| body.part(*j) == Part::Finger);
        let number = (body.part(first) == Part::Finger).then(|| finger_number(body, first)).flatten();
        // A lone joint may be anything that is held or worn.
        if joints.len() >= 2 {
            lines.push(Line { joints, metacarpal, number, has_name });
        }
    }
    lines
}

/// Number of the finger: `Finger01` is finger 0, `finger1-2` finger 1. The rig's own number
/// (`Bip01`) comes before it.
fn finger_number(body: &Body, joint: JointIndex) -> Option<u32> {
    let name = body.skeleton.name(joint).to_lowercase();
    let after = &name[name.rfind("finger")? + "finger".len()..];
    let digits: Vec<&str> = after.split(|c: char| !c.is_ascii_digit()).filter(|s| !s.is_empty()).collect();
    let first = digits.first()?;
    // `Finger01` in one run: finger and joint; `finger_01` alone counts joints.
    let starts_here = after.starts_with(|c: char| c.is_ascii_digit());
    if starts_here || digits.len() > 1 { first.chars().next()?.to_digit(10) } else { None }
}

/// A first joint near the wrist with a long bone is a metacarpal, which has no human bone.
fn is_metacarpal(body: &Body, hand: JointIndex, joints: &[JointIndex]) -> bool {
    joints.len() >= 4 && body.distance(hand, joints[0]) < 0.8 * body.distance(joints[0], joints[1])
}

/// Assigns numbered fingers; false when the numbers are ambiguous.
fn by_number(found: &mut Fingers, lines: &[Line]) -> bool {
    let numbers: Vec<u32> = lines.iter().filter_map(|l| l.number).collect();
    if numbers.len() != lines.len() || numbers.iter().enumerate().any(|(i, n)| numbers[..i].contains(n)) {
        return false;
    }
    let (Some(low), Some(high)) = (numbers.iter().min(), numbers.iter().max()) else { return false };
    // 0 … 4 counts from the thumb (Biped); 1 … 5 too; 1 … 4 beside a named thumb counts from the
    // index finger.
    let thumb = match (low, high, found.has(Digit::Thumb)) {
        (0, 0..=4, false) => 0,
        (1.., ..=5, false) if *high == 5 || lines.len() > 4 => 1,
        (1.., ..=4, true) => 0,
        _ => return false,
    };
    for line in lines {
        let digit = line.number.and_then(|n| Digit::ALL.get((n - thumb.min(n)) as usize));
        if let Some(digit) = digit
            && !found.has(*digit)
        {
            let metacarpal = line.metacarpal.as_ref().filter(|_| *digit == Digit::Thumb);
            found.set(*digit, metacarpal.into_iter().chain(&line.joints), false);
        }
    }
    true
}

/// Assigns fingers by their order across the palm, the thumb being the outer one that starts
/// nearest to the wrist.
fn by_position(body: &Body, hand: JointIndex, elbow: JointIndex, found: &mut Fingers, mut lines: Vec<Line>) {
    let named = Digit::ALL.iter().filter(|d| found.has(**d)).count();
    let thumb_named = found.has(Digit::Thumb);
    // Fingers beside others that have names, and lone lines, cannot be distinguished from props.
    if named > usize::from(thumb_named)
        || lines.len() + named < 3 && !lines.iter().all(|l| l.has_name)
        || lines.len() < 2
    {
        return;
    }
    let root = |line: &Line| body.position[line.joints[0]] - body.position[hand];
    let thumb_at = if let Some(joint) = found.joints[0][0] {
        Some(body.position[joint] - body.position[hand])
    } else {
        // The thumb starts well nearer to the wrist than the others.
        let mean = lines.iter().fold(Vec3::ZERO, |sum, l| sum + root(l)) / lines.len() as f32;
        let along = normalize_or(mean, normalize_or(body.position[hand] - body.position[elbow], Vec3::X));
        let reach = |line: &Line| root(line).dot(along);
        let nearest = (0..lines.len()).min_by(|a, b| reach(&lines[*a]).total_cmp(&reach(&lines[*b]))).unwrap_or(0);
        let rest: f32 = lines.iter().map(reach).sum::<f32>() - reach(&lines[nearest]);
        let is_thumb = lines.len() == 5 || reach(&lines[nearest]) < 0.7 * rest / (lines.len() - 1) as f32;
        is_thumb.then(|| {
            let line = lines.remove(nearest);
            found.set(Digit::Thumb, &line.joints, false);
            root(&line)
        })
    };
    // Without a thumb, index finger and little finger cannot be distinguished.
    let Some(thumb_at) = thumb_at else { return };
    let mut apart = Vec3::ZERO;
    for a in &lines {
        for b in &lines {
            let between = root(a) - root(b);
            if between.length() > apart.length() {
                apart = between;
            }
        }
    }
    let mut across = normalize_or(apart, Vec3::ZERO);
    if apart.length() < 1e-4 * body.extent {
        return;
    }
    let centre = lines.iter().fold(Vec3::ZERO, |sum, l| sum + root(l)) / lines.len() as f32;
    if (thumb_at - centre).dot(across) > 0.0 {
        across = -across;
    }
    let place = |line: &Line| root(line).dot(across);
    lines.sort_by(|a, b| place(a).total_cmp(&place(b)).then(a.joints[0].cmp(&b.joints[0])));
    // With fewer than four the outer one is taken for the little finger, as mappers usually do.
    let digits: &[Digit] = match lines.len() {
        2 => &[Digit::Index, Digit::Little],
        3 => &[Digit::Index, Digit::Middle, Digit::Little],
        4 => &[Digit::Index, Digit::Middle, Digit::Ring, Digit::Little],
        _ => return,
    };
    for (digit, line) in digits.iter().zip(&lines) {
        found.set(*digit, &line.joints, false);
    }
}

/// Toes below a foot, and whether they were found by name. Of several toes side by side, the one
/// straight ahead of the ankle.
pub(super) fn find_toes(
    body: &Body,
    foot: JointIndex,
    knee: JointIndex,
    lateral: Option<Vec3>,
) -> Option<(JointIndex, bool)> {
    let mut near: Option<(f32, JointIndex)> = None;
    for joint in body.skeleton.subtree(foot).take(MAX_BELOW) {
        let is_toe = body.part(joint) == Part::Toes && body.is_bone(joint) && body.is_above(foot, joint);
        // The first toe joint of each line only.
        let is_first = is_toe && body.parent(joint).is_some_and(|p| p == foot || body.part(p) != Part::Toes);
        if !is_first {
            continue;
        }
        let step = body.position[joint] - body.position[foot];
        let aside = lateral.map_or(0.0, |l| step.dot(l).abs()) - body.names[joint].rank * body.extent;
        if near.is_none_or(|n| aside < n.0) {
            near = Some((aside, joint));
        }
    }
    if let Some((_, joint)) = near {
        return Some((joint, true));
    }
    // Without a name: the foot's child that leads forward (not straight on along the shin, not back
    // as a heel).
    let child = body.main_child[foot]
        .filter(|c| body.is_bone(*c) && matches!(body.part(*c), Part::Unknown | Part::Leg | Part::Foot))?;
    let shin = body.position[foot] - body.position[knee];
    let step = body.position[child] - body.position[foot];
    let size = shin.length() * step.length();
    let turns = size > 1e-12 * body.extent * body.extent && shin.dot(step) < 0.94 * size;
    (turns && step.length() < 1.5 * shin.length()).then_some((child, false))
}
