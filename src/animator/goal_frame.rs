//! Goal rotations in the bone's local axes, in addition to Unity's normalised frame.
//!
//! Unity's goal frame is the same on every rig (X right of the hand or foot, Y out of its back, Z
//! along fingers or toes). A tool that has the rotation of another transform, or copies one bone's
//! rotation to another, needs the bone's axes: the `Transform.rotation` of the hand or foot. Both
//! are views of one goal: setting either replaces it, and they differ by a constant rotation of the
//! avatar ([`crate::humanoid::Avatar::goal_from_bone`]).

use super::animator::Animator;
use super::error::AnimatorError;
use crate::humanoid::IkGoal;
use crate::math::Quat;

impl Animator {
    /// Sets the goal rotation of the hand or foot *joint*: world space, the joint's own axes.
    /// Replaces the value of [`Self::set_ik_rotation`]; the weight is shared. Uses the root's
    /// current mirror signs. [`AnimatorError::NotHumanoid`] without an avatar.
    pub fn set_ik_rotation_bone(&mut self, goal: IkGoal, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let from_bone = self.humanoid()?.avatar.goal_from_bone(goal);
        let bone_ms = self.world_from_model.rotation_in(rotation_ws.normalize());
        let goal_ws = self.world_from_model.axes_out((bone_ms * from_bone).normalize());
        self.set_ik_rotation(goal, goal_ws)
    }
    /// The rotation set since the last solve, else that of the current pose; world space, the
    /// joint's own axes.
    pub fn ik_rotation_bone(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        self.bone_rotation_of(goal, self.ik_rotation(goal)?)
    }
    /// The joint's rotation for a goal rotation, both in world space.
    pub(crate) fn bone_rotation_of(&self, goal: IkGoal, goal_ws: Quat) -> Result<Quat, AnimatorError> {
        let from_bone = self.humanoid()?.avatar.goal_from_bone(goal);
        let goal_ms = self.world_from_model.axes_in(goal_ws);
        Ok(self.world_from_model.rotation_out((goal_ms * from_bone.conjugate()).normalize()))
    }
}
