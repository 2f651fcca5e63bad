//! FABRIK and cyclic coordinate descent on trees: several effectors, joints that carry more than
//! one of them, the joint model inside the sweep.
//!
//! # Derivation
//!
//! *FABRIK.* Backward, from the leaves: an effector requires its joint where the target is in
//! reach; a joint requires its parent on the line to where it was, one bone length away. A joint
//! that several require (a *sub-base*) goes to the centroid of these places, each weighted as its
//! goal is. Forward, from the root: every joint turns so that what is below it points to the
//! places found, and its rotation passes through the joint model; so after every sweep the pose is
//! one the joints allow. Bones of one joint turn together, unlike the free bars of the
//! paper: the turn is the one that fits all their directions best.
//!
//! *Coordinate descent.* From the last joint to the first, a joint sees every effector it carries,
//! `e` at lever `r`, and its target at `s`: the turn `R` that makes `Σ w |R r − s|²` least is
//! taken. With one effector this is the shortest turn from `r` to `s`, the usual sweep.
//!
//! *The best turn* of several directions maximises `Σ w s·R r`. For a hinge about `a` the angle is
//! `atan2(Σ w a·(r × s), Σ w (r·s − (a·r)(a·s)))`; for other joints it is found by
//! [`crate::optim::best_turn`]; with one direction it is the shortest turn.
//!
//! Where every joint may take any rotation and no goal has one, FABRIK's sweeps need points only:
//! [`crate::chains::unlimited::tree_points`].
//!
//! Effectors with a rotation goal and a joint of their own take the goal's rotation, as far as the
//! joint allows; the joint is then required where that puts the effector on its target. Axis
//! goals, and rotations that the joint alone cannot take, are left to the default solver.
//!
//! Sources: A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the Inverse Kinematics
//! problem", Graphical Models 73 (2011), §4.4 (multiple end effectors); L. Wang, C. Chen (see
//! `ccd`).

use super::ccd::at_most;
use super::iterate::iterate;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::unlimited::tree_points::{self, require_places, weight};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::Freedom;
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or};
use crate::optim::best_turn;
use crate::outcome::Outcome;

/// Steps of the best turn.
const STEPS: usize = 12;

/// A direction as it is, one that is requested, and its weight.
type Pair = (Vec3, Vec3, f32);

/// The rotation goal of an effector that is attached to a joint.
fn requested_rotation(chain: &Chain, goals: &[ChainGoal], joint: usize) -> Option<Quat> {
    let effectors = chain.attached.to(joint).iter().filter_map(|node| node.checked_sub(chain.joints.len()));
    effectors.filter_map(|e| goals[e].rotation).map(Quat::normalize).next()
}

/// The turn that brings the directions of the pairs nearest to those requested; lengths count.
fn turn_to(axis: Option<Vec3>, pairs: &[Pair]) -> Quat {
    match (axis, pairs) {
        (Some(axis), _) => {
            let (mut across, mut along) = (0.0, 0.0);
            for (now, wanted, w) in pairs {
                across += w * axis.dot(now.cross(*wanted));
                along += w * (now.dot(*wanted) - axis.dot(*now) * axis.dot(*wanted));
            }
            axis_angle(axis, float::atan2(across, along))
        }
        (None, []) => Quat::IDENTITY,
        (None, [(now, wanted, _)]) => arc(normalize_or(*now, Vec3::Y), normalize_or(*wanted, Vec3::Y)),
        _ => best_turn(Quat::IDENTITY, pairs.iter().copied(), STEPS),
    }
}

/// The rotation of joint `i`, which is at `now`, nearest to what it is to do, inside its limits: a
/// rotation goal that is `requested` of it, or what the pairs request, by at most `most` radians.
fn turned(chain: &Chain, now: Quat, frame: Quat, i: usize, requested: Option<Quat>, pairs: &[Pair], most: f32) -> Quat {
    let model = &chain.joints[i].model;
    let after = match requested {
        Some(rotation) => frame.conjugate() * rotation,
        None => {
            let is_hinge = matches!(model.freedom, Freedom::Hinge { .. });
            let turn = turn_to(is_hinge.then(|| frame * model.hinge_axis()), pairs);
            frame.conjugate() * at_most(turn, most) * frame * now
        }
    };
    chain.prepared[i].project_in_joint(after.normalize())
}

