//! How several joints share a gaze: the law of look-at and aim.
//!
//! # Continuity
//!
//! A direction is represented by a vector perpendicular to straight ahead, a [`Way`]: its length is
//! the angle from straight ahead, its direction the direction of the turn (the logarithm map of the
//! sphere). It is unique except exactly behind, where the fade makes it zero. Shares of a turn are
//! fractions of the straight line between two such vectors, so no share turns the other way round.
//! Each vector has one orientation of the head, [`Gaze::orientations`]; a turn from one vector to
//! another is the quotient of the two, so a head tilt of the animation is kept.
//!
//! Where the gaze starts straight ahead, the line between the vectors is a part of a great circle,
//! and the shares of the turn are turns about one axis: [`shares`] returns these.
//!
//! # The orientation
//!
//! In the space where `z` is straight ahead and `y` up, the way `θ·(a, b)` (a unit vector and an
//! angle) leads to the direction `d = (a·sin θ, b·sin θ, cos θ)`. The shortest turn there is the
//! quaternion `(−b·s, a·s, 0, c)` with `s` and `c` of θ/2, and takes `y` to `S`. Ears level with
//! the chest means `y` minus its part along `d`: seen from `d`, with `S` as one axis and `d × S` as
//! the other, that vector is `(1 − b²(1 − cos θ), a·b(1 − cos θ))`. The head's up is on the way
//! from `S = (1, 0)` to it by a share `f`, so the head rolls by the angle of `(1 − f·b²(1 − cos θ),
//! f·a·b(1 − cos θ))`, before the shortest turn and about `z`. The share is 1 in front and 0 behind
//! cos θ = −0.3, which keeps the first of both numbers above 0.3: the half-angle formula is safe.
//!
//! Source: elementary differential geometry of the sphere; M. do Carmo, "Riemannian Geometry", ch.
//! 3, for the map.

use crate::math::soft::soft_limit;
use crate::math::{Kernel, Lane, LaneQuat, LaneVec3, Quat, Vec3, axis_angle, float, normalize_or, perpendicular};

const PI: f32 = core::f32::consts::PI;
/// Lengths of [`Way`]s, and sines of angles, below this count as zero.
const NOTHING: f32 = 1e-16;

/// The way from straight ahead to a direction: right (`up × forward`) and up parts of the vector
/// described in the module's text, radians.
#[derive(Clone, Copy, Debug)]
pub struct Way<L> {
    /// Part along up × forward.
    pub right: L,
    /// Part along up.
    pub up: L,
}

impl<L: Lane> Way<L> {
    /// The angle from straight ahead, radians.
    #[inline(always)]
    pub fn angle(&self) -> L {
        (self.right * self.right + self.up * self.up).root()
    }
    /// The same direction with another angle; zero where this one is zero.
    #[inline(always)]
    pub fn to_angle(&self, angle: L) -> Self {
        let ([right, up], _) = self.polar();
        Self { right: right * angle, up: up * angle }
    }
    /// `self + (to − self)·t`.
    #[inline(always)]
    pub fn lerp(&self, to: &Self, t: L) -> Self {
        Self { right: self.right.lerp(to.right, t), up: self.up.lerp(to.up, t) }
    }
    /// `if_true` where `mask`, else `if_false`.
    #[inline(always)]
    pub fn select(mask: L::Mask, if_true: Self, if_false: Self) -> Self {
        Self { right: L::select(mask, if_true.right, if_false.right), up: L::select(mask, if_true.up, if_false.up) }
    }
    #[inline(always)]
    fn numbers(&self) -> [L; 4] {
        [self.right, self.up, self.up, self.up]
    }
    /// Unit vector (zero where the angle is zero), and angle.
    #[inline(always)]
    fn polar(&self) -> ([L; 2], L) {
        let angle = self.angle();
        let per = L::select(L::splat(NOTHING).lt(angle), L::splat(1.0) / angle, L::splat(0.0));
        ([self.right * per, self.up * per], angle)
    }
}

