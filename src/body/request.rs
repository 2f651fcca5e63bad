//! A task as hosts state it: one record for all kinds, whose members a kind reads or ignores.

use super::demand::Demand;
use super::placed::PlacedDemand;
use crate::math::{Quat, Transform, Vec3};
use crate::skeleton::{JointIndex, Skeleton};
use crate::tasks::{
    AnyTask, Axes, Axis, CenterOfMass, Distance, DistanceRule, Gaze, HostResidual, HostTask, Orientation, Plane,
    PlaneSide, PoleVector, Position, RelativeOrientation, RelativePosition, Support, SupportArea, Unit,
};
use std::sync::Arc;

/// What a task requests. The numbers are those of the C and Godot constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum TaskKind {
    /// A point of a joint at a place.
    #[default]
    Position = 0,
    /// A joint turned like a rotation.
    Orientation = 1,
    /// An axis of a joint along a direction.
    Axis = 2,
    /// An axis of a joint from an eye towards a place.
    Gaze = 3,
    /// An elbow or knee on the side of a pole.
    Pole = 4,
    /// A point of a joint at a distance from a place or another joint's point.
    Distance = 5,
    /// A point of a joint on a plane, or on one side of it.
    Plane = 6,
    /// A point of a joint at a point of another joint.
    RelativePosition = 7,
    /// A joint turned with another one.
    RelativeOrientation = 8,
    /// The local rotation of a joint.
    JointRotation = 9,
    /// The centre of mass at a place.
    CenterOfMass = 10,
    /// The centre of mass above an area.
    Support = 11,
    /// Rows that the host computes: [`TaskRequest::host`].
    Host = 12,
}

impl TaskKind {
    /// All kinds, by their numbers.
    pub const ALL: [Self; 13] = [
        Self::Position,
        Self::Orientation,
        Self::Axis,
        Self::Gaze,
        Self::Pole,
        Self::Distance,
        Self::Plane,
        Self::RelativePosition,
        Self::RelativeOrientation,
        Self::JointRotation,
        Self::CenterOfMass,
        Self::Support,
        Self::Host,
    ];
    /// Whether it is about a joint, not about the centre of mass.
    pub fn needs_joint(self) -> bool {
        !matches!(self, Self::CenterOfMass | Self::Support)
    }
}

/// The frame of the axes that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskFrame {
    /// World space.
    #[default]
    World,
    /// Model space.
    Model,
    /// The goal's own frame: [`TaskRequest::rotation`].
    Goal,
    /// The joint's own frame: the axes turn with the effector.
    Joint,
}

/// Which side of a sphere or plane is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskSide {
    /// On the surface only.
    #[default]
    On,
    /// On it or inside the sphere; on it or behind the plane.
    Inside,
    /// On it or outside the sphere; on it or where the plane's normal points.
    Outside,
}

/// What computes the rows of a task of the host.
#[derive(Clone, Copy, Debug)]
pub struct HostFunction<'a> {
    /// The function, which sees placements in world space.
    pub residual: &'a Arc<dyn HostResidual>,
    /// Whether its rows are angles, in radians; else lengths, in metres.
    pub in_radians: bool,
}

impl PartialEq for HostFunction<'_> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.residual, other.residual) && self.in_radians == other.in_radians
    }
}

/// A task of any kind; `docs/body.md` lists the members that a kind reads. Directions have length
/// 1, numbers are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskRequest<'a> {
    /// What is requested.
    pub kind: TaskKind,
    /// The joint.
    pub joint: JointIndex,
    /// Another joint.
    pub other: Option<JointIndex>,
    /// Last joint of a limb, for a pole; third joint, for the host.
    pub end: Option<JointIndex>,
    /// Which axes of `frame` count; the host has as many rows as are on.
    pub axes: [bool; 3],
    /// The frame of the axes.
    pub frame: TaskFrame,
    /// Which side of a sphere or plane is allowed.
    pub side: TaskSide,
    /// Whether the goal is where the incoming pose has the effector.
    pub is_pinned: bool,
    /// Point in the joint's space.
    pub point_js: Vec3,
    /// Axis in the joint's space.
    pub axis_js: Vec3,
    /// Goal, world space.
    pub goal: Vec3,
    /// Goal rotation, world space; of relative kinds seen from the other joint.
    pub rotation: Quat,
    /// Direction of an axis, normal of a plane, or up; world space.
    pub direction: Vec3,
    /// Point in the other joint's space.
    pub other_point_js: Vec3,
    /// Distance, metres.
    pub distance: f32,
    /// Points of an area of support, world space.
    pub corners: &'a [Vec3],
    /// What computes the rows of [`TaskKind::Host`].
    pub host: Option<HostFunction<'a>>,
    /// See [`Demand::blend`].
    pub blend: f32,
    /// See [`Demand::importance`].
    pub importance: f32,
    /// See [`Demand::level`].
    pub level: u8,
}

impl Default for TaskRequest<'_> {
    fn default() -> Self {
        Self {
            kind: TaskKind::Position,
            joint: 0,
            other: None,
            end: None,
            axes: [true; 3],
            frame: TaskFrame::World,
            side: TaskSide::On,
            is_pinned: false,
            point_js: Vec3::ZERO,
            axis_js: Vec3::Z,
            goal: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            direction: Vec3::Y,
            other_point_js: Vec3::ZERO,
            distance: 0.0,
            corners: &[],
            host: None,
            blend: 1.0,
            importance: 1.0,
            level: 0,
        }
    }
}

