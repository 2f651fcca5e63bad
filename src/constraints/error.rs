//! Why a constraint could not be set up.

use crate::chains::ChainError;
use crate::skeleton::JointIndex;

/// Why a constraint could not be set up on a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstraintError {
    /// A joint is not one of the skeleton's.
    #[error("joint {0} is not one of the skeleton's")]
    NoSuchJoint(JointIndex),
    /// A chain without ends or with too many.
    #[error("{0} ends; a chain has 1 to {most}", most = crate::chains::Chain::MAX_EFFECTORS)]
    EndCount(usize),
    /// More joints are given than there are between the end joint and the root.
    #[error("the chain has {requested} joints, but only {there} are between its end and the skeleton's root")]
    TooLong {
        /// Joints given.
        requested: usize,
        /// Joints there are.
        there: usize,
    },
    /// An end is not below the chain's root.
    #[error("joint {joint} is not below joint {root}, the chain's root")]
    NotBelow {
        /// The end.
        joint: JointIndex,
        /// The chain's root.
        root: JointIndex,
    },
    /// Root, mid and end of a limb are not below one another.
    #[error("the three joints of a limb must be below one another")]
    NoLimb,
    /// This number of control points makes no curve.
    #[error("{0} control points; a curve has 2 to {most}, a Bézier curve 3 k + 1", most = crate::chains::spline::MAX_CONTROL_POINTS)]
    PointCount(usize),
    /// A list has another length than the chain has joints.
    #[error("{given} weights for {joints} joints")]
    WeightCount {
        /// Entries given.
        given: usize,
        /// Joints of the chain.
        joints: usize,
    },
    /// A number is not finite or too large, or a direction or rotation has no length.
    #[error("{0} is not finite, is too large, or has no length")]
    BadNumber(&'static str),
    /// Weights that cannot be shares of a whole.
    #[error("the weights must be 0 or more, with a sum between 1e-6 and 1e6")]
    BadWeights,
    /// The joints make no chain.
    #[error(transparent)]
    Chain(#[from] ChainError),
}
