//! Limits of one joint.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Flag of SinewJointLimits::flags: no turn about X of limit space.
pub const SINEW_LIMIT_LOCK_X: u32 = 1;
/// Flag of SinewJointLimits::flags: no turn about Y of limit space.
pub const SINEW_LIMIT_LOCK_Y: u32 = 1 << 1;
/// Flag of SinewJointLimits::flags: no turn about Z of limit space.
pub const SINEW_LIMIT_LOCK_Z: u32 = 1 << 2;
/// Flag of SinewJointLimits::flags: the turn about X is limited to min_rad.x … max_rad.x.
pub const SINEW_LIMIT_RANGE_X: u32 = 1 << 3;
/// Flag of SinewJointLimits::flags: the turn about Y is limited to min_rad.y … max_rad.y.
pub const SINEW_LIMIT_RANGE_Y: u32 = 1 << 4;
/// Flag of SinewJointLimits::flags: the turn about Z is limited to min_rad.z … max_rad.z.
pub const SINEW_LIMIT_RANGE_Z: u32 = 1 << 5;
/// Flag of SinewJointLimits::flags: three turns, X, Z, Y, with a range each; no swing and twist. A
/// range about Z, the middle one, beyond −π/2 … π/2 is refused.
pub const SINEW_LIMIT_ANGLES: u32 = 1 << 6;

/// Maximum number of corners of SinewJointLimits::corners.
pub const SINEW_LIMIT_MAX_CORNERS: u32 = 8;

/// Limits of one joint, measured from the skeleton's rest pose. Fill it with
/// sinew_joint_limits_default first.
///
/// Locks and ranges per axis of limit space define the kind of joint. No lock: a ball joint with
/// separate limits for swing (X and Z together) and twist (Y, the bone's axis); ranges on both X
/// and Z make an ellipse of four quarters, a cone when all four angles are equal. Y locked: swing
/// without twist. X or Z locked: a universal joint, bend first, then twist. Two axes locked: a
/// hinge. Three: fixed at the rest rotation. Where both X and Z may swing, their ranges are widened
/// to include 0, the rest direction.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewJointLimits {
    /// Set by sinew_joint_limits_default.
    pub struct_size: u32,
    /// Bitwise OR of SINEW_LIMIT_LOCK_…, SINEW_LIMIT_RANGE_… and SINEW_LIMIT_ANGLES. Default 0:
    /// free.
    pub flags: u32,
    /// Limit space in the joint's space: limit +Y is the twist axis. Default: the identity (bones
    /// along +Y).
    pub frame: SinewQuat,
    /// Minimum angles about X, Y, Z of limit space, radians, −π … π; used for axes with a range.
    /// Angles between a half and a full turn are clamped to a half; angles beyond a full turn are
    /// refused, since they are most likely degrees. Z with SINEW_LIMIT_ANGLES: −π/2 … π/2.
    pub min_rad: SinewVec3,
    /// Maximum angles, not below the minimum ones.
    pub max_rad: SinewVec3,
    /// Resistance to turning about X, Y, Z of limit space, 0 … 1. Default 0. The joint's share of a
    /// motion is proportional to 1 − stiffness. It shapes poses and never keeps a goal from being
    /// reached.
    pub stiffness: SinewVec3,
    /// Width of the soft zone before a limit in which the joint resists, radians, 0 … π. Default 0:
    /// hard limits. The limit itself can be reached.
    pub soft_rad: f32,
    /// Axis in limit space about which the joint bends (by a positive angle) when a straight chain
    /// has to fold. Zero (default): none preferred.
    pub preferred_bend: SinewVec3,
    /// Minimum length of the bones below the joint, as a factor, 0 … 1. Default 1: they never
    /// shorten.
    pub stretch_min: f32,
    /// Maximum length as a factor, 1 … 1000. Default 1: they never lengthen.
    pub stretch_max: f32,
    /// Share of these bones in a change of length relative to other bones, 0 … 1. Default 0: none.
    pub stretch_compliance: f32,
    /// Number of entries in `corners` that count: 0 (default) or 3 … SINEW_LIMIT_MAX_CORNERS. With
    /// corners, the bone's axis stays inside a convex polygon on the sphere, in place of ranges
    /// about X and Z; neither of those may then be locked or limited.
    pub corner_count: u32,
    /// Corners of the polygon: directions in limit space, any length but zero, in order around +Y,
    /// which is inside; the polygon spans less than half the sphere.
    pub corners: [SinewVec3; 8],
    /// Axis along which the joint itself slides, carried by its parent: the joint's space at rest,
    /// any length but zero. Default +Y. For bodies; constraints and limbs leave the joint where it
    /// is.
    pub slide_axis: SinewVec3,
    /// Least way along the axis from the rest position, units of the parent's space (metres), −1e6
    /// … 1e6. Default 0.
    pub slide_min: f32,
    /// Greatest way, −1e6 … 1e6, not below the least. Default 0, as the least: the joint does not
    /// slide.
    pub slide_max: f32,
    /// Readiness to slide beside turns of joints: radians² of turn that cost as much as a metre², 0
    /// … 1e6. Default 0.25.
    pub slide_mobility: f32,
}
