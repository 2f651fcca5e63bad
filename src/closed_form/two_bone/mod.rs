//! Two-bone IK in closed form: a root, a mid joint that bends, an end that shall be at a target.
//!
//! # Derivation
//!
//! Everything is relative to the root joint, in one *solve space*: any space in which both bones keep their lengths
//! when they turn (the space of the root joint's parent does, whatever scale and mirror lie above it). With bone lengths
//! `a = |root_mid|`, `b = |mid_end|` and the target at distance `d` along the unit vector `n`, the mid joint lies on a
//! circle about the axis `n`:
//!
//! ```text
//! mid = n·h + s·r,   h = (d + (a − b)(a + b)/d) / 2,   r² = (a+b−d)(a+b+d)(d−a+b)(d+a−b) / (2d)²
//! ```
//!
//! (law of cosines, with `r²` in Heron's product form, which keeps its digits for nearly straight limbs where `a² − h²`
//! loses them). The unit vector `s` at right angles to `n` is the *bend side*. It comes from, in this order: the pole by
//! its weight; the side the limb bends to now, carried along by the shortest turn from the old direction to the new one;
//! for a straight limb, the hinge: `s = n × hinge`.
//!
//! Which way a nearly straight limb bends is noise: captured knees and elbows hyperextend by a few degrees. Where its bend
//! *grows*, the growth belongs to the hinge. With the mid joint's offset `o` from the line, in limb lengths, along the side
//! `p`, the side of a limb that bends much is that of `o·p + ε·f(o)·(n × hinge)`, with `ε` 4 % and `f` falling from 1 at 2 %
//! offset to 0 at 4 %. The side goes there from `p` while the offset grows from `o` to `3·o`, through the bisector of both,
//! so that an exactly opposite side is a half turn, not a flip. A limb that does not bend more than it did keeps `p`: nothing
//! moves at weight 0, and the way is continuous in weight and target. As a map from poses it has one singular point, an
//! offset right against the hinge of some 2.8 %; and while the bend has not yet tripled, an offset below that size that
//! passes there makes the half turn on the one or the other side. The upper bone does not roll by any of this: its hinge is
//! carried along from the side chosen on the limb as it is.
//!
//! No side can depend continuously on the direction over the whole sphere (there is no such vector field). The carried
//! side is taken over the *centre*, a direction of the caller's choice: by the shortest turn to the centre and from there
//! by the shortest turn to the target. Its one singular direction lies opposite to the centre (a shoulder chooses the
//! middle of what an arm can reach, so the singularity lies behind the back). The pole's lies along the pole itself, where
//! the pole fades out over the last three degrees and the carried side takes over. For a limb straighter than 5 % offset the
//! fade is narrower in proportion (down to a fiftieth): a pole at the mid joint itself then still counts in full.
//!
//! Rotations follow from frames: the root turns the frame (bone, hinge) into the new one, so that the hinge of the elbow
//! stays a hinge; the mid turns within the bend plane.
//!
//! # Soft reach and stretch
//!
//! A hard limb straightens with unbounded speed as the target leaves its reach `L`: the bend angle goes like the square
//! root of what is left. Both cures make that remainder a square, so the angle becomes linear:
//!
//! - *softness* σ: from `(1−σ)L` to `(1+σ)L` the effective distance follows `σL(2u − u²)`, `u` from 0 to 1. The hand lags up
//!   to `σL` behind, and the limb is straight at `(1+σ)L`;
//! - *stretch* t: from `d₀` to `(1+t)L` the limb lengthens by `tL((1−k)u² + ku)`. It never lags: the target is reached up to
//!   `(1+t)L`. `d₀` is `(1−t)L`, or how far the limb reaches now if that is more: a target where the end already is must change
//!   nothing, not even a straight limb. With `k = 1 − (L − d₀)/tL` what is left is `(L − d₀)(1 − u)²`, a square again.
//!
//! Source: law of cosines; the closed form is textbook material (e.g. J. Lander, "Making Kine More Flexible", Game
//! Developer 1998). The soft distance serves the purpose of A. Nicholas' soft IK (2009), with a polynomial in place of the
//! exponential so that the limb is straight at a finite distance.

pub(crate) mod fast;

