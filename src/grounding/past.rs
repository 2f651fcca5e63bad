//! What the last frames leave for the next: the animation, for the steps in between, and the ground
//! that was hit.

use super::query::Hit;
use crate::math::{Quat, Vec3};
use bytemuck::{Pod, Zeroable};

/// A point of the animation: its place in the last frame, its mean velocity in that.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Track {
    pub at: Vec3,
    pub rate: Vec3,
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
}

impl Seen {
    pub fn of(hit: &Hit) -> Self {
        Self {
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
