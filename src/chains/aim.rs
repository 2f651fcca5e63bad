//! Aim IK in closed form: a joint turns so that a ray fixed in it points at a target.
//!
//! # Derivation
//!
//! The ray starts at `offset` from the joint and runs along the unit vector `axis` (both fixed in the joint, given in the
//! solve space as they are now). A point of the ray at distance `t` from its start is `offset + t·axis`; turning the joint
//! can bring it to the target exactly when `|offset + t·axis| = |target| = d`, so
//!
//! ```text
//! t = −offset·axis + √((offset·axis)² + d² − |offset|²)
//! ```
//!
//! and the shortest turn from `offset + t·axis` to `target` is the answer: the ray then passes through the target, not
//! merely parallel to the line from the joint. When the target is nearer to the joint than the ray ever comes, no turn
//! helps; then the nearest point of the ray (`t` with the root 0) is brought into the target's direction and the solution
//! says so.
//!
//! Source: elementary; the offset form is the one known from gaze rigs.

use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3};

/// A ray in a joint and its target, in the solve space, relative to the joint. Lengths in metres (host units).
#[derive(Clone, Copy, Debug)]
pub struct Aim<L> {
    /// Joint to start of the ray, as the joint is now.
    pub offset: LaneVec3<L>,
    /// Direction of the ray, unit, as the joint is now.
    pub axis: LaneVec3<L>,
    /// Joint to target.
    pub target: LaneVec3<L>,
    /// Axis of the half turn to take when the target lies exactly behind; unit, at right angles to `axis`.
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

/// Aims one joint, or several in step. Total: any finite input gives a unit quaternion; a target on the joint gives none.
#[inline(always)]
pub fn solve<L: Lane>(aim: &Aim<L>) -> AimSolution<L> {
    let zero = L::splat(0.0);
    // In units of the larger of the two distances, so that squares keep their range.
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
