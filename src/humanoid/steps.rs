//! The steps that most characters need and no more, over a [`Figure`]: look-at, limbs with their end rotations, twist.
//!
//! A character whose goals are complete, whose limbs have no scale and of which nothing else is asked — no body, no limits, no help of
//! shoulders, spine and hips — is solved by these, alone or in a crowd. [`super::solve`] has the steps for all others.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::look_at::{LookAtGoal, LookAtOutcome};
use super::settings::HumanoidSettings;
use super::twist::{TwistRig, TwistState};
use crate::chains::figure::Figure;
use crate::chains::limb::{self, RigidGoal, RigidOutcome};
use crate::constraints::point_in;
use crate::goal::{Outcome, Status};
use crate::math::{Frame, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Vec3, length};

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
pub(super) fn look_at_goal<L: Lane>(input: &HumanoidInput, world: &Frame, avatar: &Avatar) -> Option<LookAtGoal<L>> {
    let weights = &input.look_at_weight;
    let [body, head, eyes] = [weights.body, weights.head, weights.eyes].map(|w| weights.weight * w);
    let position_ws = input.look_at_position.filter(|_| body > 0.0 || head > 0.0 || eyes > 0.0)?;
    // Beyond a million body heights only the direction counts, and squares of larger numbers leave the range of f32.
    let mut target_ms = lane_point_in::<L>(world, position_ws);
    let farthest = L::splat(1e6 * avatar.human_scale().abs().max(1e-6));
    let is_near = target_ms.dot(target_ms).lt(farthest * farthest);
    if is_near.not().any() {
        let (direction, distance) = target_ms.normalize_or(LaneVec3::splat(Vec3::Z), L::splat(1e-20));
        target_ms = LaneVec3::select(farthest.lt(distance), direction * farthest, target_ms);
    }
    let [body, head, eyes, clamp] = [body, head, eyes, weights.clamp].map(L::splat);
    Some(LookAtGoal { target_ms, body, head, eyes, clamp })
}

/// A point of the world in model space.
#[inline]
fn lane_point_in<L: Lane>(world: &Frame, point_ws: Vec3) -> LaneVec3<L> {
    if !world.is_rigid() {
        return LaneVec3::splat(point_in(world, point_ws));
    }
    let from = LaneVec3::splat(point_ws) - LaneVec3::splat(world.position);
    LaneQuat::splat(world.rotation).conjugate().rotate(from)
}

/// [`Frame::axes_in`].
#[inline]
fn lane_axes_in<L: Lane>(world: &Frame, rotation_ws: Quat) -> LaneQuat<L> {
    if !world.is_rigid() {
        return LaneQuat::splat(world.axes_in(rotation_ws));
    }
    (LaneQuat::splat(world.rotation).conjugate() * LaneQuat::splat(rotation_ws)).normalize()
}

