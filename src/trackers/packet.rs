//! Trackers as a packet for the network: at most 64 bytes at rest, at most 200 in motion.
//!
//! # Method
//!
//! Every packet is complete in itself: it has absolute numbers, so a lost one costs nothing that
//! the next does not bring. It begins with a mark, the time, the set of trackers that are there,
//! the set of those whose numbers follow, and whether numbers of trackers that moved had no room.
//! A tracker takes 94 bits:
//!
//! | bits | number |
//! |---:|---|
//! | 2 | whether it has a position, and a rotation |
//! | 6 | confidence, steps of 1/63 |
//! | 3 × 16 | position, steps of 0.5 mm, within ±16.38 m (clamped) |
//! | 2 + 3 × 12 | rotation: which component is the largest, and the other three |
//!
//! Numbers follow for those trackers that have moved farther than the rest thresholds from what was
//! sent last. When that is less than what fits into 64 bytes, the others are sent again in turns,
//! which is how a receiver gets those that it has missed. When more than sixteen move, they take
//! turns; a receiver interpolates over the packets that leave a tracker out. The error is at most
//! 0.45 mm and 0.04°, and for a tracker at rest the thresholds more.

use super::role::TrackerRole;
use crate::math::{Quat, Vec3};

/// First byte of a packet: kind and version.
const MARK: u8 = 0xA2;
/// Bits before the trackers.
const HEADER_BITS: usize = 8 + 32 + 2 * TrackerRole::COUNT + 1;
/// Most bytes of a packet.
pub(super) const MAX_BYTES: usize = 200;
/// Most bytes of a packet of trackers at rest.
const REST_BYTES: usize = 64;
/// Bits of a tracker, and most of them.
const FLAG_BITS: usize = 8;
const PLACE_BITS: usize = 16;
const PART_BITS: usize = 12;
const TURN_BITS: usize = 2 + 3 * PART_BITS;
/// Steps of positions in a metre, and of times in a second.
const PLACE_STEPS: f32 = 2000.0;
pub(super) const TIME_STEPS: f64 = 4096.0;
/// Largest component but one of a unit quaternion, √½.
const PART_RANGE: f32 = core::f32::consts::FRAC_1_SQRT_2;
const PART_STEPS: f32 = ((1 << PART_BITS) - 1) as f32;
/// Steps of confidence.
const CONFIDENCE_STEPS: f32 = 63.0;

const PLACED: u32 = 1;
const TURNED: u32 = 2;

/// A tracker in a packet's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed {
    has: u32,
    confidence: u32,
    place: [u32; 3],
    /// Number of the largest component, then the other three in order.
    turn: [u32; 4],
}

impl Packed {
    /// Neither place nor rotation.
    pub const NONE: Self = Self { has: 0, confidence: 0, place: [0; 3], turn: [0; 4] };

    pub fn new(position: Option<Vec3>, rotation: Option<Quat>, confidence: f32) -> Self {
        let place = |x: f32| ((x * PLACE_STEPS).clamp(-32768.0, 32767.0) + 32768.5) as u32;
        let steps = (confidence.clamp(0.0, 1.0) * CONFIDENCE_STEPS + 0.5) as u32;
        Self {
            has: if position.is_some() { PLACED } else { 0 } | if rotation.is_some() { TURNED } else { 0 },
            confidence: steps.min(CONFIDENCE_STEPS as u32),
            place: position.map_or([0; 3], |p| p.to_array().map(place)),
            turn: rotation.map_or([0; 4], pack_turn),
        }
    }
    pub fn position(&self) -> Option<Vec3> {
        let place = |step: u32| (step as f32 - 32768.0) / PLACE_STEPS;
        (self.has & PLACED != 0).then(|| Vec3::from_array(self.place.map(place)))
    }
    pub fn rotation(&self) -> Option<Quat> {
        (self.has & TURNED != 0).then(|| unpack_turn(self.turn))
    }
    pub fn confidence(&self) -> f32 {
        self.confidence as f32 / CONFIDENCE_STEPS
    }
    fn bits(&self) -> usize {
        let place = if self.has & PLACED != 0 { 3 * PLACE_BITS } else { 0 };
        FLAG_BITS + place + if self.has & TURNED != 0 { TURN_BITS } else { 0 }
    }

