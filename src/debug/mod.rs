//! A sink for debug lines that show the input and result of a solve. Any layer below may draw into
//! it, on request only.

use crate::math::Vec3;

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Part {
    /// From a joint's parent to the joint.
    Bone = 0,
    /// From an effector (or the centre of mass) to its goal, as long as the residual.
    Residual = 1,
    /// An axis of a goal's frame; of a goal without rotation a line of the cross at its place.
    GoalAxis = 2,
    /// From a knee or elbow to its hint; from the joint of a constraint that bends to its pole.
    Hint = 3,
    /// From the eyes to the look-at point; the ray of an aim.
    LookAt = 4,
    /// The centre of mass, as a small cross.
    Body = 5,
    /// The range of a joint that has limits of its own: the border of its swing, a fan for a hinge
    /// or twist. Of a body: a joint that stands on a border of its limits, as a small cross.
    Limit = 6,
    /// The border of the area that carries the centre of mass.
    Support = 7,
}

/// A line in world space, metres. Sinks get no line of which a number is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start, world space.
    pub from_ws: Vec3,
    /// End, world space.
    pub to_ws: Vec3,
    /// What it shows.
    pub part: Part,
}

/// Receives lines. Only [`Sink::line`] is required; closures `FnMut(Line)` are sinks.
pub trait Sink {
    /// Takes one line.
    fn line(&mut self, line: Line);

    /// Three lines of `size` metres that cross at `centre_ws`.
    fn cross(&mut self, centre_ws: Vec3, size: f32, part: Part) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let half = axis * (size * 0.5);
            self.line(Line { from_ws: centre_ws - half, to_ws: centre_ws + half, part });
        }
    }
}

impl<F: FnMut(Line)> Sink for F {
    fn line(&mut self, line: Line) {
        if line.from_ws.is_finite() && line.to_ws.is_finite() {
            self(line);
        }
    }
}
