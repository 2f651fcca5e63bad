//! The active set of a step and what the linear model foresees: borders that it crosses or that do
//! not hold it, and the correction of what is not linear.

use super::plan::{Place, Plan};
use super::residual::Residual;
use super::step::{DirectionRule, NO_MOBILITY, Step, StepRule};
use crate::limits::Border;
use crate::math::{Vec3, float};
use crate::optim::{Changed, JointStep, Motion};
use crate::tasks::MAX_ANCHORS;

/// A step that crosses a border by less is cut by projection; solving again would cost more than it
/// gains.
const CROSSED_RAD: f32 = 1e-3;
/// A joint leaves a border that the step would leave by more.
const RELEASED_RAD: f32 = 1e-5;

impl Step {
    /// What the linear model foresees of the rows, `e − J ω = s y`, for a step cut to a share.
    #[inline(always)]
    pub(super) fn foresee_rows(&mut self, scale: f32, share: f32, residual: &Residual) {
        for ((to, y), now) in self.foreseen_rows.iter_mut().zip(&self.right).zip(&residual.value) {
            *to = now + share * (y * scale - now);
        }
    }
    /// The same of the objective: of a step cut to a share, the quadratic on the way there.
    #[inline(always)]
    pub(super) fn foresee(&mut self, scale: f32, rule: &StepRule, share: f32, residual: &Residual) {
        let (left, unit) =
            if rule.directions == DirectionRule::Alike { (&*self.right, scale) } else { (self.spectrum.left(), 1.0) };
        let mut after: f32 = left.iter().map(|y| y * y).sum::<f32>() * unit * unit + residual.beyond;
        let mut before: f32 = residual.value.iter().map(|v| v * v).sum::<f32>() + residual.beyond;
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
        after += scale * self.springs.energy();
        self.foreseen = before - (before - after) * share * (2.0 - share);
    }

    /// Whether a share of a turn takes a joint across a border that does not hold it.
    pub(super) fn crosses(&self, i: usize, turn: Vec3, share: f32) -> bool {
        let borders = self.borders[i].borders().iter().enumerate();
        let mut free = borders.filter(|(number, _)| self.fixed[i] & (3 << (2 * number)) == 0);
        free.any(|(_, border)| crossed(border, turn, share).is_some())
    }
    /// Takes the borders that the step crosses into the active set.
    #[inline(always)]
    pub(super) fn fix_crossed(&mut self, plan: &Plan, residual: &Residual, share: f32) -> Changed {
        let mut changed = Changed::Not;
        for i in 1..self.joint.len() {
            let room = self.least_room[i];
            if room > 0.0 && self.turn[i].length_squared() * share * share <= room * room {
                continue;
            }
            for number in 0..self.borders[i].borders().len() {
                if self.fixed[i] & (3 << (2 * number)) != 0 {
                    continue;
                }
                let border = self.borders[i].borders()[number];
                let Some((bit, room)) = crossed(&border, self.turn[i], share) else { continue };
                self.fixed[i] |= bit << (2 * number);
                self.even[i] = 0.0;
                let before = self.joint[i];
                if self.joint[i].fix(border.outward, room, NO_MOBILITY) {
                    let gap = room - border.outward.dot(before.bias);
                    changed = self.change(plan, residual, (i, border.outward), &before, (1.0, gap), changed);
                }
            }
        }
        for slide in self.slides.active_mut() {
            if slide.fix_crossed(share) {
                changed = Changed::Anew;
            }
        }
        changed
    }
    /// Changes the factored dual by what a joint has more than with its motion along `outward`
    /// held: of `free`, with the sign 1 what is taken away, with -1 what is added.
    #[inline(never)]
    fn change(
        &mut self,
        plan: &Plan,
        residual: &Residual,
        (joint, outward): (usize, Vec3),
        free: &JointStep,
        (sign, gap): (f32, f32),
        before: Changed,
    ) -> Changed {
        if before == Changed::Anew || !self.couplings.is_empty() || self.springs.are_on() {
            return Changed::Anew;
        }
        let v = free.mobility * outward;
        let motion = Motion::turn(self.arm[joint], v);
        let Motion { angular, linear } = motion;
        let numbers = [angular.x, angular.y, angular.z, linear.x, linear.y, linear.z];
        // Whole groups of eight are written: those after them come later.
        for group in &plan.groups {
            if plan.common(group.joint, joint) == joint {
                self.rows.work(group.start, group.end, numbers, &mut self.column);
            } else {
                self.column[group.start..group.end].fill(0.0);
            }
        }
        for &(start, end) in &plan.gaps {
            self.column[start..end].fill(0.0);
        }
        for (s, &row) in self.spread.iter().enumerate() {
            self.column[row] += self.covector[s * self.joint.len() + joint].dot(v);
        }
        for task in plan.tasks.iter().filter(|task| plan.has_more_joints && task.has_more_joints()) {
            for (a, place) in task.places.iter().enumerate().skip(1) {
                let Place::Joint(other) = *place else { continue };
                if plan.common(other, joint) == joint {
                    for row in task.row..task.row + task.rows {
                        self.column[row] += residual.wrench[row * MAX_ANCHORS + a].on(&motion);
                    }
                }
            }
        }
        let s = sign * outward.dot(v);
        if self.changes.add(&mut self.cholesky, &self.column[..plan.rows], s, gap) {
            Changed::Little
        } else {
            Changed::Anew
        }
    }

