//! The exact form of the two-bone solve: valid for every limb, straight, folded or of no length.

use super::side::{self, HINGE_BIAS, MIN_BEND_GROWTH, Nudge, STRAIGHT};
use super::types::{TwoBone, TwoBoneSolution};
use crate::closed_form::pole;
use crate::math::dispatch::Task;
use crate::math::soft::soft_limit;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3};

/// Lengths below this part of the limb's length count as zero.
const TINY: f32 = 1e-6;

/// The unit vector `side`, at right angles to the unit vector `from`, after the shortest turn from
/// `from` to the unit vector `to`. Where those are opposite it is unchanged.
#[inline(always)]
fn carry<L: Lane>(side: LaneVec3<L>, from: LaneVec3<L>, to: LaneVec3<L>) -> LaneVec3<L> {
    // 1 + from·to, as half the square of the sum: near opposite directions the dot product cancels.
    let sum = from + to;
    let turn = sum * (side.dot(to) / (sum.dot(sum) * L::splat(0.5)).max(L::splat(1e-20)));
    let (turned, _) = (side - turn).reject_from(to).normalize_or(side, L::splat(1e-3));
    turned.reject_from(to).normalize_or(to.any_perpendicular(), L::splat(1e-3)).0
}

/// The part of a hinge at right angles to a bone.
#[inline(always)]
fn beside<L: Lane>(hinge: LaneVec3<L>, bone: LaneVec3<L>) -> LaneVec3<L> {
    hinge.reject_from(bone).normalize_or(bone.any_perpendicular(), L::splat(1e-3)).0
}

/// [`solve_exact`] out of line. By value, so that a caller that inlines the fast form does not have
/// to keep the limb in memory.
#[cold]
#[inline(never)]
pub(in crate::closed_form) fn solve_exact_cold<L: Lane>(limb: TwoBone<L>) -> TwoBoneSolution<L> {
    L::run(Exact(limb))
}

struct Exact<L>(TwoBone<L>);

impl<L: Lane> Task for Exact<L> {
    type Output = TwoBoneSolution<L>;
    #[inline(always)]
    fn run(self) -> TwoBoneSolution<L> {
        solve_exact(&self.0)
    }
}