use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, tiled};
use fast::{beside_bone, biased_mid, own_side, plan, resolve_straight_hinge, turns};

/// A limb and its target, in the solve space, relative to the root joint. Lengths in metres (host units).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
// In the order of the C interface's record, which is read as one of these.
#[repr(C)]
pub struct TwoBone<L> {
    /// Root joint to mid joint, as the limb is now.
    pub root_mid: LaneVec3<L>,
    /// Mid joint to end, as the limb is now.
    pub mid_end: LaneVec3<L>,
    /// Root joint to target.
    pub target: LaneVec3<L>,
    /// Root joint to pole, or the direction of the pole: only the part at right angles to the target direction counts.
    pub pole: LaneVec3<L>,
    /// Axis about which the mid joint flexes by a positive turn (right-hand rule by the component formula); any length but
    /// zero. Decides the bend side of a straight limb only.
    pub hinge: LaneVec3<L>,
    /// Direction over which the bend side is carried, any length; zero: the limb's present direction.
    pub centre: LaneVec3<L>,
    /// How far the end goes from where it is (0) to the target (1).
    pub weight: L,
    /// How far the bend side turns from its own (0) to the pole's (1): the direction of their weighted sum, so that a pole
    /// going round the limb never flips it, but for weight ½ and a pole right opposite.
    pub pole_weight: L,
    /// σ above at full weight, 0 … 1; 0 is a hard limb.
    pub softness: L,
    /// t above at full weight, 0 … 1; 0 keeps the bone lengths.
    pub stretch: L,
}

/// What the limb has to do, in the solve space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct TwoBoneSolution<L> {
    /// Turn of the root joint: new rotation = `root · old`.
    pub root: LaneQuat<L>,
    /// Turn of the mid joint after the root's: new rotation = `mid · root · old`.
    pub mid: LaneQuat<L>,
    /// Factor on both bone lengths, 1 … 1 + stretch.
    pub stretch: L,
    /// How far the weighted target lies beyond what the limb can do, too far or too near, in metres; 0 when reached.
    pub beyond: L,
}

tiled!(TwoBone { root_mid, mid_end, hinge, centre, target, weight, pole, pole_weight, softness, stretch });
tiled!(TwoBoneSolution { root, mid, stretch, beyond });

impl<L: Lane> TwoBoneSolution<L> {
    /// `if_true` where `mask`, else `if_false`.
    #[inline(always)]
    fn select(mask: L::Mask, if_true: Self, if_false: Self) -> Self {
        Self {
            root: LaneQuat::select(mask, if_true.root, if_false.root),
            mid: LaneQuat::select(mask, if_true.mid, if_false.mid),
            stretch: L::select(mask, if_true.stretch, if_false.stretch),
            beyond: L::select(mask, if_true.beyond, if_false.beyond),
        }
    }
}

/// Part of the limb's length below which lengths count as nothing.
const TINY: f32 = 1e-6;
/// Offset of the mid joint from the root–end line, as part of the limb's length, below which the limb counts as straight.
pub(in crate::closed_form) const STRAIGHT: f32 = 1e-4;
/// Offset up to which the hinge has its full say on where a growing bend goes, and from which it has none.
pub(in crate::closed_form) const NEARLY_STRAIGHT: f32 = 0.02;
pub(crate) const CLEARLY_BENT: f32 = 0.04;
/// The hinge's full say, as an offset.
pub(in crate::closed_form) const HINGE_BIAS: f32 = 0.04;
/// By what factor the bend grows until the hinge has said what it has to say.
pub(in crate::closed_form) const BEND_GROWTH_FULL: f32 = 3.0;
/// Growth of the offset by which the hinge has its full say at least, as part of the limb's length. Where a limb is straight but for a
/// thousandth, rounding of the target moves the mid joint by a noticeable part of its offset; its side must not follow that.
pub(in crate::closed_form) const MIN_BEND_GROWTH: f32 = 2e-3;
/// Sine of the angle between pole and target direction at which the pole begins to fade out.
pub(in crate::closed_form) const POLE_FADE: f32 = 0.05;
/// Offset below which that angle is narrower, in proportion.
pub(in crate::closed_form) const POLE_FULL: f32 = 0.05;

