//! The humanoid steps on one pose, for everything that can be set: body, spine, look-at, limbs with
//! joint limits, end rotations. [`super::lane_steps`] has those that can run on eight poses at
//! once.

use super::HumanBone;
use super::active_goals::ActiveGoals;
use super::avatar::{Avatar, LimbRig};
use super::body::BodyFrame;
use super::end_limit::{self, EndBefore};
use super::goal_places::GoalPlaces;
use super::goal_space::{limb_goal, look_at_goal};
use super::ik_goal::{HumanoidInput, IkGoal};
use super::lane_steps::{self, StepInput, StepOutput, look_at_outcome, single_limb_outcome};
use super::limb_limits::{self, LimbLimits, LimitedLimb};
use super::limb_shape::{LimbBones, LimbShape};
use super::look_at::WeightedGaze;
use super::outcomes::{Outcomes, share_twists};
use super::posture::{AnimatedLimb, PostureGoal};
use super::settings::HumanoidSettings;
use super::single_pose::SinglePose;
use super::twist::TwistState;
use super::weighted_goals::{MISSED, MISSED_RAD, PlacedEnd, WeightedEnd};
use crate::closed_form::limb::{self, LimbGoal};
use crate::limits::LimitTable;
use crate::math::{Frame, Quat, ScalarInRegister, Vec3, length, rotation_angle};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Local rotations that replace those of the animation, by bone.
pub(crate) type BoneRotations = [Option<Quat>; HumanBone::COUNT];

/// The place of a hand or foot in the animation, model space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnimatedGoal {
    pub position_ms: Vec3,
    pub rotation_ms: Quat,
    pub(super) hint_ms: Vec3,
}

/// A limb whose position is solved and whose end rotation is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingEnd {
    /// The orientation that the end is to have, model space.
    wanted_ms: Quat,
    limits: Option<EndBefore>,
    /// Where the end is to be, of a goal with a space or an effector point.
    placed: Option<PlacedEnd>,
    /// The end has turned already: other limbs follow it.
    is_turned: bool,
}

/// Whether none of these joints has a scale.
#[inline(always)]
fn are_unscaled(pose: &Pose, joints: &[JointIndex]) -> bool {
    pose.is_known_plain() || joints.iter().all(|j| pose.local()[*j].scale == Vec3::ONE)
}

/// The same for a limb and the joints between it and the trunk.
#[inline(always)]
fn limb_is_unscaled(pose: &Pose, limb: &LimbRig) -> bool {
    are_unscaled(pose, &limb.hanging) && are_unscaled(pose, limb.joints.path())
}

/// A pose and the input of its character.
pub(crate) struct PoseSteps<'a> {
    pub skeleton: &'a Skeleton,
    pub pose: &'a mut Pose,
    pub world: &'a Frame,
    pub avatar: &'a Avatar,
    pub input: &'a HumanoidInput,
    pub active_goals: ActiveGoals,
    /// Spaces and effector points of goals; `None` where no goal has any.
    pub places: Option<&'a GoalPlaces>,
    pub settings: &'a HumanoidSettings,
    /// What joints are kept to where the settings enable limits.
    pub limits: &'a LimitTable,
    /// What the outcome of the last [`Self::turn_gaze`] is measured from.
    pub gaze: Option<WeightedGaze<f32>>,
}

impl Avatar {
    /// Step: turns the bones whose rotations are replaced; their frames are stale.
    pub(crate) fn override_bones(&self, pose: &mut Pose, rotations: &BoneRotations) {
        for (bone, rotation) in HumanBone::ALL.into_iter().zip(rotations) {
            if let (Some(rotation), Some(joint)) = (rotation, self.joint(bone)) {
                pose.put_rotation(joint, *rotation);
            }
        }
    }
}

