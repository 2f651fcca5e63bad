//! A limb of two bones in closed form as a constraint, on any three joints below one another.
//!
//! Once one of its joints is limited the closed form no longer applies: the limb is then solved
//! as a chain, which keeps limits.

use super::chain::{ChainConstraint, ChainDefinition, depends_on_ends};
use super::error::ConstraintError;
use super::goal::{ConstraintInput, DistanceGoal, MOVED, ModelGoal, axis_out};
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use super::pose_chain::ChainEnd;
use crate::closed_form::limb::{self, LimbGoal, LimbJoints};
use crate::limits::JointLimit;
use crate::math::{Frame, Vec3, arc, axis_angle, float, length, normalize_or, perpendicular, rotation_angle};
use crate::optim::Work;
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::Range;

/// Which joints form a limb and how it behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneDefinition {
    /// The joint to be placed (wrist, ankle). One that is not below the limb is moved by its
    /// own local position.
    pub end: JointIndex,
    /// The joint that bends; `None`, the default: the parent of `end`.
    pub mid: Option<JointIndex>,
    /// The first joint of the limb (shoulder, hip); `None`, the default: the parent of `mid`.
    pub root: Option<JointIndex>,
    /// Side to which the limb bends when it is straight: a vector in the root joint's own space,
    /// any length. Zero, the default: the side to which it bends in the rest pose. A limb that is
    /// straight at rest has none: without a pole it then bends to an arbitrary fixed side, often
    /// +X, and `Animator::bend_is_arbitrary` reports it.
    pub bend_side_js: Vec3,
    /// Width of the zone before full extension in which the limb slows down, as a share of its
    /// length, 0 … 1; default 0: hard. Fades with the weight of the position, and is none without
    /// one.
    pub softness: f32,
    /// How much longer than it is the limb may become to reach, as a share of its length, 0 … 1;
    /// default 0.
    pub stretch: f32,
}

impl TwoBoneDefinition {
    /// The limb that ends at `end`: its parent bends, its parent's parent is the root.
    pub fn ending_at(end: JointIndex) -> Self {
        Self { end, mid: None, root: None, bend_side_js: Vec3::ZERO, softness: 0.0, stretch: 0.0 }
    }
}

/// The constraint on a skeleton.
#[derive(Clone, Debug)]
pub(super) struct TwoBone {
    joints: LimbJoints,
    bend_side_js: Vec3,
    /// Neither the definition nor the rest pose defines to which side the limb bends.
    is_bend_arbitrary: bool,
    softness: f32,
    stretch: f32,
    /// The limb as a chain, for limited joints; `None` for an end that is not below the limb.
    chain: Option<Box<ChainConstraint>>,
    /// Which joints of the path are limited.
    limited: Box<[bool]>,
    /// The goal of the last closed solve.
    active_goal: ModelGoal,
}

impl TwoBone {
    pub fn new(skeleton: &Skeleton, definition: &TwoBoneDefinition) -> Result<Self, ConstraintError> {
        for joint in core::iter::once(definition.end).chain(definition.mid).chain(definition.root) {
            if joint >= skeleton.joint_count() {
                return Err(ConstraintError::NoSuchJoint(joint));
            }
        }
        let above = |joint: JointIndex| skeleton.parent(joint).ok_or(ConstraintError::NoLimb);
        let mid = definition.mid.map_or_else(|| above(definition.end), Ok)?;
        let root = definition.root.map_or_else(|| above(mid), Ok)?;
        let joints = LimbJoints::new(skeleton, root, mid, definition.end).ok_or(ConstraintError::NoLimb)?;
        let numbers = [
            ("bend_side_js", definition.bend_side_js.length().is_finite()),
            ("softness", definition.softness.is_finite()),
            ("stretch", definition.stretch.is_finite()),
        ];
        if let Some((name, _)) = numbers.into_iter().find(|(_, finite)| !finite) {
            return Err(ConstraintError::BadNumber(name));
        }
        let (bend_side_js, is_bend_arbitrary) = if definition.bend_side_js.length() > 1e-12 {
            (definition.bend_side_js, false)
        } else {
            rest_bend_side(skeleton, &joints)
        };
        let chain = if joints.is_attached() {
            let definition = ChainDefinition::ending_at(definition.end, joints.path().len());
            Some(Box::new(ChainConstraint::new(skeleton, &definition)?))
        } else {
            None
        };
        Ok(Self {
            limited: vec![false; joints.path().len()].into(),
            chain,
            joints,
            active_goal: ModelGoal::default(),
            bend_side_js,
            is_bend_arbitrary,
            softness: weight01(definition.softness),
            stretch: weight01(definition.stretch),
        })
    }

