//! Limits of one joint of eight bodies side by side: what the frequent kinds of limits allow far
//! from their borders. Where a lane is near one, or at one of the places that the derivation of
//! [`PreparedJoint`] leaves out, the joint is looked at alone.
//!
//! Mobilities and projections have the operations of [`PreparedJoint`] in their order, and so its
//! bits. Rooms only decide what is looked at alone.

use super::half_spaces::HalfSpaces;
use super::joint::{BendAxis, Freedom};
use super::prepared::{Ellipse, HalfRange, Kind, NEAR_HALF_TURN, PreparedJoint, SLACK};
use crate::math::eight_lane::EightLane;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3};

/// What eight joints may do.
pub(crate) enum EightMobility<E> {
    /// A number times the unit matrix.
    Even(f32),
    /// The columns of a matrix.
    Matrix([LaneVec3<E>; 3]),
}

/// Sine and cosine of half an angle.
type Half<E> = (E, E);

const FAR: f32 = f32::INFINITY;

impl HalfRange {
    /// Sines of half the rooms to the upper and the lower end.
    #[inline(always)]
    fn rooms_of_eight<E: EightLane>(&self, (s, c): Half<E>) -> (E, E) {
        let (max, min) = (E::splat(self.max.0), E::splat(self.min.0));
        (max * c - E::splat(self.max.1) * s, s * E::splat(self.min.1) - c * min)
    }
    /// The least room, radians.
    #[inline(always)]
    fn least_of_eight<E: EightLane>(&self, half: Half<E>) -> E {
        if self.free {
            return E::splat(FAR);
        }
        let (up, down) = self.rooms_of_eight(half);
        // Twice the arc sine is more than twice the sine.
        Lane::min(up, down) * E::splat(2.0)
    }
    #[inline(always)]
    fn clamp_eight<E: EightLane>(&self, (s, c): Half<E>) -> Half<E> {
        if self.free {
            return (s, c);
        }
        let (up, down) = self.rooms_of_eight((s, c));
        let slack = E::splat(-SLACK);
        let is_outside = up.lt(slack).or(down.lt(slack));
        if !is_outside.any() {
            return (s, c);
        }
        let is_high = up.abs().lt(down.abs());
        let end_s = E::select(is_high, E::splat(self.max.0), E::splat(self.min.0));
        let end_c = E::select(is_high, E::splat(self.max.1), E::splat(self.min.1));
        (E::select(is_outside, end_s, s), E::select(is_outside, end_c, c))
    }
}

/// Swing's components, `n`, and the twist's half angle, and where that is none.
struct Parts<E: EightLane> {
    sx: E,
    sz: E,
    n: E,
    half: Half<E>,
    is_none: E::Mask,
}

#[inline(always)]
fn parts<E: EightLane>(q: LaneQuat<E>) -> Parts<E> {
    let n2 = q.y * q.y + q.w * q.w;
    let n = n2.root();
    let over = E::splat(1.0) / n;
    let signed = E::select(q.w.lt(E::splat(0.0)), -over, over);
    let (sx, sz) = ((q.w * q.x + q.y * q.z) * over, (q.w * q.z - q.y * q.x) * over);
    Parts { sx, sz, n, half: (q.y * signed, q.w * signed), is_none: n2.lt(E::splat(1e-6)) }
}

impl Ellipse {
    /// Reciprocals of the semi-axes of the quarters.
    #[inline(always)]
    fn over_of_eight<E: EightLane>(&self, sx: E, sz: E) -> (E, E) {
        let (zero, [low_x, high_x], [low_z, high_z]) = (E::splat(0.0), self.over_x, self.over_z);
        let x = E::select(sx.lt(zero), E::splat(low_x), E::splat(high_x));
        (x, E::select(sz.lt(zero), E::splat(low_z), E::splat(high_z)))
    }
    /// A room that is not more than that of the border.
    #[inline(always)]
    fn room_of_eight<E: EightLane>(&self, sx: E, sz: E, n: E) -> E {
        let (over_x, over_z) = self.over_of_eight(sx, sz);
        let (u, v) = (sx * over_x, sz * over_z);
        let (gx, gz) = (u * over_x, v * over_z);
        let (slope2, radius2) = (gx * gx + gz * gz, u * u + v * v);
        let (one, two) = (E::splat(1.0), E::splat(2.0));
        let (slope, radius) = (slope2.root(), radius2.root());
        let over = one / slope;
        let (ax, az) = (gx * over, gz * over);
        let room = (one - radius) * radius * over * two;
        let back = one / Lane::max(n, E::splat(1e-3));
        let zero = E::splat(0.0);
        let turning = LaneVec3::new(-sz * back, two, sx * back) * (sz * ax - sx * az);
        let gradient = LaneVec3::new(n * ax, zero, n * az) + turning;
        let room = room / gradient.dot(gradient).root();
        // In the middle there is no border near by.
        E::select(slope2.lt(E::splat(1e-12)), E::splat(FAR), room)
    }
}

