//! Twist: the roll that a goal asks of a hand, foot, upper arm or thigh, shared along the limb's segments.
//!
//! Unity's avatar has four parameters for it: the part of a segment's roll that its far joint takes, 0 (all at the near joint) …
//! 1 (all at the far joint), default 0.5. Which roll that is when IK turns a hand is not public; ours:
//!
//! - Shared is the roll that the *solve added*: that of the upper arm or thigh about its own axis against its parent, and that of
//!   the hand or foot about the forearm or shin against it. What the animation does is its own business, so nothing changes where a
//!   goal changes nothing, and the result is continuous in every weight.
//! - The near joint (shoulder, elbow) gets `1 − parameter` of it, the far joint (elbow, wrist) all of it, and every joint between
//!   — split bones that lie in the line, and twist or roll joints that hang beside it — in proportion to its place between both.
//!   A rig whose twist joints shall carry everything wants parameter 1.
//! - Wrists and elbows, ankles and knees stay where they are, and keep the orientation they have: each joint turns about the line from
//!   itself to the far joint, and the far joint turns back.
//!
//! # Near half a turn
//!
//! A roll of 180° is one of −180°, so no constant share of it is continuous there. The roll is counted from the middle of what the joint
//! can do (the T-pose; for a hand 45° supinated from it, since palms down is nearly the end of pronation), shared in full up to 120°,
//! and the shared part then falls to zero at 180° along a smooth step. So a hand that is turned all the way round takes its forearm along, lets it
//! go back while it passes the far side, and nothing jumps; the steepest is 3.2 times the hand's own speed at parameter 0. In the same way the
//! shared part fades out where a hand folds back on its forearm (swing from 139° to 169°), where swing and twist cannot be told apart.
//!
//! Source: the split into swing and twist is textbook (e.g. P. Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015);
//! the shares follow Unity's parameters; the periodic share is ours.

use super::mapping::HumanMap;
use super::{BodyAxes, IkGoal};
use crate::chains::figure::Figure;
use crate::chains::limb::LimbJoints;
use crate::math::{Alone, Kernel, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Vec3, float, normalize_or, wrap_angle};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;
/// Roll up to which it is shared in full, radians.
const FULL: f32 = 2.0 * PI / 3.0;
/// Cosine of half the swing at which the share has gone, and below which it begins to go.
const FOLDED: (f32, f32) = (0.1, 0.35);
/// Middle of a forearm's roll, counted from palms down towards palms forward, radians.
const FOREARM_CENTRE: f32 = PI / 4.0;
/// Rolls below this are nothing, radians.
const LEAST: f32 = 1e-7;

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
    /// Where they lie between near (0) and far (1).
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
pub(super) struct TwistRig {
    /// Upper and lower segment.
    segments: [Option<Segment>; 2],
}

/// A roll, as a complex number of half its angle, counted from the middle of what the joint can do; both signs are the same roll.
#[derive(Clone, Copy, Debug)]
struct Roll<L> {
    real: L,
    imaginary: L,
    /// Square of the length of the rotation it is the roll of; that of the number is the part of it that is not swing.
    whole: L,
}

impl<L: Lane> Roll<L> {
    /// With a real part that is not negative.
    #[inline(always)]
    fn forward(self) -> Self {
        let sign = L::splat(1.0).copy_sign(self.real);
        Self { real: self.real * sign, imaginary: self.imaginary * sign, ..self }
    }
    /// Where all of it is shared: up to [`FULL`], which is where the real part is the half of it, and with little swing.
    #[inline(always)]
    fn is_full(&self) -> L::Mask {
        let (real2, imaginary2) = (self.real * self.real, self.imaginary * self.imaginary);
        let beyond = (real2 * L::splat(3.0)).lt(imaginary2);
        let folded = (real2 + imaginary2).lt(self.whole * L::splat(FOLDED.1 * FOLDED.1));
        beyond.or(folded).not()
    }
    /// The angle, radians.
    #[inline(always)]
    fn angle(&self) -> L {
        float::atan2(self.imaginary, self.real) * L::splat(2.0)
    }
    /// The part that is shared, radians; continuous round the circle. To be asked with a real part that is not negative.
    fn shareable(&self) -> L {
        let certain = ((self.real * self.real + self.imaginary * self.imaginary) / self.whole).sqrt();
        let roll = self.angle();
        let fade = L::splat(1.0) - float::smooth_step(L::splat(FULL), L::splat(PI), roll.abs());
        roll * fade * float::smooth_step(L::splat(FOLDED.0), L::splat(FOLDED.1), certain)
    }
}

