//! Joint limits as half-spaces on the rotation matrix: the range of the twist follows from the
//! direction of the bone.
//!
//! A condition is `⟨N, R⟩ + c ≥ 0` with `⟨N, R⟩ = Σ Nₖ · R eₖ` over the columns. Two shapes are
//! used: a *cap* `c − n · d ≥ 0`, which keeps the bone's direction `d = R Y` out of a circle on the
//! sphere, and the *turn*, a condition on all of `R`. About a fixed direction the turn's condition
//! is `A + B cos t + C sin t ≥ 0` in the roll `t`: one arc, whose ends depend on the direction. So
//! ten numbers hold how far a shoulder may roll for every direction of the arm.
//!
//! On a circle of swivels, `R(φ) = u uᵀ R₀ + cos φ (1 − u uᵀ) R₀ + sin φ [u]× R₀`, every condition
//! has the same form ([`HalfSpace::on_swivel`]), which makes the admissible swivels of a limb a
//! handful of arcs with closed-form ends.
//!
//! Swivel intervals of a limb: D. Tolani, A. Goswami, N. Badler, "Real-time inverse kinematics
//! techniques for anthropomorphic limbs", Graphical Models 62 (2000), §5. The half-spaces are ours.

use crate::math::rigid::unit_times;
use crate::math::{Mat3, Quat, Vec3, arc, axis_angle, float, normalize_or, unit_quat, wrap_angle};

const PI: f32 = core::f32::consts::PI;

/// A condition `⟨N, R⟩ + c ≥ 0` on a rotation, in limit space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// `N`, column by column.
    pub columns: [Vec3; 3],
    /// `c`.
    pub offset: f32,
}

/// The numbers of `a + b cos φ + c sin φ`, a condition's value on a circle of rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwivelCondition {
    /// The constant part.
    pub a: f32,
    /// The factor of the cosine.
    pub b: f32,
    /// The factor of the sine.
    pub c: f32,
}

impl SwivelCondition {
    /// Every swivel.
    pub const FREE: Self = Self { a: 1.0, b: 0.0, c: 0.0 };
}

impl HalfSpace {
    /// Every rotation.
    pub const FREE: Self = Self { columns: [Vec3::ZERO; 3], offset: 1.0 };

    /// The bone's direction `d` (+Y of limit space) has `n · d ≤ cosine`.
    pub fn cap(normal: Vec3, cosine: f32) -> Self {
        Self { columns: [Vec3::ZERO, -normal, Vec3::ZERO], offset: cosine }
    }
    /// The left side, for the columns of a rotation.
    pub fn value(&self, rotation: &Mat3) -> f32 {
        let [x, y, z] = self.columns;
        x.dot(rotation.x_axis) + y.dot(rotation.y_axis) + z.dot(rotation.z_axis) + self.offset
    }
    /// Gradient of the value for angular velocities in the space that the rotation turns into.
    fn gradient(&self, rotation: &Mat3) -> Vec3 {
        let [x, y, z] = self.columns;
        rotation.x_axis.cross(x) + rotation.y_axis.cross(y) + rotation.z_axis.cross(z)
    }
    /// The value at the rotation turned by `φ` about a unit axis of that space.
    pub fn on_swivel(&self, rotation: &Mat3, axis: Vec3) -> SwivelCondition {
        let columns = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
        let (mut along, mut whole, mut across) = (0.0, 0.0, 0.0);
        for (n, r) in self.columns.into_iter().zip(columns) {
            along += axis.dot(n) * axis.dot(r);
            whole += n.dot(r);
            across += n.dot(axis.cross(r));
        }
        SwivelCondition { a: along + self.offset, b: whole - along, c: across }
    }
}

/// Limits of a ball joint as half-spaces: caps that the bone's direction stays out of, and one
/// condition on the whole rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpaces {
    turn: HalfSpace,
    /// Normal and cosine of each cap.
    caps: [(Vec3, f32); Self::MAX_CAPS],
    count: usize,
    /// Where the caps together are deepest, about; seen from here they have no hidden rim.
    middle: Vec3,
}

/// An admissible rotation, as [`HalfSpaces::retract`] gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Retracted {
    pub rotation: Quat,
    /// 0 at the rim next to where the bone was … 1 in the middle of all that is admissible.
    pub inside: f32,
}

