//! Goals that cannot all be met: priority levels, and tasks whose goals are out of reach beside
//! those whose are not.

use super::converge::FIRST;
use super::descent::{Descent, DescentRule};
use super::solver::Body;
use crate::math::float;
use crate::outcome::Status;

/// Most steps in which tasks of all levels are tried to be met together, and the part of the
/// iterations of a descent that they are at most.
const ALL_LEVELS: (u32, u32) = (20, 6);
/// The same where the others are tried to be met while one stays.
const THE_REST: (u32, u32) = (8, 15);

/// Steps of least motion after settling, and what settling may cost tasks that are not met, in
/// tolerances.
const TAKEN_BACK: u32 = 4;
const COST: f32 = 0.1;
/// Stages of a search: weight of the posture beside what a metre that tasks lack pulls with, and
/// most steps. The first has as many as settling may have, and is even: bones that a goal out of
/// reach stretches resist no more than 30 times as much as joints are pulled back. Each of the
/// others begins near its end.
const SEARCH: [(f32, u32); 4] = [(3e-2, u32::MAX), (1e-2, 6), (3e-3, 6), (1e-3, 6)];
/// Turn below which a step of a search is the last.
const SEARCH_RAD: f32 = 2e-3;
/// Steps of least motion after a search, where tasks are of one level.
const SEARCHED: u32 = 8;

impl Body {
    /// Steps of least motion.
    pub(super) fn least_motion(&mut self, max_iterations: u32, stretches: bool, stop_at: f32) -> Descent {
        self.descend(&DescentRule { max_iterations, stretches, stop_at, ..DescentRule::LEAST_MOTION })
    }
    /// Goes back to the answer that is kept as the first.
    pub(super) fn go_back(&mut self) {
        self.solve.state.at.copy_from(&self.slots[FIRST]);
        self.solve.state.forward();
        self.evaluate();
    }
    fn evaluate(&mut self) -> f32 {
        self.solve.residual.evaluate(&self.solve.plan, &self.demands, &self.solve.state)
    }
    fn steps(&self, (most, part): (u32, u32)) -> u32 {
        (self.settings.max_iterations / part).min(most)
    }

    /// Tasks of the levels below pull a little at those above, by the ratio of the levels. Takes
    /// that back, from the lowest level up: a few steps of least motion for what is above it.
    pub(super) fn restore_levels(&mut self, iterations: u32, stretches: bool) -> u32 {
        let mut done = 0;
        for rank in (0..self.solve.residual.levels().saturating_sub(1)).rev() {
            // Upper levels come first in the plan.
            let first = self.solve.residual.scale.iter().filter(|scale| scale.rank <= rank).count();
            self.solve.residual.mute(first, true);
            done += self.least_motion(iterations, stretches, DescentRule::LEAST_MOTION.stop_at).iterations;
            self.solve.residual.mute(first, false);
            self.evaluate();
        }
        done
    }

    /// Where all tasks can be met, their levels do not matter: steps of least motion for all alike,
    /// since what is left of a low level counts little. Back to where it began where they do not
    /// meet all.
    pub(super) fn reach_all_levels(&mut self) -> (Status, u32) {
        let steps = self.steps(ALL_LEVELS);
        if steps == 0 {
            return (Status::OutOfIterations, 0);
        }
        self.slots[FIRST].copy_from(&self.solve.state.at);
        self.solve.residual.switch_levels();
        let done = self.least_motion(steps, false, 0.9);
        self.solve.residual.switch_levels();
        match done.status {
            Status::Reached => _ = self.evaluate(),
            _ => self.go_back(),
        }
        (done.status, done.iterations)
    }

