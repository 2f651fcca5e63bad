//! `SinewSplineIK`: a chain of bones along a curve.

use crate::argument;
use crate::bones::Subset;
use crate::calls::Rig;
use crate::constraint::{self, Slot, constraint_node};
use crate::convert::vec3;
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, TargetPaths, target_node};
use godot::builtin::{GString, PackedStringArray, PackedVector3Array, StringName, Variant, Vector3};
use godot::classes::{ISkeletonModifier3D, Node, Node3D, Path3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::chains::spline::CurveKind;
use sinew::constraints::{ConstraintDefinition, ConstraintGoal, SplineDefinition};
use sinew::math::{Quat, Vec3};
use sinew::outcome::Outcome;

/// The curve is a Path3D's; the number of SOURCE_PATH.
const FROM_PATH: i32 = 0;
/// Its points are nodes; SOURCE_NODES.
const FROM_NODES: i32 = 1;

/// Moves a chain of bones onto a curve: spines, tails, tentacles, ropes.
///
/// The curve is a [Path3D]'s, goes through nodes of the scene, or through plain points. The ends of
/// every bone are on it; bones keep their lengths unless [member stretch] lets them change; a chain
/// longer than the curve continues straight. Rolls follow the curve by the smallest rotation. The
/// result depends only on the animation's pose and the curve.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewSplineIK {
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
    /// A point of the end bone, in its own space, metres, that is also kept on the curve; zero: the
    /// chain ends at the end bone.
    #[export]
    pub tip_offset: Setup<Vector3>,

    /// Source of the curve: a [Path3D] (tilt and up vectors are ignored), nodes as its points, or
    /// plain points.
    #[export_group(name = "Target")]
    #[export(enum = (Path = 0, Nodes = 1, Properties = 2))]
    pub target_source: i32,
    /// The [Path3D] to follow.
    #[export(node_path = ("Path3D"))]
    pub path: TargetPath,
    /// The nodes the curve is made of, first to last; 2 or more. A node that is not there leaves
    /// its point on the animated chain. Assign the array anew to make a change count.
    #[export]
    pub point_nodes: TargetPaths,
    /// The points the curve is made of, world space, metres; 2 or more.
    #[export]
    pub point_positions: PackedVector3Array,
    /// How nodes or plain points make a curve. Through Points: a smooth curve through all of them
    /// (Catmull-Rom). Bezier: point, handle, handle, point and so on, 3 k + 1 points.
    #[export(enum = (Through_Points = 0, Bezier = 1))]
    pub curve_kind: i32,
    /// Weight: the animation (0) to the curve (1).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub weight: f32,
    /// Whether the first bone moves to the curve's start. Off: it keeps its animated position, and
    /// the curve begins there.
    #[export]
    #[init(val = Setup::new(true))]
    pub start_on_curve: Setup<bool>,

    /// How far bones change length so that the chain ends where the curve ends, 0 (not at all) to
    /// 1.
    #[export_group(name = "Stretch")]
    #[export(range = (0.0, 1.0, 0.001))]
    pub stretch: Setup<f32>,
    /// Minimum factor on the bones' lengths, 0 to 1.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = Setup::new(0.1))]
    pub stretch_min: Setup<f32>,
    /// Maximum factor on the bones' lengths, 1 or more.
    #[export(range = (1.0, 10.0, 0.01, or_greater))]
    #[init(val = Setup::new(10.0))]
    pub stretch_max: Setup<f32>,

    /// Roll about the bone at the first bone, radians, on top of the animation's.
    #[export_group(name = "Roll", prefix = "roll_")]
    #[export(range = (-360.0, 360.0, 0.1, radians_as_degrees))]
    pub roll_start: Setup<f32>,
    /// Roll about the bone at the last bone, radians; in between it is proportional to the length.
    #[export(range = (-360.0, 360.0, 0.1, radians_as_degrees))]
    pub roll_end: Setup<f32>,
    /// How far first and last bone roll to the rotations of the first and last of [member
    /// point_nodes], 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub roll_to_nodes: f32,

    /// Time of the transition to other weights, another target node, and after [method
    /// inertialize], seconds, 0 or more; 0: at once. A target that moves is followed without lag.
    /// [member SkeletonModifier3D.influence] and [member SkeletonModifier3D.active] are the
    /// engine's and know no transition: let a weight go to 0.
    #[export_group(name = "Transition")]
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    pub inertialization_time: f32,

    /// Limits of the joints; may be shared with other nodes and characters. A joint at its limit
    /// leaves the curve.
    #[export_group(name = "Limits")]
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,

    /// Draws bones, their limits, the curve and its control points in the 3D view, in the editor
    /// and in the game. While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Largest distance in metres (world) of a joint from its place on the curve.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = NONE, hint_string = "suffix:m")]
    pub residual: f32,

    /// Control points of this update, with the roll goals of the first and last.
    points: Vec<ConstraintGoal>,
    /// Number and kind of points for which the constraint was created.
    shape: (usize, CurveKind),
    slot: Slot,
    display: Display,
    base: Base<SkeletonModifier3D>,
}

