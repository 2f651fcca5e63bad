//! A limb as its limits see it: bones, hinge, flexion, and how far it bends beside its hinge.
//!
//! At the hinge's angle `θ` the lower bone is `p = R_x(θ) Y` in the hinge's space, beside a part
//! `x` along the hinge that a bone has which is not quite across it (it adds `x² + 2 x u_x` to
//! `D²`). The upper bone `u` need not be at right angles to the hinge: with `A = |(u_y, u_z)|` and
//! `a₀ = atan2(u_z, u_y)` the distance `D` of the end follows `D² = u² + l² + 2 l A cos(θ − a₀)`.
//! The limb with this angle, its end where it is and its hinge across the side to which the solved
//! limb bends is its *canonical* form: it is on its hinge, and differs from the solved limb by a
//! roll of the upper bone.
//!
//! Angles count so that a limb bends to `θ > a₀`: of a hinge that bends it the other way the
//! angles are mirrored.
//!
//! A mid joint that does not bend about one axis across its bone ([`super::mid_bend`]) bends in the
//! plane in which it is; `θ` is the angle between the bones.

use super::mid_bend::MidBend;
use crate::closed_form::limb::LimbJoints;
use crate::limits::{JointLimit, Range, SLACK, onto_arc};
use crate::math::dispatch::{Level, Task};
use crate::math::rigid::{times, turn_vec3, unit_times};
use crate::math::{
    LaneQuat, LaneVec3, Quat, Vec3, arc, axis_angle, float, normalize_or, perpendicular, slerp_short, twist_angle,
};
use crate::skeleton::Pose;

const PI: f32 = core::f32::consts::PI;
const DEGREE: f32 = PI / 180.0;
/// Part of the upper bone across the hinge below which the joint does not bend the limb.
const ACROSS: f32 = 0.3;
/// Sine of the flexion over which the side of an elbow takes over from that of its hinge.
const STRAIGHT: (f32, f32) = (0.05, 0.2);
/// Flexion over which the plane in which a limb bends takes over from its hinge.
const PLANE: (f32, f32) = (10.0 * DEGREE, 15.0 * DEGREE);

/// A limb in the space of its root's parent, relative to the root joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbShape {
    /// Local rotation of the root joint.
    pub root: Quat,
    /// Orientation of the mid joint's parent, then of the mid joint, in the root joint's space.
    between: Quat,
    mid: Quat,
    /// The bones in the root joint's space.
    pub upper_bone: Vec3,
    lower_bone: Vec3,
    /// Length of both bones.
    pub whole: f32,
    flexion: Flexion,
    /// The angle that the mid joint has, and the unit axis in the root joint's space that it turns
    /// the lower bone about.
    pub angle: f32,
    pub axis: Vec3,
    hinge: Option<Hinge>,
    /// How the mid joint's roll about its bone is measured in its space, and its range.
    pub roll_frame: Quat,
    pub roll_range: Range,
}

/// The angle between the bones, its sine, and the sine of half of it.
#[derive(Clone, Copy, Debug)]
struct Flexion {
    angle: f32,
    sine: f32,
    half_sine: f32,
}

impl Flexion {
    #[inline(always)]
    fn of(upper: Vec3, lower: Vec3) -> Self {
        let (sine, cosine) = (upper.cross(lower).length(), upper.dot(lower));
        let angle = float::atan2(sine, cosine);
        let size = float::sqrt(sine * sine + cosine * cosine).max(f32::MIN_POSITIVE);
        let (sine, cosine) = (sine / size, cosine / size);
        let half_sine =
            if cosine > 0.0 { sine / float::sqrt(2.0 + 2.0 * cosine) } else { float::sqrt(0.5 - 0.5 * cosine) };
        Self { angle, sine, half_sine }
    }
}

#[derive(Clone, Copy, Debug)]
struct Hinge {
    range: Range,
    /// From the canonical form's root joint to that of the limb.
    to_canonical: Quat,
    /// The canonical form's mid joint, in its root joint's space, and the hinge's axis there.
    mid: Quat,
    axis: Vec3,
    /// By how much the angle between the bones is below what the hinge admits.
    lack: f32,
    /// The mid joint's roll about its bone, and that in the mid joint's space.
    roll: f32,
    bone: Vec3,
}

