//! How the borders of a joint bend: what their normals do where the joint turns along them.

use super::borders::JointBorders;
use super::prepared::PreparedJoint;
use crate::math::rigid::times;
use crate::math::{Quat, Vec3, perpendicular};

/// How far beside a joint's rotation the normals of its borders are looked at, radians.
const BESIDE_RAD: f32 = 0.02;

/// How the normal of a border turns along the border.
#[derive(Clone, Copy, Debug)]
pub struct BorderBend {
    /// The normal, out of the side of the border that is meant; unit.
    pub outward: Vec3,
    /// Two unit directions along the border.
    pub along: [Vec3; 2],
    /// Turn of the normal per radian by these: of the first along the first, of either along the
    /// other (the mean), of the second along the second.
    pub turns: [f32; 3],
}

impl PreparedJoint {
    /// The bends of those of a joint's borders whose bits are set: two bits each, ahead and behind.
    /// `borders`: at the rotation `q` from rest, in the frame of the rest pose.
    pub fn bends(
        &self,
        q: Quat,
        frame: Quat,
        borders: &JointBorders,
        which: u16,
    ) -> impl Iterator<Item = BorderBend> + '_ {
        let list = *borders.all();
        let count = borders.borders().len();
        let mut beside = JointBorders::default();
        (0..count).filter_map(move |number| {
            let sign = match (which >> (2 * number)) & 3 {
                0 => return None,
                1 => 1.0,
                _ => -1.0,
            };
            let normal = list[number].outward;
            let first = perpendicular(normal);
            let second = normal.cross(first);
            // How the normal turns along a direction.
            let mut turns = |along: Vec3| {
                let along_ls = frame.conjugate() * along;
                let mut normal_at = |by: f32| {
                    let v = along_ls * by;
                    let turn = Quat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0).normalize();
                    self.borders(times(turn, q).normalize(), frame, &mut beside);
                    let is_same = beside.borders().len() == count;
                    if is_same { beside.borders()[number].outward } else { normal }
                };
                (normal_at(BESIDE_RAD) - normal_at(-BESIDE_RAD)) * (sign / (2.0 * BESIDE_RAD))
            };
            let (a, b) = (turns(first), turns(second));
            let turns = [a.dot(first), 0.5 * (a.dot(second) + b.dot(first)), b.dot(second)];
            Some(BorderBend { outward: normal * sign, along: [first, second], turns })
        })
    }
}
