//! A player for tests: an avatar in poses made by hand, its joints as trackers.

use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, IkGoal};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::{JointDefinition, Skeleton};
use sinew::trackers::{CalibrationPose, ScalePolicy, TrackedBody, TrackedBodySettings, TrackerRole, TrackerSample};
use std::sync::Arc;
use testkit::characters;
use testkit::matchers::{Affine64, forward_kinematics};
use testkit::person::{Handedness, PersonOptions, person};

pub const THREE: &[TrackerRole] = &[TrackerRole::Head, TrackerRole::LeftHand, TrackerRole::RightHand];
pub const FOUR: &[TrackerRole] = &[TrackerRole::Head, TrackerRole::LeftHand, TrackerRole::RightHand, TrackerRole::Hips];
pub const SIX: &[TrackerRole] = &[
    TrackerRole::Head,
    TrackerRole::LeftHand,
    TrackerRole::RightHand,
    TrackerRole::Hips,
    TrackerRole::LeftFoot,
    TrackerRole::RightFoot,
];

/// Right-handed, so that the character's left is `up × forward`: +X.
pub fn avatar() -> Arc<Avatar> {
    let options = PersonOptions { handedness: Handedness::Right, ..PersonOptions::default() };
    characters::avatar(&person(&options), 0.0)
}

/// An avatar with the bones and axes of `usual` and another T-pose.
pub fn with_t_pose(usual: &Avatar, t_pose: Vec<Transform>) -> Arc<Avatar> {
    let skeleton = usual.skeleton();
    let joints = (0..skeleton.joint_count()).map(|joint| JointDefinition {
        name: skeleton.name(joint).to_string(),
        parent: skeleton.parent(joint),
        rest: t_pose[joint],
    });
    let skeleton = Arc::new(Skeleton::new(joints.collect::<Vec<_>>()).expect("a skeleton"));
    let definition = AvatarDefinition {
        map: HumanMap::from_array(core::array::from_fn(|i| usual.joint(HumanBone::ALL[i]))),
        t_pose: Some(t_pose),
        up: Some(usual.axes().up),
        forward: Some(usual.axes().forward),
        ..AvatarDefinition::default()
    };
    Arc::new(Avatar::new(skeleton, &definition).expect("a humanoid"))
}

/// Where a bone is and how it is turned, model space.
pub fn place(frames: &[Affine64], avatar: &Avatar, bone: HumanBone) -> Vec3 {
    frames[avatar.joint(bone).expect("the person has the bone")].position_f32()
}

/// A tracked body, its clock and what it is told.
pub struct Player {
    pub avatar: Arc<Avatar>,
    pub body: TrackedBody,
    pub time: f64,
    /// Joints of the T-pose, model space, and their rotations.
    pub at: Vec<Vec3>,
    pub turn: Vec<Quat>,
}

