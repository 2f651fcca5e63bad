//! A two-bone limb without scale on a view of joints: gathers the numbers of one limb, or of the
//! same limb of several characters in lockstep, runs the closed form of [`joint_limb`] on them, and
//! writes the rotations back. One kernel for every lane.

use super::joint_limb::{self, JointLimb};
use super::limb_joints::LimbJoints;
use crate::math::dispatch::Task;
use crate::math::{Kernel, Lane, LaneMask, LaneQuat, LaneVec3, Rigid, ScalarInRegister, Vec3, lane_slerp_short};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::{JointView, ScaledPoseView};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Goal of a limb without scale, with its end rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidGoal<L> {
    /// As in [`LimbGoal`].
    pub target_ms: LaneVec3<L>,
    pub weight: L,
    pub pole_ms: LaneVec3<L>,
    pub pole_weight: L,
    pub bend_side_js: Vec3,
    pub centre_ps: Vec3,
    pub softness: L,
    pub stretch: L,
    /// Goal rotation of the end, model space.
    pub end_ms: LaneQuat<L>,
    /// Weight of the goal rotation, 0 … 1.
    pub end_weight: L,
}

/// Residuals of a limb without scale. The end's rotation has none, apart from rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidOutcome<L: Lane> {
    /// Lanes where both weights of the limb were 0: it has not moved.
    pub still: L::Mask,
    /// Lanes where the target is out of reach.
    pub is_beyond: L::Mask,
    /// Goal position of the end minus its position, model space.
    pub left_ms: LaneVec3<L>,
}

impl<L: Lane> RigidOutcome<L> {
    /// What is left, for [`limb_outcome`] lane by lane: whether position or end rotation (`turns`)
    /// has a goal, whether the target is out of reach, and the distance left, model space.
    #[inline(always)]
    pub(crate) fn summary(&self, turns: L::Mask) -> (L::Mask, L::Mask, L) {
        let moves = self.still.not();
        let residual_m = self.left_ms.dot(self.left_ms).root();
        (moves.or(turns), moves.and(self.is_beyond), L::select(self.still, L::splat(0.0), residual_m))
    }
}

/// Outcome of a limb. `is_active`: its position or its end rotation has a goal; `is_beyond`: it is
/// active, and the target is out of reach.
#[inline(always)]
pub(crate) fn limb_outcome(is_active: bool, is_beyond: bool, residual_m: f32) -> Outcome {
    let number = usize::from(is_active) + usize::from(is_beyond);
    let status = [Status::Inactive, Status::Reached, Status::Unreachable][number];
    Outcome { status, residual_m, ..Outcome::INACTIVE }
}

/// Whether [`solve_rigid`] may solve the limb (fast path without scale). The end's own scale has no
/// effect on the limb.
pub(crate) fn is_rigid(skeleton: &Skeleton, pose: &Pose, limb: &LimbJoints) -> bool {
    limb.is_attached()
        && skeleton.parent(limb.root()).is_none_or(|parent| pose.model(parent).is_rigid())
        && limb.path()[..limb.path().len() - 1].iter().all(|j| pose.local()[*j].scale == Vec3::ONE)
}

/// Counts of the input and output numbers of a [`LimbKernel`], in groups of four.
pub(crate) const KERNEL_INPUTS: usize = 13;
pub(crate) const KERNEL_OUTPUTS: usize = 5;
/// Indices of some of them: the joints' local rotations, and the positions of mid and end in their
/// parents.
pub(crate) const KERNEL_INPUT_ROOT: usize = 1;
pub(crate) const KERNEL_INPUT_MID_AT: usize = 2;
pub(crate) const KERNEL_INPUT_END_AT: usize = 4;
pub(crate) const KERNEL_INPUT_END: usize = 5;
pub(crate) type LimbKernelInput<L> = [[L; 4]; KERNEL_INPUTS];
pub(crate) type LimbKernelOutput<L> = [[L; 4]; KERNEL_OUTPUTS];

/// Rotations of the joints between root and mid, and between mid and end; `None` where there are
/// none.
pub(crate) type Between<L> = [Option<LaneQuat<L>>; 2];

