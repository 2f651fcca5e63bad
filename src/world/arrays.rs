//! Pose arrays of a world, as structures of arrays, on which its kernels work without a copy.

use super::members::Members;
use crate::skeleton::PoseTile;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which pose arrays a world keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PoseArrays {
    /// None.
    #[default]
    None,
    /// Local transforms.
    Locals,
    /// Local transforms, and the frames of all joints in model space, updated by every call that
    /// uses the arrays.
    LocalsAndFrames,
}

/// The pose arrays of all tiles.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    which: PoseArrays,
    /// By tile. `None` for rigs with a scale.
    tiles: Vec<Option<Mutex<PoseTile>>>,
}

impl Arrays {
    /// Arrays for the current members, in the rest pose.
    pub fn new(which: PoseArrays, members: &Members) -> Self {
        let mut arrays = Self { which, ..Self::default() };
        (0..members.tiles.len() as u32).for_each(|tile| arrays.make(members, tile));
        arrays
    }
    pub fn which(&self) -> PoseArrays {
        self.which
    }
    /// Writes the rest pose into the row of a new member.
    pub fn join(&mut self, members: &Members, row: u32) {
        let (Some((tile, place)), true) = (members.place(row), self.which != PoseArrays::None) else { return };
        let is_first = members.tiles[tile as usize].rows.iter().flatten().count() == 1;
        if is_first {
            return self.make(members, tile);
        }
        if let (Some(poses), Some(skeleton)) = (self.get_mut(tile), members.skeleton(tile)) {
            poses.put_pose(place, skeleton.rest_local());
        }
    }
    /// Creates the arrays of a tile, eight times the rest pose.
    fn make(&mut self, members: &Members, tile: u32) {
        if self.which == PoseArrays::None {
            return;
        }
        let made = members.skeleton(tile).and_then(|skeleton| PoseTile::rest(skeleton));
        self.tiles.resize_with(self.tiles.len().max(tile as usize + 1), || None);
        self.tiles[tile as usize] = made.map(Mutex::new);
    }
    pub fn get_mut(&mut self, tile: u32) -> Option<&mut PoseTile> {
        let tile = self.tiles.get_mut(tile as usize)?.as_mut()?;
        Some(tile.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
    /// For the thread that works on the tile; the lock is never contended.
    pub fn lock(&self, tile: u32) -> Option<MutexGuard<'_, PoseTile>> {
        let tile = self.tiles.get(tile as usize)?.as_ref()?;
        Some(tile.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
