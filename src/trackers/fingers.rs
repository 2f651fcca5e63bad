//! Tracked fingers.
//!
//! # Method
//!
//! A finger's tracker is on its last bone. What it reports is taken relative to the hand's tracker,
//! so that a hand that does not reach its tracker keeps the fingers' pose. All three joints of a
//! finger bend about axes that are parallel in the T-pose. Three cases:
//!
//! - *Place and rotation*: the last joint's place follows from both, and two bones in closed form
//!   bring it there; their plane is at right angles to the tracked axis of flexion.
//! - *Place*: the last joint bends two thirds as far as the middle one, which leaves one unknown:
//!   the distance of the tracker from the first joint falls with the bend, and a bracketing method
//!   finds it. The first joint then turns the finger toward the tracker. Source of the ratio: H.
//!   Rijpkema, M. Girard, "Computer animation of knowledge-based human grasping", Computer Graphics
//!   25 (1991), p. 341.
//! - *Rotation*: the bend about the axis of flexion is shared among the joints as in a fist, the
//!   rest is the first joint's.

use super::frame_input::{BoneGoal, Goals};
use super::posture::{Posture, across, align, rotates, two_bones};
use super::rig::Canonical;
use super::role::{FINGER_COUNT, FIRST_FINGER, TrackerRole, arm, of_side};
use crate::humanoid::{Avatar, HumanBone};
use crate::math::{Quat, Transform, Vec3, arc, axis_angle, normalize_or, rotation_angle, slerp_short, twist_angle};
use crate::optim::root::Bracket;
use crate::skeleton::{JointIndex, Pose, Skeleton};
use bytemuck::{Pod, Zeroable};

/// Parts of the whole bend that the joints have: of a fist's, the outer joint's two thirds of the
/// middle one's.
const SHARES: [f32; 3] = [0.34, 0.396, 0.264];
/// The same of a thumb.
const THUMB_SHARES: [f32; 3] = [0.2, 0.4, 0.4];
/// Bend of the last joint over that of the middle one.
const OUTER_BEND: f32 = 2.0 / 3.0;
/// Most that the middle joint bends, radians.
const MAX_BEND_RAD: f32 = 1.92;
/// Least bend of a whole finger, radians: what is below it is counted as a bend of more than half a
/// turn, as a fist has it.
const MIN_WHOLE_RAD: f32 = -1.2;
/// Evaluations of the bend of a finger whose place is tracked.
const MAX_ROUNDS: u32 = 24;

/// A finger of an avatar in the T-pose. Canonical axes.
#[derive(Clone, Debug)]
pub(super) struct Finger {
    hand: usize,
    hand_joint: JointIndex,
    joints: [JointIndex; 3],
    /// Rotations of the joints, model space.
    rest_ms: [Quat; 3],
    /// From the hand's joint to the first one, and from joint to joint.
    spans: [Vec3; 3],
    axis: Vec3,
    shares: [f32; 3],
}

/// What tracked fingers do in a frame, relative to their hands and counted from the T-pose.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FingerPose {
    turn: [[Quat; 3]; FINGER_COUNT],
    pub weight: [f32; FINGER_COUNT],
}

impl FingerPose {
    pub const T_POSE: Self = Self { turn: [[Quat::IDENTITY; 3]; FINGER_COUNT], weight: [0.0; FINGER_COUNT] };

    pub fn is_sound(&self) -> bool {
        self.turn.iter().flatten().all(rotates) && self.weight.iter().all(|w| (0.0..=1.0).contains(w))
    }
}

/// What a finger's tracker requests, in the hand's frame of the T-pose.
struct Request {
    /// The tracker itself.
    sensor: Vec3,
    /// The last joint.
    joint: Vec3,
    /// Rotation of the last bone.
    turn: Quat,
    placed: bool,
    turned: bool,
    /// The tracker from the last joint, in the T-pose.
    tip: Vec3,
}

