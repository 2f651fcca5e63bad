//! One character: its pose, what its callback set, and the solve.

use super::HumanBone;
use super::active_goals::ActiveGoals;
use super::avatar::Avatar;
use super::body::BodyFrame;
use super::frame::{Outcomes, Solve};
use super::ik_goal::{HumanoidInput, IkGoal, IkGoalInput, IkHint, IkHintInput, LookAtWeight};
use super::inertia::Inertia;
use super::settings::HumanoidSettings;
use super::steps;
use crate::constraints::{ConstraintId, ConstraintStack};
use crate::math::{Frame, Quat, Transform, Vec3, normalize_or, rigid};
use crate::outcome::{Outcome, weight01};
use crate::skeleton::{JointIndex, Pose, PoseError, Skeleton};
use std::sync::Arc;

/// Why a call on an animator was refused. Nothing changes then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum AnimatorError {
    /// The animator has no avatar.
    #[error("the animator has no avatar: humanoid calls do not apply")]
    NotHumanoid,
    /// The avatar lacks the bone.
    #[error("the avatar has no {}", .0.name())]
    BoneNotMapped(HumanBone),
    /// The pose is not one.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The root transform has a zero scale: world space cannot be mapped back.
    #[error("the root transform's scale is zero")]
    ZeroScale,
    /// The avatar was made for another skeleton.
    #[error("the avatar was created for another skeleton")]
    WrongSkeleton,
    /// The joint is not one of the skeleton's.
    #[error("joint {0} is not one of the skeleton's")]
    NoSuchJoint(JointIndex),
    /// The animator has no such constraint, or no longer.
    #[error("the animator has no constraint {}", .0.0)]
    NoSuchConstraint(ConstraintId),
}

/// Which inputs were set since the last solve: those are what the getters give back.
#[derive(Clone, Copy, Debug, Default)]
struct Fresh {
    goal_positions: [bool; 4],
    goal_rotations: [bool; 4],
    hints: [bool; 4],
    look_at: bool,
    body_position: bool,
    body_rotation: bool,
}

/// The humanoid half of an animator.
#[derive(Clone, Debug)]
pub(super) struct Humanoid {
    pub avatar: Arc<Avatar>,
    input: HumanoidInput,
    /// What counts of the input's goals and hints.
    active_goals: ActiveGoals,
    settings: HumanoidSettings,
    /// Whether settings and avatar leave it at the few steps.
    is_plain: bool,
    pub inertia: Inertia,
    fresh: Fresh,
    bone_rotations: [Option<Quat>; HumanBone::COUNT],
    /// Whether there is one.
    turns_bones: bool,
    outcomes: Outcomes,
    /// The local transforms as the last solve found them.
    before: Vec<Transform>,
}

impl Humanoid {
    /// Changes a goal or its hint.
    #[inline]
    fn change(&mut self, goal: IkGoal, change: impl FnOnce(&mut IkGoalInput, &mut IkHintInput)) {
        change(&mut self.input.goals[goal.index()], &mut self.input.hints[goal.index()]);
        self.active_goals.renew(goal, &self.input, &self.avatar);
    }
    /// The last step: what is left of switches.
    #[inline(always)]
    fn fade(&mut self, pose: &mut Pose) {
        self.inertia.apply(pose, &self.input, &self.settings.inertialization_times_s, self.avatar.human_scale());
    }
}

