//! The steps of one solve on a character's pose, in their order.

use super::HumanBone;
use super::active_goals::ActiveGoals;
use super::avatar::{Avatar, LimbRig};
use super::body::BodyFrame;
use super::ik_goal::{HumanoidInput, IkGoal};
use super::limb_limits::{self, limit_end, limit_limb};
use super::settings::HumanoidSettings;
use super::single_pose::SinglePose;
use super::steps::{self, Left, StepInput, limb_goal, limb_outcome, look_at_goal, look_at_outcome};
use super::twist::TwistState;
use crate::closed_form::limb::{self, LimbGoal};
use crate::math::{Frame, Quat, ScalarInRegister, Transform, Vec3, length, rotation_angle, slerp_short};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Angle above which an end that limits keep from its goal rotation counts as out of reach, radians: 0.1°.
const LIMITED: f32 = 2e-3;

/// A hand's or foot's own place in the animation, model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnGoal {
    pub position_ms: Vec3,
    rotation_ms: Quat,
    hint_ms: Vec3,
}

fn is_active(input: &HumanoidInput, active_goals: ActiveGoals, avatar: &Avatar) -> bool {
    active_goals.ask_something()
        || (input.look_at_weight.weight > 0.0 && input.look_at_position.is_some())
        || input.body_position.is_some()
        || input.body_rotation.is_some()
        || avatar.feet_spacing() > 0.0
}

/// What a solve left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcomes {
    /// In [`IkGoal`] order.
    pub goals: [Outcome; 4],
    pub look_at: Outcome,
    /// Rolls of the limbs that were solved, from before they were, where they are not shared yet.
    pub twists: [Option<TwistState<f32>>; 4],
    /// Whether there are any.
    has_twists: bool,
}

impl Outcomes {
    /// Nothing asked.
    fn clear(&mut self) {
        (self.goals, self.look_at) = ([Outcome::INACTIVE; 4], Outcome::INACTIVE);
        self.forget_twists();
    }
    /// Becomes what the few steps have left of looking and of each limb, of a pose that was taken back when not `sound`.
    #[inline(always)]
    pub fn set_of_steps(&mut self, look_at: Outcome, goals: [Outcome; 4], sound: bool) {
        self.forget_twists();
        (self.look_at, self.goals) = (look_at, goals);
        let sizes = goals.map(|outcome| outcome.residual_m + outcome.residual_rad);
        let all = (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]) + look_at.residual_rad;
        if !sound || !all.is_finite() {
            self.keep_finite(sound);
        }
    }
    #[inline(always)]
    fn forget_twists(&mut self) {
        if core::mem::take(&mut self.has_twists) {
            self.twists = [None; 4];
        }
    }
    fn keep_twist(&mut self, goal: IkGoal, twist: TwistState<f32>) {
        self.twists[goal.index()] = Some(twist);
        self.has_twists = true;
    }

    #[cold]
    fn keep_finite(&mut self, sound: bool) {
        if !sound {
            self.forget_twists();
        }
        for outcome in self.goals.iter_mut().chain([&mut self.look_at]) {
            if outcome.status != Status::Inactive {
                outcome.keep_finite(sound);
            }
        }
    }

    /// Shares the rolls that the limbs' goals have added; the last step on the pose.
    pub fn share_twists(&self, skeleton: &Skeleton, avatar: &Avatar, settings: &HumanoidSettings, pose: &mut Pose) {
        if self.has_twists {
            let figure = &mut ScaledPoseView { skeleton, pose };
            steps::share_twists(avatar, figure, &self.twists, settings.limits_enabled);
        }
    }
}

/// Whether none of these joints has a scale.
#[inline(always)]
fn are_unscaled(pose: &Pose, joints: &[JointIndex]) -> bool {
    pose.is_known_plain() || joints.iter().all(|j| pose.local()[*j].scale == Vec3::ONE)
}

/// The same for a limb and what it hangs from below the trunk.
#[inline(always)]
fn limb_is_unscaled(pose: &Pose, limb: &LimbRig) -> bool {
    are_unscaled(pose, &limb.hanging) && are_unscaled(pose, limb.joints.path())
}

