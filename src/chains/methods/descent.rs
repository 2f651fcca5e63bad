//! What a descent of one of the methods ends with, and when it ends short of its goals.

use crate::chains::state::Miss;
use crate::math::float;
use crate::outcome::Status;

/// Iterations like the last one that are foreseen where a descent is compared with its rival.
const FORESEEN: f32 = 4.0;

/// Result of a descent.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Descent {
    pub miss: Miss,
    pub iterations: u32,
    pub status: Status,
}

/// When a descent that does not meet its goals ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::chains) struct Patience {
    /// Cost of the best pose known: a descent that falls behind it is given up.
    pub rival: f32,
    /// An iteration that leaves more than this share of the cost is idle.
    pub idle_from: f32,
    /// Idle iterations in a row that end the descent.
    pub idle: u32,
    /// Refused steps in a row that it survives.
    pub fails: u32,
}

impl Patience {
    /// Until no step helps.
    pub const WHOLE: Self = Self { rival: f32::INFINITY, idle_from: 2.0, idle: 1, fails: 7 };

    /// Of one attempt of many, against the best pose of the others: where the residual is
    /// stationary, more iterations would not change which of them is the best.
    pub fn of_attempt(rival: f32) -> Self {
        Self { rival, idle_from: 0.998, idle: 2, fails: 3 }
    }

    /// Whether [`FORESEEN`] iterations like the one between two poses would not bring the root of
    /// the cost down to the rival's.
    #[inline(always)]
    pub fn is_behind(&self, before: &Miss, now: &Miss) -> bool {
        let left = float::sqrt(now.cost);
        left - FORESEEN * (float::sqrt(before.cost) - left) > float::sqrt(self.rival)
    }
}