/// The exact form of any limb.
#[inline(always)]
pub(in crate::closed_form) fn solve_exact<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    let zero = L::splat(0.0);
    let one = L::splat(1.0);
    let half = L::splat(0.5);

    // The limb before the solve: lengths, direction, bend side, hinge.
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
    // Made perpendicular once more: the offset of a nearly straight limb is a small difference of
    // large numbers.
    let side = LaneVec3::select(
        bend.lt(length * L::splat(STRAIGHT)),
        hinge_side,
        bend_side.reject_from(direction).normalize_or(hinge_side, L::splat(0.5)).0,
    );

    // The weighted target.
    let target = end + (limb.target - end) * limb.weight;
    let target = LaneVec3::select(limb.weight.lt(one), target, limb.target);
    let (aim, distance) = target.normalize_or(direction, tiny);

    // Soft reach (a soft limit on the distance), then stretch (see the module's text), then a
    // clamp. Softness grows with the square of the weight: at a small weight a straight limb must
    // stay (nearly) straight, and its bend goes with the square root.
    let soft = limb.softness * limb.weight * limb.weight;
    let most = limb.stretch;
    let longest = length * (one + most);
    let wanted = soft_limit(distance, longest, soft);
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
    // In units of the limb's length, so that the product of four lengths stays in range in any
    // unit.
    let per_length = one / sum.max(L::splat(1e-30));
    let (r, d) = (reach * per_length, difference * per_length);
    let heron = (one - r) * (one + r) * (r - d) * (r + d);
    let across = heron.max(zero).sqrt() * (half / r) * sum;

    // Where the bend of a nearly straight limb grows, the hinge biases the side (see the module's
    // text).
    let per_now = one / length.max(L::splat(1e-30));
    let offset = bend * per_now;
    let hinge_weight = side::hinge_weight(offset);
    let (grown_side, _) =
        (side * offset + hinge_side * (L::splat(HINGE_BIAS) * hinge_weight)).normalize_or(side, L::splat(1e-6));
    let least_growth = length * L::splat(MIN_BEND_GROWTH) + L::splat(1e-30);
    let bent = side::bent(across, sum - reach);
    let side = side::grown(side, grown_side, direction, hinge_weight, (bend, bent, least_growth));

    // The new side: carried along by the shortest turn, then turned towards the pole.
    let (centre, _) = limb.centre.normalize_or(direction, L::splat(1e-20));
    let carried = carry(carry(side, direction, centre), centre, aim);
    let pole_off = limb.pole.reject_from(aim);
    let pole_length = limb.pole.length();
    let (pole_side, pole_distance) = pole_off.normalize_or(carried, pole_length * L::splat(1e-6) + L::splat(1e-30));
    let (pole_side, _) = pole_side.reject_from(aim).normalize_or(carried, L::splat(0.5));
    let (pole_sine, new_offset) = (pole_distance / pole_length.max(L::splat(1e-30)), across * per_length);
    let fade = pole::fade(pole_sine, new_offset);
    let pulled = carried.lerp(pole_side, limb.pole_weight * fade).reject_from(aim);
    let (bent_side, _) = pulled.normalize_or(carried, L::splat(1e-6));
    // The side that the bones' roll follows.
    let roll = L::select(zero.lt(limb.pole_weight), pole::roll(pole_sine, new_offset), one);
    let (rolled, _) = carried.lerp(bent_side, roll).reject_from(aim).normalize_or(carried, L::splat(1e-6));
    let has_nudge = roll.lt(one);
    let new_side = LaneVec3::select(has_nudge, rolled, bent_side);

    // Bones and rotations. The hinge of the limb before the solve: h = side × direction; it is
    // perpendicular to the bone.
    let new_root_mid = aim * along + new_side * across;
    let new_mid_end = aim * (reach - along) - new_side * across;
    let old_hinge = side.cross(direction);
    let new_hinge = new_side.cross(aim);
    let (new_upper, _) = new_root_mid.normalize_or(aim, tiny);
    let (new_lower, _) = new_mid_end.normalize_or(new_upper, tiny);
    let (old_upper, _) = limb.root_mid.normalize_or(direction, tiny);
    let root = LaneQuat::from_frames(old_upper, beside(old_hinge, old_upper), new_upper, beside(new_hinge, new_upper));
    // By frames, too: the shortest turn of a bone that folds by a half turn has an arbitrary axis.
    let lower_now = root.rotate(lower_unit);
    let mid = LaneQuat::from_frames(lower_now, beside(new_hinge, lower_now), new_lower, beside(new_hinge, new_lower));
    let (mut root, mut mid) = (root, mid);
    if has_nudge.any() {
        let [reach, along, across] = [reach, along, across].map(|size| size * per_length);
        let nudge = Nudge { aim, reach, along, across, from: new_side, to: bent_side };
        let [upper_turn, lower_turn] = nudge.turns();
        let nudged_mid = (lower_turn * mid * upper_turn.conjugate()).normalize();
        mid = LaneQuat::select(has_nudge, nudged_mid, mid);
        root = LaneQuat::select(has_nudge, (upper_turn * root).normalize(), root);
    }

    // A limb without length does not turn.
    let nothing = length.lt(L::splat(1e-20));
    TwoBoneSolution {
        root: LaneQuat::select(nothing, LaneQuat::identity(), root),
        mid: LaneQuat::select(nothing, LaneQuat::identity(), mid),
        stretch: L::select(nothing, one, factor),
        beyond: L::select(nothing, distance, (distance - reach).abs()),
    }
}
