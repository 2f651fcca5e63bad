//! Readers of single arguments for `accessors!`: name and raw value in, checked value out.

use super::guard::{Failure, in_ref};
use super::read;
use super::types::{SinewQuat, SinewVec3};
use crate::humanoid::{HumanBone, IkGoal, IkHint};
use crate::math::{Quat, Vec3};

#[inline(always)]
pub(super) fn goal(_: &str, raw: i32) -> Result<IkGoal, Failure> {
    read::goal(raw)
}
#[inline(always)]
pub(super) fn hint(_: &str, raw: i32) -> Result<IkHint, Failure> {
    read::hint(raw)
}
#[inline(always)]
pub(super) fn bone(_: &str, raw: i32) -> Result<HumanBone, Failure> {
    read::bone(raw)
}
#[inline(always)]
pub(super) fn number(name: &str, value: f32) -> Result<f32, Failure> {
    read::weight(name, value)
}
#[inline(always)]
pub(super) fn vec3(name: &str, value: Option<&SinewVec3>) -> Result<Vec3, Failure> {
    read::vec3(name, in_ref(value, name)?)
}
#[inline(always)]
pub(super) fn quat(name: &str, value: Option<&SinewQuat>) -> Result<Quat, Failure> {
    read::quat(name, in_ref(value, name)?)
}
