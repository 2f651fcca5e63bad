//! Pole vector: the middle joint of a limb on the side of a pole. `r = −φ ρ`, the angle about the
//! line root → end from the half plane of the pole to the middle joint, times the middle joint's
//! distance from that line. A straight limb (`ρ = 0`) meets every pole.
//!
//! # Derivation
//!
//! Let `u = end − root`, `w = pole − root`, `c = middle − root`, `m` the unit normal of `u` and
//! `w`, `û` the unit `u`, `b = m × û` (the pole's side). With `f = m · c` and `h = b · c`:
//! `φ = atan2(f, h)`, `ρ = √(f² + h²)`. `f` is the distance of the middle joint from the plane
//! through root, end and pole, so `ḟ = m · (ċ − βu u̇ − βw ẇ)` with the coordinates `βu, βw` of
//! `c`'s projection in `u, w`. For `ḣ = b · ċ + ḃ · c`: `ḃ · û = −b · u̇/|u|`, and `ḃ · m = −b · ṁ
//! = (m · ẇ − (w·û) m · u̇/|u|)/(w · b)`. Then `(φρ)˙ = (h ḟ − f ḣ)/ρ + φ (f ḟ + h ḣ)/ρ`.

use super::{Anchor, GoalSink, InnerSpace, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::debug::Part;
use crate::math::{Vec3, float};
use crate::skeleton::JointIndex;

/// Task: the middle joint of a limb on the side of a pole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoleVector {
    /// First joint of the limb.
    pub root: JointIndex,
    /// Middle joint (elbow, knee).
    pub middle: JointIndex,
    /// Last joint of the limb.
    pub end: JointIndex,
    /// The pole: a point in the space of the solve.
    pub pole: Vec3,
}

impl Task for PoleVector {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        [self.middle, self.root, self.end].map(|joint| Some(Anchor::Joint(joint)))
    }
    fn row_count(&self) -> usize {
        1
    }
    fn unit(&self) -> Unit {
        Unit::Length
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let [middle, root, end] = at.map(|a| a.position);
        for (term, point) in rows.terms.iter_mut().zip([middle, root, end]) {
            term.point = point;
        }
        let (u, w, c) = (end - root, self.pole - root, middle - root);
        let length = u.length();
        let normal = u.cross(w);
        let size = normal.length();
        // All on one line: the side is undefined.
        if length < 1e-6 || size < 1e-4 * length * w.length().max(1e-6) {
            return;
        }
        let (m, along) = (normal * (1.0 / size), u * (1.0 / length));
        let b = m.cross(along);
        let (f, h) = (m.dot(c), b.dot(c));
        let rho = float::sqrt(f * f + h * h);
        if rho < 1e-6 {
            return;
        }
        let phi = float::atan2(f, h);
        let (w_along, w_side) = (w.dot(along), w.dot(b));
        let beta_w = h / w_side;
        let beta_u = (c.dot(along) - beta_w * w_along) / length;
        // ḟ = m·ċ − βu m·u̇ − βw m·ẇ, with ċ = middle' − root', and so on.
        let (f_middle, f_end, f_root) = (m, -beta_u * m, (beta_u + beta_w - 1.0) * m);
        // ḣ = b·ċ + (c·û)(−b·u̇/|u|) + f (m·ẇ − (w·û) m·u̇/|u|)/(w·b), ẇ = −root'.
        let h_u = -b * (c.dot(along) / length) - m * (f * w_along / (w_side * length));
        let h_w = m * (f / w_side);
        let (h_middle, h_end, h_root) = (b, h_u, -b - h_u - h_w);
        let (by_f, by_h) = ((h + phi * f) / rho, (phi * h - f) / rho);
        rows.value[0] = -phi * rho;
        for (term, (of_f, of_h)) in rows.terms.iter_mut().zip([(f_middle, h_middle), (f_root, h_root), (f_end, h_end)])
        {
            term.force[0] = of_f * by_f + of_h * by_h;
        }
    }
    fn enter(&mut self, space: &InnerSpace) {
        self.pole = space.point(self.pole);
    }
    fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
        self.pole = at[0].position;
    }
    fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
        lines.line(at[0].position, self.pole, Part::Hint);
    }
}
