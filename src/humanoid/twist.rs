//! Twist: the roll that a goal causes at a hand, foot, upper arm or thigh, shared along the limb's
//! segments.
//!
//! Unity's avatar has four parameters for it: the part of a segment's roll that its far joint
//! takes, 0 (all at the near joint) … 1 (all at the far joint), default 0.5. Which roll that is
//! when IK turns a hand is not public; ours:
//!
//! - Shared is the roll that the *solve added*: that of the upper arm or thigh about its own axis
//!   against its parent, and that of the hand or foot about the forearm or shin against it. Roll of
//!   the animation itself is not shared, so nothing changes where a goal changes nothing, and the
//!   result is continuous in every weight.
//! - The near joint (shoulder, elbow) gets `1 − parameter` of it, the far joint (elbow, wrist) all
//!   of it, and every joint between — split bones on the line, and twist or roll joints beside it —
//!   in proportion to its position between the two. For a rig whose twist joints carry all the roll
//!   use parameter 1.
//! - Wrists and elbows, ankles and knees keep their positions and orientations: each joint turns
//!   about the line from itself to the far joint, and the far joint turns back.
//!
//! # Near half a turn
//!
//! A roll of 180° is one of −180°, so no constant share of it is continuous there. The roll is
//! counted from the middle of what the joint can do (the T-pose; for a hand 45° supinated from it,
//! since palms down is nearly the end of pronation), shared in full up to 120°, and the shared part
//! then falls to zero at 180° along a smooth step. A hand that turns a full circle takes its
//! forearm along and releases it on the far side without a jump; the forearm is fastest at
//! parameter 0, 3.2 times as fast as the hand. In the same way the shared part fades out where a
//! hand folds back on its forearm (swing from 139° to 169°), where swing and twist cannot be
//! separated.
//!
//! Source: the split into swing and twist is textbook (e.g. P. Dobrowolski, "Swing-twist
//! decomposition in Clifford algebra", 2015); the shares follow Unity's parameters; the periodic
//! share is ours.

use super::mapping::HumanMap;
use super::twist_roll::{Roll, Turn, is_some, shared};
use super::{BodyAxes, IkGoal};
use crate::closed_form::limb::LimbJoints;
use crate::closed_form::limb_kernel::{
    self as limb, KERNEL_INPUTS, KERNEL_OUTPUTS, LimbKernel, numbers, rotation, vector,
};
use crate::math::dispatch::Task;
use crate::math::{
    F32x4, Kernel, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Rigid, ScalarInRegister, Vec3, float, normalize_or,
    wrap_angle,
};
use crate::skeleton::joint_view::{JointView, ScaledPoseView, always};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;
/// Middle of a forearm's roll, counted from palms down towards palms forward, radians.
const FOREARM_CENTRE: f32 = PI / 4.0;

/// A twist joint beside the segment's line.
#[derive(Clone, Debug)]
struct Leaf {
    joint: JointIndex,
    /// The segment's axis in the space of the joint's parent, unit.
    axis_ps: Vec3,
    /// Its place on the segment minus that of its parent.
    step: f32,
}

/// Upper arm, forearm, thigh or shin.
#[derive(Clone, Debug)]
struct Segment {
    /// Near joint, joints between, far joint.
    path: Box<[JointIndex]>,
    /// Their places between near (0) and far (1).
    places: Box<[f32]>,
    leaves: Box<[Leaf]>,
    /// The roll arises at the far joint (the hand's) and not at the near one (the upper arm's).
    from_far: bool,
    /// A rotation's inner products with these are the real and the imaginary part of its [`Roll`].
    real: Quat,
    imaginary: Quat,
    /// Middle of the roll's range, radians.
    centre_rad: f32,
    /// Unity's parameter.
    share: f32,
}

/// What is known of a limb's twist.
#[derive(Clone, Debug, Default)]
pub(crate) struct TwistRig {
    /// Upper and lower segment.
    segments: [Option<Segment>; 2],
    /// There are both, and no joints between or beside.
    is_plain: bool,
}

