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
//!    tried in a fixed order (unaimed, rest, after sweeps of cyclic coordinate descent, then poses
//!    from a fixed random sequence). An answer found so is slid along the poses that meet the goals
//!    to the one nearest the start ([`super::null_space`]), and the nearest of a few such answers
//!    is taken. An attempt ends early where its residual is stationary, or where it falls behind the
//!    best pose. Once the attempts have used their share of work (`SEARCH_PASSES`) or five times the
//!    iterations one may, no other is begun. What they found is then descended from without haste.
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

use super::ccd;
use super::null_space;
use crate::chains::methods::dls::{self, Descent, Patience};
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::start::lengthen;
use crate::chains::state::Miss;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{Vec3, axis_angle, normalize_or};
use crate::optim::Noise;
use crate::outcome::{Outcome, Status};

/// Iterations of all attempts together, in multiples of the most of one: a hopeless goal costs no
/// more.
const WHOLE_COST: u32 = 5;
/// Work of all attempts together while none has met the goals, at the default number of iterations:
/// passes over the chain, and steps besides, since short chains need more attempts. Of goals that a
/// pose within the limits meets, lines of 3 to 20 joints miss 0 to 4 in a thousand so, trees of 22
/// up to 15.
const SEARCH_PASSES: u32 = 120;
const SEARCH_STEPS: u32 = 5000;
/// Answers among which the one nearest to the start is taken, and attempts spent on finding more
/// than one.
const MAX_ANSWERS: u32 = 3;
const MORE_ATTEMPTS: u32 = 6;

/// Everything but what `chains::unlimited::ball_dls` does.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    start::clamp_to_limits(chain, ws);
    start::hold_end_rotation(chain, goals, ws);
    ws.save(Slot::Clamped);

    ws.state.update(chain);
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
    start::prepare(chain, aimed_at, ws);
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
        start::straighten_to_target(chain, reach_bounds, ws);
        best.miss = measure(chain, goals, ws);
        best.status = if best.miss.is_reached(chain, settings) { Status::Reached } else { Status::Unreachable };
    }
    let hopeless = best.status == Status::Unreachable;
    if hopeless && ws.state.held().is_some() {
        // The end rotation is no longer held: position and rotation share the residual by their
        // weights.
        ws.state.hold(None);
        let shared = dls::descend(chain, goals, settings, ws, false);
        best = Descent { iterations: best.iterations + shared.iterations, status: Status::Unreachable, ..shared };
    }
    if beyond_length(chain, goals, ws) && !hopeless {
        best = straighten(chain, goals, settings, ws, best);
    }
    if best.status != Status::Reached && settings.use_stretch && chain.joints.iter().any(can_stretch) {
        let stretched = dls::descend(chain, goals, settings, ws, true);
        best = Descent { iterations: best.iterations + stretched.iterations, ..stretched };
    }
    if best.status != Status::Reached && !hopeless && settings.max_attempts > 0 {
        ws.save(Slot::Best);
        best = other_attempts(chain, goals, settings, ws, best);
        ws.restore(Slot::Best);
        best.miss = measure(chain, goals, ws);
    }
    ws.state.hold(None);
    let is_cut = best.status == Status::Stalled && ws.work.is_out();
    Outcome {
        status: if is_cut { Status::OutOfIterations } else { best.status },
        iterations: best.iterations,
        residual_m: best.miss.metres,
        residual_rad: best.miss.radians,
    }
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

fn can_stretch(joint: &crate::chains::model::ChainJoint) -> bool {
    let stretch = &joint.model.stretch;
    stretch.compliance > 0.0 && stretch.max > stretch.min
}

/// See [`SEARCH_PASSES`].
fn search_steps(settings: &ChainSettings, ws: &ChainWorkspace) -> u32 {
    let usual = u64::from(SEARCH_PASSES) * u64::from(ws.pass_steps) + u64::from(SEARCH_STEPS);
    let share = u64::from(settings.max_iterations);
    u32::try_from(usual * share / u64::from(ChainSettings::default().max_iterations)).unwrap_or(u32::MAX)
}

