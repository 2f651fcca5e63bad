//! Registry of skeletons, avatars and characters under ids.

use super::Character;
use crate::animator::AnimatorError;
use crate::humanoid::Avatar;
use crate::skeleton::{PoseError, Skeleton};
use crate::store::{FirstSharedSlots, FirstSlots, Id, SharedSlots, Slots, StoreError};
use std::sync::Arc;

/// Why an object could not be used, solved, or added.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The id finds nothing, or the value cannot be used now.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The animator returned an error.
    #[error(transparent)]
    Animator(#[from] AnimatorError),
    /// The character already belongs to this or another world.
    #[error("the animator already belongs to a world")]
    AlreadyMember,
    /// The character does not belong to this world.
    #[error("the animator does not belong to this world")]
    NotMember,
    /// The world has no pose arrays, or the character's skeleton has a scale and so cannot have
    /// any.
    #[error("the world has no pose arrays for the animator: none are set, or its skeleton has a scale")]
    NoArrays,
    /// A panic happened in the character's solve; it can only be destroyed.
    #[error("a panic happened in its solve")]
    Panicked,
    /// The host layer refused the input, with its own code.
    #[error("refused by the host's layer with code {0}")]
    Refused(i32),
}

impl From<PoseError> for WorldError {
    fn from(error: PoseError) -> Self {
        Self::Animator(error.into())
    }
}

/// Skeletons, avatars and characters under ids. Safe to share between threads; no call waits for
/// another character's solve.
#[derive(Debug)]
pub struct Registry {
    /// Rigs.
    pub skeletons: SharedSlots<Skeleton>,
    /// Avatars.
    pub avatars: SharedSlots<Avatar>,
    /// Characters.
    pub characters: Slots<Character>,
}

// The kinds differ in several bits, so that a wrong or damaged id of one kind is not one of
// another.
const SKELETON: u8 = 0x53;
const AVATAR: u8 = 0xA6;
const CHARACTER: u8 = 0x1D;

/// The first slots of a registry, as a static.
#[derive(Debug)]
pub struct FirstObjects {
    skeletons: FirstSharedSlots<Skeleton>,
    avatars: FirstSharedSlots<Avatar>,
    characters: FirstSlots<Character>,
}

impl FirstObjects {
    /// Empty slots.
    #[expect(clippy::new_without_default, reason = "only as the value of a static")]
    pub const fn new() -> Self {
        Self { skeletons: FirstSlots::new(), avatars: FirstSlots::new(), characters: FirstSlots::new() }
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// An empty registry.
    pub const fn new() -> Self {
        Self { skeletons: Slots::new(SKELETON), avatars: Slots::new(AVATAR), characters: Slots::new(CHARACTER) }
    }
    /// An empty registry whose first slots need not be allocated.
    pub const fn with_first(first: &'static FirstObjects) -> Self {
        Self {
            skeletons: Slots::with_first(SKELETON, &first.skeletons),
            avatars: Slots::with_first(AVATAR, &first.avatars),
            characters: Slots::with_first(CHARACTER, &first.characters),
        }
    }
    /// Adds a character.
    pub fn add_character(&self, skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Id, WorldError> {
        Ok(self.characters.insert(Character::new(skeleton, avatar)?)?)
    }
    /// Solves one character.
    pub fn solve(&self, character: Id) -> Result<(), WorldError> {
        Ok(self.characters.with(character, Character::solve)??)
    }
    /// Solves characters one after the other, in the order given, and calls `report` with the
    /// result of each. A failure does not stop the others.
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
