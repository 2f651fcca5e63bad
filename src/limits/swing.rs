//! Regions of swings: which way, and how far, a bone's axis may lean from its rest direction.
//!
//! A swing turns by an angle `a` about an axis in the XZ plane of limit space. It is measured by `s
//! = (sx, sz) = sin(a/2) · axis`, which is what its quaternion holds: no trigonometry, and half the
//! "2 sin(a/2)" measure of Blender's standard solver (facts measured on Blender 5.0.1). A limit
//! angle `m` on X or Z stands for `sin(m/2)` in that measure, so that a limit about one axis alone
//! is the angle itself.
//!
//! Nearest point of an ellipse: with semi-axes `e` and an outside point `y` (both made positive),
//! the nearest point is `xᵢ = eᵢ² yᵢ / (t + eᵢ²)` for the root `t` of `Σ (eᵢ yᵢ / (t + eᵢ²))² = 1`;
//! the left side falls and is convex for `t > −min eᵢ²`, so Newton's method from a point left of
//! the root never overshoots. Source: D. Eberly, "Distance from a Point to an Ellipse, an
//! Ellipsoid, or a Hyperellipsoid" (Geometric Tools, 2013), §2.

use super::polygon::Polygon;
use super::range::Range;
use crate::math::{F32x4, Lane, LaneMask, LaneQuat, Mask4, Quat, Vec3, arc, float};

/// Where a swing may go. Ranges hold 0: the rest direction is always allowed.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum SwingRegion {
    /// Everywhere.
    #[default]
    Free,
    /// Only the component about X is limited.
    X(Range),
    /// Only the component about Z is limited.
    Z(Range),
    /// Four quarters of ellipses: the four limits are the semi-axes. A cone when all are alike.
    Ellipse {
        /// About X.
        x: Range,
        /// About Z.
        z: Range,
    },
    /// The bone's axis stays inside a convex polygon on the sphere.
    Polygon(Polygon),
}

/// Rounding allowed at a border, in the half-sine measure.
const SLACK: f32 = 3e-7;

fn half_sine(angle_rad: f32) -> f32 {
    float::sin(0.5 * angle_rad)
}

impl SwingRegion {
    /// A circular cone: the swing's angle is at most `angle_rad`, 0 … π.
    pub fn cone(angle_rad: f32) -> Self {
        let range = Range::new(-angle_rad.abs(), angle_rad.abs());
        Self::Ellipse { x: range, z: range }
    }
    /// The region with all its ranges made to hold 0.
    pub(super) fn sane(self) -> Self {
        match self {
            Self::X(x) => Self::X(x.around_zero()),
            Self::Z(z) => Self::Z(z.around_zero()),
            Self::Ellipse { x, z } => Self::Ellipse { x: x.around_zero(), z: z.around_zero() },
            other => other,
        }
    }
    /// Whether nothing is limited.
    pub fn is_free(&self) -> bool {
        match self {
            Self::Free => true,
            Self::X(range) | Self::Z(range) => range.is_free(),
            Self::Ellipse { x, z } => x.is_free() && z.is_free(),
            Self::Polygon(_) => false,
        }
    }
    /// Nearest admissible swing to `swing` (a unit quaternion without y part, `w ≥ 0`).
    pub(super) fn project(&self, swing: Quat) -> Quat {
        let (sx, sz) = match self {
            Self::Free => return swing,
            Self::X(range) => (clamp_component(range, swing.x), swing.z),
            Self::Z(range) => (swing.x, clamp_component(range, swing.z)),
            Self::Ellipse { x, z } => nearest_in_ellipse(x, z, swing.x, swing.z),
            Self::Polygon(polygon) => {
                let direction = swing * Vec3::Y;
                if polygon.holds(direction) {
                    return swing;
                }
                return arc(Vec3::Y, polygon.nearest(direction));
            }
        };
        if (sx, sz) == (swing.x, swing.z) {
            return swing;
        }
        Quat::from_xyzw(sx, 0.0, sz, float::sqrt(1.0 - sx * sx - sz * sz))
    }
    /// Where four swings (unit quaternions without y part) are in their regions, so that
    /// [`Self::project`] returns them as they are; false in places where that takes a search.
    #[inline(always)]
    pub(crate) fn hold(regions: &[Self; 4], swing: LaneQuat<F32x4>) -> Mask4 {
        let (zero, one) = (F32x4::splat(0.0), F32x4::splat(1.0));
        let backward = swing.w.lt(zero);
        let [sx, sz] = [swing.x, swing.z].map(|s| F32x4::select(backward, -s, s));
        let axes = regions.map(|region| match region {
            Self::Ellipse { x, z } => [-x.min, x.max, -z.min, z.max],
            Self::Free => [core::f32::consts::PI; 4],
            _ => [0.0; 4],
        });
        let axis = |low: usize, s: F32x4| {
            let [low, high] = [low, low + 1].map(|side| F32x4(axes.map(|axes| axes[side])));
            float::sin(F32x4::select(s.lt(zero), low, high) * F32x4::splat(0.5))
        };
        let (a, b) = (axis(0, sx), axis(2, sz));
        let (u, v) = (sx / a, sz / b);
        let inside = one + F32x4::splat(2.0 * SLACK) / a.min(b);
        let is_wide = F32x4::splat(FLAT).lt(a).and(F32x4::splat(FLAT).lt(b));
        is_wide.and(inside.lt(u * u + v * v).not())
    }
    /// Calls `wall(inside, outward)` for each border: `inside` is the distance to it in the
    /// half-sine measure (negative outside), `outward` the gradient of leaving as weights on the
    /// components `(sx, sz)`, unit.
    pub(super) fn borders(&self, swing: Quat, mut wall: impl FnMut(f32, (f32, f32))) {
        let mut component = |range: &Range, value: f32, along: (f32, f32)| {
            if !range.is_free() {
                wall(half_sine(range.max) - value, along);
                wall(value - half_sine(range.min), (-along.0, -along.1));
            }
        };
        match self {
            Self::Free | Self::Polygon(_) => {}
            Self::X(range) => component(range, swing.x, (1.0, 0.0)),
            Self::Z(range) => component(range, swing.z, (0.0, 1.0)),
            Self::Ellipse { x, z } => {
                let (low_x, high_x) = (half_sine(-x.min), half_sine(x.max));
                let (low_z, high_z) = (half_sine(-z.min), half_sine(z.max));
                // A quarter without width has a flat side, which the ellipse's gradient cannot
                // show.
                for (width, value, along) in [
                    (high_x, swing.x, (1.0, 0.0)),
                    (low_x, -swing.x, (-1.0, 0.0)),
                    (high_z, swing.z, (0.0, 1.0)),
                    (low_z, -swing.z, (0.0, -1.0)),
                ] {
                    if width < FLAT {
                        wall(width - value, along);
                    }
                }
                let a = if swing.x < 0.0 { low_x } else { high_x };
                let b = if swing.z < 0.0 { low_z } else { high_z };
                if a >= FLAT && b >= FLAT {
                    let (u, v) = (swing.x / a, swing.z / b);
                    let (gx, gz) = (u / a, v / b);
                    let gradient = float::sqrt(gx * gx + gz * gz);
                    let radius = float::sqrt(u * u + v * v);
                    if gradient > 1e-6 {
                        // First-order distance to the level line radius = 1, whose gradient is (gx,
                        // gz)/radius.
                        wall((1.0 - radius) * radius / gradient, (gx / gradient, gz / gradient));
                    }
                } else if a >= FLAT {
                    wall(a - swing.x.abs(), (if swing.x < 0.0 { -1.0 } else { 1.0 }, 0.0));
                } else if b >= FLAT {
                    wall(b - swing.z.abs(), (0.0, if swing.z < 0.0 { -1.0 } else { 1.0 }));
                }
            }
        }
    }
}

