//! Joints that share the turn of a ray towards a target: a head on its neck, a rifle on a spine, a
//! turret on its base.

use super::error::ConstraintError;
use super::goal::{ConstraintInput, MOVED, handed, point_in};
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use super::pose_chain::ChainEnd;
use crate::chains::Pole;
use crate::closed_form::aim_ray::{self as single, Aim as Ray};
use crate::closed_form::gaze::{Gaze, ViewCone, angle_between, behind, shares};
use crate::closed_form::pole;
use crate::limits::JointLimit;
use crate::math::{
    Frame, LaneVec3, Quat, Rigid, ScalarInRegister, Transform, Vec3, axis_angle, float, fraction, frame_rotation,
    length, normalize_or, perpendicular, rotation_angle, scalar_in_register,
};
use crate::optim::Work;
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::joint_view::facing;
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::Range;

const PI: f32 = core::f32::consts::PI;
/// Rounds in which the turn is shared out; the last joint then finishes. Beyond limits the pose is
/// less continuous with more.
const ROUNDS: u32 = 6;
/// Share of the joints' turns, of those that limits leave, from which the next round makes up for
/// the others in full.
const MADE_UP: f32 = 0.25;
/// Part of the chain's length within which a target at the ray's start, or at the joint that
/// finishes, fades out; the same in distances of the start from that joint.
const NEAR: f32 = 0.05;
const NEAR_LEVERS: f32 = 2.0;
/// Angle over which the turns after the first round fade towards exactly behind.
const LEFT_BEHIND: f32 = 30.0 * PI / 180.0;
/// Cosine of half a turn's angle above which the turn is exact to rounding.
const EXACT: f32 = 0.7;
/// Largest distance of a target, host units; farther ones count as at this distance.
const FAR: f32 = 1e12;

/// Which joints turn so that a ray fixed in the last of them points at
/// `input.goals[0].position_ws`.
///
/// Every joint takes its part of the turn; parts that the ray's start or a limit took away are
/// shared again, and the last joint with a weight finishes: at weight 1, with weights that sum to 1
/// or more, the ray goes exactly through the target as long as neither the cone nor a limit stops
/// it. With less it goes that part of the way.
///
/// `input.pole_ws` (a point or a direction) is what `up_js` faces: the joint that finishes rolls
/// about the line from it to the target, so the aim stays; `reference`, when set, takes the place
/// of `up_js`, `angle_rad` and `weight` are as for chains. Within 3 degrees of that line the pole
/// fades out.
///
/// *Behind.* The turn to a target exactly behind has no unique direction. Over the last
/// `behind_rad` the turn fades to none, and what passes behind is followed without a jump, at most
/// π / `behind_rad` times 1.5 as fast as it moves. With `behind_rad` 0 and no cone nothing fades: a
/// single joint with a pole of weight 1 is then continuous everywhere but along the pole,
/// everything else turns over when the target passes exactly behind.
///
/// *Near.* At the ray's start, and at the joint that finishes, there is no direction, and nearer to
/// that joint than the ray passes by it no turn helps. So a target fades out where it comes nearer
/// to either than a twentieth of the length from the first joint to the ray's start, or twice the
/// distance of the ray's start from the joint that finishes, to half of that. Turning joints far
/// from the ray carries its start along; where that leaves a near target right behind it, what is
/// left of the turn fades, too.
///
/// The outcome's residual is the angle between the ray and the target at its weight; it includes
/// what cone, fading and limits left.
#[derive(Clone, Debug, PartialEq)]
pub struct AimDefinition {
    /// The last joint, in which the ray is fixed.
    pub end: JointIndex,
    /// Number of joints from `end` upwards, itself counted, default 1; 0: up to the skeleton's
    /// root.
    pub joint_count: usize,
    /// Share of each joint in the turn, 0 or more, from the first joint to `end`; empty, the
    /// default: equal shares that sum to 1. Sums over 1 are brought to 1.
    pub weights: Vec<f32>,
    /// Direction of the ray in the space of `end`, any length; default +Z.
    pub axis_js: Vec3,
    /// Start of the ray in the space of `end`; default zero, the joint itself.
    pub offset_js: Vec3,
    /// The direction that faces the pole, in the space of `end`; default +Y.
    pub up_js: Vec3,
    /// Half angle of the cone round the ray as animated that it may not leave, radians, 0 … π;
    /// default π: no cone.
    pub clamp_rad: f32,
    /// Part of `clamp_rad` over which the ray slows down before (and after) the cone's edge, 0 … 1;
    /// default 0.1, 0: a hard edge.
    pub clamp_softness: f32,
    /// Angle over which the turn fades towards exactly behind, radians, 0 … π; default 20 degrees.
    pub behind_rad: f32,
}

