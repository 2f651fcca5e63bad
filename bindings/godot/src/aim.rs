//! `SinewAim`: the look-at of a humanoid, or an aim of any chain of bones.

use crate::attached::Attached;
use crate::avatar::{self, AvatarSource};
use crate::bones::{BoneTable, Subset};
use crate::calls::Rig;
use crate::constraint::{self, FROM_NODE, Slot, constraint_node, pole_at, target_problems};
use crate::convert::vec3;
use crate::display::{Display, Drawing, display_node};
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{self, Setup, TargetPath, target_node};
use godot::builtin::{GString, PackedFloat32Array, PackedStringArray, Vector3};
use godot::classes::{ISkeletonModifier3D, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::constraints::{AimDefinition, ConstraintDefinition, ConstraintGoal};
use sinew::humanoid::{HumanoidInput, LookAtWeight};
use sinew::math::Vec3;
use sinew::outcome::Outcome;
use std::f32::consts::PI;

/// Turns a humanoid's gaze (spine, neck, head and eyes) or any chain of bones towards a target,
/// each bone by its share.
///
/// With [member end_bone] empty the skeleton is a humanoid: its bones are mapped automatically, and
/// the gaze starts between the eyes. With it set, the last [member bone_count] bones turn until the
/// ray along [member axis] of the last one goes through the target. Targets that pass behind are
/// followed without a jump.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewAim {
    /// The bone that aims: head, turret, rifle. Empty: the humanoid's head, with spine and eyes.
    #[export_group(name = "Bones")]
    #[export]
    pub end_bone: Setup<GString>,
    /// Number of bones that share the turn, from [member end_bone] upwards, it counted. 0: up to
    /// the skeleton's root.
    #[export(range = (0.0, 64.0, 1.0, or_greater))]
    #[init(val = Setup::new(1))]
    pub bone_count: Setup<i32>,
    /// Share of each bone in the turn, from the first to [member end_bone], 0 or more. Empty: equal
    /// shares.
    #[export]
    pub bone_weights: Setup<PackedFloat32Array>,
    /// Direction that points at the target, in the end bone's space.
    #[export]
    #[init(val = Setup::new(Vector3::BACK))]
    pub axis: Setup<Vector3>,
    /// Where the line of sight starts, in the end bone's space, metres.
    #[export]
    pub origin_offset: Setup<Vector3>,
    /// The direction that faces up (or the pole), in the end bone's space; used with [member pole]
    /// or [member pole_direction].
    #[export]
    #[init(val = Setup::new(Vector3::UP))]
    pub up_axis: Setup<Vector3>,
    /// Largest angle from the animated direction, radians, 0 to π; π: no limit.
    #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
    #[init(val = Setup::new(PI))]
    pub clamp_angle: Setup<f32>,
    /// Part of [member clamp_angle] over which the turn slows down before its end, 0 to 1.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = Setup::new(0.1))]
    pub clamp_softness: Setup<f32>,
    /// Angle before exactly behind over which the turn fades to none, radians, 0 to π. What passes
    /// behind is then followed without a jump.
    #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
    #[init(val = Setup::new(AimDefinition::of(0).behind_rad))]
    pub behind_angle: Setup<f32>,

    /// Source of target and pole: nodes of the scene, or the plain properties below (for scripts).
    #[export_group(name = "Target")]
    #[export(enum = (Nodes = 0, Properties = 1))]
    pub target_source: i32,
    /// The node to look at.
    #[export(node_path = ("Node3D"))]
    pub target: TargetPath,
    /// The point to look at, world space, metres, when [member target_source] is Properties.
    #[export]
    pub target_position: Vector3,
    /// Weight of the target: the animated direction (0) to the target (1).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub weight: f32,

    /// A node that [member up_axis] faces. Optional: without one no roll is added.
    #[export_group(name = "Pole")]
    #[export(node_path = ("Node3D"))]
    pub pole: TargetPath,
    /// A direction that [member up_axis] faces, in the skeleton's space, when no [member pole] node
    /// is set. Zero: none.
    #[export]
    pub pole_direction: Vector3,
    /// Weight of the pole: how far the end bone rolls towards it, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub pole_weight: f32,

    /// Share of the turn that the spine takes, 0 to 1.
    #[export_group(name = "Humanoid")]
    #[export(range = (0.0, 1.0, 0.001))]
    pub body_weight: f32,
    /// Share that neck and head take of the remaining turn, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub head_weight: f32,
    /// Share that the eyes take of the remaining turn, 0 to 1, within their range.
    #[export(range = (0.0, 1.0, 0.001))]
    pub eyes_weight: f32,
    /// 0: free; 1: no turning. The gaze may turn (1 − clamp)·180° away from the chest's forward.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.5)]
    pub clamp_weight: f32,

    /// Time of the transition to other weights, another target node, and after [method
    /// inertialize], seconds, 0 or more; 0: at once. A target that moves is followed without lag.
    /// Without [member end_bone] the look-at of [SinewHumanoidIK] has such a time, this one none.
    /// [member SkeletonModifier3D.influence] and [member SkeletonModifier3D.active] are the
    /// engine's and know no transition: let a weight go to 0.
    #[export_group(name = "Transition")]
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    pub inertialization_time: f32,

    /// Limits of the joints (for chains of bones); may be shared with other nodes and characters.
    #[export_group(name = "Limits")]
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,

    /// Draws bones, joint limits, line of sight, goal and pole in the 3D view, in the editor and in
    /// the game. While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,
    /// How the last update ended; see the STATUS constants.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Remaining angle in radians between the line of sight and the weighted target.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,180,0.0001,radians_as_degrees")]
    pub residual_angle: f32,

    slot: Slot,
    /// The humanoid, when no bone is named.
    humanoid: Option<Box<Attached>>,
    humanoid_version: Option<u64>,
    is_humanoid: bool,
    display: Display,
    base: Base<SkeletonModifier3D>,
}