    /// Whether another one is farther off than the thresholds, metres and radians.
    pub fn has_left(&self, now: &Self, rest: Rest) -> bool {
        let far = |a: Option<Vec3>, b: Option<Vec3>| match (a, b) {
            (Some(a), Some(b)) => a.distance(b) > rest.distance_m,
            (None, None) => false,
            _ => true,
        };
        // |sin(angle / 2)| of the turn between them, without an arc cosine.
        let turned = |a: Option<Quat>, b: Option<Quat>| match (a, b) {
            (Some(a), Some(b)) => {
                let turn = b * a.conjugate();
                Vec3::new(turn.x, turn.y, turn.z).length() > 0.5 * rest.angle_rad
            }
            (None, None) => false,
            _ => true,
        };
        self.confidence != now.confidence
            || far(self.position(), now.position())
            || turned(self.rotation(), now.rotation())
    }
}

/// How far a tracker may be off what was sent last and still count as at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub distance_m: f32,
    pub angle_rad: f32,
}

fn pack_turn(turn: Quat) -> [u32; 4] {
    let parts = turn.normalize().to_array();
    let mut largest = 0;
    for i in 1..4 {
        if parts[i].abs() > parts[largest].abs() {
            largest = i;
        }
    }
    let sign = if parts[largest] < 0.0 { -1.0 } else { 1.0 };
    let mut out = [largest as u32, 0, 0, 0];
    let others = (0..4).filter(|i| *i != largest);
    for (to, i) in out[1..].iter_mut().zip(others) {
        let part = (parts[i] * sign / PART_RANGE).clamp(-1.0, 1.0);
        *to = ((part + 1.0) * 0.5 * PART_STEPS + 0.5) as u32;
    }
    out
}

fn unpack_turn(turn: [u32; 4]) -> Quat {
    let mut parts = [0.0f32; 4];
    let largest = turn[0] as usize;
    let mut rest = 1.0;
    let others = (0..4).filter(|i| *i != largest);
    for (step, i) in turn[1..].iter().zip(others) {
        let part = (*step as f32 / PART_STEPS * 2.0 - 1.0) * PART_RANGE;
        parts[i] = part;
        rest -= part * part;
    }
    // Three parts from elsewhere may be too long together; the largest is then a little above 0.
    parts[largest] = crate::math::float::sqrt(rest.max(1e-6));
    Quat::from_array(parts).normalize()
}

/// The sender's side: what was sent last.
#[derive(Clone, Debug, Default)]
pub(super) struct Sender {
    sent: [Option<Packed>; TrackerRole::COUNT],
    /// The role that is sent again next, and the one that goes first among those that moved.
    again: usize,
    first: usize,
}

/// The trackers of a packet while it is put together.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    set: u32,
    bits: usize,
}

impl Load {
    /// Takes a tracker if the packet then has at most this many bytes.
    fn takes(&mut self, i: usize, tracker: &Packed, most: usize) -> bool {
        let bits = self.bits + tracker.bits();
        let fits = (HEADER_BITS + bits).div_ceil(8) <= most;
        if fits {
            *self = Self { set: self.set | 1 << i, bits };
        }
        fits
    }
}

