//! What every kind of constraint does; a new kind implements this and gets a variant of
//! [`super::ConstraintDefinition`].

use super::goal::ConstraintInput;
use super::lines::GoalLines;
use crate::limits::JointLimit;
use crate::math::Frame;
use crate::optim::Work;
use crate::outcome::{Outcome, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::fmt::Debug;
use core::ops::Range;

/// A constraint set up on a skeleton, with its scratch. It keeps nothing from solve to solve that
/// changes a result, but what [`Self::write_state`] writes.
pub(super) trait ConstraintKind: Debug + Send + Sync {
    /// Number of goals in its input.
    fn end_count(&self) -> usize {
        1
    }
    /// The topmost joint it moves; all others but [`Self::detached_end`] are below it.
    fn top(&self) -> JointIndex;
    /// A joint it moves that is not below [`Self::top`].
    fn detached_end(&self) -> Option<JointIndex> {
        None
    }
    /// The joints that it turns or moves itself, parents before children. Allocates.
    fn joints(&self) -> Vec<JointIndex>;
    /// Whether its solution goes on from solve to solve after its goals have changed.
    fn settles(&self) -> bool {
        false
    }
    /// Whether neither definition nor rest pose determine the side to which a limb bends.
    fn is_bend_arbitrary(&self) -> bool {
        false
    }
    /// Takes over the limits of a joint, if the joint is one of its own.
    fn set_limit(&mut self, skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit);
    /// Scales the number of iterations by `share`, 0 … 1; closed forms have none.
    fn set_iteration_scale(&mut self, _share: f32) {}
    /// The angle of the input's pole at which adding the pole changes nothing, radians; 0 without
    /// poles. The pose's frames are up to date.
    fn angle_in_place(&mut self, _skeleton: &Skeleton, _pose: &Pose, _world: &Frame, _input: &ConstraintInput) -> f32 {
        0.0
    }
    /// Updates the model frames that [`Self::solve`] reads; by default all.
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, _input: &ConstraintInput) {
        pose.update(skeleton);
    }
    /// Solves with the steps that are left in `work`, on a pose whose frames are up to date, or
    /// just those of [`Self::update_frames`].
    /// Frames of the joints it moved, and below them, are stale afterwards.
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        work: &mut Work,
    ) -> Outcome;
    /// How far the animation, the pose before the solve, is beyond the limits of the joints that
    /// the solve keeps within theirs, radians: the farthest one. 0 for a kind that fades the
    /// correction in itself.
    fn excess_rad(&self, pose: &Pose) -> f32;
    /// The weight with which it leaves the animation.
    fn weight(&self, input: &ConstraintInput) -> f32 {
        weight01(input.weight)
    }
    /// Whether one of the joints that the outcome is measured at is in this range.
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool;
    /// The outcome of the last [`Self::solve`], measured against the same goals on the pose as
    /// later steps have left it. Updates the model frames that it reads.
    fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        outcome: Outcome,
    ) -> Outcome;
    /// Forgets what it has kept from earlier solves.
    fn reset(&mut self) {}
    /// Writes the words of what it keeps from solve to solve, as many each time.
    fn write_state(&self, _put: &mut dyn FnMut(u32)) {}
    /// Reads what [`Self::write_state`] wrote; changes nothing unless `commit`.
    fn read_state(&mut self, _next: &mut dyn FnMut() -> Option<u32>, _commit: bool) -> Result<(), &'static str> {
        Ok(())
    }
    /// Draws its goals, those with weight, and its pole.
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput);
    /// A copy.
    fn boxed(&self) -> Box<dyn ConstraintKind>;
}

impl Clone for Box<dyn ConstraintKind> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
