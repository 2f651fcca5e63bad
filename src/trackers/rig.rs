//! What a tracked body measures once on an avatar, and its canonical space.
//!
//! Everything inside is computed in one *canonical space* whatever the axes of the rig are: X to
//! the character's left, Y up, Z forward, right-handed. Rotations of bones are counted from the
//! T-pose: the identity for all of them is the T-pose.

use super::role::{BONE_COUNT, BONES, FINGER_COUNT, FIRST_FINGER, HEAD, HIPS, NECK, TrackerRole, arm, leg};
use crate::humanoid::{Avatar, IkGoal};
use crate::math::{Mat3, Quat, Transform, Vec3, conjugate_by_signs};
use crate::skeleton::{JointIndex, Pose};

/// The change between model space and canonical space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canonical {
    left: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Rotates canonical axes into the model's, after X was mirrored where that is needed.
    turn: Quat,
    mirrored: bool,
}

impl Canonical {
    pub fn new(avatar: &Avatar) -> Self {
        let axes = avatar.axes();
        let (left, up, forward) = (-axes.right, axes.up, axes.forward);
        let x = up.cross(forward);
        let mirrored = x.dot(left) < 0.0;
        Self { left, up, forward, turn: Quat::from_mat3(&Mat3::from_cols(x, up, forward)).normalize(), mirrored }
    }
    pub fn vector_in(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.left), v.dot(self.up), v.dot(self.forward))
    }
    pub fn vector_out(&self, v: Vec3) -> Vec3 {
        self.left * v.x + self.up * v.y + self.forward * v.z
    }
    fn signs(&self) -> Vec3 {
        Vec3::new(if self.mirrored { -1.0 } else { 1.0 }, 1.0, 1.0)
    }
    /// A rotation of model space.
    pub fn rotation_in(&self, q: Quat) -> Quat {
        conjugate_by_signs((self.turn.conjugate() * q * self.turn).normalize(), self.signs())
    }
    pub fn rotation_out(&self, q: Quat) -> Quat {
        (self.turn * conjugate_by_signs(q, self.signs()) * self.turn.conjugate()).normalize()
    }
}

/// The bones of an avatar as a tracked body needs them.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub canonical: Canonical,
    pub joints: [Option<JointIndex>; BONE_COUNT],
    /// Joints in the T-pose, canonical space, above the floor.
    pub at: [Vec3; BONE_COUNT],
    /// The last joints of the fingers in the T-pose, likewise.
    fingers: [Option<Vec3>; FINGER_COUNT],
    /// Rotations of the joints in the T-pose, model space.
    rest_ms: [Quat; BONE_COUNT],
    /// The bone that carries a bone.
    pub anchor: [usize; BONE_COUNT],
    /// Hips … head, those that the avatar has.
    pub trunk: ([usize; 6], usize),
    /// The topmost spine bone, which carries the ribs.
    pub top: usize,
    /// Joints that are written, in joint order, with the place of their bone.
    written: Box<[(JointIndex, Option<usize>)]>,
    /// T-pose, local.
    t_pose: Box<[Transform]>,
    /// Joints of the upper arms over the clavicles' with these as the rig rests, where the T-pose
    /// has
    /// raised them.
    pub natural: [Vec3; 2],
    /// Height of the floor in the T-pose, model space: the lower sole.
    floor: f32,
    /// Whether a bone's position must be written, too: it is elsewhere.
    detached: [bool; BONE_COUNT],
}

impl Rig {
    pub fn new(avatar: &Avatar) -> Self {
        let skeleton = avatar.skeleton();
        let canonical = Canonical::new(avatar);
        let mut pose = Pose::rest(skeleton);
        pose.local_mut().copy_from_slice(avatar.t_pose());
        pose.update(skeleton);
        let joints = BONES.map(|bone| avatar.joint(bone));
        let mut at = joints.map(|joint| joint.map_or(Vec3::ZERO, |j| canonical.vector_in(pose.model(j).position)));
        let rest_ms = joints.map(|joint| joint.map_or(Quat::IDENTITY, |j| pose.model(j).rotation));
        let place_of = |joint: JointIndex| joints.iter().position(|j| *j == Some(joint));
        let mut anchor = [HIPS; BONE_COUNT];
        for (bone, joint) in joints.iter().enumerate() {
            let Some(joint) = joint else { continue };
            anchor[bone] = skeleton.ancestors(*joint).find_map(place_of).unwrap_or(HIPS);
        }
        let mut trunk = ([HIPS; 6], 0);
        for bone in (HIPS..=HEAD).filter(|bone| joints[*bone].is_some()) {
            trunk.0[trunk.1] = bone;
            trunk.1 += 1;
        }
        let top = (HIPS..NECK).rev().find(|bone| joints[*bone].is_some()).unwrap_or(HIPS);
        let soles = [IkGoal::LeftFoot, IkGoal::RightFoot].map(|goal| avatar.foot_bottom_height(goal));
        let floor = (at[leg(0)[2]].y - soles[0]).min(at[leg(1)[2]].y - soles[1]);
        at.iter_mut().for_each(|p| p.y -= floor);
        let fingers = core::array::from_fn(|i| {
            let [.., last] = TrackerRole::ALL[FIRST_FINGER + i].finger_joints(avatar)?;
            Some(canonical.vector_in(pose.model(last).position) - Vec3::Y * floor)
        });
        let mut detached = [false; BONE_COUNT];
        for side in 0..2 {
            let ([_, upper, lower, hand], [thigh, shin, foot, _]) = (arm(side), leg(side));
            for (above, below) in [(upper, lower), (lower, hand), (thigh, shin), (shin, foot)] {
                detached[below] = anchor[below] != above;
            }
        }
        let natural = natural_shoulders(avatar, &joints, &at, &canonical);
        let mapped = joints.iter().flatten().copied();
        let written = skeleton.with_ancestors(mapped).iter().map(|j| (*j, place_of(*j))).collect();
        Self {
            canonical,
            joints,
            at,
            fingers,
            rest_ms,
            anchor,
            trunk,
            top,
            written,
            natural,
            floor,
            t_pose: avatar.t_pose().into(),
            detached,
        }
    }

