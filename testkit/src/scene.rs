//! The tutorial scene as data: the right hand holds a moving cylinder while the head looks at it.
//!
//! Each frame has the animated pose (standing at ease), the character's place in the world, the
//! cylinder, and whether IK is switched on; a host eases the weight ([`ease_weight`]), sets the
//! hand's goal to the cylinder's handle and the look-at position to the cylinder, and solves. The
//! scene fits any humanoid: paths are given in body axes and arm lengths. The animation opens and
//! closes the fingers when the cylinder comes within reach.

use crate::axes::{BodyAxes, Side, turn};
use crate::hand::{self, Grip};
use crate::idle::idle_pose_of;
use crate::mannequin::{HumanMap, Mannequin, RigView};
use crate::matchers::numbers;
use crate::path::{self, Wrist};
use crate::person::{PersonOptions, person};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, Vec3, float, frame_rotation, slerp_short};
use sinew::skeleton::{JointIndex, Skeleton};

/// Shoulder to wrist of the built-in person in metres: where the scene's own sizes are meant for.
const USUAL_ARM_M: f32 = 0.581;
/// Radius of the cylinder for that arm, metres.
const RADIUS_M: f32 = 0.04;
/// Length of the cylinder for that arm, metres.
const LENGTH_M: f32 = 0.30;
/// The weight's way from 0 to 1 in one second, so 0.4 s take it there.
pub const EASE_PER_S: f32 = 2.5;

/// Moves `weight` towards 1 (`active`) or 0 at [`EASE_PER_S`] and stops there. Single-precision
/// multiplication, addition and comparison in this order; hosts in C, C++ and C# that do the same
/// get the same bits.
pub fn ease_weight(weight: f32, active: bool, delta_time_s: f32) -> f32 {
    let step = delta_time_s * EASE_PER_S;
    if active {
        let more = weight + step;
        if more > 1.0 { 1.0 } else { more }
    } else {
        let less = weight - step;
        if less < 0.0 { 0.0 } else { less }
    }
}

/// A rig whose bone is missing cannot play the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingBone(pub HumanBone);

impl core::fmt::Display for MissingBone {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the rig has no {}", self.0.name())
    }
}

impl std::error::Error for MissingBone {}

/// The animation under the IK.
#[derive(Clone, Debug, Default)]
pub enum Motion {
    /// Standing at ease, made from the T-pose.
    #[default]
    Idle,
    /// These poses (local transforms, one per joint), one per frame, again from the start when they
    /// run out.
    Poses(Vec<Vec<Transform>>),
}

/// "Hold the cylinder": what every frame of the demo starts from.
#[derive(Clone, Debug)]
pub struct HoldCylinderScene {
    /// The character's joints.
    pub skeleton: Skeleton,
    /// Which joint is which human bone.
    pub human: HumanMap,
    /// Local transforms of the character's T-pose.
    pub t_pose: Vec<Transform>,
    /// The character's right, up and forward in model space.
    pub axes: BodyAxes,
    /// The animation under the IK.
    pub motion: Motion,
    /// Frames per second; fixed when the scene is made.
    pub fps: u32,
    /// Length in seconds, fixed when the scene is made; the scene has `fps · duration_s` frames.
    pub duration_s: f32,
    /// Rig units per metre of the built-in person: 1 for an arm of 0.581 units, 100 for such an arm
    /// in centimetres.
    pub scale: f32,
    /// Radius of the cylinder, rig units.
    pub cylinder_radius: f32,
    /// Length of the cylinder along its local `y`, rig units.
    pub cylinder_length: f32,
    shoulder_ms: Vec3,
    arm_length: f32,
    grip: Grip,
    /// Local rotations of the right hand's finger joints when closed.
    closed: Vec<(JointIndex, Quat)>,
    /// How far the fingers are closed, per frame, 0 … 1.
    closed01: Vec<f32>,
}

impl Default for HoldCylinderScene {
    fn default() -> Self {
        Self::new()
    }
}

impl HoldCylinderScene {
    /// The scene with the built-in person in Unity's world.
    pub fn new() -> Self {
        let person = person(&PersonOptions::default());
        Self::for_rig(person.skeleton, person.human, person.t_pose, person.axes, Motion::Idle, None)
            .expect("the built-in person has all bones")
    }