fn measure(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Miss {
    ws.state.number_rows(goals);
    ws.state.measure(chain, goals)
}

/// Descends from other poses until one reaches the goals; the best ends in slot `BEST`.
fn other_attempts(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    first: Descent,
) -> Descent {
    let mut best = first;
    let elastic = settings.use_stretch && chain.joints.iter().any(can_stretch);
    let hopeless = beyond_length(chain, goals, ws) || (!elastic && too_near(chain, goals, ws));
    let attempts = if hopeless { settings.max_attempts.min(3) } else { settings.max_attempts };
    // A plateau of rounding needs no other pose.
    if best.miss.metres <= 4e-6 * chain.length && best.miss.radians <= 1e-5 {
        return best;
    }
    let slides = ws.state.held().is_none();
    // Far from the goal that is; creeping up to it is not hopeless.
    let whole = WHOLE_COST.saturating_mul(settings.max_iterations);
    let (mut answers, mut nearest, mut last) = (0, f32::INFINITY, attempts);
    // Attempts that found nothing have used this up: another is unlikely to.
    let enough = ws.work.left().saturating_sub(search_steps(settings, ws));
    for attempt in 0..attempts {
        if ws.work.is_out() {
            break;
        }
        match attempt {
            0 => ws.restore(Slot::Clamped),
            1 => {
                ws.restore_at_rest(Slot::Clamped);
                start::clamp_to_limits(chain, ws);
                ws.state.update(chain);
                start::prepare(chain, goals, ws);
            }
            2 => {
                ws.restore(Slot::Best);
                sweep(chain, goals, ws, 20);
            }
            _ => {
                if attempt % 2 == 1 {
                    ws.restore(Slot::Best);
                } else {
                    ws.restore_at_rest(Slot::Clamped);
                }
                scatter(chain, ws, attempt, if attempt % 2 == 1 { 0.7 } else { 2.2 });
                sweep(chain, goals, ws, 3);
            }
        }
        let rival = if answers == 0 { best.miss.cost } else { f32::INFINITY };
        let patience = Patience::of_attempt(4.0 * rival);
        let mut found = dls::descend_with(&patience, chain, goals, settings, ws, elastic);
        best.iterations += found.iterations;
        let reaches = |miss: &Miss| miss.metres <= 4e-6 * chain.length && miss.radians <= 1e-5;
        if found.status == Status::Reached || reaches(&found.miss) {
            answers += 1;
            if slides {
                // The answer nearest to the start, whatever pose it was found from.
                ws.save(Slot::Best);
                null_space::descend(chain, goals, Slot::Clamped, 30, ws);
                let slid = dls::descend(chain, goals, settings, ws, false);
                best.iterations += slid.iterations;
                if slid.status == Status::Reached || (found.status != Status::Reached && reaches(&slid.miss)) {
                    found = slid;
                } else {
                    ws.restore(Slot::Best);
                }
            }
            // One that rounding keeps from the tolerance only where there is no other.
            let late = if found.status == Status::Reached { 0.0 } else { 1e6 };
            let distance = late + null_space::distance(Slot::Clamped, ws);
            if distance < nearest {
                nearest = distance;
                ws.save(Slot::Nearest);
                best = Descent { iterations: best.iterations, ..found };
            }
            last = last.min(attempt + MORE_ATTEMPTS);
            if answers >= MAX_ANSWERS {
                break;
            }
        } else if answers == 0 && found.miss.cost < best.miss.cost {
            ws.save(Slot::Best);
            best = Descent { iterations: best.iterations, ..found };
        }
        let is_hopeless = best.iterations > whole && best.miss.metres > 1e-4 * chain.length;
        let is_long = answers == 0 && ws.work.left() < enough;
        if attempt >= last || is_hopeless || is_long || ws.work.is_out() {
            break;
        }
    }
    if answers > 0 {
        ws.restore(Slot::Nearest);
        ws.save(Slot::Best);
    } else if best.miss.cost < first.miss.cost {
        // Attempts end early where they are stationary.
        ws.restore(Slot::Best);
        let settled = dls::descend(chain, goals, settings, ws, elastic);
        best = Descent { iterations: best.iterations + settled.iterations, ..settled };
        ws.save(Slot::Best);
    }
    best
}

/// Distance of a position goal from the root of an unbranched chain.
fn goal_distance(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> Option<f32> {
    let root = ws.state.pose().root_position + ws.state.pose().root_rotation * chain.joints[0].offset;
    goals[0].position.filter(|_| chain.serial && goals[0].distance.is_none()).map(|target| (target - root).length())
}

/// Whether a position goal is beyond the chain's length, so that no other pose can reach it.
fn beyond_length(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> bool {
    goal_distance(chain, goals, ws).is_some_and(|distance| distance > chain.length * 1.000_01)
}

/// Whether a position goal is nearer to the root than the longest bone lets the others come.
fn too_near(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> bool {
    let bones = chain.joints[1..].iter().map(|j| j.offset).chain([chain.effectors[0].offset]);
    let longest = bones.zip(&ws.state.pose().stretch).map(|(bone, s)| bone.length() * s.abs()).fold(0.0, f32::max);
    let rigid = ws.state.pose().stretch.iter().all(|s| *s == 1.0);
    let hole = 2.0 * longest - chain.length * 1.000_01;
    rigid && goal_distance(chain, goals, ws).is_some_and(|distance| distance < hole)
}

fn sweep(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, count: u32) {
    if chain.is_serial()
        && let Some(target) = goals[0].position
    {
        for _ in 0..count {
            if !ws.work.spend(3 * chain.joints.len() as u32) {
                break;
            }
            ws.state.update(chain);
            ccd::sweep(chain, ws, start::carried_target(chain, target, ws));
        }
    }
}

/// Turns every joint at random, the same way every time; limits hold.
fn scatter(chain: &Chain, ws: &mut ChainWorkspace, attempt: u32, spread_rad: f32) {
    let mut noise = Noise::new(u64::from(attempt));
    for (q, joint) in ws.state.rotations_mut().iter_mut().zip(&chain.joints) {
        let axis = normalize_or(Vec3::new(noise.signed(), noise.signed(), noise.signed()), Vec3::X);
        let turned = axis_angle(axis, noise.signed() * spread_rad) * *q;
        *q = joint.model.project(turned.normalize());
    }
}