/// One character: a pose, the humanoid goals, and what the last solve left.
///
/// Each frame: rewrite all local transforms in [`Self::pose_mut`] (they hold the last result) and set the root with
/// [`Self::set_root`], set goals, call [`Self::solve`], read [`Self::pose`]. Goals, weights and constraints stay until
/// changed. Goals, hints and look-at are in world space.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use sinew::humanoid::{Animator, Avatar, AvatarDefinition, IkGoal};
/// use sinew::math::Vec3;
/// use sinew::skeleton::SkeletonBuilder;
/// use std::sync::Arc;
/// let mut rig = SkeletonBuilder::new();
/// let hips = rig.joint_at("Hips", None, Vec3::new(0.0, 1.0, 0.0));
/// let spine = rig.joint_at("Spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
/// rig.joint_at("Head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
/// for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
///     let arm = rig.joint_at(&format!("{side}UpperArm"), Some(spine), Vec3::new(0.2 * x, 0.3, 0.0));
///     let forearm = rig.joint_at(&format!("{side}LowerArm"), Some(arm), Vec3::new(0.28 * x, 0.0, 0.0));
///     rig.joint_at(&format!("{side}Hand"), Some(forearm), Vec3::new(0.25 * x, 0.0, 0.0));
///     let thigh = rig.joint_at(&format!("{side}UpperLeg"), Some(hips), Vec3::new(0.1 * x, 0.0, 0.0));
///     let shin = rig.joint_at(&format!("{side}LowerLeg"), Some(thigh), Vec3::new(0.0, -0.45, 0.01));
///     rig.joint_at(&format!("{side}Foot"), Some(shin), Vec3::new(0.0, -0.45, -0.01));
/// }
/// let skeleton = Arc::new(rig.build()?);
/// let map = sinew::humanoid::map_human_names(&skeleton);
/// let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?;
/// let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar)))?;
/// animator.set_ik_position(IkGoal::RightHand, Vec3::new(-0.3, 1.2, 0.35))?;
/// animator.set_ik_position_weight(IkGoal::RightHand, 1.0)?;
/// // Each frame: rewrite every joint from the animation, here the rest pose.
/// animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
/// animator.solve()?;
/// assert!(animator.ik_outcome(IkGoal::RightHand)?.residual_m < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Animator {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) pose: Pose,
    root: Transform,
    pub(super) world_from_model: Frame,
    humanoid: Option<Box<Humanoid>>,
    pub(super) constraints: ConstraintStack,
}

