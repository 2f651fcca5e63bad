//! Trunk and arms together.
//!
//! # Method
//!
//! Where the hips are assumed and a hand is out of reach of the shoulders that follow from that,
//! the assumption is wrong, not the hand: the hips move towards it and trunk and arms are built
//! anew. How far is found by the secant of what is left to the hands: a trial step, then one as
//! long as the trial was right. Where the trial brings the hands little, as where it only bends the
//! spine, the step shrinks to nothing. Nothing is decided by a comparison that a small motion of a
//! hand turns round, so the hips move continuously with the hands.

use super::arms::{self, HandGoal};
use super::frame_input::Goals;
use super::posture::Posture;
use super::prior;
use super::rig::Rig;
use super::role::{TrackerRole, arm, of_side};
use super::settings::TrackedBodySettings;
use super::stream::decay;
use super::swivel::Swivel;
use super::trunk::{self, TrunkGoal};
use crate::math::Vec3;
use crate::math::float::smooth01;

/// What may be left to a hand, in heights of the avatar's head.
const MET: f32 = 2e-4;
/// Farthest that the hips follow, in the same.
const MOST: f32 = 0.12;
/// How far the hips move for a hand that is off by 1, at first: the shoulders move less than they.
const FIRST: f32 = 1.5;
const ROUNDS: usize = 2;
/// Part of what is left that a trial takes away from which on its step counts wholly.
const WORTH: f32 = 0.5;
/// Longest step, in lengths of the trial.
const LONGEST: f32 = 2.0;
/// Half-life of the way back of hips that no hand draws any more, seconds.
const RETURNS: f32 = 0.2;

/// Builds hips … head and both arms.
pub(super) fn solve(
    rig: &Rig,
    trunk: &TrunkGoal,
    goals: &Goals,
    settings: &TrackedBodySettings,
    (followed, swivels): (&mut Vec3, &mut [Swivel; 2]),
    dt: f32,
) -> Posture {
    let free = 1.0 - trunk.hips_weight;
    *followed *= (1.0 - decay(RETURNS, dt)) * free;
    let at = TrunkGoal { hips: trunk.hips + *followed, ..*trunk };
    let last = *swivels;
    let (mut body, mut left) = build(rig, &at, goals, settings, (&last, swivels, dt));
    let (height, mut shift) = (rig.height(), *followed);
    let within = |shift: Vec3| {
        let far = shift.length();
        if far > MOST * height { shift * (MOST * height / far) } else { shift }
    };
    for _ in 0..ROUNDS {
        let off = left.length();
        if free <= 0.0 || off <= MET * height {
            break;
        }
        // Counted from where it is met, so that a round begins with steps of no length.
        let due = left * (1.0 - MET * height / off);
        let trial = within(shift + due * (FIRST * free)) - shift;
        let at_shift = |shift: Vec3, swivels: &mut [Swivel; 2]| {
            let moved = TrunkGoal { hips: trunk.hips + shift, ..*trunk };
            build(rig, &moved, goals, settings, (&last, swivels, dt))
        };
        let (_, rest) = at_shift(shift + trial, swivels);
        // What the trial took away decides how long the step is; one that is not worth it is none.
        let gone = 1.0 - rest.dot(left) / (off * off);
        let step = trial * (smooth01(gone / WORTH) / gone.max(1.0 / LONGEST));
        shift = within(shift + step);
        (body, left) = at_shift(shift, swivels);
    }
    *followed = shift;
    body
}

/// The body, and what is left to the tracked hands together.
fn build(
    rig: &Rig,
    trunk: &TrunkGoal,
    goals: &Goals,
    settings: &TrackedBodySettings,
    (last, swivels, dt): (&[Swivel; 2], &mut [Swivel; 2], f32),
) -> (Posture, Vec3) {
    let mut body = Posture::t_pose(rig);
    trunk::solve(rig, trunk, goals, settings, &mut body);
    let mut left = Vec3::ZERO;
    for side in 0..2 {
        let goal = goals.of(of_side(TrackerRole::LeftHand, side));
        let assumed = prior::hanging_hand(rig, side, &body);
        let hand = HandGoal { at: goal.place_over(assumed.0), turn: goal.turn_over(assumed.1) };
        arms::solve(rig, side, &hand, goals, (&last[side], &mut swivels[side], dt), &mut body);
        left += (hand.at - body.at[arm(side)[3]]) * goal.place_weight;
    }
    (body, left)
}
