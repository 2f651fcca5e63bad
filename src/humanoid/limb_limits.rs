//! Joint limits of a limb: the closed form first, then the nearest admissible limb.
//!
//! *What is judged.* The elbow's plane, not the bone's roll, tells how far an upper arm is turned: a
//! forearm may bend some way beside the rig's hinge, and skins differ. So the limits of the root
//! joint judge its rotation rolled by the angle between the hinge and the plane in which the limb
//! really bends (fading out below 15° of flexion, where a limb has no plane). A swivel turns the
//! limb as one, so hinge and flexion stay as the closed form has left them.
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
//! weight 0, and the result is continuous in the weight. As a function of the goal it is continuous
//! except where two separate arcs of swivel are equally good.

use super::avatar::LimbRig;
use super::limb_approach::{Approach, Clavicle};
use crate::closed_form::limb::LimbJoints;
use crate::closed_form::swivel;
use crate::limits::{
    BendAxis, Freedom, HalfSpace, HingeAxis, JointLimit, JointModel, LimitTable, Range, SLACK, SwivelCondition, limited,
};
use crate::math::{
    Mat3, Quat, Vec3, arc, axis_angle, float, fraction, normalize_or, perpendicular, rotation_angle, swing_twist,
    twist_angle,
};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;
const DEGREE: f32 = PI / 180.0;
/// Cosine of the angle between the lower bone and +Y of the mid joint's limit space up to which the
/// joint is a hinge about X.
const ALONG: f32 = 0.9;
/// Sine of the flexion below which a limb is straight.
const STRAIGHT: f32 = 0.02;
/// Flexion over which the plane in which a limb bends takes over from its hinge.
const PLANE: (f32, f32) = (10.0 * DEGREE, 15.0 * DEGREE);

/// How far a joint may twist about its bone.
fn twist_range(model: &JointModel) -> Range {
    match model.freedom {
        Freedom::Ball { twist, .. } | Freedom::Universal { twist, .. } => twist,
        Freedom::Angles { y, .. } => y,
        Freedom::Hinge { axis: HingeAxis::Y, range } => range,
        Freedom::HalfSpaces(_) => Range::FREE,
        Freedom::Hinge { .. } | Freedom::Swing(_) | Freedom::Fixed => Range::new(0.0, 0.0),
    }
}

/// The one axis a mid joint bends about, as the X axis of a frame in the joint's space, with the
/// range of the bend; `None` for a joint that bends about more or none.
fn bend_of(model: &JointModel) -> Option<(Quat, Range)> {
    const QUARTER: f32 = core::f32::consts::FRAC_1_SQRT_2;
    // Takes X to Z and keeps Y.
    let from_z = Quat::from_xyzw(0.0, -QUARTER, 0.0, QUARTER);
    Some(match model.freedom {
        Freedom::Universal { bend: BendAxis::X, bend_range, .. } => (model.frame, bend_range),
        Freedom::Universal { bend: BendAxis::Z, bend_range, .. } => (model.frame * from_z, bend_range),
        Freedom::Hinge { axis: HingeAxis::X, range } => (model.frame, range),
        Freedom::Hinge { axis: HingeAxis::Z, range } => (model.frame * from_z, range),
        _ => return None,
    })
}

/// The bend of a mid joint in the space of its parent: turns about X, from Y towards Z.
fn hinge(limit: &JointLimit) -> Option<Quat> {
    bend_of(&limit.model).map(|(frame, _)| (limit.origin * frame).normalize())
}

/// A limb in the space of its root's parent, relative to the root joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbShape {
    /// Local rotation of the root joint.
    pub root: Quat,
    /// Orientation of the mid joint's parent, then of the mid joint, in the root joint's space.
    pub between: Quat,
    pub mid: Quat,
    /// Unit directions in the root joint's space: of the upper bone, and across it to where the
    /// limb bends; of a straight limb, to where its hinge would bend it.
    pub along: Vec3,
    pub bend: Vec3,
    /// The lower bone in the root joint's space.
    lower_bone: Vec3,
    /// Lengths of the bones.
    pub upper: f32,
    pub lower: f32,
    pub flexion: f32,
    /// Angle about `along` from the hinge's direction of bending to `bend`.
    beside: f32,
}

