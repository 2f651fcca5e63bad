//! Joint limits of a limb: the closed form first, then the smallest correction that makes its
//! joints admissible.
//!
//! After the closed form three things can violate limits. Each is corrected without moving the end:
//!
//! 1. *The elbow* bends about another axis than its hinge, or backward. Rolling the upper arm by
//!    just that angle, and the elbow back, makes it a hinge again with elbow and wrist where they
//!    are: the *canonical* limb. Its flexion follows from the distance `D` of the end, `A·cos(a −
//!    a₀) = (D² − |u|² − |l|²)/(2|l|)` for the upper vector `u` (its part across the hinge has
//!    length `A` at angle `a₀`) and the lower bone `l`.
//! 2. *The shoulder* is beyond its swing or twist. The limb swivels about the line root–end to the
//!    nearest admissible place: both ways are searched in steps, local minima are refined, borders
//!    found by bisection.
//! 3. No swivel is admissible: the goal is out of reach. The limb takes the swivel of least
//!    violation, its root is clamped to its border, and the end misses the goal.
//!
//! The rotation of hand or foot is then limited: its swing to the region, its twist so that the
//! shares of wrist and forearm after the twist step fit both. Towards half a turn, where both
//! borders are equally near, the limited turn fades to none.
//!
//! What the animation itself exceeds stays allowed, so nothing moves at weight 0, and the result is
//! continuous in the weight. As a function of the goal it is continuous except where both swivel
//! directions are equally long.

use crate::closed_form::limb::LimbJoints;
use crate::limits::{BendAxis, Freedom, HingeAxis, JointLimit, JointModel, LimitTable, Range, SLACK, limited};
use crate::math::{
    LaneQuat, LaneVec3, Quat, Vec3, axis_angle, float, fraction, normalize_or, rotation_angle, slerp_short,
    swing_twist, twist_angle,
};
use crate::skeleton::{JointIndex, Pose, Skeleton};

const PI: f32 = core::f32::consts::PI;
/// Cosine of the angle between the lower bone and +Y of the mid joint's limit space up to which the
/// joint is a hinge about X.
const ALONG: f32 = 0.9;
/// Steps of the search to each side, over a whole turn.
const STEPS: usize = 48;
/// Violation above the least that a limb out of reach may have, radians.
const LEVEL: f32 = 0.02;
/// Half the width, in swivel, over which the limb changes from one border to the other where both
/// are equally far.
const CHANGE: f32 = PI / 6.0;
/// Halvings of a step.
const REFINE: usize = 18;

/// How far root and mid joint are beyond their limits in the animation, and how the end is twisted
/// there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    root: f32,
    mid: f32,
    end: Quat,
}

/// The limb in the space of its root's parent, relative to the root joint.
struct Canonical {
    /// Turn of the root joint that brings the limb onto target and side, without swivel.
    root: Quat,
    /// Mid joint's parent in the root joint's space.
    between: Quat,
    /// Mid joint's local rotation.
    mid: Quat,
    /// Unit vector root → end.
    axis: Vec3,
}

/// How far a joint may twist about its bone.
fn twist_range(model: &JointModel) -> Range {
    match model.freedom {
        Freedom::Ball { twist, .. } | Freedom::Universal { twist, .. } => twist,
        Freedom::Angles { y, .. } => y,
        Freedom::Hinge { axis: HingeAxis::Y, range } => range,
        Freedom::Hinge { .. } | Freedom::Swing(_) | Freedom::Fixed => Range::new(0.0, 0.0),
    }
}

/// The limits of a limb's three joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbLimits {
    root: JointLimit,
    mid: JointLimit,
    end: JointLimit,
}

