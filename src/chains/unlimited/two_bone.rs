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

use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::closed_form::two_bone::{self as closed, TwoBone};
use crate::closed_form::two_bone_chain::{self, ChainReach, ChainSource};
use crate::math::{LaneVec3, Quat, Vec3, arc};
use crate::outcome::Outcome;

/// The chain in the state of its solve. Rotations of the joints, bones and target in the solve
/// space, from the root.
struct StateChain<'a> {
    chain: &'a Chain,
    goal: &'a ChainGoal,
    ws: &'a mut ChainWorkspace,
    is_final: bool,
    reach: ChainReach,
    /// Rotation of the first joint's rest.
    outer: Quat,
    now: [Quat; 2],
    /// In the joints' own spaces.
    bones: [Vec3; 2],
    target: Vec3,
}

impl StateChain<'_> {
    /// The hinge that the chain bends about, and the swivel to the pole.
    #[inline(always)]
    fn hinge_and_swivel(&mut self, upper: Vec3, lower: Vec3) -> (Vec3, Quat) {
        let ChainReach { size, extent, distance, .. } = self.reach;
        let straight = extent >= size * (1.0 - 1e-5) && distance <= extent - 1e-6 * size;
        let (mut hinge, mut swivel) = (upper.cross(lower), Quat::IDENTITY);
        if straight || self.goal.pole.is_some() {
            let (chain, ws) = (self.chain, &mut *self.ws);
            let (along, towards) = ((upper + lower) * (1.0 / extent), self.target * (1.0 / distance));
            ws.save(Slot::Clamped);
            ws.state.update(chain);
            ws.restore(Slot::Clamped);
            if straight {
                hinge = start::bend_axis(chain, ws, along, self.goal.pole.as_ref(), extent);
            }
            if let Some(pole) = &self.goal.pole {
                swivel = start::swivel(chain, pole, towards, arc(along, towards), ws);
            }
        }
        (hinge, swivel)
    }
}

impl ChainSource for StateChain<'_> {
    /// The new rotations of both joints, and that of the second in the solve space.
    type Turned = [Quat; 3];
    #[inline(always)]
    fn reach(&self) -> &ChainReach {
        &self.reach
    }
    #[inline(always)]
    fn is_final(&self) -> bool {
        self.is_final
    }
    #[inline(always)]
    fn turn(&mut self) -> ([Quat; 3], f32) {
        let ([upper_now, lower_now], [upper_bone, lower_bone]) = (self.now, self.bones);
        let (upper, lower) = (upper_now * upper_bone, lower_now * lower_bone);
        let (hinge, swivel) = self.hinge_and_swivel(upper, lower);
        let solved = closed::solve_inlined(&TwoBone::<f32> {
            root_mid: LaneVec3::from_vec3(upper),
            mid_end: LaneVec3::from_vec3(lower),
            hinge: LaneVec3::from_vec3(hinge),
            target: LaneVec3::from_vec3(self.target),
            weight: 1.0,
            ..TwoBone::default()
        });
        let turn = swivel * solved.root.to_quat();
        let first = (self.outer.conjugate() * (turn * upper_now)).normalize();
        let upper_new = self.outer * first;
        let middle = upper_new * self.chain.joints[1].rest;
        let second =
            (middle.conjugate() * (swivel * solved.mid.to_quat() * solved.root.to_quat() * lower_now)).normalize();
        let lower_new = middle * second;
        let miss = (self.target - (upper_new * upper_bone + lower_new * lower_bone)).length();
        ([first, second, lower_new], miss)
    }
    #[inline(always)]
    fn accept(&mut self, [first, second, lower_new]: [Quat; 3]) {
        let (chain, state) = (self.chain, &mut self.ws.state);
        state.set_rotation(0, first);
        state.set_rotation(1, second);
        if let Some(held) = state.held() {
            let last = chain.joints.len() - 1;
            let before =
                (2..last).fold(lower_new, |outer, i| outer * (chain.joints[i].rest * state.pose().rotations[i]));
            state.set_rotation(last, ((before * chain.joints[last].rest).conjugate() * held).normalize());
        }
    }
    #[inline(always)]
    fn reject(&mut self, _turned: [Quat; 3]) {}
}

/// Solves the chain, or leaves the pose as it was and returns `None`. `ws.state` knows whether
/// the last joint is held.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goal: &ChainGoal,
    position: Vec3,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let pose = ws.state.pose();
    let root = pose.root_position + pose.root_rotation * chain.joints[0].offset;
    let target = start::carried_target(chain, position, ws) - root;
    let outer = pose.root_rotation * chain.joints[0].rest;
    let upper_now = outer * pose.rotations[0];
    let now = [upper_now, upper_now * (chain.joints[1].rest * pose.rotations[1])];
    let bones = [start::bone(chain, 0) * pose.stretch[0], start::bone(chain, 1) * pose.stretch[1]];
    let lengths = bones.map(Vec3::length);
    let reach = ChainReach::new(now[0] * bones[0], now[1] * bones[1], lengths, target);
    // Out of reach bones may stretch, or position and rotation have to share what is left.
    let is_final = ws.state.held().is_none() && (chain.is_rigid() || !settings.use_stretch);
    let mut limb = StateChain { chain, goal, ws, is_final, reach, outer, now, bones, target };
    two_bone_chain::solve(&mut limb, settings.tolerance.max(0.0) * chain.length)
}
