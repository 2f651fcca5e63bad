//! A chain of two bones with a position to reach: the control flow around the two-bone closed form,
//! for every source of the chain's numbers (a pose, or the state of a chain solver).
//!
//! ```text
//! directions? → turn both joints → measured miss → reached, or as near as the bones come → accept
//! ```
//!
//! Folded onto the root, or with the target there, neither chain nor target has a direction; such
//! chains, and those that the closed form does not bring to an end, are left to a descent.

use crate::math::Vec3;
use crate::outcome::{Outcome, Status};

/// Least extent and least distance of the target, as parts of the length of both bones.
const LEAST: f32 = 1e-4;
/// Rounding of distances, as a part of the same length.
const EDGE: f32 = 1e-7;

/// Sizes of a chain and its target. All from the root, in one solve space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainReach {
    /// Length of both bones.
    pub size: f32,
    /// Difference of the bones' lengths: the end comes no nearer to the root.
    pub hole: f32,
    /// Distance from the root to the end.
    pub extent: f32,
    /// Distance from the root to the target.
    pub distance: f32,
}

impl ChainReach {
    /// `lengths` of the bones `upper` and `lower`.
    #[inline(always)]
    pub fn new(upper: Vec3, lower: Vec3, [a, b]: [f32; 2], target: Vec3) -> Self {
        Self { size: a + b, hole: (a - b).abs(), extent: (upper + lower).length(), distance: target.length() }
    }
    /// Whether the target is as far as the bones come, or farther.
    #[inline(always)]
    pub fn is_beyond(&self) -> bool {
        self.distance >= self.size - EDGE * self.size
    }
    /// Whether chain and target have directions, and the target is not in the hole. False for NaN.
    #[inline(always)]
    fn has_directions(&self) -> bool {
        let is_out_of_hole = self.hole <= 0.0 || self.distance > self.hole + EDGE * self.size;
        self.extent.min(self.distance) > LEAST * self.size && is_out_of_hole
    }
}

/// A source of a chain's numbers, and the place of its rotations.
pub(crate) trait ChainSource {
    /// The rotations of both joints, or those to put back.
    type Turned;
    /// Sizes; see [`ChainReach`].
    fn reach(&self) -> &ChainReach;
    /// Whether a straight chain short of its target is an answer: nothing else could reach farther.
    fn is_final(&self) -> bool;
    /// Turns both joints; also returns the measured distance between end and target.
    fn turn(&mut self) -> (Self::Turned, f32);
    /// Takes the turned rotations.
    fn accept(&mut self, turned: Self::Turned);
    /// Leaves the chain as it was.
    fn reject(&mut self, turned: Self::Turned);
}

/// Solves the chain, or leaves it as it was and returns `None`. The tolerance is in the unit of the
/// solve space.
#[inline(always)]
pub(crate) fn solve(source: &mut impl ChainSource, tolerance: f32) -> Option<Outcome> {
    let reach = *source.reach();
    if !reach.has_directions() {
        return None;
    }
    let (turned, miss) = source.turn();
    let status = if miss <= tolerance {
        Status::Reached
    } else if reach.is_beyond() && source.is_final() && miss.is_finite() {
        Status::Unreachable
    } else {
        source.reject(turned);
        return None;
    };
    source.accept(turned);
    Some(Outcome { status, residual_m: miss, ..Outcome::INACTIVE })
}
