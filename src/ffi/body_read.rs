//! A body's settings and tasks, between the header's records and the core's.

use super::convert::joint_index;
use super::guard::Failure;
use super::read;
use super::result::SinewResult;
use super::types::{
    SINEW_BODY_AXIS_ALL, SINEW_BODY_AXIS_X, SINEW_BODY_AXIS_Y, SINEW_BODY_AXIS_Z, SINEW_BODY_MAX_CORNERS,
    SINEW_BODY_MAX_LEVEL, SINEW_BODY_TASK_PIN, SINEW_BODY_TASK_RADIANS, SinewBodyFrame, SinewBodyMode,
    SinewBodyOutcome, SinewBodyRoot, SinewBodySettings, SinewBodySide, SinewBodyTaskDef, SinewBodyTaskKind,
    SinewJointCoupling, SinewTrackConverge, SinewTrackSolver, SinewVec3,
};
use crate::body::{
    BodyDetail, BodyError, BodyMode, BodyOutcome, BodySettings, Demand, HostFunction, JointCoupling, PlacedBody,
    PlacedBodyError, PlacedDemand, TaskFrame, TaskKind, TaskRequest, TaskRequestError, TaskSide, TrackConverge,
    TrackSolver,
};
use crate::math::Vec3;
use crate::skeleton::Skeleton;
use crate::tasks::{HostResidual, SupportArea};
use std::sync::Arc;

const _: () = {
    assert!(SINEW_BODY_MAX_CORNERS as usize == SupportArea::MAX_CORNERS);
    assert!(SINEW_BODY_MAX_LEVEL == Demand::MAX_LEVEL as u32);
    assert!(TaskKind::Host as i32 == SinewBodyTaskKind::Host as i32);
};

impl From<PlacedBodyError> for Failure {
    fn from(error: PlacedBodyError) -> Self {
        let code = match error {
            PlacedBodyError::Body(BodyError::NoSuchJoint { .. }) => SinewResult::SinewErrorOutOfRange,
            PlacedBodyError::Body(BodyError::NoSuchTask) => SinewResult::SinewErrorInvalidHandle,
            PlacedBodyError::Body(BodyError::WrongPose { .. }) => SinewResult::SinewErrorLengthMismatch,
            PlacedBodyError::Pose(error) => return error.into(),
            PlacedBodyError::HostRows => SinewResult::SinewErrorNotFinite,
            PlacedBodyError::Body(_) | PlacedBodyError::UnevenRoot { .. } => SinewResult::SinewErrorInvalidArgument,
        };
        Self::new(code, error)
    }
}

/// How much of the work a solve of a body does. Failures name the member of a work; the caller puts
/// its place among the works in front.
pub(super) fn detail(iteration_share: f32, max_level: u32) -> Result<BodyDetail, Failure> {
    Ok(BodyDetail {
        iteration_share: read::fraction("iteration_share", iteration_share)?,
        max_level: read::within("max_level", max_level, 0, SINEW_BODY_MAX_LEVEL)? as u8,
    })
}

/// The settings of a body as the header has them.
pub(super) fn settings_out(body: &PlacedBody) -> SinewBodySettings {
    let root = if body.is_floating() { SinewBodyRoot::Free } else { SinewBodyRoot::Fixed };
    let mode = match body.mode() {
        BodyMode::Converge => SinewBodyMode::Converge,
        BodyMode::Track => SinewBodyMode::Track,
    };
    settings_record(body.settings(), mode, root)
}

/// The default settings.
pub(super) fn settings_default() -> SinewBodySettings {
    settings_record(&BodySettings::default(), SinewBodyMode::Converge, SinewBodyRoot::Free)
}

fn settings_record(s: &BodySettings, mode: SinewBodyMode, root: SinewBodyRoot) -> SinewBodySettings {
    SinewBodySettings {
        struct_size: size_of::<SinewBodySettings>() as u32,
        mode: mode as i32,
        root: root as i32,
        max_iterations: s.max_iterations,
        max_attempts: s.max_attempts,
        attempt_iterations: s.attempt_iterations,
        track_iterations: s.track_iterations,
        track_steps: s.track_steps,
        track_converge: s.track_converge as i32,
        tolerance_m: s.tolerance_m,
        tolerance_rad: s.tolerance_rad,
        rotation_length_m: s.rotation_length_m,
        posture: s.posture,
        posture_ease: s.posture_ease,
        posture_end: s.posture_end,
        root_posture: s.root_posture,
        stall: s.stall,
        level_ratio: s.level_ratio,
        damping: s.damping,
        max_step_rad: s.max_step_rad,
        root_move_mobility: s.root_move_mobility,
        root_turn_mobility: s.root_turn_mobility,
        feedback: s.feedback,
        goal_velocity: s.goal_velocity,
        max_speed: s.max_speed,
        max_acceleration: s.max_acceleration,
        track_step_s: s.track_step_s,
        max_level: u32::from(s.max_level),
        track_solver: s.track_solver as i32,
        damping_max: s.damping_max,
        damping_epsilon: s.damping_epsilon,
        settle_iterations: s.settle_iterations,
    }
}

