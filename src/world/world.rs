//! World: a set of characters solved in one call.

use super::arrays::{Arrays, PoseArrays};
use super::level::Level;
use super::members::Members;
use super::{Character, Deadline, Runner, RunnerFault, WorldError};
use crate::animator::crowd::Workspace;
use crate::math::Transform;
use crate::skeleton::PoseTile;
use crate::store::{Id, Slots, StoreError};
use core::cell::Cell;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Source and destination of the poses of a call, and of the other input per row. Called from the
/// threads that solve, for each row at most once per call, for different rows at the same time.
pub trait Host: Sync {
    /// Loads a row's input (goals and root, as far as the call has them) and its pose into the
    /// character; on an error nothing is loaded. With [`PosePlace::Own`] the pose is only checked.
    fn load(&self, row: u32, character: &mut Character) -> Result<(), WorldError>;
    /// Loads the input without the pose. The default is for calls without other input.
    fn load_input(&self, _row: u32, _character: &mut Character) -> Result<(), WorldError> {
        Ok(())
    }
    /// Stores the pose of the character. Not called where the poses are the library's.
    fn store(&self, row: u32, character: &Character);
    /// The row's pose as records, one per joint, where it is the host's and has that form: the pose
    /// is then read in place, and only changed joints are written, in place of load and store.
    fn records<'a>(&'a self, _row: u32, _character: &'a Character) -> Option<&'a [Cell<Transform>]> {
        None
    }
    /// Where the poses are.
    fn poses(&self) -> PosePlace {
        PosePlace::Host
    }
}

/// Where the poses of a call are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PosePlace {
    /// With the host: they are loaded and stored. The characters' own buffers stay as they are.
    #[default]
    Host,
    /// In the characters' own buffers: they are checked and solved there.
    Own,
    /// In the world's arrays ([`World::set_arrays`]): only the input is loaded. The characters' own
    /// buffers stay as they are.
    Arrays,
}

/// Each character's own pose buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnBuffers;

impl Host for OwnBuffers {
    fn load(&self, _: u32, character: &mut Character) -> Result<(), WorldError> {
        Ok(character.check_pose()?)
    }
    fn store(&self, _: u32, _: &Character) {}
    fn poses(&self) -> PosePlace {
        PosePlace::Own
    }
}

/// The world's pose arrays; see [`World::set_arrays`].
#[derive(Clone, Copy, Debug, Default)]
pub struct InArrays;

impl Host for InArrays {
    fn load(&self, _: u32, _: &mut Character) -> Result<(), WorldError> {
        Ok(())
    }
    fn store(&self, _: u32, _: &Character) {}
    fn poses(&self) -> PosePlace {
        PosePlace::Arrays
    }
}

/// Input of a call.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Storage of the members.
    pub characters: &'a Slots<Character>,
    /// Source and destination of the poses.
    pub host: &'a dyn Host,
    /// Threads that do the work.
    pub runner: &'a dyn Runner,
    /// Monotonic time in seconds from any start; called from any thread, once per tile of eight
    /// characters. Used only with a budget.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
}

/// State of a row after the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RowState {
    /// No character is in this row, or it joined after the last call.
    Empty = 0,
    /// Solved.
    Solved = 1,
    /// Between solves ([`Level::EveryNth`]): the pose got an interpolation of the corrections of
    /// its last two solves.
    Between = 2,
    /// Cut by the budget: the pose got the correction of its last solve, or none when there was no
    /// solve yet.
    Cut = 3,
    /// The level is [`Level::Off`]; nothing was read or written.
    Off = 4,
    /// Failed; see [`World::failed`]. Nothing was changed.
    Failed = 5,
}

impl RowState {
    const ALL: [Self; 6] = [Self::Empty, Self::Solved, Self::Between, Self::Cut, Self::Off, Self::Failed];

    fn from_byte(byte: u8) -> Self {
        Self::ALL.get(byte as usize).copied().unwrap_or(Self::Empty)
    }
}

/// A row that failed in the last call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failed {
    /// The row.
    pub row: u32,
    /// The character.
    pub id: Id,
    /// The error. A destroyed character is not a failure: it has left the world.
    pub error: WorldError,
}

/// Result of a call, in numbers of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Solved.
    pub solved: u32,
    /// Between two solves; see [`RowState::Between`].
    pub between: u32,
    /// Cut by the budget; see [`RowState::Cut`].
    pub cut: u32,
    /// Off.
    pub off: u32,
    /// Refused; see [`World::failed`].
    pub failed: u32,
    /// Contract violation of the runner, if any. The work was done nonetheless.
    pub fault: Option<RunnerFault>,
}

