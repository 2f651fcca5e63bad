//! A body in the world, as hosts use one: a root transform, goals in world space, pins, poses as
//! local transforms.

use super::couplings::JointCoupling;
use super::demand::Demand;
use super::effector::Effector;
use super::eight_memory::EightMemory;
use super::settings::{BodyDetail, BodySettings};
use super::solver::{Body, BodyError, BodyOutcome, BodyTaskId, TaskOutcome};
use crate::limits::{JointModel, LimitLayer, LimitTable};
use crate::math::{Quat, Transform, Vec3, conjugate_by_signs};
use crate::outcome::Status;
use crate::skeleton::{JointIndex, Pose, PoseError, Skeleton};
use crate::tasks::{Anchor, AnyTask, MAX_ANCHORS, Placement, Task, Unit, point_out, rotation_out};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How a body goes from one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyMode {
    /// Stateless: each answer depends on the incoming pose and the tasks alone.
    #[default]
    Converge,
    /// Follows the goals from the last answer, with bounded work per frame.
    Track,
}

/// A task in world space.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedDemand {
    /// The task, its goal in world space.
    pub demand: Demand,
    /// Whether the frame of masked axes is given in model space: it turns with the root.
    pub axes_in_model: bool,
    /// Whether the goal is where the incoming pose has the effector, in each solve anew; the goal
    /// that is given does not count.
    pub pinned: bool,
}

impl PlacedDemand {
    /// Changes the goal of a position or an orientation.
    fn set_goal(&mut self, to: Effector) {
        match (&mut self.demand.task, to) {
            (AnyTask::Position(task), Effector::Point(point)) => task.goal = point,
            (AnyTask::Orientation(task), Effector::Turn(turn)) => task.goal = turn,
            _ => {}
        }
    }
}

impl From<Demand> for PlacedDemand {
    fn from(demand: Demand) -> Self {
        Self { demand, axes_in_model: false, pinned: false }
    }
}

/// Name of a task of a [`PlacedBody`]; unique in the process and never used again. It has no
/// influence on any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyTaskName(pub u64);

static NEXT_NAME: AtomicU64 = AtomicU64::new(1);

/// Why a body in the world refused something.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlacedBodyError {
    /// The body refused it.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The pose is none.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// Rows that the host computes.
    #[error("body has a task whose rows, which the host computes, are not finite")]
    HostRows,
    /// The root's scale has not the same size on every axis, or has none.
    #[error("the root's scale ({x}, {y}, {z}) has not the same size above 0 on every axis")]
    UnevenRoot {
        /// Scale along X.
        x: f32,
        /// Scale along Y.
        y: f32,
        /// Scale along Z.
        z: f32,
    },
}

#[derive(Clone, Debug)]
struct Entry {
    name: BodyTaskName,
    id: BodyTaskId,
    placed: PlacedDemand,
    /// Whether a solve has met it since it was set.
    is_met: bool,
}

/// A body in the world.
#[derive(Clone, Debug)]
pub struct PlacedBody {
    pub(super) body: Body,
    pub(super) mode: BodyMode,
    root: Transform,
    pub(super) pose: Pose,
    /// Where model space was in the world in the last solve.
    solved_root: Option<Transform>,
    /// By name.
    entries: Vec<Entry>,
    /// Of a body in track mode: memory to be solved beside others.
    pub(super) beside: Option<EightMemory>,
}

