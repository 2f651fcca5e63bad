//! Hips, spine, neck and head: the line from where the legs meet to the top.

use super::body::Body;
use super::limbs::Limb;
use super::names::{Aside, Part};
use crate::math::{Vec3, normalize_or};
use crate::skeleton::JointIndex;

/// Most joints of one name that are looked at.
const MAX_NAMED: usize = 64;
/// Longest line from hips to head that is looked at.
const MAX_LINE: usize = 256;

/// The middle of the body.
#[derive(Clone, Debug, Default)]
pub(super) struct Trunk {
    pub(super) hips: Option<JointIndex>,
    /// Spine joints, from the hips up.
    pub(super) spine: Vec<JointIndex>,
    pub(super) neck: Option<JointIndex>,
    pub(super) head: Option<JointIndex>,
}

/// Where the limbs start and which way the trunk points.
struct Around {
    legs: Vec<JointIndex>,
    arms: Vec<JointIndex>,
    /// Middle of the thighs' joints.
    legs_middle: Option<Vec3>,
    arms_middle: Option<Vec3>,
    /// Unit vector up the trunk, when known.
    up: Option<Vec3>,
    /// Length the distances are compared with; never 0.
    size: f32,
    taken: Vec<JointIndex>,
}

impl Around {
    fn new(body: &Body, legs: &[Option<Limb>; 2], arms: &[Option<Limb>; 2]) -> Self {
        let upper = |limbs: &[Option<Limb>; 2]| limbs.iter().flatten().map(|l| l.upper).collect::<Vec<_>>();
        let middle = |joints: &[JointIndex]| {
            let sum = joints.iter().fold(Vec3::ZERO, |s, j| s + body.position[*j]);
            (!joints.is_empty()).then(|| sum / joints.len() as f32)
        };
        let (leg_joints, arm_joints) = (upper(legs), upper(arms));
        let (legs_middle, arms_middle) = (middle(&leg_joints), middle(&arm_joints));
        let feet: Vec<JointIndex> = legs.iter().flatten().map(|l| l.end.unwrap_or(l.lower)).collect();
        let up = match (legs_middle, arms_middle, middle(&feet)) {
            (Some(l), Some(a), _) => Some(normalize_or(a - l, Vec3::Y)),
            (Some(l), None, Some(f)) => Some(normalize_or(l - f, Vec3::Y)),
            _ => None,
        };
        let leg_length = match (legs_middle, middle(&feet)) {
            (Some(l), Some(f)) => (l - f).length(),
            _ => 0.5 * body.extent,
        };
        let taken = legs.iter().chain(arms).flatten().flat_map(|l| l.path.iter().copied()).collect();
        Self {
            legs: leg_joints,
            arms: arm_joints,
            legs_middle,
            arms_middle,
            up,
            size: leg_length.max(0.05 * body.extent),
            taken,
        }
    }

    fn in_limb(&self, body: &Body, joint: JointIndex) -> bool {
        self.taken.contains(&joint)
            || self.legs.iter().chain(&self.arms).any(|upper| body.skeleton.is_self_or_ancestor(*upper, joint))
    }
}

/// Finds the trunk between limbs that are known.
pub(super) fn find_trunk(body: &Body, legs: &[Option<Limb>; 2], arms: &[Option<Limb>; 2]) -> Trunk {
    let around = Around::new(body, legs, arms);
    let branch = arm_branch(body, &around);
    let mut head = named_head(body, &around, branch);
    let mut necks = Vec::new();
    if head.is_none()
        && let Some(branch) = branch
    {
        (necks, head) = head_above(body, &around, branch);
    }
    let hips = find_hips(body, &around, head.or(branch));
    let top = head.or(branch);
    let mut line: Vec<JointIndex> = match (hips, top) {
        (Some(hips), Some(top)) if body.is_above(hips, top) => body.up(top).take_while(|j| *j != hips).collect(),
        (_, Some(top)) => {
            body.up(top).take_while(|j| body.is_trunk(*j) && body.part(*j) != Part::Hips).take(MAX_LINE).collect()
        }
        _ => Vec::new(),
    };
    line.reverse();
    let keep = |j: &JointIndex| {
        Some(*j) != head && Some(*j) != hips && body.names[*j].aside == Aside::No && !around.in_limb(body, *j)
    };
    line.retain(keep);
    if line.is_empty() {
        line = scattered_line(body, &around);
        line.retain(keep);
    }
    // Joints called hips above the true hips are no spine, if anything else is.
    if line.iter().any(|j| body.part(*j) != Part::Hips) {
        line.retain(|j| body.part(*j) != Part::Hips);
    }
    let neck_at = neck_start(body, &around, &line, branch, &necks);
    Trunk { hips, neck: line.get(neck_at).copied(), spine: line[..neck_at].to_vec(), head }
}

