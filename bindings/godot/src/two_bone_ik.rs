//! `SinewTwoBoneIK`: a limb of two bones in closed form.

use crate::bones::Subset;
use crate::calls::Rig;
use crate::constraint::{self, Slot, Wish, constraint_node, pole_at, target_problems, wish_at};
use crate::convert::{quat, vec3};
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, target_node};
use godot::builtin::{GString, PackedStringArray, Quaternion, Vector3};
use godot::classes::{ISkeletonModifier3D, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::constraints::{ConstraintDefinition, TwoBoneDefinition};
use sinew::optim::Work;
use sinew::outcome::Outcome;

/// Brings the end of a limb of two bones (hand, foot) to a target, exactly and at once, in closed
/// form.
///
/// It needs no pole: without one the limb keeps the animation's bend side, and a straight limb
/// bends to its side at rest, or to [member bend_direction]. With joint limits the limb is solved
/// as a chain that obeys them. The weight is the modifier's [member SkeletonModifier3D.influence],
/// plus one for position and one for rotation.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewTwoBoneIK {
    /// The end bone: hand, foot.
    #[export_group(name = "Bones")]
    #[export]
    pub end_bone: Setup<GString>,
    /// The bone that bends. Empty: the parent of [member end_bone].
    #[export]
    pub mid_bone: Setup<GString>,
    /// The first bone of the limb. Empty: the parent of the middle bone.
    #[export]
    pub root_bone: Setup<GString>,
    /// Bend side of a straight limb, in the root bone's space. Zero: its side at rest.
    #[export]
    pub bend_direction: Setup<Vector3>,
    /// Zone before full reach in which the limb slows down, as a share of its length, 0 to 1; 0:
    /// none. Fades with [member position_weight].
    #[export(range = (0.0, 1.0, 0.001))]
    pub softness: Setup<f32>,
    /// How much longer the limb may become to reach, as a share of its length, 0 to 1; 0: not at
    /// all.
    #[export(range = (0.0, 1.0, 0.001))]
    pub stretch: Setup<f32>,

    /// Source of target and pole: nodes of the scene, or the plain properties below (for scripts).
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

    /// Whether the tip goes to the target, or keeps a distance from it: at most (Inside), just (On)
    /// or at least (Outside) [member distance].
    #[export_group(name = "Distance")]
    #[export(enum = (None = 0, Inside = 1, On = 2, Outside = 3))]
    pub distance_mode: i32,
    /// The distance to keep from the target, metres (world), 0 or more.
    #[export(range = (0.0, 10.0, 0.001, or_greater, suffix = "m"))]
    pub distance: f32,

    /// Pole: a node towards which the limb bends. Optional: without a pole the animation's bend
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
    /// With limits: maximum number of steps of work of one update, 0 to 8000000. A step takes 10 to
    /// 80 ns; when none are left, the update ends with the best pose so far, the same on every
    /// computer. Without limits the solve is in closed form.
    #[export(range = (0.0, 8000000.0, 1.0))]
    #[init(val = Work::MOST as i32)]
    pub max_work: i32,

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

    slot: Slot,
    display: Display,
    base: Base<SkeletonModifier3D>,
}

constraint_node!(SinewTwoBoneIK, paths: [target, pole], outcome: |outcome| {
    residual: outcome.residual_m,
    residual_angle: outcome.residual_rad,
    iterations: outcome.iterations as i32
});

#[godot_api(secondary)]
impl SinewTwoBoneIK {
    /// Target from nodes.
    #[constant]
    pub const TARGET_NODES: i64 = 0;
    /// Target from the plain properties.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 1;
    /// The end bone moves with the limb.
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
}

impl SinewTwoBoneIK {
    fn forget(&mut self) {
        self.slot.forget();
    }
    fn look(&mut self, rig: Rig) {
        self.slot.look(rig);
    }
    #[inline]
    fn solve(&mut self, rig: Rig) -> Outcome {
        self.set_up(rig);
        let (Some((position, rotation)), pole_at) = (wish_at!(self), pole_at!(self)) else {
            return self.slot.rest(rig);
        };
        let Some(constrained) = &mut self.slot.constrained else { return Outcome::INACTIVE };
        let wish = Wish {
            position,
            rotation,
            weights: (self.position_weight, self.rotation_weight),
            importances: (1.0, 1.0),
            end_rotation: self.end_rotation,
            axes: (vec3(self.end_axis), vec3(self.target_axis)),
            distance: constraint::distance(self.distance_mode, self.distance),
        };
        let (pole_weight, pole_angle) = (self.pole_weight, self.pole_angle);
        // Limits hold at weight 0, too.
        let swivels = pole_at.is_some() && pole_weight > 0.0;
        if !(wish.counts() || swivels || self.limits.is_some()) {
            return constrained.rest(rig);
        }
        constrained.bound(self.max_work);
        constrained.update(rig, wish.lets_end_follow(), |place, input| {
            input.weight = 1.0;
            input.pole_ws = pole_at.map(|at| constraint::pole(place, at, pole_weight, pole_angle));
            input.goals[0] = wish.goal(place);
        })
    }
    #[inline]
    fn set_up(&mut self, rig: Rig) {
        let changed = self.end_bone.take_changed()
            | self.mid_bone.take_changed()
            | self.root_bone.take_changed()
            | self.bend_direction.take_changed()
            | self.softness.take_changed()
            | self.stretch.take_changed()
            | self.limits.take_changed();
        let (end, mid, root) = (&self.end_bone, &self.mid_bone, &self.root_bone);
        let (side, softness, stretch) = (*self.bend_direction, *self.softness, *self.stretch);
        self.slot.refresh(rig, changed, self.limits.as_ref(), |table| {
            let end = constraint::bone(table, &end.to_string(), "End Bone")?;
            let named = |name: &GString, what| {
                if name.is_empty() { Ok(None) } else { constraint::bone(table, &name.to_string(), what).map(Some) }
            };
            let (mid, root) = (named(mid, "Mid Bone")?, named(root, "Root Bone")?);
            let wanted: Vec<i32> = core::iter::once(end).chain(mid).chain(root).collect();
            let top = root.or_else(|| table.parent(mid.or_else(|| table.parent(end))?));
            let subset = match top {
                Some(top) => Subset::below(table, top, &wanted)?,
                None => Subset::new(table, wanted)?,
            };
            let joint = |bone: i32| subset.joint(bone);
            let definition = TwoBoneDefinition {
                mid: mid.and_then(joint),
                root: root.and_then(joint),
                bend_side_js: vec3(side),
                softness,
                stretch,
                ..TwoBoneDefinition::ending_at(joint(end).unwrap_or_default())
            };
            Ok((subset, ConstraintDefinition::TwoBone(definition)))
        });
    }
    fn is_hidden(&self, property: &str) -> bool {
        constraint::is_hidden(property, self.target_source, self.distance_mode, self.end_rotation)
    }
    fn problems(&self) -> Vec<String> {
        target_problems!(self)
    }
    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(drawing);
        }
    }
}
