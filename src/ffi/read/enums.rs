//! Enums that arrive as integers.

use crate::animator::{AvatarTarget, ConstraintPlacement, FrameStep};
use crate::chains::ChainSolver;
use crate::chains::spline::CurveKind;
use crate::constraints::DistanceMode;
use crate::ffi::guard::Failure;
use crate::ffi::result::SinewResult;
use crate::ffi::types::{
    SinewAvatarTarget, SinewChainSolver, SinewConstraintPlacement, SinewCurve, SinewDistanceMode, SinewFrameStep,
    SinewPoseArrays, SinewPoseLayout,
};
use crate::humanoid::{HumanBone, IkGoal, IkHint};
use crate::world::PoseArrays;
use core::fmt::Display;
use safer_ffi::layout::{CLayoutOf, ReprC, from_raw};

/// An enum that arrived as an integer: safer-ffi's check, kept in release builds.
pub(in crate::ffi) fn decode<T: ReprC + Copy>(argument: impl Display, raw: i32) -> Result<T, Failure>
where
    CLayoutOf<T>: Copy,
{
    const { assert!(size_of::<CLayoutOf<T>>() == size_of::<i32>()) };
    // SAFETY: the C layout of a `repr(i32)` enum is an i32, any bits are valid for it; `from_raw`
    // checks them.
    let layout: CLayoutOf<T> = unsafe { core::mem::transmute_copy(&raw) };
    // SAFETY: `from_raw` returns None for an integer that is no variant.
    unsafe { from_raw::<T>(layout) }.ok_or_else(|| not_of_the_enum(argument, raw))
}

/// An enum of the core, which lists its values in the order of their numbers.
#[inline(always)]
fn listed<T: Copy>(argument: impl Display, raw: i32, values: &[T]) -> Result<T, Failure> {
    match usize::try_from(raw).ok().and_then(|index| values.get(index)) {
        Some(value) => Ok(*value),
        None => Err(not_of_the_enum(argument, raw)),
    }
}
#[cold]
#[inline(never)]
fn not_of_the_enum(argument: impl Display, raw: i32) -> Failure {
    Failure::new(
        SinewResult::SinewErrorInvalidEnum,
        format_args!("{argument} is {raw}, which is not a value of its enum"),
    )
}

/// A SinewIkGoal.
#[inline(always)]
pub(in crate::ffi) fn goal(raw: i32) -> Result<IkGoal, Failure> {
    listed("goal", raw, &IkGoal::ALL)
}
/// A SinewIkHint.
#[inline(always)]
pub(in crate::ffi) fn hint(raw: i32) -> Result<IkHint, Failure> {
    listed("hint", raw, &IkHint::ALL)
}
/// A SinewHumanBone.
#[inline(always)]
pub(in crate::ffi) fn bone(raw: i32) -> Result<HumanBone, Failure> {
    bone_of("bone", raw)
}
/// The same as a member.
#[inline(always)]
pub(in crate::ffi) fn bone_of(argument: impl Display, raw: i32) -> Result<HumanBone, Failure> {
    listed(argument, raw, &HumanBone::ALL)
}
/// A SinewAvatarTarget.
pub(in crate::ffi) fn avatar_target(argument: &str, raw: i32) -> Result<AvatarTarget, Failure> {
    Ok(AvatarTarget::ALL[decode::<SinewAvatarTarget>(argument, raw)? as usize])
}
/// A SinewChainSolver.
pub(in crate::ffi) fn solver(raw: i32) -> Result<ChainSolver, Failure> {
    Ok(ChainSolver::ALL[decode::<SinewChainSolver>("def.solver", raw)? as usize])
}
/// A SinewPoseLayout.
pub(in crate::ffi) fn pose_layout(argument: &str, raw: i32) -> Result<SinewPoseLayout, Failure> {
    decode::<SinewPoseLayout>(argument, raw)
}
/// A SinewPoseArrays.
pub(in crate::ffi) fn pose_arrays(raw: i32) -> Result<PoseArrays, Failure> {
    Ok(match decode::<SinewPoseArrays>("which", raw)? {
        SinewPoseArrays::None => PoseArrays::None,
        SinewPoseArrays::Locals => PoseArrays::Locals,
        SinewPoseArrays::LocalsAndFrames => PoseArrays::LocalsAndFrames,
    })
}
/// A SinewCurve.
pub(in crate::ffi) fn curve(raw: i32) -> Result<CurveKind, Failure> {
    Ok(match decode::<SinewCurve>("def.curve", raw)? {
        SinewCurve::CatmullRom => CurveKind::CatmullRom,
        SinewCurve::Bezier => CurveKind::Bezier,
    })
}
/// A SinewFrameStep.
pub(in crate::ffi) fn frame_step(raw: i32) -> Result<FrameStep, Failure> {
    Ok(FrameStep::ALL[decode::<SinewFrameStep>("step", raw)? as usize])
}
/// A SinewConstraintPlacement at a step.
pub(in crate::ffi) fn constraint_placement(raw: i32, step: FrameStep) -> Result<ConstraintPlacement, Failure> {
    Ok(match decode::<SinewConstraintPlacement>("placement", raw)? {
        SinewConstraintPlacement::Stack => ConstraintPlacement::Stack,
        SinewConstraintPlacement::Before => ConstraintPlacement::Before(step),
        SinewConstraintPlacement::After => ConstraintPlacement::After(step),
    })
}
/// A SinewDistanceMode; `None` for no sphere.
pub(in crate::ffi) fn distance_mode(argument: &str, raw: i32) -> Result<Option<DistanceMode>, Failure> {
    Ok(match decode::<SinewDistanceMode>(argument, raw)? {
        SinewDistanceMode::None => None,
        SinewDistanceMode::Inside => Some(DistanceMode::Inside),
        SinewDistanceMode::On => Some(DistanceMode::On),
        SinewDistanceMode::Outside => Some(DistanceMode::Outside),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_have_the_same_names_and_numbers_in_both_enums() {
        for (number, solver) in ChainSolver::ALL.into_iter().enumerate() {
            assert_eq!(solver as usize, number);
            let in_c = decode::<SinewChainSolver>("solver", number as i32).map(|found| format!("{found:?}"));
            assert_eq!(in_c.ok(), Some(format!("{solver:?}")));
        }
        assert!(decode::<SinewChainSolver>("solver", ChainSolver::ALL.len() as i32).is_err());
    }
}
