//! FK-IK matching (animation to goals and back without a jump), and inertialized switches.

use super::animator::Animator;
use super::error::AnimatorError;
use crate::humanoid::{IkGoal, IkHint, LookAtWeight};
use crate::math::{Quat, Vec3, normalize_or};

impl Animator {
    /// Sets every goal, hint and the look-at from the current pose, so that a solve at weight 1
    /// changes nothing; body and bone overrides are cleared, weights stay. (FK → IK: match, then
    /// raise the weights.)
    ///
    /// Hints are half a limb's length beyond the knee or elbow, on the side it bends to; for a
    /// straight limb on the anatomical side. The look-at is on the head's line of sight, two human
    /// scales away; eyes with weight turn to it.
    pub fn match_goals_from_pose(&mut self) -> Result<(), AnimatorError> {
        self.humanoid()?;
        let mut found = [(Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO); 4];
        for goal in IkGoal::ALL {
            let hint = self.goal_point_of_ws(goal, self.hint_of_pose(goal)?)?;
            let (position, rotation) = self.goal_of_pose(goal)?;
            found[goal.index()] = (position, rotation, hint);
        }
        let (origin_ws, gaze_ws) = self.gaze_ws()?;
        let world_scale = self.world_from_model.vector_out(Vec3::Y).length();
        let seen = origin_ws + gaze_ws * (2.0 * self.human_scale() * world_scale);
        // Nothing is changed unless all of it is sound.
        let is_sound = |(p, r, h): &(Vec3, Quat, Vec3)| p.is_finite() && r.is_finite() && h.is_finite();
        if !(seen.is_finite() && found.iter().all(is_sound)) {
            return Err(AnimatorError::TooLarge("a goal"));
        }
        self.clear_body()?;
        self.clear_bone_local_rotations()?;
        for goal in IkGoal::ALL {
            let (position, rotation, hint) = found[goal.index()];
            self.set_ik_position(goal, position)?;
            self.set_ik_rotation(goal, rotation)?;
            self.set_ik_hint_position(IkHint::ALL[goal.index()], hint)?;
        }
        self.set_look_at_position(seen)
    }

    /// A hint on the bend side of the limb in the current pose, world space.
    fn hint_of_pose(&self, goal: IkGoal) -> Result<Vec3, AnimatorError> {
        let limb = self.humanoid()?.avatar.limb(goal);
        let joints = &limb.joints;
        let root = self.joint_ws(joints.root());
        let mid_ws = self.joint_ws(joints.mid()).position;
        // Bones as vectors, not as differences of positions: the offset of a straight limb is small
        // compared with either.
        let mut bones = [Vec3::ZERO; 2];
        let mut frame = root;
        frame.position = Vec3::ZERO;
        for &joint in &joints.path()[1..] {
            let mut local = self.pose().local()[joint];
            local.rotation = local.rotation.normalize();
            frame = frame.then(&local);
            if joint == joints.mid() {
                bones[0] = frame.position;
                frame.position = Vec3::ZERO;
            }
        }
        bones[1] = if joints.is_attached() { frame.position } else { self.joint_ws(joints.end()).position - mid_ws };
        let reach = bones[0].length() + bones[1].length();
        let line = normalize_or(bones[0] + bones[1], Vec3::ZERO);
        let off_line = |v: Vec3| v - line * v.dot(line);
        let offset = off_line(bones[0]);
        let anatomy = off_line(normalize_or(root.vector_out(limb.bend_side_js), Vec3::ZERO));
        let side = if offset.length() > 1e-4 * reach { offset } else { anatomy };
        Ok(mid_ws + normalize_or(side, Vec3::ZERO) * (0.5 * reach))
    }

    /// Solves, and keeps the result as the pose: all weights become 0, those of effectors too, body
    /// and bone overrides are cleared and switches ended, so the next solve leaves this pose bit
    /// for bit. Goals, settings and constraints are kept: feet spacing, and the balance of the
    /// whole-body solver, go on. (IK → FK: match, then continue from the pose.)
    pub fn match_pose_from_goals(&mut self) -> Result<(), AnimatorError> {
        self.humanoid()?;
        self.solve()?;
        for goal in IkGoal::ALL {
            self.set_ik_position_weight(goal, 0.0)?;
            self.set_ik_rotation_weight(goal, 0.0)?;
            self.set_ik_hint_position_weight(IkHint::ALL[goal.index()], 0.0)?;
        }
        let look = self.look_at_weight()?;
        self.set_look_at_weight(LookAtWeight { weight: 0.0, ..look })?;
        self.clear_body()?;
        for effector in &mut self.humanoid_mut()?.effectors {
            (effector.position_weight, effector.rotation_weight) = (0.0, 0.0);
        }
        // What is left of switches is part of the pose now.
        self.state.reset_switches();
        self.clear_bone_local_rotations()
    }

    /// Starts a switch: values set for this goal from now on belong to another goal, and the limb
    /// moves there within the switch time. Changed weights need no such call. Does nothing while
    /// the goal has no switch time.
    pub fn inertialize(&mut self, goal: IkGoal) -> Result<(), AnimatorError> {
        self.humanoid()?;
        self.state.inertialization.begin(goal);
        Ok(())
    }
    /// Whether a switch of this goal is in progress: the hand or foot is then not yet at the
    /// position that the outcome reports.
    pub fn is_inertializing(&self, goal: IkGoal) -> Result<bool, AnimatorError> {
        self.humanoid()?;
        Ok(self.state.inertialization.is_running(goal))
    }
    /// Starts a switch of the look-at: the position set from now on is another target, and the gaze
    /// goes there within the switch time
    /// ([`crate::humanoid::HumanoidSettings::look_at_inertialization_time_s`]). Changed weights,
    /// and a position after none, need no such call. Does nothing without a switch time.
    pub fn inertialize_look_at(&mut self) -> Result<(), AnimatorError> {
        self.humanoid()?;
        if let Some(gaze) = &mut self.state.gaze {
            gaze.begin();
        }
        Ok(())
    }
    /// Whether a switch of the look-at is in progress: its outcome is measured from the eased
    /// target and weights.
    pub fn is_inertializing_look_at(&self) -> Result<bool, AnimatorError> {
        self.humanoid()?;
        Ok(self.state.gaze.as_ref().is_some_and(|gaze| gaze.is_running()))
    }
}