impl Sender {
    /// Writes a packet; its size.
    pub fn pack(
        &mut self,
        time_s: f64,
        trackers: &[Option<Packed>; TrackerRole::COUNT],
        rest: Rest,
        out: &mut [u8; MAX_BYTES],
    ) -> usize {
        let (mut present, mut moved) = (0u32, 0u32);
        for (i, now) in trackers.iter().enumerate() {
            let Some(now) = now else {
                self.sent[i] = None;
                continue;
            };
            present |= 1 << i;
            if self.sent[i].is_none_or(|sent| sent.has_left(now, rest)) {
                moved |= 1 << i;
            }
        }
        let in_turns = |first: usize| (0..TrackerRole::COUNT).map(move |k| (first + k) % TrackerRole::COUNT);
        let mut load = Load::default();
        let mut left_out = None;
        for i in in_turns(self.first) {
            let Some(now) = trackers[i].as_ref().filter(|_| moved & 1 << i != 0) else { continue };
            if !load.takes(i, now, MAX_BYTES) && left_out.is_none() {
                left_out = Some(i);
            }
        }
        self.first = left_out.unwrap_or(0);
        // As many of the others as fit, each time from where the last packet ended.
        for i in in_turns(self.again) {
            let Some(now) = trackers[i].as_ref().filter(|_| moved & 1 << i == 0) else { continue };
            if !load.takes(i, now, REST_BYTES) {
                break;
            }
            self.again = (i + 1) % TrackerRole::COUNT;
        }
        let sends = load.set;
        let mut writer = Writer { out, at: 0 };
        writer.put(u32::from(MARK), 8);
        writer.put(to_steps(time_s), 32);
        writer.put(present, TrackerRole::COUNT);
        writer.put(sends, TrackerRole::COUNT);
        writer.put(u32::from(left_out.is_some()), 1);
        for (i, now) in trackers.iter().enumerate().filter(|(i, _)| sends & 1 << i != 0) {
            if let Some(now) = now {
                writer.tracker(now);
                self.sent[i] = Some(*now);
            }
        }
        writer.at.div_ceil(8)
    }
}

/// A time as a packet has it: it wraps around after twelve days.
fn to_steps(time_s: f64) -> u32 {
    (time_s * TIME_STEPS) as i64 as u32
}

struct Writer<'a> {
    out: &'a mut [u8; MAX_BYTES],
    /// Bits written.
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, value: u32, bits: usize) {
        for k in 0..bits {
            let byte = &mut self.out[self.at / 8];
            if self.at.is_multiple_of(8) {
                *byte = 0;
            }
            *byte |= ((value >> k & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
    }
    fn tracker(&mut self, tracker: &Packed) {
        self.put(tracker.has, 2);
        self.put(tracker.confidence, 6);
        if tracker.has & PLACED != 0 {
            tracker.place.iter().for_each(|step| self.put(*step, PLACE_BITS));
        }
        if tracker.has & TURNED != 0 {
            self.put(tracker.turn[0], 2);
            tracker.turn[1..].iter().for_each(|step| self.put(*step, PART_BITS));
        }
    }
}

/// A packet as received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub steps: u32,
    /// Trackers that the sender has.
    pub present: u32,
    /// Numbers of trackers that moved had no room: the others need not be at rest.
    pub is_partial: bool,
    /// Those whose numbers are in the packet.
    pub trackers: [Option<Packed>; TrackerRole::COUNT],
}

impl Packet {
    /// Reads a packet; `None` for bytes that are none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = BitReader { bytes, at: 0 };
        if reader.take(8)? != u32::from(MARK) {
            return None;
        }
        let (steps, present) = (reader.take(32)?, reader.take(TrackerRole::COUNT)?);
        let (sends, is_partial) = (reader.take(TrackerRole::COUNT)?, reader.take(1)? != 0);
        if sends & !present != 0 {
            return None;
        }
        let mut trackers = [None; TrackerRole::COUNT];
        for (i, out) in trackers.iter_mut().enumerate() {
            if sends & 1 << i != 0 {
                *out = Some(reader.tracker()?);
            }
        }
        (reader.at.div_ceil(8) == bytes.len()).then_some(Self { steps, present, is_partial, trackers })
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn take(&mut self, bits: usize) -> Option<u32> {
        let mut value = 0;
        for k in 0..bits {
            let byte = *self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << k;
            self.at += 1;
        }
        Some(value)
    }
    fn tracker(&mut self) -> Option<Packed> {
        let mut packed = Packed { has: self.take(2)?, confidence: self.take(6)?, ..Packed::default() };
        if packed.has & PLACED != 0 {
            for step in &mut packed.place {
                *step = self.take(PLACE_BITS)?;
            }
        }
        if packed.has & TURNED != 0 {
            packed.turn[0] = self.take(2)?;
            for step in &mut packed.turn[1..] {
                *step = self.take(PART_BITS)?;
            }
        }
        Some(packed)
    }
}
