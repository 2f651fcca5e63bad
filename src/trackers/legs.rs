//! Legs: knees from feet and hips, toes from feet.

use super::frame_input::Goals;
use super::posture::across;
use super::posture::{Posture, align, two_bones};
use super::rig::Rig;
use super::role::{HIPS, TrackerRole, leg, of_side};
use super::swivel::{Line, Swivel};
use crate::math::soft::soft_limit;
use crate::math::{Quat, Vec3, axis_angle, float, normalize_or, slerp_short};

/// Length of a leg whose foot is assumed, in lengths of the straight leg, and how softly it gets
/// there: a knee that straightens at once jerks.
const FARTHEST_REACH: f32 = 0.995;
const REACH_SOFTNESS: f32 = 0.06;
/// How far a heel rises, radians, and how softly it ends.
const MAX_HEEL_RAD: f32 = 0.9;
const HEEL_SOFTNESS: f32 = 0.3;

/// Where a foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootGoal {
    pub at: Vec3,
    pub turn: Quat,
    /// The parts of the place and of the rotation that are assumed, not tracked: they give way to
    /// the length of the leg.
    pub assumed: f32,
    pub turn_assumed: f32,
}

/// Raises the heel of an assumed foot that is farther off than the leg reaches, about the ball of
/// the foot, which stays. What is out of reach then comes nearer.
fn heel_raised(rig: &Rig, side: usize, goal: &FootGoal, root: Vec3) -> FootGoal {
    let [thigh, shin, foot, toes] = leg(side);
    let [a, b] = rig.limb([thigh, shin, foot]);
    let reach = (a + b) * FARTHEST_REACH;
    let way = goal.at - root;
    let far = way.length();
    let near = soft_limit(far, reach, REACH_SOFTNESS);
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
    let near = soft_limit(far, reach, REACH_SOFTNESS);
    let near = far + (near - far) * goal.assumed;
    FootGoal { at: root + way * (near / far.max(1e-9)), turn: (raise * goal.turn).normalize(), ..*goal }
}

/// Builds a leg. Returns the foot's goal with what gave way of its assumed part. `swivel`: the
/// knee's, which goes on by `dt`.
pub(super) fn solve(
    rig: &Rig,
    side: usize,
    goal: &FootGoal,
    goals: &Goals,
    (swivel, dt): (&mut Swivel, f32),
    out: &mut Posture,
) -> FootGoal {
    let [thigh, shin, foot, toes] = leg(side);
    out.at[thigh] = out.carried(rig, thigh);
    let flat = goal.turn;
    let goal = &heel_raised(rig, side, goal, out.at[thigh]);
    let hips = out.turn[HIPS];
    let lengths = rig.limb([thigh, shin, foot]);
    // The knee looks where hips and foot look, in their middle.
    let ahead = normalize_or(hips * Vec3::Z + goal.turn * Vec3::Z, hips * Vec3::Z);
    let pole = tracked_knee(rig, side, goal, goals, out, ahead);
    let tracker = goals.of(of_side(TrackerRole::LeftKnee, side));
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
fn tracked_knee(rig: &Rig, side: usize, goal: &FootGoal, goals: &Goals, out: &Posture, ahead: Vec3) -> Vec3 {
    let [thigh, shin, foot, _] = leg(side);
    let tracker = goals.of(of_side(TrackerRole::LeftKnee, side));
    let root = out.at[thigh];
    let mut pole = ahead;
    if tracker.turn_weight > 0.0 {
        let knee = goal.at - tracker.turn * rig.span(shin, foot);
        pole = mix(root, goal.at, pole, knee - root, tracker.turn_weight);
    }
    if tracker.place_weight > 0.0 {
        pole = mix(root, goal.at, pole, tracker.position - root, tracker.place_weight);
    }
    pole
}

/// Two poles mixed by their directions about the line of a limb; one on that line counts nothing.
pub(super) fn mix(root: Vec3, end: Vec3, a: Vec3, b: Vec3, weight: f32) -> Vec3 {
    let axis = normalize_or(end - root, Vec3::Y);
    let (a, b) = (super::posture::across(a, axis), super::posture::across(b, axis));
    let sure = b.length() / (1e-3 + b.length());
    normalize_or(a, Vec3::ZERO) * (1.0 - weight * sure) + normalize_or(b, Vec3::ZERO) * (weight * sure)
}

/// Toes follow the foot, or their tracker by up to a quarter turn.
fn toe_turn(side: usize, foot: Quat, goals: &Goals) -> Quat {
    let tracker = goals.of(of_side(TrackerRole::LeftToes, side));
    slerp_short(foot, tracker.turn, tracker.turn_weight)
}