impl LimbShape {
    /// Measures it; `None` when a scale inside is uneven or a bone has no length. `hinge` is the
    /// mid joint's bend, as [`bend_of`] gives it, from its origin.
    fn of(pose: &Pose, joints: &LimbJoints, hinge: Option<Quat>) -> Option<Self> {
        let path = joints.path();
        let last = path.len() - 1;
        let (mut rotation, mut scale, mut position) = (Quat::IDENTITY, 1.0f32, Vec3::ZERO);
        let (mut elbow, mut root, mut between, mut mid) = (Vec3::ZERO, rotation, rotation, rotation);
        for (place, &joint) in path.iter().enumerate() {
            let local = &pose.local()[joint];
            if place > 0 {
                position += rotation * (local.position * scale);
            }
            if joint == joints.mid() {
                (elbow, between) = (position, (root.conjugate() * rotation).normalize());
            }
            rotation = (rotation * local.rotation.normalize()).normalize();
            if place == 0 {
                root = rotation;
            }
            if joint == joints.mid() {
                mid = (root.conjugate() * rotation).normalize();
            }
            let s = local.scale;
            if place < last && (s.min_element() <= 0.0 || s.max_element() - s.min_element() > 1e-6 * s.max_element()) {
                return None;
            }
            scale *= s.x;
        }
        let inward = root.conjugate();
        let (upper_bone, lower_bone) = (inward * elbow, inward * (position - elbow));
        let (upper, lower) = (upper_bone.length(), lower_bone.length());
        if !(upper.min(lower) > 1e-6 * (upper + lower)) {
            return None;
        }
        let along = upper_bone / upper;
        let across = |v: Vec3| v - along * along.dot(v);
        let off = across(lower_bone);
        let usual = match hinge {
            Some(hinge) => normalize_or(across(between * hinge * Vec3::Z), perpendicular(along)),
            None => perpendicular(along),
        };
        let straight = 1.0 - float::smooth_step(0.0, STRAIGHT, off.length() / lower);
        let bend = normalize_or(off + usual * (0.5 * STRAIGHT * lower * straight), usual);
        let flexion = float::atan2(off.length(), along.dot(lower_bone));
        let beside = match hinge {
            Some(_) => float::atan2(along.dot(usual.cross(bend)), usual.dot(bend)),
            None => 0.0,
        };
        Some(Self { root, between, mid, along, bend, lower_bone, upper, lower, flexion, beside })
    }
    /// How far the limb bends beside its hinge: half the chord between the two places of the end.
    fn aside(&self) -> f32 {
        (float::sin(0.5 * self.flexion) * float::sin(0.5 * self.beside)).abs()
    }
    /// The limb with its upper bone rolled so that it bends beside its hinge by no more than
    /// `aside`; mid joint, end and orientation of the lower bone stay.
    fn hinged(&self, aside: f32) -> Self {
        let most = 2.0 * float::asin((aside / float::sin(0.5 * self.flexion).max(1e-6)).min(1.0));
        let excess = self.beside - self.beside.clamp(-most, most);
        if excess.abs() <= SLACK {
            return *self;
        }
        let back = axis_angle(self.along, -excess);
        Self {
            root: (self.root * back.conjugate()).normalize(),
            mid: (back * self.mid).normalize(),
            bend: back * self.bend,
            lower_bone: back * self.lower_bone,
            beside: self.beside - excess,
            ..*self
        }
    }
    /// The end in the root joint's space.
    fn end(&self) -> Vec3 {
        self.along * self.upper + self.lower_bone
    }
    /// The same at another flexion.
    pub fn end_at(&self, flexion: f32) -> Vec3 {
        let (sine, cosine) = float::sin_cos(flexion);
        self.along * (self.upper + self.lower * cosine) + self.bend * (self.lower * sine)
    }
    /// The mid joint's local rotation at another flexion.
    fn mid_at(&self, flexion: f32) -> Quat {
        let bone = self.end_at(flexion) - self.along * self.upper;
        let turn = arc(self.lower_bone / self.lower, bone / self.lower);
        (self.between.conjugate() * turn * self.mid).normalize()
    }
    /// The angle beside the hinge as a rotation before that of the root joint, faded for a straight
    /// limb.
    pub fn plane(&self) -> Quat {
        axis_angle(self.along, self.beside * float::smooth_step(PLANE.0, PLANE.1, self.flexion))
    }
}

