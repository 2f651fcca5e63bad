//! `SinewChainIK`: a chain of any number of bones.

use crate::argument;
use crate::bones::Subset;
use crate::calls::Rig;
use crate::constraint::{self, Slot, Wish, constraint_node, pole_at, target_problems, wish_at};
use crate::convert::{quat, vec3};
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, TargetPaths, target_node};
use godot::builtin::{
    GString, PackedFloat32Array, PackedInt32Array, PackedStringArray, PackedVector3Array, PackedVector4Array,
    Quaternion, StringName, Variant, Vector3,
};
use godot::classes::{ISkeletonModifier3D, Node, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::chains::{ChainSettings, ChainSolver};
use sinew::constraints::{ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintGoal};
use sinew::math::{Quat, Vec3};
use sinew::optim::Work;
use sinew::outcome::Outcome;
use std::f32::consts::PI;

/// Brings the tip of a chain of bones to a target: tails, tentacles, spines, fingers, arms with
/// more than two bones.
///
/// A target within the limits is reached, also from a straight chain, on chains of millimetres and
/// with hundreds of bones, from any pose. The result depends only on the animation's pose and the
/// target, not on previous frames. Limits hold with a pole and without.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewChainIK {
    /// The last bone of the chain.
    #[export_group(name = "Bones")]
    #[export]
    pub end_bone: Setup<GString>,
    /// The first bone of the chain. Empty: [member bone_count] determines where it begins.
    #[export]
    pub root_bone: Setup<GString>,
    /// Number of bones from [member end_bone] upwards, it counted, when [member root_bone] is
    /// empty. 0: up to the skeleton's root.
    #[export(range = (0.0, 64.0, 1.0, or_greater))]
    pub bone_count: Setup<i32>,
    /// The effector point, in the end bone's space, metres; zero: the end bone itself.
    #[export]
    pub tip_offset: Setup<Vector3>,

    /// Where target and pole come from: nodes of the scene, or the plain properties below (for
    /// scripts).
    #[export_group(name = "Target")]
    #[export(enum = (Nodes = 0, Properties = 1))]
    pub target_source: i32,
    /// The node to reach. Its position is used, and its rotation according to [member
    /// end_rotation].
    #[export(node_path = ("Node3D"))]
    pub target: TargetPath,
    /// The point to reach, world space, metres, when [member target_source] is Properties.
    #[export]
    pub target_position: Vector3,
    /// The end bone's rotation, world space, when [member target_source] is Properties and [member
    /// end_rotation] is Match Target or Align Axis.
    #[export]
    pub target_rotation: Quaternion,
    /// Position weight: animated position (0) to target (1).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub position_weight: f32,
    /// Follow Chain: the end bone moves with the chain. Keep: it keeps the animation's rotation in
    /// the world. Match Target: it takes the target's rotation. Align Axis: its [member end_axis]
    /// points where the target's [member target_axis] does, and its twist about that stays free.
    #[export(enum = (Follow_Chain = 0, Keep = 1, Match_Target = 2, Align_Axis = 3))]
    pub end_rotation: i32,
    /// Align Axis: the end bone's axis, in its own space, any length but zero.
    #[export]
    #[init(val = Vector3::UP)]
    pub end_axis: Vector3,
    /// Align Axis: the direction that it takes, in the target's own space, any length but zero.
    #[export]
    #[init(val = Vector3::UP)]
    pub target_axis: Vector3,
    /// Rotation weight, 0 to 1, for Match Target and Align Axis.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub rotation_weight: f32,
    /// Importance of the position where not all goals can be met, 0.01 to 1; only ratios matter.
    /// Not for fading: where nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub position_importance: f32,
    /// Importance of the rotation, 0.01 to 1, for Match Target and Align Axis; a radian counts as
    /// much as a third of the chain's length.
    #[export(range = (0.01, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub rotation_importance: f32,

    /// Whether the tip goes to the target, or keeps a distance from it: at most (Inside), just (On)
    /// or at least (Outside) [member distance].
    #[export_group(name = "Distance")]
    #[export(enum = (None = 0, Inside = 1, On = 2, Outside = 3))]
    pub distance_mode: i32,
    /// The distance to keep from the target, metres (world), 0 or more.
    #[export(range = (0.0, 10.0, 0.001, or_greater, suffix = "m"))]
    pub distance: f32,

    /// More bones with their own targets: the chain is then a tree with the root of the first
    /// chain. The lists below have an entry for each, in the same order; a missing entry counts as
    /// its default.
    #[export_group(name = "More Ends", prefix = "more_")]
    #[export]
    pub more_end_bones: Setup<PackedStringArray>,
    /// The targets of the bones of [member more_end_bones], in the same order, when [member
    /// target_source] is Nodes. Assign the array anew to make a change count.
    #[export]
    pub more_targets: TargetPaths,
    /// Their target points, world space, metres, when [member target_source] is Properties.
    #[export]
    pub more_target_positions: PackedVector3Array,
    /// Their target rotations, world space, as x, y, z, w, when [member target_source] is
    /// Properties. Default no rotation.
    #[export]
    pub more_target_rotations: PackedVector4Array,
    /// Their effector points, in the space of the bone, metres. Default zero.
    #[export]
    pub more_tip_offsets: Setup<PackedVector3Array>,
    /// Their position weights, 0 to 1: animated position to target. Default 1.
    #[export]
    pub more_weights: PackedFloat32Array,
    /// What their rotations follow, as [member end_rotation]; Align Axis reads [member end_axis]
    /// and [member target_axis]. Default Follow Chain.
    #[export]
    pub more_end_rotations: PackedInt32Array,
    /// Their rotation weights, 0 to 1. Default 1.
    #[export]
    pub more_rotation_weights: PackedFloat32Array,
    /// Importances of their goals, as [member position_importance], 0.01 to 1. Default 1.
    #[export]
    pub more_importances: PackedFloat32Array,

    /// Pole: a node towards which the chain bends. Optional: without a pole the animation's bend
    /// side is kept.
    #[export_group(name = "Pole")]
    #[export(node_path = ("Node3D"))]
    pub pole: TargetPath,
    /// A direction to bend to, in the skeleton's space, when no [member pole] node is set. Zero:
    /// none.
    #[export]
    pub pole_direction: Vector3,
    /// Weight of the pole, 0 to 1. Limits also hold with a pole.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub pole_weight: f32,
    /// Turn about the line from root to target before the bend faces the pole, radians.
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub pole_angle: f32,

    /// Time of the transition to other weights, another target node, and after [method
    /// inertialize], seconds, 0 or more; 0: at once. A target that moves is followed without lag.
    /// [member SkeletonModifier3D.influence] and [member SkeletonModifier3D.active] are the
    /// engine's and know no transition: let a weight go to 0.
    #[export_group(name = "Transition")]
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    pub inertialization_time: f32,

    /// Limits of the joints; may be shared with other nodes and characters. Limits and a pole can
    /// be used together.
    #[export_group(name = "Limits")]
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,

    /// The solver. Default reaches what can be reached; the others shape the motion and fall back
    /// to it when they stop short of a target (see [member finish]).
    #[export_group(name = "Solver")]
    #[export(enum = (Default = 0, Damped_Least_Squares = 1, Transpose = 2, Pseudo_Inverse = 3, Selectively_Damped = 4, FABRIK = 5, CCD = 6, Spring = 7))]
    pub solver: Setup<i32>,
    /// Distance at which the target counts as reached, as a share of the chain's length, 0.0000003
    /// to 0.1.
    #[export(range = (0.0000003, 0.1, 0.0000001, exp))]
    #[init(val = Setup::new(1e-6))]
    pub tolerance: Setup<f32>,
    /// Angle at which a rotation counts as reached, radians, 0.00001 to 0.1.
    #[export(range = (0.0005, 5.0, 0.0001, exp, radians_as_degrees))]
    #[init(val = Setup::new(1e-5))]
    pub tolerance_angle: Setup<f32>,
    /// Maximum number of iterations of one attempt, 1 or more.
    #[export(range = (1.0, 1000.0, 1.0, or_greater))]
    #[init(val = Setup::new(200))]
    pub max_iterations: Setup<i32>,
    /// Attempts from other poses when limits stop the chain short of a target, 0 or more.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    #[init(val = Setup::new(40))]
    pub max_attempts: Setup<i32>,
    /// Whether each update starts at the last answer. A chain with limits or more ends then keeps
    /// its family of answers (no jumps) while that meets the goals, and where limits keep a goal
    /// away an update makes one attempt of [member max_attempts], the next one in the next update.
    /// What the goals leave free returns to the animation by 0.1 rad an update.
    #[export]
    pub warm_start: Setup<bool>,
    /// Maximum number of steps of work of one update, 0 to 8000000. A step takes 10 to 80 ns; when
    /// none are left, the update ends with the best pose so far, the same on every computer.
    #[export(range = (0.0, 8000000.0, 1.0))]
    #[init(val = Work::MOST as i32)]
    pub max_work: i32,
    /// Damping of the least-squares methods, above 0, as a share of the mean eigenvalue. Small
    /// values are quick and jumpy near straight chains, large ones slow and smooth.
    #[export(range = (0.000001, 1.0, 0.000001, exp, or_greater))]
    #[init(val = Setup::new(ChainSettings::default().damping))]
    pub damping: Setup<f32>,
    /// Largest turn of a bone in one iteration of the least-squares methods, radians, above 0, at
    /// most π.
    #[export(range = (0.1, 180.0, 0.1, radians_as_degrees))]
    #[init(val = Setup::new(ChainSettings::default().max_step_rad))]
    pub max_step_angle: Setup<f32>,
    /// Largest turn of a bone in one sweep of FABRIK or CCD, radians, above 0, at most π (no cap).
    /// Smaller ones spread a motion over more bones, and take more sweeps.
    #[export(range = (0.1, 180.0, 0.1, radians_as_degrees))]
    #[init(val = Setup::new(ChainSettings::default().sweep_step_rad))]
    pub sweep_step_angle: Setup<f32>,
    /// Whether a named method that stops short hands over to the default one.
    #[export]
    #[init(val = Setup::new(true))]
    pub finish: Setup<bool>,
    /// Keeps the chain in a plane: every bone turns about this axis only (skeleton space, rest
    /// pose). Zero: no plane.
    #[export]
    pub plane_axis: Setup<Vector3>,
    /// How readily each bone opens and closes with the solver Spring, from the chain's root on, 0
    /// or more. Empty: all alike.
    #[export]
    pub spring_bias: Setup<PackedFloat32Array>,

    /// Draws bones, joint limits, goal, distance and pole in the 3D view, in the editor and in the
    /// game. While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Remaining distance in metres (world) between the tip and its weighted goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = NONE, hint_string = "suffix:m")]
    pub residual: f32,
    /// Remaining angle in radians between the end and its weighted rotation goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,180,0.0001,radians_as_degrees")]
    pub residual_angle: f32,
    /// Iterations of the last update; 0 for closed forms.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub iterations: i32,

    more_goals: Vec<Option<Wish>>,
    is_tree: bool,
    pub(crate) slot: Slot,
    display: Display,
    pub(crate) base: Base<SkeletonModifier3D>,
}

