//! Characters in step: the solve of many animators of one avatar in one call.
//!
//! Ordinary characters (see `steps`) of one avatar go through the steps eight at a time, each number beside its like. What is asked of
//! some only has weight 0 for the others, and leaves their bits. Characters of whom more is asked are solved one by one. Every
//! character gets the bits of [`Animator::solve`], for alone it goes through the same steps.

use super::animator::{Animator, AnimatorError};
use super::avatar::Avatar;
use super::look_at::{LookAtGoal, LookAtOutcome};
use super::puppet::{Puppet, Room, side_by_side};
use super::steps::{self, Asked, Left};
use crate::chains::limb::{RigidGoal, RigidOutcome};
use crate::math::{F32x8, Lane, LaneQuat, LaneVec3};
use crate::skeleton::crowd::STEP;
use crate::skeleton::{Pose, Skeleton, poses};
use std::sync::Arc;

/// What a crowd's solve leaves besides the local transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// Model frames of no joint in particular: what [`Animator::solve`] leaves.
    #[default]
    Any,
    /// Model frames of all joints, as [`Pose::update`](crate::skeleton::Pose::update) after the solve.
    All,
}

/// Room for what a crowd's solve has in hand; it grows with the largest skeleton. One per thread; nothing of it lasts from call to call.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    room: Room<F32x8>,
    frames: poses::Frames,
}

/// Characters waiting to go in step, by place.
struct Waiting {
    places: [usize; STEP],
    asked: [Option<Asked<f32>>; STEP],
    count: usize,
}

/// [`Animator::solve`] for each, with the same results bit for bit; cheapest for animators of one avatar side by side (others may be among
/// them). `failed` is told the places of those that would have failed, with the error: nothing of them changes.
pub fn solve(
    animators: &mut [&mut Animator],
    frames: Frames,
    workspace: &mut Workspace,
    mut failed: impl FnMut(usize, AnimatorError),
) {
    let mut waiting = Waiting { places: [0; STEP], asked: [const { None }; STEP], count: 0 };
    let mut avatar: Option<Arc<Avatar>> = None;
    for place in 0..animators.len() {
        let asked = if animators.len() > 1 { animators[place].asked_in_step() } else { None };
        let Some(asked) = asked else {
            alone(animators[place], frames, place, &mut failed);
            continue;
        };
        let own = animators[place].avatar();
        let is_same = match (&avatar, own) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        if !is_same {
            flush(animators, &mut waiting, avatar.as_deref(), frames, workspace, &mut failed);
            avatar = animators[place].avatar().cloned();
        }
        waiting.places[waiting.count] = place;
        waiting.asked[waiting.count] = Some(asked);
        waiting.count += 1;
        if waiting.count == STEP {
            flush(animators, &mut waiting, avatar.as_deref(), frames, workspace, &mut failed);
        }
    }
    flush(animators, &mut waiting, avatar.as_deref(), frames, workspace, &mut failed);
}

fn alone(animator: &mut Animator, frames: Frames, place: usize, failed: &mut impl FnMut(usize, AnimatorError)) {
    match animator.solve() {
        Ok(()) if frames == Frames::All => animator.update_frames(),
        Ok(()) => {}
        Err(error) => failed(place, error),
    }
}

/// Solves those who wait.
fn flush(
    animators: &mut [&mut Animator],
    waiting: &mut Waiting,
    avatar: Option<&Avatar>,
    frames: Frames,
    workspace: &mut Workspace,
    failed: &mut impl FnMut(usize, AnimatorError),
) {
    let count = core::mem::take(&mut waiting.count);
    let (places, Some(avatar)) = (&waiting.places[..count], avatar) else { return };
    if count < 2 {
        places.iter().for_each(|&place| alone(animators[place], frames, place, failed));
        return;
    }
    // The places that are left over hold the first once more.
    let of = |lane: usize| if lane < count { lane } else { 0 };
    let asked = together(avatar, core::array::from_fn(|lane| waiting.asked[of(lane)].as_ref()));
    let skeleton = avatar.skeleton();
    let mut puppet = {
        let poses: [&Pose; STEP] = core::array::from_fn(|lane| animators[places[of(lane)]].pose());
        Puppet::new(skeleton, avatar, &asked, &mut workspace.room, |joint| side_by_side(&poses, joint))
    };
    let left = solve_steps(avatar, &mut puppet, &asked);
    for (lane, &place) in places.iter().enumerate() {
        let Some(asked) = &waiting.asked[lane] else { continue };
        let animator = &mut animators[place];
        let sound = puppet.put_back(lane, animator.pose_mut());
        animator.finish_in_step(&one_of(&left, asked, lane), sound);
    }
    if frames == Frames::All {
        update_frames(animators, places, skeleton, &mut workspace.frames);
    }
}

