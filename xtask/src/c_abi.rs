//! What commands that judge the library from outside need of the C ABI: checks, numbers, and the
//! objects that several of them create.

use crate::oracle::geometry::{Placement, Rotation, V3};
use anyhow::{Context, Result, bail};
use sinew::ffi::*;
use sinew::math::Transform;
use sinew::skeleton::Skeleton;
use std::ffi::CString;

/// An error where a call was refused.
pub fn check(result: SinewResult, what: &str) -> Result<()> {
    if result != SinewResult::SinewOk {
        bail!("{what} gave {result:?}");
    }
    Ok(())
}

/// A record that a function of the header fills with its defaults.
///
/// # Safety
/// The record has numbers and pointers only: zeros are a value of it.
pub unsafe fn filled<T>(fill: impl FnOnce(Option<&mut T>) -> SinewResult, what: &str) -> Result<T> {
    // SAFETY: required of the caller.
    let mut record = unsafe { core::mem::zeroed() };
    check(fill(Some(&mut record)), what)?;
    Ok(record)
}

pub fn vec3(p: V3) -> SinewVec3 {
    let [x, y, z] = p.0.map(|v| v as f32);
    SinewVec3 { x, y, z }
}
pub fn quat(q: Rotation) -> SinewQuat {
    let [x, y, z, w] = q.0.map(|v| v as f32);
    SinewQuat { x, y, z, w }
}
/// Without scale.
pub fn placed(p: Placement) -> SinewTransform {
    SinewTransform { position: vec3(p.position), rotation: quat(p.rotation), scale: vec3(V3([1.0; 3])) }
}
pub fn point(p: SinewVec3) -> V3 {
    V3([p.x, p.y, p.z].map(f64::from))
}
pub fn rotation(q: SinewQuat) -> Rotation {
    Rotation::new([q.x, q.y, q.z, q.w].map(f64::from))
}
pub fn transform(t: &Transform) -> SinewTransform {
    let [x, y, z, w] = t.rotation.to_array();
    let v = |v: sinew::math::Vec3| SinewVec3 { x: v.x, y: v.y, z: v.z };
    SinewTransform { position: v(t.position), rotation: SinewQuat { x, y, z, w }, scale: v(t.scale) }
}

/// Creates a skeleton from its parents (-1: none), rest pose and names.
pub fn create_skeleton_from(parents: &[i32], rest: &[SinewTransform], names: &[&str]) -> Result<SinewSkeleton> {
    let names = names.iter().map(|n| CString::new(*n)).collect::<Result<Vec<_>, _>>().context("a joint's name")?;
    let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
    assert!(parents.len() == rest.len() && parents.len() == names.len(), "columns of different lengths");
    // SAFETY: numbers and pointers.
    let mut def: SinewSkeletonDef =
        unsafe { filled(|out| sinew_skeleton_def_default(out), "sinew_skeleton_def_default") }?;
    def.joint_count = parents.len() as u32;
    (def.parents, def.rest, def.names) = (parents.as_ptr(), rest.as_ptr(), names.as_ptr());
    let mut skeleton = SinewSkeleton { bits: 0 };
    // SAFETY: the arrays have `joint_count` entries and outlive the call.
    check(unsafe { sinew_skeleton_create(Some(&def), Some(&mut skeleton)) }, "sinew_skeleton_create")?;
    Ok(skeleton)
}

/// Creates a skeleton like one of the core's.
pub fn create_skeleton(of: &Skeleton) -> Result<SinewSkeleton> {
    let parents: Vec<i32> = of.parents().iter().map(|p| p.map_or(-1, |p| p as i32)).collect();
    let rest: Vec<SinewTransform> = of.rest_local().iter().map(transform).collect();
    let names: Vec<&str> = of.names().iter().map(String::as_str).collect();
    create_skeleton_from(&parents, &rest, &names)
}

/// Creates an animator; without an avatar that one is the null handle.
pub fn create_animator(skeleton: SinewSkeleton, avatar: SinewAvatar) -> Result<SinewAnimator> {
    let mut def = SinewAnimatorDef { struct_size: 0, flags: 0, skeleton, avatar };
    check(sinew_animator_def_default(Some(&mut def)), "sinew_animator_def_default")?;
    (def.skeleton, def.avatar) = (skeleton, avatar);
    let mut animator = SinewAnimator { bits: 0 };
    check(sinew_animator_create(Some(&def), Some(&mut animator)), "sinew_animator_create")?;
    Ok(animator)
}

/// Sets all joints.
pub fn set_pose(animator: SinewAnimator, pose: &[Transform]) -> Result<()> {
    let pose: Vec<SinewTransform> = pose.iter().map(transform).collect();
    // SAFETY: the array has as many entries as stated.
    check(unsafe { sinew_animator_set_pose(animator, pose.as_ptr(), pose.len() as u32) }, "set_pose")
}

/// All joints, of which there are `count`.
pub fn pose(animator: SinewAnimator, count: usize) -> Result<Vec<Transform>> {
    let mut pose = vec![transform(&Transform::IDENTITY); count];
    // SAFETY: the array has as many entries as stated.
    check(unsafe { sinew_animator_get_pose(animator, pose.as_mut_ptr(), pose.len() as u32) }, "get_pose")?;
    let v = |v: SinewVec3| sinew::math::Vec3::new(v.x, v.y, v.z);
    let to = |t: &SinewTransform| Transform {
        position: v(t.position),
        rotation: sinew::math::Quat::from_xyzw(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w),
        scale: v(t.scale),
    };
    Ok(pose.iter().map(to).collect())
}
