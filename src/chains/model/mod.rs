//! The types of chains, as plain data: a [`Chain`] is made once per rig and shared; a [`ChainPose`]
//! is what a solve reads and writes.
//!
//! A chain may branch: every joint names its parent, which comes before it, and there may be
//! several effectors.
//!
//! Everything is in one *solve space* (model space, or the space of the first joint's parent), in
//! host units:
//!
//! ```text
//! M[i] = M[parent] · rest[i] · q[i]                            (root joints: pose.root_rotation for M[parent])
//! p[i] = p[parent] + M[parent] · (stretch[parent] · offset[i])  (root joints: root_position + root_rotation · offset)
//! effector = p[j] + M[j] · (stretch[j] · offset)
//! ```

pub(in crate::chains) mod attached;
pub(crate) mod blocks;
mod chain;
mod goal;
pub(crate) mod groups;
mod joint;
mod pose;
pub(crate) mod scans;
mod settings;
pub(crate) mod summary;

pub use chain::{Chain, ChainError};
pub use goal::{AxisGoal, ChainDistance, ChainGoal, Pole};
pub use joint::{ChainJoint, Effector};
pub use pose::ChainPose;
pub use settings::{ChainSettings, ChainSolver};