/// Spine and neck joints of a rig in which they are not below each other: by name, from low to
/// high.
fn scattered_line(body: &Body, around: &Around) -> Vec<JointIndex> {
    let Some(up) = around.up else { return Vec::new() };
    let is_part = |j: &JointIndex| {
        body.is_trunk(*j)
            && matches!(body.part(*j), Part::Torso | Part::Chest | Part::Neck)
            && body.names[*j].rank > -0.1
    };
    let mut line: Vec<JointIndex> = (0..body.names.len()).filter(is_part).take(MAX_NAMED).collect();
    line.sort_by(|a, b| body.position[*a].dot(up).total_cmp(&body.position[*b].dot(up)).then(a.cmp(b)));
    line
}

/// Common ancestor of both arms (or of the one there is).
fn arm_branch(body: &Body, around: &Around) -> Option<JointIndex> {
    match around.arms[..] {
        [a, b] => body.common(a, b),
        // The first joint above the arm that has another line of bones.
        [a] => body
            .skeleton
            .ancestors(a)
            .find(|j| body.is_trunk(*j) || body.children[*j].iter().filter(|c| body.is_line(**c)).count() > 1),
        _ => None,
    }
}

/// The head by name: the one at the end of the neck when several joints are named `head`, or the
/// last of several necks.
fn named_head(body: &Body, around: &Around, branch: Option<JointIndex>) -> Option<JointIndex> {
    let mut best: Option<(f32, JointIndex)> = None;
    let heads = (0..body.names.len()).filter(|j| body.is_trunk(*j) && body.part(*j) == Part::Head);
    for joint in heads.take(MAX_NAMED) {
        if around.in_limb(body, joint) {
            continue;
        }
        let mut score = body.names[joint].rank;
        if body.skeleton.ancestors(joint).any(|j| body.part(j) == Part::Neck && body.is_bone(j)) {
            score += 0.5;
        }
        if branch.is_some_and(|b| body.is_above(b, joint)) {
            score += 0.5;
        }
        if best.is_none_or(|b| score > b.0) {
            best = Some((score, joint));
        }
    }
    if let Some((_, joint)) = best {
        return Some(joint);
    }
    let necks: Vec<JointIndex> =
        (0..body.names.len()).filter(|j| body.is_trunk(*j) && body.part(*j) == Part::Neck).take(MAX_NAMED).collect();
    let last = *necks.iter().max_by_key(|j| body.skeleton.ancestors(**j).count())?;
    let continues = body.main_child[last].filter(|c| body.part(*c) == Part::Unknown && !around.in_limb(body, *c));
    match continues {
        Some(child) if around.up.is_none_or(|up| (body.position[child] - body.position[last]).dot(up) > 0.0) => {
            Some(child)
        }
        _ => Some(last),
    }
}

