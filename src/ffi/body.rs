//! Bodies: made, set up, destroyed.

use super::body_read as checked;
use super::guard::{Failure, guard, in_ref, optional_in, optional_out, out_ref};
use super::ids::{SinewAvatar, SinewBody, SinewSkeleton};
use super::joint_limits;
use super::registry::HostBody;
use super::result::SinewResult;
use super::types::{SinewBodySettings, SinewJointCoupling, SinewJointLimits, SinewTransform, SinewVec3};
use super::{read, registry, rooms};
use crate::body::{BodyMode, BodySettings, PlacedBody};
use crate::humanoid::Avatar;
use crate::limits::JointModel;

/// Fills settings with their size and defaults.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_body_settings_default(out_settings: Option<&mut SinewBodySettings>) -> SinewResult {
    guard("sinew_body_settings_default", || {
        *out_ref(out_settings, "out_settings")? = checked::settings_default();
        Ok(())
    })
}

fn take_settings(body: &mut PlacedBody, (settings, mode, floats): (BodySettings, BodyMode, bool)) {
    body.set_settings(settings);
    body.set_mode(mode);
    body.set_floating(floats);
}

/// Creates a body: any number of tasks on one skeleton, met in one solve. It belongs to
/// no animator; the host carries poses to it and results away. It has no tasks, limits
/// and masses.
///
/// @param skeleton    the rig; its handle may be destroyed afterwards.
/// @param root_joint  joint that carries the body, such as the hips; joints that are not
///                    below it stay.
/// @param settings    see SinewBodySettings; may be NULL: the defaults.
/// @param out_body    the body.
/// @return SINEW_ERROR_OUT_OF_RANGE: root_joint; SINEW_ERROR_INVALID_ARGUMENT: a setting
///         outside its range.
pub extern "C" fn sinew_body_create(
    skeleton: SinewSkeleton,
    root_joint: u32,
    settings: Option<&SinewBodySettings>,
    out_body: Option<&mut SinewBody>,
) -> SinewResult {
    guard("sinew_body_create", || {
        let settings = optional_in(settings, "settings")?;
        let out = out_ref(out_body, "out_body")?;
        let skeleton = registry::skeleton(skeleton)?;
        let root = read::joint("root_joint", root_joint, skeleton.joint_count())?;
        let _room = rooms::BODY.room(skeleton.joint_count())?;
        let mut body = PlacedBody::new(skeleton, root)?;
        if let Some(settings) = settings {
            take_settings(&mut body, checked::settings(settings)?);
        }
        *out = registry::insert_body(HostBody::new(body))?;
        Ok(())
    })
}

/// Destroys a body and its tasks.
///
/// @return SINEW_ERROR_BUSY: another thread is using it; nothing was done.
pub extern "C" fn sinew_body_destroy(body: SinewBody) -> SinewResult {
    guard("sinew_body_destroy", || registry::remove_body(body))
}

/// Reports whether a handle is a living body.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_body_is_valid(body: SinewBody, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_body_is_valid", || {
        *out_ref(out_valid, "out_valid")? = u32::from(registry::body_is_valid(body));
        Ok(())
    })
}

/// Sets the settings. Another mode forgets what track mode remembers. Allocates when the mode
/// becomes track mode, and when track_solver becomes another one than SINEW_TRACK_SOLVER_ADAPTIVE.
///
/// @param settings  see SinewBodySettings.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a setting outside its range;
///         SINEW_ERROR_INVALID_ENUM: mode, root, track_converge or track_solver.
pub extern "C" fn sinew_body_set_settings(body: SinewBody, settings: Option<&SinewBodySettings>) -> SinewResult {
    guard("sinew_body_set_settings", || {
        let settings = in_ref(settings, "settings")?;
        registry::with_body(body, |host| {
            let settings = checked::settings(settings)?;
            let begins = settings.1 == BodyMode::Track && host.body.mode() != BodyMode::Track;
            let needs_room = begins || host.body.lacks_room_for(&settings.0);
            let _room = if needs_room { Some(host.mode_room(settings.1)?) } else { None };
            take_settings(&mut host.body, settings);
            Ok(())
        })
    })
}

/// Returns the settings.
///
/// @param out_settings  the settings, struct_size included.
pub extern "C" fn sinew_body_get_settings(
    body: SinewBody,
    out_settings: Option<&mut SinewBodySettings>,
) -> SinewResult {
    guard("sinew_body_get_settings", || {
        let out = out_ref(out_settings, "out_settings")?;
        registry::with_body(body, |host| {
            *out = checked::settings_out(&host.body);
            Ok(())
        })
    })
}

/// Sets where the character's model space is in the world. Goals stay where they are in
/// the world.
///
/// @param root  the transform; its scale must have the same size above 0 on every axis, and may
///              mirror. Default: the identity.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the scale.
pub extern "C" fn sinew_body_set_root(body: SinewBody, root: Option<&SinewTransform>) -> SinewResult {
    guard("sinew_body_set_root", || {
        let root = read::transform("root", in_ref(root, "root")?)?;
        registry::with_body(body, |host| Ok(host.body.set_root(root)?))
    })
}

