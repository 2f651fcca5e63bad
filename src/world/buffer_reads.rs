//! What a host reads of the pose buffer between solves: only the joints that an answer depends on
//! are checked.

use super::Character;
use crate::animator::AnimatorError;
use crate::humanoid::{HumanBone, IkGoal, IkHint};
use crate::math::{Frame, Quat, Vec3};
use crate::skeleton::{JointIndex, Pose, PoseError, path};

impl Character {
    /// Frame of a joint in model space, of which only one part need be right.
    #[inline(always)]
    fn part_ms<const POSITION: bool, const ROTATION: bool>(&self, joint: JointIndex) -> Result<Frame, PoseError> {
        path::checked_frame::<POSITION, ROTATION>(self.animator.skeleton(), self.buffer(), joint)
    }
    /// Position and rotation of [`crate::animator::Animator::joint_ws`]; the rotation is the
    /// identity where it is not `needed`.
    #[inline(always)]
    pub(crate) fn joint_ws(&self, joint: JointIndex, is_rotation_needed: bool) -> Result<(Vec3, Quat), PoseError> {
        let world = self.animator.world_frame();
        if is_rotation_needed {
            let frame = self.part_ms::<true, true>(joint)?;
            return Ok((world.point_out(frame.position), world.rotation_out(frame.rotation)));
        }
        // Rotations are finite where the numbers of the pose are.
        Ok((world.point_out(self.part_ms::<true, false>(joint)?.position), Quat::IDENTITY))
    }
    /// [`crate::animator::Animator::ik_position`].
    pub(crate) fn ik_position(&self, goal: IkGoal) -> Result<Vec3, AnimatorError> {
        let whole_frame = |joint| self.part_ms::<true, true>(joint);
        self.animator.ik_position_by(goal, |joint| self.part_ms::<true, false>(joint), whole_frame)
    }
    /// [`crate::animator::Animator::ik_rotation`].
    pub(crate) fn ik_rotation(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        let whole_frame = |joint| self.part_ms::<true, true>(joint);
        self.animator.ik_rotation_by(goal, |joint| self.part_ms::<false, true>(joint), whole_frame)
    }
    /// [`crate::animator::Animator::ik_rotation_bone`].
    pub(crate) fn ik_rotation_bone(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        self.animator.bone_rotation_of(goal, self.ik_rotation(goal)?, |joint| self.part_ms::<false, true>(joint))
    }
    /// [`crate::animator::Animator::ik_hint_position`].
    pub(crate) fn ik_hint_position(&self, hint: IkHint) -> Result<Vec3, AnimatorError> {
        let whole_frame = |joint| self.part_ms::<true, true>(joint);
        self.animator.ik_hint_position_by(hint, |joint| self.part_ms::<true, false>(joint), whole_frame)
    }
    /// [`crate::animator::Animator::bone_local_rotation`].
    pub(crate) fn bone_local_rotation(&self, bone: HumanBone) -> Result<Quat, AnimatorError> {
        let joint = self.animator.bone_joint(bone)?.ok_or(AnimatorError::BoneNotMapped(bone))?;
        if let Some(set) = self.animator.bone_override(bone) {
            return Ok(set);
        }
        let local = &self.buffer()[joint];
        Pose::check_joint(joint, local)?;
        Ok(local.rotation)
    }
    /// [`crate::animator::Animator::look_at_position`].
    pub(crate) fn look_at_position(&mut self) -> Result<Vec3, AnimatorError> {
        if self.animator.fresh_look_at_position()?.is_none() {
            self.animator.check_gaze()?;
        }
        self.animator.look_at_position()
    }
    /// [`crate::animator::Animator::gaze_ws`].
    pub(crate) fn gaze_ws(&mut self) -> Result<(Vec3, Vec3), AnimatorError> {
        self.animator.check_gaze()?;
        self.animator.gaze_ws()
    }
}
