//! The body: tasks on a skeleton, and the solve.

use super::couplings::JointCoupling;
use super::demand::Demand;
use super::descent::Solve;
use super::motion::Velocities;
use super::plan::Plan;
use super::settings::{BodySettings, TrackSolver};
use super::state::rest_of;
use crate::limits::{JointModel, LimitLayer, LimitTable, PreparedJoint};
use crate::math::{Quat, Vec3};
use crate::optim::Work;
use crate::outcome::Status;
use crate::skeleton::{JointIndex, Skeleton};
use crate::tasks::{Anchor, AnyTask, Task};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Number of the next joints' models; it has no influence on any result.
static NEXT_MODELS: AtomicU64 = AtomicU64::new(1);

/// Names a task of a body; stays valid until the task is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyTaskId(pub(super) usize);

/// Why a body refused something.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// No such joint.
    #[error("joint {joint} does not exist; the skeleton has {count}")]
    NoSuchJoint {
        /// The requested joint.
        joint: JointIndex,
        /// How many there are.
        count: usize,
    },
    /// No such task.
    #[error("there is no such task")]
    NoSuchTask,
    /// Blend, importance or level out of range.
    #[error("{name} is {value}, outside of its range")]
    OutOfRange {
        /// What.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// A joint cannot follow another.
    #[error("joint {joint} cannot follow joint {driver}: {why}")]
    BadCoupling {
        /// The joint.
        joint: JointIndex,
        /// The one it would follow.
        driver: JointIndex,
        /// Why not.
        why: &'static str,
    },
    /// The pose has another number of joints.
    #[error("the pose has {given} joints, the skeleton {count}")]
    WrongPose {
        /// Joints of the pose.
        given: usize,
        /// Joints of the skeleton.
        count: usize,
    },
}

/// How one task ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskOutcome {
    /// `Inactive` at blend 0, `Reached` within tolerance, else as the whole solve ended.
    pub status: Status,
    /// What is left of the blended goal: metres or radians, by the task's unit.
    pub residual: f32,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOutcome {
    /// `Reached` when all tasks are met.
    pub status: Status,
    /// Iterations of all attempts.
    pub iterations: u32,
    /// Start poses tried, the incoming one included.
    pub attempts: u32,
    /// Largest residual of the tasks in metres.
    pub residual_m: f32,
    /// Largest residual of the tasks in radians.
    pub residual_rad: f32,
}

impl BodyOutcome {
    /// No task was present.
    pub const INACTIVE: Self =
        Self { status: Status::Inactive, iterations: 0, attempts: 0, residual_m: 0.0, residual_rad: 0.0 };
}

/// A body: a skeleton's joints below a root, tasks, and the memory of a solve. Setting tasks up may
/// allocate; solving does not.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) root: JointIndex,
    pub(super) floating: bool,
    pub(super) settings: BodySettings,
    pub(super) limits: LimitTable,
    /// How readily each joint turns beside others, by joint; empty: all alike.
    mobilities: Vec<f32>,
    /// Numbers of the joints' models, the same where they are known to be: of these, and of others
    /// that are known to differ.
    models_number: u64,
    unlike_number: u64,
    /// Whether a joint may be beyond its limits as far as the incoming pose is.
    pub(super) keeps_violations: bool,
    pub(super) masses: Vec<(f32, Vec3)>,
    /// Joints that follow others, by joint.
    pub(super) couplings: Vec<(JointIndex, JointCoupling)>,
    pub(super) demands: Vec<Option<Demand>>,
    pub(super) solve: Box<Solve>,
    pub(super) slots: [super::state::Coordinates; 2],
    /// Of track mode with an acceleration cap.
    pub(super) velocities: Velocities,
    pub(super) outcome: BodyOutcome,
    /// What each task lacked at the end of the last solve, and its tolerance; `None` where it did
    /// not take part.
    pub(super) ended: Vec<Option<(f32, f32)>>,
    /// Whether track mode has a last answer.
    pub(super) has_last: bool,
    /// Damping that it ended with.
    pub(super) damping: f32,
    /// What track mode remembered, while rounds of a call are tried.
    pub(super) saved: Vec<u32>,
    /// Steps that a solve may take, and what may end it early.
    pub(super) max_work: u32,
    pub(super) interrupts: Work,
}