/// Number of kernel inputs: limb, goal and twist.
pub(crate) const KERNEL_INPUT_TWIST: usize = KERNEL_INPUTS + 5;

/// A limb's new rotations with its rolls shared, for limbs without joints between or beside
/// ([`TwistRig::is_plain`]).
pub(crate) struct TwistedLimbKernel;

impl Kernel<KERNEL_INPUT_TWIST, KERNEL_OUTPUTS> for TwistedLimbKernel {
    #[inline(always)]
    fn run<L: Lane>(&self, packed: &[[L; 4]; KERNEL_INPUT_TWIST]) -> [[L; 4]; KERNEL_OUTPUTS] {
        let zero = L::splat(0.0);
        let (Some(limb), Some([upper_re, upper_im, lower_re, lower_im, parts])) =
            (packed.first_chunk(), packed.last_chunk())
        else {
            return [[zero; 4]; KERNEL_OUTPUTS];
        };
        let mut answer = LimbKernel::<true>.run(limb);
        let [_, turns, ..] = limb::masks(&answer);
        let [root, mid, end] = [answer[0], answer[1], answer[2]].map(rotation);
        let old_end = rotation(packed[limb::KERNEL_INPUT_END]);
        let end = LaneQuat::select(turns, end, old_end);
        let [upper, lower] = [[upper_re, upper_im], [lower_re, lower_im]].map(|parts| parts.map(|q| rotation(*q)));
        // As the limb is when it has lengthened: 1 changes no bit.
        let mid_at = vector(packed[limb::KERNEL_INPUT_MID_AT]) * answer[4][0];
        let end_at = vector(packed[limb::KERNEL_INPUT_END_AT]) * answer[4][0];
        let old_root = rotation(packed[limb::KERNEL_INPUT_ROOT]);
        let turns = [
            added_turn([old_root, root], upper, parts[0], mid_at),
            added_turn([old_end, end], lower, parts[1], end_at),
        ];
        let [root, mid, end] = shared([root, mid, end], &turns).map(numbers);
        (answer[0], answer[1], answer[2]) = (root, mid, end);
        let one = L::splat(1.0);
        answer[3][3] = L::select(turns[1].counts, one, answer[3][3]);
        answer
    }
}

/// The turn that shares what a segment's roll has grown by between two rotations.
#[inline(always)]
fn added_turn<L: Lane>(
    [before, now]: [LaneQuat<L>; 2],
    parts: [LaneQuat<L>; 2],
    part: L,
    along: LaneVec3<L>,
) -> Turn<L> {
    Turn::of_rolls(&Roll::of(before, parts), &Roll::of(now, parts), part, along)
}

/// The rolls of a limb's two segments, and how its joints were turned when it was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwistState<L> {
    rolls: [Option<Roll<L>>; 2],
    /// Local rotations of root and mid joint after the limb was solved, when something else may
    /// turn them.
    solved: Option<[LaneQuat<L>; 2]>,
}

/// What a limb's twist is measured on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwistSource<'a> {
    pub skeleton: &'a Skeleton,
    pub map: &'a HumanMap,
    pub axes: &'a BodyAxes,
    /// Frames up to date.
    pub t_pose: &'a Pose,
    /// Which joints are twist joints by their names.
    pub is_twist: &'a [bool],
}

impl TwistRig {
    /// Measures the T-pose. `shares` are the parameters of the upper and the lower segment.
    pub fn new(source: TwistSource, goal: IkGoal, limb: &LimbJoints, shares: [f32; 2]) -> Self {
        let path = limb.path();
        let Some(mid) = path.iter().position(|j| *j == limb.mid()) else {
            return Self::default();
        };
        let segment = |path: &[JointIndex], from_far: bool| {
            Segment::new(source, goal, path, from_far, shares[usize::from(from_far)])
        };
        // A hand or foot that is not below its limb does not twist it.
        let lower = if limb.is_attached() { segment(&path[mid..], true) } else { None };
        let segments = [segment(&path[..=mid], false), lower];
        let is_plain = segments.iter().all(|s| s.as_ref().is_some_and(|s| s.path.len() == 2 && s.leaves.is_empty()));
        Self { segments, is_plain }
    }

