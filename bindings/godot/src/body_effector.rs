//! `SinewBodyEffector`: one demand on a whole body, as a resource.

use crate::argument;
use crate::property::Shared;
use godot::builtin::{
    Array, Callable, GString, NodePath, PackedVector3Array, Quaternion, StringName, Variant, Vector3,
};
use godot::classes::{IResource, Resource};
use godot::obj::Base;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};
use sinew::body::TaskKind;

/// One demand of a [SinewBodyIK]: what a bone, or the centre of mass, is to do, and how much that
/// counts.
///
/// Where a goal is comes from [member target], or from [member goal_position], [member
/// goal_rotation] and [member direction] when no target is set. [member blend] fades an effector in
/// and out; [member importance] only decides conflicts.
#[derive(GodotClass)]
#[class(base = Resource, tool)]
pub struct SinewBodyEffector {
    /// What is requested; see the KIND constants. Each kind reads some of the properties below.
    #[export(enum = (Position = 0, Orientation = 1, Axis = 2, Gaze = 3, Pole = 4, Distance = 5, Plane = 6, Relative_Position = 7, Relative_Orientation = 8, Bone_Rotation = 9, Center_of_Mass = 10, Support = 11, Callable = 12))]
    pub kind: Shared<i32>,
    /// The bone's name in the skeleton. Not for the centre of mass.
    #[export]
    pub bone: Shared<GString>,
    /// Another bone: of relative kinds and of distances; of a pole the first bone of the limb
    /// (empty: the parent of [member bone]); of a Callable the second bone it sees.
    #[export]
    pub other_bone: Shared<GString>,
    /// The last bone of the limb, for a pole. Empty: the first child of [member bone]. Of a
    /// Callable the third bone it sees.
    #[export]
    pub end_bone: Shared<GString>,

    /// The goal: path of a Node3D, from the node [SinewBodyIK]. Its position and rotation count;
    /// its Y axis is the normal of a plane and up, its -Z axis the direction of an axis. Empty: the
    /// properties below. An effector whose node is gone is absent, and one that has neither a node
    /// nor a [member goal_position].
    #[export_group(name = "Goal")]
    #[export]
    pub target: Shared<NodePath>,
    /// Position: the bone also takes the goal's rotation.
    #[export]
    pub match_rotation: Shared<bool>,
    /// The goal is where the animation has the bone; target and properties do not count.
    #[export]
    pub pin: Shared<bool>,
    /// The goal without a [member target], world space, metres. Zero (default): none, and the
    /// effector is absent, unless [member goal_at_origin] is on. For planes, and where not all
    /// [member axes] count, zero is a goal as well.
    #[export]
    pub goal_position: Vector3,
    /// A [member goal_position] of zero is the world's origin.
    #[export]
    pub goal_at_origin: bool,
    /// The goal rotation without a [member target], world space. Relative orientation: seen from
    /// [member other_bone]; bone rotation: in the parent bone.
    #[export]
    pub goal_rotation: Quaternion,
    /// Direction of an axis, normal of a plane, or up, without a [member target]; world space.
    #[export]
    pub direction: Vector3,
    /// Distance to keep, or how far inside the support the centre of mass is kept; metres (world),
    /// 0 or more.
    #[export(range = (0.0, 10.0, 0.001, or_greater, suffix = "m"))]
    pub distance: f32,
    /// Distance and plane: which side is allowed. Inside: within the sphere, behind the plane.
    /// Outside: beyond the sphere, where the plane's normal points.
    #[export(enum = (On = 0, Inside = 1, Outside = 2))]
    pub side: Shared<i32>,
    /// Support: nodes whose positions are the corners of the area, 1 to 16, in any order; paths
    /// from the node [SinewBodyIK].
    #[export]
    pub corners: Shared<Array<NodePath>>,
    /// Support: the corners, world space, metres, when [member corners] is empty.
    #[export]
    pub corner_positions: PackedVector3Array,

