//! The poses that a world keeps itself.

use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::result::SinewResult;
use super::types::{SinewPoseArraysArg, SinewWorldArrays};
use super::{read, registry, rooms};
use crate::math::Rigid;
use crate::skeleton::crowd::Eight;
use crate::world::{PoseArrays, WorldError};

// The layout that the header states.
const _: () = assert!(size_of::<Rigid<Eight>>() == 7 * 8 * size_of::<f32>() && align_of::<Rigid<Eight>>() == 32);

/// Sets which poses a world keeps as structures of arrays; SINEW_POSE_LAYOUT_SOA solves them in
/// place, without a copy: the fastest layout. The arrays are created in the rest pose, now and for
/// each animator that joins later; addresses returned before become invalid. Allocates 224 bytes
/// per joint and eight animators, twice that with frames.
///
/// @param which  a SinewPoseArrays.
pub extern "C" fn sinew_world_set_arrays(world: SinewWorld, which: SinewPoseArraysArg) -> SinewResult {
    guard("sinew_world_set_arrays", || {
        let which = read::pose_arrays(which)?;
        registry::with_world(world, |world| {
            let _room = rooms::ARRAYS.room(world.set.array_joints())?;
            world.set.set_arrays(which);
            Ok(())
        })
    })
}

/// Returns where an animator's pose is in the world's arrays. The addresses are valid as long as
/// one of the eight animators that share them is in the world and no other arrays are set; the
/// place is valid as long as the animator is in the world. When it joins, its pose is the rest
/// pose. Between solves the host may read and write the memory.
///
/// @param out_arrays  addresses and place.
/// @return SINEW_ERROR_NOT_MEMBER; SINEW_ERROR_NOT_AVAILABLE: no arrays are set, or the rest pose
///         of the animator's skeleton has a scale.
pub extern "C" fn sinew_world_get_arrays(
    world: SinewWorld,
    animator: SinewAnimator,
    out_arrays: Option<&mut SinewWorldArrays>,
) -> SinewResult {
    guard("sinew_world_get_arrays", || {
        let out = out_ref(out_arrays, "out_arrays")?;
        *out = registry::with_member(world, animator, |world, _, id| {
            let row = world.row(id).ok_or(WorldError::NotMember)?;
            let has_frames = world.arrays() == PoseArrays::LocalsAndFrames;
            let (tile, place) = world.pose_tile(row).ok_or(WorldError::NoArrays)?;
            let frames = if has_frames { tile.model_address().cast::<f32>() } else { core::ptr::null_mut() };
            Ok(SinewWorldArrays {
                locals: tile.local_address().cast::<f32>(),
                frames,
                joint_count: tile.local().len() as u32,
                place: place as u32,
            })
        })?;
        Ok(())
    })
}

/// The failure of a call that needs arrays where a world keeps none.
pub(super) fn check(arrays: PoseArrays) -> Result<(), Failure> {
    if arrays == PoseArrays::None {
        return Err(Failure::new(
            SinewResult::SinewErrorNotAvailable,
            format_args!("frame.layout is SINEW_POSE_LAYOUT_SOA, but the world has no arrays (sinew_world_set_arrays)"),
        ));
    }
    Ok(())
}
