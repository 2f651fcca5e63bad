//! Joint limits of a limb: the closed form first, then the nearest admissible limb.
//!
//! *What is judged.* The elbow's plane, not the bone's roll, shows how far an upper arm is turned:
//! a forearm may bend some way beside the rig's hinge, and skins differ. So the limits of the root
//! joint judge its rotation rolled by the angle between the hinge and the plane in which the limb
//! really bends (fading out below 15° of flexion, where a limb has no plane). Limits that the host
//! gave the joint judge the joint's own rotation. A swivel turns the limb as one, so hinge and
//! flexion stay as the closed form has left them.
//!
//! *The steps*, each of which changes nothing where nothing is beyond a limit:
//!
//! 1. A limb that bends farther beside its hinge than in the animation becomes a hinge again: its
//!    upper bone rolls, with elbow and end where they are.
//! 2. A flexion beyond its range is brought to its end; the limb keeps pointing at the goal.
//! 3. The limb swivels about the line root–end: [`crate::closed_form::swivel`].
//! 4. Where no swivel is admissible, the root joint is taken to its nearest admissible rotation
//!    from the best swivel, and from there the end approaches the place where the closed form had
//!    it ([`super::limb_approach`]).
//!
//! The metric is the distance of the end from that place. The rotation of hand or foot is then
//! limited: [`super::end_limit`].
//!
//! What the animation itself exceeds stays allowed, condition by condition, so nothing moves at
//! weight 0, and the result is continuous in the weight: right beside what is allowed the nearest
//! admissible limb may be far away, so where the animation exceeds a limit the corrections come in
//! over the first tenth of the weight. As a function of the goal it is continuous
//! but for few places (docs/animator.md, "Human joint limits").

use super::avatar::LimbRig;
use super::end_limit::EndBefore;
use super::limb_approach::{Approach, Clavicle};
use super::limb_shape::LimbShape;
use super::mid_bend::MidBend;
use crate::closed_form::limb::LimbJoints;
use crate::closed_form::root_limit::{self, RootLimit};
use crate::limits::{JointLimit, LimitTable, ONSET_WEIGHT, Range, onset, onset_part};
use crate::math::{Quat, Vec3, arc, axis_angle, normalize_or, slerp_short};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// The limits of a limb, and where its joints were before it was solved.
#[derive(Clone, Debug)]
pub(crate) struct LimbLimits<'a> {
    table: &'a LimitTable,
    skeleton: &'a Skeleton,
    root: RootLimit,
    mid: &'a JointLimit,
    /// What the limit of the end needs.
    pub(super) end: EndBefore,
    /// How far a mid joint without a hinge was beyond its limits; the angle of another, and how far
    /// it was beside its hinge.
    mid_beyond: f32,
    angle_before: f32,
    roll_before: f32,
    pub(super) aside_before: f32,
    /// Whether the limits of the root joint judge the elbow's plane.
    judges_plane: bool,
    /// The part of the corrections that is made; `None`: all of them.
    part: Option<f32>,
    /// Local rotation of the clavicle.
    clavicle_before: Quat,
}

/// A limb whose limits are looked up.
pub(super) struct LimitedLimb<'a> {
    pub table: &'a LimitTable,
    pub skeleton: &'a Skeleton,
    pub limb: &'a LimbRig,
    /// Limits of the mid joint.
    pub mid: &'a JointLimit,
    /// [`root_origin`].
    pub origin: Quat,
    /// The weight of the goal.
    pub weight: f32,
}

