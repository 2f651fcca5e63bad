//! Rigs, motion, scenes and matchers: one source for Sinew's tests, benches, examples and demo.
//!
//! | module | what is in it |
//! |---|---|
//! | [`allocations`] | an allocator that counts its calls |
//! | [`random`] | a small generator with the same numbers on every platform |
//! | [`axes`] | which way is right, up and forward, and turns between them |
//! | [`reach`] | chains and targets for measuring speed |
//! | [`rolls`] | orientation of the joint frames of a generated rig |
//! | [`build`] | characters of another build |
//! | [`mod@person`] | the built-in humanoid, 1.75 m tall |
//! | [`chains`] | limbs and chains under every kind of parent |
//! | [`branched`] | chains that branch, for measuring |
//! | [`limbs`] | limbs eight at a time and one by one |
//! | [`mannequin`] | a rig in T-pose whose bones are turned in body axes |
//! | [`hand`] | relaxed and gripping fingers |
//! | [`idle`] | a person standing at ease |
//! | [`human_mass`] | the masses of a person |
//! | [`human_pose`] | random poses a person can take |
//! | [`path`] | the way the cylinder goes, in arm lengths |
//! | [`scene`] | "hold the cylinder" as data, and as a file for demo hosts |
//! | [`matchers`] | judges that recompute in `f64` |
//! | [`continuity`] | smooth paths, and a judge that hunts for jumps |
//! | [`golden`] | fixed scenes, each reduced to a hash |
//! | [`characters`] | persons as animators, under every kind of root and parent |
//!
//! Everything is computed with `+ - * / sqrt` and Sinew's pinned functions in a fixed order, so all
//! of it is the same bits on every platform.

pub mod allocations;
pub mod axes;
pub mod branched;
pub mod build;
pub mod chains;
pub mod characters;
pub mod continuity;
pub mod golden;
mod golden_body;
mod golden_constraints;
mod golden_crowd;
mod golden_trees;
pub mod hand;
pub mod human_mass;
pub mod human_pose;
pub mod idle;
pub mod limbs;
pub mod mannequin;
pub mod matchers;
pub mod path;
pub mod person;
pub mod random;
pub mod reach;
pub mod rolls;
pub mod scene;
pub mod tail;

pub use axes::{BodyAxes, Side};
pub use mannequin::{HumanMap, Mannequin, RigView};
pub use person::{Handedness, Names, Person, PersonOptions, RestPose, Units, person};
pub use random::Random;
pub use rolls::BoneRolls;
pub use scene::{HoldCylinderScene, Motion, ease_weight};
