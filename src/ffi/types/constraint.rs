//! Definitions of constraints.

use super::math::{SinewQuat, SinewVec3};
use safer_ffi::prelude::*;

/// Methods to solve a chain. docs/constraints.md has when to use which.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewChainSolver {
    /// Recommended: a first aim at the goal, then damped least squares with adaptive damping, and
    /// restarts when joint limits or folds stop it.
    Default = 0,
    /// Damped least squares with fixed damping.
    DampedLeastSquares = 1,
    /// Jacobian transpose with the optimal step size.
    Transpose = 2,
    /// Pseudo-inverse: least squares with very little damping.
    PseudoInverse = 3,
    /// Selectively damped least squares.
    SelectivelyDamped = 4,
    /// FABRIK, with rotation goals met by the end joints; the branches of a tree meet at the mean
    /// of their solutions.
    Fabrik = 5,
    /// Cyclic coordinate descent; in a tree a joint turns as is best for all ends below it.
    Ccd = 6,
    /// All bends open and close together, in the proportions of the rest pose (and of
    /// `spring_bias`). Positions of unbranched chains only; the last joint meets rotation goals. A
    /// chain that is straight at rest has no proportions to follow: all its joints bend alike, and
    /// its pose may jump where goal or weight change.
    Spring = 7,
}
/// A [`SinewChainSolver`] as it arrives, checked before use.
pub type SinewChainSolverArg = i32;

/// Kinds of curve.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewCurve {
    /// Centripetal Catmull-Rom spline through all points; 2 points or more.
    CatmullRom = 0,
    /// Piecewise cubic Bezier: point, handle, handle, point, …; 3 k + 1 points.
    Bezier = 1,
}
/// A [`SinewCurve`] as it arrives, checked before use.
pub type SinewCurveArg = i32;

/// One end effector of a chain: a joint, and the point of it that has a goal.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewChainEnd {
    /// The joint.
    pub joint: u32,
    /// The effector point in the joint's space, metres (the tip of a weapon); zero is the joint.
    pub tip: SinewVec3,
}

/// Flag of SinewChainDef::flags: the default solver finishes what a named solver left short of its
/// goals. On by default.
pub const SINEW_CHAIN_FINISH: u32 = 1;
/// Flag of SinewChainDef::flags: bones may change length within the stretch of SinewJointLimits. On
/// by default.
pub const SINEW_CHAIN_STRETCH: u32 = 1 << 1;
/// Flag of SinewChainDef::flags: `plane_axis` is given. Off by default.
pub const SINEW_CHAIN_PLANE: u32 = 1 << 2;
/// Flag of SinewChainDef::flags: each solve starts at the last answer instead of the animation. A
/// chain with limits or branches then keeps its family of answers while that meets the goals (no
/// jumps), and where goals are not met a solve makes one attempt from another pose instead of up to
/// `max_attempts`, the next one in the next solve. What the goals leave free returns to the
/// animation by at most 0.1 rad a solve. sinew_animator_reset_state and a weight of 0 forget the
/// answer; snapshots have it. An unbranched chain without limits ignores the flag;
/// SINEW_CHAIN_SOLVER_SPRING shapes the pose of the animation and starts at the last answer only
/// where that misses the goals. Off by default: an answer depends on the animation and the input of
/// its frame alone.
pub const SINEW_CHAIN_WARM_START: u32 = 1 << 3;

/// Maximum number of ends of a chain.
pub const SINEW_CHAIN_MAX_ENDS: u32 = 16;

