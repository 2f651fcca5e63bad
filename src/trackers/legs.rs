//! Legs: knees from feet and hips, toes from feet, and where assumed hips are for tracked feet.

use super::frame_input::{BoneGoal, Goals};
use super::posture::{Posture, across, align, rotates, two_bones};
use super::prior::Placed;
use super::rig::Rig;
use super::role::{HEAD, HIPS, TrackerRole, leg, of_side};
use super::swivel::{Line, Swivel};
use crate::math::soft::soft_limit;
use crate::math::{Quat, Vec3, axis_angle, float, normalize_or, slerp_short, wrap_angle};
use bytemuck::{Pod, Zeroable};

/// Length of a leg whose foot is assumed, in lengths of the straight leg, and how softly it gets
/// there: a knee that straightens at once jerks, but a softer one keeps the knees of a person who
/// stands bent, and the heels off the floor.
const FARTHEST_REACH: f32 = 0.999;
const HEEL_REACH_SOFTNESS: f32 = 0.012;
/// How softly assumed hips follow tracked feet that the legs do not reach.
const REACH_SOFTNESS: f32 = 0.06;
/// How far a heel rises, radians, and how softly it ends.
const MAX_HEEL_RAD: f32 = 0.9;
const HEEL_SOFTNESS: f32 = 0.3;
/// Farthest that assumed hips follow tracked feet, in heights of the avatar's head.
const MOST_DRAWN: f32 = 0.25;
const ROUNDS: usize = 4;
/// Least distance of an assumed knee or elbow from the line of its limb, in lengths of the straight
/// limb, where it is mixed with a place that is seen.
const LEAST_ASIDE: f32 = 0.01;
/// Bend of a knee of which only the shin's rotation is tracked: the usual one (0.4 rad, as cosine
/// and sine), how much it counts against the place where the foot is assumed, and the most,
/// radians. Measured on captured motion: less lets knees jump, more keeps them from bending.
const USUAL_BEND: [f32; 2] = [0.921_061, 0.389_418_3];
const USUAL_COUNTS: f32 = 0.75;
const MAX_BEND: f32 = 2.6;

/// Height of a toe joint on the floor, in its height where the foot stands flat: of a foot on its
/// tip there is less below it.
const TIP: f32 = 0.5;

/// Least height of an ankle with which neither heel nor toes of a foot that is turned like this are
/// in the floor.
pub(super) fn ankle_on_floor(rig: &Rig, side: usize, turn: Quat) -> f32 {
    let [.., foot, toes] = leg(side);
    let below = |point: Vec3| -(turn * point).y;
    let heel = below(Vec3::NEG_Y * rig.at[foot].y);
    if rig.has(toes) { heel.max(below(rig.span(foot, toes)) + TIP * rig.at[toes].y) } else { heel }
}

/// Where a foot is to be.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FootGoal {
    pub at: Vec3,
    pub turn: Quat,
    /// The parts of the place and of the rotation that are assumed, not tracked: they give way to
    /// the length of the leg.
    pub assumed: f32,
    pub turn_assumed: f32,
}

impl FootGoal {
    pub fn is_sound(&self) -> bool {
        self.at.is_finite() && rotates(&self.turn) && self.assumed.is_finite() && self.turn_assumed.is_finite()
    }
    /// A goal that is `part` of the way to another.
    pub fn toward(&self, other: &Self, part: f32) -> Self {
        let mix = |from: f32, to: f32| from + (to - from) * part;
        Self {
            at: self.at.lerp(other.at, part),
            turn: slerp_short(self.turn, other.turn, part),
            assumed: mix(self.assumed, other.assumed),
            turn_assumed: mix(self.turn_assumed, other.turn_assumed),
        }
    }
}

/// Where hips are whose place is assumed (`free` of it) when feet are tracked: as little off the
/// assumption as lets the legs reach them, no farther from the head than the spine is long. Both
/// are soft, as a knee and a spine that straighten at once jerk.
pub(super) fn draw_hips(rig: &Rig, hips: Placed, head: Vec3, goals: &Goals, free: f32) -> Vec3 {
    let feet = [0, 1].map(|side| goals.of(of_side(TrackerRole::LeftFoot, side)));
    if free <= 0.0 || feet.iter().all(|foot| foot.place_weight <= 0.0) {
        return hips.0;
    }
    let assumed = (head - hips.0).length();
    let room = (rig.span(HIPS, HEAD).length() - assumed).max(0.0);
    let mut at = hips.0;
    for _ in 0..ROUNDS {
        let (mut pull, mut whole) = (Vec3::ZERO, 0.0);
        for (side, tracker) in feet.iter().enumerate() {
            let [thigh, shin, foot, _] = leg(side);
            let [a, b] = rig.limb([thigh, shin, foot]);
            let way = tracker.position - (at + hips.1 * rig.span(HIPS, thigh));
            let far = way.length();
            let over = (far - soft_limit(far, a + b, REACH_SOFTNESS)) * tracker.place_weight;
            // Each leg counts as far as it is short: one alone has the whole pull, and none jumps.
            pull += way * (over * over / far.max(1e-9));
            whole += over;
        }
        if whole <= 0.0 {
            break;
        }
        at += pull / whole;
        let up = head - at;
        let far = up.length();
        let more = far - assumed;
        if more > 0.0 {
            at += up * ((more - room * more / (room + more)) / far);
        }
    }
    let drawn = at - hips.0;
    let (far, most) = (drawn.length(), MOST_DRAWN * rig.height());
    hips.0 + drawn * (free * (most / far.max(most)))
}

