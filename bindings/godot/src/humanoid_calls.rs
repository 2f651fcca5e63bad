//! Methods for scripts of a [`SinewHumanoidIK`]: goals by number, as in Unity's Animator, and
//! results of an update.

use crate::argument;
use crate::avatar;
use crate::convert::{quaternion, vector3};
use crate::human_effector::SinewHumanEffector;
use crate::humanoid_ik::{LOOK_AT, SinewHumanoidIK};
use crate::outcome;
use godot::builtin::{GString, Quaternion, VarDictionary, Vector3};
use godot::obj::{Gd, WithBaseField};
use godot::register::godot_api;
use sinew::humanoid::IkGoal;
use sinew::outcome::Outcome;

/// Sets the field of a goal's number, the fields in the order of goals; other numbers are an error.
macro_rules! set_limb {
    ($call:literal, $node:ident, $goal:ident,
     [$left_foot:ident, $right_foot:ident, $left_hand:ident, $right_hand:ident], $value:ident) => {
        match ik_goal($call, $goal) {
            Some(IkGoal::LeftFoot) => $node.$left_foot = $value,
            Some(IkGoal::RightFoot) => $node.$right_foot = $value,
            Some(IkGoal::LeftHand) => $node.$left_hand = $value,
            Some(IkGoal::RightHand) => $node.$right_hand = $value,
            None => {}
        }
    };
}

fn ik_goal(call: &str, number: i32) -> Option<IkGoal> {
    argument::one_of(call, "goal", number, &IkGoal::ALL)
}

