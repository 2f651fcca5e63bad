//! The pinned float functions: the only transcendental functions the core may call.
//!
//! `std`'s `sin`, `acos`, … differ between platforms (and on some, between CPUs) in the last bit.
//! These use nothing but `+ - * / sqrt`, comparisons and sign bits, so every target gives the same
//! bits, and each is written once over [`Lane`], so eight lanes give the bits of eight scalar
//! calls. `clippy.toml` forbids the `std` ones. Square root is exact everywhere (IEEE 754), so it
//! stays `f32::sqrt`.
//!
//! # Derivation
//!
//! Each argument is reduced to a short interval, on which an odd or even polynomial is evaluated:
//!
//! - *Sine and cosine*: the nearest multiple `q` of π/2 is subtracted in three parts, of which the
//!   first two have so few bits that their products with `q` are exact (W. Cody, W. Waite,
//!   "Software Manual for the Elementary Functions", 1980). `q` mod 4 selects which of the two
//!   polynomials of the remainder, |r| ≤ π/4, is the sine and which the cosine, and their signs.
//! - *Arc tangent*: of the smaller by the larger number, and above tan(π/8) of `(t − 1)/(t + 1)`
//!   with π/4 added; one division in all. Multiples of π/4 are added in two parts.
//! - *Arc sine and cosine*: of |x| up to ½; above, asin x = π/2 − 2·asin √((1 − x)/2).
//!
//! The coefficients were computed for this file: minimax polynomials by the Remez exchange
//! algorithm in 40 digits (E. Remez, 1934), least relative error of the whole function (for the
//! cosine, absolute error), rounded to `f32`. Before rounding their errors are 4e-9 (sine), 1e-10
//! (cosine), 7e-10 (arc tangent) and 5e-9 (arc sine); with the rounding of the arithmetic, all
//! functions stay below 2 units in the last place (tests/math/float.rs). Arguments outside the
//! range of
//! the reduction — angles beyond [`FAR`], numbers whose sums or quotients leave the range of `f32`
//! — take the fallback: the pinned `libm` crate, lane by lane.

use super::lane::{Lane, LaneMask};

/// Angle in radians up to which sine and cosine are computed here.
pub const FAR: f32 = 25.0;

/// π/2 in three parts, the first two of 16 bits.
const HALF_PI: [f32; 3] = [1.570_770_3, 2.606_306_2e-5, 6.077_100_6e-11];
/// 1.5·2²³: added and subtracted again, it rounds to a whole number, ties to even.
const ROUND: f32 = 12_582_912.0;
/// π/4 in two parts, the first of 22 bits: three and four times that are exact.
#[allow(clippy::approx_constant)] // Not the nearest number to π/4: the second part holds the remainder.
const QUARTER_PI: [f32; 2] = [7.853_98e-1, 1.569_582_4e-7];
/// tan(π/8).
const TAN_EIGHTH: f32 = 0.414_213_57;

/// Coefficients of the powers of the squared argument, lowest first, without the leading terms.
const SIN: [f32; 3] = [-1.666_665_5e-1, 8.332_159e-3, -1.951_512_1e-4];
const COS: [f32; 3] = [4.166_664_6e-2, -1.388_736_7e-3, 2.443_827_2e-5];
const ATAN: [f32; 5] = [-3.333_331_6e-1, 1.999_846_8e-1, -1.424_347_8e-1, 1.059_338_1e-1, -6.077_07e-2];
const ASIN: [f32; 5] = [1.666_675_2e-1, 7.495_297_5e-2, 4.547_038e-2, 2.417_950_7e-2, 4.216_632e-2];

/// `c₀ + c₁·z + c₂·z² + …`
#[inline(always)]
fn polynomial<L: Lane, const N: usize>(coefficients: [f32; N], z: L) -> L {
    let mut sum = L::splat(coefficients[N - 1]);
    for i in (0..N - 1).rev() {
        sum = sum * z + L::splat(coefficients[i]);
    }
    sum
}

/// Nearest whole number; the magnitude must be below 2²².
#[inline(always)]
fn round<L: Lane>(x: L) -> L {
    (x + L::splat(ROUND)) - L::splat(ROUND)
}

/// Sine and cosine of an angle in radians. The sine of −0 is 0.
#[inline(always)]
pub fn sin_cos<L: Lane>(angle_rad: L) -> (L, L) {
    let one = L::splat(1.0);
    let q = round(angle_rad * L::splat(core::f32::consts::FRAC_2_PI));
    let [a, b, c] = HALF_PI.map(L::splat);
    let r = ((angle_rad - q * a) - q * b) - q * c;
    let z = r * r;
    let s = r + r * (z * polynomial(SIN, z));
    let c = one - (z * L::splat(0.5) - z * z * polynomial(COS, z));
    // −2 … 2: 0 ahead, 1 and −1 a quarter circle forward and backward, ±2 behind.
    let quarter = q - round(q * L::splat(0.25)) * L::splat(4.0);
    let size = quarter.abs();
    let ahead = one - size;
    let aside = L::splat(0.5).lt(size).and(size.lt(L::splat(1.5)));
    let sine = L::select(aside, c * quarter, s * ahead);
    let cosine = L::select(aside, -(s * quarter), c * ahead);
    let far = L::splat(FAR).lt(angle_rad.abs());
    if far.any() {
        return (L::select(far, angle_rad.map(libm::sinf), sine), L::select(far, angle_rad.map(libm::cosf), cosine));
    }
    (sine, cosine)
}

