//! One moving picture: a chain on an animator, played through its targets.
#![allow(clippy::disallowed_methods)] // paths of targets and pictures, not poses

use super::live;
use serde_json::{Value, json};
use sinew::animator::Animator;
use sinew::constraints::{ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintId};
use sinew::limits::JointModel;
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Outcome;
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use std::sync::Arc;

/// Frames of a loop.
pub const FRAMES: usize = 120;

/// What one frame shows, metres.
#[derive(Clone)]
pub struct Frame {
    /// Where each joint is, then each end's tip.
    pub joints: Vec<[f32; 3]>,
    /// A point beside the middle of each bone, which shows its roll.
    pub fins: Vec<[f32; 3]>,
    pub targets: Vec<[f32; 3]>,
    pub pole: Option<[f32; 3]>,
    /// Polylines: curves, circles, borders of limits.
    pub lines: Vec<Vec<[f32; 3]>>,
    pub residual: f32,
}

/// A moving picture.
pub struct Exhibit {
    pub group: &'static str,
    pub title: String,
    pub note: String,
    /// Parent of each entry of `Frame::joints`.
    pub parents: Vec<Option<usize>>,
    pub frames: Vec<Frame>,
    /// What the page solves by itself; see `live.rs`.
    pub live: Value,
}

/// A rig of bones along +Y, bent a little in YZ, one metre in all.
pub fn bent_chain(bones: usize, bend_rad: f32) -> Vec<JointDefinition> {
    let length = 1.0 / bones as f32;
    (0..bones)
        .map(|i| JointDefinition {
            name: format!("bone {i}"),
            parent: i.checked_sub(1),
            rest: Transform::new(
                if i == 0 { Vec3::ZERO } else { Vec3::Y * length },
                if i == 0 { Quat::IDENTITY } else { axis_angle(Vec3::X, bend_rad / (bones - 1) as f32) },
            ),
        })
        .collect()
}

/// A chain or tree with its constraint, ready to be played.
pub struct Player {
    pub animator: Animator,
    pub constraint: ConstraintId,
    ends: Vec<ChainEnd>,
    outline: Vec<(usize, JointModel)>,
    frames: Vec<Frame>,
    live: Value,
    script: Vec<Value>,
}

impl Player {
    /// A chain with one end at the tip of its last bone.
    pub fn chain(joints: Vec<JointDefinition>, change: impl FnOnce(&mut ChainDefinition)) -> Self {
        let end = joints.len() - 1;
        let tip_js = Vec3::Y * (1.0 / joints.len() as f32);
        let mut definition =
            ChainDefinition { ends: vec![ChainEnd { joint: end, tip_js }], ..ChainDefinition::to_root(end) };
        change(&mut definition);
        let ends = definition.ends.clone();
        Self::new(joints, ends, &ConstraintDefinition::Chain(definition))
    }
    /// Any constraint; `ends` are the points that are shown.
    pub fn new(joints: Vec<JointDefinition>, ends: Vec<ChainEnd>, definition: &ConstraintDefinition) -> Self {
        let live = json!({
            "rig": live::rig(&joints),
            "ends": live::ends(&ends),
            "constraint": live::constraint(definition),
            "limits": [],
        });
        let skeleton = Arc::new(Skeleton::new(joints).expect("a gallery rig is sound"));
        let mut animator = Animator::new(skeleton, None).expect("an animator without avatar");
        let constraint = animator.add_constraint(definition).expect("a gallery constraint is sound");
        animator.constraint_mut(constraint).expect("just added").weight = 1.0;
        Self { animator, constraint, ends, outline: Vec::new(), frames: Vec::new(), live, script: Vec::new() }
    }
    /// Limits a joint and draws the border when it has one.
    pub fn limit(mut self, joint: usize, model: &JointModel) -> Self {
        self.animator.set_joint_limits(joint, model).expect("a joint of the rig");
        self.outline.push((joint, *model));
        let turn = self.animator.skeleton().rest_local()[joint].rotation * model.frame;
        let border: Vec<[f32; 3]> = border(model).iter().map(|d| (turn * *d * 0.2).to_array()).collect();
        let limits = self.live["limits"].as_array_mut().expect("made above");
        limits.push(json!({ "joint": joint, "limits": live::limits(model), "border": border }));
        self
    }
    /// Back to the rest pose.
    pub fn rest(&mut self) {
        let rest = self.animator.skeleton().rest_local().to_vec();
        self.animator.pose_mut().local_mut().copy_from_slice(&rest);
    }
    /// Solves and keeps the frame; `lines` are drawn with it.
    pub fn shoot(&mut self, lines: Vec<Vec<[f32; 3]>>) -> Outcome {
        let before = self.animator.pose().local().to_vec();
        self.animator.solve().expect("a gallery pose is sound");
        let outcome = self.animator.constraint_outcome(self.constraint).expect("still there");
        self.keep(lines, outcome, &before);
        outcome
    }
    /// Keeps the pose as it is, and what it was `before` the solve.
    fn keep(&mut self, mut lines: Vec<Vec<[f32; 3]>>, outcome: Outcome, before: &[Transform]) {
        let skeleton = self.animator.skeleton().clone();
        let count = skeleton.joint_count();
        let frames: Vec<_> = (0..count).map(|j| self.animator.joint_ws(j)).collect();
        let mut joints: Vec<Vec3> = frames.iter().map(|f| f.position).collect();
        joints.extend(self.ends.iter().map(|e| frames[e.joint].point_out(e.tip_js)));
        let parents = self.parents();
        let mut fins = vec![[0.0; 3]; joints.len()];
        for (place, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                let middle = (joints[place] + joints[parent]) * 0.5;
                fins[place] = (middle + frames[parent].rotation * Vec3::X * 0.045).to_array();
            }
        }
        for (joint, model) in &self.outline {
            let above = skeleton.parent(*joint).map_or(Quat::IDENTITY, |p| frames[p].rotation);
            let turn = above * skeleton.rest_local()[*joint].rotation * model.frame;
            lines.push(border(model).iter().map(|d| (frames[*joint].position + turn * *d * 0.2).to_array()).collect());
        }
        let input = self.animator.constraint(self.constraint).expect("still there");
        let mut script = live::input(input);
        if before != skeleton.rest_local() {
            script["pose"] = live::pose(before);
        }
        self.script.push(script);
        self.frames.push(Frame {
            joints: joints.iter().map(Vec3::to_array).collect(),
            fins,
            targets: input.goals.iter().filter_map(|g| g.position_ws).map(|p| p.to_array()).collect(),
            pole: input.pole_ws.map(|p| p.at.to_array()),
            lines,
            residual: outcome.residual_m,
        });
    }
    fn parents(&self) -> Vec<Option<usize>> {
        let skeleton = self.animator.skeleton();
        skeleton.parents().iter().copied().chain(self.ends.iter().map(|e| Some(e.joint))).collect()
    }
    /// The finished picture.
    pub fn exhibit(mut self, group: &'static str, title: impl Into<String>, note: impl Into<String>) -> Exhibit {
        let parents = self.parents();
        self.live["script"] = Value::Array(self.script);
        Exhibit { group, title: title.into(), note: note.into(), parents, frames: self.frames, live: self.live }
    }
}

