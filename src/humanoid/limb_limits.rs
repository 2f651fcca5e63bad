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
//! limited: its swing to the region, its twist so that the shares of wrist and forearm after the
//! twist step fit both. Towards half a turn, where both borders are equally near, the limited turn
//! fades to none.
//!
//! What the animation itself exceeds stays allowed, condition by condition, so nothing moves at
//! weight 0, and the result is continuous in the weight: right beside what is allowed the nearest
//! admissible limb may be far away, so where the animation exceeds a limit the corrections come in
//! over the first tenth of the weight. As a function of the goal it is continuous
//! but for few places (docs/animator.md, "Human joint limits").

use super::avatar::LimbRig;
use super::limb_approach::{Approach, Clavicle};
use super::limb_shape::LimbShape;
use super::mid_bend::MidBend;
use super::root_limit::{self, RootLimit};
use crate::closed_form::limb::LimbJoints;
use crate::limits::{Freedom, JointLimit, JointModel, LimitTable, ONSET_WEIGHT, Range, limited_by, onset, onset_part};
use crate::math::{
    Quat, Vec3, arc, axis_angle, float, fraction, normalize_or, rotation_angle, slerp_short, swing_twist, twist_angle,
};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;

/// The limits of a limb, and where its joints were before it was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbLimits {
    root: RootLimit,
    mid: JointLimit,
    end: JointLimit,
    /// The local rotation of the end.
    end_before: Quat,
    /// How far a mid joint without a hinge was beyond its limits; the angle of another, and how far
    /// it was beside its hinge.
    mid_beyond: f32,
    angle_before: f32,
    roll_before: f32,
    aside_before: f32,
    /// The frame of the mid joint's roll about its bone, in its space, and its range.
    roll_frame: Quat,
    roll_range: Range,
    /// Whether the limits of the root joint judge the elbow's plane.
    judges_plane: bool,
    /// The part of the corrections that is made; `None`: all of them.
    part: Option<f32>,
    /// Limit and local rotation of the clavicle.
    clavicle: Option<(JointLimit, Quat)>,
}

impl LimbLimits {
    /// Looks them up, for a limb as it is in the animation and a goal of this weight.
    pub fn new(table: &LimitTable, skeleton: &Skeleton, pose: &Pose, limb: &LimbRig, weight: f32) -> Self {
        let joints = &limb.joints;
        let of = |joint: JointIndex| table.limit(skeleton, joint);
        let local = |joint: JointIndex| pose.local()[joint].rotation;
        let (root, mid, end) = (of(joints.root()), of(joints.mid()), of(joints.end()));
        let shape = LimbShape::of(pose, joints, &mid);
        let judges_plane = judges_plane(table, joints);
        let plane = shape.filter(|_| judges_plane).map_or(Quat::IDENTITY, |shape| shape.plane());
        let (roll_frame, roll_range) = match &shape {
            Some(shape) => (shape.roll_frame, shape.roll_range),
            None => (mid.model.frame, MidBend::of(&mid.model, mid.model.frame * Vec3::Y).roll),
        };
        let origin = root.origin_in(skeleton, pose, joints.root());
        let turn = (origin.conjugate() * local(joints.root()).normalize() * plane).normalize();
        let clavicle = limb.shoulder.as_ref().map(|rig| {
            let limit = table.limit_in(skeleton, pose, rig.joint());
            (limit, local(rig.joint()))
        });
        let root = RootLimit::new(root, turn);
        // The mid joint's own measure includes what it bends beside its hinge.
        let excess = || root.excess.max(mid.violation_rad(local(joints.mid())));
        Self {
            part: if weight < ONSET_WEIGHT { onset_part(weight, onset(excess())) } else { None },
            root,
            mid,
            end,
            end_before: local(joints.end()),
            mid_beyond: if shape.is_some_and(|shape| shape.has_hinge()) {
                0.0
            } else {
                mid.violation_rad(local(joints.mid()))
            },
            angle_before: shape.map_or(0.0, |shape| shape.angle),
            roll_before: shape.map_or(0.0, |shape| shape.roll()),
            aside_before: shape.map_or(0.0, |shape| shape.aside()),
            roll_frame,
            roll_range,
            judges_plane,
            // A clavicle without limits has no measure of how far it may help.
            clavicle: clavicle.filter(|(limit, _)| !limit.model.is_unlimited()),
        }
    }

