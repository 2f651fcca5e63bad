//! A chain of joints that follows a curve through control points.

use super::error::ConstraintError;
use super::goal::{ConstraintInput, MOVED, length_ws};
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use super::pose_chain::{ChainEnd, PoseChain};
use crate::chains::spline::{self, Curve, CurveKind, RollGoal, SplineSettings, SplineWorkspace};
use crate::limits::{JointLimit, ONSET_WEIGHT, onset, onset_part};
use crate::math::{Frame, Mat3, Transform, Vec3, length, slerp_short};
use crate::optim::Work;
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::Range;

/// Which joints follow a curve, and how.
///
/// The curve's control points are `input.goals[i].position_ws`. A point without a position stays on
/// the animated chain, at its share of the chain's length; `position_weight` is how far it goes
/// from there to its goal. `rotation_ws` of the first and of the last goal define how first and
/// last joint roll: as near to it as a turn about the bone can bring them, `rotation_weight` of the
/// way. Limits of the joints hold.
///
/// The outcome's residual is the largest distance of a joint from its place on the curve, at full
/// weight; a chain longer than the curve goes on straight, which counts as on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplineDefinition {
    /// The last joint.
    pub end: JointIndex,
    /// Number of joints from `end` upwards, itself counted; 0: up to the skeleton's root.
    pub joint_count: usize,
    /// A point of the last joint, in its own space, that is kept on the curve, too; zero, the
    /// default: the joint itself is the chain's end.
    pub tip_js: Vec3,
    /// How the points make the curve; default: through all of them.
    pub curve: CurveKind,
    /// Number of control points: 2 or more, for Bézier curves 3 k + 1, at most
    /// [`Self::MAX_POINTS`].
    pub point_count: usize,
    /// How far bones change length so that the chain ends where the curve ends: 0, the default: not
    /// at all; 1: all the way, within `stretch_bounds`.
    pub stretch: f32,
    /// Least and greatest factor on the bones' lengths; default 0.1 and 10. The joints' own stretch
    /// bounds are those of the chain solvers and do not count here.
    pub stretch_bounds: [f32; 2],
    /// Roll about the bone at the first joint, radians, on top of the roll that the animation has;
    /// default 0. Seen from the space of the chain's parent: it is mirrored with a mirrored
    /// character.
    pub roll_start_rad: f32,
    /// The same at the last joint; in between the roll goes in proportion to the bones' length.
    pub roll_end_rad: f32,
    /// True, the default: the first joint moves to the first control point. False: it stays, and is
    /// the first control point itself (the position of `goals[0]` is not used).
    pub start_on_curve: bool,
}

impl SplineDefinition {
    /// Most control points.
    pub const MAX_POINTS: usize = crate::chains::spline::MAX_CONTROL_POINTS;

    /// The last `joint_count` joints down to `end` on a curve through `point_count` points.
    pub fn ending_at(end: JointIndex, joint_count: usize, point_count: usize) -> Self {
        let defaults = SplineSettings::default();
        Self {
            end,
            joint_count,
            tip_js: Vec3::ZERO,
            curve: CurveKind::CatmullRom,
            point_count,
            stretch: defaults.stretch,
            stretch_bounds: defaults.stretch_bounds,
            roll_start_rad: 0.0,
            roll_end_rad: 0.0,
            start_on_curve: defaults.start_on_curve,
        }
    }
}

/// The constraint on a skeleton, with its scratch.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    definition: SplineDefinition,
    joints: PoseChain,
    curve: Curve,
    workspace: SplineWorkspace,
    /// Control points, world axes, relative to the first joint.
    points: Box<[Vec3]>,
    /// The path's transforms before the solve.
    before: Box<[Transform]>,
    /// The frame of the first joint's parent and that joint's position when the curve was put
    /// there, model space.
    placed: (Frame, Vec3),
}

impl Spline {
    pub fn new(skeleton: &Skeleton, definition: &SplineDefinition) -> Result<Self, ConstraintError> {
        let d = definition;
        let [shortest, longest] = d.stretch_bounds;
        let numbers = [
            ("stretch", d.stretch.is_finite()),
            ("stretch_bounds", (0.0..=1.0).contains(&shortest) && longest >= 1.0 && longest.is_finite()),
            ("roll_start_rad", d.roll_start_rad.is_finite()),
            ("roll_end_rad", d.roll_end_rad.is_finite()),
        ];
        if let Some((name, _)) = numbers.into_iter().find(|(_, sound)| !sound) {
            return Err(ConstraintError::BadNumber(name));
        }
        let curve = Curve::new(d.curve, d.point_count).filter(|_| d.point_count <= SplineDefinition::MAX_POINTS);
        let curve = curve.ok_or(ConstraintError::PointCount(d.point_count))?;
        let end = ChainEnd { joint: d.end, tip_js: d.tip_js };
        let joints = PoseChain::new(skeleton, &[end], d.joint_count)?;
        Ok(Self {
            definition: *d,
            workspace: SplineWorkspace::new(&joints.chain),
            points: vec![Vec3::ZERO; d.point_count].into(),
            before: vec![Transform::IDENTITY; joints.path.len()].into(),
            placed: (Frame::IDENTITY, Vec3::ZERO),
            curve,
            joints,
        })
    }

