//! Skeleton functions.

use super::c_types::c_char;
use super::convert::joint_index;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::SinewSkeleton;
use super::result::SinewResult;
use super::types::{SinewSkeletonDef, SinewTransform};
use super::{read, registry, rooms};
use crate::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;

/// Fills a skeleton definition with defaults.
///
/// @param out_def  struct_size set, everything else zero.
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

/// Creates a skeleton. Rest rotations are normalised.
///
/// @param def           joints, parent before child.
/// @param out_skeleton  the skeleton; destroy it with sinew_skeleton_destroy.
/// @return SINEW_ERROR_INVALID_ARGUMENT: joint_count; SINEW_ERROR_INVALID_PARENT;
///         SINEW_ERROR_INVALID_TEXT: a name.
pub unsafe extern "C" fn sinew_skeleton_create(
    def: Option<&SinewSkeletonDef>,
    out_skeleton: Option<&mut SinewSkeleton>,
) -> SinewResult {
    guard("sinew_skeleton_create", || {
        let def = in_ref(def, "def")?;
        read::struct_size("def.struct_size", def.struct_size, size_of::<SinewSkeletonDef>())?;
        let out = out_ref(out_skeleton, "out_skeleton")?;
        let count = read::joint_count("def.joint_count", def.joint_count)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let parents = unsafe { read::array("def.parents", def.parents, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let rest = unsafe { read::array("def.rest", def.rest, count) }?;
        // SAFETY: required of the caller of the C function; see `read`.
        let _room = rooms::SKELETON.with(count, unsafe { read::bytes_of_names(def.names, count) })?;
        let mut joints = Vec::with_capacity(count);
        for index in 0..count {
            let parent = read::parent("def.parents", index, parents[index])?;
            let rest = read::transform(format_args!("def.rest[{index}]"), &rest[index])?;
            // SAFETY: required of the caller of the C function; see `read`.
            let name = unsafe { read::optional_name(def.names, index) }?;
            joints.push(JointDefinition { name, parent, rest });
        }
        let skeleton = Skeleton::new(joints)?;
        *out = registry::insert_skeleton(Arc::new(skeleton))?;
        Ok(())
    })
}

/// Destroys a skeleton. Avatars and animators created from it are not affected.
pub extern "C" fn sinew_skeleton_destroy(skeleton: SinewSkeleton) -> SinewResult {
    guard("sinew_skeleton_destroy", || registry::remove_skeleton(skeleton))
}

/// Reports whether a handle is a living skeleton.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_skeleton_is_valid(skeleton: SinewSkeleton, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_skeleton_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::skeleton(skeleton).is_ok() as u32;
        Ok(())
    })
}

/// Returns the number of joints.
///
/// @param out_count  1 … 65535.
pub extern "C" fn sinew_skeleton_get_joint_count(skeleton: SinewSkeleton, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_skeleton_get_joint_count", || {
        let out = out_ref(out_count, "out_count")?;
        *out = registry::skeleton(skeleton)?.joint_count() as u32;
        Ok(())
    })
}

/// Finds the first joint with a name.
///
/// @param name       UTF-8, zero-terminated, compared exactly.
/// @param out_joint  its index.
/// @return SINEW_ERROR_INVALID_TEXT: name; SINEW_ERROR_JOINT_NOT_FOUND.
pub unsafe extern "C" fn sinew_skeleton_find_joint(
    skeleton: SinewSkeleton,
    name: *const c_char,
    out_joint: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_find_joint", || {
        let out = out_ref(out_joint, "out_joint")?;
        let skeleton = registry::skeleton(skeleton)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let name = unsafe { read::text("name", name) }?;
        *out = skeleton.find_joint(name).ok_or_else(|| {
            Failure::new(SinewResult::SinewErrorJointNotFound, format_args!("name: no joint is called \"{name}\""))
        })? as u32;
        Ok(())
    })
}

/// Copies the name of a joint.
///
/// @param joint       0 … joint count − 1.
/// @param out_name    room for `capacity` bytes: UTF-8, zero-terminated; may be NULL when capacity
///                    is 0.
/// @param capacity    number of bytes there is room for, the terminating zero included.
/// @param out_length  bytes that the name needs, the zero included; also written with
///                    SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint; SINEW_ERROR_BUFFER_TOO_SMALL: out_name is not written.
pub unsafe extern "C" fn sinew_skeleton_get_joint_name(
    skeleton: SinewSkeleton,
    joint: u32,
    out_name: *mut c_char,
    capacity: u32,
    out_length: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_get_joint_name", || {
        let out_length = out_ref(out_length, "out_length")?;
        let skeleton = registry::skeleton(skeleton)?;
        let joint = read::joint("joint", joint, skeleton.joint_count())?;
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { read::write_text("out_name", skeleton.name(joint), out_name, capacity, out_length) }
    })
}

/// Returns the parent of a joint.
///
/// @param joint       0 … joint count − 1.
/// @param out_parent  index of the parent, or -1 for a root.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_skeleton_get_parent(
    skeleton: SinewSkeleton,
    joint: u32,
    out_parent: Option<&mut i32>,
) -> SinewResult {
    guard("sinew_skeleton_get_parent", || {
        let out = out_ref(out_parent, "out_parent")?;
        let skeleton = registry::skeleton(skeleton)?;
        let joint = read::joint("joint", joint, skeleton.joint_count())?;
        *out = joint_index(skeleton.parent(joint));
        Ok(())
    })
}

/// Returns the rest transform of a joint in its parent.
///
/// @param joint     0 … joint count − 1.
/// @param out_rest  metres (or the rig's unit), unit quaternion.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
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
