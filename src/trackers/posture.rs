//! The body as the solver builds it: joints and rotations in canonical space, and the small tools
//! that all its parts use.

use super::rig::Rig;
use super::role::BONE_COUNT;
use super::stream::decay;
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or, rotation_angle, twist_angle, wrap_angle};
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

/// How much more the left side counts than forward does for a part that is upside down.
const UPSIDE_DOWN: f32 = 3.0;

/// The turn of a body about up that shows where `turn` faces. Forward states it, and when that
/// points up or down, the top of the head or the pelvis does. When that points down, what is left
/// and right does: nodding by any angle is no change of heading.
///
/// No rule is continuous for all rotations. This one jumps where a part that looks level leans
/// sideways by 134°, as in a cartwheel, and where the same rotation is reached by bending over
/// backwards and leaning; see [`Facing`].
pub(super) fn heading(turn: Quat) -> Quat {
    let (forward, up) = (turn * Vec3::Z, turn * Vec3::Y);
    let mut toward = forward - up * forward.y;
    if up.y < 0.0 {
        let left = turn * Vec3::X;
        toward += Vec3::new(-left.z, 0.0, left.x) * (UPSIDE_DOWN * up.y * up.y);
    }
    let way = normalize_or(Vec3::new(toward.x, 0.0, toward.z), Vec3::Z);
    half_turn(way)
}

/// Most that a heading turns for each radian that the part itself turns: more is a jump of the
/// rule.
const MOST_TURN: f32 = 2.0;
/// What rounding may add to that, radians.
const ROUNDING: f32 = 1e-3;
/// How a body turns where the rule jumped: half-life of the way, seconds, and speed at most, rad/s.
const TURNS_WITHIN: f32 = 0.15;
const TURNS_AT_MOST: f32 = 3.0;

/// A heading that goes on from frame to frame: where [`heading`] jumps, it turns instead.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Facing {
    turn: Quat,
    shown: Quat,
    /// From the heading by the rule to the one shown, radians about up.
    off: f32,
}

impl Facing {
    /// Goes on by a frame to the rotation of a part.
    pub fn follow(&mut self, turn: Quat, dt: f32, first: bool) {
        let now = heading(turn);
        if first {
            self.off = 0.0;
        } else {
            let moved = rotation_angle((turn * self.turn.conjugate()).normalize());
            let by = twist_angle((now * heading(self.turn).conjugate()).normalize(), Vec3::Y);
            let most = MOST_TURN * moved + ROUNDING;
            self.off = wrap_angle(self.off + by.max(-most).min(most) - by);
            let step = self.off * decay(TURNS_WITHIN, dt);
            self.off -= step.max(-TURNS_AT_MOST * dt).min(TURNS_AT_MOST * dt);
        }
        if self.off.abs() < 1e-4 {
            self.off = 0.0;
        }
        self.turn = turn;
        self.shown = if self.off == 0.0 { now } else { (axis_angle(Vec3::Y, self.off) * now).normalize() };
    }
    /// The turn about up.
    pub fn heading(&self) -> Quat {
        self.shown
    }
    pub fn is_sound(&self) -> bool {
        self.turn.is_finite() && self.shown.is_finite() && self.off.is_finite()
    }
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
    // A bone without length leaves one distance, and the least is then above it by rounding.
    let d = far.max((a - b).abs() + 1e-6 * reach).min(reach);
    let out = across(pole, unit);
    let out = normalize_or(out, crate::math::perpendicular(unit));
    let along = (a * a - b * b + d * d) / (2.0 * d).max(f32::MIN_POSITIVE);
    let aside = float::sqrt((a * a - along * along).max(0.0));
    (root + unit * along + out * aside, root + unit * d)
}