impl HalfSpaces {
    /// Most caps of a joint.
    pub const MAX_CAPS: usize = 3;
    /// Most conditions of a joint: the turn's and the caps'.
    pub const MAX: usize = 1 + Self::MAX_CAPS;

    /// The turn's condition and up to [`Self::MAX_CAPS`] caps, each a unit normal `n` and the
    /// greatest cosine that the bone's direction may have with it. Caps beyond that number are left
    /// out.
    pub fn new(turn: HalfSpace, caps: &[(Vec3, f32)]) -> Self {
        let count = caps.len().min(Self::MAX_CAPS);
        let mut kept = [(Vec3::Y, 1.0); Self::MAX_CAPS];
        kept[..count].copy_from_slice(&caps[..count]);
        let middle = kept[..count].iter().fold(Vec3::ZERO, |sum, (normal, cosine)| sum + *normal * (1.0 - cosine));
        Self { turn, caps: kept, count, middle: normalize_or(middle, Vec3::NEG_Y) }
    }
    /// The condition on the whole rotation.
    pub fn turn(&self) -> &HalfSpace {
        &self.turn
    }
    /// Normal and cosine of each cap.
    pub fn caps(&self) -> &[(Vec3, f32)] {
        &self.caps[..self.count]
    }
    /// All conditions: the turn's, then the caps'.
    pub fn conditions(&self) -> impl Iterator<Item = HalfSpace> {
        let caps = self.caps().iter().map(|(normal, cosine)| HalfSpace::cap(*normal, *cosine));
        core::iter::once(self.turn).chain(caps)
    }
    /// Every condition widened by what a rotation lacks of it, so that the rotation is admissible.
    pub(crate) fn widened(&self, rotation: Quat) -> Self {
        let r = Mat3::from_quat(rotation);
        let mut wide = *self;
        wide.turn.offset -= self.turn.value(&r).min(0.0);
        for (normal, cosine) in &mut wide.caps[..self.count] {
            *cosine = cosine.max(normal.dot(r.y_axis));
        }
        wide
    }

    /// Whether a rotation holds every condition by more than rounding, so that [`Self::project`]
    /// would leave it alone.
    #[inline(always)]
    pub(crate) fn is_well_inside(&self, q: Quat) -> bool {
        let r = Mat3::from_quat(q);
        self.turn.value(&r) > SLACK && self.caps().iter().all(|(normal, cosine)| normal.dot(r.y_axis) < *cosine)
    }
    /// An admissible rotation near by: the bone goes to the nearest direction outside of all caps,
    /// by the shortest arc, then rolls to the nearest end of its range there. Where it has none, it
    /// turns on to where it has.
    pub(crate) fn project(&self, q: Quat) -> Quat {
        let mut at = q;
        for step in 1..=STEPS {
            let d = at * Vec3::Y;
            let to = self.nearest_direction(d);
            if to != d {
                at = unit_times(short_arc(d, to), at);
            }
            let (lacks, roll) = self.nearer_roll(at, to);
            if let Some(roll) = roll {
                at = unit_times(turn_about(to, roll), at);
            }
            if !lacks || step == STEPS {
                break;
            }
            // Along the gradient to a direction that leaves a roll, and a little farther.
            let r = Mat3::from_quat(at);
            let gradient = self.turn.gradient(&r);
            let size2 = gradient.length_squared().max(1e-12);
            let angle = ((1e-4 - self.turn.value(&r)) / float::sqrt(size2)).min(0.5);
            at = (axis_angle(gradient / float::sqrt(size2), angle) * at).normalize();
        }
        at
    }
    /// An admissible rotation near one that lacks little, along the gradients of what it lacks.
    /// Unlike [`Self::project`] it turns by about what is lacked even where a range of rolls ends.
    pub(crate) fn restore(&self, q: Quat) -> Quat {
        let mut at = q;
        for _ in 0..RESTORING {
            let r = Mat3::from_quat(at);
            let (mut turn, mut lacks) = (Vec3::ZERO, false);
            for _ in 0..RESTORING {
                self.walls(&r, |room, outward| {
                    let (size2, over) = (outward.length_squared(), outward.dot(turn) - room);
                    if over > 0.0 && size2 > 1e-6 {
                        turn -= outward * (over / size2);
                        lacks |= over > SLACK;
                    }
                });
            }
            if !lacks {
                break;
            }
            let angle = turn.length();
            if angle > 1e-9 {
                at = (axis_angle(turn / angle, angle.min(0.5)) * at).normalize();
            }
        }
        self.project(at)
    }
    /// Cosine and sine of the roll about the bone's direction that brings a rotation into its
    /// range, to the nearer end; the best where there is none, and whether so.
    fn nearer_roll(&self, q: Quat, direction: Vec3) -> (bool, Option<(f32, f32)>) {
        let on = self.turn.on_swivel(&Mat3::from_quat(q), direction);
        if on.a + on.b >= -SLACK {
            return (false, None);
        }
        let size = float::sqrt(on.b * on.b + on.c * on.c);
        if size < 1e-9 {
            return (true, None);
        }
        let (b, c) = (on.b / size, on.c / size);
        if on.a + size < -SLACK {
            return (true, Some((b, c)));
        }
        // The ends are at `atan2(c, b) ± acos(k)`.
        let k = (-on.a / size).clamp(-1.0, 1.0);
        let half = float::sqrt(1.0 - k * k);
        let (high, low) = ((b * k - c * half, c * k + b * half), (b * k + c * half, c * k - b * half));
        (false, Some(if high.0 > low.0 { high } else { low }))
    }
    /// The roll about the bone's direction that brings a rotation into its range, by [`onto_arc`];
    /// the best where there is none, and whether so.
    fn roll(&self, q: Quat, direction: Vec3) -> (bool, f32) {
        let on = self.turn.on_swivel(&Mat3::from_quat(q), direction);
        if on.a + on.b >= -SLACK {
            return (false, 0.0);
        }
        let size = float::sqrt(on.b * on.b + on.c * on.c);
        let best = float::atan2(on.c, on.b);
        if on.a + size < -SLACK {
            return (true, best);
        }
        let half = float::acos((-on.a / size.max(1e-9)).clamp(-1.0, 1.0));
        // One end is above 0, the other below it by less than a turn.
        let (low, high) = (best - half, best + half);
        let (low, high) = if low > 0.0 { (high - 2.0 * PI, low) } else { (high, low + 2.0 * PI) };
        // Outside of the range, from its upper end below to its lower end above.
        (false, onto_arc(high - 2.0 * PI, low))
    }

