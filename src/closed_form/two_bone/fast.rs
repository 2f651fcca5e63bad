//! The fast form (fast path) of the two-bone solve for ordinary limbs, in stages that a batch runs
//! one after the other.
//!
//! A limb is ordinary where no length is tiny, where it bends by more than [`BENT`] of its length
//! or is fully extended, and where no bone turns by nearly a half turn. There every unit vector is
//! a division by a length that is safely above zero, and the rotations need no frames:
//!
//! - The root's turn takes the upper bone `a` and the hinge `b` (unit, at right angles) to `a'` and
//!   `b'`. With the shortest turn `p = (1 + a·a', a × a')` from bone to bone, any turn that does
//!   the same is `p` followed by one about `a'`; of those, the quaternions `p − b'·p·b` and
//!   `a'·(p + b'·p·b)` (Hamilton products with pure quaternions) both take `b` to `b'` as well:
//!   with the angle β left about `a'` they have the lengths `2|p|·cos(β/2)` and `2|p|·sin(β/2)`.
//!   The longer one is taken.
//! - The mid's turn is found the same way where the limb is nearly straight and has to bend: there
//!   the frame's hinge is not the one it bends about now. Else it is about the hinge, by the
//!   difference of two flexions whose sines and cosines are known: `u·l` and `|u × l|` before, the
//!   law of cosines after. Half the angle comes by the half-angle formula without cancellation.
//!
//! Limbs that are not ordinary take the exact form (the fallback), so a limb has the same result in
//! every kind of call. Both forms are the same function of the limb up to rounding.

use super::side::{self, CLEARLY_BENT, HINGE_BIAS, MIN_BEND_GROWTH, Nudge, STRAIGHT};
use super::types::TwoBone;
use crate::closed_form::pole::{self, POLE_FADE};
use crate::math::soft::soft_limit;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, Tile, Tiled, tiled};

/// Minimum bend, and minimum length of bones, extent and target distance, as parts of the limb's
/// length.
const BENT: f32 = 1e-3;
/// The limb's length is between this and its reciprocal, so that fourth powers of lengths stay in
/// the range of `f32`.
const LONGEST: f32 = 1e4;
/// Minimum square of the sum of two directions over which a side is carried.
const OPPOSITE: f32 = 1e-2;
/// Minimum `1 + cos` between old and new upper bone.
const MIN_ONE_PLUS_COS: f32 = 1e-3;

/// Numbers of a limb that do not depend on its bend side.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::closed_form) struct Plan<T> {
    /// Direction of the target, unit.
    pub aim: LaneVec3<T>,
    /// Distance along the aim from the root joint to the projection of the mid joint, and of the
    /// mid joint from the aim.
    pub along: T,
    pub across: T,
    /// Distance of the root joint to the end's new position.
    pub reach: T,
    /// Sum of both new bone lengths.
    pub length: T,
    /// See [`TwoBoneSolution`].
    pub stretch: T,
    pub beyond: T,
    /// `root_mid × mid_end`, unit; and its length, and the inner product.
    pub hinge: LaneVec3<T>,
    pub sine: T,
    pub cosine: T,
    /// Reciprocal of the length of the upper bone.
    pub per_upper: T,
    /// The new side that the bones' roll follows: that of the pole, where `needs_carried_side` is
    /// 0.
    pub side: LaneVec3<T>,
    /// The new side of the mid joint where `needs_nudge` is 1. Neither is planned: both are for
    /// limbs that have a side of their own ([`own_side`]).
    pub bent_side: LaneVec3<T>,
    /// 1 where the mid joint's side differs from that of the roll: [`nudge`].
    pub needs_nudge: T,
    /// 1 where the side has to be carried along: [`own_side`].
    pub needs_carried_side: T,
    /// 1 where the hinge of a nearly straight limb biases its side: [`resolve_straight_hinge`].
    pub needs_hinge_bias: T,
    /// 1 where only the exact form is valid.
    pub needs_exact: T,
}

impl<L: Lane> Plan<L> {
    /// Sine and cosine of the new flexion, times the product of the new bone lengths.
    #[inline(always)]
    fn flexion(&self) -> (L, L) {
        (self.across * self.reach, self.along * (self.reach - self.along) - self.across * self.across)
    }
}

