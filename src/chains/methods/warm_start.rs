//! The default solver for chains that are solved frame after frame: from the last answer, with at
//! most one attempt from another pose a solve.
//!
//! # What it does
//!
//! 1. The solve starts at the last answer, not at the animation, so the chain stays in its family
//!    of answers as long as that meets the goals.
//! 2. What the goals leave free is led back to the pose in which a solve without memory begins:
//!    the animation within its limits, aimed at the target and turned to the pole. The answer is
//!    slid towards it along the poses that meet the goals ([`super::null_space`]), by
//!    [`MOST_SLIDE_RAD`] a solve: a goal that is moved out and back returns the pose.
//! 3. Where the goals are not met, one attempt is made: from the animation first, then in the
//!    order of [`super::attempts`], which goes on in the next solve. What it finds is taken where
//!    it meets the goals, or leaves much less of them ([`SWITCH`]): two poses that miss by nearly
//!    the same do not take turns. Once all have been made, only one solve of
//!    [`WarmStart::SOLVES_AN_ATTEMPT`] makes another: the goals may have moved to where one helps,
//!    but where they stay out of reach attempts are most of the cost.
//!
//! So the cost of a solve is bounded by two descents and the slide, also where no pose meets the
//! goals; a search from one pose costs up to forty.

use super::null_space;
use super::robust;
use super::{attempts, dls};
use crate::chains::methods::descent::Descent;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::warm_start::WarmStart;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{rotation_angle, slerp_short};
use crate::outcome::{Outcome, Status};

/// Turn of a joint in one solve, at most, that leads back to the animation, radians.
const MOST_SLIDE_RAD: f32 = 0.1;
/// Steps of the slide in one solve.
const SLIDE_STEPS: u32 = 8;
/// Share of the cost that another pose that misses the goals must be below.
const SWITCH: f32 = 0.5;

/// Solves from the last answer; the state has the animation, which is in slot `Start`, too.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &mut WarmStart,
) -> Outcome {
    let has_last = warm.is_set();
    if has_last {
        start::start_aimed(chain, goals, ws);
        ws.state.update(chain);
        ws.state.hold(None);
        ws.save(Slot::Nearest);
        warm.bring(ws);
    }
    let (mut best, is_from_last) = descend(chain, goals, settings, ws, warm);
    if has_last && is_from_last && best.status == Status::Reached {
        best.iterations += slide(chain, goals, settings, ws);
    }
    robust::outcome(chain, goals, settings, ws, &best)
}

/// Goes on from the pose in the state, where another method has left it.
pub(in crate::chains) fn finish(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &mut WarmStart,
) -> Outcome {
    let (best, _) = descend(chain, goals, settings, ws, warm);
    robust::outcome(chain, goals, settings, ws, &best)
}

/// Descends from the pose in the state; where that misses the goals, makes the next attempt.
/// Returns whether the answer is what the pose led to.
fn descend(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &mut WarmStart,
) -> (Descent, bool) {
    let has_last = warm.is_set();
    let (first, is_final) = robust::descend(chain, goals, settings, ws);
    let is_over = first.status == Status::Reached || is_final || settings.max_attempts == 0;
    if is_over {
        ws.state.hold(None);
        warm.begin_attempts();
        return (first, true);
    }
    warm.keep(ws);
    // The animation is one of the poses to start from.
    let all = attempts::count(chain, goals, settings, ws).saturating_add(1);
    let found = match warm.next_attempt(has_last, all) {
        None => {
            ws.state.hold(None);
            return (first, true);
        }
        Some(0) => {
            ws.restore(Slot::Start);
            robust::descend(chain, goals, settings, ws).0
        }
        Some(number) => {
            ws.save(Slot::Best);
            let found = attempts::try_one(number - 1, chain, goals, settings, ws, first);
            ws.restore(Slot::Best);
            Descent { miss: attempts::measure(chain, goals, ws), ..found }
        }
    };
    ws.state.hold(None);
    let iterations = first.iterations + found.iterations;
    if found.status == Status::Reached || found.miss.cost < SWITCH * first.miss.cost {
        return (Descent { iterations, ..found }, false);
    }
    warm.bring(ws);
    (Descent { iterations, ..first }, true)
}

/// Slides an answer towards the pose in slot `Nearest`. Returns the iterations.
fn slide(chain: &Chain, goals: &[ChainGoal], settings: &ChainSettings, ws: &mut ChainWorkspace) -> u32 {
    ws.save(Slot::Best);
    null_space::descend(chain, goals, Slot::Nearest, SLIDE_STEPS, ws);
    let turn = |ws: &ChainWorkspace| {
        let pairs = ws.state.pose().rotations.iter().zip(ws.saved_rotations(Slot::Best));
        pairs.map(|(now, before)| rotation_angle((*now * before.conjugate()).normalize())).fold(0.0, f32::max)
    };
    let largest = turn(ws);
    if largest > MOST_SLIDE_RAD {
        for i in 0..chain.joints.len() {
            let (before, now) = (ws.saved_rotations(Slot::Best)[i], ws.state.pose().rotations[i]);
            ws.state.set_rotation(i, slerp_short(before, now, MOST_SLIDE_RAD / largest));
        }
        start::clamp_to_limits(chain, ws);
    }
    let slid = dls::descend(chain, goals, settings, ws, false);
    if slid.status != Status::Reached || turn(ws) > 2.0 * MOST_SLIDE_RAD {
        ws.restore(Slot::Best);
    }
    slid.iterations
}