    /// A limb as it is; `None` where it cannot be measured.
    pub fn measure(&self, pose: &Pose, limb: &LimbRig) -> Option<LimbShape> {
        LimbShape::of(pose, &limb.joints, &self.mid)
    }
    /// Brings a limb that was just solved for its goal, and is `solved` as it was measured, within
    /// its limits, with its end as near to where it is as they allow. Writes local rotations only;
    /// returns whether that of the clavicle was one.
    pub fn limit_limb(&self, skeleton: &Skeleton, pose: &mut Pose, limb: &LimbRig, solved: Option<LimbShape>) -> bool {
        let Some(shape) = solved.filter(|_| limb.joints.is_attached()) else { return false };
        let Some(part) = self.part else {
            return self.limit_whole(skeleton, pose, limb, &shape);
        };
        let clavicle = limb.shoulder.as_ref().map(|rig| rig.joint());
        let turned = [clavicle, Some(limb.joints.root()), Some(limb.joints.mid())];
        let solved = turned.map(|joint| joint.map_or(Quat::IDENTITY, |joint| pose.local()[joint].rotation));
        let moved = self.limit_whole(skeleton, pose, limb, &shape);
        for (joint, solved) in turned.into_iter().zip(solved) {
            let Some(local) = joint.map(|joint| &mut pose.local_mut()[joint].rotation) else { continue };
            if *local != solved {
                *local = slerp_short(solved, *local, part);
            }
        }
        moved
    }
    fn limit_whole(&self, skeleton: &Skeleton, pose: &mut Pose, limb: &LimbRig, solved: &LimbShape) -> bool {
        let joints = &limb.joints;
        let mut root_limit = self.root;
        root_limit.limit.origin = root_limit.limit.origin_in(skeleton, pose, joints.root());
        let origin = root_limit.limit.origin;
        let Some(shape) = self.hinged(pose, joints, solved) else { return false };
        let range = shape.range();
        let range = Range { min: range.min.min(self.angle_before), max: range.max.max(self.angle_before) };
        let angle = shape.angle_within(range);
        let mut root = shape.root;
        let end = shape.end_at(angle);
        let axis = normalize_or(root * shape.end_at(shape.angle), Vec3::ZERO);
        if angle != shape.angle {
            // The goal is too near or too far for the joint: on the line to it.
            root = (arc(normalize_or(root * end, axis), axis) * root).normalize();
            pose.local_mut()[joints.mid()].rotation = self.mid_at(&shape, angle);
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
            if root != solved.root {
                pose.local_mut()[joints.root()].rotation = root;
            }
            return false;
        }
        // The nearest admissible limb, from the best swivel.
        let goal = root * end;
        let start = root_limit.retract(turn_of(root));
        let root = (origin * start.rotation * plane.conjugate()).normalize();
        let goal = goal.lerp(root * end, start.inside);
        let clavicle = self.clavicle.and_then(|(limit, before)| {
            let rig = limb.shoulder.as_ref()?;
            Clavicle::of(skeleton, pose, rig.joint(), joints.root(), limit, limit.violation_rad(before))
        });
        let range = if shape.has_hinge() { range } else { shape.range_within(&self.mid, self.mid_beyond) };
        let found = Approach { plane, shape: &shape, root: &root_limit, range, clavicle, goal }.run(root, angle);
        let local = pose.local_mut();
        local[joints.root()].rotation = found.root;
        local[joints.mid()].rotation = self.mid_at(&shape, found.angle);
        if let (Some(rotation), Some(rig)) = (found.clavicle, &limb.shoulder) {
            local[rig.joint()].rotation = rotation;
            return true;
        }
        false
    }

    /// The limb with its mid joint on its hinge, apart from its flexion; `None` where it cannot be
    /// measured. Writes the mid joint's rotation.
    fn hinged(&self, pose: &mut Pose, joints: &LimbJoints, solved: &LimbShape) -> Option<LimbShape> {
        if !solved.has_hinge() {
            // A joint that is no hinge goes to its border, and the end with it.
            let local = pose.local()[joints.mid()].rotation;
            let within = self.mid.limited(local, self.mid_beyond);
            if within == local {
                return Some(*solved);
            }
            pose.local_mut()[joints.mid()].rotation = within;
            let mut shape = LimbShape::of(pose, joints, &self.mid)?;
            // The limb keeps pointing at the goal.
            let line = |limb: &LimbShape| normalize_or(limb.root * limb.end_at(limb.angle), Vec3::ZERO);
            shape.root = (arc(line(&shape), line(solved)) * shape.root).normalize();
            return Some(shape);
        }
        let hinged = solved.hinged(self.aside_before);
        if hinged.root != solved.root || solved.has_rolled(self.roll_before) {
            pose.local_mut()[joints.mid()].rotation = self.mid_at(&hinged, hinged.angle);
        }
        Some(hinged)
    }
    fn mid_at(&self, shape: &LimbShape, angle: f32) -> Quat {
        let local = shape.mid_at(angle, self.roll_before);
        // Borders of a joint that is no hinge are found to within a step.
        if shape.has_hinge() { local } else { self.mid.limited(local, self.mid_beyond) }
    }
    /// Clamps the rotation of the end joint: its local rotation, for the requested one, `local`.
    /// `kept` is the part of a roll that the twist step leaves to the end.
    pub fn limit_end(&self, pose: &Pose, joints: &LimbJoints, local: Quat, kept: f32) -> Quat {
        let Self { mid, end, end_before, roll_frame, roll_range, .. } = self;
        EndLimit { mid, end, before: *end_before, roll_frame: *roll_frame, roll_range: *roll_range }
            .limited(pose, joints, local, kept)
    }
}

