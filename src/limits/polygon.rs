//! A convex polygon on the sphere of directions that a bone's axis may point to.

use crate::math::{Vec3, normalize_or, unit_or};

/// Convex spherical polygon of up to [`Polygon::MAX`] corners, in limit space, holding the rest
/// direction +Y.
///
/// A direction `d` is inside when it is on the inner side of every edge's plane through the centre:
/// `nᵢ · d ≥ 0`. The nearest inside direction of an outside one is on an edge (the projection to
/// its plane) or is a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    corners: [Vec3; Self::MAX],
    count: usize,
}

impl Polygon {
    /// Most corners a polygon may have.
    pub const MAX: usize = 8;

    /// A polygon with these corners (any length but zero, in order round +Y, either way round).
    /// `None` when there are fewer than three or too many, when it is not convex, spans half the
    /// sphere or more, or does not hold +Y.
    pub fn new(corners: &[Vec3]) -> Option<Self> {
        if corners.len() < 3 || corners.len() > Self::MAX || corners.iter().any(|c| !c.is_finite()) {
            return None;
        }
        let mut polygon = Self { corners: [Vec3::Y; Self::MAX], count: corners.len() };
        for (to, from) in polygon.corners.iter_mut().zip(corners) {
            *to = unit_or(*from, Vec3::ZERO);
        }
        if polygon.normal(0).dot(Vec3::Y) < 0.0 {
            polygon.corners[..corners.len()].reverse();
        }
        let sound = (0..polygon.count).all(|edge| {
            let n = polygon.normal(edge);
            n.length() > 0.5
                && n.dot(Vec3::Y) >= 0.0
                && polygon.corners[..polygon.count].iter().all(|c| n.dot(*c) > -1e-5)
        });
        sound.then_some(polygon)
    }
    /// Corners in order, unit.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }
    /// Unit normal of the plane of an edge, pointing inwards.
    pub(super) fn normal(&self, edge: usize) -> Vec3 {
        let next = if edge + 1 == self.count { 0 } else { edge + 1 };
        normalize_or(self.corners[edge].cross(self.corners[next]), Vec3::ZERO)
    }
    /// Number of edges.
    pub(super) fn edges(&self) -> usize {
        self.count
    }
    /// Whether the unit direction is inside, with a little rounding.
    pub(super) fn holds(&self, direction: Vec3) -> bool {
        (0..self.count).all(|edge| self.normal(edge).dot(direction) >= -2e-7)
    }
    /// Nearest direction inside.
    pub(super) fn nearest(&self, direction: Vec3) -> Vec3 {
        if self.holds(direction) {
            return direction;
        }
        let (mut best, mut best_dot) = (self.corners[0], f32::NEG_INFINITY);
        for edge in 0..self.count {
            let n = self.normal(edge);
            let on_edge = normalize_or(direction - n * n.dot(direction), self.corners[edge]);
            for candidate in [on_edge, self.corners[edge]] {
                let dot = candidate.dot(direction);
                if dot > best_dot && self.holds(candidate) {
                    (best, best_dot) = (candidate, dot);
                }
            }
        }
        best
    }
}
