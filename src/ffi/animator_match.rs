//! Matching: a body part to a target by moving the root, goals to the pose, and the pose to the
//! goals.

use super::guard::{guard, optional_out, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewAvatarTarget, SinewAvatarTargetArg, SinewMatchTarget, SinewQuat, SinewTransform, SinewVec3};
use super::{read, registry};
use crate::animator::{AvatarTarget, MatchTarget};
use crate::math::{Quat, Vec3};

const _: () = assert!(SinewAvatarTarget::RightHand as i32 == AvatarTarget::RightHand as i32);

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

/// Fills a match target with defaults: the root, at the origin, over the whole clip, weights 1.
///
/// @param out_target  the target.
pub extern "C" fn sinew_match_target_default(out_target: Option<&mut SinewMatchTarget>) -> SinewResult {
    guard("sinew_match_target_default", || {
        *out_ref(out_target, "out_target")? = default();
        Ok(())
    })
}

/// Computes the root transform that matches a body part to a target over time (Unity: MatchTarget),
/// for the frame from one normalised clip time to another. The distance to the target shrinks
/// linearly in time at any frame rate and is 0 at end_time. Changes nothing: pass the result to
/// sinew_animator_set_root. Reads the pose buffer.
///
/// @param target     see SinewMatchTarget.
/// @param from_time  normalised time of the previous frame.
/// @param to_time    normalised time of this frame.
/// @param out_root   world space, metres, with the current scale; the current root outside
///                   start_time … end_time and for times that do not increase.
pub unsafe extern "C" fn sinew_animator_match_target(
    animator: SinewAnimator,
    target: *const SinewMatchTarget,
    from_time: f32,
    to_time: f32,
    out_root: Option<&mut SinewTransform>,
) -> SinewResult {
    guard("sinew_animator_match_target", || {
        // SAFETY: required of the caller of the C function; see `read`.
        let given = unsafe { read::sized("target", target, &[], default()) }?;
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
            character.check_pose()?;
            *out = character.animator.match_target(&target, from_time, to_time)?.into();
            Ok(())
        })
    })
}

/// Returns the position and rotation of a body part, as sinew_animator_match_target measures them.
/// Reads the pose buffer.
///
/// @param part          a SinewAvatarTarget.
/// @param out_position  world space, metres; may be NULL.
/// @param out_rotation  world space; hands and feet in Unity's goal frame; may be NULL.
pub extern "C" fn sinew_animator_get_target_pose(
    animator: SinewAnimator,
    part: SinewAvatarTargetArg,
    out_position: Option<&mut SinewVec3>,
    out_rotation: Option<&mut SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_get_target_pose", || {
        let out_position = optional_out(out_position, "out_position")?;
        let out_rotation = optional_out(out_rotation, "out_rotation")?;
        let part = read::avatar_target("part", part)?;
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            let (position, rotation) = character.animator.target_pose(part)?;
            read::computed("out_position", position)?;
            read::computed("out_rotation", rotation)?;
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

/// Sets all goals, hints and the look-at to the pose of the pose buffer, so that raising weights
/// afterwards changes nothing. Weights are kept; body goals and bone rotation overrides are
/// cleared. Hints are half a limb's length beyond knee or elbow, the look-at is two human scales
/// ahead on the line of sight. Reads the pose buffer.
pub extern "C" fn sinew_animator_match_goals_from_pose(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_match_goals_from_pose", || {
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            Ok(character.animator.match_goals_from_pose()?)
        })
    })
}

/// Solves and bakes the result: all humanoid weights become 0, those of effectors too, body goals
/// and bone rotation overrides are cleared, so that the next solve leaves the pose buffer as it is.
/// Goals, settings and constraints are kept: feet spacing, and the balance of the whole-body
/// solver, go on. Reads the pose buffer.
pub extern "C" fn sinew_animator_match_pose_from_goals(animator: SinewAnimator) -> SinewResult {
    guard("sinew_animator_match_pose_from_goals", || {
        registry::with_animator(animator, |character| Ok(character.match_pose_from_goals()?))
    })
}
