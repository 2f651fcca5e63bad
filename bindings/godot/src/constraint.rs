//! What the nodes with one constraint share: finding its bones, setting it up, keeping it up to date.

use crate::attached::Attached;
use crate::bones::{BoneTable, Subset};
use crate::limits::SinewJointLimits;
use crate::property::{TargetPath, placement_of, position_of, shared_revision};
use godot::builtin::GString;
use godot::classes::{Node3D, Skeleton3D};
use godot::obj::Gd;
use godot::register::info::PropertyHint;
use godot::register::info::PropertyInfo;
use sinew::chains::chain::Pole;
use sinew::constraints::{ConstraintDefinition, ConstraintGoal, ConstraintId, ConstraintInput};
use sinew::debug::{Line, Part, Sink};
use sinew::goal::Outcome;
use sinew::math::{Quat, Vec3};

/// The end bone turns as the animation has it; the number of the nodes' constant END_KEEP.
pub const END_KEEPS: i32 = 1;
/// It turns as the target does; END_MATCH_TARGET.
pub const END_MATCHES: i32 = 2;

/// Targets come from nodes; TARGET_NODES.
pub const FROM_NODE: i32 = 0;

/// One constraint on an animator of its own.
#[derive(Debug)]
pub struct Constrained {
    /// The animator.
    pub attached: Attached,
    /// Its only constraint.
    pub id: ConstraintId,
}

/// A node's constraint: there, or why not.
#[derive(Debug, Default)]
pub struct Slot {
    /// `None` until asked for, or when it could not be made.
    pub constrained: Option<Box<Constrained>>,
    /// Why it could not be made; empty when it could.
    pub problem: String,
    /// Names in the limits that no bone has.
    pub unknown_limits: Vec<String>,
    skeleton_version: Option<u64>,
    limits_revision: u64,
    has_limits: bool,
    all_names: Vec<String>,
}

impl Slot {
    /// Makes the next update set everything up anew.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Sees that the constraint fits the skeleton as it is now; `define` says which bones are wanted and what the constraint is on the
    /// subset of them. Costs two comparisons when nothing changed. Whether it was made anew.
    #[inline]
    pub fn refresh(
        &mut self,
        skeleton: &Skeleton3D,
        changed: bool,
        limits: Option<&Gd<SinewJointLimits>>,
        define: impl FnOnce(&BoneTable) -> Result<(Subset, ConstraintDefinition), String>,
    ) -> bool {
        let version = Some(skeleton.get_version());
        if !changed && self.skeleton_version == version {
            if self.has_limits && self.limits_revision != shared_revision() {
                self.apply_limits(limits);
                return true;
            }
            return false;
        }
        self.forget();
        self.skeleton_version = version;
        let table = BoneTable::read(skeleton);
        match define(&table).and_then(|(subset, definition)| {
            let mut attached = Attached::new(&subset, None)?;
            let id = attached.animator.add_constraint(&definition).map_err(|error| error.to_string())?;
            Ok(Constrained { attached, id })
        }) {
            Ok(constrained) => {
                self.constrained = Some(Box::new(constrained));
                self.all_names = table.names;
                self.apply_limits(limits);
            }
            Err(problem) => self.problem = problem,
        }
        true
    }

    fn apply_limits(&mut self, limits: Option<&Gd<SinewJointLimits>>) {
        self.limits_revision = shared_revision();
        self.has_limits = limits.is_some();
        if let Some(constrained) = &mut self.constrained {
            self.unknown_limits = SinewJointLimits::apply(limits, &mut constrained.attached.animator, &self.all_names);
        }
    }
}

impl Constrained {
    /// Tells the constraint what to do and solves; the pose then is in the animator.
    #[inline]
    pub fn solve(&mut self, tell: impl FnOnce(&Attached, &mut ConstraintInput)) -> Outcome {
        // The input is taken out while goals are brought to the animator's space.
        let Ok(input) = self.attached.animator.constraint_mut(self.id) else { return Outcome::INACTIVE };
        let empty = ConstraintInput { weight: 0.0, goals: Box::default(), pole_ws: None };
        let mut input = core::mem::replace(input, empty);
        tell(&self.attached, &mut input);
        if let Ok(place) = self.attached.animator.constraint_mut(self.id) {
            *place = input;
        }
        // A pose with a number that is none is left as it is.
        match self.attached.animator.solve() {
            Ok(()) => self.attached.animator.constraint_outcome(self.id).unwrap_or(Outcome::INACTIVE),
            Err(_) => Outcome::INACTIVE,
        }
    }
}