impl Finger {
    /// `None` for a finger without all three joints.
    fn new(avatar: &Avatar, canonical: &Canonical, pose: &Pose, number: usize) -> Option<Self> {
        let (digit, side) = (number / 2, number % 2);
        let joints = TrackerRole::ALL[FIRST_FINGER + number].finger_joints(avatar)?;
        let hand_bone = if side == 0 { HumanBone::LeftHand } else { HumanBone::RightHand };
        let hand = avatar.joint(hand_bone)?;
        let at = |j: JointIndex| canonical.vector_in(pose.model(j).position);
        let spans = [at(joints[0]) - at(hand), at(joints[1]) - at(joints[0]), at(joints[2]) - at(joints[1])];
        let out = Vec3::X * if side == 0 { 1.0 } else { -1.0 };
        let along = normalize_or(spans[1] + spans[2], out);
        // Palms are down in the T-pose; a thumb bends across the palm, which is backward.
        let bends_to = if digit == 0 { Vec3::NEG_Z } else { Vec3::NEG_Y };
        let axis = normalize_or(along.cross(bends_to), Vec3::Z);
        Some(Self {
            hand: arm(side)[3],
            hand_joint: hand,
            joints,
            rest_ms: joints.map(|j| pose.model(j).rotation),
            spans,
            axis,
            shares: if digit == 0 { THUMB_SHARES } else { SHARES },
        })
    }

    /// The last joint in the T-pose, from the hand's joint.
    pub fn last_joint(&self) -> Vec3 {
        self.spans[0] + self.spans[1] + self.spans[2]
    }

    /// Where the last joint is for rotations of the first two, from the hand's joint.
    fn last_joint_of(&self, turn: &[Quat; 3]) -> Vec3 {
        self.spans[0] + turn[0] * self.spans[1] + turn[1] * self.spans[2]
    }

    fn solve(&self, request: &Request) -> [Quat; 3] {
        match (request.placed, request.turned) {
            (true, true) => self.reach(request.joint, request.turn),
            (true, false) => self.bend(request.sensor, request.tip),
            _ => self.share(request.turn),
        }
    }

    /// Place and rotation of the last bone.
    fn reach(&self, joint: Vec3, turn: Quat) -> [Quat; 3] {
        let [root, first, second] = self.spans;
        let way = normalize_or(joint - root, normalize_or(first, Vec3::X));
        let swung = arc(normalize_or(first, way), way) * self.axis;
        let axis = normalize_or(across(turn * self.axis, way), swung);
        // Knuckles are away from the palm.
        let (mid, end) = two_bones(root, joint, [first.length(), second.length()], way.cross(axis));
        let turned = |span: Vec3, to: Vec3| {
            let from = normalize_or(span, way);
            align(from, normalize_or(across(self.axis, from), axis), normalize_or(to, way), axis)
        };
        [turned(first, mid - root), turned(second, end - mid), turn]
    }

    /// Place of a tracker on the last bone, `tip` from its joint.
    fn bend(&self, sensor: Vec3, tip: Vec3) -> [Quat; 3] {
        let [root, first, second] = self.spans;
        let reached = |angle: f32| {
            let outer = axis_angle(self.axis, angle * OUTER_BEND) * tip;
            first + axis_angle(self.axis, angle) * (second + outer)
        };
        let goal = sensor - root;
        let over = |angle: f32| reached(angle).length() - goal.length();
        let (straight, bent) = (over(0.0), over(MAX_BEND_RAD));
        let angle = if straight <= 0.0 {
            0.0
        } else if bent >= 0.0 {
            MAX_BEND_RAD
        } else {
            let mut bracket = Bracket::new((0.0, straight), (MAX_BEND_RAD, bent));
            let mut angle = bracket.guess();
            for _ in 0..MAX_ROUNDS {
                let off = over(angle);
                if off.abs() <= 1e-6 * goal.length() || bracket.is_narrow() {
                    break;
                }
                bracket.put(angle, off);
                angle = bracket.guess();
            }
            angle
        };
        let from = normalize_or(reached(angle), normalize_or(first, Vec3::X));
        let to = normalize_or(goal, from);
        let side = |unit: Vec3| normalize_or(across(self.axis, unit), Vec3::ZERO);
        let knuckle = align(from, side(from), to, side(to));
        let middle = (knuckle * axis_angle(self.axis, angle)).normalize();
        [knuckle, middle, (middle * axis_angle(self.axis, angle * OUTER_BEND)).normalize()]
    }