/// Neck joints and head above the arms' common ancestor, by position only.
fn head_above(body: &Body, around: &Around, branch: JointIndex) -> (Vec<JointIndex>, Option<JointIndex>) {
    let Some(up) = around.up else { return (Vec::new(), None) };
    let holds_limb =
        |j: JointIndex| around.legs.iter().chain(&around.arms).any(|limb| body.skeleton.is_self_or_ancestor(j, *limb));
    let mut line: Vec<JointIndex> = Vec::new();
    let mut at = branch;
    while line.len() < 8 {
        let mut next: Option<(f32, JointIndex)> = None;
        for &child in body.children[at].iter().filter(|c| body.is_bone(**c) && !holds_limb(**c)) {
            let step = body.position[child] - body.position[at];
            let rise = step.dot(up);
            let aside = (step - up * rise).length();
            // Reach and rise in one number; shoulder pads and collars lean aside, the head does
            // not.
            let score = rise - 0.5 * aside + 0.5 * body.reach[child];
            if rise > -0.1 * around.size && score > 0.0 && next.is_none_or(|n| score > n.0) {
                next = Some((score, child));
            }
        }
        let Some((_, child)) = next else { break };
        line.push(child);
        // Eyes, jaw, ears or hair: the neck has no such children.
        if body.children[child].len() > 1 {
            break;
        }
        at = child;
    }
    let head_at = head_of_line(body, around, &line, up);
    let head = head_at.map(|i| line[i]);
    line.truncate(head_at.unwrap_or(0));
    (line, head)
}

/// Which joint of a line up from the chest is the head: the last one, unless that is the long step
/// to the skull's top.
fn head_of_line(body: &Body, around: &Around, line: &[JointIndex], up: Vec3) -> Option<usize> {
    let last = line.len().checked_sub(1)?;
    if last == 0 || !body.children[line[last]].is_empty() {
        return Some(last);
    }
    let step = body.distance(line[last - 1], line[last]);
    let trunk = match (around.legs_middle, around.arms_middle) {
        (Some(l), Some(a)) => (a - l).dot(up).abs(),
        _ => around.size,
    };
    let is_top =
        if last == 1 { step > 0.4 * trunk } else { step > 1.3 * body.distance(line[last - 2], line[last - 1]) };
    Some(if is_top { last - 1 } else { last })
}

/// The hips: where the legs and the trunk meet, or a joint above it with that name.
fn find_hips(body: &Body, around: &Around, top: Option<JointIndex>) -> Option<JointIndex> {
    let named = |j: &JointIndex| body.is_trunk(*j) && body.part(*j) == Part::Hips;
    let mut meet = around.legs.first().copied();
    for joint in around.legs.iter().skip(1).chain(&top) {
        meet = meet.and_then(|m| body.common(m, *joint));
    }
    if around.legs.is_empty() {
        return match top {
            Some(top) => body.up(top).find(named),
            None => (0..body.names.len()).find(|j| named(j)),
        };
    }
    let Some(meet) = meet.filter(|m| !around.legs.contains(m)) else {
        // Legs without an ancestor: the name must do.
        return match top {
            Some(top) => body
                .up(top)
                .find(named)
                .or_else(|| body.up(top).filter(|j| body.is_trunk(*j) && body.part(*j) != Part::Neck).last()),
            None => (0..body.names.len()).find(|j| named(j)),
        };
    };
    let distance = |j: JointIndex| match around.legs_middle {
        Some(middle) => ((body.position[j] - middle).length() / around.size).min(2.0),
        None => 0.0,
    };
    let by_name = |j: JointIndex| match body.part(j) {
        _ if !body.is_bone(j) => -1.0,
        Part::Hips => 1.0,
        Part::Torso | Part::Chest | Part::Neck | Part::Head => -1.0,
        Part::Body => 0.2,
        Part::Root => -0.4,
        _ => 0.0,
    };
    let mut best = (by_name(meet) + 0.7 - distance(meet), meet);
    let better =
        |best: (f32, JointIndex), score: f32, joint: JointIndex| if score > best.0 { (score, joint) } else { best };
    let offset = |j: JointIndex| match (around.legs_middle, around.up) {
        (Some(middle), Some(up)) => (body.position[j] - middle).dot(up) / around.size,
        _ => 0.0,
    };
    for above in body.skeleton.ancestors(meet).take(8) {
        // Thighs below the first spine joint (Biped): the joint below it at the height of
        // the legs.
        let under = body.parent(meet) == Some(above)
            && offset(meet) > 0.1
            && distance(above) < 0.5 * distance(meet)
            && body.part(meet) != Part::Hips;
        best = better(best, by_name(above) - distance(above) + if under { 0.7 } else { 0.0 }, above);
    }
    if distance(best.1) > 0.6
        && let Some(top) = top
    {
        // Legs and trunk meet only in the rig's root: the hips are the trunk's own first joint.
        let named_hips = (0..body.names.len()).filter(|j| named(j));
        for joint in body.up(top).take_while(|j| *j != meet).chain(named_hips) {
            let trunk = if body.part(joint) == Part::Torso { 1.2 } else { 0.0 };
            best = better(best, by_name(joint) + trunk - distance(joint), joint);
        }
    }
    Some(best.1)
}