/// One sweep of FABRIK, after [`tree_points::load`]. Forward kinematics must be up to date, and are
/// afterwards.
fn reach(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, most: f32) {
    let ChainWorkspace { state, reach, .. } = ws;
    let short = 1e-7 * chain.length;
    let pose = state.pose();
    require_places(goals, &reach.links, &state.position, &mut reach.place, |link| {
        let effector = link.node.checked_sub(chain.joints.len())?;
        let rotation = goals[effector].rotation?.normalize();
        Some(rotation * (chain.effectors[effector].offset * pose.stretch[link.joint]))
    });
    for (i, joint) in chain.joints.iter().enumerate() {
        let (outer, origin, factor) = match joint.parent {
            Some(p) => (state.rotation[p], state.position[p], state.pose().stretch[p]),
            None => (state.pose().root_rotation, state.pose().root_position, 1.0),
        };
        let (frame, here) = ((outer * joint.rest).normalize(), origin + outer * (joint.offset * factor));
        (state.frame[i], state.position[i]) = (frame, here);
        let (now, stretch) = (state.pose().rotations[i], state.pose().stretch[i]);
        let requested = requested_rotation(chain, goals, i);
        if requested.is_some() || reach.weight[i] > 0.0 {
            let rotation = frame * now;
            reach.pairs.clear();
            for node in chain.attached.to(i).iter().filter(|node| reach.weight[**node] > 0.0) {
                let (arm, wanted) = (rotation * (chain.offset(*node) * stretch), reach.place[*node] - here);
                if arm.length() > short && wanted.length() > short {
                    reach.pairs.push((arm, wanted, reach.weight[*node]));
                }
            }
            state.set_rotation(i, turned(chain, now, frame, i, requested, &reach.pairs, most));
        }
        state.rotation[i] = (frame * state.pose().rotations[i]).normalize();
    }
    state.set_current(chain);
}

/// One sweep of coordinate descent. Forward kinematics must be up to date; they are not,
/// afterwards.
fn descend(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, most: f32) {
    let ChainWorkspace { state, reach, .. } = ws;
    let short = 1e-7 * chain.length;
    for i in (0..chain.joints.len()).rev().filter(|i| chain.moves[*i] != 0) {
        let (frame, here, before) = (state.frame[i], state.position[i], state.pose().rotations[i]);
        let carried = |e: usize| chain.moves[i] & (1 << e) != 0;
        reach.pairs.clear();
        for (e, goal) in goals.iter().enumerate().filter(|(e, _)| carried(*e)) {
            let Some(target) = goal.position else { continue };
            let (now, wanted) = (state.tip[e] - here, target - here);
            if now.length() > short && wanted.length() > short {
                reach.pairs.push((now, wanted, weight(goal)));
            }
        }
        let requested = requested_rotation(chain, goals, i);
        if requested.is_none() && reach.pairs.is_empty() {
            continue;
        }
        let after = turned(chain, before, frame, i, requested, &reach.pairs, most);
        let turn = (frame * after * before.conjugate() * frame.conjugate()).normalize();
        let off = |turn: Quat| -> f32 {
            reach.pairs.iter().map(|(now, wanted, w)| (turn * *now - *wanted).length_squared() * w).sum()
        };
        // Undone where limits turned it into a step away.
        if requested.is_none() && off(turn) > off(Quat::IDENTITY) {
            continue;
        }
        state.set_rotation(i, after);
        for (_, tip) in state.tip.iter_mut().enumerate().filter(|(e, _)| carried(*e)) {
            *tip = here + turn * (*tip - here);
        }
    }
}

fn has_position(goals: &[ChainGoal]) -> bool {
    goals.iter().any(|goal| goal.position.is_some())
}

fn most_turn(settings: &ChainSettings) -> f32 {
    settings.sweep_step_rad.max(1e-3)
}

pub(in crate::chains) fn fabrik(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if !has_position(goals) {
        return Outcome::INACTIVE;
    }
    let most = most_turn(settings);
    if !chain.is_rigid() {
        start::clamp_to_limits(chain, ws);
    }
    tree_points::load(chain, goals, ws);
    let Some(progress) = tree_points::sweep(chain, goals, settings, ws) else {
        return iterate(chain, goals, settings, ws, |chain, ws, _| reach(chain, goals, ws, most));
    };
    ws.state.number_rows(goals);
    let miss = ws.state.measure(chain, goals);
    let status = progress.status_as_measured(miss.is_reached(chain, settings));
    Outcome { status, iterations: progress.iterations, residual_m: miss.metres, residual_rad: miss.radians }
}

pub(in crate::chains) fn ccd(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if !has_position(goals) {
        return Outcome::INACTIVE;
    }
    let most = most_turn(settings);
    iterate(chain, goals, settings, ws, |chain, ws, _| descend(chain, goals, ws, most))
}
