//! The swivel of an arm whose elbow is outside of the trunk.
//!
//! Position and rotation of a hand leave the swivel of the elbow about the line from shoulder to
//! hand open. Where it has the elbow inside the trunk, there is a way out; the hand stays.
//!
//! The *trunk* is a tube from the hips' joint to the middle of the shoulder joints with an ellipse
//! as its cross section and rounded ends: [`HALF_WIDTH`] and [`HALF_DEPTH`] of half the distance of
//! the shoulder joints in the T-pose. Elbows of captured motion are outside of it in 99.9 % of
//! frames (23 clips of walks, runs, jumps, dance and floor work; half the distance is 0.16 to 0.21
//! m), so what people do is not changed. How near a point is counts as a ratio: 1 on the surface, 0
//! on the line in the middle.
//!
//! The elbow swivels ahead or behind until it is outside. From the ratio `ρ` that has been reached
//! on a way, its length is
//!
//! ```text
//! D = ∫ S(max ρ so far) dφ,   S(ρ) = (1 − t)² between ρ = r − h and r, t = 0 and 1 there
//! ```
//!
//! with `h` = [`SOFT`] and `r` = [`OUTSIDE`], or less: what the animation has, which may stay as
//! far inside, and the most that any swivel has. So `D` ends about where the elbow comes to the
//! surface, and is continuous also where swivels outside form two arcs and one of them vanishes;
//! the first swivel outside is not. The shorter way is taken, but one to an elbow that is low,
//! outward and behind, as people's are, also where it is longer ([`NATURAL`]). Where both are about
//! as long, the swivel is between them: over [`PASSES`] of the two together the elbow changes sides
//! through the trunk, without a jump.

use crate::math::{Vec3, float, length, normalize_or};

/// Half the width and half the depth of the trunk, in halves of the distance of the shoulders.
const HALF_WIDTH: f32 = 0.9;
const HALF_DEPTH: f32 = 0.7;
/// Swivels that are looked at on the way round.
const SAMPLES: usize = 36;
/// The angle between two of them, and its cosine and sine.
const STEP: f32 = core::f32::consts::TAU / SAMPLES as f32;
const STEP_TURN: (f32, f32) = (0.984_807_7, 0.173_648_18);
/// Ratio from which on a swivel is outside, and those below it over which it comes to be.
const OUTSIDE: f32 = 1.04;
const SOFT: f32 = 0.05;
/// Share of the two ways over which the elbow changes sides, to both sides of where.
const PASSES: f32 = 0.15;
/// How much longer, as a share of the two, the way to the more natural side may be.
const NATURAL: f32 = 0.5;

/// Where people's elbows are beside the line from shoulder to hand: out to the arm's side, up,
/// forward.
pub(crate) const NATURAL_ELBOW: Vec3 = Vec3::new(0.6, -0.6, -0.5);

/// A trunk where it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trunk {
    low: Vec3,
    /// From hips to shoulders.
    line: Vec3,
    /// To a side of the body; unit.
    side: Vec3,
    /// Half the distance of the shoulders.
    half: f32,
}

impl Trunk {
    /// From the hips' joint `low` to the middle between the shoulders `high`; `side` is half the
    /// way from one shoulder to the other.
    pub fn new(low: Vec3, high: Vec3, side: Vec3) -> Self {
        Self { low, line: high - low, side: normalize_or(side, Vec3::X), half: length(side) }
    }
    /// How far out a point is: 1 on the surface.
    pub fn ratio(&self, point: Vec3) -> f32 {
        let from = point - self.low;
        let along = from.dot(self.line) / self.line.length_squared().max(f32::MIN_POSITIVE);
        let off = from - self.line * along.clamp(0.0, 1.0);
        let sideways = off.dot(self.side);
        let rest = off - self.side * sideways;
        let (x, rest) = (sideways / HALF_WIDTH, rest.length_squared() / (HALF_DEPTH * HALF_DEPTH));
        float::sqrt(x * x + rest) / self.half
    }
    /// Whether its numbers can be divided by.
    fn is_usable(&self) -> bool {
        self.half > 0.0 && self.line.length_squared() > 0.0 && self.line.is_finite()
    }

    /// The angle by which an elbow leaves the trunk. `elbow` returns its place at the cosine and
    /// sine of an angle, `natural` is the direction in which people's elbows are, `kept` the ratio
    /// that an animation has: no more is looked for.
    pub fn swivel_out(&self, elbow: impl Fn((f32, f32)) -> Vec3, natural: Vec3, kept: f32) -> Option<f32> {
        let (here, most) = (elbow((1.0, 0.0)), kept.min(OUTSIDE));
        let now = self.ratio(here);
        if !self.is_usable() || now >= most {
            return None;
        }
        let mut ratios = [now; SAMPLES];
        let (mut cos, mut sin) = (1.0, 0.0);
        for ratio in &mut ratios[1..] {
            (cos, sin) = (cos * STEP_TURN.0 - sin * STEP_TURN.1, sin * STEP_TURN.0 + cos * STEP_TURN.1);
            *ratio = self.ratio(elbow((cos, sin)));
        }
        let outside = ratios.iter().copied().fold(0.0, f32::max).min(most);
        let [ahead, behind] =
            [way_out(outside, now, ratios[1..].iter()), way_out(outside, now, ratios[1..].iter().rev())];
        if ahead + behind <= 0.0 {
            return None;
        }
        let at = |angle: f32| {
            let (sin, cos) = float::sin_cos(angle);
            elbow((cos, sin))
        };
        let (at_ahead, at_behind) = (at(ahead), at(-behind));
        let apart = length(at_ahead - here).max(length(at_behind - here));
        let preferred = (at_ahead - at_behind).dot(natural) / apart.max(f32::MIN_POSITIVE);
        let nearer = (behind - ahead) / (ahead + behind) + NATURAL * preferred.clamp(-1.0, 1.0);
        let share = float::smooth_step(-PASSES, PASSES, nearer);
        Some(share * ahead - (1.0 - share) * behind)
    }
}

/// The length of a way, `D` above, from the ratio of now over others that are linear in between.
fn way_out<'a>(outside: f32, now: f32, ratios: impl Iterator<Item = &'a f32>) -> f32 {
    let mut way = 0.0;
    let (mut before, mut most) = (now, now);
    for &ratio in ratios {
        let left = left_to(outside, most);
        if left <= 0.0 {
            break;
        }
        if ratio > most {
            let flat = ((most - before) / (ratio - before)).clamp(0.0, 1.0);
            way += STEP * (flat * left * left + (1.0 - flat) * mean_square_left(outside, most, ratio));
            most = ratio;
        } else {
            way += STEP * left * left;
        }
        before = ratio;
    }
    way
}

/// What is left to the outside, 1 … 0.
fn left_to(outside: f32, ratio: f32) -> f32 {
    ((outside - ratio) / SOFT).clamp(0.0, 1.0)
}

/// The mean of its square between a ratio and a greater one.
fn mean_square_left(outside: f32, from: f32, to: f32) -> f32 {
    if to - from < 1e-5 {
        return left_to(outside, from) * left_to(outside, from);
    }
    // The integral from a ratio on.
    let beyond = |ratio: f32| {
        let left = left_to(outside, ratio);
        SOFT / 3.0 * left * left * left + (outside - SOFT - ratio).max(0.0)
    };
    (beyond(from) - beyond(to)) / (to - from)
}
