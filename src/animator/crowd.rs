//! The solve of many animators of one avatar in one call.
//!
//! Characters of one avatar whose frames can run on `Route::Tile` or `Route::Gathered` are solved
//! eight at a time, in structures of arrays. A step that only some of the eight need runs with
//! weight 0 for the others, which keeps their bits. All other characters are solved one by one.
//! Every character gets the bits of [`Animator::solve`], which runs the same steps.
//!
//! Poses are gathered from the animators into a [`PoseTile`] and scattered back ([`solve`]), or are
//! already in a tile ([`solve_tile`]).

use super::animator::Animator;
use super::error::AnimatorError;
use super::frame;
use super::route::Route;
use super::view_frame::ViewFrame;
use crate::closed_form::limb_kernel::limb_outcome;
use crate::humanoid::active_goals::ActiveGoals;
use crate::humanoid::eight_poses::{EightPoses, EightPosesScratch};
use crate::humanoid::goal_batch::GoalBatch;
use crate::humanoid::lane_steps::{StepOutput, look_at_outcome};
use crate::humanoid::{Avatar, HumanoidInput};
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::{LaneMask, Rigid, Transform, Vec3, length};
use crate::outcome::Outcome;
use crate::skeleton::crowd::{Eight, STEP};
use crate::skeleton::exchanged::Exchanged;
use crate::skeleton::tile::{Known, scatter};
use crate::skeleton::{JointIndex, PoseTile};
use core::cell::Cell;
use std::sync::Arc;

/// Scratch of a batch; it grows with the largest skeleton. One per thread; it carries no state from
/// call to call.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    room: EightPosesScratch,
    goals: GoalBatch,
    /// Poses of characters that are solved together.
    tile: PoseTile,
    /// Poses that the caller has gathered; while they are used, others are solved together, too.
    gathered: PoseTile,
    /// The pose of a character of a tile that is solved alone.
    alone: Vec<Transform>,
    /// Poses of characters whose host has them elsewhere, by place.
    elsewhere: Vec<Vec<Transform>>,
    instructions: Level,
}

impl Workspace {
    /// A workspace for a given level. The results are the same at every level.
    pub fn at(level: Level) -> Self {
        Self { instructions: level, ..Self::default() }
    }
    /// Vector instructions that the batch runs with.
    pub(crate) fn instructions(&self) -> Level {
        self.instructions
    }
    /// Takes the caller's tile out of the scratch.
    pub(crate) fn take_gathered(&mut self) -> PoseTile {
        core::mem::take(&mut self.gathered)
    }
    /// Puts it back.
    pub(crate) fn put_gathered(&mut self, tile: PoseTile) {
        self.gathered = tile;
    }
    /// Takes memory for eight poses out of the scratch: allocated for so many joints where members
    /// will need it, so that a later call does not have to.
    pub(crate) fn take_elsewhere(&mut self, joints: usize, are_needed: bool) -> Vec<Vec<Transform>> {
        self.elsewhere.resize_with(STEP, Vec::new);
        let eight = self.elsewhere.iter_mut().filter(|_| are_needed);
        for pose in eight.chain([&mut self.alone]).filter(|pose| pose.len() < joints) {
            pose.resize(joints, Transform::IDENTITY);
        }
        core::mem::take(&mut self.elsewhere)
    }
    /// Puts it back.
    pub(crate) fn put_elsewhere(&mut self, poses: Vec<Vec<Transform>>) {
        self.elsewhere = poses;
    }
    /// Joints that the last call moved.
    pub(crate) fn moved(&self) -> impl Iterator<Item = JointIndex> {
        self.room.set()
    }
}

/// Results of a tile's solve besides the local transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// None: [`PoseTile::model`] is not updated.
    #[default]
    None,
    /// The model frames of all joints, as by [`PoseTile::update`].
    All,
}

/// Minimum batch size: below it, single solves are as fast.
const MIN_BATCH: u32 = 2;

/// Eight places, with or without a character.
type Lanes<'a> = [Option<&'a mut Animator>; STEP];

/// Characters of one avatar collected for a batch, by place.
struct Waiting {
    places: [usize; STEP],
    count: usize,
}