/// An assumed foot below a shin of which the rotation is tracked: where the shin carries it. The
/// knee is a hinge about the shin's X, so one angle is left, which brings the foot toward where it
/// is assumed and the knee toward its usual bend. A tracked knee's place counts more.
fn carried_by_shin(rig: &Rig, side: usize, goal: &FootGoal, tracker: &BoneGoal, root: Vec3) -> FootGoal {
    let part = tracker.turn_weight * goal.assumed;
    if part <= 0.0 {
        return *goal;
    }
    let [thigh, shin, foot, _] = leg(side);
    let axis = tracker.turn * Vec3::X;
    let (lower, straight) = (tracker.turn * rig.span(shin, foot), tracker.turn * rig.span(thigh, shin));
    // The thigh over its angle against the shin, below 0 for a knee that is bent.
    let aside = across(straight, axis);
    let (along, forward) = (straight - aside, aside.cross(axis));
    let usual = aside * USUAL_BEND[0] + forward * USUAL_BEND[1];
    let way = goal.at - root - lower - along + usual * USUAL_COUNTS;
    let bend = float::atan2(way.dot(forward), way.dot(aside));
    let bend = wrap_angle(bend - 0.5 * MAX_BEND) + 0.5 * MAX_BEND;
    let (sine, cosine) = float::sin_cos(bend.clamp(0.0, MAX_BEND));
    let knee = root + along + aside * cosine + forward * sine;
    let at = knee.lerp(tracker.position, tracker.place_weight) + lower;
    FootGoal { at: goal.at.lerp(at, part), assumed: goal.assumed * (1.0 - tracker.turn_weight), ..*goal }
}

/// Raises the heel of an assumed foot that is farther off than the leg reaches, about the ball of
/// the foot, which stays. What is out of reach then comes nearer.
#[inline]
pub(super) fn heel_raised(rig: &Rig, side: usize, goal: &FootGoal, root: Vec3) -> FootGoal {
    let [thigh, shin, foot, toes] = leg(side);
    let [a, b] = rig.limb([thigh, shin, foot]);
    let reach = (a + b) * FARTHEST_REACH;
    let way = goal.at - root;
    let far = way.length();
    let near = soft_limit(far, reach, HEEL_REACH_SOFTNESS);
    if goal.assumed <= 0.0 || near >= far {
        return *goal;
    }
    let sole = rig.at[foot].y;
    let ball = if rig.has(toes) { rig.span(foot, toes) } else { Vec3::new(0.0, -sole, sole) };
    let pivot = goal.at + goal.turn * ball;
    let (axis, ankle, hip) = (goal.turn * Vec3::X, goal.at - pivot, root - pivot);
    // |ankle(φ) − hip|² = near²: m·cos(φ − δ) = c.
    let aside = across(ankle, axis);
    let (p, q) = (aside.dot(hip), axis.cross(aside).dot(hip));
    let c = 0.5 * (hip.length_squared() + ankle.length_squared() - near * near) - (ankle - aside).dot(hip);
    let m = float::sqrt(p * p + q * q);
    let mut raised = 0.0;
    if q > 0.0 && m > 0.0 {
        raised = float::atan2(q, p) - float::acos((c / m).clamp(-1.0, 1.0));
        raised = soft_limit(raised.max(0.0), MAX_HEEL_RAD, HEEL_SOFTNESS);
    }
    let raise = axis_angle(axis, raised * goal.assumed * goal.turn_assumed);
    let at = pivot + raise * ankle;
    let way = at - root;
    let far = way.length();
    let near = soft_limit(far, reach, HEEL_REACH_SOFTNESS);
    let near = far + (near - far) * goal.assumed;
    FootGoal { at: root + way * (near / far.max(1e-9)), turn: (raise * goal.turn).normalize(), ..*goal }
}

