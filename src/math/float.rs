//! The pinned float functions: the only transcendental functions the core may call.
//!
//! `std`'s `sin`, `acos`, … differ between platforms (and on some, between CPUs) in the last bit. These come from one
//! exact version of the `libm` crate, which uses nothing but `+ - * /` and integer work, so every target gives the same
//! bits. `clippy.toml` forbids the `std` ones. Square root is exact everywhere (IEEE 754), so it stays `f32::sqrt`.

/// Sine of an angle in radians.
#[inline]
pub fn sin(angle_rad: f32) -> f32 {
    libm::sinf(angle_rad)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(angle_rad: f32) -> f32 {
    libm::cosf(angle_rad)
}

/// Angle in radians, 0 … π, of a cosine. The argument is clamped to −1 … 1 first, so rounding never gives NaN.
#[inline]
pub fn acos(cosine: f32) -> f32 {
    libm::acosf(cosine.clamp(-1.0, 1.0))
}

/// Angle in radians, −π/2 … π/2, of a sine. The argument is clamped to −1 … 1 first.
#[inline]
pub fn asin(sine: f32) -> f32 {
    libm::asinf(sine.clamp(-1.0, 1.0))
}

/// Angle in radians, −π … π, of the point (`x`, `y`) seen from the origin; `atan2(0, 0)` is 0.
#[inline]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
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
#[inline]
pub fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
