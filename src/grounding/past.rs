//! What the last frames leave for the next: the animation, for the steps in between, and the ground
//! that was hit.

use super::query::Hit;
use crate::math::{Quat, Vec3, from_rotation_vector};
use bytemuck::{Pod, Zeroable};

/// A point of the animation: its place in the last frame, its mean velocity in that, and what was
/// left out of it as a jump.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Track {
    pub at: Vec3,
    pub rate: Vec3,
    pub jump: Vec3,
}

/// What was known of an animated leg in the last frame.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PastLeg {
    /// Hip, knee, ankle and ball.
    pub points: [Track; 4],
    pub foot: Quat,
    pub weight: f32,
    pub contact: u32,
}

/// The same of the body.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PastBody {
    /// Root and pelvis.
    pub points: [Track; 2],
    pub rotation: Quat,
    pub up: Vec3,
    /// Seconds of the last frame.
    pub dt: f32,
    /// Frames that are known, up to two.
    pub known: u32,
}

/// Ground that was hit last.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Seen {
    pub point: Vec3,
    pub normal: Vec3,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
    pub body: u32,
    pub hit: u32,
    /// Seconds up to the hit over which the velocity is the mean.
    pub over: f32,
}

impl Seen {
    pub fn of(hit: &Hit, over: f32) -> Self {
        Self {
            over,
            point: hit.point_ws,
            normal: hit.normal_ws,
            velocity: hit.velocity_ws,
            angular_velocity: hit.angular_velocity_ws,
            body: hit.body,
            hit: hit.hit as u32,
        }
    }
    pub fn answer(&self) -> Hit {
        Hit {
            hit: self.hit != 0,
            point_ws: self.point,
            normal_ws: self.normal,
            body: self.body,
            velocity_ws: self.velocity,
            angular_velocity_ws: self.angular_velocity,
        }
    }

    /// The same point `after` seconds later, with its mean velocity in the `step` seconds before
    /// that: the ground goes on, and on turning, as it did.
    pub fn later(&self, after: f32, step: f32) -> Hit {
        let hit = self.answer();
        let spin = self.angular_velocity;
        if spin == Vec3::ZERO {
            return Hit { point_ws: self.point + self.velocity * after, ..hit };
        }
        let turned = |time: f32, v: Vec3| from_rotation_vector(spin * time) * v;
        // A mean velocity is that of the middle of its time.
        Hit {
            point_ws: self.point + turned(0.5 * (self.over + after), self.velocity) * after,
            normal_ws: turned(after, self.normal),
            velocity_ws: turned(0.5 * (self.over - step) + after, self.velocity),
            ..hit
        }
    }
}

impl Track {
    /// Its place in the frame under way, `part` of the `dt` seconds since the last: on the
    /// parabola through the last three frames.
    pub fn between(&self, to: Vec3, past: &PastBody, dt: f32, part: f32) -> Vec3 {
        let way = to - self.at;
        let straight = self.at + way * part;
        if past.known < 2 {
            return straight;
        }
        let bend = (way / dt - self.rate) / (past.dt + dt);
        straight - bend * (part * (1.0 - part) * dt * dt)
    }
}
