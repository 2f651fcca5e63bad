//! The active set of a step and what the linear model foresees: borders that it crosses or that do
//! not hold it, and the correction of what is not linear.

use super::plan::Plan;
use super::residual::Residual;
use super::step::{NO_MOBILITY, Step, StepRule};
use crate::math::{Vec3, float};

/// A step that crosses a border by less is cut by projection; solving again would cost more than it
/// gains.
const CROSSED_RAD: f32 = 1e-3;
/// A joint leaves a border that the step would leave by more.
const RELEASED_RAD: f32 = 1e-5;

impl Step {
    /// `e − J ω = s y`; of a step cut to a share, the quadratic on the way there.
    #[inline(always)]
    pub(super) fn foresee(&mut self, scale: f32, rule: &StepRule, share: f32, residual: &Residual) {
        let mut after: f32 = self.right.iter().map(|y| y * y).sum::<f32>() * scale * scale;
        let mut before: f32 = residual.value.iter().map(|v| v * v).sum();
        if rule.posture > 0.0 {
            for ((turn, back), weight) in self.turn.iter().zip(&self.back).zip(&self.weight).skip(1) {
                after += rule.posture * (*back - *turn).length_squared() * weight;
                before += rule.posture * back.length_squared() * weight;
            }
            if rule.root_posture > 0.0 {
                let (turn, way) = (self.back[0] - self.turn[0], self.root_way);
                let root =
                    |turn: Vec3, back: Vec3| rule.root_posture * (turn.length_squared() + way * back.length_squared());
                after += root(turn, self.root_back * (1.0 / way) - self.shift);
                before += root(self.back[0], self.root_back * (1.0 / way));
            }
            for slide in self.slides.active() {
                let left = slide.back - slide.change;
                after += rule.posture * left * left / slide.willing;
                before += rule.posture * slide.back * slide.back / slide.willing;
            }
        }
        self.foreseen = before - (before - after) * share * (2.0 - share);
        for ((to, y), now) in self.foreseen_rows.iter_mut().zip(&self.right).zip(&residual.value) {
            *to = now + share * (y * scale - now);
        }
    }

    /// Takes the borders that the step crosses into the active set; false when there are none.
    #[inline(always)]
    pub(super) fn fix_crossed(&mut self, share: f32) -> bool {
        let mut changed = false;
        for i in 1..self.joint.len() {
            for (number, border) in self.borders[i].borders().iter().enumerate() {
                if self.fixed[i] & (3 << (2 * number)) != 0 {
                    continue;
                }
                let out = border.outward.dot(self.turn[i]) * share;
                let (bit, room) = if out > border.room_rad.max(0.0) + CROSSED_RAD {
                    (1, border.room_rad)
                } else if -out > border.back_room_rad.max(0.0) + CROSSED_RAD {
                    (2, -border.back_room_rad)
                } else {
                    continue;
                };
                self.fixed[i] |= bit << (2 * number);
                self.even[i] = 0.0;
                changed |= self.joint[i].fix(border.outward, room, NO_MOBILITY);
            }
        }
        for slide in self.slides.active_mut() {
            changed |= slide.fix_crossed(share);
        }
        changed
    }

    /// Lets joints go from borders that the step would leave if they were not held: a multiplier
    /// of the wrong sign. Each border once a step.
    #[inline(never)]
    pub(super) fn release(&mut self, rule: &StepRule, scale: f32) -> bool {
        let mut changed = false;
        let right = core::mem::take(&mut self.right);
        for i in 1..self.joint.len() {
            let held = self.fixed[i];
            if held == 0 || self.couplings.iter().any(|coupled| coupled.driven == i) {
                continue;
            }
            let torque = self.torque(i, &right);
            let (fixed, even) = (self.joint[i], self.even[i]);
            self.start_joint(i, 0, false, rule, scale);
            let free = self.joint[i].under(torque);
            let mut kept = held;
            for (number, border) in self.borders[i].borders().iter().enumerate() {
                let out = border.outward.dot(free);
                let (ahead, behind) = (1_u16 << (2 * number), 2_u16 << (2 * number));
                if held & ahead != 0 && out < border.room_rad.max(0.0) - RELEASED_RAD {
                    kept &= !ahead;
                }
                if held & behind != 0 && -out < border.back_room_rad.max(0.0) - RELEASED_RAD {
                    kept &= !behind;
                }
            }
            kept |= held & self.released[i];
            if kept == held {
                (self.joint[i], self.even[i], self.fixed[i]) = (fixed, even, held);
                continue;
            }
            changed = true;
            self.released[i] |= held & !kept;
            let mut step = self.joint[i];
            for (number, border) in self.borders[i].borders().iter().enumerate() {
                if kept & (1 << (2 * number)) != 0 {
                    step.fix(border.outward, border.room_rad, NO_MOBILITY);
                } else if kept & (2 << (2 * number)) != 0 {
                    step.fix(border.outward, -border.back_room_rad, NO_MOBILITY);
                }
            }
            self.joint[i] = step;
            self.fixed[i] = kept;
            self.even[i] = if kept == 0 { self.borders[i].even.unwrap_or(0.0) } else { 0.0 };
        }
        self.right = right;
        changed
    }

    /// The longest turn of the step; a metre of the root's way counts as two radians.
    #[inline(always)]
    pub fn longest(&self) -> f32 {
        let root = 4.0 * self.shift.length_squared();
        float::sqrt(self.turn.iter().fold(root, |most, turn| most.max(turn.length_squared())))
    }

    /// After the step: a step of least motion that takes back what the rows are beside what the
    /// linear model foresaw, with the factor that is there (second-order correction: R. Fletcher,
    /// "Second order corrections for non-differentiable optimization", LNM 912 (1982)).
    #[inline(always)]
    pub fn correct(&mut self, plan: &Plan, residual: &Residual) {
        for ((to, foreseen), now) in self.right.iter_mut().zip(&self.foreseen_rows).zip(&residual.value) {
            *to = now - foreseen;
        }
        self.cholesky.replace_right(&self.right);
        self.right.copy_from_slice(&self.cholesky.solve()[..plan.rows]);
        self.joint.iter_mut().for_each(|step| step.bias = Vec3::ZERO);
        self.root.bias = Vec3::ZERO;
        self.slides.active_mut().iter_mut().for_each(|slide| slide.bias = 0.0);
        self.spread_out(plan, residual);
    }
}
