//! Definitions of Rust objects as records of the C functions.

use super::super::convert::joint_index;
use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::{SinewAnimator, SinewAvatar, SinewConstraint, SinewSkeleton};
use super::super::result::SinewResult;
use super::super::types::*;
use super::super::{constraints, human_ranges, registry};
use super::checked::checked;
use crate::constraints::ConstraintDefinition;
use crate::humanoid::{AvatarDefinition, HumanBone, HumanRangeSet};
use crate::math::Vec3;
use crate::skeleton::Skeleton;
use std::ffi::CString;

/// What a function fills.
fn filled<T: Copy>(fill: impl FnOnce(Option<&mut T>) -> SinewResult) -> Result<T, Failure> {
    let mut value = core::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: records of numbers and addresses, for which zeros are valid.
    checked(fill(Some(unsafe { value.assume_init_mut() })))?;
    // SAFETY: as above.
    Ok(unsafe { value.assume_init() })
}

/// The skeleton of a mirror, and its avatar; the null handle: none.
#[derive(Debug)]
pub struct Rig {
    pub skeleton: SinewSkeleton,
    pub avatar: SinewAvatar,
}

impl Rig {
    /// Creates a skeleton like this one, and an avatar of it by a definition.
    pub fn new(of: &Skeleton, definition: Option<&AvatarDefinition>) -> Result<Self, Failure> {
        let mut rig = Self { skeleton: skeleton(of)?, avatar: SinewAvatar { bits: 0 } };
        if let Some(definition) = definition {
            rig.avatar = avatar(rig.skeleton, definition)?;
        }
        Ok(rig)
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // Not logged: the recording may be another one by now. What was not created is refused.
        let _ = registry::remove_avatar(self.avatar);
        let _ = registry::remove_skeleton(self.skeleton);
    }
}

/// Creates a skeleton like this one.
fn skeleton(of: &Skeleton) -> Result<SinewSkeleton, Failure> {
    let parents: Vec<i32> = of.parents().iter().map(|parent| joint_index(*parent)).collect();
    let rest: Vec<SinewTransform> = of.rest_local().iter().map(|transform| (*transform).into()).collect();
    let text = |name: &String| CString::new(name.replace('\0', "")).unwrap_or_default();
    let texts: Vec<CString> = of.names().iter().map(text).collect();
    let names: Vec<_> = texts.iter().map(|name| name.as_ptr()).collect();
    let mut def = filled(|out| sinew_skeleton_def_default(out))?;
    def.joint_count = parents.len() as u32;
    (def.parents, def.rest, def.names) = (parents.as_ptr(), rest.as_ptr(), names.as_ptr());
    let mut made = SinewSkeleton { bits: 0 };
    // SAFETY: the arrays have as many entries as there are joints, and live until the call returns.
    checked(unsafe { sinew_skeleton_create(Some(&def), Some(&mut made)) })?;
    Ok(made)
}

/// Creates an avatar by a definition.
fn avatar(skeleton: SinewSkeleton, of: &AvatarDefinition) -> Result<SinewAvatar, Failure> {
    let mut joints = [-1_i32; HumanBone::COUNT];
    of.map.iter().for_each(|(bone, joint)| joints[bone.index()] = joint as i32);
    let t_pose: Option<Vec<SinewTransform>> =
        of.t_pose.as_ref().map(|pose| pose.iter().map(|transform| (*transform).into()).collect());
    let ranges: Vec<_> =
        of.human_ranges.iter().map(|(bone, range)| human_ranges::record(*bone, Some(*range))).collect();
    let mut def = filled(|out| sinew_avatar_def_default(out))?;
    def.skeleton = skeleton;
    def.human_joints = joints.as_ptr();
    def.t_pose = t_pose.as_ref().map_or(core::ptr::null(), |pose| pose.as_ptr());
    def.up = of.up.unwrap_or(Vec3::ZERO).into();
    def.forward = of.forward.unwrap_or(Vec3::ZERO).into();
    (def.arm_stretch, def.leg_stretch, def.feet_spacing) = (of.arm_stretch, of.leg_stretch, of.feet_spacing);
    (def.upper_arm_twist, def.lower_arm_twist) = (of.upper_arm_twist, of.lower_arm_twist);
    (def.upper_leg_twist, def.lower_leg_twist) = (of.upper_leg_twist, of.lower_leg_twist);
    (def.human_range_count, def.human_ranges) = (ranges.len() as u32, ranges.as_ptr());
    def.human_range_set = match of.human_range_set {
        HumanRangeSet::Measured => SINEW_HUMAN_RANGES_MEASURED,
        HumanRangeSet::Muscles => SINEW_HUMAN_RANGES_MUSCLES,
    };
    let mut made = SinewAvatar { bits: 0 };
    // SAFETY: the arrays have the lengths that they must have, and live until the call returns.
    checked(unsafe { sinew_avatar_create(&raw const def, Some(&mut made)) })?;
    Ok(made)
}

/// Creates an animator; without an avatar that one is the null handle.
pub fn animator(skeleton: SinewSkeleton, avatar: SinewAvatar) -> Result<SinewAnimator, Failure> {
    let mut def = filled(|out| sinew_animator_def_default(out))?;
    (def.skeleton, def.avatar) = (skeleton, avatar);
    let mut made = SinewAnimator { bits: 0 };
    checked(sinew_animator_create(Some(&def), Some(&mut made)))?;
    Ok(made)
}

/// Adds a constraint by a definition.
pub fn constraint(animator: SinewAnimator, of: &ConstraintDefinition) -> Result<SinewConstraint, Failure> {
    let mut made = SinewConstraint { bits: 0 };
    let out = Some(&mut made);
    checked(match of {
        ConstraintDefinition::Chain(of) => {
            let ends = constraints::end_records(of);
            let def = constraints::chain_record(of, &ends);
            // SAFETY: the arrays have as many entries as stated, and live until the call returns.
            unsafe { sinew_animator_add_chain(animator, Some(&def), out) }
        }
        ConstraintDefinition::TwoBone(of) => sinew_animator_add_two_bone(animator, Some(&of.into()), out),
        ConstraintDefinition::CopyRotation(of) => sinew_animator_add_copy_rotation(animator, Some(&of.into()), out),
        ConstraintDefinition::Spline(of) => sinew_animator_add_spline(animator, Some(&of.into()), out),
        // SAFETY: there are as many weights as stated.
        ConstraintDefinition::Aim(of) => unsafe { sinew_animator_add_aim(animator, Some(&of.into()), out) },
    })?;
    Ok(made)
}