/// From two rolls to what has been added to the shared part between them, and the turn by a part of that about a vector: the numbers of the rolls,
/// of the vector, and the part.
struct Grow;

impl Kernel<3, 2> for Grow {
    #[inline(always)]
    fn run<L: Lane>(&self, [before, now, [x, y, z, part]]: &[[L; 4]; 3]) -> [[L; 4]; 2] {
        let [before, now] = [before, now]
            .map(|[real, imaginary, whole, _]| Roll { real: *real, imaginary: *imaginary, whole: *whole }.forward());
        // Both within a third of the circle: the angle of the quotient is the difference of the angles.
        let between = Roll {
            real: before.real * now.real + before.imaginary * now.imaginary,
            imaginary: before.real * now.imaginary - before.imaginary * now.real,
            whole: now.whole,
        };
        let all = between.angle();
        let parted = before.is_full().and(now.is_full()).not();
        let added = if parted.any() { L::select(parted, now.shareable() - before.shareable(), all) } else { all };
        let turn = turn_about(LaneVec3::new(*x, *y, *z), added * *part);
        [[turn.x, turn.y, turn.z, turn.w], [added; 4]]
    }
}

#[inline(always)]
fn turn_about<L: Lane>(along: LaneVec3<L>, angle_rad: L) -> LaneQuat<L> {
    LaneQuat::from_axis_angle(along.unit_or(LaneVec3::zero(), L::splat(1e-18)).0, angle_rad)
}

/// What a segment's roll has grown by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown<L> {
    /// Radians.
    by: L,
    /// The turn by the near joint's part of it about the line to the far joint, in a segment without joints between.
    turn: LaneQuat<L>,
}

/// The rolls of a limb's two segments, and how its joints were turned when it was solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwistState<L> {
    rolls: [Option<Roll<L>>; 2],
    /// Local rotations of root and mid joint after the limb was solved, when something else may turn them.
    solved: Option<[LaneQuat<L>; 2]>,
}

/// What a limb's twist is measured on.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwistSource<'a> {
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
        // A hand or foot that does not hang from its limb does not twist it.
        let lower = if limb.is_attached() { segment(&path[mid..], true) } else { None };
        Self { segments: [segment(&path[..=mid], false), lower] }
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
    pub fn read<L: Lane>(&self, figure: &impl Figure<L>) -> TwistState<L> {
        let [upper, lower] = &self.segments;
        let roll = |s: &Option<Segment>| s.as_ref().map(|s| s.roll(figure));
        TwistState { rolls: [roll(upper), roll(lower)], solved: None }
    }
    /// What each segment's roll has grown by in each of two limbs since `before`, 0 where there is none: what is shared of it, or in
    /// `limited` limbs all.
    #[inline(always)]
    pub fn grown<L: Lane>(
        rigs: [&Self; 2],
        figure: &impl Figure<L>,
        before: [Option<&TwistState<L>>; 2],
        limited: bool,
    ) -> [[Grown<L>; 2]; 2] {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let mut all = [[Grown { by: zero, turn: LaneQuat::identity() }; 2]; 2];
        let mut sets = [[[one, zero, one, zero]; 3]; 4];
        for (limb, (rig, before)) in rigs.into_iter().zip(before).enumerate() {
            let Some(before) = before else { continue };
            let now = rig.read(figure);
            for (i, segment) in rig.segments.iter().enumerate() {
                let (Some(segment), Some(then), Some(now)) = (segment, before.rolls[i], now.rolls[i]) else { continue };
                let to_far = figure.local(segment.path[segment.path.len() - 1]).position;
                let part = L::splat(segment.near_part());
                if limited {
                    let by = segment.whole_added(now, then);
                    all[limb][i] = Grown { by, turn: turn_about(to_far, by * part) };
                }
                let [then, now] = [then, now].map(|roll| [roll.real, roll.imaginary, roll.whole, roll.whole]);
                sets[2 * limb + i] = [then, now, [to_far.x, to_far.y, to_far.z, part]];
            }
        }
        if limited {
            return all;
        }
        let [a, b, c, d] = L::several(&Grow, sets.each_ref(), 4)
            .map(|[[x, y, z, w], [by, ..]]| Grown { by, turn: LaneQuat::new(x, y, z, w) });
        [[a, b], [c, d]]
    }
    /// Shares what the rolls have grown by since `before`, but in a segment whose own joint something has turned since the limb was
    /// solved: who turned it has the last word. In a `limited` limb elbow and knee stay hinges: they take nothing of the upper bone's roll.
    pub fn share<L: Lane>(
        &self,
        figure: &mut impl Figure<L>,
        limb: &LimbJoints,
        before: &TwistState<L>,
        grown: &[Grown<L>; 2],
        limited: bool,
    ) {
        // Before anything is shared: sharing the upper segment's roll turns the mid joint itself.
        let joints = [limb.root(), limb.mid()];
        let held = before
            .solved
            .map(|solved| core::array::from_fn::<_, 2, _>(|i| is_same(figure.local(joints[i]).rotation, solved[i])));
        for (i, segment) in self.segments.iter().enumerate().skip(usize::from(limited)) {
            let (Some(segment), size) = (segment, grown[i].by.abs()) else { continue };
            let mut some = L::splat(LEAST).lt(size).and(size.lt(L::splat(100.0)));
            if let Some(held) = &held {
                some = some.and(held[i]);
            }
            if some.any() {
                segment.roll_by(figure, some, &grown[i]);
            }
        }
    }
}

