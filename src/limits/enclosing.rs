//! Half-spaces round the limits of a joint: what a swivel of its limb may be.

use super::half_spaces::HalfSpace;
use super::joint::{Freedom, JointModel};
use super::range::Range;
use super::swing::SwingRegion;
use crate::math::{Vec3, float};

const PI: f32 = core::f32::consts::PI;
const DIAGONAL: f32 = core::f32::consts::FRAC_1_SQRT_2;

impl JointModel {
    /// Most conditions that [`Self::enclosing`] gives.
    pub(crate) const MAX_ENCLOSING: usize = 10;

    /// Half-spaces that every admissible rotation fulfils: exactly the limits of [`HalfSpaces`],
    /// polygons, cones and twists; tangents round an ellipse. Calls `visit` at most
    /// [`Self::MAX_ENCLOSING`] times. Whether there is such a description: a joint of fewer than
    /// three freedoms has none.
    pub(crate) fn enclosing(&self, mut visit: impl FnMut(HalfSpace)) -> bool {
        match &self.freedom {
            Freedom::HalfSpaces(limits) => limits.conditions().for_each(visit),
            Freedom::Ball { swing, twist } => {
                enclosing_twist(twist, &mut visit);
                enclosing_swing(swing, &mut visit);
            }
            _ => return false,
        }
        true
    }
}

/// `tan t = (R₀₂ − R₂₀)/(R₀₀ + R₂₂)` for the twist `t` about Y.
fn enclosing_twist(twist: &Range, visit: &mut impl FnMut(HalfSpace)) {
    // The half-plane round an angle.
    let mut round = |angle: f32, offset: f32| {
        let (s, c) = float::sin_cos(angle);
        visit(HalfSpace { columns: [Vec3::new(c, 0.0, -s), Vec3::ZERO, Vec3::new(s, 0.0, c)], offset });
    };
    let width = twist.max - twist.min;
    if twist.is_free() {
        return;
    }
    if width <= PI {
        round(twist.min + 0.5 * PI, 0.0);
        round(twist.max - 0.5 * PI, 0.0);
    } else {
        // The chord of the range on the unit circle; a swing makes the circle smaller.
        round(0.5 * (twist.min + twist.max), -2.0 * float::cos(0.5 * width));
    }
}

fn enclosing_swing(swing: &SwingRegion, visit: &mut impl FnMut(HalfSpace)) {
    let half = |angle: f32| float::sin(0.5 * angle);
    match swing {
        SwingRegion::Free => {}
        SwingRegion::Polygon(polygon) => {
            for edge in 0..polygon.edges() {
                visit(HalfSpace { columns: [Vec3::ZERO, polygon.normal(edge), Vec3::ZERO], offset: 0.0 });
            }
        }
        SwingRegion::Ellipse { x, z } if [-x.min, -z.min, z.max].iter().all(|a| (a - x.max).abs() < 1e-6) => {
            visit(HalfSpace::cap(-Vec3::Y, -float::cos(x.max)));
        }
        SwingRegion::Ellipse { x, z } => {
            let (xs, zs) = ([half(x.max), -half(x.min)], [half(z.max), -half(z.min)]);
            for i in 0..2 {
                tangent([xs[i], zs[i]], [i, i], (1.0, 0.0), visit);
                tangent([xs[i], zs[i]], [i, i], (0.0, 1.0), visit);
                for (k, z) in zs.iter().enumerate() {
                    tangent([xs[i], *z], [i, k], (DIAGONAL, DIAGONAL), visit);
                }
            }
        }
        SwingRegion::X(x) => {
            tangent([half(x.max), 1.0], [0, 0], (1.0, 0.0), visit);
            tangent([-half(x.min), 1.0], [1, 0], (1.0, 0.0), visit);
        }
        SwingRegion::Z(z) => {
            tangent([1.0, half(z.max)], [0, 0], (0.0, 1.0), visit);
            tangent([1.0, -half(z.min)], [0, 1], (0.0, 1.0), visit);
        }
    }
}

/// The half-space that touches a quarter ellipse at a point given by cosine and sine. `axes` are
/// the semi-axes, not negative, and `sides` is 0 where a component is positive, 1 where it is
/// negative. With `s = (d_z, −d_x)/√(2(1 + d_y))` the tangent is `α d_z − β d_x ≤ γ √(2(1 + d_y))`;
/// the right side is concave in `d_y`, so its own tangent is above it.
fn tangent(axes: [f32; 2], sides: [usize; 2], (c, s): (f32, f32), visit: &mut impl FnMut(HalfSpace)) {
    let sign = |side: usize| if side == 0 { 1.0 } else { -1.0 };
    let (px, pz) = (axes[0] * c * sign(sides[0]), axes[1] * s * sign(sides[1]));
    // Across the ellipse: (c/a, s/b).
    let (alpha, beta) = (c * axes[1] * sign(sides[0]), s * axes[0] * sign(sides[1]));
    let (alpha, beta) = match float::sqrt(alpha * alpha + beta * beta) {
        // A quarter without width has flat sides.
        size if size < 1e-9 => (c * sign(sides[0]), s * sign(sides[1])),
        size => (alpha / size, beta / size),
    };
    let gamma = alpha * px + beta * pz;
    // `d_y = 1 − 2|s|²` there.
    let y = 1.0 - 2.0 * (px * px + pz * pz);
    let root = float::sqrt((2.0 * (1.0 + y)).max(1e-6));
    visit(HalfSpace {
        columns: [Vec3::ZERO, Vec3::new(beta, gamma / root, -alpha), Vec3::ZERO],
        offset: gamma * (root - y / root),
    });
}