    /// The scene for any humanoid rig. `t_pose` are local transforms of its T-pose, `axes` its
    /// right, up and forward in model space. `scale` (rig units per metre of the built-in person)
    /// sizes the cylinder and all paths; `None` takes it from the length of the right arm, which is
    /// right unless several rigs must have the same cylinder.
    ///
    /// # Panics
    /// When `t_pose`, or a pose of `motion`, has not one transform per joint.
    pub fn for_rig(
        skeleton: Skeleton,
        human: HumanMap,
        t_pose: Vec<Transform>,
        axes: BodyAxes,
        motion: Motion,
        scale: Option<f32>,
    ) -> Result<Self, MissingBone> {
        if let Motion::Poses(poses) = &motion {
            assert!(!poses.is_empty(), "a motion needs a pose");
            assert!(poses.iter().all(|p| p.len() == skeleton.joint_count()), "one transform per joint in each pose");
        }
        if let Some(missing) = HumanBone::REQUIRED.into_iter().find(|bone| human[bone.index()].is_none()) {
            return Err(MissingBone(missing));
        }
        let mannequin = Mannequin::new(RigView { skeleton: &skeleton, human: &human, t_pose: &t_pose, axes });
        let at = |bone: HumanBone| mannequin.t_bone_ms(bone).ok_or(MissingBone(bone));
        let (shoulder_ms, elbow, wrist) = (at(RightUpperArm)?, at(RightLowerArm)?, at(RightHand)?);
        let measured = (elbow - shoulder_ms).length() + (wrist - elbow).length();
        let scale = scale.unwrap_or(measured / USUAL_ARM_M);
        let cylinder_radius = RADIUS_M * scale;
        let grip = Grip::new(&mannequin, Side::Right, cylinder_radius);
        let closed = closed_fingers(mannequin, &grip);
        let mut scene = Self {
            skeleton,
            human,
            t_pose,
            axes,
            motion,
            fps: 60,
            duration_s: path::DURATION_S,
            scale,
            cylinder_radius,
            cylinder_length: LENGTH_M * scale,
            shoulder_ms,
            arm_length: USUAL_ARM_M * scale,
            grip,
            closed,
            closed01: Vec::new(),
        };
        scene.closed01 = scene.plan_fingers();
        Ok(scene)
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        (self.duration_s * self.fps as f32 + 0.5) as usize
    }
    /// Seconds between two frames.
    pub fn delta_time_s(&self) -> f32 {
        1.0 / self.fps as f32
    }
    /// Time of a frame, seconds.
    pub fn time_s(&self, frame: usize) -> f32 {
        frame as f32 / self.fps as f32
    }

    /// The animated pose: local transforms, one per joint.
    pub fn pose(&self, frame: usize) -> Vec<Transform> {
        let mut pose = match &self.motion {
            Motion::Idle => idle_pose_of(self.view(), self.time_s(frame)),
            Motion::Poses(poses) => poses[frame % poses.len()].clone(),
        };
        let closed01 = self.closed01.get(frame).copied().unwrap_or(0.0);
        for (joint, rotation) in &self.closed {
            pose[*joint].rotation = slerp_short(pose[*joint].rotation, *rotation, closed01);
        }
        pose
    }
    /// The character's transform in the world. It stands still: a step off the origin and turned by
    /// 20° towards its right.
    pub fn root(&self, _frame: usize) -> Transform {
        let position = self.axes.vector(0.4 * self.scale, 0.0, -0.3 * self.scale);
        Transform::new(position, turn(self.axes.forward, self.axes.right, 20.0))
    }
    /// The cylinder in the world: its centre; its axis is the local `y`.
    pub fn cylinder(&self, frame: usize) -> Transform {
        let goal = self.goal(frame);
        let handle = self.handle_local();
        let rotation = (goal.rotation * handle.rotation.conjugate()).normalize();
        Transform::new(goal.position - rotation * handle.position, rotation)
    }
    /// The handle, a child of the cylinder: where the right wrist comes and how the hand is turned
    /// when the palm is on the mantle. `z` along the fingers, `y` out of the back of the hand,
    /// `x = y × z` by the component formula. The fingers run along the cylinder's local `z`; the
    /// palm faces the axis; the thumb points along local `y`.
    pub fn handle_local(&self) -> Transform {
        // Out of the back of the hand: to the character's right, which is the cylinder's +x where
        // up × forward is right.
        let back = if self.axes.is_left_handed() { Vec3::X } else { Vec3::NEG_X };
        let position = back * self.grip.axis_below - Vec3::Z * self.grip.axis_along;
        Transform::new(position, frame_rotation(Vec3::Z, back))
    }
    /// Where the handle is in the world: the goal of the right hand.
    pub fn goal(&self, frame: usize) -> Transform {
        let wrist = path::wrist_at(self.time_s(frame));
        let root = self.root(frame);
        let position_ms = self.shoulder_ms + wrist.offset_ms(&self.axes, self.arm_length);
        Transform::new(
            root.position + root.rotation * position_ms,
            (root.rotation * wrist.rotation_ms(&self.axes)).normalize(),
        )
    }
    /// Whether IK is switched on in this frame; the weight follows (see [`ease_weight`]).
    pub fn ik_active(&self, frame: usize) -> bool {
        path::ik_active_at(self.time_s(frame))
    }
    /// Distance of the goal from the T-pose shoulder, in lengths of the rig's arm as the scene
    /// takes it.
    pub fn reach01(&self, frame: usize) -> f32 {
        reach01(&path::wrist_at(self.time_s(frame)))
    }

