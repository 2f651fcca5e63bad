//! Joint limits for people: ranges per human bone.

use super::guard::{Failure, guard, out_ref};
use super::ids::SinewAvatar;
use super::result::SinewResult;
use super::types::{
    SINEW_HUMAN_RANGES_MEASURED, SINEW_HUMAN_RANGES_MUSCLES, SinewAvatarDef, SinewHumanBoneArg, SinewHumanRange,
};
use super::{read, registry};
use crate::animator::AnimatorError;
use crate::humanoid::{HumanBone, HumanRange, HumanRangeSet};
use crate::limits::Range;

/// Returns the default range of a human bone: the measured one; −π … π for the hips, which are
/// free. Upper arms and thighs are not limited by ranges but by half-spaces, which these enclose;
/// as an override they replace the half-spaces. docs/animator.md ("Human joint limits") has
/// when ranges act.
///
/// @param bone       a SinewHumanBone.
/// @param out_range  the range.
pub extern "C" fn sinew_human_range_default(
    bone: SinewHumanBoneArg,
    out_range: Option<&mut SinewHumanRange>,
) -> SinewResult {
    guard("sinew_human_range_default", || {
        let out = out_ref(out_range, "out_range")?;
        let bone = read::bone(bone)?;
        *out = record(bone, HumanRange::of(HumanRangeSet::default(), bone));
        Ok(())
    })
}

/// Returns the range of a human bone in an avatar: the one of SinewAvatarDef::human_ranges, else
/// that of its set; the twist of a hand is then the share that lower_arm_twist leaves to the wrist.
///
/// @param bone       a SinewHumanBone.
/// @param out_range  the range; −π … π for the hips.
/// @return SINEW_ERROR_BONE_NOT_MAPPED: the avatar does not have the bone.
pub extern "C" fn sinew_avatar_get_human_range(
    avatar: SinewAvatar,
    bone: SinewHumanBoneArg,
    out_range: Option<&mut SinewHumanRange>,
) -> SinewResult {
    guard("sinew_avatar_get_human_range", || {
        let out = out_ref(out_range, "out_range")?;
        let avatar = registry::avatar(avatar)?;
        let bone = read::bone(bone)?;
        if avatar.joint(bone).is_none() {
            return Err(AnimatorError::BoneNotMapped(bone).into());
        }
        *out = record(bone, avatar.human_limits().range(bone));
        Ok(())
    })
}

pub(super) fn record(bone: HumanBone, range: Option<HumanRange>) -> SinewHumanRange {
    let free = HumanRange { bend: Range::FREE, side: Range::FREE, twist: Range::FREE };
    let range = range.unwrap_or(free);
    SinewHumanRange {
        bone: bone.index() as i32,
        bend_min_rad: range.bend.min,
        bend_max_rad: range.bend.max,
        side_min_rad: range.side.min,
        side_max_rad: range.side.max,
        twist_min_rad: range.twist.min,
        twist_max_rad: range.twist.max,
    }
}

/// The set of ranges of a definition, checked.
pub(super) fn set_of(def: &SinewAvatarDef) -> Result<HumanRangeSet, Failure> {
    match def.human_range_set {
        SINEW_HUMAN_RANGES_MEASURED => Ok(HumanRangeSet::Measured),
        SINEW_HUMAN_RANGES_MUSCLES => Ok(HumanRangeSet::Muscles),
        other => Err(Failure::argument(format_args!("def.human_range_set is {other}, not 0 or 1"))),
    }
}

/// What [`of`] allocates at most.
pub(super) fn bytes_of(def: &SinewAvatarDef) -> usize {
    // A list that grows is copied to one of twice the size; the definition's is copied once more.
    (def.human_range_count as usize).saturating_mul(5 * size_of::<(HumanBone, HumanRange)>())
}

/// The ranges of a definition, checked.
pub(super) unsafe fn of(def: &SinewAvatarDef) -> Result<Vec<(HumanBone, HumanRange)>, Failure> {
    if def.human_range_count == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: required of the caller of the C function; see `read`.
    let given = unsafe { read::array("def.human_ranges", def.human_ranges, def.human_range_count as usize) }?;
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