    fn solve_closed(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
    ) -> Outcome {
        let goal = &input.goals[0];
        let weight = weight01(input.weight);
        let pole = input.pole_in_model(world);
        let pole_weight = pole.map_or(0.0, |p| p.weight * weight);
        let end = self.joints.end();
        let before = pose.model(end);
        let from_ms = before.position;
        let given = goal.in_model(world, weight, from_ms, &before);
        self.active_goal = given;
        if given.position_ms.is_none() && given.rotation_ms.is_none() && given.axis_ms.is_none() && pole_weight <= 0.0 {
            return Outcome::INACTIVE;
        }
        let mut outcome = Outcome { status: Status::Reached, ..Outcome::INACTIVE };
        if given.position_ms.is_some() || pole_weight > 0.0 {
            let target_ms = given.position_ms.unwrap_or(from_ms);
            // The animation's own place is left as hard as it is.
            let share = if given.position_ms.is_some() { weight * weight01(goal.position_weight) } else { 0.0 };
            let pole_ms = pole.map_or(from_ms, |pole| {
                let root_ms = pose.model(self.joints.root()).position;
                // A direction becomes a point beyond the limb's reach.
                let reach = length(pose.model(self.joints.mid()).position - root_ms)
                    + length(from_ms - pose.model(self.joints.mid()).position);
                let at =
                    if pole.is_direction { root_ms + normalize_or(pole.at, Vec3::Y) * (2.0 * reach) } else { pole.at };
                let line = normalize_or(target_ms - root_ms, Vec3::Y);
                // The joint, turned by the angle, faces the pole.
                root_ms + axis_angle(line, -pole.angle_rad) * (at - root_ms)
            });
            let limb_goal = LimbGoal {
                target_ms,
                // The goal is weighted already.
                weight: 1.0,
                pole_ms,
                pole_weight,
                bend_side_js: self.bend_side_js,
                centre_ps: Vec3::ZERO,
                softness: self.softness * share * share,
                stretch: if given.position_ms.is_some() { self.stretch } else { 0.0 },
            };
            outcome = limb::solve_stale(skeleton, pose, &self.joints, &limb_goal);
            let is_whole = weight * weight01(goal.position_weight) >= 1.0;
            let kept = goal.distance.zip(goal.position_ws).filter(|_| is_whole);
            let turns = given.rotation_ms.is_some() || given.axis_ms.is_some();
            // The limb's own measure of what is left is that of the world where the world only
            // moves and turns it.
            if kept.is_some() || turns || !world.is_rigid() {
                limb::update_frames(skeleton, pose, &self.joints);
                let tip_ms = pose.model(end).position;
                outcome.residual_m = match kept {
                    Some((distance, centre_ws)) => {
                        settle_distance(&distance, centre_ws, world.point_out(tip_ms), &mut outcome)
                    }
                    None => length(world.vector_out(tip_ms - target_ms)),
                };
            }
        }
        let wanted = match (given.rotation_ms, given.axis_ms) {
            (Some(rotation_ms), _) => rotation_ms,
            (None, Some(axis)) => {
                let now = pose.model(end);
                (arc(axis_out(&now, axis.axis), axis.direction) * now.rotation).normalize()
            }
            (None, None) => return outcome,
        };
        pose.set_rotation_ms(skeleton, end, wanted);
        pose.update_joints(skeleton, &[end]);
        outcome.residual_rad = rotation_angle(pose.model(end).rotation * wanted.conjugate());
        outcome
    }
}

