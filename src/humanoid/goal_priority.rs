//! How much goals count beside one another in the whole-body solver.

use super::body_input::BodyEffector;
use super::ik_goal::IkGoal;

/// Least and largest importance.
const IMPORTANCE: [f32; 2] = [1e-6, 1e6];
/// Highest level.
const LAST_LEVEL: u8 = 3;

/// How much a goal counts where the whole-body solver cannot meet all goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalPriority {
    /// Ratio in conflicts of one level, of the position. Not for fading: where nothing opposes, the
    /// smallest importance is obeyed. 1e-6 … 1e6, default 1.
    pub position_importance: f32,
    /// The same of the rotation.
    pub rotation_importance: f32,
    /// 0 … 3: goals of a level give way to those of lower levels. Default: feet 0; hands and
    /// effectors 1, as body position and body rotation have it. Hints and look-at have 2.
    pub level: u8,
}

impl GoalPriority {
    /// The default of a hand or foot.
    pub const fn of_goal(goal: IkGoal) -> Self {
        let is_foot = matches!(goal, IkGoal::LeftFoot | IkGoal::RightFoot);
        Self { position_importance: 1.0, rotation_importance: 1.0, level: if is_foot { 0 } else { 1 } }
    }
    /// The default of an effector.
    pub const EFFECTOR: Self = Self { position_importance: 1.0, rotation_importance: 1.0, level: 1 };

    /// With numbers in range; an importance that is no number is 1.
    pub(crate) fn limited(&self) -> Self {
        let [least, most] = IMPORTANCE;
        let importance = |given: f32| if given.is_nan() { 1.0 } else { given.clamp(least, most) };
        Self {
            position_importance: importance(self.position_importance),
            rotation_importance: importance(self.rotation_importance),
            level: self.level.min(LAST_LEVEL),
        }
    }
}

/// The priorities of all goals of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GoalPriorities {
    /// In [`IkGoal`] order.
    pub goals: [GoalPriority; 4],
    /// In [`BodyEffector`] order.
    pub effectors: [GoalPriority; BodyEffector::COUNT],
}

impl GoalPriorities {
    /// The defaults.
    pub const DEFAULT: Self = {
        let goals = [
            GoalPriority::of_goal(IkGoal::LeftFoot),
            GoalPriority::of_goal(IkGoal::RightFoot),
            GoalPriority::of_goal(IkGoal::LeftHand),
            GoalPriority::of_goal(IkGoal::RightHand),
        ];
        Self { goals, effectors: [GoalPriority::EFFECTOR; BodyEffector::COUNT] }
    };
}
