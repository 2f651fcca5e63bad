//! A character that a C host holds.

use super::subject::Subject;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Result, bail};
use sinew::ffi::*;
use sinew::math::Transform;
use sinew::skeleton::Skeleton;
use std::ffi::CString;

pub fn check(result: SinewResult, what: &str) -> Result<()> {
    if result != SinewResult::SinewOk {
        bail!("{what} gave {result:?}");
    }
    Ok(())
}

pub fn vec3(p: V3) -> SinewVec3 {
    SinewVec3 { x: p.0[0] as f32, y: p.0[1] as f32, z: p.0[2] as f32 }
}
pub fn quat(q: Rotation) -> SinewQuat {
    let [x, y, z, w] = q.0.map(|v| v as f32);
    SinewQuat { x, y, z, w }
}
pub fn transform(t: &Transform) -> SinewTransform {
    let [x, y, z, w] = t.rotation.to_array();
    let v = |v: sinew::math::Vec3| SinewVec3 { x: v.x, y: v.y, z: v.z };
    SinewTransform { position: v(t.position), rotation: SinewQuat { x, y, z, w }, scale: v(t.scale) }
}

/// Goals of a solve, by `SinewIkGoal`.
#[derive(Clone, Copy, Default)]
pub struct Goal {
    pub position: Option<V3>,
    /// Of the hand's or foot's joint.
    pub rotation: Option<Rotation>,
    pub hint: Option<V3>,
    pub weight: f64,
}

/// What is switched on.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    pub limits: bool,
    pub bend: f32,
    /// The limb of a path has a hint that stands still.
    pub hint: bool,
}

impl Setup {
    pub const FREE: Self = Self { limits: false, bend: 0.0, hint: false };
    pub const LIMITS: Self = Self { limits: true, ..Self::FREE };
    pub const HINT: Self = Self { hint: true, ..Self::FREE };
    /// What the tables distinguish.
    pub const ALL: [Self; 4] =
        [Self::FREE, Self { bend: 1.0, ..Self::FREE }, Self::LIMITS, Self { bend: 1.0, ..Self::LIMITS }];

    pub fn name(self) -> &'static str {
        match (self.limits, self.bend > 0.0) {
            _ if self.hint => "hint",
            (false, false) => "free",
            (false, true) => "bend",
            (true, false) => "limits",
            (true, true) => "limits, bend",
        }
    }
}

/// How a goal ended.
#[derive(Clone, Copy)]
pub struct Ended {
    pub reached: bool,
    pub unreachable: bool,
}

/// How looking ended.
#[derive(Clone, Copy)]
pub struct Looked {
    pub reached: bool,
    /// Reported to be left, degrees.
    pub residual_deg: f64,
}