/// What a limb shall do whose goals are complete.
#[inline]
pub(super) fn limb_goal<L: Lane>(input: &HumanoidInput, world: &Frame, limb: &LimbRig, goal: IkGoal) -> RigidGoal<L> {
    let (wish, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
    let (weight, turns) = (wish.position_weight, wish.rotation_weight);
    let (pole_ms, pole_weight) = match hint.position {
        Some(position) if hint.weight > 0.0 => (lane_point_in(world, position), hint.weight),
        _ => (LaneVec3::zero(), 0.0),
    };
    let target_ms = match wish.position {
        Some(position) if weight > 0.0 => lane_point_in(world, position),
        _ => LaneVec3::zero(),
    };
    let end_ms = match wish.rotation {
        Some(rotation) if turns > 0.0 => {
            lane_axes_in(world, rotation) * LaneQuat::splat(limb.goal_from_bone).conjugate()
        }
        _ => LaneQuat::identity(),
    };
    RigidGoal {
        target_ms,
        weight: L::splat(weight),
        pole_ms,
        pole_weight: L::splat(pole_weight),
        bend_side_js: limb.bend_side_js,
        centre_ps: limb.centre_ps,
        softness: L::splat(0.0),
        stretch: L::splat(limb.stretch),
        end_ms,
        end_weight: L::splat(turns),
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
    let is_asked = |goal: &IkGoal| asked.limbs[goal.index()].is_some();
    for goal in IkGoal::ALL.into_iter().filter(is_asked) {
        let limb = avatar.limb(goal);
        limb.hanging.iter().for_each(|j| figure.refresh(*j));
        left.twists[goal.index()] = Some(limb.twist.read(figure));
    }
    solve_limbs(avatar, figure, asked, &mut left);
    left
}

/// The limbs, as many at a time as the lane takes.
#[inline(always)]
fn solve_limbs<L: Lane>(avatar: &Avatar, figure: &mut impl Figure<L>, asked: &Asked<L>, left: &mut Left<L>) {
    let wishes = || IkGoal::ALL.into_iter().zip(&asked.limbs).filter_map(|(goal, wish)| Some((goal, wish.as_ref()?)));
    if L::SETS < 4 {
        for (goal, wish) in wishes() {
            left.limbs[goal.index()] = Some(limb::solve_rigid::<L, true>(figure, &avatar.limb(goal).joints, wish));
        }
        return;
    }
    let nothing = [[L::splat(0.0); 4]; limb::TOLD];
    let (mut told, mut between, mut goals, mut count) = ([nothing; 4], [[None; 2]; 4], IkGoal::ALL, 0);
    for (goal, wish) in wishes() {
        between[count] = limb::tell(figure, &avatar.limb(goal).joints, wish, &mut told[count]);
        goals[count] = goal;
        count += 1;
    }
    if count == 0 {
        return;
    }
    // The places that are left over hold the first once more.
    let sets = [0, 1, 2, 3].map(|i| &told[if i < count { i } else { 0 }]);
    let answers = L::several(&limb::Answer::<true>, sets, count);
    for i in 0..count {
        let joints = &avatar.limb(goals[i]).joints;
        left.limbs[goals[i].index()] = Some(limb::put::<L, true>(figure, joints, &between[i], &answers[i]));
    }
}

/// Shares the rolls that the limbs' goals have added.
pub(super) fn share_twists<L: Lane>(
    avatar: &Avatar,
    figure: &mut impl Figure<L>,
    before: &[Option<TwistState<L>>; 4],
    limited: bool,
) {
    for pair in [[IkGoal::LeftFoot, IkGoal::RightFoot], [IkGoal::LeftHand, IkGoal::RightHand]] {
        let before = pair.map(|goal| before[goal.index()].as_ref());
        if before.iter().all(Option::is_none) {
            continue;
        }
        let limbs = pair.map(|goal| avatar.limb(goal));
        let rigs = limbs.map(|limb| &limb.twist);
        let grown = TwistRig::grown(rigs, figure, before, limited);
        for ((limb, before), grown) in limbs.iter().zip(before).zip(&grown) {
            if let Some(before) = before {
                limb.twist.share(figure, &limb.joints, before, grown, limited);
            }
        }
    }
}

/// The lane of a single character.
pub(super) trait Single: Lane<Mask = bool> + Into<f32> {}
impl<L: Lane<Mask = bool> + Into<f32>> Single for L {}

#[inline]
pub(super) fn look_at_outcome<L: Single>(left: &LookAtOutcome<L>) -> Outcome {
    let status = if left.kept_back { Status::Unreachable } else { Status::Reached };
    Outcome { status, residual_rad: left.residual_rad.into(), ..Outcome::INACTIVE }
}

#[inline]
pub(super) fn limb_outcome<L: Single>(left: &RigidOutcome<L>, end_weight: f32, world: &Frame) -> Outcome {
    let mut outcome = Outcome::INACTIVE;
    if !left.still {
        outcome.status = if left.is_beyond { Status::Unreachable } else { Status::Reached };
        let off = left.left_ms;
        outcome.residual_m = if world.is_rigid() {
            off.dot(off).root().into()
        } else {
            length(world.vector_out(Vec3::new(off.x.into(), off.y.into(), off.z.into())))
        };
    }
    if end_weight > 0.0 {
        outcome.residual_rad = left.left_rad.into();
        if outcome.status == Status::Inactive {
            outcome.status = Status::Reached;
        }
    }
    outcome
}