tiled!(Plan {
    aim,
    along,
    across,
    reach,
    length,
    stretch,
    beyond,
    hinge,
    sine,
    cosine,
    per_upper,
    side,
    bent_side,
    needs_nudge,
    needs_carried_side,
    needs_hinge_bias,
    needs_exact
});

/// A part of the plan, stored as soon as it is computed: wide code then needs fewer registers.
#[derive(Clone, Copy, Debug)]
pub(in crate::closed_form) enum Part<L> {
    Bones { hinge: LaneVec3<L>, sine: L, cosine: L, per_upper: L },
    Reach { aim: LaneVec3<L>, along: L, across: L, reach: L, length: L, stretch: L, beyond: L },
    Forms { needs_hinge_bias: L, needs_exact: L },
    Side { side: LaneVec3<L>, needs_carried_side: L },
}

impl Plan<Tile> {
    /// Writes a part of the plan at place `i`.
    #[inline(always)]
    pub fn put_part(&mut self, i: usize, part: Part<f32>) {
        match part {
            Part::Bones { hinge, sine, cosine, per_upper } => {
                self.hinge.put(i, hinge);
                self.sine.put(i, sine);
                self.cosine.put(i, cosine);
                self.per_upper.put(i, per_upper);
            }
            Part::Reach { aim, along, across, reach, length, stretch, beyond } => {
                self.aim.put(i, aim);
                self.along.put(i, along);
                self.across.put(i, across);
                self.reach.put(i, reach);
                self.length.put(i, length);
                self.stretch.put(i, stretch);
                self.beyond.put(i, beyond);
            }
            Part::Forms { needs_hinge_bias, needs_exact } => {
                self.needs_hinge_bias.put(i, needs_hinge_bias);
                self.needs_exact.put(i, needs_exact);
            }
            Part::Side { side, needs_carried_side } => {
                self.side.put(i, side);
                self.needs_carried_side.put(i, needs_carried_side);
            }
        }
    }
}

/// [`plan_in_parts`], collected into a [`Plan`].
#[inline(always)]
pub(in crate::closed_form) fn plan<L: Lane, const PLAIN: bool, const STRAIGHT_TOO: bool>(limb: &TwoBone<L>) -> Plan<L> {
    let (zero, none) = (L::splat(0.0), LaneVec3::zero());
    let mut plan = Plan {
        aim: none,
        along: zero,
        across: zero,
        reach: zero,
        length: zero,
        stretch: zero,
        beyond: zero,
        hinge: none,
        sine: zero,
        cosine: zero,
        per_upper: zero,
        side: none,
        bent_side: none,
        needs_nudge: zero,
        needs_carried_side: zero,
        needs_hinge_bias: zero,
        needs_exact: zero,
    };
    // Field by field: built as a whole, the plan would be copied for each part.
    plan_in_parts::<L, PLAIN, STRAIGHT_TOO>(limb, |part| match part {
        Part::Bones { hinge, sine, cosine, per_upper } => {
            plan.hinge = hinge;
            (plan.sine, plan.cosine, plan.per_upper) = (sine, cosine, per_upper);
        }
        Part::Reach { aim, along, across, reach, length, stretch, beyond } => {
            plan.aim = aim;
            (plan.along, plan.across, plan.reach) = (along, across, reach);
            (plan.length, plan.stretch, plan.beyond) = (length, stretch, beyond);
        }
        Part::Forms { needs_hinge_bias, needs_exact } => {
            (plan.needs_hinge_bias, plan.needs_exact) = (needs_hinge_bias, needs_exact)
        }
        Part::Side { side, needs_carried_side } => (plan.side, plan.needs_carried_side) = (side, needs_carried_side),
    });
    plan
}

