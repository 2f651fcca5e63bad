//! Matching: a body part to a target by moving the root, goals to the pose, and the pose to the goals.

use super::guard::{guard, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewQuat, SinewTransform, SinewVec3};
use super::{read, registry};
use crate::animator::{AvatarTarget, MatchTarget};
use crate::math::{Quat, Vec3};
use safer_ffi::prelude::*;

/// Which part of the body shall match; numbers are those of Unity's AvatarTarget.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewAvatarTarget {
    /// The root transform itself.
    Root = 0,
    /// Centre of mass and orientation of the body.
    Body = 1,
    /// Left ankle joint, Unity's goal frame.
    LeftFoot = 2,
    /// Right ankle joint, Unity's goal frame.
    RightFoot = 3,
    /// Left wrist joint, Unity's goal frame.
    LeftHand = 4,
    /// Right wrist joint, Unity's goal frame.
    RightHand = 5,
}
/// A [`SinewAvatarTarget`] as it arrives, checked before use.
pub type SinewAvatarTargetArg = i32;

const _: () = assert!(SinewAvatarTarget::RightHand as i32 == AvatarTarget::RightHand as i32);

/// What shall match, where, and when. Fill with sinew_match_target_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewMatchTarget {
    /// Size of this struct in bytes, set by sinew_match_target_default.
    pub struct_size: u32,
    /// A SinewAvatarTarget. Default: the root.
    pub part: i32,
    /// Where the part shall be, world space, metres. Default: the origin.
    pub position: SinewVec3,
    /// How it shall be turned, world space; hands and feet in Unity's goal frame. Default: the identity.
    pub rotation: SinewQuat,
    /// Weight of the position along each world axis, 0 … 1; values outside are limited to that range. Default 1, 1, 1.
    pub position_weight: SinewVec3,
    /// Weight of the rotation, 0 … 1; values outside are limited to that range. Default 1.
    pub rotation_weight: f32,
    /// Normalised time of the clip at which matching starts; above 1 counts loops. Default 0.
    pub start_time: f32,
    /// Normalised time at which the part is at the target. Default 1, as Unity's.
    pub end_time: f32,
}

fn default() -> SinewMatchTarget {
    SinewMatchTarget {
        struct_size: size_of::<SinewMatchTarget>() as u32,
        part: SinewAvatarTarget::Root as i32,
        position: SinewVec3::default(),
        rotation: Quat::IDENTITY.into(),
        position_weight: Vec3::ONE.into(),
        rotation_weight: 1.0,
        start_time: 0.0,
        end_time: 1.0,
    }
}

/// Fills a match target with its size and defaults: the root, at the origin, over the whole clip, weights 1.
///
/// @param out_target  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_match_target_default(out_target: Option<&mut SinewMatchTarget>) -> SinewResult {
    guard("sinew_match_target_default", || {
        *out_ref(out_target, "out_target")? = default();
        Ok(())
    })
}

/// Gives the root transform for the frame that goes from one normalised time of the clip to another (Unity: MatchTarget): the
/// part's distance from the target shrinks linearly in time, whatever the frame rate, and at end_time it is there. Nothing is
/// remembered and nothing changes; hand the result to sinew_animator_set_root. The root as it is comes back outside start_time
/// … end_time and for times that do not run forward.
///
/// @param target     see SinewMatchTarget; not NULL.
/// @param from_time  normalised time of the frame before.
/// @param to_time    normalised time of this frame.
/// @param out_root   written on success: world space, metres, the scale as it is; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _STRUCT_SIZE, _INVALID_HANDLE, _INVALID_ENUM (target.part), _NOT_FINITE and
///         _INVALID_ROTATION (target, or the pose buffer), _NOT_HUMANOID, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_match_target(
    animator: SinewAnimator,
    target: *const SinewMatchTarget,
    from_time: f32,
    to_time: f32,
    out_root: Option<&mut SinewTransform>,
) -> SinewResult {
    guard("sinew_animator_match_target", || {
        let given = read::sized("target", target, &[], default())?;
        let out = out_ref(out_root, "out_root")?;
        let target = MatchTarget {
            part: read::avatar_target("target.part", given.part)?,
            position_ws: read::vec3("target.position", &given.position)?,
            rotation_ws: read::quat("target.rotation", &given.rotation)?,
            position_weight: read::vec3("target.position_weight", &given.position_weight)?,
            rotation_weight: read::weight("target.rotation_weight", given.rotation_weight)?,
            start_time: read::weight("target.start_time", given.start_time)?,
            end_time: read::weight("target.end_time", given.end_time)?,
        };
        let from_time = read::weight("from_time", from_time)?;
        let to_time = read::weight("to_time", to_time)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            *out = character.animator.match_target(&target, from_time, to_time)?.into();
            Ok(())
        })
    })
}

/// Gives where a part of the body is, computed from the pose buffer and the root transform: what a target with these numbers
/// would leave alone.
///
/// @param part          a SinewAvatarTarget.
/// @param out_position  written on success: world space, metres; may be NULL.
/// @param out_rotation  written on success: world space; hands and feet in Unity's goal frame; may be NULL.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _INVALID_ENUM, _NOT_FINITE and _INVALID_ROTATION (in the pose buffer),
///         _NOT_HUMANOID, _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_get_target_pose(
    animator: SinewAnimator,
    part: SinewAvatarTargetArg,
    out_position: Option<&mut SinewVec3>,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_target_pose", || {
        let part = read::avatar_target("part", part)?;
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            let (position, rotation) = character.animator.target_pose(part)?;
            if let Some(out) = out_position {
                *out = position.into();
            }
            if let Some(out) = out_rotation {
                *out = rotation.into();
            }
            Ok(())
        })
    })
}

/// Sets every goal, hint and the look-at to where the pose buffer has them, so that weights raised afterwards change nothing.
/// Weights stay; body position and rotation and replaced bone rotations are taken back. Hints lie half a limb's length beyond
/// knee or elbow, the look-at two body scales ahead on the head's line of sight.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE and _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID,
///         _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_match_goals_from_pose(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_match_goals_from_pose", || {
        registry::with_animator(animator, |character| {
            character.load_pose()?;
            Ok(character.animator.match_goals_from_pose()?)
        })
    })
}

/// Solves, and lets the result stand as a pose of its own: all humanoid weights go to 0, body position and rotation and replaced
/// bone rotations are taken back, so the next solve leaves the pose buffer bit for bit. Goals and constraints stay as they are.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE and _INVALID_ROTATION (in the pose buffer), _NOT_HUMANOID,
///         _BUSY, _POISONED. One thread per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_animator_match_pose_from_goals(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_match_pose_from_goals", || {
        registry::with_animator(animator, |character| Ok(character.match_pose_from_goals()?))
    })
}
