//! Shared code of the nodes with one constraint: finding its bones, creating and updating it.

use crate::attached::{Attached, Place};
use crate::bones::{BoneTable, Subset};
use crate::calls::{Mark, Rig};
use crate::constraint_lines::Shown;
use crate::convert::is_rotation;
use crate::limits::SinewSkeletonLimits;
use crate::property::{placement_of, position_of, shared_revision};
use godot::builtin::GString;
use godot::classes::node::ProcessThreadGroup;
use godot::classes::{Node, Skeleton3D};
use godot::obj::Gd;
use godot::register::info::PropertyHint;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use sinew::chains::{AxisGoal, Pole};
use sinew::constraints::{
    ConstraintDefinition, ConstraintGoal, ConstraintId, ConstraintInput, DistanceGoal, DistanceMode,
};
use sinew::math::{Quat, Vec3, normalize_or};
use sinew::optim::Work;
use sinew::outcome::Outcome;
use sinew::skeleton::JointIndex;

/// The end bone keeps its animated rotation; the number of the nodes' constant END_KEEP.
pub const END_KEEPS: i32 = 1;
/// It takes the target's rotation; END_MATCH_TARGET.
pub const END_MATCHES: i32 = 2;

/// One of its axes takes a direction of the target; END_ALIGN_AXIS.
pub const END_ALIGNS: i32 = 3;

/// Whether an end's rotation depends on the target's.
#[inline]
pub fn reads_rotation(end_rotation: i32) -> bool {
    end_rotation == END_MATCHES || end_rotation == END_ALIGNS
}

/// Targets come from nodes; TARGET_NODES.
pub const FROM_NODE: i32 = 0;

/// One constraint on its own animator.
#[derive(Debug)]
pub struct Constrained {
    /// The animator.
    pub attached: Attached,
    /// Its only constraint.
    pub id: ConstraintId,
    /// Its debug lines.
    pub shown: Shown,
    /// The only end, when its tip is the joint itself and the result does not depend on the joint's
    /// rotation.
    plain_end: Option<JointIndex>,
    /// Time of transitions, seconds; 0: none.
    time_s: f32,
}

/// A node's constraint, or the reason why there is none.
#[derive(Debug, Default)]
pub struct Slot {
    /// `None` until first used, or when it could not be created.
    pub constrained: Option<Box<Constrained>>,
    /// Why it could not be created; empty when it could.
    pub problem: String,
    /// What is wrong with the limits, one sentence each.
    pub limit_problems: Vec<String>,
    skeleton_version: Option<u64>,
    limits_revision: u64,
    has_limits: bool,
    all_names: Vec<String>,
    /// What the targets are, by [`Self::follow`]; 0 before the first update.
    followed: [u64; 3],
}

/// Of [`Slot::follow`]: the target.
pub const TARGET: usize = 0;
/// Of [`Slot::follow`]: the pole.
pub const POLE: usize = 1;
/// Of [`Slot::follow`]: the nodes of a list.
pub const LIST: usize = 2;