/// The unit vector `side`, at right angles to the unit vector `from`, after the shortest turn from `from` to the unit
/// vector `to`. Where those are opposite it stays as it is.
#[inline(always)]
fn carry<L: Lane>(side: LaneVec3<L>, from: LaneVec3<L>, to: LaneVec3<L>) -> LaneVec3<L> {
    // 1 + from·to, as half the square of the sum: near opposite directions the dot product has no digits left.
    let sum = from + to;
    let turn = sum * (side.dot(to) / (sum.dot(sum) * L::splat(0.5)).max(L::splat(1e-20)));
    let (turned, _) = (side - turn).reject_from(to).normalize_or(side, L::splat(1e-3));
    turned.reject_from(to).normalize_or(to.any_perpendicular(), L::splat(1e-3)).0
}

/// 0 … 1 with zero slope at both ends.
#[inline(always)]
pub(in crate::closed_form) fn smooth<L: Lane>(t: L) -> L {
    let t = t.clamp(L::splat(0.0), L::splat(1.0));
    t * t * (L::splat(3.0) - L::splat(2.0) * t)
}

/// The unit vector `side` on its way to the unit vector `to` (both at right angles to the unit vector `axis`), through their
/// bisector; opposite ones by a half turn about `axis`.
#[inline(always)]
pub(in crate::closed_form) fn swivel<L: Lane>(
    side: LaneVec3<L>,
    to: LaneVec3<L>,
    axis: LaneVec3<L>,
    part: L,
) -> LaneVec3<L> {
    let (bisector, _) = (side + to).normalize_or(axis.cross(side), L::splat(1e-3));
    let left = L::splat(1.0) - part;
    let way = side * (left * left) + bisector * (L::splat(2.0) * left * part) + to * (part * part);
    let (way, _) = way.reject_from(axis).normalize_or(side, L::splat(1e-3));
    LaneVec3::select(L::splat(0.0).lt(part), way, side)
}

/// Solves one limb, or several in step. Total: any finite input gives unit quaternions.
#[inline(always)]
pub fn solve<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    match solve_fast(limb) {
        Some(solution) => solution,
        None => solve_any(limb),
    }
}

/// [`solve`], of limbs with nothing but a pole that has its full say, and when nothing else turns up. Apart from the rest, so that it need
/// not keep at hand what that would go on with. A weight above 1 is one of 1, a stretch below 0 none.
#[inline(always)]
pub(crate) fn solve_fast<L: Lane>(limb: &TwoBone<L>) -> Option<TwoBoneSolution<L>> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    if limb.pole_weight.lt(one).or(limb.weight.lt(one)).or(zero.lt(limb.stretch)).any() {
        return None;
    }
    let plan = plan::<L, true, false>(limb);
    if zero.lt(plan.own).any() || zero.lt(plan.says).any() || zero.lt(plan.special).any() {
        return None;
    }
    let turns = turns(limb.root_mid, &plan);
    if zero.lt(turns.special).any() {
        return None;
    }
    let mid = LaneQuat::from_parts(turns.new_hinge * turns.sine, turns.cosine);
    Some(TwoBoneSolution { root: turns.root, mid, stretch: plan.stretch, beyond: plan.beyond })
}

/// [`solve`], of any limbs.
#[inline(never)]
pub(crate) fn solve_any<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    solve_inlined(limb)
}

