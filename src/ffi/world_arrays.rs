//! The poses that a world keeps itself.

use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::result::SinewResult;
use super::world_types::{SinewPoseArraysArg, SinewWorldArrays};
use super::{read, registry};
use crate::math::Rigid;
use crate::skeleton::crowd::Eight;
use crate::world::{PoseArrays, WorldError};

// What the header says of the layout.
const _: () = assert!(size_of::<Rigid<Eight>>() == 7 * 8 * size_of::<f32>() && align_of::<Rigid<Eight>>() == 32);

/// Sets which poses a world keeps itself, as structures of arrays: what SINEW_POSE_LAYOUT_SOA solves in place, without a copy, and the cheapest of all
/// layouts. They are made anew in the rest pose, whatever was there before, and later for each animator that joins; addresses given before
/// mean nothing any more. At set-up: it allocates, per eight animators 224 bytes per joint, and as much again with frames.
///
/// @param which  a SinewPoseArrays.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_set_arrays(world: SinewWorld, which: SinewPoseArraysArg) -> SinewResult {
    guard("sinew_world_set_arrays", || {
        let which = read::pose_arrays(which)?;
        registry::with_world(world, |world| {
            world.set.set_arrays(which);
            Ok(())
        })
    })
}

/// Gives where an animator's pose lies in the world's arrays. The addresses stay the same as long as one of the eight animators that share them belongs to
/// the world, and no other arrays are set; the place stays as long as the animator belongs to it. When it joins, its pose is the rest pose. The memory
/// belongs to the host between solves, and to the world during one.
///
/// @param out_arrays  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE (world or animator), _NOT_MEMBER, _NOT_AVAILABLE (no arrays were set, or the rest pose of
///         the animator's skeleton has a scale, for which there are none), _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
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

/// Says what a world keeps: the failure for a call that wants arrays where there are none.
pub(super) fn check(arrays: PoseArrays) -> Result<(), Failure> {
    if arrays == PoseArrays::None {
        return Err(Failure::new(
            SinewResult::SinewErrorNotAvailable,
            format_args!("frame.layout is SINEW_POSE_LAYOUT_SOA, the world keeps no arrays (sinew_world_set_arrays)"),
        ));
    }
    Ok(())
}