/// Index in the line from hips to head at which the neck starts (its length when there is no neck).
fn neck_start(
    body: &Body,
    around: &Around,
    line: &[JointIndex],
    branch: Option<JointIndex>,
    necks: &[JointIndex],
) -> usize {
    if let Some(i) = line.iter().position(|j| body.part(*j) == Part::Neck) {
        return i;
    }
    if let Some(i) = line.iter().position(|j| necks.contains(j)) {
        return i;
    }
    let Some(at) = branch.and_then(|b| line.iter().position(|j| *j == b)) else { return line.len() };
    if let (Some(up), Some(arms)) = (around.up, around.arms_middle)
        && at > 0
        && at + 1 == line.len()
        && body.part(line[at]) == Part::Unknown
        && (body.position[line[at]] - arms).dot(up) > 0.05 * around.size
    {
        // Clavicles below the neck (Biped): it is higher than they are.
        return at;
    }
    // A spine joint above the arms still belongs to the spine when it is named chest.
    let mut start = at + 1;
    while start < line.len() && body.part(line[start]) == Part::Chest {
        start += 1;
    }
    start
}

/// A bone of the spine.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpineBone {
    pub joint: JointIndex,
    /// Chosen among several joints by where it is between hips and neck.
    pub by_proportion: bool,
}

/// Spine, chest and upper chest among the spine joints: `[Spine, Chest, UpperChest]`. Of more than
/// three joints the lowest above the hips, the one nearest to the middle (or the one that is called
/// chest) and the highest.
pub(super) fn spine_bones(body: &Body, hips: Option<JointIndex>, spine: &[JointIndex]) -> [Option<SpineBone>; 3] {
    let mut joints = spine.to_vec();
    if let ([first, .., last], Some(hips)) = (&joints[..], hips)
        && joints.len() > 3
    {
        // A first joint at the height of the hips is a second pelvis.
        let axis = body.position[*last] - body.position[hips];
        let height = (body.position[*first] - body.position[hips]).dot(axis);
        if height < 0.04 * axis.dot(axis) {
            joints.remove(0);
        }
    }
    let was_skipped = joints.len() < spine.len();
    let plain = |joint| Some(SpineBone { joint, by_proportion: false });
    let lowest = |joint| Some(SpineBone { joint, by_proportion: was_skipped });
    match joints[..] {
        [] => [None; 3],
        [a] => [lowest(a), None, None],
        [a, b] => [lowest(a), plain(b), None],
        [a, b, c] => [lowest(a), plain(b), plain(c)],
        [first, ref inner @ .., last] => {
            let axis = body.position[last] - body.position[first];
            let mut best: Option<(f32, JointIndex)> = None;
            for &joint in inner {
                let height = (body.position[joint] - body.position[first]).dot(axis) / axis.dot(axis).max(1e-20);
                let named = if body.part(joint) == Part::Chest { 1.0 } else { 0.0 };
                let score = named - (height - 0.5).abs();
                if best.is_none_or(|b| score > b.0) {
                    best = Some((score, joint));
                }
            }
            let is_chest = |j: &&JointIndex| body.part(**j) == Part::Chest;
            let by_proportion = inner.iter().filter(is_chest).count() != 1;
            let chest = best.map(|(_, joint)| SpineBone { joint, by_proportion });
            [lowest(first), chest, plain(last)]
        }
    }
}
