//! Packets of a remote player: a jitter buffer, and its trackers at a time.
//!
//! # Method
//!
//! The sender's clock is seen through the network: `arrival − sent` is the offset of the clocks and
//! the delay of the packet. The least of it, which creeps up slowly so that drifting clocks do not
//! matter, counts as the offset; what a packet needs beyond that is its lateness. Packets are
//! played `delay` later than the fastest would allow: the greatest lateness of the last seconds and
//! one and a half intervals of sending, within the settings' bounds. The play time runs a tenth
//! faster or slower towards that, so that nothing jumps when the network changes.
//!
//! Every tracker has a list of its newest numbers by time. Between two of them place and rotation
//! are interpolated; beyond the newest they are held, and the tracker ages.

use super::packet::{Packed, Packet, TIME_STEPS};
use super::role::TrackerRole;
use super::settings::TrackedBodySettings;
use super::stream::{TrackerSample, decay};
use crate::math::{Quat, Vec3, slerp_short};

/// Numbers kept per tracker.
const KEPT: usize = 16;
/// How fast the offset of the clocks may creep up, seconds per second.
const CREEP: f64 = 0.002;
/// How much later than the fastest packet all packets of a span are where the clocks have changed,
/// or the way is longer now, and that span: it takes one to two of it, seconds.
const BEHIND: f64 = 0.25;
const SPAN: f64 = 1.0;
/// Packets in a row, each from before the newest one by so many seconds, after which the sender has
/// set its clock back, or the newest one had a wrong time.
const BACK: (u32, f64) = (10, 0.25);
/// Half-life of the greatest lateness, seconds.
const LATENESS_HALF_LIFE: f32 = 3.0;
/// Part of the difference to the due play time that is made up in a second, and at most.
const CATCH_UP: f64 = 2.0;
const MAX_CATCH_UP: f64 = 0.1;
/// Difference from which the play time jumps ahead, or waits, seconds.
const JUMP: f64 = 0.5;
/// How far back the sender's clock goes when the sender has started anew, seconds.
const ANEW: f64 = 5.0;
/// Gap in a tracker's numbers that is not interpolated over, seconds.
const MAX_GAP: f64 = 0.5;

/// Numbers of a tracker at a time.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    time_s: f64,
    packed: Packed,
}

/// The newest numbers of a tracker, oldest first.
#[derive(Clone, Copy, Debug)]
struct Track {
    entries: [Entry; KEPT],
    count: usize,
}

impl Track {
    const EMPTY: Self = Self { entries: [Entry { time_s: 0.0, packed: Packed::NONE }; KEPT], count: 0 };

    fn entries(&self) -> &[Entry] {
        &self.entries[..self.count]
    }
    /// Puts an entry in its place by time; one that is older than all of a full list is dropped.
    fn insert(&mut self, entry: Entry) {
        let at = self.entries().iter().rposition(|e| e.time_s <= entry.time_s).map_or(0, |i| i + 1);
        if at > 0 && self.entries[at - 1].time_s == entry.time_s {
            self.entries[at - 1] = entry;
            return;
        }
        if self.count == KEPT {
            if at == 0 {
                return;
            }
            self.entries.copy_within(1..at, 0);
            self.entries[at - 1] = entry;
        } else {
            self.entries.copy_within(at..self.count, at + 1);
            self.entries[at] = entry;
            self.count += 1;
        }
    }
    /// The tracker at a time; its own time is not after its newest entry.
    fn sample(&self, time_s: f64) -> Option<TrackerSample> {
        let entries = self.entries();
        let newest = entries.last()?;
        let next = entries.iter().position(|e| e.time_s > time_s);
        let (from, to) = match next {
            None => (newest, newest),
            Some(0) => return None,
            Some(i) if entries[i].time_s - entries[i - 1].time_s > MAX_GAP => (&entries[i - 1], &entries[i - 1]),
            Some(i) => (&entries[i - 1], &entries[i]),
        };
        let gap = to.time_s - from.time_s;
        let part = if gap > 0.0 { (((time_s - from.time_s) / gap) as f32).clamp(0.0, 1.0) } else { 0.0 };
        let (a, b) = (from.packed, to.packed);
        let place = |a: Vec3, b: Vec3| a.lerp(b, part);
        let turn = |a: Quat, b: Quat| slerp_short(a, b, part);
        Some(TrackerSample {
            time_s: time_s.min(to.time_s),
            position: a.position().map(|p| b.position().map_or(p, |q| place(p, q))),
            rotation: a.rotation().map(|p| b.rotation().map_or(p, |q| turn(p, q))),
            confidence: a.confidence() + (b.confidence() - a.confidence()) * part,
        })
    }
}

/// The receiver's side of a remote player.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    tracks: [Track; TrackerRole::COUNT],
    started: bool,
    /// Time of the newest packet, sender's clock, not wrapped.
    newest_s: f64,
    newest_steps: u32,
    /// Receiver's clock over sender's, of the fastest packet.
    offset_s: f64,
    last_arrival_s: f64,
    lateness_s: f32,
    interval_s: f32,
    /// The newest packet left out trackers that moved.
    is_partial: bool,
    /// Play time, sender's clock, and the receiver's time that belongs to it.
    playing: bool,
    play_s: f64,
    now_s: f64,
    /// Least offset of the packets since `span_begin_s` (receiver's clock), and in the span before.
    least_s: f64,
    least_before_s: f64,
    span_begin_s: f64,
    /// Packets in a row from before the newest one.
    back: u32,
    /// The sender has started anew since [`Self::takes_restart`].
    restarted: bool,
}

