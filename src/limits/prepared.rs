//! A joint model with what its solves need worked out in advance: half-angle sines of its borders,
//! no turn into limit space, no angle where a half angle's sine and cosine will do.
//!
//! # Derivation
//!
//! All rotations here are in limit space. A range is kept as the sines and cosines of its halved
//! ends; an angle, as those of its half: `sin((max − angle)/2) = S c − C s` is positive inside and
//! `2 asin` of it is the room, so neither borders nor projections need an arc tangent.
//!
//! *Ball.* With `n² = y² + w²` the twist's half angle is `(y, w)/n`, the swing `((wx + yz)/n, (wz −
//! yx)/n)`. The twist's gradient `(−sz/n, 1, sx/n)` has the length `1/n`, as the quaternion is
//! unit. *Universal.* `R(bend) R(Y)` has `cos²(bend/2) = w² + y²`, from which all halves follow.
//! *Three angles.* `Rx(a) Rz(b) Ry(c)` has `−sin b`, `cos a cos b`, `sin a cos b`, `cos b cos c`
//! and `cos b sin c` among the elements of its matrix; of the unit vector `(sin a, cos a)`, the
//! half angle is `(sin a, 1 + cos a)` made a unit. The gradients' lengths are `1/cos b`, 1, `1/cos
//! b`.
//!
//! *Half-spaces* are those of the model: a rotation inside of all of them needs no search.
//!
//! Freedoms that are rarer (polygons, soft borders, unequal stiffness, ranges without width) take
//! the way of [`JointModel::mobility`] and [`JointModel::project`] itself.

use super::borders::JointBorders;
use super::joint::{BendAxis, Freedom, HingeAxis, JointModel, MIDDLE_RAD};
use super::mobility::{Mobility, outer};
use super::range::Range;
use super::swing::{SwingRegion, nearest_in_quarter};
use crate::math::rigid::{times, unit_times};
use crate::math::{Mat3, Quat, Vec3, float, plain_length, rotation_angle, unit_quat};

/// Sine and cosine of half an angle.
type Half = (f32, f32);

/// Sines below this are rounding: a rotation that far outside comes back unchanged.
pub(super) const SLACK: f32 = 1.5e-7;
/// The same of three angles, of whose sines rounding is divided by the cosine of the middle one.
const SLACK_OF_THREE: f32 = 3e-7;

/// Ends of a range as half angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HalfRange {
    pub min: Half,
    pub max: Half,
    pub free: bool,
}

impl HalfRange {
    /// The angle 0 alone.
    pub const NONE: Self = Self { min: (0.0, 1.0), max: (0.0, 1.0), free: false };
    /// Every angle.
    const FREE: Self = Self { free: true, ..Self::NONE };

    fn new(range: &Range) -> Self {
        let half = |angle: f32| float::sin_cos(0.5 * angle);
        Self { min: half(range.min), max: half(range.max), free: range.is_free() }
    }
    /// Sines of half the rooms to the upper and the lower end.
    #[inline(always)]
    fn rooms(&self, (s, c): Half) -> (f32, f32) {
        (self.max.0 * c - self.max.1 * s, s * self.min.1 - c * self.min.0)
    }
    /// The rooms, radians.
    #[inline(always)]
    fn rooms_rad(&self, half: Half) -> (f32, f32) {
        if self.free {
            return (f32::INFINITY, f32::INFINITY);
        }
        let (up, down) = self.rooms(half);
        (twice_arc_sine(up), twice_arc_sine(down))
    }
    /// The nearest half angle inside.
    #[inline(always)]
    fn clamp(&self, half: Half) -> Half {
        if self.free {
            return half;
        }
        if self.has(half, SLACK) { half } else { self.nearest(half) }
    }
    /// Whether a half angle is inside, but for a sine.
    #[inline(always)]
    fn has(&self, half: Half, slack: f32) -> bool {
        let (up, down) = self.rooms(half);
        self.free || up >= -slack && down >= -slack
    }
    /// The nearer end.
    #[inline(always)]
    fn nearest(&self, half: Half) -> Half {
        let (up, down) = self.rooms(half);
        if up.abs() < down.abs() { self.max } else { self.min }
    }
}

