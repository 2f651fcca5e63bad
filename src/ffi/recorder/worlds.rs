//! What the members of a world read, and what its solves leave in its arrays.

use super::super::guard::Failure;
use super::super::ids::SinewWorld;
use super::super::registry;
use super::super::shapes::from_word;
use super::observe::{self, Poses};
use super::state::Recorder;
use crate::record::{self, BitHash};
use crate::store::Id;
use crate::world::World;

impl Recorder {
    /// Logs the poses that a solve of a world reads from memory of the library. The rest the call
    /// hands over itself.
    pub fn log_world(&mut self, words: &[u64], place: usize) -> Result<(), Failure> {
        let mut done = Ok(());
        let _ = registry::with_world(SinewWorld { bits: words[0] }, |host| {
            // SAFETY: the caller of the recorded function vouches for the address.
            let frame = unsafe { observe::frame_of(from_word(words[place])) };
            if words[place] == 0 || frame.is_some() {
                done = self.log_poses(words[0], Poses::of(frame.as_ref()), &mut host.set);
            }
            Ok(())
        });
        done
    }

    /// Logs the pose buffers of the members of a world.
    pub fn log_members(&mut self, world: u64) -> Result<(), Failure> {
        let mut done = Ok(());
        let _ = registry::with_world(SinewWorld { bits: world }, |host| {
            done = self.log_poses(world, Poses::Own, &mut host.set);
            Ok(())
        });
        done
    }

    /// Logs the poses that the members of a world read from memory of the library.
    fn log_poses(&mut self, world: u64, poses: Poses, set: &mut World) -> Result<(), Failure> {
        match poses {
            Poses::Own => {
                let members = (0..set.row_count() as u32).filter_map(|row| set.member(row));
                members.map(|id| id.bits()).try_for_each(|animator| self.log_pose(animator))
            }
            Poses::Arrays => self.log_arrays(world, set),
            Poses::Host => Ok(()),
        }
    }

    /// Logs the poses in a world's arrays that are not as the last call has left them.
    fn log_arrays(&mut self, world: u64, set: &mut World) -> Result<(), Failure> {
        for row in 0..set.row_count() as u32 {
            let Some(id) = set.member(row) else { continue };
            let place = self.shadow(id.bits())?;
            let Some((tile, lane)) = set.pose_tile(row) else { continue };
            let mut hash = BitHash::default();
            tile.pose(lane).for_each(|transform| hash.add(observe::transform_bytes(&transform)));
            let hash = hash.finish();
            if self.shadows[place].arrays == hash {
                continue;
            }
            self.shadows[place].arrays = hash;
            let mut locals = self.spare.pop().unwrap_or_default();
            let added = tile.pose(lane).try_for_each(|transform| locals.add(observe::transform_bytes(&transform)));
            let logged = added.and_then(|()| {
                let pieces = [&world.to_le_bytes()[..], &id.bits().to_le_bytes(), locals.bytes()];
                self.append(record::kind::ARRAYS, &pieces)
            });
            self.put_back(locals);
            logged?;
        }
        Ok(())
    }

    /// After a solve: the arrays are as the solve has left them.
    pub fn forget_arrays(&mut self, world: u64) {
        let shadows = &mut self.shadows;
        let _ = registry::with_world(SinewWorld { bits: world }, |host| {
            for row in 0..host.set.row_count() as u32 {
                let Some(id) = host.set.member(row) else { continue };
                let Some((tile, lane)) = host.set.pose_tile(row) else { continue };
                let place = (id.bits() & Id::INDEX_MASK) as usize;
                if let Some(shadow) = shadows.get_mut(place).filter(|s| s.animator == id.bits() && s.arrays != 0) {
                    let mut hash = BitHash::default();
                    tile.pose(lane).for_each(|transform| hash.add(observe::transform_bytes(&transform)));
                    shadow.arrays = hash.finish();
                }
            }
            Ok(())
        });
    }
}