impl Body {
    /// A body of all joints below `root`, which floats; no tasks, no limits, no masses.
    pub fn new(skeleton: Arc<Skeleton>, root: JointIndex) -> Result<Self, BodyError> {
        let count = skeleton.joint_count();
        if root >= count {
            return Err(BodyError::NoSuchJoint { joint: root, count });
        }
        let mut body = Self {
            limits: LimitTable::default(),
            mobilities: Vec::new(),
            models_number: 0,
            unlike_number: 0,
            keeps_violations: false,
            masses: vec![(0.0, Vec3::ZERO); count],
            skeleton,
            root,
            floating: true,
            settings: BodySettings::default(),
            couplings: Vec::new(),
            demands: Vec::new(),
            solve: Box::default(),
            slots: Default::default(),
            velocities: Velocities::default(),
            outcome: BodyOutcome::INACTIVE,
            ended: Vec::new(),
            has_last: false,
            damping: 0.0,
            saved: Vec::new(),
            max_work: Work::MOST,
            interrupts: Work::default(),
        };
        body.replan();
        Ok(body)
    }
    /// Settings.
    pub fn settings(&self) -> &BodySettings {
        &self.settings
    }
    /// Changes the settings. Allocates where [`Self::lacks_room_for`] them.
    pub fn set_settings(&mut self, settings: BodySettings) {
        self.settings = settings;
        self.make_room_for_directions();
    }
    /// Whether these settings need memory that the body does not have yet: those of a
    /// [`TrackSolver`] other than the default.
    pub fn lacks_room_for(&self, settings: &BodySettings) -> bool {
        settings.track_solver != TrackSolver::Adaptive && self.solve.step.spectrum.room() < self.direction_rows()
    }
    fn make_room_for_directions(&mut self) {
        if self.lacks_room_for(&self.settings) {
            let rows = self.direction_rows();
            self.solve.step.make_room_for_directions(rows);
        }
    }
    /// Most rows whose directions a solve finds.
    fn direction_rows(&self) -> usize {
        self.solve.plan.all_rows.min(BodySettings::MAX_DIRECTIONS)
    }
    /// Sets how many steps of work a solve may take; then it ends with its best pose so far. See
    /// [`crate::optim::work`]. At most [`Work::MOST`], the default.
    pub fn set_max_work(&mut self, steps: u32) {
        self.max_work = steps.min(Work::MOST);
    }
    /// See [`Self::set_max_work`].
    pub fn max_work(&self) -> u32 {
        self.max_work
    }
    /// Takes over what may end a solve early.
    pub fn share_interrupts(&mut self, other: &Work) {
        self.interrupts.share_interrupts(other);
    }
    /// Whether the root may move and turn; default true.
    pub fn set_floating(&mut self, floating: bool) {
        self.floating = floating;
    }
    /// Overrides what a joint may do, counted from its rest rotation. Of the root only the stretch
    /// counts: it moves and turns as the tasks have it, or stays.
    pub fn set_joint_limits(&mut self, joint: JointIndex, model: JointModel) -> Result<(), BodyError> {
        self.override_limits(joint, Some(&model))
    }
    /// Clears the override of a joint.
    pub fn clear_joint_limits(&mut self, joint: JointIndex) -> Result<(), BodyError> {
        self.override_limits(joint, None)
    }
    /// The override of a joint's limits.
    pub fn joint_limits(&self, joint: JointIndex) -> Result<Option<&JointModel>, BodyError> {
        self.check_joint(joint)?;
        Ok(self.limits.joint_override(joint))
    }
    fn override_limits(&mut self, joint: JointIndex, model: Option<&JointModel>) -> Result<(), BodyError> {
        self.check_joint(joint)?;
        self.limits.set_override(&self.skeleton, joint, model);
        self.load_models();
        Ok(())
    }
    /// Takes over a limit table of the same skeleton, overrides included: that of an animator, or
    /// one with the human ranges of an avatar. Allocates.
    pub fn set_limit_table(&mut self, limits: LimitTable) {
        self.limits = limits;
        self.load_models();
    }
    /// Limits of the joints: overrides and human ranges.
    pub fn limit_table(&self) -> &LimitTable {
        &self.limits
    }
    /// Changes whether a joint may be beyond its limits as far as the incoming pose is; default
    /// false. When it may, the limits of such a joint count from where its rotation would be
    /// without the violation, and the violation is added to the answer: a pose that needs no change
    /// gets none, and what fades in starts at the animation.
    pub fn set_keeps_violations(&mut self, keeps: bool) {
        self.keeps_violations = keeps;
    }
    /// How readily a joint turns beside others, 0.01 … 1 (default): a joint of 0.5 takes half of
    /// the turn of its neighbours. Multiplies what the stiffness of its limits leaves.
    pub fn set_joint_mobility(&mut self, joint: JointIndex, mobility: f32) -> Result<(), BodyError> {
        self.check_joint(joint)?;
        if !(0.01..=1.0).contains(&mobility) {
            return Err(BodyError::OutOfRange { name: "mobility", value: mobility });
        }
        self.mobilities.resize(self.skeleton.joint_count(), 1.0);
        self.mobilities[joint] = mobility;
        self.load_models();
        Ok(())
    }
    /// Takes over the limits of another body of the same skeleton; allocates only where that one
    /// has overrides and this one had none.
    pub(super) fn copy_limits(&mut self, other: &Self) {
        self.limits.copy_from(&other.limits);
        self.load_models();
    }
    /// Whether [`Self::copy_limits`] would allocate.
    pub(super) fn lacks_room_for_limits(&self, other: &Self) -> bool {
        self.limits.lacks_room_for(&other.limits)
    }
    /// Sets the human ranges of an avatar of the same skeleton, or none; overrides stay.
    pub fn set_limit_layer(&mut self, layer: Option<Arc<LimitLayer>>) {
        self.limits.set_layer(layer);
        self.load_models();
    }
    /// Mass of a joint (any unit, 0 or more) and its centre in the joint's space. Allocates where
    /// [`Self::moves_masses`], when the mass becomes 0 or ceases to be.
    pub fn set_mass(&mut self, joint: JointIndex, mass: f32, center_js: Vec3) -> Result<(), BodyError> {
        self.check_joint(joint)?;
        if !(mass >= 0.0 && mass.is_finite()) {
            return Err(BodyError::OutOfRange { name: "mass", value: mass });
        }
        let appears = (self.masses[joint].0 > 0.0) != (mass > 0.0);
        self.masses[joint] = (mass, center_js);
        if appears && self.solve.plan.moves_masses {
            self.replan();
        }
        Ok(())
    }
    /// Whether all tasks are on the centre of mass, so that what moves is what has a mass.
    pub fn moves_masses(&self) -> bool {
        self.solve.plan.moves_masses
    }
    /// Gives rows to the tasks that have a blend. Allocates nothing.
    pub(super) fn arrange(&mut self) {
        let Self { demands, solve, settings, masses, .. } = self;
        // Nothing has a centre of mass where there is no mass.
        let carried = |((mass, _), carrier): (&(f32, Vec3), &usize)| *mass > 0.0 && *carrier != usize::MAX;
        let has_mass =
            !demands.iter().flatten().any(Demand::is_of_mass) || masses.iter().zip(&solve.plan.carrier).any(carried);
        let counts = |demand: &Demand| {
            demand.blend > 0.0 && demand.level <= settings.max_level && (has_mass || !demand.is_of_mass())
        };
        let is_present = |demand: usize| demands[demand].as_ref().is_some_and(counts);
        if !solve.plan.is_arranged(is_present) {
            solve.plan.arrange(is_present);
            solve.residual.arrange(&solve.plan);
            solve.step.arrange(&solve.plan);
        }
    }
    /// Adds a task. Allocates.
    pub fn add_task(&mut self, demand: Demand) -> Result<BodyTaskId, BodyError> {
        self.check(&demand)?;
        let free = self.demands.iter().position(Option::is_none);
        let index = free.unwrap_or_else(|| {
            self.demands.push(None);
            self.demands.len() - 1
        });
        self.demands[index] = Some(demand);
        self.ended.resize(self.demands.len(), None);
        self.ended[index] = None;
        self.replan();
        Ok(BodyTaskId(index))
    }
    /// Replaces a task. Does not allocate when anchors, number of rows and level stay. Other
    /// anchors or rows forget what track mode remembers.
    pub fn set_task(&mut self, id: BodyTaskId, demand: Demand) -> Result<(), BodyError> {
        self.check(&demand)?;
        let Some(Some(old)) = self.demands.get_mut(id.0) else { return Err(BodyError::NoSuchTask) };
        let has_rows = old.task.anchors() == demand.task.anchors() && old.task.row_count() == demand.task.row_count();
        let has_level = old.level == demand.level;
        *old = demand;
        match (has_rows, has_level) {
            (true, true) => {}
            (true, false) => self.reorder(),
            (false, _) => self.replan(),
        }
        Ok(())
    }
    /// Changes how far a task's goal counts, 0 … 1; see [`Demand::blend`]. Does not allocate.
    pub fn set_blend(&mut self, id: BodyTaskId, blend: f32) -> Result<(), BodyError> {
        let Some(Some(demand)) = self.demands.get_mut(id.0) else { return Err(BodyError::NoSuchTask) };
        if !(0.0..=1.0).contains(&blend) {
            return Err(BodyError::OutOfRange { name: "blend", value: blend });
        }
        demand.blend = blend;
        Ok(())
    }
    /// A task.
    pub fn task(&self, id: BodyTaskId) -> Result<&Demand, BodyError> {
        self.demands.get(id.0).and_then(Option::as_ref).ok_or(BodyError::NoSuchTask)
    }
    /// Removes a task.
    pub fn remove_task(&mut self, id: BodyTaskId) -> Result<(), BodyError> {
        match self.demands.get_mut(id.0) {
            Some(slot @ Some(_)) => *slot = None,
            _ => return Err(BodyError::NoSuchTask),
        }
        self.replan();
        Ok(())
    }
    /// How the last solve ended.
    pub fn outcome(&self) -> &BodyOutcome {
        &self.outcome
    }
    /// Forgets how a task ended: it is another one now.
    pub(super) fn forget_outcome(&mut self, id: BodyTaskId) {
        if let Some(ended) = self.ended.get_mut(id.0) {
            *ended = None;
        }
    }
    pub(super) fn demand_mut(&mut self, id: BodyTaskId) -> Option<&mut Demand> {
        self.demands.get_mut(id.0).and_then(Option::as_mut)
    }
    /// How a task ended in the last solve; one that was added or changed since then has no outcome.
    pub fn task_outcome(&self, id: BodyTaskId) -> Result<TaskOutcome, BodyError> {
        self.task(id)?;
        let Some(Some((residual, tolerance))) = self.ended.get(id.0).copied() else {
            return Ok(TaskOutcome { status: Status::Inactive, residual: 0.0 });
        };
        let status = match self.outcome.status {
            Status::Inactive => Status::Inactive,
            _ if residual <= tolerance => Status::Reached,
            status => status,
        };
        Ok(TaskOutcome { status, residual })
    }

