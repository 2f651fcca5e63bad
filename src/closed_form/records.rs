//! Limbs in host records: [`batch`](super::batch) for limbs whose joints are in one list of
//! transforms, with gather and scatter in place.
//!
//! Eight limbs at a time are transposed from record order into tile order and back.

use super::batch::Workspace;
use super::joint_limb::{JointLimb, JointLimbSolution};
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::rigid::columns;
use crate::math::{LaneQuat, LaneVec3, Quat, TILE, Tile, Transform, scaled_or_same};

/// Limbs that are transposed together.
const STEP: usize = 8;
const HALF: usize = STEP / 2;

/// Indices of the three joints of a limb in a list of records. Each must be the child of the one
/// before, of scale 1, its rotation unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::NoUninit)]
#[repr(C)]
pub struct LimbPlaces {
    /// Index of the root joint's record.
    pub root: u32,
    /// Index of the mid joint's record.
    pub mid: u32,
    /// Index of the end joint's record.
    pub end: u32,
}

impl Workspace {
    /// [`Self::joint_limbs`] for limbs in `records`, into which the new rotations are written (and
    /// positions, where a limb stretches). `limbs` holds the goals; its rotations and positions are
    /// filled in here. `limbs` and `rotations` need enough blocks for the limbs of `places`.
    /// Returns false, and changes nothing, when a list is too short or a place is outside
    /// `records`.
    #[must_use]
    pub fn joint_limbs_in_records(
        &mut self,
        records: &mut [Transform],
        places: &[LimbPlaces],
        limbs: &mut [JointLimb<Tile>],
        rotations: &mut [JointLimbSolution<Tile>],
    ) -> bool {
        let blocks = places.len().div_ceil(TILE);
        let last = bytemuck::cast_slice::<_, u32>(places).iter().fold(0, |last, place| last.max(*place));
        let (Some(limbs), Some(rotations), true) =
            (limbs.get_mut(..blocks), rotations.get_mut(..blocks), (last as usize) < records.len() || blocks == 0)
        else {
            return false;
        };
        self.level().run_eight(GatherAll { records, places, limbs });
        self.joint_limbs(limbs, rotations);
        self.level().run_eight(ScatterAll { records, places, rotations });
        true
    }
}

/// The places in groups of eight; an incomplete last group is filled with copies of one of its
/// places.
#[inline(always)]
fn in_steps(places: &[LimbPlaces]) -> (&[[LimbPlaces; STEP]], Option<[LimbPlaces; STEP]>) {
    let (whole, rest) = places.as_chunks();
    (whole, rest.first().map(|first| core::array::from_fn(|i| *rest.get(i).unwrap_or(first))))
}

struct GatherAll<'a> {
    records: &'a [Transform],
    places: &'a [LimbPlaces],
    limbs: &'a mut [JointLimb<Tile>],
}

impl EightTask for GatherAll<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Self { records, places, limbs } = self;
        for (places, limbs) in places.chunks(TILE).zip(limbs.iter_mut()) {
            let (whole, rest) = in_steps(places);
            for (group, places) in whole.iter().enumerate() {
                gather::<E>(records, places, limbs, group);
            }
            if let Some(rest) = rest {
                gather::<E>(records, &rest, limbs, whole.len());
            }
        }
    }
}

struct ScatterAll<'a> {
    records: &'a mut [Transform],
    places: &'a [LimbPlaces],
    rotations: &'a mut [JointLimbSolution<Tile>],
}

impl EightTask for ScatterAll<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        let Self { records, places, rotations } = self;
        for (places, rotations) in places.chunks(TILE).zip(rotations.iter_mut()) {
            let (whole, rest) = in_steps(places);
            for (group, places) in whole.iter().enumerate() {
                scatter::<E>(records, places, rotations, group, STEP);
            }
            if let Some(rest) = rest {
                scatter::<E>(records, &rest, rotations, whole.len(), places.len() % STEP);
            }
            if !rotations.stretch.0.iter().fold(true, |none, s| none & (*s == 1.0)) {
                stretch(records, places, &rotations.stretch);
            }
        }
    }
}

