//! The whole-body solver of a humanoid: switch, effectors, outcomes.

use super::animator::Animator;
use super::error::AnimatorError;
use crate::body::BodyOutcome;
use crate::humanoid::whole_body::WholeBody;
use crate::humanoid::{BodyEffector, BodySolverMode, BodySolverSettings, GoalPriority, IkGoal, IkGoalInput};
use crate::math::{Quat, length};
use crate::outcome::{Outcome, Status, weight01};

impl Animator {
    /// Switches the whole-body solver on or off, with its settings. While it is on, the goals of
    /// hands and feet, hints, look-at, body position and rotation and the effectors are met by the
    /// whole body at once, in the step [`super::FrameStep::Body`]; the steps spine, look-at, limbs
    /// and end rotations have nothing left to do. While it is off, which is the default, every
    /// frame has the bits that it has without it. Weights are clamped to 0 … 1. Allocates.
    pub fn set_body_solver(&mut self, settings: &BodySolverSettings) -> Result<(), AnimatorError> {
        let Self { humanoid, limits, state, .. } = self;
        let humanoid = humanoid.as_deref_mut().ok_or(AnimatorError::NotHumanoid)?;
        let settings = settings.limited();
        if settings.mode == BodySolverMode::Off {
            state.whole_body = None;
        } else if let Some(whole_body) = &mut state.whole_body {
            whole_body.apply(&humanoid.avatar, &settings);
        } else {
            let enabled = humanoid.settings.limits_enabled;
            let whole_body = WholeBody::new(&humanoid.avatar, &settings, limits, enabled);
            state.whole_body = Some(Box::new(whole_body.ok_or(AnimatorError::NotHumanoid)?));
        }
        if let Some(whole_body) = &mut state.whole_body {
            whole_body.take_spaces(&humanoid.avatar, humanoid.places());
            whole_body.take_priorities(humanoid.priorities());
        }
        humanoid.has_body_solver = state.whole_body.is_some();
        if humanoid.has_body_solver {
            humanoid.before.keep_all(humanoid.avatar.skeleton());
        }
        humanoid.balances = humanoid.has_body_solver && settings.holds_feet && settings.balance_weight > 0.0;
        humanoid.body_settings = settings;
        Ok(())
    }
    /// See [`Self::set_body_solver`].
    pub fn body_solver(&self) -> Result<&BodySolverSettings, AnimatorError> {
        Ok(&self.humanoid()?.body_settings)
    }
    /// Sets an effector of the whole-body solver: position and rotation of its joint, world space.
    /// A position or rotation that is not given is the animation's own, which holds the effector.
    /// Weights are clamped to 0 … 1, default 0: the effector is free. Without effect while the
    /// solver is off.
    pub fn set_body_effector(&mut self, effector: BodyEffector, input: &IkGoalInput) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.effectors[effector.index()] = IkGoalInput {
            rotation: input.rotation.map(Quat::normalize),
            position_weight: weight01(input.position_weight),
            rotation_weight: weight01(input.rotation_weight),
            ..*input
        };
        Ok(())
    }
    /// See [`Self::set_body_effector`].
    pub fn body_effector(&self, effector: BodyEffector) -> Result<&IkGoalInput, AnimatorError> {
        Ok(&self.humanoid()?.effectors[effector.index()])
    }
    /// Sets how much the goal of a hand or foot counts where the whole-body solver cannot meet all
    /// goals: the importances of its position and rotation as ratios to those of other goals of its
    /// level, and the level, which gives way to lower ones. For a held foot, too. Clamped to the
    /// ranges of [`GoalPriority`]. Stays until changed, or cleared by [`Self::reset_ik`]. Without
    /// effect while the solver is off. Allocates the first time, and where it changes a level while
    /// the solver is on.
    pub fn set_ik_goal_priority(&mut self, goal: IkGoal, priority: &GoalPriority) -> Result<(), AnimatorError> {
        let priority = priority.limited();
        if priority != self.ik_goal_priority(goal)? {
            self.humanoid_mut()?.priorities_mut().goals[goal.index()] = priority;
            self.take_priorities();
        }
        Ok(())
    }
    /// See [`Self::set_ik_goal_priority`].
    pub fn ik_goal_priority(&self, goal: IkGoal) -> Result<GoalPriority, AnimatorError> {
        Ok(self.humanoid()?.priorities().goals[goal.index()])
    }
    /// Sets how much the goal of an effector counts; see [`Self::set_ik_goal_priority`].
    pub fn set_body_effector_priority(
        &mut self,
        effector: BodyEffector,
        priority: &GoalPriority,
    ) -> Result<(), AnimatorError> {
        let priority = priority.limited();
        if priority != self.body_effector_priority(effector)? {
            self.humanoid_mut()?.priorities_mut().effectors[effector.index()] = priority;
            self.take_priorities();
        }
        Ok(())
    }
    /// See [`Self::set_body_effector_priority`].
    pub fn body_effector_priority(&self, effector: BodyEffector) -> Result<GoalPriority, AnimatorError> {
        Ok(self.humanoid()?.priorities().effectors[effector.index()])
    }
    /// Sets the priorities of all goals to their defaults.
    pub(super) fn clear_priorities(&mut self) {
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.clear_priorities();
        }
        self.take_priorities();
    }
    /// Whether the next change of a priority allocates while the solver is off.
    #[cfg(feature = "record")]
    pub(crate) fn needs_memory_for_priorities(&self) -> bool {
        self.humanoid.as_deref().is_some_and(|humanoid| humanoid.needs_memory_for_priorities())
    }
    /// Hands the priorities to the whole-body solver, after they have changed.
    fn take_priorities(&mut self) {
        if let (Some(humanoid), Some(whole_body)) = (self.humanoid.as_deref(), &mut self.state.whole_body) {
            whole_body.take_priorities(humanoid.priorities());
        }
    }
    /// How the whole-body solver ended in the last solve; metres are those of model space.
    /// [`BodyOutcome::INACTIVE`] while it is off or has no goals.
    pub fn body_outcome(&self) -> Result<BodyOutcome, AnimatorError> {
        self.humanoid()?;
        Ok(self.state.whole_body.as_ref().map_or(BodyOutcome::INACTIVE, |whole_body| *whole_body.outcome()))
    }
    /// Outcome of an effector in the last solve.
    pub fn body_effector_outcome(&self, effector: BodyEffector) -> Result<Outcome, AnimatorError> {
        self.humanoid()?;
        let Some(whole_body) = &self.state.whole_body else { return Ok(Outcome::INACTIVE) };
        let [(place, off), (turn, off_rad)] = whole_body.effector_outcome(effector);
        let status = if place == Status::Inactive || (place == Status::Reached && turn != Status::Inactive) {
            turn
        } else {
            place
        };
        if status == Status::Inactive {
            return Ok(Outcome::INACTIVE);
        }
        // Lengths grow by the root's mean scale.
        let scale = crate::math::Vec3::AXES.map(|axis| length(self.world_from_model.vector_out(axis)));
        let residual_m = off * (scale[0] + scale[1] + scale[2]) * (1.0 / 3.0);
        let iterations = whole_body.outcome().iterations;
        let mut outcome = Outcome { status, iterations, residual_m, residual_rad: off_rad };
        outcome.keep_finite(true);
        Ok(outcome)
    }
    /// The body step's outcome.
    pub(super) fn body_step_outcome(&self) -> Outcome {
        let Some(whole_body) = &self.state.whole_body else { return Outcome::INACTIVE };
        let BodyOutcome { status, iterations, residual_m, residual_rad, .. } = *whole_body.outcome();
        Outcome { status, iterations, residual_m, residual_rad }
    }
    /// Hands the limits to the whole-body solver, after they have changed.
    pub(super) fn take_body_limits(&mut self) {
        if let (Some(humanoid), Some(whole_body)) = (self.humanoid.as_deref(), &mut self.state.whole_body) {
            whole_body.take_limits(&humanoid.avatar, &self.limits, humanoid.settings.limits_enabled);
        }
    }
}