/// Sine of an angle in radians.
#[inline(always)]
pub fn sin<L: Lane>(angle_rad: L) -> L {
    sin_cos(angle_rad).0
}

/// Cosine of an angle in radians.
#[inline(always)]
pub fn cos<L: Lane>(angle_rad: L) -> L {
    sin_cos(angle_rad).1
}

/// Angle in radians, −π … π, of the point (`x`, `y`) seen from the origin; `atan2(0, 0)` is 0.
#[inline(always)]
pub fn atan2<L: Lane>(y: L, x: L) -> L {
    let zero = L::splat(0.0);
    let (wide, high) = (x.abs(), y.abs());
    let steep = wide.lt(high);
    let (small, large) = (L::select(steep, wide, high), L::select(steep, high, wide));
    let past = (large * L::splat(TAN_EIGHTH)).lt(small);
    let t = L::select(past, small - large, small) / L::select(past, small + large, large);
    // The angle is `eighths · π/4 + atan t`; each mirroring subtracts the eighths from its own
    // number of eighths and negates `t`.
    let eighths = L::select(past, L::splat(1.0), zero);
    let (eighths, t) = (L::select(steep, L::splat(2.0) - eighths, eighths), L::select(steep, -t, t));
    let behind = x.lt(zero);
    let (eighths, t) = (L::select(behind, L::splat(4.0) - eighths, eighths), L::select(behind, -t, t));
    let z = t * t;
    let rest = t * (z * polynomial(ATAN, z));
    // The two large numbers first: their sum is exact or nearly so.
    let angle = (eighths * L::splat(QUARTER_PI[0]) + t) + (rest + eighths * L::splat(QUARTER_PI[1]));
    let angle = angle.copy_sign(y);
    let odd = large.lt(L::splat(1e-37)).or(L::splat(1e38).lt(large));
    if odd.any() {
        return L::select(odd, y.map2(x, libm::atan2f), angle);
    }
    angle
}

/// Clamps `x` to `low ..= high`; NaN stays NaN.
#[inline(always)]
fn limited_to<L: Lane>(low: L, high: L, x: L) -> L {
    high.min(low.max(x))
}

/// Argument reduction of the arc sine: `t` is |x| up to ½ and √((1 − |x|)/2) above, with asin t − t
/// and the mask of the lanes above ½.
#[inline(always)]
fn asin_parts<L: Lane>(x: L) -> (L, L, L::Mask) {
    let size = x.abs();
    let near_one = L::splat(0.5).lt(size);
    let z = L::select(near_one, (L::splat(1.0) - size) * L::splat(0.5), size * size);
    let t = L::select(near_one, z.sqrt(), size);
    (t, t * (z * polynomial(ASIN, z)), near_one)
}

/// Angle in radians, 0 … π, of a cosine. The argument is clamped to −1 … 1 first, so rounding never
/// gives NaN.
#[inline(always)]
pub fn acos<L: Lane>(cosine: L) -> L {
    let x = limited_to(L::splat(-1.0), L::splat(1.0), cosine);
    let (t, rest, near_one) = asin_parts(x);
    let sign = L::splat(1.0).copy_sign(x);
    let quarters = L::select(near_one, L::splat(1.0) - sign, L::splat(1.0)) * L::splat(2.0);
    let part = (t + rest) * L::select(near_one, sign + sign, -sign);
    quarters * L::splat(QUARTER_PI[0]) + (part + quarters * L::splat(QUARTER_PI[1]))
}

/// Angle in radians, −π/2 … π/2, of a sine. The argument is clamped to −1 … 1 first.
#[inline(always)]
pub fn asin<L: Lane>(sine: L) -> L {
    let x = limited_to(L::splat(-1.0), L::splat(1.0), sine);
    let (t, rest, near_one) = asin_parts(x);
    let [high, low] = QUARTER_PI.map(|part| L::splat(2.0 * part));
    let other = (high - (t + t)) - ((rest + rest) - low);
    L::select(near_one, other, t + rest).copy_sign(x)
}

/// `e` to the power of `x`.
#[inline]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Square root; 0 for negative arguments (which are rounding noise wherever this is used).
#[inline]
pub fn sqrt(x: f32) -> f32 {
    x.max(0.0).sqrt()
}

/// Smooth step: 0 at and below `from`, 1 at and above `to`, with zero slope at both ends.
#[inline(always)]
pub fn smooth_step<L: Lane>(from: L, to: L, x: L) -> L {
    let t = limited_to(L::splat(0.0), L::splat(1.0), (x - from) / (to - from));
    t * t * (L::splat(3.0) - L::splat(2.0) * t)
}

/// Smooth step of a number in 0 … 1: zero slope at both ends.
#[inline(always)]
pub(crate) fn smooth01<L: Lane>(t: L) -> L {
    let t = t.clamp(L::splat(0.0), L::splat(1.0));
    t * t * (L::splat(3.0) - L::splat(2.0) * t)
}