    /// Rotation of the last bone.
    fn share(&self, turn: Quat) -> [Quat; 3] {
        let bend = twist_angle(turn, self.axis);
        let bend = if bend < MIN_WHOLE_RAD { bend + core::f32::consts::TAU } else { bend };
        let part = |share: f32| axis_angle(self.axis, bend * share);
        let splay = (turn * part(-1.0)).normalize();
        let [first, second, _] = self.shares;
        [(splay * part(first)).normalize(), (splay * part(first + second)).normalize(), turn]
    }
}

/// The frame of a hand: its joint and its turn from the T-pose.
type Hand = (Vec3, Quat);

/// The hand that the fingers of a side are counted from: its tracker's, as far as there is one.
fn tracked_hand(side: usize, goals: &Goals, body: &Posture) -> Hand {
    let (goal, hand) = (goals.of(of_side(TrackerRole::LeftHand, side)), arm(side)[3]);
    (goal.place_over(body.at[hand]), goal.turn_over(body.turn[hand]))
}

impl Request {
    /// `mount`: the last joint from a tracker without rotation, in the T-pose.
    fn new(finger: &Finger, goal: &BoneGoal, mount: Vec3, (at, turn): Hand) -> Self {
        let back = turn.conjugate();
        let (placed, turned) = (goal.place_weight > 0.0, goal.turn_weight > 0.0);
        Self {
            sensor: back * (goal.sensor - at),
            joint: if placed { back * (goal.position - at) } else { finger.last_joint() },
            turn: (back * goal.turn).normalize(),
            placed,
            turned,
            tip: if turned { Vec3::ZERO } else { -mount },
        }
    }
    /// How far rotations of the three bones are off, metres and radians.
    fn residual(&self, finger: &Finger, turn: &[Quat; 3]) -> (f32, f32) {
        let joint = finger.last_joint_of(turn);
        let off = if self.turned { joint - self.joint } else { joint + turn[2] * self.tip - self.sensor };
        let rad = rotation_angle((turn[2] * self.turn.conjugate()).normalize());
        (if self.placed { off.length() } else { 0.0 }, if self.turned { rad } else { 0.0 })
    }
}

/// A joint that fingers write: its T-pose, and its local transform with the tracked finger.
#[derive(Clone, Copy, Debug)]
struct Written {
    joint: JointIndex,
    finger: usize,
    bone: Option<usize>,
    t_pose: Transform,
    tracked: Transform,
}

/// The fingers of a tracked body.
#[derive(Clone, Debug)]
pub(super) struct Fingers {
    rigs: [Option<Finger>; FINGER_COUNT],
    pub pose: FingerPose,
    written: Box<[Written]>,
    /// Whether the pose that was written last has tracked fingers.
    moved: bool,
}

impl Fingers {
    /// `t_pose`: the avatar in the T-pose.
    pub fn new(avatar: &Avatar, canonical: &Canonical, t_pose: &Pose) -> Self {
        let rigs: [Option<Finger>; FINGER_COUNT] = core::array::from_fn(|i| Finger::new(avatar, canonical, t_pose, i));
        let skeleton = avatar.skeleton();
        let mut written = Vec::new();
        for (number, finger) in rigs.iter().enumerate() {
            let Some(Finger { joints, hand_joint, .. }) = finger else { continue };
            let chain = skeleton.with_ancestors([joints[2]]);
            let below = chain.iter().filter(|j| *j != hand_joint && skeleton.is_self_or_ancestor(*hand_joint, **j));
            written.extend(below.map(|&joint| {
                let local = avatar.t_pose()[joint];
                let bone = joints.iter().position(|j| *j == joint);
                Written { joint, finger: number, bone, t_pose: local, tracked: local }
            }));
        }
        Self { rigs, pose: FingerPose::T_POSE, written: written.into(), moved: false }
    }