impl PlacedBody {
    /// A body of all joints below `root`, as [`Body::new`] makes it.
    pub fn new(skeleton: Arc<Skeleton>, root: JointIndex) -> Result<Self, PlacedBodyError> {
        let pose = Pose::rest(&skeleton);
        let body = Body::new(skeleton, root)?;
        Ok(Self {
            body,
            mode: BodyMode::Converge,
            root: Transform::IDENTITY,
            pose,
            solved_root: None,
            entries: Vec::new(),
            beside: None,
        })
    }
    /// The skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.body.skeleton
    }
    /// The mode.
    pub fn mode(&self) -> BodyMode {
        self.mode
    }
    /// Changes the mode; what track mode remembers is forgotten. Allocates for track mode.
    pub fn set_mode(&mut self, mode: BodyMode) {
        if mode != self.mode {
            self.mode = mode;
            self.body.reset();
            self.make_room_beside();
        }
    }
    /// Settings. Lengths are in model space.
    pub fn settings(&self) -> &BodySettings {
        self.body.settings()
    }
    /// Changes the settings. Allocates where [`Self::lacks_room_for`] them.
    pub fn set_settings(&mut self, settings: BodySettings) {
        self.body.set_settings(settings);
    }
    /// See [`Body::lacks_room_for`].
    pub fn lacks_room_for(&self, settings: &BodySettings) -> bool {
        self.body.lacks_room_for(settings)
    }
    /// Whether the body's root may move and turn; default true.
    pub fn is_floating(&self) -> bool {
        self.body.floating
    }
    /// Changes whether the body's root may move and turn.
    pub fn set_floating(&mut self, floating: bool) {
        self.body.set_floating(floating);
    }
    /// How many steps of work a solve may take.
    pub fn max_work(&self) -> u32 {
        self.body.max_work()
    }
    /// Changes how many steps of work a solve may take: see [`Body::set_max_work`].
    pub fn set_max_work(&mut self, steps: u32) {
        self.body.set_max_work(steps);
    }
    /// What a joint may do.
    pub fn joint_limits(&self, joint: JointIndex) -> Result<&JointModel, PlacedBodyError> {
        self.body.check_joint(joint)?;
        Ok(self.body.limits.joint_override(joint).unwrap_or(&JointModel::FREE))
    }
    /// Changes what a joint may do; see [`Body::set_joint_limits`].
    pub fn set_joint_limits(&mut self, joint: JointIndex, model: JointModel) -> Result<(), PlacedBodyError> {
        Ok(self.body.set_joint_limits(joint, model)?)
    }
    /// Takes over a limit table of the same skeleton, as [`Body::set_limit_table`] does.
    pub fn set_limit_table(&mut self, limits: LimitTable) {
        self.body.set_limit_table(limits);
    }
    /// Limits of the joints: overrides and human ranges.
    pub fn limit_table(&self) -> &LimitTable {
        self.body.limit_table()
    }
    /// The joint that carries the body.
    pub fn root_joint(&self) -> JointIndex {
        self.body.root
    }
    /// Sets the human ranges of an avatar of the same skeleton, or none; limits of single joints
    /// stay and come before them.
    pub fn set_limit_layer(&mut self, layer: Option<Arc<LimitLayer>>) {
        self.body.set_limit_layer(layer);
    }
    /// How a joint follows another; `None` where it does not.
    pub fn joint_coupling(&self, joint: JointIndex) -> Result<Option<&JointCoupling>, PlacedBodyError> {
        Ok(self.body.joint_coupling(joint)?)
    }
    /// Makes a joint follow another, or turn freely: see [`Body::set_joint_coupling`].
    pub fn set_joint_coupling(
        &mut self,
        joint: JointIndex,
        coupling: Option<JointCoupling>,
    ) -> Result<(), PlacedBodyError> {
        Ok(self.body.set_joint_coupling(joint, coupling)?)
    }
    /// Takes over the couplings of joints that are both below the root; before any task.
    pub(super) fn copy_couplings(&mut self, other: &Self) {
        for (joint, coupling) in &other.body.couplings {
            _ = self.body.set_joint_coupling(*joint, Some(*coupling));
        }
    }
    pub(super) fn copy_limits(&mut self, other: &Self) {
        self.body.copy_limits(&other.body);
    }
    /// Mass of a joint (any unit, 0 or more) and its centre in the joint's space.
    pub fn mass(&self, joint: JointIndex) -> Result<(f32, Vec3), PlacedBodyError> {
        self.body.check_joint(joint)?;
        Ok(self.body.masses[joint])
    }
    /// See [`Body::moves_masses`].
    pub fn moves_masses(&self) -> bool {
        self.body.moves_masses()
    }
    /// Changes the mass of a joint; see [`Body::set_mass`].
    pub fn set_mass(&mut self, joint: JointIndex, mass: f32, center_js: Vec3) -> Result<(), PlacedBodyError> {
        Ok(self.body.set_mass(joint, mass, center_js)?)
    }

    /// Where model space is in the world.
    pub fn root(&self) -> &Transform {
        &self.root
    }
    /// How large model space is in the world.
    pub(super) fn root_size(&self) -> f32 {
        self.root.scale.x.abs()
    }
    /// Moves model space; goals stay where they are in the world. Its scale must have the same size
    /// on every axis; it may mirror.
    pub fn set_root(&mut self, root: Transform) -> Result<(), PlacedBodyError> {
        let Vec3 { x, y, z } = root.scale;
        let size = x.abs();
        let even = |other: f32| (size - other.abs()).abs() <= 1e-3 * size;
        if !(size > 0.0 && even(y) && even(z)) {
            return Err(PlacedBodyError::UnevenRoot { x, y, z });
        }
        if root == self.root {
            return Ok(());
        }
        self.root = root;
        // Pins are where the last solve has held them, until the next.
        for entry in self.entries.iter().filter(|entry| !entry.placed.pinned) {
            self.body.set_task(entry.id, in_model(&entry.placed, &root))?;
        }
        Ok(())
    }

    /// Adds a task. Allocates.
    pub fn add_task(&mut self, placed: PlacedDemand) -> Result<BodyTaskName, PlacedBodyError> {
        let id = self.body.add_task(in_model(&placed, &self.root))?;
        let name = BodyTaskName(NEXT_NAME.fetch_add(1, Ordering::Relaxed));
        self.entries.push(Entry { name, id, placed, is_met: false });
        self.make_room_beside();
        Ok(name)
    }
    fn entry(&self, name: BodyTaskName) -> Result<usize, PlacedBodyError> {
        self.entries.binary_search_by_key(&name, |e| e.name).map_err(|_| BodyError::NoSuchTask.into())
    }
    /// A task as it was set.
    pub fn task(&self, name: BodyTaskName) -> Result<&PlacedDemand, PlacedBodyError> {
        Ok(&self.entries[self.entry(name)?].placed)
    }
    /// Replaces a task. Does not allocate when joints, number of rows and level stay.
    pub fn set_task(&mut self, name: BodyTaskName, placed: PlacedDemand) -> Result<(), PlacedBodyError> {
        let entry = self.entry(name)?;
        self.body.set_task(self.entries[entry].id, in_model(&placed, &self.root))?;
        self.body.forget_outcome(self.entries[entry].id);
        let entry = &mut self.entries[entry];
        (entry.placed, entry.is_met) = (placed, false);
        Ok(())
    }
    /// Removes a task.
    pub fn remove_task(&mut self, name: BodyTaskName) -> Result<(), PlacedBodyError> {
        let entry = self.entry(name)?;
        self.body.remove_task(self.entries[entry].id)?;
        self.entries.remove(entry);
        Ok(())
    }
    /// All tasks, in the order in which they were added.
    pub fn tasks(&self) -> impl Iterator<Item = (BodyTaskName, &PlacedDemand)> {
        self.entries.iter().map(|e| (e.name, &e.placed))
    }

    /// Solves a pose for all tasks: local transforms, one per joint, in place. Joints that nothing
    /// moves keep their bits. `dt_s` is the length of the frame, for track mode. An answer that no
    /// f32 can hold leaves the pose as it is, with `Stalled` as the outcome.
    pub fn solve(&mut self, local: &mut [Transform], dt_s: f32) -> Result<BodyOutcome, PlacedBodyError> {
        self.attempt(local, dt_s)?;
        local.copy_from_slice(self.pose.local());
        Ok(self.outcome())
    }
    /// Solves; the answer is [`Self::pose`].
    pub(super) fn attempt(&mut self, local: &[Transform], dt_s: f32) -> Result<(), PlacedBodyError> {
        self.begin_attempt(local, dt_s)?;
        match self.mode {
            BodyMode::Converge => self.body.solve(&mut self.pose)?,
            BodyMode::Track => self.body.track(&mut self.pose, dt_s)?,
        };
        self.end_attempt(local)
    }
    pub(super) fn begin_attempt(&mut self, local: &[Transform], dt_s: f32) -> Result<(), PlacedBodyError> {
        self.check_count(local)?;
        if !(0.0..=1e3).contains(&dt_s) {
            return Err(BodyError::OutOfRange { name: "dt", value: dt_s }.into());
        }
        self.pose.load_checked(local)?;
        // A solve updates the pose.
        let needs_root_only = self.pose.is_known_plain()
            && self.body.needs_root_only()
            && !self.entries.iter().any(|entry| entry.placed.pinned);
        if needs_root_only {
            self.pose.update_first(&self.body.skeleton, self.body.root);
        } else {
            self.pose.update(&self.body.skeleton);
        }
        self.place_tasks()
    }
    pub(super) fn end_attempt(&mut self, local: &[Transform]) -> Result<(), PlacedBodyError> {
        if self.body.is_idle() {
            self.pose.update(&self.body.skeleton);
        }
        if self.body.lacks_host_rows() {
            self.look(local)?;
            return Err(PlacedBodyError::HostRows);
        }
        if !self.body.answer_is_finite(&self.pose) {
            self.load(local)?;
            self.body.reset();
            let (residual_m, residual_rad) = (f32::MAX, core::f32::consts::PI);
            self.body.outcome = BodyOutcome { status: Status::Stalled, residual_m, residual_rad, ..self.body.outcome };
        }
        Ok(())
    }
    fn check_count(&self, local: &[Transform]) -> Result<(), PlacedBodyError> {
        let (given, count) = (local.len(), self.pose.local().len());
        if given == count { Ok(()) } else { Err(BodyError::WrongPose { given, count }.into()) }
    }
    /// Takes over a pose.
    pub(super) fn load(&mut self, local: &[Transform]) -> Result<(), PlacedBodyError> {
        self.check_count(local)?;
        self.pose.load_checked(local)?;
        self.pose.update(&self.body.skeleton);
        Ok(())
    }

    /// [`Self::solve`] with less work than the settings allow.
    pub fn solve_detailed(
        &mut self,
        local: &mut [Transform],
        dt_s: f32,
        detail: &BodyDetail,
    ) -> Result<BodyOutcome, PlacedBodyError> {
        self.attempt_detailed(local, dt_s, detail)?;
        local.copy_from_slice(self.pose.local());
        Ok(self.outcome())
    }
    pub(super) fn attempt_detailed(
        &mut self,
        local: &[Transform],
        dt_s: f32,
        detail: &BodyDetail,
    ) -> Result<(), PlacedBodyError> {
        let settings = *self.settings();
        self.body.set_settings(detail.of(&settings));
        let done = self.attempt(local, dt_s);
        self.body.set_settings(settings);
        done
    }
    /// Takes over a pose without a solve, for debug lines: nothing is met, nothing is remembered.
    pub fn look(&mut self, local: &[Transform]) -> Result<(), PlacedBodyError> {
        self.load(local)?;
        self.body.reset();
        self.body.outcome = BodyOutcome::INACTIVE;
        self.place_tasks()
    }

    /// Takes what is given in joints' spaces to where the scales of the pose have it, since the
    /// solve knows rotations only, and pins to where their effectors are.
    fn place_tasks(&mut self) -> Result<(), PlacedBodyError> {
        for Entry { id, placed, .. } in &self.entries {
            if placed.pinned {
                let mut demand = in_model(placed, &self.root);
                scale_points(&mut demand.task, &placed.demand.task, &self.pose);
                demand.task = demand.task.held_at(&self.placements(&demand));
                self.body.set_task(*id, demand)?;
            } else if let Some(demand) = self.body.demand_mut(*id) {
                scale_points(&mut demand.task, &placed.demand.task, &self.pose);
            }
        }
        self.entries.iter_mut().for_each(|entry| entry.is_met = true);
        self.solved_root = Some(self.root);
        Ok(())
    }
    /// Where model space was in the world in the last solve; before the first, where it is.
    pub(super) fn solved_root(&self) -> &Transform {
        self.solved_root.as_ref().unwrap_or(&self.root)
    }
    /// Of a task that is a pin, whether a solve has held it since it was set.
    pub(super) fn pin(&self, id: BodyTaskId) -> Option<bool> {
        let entry = self.entries.iter().find(|entry| entry.id == id && entry.placed.pinned)?;
        Some(entry.is_met)
    }

    /// Where the effector of a task is in the last pose, world space; `None` where it is not a
    /// position or an orientation that may be tied.
    pub(super) fn effector(&self, name: BodyTaskName) -> Result<Option<Effector>, PlacedBodyError> {
        let placed = &self.entries[self.entry(name)?].placed;
        let at = self.placements(&placed.demand)[0];
        Ok(match &placed.demand.task {
            _ if placed.pinned => None,
            AnyTask::Position(task) => {
                let frame = self.pose.model(task.joint);
                Some(Effector::Point(self.to_world(frame.point_out(task.point_js))))
            }
            AnyTask::Orientation(_) => Some(Effector::Turn(rotation_out(&self.root, at.rotation))),
            _ => None,
        })
    }
    /// Sets what is solved for by a task; what was set stays, for [`Self::keep_goal`].
    pub(super) fn aim_at(&mut self, name: BodyTaskName, goal: Effector) -> Result<(), PlacedBodyError> {
        let entry = &self.entries[self.entry(name)?];
        let (id, mut placed) = (entry.id, entry.placed.clone());
        placed.set_goal(goal);
        Ok(self.body.set_task(id, in_model(&placed, &self.root))?)
    }
    /// Changes the goal of a task; `None` solves again for the one that was set.
    pub(super) fn keep_goal(&mut self, name: BodyTaskName, goal: Option<Effector>) {
        let Ok(entry) = self.entry(name) else { return };
        let Entry { id, placed, .. } = &mut self.entries[entry];
        if let Some(goal) = goal {
            placed.set_goal(goal);
        }
        _ = self.body.set_task(*id, in_model(placed, &self.root));
    }
    /// Saves what track mode remembers, for [`Self::recall_memory`].
    pub(super) fn save_memory(&mut self) {
        if self.mode == BodyMode::Track {
            self.body.save_memory();
        }
    }
    /// Brings back what track mode remembered.
    pub(super) fn recall_memory(&mut self) {
        if self.mode == BodyMode::Track {
            self.body.recall_memory();
        }
    }

    /// How far the Jacobian of rows that the host computes is from their own differences, at the
    /// last pose: see [`crate::tasks::HostTask::jacobian_error`]. `None` for other tasks.
    pub fn host_jacobian_error(&self, name: BodyTaskName) -> Result<Option<f32>, PlacedBodyError> {
        let demand = in_model(&self.entries[self.entry(name)?].placed, &self.root);
        Ok(match &demand.task {
            AnyTask::HostTask(task) => Some(task.jacobian_error(&self.placements(&demand))),
            _ => None,
        })
    }
    /// Where the anchors of a task are in the pose.
    pub(super) fn placements(&self, demand: &Demand) -> [Placement; MAX_ANCHORS] {
        demand.task.anchors().map(|anchor| match anchor {
            None => Placement::IDENTITY,
            Some(Anchor::Joint(joint)) => {
                let frame = self.pose.model(joint);
                Placement { position: frame.position, rotation: frame.rotation }
            }
            Some(Anchor::CenterOfMass) => {
                Placement { position: self.center_of_mass_ms().unwrap_or(Vec3::ZERO), rotation: Quat::IDENTITY }
            }
        })
    }
    /// The centre of mass in the last pose, model space; `None` while no joint has a mass.
    pub(super) fn center_of_mass_ms(&self) -> Option<Vec3> {
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for (joint, (mass, center_js)) in self.body.masses.iter().enumerate().filter(|(_, (mass, _))| *mass > 0.0) {
            let frame = self.pose.model(joint);
            sum += frame.point_out(*center_js) * *mass;
            total += mass;
        }
        (total > 0.0).then(|| sum * (1.0 / total))
    }
    /// The centre of mass in the last pose, world space; `None` while no joint has a mass.
    pub fn center_of_mass_ws(&self) -> Option<Vec3> {
        self.center_of_mass_ms().map(|c| self.to_world(c))
    }
    /// A point of model space in the world.
    fn to_world(&self, point_ms: Vec3) -> Vec3 {
        point_out(&self.root, point_ms)
    }
    /// The last pose that was solved; the rest pose before the first.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
    /// The body itself.
    pub(super) fn body(&self) -> &Body {
        &self.body
    }

    /// How the last solve ended; metres are those of world space.
    pub fn outcome(&self) -> BodyOutcome {
        let outcome = *self.body.outcome();
        BodyOutcome { residual_m: finite(outcome.residual_m * self.root_size()), ..outcome }
    }
    /// How a task ended in the last solve; metres are those of world space.
    pub fn task_outcome(&self, name: BodyTaskName) -> Result<(TaskOutcome, Unit), PlacedBodyError> {
        let entry = &self.entries[self.entry(name)?];
        let outcome = self.body.task_outcome(entry.id)?;
        let unit = entry.placed.demand.task.unit();
        let scale = if unit == Unit::Length { self.root_size() } else { 1.0 };
        Ok((TaskOutcome { residual: finite(outcome.residual * scale), ..outcome }, unit))
    }
    /// Calls `visit` for each joint that stands on a border of its limits in the last answer, in
    /// joint order: of all joints, or of those that the joints of one task depend on.
    pub fn limited_joints(
        &self,
        name: Option<BodyTaskName>,
        mut visit: impl FnMut(JointIndex),
    ) -> Result<(), PlacedBodyError> {
        let Some(name) = name else {
            self.body.limited_joints(visit);
            return Ok(());
        };
        let anchors = self.entries[self.entry(name)?].placed.demand.task.anchors();
        let skeleton = &self.body.skeleton;
        self.body.limited_joints(|joint| {
            let carries = |anchor: &Anchor| match anchor {
                Anchor::Joint(end) => skeleton.is_self_or_ancestor(joint, *end),
                Anchor::CenterOfMass => true,
            };
            if anchors.iter().flatten().any(carries) {
                visit(joint);
            }
        });
        Ok(())
    }

    /// Forgets what track mode remembers: after a teleport or a cut.
    pub fn reset(&mut self) {
        self.body.reset();
    }
    /// Number of bytes of a snapshot. It changes when tasks are added or removed, or get other
    /// joints.
    pub fn snapshot_size(&self) -> usize {
        self.body.snapshot_size()
    }
    /// Writes what track mode remembers to the front of `out`; false, and nothing, where it is too
    /// short. A body with the same tasks, settings and poses that [`Self::restore`]s it goes on
    /// with the same bits.
    pub fn snapshot_into(&self, out: &mut [u8]) -> bool {
        self.body.snapshot_into(out)
    }
    /// Replaces what track mode remembers by a snapshot; changes nothing where it is none of such a
    /// body.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        self.body.restore(bytes)
    }
}