/// Limits of a limb's root joint, widened by what the animation exceeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootLimit {
    pub limit: JointLimit,
    /// What a rotation may be beyond the model.
    allowed_rad: f32,
    /// By how much each of the model's enclosing conditions is widened.
    lacks: [f32; JointModel::MAX_ENCLOSING],
}

impl RootLimit {
    fn new(limit: JointLimit, turn: Quat) -> Self {
        let mut root = Self { limit, allowed_rad: 0.0, lacks: [0.0; JointModel::MAX_ENCLOSING] };
        if let Freedom::HalfSpaces(conditions) = &limit.model.freedom {
            let frame = limit.model.frame;
            let inside = (frame.conjugate() * turn * frame).normalize();
            root.limit.model.freedom = Freedom::HalfSpaces(conditions.widened(inside));
            return root;
        }
        root.allowed_rad = limit.model.violation_rad(turn);
        let inside = root.columns(turn);
        let (mut lacks, mut i) = ([0.0; JointModel::MAX_ENCLOSING], 0);
        limit.model.enclosing(|condition| {
            if let Some(lack) = lacks.get_mut(i) {
                *lack = (-condition.value(&inside)).max(0.0);
            }
            i += 1;
        });
        Self { lacks, ..root }
    }
    fn columns(&self, turn: Quat) -> Mat3 {
        let frame = self.limit.model.frame;
        Mat3::from_quat((frame.conjugate() * turn * frame).normalize())
    }
    fn holds(&self, turn: Quat) -> bool {
        self.limit.model.violation_rad(turn) <= self.allowed_rad + SLACK
    }
    /// The nearest admissible turn.
    pub fn nearest(&self, turn: Quat) -> Quat {
        limited(&self.limit.model, turn, self.allowed_rad)
    }
    /// What a turn may still be beyond the model's walls.
    pub fn allowed_rad(&self) -> f32 {
        self.allowed_rad
    }
    /// The swivel about an axis, given in the space that turns turn into; `None` where no
    /// conditions describe the model.
    fn swivel(&self, turn: Quat, axis: Vec3) -> Option<swivel::Swivel> {
        const NONE: SwivelCondition = SwivelCondition { a: 1.0, b: 0.0, c: 0.0 };
        let (inside, axis) = (self.columns(turn), self.limit.model.frame.conjugate() * axis);
        let (mut conditions, mut count) = ([NONE; JointModel::MAX_ENCLOSING], 0);
        let described = self.limit.model.enclosing(|condition| {
            if let (Some(place), Some(lack)) = (conditions.get_mut(count), self.lacks.get(count)) {
                let offset = condition.offset + lack;
                *place = HalfSpace { offset, ..condition }.on_swivel(&inside, axis);
                count += 1;
            }
        });
        described.then(|| swivel::choose(&conditions[..count]))
    }
}

/// The limits of a limb, and where its joints were before it was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbLimits {
    root: RootLimit,
    mid: JointLimit,
    end: JointLimit,
    /// How the end was turned.
    end_before: Quat,
    /// How far the mid joint was beyond its limits, its flexion, and how far beside its hinge.
    mid_beyond: f32,
    flexion_before: f32,
    aside_before: f32,
    clavicle: Option<(JointLimit, f32)>,
}

