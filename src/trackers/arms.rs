//! Arms: clavicle, elbow, forearm.
//!
//! # Method
//!
//! Two small linear laws, fitted to captured motion, state where the shoulder's joint goes and
//! which
//! way the elbow points; both are functions of the hand in the frame of the ribs (its place over
//! the length of the arm, the direction of its forearm side, and its palm). The elbow's direction
//! is the law's together with half the usual one (down, back, out) and half that of a wrist held
//! straight. The clavicle then gives way, by up to its range, to a hand or an elbow that the arm
//! alone does not reach. Last, an elbow inside the trunk swivels out of it.

use super::frame_input::{BoneGoal, Goals};
use super::legs::mix;
use super::posture::{Posture, across, align, two_bones};
use super::rig::Rig;
use super::role::{HIPS, TrackerRole, arm, of_side};
use super::swivel::{Line, Swivel};
use crate::closed_form::trunk::{NATURAL_ELBOW, Trunk};
use crate::math::{Quat, Vec3, arc, axis_angle, fraction, normalize_or, rotation_angle, swing_twist, twist_angle};

/// Displacement of the shoulder's joint in lengths of the clavicle, in the frame of the ribs, left
/// side: constant, then per component of the hand's place in lengths of the arm.
const SHOULDER: [[f32; 3]; 4] =
    [[-0.0566, 0.0657, -0.0559], [0.0154, -0.0582, -0.1579], [-0.0116, 0.0881, -0.0535], [0.0645, -0.0080, 0.3215]];
/// Way of the elbow off the line from shoulder to hand, in lengths of the arm, left side: constant,
/// then per component of the hand's place, its forearm side's direction, and its palm's.
const ELBOW: [[f32; 3]; 10] = [
    [0.0542, -0.1042, -0.0314],
    [-0.0262, 0.0315, -0.0641],
    [0.0420, -0.0358, 0.1177],
    [0.0480, -0.0875, 0.0363],
    [-0.0481, -0.0676, -0.0119],
    [0.0462, -0.0579, -0.0149],
    [0.0153, -0.0264, -0.0887],
    [-0.0129, 0.0183, -0.0071],
    [-0.0267, -0.1045, -0.0361],
    [-0.0359, 0.0435, -0.0439],
];
/// Usual way of the elbow off that line, in lengths of the arm.
const ELBOW_SCALE: f32 = 0.15;
/// Range of the clavicle about where the law has it, radians.
const CLAVICLE_RANGE: f32 = 0.5;
/// Part of the hand's roll that the forearm takes.
const FOREARM_ROLL: f32 = 0.5;

/// Where a hand is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandGoal {
    pub at: Vec3,
    pub turn: Quat,
}

/// The hand as the laws see it: left side, frame of the ribs.
struct Features {
    numbers: [f32; 10],
}

impl Features {
    fn new(rig: &Rig, side: usize, goal: &HandGoal, out: &Posture) -> Self {
        let upper = arm(side)[1];
        let (ribs, back) = (out.turn[rig.top], out.turn[rig.top].conjugate());
        let shoulder = out.at[rig.top] + ribs * rig.span(rig.top, upper);
        let flip = mirror(side);
        let hand = (back * goal.turn).normalize();
        let place = back * (goal.at - shoulder) / rig.arm_length(side) * flip;
        let along = hand * Vec3::new(flip.x, 0.0, 0.0) * flip;
        let palm = hand * Vec3::NEG_Y * flip;
        let [p, a, m] = [place, along, palm];
        Self { numbers: [1.0, p.x, p.y, p.z, a.x, a.y, a.z, m.x, m.y, m.z] }
    }
    fn apply(&self, law: &[[f32; 3]]) -> Vec3 {
        law.iter().zip(self.numbers).fold(Vec3::ZERO, |sum, (row, x)| sum + Vec3::from_array(*row) * x)
    }
}

fn mirror(side: usize) -> Vec3 {
    Vec3::new(if side == 0 { 1.0 } else { -1.0 }, 1.0, 1.0)
}

/// Builds an arm. Returns how far the hand is from its goal. `last`: the elbow's swivel in the
/// frame before, `dt` ago, and what lasts of this one.
pub(super) fn solve(
    rig: &Rig,
    side: usize,
    goal: &HandGoal,
    goals: &Goals,
    (last, next, dt): (&Swivel, &mut Swivel, f32),
    out: &mut Posture,
) -> f32 {
    let [_, upper, lower, hand] = arm(side);
    let features = Features::new(rig, side, goal, out);
    let elbow = tracked_elbow(rig, side, goal, goals);
    place_shoulder(rig, side, goal, &features, goals, elbow, out);
    let root = out.at[upper];
    let mut pole = elbow_pole(rig, side, goal, &features, out);
    if let Some((at, weight)) = elbow {
        pole = mix(root, goal.at, rig.limb([upper, lower, hand]), pole, at, weight);
    } else {
        pole = outside_trunk(rig, side, goal, pole, out);
    }
    let axis = normalize_or(goal.at - root, Vec3::NEG_Y);
    let tracked = elbow.map_or(0.0, |(_, weight)| weight);
    let line = Line { base: out.turn[rig.top], axis, end: goal.turn, dt, tracked };
    if tracked < 1.0 {
        pole = last.limit(&line, pole, next);
    } else {
        *next = Swivel::default();
    }
    let (mid, wrist) = two_bones(root, goal.at, rig.limb([upper, lower, hand]), pole);
    out.at[lower] = mid;
    out.at[hand] = wrist;
    turns(rig, side, goal, goals, out);
    (goal.at - wrist).length()
}

