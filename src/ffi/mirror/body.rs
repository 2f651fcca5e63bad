//! Whole bodies of Rust programs in a recording.

use super::super::c_types::c_void;
use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::{SinewAvatar, SinewBody, SinewBodyTask};
use super::super::types::*;
use super::super::{body_read, joint_limits, recorder, registry};
use super::checked::checked;
use super::define::Rig;
use super::give::{give, give_at};
use super::left_out::{is_recording, leave_out};
use super::pose::{records, write_back};
use crate::body::{BodyOutcome, BodyTaskName, Drag, DragPin, Dragger, PlacedBody, PlacedBodyError, TaskRequest};
use crate::humanoid::AvatarDefinition;
use crate::limits::JointModel;
use crate::math::{Quat, Transform, Vec3};
use crate::tasks::{HostResidual, Placement, Rows};
use std::sync::Arc;

/// What recordings need to know of a Rust body, and its counterpart while one runs.
#[derive(Debug, Default)]
pub struct RecordedBody {
    avatar: Option<Arc<AvatarDefinition>>,
    /// By name.
    tasks: Vec<NotedTask>,
    mirror: Option<Box<Mirror>>,
}

/// What a task was made of.
#[derive(Clone, Debug)]
struct NotedTask {
    name: BodyTaskName,
    def: SinewBodyTaskDef,
    residual: Option<Arc<dyn HostResidual>>,
}

impl RecordedBody {
    /// Of a body that has the human ranges of an avatar, made of this definition for its skeleton,
    /// or none.
    pub fn new(avatar: Option<Arc<AvatarDefinition>>) -> Self {
        Self { avatar, ..Self::default() }
    }
    /// Notes what a task was made of, after it was added or set. A task that was not noted keeps
    /// the body out of recordings.
    pub fn note_task(&mut self, name: BodyTaskName, request: &TaskRequest<'_>) {
        let def = body_read::task_out(request);
        let residual = request.host.map(|host| host.residual.clone());
        match self.tasks.binary_search_by_key(&name, |task| task.name) {
            Ok(place) => self.tasks[place] = NotedTask { name, def, residual },
            Err(place) => self.tasks.insert(place, NotedTask { name, def, residual }),
        }
    }
    /// Forgets a task, after it was removed.
    pub fn forget_task(&mut self, name: BodyTaskName) {
        self.tasks.retain(|task| task.name != name);
    }
    /// Solves the body: as [`PlacedBody::solve`] does while there is no recording.
    pub fn solve(
        &mut self,
        body: &mut PlacedBody,
        local: &mut [Transform],
        dt_s: f32,
    ) -> Result<BodyOutcome, PlacedBodyError> {
        if !is_recording() {
            return body.solve(local, dt_s);
        }
        let mirrored = self.solve_mirror(body, local, dt_s);
        // Outcomes, and what lasts between frames.
        let outcome = body.solve(local, dt_s)?;
        keep(mirrored, local);
        Ok(outcome)
    }

    /// Drags a joint of a pose: as [`Dragger::drag`] does while there is no recording.
    pub fn drag(
        &mut self,
        dragger: &mut Dragger,
        body: &PlacedBody,
        local: &mut [Transform],
        drag: &Drag<'_>,
    ) -> Result<BodyOutcome, PlacedBodyError> {
        if !is_recording() {
            return dragger.drag(body, local, drag);
        }
        let mirrored = self.drag_mirror(body, local, drag);
        let outcome = dragger.drag(body, local, drag)?;
        keep(mirrored, local);
        Ok(outcome)
    }

