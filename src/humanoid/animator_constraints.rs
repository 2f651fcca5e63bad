//! The constraints of a character, and what its joints may do: for any rig, with an avatar or without.

use super::animator::{Animator, AnimatorError};
use crate::chains::Pole;
use crate::constraints::{ConstraintDefinition, ConstraintError, ConstraintId, ConstraintInput};
use crate::limits::JointModel;
use crate::outcome::Outcome;
use crate::skeleton::JointIndex;

impl Animator {
    /// Adds a constraint, solved after the humanoid steps and the constraints added before it. It does nothing until it has a weight.
    pub fn add_constraint(&mut self, definition: &ConstraintDefinition) -> Result<ConstraintId, ConstraintError> {
        self.constraints.add(&self.skeleton, definition)
    }
    /// Takes a constraint away; its id is not used again.
    pub fn remove_constraint(&mut self, id: ConstraintId) -> Result<(), AnimatorError> {
        self.constraints.remove(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// What a constraint is told.
    pub fn constraint(&self, id: ConstraintId) -> Result<&ConstraintInput, AnimatorError> {
        self.constraints.input(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// What a constraint is told, to be changed; it stays until changed again.
    pub fn constraint_mut(&mut self, id: ConstraintId) -> Result<&mut ConstraintInput, AnimatorError> {
        self.constraints.input_mut(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// This pole with the angle at which adding it to a constraint changes nothing: the swivel that the constraint's present input gives
    /// on the present pose without a pole. To be asked once, at set-up (it allocates); afterwards the chain or limb follows the pole.
    /// 0 for constraints without poles, for a pole on the line from root to goal, and where nothing is bent.
    pub fn pole_in_place(&self, id: ConstraintId, pole_ws: Pole) -> Result<Pole, AnimatorError> {
        let mut pose = self.pose.clone();
        pose.update(&self.skeleton);
        let pole_ws = Pole { angle_rad: 0.0, ..pole_ws };
        let angle_rad = self
            .constraints
            .angle_in_place(&self.skeleton, &pose, &self.world_from_model, id, pole_ws)
            .ok_or(AnimatorError::NoSuchConstraint(id))?;
        Ok(Pole { angle_rad, ..pole_ws })
    }
    /// Whether a constraint is a limb of two bones that is straight in the rest pose and has no bend side in its definition:
    /// when it straightens it bends to an arbitrary fixed side, unless it has a pole. Worth asking once, at set-up.
    /// `false` for all other constraints.
    pub fn bend_is_arbitrary(&self, id: ConstraintId) -> Result<bool, AnimatorError> {
        self.constraints.is_bend_arbitrary(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Allows chain constraints this share of their iterations, limited to 0 … 1; each gets one at least. 1, the default: all. Steps in closed
    /// form have no iterations.
    pub fn set_iteration_scale(&mut self, share: f32) {
        self.constraints.set_iteration_scale(share);
    }
    /// What the last solve left of a constraint.
    pub fn constraint_outcome(&self, id: ConstraintId) -> Result<Outcome, AnimatorError> {
        self.constraints.outcome(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Sets what a joint may do, for every constraint on this animator, present and later. [`JointModel::FREE`] takes limits away.
    pub fn set_joint_limits(&mut self, joint: JointIndex, limits: &JointModel) -> Result<(), AnimatorError> {
        self.check_joint(joint)?;
        self.constraints.set_joint_limits(&self.skeleton, joint, limits);
        Ok(())
    }
    /// What a joint may do; [`JointModel::FREE`] unless set.
    pub fn joint_limits(&self, joint: JointIndex) -> Result<&JointModel, AnimatorError> {
        self.check_joint(joint)?;
        Ok(self.constraints.joint_limits(joint))
    }
    /// How far a joint of the pose as it is now is beyond its limits, radians.
    pub fn joint_violation_rad(&self, joint: JointIndex) -> Result<f32, AnimatorError> {
        let limits = self.joint_limits(joint)?;
        let rest = self.skeleton.rest_local()[joint].rotation;
        let local = self.pose.local()[joint].rotation.normalize();
        Ok(limits.violation_rad((rest.conjugate() * local).normalize()))
    }
    fn check_joint(&self, joint: JointIndex) -> Result<(), AnimatorError> {
        if joint < self.skeleton.joint_count() { Ok(()) } else { Err(AnimatorError::NoSuchJoint(joint)) }
    }
}