    /// Bends the tracked fingers of a body whose arms are solved. `out` gets how near each that is
    /// tracked came to its tracker, by its number among the roles of fingers.
    pub fn solve(
        &mut self,
        goals: &Goals,
        mount: impl Fn(usize) -> Vec3,
        body: &Posture,
        mut out: impl FnMut(usize, Option<(f32, f32)>),
    ) {
        for (number, finger) in self.rigs.iter().enumerate() {
            let goal = &goals.0[FIRST_FINGER + number];
            self.pose.weight[number] = 0.0;
            if !goal.is_active() {
                continue;
            }
            let weight = goal.place_weight.max(goal.turn_weight).min(1.0);
            let solved = finger.as_ref().map(|finger| {
                let request = Request::new(finger, goal, mount(number), tracked_hand(number % 2, goals, body));
                let turn = finger.solve(&request);
                (turn, request.residual(finger, &turn))
            });
            let solved = solved.filter(|(turn, _)| turn.iter().all(rotates));
            if let Some((turn, _)) = solved {
                (self.pose.turn[number], self.pose.weight[number]) = (turn, weight);
            }
            out(number, solved.map(|(_, residual)| residual));
        }
    }

    /// Writes the fingers into a pose whose hands are written. Those that fade out are blended with
    /// the T-pose.
    pub fn write(&mut self, skeleton: &Skeleton, canonical: &Canonical, body: &Posture, pose: &mut Pose) {
        let moves = self.pose.weight.iter().any(|w| *w > 0.0);
        if !moves && !self.moved {
            return;
        }
        self.moved = moves;
        for written in &mut self.written {
            let Written { joint, finger: number, bone, t_pose, .. } = *written;
            pose.local_mut()[joint] = t_pose;
            if let (Some(finger), Some(bone)) = (&self.rigs[number], bone)
                && self.pose.weight[number] > 0.0
            {
                let turn = body.turn[finger.hand] * self.pose.turn[number][bone];
                let rotation_ms = (canonical.rotation_out(turn) * finger.rest_ms[bone]).normalize();
                pose.set_rotation_ms(skeleton, joint, rotation_ms);
            }
            pose.update_joints(skeleton, &[joint]);
            written.tracked = pose.local()[joint];
        }
        for written in self.written.iter().filter(|w| self.pose.weight[w.finger] < 1.0) {
            pose.local_mut()[written.joint] = self.over(written, written.t_pose, 1.0);
            pose.update_joints(skeleton, &[written.joint]);
        }
    }

    fn over(&self, written: &Written, host: Transform, part: f32) -> Transform {
        let (tracked, weight) = (&written.tracked, self.pose.weight[written.finger] * part);
        if weight >= 1.0 {
            return *tracked;
        }
        Transform {
            position: host.position.lerp(tracked.position, weight),
            rotation: slerp_short(host.rotation, tracked.rotation, weight),
            scale: host.scale.lerp(tracked.scale, weight),
        }
    }

    /// Writes the tracked fingers over the host's local transforms. `parts`: how much those of the
    /// left and of the right hand count.
    pub fn apply(&self, parts: [f32; 2], local: &mut [Transform]) {
        for written in self.written.iter().filter(|w| self.pose.weight[w.finger] > 0.0) {
            local[written.joint] = self.over(written, local[written.joint], parts[written.finger % 2]);
        }
    }
}
