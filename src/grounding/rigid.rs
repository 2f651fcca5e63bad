//! Motion of the ground near an answer: that of a rigid body.
//!
//! An answer has the velocity of one point, and the ground turns about that: a point elsewhere
//! moves by `R(ω t)`, which a straight line leaves at once.

use super::query::Hit;
use crate::math::{Quat, Vec3, from_rotation_vector};

/// Motion of a body over some time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    /// A point of the body before and after.
    from: Vec3,
    to: Vec3,
    /// How far that point goes.
    pub moved: Vec3,
    /// Turn of the body; none where it does not turn.
    turn: Option<Quat>,
}

impl Rigid {
    /// The motion in the `time_s` seconds that end with the hit.
    pub fn until(hit: &Hit, time_s: f32) -> Self {
        let moved = hit.velocity_ws * time_s;
        let spin = hit.angular_velocity_ws * time_s;
        let turn = (spin != Vec3::ZERO).then(|| from_rotation_vector(spin));
        Self { from: hit.point_ws - moved, to: hit.point_ws, moved, turn }
    }

    /// Place after the motion of a point that was at `before`.
    pub fn carried(&self, before: Vec3) -> Vec3 {
        match self.turn {
            Some(turn) => self.to + turn * (before - self.from),
            None => before + self.moved,
        }
    }

    /// A direction after the motion.
    pub fn turned(&self, direction: Vec3) -> Vec3 {
        self.turn.map_or(direction, |turn| turn * direction)
    }

    /// Whether the body turns.
    pub fn turns(&self) -> bool {
        self.turn.is_some()
    }
}
