//! One tracker's samples: order, filter, extrapolation, fading.
//!
//! # Method
//!
//! The filter is the One-Euro filter: a low-pass of first order whose cut-off frequency grows with
//! the speed, so that slow motion is smooth and fast motion does not lag. Position and rotation
//! have one each. Source: G. Casiez, N. Roussel, D. Vogel, "1 € Filter: A Simple Speed-based
//! Low-pass Filter for Noisy Input in Interactive Systems", CHI 2012, section 3.

use super::settings::TrackedBodySettings;
use crate::math::{Quat, Vec3, axis_angle, normalize_or, rotation_vector, slerp_short};
use bytemuck::{Pod, Zeroable};

/// What a tracker reports, tracking space: the avatar's axes, metres of the room, the origin
/// anywhere on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackerSample {
    /// Seconds, of any clock that all samples and updates share.
    pub time_s: f64,
    /// Place of the tracker; `None`: it senses rotation only.
    pub position: Option<Vec3>,
    /// Rotation of the tracker; `None`: it senses position only.
    pub rotation: Option<Quat>,
    /// How much the tracker is to be believed, 0 (lost) … 1. Its part in the body follows within
    /// the fade time. At 0 position and rotation do not count: it fades out where it was.
    pub confidence: f32,
}

/// Seconds after which the measured velocity is half renewed.
const VELOCITY_HALF_LIFE: f32 = 0.02;
/// Cut-off frequency of the speed that steers the filter, hertz.
const SPEED_CUTOFF: f32 = 1.0;

/// What lasts of a tracker: numbers only.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Stream {
    /// Time of the newest sample.
    time_s: f64,
    /// Bit 0: there has been a sample; 1: it has a position; 2: a rotation.
    has: u32,
    confidence: f32,
    /// Filtered.
    position: Vec3,
    velocity: Vec3,
    speed: f32,
    rotation: Quat,
    spin: Vec3,
    spin_speed: f32,
    /// Part that the tracker has in the body, before easing.
    presence: f32,
}

const SEEN: u32 = 1;
const PLACED: u32 = 2;
const TURNED: u32 = 4;

/// A tracker in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub position: Vec3,
    pub rotation: Quat,
    /// Parts in the body, 0 … 1.
    pub place_weight: f32,
    pub turn_weight: f32,
}

/// Part of the way that a low-pass of first order goes in `dt`.
pub(super) fn low_pass(cutoff_hz: f32, dt: f32) -> f32 {
    let rate = core::f32::consts::TAU * cutoff_hz * dt;
    rate / (1.0 + rate)
}

/// Part of the way that is gone in `dt` with a half-life.
pub(super) fn decay(half_life_s: f32, dt: f32) -> f32 {
    // 1 − 2^(−x) by (1 + x ln2 / 8)^-8, within 4 % of it; only + * /.
    let step = 1.0 + dt / half_life_s.max(1e-6) * (core::f32::consts::LN_2 / 8.0);
    let squared = step * step;
    let fourth = squared * squared;
    1.0 - 1.0 / (fourth * fourth)
}

impl Stream {
    /// Takes a sample. One that is older than the newest is dropped; `false` then.
    pub fn push(&mut self, sample: &TrackerSample, settings: &TrackedBodySettings) -> bool {
        let known = self.has & SEEN != 0;
        if known && sample.time_s < self.time_s {
            return false;
        }
        let gap = (sample.time_s - self.time_s) as f32;
        let goes_on = known && gap <= settings.lost_after_s;
        if sample.confidence <= 0.0 {
            // What a lost tracker states is often the origin: it fades out where it was last.
            (self.velocity, self.spin) = (Vec3::ZERO, Vec3::ZERO);
            (self.has, self.time_s, self.confidence) = (self.has | SEEN, sample.time_s, 0.0);
            return true;
        }
        if let Some(position) = sample.position {
            self.place(position, goes_on && self.has & PLACED != 0, gap, settings);
        }
        if let Some(rotation) = sample.rotation {
            self.turn(rotation, goes_on && self.has & TURNED != 0, gap, settings);
        }
        self.has = SEEN
            | if sample.position.is_some() { PLACED } else { 0 }
            | if sample.rotation.is_some() { TURNED } else { 0 };
        self.time_s = sample.time_s;
        self.confidence = sample.confidence.clamp(0.0, 1.0);
        true
    }

    fn place(&mut self, position: Vec3, goes_on: bool, dt: f32, settings: &TrackedBodySettings) {
        if !goes_on {
            (self.position, self.velocity, self.speed) = (position, Vec3::ZERO, 0.0);
            return;
        }
        if dt <= 0.0 {
            // The same sample again, which is in the filter.
            if settings.min_cutoff_hz <= 0.0 {
                self.position = position;
            }
            return;
        }
        let last = self.position;
        let moved = (position - last) / dt;
        self.speed += (moved.length() - self.speed) * low_pass(SPEED_CUTOFF, dt);
        let part = filter_part(self.speed, dt, settings);
        self.position = if part < 1.0 { last.lerp(position, part) } else { position };
        self.velocity += ((self.position - last) / dt - self.velocity) * decay(VELOCITY_HALF_LIFE, dt);
    }

