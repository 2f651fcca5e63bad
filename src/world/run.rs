//! One call of a world: tile by tile, on the runner's threads.

use super::arrays::PoseArrays;
use super::level::Level;
use super::members::TILE;
use super::pace::{self, Begun, Moment, Solve};
use super::world::{DONE, FREE, GONE, OwnBuffers, PosePlace, Report, TAKEN};
use super::{Call, Character, Failed, RangeResult, RowState, RunnerFault, Serial, WorkClaimed, World, WorldError};
use crate::animator::AnimatorError;
use crate::animator::crowd::{self, Workspace};
use crate::math::Transform;
use crate::math::dispatch::Level as Instructions;
use crate::optim::Source;
use crate::skeleton::PoseTile;
use crate::skeleton::exchanged::Exchanged;
use crate::skeleton::tile::{Known, scatter};
use crate::store::{Held, Slots, StoreError, enter};
use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl World {
    /// Solves all members on the calling thread, from their own buffers.
    pub fn solve(&mut self, characters: &Slots<Character>) -> Report {
        self.solve_with(&Call { characters, host: &OwnBuffers, runner: &Serial, clock: &|| 0.0 })
    }
    /// Solves all members according to their levels and the budget.
    pub fn solve_with(&mut self, call: &Call<'_>) -> Report {
        self.plan(call.characters);
        let fault = Run::new(self, call).all();
        self.conclude(fault)
    }
}

/// A call in progress, shared by the threads that work on it.
pub(super) struct Run<'a> {
    world: &'a World,
    call: &'a Call<'a>,
    poses: PosePlace,
    /// Time at which no more solves are begun.
    until: Option<f64>,
    twice: AtomicBool,
    out_of_range: AtomicBool,
}

impl<'a> Run<'a> {
    /// Starts a call; the budget begins now.
    pub fn new(world: &'a World, call: &'a Call<'a>) -> Self {
        let until = world.budget().map(|seconds| (call.clock)() + seconds);
        if let (Some(until), Some(deadline)) = (until, &world.deadline) {
            deadline.set(until);
        }
        Self {
            world,
            call,
            poses: call.host.poses(),
            until,
            twice: AtomicBool::new(false),
            out_of_range: AtomicBool::new(false),
        }
    }
    /// Solves all members; returns the runner's fault, if any.
    pub fn all(&self) -> Option<RunnerFault> {
        let count = self.world.order.len() as u32;
        if count == 0 {
            return None;
        }
        let ran = self.call.runner.run(count, 1, &|range| self.range(range));
        let left = self.with_workspace(|w| (0..count).filter(|place| self.place(*place, w)).count() as u32);
        let never = (left > 0 && ran != Ok(WorkClaimed::Part)).then_some(RunnerFault::NeverRun(left));
        let twice = self.twice.load(Ordering::Relaxed).then_some(RunnerFault::Twice);
        let out_of_range = self.out_of_range.load(Ordering::Relaxed).then_some(RunnerFault::OutOfRange);
        ran.err().or(never).or(twice).or(out_of_range)
    }

    fn range(&self, places: Range<u32>) -> RangeResult {
        if places.start > places.end || places.end as usize > self.world.order.len() {
            self.out_of_range.store(true, Ordering::Relaxed);
            return RangeResult::OutOfRange;
        }
        let mut ran = RangeResult::Done;
        self.with_workspace(|workspace| {
            for place in places {
                if !self.place(place, workspace) {
                    self.twice.store(true, Ordering::Relaxed);
                    ran = RangeResult::Twice;
                }
            }
        });
        ran
    }

    /// Takes a free workspace, or creates one; after warm-up there are as many as threads have
    /// worked at once.
    fn with_workspace<R>(&self, work: impl FnOnce(&mut Workspace) -> R) -> R {
        let spare = || enter(&self.world.workspaces);
        let taken = spare().pop();
        let mut workspace = taken.unwrap_or_else(new_workspace);
        let done = work(&mut workspace);
        spare().push(workspace);
        done
    }

    /// Solves the tile at a place in the order; false when another thread has claimed it.
    fn place(&self, place: u32, workspace: &mut Workspace) -> bool {
        let claim = &self.world.claims[place as usize];
        if claim.compare_exchange(FREE, TAKEN, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return false;
        }
        // The tile that has waited longest is always solved, so that a small budget still makes
        // progress.
        let cut = place > 0 && self.until.is_some_and(|until| (self.call.clock)() >= until);
        self.tile(self.world.order[place as usize], cut, workspace);
        claim.store(DONE, Ordering::Release);
        true
    }