/// Where a tracker has the elbow, and how much that counts.
fn tracked_elbow(rig: &Rig, side: usize, goal: &HandGoal, goals: &Goals) -> Option<(Vec3, f32)> {
    let [_, _, lower, hand] = arm(side);
    let tracker = goals.of(of_side(TrackerRole::LeftElbow, side));
    let (place, turn) = (tracker.place_weight, tracker.turn_weight);
    if place >= 1.0 {
        return Some((tracker.position, 1.0));
    }
    // The rotation has what the place leaves.
    let (place, turn) = (place, turn * (1.0 - place));
    let whole = place + turn;
    let turned = goal.at - tracker.turn * rig.span(lower, hand);
    (whole > 0.0).then(|| (turned.lerp(tracker.position, place / whole), whole))
}

/// The clavicle and the shoulder's joint.
fn place_shoulder(
    rig: &Rig,
    side: usize,
    goal: &HandGoal,
    features: &Features,
    goals: &Goals,
    elbow: Option<(Vec3, f32)>,
    out: &mut Posture,
) {
    let [clavicle, upper, lower, hand] = arm(side);
    let ribs = out.turn[rig.top];
    if !rig.has(clavicle) {
        out.at[upper] = out.carried(rig, upper);
        return;
    }
    out.at[clavicle] = out.carried(rig, clavicle);
    let rest = rig.span(clavicle, upper);
    let length = rest.length();
    let assumed = rig.natural[side] + features.apply(&SHOULDER) * mirror(side) * length;
    let root = out.at[clavicle];
    let usual = normalize_or(ribs * assumed, ribs * normalize_or(rest, Vec3::X));
    let tracker = goals.of(of_side(TrackerRole::LeftShoulder, side));
    let mut way = shoulder_way(root, usual, tracker);
    let [a, b] = rig.limb([upper, lower, hand]);
    let elbow = elbow.filter(|(_, weight)| *weight > 0.0);
    for _ in 0..6 {
        let mut joint = root + way * length;
        if let Some((at, weight)) = elbow {
            let off = joint - at;
            joint += normalize_or(off, Vec3::Y) * ((a - off.length()) * weight);
        }
        way = normalize_or(joint - root, way);
        way = in_reach(root, way, length, goal.at, reach_of(a, b));
        way = within(usual, way, if elbow.is_some() { 1.2 } else { CLAVICLE_RANGE });
        if elbow.is_none() {
            break;
        }
    }
    out.at[upper] = root + way * length;
    let from = normalize_or(rest, Vec3::X);
    out.turn[clavicle] = (arc(ribs * from, way) * ribs).normalize();
}

/// The way of the clavicle with a tracker near the shoulder's joint.
fn shoulder_way(root: Vec3, usual: Vec3, tracker: &BoneGoal) -> Vec3 {
    let seen = normalize_or(tracker.position - root, usual);
    normalize_or(usual.lerp(seen, tracker.place_weight), usual)
}

/// Distances that two bones of these lengths span.
fn reach_of(a: f32, b: f32) -> [f32; 2] {
    [(a - b).abs() * 1.0001, (a + b) * 0.9999]
}

/// The direction of a bone of `length` from `root`, turned as little as brings the distance from
/// its end to `goal` between two numbers: the angle at `root` of the triangle that has them as a
/// side.
#[inline]
fn in_reach(root: Vec3, way: Vec3, length: f32, goal: Vec3, [near, reach]: [f32; 2]) -> Vec3 {
    let off = goal - root;
    let far = off.length();
    if far * length <= 1e-12 {
        return way;
    }
    let toward = off / far;
    let cosine_of = |side: f32| (length * length + far * far - side * side) / (2.0 * length * far);
    let (least, most) = (cosine_of(reach), cosine_of(near));
    let now = way.dot(toward);
    let wanted = now.max(least).min(most).clamp(-1.0, 1.0);
    if wanted == now {
        return way;
    }
    let side = normalize_or(across(way, toward), crate::math::perpendicular(toward));
    let sine = crate::math::float::sqrt((1.0 - wanted * wanted).max(0.0));
    normalize_or(toward * wanted + side * sine, way)
}