/// `2 asin(x)` by its series: exact near 0, 0.3 % at a radian, monotonous everywhere.
#[inline(always)]
fn twice_arc_sine(x: f32) -> f32 {
    let z = x * x;
    x * (2.0 + z * (1.0 / 3.0 + z * 0.15))
}

/// Semi-axes of a swing's ellipse with their reciprocals, and the greatest level that counts as
/// inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipse {
    x: [f32; 2],
    z: [f32; 2],
    pub over_x: [f32; 2],
    pub over_z: [f32; 2],
    pub inside: f32,
}

impl Ellipse {
    /// `None` where a side has no width.
    fn new(x: &Range, z: &Range) -> Option<Self> {
        let half = |angle: f32| float::sin(0.5 * angle);
        let (x, z) = ([half(-x.min), half(x.max)], [half(-z.min), half(z.max)]);
        let narrow = x[0].min(x[1]).min(z[0]).min(z[1]);
        let over = |a: [f32; 2]| a.map(|v| 1.0 / v);
        (narrow >= 1e-3).then(|| Self { x, z, over_x: over(x), over_z: over(z), inside: 1.0 + 6e-7 / narrow })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Free,
    Ball {
        ellipse: Option<Ellipse>,
        twist: HalfRange,
    },
    /// No twist.
    Swing {
        ellipse: Ellipse,
    },
    /// Those of the model.
    HalfSpaces,
    Universal {
        bend: BendAxis,
        bend_range: HalfRange,
        twist: HalfRange,
    },
    Hinge {
        axis: HingeAxis,
        range: HalfRange,
    },
    Angles {
        x: HalfRange,
        z: HalfRange,
        y: HalfRange,
    },
    Other,
}

/// A joint model ready for use; see the file's derivation.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedJoint {
    pub(super) kind: Kind,
    /// No soft borders, and one stiffness in all directions.
    pub(super) is_plain: bool,
    pub(super) willing: f32,
    /// The model in limit space.
    pub(super) model: JointModel,
    frame: Quat,
}

/// Angle between a rotation and its projection that may be rounding, radians.
const ROUNDING_RAD: f32 = 1e-6;
/// Cosine of half a bend below which half angles do not follow from the quaternion alone.
pub(super) const NEAR_HALF_TURN: f32 = 0.1;

impl PreparedJoint {
    /// Works out what a model needs.
    pub fn new(model: &JointModel) -> Self {
        let [x, y, z] = model.stiffness;
        let kind = match &model.freedom {
            Freedom::Ball { swing: SwingRegion::Free, twist } if twist.is_free() => Kind::Free,
            Freedom::Ball { swing: SwingRegion::Free, twist } => {
                Kind::Ball { ellipse: None, twist: HalfRange::new(twist) }
            }
            Freedom::Ball { swing: SwingRegion::Ellipse { x, z }, twist } => match Ellipse::new(x, z) {
                Some(ellipse) => Kind::Ball { ellipse: Some(ellipse), twist: HalfRange::new(twist) },
                None => Kind::Other,
            },
            Freedom::Swing(SwingRegion::Ellipse { x, z }) => match Ellipse::new(x, z) {
                Some(ellipse) => Kind::Swing { ellipse },
                None => Kind::Other,
            },
            Freedom::HalfSpaces(_) => Kind::HalfSpaces,
            Freedom::Universal { bend, bend_range, twist } => {
                Kind::Universal { bend: *bend, bend_range: HalfRange::new(bend_range), twist: HalfRange::new(twist) }
            }
            Freedom::Hinge { axis, range } => Kind::Hinge { axis: *axis, range: HalfRange::new(range) },
            Freedom::Angles { x, z, y } => {
                Kind::Angles { x: HalfRange::new(x), z: HalfRange::new(z), y: HalfRange::new(y) }
            }
            _ => Kind::Other,
        };
        Self {
            kind,
            is_plain: x == y && y == z && model.soft_rad <= 0.0,
            willing: (1.0 - x).clamp(0.01, 1.0),
            model: JointModel { frame: Quat::IDENTITY, ..*model },
            frame: model.frame,
        }
    }
    /// Limit space in the joint's own space.
    pub fn frame(&self) -> Quat {
        self.frame
    }

