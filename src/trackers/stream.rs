//! One tracker's samples: order, filter, extrapolation, fading.
//!
//! # Method
//!
//! The filter is the One-Euro filter: a low-pass of first order whose cut-off frequency grows with
//! the speed, so that slow motion is smooth and fast motion does not lag. Position and rotation
//! have one each. Source: G. Casiez, N. Roussel, D. Vogel, "1 € Filter: A Simple Speed-based
//! Low-pass Filter for Noisy Input in Interactive Systems", CHI 2012, section 3.

use super::settings::TrackedBodySettings;
use crate::math::float::smooth01;
use crate::math::{Quat, Vec3, axis_angle, fraction, normalize_or, rotation_vector, slerp_short};
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

/// What lasts of a tracker's place, or of its rotation: numbers only.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct Part {
    /// Time of the newest sample that has it.
    time_s: f64,
    /// Whether there has been one; whether the newest sample has it.
    seen: u32,
    given: u32,
    /// Part that it has in the body, before easing.
    presence: f32,
    /// Usual time between samples.
    interval_s: f32,
    /// Time since it came back from an interruption.
    back_s: f32,
    _unused: u32,
}

/// What lasts of a tracker: numbers only.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Stream {
    /// Time of the newest sample.
    time_s: f64,
    /// Time of the frame that it was first read in.
    read_s: f64,
    seen: u32,
    is_unread: u32,
    confidence: f32,
    _unused: u32,
    place: Part,
    turn: Part,
    /// Filtered.
    position: Vec3,
    velocity: Vec3,
    speed: f32,
    rotation: Quat,
    spin: Vec3,
    spin_speed: f32,
    /// From where the samples are to what was shown when they came back; it decays.
    place_off: Vec3,
    turn_off: Quat,
}

/// Intervals of sampling after which a tracker has been interrupted: what was extrapolated or held
/// meanwhile is left gradually. From there to this many times as long it is left ever less at once.
const INTERRUPTED: f32 = 2.5;
const INTERRUPTED_WHOLLY: f32 = 1.5;
/// Fade times in which it is left: a bone that lags is wrong all the while.
const BACK_WITHIN: f32 = 0.5;

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

impl Part {
    /// How much of what was shown lasts when a sample comes after so long, 0 … 1.
    fn interruption(&self, gap_s: f32, settings: &TrackedBodySettings) -> f32 {
        if self.presence <= 0.0 {
            return 0.0;
        }
        if gap_s < 0.0 {
            return 1.0;
        }
        let usual = settings.max_extrapolation_s.min(settings.lost_after_s).max(INTERRUPTED * self.interval_s);
        ((gap_s / usual.max(1e-3) - 1.0) / (INTERRUPTED_WHOLLY - 1.0)).clamp(0.0, 1.0)
    }
    /// Takes note of a sample that comes after so long; the tracker's rate is learned slowly when
    /// it falls, since a few samples that are missing do not make it a slow one.
    fn follow(&mut self, time_s: f64, gap_s: f32, settings: &TrackedBodySettings) {
        let gap_s = gap_s.min(settings.lost_after_s);
        if self.seen != 0 && gap_s > 0.0 {
            let part = if self.interval_s == 0.0 {
                1.0
            } else if gap_s < self.interval_s {
                0.3
            } else {
                0.1
            };
            self.interval_s += (gap_s - self.interval_s) * part;
        }
        (self.time_s, self.seen) = (time_s, 1);
    }
    /// Goes on by a frame.
    fn fade(&mut self, time_s: f64, came_s: f64, dt: f32, confidence: f32, settings: &TrackedBodySettings) {
        let age = (time_s - self.time_s.min(came_s)) as f32;
        let is_lost = self.given == 0 || age > settings.lost_after_s;
        let goal = if is_lost { 0.0 } else { confidence };
        let step = dt / settings.fade_time_s.max(1e-3);
        self.presence =
            if goal > self.presence { (self.presence + step).min(goal) } else { (self.presence - step).max(goal) };
        self.back_s += dt;
    }
    fn age(&self, time_s: f64) -> f32 {
        (time_s - self.time_s) as f32
    }
    fn weight(&self) -> f32 {
        smooth01(self.presence)
    }
    /// What is left of the way back from an interruption, 1 … 0: its speed changes nowhere at once.
    fn left(&self, settings: &TrackedBodySettings) -> f32 {
        1.0 - smooth01(self.back_s / (BACK_WITHIN * settings.fade_time_s.max(1e-3)))
    }
    fn is_sound(&self) -> bool {
        self.time_s.is_finite() && [self.presence, self.interval_s, self.back_s].iter().all(|n| n.is_finite())
    }
}

