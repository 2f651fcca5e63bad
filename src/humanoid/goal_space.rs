//! Goals of hands, feet and gaze from world space to model space: of one character, or of several
//! in lockstep.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::look_at::LookAtGoal;
use crate::closed_form::limb_kernel::RigidGoal;
use crate::constraints::point_in;
use crate::math::{Frame, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Rigid, Single, Vec3};

/// The model spaces of the characters, from world space.
pub(crate) trait WorldSpace<L: Lane> {
    fn point_in(&self, point_ws: LaneVec3<L>) -> LaneVec3<L>;
    /// As [`Frame::axes_in`].
    fn axes_in(&self, rotation_ws: LaneQuat<L>) -> LaneQuat<L>;
}

/// Without scale.
impl<L: Lane> WorldSpace<L> for Rigid<L> {
    #[inline(always)]
    fn point_in(&self, point_ws: LaneVec3<L>) -> LaneVec3<L> {
        self.rotation.conjugate().rotate(point_ws - self.position)
    }
    #[inline(always)]
    fn axes_in(&self, rotation_ws: LaneQuat<L>) -> LaneQuat<L> {
        (self.rotation.conjugate() * rotation_ws).normalize()
    }
}

/// With any scale.
impl<L: Single> WorldSpace<L> for Frame {
    #[inline]
    fn point_in(&self, p: LaneVec3<L>) -> LaneVec3<L> {
        LaneVec3::splat(point_in(self, Vec3::new(p.x.into(), p.y.into(), p.z.into())))
    }
    #[inline]
    fn axes_in(&self, q: LaneQuat<L>) -> LaneQuat<L> {
        LaneQuat::splat(self.axes_in(Quat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into())))
    }
}

#[inline(always)]
fn rigid<L: Lane>(world: &Frame) -> Rigid<L> {
    Rigid { position: LaneVec3::splat(world.position), rotation: LaneQuat::splat(world.rotation) }
}

/// The point that a character looks at, world space, and the weights of body, head and eyes; `None`
/// when it does not.
#[inline]
pub(crate) fn given_look_at(input: &HumanoidInput) -> Option<(Vec3, [f32; 3])> {
    let weights = &input.look_at_weight;
    let [body, head, eyes] = [weights.body, weights.head, weights.eyes].map(|w| weights.weight * w);
    let position_ws = input.look_at_position.filter(|_| body > 0.0 || head > 0.0 || eyes > 0.0)?;
    Some((position_ws, [body, head, eyes]))
}

/// The parts of a limb's goal that are given, world space, each with its weight.
pub(crate) struct GivenLimb {
    pub target: Option<(Vec3, f32)>,
    pub pole: Option<(Vec3, f32)>,
    pub end: Option<(Quat, f32)>,
}