impl PreparedJoint {
    /// As [`Self::borders`], without the borders: the mobility in model space, and a room up to
    /// which there is none; no number above 0 where the joint has to be looked at alone. `None`:
    /// all have to.
    #[inline(always)]
    pub(crate) fn mobility_of_eight<E: EightLane>(
        &self,
        q: LaneQuat<E>,
        frame: LaneQuat<E>,
    ) -> Option<(EightMobility<E>, E)> {
        if !self.is_plain {
            return None;
        }
        let even = EightMobility::Even(self.willing);
        let willing = E::splat(self.willing);
        let zero = E::splat(0.0);
        Some(match &self.kind {
            Kind::Free => (even, E::splat(FAR)),
            Kind::Ball { ellipse, twist } => {
                let Parts { sx, sz, n, half, is_none } = parts(q);
                let mut room = twist.least_of_eight(half) * n;
                if let Some(ellipse) = ellipse {
                    room = Lane::min(room, ellipse.room_of_eight(sx, sz, n));
                }
                (even, E::select(is_none, zero, room))
            }
            Kind::Swing { ellipse } => {
                let Parts { sx, sz, n, is_none, .. } = parts(q);
                let twist = frame.turn(LaneVec3::new(-sz, n, sx));
                let (one, [x, y, z]) = (E::splat(1.0), outer(twist));
                let columns = [
                    (LaneVec3::new(one, zero, zero) - x) * willing,
                    (LaneVec3::new(zero, one, zero) - y) * willing,
                    (LaneVec3::new(zero, zero, one) - z) * willing,
                ];
                let room = ellipse.room_of_eight(sx, sz, n);
                (EightMobility::Matrix(columns), E::select(is_none, zero, room))
            }
            Kind::HalfSpaces => {
                let Freedom::HalfSpaces(limits) = &self.model.freedom else { return None };
                let ([x, y, z], [a, b, c], value) = half_space(limits, q);
                let gradient = x.cross(a) + y.cross(b) + z.cross(c);
                let mut room = value / gradient.dot(gradient).root();
                for (normal, cosine) in limits.caps() {
                    let normal = LaneVec3::splat(*normal);
                    let gradient = y.cross(normal);
                    let left = (E::splat(*cosine) - normal.dot(y)) / gradient.dot(gradient).root();
                    room = Lane::min(room, left);
                }
                (even, room)
            }
            Kind::Universal { bend, bend_range, twist } => {
                let cosine = (q.w * q.w + q.y * q.y).sqrt();
                let over = E::splat(1.0) / cosine;
                let is_back = q.w.lt(zero);
                let over = E::select(is_back, -over, over);
                let (sb, cb) = (q.y * over, q.w * over);
                let two = E::splat(2.0);
                let (first, s, second) = match bend {
                    BendAxis::X => {
                        let s = q.x * cb + q.z * sb;
                        let second = LaneVec3::new(zero, cosine * cosine - s * s, two * s * cosine);
                        (crate::math::Vec3::X, s, second)
                    }
                    BendAxis::Z => {
                        let s = q.z * cb - q.x * sb;
                        let second = LaneVec3::new(E::splat(-2.0) * s * cosine, cosine * cosine - s * s, zero);
                        (crate::math::Vec3::Z, s, second)
                    }
                };
                let a = (E::select(is_back, -s, s), cosine);
                let back = LaneVec3::new(-second.x, second.y, -second.z);
                let second = LaneVec3::select(is_back, back, second);
                let (first, second) = (frame.turn(LaneVec3::splat(first)), frame.turn(second));
                let ([ax, ay, az], [bx, by, bz]) = (outer(first), outer(second));
                let columns = [(ax + bx) * willing, (ay + by) * willing, (az + bz) * willing];
                let room = Lane::min(bend_range.least_of_eight(a), twist.least_of_eight((sb, cb)));
                let is_none = cosine.lt(E::splat(NEAR_HALF_TURN));
                (EightMobility::Matrix(columns), E::select(is_none, zero, room))
            }
            _ => return None,
        })
    }

