//! Joint limits, as resources that any number of nodes and characters share.

use crate::argument;
use crate::convert::vec3;
use crate::property::Shared;
use godot::builtin::{Array, GString, PackedVector3Array, StringName, Variant, Vector3};
use godot::classes::{IResource, Resource};
use godot::obj::{Base, Gd};
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};
use sinew::animator::Animator;
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Polygon, Range, Slide, Stretch, SwingRegion};
use sinew::math::{Mat3, Quat, Vec3, normalize_or, perpendicular};
use std::f32::consts::PI;

/// Limits of one joint. Angles are measured from the bone's rest pose, so the same limits fit every
/// animation.
///
/// Put it into a [SinewSkeletonLimits]. Limits hold whether or not a pole is set.
#[derive(GodotClass)]
#[class(base = Resource, tool)]
pub struct SinewJointLimits {
    /// The bone's name in the skeleton.
    #[export]
    pub bone: Shared<GString>,
    /// Free: no limit (stiffness, preferred bend and stretch still apply). Cone: the bone swings at
    /// most by [member cone_angle]. Ellipse: four angles, two about X and two about Z. Hinge: one
    /// axis. Fixed: stays at rest. Polygon: the bone stays between [member corners]. Angles: turns
    /// about X, Z and the bone's axis, one after the other, each with its own range.
    #[export(enum = (Free = 0, Cone = 1, Ellipse = 2, Hinge = 3, Fixed = 4, Polygon = 5, Angles = 6))]
    pub kind: Shared<i32>,

    /// The bone's own axis in its own space, about which twist counts. Godot's bones run along +Y.
    #[export_group(name = "Axes")]
    #[export]
    pub bone_axis: Shared<Vector3>,
    /// The bone's X axis of the limits, in its own space; brought to a right angle with [member
    /// bone_axis].
    #[export]
    pub bend_axis: Shared<Vector3>,

    /// Cone: largest angle between the bone and its rest direction, radians, 0 to π.
    #[export_group(name = "Swing")]
    #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
    pub cone_angle: Shared<f32>,
    /// Ellipse and angles: minimum angle about X, radians, −π to 0.
    #[export(range = (-180.0, 0.0, 0.1, radians_as_degrees))]
    pub x_min: Shared<f32>,
    /// Ellipse and angles: maximum angle about X, radians, 0 to π.
    #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
    pub x_max: Shared<f32>,
    /// Ellipse and angles: minimum angle about Z, radians, −π to 0; of angles −π/2 to 0.
    #[export(range = (-180.0, 0.0, 0.1, radians_as_degrees))]
    pub z_min: Shared<f32>,
    /// Ellipse and angles: maximum angle about Z, radians, 0 to π; of angles 0 to π/2.
    #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
    pub z_max: Shared<f32>,
    /// Polygon: 3 to 8 directions of the bone at its border, any length but zero, in order around
    /// the bone at rest, which is inside: seen along [member bone_axis] as Y and [member bend_axis]
    /// as X. The polygon is convex and spans less than half the sphere.
    #[export]
    pub corners: Shared<PackedVector3Array>,

    /// All but hinge and fixed: minimum twist about the bone's axis, radians, −π to π. Both 0: no
    /// twist at all.
    #[export_group(name = "Twist")]
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub twist_min: Shared<f32>,
    /// All but hinge and fixed: maximum twist about the bone's axis, radians, −π to π.
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub twist_max: Shared<f32>,

    /// Hinge: the axis, in the bone's own space.
    #[export_group(name = "Hinge")]
    #[export]
    pub hinge_axis: Shared<Vector3>,
    /// Hinge: minimum angle, radians, −π to π.
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub hinge_min: Shared<f32>,
    /// Hinge: maximum angle, radians, −π to π.
    #[export(range = (-180.0, 180.0, 0.1, radians_as_degrees))]
    pub hinge_max: Shared<f32>,

    /// Reluctance to turn about X, Y (the bone's axis) and Z, each 0 to 0.99. It shapes the pose
    /// and never keeps a target from being reached.
    #[export_group(name = "Feel")]
    #[export]
    pub stiffness: Shared<Vector3>,
    /// Width of the zone before a border in which the joint resists, radians, 0: a hard border.
    #[export(range = (0.0, 90.0, 0.1, radians_as_degrees))]
    pub soft_zone: Shared<f32>,
    /// Axis, in the bone's own space, about which the joint bends (by a positive turn) when a
    /// straight chain has to fold. Zero: none.
    #[export]
    pub preferred_bend: Shared<Vector3>,

    /// Minimum length of the bones below, as a factor, 0 to 1.
    #[export_group(name = "Stretch", prefix = "stretch_")]
    #[export(range = (0.0, 1.0, 0.01))]
    pub stretch_min: Shared<f32>,
    /// Maximum length of the bones below, as a factor, 1 or more.
    #[export(range = (1.0, 4.0, 0.01, or_greater))]
    pub stretch_max: Shared<f32>,
    /// Share of this bone in a change of length compared with others, 0 to 1; 0: none.
    #[export(range = (0.0, 1.0, 0.01))]
    pub stretch_compliance: Shared<f32>,

