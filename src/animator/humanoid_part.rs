//! The humanoid part of an animator: avatar, input, settings and outcomes.

use super::before::Before;
use super::frame::{self, FrameStep, Slot};
use super::route::{self, Route};
use super::state::FrameState;
use crate::closed_form::root_limit;
use crate::constraints::ConstraintStack;
use crate::humanoid::active_goals::ActiveGoals;
use crate::humanoid::body_step::EffectorInputs;
use crate::humanoid::follow;
use crate::humanoid::goal_places::GoalPlaces;
use crate::humanoid::goal_priority::GoalPriorities;
use crate::humanoid::inertialization::Inertialization;
use crate::humanoid::outcomes::Outcomes;
use crate::humanoid::pose_steps::{BoneRotations, PoseSteps};
use crate::humanoid::{
    Avatar, BodyMove, BodySolverSettings, HumanBone, HumanoidInput, HumanoidSettings, IkGoal, IkGoalInput, IkHintInput,
};
use crate::limits::LimitTable;
use crate::math::{Frame, Quat};
use crate::outcome::Status;
use crate::skeleton::joint_switch::Solved;
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{Pose, Skeleton, path};
use std::sync::Arc;

/// Inputs set since the last solve; getters return these, else the animation's values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fresh {
    pub goal_positions: [bool; 4],
    pub goal_rotations: [bool; 4],
    pub hints: [bool; 4],
    pub look_at: bool,
    pub body_position: bool,
    pub body_rotation: bool,
    pub body_move: bool,
}

/// The humanoid part of an animator.
#[derive(Clone, Debug)]
pub(super) struct HumanoidPart {
    pub avatar: Arc<Avatar>,
    pub input: HumanoidInput,
    /// Which goals and hints of the input are active.
    pub active_goals: ActiveGoals,
    /// Spaces and effector points of goals; there since the first one was set.
    places: Option<Box<GoalPlaces>>,
    pub settings: HumanoidSettings,
    /// Effectors of the whole-body solver.
    pub effectors: EffectorInputs,
    /// How much goals count beside one another in that solver; there since the first was changed.
    priorities: Option<Box<GoalPriorities>>,
    pub body_settings: BodySolverSettings,
    /// Whether that is on.
    pub has_body_solver: bool,
    /// Whether that solver has something to balance without any goal: feet that it holds.
    pub balances: bool,
    /// The route that settings and avatar require.
    settings_route: Route,
    pub fresh: Fresh,
    /// There since the first bone rotation was overridden.
    bone_rotations: Option<Box<BoneRotations>>,
    /// Whether any bone rotation is overridden.
    pub overrides_bones: bool,
    /// Overrides of left and right toes that a grounder has set.
    pub grounded_toes: [Option<Quat>; 2],
    pub outcomes: Outcomes,
    /// The pose before the last solve.
    pub before: Before,
}

/// No bone rotation is overridden.
const NO_ROTATIONS: &BoneRotations = &[None; HumanBone::COUNT];

