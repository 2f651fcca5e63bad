//! A skeleton to play on: of a rig file or of a clip.

use crate::oracle::geometry::{Rotation, V3};
use crate::rigs::format::Rig;
use anyhow::Result;
use sinew::humanoid::{HumanBone, HumanMap, body_axes, t_pose};
use sinew::math::Transform;
use sinew::skeleton::{JointDefinition, Skeleton};
use testkit::build::Build;
use testkit::matchers::{Affine64, forward_kinematics};

/// The bones of each goal, in the order of `SinewIkGoal`: root, mid, end.
pub const LIMBS: [[HumanBone; 3]; 4] = [
    [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot],
    [HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, HumanBone::RightFoot],
    [HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, HumanBone::LeftHand],
    [HumanBone::RightUpperArm, HumanBone::RightLowerArm, HumanBone::RightHand],
];

/// A skeleton and its human bones.
pub struct Subject {
    pub name: String,
    pub skeleton: Skeleton,
    pub parents: Vec<Option<usize>>,
    pub rest: Vec<Transform>,
    pub names: Vec<String>,
    pub human: Vec<Option<usize>>,
    pub up: V3,
    pub forward: V3,
    /// Towards the character's right.
    pub right: V3,
    /// The T-pose that the library would reconstruct, local transforms.
    pub t_pose: Vec<Transform>,
}

impl Subject {
    /// Of a rig file.
    pub fn of_rig(rig: &Rig) -> Self {
        let wide = |v: sinew::math::Vec3| V3(v.to_array().map(f64::from));
        Self::new(&rig.name, rig.skeleton.clone(), &rig.humanoid, wide(rig.axes.up), wide(rig.axes.forward))
    }
    /// Of parts; up and forward in model space.
    pub fn new(name: &str, skeleton: Skeleton, map: &HumanMap, up: V3, forward: V3) -> Self {
        let narrow = |v: V3| sinew::math::Vec3::from_array(v.0.map(|x| x as f32));
        let axes = body_axes(&skeleton, map, Some(narrow(up)), Some(narrow(forward)));
        let t = axes.as_ref().map(|axes| t_pose(&skeleton, map, axes));
        let right = axes.map_or(up.cross(forward), |axes| V3(axes.right.to_array().map(f64::from)));
        Self {
            name: name.into(),
            parents: skeleton.parents().to_vec(),
            rest: skeleton.rest_local().to_vec(),
            names: (0..skeleton.joint_count()).map(|j| skeleton.name(j).to_string()).collect(),
            human: HumanBone::ALL.into_iter().map(|b| map.get(b)).collect(),
            t_pose: t.unwrap_or_else(|| skeleton.rest_local().to_vec()),
            up,
            forward,
            right,
            skeleton,
        }
    }
    /// The same character in another build.
    pub fn built(&self, build: Build) -> Result<Self> {
        let up = sinew::math::Vec3::from_array(self.up.0.map(|x| x as f32));
        let rest = build.pose(&self.skeleton, &self.rest, |bone| self.joint(bone), up);
        let joint = |i: usize| JointDefinition { name: self.names[i].clone(), parent: self.parents[i], rest: rest[i] };
        let skeleton = Skeleton::new((0..rest.len()).map(joint).collect::<Vec<_>>())?;
        let map = HumanMap::from_array(core::array::from_fn(|i| self.human[i]));
        Ok(Self::new(&self.name, skeleton, &map, self.up, self.forward))
    }
    pub fn joint(&self, bone: HumanBone) -> Option<usize> {
        self.human[bone.index()]
    }
    /// Model frames of a pose, in double precision.
    pub fn world(&self, pose: &[Transform]) -> Vec<Affine64> {
        forward_kinematics(&self.skeleton, pose)
    }
    /// The T-pose with the arms 80° lower.
    pub fn hanging(&self) -> Vec<Transform> {
        let mut pose = self.t_pose.clone();
        for (arm, out) in [(HumanBone::LeftUpperArm, self.right * -1.0), (HumanBone::RightUpperArm, self.right)] {
            let Some(joint) = self.joint(arm) else { continue };
            let frames = self.world(&self.t_pose);
            let parent = self.parents[joint].map_or(Rotation::IDENTITY, |p| rotation_of(&frames[p]));
            let axis = out.cross(self.up * -1.0);
            let turn = Rotation::about((axis * (1.0 / axis.len())).0, 80f64.to_radians());
            let local = Rotation::new(pose[joint].rotation.to_array().map(f64::from));
            let turned = parent.inverse() * turn * parent * local;
            pose[joint].rotation = sinew::math::Quat::from_array(turned.0.map(|x| x as f32)).normalize();
        }
        pose
    }
    /// Where a bone's joint is.
    pub fn at(&self, world: &[Affine64], bone: HumanBone) -> Option<V3> {
        self.joint(bone).map(|j| V3(world[j].position))
    }
    /// Length of a limb in a pose.
    pub fn limb_length(&self, world: &[Affine64], limb: usize) -> f64 {
        let [a, b, c] = LIMBS[limb].map(|bone| self.at(world, bone).unwrap_or(V3::ZERO));
        a.distance(b) + b.distance(c)
    }
}

/// Orientation of a frame, scale and shear left out.
pub fn rotation_of(frame: &Affine64) -> Rotation {
    let unit = |v: [f64; 3]| {
        let v = V3(v);
        v * (1.0 / v.len())
    };
    let x = unit(frame.axis(0));
    let y = unit(V3(frame.axis(1)).across(x).0);
    let z = x.cross(y);
    let m = [x.0, y.0, z.0];
    let trace = m[0][0] + m[1][1] + m[2][2];
    // Shepperd's method.
    let q = if trace > 0.0 {
        [m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 1.0 + trace]
    } else if m[0][0] >= m[1][1] && m[0][0] >= m[2][2] {
        [1.0 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] - m[2][1]]
    } else if m[1][1] >= m[2][2] {
        [m[0][1] + m[1][0], 1.0 + m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1], m[2][0] - m[0][2]]
    } else {
        [m[0][2] + m[2][0], m[1][2] + m[2][1], 1.0 + m[2][2] - m[0][0] - m[1][1], m[0][1] - m[1][0]]
    };
    Rotation::new(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_survives_its_frame() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, -0.8]];
        for axis in axes {
            for degrees in [-179.0, -120.0, -30.0, 0.0, 45.0, 91.0, 170.0] {
                let turned = Rotation::about(axis, f64::to_radians(degrees));
                let t = Transform {
                    rotation: sinew::math::Quat::from_array(turned.0.map(|x| x as f32)),
                    scale: sinew::math::Vec3::new(2.0, 0.5, 1.5),
                    ..Transform::IDENTITY
                };
                let off = rotation_of(&Affine64::from_transform(&t)).angle_to(turned);
                assert!(off < 1e-5, "{axis:?} {degrees}: {off}");
            }
        }
    }
}
