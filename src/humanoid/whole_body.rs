//! The whole-body solver of one humanoid: a [`Body`] on the joints of its bones, with one task for
//! each kind of goal.
//!
//! All tasks exist from the start; those without a goal have no blend, take no part and cost
//! nothing. Levels: feet and balance, then everything with a goal, then what bends limbs and gaze;
//! hands, feet and effectors may have others.
//! The levels' ratio is mild, as steep ones hinder progress; what the lower levels take from the
//! feet is given back at the end of a solve. The orientation of a hand or foot without a
//! rotation goal is no task: wrist and ankle turn it back after the solve (`body_step`).
//!
//! Joints between mapped bones (twist joints) do not turn. Elbows, knees, clavicles, spine, neck
//! and head keep to people's ranges in any case, as far as the animation does; hips joints,
//! shoulders, hands and feet only where the settings enable limits.

use super::body_input::{BodyEffector, BodySolverMode, BodySolverSettings};
use super::goal_priority::{GoalPriorities, GoalPriority};
use super::{Avatar, HumanBone, IkGoal, IkHint};
use crate::body::{Body, BodyOutcome, BodySettings, BodyTaskId, Demand};
use crate::limits::{Freedom, JointLimit, JointModel, LimitLayer, LimitTable};
use crate::math::{Quat, Vec3};
use crate::optim::Work;
use crate::outcome::Status;
use crate::skeleton::{JointIndex, Pose};
use crate::tasks::{AnyTask, Axes, CenterOfMass, Gaze, Orientation, PoleVector, Position, Support, SupportArea};
use std::sync::Arc;

/// Levels of the tasks.
const FIRST: u8 = 0;
const MAIN: u8 = GoalPriority::EFFECTOR.level;
const SOFT: u8 = 2;

/// Tasks of a hand or foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndTasks {
    pub position: BodyTaskId,
    pub rotation: BodyTaskId,
}

/// Mass of a hand or foot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EndMass {
    pub share: f32,
    pub center_js: Vec3,
}

/// The solver of one character.
#[derive(Clone, Debug)]
pub(crate) struct WholeBody {
    body: Body,
    settings: BodySolverSettings,
    /// In [`IkGoal`] order.
    pub(super) ends: [EndTasks; 4],
    /// The same between the end and the joint in whose space its goal is, where it has one.
    pub(super) placed: [Option<EndTasks>; 4],
    /// Those joints.
    pub(super) placed_in: [Option<JointIndex>; 4],
    /// In [`IkGoal`] order.
    end_masses: [EndMass; 4],
    /// In [`IkHint`] order.
    pub(super) hints: [BodyTaskId; 4],
    /// Position and rotation, in [`BodyEffector`] order; `None` where the rig has no such bone.
    pub(super) effectors: [Option<(JointIndex, [BodyTaskId; 2])>; BodyEffector::COUNT],
    pub(super) center_of_mass: BodyTaskId,
    pub(super) orientation: BodyTaskId,
    pub(super) gaze: BodyTaskId,
    pub(super) balance: BodyTaskId,
    priorities: GoalPriorities,
    elapsed_s: f32,
    outcome: BodyOutcome,
}

/// The joint that carries the whole body: the hips, or an ancestor of all bones.
pub(super) fn root(avatar: &Avatar) -> JointIndex {
    let skeleton = avatar.skeleton();
    let hips = avatar.body.hips();
    let carries =
        |joint: JointIndex| avatar.map().iter().all(|(_, bone_joint)| skeleton.is_self_or_ancestor(joint, bone_joint));
    core::iter::once(hips).chain(skeleton.ancestors(hips)).find(|j| carries(*j)).unwrap_or(hips)
}

/// The hips' pull back to the animation beside a joint's: a metre counts as nearly eight radians.
/// With less, bodies go down by leaning both legs to one side and bending the trunk to the other,
/// which takes less turn of the joints than a squat, and to which side follows from little. With
/// more, the trunk takes what the hips would, and jumps beside balance. Measured by the paths of
/// `tests/body/humanoid_paths.rs`.
const ROOT_POSTURE: f32 = 60.0;

/// Most iterations of the first descent.
const MAX_ITERATIONS: u32 = 80;
/// More than a body's default: what has not settled when they end depends on every step before, and
/// people who balance settle slowly.
const SETTLE_ITERATIONS: u32 = 60;

/// Pull to the animation in track mode beside that of converge mode: there it is constant, and
/// hands that move lag behind their goals by it (by 21 mm with 1, less than a millimetre with 0.1).
const TRACK_POSTURE: f32 = 0.1;

