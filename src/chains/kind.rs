//! What the joint models of a chain have in common, counted, so that a solve need not look at every model: they are large.

use super::chain::{Chain, ChainJoint};
use crate::limits::JointModel;

/// Numbers of joints that are not of the simplest kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kind {
    /// Joints that may not take every rotation.
    limited: usize,
    /// Joints whose mobility is not the first joint's multiple of 1.
    uneven: usize,
    /// Joints whose bone can change its length.
    elastic: usize,
}

impl Kind {
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

impl Chain {
    /// Unbranched, and all joints are free and equally willing in all directions.
    pub(crate) fn is_ball(&self) -> bool {
        self.serial && self.kind.uneven == 0
    }
    /// Unbranched, and every joint may take any rotation.
    pub(super) fn is_free(&self) -> bool {
        self.serial && self.kind.limited == 0
    }
    /// No bone can change its length.
    pub(crate) fn is_rigid(&self) -> bool {
        self.kind.elastic == 0
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
        let elastic = JointModel { stretch: Stretch { min: 0.5, max: 1.5, readiness: 1.0 }, ..JointModel::FREE };
        let models = [JointModel::FREE, JointModel::limited(Freedom::Fixed), stiff, elastic];
        let mut chain = Chain::serial(&[Vec3::Y; 3], &[Quat::IDENTITY; 3], &[JointModel::FREE; 3]).expect("sound");
        for step in 0..64 {
            chain.set_model(step % 3, &models[(step * 7 + step / 5) % 4]);
            let made = Kind::of(&chain.joints);
            let numbers = |k: &Kind| (k.limited, k.uneven, k.elastic);
            assert_eq!(numbers(&chain.kind), numbers(&made), "{step}");
        }
    }
}