/// [`solve_any`] in line: for limbs without a pole, of which the compiler knows so much that little is left to do.
#[inline(always)]
pub(crate) fn solve_inlined<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let more = zero.lt(limb.stretch).or(limb.weight.lt(one)).any();
    let mut plan = if more { plan::<L, false, true>(limb) } else { plan::<L, true, true>(limb) };
    let says = zero.lt(plan.says);
    if says.any() {
        plan.hinge = LaneVec3::select(says, resolve_straight_hinge(limb, &plan), plan.hinge);
    }
    let own = zero.lt(plan.own);
    if own.any() {
        let poles = zero.lt(limb.pole_weight).any();
        let (side, special) = if poles { own_side::<L, true>(limb, &plan) } else { own_side::<L, false>(limb, &plan) };
        plan.side = LaneVec3::select(own, side, plan.side);
        plan.special = L::select(own, plan.special.max(special), plan.special);
    }
    if says.any() {
        plan.hinge = LaneVec3::select(says, beside_bone(limb.root_mid, &plan), plan.hinge);
    }
    let mut turns = turns(limb.root_mid, &plan);
    let mut mid = LaneQuat::from_parts(turns.new_hinge * turns.sine, turns.cosine);
    if says.any() {
        let (heard, special) = biased_mid(limb, &plan);
        mid = LaneQuat::select(says, LaneQuat::from_parts(turns.root.rotate(heard.vector()), heard.w), mid);
        turns.special = L::select(says, turns.special.max(special), turns.special);
    }
    let short = TwoBoneSolution { root: turns.root, mid, stretch: plan.stretch, beyond: plan.beyond };
    let special = zero.lt(turns.special);
    if special.any() { TwoBoneSolution::select(special, solve_exact_cold(*limb), short) } else { short }
}

/// [`solve_exact`] out of line. By value, so that nobody who inlines [`solve`] keeps the limb in memory for it.
#[cold]
#[inline(never)]
pub(in crate::closed_form) fn solve_exact_cold<L: Lane>(limb: TwoBone<L>) -> TwoBoneSolution<L> {
    solve_exact(&limb)
}

