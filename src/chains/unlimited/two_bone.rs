//! Free chains of two bones with one position goal: by the closed form, under the rules of the
//! default chain solver.
//!
//! # Derivation
//!
//! Aimed at the target, such a chain is in a plane with it, and neither lengthening nor
//! shortening (`chains::unlimited::ball_dls`) leaves that plane: the first joint and the second
//! turn about its normal. So their answer is the triangle of the two bones and the distance, on the
//! side the chain bends to, which is what `closed_form::two_bone` makes, with the chain's own
//! normal for a hinge. Which side a straight chain bends to, and the swivel to a pole, are the
//! default solver's (`chains::start`). Joints behind the second bone, whose bones have no length,
//! are carried along, or held at a rotation goal.
//!
//! Folded onto the root, or with the target there, neither chain nor target has a direction: that
//! is left to the descent.

use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::closed_form::two_bone::{self as closed, TwoBone};
use crate::math::{LaneVec3, Quat, Vec3, arc};
use crate::outcome::{Outcome, Status};

/// Solves the chain, or leaves the pose as it was and returns `None`. `ws.state` knows whether
/// the last joint is held.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goal: &ChainGoal,
    position: Vec3,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let root = ws.state.pose().root_position + ws.state.pose().root_rotation * chain.joints[0].offset;
    let target = start::carried_target(chain, position, ws) - root;
    // Rotations of the joints in the solve space, and their bones there.
    let outer = ws.state.pose().root_rotation * chain.joints[0].rest;
    let upper_now = outer * ws.state.pose().rotations[0];
    let lower_now = upper_now * (chain.joints[1].rest * ws.state.pose().rotations[1]);
    let upper_bone = start::bone(chain, 0) * ws.state.pose().stretch[0];
    let lower_bone = start::bone(chain, 1) * ws.state.pose().stretch[1];
    let (upper, lower) = (upper_now * upper_bone, lower_now * lower_bone);
    let tip = upper + lower;

    let (a, b) = (upper_bone.length(), lower_bone.length());
    let (length, line, distance) = (a + b, tip.length(), target.length());
    let (small, edge) = (1e-4 * chain.length, 1e-7 * length);
    let hole = (a - b).abs();
    if !(line > small && distance > small) || distance <= hole + edge && hole > 0.0 {
        return None;
    }
    let beyond = distance >= length - edge;
    let straight = line >= length * (1.0 - 1e-5) && distance <= line - 1e-6 * length;
    let (along, towards) = (tip * (1.0 / line), target * (1.0 / distance));
    let (mut hinge, mut swivel) = (upper.cross(lower), Quat::IDENTITY);
    if straight || goal.pole.is_some() {
        ws.save(Slot::Clamped);
        ws.state.update(chain);
        ws.restore(Slot::Clamped);
        if straight {
            hinge = start::bend_axis(chain, ws, along, goal.pole.as_ref(), line);
        }
        if let Some(pole) = &goal.pole {
            swivel = start::swivel(chain, pole, towards, arc(along, towards), ws);
        }
    }

    let solved = closed::solve_inlined(&TwoBone::<f32> {
        root_mid: LaneVec3::from_vec3(upper),
        mid_end: LaneVec3::from_vec3(lower),
        hinge: LaneVec3::from_vec3(hinge),
        centre: LaneVec3::zero(),
        target: LaneVec3::from_vec3(target),
        weight: 1.0,
        pole: LaneVec3::zero(),
        pole_weight: 0.0,
        softness: 0.0,
        stretch: 0.0,
    });
    let turn = swivel * solved.root.to_quat();
    let first = (outer.conjugate() * (turn * upper_now)).normalize();
    let upper_new = outer * first;
    let middle = upper_new * chain.joints[1].rest;
    let second = (middle.conjugate() * (swivel * solved.mid.to_quat() * solved.root.to_quat() * lower_now)).normalize();
    let lower_new = middle * second;
    let miss = (target - (upper_new * upper_bone + lower_new * lower_bone)).length();
    let reached = miss <= settings.tolerance.max(0.0) * chain.length;
    // As in `ball`: out of reach bones may stretch, or position and rotation have to share what is
    // left.
    let final_word = ws.state.held().is_none() && (chain.is_rigid() || !settings.use_stretch) && miss.is_finite();
    if !(reached || beyond && final_word) {
        return None;
    }
    ws.state.set_rotation(0, first);
    ws.state.set_rotation(1, second);
    if let Some(held) = ws.state.held() {
        let last = chain.joints.len() - 1;
        let before =
            (2..last).fold(lower_new, |outer, i| outer * (chain.joints[i].rest * ws.state.pose().rotations[i]));
        ws.state.set_rotation(last, ((before * chain.joints[last].rest).conjugate() * held).normalize());
    }
    let status = if reached { Status::Reached } else { Status::Unreachable };
    Some(Outcome { status, iterations: 0, residual_m: miss, residual_rad: 0.0 })
}