constraint_node!(SinewChainIK, paths: [target, more_targets, pole], list: more_targets, outcome: |outcome| {
    residual: outcome.residual_m,
    residual_angle: outcome.residual_rad,
    iterations: outcome.iterations as i32
});

#[godot_api(secondary)]
impl SinewChainIK {
    /// Target from nodes.
    #[constant]
    pub const TARGET_NODES: i64 = 0;
    /// Target from the plain properties.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 1;
    /// The end bone moves with the chain.
    #[constant]
    pub const END_FOLLOW_CHAIN: i64 = 0;
    /// The end bone keeps its animated rotation.
    #[constant]
    pub const END_KEEP: i64 = 1;
    /// The end bone takes the target's rotation.
    #[constant]
    pub const END_MATCH_TARGET: i64 = 2;
    /// One axis of the end bone takes a direction of the target.
    #[constant]
    pub const END_ALIGN_AXIS: i64 = 3;
    /// The end goes to the target itself.
    #[constant]
    pub const DISTANCE_NONE: i64 = 0;
    /// The end stays within the distance of the target.
    #[constant]
    pub const DISTANCE_INSIDE: i64 = 1;
    /// The end stays at the distance.
    #[constant]
    pub const DISTANCE_ON: i64 = 2;
    /// The end stays at least the distance away.
    #[constant]
    pub const DISTANCE_OUTSIDE: i64 = 3;