/// Sets what `given` has in joints' spaces as the solve knows these, which are rotations: points as
/// vectors that turn with the joints, axes and relative rotations as mirrors above a joint have
/// them.
fn scale_points(task: &mut AnyTask, given: &AnyTask, pose: &Pose) {
    let points = given.points();
    if points.iter().flatten().any(|(_, point)| *point != Vec3::ZERO) {
        task.set_points(points.map(|point| {
            let Some((joint, point)) = point else { return Vec3::ZERO };
            let frame = pose.model(joint);
            if frame.is_rigid() { point } else { frame.rotation.conjugate() * frame.vector_out(point) }
        }));
    }
    let signs = |joint: JointIndex| pose.model(joint).signs();
    match (task, given) {
        (AnyTask::Axis(task), AnyTask::Axis(given)) => task.axis_js = signs(given.joint) * given.axis_js,
        (AnyTask::Gaze(task), AnyTask::Gaze(given)) => task.axis_js = signs(given.joint) * given.axis_js,
        (AnyTask::RelativeOrientation(task), AnyTask::RelativeOrientation(given)) => {
            task.rotation = conjugate_by_signs(given.rotation, signs(given.other));
        }
        _ => {}
    }
}

fn in_model(placed: &PlacedDemand, root: &Transform) -> Demand {
    if *root == Transform::IDENTITY {
        return placed.demand.clone();
    }
    Demand { task: placed.demand.task.seen_from(root, placed.axes_in_model), ..placed.demand }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { f32::MAX }
}