    /// An admissible rotation that depends continuously on this one, and is this one where that is
    /// admissible. The nearest one does not: between two rims it changes sides. The bone goes away
    /// from the middle of the caps to their rim, and within [`CORE`] of the middle on through what
    /// is admissible, to the place opposite. Then it rolls into its range ([`onto_arc`]).
    pub(crate) fn retract(&self, q: Quat) -> Retracted {
        let d = q * Vec3::Y;
        let (to, inside) = self.outward(d);
        let swung = if to == d { q } else { (arc(d, to) * q).normalize() };
        let (lacks, roll) = self.roll(swung, to);
        let rolled = if roll == 0.0 { swung } else { (axis_angle(to, roll) * swung).normalize() };
        Retracted { rotation: if lacks { self.project(rolled) } else { rolled }, inside }
    }
    fn outward(&self, d: Vec3) -> (Vec3, f32) {
        if self.holds(d) {
            return (d, 0.0);
        }
        let middle = self.middle;
        let along = middle.dot(d).clamp(-1.0, 1.0);
        let away = normalize_or(d - middle * along, crate::math::perpendicular(middle));
        let from = float::acos(along);
        // The last rim on the way.
        let mut rim = 0.0f32;
        for (normal, cosine) in self.caps() {
            let (x, y) = (normal.dot(middle), normal.dot(away));
            let size = float::sqrt(x * x + y * y);
            if size > *cosine {
                let half = float::acos((cosine / size.max(1e-9)).max(-1.0));
                rim = rim.max(float::atan2(y, x) + half);
            }
        }
        let rim = rim.clamp(0.0, PI);
        let inside = 1.0 - float::smooth_step(0.0, CORE.min(rim), from);
        let to = rim + (PI - rim) * inside;
        let (sine, cosine) = float::sin_cos(to);
        (normalize_or(middle * cosine + away * sine, d), inside)
    }