/// Gathers a limb's numbers into `input`, and returns the rotations between its joints. The frames
/// above the limb must be up to date.
#[inline(always)]
pub(crate) fn pack_input<L: Lane, const N: usize>(
    figure: &impl JointView<L>,
    limb: &LimbJoints,
    goal: &RigidGoal<L>,
    input: &mut [[L; 4]; N],
) -> Between<L> {
    let (parent, root) = (figure.parent(limb.root()), figure.local(limb.root()));
    let (mid, above_mid) = reach_along(figure, limb.upper_path());
    let (end, above_end) = reach_along(figure, limb.lower_path());
    let zero = L::splat(0.0);
    let Some(input) = input.first_chunk_mut::<KERNEL_INPUTS>() else { return [above_mid, above_end] };
    *input = [
        with(root.position, goal.weight),
        numbers(root.rotation),
        with(mid.position, goal.pole_weight),
        numbers(mid.rotation),
        with(end.position, goal.end_weight),
        numbers(end.rotation),
        with(parent.position, goal.softness),
        numbers(parent.rotation),
        with(goal.target_ms, goal.stretch),
        with(goal.pole_ms, zero),
        numbers(goal.end_ms),
        with(LaneVec3::splat(goal.bend_side_js), zero),
        with(LaneVec3::splat(goal.centre_ps), zero),
    ];
    [above_mid, above_end]
}

/// The last joint of a path relative to the parent of the first; and the rotation of the last
/// joint's parent, when there are joints between.
#[inline(always)]
fn reach_along<L: Lane>(figure: &impl JointView<L>, path: &[JointIndex]) -> (Rigid<L>, Option<LaneQuat<L>>) {
    let mut reached = figure.local(path[0]);
    if path.len() == 1 {
        return (reached, None);
    }
    let mut above = reached.rotation;
    for &joint in &path[1..] {
        above = reached.rotation;
        reached = reached.then(&figure.local(joint));
    }
    let above = above.normalize();
    (Rigid { rotation: reached.rotation.normalize(), ..reached }, Some(above))
}

#[inline(always)]
fn with<L: Lane>(v: LaneVec3<L>, number: L) -> [L; 4] {
    [v.x, v.y, v.z, number]
}
#[inline(always)]
pub(crate) fn numbers<L: Lane>(q: LaneQuat<L>) -> [L; 4] {
    [q.x, q.y, q.z, q.w]
}
#[inline(always)]
pub(crate) fn vector<L: Lane>([x, y, z, _]: [L; 4]) -> LaneVec3<L> {
    LaneVec3::new(x, y, z)
}
#[inline(always)]
pub(crate) fn rotation<L: Lane>([x, y, z, w]: [L; 4]) -> LaneQuat<L> {
    LaneQuat::new(x, y, z, w)
}

/// Kernel from a limb's numbers to its new rotations and residuals; `END`: with the end's rotation.
pub(crate) struct LimbKernel<const END: bool>;

impl<const END: bool> Kernel<KERNEL_INPUTS, KERNEL_OUTPUTS> for LimbKernel<END> {
    #[inline(always)]
    fn run<L: Lane>(&self, input: &LimbKernelInput<L>) -> LimbKernelOutput<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (parent, root, mid) = (rotation(input[7]), rotation(input[KERNEL_INPUT_ROOT]), rotation(input[3]));
        let (weight, pole_weight, end_weight) = (input[0][3], input[2][3], if END { input[4][3] } else { zero });
        let inward = parent.conjugate();
        let root_ms = vector(input[6]) + parent.rotate(vector(input[0]));
        let mut joints = JointLimb {
            root,
            mid,
            end: LaneQuat::identity(),
            mid_at: vector(input[KERNEL_INPUT_MID_AT]),
            end_at: vector(input[KERNEL_INPUT_END_AT]),
            target: inward.rotate(vector(input[8]) - root_ms),
            weight,
            pole: LaneVec3::zero(),
            pole_weight,
            bend_side: vector(input[11]),
            centre: vector(input[12]),
            softness: input[6][3],
            stretch: input[8][3],
            end_goal: LaneQuat::identity(),
            end_weight: zero,
        };
        let is_poled = zero.lt(pole_weight);
        if is_poled.any() {
            joints.pole = inward.rotate(vector(input[9]) - root_ms);
        }
        let moves = zero.lt(weight).or(is_poled);
        let (mut new_root, mut new_mid) = (root, mid);
        let (mut stretch, mut is_beyond) = (one, zero);
        if moves.any() {
            let turns = joint_limb::turns(&joints);
            new_root = LaneQuat::select(moves, (root * turns.root).normalize(), root);
            new_mid = LaneQuat::select(moves, (turns.mid * mid).normalize(), mid);
            stretch = L::select(moves, turns.stretch, one);
            let length = joints.mid_at.dot(joints.mid_at).root() + joints.end_at.dot(joints.end_at).root();
            is_beyond = L::select(moves.and((length * L::splat(1e-5)).lt(turns.beyond)), one, zero);
        }
        // The residual on the new joints, in the space of the root's parent.
        let lower = new_root * new_mid;
        let reached = (new_root.rotate(joints.mid_at) + lower.rotate(joints.end_at)) * stretch;
        let mut weighted = joints.target;
        let partly = weight.lt(one);
        if partly.any() {
            let before = root.rotate(joints.mid_at + mid.rotate(joints.end_at));
            weighted = LaneVec3::select(partly, before + (weighted - before) * weight, weighted);
        }
        let left_ms = parent.rotate(reached - weighted);
        let mut new_end = LaneQuat::identity();
        if END {
            let end = rotation(input[KERNEL_INPUT_END]);
            let mut wanted = inward * rotation(input[10]);
            if end_weight.lt(one).any() {
                wanted = mixed_end((root * mid * end).normalize(), wanted, end_weight);
            }
            new_end = (lower.conjugate() * wanted).normalize();
        }
        [
            numbers(new_root),
            numbers(new_mid),
            numbers(new_end),
            with(left_ms, L::select(moves, one, zero)),
            [stretch, is_beyond, L::select(moves, one, zero), end_weight],
        ]
    }
}