impl AimDefinition {
    /// One joint whose +Z points at the target.
    pub fn of(end: JointIndex) -> Self {
        Self::ending_at(end, 1)
    }
    /// The last `joint_count` joints down to `end`, equal shares; +Z of `end` points at the target.
    pub fn ending_at(end: JointIndex, joint_count: usize) -> Self {
        Self {
            end,
            joint_count,
            weights: Vec::new(),
            axis_js: Vec3::Z,
            offset_js: Vec3::ZERO,
            up_js: Vec3::Y,
            clamp_rad: PI,
            clamp_softness: 0.1,
            behind_rad: 20.0 * PI / 180.0,
        }
    }
}

/// The constraint on a skeleton.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// From the first joint to the end.
    path: Box<[JointIndex]>,
    /// The point that the ray was to go through in the last solve, model space.
    requested_ms: Vec3,
    /// The path and the joints above it.
    lineage: Box<[JointIndex]>,
    limits: Box<[JointLimit]>,
    /// Parts of the turn; they sum to 1.
    parts: Box<[f32]>,
    /// Sum of the weights, at most 1.
    total: f32,
    /// Place in the path of the last joint with a weight.
    finisher: usize,
    axis_js: Vec3,
    offset_js: Vec3,
    up_js: Vec3,
    /// Takes `z` to the axis and `y` to up, as far as it is at right angles.
    facing: Quat,
    cone: ViewCone<f32>,
}

/// Factor on a round's turns where limits left that share of those of the round before: all of it,
/// and less where they left hardly any, as no joint may jump where they leave none.
fn made_up(left: f32) -> f32 {
    if left >= MADE_UP { 1.0 / left } else { 1.0 + left / MADE_UP * (1.0 / MADE_UP - 1.0) }
}

