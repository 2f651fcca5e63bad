//! Joint limits for people: ranges per human bone, and how far a pose is beyond them.

use super::guard::{Failure, guard, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewAvatarDef, SinewHumanBoneArg};
use super::{read, registry};
use crate::humanoid::{HumanBone, HumanRange};
use crate::limits::Range;
use safer_ffi::prelude::*;

/// What a human bone may do, radians, counted from the T-pose; docs/animator.md says towards what. Elbows and knees have a
/// bend and a twist, toes and outer finger joints a bend only. Angles between a half and a full turn are clamped to half a turn;
/// those beyond a full turn are refused (SINEW_ERROR_INVALID_ARGUMENT), since they are most likely degrees.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewHumanRange {
    /// A SinewHumanBone.
    pub bone: i32,
    /// Least bend.
    pub bend_min_rad: f32,
    /// Greatest bend, not below the least.
    pub bend_max_rad: f32,
    /// Least bend to the side.
    pub side_min_rad: f32,
    /// Greatest bend to the side.
    pub side_max_rad: f32,
    /// Least turn about the bone's own line (a hand's about the forearm, a foot's about the shin).
    pub twist_min_rad: f32,
    /// Greatest turn about it.
    pub twist_max_rad: f32,
}

/// Fills in people's range of a bone, from the muscle ranges of Unity's avatar; -π … π for the hips, which are free. What the limits of a hand
/// make of its twist, and when they act: docs/animator.md, "Joint limits for people".
///
/// @param bone       a SinewHumanBone.
/// @param out_range  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_ENUM. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_human_range_default(
    bone: SinewHumanBoneArg,
    out_range: Option<&mut SinewHumanRange>,
) -> SinewResult {
    guard("sinew_human_range_default", || {
        let out = out_ref(out_range, "out_range")?;
        let bone = read::bone(bone)?;
        let free = HumanRange { bend: Range::FREE, side: Range::FREE, twist: Range::FREE };
        let range = HumanRange::of(bone).unwrap_or(free);
        *out = SinewHumanRange {
            bone: bone.index() as i32,
            bend_min_rad: range.bend.min,
            bend_max_rad: range.bend.max,
            side_min_rad: range.side.min,
            side_max_rad: range.side.max,
            twist_min_rad: range.twist.min,
            twist_max_rad: range.twist.max,
        };
        Ok(())
    })
}

/// Gives how far a human bone is beyond its range in the pose buffer, whether limits are on or not: the angle to the nearest rotation it
/// allows.
///
/// @param bone               a SinewHumanBone.
/// @param out_violation_rad  written on success: radians, 0 … π; 0 for the hips; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and _INVALID_ROTATION (in the pose
///         buffer), _NOT_HUMANOID, _BONE_NOT_MAPPED, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_limit_violation(
    animator: SinewAnimator,
    bone: SinewHumanBoneArg,
    out_violation_rad: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_limit_violation", || {
        let out = out_ref(out_violation_rad, "out_violation_rad")?;
        let bone = read::bone(bone)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.limit_violation_rad(bone)?;
            Ok(())
        })
    })
}

/// The ranges of a definition, checked.
pub(super) fn of(def: &SinewAvatarDef) -> Result<Vec<(HumanBone, HumanRange)>, Failure> {
    if def.human_range_count == 0 {
        return Ok(Vec::new());
    }
    let given = read::array("def.human_ranges", def.human_ranges, def.human_range_count as usize)?;
    let mut ranges = Vec::new();
    for (i, range) in given.iter().enumerate() {
        let bone = read::bone_of(format_args!("def.human_ranges[{i}].bone"), range.bone)?;
        let read = |name: &str, min: f32, max: f32| {
            let min = read::angle_rad(format_args!("def.human_ranges[{i}].{name}_min_rad"), min)?;
            let max = read::angle_rad(format_args!("def.human_ranges[{i}].{name}_max_rad"), max)?;
            if min > max {
                return Err(Failure::argument(format_args!(
                    "def.human_ranges[{i}].{name}_min_rad is {min}, above {name}_max_rad, {max}"
                )));
            }
            Ok(Range::new(min, max))
        };
        ranges.push((
            bone,
            HumanRange {
                bend: read("bend", range.bend_min_rad, range.bend_max_rad)?,
                side: read("side", range.side_min_rad, range.side_max_rad)?,
                twist: read("twist", range.twist_min_rad, range.twist_max_rad)?,
            },
        ));
    }
    Ok(ranges)
}