/// The border of a joint's swing as directions of limit space: where a large swing in each
/// direction is stopped. Empty for free joints.
fn border(model: &JointModel) -> Vec<Vec3> {
    let bare = JointModel { frame: Quat::IDENTITY, ..*model };
    if bare.is_unlimited() {
        return Vec::new();
    }
    (0..=48)
        .map(|i| {
            let angle = i as f32 / 48.0 * std::f32::consts::TAU;
            bare.project(axis_angle(Vec3::new(angle.cos(), 0.0, angle.sin()), 2.6)) * Vec3::Y
        })
        .collect()
}

/// A point on a slow figure of eight around `centre`; `t` 0 … 1 is once round.
pub fn eight(t: f32, centre: Vec3, size: f32) -> Vec3 {
    let a = t * std::f32::consts::TAU;
    centre + Vec3::new(a.sin(), 0.45 * (2.0 * a).sin(), 0.55 * a.cos()) * size
}
/// A circle in the YZ plane around `centre`.
pub fn circle(t: f32, centre: Vec3, radius: f32) -> Vec3 {
    let a = t * std::f32::consts::TAU;
    centre + Vec3::new(0.0, a.cos(), a.sin()) * radius
}
/// Share of the loop at a frame.
pub fn share(frame: usize) -> f32 {
    frame as f32 / FRAMES as f32
}
/// 0 at both ends of the loop, 1 in its middle.
pub fn there_and_back(t: f32) -> f32 {
    0.5 - 0.5 * (t * std::f32::consts::TAU).cos()
}

/// Joints and fins of a body's pose, appended.
pub fn show(skeleton: &Skeleton, pose: &Pose, root: &Transform, joints: &mut Vec<[f32; 3]>, fins: &mut Vec<[f32; 3]>) {
    let out = |p: Vec3| root.position + root.rotation * p;
    for joint in 0..skeleton.joint_count() {
        let frame = pose.model(joint);
        joints.push(out(frame.position).to_array());
        let above = skeleton.parent(joint).map(|above| pose.model(above));
        let fin = above.map(|above| (frame.position + above.position) * 0.5 + above.rotation * Vec3::Z * 0.03);
        fins.push(fin.map_or([0.0; 3], |fin| out(fin).to_array()));
    }
}
