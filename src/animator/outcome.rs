//! How each step of the last frame ended.

use super::animator::Animator;
use super::frame::{FrameStep, Slot};
use crate::outcome::Outcome;

impl Animator {
    /// The outcome of a step in the last frame: the worst status, the sum of the iterations and the
    /// largest of each residual of its parts. [`FrameStep::Limbs`] and [`FrameStep::EndRotations`]
    /// are the four goals together, [`FrameStep::Constraints`] are the constraints without another
    /// placement. [`Outcome::INACTIVE`] for steps that had nothing to do or have no residual.
    pub fn step_outcome(&self, step: FrameStep) -> Outcome {
        let humanoid = self.humanoid.as_deref().map(|h| &h.outcomes);
        match step {
            FrameStep::Body => self.body_step_outcome(),
            FrameStep::LookAt => humanoid.map_or(Outcome::INACTIVE, |outcomes| outcomes.look_at),
            FrameStep::Limbs => {
                worst(humanoid.iter().flat_map(|o| o.goals).map(|o| Outcome { residual_rad: 0.0, ..o }))
            }
            FrameStep::EndRotations => {
                worst(humanoid.iter().flat_map(|o| o.goals).map(|o| Outcome { residual_m: 0.0, ..o }))
            }
            FrameStep::Constraints => worst(self.constraints.outcomes(Slot::STACK.0)),
            _ => Outcome::INACTIVE,
        }
    }
}

fn worst(outcomes: impl Iterator<Item = Outcome>) -> Outcome {
    outcomes.fold(Outcome::INACTIVE, |worst, one| Outcome {
        status: if one.status as i32 > worst.status as i32 { one.status } else { worst.status },
        iterations: worst.iterations + one.iterations,
        residual_m: worst.residual_m.max(one.residual_m),
        residual_rad: worst.residual_rad.max(one.residual_rad),
    })
}
