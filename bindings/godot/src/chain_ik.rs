//! `SinewChainIK`: a chain of any number of bones.

use crate::bones::Subset;
use crate::constraint::{self, FROM_NODE, Slot};
use crate::convert::{quat, vec3};
use crate::limits::SinewJointLimits;
use crate::lines::Lines;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, target_node};
use godot::builtin::{GString, PackedStringArray, Quaternion, Vector3};
use godot::classes::{ISkeletonModifier3D, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::info::PropertyUsageFlags;
use godot::register::{GodotClass, godot_api};
use sinew::chains::chain::{ChainSettings, ChainSolver};
use sinew::constraints::{ChainDefinition, ChainEnd, ConstraintDefinition};
use sinew::goal::Outcome;

/// Brings the tip of a chain of bones to a target: tails, tentacles, spines, fingers, arms with more than two bones.
///
/// Reached means reached: a target the limits allow is met, also from a straight chain, also on chains of millimetres or with hundreds of bones,
/// whatever the pose before was. The result depends on the animation's pose and the target alone, not on frames before. Limits hold with a pole and
/// without.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewChainIK {
    /// The last bone of the chain.
    #[export_group(name = "Bones")]
    #[export]
    pub end_bone: Setup<GString>,
    /// The first bone of the chain. Empty: [member bone_count] says where it begins.
    #[export]
    pub root_bone: Setup<GString>,
    /// Number of bones from [member end_bone] upwards, it counted, when [member root_bone] is empty. 0: up to the skeleton's root.
    #[export(range = (0.0, 64.0, 1.0, or_greater))]
    pub bone_count: Setup<i32>,
    /// The point that shall be at the target, in the end bone's own space, metres; zero: the end bone itself.
    #[export]
    pub tip_offset: Setup<Vector3>,

    /// Where target and pole come from: nodes of the scene, or the plain properties below (for scripts).
    #[export_group(name = "Target")]
    #[export(enum = (Nodes = 0, Properties = 1))]
    pub target_source: i32,
    /// The node to reach. Its position counts, and its rotation when [member end_rotation] says so.
    #[export(node_path = ("Node3D"))]
    pub target: TargetPath,
    /// The point to reach, world space, metres, when [member target_source] is Properties.
    #[export]
    pub target_position: Vector3,
    /// The end bone's rotation, world space, when [member target_source] is Properties and [member end_rotation] is Match Target.
    #[export]
    pub target_rotation: Quaternion,
    /// Share of the way from the animated place to the target, 0 to 1. At 0 the end stays where the animation has it.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub position_weight: f32,
    /// Follow Chain: the end bone is carried along. Keep: it keeps the animation's rotation in the world. Match Target: it turns as the
    /// target does.
    #[export(enum = (Follow_Chain = 0, Keep = 1, Match_Target = 2))]
    pub end_rotation: i32,
    /// Share of the turn to the target's rotation, 0 to 1, for Match Target.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub rotation_weight: f32,

    /// A node to whose side the chain bends. None is needed: without a pole the animation's own side stays.
    #[export_group(name = "Pole")]
    #[export(node_path = ("Node3D"))]
    pub pole: TargetPath,
    /// A direction to bend to, in the skeleton's space, when no [member pole] node is set. Zero: none.
    #[export]
    pub pole_direction: Vector3,
    /// How far the chain swivels to the pole, 0 to 1. Limits hold all the same.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub pole_weight: f32,
    /// Turn about the line from root to target before the bend faces the pole, radians.
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub pole_angle: f32,

    /// What the joints may do; may be shared with other nodes and characters. Limits and a pole can be used together.
    #[export_group(name = "Limits")]
    #[export]
    pub limits: Setup<Option<Gd<SinewJointLimits>>>,

    /// The method. Default reaches what can be reached; the others are there for their looks, and hand over to it when they stop short of a target
    /// (see [member finish]).
    #[export_group(name = "Solver")]
    #[export(enum = (Default = 0, Damped_Least_Squares = 1, Transpose = 2, Pseudo_Inverse = 3, Selectively_Damped = 4, Fabrik = 5, Ccd = 6))]
    pub solver: Setup<i32>,
    /// Distance at which the target counts as reached, as a share of the chain's length, 0.0000003 to 0.1.
    #[export(range = (0.0000003, 0.1, 0.0000001, exp))]
    #[init(val = Setup::new(1e-6))]
    pub tolerance: Setup<f32>,
    /// Most iterations of one attempt, 1 or more.
    #[export(range = (1.0, 1000.0, 1.0, or_greater))]
    #[init(val = Setup::new(200))]
    pub max_iterations: Setup<i32>,
    /// Attempts from other poses when limits stop the chain short of a target, 0 or more.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    #[init(val = Setup::new(40))]
    pub max_attempts: Setup<i32>,
    /// Whether a named method that stops short hands over to the default one.
    #[export]
    #[init(val = Setup::new(true))]
    pub finish: Setup<bool>,
    /// Keeps the chain in a plane: every bone turns about this axis only (skeleton space, rest pose). Zero: no plane.
    #[export]
    pub plane_axis: Setup<Vector3>,

    /// Draws bones, goal and pole in the 3D view, in the editor and in the game.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Distance in metres (world) left between the tip and its weighted goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub residual: f32,
    /// Angle in radians left between the end and its weighted rotation goal.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub residual_angle: f32,
    /// Iterations of the last update; 0 for closed forms.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY])]
    pub iterations: i32,

    slot: Slot,
    lines: Lines,
    base: Base<SkeletonModifier3D>,
}