impl ConstraintKind for TwoBone {
    fn is_bend_arbitrary(&self) -> bool {
        self.is_bend_arbitrary
    }
    fn top(&self) -> JointIndex {
        self.joints.root()
    }
    fn joints(&self) -> Vec<JointIndex> {
        let mut joints: Vec<_> = self.joints.path().iter().copied().chain(self.detached_end()).collect();
        joints.sort_unstable();
        joints
    }
    /// The end, when it is not below the limb.
    fn detached_end(&self) -> Option<JointIndex> {
        (!self.joints.is_attached()).then(|| self.joints.end())
    }
    /// See [`ChainConstraint::set_iteration_scale`]; the closed form has no iterations.
    fn set_iteration_scale(&mut self, share: f32) {
        if let Some(chain) = &mut self.chain {
            chain.set_iteration_scale(share);
        }
    }
    fn set_limit(&mut self, skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit) {
        let Some(place) = self.joints.path().iter().position(|j| *j == joint) else { return };
        self.limited[place] = !limit.model.is_unlimited();
        if let Some(chain) = &mut self.chain {
            chain.set_limit(skeleton, joint, limit);
        }
    }
    /// Updates the frames that [`Self::solve`] reads: of the joints above the limb, and of its own
    /// where the goals depend on them, or are more than a position.
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, input: &ConstraintInput) {
        let Some(chain) = &self.chain else { return pose.update(skeleton) };
        chain.update_frames(skeleton, pose, input);
        let goal = &input.goals[0];
        let more = input.pole_ws.is_some() || goal.rotation_ws.is_some() || goal.axis_ws.is_some();
        if more && !depends_on_ends(input) {
            pose.update_joints(skeleton, self.joints.path());
        }
    }
    /// Solves the limb on the pose, whose frames must be up to date (or just those of
    /// [`Self::update_frames`]); those of the limb's joints and of all below are stale when
    /// it returns.
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        work: &mut Work,
    ) -> Outcome {
        match &mut self.chain {
            Some(chain) if self.limited.contains(&true) => chain.solve(skeleton, pose, world, input, work),
            _ => self.solve_closed(skeleton, pose, world, input),
        }
    }
    /// The angle of `input`'s pole at which the limb swivels as it would without it, radians;
    /// frames up to date.
    fn angle_in_place(&mut self, skeleton: &Skeleton, pose: &Pose, world: &Frame, input: &ConstraintInput) -> f32 {
        if let Some(chain) = self.chain.as_mut().filter(|_| self.limited.contains(&true)) {
            return chain.angle_in_place(skeleton, pose, world, input);
        }
        let Some(pole) = input.pole_in_model(world) else { return 0.0 };
        let mut solved = pose.clone();
        self.solve_closed(skeleton, &mut solved, world, &ConstraintInput { pole_ws: None, ..input.clone() });
        limb::update_frames(skeleton, &mut solved, &self.joints);
        let at = |joint: JointIndex| solved.model(joint).position;
        let root_ms = at(self.joints.root());
        let line = normalize_or(at(self.joints.end()) - root_ms, Vec3::Y);
        let across = |v: Vec3| normalize_or(v - line * line.dot(v), Vec3::ZERO);
        let side = across(at(self.joints.mid()) - root_ms);
        let to_pole = across(if pole.is_direction { pole.at } else { pole.at - root_ms });
        float::atan2(line.dot(side.cross(to_pole)), side.dot(to_pole))
    }
    fn excess_rad(&self, pose: &Pose) -> f32 {
        self.chain.as_ref().filter(|_| self.limited.contains(&true)).map_or(0.0, |chain| chain.excess_rad(pose))
    }
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool {
        joints.contains(&self.joints.end())
    }
    fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        outcome: Outcome,
    ) -> Outcome {
        if let Some(chain) = self.chain.as_mut().filter(|_| self.limited.contains(&true)) {
            return chain.measure_again(skeleton, pose, world, input, outcome);
        }
        pose.update(skeleton);
        let [root, mid, end] = [self.joints.root(), self.joints.mid(), self.joints.end()].map(|j| pose.model(j));
        let left = self.active_goal.left(&input.goals[0], world, &end, Vec3::ZERO, None);
        let bone = |a: &Frame, b: &Frame| length(world.vector_out(b.position - a.position));
        let size = bone(&root, &mid) + bone(&mid, &end);
        let is_met = left.residual_m <= MOVED * size && left.residual_rad <= MOVED;
        outcome.measured_again(left.residual_m, left.residual_rad, is_met)
    }
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput) {
        let joints = &self.joints;
        lines.end(&ChainEnd { joint: joints.end(), tip_js: Vec3::ZERO }, &input.goals[0]);
        lines.pole(&[joints.root(), joints.mid(), joints.end()], input);
    }
    fn boxed(&self) -> Box<dyn ConstraintKind> {
        Box::new(self.clone())
    }
}

/// The distance left, metres; a limb that keeps its distance has reached its goal wherever its end
/// stopped.
fn settle_distance(distance: &DistanceGoal, centre_ws: Vec3, tip_ws: Vec3, outcome: &mut Outcome) -> f32 {
    let left = distance.violation_m(centre_ws, tip_ws);
    if left == 0.0 {
        outcome.status = Status::Reached;
    }
    left
}

/// The side to which the limb bends at rest, in the root joint's space, and whether that is
/// arbitrary: some side across the limb, because the limb is straight there.
fn rest_bend_side(skeleton: &Skeleton, joints: &LimbJoints) -> (Vec3, bool) {
    let frame = |joint: JointIndex| &skeleton.rest_model()[joint];
    let root = frame(joints.root());
    let (mid, end) = (frame(joints.mid()).position - root.position, frame(joints.end()).position - root.position);
    let line = normalize_or(end, normalize_or(mid, Vec3::Y));
    let aside = mid - line * line.dot(mid);
    let is_straight = length(aside) <= 1e-4 * length(mid);
    let side_ms = if is_straight { perpendicular(line) } else { aside };
    let inverse = root.inverse_linear();
    (normalize_or(inverse.map_or(side_ms, |inverse| inverse * side_ms), Vec3::Z), is_straight)
}
