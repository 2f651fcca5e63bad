//! The humanoid steps that run on any [`JointView`] — one pose or eight at once, without scale:
//! look-at, limbs with their end rotations, twist.
//!
//! They need goals that are completely specified, and no body, joint limits, or help of shoulders,
//! spine and hips; [`super::pose_steps`] has the steps for everything.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::IkGoal;
use super::look_at::{LookAtGoal, LookAtOutcome};
use super::twist::{TwistState, TwistedLimbKernel};
use crate::closed_form::limb_kernel::{self as limb, RigidGoal, RigidOutcome, limb_outcome};
use crate::math::dispatch::Task;
use crate::math::{Frame, Kernel, Lane, Single, Vec3, length};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::{JointView, refresh_all};

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
    refresh_all(view, &avatar.trunk_joints);
}

/// Step: spine, neck, head and eyes.
#[inline(always)]
pub(crate) fn look_at<L: Lane>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    requested: &StepInput<L>,
    left: &mut StepOutput<L>,
) {
    if let Some(goal) = &requested.look_at {
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
    requested: &StepInput<L>,
    shares: bool,
    left: &mut StepOutput<L>,
) {
    let mut in_kernel = shares;
    for (goal, _) in active_goals(requested) {
        let limb = avatar.limb(goal);
        refresh_all(view, &limb.hanging);
        in_kernel &= limb.twist.is_plain();
    }
    if in_kernel {
        return solve_limbs(avatar, view, requested, &TwistedLimbKernel, |limb, packed| limb.twist.pack(packed), left);
    }
    for (goal, _) in active_goals(requested) {
        left.twists[goal.index()] = Some(avatar.limb(goal).twist.read(view));
    }
    solve_limbs(avatar, view, requested, &limb::LimbKernel::<true>, |_, _| {}, left);
}

/// The limbs that have a goal.
#[inline(always)]
fn active_goals<L>(requested: &StepInput<L>) -> impl Iterator<Item = (IkGoal, &RigidGoal<L>)> {
    IkGoal::ALL.into_iter().zip(&requested.limbs).filter_map(|(goal, given)| Some((goal, given.as_ref()?)))
}

/// The limbs, as many at a time as the lane takes. `pack` writes the kernel inputs that follow
/// those of the limb.
#[inline(always)]
fn solve_limbs<L: Lane, const N: usize>(
    avatar: &Avatar,
    view: &mut impl JointView<L>,
    requested: &StepInput<L>,
    kernel: &impl Kernel<N, { limb::KERNEL_OUTPUTS }>,
    pack: impl Fn(&LimbRig, &mut [[L; 4]; N]),
    left: &mut StepOutput<L>,
) {
    let nothing = [[L::splat(0.0); 4]; N];
    if L::SETS < 4 {
        for (goal, given) in active_goals(requested) {
            let (limb, mut packed) = (avatar.limb(goal), nothing);
            let between = limb::pack_input(view, &limb.joints, given, &mut packed);
            pack(limb, &mut packed);
            let answer = kernel.run(&packed);
            left.limbs[goal.index()] = Some(limb::put::<L, true>(view, &limb.joints, &between, &answer));
        }
        return;
    }
    let (mut packed, mut between, mut goals, mut count) = ([nothing; 4], [[None; 2]; 4], IkGoal::ALL, 0);
    for (goal, given) in active_goals(requested) {
        let limb = avatar.limb(goal);
        between[count] = limb::pack_input(view, &limb.joints, given, &mut packed[count]);
        pack(limb, &mut packed[count]);
        goals[count] = goal;
        count += 1;
    }
    if count == 0 {
        return;
    }
    // Unused lanes repeat the first limb.
    let sets = [0, 1, 2, 3].map(|i| &packed[if i < count { i } else { 0 }]);
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
) {
    L::run(ShareTwists { avatar, view, before });
}

struct ShareTwists<'a, L, V> {
    avatar: &'a Avatar,
    view: &'a mut V,
    before: &'a [Option<TwistState<L>>; 4],
}

impl<L: Lane, V: JointView<L>> Task for ShareTwists<'_, L, V> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (goal, before) in IkGoal::ALL.into_iter().zip(self.before) {
            if let Some(before) = before {
                let limb = self.avatar.limb(goal);
                limb.twist.share(self.view, &limb.joints, before, false);
            }
        }
    }
}

/// Outcome of looking. `is_kept_back`: see [`LookAtOutcome::kept_back`].
#[inline]
pub(crate) fn look_at_outcome(is_kept_back: bool, residual_rad: f32) -> Outcome {
    let status = if is_kept_back { Status::Unreachable } else { Status::Reached };
    Outcome { status, residual_rad, ..Outcome::INACTIVE }
}

/// Outcome of a single character's limb. `turns`: its end has a goal rotation.
#[inline]
pub(crate) fn single_limb_outcome<L: Single>(left: &RigidOutcome<L>, turns: bool, world: &Frame) -> Outcome {
    let (is_active, is_beyond, mut residual_m) = left.summary(turns);
    if !world.is_rigid() && !left.still {
        let off = left.left_ms;
        residual_m = L::splat(length(world.vector_out(Vec3::new(off.x.into(), off.y.into(), off.z.into()))));
    }
    limb_outcome(is_active, is_beyond, residual_m.into())
}