/// Lengths, target and reach, and the side of a pole of full weight. `PLAIN` is for limbs of weight
/// 1 and stretch 0, and gives them the same numbers. Without `STRAIGHT_TOO`, straight limbs need a
/// second call with it.
#[inline(always)]
pub(in crate::closed_form) fn plan_in_parts<L: Lane, const PLAIN: bool, const STRAIGHT_TOO: bool>(
    limb: &TwoBone<L>,
    mut out: impl FnMut(Part<L>),
) {
    let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
    let (u, l) = (limb.root_mid, limb.mid_end);
    let end = u + l;
    let (upper, lower, extent) = (u.dot(u).root(), l.dot(l).root(), end.dot(end).root());
    let length = upper + lower;
    let normal = u.cross(l);
    let sine = normal.dot(normal).root();
    let cosine = u.dot(l);
    out(Part::Bones { hinge: normal * (one / sine), sine, cosine, per_upper: one / upper });

    let target = if PLAIN {
        limb.target
    } else {
        LaneVec3::select(limb.weight.lt(one), end + (limb.target - end) * limb.weight, limb.target)
    };
    let distance = target.dot(target).root();
    let aim = target * (one / distance);

    // Soft reach and stretch, as in the exact form.
    let soft = if PLAIN { limb.softness } else { limb.softness * limb.weight * limb.weight };
    let longest = if PLAIN { length } else { length * (one + limb.stretch) };
    let wanted = soft_limit(distance, longest, soft);
    let (a, b, factor) = if PLAIN {
        (upper, lower, one)
    } else {
        let most = limb.stretch;
        let most_length = (most * length).max(L::splat(1e-30));
        let start = extent.clamp(length * (one - most), length);
        let spare = length - start;
        let stretch_u = ((wanted - start) / (most_length + spare)).clamp(zero, one);
        let linear = (one - spare / most_length).clamp(zero, one);
        let ramp = stretch_u * (stretch_u * (one - linear) + linear);
        let factor = L::select(zero.lt(most), one + most * ramp, one);
        (upper * factor, lower * factor, factor)
    };
    let (sum, difference) = (a + b, a - b);
    let reach = wanted.max(difference.abs()).min(sum);
    let per_reach = half / reach;
    let along = reach * half + difference * sum * per_reach;
    let heron = (sum - reach) * (sum + reach) * (reach - difference) * (reach + difference);
    let across = heron.root() * per_reach;
    out(Part::Reach { aim, along, across, reach, length: sum, stretch: factor, beyond: (distance - reach).abs() });

    // Written so that NaN is not ordinary either.
    let tiny = length * L::splat(BENT);
    let is_straight = || sine.lt(length * L::splat(STRAIGHT) * extent).and(zero.lt(cosine));
    let straight = if STRAIGHT_TOO { is_straight() } else { zero.lt(zero) };
    let bent = (tiny * extent).lt(sine).or(straight);
    // Where the bend of a nearly straight limb grows, the hinge biases its frame, too; a straight
    // limb has no other frame.
    let bend = side::bent(across, sum - reach);
    let is_biased = sine.lt((length * L::splat(CLEARLY_BENT)).min(bend) * extent).or(straight);
    let sizes = tiny.lt(upper.min(lower).min(extent).min(distance).min(reach));
    let range = L::splat(1.0 / LONGEST).lt(length).and(length.max(distance).lt(L::splat(LONGEST)));
    out(Part::Forms {
        needs_hinge_bias: L::select(is_biased, one, zero),
        needs_exact: L::select(bent.and(sizes).and(range), zero, one),
    });

    // With a pole that fades, or whose weight is below 1, `own_side` computes the side.
    let beside = limb.pole.dot(aim);
    let off = limb.pole - aim * beside;
    let off2 = off.dot(off);
    let clear = ((beside * beside + off2) * L::splat(POLE_FADE * POLE_FADE)).max(L::splat(1e-24)).lt(off2);
    let full = clear.and(limb.pole_weight.lt(one).not()).and(off2.lt(L::splat(1e24)));
    out(Part::Side { side: off * (one / off2.root()), needs_carried_side: L::select(full, zero, one) });
}

/// The hinge of a nearly straight limb that has to bend: that of its new bend side, on the limb
/// before the solve. At right angles to the limb's direction.
#[inline(always)]
pub(in crate::closed_form) fn resolve_straight_hinge<L: Lane>(limb: &TwoBone<L>, plan: &Plan<L>) -> LaneVec3<L> {
    let (direction, extent) = (limb.root_mid + limb.mid_end).unit_or(plan.aim, L::splat(0.0));
    let bend = plan.sine / extent;
    let offset = bend * plan.stretch / plan.length;
    let (hinge, _) = limb.hinge.normalize_or(LaneVec3::splat(crate::math::Vec3::X), L::splat(1e-20));
    let (hinge_side, _) = direction.cross(hinge).normalize_or(direction.any_perpendicular(), L::splat(1e-6));
    let side = LaneVec3::select(offset.lt(L::splat(STRAIGHT)), hinge_side, direction.cross(plan.hinge));
    let hinge_weight = side::hinge_weight(offset);
    let (grown_side, _) =
        (side * offset + hinge_side * (L::splat(HINGE_BIAS) * hinge_weight)).unit_or(side, L::splat(1e-6));
    let least_growth = plan.length * L::splat(MIN_BEND_GROWTH);
    let bent = side::bent(plan.across, plan.length - plan.reach);
    side::grown(side, grown_side, direction, hinge_weight, (bend, bent, least_growth)).cross(direction)
}

