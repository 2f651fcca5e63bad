//! What lasts between frames, as bytes.

use super::animated::Animated;
use super::body::TrackedBody;
use super::fingers::FingerPose;
use super::posture::Posture;
use super::prior::History;
use super::role::TrackerRole;
use super::steps::Step;
use super::stream::Stream;
use super::swivel::Swivel;
use crate::math::{Quat, Vec3};
use bytemuck::{Pod, Zeroable};

/// Everything, in one plain record.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Saved {
    streams: [Stream; TrackerRole::COUNT],
    time_s: f64,
    started: u32,
    history: History,
    steps: [Step; 2],
    swivels: [[Swivel; 2]; 2],
    place: Vec3,
    turn: Quat,
    posture: Posture,
    fingers: FingerPose,
    animated: Animated,
}

impl TrackedBody {
    /// Size of a snapshot, bytes; it depends on the version of the library only.
    pub fn snapshot_size(&self) -> usize {
        size_of::<Saved>()
    }
    /// Writes all that lasts between frames, but not what was sent and received over the network:
    /// the jitter buffer of a remote player, and which trackers are due in the next packet.
    /// `false` when the size is another.
    pub fn snapshot(&self, out: &mut [u8]) -> bool {
        if out.len() != size_of::<Saved>() {
            return false;
        }
        let (place, turn) = self.origin;
        out.copy_from_slice(bytemuck::bytes_of(&Saved {
            streams: self.streams,
            time_s: self.time_s,
            started: u32::from(self.started),
            history: self.history,
            steps: self.steps,
            swivels: self.swivels,
            place,
            turn,
            posture: *self.posture(),
            fingers: self.fingers.pose,
            animated: self.animated,
        }));
        true
    }
    /// Reads what [`Self::snapshot`] wrote; the outcomes are inactive until the next update.
    /// `false`, with nothing changed, when the size is another or a number is not finite.
    pub fn restore(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() != size_of::<Saved>() {
            return false;
        }
        let saved: Saved = bytemuck::pod_read_unaligned(bytes);
        let numbers = [saved.place.is_finite(), saved.turn.is_finite(), saved.time_s.is_finite()];
        let sound = saved.streams.iter().all(Stream::is_sound)
            && saved.steps.iter().all(Step::is_sound)
            && saved.swivels.iter().flatten().all(Swivel::is_sound)
            && saved.history.is_sound()
            && saved.posture.is_sound()
            && saved.fingers.is_sound()
            && saved.animated.is_sound()
            && numbers.iter().all(|n| *n);
        if !sound {
            return false;
        }
        self.streams = saved.streams;
        self.time_s = saved.time_s;
        self.started = saved.started != 0;
        self.history = saved.history;
        self.steps = saved.steps;
        self.swivels = saved.swivels;
        self.origin = (saved.place, saved.turn);
        self.animated = saved.animated;
        self.set_posture(saved.posture, saved.fingers);
        true
    }
}
