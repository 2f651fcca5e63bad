//! Bend side of a nearly straight limb: shared by the exact and the fast form.

use crate::math::{Lane, LaneQuat, LaneVec3, float};

/// Offset of the mid joint from the line root to end, as part of the limb's length, below which
/// the limb counts as straight.
pub(in crate::closed_form) const STRAIGHT: f32 = 1e-4;
/// Offset up to which the hinge fully determines the side of a growing bend.
const NEARLY_STRAIGHT: f32 = 0.02;
/// Offset from which the hinge has no influence.
pub(crate) const CLEARLY_BENT: f32 = 0.04;
/// Influence of the hinge on a straight limb, as an offset.
pub(super) const HINGE_BIAS: f32 = 0.04;
/// Factor of growth of the bend at which the hinge has its full influence.
const BEND_GROWTH_FULL: f32 = 3.0;
/// Minimum growth of the offset at which the hinge has its full influence, as part of the limb's
/// length. Where the offset of a limb is about a thousandth, rounding of the target moves the mid
/// joint by a noticeable part of it; the bend side must not follow that.
pub(super) const MIN_BEND_GROWTH: f32 = 2e-3;

/// Influence of the hinge on the side of a limb with this offset: 1 up to 2 %, 0 from 4 % on.
#[inline(always)]
pub(super) fn hinge_weight<L: Lane>(offset: L) -> L {
    let t = (offset - L::splat(NEARLY_STRAIGHT)) * L::splat(1.0 / (CLEARLY_BENT - NEARLY_STRAIGHT));
    L::splat(1.0) - float::smooth01(t)
}

/// How far a limb is bent, as an offset of its mid joint: `across` from the line, but of a limb
/// that is shorter than straight by more than that, `shorter`. The offset of a limb that folds
/// falls again, to zero where its bones have different lengths.
#[inline(always)]
pub(super) fn bent<L: Lane>(across: L, shorter: L) -> L {
    across.max(shorter)
}

/// The bend side between `side` and `grown_side` (both perpendicular to `direction`), while the
/// bend grows from `bend` to `bent`. `least_growth`: [`MIN_BEND_GROWTH`] as a length.
#[inline(always)]
pub(super) fn grown<L: Lane>(
    side: LaneVec3<L>,
    grown_side: LaneVec3<L>,
    direction: LaneVec3<L>,
    hinge_weight: L,
    (bend, bent, least_growth): (L, L, L),
) -> LaneVec3<L> {
    let zero = L::splat(0.0);
    let growth = (bent - bend) / (bend * L::splat(BEND_GROWTH_FULL - 1.0)).max(least_growth);
    let part = L::select(zero.lt(hinge_weight), float::smooth01(growth), zero);
    swivel(side, grown_side, direction, part)
}

/// The mid joint's way from one bend side to another without a roll of the bones. Distances in the
/// limb's lengths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nudge<L> {
    /// Direction and distance of the end, and the mid joint's distances along and across it.
    pub aim: LaneVec3<L>,
    pub reach: L,
    pub along: L,
    pub across: L,
    /// Both sides, unit.
    pub from: LaneVec3<L>,
    pub to: LaneVec3<L>,
}

impl<L: Lane> Nudge<L> {
    /// The shortest turns of the upper and the lower bone.
    #[inline(always)]
    pub fn turns(&self) -> [LaneQuat<L>; 2] {
        let Self { aim, reach, along, across, from, to } = *self;
        let (to, from) = (to * across, from * across);
        let (upper, lower) = (aim * along, aim * (reach - along));
        [shortest(upper + from, upper + to), shortest(lower - from, lower - to)]
    }
}

/// The shortest turn between two vectors of one length; none for vectors without length.
#[inline(always)]
fn shortest<L: Lane>(from: LaneVec3<L>, to: LaneVec3<L>) -> LaneQuat<L> {
    let w = from.dot(from) + from.dot(to);
    LaneQuat::from_parts(from.cross(to), w.max(L::splat(1e-12))).normalize()
}

/// Interpolates from the unit vector `side` to the unit vector `to` (both perpendicular to the unit
/// vector `axis`), through their bisector; opposite ones by a half turn about `axis`.
#[inline(always)]
fn swivel<L: Lane>(side: LaneVec3<L>, to: LaneVec3<L>, axis: LaneVec3<L>, part: L) -> LaneVec3<L> {
    let (bisector, _) = (side + to).normalize_or(axis.cross(side), L::splat(1e-3));
    let left = L::splat(1.0) - part;
    let way = side * (left * left) + bisector * (L::splat(2.0) * left * part) + to * (part * part);
    let (way, _) = way.reject_from(axis).normalize_or(side, L::splat(1e-3));
    LaneVec3::select(L::splat(0.0).lt(part), way, side)
}
