//! The whole-body solver on a case: constraints that share bones are tasks of one body, whose root
//! stays; bodies are solved one after the other. Stateful cases run in track mode, frame after
//! frame.

use super::chain_subject::{effector, groups};
use super::format::{Case, Itasc};
use super::goals::{Counts, full_goal};
use super::kinematics::BonePose;
use super::rig::{Rig, joint_limits};
use super::subjects::{FrameSolver, NotApplicable};
use crate::c_abi::{check, quat, vec3};
use anyhow::Result;
use sinew::ffi::*;

/// Frames per second of the files.
const RATE: f32 = 24.0;

/// All bodies of a case. The rig has a base that stays.
pub struct Bodies<'a> {
    case: &'a Case,
    // Before the rig: a body ends before its skeleton.
    bodies: Vec<Part>,
    rig: Rig,
    pose: Vec<SinewTransform>,
    is_tracking: bool,
    /// What the bodies remembered before this frame.
    remembered: Vec<Option<Vec<u8>>>,
}

/// Constraints that share bones.
struct Part {
    body: SinewBody,
    constraints: Vec<usize>,
    tasks: Vec<SinewBodyTask>,
}

impl Drop for Part {
    fn drop(&mut self) {
        sinew_body_destroy(self.body);
    }
}

impl<'a> Bodies<'a> {
    /// Refuses what a body does not have: stretch, and the reference's poles. `is_named`: track
    /// mode with the solver and the damping that the case names, else with the default ones.
    pub fn new(case: &'a Case, is_named: bool) -> Result<Self, NotApplicable> {
        if (0..case.bone_count()).any(|bone| case.may_stretch(bone)) {
            return Err("stretch".into());
        }
        if case.constraints.iter().any(|constraint| constraint.pole.is_some()) {
            return Err("a pole that turns the chain before the solve".into());
        }
        if case.dof.iter().any(|dof| dof.rotation_control > 0.0) {
            return Err("rotation control beside the target".into());
        }
        let refused = |error| format!("refused: {error:#}");
        let rig = Rig::new(case, true).map_err(refused)?;
        let parts = groups(case).into_iter().map(|constraints| Part::new(case, &rig, constraints, is_named));
        let mut bodies: Vec<Part> = parts.collect::<Result<_>>().map_err(refused)?;
        // A body below another one's bones comes after it.
        bodies.sort_by_key(|part| part.constraints.iter().map(|i| top(case, *i)).min());
        let remembered = vec![None; bodies.len()];
        let is_tracking = case.simulation().is_some();
        Ok(Self { case, bodies, pose: rig.before.clone(), rig, is_tracking, remembered })
    }
}

/// First bone of a constraint's chain.
fn top(case: &Case, index: usize) -> usize {
    let chain = &case.constraints[index].chain;
    chain[chain.len() - 1]
}

impl Part {
    fn new(case: &Case, rig: &Rig, constraints: Vec<usize>, is_named: bool) -> Result<Self> {
        let tops = constraints.iter().map(|index| top(case, *index));
        let root = tops.min().and_then(|bone| case.parent(bone)).map_or(0, |parent| rig.joint(parent));
        let mut settings = settings(case, &constraints)?;
        if let (true, Some(itasc)) = (is_named, case.simulation()) {
            let is_sdls = itasc.solver == "sdls";
            let solver = if is_sdls { SinewTrackSolver::Sdls } else { SinewTrackSolver::Dls };
            settings.track_solver = solver as i32;
            settings.damping_max = itasc.damping_max as f32;
            settings.damping_epsilon = itasc.damping_epsilon as f32;
        }
        let mut part = Self { body: SinewBody { bits: 0 }, constraints, tasks: Vec::new() };
        let made = sinew_body_create(rig.skeleton, root, Some(&settings), Some(&mut part.body));
        check(made, "sinew_body_create")?;
        for bone in case.moved_bones() {
            let limits = joint_limits(&case.dof(bone), false)?;
            let set = sinew_body_set_joint_limits(part.body, rig.joint(bone), Some(&limits));
            check(set, "sinew_body_set_joint_limits")?;
        }
        Ok(part)
    }

    /// The tasks of a frame, in place of those before.
    fn load(&mut self, case: &Case, rig: &Rig, frame: usize) -> Result<()> {
        let definitions = definitions(case, rig, frame, &self.constraints)?;
        let is_same = definitions.len() == self.tasks.len();
        for (place, definition) in definitions.iter().enumerate() {
            if is_same {
                check(sinew_body_set_task(self.body, self.tasks[place], Some(definition)), "sinew_body_set_task")?;
                continue;
            }
            let mut task = SinewBodyTask { bits: 0 };
            check(sinew_body_add_task(self.body, Some(definition), Some(&mut task)), "sinew_body_add_task")?;
            self.tasks.push(task);
        }
        Ok(())
    }

    /// What track mode remembers.
    fn snapshot(&self) -> Result<Vec<u8>> {
        let mut size = 0;
        // SAFETY: no room for any bytes.
        unsafe { sinew_body_snapshot(self.body, core::ptr::null_mut(), 0, Some(&mut size)) };
        let mut bytes = vec![0; size as usize];
        // SAFETY: room for so many bytes.
        let written = unsafe { sinew_body_snapshot(self.body, bytes.as_mut_ptr(), size, Some(&mut size)) };
        check(written, "sinew_body_snapshot")?;
        Ok(bytes)
    }
}