    fn tile(&self, tile: u32, cut: bool, workspace: &mut Workspace) {
        let uses_arrays = self.poses == PosePlace::Arrays;
        let mut guard = uses_arrays.then(|| self.world.arrays.lock(tile)).flatten();
        let mut arrays =
            guard.as_deref_mut().map(|poses| TilePoses { known: poses.examine(workspace.instructions()), poses });
        let joints = self.world.members.skeleton(tile).map_or(0, |skeleton| skeleton.joint_count());
        let mut elsewhere = workspace.take_elsewhere(joints, self.poses != PosePlace::Own);
        let mut lanes: [Option<Lane<'_>>; TILE] = [const { None }; TILE];
        let rows = self.world.members.tiles[tile as usize].rows;
        for (place, ((lane, row), other)) in lanes.iter_mut().zip(rows).zip(&mut elsewhere).enumerate() {
            let Some(row) = row else { continue };
            let poses = arrays.as_mut();
            // A guard dropped by a panic poisons its value.
            let begun = catch(AssertUnwindSafe(|| self.begin(Place { row, place }, cut, poses, other)));
            match begun.unwrap_or(Err(WorldError::Panicked)) {
                Ok(BeginResult::Lane(begun)) => *lane = Some(begun),
                Ok(BeginResult::Ended(state)) => self.write(row, state as u8),
                Err(error) => self.fail(row, error),
            }
        }
        let mut borrowed = workspace.take_gathered();
        if lanes.iter().flatten().any(|lane| lane.source == PoseSource::InRecords) {
            let gathered =
                catch(AssertUnwindSafe(|| self.gather(tile, &mut lanes, workspace.instructions(), &mut borrowed)))
                    .flatten();
            let (known, there) = gathered.unzip();
            arrays = known.map(|known| TilePoses { known, poses: &mut borrowed });
            self.load_others(&mut lanes, there.unwrap_or(0));
        }
        let rows = lanes.each_ref().map(|lane| lane.as_ref().map(|lane| lane.row));
        let instructions = workspace.instructions();
        let (call, poses) = (self, arrays.as_mut());
        let ended = catch(AssertUnwindSafe(|| call.solve_lanes(lanes, poses, workspace)));
        if ended.is_none() {
            for row in rows.into_iter().flatten() {
                self.fail(row, WorldError::Panicked);
            }
        }
        if let (Some(TilePoses { poses, known }), Some(skeleton)) = (arrays, self.world.members.skeleton(tile))
            && uses_arrays
            && self.world.arrays.which() == PoseArrays::LocalsAndFrames
        {
            poses.update_known(known, instructions, skeleton);
        }
        workspace.put_gathered(borrowed);
        workspace.put_elsewhere(elsewhere);
    }

    /// Gathers the poses that are records side by side, with the places of the valid ones; `None`
    /// below the batch size from which this is faster.
    fn gather(
        &self,
        tile: u32,
        lanes: &mut [Option<Lane<'_>>; TILE],
        instructions: Instructions,
        poses: &mut PoseTile,
    ) -> Option<(Known, u8)> {
        let records = self.records(lanes);
        let mut there = records.into_iter().filter(|records| !records.is_empty());
        let (Some(first), Some(_)) = (there.next(), there.next()) else { return None };
        poses.grow(self.world.members.skeleton(tile)?);
        let known = poses.gather(instructions, records.map(|records| if records.is_empty() { first } else { records }));
        let is_there = |(place, records): (usize, &&[Cell<Transform>])| u8::from(!records.is_empty()) << place;
        Some((known, known.sound & records.iter().enumerate().map(is_there).sum::<u8>()))
    }
    /// The poses that are records; empty where the host has none.
    fn records<'r>(&'r self, lanes: &'r mut [Option<Lane<'_>>; TILE]) -> [&'r [Cell<Transform>]; TILE] {
        lanes.each_mut().map(|lane| {
            let lane = lane.as_mut().filter(|lane| lane.source == PoseSource::InRecords);
            let of_lane = |lane: &'r mut Lane<'_>| match self.poses {
                PosePlace::Own => Some(lane.character.animator.pose_mut().records()),
                PosePlace::Host => self.call.host.records(lane.row, &lane.character),
                PosePlace::Arrays => None,
            };
            lane.and_then(of_lane).unwrap_or_default()
        })
    }
    /// Loads the input of the members that `stay` in records, and both input and pose of the other
    /// members in records.
    fn load_others(&self, lanes: &mut [Option<Lane<'_>>; TILE], stay: u8) {
        for (place, lane) in lanes.iter_mut().enumerate() {
            let Some(mut own) = lane.take_if(|lane| lane.source == PoseSource::InRecords) else { continue };
            if stay >> place & 1 == 0 {
                own.source = PoseSource::Loaded;
            }
            let (row, host) = (own.row, self.call.host);
            // As in `begin`: a guard dropped by a panic poisons its value.
            let loaded = catch(AssertUnwindSafe(move || {
                match own.source {
                    PoseSource::Loaded => self.load(row, &mut own.character)?,
                    PoseSource::InArrays | PoseSource::InRecords => host.load_input(row, &mut own.character)?,
                }
                Ok(own)
            }));
            match loaded.unwrap_or(Err(WorldError::Panicked)) {
                Ok(own) => *lane = Some(own),
                Err(error) => self.fail(row, error),
            }
        }
    }

    fn solve_lanes(
        &self,
        mut lanes: [Option<Lane<'_>>; TILE],
        mut arrays: Option<&mut TilePoses<'_>>,
        workspace: &mut Workspace,
    ) {
        let mut failed = [None; TILE];
        if let Some(arrays) = arrays.as_deref_mut() {
            let animators = lanes
                .each_mut()
                .map(|lane| lane.as_mut().filter(|lane| !lane.is_loaded()).map(|lane| &mut lane.character.animator));
            let mut fail = |place, error| failed[place] = Some(error);
            let in_step = crowd::solve_examined(animators, arrays.poses, arrays.known, workspace, &mut fail);
            if self.poses != PosePlace::Arrays {
                let is_alone = |(place, lane): &(usize, &Option<Lane<'_>>)| {
                    in_step >> place & 1 == 0
                        && failed[*place].is_none()
                        && lane.as_ref().is_some_and(|lane| lane.source == PoseSource::InRecords)
                };
                let alone = lanes.iter().enumerate().filter(is_alone).fold(0, |bits, (place, _)| bits | 1 << place);
                let (records, local) = (self.records(&mut lanes), arrays.poses.local());
                if in_step != 0 {
                    scatter(workspace.instructions(), workspace.moved(), local, in_step, &records);
                }
                if alone != 0 {
                    scatter(workspace.instructions(), 0..local.len(), local, alone, &records);
                }
            }
        }
        let due = lanes.iter().flatten().filter(|lane| lane.is_loaded()).count();
        if due > 0 {
            solve_together(&mut lanes, due, workspace, &mut failed);
        }
        for (place, (lane, failed)) in lanes.into_iter().zip(failed).enumerate() {
            if let Some(lane) = lane {
                self.end(lane, failed, arrays.as_deref_mut().map(|arrays| (&mut *arrays.poses, place)));
            }
        }
    }

    /// Loads a member of a tile; applies its correction at once when it is not to be solved. With
    /// arrays, a member that is to be solved in place is not copied.
    fn begin<'t>(
        &self,
        at: Place,
        cut: bool,
        mut arrays: Option<&mut TilePoses<'_>>,
        elsewhere: &'t mut Vec<Transform>,
    ) -> Result<BeginResult<'t>, WorldError>
    where
        'a: 't,
    {
        let Place { row, place } = at;
        let member = &self.world.members.rows[row as usize];
        let Some(id) = member.id else { return Ok(BeginResult::Ended(RowState::Empty)) };
        let (schedule, call) = (&member.schedule, self.world.call);
        if schedule.level() == Level::Off {
            return Ok(BeginResult::Ended(RowState::Off));
        }
        let remembers = self.until.is_some() || schedule.is_gradual();
        let mut character = Exchanged::new(self.call.characters.lock(id)?, elsewhere);
        if self.poses == PosePlace::Arrays {
            let arrays = arrays.as_deref_mut().ok_or(WorldError::NoArrays)?;
            if remembers {
                character.exchange();
                character.load_pose_from(arrays.poses.pose(place))?;
            } else if arrays.known.sound >> place & 1 == 0 {
                arrays.poses.check(place)?;
            }
        }
        let source = match &arrays {
            _ if remembers => PoseSource::Loaded,
            Some(_) => PoseSource::InArrays,
            None if character.animator.can_run_in_tile() => PoseSource::InRecords,
            None => PoseSource::Loaded,
        };
        if arrays.is_some() {
            self.call.host.load_input(row, &mut character)?;
        } else if source == PoseSource::Loaded {
            self.load(row, &mut character)?;
        }
        let Character { animator, memory, .. } = &mut **character;
        let at = Moment { call, stamp: member.stamp, remembers, cut };
        match pace::begin(schedule, memory, animator, at) {
            Begun::Solve(solve) => {
                if let (Some(_), Some(deadline)) = (self.until, &self.world.deadline) {
                    animator.set_interrupt(Source::Budget, Some(deadline.clone()));
                }
                Ok(BeginResult::Lane(Lane { character, row, solve, source }))
            }
            Begun::Cut => Ok(BeginResult::Ended(RowState::Cut)),
            Begun::Corrected(state) => {
                self.store(row, &character, arrays.map(|arrays| (&mut *arrays.poses, place)));
                Ok(BeginResult::Ended(state))
            }
        }
    }

    /// Loads input and pose of a member. A pose of the host does not go to the member's own buffer.
    fn load(&self, row: u32, character: &mut Exchanged<'_, Held<'_, Character>>) -> Result<(), WorldError> {
        if self.poses == PosePlace::Host {
            character.exchange();
        }
        self.call.host.load(row, character)
    }

    /// Stores the result of a solve.
    fn end(&self, mut lane: Lane<'_>, failed: Option<AnimatorError>, arrays: Option<(&mut PoseTile, usize)>) {
        let Character { animator, memory, .. } = &mut **lane.character;
        if self.until.is_some() {
            animator.set_interrupt(Source::Budget, None);
        }
        lane.solve.end(memory, animator, failed.is_some());
        if let Some(error) = failed {
            return self.fail(lane.row, error.into());
        }
        if lane.is_loaded() {
            self.store(lane.row, &lane.character, arrays);
        }
        self.write(lane.row, RowState::Solved as u8);
    }

    fn store(&self, row: u32, character: &Character, arrays: Option<(&mut PoseTile, usize)>) {
        match (self.poses, arrays) {
            (PosePlace::Arrays, Some((arrays, place))) => arrays.put_pose(place, character.animator.pose().local()),
            (PosePlace::Host, _) => self.call.host.store(row, character),
            _ => {}
        }
    }

    fn write(&self, row: u32, state: u8) {
        self.world.states[row as usize].store(state, Ordering::Relaxed);
    }
    fn fail(&self, row: u32, error: WorldError) {
        if error == WorldError::Store(StoreError::Invalid) {
            return self.write(row, GONE);
        }
        if let Some(id) = self.world.member(row) {
            enter(&self.world.failed).push(Failed { row, id, error });
        }
        self.write(row, RowState::Failed as u8);
    }
}

/// A member that is being solved, under exclusive access.
struct Lane<'a> {
    character: Exchanged<'a, Held<'a, Character>>,
    row: u32,
    solve: Solve,
    source: PoseSource,
}

