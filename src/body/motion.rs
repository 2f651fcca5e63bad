//! How fast joints move in track mode: speed and acceleration caps.
//!
//! The speed cap shortens the way of all joints alike. The acceleration cap is per joint: with `v`
//! the velocity of the last step, `h` the step's length and `d` the way that is left, the next
//! velocity points along `d`, is at most `√((a h/2)² + 2 a |d|) − a h/2`, from which the joint can
//! brake until it is there when each step takes `a h` off, and differs from `v` by at most `a h`.

use super::state::Coordinates;
use crate::math::{Vec3, float, from_rotation_vector, rotation_vector, slerp_short};

/// Velocity of each joint over the last step of track mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Velocities {
    /// Of the root's position, metres per second.
    pub root: Vec3,
    /// Of each joint's turn, in its limit space, radians per second.
    pub turns: Vec<Vec3>,
}

impl Velocities {
    pub fn new(joints: usize) -> Self {
        Self { root: Vec3::ZERO, turns: vec![Vec3::ZERO; joints] }
    }
    pub fn stop(&mut self) {
        self.root = Vec3::ZERO;
        self.turns.fill(Vec3::ZERO);
    }
    /// Velocities of a step of `h` seconds.
    pub fn remember(&mut self, last: &Coordinates, at: &Coordinates, h: f32) {
        for ((turn, before), velocity) in at.turns.iter().zip(&last.turns).zip(&mut self.turns) {
            *velocity = rotation_vector(*turn * before.conjugate()) / h;
        }
        self.root = (at.root - last.root) / h;
    }
    /// Keeps the change of each joint's velocity in a step of `h` seconds to `most` radians per
    /// second², that of a floating root to `most_root` metres per second².
    pub fn cap_acceleration(
        &self,
        last: &Coordinates,
        at: &mut Coordinates,
        h: f32,
        most: f32,
        most_root: Option<f32>,
    ) {
        for ((turn, before), velocity) in at.turns.iter_mut().zip(&last.turns).zip(&self.turns) {
            let way = rotation_vector(*turn * before.conjugate());
            *turn = (from_rotation_vector(capped(way, *velocity, most, h) * h) * *before).normalize();
        }
        if let Some(most) = most_root {
            at.root = last.root + capped(at.root - last.root, self.root, most, h) * h;
        }
    }
}

/// Shortens the way from the last answer so that no joint turns more than `most` radians; true
/// where that changed it.
pub(super) fn cap_speed(last: &Coordinates, at: &mut Coordinates, most: f32) -> bool {
    let turns = at.turns.iter().zip(&last.turns);
    let largest = turns.map(|(a, b)| rotation_vector(*a * b.conjugate()).length()).fold(0.0_f32, f32::max);
    if largest <= most {
        return false;
    }
    let share = most / largest;
    for (turn, before) in at.turns.iter_mut().zip(&last.turns) {
        *turn = slerp_short(*before, *turn, share);
    }
    at.root = last.root.lerp(at.root, share);
    for (factor, before) in at.stretch.iter_mut().zip(&last.stretch).chain(at.moved.iter_mut().zip(&last.moved)) {
        *factor = before + (*factor - before) * share;
    }
    true
}

/// The next velocity for the way that is left.
fn capped(way: Vec3, velocity: Vec3, most: f32, h: f32) -> Vec3 {
    let distance = way.length();
    let half = 0.5 * most * h;
    let braking = float::sqrt(half * half + 2.0 * most * distance) - half;
    let wanted = if distance > 0.0 { way * (braking.min(distance / h) / distance) } else { Vec3::ZERO };
    let change = wanted - velocity;
    let size = change.length();
    if size <= most * h { wanted } else { velocity + change * (most * h / size) }
}