    fn turn(&mut self, rotation: Quat, goes_on: bool, dt: f32, settings: &TrackedBodySettings) {
        if !goes_on {
            (self.rotation, self.spin, self.spin_speed) = (rotation, Vec3::ZERO, 0.0);
            return;
        }
        if dt <= 0.0 {
            if settings.min_cutoff_hz <= 0.0 {
                self.rotation = rotation;
            }
            return;
        }
        let last = self.rotation;
        let turned = rotation_vector((rotation * last.conjugate()).normalize()) / dt;
        self.spin_speed += (turned.length() - self.spin_speed) * low_pass(SPEED_CUTOFF, dt);
        let part = filter_part(self.spin_speed, dt, settings);
        self.rotation = if part < 1.0 { slerp_short(last, rotation, part) } else { rotation };
        let own = rotation_vector((self.rotation * last.conjugate()).normalize()) / dt;
        self.spin += (own - self.spin) * decay(VELOCITY_HALF_LIFE, dt);
    }

    /// The tracker at a time; its presence moves on by `dt`. `None` while it takes no part.
    pub fn read(&mut self, time_s: f64, dt: f32, first: bool, settings: &TrackedBodySettings) -> Option<Reading> {
        if self.has & SEEN == 0 {
            return None;
        }
        let age = (time_s - self.time_s) as f32;
        let goal = if age > settings.lost_after_s { 0.0 } else { self.confidence };
        let step = dt / settings.fade_time_s.max(1e-3);
        self.presence = if first {
            goal
        } else if goal > self.presence {
            (self.presence + step).min(goal)
        } else {
            (self.presence - step).max(goal)
        };
        if self.presence <= 0.0 {
            return None;
        }
        let weight = self.presence * self.presence * (3.0 - 2.0 * self.presence);
        let (position, rotation) = self.extrapolated(age, settings);
        Some(Reading {
            position,
            rotation,
            place_weight: if self.has & PLACED != 0 { weight } else { 0.0 },
            turn_weight: if self.has & TURNED != 0 { weight } else { 0.0 },
        })
    }

    fn extrapolated(&self, age: f32, settings: &TrackedBodySettings) -> (Vec3, Quat) {
        let ahead = age.clamp(0.0, settings.max_extrapolation_s);
        let turned = self.spin * ahead;
        let angle = turned.length();
        let ahead_turn = axis_angle(normalize_or(turned, Vec3::Y), angle);
        let rotation = if angle > 0.0 { (ahead_turn * self.rotation).normalize() } else { self.rotation };
        (self.position + self.velocity * ahead, rotation)
    }

    /// The filtered tracker at a time, as a sample; `None` for one that is lost or was never seen.
    pub fn at(&self, time_s: f64, settings: &TrackedBodySettings) -> Option<TrackerSample> {
        let age = (time_s - self.time_s) as f32;
        if self.has & SEEN == 0 || age > settings.lost_after_s {
            return None;
        }
        let (position, rotation) = self.extrapolated(age, settings);
        Some(TrackerSample {
            time_s,
            position: (self.has & PLACED != 0).then_some(position),
            rotation: (self.has & TURNED != 0).then_some(rotation),
            confidence: self.confidence,
        })
    }

    /// Time of the newest sample that is not one of a lost tracker.
    pub fn newest_s(&self) -> Option<f64> {
        (self.has & SEEN != 0 && self.confidence > 0.0).then_some(self.time_s)
    }
    /// Newest sample, filtered: place and rotation as far as it has them. None of a tracker that is
    /// lost, or has not reported since a time.
    pub fn newest(&self, since_s: f64) -> (Option<Vec3>, Option<Quat>) {
        let counts = self.newest_s().is_some_and(|time_s| time_s >= since_s);
        let has = |bit: u32| counts && self.has & bit != 0;
        (has(PLACED).then_some(self.position), has(TURNED).then_some(self.rotation))
    }
    /// Part of the tracker in the body, 0 … 1.
    pub fn presence(&self) -> f32 {
        self.presence
    }
    pub fn is_sound(&self) -> bool {
        let numbers = [self.confidence, self.speed, self.spin_speed, self.presence];
        self.time_s.is_finite()
            && numbers.iter().all(|n| n.is_finite())
            && self.position.is_finite()
            && self.velocity.is_finite()
            && self.spin.is_finite()
            && self.rotation.is_finite()
    }
}

/// Part of the way to a new value that the filter goes.
fn filter_part(speed: f32, dt: f32, settings: &TrackedBodySettings) -> f32 {
    if settings.min_cutoff_hz <= 0.0 {
        return 1.0;
    }
    low_pass(settings.min_cutoff_hz + settings.speed_cutoff * speed, dt)
}
