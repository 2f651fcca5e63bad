//! The solve of one character: selects a view, then runs the steps on the pose.

use super::animator::Animator;
use super::error::AnimatorError;
use super::frame::{self, ConstraintPlacement, Frame, FrameStep, FrameWithPlaces, Slot};
use super::humanoid_part::HumanoidPart;
use super::route::Route;
use super::state::FrameState;
use super::view_frame::ViewFrame;
use crate::constraints::ConstraintStack;
use crate::humanoid::LookAtWeight;
use crate::humanoid::lane_steps::{StepInput, StepOutput, look_at_outcome, single_limb_outcome};
use crate::humanoid::pose_steps::{AnimatedGoal, PendingEnd, PoseSteps};
use crate::humanoid::single_pose::SinglePose;
use crate::humanoid::weighted_goals::WeightedEnd;
use crate::limits::LimitTable;
use crate::math::dispatch::Task;
use crate::math::{self, Lane, ScalarInRegister, Vec3};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::{JointView, ScaledPoseView};
use crate::skeleton::{Pose, Skeleton, path};
use core::ops::Range;

impl Animator {
    /// Applies all input to the pose, in the order of [`super::FrameStep`]. Steps with weight 0
    /// keep the bits of their joints. Fails, and changes nothing, when the pose has an invalid
    /// number.
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.pose.check_local()?;
        let asked = self.ease_gaze();
        let Self { skeleton, limits, pose, world_from_model, humanoid, constraints, state, .. } = self;
        constraints.begin_frame();
        let stack = constraints.range(Slot::STACK.0);
        let mut frame = PoseFrame {
            skeleton,
            limits,
            pose,
            world: world_from_model,
            is_stack_only: stack.len() == constraints.len(),
            stack,
            constraints,
            state,
            animated: None,
            pending: [None; 4],
            has_solved_body: false,
            hips_moved_ms: Vec3::ZERO,
            humanoid: humanoid.as_deref_mut(),
        };
        frame.begin();
        frame::run_with_places(&mut frame);
        frame.measure_last();
        if let (Some(asked), Some(humanoid)) = (asked, self.humanoid.as_deref_mut()) {
            (humanoid.input.look_at_position, humanoid.input.look_at_weight) = asked;
        }
        Ok(())
    }
    /// Puts the look-at of this frame of a switch into the input. Returns what was there.
    #[inline(always)]
    fn ease_gaze(&mut self) -> Option<(Option<Vec3>, LookAtWeight)> {
        let Self { skeleton, pose, world_from_model, humanoid, state, .. } = self;
        let (Some(gaze), Some(humanoid)) = (&mut state.gaze, humanoid.as_deref_mut()) else { return None };
        let HumanoidPart { input, avatar, settings, .. } = humanoid;
        let asked = (input.look_at_position, input.look_at_weight);
        pose.update_joints(skeleton, avatar.look_at.gaze_joints());
        let time_s = settings.look_at_inertialization_time_s;
        gaze.apply(input, &avatar.look_at, pose, world_from_model, time_s);
        Some(asked)
    }
}

/// One character's pose and all its input.
struct PoseFrame<'a> {
    skeleton: &'a Skeleton,
    limits: &'a LimitTable,
    /// Local transforms, at first as the host wrote them.
    pose: &'a mut Pose,
    world: &'a math::Frame,
    humanoid: Option<&'a mut HumanoidPart>,
    constraints: &'a mut ConstraintStack,
    /// The constraints of the step [`FrameStep::Constraints`].
    stack: Range<usize>,
    /// No constraint is placed before or after a step.
    is_stack_only: bool,
    state: &'a mut FrameState,
    /// Hands and feet of the animation when the humanoid steps run on this frame; `None` when there
    /// are no humanoid steps or a view has run them.
    animated: Option<[AnimatedGoal; 4]>,
    pending: [Option<PendingEnd>; 4],
    /// The whole-body solver has done the work of the humanoid steps.
    has_solved_body: bool,
    /// How far compensation has moved the hips, model space.
    hips_moved_ms: Vec3,
}

/// The steps of a frame on a view.
struct Steps<'a, V: JointView<ScalarInRegister>>(ViewFrame<'a, ScalarInRegister, V>);

impl<V: JointView<ScalarInRegister>> Task for Steps<'_, V> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        frame::run(&mut self.0);
    }
}