/// Straight ahead and up.
#[derive(Clone, Copy, Debug)]
pub struct Gaze<L> {
    /// Rotation of `z` to straight ahead and `y` to up.
    turn: LaneQuat<L>,
}

impl<L: Lane> Gaze<L> {
    /// From the rotation that takes `z` to straight ahead and `y` to up.
    #[inline(always)]
    pub fn of(turn: LaneQuat<L>) -> Self {
        Self { turn }
    }
    /// Up, unit.
    #[inline(always)]
    pub fn up(&self) -> LaneVec3<L> {
        self.turn.rotate(LaneVec3::splat(Vec3::Y))
    }
    /// The way to a direction of any length.
    pub fn log(&self, direction: LaneVec3<L>) -> Way<L> {
        let d = self.turn.conjugate().rotate(direction);
        let [[right, up, ..]] = Log.run(&[[d.x, d.y, d.z, d.z]]);
        Way { right, up }
    }
    /// The ways to two directions of any length.
    #[inline(always)]
    pub fn logs(&self, directions: [LaneVec3<L>; 2]) -> [Way<L>; 2] {
        let back = self.turn.conjugate();
        let [a, b] = [back.rotate(directions[0]), back.rotate(directions[1])].map(|d| [[d.x, d.y, d.z, d.z]]);
        let [a, b, ..] = L::several(&Log, [&a, &b, &a, &b], 2);
        [a, b].map(|[[right, up, ..]]| Way { right, up })
    }
    /// The unit direction of a way.
    #[inline(always)]
    pub fn exp(&self, way: &Way<L>) -> LaneVec3<L> {
        let ([right, up], angle) = way.polar();
        let (sine, cosine) = float::sin_cos(angle);
        self.turn.rotate(LaneVec3::new(right * sine, up * sine, cosine))
    }
    /// Rotation of the head for each of the first `count` directions, relative to a head that looks
    /// straight ahead, in the gaze's space: the ears are level with the chest while the gaze is in
    /// front, blending into the shortest turn from forward sideways, overhead and behind, where
    /// level is undefined.
    #[inline(always)]
    pub fn orientations(ways: [Way<L>; 4], count: usize) -> [LaneQuat<L>; 4] {
        let numbers = ways.map(|way| [way.numbers()]);
        let found = L::several(&Orientation, numbers.each_ref(), count);
        found.map(|[[x, y, z, w]]| LaneQuat::new(x, y, z, w))
    }
    /// The turns from one of [`Self::orientations`].
    #[inline(always)]
    pub fn turns_from(&self, from: LaneQuat<L>) -> Turns<L> {
        Turns { turn: self.turn, back: (self.turn * from).conjugate() }
    }
}

/// Turns from one orientation, in the space in which the gaze is given.
#[derive(Clone, Copy, Debug)]
pub struct Turns<L> {
    turn: LaneQuat<L>,
    /// Inverse of the gaze and the orientation.
    back: LaneQuat<L>,
}

impl<L: Lane> Turns<L> {
    /// The turn to another of [`Gaze::orientations`].
    #[inline(always)]
    pub fn to(&self, orientation: LaneQuat<L>, something: LaneQuat<L>) -> LaneQuat<L> {
        self.turn * (orientation * (self.back * something))
    }
}

/// Kernel from a direction in the gaze's space to its [`Way`].
struct Log;

impl Kernel<1, 1> for Log {
    #[inline(always)]
    fn run<L: Lane>(&self, [[x, y, z, _]]: &[[L; 4]; 1]) -> [[L; 4]; 1] {
        let (x, y, z) = (*x, *y, *z);
        let aside = (x * x + y * y).root();
        let angle = float::atan2(aside, z);
        let is_aside = L::splat(NOTHING).lt(aside);
        let per = angle / L::select(is_aside, aside, L::splat(1.0));
        // Exactly behind, the direction is arbitrary.
        let (right, up) = (L::select(is_aside, x * per, angle), L::select(is_aside, y * per, L::splat(0.0)));
        [[right, up, up, up]]
    }
}

