//! A chain: joints and effectors, checked once per rig and shared by all characters of the rig.

use super::attached::Attached;
use super::blocks::Table;
use super::groups::Groups;
use super::joint::{ChainJoint, Effector};
use super::summary::JointSummary;
use crate::limits::{JointModel, PreparedJoint};
use crate::math::{Quat, Vec3, length};

/// Why a chain was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// No joints, or no effectors, or more than [`Chain::MAX_EFFECTORS`] effectors.
    #[error(
        "a chain needs at least one joint, 1 to {} effectors, and one entry per joint in each list",
        Chain::MAX_EFFECTORS
    )]
    Counts,
    /// A joint's parent does not come before it, or an effector's joint does not exist.
    #[error("entry {index} refers to a joint that is not before it")]
    BadIndex {
        /// Joint, or number of joints + effector.
        index: usize,
    },
    /// A number is not finite or out of range, or a rest rotation is zero.
    #[error("entry {index} has a number that is not finite or too large, or a rotation of zero length")]
    BadNumber {
        /// The joint.
        index: usize,
    },
    /// The point of an effector in its joint is not finite or too far away.
    #[error("the tip of effector {effector} is not finite or too large (more than {most:e})", most = Chain::LONGEST_BONE)]
    BadTip {
        /// The effector.
        effector: usize,
    },
}

/// Joints and effectors; immutable, shared by all characters of a rig.
#[derive(Clone, Debug)]
pub struct Chain {
    pub(in crate::chains) joints: Vec<ChainJoint>,
    pub(in crate::chains) effectors: Vec<Effector>,
    /// Bit `e` of entry `j`: joint `j` moves effector `e`.
    pub(in crate::chains) moves: Vec<u32>,
    /// Joints that move the same effectors.
    pub(in crate::chains) groups: Groups,
    /// Per joint: its model, ready for the solvers.
    pub(in crate::chains) prepared: Vec<PreparedJoint>,
    /// What is attached to each joint.
    pub(in crate::chains) attached: Attached,
    pub(in crate::chains) length: f32,
    pub(in crate::chains) serial: bool,
    /// What the joints' models have in common.
    pub(in crate::chains) summary: JointSummary,
    /// The joints of an unbranched chain once more, several at a time, without their models.
    pub(in crate::chains) table: Table,
    /// Per joint; empty: all 1.
    pub(in crate::chains) spring_bias: Vec<f32>,
}

impl Chain {
    /// Most effectors a chain may have.
    pub const MAX_EFFECTORS: usize = 16;

    /// Chains shorter than this, in host units, are points: solves leave them alone.
    pub const SHORTEST: f32 = 1e-9;
    /// Longest offset a joint or effector may have, and farthest place of the root, in host units.
    pub const LONGEST_BONE: f32 = 1e12;

    /// Checks and completes a chain. Rest rotations are normalised.
    pub fn new(mut joints: Vec<ChainJoint>, effectors: Vec<Effector>) -> Result<Self, ChainError> {
        if joints.is_empty() || effectors.is_empty() || effectors.len() > Self::MAX_EFFECTORS {
            return Err(ChainError::Counts);
        }
        for (index, joint) in joints.iter_mut().enumerate() {
            if joint.parent.is_some_and(|p| p >= index) {
                return Err(ChainError::BadIndex { index });
            }
            let length = joint.rest.length();
            let offset = joint.offset.length();
            if !offset.is_finite() || offset > Self::LONGEST_BONE || !length.is_finite() || length < 1e-3 {
                return Err(ChainError::BadNumber { index });
            }
            joint.rest = joint.rest.normalize();
        }
        let mut moves = vec![0u32; joints.len()];
        for (number, effector) in effectors.iter().enumerate() {
            if effector.joint >= joints.len() {
                return Err(ChainError::BadIndex { index: joints.len() + number });
            }
            let offset = effector.offset.length();
            if !offset.is_finite() || offset > Self::LONGEST_BONE {
                return Err(ChainError::BadTip { effector: number });
            }
            let mut joint = effector.joint;
            loop {
                moves[joint] |= 1 << number;
                let Some(parent) = joints[joint].parent else { break };
                joint = parent;
            }
        }
        let groups = Groups::new(&moves);
        let prepared = joints.iter().map(|joint| PreparedJoint::new(&joint.model)).collect();
        let attached = Attached::new(&joints, &effectors);
        let in_line = joints.iter().enumerate().all(|(i, j)| j.parent == i.checked_sub(1));
        let serial = in_line && effectors.len() == 1 && effectors[0].joint + 1 == joints.len();
        let summary = JointSummary::of(&joints);
        let table = if serial { Table::new(&joints, &effectors[0]) } else { Table::default() };
        let spring_bias = Vec::new();
        let mut chain = Self {
            joints,
            effectors,
            moves,
            groups,
            prepared,
            attached,
            length: 0.0,
            serial,
            summary,
            table,
            spring_bias,
        };
        chain.measure_length();
        Ok(chain)
    }

