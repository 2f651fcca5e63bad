//! Which goals of a character are active, and how. Kept beside the input and updated where that
//! changes, so that a solve need not look through all of it.

use super::avatar::Avatar;
use super::goal_places::GoalPlaces;
use super::ik_goal::{HumanoidInput, IkGoal, IkGoalInput, IkHintInput};

/// A bit for each goal, by its number, from the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ActiveGoals {
    /// The limb has a goal or hint with weight.
    requested: u8,
    /// Its end has a rotation weight.
    turns: u8,
    /// A goal means the animation's own place, or has a space or an effector point, or the end is
    /// not below the limb.
    partial: u8,
}

impl ActiveGoals {
    /// All goals and hints of an input.
    pub fn of(input: &HumanoidInput, avatar: &Avatar, places: Option<&GoalPlaces>) -> Self {
        let mut active_goals = Self::default();
        IkGoal::ALL.into_iter().for_each(|goal| active_goals.update(goal, input, avatar, places));
        active_goals
    }
    /// What [`Self::update`] looks at in a goal and its hint: where this has not changed, nothing
    /// has to be updated.
    #[inline(always)]
    pub fn signs(given: &IkGoalInput, hint: &IkHintInput) -> [bool; 6] {
        [
            given.position_weight > 0.0,
            given.rotation_weight > 0.0,
            hint.weight > 0.0,
            given.position.is_some(),
            given.rotation.is_some(),
            hint.position.is_some(),
        ]
    }
    /// Updates the bits of a goal and its hint.
    #[inline(never)]
    pub fn update(&mut self, goal: IkGoal, input: &HumanoidInput, avatar: &Avatar, places: Option<&GoalPlaces>) {
        let (given, hint) = (&input.goals[goal.index()], &input.hints[goal.index()]);
        let (moves, turns, bends) = (given.position_weight > 0.0, given.rotation_weight > 0.0, hint.weight > 0.0);
        let requested = moves || turns || (bends && hint.position.is_some());
        let whole = (!moves || given.position.is_some())
            && (!turns || given.rotation.is_some())
            && (!bends || hint.position.is_some())
            && (avatar.limb(goal).joints.is_attached() || !requested)
            && (!places.is_some_and(|places| places.is_placed(goal)) || !requested);
        for (bits, is) in [(&mut self.requested, requested), (&mut self.turns, turns), (&mut self.partial, !whole)] {
            *bits = *bits & !(1 << goal.index()) | u8::from(is) << goal.index();
        }
    }
    /// Whether there is a goal or a hint.
    #[inline(always)]
    pub fn ask_something(&self) -> bool {
        self.requested | self.partial != 0
    }
    /// Whether a limb has a goal or hint with weight.
    #[inline(always)]
    pub fn asks(&self, goal: IkGoal) -> bool {
        self.requested >> goal.index() & 1 == 1
    }
    /// Whether an end has a rotation weight.
    #[inline(always)]
    pub fn turns(&self, goal: IkGoal) -> bool {
        self.turns >> goal.index() & 1 == 1
    }
    /// Whether the goals of a limb are completely specified, in world space and for its end joint:
    /// none means the animation's own place.
    #[inline(always)]
    pub fn is_whole(&self, goal: IkGoal) -> bool {
        self.partial >> goal.index() & 1 == 0
    }
    /// The same of all limbs.
    #[inline(always)]
    pub fn all_specified(&self) -> bool {
        self.partial == 0
    }
    /// The limbs with a goal or hint with weight, in the order of their goals.
    #[inline(always)]
    pub fn goals(&self) -> impl Iterator<Item = IkGoal> + use<> {
        let mut left = u32::from(self.requested);
        core::iter::from_fn(move || {
            let goal = *IkGoal::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(goal)
        })
    }
}
