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
use crate::chains::limb::LimbJoints;
use crate::math::{Quat, Vec3, axis_angle, float, normalize_or, twist_angle, wrap_angle};
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
    /// Axis of the roll, unit: in the near joint's own space when it arises at the far joint, else in that of its parent.
    axis: Vec3,
    /// The rotation from which the roll is counted.
    rest: Quat,
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

/// The rolls of a limb's two segments, as far as they are shared, and how its joints were turned when they were read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TwistState {
    rolls: [f32; 2],
    /// Local rotations of root and mid joint after the limb was solved.
    solved: [Quat; 2],
}

/// The part of a rotation's roll about `axis` that is shared, radians; continuous round the circle. `limited` rolls never come near half a
/// turn: all of it.
fn shareable(d: Quat, axis: Vec3, centre_rad: f32, limited: bool) -> f32 {
    let along = axis.x * d.x + axis.y * d.y + axis.z * d.z;
    let certain = float::sqrt(along * along + d.w * d.w);
    let all = twist_angle(d, axis);
    if limited {
        return all;
    }
    let roll = wrap_angle(all - centre_rad);
    roll * (1.0 - float::smooth_step(FULL, PI, roll.abs())) * float::smooth_step(FOLDED.0, FOLDED.1, certain)
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
    /// The shared rolls as they are now; `limited`: of a limb whose goals keep to joint limits.
    pub fn read(&self, pose: &Pose, limb: &LimbJoints, limited: bool) -> TwistState {
        TwistState {
            rolls: [0, 1].map(|i| self.segments[i].as_ref().map_or(0.0, |s| s.roll(pose, limited))),
            solved: [limb.root(), limb.mid()].map(|j| pose.local()[j].rotation),
        }
    }
    /// Shares the rolls that were added since `before`, but in a segment whose own joint something has turned since the limb was
    /// solved: who turned it has the last word. In a `limited` limb elbow and knee stay hinges: they take nothing of the upper bone's roll.
    pub fn share(&self, pose: &mut Pose, limb: &LimbJoints, before: &TwistState, limited: bool) {
        let now = self.read(pose, limb, limited);
        for (i, segment) in self.segments.iter().enumerate().skip(usize::from(limited)) {
            let added = now.rolls[i] - before.rolls[i];
            if let (Some(segment), true) = (segment, now.solved[i] == before.solved[i] && added.abs() > LEAST) {
                segment.roll_by(pose, added);
            }
        }
    }
}

impl TwistState {
    /// The same rolls with the rotations that the limb's solve has left.
    pub fn after_solve(self, pose: &Pose, limb: &LimbJoints) -> Self {
        Self { solved: [limb.root(), limb.mid()].map(|j| pose.local()[j].rotation), ..self }
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
        Some(Self {
            path: path.into(),
            places: places.into(),
            leaves: leaves.into_iter().map(|(leaf, _)| leaf).collect(),
            from_far,
            axis,
            rest,
            centre_rad,
            share,
        })
    }

    fn roll(&self, pose: &Pose, limited: bool) -> f32 {
        let local = |j: JointIndex| pose.local()[j].rotation;
        let now = if self.from_far {
            self.path[1..].iter().fold(Quat::IDENTITY, |q, j| q * local(*j))
        } else {
            local(self.path[0])
        };
        shareable((now * self.rest.conjugate()).normalize(), self.axis, self.centre_rad, limited)
    }

    /// Whether every joint but the far one keeps the shape of what hangs from it when it rolls.
    fn is_rigid(&self, pose: &Pose) -> bool {
        self.path[..self.path.len() - 1].iter().all(|j| {
            let s = pose.local()[*j].scale;
            s.min_element() > 0.0 && s.max_element() - s.min_element() <= 1e-6 * s.max_element()
        })
    }

    fn roll_by(&self, pose: &mut Pose, added_rad: f32) {
        if !added_rad.is_finite() || !self.is_rigid(pose) {
            return;
        }
        let last = self.path.len() - 1;
        let turned = |pose: &Pose, to: usize| {
            self.path[..to].iter().fold(Quat::IDENTITY, |q, j| q * pose.local()[*j].rotation).normalize()
        };
        let far = turned(pose, last + 1);
        let along = self.share * added_rad;
        for i in 0..last {
            let roll = match (i, self.from_far) {
                (0, true) => added_rad - along,
                (0, false) => -along,
                _ => (self.places[i] - self.places[i - 1]) * along,
            };
            let mut to_far = Vec3::ZERO;
            for &joint in self.path[i + 1..].iter().rev() {
                let local = &pose.local()[joint];
                to_far = local.position + local.rotation.normalize() * (local.scale * to_far);
            }
            let local = &mut pose.local_mut()[self.path[i]];
            let rotation = local.rotation.normalize();
            let axis = normalize_or(rotation * (local.scale * to_far), Vec3::ZERO);
            if axis != Vec3::ZERO {
                local.rotation = (axis_angle(axis, roll) * rotation).normalize();
            }
        }
        pose.local_mut()[self.path[last]].rotation = (turned(pose, last).conjugate() * far).normalize();
        for leaf in &self.leaves {
            let local = &mut pose.local_mut()[leaf.joint];
            local.rotation = (axis_angle(leaf.axis_ps, leaf.step * along) * local.rotation.normalize()).normalize();
        }
    }
}
