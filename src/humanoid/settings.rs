//! What a character does beyond Unity's Animator, all of it off by default.

use crate::outcome::weight01;

/// How far the rest of the body helps hands and feet, per character. The default is Unity's
/// behaviour: not at all.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HumanoidSettings {
    /// Left and right: how far the clavicle turns towards a far hand goal, 0 (not at all, default)
    /// … 1 (as far as people's do: 30° up, 15° down, forward and back). It begins at 70 % of the
    /// arm's reach; a goal where the animation has the hand gets none.
    pub shoulder_weights: [f32; 2],
    /// How far the spine bends towards hand goals out of reach, 0 (default) … 1 (until they are
    /// reached, at most 60° in all).
    pub spine_weight: f32,
    /// In [`super::IkGoal`] order: how much of a goal's distance beyond reach the hips make up, 0
    /// (default) … 1 (all of it, as far as feet with goals let the hips go), times the goal's
    /// position weight.
    pub pull_weights: [f32; 4],
    /// In [`super::IkGoal`] order: time in seconds in which a limb blends to a new weight or goal
    /// until 1 % of the jump is left; 0, the default: at once. Needs
    /// [`crate::animator::Animator::advance`] in every frame.
    pub inertialization_times_s: [f32; 4],
    /// The same of the look-at: time in which the gaze goes over to other weights or another
    /// target; 0, the default: at once.
    pub look_at_inertialization_time_s: f32,
    /// Whether the human ranges ([`super::Avatar::human_limits`]) count as joint limits, and limbs,
    /// spine, neck, head, eyes and clavicles keep to the limits of the animator where goals move
    /// them; default false, as in Unity.
    pub limits_enabled: bool,
    /// How far elbows and knees of limbs with goals go where people's go: 0 (default: where the
    /// shortest turn takes the animation's) … 1. It depends on the position and rotation of hand or
    /// foot; the animation's own bend counts the less the farther the goal is from it. Hints
    /// outweigh it.
    pub bend_weight: f32,
    /// How far elbows of arms with hand goals swivel out of the trunk, 0 (default: not at all) … 1
    /// (until they are outside); the hand stays. An elbow that the animation has inside may stay
    /// as far inside. Hints outweigh it. The whole-body solver
    /// does not use it.
    pub trunk_avoidance: f32,
}

impl HumanoidSettings {
    /// With every weight limited to 0 … 1 and every time to sensible ones.
    pub(crate) fn limited(&self) -> Self {
        let time = |t: f32| if t > 1e-6 { t.min(1e6) } else { 0.0 };
        Self {
            shoulder_weights: self.shoulder_weights.map(weight01),
            spine_weight: weight01(self.spine_weight),
            pull_weights: self.pull_weights.map(weight01),
            inertialization_times_s: self.inertialization_times_s.map(time),
            look_at_inertialization_time_s: time(self.look_at_inertialization_time_s),
            limits_enabled: self.limits_enabled,
            bend_weight: weight01(self.bend_weight),
            trunk_avoidance: weight01(self.trunk_avoidance),
        }
    }
}
