//! Input of a [`SinewHumanoidIK`]: its properties and nodes as goals, and the reasons why one has
//! no effect.

use crate::calls::Mark;
use crate::constraint;
use crate::convert::{quat, vec3};
use crate::humanoid::{BodyWish, goal_input};
use crate::humanoid_ik::{LOOK_AT, SinewHumanoidIK};
use crate::property::{self, TargetPath, target_node};
use godot::builtin::Vector3;
use godot::obj::WithBaseField;
use sinew::humanoid::{HumanoidInput, IkHintInput, LookAtWeight};
use sinew::math::{Quat, Vec3};

/// Calls `$do!` with the fields of the limb of a goal's number.
macro_rules! limb {
    ($number:expr, $do:ident $(, $argument:expr)*) => {
        match $number {
            0 => $do!(left_foot_target, left_foot_position, left_foot_rotation, left_foot_position_weight,
                left_foot_rotation_weight, left_foot_hint_target, left_foot_hint_position, left_foot_hint_weight $(, $argument)*),
            1 => $do!(right_foot_target, right_foot_position, right_foot_rotation, right_foot_position_weight,
                right_foot_rotation_weight, right_foot_hint_target, right_foot_hint_position, right_foot_hint_weight $(, $argument)*),
            2 => $do!(left_hand_target, left_hand_position, left_hand_rotation, left_hand_position_weight,
                left_hand_rotation_weight, left_hand_hint_target, left_hand_hint_position, left_hand_hint_weight $(, $argument)*),
            _ => $do!(right_hand_target, right_hand_position, right_hand_rotation, right_hand_position_weight,
                right_hand_rotation_weight, right_hand_hint_target, right_hand_hint_position, right_hand_hint_weight $(, $argument)*),
        }
    };
}

impl SinewHumanoidIK {
    /// Clears the cached nodes: paths may have changed.
    pub(crate) fn forget_targets(&mut self) {
        for goal in 0..4 {
            macro_rules! forget {
                ($target:ident, $p:ident, $r:ident, $pw:ident, $rw:ident, $hint:ident, $hp:ident, $hw:ident) => {{
                    self.$target.forget();
                    self.$hint.forget();
                }};
            }
            limb!(goal, forget);
        }
        self.look_at_target.forget();
        self.body_target.forget();
        self.effector_list.forget_targets();
    }

    /// Input from the properties and nodes, world space, or the spaces of bones. Goals of weight 0,
    /// and goals whose node is not there, have no effect.
    pub(crate) fn collect_input(&mut self) -> HumanoidInput {
        let mut input = HumanoidInput::default();
        for number in 0..4 {
            macro_rules! gather {
                ($target:ident, $position:ident, $rotation:ident, $position_weight:ident, $rotation_weight:ident,
                 $hint:ident, $hint_position:ident, $hint_weight:ident) => {{
                    let (weights, in_space) =
                        ((self.$position_weight, self.$rotation_weight), self.is_in_space(number));
                    if weights.0 > 0.0 || weights.1 > 0.0 {
                        let node = target_node!(self.$target);
                        let place = if !self.$target.is_set() {
                            Some((vec3(self.$position), quat(self.$rotation)))
                        } else {
                            node.map(|node| {
                                if in_space {
                                    property::placement_below_parent(node)
                                } else if weights.1 > 0.0 {
                                    property::placement_of(node)
                                } else {
                                    (property::position_of(node), Quat::IDENTITY)
                                }
                            })
                        };
                        if let Some((position, rotation)) = place {
                            let followed = node.map(|node| node.id());
                            self.switched[number] |=
                                core::mem::replace(&mut self.followed[number], followed) != followed;
                            input.goals[number] = goal_input(position, rotation, weights);
                            // Neither a node nor a position: the goal is the animated position of
                            // the limb's end.
                            if !self.$target.is_set() && self.$position == Vector3::ZERO {
                                input.goals[number].position = None;
                            }
                        }
                    }
                    if self.$hint_weight > 0.0 {
                        let point = if self.$hint.is_set() {
                            let below_parent: fn(Mark) -> Vec3 = |node| property::placement_below_parent(node).0;
                            target_node!(self.$hint).map(if in_space { below_parent } else { property::position_of })
                        } else {
                            // Zero is the default: no hint is given.
                            Some(vec3(self.$hint_position)).filter(|p| *p != Vec3::ZERO)
                        };
                        if let Some(position) = point.filter(|p| p.is_finite()) {
                            input.hints[number] = IkHintInput { position: Some(position), weight: self.$hint_weight };
                        }
                    }
                }};
            }
            limb!(number, gather);
        }
        if self.look_at_weight > 0.0 {
            let node = target_node!(self.look_at_target);
            let followed = node.map(|node| node.id());
            self.switched[LOOK_AT] |= core::mem::replace(&mut self.followed[LOOK_AT], followed) != followed;
            let point = if self.look_at_target.is_set() {
                node.map(property::position_of)
            } else {
                Some(vec3(self.look_at_position))
            };
            input.look_at_position = point.filter(|p| p.is_finite());
            input.look_at_weight = LookAtWeight {
                weight: self.look_at_weight,
                body: self.look_at_body_weight,
                head: self.look_at_head_weight,
                eyes: self.look_at_eyes_weight,
                clamp: self.look_at_clamp_weight,
            };
        }
        input
    }