/// `hinge`, made perpendicular to the upper bone, as [`turns`] requires.
#[inline(always)]
pub(in crate::closed_form) fn beside_bone<L: Lane>(root_mid: LaneVec3<L>, plan: &Plan<L>) -> LaneVec3<L> {
    plan.hinge.reject_from(root_mid * plan.per_upper).unit_or(plan.hinge, L::splat(0.0)).0
}

/// The mid's turn, relative to the limb before the root's turn, of a limb with a biased hinge; and
/// 1 where the exact form is needed.
#[inline(always)]
pub(in crate::closed_form) fn biased_mid<L: Lane>(limb: &TwoBone<L>, plan: &Plan<L>) -> (LaneQuat<L>, L) {
    let zero = L::splat(0.0);
    let bone = limb.root_mid * plan.per_upper;
    let (lower, _) = limb.mid_end.unit_or(bone, zero);
    let (sine, cosine) = plan.flexion();
    let (new_lower, _) = (bone * cosine + plan.hinge.cross(bone) * sine).unit_or(bone, zero);
    let (hinge, _) = plan.hinge.reject_from(lower).unit_or(plan.hinge, zero);
    frame_turn(lower, hinge, new_lower, plan.hinge)
}

/// The new side of a limb's mid joint.
pub(in crate::closed_form) struct OwnSide<L> {
    pub side: LaneVec3<L>,
    /// The side without a pole.
    pub carried: LaneVec3<L>,
    /// How far the bones' roll follows `side`; below 1: [`rolled_side`].
    pub roll: L,
    /// 1 where the exact form is needed.
    pub needs_exact: L,
}

/// The limb's carried side, turned towards the pole by its weight. `POLE` is for batches in which
/// some pole weight is above 0; for limbs without it gives the same numbers.
#[inline(always)]
pub(in crate::closed_form) fn own_side<L: Lane, const POLE: bool>(limb: &TwoBone<L>, plan: &Plan<L>) -> OwnSide<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (direction, _) = (limb.root_mid + limb.mid_end).unit_or(plan.aim, zero);
    let side = direction.cross(plan.hinge);
    let (mut over_centre, mut centre, mut left) = (side, direction, L::splat(4.0));
    let centre2 = limb.centre.dot(limb.centre);
    let has_centre = L::splat(1e-24).lt(centre2);
    if has_centre.any() {
        centre = LaneVec3::select(has_centre, limb.centre * (one / centre2.root()), centre);
        let (carried, sum2) = carry_short(side, direction, centre);
        over_centre = LaneVec3::select(has_centre, carried, side);
        left = L::select(has_centre, sum2, left);
    }
    let (carried, right) = carry_short(over_centre, centre, plan.aim);
    let (carried, _) = carried.reject_from(plan.aim).unit_or(side, zero);
    let opposite = left.min(right).lt(L::splat(OPPOSITE));
    if !POLE {
        let needs_exact = L::select(opposite, one, zero);
        return OwnSide { side: carried, carried, roll: one, needs_exact };
    }
    let pole2 = limb.pole.dot(limb.pole);
    let off = limb.pole.reject_from(plan.aim);
    let off2 = off.dot(off);
    let in_range = (pole2 * L::splat(1e-6)).max(L::splat(1e-24)).lt(off2).and(pole2.lt(L::splat(1e24)));
    let (pole_side, _) = (off * (one / off2.root())).reject_from(plan.aim).unit_or(carried, zero);
    // `across` divided by the new length: both bones stretch by the same factor.
    let (sine, offset) = ((off2 / pole2).root(), plan.across / plan.length);
    let fade = pole::fade(sine, offset);
    let pulled = carried.lerp(pole_side, limb.pole_weight * fade).reject_from(plan.aim);
    let (pulled, pulled_length) = pulled.unit_or(carried, zero);
    let has_pole = zero.lt(limb.pole_weight);
    let lost = in_range.and(L::splat(1e-2).lt(pulled_length)).not().and(has_pole);
    OwnSide {
        side: LaneVec3::select(has_pole, pulled, carried),
        carried,
        roll: L::select(has_pole, pole::roll(sine, offset), one),
        needs_exact: L::select(opposite.or(lost), one, zero),
    }
}