/// A limb to measure.
struct Measured<'a>(&'a Pose, &'a LimbJoints, &'a JointLimit);

impl Task for Measured<'_> {
    type Output = Option<LimbShape>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        LimbShape::measured(self.0, self.1, self.2)
    }
}

impl LimbShape {
    /// Measures it; `None` when a scale inside is uneven or a bone has no length.
    pub fn of(pose: &Pose, joints: &LimbJoints, limit: &JointLimit) -> Option<Self> {
        Level::for_one().run(Measured(pose, joints, limit))
    }
    #[inline(always)]
    fn measured(pose: &Pose, joints: &LimbJoints, limit: &JointLimit) -> Option<Self> {
        let path = joints.path();
        let last = path.len() - 1;
        // In the root joint's space, in units of its parent.
        let (mut rotation, mut scale, mut position) = (Quat::IDENTITY, 1.0f32, Vec3::ZERO);
        let (mut elbow, mut root, mut between, mut mid) = (Vec3::ZERO, rotation, rotation, rotation);
        for (place, &joint) in path.iter().enumerate() {
            let local = &pose.local()[joint];
            if place == 0 {
                root = local.rotation.normalize();
            } else {
                let way = local.position * scale;
                position += if place == 1 { way } else { turn_vec3(rotation, way) };
            }
            if joint == joints.mid() {
                (elbow, between) = (position, rotation);
            }
            if 0 < place && place < last {
                let turn = local.rotation.normalize();
                rotation = if place == 1 { turn } else { unit_times(rotation, turn) };
            }
            if joint == joints.mid() {
                mid = rotation;
            }
            let s = local.scale;
            if place < last && (s.min_element() <= 0.0 || s.max_element() - s.min_element() > 1e-6 * s.max_element()) {
                return None;
            }
            scale *= s.x;
        }
        let (upper_bone, lower_bone) = (elbow, position - elbow);
        let (upper, lower) = (upper_bone.length(), lower_bone.length());
        if upper.is_nan() || lower.is_nan() || upper.min(lower) <= 1e-6 * (upper + lower) {
            return None;
        }
        let turned = upper_bone.cross(lower_bone);
        let flexion = Flexion::of(upper_bone, lower_bone);
        let bend = MidBend::of(&limit.model, turn_vec3(mid.conjugate(), lower_bone) / lower);
        let mut shape = Self {
            root,
            between,
            mid,
            upper_bone,
            lower_bone,
            whole: upper + lower,
            flexion,
            angle: flexion.angle,
            axis: normalize_or(turned, perpendicular(upper_bone / upper)),
            hinge: None,
            roll_frame: bend.frame,
            roll_range: bend.roll,
        };
        if let Some(range) = bend.range {
            let origin = times(between, limit.origin);
            let hinge = unit_times(origin, bend.frame);
            let w = turn_vec3(hinge.conjugate(), upper_bone);
            let straight = float::atan2(w.z, w.y);
            let mut bones = [bend.along_axis * lower, bend.across_axis * lower];
            let (mut hinge, mut frame, mut range) = (hinge, bend.frame, range);
            // Two thirds of the range bend the limb the other way.
            if range.max - straight < 0.5 * (straight - range.min) {
                (frame, range) = MidBend::turned_round(bend.frame, range);
                // Turned round, the axis is the opposite one.
                (hinge, bones[0]) = (unit_times(origin, frame), -bones[0]);
            }
            shape.find_canonical(hinge, frame, range, bones);
        }
        Some(shape)
    }
    /// The canonical form. `hinge` takes the hinge's space to the root joint's, `frame` to the mid
    /// joint's; the lower bone is so long along the axis and across it.
    #[inline(always)]
    fn find_canonical(&mut self, hinge: Quat, frame: Quat, range: Range, [lower_x, lower]: [f32; 2]) {
        let upper = self.upper_bone;
        let end = upper + self.lower_bone;
        let (w, distance) = (turn_vec3(hinge.conjugate(), upper), end.length());
        let size = float::sqrt(w.y * w.y + w.z * w.z);
        if size < ACROSS * upper.length() || distance < 1e-6 * self.whole {
            return;
        }
        let beside = lower * lower + lower_x * (lower_x + 2.0 * w.x);
        let cosine = (distance * distance - upper.length_squared() - beside) / (2.0 * lower * size);
        let angle = float::atan2(w.z, w.y) + float::acos(cosine.clamp(-1.0, 1.0));
        let lack = if cosine > 1.0 { float::acos((size / upper.length()).min(1.0)) - self.flexion.angle } else { 0.0 };
        let axis = turn_vec3(hinge, Vec3::X);
        let bent = unit_times(hinge, axis_angle(Vec3::X, angle));
        let along = normalize_or(upper + turn_vec3(bent, Vec3::new(lower_x, lower, 0.0)), Vec3::Y);
        let line = end / distance;
        // The side of the elbow; of a straight or folded limb that to which its hinge bends it.
        let part = float::smooth_step(STRAIGHT.0, STRAIGHT.1, self.flexion.sine);
        let side_of = |line: Vec3| {
            let off = normalize_or(upper - line * upper.dot(line), Vec3::ZERO);
            if part == 1.0 {
                return off;
            }
            let hinged = normalize_or(line.cross(axis), Vec3::ZERO);
            normalize_or(off * part + hinged * (1.0 - part), Vec3::ZERO)
        };
        let (side, bends) = (side_of(along), side_of(line));
        if side == Vec3::ZERO || bends == Vec3::ZERO {
            return;
        }
        let lane = LaneVec3::from_vec3;
        let to_canonical = LaneQuat::from_frames(lane(along), lane(side), lane(line), lane(bends)).to_quat();
        // The lower bone's own roll stays.
        let rolled = unit_times(times(times(to_canonical, bent).conjugate(), self.mid), frame);
        let roll = twist_angle(rolled, Vec3::Y);
        let mid = unit_times(times(bent, twist_about_y(rolled)), frame.conjugate());
        self.angle = angle;
        self.axis = turn_vec3(times(self.mid, mid.conjugate()), axis);
        self.hinge =
            Some(Hinge { range, to_canonical, mid, axis, lack: lack.max(0.0), roll, bone: turn_vec3(frame, Vec3::Y) });
    }
    /// The range of the angle.
    pub fn range(&self) -> Range {
        self.hinge.map_or(Range { min: 0.0, max: PI }, |hinge| hinge.range)
    }
    /// The nearest angle in a range.
    pub fn angle_within(&self, range: Range) -> f32 {
        let angle = range.clamp(self.angle);
        if (angle - self.angle).abs() <= 0.15 * SLACK { self.angle } else { angle }
    }
    /// Whether the mid joint is rolled about its bone beyond its range and another roll.
    pub fn has_rolled(&self, other: f32) -> bool {
        let (range, roll) = (self.roll_range, self.roll());
        roll > range.max.max(other) + 0.15 * SLACK || roll < range.min.min(other) - 0.15 * SLACK
    }
    /// Whether the mid joint is a hinge.
    pub fn has_hinge(&self) -> bool {
        self.hinge.is_some()
    }
    /// How far the limb is from its canonical form.
    pub fn aside(&self) -> f32 {
        self.hinge.map_or(0.0, |hinge| {
            let beside = hinge.to_canonical;
            let half_sine = Vec3::new(beside.x, beside.y, beside.z).length();
            self.flexion.half_sine * half_sine + 0.5 * hinge.lack
        })
    }
    /// Whether it is farther from its canonical form than this.
    pub fn is_beside(&self, aside: f32) -> bool {
        self.aside() > aside + 0.05 * SLACK
    }
    /// The limb no farther from its canonical form than this, with its end in the same direction.
    pub fn hinged(&self, aside: f32) -> Self {
        let Some(hinge) = self.hinge.filter(|_| self.is_beside(aside)) else { return *self };
        let kept = aside / self.aside();
        let to_canonical = hinge.to_canonical;
        let canonical_mid = (to_canonical * hinge.mid).normalize();
        let turned = slerp_short(to_canonical, Quat::IDENTITY, kept);
        let mid = (turned.conjugate() * slerp_short(canonical_mid, self.mid, kept)).normalize();
        let lower_bone = mid * (self.mid.conjugate() * self.lower_bone);
        let upper = self.upper_bone;
        let line = |lower: Vec3| normalize_or(upper + lower, Vec3::Y);
        let aim = arc(turned * line(lower_bone), line(self.lower_bone));
        Self {
            root: (self.root * aim * turned).normalize(),
            mid,
            lower_bone,
            axis: (mid * hinge.mid.conjugate()) * hinge.axis,
            flexion: Flexion::of(upper, lower_bone),
            hinge: Some(Hinge { to_canonical: ((aim * turned).conjugate() * to_canonical).normalize(), ..hinge }),
            ..*self
        }
    }
    /// The end in the root joint's space, at another angle.
    pub fn end_at(&self, angle: f32) -> Vec3 {
        if angle == self.angle {
            return self.upper_bone + self.lower_bone;
        }
        let (sine, cosine) = float::sin_cos(angle - self.angle);
        let v = self.lower_bone;
        let fixed = self.axis * self.axis.dot(v);
        self.upper_bone + fixed + (v - fixed) * cosine + self.axis.cross(v) * sine
    }
    /// The range of the angle about the one that the limb has, in which a mid joint without a hinge
    /// is beyond its limits by no more than is allowed.
    pub fn range_within(&self, limit: &JointLimit, allowed_rad: f32) -> Range {
        const STEPS: usize = 8;
        const HALVINGS: usize = 10;
        if limit.model.is_unlimited() {
            return self.range();
        }
        let fits = |angle: f32| limit.violation_rad(self.mid_at(angle, 0.0)) <= allowed_rad + SLACK;
        let border = |end: f32| {
            let mut inside = self.angle;
            for step in 1..=STEPS {
                let mut outside = self.angle + (end - self.angle) * (step as f32 / STEPS as f32);
                if fits(outside) {
                    inside = outside;
                    continue;
                }
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (inside + outside);
                    *if fits(middle) { &mut inside } else { &mut outside } = middle;
                }
                break;
            }
            inside
        };
        Range { min: border(0.0), max: border(PI) }
    }
    /// The mid joint's local rotation at another angle, with a roll about its bone in its range,
    /// widened to another roll.
    pub fn mid_at(&self, angle: f32, other: f32) -> Quat {
        let turn = axis_angle(self.axis, angle - self.angle);
        let local = (self.between.conjugate() * turn * self.mid).normalize();
        let (Some(hinge), now) = (self.hinge, self.roll()) else { return local };
        let range = Range { min: self.roll_range.min.min(other), max: self.roll_range.max.max(other) };
        if range.max - range.min >= 2.0 * PI || (range.clamp(now) - now).abs() <= 0.15 * SLACK {
            return local;
        }
        // Half a turn away, where both ends are equally near, through the range.
        (local * axis_angle(hinge.bone, onto_arc(range.min - now, range.max - now))).normalize()
    }
    /// The mid joint's roll about its bone.
    pub fn roll(&self) -> f32 {
        self.hinge.map_or(0.0, |hinge| hinge.roll)
    }
    /// The turn from the canonical form, before the root joint's rotation: limits judge the limb's
    /// plane. Faded for a straight limb, which has none.
    pub fn plane(&self) -> Quat {
        let part = float::smooth_step(PLANE.0, PLANE.1, self.flexion.angle);
        match self.hinge {
            Some(hinge) if part > 0.0 => slerp_short(Quat::IDENTITY, hinge.to_canonical, part),
            _ => Quat::IDENTITY,
        }
    }
}

/// The twist of a unit quaternion about Y as a rotation: that by [`twist_angle`].
#[inline(always)]
fn twist_about_y(q: Quat) -> Quat {
    let size = float::sqrt(q.y * q.y + q.w * q.w);
    if size < 1e-9 {
        return Quat::IDENTITY;
    }
    let over = if q.w < 0.0 { -1.0 / size } else { 1.0 / size };
    Quat::from_xyzw(0.0, q.y * over, 0.0, q.w * over)
}
