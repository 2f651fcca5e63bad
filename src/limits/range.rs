//! A range of an angle.

use core::f32::consts::PI;

/// Closed range of an angle about one axis, radians, `min ≤ max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least angle, radians.
    pub min: f32,
    /// Greatest angle, radians.
    pub max: f32,
}

impl Range {
    /// Every angle.
    pub const FREE: Self = Self { min: -PI, max: PI };
    /// The angle 0 alone.
    pub(crate) const NONE: Self = Self { min: 0.0, max: 0.0 };

    /// The range from the smaller to the larger of two angles; what is not a number becomes 0.
    pub fn new(a: f32, b: f32) -> Self {
        let number = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-PI, PI) };
        let (a, b) = (number(a), number(b));
        Self { min: a.min(b), max: a.max(b) }
    }
    /// Whether every angle is inside (to rounding).
    pub fn is_free(&self) -> bool {
        self.max - self.min >= 2.0 * PI - 1e-5
    }
    /// The nearest angle inside, measured round the circle; `angle_rad` in −π … π.
    pub fn clamp(&self, angle_rad: f32) -> f32 {
        if self.is_free() || (self.min..=self.max).contains(&angle_rad) {
            return angle_rad;
        }
        let away = |end: f32| {
            let d = (angle_rad - end).abs();
            d.min(2.0 * PI - d)
        };
        if away(self.min) < away(self.max) { self.min } else { self.max }
    }
    /// The same angles, counted the other way round.
    pub(crate) fn mirrored(&self) -> Self {
        Self { min: -self.max, max: -self.min }
    }
    /// The range with 0 inside: `min` at most 0, `max` at least 0.
    pub(super) fn around_zero(&self) -> Self {
        Self { min: self.min.min(0.0), max: self.max.max(0.0) }
    }
}