impl Player {
    pub fn new(settings: TrackedBodySettings) -> Self {
        Self::of(avatar(), settings)
    }
    pub fn of(avatar: Arc<Avatar>, settings: TrackedBodySettings) -> Self {
        let mut pose = sinew::skeleton::Pose::rest(avatar.skeleton());
        pose.local_mut().copy_from_slice(avatar.t_pose());
        pose.update(avatar.skeleton());
        let count = avatar.skeleton().joint_count();
        Self {
            body: TrackedBody::new(avatar.clone(), settings),
            time: 0.0,
            at: (0..count).map(|j| pose.model(j).position).collect(),
            turn: (0..count).map(|j| pose.model(j).rotation).collect(),
            avatar,
        }
    }
    /// Height of the head against that of the usual avatar.
    pub fn size(&self) -> f32 {
        self.rest(HumanBone::Head).dot(self.axes()[0]) / 1.584
    }
    /// Height of the lower sole in the T-pose.
    pub fn floor(&self) -> f32 {
        let up = self.axes()[0];
        let sole = |bone, goal| self.rest(bone).dot(up) - self.avatar.foot_bottom_height(goal);
        sole(HumanBone::LeftFoot, IkGoal::LeftFoot).min(sole(HumanBone::RightFoot, IkGoal::RightFoot))
    }
    /// Up, forward and left of the model.
    pub fn axes(&self) -> [Vec3; 3] {
        let axes = self.avatar.axes();
        [axes.up, axes.forward, -axes.right]
    }
    pub fn rest(&self, bone: HumanBone) -> Vec3 {
        self.at[self.avatar.joint(bone).expect("a bone")]
    }
    /// The joint's rotation when the bone is turned by `turn` away from the T-pose.
    pub fn turned(&self, bone: HumanBone, turn: Quat) -> Quat {
        (turn * self.turn[self.avatar.joint(bone).expect("a bone")]).normalize()
    }
    /// A tracker on the joint, `turn` away from the T-pose.
    pub fn give(&mut self, role: TrackerRole, at: Vec3, turn: Quat) {
        let rotation = self.turned(role.bone(), turn);
        self.give_raw(role, at, rotation);
    }
    /// A tracker with its own rotation.
    pub fn give_raw(&mut self, role: TrackerRole, at: Vec3, rotation: Quat) {
        let sample = TrackerSample { time_s: self.time, position: Some(at), rotation: Some(rotation), confidence: 1.0 };
        self.body.set_tracker(role, &sample);
    }
    /// Calibrates in the T-pose with these trackers.
    pub fn calibrate(&mut self, roles: &[TrackerRole]) {
        for role in roles {
            self.give(*role, self.rest(role.bone()), Quat::IDENTITY);
        }
        self.body.calibrate(CalibrationPose::TPose, ScalePolicy::Height, self.floor()).unwrap();
    }
    /// Goes on by a sixtieth of a second and builds the body.
    pub fn frame(&mut self) -> Vec<Affine64> {
        self.body.update(self.time);
        self.time += 1.0 / 60.0;
        forward_kinematics(self.avatar.skeleton(), self.body.pose())
    }
    /// The whole T-pose, carried and turned as one, as these trackers.
    pub fn stand(&mut self, roles: &[TrackerRole], turn: Quat, way: Vec3) {
        for role in roles {
            self.give(*role, turn * self.rest(role.bone()) + way, turn);
        }
    }
    /// The stance of a person at ease: hands beside the thighs.
    pub fn at_ease(&mut self, roles: &[TrackerRole], turn: Quat, way: Vec3) {
        let [up, forward, left] = self.axes();
        self.stand(roles, turn, way);
        let fore = forward;
        for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
            if roles.contains(&role) {
                let shoulder = if side > 0.0 { HumanBone::LeftUpperArm } else { HumanBone::RightUpperArm };
                let arm = self.rest(shoulder).distance(self.rest(role.bone()));
                let at = self.rest(shoulder) - up * (0.93 * arm) + left * (0.06 * side) + forward * 0.05;
                let own = axis_angle(fore, -side * 1.4);
                self.give(role, turn * at + way, (turn * own).normalize());
            }
        }
    }
}

/// Distance in metres between a role's goal and the joint of a pose.
pub fn missed(frames: &[Affine64], avatar: &Avatar, role: TrackerRole, goal: Vec3) -> f32 {
    place(frames, avatar, role.bone()).distance(goal)
}

/// Angle at a joint between the way to one bone and the way to another, radians; π is straight.
pub fn angle_at(frames: &[Affine64], avatar: &Avatar, [a, b, c]: [HumanBone; 3]) -> f32 {
    let [a, b, c] = [a, b, c].map(|bone| place(frames, avatar, bone));
    let (u, v) = ((a - b).normalize(), (c - b).normalize());
    sinew::math::float::atan2(u.cross(v).length(), u.dot(v))
}

pub fn local_equal(a: &[Transform], b: &[Transform]) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        a.position.to_array().map(f32::to_bits) == b.position.to_array().map(f32::to_bits)
            && a.rotation.to_array().map(f32::to_bits) == b.rotation.to_array().map(f32::to_bits)
    })
}