    /// Whether rows that the host computes are not finite at the answer.
    pub(super) fn lacks_host_rows(&self) -> bool {
        let tasks = self.solve.plan.tasks.iter().zip(&self.solve.residual.missing);
        let is_host = |demand: usize| matches!(self.demands[demand], Some(Demand { task: AnyTask::HostTask(_), .. }));
        tasks.into_iter().any(|(task, missing)| !missing.is_finite() && is_host(task.demand))
    }
    pub(super) fn check_joint(&self, joint: JointIndex) -> Result<(), BodyError> {
        let count = self.skeleton.joint_count();
        if joint < count { Ok(()) } else { Err(BodyError::NoSuchJoint { joint, count }) }
    }
    fn check(&self, demand: &Demand) -> Result<(), BodyError> {
        for anchor in demand.task.anchors().into_iter().flatten() {
            if let Anchor::Joint(joint) = anchor {
                self.check_joint(joint)?;
            }
        }
        let range = |name, value: f32, low: f32, high: f32| {
            if value >= low && value <= high { Ok(()) } else { Err(BodyError::OutOfRange { name, value }) }
        };
        range("blend", demand.blend, 0.0, 1.0)?;
        range("importance", demand.importance, 1e-6, 1e6)?;
        range("level", f32::from(demand.level), 0.0, f32::from(Demand::MAX_LEVEL))
    }
    pub(super) fn replan(&mut self) {
        *self.solve = Solve::new(Plan::new(&self.skeleton, self.root, &self.demands, &self.couplings, &self.masses));
        let n = self.solve.plan.joints.len();
        self.slots = core::array::from_fn(|_| super::state::Coordinates::new(n));
        self.velocities = Velocities::new(n);
        self.has_last = false;
        self.saved = Vec::with_capacity(self.snapshot_size() / 4);
        self.make_room_for_directions();
        self.load_models();
    }
    /// [`Self::replan`] for the same tasks and joints in another order: what track mode remembers
    /// stays.
    fn reorder(&mut self) {
        let (has_last, slots) = (self.has_last, core::mem::take(&mut self.slots));
        let velocities = core::mem::replace(&mut self.velocities, Velocities::new(0));
        let before = core::mem::take(&mut self.solve);
        self.replan();
        (self.has_last, self.slots, self.velocities) = (has_last, slots, velocities);
        self.solve.residual.remember_as(&self.solve.plan, &before.residual, &before.plan);
    }
    /// Whether another body of the same plan has the same limits.
    pub(super) fn shares_limits(&mut self, other: &Self) -> bool {
        if self.models_number != other.models_number && self.unlike_number != other.models_number {
            let are_same = self.solve.models == other.solve.models;
            // Compared once.
            if are_same {
                self.models_number = other.models_number;
            } else {
                self.unlike_number = other.models_number;
            }
        }
        self.models_number == other.models_number
    }
    pub(super) fn load_models(&mut self) {
        (self.models_number, self.unlike_number) = (NEXT_MODELS.fetch_add(1, Ordering::Relaxed), 0);
        self.solve.step.slides.clear();
        for (place, joint) in self.solve.plan.joints.iter().enumerate() {
            let mut limit = self.limits.limit(&self.skeleton, *joint);
            for (driven, coupling) in self.couplings.iter().filter(|(_, c)| c.driver == *joint) {
                coupling.tighten(&mut limit.model, &self.limits.limit(&self.skeleton, *driven).model);
            }
            let mobility = self.mobilities.get(*joint).copied().unwrap_or(1.0);
            if mobility < 1.0 {
                limit.model.stiffness = limit.model.stiffness.map(|s| 1.0 - (1.0 - s) * mobility);
            }
            self.solve.step.weight[place] = 1.0 / mobility;
            self.solve.step.slides.add(&self.solve.plan, place, limit.model.stretch);
            self.solve.step.slides.add_move(&self.skeleton, place, *joint, &limit.model.slide);
            let model = PreparedJoint::new(&limit.model);
            self.solve.homes[place] = (limit.origin * model.frame()).normalize();
            self.solve.models[place] = model;
        }
        let Solve { plan, models, homes, rests, .. } = &mut *self.solve;
        for (place, parent) in plan.parents.iter().enumerate().skip(1) {
            let above = if *parent > 0 { models[*parent].frame().conjugate() } else { Quat::IDENTITY };
            rests[place] = rest_of(above, homes[place]);
        }
        self.load_couplings();
    }
}
