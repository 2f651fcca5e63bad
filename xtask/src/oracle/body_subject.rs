//! The whole-body solver on a case: constraints that share bones are tasks of one body, whose root
//! stays; bodies are solved one after the other. Stateful cases run in track mode, frame after
//! frame.

use super::chain_subject::{effector, groups, model};
use super::format::{Case, Itasc};
use super::geometry::Rotation;
use super::goals::{Counts, full_goal};
use super::kinematics::BonePose;
use super::rig::{quat, rotation, vec3};
use super::subjects::{FrameSolver, NotApplicable};
use anyhow::{Result, ensure};
use sinew::body::{Body, BodySettings, BodyTaskId, Demand, TrackConverge};
use sinew::math::{Quat, Vec3};
use sinew::skeleton::{Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, Distance, DistanceRule, Orientation, Position};
use std::sync::Arc;

/// Frames per second of the files.
const RATE: f32 = 24.0;
/// Joint 0 is a base that stays; bone `i` is joint `i + 1`.
const FIRST: usize = 1;

/// All bodies of a case.
pub struct Bodies<'a> {
    case: &'a Case,
    skeleton: Arc<Skeleton>,
    before: Pose,
    pose: Pose,
    bodies: Vec<Part>,
    is_tracking: bool,
    /// What the bodies remembered before this frame.
    remembered: Vec<Option<Vec<u8>>>,
    failure: Option<String>,
}

/// Constraints that share bones.
struct Part {
    body: Body,
    constraints: Vec<usize>,
    tasks: Vec<BodyTaskId>,
}

impl<'a> Bodies<'a> {
    /// Refuses what a body does not have: stretch, and the reference's poles.
    pub fn new(case: &'a Case) -> Result<Self, NotApplicable> {
        if (0..case.bone_count()).any(|bone| case.may_stretch(bone)) {
            return Err("stretch".into());
        }
        if case.constraints.iter().any(|constraint| constraint.pole.is_some()) {
            return Err("a pole that turns the chain before the solve".into());
        }
        if case.dof.iter().any(|dof| dof.rotation_control > 0.0) {
            return Err("rotation control beside the target".into());
        }
        let mut builder = SkeletonBuilder::new();
        builder.joint_at("base", None, Vec3::ZERO);
        for bone in 0..case.bone_count() {
            let rest = case.rest_local(bone);
            let parent = case.parent(bone).map_or(0, |parent| parent + FIRST);
            builder.joint_turned(&case.bones.name[bone], Some(parent), vec3(rest.position), quat(rest.rotation));
        }
        let skeleton = Arc::new(builder.build().map_err(|error| format!("refused: {error}"))?);
        let mut before = Pose::rest(&skeleton);
        for (bone, local) in case.fk_rotations().into_iter().enumerate() {
            before.local_mut()[bone + FIRST].rotation = quat(case.rest_local(bone).rotation * local);
        }
        before.update(&skeleton);
        let mut bodies = Vec::new();
        for constraints in groups(case) {
            bodies.push(Part::new(case, &skeleton, constraints)?);
        }
        // A body below another one's bones comes after it.
        bodies.sort_by_key(|part| part.constraints.iter().map(|i| top(case, *i)).min());
        let remembered = vec![None; bodies.len()];
        let is_tracking = case.simulation().is_some();
        Ok(Self { case, skeleton, pose: before.clone(), before, bodies, is_tracking, remembered, failure: None })
    }
}

/// First bone of a constraint's chain.
fn top(case: &Case, index: usize) -> usize {
    let chain = &case.constraints[index].chain;
    chain[chain.len() - 1]
}

impl Part {
    fn new(case: &Case, skeleton: &Arc<Skeleton>, constraints: Vec<usize>) -> Result<Self, NotApplicable> {
        let tops = constraints.iter().map(|index| top(case, *index));
        let root = tops.min().and_then(|bone| case.parent(bone)).map_or(0, |parent| parent + FIRST);
        let refused = |error| format!("refused: {error}");
        let mut body = Body::new(skeleton.clone(), root).map_err(refused)?;
        body.set_floating(false);
        body.set_settings(settings(case, &constraints));
        for bone in case.moved_bones() {
            body.set_joint_limits(bone + FIRST, model(&case.dof(bone), false)).map_err(refused)?;
        }
        Ok(Self { body, constraints, tasks: Vec::new() })
    }

    /// The tasks of a frame, in place of those before.
    fn load(&mut self, case: &Case, frame: usize) -> Result<(), NotApplicable> {
        let demands = demands(case, frame, &self.constraints);
        let refused = |error| format!("{error}");
        let is_same = demands.len() == self.tasks.len();
        for (place, demand) in demands.into_iter().enumerate() {
            if is_same {
                self.body.set_task(self.tasks[place], demand).map_err(refused)?;
            } else {
                self.tasks.push(self.body.add_task(demand).map_err(refused)?);
            }
        }
        Ok(())
    }
}