impl LimbLimits {
    /// Looks them up, for a limb as it is in the animation.
    pub fn new(table: &LimitTable, skeleton: &Skeleton, pose: &Pose, limb: &LimbRig) -> Self {
        let joints = &limb.joints;
        let of = |joint: JointIndex| table.limit(skeleton, joint);
        let local = |joint: JointIndex| pose.local()[joint].rotation;
        let (root, mid, end) = (of(joints.root()), of(joints.mid()), of(joints.end()));
        let shape = LimbShape::of(pose, joints, hinge(&mid));
        let plane = shape.map_or(Quat::IDENTITY, |shape| shape.plane());
        let origin = root.origin_in(skeleton, pose, joints.root());
        let turn = (origin.conjugate() * local(joints.root()).normalize() * plane).normalize();
        let clavicle = limb.shoulder.as_ref().map(|rig| (of(rig.joint()), local(rig.joint())));
        Self {
            root: RootLimit::new(root, turn),
            mid,
            end,
            end_before: end.turn(local(joints.end())),
            mid_beyond: mid.violation_rad(local(joints.mid())),
            flexion_before: shape.map_or(0.0, |shape| shape.flexion),
            aside_before: shape.map_or(0.0, |shape| shape.aside()),
            // A clavicle without limits has no measure of how far it may help.
            clavicle: clavicle
                .filter(|(limit, _)| !limit.model.is_unlimited())
                .map(|(limit, local)| (limit, limit.violation_rad(local))),
        }
    }

    /// Brings a limb that was just solved within its limits, with its end as near to where it is as
    /// they allow. Writes local rotations only; returns whether that of the clavicle was one.
    pub fn limit_limb(&self, skeleton: &Skeleton, pose: &mut Pose, limb: &LimbRig) -> bool {
        let joints = &limb.joints;
        let bend = bend_of(&self.mid.model);
        let Some(mut shape) = LimbShape::of(pose, joints, hinge(&self.mid)).filter(|_| joints.is_attached()) else {
            return false;
        };
        let solved_root = shape.root;
        let mut root_limit = self.root;
        root_limit.limit.origin = root_limit.limit.origin_in(skeleton, pose, joints.root());
        let origin = root_limit.limit.origin;
        let along_hinge =
            |frame: Quat| (frame * Vec3::Y).dot(shape.mid.conjugate() * shape.lower_bone) > ALONG * shape.lower;
        let range = match bend.filter(|(frame, _)| along_hinge(*frame)) {
            Some((_, range)) => {
                Range { min: range.min.max(0.0).min(self.flexion_before), max: range.max.max(self.flexion_before) }
            }
            None => Range { min: 0.0, max: PI },
        };
        // A joint that is no hinge goes to its border, and the end with it.
        if bend.is_none() {
            let local = pose.local()[joints.mid()].rotation;
            let within = self.mid.limited(local, self.mid_beyond);
            if within != local {
                pose.local_mut()[joints.mid()].rotation = within;
                let Some(moved) = LimbShape::of(pose, joints, None) else { return false };
                shape = moved;
            }
        } else {
            let hinged = shape.hinged(self.aside_before);
            if hinged.root != shape.root {
                pose.local_mut()[joints.mid()].rotation = (hinged.between.conjugate() * hinged.mid).normalize();
                shape = hinged;
            }
        }
        let mut flexion = range.clamp(shape.flexion);
        if (flexion - shape.flexion).abs() <= SLACK {
            flexion = shape.flexion;
        }
        let mut root = shape.root;
        let mut end = shape.end();
        let axis = normalize_or(root * end, Vec3::ZERO);
        if flexion != shape.flexion {
            end = shape.end_at(flexion);
            // The goal is too near or too far for the joint: on the line to it.
            root = (arc(normalize_or(root * end, axis), axis) * root).normalize();
            pose.local_mut()[joints.mid()].rotation = shape.mid_at(flexion);
        }
        let plane = shape.plane();
        let turn_of = |root: Quat| (origin.conjugate() * root * plane).normalize();
        let turn = turn_of(root);
        let mut fits = root_limit.holds(turn);
        if !fits && axis != Vec3::ZERO {
            if let Some(found) = root_limit.swivel(turn, origin.conjugate() * axis) {
                root = (axis_angle(axis, found.angle_rad) * root).normalize();
                fits = found.is_admissible && root_limit.holds(turn_of(root));
            }
        }
        if fits {
            if root != solved_root {
                pose.local_mut()[joints.root()].rotation = root;
            }
            return false;
        }
        // The nearest admissible limb, from the best swivel.
        let goal = root * end;
        let start = (origin * root_limit.nearest(turn_of(root)) * plane.conjugate()).normalize();
        let clavicle = self.clavicle.and_then(|(limit, beyond)| {
            let rig = limb.shoulder.as_ref()?;
            Clavicle::of(skeleton, pose, rig.joint(), joints.root(), limit, beyond)
        });
        let found = Approach { shape: &shape, root: &root_limit, flexion: range, clavicle, goal }.run(start, flexion);
        let local = pose.local_mut();
        local[joints.root()].rotation = found.root;
        local[joints.mid()].rotation = shape.mid_at(found.flexion);
        if let (Some(rotation), Some(rig)) = (found.clavicle, &limb.shoulder) {
            local[rig.joint()].rotation = rotation;
            return true;
        }
        false
    }