impl HumanoidPart {
    pub fn new(avatar: Arc<Avatar>) -> Self {
        let settings = HumanoidSettings::default();
        Self {
            before: Before::new(&avatar),
            input: HumanoidInput::default(),
            active_goals: ActiveGoals::default(),
            places: None,
            settings_route: route_of(&settings, &avatar),
            settings,
            effectors: Default::default(),
            priorities: None,
            body_settings: BodySolverSettings::default(),
            has_body_solver: false,
            balances: false,
            avatar,
            fresh: Fresh::default(),
            bone_rotations: None,
            overrides_bones: false,
            grounded_toes: [None; 2],
            outcomes: Outcomes::default(),
        }
    }
    /// Changes a goal or its hint.
    #[inline(always)]
    pub fn change(&mut self, goal: IkGoal, change: impl FnOnce(&mut IkGoalInput, &mut IkHintInput)) {
        let (given, hint) = (&mut self.input.goals[goal.index()], &mut self.input.hints[goal.index()]);
        let before = ActiveGoals::signs(given, hint);
        change(given, hint);
        if ActiveGoals::signs(given, hint) != before {
            self.active_goals.update(goal, &self.input, &self.avatar, self.places.as_deref());
        }
    }
    /// The move of the body that was set since the last solve.
    pub fn fresh_body_move(&self) -> Option<BodyMove> {
        self.input.body_move.filter(|_| self.fresh.body_move)
    }
    /// Replaces the input. Weights must be in range.
    pub fn take_input(&mut self, input: HumanoidInput) {
        self.active_goals = ActiveGoals::of(&input, &self.avatar, self.places.as_deref());
        self.input = input;
    }
    /// Spaces and effector points, where any goal has one.
    #[inline(always)]
    pub fn places(&self) -> Option<&GoalPlaces> {
        self.places.as_deref().filter(|places| places.is_any())
    }
    /// The same, of a goal that has one.
    #[inline(always)]
    pub fn places_of(&self, goal: IkGoal) -> Option<&GoalPlaces> {
        self.places.as_deref().filter(|places| places.is_placed(goal))
    }
    /// Changes space or point of a goal; `None` where the change fails. The first call allocates.
    pub fn change_place(
        &mut self,
        goal: IkGoal,
        change: impl FnOnce(&mut GoalPlaces, &Avatar) -> Option<()>,
    ) -> Option<()> {
        change(self.places.get_or_insert_default(), &self.avatar)?;
        self.active_goals.update(goal, &self.input, &self.avatar, self.places.as_deref());
        Some(())
    }
    /// Whether the next [`Self::change_place`] allocates.
    #[cfg(feature = "record")]
    pub fn needs_memory_for_places(&self) -> bool {
        self.places.is_none()
    }
    /// Clears all spaces and points; keeps the memory.
    pub fn clear_places(&mut self) {
        if let Some(places) = &mut self.places {
            **places = GoalPlaces::default();
        }
    }
    /// How much goals count beside one another in the whole-body solver.
    pub fn priorities(&self) -> &GoalPriorities {
        self.priorities.as_deref().unwrap_or(const { &GoalPriorities::DEFAULT })
    }
    /// The same to change it. The first call allocates.
    pub fn priorities_mut(&mut self) -> &mut GoalPriorities {
        self.priorities.get_or_insert_with(|| Box::new(GoalPriorities::DEFAULT))
    }
    /// Sets all priorities to their defaults; keeps the memory.
    pub fn clear_priorities(&mut self) {
        if let Some(priorities) = &mut self.priorities {
            **priorities = GoalPriorities::DEFAULT;
        }
    }
    /// Whether the next [`Self::priorities_mut`] allocates.
    #[cfg(feature = "record")]
    pub fn needs_memory_for_priorities(&self) -> bool {
        self.priorities.is_none()
    }
    /// Notes where the animation has limbs whose goals have spaces; frames up to date.
    #[inline(always)]
    pub fn note_animation(&mut self, skeleton: &Skeleton, pose: &Pose) {
        if let Some(places) = self.places.as_deref_mut().filter(|places| places.has_space()) {
            places.note_animation(skeleton, &self.avatar, pose);
        }
    }
    /// The overrides of bone rotations.
    pub fn bone_rotations(&self) -> &BoneRotations {
        self.bone_rotations.as_deref().unwrap_or(NO_ROTATIONS)
    }
    /// Overrides a bone's rotation. The first one allocates.
    pub fn override_bone(&mut self, bone: HumanBone, unit: Quat) {
        self.before.keep_all(self.avatar.skeleton());
        self.bone_rotations.get_or_insert_with(|| Box::new(*NO_ROTATIONS))[bone.index()] = Some(unit);
        self.overrides_bones = true;
    }
    /// Whether the next [`Self::override_bone`] allocates.
    #[cfg(feature = "record")]
    pub fn needs_memory_for_bones(&self) -> bool {
        self.bone_rotations.is_none()
    }
    /// Clears the override of one bone; keeps the memory.
    pub fn clear_bone(&mut self, bone: HumanBone) {
        if let Some(rotations) = &mut self.bone_rotations {
            rotations[bone.index()] = None;
            self.overrides_bones = rotations.iter().any(Option::is_some);
        }
    }
    /// Clears all overrides of bone rotations; keeps the memory.
    pub fn clear_bones(&mut self) {
        if let Some(rotations) = &mut self.bone_rotations {
            **rotations = *NO_ROTATIONS;
        }
        self.overrides_bones = false;
    }
    /// Replaces the settings; weights must be in range.
    pub fn take_settings(&mut self, settings: HumanoidSettings) {
        self.settings_route = route_of(&settings, &self.avatar);
        self.settings = settings;
    }

