//! The default chain solver: aims, descends, and tries other start poses where a fold, a limit or a
//! straight pose stops a plain method.
//!
//! # What it does
//!
//! 1. The start pose is clamped to locked axes and limits.
//! 2. A rotation goal on an unlimited last joint is met exactly by that joint (it is *held*), and
//!    the rest of the chain carries it: two small problems in place of one stiff one.
//! 3. The first joint *aims*: it turns the chain as one piece, so that the effector is in the
//!    direction of the target, and round that direction to the pole. What is left for the others is
//!    to lengthen or shorten, which depends on the distance alone; so a target that goes round the
//!    root turns the pose with it and never flips it. (Free chains of three bones or more are aimed
//!    only in part at near targets behind; see below.)
//! 4. A straight chain that has to fold is bent, towards the preferred bends of its joints, else to
//!    the side that faces the pole: along its own axis its Jacobian is zero.
//! 5. Damped least squares ([`crate::chains::ChainSolver::DampedLeastSquares`], with adapted
//!    damping) does the rest.
//! 6. When that stalls short of the target: bones that may stretch do, then other start poses are
//!    tried ([`super::attempts`]).
//!
//! # Where it cannot be smooth
//!
//! Every solve begins at the pose it is given. Given the animation of the frame, the answer is a
//! function of the goal, and such a function cannot be smooth everywhere:
//!
//! - *Straight behind*, without a pole. A frame cannot be carried over a sphere of directions
//!   without winding twice round some direction: the one opposite to the effector at the start. At
//!   an angle `β` from it the shortest turn swings `cot(β/2)` times as fast as the target, 10 times
//!   at 12°. Free chains of three bones or more have another way and are slower there, more so for
//!   near targets. A pole moves the singular direction to the line of the pole.
//! - *The pole's line.* Within 3° of the line root → target a pole fades out; across it the chain
//!   turns by up to 180°, at a bounded rate.
//! - *At the root* the direction of the target means nothing; a chain of two bones turns by what
//!   the target turns.
//! - *Limits* may allow two separate families of poses, each for a part of a path. Then the answer
//!   changes over where the one it is in ends.
//!
//! Given its own last answer instead, the solver moves on from there and has none of the first
//! three.
//!
//! Chains of free ball joints with one position goal are done by the same rules in closed form
//! (`chains::unlimited::two_bone`, two bones) or several joints at a time
//! (`chains::unlimited::ball_dls`); this file handles all other cases, and those where the fast
//! methods stop short.
//!
//! Out of reach, an unlimited chain ends exactly straight (or folded, for targets nearer than it
//! can come); a limited one where no step helps any more.

use super::attempts::{self, is_elastic, measure};
use super::ccd;
use crate::chains::methods::descent::Descent;
use crate::chains::methods::dls;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::start::lengthen;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::outcome::{Outcome, Status};

/// Everything but what `chains::unlimited::ball_dls` does.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    let best = find(chain, goals, settings, ws);
    outcome(chain, goals, settings, ws, &best)
}

/// The answer of [`solve`], in the state.
pub(super) fn find(chain: &Chain, goals: &[ChainGoal], settings: &ChainSettings, ws: &mut ChainWorkspace) -> Descent {
    let (mut best, is_final) = descend(Approach::Aimed, chain, goals, settings, ws);
    if best.status != Status::Reached && !is_final && settings.max_attempts > 0 {
        ws.save(Slot::Best);
        best = attempts::search(chain, goals, settings, ws, best);
        ws.restore(Slot::Best);
        best.miss = measure(chain, goals, ws);
    }
    ws.state.hold(None);
    best
}

/// How a descent begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Approach {
    /// Steps 3 and 4: aimed at the target, turned to the pole, bent.
    Aimed,
    /// At the pose as it is, which meets the goals or nearly does. Nothing is done where it meets
    /// them; else a straight chain is bent.
    AsItIs,
}

/// Steps 1 to 5, and stretch: the answer that the pose in the state leads to, and whether it is the
/// nearest of all that there are. Slot `Clamped` has the pose within its limits afterwards.
pub(super) fn descend(
    approach: Approach,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> (Descent, bool) {
    start::clamp_to_limits(chain, ws);
    start::hold_end_rotation(chain, goals, ws);
    ws.save(Slot::Clamped);

    ws.state.update(chain);
    start::hold_end_axis(chain, goals, ws);
    if approach == Approach::AsItIs
        && let Some(met) = met(chain, goals, settings, ws)
    {
        return (met, false);
    }
    let reach_bounds = start::reach_bounds(chain, goals, ws);
    let mut near = [goals[0]];
    let aimed_at: &[ChainGoal] = match &reach_bounds {
        // The descent goes to the nearest point of the reach_bounds, a little inside, where its
        // Jacobian still has full rank.
        Some(reach_bounds) if reach_bounds.side != 0 => {
            near[0].position = Some(reach_bounds.inside);
            &near
        }
        _ => goals,
    };
    match approach {
        Approach::Aimed => start::prepare(chain, aimed_at, ws),
        Approach::AsItIs => start::prepare_as_it_is(chain, aimed_at, ws),
    }
    if let Some(target) = aimed_at[0].position
        && reach_bounds.is_some()
    {
        let target = start::carried_target(chain, target, ws);
        lengthen::extend(chain, target, ws);
    }
    let mut best = dls::descend(chain, aimed_at, settings, ws, false);
    if let Some(reach_bounds) = &reach_bounds
        && reach_bounds.side != 0
    {
        // Position and rotation share what is left by their weights.
        let shared = start::share_with_end(chain, &goals[0], reach_bounds, ws);
        start::straighten_to_target(chain, &shared, ws);
        ws.state.hold(None);
        best.miss = measure(chain, goals, ws);
        best.status = if best.miss.is_reached(chain, settings) { Status::Reached } else { Status::Unreachable };
    }
    let is_final = best.status == Status::Unreachable;
    if attempts::beyond_length(chain, goals, ws) && !is_final {
        best = straighten(chain, goals, settings, ws, best);
    }
    if best.status != Status::Reached && is_elastic(chain, settings) {
        let stretched = dls::descend(chain, goals, settings, ws, true);
        best = Descent { iterations: best.iterations + stretched.iterations, ..stretched };
    }
    (best, is_final)
}

/// The pose in the state, if it meets the goals.
pub(super) fn met(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Descent> {
    let miss = measure(chain, goals, ws);
    miss.is_reached(chain, settings).then_some(Descent { miss, iterations: 0, status: Status::Reached })
}

/// Outcome of the pose in the state.
pub(super) fn outcome(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &ChainWorkspace,
    best: &Descent,
) -> Outcome {
    let status = match best.status {
        Status::Stalled if ws.work.is_out() => Status::OutOfIterations,
        Status::Stalled if attempts::beyond_bones(chain, goals, settings, ws) => Status::Unreachable,
        status => status,
    };
    Outcome { status, iterations: best.iterations, residual_m: best.miss.metres, residual_rad: best.miss.radians }
}

/// Out of reach a descent creeps: the last bends hardly matter. Points all bones at the target, and
/// keeps that if it is better.
fn straighten(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    before: Descent,
) -> Descent {
    let Some(target) = goals[0].position else { return before };
    ws.save(Slot::Best);
    ws.state.update(chain);
    ccd::point(chain, ws, start::carried_target(chain, target, ws));
    let pointed = measure(chain, goals, ws);
    if pointed.cost >= before.miss.cost {
        ws.restore(Slot::Best);
        return before;
    }
    let after = dls::descend(chain, goals, settings, ws, false);
    Descent { iterations: before.iterations + after.iterations, ..after }
}
