//! The centre of mass above a convex area (the soles on the ground): its signed distances beyond
//! the lines of two edges (positive outside), each plus `margin`.
//!
//! The area is a convex polygon seen along `up`. The two are the edge that the centre of mass is
//! farthest beyond, or nearest to inside, and the nearer of its neighbours: each is linear in the
//! centre of mass, so a pose can stand in a corner of the area, where a distance from the border
//! has no direction. An edge has its row whenever it counts: two edges that meet have different
//! ones, which takes three; the third is met. The force is the unit direction across the edge to
//! the inside.
//!
//! A line or a point uses one row, the distance from it plus `margin`; the force is the unit
//! direction towards it.

use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, MAX_ROWS, Placement, Rows, Task, Unit};
use crate::math::{Vec3, normalize_or};

/// A corner that sticks out by less, beside the distance of its neighbours, is dropped.
const FLAT: f32 = 5e-3;

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
                area.drop_flat_corners(up);
                return Some(area);
            }
        }
    }
    /// Drops corners, from the flattest on, that change the border by less than a share of the
    /// edges beside them: two edges almost in one line are hard to stand on.
    fn drop_flat_corners(&mut self, up: Vec3) {
        while self.count > 3 {
            let corner = |number: usize| self.corners[number % self.count];
            let height = |number: usize| {
                let (a, b, c) = (corner(number + self.count - 1), corner(number), corner(number + 1));
                let base = (c - a).length().max(1e-12);
                up.dot((b - a).cross(c - a)).abs() / (base * base)
            };
            let flattest = (0..self.count).fold((0, FLAT), |best, number| {
                let height = height(number);
                if height < best.1 { (number, height) } else { best }
            });
            if flattest.1 >= FLAT {
                return;
            }
            self.corners.copy_within(flattest.0 + 1..self.count, flattest.0);
            self.count -= 1;
        }
    }
    /// Corners in order, as seen along `up`.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }
    /// The point of a line or point nearest to `p` (both flat).
    fn nearest(&self, p: Vec3) -> Vec3 {
        let corners = self.corners();
        let (a, edge) = (corners[0], corners[corners.len() - 1] - corners[0]);
        a + edge * (edge.dot(p - a) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0)
    }
    /// Unit direction to the inside of the edge that begins at a corner, and how far `p` is beyond
    /// its line.
    fn edge(&self, number: usize, p: Vec3, up: Vec3) -> (Vec3, f32) {
        let corners = self.corners();
        let a = corners[number];
        let inward = normalize_or(up.cross(corners[(number + 1) % corners.len()] - a), Vec3::ZERO);
        (inward, inward.dot(a - p))
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
        MAX_ROWS
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
        rows.terms[0].point = c;
        rows.value = [-self.margin - 1.0; MAX_ROWS];
        let count = self.area.count;
        if count < 3 {
            let to = self.area.nearest(flat) - flat;
            let distance = to.length();
            rows.value[0] = distance + self.margin;
            if distance > 1e-7 {
                rows.set(0, distance + self.margin, 0, to * (1.0 / distance), Vec3::ZERO);
            }
            return;
        }
        let mut first = (0, f32::NEG_INFINITY);
        for number in 0..count {
            let (_, beyond) = self.area.edge(number, flat, self.up);
            if beyond > first.1 {
                first = (number, beyond);
            }
        }
        let [before, after] = [first.0 + count - 1, first.0 + 1].map(|number| number % count);
        let beyond = |number: usize| self.area.edge(number, flat, self.up).1;
        let second = if beyond(before) > beyond(after) { before } else { after };
        for number in [first.0, second] {
            // Two edges that meet have different rows.
            let row = if number + 1 == count && count % 2 == 1 { 2 } else { number % 2 };
            let (inward, beyond) = self.area.edge(number, flat, self.up);
            rows.set(row, beyond + self.margin, 0, inward, Vec3::ZERO);
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.up = space.direction(self.up);
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
