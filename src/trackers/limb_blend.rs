//! One limb of two bones from two: the animation's and the tracked body's.
//!
//! # Method
//!
//! Both limbs have a plane: the line from root to end and the pole, the direction of the middle
//! joint off that line. The pole turns about the new line from the animation's to the tracked
//! one's by the weight; mixing the two directions instead would jump where they are opposite. The
//! rotations of each limb's bones are carried from its own plane to the new one, which keeps their
//! twist, and then interpolated: both have the same bone direction, so only the twist is.
//!
//! A pole that is half a turn off the other has no shorter way; while such a limb is between the
//! two, [`Swivel`] bounds its speed. At the ends of the weight nothing is bounded.

use super::posture::{Posture, across, two_bones};
use super::prior::Placed;
use super::swivel::{Line, Swivel};
use crate::math::{Quat, Vec3, arc, axis_angle, float, frame_rotation, normalize_or, perpendicular, slerp_short};

/// Distance of the middle joint from the line of its limb, in lengths of the limb, from which on
/// the joint alone defines the pole. Below, the front of the upper bone counts, too.
const LEAST_BEND: f32 = 0.01;

/// A limb: joints, and rotations of its three bones counted from the T-pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    root: Vec3,
    mid: Vec3,
    pub end: Vec3,
    upper: Quat,
    lower: Quat,
    pub end_turn: Quat,
}

/// The measures of a limb in the T-pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbRig {
    /// Lengths of upper and lower bone, and their directions.
    pub lengths: [f32; 2],
    pub along: [Vec3; 2],
    /// The direction to which the middle joint bends.
    pub front: Vec3,
}

impl Limb {
    pub fn of(body: &Posture, [upper, lower, end]: [usize; 3]) -> Self {
        Self {
            root: body.at[upper],
            mid: body.at[lower],
            end: body.at[end],
            upper: body.turn[upper],
            lower: body.turn[lower],
            end_turn: body.turn[end],
        }
    }
    /// The limb carried from one frame to another.
    pub fn carried(&self, from: Placed, to: Placed) -> Self {
        let turn = (to.1 * from.1.conjugate()).normalize();
        let place = |p: Vec3| to.0 + turn * (p - from.0);
        Self {
            root: place(self.root),
            mid: place(self.mid),
            end: place(self.end),
            upper: (turn * self.upper).normalize(),
            lower: (turn * self.lower).normalize(),
            end_turn: (turn * self.end_turn).normalize(),
        }
    }
    fn axis(&self) -> Vec3 {
        normalize_or(self.end - self.root, Vec3::NEG_Y)
    }
    /// Unit, at right angles to the axis.
    fn pole(&self, rig: &LimbRig) -> Vec3 {
        let axis = self.axis();
        let size = (rig.lengths[0] + rig.lengths[1]).max(1e-6);
        let bend = across(self.mid - self.root, axis) / size;
        let straight = (1.0 - bend.length() / LEAST_BEND).max(0.0);
        let front = across(self.upper * rig.front, axis);
        normalize_or(bend + front * (LEAST_BEND * straight), perpendicular(axis))
    }
    /// Rotations of both bones when the limb has another plane, of normal `normal`, and its bones
    /// these directions.
    fn laid(&self, rig: &LimbRig, normal: Vec3, ways: [Vec3; 2]) -> [Quat; 2] {
        let own = self.axis().cross(self.pole(rig));
        let bone = |turn: Quat, along: Vec3, way: Vec3| {
            let (from, to) = (frame_rotation(turn * along, own), frame_rotation(way, normal));
            (to * from.conjugate() * turn).normalize()
        };
        [bone(self.upper, rig.along[0], ways[0]), bone(self.lower, rig.along[1], ways[1])]
    }
}

/// Builds a limb from `root` to `goal`. `weight`: part of the `tracked` limb; the rest is the
/// `animated` one's. `base`: rotation of what carries the limb. `last`, `next`: its swivel in the
/// frame before, `dt` ago, and in this one. Writes joints and rotations of `bones`.
pub(super) fn build(
    rig: &LimbRig,
    [animated, tracked]: [&Limb; 2],
    weight: f32,
    (root, goal): (Vec3, Placed),
    (base, last, next, dt): (Quat, &Swivel, &mut Swivel, f32),
    bones: [usize; 3],
    out: &mut Posture,
) {
    let axis = normalize_or(goal.0 - root, Vec3::NEG_Y);
    let [from, to] = [animated, tracked].map(|limb| arc(limb.axis(), axis) * limb.pole(rig));
    let angle = float::atan2(from.cross(to).dot(axis), from.dot(to));
    let due = axis_angle(axis, angle * weight) * from;
    let free = 4.0 * weight * (1.0 - weight);
    let line = Line { base, axis, end: goal.1, dt, tracked: 1.0 - free };
    let pole = last.limit(&line, due, next);
    let (mid, end) = two_bones(root, goal.0, rig.lengths, pole);
    let normal = axis.cross(normalize_or(across(pole, axis), due));
    let ways = [normalize_or(mid - root, axis), normalize_or(end - mid, axis)];
    let [[a, b], [c, d]] = [animated, tracked].map(|limb| limb.laid(rig, normal, ways));
    let [upper, lower, last_bone] = bones;
    (out.at[upper], out.at[lower], out.at[last_bone]) = (root, mid, end);
    out.turn[upper] = slerp_short(a, c, weight);
    out.turn[lower] = slerp_short(b, d, weight);
    out.turn[last_bone] = goal.1;
}
