//! Tasks that are met on one side while an answer settles: an active set of their rows.
//!
//! A row on which the pose stands is held: it counts on both sides of 0, as rows of other tasks do.
//! A step that would leave it to the allowed side, by the sign of its multiplier, releases it; a
//! step that crosses another one is cut where it stands on it, and holds it from there on.
//!
//! Source: J. Nocedal, S. Wright, "Numerical Optimization", 2nd ed. (2006), §16.5.

use super::demand::Demand;
use super::descent::{DescentRule, Solve};
use super::residual::BEYOND_SIDE;

/// Halvings in which the place is found where a step crosses.
const HALVINGS: u32 = 10;

impl Solve {
    /// Measures, and loads the step, after rows were released. Returns the objective of tasks and
    /// posture.
    #[inline(never)]
    pub(super) fn load_again(&mut self, demands: &[Option<Demand>], rule: &DescentRule) -> (f32, f32) {
        let measured = self.measure(demands, rule);
        self.step.load(&self.plan, &self.state, &self.models, &self.residual, rule.posture > 0.0);
        measured
    }

    /// Cuts the step that was taken to where it crosses the first row that is not held. Returns the
    /// objective of tasks and posture.
    #[inline(never)]
    pub(super) fn stop_at_sides(
        &mut self,
        demands: &[Option<Demand>],
        floating: bool,
        rule: &DescentRule,
    ) -> (f32, f32) {
        let (mut within, mut beyond) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let share = 0.5 * (within + beyond);
            self.undo(demands, rule);
            self.settling.cut(&mut self.step, share);
            self.apply(floating);
            self.measure(demands, rule);
            let over = self.residual.beyond_sides(&self.plan);
            if over > 2.0 * BEYOND_SIDE {
                beyond = share;
            } else if over > 0.0 {
                beyond = share;
                break;
            } else {
                within = share;
            }
        }
        self.undo(demands, rule);
        self.settling.cut(&mut self.step, beyond);
        self.apply(floating);
        self.measure(demands, rule)
    }
}
