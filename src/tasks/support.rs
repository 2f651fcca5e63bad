//! The centre of mass above a convex area (the soles on the ground): one row, its signed horizontal
//! distance from the border (positive outside) plus `margin`.
//!
//! The area is a convex polygon seen along `up`. The nearest point of the polygon gives the
//! direction; the distance to a convex set is smooth outside, and inside the row is met. The force
//! is the unit direction towards the polygon.

use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::math::Vec3;

/// A convex area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportArea {
    corners: [Vec3; Self::MAX_CORNERS],
    count: usize,
}

impl SupportArea {
    /// Maximum number of corners.
    pub const MAX_CORNERS: usize = 16;

    /// The convex hull of points seen along the unit `up`: two points give a line, one a point.
    /// `None` without points or with too many.
    pub fn hull(points: &[Vec3], up: Vec3) -> Option<Self> {
        if points.is_empty() || points.len() > Self::MAX_CORNERS {
            return None;
        }
        let flat = |p: Vec3| p - up * up.dot(p);
        let mut area = Self { corners: [Vec3::ZERO; Self::MAX_CORNERS], count: 0 };
        // Gift wrapping (R. Jarvis, Inf. Proc. Letters 2, 1973): from the farthest point, each next
        // corner has no point to its right.
        let center = points.iter().fold(Vec3::ZERO, |sum, p| sum + flat(*p)) * (1.0 / points.len() as f32);
        let far = |p: Vec3| (flat(p) - center).length_squared();
        let start = (0..points.len()).fold(0, |best, i| if far(points[i]) > far(points[best]) { i } else { best });
        let mut at = start;
        loop {
            area.corners[area.count] = flat(points[at]);
            area.count += 1;
            let mut next = start;
            for i in 0..points.len() {
                let (a, b) = (flat(points[next]) - flat(points[at]), flat(points[i]) - flat(points[at]));
                let side = up.dot(a.cross(b));
                let farther = b.length_squared() > a.length_squared();
                if next == at || side < -1e-9 || (side <= 1e-9 && farther && a.dot(b) >= 0.0) {
                    next = i;
                }
            }
            at = next;
            if at == start || area.count == points.len() {
                return Some(area);
            }
        }
    }
    /// Corners in order, as seen along `up`.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }
    /// The point of the area nearest to `p` (both flat), and whether `p` is inside.
    fn nearest(&self, p: Vec3, up: Vec3) -> (Vec3, bool) {
        let corners = self.corners();
        let (mut best, mut inside) = (corners[0], corners.len() > 2);
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let edge = b - a;
            inside &= up.dot(edge.cross(p - a)) >= 0.0;
            let t = (edge.dot(p - a) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
            let on = a + edge * t;
            if (on - p).length_squared() < (best - p).length_squared() {
                best = on;
            }
        }
        (best, inside)
    }
}

/// Task: the centre of mass above an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// The area.
    pub area: SupportArea,
    /// Up direction in the space of the solve, unit.
    pub up: Vec3,
    /// Minimum distance of the centre of mass inside the border, metres; 0 or more.
    pub margin: f32,
}

impl Task for Support {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        [Some(Anchor::CenterOfMass), None, None]
    }
    fn row_count(&self) -> usize {
        1
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn is_one_sided(&self) -> bool {
        true
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let c = at[0].position;
        let flat = c - self.up * self.up.dot(c);
        let (nearest, inside) = self.area.nearest(flat, self.up);
        let to = nearest - flat;
        let distance = to.length();
        rows.terms[0].point = c;
        if distance > 1e-7 {
            let sign = if inside { -1.0 } else { 1.0 };
            rows.set(0, sign * distance + self.margin, 0, to * (sign / distance), Vec3::ZERO);
        } else {
            rows.value[0] = self.margin;
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.up = space.back * self.up;
        let mut points = [Vec3::ZERO; SupportArea::MAX_CORNERS];
        let corners = self.area.corners();
        for (to, corner) in points.iter_mut().zip(corners) {
            *to = space.point(*corner);
        }
        self.area = SupportArea::hull(&points[..corners.len()], self.up).unwrap_or(self.area);
        self.margin *= space.shrink;
    }
    fn draw(&self, _at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.area(self.area.corners(), self.up);
    }
}