/// Semi-axes below this count as none.
const FLAT: f32 = 1e-5;

fn clamp_component(range: &Range, value: f32) -> f32 {
    if range.is_free() {
        return value;
    }
    let (low, high) = (half_sine(range.min), half_sine(range.max));
    if value > high + SLACK {
        high
    } else if value < low - SLACK {
        low
    } else {
        value
    }
}

fn nearest_in_ellipse(x: &Range, z: &Range, sx: f32, sz: f32) -> (f32, f32) {
    let a = half_sine(if sx < 0.0 { -x.min } else { x.max });
    let b = half_sine(if sz < 0.0 { -z.min } else { z.max });
    let (px, pz) = (sx.abs(), sz.abs());
    let signed = |u: f32, v: f32| (if sx < 0.0 { -u } else { u }, if sz < 0.0 { -v } else { v });
    if a < FLAT || b < FLAT {
        let limit = |width: f32, value: f32| if value > width + SLACK { width } else { value };
        return signed(limit(a, px), limit(b, pz));
    }
    let level = |u: f32, v: f32| (u / a) * (u / a) + (v / b) * (v / b);
    let narrow = a.min(b);
    if level(px, pz) <= 1.0 + 2.0 * SLACK / narrow {
        return (sx, sz);
    }
    let (u, v) = nearest_in_quarter(a, b, px, pz);
    signed(u, v)
}

/// Nearest point of the ellipse with semi-axes `a`, `b` to a point outside of it, first quarter.
pub(super) fn nearest_in_quarter(a: f32, b: f32, px: f32, pz: f32) -> (f32, f32) {
    let narrow = a.min(b);
    let (a2, b2) = (a * a, b * b);
    let mut t = (a * px - a2).max(b * pz - b2);
    for _ in 0..24 {
        let (u, v) = (a * px / (t + a2), b * pz / (t + b2));
        let value = u * u + v * v - 1.0;
        let slope = -2.0 * (u * u / (t + a2) + v * v / (t + b2));
        let step = value / slope;
        t -= step;
        if step.abs() <= 1e-7 * narrow * narrow {
            break;
        }
    }
    let (u, v) = (a2 * px / (t + a2), b2 * pz / (t + b2));
    let level = (u / a) * (u / a) + (v / b) * (v / b);
    let scale = 1.0 / float::sqrt(level);
    (u * scale, v * scale)
}
