//! The joint model every solver shares: which rotations a joint may take, how willingly it turns,
//! where it prefers to bend.
//!
//! Limits count from the rest pose. A joint's rotation `q` is what acts after its rest transform
//! (the identity at rest), given in the joint's own space; [`JointModel::frame`] turns that space
//! so that the *limit space* has the twist axis along +Y and the bend axes along X and Z. All
//! angles are radians.
//!
//! | [`Freedom`] | split in limit space | what is limited |
//! |---|---|---|
//! | `Ball` | `q = swing · twist`, twist about Y | the swing's region, the twist angle |
//! | `Swing` | `q = swing`, no twist | the swing's region |
//! | `Universal` | `q = R(first) · R(Y)`, first is X or Z | both angles |
//! | `Angles` | `q = R(X) · R(Z) · R(Y)` | the three angles |
//! | `Hinge` | `q = R(axis)` | the angle |
//! | `HalfSpaces` | the rotation matrix | sums of its elements: a twist range that depends on the swing |
//! | `Fixed` | `q = 1` | |
//!
//! Three questions are answered: the nearest admissible rotation ([`JointModel::project`]), how far
//! a rotation is from being admissible ([`JointModel::violation_rad`]), and which angular
//! velocities are admissible, with which willingness ([`JointModel::mobility`]).
//!
//! Which joint of a rig has which limits is in its [`LimitTable`].

mod bend;
mod borders;
mod eight_limits;
mod half_spaces;
mod joint;
mod mobility;
mod onset;
mod polygon;
mod prepared;
mod range;
mod swing;
mod table;
mod enclosing;

pub use bend::BorderBend;
pub use borders::{Border, JointBorders};
pub(crate) use eight_limits::EightMobility;
pub use half_spaces::{HalfSpace, HalfSpaces, SwivelCondition};
pub(crate) use half_spaces::{Retracted, onto_arc};
pub use joint::{AxisLimits, BendAxis, Freedom, HingeAxis, JointModel, Slide, Stretch};
pub(crate) use mobility::outer;
pub use mobility::{Mobility, Wall};
pub(crate) use onset::{ONSET_WEIGHT, onset, onset_part};
pub use polygon::Polygon;
pub use prepared::PreparedJoint;
pub use range::Range;
pub use swing::SwingRegion;
pub use table::{Carrier, JointLimit, LimitLayer, LimitTable};
pub(crate) use table::{SLACK, limited, limited_to};
