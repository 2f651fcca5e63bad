//! Constraints: one demand each on an animator's pose, on any skeleton, humanoid or not.
//!
//! | file | what is in it |
//! |---|---|
//! | `chain` | a chain or tree of joints, any solver of [`crate::chains`], with pole, limits, tip offsets |
//! | `chain_limb` | the closed form for chains of two bones with only a position goal |
//! | `two_bone` | a limb in closed form, with pole, soft reach and stretch |
//! | `copy_rotation` | a joint that follows a rotation goal or another joint's rotation |
//! | `spline` | a chain that follows a curve through control points |
//! | `aim` | joints that share the turn of a ray towards a target |
//! | `goal` | the input of a constraint, per frame |
//! | `kind` | the trait that the kinds implement |
//! | `lines` | debug lines of goals, poles and curves |
//! | `error` | why a constraint could not be set up |
//! | `pose_chain` | joints of a skeleton as plain data for the solvers |
//! | `stack` | the constraints of one animator, in their order |
//! | `stack_state` | what they keep from solve to solve: switch times, warm starts, snapshots |
//! | `switch` | switches to other weights and goals without a jump |
//!
//! A constraint reads the pose that the constraints before it left, so later ones win. At weight 0
//! it leaves the pose bit for bit as it was; it is continuous in every weight from 0 to 1.

mod aim;
mod chain;
mod chain_limb;
mod copy_rotation;
mod error;
mod goal;
mod kind;
mod lines;
mod pose_chain;
mod spline;
mod stack;
mod stack_state;
mod switch;
mod two_bone;

pub use aim::AimDefinition;
pub use chain::ChainDefinition;
pub use copy_rotation::CopyRotationDefinition;
pub use error::ConstraintError;
pub(crate) use goal::point_in;
pub use goal::{ConstraintGoal, ConstraintInput, DistanceGoal, DistanceMode};
pub use pose_chain::ChainEnd;
pub use spline::SplineDefinition;
pub(crate) use stack::ConstraintStack;
pub use stack::{ConstraintDefinition, ConstraintId};
pub use two_bone::TwoBoneDefinition;