/// One or two tasks for each constraint.
fn definitions(case: &Case, rig: &Rig, frame: usize, constraints: &[usize]) -> Result<Vec<SinewBodyTaskDef>> {
    let mut definitions = Vec::new();
    for &index in constraints {
        let constraint = &case.constraints[index];
        let goal = full_goal(case, &case.frames[frame], index);
        let (bone, point) = effector(case, constraint);
        if let Some(position) = goal.position {
            let is_distance = matches!(goal.counts, Counts::Distance(..));
            let kind = if is_distance { SinewBodyTaskKind::Distance } else { SinewBodyTaskKind::Position };
            let mut def = definition(kind, constraint.weight)?;
            (def.joint, def.point, def.goal) = (rig.joint(bone), vec3(point), vec3(position));
            match goal.counts {
                Counts::All => {}
                Counts::Axes(on, frame) => {
                    let kind = if frame.is_some() { SinewBodyFrame::Goal } else { SinewBodyFrame::Joint };
                    (def.axes, def.frame) = (axes(on), kind as i32);
                    def.rotation = frame.map_or(def.rotation, quat);
                }
                Counts::Distance(distance, side) => {
                    let side = match side {
                        1 => SinewBodySide::Outside,
                        0 => SinewBodySide::On,
                        _ => SinewBodySide::Inside,
                    };
                    (def.distance, def.side) = (distance as f32, side as i32);
                }
            }
            definitions.push(def);
        }
        if let (Some(rotation), Some(bone)) = (goal.rotation, constraint.turned_bone()) {
            let mut def = definition(SinewBodyTaskKind::Orientation, constraint.orient_weight)?;
            (def.joint, def.rotation, def.axes) = (rig.joint(bone), quat(rotation), axes(goal.turns));
            if goal.turns != [true; 3] {
                def.frame = SinewBodyFrame::Joint as i32;
            }
            definitions.push(def);
        }
    }
    Ok(definitions)
}

fn definition(kind: SinewBodyTaskKind, weight: f64) -> Result<SinewBodyTaskDef> {
    let mut def = SinewBodyTaskDef::default();
    check(sinew_body_task_default(kind as i32, Some(&mut def)), "sinew_body_task_default")?;
    def.importance = (weight as f32).max(1e-6);
    Ok(def)
}

fn axes(on: [bool; 3]) -> u32 {
    let bits = [SINEW_BODY_AXIS_X, SINEW_BODY_AXIS_Y, SINEW_BODY_AXIS_Z];
    bits.iter().zip(on).filter(|(_, on)| *on).fold(0, |all, (bit, _)| all | bit)
}

/// The library's settings for the reference's. Lengths are those of the chain: the files have no
/// unit.
fn settings(case: &Case, constraints: &[usize]) -> Result<SinewBodySettings> {
    let length = constraints.iter().map(|index| case.constraints[*index].chain_length).fold(0.0, f64::max) as f32;
    let mut settings = SinewBodySettings::default();
    check(sinew_body_settings_default(Some(&mut settings)), "sinew_body_settings_default")?;
    settings.root = SinewBodyRoot::Fixed as i32;
    (settings.tolerance_m, settings.tolerance_rad) = (1e-6 * length, 4e-6);
    settings.rotation_length_m = 0.3 * length;
    settings.posture = 1e-3 * length * length;
    (settings.max_iterations, settings.attempt_iterations) = (400, 60);
    if let Some(itasc) = case.simulation() {
        track(itasc, &mut settings);
    }
    Ok(settings)
}

fn track(itasc: &Itasc, settings: &mut SinewBodySettings) {
    settings.mode = SinewBodyMode::Track as i32;
    settings.posture = 0.0;
    settings.feedback = itasc.feedback as f32;
    settings.goal_velocity = 1.0;
    settings.max_speed = itasc.velocity_max as f32;
    settings.track_steps = if itasc.use_auto_step { 1 } else { itasc.step_count };
    settings.track_step_s = if itasc.use_auto_step { itasc.step_max as f32 } else { 0.0 };
    settings.track_converge = match itasc.reiteration_method.as_str() {
        "never" => SinewTrackConverge::Never,
        "always" => SinewTrackConverge::Always,
        _ => SinewTrackConverge::First,
    } as i32;
}

impl FrameSolver for Bodies<'_> {
    fn load(&mut self, frame: usize) -> Result<()> {
        for (part, remembered) in self.bodies.iter_mut().zip(&mut self.remembered) {
            part.load(self.case, &self.rig, frame)?;
            *remembered = if frame > 0 && self.is_tracking { Some(part.snapshot()?) } else { None };
        }
        Ok(())
    }
    fn solve(&mut self) -> Result<()> {
        self.pose.copy_from_slice(&self.rig.before);
        let dt_s = if self.is_tracking { 1.0 / RATE } else { 0.0 };
        for (part, remembered) in self.bodies.iter().zip(&self.remembered) {
            if self.is_tracking {
                // The same again: a frame is solved several times.
                let set = match remembered {
                    // SAFETY: so many bytes.
                    Some(bytes) => unsafe { sinew_body_restore(part.body, bytes.as_ptr(), bytes.len() as u32) },
                    None => sinew_body_reset(part.body),
                };
                check(set, "sinew_body_restore")?;
            }
            let (pose, count) = (self.pose.as_mut_ptr(), self.pose.len() as u32);
            // SAFETY: a record for each joint.
            check(unsafe { sinew_body_solve(part.body, pose, count, dt_s, None) }, "sinew_body_solve")?;
        }
        Ok(())
    }
    fn read(&self) -> Result<BonePose> {
        self.rig.read(self.case, &self.pose)
    }
}
