//! The joint limits of one rig: what every solver reads, and where they come from.
//!
//! Three layers; of those that define limits of a joint the last one counts, whole:
//!
//! 1. the skeleton's default: every joint is free;
//! 2. a [`LimitLayer`], the human ranges of an avatar, for solvers only while it is enabled;
//! 3. overrides, one joint each.
//!
//! Defaults and overrides count rotations from the joint's rest rotation, a layer from rotations of
//! its own (the T-pose), so a limit is a model together with its origin.

use super::joint::JointModel;
use super::prepared::PreparedJoint;
use crate::math::{Quat, plain_length, rotation_angle, slerp_short};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use std::borrow::Cow;
use std::sync::Arc;

/// Violation that counts as none, radians: 0.03°.
pub(crate) const SLACK: f32 = 5e-4;

/// A joint above, from which on the rotations of all joints count: an upper arm is limited against
/// the chest, wherever the clavicle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier {
    /// The joint above.
    pub joint: JointIndex,
    /// Orientation of the limited joint, where its limits count from, in the space of the carrier's
    /// parent.
    pub origin: Quat,
}

/// A joint's limits and the rotation they count from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// What the joint may do.
    pub model: JointModel,
    /// The local rotation that the model counts from, with all joints above at theirs.
    pub origin: Quat,
    /// The joint above whose rotation counts, too. Readers that see one joint at a time (chains,
    /// bodies) take it to be at its origin.
    pub carrier: Option<Carrier>,
}

impl JointLimit {
    /// No limit.
    pub fn free(skeleton: &Skeleton, joint: JointIndex) -> Self {
        Self { model: JointModel::FREE, origin: skeleton.rest_local()[joint].rotation, carrier: None }
    }
    /// The local rotation that the model counts from, with the joints from the carrier on as they
    /// are in a pose.
    pub fn origin_in(&self, skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> Quat {
        self.origin_under(skeleton, joint, |above| pose.local()[above].rotation)
    }
    /// The same with the joints above at these local rotations.
    pub(crate) fn origin_under(
        &self,
        skeleton: &Skeleton,
        joint: JointIndex,
        local: impl Fn(JointIndex) -> Quat,
    ) -> Quat {
        let Some(carrier) = &self.carrier else { return self.origin };
        let mut above = Quat::IDENTITY;
        for joint in skeleton.ancestors(joint) {
            above = (local(joint).normalize() * above).normalize();
            if joint == carrier.joint {
                return (above.conjugate() * carrier.origin).normalize();
            }
        }
        self.origin
    }
    /// The rotation that the model judges, for a local rotation.
    pub fn turn(&self, local: Quat) -> Quat {
        turn_from(self.origin, local)
    }
    /// How far a local rotation is from the nearest admissible one, radians.
    pub fn violation_rad(&self, local: Quat) -> f32 {
        self.model.violation_rad(self.turn(local))
    }
    /// The rotation of a joint of a pose that the model judges.
    fn turn_in(&self, skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> Quat {
        turn_from(self.origin_in(skeleton, pose, joint), pose.local()[joint].rotation)
    }
    /// The nearest admissible local rotation.
    pub fn project(&self, local: Quat) -> Quat {
        (self.origin * self.model.project((self.origin.conjugate() * local).normalize())).normalize()
    }
    /// The nearest local rotation that is beyond the limit by no more than `allowed_rad`.
    pub(crate) fn limited(&self, local: Quat, allowed_rad: f32) -> Quat {
        self.limited_by(local, || allowed_rad)
    }
    /// The nearest local rotation that is beyond the limit by no more than another one is.
    pub(crate) fn limited_beside(&self, local: Quat, other: Quat) -> Quat {
        self.limited_by(local, || self.violation_rad(other))
    }
    fn limited_by(&self, local: Quat, allowed_rad: impl FnOnce() -> f32) -> Quat {
        let turn = self.turn(local);
        match limited_by(&self.model, turn, allowed_rad) {
            same if same == turn => local,
            limited => (self.origin * limited).normalize(),
        }
    }
}

fn turn_from(origin: Quat, local: Quat) -> Quat {
    (origin.conjugate() * local.normalize()).normalize()
}

/// The admissible rotation, or one as far beyond as is allowed.
pub(crate) fn limited(model: &JointModel, rotation: Quat, allowed_rad: f32) -> Quat {
    limited_by(model, rotation, || allowed_rad)
}

/// The same; what is allowed is only computed where a rotation is beyond the limits.
fn limited_by(model: &JointModel, rotation: Quat, allowed_rad: impl FnOnce() -> f32) -> Quat {
    if model.is_unlimited() {
        return rotation;
    }
    limited_to(rotation, model.project(rotation), allowed_rad)
}

/// The same for the nearest admissible rotation.
pub(crate) fn limited_to(rotation: Quat, admissible: Quat, allowed_rad: impl FnOnce() -> f32) -> Quat {
    if admissible == rotation {
        return rotation;
    }
    let beyond = admissible.conjugate() * rotation;
    if plain_length(beyond.xyz()) <= 0.5 * SLACK {
        return rotation;
    }
    let allowed_rad = allowed_rad();
    if allowed_rad == 0.0 {
        return admissible;
    }
    let violation = rotation_angle(beyond);
    if violation <= allowed_rad + SLACK {
        return rotation;
    }
    slerp_short(admissible, rotation, allowed_rad / violation)
}

/// Limits of some joints of a rig, shared by all characters that have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitLayer {
    limits: Vec<Option<(JointLimit, PreparedJoint)>>,
}

impl LimitLayer {
    /// An empty layer.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self { limits: vec![None; skeleton.joint_count()] }
    }
    /// Sets the limits of a joint of the skeleton.
    pub fn set(&mut self, joint: JointIndex, limit: JointLimit) {
        if let Some(place) = self.limits.get_mut(joint) {
            *place = Some((limit, PreparedJoint::new(&limit.model)));
        }
    }
    /// The limits of a joint; `None` where the layer has none.
    pub fn get(&self, joint: JointIndex) -> Option<&JointLimit> {
        self.limits.get(joint)?.as_ref().map(|(limit, _)| limit)
    }
}