impl<'a> PoseSteps<'a> {
    /// The input of the lane steps, where no joint that they touch has a scale; else `None`. Only
    /// for input and settings that need no more than the lane steps.
    #[inline(always)]
    pub fn lane_input(&self) -> Option<StepInput<ScalarInRegister>> {
        let Self { avatar, pose, .. } = self;
        if !are_unscaled(pose, &avatar.trunk_joints) {
            return None;
        }
        let mut requested = StepInput::default();
        if let Some(goal) = look_at_goal::<ScalarInRegister>(self.input, self.world, avatar) {
            let eyes = if goal.eyes.0 > 0.0 { avatar.look_at.eye_joints() } else { &[] };
            if !are_unscaled(pose, eyes) || !are_unscaled(pose, avatar.look_at.carried_joints()) {
                return None;
            }
            requested.look_at = Some(goal);
        }
        for goal in self.active_goals.goals() {
            let limb = avatar.limb(goal);
            if !limb_is_unscaled(pose, limb) {
                return None;
            }
            requested.limbs[goal.index()] = Some(limb_goal(self.input, self.world, limb, goal));
        }
        Some(requested)
    }

    /// Updates the frames that the steps read.
    pub fn update_frames(&mut self) {
        self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
    }
    /// Where hands and feet are in the animation; frames up to date.
    pub fn animated_goals(&self) -> [AnimatedGoal; 4] {
        IkGoal::ALL.map(|goal| self.animated_goal(goal))
    }

    /// Step: spine, neck, head and eyes. `hips_moved_ms`: as [`Self::compensate_reach`] returns.
    pub fn look_at(&mut self, animated: &[AnimatedGoal; 4], hips_moved_ms: Vec3) -> Outcome {
        let outcome = self.turn_gaze();
        if self.input.look_at_weight.body > 0.0 && outcome.status != Status::Inactive {
            // Looking has bent the spine.
            if self.move_hips(animated, hips_moved_ms).is_some() {
                return self.measure_gaze(outcome);
            }
        }
        outcome
    }
    /// The outcome of a look-at on the pose as it is now; frames of [`Self::update_frames`] up to
    /// date.
    pub fn measure_gaze(&mut self, outcome: Outcome) -> Outcome {
        let (Some(goal), look_at) = (&self.gaze, &self.avatar.look_at) else { return outcome };
        if outcome.status == Status::Inactive {
            return outcome;
        }
        self.pose.update_joints(self.skeleton, look_at.eye_joints());
        look_at.measure_again(&ScaledPoseView { skeleton: self.skeleton, pose: self.pose }, goal, outcome)
    }
    /// What the outcomes of hands and feet are measured from after [`Self::solve_body`], which has
    /// measured them itself; frames up to date.
    pub fn ends_of_body(&self, animated: &[AnimatedGoal; 4], outcomes: &[Outcome; 4]) -> [WeightedEnd; 4] {
        IkGoal::ALL.map(|goal| {
            let (given, animated) = (&self.input.goals[goal.index()], &animated[goal.index()]);
            let end = self.pose.model(self.avatar.limb(goal).joints.end());
            // A goal that was met is where the end is, whatever its weight.
            let is_met = outcomes[goal.index()].status == Status::Reached;
            let target_ms = given.position.map_or(animated.position_ms, |p| self.point_in(p));
            let position_ms = animated.position_ms.lerp(target_ms, given.position_weight);
            let rotation_ms = self.wanted_rotation(goal, animated, animated.rotation_ms);
            WeightedEnd {
                position_ms: (given.position_weight > 0.0).then_some(if is_met { end.position } else { position_ms }),
                rotation_ms: (given.rotation_weight > 0.0).then_some(if is_met { end.rotation } else { rotation_ms }),
            }
        })
    }

