//! Closed-form solvers: pure functions of plain data, for single limbs or rays and in batches.
//!
//! | module | what is in it |
//! |---|---|
//! | [`two_bone`] | the two-bone limb from positions: exact, and a fast path for ordinary limbs |
//! | `two_bone_chain` | the control flow of a chain of two bones, on a pose or in a solver |
//! | [`joint_limb`] | the two-bone form from three local rotations to three, for rigs without scale |
//! | [`limb`] | the two-bone form on the joints of a pose |
//! | `limb_kernel` | the same for limbs without scale, several characters at once |
//! | [`aim_ray`] | one joint that points a ray at a target |
//! | [`gaze`] | how several joints share a gaze: the law of aim constraints and of looking |
//! | `root_limit` | what a joint may do beside what the animation does already |
//! | [`swivel`] | which swivel a limb takes whose root joint has limits |
//! | `trunk` | the swivel of an arm whose elbow is outside of the trunk |
//! | `pole` | the pole law of limbs, chains and aims |
//! | [`batch`], [`records`] | many limbs or aims in one call, as wide as the processor is |

pub mod aim_ray;
pub mod batch;
pub mod gaze;
pub mod joint_limb;
pub mod limb;
mod limb_joints;
pub(crate) mod limb_kernel;
mod picked;
pub(crate) mod pole;
mod queue;
pub mod records;
pub(crate) mod root_limit;
pub mod swivel;
pub(crate) mod trunk;
pub mod two_bone;
pub(crate) mod two_bone_chain;