    /// The scene as a file for demo hosts; all numbers little-endian, all floats single precision.
    ///
    /// | part | fields |
    /// |---|---|
    /// | head | 8 bytes `SNWSCENE`, u32 version = 1, u32 joint count, u32 frame count, f32 delta time in seconds |
    /// | per joint | i32 parent (−1: none), i32 human bone (Unity's number, −1: none), rest transform, u32 length of the name in bytes, name in UTF-8, zeros up to a multiple of 4 |
    /// | cylinder | transform of the handle in the cylinder, f32 radius, f32 length |
    /// | per frame | u32 IK active (0 or 1), root transform, cylinder transform, then one local transform per joint |
    ///
    /// A transform is ten floats: position x y z, rotation x y z w, scale x y z.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(b"SNWSCENE");
        put_u32(&mut bytes, 1);
        put_u32(&mut bytes, self.skeleton.joint_count() as u32);
        put_u32(&mut bytes, self.frame_count() as u32);
        put_f32(&mut bytes, self.delta_time_s());
        for joint in 0..self.skeleton.joint_count() {
            let bone = self.human.iter().position(|mapped| *mapped == Some(joint));
            put_index(&mut bytes, self.skeleton.parent(joint));
            put_index(&mut bytes, bone);
            put_transform(&mut bytes, &self.skeleton.rest_local()[joint]);
            let name = self.skeleton.name(joint).as_bytes();
            put_u32(&mut bytes, name.len() as u32);
            bytes.extend(name);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        put_transform(&mut bytes, &self.handle_local());
        put_f32(&mut bytes, self.cylinder_radius);
        put_f32(&mut bytes, self.cylinder_length);
        for frame in 0..self.frame_count() {
            put_u32(&mut bytes, u32::from(self.ik_active(frame)));
            put_transform(&mut bytes, &self.root(frame));
            put_transform(&mut bytes, &self.cylinder(frame));
            self.pose(frame).iter().for_each(|t| put_transform(&mut bytes, t));
        }
        bytes
    }

    fn view(&self) -> RigView<'_> {
        RigView { skeleton: &self.skeleton, human: &self.human, t_pose: &self.t_pose, axes: self.axes }
    }

    /// The fingers close while IK is on and the cylinder within reach, in about a third of a
    /// second.
    fn plan_fingers(&self) -> Vec<f32> {
        let mut weight = 0.0f32;
        let mut closed01 = Vec::with_capacity(self.frame_count());
        for frame in 0..self.frame_count() {
            weight = ease_weight(weight, self.ik_active(frame), self.delta_time_s());
            let near = 1.0 - float::smooth_step(0.95, 1.2, self.reach01(frame));
            closed01.push(float::smooth_step(0.0, 1.0, weight) * near);
        }
        closed01
    }
}

fn reach01(wrist: &Wrist) -> f32 {
    Vec3::new(wrist.place[0], wrist.place[1], wrist.place[2]).length()
}

/// Local rotations of the right hand's finger joints, closed round the cylinder.
fn closed_fingers(mut mannequin: Mannequin, grip: &Grip) -> Vec<(JointIndex, Quat)> {
    hand::close(&mut mannequin, Side::Right, grip);
    let bones = (0..5).flat_map(|finger| (0..3).map(move |segment| hand::finger_bone(Side::Right, finger, segment)));
    bones.filter_map(|bone| mannequin.joint(bone)).map(|joint| (joint, mannequin.local(joint).rotation)).collect()
}

fn put_u32(bytes: &mut Vec<u8>, value: u32) {
    bytes.extend(value.to_le_bytes());
}

fn put_f32(bytes: &mut Vec<u8>, value: f32) {
    bytes.extend(value.to_le_bytes());
}

fn put_index(bytes: &mut Vec<u8>, index: Option<usize>) {
    bytes.extend(index.map_or(-1, |i| i as i32).to_le_bytes());
}

fn put_transform(bytes: &mut Vec<u8>, t: &Transform) {
    numbers(t).into_iter().for_each(|number| put_f32(bytes, number));
}

#[cfg(test)]
mod tests;