/// [`Animator::solve`] for each, with the same results bit for bit; fastest for animators of one
/// avatar next to one another (others may be among them). `failed` gets the places of those that
/// would have failed, with the error: nothing of them changes.
pub fn solve(animators: &mut [&mut Animator], workspace: &mut Workspace, mut failed: impl FnMut(usize, AnimatorError)) {
    solve_all(animators, workspace, &mut failed);
}

/// What a crowd calls for each character that failed. Not generic: the solve is compiled once,
/// here.
type Failed<'a> = &'a mut dyn FnMut(usize, AnimatorError);

fn solve_all(animators: &mut [&mut Animator], workspace: &mut Workspace, failed: Failed) {
    let mut waiting = Waiting { places: [0; STEP], count: 0 };
    for place in 0..animators.len() {
        if animators.len() < MIN_BATCH as usize || animators[place].route() > Route::Gathered {
            solve_single(animators[place], place, failed);
            continue;
        }
        if waiting.count > 0 && !have_same_avatar(animators[waiting.places[0]], animators[place]) {
            flush(animators, &mut waiting, workspace, failed);
        }
        waiting.places[waiting.count] = place;
        waiting.count += 1;
        if waiting.count == STEP {
            flush(animators, &mut waiting, workspace, failed);
        }
    }
    flush(animators, &mut waiting, workspace, failed);
}

/// [`Animator::solve`] for each on its pose in the tile, in place; the animators' own local
/// transforms stay as they are. All must have the skeleton of the tile, which has no scale; places
/// without an animator may hold any numbers. `failed` gets the places of those that would have
/// failed, with the error: nothing of them changes.
pub fn solve_tile(
    animators: [Option<&mut Animator>; STEP],
    tile: &mut PoseTile,
    frames: Frames,
    workspace: &mut Workspace,
    mut failed: impl FnMut(usize, AnimatorError),
) {
    let known = tile.examine(workspace.instructions());
    let skeleton = animators.iter().flatten().next().map(|animator| animator.skeleton().clone());
    solve_examined(animators, tile, known, workspace, &mut failed);
    if let (Frames::All, Some(skeleton)) = (frames, skeleton) {
        tile.update_known(known, workspace.instructions(), &skeleton);
    }
}

/// [`solve_tile`] without frames, with what is known about the tile. Returns a bit for each
/// character that was solved with others: only the joints in [`Workspace::moved`] changed.
pub(crate) fn solve_examined(
    mut animators: [Option<&mut Animator>; STEP],
    tile: &mut PoseTile,
    known: Known,
    workspace: &mut Workspace,
    failed: Failed,
) -> u8 {
    let sound = known.sound;
    let mut leader: Option<&Animator> = None;
    let mut going = 0u8;
    for (lane, animator) in animators.iter().enumerate() {
        let Some(animator) = animator.as_deref().filter(|a| a.route() == Route::Tile) else { continue };
        if sound >> lane & 1 == 1 && have_same_avatar(leader.get_or_insert(animator), animator) {
            going |= 1 << lane;
        }
    }
    let avatar = leader.and_then(|animator| animator.avatar().cloned());
    match avatar {
        Some(avatar) if going.count_ones() >= MIN_BATCH => {
            let solved = step(&avatar, &animators, (going, known.are_unit), tile.local_mut(), workspace);
            finish_all(&mut animators, going, &solved);
        }
        _ => going = 0,
    }
    for (lane, animator) in animators.into_iter().enumerate() {
        if let Some(animator) = animator.filter(|_| going >> lane & 1 == 0) {
            let mut animator = Exchanged::new(animator, &mut workspace.alone);
            animator.exchange();
            let loaded = animator.pose_mut().load(tile.pose(lane)).map_err(AnimatorError::from);
            match loaded.and_then(|()| animator.solve()) {
                Ok(()) => tile.put_pose(lane, animator.pose().local()),
                Err(error) => failed(lane, error),
            }
        }
    }
    going
}

fn solve_single(animator: &mut Animator, place: usize, failed: Failed) {
    if let Err(error) = animator.solve() {
        failed(place, error);
    }
}