impl HumanoidPart {
    /// Runs the steps on the pose as a view without scale. Constraints that follow may turn joints
    /// before twist is distributed, and limited limbs distribute it otherwise. Whether that is all:
    /// `false`, with the pose as before, where limits keep the gaze back. Not inlined: the separate
    /// steps need no room for its locals.
    #[inline(never)]
    fn run_on_view(
        &mut self,
        skeleton: &Skeleton,
        limits: &LimitTable,
        pose: &mut Pose,
        world: &math::Frame,
        input: &StepInput<ScalarInRegister>,
        constraints: &ConstraintStack,
    ) -> bool {
        let is_limited = self.settings.limits_enabled;
        let shares_twists = constraints.is_empty() && !is_limited;
        match is_limited {
            true => self.before.save(&self.avatar, pose),
            false => self.before.save_moved(&self.avatar, pose),
        }
        let mut view = SinglePose::new(skeleton, pose);
        let mut left = StepOutput::default();
        let avatar = &*self.avatar;
        ScalarInRegister::run(Steps(ViewFrame { avatar, view: &mut view, input, shares_twists, left: &mut left }));
        let sound = view.is_sound();
        if !sound {
            self.before.put_back_moved(avatar, pose);
        }
        let mut goals = [Outcome::INACTIVE; 4];
        for goal in self.active_goals.goals() {
            if let Some(left) = &left.limbs[goal.index()] {
                goals[goal.index()] = single_limb_outcome(left, self.active_goals.turns(goal), world);
            }
        }
        let look_at = left.look_at.map(|left| look_at_outcome(left.kept_back, left.residual_rad.into()));
        self.outcomes.set(look_at.unwrap_or(Outcome::INACTIVE), goals, sound);
        if shares_twists || !sound {
            return true;
        }
        self.finish_on_view(skeleton, limits, pose, world, constraints, &left)
    }

    /// What is left to do where later steps distribute twist: limits are kept to, and what outcomes
    /// are measured from is noted. `false`, with the pose as before, where looking has exceeded
    /// limits: the limbs are below the spine.
    #[inline(never)]
    fn finish_on_view(
        &mut self,
        skeleton: &Skeleton,
        limits: &LimitTable,
        pose: &mut Pose,
        world: &math::Frame,
        constraints: &ConstraintStack,
        left: &StepOutput<ScalarInRegister>,
    ) -> bool {
        let Self { avatar, input, active_goals, settings, outcomes, before, .. } = self;
        let avatar = &**avatar;
        if let Some(weighted) = &mut outcomes.weighted {
            weighted.gaze = left.look_at.map(|left| left.goal.to_scalar());
        }
        let active_goals = *active_goals;
        // Goals that have places do not come here.
        let (places, gaze) = (None, None);
        let mut steps =
            PoseSteps { skeleton, pose, world, avatar, input, active_goals, places, settings, limits, gaze };
        let is_limited = steps.active_limits().is_some();
        if is_limited && left.look_at.is_some() && !steps.gaze_keeps_limits(|joint| before.rotation(avatar, joint)) {
            before.put_back_moved(avatar, steps.pose);
            return false;
        }
        let kept = match is_limited {
            true => steps.keep_limbs(&left.limbs, |joint| before.place(avatar, joint)),
            false => [None; 4],
        };
        for goal in active_goals.goals() {
            let (i, joints) = (goal.index(), &avatar.limb(goal).joints);
            if let Some(weighted) = &kept[i] {
                if !joints.path().iter().all(|joint| steps.pose.local()[*joint].is_finite()) {
                    before.put_back_moved(avatar, steps.pose);
                    outcomes.keep_finite(false);
                    return true;
                }
                // Only limits keep a limb from its goal.
                let missed = Outcome { status: Status::Unreachable, ..outcomes.goals[i] };
                let end = steps.pose.model(joints.end());
                outcomes.goals[i] = weighted.measure_again(&end, world, avatar.human_scale(), missed);
            }
            let view = ScaledPoseView { skeleton, pose: &mut *steps.pose };
            if let Some(twist) = left.twists[i] {
                outcomes.keep_twist(goal, twist.to_scalar().after_solve(&view, joints));
            }
            if let (Some(left), Some(weighted)) = (&left.limbs[i], &mut outcomes.weighted)
                && constraints.may_move(skeleton, Slot::later(FrameStep::Limbs, false), joints.end())
            {
                weighted.ends[i] = kept[i].unwrap_or_else(|| {
                    let end = path::frame::<true, true>(skeleton, view.pose.local(), joints.end());
                    WeightedEnd::on_view(&end, left, active_goals.turns(goal))
                });
            }
        }
        true
    }
}

