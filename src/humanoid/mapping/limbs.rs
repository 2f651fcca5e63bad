//! Arms and legs: lines of joints found by their names, and which joint of a line is shoulder,
//! elbow, hand.

use super::body::Body;
use super::names::{Aside, Part, Side};
use crate::math::{Vec3, float};
use crate::skeleton::JointIndex;

/// Arm or leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Arm,
    Leg,
}

/// The joints of one limb.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    /// Clavicle of an arm.
    pub(super) shoulder: Option<JointIndex>,
    pub(super) upper: JointIndex,
    pub(super) lower: JointIndex,
    /// Hand or foot.
    pub(super) end: Option<JointIndex>,
    /// The whole line, from the trunk down.
    pub(super) path: Vec<JointIndex>,
    /// Found by symmetry alone, without help from names.
    pub(super) by_symmetry: bool,
    /// How well the line fits, for comparison between lines.
    pub(super) score: f32,
}

/// Bones of a limb, from the trunk down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Shoulder,
    Upper,
    Lower,
    End,
}

/// How well a name fits a role: 1 exactly, 0 unknown, negative contradicts.
pub(super) fn name_score(body: &Body, joint: JointIndex, kind: Kind, role: Role) -> f32 {
    use Part::*;
    let info = &body.names[joint];
    match info.aside {
        Aside::No => {}
        Aside::Twist => return -1.5,
        _ => return -2.5,
    }
    let base = match (kind, role, info.part) {
        (_, _, Unknown) => return 0.0,
        (Kind::Arm, Role::Shoulder, Clavicle) => 1.0,
        (Kind::Arm, Role::Shoulder, Shoulder) => 0.8,
        (Kind::Arm, Role::Upper, UpperArm) => 1.0,
        (Kind::Arm, Role::Upper, Arm) => 0.7,
        (Kind::Arm, Role::Upper, Shoulder) => 0.5,
        (Kind::Arm, Role::Lower, LowerArm) => 1.0,
        (Kind::Arm, Role::Lower, Arm) => 0.4,
        (Kind::Arm, Role::End, Hand) => 1.0,
        (Kind::Arm, Role::End, Palm) => 0.4,
        (Kind::Arm, Role::End, Arm) => 0.2,
        (Kind::Leg, Role::Upper, UpperLeg) => 1.0,
        (Kind::Leg, Role::Upper, SideHip | Leg) => 0.6,
        (Kind::Leg, Role::Upper, HipJoint) => -0.3,
        (Kind::Leg, Role::Lower, LowerLeg) => 1.0,
        (Kind::Leg, Role::Lower, Leg) => 0.5,
        (Kind::Leg, Role::End, Foot) => 1.0,
        (Kind::Leg, Role::End, Leg) => 0.2,
        _ => -1.5,
    };
    base + info.rank
}

/// Whether the name is of this kind of limb, on this side, and the joint may be a bone.
fn is_limb_joint(body: &Body, joint: JointIndex, kind: Kind, side: Side) -> bool {
    let part = body.part(joint);
    let fits = if kind == Kind::Arm { part.is_arm() } else { part.is_leg() };
    fits && body.is_bone(joint) && body.side(joint) == Some(side)
}

/// Which sides the limb joints at and below each joint are on: bit 0 left, bit 1 right.
fn sides_below(body: &Body) -> Vec<u8> {
    let mut sides = vec![0u8; body.names.len()];
    for joint in (0..sides.len()).rev() {
        let part = body.part(joint);
        if let Some(side) = body.side(joint)
            && (part.is_arm() || part.is_leg())
        {
            sides[joint] |= 1 << side as u8;
        }
        if let Some(parent) = body.parent(joint) {
            sides[parent] |= sides[joint];
        }
    }
    sides
}

/// Longest line of joints taken for a limb.
const LONGEST: usize = 20;

