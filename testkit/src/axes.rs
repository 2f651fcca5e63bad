//! The body's axes in model space, and turns between them that hold in left- and right-handed
//! worlds alike.

use sinew::math::{Quat, Vec3, axis_angle, normalize_or};

/// Left or right, from the character's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// +1 for right, −1 for left.
    pub fn sign(self) -> f32 {
        match self {
            Side::Left => -1.0,
            Side::Right => 1.0,
        }
    }
    /// `left` for the left side, `right` for the right one.
    pub fn pick<T>(self, left: T, right: T) -> T {
        match self {
            Side::Left => left,
            Side::Right => right,
        }
    }
}

/// Three unit vectors at right angles, in model space: the character's own right, up and forward.
///
/// In Unity these are +X, +Y, +Z. In a right-handed world a character that faces +Z has its right
/// at −X. Nothing else defines the handedness of a rig: see [`Self::is_left_handed`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyAxes {
    /// Towards the character's right hand in T-pose.
    pub right: Vec3,
    /// From feet to head.
    pub up: Vec3,
    /// Where the character faces.
    pub forward: Vec3,
}

impl BodyAxes {
    /// Left-handed, Y up, facing +Z.
    pub const UNITY: Self = Self { right: Vec3::X, up: Vec3::Y, forward: Vec3::Z };
    /// Right-handed, Y up, facing +Z (what glTF and VRM 1.0 models do).
    pub const GLTF: Self = Self { right: Vec3::NEG_X, up: Vec3::Y, forward: Vec3::Z };

    /// From up and forward (made perpendicular and unit) and the world's handedness.
    pub fn new(up: Vec3, forward: Vec3, left_handed: bool) -> Self {
        let up = normalize_or(up, Vec3::Y);
        let forward = normalize_or(forward - up * up.dot(forward), sinew::math::perpendicular(up));
        let right = up.cross(forward);
        Self { right: if left_handed { right } else { -right }, up, forward }
    }
    /// Whether the world these axes live in is left-handed (`right = up × forward` by the component
    /// formula).
    pub fn is_left_handed(&self) -> bool {
        self.right.dot(self.up.cross(self.forward)) > 0.0
    }
    /// The vector with these parts along right, up and forward.
    #[inline]
    pub fn vector(&self, right: f32, up: f32, forward: f32) -> Vec3 {
        self.right * right + self.up * up + self.forward * forward
    }
    /// Away from the middle of the body on this side.
    #[inline]
    pub fn out(&self, side: Side) -> Vec3 {
        self.right * side.sign()
    }
}

/// Rotation by `angle_deg` (degrees) that carries the direction `from` towards the direction `to`;
/// it means the same in left- and right-handed worlds. The two must not be parallel.
pub fn turn(from: Vec3, to: Vec3, angle_deg: f32) -> Quat {
    axis_angle(normalize_or(from.cross(to), Vec3::X), angle_deg * (core::f32::consts::PI / 180.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_goes_from_the_first_direction_to_the_second() {
        for axes in [BodyAxes::UNITY, BodyAxes::GLTF, BodyAxes::new(Vec3::Z, Vec3::NEG_Y, false)] {
            let q = turn(axes.forward, axes.right, 90.0);
            assert!((q * axes.forward - axes.right).length() < 1e-6);
            assert!((q * axes.right + axes.forward).length() < 1e-6);
        }
        assert!(BodyAxes::UNITY.is_left_handed());
        assert!(!BodyAxes::GLTF.is_left_handed());
        assert_eq!(BodyAxes::new(Vec3::Y, Vec3::Z, true), BodyAxes::UNITY);
        assert_eq!(BodyAxes::new(Vec3::Y, Vec3::Z, false), BodyAxes::GLTF);
    }
}
