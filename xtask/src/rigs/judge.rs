//! Judges the poses a host left, from outside: forward kinematics in double precision, the file's
//! own bones and axes.
//!
//! Neither the library's outcome nor its mapping is used: hand, head, eyes, elbow and knees are
//! those of the file's table, and right, up and forward are the file's. Directions fixed in a bone
//! are taken from the T-pose as material lines, so they also mean the same under shear.

use super::format::Rig;
use crate::demo::hosts::Run;
use anyhow::{Context, Result, ensure};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Transform, Vec3};
use testkit::characters::solve3;
use testkit::matchers::{Affine64, direction_angle_rad, distance, forward_kinematics};
use testkit::scene::HoldCylinderScene;

/// Height of the person to which the bar on the hand refers, metres.
const USUAL_HEIGHT_M: f64 = 1.7;
/// Default stretch of an arm: the goal can be reached to this part beyond its length.
const ARM_STRETCH: f64 = 0.05;
/// A goal this near (as part of the reach) to the end of the reach is left out: either answer is
/// right.
const REACH_MARGIN: f64 = 1e-4;
/// The scene's look-at clamp 0.5 lets the gaze go 90° from the chest's forward, softly over the
/// last tenth.
const LOOK_UNCLAMPED_DEG: f64 = 80.0;
/// A limb bent by less than this offset of its middle joint, as part of its length, has no side
/// (about 4°).
const STRAIGHT: f64 = 0.015;

type V = [f64; 3];

/// Results of the poses.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Frames at full weight.
    pub full_frames: usize,
    /// Those of them in which the goal is within reach.
    pub reachable_frames: usize,
    /// Largest distance between hand and goal over those, millimetres, on a rig scaled to 1.7 m.
    pub hand_error_mm: f64,
    /// Frames at full weight in which the target is within the clamp.
    pub look_frames: usize,
    /// Largest angle over those between the head's forward line, from between the eyes, and the
    /// target, degrees.
    pub look_error_deg: f64,
    /// Time of that frame, seconds.
    pub look_worst_s: f32,
    /// Frames in which the right elbow bends backwards or to the wrong side.
    pub wrong_elbow: usize,
    /// Frames in which a knee bends backwards.
    pub wrong_knee: usize,
    /// Frames with any of these.
    pub wrong_side_bends: usize,
    /// Least cosine between the elbow's side and the relaxed one (down, back, out), where it is
    /// judged.
    pub elbow_side: f64,
    /// Largest distance by which the left hand or a foot was moved, millimetres as above: none of
    /// them has a goal.
    pub others_moved_mm: f64,
    /// Whether the hand that went to the goal is the character's right one, on its right side.
    pub right_is_right: bool,
}

/// Judges every frame of a run.
pub fn judge(rig: &Rig, scene: &HoldCylinderScene, run: &Run) -> Result<Verdict> {
    ensure!(run.frames.len() == scene.frame_count(), "the host left {} frames", run.frames.len());
    let body = Body::new(rig, scene)?;
    let per_unit_mm = 1000.0 * USUAL_HEIGHT_M / rig.height().max(1e-30);
    let mut verdict = Verdict { elbow_side: 1.0, right_is_right: body.right_is_right(), ..Verdict::default() };
    for (index, left) in run.frames.iter().enumerate() {
        ensure!(left.pose.len() == scene.skeleton.joint_count(), "frame {index} has {} joints", left.pose.len());
        ensure!(testkit::matchers::all_finite(&left.pose), "frame {index} has numbers that are not finite");
        let root = scene.root(index);
        let animated = Frame::new(&body, &scene.pose(index), &root);
        let solved = Frame::new(&body, &left.pose, &root);
        let moved = [LeftHand, LeftFoot, RightFoot].map(|b| distance(animated.at(b), solved.at(b)));
        verdict.others_moved_mm = moved.into_iter().fold(verdict.others_moved_mm, |a, b| a.max(b * per_unit_mm));

        let elbow = solved.elbow(&mut verdict.elbow_side);
        let knee = [[LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot]]
            .into_iter()
            .any(|leg| solved.knee_is_wrong(leg));
        verdict.wrong_elbow += usize::from(elbow);
        verdict.wrong_knee += usize::from(knee);
        verdict.wrong_side_bends += usize::from(elbow || knee);

        if left.weight < 1.0 {
            continue;
        }
        verdict.full_frames += 1;
        let goal = widen(scene.goal(index).position);
        if animated.can_reach(goal) {
            verdict.reachable_frames += 1;
            let off = distance(solved.at(RightHand), goal) * per_unit_mm;
            verdict.hand_error_mm = verdict.hand_error_mm.max(off);
        }
        let target = widen(scene.cylinder(index).position);
        if animated.angle_from_chest_deg(target) < LOOK_UNCLAMPED_DEG {
            verdict.look_frames += 1;
            let off = solved.look_error_deg(target);
            if off > verdict.look_error_deg {
                (verdict.look_error_deg, verdict.look_worst_s) = (off, scene.time_s(index));
            }
        }
    }
    ensure!(verdict.reachable_frames > 0 && verdict.look_frames > 0, "no frame can be judged");
    Ok(verdict)
}

