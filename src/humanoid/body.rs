//! The body: centre of mass and orientation, and the move of the hips that brings them to a goal.
//!
//! Unity documents the body position as an approximate centre of mass from an average human mass
//! distribution, and the body rotation as the mean orientation of lower and upper body relative to
//! the T-pose. The exact formula is not public; ours: each bone's mass sits halfway to the next
//! bone; the side axis is the mean of the hip and shoulder lines, the up axis runs from the middle
//! of the hip joints to the middle of the shoulder joints and is kept when the two are made square.

use super::{BodyAxes, HumanBone, HumanMap};
use crate::math::{Mat3, Quat, Vec3, frame_rotation};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use crate::tasks::SpannedOrientation;

/// Where the body is: centre of mass and orientation, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyFrame {
    pub position: Vec3,
    pub rotation: Quat,
}

/// What the body step needs to know of a rig.
#[derive(Clone, Debug)]
pub(crate) struct BodyRig {
    hips: JointIndex,
    /// Joint, centre of its mass in its own space, share of the whole.
    masses: Vec<(JointIndex, Vec3, f32)>,
    /// Share of the mass that moves with the hips.
    carried: f32,
    /// Left and right thigh, left and right upper arm.
    corners: [JointIndex; 4],
    /// `body rotation = frame of the corners · this`; makes the rotation in the T-pose that of the
    /// axes.
    from_corners: Quat,
    /// +1 or −1: sign of `right × up` against forward.
    hand: f32,
}

/// The bone whose joint ends this bone, first that is present.
fn next_bones(bone: HumanBone) -> &'static [HumanBone] {
    use HumanBone::*;
    match bone {
        Hips => &[Spine],
        Spine => &[Chest, UpperChest, Neck, Head],
        Chest => &[UpperChest, Neck, Head],
        UpperChest => &[Neck, Head],
        Neck => &[Head],
        LeftShoulder => &[LeftUpperArm],
        RightShoulder => &[RightUpperArm],
        LeftUpperArm => &[LeftLowerArm],
        RightUpperArm => &[RightLowerArm],
        LeftLowerArm => &[LeftHand],
        RightLowerArm => &[RightHand],
        LeftHand => &[LeftMiddleProximal],
        RightHand => &[RightMiddleProximal],
        LeftUpperLeg => &[LeftLowerLeg],
        RightUpperLeg => &[RightLowerLeg],
        LeftLowerLeg => &[LeftFoot],
        RightLowerLeg => &[RightFoot],
        LeftFoot => &[LeftToes],
        RightFoot => &[RightToes],
        _ => &[],
    }
}

impl BodyRig {
    /// Measures the T-pose. The map must have the required bones.
    pub fn new(skeleton: &Skeleton, map: &HumanMap, axes: &BodyAxes, pose: &Pose) -> Self {
        let joint = |bone| map.get(bone).unwrap_or(0);
        let at = |j: JointIndex| pose.model(j).position;
        let mut mass = [0.0f32; HumanBone::COUNT];
        for bone in HumanBone::ALL {
            let mut owner = bone;
            while map.get(owner).is_none() {
                match owner.parent() {
                    Some(parent) => owner = parent,
                    None => break,
                }
            }
            mass[owner.index()] += bone.mass_kg();
        }
        let total: f32 = mass.iter().sum();
        let mut masses = Vec::new();
        let mut carried = 0.0;
        for (bone, j) in map.iter().filter(|(bone, _)| mass[bone.index()] > 0.0) {
            let next = next_bones(bone).iter().find_map(|b| map.get(*b));
            let frame = pose.model(j);
            let middle_ms = next.map_or(frame.position, |n| (frame.position + at(n)) * 0.5);
            let share = mass[bone.index()] / total;
            masses.push((j, frame.point_in(middle_ms).unwrap_or(Vec3::ZERO), share));
            if skeleton.is_self_or_ancestor(joint(HumanBone::Hips), j) {
                carried += share;
            }
        }
        let corners = [
            joint(HumanBone::LeftUpperLeg),
            joint(HumanBone::RightUpperLeg),
            joint(HumanBone::LeftUpperArm),
            joint(HumanBone::RightUpperArm),
        ];
        let hand = if axes.right.cross(axes.up).dot(axes.forward) < 0.0 { -1.0 } else { 1.0 };
        let mut rig =
            Self { hips: joint(HumanBone::Hips), masses, carried, corners, from_corners: Quat::IDENTITY, hand };
        let in_t_pose = rig.corner_rotation(pose);
        rig.from_corners = (in_t_pose.conjugate() * frame_rotation(axes.forward, axes.up)).normalize();
        rig
    }