impl Stream {
    /// Takes a sample. One that is older than the newest is dropped; `false` then. Exception: where
    /// the newest is more than `lost_after_s` ahead of the last frame and this one is not, the time
    /// of the newest was wrong, and this one replaces it.
    pub fn push(&mut self, sample: &TrackerSample, settings: &TrackedBodySettings, frame_s: Option<f64>) -> bool {
        let is_ahead = |time_s: f64| frame_s.is_some_and(|frame_s| time_s > frame_s + f64::from(settings.lost_after_s));
        let is_late = self.seen != 0 && sample.time_s < self.time_s;
        if is_late && (is_ahead(sample.time_s) || !is_ahead(self.time_s)) {
            return false;
        }
        (self.seen, self.is_unread, self.time_s) = (1, 1, sample.time_s);
        self.confidence = sample.confidence.clamp(0.0, 1.0);
        if sample.confidence <= 0.0 {
            // What a lost tracker states is often the origin: it fades out where it was last.
            return true;
        }
        if let Some(position) = sample.position {
            let gap_s = self.place.age(sample.time_s);
            let shown = self.placed(gap_s, settings);
            let lasts = self.place.interruption(gap_s, settings);
            let goes_on = self.place.seen != 0 && (0.0..=settings.lost_after_s).contains(&gap_s);
            self.take_place(position, goes_on, gap_s, settings);
            if lasts > 0.0 {
                let left = self.place_off * self.place.left(settings);
                self.place_off = left.lerp(shown - self.position, lasts);
                self.place.back_s = 0.0;
            }
            self.place.follow(sample.time_s, gap_s, settings);
        }
        if let Some(rotation) = sample.rotation {
            let gap_s = self.turn.age(sample.time_s);
            let shown = self.turned(gap_s, settings);
            let lasts = self.turn.interruption(gap_s, settings);
            let goes_on = self.turn.seen != 0 && (0.0..=settings.lost_after_s).contains(&gap_s);
            self.take_turn(rotation, goes_on, gap_s, settings);
            if lasts > 0.0 {
                let left = fraction(self.turn_off, self.turn.left(settings));
                let off = (shown * self.rotation.conjugate()).normalize();
                self.turn_off = slerp_short(left, off, lasts);
                self.turn.back_s = 0.0;
            }
            self.turn.follow(sample.time_s, gap_s, settings);
        }
        self.place.given = u32::from(sample.position.is_some());
        self.turn.given = u32::from(sample.rotation.is_some());
        true
    }

    fn take_place(&mut self, position: Vec3, goes_on: bool, dt: f32, settings: &TrackedBodySettings) {
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

    fn take_turn(&mut self, rotation: Quat, goes_on: bool, dt: f32, settings: &TrackedBodySettings) {
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
        if self.seen == 0 {
            return None;
        }
        // Nothing was shown before the first frame: all fading is over.
        let dt = if first { 1e9 } else { dt };
        if self.is_unread != 0 {
            (self.is_unread, self.read_s) = (0, time_s);
        }
        // A sample that is far ahead ages from when it came.
        let came = if (time_s - self.time_s) as f32 >= -settings.lost_after_s { f64::MAX } else { self.read_s };
        self.place.fade(time_s, came, dt, self.confidence, settings);
        self.turn.fade(time_s, came, dt, self.confidence, settings);
        if self.presence() <= 0.0 {
            return None;
        }
        Some(Reading {
            position: self.placed(self.place.age(time_s), settings),
            rotation: self.turned(self.turn.age(time_s), settings),
            place_weight: self.place.weight(),
            turn_weight: self.turn.weight(),
        })
    }

    /// Where it is shown at an age.
    fn placed(&self, age: f32, settings: &TrackedBodySettings) -> Vec3 {
        let at = self.position + self.velocity * age.clamp(0.0, settings.max_extrapolation_s);
        let left = self.place.left(settings);
        if left > 0.0 { at + self.place_off * left } else { at }
    }
    /// How it is shown turned at an age.
    fn turned(&self, age: f32, settings: &TrackedBodySettings) -> Quat {
        let turned = self.spin * age.clamp(0.0, settings.max_extrapolation_s);
        let angle = turned.length();
        let ahead = axis_angle(normalize_or(turned, Vec3::Y), angle);
        let turn = if angle > 0.0 { (ahead * self.rotation).normalize() } else { self.rotation };
        let left = self.turn.left(settings);
        if left > 0.0 { (fraction(self.turn_off, left) * turn).normalize() } else { turn }
    }

    /// The tracker as it is shown at a time, as a sample; `None` for one that is lost or was never
    /// seen.
    pub fn at(&self, time_s: f64, settings: &TrackedBodySettings) -> Option<TrackerSample> {
        if self.seen == 0 || (time_s - self.time_s) as f32 > settings.lost_after_s {
            return None;
        }
        let (place, turn) = (&self.place, &self.turn);
        Some(TrackerSample {
            time_s,
            position: (place.given != 0).then(|| self.placed(place.age(time_s), settings)),
            rotation: (turn.given != 0).then(|| self.turned(turn.age(time_s), settings)),
            confidence: self.confidence,
        })
    }

    /// Time of the newest sample that is not one of a lost tracker.
    pub fn newest_s(&self) -> Option<f64> {
        (self.seen != 0 && self.confidence > 0.0).then_some(self.time_s)
    }
    /// Newest sample, filtered: place and rotation as far as it has them. None of a tracker that is
    /// lost, or has not reported since a time.
    pub fn newest(&self, since_s: f64) -> (Option<Vec3>, Option<Quat>) {
        let counts = self.newest_s().is_some_and(|time_s| time_s >= since_s);
        let has = |part: &Part| counts && part.given != 0;
        (has(&self.place).then_some(self.position), has(&self.turn).then_some(self.rotation))
    }
    /// Part of the tracker in the body, 0 … 1: of its place or its rotation, whichever has more.
    pub fn presence(&self) -> f32 {
        self.place.presence.max(self.turn.presence)
    }
    pub fn is_sound(&self) -> bool {
        let numbers = [self.confidence, self.speed, self.spin_speed];
        self.time_s.is_finite()
            && self.read_s.is_finite()
            && numbers.iter().all(|n| n.is_finite())
            && self.place.is_sound()
            && self.turn.is_sound()
            && [self.position, self.velocity, self.spin, self.place_off].iter().all(|v| v.is_finite())
            && self.rotation.is_finite()
            && self.turn_off.is_finite()
    }
}

/// Part of the way to a new value that the filter goes.
fn filter_part(speed: f32, dt: f32, settings: &TrackedBodySettings) -> f32 {
    if settings.min_cutoff_hz <= 0.0 {
        return 1.0;
    }
    low_pass(settings.min_cutoff_hz + settings.speed_cutoff * speed, dt)
}