/// Eight numbers of a tile.
#[inline(always)]
fn eight(tile: &mut Tile, group: usize) -> &mut [f32; STEP] {
    &mut tile.0.as_chunks_mut().0[group % (TILE / STEP)]
}

#[inline(always)]
fn gather<E: EightLane>(records: &[Transform], places: &[LimbPlaces; STEP], limbs: &mut JointLimb<Tile>, group: usize) {
    let turn = |q: &mut LaneQuat<Tile>, x: E, y: E, z: E, w: E| {
        *eight(&mut q.x, group) = x.numbers();
        *eight(&mut q.y, group) = y.numbers();
        *eight(&mut q.z, group) = z.numbers();
        *eight(&mut q.w, group) = w.numbers();
    };
    let place = |v: &mut LaneVec3<Tile>, x: E, y: E, z: E| {
        *eight(&mut v.x, group) = x.numbers();
        *eight(&mut v.y, group) = y.numbers();
        *eight(&mut v.z, group) = z.numbers();
    };
    let [_, _, _, x, y, z, w, _] = columns(places.map(|p| &records[p.root as usize]));
    turn(&mut limbs.root, x, y, z, w);
    let [px, py, pz, x, y, z, w, _] = columns(places.map(|p| &records[p.mid as usize]));
    place(&mut limbs.mid_at, px, py, pz);
    turn(&mut limbs.mid, x, y, z, w);
    let [px, py, pz, x, y, z, w, _] = columns(places.map(|p| &records[p.end as usize]));
    place(&mut limbs.end_at, px, py, pz);
    turn(&mut limbs.end, x, y, z, w);
}

/// Writes the results of the first `count` places.
#[inline(always)]
fn scatter<E: EightLane>(
    records: &mut [Transform],
    places: &[LimbPlaces; STEP],
    rotations: &mut JointLimbSolution<Tile>,
    group: usize,
    count: usize,
) {
    write::<E>(records, places.map(|p| p.root), &mut rotations.root, group, count);
    write::<E>(records, places.map(|p| p.mid), &mut rotations.mid, group, count);
    write::<E>(records, places.map(|p| p.end), &mut rotations.end, group, count);
}

#[inline(always)]
fn first_four<E: EightLane>(row: E) -> [f32; 4] {
    let [a, b, c, d, ..] = row.numbers();
    [a, b, c, d]
}

#[inline(always)]
fn write<E: EightLane>(
    records: &mut [Transform],
    places: [u32; STEP],
    q: &mut LaneQuat<Tile>,
    group: usize,
    count: usize,
) {
    let [x, y, z, w] = [&mut q.x, &mut q.y, &mut q.z, &mut q.w].map(|tile| E::of_numbers(*eight(tile, group)));
    let none = E::splat(0.0);
    let rows = E::transpose([x, y, z, w, none, none, none, none]).map(first_four);
    let (places, rows) = (places.as_chunks::<HALF>().0, rows.as_chunks::<HALF>().0);
    for ((places, rows), first) in places.iter().zip(rows).zip([0, HALF]) {
        // Checked before the first write; else the compiler splits the rows and computes each as
        // late as possible.
        let inside = places.iter().all(|place| (*place as usize) < records.len());
        debug_assert!(inside);
        if inside {
            for (place, row) in places.iter().zip(rows).take(count.saturating_sub(first)) {
                records[*place as usize].rotation = Quat::from_array(*row);
            }
        }
    }
}

fn stretch(records: &mut [Transform], places: &[LimbPlaces], stretch: &Tile) {
    for (place, factor) in places.iter().zip(stretch.0) {
        for joint in [place.mid, place.end] {
            if let Some(record) = records.get_mut(joint as usize) {
                record.position = scaled_or_same(record.position, factor);
            }
        }
    }
}
