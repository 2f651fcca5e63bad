//! Constraints and joint limits of a character, for any rig, with or without an avatar.

use super::animator::Animator;
use super::error::AnimatorError;
use super::frame::{ConstraintPlacement, Slot};
use crate::chains::Pole;
use crate::constraints::{ConstraintDefinition, ConstraintError, ConstraintId, ConstraintInput};
use crate::limits::{JointModel, LimitTable};
use crate::optim::{Interrupt, Source};
use crate::outcome::Outcome;
use crate::skeleton::JointIndex;
use std::sync::Arc;

impl Animator {
    /// Adds a constraint, solved in the step [`super::FrameStep::Constraints`] after those added
    /// before it. Its weights are 0 by default, and then it does nothing.
    pub fn add_constraint(&mut self, definition: &ConstraintDefinition) -> Result<ConstraintId, ConstraintError> {
        let id = self.constraints.add(&self.skeleton, &self.limits, definition, Slot::STACK.0)?;
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.before.keep_all(&self.skeleton);
            humanoid.outcomes.weighted.get_or_insert_default();
        }
        Ok(id)
    }
    /// Places a constraint before or after a step of the frame, or back into the stack. Constraints
    /// of the same placement are solved in the order in which they were added.
    ///
    /// Later steps start from the pose after the constraint: look-at starts from an aim of the
    /// chest placed before [`super::FrameStep::LookAt`], and a chain before
    /// [`super::FrameStep::Limbs`] moves the shoulders from which the arms reach, while hand goals
    /// are still met. A goal without a position or rotation keeps that of the animation before the
    /// frame.
    pub fn set_constraint_placement(
        &mut self,
        id: ConstraintId,
        placement: ConstraintPlacement,
    ) -> Result<(), AnimatorError> {
        self.constraints.set_slot(id, Slot::of(placement).0).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// See [`Self::set_constraint_placement`].
    pub fn constraint_placement(&self, id: ConstraintId) -> Result<ConstraintPlacement, AnimatorError> {
        let slot = self.constraints.slot(id).ok_or(AnimatorError::NoSuchConstraint(id))?;
        Ok(Slot(slot).placement())
    }
    /// Removes a constraint; its id is not used again.
    pub fn remove_constraint(&mut self, id: ConstraintId) -> Result<(), AnimatorError> {
        self.constraints.remove(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// The input of a constraint.
    pub fn constraint(&self, id: ConstraintId) -> Result<&ConstraintInput, AnimatorError> {
        self.constraints.input(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// The input of a constraint, to be changed; it stays set until changed again.
    pub fn constraint_mut(&mut self, id: ConstraintId) -> Result<&mut ConstraintInput, AnimatorError> {
        self.constraints.input_mut(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Sets the switch time of a constraint, seconds, at most 1e6; 0, the default, and what is not
    /// above 1e-6: at once. A changed weight (of the constraint, its pole, or a position or
    /// rotation goal), a goal or pole that is set or cleared, or [`Self::inertialize_constraint`]
    /// start a switch: the joints of the constraint keep their places and speeds, and the offset
    /// from the new solution decays to 1 % in this time. Time passes with [`Self::advance`]. A goal
    /// that moves without a switch is followed without lag. Later constraints and steps start from
    /// the pose with the offset. Allocates where there was none.
    pub fn set_constraint_inertialization_time(&mut self, id: ConstraintId, time_s: f32) -> Result<(), AnimatorError> {
        let set = self.constraints.set_switch_time(&self.skeleton, id, time_s);
        set.ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// See [`Self::set_constraint_inertialization_time`].
    pub fn constraint_inertialization_time(&self, id: ConstraintId) -> Result<f32, AnimatorError> {
        self.constraints.switch_time(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Starts a switch of a constraint: what is set for it from now on replaces the old goals and
    /// pole within its switch time. Changed weights need no such call. Does nothing without a
    /// switch time.
    pub fn inertialize_constraint(&mut self, id: ConstraintId) -> Result<(), AnimatorError> {
        self.constraints.begin_switch(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Whether a switch of a constraint is in progress. Its outcome is that of the solution without
    /// the offset, unless what comes after it in the frame moves its joints.
    pub fn is_inertializing_constraint(&self, id: ConstraintId) -> Result<bool, AnimatorError> {
        self.constraints.is_switching(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// This pole with the angle at which adding it to a constraint changes nothing: the swivel that
    /// results from the constraint's current input on the current pose without a pole. Call once,
    /// at set-up (it allocates); afterwards the chain or limb follows the pole vector. The angle is
    /// 0 for constraints without poles, for a pole on the line from root to goal, and for a
    /// straight limb or chain.
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
    /// Whether a constraint is a limb of two bones that is straight in the rest pose and has no
    /// bend side in its definition: when it straightens it bends to an arbitrary fixed side, unless
    /// it has a pole. Call once, at set-up, to warn the user. `false` for all other constraints.
    pub fn bend_is_arbitrary(&self, id: ConstraintId) -> Result<bool, AnimatorError> {
        self.constraints.is_bend_arbitrary(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Scales the iterations of chain constraints and of the body solver, clamped to 0 … 1; each
    /// keeps at least one. Default 1. Closed forms have no iterations. A [`crate::world::World`]
    /// multiplies it by the scale of the level of detail.
    pub fn set_iteration_scale(&mut self, share: f32) {
        self.constraints.set_iteration_scale(share);
        if let Some(whole_body) = &mut self.state.whole_body {
            whole_body.set_iteration_scale(share.clamp(0.0, 1.0));
        }
    }
    /// See [`Self::set_iteration_scale`].
    pub fn iteration_scale(&self) -> f32 {
        self.constraints.iteration_scale()
    }
    /// Sets how many steps of work the iterating solvers of one [`Self::solve`] may take together;
    /// then they end with their best pose so far. A step is 10 to 80 ns, see
    /// [`crate::optim::work`]. At most [`crate::optim::Work::MOST`], the default.
    pub fn set_max_work(&mut self, steps: u32) {
        self.constraints.set_max_work(steps);
    }
    /// See [`Self::set_max_work`].
    pub fn max_work(&self) -> u32 {
        self.constraints.max_work()
    }
    /// Sets or clears what may end solves early, with the best pose so far.
    pub fn set_interrupt(&mut self, source: Source, interrupt: Option<Arc<dyn Interrupt>>) {
        self.constraints.set_interrupt(source, interrupt);
    }
    /// All constraints, in the order in which a solve comes to them.
    pub fn constraint_ids(&self) -> impl ExactSizeIterator<Item = ConstraintId> + '_ {
        self.constraints.ids()
    }
    /// The outcome of a constraint in the last solve.
    pub fn constraint_outcome(&self, id: ConstraintId) -> Result<Outcome, AnimatorError> {
        self.constraints.outcome(id).ok_or(AnimatorError::NoSuchConstraint(id))
    }
    /// Overrides the limits of a joint, counted from its rest rotation: in place of the avatar's
    /// human range and of none. Constraints keep to it; with
    /// [`crate::humanoid::HumanoidSettings::limits_enabled`] the humanoid steps do, too.
    /// [`JointModel::FREE`] is an override that frees the joint.
    pub fn set_joint_limits(&mut self, joint: JointIndex, limits: &JointModel) -> Result<(), AnimatorError> {
        self.override_limits(joint, Some(limits))
    }
    /// Clears the override of a joint: the avatar's human range counts again, where limits are
    /// enabled.
    pub fn clear_joint_limits(&mut self, joint: JointIndex) -> Result<(), AnimatorError> {
        self.override_limits(joint, None)
    }
    fn override_limits(&mut self, joint: JointIndex, model: Option<&JointModel>) -> Result<(), AnimatorError> {
        self.check_joint(joint)?;
        self.limits.set_override(&self.skeleton, joint, model);
        self.constraints.take_limit(&self.skeleton, &self.limits, joint);
        self.take_body_limits();
        Ok(())
    }
    /// The override of a joint's limits; `None` unless set.
    pub fn joint_limits(&self, joint: JointIndex) -> Result<Option<&JointModel>, AnimatorError> {
        self.check_joint(joint)?;
        Ok(self.limits.joint_override(joint))
    }
    /// The limits of all joints, as solvers read them.
    pub fn limit_table(&self) -> &LimitTable {
        &self.limits
    }
    /// How far a joint of the pose as it is now is beyond its limits, radians; 0 within them.
    /// Without an override a human bone is measured against its human range, whether or not limits
    /// are enabled.
    pub fn joint_violation_rad(&self, joint: JointIndex) -> Result<f32, AnimatorError> {
        self.check_joint(joint)?;
        Ok(self.limits.violation_rad(&self.skeleton, &self.pose, joint))
    }
    fn check_joint(&self, joint: JointIndex) -> Result<(), AnimatorError> {
        if joint < self.skeleton.joint_count() { Ok(()) } else { Err(AnimatorError::NoSuchJoint(joint)) }
    }
}