impl Animator {
    /// A character in the rest pose, root at the origin, all weights 0. Without an avatar the humanoid calls answer
    /// [`AnimatorError::NotHumanoid`].
    pub fn new(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<Self, AnimatorError> {
        if avatar.as_ref().is_some_and(|a| !Arc::ptr_eq(a.skeleton(), &skeleton)) {
            return Err(AnimatorError::WrongSkeleton);
        }
        let humanoid = avatar.map(|avatar| {
            Box::new(Humanoid {
                before: vec![Transform::IDENTITY; skeleton.joint_count()],
                input: HumanoidInput::default(),
                active_goals: ActiveGoals::default(),
                settings: HumanoidSettings::default(),
                is_plain: steps::are_plain(&HumanoidSettings::default(), &avatar),
                avatar,
                inertia: Inertia::default(),
                fresh: Fresh::default(),
                bone_rotations: [None; HumanBone::COUNT],
                turns_bones: false,
                outcomes: Outcomes::default(),
            })
        });
        Ok(Self {
            pose: Pose::rest(&skeleton),
            skeleton,
            root: Transform::IDENTITY,
            world_from_model: Frame::IDENTITY,
            humanoid,
            constraints: ConstraintStack::default(),
        })
    }

    /// The rig.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }
    /// The avatar, if there is one.
    pub fn avatar(&self) -> Option<&Arc<Avatar>> {
        self.humanoid.as_ref().map(|h| &h.avatar)
    }
    /// The pose: the host's animation before a solve, the result after. Its model frames are as of the last update of each joint; for the
    /// frame of a joint as it is now ask [`Self::joint_ws`].
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
    /// The pose for writing local transforms.
    pub fn pose_mut(&mut self) -> &mut Pose {
        &mut self.pose
    }
    /// World from model space, as set.
    pub fn root(&self) -> &Transform {
        &self.root
    }
    /// Sets where the character's root object stands: world from model space, metres.
    pub fn set_root(&mut self, root: Transform) -> Result<(), AnimatorError> {
        let mut unit = root;
        unit.rotation = root.rotation.normalize();
        let frame = Frame::from_transform(&unit);
        if frame.inverse_linear().is_none() {
            return Err(AnimatorError::ZeroScale);
        }
        self.root = root;
        self.world_from_model = frame;
        Ok(())
    }

    pub(super) fn humanoid(&self) -> Result<&Humanoid, AnimatorError> {
        self.humanoid.as_deref().ok_or(AnimatorError::NotHumanoid)
    }
    pub(super) fn humanoid_mut(&mut self) -> Result<&mut Humanoid, AnimatorError> {
        self.humanoid.as_deref_mut().ok_or(AnimatorError::NotHumanoid)
    }

    /// Frame of a joint in world space, computed from the local transforms as they are now.
    pub fn joint_ws(&self, joint: JointIndex) -> Frame {
        self.world_from_model.compose(&self.joint_ms(joint))
    }
    fn joint_ms(&self, joint: JointIndex) -> Frame {
        let unit = |joint: JointIndex| {
            let mut local = self.pose.local()[joint];
            local.rotation = local.rotation.normalize();
            Frame::from_transform(&local)
        };
        self.skeleton.ancestors(joint).fold(unit(joint), |inner, above| unit(above).compose(&inner))
    }

    // What was set, and the animation's own where nothing was.

    /// See [`HumanoidInput::goals`]; has no effect while the position weight is 0.
    pub fn set_ik_position(&mut self, goal: IkGoal, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(goal, |wish, _| wish.position = Some(position_ws));
        humanoid.fresh.goal_positions[goal.index()] = true;
        Ok(())
    }
    /// What was set since the last solve, else the wrist or ankle of the pose as it is now; world space.
    pub fn ik_position(&self, goal: IkGoal) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        let set = humanoid.input.goals[goal.index()].position.filter(|_| humanoid.fresh.goal_positions[goal.index()]);
        Ok(match set {
            Some(set) => set,
            None => self.world_from_model.point_out(self.goal_of_pose_ms(goal)?.0),
        })
    }
    /// Sets how a hand or foot shall be turned: world space, Unity's goal frame.
    pub fn set_ik_rotation(&mut self, goal: IkGoal, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(goal, |wish, _| wish.rotation = Some(rotation_ws.normalize()));
        humanoid.fresh.goal_rotations[goal.index()] = true;
        Ok(())
    }
    /// What was set since the last solve, else that of the pose as it is now; world space, Unity's goal frame.
    pub fn ik_rotation(&self, goal: IkGoal) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let set = humanoid.input.goals[goal.index()].rotation.filter(|_| humanoid.fresh.goal_rotations[goal.index()]);
        Ok(match set {
            Some(set) => set,
            None => self.world_from_model.axes_out(self.goal_of_pose_ms(goal)?.1),
        })
    }
    /// The wrist or ankle of the pose as it is now, and how the hand or foot is turned in Unity's goal frame; model space.
    pub(super) fn goal_of_pose_ms(&self, goal: IkGoal) -> Result<(Vec3, Quat), AnimatorError> {
        let limb = self.humanoid()?.avatar.limb(goal);
        let end = self.joint_ms(limb.joints.end());
        Ok((end.position, (end.rotation * limb.goal_from_bone).normalize()))
    }
    /// How far the end goes to its goal position, limited to 0 … 1.
    pub fn set_ik_position_weight(&mut self, goal: IkGoal, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(goal, |wish, _| wish.position_weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_position_weight`].
    pub fn ik_position_weight(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.goals[goal.index()].position_weight)
    }
    /// How far the end turns to its goal rotation, limited to 0 … 1.
    pub fn set_ik_rotation_weight(&mut self, goal: IkGoal, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(goal, |wish, _| wish.rotation_weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_rotation_weight`].
    pub fn ik_rotation_weight(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.goals[goal.index()].rotation_weight)
    }
    /// Sets the point a knee or elbow shall bend towards, world space.
    pub fn set_ik_hint_position(&mut self, hint: IkHint, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.change(hint.goal(), |_, hint| hint.position = Some(position_ws));
        humanoid.fresh.hints[hint.index()] = true;
        Ok(())
    }
    /// What was set since the last solve, else the knee or elbow of the pose as it is now; world space.
    pub fn ik_hint_position(&self, hint: IkHint) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        let set = humanoid.input.hints[hint.index()].position.filter(|_| humanoid.fresh.hints[hint.index()]);
        Ok(set.unwrap_or_else(|| self.joint_ws(humanoid.avatar.limb(hint.goal()).joints.mid()).position))
    }
    /// How far the knee or elbow turns to its hint, limited to 0 … 1.
    pub fn set_ik_hint_position_weight(&mut self, hint: IkHint, weight: f32) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.change(hint.goal(), |_, hint| hint.weight = weight01(weight));
        Ok(())
    }
    /// See [`Self::set_ik_hint_position_weight`].
    pub fn ik_hint_position_weight(&self, hint: IkHint) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.input.hints[hint.index()].weight)
    }
    /// Sets the point to look at, world space.
    pub fn set_look_at_position(&mut self, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.look_at_position = Some(position_ws);
        humanoid.fresh.look_at = true;
        Ok(())
    }
    /// What was set since the last solve, else the point one unit ahead of the pose's own gaze; world space.
    pub fn look_at_position(&mut self) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        if let (Some(position), true) = (humanoid.input.look_at_position, humanoid.fresh.look_at) {
            return Ok(position);
        }
        let (origin_ws, gaze_ws) = self.gaze_ws()?;
        Ok(origin_ws + gaze_ws)
    }
    /// Where the gaze starts and its unit direction, world space, from the pose as it is now.
    pub fn gaze_ws(&mut self) -> Result<(Vec3, Vec3), AnimatorError> {
        let avatar = self.humanoid()?.avatar.clone();
        self.pose.update_joints(&self.skeleton, &avatar.core_joints);
        let (origin_ms, gaze_ms) = avatar.look_at.gaze(&self.pose);
        let world = &self.world_from_model;
        let gaze_ws = normalize_or(world.vector_out(gaze_ms), Vec3::Z);
        Ok((world.point_out(origin_ms), gaze_ws))
    }
    /// Sets the look-at weights, each limited to 0 … 1.
    pub fn set_look_at_weight(&mut self, weight: LookAtWeight) -> Result<(), AnimatorError> {
        self.humanoid_mut()?.input.look_at_weight = limited(weight);
        Ok(())
    }
    /// See [`Self::set_look_at_weight`].
    pub fn look_at_weight(&self) -> Result<LookAtWeight, AnimatorError> {
        Ok(self.humanoid()?.input.look_at_weight)
    }
    /// Sets where the centre of mass shall be, world space.
    pub fn set_body_position(&mut self, position_ws: Vec3) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_position = Some(position_ws);
        humanoid.fresh.body_position = true;
        Ok(())
    }
    /// What was set since the last solve, else the centre of mass of the pose as it is now; world space.
    pub fn body_position(&mut self) -> Result<Vec3, AnimatorError> {
        let humanoid = self.humanoid()?;
        match humanoid.input.body_position.filter(|_| humanoid.fresh.body_position) {
            Some(set) => Ok(set),
            None => {
                let body = self.measure_body()?;
                Ok(self.world_from_model.point_out(body.position))
            }
        }
    }
    /// Sets how the body shall be turned, world space.
    pub fn set_body_rotation(&mut self, rotation_ws: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_rotation = Some(rotation_ws.normalize());
        humanoid.fresh.body_rotation = true;
        Ok(())
    }
    /// What was set since the last solve, else that of the pose as it is now; world space.
    pub fn body_rotation(&mut self) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        match humanoid.input.body_rotation.filter(|_| humanoid.fresh.body_rotation) {
            Some(set) => Ok(set),
            None => {
                let body = self.measure_body()?;
                Ok(self.world_from_model.axes_out(body.rotation))
            }
        }
    }
    pub(super) fn measure_body(&mut self) -> Result<BodyFrame, AnimatorError> {
        let avatar = self.humanoid()?.avatar.clone();
        self.pose.update_joints(&self.skeleton, &avatar.core_joints);
        Ok(avatar.body.measure(&self.pose))
    }
    /// Takes back body position and rotation.
    pub fn clear_body(&mut self) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.input.body_position = None;
        humanoid.input.body_rotation = None;
        Ok(())
    }
    /// Replaces a bone's local rotation before anything else is solved.
    pub fn set_bone_local_rotation(&mut self, bone: HumanBone, rotation: Quat) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.avatar.joint(bone).ok_or(AnimatorError::BoneNotMapped(bone))?;
        humanoid.bone_rotations[bone.index()] = Some(rotation.normalize());
        humanoid.turns_bones = true;
        Ok(())
    }
    /// The replacement when one is set, else the pose's own local rotation.
    pub fn bone_local_rotation(&self, bone: HumanBone) -> Result<Quat, AnimatorError> {
        let humanoid = self.humanoid()?;
        let joint = humanoid.avatar.joint(bone).ok_or(AnimatorError::BoneNotMapped(bone))?;
        Ok(humanoid.bone_rotations[bone.index()].unwrap_or(self.pose.local()[joint].rotation))
    }
    /// Takes back all replaced bone rotations.
    pub fn clear_bone_local_rotations(&mut self) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.bone_rotations = [None; HumanBone::COUNT];
        humanoid.turns_bones = false;
        Ok(())
    }
    /// Takes back everything that was set; all weights 0.
    pub fn reset_ik(&mut self) -> Result<(), AnimatorError> {
        self.set_input(&HumanoidInput::default())?;
        self.clear_bone_local_rotations()
    }
    /// Sets goals, hints, look-at and body at once, in place of everything set before (bone rotations stay).
    pub fn set_input(&mut self, input: &HumanoidInput) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        let mut input = *input;
        for goal in &mut input.goals {
            goal.rotation = goal.rotation.map(Quat::normalize);
            goal.position_weight = weight01(goal.position_weight);
            goal.rotation_weight = weight01(goal.rotation_weight);
        }
        for hint in &mut input.hints {
            hint.weight = weight01(hint.weight);
        }
        input.look_at_weight = limited(input.look_at_weight);
        input.body_rotation = input.body_rotation.map(Quat::normalize);
        humanoid.active_goals = ActiveGoals::of(&input, &humanoid.avatar);
        humanoid.input = input;
        humanoid.fresh = Fresh {
            goal_positions: [true; 4],
            goal_rotations: [true; 4],
            hints: [true; 4],
            look_at: true,
            body_position: true,
            body_rotation: true,
        };
        Ok(())
    }
    /// How the body helps hands and feet; stays until changed. Weights outside 0 … 1 are limited to it.
    pub fn set_settings(&mut self, settings: &HumanoidSettings) -> Result<(), AnimatorError> {
        let humanoid = self.humanoid_mut()?;
        humanoid.settings = settings.limited();
        humanoid.is_plain = steps::are_plain(&humanoid.settings, &humanoid.avatar);
        humanoid.inertia.prepare(&humanoid.avatar, &humanoid.settings.inertialization_times_s);
        Ok(())
    }
    /// See [`Self::set_settings`].
    pub fn settings(&self) -> Result<&HumanoidSettings, AnimatorError> {
        Ok(&self.humanoid()?.settings)
    }
    /// Goals, hints, look-at and body as they are set.
    pub fn input(&self) -> Result<&HumanoidInput, AnimatorError> {
        Ok(&self.humanoid()?.input)
    }

    // What the avatar knows.

    /// Whether there is an avatar.
    pub fn is_human(&self) -> bool {
        self.humanoid.is_some()
    }
    /// [`Avatar::human_scale`]; 1 without an avatar.
    pub fn human_scale(&self) -> f32 {
        self.humanoid.as_ref().map_or(1.0, |h| h.avatar.human_scale())
    }
    /// [`Avatar::foot_bottom_height`].
    pub fn foot_bottom_height(&self, goal: IkGoal) -> Result<f32, AnimatorError> {
        Ok(self.humanoid()?.avatar.foot_bottom_height(goal))
    }
    /// Joint of a human bone, `None` when the rig has no such bone.
    pub fn bone_joint(&self, bone: HumanBone) -> Result<Option<JointIndex>, AnimatorError> {
        Ok(self.humanoid()?.avatar.joint(bone))
    }
    /// What the last solve left at a goal.
    pub fn ik_outcome(&self, goal: IkGoal) -> Result<Outcome, AnimatorError> {
        Ok(self.humanoid()?.outcomes.goals[goal.index()])
    }
    /// How far a bone of the pose as it is now is beyond people's limits, radians; 0 within them. See [`Avatar::human_limits`].
    pub fn limit_violation_rad(&self, bone: HumanBone) -> Result<f32, AnimatorError> {
        let avatar = &self.humanoid()?.avatar;
        let joint = avatar.joint(bone).ok_or(AnimatorError::BoneNotMapped(bone))?;
        Ok(avatar.human_limits().violation_rad(bone, &self.pose.local()[joint]))
    }
    /// What the last solve left of the look-at. `residual_rad` is the angle between the head's line of sight and the target.
    pub fn look_at_outcome(&self) -> Result<Outcome, AnimatorError> {
        Ok(self.humanoid()?.outcomes.look_at)
    }

    /// Applies everything set to the pose, in this order: bone rotations, body, look-at, limbs, end rotations, constraints, twist. Steps
    /// with weight 0 leave their joints bit for bit as they were. Fails, and changes nothing, when the pose has a bad number.
    pub fn solve(&mut self) -> Result<(), AnimatorError> {
        self.pose.check_local()?;
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.fresh = Fresh::default();
            let solve = Solve {
                skeleton: &self.skeleton,
                pose: &mut self.pose,
                world: &self.world_from_model,
                avatar: &humanoid.avatar,
                input: &humanoid.input,
                active_goals: humanoid.active_goals,
                is_plain: humanoid.is_plain,
                settings: &humanoid.settings,
                bone_rotations: humanoid.turns_bones.then_some(&humanoid.bone_rotations),
                is_guarded: !self.constraints.is_empty(),
            };
            solve.run(&mut humanoid.before, &mut humanoid.outcomes);
        }
        self.constraints.solve(&self.skeleton, &mut self.pose, &self.world_from_model);
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.outcomes.share_twists(&self.skeleton, &humanoid.avatar, &humanoid.settings, &mut self.pose);
            humanoid.fade(&mut self.pose);
        }
        Ok(())
    }

    /// Whether the few steps are enough for what is asked: with a sound pose without scale the character can go in step with others of its
    /// avatar.
    pub(super) fn goes_in_step(&self) -> bool {
        self.humanoid.as_deref().is_some_and(|h| {
            self.constraints.is_empty() && !h.turns_bones && h.is_plain && steps::are_enough(&h.input, h.active_goals)
        })
    }
    /// Whether it will go in step, if its next input and pose are like the last ones that it was given by itself.
    pub(crate) fn may_go_in_step(&self) -> bool {
        let unscaled = || self.pose.is_known_plain() || !self.pose.local().iter().any(rigid::is_scaled);
        self.goes_in_step() && !self.switches() && unscaled()
    }
    /// Whether switches may have something to add to a pose that is solved.
    pub(super) fn switches(&self) -> bool {
        self.humanoid.as_deref().is_some_and(|h| !h.inertia.is_none())
    }
    /// What is asked of a character that goes in step.
    #[inline(always)]
    pub(super) fn asked_in_step(&self) -> Option<(&HumanoidInput, ActiveGoals)> {
        self.humanoid.as_deref().map(|h| (&h.input, h.active_goals))
    }
    /// Keeps what the steps have left of looking and of the limbs, when the character's pose holds their result (or, not `sound`, is as it was).
    #[inline(always)]
    pub(super) fn finish_in_step(&mut self, look_at: Outcome, goals: [Outcome; 4], sound: bool) {
        if let Some(humanoid) = self.humanoid.as_deref_mut() {
            humanoid.fresh = Fresh::default();
            humanoid.outcomes.set_of_steps(look_at, goals, sound);
            humanoid.fade(&mut self.pose);
        }
    }

    pub(super) fn parts_for_drawing(&mut self) -> Drawing<'_> {
        self.pose.update(&self.skeleton);
        Drawing {
            skeleton: &self.skeleton,
            pose: &self.pose,
            world: &self.world_from_model,
            humanoid: self.humanoid.as_deref().map(|h| (&*h.avatar, &h.input)),
        }
    }
}

/// What there is to draw of an animator, model frames up to date.
pub(super) struct Drawing<'a> {
    pub skeleton: &'a Skeleton,
    pub pose: &'a Pose,
    pub world: &'a Frame,
    pub humanoid: Option<(&'a Avatar, &'a HumanoidInput)>,
}

fn limited(w: LookAtWeight) -> LookAtWeight {
    LookAtWeight {
        weight: weight01(w.weight),
        body: weight01(w.body),
        head: weight01(w.head),
        eyes: weight01(w.eyes),
        clamp: weight01(w.clamp),
    }
}
