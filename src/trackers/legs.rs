//! Legs: knees from feet and hips, toes from feet.

use super::frame_input::Goals;
use super::posture::{Posture, align, two_bones};
use super::rig::Rig;
use super::role::{HIPS, TrackerRole, leg, of_side};
use crate::math::{Quat, Vec3, normalize_or, slerp_short};

/// Where a foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootGoal {
    pub at: Vec3,
    pub turn: Quat,
}

/// Builds a leg. Returns how far the foot is from its goal.
pub(super) fn solve(rig: &Rig, side: usize, goal: &FootGoal, goals: &Goals, out: &mut Posture) -> f32 {
    let [thigh, shin, foot, toes] = leg(side);
    out.at[thigh] = out.carried(rig, thigh);
    let hips = out.turn[HIPS];
    let lengths = rig.limb([thigh, shin, foot]);
    // The knee looks where hips and foot look, in their middle.
    let ahead = normalize_or(hips * Vec3::Z + goal.turn * Vec3::Z, hips * Vec3::Z);
    let pole = tracked_knee(rig, side, goal, goals, out, ahead);
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
        out.turn[toes] = toe_turn(side, goal.turn, goals);
    }
    (goal.at - ankle).length()
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
