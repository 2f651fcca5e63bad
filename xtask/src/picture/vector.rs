//! Small vectors and rotations for drawing. The engine's own mathematics is pinned to the bit;
//! pictures need not be.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use std::ops::{Add, Mul, Neg, Sub};

/// A point or direction; in this viewer mostly metres, Y up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// Short for [`Vec3`] from its three numbers.
pub const fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3 { x, y, z }
}

impl Vec3 {
    pub const ZERO: Vec3 = vec3(0.0, 0.0, 0.0);
    pub const X: Vec3 = vec3(1.0, 0.0, 0.0);
    pub const Y: Vec3 = vec3(0.0, 1.0, 0.0);
    pub const Z: Vec3 = vec3(0.0, 0.0, 1.0);

    pub fn array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    pub fn dot(self, o: Vec3) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    pub fn cross(self, o: Vec3) -> Vec3 {
        vec3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    pub fn len(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Unit length, or `fallback` when this is too short to have a direction.
    pub fn unit_or(self, fallback: Vec3) -> Vec3 {
        let len = self.len();
        if len > 1e-8 { self * (1.0 / len) } else { fallback }
    }

    pub fn lerp(self, o: Vec3, t: f32) -> Vec3 {
        self + (o - self) * t
    }

    /// Product per component.
    pub fn times(self, o: Vec3) -> Vec3 {
        vec3(self.x * o.x, self.y * o.y, self.z * o.z)
    }

    pub fn min(self, o: Vec3) -> Vec3 {
        vec3(self.x.min(o.x), self.y.min(o.y), self.z.min(o.z))
    }

    pub fn max(self, o: Vec3) -> Vec3 {
        vec3(self.x.max(o.x), self.y.max(o.y), self.z.max(o.z))
    }

    /// The part of this at right angles to the unit vector `axis`.
    pub fn across(self, axis: Vec3) -> Vec3 {
        self - axis * self.dot(axis)
    }
}

impl From<[f32; 3]> for Vec3 {
    fn from(v: [f32; 3]) -> Vec3 {
        vec3(v[0], v[1], v[2])
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        vec3(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        vec3(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f32) -> Vec3 {
        vec3(self.x * k, self.y * k, self.z * k)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        self * -1.0
    }
}

/// A rotation as a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat {
    pub v: Vec3,
    pub w: f32,
}

impl Quat {
    pub const IDENTITY: Quat = Quat { v: Vec3::ZERO, w: 1.0 };

    /// The shortest rotation that brings direction `from` to direction `to`.
    pub fn between(from: Vec3, to: Vec3) -> Quat {
        let (a, b) = (from.unit_or(Vec3::Y), to.unit_or(Vec3::Y));
        let d = a.dot(b);
        if d < -0.9999 {
            let side = if a.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
            return Quat { v: a.cross(side).unit_or(Vec3::Z), w: 0.0 };
        }
        Quat { v: a.cross(b), w: 1.0 + d }.unit()
    }

    pub fn unit(self) -> Quat {
        let n = (self.v.dot(self.v) + self.w * self.w).sqrt();
        if n > 1e-12 { Quat { v: self.v * (1.0 / n), w: self.w / n } } else { Quat::IDENTITY }
    }

    pub fn inverse(self) -> Quat {
        Quat { v: -self.v, w: self.w }
    }

    pub fn turn(self, p: Vec3) -> Vec3 {
        let t = self.v.cross(p) * 2.0;
        p + t * self.w + self.v.cross(t)
    }
}

impl From<[f32; 4]> for Quat {
    fn from(q: [f32; 4]) -> Quat {
        Quat { v: vec3(q[0], q[1], q[2]), w: q[3] }.unit()
    }
}

impl Mul for Quat {
    type Output = Quat;
    fn mul(self, o: Quat) -> Quat {
        Quat { v: o.v * self.w + self.v * o.w + self.v.cross(o.v), w: self.w * o.w - self.v.dot(o.v) }
    }
}

/// A place: rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    pub p: Vec3,
    pub q: Quat,
}

impl Rigid {
    pub fn point(self, p: Vec3) -> Vec3 {
        self.p + self.q.turn(p)
    }

    pub fn inverse(self) -> Rigid {
        let q = self.q.inverse();
        Rigid { p: -q.turn(self.p), q }
    }
}

impl Mul for Rigid {
    type Output = Rigid;
    fn mul(self, o: Rigid) -> Rigid {
        Rigid { p: self.point(o.p), q: self.q * o.q }
    }
}

/// Rises smoothly from 0 at `from` to 1 at `to`.
pub fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
