//! The structs and enums of constraints and joint limits.

use safer_ffi::prelude::*;

use super::types::{SinewQuat, SinewVec3};

/// The methods a chain can be solved with. docs/constraints.md says when to use which.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewChainSolver {
    /// The one to use: aims, then damped least squares with adapted damping, other attempts when stopped short.
    Default = 0,
    /// Damped least squares with fixed damping.
    DampedLeastSquares = 1,
    /// Jacobian transpose with the optimal step.
    Transpose = 2,
    /// Pseudo-inverse: least squares with hardly any damping.
    PseudoInverse = 3,
    /// Selectively damped least squares.
    SelectivelyDamped = 4,
    /// Forward and backward reaching, rotation goals by the ends' own joints; trees meet in the middle of what their branches ask for.
    Fabrik = 5,
    /// Cyclic coordinate descent; in a tree a joint turns as is best for all ends it carries.
    Ccd = 6,
    /// All bends open and close together, in the proportions of the rest pose (and of `spring_bias`); positions of unbranched
    /// chains, rotation goals by the last joint.
    Spring = 7,
}
/// A [`SinewChainSolver`] as it arrives, checked before use.
pub type SinewChainSolverArg = i32;

/// What a position goal means: the place to be, or the centre of a sphere.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewDistanceMode {
    /// No sphere: the tip shall be at the position. The radius does not matter.
    None = 0,
    /// Not farther from the position than the radius.
    Inside = 1,
    /// At the radius.
    On = 2,
    /// Not nearer to the position than the radius.
    Outside = 3,
}
/// A [`SinewDistanceMode`] as it arrives, checked before use.
pub type SinewDistanceModeArg = i32;

/// How control points make a curve.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewCurve {
    /// Through all points, 2 or more; centripetal.
    CatmullRom = 0,
    /// Piecewise cubic: point, handle, handle, point, …; 3 k + 1 points.
    Bezier = 1,
}
/// A [`SinewCurve`] as it arrives, checked before use.
pub type SinewCurveArg = i32;

/// One end of a chain: a joint, and the point of it that has a goal.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewChainEnd {
    /// The joint.
    pub joint: u32,
    /// The point that shall be at the goal, in the joint's own space, metres (a weapon's tip); zero is the joint itself.
    pub tip: SinewVec3,
}

/// Bit in SinewChainDef::flags: a named solver that stops short of its goals hands over to the default one. On by default.
pub const SINEW_CHAIN_FINISH: u32 = 1;
/// Bit in SinewChainDef::flags: bones may change length within their joint limits' stretch. On by default.
pub const SINEW_CHAIN_STRETCH: u32 = 1 << 1;
/// Bit in SinewChainDef::flags: `plane_axis` is given. Off by default.
pub const SINEW_CHAIN_PLANE: u32 = 1 << 2;

/// Most ends a chain may have.
pub const SINEW_CHAIN_MAX_ENDS: u32 = 16;

/// A chain or tree of joints to be added to an animator. Fill with sinew_chain_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewChainDef {
    /// Size of this struct in bytes, set by sinew_chain_def_default.
    pub struct_size: u32,
    /// Number of entries in `ends`, 1 … SINEW_CHAIN_MAX_ENDS. With one end the chain is a line of joints, with more a tree.
    pub end_count: u32,
    /// The ends. Copied.
    pub ends: *const SinewChainEnd,
    /// For SINEW_CHAIN_SOLVER_SPRING: how readily each joint opens and closes, from the chain's root on, in joint order, 0 or more: 1
    /// is the usual, 2 twice as fast, 0 keeps the bend of the rest pose; the first joint's does not count. NULL, the default: all 1.
    /// Copied.
    pub spring_bias: *const f32,
    /// Number of entries in `spring_bias`: 0, the default, or the chain's number of joints.
    pub spring_bias_count: u32,
    /// Number of joints from the first end upwards, the end counted; the last of them is the chain's root, from which all ends
    /// must hang. 0, the default: up to the skeleton's root.
    pub joint_count: u32,
    /// A SinewChainSolver; SINEW_CHAIN_SOLVER_DEFAULT by default.
    pub solver: i32,
    /// A sum of SINEW_CHAIN_FINISH, _STRETCH and _PLANE; the first two by default.
    pub flags: u32,
    /// Distance at which a position is reached, as a share of the chain's length, above 0; default 1e-6. Below 3e-7 rounding decides.
    pub tolerance: f32,
    /// Angle at which a rotation is reached, radians, above 0; default 1e-5.
    pub tolerance_rad: f32,
    /// Most iterations (or sweeps) of one attempt, 1 … 100000; default 200.
    pub max_iterations: u32,
    /// Attempts of the default solver from other poses when limits or folds stop it short of a goal, 0 … 10000; default 40. 0: only
    /// the given pose.
    pub max_attempts: u32,
    /// Damping of the least-squares methods as a share of the mean eigenvalue, above 0; default 1e-3. Small values are quick and
    /// jumpy near singular poses, large ones slow and smooth. The default solver adapts it.
    pub damping: f32,
    /// Largest turn of a joint in one iteration of the least-squares methods, radians, above 0; default 0.6.
    pub max_step_rad: f32,
    /// Largest turn of a joint in one sweep of FABRIK or CCD, radians, above 0; default π: no cap. Smaller ones spread a motion over
    /// more joints, and take more sweeps.
    pub sweep_step_rad: f32,
    /// With SINEW_CHAIN_PLANE: every joint turns about this axis only (model space, rest pose, any length but zero), and positions
    /// count only in the plane across it.
    pub plane_axis: SinewVec3,
}