/// Where all four numbers are equal.
fn is_same<L: Lane>(a: LaneQuat<L>, b: LaneQuat<L>) -> L::Mask {
    let other = |a: L, b: L| a.lt(b).or(b.lt(a));
    other(a.x, b.x).or(other(a.y, b.y)).or(other(a.z, b.z)).or(other(a.w, b.w)).not()
}

impl TwistState<Alone> {
    /// The plain numbers.
    pub fn alone(self) -> TwistState<f32> {
        let roll = |r: Roll<Alone>| Roll { real: r.real.0, imaginary: r.imaginary.0, whole: r.whole.0 };
        let solved = self.solved.map(|rotations| rotations.map(LaneQuat::<Alone>::alone));
        TwistState { rolls: self.rolls.map(|r| r.map(roll)), solved }
    }
}

impl<L: Lane> TwistState<L> {
    /// The same rolls with the rotations that the limb's solve has left: something else may turn the joints before the share.
    pub fn after_solve(self, figure: &impl Figure<L>, limb: &LimbJoints) -> Self {
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
        // Thumbs up from thumbs forward is the way a palm comes forward; seen in the joint's own space, mirrors and all.
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

    fn roll<L: Lane>(&self, figure: &impl Figure<L>) -> Roll<L> {
        let local = |j: JointIndex| figure.local(j).rotation;
        let now = if self.from_far {
            self.path[2..].iter().fold(local(self.path[1]), |q, j| q * local(*j))
        } else {
            local(self.path[0])
        };
        let along = |q: Quat| now.dot(LaneQuat::splat(q));
        Roll { real: along(self.real), imaginary: along(self.imaginary), whole: now.dot(now) }
    }

    /// What has been added to the whole roll, counted from the T-pose, of a limb that never comes near half a turn.
    fn whole_added<L: Lane>(&self, now: Roll<L>, before: Roll<L>) -> L {
        let whole = |roll: Roll<L>| (roll.forward().angle() + L::splat(self.centre_rad)).map(wrap_angle);
        whole(now) - whole(before)
    }

    /// The near joint's part of a roll.
    #[inline(always)]
    fn near_part(&self) -> f32 {
        if self.from_far { 1.0 - self.share } else { -self.share }
    }

    #[inline(always)]
    fn roll_by<L: Lane>(&self, figure: &mut impl Figure<L>, mask: L::Mask, grown: &Grown<L>) {
        if !figure.is_even(&self.path[..self.path.len() - 1]) {
            return;
        }
        match self.path[..] {
            [near, far] if self.near_part() != 0.0 => {
                let turned = (local_of(figure, near) * grown.turn).normalize();
                let back = (grown.turn.conjugate() * local_of(figure, far)).normalize();
                figure.set_rotation(mask, near, turned);
                figure.set_rotation(mask, far, back);
            }
            [_, _] => {}
            _ => self.roll_all_by(figure, mask, grown.by),
        }
        for leaf in &self.leaves {
            let angle = grown.by * L::splat(leaf.step * self.share);
            let turn = LaneQuat::from_axis_angle(LaneVec3::splat(leaf.axis_ps), angle);
            let rotation = (turn * local_of(figure, leaf.joint)).normalize();
            figure.set_rotation(mask, leaf.joint, rotation);
        }
    }

    /// [`Self::roll_by`] where there are joints between, without the leaves.
    #[inline(never)]
    fn roll_all_by<L: Lane>(&self, figure: &mut impl Figure<L>, mask: L::Mask, added_rad: L) {
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
            let turn = turn_about(to_far, added_rad * L::splat(part));
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
fn local_of<L: Lane>(figure: &impl Figure<L>, joint: JointIndex) -> LaneQuat<L> {
    figure.local(joint).rotation
}