/// Returns where model space is in the world.
///
/// @param out_root  the transform.
pub extern "C" fn sinew_body_get_root(body: SinewBody, out_root: Option<&mut SinewTransform>) -> SinewResult {
    guard("sinew_body_get_root", || {
        let out = out_ref(out_root, "out_root")?;
        registry::with_body(body, |host| {
            *out = (*host.body.root()).into();
            Ok(())
        })
    })
}

/// Sets what a joint may do: range, locks, stiffness, stretch of the bone below it, slide. Of the
/// joint that carries the body only the stretch counts: it moves and turns as the tasks have it, or
/// with SINEW_BODY_ROOT_FIXED stays. Allocates.
///
/// @param joint   0 … joint count − 1.
/// @param limits  see SinewJointLimits; NULL clears them: the joint is free.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint; SINEW_ERROR_INVALID_ARGUMENT: as for
///         sinew_animator_set_joint_limits.
pub extern "C" fn sinew_body_set_joint_limits(
    body: SinewBody,
    joint: u32,
    limits: Option<&SinewJointLimits>,
) -> SinewResult {
    guard("sinew_body_set_joint_limits", || {
        let limits = optional_in(limits, "limits")?;
        let model = limits.map_or(Ok(JointModel::FREE), joint_limits::model_of)?;
        registry::with_body(body, |host| {
            let joint = read::joint("joint", joint, host.body.skeleton().joint_count())?;
            let _room = rooms::JOINT_LIMITS.room(host.body.skeleton().joint_count())?;
            Ok(host.body.set_joint_limits(joint, model)?)
        })
    })
}

/// Returns what a joint may do.
///
/// @param joint       0 … joint count − 1.
/// @param out_limits  the limits; the default ones when none are set.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_body_get_joint_limits(
    body: SinewBody,
    joint: u32,
    out_limits: Option<&mut SinewJointLimits>,
) -> SinewResult {
    guard("sinew_body_get_joint_limits", || {
        let out = out_ref(out_limits, "out_limits")?;
        registry::with_body(body, |host| {
            let joint = read::joint("joint", joint, host.body.skeleton().joint_count())?;
            *out = joint_limits::limits_of(host.body.joint_limits(joint)?);
            Ok(())
        })
    })
}

/// Fills a coupling with its size and defaults.
///
/// @param out_coupling  the coupling, struct_size included.
pub extern "C" fn sinew_joint_coupling_default(out_coupling: Option<&mut SinewJointCoupling>) -> SinewResult {
    guard("sinew_joint_coupling_default", || {
        *out_ref(out_coupling, "out_coupling")? = checked::coupling_out(None);
        Ok(())
    })
}

/// Sets how a joint follows another in every solve that either takes part in; it has no motion of
/// its own about any axis then. Limits of both hold: those of the joint that follows limit its
/// driver, too, where this is a hinge about the driver's axis or has a twist about it; elsewhere
/// the joint stays at its limit while the driver goes on. Allocates, and track mode starts anew.
///
/// @param joint     the joint that follows, 0 … joint count − 1.
/// @param coupling  see SinewJointCoupling; NULL, or a driver of -1: it turns freely.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint or driver; SINEW_ERROR_INVALID_ARGUMENT: a number
///         outside its range, one of the two is not below the body's root, the driver follows another
///         joint or is the joint itself, another joint follows the joint.
pub extern "C" fn sinew_body_set_joint_coupling(
    body: SinewBody,
    joint: u32,
    coupling: Option<&SinewJointCoupling>,
) -> SinewResult {
    guard("sinew_body_set_joint_coupling", || {
        let coupling = optional_in(coupling, "coupling")?;
        registry::with_body(body, |host| {
            let joints = host.body.skeleton().joint_count();
            let joint = read::joint("joint", joint, joints)?;
            let coupling = coupling.map_or(Ok(None), |given| checked::coupling(given, joints))?;
            let _room = host.task_room()?;
            Ok(host.body.set_joint_coupling(joint, coupling)?)
        })
    })
}

/// Returns how a joint follows another.
///
/// @param joint         0 … joint count − 1.
/// @param out_coupling  the coupling, struct_size included; its driver is -1 where the joint turns
///                      freely.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_body_get_joint_coupling(
    body: SinewBody,
    joint: u32,
    out_coupling: Option<&mut SinewJointCoupling>,
) -> SinewResult {
    guard("sinew_body_get_joint_coupling", || {
        let out = out_ref(out_coupling, "out_coupling")?;
        registry::with_body(body, |host| {
            let joint = read::joint("joint", joint, host.body.skeleton().joint_count())?;
            *out = checked::coupling_out(host.body.joint_coupling(joint)?);
            Ok(())
        })
    })
}