/// A limb of two bones in closed form to be added to an animator. Fill with sinew_two_bone_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewTwoBoneDef {
    /// Size of this struct in bytes, set by sinew_two_bone_def_default.
    pub struct_size: u32,
    /// The joint to be placed (wrist, ankle).
    pub end: u32,
    /// The joint that bends; -1, the default: the parent of `end`.
    pub mid: i32,
    /// The joint the limb hangs from; -1, the default: the parent of `mid`.
    pub root: i32,
    /// Side to which the limb bends when it is straight: a vector in the root joint's own space, any length. Zero, the
    /// default: the side to which it bends in the rest pose. A limb that is straight at rest has none: without a pole it
    /// then bends to an arbitrary fixed side, often +X. See sinew_animator_get_constraint_bend_is_arbitrary.
    pub bend_side: SinewVec3,
    /// Width of the zone before full extension in which the limb slows down, as a share of its length, 0 … 1; default 0: hard. Fades
    /// with the weight of the position, and is none without one.
    pub softness: f32,
    /// How much longer than it is the limb may become to reach, as a share of its length, 0 … 1; default 0.
    pub stretch: f32,
}

/// A joint that turns as it is told, or as another joint is turned. Fill with sinew_copy_rotation_def_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewCopyRotationDef {
    /// Size of this struct in bytes, set by sinew_copy_rotation_def_default.
    pub struct_size: u32,
    /// The joint that is turned.
    pub joint: u32,
    /// The joint whose rotation is copied while no rotation goal is set; -1, the default: only goals.
    pub source: i32,
    /// Turn of the joint against what it copies, in the copied frame: `joint = copied · offset`. Default: the identity.
    pub offset: SinewQuat,
    /// The bone's axis in the joint's space, any length but zero, default +Y; splits the copied turn into swing and twist.
    pub axis: SinewVec3,
    /// Share of the swing that is copied, 0 … 1; default 1.
    pub swing: f32,
    /// Share of the twist about the axis that is copied, 0 … 1; default 1.
    pub twist: f32,
}

/// Joints that share the turn of a ray towards a target: a head on its neck, a rifle on a spine, a turret on its base. Fill with
/// sinew_aim_def_default first. The target is the position goal of the only end; a pole is where `up` shall face.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewAimDef {
    /// Size of this struct in bytes, set by sinew_aim_def_default.
    pub struct_size: u32,
    /// The last joint, in which the ray is fixed.
    pub end: u32,
    /// Share of each joint in the turn, 0 or more, from the first joint to `end`. NULL, the default: equal shares that sum to 1. Sums
    /// over 1 are brought to 1; with less the ray goes that part of the way. Copied.
    pub weights: *const f32,
    /// Number of entries in `weights`: 0, the default, or the number of joints.
    pub weight_count: u32,
    /// Number of joints from `end` upwards, itself counted; default 1. 0: up to the skeleton's root.
    pub joint_count: u32,
    /// Direction of the ray in the space of `end`, any length but zero; default +Z.
    pub axis: SinewVec3,
    /// Start of the ray in the space of `end`, metres; default zero, the joint itself.
    pub offset: SinewVec3,
    /// The direction that faces the pole, in the space of `end`, any length but zero; default +Y.
    pub up: SinewVec3,
    /// Half angle of the cone round the ray as animated that it may not leave, radians, 0 … π; default π: no cone.
    pub clamp_rad: f32,
    /// Part of `clamp_rad` over which the ray slows down before the cone's edge, 0 … 1; default 0.1. 0: a hard edge.
    pub clamp_softness: f32,
    /// Angle over which the turn fades towards exactly behind, radians, 0 … π; default 20°. 0: it does not fade, and turns over when the
    /// target passes behind.
    pub behind_rad: f32,
}

