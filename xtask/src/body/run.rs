//! The engine on a case: one body per case, default settings (but for recordings that are followed:
//! no posture).

use super::format::{Case, Limit, PoseRecord, Rig, Sequence, Task};
use super::judge::Reading;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sinew::body::{Body, BodyOutcome, BodySettings, Demand};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use sinew::tasks::{Axes, CenterOfMass, Orientation, Position};
use std::sync::Arc;
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
    fn new(pose: &Pose, us: f64, outcome: &BodyOutcome) -> Self {
        let local = pose.local();
        let pose = PoseRecord {
            root_t: local[0].position.to_array().map(f64::from),
            local_r: local.iter().map(|t| t.rotation.to_array().map(f64::from)).collect(),
        };
        Self { pose, us, iterations: outcome.iterations, status: outcome.status as i32 }
    }
}

fn vec3(v: &[f64]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
fn quat(q: &[f64]) -> Quat {
    Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32).normalize()
}

fn skeleton(rig: &Rig) -> Result<Arc<Skeleton>> {
    let joints = rig.joints.iter().map(|j| JointDefinition {
        name: j.name.clone(),
        parent: usize::try_from(j.parent).ok(),
        rest: Transform::new(vec3(&j.offset), quat(&j.rest_r)),
    });
    Ok(Arc::new(Skeleton::new(joints.collect()).with_context(|| rig.name.clone())?))
}

fn model(limit: &Limit, reading: Reading) -> Result<JointModel> {
    let range = |r: [f64; 2]| Range::new(r[0] as f32, r[1] as f32);
    let freedom = match limit.kind.as_str() {
        "ball" if reading == Reading::Box => {
            Freedom::Angles { x: range(limit.x), z: range(limit.z), y: range(limit.y) }
        }
        "ball" => Freedom::Ball {
            swing: SwingRegion::Ellipse { x: range(limit.x), z: range(limit.z) },
            twist: range(limit.y),
        },
        "universal" => Freedom::Universal { bend: BendAxis::X, bend_range: range(limit.x), twist: range(limit.y) },
        "hinge" => Freedom::Hinge { axis: HingeAxis::X, range: range(limit.x) },
        other => bail!("no limit of type {other}"),
    };
    Ok(JointModel { frame: quat(&limit.frame), ..JointModel::limited(freedom) })
}

fn body(rig: &Rig, skeleton: &Arc<Skeleton>, root: &str, reading: Reading) -> Result<Body> {
    let mut body = Body::new(skeleton.clone(), 0)?;
    body.set_floating(root == "floating");
    for (i, joint) in rig.joints.iter().enumerate() {
        body.set_mass(i, joint.mass as f32, vec3(&joint.com))?;
        if let Some(limit) = &joint.limit {
            body.set_joint_limits(i, model(limit, reading)?)?;
        }
    }
    Ok(body)
}

fn pose(rig: &Rig, skeleton: &Skeleton, record: &PoseRecord) -> Result<Pose> {
    let mut pose = Pose::rest(skeleton);
    let place = |i: usize| if i == 0 { record.root_t } else { rig.joints[i].offset };
    let local = record.local_r.iter().enumerate().map(|(i, q)| Transform::new(vec3(&place(i)), quat(q)));
    pose.load(local)?;
    pose.update(skeleton);
    Ok(pose)
}

/// A task as the engine has it; `None` for a posture, which every solve has anyway.
fn demand(task: &Task, goal: &[f64], blend: f64) -> Result<Option<Demand>> {
    let mut demand = match task.kind.as_str() {
        "position" => {
            let point_js = task.tip.map_or(Vec3::ZERO, |tip| vec3(&tip));
            Demand::new(Position { joint: task.joint, point_js, goal: vec3(goal), axes: Axes::ALL })
        }
        "orientation" => Demand::new(Orientation::new(task.joint, quat(goal))),
        "com" => {
            let on = task.axes.unwrap_or([1.0; 3]).map(|a| a != 0.0);
            Demand::new(CenterOfMass { goal: vec3(goal), axes: Axes { on, frame: Quat::IDENTITY } })
        }
        "posture" => return Ok(None),
        other => bail!("no task of type {other}"),
    };
    let unit = if task.kind == "orientation" { ROTATION_WEIGHT } else { 1.0 };
    demand.importance = (task.weight / unit) as f32;
    demand.level = task.priority;
    demand.blend = blend as f32;
    Ok(Some(demand))
}

/// Converge mode from the start.
pub fn solve_case(rig: &Rig, case: &Case, reading: Reading) -> Result<Answer> {
    let skeleton = skeleton(rig)?;
    let mut body = body(rig, &skeleton, &case.root, reading)?;
    for task in &case.tasks {
        if let Some(demand) = demand(task, &task.goal, 1.0)? {
            body.add_task(demand)?;
        }
    }
    let start = pose(rig, &skeleton, &case.start)?;
    let mut answer = None;
    let mut us = f64::INFINITY;
    for _ in 0..REPEATS {
        let mut pose = start.clone();
        let from = Instant::now();
        let outcome = body.solve(&mut pose)?;
        us = us.min(from.elapsed().as_secs_f64() * 1e6);
        answer = Some((pose, outcome));
    }
    let (pose, outcome) = answer.context("no repeats")?;
    Ok(Answer::new(&pose, us, &outcome))
}

/// Track mode, frame by frame; the incoming pose is the start's.
pub fn track_sequence(rig: &Rig, sequence: &Sequence, reading: Reading) -> Result<Vec<Answer>> {
    let skeleton = skeleton(rig)?;
    let mut body = body(rig, &skeleton, &sequence.root, reading)?;
    if sequence.kind == "track6" {
        // A recording is followed; there is no animation to come back to.
        body.set_settings(BodySettings { posture: 0.0, ..*body.settings() });
    }
    let start = pose(rig, &skeleton, &sequence.start)?;
    let mut tasks = Vec::new();
    let mut answers = Vec::new();
    for (frame, goals) in sequence.goals.iter().enumerate() {
        for (k, (task, goal)) in sequence.tasks.iter().zip(goals).enumerate() {
            let fades = k + 2 >= sequence.tasks.len();
            let blend = sequence.last_two_weight.as_ref().filter(|_| fades).map_or(1.0, |w| w[frame]);
            let Some(demand) = demand(task, goal, blend)? else { bail!("a posture in a sequence") };
            match tasks.get(k) {
                None => tasks.push(body.add_task(demand)?),
                Some(id) => body.set_task(*id, demand)?,
            }
        }
        let mut pose = start.clone();
        let from = Instant::now();
        let outcome = body.track(&mut pose, (1.0 / sequence.fps) as f32)?;
        answers.push(Answer::new(&pose, from.elapsed().as_secs_f64() * 1e6, &outcome));
    }
    Ok(answers)
}