    /// The point of the bone that counts, in its own space: a palm, a sole, the tip of a weapon.
    #[export_group(name = "Effector")]
    #[export]
    pub point_offset: Vector3,
    /// A point of the other bone, in its own space.
    #[export]
    pub other_point_offset: Vector3,
    /// An axis of the bone, in its own space, for axes and gaze; any length but zero.
    #[export]
    pub axis: Vector3,
    /// Which axes of [member frame] count. A Callable has as many rows as are on.
    #[export(flags = (X = 1, Y = 2, Z = 4))]
    pub axes: Shared<i32>,
    /// The frame of [member axes]: the world, the skeleton, the goal's own, or the bone's own: then
    /// the axes turn with the effector.
    #[export(enum = (World = 0, Skeleton = 1, Goal = 2, Bone = 3))]
    pub frame: Shared<i32>,

    /// Callable: computes the rows, a residual of your own. It takes an Array of three Transform3D,
    /// of [member bone], [member other_bone] and [member end_bone] in world space (with an uneven
    /// scale of the skeleton, in the skeleton's), and returns a Dictionary: "value", a number per
    /// row, goal minus current value (0: met); and "terms", a Dictionary per bone with "point", and
    /// a Vector3 per row of "force" (what the value falls by as the point moves by a metre along X,
    /// Y and Z) and of "torque" (what it falls by, beside that, as the bone turns by a radian about
    /// them). It is called several times in each iteration, and is not to use the node or its
    /// skeleton. Anything else that it returns ends the update without a change, and the node
    /// warns.
    #[var]
    pub compute: Shared<Callable>,
    /// Callable: its rows are angles, in radians; otherwise lengths, in metres.
    #[export_group(name = "Callable")]
    #[export]
    pub computes_angles: Shared<bool>,

    /// How far the goal moves from the animated effector to the goal, 0 (absent, bit for bit) to 1.
    /// Fade with this.
    #[export_group(name = "Weight")]
    #[export(range = (0.0, 1.0, 0.001))]
    pub blend: f32,
    /// Ratio in conflicts with other effectors of the level, 0.000001 to 1000000. Not for fading.
    #[export(range = (0.01, 100.0, 0.01, exp, or_greater, or_less))]
    pub importance: f32,
    /// Priority level, 0 (first) to 3: effectors give way to those of lower levels.
    #[export(range = (0.0, 3.0, 1.0))]
    pub level: Shared<i32>,
    base: Base<Resource>,
}

/// Number of a kind.
const fn number(kind: TaskKind) -> i64 {
    kind as i64
}

#[godot_api]
impl IResource for SinewBodyEffector {
    fn init(base: Base<Resource>) -> Self {
        Self {
            kind: Shared::default(),
            bone: Shared::default(),
            other_bone: Shared::default(),
            end_bone: Shared::default(),
            target: Shared::default(),
            match_rotation: Shared::default(),
            pin: Shared::default(),
            goal_position: Vector3::ZERO,
            goal_at_origin: false,
            goal_rotation: Quaternion::default(),
            direction: Vector3::UP,
            distance: 0.0,
            side: Shared::default(),
            corners: Shared::default(),
            corner_positions: PackedVector3Array::new(),
            point_offset: Vector3::ZERO,
            other_point_offset: Vector3::ZERO,
            axis: Vector3::UP,
            axes: Shared(7),
            frame: Shared::default(),
            blend: 1.0,
            importance: 1.0,
            level: Shared::default(),
            compute: Shared(Callable::invalid()),
            computes_angles: Shared::default(),
            base,
        }
    }
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        argument::set_list(&mut self.corners, ["SinewBodyEffector", "corners"], &property, &value)
    }
    /// Hides properties without effect for the kind from the inspector.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        if matches!(name.as_str(), "kind" | "pin") {
            property.usage |= PropertyUsageFlags::UPDATE_ALL_IF_MODIFIED;
        }
        crate::constraint::show_words_and_units(property, &name);
        if !self.counts(&name) {
            property.usage = PropertyUsageFlags::STORAGE;
        }
    }
}