    /// Whether it has no limits.
    pub fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Free)
    }

    /// The axis about which the joint bends when it has to, limit space; zero: none.
    pub fn preferred_bend(&self) -> Vec3 {
        self.model.preferred_bend
    }

    /// How far a rotation in the joint's own space is from the nearest admissible one, radians,
    /// without what is rounding.
    pub(crate) fn violation_rad(&self, q: Quat) -> f32 {
        (rotation_angle(self.project_in_joint(q).conjugate() * q) - ROUNDING_RAD).max(0.0)
    }

    /// The nearest rotation whose swing is in the region of a ball joint, in the joint's own space;
    /// the twist is free. Of other joints the same rotation.
    pub(crate) fn project_swing(&self, q: Quat) -> Quat {
        let own = self.frame();
        let inside = times(times(own.conjugate(), q), own);
        let within = match (&self.kind, self.model.freedom) {
            (Kind::Ball { ellipse, .. }, _) => project_ball(inside, ellipse.as_ref(), &HalfRange::FREE),
            (_, Freedom::Ball { swing, .. }) => {
                JointModel::limited(Freedom::Ball { swing, twist: Range::FREE }).project(inside)
            }
            _ => inside,
        };
        if within == inside { q } else { unit_times(times(own, within), own.conjugate()) }
    }

    /// The nearest admissible rotation, as [`JointModel::project`], in the joint's own space: to
    /// rounding the same.
    #[inline(always)]
    pub fn project_in_joint(&self, q: Quat) -> Quat {
        let own = self.frame();
        if own == Quat::IDENTITY {
            return self.project(q);
        }
        let inside = own.conjugate() * q * own;
        match self.project(inside) {
            same if same == inside => q,
            projected => unit_quat(own * projected * own.conjugate()),
        }
    }

    /// The nearest admissible rotation, as [`JointModel::project`], in limit space.
    #[inline(always)]
    pub fn project(&self, q: Quat) -> Quat {
        match &self.kind {
            Kind::Free => q,
            Kind::Ball { ellipse, twist } => project_ball(q, ellipse.as_ref(), twist),
            Kind::Swing { ellipse } => project_ball(q, Some(ellipse), &HalfRange::NONE),
            Kind::HalfSpaces => match &self.model.freedom {
                Freedom::HalfSpaces(limits) if limits.is_well_inside(q) => q,
                _ => self.project_other(q),
            },
            Kind::Universal { bend, bend_range, twist } => match universal_halves(*bend, q) {
                Some((a, b)) => from_universal(*bend, bend_range.clamp(a), twist.clamp(b)),
                None => self.project_other(q),
            },
            Kind::Hinge { axis, range } => {
                let along = match axis {
                    HingeAxis::X => q.x,
                    HingeAxis::Y => q.y,
                    HingeAxis::Z => q.z,
                };
                let size = float::sqrt(along * along + q.w * q.w);
                if size < 1e-6 {
                    return self.project_other(q);
                }
                let over = if q.w < 0.0 { -1.0 / size } else { 1.0 / size };
                let (s, c) = range.clamp((along * over, q.w * over));
                match axis {
                    HingeAxis::X => Quat::from_xyzw(s, 0.0, 0.0, c),
                    HingeAxis::Y => Quat::from_xyzw(0.0, s, 0.0, c),
                    HingeAxis::Z => Quat::from_xyzw(0.0, 0.0, s, c),
                }
            }
            Kind::Angles { x, z, y } => match three_halves(q) {
                Some(halves) => {
                    let slack = SLACK_OF_THREE * halves.over;
                    if x.has(halves.a, slack) && z.has(halves.b, slack) && y.has(halves.c, slack) {
                        q
                    } else {
                        self.project_angles(q, &halves, [x, z, y])
                    }
                }
                None => self.project_other(q),
            },
            Kind::Other => self.project_other(q),
        }
    }
    /// As [`JointModel::project`]: with one angle at its border, the nearest rotation has other
    /// two.
    #[inline(never)]
    fn project_angles(&self, q: Quat, halves: &ThreeHalves, [x, z, y]: [&HalfRange; 3]) -> Quat {
        let slack = SLACK_OF_THREE * halves.over;
        let (mut a, mut b, mut c) = (halves.a, halves.b, halves.c);
        if !x.has(a, slack) {
            a = x.nearest(a);
            let rest = Quat::from_xyzw(-a.0, 0.0, 0.0, a.1) * q;
            let Some(others) = universal_halves(BendAxis::Z, rest) else { return self.project_other(q) };
            (b, c) = others;
        } else if !y.has(c, slack) {
            c = y.nearest(c);
            // In a space where Z is the twist axis.
            let rest = q * Quat::from_xyzw(0.0, -c.0, 0.0, c.1);
            let swapped = Quat::from_xyzw(rest.x, rest.z, -rest.y, rest.w);
            let Some(others) = universal_halves(BendAxis::X, swapped) else { return self.project_other(q) };
            (a, b) = others;
        }
        let within = |range: &HalfRange, half: Half| if range.has(half, slack) { half } else { range.nearest(half) };
        let ((sa, ca), (sb, cb), (sc, cc)) = (within(x, a), within_quarter(within(z, b)), within(y, c));
        let first = Quat::from_xyzw(sa * cb, -sa * sb, ca * sb, ca * cb);
        unit_quat(first * Quat::from_xyzw(0.0, sc, 0.0, cc))
    }
    #[inline(never)]
    fn project_other(&self, q: Quat) -> Quat {
        self.model.project(q)
    }

    /// Mobility and borders at an admissible rotation, in model space: `frame` turns limit space at
    /// rest there.
    #[inline(always)]
    pub fn borders(&self, q: Quat, frame: Quat, out: &mut JointBorders) {
        match &self.kind {
            _ if !self.is_plain => self.other_borders(q, frame, out),
            Kind::Free => out.even(self.willing),
            Kind::Ball { ellipse, twist } => {
                out.even(self.willing);
                ball_borders(q, frame, ellipse.as_ref(), twist, out);
            }
            Kind::Swing { ellipse } => {
                let (sx, sz, n, _) = ball_parts(q);
                let twist = frame * Vec3::new(-sz, n, sx);
                out.mobility = (Mat3::IDENTITY - outer(twist)) * self.willing;
                (out.even, out.count) = (None, 0);
                ellipse_border((sx, sz, n), frame, ellipse, out);
            }
            Kind::HalfSpaces => {
                let Freedom::HalfSpaces(limits) = &self.model.freedom else { return };
                out.even(self.willing);
                limits.walls(&Mat3::from_quat(q), |room, gradient| {
                    let size = plain_length(gradient);
                    if size >= 1e-6 {
                        out.push(frame * (gradient / size), room / size, f32::INFINITY);
                    }
                });
            }
            Kind::Universal { bend, bend_range, twist } => {
                let cosine = float::sqrt(q.w * q.w + q.y * q.y);
                if cosine < NEAR_HALF_TURN {
                    return self.other_borders(q, frame, out);
                }
                let over = if q.w < 0.0 { -1.0 / cosine } else { 1.0 / cosine };
                let (sb, cb) = (q.y * over, q.w * over);
                let (first, a, second) = match bend {
                    BendAxis::X => {
                        let s = q.x * cb + q.z * sb;
                        (Vec3::X, s, Vec3::new(0.0, cosine * cosine - s * s, 2.0 * s * cosine))
                    }
                    BendAxis::Z => {
                        let s = q.z * cb - q.x * sb;
                        (Vec3::Z, s, Vec3::new(-2.0 * s * cosine, cosine * cosine - s * s, 0.0))
                    }
                };
                // The quaternion may have the other sign.
                let a = if q.w < 0.0 { (-a, cosine) } else { (a, cosine) };
                let second = if q.w < 0.0 { Vec3::new(-second.x, second.y, -second.z) } else { second };
                let (first, second) = (frame * first, frame * second);
                out.mobility = (outer(first) + outer(second)) * self.willing;
                (out.even, out.count) = (None, 0);
                for (range, half, axis) in [(bend_range, a, first), (twist, (sb, cb), second)] {
                    if !range.free {
                        let (up, down) = range.rooms_rad(half);
                        out.push(axis, up, down);
                    }
                }
            }
            Kind::Hinge { axis, range } => {
                let (axis, s) = match axis {
                    HingeAxis::X => (Vec3::X, q.x),
                    HingeAxis::Y => (Vec3::Y, q.y),
                    HingeAxis::Z => (Vec3::Z, q.z),
                };
                let axis = frame * axis;
                out.mobility = outer(axis) * self.willing;
                (out.even, out.count) = (None, 0);
                if !range.free {
                    let (up, down) = range.rooms_rad(if q.w < 0.0 { (-s, -q.w) } else { (s, q.w) });
                    out.push(axis, up, down);
                }
            }
            Kind::Angles { x, z, y } => {
                let Some(halves) = three_halves(q) else { return self.other_borders(q, frame, out) };
                out.even(self.willing);
                let ThreeHalves { a, b, c, sin_a, cos_a, sin_b, cos_b, over } = halves;
                let second = Vec3::new(0.0, -sin_a, cos_a);
                let third = Vec3::new(-sin_b, cos_a * cos_b, sin_a * cos_b);
                let first = (Vec3::X + third * sin_b) * over;
                let last = (third + Vec3::X * sin_b) * over;
                for (range, half, gradient, share) in [(x, a, first, cos_b), (z, b, second, 1.0), (y, c, last, cos_b)] {
                    if !range.free {
                        let (up, down) = range.rooms_rad(half);
                        out.push(frame * gradient, up * share, down * share);
                    }
                }
            }
            Kind::Other => self.other_borders(q, frame, out),
        }
    }
    /// Whether an admissible rotation is within an angle of a border.
    pub fn is_at_border(&self, q: Quat, within_rad: f32) -> bool {
        let mut at = JointBorders::default();
        self.borders(q, Quat::IDENTITY, &mut at);
        at.borders().iter().any(|b| b.room_rad <= within_rad || b.back_room_rad <= within_rad)
    }
    #[inline(never)]
    fn other_borders(&self, q: Quat, frame: Quat, out: &mut JointBorders) {
        let mobility = self.model.mobility(q);
        out.mobility = Mobility::matrix_in(&mobility.matrix, frame);
        (out.even, out.count) = (None, 0);
        for wall in mobility.walls() {
            out.push(frame * wall.outward, wall.room_rad, f32::INFINITY);
            out.borders[out.count - 1].resistance = wall.resistance;
        }
    }
}

