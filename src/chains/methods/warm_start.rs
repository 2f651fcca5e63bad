//! The default solver for chains that are solved frame after frame: from the last answer, with at
//! most one attempt from another pose a solve.
//!
//! # What it does
//!
//! 1. The solve starts at the last answer, not at the animation, so the chain stays in its family
//!    of answers as long as that meets the goals. It is not aimed again: a pose that meets its
//!    goals stays, and what limits keep from its pole is not turned away from where it was led
//!    back to. Bones are stretched from their lengths in
//!    the animation, by no more than goals out of the joints' reach need.
//! 2. What the goals leave free is led back to the pose in which a solve without memory begins:
//!    the animation within its limits, aimed at the target and turned to the pole. The answer is
//!    slid towards it along the poses that meet the goals ([`super::null_space`]), by
//!    [`MOST_SLIDE_RAD`] a solve: a goal that is moved out and back returns the pose. A slide
//!    counts only if it leads nearer by a share of its own size squared ([`LEAST_GAIN`]), so input
//!    that stands still brings the chain to rest.
//! 3. Where the goals are not met, one attempt is made: from the animation first, then in the
//!    order of [`super::attempts`], which goes on in the next solve. What it finds is taken where
//!    it meets the goals, or leaves much less of them ([`SWITCH`]): two poses that miss by nearly
//!    the same do not take turns. Once all have been made, only one solve of
//!    [`WarmStart::SOLVES_AN_ATTEMPT`] makes another: the goals may have moved to where one helps,
//!    but where they stay out of reach attempts are most of the cost.
//! 4. The last answer stays where the new one is no better: it does not meet the goals, or leaves
//!    as much of them, and does not lead back ([`rest`]).
//!
//! So the cost of a solve is bounded by two descents and the slide, also where no pose meets the
//! goals; a search from one pose costs up to forty.
//!
//! *Named solvers* start at the last answer as well, where that misses the goals, and what they
//! find is slid in the same way. *The proportional solver* shapes the animation in each solve; only
//! where that misses the goals the last answer counts, led back to the shape in place of the
//! animation ([`finish_shape`]), and where that misses them, too, the search is the one without
//! memory.

use super::null_space;
use super::robust::{self, Approach};
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
/// The part of it that is taken before the goals are met again, which turns joints, too.
const SLIDE_RAD: f32 = 0.08;
/// Steps of the slide in one solve.
const SLIDE_STEPS: u32 = 8;
/// Parts of the slide of which the first that helps is taken.
const SLIDE_PARTS: [f32; 2] = [1.0, 0.25];
/// What a slide must take of the sum of squared angles to the animation, as a share of the squared
/// angles that it turns the joints by.
const LEAST_GAIN: f32 = 0.1;
/// Change of a stretch below which two answers have the same lengths.
const SAME_STRETCH: f32 = 1e-3;
/// Turn of a joint below which a slide is none, radians.
const AT_REST_RAD: f32 = 1e-6;
/// Share by which costs differ at least: less is rounding.
const SAME_COST: f32 = 1e-5;
/// Share of the cost that another pose that misses the goals must be below.
const SWITCH: f32 = 0.5;

/// Brings the last answer, if there is one, into the state, which has the animation; returns
/// whether there is. Slot `Home` has the pose that a solve from the animation begins at, then.
pub(in crate::chains) fn begin(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, warm: &WarmStart) -> bool {
    if warm.is_set() {
        start::start_aimed(chain, goals, ws);
        ws.state.update(chain);
        ws.state.hold(None);
    }
    ws.save(Slot::Home);
    warm.bring(ws)
}

/// Solves from the pose in the state; `has_last`: which is the last answer, or what a method has
/// made of it.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &mut WarmStart,
    has_last: bool,
) -> Outcome {
    let (mut best, is_from_last) = descend(chain, goals, settings, ws, warm, has_last);
    if has_last && is_from_last && best.status == Status::Reached {
        best = lead(chain, goals, settings, ws, warm, best);
    }
    robust::outcome(chain, goals, settings, ws, &best)
}