impl<'a> LimbLimits<'a> {
    /// Looks them up, for a limb that has this shape and these local rotations in the animation.
    pub fn new(limb: LimitedLimb<'a>, shape: Option<&LimbShape>, local: impl Fn(JointIndex) -> Quat) -> Self {
        let LimitedLimb { table, skeleton, limb, mid, origin, weight } = limb;
        let joints = &limb.joints;
        let root = table.limit_of(skeleton, joints.root());
        let judges_plane = judges_plane(table, joints);
        let plane = shape.filter(|_| judges_plane).map_or(Quat::IDENTITY, |shape| shape.plane());
        let (roll_frame, roll_range) = match shape {
            Some(shape) => (shape.roll_frame, shape.roll_range),
            None => (mid.model.frame, MidBend::of(&mid.model, mid.model.frame * Vec3::Y).roll),
        };
        let turn = (origin.conjugate() * local(joints.root()).normalize() * plane).normalize();
        let mid_beyond = || mid.violation_rad(local(joints.mid()));
        // The mid joint's own measure includes what it bends beside its hinge.
        let excess = || root_limit::excess(&root.model, turn).max(mid_beyond());
        Self {
            part: if weight < ONSET_WEIGHT { onset_part(weight, onset(excess())) } else { None },
            mid_beyond: if shape.is_some_and(|shape| shape.has_hinge()) { 0.0 } else { mid_beyond() },
            angle_before: shape.map_or(0.0, |shape| shape.angle),
            roll_before: shape.map_or(0.0, |shape| shape.roll()),
            aside_before: shape.map_or(0.0, |shape| shape.aside()),
            end: EndBefore { rotation: local(joints.end()), roll_frame, roll_range },
            clavicle_before: limb.shoulder.as_ref().map_or(Quat::IDENTITY, |rig| local(rig.joint())),
            root: RootLimit::new(&root, origin, turn),
            table,
            skeleton,
            mid,
            judges_plane,
        }
    }

    /// A limb as it is; `None` where it cannot be measured. Its limits from here on count from the
    /// joints above as they are now: the clavicle may have helped.
    pub fn measure(&mut self, pose: &Pose, limb: &LimbRig) -> Option<LimbShape> {
        self.root.limit.origin = self.root.limit.origin_in(self.skeleton, pose, limb.joints.root());
        LimbShape::of(pose, &limb.joints, self.mid)
    }
    /// Brings a limb that was just solved for its goal within its limits, with its end as near to
    /// where it is as they allow. It is `shape`, put on its hinge as far as it was in the
    /// animation; its root joint has the rotation `solved`. Writes local rotations only; returns
    /// whether that of the clavicle was one.
    pub fn limit_limb(&self, pose: &mut Pose, limb: &LimbRig, shape: &LimbShape, solved: Quat) -> bool {
        if !limb.joints.is_attached() {
            return false;
        }
        let Some(part) = self.part else {
            return self.limit_whole(pose, limb, shape, solved);
        };
        let clavicle = limb.shoulder.as_ref().map(|rig| rig.joint());
        let turned = [clavicle, Some(limb.joints.root()), Some(limb.joints.mid())];
        let before = turned.map(|joint| joint.map_or(Quat::IDENTITY, |joint| pose.local()[joint].rotation));
        let moved = self.limit_whole(pose, limb, shape, solved);
        for (joint, solved) in turned.into_iter().zip(before) {
            let Some(local) = joint.map(|joint| &mut pose.local_mut()[joint].rotation) else { continue };
            if *local != solved {
                *local = slerp_short(solved, *local, part);
            }
        }
        moved
    }
    fn limit_whole(&self, pose: &mut Pose, limb: &LimbRig, shape: &LimbShape, solved: Quat) -> bool {
        let (joints, root_limit) = (&limb.joints, &self.root);
        let origin = root_limit.limit.origin;
        let at_border;
        let shape = if shape.has_hinge() {
            if shape.root != solved || shape.has_rolled(self.roll_before) {
                pose.local_mut()[joints.mid()].rotation = self.mid_at(shape, shape.angle);
            }
            shape
        } else {
            let Some(limited) = self.without_hinge(pose, joints, shape) else { return false };
            at_border = limited;
            &at_border
        };
        let range = shape.range();
        let range = Range { min: range.min.min(self.angle_before), max: range.max.max(self.angle_before) };
        let angle = shape.angle_within(range);
        let mut root = shape.root;
        let end = shape.end_at(angle);
        let axis = normalize_or(root * shape.end_at(shape.angle), Vec3::ZERO);
        if angle != shape.angle {
            // The goal is too near or too far for the joint: on the line to it.
            root = (arc(normalize_or(root * end, axis), axis) * root).normalize();
            pose.local_mut()[joints.mid()].rotation = self.mid_at(shape, angle);
        }
        let plane = if self.judges_plane { shape.plane() } else { Quat::IDENTITY };
        let turn_of = |root: Quat| (origin.conjugate() * root * plane).normalize();
        let turn = turn_of(root);
        let mut fits = root_limit.holds(turn);
        if !fits
            && axis != Vec3::ZERO
            && let Some(found) = root_limit.swivel(turn, origin.conjugate() * axis)
        {
            root = (axis_angle(axis, found.angle_rad) * root).normalize();
            fits = found.is_admissible && root_limit.holds(turn_of(root));
        }
        if fits {
            if root != solved {
                pose.local_mut()[joints.root()].rotation = root;
            }
            return false;
        }
        // The nearest admissible limb, from the best swivel.
        let goal = root * end;
        let start = root_limit.retract(turn_of(root));
        let root = (origin * start.rotation * plane.conjugate()).normalize();
        let goal = goal.lerp(root * end, start.inside);
        let limits = limb.shoulder.as_ref().map(|rig| self.table.prepared_of(self.skeleton, rig.joint()));
        let clavicle = limb.shoulder.as_ref().and_then(|rig| {
            // A clavicle without limits has no measure of how far it may help.
            let limit = limits.as_deref().filter(|(limit, _)| !limit.model.is_unlimited())?;
            Clavicle::of(self.skeleton, pose, [rig.joint(), joints.root()], limit, self.clavicle_before)
        });
        let range = if shape.has_hinge() { range } else { shape.range_within(self.mid, self.mid_beyond) };
        let starts = limb.starts.as_ref();
        let found = Approach { plane, shape, root: root_limit, range, clavicle, goal, starts }.run(root, angle);
        let local = pose.local_mut();
        local[joints.root()].rotation = found.root;
        local[joints.mid()].rotation = self.mid_at(shape, found.angle);
        if let (Some(rotation), Some(rig)) = (found.clavicle, &limb.shoulder) {
            local[rig.joint()].rotation = rotation;
            return true;
        }
        false
    }