/// The long form: right for every limb, and what [`solve`] does with those that are not ordinary.
#[inline(always)]
pub(in crate::closed_form) fn solve_exact<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    let zero = L::splat(0.0);
    let one = L::splat(1.0);
    let half = L::splat(0.5);

    // The limb as it is: lengths, direction, bend side, hinge.
    let some = LaneVec3::splat(crate::math::Vec3::X);
    let (hinge, _) = limb.hinge.normalize_or(some, L::splat(1e-20));
    let (upper_unit, upper) = limb.root_mid.normalize_or(some, L::splat(1e-20));
    let (lower_unit, lower) = limb.mid_end.normalize_or(upper_unit, L::splat(1e-20));
    let length = upper + lower;
    let tiny = length * L::splat(TINY) + L::splat(1e-30);
    let end = limb.root_mid + limb.mid_end;
    // Folded onto the root: the direction in which the limb opens about its hinge.
    let (opening, _) = hinge.cross(upper_unit).normalize_or(upper_unit.any_perpendicular(), L::splat(1e-6));
    let (direction, extent) = end.normalize_or(opening, tiny);
    let offset = limb.root_mid.reject_from(direction);
    let (hinge_side, _) = direction.cross(hinge).normalize_or(direction.any_perpendicular(), L::splat(1e-6));
    let (bend_side, bend) = offset.normalize_or(hinge_side, length * L::splat(STRAIGHT) + L::splat(1e-30));
    // Once more at right angles: the offset of a nearly straight limb is a small difference of large numbers.
    let side = LaneVec3::select(
        bend.lt(length * L::splat(STRAIGHT)),
        hinge_side,
        bend_side.reject_from(direction).normalize_or(hinge_side, L::splat(0.5)).0,
    );

    // Where it shall go.
    let target = end + (limb.target - end) * limb.weight;
    let target = LaneVec3::select(limb.weight.lt(one), target, limb.target);
    let (aim, distance) = target.normalize_or(direction, tiny);

    // Soft reach, then stretch (see the module's text), then what is left is clamped. Softness grows with the square of the
    // weight: at a small weight a straight limb must stay (nearly) straight, and its bend goes with the square root.
    let soft = limb.softness * limb.weight * limb.weight;
    let most = limb.stretch;
    let longest = length * (one + most);
    let soft_u =
        ((distance - longest * (one - soft)) / (soft * longest * L::splat(2.0)).max(L::splat(1e-30))).clamp(zero, one);
    let softened = longest * (one - soft) + soft * longest * (soft_u * (L::splat(2.0) - soft_u));
    let wanted = distance.min(softened);
    let most_length = (most * length).max(L::splat(1e-30));
    let start = extent.clamp(length * (one - most), length);
    let spare = length - start;
    let stretch_u = ((wanted - start) / (most_length + spare)).clamp(zero, one);
    let linear = (one - spare / most_length).clamp(zero, one);
    let ramp = stretch_u * (stretch_u * (one - linear) + linear);
    let factor = L::select(zero.lt(most), one + most * ramp, one);
    let (a, b) = (upper * factor, lower * factor);
    let (sum, difference) = (a + b, a - b);
    let reach = wanted.clamp(difference.abs().max(tiny), sum.max(tiny));

    // The mid joint: h along the aim, r towards the side.
    let along = (reach + difference * (sum / reach)) * half;
    // In units of the limb's length, so that the product of four lengths keeps its range in any unit.
    let per_length = one / sum.max(L::splat(1e-30));
    let (r, d) = (reach * per_length, difference * per_length);
    let heron = (one - r) * (one + r) * (r - d) * (r + d);
    let across = heron.max(zero).sqrt() * (half / r) * sum;

    // Where a nearly straight limb bends more than it did, the hinge has a say in the side (see the module's text).
    let per_now = one / length.max(L::splat(1e-30));
    let offset = bend * per_now;
    let say = one - smooth((offset - L::splat(NEARLY_STRAIGHT)) * L::splat(1.0 / (CLEARLY_BENT - NEARLY_STRAIGHT)));
    let (grown_side, _) =
        (side * offset + hinge_side * (L::splat(HINGE_BIAS) * say)).normalize_or(side, L::splat(1e-6));
    let growth = (across - bend)
        / (bend * L::splat(BEND_GROWTH_FULL - 1.0)).max(length * L::splat(MIN_BEND_GROWTH) + L::splat(1e-30));
    let side = swivel(side, grown_side, direction, L::select(zero.lt(say), smooth(growth), zero));

    // The new side: carried along by the shortest turn, then turned towards the pole.
    let (centre, _) = limb.centre.normalize_or(direction, L::splat(1e-20));
    let carried = carry(carry(side, direction, centre), centre, aim);
    let pole_off = limb.pole.reject_from(aim);
    let pole_length = limb.pole.length();
    let (pole_side, pole_distance) = pole_off.normalize_or(carried, pole_length * L::splat(1e-6) + L::splat(1e-30));
    let (pole_side, _) = pole_side.reject_from(aim).normalize_or(carried, L::splat(0.5));
    let narrow = (across * per_length * L::splat(1.0 / POLE_FULL)).clamp(L::splat(0.02), one);
    let fade = (pole_distance / (pole_length * L::splat(POLE_FADE) * narrow).max(L::splat(1e-30))).clamp(zero, one);
    let pulled = carried.lerp(pole_side, limb.pole_weight * fade).reject_from(aim);
    let (new_side, _) = pulled.normalize_or(carried, L::splat(1e-6));

    // Bones and rotations. The hinge of the limb as it is: h = side × direction; it stays at right angles to the bone.
    let new_root_mid = aim * along + new_side * across;
    let new_mid_end = aim * (reach - along) - new_side * across;
    let old_hinge = side.cross(direction);
    let new_hinge = new_side.cross(aim);
    let (new_upper, _) = new_root_mid.normalize_or(aim, tiny);
    let (new_lower, _) = new_mid_end.normalize_or(new_upper, tiny);
    let (old_upper, _) = limb.root_mid.normalize_or(direction, tiny);
    let beside = |hinge: LaneVec3<L>, bone: LaneVec3<L>| {
        hinge.reject_from(bone).normalize_or(bone.any_perpendicular(), L::splat(1e-3)).0
    };
    let root = LaneQuat::from_frames(old_upper, beside(old_hinge, old_upper), new_upper, beside(new_hinge, new_upper));
    // By frames, too: the shortest turn of a bone that folds right over would be about any axis.
    let lower_now = root.rotate(lower_unit);
    let mid = LaneQuat::from_frames(lower_now, beside(new_hinge, lower_now), new_lower, beside(new_hinge, new_lower));

    // A limb without length has nothing to turn.
    let nothing = length.lt(L::splat(1e-20));
    TwoBoneSolution {
        root: LaneQuat::select(nothing, LaneQuat::identity(), root),
        mid: LaneQuat::select(nothing, LaneQuat::identity(), mid),
        stretch: L::select(nothing, one, factor),
        beyond: L::select(nothing, distance, (distance - reach).abs()),
    }
}
