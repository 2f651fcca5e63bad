//! The body as the solver builds it: joints and rotations in canonical space, and the small tools
//! that all its parts use.

use super::rig::Rig;
use super::role::BONE_COUNT;
use crate::math::{Quat, Vec3, arc, float, normalize_or};
use bytemuck::{Pod, Zeroable};

/// Distances, metres, from which on products of positions may be no finite numbers any more.
pub(super) const FARTHEST_M: f32 = 1e9;

/// Joints and rotations, canonical space; rotations counted from the T-pose.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Posture {
    pub at: [Vec3; BONE_COUNT],
    pub turn: [Quat; BONE_COUNT],
}

impl Posture {
    pub fn t_pose(rig: &Rig) -> Self {
        Self { at: rig.at, turn: [Quat::IDENTITY; BONE_COUNT] }
    }
    /// Whether products of the positions are finite numbers, and the rotations are ones.
    pub fn is_sound(&self) -> bool {
        let near = |p: &Vec3| p.length_squared() < FARTHEST_M * FARTHEST_M;
        self.at.iter().all(near) && self.turn.iter().all(rotates)
    }
    /// Where a bone's joint is, from the bone that carries it.
    pub fn carried(&self, rig: &Rig, bone: usize) -> Vec3 {
        let anchor = rig.anchor[bone];
        self.at[anchor] + self.turn[anchor] * rig.span(anchor, bone)
    }
}

/// Whether a quaternion is about a unit one: a rotation after it is normalized.
pub(super) fn rotates(q: &Quat) -> bool {
    (0.5..2.0).contains(&q.length_squared())
}

/// The turn of a body about up that shows where `turn` faces. Forward reports it, and when that
/// points
/// up or down, the top of the head or the pelvis does.
pub(super) fn heading(turn: Quat) -> Quat {
    let (forward, up) = (turn * Vec3::Z, turn * Vec3::Y);
    let steep = forward.y.abs();
    let toward = forward + up * if forward.y < 0.0 { steep } else { -steep };
    let way = normalize_or(Vec3::new(toward.x, 0.0, toward.z), Vec3::Z);
    half_turn(way)
}

/// The turn about up from Z to a level unit vector.
pub(super) fn half_turn(way: Vec3) -> Quat {
    let cosine = float::sqrt(((1.0 + way.z) * 0.5).max(0.0));
    let sine = float::sqrt(((1.0 - way.z) * 0.5).max(0.0));
    Quat::from_xyzw(0.0, if way.x < 0.0 { -sine } else { sine }, 0.0, cosine).normalize()
}

/// The part of `v` at right angles to the unit vector `axis`.
pub(super) fn across(v: Vec3, axis: Vec3) -> Vec3 {
    v - axis * v.dot(axis)
}

/// Rotation that brings one pair of directions to another: `from` to `to` exactly, and `from_side`
/// as near to `to_side` as that allows. All unit.
pub(super) fn align(from: Vec3, from_side: Vec3, to: Vec3, to_side: Vec3) -> Quat {
    let swing = arc(from, to);
    let side = normalize_or(across(swing * from_side, to), Vec3::ZERO);
    let goal = normalize_or(across(to_side, to), Vec3::ZERO);
    if side == Vec3::ZERO || goal == Vec3::ZERO {
        return swing;
    }
    let roll = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0 + side.dot(goal));
    let sine = side.cross(goal).dot(to);
    let roll = Quat::from_xyzw(to.x * sine, to.y * sine, to.z * sine, roll.w);
    let roll = if roll.length() > 1e-6 { roll.normalize() } else { Quat::from_xyzw(to.x, to.y, to.z, 0.0) };
    (roll * swing).normalize()
}

/// Two bones from `root` toward `end` whose middle joint is toward `pole` (any direction): the
/// middle joint and where the end comes to be. Straight toward an end out of reach.
pub(super) fn two_bones(root: Vec3, end: Vec3, [a, b]: [f32; 2], pole: Vec3) -> (Vec3, Vec3) {
    let way = end - root;
    let far = way.length();
    let unit = normalize_or(way, Vec3::NEG_Y);
    let reach = a + b;
    let d = far.clamp((a - b).abs() + 1e-6 * reach, reach);
    let out = across(pole, unit);
    let out = normalize_or(out, crate::math::perpendicular(unit));
    let along = (a * a - b * b + d * d) / (2.0 * d);
    let aside = float::sqrt((a * a - along * along).max(0.0));
    (root + unit * along + out * aside, root + unit * d)
}
