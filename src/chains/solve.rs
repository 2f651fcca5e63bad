//! The default chain solver: aims, descends, and does not give up where a fold, a limit or a straight pose stops a plain method.
//!
//! # What it does
//!
//! 1. Locked axes and limits are taken into the start pose.
//! 2. A rotation goal on an unlimited last joint is met exactly by that joint (it is *held*), and the rest of the chain carries it: two
//!    small problems in place of one stiff one.
//! 3. A straight chain that has to fold is bent first, towards the preferred bends of its joints: along its own axis its Jacobian is zero.
//! 4. The first joint *aims*: it turns the chain as one piece, so that the effector lies in the direction of the target, and
//!    round that direction to the pole. What is left for the others is to lengthen or shorten, which depends on the distance alone; so a target
//!    that goes round the root turns the pose with it and never flips it. (The aim is the shortest turn from the start pose: right
//!    opposite to that there is a singular direction, as on every sphere. With a pole it lies along the pole instead.)
//! 5. Damped least squares ([`super::chain::ChainSolver::DampedLeastSquares`], with adapted damping) does the rest.
//! 6. When that stalls short of the target: bones that may stretch do, then other start poses are tried in a fixed order (unaimed, rest, after
//!    sweeps of cyclic coordinate descent, then poses from a fixed random sequence). The best is kept.
//!
//! Chains of free ball joints with one position goal are done eight joints at a time in `super::ball`, by the same rules; what stands here runs for all others, and
//! where that stops short.
//!
//! Out of reach, an unlimited chain ends exactly straight (or folded, for targets nearer than it can come); a limited one where
//! no step helps any more.

use super::ball;
use super::ccd;
use super::chain::{Chain, ChainGoal, ChainPose, ChainSettings};
use super::dls::{self, Descent};
use super::extend;
use super::prepare;
use super::workspace::{ADMITTED, BEST, ChainWorkspace};
use crate::goal::{Outcome, Status};
use crate::math::{Quat, Vec3, axis_angle, normalize_or};

pub(super) fn solve(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if let Some(outcome) = ball::solve(chain, pose, goals, settings, ws) {
        return outcome;
    }
    prepare::admit(chain, pose);
    prepare::pin(chain, goals, ws);
    ws.save(ADMITTED, pose);

    ws.forward(chain, pose);
    let shell = prepare::shell(chain, pose, goals, ws);
    let mut near = [goals[0]];
    let aimed_at: &[ChainGoal] = match &shell {
        // The descent goes to the nearest point of the shell, a little inside, where its Jacobian still has full rank.
        Some(shell) if shell.side != 0 => {
            near[0].position = Some(shell.inside);
            &near
        }
        _ => goals,
    };
    prepare::prepare(chain, pose, aimed_at, ws);
    if let Some(target) = aimed_at[0].position
        && shell.is_some()
    {
        let target = prepare::carried_target(chain, pose, target, ws);
        extend::extend(chain, pose, target, ws);
    }
    let mut best = dls::descend(chain, pose, aimed_at, settings, ws, false);
    if let Some(shell) = &shell
        && shell.side != 0
    {
        prepare::line_up(chain, pose, shell, ws);
        best.miss = measure(chain, pose, goals, ws);
        best.status = if dls::is_reached(chain, settings, &best.miss) { Status::Reached } else { Status::Unreachable };
    }
    let hopeless = best.status == Status::Unreachable;
    if hopeless && ws.pinned.is_some() {
        // Nothing is held any more: position and rotation share what is left by their weights.
        ws.pinned = None;
        let shared = dls::descend(chain, pose, goals, settings, ws, false);
        best = Descent { iterations: best.iterations + shared.iterations, status: Status::Unreachable, ..shared };
    }
    if beyond_length(chain, pose, goals) && !hopeless {
        best = straighten(chain, pose, goals, settings, ws, best);
    }
    if best.status != Status::Reached && settings.use_stretch && chain.joints.iter().any(can_stretch) {
        let stretched = dls::descend(chain, pose, goals, settings, ws, true);
        best = Descent { iterations: best.iterations + stretched.iterations, ..stretched };
    }
    if best.status != Status::Reached && !hopeless && settings.max_attempts > 0 {
        ws.save(BEST, pose);
        best = other_attempts(chain, pose, goals, settings, ws, best);
        ws.restore(BEST, pose);
        best.miss = measure(chain, pose, goals, ws);
    }
    ws.pinned = None;
    Outcome {
        status: best.status,
        iterations: best.iterations,
        residual_m: best.miss.metres,
        residual_rad: best.miss.radians,
    }
}