/// Claims of a tile.
pub(super) const FREE: u8 = 0;
pub(super) const TAKEN: u8 = 1;
pub(super) const DONE: u8 = 2;

/// A set of characters solved in one call. A character belongs to at most one world.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use sinew::humanoid::{Avatar, AvatarDefinition};
/// use sinew::math::Vec3;
/// use sinew::skeleton::SkeletonBuilder;
/// use sinew::world::{Registry, World};
/// use std::sync::Arc;
/// let mut rig = SkeletonBuilder::new();
/// let hips = rig.joint_at("Hips", None, Vec3::new(0.0, 1.0, 0.0));
/// let spine = rig.joint_at("Spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
/// rig.joint_at("Head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
/// for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
///     let arm = rig.joint_at(&format!("{side}UpperArm"), Some(spine), Vec3::new(0.2 * x, 0.3, 0.0));
///     let forearm = rig.joint_at(&format!("{side}LowerArm"), Some(arm), Vec3::new(0.28 * x, 0.0, 0.0));
///     rig.joint_at(&format!("{side}Hand"), Some(forearm), Vec3::new(0.25 * x, 0.0, 0.0));
///     let thigh = rig.joint_at(&format!("{side}UpperLeg"), Some(hips), Vec3::new(0.1 * x, 0.0, 0.0));
///     let shin = rig.joint_at(&format!("{side}LowerLeg"), Some(thigh), Vec3::new(0.0, -0.45, 0.01));
///     rig.joint_at(&format!("{side}Foot"), Some(shin), Vec3::new(0.0, -0.45, -0.01));
/// }
/// let skeleton = Arc::new(rig.build()?);
/// let map = sinew::humanoid::map_human_names(&skeleton);
/// let avatar = Arc::new(Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?);
/// let registry = Registry::new();
/// let mut crowd = World::new();
/// for _ in 0..20 {
///     let id = registry.add_character(skeleton.clone(), Some(avatar.clone()))?;
///     crowd.join(&registry.characters, id)?;
/// }
/// assert_eq!(crowd.solve(&registry.characters).solved, 20);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct World {
    /// Members hold a weak reference, to detect whether their world still exists. How often members
    /// have forgotten what the world has recorded of them.
    alive: Arc<AtomicU64>,
    /// The same number at the last call with a budget.
    forgotten: u64,
    pub(super) members: Members,
    /// Number of the last call, from 1.
    pub(super) call: u64,
    budget_s: Option<f64>,
    /// Ends solves that have begun when the budget is used up.
    pub(super) deadline: Option<Arc<Deadline>>,
    /// The tiles to solve, in the order in which they are begun.
    pub(super) order: Vec<u32>,
    /// By place in `order`.
    pub(super) claims: Vec<AtomicU8>,
    /// By row: a [`RowState`], or [`GONE`].
    pub(super) states: Vec<AtomicU8>,
    pub(super) failed: Mutex<Vec<Failed>>,
    pub(super) arrays: Arrays,
    /// Workspaces (scratch) of threads that are not working.
    #[expect(clippy::vec_box, reason = "boxed so that lending moves a pointer, not the workspace")]
    pub(super) workspaces: Mutex<Vec<Box<Workspace>>>,
}