/// A bone by name; the text says what is missing.
pub fn bone(table: &BoneTable, name: &str, what: &str) -> Result<i32, String> {
    if name.is_empty() {
        return Err(format!("{what} is not set."));
    }
    table.find(name).ok_or_else(|| format!("{what}: the skeleton has no bone \"{name}\"."))
}

/// Offers the skeleton's bones for a bone name's property.
pub fn suggest_bones(skeleton: Option<Gd<Skeleton3D>>, property: &mut PropertyInfo) {
    if let Some(skeleton) = skeleton {
        property.hint_info.hint = PropertyHint::ENUM_SUGGESTION;
        property.hint_info.hint_string = GString::from(&skeleton.get_concatenated_bone_names());
    }
}

/// Position and, where it counts, rotation of a target node.
#[inline]
pub fn wish_of(node: &Node3D, end_rotation: i32) -> (Vec3, Quat) {
    if end_rotation == END_MATCHES { placement_of(node) } else { (position_of(node), Quat::IDENTITY) }
}

/// A pole as the core wants it; `at` is a world point, or a direction in skeleton space.
pub fn pole(attached: &Attached, at: Vec3, is_direction: bool, weight: f32, angle_rad: f32) -> Pole {
    let at = if is_direction { attached.direction_of_skeleton(at) } else { attached.point(at) };
    Pole { is_direction, weight, angle_rad, ..Pole::point(at) }
}

/// Tells an end what to do. `weights` are position's and rotation's.
#[inline]
pub fn set_goal(
    attached: &Attached,
    goal: &mut ConstraintGoal,
    position: Vec3,
    rotation: Quat,
    weights: (f32, f32),
    end_rotation: i32,
) {
    // What is no number asks for nothing, and so the pose passes through.
    let usable = rotation.is_finite() && rotation.length() > 1e-3;
    goal.position_ws = Some(attached.point(position)).filter(|p| p.is_finite());
    goal.rotation_ws = match end_rotation {
        END_MATCHES if usable => Some(attached.rotation(rotation)),
        END_KEEPS => Some(Quat::IDENTITY),
        _ => None,
    };
    goal.position_weight = weights.0;
    goal.rotation_weight = if end_rotation == END_KEEPS { 0.0 } else { weights.1 };
}

/// What is wrong with a target's path.
pub fn target_problem(name: &str, path: &TargetPath, needed: bool, found: bool) -> Option<String> {
    match (path.is_set(), found) {
        (true, false) => Some(format!("The path of {name} leads to no Node3D in the scene.")),
        (false, _) if needed => Some(format!("Set {name} to a Node3D of the scene (or target_source to Properties).")),
        _ => None,
    }
}

/// Everything that keeps a node from working.
pub fn warnings(has_skeleton: bool, slot: &Slot, targets: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    if !has_skeleton {
        all.push("This node must be a child of a Skeleton3D.".to_string());
    }
    if !slot.problem.is_empty() {
        all.push(slot.problem.clone());
    }
    all.extend(targets);
    if !slot.unknown_limits.is_empty() {
        all.push(format!("The limits name bones the skeleton does not have: {}.", slot.unknown_limits.join(", ")));
    }
    all
}

impl Constrained {
    /// Bones from the constraint's pose, its goal and pole, as lines in the world.
    pub fn draw(&self, lines: &mut Vec<Line>) {
        let animator = &self.attached.animator;
        let skeleton = animator.skeleton();
        let at = |joint| self.attached.point_out(animator.joint_ws(joint).position);
        let mut size = 0.0_f32;
        for joint in 0..skeleton.joint_count() {
            if let Some(parent) = skeleton.parent(joint) {
                let (from_ws, to_ws) = (at(parent), at(joint));
                size = size.max((to_ws - from_ws).length());
                lines.push(Line { from_ws, to_ws, part: Part::Bone });
            }
        }
        let Ok(input) = animator.constraint(self.id) else { return };
        let end = at(skeleton.joint_count() - 1);
        if let Some(goal) = input.goals.first().and_then(|g| g.position_ws) {
            let goal = self.attached.point_out(goal);
            lines.push(Line { from_ws: end, to_ws: goal, part: Part::Residual });
            (|line: Line| lines.push(line)).cross(goal, 0.25 * size, Part::GoalAxis);
        }
        if let Some(pole) = input.pole_ws.filter(|p| !p.is_direction) {
            lines.push(Line { from_ws: end, to_ws: self.attached.point_out(pole.at), part: Part::Hint });
        }
    }
}