/// Most control points a spline may have.
pub const SINEW_SPLINE_MAX_POINTS: u32 = 256;
/// Bit in SinewSplineDef::flags: the first joint moves to the first control point. On by default; off: it stays, and is the first
/// control point itself.
pub const SINEW_SPLINE_START_ON_CURVE: u32 = 1;

/// A chain that follows a curve through control points: a rope, a spine, a tentacle. Fill with sinew_spline_def_default first.
///
/// Its ends are the control points: the position goal of end i is where point i shall be; a point without one stays on the animated
/// chain. The rotation goals of the first and the last say how first and last joint roll.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewSplineDef {
    /// Size of this struct in bytes, set by sinew_spline_def_default.
    pub struct_size: u32,
    /// The last joint.
    pub end: u32,
    /// Number of joints from `end` upwards, itself counted; 0, the default: up to the skeleton's root.
    pub joint_count: u32,
    /// Number of control points: 2 or more, for Bezier curves 3 k + 1, at most SINEW_SPLINE_MAX_POINTS; default 4.
    pub point_count: u32,
    /// A SinewCurve; SINEW_CURVE_CATMULL_ROM by default.
    pub curve: i32,
    /// SINEW_SPLINE_START_ON_CURVE or 0.
    pub flags: u32,
    /// A point of the last joint, in its own space, metres, that shall be on the curve, too; zero, the default: the joint itself is
    /// the chain's end.
    pub tip: SinewVec3,
    /// How far bones change length so that the chain ends where the curve ends, 0 (not at all, the default) … 1, within the two
    /// bounds below.
    pub stretch: f32,
    /// Least factor on the bones' lengths, 0 … 1; default 0.1.
    pub stretch_min: f32,
    /// Greatest factor on the bones' lengths, 1 … 1000; default 10.
    pub stretch_max: f32,
    /// Roll about the bone at the first joint on top of the animation's, radians, seen from the space of the chain's parent;
    /// default 0. May be many turns.
    pub roll_start_rad: f32,
    /// The same at the last joint; in between the roll goes in proportion to the bones' length.
    pub roll_end_rad: f32,
}

/// Bit in SinewConstraintGoal::set: the position is given.
pub const SINEW_CONSTRAINT_POSITION: u32 = 1;
/// Bit in SinewConstraintGoal::set: the rotation is given.
pub const SINEW_CONSTRAINT_ROTATION: u32 = 1 << 1;
/// Bit in SinewConstraintGoal::set: axis and direction are given; they count where no rotation is.
pub const SINEW_CONSTRAINT_AXIS: u32 = 1 << 2;

/// What one end of a constraint shall do. Fill with sinew_constraint_goal_default or sinew_animator_get_constraint_goal first.
///
/// A rotation goal with weight 0 holds the end as the animation turned it while the chain moves; no rotation goal lets the chain
/// carry it along. The same goes for the position.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewConstraintGoal {
    /// Size of this struct in bytes, set by sinew_constraint_goal_default.
    pub struct_size: u32,
    /// Which of position, rotation and axis are given, a sum of SINEW_CONSTRAINT_…; 0 by default: nothing is asked.
    pub set: u32,
    /// Where the tip shall be, world space, metres; with a distance mode the centre of the sphere.
    pub position: SinewVec3,
    /// How the end joint shall be turned, world space.
    pub rotation: SinewQuat,
    /// An axis of the end joint, in its own space, any length but zero …
    pub axis: SinewVec3,
    /// … and where it shall point, world space, any length but zero. The turn about it stays free.
    pub direction: SinewVec3,
    /// Share of the way from the animation's place to the goal's, 0 … 1; default 1. Also its importance where not everything can
    /// be met.
    pub position_weight: f32,
    /// Share of the way from the animation's rotation (or axis) to the goal's, 0 … 1; default 1. Also its importance.
    pub rotation_weight: f32,
    /// A SinewDistanceMode; SINEW_DISTANCE_MODE_NONE by default.
    pub distance_mode: i32,
    /// Radius of the sphere, world space, metres, 0 or more; does not matter without a distance mode.
    pub radius: f32,
}

/// Bit in SinewPole::flags: `at` is a direction, not a point.
pub const SINEW_POLE_DIRECTION: u32 = 1;
/// Bit in SinewPole::flags: `reference` is given.
pub const SINEW_POLE_REFERENCE: u32 = 1 << 1;