impl PoseFrame<'_> {
    /// Runs the humanoid steps on a view when that suffices (fast path); else prepares them for
    /// this frame.
    #[inline(always)]
    fn begin(&mut self) {
        let Some(humanoid) = self.humanoid.as_deref_mut() else { return };
        humanoid.fresh = Default::default();
        if !humanoid.overrides_bones && !humanoid.is_active() {
            if let Some(whole_body) = &mut self.state.whole_body {
                whole_body.reset();
            }
            return humanoid.outcomes.clear();
        }
        let route = humanoid.route(self.state);
        // Constraints between the steps require separate steps.
        let is_whole = self.is_stack_only || !self.constraints.is_active_in(0..=Slot::STACK.0 - 1);
        if route <= Route::Single && is_whole {
            let steps = humanoid.steps(self.skeleton, self.limits, self.pose, self.world);
            if !(humanoid.settings.limits_enabled && humanoid.overrides_bones)
                && let Some(input) = steps.lane_input()
            {
                humanoid.override_bones(self.pose);
                if humanoid.run_on_view(self.skeleton, self.limits, self.pose, self.world, &input, self.constraints) {
                    return;
                }
            }
        }
        humanoid.outcomes.clear();
        humanoid.before.save(&humanoid.avatar, self.pose);
        let mut steps = humanoid.steps(self.skeleton, self.limits, self.pose, self.world);
        steps.update_frames();
        self.animated = Some(steps.animated_goals());
        humanoid.note_animation(self.skeleton, self.pose);
    }

    /// The humanoid steps, when they run on this frame.
    #[inline(always)]
    fn steps(&mut self) -> Option<(PoseSteps<'_>, &[AnimatedGoal; 4])> {
        let animated = self.animated.as_ref()?;
        let humanoid = self.humanoid.as_deref()?;
        Some((humanoid.steps(self.skeleton, self.limits, self.pose, self.world), animated))
    }

    #[inline(never)]
    fn run_overrides(&mut self) {
        if let (Some(humanoid), Some(_)) = (self.humanoid.as_deref(), &self.animated)
            && humanoid.overrides_bones
        {
            humanoid.override_bones(self.pose);
            humanoid.steps(self.skeleton, self.limits, self.pose, self.world).update_frames();
        }
    }
    #[inline(never)]
    fn run_body(&mut self) {
        if let (Some(animated), Some(humanoid), Some(whole_body)) =
            (&self.animated, self.humanoid.as_deref_mut(), self.state.whole_body.as_deref_mut())
        {
            whole_body.take_work(self.constraints.work_mut());
            let (mut steps, effectors, outcomes) =
                humanoid.steps_of_body(self.skeleton, self.limits, self.pose, self.world);
            steps.solve_body(whole_body, effectors, animated, outcomes);
            // The solver has moved the head, too.
            outcomes.look_at = steps.measure_gaze(outcomes.look_at);
            if let Some(weighted) = &mut outcomes.weighted {
                (weighted.gaze, weighted.ends) = (steps.gaze, steps.ends_of_body(animated, &outcomes.goals));
            }
            self.has_solved_body = true;
        } else if let Some((mut steps, _)) = self.steps() {
            steps.place_body();
        }
    }
    #[inline(never)]
    fn run_spine(&mut self) {
        if let Some((mut steps, animated)) = self.steps() {
            self.hips_moved_ms = steps.compensate_reach(animated);
        }
    }
    #[inline(never)]
    fn run_look_at(&mut self) {
        let hips_moved_ms = self.hips_moved_ms;
        let Some((mut steps, animated)) = self.steps() else { return };
        let (outcome, gaze) = (steps.look_at(animated, hips_moved_ms), steps.gaze);
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.outcomes.look_at = outcome;
            if let Some(weighted) = &mut humanoid.outcomes.weighted {
                weighted.gaze = gaze;
            }
        }
    }
    #[inline(never)]
    fn run_limbs(&mut self) {
        let (Some(animated), Some(humanoid)) = (&self.animated, self.humanoid.as_deref_mut()) else { return };
        // A constraint between limbs and end rotations requires separate steps.
        let between = Slot::of(ConstraintPlacement::After(FrameStep::Limbs))
            ..=Slot::of(ConstraintPlacement::Before(FrameStep::EndRotations));
        let fused = self.is_stack_only || !self.constraints.is_active_in(between.start().0..=between.end().0);
        let (mut steps, outcomes) = humanoid.steps_and_outcomes(self.skeleton, self.limits, self.pose, self.world);
        steps.limbs(animated, fused, &mut self.pending, outcomes);
    }
    /// Also ends the humanoid steps: a result that overflows f32 (goals or scales near its limit)
    /// would be NaN; then the pose before the solve is restored.
    #[inline(never)]
    fn run_end_rotations(&mut self) {
        let (Some(_), Some(humanoid)) = (&self.animated, self.humanoid.as_deref_mut()) else { return };
        let (mut steps, outcomes) = humanoid.steps_and_outcomes(self.skeleton, self.limits, self.pose, self.world);
        steps.end_rotations(&self.pending, outcomes);
        let sound = humanoid.avatar.core_joints.iter().all(|j| self.pose.local()[*j].is_finite());
        if !sound {
            humanoid.before.put_back(&humanoid.avatar, self.pose);
            if let Some(whole_body) = &mut self.state.whole_body {
                whole_body.reset();
            }
        }
        humanoid.outcomes.keep_finite(sound);
        self.animated = None;
        if !self.is_stack_only {
            // Constraints placed between the steps so far.
            self.constraints.mark_moved(&(0..self.skeleton.joint_count()));
        }
    }

    /// Measures outcomes again where something that came after has moved what they are measured at.
    #[inline(always)]
    fn measure_moved(&mut self) {
        if !self.constraints.is_empty() {
            self.measure_after_constraints();
        }
    }
    #[inline(never)]
    fn measure_after_constraints(&mut self) {
        let Self { skeleton, pose, world, constraints, has_solved_body, .. } = self;
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            for goal in humanoid.outcomes.twisted() {
                constraints.mark_moved(&skeleton.subtree(humanoid.avatar.limb(goal).joints.root()));
            }
            humanoid.measure_again(skeleton, pose, world, constraints, *has_solved_body);
        }
        constraints.measure_stale(skeleton, pose, world);
    }
    /// The same for constraints that are placed after the last step.
    #[inline(always)]
    fn measure_last(&mut self) {
        let last = Slot::of(ConstraintPlacement::After(FrameStep::Switches)).0;
        if !self.is_stack_only && self.constraints.is_active_in(last..=last) {
            self.measure_after_constraints();
        }
    }
}

