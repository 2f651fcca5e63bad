//! Players over the network: the trackers of a body as packets, and a body from packets.

use super::body::TrackedBody;
use super::packet::{self, Packed, Packet, Rest};
use super::receiver::Receiver;
use super::role::TrackerRole;
use super::settings::TrackedBodySettings;

/// Most bytes of a packet.
pub const MAX_PACKET_BYTES: usize = packet::MAX_BYTES;

impl TrackedBody {
    /// Writes the trackers of the last update as a packet, filtered; its size. At most
    /// [`MAX_PACKET_BYTES`]; at most 64 while no more than four trackers move.
    ///
    /// A receiver needs the calibration once (see
    /// [`TrackerCalibration::to_json`](super::TrackerCalibration::to_json)), and the same avatar and
    /// settings.
    pub fn pack(&mut self, out: &mut [u8; MAX_PACKET_BYTES]) -> usize {
        let settings = *self.settings();
        let rest = Rest { distance_m: settings.rest_distance, angle_rad: settings.rest_angle };
        let time_s = self.time_s;
        let trackers: [Option<Packed>; TrackerRole::COUNT] = core::array::from_fn(|i| {
            let sample = self.streams[i].at(time_s, &settings)?;
            Some(Packed::new(sample.position, sample.rotation, sample.confidence))
        });
        self.sender.pack(time_s, &trackers, rest, out)
    }

    /// Takes a packet of a remote player, in any order and at any time. `false`, with nothing
    /// changed, for bytes that are none. The first one allocates the buffer.
    pub fn receive(&mut self, bytes: &[u8], arrival_s: f64) -> bool {
        let Some(packet) = Packet::read(bytes) else { return false };
        self.receiver.get_or_insert_with(|| Box::new(Receiver::new())).receive(&packet, arrival_s);
        true
    }

    /// Builds the body of a remote player from what [`Self::receive`] took, for a time of the clock
    /// of its arrivals. The same packets, arrivals and times give the same bits everywhere. `false`
    /// before the first packet.
    pub fn update_remote(&mut self, now_s: f64) -> bool {
        let Some(time_s) = self.sample_remote(now_s) else { return false };
        self.update(time_s);
        true
    }
    /// Samples the trackers that [`Self::update_remote`] would, and gives the time to update for;
    /// `None` before the first packet.
    pub(crate) fn sample_remote(&mut self, now_s: f64) -> Option<f64> {
        let settings = *self.settings();
        let receiver = self.receiver.as_mut()?;
        let play_s = receiver.play(now_s, &settings)?;
        let restarted = receiver.takes_restart();
        if restarted {
            TrackerRole::ALL.into_iter().for_each(|role| self.clear_tracker(role));
            self.reset();
        }
        // What travels was filtered by the sender; a second filter would only make it lag.
        let unfiltered = TrackedBodySettings { min_cutoff_hz: 0.0, ..settings };
        let frame_s = self.started.then_some(self.time_s);
        for role in TrackerRole::ALL {
            let sample = self.receiver.as_ref().and_then(|receiver| receiver.sample(role));
            if let Some(sample) = sample {
                self.streams[role.index()].push(&sample, &unfiltered, frame_s);
            }
        }
        Some(play_s)
    }

    /// Whether the buffer of packets has been allocated.
    pub fn is_remote(&self) -> bool {
        self.receiver.is_some()
    }
    /// How much later than the network's fastest packet would allow a remote player is shown,
    /// seconds.
    pub fn network_delay_s(&self) -> f32 {
        self.receiver.as_ref().map_or(0.0, |receiver| receiver.delay_s(self.settings()))
    }
}