/// Input of sinew_animator_add_chain: a chain or tree of joints.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewChainDef {
    /// Set by sinew_chain_def_default.
    pub struct_size: u32,
    /// Number of entries in `ends`, 1 … SINEW_CHAIN_MAX_ENDS. One end: a chain; more: a tree.
    pub end_count: u32,
    /// The ends.
    pub ends: *const SinewChainEnd,
    /// For SINEW_CHAIN_SOLVER_SPRING: how readily each joint opens and closes, from the chain's
    /// root on, in joint order, 0 … 1e6: 1 normal, 2 twice as much, 0 keeps the bend of the rest
    /// pose; the first joint's entry is not used. NULL (default): all 1.
    pub spring_bias: *const f32,
    /// Number of entries in `spring_bias`: 0 (default) or the chain's number of joints.
    pub spring_bias_count: u32,
    /// Number of joints from the first end upwards, including the end. The last of them is the
    /// chain's root, above all ends. 0 (default): up to the skeleton's root.
    pub joint_count: u32,
    /// A SinewChainSolver. Default SINEW_CHAIN_SOLVER_DEFAULT.
    pub solver: i32,
    /// Bitwise OR of SINEW_CHAIN_FINISH, _STRETCH, _PLANE and _WARM_START. Default FINISH |
    /// STRETCH.
    pub flags: u32,
    /// Distance at which a position is reached, as a fraction of the chain's length, above 0.
    /// Default 1e-6; below 3e-7 rounding dominates.
    pub tolerance: f32,
    /// Angle at which a rotation is reached, radians, above 0. Default 1e-5.
    pub tolerance_rad: f32,
    /// Maximum iterations (or sweeps) per attempt, 1 … 100000. Default 200.
    pub max_iterations: u32,
    /// Maximum restarts of the default solver from other poses when joint limits or folds stop it
    /// short of a goal, 0 … 10000. Default 40. 0: only the given pose. Fewer where several in a row
    /// gain nothing.
    pub max_attempts: u32,
    /// Damping of the least-squares methods as a fraction of the mean eigenvalue, above 0. Default
    /// 1e-3. Small values converge fast and jump near singular poses; large values are slow and
    /// smooth. The default solver adapts it.
    pub damping: f32,
    /// Maximum turn of a joint in one iteration of the least-squares methods, radians, above 0.
    /// Default 0.6.
    pub max_step_rad: f32,
    /// Maximum turn of a joint in one sweep of FABRIK or CCD, radians, above 0. Default π: no cap.
    /// Smaller values spread a motion over more joints and take more sweeps.
    pub sweep_step_rad: f32,
    /// With SINEW_CHAIN_PLANE: the only axis that joints turn about (model space, rest pose, any
    /// length but zero); positions count only in the plane perpendicular to it.
    pub plane_axis: SinewVec3,
}

/// Input of sinew_animator_add_two_bone: a limb of two bones, solved in closed form.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneDef {
    /// Set by sinew_two_bone_def_default.
    pub struct_size: u32,
    /// The end joint (wrist, ankle). One in another branch than the limb (an IK bone) is moved to
    /// its goal by its local position; limits of the joints do not count for such a limb.
    pub end: u32,
    /// The joint that bends; -1 (default): the parent of `end`.
    pub mid: i32,
    /// The first joint (shoulder, hip); -1 (default): the parent of `mid`.
    pub root: i32,
    /// Direction in which a straight limb bends, in the root joint's space, any length. Zero
    /// (default): as in the rest pose. A limb that is straight at rest has no such direction:
    /// without a pole it bends to an arbitrary fixed side, often +X; see
    /// sinew_animator_get_constraint_bend_is_arbitrary.
    pub bend_side: SinewVec3,
    /// Width of the zone before full extension in which the limb slows down, as a fraction of its
    /// length, 0 … 1. Default 0: hard stop. Fades with the position weight.
    pub softness: f32,
    /// How much the limb may lengthen to reach its goal, as a fraction of its length, 0 … 1.
    /// Default 0.
    pub stretch: f32,
}

/// Input of sinew_animator_add_copy_rotation: a joint that follows a rotation goal or another
/// joint.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewCopyRotationDef {
    /// Set by sinew_copy_rotation_def_default.
    pub struct_size: u32,
    /// The joint that turns.
    pub joint: u32,
    /// The joint whose rotation is copied while no rotation goal is set; -1 (default): goals only.
    pub source: i32,
    /// Offset in the copied frame: `joint = copied · offset`. Default: the identity.
    pub offset: SinewQuat,
    /// The bone's axis in the joint's space, any length but zero. Default +Y. Splits the copied
    /// rotation into swing and twist.
    pub axis: SinewVec3,
    /// Fraction of the swing that is copied, 0 … 1. Default 1.
    pub swing: f32,
    /// Fraction of the twist about the axis that is copied, 0 … 1. Default 1.
    pub twist: f32,
}