#[godot_api]
impl ISkeletonModifier3D for SinewChainIK {
    fn process_modification_with_delta(&mut self, _delta: f64) {
        let Some(mut skeleton) = self.base().get_skeleton() else { return };
        let outcome = self.solve(&mut skeleton);
        if self.debug_lines {
            self.draw();
        } else {
            self.lines.clear();
        }
        self.residual = outcome.residual_m;
        self.residual_angle = outcome.residual_rad;
        self.iterations = outcome.iterations as i32;
        let status = outcome::status(&outcome);
        if status != self.status {
            self.status = status;
            self.signals().status_changed().emit(status);
        }
    }
    fn skeleton_changed(&mut self, _old: Option<Gd<Skeleton3D>>, _new: Option<Gd<Skeleton3D>>) {
        self.slot.forget();
    }
    fn validate_bone_names(&mut self) {
        self.slot.forget();
    }
    fn enter_tree(&mut self) {
        self.target.forget();
        self.pole.forget();
        self.slot.forget();
    }
    fn exit_tree(&mut self) {
        self.lines.clear();
    }
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        if name.ends_with("_bone") {
            constraint::suggest_bones(self.base().get_skeleton(), property);
        }
        let plain = name == "target_position" || name == "target_rotation";
        if plain && self.target_source == FROM_NODE || name == "target" && self.target_source != FROM_NODE {
            property.usage = PropertyUsageFlags::STORAGE;
        }
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewChainIK {
    /// Emitted when the status of an update differs from that of the one before.
    #[signal]
    pub fn status_changed(status: i32);

    /// Nothing was asked, or nothing could be: no target, a missing bone, weight 0.
    #[constant]
    pub const STATUS_INACTIVE: i64 = 0;
    /// The goal is met.
    #[constant]
    pub const STATUS_REACHED: i64 = 1;
    /// The goal lies beyond what the joints allow.
    #[constant]
    pub const STATUS_UNREACHABLE: i64 = 2;
    /// The solver stopped making progress.
    #[constant]
    pub const STATUS_STALLED: i64 = 3;
    /// The solver used up its iterations.
    #[constant]
    pub const STATUS_OUT_OF_ITERATIONS: i64 = 4;
    /// Target from nodes.
    #[constant]
    pub const TARGET_NODES: i64 = 0;
    /// Target from the plain properties.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 1;
    /// The end bone is carried along.
    #[constant]
    pub const END_FOLLOW_CHAIN: i64 = 0;
    /// The end bone keeps its animated rotation.
    #[constant]
    pub const END_KEEP: i64 = 1;
    /// The end bone turns as the target does.
    #[constant]
    pub const END_MATCH_TARGET: i64 = 2;

    /// The status in words.
    #[func]
    fn get_status_text(&self) -> GString {
        outcome::text(self.status)
    }
    /// What is missing for this node to work, one sentence each; the editor shows the same at the node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        self.warnings().into_iter().map(|w| GString::from(&w)).collect()
    }
    /// Sets everything up anew before the next update. Only needed after bones were moved at rest or given other parents by a script.
    #[func]
    fn refresh(&mut self) {
        self.slot.forget();
    }

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
}

