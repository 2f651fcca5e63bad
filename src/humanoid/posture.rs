//! Where the elbow or knee of a limb goes that has a goal for its end only.
//!
//! Position and rotation of hand or foot leave one angle open: the *swivel* of the mid joint about
//! the line from root to end. It is counted from a reference side, carried like the bend side of
//! the solve ([`crate::closed_form::two_bone`]): a vector across the centre of the limb's reach,
//! turned with it by the shortest arc onto the line. People's swivel `φ` is then nearly a constant;
//! the rest depends linearly on how far forward the end is, and on how it is turned:
//!
//! ```text
//! φ = c₀ + c₁ t·forward + c₂ x·r + c₃ x·b + c₄ y·r + c₅ y·b
//! ```
//!
//! with the end at `t` limb lengths from the root, the end's axes `x` and `y` that run out and up
//! in the T-pose, the reference side `r` and `b = line × r`. Without a rotation goal only the first
//! two terms are used, with other numbers. All terms are bounded and smooth wherever the reference
//! side is, so they add no singular directions to those of the solve.
//!
//! *The animation's own swivel* `ψ₀` counts as its difference from `φ₀`, the formula's value
//! for the animated limb. The solve alone keeps `ψ₀`, so the limb swivels before it by
//!
//! ```text
//! Δ = φ − φ₀ − (1 − λ) (ψ₀ − φ₀)
//! ```
//!
//! with `λ` 1 for a goal at the animated end, falling to ¼ for a bent limb and to 0 for a straight
//! one, whose swivel means nothing. So nothing moves at weight 0 or where the goal is the animated
//! place, and the result is continuous in goal and weight. Where `ψ₀` is opposite to `φ₀` the
//! difference fades out.
//!
//! *Fit*: `cargo xtask motion FOLDER --section fit`, by least absolute error with a ridge, on
//! captured motion (CMU Graphics Lab Motion Capture Database, mocap.cs.cmu.edu, funded by NSF
//! EIA-0196217; Microsoft Rocketbox, MIT). Mean error of elbows on subjects left out of the fit 11°
//! (with the position alone 16°), of knees 6° (9°).

use super::{BodyAxes, IkGoal};
use crate::math::{Frame, Quat, Vec3, axis_angle, float, normalize_or, wrap_angle};

const PI: f32 = core::f32::consts::PI;
/// Offset of the mid joint from the line, in limb lengths, over which a limb counts as bent.
const BENT: (f32, f32) = (0.03, 0.12);
/// Offsets over which the side of the mid joint takes over from that of the hinge, and the weight
/// of the hinge's before.
const HINGED: (f32, f32) = (0.02, 0.04);
/// What is left of `λ` far from the animation for a bent limb.
const KEPT: f32 = 0.25;
/// Distance of the goal from the animated end at which `λ` has fallen, limb lengths: of a straight
/// limb, and by how much farther of a bent one.
const NEAR: (f32, f32) = (0.15, 0.45);
/// Difference of the animation's swivel from people's, radians, from which on it fades out.
const FADES: f32 = 2.4;

/// The numbers of arms or legs.
#[derive(Debug, PartialEq)]
struct Table {
    /// Of the six terms.
    turned: [f32; 6],
    /// Of the first two terms, where the end's rotation has no goal.
    placed: [f32; 2],
}

const ARM: Table = Table { turned: [0.479, 0.429, 0.019, -0.364, -0.165, -0.212], placed: [0.488, 0.353] };
const LEG: Table = Table { turned: [-0.037, -0.047, 0.508, -0.078, -0.072, 0.568], placed: [-0.053, -0.022] };

/// What a limb's posture is measured on: directions in the space of the root joint's parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostureRig {
    /// Middle of the limb's reach, and the reference side there; unit.
    centre: Vec3,
    side: Vec3,
    forward: Vec3,
    /// Axes of the end that run out and up in the T-pose, in its own space.
    axes_es: [Vec3; 2],
    /// 1, or −1 where out, up and forward are left-handed.
    handed: f32,
    table: &'static Table,
}

/// A limb before its solve, in the space of its root's parent, relative to the root joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnimatedLimb {
    pub mid: Vec3,
    pub end: Vec3,
    /// The side that a straight limb bends to.
    pub bend_side: Vec3,
    /// The end's axes, as [`PostureRig::end_axes`] has them.
    pub axes: [Vec3; 2],
}

/// Where an end is to go, in the same space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostureGoal {
    pub end: Vec3,
    pub axes: [Vec3; 2],
    /// How much the rotation counts, 0 … 1.
    pub turned: f32,
}

/// The line to an end: a unit vector, its reference side, and `line × side`.
struct Line {
    along: Vec3,
    side: Vec3,
    across: Vec3,
    /// How far forward the end is, limb lengths.
    ahead: f32,
}