/// Swing's components, `n`, and the twist's half angle.
#[inline(always)]
fn ball_parts(q: Quat) -> (f32, f32, f32, Half) {
    let n2 = q.y * q.y + q.w * q.w;
    if n2 < 1e-12 {
        return (q.x, q.z, 0.0, (0.0, 1.0));
    }
    let n = n2.sqrt();
    let over = 1.0 / n;
    let signed = if q.w < 0.0 { -over } else { over };
    let (sx, sz) = ((q.w * q.x + q.y * q.z) * over, (q.w * q.z - q.y * q.x) * over);
    (sx, sz, n, (q.y * signed, q.w * signed))
}

#[inline(always)]
fn project_ball(q: Quat, ellipse: Option<&Ellipse>, twist: &HalfRange) -> Quat {
    let (sx, sz, n, half) = ball_parts(q);
    let (ts, tc) = twist.clamp(half);
    let mut outside = (ts, tc) != half;
    let (mut px, mut pz, mut pn) = (sx, sz, n);
    if let Some(ellipse) = ellipse {
        let (i, k) = (usize::from(sx >= 0.0), usize::from(sz >= 0.0));
        let (u, v) = (sx * ellipse.over_x[i], sz * ellipse.over_z[k]);
        if u * u + v * v > ellipse.inside {
            outside = true;
            let (x, z) = nearest_in_quarter(ellipse.x[i], ellipse.z[k], sx.abs(), sz.abs());
            (px, pz) = (if i == 0 { -x } else { x }, if k == 0 { -z } else { z });
            pn = float::sqrt(1.0 - px * px - pz * pz);
        }
    }
    if !outside {
        return q;
    }
    unit_quat(Quat::from_xyzw(px * tc - pz * ts, pn * ts, pz * tc + px * ts, pn * tc))
}

