//! The whole-body solver: settings, tasks, outcomes.

use super::math::{SinewQuat, SinewTransform, SinewVec3};
use crate::ffi::ids::{SinewBody, SinewBodyTask};
use safer_ffi::prelude::*;

/// How a body goes from one frame to the next.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyMode {
    /// Stateless: each answer depends on the incoming pose and the tasks alone.
    Converge = 0,
    /// Follows the goals from the last answer, with bounded work per frame.
    Track = 1,
}
/// A [`SinewBodyMode`] as it arrives, checked before use.
pub type SinewBodyModeArg = i32;

/// What the body's root joint may do.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyRoot {
    /// It moves and turns with the rest; see root_move_mobility and root_turn_mobility.
    Free = 0,
    /// It stays as it is animated.
    Fixed = 1,
}

/// What a task requests.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyTaskKind {
    /// `point` of `joint` at `goal`, on `axes` of `frame`.
    Position = 0,
    /// `joint` turned like `rotation`, about `axes` of `frame`.
    Orientation = 1,
    /// `axis` of `joint` along `direction`.
    Axis = 2,
    /// `axis` of `joint` from its `point`, the eye, towards `goal`.
    Gaze = 3,
    /// `joint`, an elbow or knee, on the side of `goal` about the line from the limb's first
    /// joint, `other` (-1: its parent), to its last, `end`.
    Pole = 4,
    /// `point` of `joint` at `distance` from `goal`, or with `other` from its `other_point`;
    /// `side` defines whether less (INSIDE) or more (OUTSIDE) is allowed.
    Distance = 5,
    /// `point` of `joint` on the plane through `goal` with the normal `direction`, or with
    /// `side` on it or where the normal points (OUTSIDE), on it or behind it (INSIDE).
    Plane = 6,
    /// `point` of `joint` at `other_point` of `other`, on `axes` of `frame`.
    RelativePosition = 7,
    /// `joint` turned with `other`: its rotation seen from `other` is `rotation`.
    RelativeOrientation = 8,
    /// The local rotation of `joint` is `rotation`.
    JointRotation = 9,
    /// The centre of mass at `goal`, on `axes` of `frame`: without the vertical one it is
    /// above the goal, with a single one it is in a plane.
    CenterOfMass = 10,
    /// The centre of mass above the convex hull of `corners`, as seen along `direction` (up),
    /// and `distance` or more inside.
    Support = 11,
    /// Rows that a function of the host computes from the placements of `joint`, `other` and `end`
    /// (-1: none): as many rows as `axes` has flags; with `side` INSIDE, rows below 0 count as met.
    /// Added with sinew_body_add_host_task.
    Host = 12,
}
/// A [`SinewBodyTaskKind`] as it arrives, checked before use.
pub type SinewBodyTaskKindArg = i32;

/// The frame of `axes`.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyFrame {
    /// World space.
    World = 0,
    /// Model space: it turns with the body's root transform.
    Model = 1,
    /// The goal's own frame: `rotation`.
    Goal = 2,
    /// The joint's own frame: the axes turn with the effector. Not for the centre of mass.
    Joint = 3,
}

/// When track mode solves as converge mode does: iTaSC's reiteration.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewTrackConverge {
    /// Never: the first frame travels from the incoming pose, too.
    Never = 0,
    /// In the first frame, and in the first one after a reset; the frame's own steps follow, and
    /// the outcome counts these only.
    First = 1,
    /// In every frame, from the last answer and without other start poses. Feedback and steps
    /// do not count then; the caps of speed and acceleration do.
    Always = 2,
}

/// How a step of track mode treats directions in which joints move far and effectors little, near
/// straight limbs and where goals conflict: iTaSC's solver.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewTrackSolver {
    /// All directions are damped alike, by a damping that follows from what each step gains.
    Adaptive = 0,
    /// Damped least squares: directions of a singular value below `damping_epsilon` are damped, by
    /// `damping_max` at most.
    Dls = 1,
    /// Selectively damped least squares: each direction has its own longest turn, at most
    /// `max_step_rad` for the whole way to the goal.
    Sdls = 2,
}

/// Which side of a sphere or plane is allowed.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodySide {
    /// On the surface only.
    On = 0,
    /// On it or inside the sphere; on it or behind the plane.
    Inside = 1,
    /// On it or outside the sphere; on it or where the plane's normal points.
    Outside = 2,
}