    /// Control points in world axes, relative to the first joint. False when a number is not
    /// finite.
    fn read_points(&mut self, pose: &Pose, world: &Frame, input: &ConstraintInput, root_ms: Vec3) -> bool {
        let root_ws = world.point_out(root_ms);
        let place = |joint: JointIndex| world.point_out(pose.model(joint).position) - root_ws;
        let tip = world.point_out(pose.model(self.definition.end).point_out(self.definition.tip_js)) - root_ws;
        let joints = self.joints.path.iter().map(|&j| place(j));
        let bones = || joints.clone().zip(joints.clone().skip(1).chain([tip]));
        let whole: f32 = bones().map(|(a, b)| length(b - a)).sum();
        let far = 1e6 * whole.max(1e-6);
        // The animated places of the points, in one walk along the bones.
        let mut way = bones();
        let (mut bone, mut gone) = (way.next(), 0.0);
        let last = (self.points.len() - 1) as f32;
        for (k, (point, goal)) in self.points.iter_mut().zip(&input.goals).enumerate() {
            let wanted = whole * (k as f32 / last);
            let animated = loop {
                let Some((a, b)) = bone else { break tip };
                let size = length(b - a);
                if gone + size >= wanted && size > 0.0 {
                    break a.lerp(b, ((wanted - gone) / size).clamp(0.0, 1.0));
                }
                gone += size;
                bone = way.next();
            };
            *point = match goal.position_ws {
                _ if k == 0 && !self.definition.start_on_curve => Vec3::ZERO,
                Some(goal_ws) => animated.lerp(goal_ws - root_ws, weight01(goal.position_weight)),
                None => animated,
            };
            let distance = length(*point);
            if distance > far {
                *point *= far / distance;
            }
            if !point.is_finite() {
                return false;
            }
        }
        true
    }

    /// Largest distance of a joint, or the tip, from its place on the curve, metres.
    fn measure(&self, pose: &Pose, world: &Frame, parent: &Frame, root_ms: Vec3) -> f32 {
        let off = |now_ms: Vec3, place: Vec3| length(world.vector_out(now_ms - root_ms - parent.vector_out(place)));
        let joints = self.joints.path.iter().zip(&self.workspace.places);
        let most = joints.map(|(&joint, &place)| off(pose.model(joint).position, place)).fold(0.0, f32::max);
        let tip_ms = pose.model(self.definition.end).point_out(self.definition.tip_js);
        most.max(off(tip_ms, self.workspace.places[self.joints.path.len()]))
    }

    /// Makes the joints' present places those that [`Self::measure`] counts from.
    fn take_places(&mut self, pose: &Pose, to_parent: Mat3, root_ms: Vec3) {
        let joints = self.joints.path.iter().map(|&joint| pose.model(joint).position);
        let tip_ms = pose.model(self.definition.end).point_out(self.definition.tip_js);
        for (place, now_ms) in self.workspace.places.iter_mut().zip(joints.chain([tip_ms])) {
            *place = to_parent * (now_ms - root_ms);
        }
    }

    /// Goes back towards the animation, joint by joint.
    fn blend(&self, skeleton: &Skeleton, pose: &mut Pose, weight: f32, excess_rad: f32) {
        let part = onset_part(weight, onset(excess_rad));
        for ((&joint, before), model) in self.joints.path.iter().zip(&self.before).zip(self.joints.chain.joints()) {
            let local = &mut pose.local_mut()[joint];
            local.position = before.position.lerp(local.position, weight);
            local.rotation = slerp_short(before.rotation.normalize(), local.rotation, weight);
            if !model.model.is_unlimited() {
                let q = model.model.project((model.rest.conjugate() * local.rotation).normalize());
                local.rotation = (model.rest * q).normalize();
                if let Some(part) = part {
                    local.rotation = slerp_short(before.rotation.normalize(), local.rotation, part);
                }
            }
        }
        pose.update_joints(skeleton, &self.joints.path);
    }
}