impl FrameWithPlaces for PoseFrame<'_> {
    #[inline(always)]
    fn has_placed(&self) -> bool {
        !self.is_stack_only
    }
    fn place(&mut self, slot: Slot) {
        let range = self.constraints.range(slot.0);
        self.constraints.solve(range, (self.skeleton, self.limits), self.pose, self.world);
        if let Some((mut steps, _)) = self.steps() {
            steps.update_frames();
        }
    }
}

impl Frame for PoseFrame<'_> {
    #[inline(always)]
    fn overrides(&mut self) {
        if self.animated.is_some() {
            self.run_overrides();
        }
    }
    #[inline(always)]
    fn body(&mut self) {
        if self.animated.is_some() {
            self.run_body();
        }
    }
    #[inline(always)]
    fn spine(&mut self) {
        if self.animated.is_some() && !self.has_solved_body {
            self.run_spine();
        }
    }
    #[inline(always)]
    fn look_at(&mut self) {
        if self.animated.is_some() && !self.has_solved_body {
            self.run_look_at();
        }
    }
    #[inline(always)]
    fn limbs(&mut self) {
        if self.animated.is_some() && !self.has_solved_body {
            self.run_limbs();
        }
    }
    #[inline(always)]
    fn end_rotations(&mut self) {
        if self.animated.is_some() {
            self.run_end_rotations();
        }
    }
    #[inline(always)]
    fn constraints(&mut self) {
        self.constraints.solve(self.stack.clone(), (self.skeleton, self.limits), self.pose, self.world);
    }
    #[inline(always)]
    fn twist(&mut self) {
        if let Some(humanoid) = self.humanoid.as_deref() {
            humanoid.outcomes.share_twists(self.skeleton, &humanoid.avatar, &humanoid.settings, self.pose);
        }
    }
    #[inline(always)]
    fn switches(&mut self) {
        self.measure_moved();
        if let Some(humanoid) = self.humanoid.as_deref() {
            humanoid.add_switches(self.skeleton, self.limits, self.state, self.pose);
        }
    }
}
