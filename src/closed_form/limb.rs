//! A two-bone limb on a pose: gathers the joints' numbers for the closed form of [`two_bone`] and
//! writes the result back.
//!
//! The solve space is that of the root joint's parent. There a limb depends only on the local
//! transforms of its joints, so a moved, turned, scaled, unevenly scaled or mirrored parent changes
//! only the positions of the target and the pole: points, straight lines and planes are mapped
//! exactly.
//!
//! Joints between root and mid or mid and end (twist bones) move rigidly with them. An end that is
//! not a descendant of the mid joint (rigs with feet under the root) is carried as if it were: its
//! position moves with the mid joint.

use super::joint_limb::{self, JointLimb};
use super::two_bone::{self, TwoBone};
use crate::math::{
    Frame, Kernel, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Rigid, ScalarInRegister, Vec3, axis_angle,
    conjugate_by_signs, lane_slerp_short, length, normalize_or,
};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::{JointView, ScaledPoseView};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// The three joints of a limb, each a descendant of the one before, and those between them.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbJoints {
    /// Root … mid … end, with every joint between, in joint order; ends with mid when `end` is not
    /// a descendant of it.
    path: Box<[JointIndex]>,
    /// Index of the mid joint in `path`.
    mid_place: usize,
    end: JointIndex,
}

impl LimbJoints {
    /// A limb; `None` unless `mid` is a descendant of `root`, and `end` a descendant of `mid` or
    /// outside the limb.
    pub fn new(skeleton: &Skeleton, root: JointIndex, mid: JointIndex, end: JointIndex) -> Option<Self> {
        let below = |above, below| above != below && skeleton.is_self_or_ancestor(above, below);
        let attached = below(mid, end);
        if !below(root, mid) || (!attached && (skeleton.is_self_or_ancestor(root, end) || below(end, root))) {
            return None;
        }
        let last = if attached { end } else { mid };
        let mut path = vec![last];
        path.extend(skeleton.ancestors(last).take_while(|j| *j != root));
        path.push(root);
        path.reverse();
        let mid_place = path.iter().position(|j| *j == mid)?;
        Some(Self { path: path.into(), mid_place, end })
    }
    /// The first joint (shoulder, hip).
    pub fn root(&self) -> JointIndex {
        self.path[0]
    }
    /// The joint that bends (elbow, knee).
    pub fn mid(&self) -> JointIndex {
        self.path[self.mid_place]
    }
    /// The end joint, which has the goal (wrist, ankle).
    pub fn end(&self) -> JointIndex {
        self.end
    }
    /// Whether the end is a descendant of the mid joint.
    pub fn is_attached(&self) -> bool {
        self.path[self.path.len() - 1] == self.end
    }
    /// Root to end with every joint between; to the mid joint when the end is not a descendant of
    /// it.
    pub fn path(&self) -> &[JointIndex] {
        &self.path
    }
}

/// Goal of a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// Goal position of the end joint, model space, metres.
    pub target_ms: Vec3,
    /// Weight of the target, 0 … 1.
    pub weight: f32,
    /// Pole: the point the mid joint bends towards, model space, metres.
    pub pole_ms: Vec3,
    /// Weight of the pole, 0 … 1.
    pub pole_weight: f32,
    /// Bend side of a straight limb: a vector fixed in the root joint's space, any length.
    pub bend_side_js: Vec3,
    /// Direction over which the bend side is carried, in the space of the root joint's parent;
    /// zero: the limb's present direction. See [`TwoBone::centre`].
    pub centre_ps: Vec3,
    /// See [`TwoBone::softness`]; 0 … 1.
    pub softness: f32,
    /// See [`TwoBone::stretch`]; 0 … 1.
    pub stretch: f32,
}

impl LimbGoal {
    /// Full weight, no pole, hard limb, constant bone lengths; a straight limb bends to
    /// `bend_side_js`.
    pub fn at(target_ms: Vec3, bend_side_js: Vec3) -> Self {
        Self {
            target_ms,
            weight: 1.0,
            pole_ms: Vec3::ZERO,
            pole_weight: 0.0,
            bend_side_js,
            centre_ps: Vec3::ZERO,
            softness: 0.0,
            stretch: 0.0,
        }
    }
}

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

