//! Whole bodies from trackers, judged from outside in double precision: what is promised
//! (`promises.rs`), what players of other systems complain of, a named test each
//! (`complaints.rs`, `complaints_limbs.rs`), fingers (`fingers.rs`), avatars of another build
//! (`proportions.rs`), trackers that come and go (`losses.rs`), heads in any attitude
//! (`attitudes.rs`), legs in part (`legs.rs`), feet that step (`crossing.rs`), hands at the edge of
//! reach (`edges.rs`), players over the network (`network.rs`), parts that are animated
//! (`parts.rs`), calibrations as text (`calibration_file.rs`). `cargo xtask trackers` has the
//! measures on captured motion.

mod allocations;
mod attitudes;
mod calibration_file;
mod clip;
mod complaints;
mod complaints_limbs;
mod crossing;
mod edges;
mod fingers;
mod joint_steps;
mod legs;
mod losses;
mod network;
mod no_length;
mod parts;
mod player;
mod promises;
mod proportions;