/// Settings, the mode, and whether the root floats.
pub(super) fn settings(given: &SinewBodySettings) -> Result<(BodySettings, BodyMode, bool), Failure> {
    read::struct_size("settings.struct_size", given.struct_size, size_of::<SinewBodySettings>())?;
    let large = 1e6;
    let settings = BodySettings {
        max_iterations: read::within("settings.max_iterations", given.max_iterations, 1, 10_000)?,
        max_attempts: read::within("settings.max_attempts", given.max_attempts, 0, 64)?,
        attempt_iterations: read::within("settings.attempt_iterations", given.attempt_iterations, 1, 10_000)?,
        track_iterations: read::within("settings.track_iterations", given.track_iterations, 1, 10_000)?,
        track_steps: read::within("settings.track_steps", given.track_steps, 1, 1000)?,
        track_converge: TrackConverge::ALL
            [read::decode::<SinewTrackConverge>("settings.track_converge", given.track_converge)? as usize],
        tolerance_m: read::above_zero("settings.tolerance_m", given.tolerance_m)?,
        tolerance_rad: read::above_zero("settings.tolerance_rad", given.tolerance_rad)?,
        rotation_length_m: read::between("settings.rotation_length_m", given.rotation_length_m, 1e-6, large)?,
        posture: read::between("settings.posture", given.posture, 0.0, large)?,
        posture_ease: read::between("settings.posture_ease", given.posture_ease, 0.0, large)?,
        posture_end: read::between("settings.posture_end", given.posture_end, 0.0, 1.0)?,
        root_posture: read::between("settings.root_posture", given.root_posture, 0.0, large)?,
        stall: read::between("settings.stall", given.stall, 0.0, 2.0)?,
        level_ratio: read::between("settings.level_ratio", given.level_ratio, 1e-6, 1.0)?,
        damping: read::between("settings.damping", given.damping, 1e-12, large)?,
        max_step_rad: read::half_turn_rad(
            "settings.max_step_rad",
            read::above_zero("settings.max_step_rad", given.max_step_rad)?,
        )?,
        root_move_mobility: read::between("settings.root_move_mobility", given.root_move_mobility, 0.0, large)?,
        root_turn_mobility: read::between("settings.root_turn_mobility", given.root_turn_mobility, 0.0, large)?,
        feedback: read::between("settings.feedback", given.feedback, 0.0, large)?,
        goal_velocity: read::between("settings.goal_velocity", given.goal_velocity, 0.0, 1.0)?,
        max_speed: read::between("settings.max_speed", given.max_speed, 0.0, large)?,
        max_acceleration: read::between("settings.max_acceleration", given.max_acceleration, 0.0, large)?,
        track_step_s: read::between("settings.track_step_s", given.track_step_s, 0.0, large)?,
        max_level: read::within("settings.max_level", given.max_level, 0, SINEW_BODY_MAX_LEVEL)? as u8,
        track_solver: TrackSolver::ALL
            [read::decode::<SinewTrackSolver>("settings.track_solver", given.track_solver)? as usize],
        damping_max: read::between("settings.damping_max", given.damping_max, 0.0, large)?,
        settle_iterations: read::within("settings.settle_iterations", given.settle_iterations, 0, 10_000)?,
        damping_epsilon: read::between("settings.damping_epsilon", given.damping_epsilon, 0.0, large)?,
    };
    let mode = match read::decode("settings.mode", given.mode)? {
        SinewBodyMode::Converge => BodyMode::Converge,
        SinewBodyMode::Track => BodyMode::Track,
    };
    let floats = read::decode::<SinewBodyRoot>("settings.root", given.root)? == SinewBodyRoot::Free;
    Ok((settings, mode, floats))
}

/// A coupling as the header has it; `None`: a joint that turns freely.
pub(super) fn coupling_out(coupling: Option<&JointCoupling>) -> SinewJointCoupling {
    let free = JointCoupling { driver: 0, driver_axis: Vec3::Y, axis: Vec3::Y, ratio: 1.0, offset_rad: 0.0 };
    let given = coupling.unwrap_or(&free);
    SinewJointCoupling {
        struct_size: size_of::<SinewJointCoupling>() as u32,
        driver: coupling.map_or(-1, |coupling| coupling.driver as i32),
        driver_axis: given.driver_axis.into(),
        axis: given.axis.into(),
        ratio: given.ratio,
        offset_rad: given.offset_rad,
    }
}

