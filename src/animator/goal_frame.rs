//! Goal rotations in the bone's local axes, in addition to Unity's normalised frame.
//!
//! Unity's goal frame is the same on every rig (X right of the hand or foot, Y out of its back, Z
//! along fingers or toes). A tool that has the rotation of another transform, or copies one bone's
//! rotation to another, needs the bone's axes: the `Transform.rotation` of the hand or foot. Both
//! are views of one goal: setting either replaces it, and they differ by a constant rotation of the
//! avatar ([`crate::humanoid::Avatar::goal_from_bone`]).

use super::animator::Animator;
use super::error::AnimatorError;
use super::goals::FrameOf;
use crate::humanoid::IkGoal;
use crate::math::{Frame, Quat, Transform};

/// The mirror signs of a frame alone.
fn mirror_of(frame: &Frame) -> Frame {
    Frame::from_transform(&Transform { scale: frame.signs(), ..Transform::IDENTITY })
}

impl Animator {
    /// Sets the goal rotation of the hand or foot *joint*: world space or the goal's space, the
    /// joint's own axes. Replaces the value of [`Self::set_ik_rotation`]; the weight is shared.
    /// Uses the present mirror signs of the root or of the space's joint.
    /// [`AnimatorError::NotHumanoid`] without an avatar.
    pub fn set_ik_rotation_bone(&mut self, goal: IkGoal, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid()?;
        let from_bone = humanoid.avatar.goal_from_bone(goal);
        if let Some(space) = humanoid.places_of(goal).and_then(|places| places.space(goal)) {
            let mirror = mirror_of(&self.part_ms::<false, true>(space));
            let bone = mirror.rotation_out(rotation_ws.normalize());
            return self.set_ik_rotation(goal, mirror.axes_in((bone * from_bone).normalize()));
        }
        let bone_ms = self.world_from_model.rotation_in(rotation_ws.normalize());
        let goal_ws = self.world_from_model.axes_out((bone_ms * from_bone).normalize());
        self.set_ik_rotation(goal, goal_ws)
    }
    /// The rotation set since the last solve, else that of the current pose; world space or the
    /// goal's space, the joint's own axes.
    pub fn ik_rotation_bone(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        self.bone_rotation_of(goal, self.ik_rotation(goal)?, |joint| Ok(self.part_ms::<false, true>(joint)))
    }
    /// The joint's rotation for a goal rotation, both in world space or both in the goal's space.
    /// Of the frame of that space's joint only the mirror signs are used.
    pub(crate) fn bone_rotation_of(
        &self,
        goal: IkGoal,
        goal_ws: Quat,
        frame: impl FrameOf,
    ) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let from_bone = humanoid.avatar.goal_from_bone(goal);
        if let Some(space) = humanoid.places_of(goal).and_then(|places| places.space(goal)) {
            let mirror = mirror_of(&frame(space)?);
            return Ok(mirror.rotation_in((mirror.axes_out(goal_ws) * from_bone.conjugate()).normalize()));
        }
        let goal_ms = self.world_from_model.axes_in(goal_ws);
        Ok(self.world_from_model.rotation_out((goal_ms * from_bone.conjugate()).normalize()))
    }
}