    /// Step: the limbs' positions. `fused`: end rotations follow right away, so a limb may be
    /// solved together with its end. What [`Self::end_rotations`] still has to do is left in
    /// `pending`.
    pub fn limbs(
        &mut self,
        animated: &[AnimatedGoal; 4],
        fused: bool,
        pending: &mut [Option<PendingEnd>; 4],
        outcomes: &mut Outcomes,
    ) {
        let [left, right] = self.foot_pushes(animated);
        let pushes = [left, right, Vec3::ZERO, Vec3::ZERO];
        let shapes = self.limited_shapes(&pushes);
        let order = self.places.map_or(IkGoal::ALL, GoalPlaces::order);
        for (goal, push_ms) in order.into_iter().map(|goal| (goal, pushes[goal.index()])) {
            let limb = self.avatar.limb(goal);
            if self.active_goals.asks(goal) || push_ms != Vec3::ZERO {
                let i = goal.index();
                let twist = limb.twist.read(&ScaledPoseView { skeleton: self.skeleton, pose: self.pose });
                let mut end = WeightedEnd::default();
                outcomes.goals[i] =
                    self.limb(goal, (&animated[i], shapes[i].as_ref()), push_ms, fused, &mut pending[i], &mut end);
                if let Some(weighted) = &mut outcomes.weighted {
                    weighted.ends[i] = end;
                }
                let mut twist =
                    twist.after_solve(&ScaledPoseView { skeleton: self.skeleton, pose: self.pose }, &limb.joints);
                if self.places.is_some_and(|places| places.is_followed(goal)) {
                    twist = self.finish_followed(goal, &mut pending[i], twist);
                }
                outcomes.keep_twist(goal, twist);
            }
        }
    }

    /// Shapes of the limbs that [`Self::limbs`] solves, where there are limits.
    fn limited_shapes(&self, pushes: &[Vec3; 4]) -> [Option<LimbShape>; 4] {
        let mut shapes = [None; 4];
        let Some(table) = self.active_limits() else { return shapes };
        let limbs = IkGoal::ALL.map(|goal| {
            let is_solved = self.active_goals.asks(goal) || pushes[goal.index()] != Vec3::ZERO;
            is_solved.then(|| &self.avatar.limb(goal).joints)
        });
        let mids = limbs.map(|joints| joints.map(|joints| table.limit_of(self.skeleton, joints.mid())));
        let local = |joint: JointIndex| self.pose.local()[joint];
        let bones = |i: usize| LimbBones::of(limbs[i]?, mids[i].as_deref()?, local);
        LimbShape::several(&core::array::from_fn(bones), &mut shapes);
        shapes
    }

    /// Step: the rotations of hands and feet.
    pub fn end_rotations(&mut self, pending: &[Option<PendingEnd>; 4], outcomes: &mut Outcomes) {
        self.turn_ends(pending);
        for (goal, pending) in IkGoal::ALL.into_iter().zip(pending) {
            if let Some(pending) = pending {
                let i = goal.index();
                let wanted = self.end_rotation(goal, pending, &mut outcomes.goals[i]);
                if let Some(weighted) = &mut outcomes.weighted {
                    weighted.ends[i].rotation_ms = wanted;
                }
                if pending.placed.is_some() {
                    self.measure_placed(goal, pending, outcomes);
                }
            }
        }
    }

    /// Turns the end of a limb that others follow, and distributes its rolls, so that joints on and
    /// below it are where they stay. Returns the twist that is left to distribute: what constraints
    /// add.
    #[cold]
    #[inline(never)]
    pub(super) fn finish_followed(
        &mut self,
        goal: IkGoal,
        pending: &mut Option<PendingEnd>,
        twist: TwistState<f32>,
    ) -> TwistState<f32> {
        let (i, limb) = (goal.index(), self.avatar.limb(goal));
        let mut own = [None; 4];
        own[i] = *pending;
        self.turn_ends(&own);
        if let Some(pending) = pending {
            pending.is_turned = true;
        }
        let mut twists = [None; 4];
        twists[i] = Some(twist);
        share_twists(self.skeleton, self.avatar, self.settings, self.pose, &twists);
        limb::update_frames(self.skeleton, self.pose, &limb.joints);
        let view = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
        limb.twist.read(&view).after_solve(&view, &limb.joints)
    }

