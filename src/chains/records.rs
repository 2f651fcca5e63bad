//! Limbs in their hosts' records: [`batch`](super::batch) for limbs whose joints are somewhere in one long list of transforms, read and
//! written where they are.
//!
//! Numbers of eight limbs at a time are turned from record order into that of tiles and back.

use super::batch::Workspace;
use super::joint_limb::{JointLimb, JointLimbSolution};
use crate::math::rigid::{columns, each};
use crate::math::{LaneQuat, LaneVec3, Quat, TILE, Tile, Transform};
use wide::{f32x4, f32x8};

/// Limbs that are moved together.
const STEP: usize = 8;

/// Where the three joints of a limb are in a list of records. Each must be the child of the one before, of scale 1, its rotation unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimbPlaces {
    /// Index of the root joint's record.
    pub root: u32,
    /// Of the mid joint's.
    pub mid: u32,
    /// Of the end joint's.
    pub end: u32,
}

impl LimbPlaces {
    const NOWHERE: Self = Self { root: u32::MAX, mid: u32::MAX, end: u32::MAX };

    fn is_below(&self, count: usize) -> bool {
        (self.root.max(self.mid).max(self.end) as usize) < count
    }
}

impl Workspace {
    /// [`Self::joint_limbs`] for limbs in `records`, into which the new rotations go (and positions, where a limb stretches). Of `limbs`,
    /// which say what shall be done, the rotations and positions are filled in here. `limbs` and `rotations` need as many blocks as
    /// the limbs of `places` take. Returns whether all of that is so and every place is in the list; if not, nothing is done.
    #[must_use]
    pub fn joint_limbs_in_records(
        &mut self,
        records: &mut [Transform],
        places: &[LimbPlaces],
        limbs: &mut [JointLimb<Tile>],
        rotations: &mut [JointLimbSolution<Tile>],
    ) -> bool {
        let blocks = places.len().div_ceil(TILE);
        let inside = places.iter().fold(true, |all, place| all & place.is_below(records.len()));
        let (Some(limbs), Some(rotations), true) = (limbs.get_mut(..blocks), rotations.get_mut(..blocks), inside)
        else {
            return false;
        };
        for (places, limbs) in places.chunks(TILE).zip(limbs.iter_mut()) {
            for (group, places) in places.chunks(STEP).enumerate() {
                gather(records, &whole(places), limbs, group);
            }
        }
        self.joint_limbs(limbs, rotations);
        for (places, rotations) in places.chunks(TILE).zip(rotations.iter_mut()) {
            for (group, places) in places.chunks(STEP).enumerate() {
                scatter(records, &whole(places), rotations, group);
            }
            if !rotations.stretch.0.iter().fold(true, |none, s| none & (*s == 1.0)) {
                stretch(records, places, &rotations.stretch);
            }
        }
        true
    }
}

/// Eight places; a list that ends before is filled up with such as are nowhere.
#[inline(always)]
fn whole(places: &[LimbPlaces]) -> [LimbPlaces; STEP] {
    match places.first_chunk() {
        Some(eight) => *eight,
        None => core::array::from_fn(|i| places.get(i).copied().unwrap_or(LimbPlaces::NOWHERE)),
    }
}

/// Eight numbers of a tile.
#[inline(always)]
fn eight(tile: &mut Tile, group: usize) -> &mut [f32; STEP] {
    &mut tile.0.as_chunks_mut().0[group % (TILE / STEP)]
}

#[inline(always)]
fn gather(records: &[Transform], places: &[LimbPlaces; STEP], limbs: &mut JointLimb<Tile>, group: usize) {
    static NONE: Transform = Transform::IDENTITY;
    let columns = |places: [u32; STEP]| columns(places.map(|p| records.get(p as usize).unwrap_or(&NONE)));
    let turn = |q: &mut LaneQuat<Tile>, x: f32x8, y: f32x8, z: f32x8, w: f32x8| {
        *eight(&mut q.x, group) = x.to_array();
        *eight(&mut q.y, group) = y.to_array();
        *eight(&mut q.z, group) = z.to_array();
        *eight(&mut q.w, group) = w.to_array();
    };
    let place = |v: &mut LaneVec3<Tile>, x: f32x8, y: f32x8, z: f32x8| {
        *eight(&mut v.x, group) = x.to_array();
        *eight(&mut v.y, group) = y.to_array();
        *eight(&mut v.z, group) = z.to_array();
    };
    let [_, _, _, x, y, z, w, _] = columns(places.map(|p| p.root));
    turn(&mut limbs.root, x, y, z, w);
    let [px, py, pz, x, y, z, w, _] = columns(places.map(|p| p.mid));
    place(&mut limbs.mid_at, px, py, pz);
    turn(&mut limbs.mid, x, y, z, w);
    let [px, py, pz, x, y, z, w, _] = columns(places.map(|p| p.end));
    place(&mut limbs.end_at, px, py, pz);
    turn(&mut limbs.end, x, y, z, w);
}

#[inline(always)]
fn scatter(
    records: &mut [Transform],
    places: &[LimbPlaces; STEP],
    rotations: &mut JointLimbSolution<Tile>,
    group: usize,
) {
    write(records, places.map(|p| p.root), &mut rotations.root, group);
    write(records, places.map(|p| p.mid), &mut rotations.mid, group);
    write(records, places.map(|p| p.end), &mut rotations.end, group);
}

#[inline(always)]
fn write(records: &mut [Transform], places: [u32; STEP], q: &mut LaneQuat<Tile>, group: usize) {
    let [x, y, z, w] = [&mut q.x, &mut q.y, &mut q.z, &mut q.w].map(|tile| f32x8::new(*eight(tile, group)));
    let none = f32x8::ZERO;
    let rows = f32x8::transpose([x, y, z, w, none, none, none, none]);
    for (place, row) in places.into_iter().zip(rows) {
        write_rotation(records, place, each(row)[0]);
    }
}

#[inline(always)]
fn write_rotation(records: &mut [Transform], place: u32, q: f32x4) {
    if let Some(record) = records.get_mut(place as usize) {
        record.rotation = Quat::from_array(q.to_array());
    }
}

fn stretch(records: &mut [Transform], places: &[LimbPlaces], stretch: &Tile) {
    for (place, factor) in places.iter().zip(stretch.0) {
        for joint in [place.mid, place.end] {
            if let Some(record) = records.get_mut(joint as usize) {
                record.position *= factor;
            }
        }
    }
}
