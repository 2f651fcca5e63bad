//! Points and rotations in double precision, kept apart from the engine's own mathematics so that
//! no error is shared with the judged code.

use std::ops::{Add, Mul, Sub};

/// A point or direction, model space unless stated otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct V3(pub [f64; 3]);

impl V3 {
    pub const ZERO: V3 = V3([0.0; 3]);

    pub fn dot(self, o: V3) -> f64 {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }

    pub fn cross(self, o: V3) -> V3 {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        V3([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub fn len(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub fn distance(self, o: V3) -> f64 {
        (self - o).len()
    }

    pub fn lerp(self, o: V3, t: f64) -> V3 {
        self + (o - self) * t
    }

    /// The part of `self` perpendicular to `axis`.
    pub fn across(self, axis: V3) -> V3 {
        let squared = axis.dot(axis);
        if squared > 0.0 { self - axis * (self.dot(axis) / squared) } else { self }
    }

    /// Angle between two directions, 0 … π; 0 when either has no length.
    pub fn angle(self, o: V3) -> f64 {
        self.cross(o).len().atan2(self.dot(o))
    }
}

impl Add for V3 {
    type Output = V3;
    fn add(self, o: V3) -> V3 {
        V3([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}

impl Sub for V3 {
    type Output = V3;
    fn sub(self, o: V3) -> V3 {
        self + o * -1.0
    }
}

impl Mul<f64> for V3 {
    type Output = V3;
    fn mul(self, s: f64) -> V3 {
        V3(self.0.map(|x| x * s))
    }
}

/// A unit quaternion, `x, y, z, w`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation(pub [f64; 4]);

impl Rotation {
    pub const IDENTITY: Rotation = Rotation([0.0, 0.0, 0.0, 1.0]);

    /// Normalised; a zero quaternion becomes NaN, which is detected later.
    pub fn new(q: [f64; 4]) -> Rotation {
        let len = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        Rotation(q.map(|x| x / len))
    }

    /// Turn by `angle` about a unit `axis`.
    pub fn about(axis: [f64; 3], angle: f64) -> Rotation {
        let (s, c) = (angle / 2.0).sin_cos();
        Rotation([axis[0] * s, axis[1] * s, axis[2] * s, c])
    }

    pub fn inverse(self) -> Rotation {
        let [x, y, z, w] = self.0;
        Rotation([-x, -y, -z, w])
    }

    /// The same rotation with `w ≥ 0`.
    pub fn short(self) -> Rotation {
        if self.0[3] < 0.0 { Rotation(self.0.map(|x| -x)) } else { self }
    }

    pub fn rotate(self, v: V3) -> V3 {
        let [x, y, z, w] = self.0;
        let axis = V3([x, y, z]);
        let t = axis.cross(v) * 2.0;
        v + t * w + axis.cross(t)
    }

    /// Angle of the rotation, 0 … π.
    pub fn angle(self) -> f64 {
        let [x, y, z, w] = self.0;
        2.0 * V3([x, y, z]).len().atan2(w.abs())
    }

    /// Angle between two rotations, 0 … π.
    pub fn angle_to(self, o: Rotation) -> f64 {
        (self.inverse() * o).angle()
    }

    /// Constant-speed way from `self` to `o`, the short way round.
    pub fn slerp(self, o: Rotation, t: f64) -> Rotation {
        let Rotation([x, y, z, w]) = (self.inverse() * o).short();
        let len = V3([x, y, z]).len();
        if len < 1e-15 {
            return self;
        }
        let (s, c) = (len.atan2(w) * t).sin_cos();
        self * Rotation([x / len * s, y / len * s, z / len * s, c])
    }

    /// Row `i`, column `j` of the rotation matrix.
    pub fn entry(self, i: usize, j: usize) -> f64 {
        let mut column = [0.0; 3];
        column[j] = 1.0;
        self.rotate(V3(column)).0[i]
    }
}

impl Mul for Rotation {
    type Output = Rotation;
    fn mul(self, o: Rotation) -> Rotation {
        let ([a, b, c, d], [x, y, z, w]) = (self.0, o.0);
        Rotation::new([
            d * x + a * w + b * z - c * y,
            d * y - a * z + b * w + c * x,
            d * z + a * y - b * x + c * w,
            d * w - a * x - b * y - c * z,
        ])
    }
}

/// Position and rotation: seven numbers in the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub position: V3,
    pub rotation: Rotation,
}

impl From<[f64; 7]> for Placement {
    fn from([px, py, pz, qx, qy, qz, qw]: [f64; 7]) -> Self {
        Placement { position: V3([px, py, pz]), rotation: Rotation::new([qx, qy, qz, qw]) }
    }
}
