//! Humanoid input other than goals: look-at, body, bone overrides, settings, and the whole input at
//! once.

use super::animator::Animator;
use super::error::AnimatorError;
use super::humanoid_part::Fresh;
#[cfg(feature = "record")]
use super::humanoid_part::HumanoidPart;
use crate::humanoid::body::BodyFrame;
use crate::humanoid::{HumanBone, HumanoidInput, HumanoidSettings, IkGoal, LookAtWeight};
use crate::math::{Quat, Vec3, normalize_or};
use crate::outcome::{Outcome, weight01};
use crate::skeleton::JointIndex;

impl Animator {
    /// Sets the point to look at, world space.
    pub fn set_look_at_position(&mut self, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.look_at_position = Some(position_ws);
        humanoid.fresh.look_at = true;
        Ok(())
    }
    /// The point set since the last solve, else the point one unit ahead on the gaze of the current
    /// pose; world space.
    pub fn look_at_position(&mut self) -> Result<Vec3, AnimatorError> {
        match self.fresh_look_at_position()? {
            Some(set) => Ok(set),
            None => self.gaze_ws().map(|(origin_ws, gaze_ws)| origin_ws + gaze_ws),
        }
    }
    /// The point to look at that was set since the last solve.
    pub(crate) fn fresh_look_at_position(&self) -> Result<Option<Vec3>, AnimatorError> {
        let humanoid = self.humanoid()?;
        Ok(humanoid.input.look_at_position.filter(|_| humanoid.fresh.look_at))
    }
    /// Origin and unit direction of the gaze of the current pose, world space.
    pub fn gaze_ws(&mut self) -> Result<(Vec3, Vec3), AnimatorError> {
        let Self { skeleton, pose, humanoid, world_from_model: world, .. } = self;
        let look_at = &humanoid.as_deref().ok_or(AnimatorError::NotHumanoid)?.avatar.look_at;
        pose.update_joints(skeleton, look_at.gaze_joints());
        let (origin_ms, gaze_ms) = look_at.gaze(pose);
        let gaze_ws = normalize_or(world.vector_out(gaze_ms), Vec3::Z);
        Ok((world.point_out(origin_ms), gaze_ws))
    }
    /// Checks the joints that the gaze depends on, to which a host may have written.
    #[cfg(feature = "record")]
    pub(crate) fn check_gaze(&mut self) -> Result<(), AnimatorError> {
        let Self { pose, humanoid, .. } = self;
        let look_at = &humanoid.as_deref().ok_or(AnimatorError::NotHumanoid)?.avatar.look_at;
        Ok(pose.check_joints(look_at.gaze_joints())?)
    }
    /// Sets the look-at weights, each clamped to 0 … 1.
    pub fn set_look_at_weight(&mut self, weight: LookAtWeight) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.input.look_at_weight = limited(weight);
        Ok(())
    }
    /// See [`Self::set_look_at_weight`].
    pub fn look_at_weight(&self) -> Result<LookAtWeight, AnimatorError> {
        Ok(self.humanoid()?.input.look_at_weight)
    }
    /// Sets the goal position of the centre of mass, world space, in place of a move of the body.
    pub fn set_body_position(&mut self, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_move = None;
        humanoid.input.body_position = Some(position_ws);
        humanoid.fresh.body_position = true;
        Ok(())
    }
    /// The position set since the last solve, else the centre of mass of the current pose; moved as
    /// set since the last solve; world space.
    pub fn body_position(&mut self) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        let moved = humanoid.fresh_body_move();
        let center_ws = match humanoid.input.body_position.filter(|_| humanoid.fresh.body_position) {
            Some(set) => set,
            None => {
                let body = self.measure_body()?;
                self.world_from_model.point_out(body.position)
            }
        };
        match moved {
            Some(moved) => Ok(moved.moved(self.hips_ws()?, center_ws)),
            None => Ok(center_ws),
        }
    }
    /// Where the hips are in the pose, world space.
    pub(super) fn hips_ws(&self) -> Result<Vec3, AnimatorError> {
        Ok(self.joint_ws(self.humanoid()?.avatar.body.hips()).position)
    }
    /// Sets the goal rotation of the body, world space, in place of a move of the body.
    pub fn set_body_rotation(&mut self, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_move = None;
        humanoid.input.body_rotation = Some(rotation_ws.normalize());
        humanoid.fresh.body_rotation = true;
        Ok(())
    }
    /// The rotation set since the last solve, else that of the current pose; turned as set since
    /// the last solve; world space.
    pub fn body_rotation(&mut self) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let moved = humanoid.fresh_body_move();
        let rotation_ws = match humanoid.input.body_rotation.filter(|_| humanoid.fresh.body_rotation) {
            Some(set) => set,
            None => {
                let body = self.measure_body()?;
                self.world_from_model.axes_out(body.rotation)
            }
        };
        Ok(moved.map_or(rotation_ws, |moved| moved.turn_ws * rotation_ws))
    }
    pub(super) fn measure_body(&mut self) -> Result<BodyFrame, AnimatorError> {
        let Self { skeleton, pose, humanoid, .. } = self;
        let avatar = &humanoid.as_deref().ok_or(AnimatorError::NotHumanoid)?.avatar;
        pose.update_joints(skeleton, &avatar.core_joints);
        Ok(avatar.body.measure(pose))
    }
    /// Clears position, rotation and move of the body.
    pub fn clear_body(&mut self) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_position = None;
        humanoid.input.body_rotation = None;
        humanoid.input.body_move = None;
        Ok(())
    }
    /// Overrides a bone's local rotation; applied before all other steps. The first override of an
    /// animator allocates.
    pub fn set_bone_local_rotation(&mut self, bone: HumanBone, rotation: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.avatar.joint(bone).ok_or(AnimatorError::BoneNotMapped(bone))?;
        humanoid.override_bone(bone, rotation.normalize());
        Ok(())
    }
    /// The override when one is set, else the local rotation in the current pose.
    pub fn bone_local_rotation(&self, bone: HumanBone) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let joint = humanoid.avatar.joint(bone).ok_or(AnimatorError::BoneNotMapped(bone))?;
        Ok(humanoid.bone_rotations()[bone.index()].unwrap_or(self.pose.local()[joint].rotation))
    }
    /// Whether the next [`Self::set_bone_local_rotation`] allocates.
    #[cfg(feature = "record")]
    pub(crate) fn needs_memory_for_bones(&self) -> bool {
        self.humanoid.as_deref().is_some_and(HumanoidPart::needs_memory_for_bones)
    }
    /// The override of a bone's local rotation.
    pub fn bone_override(&self, bone: HumanBone) -> Option<Quat> {
        self.humanoid().ok()?.bone_rotations()[bone.index()]
    }
    /// Clears all bone rotation overrides.
    pub fn clear_bone_local_rotations(&mut self) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.clear_bones();
        Ok(())
    }
    /// Clears all input, effectors, goal spaces, effector points and priorities included; all
    /// weights become 0.
    pub fn reset_ik(&mut self) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.effectors = Default::default();
        humanoid.clear_places();
        self.take_goal_spaces();
        self.clear_priorities();
        self.set_input(&HumanoidInput::default())?;
        self.clear_bone_local_rotations()
    }
    /// Replaces goals, hints, look-at and body at once. Bone rotation overrides, goal spaces,
    /// effector points and priorities are kept: a goal that has a space is read in it.
    pub fn set_input(&mut self, input: &HumanoidInput) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        let mut input = *input;
        for goal in &mut input.goals {
            goal.rotation = goal.rotation.map(Quat::normalize);
            goal.position_weight = weight01(goal.position_weight);
            goal.rotation_weight = weight01(goal.rotation_weight);
        }
        for hint in &mut input.hints {
            hint.weight = weight01(hint.weight);
        }
        input.look_at_weight = limited(input.look_at_weight);
        input.body_rotation = input.body_rotation.map(Quat::normalize);
        if let Some(moved) = &mut input.body_move {
            moved.turn_ws = moved.turn_ws.normalize();
        }
        humanoid.take_input(input);
        humanoid.fresh = Fresh {
            goal_positions: [true; 4],
            goal_rotations: [true; 4],
            hints: [true; 4],
            look_at: true,
            body_position: true,
            body_rotation: true,
            body_move: true,
        };
        Ok(())
    }
    /// Goals, hints, look-at and body as set.
    pub fn input(&self) -> Result<&HumanoidInput, AnimatorError> {
        Ok(&self.humanoid()?.input)
    }
    /// Sets the humanoid settings. Weights are clamped to 0 … 1.
    pub fn set_settings(&mut self, settings: &HumanoidSettings) -> Result<(), AnimatorError> {
        let Self { skeleton, humanoid, limits, constraints, state, .. } = self;
        let humanoid = humanoid.as_deref_mut().ok_or(AnimatorError::NotHumanoid)?;
        humanoid.take_settings(settings.limited());
        state.inertialization.prepare(&humanoid.avatar, &humanoid.settings.inertialization_times_s);
        match humanoid.settings.look_at_inertialization_time_s > 0.0 {
            true => _ = state.gaze.get_or_insert_default(),
            false => state.gaze = None,
        }
        if limits.is_layer_enabled() != settings.limits_enabled {
            limits.enable_layer(settings.limits_enabled);
            limits.layer_joints().for_each(|joint| constraints.take_limit(skeleton, limits, joint));
            self.take_body_limits();
        }
        Ok(())
    }
    /// See [`Self::set_settings`].
    pub fn settings(&self) -> Result<&HumanoidSettings, AnimatorError> {
        Ok(&self.humanoid()?.settings)
    }
    /// Outcome of the look-at in the last solve. `residual_rad` is the angle between the head's
    /// line of sight and the target.
    pub fn look_at_outcome(&self) -> Result<Outcome, AnimatorError> {
        Ok(self.humanoid()?.outcomes.look_at)
    }

    /// Whether there is an avatar.
    pub fn is_human(&self) -> bool {
        self.humanoid.is_some()
    }
    /// [`crate::humanoid::Avatar::human_scale`]; 1 without an avatar.
    pub fn human_scale(&self) -> f32 {
        self.humanoid.as_ref().map_or(1.0, |h| h.avatar.human_scale())
    }
    /// [`crate::humanoid::Avatar::foot_bottom_height`].
    pub fn foot_bottom_height(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.avatar.foot_bottom_height(goal))
    }
    /// Joint of a human bone, `None` when the rig has no such bone.
    pub fn bone_joint(&self, bone: HumanBone) -> Result<Option<JointIndex>, AnimatorError> {
        Ok(self.humanoid()?.avatar.joint(bone))
    }
}

fn limited(w: LookAtWeight) -> LookAtWeight {
    LookAtWeight {
        weight: weight01(w.weight),
        body: weight01(w.body),
        head: weight01(w.head),
        eyes: weight01(w.eyes),
        clamp: weight01(w.clamp),
    }
}
