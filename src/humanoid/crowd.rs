//! Characters in step: the solve of many animators of one avatar in one call.
//!
//! Ordinary characters (see `steps`) of one avatar go through the steps eight at a time, each number beside its like. What is asked of
//! some only has weight 0 for the others, and leaves their bits. Characters of whom more is asked are solved one by one. Every
//! character gets the bits of [`Animator::solve`], for alone it goes through the same steps.
//!
//! Poses come from the animators, turned over into a [`PoseTile`] for the steps ([`solve`]), or lie in one already ([`solve_tile`]).

use super::animator::{Animator, AnimatorError};
use super::asking::Asking;
use super::avatar::Avatar;
use super::look_at::LookAtOutcome;
use super::puppet::{Mask, Puppet, Room};
use super::steps::{self, Asked, Left};
use crate::chains::limb::RigidOutcome;
use crate::math::dispatch::Level;
use crate::math::{F32x8, Lane, LaneMask, LaneQuat, LaneVec3, Rigid, Transform};
use crate::skeleton::PoseTile;
use crate::skeleton::crowd::{Eight, STEP};
use crate::skeleton::tile::{Known, narrow, scatter, wide};
use std::sync::Arc;

/// Room for what a crowd's solve has in hand; it grows with the largest skeleton. One per thread; nothing of it lasts from call to call.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    room: Room<F32x8>,
    asking: Asking,
    tile: PoseTile,
    instructions: Option<Level>,
}

impl Workspace {
    /// What the processor has.
    pub(crate) fn instructions(&mut self) -> Level {
        *self.instructions.get_or_insert_with(Level::widest)
    }
}

/// What the solve of a tile leaves besides the local transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// Nothing: [`PoseTile::model`] stays as it was.
    #[default]
    None,
    /// The model frames of all joints, as [`PoseTile::update`].
    All,
}

/// Of fewer in step each alone costs no more.
const LEAST: u32 = 2;

/// Characters in step, each at its own place.
type Lanes<'a> = [Option<&'a mut Animator>; STEP];

/// Characters waiting to go in step, by place.
struct Waiting {
    places: [usize; STEP],
    count: usize,
}

/// [`Animator::solve`] for each, with the same results bit for bit; cheapest for animators of one avatar side by side (others may be among
/// them). `failed` is told the places of those that would have failed, with the error: nothing of them changes.
pub fn solve(animators: &mut [&mut Animator], workspace: &mut Workspace, mut failed: impl FnMut(usize, AnimatorError)) {
    let mut waiting = Waiting { places: [0; STEP], count: 0 };
    for place in 0..animators.len() {
        if animators.len() < LEAST as usize || !animators[place].goes_in_step() {
            alone(animators[place], place, &mut failed);
            continue;
        }
        if waiting.count > 0 && !are_alike(animators[waiting.places[0]], animators[place]) {
            flush(animators, &mut waiting, workspace, &mut failed);
        }
        waiting.places[waiting.count] = place;
        waiting.count += 1;
        if waiting.count == STEP {
            flush(animators, &mut waiting, workspace, &mut failed);
        }
    }
    flush(animators, &mut waiting, workspace, &mut failed);
}

/// [`Animator::solve`] for each on its pose in the tile, where it stands; the animators' own poses mean nothing afterwards. All must be of the
/// skeleton that the tile was made for, which has no scale; places without an animator may hold anything. `failed` is told who would have
/// failed, with the error: nothing of them changes.
pub fn solve_tile(
    animators: [Option<&mut Animator>; STEP],
    tile: &mut PoseTile,
    frames: Frames,
    workspace: &mut Workspace,
    failed: impl FnMut(usize, AnimatorError),
) {
    let known = tile.examine();
    let skeleton = animators.iter().flatten().next().map(|animator| animator.skeleton().clone());
    solve_known(animators, tile, known, workspace, failed);
    if let (Frames::All, Some(skeleton)) = (frames, skeleton) {
        tile.update_known(known, workspace.instructions(), &skeleton);
    }
}