/// Frames of all joints of those at these places, which rise.
fn update_frames(animators: &mut [&mut Animator], places: &[usize], skeleton: &Skeleton, frames: &mut poses::Frames) {
    let mut poses = [const { None }; STEP];
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
    let among = animators[first..=last].iter_mut().zip(first..);
    let there = among.filter(|(_, place)| places.contains(place));
    poses.iter_mut().zip(there).for_each(|(pose, (animator, _))| *pose = Some(animator.pose_mut()));
    match poses {
        [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] => {
            frames.update(skeleton, &mut [a, b, c, d, e, f, g, h]);
        }
        some => some.into_iter().flatten().for_each(|pose| pose.update(skeleton)),
    }
}

#[inline(never)]
fn solve_steps(avatar: &Avatar, puppet: &mut Puppet<F32x8>, asked: &Asked<F32x8>) -> Left<F32x8> {
    let left = steps::solve(avatar, puppet, asked);
    steps::share_twists(avatar, puppet, &left.twists, false);
    left
}

type Each<'a, T> = [Option<&'a T>; STEP];

/// One number of each; of those who have none, `none`.
#[inline(always)]
fn row<T>(each: &Each<T>, none: f32, part: impl Fn(&T) -> f32) -> F32x8 {
    F32x8(each.map(|one| one.map_or(none, &part)))
}

#[inline(always)]
fn rows<T>(each: &Each<T>, part: impl Fn(&T) -> LaneVec3<f32>) -> LaneVec3<F32x8> {
    LaneVec3::new(
        row(each, 0.0, |one| part(one).x),
        row(each, 0.0, |one| part(one).y),
        row(each, 0.0, |one| part(one).z),
    )
}

#[inline(always)]
fn turns<T>(each: &Each<T>, part: impl Fn(&T) -> LaneQuat<f32>) -> LaneQuat<F32x8> {
    LaneQuat::new(
        row(each, 0.0, |one| part(one).x),
        row(each, 0.0, |one| part(one).y),
        row(each, 0.0, |one| part(one).z),
        row(each, 1.0, |one| part(one).w),
    )
}

/// What is asked of all, side by side.
fn together(avatar: &Avatar, all: Each<Asked<f32>>) -> Asked<F32x8> {
    let look: Each<LookAtGoal<f32>> = all.map(|asked| asked.and_then(|a| a.look_at.as_ref()));
    let look_at = look.iter().any(Option::is_some).then(|| LookAtGoal {
        target_ms: rows(&look, |g| g.target_ms),
        body: row(&look, 0.0, |g| g.body),
        head: row(&look, 0.0, |g| g.head),
        eyes: row(&look, 0.0, |g| g.eyes),
        clamp: row(&look, 0.0, |g| g.clamp),
    });
    let limbs = core::array::from_fn(|i| {
        let each: Each<RigidGoal<f32>> = all.map(|asked| asked.and_then(|a| a.limbs[i].as_ref()));
        let limb = &avatar.limbs()[i];
        each.iter().any(Option::is_some).then(|| RigidGoal {
            target_ms: rows(&each, |g| g.target_ms),
            weight: row(&each, 0.0, |g| g.weight),
            pole_ms: rows(&each, |g| g.pole_ms),
            pole_weight: row(&each, 0.0, |g| g.pole_weight),
            bend_side_js: limb.bend_side_js,
            centre_ps: limb.centre_ps,
            softness: F32x8::splat(0.0),
            stretch: F32x8::splat(limb.stretch),
            end_ms: turns(&each, |g| g.end_ms),
            end_weight: row(&each, 0.0, |g| g.end_weight),
        })
    });
    Asked { look_at, limbs }
}

/// What is left of one that was asked.
fn one_of(left: &Left<F32x8>, asked: &Asked<f32>, lane: usize) -> Left<f32> {
    let vector = |v: &LaneVec3<F32x8>| LaneVec3::new(v.x.0[lane], v.y.0[lane], v.z.0[lane]);
    let look_at = left.look_at.as_ref().filter(|_| asked.look_at.is_some());
    let limbs = core::array::from_fn(|i| {
        let left = left.limbs[i].as_ref().filter(|_| asked.limbs[i].is_some())?;
        Some(RigidOutcome {
            still: left.still[lane],
            is_beyond: left.is_beyond[lane],
            left_ms: vector(&left.left_ms),
            left_rad: left.left_rad.0[lane],
        })
    });
    Left {
        look_at: look_at.map(|l| LookAtOutcome { residual_rad: l.residual_rad.0[lane], kept_back: l.kept_back[lane] }),
        limbs,
        twists: [const { None }; 4],
    }
}