constraint_node!(SinewAim, paths: [target, pole], outcome: |outcome| { residual_angle: outcome.residual_rad });

#[godot_api(secondary)]
impl SinewAim {
    /// Target from nodes.
    #[constant]
    pub const TARGET_NODES: i64 = 0;
    /// Target from the plain properties.
    #[constant]
    pub const TARGET_PROPERTIES: i64 = 1;
}

impl SinewAim {
    fn forget(&mut self) {
        self.slot.forget();
        self.humanoid = None;
        self.humanoid_version = None;
    }
    fn look(&mut self, rig: Rig) {
        self.slot.look(rig);
        if let Some(attached) = &mut self.humanoid {
            attached.look(rig);
        }
    }

    #[inline]
    fn solve(&mut self, rig: Rig) -> Outcome {
        let point = if self.target_source == FROM_NODE {
            let node = target_node!(self.target);
            if self.inertialization_time > 0.0 {
                self.slot.follow(constraint::TARGET, constraint::add_node(1, node));
            }
            node.map(property::position_of)
        } else {
            Some(vec3(self.target_position))
        };
        let point = point.filter(|p| p.is_finite());
        if self.end_bone.take_changed() {
            self.forget();
            self.is_humanoid = self.end_bone.is_empty();
        }
        if self.is_humanoid { self.gaze(rig, point) } else { self.aim(rig, point) }
    }