impl Aim {
    pub fn new(skeleton: &Skeleton, definition: &AimDefinition) -> Result<Self, ConstraintError> {
        let d = definition;
        if d.end >= skeleton.joint_count() {
            return Err(ConstraintError::NoSuchJoint(d.end));
        }
        let there = 1 + skeleton.ancestors(d.end).count();
        let requested = if d.joint_count == 0 { there } else { d.joint_count };
        if requested > there {
            return Err(ConstraintError::TooLong { requested, there });
        }
        let mut path: Vec<JointIndex> =
            core::iter::once(d.end).chain(skeleton.ancestors(d.end)).take(requested).collect();
        path.reverse();
        if !d.weights.is_empty() && d.weights.len() != requested {
            return Err(ConstraintError::WeightCount { given: d.weights.len(), joints: requested });
        }
        let sum: f32 = d.weights.iter().sum();
        let weighed = d.weights.is_empty() || (sum > 1e-6 && sum < 1e6);
        if !weighed || d.weights.iter().any(|w| w.is_nan() || *w < 0.0) {
            return Err(ConstraintError::BadWeights);
        }
        for (name, v) in [("axis_js", d.axis_js), ("up_js", d.up_js)] {
            if !(length(v) > 1e-12 && v.is_finite()) {
                return Err(ConstraintError::BadNumber(name));
            }
        }
        let numbers = [
            ("offset_js", d.offset_js.is_finite()),
            ("clamp_rad", d.clamp_rad.is_finite()),
            ("clamp_softness", d.clamp_softness.is_finite()),
            ("behind_rad", d.behind_rad.is_finite()),
        ];
        if let Some((name, _)) = numbers.into_iter().find(|(_, finite)| !finite) {
            return Err(ConstraintError::BadNumber(name));
        }
        let parts: Box<[f32]> = if d.weights.is_empty() {
            vec![1.0 / requested as f32; requested].into()
        } else {
            d.weights.iter().map(|w| w / sum).collect()
        };
        let (axis_js, up_js) = (normalize_or(d.axis_js, Vec3::Z), normalize_or(d.up_js, Vec3::Y));
        Ok(Self {
            facing: frame_rotation(axis_js, up_js),
            limits: path.iter().map(|joint| JointLimit::free(skeleton, *joint)).collect(),
            finisher: parts.iter().rposition(|p| *p > 0.0).unwrap_or(requested - 1),
            parts,
            // Weights like 0.1 ten times mean 1.
            total: if d.weights.is_empty() || sum > 1.0 - 1e-5 { 1.0 } else { sum },
            lineage: skeleton.with_ancestors([d.end]),
            path: path.into(),
            requested_ms: Vec3::ZERO,
            axis_js,
            offset_js: d.offset_js,
            up_js,
            cone: ViewCone {
                limit_rad: d.clamp_rad.clamp(0.0, PI),
                softness: weight01(d.clamp_softness),
                behind_rad: d.behind_rad.clamp(0.0, PI),
            },
        })
    }
    fn end(&self) -> JointIndex {
        self.path[self.path.len() - 1]
    }
    /// Start and direction of the ray, model space.
    fn ray(&self, pose: &Pose) -> (Vec3, Vec3) {
        let frame = pose.model(self.end());
        let direction = frame.vector_out(self.axis_js);
        let unit = if frame.is_rigid() { direction } else { normalize_or(direction, Vec3::Z) };
        (frame.point_out(self.offset_js), unit)
    }

    /// Aims, then calls `with_pole` on the aimed pose when there is a pole. Also returns the point
    /// that the ray was to go through, model space.
    fn solve_and(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        with_pole: impl FnOnce(&mut Pose, Vec3, &Pole),
    ) -> (Outcome, Vec3) {
        let weight = weight01(input.weight);
        let goal = &input.goals[0];
        let Some(target_ws) = goal.position_ws.filter(|p| p.is_finite()) else {
            return (Outcome::INACTIVE, Vec3::ZERO);
        };
        let pole = input.pole_in_model(world).filter(|p| p.at.is_finite() && p.angle_rad.is_finite());
        let share = weight * weight01(goal.position_weight);
        if share <= 0.0 && pole.is_none_or(|p| p.weight <= 0.0) {
            return (Outcome::INACTIVE, Vec3::ZERO);
        }
        let end = pose.model(self.end());
        let start = end.point_out(self.offset_js);
        let target = point_in(world, target_ws);
        let gaze = Gaze::of(facing(&end, self.facing, self.axis_js, self.up_js));
        let (direction, distance) = lane(target - start).normalize_or(LaneVec3::zero(), ScalarInRegister(0.0));
        let distance = distance.0.min(FAR);
        let wanted = gaze.log(direction);
        let angle = wanted.angle().0;
        let limited = self.cone.allowed(angle);
        let finisher_ms = pose.model(self.path[self.finisher]).position;
        let nearest = self.nearest(pose, start, length(start - finisher_ms));
        let clear = |d: f32| float::smooth_step(0.5 * nearest, nearest, d);
        let near = if nearest > 0.0 { clear(distance) * clear(length(target - finisher_ms)) } else { 1.0 };
        let at_angle = |angle: f32| {
            start + gaze.exp(&wanted.to_angle(ScalarInRegister(angle))).to_scalar().to_vec3() * distance.max(nearest)
        };
        let part = share * near * self.total;
        let whole = limited == angle && part == 1.0;
        let reached_ms = if whole && distance < FAR { target } else { at_angle(limited * part) };
        let mut rounds = 0;
        if part > 0.0 {
            rounds = self.share(skeleton, pose, reached_ms, || gaze.up().to_scalar().to_vec3());
            // A second pass where the first turn was large (close to half a turn it is not exact)
            // or may have been limited.
            let turned = self.finish(skeleton, pose, reached_ms);
            let is_free = self.finisher == 0 && self.limits[0].model.is_unlimited();
            if !(is_free && turned.is_some_and(|turn| turn.w > EXACT)) {
                self.finish(skeleton, pose, reached_ms);
            }
        }
        if let Some(pole) = pole {
            with_pole(pose, reached_ms, &Pole { weight: pole.weight * weight * near, ..pole });
        }
        let requested = share * self.total;
        let requested_ms = if requested == 1.0 && distance < FAR { target } else { at_angle(angle * requested) };
        let residual_rad = self.left_rad(pose, requested_ms);
        let status = if residual_rad <= 1e-4 { Status::Reached } else { Status::Unreachable };
        (Outcome { status, iterations: rounds, residual_m: 0.0, residual_rad }, requested_ms)
    }
    /// Angle between the ray and a point, model space; frames up to date.
    fn left_rad(&self, pose: &Pose, requested_ms: Vec3) -> f32 {
        let (start, now) = self.ray(pose);
        let (wanted, _) = lane(requested_ms - start).normalize_or(lane(now), ScalarInRegister(1e-30));
        angle_between(lane(now), wanted).0
    }

