//! Trunk and arms together.
//!
//! # Method
//!
//! Where the hips are assumed and a hand is out of reach of the shoulders that follow from that,
//! the assumption is wrong, not the hand: the hips move towards it and trunk and arms are built
//! anew. How far is found by the secant of what is left, so two rounds bring it to less than a
//! millimetre in most cases.

use super::arms::{self, HandGoal};
use super::frame_input::Goals;
use super::posture::Posture;
use super::prior;
use super::rig::Rig;
use super::role::{TrackerRole, arm, of_side};
use super::settings::TrackedBodySettings;
use super::stream::decay;
use super::trunk::{self, TrunkGoal};
use crate::math::Vec3;

/// What may be left to a hand, in heights of the avatar's head.
const MET: f32 = 2e-4;
/// Farthest that the hips follow, in the same.
const MOST: f32 = 0.12;
/// How far the hips move for a hand that is off by 1, at first: the shoulders move less than they.
const FIRST: f32 = 1.5;
const ROUNDS: usize = 3;
/// Half-life of the way back of hips that no hand draws any more, seconds.
const RETURNS: f32 = 0.2;

/// Builds hips … head and both arms.
pub(super) fn solve(
    rig: &Rig,
    trunk: &TrunkGoal,
    goals: &Goals,
    settings: &TrackedBodySettings,
    followed: &mut Vec3,
    dt: f32,
) -> Posture {
    let free = 1.0 - trunk.hips_weight;
    *followed *= (1.0 - decay(RETURNS, dt)) * free;
    let at = TrunkGoal { hips: trunk.hips + *followed, ..*trunk };
    let (mut body, mut left) = build(rig, &at, goals, settings);
    let (height, mut shift, mut gain) = (rig.height(), *followed, FIRST);
    for _ in 0..ROUNDS {
        let off = left.length();
        if free <= 0.0 || off <= MET * height {
            break;
        }
        let wanted = shift + left * (gain * free);
        let far = wanted.length();
        let most = MOST * height;
        let step = if far > most { wanted * (most / far) } else { wanted };
        let moved = TrunkGoal { hips: trunk.hips + step, ..*trunk };
        let (next, rest) = build(rig, &moved, goals, settings);
        // What a step of this length took away decides how long the next one is.
        let gone = off - rest.length();
        if gone <= 0.0 {
            break;
        }
        gain = (gain * off / gone).clamp(0.5, 6.0);
        (body, left, shift) = (next, rest, step);
    }
    *followed = shift;
    body
}

/// The body, and what is left to the tracked hands together.
fn build(rig: &Rig, trunk: &TrunkGoal, goals: &Goals, settings: &TrackedBodySettings) -> (Posture, Vec3) {
    let mut body = Posture::t_pose(rig);
    trunk::solve(rig, trunk, goals, settings, &mut body);
    let mut left = Vec3::ZERO;
    for side in 0..2 {
        let goal = goals.of(of_side(TrackerRole::LeftHand, side));
        let assumed = prior::hanging_hand(rig, side, &body);
        let hand = HandGoal { at: goal.place_over(assumed.0), turn: goal.turn_over(assumed.1) };
        arms::solve(rig, side, &hand, goals, &mut body);
        left += (hand.at - body.at[arm(side)[3]]) * goal.place_weight;
    }
    (body, left)
}