    /// The part of a roll that the hand or foot keeps.
    pub fn kept_by_end(&self) -> f32 {
        self.segments[1].as_ref().map_or(1.0, |s| s.share)
    }
    /// Twist joints beside the limb's line.
    pub fn leaves(&self) -> impl Iterator<Item = JointIndex> {
        self.segments.iter().flatten().flat_map(|s| s.leaves.iter().map(|leaf| leaf.joint))
    }
    /// The rolls as they are now.
    #[inline(always)]
    pub fn read<L: Lane>(&self, figure: &impl JointView<L>) -> TwistState<L> {
        let [upper, lower] = &self.segments;
        let mut rolls = [None; 2];
        for (roll, segment) in rolls.iter_mut().zip([upper, lower]) {
            if let Some(segment) = segment {
                *roll = Some(segment.roll(figure));
            }
        }
        TwistState { rolls, solved: None }
    }
    /// Whether the limb has no joints but its three, and both segments: then [`TwistedLimbKernel`]
    /// knows all of its twist.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }
    /// The same on a figure on which no joint that would turn has an uneven scale.
    #[inline(always)]
    fn is_plain_on<L: Lane>(&self, figure: &impl JointView<L>) -> bool {
        self.is_plain && self.segments.iter().flatten().all(|s| figure.is_even(&s.path[..1]))
    }
    /// Packs the input of [`TwistedLimbKernel`] behind that of the limb.
    #[inline(always)]
    pub fn pack<L: Lane>(&self, packed: &mut [[L; 4]; KERNEL_INPUT_TWIST]) {
        let (Some(packed), [Some(upper), Some(lower)]) = (packed.last_chunk_mut::<5>(), &self.segments) else { return };
        let quat = |q: Quat| numbers(LaneQuat::splat(q));
        let (part, zero) = (|segment: &Segment| L::splat(segment.near_part()), L::splat(0.0));
        *packed = [
            quat(upper.real),
            quat(upper.imaginary),
            quat(lower.real),
            quat(lower.imaginary),
            [part(upper), part(lower), zero, zero],
        ];
    }
    /// Shares what the rolls have grown by since `before`, but in a segment whose own joint a later
    /// step has turned since the limb was solved: that rotation is kept. In a `limited` limb elbow
    /// and knee stay hinges: they take nothing of the upper bone's roll.
    #[inline(always)]
    pub fn share<L: Lane>(
        &self,
        figure: &mut impl JointView<L>,
        limb: &LimbJoints,
        before: &TwistState<L>,
        limited: bool,
    ) {
        // Before anything is shared: sharing the upper segment's roll turns the mid joint itself.
        let joints = [limb.root(), limb.mid()];
        let held = before
            .solved
            .map(|solved| core::array::from_fn::<_, 2, _>(|i| is_same(figure.local(joints[i]).rotation, solved[i])));
        let is_held = |i: usize| held.map_or(always::<L>(), |held| held[i]);
        let now = self.read(figure);
        let added = |i: usize| {
            let (segment, now, before) = (self.segments[i].as_ref()?, now.rolls[i]?, before.rolls[i]?);
            Some((segment, now, before)).filter(|_| i == 1 || !limited)
        };
        if !limited && self.is_plain_on(figure) {
            let mut turns = [Turn::none(); 2];
            for (i, turn) in turns.iter_mut().enumerate() {
                let Some((segment, now, before)) = added(i) else { continue };
                let (part, along) = (L::splat(segment.near_part()), figure.local(segment.path[1]).position);
                *turn = Turn::of_rolls(&before, &now, part, along).only(is_held(i));
            }
            let [root, mid, end] = [limb.root(), limb.mid(), limb.end()];
            let rotations = shared([root, mid, end].map(|j| figure.local(j).rotation), &turns);
            let [upper, lower] = turns.map(|turn| turn.counts);
            for ((joint, rotation), mask) in
                [root, mid, end].into_iter().zip(rotations).zip([upper, upper.or(lower), lower])
            {
                figure.set_rotation(mask, joint, rotation);
            }
            return;
        }
        let mut all = [None; 2];
        for (i, all) in all.iter_mut().enumerate() {
            if let Some((segment, now, before)) = added(i) {
                let whole = || whole_added(now, before, L::splat(segment.centre_rad));
                *all = Some(if limited { whole() } else { now.added(&before) });
            }
        }
        for (i, added_rad) in all.into_iter().enumerate() {
            if let (Some(segment), Some(added_rad)) = (&self.segments[i], added_rad) {
                let some = is_some(added_rad).and(is_held(i));
                if some.any() {
                    segment.roll_by(figure, some, added_rad);
                }
            }
        }
    }
}

