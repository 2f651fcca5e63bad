//! An animator with the pose buffer that its host writes.

use super::correction::Memory;
use crate::animator::{Animator, AnimatorError};
use crate::humanoid::Avatar;
use crate::math::Transform;
use crate::skeleton::exchanged::HasPose;
use crate::skeleton::{Pose, PoseError, Skeleton};
use crate::store::Held;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// An animator whose pose is the buffer into which its host writes the animation, and from which it
/// reads the result.
#[derive(Debug)]
pub struct Character {
    /// The animator. Its pose is the buffer, so [`Self::check_pose`] comes before each use.
    pub animator: Animator,
    /// Expires with the world that the character belongs to.
    pub(super) world: Weak<AtomicU64>,
    /// Corrections of the last solves, where its world needs them.
    pub(super) memory: Memory,
}

impl HasPose for Held<'_, Character> {
    fn pose_mut(&mut self) -> &mut Pose {
        self.animator.pose_mut()
    }
}

impl Character {
    /// A character in the rest pose.
    pub fn new(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Self, AnimatorError> {
        Ok(Self { animator: Animator::new(skeleton, avatar)?, world: Weak::new(), memory: Memory::default() })
    }
    /// One local transform per joint. The address is constant for the character's life.
    pub fn buffer(&self) -> &[Transform] {
        self.animator.pose().local()
    }
    /// The same, to write the animation.
    pub fn buffer_mut(&mut self) -> &mut [Transform] {
        self.animator.pose_mut().local_mut()
    }
    /// Address of [`Self::buffer`] for a host that writes to it between calls.
    #[cfg(feature = "record")]
    pub(crate) fn buffer_address(&mut self) -> *mut Transform {
        self.animator.pose_mut().local_address()
    }
    /// Checks the numbers in the buffer. On an error nothing is changed; every later call checks
    /// them again.
    pub fn check_pose(&mut self) -> Result<(), PoseError> {
        self.animator.pose_mut().check_again()
    }
    /// Copies a pose from one transform per joint, each read once, and checks it. For a
    /// [`super::Host`] that has the poses itself: it is called with other memory in the place of
    /// the buffer.
    pub fn load_pose_from(&mut self, transforms: impl Iterator<Item = Transform>) -> Result<(), PoseError> {
        self.animator.pose_mut().load(transforms)
    }
    /// Copies a pose into the buffer; refused as a whole when one number is invalid.
    pub fn set_pose(&mut self, pose: &[Transform]) -> Result<(), PoseError> {
        if pose.len() != self.buffer().len() {
            return Err(PoseError::Length { expected: self.buffer().len(), given: pose.len() });
        }
        Pose::check(pose)?;
        self.buffer_mut().copy_from_slice(pose);
        Ok(())
    }
    /// Resets everything that lasts between frames, as if it had never been solved, also what its
    /// world has recorded of it.
    pub fn reset_state(&mut self) {
        self.animator.reset_state();
        self.forget_corrections();
    }
    /// [`Animator::restore`]. Corrections that its world has recorded are not part of a snapshot:
    /// the world's next call solves it, with a budget before the others.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), AnimatorError> {
        self.animator.restore(snapshot)?;
        self.forget_corrections();
        Ok(())
    }
    fn forget_corrections(&mut self) {
        self.memory.forget();
        if let Some(forgotten) = self.world.upgrade() {
            forgotten.fetch_add(1, Ordering::Relaxed);
        }
    }
    /// Writes the skeleton's rest pose into the buffer.
    pub fn reset_pose(&mut self) {
        let skeleton = self.animator.skeleton().clone();
        self.buffer_mut().copy_from_slice(skeleton.rest_local());
    }
    /// Solves from the buffer into the buffer; joints that were not moved keep their bits.
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.solve_seen(|_| (), |_| ())
    }
    /// [`Self::solve`]; `before` gets the character with the checked animation in its buffer,
    /// `after` with the result.
    #[inline(always)]
    pub(crate) fn solve_seen(
        &mut self,
        before: impl FnOnce(&Self),
        after: impl FnOnce(&Self),
    ) -> Result<(), AnimatorError> {
        self.check_pose()?;
        before(self);
        self.animator.solve()?;
        after(self);
        Ok(())
    }
    /// [`Animator::match_pose_from_goals`], from the buffer into the buffer.
    pub fn match_pose_from_goals(&mut self) -> Result<(), AnimatorError> {
        self.check_pose()?;
        self.animator.match_pose_from_goals()
    }
}