#[inline(always)]
fn ball_borders(q: Quat, frame: Quat, ellipse: Option<&Ellipse>, twist: &HalfRange, out: &mut JointBorders) {
    let (sx, sz, n, half) = ball_parts(q);
    if !twist.free && n > 1e-3 {
        let (up, down) = twist.rooms_rad(half);
        out.push(frame * Vec3::new(-sz, n, sx), up * n, down * n);
    }
    if let Some(ellipse) = ellipse {
        ellipse_border((sx, sz, n), frame, ellipse, out);
    }
}

/// The border of a swing, by its components.
#[inline(always)]
fn ellipse_border((sx, sz, n): (f32, f32, f32), frame: Quat, ellipse: &Ellipse, out: &mut JointBorders) {
    let (i, k) = (usize::from(sx >= 0.0), usize::from(sz >= 0.0));
    let (u, v) = (sx * ellipse.over_x[i], sz * ellipse.over_z[k]);
    let (gx, gz) = (u * ellipse.over_x[i], v * ellipse.over_z[k]);
    let (slope2, radius2) = (gx * gx + gz * gz, u * u + v * v);
    if slope2 < 1e-12 {
        return;
    }
    let (slope, radius) = (slope2.sqrt(), radius2.sqrt());
    let over = 1.0 / slope;
    let (ax, az) = (gx * over, gz * over);
    let room = (1.0 - radius) * radius * over * 2.0;
    let back = 1.0 / n.max(1e-3);
    let turning = Vec3::new(-sz * back, 2.0, sx * back) * (sz * ax - sx * az);
    let gradient = Vec3::new(n * ax, 0.0, n * az) + turning;
    let size2 = gradient.length_squared();
    if size2 > 1e-12 {
        let over = 1.0 / size2.sqrt();
        out.push(frame * (gradient * over), room * over, f32::INFINITY);
    }
}

