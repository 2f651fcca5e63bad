//! The steps that most characters need and no more, over a [`Figure`]: look-at, limbs with their end rotations, twist.
//!
//! A character whose goals are complete, whose limbs have no scale and of which nothing else is asked — no body, no limits, no help of
//! shoulders, spine and hips — is solved by these, alone or in a crowd. [`super::solve`] has the steps for all others.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::look_at::{LookAtGoal, LookAtOutcome};
use super::settings::HumanoidSettings;
use super::twist::TwistState;
use crate::chains::figure::Figure;
use crate::chains::limb::{self, RigidGoal, RigidOutcome};
use crate::constraints::point_in;
use crate::goal::{Outcome, Status};
use crate::math::{Frame, Lane, LaneQuat, LaneVec3, Quat, Vec3, length, normalize_or};

/// Whether the steps beside these are off, and no goal asks for the animation's own place.
pub(super) fn are_enough(input: &HumanoidInput, settings: &HumanoidSettings, avatar: &Avatar) -> bool {
    input.body_position.is_none()
        && input.body_rotation.is_none()
        && avatar.feet_spacing() <= 0.0
        && !settings.limits_enabled
        && settings.spine_weight <= 0.0
        && settings.shoulder_weights.iter().all(|w| *w <= 0.0)
        && settings.pull_weights.iter().all(|w| *w <= 0.0)
        && IkGoal::ALL.into_iter().all(|goal| is_whole(input, avatar, goal))
}

/// Whether a limb is asked for nothing that its own place in the animation would have to tell.
pub(super) fn is_whole(input: &HumanoidInput, avatar: &Avatar, goal: IkGoal) -> bool {
    let (wish, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
    (wish.position_weight <= 0.0 || wish.position.is_some())
        && (wish.rotation_weight <= 0.0 || wish.rotation.is_some())
        && (hint.weight <= 0.0 || hint.position.is_some())
        && (avatar.limb(goal).joints.is_attached() || !asks(input, goal))
}

/// Whether anything is asked of a limb.
pub(super) fn asks(input: &HumanoidInput, goal: IkGoal) -> bool {
    let (wish, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
    wish.position_weight > 0.0 || wish.rotation_weight > 0.0 || (hint.weight > 0.0 && hint.position.is_some())
}

/// What a character looks at; `None` when it does not.
#[inline]
pub(super) fn look_at_goal(input: &HumanoidInput, world: &Frame, avatar: &Avatar) -> Option<LookAtGoal<f32>> {
    let weights = &input.look_at_weight;
    let [body, head, eyes] = [weights.body, weights.head, weights.eyes].map(|w| weights.weight * w);
    let position_ws = input.look_at_position.filter(|_| body > 0.0 || head > 0.0 || eyes > 0.0)?;
    // Beyond a million body heights only the direction counts, and squares of larger numbers leave the range of f32.
    let mut target_ms = point_in(world, position_ws);
    let farthest = 1e6 * avatar.human_scale().abs().max(1e-6);
    let is_near = target_ms.abs().max_element() <= 0.5 * farthest;
    if !is_near && length(target_ms) > farthest {
        target_ms = normalize_or(target_ms, Vec3::Z) * farthest;
    }
    Some(LookAtGoal { target_ms: LaneVec3::from_vec3(target_ms), body, head, eyes, clamp: weights.clamp })
}

/// What a limb shall do whose goals are complete.
#[inline]
pub(super) fn limb_goal(input: &HumanoidInput, world: &Frame, limb: &LimbRig, goal: IkGoal) -> RigidGoal<f32> {
    let (wish, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
    let inward = |point: Option<Vec3>| LaneVec3::from_vec3(point.map_or(Vec3::ZERO, |p| point_in(world, p)));
    let (weight, turns) = (wish.position_weight, wish.rotation_weight);
    let (pole_ms, pole_weight) = match hint.position {
        Some(position) if hint.weight > 0.0 => (inward(Some(position)), hint.weight),
        _ => (LaneVec3::zero(), 0.0),
    };
    let end_ms = match wish.rotation {
        Some(rotation) if turns > 0.0 => world.axes_in(rotation) * limb.goal_from_bone.conjugate(),
        _ => Quat::IDENTITY,
    };
    RigidGoal {
        target_ms: if weight > 0.0 { inward(wish.position) } else { LaneVec3::zero() },
        weight,
        pole_ms,
        pole_weight,
        bend_side_js: limb.bend_side_js,
        centre_ps: limb.centre_ps,
        softness: 0.0,
        stretch: limb.stretch,
        end_ms: LaneQuat::from_quat(end_ms),
        end_weight: turns,
    }
}

/// What is asked of a figure. What only some of several in step are asked has weight 0 for the others.
#[derive(Clone, Debug)]
pub(super) struct Asked<L> {
    pub look_at: Option<LookAtGoal<L>>,
    /// In [`IkGoal`] order.
    pub limbs: [Option<RigidGoal<L>>; 4],
}

/// What the steps have left.
#[derive(Clone)]
pub(super) struct Left<L: Lane> {
    pub look_at: Option<LookAtOutcome<L>>,
    pub limbs: [Option<RigidOutcome<L>>; 4],
    /// The rolls from before.
    pub twists: [Option<TwistState<L>>; 4],
}

/// Look-at and limbs.
pub(super) fn solve<L: Lane>(avatar: &Avatar, figure: &mut impl Figure<L>, asked: &Asked<L>) -> Left<L> {
    avatar.trunk_joints.iter().for_each(|j| figure.refresh(*j));
    let mut left = Left { look_at: None, limbs: [const { None }; 4], twists: [const { None }; 4] };
    if let Some(goal) = &asked.look_at {
        left.look_at = Some(avatar.look_at.solve(figure, goal));
    }
    for goal in IkGoal::ALL {
        let i = goal.index();
        if let Some(wish) = &asked.limbs[i] {
            let limb = avatar.limb(goal);
            limb.hanging.iter().for_each(|j| figure.refresh(*j));
            left.twists[i] = Some(limb.twist.read(figure));
            left.limbs[i] = Some(limb::solve_rigid::<L, true>(figure, &limb.joints, wish));
        }
    }
    left
}

/// Shares the rolls that the limbs' goals have added.
pub(super) fn share_twists<L: Lane>(
    avatar: &Avatar,
    figure: &mut impl Figure<L>,
    before: &[Option<TwistState<L>>; 4],
    limited: bool,
) {
    for goal in IkGoal::ALL {
        if let Some(before) = &before[goal.index()] {
            let limb = avatar.limb(goal);
            limb.twist.share(figure, &limb.joints, before, limited);
        }
    }
}

#[inline]
pub(super) fn look_at_outcome(left: LookAtOutcome<f32>) -> Outcome {
    let status = if left.kept_back { Status::Unreachable } else { Status::Reached };
    Outcome { status, residual_rad: left.residual_rad, ..Outcome::INACTIVE }
}

#[inline]
pub(super) fn limb_outcome(left: RigidOutcome<f32>, end_weight: f32, world: &Frame) -> Outcome {
    let mut outcome = Outcome::INACTIVE;
    if !left.still {
        outcome.status = if left.is_beyond { Status::Unreachable } else { Status::Reached };
        outcome.residual_m = if world.is_rigid() {
            left.left_ms.dot(left.left_ms).sqrt()
        } else {
            length(world.vector_out(left.left_ms.to_vec3()))
        };
    }
    if end_weight > 0.0 {
        outcome.residual_rad = left.left_rad;
        if outcome.status == Status::Inactive {
            outcome.status = Status::Reached;
        }
    }
    outcome
}
