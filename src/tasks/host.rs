//! Host task: rows that the host computes, for residuals that this layer does not have.
//!
//! The host computes in a space of its own, world space for a body in the world, in which `outer`
//! places the space of the solve: a turn `R` and a scale `s D`, `D` a diagonal matrix of signs.
//! What moves with `v` and turns with `ω` in the solve moves with `s R D v` and turns with `R
//! det(D) D ω` there, so a row's force there is `s D Rᵀ force` in the solve, and its torque `det(D)
//! D Rᵀ torque`; a row that is a length shrinks by `s` itself.

use super::space::{InnerSpace, compose, point_out, rotation_out};
use super::{Anchor, MAX_ANCHORS, MAX_ROWS, Placement, Rows, Task, Unit};
use crate::math::{Transform, Vec3, axis_angle};
use crate::skeleton::JointIndex;
use std::sync::Arc;

/// A residual computed by the host: fills rows, which are zero before, from the placements of its
/// anchors. The same placements must give the same rows. A row that is not finite has no answer: a
/// step that leads there is not taken.
pub trait HostResidual: Send + Sync + core::fmt::Debug {
    /// As [`Task::evaluate`].
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows);
}

/// Rows that the host computes.
#[derive(Clone, Debug)]
pub struct HostTask {
    /// Joints that the rows depend on, 1 to 3; unused places `None`.
    pub joints: [Option<JointIndex>; MAX_ANCHORS],
    /// Number of rows, 1 to 3.
    pub rows: usize,
    /// Unit of the rows.
    pub unit: Unit,
    /// Whether rows below 0 count as met.
    pub one_sided: bool,
    /// The space of the solve, as the host's space sees it; the size of its scale is that of the
    /// first number.
    pub outer: Transform,
    /// What fills the rows.
    pub residual: Arc<dyn HostResidual>,
}

impl PartialEq for HostTask {
    fn eq(&self, other: &Self) -> bool {
        let rest = |task: &Self| (task.joints, task.rows, task.unit, task.one_sided, task.outer);
        rest(self) == rest(other) && Arc::ptr_eq(&self.residual, &other.residual)
    }
}

/// Value of rows that are not finite: its square is infinite, with any blend.
const NO_VALUE: f32 = 1e30;
/// Distance and angle of central differences.
const CHECK_STEP: f32 = 1e-3;

impl HostTask {
    /// The rows in the host's space.
    fn rows_at(&self, at: &[Placement; MAX_ANCHORS]) -> Rows {
        let mut rows = Rows::default();
        self.residual.evaluate(at, &mut rows);
        rows
    }
    fn outside(&self, at: &[Placement; MAX_ANCHORS]) -> [Placement; MAX_ANCHORS] {
        let place = |p: &Placement| Placement {
            position: point_out(&self.outer, p.position),
            rotation: rotation_out(&self.outer, p.rotation),
        };
        let mut out = [Placement::IDENTITY; MAX_ANCHORS];
        for ((to, from), joint) in out.iter_mut().zip(at).zip(&self.joints) {
            if joint.is_some() {
                *to = place(from);
            }
        }
        out
    }
    /// How far the rows' Jacobian is from the rows' own differences at placements, as a share of
    /// the largest derivative: below 0.01 where forces and torques are right, 1 and more where one
    /// is missing or has the wrong sign. Infinite where a row is not finite. Rows must be smooth
    /// there.
    pub fn jacobian_error(&self, at: &[Placement; MAX_ANCHORS]) -> f32 {
        let at = self.outside(at);
        let rows = self.rows_at(&at);
        let (mut largest, mut worst) = (1e-6_f32, 0.0_f32);
        for anchor in (0..MAX_ANCHORS).filter(|anchor| self.joints[*anchor].is_some()) {
            let term = &rows.terms[anchor];
            let arm = term.point - at[anchor].position;
            for axis in Vec3::AXES {
                let moved = |step: f32, turns: bool| {
                    let mut moved = at;
                    if turns {
                        moved[anchor].rotation = (axis_angle(axis, step) * at[anchor].rotation).normalize();
                    } else {
                        moved[anchor].position += axis * step;
                    }
                    self.rows_at(&moved).value
                };
                for turns in [false, true] {
                    let (ahead, behind) = (moved(CHECK_STEP, turns), moved(-CHECK_STEP, turns));
                    for row in 0..self.row_count() {
                        let slope = (behind[row] - ahead[row]) / (2.0 * CHECK_STEP);
                        let stated = if turns {
                            (arm.cross(term.force[row]) + term.torque[row]).dot(axis)
                        } else {
                            term.force[row].dot(axis)
                        };
                        let error = (slope - stated).abs();
                        if !error.is_finite() {
                            return f32::INFINITY;
                        }
                        largest = largest.max(slope.abs()).max(stated.abs());
                        worst = worst.max(error);
                    }
                }
            }
        }
        worst / largest
    }
}

impl Task for HostTask {
    fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
        self.joints.map(|joint| joint.map(Anchor::Joint))
    }
    fn row_count(&self) -> usize {
        self.rows.clamp(1, MAX_ROWS)
    }
    fn unit(&self) -> Unit {
        self.unit
    }
    fn is_one_sided(&self) -> bool {
        self.one_sided
    }
    /// The rows go on to be computed in the outer space.
    fn enter(&mut self, space: &InnerSpace) {
        let (position, rotation) = (space.place, space.back.conjugate());
        self.outer = compose(&self.outer, &Transform { position, rotation, scale: space.signs / space.shrink });
    }
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        if self.outer == Transform::IDENTITY {
            self.residual.evaluate(at, rows);
        } else {
            *rows = self.rows_at(&self.outside(at));
            let space = InnerSpace::new(&self.outer, false);
            let share = if self.unit == Unit::Length { space.shrink } else { 1.0 };
            let mirror = space.signs.x * space.signs.y * space.signs.z;
            rows.value = rows.value.map(|value| value * share);
            for term in &mut rows.terms {
                term.point = space.point(term.point);
                term.force = term.force.map(|force| space.direction(force) * (share / space.shrink));
                term.torque = term.torque.map(|torque| space.direction(torque) * (mirror * share));
            }
        }
        if !rows.value[..self.row_count()].iter().all(|value| value.is_finite()) {
            *rows = Rows { value: [NO_VALUE; MAX_ROWS], ..Rows::default() };
        }
    }
}
