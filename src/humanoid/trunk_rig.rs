//! The trunk of an avatar, which elbows stay out of.

use super::ik_goal::IkGoal;
use super::{BodyAxes, HumanBone, HumanMap};
use crate::closed_form::trunk::{NATURAL_ELBOW, Trunk};
use crate::math::{Vec3, normalize_or};
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
    pub fn placed(&self, pose: &Pose, goal: IkGoal) -> (Trunk, Vec3) {
        let frame = pose.model(self.ribs);
        let trunk =
            Trunk::new(pose.model(self.hips).position, frame.point_out(self.high_rs), frame.vector_out(self.side_rs));
        let natural_rs = self.natural_rs[usize::from(goal == IkGoal::RightHand)];
        (trunk, normalize_or(frame.vector_out(natural_rs), Vec3::ZERO))
    }
}
