//! When a descent has stopped making progress.

/// Watches an objective over windows of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stall {
    mark: f32,
    since: u32,
    /// Iterations of a window.
    window: u32,
    /// Share of the objective that has to remain at most after a window.
    most: f32,
}

impl Stall {
    /// Stalled when `window` iterations leave more than `most` (just below 1) of the objective.
    pub fn new(objective: f32, window: u32, most: f32) -> Self {
        Self { mark: objective, since: 0, window, most }
    }
    /// After one more iteration: whether it has stalled.
    pub fn is_stalled(&mut self, objective: f32) -> bool {
        self.since += 1;
        if self.since < self.window {
            return false;
        }
        let stalled = objective > self.most * self.mark;
        (self.mark, self.since) = (objective, 0);
        stalled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_progress_is_a_stall_and_fast_is_none() {
        let mut slow = Stall::new(1.0, 3, 0.99);
        assert_eq!([1.0, 0.999, 0.998].map(|x| slow.is_stalled(x)), [false, false, true]);
        let mut fast = Stall::new(1.0, 3, 0.99);
        assert_eq!([0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map(|x| fast.is_stalled(x)), [false; 6]);
    }
}
