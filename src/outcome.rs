//! Outcome of a solve, shared by all solvers: status, residuals, iterations; and weights.

/// How a solve ended. An unreachable goal is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(i32)]
pub enum Status {
    /// Nothing to do: the weight is 0, or the joints do not exist. The pose is unchanged.
    #[default]
    Inactive = 0,
    /// The goal (at its weight) is met to tolerance.
    Reached = 1,
    /// The goal is out of reach of the joints; the pose is the nearest by the solver's rule.
    Unreachable = 2,
    /// The goal is not met, though it was not out of reach: an iterating solver stopped making
    /// progress before, or a later step of the frame moved the effector away from it.
    Stalled = 3,
    /// An iterating solver used up its iterations before the goal was met.
    OutOfIterations = 4,
}

/// Outcome of a solve, measured on the resulting pose.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Outcome {
    /// How the solve ended.
    pub status: Status,
    /// Iterations used; 0 for closed forms.
    pub iterations: u32,
    /// Distance in metres (host units) between the effector and its weighted goal in the resulting
    /// pose. 0 without a position goal.
    pub residual_m: f32,
    /// Angle in radians, 0 … π, between the effector's orientation (or direction) and its weighted
    /// goal. 0 without a rotation goal.
    pub residual_rad: f32,
}

impl Outcome {
    /// Outcome of a solve with nothing to do.
    pub const INACTIVE: Self = Self { status: Status::Inactive, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };

    /// The outcome with what is left once later steps of the frame have moved the effector.
    /// `is_met`: within tolerance.
    pub(crate) fn measured_again(self, residual_m: f32, residual_rad: f32, is_met: bool) -> Self {
        let status = match self.status {
            _ if is_met => Status::Reached,
            Status::Reached => Status::Stalled,
            status => status,
        };
        let mut outcome = Self { status, residual_m, residual_rad, ..self };
        outcome.keep_finite(true);
        outcome
    }

    /// Replaces residuals that are not finite by the largest finite value; a solve whose pose was
    /// restored (`sound` false) has stalled.
    pub(crate) fn keep_finite(&mut self, sound: bool) {
        if !sound {
            self.status = Status::Stalled;
        }
        if !self.residual_m.is_finite() {
            self.residual_m = f32::MAX;
        }
        if !self.residual_rad.is_finite() {
            self.residual_rad = core::f32::consts::PI;
        }
    }
}

/// Clamps an importance to 0.01 … 1; NaN becomes 0.01.
#[inline]
pub(crate) fn importance01(importance: f32) -> f32 {
    if importance > 0.01 { importance.min(1.0) } else { 0.01 }
}

/// Clamps a weight to 0 … 1, as Unity documents; NaN becomes 0.
#[inline]
pub fn weight01(weight: f32) -> f32 {
    if weight > 0.0 { weight.min(1.0) } else { 0.0 }
}
