//! The pole law: how much of its weight a pole keeps near the line it is measured about, and how
//! far a weight turns a side towards it. One law for limbs, chains and aims.
//!
//! # Derivation
//!
//! About the line root to target the pole's direction is undefined where the pole lies on that
//! line. So its weight fades out there, linearly with the sine of the angle between them: a linear
//! fade has the least slope for its width, hence the least speed of the bend side. The width is
//! [`POLE_FADE`]; for limbs straighter than [`POLE_FULL`] it is narrower in proportion, down to a
//! fiftieth, so that a pole at the mid joint itself still counts in full.
//!
//! With a weight `w` below 1 the side takes the direction of the weighted sum `(1 − w)·side +
//! w·pole`: that is continuous while the pole goes round the line, except for weight ½ and a pole
//! right opposite. As an angle about the line it is [`blended_angle`].

use crate::math::{Lane, float};

/// Sine of the angle between pole and target direction at which the pole begins to fade out.
pub(in crate::closed_form) const POLE_FADE: f32 = 0.05;
/// Offset of the mid joint, in limb lengths, below which that angle is narrower.
const POLE_FULL: f32 = 0.05;

/// Part of its weight that a pole keeps, 0 … 1. `sine`: of the angle between pole and line.
/// `offset`: of the mid joint from the line after the solve, in limb lengths.
#[inline(always)]
pub(crate) fn fade<L: Lane>(sine: L, offset: L) -> L {
    let narrow = (offset * L::splat(1.0 / POLE_FULL)).clamp(L::splat(0.02), L::splat(1.0));
    (sine * L::splat(1.0 / POLE_FADE) / narrow).min(L::splat(1.0))
}

/// [`fade`] where the offset is not known: the full width.
#[inline(always)]
pub(crate) fn fade_full_width(sine: f32) -> f32 {
    fade(sine, 1.0)
}

/// Angle by which a side turns, radians, whose pole lies at `angle_rad` from it, with a weight of
/// 0 … 1: the direction of the weighted sum of both.
pub(crate) fn blended_angle(angle_rad: f32, weight: f32) -> f32 {
    float::atan2(weight * float::sin(angle_rad), 1.0 - weight + weight * float::cos(angle_rad))
}
