//! Who exists and what is solved in which order.
//!
//! A [`World`] holds skeletons, avatars and characters under ids that any thread may use. A character is an
//! [`Animator`] with a pose buffer that a host may write into between solves. Solving is serial here: one after the other,
//! in the order asked for; different threads may solve different characters at once.

use crate::humanoid::{Animator, AnimatorError, Avatar};
use crate::math::Transform;
use crate::skeleton::{Pose, PoseError, Skeleton};
use crate::store::{Id, Slots, StoreError};
use std::cell::Cell;
use std::sync::Arc;

/// An animator and the buffer in which its host writes the animation and reads the result.
#[derive(Debug)]
pub struct Character {
    /// The animator; its own pose is a working copy of the buffer.
    pub animator: Animator,
    /// Cells, because the host keeps the address and writes between calls.
    buffer: Box<[Cell<Transform>]>,
}

impl Character {
    /// A character in the rest pose.
    pub fn new(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Self, AnimatorError> {
        let buffer = skeleton.rest_local().iter().copied().map(Cell::new).collect();
        Ok(Self { animator: Animator::new(skeleton, avatar)?, buffer })
    }
    /// One local transform per joint. The address stays the same for the character's life.
    pub fn buffer(&self) -> &[Cell<Transform>] {
        &self.buffer
    }
    /// Copies the buffer into the animator's pose, checked. On an error the buffer stays as it is, and the animator's pose,
    /// which every later call reads anew, holds the joints before the bad one.
    pub fn load_pose(&mut self) -> Result<(), PoseError> {
        // Each transform is read once: what is checked is what is used, whatever the host writes meanwhile.
        for (joint, cell) in self.buffer.iter().enumerate() {
            let transform = cell.get();
            Pose::check_joint(joint, &transform)?;
            self.animator.pose_mut().local_mut()[joint] = transform;
        }
        Ok(())
    }
    /// Copies a pose into the buffer; refused as a whole when one number is bad.
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
    /// Puts the skeleton's rest pose into the buffer.
    pub fn reset_pose(&mut self) {
        for (cell, transform) in self.buffer.iter().zip(self.animator.skeleton().rest_local()) {
            cell.set(*transform);
        }
    }
    /// Solves from the buffer into the buffer; joints that nothing moved keep their bits.
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.load_pose()?;
        self.animator.solve()?;
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
    fn store_pose(&self) {
        for (cell, solved) in self.buffer.iter().zip(self.animator.pose().local()) {
            cell.set(*solved);
        }
    }
}

/// Why something in a world could not be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The id finds nothing, or what it finds cannot be used now.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The animator refused.
    #[error(transparent)]
    Animator(#[from] AnimatorError),
}

/// Everything that exists, under ids. Safe to share between threads; nothing here waits for another character's solve.
#[derive(Debug)]
pub struct World {
    /// Rigs.
    pub skeletons: Slots<Arc<Skeleton>>,
    /// Avatars.
    pub avatars: Slots<Arc<Avatar>>,
    /// Characters.
    pub characters: Slots<Character>,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world.
    pub const fn new() -> Self {
        // The kinds differ in several bits, so that a wrong or damaged id of one kind is not one of another.
        Self { skeletons: Slots::new(0x53), avatars: Slots::new(0xA6), characters: Slots::new(0x1D) }
    }
    /// Adds a character.
    pub fn add_character(&self, skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Id, WorldError> {
        Ok(self.characters.insert(Character::new(skeleton, avatar)?)?)
    }
    /// Solves one character.
    pub fn solve(&self, character: Id) -> Result<(), WorldError> {
        Ok(self.characters.with(character, Character::solve)??)
    }
    /// Solves characters one after the other, in the order given; `report` hears the result of each. One that fails does not
    /// stop the others.
    pub fn solve_batch(
        &self,
        characters: impl Iterator<Item = Id>,
        mut report: impl FnMut(usize, Result<(), WorldError>),
    ) {
        for (index, character) in characters.enumerate() {
            report(index, self.solve(character));
        }
    }
}