/// The answer in the state, where it meets the goals, with what they leave free led back.
pub(in crate::chains) fn lead_back(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &mut WarmStart,
) -> Option<Outcome> {
    start::clamp_to_limits(chain, ws);
    ws.state.hold(None);
    let met = robust::met(chain, goals, settings, ws)?;
    warm.begin_attempts();
    let led = lead(chain, goals, settings, ws, warm, met);
    Some(robust::outcome(chain, goals, settings, ws, &led))
}

/// Finishes the pose in the state, which a method has shaped from the animation: from the last
/// answer, led back to that pose, and where it misses the goals from that pose as without memory.
pub(in crate::chains) fn finish_shape(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &WarmStart,
) -> Outcome {
    ws.save(Slot::Home);
    if !warm.bring(ws) {
        return robust::solve(chain, goals, settings, ws);
    }
    let (first, _) = robust::descend(Approach::AsItIs, chain, goals, settings, ws);
    ws.state.hold(None);
    let best = if first.status == Status::Reached {
        lead(chain, goals, settings, ws, warm, first)
    } else {
        ws.save(Slot::FromLast);
        ws.restore(Slot::Home);
        let found = robust::find(chain, goals, settings, ws);
        choose(first, found, ws).0
    };
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
    has_last: bool,
) -> (Descent, bool) {
    let approach = if has_last { Approach::AsItIs } else { Approach::Aimed };
    let (first, is_final) = robust::descend(approach, chain, goals, settings, ws);
    let is_over = first.status == Status::Reached || is_final || settings.max_attempts == 0;
    if is_over {
        ws.state.hold(None);
        warm.begin_attempts();
        return (first, true);
    }
    ws.save(Slot::FromLast);
    // The animation is one of the poses to start from.
    let all = attempts::count(chain, goals, settings, ws).saturating_add(1);
    let found = match warm.next_attempt(has_last, all) {
        None => {
            ws.state.hold(None);
            return (first, true);
        }
        Some(0) => {
            ws.restore(Slot::Home);
            robust::descend(Approach::Aimed, chain, goals, settings, ws).0
        }
        Some(number) => {
            ws.save(Slot::Best);
            let found = attempts::try_one(number - 1, chain, goals, settings, ws, first);
            ws.restore(Slot::Best);
            Descent { miss: attempts::measure(chain, goals, ws), ..found }
        }
    };
    ws.state.hold(None);
    choose(first, found, ws)
}

/// Keeps what was found in the state, or brings back what the last answer has led to, in slot
/// `FromLast`; returns whether it has.
fn choose(first: Descent, found: Descent, ws: &mut ChainWorkspace) -> (Descent, bool) {
    let iterations = first.iterations + found.iterations;
    if found.status == Status::Reached || found.miss.cost < SWITCH * first.miss.cost {
        return (Descent { iterations, ..found }, false);
    }
    ws.restore(Slot::FromLast);
    (Descent { iterations, ..first }, true)
}

/// Leads an answer that meets the goals back to the pose in slot `Home`, unless it is at rest
/// there: bones are stretched from their lengths in the animation anew in each solve, and what that
/// moves the joints by differs from what led them back.
fn lead(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &WarmStart,
    found: Descent,
) -> Descent {
    let led = slide(chain, goals, settings, ws, found);
    if ws.state.pose().stretch[..] == *ws.saved_stretch(Slot::Home) {
        return led;
    }
    let after = null_space::distance(Slot::Home, ws);
    ws.save(Slot::Best);
    warm.bring_whole(ws);
    let gain = null_space::distance(Slot::Home, ws) - after;
    let pairs = ws.state.pose().stretch.iter().zip(ws.saved_stretch(Slot::Best));
    let change = pairs.map(|(last, now)| (last - now).abs()).fold(0.0, f32::max);
    if change < SAME_STRETCH
        && gain < LEAST_GAIN * turned(ws).1
        && let Some(last) = robust::met(chain, goals, settings, ws)
    {
        return Descent { iterations: led.iterations, ..last };
    }
    ws.restore(Slot::Best);
    led
}

