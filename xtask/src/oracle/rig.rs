//! A case as a C host has it: a skeleton with one joint per bone, after a base that stays where one
//! is needed, and with a tip joint at the tail of effector bones.

use super::format::{Case, Constraint, Dof};
use super::geometry::{Placement, Rotation, V3};
use super::kinematics::BonePose;
use crate::c_abi::{check, create_animator, create_skeleton_from, placed, point, quat, rotation, vec3};
use anyhow::{Result, ensure};
use sinew::ffi::*;

/// The skeleton of a case, and its pose before IK.
pub struct Rig {
    pub skeleton: SinewSkeleton,
    parents: Vec<i32>,
    rest: Vec<SinewTransform>,
    pub before: Vec<SinewTransform>,
    /// Joint of bone 0.
    first: usize,
    /// Tip joint of each bone that has one.
    tips: Vec<Option<usize>>,
}

impl Drop for Rig {
    fn drop(&mut self) {
        sinew_skeleton_destroy(self.skeleton);
    }
}

impl Rig {
    /// With a base above all bones, or without one.
    pub fn new(case: &Case, has_base: bool) -> Result<Self> {
        let first = usize::from(has_base);
        let (mut parents, mut rest, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |parent: Option<usize>, place: Placement, name: String| {
            parents.push(parent.map_or(-1, |parent| parent as i32));
            rest.push(placed(place));
            names.push(name);
            names.len() - 1
        };
        let at = |position: V3| Placement { position, rotation: Rotation::IDENTITY };
        if has_base {
            add(None, at(V3::ZERO), "base".into());
        }
        for bone in 0..case.bone_count() {
            let above = case.parent(bone).map(|parent| parent + first);
            add(above.or(has_base.then_some(0)), case.rest_local(bone), case.bones.name[bone].clone());
        }
        let mut tips = vec![None; case.bone_count()];
        for constraint in case.constraints.iter().filter(|c| c.use_tail && !has_base) {
            let bone = constraint.bone;
            if tips[bone].is_none() {
                let tail = at(V3([0.0, case.bones.length[bone], 0.0]));
                tips[bone] = Some(add(Some(bone + first), tail, format!("{} tip", case.bones.name[bone])));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let skeleton = create_skeleton_from(&parents, &rest, &names)?;
        let mut before = rest.clone();
        for (bone, local) in case.fk_rotations().into_iter().enumerate() {
            let turned = case.rest_local(bone).rotation * local;
            before[bone + first].rotation = quat(turned);
        }
        Ok(Self { skeleton, parents, rest, before, first, tips })
    }

    /// Joint of a bone.
    pub fn joint(&self, bone: usize) -> u32 {
        (bone + self.first) as u32
    }
    /// Joint that a constraint brings to its target.
    pub fn effector(&self, constraint: &Constraint) -> u32 {
        let tip = self.tips[constraint.bone].filter(|_| constraint.use_tail);
        tip.map_or(self.joint(constraint.bone), |tip| tip as u32)
    }

    /// What the library made of the pose, in the terms of the files: a joint further along its bone
    /// is a longer bone, a joint anywhere else is torn off.
    pub fn read(&self, case: &Case, solved: &[SinewTransform]) -> Result<BonePose> {
        let n = case.bone_count();
        let is_unscaled = |t: &SinewTransform| point(t.scale) == V3([1.0; 3]);
        ensure!(solved.len() == self.rest.len(), "{} joints came back of {}", solved.len(), self.rest.len());
        ensure!(solved.iter().all(is_unscaled), "the library scaled a joint");
        let local = |bone: usize| &solved[bone + self.first];
        let turned = |bone: usize| case.rest_local(bone).rotation.inverse() * rotation(local(bone).rotation);
        let mut pose = BonePose::rigid((0..n).map(turned).collect());
        let moved = |joint: usize| {
            let (from, to) = (point(self.rest[joint].position), point(solved[joint].position));
            (from != to).then_some((from, to))
        };
        for joint in 0..self.rest.len() {
            let bone_above =
                usize::try_from(self.parents[joint]).ok().and_then(|parent| parent.checked_sub(self.first));
            if let (Some(bone), Some((from, to))) = (bone_above, moved(joint)) {
                let factor = to.dot(from) / from.dot(from);
                if factor.is_finite() {
                    pose.scale[bone] = factor;
                }
            }
        }
        for bone in 0..n {
            if let Some((from, to)) = moved(bone + self.first) {
                let scale = case.parent(bone).map_or(1.0, |p| pose.scale[p]);
                pose.offset[bone] = case.rest_local(bone).rotation.inverse().rotate(to * (1.0 / scale) - from);
            }
        }
        Ok(pose)
    }
}

/// An animator on the rig of a case.
pub struct Host {
    pub rig: Rig,
    pub animator: SinewAnimator,
    buffer: *mut SinewTransform,
}

impl Drop for Host {
    fn drop(&mut self) {
        sinew_animator_destroy(self.animator);
    }
}

impl Host {
    pub fn new(case: &Case) -> Result<Self> {
        let rig = Rig::new(case, false)?;
        let animator = create_animator(rig.skeleton, SinewAvatar { bits: 0 })?;
        let mut host = Self { rig, animator, buffer: core::ptr::null_mut() };
        let found = sinew_animator_get_pose_buffer(animator, Some(&mut host.buffer), None);
        check(found, "sinew_animator_get_pose_buffer")?;
        Ok(host)
    }
    /// Solves from the pose before IK.
    pub fn solve(&mut self) -> Result<()> {
        let before = &self.rig.before;
        // SAFETY: the buffer has as many records as the skeleton has joints, while the animator
        // lives; no call uses it meanwhile.
        unsafe { core::ptr::copy_nonoverlapping(before.as_ptr(), self.buffer, before.len()) };
        check(sinew_animator_solve(self.animator), "sinew_animator_solve")
    }
    /// What it made of the pose.
    pub fn read(&self, case: &Case) -> Result<BonePose> {
        // SAFETY: as in `solve`.
        let solved = unsafe { core::slice::from_raw_parts(self.buffer, self.rig.before.len()) };
        self.rig.read(case, solved)
    }
}

/// The library's record of a joint. The reference bounds no stretch; factors of 0.02 … 50 stand for
/// that.
pub fn joint_limits(dof: &Dof, use_stretch: bool) -> Result<SinewJointLimits> {
    let mut limits = SinewJointLimits::default();
    check(sinew_joint_limits_default(Some(&mut limits)), "sinew_joint_limits_default")?;
    let locks = [SINEW_LIMIT_LOCK_X, SINEW_LIMIT_LOCK_Y, SINEW_LIMIT_LOCK_Z];
    let ranges = [SINEW_LIMIT_RANGE_X, SINEW_LIMIT_RANGE_Y, SINEW_LIMIT_RANGE_Z];
    for axis in 0..3 {
        if dof.lock[axis] {
            limits.flags |= locks[axis];
        }
        if dof.limit[axis] {
            limits.flags |= ranges[axis];
        }
    }
    (limits.min_rad, limits.max_rad) = (vec3(V3(dof.min)), vec3(V3(dof.max)));
    limits.stiffness = vec3(V3(dof.stiffness));
    if use_stretch && dof.stretch > 0.0 {
        (limits.stretch_min, limits.stretch_max) = (0.02, 50.0);
        limits.stretch_compliance = dof.stretch as f32;
    }
    Ok(limits)
}
