//! Avatar functions.

use super::c_types::c_char;
use super::convert::joint_index;
use super::guard::{Failure, guard, optional_out, out_ref};
use super::ids::{SinewAvatar, SinewSkeleton};
use super::result::SinewResult;
use super::types::{
    SINEW_HUMAN_BONE_COUNT, SINEW_HUMAN_RANGES_MEASURED, SinewAvatarDef, SinewHumanBoneArg, SinewIkGoalArg, SinewQuat,
    SinewTransform, SinewVec3,
};
use super::{human_ranges, read, registry, rooms};
use crate::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, map_human_names, map_joints};
use std::sync::Arc;

/// Sizes the definition had: without twist and feet spacing, without the set of ranges.
pub(super) const OLDER_SIZES: [usize; 2] =
    [core::mem::offset_of!(SinewAvatarDef, upper_arm_twist), core::mem::offset_of!(SinewAvatarDef, human_range_set)];

fn default_def() -> SinewAvatarDef {
    let defaults = AvatarDefinition::default();
    SinewAvatarDef {
        struct_size: size_of::<SinewAvatarDef>() as u32,
        human_joint_count: SINEW_HUMAN_BONE_COUNT,
        skeleton: SinewSkeleton { bits: 0 },
        human_joints: core::ptr::null(),
        t_pose: core::ptr::null(),
        up: SinewVec3::default(),
        forward: SinewVec3::default(),
        arm_stretch: defaults.arm_stretch,
        leg_stretch: defaults.leg_stretch,
        upper_arm_twist: defaults.upper_arm_twist,
        lower_arm_twist: defaults.lower_arm_twist,
        upper_leg_twist: defaults.upper_leg_twist,
        lower_leg_twist: defaults.lower_leg_twist,
        feet_spacing: defaults.feet_spacing,
        human_range_count: 0,
        human_ranges: core::ptr::null(),
        human_range_set: SINEW_HUMAN_RANGES_MEASURED,
    }
}

/// Fills an avatar definition with defaults: axes and T-pose computed from the rig, stretch 0.05,
/// twist 0.5, no feet spacing.
///
/// @param out_def  the definition.
pub extern "C" fn sinew_avatar_def_default(out_def: Option<&mut SinewAvatarDef>) -> SinewResult {
    guard("sinew_avatar_def_default", || {
        *out_ref(out_def, "out_def")? = default_def();
        Ok(())
    })
}

/// Creates an avatar from a table of human bones.
///
/// @param def         see SinewAvatarDef.
/// @param out_avatar  the avatar; destroy it with sinew_avatar_destroy.
/// @return SINEW_ERROR_LENGTH_MISMATCH: human_joint_count; SINEW_ERROR_OUT_OF_RANGE: a joint index;
///         SINEW_ERROR_INVALID_ARGUMENT: axes, stretch, twist, feet spacing, or a range with its
///         minimum above its maximum, human_range_set; SINEW_ERROR_MISSING_BONE: the message
///         names every missing bone; SINEW_ERROR_BONE_CONFLICT.
pub unsafe extern "C" fn sinew_avatar_create(
    def: *const SinewAvatarDef,
    out_avatar: Option<&mut SinewAvatar>,
) -> SinewResult {
    guard("sinew_avatar_create", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let def = unsafe { read::sized("def", def, &OLDER_SIZES, default_def()) }?;
        let out = out_ref(out_avatar, "out_avatar")?;
        let skeleton = registry::skeleton(def.skeleton).map_err(|failure| failure.about("def"))?;
        if def.human_joint_count != SINEW_HUMAN_BONE_COUNT {
            return Err(Failure::new(
                SinewResult::SinewErrorLengthMismatch,
                format_args!("def.human_joint_count is {}, not {SINEW_HUMAN_BONE_COUNT}", def.human_joint_count),
            ));
        }
        let _room = rooms::AVATAR.with(skeleton.joint_count(), human_ranges::bytes_of(&def))?;
        // SAFETY: required of the caller of the C function; see `read`.
        let table = unsafe { read::array("def.human_joints", def.human_joints, HumanBone::COUNT) }?;
        let mut map = HumanMap::default();
        for (bone, &joint) in HumanBone::ALL.into_iter().zip(table) {
            if joint == -1 {
                continue;
            }
            if joint < -1 || joint as usize >= skeleton.joint_count() {
                return Err(Failure::new(
                    SinewResult::SinewErrorOutOfRange,
                    format_args!(
                        "def.human_joints[{}] ({}) is {joint}, the skeleton has {} joints",
                        bone.index(),
                        bone.name(),
                        skeleton.joint_count()
                    ),
                ));
            }
            map.set(bone, Some(joint as usize));
        }
        let t_pose = if def.t_pose.is_null() {
            None
        } else {
            // SAFETY: required of the caller of the C function; see `read`.
            let given = unsafe { read::array("def.t_pose", def.t_pose, skeleton.joint_count()) }?;
            let mut pose = Vec::with_capacity(given.len());
            for (i, t) in given.iter().enumerate() {
                pose.push(read::transform(format_args!("def.t_pose[{i}]"), t)?);
            }
            Some(pose)
        };
        let definition = AvatarDefinition {
            map,
            t_pose,
            up: read::axis("def.up", def.up)?,
            forward: read::axis("def.forward", def.forward)?,
            arm_stretch: read::fraction("def.arm_stretch", def.arm_stretch)?,
            leg_stretch: read::fraction("def.leg_stretch", def.leg_stretch)?,
            upper_arm_twist: read::fraction("def.upper_arm_twist", def.upper_arm_twist)?,
            lower_arm_twist: read::fraction("def.lower_arm_twist", def.lower_arm_twist)?,
            upper_leg_twist: read::fraction("def.upper_leg_twist", def.upper_leg_twist)?,
            lower_leg_twist: read::fraction("def.lower_leg_twist", def.lower_leg_twist)?,
            feet_spacing: read::fraction("def.feet_spacing", def.feet_spacing)?,
            // SAFETY: required of the caller of the C function; see `read`.
            human_ranges: unsafe { human_ranges::of(&def) }?,
            human_range_set: human_ranges::set_of(&def)?,
        };
        let avatar = Avatar::new(skeleton, &definition).map_err(|error| Failure::from(error).about("def"))?;
        *out = registry::insert_avatar(Arc::new(avatar))?;
        Ok(())
    })
}

