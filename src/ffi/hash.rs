//! Hashes of state, to compare two runs of a game frame by frame.

use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::registry;
use super::result::SinewResult;
use crate::animator::StateHash;
use crate::world::Character;

fn of_character(character: &Character) -> u64 {
    let mut hash = StateHash::default();
    for transform in character.buffer() {
        hash.transform(transform);
    }
    character.animator.hash_state(&mut hash);
    hash.finish()
}

/// Computes a hash of an animator: of the pose buffer, root, humanoid input, effectors, goals,
/// weights and placements of constraints, and all state that lasts between frames. Not of what is
/// set up once: rig, settings, limits, definitions; nor of what a world records between solves
/// (SINEW_LOD_EVERY_NTH, a budget). Two animators that are set up alike and have the same hash go
/// on with the same bits. The same on every platform, to this version of the library.
///
/// @param out_hash  the hash.
pub extern "C" fn sinew_animator_hash(animator: SinewAnimator, out_hash: Option<&mut u64>) -> SinewResult {
    guard("sinew_animator_hash", || {
        let out = out_ref(out_hash, "out_hash")?;
        registry::with_animator(animator, |character| {
            *out = of_character(character);
            Ok(())
        })
    })
}

/// Computes a hash of a world: of the hashes of its animators with their rows, as
/// sinew_animator_hash gives them.
///
/// @param out_hash  the hash.
/// @return SINEW_ERROR_BUSY: also when an animator is in use.
pub extern "C" fn sinew_world_hash(world: SinewWorld, out_hash: Option<&mut u64>) -> SinewResult {
    guard("sinew_world_hash", || {
        let out = out_ref(out_hash, "out_hash")?;
        registry::with_world(world, |world| {
            let mut hash = StateHash::default();
            for row in 0..world.set.row_count() as u32 {
                let Some(id) = world.set.member(row) else { continue };
                if !registry::characters().contains(id) {
                    continue;
                }
                let of_member = registry::characters().with(id, |character| of_character(character));
                let of_member = of_member.map_err(|e| Failure::store(e, "animator", id.bits()))?;
                hash.word(row);
                hash.hash(of_member);
            }
            *out = hash.finish();
            Ok(())
        })
    })
}