    /// Axis along which the bone itself slides, carried by its parent, in the bone's own space at
    /// rest. For SinewBodyIK alone.
    #[export_group(name = "Slide", prefix = "slide_")]
    #[export]
    pub slide_axis: Shared<Vector3>,
    /// Least way along the axis from the rest position, metres.
    #[export(range = (-10.0, 10.0, 0.001, or_less, or_greater, suffix = "m"))]
    pub slide_min: Shared<f32>,
    /// Greatest way, not below the least; the same: the bone does not slide.
    #[export(range = (-10.0, 10.0, 0.001, or_less, or_greater, suffix = "m"))]
    pub slide_max: Shared<f32>,
    /// Readiness to slide beside turns of bones: radians² of turn that cost as much as a metre².
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    pub slide_mobility: Shared<f32>,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for SinewJointLimits {
    fn init(base: Base<Resource>) -> Self {
        let shared = Shared::<f32>;
        Self {
            bone: Shared::default(),
            kind: Shared(SinewJointLimits::CONE as i32),
            bone_axis: Shared(Vector3::UP),
            bend_axis: Shared(Vector3::RIGHT),
            cone_angle: shared(PI / 3.0),
            x_min: shared(-PI / 3.0),
            x_max: shared(PI / 3.0),
            z_min: shared(-PI / 3.0),
            z_max: shared(PI / 3.0),
            corners: Shared::default(),
            twist_min: shared(-PI),
            twist_max: shared(PI),
            hinge_axis: Shared(Vector3::RIGHT),
            hinge_min: shared(0.0),
            hinge_max: shared(PI * 5.0 / 6.0),
            stiffness: Shared::default(),
            soft_zone: shared(0.0),
            preferred_bend: Shared::default(),
            stretch_min: shared(1.0),
            stretch_max: shared(1.0),
            stretch_compliance: shared(0.0),
            slide_axis: Shared(Vector3::UP),
            slide_min: shared(0.0),
            slide_max: shared(0.0),
            slide_mobility: shared(0.25),
            base,
        }
    }
    /// Hides properties without effect for the kind from the inspector.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let kind = i64::from(*self.kind);
        let counts = match property.property_name.to_string().as_str() {
            "kind" => {
                property.usage |= PropertyUsageFlags::UPDATE_ALL_IF_MODIFIED;
                true
            }
            "bone_axis" | "bend_axis" => !matches!(kind, Self::HINGE),
            "cone_angle" => kind == Self::CONE,
            "x_min" | "x_max" | "z_min" | "z_max" => matches!(kind, Self::ELLIPSE | Self::ANGLES),
            "corners" => kind == Self::POLYGON,
            "twist_min" | "twist_max" => {
                matches!(kind, Self::CONE | Self::ELLIPSE | Self::POLYGON | Self::ANGLES)
            }
            "hinge_axis" | "hinge_min" | "hinge_max" => kind == Self::HINGE,
            _ => true,
        };
        if !counts {
            property.usage = PropertyUsageFlags::STORAGE;
        }
    }
}

#[godot_api]
impl SinewJointLimits {
    /// Nothing is limited.
    #[constant]
    pub const FREE: i64 = 0;
    /// A circular cone about the rest direction, and a range of twist.
    #[constant]
    pub const CONE: i64 = 1;
    /// Four quarters of ellipses, and a range of twist.
    #[constant]
    pub const ELLIPSE: i64 = 2;
    /// One axis with a range.
    #[constant]
    pub const HINGE: i64 = 3;
    /// No rotation.
    #[constant]
    pub const FIXED: i64 = 4;
    /// A convex polygon of directions, and a range of twist.
    #[constant]
    pub const POLYGON: i64 = 5;
    /// Three angles, each with a range.
    #[constant]
    pub const ANGLES: i64 = 6;