/// Half angles of the nearest product of a bend and a twist; `None` near half turns, where halves
/// do not follow so.
#[inline(always)]
fn universal_halves(bend: BendAxis, q: Quat) -> Option<(Half, Half)> {
    let (cross, along) = match bend {
        BendAxis::Z => (q.x, q.z),
        BendAxis::X => (-q.z, q.x),
    };
    let (c1, s1, c2, s2) = (q.w + cross, q.y + along, q.w - cross, along - q.y);
    let size = (c1 * c1 + s1 * s1) * (c2 * c2 + s2 * s2);
    if size < 1e-4 {
        return None;
    }
    let over = 1.0 / size.sqrt();
    // Cosines and sines of both angles: sum and difference of the two found.
    let half = |cosine: f32, sine: f32| {
        let c = float::sqrt(0.5 + 0.5 * cosine);
        (c > NEAR_HALF_TURN).then(|| {
            let (s, c) = (sine / (2.0 * c), c);
            let keep = 1.5 - 0.5 * (s * s + c * c);
            (s * keep, c * keep)
        })
    };
    let a = half((c1 * c2 - s1 * s2) * over, (s1 * c2 + c1 * s2) * over)?;
    let b = half((c1 * c2 + s1 * s2) * over, (s1 * c2 - c1 * s2) * over)?;
    Some((a, b))
}

/// Three angles of a rotation.
struct ThreeHalves {
    /// Half angles about X, Z and Y.
    a: Half,
    b: Half,
    c: Half,
    sin_a: f32,
    cos_a: f32,
    sin_b: f32,
    cos_b: f32,
    /// `1/cos b`.
    over: f32,
}

/// `None` near the ends of the middle angle and near half turns of the others.
#[inline(always)]
fn three_halves(q: Quat) -> Option<ThreeHalves> {
    let Quat { x, y, z, w } = q;
    let sin_b = 2.0 * (w * z - x * y);
    let (up, out) = (1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x));
    let (along, aside) = (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * z + w * y));
    let cos_b = float::sqrt(up * up + out * out);
    if cos_b < NEAR_HALF_TURN {
        return None;
    }
    let over = 1.0 / cos_b;
    let (sin_a, cos_a) = (out * over, up * over);
    // Sine and one more than the cosine, as a unit.
    let half = |sine: f32, more: f32| {
        let size = float::sqrt(sine * sine + more * more);
        (size > NEAR_HALF_TURN).then(|| (sine / size, more / size))
    };
    let (a, b) = (half(sin_a, 1.0 + cos_a)?, half(sin_b, 1.0 + cos_b)?);
    let c = half(aside * over, 1.0 + along * over)?;
    Some(ThreeHalves { a, b, c, sin_a, cos_a, sin_b, cos_b, over })
}

/// The middle angle of three, as far as a projection lets it turn.
fn within_quarter((s, c): Half) -> Half {
    let (most_s, most_c) = float::sin_cos(0.5 * MIDDLE_RAD);
    if s.abs() > most_s { (if s < 0.0 { -most_s } else { most_s }, most_c) } else { (s, c) }
}

