//! Stall rule of a descent: when it has stopped making progress.

/// Watches an objective over windows of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stall {
    mark: f32,
    since: u32,
    /// Iterations of a window.
    window: u32,
    /// A window counts as progress when at most this share of the objective remains.
    most: f32,
}

impl Stall {
    /// A descent is stalled when more than the share `most` (just below 1) of the objective remains
    /// after `window` iterations.
    pub fn new(objective: f32, window: u32, most: f32) -> Self {
        Self { mark: objective, since: 0, window, most }
    }
    /// Records an iteration; true when the descent has stalled.
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