impl PostureRig {
    /// Measures the T-pose: `parent` is the frame of the root joint's parent, `end_ms` the end's
    /// orientation, `centre` the middle of the limb's reach in the parent's space.
    pub fn new(axes: &BodyAxes, goal: IkGoal, parent: &Frame, end_ms: Quat, centre: Vec3) -> Self {
        let BodyAxes { right, up, forward, .. } = *axes;
        let is_left = matches!(goal, IkGoal::LeftFoot | IkGoal::LeftHand);
        let out = if is_left { -right } else { right };
        let inward = |v: Vec3| parent.inverse_linear().map_or(v, |m| normalize_or(m * v, v));
        let (usual, table) = if goal.is_foot() { (forward, &LEG) } else { (-up, &ARM) };
        let usual = inward(usual);
        Self {
            centre,
            side: normalize_or(usual - centre * centre.dot(usual), crate::math::perpendicular(centre)),
            forward: inward(forward),
            axes_es: [out, up].map(|v| end_ms.conjugate() * v),
            handed: if inward(out).cross(inward(up)).dot(inward(forward)) < 0.0 { -1.0 } else { 1.0 },
            table,
        }
    }
    /// The axes of an end with this orientation, for [`AnimatedLimb`] and [`PostureGoal`];
    /// `inward` takes vectors of model space to that of the root's parent.
    pub fn end_axes(&self, end_ms: Quat, inward: impl Fn(Vec3) -> Vec3) -> [Vec3; 2] {
        self.axes_es.map(|axis| normalize_or(inward(end_ms * axis), Vec3::ZERO))
    }

    /// The turn of a limb's root joint, about the line to its end in the animation, after which the
    /// solve bends the limb as people do; `None` where it needs none.
    pub fn turn(&self, limb: &AnimatedLimb, goal: &PostureGoal, weight: f32) -> Option<Quat> {
        let whole = limb.mid.length() + (limb.end - limb.mid).length();
        let (from, to) = (self.line(limb.end / whole)?, self.line(goal.end / whole)?);
        let people = self.swivel(&to, &goal.axes, goal.turned);
        let before = self.swivel(&from, &limb.axes, goal.turned);
        // The animation's: of a nearly straight limb that to which its hinge bends it.
        let off = (limb.mid - from.along * from.along.dot(limb.mid)) / whole;
        let offset = off.length();
        let hinge = normalize_or(limb.bend_side - from.along * from.along.dot(limb.bend_side), from.side);
        let side = off + hinge * (HINGED.1 * (1.0 - float::smooth_step(HINGED.0, HINGED.1, offset)));
        let certain = float::smooth_step(0.0, HINGED.0, side.length());
        let own = float::atan2(from.across.dot(side), from.side.dot(side));
        let other = certain * faded(wrap_angle(own - before));
        let bent = float::smooth_step(BENT.0, BENT.1, offset);
        let far = float::smooth_step(0.0, NEAR.0 + NEAR.1 * bent, (goal.end - limb.end).length() / whole);
        let swivel = weight * (people - before - (1.0 - KEPT * bent) * far * other);
        (swivel.abs() > 1e-6).then(|| axis_angle(from.along, self.handed * wrap_angle(swivel)))
    }
    /// The swivel that people have, radians.
    fn swivel(&self, at: &Line, [x, y]: &[Vec3; 2], turned: f32) -> f32 {
        let [p, q] = self.table.placed;
        let placed = p + q * at.ahead;
        let terms = [1.0, at.ahead, x.dot(at.side), x.dot(at.across), y.dot(at.side), y.dot(at.across)];
        let whole = self.table.turned.iter().zip(terms).fold(0.0, |sum, (c, term)| sum + c * term);
        placed + (whole - placed) * turned
    }
    /// `None` for an end at the root.
    fn line(&self, at: Vec3) -> Option<Line> {
        let distance = at.length();
        if distance.is_nan() || distance <= 1e-4 {
            return None;
        }
        let along = at / distance;
        let sum = self.centre + along;
        let carried = self.side - sum * (2.0 * self.side.dot(along) / sum.length_squared().max(1e-12));
        let side = normalize_or(carried - along * along.dot(carried), self.side);
        Some(Line { along, side, across: along.cross(side) * self.handed, ahead: at.dot(self.forward) })
    }
}

/// A difference of swivels that falls to 0 at half a turn, where both ways round are as short.
fn faded(angle: f32) -> f32 {
    let most = (PI - angle.abs()).max(0.0) * (FADES / (PI - FADES));
    angle.clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_swivels_is_continuous_at_half_a_turn() {
        assert_eq!(faded(1.0), 1.0);
        assert_eq!(faded(-2.0), -2.0);
        for sign in [-1.0, 1.0] {
            assert!(faded(sign * (PI - 1e-4)).abs() < 1e-3);
        }
        let mut last = faded(-PI);
        for i in -3140..=3141 {
            let now = faded(i as f32 * 1e-3);
            // The first step is from −π; the slope at half a turn is 3.24.
            assert!((now - last).abs() < 5.5e-3, "{i}");
            last = now;
        }
    }
}