impl LimbLimits {
    /// Looks them up.
    pub fn new(table: &LimitTable, skeleton: &Skeleton, joints: &LimbJoints) -> Self {
        let of = |joint| table.limit(skeleton, joint);
        Self { root: of(joints.root()), mid: of(joints.mid()), end: of(joints.end()) }
    }
    /// What a pose exceeds of them.
    pub fn allowed(&self, pose: &Pose, joints: &LimbJoints) -> Allowed {
        let local = |joint: JointIndex| pose.local()[joint].rotation;
        Allowed {
            root: self.root.violation_rad(local(joints.root())),
            mid: self.mid.violation_rad(local(joints.mid())),
            end: self.end.turn(local(joints.end())),
        }
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

/// Brings a limb that was just solved within its limits, if possible without moving the end.
/// Returns whether that was possible. Writes local rotations only.
pub(crate) fn limit_limb(limits: &LimbLimits, pose: &mut Pose, joints: &LimbJoints, allowed: &Allowed) -> bool {
    if !joints.is_attached() {
        return true;
    }
    let LimbLimits { root: root_limit, mid: mid_limit, .. } = limits;
    let (root_joint, mid_joint) = (joints.root(), joints.mid());
    let solved_root = pose.local()[root_joint].rotation.normalize();
    let solved_mid = pose.local()[mid_joint].rotation.normalize();
    let root_off = root_limit.violation_rad(pose.local()[root_joint].rotation);
    let mid_off = mid_limit.violation_rad(pose.local()[mid_joint].rotation);
    if root_off <= allowed.root + SLACK && mid_off <= allowed.mid + SLACK {
        return true;
    }
    let Some(canonical) = canonical(mid_limit, pose, joints) else { return true };
    // Canonical and solved limb share all places; they differ by rolls about the two bones.
    let keep = if mid_off <= allowed.mid + SLACK { 1.0 } else { allowed.mid / mid_off };
    let roots = |swivel: f32| {
        let turn = axis_angle(canonical.axis, swivel);
        slerp_short((turn * canonical.root).normalize(), (turn * solved_root).normalize(), keep)
    };
    let rest = root_limit.origin.conjugate();
    let root_model = &root_limit.model;
    let beyond = |swivel: f32| root_model.violation_rad((rest * roots(swivel)).normalize()) - allowed.root;
    let (swivel, fits) = nearest_swivel(beyond);
    let wanted = roots(swivel);
    // The mid joint in the space of the root's parent, from both, at no swivel.
    let of = |root: Quat, mid: Quat| (root * canonical.between * mid).normalize();
    let mid_ps = slerp_short(of(canonical.root, canonical.mid), of(solved_root, solved_mid), keep);
    let local_mid = ((roots(0.0) * canonical.between).conjugate() * mid_ps).normalize();
    let in_limits = limited(root_model, (rest * wanted).normalize(), allowed.root);
    pose.local_mut()[root_joint].rotation = if fits { wanted } else { (root_limit.origin * in_limits).normalize() };
    pose.local_mut()[mid_joint].rotation = local_mid;
    fits
}

/// The limb with its hinge in order and its end where it is; `None` when a scale inside is uneven or
/// a bone has no length. A mid joint that is no hinge, or whose limit space has its +Y elsewhere than
/// along the lower bone, is taken to its border, and the end with it.
fn canonical(limit: &JointLimit, pose: &Pose, joints: &LimbJoints) -> Option<Canonical> {
    let path = joints.path();
    let last = path.len() - 1;
    let mut rotation = Quat::IDENTITY;
    let (mut scale, mut position, mut mid_ps, mut between) = (1.0f32, Vec3::ZERO, Vec3::ZERO, Quat::IDENTITY);
    let (mut solved_root, mut solved_mid) = (Quat::IDENTITY, Quat::IDENTITY);
    for (place, &joint) in path.iter().enumerate() {
        let local = &pose.local()[joint];
        if place > 0 {
            position += rotation * (local.position * scale);
        }
        if joint == joints.mid() {
            mid_ps = position;
            between = (solved_root.conjugate() * rotation).normalize();
        }
        rotation = (rotation * local.rotation.normalize()).normalize();
        if place == 0 {
            solved_root = rotation;
        }
        if joint == joints.mid() {
            solved_mid = rotation;
        }
        let s = local.scale;
        if place < last && (s.min_element() <= 0.0 || s.max_element() - s.min_element() > 1e-6 * s.max_element()) {
            return None;
        }
        scale *= s.x;
    }
    let (upper, lower) = (solved_root.conjugate() * mid_ps, (position - mid_ps).length());
    let distance = position.length();
    let whole = upper.length() + lower;
    let axis = position / distance;
    let lower_js = solved_mid.conjugate() * (position - mid_ps);
    let is_along = |frame: Quat| (frame * Vec3::Y).dot(lower_js) > ALONG * lower;
    let Some((frame, bend_range)) = bend_of(&limit.model).filter(|(frame, _)| is_along(*frame)) else {
        let mid = limit.project(pose.local()[joints.mid()].rotation.normalize());
        return (distance > 1e-6 * whole).then_some(Canonical { root: solved_root, between, mid, axis });
    };
    // From the space of the mid joint's limits to the root joint's.
    let to_root = (between * limit.origin * frame).normalize();
    let w = to_root.conjugate() * upper;
    let size = float::sqrt(w.y * w.y + w.z * w.z);
    if size <= 1e-6 * whole || lower <= 1e-6 * whole || distance <= 1e-6 * whole {
        return None;
    }
    let cosine = (distance * distance - upper.length_squared() - lower * lower) / (2.0 * lower * size);
    let flexion = bend_range.clamp(float::atan2(w.z, w.y) + float::acos(cosine));
    let twist = {
        let now = limit.turn(pose.local()[joints.mid()].rotation);
        let p = frame.conjugate() * limit.model.project(now) * frame;
        axis_angle(Vec3::Y, twist_angle(p, Vec3::Y))
    };
    let mid = limit.origin * frame * axis_angle(Vec3::X, flexion) * twist * frame.conjugate();
    let along = upper + to_root * (Vec3::new(0.0, float::cos(flexion), float::sin(flexion)) * lower);
    let along = normalize_or(along, Vec3::Y);
    let side_js = normalize_or(along.cross(to_root * Vec3::X), Vec3::ZERO);
    let off_axis = |v: Vec3| v - axis * v.dot(axis);
    // Where the elbow is; for a straight limb where its hinge would have it.
    let offset = off_axis(mid_ps);
    let say = 0.01 * whole * (1.0 - float::smooth_step(0.0, 0.02, offset.length() / whole));
    let side = normalize_or(offset + off_axis(solved_root * side_js) * say, Vec3::ZERO);
    if side_js == Vec3::ZERO || side == Vec3::ZERO {
        return None;
    }
    let lane = LaneVec3::from_vec3;
    let root = LaneQuat::from_frames(lane(along), lane(side_js), lane(axis), lane(side)).to_quat();
    Some(Canonical { root, between, mid: mid.normalize(), axis })
}

/// The swivel at which `beyond` is not above zero: 0, or the nearer end of the admissible interval.
/// Where both ends are equally far, it changes from one to the other through the interior of the
/// interval. Also returns whether there is one; without one the same for the interval of least
/// violation.
fn nearest_swivel(beyond: impl Fn(f32) -> f32) -> (f32, bool) {
    let here = beyond(0.0);
    if here <= SLACK {
        return (0.0, true);
    }
    let mut least = here;
    if let Some(swivel) = nearest_stretch(&beyond, here, SLACK, &mut least) {
        return (swivel, true);
    }
    // Beyond reach. The interval grows from a single point at the border of reach.
    let level = least + (least - SLACK).clamp(0.0, LEVEL) + 1e-5;
    let swivel = if here <= level { Some(0.0) } else { nearest_stretch(&beyond, here, level, &mut least) };
    (swivel.unwrap_or(0.0), false)
}

fn nearest_stretch(beyond: &impl Fn(f32) -> f32, here: f32, level: f32, least: &mut f32) -> Option<f32> {
    let up = first_border(beyond, here, level, 1.0, least);
    let down = first_border(beyond, here, level, -1.0, least);
    let (Some(up), Some(down)) = (up, down) else { return up.or(down) };
    let nearer = if up <= -down { up } else { down };
    let half = CHANGE.min(0.5 * (up - down));
    let middle = 0.5 * (up + down);
    if middle.abs() >= half {
        return Some(nearer);
    }
    let inside = (2.0 * PI - (up - down)).max(0.0);
    let swivel = up + inside * float::smooth_step(-half, half, middle);
    // Two stretches with a gap between: no way through.
    Some(if beyond(swivel) <= level { swivel } else { nearer })
}

/// The first border of what lies below a level in one direction, within a turn; keeps the lowest
/// violation seen.
fn first_border(beyond: &impl Fn(f32) -> f32, here: f32, level: f32, sign: f32, least: &mut f32) -> Option<f32> {
    let step = sign * 2.0 * PI / STEPS as f32;
    let (mut before, mut last) = (beyond(-step), (0.0f32, here));
    for i in 1..=STEPS {
        let now = (i as f32 * step, beyond(i as f32 * step));
        *least = least.min(now.1);
        if now.1 <= level {
            return Some(border(beyond, level, last.0, now.0));
        }
        // A dip between samples may be admissible.
        if last.1 <= before && last.1 <= now.1 {
            let dip = lowest(beyond, last.0 - step, now.0);
            *least = least.min(dip.1);
            if dip.1 <= level && dip.0 * sign > 0.0 {
                let outside = if i == 1 { 0.0 } else { last.0 - step };
                return Some(border(beyond, level, outside, dip.0));
            }
        }
        (before, last) = (last.1, now);
    }
    None
}

/// Lowest point between two, by thirds.
fn lowest(f: &impl Fn(f32) -> f32, mut low: f32, mut high: f32) -> (f32, f32) {
    for _ in 0..REFINE {
        let third = (high - low) / 3.0;
        if f(low + third) <= f(high - third) { high -= third } else { low += third }
    }
    let middle = 0.5 * (low + high);
    (middle, f(middle))
}

/// Where `f` comes down to the level on the way from `outside` to `inside`; on the inner side.
fn border(f: &impl Fn(f32) -> f32, level: f32, mut outside: f32, mut inside: f32) -> f32 {
    for _ in 0..REFINE {
        let middle = 0.5 * (outside + inside);
        if f(middle) <= level { inside = middle } else { outside = middle }
    }
    inside
}

/// Limits how the end joint is turned: its local rotation, for the wanted rotation `local`. `kept`
/// is the part of a roll that the twist step leaves to the end.
pub(crate) fn limit_end(
    limits: &LimbLimits,
    pose: &Pose,
    joints: &LimbJoints,
    local: Quat,
    kept: f32,
    allowed: &Allowed,
) -> Quat {
    let LimbLimits { mid, end: JointLimit { model, origin: rest }, .. } = limits;
    let forearm_range = twist_range(&mid.model);
    if model.is_unlimited() && forearm_range == Range::FREE {
        return local;
    }
    let Freedom::Ball { swing, twist } = model.freedom else {
        // Without a twist of its own there is nothing to share with the mid joint.
        return limits.end.limited(local, model.violation_rad(allowed.end));
    };
    let wanted = (rest.conjugate() * local.normalize()).normalize();
    let axis = model.frame * Vec3::Y;
    let split = |q: Quat| (swing_twist(q, axis).0, twist_angle(q, axis));
    let ((own_swing, own), (asked_swing, asked)) = (split(allowed.end), split(wanted));
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