/// Whether [`solve_rigid`] may solve the limb (fast path without scale). The end's own scale has no
/// effect on the limb.
pub(crate) fn is_rigid(skeleton: &Skeleton, pose: &Pose, limb: &LimbJoints) -> bool {
    limb.is_attached()
        && skeleton.parent(limb.root()).is_none_or(|parent| pose.model(parent).is_rigid())
        && limb.path[..limb.path.len() - 1].iter().all(|j| pose.local()[*j].scale == Vec3::ONE)
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
    let (mid, above_mid) = reach_along(figure, &limb.path[1..limb.mid_place + 1]);
    let (end, above_end) = reach_along(figure, &limb.path[limb.mid_place + 1..]);
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
    let mixed = lane_slerp_short(kept, goal.normalize(), weight);
    LaneQuat::select(weight.lt(L::splat(1.0)), mixed, goal)
}

/// Masks of the lanes in which the output turns the mid joint, the end, and the root.
#[inline(always)]
pub(crate) fn masks<L: Lane>(answer: &LimbKernelOutput<L>) -> [L::Mask; 3] {
    let is = |number: L| L::splat(0.0).lt(number);
    let moves = is(answer[4][2]);
    [is(answer[3][3]), moves.or(is(answer[4][3])), moves]
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
    let own =
        |above: Option<LaneQuat<L>>, new: LaneQuat<L>| above.map_or(new, |above| (above.conjugate() * new).normalize());
    figure.set_rotation(moves, limb.root(), rotation(answer[0]));
    figure.set_rotation(bends, limb.mid(), own(between[0], rotation(answer[1])));
    let longer = one.lt(stretch);
    if longer.any() {
        for &joint in &limb.path[1..] {
            let position = figure.local(joint).position * stretch;
            figure.set_position(longer, joint, position);
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

/// Rounds for a limb whose joints have uneven scale, where the bone lengths depend on the bend.
const UNEVEN_ROUNDS: u32 = 8;
/// Steps per round of the root finding for the bend of such a limb.
const BEND_STEPS: u32 = 12;

/// The limb's vectors in the space of the root joint's parent, relative to the root joint.
struct Measured {
    root_mid: Vec3,
    root_end: Vec3,
    /// Space of the root joint.
    root: Frame,
    /// Space of the mid joint's parent.
    mid_parent: Frame,
    /// Space of the mid joint.
    mid: Frame,
    /// Whether a scale between root and mid is uneven.
    uneven: bool,
}

/// `detached_end` is the end relative to the root joint when it is not attached to the limb.
fn measure(pose: &Pose, limb: &LimbJoints, detached_end: Option<Vec3>) -> Measured {
    let mut frame = Frame::IDENTITY;
    let mut measured = Measured {
        root_mid: Vec3::ZERO,
        root_end: Vec3::ZERO,
        root: frame,
        mid_parent: frame,
        mid: frame,
        uneven: false,
    };
    for (place, &joint) in limb.path.iter().enumerate() {
        let mut local = pose.local()[joint];
        local.rotation = local.rotation.normalize();
        if place == 0 {
            local.position = Vec3::ZERO;
        }
        if place == limb.mid_place {
            measured.mid_parent = frame;
        }
        frame = frame.then(&local);
        if place == 0 {
            measured.root = frame;
        }
        if place < limb.mid_place {
            let s = local.scale.abs();
            let largest = s.max_element();
            measured.uneven |= largest - s.min_element() > 1e-6 * largest;
        }
        if place == limb.mid_place {
            measured.root_mid = frame.position;
            measured.mid = frame;
        }
    }
    measured.root_end = detached_end.unwrap_or(frame.position);
    measured
}

/// Solves the limb on the pose. The model frames of the root joint's ancestors must be up to date;
/// those of the limb's joints are when it returns, those below are stale. Changes nothing when both
/// weights are 0 or when a zero scale above the limb makes its space singular.
pub fn solve(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    let outcome = solve_stale(skeleton, pose, limb, goal);
    if outcome.status != Status::Inactive {
        update_frames(skeleton, pose, limb);
    }
    outcome
}

/// Updates the frames of the limb's joints.
pub(crate) fn update_frames(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints) {
    pose.update_joints(skeleton, limb.path());
    if !limb.is_attached() {
        pose.update_joints(skeleton, &[limb.end]);
    }
}

/// [`solve`] without the final update: the frames of the limb's joints are stale when it returns.
pub(crate) fn solve_stale(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    if goal.weight <= 0.0 && goal.pole_weight <= 0.0 {
        return Outcome::INACTIVE;
    }
    if is_rigid(skeleton, pose, limb) {
        return solve_even(skeleton, pose, limb, goal);
    }
    let parent = pose.parent_frame(skeleton, limb.root());
    let Some(to_parent) = parent.inverse_linear() else {
        let residual_m = pose.model(limb.end()).position.distance(goal.target_ms) * goal.weight;
        return Outcome { status: Status::Unreachable, residual_m, ..Outcome::INACTIVE };
    };
    let root_ms = parent.point_out(pose.local()[limb.root()].position);
    let pole_ps = to_parent * (goal.pole_ms - root_ms);
    let lane = LaneVec3::from_vec3;
    let mut detached = (!limb.is_attached()).then(|| to_parent * (pose.model(limb.end).position - root_ms));
    let mut measured = measure(pose, limb, detached);
    let mut target_ps = to_parent * (goal.target_ms - root_ms);
    if goal.weight < 1.0 {
        target_ps = measured.root_end + (target_ps - measured.root_end) * goal.weight;
    }
    let mut outcome = Outcome::INACTIVE;
    loop {
        let bend_side = measured.root.vector_out(goal.bend_side_js);
        let limb_now = TwoBone {
            root_mid: lane(measured.root_mid),
            mid_end: lane(measured.root_end - measured.root_mid),
            hinge: lane(hinge(bend_side, &measured)),
            centre: lane(goal.centre_ps),
            target: lane(target_ps),
            weight: 1.0,
            pole: lane(pole_ps),
            pole_weight: goal.pole_weight,
            // With the square of the weight, as in the kernel, which gets the weighted target here.
            softness: goal.softness * goal.weight * goal.weight,
            // Stretched once; further rounds only adjust the bend.
            stretch: if outcome.iterations == 0 { goal.stretch } else { 0.0 },
        };
        let solution = two_bone::solve(&limb_now);
        write(pose, limb, &measured.mid_parent, solution.root.to_quat(), solution.mid.to_quat(), solution.stretch);
        let limb_length = measured.root_mid.length() + (measured.root_end - measured.root_mid).length();
        outcome.status = if solution.beyond > 1e-5 * limb_length { Status::Unreachable } else { Status::Reached };
        outcome.iterations += measured.uneven as u32;
        let uneven = measured.uneven;
        if detached.is_some() {
            // Position of the end as a child of the mid joint.
            let end_js = measured.mid.point_in(measured.root_end).unwrap_or(Vec3::ZERO);
            detached = Some(measure(pose, limb, detached).mid.point_out(end_js * solution.stretch));
        }
        measured = measure(pose, limb, detached);
        // With even scale one round is exact. With uneven scale the bone lengths have changed: find
        // the bend that puts the end at the target's distance from the root, and repeat for the
        // direction.
        if uneven && detached.is_none() {
            measured = bend_to_distance(pose, limb, measured, target_ps.length());
        }
        let error = measured.root_end.distance(target_ps);
        if !uneven || error <= 1e-6 * limb_length || outcome.iterations >= UNEVEN_ROUNDS {
            if uneven && error > 1e-5 * limb_length && outcome.status == Status::Reached {
                outcome.status = Status::OutOfIterations;
            }
            break;
        }
    }
    if let Some(end_ps) = detached {
        pose.set_position_ms(skeleton, limb.end, root_ms + parent.vector_out(end_ps));
    }
    outcome.residual_m = length(parent.vector_out(measured.root_end - target_ps));
    outcome
}

/// [`solve`] for a limb without scale.
fn solve_even(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    let lane = LaneVec3::from_vec3;
    let goal = RigidGoal {
        target_ms: lane(goal.target_ms),
        weight: goal.weight,
        pole_ms: lane(goal.pole_ms),
        pole_weight: goal.pole_weight,
        bend_side_js: goal.bend_side_js,
        centre_ps: goal.centre_ps,
        softness: goal.softness,
        stretch: goal.stretch,
        end_ms: LaneQuat::identity(),
        end_weight: 0.0,
    };
    let left = solve_rigid(&mut ScaledPoseView { skeleton, pose }, limb, &goal);
    let status = if left.is_beyond { Status::Unreachable } else { Status::Reached };
    Outcome { status, iterations: 0, residual_m: length(left.left_ms.to_vec3()), residual_rad: 0.0 }
}

/// Turns the mid joint about its current hinge until the end is `distance` from the root, by a few
/// secant steps.
fn bend_to_distance(pose: &mut Pose, limb: &LimbJoints, from: Measured, distance: f32) -> Measured {
    let lower = from.root_end - from.root_mid;
    let axis = from.root_mid.cross(lower);
    if axis.length_squared() <= 1e-10 * from.root_mid.length_squared() * lower.length_squared() {
        // Straight or folded: the kernel's bend is kept.
        return from;
    }
    let axis = normalize_or(axis, Vec3::X);
    let (outer, signs) = (from.mid_parent.rotation, from.mid_parent.signs());
    let start = pose.local()[limb.mid()].rotation;
    let off = |measured: &Measured| measured.root_end.length() - distance;
    let tolerance = 2e-7 * (from.root_mid.length() + lower.length());
    let mut slope = from.root_end.dot(axis.cross(lower)) / from.root_end.length().max(tolerance);
    let (mut angle, mut error) = (0.0, off(&from));
    let (mut best, mut best_error, mut best_rotation) = (from, error.abs(), start);
    for _ in 0..BEND_STEPS {
        if best_error <= tolerance || slope == 0.0 {
            break;
        }
        let step = (-error / slope).clamp(-0.5, 0.5);
        let turn = outer.conjugate() * axis_angle(axis, angle + step) * outer;
        pose.local_mut()[limb.mid()].rotation = (conjugate_by_signs(turn, signs) * start).normalize();
        let now = measure(pose, limb, None);
        slope = (off(&now) - error) / step;
        (angle, error) = (angle + step, off(&now));
        if error.abs() < best_error {
            (best, best_error, best_rotation) = (now, error.abs(), pose.local()[limb.mid()].rotation);
        }
    }
    pose.local_mut()[limb.mid()].rotation = best_rotation;
    best
}

/// Flexion axis that bends the limb to `bend_side`: `side × direction`, from the limb's direction
/// or, where it is folded, its upper bone.
fn hinge(bend_side: Vec3, measured: &Measured) -> Vec3 {
    let end = measured.root_end;
    let along = if end.length_squared() > 1e-8 * measured.root_mid.length_squared() { end } else { measured.root_mid };
    let axis = bend_side.cross(along);
    if axis.length_squared() > 1e-8 * bend_side.length_squared() * along.length_squared() {
        axis
    } else {
        // The given side is along the bone: an arbitrary perpendicular axis.
        LaneVec3::from_vec3(along).normalize_or(LaneVec3::from_vec3(Vec3::X), 1e-20).0.any_perpendicular().to_vec3()
    }
}

fn write(pose: &mut Pose, limb: &LimbJoints, mid_parent: &Frame, root_turn: Quat, mid_turn: Quat, stretch: f32) {
    let root = &mut pose.local_mut()[limb.root()];
    root.rotation = (root_turn * root.rotation.normalize()).normalize();
    // The mid joint's turn, from the solve space into that of its parent after the root's turn.
    let outer = (root_turn * mid_parent.rotation).normalize();
    let turn = conjugate_by_signs(outer.conjugate() * mid_turn * outer, mid_parent.signs());
    let mid = &mut pose.local_mut()[limb.mid()];
    mid.rotation = (turn * mid.rotation.normalize()).normalize();
    if stretch != 1.0 {
        for &joint in &limb.path[1..] {
            pose.local_mut()[joint].position *= stretch;
        }
    }
}