/// Finds the limbs that have names with sides: `[left, right]`.
pub(super) fn named_limbs(body: &Body, kind: Kind) -> [Option<Limb>; 2] {
    let sides = sides_below(body);
    Side::BOTH.map(|side| {
        let joints: Vec<JointIndex> = (0..body.names.len()).filter(|j| is_limb_joint(body, *j, kind, side)).collect();
        let mut has_below = vec![false; body.names.len()];
        for &joint in &joints {
            for above in body.skeleton.ancestors(joint) {
                if has_below[above] {
                    break;
                }
                has_below[above] = true;
            }
        }
        let mut best: Option<Limb> = None;
        for &tip in joints.iter().filter(|j| !has_below[**j]).take(64) {
            let mut path = Vec::new();
            for joint in body.up(tip) {
                let both = sides[joint] == 3;
                let other = body.side(joint) == Some(side.other());
                if both || other || body.is_trunk(joint) || body.part(joint) == Part::Root || path.len() >= LONGEST {
                    break;
                }
                path.push(joint);
            }
            path.reverse();
            if path.is_empty() {
                continue;
            }
            path.extend(body.line_down(tip, 6).into_iter().skip(1));
            if let Some(limb) = assign(body, kind, &path, 0.3)
                && best.as_ref().is_none_or(|b| limb.score > b.score)
            {
                best = Some(limb);
            }
        }
        let mut best = best.filter(|limb| limb.score > 0.4).or_else(|| loose_limb(body, kind, &joints))?;
        if kind == Kind::Arm && best.shoulder.is_none() {
            // A clavicle that is not an ancestor of the arm still is one.
            best.shoulder = loose(body, kind, Role::Shoulder, &joints, &best);
        }
        if best.end.is_none() {
            best.end = loose(body, kind, Role::End, &joints, &best);
        }
        if kind == Kind::Arm {
            best.end = best.end.map(|end| best_palm(body, end));
        }
        Some(best)
    })
}

/// Of several palms at the end of a forearm, the one with the middle finger.
fn best_palm(body: &Body, end: JointIndex) -> JointIndex {
    use super::names::Digit;
    let Some(parent) = body.parent(end).filter(|_| body.part(end) == Part::Palm) else { return end };
    let palms = body.children[parent].iter().filter(|j| body.part(**j) == Part::Palm && body.is_bone(**j));
    palms
        .copied()
        .find(|p| body.skeleton.subtree(*p).any(|j| body.part(j) == Part::Digit(Digit::Middle) && body.is_above(*p, j)))
        .unwrap_or(end)
}

/// A joint that names the role exactly although it is somewhere else (feet moved by the rig's
/// controls).
fn loose(body: &Body, kind: Kind, role: Role, joints: &[JointIndex], limb: &Limb) -> Option<JointIndex> {
    let fits = |j: &&JointIndex| {
        name_score(body, **j, kind, role) >= 0.85
            && ![limb.upper, limb.lower].contains(j)
            && (role != Role::Shoulder || !body.is_above(limb.upper, **j))
            && body.distance(limb.lower, **j) < 4.0 * body.distance(limb.upper, limb.lower)
    };
    let mut best: Option<(f32, JointIndex)> = None;
    for &joint in joints.iter().filter(fits) {
        let score = name_score(body, joint, kind, role);
        if best.is_none_or(|b| score > b.0) {
            best = Some((score, joint));
        }
    }
    best.map(|b| b.1)
}

/// A limb whose joints are not below each other, from names that fit exactly.
fn loose_limb(body: &Body, kind: Kind, joints: &[JointIndex]) -> Option<Limb> {
    let best = |role: Role| {
        let mut best: Option<(f32, JointIndex)> = None;
        for &joint in joints {
            let score = name_score(body, joint, kind, role);
            if score >= 0.85 && best.is_none_or(|b| score > b.0) {
                best = Some((score, joint));
            }
        }
        best.map(|b| b.1)
    };
    let (upper, lower, end) = (best(Role::Upper)?, best(Role::Lower)?, best(Role::End));
    let path = [Some(upper), Some(lower), end].into_iter().flatten().collect();
    Some(Limb { shoulder: None, upper, lower, end, path, by_symmetry: false, score: 0.0 })
}

/// Chooses upper, lower and end joint on a line of joints: by names, and by lengths and bends with
/// weight `geometry`.
pub(super) fn assign(body: &Body, kind: Kind, path: &[JointIndex], geometry: f32) -> Option<Limb> {
    let n = path.len();
    let mut best: Option<(f32, [Option<usize>; 3])> = None;
    let mut consider = |score: f32, roles: [Option<usize>; 3]| {
        if score.is_finite() && best.is_none_or(|b| score > b.0) {
            best = Some((score, roles));
        }
    };
    let at = |i: usize, role: Role| {
        // `upperleg02` after `upperleg01` only carries the first one on.
        let part = body.part(path[i]);
        let carries_on = i > 0
            && role != Role::End
            && matches!(part, Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg)
            && body.part(path[i - 1]) == part;
        name_score(body, path[i], kind, role) - 0.005 * i as f32 - if carries_on { 0.3 } else { 0.0 }
    };
    let shape = Shape::new(body, kind, path);
    for u in 0..n {
        for l in u + 1..n {
            let named = at(u, Role::Upper) + at(l, Role::Lower);
            consider(named - 0.8 + geometry * shape.without_end(u, l), [Some(u), Some(l), None]);
            for e in l + 1..n {
                let score = named + at(e, Role::End) + geometry * shape.score(u, l, e);
                consider(score, [Some(u), Some(l), Some(e)]);
            }
        }
    }
    let (score, [u, l, e]) = best?;
    let (u, l) = (u?, l?);
    let shoulder = if kind == Kind::Arm { shoulder_before(body, &path[..u]) } else { None };
    Some(Limb {
        shoulder,
        upper: path[u],
        lower: path[l],
        end: e.map(|e| path[e]),
        path: path.to_vec(),
        by_symmetry: false,
        score,
    })
}

