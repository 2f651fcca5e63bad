//! Which joint is which human bone, for any rig: from names, from the hierarchy, and from the rest
//! pose.
//!
//! The steps, each in its own file:
//!
//! 1. *Names* are cut into words and read (`words`, `names`): side, part of the body, or something
//!    beside the body such as twist joints, leaf ends, controls, hair. Many words are ambiguous
//!    between families of rigs; they stay so.
//! 2. *Limbs* (`limbs`): for each line of joints with a side, the joints that fit best as shoulder,
//!    upper, lower and end are chosen together, by names, lengths and bends. That settles the
//!    ambiguous words and skips twist joints. Limbs without usable names come from symmetry
//!    (`symmetry`).
//! 3. *Trunk* (`trunk`): the hips are where legs and trunk meet, the spine is the line from there
//!    to the head. A joint that is called hips but carries no legs loses.
//! 4. *Fingers and toes* (`fingers`), eyes and jaw.
//! 5. *Checks* (`checks`): both bones of each pair must be on their side; a trunk across the legs
//!    is an animal.
//!
//! Sides that no name contains follow from the direction the feet point and the handedness of the
//! axes; right-handed axes (glTF, Blender) unless [`MappingHints`] set others.

mod body;
mod build;
mod checks;
mod fingers;
mod human_map;
mod limbs;
mod names;
mod report;
mod symmetry;
mod trunk;
mod words;

pub use build::{MappingHints, map_human_names, map_joints, map_joints_with};
pub use human_map::HumanMap;
pub use report::{BodyShape, Evidence, MappingEntry, MappingReport, SideSource};

/// Which joints are twist joints by their names.
pub(super) fn twist_names(names: &[String]) -> Vec<bool> {
    names::read_names(names).into_iter().map(|info| info.aside == names::Aside::Twist).collect()
}