/// Destroys an avatar. Animators created with it are not affected.
pub extern "C" fn sinew_avatar_destroy(avatar: SinewAvatar) -> SinewResult {
    guard("sinew_avatar_destroy", || registry::remove_avatar(avatar))
}

/// Reports whether a handle is a living avatar.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_avatar_is_valid(avatar: SinewAvatar, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_avatar_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::avatar(avatar).is_ok() as u32;
        Ok(())
    })
}

/// Maps human bones to the joints that have Unity's human names ("LeftUpperLeg", "Left Thumb
/// Proximal", …; case and spaces are ignored).
///
/// @param out_joints  SINEW_HUMAN_BONE_COUNT joint indices, -1 where no joint has the name.
/// @param count       length of out_joints: SINEW_HUMAN_BONE_COUNT.
/// @param out_found   how many were found; may be NULL.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_skeleton_map_human_names(
    skeleton: SinewSkeleton,
    out_joints: *mut i32,
    count: u32,
    out_found: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_map_human_names", || {
        let out_found = optional_out(out_found, "out_found")?;
        let skeleton = registry::skeleton(skeleton)?;
        let _room = rooms::MAPPING.room(skeleton.joint_count())?;
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { write_map(&map_human_names(&skeleton), out_joints, count, out_found) }
    })
}

/// Maps human bones to joints by the names and the shape of any rig (Mixamo, Unreal, VRM, Biped,
/// Rigify, …; by topology where names are no help).
///
/// @param out_joints  SINEW_HUMAN_BONE_COUNT joint indices, -1 where no joint fits.
/// @param count       length of out_joints: SINEW_HUMAN_BONE_COUNT.
/// @param out_found   how many were found; may be NULL.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_skeleton_map_human_bones(
    skeleton: SinewSkeleton,
    out_joints: *mut i32,
    count: u32,
    out_found: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_map_human_bones", || {
        let out_found = optional_out(out_found, "out_found")?;
        let skeleton = registry::skeleton(skeleton)?;
        let _room = rooms::MAPPING.room(skeleton.joint_count())?;
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { write_map(&map_joints(&skeleton).map, out_joints, count, out_found) }
    })
}

unsafe fn write_map(
    map: &HumanMap,
    out_joints: *mut i32,
    count: u32,
    out_found: Option<&mut u32>,
) -> Result<(), Failure> {
    if count != SINEW_HUMAN_BONE_COUNT {
        return Err(Failure::new(
            SinewResult::SinewErrorLengthMismatch,
            format_args!("count is {count}, not {SINEW_HUMAN_BONE_COUNT}"),
        ));
    }
    // SAFETY: required of the caller of the C function; see `read`.
    let out = unsafe { read::array_mut("out_joints", out_joints, HumanBone::COUNT) }?;
    let mut found = 0;
    for (slot, bone) in out.iter_mut().zip(HumanBone::ALL) {
        *slot = joint_index(map.get(bone));
        found += (*slot >= 0) as u32;
    }
    if let Some(out_found) = out_found {
        *out_found = found;
    }
    Ok(())
}

