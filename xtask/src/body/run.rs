//! The engine on a case, through the C ABI: one body per case, default settings (without posture
//! for recordings that are followed).

use super::format::{Case, Limit, PoseRecord, Rig, Sequence, Task};
use super::judge::Reading;
use crate::c_abi::{check, create_skeleton_from};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sinew::ffi::*;
use std::time::Instant;

/// Times a solve is repeated; the least time counts.
const REPEATS: usize = 5;
/// Weight of a rotation (per rad²) that is the importance 1: the square of the default rotation
/// length.
const ROTATION_WEIGHT: f64 = 0.09;

/// A pose with what it took.
pub struct Answer {
    pub pose: PoseRecord,
    pub us: f64,
    pub iterations: u32,
    status: i32,
}

impl Answer {
    pub fn to_json(&self) -> Value {
        json!({"root_t": self.pose.root_t, "local_r": self.pose.local_r, "us": self.us, "iters": self.iterations, "status": self.status})
    }
    fn new(pose: &[SinewTransform], us: f64, outcome: &SinewBodyOutcome) -> Self {
        let SinewVec3 { x, y, z } = pose[0].position;
        let rotation = |q: SinewQuat| [q.x, q.y, q.z, q.w].map(f64::from);
        let pose = PoseRecord {
            root_t: [x, y, z].map(f64::from),
            local_r: pose.iter().map(|t| rotation(t.rotation)).collect(),
        };
        Self { pose, us, iterations: outcome.iterations, status: outcome.status }
    }
}

fn vec3(v: &[f64]) -> SinewVec3 {
    SinewVec3 { x: v[0] as f32, y: v[1] as f32, z: v[2] as f32 }
}
fn quat(q: &[f64]) -> SinewQuat {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| (q[i] / length) as f32);
    SinewQuat { x, y, z, w }
}
fn placed(position: &[f64], rotation: &[f64]) -> SinewTransform {
    let scale = SinewVec3 { x: 1.0, y: 1.0, z: 1.0 };
    SinewTransform { position: vec3(position), rotation: quat(rotation), scale }
}

/// A body with its skeleton; both end with it.
struct Subject {
    skeleton: SinewSkeleton,
    body: SinewBody,
    tasks: Vec<SinewBodyTask>,
}

impl Drop for Subject {
    fn drop(&mut self) {
        sinew_body_destroy(self.body);
        sinew_skeleton_destroy(self.skeleton);
    }
}

impl Subject {
    fn new(rig: &Rig, root: &str, mode: SinewBodyMode, reading: Reading, posture: bool) -> Result<Self> {
        let parents: Vec<i32> = rig.joints.iter().map(|j| j.parent as i32).collect();
        let rest: Vec<SinewTransform> = rig.joints.iter().map(|j| placed(&j.offset, &j.rest_r)).collect();
        let names: Vec<&str> = rig.joints.iter().map(|j| j.name.as_str()).collect();
        let skeleton = create_skeleton_from(&parents, &rest, &names)?;
        let mut subject = Self { skeleton, body: SinewBody { bits: 0 }, tasks: Vec::new() };
        check(sinew_body_create(subject.skeleton, 0, None, Some(&mut subject.body)), "sinew_body_create")?;
        let body = subject.body;
        let mut settings = SinewBodySettings::default();
        check(sinew_body_get_settings(body, Some(&mut settings)), "sinew_body_get_settings")?;
        settings.mode = mode as i32;
        if !posture {
            settings.posture = 0.0;
        }
        let floats = root == "floating";
        settings.root = if floats { SinewBodyRoot::Free } else { SinewBodyRoot::Fixed } as i32;
        check(sinew_body_set_settings(body, Some(&settings)), "sinew_body_set_settings")?;
        for (i, joint) in rig.joints.iter().enumerate() {
            let center = vec3(&joint.com);
            let set = sinew_body_set_mass(body, i as u32, joint.mass as f32, Some(&center));
            check(set, "sinew_body_set_mass")?;
            if let Some(limit) = &joint.limit {
                let limits = limits(limit, reading)?;
                let set = sinew_body_set_joint_limits(body, i as u32, Some(&limits));
                check(set, "sinew_body_set_joint_limits")?;
            }
        }
        Ok(subject)
    }
    /// Adds a task, or sets the one of this number anew.
    fn set(&mut self, number: usize, def: &SinewBodyTaskDef) -> Result<()> {
        if let Some(task) = self.tasks.get(number) {
            return check(sinew_body_set_task(self.body, *task, Some(def)), "sinew_body_set_task");
        }
        let mut task = SinewBodyTask { bits: 0 };
        check(sinew_body_add_task(self.body, Some(def), Some(&mut task)), "sinew_body_add_task")?;
        self.tasks.push(task);
        Ok(())
    }
    /// Solves a pose; returns the time of the call as well.
    fn solve(&self, pose: &mut [SinewTransform], dt_s: f64) -> Result<(f64, SinewBodyOutcome)> {
        let mut outcome = SinewBodyOutcome::default();
        let count = pose.len() as u32;
        let from = Instant::now();
        let result = unsafe { sinew_body_solve(self.body, pose.as_mut_ptr(), count, dt_s as f32, Some(&mut outcome)) };
        let us = from.elapsed().as_secs_f64() * 1e6;
        check(result, "sinew_body_solve")?;
        Ok((us, outcome))
    }
}