/// Whether a bone keeps to people's range even where limits are not enabled.
fn is_anatomical(bone: HumanBone) -> bool {
    use HumanBone::*;
    matches!(
        bone,
        LeftLowerArm
            | RightLowerArm
            | LeftLowerLeg
            | RightLowerLeg
            | LeftShoulder
            | RightShoulder
            | Spine
            | Chest
            | UpperChest
            | Neck
            | Head
    )
}

impl WholeBody {
    /// A solver with all tasks absent. `None` where the avatar lacks a bone that the tasks need.
    pub fn new(
        avatar: &Avatar,
        settings: &BodySolverSettings,
        limits: &LimitTable,
        limits_enabled: bool,
    ) -> Option<Self> {
        let skeleton = avatar.skeleton();
        let mut body = Body::new(skeleton.clone(), root(avatar)).ok()?;
        body.set_keeps_violations(true);
        let mut end_masses = [EndMass::default(); 4];
        for (joint, center_js, share) in avatar.masses() {
            body.set_mass(joint, share, center_js).ok()?;
            if let Some(goal) = IkGoal::ALL.into_iter().find(|goal| avatar.limb(*goal).joints.end() == joint) {
                end_masses[goal.index()] = EndMass { share, center_js };
            }
        }
        let mut add = |task: AnyTask, level: u8| body.add_task(Demand { blend: 0.0, level, ..Demand::new(task) }).ok();
        let position = |joint| AnyTask::from(position(joint, Vec3::ZERO));
        let rotation = |joint| AnyTask::from(Orientation::new(joint, Quat::IDENTITY));
        let mut ends = [None; 4];
        for (goal, tasks) in IkGoal::ALL.into_iter().zip(&mut ends) {
            let (end, level) = (avatar.limb(goal).joints.end(), GoalPriority::of_goal(goal).level);
            *tasks = Some(EndTasks { position: add(position(end), level)?, rotation: add(rotation(end), level)? });
        }
        let [Some(a), Some(b), Some(c), Some(d)] = ends else { return None };
        let mut effectors = [None; BodyEffector::COUNT];
        for (effector, tasks) in BodyEffector::ALL.into_iter().zip(&mut effectors) {
            if let Some(joint) = effector.bones().iter().find_map(|bone| avatar.joint(*bone)) {
                *tasks = Some((joint, [add(position(joint), MAIN)?, add(rotation(joint), MAIN)?]));
            }
        }
        let mut hints = [a.position; 4];
        for (hint, task) in IkHint::ALL.into_iter().zip(&mut hints) {
            *task = add(pole(avatar, hint, Vec3::ZERO).into(), SOFT)?;
        }
        let center_of_mass = add(CenterOfMass { goal: Vec3::ZERO, axes: Axes::ALL }.into(), MAIN)?;
        let rest = Pose::rest(skeleton);
        let orientation = add(avatar.body.orientation_task(&rest, Quat::IDENTITY).into(), MAIN)?;
        let head = avatar.joint(HumanBone::Head)?;
        let gaze = Gaze { joint: head, eye_js: Vec3::ZERO, axis_js: Vec3::Z, target: Vec3::ZERO };
        let gaze = add(gaze.into(), SOFT)?;
        let up = avatar.axes().up;
        let area = SupportArea::hull(&[Vec3::ZERO], up)?;
        let balance = add(Support { area, up, margin: 0.0 }.into(), FIRST)?;
        let mut whole = Self {
            body,
            settings: *settings,
            ends: [a, b, c, d],
            placed: [None; 4],
            placed_in: [None; 4],
            end_masses,
            hints,
            effectors,
            center_of_mass,
            orientation,
            gaze,
            balance,
            priorities: GoalPriorities::DEFAULT,
            elapsed_s: 0.0,
            outcome: BodyOutcome::INACTIVE,
        };
        whole.apply(avatar, settings);
        whole.take_limits(avatar, limits, limits_enabled);
        Some(whole)
    }
    /// Takes over settings; weights must be in range. Another mode forgets the last answer.
    pub fn apply(&mut self, avatar: &Avatar, settings: &BodySolverSettings) {
        if settings.mode != self.settings.mode {
            self.reset();
        }
        self.settings = *settings;
        let size = avatar.human_scale().abs().max(1e-6);
        let mobility = |stiffness: f32| (1.0 - stiffness).max(0.01);
        let square = size * size;
        let defaults = BodySettings::default();
        let posture = if settings.mode == BodySolverMode::Track { TRACK_POSTURE } else { 1.0 };
        self.body.set_settings(BodySettings {
            max_iterations: MAX_ITERATIONS,
            // Other start poses would make the pose jump.
            max_attempts: 0,
            tolerance_m: 2e-4 * size,
            tolerance_rad: 1e-3,
            rotation_length_m: defaults.rotation_length_m * size,
            posture: posture * defaults.posture * square,
            damping: defaults.damping * square,
            // A way of short steps is continuous in the goals; long ones choose between ways.
            max_step_rad: 0.15,
            root_posture: ROOT_POSTURE,
            level_ratio: 0.03,
            settle_iterations: SETTLE_ITERATIONS,
            stall: 0.9999,
            root_move_mobility: 0.5 * mobility(settings.hips_stiffness) * square,
            root_turn_mobility: mobility(settings.hips_stiffness),
            ..defaults
        });
        use HumanBone::*;
        let (spine, half) = (settings.spine_stiffness, 0.5 * settings.spine_stiffness);
        let shoulder = settings.shoulder_stiffness;
        for (bone, stiffness) in [
            (Spine, spine),
            (Chest, spine),
            (UpperChest, spine),
            (Neck, half),
            (Head, half),
            (LeftShoulder, shoulder),
            (RightShoulder, shoulder),
        ] {
            if let Some(joint) = avatar.joint(bone) {
                // The joint is one of the skeleton's, and the mobility in range.
                let _ = self.body.set_joint_mobility(joint, mobility(stiffness));
            }
        }
    }
    /// Solves with the steps and interrupts of the character.
    pub fn take_work(&mut self, work: &Work) {
        self.body.share_interrupts(work);
        self.body.set_max_work(work.left());
    }
    /// Takes over the limits of the character; see the head of the file.
    pub fn take_limits(&mut self, avatar: &Avatar, limits: &LimitTable, limits_enabled: bool) {
        let skeleton = avatar.skeleton();
        let mut layer = LimitLayer::new(skeleton);
        for joint in 0..skeleton.joint_count() {
            let rest = JointLimit::free(skeleton, joint);
            layer.set(joint, JointLimit { model: JointModel::limited(Freedom::Fixed), ..rest });
        }
        for (bone, joint) in avatar.map().iter() {
            let range = avatar.human_limits().layer().get(joint).filter(|_| limits_enabled || is_anatomical(bone));
            layer.set(joint, range.copied().unwrap_or(JointLimit::free(skeleton, joint)));
        }
        let mut table = LimitTable::new(Some(Arc::new(layer)));
        table.enable_layer(true);
        for joint in 0..skeleton.joint_count() {
            table.set_override(skeleton, joint, limits.joint_override(joint));
        }
        self.body.set_limit_table(table);
    }

