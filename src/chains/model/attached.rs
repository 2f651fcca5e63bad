//! What is attached to each joint of a chain: joints and effectors as nodes of one list.

use super::joint::{ChainJoint, Effector};

/// Nodes: the joints, then the effectors.
#[derive(Clone, Debug, Default)]
pub(in crate::chains) struct Attached {
    /// The joint that each node is attached to; none: a root joint.
    pub parent: Vec<Option<usize>>,
    /// The nodes by the joint that they are attached to.
    nodes: Vec<usize>,
    /// Where the nodes of each joint begin, and where the last ones end.
    first: Vec<usize>,
}

impl Attached {
    pub fn new(joints: &[ChainJoint], effectors: &[Effector]) -> Self {
        let parents = joints.iter().map(|joint| joint.parent);
        let parent: Vec<_> = parents.chain(effectors.iter().map(|effector| Some(effector.joint))).collect();
        let mut first = vec![0; joints.len() + 1];
        for joint in parent.iter().flatten() {
            first[joint + 1] += 1;
        }
        for joint in 0..joints.len() {
            first[joint + 1] += first[joint];
        }
        let mut next = first.clone();
        let mut nodes = vec![0; first[joints.len()]];
        for (node, joint) in parent.iter().enumerate().filter_map(|(node, joint)| Some((node, (*joint)?))) {
            nodes[next[joint]] = node;
            next[joint] += 1;
        }
        Self { parent, nodes, first }
    }
    /// The nodes that are attached to a joint.
    #[inline(always)]
    pub fn to(&self, joint: usize) -> &[usize] {
        &self.nodes[self.first[joint]..self.first[joint + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::JointModel;
    use crate::math::{Quat, Vec3};

    #[test]
    fn joints_and_effectors_are_listed_by_what_they_are_attached_to() {
        let joint = |parent| ChainJoint { parent, offset: Vec3::Y, rest: Quat::IDENTITY, model: JointModel::FREE };
        let joints = [None, Some(0), Some(0), Some(1)].map(joint);
        let effectors = [3, 1].map(|joint| Effector { joint, offset: Vec3::Y });
        let attached = Attached::new(&joints, &effectors);
        assert_eq!([0, 1, 2, 3].map(|joint| attached.to(joint)), [&[1, 2][..], &[3, 5], &[], &[4]]);
        assert_eq!(attached.parent, [None, Some(0), Some(0), Some(1), Some(3), Some(1)]);
    }
}
