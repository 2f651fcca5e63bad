//! The humanoid layer: avatar, the Animator's goals, look-at and body.

mod bone;

pub use bone::HumanBone;