impl Lane<'_> {
    fn is_loaded(&self) -> bool {
        self.source == PoseSource::Loaded
    }
}

/// Where the pose of a member is during the solve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PoseSource {
    /// In the animator: its own, or loaded and stored.
    Loaded,
    /// In the world's arrays.
    InArrays,
    /// In records, the host's or the member's own, to be gathered side by side.
    InRecords,
}

/// The poses of a tile side by side, in the world's arrays or gathered from records, and what is
/// known about them before the solve.
struct TilePoses<'a> {
    poses: &'a mut PoseTile,
    known: Known,
}

/// A member and its place in its tile.
#[derive(Clone, Copy)]
struct Place {
    row: u32,
    place: usize,
}

/// Result of [`Run::begin`] for one member.
enum BeginResult<'a> {
    Lane(Lane<'a>),
    Ended(RowState),
}

/// Not inlined: the calls that find a workspace need no room for a new one on their stack.
#[cold]
#[inline(never)]
fn new_workspace() -> Box<Workspace> {
    Box::default()
}

/// Runs a closure; `None` when it panicked.
fn catch<R>(run: AssertUnwindSafe<impl FnOnce() -> R>) -> Option<R> {
    // A payload may itself panic when dropped.
    catch_unwind(run).map_err(core::mem::forget).ok()
}