    fn holds(&self, d: Vec3) -> bool {
        self.caps().iter().all(|(normal, cosine)| normal.dot(d) <= cosine + SLACK)
    }
    fn nearest_direction(&self, d: Vec3) -> Vec3 {
        if self.holds(d) {
            return d;
        }
        let mut within = self.caps().iter().filter(|(normal, cosine)| normal.dot(d) > *cosine + SLACK);
        if let (Some(cap), None) = (within.next(), within.next()) {
            // In one cap alone, no place is nearer than that on its rim.
            let to = on_rim(cap, d);
            if self.holds(to) {
                return normalize_or(to, d);
            }
        }
        let (mut best, mut nearest) = (d, -2.0);
        let mut candidate = |to: Vec3| {
            let cosine = to.dot(d);
            if cosine > nearest && self.holds(to) {
                (best, nearest) = (to, cosine);
            }
        };
        for (i, (n, c)) in self.caps().iter().enumerate() {
            candidate(on_rim(&(*n, *c), d));
            for (m, e) in &self.caps()[i + 1..] {
                // The two points on both rims.
                let inner = n.dot(*m);
                let room = 1.0 - inner * inner;
                if room < 1e-6 {
                    continue;
                }
                let base = *n * ((c - e * inner) / room) + *m * ((e - c * inner) / room);
                let left = 1.0 - base.length_squared();
                if left > 0.0 {
                    let off = n.cross(*m) * float::sqrt(left / room);
                    candidate(base + off);
                    candidate(base - off);
                }
            }
        }
        normalize_or(best, d)
    }

    /// Calls `wall(room, gradient)` for each condition: what is left of it, and the gradient of
    /// leaving, both in the condition's own measure.
    #[inline(always)]
    pub(crate) fn walls(&self, r: &Mat3, mut wall: impl FnMut(f32, Vec3)) {
        wall(self.turn.value(r), -self.turn.gradient(r));
        for (normal, cosine) in self.caps() {
            wall(cosine - normal.dot(r.y_axis), r.y_axis.cross(*normal));
        }
    }
}

/// Rounding allowed at a border.
const SLACK: f32 = 1e-6;
/// Most passes of a restoration.
const RESTORING: usize = 3;
/// Most steps of a projection.
const STEPS: usize = 8;
/// Radius about the middle of the caps in which a bone changes sides, radians.
const CORE: f32 = 0.35;
/// Half the width, radians, over which a circle changes from one end of an arc to the other.
const CHANGE: f32 = PI / 6.0;

/// The place on the rim of a cap that is nearest to a direction.
fn on_rim((normal, cosine): &(Vec3, f32), d: Vec3) -> Vec3 {
    let across = normalize_or(d - *normal * normal.dot(d), crate::math::perpendicular(*normal));
    *normal * *cosine + across * float::sqrt((1.0 - cosine * cosine).max(0.0))
}

/// [`arc`] at less cost where the directions are less than a right angle apart.
#[inline(always)]
fn short_arc(from: Vec3, to: Vec3) -> Quat {
    let cosine = from.dot(to);
    if cosine < 0.0 {
        return arc(from, to);
    }
    let v = from.cross(to);
    unit_quat(Quat::from_xyzw(v.x, v.y, v.z, 1.0 + cosine))
}

/// The turn about a unit axis by an angle of which cosine and sine are given.
#[inline(always)]
fn turn_about(axis: Vec3, (cosine, sine): (f32, f32)) -> Quat {
    // The half of each that is not near 0, and the other one from that.
    let (c, s) = if cosine < 0.0 {
        let s = float::sqrt(0.5 - 0.5 * cosine).copysign(sine);
        (0.5 * sine / s, s)
    } else {
        let c = float::sqrt(0.5 + 0.5 * cosine);
        (c, 0.5 * sine / c)
    };
    Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
}

/// The place of the angle 0, which is outside of it, on the arc from `low` to `high`: the nearer
/// end; and within 30° of the middle of what is outside, from one end to the other through the arc.
/// This is continuous in both ends.
pub(crate) fn onto_arc(low: f32, high: f32) -> f32 {
    let outside = (2.0 * PI - (high - low)).max(0.0);
    // From the upper end on.
    let mut behind = wrap_angle(-high);
    if behind < 0.0 {
        behind += 2.0 * PI;
    }
    let (half, middle) = (CHANGE.min(0.5 * outside), behind - 0.5 * outside);
    if middle <= -half {
        high
    } else if middle >= half {
        low
    } else {
        high - (high - low) * float::smooth_step(-half, half, middle)
    }
}
