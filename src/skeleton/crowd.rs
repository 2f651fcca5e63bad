//! Forward kinematics of eight characters of one skeleton side by side, for rigs without scale: a
//! position and a quaternion per joint.
//!
//! The step is [`Rigid::then`], joint after joint, eight characters side by side in each number.
//! Each character gets the bits of its own [`Pose`](super::Pose) after an update, whose rotations
//! are read tightened (see [`Rigid::tightened`]).

use super::definition::Skeleton;
use super::eight::{narrow, wide};
use super::order::Link;
use crate::math::dispatch::{Level, Task};
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::{LaneQuat, LaneVec3, Rigid, Transform, rigid};

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

/// [`update`] from the characters' own records (gather), one list of local transforms per
/// character, read in place. Rotations that are off unit length are normalised. Returns a bit per
/// character, from the lowest, set where a scale is not 1: the frames of those ignore scale.
pub fn update_from_records(
    level: Level,
    skeleton: &Skeleton,
    records: [&[Transform]; STEP],
    model: &mut [Rigid<Eight>],
) -> u8 {
    let links = skeleton.links();
    let count = records.iter().fold(links.len().min(model.len()), |least, r| least.min(r.len()));
    let records = records.map(|r| &r[..count]);
    if !level.run_eight(FromRecords { links: &links[..count], records, model: &mut model[..count] }) {
        return 0;
    }
    let scaled = |character: usize| records[character].iter().any(rigid::is_scaled);
    (0..STEP).fold(0, |bits, character| bits | (scaled(character) as u8) << character)
}

struct FromRecords<'a> {
    links: &'a [Link],
    records: [&'a [Transform]; STEP],
    model: &'a mut [Rigid<Eight>],
}

impl EightTask for FromRecords<'_> {
    /// Whether any transform has a scale.
    type Output = bool;
    #[inline(always)]
    fn run<E: EightLane>(self) -> bool {
        // In a loop of its own: the loop over frames has no register left for it.
        let known = self.records.iter().copied().flatten().fold(rigid::unscaled(), rigid::add_scale);
        for joint in 0..self.links.len() {
            let Some(records) = at(&self.records, joint) else { break };
            let local = gather::<E>(records);
            let (before, rest) = self.model.split_at_mut(joint);
            link(self.links[joint], before, &local, &mut rest[0]);
        }
        rigid::any_scaled(known)
    }
}

/// The records of a joint.
#[inline(always)]
fn at<'a>(records: &[&'a [Transform]; STEP], joint: usize) -> Option<[&'a Transform; STEP]> {
    let [a, b, c, d, e, f, g, h] = records;
    Some([
        a.get(joint)?,
        b.get(joint)?,
        c.get(joint)?,
        d.get(joint)?,
        e.get(joint)?,
        f.get(joint)?,
        g.get(joint)?,
        h.get(joint)?,
    ])
}

/// Gathers eight records side by side, with unit rotations.
#[inline(always)]
fn gather<E: EightLane>(records: [&Transform; STEP]) -> Rigid<Eight> {
    let [px, py, pz, x, y, z, w, _] = rigid::columns::<E>(records);
    let local = Rigid { position: LaneVec3::new(px, py, pz), rotation: LaneQuat::new(x, y, z, w) };
    narrow(&local.made_unit())
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