constraint_node!(SinewSplineIK, paths: [path, point_nodes], list: point_nodes, outcome: |outcome| { residual: outcome.residual_m });

#[godot_api(secondary)]
impl SinewSplineIK {
    /// The curve is a Path3D's.
    #[constant]
    pub const TARGET_PATH: i64 = 0;
    /// The curve's points are nodes.
    #[constant]
    pub const TARGET_NODES: i64 = 1;
    /// The curve's points are a plain property.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 2;
    /// A smooth curve through all points.
    #[constant]
    pub const CURVE_THROUGH_POINTS: i64 = 0;
    /// Points and handles.
    #[constant]
    pub const CURVE_BEZIER: i64 = 1;
}

impl SinewSplineIK {
    fn forget(&mut self) {
        self.slot.forget();
    }
    fn look(&mut self, rig: Rig) {
        self.slot.look(rig);
    }

    fn solve(&mut self, rig: Rig) -> Outcome {
        let kind = self.find_points();
        if self.points.is_empty() {
            self.slot.forget();
            return Outcome::INACTIVE;
        }
        self.set_up(rig, (self.points.len(), kind));
        let (weight, points) = (self.weight, &self.points);
        let Some(constrained) = &mut self.slot.constrained else { return Outcome::INACTIVE };
        if weight.is_nan() || weight <= 0.0 {
            return constrained.rest(rig);
        }
        constrained.update(rig, false, |place, input| {
            input.weight = weight;
            for (goal, wish) in input.goals.iter_mut().zip(points) {
                *goal = ConstraintGoal {
                    position_ws: wish.position_ws.map(|point| place.point(point)).filter(|p| p.is_finite()),
                    rotation_ws: wish.rotation_ws.map(|rotation| place.rotation(rotation)),
                    ..*wish
                };
            }
        })
    }

    /// Fills `points` and returns their kind of curve; `None` when the curve's source is not there.
    fn find_points(&mut self) -> CurveKind {
        self.points.clear();
        let kind = if self.curve_kind == 1 { CurveKind::Bezier } else { CurveKind::CatmullRom };
        match self.target_source {
            FROM_PATH => {
                if let Some(node) = target_node!(self.path).and_then(|node| node.to_gd().try_cast::<Path3D>().ok()) {
                    self.points.extend(path_points(&node).into_iter().map(ConstraintGoal::at));
                }
                CurveKind::Bezier
            }
            FROM_NODES => {
                let (this, last) = (self.to_gd().upcast::<Node>(), self.point_nodes.len().saturating_sub(1));
                let mut nodes = 1;
                for number in 0..self.point_nodes.len() {
                    let node = self.point_nodes.node(number, &this);
                    nodes = constraint::add_node(nodes, node);
                    let rolls = self.roll_to_nodes > 0.0 && (number == 0 || number == last);
                    let placed = node.map(property::placement_of);
                    self.points.push(ConstraintGoal {
                        position_ws: placed.map(|placed| placed.0),
                        rotation_ws: placed.map(|placed: (Vec3, Quat)| placed.1).filter(|_| rolls),
                        rotation_weight: self.roll_to_nodes,
                        ..ConstraintGoal::default()
                    });
                }
                if self.inertialization_time > 0.0 {
                    self.slot.follow(constraint::LIST, nodes);
                }
                kind
            }
            _ => {
                let points = self.point_positions.as_slice().iter();
                self.points.extend(points.map(|point| ConstraintGoal::at(vec3(*point))));
                kind
            }
        }
    }

