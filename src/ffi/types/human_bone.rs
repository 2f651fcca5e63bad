//! Human bones, and the goals and hints of their limbs: the enums of the core under the names of
//! the header. Numbers are Unity's.

pub use crate::humanoid::bone::HumanBone as SinewHumanBone;
pub use crate::humanoid::ik_goal::IkGoal as SinewIkGoal;
pub use crate::humanoid::ik_goal::IkHint as SinewIkHint;

/// Number of human bones: the length of arrays indexed by SinewHumanBone.
pub const SINEW_HUMAN_BONE_COUNT: u32 = 55;
const _: () = assert!(SINEW_HUMAN_BONE_COUNT as usize == SinewHumanBone::COUNT);

/// A [`SinewIkGoal`] as it arrives, checked before use.
pub type SinewIkGoalArg = i32;
/// A [`SinewIkHint`] as it arrives, checked before use.
pub type SinewIkHintArg = i32;
/// A [`SinewHumanBone`] as it arrives, checked before use.
pub type SinewHumanBoneArg = i32;