/// Which way the bend of a chain or limb shall face. Fill with sinew_pole_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewPole {
    /// Size of this struct in bytes, set by sinew_pole_default.
    pub struct_size: u32,
    /// A sum of SINEW_POLE_DIRECTION and _REFERENCE; 0 by default.
    pub flags: u32,
    /// The pole, world space: a point in metres, or a direction. It only swivels the chain about the line from its root to the goal.
    pub at: SinewVec3,
    /// With SINEW_POLE_REFERENCE: the side of the chain that faces the pole, fixed in the chain's first joint, in that joint's own
    /// space. Without: the side to which the chain bends in the animation. Limbs of two bones always take their middle joint.
    pub reference: SinewVec3,
    /// Turn of that side about the line from root to goal before it faces the pole, radians; default 0. Periodic: any
    /// finite angle is accepted, so that a host may wind it up over many turns. See sinew_animator_compute_pole_angle.
    pub angle_rad: f32,
    /// How far the chain swivels to the pole, 0 … 1; default 1.
    pub weight: f32,
}

/// Bit in SinewJointLimits::flags: the joint may not turn about X of limit space; shift left by 1 for Y and by 2 for Z.
pub const SINEW_LIMIT_LOCK: u32 = 1;
/// Bit in SinewJointLimits::flags: the turn about X is limited to min_rad.x … max_rad.x; shift left by 1 for Y and by 2 for Z.
pub const SINEW_LIMIT_RANGE: u32 = 1 << 3;

/// Most corners of SinewJointLimits::corners.
pub const SINEW_LIMIT_MAX_CORNERS: u32 = 8;

/// What a joint may do, counted from the skeleton's rest pose. Fill with sinew_joint_limits_default first.
///
/// Locks and ranges per axis of limit space say which joint it is. Nothing locked: a ball joint, whose swing (X and Z together) and
/// twist (Y, the bone's axis) are limited apart; ranges on both X and Z make an ellipse of four quarters, a cone when all four
/// are alike. Y locked: swing without twist. X or Z locked: a universal joint, first the bend, then the twist. Two locked: a hinge.
/// Three: the joint stays at rest. Where both X and Z are free to swing, their ranges are widened to hold 0, the rest direction.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewJointLimits {
    /// Size of this struct in bytes, set by sinew_joint_limits_default.
    pub struct_size: u32,
    /// Locks and ranges, a sum of SINEW_LIMIT_LOCK and SINEW_LIMIT_RANGE shifted by axis; 0 by default: free.
    pub flags: u32,
    /// Limit space in the joint's own space: limit +Y is the twist axis. Default: the identity (bones along +Y).
    pub frame: SinewQuat,
    /// Minimum angles about X, Y, Z of limit space, radians, −π … π; what is not flagged does not matter. Angles between a
    /// half and a full turn are clamped to half a turn; those beyond a full turn are refused, since they are most likely degrees.
    pub min_rad: SinewVec3,
    /// Greatest angles, not below the least ones.
    pub max_rad: SinewVec3,
    /// Reluctance to turn about X, Y, Z of limit space, 0 … 1; default 0. The joint's share of a motion goes with 1 − stiffness. It
    /// shapes poses and never keeps a goal from being reached.
    pub stiffness: SinewVec3,
    /// Width of the zone before a border in which the joint resists, radians, 0 … π; default 0: hard borders. The border itself can
    /// be reached.
    pub soft_rad: f32,
    /// Axis in limit space about which the joint bends (by a positive turn) when a straight chain has to fold; zero, the default:
    /// none preferred.
    pub preferred_bend: SinewVec3,
    /// Least length of the bones that hang from the joint, as a factor, 0 … 1; default 1: they never shorten.
    pub stretch_min: f32,
    /// Greatest length as a factor, 1 … 1000; default 1: they never lengthen.
    pub stretch_max: f32,
    /// Share of these bones in a change of length compared with others, 0 … 1; default 0: none.
    pub stretch_compliance: f32,
    /// Number of entries in `corners` that count: 0, the default, or 3 … SINEW_LIMIT_MAX_CORNERS. With corners the bone's axis stays
    /// inside a convex polygon on the sphere, in place of ranges about X and Z; neither of them may then be locked or limited.
    pub corner_count: u32,
    /// Corners of the polygon: directions in limit space, any length but zero, in order round +Y, which lies inside; the polygon
    /// spans less than half the sphere.
    pub corners: [SinewVec3; 8],
}