/// A coupling; `None` where nothing is followed.
pub(super) fn coupling(given: &SinewJointCoupling, joints: usize) -> Result<Option<JointCoupling>, Failure> {
    read::struct_size("coupling.struct_size", given.struct_size, size_of::<SinewJointCoupling>())?;
    let driver = read::optional_joint("coupling.driver", given.driver, joints)?;
    let (driver_axis, axis) =
        (read::direction("coupling.driver_axis", &given.driver_axis)?, read::direction("coupling.axis", &given.axis)?);
    let ratio = read::between("coupling.ratio", given.ratio, -100.0, 100.0)?;
    let most = core::f32::consts::PI;
    let offset_rad = read::between("coupling.offset_rad", given.offset_rad, -most, most)?;
    Ok(driver.map(|driver| JointCoupling { driver, driver_axis, axis, ratio, offset_rad }))
}

/// A SinewBodyTaskKind.
pub(super) fn kind(argument: &str, raw: i32) -> Result<SinewBodyTaskKind, Failure> {
    read::decode(argument, raw)
}

/// A task of a kind with defaults.
pub(super) fn task_default(kind: SinewBodyTaskKind) -> SinewBodyTaskDef {
    task_out(&TaskRequest { kind: task_kind(kind), ..TaskRequest::default() })
}

/// A task as the header has it.
pub(super) fn task_out(of: &TaskRequest<'_>) -> SinewBodyTaskDef {
    let axes = [SINEW_BODY_AXIS_X, SINEW_BODY_AXIS_Y, SINEW_BODY_AXIS_Z].into_iter().zip(of.axes);
    let frame = match of.frame {
        TaskFrame::World => SinewBodyFrame::World,
        TaskFrame::Model => SinewBodyFrame::Model,
        TaskFrame::Goal => SinewBodyFrame::Goal,
        TaskFrame::Joint => SinewBodyFrame::Joint,
    };
    let side = match of.side {
        TaskSide::On => SinewBodySide::On,
        TaskSide::Inside => SinewBodySide::Inside,
        TaskSide::Outside => SinewBodySide::Outside,
    };
    let pin = if of.is_pinned { SINEW_BODY_TASK_PIN } else { 0 };
    let radians = if of.host.is_some_and(|host| host.in_radians) { SINEW_BODY_TASK_RADIANS } else { 0 };
    let mut corners = [SinewVec3::default(); SupportArea::MAX_CORNERS];
    corners.iter_mut().zip(of.corners).for_each(|(to, from)| *to = (*from).into());
    SinewBodyTaskDef {
        struct_size: size_of::<SinewBodyTaskDef>() as u32,
        kind: of.kind as i32,
        joint: of.joint as u32,
        other: joint_index(of.other),
        end: joint_index(of.end),
        axes: axes.filter(|(_, on)| *on).fold(0, |all, (axis, _)| all | axis),
        frame: frame as i32,
        side: side as i32,
        flags: pin | radians,
        level: u32::from(of.level),
        point: of.point_js.into(),
        axis: of.axis_js.into(),
        goal: of.goal.into(),
        rotation: of.rotation.into(),
        direction: of.direction.into(),
        other_point: of.other_point_js.into(),
        distance: of.distance,
        blend: of.blend,
        importance: of.importance,
        corner_count: of.corners.len().min(SupportArea::MAX_CORNERS) as u32,
        corners,
    }
}

/// The core's kind.
fn task_kind(kind: SinewBodyTaskKind) -> TaskKind {
    TaskKind::ALL[kind as usize]
}

