//! A pose whose spine, neck, head and eyes keep to joint limits while the look-at and the spine
//! step turn them: what one joint may not do, the next ones make up for as far as they may.

use crate::limits::LimitTable;
use crate::math::{LaneQuat, LaneVec3, Quat, Rigid, Vec3};
use crate::skeleton::JointIndex;
use crate::skeleton::joint_view::{JointView, ScaledPoseView};

/// A pose as a view; some of its joints turn no further than their limits. What a joint exceeds
/// before a turn stays allowed.
pub(crate) struct LimitedView<'a> {
    pub view: ScaledPoseView<'a>,
    pub limits: &'a LimitTable,
    /// The joints that are limited.
    pub limited: &'a [JointIndex],
    /// Whether a turn was cut short.
    pub has_limited: bool,
}

impl JointView<f32> for LimitedView<'_> {
    fn set_rotation(&mut self, mask: bool, joint: JointIndex, rotation: LaneQuat<f32>) {
        let mut local = rotation.to_quat();
        if mask && self.limited.contains(&joint) {
            let limit = self.limits.limit_in(self.view.skeleton, self.view.pose, joint);
            let within = limit.limited_beside(local, self.view.pose.local()[joint].rotation);
            self.has_limited |= within != local;
            local = within;
        }
        self.view.set_rotation(mask, joint, LaneQuat::from_quat(local));
    }
    fn refresh_turned(&mut self, _mask: bool, joint: JointIndex, _rotation_ms: LaneQuat<f32>) {
        self.view.refresh(joint);
    }
    fn local(&self, joint: JointIndex) -> Rigid<f32> {
        self.view.local(joint)
    }
    fn model(&self, joint: JointIndex) -> Rigid<f32> {
        self.view.model(joint)
    }
    fn parent(&self, joint: JointIndex) -> Rigid<f32> {
        self.view.parent(joint)
    }
    fn set_position(&mut self, mask: bool, joint: JointIndex, position: LaneVec3<f32>) {
        self.view.set_position(mask, joint, position);
    }
    fn refresh(&mut self, joint: JointIndex) {
        self.view.refresh(joint);
    }
    fn vector_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<f32> {
        self.view.vector_out(joint, v)
    }
    fn direction_out(&self, joint: JointIndex, v: Vec3) -> LaneVec3<f32> {
        self.view.direction_out(joint, v)
    }
    fn facing(&self, joint: JointIndex, facing: Quat, forward: Vec3, up: Vec3) -> LaneQuat<f32> {
        self.view.facing(joint, facing, forward, up)
    }
    fn vector_in_parent(&self, joint: JointIndex, rotation: LaneQuat<f32>, v: LaneVec3<f32>) -> LaneVec3<f32> {
        self.view.vector_in_parent(joint, rotation, v)
    }
    fn direction_in_parent(&self, joint: JointIndex, rotation: LaneQuat<f32>, v: LaneVec3<f32>) -> LaneVec3<f32> {
        self.view.direction_in_parent(joint, rotation, v)
    }
    fn point_in_parent(&self, joint: JointIndex, point_ms: LaneVec3<f32>) -> (LaneVec3<f32>, bool) {
        self.view.point_in_parent(joint, point_ms)
    }
    fn rotation_in_parent(&self, joint: JointIndex, rotation_ms: LaneQuat<f32>) -> LaneQuat<f32> {
        self.view.rotation_in_parent(joint, rotation_ms)
    }
    fn is_even(&self, joints: &[JointIndex]) -> bool {
        self.view.is_even(joints)
    }
}