    fn solve_mirror(
        &mut self,
        body: &PlacedBody,
        local: &[Transform],
        dt_s: f32,
    ) -> Result<Vec<SinewTransform>, Failure> {
        let mut mirror = self.mirror_of(body)?;
        mirror.feed(body, &self.tasks)?;
        let mut pose = records(local);
        // SAFETY: as many records as stated.
        checked(unsafe { sinew_body_solve(mirror.body, pose.as_mut_ptr(), pose.len() as u32, dt_s, None) })?;
        // A mirror that failed half way is made anew by the next solve.
        self.mirror = Some(mirror);
        Ok(pose)
    }
    fn drag_mirror(
        &mut self,
        body: &PlacedBody,
        local: &[Transform],
        drag: &Drag<'_>,
    ) -> Result<Vec<SinewTransform>, Failure> {
        let mut mirror = self.mirror_of(body)?;
        mirror.feed_all_but_tasks(body)?;
        let pin = |pin: &DragPin| SinewBodyPin {
            joint: pin.joint as u32,
            flags: if pin.holds_rotation { SINEW_BODY_PIN_ROTATION } else { 0 },
        };
        let pins: Vec<SinewBodyPin> = drag.pins.iter().map(pin).collect();
        let drag = SinewBodyDrag {
            struct_size: size_of::<SinewBodyDrag>() as u32,
            joint: drag.joint as u32,
            chain_length: drag.chain_length,
            flags: if drag.rotation_ws.is_some() { SINEW_BODY_DRAG_ROTATION } else { 0 },
            point: drag.point_js.into(),
            goal: drag.goal_ws.into(),
            rotation: drag.rotation_ws.unwrap_or(Quat::IDENTITY).into(),
            pin_count: pins.len() as u32,
            pins: pins.as_ptr(),
        };
        let mut pose = records(local);
        // SAFETY: as many records as stated, and as many pins.
        checked(unsafe { sinew_body_drag(mirror.body, Some(&drag), pose.as_mut_ptr(), pose.len() as u32, None) })?;
        self.mirror = Some(mirror);
        Ok(pose)
    }
    /// The counterpart in this recording, which the caller puts back.
    fn mirror_of(&mut self, body: &PlacedBody) -> Result<Box<Mirror>, Failure> {
        match self.mirror.take() {
            Some(mirror) if mirror.recording == recorder::number() => Ok(mirror),
            _ => Ok(Box::new(Mirror::new(body, self.avatar.as_deref())?)),
        }
    }
}

/// What the counterpart computed is the answer.
fn keep(mirrored: Result<Vec<SinewTransform>, Failure>, local: &mut [Transform]) {
    match mirrored {
        Ok(solved) => write_back(solved, local),
        Err(_) => leave_out(),
    }
}

/// The counterpart of a body in one recording.
#[derive(Debug)]
struct Mirror {
    recording: u32,
    rig: Rig,
    body: SinewBody,
    tasks: Vec<MirroredTask>,
    settings: Option<SinewBodySettings>,
    root: Option<SinewTransform>,
    max_work: Option<u32>,
    limits: Vec<Option<JointModel>>,
    has_ranges: Option<bool>,
    masses: Vec<(f32, Vec3)>,
    couplings: Vec<SinewJointCoupling>,
}

/// A task of the counterpart, as it was set last.
#[derive(Debug)]
struct MirroredTask {
    name: BodyTaskName,
    task: SinewBodyTask,
    def: SinewBodyTaskDef,
    /// What computes its rows, at an address that stays.
    residual: Option<Box<Arc<dyn HostResidual>>>,
}

impl Mirror {
    fn new(body: &PlacedBody, avatar: Option<&AvatarDefinition>) -> Result<Self, Failure> {
        let mut mirror = Self {
            recording: recorder::number(),
            rig: Rig::new(body.skeleton(), avatar)?,
            body: SinewBody { bits: 0 },
            tasks: Vec::new(),
            settings: None,
            root: None,
            max_work: None,
            limits: Vec::new(),
            has_ranges: None,
            masses: Vec::new(),
            couplings: Vec::new(),
        };
        let root = body.root_joint() as u32;
        checked(sinew_body_create(mirror.rig.skeleton, root, None, Some(&mut mirror.body)))?;
        Ok(mirror)
    }

    /// Brings settings and joints to those of the body: all that a drag needs.
    fn feed_all_but_tasks(&mut self, from: &PlacedBody) -> Result<(), Failure> {
        let to = self.body;
        give(&mut self.settings, body_read::settings_out(from), |settings| {
            sinew_body_set_settings(to, Some(settings))
        })?;
        give(&mut self.root, (*from.root()).into(), |root| sinew_body_set_root(to, Some(root)))?;
        give(&mut self.max_work, from.max_work(), |steps| sinew_body_set_max_work(to, *steps))?;
        self.joints(from)
    }
    /// Brings settings, joints, tasks and memory to those of the body.
    fn feed(&mut self, from: &PlacedBody, noted: &[NotedTask]) -> Result<(), Failure> {
        let to = self.body;
        self.feed_all_but_tasks(from)?;
        self.forget_tasks(from, noted)?;
        for (number, (name, placed)) in from.tasks().enumerate() {
            let made_of = noted.iter().find(|task| task.name == name);
            let Some(NotedTask { def, residual, .. }) = made_of else {
                return Err(Failure::argument("a task that was added past the recorder"));
            };
            let def = SinewBodyTaskDef { blend: placed.demand.blend, ..*def };
            match self.tasks.get_mut(number) {
                None => self.add_task(name, def, residual)?,
                Some(last) if last.def != def => {
                    checked(sinew_body_set_task(to, last.task, Some(&def)))?;
                    last.def = def;
                }
                Some(_) => {}
            }
        }
        self.memory(from)
    }

