//! A character that a C host holds.

use super::subject::Subject;
use crate::c_abi::{check, create_animator, create_skeleton, filled, pose, quat, set_pose, vec3};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use sinew::ffi::*;
use sinew::math::Transform;

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

/// Creates the skeleton and the avatar of a subject; `options` changes the avatar's defaults.
pub fn create_avatar(
    subject: &Subject,
    options: impl FnOnce(&mut SinewAvatarDef),
) -> Result<(SinewSkeleton, SinewAvatar)> {
    let skeleton = create_skeleton(&subject.skeleton)?;
    // SAFETY: numbers and pointers.
    let mut def: SinewAvatarDef = unsafe { filled(|out| sinew_avatar_def_default(out), "sinew_avatar_def_default") }?;
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
        // SAFETY: numbers.
        let mut settings: SinewHumanoidSettings =
            unsafe { filled(|out| sinew_humanoid_settings_default(out), "sinew_humanoid_settings_default") }?;
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