/// Why a request is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskRequestError {
    /// No axis counts.
    #[error("no axis counts")]
    NoAxis,
    /// A kind that needs another joint has none.
    #[error("a task of this kind needs another joint")]
    NoOther,
    /// A pole without the limb's last joint.
    #[error("a task of this kind needs the last joint of the limb")]
    NoEnd,
    /// A joint without a parent, where the parent counts.
    #[error("the joint has no parent")]
    NoParent,
    /// The joint's frame for the centre of mass.
    #[error("the centre of mass has no frame of its own")]
    NoJointFrame,
    /// An area of support as a pin.
    #[error("an area of support cannot be a pin")]
    PinnedSupport,
    /// Rows of the host as a pin.
    #[error("rows of the host cannot be a pin")]
    PinnedHost,
    /// Rows of the host that count below 0.
    #[error("rows of the host count on both sides of 0 or above it")]
    HostSide,
    /// Rows of the host without a function.
    #[error("a task of this kind needs a function")]
    NoFunction,
    /// Points without a convex hull.
    #[error("the {0} points have no convex hull")]
    NoHull(usize),
}

impl TaskRequest<'_> {
    /// The task for [`super::PlacedBody`]. Joints must be those of the skeleton.
    pub fn placed(&self, skeleton: &Skeleton) -> Result<PlacedDemand, TaskRequestError> {
        use TaskRequestError::{
            HostSide, NoAxis, NoEnd, NoFunction, NoHull, NoJointFrame, NoOther, NoParent, PinnedHost, PinnedSupport,
        };
        if self.axes == [false; 3] {
            return Err(NoAxis);
        }
        let &Self { joint, point_js, axis_js, goal, rotation, direction, other_point_js, distance, .. } = self;
        let frame = if self.frame == TaskFrame::Goal { rotation } else { Quat::IDENTITY };
        let turn_with_joint = self.frame == TaskFrame::Joint;
        let axes = Axes { on: self.axes, frame, turn_with_joint };
        let task: AnyTask = match self.kind {
            TaskKind::Position => Position { joint, point_js, goal, axes }.into(),
            TaskKind::Orientation => Orientation { joint, goal: rotation, axes }.into(),
            TaskKind::Axis => Axis { joint, axis_js, direction }.into(),
            TaskKind::Gaze => Gaze { joint, eye_js: point_js, axis_js, target: goal }.into(),
            TaskKind::Pole => {
                let root = self.other.or_else(|| skeleton.parent(joint)).ok_or(NoParent)?;
                PoleVector { root, middle: joint, end: self.end.ok_or(NoEnd)?, pole: goal }.into()
            }
            TaskKind::Distance => {
                let rule = match self.side {
                    TaskSide::On => DistanceRule::OnSurface,
                    TaskSide::Inside => DistanceRule::Inside,
                    TaskSide::Outside => DistanceRule::Outside,
                };
                let center = if self.other.is_some() { other_point_js } else { goal };
                Distance { joint, point_js, other: self.other, center, distance, rule }.into()
            }
            TaskKind::Plane => {
                let side = match self.side {
                    TaskSide::On => PlaneSide::On,
                    TaskSide::Inside => PlaneSide::Below,
                    TaskSide::Outside => PlaneSide::Above,
                };
                Plane { joint, point_js, normal: direction, offset: direction.dot(goal), side }.into()
            }
            TaskKind::RelativePosition => {
                let other = self.other.ok_or(NoOther)?;
                RelativePosition { joint, point_js, other, other_point_js, axes }.into()
            }
            TaskKind::RelativeOrientation => {
                let other = self.other.ok_or(NoOther)?;
                RelativeOrientation { joint, other, rotation, axes }.into()
            }
            TaskKind::JointRotation => {
                let other = skeleton.parent(joint).ok_or(NoParent)?;
                RelativeOrientation { joint, other, rotation, axes: Axes::ALL }.into()
            }
            TaskKind::CenterOfMass if turn_with_joint => return Err(NoJointFrame),
            TaskKind::CenterOfMass => CenterOfMass { goal, axes }.into(),
            TaskKind::Support if self.is_pinned => return Err(PinnedSupport),
            TaskKind::Support => {
                let area = SupportArea::hull(self.corners, direction).ok_or(NoHull(self.corners.len()))?;
                Support { area, up: direction, margin: distance }.into()
            }
            TaskKind::Host if self.is_pinned => return Err(PinnedHost),
            TaskKind::Host if self.side == TaskSide::Outside => return Err(HostSide),
            TaskKind::Host => {
                let HostFunction { residual, in_radians } = self.host.ok_or(NoFunction)?;
                HostTask {
                    joints: [Some(joint), self.other, self.end],
                    rows: self.axes.iter().filter(|on| **on).count(),
                    unit: if in_radians { Unit::Angle } else { Unit::Length },
                    one_sided: self.side == TaskSide::Inside,
                    outer: Transform::IDENTITY,
                    residual: residual.clone(),
                }
                .into()
            }
        };
        let demand = Demand { task, blend: self.blend, importance: self.importance, level: self.level };
        Ok(PlacedDemand { demand, axes_in_model: self.frame == TaskFrame::Model, pinned: self.is_pinned })
    }
}
