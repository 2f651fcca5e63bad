//! From three to 25 trackers to a whole body: headset, controllers and whatever else is worn.
//!
//! A [`TrackedBody`] belongs to an avatar. [`TrackedBody::set_tracker`] takes samples of any subset
//! of roles, [`TrackedBody::update`] builds the body for a time, [`TrackedBody::apply`] writes it
//! into a pose. There are no modes: every tracker has a part between 0 and 1 that fades, and what
//! is not tracked is assumed from the rest.
//!
//! | file | what is in it |
//! |---|---|
//! | `role.rs` | roles of trackers, bones of the body |
//! | `settings.rs` | settings with unit, range and default |
//! | `stream.rs` | a tracker's samples: order, filter, extrapolation, fading |
//! | `rig.rs` | measures of an avatar, its canonical space, writing a pose |
//! | `calibration.rs` | mounts, sizes, roles of unlabelled trackers |
//! | `calibration_json.rs` | a calibration as text |
//! | `frame_input.rs` | goals of bones in a frame |
//! | `posture.rs` | joints and rotations while they are built, small tools |
//! | `prior.rs`, `tables.rs` | hips and feet that are not tracked |
//! | `training.rs` | frames that the tables are trained on |
//! | `trunk.rs` | hips, spine, neck and head |
//! | `arms.rs`, `legs.rs` | limbs |
//! | `fingers.rs` | tracked fingers |
//! | `parts.rs` | parts of the body that may be animated |
//! | `animated.rs` | the tracked body and the animation that it is written over, a weight per part |
//! | `limb_blend.rs` | one limb from the animation's and the tracked body's |
//! | `upper.rs` | trunk and arms together: a trunk that is assumed follows hands out of reach |
//! | `steps.rs` | untracked feet that stand and step |
//! | `packet.rs` | trackers as bytes for the network, the sender's side |
//! | `receiver.rs` | packets of a remote player: jitter buffer, interpolation |
//! | `body.rs` | one character: the frame's order, state |
//! | `remote.rs` | packing a body's trackers, a body from packets |
//! | `snapshot.rs` | what lasts between frames, as bytes |

mod animated;
mod arms;
mod body;
mod calibration;
mod calibration_json;
mod fingers;
mod frame_input;
mod legs;
mod limb_blend;
mod packet;
mod parts;
mod posture;
mod prior;
mod receiver;
mod remote;
mod rig;
mod role;
mod settings;
mod snapshot;
mod steps;
mod stream;
mod swivel;
mod tables;
mod training;
mod trunk;
mod upper;

pub use body::TrackedBody;
pub use calibration::{
    CalibrationError, CalibrationInput, CalibrationPose, PlayerMeasures, ScalePolicy, TrackerCalibration, TrackerOffset,
};
pub use calibration_json::CalibrationTextError;
pub use parts::TrackedPart;
pub use remote::MAX_PACKET_BYTES;
pub use role::TrackerRole;
pub use settings::TrackedBodySettings;
pub use stream::TrackerSample;
#[doc(hidden)]
pub use training::TrainingFrame;
