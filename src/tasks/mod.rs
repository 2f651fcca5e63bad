//! Tasks: one residual with its Jacobian per file, independent of the solver.
//!
//! A task reads the placements of its anchors (joints, or the centre of mass) and computes one to
//! three rows. Each row has
//!
//! - a *value*: the residual, goal minus current value, in metres or radians; 0 when the task is
//!   met;
//! - a *Jacobian* written as a force at a point and a torque for each anchor: when the anchor turns
//!   with `ω` and its point moves with `v`, the value falls by `Σ force · v + torque · ω` per unit
//!   of time.
//!
//! Such a row is independent of joints: a chain computes `(point − p) × force + torque` per joint,
//! a tree adds wrenches up ([`crate::optim::MobilitySum`]). The Jacobians are exact (not those of
//! the linearised goal; [`Turn`] is the exception), and every task is tested by one
//! finite-difference check (tests/task_jacobians.rs; for chains `chains::methods::jacobian_check`).
//!
//! To add a task: a file here with a type that is a [`Task`], its lines below, and a line in the
//! list of [`AnyTask`] (`any`). [`Turn`] is not in that list: it is for the chain solvers.

mod any;
mod axis;
mod center_of_mass;
mod distance;
mod gaze;
mod host;
mod orientation;
mod plane;
mod pole;
mod position;
mod relative;
mod space;
mod spanned;
mod support;
mod task;
mod turn;

pub use any::AnyTask;
pub use axis::Axis;
pub use center_of_mass::CenterOfMass;
pub use distance::{Distance, DistanceRule};
pub use gaze::Gaze;
pub use host::{HostResidual, HostTask};
pub use orientation::Orientation;
pub use plane::{Plane, PlaneSide};
pub use pole::PoleVector;
pub use position::Position;
pub use relative::{RelativeOrientation, RelativePosition};
pub use space::InnerSpace;
pub(crate) use space::{point_out, rotation_out};
pub use spanned::SpannedOrientation;
pub use support::{Support, SupportArea};
pub(crate) use task::one;
pub use task::{Anchor, Axes, GoalSink, MAX_ANCHORS, MAX_ROWS, Placement, Rows, Task, Term, Unit};
pub use turn::{Turn, TurnGoal};