    /// The border of a polygon. `None` where [member corners] are none.
    fn polygon(&self) -> Option<Polygon> {
        let mut corners = [Vec3::ZERO; Polygon::MAX];
        let given = self.corners.as_slice();
        for (to, given) in corners.get_mut(..given.len())?.iter_mut().zip(given) {
            *to = vec3(*given).try_normalize()?;
        }
        Polygon::new(&corners[..given.len()])
    }
    /// What is wrong with it; the joint then counts as one with kind Free.
    fn problem(&self) -> Option<String> {
        let is_wrong = i64::from(*self.kind) == Self::POLYGON && self.polygon().is_none();
        is_wrong.then(|| {
            format!(
                "The limits of \"{}\" have corners that are not those of a convex polygon round +Y, 3 to {}, in order, \
                 within half the sphere.",
                *self.bone,
                Polygon::MAX
            )
        })
    }
    fn model(&self) -> JointModel {
        let frame = frame(vec3(*self.bone_axis), vec3(*self.bend_axis));
        let twist = Range::new(*self.twist_min, *self.twist_max);
        let twist_locked = twist.min == 0.0 && twist.max == 0.0;
        let swing = |swing| if twist_locked { Freedom::Swing(swing) } else { Freedom::Ball { swing, twist } };
        let (frame, freedom) = match i64::from(*self.kind) {
            Self::CONE => (frame, swing(SwingRegion::cone(*self.cone_angle))),
            Self::ELLIPSE => {
                let range = [
                    Some(Range::new(*self.x_min, *self.x_max)),
                    Some(twist),
                    Some(Range::new(*self.z_min, *self.z_max)),
                ];
                (frame, AxisLimits { locked: [false, twist_locked, false], range }.into())
            }
            Self::HINGE => {
                let axis = vec3(*self.hinge_axis);
                let along = normalize_or(axis, Vec3::X);
                let range = Range::new(*self.hinge_min, *self.hinge_max);
                (self::frame(axis, perpendicular(along)), Freedom::Hinge { axis: HingeAxis::Y, range })
            }
            Self::FIXED => (frame, Freedom::Fixed),
            Self::POLYGON => match self.polygon() {
                Some(polygon) => (frame, swing(SwingRegion::Polygon(polygon))),
                None => (frame, JointModel::FREE.freedom),
            },
            Self::ANGLES => {
                let quarter = |angle: f32| angle.clamp(-PI / 2.0, PI / 2.0);
                let x = Range::new(*self.x_min, *self.x_max);
                let z = Range::new(quarter(*self.z_min), quarter(*self.z_max));
                (frame, Freedom::Angles { x, z, y: twist })
            }
            _ => (frame, JointModel::FREE.freedom),
        };
        let bound = |x: f32, low: f32, high: f32| if x > low { x.min(high) } else { low };
        // What is no number is no way.
        let end = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-1e6, 1e6) };
        let stiffness = *self.stiffness;
        JointModel {
            frame,
            freedom,
            stiffness: [stiffness.x, stiffness.y, stiffness.z].map(|s| bound(s, 0.0, 0.99)),
            soft_rad: bound(*self.soft_zone, 0.0, PI),
            preferred_bend: frame.conjugate() * vec3(*self.preferred_bend),
            stretch: Stretch {
                min: bound(*self.stretch_min, 0.0, 1.0),
                max: bound(*self.stretch_max, 1.0, 1e3),
                compliance: bound(*self.stretch_compliance, 0.0, 1.0),
            },
            slide: Slide {
                axis: vec3(*self.slide_axis),
                min: end(*self.slide_min),
                max: end(*self.slide_max),
                mobility: bound(*self.slide_mobility, 0.0, 1e6),
            },
        }
    }
}

/// Limit space in the joint's space: +Y along `bone`, +X as near to `bend` as that allows.
fn frame(bone: Vec3, bend: Vec3) -> Quat {
    let y = normalize_or(bone, Vec3::Y);
    let x = normalize_or(bend - y * y.dot(bend), perpendicular(y));
    if (x, y) == (Vec3::X, Vec3::Y) {
        return Quat::IDENTITY;
    }
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

/// Limits of a rig's joints, by bone name. Save it as a file and share it between nodes and
/// characters.
#[derive(GodotClass)]
#[class(base = Resource, init, tool)]
pub struct SinewSkeletonLimits {
    /// One entry per limited joint; of two entries for one bone the later applies. Assign the array
    /// anew (or use [method add]) to make a change count while the game runs.
    #[export]
    pub joints: Shared<Array<Option<Gd<SinewJointLimits>>>>,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for SinewSkeletonLimits {
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        argument::set_list(&mut self.joints, ["SinewSkeletonLimits", "joints"], &property, &value)
    }
}

#[godot_api]
impl SinewSkeletonLimits {
    /// Appends an entry.
    #[func]
    fn add(&mut self, limit: Option<Gd<SinewJointLimits>>) {
        self.joints.put(self.joints.iter_shared().chain([limit]).collect());
    }
    /// Gives an animator's joints their limits; every other joint loses the limits it was given.
    /// Returns what is wrong with them, one sentence each; `every`: all bones of the skeleton.
    pub fn apply(limits: Option<&Gd<Self>>, animator: &mut Animator, every: &[String]) -> Vec<String> {
        let skeleton = animator.skeleton().clone();
        for joint in 0..skeleton.joint_count() {
            _ = animator.clear_joint_limits(joint);
        }
        let (mut unknown, mut problems) = (Vec::new(), Vec::new());
        let Some(limits) = limits else { return problems };
        for limit in limits.bind().joints.iter_shared().flatten() {
            let limit = limit.bind();
            let name = limit.bone.to_string();
            problems.extend(limit.problem());
            match skeleton.find_joint(&name) {
                Some(joint) => _ = animator.set_joint_limits(joint, &limit.model()),
                None if !every.contains(&name) => unknown.push(name),
                // A bone of the skeleton that this node does not move.
                None => {}
            }
        }
        if !unknown.is_empty() {
            problems.push(format!("The limits name bones the skeleton does not have: {}.", unknown.join(", ")));
        }
        problems
    }
}