/// A limited limb whose roll is shared, with its rolls from before.
pub(crate) type LimitedTwist<'a> = (&'a TwistRig, &'a LimbJoints, &'a TwistState<f32>);

/// [`TwistRig::share`] of the limited limbs of a pose, those without joints between or beside side
/// by side.
pub(crate) fn share_limited(figure: &mut ScaledPoseView, limbs: [Option<LimitedTwist>; 4]) {
    let lower: [Option<LowerLimb>; 4] = limbs.map(|limb| {
        let (rig, joints, before) = limb?;
        if !rig.is_plain_on(figure) {
            rig.share(figure, joints, before, true);
            return None;
        }
        let (segment, roll) = (rig.segments[1].as_ref()?, before.rolls[1]?);
        let [mid, end] = [joints.mid(), joints.end()].map(|joint| figure.local(joint));
        let is_held = before.solved.is_none_or(|solved| is_same(mid.rotation, solved[1]));
        is_held.then_some((segment, [mid, end], roll))
    });
    let Some(first) = lower.iter().flatten().next() else { return };
    // Unused lanes repeat a limb.
    let shared = F32x4::run(ShareFour(&lower.each_ref().map(|limb| limb.as_ref().unwrap_or(first))));
    for (i, limb) in lower.iter().enumerate() {
        let Some((segment, ..)) = limb else { continue };
        for (joint, rotation) in segment.path.iter().zip(&shared.0) {
            figure.set_rotation(shared.1 >> i & 1 != 0, *joint, LaneQuat::from_quat(rotation.at(i)));
        }
    }
}

/// The lower segment of a limb, its mid and end joints, and its roll from before.
type LowerLimb<'a> = (&'a Segment, [Rigid<f32>; 2], Roll<f32>);

/// Those of four limbs.
struct ShareFour<'a>(&'a [&'a LowerLimb<'a>; 4]);

impl Task for ShareFour<'_> {
    /// New rotations of mid and end joints, and a bit for each limb where these count.
    type Output = ([LaneQuat<F32x4>; 2], u8);
    #[inline(always)]
    fn run(self) -> Self::Output {
        let limbs = self.0;
        let quat = |of: fn(&Segment) -> Quat| LaneQuat::of(limbs.map(|(segment, ..)| of(segment)));
        let [mid, end] = [0, 1].map(|i| LaneQuat::of(limbs.map(|(_, joints, _)| joints[i].rotation.to_quat())));
        let now = Roll::of(end, [quat(|segment| segment.real), quat(|segment| segment.imaginary)]);
        let (real, imaginary) = (limbs.map(|(.., roll)| roll.real), limbs.map(|(.., roll)| roll.imaginary));
        let before = Roll { real: F32x4(real), imaginary: F32x4(imaginary) };
        let added_rad = whole_added(now, before, F32x4(limbs.map(|(segment, ..)| segment.centre_rad)));
        let part = F32x4(limbs.map(|(segment, ..)| segment.near_part()));
        let along = LaneVec3::of(limbs.map(|(_, joints, _)| joints[1].position.to_vec3()));
        let turn = Turn::of_angle(added_rad, part, along);
        let [_, mid, end] = shared([LaneQuat::identity(), mid, end], &[Turn::none(), turn]);
        ([mid, end], turn.counts.bits())
    }
}