/// Flag of SinewBodyTaskDef::axes: the X axis counts.
pub const SINEW_BODY_AXIS_X: u32 = 1;
/// Flag of SinewBodyTaskDef::axes: the Y axis counts.
pub const SINEW_BODY_AXIS_Y: u32 = 1 << 1;
/// Flag of SinewBodyTaskDef::axes: the Z axis counts.
pub const SINEW_BODY_AXIS_Z: u32 = 1 << 2;
/// SinewBodyTaskDef::axes: all three count.
pub const SINEW_BODY_AXIS_ALL: u32 = 7;

/// Flag of SinewBodyTaskDef::flags: a pin. The goal is where the incoming pose has the
/// effector, in each solve anew; the goal that is given does not count. Not for
/// SINEW_BODY_TASK_KIND_SUPPORT and SINEW_BODY_TASK_KIND_HOST.
pub const SINEW_BODY_TASK_PIN: u32 = 1;
/// Flag of SinewBodyTaskDef::flags: the rows that the host computes are angles, in radians; without
/// it they are lengths, in metres. For SINEW_BODY_TASK_KIND_HOST only.
pub const SINEW_BODY_TASK_RADIANS: u32 = 1 << 1;

/// Maximum number of corners of SinewBodyTaskDef::corners.
pub const SINEW_BODY_MAX_CORNERS: u32 = 16;
/// Highest priority level of a task.
pub const SINEW_BODY_MAX_LEVEL: u32 = 3;

/// Settings of a body. Fill it with sinew_body_settings_default or
/// sinew_body_get_settings first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodySettings {
    /// Set by sinew_body_settings_default.
    pub struct_size: u32,
    /// A SinewBodyMode. Default SINEW_BODY_MODE_CONVERGE.
    pub mode: i32,
    /// A SinewBodyRoot. Default SINEW_BODY_ROOT_FREE.
    pub root: i32,
    /// Maximum number of iterations of the first descent, 1 … 10,000. Default 120.
    pub max_iterations: u32,
    /// Maximum number of other start poses that are tried when the first descent stops short
    /// of goals that it can get near, 0 … 64. Default 12. Such an answer is only taken when
    /// it meets all tasks.
    pub max_attempts: u32,
    /// Maximum number of iterations of each of them, 1 … 10,000. Default 20.
    pub attempt_iterations: u32,
    /// Track mode: iterations of each of the two rounds of a step, 1 … 10,000. Default 2.
    pub track_iterations: u32,
    /// Track mode: steps per frame, 1 … 1,000. Default 1.
    pub track_steps: u32,
    /// Track mode: a SinewTrackConverge: when a frame is a whole solve of converge mode. Default
    /// SINEW_TRACK_CONVERGE_FIRST.
    pub track_converge: i32,
    /// A task in metres is met within this distance, model space, above 0. Default 0.0005.
    pub tolerance_m: f32,
    /// A task in radians is met within this angle, above 0. Default 0.004.
    pub tolerance_rad: f32,
    /// Metres that count as much as a radian where distances and angles are in conflict, 1e-6
    /// … 1e6: about half an arm. Default 0.3.
    pub rotation_length_m: f32,
    /// Pull towards the incoming pose, metres² per radian² of every joint, 0 … 1e6. Default
    /// 0.001. It decides between poses that meet the tasks equally well, and brings the pose
    /// back when the goals come back.
    pub posture: f32,
    /// The pull is at most this times what the tasks lack, 0 … 1e6. Default 0.0004.
    pub posture_ease: f32,
    /// What the pull falls to on the way to the answer, as a share, 0 … 1. Default 0.0001.
    pub posture_end: f32,
    /// Pull of the root beside a joint's, 0 … 1e6. Default 0: the root follows the tasks
    /// alone. 30 keeps the hips of a person who stands above the feet.
    pub root_posture: f32,
    /// A descent ends when three iterations leave more than this share of the objective, 0 … 2.
    /// Default 0.99999. Small values end a slow descent early, which costs less and stops farther
    /// from goals that cannot be met: 0.9 as soon as three iterations gain less than a tenth, 0
    /// after three. With 1 and more only the number of iterations ends it.
    pub stall: f32,
    /// Objective of a priority level beside the one above it, 1e-6 … 1. Default 0.001. Levels are
    /// weighted, not a strict null space: at 1 all count alike.
    pub level_ratio: f32,
    /// Damping that a descent starts with, in units of the objective, 1e-12 … 1e6. Default
    /// 0.001.
    pub damping: f32,
    /// Largest turn of a joint in one iteration, radians, above 0, at most π. Default 0.8.
    pub max_step_rad: f32,
    /// Readiness of a free root to move, radians² of a joint's turn that cost as much as a
    /// metre², 0 … 1e6. Default 0.25. High values move the root first, as a
    /// pre-pull does.
    pub root_move_mobility: f32,
    /// Readiness of a free root to turn beside a joint's, 0 … 1e6. Default 1.
    pub root_turn_mobility: f32,
    /// Track mode: rate at which effectors approach their goals, 1/s, 0 … 1e6. Default 0: at
    /// once.
    pub feedback: f32,
    /// Track mode: how much of the goals' own motion effectors follow at once, beside the
    /// feedback, 0 … 1. Default 0: they lag behind goals that move. At 1 what they are off
    /// shrinks by the feedback, however the goals move.
    pub goal_velocity: f32,
    /// Track mode: fastest turn of a joint, radians per second, 0 … 1e6. Default 20; 0: any. Of
    /// joints that slide and of bones that change length, metres count as radians of
    /// `rotation_length_m`.
    pub max_speed: f32,
    /// Track mode: fastest change of a joint's speed, radians per second², 0 … 1e6. Default
    /// 0: any. Joints brake in time to stop where they go. Of a free root, of joints that slide
    /// and of bones that change length, metres count as radians of `rotation_length_m`.
    pub max_acceleration: f32,
    /// Track mode: longest step, seconds, 0 … 1e6: a frame takes as many steps as that needs,
    /// `track_steps` at least, 1,000 at most. Default 0: `track_steps` alone counts.
    pub track_step_s: f32,
    /// Highest priority level whose tasks count, 0 … SINEW_BODY_MAX_LEVEL (default); the others
    /// are absent, as at blend 0.
    pub max_level: u32,
    /// Track mode: a SinewTrackSolver. Default SINEW_TRACK_SOLVER_ADAPTIVE. Setting another one
    /// allocates; with more than 128 rows of tasks it solves as the default.
    pub track_solver: i32,
    /// SINEW_TRACK_SOLVER_DLS: damping of a direction in which effectors do not move, metres per
    /// radian, 0 … 1e6. Default 0.5; 0: none.
    pub damping_max: f32,
    /// SINEW_TRACK_SOLVER_DLS: singular value below which directions are damped more and more,
    /// metres per radian, 0 … 1e6. Default 0.15.
    pub damping_epsilon: f32,
    /// Converge mode: maximum number of iterations in which an answer settles at the pose nearest
    /// to the incoming one among those that meet the tasks, or leave them as far off as the descent
    /// did, and of each stage of a search for such a pose where they cannot be met; 0 … 10,000.
    /// Default 40; 0: it stays where the descent found it.
    pub settle_iterations: u32,
}

