//! The pose that the figure's skin is made in: standing straight, arms half lowered, fingers
//! straight.
//!
//! A recording has no rest pose, and its first frame may be the middle of a step. Bones keep their
//! lengths, so the frame is straightened bone by bone with the shortest rotation that brings each
//! one to where it belongs. The skin is then bound to the joints as they are, whatever their local
//! axes.

use super::stage::Stage;
use crate::picture::vector::{Quat, Rigid, Vec3, smoothstep, vec3};

/// The names of the five fingers as Unity spells them.
pub const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];

/// The straightened pose and the character's size measured on it.
pub struct Bind<'a> {
    /// The stage whose skeleton this is.
    pub stage: &'a Stage<'a>,
    /// Every joint, stage space.
    pub pose: Vec<Rigid>,
    /// Size against an adult of 1.75 m: radii are multiplied by it.
    pub scale: f32,
    /// Whether the bones a figure needs are known; otherwise `pose` is the first frame as it is.
    pub human: bool,
}

const REQUIRED: [&str; 14] = [
    "Hips",
    "Head",
    "LeftUpperLeg",
    "LeftLowerLeg",
    "LeftFoot",
    "RightUpperLeg",
    "RightLowerLeg",
    "RightFoot",
    "LeftUpperArm",
    "LeftLowerArm",
    "LeftHand",
    "RightUpperArm",
    "RightLowerArm",
    "RightHand",
];

