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
//! `atan2(Σ w a·(r × s), Σ w (r·s − (a·r)(a·s)))`; for other joints the turn is found by the
//! iteration `ω = Σ w (Rr × s) / (|Σ w Rr·s| + ε)`, each step a rotation by `ω`. With one direction
//! the first step is replaced by the shortest turn.
//!
//! Effectors with a rotation goal and a joint of their own take the goal's rotation, as far as the
//! joint allows; the joint is then required where that puts the effector on its target. Axis
//! goals, and rotations that the joint alone cannot take, are left to the default solver.
//!
//! Sources: A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the Inverse Kinematics
//! problem", Graphical Models 73 (2011), §4.4 (multiple end effectors); L. Wang, C. Chen (see
//! `ccd`); G. Wahba, "A least squares estimate of satellite attitude", SIAM Review 7 (1965), for
//! the best turn; M. Müller, J. Bender, N. Chentanez, M. Macklin, "A robust method to extract the
//! rotational part of deformations", MIG 2016, for the iteration.

use super::ccd::at_most;
use super::iterate::iterate;
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::Freedom;
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or};
use crate::outcome::{Outcome, weight01};

/// Steps of the best turn's iteration.
const STEPS: usize = 12;

fn weight(goal: &ChainGoal) -> f32 {
    weight01(goal.position_weight).max(0.01)
}

/// Whether a joint has an effector with a rotation goal; the goal.
fn requested_rotation(chain: &Chain, goals: &[ChainGoal], joint: usize) -> Option<Quat> {
    let mut own = chain.effectors.iter().zip(goals).filter(|(e, _)| e.joint == joint);
    own.find_map(|(_, goal)| goal.rotation).map(|q| q.normalize())
}

/// The turn that brings the directions `now` nearest to `wanted`: pairs with weights, lengths
/// count.
fn best_turn(axis: Option<Vec3>, pairs: impl Iterator<Item = (Vec3, Vec3, f32)> + Clone) -> Quat {
    if let Some(axis) = axis {
        let (mut across, mut along) = (0.0, 0.0);
        for (now, wanted, w) in pairs {
            across += w * axis.dot(now.cross(wanted));
            along += w * (now.dot(wanted) - axis.dot(now) * axis.dot(wanted));
        }
        return axis_angle(axis, float::atan2(across, along));
    }
    let mut single = pairs.clone();
    let (first, second) = (single.next(), single.next());
    let Some((now, wanted, _)) = first else { return Quat::IDENTITY };
    let shortest = arc(normalize_or(now, Vec3::Y), normalize_or(wanted, Vec3::Y));
    if second.is_none() {
        return shortest;
    }
    let mut turn = Quat::IDENTITY;
    for _ in 0..STEPS {
        let (mut across, mut along, mut size) = (Vec3::ZERO, 0.0, 0.0);
        for (now, wanted, w) in pairs.clone() {
            let now = turn * now;
            across += now.cross(wanted) * w;
            along += now.dot(wanted) * w;
            size += now.length() * wanted.length() * w;
        }
        if size <= 0.0 {
            break;
        }
        let by = across * (1.0 / (along.abs() + 1e-6 * size));
        let angle = by.length();
        if angle < 1e-7 {
            break;
        }
        turn = (axis_angle(normalize_or(by, Vec3::Y), angle.min(1.5)) * turn).normalize();
    }
    turn
}

/// The rotation of joint `i` after `turn` (solve space), inside its limits and not more than `most`
/// radians from where it was.
fn limited(chain: &Chain, now: Quat, frame: Quat, i: usize, turn: Quat, most: f32) -> Quat {
    let turn = at_most(turn, most);
    chain.joints[i].model.project((frame.conjugate() * turn * frame * now).normalize())
}

fn hinge(chain: &Chain, frame: Quat, i: usize) -> Option<Vec3> {
    let model = &chain.joints[i].model;
    matches!(model.freedom, Freedom::Hinge { .. }).then(|| frame * model.hinge_axis())
}

