//! Goals and hints of hands and feet. Getters return the animation's values where nothing was set.

use super::animator::Animator;
use super::error::AnimatorError;
use crate::humanoid::{IkGoal, IkHint};
use crate::math::{Frame, Quat, Vec3};
use crate::outcome::{Outcome, weight01};
use crate::skeleton::{JointIndex, PoseError};

/// Finds the frame of a joint in model space.
pub(crate) trait FrameOf: Fn(JointIndex) -> Result<Frame, PoseError> {}
impl<F: Fn(JointIndex) -> Result<Frame, PoseError>> FrameOf for F {}

impl Animator {
    /// See [`crate::humanoid::HumanoidInput::goals`]; has no effect while the position weight is 0.
    pub fn set_ik_position(&mut self, goal: IkGoal, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(goal, |given, _| given.position = Some(position_ws));
        humanoid.fresh.goal_positions[goal.index()] = true;
        Ok(())
    }
    /// The position set since the last solve, else that of the wrist or ankle, or of the effector
    /// point, in the current pose; world space, or the goal's space.
    pub fn ik_position(&self, goal: IkGoal) -> Result<Vec3, AnimatorError> {
        self.ik_position_by(goal, |joint| Ok(self.part_ms::<true, false>(joint)), |joint| Ok(self.joint_ms(joint)))
    }
    /// [`Self::ik_position`] of a pose that is elsewhere, by the frame of a joint in it; only the
    /// frame's position is used of the first, and all of the second.
    #[inline(always)]
    pub(crate) fn ik_position_by(
        &self,
        goal: IkGoal,
        frame: impl FrameOf,
        whole_frame: impl FrameOf,
    ) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        let set = humanoid.input.goals[goal.index()].position.filter(|_| humanoid.fresh.goal_positions[goal.index()]);
        if let (None, Some(places)) = (set, humanoid.places_of(goal)) {
            let end = places.at_point(goal, whole_frame(humanoid.avatar.limb(goal).joints.end())?);
            return self.point_of_goal(places, goal, end.position, whole_frame);
        }
        Ok(match set {
            Some(set) => set,
            None => self.world_from_model.point_out(frame(humanoid.avatar.limb(goal).joints.end())?.position),
        })
    }
    /// Sets the goal rotation of a hand or foot: world space or the goal's space, Unity's goal
    /// frame.
    pub fn set_ik_rotation(&mut self, goal: IkGoal, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(goal, |given, _| given.rotation = Some(rotation_ws.normalize()));
        humanoid.fresh.goal_rotations[goal.index()] = true;
        Ok(())
    }
    /// The rotation set since the last solve, else that of the current pose; world space or the
    /// goal's space, Unity's goal frame.
    pub fn ik_rotation(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        self.ik_rotation_by(goal, |joint| Ok(self.part_ms::<false, true>(joint)), |joint| Ok(self.joint_ms(joint)))
    }
    /// [`Self::ik_rotation`] of a pose that is elsewhere, by the frame of a joint in it; only the
    /// frame's rotation is used of the first, and the mirror signs, too, of the second, which is
    /// apart so that the first is computed in place.
    #[inline(always)]
    pub(crate) fn ik_rotation_by(
        &self,
        goal: IkGoal,
        frame: impl FrameOf,
        whole_frame: impl FrameOf,
    ) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let set = humanoid.input.goals[goal.index()].rotation.filter(|_| humanoid.fresh.goal_rotations[goal.index()]);
        if let (None, Some(space)) = (set, humanoid.places_of(goal).and_then(|places| places.space(goal))) {
            return self.ik_rotation_in_space(goal, space, whole_frame);
        }
        Ok(match set {
            Some(set) => set,
            None => {
                let limb = humanoid.avatar.limb(goal);
                let rotation_ms = (frame(limb.joints.end())?.rotation * limb.goal_from_bone).normalize();
                self.world_from_model.axes_out(rotation_ms)
            }
        })
    }
    /// [`Self::ik_rotation_by`] where none was set and the goal has a space.
    #[cold]
    #[inline(never)]
    fn ik_rotation_in_space(
        &self,
        goal: IkGoal,
        space: JointIndex,
        frame: impl FrameOf,
    ) -> Result<Quat, AnimatorError> {
        let limb = self.humanoid()?.avatar.limb(goal);
        let rotation_ms = (frame(limb.joints.end())?.rotation * limb.goal_from_bone).normalize();
        Ok(frame(space)?.axes_in(rotation_ms))
    }
    /// Position of the wrist or ankle in the current pose, and rotation of the hand or foot in
    /// Unity's goal frame; model space.
    pub(super) fn goal_of_pose_ms(&self, goal: IkGoal) -> Result<(Vec3, Quat), AnimatorError> {
        let limb = self.humanoid()?.avatar.limb(goal);
        let end = self.joint_ms(limb.joints.end());
        Ok((end.position, (end.rotation * limb.goal_from_bone).normalize()))
    }
    /// Sets the weight of the goal position, clamped to 0 … 1.
    pub fn set_ik_position_weight(&mut self, goal: IkGoal, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(goal, |given, _| given.position_weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_position_weight`].
    pub fn ik_position_weight(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.goals[goal.index()].position_weight)
    }
    /// Sets the weight of the goal rotation, clamped to 0 … 1.
    pub fn set_ik_rotation_weight(&mut self, goal: IkGoal, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(goal, |given, _| given.rotation_weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_rotation_weight`].
    pub fn ik_rotation_weight(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.goals[goal.index()].rotation_weight)
    }
    /// Sets the point that a knee or elbow bends towards, world space or the space of its limb's
    /// goal.
    pub fn set_ik_hint_position(&mut self, hint: IkHint, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(hint.goal(), |_, hint| hint.position = Some(position_ws));
        humanoid.fresh.hints[hint.index()] = true;
        Ok(())
    }
    /// The position set since the last solve, else that of the knee or elbow in the current pose;
    /// world space, or the space of its limb's goal.
    pub fn ik_hint_position(&self, hint: IkHint) -> Result<Vec3, AnimatorError> {
        let whole_frame = |joint| Ok(self.joint_ms(joint));
        self.ik_hint_position_by(hint, |joint| Ok(self.part_ms::<true, false>(joint)), whole_frame)
    }
    /// [`Self::ik_hint_position`] of a pose that is elsewhere, by the frame of a joint in it; only
    /// the frame's position is used of the first, and all of the second.
    #[inline(always)]
    pub(crate) fn ik_hint_position_by(
        &self,
        hint: IkHint,
        frame: impl FrameOf,
        whole_frame: impl FrameOf,
    ) -> Result<Vec3, AnimatorError> {
        let (humanoid, goal) = (self.humanoid()?, hint.goal());
        let set = humanoid.input.hints[hint.index()].position.filter(|_| humanoid.fresh.hints[hint.index()]);
        if let (None, Some(places)) = (set, humanoid.places_of(goal)) {
            let mid = whole_frame(humanoid.avatar.limb(goal).joints.mid())?;
            return self.point_of_goal(places, goal, mid.position, whole_frame);
        }
        Ok(match set {
            Some(set) => set,
            None => self.world_from_model.point_out(frame(humanoid.avatar.limb(goal).joints.mid())?.position),
        })
    }
    /// Sets the weight of a knee or elbow hint, clamped to 0 … 1.
    pub fn set_ik_hint_position_weight(&mut self, hint: IkHint, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(hint.goal(), |_, hint| hint.weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_hint_position_weight`].
    pub fn ik_hint_position_weight(&self, hint: IkHint) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.hints[hint.index()].weight)
    }
    /// Outcome of a goal in the last solve.
    pub fn ik_outcome(&self, goal: IkGoal) -> Result<Outcome, AnimatorError> {
        Ok(self.humanoid()?.outcomes.goals[goal.index()])
    }
}