    /// Aims, then damped least squares with adapted damping, other attempts when stopped short.
    #[constant]
    pub const SOLVER_DEFAULT: i64 = 0;
    /// Damped least squares.
    #[constant]
    pub const SOLVER_DAMPED_LEAST_SQUARES: i64 = 1;
    /// Jacobian transpose with the optimal step.
    #[constant]
    pub const SOLVER_TRANSPOSE: i64 = 2;
    /// Least squares with hardly any damping.
    #[constant]
    pub const SOLVER_PSEUDO_INVERSE: i64 = 3;
    /// Selectively damped least squares.
    #[constant]
    pub const SOLVER_SELECTIVELY_DAMPED: i64 = 4;
    /// Forward and backward reaching.
    #[constant]
    pub const SOLVER_FABRIK: i64 = 5;
    /// Cyclic coordinate descent.
    #[constant]
    pub const SOLVER_CCD: i64 = 6;
    /// All bends open and close together, in the proportions of the rest pose.
    #[constant]
    pub const SOLVER_SPRING: i64 = 7;
}

fn solver(number: i32) -> ChainSolver {
    usize::try_from(number).ok().and_then(|number| ChainSolver::ALL.get(number)).copied().unwrap_or_default()
}

impl SinewChainIK {
    fn forget(&mut self) {
        self.slot.forget();
    }
    fn look(&mut self, rig: Rig) {
        self.slot.look(rig);
    }
    #[inline]
    fn solve(&mut self, rig: Rig) -> Outcome {
        self.set_up(rig);
        let (wish_at, pole_at) = (wish_at!(self), pole_at!(self));
        let mut wish = Wish {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            weights: (self.position_weight, self.rotation_weight),
            importances: (self.position_importance, self.rotation_importance),
            end_rotation: self.end_rotation,
            axes: (vec3(self.end_axis), vec3(self.target_axis)),
            distance: constraint::distance(self.distance_mode, self.distance),
        };
        if self.is_tree {
            self.find_more_goals();
        }
        let more = &self.more_goals;
        if wish_at.is_none() && !more.iter().any(Option::is_some) {
            return self.slot.rest(rig);
        }
        let Some(constrained) = &mut self.slot.constrained else { return Outcome::INACTIVE };
        let (pole_weight, pole_angle) = (self.pole_weight, self.pole_angle);
        // Limits hold at weight 0, too; and where there are more ends, each counts by a weight of
        // its own.
        let swivels = pole_at.is_some() && pole_weight > 0.0;
        if !(wish.counts() || swivels || self.limits.is_some() || self.is_tree) {
            return constrained.rest(rig);
        }
        constrained.bound(self.max_work);
        constrained.update(rig, wish.lets_end_follow(), |place, input| {
            input.weight = 1.0;
            input.pole_ws = pole_at.map(|at| constraint::pole(place, at, pole_weight, pole_angle));
            input.goals[0] = match wish_at {
                Some((position, rotation)) => {
                    (wish.position, wish.rotation) = (position, rotation);
                    wish.goal(place)
                }
                None => ConstraintGoal::default(),
            };
            for (goal, wish) in input.goals[1..].iter_mut().zip(more) {
                *goal = wish.map_or(ConstraintGoal::default(), |wish| wish.goal(place));
            }
        })
    }
    /// Goals of the other ends; `None` where there is no target.
    fn find_more_goals(&mut self) {
        let this = self.to_gd().upcast::<Node>();
        self.more_goals.clear();
        let mut nodes = 1;
        for number in 0..self.more_end_bones.len() {
            let end_rotation = self.more_end_rotations.get(number).unwrap_or(0);
            let target = if self.target_source == constraint::FROM_NODE {
                let node = self.more_targets.node(number, &this);
                nodes = constraint::add_node(nodes, node);
                node.map(|node| constraint::wish_of(node, end_rotation))
            } else {
                let given = self.more_target_rotations.get(number);
                let rotation = given.map_or(Quat::IDENTITY, |r| Quat::from_xyzw(r.x, r.y, r.z, r.w));
                self.more_target_positions.get(number).map(|at| (vec3(at), rotation))
            };
            let or_1 = |list: &PackedFloat32Array| list.get(number).unwrap_or(1.0);
            let importance = or_1(&self.more_importances);
            let wish = target.map(|(position, rotation)| Wish {
                position,
                rotation,
                weights: (or_1(&self.more_weights), or_1(&self.more_rotation_weights)),
                importances: (importance, importance),
                end_rotation,
                axes: (vec3(self.end_axis), vec3(self.target_axis)),
                distance: None,
            });
            self.more_goals.push(wish);
        }
        if self.inertialization_time > 0.0 {
            self.slot.follow(constraint::LIST, nodes);
        }
    }
    #[inline]
    pub(crate) fn set_up(&mut self, rig: Rig) {
        let more_changed = self.more_end_bones.take_changed();
        if more_changed {
            self.more_goals.clear();
            self.is_tree = !self.more_end_bones.is_empty();
        }
        let changed = more_changed
            | self.end_bone.take_changed()
            | self.root_bone.take_changed()
            | self.bone_count.take_changed()
            | self.tip_offset.take_changed()
            | self.more_tip_offsets.take_changed()
            | self.solver.take_changed()
            | self.tolerance.take_changed()
            | self.tolerance_angle.take_changed()
            | self.max_iterations.take_changed()
            | self.max_attempts.take_changed()
            | self.warm_start.take_changed()
            | self.damping.take_changed()
            | self.max_step_angle.take_changed()
            | self.sweep_step_angle.take_changed()
            | self.finish.take_changed()
            | self.plane_axis.take_changed()
            | self.spring_bias.take_changed()
            | self.limits.take_changed();
        let d = ChainSettings::default();
        let above_0 = |given: f32, other: f32, most: f32| if given > 0.0 { given.min(most) } else { other };
        let settings = ChainSettings {
            tolerance: above_0(*self.tolerance, d.tolerance, f32::MAX),
            tolerance_rad: above_0(*self.tolerance_angle, d.tolerance_rad, f32::MAX),
            damping: above_0(*self.damping, d.damping, 1e6),
            max_step_rad: above_0(*self.max_step_angle, d.max_step_rad, PI),
            sweep_step_rad: above_0(*self.sweep_step_angle, d.sweep_step_rad, PI),
            max_iterations: (*self.max_iterations).max(1) as u32,
            max_attempts: (*self.max_attempts).max(0) as u32,
            finish: *self.finish,
            ..d
        };
        let (end, more, root, count) = (&self.end_bone, &self.more_end_bones, &self.root_bone, *self.bone_count);
        let (plane, bias) = (*self.plane_axis, &self.spring_bias);
        let (tip, more_tips) = (vec3(*self.tip_offset), &self.more_tip_offsets);
        let warm_start = *self.warm_start;
        let method = solver(*self.solver);
        self.slot.refresh(rig, changed, self.limits.as_ref(), |table| {
            let end = constraint::bone(table, &end.to_string(), "End Bone")?;
            let mut ends = vec![end];
            for (number, name) in more.as_slice().iter().enumerate() {
                ends.push(constraint::bone(table, &name.to_string(), &format!("More End Bones, entry {number}"))?);
            }
            let joint_count = constraint::bone_count(table, end, root, count)?;
            let top = constraint::top(table, end, joint_count);
            let subset = Subset::below(table, top, &ends)?;
            let joint = |bone: i32| subset.joint(bone).unwrap_or_default();
            let tip = |number: usize| match number.checked_sub(1) {
                None => tip,
                Some(more) => more_tips.get(more).map_or(Vec3::ZERO, vec3),
            };
            let ends = ends.iter().enumerate();
            let definition = ChainDefinition {
                ends: ends.map(|(number, bone)| ChainEnd { joint: joint(*bone), tip_js: tip(number) }).collect(),
                solver: method,
                settings,
                plane_axis_ms: (plane != Vector3::ZERO).then(|| subset.axis_at_rest(table, vec3(plane))),
                spring_bias: bias.as_slice().to_vec(),
                warm_start,
                ..ChainDefinition::ending_at(0, joint_count)
            };
            Ok((subset, ConstraintDefinition::Chain(definition)))
        });
    }
    fn is_hidden(&self, property: &str) -> bool {
        // The axes count for the further ends, too.
        let is_axis = matches!(property, "end_axis" | "target_axis");
        let aligns = is_axis && self.more_end_rotations.as_slice().contains(&constraint::END_ALIGNS);
        let end_rotation = if aligns { constraint::END_ALIGNS } else { self.end_rotation };
        constraint::is_hidden(property, self.target_source, self.distance_mode, end_rotation)
    }
    fn problems(&self) -> Vec<String> {
        let mut all = target_problems!(self);
        let ends = self.more_end_bones.len();
        if self.target_source == constraint::FROM_NODE && self.more_targets.len() != ends {
            all.push(format!("more_targets has {} paths for {ends} more_end_bones.", self.more_targets.len()));
        }
        all
    }
    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(drawing);
        }
    }
}
