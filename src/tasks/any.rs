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
use super::support::Support;
use super::task::{Anchor, MAX_ANCHORS, Placement, Rows, Task, Unit};

macro_rules! tasks {
    ($($(#[$doc:meta])* $Name:ident),* $(,)?) => {
        /// Any of the tasks of this room.
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
            /// The name of its kind.
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
        }
    };
}

tasks! {
    /// A point of a joint at a place.
    Position,
    /// A joint turned like a goal.
    Orientation,
    /// An axis of a joint along a direction.
    Axis,
    /// An axis of a joint towards a place.
    Gaze,
    /// The middle joint of a limb on the side of a pole.
    PoleVector,
    /// A point of a joint at a distance from a place or from another joint's point.
    Distance,
    /// A point of a joint on, above or below a plane.
    Plane,
    /// A point of a joint at a point of another.
    RelativePosition,
    /// A joint turned with another.
    RelativeOrientation,
    /// The centre of mass at a place, on a line or in a plane.
    CenterOfMass,
    /// The centre of mass above an area.
    Support,
    /// Rows that the host computes.
    HostTask,
}
