//! The parts of a step that few bodies have: rows on the centre of mass, anchors other than the
//! first, and bones that change length.

use super::plan::{Place, Plan};
use super::residual::Residual;
use super::slides::Slide;
use super::step::{Step, StepRule};
use crate::tasks::MAX_ANCHORS;

impl Step {
    /// Entries of rows on the centre of mass, and of anchors other than the first.
    #[inline(never)]
    pub(super) fn add_rest(&mut self, plan: &Plan, residual: &Residual) {
        let n = plan.joints.len();
        for (first, task) in plan.tasks.iter().enumerate() {
            if let Some(joint) = task.joint() {
                for row in task.row..task.row + task.rows {
                    let wrench = residual.wrench[row * MAX_ANCHORS];
                    for (s, &spread) in self.spread.iter().enumerate() {
                        let value = wrench.on(&self.carried[s * n + joint]);
                        self.cholesky.row_mut(row.min(spread))[row.max(spread)] += value;
                    }
                }
            }
            for (number, other) in plan.tasks.iter().enumerate().skip(first) {
                if task.has_more_joints() || other.has_more_joints() {
                    self.add_other_anchors(plan, residual, first, number);
                }
            }
            if task.has_more_joints() {
                self.add_other_spread(plan, residual, first);
            }
        }
        for (s, &row) in self.spread.iter().enumerate() {
            for (r, &other) in self.spread.iter().enumerate().take(s + 1) {
                let (force, other_force) = (self.spread_force(residual, s), self.spread_force(residual, r));
                let mut sum = force.dot(self.root.mobility * other_force);
                for i in 0..n {
                    sum += self.covector[s * n + i].dot(self.joint[i].mobility * self.covector[r * n + i]);
                }
                for slide in self.slides.active() {
                    let (along, other_along) = (force.dot(slide.direction), other_force.dot(slide.direction));
                    sum += along * other_along * slide.mass_share * slide.mass_share * slide.mobility;
                }
                self.cholesky.row_mut(row.min(other))[row.max(other)] += sum;
            }
        }
    }

    /// Takes the work of anchors other than the first on the motion without torques off the right
    /// side.
    #[inline(never)]
    pub(super) fn take_other_anchors(&mut self, plan: &Plan, residual: &Residual) {
        for task in plan.tasks.iter().filter(|task| task.has_more_joints()) {
            for (a, place) in task.places.iter().enumerate().skip(1) {
                let Place::Joint(joint) = *place else { continue };
                for row in task.row..task.row + task.rows {
                    self.right[row] -= residual.wrench[row * MAX_ANCHORS + a].on(&self.motion[joint]);
                }
            }
        }
    }

    /// The dual's entries of two tasks for all pairs of anchors but the first of both.
    fn add_other_anchors(&mut self, plan: &Plan, residual: &Residual, first: usize, second: usize) {
        let (task, other) = (&plan.tasks[first], &plan.tasks[second]);
        for (a, place) in task.places.iter().enumerate() {
            let Place::Joint(joint) = *place else { continue };
            for (b, other_place) in other.places.iter().enumerate() {
                let Place::Joint(other_joint) = *other_place else { continue };
                if a == 0 && b == 0 {
                    continue;
                }
                let sum = self.sum[plan.common(joint, other_joint)];
                for row in task.row..task.row + task.rows {
                    let motion = sum.motion(&residual.wrench[row * MAX_ANCHORS + a]);
                    let target = self.cholesky.row_mut(row);
                    let wrenches = residual.wrench[other.row * MAX_ANCHORS..].iter().skip(b).step_by(MAX_ANCHORS);
                    for (value, wrench) in target[other.row..other.row + other.rows].iter_mut().zip(wrenches) {
                        *value += wrench.on(&motion);
                    }
                }
            }
        }
    }
    /// The same with rows on the centre of mass.
    fn add_other_spread(&mut self, plan: &Plan, residual: &Residual, number: usize) {
        let (task, n) = (&plan.tasks[number], plan.joints.len());
        for (a, place) in task.places.iter().enumerate().skip(1) {
            let Place::Joint(joint) = *place else { continue };
            for row in task.row..task.row + task.rows {
                for (s, &spread) in self.spread.iter().enumerate() {
                    let value = residual.wrench[row * MAX_ANCHORS + a].on(&self.carried[s * n + joint]);
                    self.cholesky.row_mut(row.min(spread))[row.max(spread)] += value;
                }
            }
        }
    }

    pub(super) fn start_slides(&mut self, residual: &Residual, rule: &StepRule, scale: f32) {
        let mut slides = core::mem::take(&mut self.slides);
        for slide in slides.active_mut() {
            let force = self.force_along(residual, slide, &residual.value);
            slide.start(force, rule.posture, scale);
        }
        if rule.posture <= 0.0 {
            slides.take_over();
        }
        self.slides = slides;
    }
    /// What the gathered wrenches, and rows on the centre of mass times numbers, pull a bone's
    /// lower end along the bone with.
    pub(super) fn force_along(&self, residual: &Residual, slide: &Slide, numbers: &[f32]) -> f32 {
        let mut force = self.wrench[slide.place].force.dot(slide.direction);
        for (s, &row) in self.spread.iter().enumerate() {
            force += self.spread_force(residual, s).dot(slide.direction) * slide.mass_share * numbers[row];
        }
        force
    }
}