/// What is fixed in the body, from the T-pose.
struct Body<'a> {
    rig: &'a Rig,
    t_pose: Vec<Affine64>,
    right: V,
    up: V,
    forward: V,
    head: usize,
    chest: usize,
    /// What is forward in the T-pose, in the space of head and chest.
    head_forward: V,
    chest_forward: V,
}

impl<'a> Body<'a> {
    fn new(rig: &'a Rig, scene: &HoldCylinderScene) -> Result<Self> {
        let joint = |bone: HumanBone| rig.humanoid.get(bone).with_context(|| format!("no {}", bone.name()));
        for bone in HumanBone::REQUIRED {
            joint(bone)?;
        }
        let t_pose = forward_kinematics(&rig.skeleton, &scene.t_pose);
        let head = joint(Head)?;
        let chest = [UpperChest, Chest, Spine]
            .into_iter()
            .filter_map(|b| rig.humanoid.get(b))
            .find(|j| rig.skeleton.is_self_or_ancestor(*j, head))
            .map_or_else(|| joint(Hips), Ok)?;
        let forward = widen(rig.axes.forward);
        Ok(Self {
            head_forward: inward(&t_pose[head], forward),
            chest_forward: inward(&t_pose[chest], forward),
            rig,
            right: widen(rig.axes.right),
            up: widen(rig.axes.up),
            forward,
            head,
            chest,
            t_pose,
        })
    }
    fn joint(&self, bone: HumanBone) -> usize {
        // The required ones were checked.
        self.rig.humanoid.get(bone).unwrap_or(self.head)
    }
    fn right_is_right(&self) -> bool {
        let at = |bone| self.t_pose[self.joint(bone)].position;
        [(LeftHand, RightHand), (LeftFoot, RightFoot)]
            .into_iter()
            .all(|(l, r)| dot(sub(at(r), at(l)), self.right) > 0.0)
    }
}

/// A pose in the world.
struct Frame<'a> {
    body: &'a Body<'a>,
    root: Affine64,
    world: Vec<Affine64>,
}

impl<'a> Frame<'a> {
    fn new(body: &'a Body<'a>, local: &[Transform], root: &Transform) -> Self {
        let root = Affine64::from_transform(root);
        let world = forward_kinematics(&body.rig.skeleton, local).iter().map(|f| root.then(f)).collect();
        Self { body, root, world }
    }
    fn at(&self, bone: HumanBone) -> V {
        self.world[self.body.joint(bone)].position
    }
    fn eyes(&self) -> V {
        match [LeftEye, RightEye].map(|b| self.body.rig.humanoid.get(b)) {
            [Some(l), Some(r)] => scale(add(self.world[l].position, self.world[r].position), 0.5),
            [Some(one), None] | [None, Some(one)] => self.world[one].position,
            _ => self.world[self.body.head].position,
        }
    }
    fn look_error_deg(&self, target: V) -> f64 {
        let forward = self.world[self.body.head].direction(self.body.head_forward);
        direction_angle_rad(forward, sub(target, self.eyes())).to_degrees()
    }
    fn angle_from_chest_deg(&self, target: V) -> f64 {
        let forward = self.world[self.body.chest].direction(self.body.chest_forward);
        direction_angle_rad(forward, sub(target, self.eyes())).to_degrees()
    }

