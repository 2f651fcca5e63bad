//! Stall rule of iterations that keep their best result.

/// Iterations without gain that count as a stall.
const MAX_IDLE: u32 = 20;
/// An iteration counts as a gain when at most this share of the cost remains.
const GAIN: f32 = 0.999;

/// The best cost so far, and the number of iterations without gain.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    best: f32,
    mark: f32,
    idle: u32,
}

impl Progress {
    /// Starts at this cost.
    pub fn new(cost: f32) -> Self {
        Self { best: cost, mark: cost, idle: 0 }
    }
    /// The least cost so far.
    pub fn best(&self) -> f32 {
        self.best
    }
    /// Whether there was hardly any gain for 20 iterations.
    pub fn is_stalled(&self) -> bool {
        self.idle >= MAX_IDLE
    }
    /// Records the cost after an iteration; true when it is the least so far.
    pub fn add(&mut self, cost: f32) -> bool {
        let better = cost < self.best;
        if better {
            self.best = cost;
        }
        if self.best < GAIN * self.mark {
            (self.mark, self.idle) = (self.best, 0);
        } else {
            self.idle += 1;
        }
        better
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_iterations_without_gain_are_a_stall() {
        let mut progress = Progress::new(1.0);
        assert!((0..19).all(|_| !progress.add(1.0) && !progress.is_stalled()));
        assert!(progress.add(0.9), "a gain");
        assert!((0..20).all(|_| !progress.is_stalled() && !progress.add(0.95)));
        assert!(progress.is_stalled() && progress.best() == 0.9);
    }
}