    /// Sets the weights of all goals, hints, look-at, body and effectors to 0.
    pub(crate) fn clear_weights(&mut self) {
        for number in 0..4 {
            macro_rules! clear {
                ($t:ident, $p:ident, $r:ident, $position_weight:ident, $rotation_weight:ident, $h:ident, $hp:ident,
                 $hint_weight:ident) => {{
                    (self.$position_weight, self.$rotation_weight, self.$hint_weight) = (0.0, 0.0, 0.0);
                }};
            }
            limb!(number, clear);
        }
        self.look_at_weight = 0.0;
        (self.body_position_weight, self.body_rotation_weight) = (0.0, 0.0);
        for mut effector in self.effectors.iter_shared().flatten() {
            let mut effector = effector.bind_mut();
            (effector.position_weight, effector.rotation_weight) = (0.0, 0.0);
        }
    }

    /// Position and rotation goals of the body with their weights, when one weight is above 0.
    pub(crate) fn body_wish(&mut self) -> Option<BodyWish> {
        let mut weights = (self.body_position_weight, self.body_rotation_weight);
        if !self.body_target.is_set() && self.body_position == Vector3::ZERO {
            // As for hands and feet, zero is the default: no position is given.
            weights.0 = 0.0;
        }
        if !(weights.0 > 0.0 || weights.1 > 0.0) {
            return None;
        }
        let (position, rotation) = if self.body_target.is_set() {
            let node = target_node!(self.body_target)?;
            property::placement_of(node)
        } else {
            (vec3(self.body_position), quat(self.body_rotation))
        };
        Some(BodyWish { position, rotation, weights })
    }

    /// Error texts for everything that keeps the node from working.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut all: Vec<String> = constraint::place_problem(self.base().get_skeleton()).into_iter().collect();
        if !self.problem.is_empty() {
            all.push(self.problem.clone());
        }
        all.extend(self.limit_problems.iter().cloned());
        all.extend(self.space_problems.iter().cloned());
        let mapped = self.humanoid.as_ref().map(|humanoid| &humanoid.rigged.mapped);
        all.extend(mapped.and_then(|mapped| self.bone_overrides.problem(mapped)));
        let mut path = |name: &str, path: &TargetPath, weight: f32, weights: &str| {
            if path.is_set() && path.kept().is_none() && path.find(&self.base()).is_none() {
                all.push(format!("The path of {name} leads to no Node3D in the scene."));
            } else if path.is_set() && weight <= 0.0 {
                all.push(format!("{name} is set, but {weights}: it has no effect."));
            }
        };
        let mut missing = Vec::new();
        for number in 0..4 {
            macro_rules! tell {
                ($target:ident, $p:ident, $r:ident, $position_weight:ident, $rotation_weight:ident, $hint:ident, $hp:ident,
                 $hint_weight:ident) => {{
                    let weight = self.$position_weight.max(self.$rotation_weight);
                    if self.$position_weight > 0.0 && !self.$target.is_set() && self.$p == Vector3::ZERO {
                        missing.push(concat!(
                            stringify!($position_weight),
                            " is above 0, but neither ",
                            stringify!($target),
                            " nor ",
                            stringify!($p),
                            " is set: the limb's end is held where the animation has it."
                        ));
                    }
                    path(stringify!($target), &self.$target, weight, "its position and rotation weights are 0");
                    path(stringify!($hint), &self.$hint, self.$hint_weight, "its weight is 0");
                }};
            }
            limb!(number, tell);
        }
        path("look_at_target", &self.look_at_target, self.look_at_weight, "look_at_weight is 0");
        let weight = self.body_position_weight.max(self.body_rotation_weight);
        path("body_target", &self.body_target, weight, "its position and rotation weights are 0");
        if self.body_position_weight > 0.0 && !self.body_target.is_set() && self.body_position == Vector3::ZERO {
            missing.push(
                "body_position_weight is above 0, but neither body_target nor body_position is set: it has no effect.",
            );
        }
        if self.look_at_weight > 0.0 && !self.look_at_target.is_set() && self.look_at_position == Vector3::ZERO {
            missing.push(
                "look_at_weight is above 0, but neither look_at_target nor look_at_position is set: the gaze goes to \
                 the world's origin.",
            );
        }
        all.extend(missing.into_iter().map(str::to_string));
        all.extend(self.effector_list.problems(self.body_solver, &self.base()));
        all
    }
}