/// [`solve_tile`] without frames, with what is known of the tile.
pub(crate) fn solve_known(
    mut animators: [Option<&mut Animator>; STEP],
    tile: &mut PoseTile,
    known: Known,
    workspace: &mut Workspace,
    mut failed: impl FnMut(usize, AnimatorError),
) {
    let sound = known.sound;
    let mut leader: Option<&Animator> = None;
    let mut going = 0u8;
    for (lane, animator) in animators.iter().enumerate() {
        let Some(animator) = animator.as_deref().filter(|a| a.goes_in_step() && !a.switches()) else { continue };
        if sound >> lane & 1 == 1 && are_alike(leader.get_or_insert(animator), animator) {
            going |= 1 << lane;
        }
    }
    let avatar = leader.and_then(|animator| animator.avatar().cloned());
    match avatar {
        Some(avatar) if going.count_ones() >= LEAST => {
            let local = tile.local_mut();
            step(
                &avatar,
                &mut animators,
                (going, known.are_unit),
                local,
                (&mut workspace.room, &mut workspace.asking),
                put_into_tile,
            );
        }
        _ => going = 0,
    }
    for (lane, animator) in animators.into_iter().enumerate() {
        if let Some(animator) = animator.filter(|_| going >> lane & 1 == 0) {
            let loaded = animator.pose_mut().load(tile.pose(lane)).map_err(AnimatorError::from);
            match loaded.and_then(|()| animator.solve()) {
                Ok(()) => tile.put_pose(lane, animator.pose().local()),
                Err(error) => failed(lane, error),
            }
        }
    }
}

fn alone(animator: &mut Animator, place: usize, failed: &mut impl FnMut(usize, AnimatorError)) {
    if let Err(error) = animator.solve() {
        failed(place, error);
    }
}