/// The side that the bones' roll follows where [`OwnSide::roll`] is below 1; and 1 where the exact
/// form is needed.
#[inline(always)]
pub(in crate::closed_form) fn rolled_side<L: Lane>(own: &OwnSide<L>, aim: LaneVec3<L>) -> (LaneVec3<L>, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (rolled, length) = own.carried.lerp(own.side, own.roll).reject_from(aim).unit_or(own.carried, zero);
    (rolled, L::select(length.lt(L::splat(1e-2)), one, zero))
}

/// A side carried by the shortest turn, as in the exact form but without the special case of
/// opposite directions; and the square of the directions' sum.
#[inline(always)]
fn carry_short<L: Lane>(side: LaneVec3<L>, from: LaneVec3<L>, to: LaneVec3<L>) -> (LaneVec3<L>, L) {
    let sum = from + to;
    let sum2 = sum.dot(sum);
    (side - sum * (side.dot(to) * L::splat(2.0) / sum2), sum2)
}

/// The shortest turns of both bones from the side of the roll to that of the mid joint.
#[inline(always)]
pub(in crate::closed_form) fn nudge<L: Lane>(plan: &Plan<L>) -> [LaneQuat<L>; 2] {
    let Plan { aim, side, bent_side, .. } = *plan;
    let per_length = L::splat(1.0) / plan.length;
    let [reach, along, across] = [plan.reach, plan.along, plan.across].map(|size| size * per_length);
    Nudge { aim, reach, along, across, from: side, to: bent_side }.turns()
}

/// The joints' turns: the root's, and the mid's about the hinge, which the root's turn moves to
/// `new_hinge`.
#[derive(Clone, Copy, Debug)]
pub(in crate::closed_form) struct Turns<L> {
    pub root: LaneQuat<L>,
    pub new_hinge: LaneVec3<L>,
    /// Sine and cosine of half the mid's angle.
    pub sine: L,
    pub cosine: L,
    /// 1 where only the exact form gives the turns.
    pub needs_exact: L,
}

/// The turns of a limb that bends to the plan's side.
#[inline(always)]
pub(in crate::closed_form) fn turns<L: Lane>(root_mid: LaneVec3<L>, plan: &Plan<L>) -> Turns<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let per_upper = plan.per_upper;
    let bone = root_mid * per_upper;
    let new_bone = (plan.aim * plan.along + plan.side * plan.across) * (per_upper / plan.stretch);
    let new_hinge = plan.side.cross(plan.aim);

    let (root, needs_exact) = frame_turn(bone, plan.hinge, new_bone, new_hinge);

    // The mid's: the new flexion minus the old one.
    let (sine, cosine) = plan.flexion();
    let c = cosine * plan.cosine + sine * plan.sine;
    let s = sine * plan.cosine - cosine * plan.sine;
    let k = (c * c + s * s).root();
    let behind = c.lt(zero);
    let (x, y) = (L::select(behind, k - c, s), L::select(behind, s, k + c));
    let unit = one / (x * x + y * y).root();
    Turns { root, new_hinge, sine: x * unit, cosine: y * unit, needs_exact: plan.needs_exact.max(needs_exact) }
}

/// The turn from the perpendicular unit vectors `a0` and `b0` to `a1` and `b1`; and 1 where `a1` is
/// nearly opposite to `a0`. See the module's text.
#[inline(always)]
fn frame_turn<L: Lane>(a0: LaneVec3<L>, b0: LaneVec3<L>, a1: LaneVec3<L>, b1: LaneVec3<L>) -> (LaneQuat<L>, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (cosine, axis) = (a0.dot(a1), a0.cross(a1));
    // 1 + cos, which cancels where the bone turns by nearly a half turn.
    let w = L::select(cosine.lt(zero), axis.dot(axis) / (one - cosine), one + cosine);
    let p = LaneQuat::from_parts(axis, w);
    let m = b1.pure_times(p.times_pure(b0));
    let near = p.dot(m).lt(zero);
    let q = p + m * L::select(near, -one, one);
    let turn = LaneQuat::select(near, q, a1.pure_times(q)).normalize();
    (turn, L::select(w.lt(L::splat(MIN_ONE_PLUS_COS)), one, zero))
}