/// Out of reach a descent creeps: the last bends hardly matter. Points all bones at the target, and keeps that if it is better.
fn straighten(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    before: Descent,
) -> Descent {
    let Some(target) = goals[0].position else { return before };
    ws.save(BEST, pose);
    ws.forward(chain, pose);
    ccd::point(chain, pose, ws, prepare::carried_target(chain, pose, target, ws));
    let pointed = measure(chain, pose, goals, ws);
    if pointed.cost >= before.miss.cost {
        ws.restore(BEST, pose);
        return before;
    }
    let after = dls::descend(chain, pose, goals, settings, ws, false);
    Descent { iterations: before.iterations + after.iterations, ..after }
}

fn can_stretch(joint: &super::chain::ChainJoint) -> bool {
    let stretch = &joint.model.stretch;
    stretch.readiness > 0.0 && stretch.max > stretch.min
}

fn measure(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    ws: &mut ChainWorkspace,
) -> super::workspace::Miss {
    ws.number_rows(goals);
    ws.forward(chain, pose);
    ws.measure(chain, goals)
}

/// Descends from other poses until one reaches the goals; the best ends in slot `BEST`.
fn other_attempts(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    first: Descent,
) -> Descent {
    let mut best = first;
    let attempts = if beyond_length(chain, pose, goals) { settings.max_attempts.min(3) } else { settings.max_attempts };
    // A plateau of rounding needs no other pose.
    if best.miss.metres <= 4e-6 * chain.length && best.miss.radians <= 1e-5 {
        return best;
    }
    let with_stretch = settings.use_stretch && chain.joints.iter().any(can_stretch);
    for attempt in 0..attempts {
        match attempt {
            0 => ws.restore(ADMITTED, pose),
            1 => {
                pose.rotations.fill(Quat::IDENTITY);
                pose.stretch.copy_from_slice(&ws.saved[ADMITTED].1);
                prepare::admit(chain, pose);
                ws.forward(chain, pose);
                prepare::prepare(chain, pose, goals, ws);
            }
            2 => {
                ws.restore(BEST, pose);
                sweep(chain, pose, goals, ws, 20);
            }
            _ => {
                if attempt % 2 == 1 {
                    ws.restore(BEST, pose);
                } else {
                    pose.rotations.fill(Quat::IDENTITY);
                    pose.stretch.copy_from_slice(&ws.saved[ADMITTED].1);
                }
                scatter(chain, pose, attempt, if attempt % 2 == 1 { 0.7 } else { 2.2 });
                sweep(chain, pose, goals, ws, 3);
            }
        }
        let found = dls::descend(chain, pose, goals, settings, ws, with_stretch);
        best.iterations += found.iterations;
        if found.miss.cost < best.miss.cost {
            ws.save(BEST, pose);
            best = Descent { iterations: best.iterations, ..found };
        }
        if best.status == Status::Reached || (best.miss.metres <= 4e-6 * chain.length && best.miss.radians <= 1e-5) {
            break;
        }
    }
    best
}

/// Whether a position goal lies beyond the chain's length, so that no other pose can reach it.
fn beyond_length(chain: &Chain, pose: &ChainPose, goals: &[ChainGoal]) -> bool {
    chain.serial
        && goals[0].position.is_some_and(|target| {
            let root = pose.root_position + pose.root_rotation * chain.joints[0].offset;
            (target - root).length() > chain.length * 1.000_01
        })
}

fn sweep(chain: &Chain, pose: &mut ChainPose, goals: &[ChainGoal], ws: &mut ChainWorkspace, count: u32) {
    if chain.is_serial()
        && let Some(target) = goals[0].position
    {
        for _ in 0..count {
            ws.forward(chain, pose);
            ccd::sweep(chain, pose, ws, prepare::carried_target(chain, pose, target, ws));
        }
    }
}

/// Turns every joint at random, the same way every time; limits hold.
fn scatter(chain: &Chain, pose: &mut ChainPose, attempt: u32, spread_rad: f32) {
    let mut state = u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), the top 24 bits as −1 … 1.
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 * (1.0 / 8_388_608.0) - 1.0
    };
    for (q, joint) in pose.rotations.iter_mut().zip(&chain.joints) {
        let axis = normalize_or(Vec3::new(next(), next(), next()), Vec3::X);
        let turned = axis_angle(axis, next() * spread_rad) * *q;
        *q = joint.model.project(turned.normalize());
    }
}
