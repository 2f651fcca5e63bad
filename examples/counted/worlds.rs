//! Rows for whole calls of a world, with all that it does for a character: locks, reading and
//! checking its pose, the solve, writing the pose.

use super::humanoid::{CHARACTERS, Start, characters};
use super::{Row, counted};
use sinew::math::Transform;
use sinew::world::{
    Call, Character, Host, InArrays, Level, OwnBuffers, PoseArrays, Registry, Serial, World, WorldError,
};
use std::cell::Cell;

/// Where the poses are.
#[derive(Clone, Copy)]
enum Layout {
    /// In the characters' own buffers.
    Own,
    /// In the host's records.
    Records,
    /// In the world's arrays, frames included.
    Arrays,
}

/// Rows of transforms one after the other, as a host has them.
struct Records {
    joints: usize,
    transforms: Vec<Cell<Transform>>,
}

// SAFETY: a call uses each row on one thread.
unsafe impl Sync for Records {}

impl Records {
    fn row(&self, row: u32) -> &[Cell<Transform>] {
        &self.transforms[row as usize * self.joints..][..self.joints]
    }
}

impl Host for Records {
    fn load(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        Ok(character.load_pose_from(self.row(row).iter().map(Cell::get))?)
    }
    fn records<'a>(&'a self, row: u32, _: &'a Character) -> Option<&'a [Cell<Transform>]> {
        Some(self.row(row))
    }
    fn store(&self, row: u32, character: &Character) {
        for (record, solved) in self.row(row).iter().zip(character.animator.pose().local()) {
            record.set(*solved);
        }
    }
}

/// Calls that a row counts: as many as a member has from one solve to the next.
const CALLS: u64 = 2;

fn row(name: &str, layout: Layout, level: Level) -> Row {
    let work = move || {
        let all = characters(Start::Bent, 0.0, false);
        let skeleton = all[0].0.skeleton().clone();
        let (registry, mut world) = (Registry::new(), World::new());
        if matches!(layout, Layout::Arrays) {
            world.set_arrays(PoseArrays::LocalsAndFrames);
        }
        let mut ids = Vec::new();
        for (animator, _) in &all {
            let id = registry.add_character(skeleton.clone(), animator.avatar().cloned()).expect("room");
            registry.characters.lock(id).expect("nobody uses it").animator = animator.clone();
            world.join(&registry.characters, id).expect("new");
            world.set_level(id, level).expect("a member");
            ids.push(id);
        }
        let joints = skeleton.joint_count();
        let records = Records { joints, transforms: vec![Cell::new(Transform::IDENTITY); CHARACTERS * joints] };
        let mut round = |count: bool| {
            for ((row, (_, animation)), id) in (0..).zip(&all).zip(&ids) {
                match layout {
                    Layout::Own => {
                        let mut character = registry.characters.lock(*id).expect("nobody uses it");
                        character.set_pose(animation).expect("a pose");
                    }
                    Layout::Records => {
                        records.row(row).iter().zip(animation).for_each(|(record, own)| record.set(*own));
                    }
                    Layout::Arrays => {
                        let (tile, place) = world.pose_tile(row).expect("arrays");
                        tile.put_pose(place, animation);
                    }
                }
            }
            let host: &dyn Host = match layout {
                Layout::Own => &OwnBuffers,
                Layout::Records => &records,
                Layout::Arrays => &InArrays,
            };
            let call = Call { characters: &registry.characters, host, runner: &Serial, clock: &|| 0.0 };
            let mut solve = || {
                let report = world.solve_with(&call);
                assert_eq!(report.solved + report.between, CHARACTERS as u32);
            };
            if count { counted(&mut solve) } else { solve() }
        };
        // The first rounds warm up, and give every member the two solves that it is between.
        (0..2 * CALLS).for_each(|_| round(false));
        (0..CALLS).for_each(|_| round(true));
        CHARACTERS as u64 * CALLS
    };
    Row { name: format!("world_feet_look_at/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        row("own", Layout::Own, Level::Full),
        row("records", Layout::Records, Level::Full),
        row("arrays", Layout::Arrays, Level::Full),
        row("own_every_2nd", Layout::Own, Level::EveryNth(2)),
    ]
}