impl ConstraintKind for Spline {
    fn top(&self) -> JointIndex {
        self.joints.path[0]
    }
    fn joints(&self) -> Vec<JointIndex> {
        self.joints.path.to_vec()
    }
    fn end_count(&self) -> usize {
        self.definition.point_count
    }
    fn set_limit(&mut self, _skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit) {
        if let Ok(place) = self.joints.path.binary_search(&joint) {
            self.joints.set_limit(place, limit);
        }
    }
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        _work: &mut Work,
    ) -> Outcome {
        let weight = weight01(input.weight);
        let used = |goal: &super::ConstraintGoal| goal.position_ws.is_some() || goal.rotation_ws.is_some();
        if weight <= 0.0 || !input.goals.iter().any(used) {
            return Outcome::INACTIVE;
        }
        let top = self.joints.path[0];
        let parent = pose.parent_frame(skeleton, top);
        let root_ms = pose.model(top).position;
        let (Some(to_parent), Some(to_model)) = (parent.inverse_linear(), world.inverse_linear()) else {
            return Outcome { status: Status::Unreachable, ..Outcome::INACTIVE };
        };
        let excess_rad = if weight < ONSET_WEIGHT { self.joints.excess_rad(pose, false) } else { 0.0 };
        self.joints.read(pose);
        self.joints.make_unit();
        if self.joints.chain.length() <= 0.0 || !self.read_points(pose, world, input, root_ms) {
            return Outcome::INACTIVE;
        }
        for (before, &joint) in self.before.iter_mut().zip(&self.joints.path) {
            *before = pose.local()[joint];
        }
        // Made in world space and mapped, so that scale bends no curve.
        self.curve.set_points(&self.points);
        self.curve.map(&(to_parent * to_model));
        let d = &self.definition;
        let last = input.goals.len() - 1;
        let up = |goal: usize, joint: JointIndex| {
            let goal = &input.goals[goal];
            goal.rotation_ws.filter(|q| q.is_finite() && q.length() > 1e-3).map(|rotation_ws| RollGoal {
                from: parent.rotation_in(pose.model(joint).rotation),
                to: parent.rotation_in(world.rotation_in(rotation_ws.normalize())),
                weight: weight01(goal.rotation_weight),
            })
        };
        let settings = SplineSettings {
            stretch: weight01(d.stretch),
            stretch_bounds: d.stretch_bounds,
            roll_rad: [d.roll_start_rad, d.roll_end_rad],
            up: [up(0, top), up(last, d.end)],
            start_on_curve: d.start_on_curve,
        };
        let chain_pose = &mut self.joints.pose;
        chain_pose.root_position = Vec3::ZERO;
        if !spline::solve(&self.joints.chain, chain_pose, &self.curve, &settings, &mut self.workspace) {
            return Outcome::INACTIVE;
        }
        // In the parent's space a move of the first joint is a move of its local position.
        pose.local_mut()[top].position += self.joints.pose.root_position;
        self.joints.write(pose);
        self.joints.update_frames(skeleton, pose);
        let residual_m = self.measure(pose, world, &parent, root_ms);
        if weight < 1.0 {
            self.blend(skeleton, pose, weight, excess_rad);
            self.take_places(pose, to_parent, root_ms);
        }
        self.placed = (parent, root_ms);
        let size = length_ws(world, &parent, self.joints.chain.length());
        let status = if residual_m <= 1e-5 * size { Status::Reached } else { Status::Unreachable };
        Outcome { status, residual_m, ..Outcome::INACTIVE }
    }
    /// [`Self::blend`] fades it in.
    fn excess_rad(&self, _pose: &Pose) -> f32 {
        0.0
    }
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool {
        self.joints.path.iter().any(|joint| joints.contains(joint))
    }
    fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        _input: &ConstraintInput,
        outcome: Outcome,
    ) -> Outcome {
        pose.update(skeleton);
        let (parent, root_ms) = &self.placed;
        let residual_m = self.measure(pose, world, parent, *root_ms);
        let size = length_ws(world, parent, self.joints.chain.length());
        outcome.measured_again(residual_m, 0.0, residual_m <= MOVED * size)
    }
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput) {
        let root_ms = lines.pose.model(self.joints.path[0]).position;
        if self.read_points(lines.pose, lines.world, input, root_ms) {
            self.curve.set_points(&self.points);
            lines.curve(lines.world.point_out(root_ms), &self.curve, &input.goals);
        }
    }
    fn boxed(&self) -> Box<dyn ConstraintKind> {
        Box::new(self.clone())
    }
}