/// One solve in progress.
pub(super) struct Solve<'a> {
    pub skeleton: &'a Skeleton,
    /// Local transforms as the host wrote them.
    pub pose: &'a mut Pose,
    pub world: &'a Frame,
    pub avatar: &'a Avatar,
    pub input: &'a HumanoidInput,
    pub active_goals: ActiveGoals,
    /// Settings and avatar leave it at the few steps.
    pub is_plain: bool,
    pub settings: &'a HumanoidSettings,
    /// `None` where there are none.
    pub bone_rotations: Option<&'a [Option<Quat>; HumanBone::COUNT]>,
    /// Something else may turn joints between this and the sharing of twists.
    pub is_guarded: bool,
}

impl Solve<'_> {
    /// Bone rotations, body, look-at, limbs with their end rotations. `before` is room for one transform per joint.
    pub fn run(mut self, before: &mut [Transform], outcomes: &mut Outcomes) {
        if self.bone_rotations.is_none() && !is_active(self.input, self.active_goals, self.avatar) {
            return outcomes.clear();
        }
        let mut asked = StepInput::default();
        if self.ask_simply(&mut asked) {
            self.override_bones();
            return self.run_steps(&asked, before, outcomes);
        }
        outcomes.clear();
        before.copy_from_slice(self.pose.local());
        self.run_all(outcomes);
        // Numbers that no f32 can hold (goals or scales near its limit) must not leave as NaN: such a solve is taken back.
        let sound = self.avatar.core_joints.iter().all(|j| self.pose.local()[*j].is_finite());
        if !sound {
            self.pose.local_mut().copy_from_slice(before);
        }
        outcomes.keep_finite(sound);
    }

    /// What is asked, when the few steps of [`steps`] are enough for it and no joint they touch has a scale; else false.
    #[inline(always)]
    fn ask_simply(&self, asked: &mut StepInput<ScalarInRegister>) -> bool {
        let Self { avatar, pose, .. } = self;
        if !self.is_plain
            || !steps::are_enough(self.input, self.active_goals)
            || !are_unscaled(pose, &avatar.trunk_joints)
        {
            return false;
        }
        if let Some(goal) = look_at_goal::<ScalarInRegister>(self.input, self.world, avatar) {
            let eyes = if goal.eyes.0 > 0.0 { avatar.look_at.eye_joints() } else { &[] };
            if !are_unscaled(pose, eyes) || !are_unscaled(pose, avatar.look_at.carried_joints()) {
                return false;
            }
            asked.look_at = Some(goal);
        }
        for goal in self.active_goals.goals() {
            let limb = avatar.limb(goal);
            if !limb_is_unscaled(pose, limb) {
                return false;
            }
            asked.limbs[goal.index()] = Some(limb_goal(self.input, self.world, limb, goal));
        }
        true
    }

    #[inline(always)]
    fn run_steps(&mut self, asked: &StepInput<ScalarInRegister>, before: &mut [Transform], outcomes: &mut Outcomes) {
        let Self { skeleton, avatar, .. } = *self;
        before.copy_from_slice(self.pose.local());
        let mut solo = SinglePose::new(skeleton, self.pose);
        let mut left = Left::default();
        steps::solve(avatar, &mut solo, asked, !self.is_guarded, &mut left);
        let sound = solo.is_sound();
        if !sound {
            self.pose.take_back(before);
        }
        let mut goals = [Outcome::INACTIVE; 4];
        for goal in self.active_goals.goals() {
            if let Some(left) = &left.limbs[goal.index()] {
                goals[goal.index()] = limb_outcome(left, self.active_goals.turns(goal), self.world);
            }
        }
        outcomes.set_of_steps(left.look_at.as_ref().map_or(Outcome::INACTIVE, look_at_outcome), goals, sound);
        if self.is_guarded && sound {
            let figure = ScaledPoseView { skeleton, pose: self.pose };
            for goal in self.active_goals.goals() {
                if let Some(twist) = left.twists[goal.index()] {
                    outcomes.keep_twist(goal, twist.alone().after_solve(&figure, &avatar.limb(goal).joints));
                }
            }
        }
    }

    fn run_all(&mut self, outcomes: &mut Outcomes) {
        self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
        let own = IkGoal::ALL.map(|goal| self.own_goal(goal));
        if self.bone_rotations.is_some() {
            self.override_bones();
            self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
        }
        self.place_body();
        self.compensate_reach(&own);
        outcomes.look_at = self.look_at();
        if self.input.look_at_weight.body > 0.0 && outcomes.look_at.status != Status::Inactive {
            // Looking has bent the spine.
            self.move_hips(&own);
        }
        let [left, right] = self.foot_pushes(&own);
        let pushes = [left, right, Vec3::ZERO, Vec3::ZERO];
        for (goal, push_ms) in IkGoal::ALL.into_iter().zip(pushes) {
            let limb = self.avatar.limb(goal);
            if self.active_goals.asks(goal) || push_ms != Vec3::ZERO {
                let twist = limb.twist.read(&ScaledPoseView { skeleton: self.skeleton, pose: self.pose });
                outcomes.goals[goal.index()] = self.limb(goal, &own[goal.index()], push_ms);
                let twist =
                    twist.after_solve(&ScaledPoseView { skeleton: self.skeleton, pose: self.pose }, &limb.joints);
                outcomes.keep_twist(goal, twist);
            }
        }
    }

    fn own_goal(&self, goal: IkGoal) -> OwnGoal {
        let limb = self.avatar.limb(goal);
        let end = self.pose.model(limb.joints.end());
        OwnGoal {
            position_ms: end.position,
            rotation_ms: end.rotation,
            hint_ms: self.pose.model(limb.joints.mid()).position,
        }
    }

    pub(super) fn point_in(&self, point_ws: Vec3) -> Vec3 {
        crate::constraints::point_in(self.world, point_ws)
    }

    /// Turns the bones whose rotations are replaced; their frames are stale.
    fn override_bones(&mut self) {
        for (bone, rotation) in HumanBone::ALL.into_iter().zip(self.bone_rotations.into_iter().flatten()) {
            if let (Some(rotation), Some(joint)) = (rotation, self.avatar.joint(bone)) {
                self.pose.put_rotation(joint, *rotation);
            }
        }
    }

    fn place_body(&mut self) {
        if self.input.body_position.is_none() && self.input.body_rotation.is_none() {
            return;
        }
        let now = self.avatar.body.measure(self.pose);
        let goal = BodyFrame {
            position: self.input.body_position.map_or(now.position, |p| self.point_in(p)),
            rotation: self.input.body_rotation.map_or(now.rotation, |r| self.world.axes_in(r)),
        };
        self.avatar.body.place(self.skeleton, self.pose, &goal, &self.avatar.core_joints);
    }

    fn look_at(&mut self) -> Outcome {
        let Some(goal) = look_at_goal::<f32>(self.input, self.world, self.avatar) else { return Outcome::INACTIVE };
        let look_at = &self.avatar.look_at;
        let mut figure = ScaledPoseView { skeleton: self.skeleton, pose: &mut *self.pose };
        let outcome = look_at_outcome(&look_at.solve(&mut figure, &goal));
        // The arms hang from the spine that has just turned.
        self.pose.update_joints_from(self.skeleton, &self.avatar.core_joints, look_at.first());
        outcome
    }

    /// Solves a limb for its goal, moved by `push_ms`.
    fn limb(&mut self, goal: IkGoal, own: &OwnGoal, push_ms: Vec3) -> Outcome {
        let wish = &self.input.goals[goal.index()];
        let hint = &self.input.hints[goal.index()];
        let limb: &LimbRig = self.avatar.limb(goal);
        let end = limb.joints.end();
        let before = self.pose.model(end).rotation;
        let allowed = self.settings.limits_enabled.then(|| limb_limits::allowed(self.avatar, self.pose, goal, limb));
        let hint_weight = if hint.position.is_some() { hint.weight } else { 0.0 };
        let target_ms = wish.position.map_or(own.position_ms, |p| self.point_in(p));
        let wanted_ms = self.pose.model(end).position.lerp(target_ms, wish.position_weight) + push_ms;
        // What moves the hand besides the limb must not move its target.
        let pushed = self.help_with_shoulder(goal, wanted_ms) || push_ms != Vec3::ZERO;
        let is_alone = !pushed && allowed.is_none() && self.active_goals.is_whole(goal);
        if is_alone && are_unscaled(self.pose, &self.avatar.trunk_joints) && limb_is_unscaled(self.pose, limb) {
            // As where nothing but the limbs is asked for, to the bit.
            let (mut asked, mut left) = (StepInput::default(), Left::default());
            asked.limbs[goal.index()] = Some(limb_goal(self.input, self.world, limb, goal));
            steps::solve(self.avatar, &mut SinglePose::new(self.skeleton, self.pose), &asked, false, &mut left);
            self.pose.update_joints(self.skeleton, limb.joints.path());
            if let Some(left) = &left.limbs[goal.index()] {
                return limb_outcome(left, self.active_goals.turns(goal), self.world);
            }
        }
        let mut outcome = Outcome::INACTIVE;
        if wish.position_weight > 0.0 || hint_weight > 0.0 || push_ms != Vec3::ZERO {
            let limb_goal = LimbGoal {
                target_ms: if pushed { wanted_ms } else { target_ms },
                weight: if pushed { 1.0 } else { wish.position_weight },
                pole_ms: hint.position.map_or(own.hint_ms, |p| self.point_in(p)),
                pole_weight: hint_weight,
                bend_side_js: limb.bend_side_js,
                centre_ps: limb.centre_ps,
                softness: 0.0,
                stretch: limb.stretch,
            };
            outcome = limb::solve(self.skeleton, self.pose, &limb.joints, &limb_goal);
            if let Some(allowed) = &allowed {
                let fits = limit_limb(self.avatar, self.pose, goal, limb, allowed);
                self.pose.update_joints(self.skeleton, limb.joints.path());
                let off = length(self.pose.model(end).position - wanted_ms);
                // An elbow at its own limit keeps the end away, too.
                if !fits || off > 1e-4 * self.avatar.human_scale().abs() {
                    outcome.status = Status::Unreachable;
                }
            }
            outcome.residual_m = length(self.world.vector_out(self.pose.model(end).position - wanted_ms));
        }
        if outcome.status == Status::Inactive && wish.rotation_weight <= 0.0 {
            return outcome;
        }
        // Rotation weight 0 keeps the orientation from before the limb moved; 1 is the goal's.
        let goal_ms = match wish.rotation {
            Some(rotation_ws) => self.world.axes_in(rotation_ws) * limb.goal_from_bone.conjugate(),
            None => own.rotation_ms,
        };
        let wanted = slerp_short(before, goal_ms.normalize(), wish.rotation_weight);
        self.pose.set_rotation_ms(self.skeleton, end, wanted);
        if let Some(allowed) = &allowed {
            let local = self.pose.local()[end].rotation;
            let kept = limb.twist.kept_by_end();
            let limited = limit_end(self.avatar, self.pose, goal, limb, local, kept, allowed);
            self.pose.local_mut()[end].rotation = limited;
        }
        self.pose.update_joints(self.skeleton, &[end]);
        if wish.rotation_weight > 0.0 {
            let left = self.pose.model(end).rotation * wanted.conjugate();
            outcome.residual_rad = rotation_angle(left);
            if outcome.status == Status::Inactive {
                outcome.status = Status::Reached;
            }
            // Only limits keep an end from turning.
            if allowed.is_some() && outcome.residual_rad > LIMITED {
                outcome.status = Status::Unreachable;
            }
        }
        outcome
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
        let turned = rig.help(self.skeleton, self.pose, limb.joints.root(), target_ms, reach, weight);
        if turned {
            self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
        }
        turned
    }
}