    /// As [`Self::project`], but where the bits of the mask are set. `None`: they are everywhere.
    #[inline(always)]
    pub(crate) fn project_eight<E: EightLane>(&self, q: LaneQuat<E>) -> Option<(LaneQuat<E>, u8)> {
        Some(match &self.kind {
            Kind::Free => (q, 0),
            Kind::Ball { ellipse, twist } => project_ball(q, ellipse.as_ref(), twist),
            Kind::Swing { ellipse } => project_ball(q, Some(ellipse), &HalfRange::NONE),
            Kind::HalfSpaces => {
                let Freedom::HalfSpaces(limits) = &self.model.freedom else { return None };
                let ([_, y, _], _, value) = half_space(limits, q);
                // Rounding is for one alone.
                let mut is_inside = E::splat(1e-4).lt(value);
                for (normal, cosine) in limits.caps() {
                    is_inside = is_inside.and(LaneVec3::splat(*normal).dot(y).lt(E::splat(*cosine)));
                }
                (q, is_inside.not().bits())
            }
            Kind::Universal { bend, bend_range, twist } => {
                let (cross, along) = match bend {
                    BendAxis::Z => (q.x, q.z),
                    BendAxis::X => (-q.z, q.x),
                };
                let (c1, s1, c2, s2) = (q.w + cross, q.y + along, q.w - cross, along - q.y);
                let size = (c1 * c1 + s1 * s1) * (c2 * c2 + s2 * s2);
                let over = E::splat(1.0) / size.root();
                let (a, is_short) = half_of((c1 * c2 - s1 * s2) * over, (s1 * c2 + c1 * s2) * over);
                let (b, is_other) = half_of((c1 * c2 + s1 * s2) * over, (s1 * c2 - c1 * s2) * over);
                let ((sa, ca), (sb, cb)) = (bend_range.clamp_eight(a), twist.clamp_eight(b));
                let projected = match bend {
                    BendAxis::X => LaneQuat::new(sa * cb, ca * sb, sa * sb, ca * cb),
                    BendAxis::Z => LaneQuat::new(-sa * sb, ca * sb, sa * cb, ca * cb),
                };
                let is_wide = E::splat(1e-4).lt(size);
                (projected, is_short.or(is_other).or(is_wide.not()).bits())
            }
            _ => return None,
        })
    }
}

/// The half of an angle by its cosine and sine, and where it does not follow so.
#[inline(always)]
fn half_of<E: EightLane>(cosine: E, sine: E) -> (Half<E>, E::Mask) {
    let half = E::splat(0.5);
    let c = (half + half * cosine).sqrt();
    let s = sine / (E::splat(2.0) * c);
    let keep = E::splat(1.5) - half * (s * s + c * c);
    ((s * keep, c * keep), E::splat(NEAR_HALF_TURN).lt(c).not())
}

#[inline(always)]
fn project_ball<E: EightLane>(q: LaneQuat<E>, ellipse: Option<&Ellipse>, twist: &HalfRange) -> (LaneQuat<E>, u8) {
    let Parts { sx, sz, n, half, is_none } = parts(q);
    let mut alone = is_none;
    if let Some(ellipse) = ellipse {
        let (over_x, over_z) = ellipse.over_of_eight(sx, sz);
        let (u, v) = (sx * over_x, sz * over_z);
        alone = alone.or(E::splat(ellipse.inside).lt(u * u + v * v));
    }
    let (ts, tc) = twist.clamp_eight(half);
    let is_same = ts.equals(half.0).and(tc.equals(half.1));
    if !is_same.not().any() {
        return (q, alone.bits());
    }
    let turned = LaneQuat::new(sx * tc - sz * ts, n * ts, sz * tc + sx * ts, n * tc).normalize_in_order();
    (LaneQuat::select(is_same, q, turned), alone.bits())
}

/// The columns of a rotation's matrix, those of the half-space of its turn, and how far it is
/// inside.
#[inline(always)]
fn half_space<E: EightLane>(limits: &HalfSpaces, q: LaneQuat<E>) -> ([LaneVec3<E>; 3], [LaneVec3<E>; 3], E) {
    let turn = limits.turn();
    let ([x, y, z], [a, b, c]) = (columns(q), turn.columns.map(LaneVec3::splat));
    let value = a.dot(x) + b.dot(y) + c.dot(z) + E::splat(turn.offset);
    ([x, y, z], [a, b, c], value)
}

/// The columns of a rotation's matrix.
#[inline(always)]
fn columns<E: EightLane>(q: LaneQuat<E>) -> [LaneVec3<E>; 3] {
    let (x2, y2, z2) = (q.x + q.x, q.y + q.y, q.z + q.z);
    let (xx, xy, xz) = (q.x * x2, q.x * y2, q.x * z2);
    let (yy, yz, zz) = (q.y * y2, q.y * z2, q.z * z2);
    let (wx, wy, wz) = (q.w * x2, q.w * y2, q.w * z2);
    let one = E::splat(1.0);
    [
        LaneVec3::new(one - (yy + zz), xy + wz, xz - wy),
        LaneVec3::new(xy - wz, one - (xx + zz), yz + wx),
        LaneVec3::new(xz + wy, yz - wx, one - (xx + yy)),
    ]
}

/// `a aᵀ`.
#[inline(always)]
fn outer<E: EightLane>(a: LaneVec3<E>) -> [LaneVec3<E>; 3] {
    [a * a.x, a * a.y, a * a.z]
}