/// Sets the mass of a joint, for the centre of mass. While no joint has a mass tasks on it are
/// absent. In a body whose tasks all are on the centre of mass, it allocates, and track mode starts
/// anew, when the mass becomes 0 or ceases to be.
///
/// @param joint   0 … joint count − 1.
/// @param mass    any unit, 0 or more. Default 0.
/// @param center  centre of the mass in the joint's space, metres; may be NULL: the joint
///                itself.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint; SINEW_ERROR_INVALID_ARGUMENT: mass.
pub extern "C" fn sinew_body_set_mass(
    body: SinewBody,
    joint: u32,
    mass: f32,
    center: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_body_set_mass", || {
        let center = optional_in(center, "center")?;
        let mass = read::not_negative("mass", mass)?;
        let center_js = center.map_or(Ok(crate::math::Vec3::ZERO), |c| read::vec3("center", c))?;
        registry::with_body(body, |host| {
            let joint = read::joint("joint", joint, host.body.skeleton().joint_count())?;
            let _room = if host.body.moves_masses() { Some(host.task_room()?) } else { None };
            Ok(host.body.set_mass(joint, mass, center_js)?)
        })
    })
}

/// Returns the mass of a joint.
///
/// @param joint       0 … joint count − 1.
/// @param out_mass    its mass; may be NULL.
/// @param out_center  centre of the mass in the joint's space, metres; may be NULL.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_body_get_mass(
    body: SinewBody,
    joint: u32,
    out_mass: Option<&mut f32>,
    out_center: Option<&mut SinewVec3>,
) -> SinewResult {
    guard("sinew_body_get_mass", || {
        let out_mass = optional_out(out_mass, "out_mass")?;
        let out_center = optional_out(out_center, "out_center")?;
        registry::with_body(body, |host| {
            let joint = read::joint("joint", joint, host.body.skeleton().joint_count())?;
            let (mass, center_js) = host.body.mass(joint)?;
            if let Some(out) = out_mass {
                *out = mass;
            }
            if let Some(out) = out_center {
                *out = center_js.into();
            }
            Ok(())
        })
    })
}

/// Sets the masses of all joints to those of an average person, as the body position of
/// an animator has them. Joints that are no human bones get none. In a body whose tasks all are on
/// the centre of mass, it allocates, and track mode starts anew.
///
/// @param avatar  an avatar of the body's skeleton.
/// @return SINEW_ERROR_WRONG_SKELETON: the avatar is of another skeleton.
pub extern "C" fn sinew_body_set_human_masses(body: SinewBody, avatar: SinewAvatar) -> SinewResult {
    guard("sinew_body_set_human_masses", || {
        registry::with_body(body, |host| {
            let avatar = avatar_of(avatar, &host.body)?;
            let _room = if host.body.moves_masses() { Some(host.task_room()?) } else { None };
            for joint in 0..host.body.skeleton().joint_count() {
                host.body.set_mass(joint, 0.0, crate::math::Vec3::ZERO)?;
            }
            for (joint, center_js, share) in avatar.masses() {
                host.body.set_mass(joint, share, center_js)?;
            }
            Ok(())
        })
    })
}

/// Sets how many steps of work one solve in converge mode may take, as for
/// sinew_animator_set_max_work. When none are left, it ends with the best pose so far. Stays until
/// changed.
///
/// @param steps  clamped to SINEW_MAX_WORK, the default.
pub extern "C" fn sinew_body_set_max_work(body: SinewBody, steps: u32) -> SinewResult {
    guard("sinew_body_set_max_work", || {
        registry::with_body(body, |host| {
            host.body.set_max_work(steps);
            Ok(())
        })
    })
}

/// Returns how many steps of work a solve of a body may take.
///
/// @param out_steps  0 … SINEW_MAX_WORK.
pub extern "C" fn sinew_body_get_max_work(body: SinewBody, out_steps: Option<&mut u32>) -> SinewResult {
    guard("sinew_body_get_max_work", || {
        let out = out_ref(out_steps, "out_steps")?;
        registry::with_body(body, |host| {
            *out = host.body.max_work();
            Ok(())
        })
    })
}

/// An avatar of the body's skeleton.
fn avatar_of(avatar: SinewAvatar, body: &PlacedBody) -> Result<std::sync::Arc<Avatar>, Failure> {
    let avatar = registry::avatar(avatar)?;
    if std::sync::Arc::ptr_eq(avatar.skeleton(), body.skeleton()) {
        return Ok(avatar);
    }
    Err(Failure::new(SinewResult::SinewErrorWrongSkeleton, "avatar is of another skeleton than the body"))
}

/// Sets the human ranges of an avatar as limits of a body's joints: those of its definition,
/// else those of an average person. Limits of single joints come before them.
///
/// @param avatar  an avatar of the body's skeleton; the null handle: no ranges, as by default.
/// @return SINEW_ERROR_WRONG_SKELETON: the avatar is of another skeleton.
pub extern "C" fn sinew_body_set_human_ranges(body: SinewBody, avatar: SinewAvatar) -> SinewResult {
    guard("sinew_body_set_human_ranges", || {
        registry::with_body(body, |host| {
            let layer = match avatar.bits {
                0 => None,
                _ => Some(avatar_of(avatar, &host.body)?.human_limits().layer().clone()),
            };
            host.body.set_limit_layer(layer);
            Ok(())
        })
    })
}
