//! Members of a world, and their grouping into tiles.
//!
//! A member has a row, the lowest free number, as long as it belongs to the world: the index into
//! the host's arrays. It also has a place in a tile of eight members with equal skeleton and
//! avatar: the unit of work, and the batch of the wide kernels.

use super::level::Level;
use super::schedule::Schedule;
use crate::humanoid::Avatar;
use crate::skeleton::Skeleton;
use crate::store::Id;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

/// Members in a tile.
pub(super) const TILE: usize = 8;

/// A row of the host's arrays.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// `None` while the row is free.
    pub id: Option<Id>,
    pub schedule: Schedule,
    /// Changes whenever the member's recorded corrections become invalid.
    pub stamp: u32,
    pub tile: u32,
}

/// Up to eight members of one group.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Rows of the members; `None`: a free place.
    pub rows: [Option<u32>; TILE],
    /// The call in which a member was last solved; 0: never.
    pub solved_in: u64,
    /// Whether the call has a member to solve, where it has a budget.
    pub is_due: bool,
    /// A member was restored or reset since the tile was solved last, where there is a budget.
    pub has_forgotten: bool,
    group: u32,
}

impl Tile {
    fn is_empty(&self) -> bool {
        self.rows.iter().all(Option::is_none)
    }
}

/// Members of equal skeleton and avatar.
#[derive(Debug)]
struct Group {
    skeleton: Arc<Skeleton>,
    avatar: Option<Arc<Avatar>>,
    /// Tiles with a free place.
    open: BTreeSet<u32>,
    tiles: u32,
}

impl Group {
    fn suits(&self, skeleton: &Arc<Skeleton>, avatar: Option<&Arc<Avatar>>) -> bool {
        Arc::ptr_eq(&self.skeleton, skeleton)
            && match (&self.avatar, avatar) {
                (None, None) => true,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            }
    }
}

/// The members of a world.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub rows: Vec<Row>,
    pub tiles: Vec<Tile>,
    groups: Vec<Option<Group>>,
    by_id: BTreeMap<Id, u32>,
    free_rows: BinaryHeap<Reverse<u32>>,
    free_tiles: BinaryHeap<Reverse<u32>>,
    stamps: u32,
}

impl Members {
    pub fn count(&self) -> usize {
        self.by_id.len()
    }
    pub fn most_joints(&self) -> usize {
        self.groups.iter().flatten().map(|group| group.skeleton.joint_count()).max().unwrap_or(0)
    }
    pub fn row(&self, id: Id) -> Option<u32> {
        self.by_id.get(&id).copied()
    }
    /// Tile of a member and its place in the tile.
    pub fn place(&self, row: u32) -> Option<(u32, usize)> {
        let Row { id: Some(_), tile, .. } = self.rows.get(row as usize)? else { return None };
        let place = self.tiles[*tile as usize].rows.iter().position(|other| *other == Some(row))?;
        Some((*tile, place))
    }
    /// The rig of a tile's members; `None` for a tile without members.
    pub fn skeleton(&self, tile: u32) -> Option<&Arc<Skeleton>> {
        let tile = self.tiles.get(tile as usize).filter(|tile| !tile.is_empty())?;
        self.groups[tile.group as usize].as_ref().map(|group| &group.skeleton)
    }
    /// Adds a member and returns its row.
    pub fn add(&mut self, id: Id, skeleton: &Arc<Skeleton>, avatar: Option<&Arc<Avatar>>) -> u32 {
        let row = self.free_rows.pop().map_or(self.rows.len() as u32, |Reverse(row)| row);
        let tile = self.take_place(skeleton, avatar, row);
        let stamp = self.next_stamp();
        let member = Row { id: Some(id), schedule: Schedule::NEW, stamp, tile };
        match self.rows.get_mut(row as usize) {
            Some(free) => *free = member,
            None => self.rows.push(member),
        }
        // So that leaving needs no memory.
        self.free_rows.reserve(self.rows.len() - self.free_rows.len());
        self.free_tiles.reserve(self.tiles.len() - self.free_tiles.len());
        self.by_id.insert(id, row);
        row
    }
    /// Removes a member and frees its row and place.
    pub fn remove(&mut self, row: u32) {
        let Row { id: Some(id), tile: index, .. } = self.rows[row as usize] else { return };
        self.by_id.remove(&id);
        self.rows[row as usize].id = None;
        self.free_rows.push(Reverse(row));
        let tile = &mut self.tiles[index as usize];
        for place in &mut tile.rows {
            if *place == Some(row) {
                *place = None;
            }
        }
        let (empty, group_index) = (tile.is_empty(), tile.group as usize);
        let Some(group) = &mut self.groups[group_index] else { return };
        group.open.insert(index);
        if empty {
            group.open.remove(&index);
            group.tiles -= 1;
            self.free_tiles.push(Reverse(index));
            if group.tiles == 0 {
                self.groups[group_index] = None;
            }
        }
    }
    /// Changes the level of a member after a call.
    pub fn set_level(&mut self, row: u32, level: Level, call: u64) {
        let stamp = self.next_stamp();
        let member = &mut self.rows[row as usize];
        if member.schedule.level() != level && !member.schedule.set_level(level, call, member.tile) {
            member.stamp = stamp;
        }
    }
    fn next_stamp(&mut self) -> u32 {
        self.stamps = self.stamps.wrapping_add(1);
        self.stamps
    }
    /// Assigns a place in a tile of its group to `row`.
    fn take_place(&mut self, skeleton: &Arc<Skeleton>, avatar: Option<&Arc<Avatar>>, row: u32) -> u32 {
        let found = self.groups.iter().position(|g| g.as_ref().is_some_and(|g| g.suits(skeleton, avatar)));
        let index = found.unwrap_or_else(|| {
            let group = Group { skeleton: skeleton.clone(), avatar: avatar.cloned(), open: BTreeSet::new(), tiles: 0 };
            let place = self.groups.iter().position(Option::is_none).unwrap_or(self.groups.len());
            match self.groups.get_mut(place) {
                Some(free) => *free = Some(group),
                None => self.groups.push(Some(group)),
            }
            place
        });
        let Some(group) = &mut self.groups[index] else { unreachable!("just found or made") };
        let tile = match group.open.first() {
            Some(tile) => *tile,
            None => {
                let made =
                    Tile { rows: [None; TILE], solved_in: 0, is_due: false, has_forgotten: false, group: index as u32 };
                let tile = self.free_tiles.pop().map_or(self.tiles.len() as u32, |Reverse(tile)| tile);
                match self.tiles.get_mut(tile as usize) {
                    Some(free) => *free = made,
                    None => self.tiles.push(made),
                }
                group.open.insert(tile);
                group.tiles += 1;
                tile
            }
        };
        let places = &mut self.tiles[tile as usize].rows;
        if let Some(place) = places.iter_mut().find(|place| place.is_none()) {
            *place = Some(row);
        }
        if places.iter().all(Option::is_some) {
            group.open.remove(&tile);
        }
        tile
    }
}