impl GivenLimb {
    #[inline(always)]
    pub fn of(input: &HumanoidInput, goal: IkGoal) -> Self {
        let (given, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
        Self {
            target: given.position.map(|p| (p, given.position_weight)),
            pole: hint.position.map(|p| (p, hint.weight)),
            end: given.rotation.map(|r| (r, given.rotation_weight)),
        }
    }
}

/// A limb without goal.
#[inline(always)]
pub(crate) fn no_goal<L: Lane>(limb: &LimbRig) -> RigidGoal<L> {
    let none = L::splat(0.0);
    RigidGoal {
        target_ms: LaneVec3::zero(),
        weight: none,
        pole_ms: LaneVec3::zero(),
        pole_weight: none,
        bend_side_js: limb.bend_side_js,
        centre_ps: limb.centre_ps,
        softness: none,
        stretch: L::splat(limb.stretch),
        end_ms: LaneQuat::identity(),
        end_weight: none,
    }
}

/// Brings the point to look at into model space.
#[inline(always)]
pub(crate) fn bring_in_look_at<L: Lane>(goal: &mut LookAtGoal<L>, avatar: &Avatar, world: &impl WorldSpace<L>) {
    goal.target_ms = within_reach(avatar, world.point_in(goal.target_ms));
}

/// Brings a limb's goal into model space; what has no weight becomes zero, or the identity.
#[inline(always)]
pub(crate) fn bring_in_limb<L: Lane>(goal: &mut RigidGoal<L>, limb: &LimbRig, world: &impl WorldSpace<L>) {
    goal.target_ms = weighted_in(goal.weight, goal.target_ms, world);
    goal.pole_ms = weighted_in(goal.pole_weight, goal.pole_ms, world);
    let turns = L::splat(0.0).lt(goal.end_weight);
    goal.end_ms = if turns.any() {
        let end = world.axes_in(goal.end_ms) * LaneQuat::splat(limb.goal_from_bone).conjugate();
        LaneQuat::select(turns, end, LaneQuat::identity())
    } else {
        LaneQuat::identity()
    };
}

/// A point in model space where it has a weight.
#[inline(always)]
fn weighted_in<L: Lane>(weight: L, point_ws: LaneVec3<L>, world: &impl WorldSpace<L>) -> LaneVec3<L> {
    let has = L::splat(0.0).lt(weight);
    if has.any() { LaneVec3::select(has, world.point_in(point_ws), LaneVec3::zero()) } else { LaneVec3::zero() }
}

/// A point to look at. Beyond a million body heights only the direction counts, and squares of
/// larger numbers leave the range of f32.
#[inline(always)]
fn within_reach<L: Lane>(avatar: &Avatar, target_ms: LaneVec3<L>) -> LaneVec3<L> {
    let farthest = L::splat(1e6 * avatar.human_scale().abs().max(1e-6));
    let is_near = target_ms.dot(target_ms).lt(farthest * farthest);
    if !is_near.not().any() {
        return target_ms;
    }
    let (direction, distance) = target_ms.normalize_or(LaneVec3::splat(Vec3::Z), L::splat(1e-20));
    LaneVec3::select(is_near.not().and(farthest.lt(distance)), direction * farthest, target_ms)
}

/// What a character looks at, model space; `None` when it does not.
#[inline]
pub(crate) fn look_at_goal<L: Single>(input: &HumanoidInput, world: &Frame, avatar: &Avatar) -> Option<LookAtGoal<L>> {
    let (position_ws, [body, head, eyes]) = given_look_at(input)?;
    let [body, head, eyes, clamp] = [body, head, eyes, input.look_at_weight.clamp].map(L::splat);
    let mut goal = LookAtGoal { target_ms: LaneVec3::splat(position_ws), body, head, eyes, clamp };
    if world.is_rigid() {
        bring_in_look_at(&mut goal, avatar, &rigid(world));
    } else {
        bring_in_look_at(&mut goal, avatar, world);
    }
    Some(goal)
}

/// Goal of a limb for which position and rotation are given, model space.
#[inline]
pub(crate) fn limb_goal<L: Single>(input: &HumanoidInput, world: &Frame, limb: &LimbRig, goal: IkGoal) -> RigidGoal<L> {
    let (given, mut all) = (GivenLimb::of(input, goal), no_goal(limb));
    if let Some((position, weight)) = given.target {
        (all.target_ms, all.weight) = (LaneVec3::splat(position), L::splat(weight));
    }
    if let Some((position, weight)) = given.pole {
        (all.pole_ms, all.pole_weight) = (LaneVec3::splat(position), L::splat(weight));
    }
    if let Some((rotation, weight)) = given.end {
        (all.end_ms, all.end_weight) = (LaneQuat::splat(rotation), L::splat(weight));
    }
    if world.is_rigid() {
        bring_in_limb(&mut all, limb, &rigid(world));
    } else {
        bring_in_scaled(&mut all, limb, world);
    }
    all
}

/// [`bring_in_limb`] for a world with scale, out of line.
#[cold]
#[inline(never)]
fn bring_in_scaled<L: Single>(goal: &mut RigidGoal<L>, limb: &LimbRig, world: &Frame) {
    bring_in_limb(goal, limb, world);
}