/// Slides an answer that meets the goals towards the pose in slot `Home`. What is taken leads
/// nearer to it by a share of the way squared, so answers to goals that stand still come to rest.
fn slide(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    found: Descent,
) -> Descent {
    ws.save(Slot::Best);
    let far = null_space::distance(Slot::Home, ws);
    null_space::descend(chain, goals, Slot::Home, SLIDE_STEPS, ws);
    ws.save(Slot::Clamped);
    let (whole, _) = turned(ws);
    let mut iterations = found.iterations;
    if whole < AT_REST_RAD {
        ws.restore(Slot::Best);
        return found;
    }
    for part in SLIDE_PARTS {
        let share = part * (SLIDE_RAD / whole.max(1e-20)).min(1.0);
        for i in 0..chain.joints.len() {
            let (before, slid) = (ws.saved_rotations(Slot::Best)[i], ws.saved_rotations(Slot::Clamped)[i]);
            ws.state.set_rotation(i, slerp_short(before, slid, share));
        }
        start::clamp_to_limits(chain, ws);
        let slid = dls::descend(chain, goals, settings, ws, false);
        iterations += slid.iterations;
        let (largest, squares) = turned(ws);
        let gain = far - null_space::distance(Slot::Home, ws);
        if slid.status == Status::Reached && largest <= MOST_SLIDE_RAD && gain >= LEAST_GAIN * squares {
            return Descent { iterations, ..slid };
        }
    }
    ws.restore(Slot::Best);
    Descent { iterations, ..found }
}

/// Keeps the last answer where the new one, in the state, is no better for these goals: input that
/// stands still comes to rest, whatever a method makes of its own answer.
pub(in crate::chains) fn rest(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    warm: &WarmStart,
    outcome: Outcome,
) -> Outcome {
    if !warm.is_set() {
        return outcome;
    }
    ws.state.hold(None);
    let (now, far) = (attempts::measure(chain, goals, ws), away(ws));
    ws.save(Slot::Best);
    if attempts::is_elastic(chain, settings) {
        warm.bring_whole(ws);
    } else {
        warm.bring(ws);
    }
    start::clamp_to_limits(chain, ws);
    let before = attempts::measure(chain, goals, ws);
    let stays = match [&before, &now].map(|miss| miss.is_reached(chain, settings)) {
        [true, false] => true,
        [false, true] => false,
        [false, false] if now.cost < (1.0 - SAME_COST) * before.cost => false,
        [false, false] if before.cost < (1.0 - SAME_COST) * now.cost => true,
        _ => away(ws) - far < LEAST_GAIN * changed(ws),
    };
    if !stays {
        ws.restore(Slot::Best);
        return outcome;
    }
    let status = if before.is_reached(chain, settings) { Status::Reached } else { outcome.status };
    let last = Descent { miss: before, iterations: outcome.iterations, status };
    robust::outcome(chain, goals, settings, ws, &last)
}

/// How far the pose in the state is from the one in slot `Home`: squared angles and stretches.
fn away(ws: &ChainWorkspace) -> f32 {
    null_space::distance(Slot::Home, ws) + squared_stretch(Slot::Home, ws)
}
/// The same of the pose in slot `Best`.
fn changed(ws: &ChainWorkspace) -> f32 {
    turned(ws).1 + squared_stretch(Slot::Best, ws)
}
fn squared_stretch(from: Slot, ws: &ChainWorkspace) -> f32 {
    let pairs = ws.state.pose().stretch.iter().zip(ws.saved_stretch(from));
    pairs.map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The largest turn of a joint since slot `Best`, and the sum of the squares.
fn turned(ws: &ChainWorkspace) -> (f32, f32) {
    let pairs = ws.state.pose().rotations.iter().zip(ws.saved_rotations(Slot::Best));
    let angles = pairs.map(|(now, before)| rotation_angle((*now * before.conjugate()).normalize()));
    angles.fold((0.0, 0.0), |(most, sum), angle| (angle.max(most), sum + angle * angle))
}
