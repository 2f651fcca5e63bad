//! Feet on the ground.
mod foot;
mod grounder;
mod landing;
mod leg;
mod limb;
mod motion;
mod pelvis;
mod profile;
mod query;
mod settings;

pub use foot::FootModel;
pub use grounder::{BodyResult, Grounded, Grounder, GrounderFrame};
pub use leg::{Contact, LegPose};
pub use limb::LegResult;
pub use query::{Hit, Purpose, Quality, Query};
pub use settings::GrounderSettings;
