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

use super::end_limit::EndBefore;
use super::mid_bend::MidBend;
use crate::closed_form::limb::LimbJoints;
use crate::limits::{JointLimit, Range, SLACK, onto_arc};
use crate::math::dispatch::{Level, Task};
use crate::math::rigid::{turn_vec3, unit_times};
use crate::math::{
    F32x4, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Transform, Vec3, axis_angle, float, lane_slerp_short, slerp_short,
    wrap_angle,
};
use crate::skeleton::{JointIndex, Pose};

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
    flexion: Flexion<f32>,
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
struct Flexion<L> {
    angle: L,
    sine: L,
    half_sine: L,
}

impl<L: Lane> Flexion<L> {
    #[inline(always)]
    fn of(upper: LaneVec3<L>, lower: LaneVec3<L>) -> Self {
        let (sine, cosine) = (upper.cross(lower).length(), upper.dot(lower));
        let angle = float::atan2(sine, cosine);
        let size = (sine * sine + cosine * cosine).root().max(L::splat(f32::MIN_POSITIVE));
        let (sine, cosine) = (sine / size, cosine / size);
        let (half, two, zero) = (L::splat(0.5), L::splat(2.0), L::splat(0.0));
        let ahead = sine / (two + two * cosine).sqrt();
        Self { angle, sine, half_sine: L::select(zero.lt(cosine), ahead, (half - half * cosine).sqrt()) }
    }
}

