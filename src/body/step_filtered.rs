//! Steps whose directions are damped one by one: damped and selectively damped least squares.
//!
//! # Derivation
//!
//! Without its scale the dual of `step` is `A = J W Jᵀ = U Σ² Uᵀ`, with the right side
//! `r = e − J b`. Direction `u` of the rows, of the singular value `σ`, moves the joints by
//! `m = W Jᵀ u`; a step is `ω = b + Σ c m`. Least squares have `c = (u · r)/(σ² + s)`, which is
//! large where `σ` is small: there the effectors hardly move however far the joints do.
//!
//! - Damped: `c = (u · r)/(σ² + s + λ²)`, with `λ² = (1 − (σ/ε)²) λ_max²` for `σ < ε`, else 0.
//!   Other directions keep their full step.
//! - Selectively damped: a direction turns no joint by more than `γ = γ_max min(1, N/M)`, and
//!   changes the coordinate of none that slides by more. `N` is the sum of the lengths of `u` over
//!   the tasks: how far the direction is to move the effectors. `M` is the sum over tasks and
//!   joints of how far each joint alone moves them on the way, `|J m|/σ²`. Where joints work
//!   against each other, `M` is large and the step is short.
//!
//! Sources: S. Chiaverini, "Singularity-robust task-priority redundancy resolution for real-time
//! kinematic control of robot manipulators", IEEE Trans. Robotics and Automation 13 (1997), eq. 18;
//! S. Buss, J. Kim, "Selectively damped least squares for inverse kinematics", J. Graphics Tools 10
//! (2005), §4. There joints turn about one axis each; here `J m` is the motion along the turn that
//! the direction gives the joint.

use super::plan::{Place, Plan, Planned};
use super::residual::Residual;
use super::slides::Slide;
use super::state::State;
use super::step::{DirectionRule, Step, StepRule};
use crate::math::float;
use crate::tasks::MAX_ANCHORS;

impl Step {
    /// Solves the dual as it was built; `right` holds the multipliers.
    #[inline(never)]
    pub(super) fn filter(&mut self, plan: &Plan, state: &State, residual: &Residual, rule: &StepRule, scale: f32) {
        let mut spectrum = core::mem::take(&mut self.spectrum);
        spectrum.begin(plan.rows);
        for i in 0..plan.rows {
            spectrum.set_row(i, &self.cholesky.row_mut(i)[i..]);
        }
        spectrum.decompose(&self.right);
        let least = spectrum.least_square();
        if matches!(rule.directions, DirectionRule::Selective { .. }) {
            self.load_levers(plan, state, residual);
        }
        for k in 0..plan.rows {
            let square = spectrum.square(k);
            if square <= least {
                spectrum.take(k, 0.0);
                continue;
            }
            let share = match rule.directions {
                DirectionRule::Damped { most, below } => {
                    let near = 1.0 - square / (below * below).max(1e-20);
                    let damping = near.max(0.0) * most * most;
                    (square + scale) / (square + scale + damping)
                }
                DirectionRule::Selective { most_rad } => {
                    self.right.copy_from_slice(spectrum.direction(k));
                    let c = spectrum.along(k) / (square + scale);
                    self.selective_share(plan, residual, square, c, most_rad)
                }
                DirectionRule::Alike => 1.0,
            };
            spectrum.take(k, spectrum.along(k) / (square + scale) * share);
        }
        self.right.copy_from_slice(spectrum.solution());
        self.spectrum = spectrum;
    }

    /// The covector of each row on each joint.
    fn load_levers(&mut self, plan: &Plan, state: &State, residual: &Residual) {
        let mut levers = core::mem::take(&mut self.levers);
        levers.clear();
        for task in &plan.tasks {
            for row in task.row..task.row + task.rows {
                levers.extend((0..self.joint.len()).map(|i| {
                    let (own, added) = self.covectors(plan, state, residual, i, task, row);
                    own + added
                }));
            }
        }
        self.levers = levers;
    }

    /// Share of the coefficient `c` of the direction in `right` that turns no joint too far.
    fn selective_share(&mut self, plan: &Plan, residual: &Residual, square: f32, c: f32, most_rad: f32) -> f32 {
        let turned = self.spread_out::<false>(plan, residual);
        let largest = turned.max(float::sqrt(self.shift.length_squared() * self.root_way));
        let right = core::mem::take(&mut self.right);
        let (mut together, mut alone) = (0.0, 0.0);
        let n = self.joint.len();
        for task in &plan.tasks {
            let rows = task.row..task.row + task.rows;
            together += float::sqrt(right[rows.clone()].iter().map(|u| u * u).sum::<f32>());
            let is_below = |i: usize, place: &Place| match place {
                Place::Joint(at) => plan.common(i, *at) == i,
                Place::CenterOfMass => true,
                Place::None | Place::Fixed(_) => false,
            };
            let has_couplings = !self.couplings.is_empty();
            let is_reached = |i: usize| has_couplings || task.places.iter().any(|place| is_below(i, place));
            for (i, turn) in self.turn.iter().enumerate().filter(|(i, _)| is_reached(*i)) {
                let of = rows.clone().map(|row| self.levers[row * n + i].dot(*turn));
                alone += float::sqrt(of.map(|moved| moved * moved).sum::<f32>());
            }
            for slide in self.slides.active() {
                let of = rows.clone().map(|row| self.slide_lever(plan, residual, slide, task, row) * slide.change);
                alone += float::sqrt(of.map(|moved| moved * moved).sum::<f32>());
            }
            let of = rows.map(|row| {
                let wrenches = &residual.wrench[row * MAX_ANCHORS..(row + 1) * MAX_ANCHORS];
                let moving = wrenches.iter().zip(&task.places).filter(|(_, place)| !matches!(place, Place::Fixed(_)));
                moving.map(|(wrench, _)| wrench.force.dot(self.shift)).sum::<f32>()
            });
            alone += float::sqrt(of.map(|moved| moved * moved).sum::<f32>());
        }
        self.right = right;
        let trusted = if alone > together * square { together * square / alone } else { 1.0 };
        let (most, turned) = (most_rad * trusted, largest * c.abs());
        if turned > most { most / turned } else { 1.0 }
    }

    /// What a row falls by when a slide's coordinate rises by 1.
    pub(super) fn slide_lever(
        &self,
        plan: &Plan,
        residual: &Residual,
        slide: &Slide,
        task: &Planned,
        row: usize,
    ) -> f32 {
        let mut lever = 0.0;
        for (a, place) in task.places.iter().enumerate() {
            if let Place::Joint(at) = *place
                && plan.common(slide.place, at) == slide.place
            {
                lever += residual.wrench[row * MAX_ANCHORS + a].force.dot(slide.direction);
            }
        }
        if let Some(s) = self.spread.iter().position(|spread| *spread == row) {
            lever += self.spread_force(residual, s).dot(slide.direction) * slide.mass_share;
        }
        lever
    }
}
