//! A number for everything of a character that decides its next frame and changes in play.

use super::animator::Animator;
use crate::chains::AxisGoal;
use crate::constraints::ConstraintInput;
use crate::humanoid::goal_priority::GoalPriorities;
use crate::humanoid::{GoalPriority, HumanoidInput, IkGoal, IkGoalInput};
use crate::math::{Quat, Transform, Vec3};

/// A hash of 64 bits over words: the same on every platform, not meant to resist an attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl StateHash {
    /// Adds a word.
    pub fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }
    /// Adds the number of another hash.
    pub fn hash(&mut self, other: u64) {
        self.word(other as u32);
        self.word((other >> 32) as u32);
    }
    /// Adds the bits of a transform.
    pub fn transform(&mut self, t: &Transform) {
        self.vec3(t.position);
        self.quat(t.rotation);
        self.vec3(t.scale);
    }
    /// The hash.
    pub fn finish(self) -> u64 {
        self.0
    }
    fn number(&mut self, number: f32) {
        self.word(number.to_bits());
    }
    fn vec3(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|n| self.number(n));
    }
    fn quat(&mut self, q: Quat) {
        q.to_array().into_iter().for_each(|n| self.number(n));
    }
    fn optional<T>(&mut self, value: Option<T>, add: impl FnOnce(&mut Self, T)) {
        self.word(u32::from(value.is_some()));
        if let Some(value) = value {
            add(self, value);
        }
    }
    fn goal(&mut self, goal: &IkGoalInput) {
        self.optional(goal.position, Self::vec3);
        self.optional(goal.rotation, Self::quat);
        self.number(goal.position_weight);
        self.number(goal.rotation_weight);
    }
    fn priority(&mut self, priority: &GoalPriority) {
        self.number(priority.position_importance);
        self.number(priority.rotation_importance);
        self.word(u32::from(priority.level));
    }
    fn humanoid_input(&mut self, input: &HumanoidInput) {
        input.goals.iter().for_each(|goal| self.goal(goal));
        for hint in &input.hints {
            self.optional(hint.position, Self::vec3);
            self.number(hint.weight);
        }
        self.optional(input.look_at_position, Self::vec3);
        let look = &input.look_at_weight;
        [look.weight, look.body, look.head, look.eyes, look.clamp].into_iter().for_each(|w| self.number(w));
        self.optional(input.body_position, Self::vec3);
        self.optional(input.body_rotation, Self::quat);
        if let Some(moved) = &input.body_move {
            self.vec3(moved.offset_ws);
            self.quat(moved.turn_ws);
        }
    }
    fn constraint_input(&mut self, input: &ConstraintInput) {
        self.number(input.weight);
        for goal in &input.goals {
            self.optional(goal.position_ws, Self::vec3);
            self.optional(goal.rotation_ws, Self::quat);
            self.optional(goal.axis_ws, |hash, AxisGoal { axis, direction }| {
                hash.vec3(axis);
                hash.vec3(direction);
            });
            self.number(goal.position_weight);
            self.number(goal.rotation_weight);
            self.number(goal.position_importance);
            self.number(goal.rotation_importance);
            self.optional(goal.distance, |hash, distance| {
                hash.word(distance.mode as u32);
                hash.number(distance.radius_m);
            });
        }
        self.optional(input.pole_ws, |hash, pole| {
            hash.vec3(pole.at);
            hash.word(u32::from(pole.is_direction));
            hash.optional(pole.reference, Self::vec3);
            hash.number(pole.angle_rad);
            hash.number(pole.weight);
        });
    }
}

impl Animator {
    /// Adds root, humanoid input, input and placement of constraints, and the state that lasts
    /// between frames: not the pose, and not what is set up (rig, settings, limits, definitions).
    /// Two animators that were set up alike and have the same hash and pose go on with the same
    /// bits.
    pub fn hash_state(&self, hash: &mut StateHash) {
        hash.transform(self.root());
        if let Some(humanoid) = self.humanoid.as_deref() {
            hash.humanoid_input(&humanoid.input);
            humanoid.bone_rotations().iter().for_each(|rotation| hash.optional(*rotation, StateHash::quat));
            humanoid.effectors.iter().for_each(|effector| hash.goal(effector));
            let priorities = humanoid.priorities();
            if *priorities != GoalPriorities::DEFAULT {
                let GoalPriorities { goals, effectors } = priorities;
                goals.iter().chain(effectors).for_each(|priority| hash.priority(priority));
            }
            if let Some(places) = humanoid.places() {
                for goal in IkGoal::ALL {
                    hash.optional(places.space(goal), |hash, joint| hash.word(joint as u32));
                    hash.vec3(places.point_js(goal));
                }
            }
        }
        hash.number(self.iteration_scale());
        for (slot, input) in self.constraints.inputs() {
            hash.word(u32::from(slot));
            hash.constraint_input(input);
        }
        self.state.write(self.skeleton.joint_count(), &self.constraints, &mut |word| hash.word(word));
    }
}