/// Input of sinew_animator_add_aim: joints that turn a ray towards a target (a head on its neck, a
/// rifle on a spine, a turret on its base).
///
/// The target is the position goal of the only end. With a pole, `up` faces the pole.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAimDef {
    /// Set by sinew_aim_def_default.
    pub struct_size: u32,
    /// The last joint; the ray is fixed to it.
    pub end: u32,
    /// Share of each joint in the turn, 0 or more, from the first joint to `end`. NULL (default):
    /// equal shares with sum 1. Sums above 1 are scaled to 1; with a sum below 1 the ray goes that
    /// part of the way.
    pub weights: *const f32,
    /// Number of entries in `weights`: 0 (default) or the number of joints.
    pub weight_count: u32,
    /// Number of joints from `end` upwards, including `end`. Default 1. 0: up to the skeleton's
    /// root.
    pub joint_count: u32,
    /// Direction of the ray in the space of `end`, any length but zero. Default +Z.
    pub axis: SinewVec3,
    /// Start of the ray in the space of `end`, metres. Default zero: the joint.
    pub offset: SinewVec3,
    /// Direction that faces the pole, in the space of `end`, any length but zero. Default +Y.
    pub up: SinewVec3,
    /// Half angle of the cone around the animated ray that the ray stays in, radians, 0 … π.
    /// Default π: no cone.
    pub clamp_rad: f32,
    /// Fraction of `clamp_rad` over which the ray slows down before the edge of the cone, 0 … 1.
    /// Default 0.1. 0: hard stop.
    pub clamp_softness: f32,
    /// Angle before exactly behind over which the turn fades out, radians, 0 … π. Default 20°. 0:
    /// no fade; the ray jumps to the other side when the target passes behind.
    pub behind_rad: f32,
}

/// Maximum number of control points of a spline.
pub const SINEW_SPLINE_MAX_POINTS: u32 = 256;
/// Flag of SinewSplineDef::flags: the first joint moves to the first control point. On by default.
/// Off: the first joint stays where it is, and is the first control point.
pub const SINEW_SPLINE_START_ON_CURVE: u32 = 1;

/// Input of sinew_animator_add_spline: a chain that follows a curve (a rope, a spine, a tentacle).
///
/// The ends are the control points: the position goal of end i is control point i; without a goal
/// the point stays on the animated chain. The rotation goals of the first and the last end set the
/// roll of the first and the last joint.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewSplineDef {
    /// Set by sinew_spline_def_default.
    pub struct_size: u32,
    /// The last joint.
    pub end: u32,
    /// Number of joints from `end` upwards, including `end`; 0 (default): up to the skeleton's
    /// root.
    pub joint_count: u32,
    /// Number of control points, 2 … SINEW_SPLINE_MAX_POINTS; for Bezier curves 3 k + 1. Default 4.
    pub point_count: u32,
    /// A SinewCurve. Default SINEW_CURVE_CATMULL_ROM.
    pub curve: i32,
    /// SINEW_SPLINE_START_ON_CURVE (default) or 0.
    pub flags: u32,
    /// A point fixed to the last joint, in its space, metres, that is also kept on the curve. Zero
    /// (default): the chain ends at the joint.
    pub tip: SinewVec3,
    /// How far bones change length so that the chain ends where the curve ends, 0 (default: not at
    /// all) … 1, within the two bounds below.
    pub stretch: f32,
    /// Minimum factor on the bone lengths, 0 … 1. Default 0.1.
    pub stretch_min: f32,
    /// Maximum factor on the bone lengths, 1 … 1000. Default 10.
    pub stretch_max: f32,
    /// Roll about the bone at the first joint, added to the animation's, radians, seen from the
    /// space of the chain's parent. Default 0. May be many turns.
    pub roll_start_rad: f32,
    /// The same at the last joint; between the two, roll grows with length along the chain.
    pub roll_end_rad: f32,
}
