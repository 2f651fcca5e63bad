//! Rows for whole calls of a world, with all that it does for a character: locks, reading and
//! checking its pose, the solve, writing the pose.

use super::humanoid::{CHARACTERS, Start, characters};
use super::{Row, counted};
use sinew::math::Transform;
use sinew::world::{Call, Character, Host, InArrays, OwnBuffers, PoseArrays, Registry, Serial, World, WorldError};
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

fn row(name: &str, layout: Layout) -> Row {
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
            let mut solve = || assert_eq!(world.solve_with(&call).solved, CHARACTERS as u32);
            if count { counted(&mut solve) } else { solve() }
        };
        // The first round warms up.
        round(false);
        round(true);
        CHARACTERS as u64
    };
    Row { name: format!("world_feet_look_at/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![row("own", Layout::Own), row("records", Layout::Records), row("arrays", Layout::Arrays)]
}
