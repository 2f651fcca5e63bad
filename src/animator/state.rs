//! The state of a character that lasts from one frame to the next and affects results. One call
//! advances it, and it is reset, saved and restored as a whole.
//!
//! A snapshot is bytes: 32-bit words, little-endian. It holds no input, settings or pose; a frame
//! is a function of those and of this state.

use crate::constraints::ConstraintStack;
use crate::humanoid::gaze_switch::GazeSwitch;
use crate::humanoid::inertialization::Inertialization;
use crate::humanoid::whole_body::WholeBody;

/// First word of a snapshot: "SNW" and the version of its layout.
const HEADER: u32 = u32::from_le_bytes(*b"SNW\x03");

/// State that lasts between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameState {
    /// Offsets of switches, and the last solution of each limb that has a switch time.
    pub inertialization: Inertialization,
    /// The same of the look-at, while it has a switch time.
    pub gaze: Option<Box<GazeSwitch>>,
    /// The whole-body solver while it is on, and its last answer.
    pub whole_body: Option<Box<WholeBody>>,
}

/// Words of a snapshot, read in order.
struct Words<'a> {
    bytes: &'a [u8],
}

impl Words<'_> {
    fn next(&mut self) -> Option<u32> {
        let (word, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u32::from_le_bytes(*word))
    }
}

impl FrameState {
    /// Lets time pass for switches of limbs and gaze.
    pub fn advance_switches(&mut self, dt_s: f32) {
        self.inertialization.advance(dt_s);
        if let Some(gaze) = &mut self.gaze {
            gaze.advance(dt_s);
        }
    }
    /// Ends switches of limbs and gaze, as if no frame had been solved.
    pub fn reset_switches(&mut self) {
        self.inertialization.reset();
        if let Some(gaze) = &mut self.gaze {
            gaze.reset();
        }
    }
    /// Writes the words of a snapshot.
    pub fn write(&self, joint_count: usize, constraints: &ConstraintStack, put: &mut impl FnMut(u32)) {
        put(HEADER);
        put(joint_count as u32);
        self.inertialization.write(put);
        put(u32::from(self.gaze.is_some()));
        if let Some(gaze) = &self.gaze {
            gaze.write(put);
        }
        if let Some(whole_body) = &self.whole_body {
            whole_body.write(put);
        }
        constraints.write_state(put);
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`.
    pub fn read(
        &mut self,
        joint_count: usize,
        constraints: &mut ConstraintStack,
        bytes: &[u8],
        commit: bool,
    ) -> Result<(), &'static str> {
        let mut words = Words { bytes };
        if words.next() != Some(HEADER) {
            return Err("it is not a snapshot of this version");
        }
        if words.next() != Some(joint_count as u32) {
            return Err("it is of a skeleton with another number of joints");
        }
        self.inertialization.read(&mut || words.next(), commit)?;
        if words.next() != Some(u32::from(self.gaze.is_some())) {
            return Err("the look-at had a switch time when it was made, or has one now");
        }
        if let Some(gaze) = &mut self.gaze {
            gaze.read(&mut || words.next(), commit)?;
        }
        if let Some(whole_body) = &mut self.whole_body {
            whole_body.read(&mut || words.next(), commit)?;
        }
        constraints.read_state(&mut || words.next(), commit)?;
        if words.bytes.is_empty() { Ok(()) } else { Err("it is too long") }
    }
}
