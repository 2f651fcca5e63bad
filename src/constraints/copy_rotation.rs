//! Copies a rotation to a joint: from a rotation goal or from another joint (a foot that follows
//! its handle, a twist bone that follows a hand).

use super::error::ConstraintError;
use super::goal::{ConstraintInput, MOVED};
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use crate::limits::JointLimit;
use crate::math::{Frame, Quat, Vec3, fraction, normalize_or, rotation_angle, swing_twist};
use crate::optim::Work;
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::Range;

/// Which joint copies which rotation.
///
/// The rotation comes from `goals[0].rotation_ws` or, without one, from `source` as the constraints
/// before left it. Limits of the joint hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyRotationDefinition {
    /// The joint that is turned.
    pub joint: JointIndex,
    /// The joint whose rotation is copied when no rotation goal is set; `None`: only goals.
    pub source: Option<JointIndex>,
    /// Turn of the joint against what it copies, in the copied frame: `joint = copied · offset`.
    /// Default: the identity.
    pub offset: Quat,
    /// The bone's axis in the joint's space, default +Y; splits the copied turn into swing and
    /// twist.
    pub axis_js: Vec3,
    /// Share of the swing that is copied, 0 … 1, default 1.
    pub swing: f32,
    /// Share of the twist about the axis that is copied, 0 … 1, default 1.
    pub twist: f32,
}

impl CopyRotationDefinition {
    /// Everything of the rotation goal.
    pub fn of(joint: JointIndex) -> Self {
        Self { joint, source: None, offset: Quat::IDENTITY, axis_js: Vec3::Y, swing: 1.0, twist: 1.0 }
    }
}

/// The constraint on a skeleton.
#[derive(Clone, Debug)]
pub(super) struct CopyRotation {
    definition: CopyRotationDefinition,
    /// The joint, its source, and the joints above both.
    lineage: Box<[JointIndex]>,
    limit: JointLimit,
    /// The orientation that the last solve requested, model space.
    wanted_ms: Quat,
}

impl CopyRotation {
    pub fn new(skeleton: &Skeleton, definition: &CopyRotationDefinition) -> Result<Self, ConstraintError> {
        let mut definition = *definition;
        for joint in core::iter::once(definition.joint).chain(definition.source) {
            if joint >= skeleton.joint_count() {
                return Err(ConstraintError::NoSuchJoint(joint));
            }
        }
        let (offset, axis) = (definition.offset.length(), definition.axis_js.length());
        if !(offset > 1e-3 && offset.is_finite() && axis > 1e-12 && axis.is_finite()) {
            return Err(ConstraintError::BadNumber("offset or axis_js"));
        }
        definition.offset = definition.offset.normalize();
        definition.axis_js = normalize_or(definition.axis_js, Vec3::Y);
        definition.swing = weight01(definition.swing);
        definition.twist = weight01(definition.twist);
        let lineage = skeleton.with_ancestors(core::iter::once(definition.joint).chain(definition.source));
        let limit = JointLimit::free(skeleton, definition.joint);
        Ok(Self { definition, lineage, limit, wanted_ms: Quat::IDENTITY })
    }
}

impl ConstraintKind for CopyRotation {
    fn top(&self) -> JointIndex {
        self.definition.joint
    }
    fn joints(&self) -> Vec<JointIndex> {
        vec![self.definition.joint]
    }
    fn set_limit(&mut self, _skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit) {
        if joint == self.definition.joint {
            self.limit = *limit;
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
        let d = &self.definition;
        let goal = &input.goals[0];
        let copied_ms = match (goal.rotation_ws, d.source) {
            (Some(rotation_ws), _) => world.rotation_in(rotation_ws.normalize()),
            (None, Some(source)) => pose.model(source).rotation,
            (None, None) => return Outcome::INACTIVE,
        };
        let weight = self.weight(input);
        if weight <= 0.0 {
            return Outcome::INACTIVE;
        }
        let before = pose.model(d.joint).rotation;
        // The turn that is missing, seen from the joint, in its two parts.
        let missing = (before.conjugate() * (copied_ms * d.offset)).normalize();
        let (swing, twist) = swing_twist(missing, d.axis_js);
        let turn = fraction(swing, d.swing * weight) * fraction(twist, d.twist * weight);
        let wanted = (before * turn).normalize();
        self.wanted_ms = wanted;
        pose.set_rotation_ms(skeleton, d.joint, wanted);
        if !self.limit.model.is_unlimited() {
            let local = &mut pose.local_mut()[d.joint];
            local.rotation = self.limit.project(local.rotation);
        }
        pose.update_joints(skeleton, &[d.joint]);
        let residual_rad = rotation_angle(pose.model(d.joint).rotation * wanted.conjugate());
        let status = if residual_rad <= 1e-4 { Status::Reached } else { Status::Unreachable };
        Outcome { status, residual_rad, ..Outcome::INACTIVE }
    }
    fn excess_rad(&self, pose: &Pose) -> f32 {
        self.limit.violation_rad(pose.local()[self.definition.joint].rotation)
    }
    fn weight(&self, input: &ConstraintInput) -> f32 {
        weight01(input.weight) * weight01(input.goals[0].rotation_weight)
    }
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool {
        joints.contains(&self.definition.joint)
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
        let residual_rad = rotation_angle(pose.model(self.definition.joint).rotation * self.wanted_ms.conjugate());
        outcome.measured_again(0.0, residual_rad, residual_rad <= MOVED)
    }
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, _input: &ConstraintInput) {
        pose.update_joints(skeleton, &self.lineage);
    }
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput) {
        let d = &self.definition;
        lines.turn(d.joint, &input.goals[0], d.source, d.offset);
    }
    fn boxed(&self) -> Box<dyn ConstraintKind> {
        Box::new(self.clone())
    }
}