/// Solves the animators of a tile that are not solved in place, as a batch; `due` is their number.
/// Errors by place in the tile.
fn solve_together(
    lanes: &mut [Option<Lane<'_>>; TILE],
    due: usize,
    workspace: &mut Workspace,
    failed: &mut [Option<AnimatorError>; TILE],
) {
    match due {
        1 => solve_some::<1>(lanes, workspace, failed),
        2 => solve_some::<2>(lanes, workspace, failed),
        3 => solve_some::<3>(lanes, workspace, failed),
        4 => solve_some::<4>(lanes, workspace, failed),
        5 => solve_some::<5>(lanes, workspace, failed),
        6 => solve_some::<6>(lanes, workspace, failed),
        7 => solve_some::<7>(lanes, workspace, failed),
        _ => solve_some::<TILE>(lanes, workspace, failed),
    }
}

/// [`solve_together`] for exactly `COUNT` animators.
fn solve_some<const COUNT: usize>(
    lanes: &mut [Option<Lane<'_>>; TILE],
    workspace: &mut Workspace,
    failed: &mut [Option<AnimatorError>; TILE],
) {
    let mut places = [0; COUNT];
    let there = lanes.iter_mut().enumerate().filter_map(|(place, lane)| lane.as_mut().map(|lane| (place, lane)));
    let mut there = there.filter(|(_, lane)| lane.is_loaded());
    let mut animators = core::array::from_fn::<_, COUNT, _>(|index| {
        let Some((place, lane)) = there.next() else { unreachable!("as many as were counted") };
        places[index] = place;
        &mut lane.character.animator
    });
    crowd::solve(&mut animators, workspace, |index, error| failed[places[index]] = Some(error));
}