/// Kernel from a [`Way`] to the quaternion of [`Gaze::orientations`].
struct Orientation;

impl Kernel<1, 1> for Orientation {
    #[inline(always)]
    fn run<L: Lane>(&self, [[right, up, ..]]: &[[L; 4]; 1]) -> [[L; 4]; 1] {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let ([right, up], angle) = Way { right: *right, up: *up }.polar();
        let (sine, cosine) = float::sin_cos(angle * half);
        // 1 − cos θ, from the half angle.
        let short = sine * sine * L::splat(2.0);
        let front = float::smooth_step(L::splat(-0.3), L::splat(0.3), one - short);
        let lean = up * (short * front);
        let (level, roll) = (one - lean * up, lean * right);
        let size = (level * level + roll * roll).root();
        let (x, y) = (level + size, roll);
        let per = one / (x * x + y * y).root();
        let (c, s) = (x * per, y * per);
        let (tilt, pan) = (-(up * sine), right * sine);
        [[tilt * c + pan * s, pan * c - tilt * s, cosine * s, cosine * c]]
    }
}

/// Cone that clamps a gaze: the largest angle from straight ahead.
#[derive(Clone, Copy, Debug)]
pub struct ViewCone<L> {
    /// Half angle of the cone, 0 … π; π: no limit.
    pub limit_rad: L,
    /// Softness of the soft limit, 0 … 1: the part of the limit over which the angle bends, before
    /// and after it. Reduced where the cone leaves a smaller angle behind it.
    pub softness: L,
    /// Minimum angle over which the gaze fades to zero towards exactly behind, radians. Where the
    /// cone is narrower it is half of the angle beyond the cone. 0 without a cone: no fade, and a
    /// jump at exactly behind.
    pub behind_rad: L,
}

impl<L: Lane> ViewCone<L> {
    /// The part of a gaze at this angle from straight ahead that remains after the fade.
    #[inline(always)]
    pub fn in_view(&self, angle: L) -> L {
        L::splat(1.0) - behind(angle, self.behind_rad.max((L::splat(PI) - self.limit_rad) * L::splat(0.5)))
    }
    /// The clamped angle for a requested one.
    #[inline(always)]
    pub fn allowed(&self, angle: L) -> L {
        let softness = self.softness.min((L::splat(PI) - self.limit_rad) / self.limit_rad.max(L::splat(1e-6)));
        soft_limit(angle, self.limit_rad, softness) * self.in_view(angle)
    }
}

/// Fade of an angle from straight ahead towards exactly behind, where left and right meet.
#[inline(always)]
pub fn behind<L: Lane>(angle: L, band: L) -> L {
    let fade = float::smooth_step(L::splat(PI) - band, L::splat(PI), angle);
    L::select(L::splat(0.0).lt(band), fade, L::splat(0.0))
}

/// Angle between two directions of any length, radians, 0 … π.
#[inline(always)]
pub fn angle_between<L: Lane>(a: LaneVec3<L>, b: LaneVec3<L>) -> L {
    float::atan2(a.cross(b).length(), a.dot(b))
}

/// The turns of joints that share the turn from one unit direction to another, each by its part of
/// the angle: about one axis, so that they add up exactly. `aside`: the axis for opposite
/// directions.
pub fn shares(from: Vec3, to: Vec3, aside: Vec3, parts: impl Iterator<Item = f32>) -> impl Iterator<Item = Quat> {
    let across = from.cross(to);
    let angle = float::atan2(across.length(), from.dot(to));
    let aside = normalize_or(aside - from * from.dot(aside), perpendicular(from));
    let axis = if across.length() > 1e-7 { normalize_or(across, aside) } else { aside };
    parts.map(move |part| axis_angle(axis, angle * part))
}
