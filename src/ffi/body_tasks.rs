//! Tasks of a body: added, set, removed.

use super::body_read as checked;
use super::guard::{Failure, guard, in_ref, out_ref};
use super::ids::{SinewBody, SinewBodyTask};
use super::registry::{self, HostBody};
use super::reserve::Room;
use super::result::SinewResult;
use super::rooms;
use super::types::{SinewBodyTaskDef, SinewBodyTaskKindArg, SinewQuat, SinewVec3};
use crate::body::BodyMode;
use crate::tasks::{AnyTask, MAX_ROWS};

/// Fills a task of a kind with its size and defaults.
///
/// @param kind     a SinewBodyTaskKind.
/// @param out_def  the task, struct_size included.
pub extern "C" fn sinew_body_task_default(
    kind: SinewBodyTaskKindArg,
    out_def: Option<&mut SinewBodyTaskDef>,
) -> SinewResult {
    guard("sinew_body_task_default", || {
        let out = out_ref(out_def, "out_def")?;
        *out = checked::task_default(checked::kind("kind", kind)?);
        Ok(())
    })
}

/// Adds a task. Allocates, and track mode starts anew.
///
/// @param def       see SinewBodyTaskDef.
/// @param out_task  the task.
/// @return SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_ARGUMENT: a number
///         outside its range, unknown flags, a joint that the kind needs is missing, the kind
///         SINEW_BODY_TASK_KIND_HOST; SINEW_ERROR_INVALID_ENUM: kind, frame or side.
pub extern "C" fn sinew_body_add_task(
    body: SinewBody,
    def: Option<&SinewBodyTaskDef>,
    out_task: Option<&mut SinewBodyTask>,
) -> SinewResult {
    guard("sinew_body_add_task", || {
        let def = in_ref(def, "def")?;
        let out = out_ref(out_task, "out_task")?;
        registry::with_body(body, |host| {
            let placed = checked::task(def, host.body.skeleton(), None)?;
            let _room = host.task_room()?;
            let name = host.body.add_task(placed)?;
            host.defs.push((name, *def));
            *out = registry::body_task_handle(name);
            Ok(())
        })
    })
}

/// Removes a task. Allocates, and track mode starts anew.
pub extern "C" fn sinew_body_remove_task(body: SinewBody, task: SinewBodyTask) -> SinewResult {
    guard("sinew_body_remove_task", || {
        registry::with_body_task(body, task, |host, place| {
            let (name, _) = host.defs[place];
            let _room = host.task_room()?;
            host.body.remove_task(name)?;
            host.defs.remove(place);
            Ok(())
        })
    })
}

impl HostBody {
    /// Room for another task, one more or one less.
    pub(super) fn task_room(&self) -> Result<Room, Failure> {
        self.mode_room(self.body.mode())
    }
    /// The same in a mode.
    pub(super) fn mode_room(&self, mode: BodyMode) -> Result<Room, Failure> {
        let (joints, tasks) = (self.body.skeleton().joint_count(), self.defs.len());
        let rows = tasks.saturating_add(1).saturating_mul(MAX_ROWS);
        let (mut squared, mut extra) = (rooms::BYTES_PER_ROW_SQUARED, 0);
        if mode == BodyMode::Track {
            (squared, extra) = (squared + rooms::BESIDE_PER_ROW_SQUARED, rooms::BESIDE.bytes(joints));
        }
        let matrices = rows.saturating_mul(rows).saturating_mul(squared);
        let tasks = tasks.saturating_mul(rooms::PER_TASK.bytes(joints));
        rooms::BODY_TASK.with(joints, tasks.saturating_add(matrices).saturating_add(extra))
    }
    /// Replaces the task at a place of `defs`.
    fn replace(&mut self, place: usize, def: &SinewBodyTaskDef) -> Result<(), Failure> {
        let residual = match &self.body.task(self.defs[place].0)?.demand.task {
            AnyTask::HostTask(task) => Some(task.residual.clone()),
            _ => None,
        };
        let placed = checked::task(def, self.body.skeleton(), residual.as_ref())?;
        let shape = |def: &SinewBodyTaskDef| {
            (def.kind, def.joint, def.other, def.end, def.axes, def.level, def.flags, def.corner_count)
        };
        let _room = if shape(def) == shape(&self.defs[place].1) { None } else { Some(self.task_room()?) };
        self.body.set_task(self.defs[place].0, placed)?;
        self.defs[place].1 = *def;
        Ok(())
    }
}

/// Sets a task anew. It allocates only when kind, joints, level, axes, flags or the number of
/// corners change. Track mode starts anew when joints, level or the number of rows change, which
/// follows from kind and axes.
///
/// @param def  see SinewBodyTaskDef; it may be of another kind. SINEW_BODY_TASK_KIND_HOST is only
///             for tasks that have a function, which stays; with another kind it goes.
/// @return SINEW_ERROR_INVALID_ARGUMENT and others: as for sinew_body_add_task.
pub extern "C" fn sinew_body_set_task(
    body: SinewBody,
    task: SinewBodyTask,
    def: Option<&SinewBodyTaskDef>,
) -> SinewResult {
    guard("sinew_body_set_task", || {
        let def = in_ref(def, "def")?;
        registry::with_body_task(body, task, |host, place| host.replace(place, def))
    })
}

/// Returns a task as it was set.
///
/// @param out_def  the task, struct_size included.
pub extern "C" fn sinew_body_get_task(
    body: SinewBody,
    task: SinewBodyTask,
    out_def: Option<&mut SinewBodyTaskDef>,
) -> SinewResult {
    guard("sinew_body_get_task", || {
        let out = out_ref(out_def, "out_def")?;
        registry::with_body_task(body, task, |host, place| {
            *out = host.defs[place].1;
            Ok(())
        })
    })
}

/// Sets `goal` of a task.
///
/// @param goal  a point in world space, metres.
pub extern "C" fn sinew_body_set_task_goal(
    body: SinewBody,
    task: SinewBodyTask,
    goal: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_body_set_task_goal", || {
        let goal = *in_ref(goal, "goal")?;
        registry::with_body_task(body, task, |host, place| {
            super::read::vec3("goal", &goal)?;
            let def = SinewBodyTaskDef { goal, ..host.defs[place].1 };
            host.replace(place, &def)
        })
    })
}

/// Sets `rotation` of a task.
///
/// @param rotation  see SinewBodyTaskDef::rotation.
pub extern "C" fn sinew_body_set_task_rotation(
    body: SinewBody,
    task: SinewBodyTask,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_body_set_task_rotation", || {
        let rotation = *in_ref(rotation, "rotation")?;
        registry::with_body_task(body, task, |host, place| {
            super::read::quat("rotation", &rotation)?;
            let def = SinewBodyTaskDef { rotation, ..host.defs[place].1 };
            host.replace(place, &def)
        })
    })
}

/// Sets `blend` of a task: fades it in and out.
///
/// @param blend  0 (absent, bit for bit) … 1.
/// @return SINEW_ERROR_INVALID_ARGUMENT: blend.
pub extern "C" fn sinew_body_set_task_blend(body: SinewBody, task: SinewBodyTask, blend: f32) -> SinewResult {
    guard("sinew_body_set_task_blend", || {
        let blend = super::read::fraction("blend", blend)?;
        registry::with_body_task(body, task, |host, place| {
            let def = SinewBodyTaskDef { blend, ..host.defs[place].1 };
            host.replace(place, &def)
        })
    })
}