/// Whether both have the same avatar.
fn have_same_avatar(a: &Animator, b: &Animator) -> bool {
    a.avatar().zip(b.avatar()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
}

/// Solves the collected characters.
fn flush(animators: &mut [&mut Animator], waiting: &mut Waiting, workspace: &mut Workspace, failed: Failed) {
    let count = core::mem::take(&mut waiting.count);
    let places = &waiting.places[..count];
    let Some(avatar) = places.first().and_then(|first| animators[*first].avatar().cloned()) else { return };
    let mut lanes = at_places(animators, places);
    let mut tile = core::mem::take(&mut workspace.tile);
    tile.grow(avatar.skeleton());
    let known = {
        // Unused places hold a copy of the first pose.
        let poses = records(&mut lanes);
        tile.gather(workspace.instructions(), poses.map(|pose| if pose.is_empty() { poses[0] } else { pose }))
    };
    let mut going = known.sound & (0..count).fold(0, |lanes, lane| lanes | 1 << lane);
    if going.count_ones() >= MIN_BATCH {
        let solved = step(&avatar, &lanes, (going, known.are_unit), tile.local_mut(), workspace);
        let poses = records(&mut lanes);
        scatter(workspace.instructions(), workspace.moved(), tile.local(), solved.sound, &poses);
        finish_all(&mut lanes, going, &solved);
    } else {
        going = 0;
    }
    workspace.tile = tile;
    for (lane, animator) in lanes.into_iter().enumerate() {
        if let Some(animator) = animator.filter(|_| going >> lane & 1 == 0) {
            solve_single(animator, places[lane], failed);
        }
    }
}

/// The animators at these places, which must be ascending.
fn at_places<'a>(animators: &'a mut [&mut Animator], places: &[usize]) -> Lanes<'a> {
    let mut lanes = [const { None }; STEP];
    let (mut rest, mut first) = (animators, 0);
    for (lane, &place) in lanes.iter_mut().zip(places) {
        let Some((animator, behind)) = rest.split_at_mut(place - first).1.split_first_mut() else { break };
        *lane = Some(&mut **animator);
        (rest, first) = (behind, place + 1);
    }
    lanes
}

/// Runs the steps for the characters whose bits are set in `going`, in place.
fn step(
    avatar: &Avatar,
    animators: &Lanes,
    (going, are_unit): (u8, bool),
    local: &mut [Rigid<Eight>],
    workspace: &mut Workspace,
) -> Solved {
    let Workspace { room, goals, instructions, .. } = workspace;
    goals.clear();
    for (lane, animator) in animators.iter().enumerate() {
        if let Some(animator) = animator.as_deref().filter(|_| going >> lane & 1 == 1)
            && let Some((input, active_goals)) = batch_input(animator)
        {
            goals.add(lane, avatar, input, active_goals, &animator.world_from_model);
        }
    }
    let solved = instructions.run_eight(Steps { avatar, animators, are_unit, local, room, goals });
    Solved { sound: solved.sound & going, ..solved }
}

/// [`finish`] of the characters whose bits are set in `going`.
fn finish_all(animators: &mut Lanes, going: u8, solved: &Solved) {
    let is = |bits: u8, lane: usize| bits >> lane & 1 == 1;
    for (lane, animator) in animators.iter_mut().enumerate() {
        if let Some(animator) = animator.as_deref_mut().filter(|_| is(going, lane)) {
            let look_at = match is(solved.looking, lane) {
                true => look_at_outcome(is(solved.is_kept_back, lane), solved.off_rad[lane]),
                false => Outcome::INACTIVE,
            };
            let goals = solved.limbs.each_ref().map(|limb| limb.outcome(lane));
            finish(animator, look_at, goals, is(solved.sound, lane));
        }
    }
}

/// The steps of eight characters, with what is as wide as they are.
struct Steps<'a, 'b> {
    avatar: &'a Avatar,
    animators: &'a Lanes<'b>,
    are_unit: bool,
    local: &'a mut [Rigid<Eight>],
    room: &'a mut EightPosesScratch,
    goals: &'a GoalBatch,
}

/// What the steps have left, a bit or a number per character.
struct Solved {
    /// The result is in the joints of [`Workspace::moved`], which else are as they were.
    sound: u8,
    limbs: [Limbs; 4],
    looking: u8,
    is_kept_back: u8,
    off_rad: [f32; STEP],
}