impl Flexion<F32x4> {
    #[inline(always)]
    fn at(&self, i: usize) -> Flexion<f32> {
        Flexion { angle: self.angle.0[i], sine: self.sine.0[i], half_sine: self.half_sine.0[i] }
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

/// The numbers of a limb that is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbBones<'a> {
    /// Limits of the mid joint.
    limit: &'a JointLimit,
    /// Local rotation of the root joint.
    root: Quat,
    /// As in [`LimbShape`]; without joints between the mid joint's need not be unit.
    between: Quat,
    mid: Quat,
    upper_bone: Vec3,
    /// The lower bone; without joints between in the mid joint's space.
    lower_bone: Vec3,
    has_between: bool,
}

impl<'a> LimbBones<'a> {
    /// Of a limb whose joints are `local` at; `None` when a scale inside is uneven.
    #[inline(always)]
    pub fn of(joints: &LimbJoints, limit: &'a JointLimit, local: impl Fn(JointIndex) -> Transform) -> Option<Self> {
        if let [root, mid, end] = *joints.path() {
            let ([root, mid], lower_bone) = ([root, mid].map(&local), local(end).position);
            if root.scale == Vec3::ONE && mid.scale == Vec3::ONE {
                let (root, mid, upper_bone) = (root.rotation, mid.rotation, mid.position);
                let between = Quat::IDENTITY;
                return Some(Self { limit, root, between, mid, upper_bone, lower_bone, has_between: false });
            }
        }
        Self::with_between(joints, limit, local)
    }
    /// The same with any number of joints between, and any scale.
    #[inline(never)]
    fn with_between(
        joints: &LimbJoints,
        limit: &'a JointLimit,
        local: impl Fn(JointIndex) -> Transform,
    ) -> Option<Self> {
        let path = joints.path();
        let last = path.len() - 1;
        // In the root joint's space, in units of its parent.
        let (mut rotation, mut scale, mut position) = (Quat::IDENTITY, 1.0f32, Vec3::ZERO);
        let (mut elbow, mut root, mut between, mut mid) = (Vec3::ZERO, rotation, rotation, rotation);
        for (place, &joint) in path.iter().enumerate() {
            let local = local(joint);
            if place == 0 {
                root = local.rotation;
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
        Some(Self { limit, root, between, mid, upper_bone, lower_bone, has_between: true })
    }
}

/// Up to four limbs to measure, side by side.
struct Measured<'a>(&'a [Option<LimbBones<'a>>; 4], &'a mut [Option<LimbShape>; 4]);

impl Task for Measured<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        LimbShape::measure(self.0, self.1);
    }
}

impl LimbShape {
    /// Measures a limb of a pose; `None` as in [`LimbBones::of`].
    pub fn of(pose: &Pose, joints: &LimbJoints, limit: &JointLimit) -> Option<Self> {
        let mut shapes = [None; 4];
        Self::several(&[LimbBones::of(joints, limit, |joint| pose.local()[joint]), None, None, None], &mut shapes);
        shapes[0]
    }
    /// Measures up to four limbs at the cost of one; writes nothing where there is none.
    pub fn several(limbs: &[Option<LimbBones>; 4], shapes: &mut [Option<Self>; 4]) {
        Level::for_one().run(Measured(limbs, shapes));
    }
    #[inline(always)]
    fn measure(given: &[Option<LimbBones>; 4], shapes: &mut [Option<Self>; 4]) {
        // Unused lanes repeat a limb.
        let Some((first, one_of)) = given.iter().enumerate().find_map(|(i, limb)| Some((i, limb.as_ref()?))) else {
            return;
        };
        let limbs = &given.each_ref().map(|limb| limb.as_ref().unwrap_or(one_of));
        let root = LaneQuat::of(limbs.map(|b| b.root)).normalize_in_order();
        let (upper_bone, own_mid) = (LaneVec3::of(limbs.map(|b| b.upper_bone)), LaneQuat::of(limbs.map(|b| b.mid)));
        let is_plain = F32x4(limbs.map(|b| f32::from(u8::from(b.has_between)))).lt(F32x4::splat(0.5));
        let own_mid = LaneQuat::select(is_plain, own_mid.normalize_in_order(), own_mid);
        let lower_bone = LaneVec3::of(limbs.map(|b| b.lower_bone));
        let plain = (upper_bone + own_mid.turn(lower_bone)) - upper_bone;
        let lower_bone = LaneVec3::select(is_plain, plain, lower_bone);
        let (upper, lower) = (upper_bone.length(), lower_bone.length());
        let whole = upper + lower;
        let bone = own_mid.conjugate().turn(lower_bone);
        let bone = LaneVec3::new(bone.x / lower, bone.y / lower, bone.z / lower);
        let mut bends = [MidBend::of(&one_of.limit.model, bone.at(first)); 4];
        for i in first + 1..4 {
            if let Some(limb) = &given[i] {
                bends[i] = MidBend::of(&limb.limit.model, bone.at(i));
            }
        }
        let flexion = Flexion::of(upper_bone, lower_bone);
        let one = F32x4::splat(1.0);
        let along = LaneVec3::new(upper_bone.x / upper, upper_bone.y / upper, upper_bone.z / upper);
        let axis = upper_bone.cross(lower_bone).normalize_or(along.any_perpendicular(), F32x4::splat(1e-20)).0;
        for (i, (shape, limb)) in shapes.iter_mut().zip(given).enumerate() {
            // A limb has two bones with a length.
            let has_length = upper.0[i].min(lower.0[i]) > 1e-6 * whole.0[i] && whole.0[i].is_finite();
            let Some(limb) = limb.as_ref().filter(|_| has_length) else { continue };
            *shape = Some(Self {
                root: root.at(i),
                between: limb.between,
                mid: own_mid.at(i),
                upper_bone: limb.upper_bone,
                lower_bone: lower_bone.at(i),
                whole: whole.0[i],
                flexion: flexion.at(i),
                angle: flexion.angle.0[i],
                axis: axis.at(i),
                hinge: None,
                roll_frame: bends[i].frame,
                roll_range: bends[i].roll,
            });
        }
        if bends.iter().all(|bend| bend.range.is_none()) {
            return;
        }
        // The canonical forms.
        let mut ranges = bends.map(|bend| bend.range.unwrap_or(Range::NONE));
        let mut frame = LaneQuat::of(bends.map(|bend| bend.frame));
        let origin = LaneQuat::of(limbs.map(|b| b.between)) * LaneQuat::of(limbs.map(|b| b.limit.origin));
        let mut hinge = (origin * frame).normalize_in_order();
        let mut lower_x = F32x4(bends.map(|bend| bend.along_axis)) * lower;
        let lower = F32x4(bends.map(|bend| bend.across_axis)) * lower;
        let mut w = hinge.conjugate().turn(upper_bone);
        let mut straight = float::atan2(w.z, w.y);
        let (least, most) = (F32x4(ranges.map(|range| range.min)), F32x4(ranges.map(|range| range.max)));
        // Two thirds of the range bend the limb the other way.
        let opposite = (most - straight).lt(F32x4::splat(0.5) * (straight - least));
        if opposite.any() {
            // Turned round, the axis is the opposite one.
            let other = MidBend::turned_round(frame);
            frame = LaneQuat::select(opposite, other, frame);
            hinge = LaneQuat::select(opposite, (origin * other).normalize_in_order(), hinge);
            lower_x = F32x4::select(opposite, -lower_x, lower_x);
            for (i, range) in ranges.iter_mut().enumerate() {
                *range = if opposite[i] { range.mirrored() } else { *range };
            }
            w = hinge.conjugate().turn(upper_bone);
            straight = float::atan2(w.z, w.y);
        }
        let end = upper_bone + lower_bone;
        let (size, distance) = ((w.y * w.y + w.z * w.z).root(), end.length());
        let too_short = size.lt(F32x4::splat(ACROSS) * upper).or(distance.lt(F32x4::splat(1e-6) * whole));
        let two = F32x4::splat(2.0);
        let beside = lower * lower + lower_x * (lower_x + two * w.x);
        let cosine = (distance * distance - upper_bone.dot(upper_bone) - beside) / (two * lower * size);
        let angle = straight + float::acos(cosine);
        let farther = one.lt(cosine);
        let mut lack = F32x4::splat(0.0);
        if farther.any() {
            lack = F32x4::select(farther, float::acos((size / upper).min(one)) - flexion.angle, lack).max(lack);
        }
        let x_axis = LaneVec3::splat(Vec3::X);
        let axis = hinge.turn(x_axis);
        let bent = (hinge * LaneQuat::from_axis_angle(x_axis, angle)).normalize_in_order();
        let (zero, least) = (LaneVec3::zero(), F32x4::splat(1e-20));
        let along = upper_bone + bent.turn(LaneVec3::new(lower_x, lower, F32x4::splat(0.0)));
        let along = along.normalize_or(LaneVec3::splat(Vec3::Y), least).0;
        let line = LaneVec3::new(end.x / distance, end.y / distance, end.z / distance);
        // The side of the elbow; of a straight or folded limb that to which its hinge bends it.
        let part = float::smooth_step(F32x4::splat(STRAIGHT.0), F32x4::splat(STRAIGHT.1), flexion.sine);
        let blends = part.lt(one);
        let side_of = |line: LaneVec3<F32x4>| {
            let off = (upper_bone - line * upper_bone.dot(line)).normalize_or(zero, least).0;
            if !blends.any() {
                return off;
            }
            let hinged = line.cross(axis).normalize_or(zero, least).0;
            let both = (off * part + hinged * (one - part)).normalize_or(zero, least).0;
            LaneVec3::select(blends, both, off)
        };
        let (side, bent_side) = (side_of(along), side_of(line));
        let none = |v: LaneVec3<F32x4>| v.dot(v).lt(F32x4::splat(0.5));
        let unknown = too_short.or(none(side)).or(none(bent_side));
        let to_canonical = LaneQuat::from_frames(along, side, line, bent_side);
        // The lower bone's own roll stays.
        let rolled = ((to_canonical * bent).conjugate() * own_mid * frame).normalize_in_order();
        let roll = (float::atan2(rolled.y, rolled.w) * two).map(wrap_angle);
        let mid = (bent * twist_about_y(rolled) * frame.conjugate()).normalize_in_order();
        let turning = (own_mid * mid.conjugate()).turn(axis);
        let bone = frame.turn(LaneVec3::splat(Vec3::Y));
        for (i, shape) in shapes.iter_mut().enumerate() {
            let is_hinge = given[i].is_some() && bends[i].range.is_some() && !unknown[i];
            let Some(shape) = shape.as_mut().filter(|_| is_hinge) else { continue };
            shape.angle = angle.0[i];
            shape.axis = turning.at(i);
            shape.hinge = Some(Hinge {
                range: ranges[i],
                to_canonical: to_canonical.at(i),
                mid: mid.at(i),
                axis: axis.at(i),
                lack: lack.0[i],
                roll: roll.0[i],
                bone: bone.at(i),
            });
        }
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
    /// Brings up to four limbs as near to their canonical forms as these distances, with their ends
    /// in the same direction.
    pub fn put_on_hinges(shapes: &mut [Option<Self>; 4], asides: [Option<f32>; 4]) {
        let beside: [_; 4] = core::array::from_fn(|i| {
            let (shape, aside) = (shapes[i].as_ref()?, asides[i]?);
            shape.is_beside(aside).then(|| Some((shape, shape.hinge.as_ref()?, aside / shape.aside())))?
        });
        let Some(first) = beside.iter().flatten().next() else { return };
        // Unused lanes repeat a limb.
        let hinged = Level::for_one().run(Hinging(&beside.map(|limb| limb.unwrap_or(*first))));
        let is_beside = beside.map(|limb| limb.is_some());
        for (i, shape) in shapes.iter_mut().enumerate() {
            let Some(shape) = shape.as_mut().filter(|_| is_beside[i]) else { continue };
            shape.root = hinged.root.at(i);
            shape.mid = hinged.mid.at(i);
            shape.lower_bone = hinged.lower_bone.at(i);
            shape.axis = hinged.axis.at(i);
            shape.flexion = hinged.flexion.at(i);
            if let Some(hinge) = &mut shape.hinge {
                hinge.to_canonical = hinged.to_canonical.at(i);
            }
        }
    }
    /// The end in the root joint's space, at another angle.
    pub fn end_at(&self, angle: f32) -> Vec3 {
        if angle == self.angle {
            return self.upper_bone + self.lower_bone;
        }
        let (sine, cosine) = float::sin_cos(angle - self.angle);
        let [still, along, aside] = self.end_parts();
        still + along * cosine + aside * sine
    }
    /// The end in the root joint's space by the angle from [`Self::angle`] on: what stays, and the
    /// factors of its cosine and its sine.
    pub fn end_parts(&self) -> [Vec3; 3] {
        let v = self.lower_bone;
        let fixed = self.axis * self.axis.dot(v);
        [self.upper_bone + fixed, v - fixed, self.axis.cross(v)]
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
    /// What the limit of the end needs, with the local rotation of the end in the animation.
    pub fn end_before(&self, rotation: Quat) -> EndBefore {
        EndBefore { rotation, roll_frame: self.roll_frame, roll_range: self.roll_range }
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

/// Four limbs, their hinges, and the part that is kept of what they bend beside them.
struct Hinging<'a>(&'a [(&'a LimbShape, &'a Hinge, f32); 4]);

/// What changes of them.
struct Hinged {
    root: LaneQuat<F32x4>,
    mid: LaneQuat<F32x4>,
    lower_bone: LaneVec3<F32x4>,
    axis: LaneVec3<F32x4>,
    flexion: Flexion<F32x4>,
    to_canonical: LaneQuat<F32x4>,
}

impl Task for Hinging<'_> {
    type Output = Hinged;
    #[inline(always)]
    fn run(self) -> Hinged {
        let limbs = self.0;
        let kept = F32x4(limbs.map(|(.., kept)| kept));
        let to_canonical = LaneQuat::of(limbs.map(|(_, hinge, _)| hinge.to_canonical));
        let hinge_mid = LaneQuat::of(limbs.map(|(_, hinge, _)| hinge.mid));
        let own_mid = LaneQuat::of(limbs.map(|(shape, ..)| shape.mid));
        let canonical_mid = (to_canonical * hinge_mid).normalize_in_order();
        let turned = lane_slerp_short(to_canonical, LaneQuat::identity(), kept);
        let mid = (turned.conjugate() * lane_slerp_short(canonical_mid, own_mid, kept)).normalize_in_order();
        let upper = LaneVec3::of(limbs.map(|(shape, ..)| shape.upper_bone));
        let lower = LaneVec3::of(limbs.map(|(shape, ..)| shape.lower_bone));
        let lower_bone = mid.turn(own_mid.conjugate().turn(lower));
        let y_axis = LaneVec3::splat(Vec3::Y);
        let line = |lower: LaneVec3<F32x4>| (upper + lower).normalize_or(y_axis, F32x4::splat(1e-20)).0;
        let from = turned.turn(line(lower_bone));
        let aim = LaneQuat::arc(from, line(lower), from.any_perpendicular());
        let root = LaneQuat::of(limbs.map(|(shape, ..)| shape.root));
        let axis = LaneVec3::of(limbs.map(|(_, hinge, _)| hinge.axis));
        Hinged {
            root: (root * aim * turned).normalize_in_order(),
            mid,
            lower_bone,
            axis: (mid * hinge_mid.conjugate()).turn(axis),
            flexion: Flexion::of(upper, lower_bone),
            to_canonical: ((aim * turned).conjugate() * to_canonical).normalize_in_order(),
        }
    }
}

/// The twist of a unit quaternion about Y as a rotation: that by [`crate::math::twist_angle`].
#[inline(always)]
fn twist_about_y<L: Lane>(q: LaneQuat<L>) -> LaneQuat<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let size = (q.y * q.y + q.w * q.w).root();
    let over = L::select(q.w.lt(zero), -one, one) / size;
    let twist = LaneQuat::new(zero, q.y * over, zero, q.w * over);
    LaneQuat::select(size.lt(L::splat(1e-9)), LaneQuat::identity(), twist)
}
