//! The pole law: how the weight of a pole vector fades near the line from root to target, and how
//! far a weight turns the bend side towards the pole. One law for limbs, chains and aims.
//!
//! # Derivation
//!
//! The direction of the pole about the line from root to target is undefined where the pole is on
//! that line. So its weight fades out there, linearly with the sine of the angle between them: a
//! linear fade has the smallest slope for its width, hence the smallest speed of the bend side. The
//! width is [`POLE_FADE`]; for limbs straighter than [`POLE_FULL`] it is narrower in proportion,
//! down to a fiftieth, so that a pole at the mid joint itself keeps its full weight.
//!
//! A pole at the mid joint of a nearly straight limb gives the joint's place, but hardly the roll
//! of the bones: captured knees pass the line by a few millimetres, and their plane is noise. So of
//! a limb with an offset below [`ROLL_BENT`] and a pole within [`POLE_FADE`] of the line the bones'
//! roll follows the pole in proportion to the greater of both, and else the side that the limb
//! would have without the pole. The joint then bends beside its hinge, by no more than the limb is
//! bent. The bound for the pole is that of the fade, so that most poles need no second test.
//! The law has one singular point: the pole exactly opposite to that side, at half of either bound;
//! without it the point would be at the straight limb, where every capture passes.
//!
//! With a weight `w` below 1 the side takes the direction of the weighted sum
//! `(1 − w)·side + w·pole`: this is continuous while the pole moves round the line, except for
//! weight ½ and an exactly opposite pole. As an angle about the line it is [`blended_angle`].

use crate::math::{Lane, float};

/// Sine of the angle between pole and target direction below which the pole fades out.
pub(in crate::closed_form) const POLE_FADE: f32 = 0.05;
/// Offset of the mid joint, in limb lengths, below which that angle becomes narrower.
const POLE_FULL: f32 = 0.05;
/// Offset of the mid joint, in limb lengths, from which on the bones' roll follows the pole, as it
/// does from a sine of [`POLE_FADE`] on.
const ROLL_BENT: f32 = 0.03;

/// The factor on a pole's weight, 0 … 1. `sine`: of the angle between pole and line. `offset`: of
/// the mid joint from the line after the solve, in limb lengths.
#[inline(always)]
pub(crate) fn fade<L: Lane>(sine: L, offset: L) -> L {
    let narrow = (offset * L::splat(1.0 / POLE_FULL)).clamp(L::splat(0.02), L::splat(1.0));
    (sine * L::splat(1.0 / POLE_FADE) / narrow).min(L::splat(1.0))
}

/// How far the roll of a limb's bones follows the bend side that a pole gives, 0 … 1. Arguments
/// as for [`fade`].
#[inline(always)]
pub(crate) fn roll<L: Lane>(sine: L, offset: L) -> L {
    (sine * L::splat(1.0 / POLE_FADE)).max(offset * L::splat(1.0 / ROLL_BENT)).min(L::splat(1.0))
}

/// [`fade`] where the offset is not known: the full width.
#[inline(always)]
pub(crate) fn fade_full_width(sine: f32) -> f32 {
    fade(sine, 1.0)
}

/// Angle in radians by which the bend side turns towards a pole at `angle_rad` from it with a
/// weight of 0 … 1: the direction of the weighted sum of both.
pub(crate) fn blended_angle(angle_rad: f32, weight: f32) -> f32 {
    float::atan2(weight * float::sin(angle_rad), 1.0 - weight + weight * float::cos(angle_rad))
}
