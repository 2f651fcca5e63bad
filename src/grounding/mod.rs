//! Feet on the ground, for any number of legs and any up-vector; no avatar and no skeleton needed.
//!
//! A frame has two phases. [`Grounder::begin`] takes the animated legs and writes the ground
//! queries (rays or sphere sweeps, at most 1, 3 or 5 a foot); the host answers them in any way;
//! [`Grounder::finish`] gives back the legs, the displacement of the pelvis and the tilt of the
//! body. [`Grounder::solve_with`] does both with a callback.
//!
//! | file | what is in it |
//! |---|---|
//! | `query.rs` | queries and answers |
//! | `foot.rs` | foot model: heights of the joints, outline of the sole |
//! | `settings.rs` | settings with unit, range and default |
//! | `motion.rs` | time-to-go cubics, springs, soft limits |
//! | `masks.rs` | points of ground four or eight at a time, and sets of them |
//! | `memory.rs` | ground memory of a foot: the last hits along its way |
//! | `profile.rs` | the height profile of that, with edges |
//! | `landing.rs` | when and where a foot lands, and where on a step it should |
//! | `leg.rs` | one leg: what comes in, what lasts between frames |
//! | `ask.rs` | where ground must be known |
//! | `rigid.rs` | motion of the ground near an answer |
//! | `carry.rs` | locks, heights and remembered points that move with the ground |
//! | `contact.rs` | contact with hysteresis, foot lock: a standing foot held to the surface |
//! | `swing.rs` | the swinging foot: height over edges, way to the foothold |
//! | `sole.rs` | the sole turned to the ground |
//! | `limb.rs` | over-extension, heel lift, two-bone limb |
//! | `pelvis.rs` | height and tilt of the body |
//! | `clip.rs` | contacts learned from a clip |
//! | `stepping.rs` | feet without animation: homes in, animated legs out |
//! | `gait.rs` | which of them step, and when |
//! | `draw.rs` | debug lines |
//! | `grounder.rs` | one character: settings, feet, state |
//! | `frame.rs` | the order of a frame |
//! | `scale.rs` | the host's unit of length outside, that of a person in metres inside |
//! | `past.rs` | what the last frames leave for the next |
//! | `jump.rs` | roots and animations that jump, answers that cannot be |
//! | `between.rs` | steps of even length, whatever the frame rate |
//! | `snapshot.rs` | the state as bytes |
//!
//! All lengths inside are divided by the settings' scale, so that constants are those of a person
//! in metres. Nothing looks into the animation's future unless the host gives a landing. A frame
//! allocates nothing.

mod ask;
mod between;
mod carry;
mod clip;
mod contact;
mod draw;
mod foot;
mod frame;
mod gait;
mod grounder;
mod jump;
mod landing;
mod leg;
mod limb;
mod masks;
mod memory;
mod motion;
mod past;
mod pelvis;
mod profile;
mod query;
mod rigid;
mod scale;
mod settings;
mod snapshot;
mod sole;
mod stepping;
mod swing;

pub use clip::{ContactRule, contacts_from_clip};
pub use foot::FootModel;
pub use grounder::{BodyResult, Grounded, Grounder, GrounderFrame};
pub use leg::{Contact, LegPose};
pub use limb::LegResult;
pub use query::{Hit, Purpose, Quality, Query};
pub use settings::GrounderSettings;
pub use stepping::{Gait, SteppingSettings};
