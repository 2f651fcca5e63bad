//! Forward kinematics of eight characters of one skeleton side by side, for rigs without scale: a
//! position and a quaternion per joint.
//!
//! The step is [`Rigid::then`], joint after joint, eight characters side by side in each number.
//! Each character gets the bits of its own [`Pose`](super::Pose) after an update, whose rotations
//! are read tightened (see [`Rigid::tightened`]).

use super::definition::Skeleton;
use super::eight::{narrow, wide};
use super::order::Link;
use crate::math::Rigid;
use crate::math::dispatch::{Level, Task};
use crate::math::eight_lane::{EightLane, EightTask};

pub use super::eight::{Eight, STEP};

/// Model frames of eight characters from their local transforms (rotations unit, as
/// [`Rigid::from_transform`] makes them), one entry per joint, with the instructions of `level`;
/// the results are the same at every level. Stops at the end of the shortest list.
pub fn update(level: Level, skeleton: &Skeleton, local: &[Rigid<Eight>], model: &mut [Rigid<Eight>]) {
    level.run(Update { skeleton, local, model });
}

/// [`update`] where rotations may be off unit length: those are normalised.
pub(super) fn update_loose(level: Level, skeleton: &Skeleton, local: &[Rigid<Eight>], model: &mut [Rigid<Eight>]) {
    level.run_eight(UpdateLoose(Update { skeleton, local, model }));
}

struct Update<'a> {
    skeleton: &'a Skeleton,
    local: &'a [Rigid<Eight>],
    model: &'a mut [Rigid<Eight>],
}

impl Task for Update<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let links = self.skeleton.links();
        let count = links.len().min(self.local.len()).min(self.model.len());
        let (links, local, model) = (&links[..count], &self.local[..count], &mut self.model[..count]);
        for joint in 0..count {
            let (before, rest) = model.split_at_mut(joint);
            link(links[joint], before, &local[joint], &mut rest[0]);
        }
    }
}

struct UpdateLoose<'a>(Update<'a>);

impl EightTask for UpdateLoose<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Update { skeleton, local, model } = self.0;
        let count = skeleton.links().len().min(local.len()).min(model.len());
        for (joint, (own, of)) in local[..count].iter().zip(skeleton.links()).enumerate() {
            let (before, rest) = model.split_at_mut(joint);
            link(*of, before, &narrow(&wide::<E>(own).made_unit()), &mut rest[0]);
        }
    }
}

#[inline(always)]
fn link(link: Link, before: &[Rigid<Eight>], local: &Rigid<Eight>, out: &mut Rigid<Eight>) {
    match before.get(link.plain()) {
        Some(parent) => then::<false>(parent, local, out),
        None => match before.get(link.any()) {
            Some(parent) => then::<true>(parent, local, out),
            None => *out = *local,
        },
    }
}

#[inline(always)]
fn then<const TIGHTENED: bool>(parent: &Rigid<Eight>, local: &Rigid<Eight>, out: &mut Rigid<Eight>) {
    for i in 0..STEP {
        let frame = parent.at(i).then(&local.at(i));
        out.put(i, if TIGHTENED { frame.tightened() } else { frame });
    }
}