/// Whether both have the same avatar.
fn are_alike(a: &Animator, b: &Animator) -> bool {
    a.avatar().zip(b.avatar()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
}

/// Solves those who wait.
fn flush(
    animators: &mut [&mut Animator],
    waiting: &mut Waiting,
    workspace: &mut Workspace,
    failed: &mut impl FnMut(usize, AnimatorError),
) {
    let count = core::mem::take(&mut waiting.count);
    let places = &waiting.places[..count];
    let Some(avatar) = places.first().and_then(|first| animators[*first].avatar().cloned()) else { return };
    let mut lanes = at_places(animators, places);
    let Workspace { room, asking, tile, .. } = workspace;
    tile.grow(avatar.skeleton());
    let known = {
        // The places that are left over hold the first once more.
        let poses = lanes.each_ref().map(|lane| lane.as_deref().map_or(&[][..], |animator| animator.pose().local()));
        tile.gather(poses.map(|pose| if pose.is_empty() { poses[0] } else { pose }))
    };
    let mut going = known.sound & (0..count).fold(0, |lanes, lane| lanes | 1 << lane);
    if going.count_ones() >= LEAST {
        step(&avatar, &mut lanes, (going, known.are_unit), tile.local_mut(), (room, asking), put_into_poses);
    } else {
        going = 0;
    }
    for (lane, animator) in lanes.into_iter().enumerate() {
        if let Some(animator) = animator.filter(|_| going >> lane & 1 == 0) {
            alone(animator, places[lane], failed);
        }
    }
}

/// Those at these places, which rise.
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

/// Takes those that are `going` through the steps, by their local transforms; `put` puts the answers of those whose bits it is given
/// where they belong.
fn step(
    avatar: &Avatar,
    animators: &mut Lanes,
    (going, are_unit): (u8, bool),
    local: &mut [Rigid<Eight>],
    (room, asking): (&mut Room<F32x8>, &mut Asking),
    put: impl FnOnce(&Puppet<F32x8>, Mask, &mut Lanes, &mut [Rigid<Eight>]),
) {
    asking.clear();
    for (lane, animator) in animators.iter().enumerate() {
        if let Some(animator) = animator.as_deref().filter(|_| going >> lane & 1 == 1)
            && let Ok(input) = animator.input()
        {
            asking.add(lane, avatar, input, &animator.world_from_model);
        }
    }
    let looking = asking.looking();
    let asked = asking.bring_in(avatar, |lane| {
        let animator = animators[lane].as_deref()?;
        Some((animator.input().ok()?, &animator.world_from_model))
    });
    let mut puppet = Puppet::new(avatar.skeleton(), avatar, asked, room, are_unit, |joint| wide(&local[joint]));
    let left = solve_steps(avatar, &mut puppet, asked);
    let is_going = F32x8(core::array::from_fn(|lane| f32::from(going >> lane & 1)));
    let sound = puppet.sound().and(F32x8::splat(0.0).lt(is_going));
    put(&puppet, sound, animators, local);
    let sound = sound.bits();
    for (lane, animator) in animators.iter_mut().enumerate() {
        if let Some(animator) = animator.as_deref_mut().filter(|_| going >> lane & 1 == 1) {
            let look_at = left.look_at.as_ref().filter(|_| looking >> lane & 1 == 1);
            let look_at = look_at
                .map(|left| LookAtOutcome { residual_rad: left.residual_rad.0[lane], kept_back: left.kept_back[lane] });
            let limb = |i: usize| left.limbs[i].as_ref().map(|left| limb_of(left, lane));
            animator.finish_in_step(look_at, limb, sound >> lane & 1 == 1);
        }
    }
}

fn put_into_poses(puppet: &Puppet<F32x8>, sound: Mask, animators: &mut Lanes, _: &mut [Rigid<Eight>]) {
    let mut poses: [&mut [Transform]; STEP] = animators
        .each_mut()
        .map(|animator| animator.as_deref_mut().map_or(&mut [][..], |animator| animator.pose_mut().local_to_put()));
    for change in puppet.changes() {
        let (turned, moved) = (change.turned.and(sound).bits(), change.moved.and(sound).bits());
        scatter(change.joint, change.local, turned, &mut poses);
        if moved & !turned != 0 {
            put_positions(change.joint, change.local, moved & !turned, &mut poses);
        }
    }
}

/// Of those that were moved and not turned.
#[cold]
fn put_positions(joint: usize, local: &Rigid<F32x8>, lanes: u8, poses: &mut [&mut [Transform]; STEP]) {
    for (lane, pose) in poses.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
        let own = narrow(local).at(lane).position;
        pose[joint].position = own.to_vec3();
    }
}

fn put_into_tile(puppet: &Puppet<F32x8>, sound: Mask, _: &mut Lanes, local: &mut [Rigid<Eight>]) {
    for change in puppet.changes() {
        let own = &mut local[change.joint];
        let (old, new) = (wide(own), change.local);
        let put = Rigid {
            position: LaneVec3::select(sound.and(change.moved), new.position, old.position),
            rotation: LaneQuat::select(sound.and(change.turned), new.rotation, old.rotation),
        };
        *own = narrow(&put);
    }
}

#[inline(never)]
fn solve_steps(avatar: &Avatar, puppet: &mut Puppet<F32x8>, asked: &Asked<F32x8>) -> Left<F32x8> {
    let left = steps::solve(avatar, puppet, asked);
    steps::share_twists(avatar, puppet, &left.twists, false);
    left
}

/// What is left of one's limb. One of which nothing was asked has weight 0, and is still.
#[inline(always)]
fn limb_of(left: &RigidOutcome<F32x8>, lane: usize) -> RigidOutcome<f32> {
    let off = &left.left_ms;
    RigidOutcome {
        still: left.still[lane],
        is_beyond: left.is_beyond[lane],
        left_ms: LaneVec3::new(off.x.0[lane], off.y.0[lane], off.z.0[lane]),
        left_rad: left.left_rad.0[lane],
    }
}