/// The goal orientation of the end in the space of the root's parent, where some goals have partial
/// weight.
#[inline(never)]
fn mixed_end<L: Lane>(kept: LaneQuat<L>, goal: LaneQuat<L>, weight: L) -> LaneQuat<L> {
    L::run(MixedEnd { kept, goal, weight })
}

struct MixedEnd<L> {
    kept: LaneQuat<L>,
    goal: LaneQuat<L>,
    weight: L,
}

impl<L: Lane> Task for MixedEnd<L> {
    type Output = LaneQuat<L>;
    #[inline(always)]
    fn run(self) -> LaneQuat<L> {
        let Self { kept, goal, weight } = self;
        let mixed = lane_slerp_short(kept, goal.normalize(), weight);
        LaneQuat::select(weight.lt(L::splat(1.0)), mixed, goal)
    }
}

/// Masks of the lanes in which the output turns the mid joint, the end, and the root.
#[inline(always)]
pub(crate) fn masks<L: Lane>(answer: &LimbKernelOutput<L>) -> [L::Mask; 3] {
    let is = |number: L| L::splat(0.0).lt(number);
    let moves = is(answer[4][2]);
    [is(answer[3][3]), moves.or(is(answer[4][3])), moves]
}

/// A rotation given in the parent of a path's first joint, in that of its last.
#[inline(always)]
fn own<L: Lane>(above: Option<LaneQuat<L>>, new: LaneQuat<L>) -> LaneQuat<L> {
    match above {
        Some(above) => (above.conjugate() * new).normalize(),
        None => new,
    }
}

/// Writes the kernel's output to the joints; their frames are stale afterwards. Without `END` the
/// end moves rigidly with the mid joint.
#[inline(always)]
pub(crate) fn put<L: Lane, const END: bool>(
    figure: &mut impl JointView<L>,
    limb: &LimbJoints,
    between: &Between<L>,
    answer: &LimbKernelOutput<L>,
) -> RigidOutcome<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let [stretch, is_beyond, ..] = answer[4];
    let [bends, turns, moves] = masks(answer);
    figure.set_rotation(moves, limb.root(), rotation(answer[0]));
    figure.set_rotation(bends, limb.mid(), own(between[0], rotation(answer[1])));
    let longer = one.lt(stretch);
    if longer.any() {
        for &joint in &limb.path()[1..] {
            let position = figure.local(joint).position * stretch;
            // One that overflows stays as it is.
            let [x, y, z] = [position.x, position.y, position.z].map(|n| n.abs().lt(L::splat(f32::INFINITY)));
            figure.set_position(longer.and(x.and(y).and(z)), joint, position);
        }
    }
    if END {
        figure.set_rotation(turns, limb.end(), own(between[1], rotation(answer[2])));
    }
    let left_ms = vector(answer[3]);
    RigidOutcome { still: moves.not(), is_beyond: zero.lt(is_beyond), left_ms }
}

/// Solves a limb with an attached end and without scale; the end moves rigidly. The frames above
/// the limb must be up to date; those of the limb are stale afterwards.
pub(crate) fn solve_rigid(figure: &mut ScaledPoseView, limb: &LimbJoints, goal: &RigidGoal<f32>) -> RigidOutcome<f32> {
    let mut input = [[0.0; 4]; KERNEL_INPUTS];
    let between = pack_input(figure, limb, goal, &mut input);
    // One limb, so the numbers of a vector are side by side.
    let answer = LimbKernel::<false>.run(&input.map(|four| four.map(ScalarInRegister)));
    put::<f32, false>(figure, limb, &between, &answer.map(|four| four.map(f32::from)))
}