    /// Distance at which a target begins to fade out. `lever`: from the joint that finishes to the
    /// ray's start.
    fn nearest(&self, pose: &Pose, start: Vec3, lever: f32) -> f32 {
        let nearest = NEAR_LEVERS * lever;
        // With one joint the size is the lever.
        if self.path.len() == 1 { nearest } else { nearest.max(NEAR * self.size(pose, start)) }
    }
    /// Length from the first joint to the ray's start, along the joints.
    fn size(&self, pose: &Pose, start: Vec3) -> f32 {
        let places = || self.path.iter().map(|&j| pose.model(j).position);
        places().zip(places().skip(1).chain([start])).map(|(a, b)| length(b - a)).sum()
    }

    /// All joints turn by their parts, again and again; returns the rounds.
    fn share(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3, aside: impl FnOnce() -> Vec3) -> u32 {
        if self.finisher == 0 {
            return 0;
        }
        let aside = aside();
        // The share of a round's turn that limits leave. The next one turns all joints by so much
        // more: those that limits stop do not follow.
        let mut left = 1.0_f32;
        for round in 0..ROUNDS {
            let (start, now) = self.ray(pose);
            let to = normalize_or(goal_ms - start, now);
            let angle = angle_between(LaneVec3::from_vec3(now), LaneVec3::from_vec3(to));
            if angle < 1e-6 {
                return round;
            }
            let kept = if round == 0 { 1.0 } else { 1.0 - behind(angle, LEFT_BEHIND) };
            // A joint at lever r that turns by δ carries the ray's start along, too: the angle
            // shrinks by (1 + r·to / distance) δ. A Newton step of the sum; where turning hardly
            // helps, less of it.
            let distance = length(goal_ms - start).max(1e-30);
            let levers = self.path.iter().zip(&self.parts);
            let gain = levers.map(|(&j, part)| part * (start - pose.model(j).position).dot(to)).sum::<f32>() / distance;
            let gain = 1.0 + gain;
            let kept = kept * if gain > 1.0 { 1.0 / gain } else { gain.max(0.0) } * made_up(left);
            let own = |part: f32| (part * kept).min(1.0);
            let turns = shares(now, to, aside, self.parts.iter().map(|part| own(*part)));
            left = 1.0;
            for ((place, &joint), turn) in self.path.iter().enumerate().zip(turns) {
                // The joints above have turned since.
                pose.update_joints(skeleton, &[joint]);
                if self.parts[place] > 0.0 {
                    let rotation = (turn * pose.model(joint).rotation).normalize();
                    pose.set_rotation_ms(skeleton, joint, rotation);
                    let stopped_rad = self.settle(skeleton, pose, place);
                    let turned_rad = angle * own(self.parts[place]);
                    if stopped_rad > 0.0 {
                        left -= self.parts[place] * (stopped_rad / turned_rad.max(1e-30)).min(1.0);
                    }
                }
            }
        }
        ROUNDS
    }