    /// An unbranched chain: bone vectors (each in its joint's space, to the next joint; the last to
    /// the effector), rest rotations (each in the space of the joint before), and joint models. The
    /// three lists have one length.
    pub fn serial(bones: &[Vec3], rests: &[Quat], models: &[JointModel]) -> Result<Self, ChainError> {
        if bones.is_empty() || rests.len() != bones.len() || models.len() != bones.len() {
            return Err(ChainError::Counts);
        }
        let joints = (0..bones.len())
            .map(|i| ChainJoint {
                parent: i.checked_sub(1),
                offset: if i == 0 { Vec3::ZERO } else { bones[i - 1] },
                rest: rests[i],
                model: models[i],
            })
            .collect();
        Self::new(joints, vec![Effector { joint: bones.len() - 1, offset: bones[bones.len() - 1] }])
    }
    /// Gives the joints and effectors other places, in their order; a chain on a pose follows the
    /// pose's own bones. Offsets that are not finite or too long are left as they were.
    pub fn reshape(&mut self, joint_offsets: &[Vec3], effector_offsets: &[Vec3]) {
        let fits = |v: &Vec3| v.is_finite() && v.abs().max_element() <= Self::LONGEST_BONE;
        for (joint, offset) in self.joints.iter_mut().zip(joint_offsets).filter(|(_, o)| fits(o)) {
            joint.offset = *offset;
        }
        for (effector, offset) in self.effectors.iter_mut().zip(effector_offsets).filter(|(_, o)| fits(o)) {
            effector.offset = *offset;
        }
        self.table.refresh(&self.joints, &self.effectors[0]);
        self.measure_length();
    }
    /// Gives a joint another model.
    pub fn set_model(&mut self, joint: usize, model: &JointModel) {
        if joint < self.joints.len() {
            self.summary.change(&mut self.joints, joint, model);
            self.prepared[joint] = PreparedJoint::new(model);
        }
    }
    /// Gives a joint another rest rotation, from which limits and the pose's rotations count; one
    /// that is not finite or has no length is ignored.
    pub fn set_rest(&mut self, joint: usize, rest: Quat) {
        if joint < self.joints.len() && rest.is_finite() && rest.length() > 1e-6 {
            self.joints[joint].rest = rest.normalize();
            self.table.refresh(&self.joints, &self.effectors[0]);
        }
    }
    /// How much each joint opens and closes, relative to the others, under
    /// [`Spring`](super::ChainSolver::Spring), one number per joint, 0 or more: 1 is the usual, 2
    /// twice as fast, 0 keeps the bend it has at rest. The first joint's is not used, for it
    /// carries the chain. An empty list, the default, stands for all 1. Refused when the number of
    /// entries is another, or one is negative or not finite.
    pub fn set_spring_bias(&mut self, bias: &[f32]) -> Result<(), ChainError> {
        if !bias.is_empty() && bias.len() != self.joints.len() {
            return Err(ChainError::Counts);
        }
        if let Some(index) = bias.iter().position(|b| !(*b >= 0.0 && *b <= 1e6)) {
            return Err(ChainError::BadNumber { index });
        }
        self.spring_bias = bias.to_vec();
        Ok(())
    }
    /// Where a node of [`Attached`] is in the space of the joint that it is attached to.
    pub(in crate::chains) fn offset(&self, node: usize) -> Vec3 {
        match node.checked_sub(self.joints.len()) {
            None => self.joints[node].offset,
            Some(effector) => self.effectors[effector].offset,
        }
    }
    fn measure_length(&mut self) {
        let mut longest = 0.0_f32;
        for effector in &self.effectors {
            let mut path = length(effector.offset);
            let mut joint = effector.joint;
            while let Some(parent) = self.joints[joint].parent {
                path += length(self.joints[joint].offset);
                joint = parent;
            }
            longest = longest.max(path);
        }
        self.length = longest;
    }
    /// Joints.
    pub fn joints(&self) -> &[ChainJoint] {
        &self.joints
    }
    /// Effectors.
    pub fn effectors(&self) -> &[Effector] {
        &self.effectors
    }
    /// Longest way from a root joint to an effector along the bones: the scale of tolerances.
    pub fn length(&self) -> f32 {
        self.length
    }
    /// Whether it does not branch and has one effector, at its last joint.
    pub fn is_serial(&self) -> bool {
        self.serial
    }
}

impl Chain {
    /// Unbranched, and all joints are free and equally willing in all directions.
    pub(crate) fn is_ball(&self) -> bool {
        self.serial && self.summary.uneven == 0
    }
    /// Unbranched, and every joint may take any rotation.
    pub(in crate::chains) fn is_free(&self) -> bool {
        self.serial && self.summary.limited == 0
    }
    /// No bone can change its length.
    pub(crate) fn is_rigid(&self) -> bool {
        self.summary.elastic == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Freedom, Stretch};
    use crate::math::{Quat, Vec3};

    #[test]
    fn changing_a_model_counts_as_if_made_so() {
        let stiff = JointModel { stiffness: [0.3; 3], ..JointModel::FREE };
        let elastic = JointModel { stretch: Stretch { min: 0.5, max: 1.5, compliance: 1.0 }, ..JointModel::FREE };
        let models = [JointModel::FREE, JointModel::limited(Freedom::Fixed), stiff, elastic];
        let mut chain = Chain::serial(&[Vec3::Y; 3], &[Quat::IDENTITY; 3], &[JointModel::FREE; 3]).expect("sound");
        for step in 0..64 {
            chain.set_model(step % 3, &models[(step * 7 + step / 5) % 4]);
            let made = JointSummary::of(&chain.joints);
            let numbers = |k: &JointSummary| (k.limited, k.uneven, k.elastic);
            assert_eq!(numbers(&chain.summary), numbers(&made), "{step}");
        }
    }
}