#[godot_api]
impl SinewBodyEffector {
    /// The point of the bone at the goal, on the axes that count.
    #[constant]
    pub const KIND_POSITION: i64 = number(TaskKind::Position);
    /// The bone turned as the goal, about the axes that count.
    #[constant]
    pub const KIND_ORIENTATION: i64 = number(TaskKind::Orientation);
    /// The axis of the bone along a direction.
    #[constant]
    pub const KIND_AXIS: i64 = number(TaskKind::Axis);
    /// The axis of the bone from its point, the eye, towards the goal.
    #[constant]
    pub const KIND_GAZE: i64 = number(TaskKind::Gaze);
    /// The bone, an elbow or knee, on the side of the goal.
    #[constant]
    pub const KIND_POLE: i64 = number(TaskKind::Pole);
    /// The point of the bone at a distance from the goal or from the other bone's point.
    #[constant]
    pub const KIND_DISTANCE: i64 = number(TaskKind::Distance);
    /// The point of the bone on a plane through the goal, or on one side of it.
    #[constant]
    pub const KIND_PLANE: i64 = number(TaskKind::Plane);
    /// The point of the bone at the point of the other bone.
    #[constant]
    pub const KIND_RELATIVE_POSITION: i64 = number(TaskKind::RelativePosition);
    /// The bone turned with the other bone.
    #[constant]
    pub const KIND_RELATIVE_ORIENTATION: i64 = number(TaskKind::RelativeOrientation);
    /// The bone's rotation in its parent.
    #[constant]
    pub const KIND_BONE_ROTATION: i64 = number(TaskKind::JointRotation);
    /// The centre of mass at the goal, on the axes that count.
    #[constant]
    pub const KIND_CENTER_OF_MASS: i64 = number(TaskKind::CenterOfMass);
    /// The centre of mass above the convex hull of the corners.
    #[constant]
    pub const KIND_SUPPORT: i64 = number(TaskKind::Support);

    /// Rows that a Callable computes: [member compute]. Side Inside: rows below 0 count as met.
    #[constant]
    pub const KIND_CALLABLE: i64 = number(TaskKind::Host);

    /// The kind; a number that is none counts as the first.
    pub fn task_kind(&self) -> TaskKind {
        let kind = usize::try_from(*self.kind).ok().and_then(|kind| TaskKind::ALL.get(kind));
        kind.copied().unwrap_or_default()
    }
    /// Whether the kind needs a position, and none is given: neither a target nor a position.
    pub fn lacks_goal(&self) -> bool {
        let reads =
            matches!(self.task_kind(), TaskKind::Position | TaskKind::Gaze | TaskKind::Pole | TaskKind::CenterOfMass)
                || (self.task_kind() == TaskKind::Distance && self.other_bone.is_empty());
        let has_axes = matches!(self.task_kind(), TaskKind::Position | TaskKind::CenterOfMass) && *self.axes & 7 != 7;
        let is_set = !self.target.is_empty() || self.goal_position != Vector3::ZERO || self.goal_at_origin;
        reads && !has_axes && !is_set && !*self.pin
    }
    /// Whether a property has an effect with the kind.
    fn counts(&self, property: &str) -> bool {
        use TaskKind::{
            Axis, CenterOfMass, Distance, Gaze, Host, JointRotation, Orientation, Plane, Pole, Position,
            RelativeOrientation, RelativePosition, Support,
        };
        let (kind, is_free) = (self.task_kind(), !*self.pin);
        match property {
            "bone" => kind.needs_joint(),
            "other_bone" => matches!(kind, Pole | Distance | RelativePosition | RelativeOrientation | Host),
            "end_bone" => matches!(kind, Pole | Host),
            "target" => is_free && !matches!(kind, RelativePosition | RelativeOrientation | JointRotation | Host),
            "match_rotation" => kind == Position,
            "pin" => !matches!(kind, Support | Host),
            "goal_position" | "goal_at_origin" => {
                is_free && matches!(kind, Position | Gaze | Pole | Distance | Plane | CenterOfMass)
            }
            "goal_rotation" => {
                let turns = matches!(kind, Orientation | RelativeOrientation | JointRotation | Position);
                is_free && turns || *self.frame == 2
            }
            "direction" => matches!(kind, Axis | Plane | Support),
            "distance" => matches!(kind, Distance | Support),
            "side" => matches!(kind, Distance | Plane | Host),
            "corners" | "corner_positions" => kind == Support,
            "point_offset" => matches!(kind, Position | Gaze | Distance | Plane | RelativePosition),
            "other_point_offset" => matches!(kind, Distance | RelativePosition),
            "axis" => matches!(kind, Axis | Gaze),
            "axes" if kind == Host => true,
            "axes" | "frame" => {
                matches!(kind, Position | Orientation | RelativePosition | RelativeOrientation | CenterOfMass)
            }
            "computes_angles" => kind == Host,
            _ => true,
        }
    }
}
