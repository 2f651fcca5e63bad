//! Motion in physics ticks, made even over the frames between them.
//!
//! A character controller moves in physics ticks, sixty times a second, while the modifiers of a
//! skeleton run in every drawn frame. At 144 frames a second a character then stands still for one
//! or two frames and moves by a whole tick in the next: divided by the time of a frame, its speed
//! is 0 or 2.4 times what it is. The grounder is given the way between the last two ticks in place
//! of that, as Godot's physics interpolation draws it.

use crate::convert::{self, rotation, transform_unsheared, vec3};
use godot::builtin::{Basis, Transform3D};
use sinew::math::{Quat, Vec3, slerp_short};

/// Seconds for which frames count as uneven after they were.
const REMEMBERED_S: f32 = 1.0;
/// Seconds in which the delay is faded in or out, so that the root's speed hardly changes.
const FADE_S: f32 = 0.25;
/// Ticks with a motion of the root, and none in the frame after, from which on it counts as moved
/// in ticks.
const SURE: u8 = 3;

/// How the frames of a grounder go with the physics ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// An update in a physics tick, or one that a script makes: everything is where it is.
    Ticked,
    /// Drawn frames, between physics ticks.
    Drawn,
    /// Drawn frames, with the engine's physics interpolation: it draws the way between ticks.
    Interpolated,
}

/// The time that an update shows.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Number of the last physics tick.
    pub tick: u64,
    /// Ticks before it, 0 to 1.
    pub behind: f32,
    /// Whether the engine draws this time, and not that of the last tick.
    pub is_drawn: bool,
}

/// Finds the time that an update shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameClock {
    tick: u64,
    count: u64,
    uneven_s: f32,
    /// Part of the delay in force, 0 to 1.
    lag: f32,
    age_s: f32,
}

impl FrameClock {
    /// The next update. `fraction`: part of a tick since the last one, 0 to 1.
    pub fn advance(&mut self, kind: FrameKind, tick: u64, fraction: f32, dt_s: f32) -> Moment {
        let count = tick.wrapping_sub(self.tick);
        self.tick = tick;
        let behind = if fraction >= 0.0 { 1.0 - fraction.min(1.0) } else { 1.0 };
        match kind {
            FrameKind::Ticked => {
                *self = Self { tick, ..Self::default() };
                Moment { tick, behind: 0.0, is_drawn: true }
            }
            FrameKind::Interpolated => {
                self.lag = 1.0;
                Moment { tick, behind, is_drawn: true }
            }
            FrameKind::Drawn => {
                // With as many ticks in every frame the motion is even without a delay.
                let is_uneven = count != self.count && self.age_s > 0.0;
                self.count = count;
                self.uneven_s = if is_uneven { REMEMBERED_S } else { (self.uneven_s - dt_s).max(0.0) };
                let goal = if self.uneven_s > 0.0 { 1.0 } else { 0.0 };
                let most = if self.age_s < 0.1 { 1.0 } else { dt_s / FADE_S };
                self.lag += (goal - self.lag).clamp(-most, most);
                self.age_s = (self.age_s + dt_s).min(1.0);
                Moment { tick, behind: behind * self.lag, is_drawn: false }
            }
        }
    }
}

/// Where something was in the last two ticks.
#[derive(Clone, Copy, Debug)]
pub struct TickTrack {
    now: Transform3D,
    tick: u64,
    before: Option<(Transform3D, u64)>,
}

