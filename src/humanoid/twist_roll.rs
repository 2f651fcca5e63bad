//! How much a joint has rolled about its segment, and the turns that share it.
//!
//! A roll is a complex number of half its angle. What is shared of it, and why nothing jumps:
//! `twist`.

use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, float};

const PI: f32 = core::f32::consts::PI;
/// Roll up to which it is shared in full, radians.
const FULL: f32 = 2.0 * PI / 3.0;
/// Cosine of half the swing at which the share has gone, and below which it begins to go.
const FOLDED: (f32, f32) = (0.1, 0.35);
/// Rolls below this count as zero, radians.
const LEAST: f32 = 1e-7;

/// A roll, as a complex number of half its angle, counted from the middle of what the joint can do;
/// both signs are the same roll. The square of its length is the part of the rotation that is not
/// swing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roll<L> {
    pub real: L,
    pub imaginary: L,
}

impl<L: Lane> Roll<L> {
    /// Of a rotation, whose inner products with `real` and `imaginary` are the roll's parts.
    #[inline(always)]
    pub fn of(rotation: LaneQuat<L>, [real, imaginary]: [LaneQuat<L>; 2]) -> Self {
        Self { real: rotation.dot(real), imaginary: rotation.dot(imaginary) }
    }
    /// With a real part that is not negative.
    #[inline(always)]
    pub fn forward(self) -> Self {
        let sign = L::splat(1.0).copy_sign(self.real);
        Self { real: self.real * sign, imaginary: self.imaginary * sign }
    }
    /// Where all of it is shared: up to [`FULL`], which is where the real part is the half of it,
    /// and with little swing.
    #[inline(always)]
    fn is_full(&self) -> L::Mask {
        let (real2, imaginary2) = (self.real * self.real, self.imaginary * self.imaginary);
        let beyond = (real2 * L::splat(3.0)).lt(imaginary2);
        let folded = (real2 + imaginary2).lt(L::splat(FOLDED.1 * FOLDED.1));
        beyond.or(folded).not()
    }
    /// From another to this one, both full: the angle of the quotient is the difference of the
    /// angles.
    #[inline(always)]
    fn since(&self, before: &Self) -> Self {
        let sign = L::splat(1.0).copy_sign(before.real * self.real);
        Self {
            real: (before.real * self.real + before.imaginary * self.imaginary) * sign,
            imaginary: (before.real * self.imaginary - before.imaginary * self.real) * sign,
        }
    }
    /// The angle, radians.
    #[inline(always)]
    pub fn angle(&self) -> L {
        float::atan2(self.imaginary, self.real) * L::splat(2.0)
    }
    /// The part that is shared, radians; continuous round the circle.
    #[inline(always)]
    fn shareable(&self) -> L {
        let roll = self.forward();
        let certain = (roll.real * roll.real + roll.imaginary * roll.imaginary).sqrt();
        let roll = roll.angle();
        let fade = L::splat(1.0) - float::smooth_step(L::splat(FULL), L::splat(PI), roll.abs());
        roll * fade * float::smooth_step(L::splat(FOLDED.0), L::splat(FOLDED.1), certain)
    }
    /// What has been added to the shared part since `before`, radians.
    #[inline(always)]
    pub fn added(&self, before: &Self) -> L {
        let full = before.is_full().and(self.is_full());
        let all = self.since(before).angle();
        if !full.not().any() {
            return all;
        }
        L::select(full, all, self.shareable() - before.shareable())
    }
}

/// Whether an added angle is large enough to share; false for NaN.
#[inline(always)]
pub(crate) fn is_some<L: Lane>(added_rad: L) -> L::Mask {
    let size = added_rad.abs();
    L::splat(LEAST).lt(size).and(size.lt(L::splat(100.0)))
}

/// A turn, and where it counts: elsewhere it is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<L: Lane> {
    pub by: LaneQuat<L>,
    pub counts: L::Mask,
}

impl<L: Lane> Turn<L> {
    #[inline(always)]
    pub fn none() -> Self {
        let one = L::splat(1.0);
        Self { by: LaneQuat::identity(), counts: one.lt(one) }
    }
    /// By a part of an angle, radians, about a vector, where the angle is large enough.
    #[inline(always)]
    pub fn of_angle(added_rad: L, part: L, along: LaneVec3<L>) -> Self {
        let counts = is_some(added_rad).and(L::splat(0.0).lt(part.abs()));
        Self::about(along, float::sin_cos(added_rad * part * L::splat(0.5)), counts)
    }
    /// By a part of what has been added to the shared part between two rolls, about a vector.
    #[inline(always)]
    pub fn of_rolls(before: &Roll<L>, now: &Roll<L>, part: L, along: LaneVec3<L>) -> Self {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let size = part.abs();
        // The half of a full roll: a quarter of its angle is the half of the angle that the complex
        // number has.
        let plain = before.is_full().and(now.is_full()).and(size.lt(half).or(half.lt(size)).not());
        let Roll { real, imaginary } = now.since(before);
        let whole = (real * real + imaginary * imaginary).root();
        let counts = (whole * L::splat(0.5 * LEAST)).lt(imaginary.abs());
        let cosine = whole + real;
        let per = one / (cosine * cosine + imaginary * imaginary).root();
        let turn = Self::about(along, (imaginary * (part + part) * per, cosine * per), counts);
        let other = plain.not();
        if !other.any() {
            return turn;
        }
        let long = Self::of_angle(now.added(before), part, along);
        let counts = other.and(long.counts).or(plain.and(turn.counts));
        Self { by: LaneQuat::select(other, long.by, turn.by), counts }
    }
    /// By the half angle of a sine and a cosine.
    #[inline(always)]
    pub fn about(along: LaneVec3<L>, (sine, cosine): (L, L), counts: L::Mask) -> Self {
        let axis = along.unit_or(LaneVec3::zero(), L::splat(1e-18)).0;
        Self { by: LaneQuat::select(counts, LaneQuat::from_parts(axis * sine, cosine), LaneQuat::identity()), counts }
    }
    /// Where it counts and `mask` is true.
    #[inline(always)]
    pub fn only(self, mask: L::Mask) -> Self {
        Self { by: LaneQuat::select(mask, self.by, LaneQuat::identity()), counts: self.counts.and(mask) }
    }
}

/// Root, mid and end joint of a limb without joints between, after the near joints of its two
/// segments have turned: all but the near ones keep the orientation they have.
#[inline(always)]
pub(crate) fn shared<L: Lane>([root, mid, end]: [LaneQuat<L>; 3], [upper, lower]: &[Turn<L>; 2]) -> [LaneQuat<L>; 3] {
    let new_root = (root * upper.by).normalize();
    let new_mid = (upper.by.conjugate() * mid * lower.by).normalize();
    let new_end = (lower.by.conjugate() * end).normalize();
    [
        LaneQuat::select(upper.counts, new_root, root),
        LaneQuat::select(upper.counts.or(lower.counts), new_mid, mid),
        LaneQuat::select(lower.counts, new_end, end),
    ]
}
