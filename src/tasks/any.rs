//! Any of the tasks, as one type.

use super::axis::Axis;
use super::center_of_mass::CenterOfMass;
use super::distance::Distance;
use super::gaze::Gaze;
use super::host::HostTask;
use super::orientation::Orientation;
use super::plane::Plane;
use super::pole::PoleVector;
use super::position::Position;
use super::relative::{RelativeOrientation, RelativePosition};
use super::space::InnerSpace;
use super::spanned::SpannedOrientation;
use super::support::Support;
use super::task::{Anchor, GoalSink, MAX_ANCHORS, Placement, Rows, Task, Unit};
use crate::math::{Transform, Vec3};
use crate::skeleton::JointIndex;

macro_rules! tasks {
    ($($(#[$doc:meta])* $Name:ident),* $(,)?) => {
        /// One of the tasks of this layer.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyTask {
            $($(#[$doc])* $Name($Name),)*
        }

        $(impl From<$Name> for AnyTask {
            fn from(task: $Name) -> Self {
                Self::$Name(task)
            }
        })*

        impl AnyTask {
            /// Name of the kind of task.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$Name(_) => stringify!($Name),)*
                }
            }
        }

        impl Task for AnyTask {
            fn anchors(&self) -> [Option<Anchor>; MAX_ANCHORS] {
                match self {
                    $(Self::$Name(task) => task.anchors(),)*
                }
            }
            fn row_count(&self) -> usize {
                match self {
                    $(Self::$Name(task) => task.row_count(),)*
                }
            }
            fn unit(&self) -> Unit {
                match self {
                    $(Self::$Name(task) => task.unit(),)*
                }
            }
            fn is_one_sided(&self) -> bool {
                match self {
                    $(Self::$Name(task) => task.is_one_sided(),)*
                }
            }
            #[inline(always)]
            fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
                match self {
                    $(Self::$Name(task) => task.evaluate(at, rows),)*
                }
            }
            fn enter(&mut self, space: &InnerSpace) {
                match self {
                    $(Self::$Name(task) => task.enter(space),)*
                }
            }
            fn hold(&mut self, at: &[Placement; MAX_ANCHORS]) {
                match self {
                    $(Self::$Name(task) => task.hold(at),)*
                }
            }
            fn points(&self) -> [Option<(JointIndex, Vec3)>; 2] {
                match self {
                    $(Self::$Name(task) => task.points(),)*
                }
            }
            fn set_points(&mut self, points: [Vec3; 2]) {
                match self {
                    $(Self::$Name(task) => task.set_points(points),)*
                }
            }
            fn draw(&self, at: &[Placement; MAX_ANCHORS], lines: &mut dyn GoalSink) {
                match self {
                    $(Self::$Name(task) => task.draw(at, lines),)*
                }
            }
        }
    };
}

tasks! {
    /// Position of a point of a joint.
    Position,
    /// Orientation of a joint.
    Orientation,
    /// Axis of a joint along a direction.
    Axis,
    /// Axis of a joint towards a point.
    Gaze,
    /// Pole vector: the middle joint of a limb on the side of a pole.
    PoleVector,
    /// Distance of a point of a joint from a fixed point or from another joint's point.
    Distance,
    /// Point of a joint on, above or below a plane.
    Plane,
    /// Point of a joint at a point of another joint.
    RelativePosition,
    /// Orientation of a joint relative to another.
    RelativeOrientation,
    /// Orientation of the frame that four points span.
    SpannedOrientation,
    /// Centre of mass at a point, on a line or in a plane.
    CenterOfMass,
    /// Centre of mass above a support area.
    Support,
    /// Rows that the host computes.
    HostTask,
}

impl AnyTask {
    /// The same task as seen from inside a space that `root` places: a task in world space, seen
    /// from a character's model space. The size of `root`'s scale is that of its first number,
    /// which must not be 0; its axes may be mirrored. The frame of masked axes stays with
    /// `keeps_axes`.
    pub fn seen_from(&self, root: &Transform, keeps_axes: bool) -> Self {
        let mut task = self.clone();
        task.enter(&InnerSpace::new(root, keeps_axes));
        task
    }
    /// The same task with its goal where the anchors are: see [`Task::hold`].
    pub fn held_at(&self, at: &[Placement; MAX_ANCHORS]) -> Self {
        let mut task = self.clone();
        task.hold(at);
        task
    }
}
