//! Elbows outside of the trunk: the step.
//!
//! The swivel is that of [`crate::closed_form::trunk`]. An animation that has the elbow inside the
//! trunk itself may keep it as far inside.

use super::ik_goal::IkGoal;
use super::pose_steps::PoseSteps;
use crate::limits::ONSET_WEIGHT;
use crate::math::{Vec3, axis_angle, normalize_or};

impl PoseSteps<'_> {
    /// How far out of the trunk an elbow is before its arm is solved; `None` where it may be
    /// anywhere. Frames of the arm are up to date.
    pub(super) fn elbow_before(&self, goal: IkGoal) -> Option<f32> {
        if self.settings.trunk_avoidance <= 0.0 || goal.is_foot() {
            return None;
        }
        let (trunk, _) = self.avatar.trunk.as_ref()?.placed(self.pose, goal);
        Some(trunk.ratio(self.pose.model(self.avatar.limb(goal).joints.mid()).position))
    }
    /// Swivels an arm that is solved so that its elbow is not inside the trunk; frames of the arm
    /// are up to date before and after. `before`: how far out it was. `moved`: how much the goal
    /// moves the hand; it comes in over the first tenth of that, and hints outweigh it.
    pub(super) fn avoid_trunk(&mut self, goal: IkGoal, before: f32, moved: f32) {
        let share = self.settings.trunk_avoidance * (1.0 - self.hint_weight(goal)) * (moved / ONSET_WEIGHT).min(1.0);
        let joints = &self.avatar.limb(goal).joints;
        let Some(rig) = self.avatar.trunk.as_ref().filter(|_| share > 0.0 && joints.is_attached()) else { return };
        let parent = self.pose.parent_frame(self.skeleton, joints.root());
        let Some(to_parent) = parent.inverse_linear() else { return };
        let (trunk, natural) = rig.placed(self.pose, goal);
        let root_ms = self.pose.model(joints.root()).position;
        let [mid, end] = [joints.mid(), joints.end()].map(|j| to_parent * (self.pose.model(j).position - root_ms));
        let line = normalize_or(end, Vec3::ZERO);
        let along = line * mid.dot(line);
        let (off, across) = (mid - along, line.cross(mid));
        let elbow = |(cos, sin): (f32, f32)| root_ms + parent.vector_out(along + off * cos + across * sin);
        if let Some(angle) = trunk.swivel_out(elbow, natural, before) {
            let root = &mut self.pose.local_mut()[joints.root()].rotation;
            *root = (axis_angle(line, share * angle) * *root).normalize();
            self.pose.update_joints(self.skeleton, joints.path());
        }
    }
}