    /// A limb whose mid joint is no hinge: that goes to its border, and the end with it. `None`
    /// where it cannot be measured there. Writes the mid joint's rotation.
    fn without_hinge(&self, pose: &mut Pose, joints: &LimbJoints, solved: &LimbShape) -> Option<LimbShape> {
        let local = pose.local()[joints.mid()].rotation;
        let within = self.mid.limited(local, self.mid_beyond);
        if within == local {
            return Some(*solved);
        }
        pose.local_mut()[joints.mid()].rotation = within;
        let mut shape = LimbShape::of(pose, joints, self.mid)?;
        // The limb keeps pointing at the goal.
        let line = |limb: &LimbShape| normalize_or(limb.root * limb.end_at(limb.angle), Vec3::ZERO);
        shape.root = (arc(line(&shape), line(solved)) * shape.root).normalize();
        Some(shape)
    }
    fn mid_at(&self, shape: &LimbShape, angle: f32) -> Quat {
        let local = shape.mid_at(angle, self.roll_before);
        // Borders of a joint that is no hinge are found to within a step.
        if shape.has_hinge() { local } else { self.mid.limited(local, self.mid_beyond) }
    }
}

/// The local rotation of a limb's root joint that its limits count from, in a pose.
pub(super) fn root_origin(table: &LimitTable, skeleton: &Skeleton, pose: &Pose, limb: &LimbRig) -> Quat {
    let root = limb.joints.root();
    table.limit_of(skeleton, root).origin_in(skeleton, pose, root)
}

/// Whether a limb that was solved as if there were no limits, and is `solved` as it was measured,
/// may not keep to them, apart from its end, so that [`LimbLimits`] may change something. Where it
/// is not, nothing would change, whatever the animation exceeds.
pub(super) fn is_beyond(
    table: &LimitTable,
    skeleton: &Skeleton,
    limb: &LimbRig,
    origin: Quat,
    solved: Option<&LimbShape>,
) -> bool {
    let joints = &limb.joints;
    let Some(shape) = solved.filter(|shape| shape.has_hinge() && joints.is_attached()) else { return true };
    if shape.is_beside(0.0)
        || shape.angle_within(shape.range()) != shape.angle
        || shape.has_rolled(shape.roll_range.min)
    {
        return true;
    }
    let root = table.limit_of(skeleton, joints.root());
    let plane = if judges_plane(table, joints) { shape.plane() } else { Quat::IDENTITY };
    !root_limit::holds(&root.model, (origin.conjugate() * shape.root * plane).normalize(), 0.0)
}

/// Whether the limits of the root joint judge the elbow's plane. An override is what the host
/// measures: the joint's own rotation.
fn judges_plane(table: &LimitTable, joints: &LimbJoints) -> bool {
    table.joint_override(joints.root()).is_none()
}