/// Clavicle among the joints between trunk and upper arm: the best name, or else the last joint.
fn shoulder_before(body: &Body, before: &[JointIndex]) -> Option<JointIndex> {
    let mut best: Option<(f32, JointIndex)> = None;
    for (i, &joint) in before.iter().enumerate() {
        let score = name_score(body, joint, Kind::Arm, Role::Shoulder);
        // Names first, the nearest joint among those with unknown names.
        let score = if score > 0.0 { score - 0.01 * i as f32 } else { score + 0.01 * i as f32 };
        if score > -0.5 && best.is_none_or(|b| score > b.0) {
            best = Some((score, joint));
        }
    }
    best.map(|b| b.1)
}

/// Lengths and bends along a line of joints.
struct Shape {
    kind: Kind,
    points: Vec<Vec3>,
    /// Whether several lines of joints go on from each joint, as from a hand.
    branches: Vec<bool>,
    /// Angle in units of a right angle by which the line turns at each joint.
    bend: Vec<f32>,
    total: f32,
}

impl Shape {
    fn new(body: &Body, kind: Kind, path: &[JointIndex]) -> Self {
        let points: Vec<Vec3> = path.iter().map(|j| body.position[*j]).collect();
        let mut bend = vec![0.0; points.len()];
        let mut total = 0.0;
        for i in 1..points.len() {
            let before = points[i] - points[i - 1];
            total += before.length();
            if let Some(next) = points.get(i + 1) {
                let after = *next - points[i];
                let size = before.length() * after.length();
                if size > 1e-12 * body.extent * body.extent {
                    bend[i] = float::acos(before.dot(after) / size) / core::f32::consts::FRAC_PI_2;
                }
            }
        }
        let lines = |j: JointIndex| body.children[j].iter().filter(|c| body.is_line(**c)).count();
        let fans = |j: JointIndex| lines(j) >= 3;
        // A palm joint close after the wrist carries the fingers for it.
        let palm = |i: usize| {
            i > 0
                && path.get(i + 1).is_some_and(|p| {
                    fans(*p) && body.distance(path[i], *p) < 0.25 * body.distance(path[i - 1], path[i])
                })
        };
        let branches: Vec<bool> =
            (0..path.len()).map(|i| palm(i) || (fans(path[i]) && !(i > 0 && palm(i - 1)))).collect();
        Self { kind, points, branches, bend, total: total.max(1e-12) }
    }

    fn without_end(&self, u: usize, l: usize) -> f32 {
        0.6 * (self.points[u] - self.points[l]).length() / self.total - self.skipped(u, l)
    }

    /// Human limbs: two long segments of like length, a foot that turns off forward, nothing left
    /// out between.
    fn score(&self, u: usize, l: usize, e: usize) -> f32 {
        let upper = (self.points[l] - self.points[u]).length();
        let lower = (self.points[e] - self.points[l]).length();
        if upper < 1e-3 * self.total || lower < 1e-3 * self.total {
            return -2.0;
        }
        let ideal = if self.kind == Kind::Arm { 0.95 } else { 1.0 };
        let ratio = lower / upper / ideal;
        // |ln ratio| to first order, which is enough to compare and needs no logarithm.
        let uneven = (ratio.max(1.0 / ratio) - 1.0).min(4.0);
        let coverage = (upper + lower) / self.total;
        let ankle =
            if self.kind == Kind::Leg && e + 1 < self.bend.len() { (self.bend[e] - 0.33).max(0.0) } else { 0.0 };
        let palm = if self.kind == Kind::Arm && self.branches[e] { 0.3 } else { 0.0 };
        palm + 0.6 * coverage - 0.4 * uneven + 0.5 * ankle.min(0.6) - self.skipped(u, l) - self.skipped(l, e)
    }

    /// Cost of joints left out between two: small on a straight line (twist joints), large at
    /// bends.
    fn skipped(&self, from: usize, to: usize) -> f32 {
        (from + 1..to).map(|i| 0.05 + 0.5 * self.bend[i]).sum()
    }
}