/// A limb that was solved as if there were no limits, where it or its end does not keep to them,
/// so that [`LimbLimits`] may change something: as it is, if it can be measured. `None` where
/// nothing would change, whatever the animation exceeds. `end_before` is the end's local rotation
/// in the animation.
pub(crate) fn beyond(
    table: &LimitTable,
    skeleton: &Skeleton,
    pose: &Pose,
    limb: &LimbRig,
    end_before: Quat,
) -> Option<Option<LimbShape>> {
    let joints = &limb.joints;
    let [root, mid, end] = [joints.root(), joints.mid(), joints.end()].map(|joint| table.limit_of(skeleton, joint));
    let solved = LimbShape::of(pose, joints, &mid);
    let Some(shape) = solved.as_ref().filter(|shape| shape.has_hinge() && joints.is_attached()) else {
        return Some(solved);
    };
    if shape.is_beside(0.0)
        || shape.angle_within(shape.range()) != shape.angle
        || shape.has_rolled(shape.roll_range.min)
    {
        return Some(solved);
    }
    let plane = if judges_plane(table, joints) { shape.plane() } else { Quat::IDENTITY };
    let origin = root.origin_in(skeleton, pose, joints.root());
    if !root_limit::holds(&root.model, (origin.conjugate() * shape.root * plane).normalize(), 0.0) {
        return Some(solved);
    }
    let local = pose.local()[joints.end()].rotation;
    let (roll_frame, roll_range) = (shape.roll_frame, shape.roll_range);
    let end = EndLimit { mid: &mid, end: &end, before: end_before, roll_frame, roll_range };
    (end.limited(pose, joints, local, limb.twist.kept_by_end()) != local).then_some(solved)
}

/// Whether the limits of the root joint judge the elbow's plane. An override is what the host
/// measures: the joint's own rotation.
fn judges_plane(table: &LimitTable, joints: &LimbJoints) -> bool {
    table.joint_override(joints.root()).is_none()
}

/// The limit of a limb's end, which shares its twist with the mid joint.
struct EndLimit<'a> {
    mid: &'a JointLimit,
    end: &'a JointLimit,
    /// The end's local rotation in the animation.
    before: Quat,
    /// The frame of the mid joint's roll about its bone, in its space, and its range.
    roll_frame: Quat,
    roll_range: Range,
}

impl EndLimit<'_> {
    /// See [`LimbLimits::limit_end`].
    fn limited(&self, pose: &Pose, joints: &LimbJoints, local: Quat, kept: f32) -> Quat {
        let Self { mid, end: JointLimit { model, origin: rest, .. }, .. } = self;
        let forearm_range = self.roll_range;
        if model.is_unlimited() && forearm_range == Range::FREE {
            return local;
        }
        let before = self.end.turn(self.before);
        let Freedom::Ball { swing, twist } = model.freedom else {
            // Without a twist of its own there is nothing to share with the mid joint.
            return self.end.limited(local, model.violation_rad(before));
        };
        let wanted = (rest.conjugate() * local.normalize()).normalize();
        let axis = model.frame * Vec3::Y;
        let split = |q: Quat| (swing_twist(q, axis).0, twist_angle(q, axis));
        let ((own_swing, own), (requested_swing, requested)) = (split(before), split(wanted));
        // Twist: of what is added, the mid joint takes 1 − kept and the end keeps the rest; both
        // have room.
        let forearm = {
            let now = mid.turn(pose.local()[joints.mid()].rotation);
            let p = self.roll_frame.conjugate() * now * self.roll_frame;
            twist_angle(p, Vec3::Y)
        };
        let room = |range: &Range, now: f32, share: f32| {
            let room = |far: f32| if share > 1e-6 { far.max(0.0) / share } else { 2.0 * PI };
            (room(now - range.min), room(range.max - now))
        };
        let (end_down, end_up) = room(&twist, own, kept);
        let (mid_down, mid_up) = room(&forearm_range, forearm, 1.0 - kept);
        let added = (requested - own).clamp(-end_down.min(mid_down), end_up.min(mid_up));
        let fade = |angle: f32, from: f32| 1.0 - float::smooth_step(from, PI, angle.abs());
        // Nor is there a twist where the end folds back on the limb.
        let along = Vec3::new(wanted.x, wanted.y, wanted.z).dot(axis);
        let certain = float::smooth_step(0.1, 0.35, float::sqrt(along * along + wanted.w * wanted.w));
        let part = fade(requested, 2.0 * PI / 3.0) * certain;
        let turned = if part == 1.0 && added == requested - own { requested } else { own + added * part };
        // Swing: towards half a turn every border is near.
        let free = JointModel { freedom: Freedom::Ball { swing, twist: Range::FREE }, ..*model };
        // The border is the forearm's, which the twist step will have rolled.
        let roll = axis_angle(axis, (1.0 - kept) * (turned - own));
        let seen = (roll.conjugate() * requested_swing * roll).normalize();
        let faded = match fade(rotation_angle(seen), 150.0 * PI / 180.0) {
            1.0 => seen,
            part => fraction(seen, part),
        };
        let swung = limited_by(&free, faded, || free.violation_rad(own_swing));
        if turned == requested && swung == seen {
            return local;
        }
        (*rest * roll * swung * roll.conjugate() * axis_angle(axis, turned)).normalize()
    }
}
