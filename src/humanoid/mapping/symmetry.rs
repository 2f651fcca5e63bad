//! Arms and legs where names do not help: pairs of lines of joints that mirror each other, one pair
//! up the trunk from the other, the lower one pointing down.

use super::body::Body;
use super::limbs::{Kind, Limb, assign};
use crate::math::{Vec3, float, normalize_or};
use crate::skeleton::JointIndex;

/// Two lines of joints that mirror each other.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// Common ancestor of both.
    pub(super) parent: JointIndex,
    /// The two lines, from the trunk down.
    pub(super) lines: [Vec<JointIndex>; 2],
    /// Unit vector from the second line to the first.
    lateral: Vec3,
    /// How well they mirror each other, 0 … 1.
    quality: f32,
}

/// Most children of one joint that are compared with each other.
const MAX_CHILDREN: usize = 24;
/// Most pairs that are considered, the longest ones.
const MAX_PAIRS: usize = 128;
/// Longest line of joints taken for a limb.
const LONGEST: usize = 12;

/// All pairs of mirrored lines in the skeleton.
pub(super) fn mirrored_pairs(body: &Body) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (parent, children) in body.children.iter().enumerate() {
        let mut ends: Vec<JointIndex> =
            children.iter().copied().filter(|c| body.is_line(*c) && body.reach[*c] > 0.02 * body.extent).collect();
        if ends.len() > MAX_CHILDREN {
            ends.sort_by(|a, b| body.reach[*b].total_cmp(&body.reach[*a]).then(a.cmp(b)));
            ends.truncate(MAX_CHILDREN);
        }
        for (i, &a) in ends.iter().enumerate() {
            for &b in &ends[i + 1..] {
                pairs.extend(mirrored(body, parent, a, b));
            }
        }
    }
    // The longest ones: hair and cloth may give thousands, and every two are compared.
    let length = |p: &Pair| body.reach[p.lines[0][0]].max(body.reach[p.lines[1][0]]);
    pairs.sort_by(|a, b| length(b).total_cmp(&length(a)).then(a.lines[0][0].cmp(&b.lines[0][0])));
    pairs.truncate(MAX_PAIRS);
    pairs
}

fn mirrored(body: &Body, parent: JointIndex, a: JointIndex, b: JointIndex) -> Option<Pair> {
    let lines = [body.line_down(a, LONGEST), body.line_down(b, LONGEST)];
    let length = body.reach[a].max(body.reach[b]);
    let tolerance = 0.1 * length;
    let mut matched = 0;
    let mut sum = Vec3::ZERO;
    let mut before = [parent, parent];
    for (&x, &y) in lines[0].iter().zip(&lines[1]) {
        let difference = (body.distance(before[0], x) - body.distance(before[1], y)).abs();
        if difference > tolerance {
            break;
        }
        matched += 1;
        sum += body.position[x] - body.position[y];
        before = [x, y];
    }
    if matched < 2 || sum.length() < 0.02 * length {
        return None;
    }
    let lateral = normalize_or(sum, Vec3::X);
    let mut skew: f32 = 0.0;
    for (&x, &y) in lines[0].iter().zip(&lines[1]).take(matched) {
        let apart = body.position[x] - body.position[y];
        skew = skew.max((apart - lateral * apart.dot(lateral)).length() / length);
    }
    let full = lines[0].len().max(lines[1].len()) as f32;
    let quality = (1.0 - skew).clamp(0.0, 1.0) * (0.6 + 0.4 * matched as f32 / full);
    (skew < 0.3).then_some(Pair { parent, lines, lateral, quality })
}

/// What a pair of lines looks like as a pair of limbs.
struct Measure {
    start: Vec3,
    /// Farthest end of the longer line.
    tip: Vec3,
    length: f32,
}

fn measure(body: &Body, pair: &Pair) -> Measure {
    let [a, b] = &pair.lines;
    let middle = |x: JointIndex, y: JointIndex| (body.position[x] + body.position[y]) * 0.5;
    let start = middle(a[0], b[0]);
    let shared = a.len().min(b.len());
    let tip = middle(a[shared - 1], b[shared - 1]);
    Measure { start, tip, length: body.reach[a[0]].max(body.reach[b[0]]) }
}

