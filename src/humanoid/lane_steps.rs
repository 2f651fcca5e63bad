//! The humanoid steps that run on any [`JointView`] — one pose or eight at once, without scale:
//! look-at, limbs with their end rotations, twist.
//!
//! They need goals that are completely specified, and no body, joint limits, or help of shoulders,
//! spine and hips; [`super::pose_steps`] has the steps for everything.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::look_at::{LookAtGoal, LookAtOutcome};
use super::twist::{TwistState, TwistedLimbKernel};
use crate::closed_form::limb::{self, RigidGoal, RigidOutcome};
use crate::constraints::point_in;
use crate::math::{Frame, Kernel, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Rigid, Vec3, length};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::JointView;

/// The point that a character looks at, and the weights of body, head and eyes; `None` when it does
/// not.
#[inline]
pub(crate) fn looks(input: &HumanoidInput) -> Option<(Vec3, [f32; 3])> {
    let weights = &input.look_at_weight;
    let [body, head, eyes] = [weights.body, weights.head, weights.eyes].map(|w| weights.weight * w);
    let position_ws = input.look_at_position.filter(|_| body > 0.0 || head > 0.0 || eyes > 0.0)?;
    Some((position_ws, [body, head, eyes]))
}

/// What a character looks at; `None` when it does not.
#[inline]
pub(crate) fn look_at_goal<L: Lane>(input: &HumanoidInput, world: &Frame, avatar: &Avatar) -> Option<LookAtGoal<L>> {
    let (position_ws, [body, head, eyes]) = looks(input)?;
    let target_ms = within_reach(avatar, lane_point_in::<L>(world, position_ws));
    let [body, head, eyes, clamp] = [body, head, eyes, input.look_at_weight.clamp].map(L::splat);
    Some(LookAtGoal { target_ms, body, head, eyes, clamp })
}

/// A point to look at. Beyond a million body heights only the direction counts, and squares of
/// larger numbers leave the range of f32.
#[inline]
pub(crate) fn within_reach<L: Lane>(avatar: &Avatar, target_ms: LaneVec3<L>) -> LaneVec3<L> {
    let farthest = L::splat(1e6 * avatar.human_scale().abs().max(1e-6));
    let is_near = target_ms.dot(target_ms).lt(farthest * farthest);
    if !is_near.not().any() {
        return target_ms;
    }
    let (direction, distance) = target_ms.normalize_or(LaneVec3::splat(Vec3::Z), L::splat(1e-20));
    LaneVec3::select(is_near.not().and(farthest.lt(distance)), direction * farthest, target_ms)
}

/// A point of the world in the space of a frame without scale.
#[inline(always)]
pub(crate) fn rigid_point_in<L: Lane>(world: &Rigid<L>, point_ws: LaneVec3<L>) -> LaneVec3<L> {
    world.rotation.conjugate().rotate(point_ws - world.position)
}
/// A rotation of the world in the space of a frame without scale.
#[inline(always)]
pub(crate) fn rigid_axes_in<L: Lane>(world: &Rigid<L>, rotation_ws: LaneQuat<L>) -> LaneQuat<L> {
    (world.rotation.conjugate() * rotation_ws).normalize()
}
#[inline(always)]
fn rigid<L: Lane>(world: &Frame) -> Rigid<L> {
    Rigid { position: LaneVec3::splat(world.position), rotation: LaneQuat::splat(world.rotation) }
}

/// A point of the world in model space.
#[inline]
fn lane_point_in<L: Lane>(world: &Frame, point_ws: Vec3) -> LaneVec3<L> {
    if !world.is_rigid() {
        return LaneVec3::splat(point_in(world, point_ws));
    }
    rigid_point_in(&rigid(world), LaneVec3::splat(point_ws))
}

/// [`Frame::axes_in`].
#[inline]
fn lane_axes_in<L: Lane>(world: &Frame, rotation_ws: Quat) -> LaneQuat<L> {
    if !world.is_rigid() {
        return LaneQuat::splat(world.axes_in(rotation_ws));
    }
    rigid_axes_in(&rigid(world), LaneQuat::splat(rotation_ws))
}

/// Goal of a limb for which position and rotation are given.
#[inline]
pub(crate) fn limb_goal<L: Lane>(input: &HumanoidInput, world: &Frame, limb: &LimbRig, goal: IkGoal) -> RigidGoal<L> {
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

/// Goals of one character, or of several in lockstep; a goal that only some of them have has weight
/// 0 for the others.
#[derive(Clone, Debug)]
pub(crate) struct StepInput<L> {
    pub look_at: Option<LookAtGoal<L>>,
    /// In [`IkGoal`] order.
    pub limbs: [Option<RigidGoal<L>>; 4],
}

impl<L> Default for StepInput<L> {
    /// Nothing.
    fn default() -> Self {
        Self { look_at: None, limbs: [const { None }; 4] }
    }
}

/// What the steps left.
#[derive(Clone)]
pub(crate) struct StepOutput<L: Lane> {
    pub look_at: Option<LookAtOutcome<L>>,
    pub limbs: [Option<RigidOutcome<L>>; 4],
    /// The rolls from before, where they are not distributed yet.
    pub twists: [Option<TwistState<L>>; 4],
}

impl<L: Lane> Default for StepOutput<L> {
    /// Nothing.
    fn default() -> Self {
        Self { look_at: None, limbs: [const { None }; 4], twists: [const { None }; 4] }
    }
}

/// Updates the frames of the trunk, which all steps read.
#[inline(always)]
pub(crate) fn refresh_trunk<L: Lane>(avatar: &Avatar, view: &mut impl JointView<L>) {
    avatar.trunk_joints.iter().for_each(|j| view.refresh(*j));
}

/// Step: spine, neck, head and eyes.
#[inline(always)]
pub(crate) fn look_at<L: Lane>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    asked: &StepInput<L>,
    left: &mut StepOutput<L>,
) {
    if let Some(goal) = &asked.look_at {
        left.look_at = Some(avatar.look_at.solve(view, goal));
    }
}