/// The way of a clavicle at `from`, turned by at most `most` radians so that the arm reaches
/// `hand`.
pub(super) fn clavicle_toward(rig: &Rig, side: usize, (from, way): (Vec3, Vec3), hand: Vec3, most: f32) -> Vec3 {
    let [clavicle, upper, lower, end] = arm(side);
    let [a, b] = rig.limb([upper, lower, end]);
    let length = rig.span(clavicle, upper).length();
    within(way, in_reach(from, way, length, hand, reach_of(a, b)), most)
}

/// A direction brought to within `most` radians of another.
#[inline]
fn within(usual: Vec3, way: Vec3, most: f32) -> Vec3 {
    let turn = arc(usual, way);
    let angle = rotation_angle(turn);
    if angle <= most { way } else { fraction(turn, most / angle) * usual }
}

/// Which way the elbow points.
fn elbow_pole(rig: &Rig, side: usize, goal: &HandGoal, features: &Features, out: &Posture) -> Vec3 {
    let [_, upper, lower, hand] = arm(side);
    let ribs = out.turn[rig.top];
    let flip = mirror(side);
    let root = out.at[upper];
    let axis = normalize_or(goal.at - root, Vec3::NEG_Y);
    let law = across(ribs * (features.apply(&ELBOW) * flip), axis) / ELBOW_SCALE;
    let usual = across(ribs * (Vec3::new(0.35, -1.0, -0.5) * flip), axis);
    let straight = across(goal.at - goal.turn * rig.span(lower, hand) - root, axis);
    law + (normalize_or(usual, Vec3::ZERO) + normalize_or(straight, Vec3::ZERO)) * 0.25
}

/// The pole, swivelled so that the elbow is not inside the trunk.
fn outside_trunk(rig: &Rig, side: usize, goal: &HandGoal, pole: Vec3, out: &Posture) -> Vec3 {
    let [_, upper, lower, hand] = arm(side);
    let root = out.at[upper];
    let (elbow, wrist) = two_bones(root, goal.at, rig.limb([upper, lower, hand]), pole);
    let axis = normalize_or(wrist - root, Vec3::NEG_Y);
    let (aside, mid) = (across(elbow - root, axis), root + axis * axis.dot(elbow - root));
    let ahead = axis.cross(aside);
    let ribs = out.turn[rig.top];
    let [left, right] = [arm(0)[1], arm(1)[1]].map(|joint| ribs * rig.span(rig.top, joint));
    let trunk = Trunk::new(out.at[HIPS], out.at[rig.top] + (left + right) * 0.5, (left - right) * 0.5);
    let usual = normalize_or(ribs * (NATURAL_ELBOW * mirror(side)), Vec3::NEG_Y);
    let at = |(cos, sin): (f32, f32)| mid + aside * cos + ahead * sin;
    let Some(angle) = trunk.swivel_out(at, usual, f32::INFINITY) else { return pole };
    axis_angle(axis, angle) * across(pole, axis)
}

/// Rotations of upper arm, forearm and hand from their joints.
fn turns(rig: &Rig, side: usize, goal: &HandGoal, goals: &Goals, out: &mut Posture) {
    let [_, upper, lower, hand] = arm(side);
    let (root, mid, end) = (out.at[upper], out.at[lower], out.at[hand]);
    let ribs = out.turn[rig.top];
    // The hinge's axis in the T-pose: the elbow bends the forearm forward.
    let rest_axis = |bone: usize, next: usize| {
        normalize_or(normalize_or(rig.span(bone, next), Vec3::X).cross(Vec3::Z), Vec3::NEG_Y)
    };
    let bend = normalize_or((mid - root).cross(end - mid), Vec3::ZERO);
    for (bone, next, from, to) in [(upper, lower, root, mid), (lower, hand, mid, end)] {
        let rest = normalize_or(rig.span(bone, next), Vec3::X);
        let way = normalize_or(to - from, ribs * rest);
        let axis = rest_axis(bone, next);
        let axis_now = if bend == Vec3::ZERO { arc(ribs * rest, way) * (ribs * axis) } else { bend };
        out.turn[bone] = align(rest, axis, way, axis_now);
    }
    let tracker = goals.of(of_side(TrackerRole::LeftElbow, side));
    if tracker.turn_weight > 0.0 {
        // Its roll about the forearm as the tracker has it.
        let way = normalize_or(end - mid, Vec3::X);
        let off = (tracker.turn * out.turn[lower].conjugate()).normalize();
        let roll = swing_twist(off, way).1;
        out.turn[lower] = (fraction(roll, tracker.turn_weight) * out.turn[lower]).normalize();
    } else {
        let way = normalize_or(end - mid, Vec3::X);
        let off = (goal.turn * out.turn[lower].conjugate()).normalize();
        let roll = axis_angle(way, twist_angle(off, way) * FOREARM_ROLL);
        out.turn[lower] = (roll * out.turn[lower]).normalize();
    }
    out.turn[hand] = goal.turn;
}