    /// Whether any step other than the bone overrides has work to do.
    #[inline(always)]
    pub fn is_active(&self) -> bool {
        let input = &self.input;
        self.active_goals.ask_something()
            || (input.look_at_weight.weight > 0.0 && input.look_at_position.is_some())
            || input.places_body()
            || self.avatar.feet_spacing() > 0.0
            || (self.has_body_solver && (self.balances || self.effectors.iter().any(asks)))
    }
    /// The fastest view that all humanoid steps can run on.
    #[inline(always)]
    pub fn route(&self, state: &FrameState) -> Route {
        let has_switches = !state.inertialization.is_none();
        let by_input = frame::largest(Route::Tile, |step| {
            route::needed_by_input(step, &self.input, self.active_goals, self.overrides_bones, has_switches)
        });
        // A gaze with a switch time is put into the input before each solve of one character.
        let by_gaze = if state.gaze.is_some() { Route::Single } else { Route::Tile };
        let by_solver = if self.has_body_solver { Route::Pose } else { by_gaze };
        by_input.max(self.settings_route).max(by_solver)
    }

    /// The steps on a pose, and the destination of their outcomes.
    #[inline(always)]
    pub fn steps_and_outcomes<'a>(
        &'a mut self,
        skeleton: &'a Skeleton,
        limits: &'a LimitTable,
        pose: &'a mut Pose,
        world: &'a Frame,
    ) -> (PoseSteps<'a>, &'a mut Outcomes) {
        let (steps, _, outcomes) = self.steps_of_body(skeleton, limits, pose, world);
        (steps, outcomes)
    }
    /// The steps on a pose, the effectors, and the destination of outcomes.
    pub fn steps_of_body<'a>(
        &'a mut self,
        skeleton: &'a Skeleton,
        limits: &'a LimitTable,
        pose: &'a mut Pose,
        world: &'a Frame,
    ) -> (PoseSteps<'a>, &'a EffectorInputs, &'a mut Outcomes) {
        let Self { avatar, input, active_goals, places, settings, outcomes, effectors, .. } = self;
        let active_goals = *active_goals;
        let places = places.as_deref().filter(|places| places.is_any());
        (
            PoseSteps { skeleton, pose, world, avatar, input, active_goals, places, settings, limits, gaze: None },
            effectors,
            outcomes,
        )
    }
    /// The steps on a pose.
    #[inline(always)]
    pub fn steps<'a>(
        &'a self,
        skeleton: &'a Skeleton,
        limits: &'a LimitTable,
        pose: &'a mut Pose,
        world: &'a Frame,
    ) -> PoseSteps<'a> {
        let (Self { avatar, input, settings, .. }, active_goals, places) = (self, self.active_goals, self.places());
        PoseSteps { skeleton, pose, world, avatar, input, active_goals, places, settings, limits, gaze: None }
    }
    /// Step: bone overrides; the frames of the overridden bones are stale afterwards.
    #[inline(always)]
    pub fn override_bones(&self, pose: &mut Pose) {
        if self.overrides_bones {
            self.avatar.override_bones(pose, self.bone_rotations());
        }
    }
    /// Measures outcomes again where constraints solved after their steps may have moved what they
    /// are measured at.
    pub fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        constraints: &ConstraintStack,
        has_solved_body: bool,
    ) {
        let Self { avatar, outcomes, places, .. } = self;
        let Some(weighted) = &outcomes.weighted else { return };
        for goal in IkGoal::ALL {
            let (i, end) = (goal.index(), avatar.limb(goal).joints.end());
            if let (Some(places), Some(placed)) = (places.as_deref().filter(|p| p.is_placed(goal)), &weighted.placed[i])
            {
                // Its space may have moved instead.
                let later =
                    |joint| constraints.may_move(skeleton, Slot::later(FrameStep::Limbs, has_solved_body), joint);
                if outcomes.goals[i].status != Status::Inactive && (later(end) || places.space(goal).is_some_and(later))
                {
                    let end = places.at_point(goal, path::frame::<true, true>(skeleton, pose.local(), end));
                    let wanted = placed.carried(places.space_ms(skeleton, pose, goal).as_ref());
                    outcomes.goals[i] = wanted.measure_again(&end, world, avatar.human_scale(), outcomes.goals[i]);
                }
                continue;
            }
            if outcomes.goals[i].status != Status::Inactive
                && constraints.may_move(skeleton, Slot::later(FrameStep::Limbs, has_solved_body), end)
            {
                let frame = path::frame::<true, true>(skeleton, pose.local(), end);
                outcomes.goals[i] =
                    weighted.ends[i].measure_again(&frame, world, avatar.human_scale(), outcomes.goals[i]);
            }
        }
        let look_at = &avatar.look_at;
        if outcomes.look_at.status != Status::Inactive
            && let Some(goal) = &weighted.gaze
            && constraints.may_move(skeleton, Slot::later(FrameStep::LookAt, has_solved_body), look_at.head_joint())
        {
            pose.update_joints(skeleton, look_at.gaze_joints());
            pose.update_joints(skeleton, look_at.eye_joints());
            outcomes.look_at = look_at.measure_again(&ScaledPoseView { skeleton, pose }, goal, outcomes.look_at);
        }
    }
    /// Step: adds the remaining offsets of switches.
    #[inline(always)]
    pub fn add_switches(&self, skeleton: &Skeleton, limits: &LimitTable, state: &mut FrameState, pose: &mut Pose) {
        let switches = &mut state.inertialization;
        if self.settings.limits_enabled && !switches.is_none() {
            return self.add_limited_switches(skeleton, limits, switches, pose);
        }
        if self.places().is_some_and(GoalPlaces::has_space) {
            return self.add_followed_switches(skeleton, switches, pose);
        }
        let (times_s, given) = (&self.settings.inertialization_times_s, (&self.input, IkGoal::ALL));
        switches.apply(pose, given, times_s, self.avatar.human_scale(), |_, _, turned| turned, |_, _| {});
    }
    #[cold]
    #[inline(never)]
    fn add_followed_switches(&self, skeleton: &Skeleton, switches: &mut Inertialization, pose: &mut Pose) {
        let Some(places) = self.places().filter(|_| !switches.is_none()) else { return };
        let (times_s, given) = (&self.settings.inertialization_times_s, (&self.input, places.order()));
        let solved = follow::solved_spaces(places, skeleton, pose);
        let follow = |pose: &mut Pose, goal| {
            follow::follow((skeleton, &self.avatar, &self.input), places, pose, goal, &solved);
        };
        switches.apply(pose, given, times_s, self.avatar.human_scale(), |_, _, turned| turned, follow);
    }
    #[inline(never)]
    fn add_limited_switches(
        &self,
        skeleton: &Skeleton,
        limits: &LimitTable,
        switches: &mut Inertialization,
        pose: &mut Pose,
    ) {
        // Without a step the solution is the animation.
        let has_run = self.overrides_bones || self.is_active();
        let times_s = &self.settings.inertialization_times_s;
        let places = self.places().filter(|places| places.has_space());
        let spaces = places.map(|places| follow::solved_spaces(places, skeleton, pose));
        let order = places.map_or(IkGoal::ALL, GoalPlaces::order);
        let follow = |pose: &mut Pose, goal| {
            if let (Some(places), Some(spaces)) = (places, &spaces) {
                follow::follow((skeleton, &self.avatar, &self.input), places, pose, goal, spaces);
            }
        };
        let animation = |joint| self.before.rotation(&self.avatar, joint).filter(|_| has_run);
        let limited = |pose: &Pose, solved: &Solved, turned: Quat| {
            root_limit::kept_on_the_way((skeleton, limits), pose, solved, turned, animation)
        };
        switches.apply(pose, (&self.input, order), times_s, self.avatar.human_scale(), limited, follow);
    }
}

fn asks(effector: &IkGoalInput) -> bool {
    effector.position_weight > 0.0 || effector.rotation_weight > 0.0
}

fn route_of(settings: &HumanoidSettings, avatar: &Avatar) -> Route {
    frame::largest(Route::Tile, |step| route::needed_by_settings(step, settings, avatar))
}