    /// The humanoid's look-at.
    fn gaze(&mut self, rig: Rig, point: Option<Vec3>) -> Outcome {
        let version = Some(rig.version());
        if version != self.humanoid_version {
            self.forget();
            self.humanoid_version = version;
            let table = BoneTable::read(&rig.to_gd());
            let rigged = avatar::rigged(&AvatarSource::of(table));
            let attached = rigged.and_then(|rigged| {
                let attached = Attached::new(&rigged.subset, Some(rigged.avatar.clone()))?;
                Ok(attached.defined_by(&rigged.definition))
            });
            match attached {
                Ok(attached) => self.humanoid = Some(Box::new(attached)),
                Err(problem) => self.slot.problem = problem,
            }
        }
        let look_at_weight = LookAtWeight {
            weight: self.weight,
            body: self.body_weight,
            head: self.head_weight,
            eyes: self.eyes_weight,
            clamp: self.clamp_weight,
        };
        let (Some(attached), Some(point)) = (&mut self.humanoid, point) else { return Outcome::INACTIVE };
        if !(look_at_weight.weight > 0.0 && attached.read(rig, None)) {
            return Outcome::INACTIVE;
        }
        let look_at_position = Some(attached.place.point(point));
        let input = HumanoidInput { look_at_position, look_at_weight, ..HumanoidInput::default() };
        if attached.animator.set_input(&input).is_err() || attached.solve().is_err() {
            return Outcome::INACTIVE;
        }
        attached.write(rig);
        attached.animator.look_at_outcome().unwrap_or(Outcome::INACTIVE)
    }

    /// Bones of any rig.
    #[inline]
    fn aim(&mut self, rig: Rig, point: Option<Vec3>) -> Outcome {
        self.set_up(rig);
        let pole_at = pole_at!(self);
        let (weight, pole_weight) = (self.weight, self.pole_weight);
        let Some(point) = point else { return self.slot.rest(rig) };
        let Some(constrained) = &mut self.slot.constrained else { return Outcome::INACTIVE };
        // NaN counts as weight 0.
        if weight.is_nan() || weight <= 0.0 {
            return constrained.rest(rig);
        }
        constrained.update(rig, false, |place, input| {
            input.weight = weight;
            input.pole_ws = pole_at.map(|at| constraint::pole(place, at, pole_weight, 0.0));
            input.goals[0] = ConstraintGoal::at(place.point(point));
        })
    }
    #[inline]
    fn set_up(&mut self, rig: Rig) {
        let changed = self.bone_count.take_changed()
            | self.bone_weights.take_changed()
            | self.axis.take_changed()
            | self.origin_offset.take_changed()
            | self.up_axis.take_changed()
            | self.clamp_angle.take_changed()
            | self.clamp_softness.take_changed()
            | self.behind_angle.take_changed()
            | self.limits.take_changed();
        let (end, count, weights) = (&self.end_bone, (*self.bone_count).max(0) as usize, &self.bone_weights);
        let (axis, offset, up) = (vec3(*self.axis), vec3(*self.origin_offset), vec3(*self.up_axis));
        let (clamp_rad, clamp_softness, behind_rad) = (*self.clamp_angle, *self.clamp_softness, *self.behind_angle);
        self.slot.refresh(rig, changed, self.limits.as_ref(), |table| {
            let end = constraint::bone(table, &end.to_string(), "End Bone")?;
            let subset = Subset::below(table, constraint::top(table, end, count), &[end])?;
            let joint = subset.joint(end).unwrap_or_default();
            let definition = AimDefinition {
                weights: weights.as_slice().to_vec(),
                axis_js: axis,
                offset_js: offset,
                up_js: up,
                clamp_rad,
                clamp_softness,
                behind_rad,
                ..AimDefinition::ending_at(joint, count)
            };
            Ok((subset, ConstraintDefinition::Aim(definition)))
        });
    }
    fn is_hidden(&self, property: &str) -> bool {
        let of_humanoids = ["body_weight", "head_weight", "eyes_weight", "clamp_weight"];
        let of_bones = [
            "bone_count",
            "bone_weights",
            "axis",
            "origin_offset",
            "up_axis",
            "clamp_angle",
            "clamp_softness",
            "behind_angle",
            "pole",
            "pole_direction",
            "pole_weight",
            "inertialization_time",
            "limits",
        ];
        let other = if self.end_bone.is_empty() { &of_bones[..] } else { &of_humanoids[..] };
        other.contains(&property) || constraint::is_hidden(property, self.target_source, 0, 0)
    }
    fn problems(&self) -> Vec<String> {
        target_problems!(self)
    }
    fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(constrained) = &self.slot.constrained {
            constrained.draw(drawing);
        }
        if let Some(attached) = &mut self.humanoid {
            attached.draw(drawing);
        }
    }
}