    /// Limits how the end joint is turned: its local rotation, for the wanted rotation `local`. `kept`
    /// is the part of a roll that the twist step leaves to the end.
    pub fn limit_end(&self, pose: &Pose, joints: &LimbJoints, local: Quat, kept: f32) -> Quat {
        let Self { mid, end: JointLimit { model, origin: rest, .. }, .. } = self;
        let forearm_range = twist_range(&mid.model);
        if model.is_unlimited() && forearm_range == Range::FREE {
            return local;
        }
        let Freedom::Ball { swing, twist } = model.freedom else {
            // Without a twist of its own there is nothing to share with the mid joint.
            return self.end.limited(local, model.violation_rad(self.end_before));
        };
        let wanted = (rest.conjugate() * local.normalize()).normalize();
        let axis = model.frame * Vec3::Y;
        let split = |q: Quat| (swing_twist(q, axis).0, twist_angle(q, axis));
        let ((own_swing, own), (asked_swing, asked)) = (split(self.end_before), split(wanted));
        // Twist: of what is added, the mid joint takes 1 − kept and the end keeps the rest; both have
        // room.
        let forearm = {
            let now = mid.turn(pose.local()[joints.mid()].rotation);
            let p = mid.model.frame.conjugate() * now * mid.model.frame;
            twist_angle(p, Vec3::Y)
        };
        let room = |range: &Range, now: f32, share: f32| {
            let room = |far: f32| if share > 1e-6 { far.max(0.0) / share } else { 2.0 * PI };
            (room(now - range.min), room(range.max - now))
        };
        let (end_down, end_up) = room(&twist, own, kept);
        let (mid_down, mid_up) = room(&forearm_range, forearm, 1.0 - kept);
        let added = (asked - own).clamp(-end_down.min(mid_down), end_up.min(mid_up));
        let fade = |angle: f32, from: f32| 1.0 - float::smooth_step(from, PI, angle.abs());
        // Nor is there a twist where the end folds back on the limb.
        let along = Vec3::new(wanted.x, wanted.y, wanted.z).dot(axis);
        let certain = float::smooth_step(0.1, 0.35, float::sqrt(along * along + wanted.w * wanted.w));
        let part = fade(asked, 2.0 * PI / 3.0) * certain;
        let turned = if part == 1.0 && added == asked - own { asked } else { own + added * part };
        // Swing: towards half a turn every border is near.
        let free = JointModel { freedom: Freedom::Ball { swing, twist: Range::FREE }, ..*model };
        // The border is the forearm's, which the twist step will have rolled.
        let roll = axis_angle(axis, (1.0 - kept) * (turned - own));
        let seen = (roll.conjugate() * asked_swing * roll).normalize();
        let faded = fraction(seen, fade(rotation_angle(seen), 150.0 * PI / 180.0));
        let swung = limited(&free, faded, free.violation_rad(own_swing));
        if turned == asked && swung == seen {
            return local;
        }
        (*rest * roll * swung * roll.conjugate() * axis_angle(axis, turned)).normalize()
    }
}
