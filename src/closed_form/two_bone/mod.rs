//! Two-bone IK in closed form: a root, a mid joint that bends, an end with a target.
//!
//! # Derivation
//!
//! Everything is relative to the root joint, in one *solve space*: any space in which both bones
//! keep their lengths when they turn (the space of the root joint's parent does, whatever scale and
//! mirror lie above it). With bone lengths `a = |root_mid|`, `b = |mid_end|` and the target at
//! distance `d` along the unit vector `n`, the mid joint lies on a circle about the axis `n`:
//!
//! ```text
//! mid = n·h + s·r,   h = (d + (a − b)(a + b)/d) / 2,   r² = (a+b−d)(a+b+d)(d−a+b)(d+a−b) / (2d)²
//! ```
//!
//! (law of cosines, with `r²` in Heron's product form, which keeps its digits for nearly straight
//! limbs where `a² − h²` loses them). The unit vector `s` at right angles to `n` is the *bend
//! side*. It comes from, in this order: the pole by its weight; the side the limb bends to now,
//! carried along by the shortest turn from the old direction to the new one; for a straight limb,
//! the hinge: `s = n × hinge`.
//!
//! Which way a nearly straight limb bends is noise: captured knees and elbows hyperextend by a few
//! degrees. Where its bend *grows*, the growth belongs to the hinge. With the mid joint's offset
//! `o` from the line, in limb lengths, along the side `p`, the side of a limb that bends much is
//! that of `o·p + ε·f(o)·(n × hinge)`, with `ε` 4 % and `f` falling from 1 at 2 % offset to 0 at 4
//! %. The side goes there from `p` while the offset grows from `o` to `3·o`, through the bisector
//! of both, so that an exactly opposite side is a half turn, not a flip. A limb that does not bend
//! more than it did keeps `p`: nothing moves at weight 0, and the way is continuous in weight and
//! target. As a map from poses it has one singular point, an offset right against the hinge of some
//! 2.8 %; and while the bend has not yet tripled, an offset below that size that passes there makes
//! the half turn on the one or the other side. The upper bone does not roll by any of this: its
//! hinge is carried along from the side chosen on the limb as it is.
//!
//! No side can depend continuously on the direction over the whole sphere (there is no such vector
//! field). The carried side is taken over the *centre*, a direction of the caller's choice: by the
//! shortest turn to the centre and from there by the shortest turn to the target. Its one singular
//! direction lies opposite to the centre (a shoulder chooses the middle of what an arm can reach,
//! so the singularity lies behind the back). The pole's lies along the pole itself, where the pole
//! fades out over the last three degrees and the carried side takes over. For a limb straighter
//! than 5 % offset the fade is narrower in proportion (down to a fiftieth): a pole at the mid joint
//! itself then still counts in full.
//!
//! Rotations follow from frames: the root turns the frame (bone, hinge) into the new one, so that
//! the hinge of the elbow stays a hinge; the mid turns within the bend plane.
//!
//! # Soft reach and stretch
//!
//! A hard limb straightens with unbounded speed as the target leaves its reach `L`: the bend angle
//! goes like the square root of what is left. Both cures make that remainder a square, so the angle
//! becomes linear:
//!
//! - *softness* σ: from `(1−σ)L` to `(1+σ)L` the effective distance follows `σL(2u − u²)`, `u` from
//!   0 to 1. The hand lags up to `σL` behind, and the limb is straight at `(1+σ)L`;
//! - *stretch* t: from `d₀` to `(1+t)L` the limb lengthens by `tL((1−k)u² + ku)`. It never lags:
//!   the target is reached up to `(1+t)L`. `d₀` is `(1−t)L`, or how far the limb reaches now if
//!   that is more: a target where the end already is must change nothing, not even a straight limb.
//!   With `k = 1 − (L − d₀)/tL` what is left is `(L − d₀)(1 − u)²`, a square again.
//!
//! Source: law of cosines; the closed form is textbook material (e.g. J. Lander, "Making Kine More
//! Flexible", Game Developer 1998). The soft distance serves the purpose of A. Nicholas' soft IK
//! (2009), with a polynomial in place of the exponential so that the limb is straight at a finite
//! distance.

//! # Files
//!
//! | file | what is in it |
//! |---|---|
//! | `types` | [`TwoBone`], [`TwoBoneSolution`] |
//! | `side` | bend side of a nearly straight limb |
//! | `exact` | the form that is valid for every limb |
//! | `fast` | the form for ordinary limbs, in stages |
//! | `drive` | the control flow: fast form, bend side, turns, exact form where needed |

pub(in crate::closed_form) mod drive;
pub(in crate::closed_form) mod exact;
pub(in crate::closed_form) mod fast;
mod side;
mod types;

use crate::math::Lane;
pub(crate) use side::CLEARLY_BENT;
pub use types::{TwoBone, TwoBoneSolution};

/// Solves one limb, or several in step. Total: any finite input gives unit quaternions.
#[inline(always)]
pub fn solve<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    match drive::solve_fast(limb) {
        Some(solution) => solution,
        None => solve_full(limb),
    }
}

/// [`solve`] of the limbs that the first stage of the fast form decides; `None` for others.
#[cfg(feature = "capi")]
#[inline(always)]
pub(crate) fn solve_fast<L: Lane>(limb: &TwoBone<L>) -> Option<TwoBoneSolution<L>> {
    drive::solve_fast(limb)
}

/// [`solve`] without that first try, out of line.
#[inline(never)]
pub(crate) fn solve_full<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    drive::solve_full(limb)
}

/// [`solve`] in line: for callers whose constant inputs (no pole, full weight) let most of it fold
/// away.
#[inline(always)]
pub(crate) fn solve_inlined<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    drive::solve_full(limb)
}
