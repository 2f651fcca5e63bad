//! Elbows outside of the trunk: what is measured on an avatar, and the step.
//!
//! The swivel is that of [`crate::closed_form::trunk`]. An animation that has the elbow inside the
//! trunk itself may keep it as far inside.

use super::ik_goal::IkGoal;
use super::pose_steps::PoseSteps;
use super::{BodyAxes, HumanBone, HumanMap};
use crate::closed_form::trunk::{NATURAL_ELBOW, Trunk};
use crate::limits::ONSET_WEIGHT;
use crate::math::{Vec3, axis_angle, normalize_or};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// What is known of an avatar's trunk.
#[derive(Clone, Debug)]
pub(crate) struct TrunkRig {
    hips: JointIndex,
    /// The joint that carries both arms, and what is measured in its space.
    ribs: JointIndex,
    high_rs: Vec3,
    side_rs: Vec3,
    /// Where people's elbows are: of the left and of the right arm.
    natural_rs: [Vec3; 2],
}

impl TrunkRig {
    /// Measures the T-pose; `None` where no joint carries both arms.
    pub fn new(skeleton: &Skeleton, map: &HumanMap, axes: &BodyAxes, t_pose: &Pose) -> Option<Self> {
        let [left, right] = [map.get(HumanBone::LeftUpperArm)?, map.get(HumanBone::RightUpperArm)?];
        let ribs = skeleton.ancestors(left).find(|joint| skeleton.is_self_or_ancestor(*joint, right))?;
        let frame = t_pose.model(ribs);
        let to_ribs = frame.inverse_linear()?;
        let at = |joint: JointIndex| t_pose.model(joint).position;
        let side = (at(left) - at(right)) * 0.5;
        let (out, natural) = (normalize_or(side, -axes.right), NATURAL_ELBOW);
        Some(Self {
            hips: map.get(HumanBone::Hips)?,
            ribs,
            high_rs: frame.point_in((at(left) + at(right)) * 0.5)?,
            side_rs: to_ribs * side,
            natural_rs: [out, -out]
                .map(|out| to_ribs * (out * natural.x + axes.up * natural.y + axes.forward * natural.z)),
        })
    }
    /// The trunk in a pose whose frames are up to date, and where an arm's elbow naturally is,
    /// model space.
    fn placed(&self, pose: &Pose, goal: IkGoal) -> (Trunk, Vec3) {
        let frame = pose.model(self.ribs);
        let trunk =
            Trunk::new(pose.model(self.hips).position, frame.point_out(self.high_rs), frame.vector_out(self.side_rs));
        let natural_rs = self.natural_rs[usize::from(goal == IkGoal::RightHand)];
        (trunk, normalize_or(frame.vector_out(natural_rs), Vec3::ZERO))
    }
}

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