/// One or two tasks for each constraint.
fn demands(case: &Case, frame: usize, constraints: &[usize]) -> Vec<Demand> {
    let mut demands = Vec::new();
    for &index in constraints {
        let constraint = &case.constraints[index];
        let goal = full_goal(case, &case.frames[frame], index);
        let (bone, offset) = effector(case, constraint);
        let (joint, point_js) = (bone + FIRST, vec3(offset));
        if let Some(position) = goal.position.map(vec3) {
            let task = match goal.counts {
                Counts::All => Position { joint, point_js, goal: position, axes: Axes::ALL }.into(),
                Counts::Axes(on, frame) => {
                    let axes = Axes { on, frame: frame.map_or(Quat::IDENTITY, quat), turn_with_joint: frame.is_none() };
                    Position { joint, point_js, goal: position, axes }.into()
                }
                Counts::Distance(distance, side) => {
                    let rule = match side {
                        1 => DistanceRule::Outside,
                        0 => DistanceRule::OnSurface,
                        _ => DistanceRule::Inside,
                    };
                    Distance { joint, point_js, other: None, center: position, distance: distance as f32, rule }.into()
                }
            };
            demands.push(demand(task, constraint.weight));
        }
        if let (Some(rotation), Some(bone)) = (goal.rotation, constraint.turned_bone()) {
            let axes = Axes { on: goal.turns, turn_with_joint: goal.turns != [true; 3], ..Axes::ALL };
            let task = Orientation { joint: bone + FIRST, goal: quat(rotation), axes };
            demands.push(demand(task.into(), constraint.orient_weight));
        }
    }
    demands
}

fn demand(task: sinew::tasks::AnyTask, weight: f64) -> Demand {
    Demand { importance: (weight as f32).max(1e-6), ..Demand::new(task) }
}

/// The library's settings for the reference's. Lengths are those of the chain: the files have no
/// unit.
fn settings(case: &Case, constraints: &[usize]) -> BodySettings {
    let length = constraints.iter().map(|index| case.constraints[*index].chain_length).fold(0.0, f64::max) as f32;
    let usual = BodySettings {
        tolerance_m: 1e-6 * length,
        tolerance_rad: 4e-6,
        rotation_length_m: 0.3 * length,
        posture: 1e-3 * length * length,
        max_iterations: 400,
        attempt_iterations: 60,
        ..BodySettings::default()
    };
    case.simulation().map_or(usual, |itasc| tracking(itasc, usual))
}

fn tracking(itasc: &Itasc, usual: BodySettings) -> BodySettings {
    BodySettings {
        posture: 0.0,
        feedback: itasc.feedback as f32,
        goal_velocity: 1.0,
        max_speed: itasc.velocity_max as f32,
        track_steps: if itasc.use_auto_step { 1 } else { itasc.step_count },
        track_step_s: if itasc.use_auto_step { itasc.step_max as f32 } else { 0.0 },
        track_converge: match itasc.reiteration_method.as_str() {
            "never" => TrackConverge::Never,
            "always" => TrackConverge::Always,
            _ => TrackConverge::First,
        },
        ..usual
    }
}

impl FrameSolver for Bodies<'_> {
    fn load(&mut self, frame: usize) {
        for (part, remembered) in self.bodies.iter_mut().zip(&mut self.remembered) {
            if let Err(why) = part.load(self.case, frame) {
                self.failure = Some(why);
            }
            *remembered = (frame > 0 && self.is_tracking).then(|| {
                let mut bytes = vec![0; part.body.snapshot_size()];
                part.body.snapshot_into(&mut bytes);
                bytes
            });
        }
    }
    fn solve(&mut self) {
        self.pose.clone_from(&self.before);
        for (part, remembered) in self.bodies.iter_mut().zip(&self.remembered) {
            let result = if self.is_tracking {
                match remembered {
                    Some(bytes) => {
                        if let Err(why) = part.body.restore(bytes) {
                            self.failure = Some(why.to_owned());
                        }
                    }
                    None => part.body.reset(),
                }
                part.body.track(&mut self.pose, 1.0 / RATE)
            } else {
                part.body.solve(&mut self.pose)
            };
            if let Err(why) = result {
                self.failure = Some(why.to_string());
            }
        }
    }
    fn read(&self) -> Result<BonePose> {
        ensure!(self.failure.is_none(), "{}", self.failure.as_deref().unwrap_or_default());
        let local = self.pose.local();
        let rest = self.skeleton.rest_local();
        ensure!(local.iter().zip(rest).all(|(now, rest)| now.position == rest.position), "a joint left its place");
        let bones = 0..self.case.bone_count();
        let turned =
            bones.map(|bone| self.case.rest_local(bone).rotation.inverse() * rotation(local[bone + FIRST].rotation));
        Ok(BonePose::rigid(turned.collect::<Vec<Rotation>>()))
    }
}