/// A task as the core has it, in world space. `residual` computes the rows of a task of the host.
pub(super) fn task(
    def: &SinewBodyTaskDef,
    skeleton: &Skeleton,
    residual: Option<&Arc<dyn HostResidual>>,
) -> Result<PlacedDemand, Failure> {
    read::struct_size("def.struct_size", def.struct_size, size_of::<SinewBodyTaskDef>())?;
    let kind = task_kind(kind("def.kind", def.kind)?);
    let joints = skeleton.joint_count();
    let frame = match read::decode("def.frame", def.frame)? {
        SinewBodyFrame::World => TaskFrame::World,
        SinewBodyFrame::Model => TaskFrame::Model,
        SinewBodyFrame::Goal => TaskFrame::Goal,
        SinewBodyFrame::Joint => TaskFrame::Joint,
    };
    let side = match read::decode("def.side", def.side)? {
        SinewBodySide::On => TaskSide::On,
        SinewBodySide::Inside => TaskSide::Inside,
        SinewBodySide::Outside => TaskSide::Outside,
    };
    read::flags("def.axes", def.axes, SINEW_BODY_AXIS_ALL)?;
    let known = if kind == TaskKind::Host { SINEW_BODY_TASK_RADIANS } else { 0 } | SINEW_BODY_TASK_PIN;
    read::flags("def.flags", def.flags, known)?;
    let in_radians = def.flags & SINEW_BODY_TASK_RADIANS != 0;
    let mut corners = [Vec3::ZERO; SupportArea::MAX_CORNERS];
    let mut corner_count = 0;
    if kind == TaskKind::Support {
        corner_count = read::within("def.corner_count", def.corner_count, 1, SINEW_BODY_MAX_CORNERS)? as usize;
        for (i, corner) in corners[..corner_count].iter_mut().enumerate() {
            *corner = read::vec3(format_args!("def.corners[{i}]"), &def.corners[i])?;
        }
    }
    let request = TaskRequest {
        kind,
        joint: if kind.needs_joint() { read::joint("def.joint", def.joint, joints)? } else { 0 },
        other: read::optional_joint("def.other", def.other, joints)?,
        end: if matches!(kind, TaskKind::Pole | TaskKind::Host) {
            read::optional_joint("def.end", def.end, joints)?
        } else {
            None
        },
        axes: [SINEW_BODY_AXIS_X, SINEW_BODY_AXIS_Y, SINEW_BODY_AXIS_Z].map(|bit| def.axes & bit != 0),
        frame,
        side,
        is_pinned: def.flags & SINEW_BODY_TASK_PIN != 0,
        point_js: read::vec3("def.point", &def.point)?,
        axis_js: read::direction("def.axis", &def.axis)?,
        goal: read::vec3("def.goal", &def.goal)?,
        rotation: read::quat("def.rotation", &def.rotation)?,
        direction: read::direction("def.direction", &def.direction)?,
        other_point_js: read::vec3("def.other_point", &def.other_point)?,
        distance: read::not_negative("def.distance", def.distance)?,
        corners: &corners[..corner_count],
        host: residual.map(|residual| HostFunction { residual, in_radians }),
        blend: read::fraction("def.blend", def.blend)?,
        importance: read::between("def.importance", def.importance, 1e-6, 1e6)?,
        level: read::within("def.level", def.level, 0, SINEW_BODY_MAX_LEVEL)? as u8,
    };
    request.placed(skeleton).map_err(|why| refused(why, kind))
}

fn refused(why: TaskRequestError, kind: TaskKind) -> Failure {
    match why {
        TaskRequestError::NoAxis => Failure::argument("def.axes is 0: no axis counts"),
        TaskRequestError::NoOther => Failure::argument("def.other is -1: a task of this kind needs it"),
        TaskRequestError::NoEnd => Failure::argument("def.end is -1: a task of this kind needs it"),
        TaskRequestError::NoParent if kind == TaskKind::Pole => {
            Failure::argument("def.other is -1, and def.joint has no parent")
        }
        TaskRequestError::NoParent => {
            Failure::argument("def.joint has no parent: use SINEW_BODY_TASK_KIND_ORIENTATION")
        }
        TaskRequestError::PinnedSupport => {
            Failure::argument("def.flags has SINEW_BODY_TASK_PIN, which an area of support cannot be")
        }
        TaskRequestError::PinnedHost => {
            Failure::argument("def.flags has SINEW_BODY_TASK_PIN, which rows of the host cannot be")
        }
        TaskRequestError::HostSide => {
            Failure::argument("def.side is SINEW_BODY_SIDE_OUTSIDE, not for rows of the host")
        }
        TaskRequestError::NoFunction => {
            Failure::argument("def.kind is SINEW_BODY_TASK_KIND_HOST: use sinew_body_add_host_task")
        }
        TaskRequestError::NoJointFrame => Failure::argument(format_args!("def.frame: {why}")),
        TaskRequestError::NoHull(_) => Failure::argument(format_args!("def.corners: {why}")),
    }
}

/// How a solve ended.
pub(super) fn outcome_out(outcome: &BodyOutcome) -> SinewBodyOutcome {
    SinewBodyOutcome {
        status: outcome.status as i32,
        iterations: outcome.iterations,
        attempts: outcome.attempts,
        residual_m: outcome.residual_m,
        residual_rad: outcome.residual_rad,
    }
}