    /// Whether the right arm, from this pose's shoulder, is long enough for the wrist to come to
    /// `goal`. Measured in the space of the shoulder's parent, where bones keep their lengths when
    /// they turn.
    fn can_reach(&self, goal: V) -> bool {
        let body = self.body;
        let parent = body.rig.skeleton.parent(body.joint(RightUpperArm)).map_or(self.root, |p| self.world[p]);
        let inside = |p: V| inward(&parent, sub(p, parent.position));
        let [shoulder, elbow, wrist] = [RightUpperArm, RightLowerArm, RightHand].map(|b| inside(self.at(b)));
        let (upper, lower) = (distance(shoulder, elbow), distance(elbow, wrist));
        let (longest, shortest) = ((upper + lower) * (1.0 + ARM_STRETCH), (upper - lower).abs());
        let away = distance(inside(goal), shoulder);
        away < longest * (1.0 - REACH_MARGIN) && away > shortest + longest * REACH_MARGIN
    }

    /// The middle joint's offset from the line between the outer two, and the line's direction and
    /// the limb's length.
    fn bend(&self, [root, mid, end]: [HumanBone; 3]) -> (V, V, f64) {
        let (a, b, c) = (self.at(root), self.at(mid), self.at(end));
        let line = unit(sub(c, a));
        let upper = sub(b, a);
        (reject(upper, line), line, length(upper) + distance(b, c))
    }
    fn knee_is_wrong(&self, leg: [HumanBone; 3]) -> bool {
        let (offset, _, size) = self.bend(leg);
        dot(offset, self.root.direction(self.body.forward)) < -STRAIGHT * size
    }
    /// An elbow is wrong when the forearm is bent backwards against the upper arm (seen on the
    /// T-pose: behind it), or when the elbow is above, before and inward of the line from shoulder
    /// to wrist while the wrist is not overhead. `side` keeps the least cosine of the latter.
    fn elbow(&self, side: &mut f64) -> bool {
        let body = self.body;
        let (upper_arm, t_upper) = (body.joint(RightUpperArm), &body.t_pose[body.joint(RightUpperArm)]);
        let forearm = sub(self.at(RightHand), self.at(RightLowerArm));
        let seen = unit(t_upper.direction(inward(&self.world[upper_arm], forearm)));
        let straight = unit(sub(body.t_pose[body.joint(RightLowerArm)].position, t_upper.position));
        let backwards = dot(reject(seen, straight), body.forward) < -2.0 * STRAIGHT;

        let (offset, line, size) = self.bend([RightUpperArm, RightLowerArm, RightHand]);
        let out = |v: V| self.root.direction(v);
        let (right, up, forward) = (out(body.right), out(body.up), out(body.forward));
        let relaxed = reject(add(scale(up, -1.0), add(scale(forward, -0.6), scale(right, 0.5))), line);
        let judged = length(offset) > STRAIGHT * size && dot(line, up) < 0.7 && length(relaxed) > 0.3;
        if !judged {
            return backwards;
        }
        let cosine = dot(unit(offset), unit(relaxed));
        *side = side.min(cosine);
        backwards || cosine < 0.0
    }
}

impl Verdict {
    /// Whether the bar is met: hand within 1 mm at 1.7 m, gaze within half a degree, every bend
    /// anatomical, sides right.
    pub fn shortcomings(&self) -> Vec<String> {
        let mut list = Vec::new();
        if self.hand_error_mm >= 1.0 {
            list.push(format!("hand off by {:.3} mm", self.hand_error_mm));
        }
        if self.look_error_deg >= 0.5 {
            list.push(format!("gaze off by {:.2} degrees at {:.2} s", self.look_error_deg, self.look_worst_s));
        }
        if self.wrong_side_bends > 0 {
            list.push(format!("elbow wrong in {} frames, a knee in {}", self.wrong_elbow, self.wrong_knee));
        }
        if !self.right_is_right {
            list.push("the right hand is on the left".into());
        }
        if self.others_moved_mm > 0.1 {
            list.push(format!("a limb without a goal moved by {:.2} mm", self.others_moved_mm));
        }
        list
    }
}

/// A direction of the outer space in the frame's own.
fn inward(frame: &Affine64, v: V) -> V {
    solve3(&frame.columns, v)
}

fn widen(v: Vec3) -> V {
    v.to_array().map(f64::from)
}
fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn scale(a: V, s: f64) -> V {
    a.map(|x| x * s)
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}
fn unit(a: V) -> V {
    scale(a, 1.0 / length(a).max(1e-300))
}
/// The part of `a` at right angles to the unit vector `n`.
fn reject(a: V, n: V) -> V {
    sub(a, scale(n, dot(a, n)))
}
