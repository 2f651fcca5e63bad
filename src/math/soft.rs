//! The curve of a soft limit: how a quantity slows down before its limit. The same curve for the
//! reach of limbs, the angles of gaze, eyes and shoulders, and the borders of joint limits.
//!
//! # Derivation
//!
//! A quantity `v` with limit `m` and softness `σ` follows the parabola
//!
//! ```text
//! s(v) = (1 − σ)·m + σ·m·(2u − u²),   u = (v − (1 − σ)·m) / (2σ·m)
//! ```
//!
//! from `(1 − σ)·m`, where it leaves `s = v` with slope 1, to `(1 + σ)·m`, where it meets `s = m`
//! with slope 0. With the room `r = m − s` left and the width `w = σ·m` of the soft zone the slope
//! is `1 − u = √(r/w)`: [`slope`], the share of a requested turn that a joint near its border
//! makes.
//!
//! The purpose is that of A. Nicholas' soft IK (2009), with a polynomial in place of the
//! exponential, so that the limit is reached at a finite value.

use super::float;
use super::lane::Lane;

/// `value`, softly limited to `limit`: unchanged up to `(1 − softness)·limit`, `limit` from
/// `(1 + softness)·limit` on, with a continuous slope. `limit` above 0, softness 0 … 1; 0: a hard
/// limit.
#[inline(always)]
pub fn soft_limit<L: Lane>(value: L, limit: L, softness: L) -> L {
    let (one, two) = (L::splat(1.0), L::splat(2.0));
    let (hard, band) = (limit * (one - softness), softness * limit);
    let u = ((value - hard) / (band * two).max(L::splat(1e-30))).clamp(L::splat(0.0), one);
    value.min(hard + band * (u * (two - u)))
}

/// Slope of the soft curve where `room` is left before the limit, 0 … 1. `width` of the soft zone,
/// same unit; 0: a hard limit, slope 1.
pub fn slope(room: f32, width: f32) -> f32 {
    if room >= width { 1.0 } else { float::sqrt(room.max(0.0) / width) }
}