impl Receiver {
    pub fn new() -> Self {
        Self {
            tracks: [Track::EMPTY; TrackerRole::COUNT],
            started: false,
            newest_s: 0.0,
            newest_steps: 0,
            offset_s: 0.0,
            last_arrival_s: 0.0,
            lateness_s: 0.0,
            interval_s: 1.0 / 60.0,
            is_partial: false,
            playing: false,
            play_s: 0.0,
            now_s: 0.0,
            least_s: f64::INFINITY,
            least_before_s: f64::INFINITY,
            span_begin_s: 0.0,
            back: 0,
            restarted: false,
        }
    }
    /// Whether the sender has started anew since the last call.
    pub fn takes_restart(&mut self) -> bool {
        core::mem::take(&mut self.restarted)
    }

    /// Takes a packet.
    pub fn receive(&mut self, packet: &Packet, arrival_s: f64) {
        // The sender's clock goes on by what its 32 bits went on, or back.
        let mut step = packet.steps.wrapping_sub(self.newest_steps) as i32;
        let (most_back, back_s) = BACK;
        self.back = if self.started && f64::from(step) < -back_s * TIME_STEPS { self.back + 1 } else { 0 };
        if self.started && f64::from(step) < -ANEW * TIME_STEPS || self.back >= most_back {
            *self = Self { restarted: true, ..Self::new() };
            step = 0;
        }
        let sent_s = if self.started {
            self.newest_s + f64::from(step) / TIME_STEPS
        } else {
            f64::from(packet.steps) / TIME_STEPS
        };
        self.follow_clock(sent_s, arrival_s);
        let is_newest = !self.started || step > 0;
        if is_newest {
            (self.newest_s, self.newest_steps, self.is_partial) = (sent_s, packet.steps, packet.is_partial);
        }
        self.started = true;
        for (i, (track, sent)) in self.tracks.iter_mut().zip(&packet.trackers).enumerate() {
            if packet.present & 1 << i == 0 {
                // It ages, and fades out.
                continue;
            }
            let rests = is_newest && !packet.is_partial;
            let held = track.entries().last().filter(|_| rests).map(|last| last.packed);
            if let Some(packed) = sent.or(held) {
                track.insert(Entry { time_s: sent_s, packed });
            }
        }
    }

    fn follow_clock(&mut self, sent_s: f64, arrival_s: f64) {
        let transit = arrival_s - sent_s;
        if !self.started {
            (self.offset_s, self.last_arrival_s) = (transit, arrival_s);
            (self.least_s, self.span_begin_s) = (transit, arrival_s);
            return;
        }
        self.least_s = self.least_s.min(transit);
        if arrival_s - self.span_begin_s >= SPAN {
            let recent = self.least_s.min(self.least_before_s);
            if recent > self.offset_s + BEHIND {
                // Lateness counts from the offset.
                self.lateness_s = (self.lateness_s - (recent - self.offset_s) as f32).max(0.0);
                self.offset_s = recent;
                // The play time is past the newest packet: it goes back to where there are some.
                self.playing = false;
            }
            (self.least_before_s, self.least_s, self.span_begin_s) = (self.least_s, f64::INFINITY, arrival_s);
        }
        let passed = (arrival_s - self.last_arrival_s).max(0.0);
        self.last_arrival_s = self.last_arrival_s.max(arrival_s);
        self.offset_s = transit.min(self.offset_s + CREEP * passed);
        self.lateness_s -= self.lateness_s * decay(LATENESS_HALF_LIFE, passed as f32);
        self.lateness_s = self.lateness_s.max((transit - self.offset_s) as f32);
        let interval = (sent_s - self.newest_s) as f32;
        if (0.0..1.0).contains(&interval) {
            self.interval_s += (interval - self.interval_s) * 0.1;
        }
    }

    /// How much later than the fastest packet would allow the player is shown, seconds.
    pub fn delay_s(&self, settings: &TrackedBodySettings) -> f32 {
        // A tracker that is left out is in the packet after.
        let intervals = if self.is_partial { 2.5 } else { 1.5 };
        let wanted = self.lateness_s + intervals * self.interval_s;
        wanted.max(settings.min_delay_s).min(settings.max_delay_s)
    }

    /// Goes on to a time of the receiver's clock. Returns the play time, sender's clock; `None`
    /// before the first packet.
    pub fn play(&mut self, now_s: f64, settings: &TrackedBodySettings) -> Option<f64> {
        if !self.started {
            return None;
        }
        let wanted = now_s - self.offset_s - f64::from(self.delay_s(settings));
        let passed = (now_s - self.now_s).max(0.0);
        let ahead = self.play_s + passed;
        let off = wanted - ahead;
        self.play_s = if !self.playing || off > JUMP {
            wanted
        } else if off < -JUMP {
            self.play_s
        } else {
            ahead + passed * (off * CATCH_UP).clamp(-MAX_CATCH_UP, MAX_CATCH_UP)
        };
        self.playing = true;
        self.now_s = now_s;
        Some(self.play_s)
    }

    /// A tracker at the play time.
    pub fn sample(&self, role: TrackerRole) -> Option<TrackerSample> {
        self.tracks[role.index()].sample(self.play_s)
    }
}