/// Builds a leg. Returns the foot's goal with what gave way of its assumed part to the length of
/// the leg; `due` becomes the one before that. `swivel`: the knee's, which goes on by `dt`.
pub(super) fn solve(
    rig: &Rig,
    side: usize,
    due: &mut FootGoal,
    goals: &Goals,
    (swivel, dt): (&mut Swivel, f32),
    out: &mut Posture,
) -> FootGoal {
    let [thigh, shin, foot, toes] = leg(side);
    out.at[thigh] = out.carried(rig, thigh);
    let flat = due.turn;
    let tracker = goals.of(of_side(TrackerRole::LeftKnee, side));
    *due = carried_by_shin(rig, side, due, tracker, out.at[thigh]);
    let goal = &heel_raised(rig, side, due, out.at[thigh]);
    let hips = out.turn[HIPS];
    let lengths = rig.limb([thigh, shin, foot]);
    // The knee looks where hips and foot look, in their middle.
    let ahead = normalize_or(hips * Vec3::Z + goal.turn * Vec3::Z, hips * Vec3::Z);
    let pole = tracked_knee(rig, side, goal, tracker, out.at[thigh], ahead);
    let tracked = 1.0 - (1.0 - tracker.place_weight) * (1.0 - tracker.turn_weight);
    let axis = normalize_or(goal.at - out.at[thigh], Vec3::NEG_Y);
    let line = Line { base: hips, axis, end: goal.turn, dt, tracked };
    let last = *swivel;
    let pole = if tracked < 1.0 {
        last.limit(&line, pole, swivel)
    } else {
        *swivel = Swivel::default();
        pole
    };
    let (knee, ankle) = two_bones(out.at[thigh], goal.at, lengths, pole);
    out.at[shin] = knee;
    out.at[foot] = ankle;
    let side_out = Vec3::X;
    let bend = normalize_or((ankle - out.at[thigh]).cross(knee - out.at[thigh]), Vec3::ZERO);
    // The hinge's axis: X in the T-pose, as the knee bends forward.
    let axis =
        if bend == Vec3::ZERO { normalize_or(ahead.cross(knee - out.at[thigh]), hips * side_out) } else { -bend };
    for (bone, next, from, to) in [(thigh, shin, out.at[thigh], knee), (shin, foot, knee, ankle)] {
        let rest = normalize_or(rig.span(bone, next), Vec3::NEG_Y);
        out.turn[bone] = align(rest, side_out, normalize_or(to - from, Vec3::NEG_Y), axis);
    }
    out.turn[foot] = goal.turn;
    if rig.has(toes) {
        out.at[toes] = ankle + goal.turn * rig.span(foot, toes);
        out.turn[toes] = toe_turn(side, flat, goals);
    }
    *goal
}

/// The pole, with a knee tracker's place and, failing that, its rotation.
fn tracked_knee(rig: &Rig, side: usize, goal: &FootGoal, tracker: &BoneGoal, root: Vec3, ahead: Vec3) -> Vec3 {
    let [thigh, shin, foot, _] = leg(side);
    let lengths = rig.limb([thigh, shin, foot]);
    let mut pole = ahead;
    if tracker.turn_weight > 0.0 {
        let knee = goal.at - tracker.turn * rig.span(shin, foot);
        pole = mix(root, goal.at, lengths, pole, knee, tracker.turn_weight);
    }
    if tracker.place_weight > 0.0 {
        pole = mix(root, goal.at, lengths, pole, tracker.position, tracker.place_weight);
    }
    pole
}

/// The pole of a limb whose middle joint is toward `assumed` without a tracker, and at `seen` with
/// one. Mixed are the two places of the joint about the line of the limb, not their directions:
/// those would turn the limb over where a place that is no longer seen comes to be just behind the
/// line. A place on that line counts nothing.
pub(super) fn mix(root: Vec3, end: Vec3, [a, b]: [f32; 2], assumed: Vec3, seen: Vec3, weight: f32) -> Vec3 {
    let way = end - root;
    let axis = normalize_or(way, Vec3::Y);
    let (assumed, seen) = (normalize_or(across(assumed, axis), Vec3::ZERO), across(seen - root, axis));
    let far = way.length().max((a - b).abs()).max(1e-9);
    let along = (a * a - b * b + far * far) / (2.0 * far);
    let aside = float::sqrt((a * a - along * along).max(0.0)).max(LEAST_ASIDE * (a + b));
    let off = seen.length();
    let sure = off / (1e-3 + off);
    assumed * (aside * (1.0 - weight * sure)) + seen * weight
}

/// Toes follow the foot, or their tracker by up to a quarter turn.
fn toe_turn(side: usize, foot: Quat, goals: &Goals) -> Quat {
    let tracker = goals.of(of_side(TrackerRole::LeftToes, side));
    slerp_short(foot, tracker.turn, tracker.turn_weight)
}