    /// Limits, masses, and joints that follow others.
    fn joints(&mut self, from: &PlacedBody) -> Result<(), Failure> {
        let (to, table) = (self.body, from.limit_table());
        let has_ranges = table.is_layer_enabled() && table.layer_joints().next().is_some();
        if has_ranges && self.rig.avatar.bits == 0 {
            return Err(Failure::argument("human ranges of an avatar that the recorder does not know"));
        }
        let avatar = |has: bool| if has { self.rig.avatar } else { SinewAvatar { bits: 0 } };
        give(&mut self.has_ranges, has_ranges, |has| sinew_body_set_human_ranges(to, avatar(*has)))?;
        let free = body_read::coupling_out(None);
        for joint in 0..from.skeleton().joint_count() {
            let model = table.joint_override(joint).cloned();
            give_at(&mut self.limits, joint, &None, model, |model| {
                let limits = model.as_ref().map(joint_limits::limits_of);
                sinew_body_set_joint_limits(to, joint as u32, limits.as_ref())
            })?;
            give_at(&mut self.masses, joint, &(0.0, Vec3::ZERO), from.mass(joint)?, |(mass, center_js)| {
                sinew_body_set_mass(to, joint as u32, *mass, Some(&(*center_js).into()))
            })?;
            let coupling = body_read::coupling_out(from.joint_coupling(joint)?);
            give_at(&mut self.couplings, joint, &free, coupling, |coupling| {
                sinew_body_set_joint_coupling(to, joint as u32, Some(coupling))
            })?;
        }
        Ok(())
    }

    /// Removes the tasks that the body has no more, and those whose function is another one.
    fn forget_tasks(&mut self, from: &PlacedBody, noted: &[NotedTask]) -> Result<(), Failure> {
        let stays = |last: &MirroredTask| {
            let now = noted.iter().find(|task| task.name == last.name && from.task(task.name).is_ok());
            now.is_some_and(|task| match (&task.residual, &last.residual) {
                (None, None) => true,
                (Some(now), Some(last)) => Arc::ptr_eq(now, last),
                _ => false,
            })
        };
        // Those behind it are added again: the order of tasks is that of the body.
        let first = self.tasks.iter().position(|last| !stays(last)).unwrap_or(self.tasks.len());
        for last in self.tasks.drain(first..) {
            checked(sinew_body_remove_task(self.body, last.task))?;
        }
        Ok(())
    }

    fn add_task(
        &mut self,
        name: BodyTaskName,
        def: SinewBodyTaskDef,
        residual: &Option<Arc<dyn HostResidual>>,
    ) -> Result<(), Failure> {
        let mut task = SinewBodyTask { bits: 0 };
        let residual = residual.clone().map(Box::new);
        checked(match &residual {
            None => sinew_body_add_task(self.body, Some(&def), Some(&mut task)),
            Some(residual) => {
                let user = (&raw const **residual).cast_mut().cast();
                // SAFETY: the residual stays where it is until the task or the body is gone.
                unsafe { sinew_body_add_host_task(self.body, Some(&def), Some(compute_rows), user, Some(&mut task)) }
            }
        })?;
        self.tasks.push(MirroredTask { name, task, def, residual });
        Ok(())
    }

    /// What track mode remembers, where the two differ.
    fn memory(&self, from: &PlacedBody) -> Result<(), Failure> {
        let mut wanted = vec![0; from.snapshot_size()];
        from.snapshot_into(&mut wanted);
        let is_same = registry::with_body(self.body, |host| {
            let mut now = vec![0; host.body.snapshot_size()];
            host.body.snapshot_into(&mut now);
            Ok::<_, Failure>(now == wanted)
        })?;
        if is_same {
            return Ok(());
        }
        // SAFETY: as many bytes as stated.
        checked(unsafe { sinew_body_restore(self.body, wanted.as_ptr(), wanted.len() as u32) })
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // Not logged: the recording may be another one by now. What was not created is refused.
        let _ = registry::remove_body(self.body);
    }
}

/// Rows by the residual at `user`.
extern "C-unwind" fn compute_rows(user: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    // SAFETY: `add_task` handed it over.
    let residual = unsafe { &*user.cast::<Arc<dyn HostResidual>>() };
    // SAFETY: three placements and one record, as the contract of this function has it.
    let (at, out) = unsafe { (&*at.cast::<[SinewTaskPlacement; 3]>(), &mut *out_rows) };
    let placements = at.map(|at| Placement { position: at.position.into(), rotation: at.rotation.into() });
    let mut rows = Rows::default();
    residual.evaluate(&placements, &mut rows);
    out.value = rows.value;
    for (to, term) in out.terms.iter_mut().zip(&rows.terms) {
        to.point = term.point.into();
        to.force = term.force.map(SinewVec3::from);
        to.torque = term.torque.map(SinewVec3::from);
    }
}