/// Finds a human bone by its name.
///
/// @param name      UTF-8, zero-terminated; case and spaces are ignored.
/// @param out_bone  a SinewHumanBone, or -1 when no bone has the name.
/// @return SINEW_ERROR_INVALID_TEXT: name.
pub unsafe extern "C" fn sinew_human_bone_from_name(name: *const c_char, out_bone: Option<&mut i32>) -> SinewResult {
    guard("sinew_human_bone_from_name", || {
        let out = out_ref(out_bone, "out_bone")?;
        // SAFETY: required of the caller of the C function; see `read`.
        let name = unsafe { read::text("name", name) }?;
        *out = HumanBone::from_name(name).map_or(-1, |b| b.index() as i32);
        Ok(())
    })
}

/// Returns the joint of a human bone.
///
/// @param bone       a SinewHumanBone.
/// @param out_joint  its joint index, or -1 when the avatar does not have the bone.
pub extern "C" fn sinew_avatar_get_bone_joint(
    avatar: SinewAvatar,
    bone: SinewHumanBoneArg,
    out_joint: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_avatar_get_bone_joint", || {
        let out = out_ref(out_joint, "out_joint")?;
        let avatar = registry::avatar(avatar)?;
        *out = joint_index(avatar.joint(read::bone(bone)?));
        Ok(())
    })
}

/// Returns the axes of the character in model space, as given or as computed from the rig.
///
/// @param out_right, out_up, out_forward  unit vectors; each may be NULL.
pub extern "C" fn sinew_avatar_get_axes(
    avatar: SinewAvatar,
    out_right: Option<&mut SinewVec3>,
    out_up: Option<&mut SinewVec3>,
    out_forward: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_avatar_get_axes", || {
        let out_right = optional_out(out_right, "out_right")?;
        let out_up = optional_out(out_up, "out_up")?;
        let out_forward = optional_out(out_forward, "out_forward")?;
        let avatar = registry::avatar(avatar)?;
        let axes = avatar.axes();
        for (out, axis) in [(out_right, axes.right), (out_up, axes.up), (out_forward, axes.forward)] {
            if let Some(out) = out {
                *out = axis.into();
            }
        }
        Ok(())
    })
}

/// Returns the T-pose of an avatar, as given or as computed from the rest pose.
///
/// @param out_pose  room for `count` local transforms in joint order.
/// @param count     number of transforms: the joint count.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count.
pub unsafe extern "C" fn sinew_avatar_get_t_pose(
    avatar: SinewAvatar,
    out_pose: *mut SinewTransform,
    count: u32,
) -> SinewResult {
    guard("sinew_avatar_get_t_pose", || {
        let avatar = registry::avatar(avatar)?;
        read::length("count", count, avatar.t_pose().len())?;
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_pose", out_pose, count as usize) }?;
        read::as_transforms_mut(out).copy_from_slice(avatar.t_pose());
        Ok(())
    })
}

/// Returns the constants of a goal of hand or foot, as measured on the T-pose.
///
/// @param goal               a SinewIkGoal.
/// @param out_rotation       rotation of the goal's frame in its bone: goal = bone * this; may be
///                           NULL.
/// @param out_bottom_height  distance from the ankle down to the sole, metres (or the rig's unit);
///                           0 for hands; may be NULL.
pub extern "C" fn sinew_avatar_get_goal_constants(
    avatar: SinewAvatar,
    goal: SinewIkGoalArg,
    out_rotation: Option<&mut SinewQuat>,
    out_bottom_height: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_avatar_get_goal_constants", || {
        let out_rotation = optional_out(out_rotation, "out_rotation")?;
        let out_bottom_height = optional_out(out_bottom_height, "out_bottom_height")?;
        let avatar = registry::avatar(avatar)?;
        let goal = read::goal(goal)?;
        if let Some(out) = out_rotation {
            *out = avatar.goal_from_bone(goal).into();
        }
        if let Some(out) = out_bottom_height {
            *out = avatar.foot_bottom_height(goal);
        }
        Ok(())
    })
}

/// Returns the height of the centre of mass above the soles in the T-pose.
///
/// @param out_scale  metres (or the rig's unit).
pub extern "C" fn sinew_avatar_get_human_scale(avatar: SinewAvatar, out_scale: Option<&mut f32>) -> SinewResult {
    guard("sinew_avatar_get_human_scale", || {
        let out = out_ref(out_scale, "out_scale")?;
        *out = registry::avatar(avatar)?.human_scale();
        Ok(())
    })
}