    /// The outcome of a goal with a space or an effector point, measured at that point, in that
    /// space as it is now.
    #[cold]
    #[inline(never)]
    fn measure_placed(&self, goal: IkGoal, pending: &PendingEnd, outcomes: &mut Outcomes) {
        let (Some(placed), Some(places)) = (pending.placed, self.places) else { return };
        let i = goal.index();
        let wanted = placed.carried(places.space_ms(self.skeleton, self.pose, goal).as_ref());
        let end = places.at_point(goal, self.pose.model(self.avatar.limb(goal).joints.end()));
        let outcome = &mut outcomes.goals[i];
        let measured = wanted.measure_again(&end, self.world, self.avatar.human_scale(), *outcome);
        outcome.status = match (outcome.status, measured.status) {
            (Status::Reached, Status::Stalled) if pending.limits.is_some() => Status::Unreachable,
            (Status::Reached, measured) => measured,
            (status, _) => status,
        };
        (outcome.residual_m, outcome.residual_rad) = (measured.residual_m, measured.residual_rad);
        if let Some(weighted) = &mut outcomes.weighted {
            weighted.placed[i] = Some(placed);
        }
    }

    /// Whether spine, neck, head and eyes keep to limits where looking has turned them as if there
    /// were none. `before`: local rotations in the animation.
    pub fn gaze_keeps_limits(&self, before: impl Fn(JointIndex) -> Option<Quat>) -> bool {
        self.avatar.look_at.keeps_limits(self.skeleton, self.pose, self.limits, |joint| {
            before(joint) == Some(self.pose.local()[joint].rotation)
        })
    }
    pub(super) fn hint_weight(&self, goal: IkGoal) -> f32 {
        let hint = &self.input.hints[goal.index()];
        if hint.position.is_some() { hint.weight } else { 0.0 }
    }
    /// The greater one of the weights that place a limb.
    pub(super) fn limb_weight(&self, goal: IkGoal) -> f32 {
        self.input.goals[goal.index()].position_weight.max(self.hint_weight(goal))
    }

    fn animated_goal(&self, goal: IkGoal) -> AnimatedGoal {
        let limb = self.avatar.limb(goal);
        let end = self.pose.model(limb.joints.end());
        AnimatedGoal {
            position_ms: end.position,
            rotation_ms: end.rotation,
            hint_ms: self.pose.model(limb.joints.mid()).position,
        }
    }

    pub(super) fn point_in(&self, point_ws: Vec3) -> Vec3 {
        crate::constraints::point_in(self.world, point_ws)
    }