    pub fn has(&self, bone: usize) -> bool {
        self.joints[bone].is_some()
    }
    pub fn trunk(&self) -> &[usize] {
        &self.trunk.0[..self.trunk.1]
    }
    /// The place of a tracker's bone among those of the body; `None`: a finger's.
    pub fn bone_of(&self, role: TrackerRole) -> Option<usize> {
        if role == TrackerRole::Chest {
            return Some(self.top);
        }
        BONES.iter().position(|bone| *bone == role.bone())
    }
    /// The joint of a tracker's bone in the T-pose, canonical space, above the floor; `None`: the
    /// avatar has no such bone.
    pub fn joint_of(&self, role: TrackerRole) -> Option<Vec3> {
        match role.finger() {
            Some(number) => self.fingers[number],
            None => self.bone_of(role).filter(|bone| self.has(*bone)).map(|bone| self.at[bone]),
        }
    }
    /// From one bone's joint to another's in the T-pose.
    pub fn span(&self, from: usize, to: usize) -> Vec3 {
        self.at[to] - self.at[from]
    }
    /// Height of the head's joint above the floor.
    pub fn height(&self) -> f32 {
        self.at[HEAD].y.max(1e-3)
    }
    /// Lengths of the upper and the lower bone of a limb.
    pub fn limb(&self, [root, mid, end]: [usize; 3]) -> [f32; 2] {
        [self.span(root, mid).length(), self.span(mid, end).length()]
    }
    pub fn arm_length(&self, side: usize) -> f32 {
        let [_, upper, lower, hand] = arm(side);
        let [a, b] = self.limb([upper, lower, hand]);
        (a + b).max(1e-3)
    }
    pub fn leg_length(&self, side: usize) -> f32 {
        let [thigh, shin, foot, _] = leg(side);
        let [a, b] = self.limb([thigh, shin, foot]);
        (a + b).max(1e-3)
    }
    /// Converts a joint's model rotation to one counted from the T-pose, and back.
    pub fn turn_in(&self, bone: usize, rotation_ms: Quat) -> Quat {
        self.canonical.rotation_in((rotation_ms * self.rest_ms[bone].conjugate()).normalize())
    }
    pub fn turn_out(&self, bone: usize, turn: Quat) -> Quat {
        (self.canonical.rotation_out(turn) * self.rest_ms[bone]).normalize()
    }
    /// Writes the bones into a pose; joints between bones take their T-pose, all others stay.
    pub fn write(
        &self,
        avatar: &Avatar,
        at: &[Vec3; BONE_COUNT],
        turn: &[Quat; BONE_COUNT],
        floor: f32,
        pose: &mut Pose,
    ) {
        let skeleton = avatar.skeleton();
        for &(joint, bone) in &self.written {
            let local = &mut pose.local_mut()[joint];
            *local = self.t_pose[joint];
            if let Some(bone) = bone {
                pose.set_rotation_ms(skeleton, joint, self.turn_out(bone, turn[bone]));
                if bone <= HEAD || self.detached[bone] {
                    pose.set_position_ms(skeleton, joint, self.canonical.vector_out(at[bone] + Vec3::Y * floor));
                }
            }
            pose.update_joints(skeleton, &[joint]);
        }
    }
    /// Reads the bones of a pose whose written joints have their model transforms: joints above the
    /// floor of model space, and rotations. Bones that the avatar lacks are carried.
    pub fn read(&self, pose: &Pose) -> ([Vec3; BONE_COUNT], [Quat; BONE_COUNT]) {
        let (mut at, mut turn) = (self.at, [Quat::IDENTITY; BONE_COUNT]);
        for bone in 0..BONE_COUNT {
            let anchor = self.anchor[bone];
            (at[bone], turn[bone]) = match self.joints[bone] {
                Some(joint) => {
                    let model = pose.model(joint);
                    let place = self.canonical.vector_in(model.position) - Vec3::Y * self.floor;
                    (place, self.turn_in(bone, model.rotation))
                }
                None => (at[anchor] + turn[anchor] * self.span(anchor, bone), turn[anchor]),
            };
        }
        (at, turn)
    }
    /// The joints that [`Self::write`] writes.
    pub fn written(&self) -> impl Iterator<Item = JointIndex> + '_ {
        self.written.iter().map(|(joint, _)| *joint)
    }
}

/// From the clavicles' joints to the upper arms', with the clavicles' rest transforms on the
/// trunk's
/// T-pose.
fn natural_shoulders(
    avatar: &Avatar,
    joints: &[Option<JointIndex>; BONE_COUNT],
    at: &[Vec3; BONE_COUNT],
    canonical: &Canonical,
) -> [Vec3; 2] {
    let skeleton = avatar.skeleton();
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(avatar.t_pose());
    for side in 0..2 {
        if let Some(joint) = joints[arm(side)[0]] {
            pose.local_mut()[joint].rotation = skeleton.rest_local()[joint].rotation;
        }
    }
    pose.update(skeleton);
    [0, 1].map(|side| {
        let [clavicle, upper, ..] = arm(side);
        match joints[clavicle].zip(joints[upper]) {
            Some((from, to)) => canonical.vector_in(pose.model(to).position - pose.model(from).position),
            None => at[upper] - at[clavicle],
        }
    })
}