fn limits(limit: &Limit, reading: Reading) -> Result<SinewJointLimits> {
    let mut out = SinewJointLimits::default();
    check(sinew_joint_limits_default(Some(&mut out)), "sinew_joint_limits_default")?;
    let (x, y, z) = (SINEW_LIMIT_RANGE_X, SINEW_LIMIT_RANGE_Y, SINEW_LIMIT_RANGE_Z);
    out.flags = match limit.kind.as_str() {
        "ball" if reading == Reading::Box => x | y | z | SINEW_LIMIT_ANGLES,
        "ball" => x | y | z,
        "universal" => x | y | SINEW_LIMIT_LOCK_Z,
        "hinge" => x | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z,
        other => bail!("no limit of type {other}"),
    };
    out.frame = quat(&limit.frame);
    // The middle one of three angles is never beyond a quarter turn.
    let most = if out.flags & SINEW_LIMIT_ANGLES != 0 { core::f64::consts::FRAC_PI_2 } else { f64::INFINITY };
    out.min_rad = vec3(&[limit.x[0], limit.y[0], limit.z[0].max(-most)]);
    out.max_rad = vec3(&[limit.x[1], limit.y[1], limit.z[1].min(most)]);
    Ok(out)
}

fn pose(rig: &Rig, record: &PoseRecord) -> Vec<SinewTransform> {
    let place = |i: usize| if i == 0 { record.root_t } else { rig.joints[i].offset };
    record.local_r.iter().enumerate().map(|(i, q)| placed(&place(i), q)).collect()
}

/// A task as the engine has it; `None` for a posture, which every solve has anyway.
fn definition(task: &Task, goal: &[f64], blend: f64) -> Result<Option<SinewBodyTaskDef>> {
    let kind = match task.kind.as_str() {
        "position" => SinewBodyTaskKind::Position,
        "orientation" => SinewBodyTaskKind::Orientation,
        "com" => SinewBodyTaskKind::CenterOfMass,
        "posture" => return Ok(None),
        other => bail!("no task of type {other}"),
    };
    let mut def = SinewBodyTaskDef::default();
    check(sinew_body_task_default(kind as i32, Some(&mut def)), "sinew_body_task_default")?;
    def.joint = task.joint as u32;
    if kind == SinewBodyTaskKind::Orientation {
        def.rotation = quat(goal);
    } else {
        def.goal = vec3(goal);
    }
    if let Some(tip) = task.tip {
        def.point = vec3(&tip);
    }
    if let Some(axes) = task.axes {
        let bits = [SINEW_BODY_AXIS_X, SINEW_BODY_AXIS_Y, SINEW_BODY_AXIS_Z];
        def.axes = bits.iter().zip(axes).filter(|(_, a)| *a != 0.0).fold(0, |all, (bit, _)| all | bit);
    }
    let unit = if kind == SinewBodyTaskKind::Orientation { ROTATION_WEIGHT } else { 1.0 };
    def.importance = (task.weight / unit) as f32;
    def.level = u32::from(task.priority);
    def.blend = blend as f32;
    Ok(Some(def))
}

/// Converge mode from the start.
pub fn solve_case(rig: &Rig, case: &Case, reading: Reading) -> Result<Answer> {
    let mut subject = Subject::new(rig, &case.root, SinewBodyMode::Converge, reading, true)?;
    let mut number = 0;
    for task in &case.tasks {
        if let Some(def) = definition(task, &task.goal, 1.0)? {
            subject.set(number, &def)?;
            number += 1;
        }
    }
    let start = pose(rig, &case.start);
    let mut answer = None;
    let mut us = f64::INFINITY;
    for _ in 0..REPEATS {
        let mut pose = start.clone();
        let (time, outcome) = subject.solve(&mut pose, 0.0)?;
        us = us.min(time);
        answer = Some((pose, outcome));
    }
    let (pose, outcome) = answer.context("no repeats")?;
    Ok(Answer::new(&pose, us, &outcome))
}

/// Track mode, frame by frame; the incoming pose is the start's.
pub fn track_sequence(rig: &Rig, sequence: &Sequence, reading: Reading) -> Result<Vec<Answer>> {
    // A recording is followed; there is no animation to return to.
    let posture = sequence.kind != "track6";
    let mut subject = Subject::new(rig, &sequence.root, SinewBodyMode::Track, reading, posture)?;
    let start = pose(rig, &sequence.start);
    let mut answers = Vec::new();
    for (frame, goals) in sequence.goals.iter().enumerate() {
        for (k, (task, goal)) in sequence.tasks.iter().zip(goals).enumerate() {
            let fades = k + 2 >= sequence.tasks.len();
            let blend = sequence.last_two_weight.as_ref().filter(|_| fades).map_or(1.0, |w| w[frame]);
            let Some(def) = definition(task, goal, blend)? else { bail!("a posture in a sequence") };
            subject.set(k, &def)?;
        }
        let mut pose = start.clone();
        let (us, outcome) = subject.solve(&mut pose, 1.0 / sequence.fps)?;
        answers.push(Answer::new(&pose, us, &outcome));
    }
    Ok(answers)
}