    /// Settings.
    pub fn settings(&self) -> &BodySolverSettings {
        &self.settings
    }
    /// Limits that the body keeps to.
    pub(super) fn limits(&self) -> &LimitTable {
        self.body.limit_table()
    }
    pub(super) fn end_mass(&self, goal: IkGoal) -> EndMass {
        self.end_masses[goal.index()]
    }
    /// Puts the mass of a hand or foot where it is, or into its joint.
    pub(super) fn put_end_mass(&mut self, goal: IkGoal, end: JointIndex, turns: bool) {
        let EndMass { share, center_js } = self.end_mass(goal);
        let _ = self.body.set_mass(end, share, if turns { center_js } else { Vec3::ZERO });
    }
    /// Sets a task; one without blend is absent. Its joints are those that it was made with.
    pub(super) fn put(&mut self, id: BodyTaskId, task: impl Into<AnyTask>, blend: f32) {
        let Ok(&Demand { importance, level, .. }) = self.body.task(id) else { return };
        let _ = self.body.set_task(id, Demand { task: task.into(), blend, importance, level });
    }
    /// Takes over how much goals count. Allocates where a level changes.
    pub fn take_priorities(&mut self, priorities: &GoalPriorities) {
        self.priorities = *priorities;
        for (i, priority) in priorities.goals.iter().enumerate() {
            for tasks in core::iter::once(self.ends[i]).chain(self.placed[i]) {
                self.prioritize([tasks.position, tasks.rotation], priority);
            }
        }
        for (i, priority) in priorities.effectors.iter().enumerate() {
            if let Some((_, tasks)) = self.effectors[i] {
                self.prioritize(tasks, priority);
            }
        }
    }
    /// Sets how much the tasks of a position and a rotation count.
    fn prioritize(&mut self, tasks: [BodyTaskId; 2], priority: &GoalPriority) {
        for (id, importance) in tasks.into_iter().zip([priority.position_importance, priority.rotation_importance]) {
            let Ok(demand) = self.body.task(id).cloned() else { continue };
            if (demand.importance, demand.level) != (importance, priority.level) {
                // The numbers are in range.
                let _ = self.body.set_task(id, Demand { importance, level: priority.level, ..demand });
            }
        }
    }
    /// Adds the tasks of a hand or foot, absent at first. Allocates.
    pub(super) fn add_end_tasks(
        &mut self,
        goal: IkGoal,
        position: impl Into<AnyTask>,
        rotation: impl Into<AnyTask>,
    ) -> Option<EndTasks> {
        let GoalPriority { position_importance, rotation_importance, level } = self.priorities.goals[goal.index()];
        let demand = |task: AnyTask, importance: f32| Demand { blend: 0.0, importance, level, ..Demand::new(task) };
        let position = self.body.add_task(demand(position.into(), position_importance)).ok()?;
        Some(EndTasks { position, rotation: self.body.add_task(demand(rotation.into(), rotation_importance)).ok()? })
    }
    /// Takes a task out.
    pub(super) fn drop_task(&mut self, id: BodyTaskId) {
        let _ = self.body.remove_task(id);
    }
    /// Makes a task absent.
    pub(super) fn remove(&mut self, id: BodyTaskId) {
        let _ = self.body.set_blend(id, 0.0);
    }
    /// Solves a pose whose frames are up to date.
    pub(super) fn solve(&mut self, pose: &mut Pose) {
        let solved = match self.settings.mode {
            BodySolverMode::Track => self.body.track(pose, self.elapsed_s.clamp(0.0, 1.0)),
            _ => self.body.solve(pose),
        };
        self.elapsed_s = 0.0;
        self.outcome = solved.unwrap_or(BodyOutcome { status: Status::Stalled, ..BodyOutcome::INACTIVE });
    }
    /// Lets time pass, for track mode.
    pub fn advance(&mut self, dt_s: f32) {
        if dt_s > 0.0 && dt_s.is_finite() {
            self.elapsed_s += dt_s;
        }
    }
    /// Scales the most iterations, 0 … 1.
    pub fn set_iteration_scale(&mut self, share: f32) {
        let scaled = |most: u32| (most as f32 * share) as u32;
        self.body.set_settings(BodySettings {
            max_iterations: scaled(MAX_ITERATIONS).max(1),
            settle_iterations: scaled(SETTLE_ITERATIONS),
            ..*self.body.settings()
        });
    }
    /// Forgets the last answer.
    pub fn reset(&mut self) {
        self.body.reset();
        self.elapsed_s = 0.0;
        self.outcome = BodyOutcome::INACTIVE;
    }
    /// How the last solve ended, in model space.
    pub fn outcome(&self) -> &BodyOutcome {
        &self.outcome
    }
    /// Status and residuals of an effector's position and rotation, in model space.
    pub fn effector_outcome(&self, effector: BodyEffector) -> [(Status, f32); 2] {
        let Some((_, tasks)) = self.effectors[effector.index()] else { return [(Status::Inactive, 0.0); 2] };
        tasks.map(|task| self.task_outcome(task))
    }
    pub(super) fn task_outcome(&self, id: BodyTaskId) -> (Status, f32) {
        self.body.task_outcome(id).map_or((Status::Inactive, 0.0), |outcome| (outcome.status, outcome.residual))
    }
    /// What lasts between frames, as bytes of a snapshot of [`Body`], and the time that has passed.
    pub fn write(&self, put: &mut impl FnMut(u32)) {
        put(self.elapsed_s.to_bits());
        self.body.write_snapshot(put);
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`.
    pub fn read(&mut self, next: &mut impl FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        let Some(elapsed_s) = next().map(f32::from_bits) else {
            return Err("it holds no state of the whole-body solver, which is on");
        };
        if !(elapsed_s.is_finite() && elapsed_s >= 0.0) {
            return Err("the time since the last solve of the whole-body solver is not 0 or more");
        }
        self.body.read_snapshot(next, commit)?;
        if commit {
            self.elapsed_s = elapsed_s;
        }
        Ok(())
    }
}

/// A position task of a joint.
pub(super) fn position(joint: JointIndex, goal: Vec3) -> Position {
    Position { joint, point_js: Vec3::ZERO, goal, axes: Axes::ALL }
}

/// The pole of a limb.
pub(super) fn pole(avatar: &Avatar, hint: IkHint, pole: Vec3) -> PoleVector {
    let joints = &avatar.limb(hint.goal()).joints;
    PoleVector { root: joints.root(), middle: joints.mid(), end: joints.end(), pole }
}