/// One sweep of FABRIK. Forward kinematics must be up to date, and are afterwards.
fn reach(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, most: f32) {
    let count = chain.joints.len();
    ws.reach.place.fill(Vec3::ZERO);
    ws.reach.weight.fill(0.0);
    for (e, (effector, goal)) in chain.effectors.iter().zip(goals).enumerate() {
        let Some(target) = goal.position else { continue };
        let j = effector.joint;
        let lever = effector.offset * ws.state.pose().stretch[j];
        let place = match goal.rotation {
            Some(rotation) => target - rotation.normalize() * lever,
            None => target + on_line(ws.state.position[j] - target, ws.state.position[j] - ws.state.tip[e]),
        };
        ws.reach.place[j] += place * weight(goal);
        ws.reach.weight[j] += weight(goal);
    }
    for i in (0..count).rev() {
        if ws.reach.weight[i] <= 0.0 {
            continue;
        }
        ws.reach.place[i] *= 1.0 / ws.reach.weight[i];
        if let Some(p) = chain.joints[i].parent {
            let requested = ws.reach.place[i]
                + on_line(ws.state.position[p] - ws.reach.place[i], ws.state.position[p] - ws.state.position[i]);
            ws.reach.place[p] += requested * ws.reach.weight[i];
            ws.reach.weight[p] += ws.reach.weight[i];
        }
    }
    for i in 0..count {
        let joint = &chain.joints[i];
        let (outer, origin, factor) = match joint.parent {
            Some(p) => (ws.state.rotation[p], ws.state.position[p], ws.state.pose().stretch[p]),
            None => (ws.state.pose().root_rotation, ws.state.pose().root_position, 1.0),
        };
        let frame = (outer * joint.rest).normalize();
        (ws.state.frame[i], ws.state.position[i]) = (frame, origin + outer * (joint.offset * factor));
        let here = ws.state.position[i];
        let rotation = frame * ws.state.pose().rotations[i];
        let bones = chain.children(i).filter(|c| ws.reach.weight[*c] > 0.0).map(|c| {
            (
                rotation * (chain.joints[c].offset * ws.state.pose().stretch[i]),
                ws.reach.place[c] - here,
                ws.reach.weight[c],
            )
        });
        let tips = chain.effectors.iter().zip(goals).filter(|(effector, _)| effector.joint == i).filter_map(
            |(effector, goal)| {
                let target = goal.position?;
                Some((rotation * (effector.offset * ws.state.pose().stretch[i]), target - here, weight(goal)))
            },
        );
        let short = 1e-7 * chain.length;
        let pairs = bones.chain(tips).filter(|(now, wanted, _)| now.length() > short && wanted.length() > short);
        let turned = match requested_rotation(chain, goals, i) {
            Some(rotation) => joint.model.project((frame.conjugate() * rotation).normalize()),
            None if ws.reach.weight[i] > 0.0 => {
                limited(chain, ws.state.pose().rotations[i], frame, i, best_turn(hinge(chain, frame, i), pairs), most)
            }
            None => ws.state.pose().rotations[i],
        };
        ws.state.set_rotation(i, turned);
        ws.state.rotation[i] = (frame * turned).normalize();
    }
}

/// The point in direction `direction`, as far as `bone` is long.
fn on_line(direction: Vec3, bone: Vec3) -> Vec3 {
    normalize_or(direction, normalize_or(bone, Vec3::Y)) * bone.length()
}

/// One sweep of coordinate descent. Forward kinematics must be up to date; they are not,
/// afterwards.
fn descend(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, most: f32) {
    for i in (0..chain.joints.len()).rev().filter(|i| chain.moves[*i] != 0) {
        let (frame, here) = (ws.state.frame[i], ws.state.position[i]);
        let before = ws.state.pose().rotations[i];
        let short = 1e-7 * chain.length;
        let carried = |e: usize| chain.moves[i] & (1 << e) != 0;
        let pairs = goals.iter().enumerate().filter(|(e, _)| carried(*e)).filter_map(|(e, goal)| {
            let (now, wanted) = (ws.state.tip[e] - here, goal.position? - here);
            (now.length() > short && wanted.length() > short).then_some((now, wanted, weight(goal)))
        });
        let off = |turn: Quat| -> f32 {
            let squares = pairs.clone().map(|(now, wanted, w)| (turn * now - wanted).length_squared() * w);
            squares.sum()
        };
        let requested = requested_rotation(chain, goals, i);
        if requested.is_none() && pairs.clone().next().is_none() {
            continue;
        }
        let after = match requested {
            Some(rotation) => chain.joints[i].model.project((frame.conjugate() * rotation).normalize()),
            None => limited(
                chain,
                ws.state.pose().rotations[i],
                frame,
                i,
                best_turn(hinge(chain, frame, i), pairs.clone()),
                most,
            ),
        };
        let turn = (frame * after * before.conjugate() * frame.conjugate()).normalize();
        // Undone where limits turned it into a step away.
        if requested.is_none() && off(turn) > off(Quat::IDENTITY) {
            continue;
        }
        ws.state.set_rotation(i, after);
        for (_, tip) in ws.state.tip.iter_mut().enumerate().filter(|(e, _)| carried(*e)) {
            *tip = here + turn * (*tip - here);
        }
    }
}

fn run(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    sweep: fn(&Chain, &[ChainGoal], &mut ChainWorkspace, f32),
) -> Outcome {
    if goals.iter().all(|g| g.position.is_none()) {
        return Outcome::INACTIVE;
    }
    let most = settings.sweep_step_rad.max(1e-3);
    iterate(chain, goals, settings, ws, |chain, ws, _| sweep(chain, goals, ws, most))
}

pub(in crate::chains) fn fabrik(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    run(chain, goals, settings, ws, reach)
}

pub(in crate::chains) fn ccd(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    run(chain, goals, settings, ws, descend)
}