/// State of a row whose character no longer exists.
pub(super) const GONE: u8 = u8::MAX;

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Maximum number of members.
    pub const MAX_MEMBERS: usize = 1 << 24;

    /// A world without members and without budget.
    pub fn new() -> Self {
        Self {
            alive: Arc::default(),
            forgotten: 0,
            members: Members::default(),
            call: 0,
            budget_s: None,
            deadline: None,
            order: Vec::new(),
            claims: Vec::new(),
            states: Vec::new(),
            failed: Mutex::new(Vec::new()),
            arrays: Arrays::default(),
            workspaces: Mutex::new(Vec::new()),
        }
    }

    /// Adds a character at [`Level::Full`] and returns its row: the lowest free number, constant
    /// until it leaves or is destroyed. Call at set-up: it allocates.
    pub fn join(&mut self, characters: &Slots<Character>, id: Id) -> Result<u32, WorldError> {
        let mut character = characters.lock(id)?;
        if character.world.strong_count() > 0 {
            return Err(WorldError::AlreadyMember);
        }
        if self.members.count() >= Self::MAX_MEMBERS {
            return Err(StoreError::Full.into());
        }
        let row = self.members.add(id, character.animator.skeleton(), character.animator.avatar());
        character.world = Arc::downgrade(&self.alive);
        character.memory.forget();
        // Memory for all results of a call.
        let (rows, tiles) = (self.members.rows.len(), self.members.tiles.len());
        self.states.resize_with(rows.max(self.states.len()), || AtomicU8::new(RowState::Empty as u8));
        *self.states[row as usize].get_mut() = RowState::Empty as u8;
        self.claims.resize_with(tiles.max(self.claims.len()), || AtomicU8::new(FREE));
        self.order.reserve(tiles.saturating_sub(self.order.len()));
        let failed = self.failed.get_mut().unwrap_or_else(PoisonError::into_inner);
        failed.reserve(rows.saturating_sub(failed.len()));
        self.arrays.join(&self.members, row);
        Ok(row)
    }
    /// Removes a character from the world; its pose is kept. A poisoned character can be removed.
    pub fn leave(&mut self, characters: &Slots<Character>, id: Id) -> Result<(), WorldError> {
        let row = self.members.row(id).ok_or(WorldError::NotMember)?;
        match characters.lock(id) {
            Ok(mut character) => character.world = std::sync::Weak::new(),
            Err(StoreError::Busy) => return Err(StoreError::Busy.into()),
            // Poisoned: only its membership can be removed.
            Err(_) => {}
        }
        self.remove(row);
        Ok(())
    }
    fn remove(&mut self, row: u32) {
        self.members.remove(row);
        *self.states[row as usize].get_mut() = RowState::Empty as u8;
    }
    /// Number of characters that have joined and not left. A destroyed character counts until the
    /// next call detects it.
    pub fn count(&self) -> usize {
        self.members.count()
    }
    /// Upper bound of the rows in use, exclusive.
    pub fn row_count(&self) -> usize {
        self.members.rows.len()
    }
    /// Largest joint count of a member's skeleton; 0 without members.
    pub fn most_joints(&self) -> usize {
        self.members.most_joints()
    }
    /// Row of a member.
    pub fn row(&self, id: Id) -> Option<u32> {
        self.members.row(id)
    }
    /// The character in a row.
    pub fn member(&self, row: u32) -> Option<Id> {
        self.members.rows.get(row as usize).and_then(|row| row.id)
    }
    /// Sets a member's level of detail; see [`Level`]. Numbers out of range are clamped.
    pub fn set_level(&mut self, id: Id, level: Level) -> Result<(), WorldError> {
        let row = self.members.row(id).ok_or(WorldError::NotMember)?;
        self.members.set_level(row, level.limited(), self.call);
        Ok(())
    }
    /// See [`Self::set_level`].
    pub fn level(&self, id: Id) -> Result<Level, WorldError> {
        let row = self.members.row(id).ok_or(WorldError::NotMember)?;
        Ok(self.members.rows[row as usize].schedule.level())
    }
    /// Sets or clears what ends solves that have begun when the budget is used up, with their best
    /// pose so far. Without it they run to their end.
    pub fn set_deadline(&mut self, deadline: Option<Arc<Deadline>>) {
        self.deadline = deadline;
    }
    /// Sets the seconds during which a call begins new solves; `None`, the default: no limit. A
    /// member that is not solved gets the correction of its last solve ([`RowState::Cut`]) and is
    /// among the first in the next call, since members that have waited longest are solved first,
    /// behind those that were restored or reset.
    /// One tile of eight characters is solved in every call, however small the budget. The call
    /// lasts for the budget, the solves begun in it, and the corrections of the members that were
    /// cut. With a budget the corrections of each member's last solve are recorded, which allocates
    /// in the first call.
    ///
    /// Without a budget every result depends only on the input.
    pub fn set_budget(&mut self, seconds: Option<f64>) {
        self.budget_s = seconds;
    }
    /// See [`Self::set_budget`].
    pub fn budget(&self) -> Option<f64> {
        self.budget_s
    }
    /// Sets which pose arrays the world keeps, as structures of arrays; see [`Self::pose_tile`].
    /// The default is none. Call at set-up: it allocates and writes the rest pose everywhere.
    pub fn set_arrays(&mut self, which: PoseArrays) {
        self.arrays = Arrays::new(which, &self.members);
    }
    /// How many joints the arrays of all current members have.
    pub fn array_joints(&self) -> usize {
        (0..self.members.tiles.len() as u32)
            .filter_map(|tile| self.members.skeleton(tile))
            .map(|skeleton| skeleton.joint_count())
            .sum()
    }
    /// See [`Self::set_arrays`].
    pub fn arrays(&self) -> PoseArrays {
        self.arrays.which()
    }
    /// The arrays that hold the poses of a row and of seven others side by side, and the row's
    /// place in them. They hold the rest pose when the row's character joins, and their address is
    /// constant as long as one of the eight belongs to the world. A call with [`PosePlace::Arrays`]
    /// solves them in place. `None` for a row without a character, and where no arrays are kept
    /// ([`WorldError::NoArrays`]).
    pub fn pose_tile(&mut self, row: u32) -> Option<(&mut PoseTile, usize)> {
        let (tile, place) = self.members.place(row)?;
        Some((self.arrays.get_mut(tile)?, place))
    }
    /// State of a row after the last call.
    pub fn state(&self, row: u32) -> RowState {
        self.states
            .get(row as usize)
            .map_or(RowState::Empty, |state| RowState::from_byte(state.load(Ordering::Relaxed)))
    }
    /// Members that failed in the last call, in the order of rows.
    pub fn failed(&mut self) -> &[Failed] {
        self.failed.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders the tiles with members: first those of members that were restored or reset, then
    /// those that have waited longest; without a budget none waits.
    pub(super) fn plan(&mut self, characters: &Slots<Character>) {
        self.call += 1;
        if self.budget_s.is_some() {
            self.find_forgotten(characters);
        }
        let Members { tiles, rows, .. } = &mut self.members;
        self.order.clear();
        self.order
            .extend((0..tiles.len() as u32).filter(|tile| tiles[*tile as usize].rows.iter().any(Option::is_some)));
        if self.budget_s.is_some() {
            for tile in &mut *tiles {
                let is_due = |row: &u32| rows[*row as usize].schedule.is_due(self.call);
                tile.is_due = tile.has_forgotten || tile.rows.iter().flatten().any(is_due);
            }
            // One with nothing to solve is never the one that is solved however small the budget.
            self.order.sort_unstable_by_key(|number| {
                let tile = &tiles[*number as usize];
                (!tile.is_due, !tile.has_forgotten, tile.solved_in, *number)
            });
        }
        for claim in &mut self.claims[..self.order.len()] {
            *claim.get_mut() = FREE;
        }
        self.failed.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Marks the tiles of members of which nothing is recorded any more, if there may be some.
    fn find_forgotten(&mut self, characters: &Slots<Character>) {
        let now = self.alive.load(Ordering::Relaxed);
        if core::mem::replace(&mut self.forgotten, now) == now {
            return;
        }
        for row in &self.members.rows {
            let Some(id) = row.id.filter(|_| row.schedule.level() != Level::Off) else { continue };
            if characters.with(id, |character| character.memory.is_known(row.stamp)) == Ok(false) {
                self.members.tiles[row.tile as usize].has_forgotten = true;
            }
        }
    }

    /// Collects the results of the run.
    pub(super) fn conclude(&mut self, fault: Option<RunnerFault>) -> Report {
        let mut report = Report { fault, ..Report::default() };
        for row in 0..self.members.rows.len() as u32 {
            if self.members.rows[row as usize].id.is_none() {
                continue;
            }
            let state = *self.states[row as usize].get_mut();
            if state == GONE {
                self.remove(row);
                continue;
            }
            let state = RowState::from_byte(state);
            let member = &mut self.members.rows[row as usize];
            match state {
                RowState::Solved => member.schedule.solved(self.call, member.tile),
                RowState::Failed => member.schedule.failed(self.call, member.tile),
                RowState::Cut | RowState::Between | RowState::Off | RowState::Empty => {}
            }
            if matches!(state, RowState::Solved | RowState::Failed) {
                let tile = &mut self.members.tiles[member.tile as usize];
                (tile.solved_in, tile.has_forgotten) = (self.call, false);
            }
            match state {
                RowState::Empty => {}
                RowState::Solved => report.solved += 1,
                RowState::Between => report.between += 1,
                RowState::Cut => report.cut += 1,
                RowState::Off => report.off += 1,
                RowState::Failed => report.failed += 1,
            }
        }
        self.failed.get_mut().unwrap_or_else(PoisonError::into_inner).sort_unstable_by_key(|failed| failed.row);
        report
    }
}
