//! Chains that branch once, poses of them and where these put their ends, for measuring.

use crate::random::Random;
use sinew::chains::{Chain, ChainJoint, ChainPose, Effector};
use sinew::limits::JointModel;
use sinew::math::{Quat, Vec3, axis_angle};

/// A trunk of `trunk` joints, and on its last one `branches` branches of `length` joints side by
/// side, each with an effector at its end; without branches the trunk has it. Bones are 1 long and
/// gently bent at rest; `model` gives the model of each joint.
pub fn chain(trunk: usize, branches: usize, length: usize, model: impl Fn(usize) -> JointModel) -> Chain {
    let mut joints: Vec<ChainJoint> = Vec::new();
    let mut random = Random::new(5);
    let mut add = |parent: Option<usize>, offset: Vec3| {
        let number = joints.len();
        let rest = axis_angle(Vec3::X, 0.1) * random.rotation_within(0.1);
        joints.push(ChainJoint { parent, offset, rest, model: model(number) });
        number
    };
    let bone = Vec3::Y;
    let mut last = None;
    for k in 0..trunk {
        last = Some(add(last, if k == 0 { Vec3::ZERO } else { bone }));
    }
    let top = last;
    let mut ends = Vec::new();
    for branch in 0..branches {
        last = top;
        for k in 0..length {
            let aside = Vec3::X * (branch as f32 - 0.5 * (branches as f32 - 1.0)) * 0.6;
            last = Some(add(last, if k == 0 { bone + aside } else { bone }));
        }
        ends.extend(last);
    }
    if branches == 0 {
        ends.extend(last);
    }
    let effectors = ends.iter().map(|&joint| Effector { joint, offset: bone });
    Chain::new(joints, effectors.collect()).expect("a sound chain")
}

/// Places and rotations of the ends.
pub fn ends(chain: &Chain, pose: &ChainPose) -> Vec<(Vec3, Quat)> {
    let mut spaces: Vec<(Vec3, Quat)> = Vec::new();
    for (joint, q) in chain.joints().iter().zip(&pose.rotations) {
        let (origin, outer) = joint.parent.map_or((pose.root_position, pose.root_rotation), |p| spaces[p]);
        spaces.push((origin + outer * joint.offset, (outer * joint.rest * *q).normalize()));
    }
    let end = |e: &Effector| (spaces[e.joint].0 + spaces[e.joint].1 * e.offset, spaces[e.joint].1);
    chain.effectors().iter().map(end).collect()
}

/// A pose that the limits allow, each joint within `spread_rad` radians of rest before they apply.
pub fn posed(chain: &Chain, spread_rad: f32, random: &mut Random) -> ChainPose {
    let mut pose = ChainPose::rest(chain);
    for (q, joint) in pose.rotations.iter_mut().zip(chain.joints()) {
        *q = joint.model.project(random.rotation_within(spread_rad));
    }
    pose
}
