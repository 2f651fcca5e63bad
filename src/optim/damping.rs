//! Levenberg-Marquardt damping, which controls the step size of a descent: raised when a step did
//! not help, lowered when it did.
//!
//! Source: K. Levenberg, "A method for the solution of certain non-linear problems in least
//! squares", Quart. Appl. Math. 2 (1944); D. Marquardt, SIAM J. Appl. Math. 11 (1963). The factors
//! were chosen by measurement.

/// How the damping changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampingRule {
    /// Minimum damping.
    pub least: f32,
    /// Factor after a step that lowered the objective, below 1.
    pub ease: f32,
    /// Factor after a step that more than halved it, below `ease` or the same.
    pub ease_fast: f32,
    /// Factor after a step that was rejected, above 1.
    pub raise: f32,
    /// Damping after a rejection is at least this times `raise`.
    pub raise_from: f32,
    /// Maximum damping: above it the descent stops.
    pub most: f32,
}

/// The damping of a descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    /// Current damping.
    pub value: f32,
    rule: DampingRule,
}

impl Damping {
    /// Starts at this damping.
    pub fn new(value: f32, rule: DampingRule) -> Self {
        Self { value, rule }
    }
    /// After a step that lowered the objective by the share `gain` 0 … 1, and by `ratio` of what
    /// the linear model foresaw. Where the model is poor the damping stays or rises, so that the
    /// next step is not one to be refused (R. Fletcher, "A modified Marquardt subroutine for
    /// non-linear least squares", Harwell report AERE-R 6799, 1971).
    pub fn accept(&mut self, gain: f32, ratio: f32) {
        let factor = if gain > 0.5 {
            self.rule.ease_fast
        } else if ratio < 0.25 {
            2.0
        } else if ratio < 0.75 {
            1.0
        } else {
            self.rule.ease
        };
        self.value = (self.value * factor).max(self.rule.least);
    }
    /// After a step of which the share `taken` was taken, 0 … 1, since the model is poor beyond:
    /// stays at a half of it, falls above and rises below, by the square. Continuous, as the share
    /// is.
    pub fn follow(&mut self, taken: f32) {
        let part = 0.5 / taken;
        let factor = (part * part).clamp(self.rule.ease, self.rule.raise);
        self.value = (self.value * factor).max(self.rule.least);
    }
    /// Raises the damping after a rejected step; false when it exceeds the maximum and the descent
    /// should stop.
    pub fn reject(&mut self) -> bool {
        self.value = self.value.max(self.rule.raise_from) * self.rule.raise;
        self.value < self.rule.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_on_failure_and_falls_on_success() {
        let rule = DampingRule { least: 1e-7, ease: 0.4, ease_fast: 0.1, raise: 6.0, raise_from: 1e-6, most: 1e6 };
        let mut damping = Damping::new(1e-3, rule);
        damping.accept(0.1, 0.9);
        assert_eq!(damping.value, 1e-3 * 0.4);
        damping.accept(0.9, 0.9);
        assert_eq!(damping.value, 1e-3 * 0.4 * 0.1);
        (0..20).for_each(|_| damping.accept(0.9, 0.9));
        assert_eq!(damping.value, 1e-7);
        damping.accept(0.1, 0.5);
        assert_eq!(damping.value, 1e-7);
        damping.accept(0.1, 0.1);
        assert_eq!(damping.value, 2e-7);
        damping.value = 1e-3;
        for (taken, factor) in [(1.0, 0.4), (0.8, 0.4), (0.5, 1.0), (0.25, 4.0), (1e-3, 6.0)] {
            damping.value = 1e-3;
            damping.follow(taken);
            assert!((damping.value / (1e-3 * factor) - 1.0).abs() < 1e-6, "{taken}: {}", damping.value);
        }
        damping.value = 1e-3;
        let mut tries = 0;
        while damping.reject() {
            tries += 1;
        }
        assert!((10..25).contains(&tries), "{tries}");
    }
}