    /// The limits that steps keep to, if they are enabled.
    pub fn active_limits(&self) -> Option<&'a LimitTable> {
        self.settings.limits_enabled.then_some(self.limits)
    }

    /// Step: position, rotation and move of the body.
    pub fn place_body(&mut self) {
        if self.input.body_position.is_some() || self.input.body_rotation.is_some() {
            self.place_body_at_goal();
        }
        if let Some(moved) = &self.input.body_move {
            let (hips, world) = (self.avatar.body.hips(), self.world);
            let frame = self.pose.model(hips);
            let place_ms = self.point_in(world.point_out(frame.position) + moved.offset_ws);
            self.pose.set_position_ms(self.skeleton, hips, place_ms);
            if moved.turn_ws != Quat::IDENTITY {
                let turned_ms = world.rotation_in(moved.turn_ws * world.rotation_out(frame.rotation));
                self.pose.set_rotation_ms(self.skeleton, hips, turned_ms);
            }
            self.update_frames();
        }
    }
    fn place_body_at_goal(&mut self) {
        let now = self.avatar.body.measure(self.pose);
        let goal = BodyFrame {
            position: self.input.body_position.map_or(now.position, |p| self.point_in(p)),
            rotation: self.input.body_rotation.map_or(now.rotation, |r| self.world.axes_in(r)),
        };
        self.avatar.body.place(self.skeleton, self.pose, &goal, &self.avatar.core_joints);
    }

    pub(super) fn turn_gaze(&mut self) -> Outcome {
        let Some(goal) = look_at_goal::<f32>(self.input, self.world, self.avatar) else { return Outcome::INACTIVE };
        let look_at = &self.avatar.look_at;
        let limits = self.active_limits();
        let mut view = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
        let (left, is_limited) = match limits {
            None => (look_at.solve(&mut view, &goal), false),
            Some(limits) => {
                let mut view = look_at.limited_view(view, limits);
                (look_at.solve(&mut view, &goal), view.has_limited)
            }
        };
        let is_kept_back = left.kept_back || is_limited && left.residual_rad > MISSED_RAD;
        let outcome = look_at_outcome(is_kept_back, left.residual_rad);
        self.gaze = Some(left.goal);
        // The arms are below the spine, which has just turned.
        self.pose.update_joints_from(self.skeleton, &self.avatar.core_joints, look_at.first());
        outcome
    }

    /// Solves the position of a limb for its goal moved by `push_ms`; see [`Self::limbs`]. Writes
    /// to `weighted` what the outcome is measured from.
    fn limb(
        &mut self,
        goal: IkGoal,
        (animated, shape): (&AnimatedGoal, Option<&LimbShape>),
        push_ms: Vec3,
        fused: bool,
        pending: &mut Option<PendingEnd>,
        weighted: &mut WeightedEnd,
    ) -> Outcome {
        let given = &self.input.goals[goal.index()];
        let limb: &LimbRig = self.avatar.limb(goal);
        let end = limb.joints.end();
        let before_ms = self.pose.model(end).rotation;
        let hint_weight = self.hint_weight(goal);
        let weight = if push_ms == Vec3::ZERO { self.limb_weight(goal) } else { 1.0 };
        let mid = self.limits.limit_of(self.skeleton, limb.joints.mid());
        let mut limits = self.active_limits().map(|table| {
            let (skeleton, pose) = (self.skeleton, &*self.pose);
            let origin = limb_limits::root_origin(table, skeleton, pose, limb);
            let limb = LimitedLimb { table, skeleton, limb, mid: &mid, origin, weight };
            LimbLimits::new(limb, shape, |joint| pose.local()[joint].rotation)
        });
        let from_ms = self.pose.model(end).position;
        let elbow_before = self.elbow_before(goal);
        let mut target_ms = self.target_ms(goal, animated, before_ms);
        let mut wanted_ms = from_ms.lerp(target_ms, given.position_weight) + push_ms;
        let mut placed = match self.places {
            Some(_) => self.placed_end(goal, animated, before_ms, wanted_ms),
            None => None,
        };
        // What moves the hand besides the limb must not move its target.
        let pushed = self.help_with_shoulder(goal, wanted_ms) || push_ms != Vec3::ZERO;
        if pushed && self.places.is_some_and(|p| p.is_below_own_shoulder(self.skeleton, self.avatar, goal)) {
            target_ms = self.target_ms(goal, animated, before_ms);
            wanted_ms = from_ms.lerp(target_ms, given.position_weight) + push_ms;
            placed = self.placed_end(goal, animated, before_ms, wanted_ms);
        }
        let posed = self.settings.bend_weight > 0.0 && (pushed || given.position_weight > 0.0);
        let free = !posed && elbow_before.is_none() && limits.is_none();
        let in_lane = fused && !pushed && free && self.active_goals.is_whole(goal);
        if in_lane && are_unscaled(self.pose, &self.avatar.trunk_joints) && limb_is_unscaled(self.pose, limb) {
            // The bits of a frame in which only limbs have goals.
            let (mut requested, mut left) = (StepInput::default(), StepOutput::default());
            requested.limbs[goal.index()] = Some(limb_goal(self.input, self.world, limb, goal));
            let view = &mut SinglePose::new(self.skeleton, self.pose);
            lane_steps::refresh_trunk(self.avatar, view);
            lane_steps::limbs(self.avatar, view, &requested, false, &mut left);
            self.pose.update_joints(self.skeleton, limb.joints.path());
            if let Some(left) = &left.limbs[goal.index()] {
                *weighted = WeightedEnd::on_view(&self.pose.model(end), left, self.active_goals.turns(goal));
                return single_limb_outcome(left, self.active_goals.turns(goal), self.world);
            }
        }
        if posed {
            self.take_posture(goal, animated, before_ms, wanted_ms);
        }
        let mut outcome = Outcome::INACTIVE;
        if given.position_weight > 0.0 || hint_weight > 0.0 || push_ms != Vec3::ZERO {
            let limb_goal = LimbGoal {
                target_ms: if pushed { wanted_ms } else { target_ms },
                weight: if pushed { 1.0 } else { given.position_weight },
                pole_ms: self.hint_ms(goal, animated),
                pole_weight: hint_weight,
                bend_side_js: limb.bend_side_js,
                centre_ps: limb.centre_ps,
                softness: 0.0,
                stretch: limb.stretch,
            };
            outcome = limb::solve(self.skeleton, self.pose, &limb.joints, &limb_goal);
            if let Some(before) = elbow_before {
                self.avoid_trunk(goal, before, given.position_weight);
            }
            if let (Some(placed), None) = (&placed, &limits) {
                self.fit_point(goal, wanted_ms, placed, &limb_goal, &mut outcome);
            }
            if let Some(limits) = &mut limits {
                let mut shapes = [limits.measure(self.pose, limb), None, None, None];
                let solved = shapes[0].map_or(Quat::IDENTITY, |shape| shape.root);
                LimbShape::put_on_hinges(&mut shapes, [Some(limits.aside_before), None, None, None]);
                let moved = shapes[0].as_ref().is_some_and(|shape| limits.limit_limb(self.pose, limb, shape, solved));
                match (moved, &limb.shoulder) {
                    (true, Some(clavicle)) => {
                        self.pose.update_joints_from(self.skeleton, &self.avatar.core_joints, clavicle.joint());
                    }
                    _ => self.pose.update_joints(self.skeleton, limb.joints.path()),
                }
                let off = length(self.pose.model(end).position - wanted_ms);
                if off > MISSED * self.avatar.human_scale().abs() {
                    outcome.status = Status::Unreachable;
                }
            }
            outcome.residual_m = length(self.world.vector_out(self.pose.model(end).position - wanted_ms));
            weighted.position_ms = Some(wanted_ms);
        }
        if outcome.status != Status::Inactive || given.rotation_weight > 0.0 {
            let end_ms = self.wanted_rotation(goal, animated, before_ms);
            if let Some(placed) = &mut placed {
                placed.is_position = weighted.position_ms.is_some();
            }
            let limits = limits.map(|limits| limits.end);
            *pending = Some(PendingEnd { wanted_ms: end_ms, limits, placed, is_turned: false });
        }
        outcome
    }

    /// Turns the ends of limbs, as far as limits allow; their frames are up to date then.
    fn turn_ends(&mut self, pending: &[Option<PendingEnd>; 4]) {
        let limbs = IkGoal::ALL.map(|goal| {
            pending[goal.index()].as_ref().filter(|pending| !pending.is_turned).map(|_| self.avatar.limb(goal))
        });
        for (pending, limb) in pending.iter().zip(limbs) {
            if let (Some(pending), Some(limb)) = (pending, limb) {
                self.pose.set_rotation_ms(self.skeleton, limb.joints.end(), pending.wanted_ms);
            }
        }
        if let Some(table) = self.active_limits() {
            let (mut ends, mut mids) = ([const { None }; 4], [const { None }; 4]);
            for (i, limb) in limbs.iter().enumerate() {
                if let Some(LimbRig { joints, .. }) = limb {
                    ends[i] = Some(table.prepared_of(self.skeleton, joints.end()));
                    mids[i] = Some(table.limit_of(self.skeleton, joints.mid()));
                }
            }
            let within = end_limit::limited(&core::array::from_fn(|i| {
                let (limit, mid) = (ends[i].as_deref()?, mids[i].as_deref()?);
                Some(pending[i].as_ref()?.limits.as_ref()?.end(self.pose, limbs[i]?, limit, mid))
            }));
            for (i, limb) in limbs.iter().enumerate() {
                if let (Some(limb), Some(PendingEnd { limits: Some(_), .. })) = (limb, &pending[i]) {
                    self.pose.local_mut()[limb.joints.end()].rotation = within[i];
                }
            }
        }
        for limb in limbs.into_iter().flatten() {
            self.pose.update_joints(self.skeleton, &[limb.joints.end()]);
        }
    }

    /// Swivels a limb before its solve, so that it bends as people's do. Its frames are stale.
    fn take_posture(&mut self, goal: IkGoal, animated: &AnimatedGoal, before_ms: Quat, wanted_ms: Vec3) {
        let (limb, given) = (self.avatar.limb(goal), &self.input.goals[goal.index()]);
        let joints = &limb.joints;
        let Some(to_parent) = self.pose.parent_frame(self.skeleton, joints.root()).inverse_linear() else { return };
        if !joints.is_attached() {
            return;
        }
        let at = |joint: JointIndex| self.pose.model(joint).position;
        let inward = |v: Vec3| to_parent * v;
        let root_ms = at(joints.root());
        let root = self.pose.local()[joints.root()].rotation.normalize();
        let before = AnimatedLimb {
            mid: inward(at(joints.mid()) - root_ms),
            end: inward(at(joints.end()) - root_ms),
            bend_side: root * limb.bend_side_js,
            axes: limb.posture.end_axes(before_ms, inward),
        };
        let wanted = PostureGoal {
            end: inward(wanted_ms - root_ms),
            axes: limb.posture.end_axes(self.wanted_rotation(goal, animated, before_ms), inward),
            turned: given.rotation_weight * given.position_weight,
        };
        if let Some(turn) = limb.posture.turn(&before, &wanted, self.settings.bend_weight) {
            self.pose.local_mut()[joints.root()].rotation = (turn * root).normalize();
        }
    }

    /// The outcome of an end that has turned. Returns the orientation that it is measured from, if
    /// it has a goal.
    fn end_rotation(&self, goal: IkGoal, pending: &PendingEnd, outcome: &mut Outcome) -> Option<Quat> {
        let given = &self.input.goals[goal.index()];
        let limb: &LimbRig = self.avatar.limb(goal);
        let (end, wanted) = (limb.joints.end(), pending.wanted_ms);
        if given.rotation_weight > 0.0 {
            let left = self.pose.model(end).rotation * wanted.conjugate();
            outcome.residual_rad = rotation_angle(left);
            if outcome.status == Status::Inactive {
                outcome.status = Status::Reached;
            }
            // Only limits keep an end from turning.
            if pending.limits.is_some() && outcome.residual_rad > MISSED_RAD {
                outcome.status = Status::Unreachable;
            }
        }
        (given.rotation_weight > 0.0).then_some(wanted)
    }

    /// Turns the clavicle of an arm towards its target; whether it did.
    fn help_with_shoulder(&mut self, goal: IkGoal, target_ms: Vec3) -> bool {
        let limb = self.avatar.limb(goal);
        let Some(rig) = &limb.shoulder else { return false };
        let side = usize::from(goal == IkGoal::RightHand);
        let weight = self.settings.shoulder_weights[side] * self.input.goals[goal.index()].position_weight;
        if weight <= 0.0 {
            return false;
        }
        let [root, mid, end] =
            [limb.joints.root(), limb.joints.mid(), limb.joints.end()].map(|j| self.pose.model(j).position);
        let reach = length(mid - root) + length(end - mid);
        let clavicle = rig.joint();
        let limit = self.active_limits().map(|table| table.limit_in(self.skeleton, self.pose, clavicle));
        let before = self.pose.local()[clavicle].rotation;
        let turned = rig.help(self.skeleton, self.pose, limb.joints.root(), [target_ms, end], reach, weight);
        if let (true, Some(limit)) = (turned, limit) {
            let local = &mut self.pose.local_mut()[clavicle].rotation;
            *local = limit.limited_beside(*local, before);
        }
        if turned {
            self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
        }
        turned
    }
}