    /// A goal that stays far off decides what a step gains, how it is damped and when a descent
    /// ends, also for tasks that do not share a joint with it. So the task that lacks most is held
    /// where it is, and steps of least motion go on for the others. Back to where it began unless
    /// they gain and it does not lose.
    pub(super) fn reach_the_rest(&mut self, stretches: bool) -> u32 {
        let residual = &self.solve.residual;
        let lacking = |number: usize| residual.missing[number] * residual.scale[number].factor;
        let unmet = |number: &usize| !residual.is_task_met(*number);
        let numbers = 0..self.solve.plan.tasks.len();
        let Some(most) = numbers.clone().filter(unmet).max_by(|a, b| lacking(*a).total_cmp(&lacking(*b))) else {
            return 0;
        };
        let steps = self.steps(THE_REST);
        if steps == 0 || !numbers.clone().any(|number| number != most && unmet(&number)) {
            return 0;
        }
        let others = |body: &Self| -> f32 {
            let residual = &body.solve.residual;
            let square = |number: usize| {
                let left = residual.missing[number] * residual.scale[number].factor;
                left * left
            };
            numbers.clone().filter(|number| *number != most).map(square).sum()
        };
        let (before, missing) = (others(self), self.solve.residual.missing[most]);
        self.slots[FIRST].copy_from(&self.solve.state.at);
        self.solve.residual.hold(&self.solve.plan, |_, number| number == most);
        let done = self.least_motion(steps, stretches, 0.9);
        self.solve.residual.let_go();
        self.evaluate();
        let lost = self.solve.residual.missing[most] - missing;
        if others(self) >= before || lost > self.solve.residual.scale[most].tolerance {
            self.go_back();
        }
        done.iterations
    }

    /// Where tasks stay unmet, a descent ends as soon as steps gain little, at a pose that depends
    /// on every step on the way. A search goes on from there. Where joints follow others, whose
    /// curvature no step counts, and for several levels with limits, where a search costs the lower
    /// ones too much, each of those tasks is held where it is, the answer settles among the poses
    /// that leave all tasks as they are, and steps of least motion take back what that costs them;
    /// back to where it began where it costs more than they take back.
    pub(super) fn settle_unmet(&mut self, rule: &DescentRule) -> u32 {
        let may_search = self.solve.state.couplings.is_empty() && self.solve.residual.levels() <= 1;
        if may_search || self.solve.may_curve() {
            return self.search(rule) + self.reach_the_rest(false);
        }
        let before = self.evaluate();
        self.solve.residual.hold(&self.solve.plan, |residual, number| !residual.is_task_met(number));
        self.solve.residual.switch_levels();
        let mut iterations = self.settle(rule);
        self.solve.residual.switch_levels();
        self.solve.residual.let_go();
        let taken_back = DescentRule { max_iterations: TAKEN_BACK, ..DescentRule::LEAST_MOTION };
        iterations += self.descend(&taken_back).iterations;
        let cost = float::sqrt(self.evaluate()) - float::sqrt(before);
        if cost > COST * self.settings.tolerance_m {
            self.go_back();
        }
        iterations
    }

    /// From a pose near the best for tasks that are out of reach to that of least `|e|² + μ |d|²`
    /// near by, with the curvature of what is left and of borders: Newton's method, whose steps are
    /// shortened where they do not help. Damping would hold turns that cost the tasks nothing,
    /// which the posture alone decides, more than the posture pulls. With `μ` so large that every
    /// step is sure where the answer is, then less in few steps, so that it is a continuous
    /// function of the goals (a path along `μ`: E. Allgower, K. Georg, "Introduction to Numerical
    /// Continuation Methods" (1990), ch. 1).
    fn search(&mut self, rule: &DescentRule) -> u32 {
        let force = float::sqrt(self.evaluate());
        let mut iterations = 0;
        for (share, most) in SEARCH {
            let max_iterations = most.min(self.settings.settle_iterations);
            let rule = rule.with_posture(share * force);
            let stage = DescentRule { max_iterations, curved: true, search_rad: SEARCH_RAD, ..rule };
            iterations += self.descend(&stage).iterations;
        }
        if self.solve.residual.levels() <= 1 {
            let least = DescentRule { max_iterations: SEARCHED, ..DescentRule::LEAST_MOTION };
            iterations += self.descend(&least).iterations;
        }
        iterations
    }
}