    fn corner_rotation(&self, pose: &Pose) -> Quat {
        let [left_leg, right_leg, left_arm, right_arm] = self.corners.map(|j| pose.model(j).position);
        let up = (left_arm + right_arm) - (left_leg + right_leg);
        let right = (right_arm - left_arm) + (right_leg - left_leg);
        frame_rotation(right.cross(up) * self.hand, up)
    }

    /// Joint, centre of its mass in its own space, share of the whole.
    pub fn masses(&self) -> impl Iterator<Item = (JointIndex, Vec3, f32)> {
        self.masses.iter().copied()
    }
    /// The joint that carries the body.
    pub fn hips(&self) -> JointIndex {
        self.hips
    }
    /// The body's frame in a pose whose core joints are up to date.
    pub fn measure(&self, pose: &Pose) -> BodyFrame {
        let mut position = Vec3::ZERO;
        for &(joint, centre_js, share) in &self.masses {
            position += pose.model(joint).point_out(centre_js) * share;
        }
        BodyFrame { position, rotation: (self.corner_rotation(pose) * self.from_corners).normalize() }
    }

    /// The orientation of the body as a task; frames up to date.
    pub fn orientation_task(&self, pose: &Pose, goal: Quat) -> SpannedOrientation {
        let hips = pose.model(self.hips);
        let [left_leg, right_leg, left_arm, right_arm] = self.corners;
        let inward = |j: JointIndex| hips.rotation.conjugate() * (pose.model(j).position - hips.position);
        SpannedOrientation {
            lower: self.hips,
            lower_points_js: [inward(left_leg), inward(right_leg)],
            upper: [left_arm, right_arm],
            from_span: self.from_corners,
            is_mirrored: self.hand < 0.0,
            goal,
        }
    }

    /// Moves and turns the hips so that the body's frame is `goal`. `update` refreshes the core
    /// joints.
    pub fn place(&self, skeleton: &Skeleton, pose: &mut Pose, goal: &BodyFrame, core_joints: &[JointIndex]) {
        // One round is exact when all joints are below the hips; joints that are not (feet of
        // some robots) leave a remainder that shrinks by their share of the mass. Where uneven
        // scale above the hips shears the body, a turn of the hips is not that turn of the body.
        let is_even = skeleton.parent(self.hips).is_none_or(|parent| is_even(pose.model(parent).linear()));
        for _ in 0..3 {
            let now = self.measure(pose);
            let turn = (goal.rotation * now.rotation.conjugate()).normalize();
            let hips = pose.model(self.hips);
            let turned_centre = hips.position + turn * (now.position - hips.position);
            let shift = (goal.position - turned_centre) / self.carried.max(0.5);
            pose.set_position_ms(skeleton, self.hips, hips.position + shift);
            pose.set_rotation_ms(skeleton, self.hips, (turn * hips.rotation).normalize());
            pose.update_joints(skeleton, core_joints);
            if self.carried > 0.999 && is_even {
                return;
            }
        }
        if !is_even {
            let left = (goal.position - self.measure(pose).position) / self.carried.max(0.5);
            pose.set_position_ms(skeleton, self.hips, pose.model(self.hips).position + left);
            pose.update_joints(skeleton, core_joints);
        }
    }
}

/// Whether a linear part keeps angles: a rotation, mirrored or not, of one scale.
fn is_even(linear: Mat3) -> bool {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let [xx, yy, zz] = [x, y, z].map(Vec3::length_squared);
    let least = xx.min(yy).min(zz);
    let aside = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    (xx.max(yy).max(zz) - least).max(aside) <= 1e-4 * least
}