/// The joint limits of one character.
#[derive(Clone, Debug, Default)]
pub struct LimitTable {
    layer: Option<Arc<LimitLayer>>,
    is_layer_enabled: bool,
    /// One per joint once there was an override, else empty.
    overrides: Vec<Option<JointModel>>,
}

impl LimitTable {
    /// A table without overrides, on a layer that is not enabled.
    pub fn new(layer: Option<Arc<LimitLayer>>) -> Self {
        Self { layer, ..Self::default() }
    }
    /// Whether solvers read the layer; default false.
    pub fn is_layer_enabled(&self) -> bool {
        self.is_layer_enabled
    }
    /// See [`Self::is_layer_enabled`].
    pub fn enable_layer(&mut self, enabled: bool) {
        self.is_layer_enabled = enabled;
    }
    /// Replaces the layer; solvers read it from now on. Overrides stay.
    pub fn set_layer(&mut self, layer: Option<Arc<LimitLayer>>) {
        self.is_layer_enabled = layer.is_some();
        self.layer = layer;
    }
    /// Takes over another table of the same skeleton, in the room that there is.
    pub fn copy_from(&mut self, other: &Self) {
        self.layer.clone_from(&other.layer);
        self.is_layer_enabled = other.is_layer_enabled;
        self.overrides.clone_from(&other.overrides);
    }
    /// Whether [`Self::copy_from`] would allocate.
    pub(crate) fn lacks_room_for(&self, other: &Self) -> bool {
        self.overrides.capacity() < other.overrides.len()
    }
    /// The override of a joint.
    pub fn joint_override(&self, joint: JointIndex) -> Option<&JointModel> {
        self.overrides.get(joint)?.as_ref()
    }
    /// Sets or clears the override of a joint of the skeleton. The first one allocates.
    pub fn set_override(&mut self, skeleton: &Skeleton, joint: JointIndex, model: Option<&JointModel>) {
        if self.overrides.is_empty() && model.is_some() {
            self.overrides.resize(skeleton.joint_count(), None);
        }
        if let Some(place) = self.overrides.get_mut(joint) {
            *place = model.copied();
        }
    }
    /// The joints that have limits in the layer.
    pub fn layer_joints(&self) -> impl Iterator<Item = JointIndex> {
        let limits = self.layer.iter().flat_map(|layer| layer.limits.iter().enumerate());
        limits.filter_map(|(joint, limit)| limit.is_some().then_some(joint))
    }
    /// Whether a joint of a pose is within its limits.
    pub(crate) fn is_within(&self, skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> bool {
        let Some((limit, prepared)) = self.in_layer(joint, self.is_layer_enabled) else {
            let limit = self.limit_of(skeleton, joint);
            return limit.model.violation_rad(limit.turn_in(skeleton, pose, joint)) <= SLACK;
        };
        let turn = limit.turn_in(skeleton, pose, joint);
        // Most are, and without a trigonometric function.
        prepared.project_in_joint(turn) == turn || limit.model.violation_rad(turn) <= SLACK
    }
    /// What solvers keep a joint of the skeleton to.
    pub fn limit(&self, skeleton: &Skeleton, joint: JointIndex) -> JointLimit {
        self.find(skeleton, joint, self.is_layer_enabled).into_owned()
    }
    /// The same without a copy of what the layer has.
    pub(crate) fn limit_of(&self, skeleton: &Skeleton, joint: JointIndex) -> Cow<'_, JointLimit> {
        self.find(skeleton, joint, self.is_layer_enabled)
    }
    /// The same with the joints above, from the carrier of the limit on, as they are in a pose.
    pub fn limit_in(&self, skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> JointLimit {
        let limit = self.limit(skeleton, joint);
        JointLimit { origin: limit.origin_in(skeleton, pose, joint), ..limit }
    }
    /// What solvers keep a joint of the skeleton to, and the same ready for use.
    pub(crate) fn prepared_of(&self, skeleton: &Skeleton, joint: JointIndex) -> Cow<'_, (JointLimit, PreparedJoint)> {
        match self.in_layer(joint, self.is_layer_enabled) {
            Some(both) => Cow::Borrowed(both),
            None => {
                let limit = self.limit(skeleton, joint);
                Cow::Owned((limit, PreparedJoint::new(&limit.model)))
            }
        }
    }
    /// How far a joint of a pose is beyond its limits, radians; 0 within them. The layer counts
    /// whether or not it is enabled.
    pub fn violation_rad(&self, skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> f32 {
        let limit = self.find(skeleton, joint, true);
        limit.model.violation_rad(limit.turn_in(skeleton, pose, joint))
    }
    fn find(&self, skeleton: &Skeleton, joint: JointIndex, with_layer: bool) -> Cow<'_, JointLimit> {
        if let Some((limit, _)) = self.in_layer(joint, with_layer) {
            return Cow::Borrowed(limit);
        }
        let free = JointLimit::free(skeleton, joint);
        Cow::Owned(self.joint_override(joint).map_or(free, |model| JointLimit { model: *model, ..free }))
    }
    /// What the layer has for a joint without an override.
    fn in_layer(&self, joint: JointIndex, with_layer: bool) -> Option<&(JointLimit, PreparedJoint)> {
        let layer = self.layer.as_ref().filter(|_| with_layer && self.joint_override(joint).is_none())?;
        layer.limits.get(joint)?.as_ref()
    }
}