impl TickTrack {
    /// Something that was not seen before.
    pub fn new(now: Transform3D, tick: u64) -> Self {
        Self { now, tick, before: None }
    }
    /// Where it is.
    pub fn now(&self) -> &Transform3D {
        &self.now
    }
    /// Takes in where it is.
    pub fn note(&mut self, now: Transform3D, tick: u64) {
        if tick != self.tick {
            self.before = Some((self.now, self.tick));
            self.tick = tick;
        }
        self.now = now;
    }
    /// Where it was at the time of an update.
    pub fn at(&self, moment: &Moment) -> Transform3D {
        let Some((before, tick)) = self.before.filter(|(before, _)| moment.behind > 0.0 && *before != self.now) else {
            return self.now;
        };
        let part = 1.0 - moment.behind / self.tick.wrapping_sub(tick).max(1) as f32;
        if before.basis == self.now.basis {
            Transform3D::new(self.now.basis, before.origin.lerp(self.now.origin, part))
        } else {
            between(&before, &self.now, part)
        }
    }
}

/// Between two places, at any scale, zero too; shear is dropped.
fn between(from: &Transform3D, to: &Transform3D, part: f32) -> Transform3D {
    let (a, b) = (transform_unsheared(from), transform_unsheared(to));
    let turned = Basis::from_quaternion(convert::quaternion(slerp_short(a.rotation, b.rotation, part)));
    let scale = Basis::from_scale(convert::vector3(a.scale.lerp(b.scale, part)));
    Transform3D::new(turned * scale, from.origin.lerp(to.origin, part))
}

/// The root of a character: moved in ticks or in drawn frames, its position and its rotation each.
#[derive(Clone, Copy, Debug)]
pub struct RootTrack {
    track: TickTrack,
    /// Ticks that speak for a motion in ticks: of position and rotation.
    ticked: [u8; 2],
    is_counted: bool,
}

impl RootTrack {
    /// A root that was not seen before.
    pub fn new(now: Transform3D, tick: u64) -> Self {
        Self { track: TickTrack::new(now, tick), ticked: [SURE; 2], is_counted: true }
    }
    /// Takes in where it is, and returns where it was at the time of the update.
    pub fn advance(&mut self, now: Transform3D, moment: &Moment) -> Transform3D {
        if moment.tick == self.track.tick {
            let known = self.track.now;
            let before = self.track.before.map_or(known, |(before, _)| before);
            let moved = [now.origin != known.origin, now.basis != known.basis];
            let moved_in_tick = [before.origin != known.origin, before.basis != known.basis];
            for (ticked, (moved, moved_in_tick)) in self.ticked.iter_mut().zip(moved.into_iter().zip(moved_in_tick)) {
                if moved {
                    *ticked = 0;
                } else if moved_in_tick && !self.is_counted {
                    *ticked = (*ticked + 1).min(SURE);
                }
            }
            self.is_counted = true;
        } else {
            self.is_counted = false;
        }
        self.track.note(now, moment.tick);
        let even = self.track.at(moment);
        Transform3D {
            basis: if self.ticked[1] == SURE { even.basis } else { now.basis },
            origin: if self.ticked[0] == SURE { even.origin } else { now.origin },
        }
    }
}

/// A rigid motion, from where something was at the time of an update to where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    from: Vec3,
    to: Vec3,
    turn: Quat,
}

impl Shift {
    /// The motion between two places; `None` when they are the same.
    pub fn between(from: &Transform3D, to: &Transform3D) -> Option<Self> {
        if from == to {
            return None;
        }
        let turn = if from.basis == to.basis {
            Quat::IDENTITY
        } else {
            (rotation(&to.basis) * rotation(&from.basis).conjugate()).normalize()
        };
        Some(Self { from: vec3(from.origin), to: vec3(to.origin), turn })
    }
    /// A point that moves along.
    pub fn point(&self, at: Vec3) -> Vec3 {
        self.to + self.turn * (at - self.from)
    }
    /// A rotation that turns along.
    pub fn rotation(&self, rotation: Quat) -> Quat {
        if self.turn == Quat::IDENTITY { rotation } else { (self.turn * rotation).normalize() }
    }
    /// A direction that turns along.
    pub fn direction(&self, direction: Vec3) -> Vec3 {
        self.turn * direction
    }
    /// The way back.
    pub fn inverse(&self) -> Self {
        Self { from: self.to, to: self.from, turn: self.turn.conjugate() }
    }
}