/// What has been added to the whole roll, counted from the T-pose, of a limb that never comes near
/// half a turn. `centre_rad` as in [`Segment`].
#[inline(always)]
fn whole_added<L: Lane>(now: Roll<L>, before: Roll<L>, centre_rad: L) -> L {
    let whole = |roll: Roll<L>| (roll.forward().angle() + centre_rad).map(wrap_angle);
    whole(now) - whole(before)
}

/// Where all four numbers are equal.
#[inline(always)]
fn is_same<L: Lane>(a: LaneQuat<L>, b: LaneQuat<L>) -> L::Mask {
    let other = |a: L, b: L| a.lt(b).or(b.lt(a));
    other(a.x, b.x).or(other(a.y, b.y)).or(other(a.z, b.z)).or(other(a.w, b.w)).not()
}

impl TwistState<ScalarInRegister> {
    /// The plain numbers.
    pub fn to_scalar(self) -> TwistState<f32> {
        let roll = |r: Roll<ScalarInRegister>| Roll { real: r.real.0, imaginary: r.imaginary.0 };
        let solved = self.solved.map(|rotations| rotations.map(LaneQuat::<ScalarInRegister>::to_scalar));
        TwistState { rolls: self.rolls.map(|r| r.map(roll)), solved }
    }
}

impl<L: Lane> TwistState<L> {
    /// The same rolls with the rotations that the limb's solve has left: something else may turn
    /// the joints before the share.
    pub fn after_solve(self, figure: &impl JointView<L>, limb: &LimbJoints) -> Self {
        Self { solved: Some([limb.root(), limb.mid()].map(|j| figure.local(j).rotation)), ..self }
    }
}

impl Segment {
    fn new(source: TwistSource, goal: IkGoal, path: &[JointIndex], from_far: bool, share: f32) -> Option<Self> {
        let TwistSource { skeleton, map, axes, t_pose, is_twist } = source;
        let (near, far) = (path[0], path[path.len() - 1]);
        let at = |j: JointIndex| t_pose.model(j).position;
        let line = at(far) - at(near);
        let whole = line.length_squared();
        let inward = |joint: Option<JointIndex>| match joint {
            Some(joint) => t_pose.model(joint).inverse_linear().map(|m| normalize_or(m * line, Vec3::ZERO)),
            None => Some(normalize_or(line, Vec3::ZERO)),
        };
        let place = |j: JointIndex| ((at(j) - at(near)).dot(line) / whole).clamp(0.0, 1.0);
        let axis = inward(if from_far { Some(near) } else { skeleton.parent(near) })?;
        if axis == Vec3::ZERO || !whole.is_normal() {
            return None;
        }
        let mut places: Vec<f32> = path.iter().map(|j| place(*j)).collect();
        (places[0], places[path.len() - 1]) = (0.0, 1.0);
        let mut leaves: Vec<(Leaf, f32)> = Vec::new();
        for joint in skeleton.subtree(near).skip(1) {
            if !is_twist[joint] || path.contains(&joint) || map.bone_of(joint).is_some() {
                continue;
            }
            let Some(parent) = skeleton.parent(joint) else { continue };
            let on_path = path[..path.len() - 1].iter().position(|j| *j == parent).map(|i| places[i]);
            let beside = || leaves.iter().find(|(leaf, _)| leaf.joint == parent).map(|(_, place)| *place);
            let Some(parents) = on_path.or_else(beside) else { continue };
            let Some(axis_ps) = inward(Some(parent)) else { continue };
            leaves.push((Leaf { joint, axis_ps, step: place(joint) - parents }, place(joint)));
        }
        let local = |j: JointIndex| t_pose.local()[j].rotation.normalize();
        let rest = if from_far {
            path[1..].iter().fold(Quat::IDENTITY, |q, j| (q * local(*j)).normalize())
        } else {
            local(near)
        };
        // Thumbs up from thumbs forward is the way a palm comes forward; seen in the joint's own
        // space, mirrors and all.
        let centre_rad = if from_far && !goal.is_foot() {
            let to_own = t_pose.model(near).inverse_linear()?;
            let turn = (to_own * axes.forward).cross(to_own * axes.up).dot(axis);
            if turn < 0.0 { -FOREARM_CENTRE } else { FOREARM_CENTRE }
        } else {
            0.0
        };
        // Real part and part along the axis of `now · rest⁻¹`, turned back by half the middle.
        let (v, w) = (Vec3::new(rest.x, rest.y, rest.z), rest.w);
        let along = Quat::from_vec4((axis * w - v.cross(axis)).extend(-axis.dot(v)));
        let (sine, cosine) = float::sin_cos(0.5 * centre_rad);
        Some(Self {
            path: path.into(),
            places: places.into(),
            leaves: leaves.into_iter().map(|(leaf, _)| leaf).collect(),
            from_far,
            real: rest * cosine + along * sine,
            imaginary: along * cosine - rest * sine,
            centre_rad,
            share,
        })
    }

