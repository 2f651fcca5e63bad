//! Skeleton functions.

use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::SinewSkeleton;
use super::result::SinewResult;
use super::types::{SinewSkeletonDef, SinewTransform};
use super::{read, registry};
use crate::skeleton::{JointDefinition, Skeleton};
use libc::c_char;
use std::sync::Arc;

/// Fills a skeleton definition with its size and empty values.
///
/// @param out_def  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_def_default(out_def: Option<&mut SinewSkeletonDef>) -> SinewResult {
    guard("sinew_skeleton_def_default", || {
        *out_ref(out_def, "out_def")? = SinewSkeletonDef {
            struct_size: size_of::<SinewSkeletonDef>() as u32,
            joint_count: 0,
            parents: core::ptr::null(),
            rest: core::ptr::null(),
            names: core::ptr::null(),
        };
        Ok(())
    })
}

/// Makes a skeleton. Everything is copied; rest rotations are normalised.
///
/// @param def           joints, parent before child; see SinewSkeletonDef.
/// @param out_skeleton  written on success; destroy with sinew_skeleton_destroy.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _INVALID_ARGUMENT (no joints, too many), _INVALID_PARENT,
///         _NOT_FINITE, _INVALID_ROTATION, _INVALID_TEXT, _TOO_MANY_OBJECTS. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_create(
    def: Option<&SinewSkeletonDef>,
    out_skeleton: Option<&mut SinewSkeleton>,
) -> SinewResult {
    guard("sinew_skeleton_create", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewSkeletonDef>())?;
        let out = out_ref(out_skeleton, "out_skeleton")?;
        let count = def.joint_count as usize;
        if count == 0 || count > Skeleton::MAX_JOINTS {
            return Err(Failure::new(
                SinewResult::SinewErrorInvalidArgument,
                format_args!("def.joint_count is {count}, not 1 to {}", Skeleton::MAX_JOINTS),
            ));
        }
        let parents = read::array("def.parents", def.parents, count)?;
        let rest = read::array("def.rest", def.rest, count)?;
        let mut joints = Vec::with_capacity(count);
        for index in 0..count {
            let parent = match parents[index] {
                -1 => None,
                p if p >= 0 && (p as usize) < index => Some(p as usize),
                p => {
                    return Err(Failure::new(
                        SinewResult::SinewErrorInvalidParent,
                        format_args!("def.parents[{index}] is {p}; it must be -1 or an index below {index}"),
                    ));
                }
            };
            let rest = read::transform(format_args!("def.rest[{index}]"), &rest[index])?;
            let name = read::optional_name(def.names, index)?;
            joints.push(JointDefinition { name, parent, rest });
        }
        let skeleton = Skeleton::new(joints)?;
        *out = registry::insert_skeleton(Arc::new(skeleton))?;
        Ok(())
    })
}

/// Destroys a skeleton. Avatars and animators made from it go on working.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_destroy(skeleton: SinewSkeleton) -> SinewResult {
    guard("sinew_skeleton_destroy", || registry::remove_skeleton(skeleton))
}

/// Tells whether a handle is a living skeleton.
///
/// @param out_valid  written: 1 or 0; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_is_valid(skeleton: SinewSkeleton, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_skeleton_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::skeleton(skeleton).is_ok() as u32;
        Ok(())
    })
}

/// Gives the number of joints.
///
/// @param out_count  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_get_joint_count(skeleton: SinewSkeleton, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_skeleton_get_joint_count", || {
        let out = out_ref(out_count, "out_count")?;
        *out = registry::skeleton(skeleton)?.joint_count() as u32;
        Ok(())
    })
}

/// Finds the first joint with a name.
///
/// @param name       UTF-8, zero-terminated, compared exactly; not NULL.
/// @param out_joint  written on success: its index; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _INVALID_TEXT, _JOINT_NOT_FOUND. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_find_joint(
    skeleton: SinewSkeleton,
    name: *const c_char,
    out_joint: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_find_joint", || {
        let out = out_ref(out_joint, "out_joint")?;
        let skeleton = registry::skeleton(skeleton)?;
        let name = read::text("name", name)?;
        *out = skeleton.find_joint(name).ok_or_else(|| {
            Failure::new(SinewResult::SinewErrorJointNotFound, format_args!("no joint is called \"{name}\""))
        })? as u32;
        Ok(())
    })
}

/// Gives the parent of a joint.
///
/// @param joint       0 … joint count − 1.
/// @param out_parent  written on success: index of the parent, or -1 for a root; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _OUT_OF_RANGE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_get_parent(
    skeleton: SinewSkeleton,
    joint: u32,
    out_parent: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_skeleton_get_parent", || {
        let out = out_ref(out_parent, "out_parent")?;
        let skeleton = registry::skeleton(skeleton)?;
        let joint = read::joint("joint", joint, skeleton.joint_count())?;
        *out = skeleton.parent(joint).map_or(-1, |p| p as i32);
        Ok(())
    })
}

/// Gives the rest transform of a joint in its parent.
///
/// @param joint     0 … joint count − 1.
/// @param out_rest  written on success; metres (rig's unit), unit quaternion; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _OUT_OF_RANGE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skeleton_get_rest(
    skeleton: SinewSkeleton,
    joint: u32,
    out_rest: Option<&mut SinewTransform>,
) -> SinewResult {
    guard("sinew_skeleton_get_rest", || {
        let out = out_ref(out_rest, "out_rest")?;
        let skeleton = registry::skeleton(skeleton)?;
        let joint = read::joint("joint", joint, skeleton.joint_count())?;
        *out = skeleton.rest_local()[joint].into();
        Ok(())
    })
}
