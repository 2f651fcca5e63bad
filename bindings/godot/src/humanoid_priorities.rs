//! How much goals of a [`SinewHumanoidIK`] count where its whole-body solver cannot meet all.

use crate::humanoid_ik::SinewHumanoidIK;
use sinew::humanoid::{BodyEffector, GoalPriority, IkGoal};

/// In the order of goals, and of effectors.
pub type Priorities = ([GoalPriority; 4], [GoalPriority; BodyEffector::COUNT]);

/// Numbers of properties in the range of the core: an importance of 0 or less is the least.
pub fn priority((position, rotation): (f32, f32), level: i32) -> GoalPriority {
    let importance = |given: f32| if given > 0.0 { given.clamp(1e-6, 1e6) } else { 1e-6 };
    GoalPriority {
        position_importance: importance(position),
        rotation_importance: importance(rotation),
        level: level.clamp(0, 3) as u8,
    }
}

impl SinewHumanoidIK {
    /// The properties of hands and feet, and those of the effectors.
    pub(crate) fn priorities(&self) -> Priorities {
        let goals = [
            priority((self.left_foot_position_importance, self.left_foot_rotation_importance), self.left_foot_level),
            priority((self.right_foot_position_importance, self.right_foot_rotation_importance), self.right_foot_level),
            priority((self.left_hand_position_importance, self.left_hand_rotation_importance), self.left_hand_level),
            priority((self.right_hand_position_importance, self.right_hand_rotation_importance), self.right_hand_level),
        ];
        (goals, self.effector_list.priorities())
    }
    /// Gives the animator the priorities, where they are other ones than before.
    pub(crate) fn send_priorities(&mut self) -> Option<()> {
        let (goals, effectors) = self.priorities();
        let animator = &mut self.humanoid.as_mut()?.attached.animator;
        for (goal, priority) in IkGoal::ALL.into_iter().zip(&goals) {
            if animator.ik_goal_priority(goal).ok()? != *priority {
                animator.set_ik_goal_priority(goal, priority).ok()?;
            }
        }
        for (effector, priority) in BodyEffector::ALL.into_iter().zip(&effectors) {
            if animator.body_effector_priority(effector).ok()? != *priority {
                animator.set_body_effector_priority(effector, priority).ok()?;
            }
        }
        Some(())
    }
}
