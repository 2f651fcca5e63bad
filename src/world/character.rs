//! An animator with the pose buffer that its host writes.

use super::correction::Memory;
use crate::animator::{Animator, AnimatorError};
use crate::humanoid::Avatar;
use crate::math::Transform;
use crate::skeleton::{Pose, PoseError, Skeleton};
use core::sync::atomic::{AtomicU64, Ordering};
use std::cell::Cell;
use std::sync::{Arc, Weak};

/// An animator and the buffer into which its host writes the animation and from which it reads the
/// result.
#[derive(Debug)]
pub struct Character {
    /// The animator; its own pose is a working copy of the buffer.
    pub animator: Animator,
    /// Cells, as the host keeps the address and writes between calls.
    pub(super) buffer: Box<[Cell<Transform>]>,
    /// Expires with the world that the character belongs to.
    pub(super) world: Weak<AtomicU64>,
    /// Corrections of the last solves, where its world needs them.
    pub(super) memory: Memory,
}

impl Character {
    /// A character in the rest pose.
    pub fn new(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Self, AnimatorError> {
        let buffer = skeleton.rest_local().iter().copied().map(Cell::new).collect();
        let animator = Animator::new(skeleton, avatar)?;
        Ok(Self { animator, buffer, world: Weak::new(), memory: Memory::default() })
    }
    /// One local transform per joint. The address is constant for the character's life.
    pub fn buffer(&self) -> &[Cell<Transform>] {
        &self.buffer
    }
    /// Copies the buffer into the animator's pose and checks it. On an error the buffer is
    /// unchanged; every later call reads it again.
    pub fn load_pose(&mut self) -> Result<(), PoseError> {
        let Self { animator, buffer, .. } = self;
        // Each transform is read once: the checked numbers are the ones used, even if the host
        // writes meanwhile.
        animator.pose_mut().load_buffer(buffer)
    }
    /// [`Self::load_pose`] from another source: one transform per joint, each read once.
    pub fn load_pose_from(&mut self, transforms: impl Iterator<Item = Transform>) -> Result<(), PoseError> {
        self.animator.pose_mut().load(transforms)
    }
    /// Copies a pose into the buffer; refused as a whole when one number is invalid.
    pub fn set_pose(&mut self, pose: &[Transform]) -> Result<(), PoseError> {
        if pose.len() != self.buffer.len() {
            return Err(PoseError::Length { expected: self.buffer.len(), given: pose.len() });
        }
        Pose::check(pose)?;
        for (cell, transform) in self.buffer.iter().zip(pose) {
            cell.set(*transform);
        }
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
        for (cell, transform) in self.buffer.iter().zip(self.animator.skeleton().rest_local()) {
            cell.set(*transform);
        }
    }
    /// Solves from the buffer into the buffer; joints that were not moved keep their bits.
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.solve_seen(|_| ())
    }
    /// [`Self::solve`]; `see` gets the character with the pose before the solve in its buffer, and
    /// the result in its animator.
    #[inline(always)]
    pub(crate) fn solve_seen(&mut self, see: impl FnOnce(&Self)) -> Result<(), AnimatorError> {
        self.load_pose()?;
        self.animator.solve()?;
        see(self);
        self.store_pose();
        Ok(())
    }
    /// [`Animator::match_pose_from_goals`], from the buffer into the buffer.
    pub fn match_pose_from_goals(&mut self) -> Result<(), AnimatorError> {
        self.load_pose()?;
        self.animator.match_pose_from_goals()?;
        self.store_pose();
        Ok(())
    }
    /// Copies the animator's pose into the buffer.
    pub(crate) fn store_pose(&self) {
        self.animator.pose().store_buffer(&self.buffer);
    }
}