fn solver(number: i32) -> ChainSolver {
    match number {
        1 => ChainSolver::DampedLeastSquares,
        2 => ChainSolver::Transpose,
        3 => ChainSolver::PseudoInverse,
        4 => ChainSolver::SelectivelyDamped,
        5 => ChainSolver::Fabrik,
        6 => ChainSolver::Ccd,
        _ => ChainSolver::Default,
    }
}

impl SinewChainIK {
    fn solve(&mut self, skeleton: &mut Gd<Skeleton3D>) -> Outcome {
        let changed = self.end_bone.take_changed()
            | self.root_bone.take_changed()
            | self.bone_count.take_changed()
            | self.tip_offset.take_changed()
            | self.solver.take_changed()
            | self.tolerance.take_changed()
            | self.max_iterations.take_changed()
            | self.max_attempts.take_changed()
            | self.finish.take_changed()
            | self.plane_axis.take_changed()
            | self.limits.take_changed();
        let (end, root, count) = (&self.end_bone, &self.root_bone, *self.bone_count);
        let settings = ChainSettings {
            tolerance: if *self.tolerance > 0.0 { *self.tolerance } else { ChainSettings::default().tolerance },
            max_iterations: (*self.max_iterations).max(1) as u32,
            max_attempts: (*self.max_attempts).max(0) as u32,
            finish: *self.finish,
            ..ChainSettings::default()
        };
        let plane = *self.plane_axis;
        let (tip, method) = (vec3(*self.tip_offset), solver(*self.solver));
        let renewed = self.slot.refresh(skeleton, changed, self.limits.as_ref(), |table| {
            let end = constraint::bone(table, &end.to_string(), "End Bone")?;
            let joint_count = if root.is_empty() {
                count.max(0) as usize
            } else {
                let root = constraint::bone(table, &root.to_string(), "Root Bone")?;
                let place = table.lineage(end).position(|bone| bone == root);
                1 + place.ok_or("End Bone does not hang from Root Bone.")?
            };
            let subset = Subset::new(table, [end])?;
            let definition = ChainDefinition {
                ends: vec![ChainEnd { joint: subset.joint(end).unwrap_or_default(), tip_js: tip }],
                solver: method,
                settings,
                plane_axis_ms: (plane != Vector3::ZERO).then(|| vec3(plane)),
                ..ChainDefinition::ending_at(0, joint_count)
            };
            Ok((subset, ConstraintDefinition::Chain(definition)))
        });
        if renewed {
            self.base_mut().call_deferred("update_configuration_warnings", &[]);
        }
        let weights = (self.position_weight, self.rotation_weight);
        let (end_rotation, pole_weight, pole_angle) = (self.end_rotation, self.pole_weight, self.pole_angle);
        let pole_at = match target_node!(self.pole) {
            Some(node) => Some((property::position_of(&node), false)),
            None if self.pole.is_set() || self.pole_direction == Vector3::ZERO => None,
            None => Some((vec3(self.pole_direction), true)),
        };
        let wish = if self.target_source == FROM_NODE {
            target_node!(self.target).map(|node| constraint::wish_of(&node, end_rotation))
        } else {
            Some((vec3(self.target_position), quat(self.target_rotation)))
        };
        let (Some((position, rotation)), Some(constrained)) = (wish, &mut self.slot.constrained) else {
            return Outcome::INACTIVE;
        };
        if !constrained.attached.read(skeleton) {
            return Outcome::INACTIVE;
        }
        let outcome = constrained.solve(|attached, input| {
            input.weight = 1.0;
            input.pole_ws =
                pole_at.map(|(at, is_direction)| constraint::pole(attached, at, is_direction, pole_weight, pole_angle));
            constraint::set_goal(attached, &mut input.goals[0], position, rotation, weights, end_rotation);
        });
        constrained.attached.write(skeleton);
        outcome
    }
    fn warnings(&self) -> Vec<String> {
        let targets = [("target", &self.target, self.target_source == FROM_NODE), ("pole", &self.pole, false)];
        let found = |path: &TargetPath| path.kept().is_some() || path.find(&self.base()).is_some();
        let target = targets
            .into_iter()
            .filter_map(|(name, path, needed)| constraint::target_problem(name, path, needed, found(path)));
        constraint::warnings(self.base().get_skeleton().is_some(), &self.slot, target)
    }
    fn draw(&mut self) {
        let mut lines = Vec::new();
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(&mut lines);
        }
        let node = self.to_gd().upcast::<Node3D>();
        self.lines.show(&node, &lines);
    }
}
