//! How fast joints move in track mode: speed and acceleration caps.
//!
//! The speed cap shortens the way of all joints alike. The acceleration cap is per joint: with `v`
//! the velocity of the last step, `h` the step's length and `d` the way that is left, the next
//! velocity points along `d`, is at most `√((a h/2)² + 2 a |d|) − a h/2`, from which the joint can
//! brake until it is there when each step takes `a h` off, and differs from `v` by at most `a h`.

use super::solver::Body;
use super::track::LAST;
use crate::math::{Quat, Vec3, axis_angle, float, normalize_or, rotation_vector, slerp_short};

impl Body {
    /// Applies the caps to the way from the last answer to the state, which took `h` seconds.
    pub(super) fn cap_motion(&mut self, h: f32) {
        let settings = self.settings;
        let speed = settings.max_speed > 0.0 && self.cap_speed(settings.max_speed * h);
        let acceleration = settings.max_acceleration > 0.0 && h > 0.0;
        if acceleration {
            self.cap_acceleration(settings.max_acceleration, h);
        }
        if speed || acceleration {
            // Between two admissible rotations may be others.
            self.solve.state.project(&self.solve.models);
            self.solve.state.forward();
            self.solve.residual.evaluate(&self.solve.plan, &self.demands, &self.solve.state);
        }
        if acceleration {
            self.remember_velocities(h);
        }
    }

    /// Shortens the way from the last answer so that no joint turns more than `most` radians; true
    /// where that changed it.
    fn cap_speed(&mut self, most: f32) -> bool {
        let (last, at) = (&self.slots[LAST], &mut self.solve.state.at);
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
        true
    }

    fn cap_acceleration(&mut self, most: f32, h: f32) {
        let (last, at) = (&self.slots[LAST], &mut self.solve.state.at);
        for ((turn, before), velocity) in at.turns.iter_mut().zip(&last.turns).zip(&self.velocities.turns) {
            let way = rotation_vector(*turn * before.conjugate());
            *turn = (turn_by(capped(way, *velocity, most, h) * h) * *before).normalize();
        }
        if self.floating {
            let most = most * self.settings.rotation_length_m;
            at.root = last.root + capped(at.root - last.root, self.velocities.root, most, h) * h;
        }
    }

    fn remember_velocities(&mut self, h: f32) {
        let (last, at) = (&self.slots[LAST], &self.solve.state.at);
        for ((turn, before), velocity) in at.turns.iter().zip(&last.turns).zip(&mut self.velocities.turns) {
            *velocity = rotation_vector(*turn * before.conjugate()) / h;
        }
        self.velocities.root = (at.root - last.root) / h;
    }
}

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

/// The rotation by a rotation vector.
fn turn_by(v: Vec3) -> Quat {
    axis_angle(normalize_or(v, Vec3::X), v.length())
}