#[inline(always)]
fn from_universal(bend: BendAxis, (sa, ca): Half, (sb, cb): Half) -> Quat {
    match bend {
        BendAxis::X => Quat::from_xyzw(sa * cb, ca * sb, sa * sb, ca * cb),
        BendAxis::Z => Quat::from_xyzw(-sa * sb, ca * sb, sa * cb, ca * cb),
    }
}

#[cfg(test)]
mod tests {
    use super::super::half_spaces::{HalfSpace, HalfSpaces};
    use super::*;
    use crate::math::{axis_angle, normalize_or};
    use crate::optim::Noise;

    fn models() -> Vec<JointModel> {
        let range = Range::new;
        vec![
            JointModel::limited(Freedom::Ball {
                swing: SwingRegion::Ellipse { x: range(-0.6, 0.9), z: range(-1.2, 0.4) },
                twist: range(-0.5, 0.8),
            }),
            JointModel::limited(Freedom::Ball { swing: SwingRegion::Free, twist: range(-0.3, 0.2) }),
            JointModel::limited(Freedom::Universal {
                bend: BendAxis::X,
                bend_range: range(-0.2, 2.4),
                twist: range(-1.0, 1.4),
            }),
            JointModel::limited(Freedom::Universal {
                bend: BendAxis::Z,
                bend_range: range(-2.0, 0.1),
                twist: range(-0.7, 1.0),
            }),
            JointModel::limited(Freedom::Hinge { axis: HingeAxis::Z, range: range(-0.4, 1.9) }),
            JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::FREE }),
            JointModel::limited(Freedom::Angles { x: range(-1.2, 2.4), z: range(-1.2, 1.0), y: range(-1.8, 1.7) }),
            JointModel::limited(Freedom::Angles { x: range(-0.4, 0.7), z: range(-0.5, 0.5), y: range(-0.2, 0.2) }),
            JointModel::limited(Freedom::Angles { x: Range::FREE, z: range(-0.4, 0.3), y: range(-0.2, 0.9) }),
            JointModel::limited(Freedom::Swing(SwingRegion::Ellipse { x: range(-0.3, 0.6), z: range(-0.2, 0.4) })),
            JointModel::limited(Freedom::HalfSpaces(HalfSpaces::new(
                HalfSpace { columns: [Vec3::X * 0.5, Vec3::new(0.1, 0.3, 0.0), Vec3::Z * 0.4], offset: 0.2 },
                &[(Vec3::NEG_Y, 0.4), (Vec3::new(0.6, 0.0, 0.8), 0.7)],
            ))),
            JointModel { stiffness: [0.1, 0.4, 0.2], soft_rad: 0.2, ..JointModel::FREE },
        ]
    }

    #[test]
    fn it_is_the_joint_model() {
        let mut noise = Noise::new(11);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        for model in models() {
            let prepared = PreparedJoint::new(&model);
            for i in 0..400 {
                let axis = normalize_or(v(), Vec3::X);
                let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                let q = axis_angle(axis, 2.6 * v().x) * sign;
                let (ours, theirs) = (prepared.project(q), model.project(q));
                let apart = rotation_angle(ours.conjugate() * theirs);
                assert!(apart < 2e-5, "{model:?}: {q} gives {ours}, not {theirs}: {apart}");
                let again = rotation_angle(ours.conjugate() * prepared.project(ours));
                assert!(again < 2e-6, "{model:?}: {ours} moves by {again}");
                let frame = axis_angle(normalize_or(v(), Vec3::Y), v().y);
                let mut at = JointBorders::default();
                prepared.borders(ours, frame, &mut at);
                let mobility = model.mobility(theirs);
                let matrix = Mobility::matrix_in(&mobility.matrix, frame);
                assert!((at.mobility - matrix).to_cols_array().iter().all(|x| x.abs() < 4e-3), "{model:?} at {q}");
                for wall in mobility.walls().iter().filter(|wall| wall.room_rad < 0.5) {
                    let outward = frame * wall.outward;
                    let found = at.borders().iter().any(|b| {
                        let ahead = b.outward.dot(outward);
                        let room = if ahead > 0.0 { b.room_rad } else { b.back_room_rad };
                        ahead.abs() > 0.999 && (room - wall.room_rad).abs() < 5e-3
                    });
                    assert!(found, "{model:?} at {q}: no {wall:?} in {:?}", at.borders());
                }
            }
        }
    }
}