/// Steps: limbs and end rotations, which share one kernel. With `shares` the kernel distributes the
/// rolls of limbs without joints between or beside; rolls that are left to distribute stay in
/// `left.twists`.
#[inline(always)]
pub(crate) fn limbs<L: Lane>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    asked: &StepInput<L>,
    shares: bool,
    left: &mut StepOutput<L>,
) {
    let mut in_kernel = shares;
    for (goal, _) in active_goals(asked) {
        let limb = avatar.limb(goal);
        limb.hanging.iter().for_each(|j| view.refresh(*j));
        in_kernel &= limb.twist.is_plain();
    }
    if in_kernel {
        return solve_limbs(avatar, view, asked, &TwistedLimbKernel, |limb, told| limb.twist.tell(told), left);
    }
    for (goal, _) in active_goals(asked) {
        left.twists[goal.index()] = Some(avatar.limb(goal).twist.read(view));
    }
    solve_limbs(avatar, view, asked, &limb::LimbKernel::<true>, |_, _| {}, left);
}

/// The limbs that have a goal.
#[inline(always)]
fn active_goals<L>(asked: &StepInput<L>) -> impl Iterator<Item = (IkGoal, &RigidGoal<L>)> {
    IkGoal::ALL.into_iter().zip(&asked.limbs).filter_map(|(goal, wish)| Some((goal, wish.as_ref()?)))
}

/// The limbs, as many at a time as the lane takes. `tell` writes the kernel inputs that follow
/// those of the limb.
#[inline(always)]
fn solve_limbs<L: Lane, const N: usize>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    asked: &StepInput<L>,
    kernel: &impl Kernel<N, { limb::KERNEL_OUTPUTS }>,
    tell: impl Fn(&LimbRig, &mut [[L; 4]; N]),
    left: &mut StepOutput<L>,
) {
    let nothing = [[L::splat(0.0); 4]; N];
    if L::SETS < 4 {
        for (goal, wish) in active_goals(asked) {
            let (limb, mut told) = (avatar.limb(goal), nothing);
            let between = limb::pack_input(view, &limb.joints, wish, &mut told);
            tell(limb, &mut told);
            let answer = kernel.run(&told);
            left.limbs[goal.index()] = Some(limb::put::<L, true>(view, &limb.joints, &between, &answer));
        }
        return;
    }
    let (mut told, mut between, mut goals, mut count) = ([nothing; 4], [[None; 2]; 4], IkGoal::ALL, 0);
    for (goal, wish) in active_goals(asked) {
        let limb = avatar.limb(goal);
        between[count] = limb::pack_input(view, &limb.joints, wish, &mut told[count]);
        tell(limb, &mut told[count]);
        goals[count] = goal;
        count += 1;
    }
    if count == 0 {
        return;
    }
    // Unused lanes repeat the first limb.
    let sets = [0, 1, 2, 3].map(|i| &told[if i < count { i } else { 0 }]);
    let answers = L::several(kernel, sets, count);
    for i in 0..count {
        let joints = &avatar.limb(goals[i]).joints;
        left.limbs[goals[i].index()] = Some(limb::put::<L, true>(view, joints, &between[i], &answers[i]));
    }
}

/// Step: distributes the rolls that the limbs' goals have added along the limbs.
#[inline(never)]
pub(crate) fn share_twists<L: Lane>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    before: &[Option<TwistState<L>>; 4],
    limited: bool,
) {
    for (goal, before) in IkGoal::ALL.into_iter().zip(before) {
        if let Some(before) = before {
            let limb = avatar.limb(goal);
            limb.twist.share(view, &limb.joints, before, limited);
        }
    }
}

/// The lane of a single character.
pub(crate) trait Single: Lane<Mask = bool> + Into<f32> {}
impl<L: Lane<Mask = bool> + Into<f32>> Single for L {}

#[inline]
pub(crate) fn look_at_outcome<L: Single>(left: &LookAtOutcome<L>) -> Outcome {
    let status = if left.kept_back { Status::Unreachable } else { Status::Reached };
    Outcome { status, residual_rad: left.residual_rad.into(), ..Outcome::INACTIVE }
}

#[inline]
pub(crate) fn limb_outcome<L: Single>(left: &RigidOutcome<L>, turns: bool, world: &Frame) -> Outcome {
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
    if turns && outcome.status == Status::Inactive {
        outcome.status = Status::Reached;
    }
    outcome
}