/// The best pair of legs and pair of arms. Limbs already known (by names) are kept: pass their
/// lines as pairs.
pub(super) fn best_pairs<'p>(body: &Body, legs: &'p [Pair], arms: &'p [Pair]) -> Option<(&'p Pair, &'p Pair)> {
    let measured = |kind: Kind, pairs: &'p [Pair]| -> Vec<(&'p Pair, Measure)> {
        let is_limb = |p: &&Pair| limbs_of(body, kind, p).iter().all(Option::is_some);
        pairs.iter().filter(is_limb).map(|p| (p, measure(body, p))).collect()
    };
    let measured_arms = measured(Kind::Arm, arms);
    let mut best: Option<(f32, &Pair, &Pair)> = None;
    for (leg, leg_measure) in &measured(Kind::Leg, legs) {
        for (arm, arm_measure) in &measured_arms {
            if let Some(score) = body_score(body, leg, leg_measure, arm, arm_measure)
                && best.is_none_or(|b| score > b.0)
            {
                best = Some((score, leg, arm));
            }
        }
    }
    best.map(|(_, leg, arm)| (leg, arm))
}

/// How much a pair of legs and a pair of arms look like a standing (or sitting) human body; `None`
/// when they cannot be.
fn body_score(body: &Body, leg: &Pair, l: &Measure, arm: &Pair, a: &Measure) -> Option<f32> {
    let is_under = leg.lines.iter().any(|line| body.skeleton.is_self_or_ancestor(line[0], arm.lines[0][0]));
    let is_over = arm.lines.iter().any(|line| body.skeleton.is_self_or_ancestor(line[0], leg.lines[0][0]));
    if is_under || is_over || leg.lines[0][0] == arm.lines[0][0] || leg.parent > arm.parent {
        return None;
    }
    let trunk = a.start - l.start;
    let down = l.tip - l.start;
    let (t, d) = (trunk.length(), down.length());
    if t < 0.05 * body.extent || d < 0.05 * body.extent {
        return None;
    }
    let straight = -trunk.dot(down) / (t * d);
    let aligned = leg.lateral.dot(arm.lateral).abs();
    let across = leg.lateral.dot(trunk).abs() / t;
    let in_range = |x: f32, low: f32, high: f32| x > low && x < high;
    let fits = straight > 0.35
        && aligned > 0.8
        && across < 0.4
        && in_range(l.length / t, 0.35, 5.0)
        && in_range(a.length / t, 0.35, 6.0);
    let size = float::sqrt(l.length * a.length) / body.extent;
    fits.then_some(size * (0.5 + straight) * aligned * leg.quality * arm.quality)
}

/// The limbs of a pair; the first line's limb comes first. Both are cut in the same way, so that a
/// limb of which a part is missing is not stretched over what is left.
pub(super) fn limbs_of(body: &Body, kind: Kind, pair: &Pair) -> [Option<Limb>; 2] {
    let share = if kind == Kind::Arm { 0.01 } else { 0.05 };
    let away = share * pair.lines.iter().flatten().fold(0.0f32, |m, j| m.max(side_of(body, pair, *j).abs()));
    let longer = usize::from(pair.lines[1].len() > pair.lines[0].len());
    let line = &pair.lines[longer];
    // A pelvis or chest joint on the middle plane is no thigh and no upper arm yet.
    let start = line.iter().position(|j| side_of(body, pair, *j).abs() > away).unwrap_or(0).min(line.len() - 1);
    let Some(model) = assign(body, kind, &line[start..], 1.0) else { return [None, None] };
    let index = |joint: JointIndex| line.iter().position(|j| *j == joint);
    [0, 1].map(|i| {
        let line = &pair.lines[i];
        let same = |joint: JointIndex| line.get(index(joint)?).copied();
        let before = if kind == Kind::Arm { line.get(start.wrapping_sub(1)).copied() } else { None };
        Some(Limb {
            shoulder: model.shoulder.and_then(same).or(before),
            upper: same(model.upper)?,
            lower: same(model.lower)?,
            end: model.end.and_then(same),
            path: line.clone(),
            by_symmetry: true,
            score: model.score,
        })
    })
}

/// Signed distance of a joint from the plane between the two lines.
fn side_of(body: &Body, pair: &Pair, joint: JointIndex) -> f32 {
    let middle = (body.position[pair.lines[0][0]] + body.position[pair.lines[1][0]]) * 0.5;
    (body.position[joint] - middle).dot(pair.lateral)
}

/// Two limbs known by their names as a pair of lines, to search for the other pair around them.
pub(super) fn known_pair(body: &Body, limbs: &[Option<Limb>; 2]) -> Option<Pair> {
    let [Some(a), Some(b)] = limbs else { return None };
    let line = |limb: &Limb| {
        let mut line = vec![limb.upper, limb.lower];
        line.extend(limb.end);
        line
    };
    let parent = body.common(a.upper, b.upper).unwrap_or(0);
    let lateral = normalize_or(body.position[a.upper] - body.position[b.upper], Vec3::X);
    Some(Pair { parent, lines: [line(a), line(b)], lateral, quality: 1.0 })
}