impl<'a> Bind<'a> {
    /// Straightens the first animated frame of `stage`.
    pub fn new(stage: &'a Stage<'a>) -> Bind<'a> {
        let human = REQUIRED.iter().all(|name| stage.bone(name).is_some());
        let mut bind = Bind { stage, pose: stage.frames[0].animated.clone(), scale: 1.0, human };
        if !human {
            let low = bind.pose.iter().fold(bind.pose[0].p, |a, b| a.min(b.p));
            let high = bind.pose.iter().fold(bind.pose[0].p, |a, b| a.max(b.p));
            bind.scale = ((high - low).len() / 1.75).max(1e-3);
            return bind;
        }
        let length = |a: &str, b: &str| (bind.at(a) - bind.at(b)).len();
        let leg = length("LeftUpperLeg", "LeftLowerLeg") + length("LeftLowerLeg", "LeftFoot");
        bind.scale = ((leg + length("Hips", "Head")) / 1.43).max(1e-3);
        bind.stand();
        bind.straighten_torso();
        for (name, side) in [("Left", 1.0), ("Right", -1.0)] {
            bind.straighten_arm(name, side);
            bind.straighten_leg(name, side);
        }
        bind
    }

    /// Index of a human bone.
    pub fn bone(&self, name: &str) -> Option<usize> {
        self.stage.bone(name)
    }

    /// Place of a human bone that is known to exist; the origin otherwise.
    pub fn at(&self, name: &str) -> Vec3 {
        self.bone(name).map_or(Vec3::ZERO, |j| self.pose[j].p)
    }

    /// The first of `names` that the rig has.
    pub fn first_of(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.bone(name))
    }

    /// Where the last bone of a finger ends: its own child if the rig has one, else straight on.
    pub fn finger_tip(&self, side: &str, finger: &str) -> Option<Vec3> {
        let middle = self.bone(&format!("{side}{finger}Intermediate"))?;
        let last = self.bone(&format!("{side}{finger}Distal"))?;
        let along = self.pose[last].p - self.pose[middle].p;
        let tip = self.stage.joints.iter().position(|j| j.parent == Some(last));
        let length =
            tip.map_or(along.len() * 0.85, |t| (self.pose[t].p - self.pose[last].p).len().max(0.4 * along.len()));
        Some(self.pose[last].p + along.unit_or(Vec3::X) * length)
    }

    fn turn_subtree(&mut self, root: usize, turn: Quat) {
        let pivot = self.pose[root].p;
        let mut inside = vec![false; self.pose.len()];
        inside[root] = true;
        for j in root..self.pose.len() {
            inside[j] |= self.stage.joints[j].parent.is_some_and(|p| inside[p]);
            if inside[j] {
                let here = self.pose[j];
                self.pose[j] = Rigid { p: pivot + turn.turn(here.p - pivot), q: turn * here.q };
            }
        }
    }

    fn aim(&mut self, joint: usize, from: Vec3, to: Vec3) {
        if from.len() > 1e-6 && to.len() > 1e-6 {
            self.turn_subtree(joint, Quat::between(from, to));
        }
    }

    fn aim_bone(&mut self, joint: &str, child: &str, to: Vec3) {
        if let (Some(j), Some(c)) = (self.bone(joint), self.bone(child)) {
            self.aim(j, self.pose[c].p - self.pose[j].p, to);
        }
    }

    /// Brings the hips to the origin, hip line along X, trunk upright, whatever the first frame
    /// does.
    fn stand(&mut self) {
        let hips = self.at("Hips");
        let across = self.at("LeftUpperLeg") - self.at("RightUpperLeg");
        let face_x = Quat::between(across, Vec3::X);
        for pose in &mut self.pose {
            *pose = Rigid { p: face_x.turn(pose.p - hips), q: face_x * pose.q };
        }
        let trunk = vec3(0.0, self.at("Head").y, self.at("Head").z);
        let upright = Quat::between(trunk, vec3(0.0, 1.0, 0.03));
        for pose in &mut self.pose {
            *pose = Rigid { p: upright.turn(pose.p), q: upright * pose.q };
        }
    }

    fn straighten_torso(&mut self) {
        let top = self.first_of(&["UpperChest", "Chest", "Spine", "Hips"]).unwrap_or(0);
        let neck = self.first_of(&["Neck", "Head"]).unwrap_or(0);
        if let Some(spine) = self.bone("Spine") {
            let lean = self.pose[neck].p - self.pose[spine].p;
            self.aim(spine, lean, vec3(0.0, lean.y, lean.z.clamp(-0.1, 0.1) * 0.5));
        }
        if Some(top) != self.bone("Hips") {
            let shoulders = self.at("LeftUpperArm") - self.at("RightUpperArm");
            self.aim(top, shoulders, Vec3::X);
        }
        if self.bone("Neck").is_some() {
            let rise = self.at("Head") - self.at("Neck");
            self.aim_bone("Neck", "Head", vec3(0.0, rise.len(), rise.z.clamp(0.0, 0.3 * rise.len())));
        }
        let Some(head) = self.bone("Head") else { return };
        let face = self.face_direction(head);
        self.aim(head, face, Vec3::Z);
        if let (Some(l), Some(r)) = (self.bone("LeftEye"), self.bone("RightEye")) {
            let eyes = self.pose[l].p - self.pose[r].p;
            self.aim(head, eyes, Vec3::X);
        }
    }

    /// Where the face points in `pose`: from the look direction in the frames in which IK moves
    /// nothing.
    fn face_direction(&self, head: usize) -> Vec3 {
        let frames = self.stage.recording.frames.iter().zip(&self.stage.frames);
        let still = frames.filter(|(r, _)| r.weight <= 1e-4);
        let local = still.fold(Vec3::ZERO, |sum, (_, f)| sum + f.solved[head].q.inverse().turn(f.look_dir));
        let local = local.unit_or(self.stage.frames[0].animated[head].q.inverse().turn(Vec3::Z));
        self.pose[head].q.turn(local)
    }

    fn straighten_arm(&mut self, side: &str, x: f32) {
        let bone = |name: &str| format!("{side}{name}");
        let down = vec3(0.64 * x, -0.77, 0.0);
        self.aim_bone(&bone("UpperArm"), &bone("LowerArm"), down);
        self.aim_bone(&bone("LowerArm"), &bone("Hand"), vec3(down.x, down.y, 0.06));
        let Some(hand) = self.bone(&bone("Hand")) else { return };
        let knuckle = self.first_of(&[&bone("MiddleProximal"), &bone("IndexProximal"), &bone("RingProximal")]);
        if let Some(knuckle) = knuckle {
            let along = self.pose[knuckle].p - self.pose[hand].p;
            self.aim(hand, along, down);
        }
        let wrist = self.pose[hand].p;
        for finger in &FINGERS[1..] {
            let part = |n: &str| bone(&format!("{finger}{n}"));
            let Some(first) = self.bone(&part("Proximal")) else { continue };
            let out = (self.pose[first].p - wrist).unit_or(down);
            self.aim_bone(&part("Proximal"), &part("Intermediate"), down.lerp(out, 0.3));
            let along = self.at(&part("Intermediate")) - self.pose[first].p;
            self.aim_bone(&part("Intermediate"), &part("Distal"), along);
        }
        let along = self.at(&bone("ThumbIntermediate")) - self.at(&bone("ThumbProximal"));
        self.aim_bone(&bone("ThumbIntermediate"), &bone("ThumbDistal"), along);
    }

    fn straighten_leg(&mut self, side: &str, x: f32) {
        let bone = |name: &str| format!("{side}{name}");
        self.aim_bone(&bone("UpperLeg"), &bone("LowerLeg"), vec3(0.05 * x, -1.0, 0.0));
        self.aim_bone(&bone("LowerLeg"), &bone("Foot"), vec3(0.02 * x, -1.0, -0.03));
        if self.bone(&bone("Toes")).is_some() {
            let along = self.at(&bone("Toes")) - self.at(&bone("Foot"));
            let drop = (self.ankle_height() - 0.022 * self.scale) / along.len().max(1e-4);
            let drop = drop.clamp(0.1, 0.8);
            self.aim_bone(&bone("Foot"), &bone("Toes"), vec3(0.1 * x, -drop, (1.0 - drop * drop).sqrt()));
        }
    }

    /// Height of an ankle above the sole, metres: the lowest ankle of the run, if the host's floor
    /// is at zero.
    pub fn ankle_height(&self) -> f32 {
        let usual = 0.078 * self.scale;
        let ankles = ["LeftFoot", "RightFoot"].map(|name| self.bone(name).unwrap_or(0));
        let lowest = self.stage.frames.iter().flat_map(|f| ankles.map(|a| f.animated[a].p.y)).fold(f32::MAX, f32::min);
        // Outside of what feet can be, the floor is elsewhere and gives no measure.
        let trust = smoothstep(0.4, 0.6, lowest / usual) * (1.0 - smoothstep(1.5, 1.8, lowest / usual));
        usual + (lowest - usual) * trust
    }
}