impl EightTask for Steps<'_, '_> {
    type Output = Solved;
    #[inline(always)]
    fn run<E: EightLane>(self) -> Solved {
        let Self { avatar, animators, are_unit, local, room, goals } = self;
        let input = goals.bring_in::<E>(avatar, |lane| {
            let animator = animators[lane].as_deref()?;
            let (input, active_goals) = batch_input(animator)?;
            Some((input, active_goals, &animator.world_from_model))
        });
        let mut poses = EightPoses::<E>::new(avatar.skeleton(), room, local, are_unit);
        let mut left = StepOutput::default();
        let view = &mut poses;
        frame::run(&mut ViewFrame { avatar, view, input: &input, shares_twists: true, left: &mut left });
        let sound = poses.finish().bits();
        let (zero, scaled) = (E::splat(0.0), goals.scaled());
        let mut limbs = [const { Limbs::none() }; 4];
        for ((limbs, left), goal) in limbs.iter_mut().zip(&left.limbs).zip(&input.limbs) {
            let (Some(left), Some(goal)) = (left, goal) else { continue };
            let (is_active, is_beyond, residual_m) = left.summary(zero.lt(goal.end_weight));
            let mut residual_m = residual_m.numbers();
            if scaled != 0 {
                let (off, moves) = (left.left_ms, left.still.not().bits());
                let off = [off.x, off.y, off.z].map(E::numbers);
                stretch_out(&mut residual_m, |lane| {
                    let animator = animators[lane].as_deref().filter(|_| (scaled & moves) >> lane & 1 == 1)?;
                    let off = Vec3::from_array(off.map(|numbers| numbers[lane]));
                    Some(length(animator.world_from_model.vector_out(off)))
                });
            }
            *limbs = Limbs { is_active: is_active.bits(), is_beyond: is_beyond.bits(), residual_m };
        }
        let (is_kept_back, off_rad) =
            left.look_at.map_or((0, [0.0; STEP]), |left| (left.kept_back.bits(), left.residual_rad.numbers()));
        Solved { sound, limbs, looking: goals.looking(), is_kept_back, off_rad }
    }
}

/// The input of a character that is solved in a batch.
#[inline(always)]
fn batch_input(animator: &Animator) -> Option<(&HumanoidInput, ActiveGoals)> {
    animator.humanoid.as_deref().map(|h| (&h.input, h.active_goals))
}

/// The rest of a frame, after the steps that ran in the batch: stores the outcomes (`sound` is
/// false when the pose was restored) and adds switches to the animator's pose.
#[inline(always)]
fn finish(animator: &mut Animator, look_at: Outcome, goals: [Outcome; 4], sound: bool) {
    let Animator { humanoid, pose, state, skeleton, limits, .. } = animator;
    if let Some(humanoid) = humanoid.as_deref_mut() {
        humanoid.fresh = Default::default();
        humanoid.outcomes.set(look_at, goals, sound);
        humanoid.add_switches(skeleton, limits, state, pose);
    }
}

/// Residuals of one limb of eight characters.
#[derive(Clone, Copy)]
struct Limbs {
    /// Bit per character: position or rotation goal active; target unreachable.
    is_active: u8,
    is_beyond: u8,
    residual_m: [f32; STEP],
}

impl Limbs {
    const fn none() -> Self {
        Self { is_active: 0, is_beyond: 0, residual_m: [0.0; STEP] }
    }
    #[inline(always)]
    fn outcome(&self, lane: usize) -> Outcome {
        let is = |bits: u8| bits >> lane & 1 == 1;
        limb_outcome(is(self.is_active), is(self.is_beyond), self.residual_m[lane])
    }
}

/// Replaces residuals in model space by those in world space, for worlds with a scale.
#[cold]
fn stretch_out(residual_m: &mut [f32; STEP], in_world: impl Fn(usize) -> Option<f32>) {
    for (lane, left) in residual_m.iter_mut().enumerate() {
        *left = in_world(lane).unwrap_or(*left);
    }
}

/// The poses of animators as records; empty where there is none.
fn records<'a>(animators: &'a mut Lanes) -> [&'a [Cell<Transform>]; STEP] {
    animators
        .each_mut()
        .map(|animator| animator.as_deref_mut().map_or(&[][..], |animator| animator.pose_mut().records()))
}