/// How a joint's turn about an axis follows another joint's: twist bones, mimic joints. Fill it
/// with sinew_joint_coupling_default or sinew_body_get_joint_coupling first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewJointCoupling {
    /// Set by sinew_joint_coupling_default.
    pub struct_size: u32,
    /// The joint that is followed, or -1 (default): none. It must not follow another itself.
    pub driver: i32,
    /// The driver's axis, in its own space, any length but zero. Its turn is that of the twist
    /// about this axis, counted from rest, −π … π. Default +Y.
    pub driver_axis: SinewVec3,
    /// The axis of the joint that follows, in its own space, any length but zero. What its incoming
    /// rotation has across this axis stays. Default +Y.
    pub axis: SinewVec3,
    /// Turn of the joint per turn of the driver, −100 … 100. Default 1.
    pub ratio: f32,
    /// Turn of the joint where the driver has none, radians, −π … π. Default 0.
    pub offset_rad: f32,
}

/// A task. Fill it with sinew_body_task_default, which takes its kind, or
/// sinew_body_get_task first. SinewBodyTaskKind defines which members a kind reads. The
/// others must be valid, too: joints of the skeleton, numbers in their ranges, axes and directions
/// with a length.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyTaskDef {
    /// Set by sinew_body_task_default.
    pub struct_size: u32,
    /// A SinewBodyTaskKind.
    pub kind: i32,
    /// The joint. Not read for the centre of mass.
    pub joint: u32,
    /// Another joint, or -1 (default) for none.
    pub other: i32,
    /// Last joint of a limb, for a pole; third joint of rows of the host; else not read. Default
    /// -1.
    pub end: i32,
    /// Which axes of `frame` count: bitwise OR of SINEW_BODY_AXIS_…, not 0. Default
    /// SINEW_BODY_AXIS_ALL.
    pub axes: u32,
    /// A SinewBodyFrame. Default SINEW_BODY_FRAME_WORLD.
    pub frame: i32,
    /// A SinewBodySide. Default SINEW_BODY_SIDE_ON.
    pub side: i32,
    /// Bitwise OR of SINEW_BODY_TASK_…. Default 0.
    pub flags: u32,
    /// Priority level, 0 (first, default) … SINEW_BODY_MAX_LEVEL: tasks give way to those of
    /// lower levels.
    pub level: u32,
    /// A point in the joint's space, metres: a palm, a sole, the tip of a weapon. Default 0:
    /// the joint itself.
    pub point: SinewVec3,
    /// An axis in the joint's space, any length but zero. Default +Z.
    pub axis: SinewVec3,
    /// The goal: a point in world space, metres. Default 0: the world's origin.
    pub goal: SinewVec3,
    /// Goal rotation, world space; for relative kinds seen from the other joint, for
    /// SINEW_BODY_TASK_KIND_JOINT_ROTATION in the parent joint. Default: the identity.
    pub rotation: SinewQuat,
    /// A direction in world space, any length but zero: of an axis, normal of a plane, or up.
    /// Default +Y.
    pub direction: SinewVec3,
    /// A point in the other joint's space, metres. Default 0: the other joint itself.
    pub other_point: SinewVec3,
    /// A distance in world space, metres, 0 or more. Default 0.
    pub distance: f32,
    /// How far the goal moves from where the incoming pose has the effector to the goal,
    /// 0 … 1. Default 1. At 0 the task is absent, bit for bit. This fades a task in and
    /// out.
    pub blend: f32,
    /// Ratio in conflicts with other tasks of the level, 1e-6 … 1e6: squared distances count
    /// by it. Default 1. Not for fading: where nothing opposes, the least importance is
    /// obeyed.
    pub importance: f32,
    /// Number of entries in `corners` that count; 1 … SINEW_BODY_MAX_CORNERS for
    /// SINEW_BODY_TASK_KIND_SUPPORT, else not read.
    pub corner_count: u32,
    /// Points of the area of support, world space, metres, in any order: their convex hull
    /// counts.
    pub corners: [SinewVec3; 16],
}

