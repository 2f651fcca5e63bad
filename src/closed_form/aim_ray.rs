//! Aim IK in closed form: a joint turns so that a ray fixed in it points at a target.
//!
//! # Derivation
//!
//! The ray starts at `offset` from the joint and runs along the unit vector `axis` (both fixed in
//! the joint, given in the solve space before the turn). A point of the ray at distance `t` from
//! its start is `offset + t·axis`; turning the joint can bring it to the target exactly when
//! `|offset + t·axis| = |target| = d`, so
//!
//! ```text
//! t = −offset·axis + √((offset·axis)² + d² − |offset|²)
//! ```
//!
//! and the solution is the shortest turn from `offset + t·axis` to `target`: the ray then passes
//! through the target, not merely parallel to the line from the joint. When the target is nearer to
//! the joint than every point of the ray, there is no solution; then the nearest point of the ray
//! (`t` with the square root 0) is turned into the target's direction, and the solution reports
//! that the target is not met.
//!
//! Source: elementary; the offset form is the one known from gaze rigs.

use crate::math::dispatch::Task;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, tiled};

/// Minimum distance of target and aiming point from the joint, relative to the larger of the
/// target's and the ray's distances.
const LEAST: f32 = 1e-3;
/// Minimum `1 + cos` of the turn; below it the axis and angle lose digits.
const MIN_ONE_PLUS_COS: f32 = 1e-2;

/// A ray in a joint and its target, in the solve space, relative to the joint. Lengths in metres
/// (host units).
#[derive(Clone, Copy, Debug, Default)]
pub struct Aim<L> {
    /// Joint to start of the ray, before the turn.
    pub offset: LaneVec3<L>,
    /// Direction of the ray, unit, before the turn.
    pub axis: LaneVec3<L>,
    /// Joint to target.
    pub target: LaneVec3<L>,
    /// Axis of the half turn when the target is exactly behind; unit, at right angles to `axis`.
    pub behind: LaneVec3<L>,
}

/// The turn that aims, in the solve space.
#[derive(Clone, Copy, Debug)]
pub struct AimSolution<L: Lane> {
    /// New rotation of the joint = `turn · old`.
    pub turn: LaneQuat<L>,
    /// True where the ray meets the target; false where the target is too near to the joint.
    pub met: L::Mask,
}

tiled!(Aim { offset, axis, target, behind });

/// Aims one joint, or several side by side. Total: any finite input gives a unit quaternion; a
/// target on the joint gives the identity.
#[inline(always)]
pub fn solve<L: Lane>(aim: &Aim<L>) -> AimSolution<L> {
    let (short, special) = solve_short(aim);
    if !special.any() {
        return short;
    }
    let long = solve_exact_cold(aim);
    let met = special.and(long.met).or(special.not().and(short.met));
    AimSolution { turn: LaneQuat::select(special, long.turn, short.turn), met }
}

/// The fast path, for ordinary rays: no distance that is tiny or out of range, no turn near a half
/// turn. The mask is true where the exact form must compute the turn.
#[inline(always)]
pub(super) fn solve_short<L: Lane>(aim: &Aim<L>) -> (AimSolution<L>, L::Mask) {
    let zero = L::splat(0.0);
    let (offset2, distance2) = (aim.offset.dot(aim.offset), aim.target.dot(aim.target));
    let along = aim.offset.dot(aim.axis);
    let root2 = along * along + distance2 - offset2;
    let t = root2.max(zero).root() - along;
    let point = aim.offset + aim.axis * t;
    let point2 = point.dot(point);
    // Unit vectors times the product of both lengths: the normalisation of the turn removes the
    // factor.
    let (cosine, axis) = (point.dot(aim.target), point.cross(aim.target));
    let w = (point2 * distance2).root() + cosine;
    let turn = LaneQuat::from_parts(axis, w).normalize();
    let least = offset2.max(distance2) * L::splat(LEAST * LEAST);
    let sizes = least.lt(distance2).and(least.lt(point2));
    let range = L::splat(1e-8).lt(distance2).and(offset2.max(distance2).lt(L::splat(1e8)));
    // Written so that NaN takes the exact form, too.
    let turned = (point2 * distance2 * L::splat(MIN_ONE_PLUS_COS * MIN_ONE_PLUS_COS)).lt(w * w).and(zero.lt(w));
    let met = root2.lt(zero).not().and(zero.lt(t));
    (AimSolution { turn, met }, sizes.and(range).and(turned).not())
}

/// [`solve_exact`] out of line.
#[inline(never)]
pub(super) fn solve_exact_cold<L: Lane>(aim: &Aim<L>) -> AimSolution<L> {
    L::run(Exact(aim))
}

struct Exact<'a, L>(&'a Aim<L>);

impl<L: Lane> Task for Exact<'_, L> {
    type Output = AimSolution<L>;
    #[inline(always)]
    fn run(self) -> AimSolution<L> {
        solve_exact(self.0)
    }
}

/// The exact form, valid for every ray. The fallback.
#[inline(always)]
fn solve_exact<L: Lane>(aim: &Aim<L>) -> AimSolution<L> {
    let zero = L::splat(0.0);
    // In units of the larger of the two distances, so that squares stay in range.
    let (_, offset_length) = aim.offset.normalize_or(aim.axis, zero);
    let (to, to_length) = aim.target.normalize_or(aim.axis, L::splat(1e-12));
    let unit = offset_length.max(to_length).max(L::splat(1e-30));
    let offset = aim.offset * (L::splat(1.0) / unit);
    let distance = to_length / unit;
    let along = offset.dot(aim.axis);
    let root2 = along * along + distance * distance - offset.dot(offset);
    let reachable = root2.lt(zero).not();
    let t = root2.max(zero).sqrt() - along;
    let point = offset + aim.axis * t;
    let (from, from_length) = point.normalize_or(aim.axis, L::splat(1e-12));
    let degenerate = from_length.lt(L::splat(1e-12)).or(to_length.lt(L::splat(1e-12)));
    let (behind, _) = aim.behind.reject_from(from).normalize_or(from.any_perpendicular(), L::splat(1e-3));
    let turn = LaneQuat::arc(from, to, behind);
    AimSolution {
        turn: LaneQuat::select(degenerate, LaneQuat::identity(), turn),
        met: reachable.and(degenerate.not()).and(zero.lt(t)),
    }
}
