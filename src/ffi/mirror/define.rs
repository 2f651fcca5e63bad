//! Definitions of Rust objects as records of the C functions.

use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::{SinewAnimator, SinewAvatar, SinewConstraint, SinewSkeleton};
use super::super::result::SinewResult;
use super::super::types::*;
use super::super::{constraints, human_ranges};
use super::checked::checked;
use crate::chains::spline::CurveKind;
use crate::constraints::{ChainDefinition, ConstraintDefinition};
use crate::humanoid::{AvatarDefinition, HumanBone, HumanRangeSet};
use crate::math::Vec3;
use crate::skeleton::{JointIndex, Skeleton};
use std::ffi::CString;

/// What a function fills.
fn filled<T: Copy>(fill: impl FnOnce(Option<&mut T>) -> SinewResult) -> Result<T, Failure> {
    let mut value = core::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: records of numbers and addresses, for which zeros are valid.
    checked(fill(Some(unsafe { value.assume_init_mut() })))?;
    // SAFETY: as above.
    Ok(unsafe { value.assume_init() })
}

fn index(joint: Option<JointIndex>) -> i32 {
    joint.map_or(-1, |joint| joint as i32)
}

/// Creates a skeleton like this one.
pub fn skeleton(of: &Skeleton) -> Result<SinewSkeleton, Failure> {
    let parents: Vec<i32> = of.parents().iter().map(|parent| index(*parent)).collect();
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
pub fn avatar(skeleton: SinewSkeleton, of: &AvatarDefinition) -> Result<SinewAvatar, Failure> {
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
        ConstraintDefinition::Chain(of) => chain(animator, of, out),
        ConstraintDefinition::TwoBone(of) => {
            let mut def = filled(|out| sinew_two_bone_def_default(out))?;
            (def.end, def.mid, def.root) = (of.end as u32, index(of.mid), index(of.root));
            def.bend_side = of.bend_side_js.into();
            (def.softness, def.stretch) = (of.softness, of.stretch);
            sinew_animator_add_two_bone(animator, Some(&def), out)
        }
        ConstraintDefinition::CopyRotation(of) => {
            let mut def = filled(|out| sinew_copy_rotation_def_default(out))?;
            (def.joint, def.source) = (of.joint as u32, index(of.source));
            (def.offset, def.axis) = (of.offset.into(), of.axis_js.into());
            (def.swing, def.twist) = (of.swing, of.twist);
            sinew_animator_add_copy_rotation(animator, Some(&def), out)
        }
        ConstraintDefinition::Spline(of) => {
            let mut def = filled(|out| sinew_spline_def_default(out))?;
            (def.end, def.joint_count, def.point_count) = (of.end as u32, of.joint_count as u32, of.point_count as u32);
            def.curve = match of.curve {
                CurveKind::CatmullRom => SinewCurve::CatmullRom,
                CurveKind::Bezier => SinewCurve::Bezier,
            } as i32;
            def.flags = if of.start_on_curve { SINEW_SPLINE_START_ON_CURVE } else { 0 };
            (def.tip, def.stretch) = (of.tip_js.into(), of.stretch);
            [def.stretch_min, def.stretch_max] = of.stretch_bounds;
            (def.roll_start_rad, def.roll_end_rad) = (of.roll_start_rad, of.roll_end_rad);
            sinew_animator_add_spline(animator, Some(&def), out)
        }
        ConstraintDefinition::Aim(of) => {
            let mut def = filled(|out| sinew_aim_def_default(out))?;
            (def.end, def.joint_count) = (of.end as u32, of.joint_count as u32);
            (def.weights, def.weight_count) = (of.weights.as_ptr(), of.weights.len() as u32);
            (def.axis, def.offset, def.up) = (of.axis_js.into(), of.offset_js.into(), of.up_js.into());
            (def.clamp_rad, def.clamp_softness, def.behind_rad) = (of.clamp_rad, of.clamp_softness, of.behind_rad);
            // SAFETY: there are as many weights as stated.
            unsafe { sinew_animator_add_aim(animator, Some(&def), out) }
        }
    })?;
    Ok(made)
}

fn chain(animator: SinewAnimator, of: &ChainDefinition, out: Option<&mut SinewConstraint>) -> SinewResult {
    let ends: Vec<SinewChainEnd> =
        of.ends.iter().map(|end| SinewChainEnd { joint: end.joint as u32, tip: end.tip_js.into() }).collect();
    let s = &of.settings;
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    let def = SinewChainDef {
        ends: ends.as_ptr(),
        end_count: ends.len() as u32,
        spring_bias: of.spring_bias.as_ptr(),
        spring_bias_count: of.spring_bias.len() as u32,
        joint_count: of.joint_count as u32,
        solver: of.solver as i32,
        flags: flag(s.finish, SINEW_CHAIN_FINISH)
            | flag(s.use_stretch, SINEW_CHAIN_STRETCH)
            | flag(of.plane_axis_ms.is_some(), SINEW_CHAIN_PLANE),
        tolerance: s.tolerance,
        tolerance_rad: s.tolerance_rad,
        max_iterations: s.max_iterations,
        max_attempts: s.max_attempts,
        damping: s.damping,
        max_step_rad: s.max_step_rad,
        sweep_step_rad: s.sweep_step_rad,
        plane_axis: of.plane_axis_ms.unwrap_or(Vec3::ZERO).into(),
        ..constraints::default_chain()
    };
    // SAFETY: there are as many ends and biases as stated.
    unsafe { sinew_animator_add_chain(animator, Some(&def), out) }
}