#[godot_api(secondary)]
impl SinewHumanoidIK {
    /// Sets the goal position of a hand or foot, world space, metres; used when no node is set.
    #[func]
    pub(crate) fn set_ik_position(&mut self, goal: i32, position: Vector3) {
        set_limb!(
            "SinewHumanoidIK.set_ik_position",
            self,
            goal,
            [left_foot_position, right_foot_position, left_hand_position, right_hand_position],
            position
        );
    }
    /// Sets the goal rotation of a hand or foot, world space; see [member rotation_frame].
    #[func]
    pub(crate) fn set_ik_rotation(&mut self, goal: i32, rotation: Quaternion) {
        set_limb!(
            "SinewHumanoidIK.set_ik_rotation",
            self,
            goal,
            [left_foot_rotation, right_foot_rotation, left_hand_rotation, right_hand_rotation],
            rotation
        );
    }
    /// Sets a goal's position weight, 0 to 1.
    #[func]
    fn set_ik_position_weight(&mut self, goal: i32, weight: f32) {
        set_limb!(
            "SinewHumanoidIK.set_ik_position_weight",
            self,
            goal,
            [
                left_foot_position_weight,
                right_foot_position_weight,
                left_hand_position_weight,
                right_hand_position_weight
            ],
            weight
        );
    }
    /// Sets a goal's rotation weight, 0 to 1.
    #[func]
    fn set_ik_rotation_weight(&mut self, goal: i32, weight: f32) {
        set_limb!(
            "SinewHumanoidIK.set_ik_rotation_weight",
            self,
            goal,
            [
                left_foot_rotation_weight,
                right_foot_rotation_weight,
                left_hand_rotation_weight,
                right_hand_rotation_weight
            ],
            weight
        );
    }
    /// Sets the point the knee or elbow of a goal's limb bends towards, world space, metres.
    #[func]
    pub(crate) fn set_ik_hint_position(&mut self, goal: i32, position: Vector3) {
        set_limb!(
            "SinewHumanoidIK.set_ik_hint_position",
            self,
            goal,
            [left_foot_hint_position, right_foot_hint_position, left_hand_hint_position, right_hand_hint_position],
            position
        );
    }
    /// Sets a hint's weight, 0 to 1.
    #[func]
    fn set_ik_hint_position_weight(&mut self, goal: i32, weight: f32) {
        set_limb!(
            "SinewHumanoidIK.set_ik_hint_position_weight",
            self,
            goal,
            [left_foot_hint_weight, right_foot_hint_weight, left_hand_hint_weight, right_hand_hint_weight],
            weight
        );
    }
    /// Sets all weights of the look-at, each 0 to 1.
    #[func]
    fn set_look_at_weights(
        &mut self,
        weight: f32,
        #[opt(default = 0.0)] body: f32,
        #[opt(default = 1.0)] head: f32,
        #[opt(default = 0.0)] eyes: f32,
        #[opt(default = 0.5)] clamp: f32,
    ) {
        self.look_at_weight = weight;
        self.look_at_body_weight = body;
        self.look_at_head_weight = head;
        self.look_at_eyes_weight = eyes;
        self.look_at_clamp_weight = clamp;
    }
    /// Sets the bone in whose space goal and hint of a hand or foot are given; empty: world space.
    /// See [member left_hand_goal_space].
    #[func]
    fn set_ik_goal_space(&mut self, goal: i32, bone: GString) {
        match ik_goal("SinewHumanoidIK.set_ik_goal_space", goal) {
            Some(IkGoal::LeftFoot) => self.left_foot_goal_space.put(bone),
            Some(IkGoal::RightFoot) => self.right_foot_goal_space.put(bone),
            Some(IkGoal::LeftHand) => self.left_hand_goal_space.put(bone),
            Some(IkGoal::RightHand) => self.right_hand_goal_space.put(bone),
            None => {}
        }
    }
    /// Sets the point of a hand or foot that goes to its goal position, in the space of its bone,
    /// metres. See [member left_hand_effector_point].
    #[func]
    fn set_ik_effector_point(&mut self, goal: i32, point: Vector3) {
        set_limb!(
            "SinewHumanoidIK.set_ik_effector_point",
            self,
            goal,
            [left_foot_effector_point, right_foot_effector_point, left_hand_effector_point, right_hand_effector_point],
            point
        );
    }
    /// Position of a wrist or ankle, or of its effector point, after the last update, world space
    /// or the goal's space, metres; its current position when its limb has no goal.
    #[func]
    fn get_ik_position(&self, goal: i32) -> Vector3 {
        let found = self.humanoid.as_ref().zip(ik_goal("SinewHumanoidIK.get_ik_position", goal)).and_then(
            |(humanoid, goal)| {
                let attached = &humanoid.attached;
                let unread = self.base().get_skeleton().and_then(|skeleton| humanoid.unread(goal, &skeleton));
                let solved = || {
                    let position = attached.animator.ik_position(goal).ok()?;
                    let in_space = self.is_in_space(goal.index());
                    Some(if in_space { position } else { attached.place.point_out(position) })
                };
                unread.map(|unread| unread.0).or_else(solved)
            },
        );
        found.map(vector3).unwrap_or_default()
    }
    /// Rotation of a hand or foot after the last update, world space or the goal's space, in the
    /// goal frame; its current rotation when its limb has no goal.
    #[func]
    fn get_ik_rotation(&self, goal: i32) -> Quaternion {
        let found = self.humanoid.as_ref().zip(ik_goal("SinewHumanoidIK.get_ik_rotation", goal)).and_then(
            |(humanoid, goal)| {
                let unread = self.base().get_skeleton().and_then(|skeleton| humanoid.unread(goal, &skeleton));
                unread.map(|unread| unread.1).or_else(|| humanoid.attached.animator.ik_rotation(goal).ok())
            },
        );
        found.map_or(Quaternion::default(), quaternion)
    }
    /// How the last update ended for a hand or foot; see the STATUS constants.
    #[func]
    fn get_ik_status(&self, goal: i32) -> i32 {
        ik_goal("SinewHumanoidIK.get_ik_status", goal).map_or(0, |goal| outcome::status(&self.outcomes[goal.index()]))
    }
    /// Remaining distance in metres (world) between a hand or foot and its weighted goal.
    #[func]
    fn get_ik_residual(&self, goal: i32) -> f32 {
        ik_goal("SinewHumanoidIK.get_ik_residual", goal).map_or(0.0, |goal| self.outcomes[goal.index()].residual_m)
    }
    /// Remaining angle in radians between a hand or foot and its weighted rotation goal.
    #[func]
    fn get_ik_residual_angle(&self, goal: i32) -> f32 {
        ik_goal("SinewHumanoidIK.get_ik_residual_angle", goal)
            .map_or(0.0, |goal| self.outcomes[goal.index()].residual_rad)
    }
    /// How the last update ended for the look-at.
    #[func]
    fn get_look_at_status(&self) -> i32 {
        outcome::status(&self.outcomes[LOOK_AT])
    }
    /// Remaining angle in radians between the line of sight and its weighted target.
    #[func]
    fn get_look_at_residual_angle(&self) -> f32 {
        self.outcomes[LOOK_AT].residual_rad
    }
    /// Begins a transition of [member inertialization_time] to the goal of the next update. Call it
    /// when a goal's position or its node's place jumps; new weights and other target nodes need no
    /// call.
    #[func]
    fn inertialize(&mut self, goal: i32) {
        if let Some(goal) = ik_goal("SinewHumanoidIK.inertialize", goal) {
            self.switched[goal.index()] = true;
        }
    }
    /// Whether a transition of a hand or foot is in progress: it is then not yet where the status
    /// and the residual say.
    #[func]
    fn is_inertializing(&self, goal: i32) -> bool {
        let goal = ik_goal("SinewHumanoidIK.is_inertializing", goal);
        let found = self.humanoid.as_ref().zip(goal);
        found.is_some_and(|(humanoid, goal)| humanoid.attached.animator.is_inertializing(goal).unwrap_or(false))
    }
    /// Begins a transition of the gaze to the target of the next update, as [method inertialize]
    /// does of a hand or foot. Call it when [member look_at_position] or the target node's place
    /// jumps; new weights and another target node need no call.
    #[func]
    fn inertialize_look_at(&mut self) {
        self.switched[LOOK_AT] = true;
    }
    /// Whether a transition of the gaze is in progress: its status and residual are those of the
    /// target and weights of that moment.
    #[func]
    fn is_look_at_inertializing(&self) -> bool {
        let animator = self.humanoid.as_ref().map(|humanoid| &humanoid.attached.animator);
        animator.is_some_and(|animator| animator.is_inertializing_look_at().unwrap_or(false))
    }
    /// Appends an effector of the whole-body solver.
    #[func]
    fn add_effector(&mut self, effector: Option<Gd<SinewHumanEffector>>) {
        self.effectors.put(self.effectors.iter_shared().chain([effector]).collect());
    }
    /// How the last update ended for an effector, by its place in [member effectors]; see the
    /// STATUS constants.
    #[func]
    fn get_effector_status(&self, number: i32) -> i32 {
        outcome::status(&self.effector_outcome("SinewHumanoidIK.get_effector_status", number))
    }
    /// Remaining distance in metres (world) between an effector and its weighted goal.
    #[func]
    fn get_effector_residual(&self, number: i32) -> f32 {
        self.effector_outcome("SinewHumanoidIK.get_effector_residual", number).residual_m
    }
    /// Remaining angle in radians between an effector and its weighted goal rotation.
    #[func]
    fn get_effector_residual_angle(&self, number: i32) -> f32 {
        self.effector_outcome("SinewHumanoidIK.get_effector_residual_angle", number).residual_rad
    }
    /// The skeleton's bone name of each human bone found, by its name in [SkeletonProfileHumanoid].
    /// Empty before the first update.
    #[func]
    fn get_bone_mapping(&self) -> VarDictionary {
        let mut mapping = VarDictionary::new();
        for (bone, name) in self.humanoid.iter().flat_map(|h| &h.rigged.mapped) {
            mapping.set(&GString::from(&avatar::profile_name(*bone)), &GString::from(name));
        }
        mapping
    }
    /// Height of the centre of mass above the soles in the T-pose, metres; 0 before the first
    /// update.
    #[func]
    fn get_human_scale(&self) -> f32 {
        self.humanoid.as_ref().map_or(0.0, |h| h.rigged.avatar.human_scale())
    }
    /// Distance from a foot's ankle down to its sole in the T-pose, metres; 0 for hands.
    #[func]
    fn get_foot_bottom_height(&self, goal: i32) -> f32 {
        let found = self.humanoid.as_ref().zip(ik_goal("SinewHumanoidIK.get_foot_bottom_height", goal));
        found.map_or(0.0, |(humanoid, goal)| humanoid.rigged.avatar.foot_bottom_height(goal))
    }
}

impl SinewHumanoidIK {
    fn effector_outcome(&self, call: &str, number: i32) -> Outcome {
        let number = argument::index(call, "number", number, self.effectors.len());
        number.map_or(Outcome::INACTIVE, |number| self.effector_list.outcome(number))
    }
}