    /// Clamps a joint to its limits and updates its frame; returns the angle that the limits took.
    fn settle(&self, skeleton: &Skeleton, pose: &mut Pose, place: usize) -> f32 {
        let joint = self.path[place];
        let limit = &self.limits[place];
        let local = &mut pose.local_mut()[joint];
        let mut stopped_rad = 0.0;
        if !limit.model.is_unlimited() {
            let asked = local.rotation;
            local.rotation = limit.project(asked);
            if local.rotation != asked {
                stopped_rad = rotation_angle(asked.conjugate() * local.rotation);
            }
        }
        pose.update_joints(skeleton, &[joint]);
        stopped_rad
    }

    /// The ray and the up vector as the finishing joint's parent sees them, from the joint; `None`
    /// where scale leaves nothing to map back.
    fn in_parent(&self, skeleton: &Skeleton, pose: &Pose, up_js: Vec3) -> Option<(Frame, Vec3, Vec3, Vec3)> {
        let (joint, end) = (self.path[self.finisher], self.end());
        let frame = pose.model(joint);
        // Without scale nothing is distorted.
        let inward = if frame.is_rigid() && joint == end { None } else { Some(frame.inverse_linear()?) };
        let seen = match inward {
            Some(inward) if joint != end => {
                let (start, direction) = self.ray(pose);
                [start - frame.position, direction, pose.model(end).vector_out(up_js)].map(|v| inward * v)
            }
            _ => [self.offset_js, self.axis_js, up_js],
        };
        let local = &pose.local()[joint];
        let rotation = unit_rotation(local);
        let [offset, direction, up] = seen.map(|v| scalar_in_register::turned(rotation, local.scale * v));
        Some((pose.parent_frame(skeleton, joint), offset, direction, up))
    }

    fn turn_finisher(&self, skeleton: &Skeleton, pose: &mut Pose, turn_ps: Quat) {
        let joint = self.path[self.finisher];
        let local = &mut pose.local_mut()[joint];
        local.rotation = (turn_ps * unit_rotation(local)).normalize();
        self.settle(skeleton, pose, self.finisher);
        pose.update_joints(skeleton, &self.path[self.finisher + 1..]);
    }

    /// The last joint with a weight brings the ray through the point. In the space of its parent,
    /// where turning it is a turn whatever scale is above. Returns that turn.
    fn finish(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3) -> Option<Quat> {
        let (parent, offset, axis, up) = self.in_parent(skeleton, pose, self.up_js)?;
        let goal_ps = parent.point_in(goal_ms)?;
        let axis = normalize_or(axis, Vec3::Z);
        let half_turn = normalize_or(up - axis * axis.dot(up), perpendicular(axis));
        let place = pose.local()[self.path[self.finisher]].position;
        let ray =
            Ray { offset: lane(offset), axis: lane(axis), target: lane(goal_ps - place), behind: lane(half_turn) };
        let turn = single::solve(&ray).turn.to_scalar().to_quat();
        // With one joint the goal was already clamped to the cone; several joints may have carried
        // the ray past the target.
        let kept = if self.finisher == 0 { 1.0 } else { 1.0 - behind(rotation_angle(turn), LEFT_BEHIND) };
        self.turn_finisher(skeleton, pose, if kept < 1.0 { fraction(turn, kept) } else { turn });
        Some(turn)
    }

    /// Rolls the last joint with a weight about the line to the point, so that up faces the pole
    /// and the ray stays on the point.
    fn roll(&self, skeleton: &Skeleton, pose: &mut Pose, goal_ms: Vec3, pole: &Pole) {
        let Some(roll) = self.roll_to(skeleton, pose, goal_ms, pole) else { return };
        let weight = pole.weight * roll.clear;
        if weight <= 0.0 {
            return;
        }
        self.turn_finisher(skeleton, pose, axis_angle(roll.line_ps, pole::blended_angle(roll.angle_rad, weight)));
    }