/// A number for the nodes of a list, from that of the nodes before this one; 1 for none.
#[inline]
pub fn add_node(before: u64, node: Option<Mark>) -> u64 {
    let number = node.map_or(1, |node| node.id().to_i64().cast_unsigned());
    (before ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Slot {
    /// Makes the next update create the constraint again.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Starts an update: `time_s` is the node's time of transitions, `delta_s` the time since the
    /// last update, seconds.
    #[inline]
    pub fn begin(&mut self, time_s: f32, delta_s: f32) {
        if let Some(constrained) = &mut self.constrained {
            constrained.begin(time_s, delta_s);
        }
    }
    /// Announces a transition when the nodes that are followed are others than in the last update.
    #[inline]
    pub fn follow(&mut self, what: usize, nodes: u64) {
        let before = core::mem::replace(&mut self.followed[what], nodes);
        if before != nodes && before != 0 {
            self.inertialize();
        }
    }
    /// Announces a transition.
    pub fn inertialize(&mut self) {
        if let Some(constrained) = &mut self.constrained {
            _ = constrained.attached.animator.inertialize_constraint(constrained.id);
        }
    }
    /// Whether one is in progress.
    pub fn is_inertializing(&self) -> bool {
        let animator = self.constrained.as_ref().map(|constrained| (&constrained.attached.animator, constrained.id));
        animator.is_some_and(|(animator, id)| animator.is_inertializing_constraint(id).unwrap_or(false))
    }
    /// An update without a goal, or with weight 0: shows what is left of a transition.
    pub fn rest(&mut self, rig: Rig) -> Outcome {
        self.constrained.as_mut().map_or(Outcome::INACTIVE, |constrained| constrained.rest(rig))
    }

    /// Loads the animation's pose for the lines of an update that has solved nothing.
    pub fn look(&mut self, rig: Rig) {
        if let Some(constrained) = &mut self.constrained {
            constrained.look(rig);
        }
    }

    /// Updates the constraint to the current skeleton; `define` names the bones and defines the
    /// constraint on the subset of them. Costs two comparisons when nothing changed. Returns
    /// whether it was created again.
    #[inline]
    pub fn refresh(
        &mut self,
        rig: Rig,
        changed: bool,
        limits: Option<&Gd<SinewSkeletonLimits>>,
        define: impl FnOnce(&BoneTable) -> Result<(Subset, ConstraintDefinition), String>,
    ) -> bool {
        let version = Some(rig.version());
        if !changed && self.skeleton_version == version {
            if self.has_limits && self.limits_revision != shared_revision() {
                self.apply_limits(limits);
                return true;
            }
            return false;
        }
        self.forget();
        self.skeleton_version = version;
        let table = BoneTable::read(&rig.to_gd());
        match define(&table).and_then(|(subset, definition)| {
            let mut attached = Attached::new(&subset, None)?;
            let id = attached.add_constraint(&definition)?;
            let shown = Shown::new(&table, &subset, &definition);
            Ok(Constrained { attached, id, shown, plain_end: plain_end(&definition), time_s: 0.0 })
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

    fn apply_limits(&mut self, limits: Option<&Gd<SinewSkeletonLimits>>) {
        self.limits_revision = shared_revision();
        self.has_limits = limits.is_some();
        if let Some(constrained) = &mut self.constrained {
            if self.has_limits {
                // A limit may affect the end's own rotation, too.
                constrained.plain_end = None;
            }
            self.limit_problems =
                SinewSkeletonLimits::apply(limits, &mut constrained.attached.animator, &self.all_names);
        }
    }
}

impl Constrained {
    fn begin(&mut self, time_s: f32, delta_s: f32) {
        let animator = &mut self.attached.animator;
        let time_s = if time_s > 0.0 { time_s } else { 0.0 };
        if self.time_s != time_s && animator.set_constraint_inertialization_time(self.id, time_s).is_ok() {
            self.time_s = time_s;
        }
        animator.advance(delta_s);
    }
    /// See [`Slot::rest`]. The pose is read as a whole: joints come from where the animation has
    /// them.
    pub fn rest(&mut self, rig: Rig) -> Outcome {
        if self.time_s > 0.0 {
            self.update(rig, false, |_, input| input.weight = 0.0);
        } else {
            self.attached.animator.reset_state();
        }
        Outcome::INACTIVE
    }
    /// Reads the pose, sets the goals, solves, and writes the pose. `end_follows`: how the end is
    /// turned has no goal.
    #[inline]
    pub fn update(&mut self, rig: Rig, end_follows: bool, tell: impl FnOnce(&Place, &mut ConstraintInput)) -> Outcome {
        let attached = &mut self.attached;
        // The end's own rotation is part of a transition.
        let end_follows = end_follows && self.time_s == 0.0;
        if !attached.read(rig, self.plain_end.filter(|_| end_follows)) {
            return Outcome::INACTIVE;
        }
        let Ok(input) = attached.animator.constraint_mut(self.id) else { return Outcome::INACTIVE };
        tell(&attached.place, input);
        // A pose with a number that is not finite is not changed.
        if attached.solve().is_err() {
            return Outcome::INACTIVE;
        }
        attached.write(rig);
        attached.animator.constraint_outcome(self.id).unwrap_or(Outcome::INACTIVE)
    }
    /// Bounds the work of an update by a node's `max_work`.
    #[inline]
    pub fn bound(&mut self, max_work: i32) {
        self.attached.animator.set_max_work(work(max_work));
    }
    /// Loads the animation's pose and forgets goals and pole.
    fn look(&mut self, rig: Rig) {
        _ = self.attached.read(rig, None);
        if let Ok(input) = self.attached.animator.constraint_mut(self.id) {
            input.goals.fill(ConstraintGoal::default());
            input.pole_ws = None;
        }
    }
}

/// Steps of work, by a node's `max_work`.
pub fn work(max_work: i32) -> u32 {
    u32::try_from(max_work).unwrap_or(0).min(Work::MOST)
}

fn plain_end(definition: &ConstraintDefinition) -> Option<JointIndex> {
    match definition {
        ConstraintDefinition::Chain(chain) => match &*chain.ends {
            [end] if end.tip_js == Vec3::ZERO && chain.plane_axis_ms.is_none() => Some(end.joint),
            _ => None,
        },
        ConstraintDefinition::TwoBone(limb) => Some(limb.end),
        _ => None,
    }
}

/// A bone by name; the error text names what is missing.
pub fn bone(table: &BoneTable, name: &str, what: &str) -> Result<i32, String> {
    if name.is_empty() {
        return Err(format!("{what} is not set."));
    }
    table.find(name).ok_or_else(|| format!("{what}: the skeleton has no bone \"{name}\"."))
}

/// Number of bones of a chain that ends at `end`: from the root bone's name, or the number given
/// (0: up to the skeleton's root).
pub fn bone_count(table: &BoneTable, end: i32, root: &GString, count: i32) -> Result<usize, String> {
    if root.is_empty() {
        return Ok(count.max(0) as usize);
    }
    let root = bone(table, &root.to_string(), "Root Bone")?;
    let place = table.lineage(end).position(|bone| bone == root);
    Ok(1 + place.ok_or("End Bone does not hang from Root Bone.")?)
}

/// The first of so many bones down to `end`; the skeleton's root for 0, or for more than there are.
pub fn top(table: &BoneTable, end: i32, bone_count: usize) -> i32 {
    let last = table.lineage(end).last();
    let counted = bone_count.checked_sub(1).and_then(|above| table.lineage(end).nth(above));
    counted.or(last).unwrap_or(end)
}

/// Whether the inspector leaves a property out, because it has no effect with the other settings.
pub fn is_hidden(property: &str, target_source: i32, distance_mode: i32, end_rotation: i32) -> bool {
    let from_node = target_source == FROM_NODE;
    match property {
        "target" | "more_targets" => !from_node,
        "target_position" | "more_target_positions" | "more_target_rotations" => from_node,
        "target_rotation" => from_node || !reads_rotation(end_rotation),
        "rotation_weight" | "rotation_importance" => !reads_rotation(end_rotation),
        "end_axis" | "target_axis" => end_rotation != END_ALIGNS,
        "distance" => distance_mode == 0,
        _ => false,
    }
}

/// Offers the skeleton's bones for a bone name's property.
pub fn suggest_bones(skeleton: Option<Gd<Skeleton3D>>, property: &mut PropertyInfo) {
    if let Some(skeleton) = skeleton {
        property.hint_info.hint = PropertyHint::ENUM_SUGGESTION;
        property.hint_info.hint_string = GString::from(&skeleton.get_concatenated_bone_names());
    }
}

/// Position and, if used, rotation of a target node.
#[inline]
pub fn wish_of(node: Mark, end_rotation: i32) -> (Vec3, Quat) {
    if reads_rotation(end_rotation) { placement_of(node) } else { (position_of(node), Quat::IDENTITY) }
}

/// A pole: a world point, or a direction in skeleton space.
#[derive(Clone, Copy, Debug)]
pub enum PoleAt {
    /// World space, metres.
    Point(Vec3),
    /// The skeleton's space.
    Direction(Vec3),
}

/// A pole in the form of the core.
#[inline]
pub fn pole(place: &Place, at: PoleAt, weight: f32, angle_rad: f32) -> Pole {
    let (at, is_direction) = match at {
        PoleAt::Point(point_ws) => (place.point(point_ws), false),
        PoleAt::Direction(direction) => (place.direction_of_skeleton(direction), true),
    };
    Pole { is_direction, weight, angle_rad, ..Pole::point(at) }
}

/// Input of a node for one end; world space.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Goal position of the tip.
    pub position: Vec3,
    /// Goal rotation of the end, when `end_rotation` uses it.
    pub rotation: Quat,
    /// Weights of position and rotation.
    pub weights: (f32, f32),
    /// Importances of position and rotation.
    pub importances: (f32, f32),
    /// See END_KEEPS.
    pub end_rotation: i32,
    /// END_ALIGNS: the end's axis, and its direction in the target's space.
    pub axes: (Vec3, Vec3),
    /// The distance to keep from the position.
    pub distance: Option<DistanceGoal>,
}

impl Wish {
    /// Whether there is a position or rotation goal.
    #[inline]
    pub fn counts(&self) -> bool {
        self.weights.0 > 0.0 || (reads_rotation(self.end_rotation) && self.weights.1 > 0.0)
    }
    /// Whether the end has no rotation goal.
    #[inline]
    pub fn lets_end_follow(&self) -> bool {
        self.end_rotation != END_KEEPS && !reads_rotation(self.end_rotation) && self.distance.is_none()
    }
    /// The goal; a number that is not finite counts as no goal, so the pose is not changed.
    #[inline]
    pub fn goal(&self, place: &Place) -> ConstraintGoal {
        let usable = || is_rotation(self.rotation);
        let (axis, along) = self.axes;
        let has_axis = self.end_rotation == END_ALIGNS && axis.is_finite() && along.is_finite() && usable();
        ConstraintGoal {
            position_ws: Some(place.point(self.position)).filter(|p| p.is_finite()),
            rotation_ws: match self.end_rotation {
                END_MATCHES if usable() => Some(place.rotation(self.rotation)),
                END_KEEPS => Some(Quat::IDENTITY),
                _ => None,
            },
            axis_ws: has_axis.then(|| AxisGoal {
                axis: normalize_or(axis, Vec3::Y),
                direction: place.direction(self.rotation.normalize() * normalize_or(along, Vec3::Y)),
            }),
            position_weight: self.weights.0,
            rotation_weight: if self.end_rotation == END_KEEPS { 0.0 } else { self.weights.1 },
            position_importance: self.importances.0,
            // The position comes before a rotation that is kept.
            rotation_importance: if self.end_rotation == END_KEEPS { 0.01 } else { self.importances.1 },
            distance: self.distance,
        }
    }
}

/// The distance to keep, by the number of a node's DISTANCE constant. The core measures it in
/// metres of the world.
#[inline]
pub fn distance(mode: i32, metres: f32) -> Option<DistanceGoal> {
    let mode = match mode {
        1 => DistanceMode::Inside,
        2 => DistanceMode::On,
        3 => DistanceMode::Outside,
        _ => return None,
    };
    Some(DistanceGoal { mode, radius_m: if metres > 0.0 { metres.min(f32::MAX) } else { 0.0 } })
}

/// The pole of a node's `pole`, `pole_direction` fields; `None` when there is none, or its node is
/// gone.
macro_rules! pole_at {
    ($node:ident) => {{
        let node = target_node!($node.pole);
        if $node.inertialization_time > 0.0 {
            $node.slot.follow(constraint::POLE, constraint::add_node(1, node));
        }
        match node {
            Some(node) => Some(constraint::PoleAt::Point(property::position_of(node))),
            None if $node.pole.is_set() || $node.pole_direction == Vector3::ZERO => None,
            None => Some(constraint::PoleAt::Direction(vec3($node.pole_direction))),
        }
    }};
}
pub(crate) use pole_at;

/// Goal position and rotation from a node's target; `None` when its node is not there.
macro_rules! wish_at {
    ($node:ident) => {
        if $node.target_source == constraint::FROM_NODE {
            let node = target_node!($node.target);
            if $node.inertialization_time > 0.0 {
                $node.slot.follow(constraint::TARGET, constraint::add_node(1, node));
            }
            node.map(|node| constraint::wish_of(node, $node.end_rotation))
        } else {
            Some((vec3($node.target_position), quat($node.target_rotation)))
        }
    };
}
pub(crate) use wish_at;

/// Error texts for a node's target and pole.
macro_rules! target_problems {
    ($node:ident) => {{
        let instead = ($node.target_source == constraint::FROM_NODE).then_some("target_source to Properties");
        let base = $node.base();
        let target = if instead.is_some() { $node.target.problem("target", instead, &base) } else { None };
        target.into_iter().chain($node.pole.problem("pole", None, &base)).collect::<Vec<String>>()
    }};
}
pub(crate) use target_problems;

/// Adapts a property for the inspector: a list of bone names, words without underscores, units, and
/// no property without effect with the node's current settings.
pub fn arrange(property: &mut PropertyInfo, skeleton: Option<Gd<Skeleton3D>>, hidden: impl FnOnce(&str) -> bool) {
    let name = property.property_name.to_string();
    if name.ends_with("_bone") || name == "bone" {
        suggest_bones(skeleton, property);
    }
    // The inspector shows another list once one of these is set.
    if matches!(
        name.as_str(),
        "target_source"
            | "distance_mode"
            | "end_rotation"
            | "end_bone"
            | "mode"
            | "root_moves"
            | "human_masses"
            | "human_ranges"
    ) {
        property.usage |= PropertyUsageFlags::UPDATE_ALL_IF_MODIFIED;
    }
    show_words_and_units(property, &name);
    if hidden(&name) {
        property.usage = PropertyUsageFlags::STORAGE;
    }
}

/// Names of choices without underscores, metres behind positions.
pub fn show_words_and_units(property: &mut PropertyInfo, name: &str) {
    let hint = &mut property.hint_info;
    if hint.hint == PropertyHint::ENUM {
        hint.hint_string = GString::from(&hint.hint_string.to_string().replace('_', " "));
    } else if hint.hint == PropertyHint::NONE && (name.ends_with("_position") || name.ends_with("_offset")) {
        hint.hint_string = GString::from("suffix:m");
    }
}

/// What all nodes with one constraint have in common: [`modifier_node`], with the warnings of a
/// [`Slot`].
///
/// The class has the field `slot`, and the methods `solve(&mut self, Rig) -> Outcome` and
/// `problems(&self) -> Vec<String>`.
macro_rules! constraint_node {
    ($class:ident, paths: $paths:tt, $(list: $list:ident,)? outcome: |$outcome:ident| $left:tt) => {
        constraint::modifier_node!(
            $class,
            paths: $paths,
            $(list: $list,)?
            solve: |node, rig, delta_s| {
                node.slot.begin(node.inertialization_time, delta_s);
                node.solve(rig)
            },
            outcome: |$outcome| $left
        );

        impl $class {
            fn warnings(&self) -> Vec<String> {
                constraint::warnings(self.base().get_skeleton(), &self.slot, self.problems())
            }
        }

        #[godot_api(secondary)]
        impl $class {
            /// Begins a transition to what is set for the next update: the bones go there within
            /// [member inertialization_time]. Call it when a target's place jumps; other weights
            /// and another target node need no call.
            #[func]
            fn inertialize(&mut self) {
                self.slot.inertialize();
            }
            /// Whether a transition is in progress: status and residuals are those of the pose it
            /// goes to.
            #[func]
            fn is_inertializing(&self) -> bool {
                self.slot.is_inertializing()
            }
        }
    };
}
pub(crate) use constraint_node;

/// What all nodes with one outcome have in common: updates, signals, constants, warnings, lines.
///
/// `list`: a property that is a list of nodes or resources. The class has the fields `display`,
/// `debug_lines`, `status`, and the methods `forget(&mut self)`, `look(&mut self, Rig)`,
/// `warnings(&self) -> Vec<String>`, `draw(&mut self, &mut Drawing)`,
/// `is_hidden(&self, &str) -> bool`.
macro_rules! modifier_node {
    (
        $class:ident,
        paths: [$($path:ident),*],
        $(list: $list:ident,)?
        solve: |$node:ident, $rig:ident, $delta_s:ident| $solve:block,
        outcome: |$outcome:ident| { $($field:ident: $left:expr),* }
    ) => {
        #[godot_api]
        impl ISkeletonModifier3D for $class {
            fn process_modification_with_delta(&mut self, delta: f64) {
                let Some(rig) = Rig::of(&self.base) else { return };
                let idle = rig.is_without_influence(&self.base);
                let solve = |$node: &mut Self, $rig: Rig, $delta_s: f32| $solve;
                let $outcome = if idle { Outcome::INACTIVE } else { solve(self, rig, delta as f32) };
                $(self.$field = $left;)*
                if self.display.needs_update(self.debug_lines) {
                    if outcome::status(&$outcome) == Self::STATUS_INACTIVE as i32 {
                        self.look(rig);
                    }
                    self.show();
                }
                let status = outcome::status(&$outcome);
                if status != self.status {
                    self.status = status;
                    self.signals().status_changed().emit(status);
                }
            }
            fn skeleton_changed(&mut self, _old: Option<Gd<Skeleton3D>>, _new: Option<Gd<Skeleton3D>>) {
                self.forget();
            }
            fn validate_bone_names(&mut self) {
                self.forget();
            }
            fn enter_tree(&mut self) {
                $(self.$path.forget();)*
                self.forget();
                self.display.enter();
            }
            fn exit_tree(&mut self) {
                self.display.clear();
            }
            $(fn on_set(&mut self, property: StringName, value: Variant) -> bool {
                argument::set_list(&mut self.$list, [stringify!($class), stringify!($list)], &property, &value)
            })?
            fn on_validate_property(&self, property: &mut PropertyInfo) {
                constraint::arrange(property, self.base().get_skeleton(), |name| self.is_hidden(name));
            }
            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.get_warnings()
            }
        }

        #[godot_api]
        impl $class {
            /// Emitted when the status of an update differs from that of the one before; see the
            /// STATUS constants.
            #[signal]
            pub fn status_changed(status: i32);

            /// No goal: no target, a missing bone, all weights 0, or influence 0.
            #[constant]
            pub const STATUS_INACTIVE: i64 = 0;
            /// The goal is met.
            #[constant]
            pub const STATUS_REACHED: i64 = 1;
            /// The goal is out of reach of the joints.
            #[constant]
            pub const STATUS_UNREACHABLE: i64 = 2;
            /// The solver stopped making progress.
            #[constant]
            pub const STATUS_STALLED: i64 = 3;
            /// The solver used up its iterations.
            #[constant]
            pub const STATUS_OUT_OF_ITERATIONS: i64 = 4;

            /// The status in words.
            #[func]
            fn get_status_text(&self) -> GString {
                outcome::text(self.status)
            }
            /// What is missing for this node to work, one sentence each; the editor shows the same
            /// at the node.
            #[func]
            fn get_warnings(&self) -> PackedStringArray {
                self.warnings().into_iter().map(|w| GString::from(&w)).collect()
            }
            /// Repeats the set-up before the next update. Only needed after bones were moved at
            /// rest or given other parents by a script.
            #[func]
            fn refresh(&mut self) {
                self.forget();
            }
        }

        display_node!($class);
    };
}
pub(crate) use modifier_node;

/// Error texts for everything that keeps a node from working.
pub fn warnings(skeleton: Option<Gd<Skeleton3D>>, slot: &Slot, targets: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = place_problem(skeleton).into_iter().collect();
    if !slot.problem.is_empty() {
        all.push(slot.problem.clone());
    }
    all.extend(targets);
    all.extend(slot.limit_problems.iter().cloned());
    all
}

/// Error text for a node without a skeleton, or with one that is updated on a thread of its own.
pub fn place_problem(skeleton: Option<Gd<Skeleton3D>>) -> Option<String> {
    let Some(skeleton) = skeleton else { return Some("This node must be a child of a Skeleton3D.".into()) };
    let mut node: Option<Gd<Node>> = Some(skeleton.upcast());
    while let Some(now) = node {
        match now.get_process_thread_group() {
            ProcessThreadGroup::INHERIT => node = now.get_parent(),
            ProcessThreadGroup::SUB_THREAD => {
                let name = now.get_name();
                return Some(format!(
                    "{name} is in a process group of its own thread: this node works on the main one."
                ));
            }
            _ => break,
        }
    }
    None
}