    /// Lets joints go from borders that the step would leave if they were not held: a multiplier
    /// of the wrong sign. Each border once a step.
    #[inline(never)]
    pub(super) fn release(&mut self, plan: &Plan, residual: &Residual, rule: &StepRule, scale: f32) -> Changed {
        let mut changed = Changed::Not;
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
            let gone = held & !kept;
            self.released[i] |= gone;
            let mut step = self.joint[i];
            let mut outward = Vec3::ZERO;
            let mut resists = false;
            for (number, border) in self.borders[i].borders().iter().enumerate() {
                resists |= border.resistance > 0.0;
                if gone & (3 << (2 * number)) != 0 {
                    outward = border.outward;
                }
                if kept & (1 << (2 * number)) != 0 {
                    step.fix(border.outward, border.room_rad, NO_MOBILITY);
                } else if kept & (2 << (2 * number)) != 0 {
                    step.fix(border.outward, -border.back_room_rad, NO_MOBILITY);
                }
            }
            self.joint[i] = step;
            self.fixed[i] = kept;
            self.even[i] = if kept == 0 { self.borders[i].even.unwrap_or(0.0) } else { 0.0 };
            changed = if gone.count_ones() == 1 && !resists {
                let gap = outward.dot(fixed.bias - step.bias);
                self.change(plan, residual, (i, outward), &step, (-1.0, gap), changed)
            } else {
                Changed::Anew
            };
        }
        self.right = right;
        changed
    }

    /// The longest turn of the step; a metre of the root's way counts as two radians, one of a
    /// joint that slides as one.
    #[inline(always)]
    pub fn longest(&self) -> f32 {
        let root = 4.0 * self.shift.length_squared();
        let most = self.slides.active().iter().fold(root, |most, slide| most.max(slide.change * slide.change));
        float::sqrt(self.turn.iter().fold(most, |most, turn| most.max(turn.length_squared())))
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
        self.right.copy_from_slice(&self.changes.solve(&mut self.cholesky, false)[..plan.rows]);
        self.joint.iter_mut().for_each(|step| step.bias = Vec3::ZERO);
        self.root.bias = Vec3::ZERO;
        self.slides.active_mut().iter_mut().for_each(|slide| slide.bias = 0.0);
        self.spread_out::<true>(plan, residual);
    }
}

/// The bit of the side on which a share of a turn crosses a border, and the way to there.
#[inline(always)]
fn crossed(border: &Border, turn: Vec3, share: f32) -> Option<(u16, f32)> {
    let out = border.outward.dot(turn) * share;
    if out > border.room_rad.max(0.0) + CROSSED_RAD {
        Some((1, border.room_rad))
    } else if -out > border.back_room_rad.max(0.0) + CROSSED_RAD {
        Some((2, -border.back_room_rad))
    } else {
        None
    }
}