/// Creates a skeleton.
pub fn create_skeleton(of: &Skeleton) -> Result<SinewSkeleton> {
    let parents: Vec<i32> = of.parents().iter().map(|p| p.map_or(-1, |p| p as i32)).collect();
    let rest: Vec<SinewTransform> = of.rest_local().iter().map(transform).collect();
    let names: Vec<CString> = of.names().iter().map(|n| CString::new(n.as_str()).unwrap_or_default()).collect();
    let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
    let mut def = SinewSkeletonDef {
        struct_size: 0,
        joint_count: 0,
        parents: core::ptr::null(),
        rest: core::ptr::null(),
        names: core::ptr::null(),
    };
    check(sinew_skeleton_def_default(Some(&mut def)), "sinew_skeleton_def_default")?;
    def.joint_count = parents.len() as u32;
    (def.parents, def.rest, def.names) = (parents.as_ptr(), rest.as_ptr(), names.as_ptr());
    let mut skeleton = SinewSkeleton { bits: 0 };
    // SAFETY: the arrays have `joint_count` entries and outlive the call.
    check(unsafe { sinew_skeleton_create(Some(&def), Some(&mut skeleton)) }, "sinew_skeleton_create")?;
    Ok(skeleton)
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

/// Creates the skeleton and the avatar of a subject; `options` changes the avatar's defaults.
pub fn create_avatar(
    subject: &Subject,
    options: impl FnOnce(&mut SinewAvatarDef),
) -> Result<(SinewSkeleton, SinewAvatar)> {
    let skeleton = create_skeleton(&subject.skeleton)?;
    // SAFETY: a plain struct of numbers and pointers, which the next call fills.
    let mut def: SinewAvatarDef = unsafe { core::mem::zeroed() };
    check(sinew_avatar_def_default(Some(&mut def)), "sinew_avatar_def_default")?;
    let human: Vec<i32> = subject.human.iter().map(|j| j.map_or(-1, |j| j as i32)).collect();
    (def.skeleton, def.human_joints) = (skeleton, human.as_ptr());
    (def.up, def.forward) = (vec3(subject.up), vec3(subject.forward));
    options(&mut def);
    let mut avatar = SinewAvatar { bits: 0 };
    // SAFETY: the table has an entry per human bone and outlives the call.
    check(unsafe { sinew_avatar_create(&def, Some(&mut avatar)) }, "sinew_avatar_create")?;
    Ok((skeleton, avatar))
}

/// One animator.
pub struct Host {
    skeleton: SinewSkeleton,
    avatar: SinewAvatar,
    animator: SinewAnimator,
    pub count: usize,
}

impl Host {
    /// Without stretch, so that bones keep their lengths.
    pub fn new(subject: &Subject, settings: &SinewHumanoidSettings) -> Result<Self> {
        let (skeleton, avatar) = create_avatar(subject, |def| (def.arm_stretch, def.leg_stretch) = (0.0, 0.0))?;
        let animator = create_animator(skeleton, avatar)?;
        // SAFETY: the settings are whole.
        check(unsafe { sinew_animator_set_settings(animator, settings) }, "sinew_animator_set_settings")?;
        Ok(Self { skeleton, avatar, animator, count: subject.parents.len() })
    }
    /// The default settings with or without human limits and people's bend of elbows and knees.
    pub fn settings(setup: Setup) -> Result<SinewHumanoidSettings> {
        // SAFETY: a plain struct of numbers, which the next call fills.
        let mut settings: SinewHumanoidSettings = unsafe { core::mem::zeroed() };
        check(sinew_humanoid_settings_default(Some(&mut settings)), "sinew_humanoid_settings_default")?;
        (settings.limits_enabled, settings.bend_weight) = (u32::from(setup.limits), setup.bend);
        Ok(settings)
    }
    pub fn set_pose(&self, to: &[Transform]) -> Result<()> {
        set_pose(self.animator, to)
    }
    pub fn set_goal(&self, goal: usize, to: &Goal) -> Result<()> {
        let (animator, id) = (self.animator, goal as i32);
        if let Some(p) = to.position {
            check(sinew_animator_set_ik_position(animator, id, Some(&vec3(p))), "set_ik_position")?;
        }
        check(
            sinew_animator_set_ik_position_weight(
                animator,
                id,
                if to.position.is_some() { to.weight as f32 } else { 0.0 },
            ),
            "set_ik_position_weight",
        )?;
        if let Some(q) = to.rotation {
            check(sinew_animator_set_ik_rotation_bone(animator, id, Some(&quat(q))), "set_ik_rotation_bone")?;
        }
        check(
            sinew_animator_set_ik_rotation_weight(
                animator,
                id,
                if to.rotation.is_some() { to.weight as f32 } else { 0.0 },
            ),
            "set_ik_rotation_weight",
        )?;
        if let Some(p) = to.hint {
            check(sinew_animator_set_ik_hint_position(animator, id, Some(&vec3(p))), "set_ik_hint_position")?;
        }
        check(
            sinew_animator_set_ik_hint_position_weight(animator, id, if to.hint.is_some() { 1.0 } else { 0.0 }),
            "set_ik_hint_position_weight",
        )
    }
    /// Sets the point to look at and the weights: global, body, head, eyes, clamp.
    pub fn look_at(&self, target: V3, [weight, body, head, eyes, clamp]: [f32; 5]) -> Result<()> {
        check(sinew_animator_set_look_at_position(self.animator, Some(&vec3(target))), "set_look_at_position")?;
        let result = sinew_animator_set_look_at_weight(self.animator, weight, body, head, eyes, clamp);
        check(result, "set_look_at_weight")
    }
    pub fn looked(&self) -> Result<Looked> {
        let mut out = SinewOutcome { status: 0, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };
        check(sinew_animator_get_look_at_outcome(self.animator, Some(&mut out)), "get_look_at_outcome")?;
        let reached = out.status == SinewStatus::Reached as i32;
        Ok(Looked { reached, residual_deg: f64::from(out.residual_rad).to_degrees() })
    }
    pub fn solve(&self) -> Result<()> {
        check(sinew_animator_solve(self.animator), "sinew_animator_solve")
    }
    pub fn pose(&self) -> Result<Vec<Transform>> {
        pose(self.animator, self.count)
    }
    pub fn ended(&self, goal: usize) -> Result<Ended> {
        let mut out = SinewOutcome { status: 0, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };
        check(sinew_animator_get_ik_outcome(self.animator, goal as i32, Some(&mut out)), "get_ik_outcome")?;
        let is = |status: SinewStatus| out.status == status as i32;
        Ok(Ended { reached: is(SinewStatus::Reached), unreachable: is(SinewStatus::Unreachable) })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let ended = [
            sinew_animator_destroy(self.animator),
            sinew_avatar_destroy(self.avatar),
            sinew_skeleton_destroy(self.skeleton),
        ];
        if ended.iter().any(|r| *r != SinewResult::SinewOk) {
            println!("a handle was not destroyed: {ended:?}");
        }
    }
}
