//! What the joint models of a chain have in common, counted, so that a solve need not look at every
//! model: they are large.

use super::joint::ChainJoint;
use crate::limits::JointModel;

/// Numbers of joints that are not of the simplest kind.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::chains) struct JointSummary {
    /// Joints that may not take every rotation.
    pub limited: usize,
    /// Joints whose mobility is not the first joint's multiple of 1.
    pub uneven: usize,
    /// Joints whose bone can change its length.
    pub elastic: usize,
}

impl JointSummary {
    pub fn of(joints: &[ChainJoint]) -> Self {
        let mut kind = Self::default();
        let stiffness = joints[0].model.stiffness[0];
        joints.iter().for_each(|joint| kind.count(&joint.model, stiffness, 1));
        kind
    }
    /// Gives a joint another model.
    pub fn change(&mut self, joints: &mut [ChainJoint], joint: usize, model: &JointModel) {
        let stiffness = joints[0].model.stiffness[0];
        self.count(&joints[joint].model, stiffness, -1);
        joints[joint].model = *model;
        if joint == 0 {
            *self = Self::of(joints);
        } else {
            self.count(model, stiffness, 1);
        }
    }
    fn count(&mut self, model: &JointModel, stiffness: f32, by: isize) {
        let add = |number: &mut usize, of_it: bool| *number = number.saturating_add_signed(if of_it { by } else { 0 });
        add(&mut self.limited, !model.is_unlimited());
        add(&mut self.uneven, !(model.is_isotropic() && model.stiffness[0] == stiffness));
        add(&mut self.elastic, model.stretch.max > model.stretch.min);
    }
}
