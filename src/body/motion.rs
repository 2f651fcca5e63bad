//! How fast joints move in track mode: speed and acceleration caps.
//!
//! The speed cap shortens the way of all joints alike. The acceleration cap is per joint, and per
//! coordinate of joints that slide and of bones that change length: with `v` the velocity of the
//! last step, `h` the step's length, `d` the way that the step would go and `s` the share that this
//! is of the whole way left (below 1 with a feedback), the next velocity points along `d`, is at
//! most what the speed cap leaves of `|d|/h` and `√((a h/2)² + 2 a |d|/s) − a h/2`, from which the
//! joint can brake until it is there when each step takes `a h` off, and differs from `v` by at
//! most `a h`.

use super::slides::Slides;
use super::state::{Coordinates, State};
use crate::math::{Lane, LaneQuat, Quat, Vec3, float, from_rotation_vector, rotation_vector, slerp_short};

/// Velocity of each joint over the last step of track mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Velocities {
    /// Of the root's position, metres per second.
    pub root: Vec3,
    /// Of each joint's turn, in its limit space, radians per second.
    pub turns: Vec<Vec3>,
    /// Of the factor on each bone's length, 1/s.
    pub stretch: Vec<f32>,
    /// Of each joint that slides, in its units per second.
    pub moved: Vec<f32>,
}

impl Velocities {
    pub fn new(joints: usize) -> Self {
        let still = vec![0.0; joints];
        Self { root: Vec3::ZERO, turns: vec![Vec3::ZERO; joints], stretch: still.clone(), moved: still }
    }
    pub fn stop(&mut self) {
        self.root = Vec3::ZERO;
        self.turns.fill(Vec3::ZERO);
        self.stretch.fill(0.0);
        self.moved.fill(0.0);
    }
    /// Velocities of a step of `h` seconds.
    pub fn remember(&mut self, last: &Coordinates, at: &Coordinates, h: f32) {
        for ((turn, before), velocity) in at.turns.iter().zip(&last.turns).zip(&mut self.turns) {
            *velocity = rotation_vector(*turn * before.conjugate()) / h;
        }
        self.root = (at.root - last.root) / h;
        let lists = [(&mut self.stretch, &at.stretch, &last.stretch), (&mut self.moved, &at.moved, &last.moved)];
        for (velocities, now, before) in lists {
            for ((velocity, now), before) in velocities.iter_mut().zip(now).zip(before) {
                *velocity = (now - before) / h;
            }
        }
    }
    /// Keeps the change of each joint's velocity in a step of `h` seconds to `most` radians per
    /// second²; that of a root that `floats`, of joints that slide and of bones' lengths to
    /// `most_m` metres per second². `share`: what the speed cap leaves of the way.
    pub fn cap_acceleration(&self, last: &Coordinates, state: &mut State, slides: &Slides, cap: &AccelerationCap) {
        let AccelerationCap { h, most, most_m, floats, .. } = *cap;
        for slide in slides.all() {
            let unit_m = slide.unit_m(state);
            if unit_m > 0.0 {
                let before = slide.coordinate(last);
                let velocity = if slide.is_move() { self.moved[slide.place] } else { self.stretch[slide.place] };
                let now = slide.coordinate_mut(&mut state.at);
                let way = Vec3::X * (*now - before);
                *now = before + cap.next(way, Vec3::X * velocity, most_m / unit_m).x * h;
            }
        }
        let at = &mut state.at;
        for ((turn, before), velocity) in at.turns.iter_mut().zip(&last.turns).zip(&self.turns) {
            let way = rotation_vector(*turn * before.conjugate());
            *turn = (from_rotation_vector(cap.next(way, *velocity, most) * h) * *before).normalize();
        }
        if floats {
            at.root = last.root + cap.next(at.root - last.root, self.root, most_m) * h;
        }
    }
}

/// An acceleration cap of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccelerationCap {
    /// Length of the step, seconds.
    pub h: f32,
    /// Radians per second², and metres per second².
    pub most: f32,
    pub most_m: f32,
    /// What the speed cap leaves of the way.
    pub share: f32,
    /// The way beside what is left in all: below 1 where effectors approach by a feedback.
    pub goes: f32,
    /// Whether the root moves.
    pub floats: bool,
}

/// The share of the way from the last answer on which no joint turns more than `most` radians, and
/// no joint slides and no bone changes its length by more than so many times `rotation_length_m`.
pub(super) fn speed_share(
    last: &Coordinates,
    state: &State,
    slides: &Slides,
    most: f32,
    rotation_length_m: f32,
) -> f32 {
    let turns = || state.at.turns.iter().zip(&last.turns);
    let is_slow = |(now, before): (&Quat, &Quat)| {
        let way = *now * before.conjugate();
        turns_surely_less(LaneQuat::new(way.x, way.y, way.z, way.w), most)
    };
    if slides.all().is_empty() && turns().all(is_slow) {
        return 1.0;
    }
    let mut largest = turns().map(|(a, b)| rotation_vector(*a * b.conjugate()).length()).fold(0.0_f32, f32::max);
    for slide in slides.all() {
        let way_m = (slide.coordinate(&state.at) - slide.coordinate(last)) * slide.unit_m(state);
        largest = largest.max(way_m.abs() / rotation_length_m);
    }
    if largest > most { most / largest } else { 1.0 }
}

/// Whether a rotation's angle is below `most` by more than rounding, from `tan(angle/2) ≥ angle/2`.
#[inline(always)]
pub(super) fn turns_surely_less<L: Lane>(q: LaneQuat<L>, most: f32) -> L::Mask {
    let sine2 = q.x * q.x + q.y * q.y + q.z * q.z;
    sine2.lt(L::splat(0.249 * most * most) * q.w * q.w)
}

/// Shortens the way from the last answer to a share.
pub(super) fn shorten(last: &Coordinates, at: &mut Coordinates, share: f32) {
    for (turn, before) in at.turns.iter_mut().zip(&last.turns) {
        *turn = slerp_short(*before, *turn, share);
    }
    at.root = last.root.lerp(at.root, share);
    for (factor, before) in at.stretch.iter_mut().zip(&last.stretch).chain(at.moved.iter_mut().zip(&last.moved)) {
        *factor = before + (*factor - before) * share;
    }
}

impl AccelerationCap {
    /// The next velocity of a coordinate for its way, whose change may be `most`.
    fn next(&self, way: Vec3, velocity: Vec3, most: f32) -> Vec3 {
        let Self { h, share, goes, .. } = *self;
        let distance = way.length();
        let half = 0.5 * most * h;
        let braking = float::sqrt(half * half + 2.0 * most * distance / goes) - half;
        let aim = if distance > 0.0 { way * (braking.min(share * distance / h) / distance) } else { Vec3::ZERO };
        let change = aim - velocity;
        let size = change.length();
        if size <= most * h { aim } else { velocity + change * (most * h / size) }
    }
}