    fn set_up(&mut self, rig: Rig, shape: (usize, CurveKind)) {
        let reshaped = core::mem::replace(&mut self.shape, shape) != shape;
        let changed = self.end_bone.take_changed()
            | self.root_bone.take_changed()
            | self.bone_count.take_changed()
            | self.tip_offset.take_changed()
            | self.start_on_curve.take_changed()
            | self.stretch.take_changed()
            | self.stretch_min.take_changed()
            | self.stretch_max.take_changed()
            | self.roll_start.take_changed()
            | self.roll_end.take_changed()
            | self.limits.take_changed()
            | reshaped;
        let (end, root, count) = (&self.end_bone, &self.root_bone, *self.bone_count);
        let definition = SplineDefinition {
            tip_js: vec3(*self.tip_offset),
            curve: shape.1,
            stretch: *self.stretch,
            stretch_bounds: [*self.stretch_min, *self.stretch_max],
            roll_start_rad: *self.roll_start,
            roll_end_rad: *self.roll_end,
            start_on_curve: *self.start_on_curve,
            ..SplineDefinition::ending_at(0, 0, shape.0)
        };
        self.slot.refresh(rig, changed, self.limits.as_ref(), |table| {
            let end = constraint::bone(table, &end.to_string(), "End Bone")?;
            let joint_count = constraint::bone_count(table, end, root, count)?;
            let subset = Subset::below(table, constraint::top(table, end, joint_count), &[end])?;
            let end = subset.joint(end).unwrap_or_default();
            Ok((subset, ConstraintDefinition::Spline(SplineDefinition { end, joint_count, ..definition })))
        });
    }

    fn is_hidden(&self, property: &str) -> bool {
        match property {
            "path" => self.target_source != FROM_PATH,
            "point_nodes" | "roll_to_nodes" => self.target_source != FROM_NODES,
            "point_positions" => matches!(self.target_source, FROM_PATH | FROM_NODES),
            "curve_kind" => self.target_source == FROM_PATH,
            _ => false,
        }
    }

    fn problems(&self) -> Vec<String> {
        let base = self.base();
        match self.target_source {
            FROM_PATH => {
                let missing = self.path.problem("path", Some("choose another target_source"), &base);
                let node = self.path.seen(&base).and_then(|node| node.to_gd().try_cast::<Path3D>().ok());
                let wrong = || Some("path needs a Path3D with a curve of 2 points or more.".to_string());
                let unusable = self.path.is_set() && node.is_none_or(|node| path_points(&node).is_empty());
                missing.or_else(|| if unusable { wrong() } else { None }).into_iter().collect()
            }
            FROM_NODES => {
                let paths = self.point_nodes.iter().enumerate();
                let gone = paths.filter_map(|(number, path)| {
                    path.problem(&format!("point_nodes, entry {number},"), Some("take it out of the list"), &base)
                });
                let few = (self.point_nodes.len() < 2).then(|| "point_nodes needs 2 nodes or more.".to_string());
                few.into_iter().chain(gone).collect()
            }
            _ if self.point_positions.len() < 2 => vec!["point_positions needs 2 points or more.".to_string()],
            _ => Vec::new(),
        }
    }

    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(drawing);
        }
    }
}

/// Points and handles of a path's curve in the world, 3 k + 1 of them; none for a curve without
/// length.
fn path_points(node: &Gd<Path3D>) -> Vec<Vec3> {
    let Some(curve) = node.get_curve() else { return Vec::new() };
    let count = curve.get_point_count();
    if count < 2 {
        return Vec::new();
    }
    let global = node.get_global_transform();
    let mut points = Vec::with_capacity(3 * count as usize + 1);
    let segments = if curve.is_closed() { count } else { count - 1 };
    points.push(curve.get_point_position(0));
    for from in 0..segments {
        let to = (from + 1) % count;
        let (start, end) = (curve.get_point_position(from), curve.get_point_position(to));
        points.extend([start + curve.get_point_out(from), end + curve.get_point_in(to), end]);
    }
    points.into_iter().map(|point| vec3(global * point)).collect()
}