    #[inline(always)]
    fn roll<L: Lane>(&self, figure: &impl JointView<L>) -> Roll<L> {
        let mut now = local_of(figure, self.path[usize::from(self.from_far)]);
        if self.from_far {
            for &joint in &self.path[2..] {
                now = now * local_of(figure, joint);
            }
        }
        Roll::of(now, [LaneQuat::splat(self.real), LaneQuat::splat(self.imaginary)])
    }

    /// The near joint's part of a roll.
    #[inline(always)]
    fn near_part(&self) -> f32 {
        if self.from_far { 1.0 - self.share } else { -self.share }
    }

    #[inline(always)]
    fn roll_by<L: Lane>(&self, figure: &mut impl JointView<L>, mask: L::Mask, added_rad: L) {
        if !figure.is_even(&self.path[..self.path.len() - 1]) {
            return;
        }
        self.roll_line_by(figure, mask, added_rad);
        for leaf in &self.leaves {
            let angle = added_rad * L::splat(leaf.step * self.share);
            let turn = LaneQuat::from_axis_angle(LaneVec3::splat(leaf.axis_ps), angle);
            let rotation = (turn * local_of(figure, leaf.joint)).normalize();
            figure.set_rotation(mask, leaf.joint, rotation);
        }
    }

    /// [`Self::roll_by`] without the leaves.
    #[inline(always)]
    fn roll_line_by<L: Lane>(&self, figure: &mut impl JointView<L>, mask: L::Mask, added_rad: L) {
        let last = self.path.len() - 1;
        let turned = |figure: &_, to: usize| {
            self.path[1..to].iter().fold(local_of(figure, self.path[0]), |q, j| q * local_of(figure, *j))
        };
        let far = turned(figure, last + 1);
        let mut any = false;
        for i in 0..last {
            let part = if i == 0 { self.near_part() } else { (self.places[i] - self.places[i - 1]) * self.share };
            if part == 0.0 {
                continue;
            }
            // The far joint in the joint's own space.
            let mut to_far = figure.local(self.path[last]).position;
            for &joint in self.path[i + 1..last].iter().rev() {
                let local = figure.local(joint);
                to_far = local.position + figure.vector_in_parent(joint, local.rotation, to_far);
            }
            let turn = Turn::about(to_far, float::sin_cos(added_rad * L::splat(0.5 * part)), mask).by;
            let rotation = (local_of(figure, self.path[i]) * turn).normalize();
            figure.set_rotation(mask, self.path[i], rotation);
            any = true;
        }
        if any {
            let back = turned(figure, last).conjugate() * far;
            figure.set_rotation(mask, self.path[last], back.normalize());
        }
    }
}

#[inline(always)]
fn local_of<L: Lane>(figure: &impl JointView<L>, joint: JointIndex) -> LaneQuat<L> {
    figure.local(joint).rotation
}