/// How a solve of a body ended.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyOutcome {
    /// A SinewStatus: SINEW_STATUS_REACHED when all tasks are met, else SINEW_STATUS_STALLED or
    /// SINEW_STATUS_OUT_OF_ITERATIONS, also where a goal is out of reach; SINEW_STATUS_INACTIVE
    /// without tasks.
    pub status: i32,
    /// Iterations of all attempts.
    pub iterations: u32,
    /// Start poses tried, the incoming one included.
    pub attempts: u32,
    /// Largest residual of the tasks that are measured in metres, world space.
    pub residual_m: f32,
    /// Largest residual of the tasks that are measured in radians.
    pub residual_rad: f32,
}

/// How one task of a body ended.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyTaskOutcome {
    /// A SinewStatus: SINEW_STATUS_INACTIVE at blend 0, SINEW_STATUS_REACHED within
    /// tolerance, else as the whole solve ended.
    pub status: i32,
    /// Iterations of the solve.
    pub iterations: u32,
    /// What is left of the blended goal, metres, world space; 0 for tasks in radians.
    pub residual_m: f32,
    /// What is left of the blended goal, radians; 0 for tasks in metres.
    pub residual_rad: f32,
    /// Number of joints the task depends on that stand on a border of their limits; see
    /// sinew_body_get_limited_joints.
    pub limited_joint_count: u32,
}

/// Flag of SinewBodyDrag::flags: the joint is also turned like `rotation`.
pub const SINEW_BODY_DRAG_ROTATION: u32 = 1;
/// Flag of SinewBodyPin::flags: the joint keeps its rotation, too.
pub const SINEW_BODY_PIN_ROTATION: u32 = 1;
/// Maximum of SinewBodyDrag::pin_count.
pub const SINEW_BODY_MAX_PINS: u32 = 64;

/// A joint that stays where the pose has it while another is dragged.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyPin {
    /// The joint.
    pub joint: u32,
    /// Bitwise OR of SINEW_BODY_PIN_…. Default 0.
    pub flags: u32,
}

