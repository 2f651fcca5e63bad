//! The whole body: any number of tasks on one skeleton in one solve, with limits, priorities and a
//! posture to keep.
//!
//! [`Body`] holds tasks ([`crate::tasks`]) and solves a pose for them. The solve is damped least
//! squares in the space of the tasks' rows, with joint limits as an active set, and steps that are
//! only taken when they help; see `step` for the derivation and `docs/body.md` for what to expect.

mod align;
mod beside;
mod converge;
mod conflicts;
mod coupled;
mod couplings;
mod demand;
mod descent;
mod drag;
mod draw;
mod effector;
mod eight;
mod eight_figure;
mod eight_memory;
mod eight_step;
mod meet;
mod motion;
mod placed;
mod plan;
mod request;
mod residual;
mod settings;
mod settling;
mod sides;
mod slides;
mod snapshot;
mod solver;
mod springs;
mod state;
mod step;
mod step_coupled;
mod step_curved;
mod step_exact;
mod step_filtered;
mod step_rest;
mod track;

pub use beside::{BodyBeside, MOST_BESIDE, solve_beside};
pub use couplings::JointCoupling;
pub use demand::Demand;
pub use drag::{Drag, DragPin, Dragger};
pub use meet::{BodyTie, MeetError, MeetOutcome, MeetRule, TieEnd, TiedBodies, TiedBody, meet};
pub use placed::{BodyMode, BodyTaskName, PlacedBody, PlacedBodyError, PlacedDemand};
pub use request::{HostFunction, TaskFrame, TaskKind, TaskRequest, TaskRequestError, TaskSide};
pub use settings::{BodyDetail, BodySettings, TrackConverge, TrackSolver};
pub use solver::{Body, BodyError, BodyOutcome, BodyTaskId, TaskOutcome};