    fn roll_to(&self, skeleton: &Skeleton, pose: &Pose, goal_ms: Vec3, pole: &Pole) -> Option<Roll> {
        let up_js = pole.reference.filter(|r| r.is_finite()).unwrap_or(self.up_js);
        let (parent, _, axis, up) = self.in_parent(skeleton, pose, up_js)?;
        let goal_ps = parent.point_in(goal_ms)?;
        let place = pose.local()[self.path[self.finisher]].position;
        let line = normalize_or(goal_ps - place, normalize_or(axis, Vec3::Z));
        let to_pole = if pole.is_direction {
            parent.inverse_linear().map_or(pole.at, |m| m * pole.at)
        } else {
            parent.point_in(pole.at).map_or(Vec3::ZERO, |p| p - place)
        };
        let across = |v: Vec3| v - line * line.dot(v);
        let (up, to_pole) = (across(normalize_or(up, Vec3::ZERO)), across(normalize_or(to_pole, Vec3::ZERO)));
        let handed = handed(&parent);
        Some(Roll {
            line_ps: line,
            angle_rad: float::atan2(line.dot(up.cross(to_pole)), up.dot(to_pole)) - handed * pole.angle_rad,
            handed,
            clear: pole::fade_full_width(up.length().min(to_pole.length())),
        })
    }
}

impl ConstraintKind for Aim {
    fn top(&self) -> JointIndex {
        self.path[0]
    }
    fn joints(&self) -> Vec<JointIndex> {
        self.path.to_vec()
    }
    fn set_limit(&mut self, _skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit) {
        if let Some(place) = self.path.iter().position(|j| *j == joint) {
            self.limits[place] = *limit;
        }
    }
    /// The angle of `input`'s pole at which the end rolls as it would without it, radians; frames
    /// up to date.
    fn angle_in_place(&mut self, skeleton: &Skeleton, pose: &Pose, world: &Frame, input: &ConstraintInput) -> f32 {
        let mut angle_rad = 0.0;
        self.solve_and(skeleton, &mut pose.clone(), world, input, |aimed, goal_ms, pole| {
            let Some(roll) = self.roll_to(skeleton, aimed, goal_ms, pole) else { return };
            angle_rad = roll.handed * roll.angle_rad + pole.angle_rad;
        });
        angle_rad
    }
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        _work: &mut Work,
    ) -> Outcome {
        let (outcome, requested_ms) = self
            .solve_and(skeleton, pose, world, input, |aimed, goal_ms, pole| self.roll(skeleton, aimed, goal_ms, pole));
        self.requested_ms = requested_ms;
        outcome
    }
    fn excess_rad(&self, pose: &Pose) -> f32 {
        let joints = self.path.iter().zip(&self.limits);
        joints.map(|(joint, limit)| limit.violation_rad(pose.local()[*joint].rotation)).fold(0.0, f32::max)
    }
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool {
        joints.contains(&self.end())
    }
    fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        _world: &Frame,
        _input: &ConstraintInput,
        outcome: Outcome,
    ) -> Outcome {
        pose.update_joints(skeleton, &self.lineage);
        let residual_rad = self.left_rad(pose, self.requested_ms);
        outcome.measured_again(0.0, residual_rad, residual_rad <= MOVED)
    }
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, _input: &ConstraintInput) {
        pose.update_joints(skeleton, &self.lineage);
    }
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput) {
        let eye = ChainEnd { joint: self.end(), tip_js: self.offset_js };
        lines.sight(&eye, self.axis_js, &input.goals[0]);
        lines.pole(&[self.end()], input);
    }
    fn boxed(&self) -> Box<dyn ConstraintKind> {
        Box::new(self.clone())
    }
}

#[inline(always)]
fn lane(v: Vec3) -> LaneVec3<ScalarInRegister> {
    LaneVec3::splat(v)
}

/// A local rotation, made unit where it is off.
#[inline(always)]
fn unit_rotation(local: &Transform) -> Quat {
    Rigid::from_transform(local).rotation.to_quat()
}

/// The turn that brings up to its pole.
struct Roll {
    /// Line to roll about, in the space of the finishing joint's parent.
    line_ps: Vec3,
    angle_rad: f32,
    /// See [`handed`].
    handed: f32,
    /// 1, and less where up or pole are within 3 degrees of the line.
    clear: f32,
}