/// A joint that is dragged, and where to. Fill it with sinew_body_drag_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewBodyDrag {
    /// Set by sinew_body_drag_default.
    pub struct_size: u32,
    /// The joint that is dragged.
    pub joint: u32,
    /// Number of joints above it that turn. 0 (default): all up to the body's root, which moves
    /// and turns as the settings allow. Otherwise the chain ends at the body's root at the
    /// latest, which turns, if it is free, and does not move.
    pub chain_length: u32,
    /// Bitwise OR of SINEW_BODY_DRAG_…. Default 0.
    pub flags: u32,
    /// The point of the joint that goes to the goal, in its own space, metres. Default 0.
    pub point: SinewVec3,
    /// Where the point goes, world space, metres.
    pub goal: SinewVec3,
    /// With SINEW_BODY_DRAG_ROTATION: how the joint is turned, world space.
    pub rotation: SinewQuat,
    /// Number of entries in `pins`, 0 … SINEW_BODY_MAX_PINS. Default 0.
    pub pin_count: u32,
    /// Joints that stay; they come before the goal. Those that nothing in the chain moves, and
    /// the dragged joint itself, count as none.
    pub pins: *const SinewBodyPin,
}

/// What sinew_body_solve_batch has done with a body.
#[derive_ReprC]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinewBodyWorkState {
    /// Not in a call yet.
    Waiting = 0,
    /// Solved.
    Solved = 1,
    /// The budget was used up; the pose is as it was.
    Cut = 2,
    /// Not solved: see `result`; the pose is as it was.
    Failed = 3,
}

/// A body of a crowd with its pose and level of detail. Fill it with sinew_body_work_default
/// first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewBodyWork {
    /// The body.
    pub body: SinewBody,
    /// Local transform of each joint: the animation on entry, the answer on return. No two works
    /// share a pose.
    pub pose: *mut SinewTransform,
    /// Must be the number of joints of the body's skeleton.
    pub joint_count: u32,
    /// Share of the iterations and attempts of the settings, 0 … 1; at least one iteration
    /// stays. Default 1.
    pub iteration_share: f32,
    /// Highest priority level whose tasks count; the others are absent. Default
    /// SINEW_BODY_MAX_LEVEL.
    pub max_level: u32,
    /// A SinewBodyWorkState, written by the call.
    pub state: i32,
    /// A SinewResult, written by the call: why the body was not solved. Of the first work that
    /// failed, sinew_last_error has the sentence.
    pub result: i32,
    /// How the solve ended, written by the call where `state` is SINEW_BODY_WORK_STATE_SOLVED.
    pub outcome: SinewBodyOutcome,
}

/// Numbers of bodies of a call of sinew_body_solve_batch.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyBatchReport {
    /// Solved.
    pub solved: u32,
    /// Cut: the budget was used up.
    pub cut: u32,
    /// Failed.
    pub failed: u32,
}

/// Maximum number of bodies of a call of sinew_body_meet.
pub const SINEW_BODY_MAX_MEETING: u32 = 16;
/// Maximum number of ties of a call of sinew_body_meet.
pub const SINEW_BODY_MAX_TIES: u32 = 32;

/// A tie of two bodies, for sinew_body_meet: a task of one and a task of another, two positions
/// whose points meet, or two orientations. Fill it with sinew_body_tie_default first.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinewBodyTie {
    /// The task of the first body: of the kind SINEW_BODY_TASK_KIND_POSITION or
    /// SINEW_BODY_TASK_KIND_ORIENTATION, not a pin. Its goal does not count; blend, importance,
    /// level and axes do.
    pub first_task: SinewBodyTask,
    /// The task of the second body, of the same kind.
    pub second_task: SinewBodyTask,
    /// Which of the works is the first body. Default 0.
    pub first_work: u32,
    /// Which of the works is the second body, another one. Default 1.
    pub second_work: u32,
    /// Of orientations: the rotation of the first joint seen from the second, unit. Default: none.
    pub rotation: SinewQuat,
    /// Where between the first effector and the second one the place is looked for first, 0 … 1: at
    /// 0 the second comes to where the first one is, at 1 the first to the second, as long as it
    /// gets there. Default 0.5.
    pub share: f32,
    /// Written by the call: what the last round left between the effectors, metres or radians.
    pub gap: f32,
}

/// How bodies met; see sinew_body_meet.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SinewBodyMeeting {
    /// A SinewStatus. REACHED: all tied tasks are met at their place. UNREACHABLE: not all are, and
    /// moving the places gains nothing. OUT_OF_ITERATIONS: it does. INACTIVE: there are no ties.
    pub status: i32,
    /// Rounds.
    pub rounds: u32,
    /// Largest distance between tied points, metres.
    pub gap_m: f32,
    /// Largest angle between tied joints, radians, 0 … π.
    pub gap_rad: f32,
}
