//! Feet spacing: the feet keep a distance sideways.
//!
//! Unity's avatar has a "feet spacing", default 0, a "minimum distance between the feet"; where it
//! acts and in which unit is not public. Ours: the ankles' targets (the animation's ankles, or
//! goals by their weight) are at least `feet_spacing · human_scale` apart along the line of the hip
//! joints, right of left. The missing distance is added by pushing the feet apart, half each. Goal
//! positions are not changed: a foot is pushed by 1 − position weight, and the other foot takes the
//! rest.

use super::IkGoal;
use super::pose_steps::{AnimatedGoal, PoseSteps};
use crate::math::{Vec3, normalize_or};

impl PoseSteps<'_> {
    /// How far the left and the right foot are pushed, model space; zero when they are apart.
    pub(crate) fn foot_pushes(&self, animated: &[AnimatedGoal; 4]) -> [Vec3; 2] {
        let wanted = self.avatar.feet_spacing() * self.avatar.human_scale().abs();
        if wanted <= 0.0 {
            return [Vec3::ZERO; 2];
        }
        let at = |joint| self.pose.model(joint).position;
        let feet = [IkGoal::LeftFoot, IkGoal::RightFoot];
        let [left_hip, right_hip] = feet.map(|f| at(self.avatar.limb(f).joints.root()));
        let right = normalize_or(right_hip - left_hip, Vec3::ZERO);
        let weights = feet.map(|f| self.input.goals[f.index()].position_weight);
        let [left, right_foot] = feet.map(|f| {
            let end = self.pose.model(self.avatar.limb(f).joints.end());
            end.position.lerp(self.target_ms(f, &animated[f.index()], end.rotation), weights[f.index()])
        });
        let lack = (wanted - (right_foot - left).dot(right)).max(0.0);
        if lack <= 0.0 || !lack.is_finite() {
            return [Vec3::ZERO; 2];
        }
        let part = |mine: f32, others: f32| 0.5 * (1.0 - mine) * (1.0 + others) * lack;
        [right * -part(weights[0], weights[1]), right * part(weights[1], weights[0])]
    }
}
