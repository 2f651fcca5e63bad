//! Two-bone IK in closed form: a root, a mid joint that bends, an end with a target.
//!
//! # Derivation
//!
//! Everything is relative to the root joint, in one *solve space*: any space in which both bones
//! keep their lengths when they turn (the space of the root joint's parent is one, with any scale
//! and mirror above it). With bone lengths `a = |root_mid|`, `b = |mid_end|` and the target at
//! distance `d` along the unit vector `n`, the mid joint is on a circle about the axis `n`:
//!
//! ```text
//! mid = n·h + s·r,   h = (d + (a − b)(a + b)/d) / 2,   r² = (a+b−d)(a+b+d)(d−a+b)(d+a−b) / (2d)²
//! ```
//!
//! (law of cosines, with `r²` in Heron's product form, which is accurate for nearly straight limbs
//! where `a² − h²` cancels). The unit vector `s` at right angles to `n` is the *bend side*. It is
//! determined by, in this order: the pole vector by its weight; the limb's current bend side,
//! carried by the shortest turn from the old direction to the new one; for a straight limb, the
//! hinge: `s = n × hinge`.
//!
//! The bend side of a nearly straight limb is noise: captured knees and elbows hyperextend by a few
//! degrees. Where its bend *grows*, the hinge determines the side of the growth. With the mid
//! joint's offset `o` from the line, in limb lengths, along the side `p`, the side of a limb that
//! bends much is that of `o·p + ε·f(o)·(n × hinge)`, with `ε` 4 % and `f` falling from 1 at 2 %
//! offset to 0 at 4 %. The side turns there from `p` while the offset grows from `o` to `3·o`,
//! through the bisector of both, so that an exactly opposite side is a half turn, not a flip. A
//! limb whose bend does not grow keeps `p`: nothing moves at weight 0, and the side is continuous
//! in weight and target. As a map from poses it has one singular point, an offset of about 2.8 %
//! exactly against the hinge; and while the bend has not yet tripled, a smaller offset that passes
//! there makes the half turn on one side or the other. This does not roll the upper bone: its hinge
//! is carried from the side chosen on the limb before the solve.
//!
//! No side can depend continuously on the direction over the whole sphere (there is no such vector
//! field). The side is carried over the *centre*, a direction chosen by the caller: by the shortest
//! turn to the centre and from there by the shortest turn to the target. Its one singular direction
//! is opposite to the centre (for a shoulder, the centre is the middle of the arm's reach, so the
//! singularity is behind the back). The singular direction of the pole is along the pole itself,
//! where the pole fades out over the last three degrees into the carried side. For a limb
//! straighter than 5 % offset the fade is narrower in proportion (down to a fiftieth): a pole at
//! the mid joint itself then keeps its full weight. The roll of a nearly straight limb does not
//! follow a pole that close to the line (`pole.rs`): the bones get the frames of the side
//! without it, and then the shortest turns that bring the mid joint to its place.
//!
//! Rotations follow from frames: the root turns the frame (bone, hinge) into the new one, so that
//! the hinge of the elbow stays a hinge; the mid turns within the bend plane.
//!
//! # Soft reach and stretch
//!
//! A hard limb straightens with unbounded speed as the target leaves its reach `L`: the bend angle
//! is proportional to the square root of the remaining distance. Both remedies make that remainder
//! a square, so the angle becomes linear:
//!
//! - *softness* σ: from `(1−σ)L` to `(1+σ)L` the effective distance follows `σL(2u − u²)`, `u` from
//!   0 to 1. The hand lags up to `σL` behind, and the limb is straight at `(1+σ)L`;
//! - *stretch* t: from `d₀` to `(1+t)L` the limb lengthens by `tL((1−k)u² + ku)`. It never lags:
//!   the target is reached up to `(1+t)L`. `d₀` is `(1−t)L`, or the limb's current extent if that
//!   is more: a target at the end's current position must change nothing, not even a straight limb.
//!   With `k = 1 − (L − d₀)/tL` the remainder is `(L − d₀)(1 − u)²`, a square again.
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

use crate::math::{Lane, LaneVec3};
pub(crate) use side::CLEARLY_BENT;
pub use types::{TwoBone, TwoBoneSolution};

/// Solves one limb, or several side by side. Total: any finite input gives unit quaternions.
#[inline(always)]
pub fn solve<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    match drive::solve_fast(limb) {
        Some(solution) => solution,
        None => solve_full(limb),
    }
}

/// The fast path of [`solve`]: limbs that need only the first stage of the fast form; `None` for
/// others.
#[cfg(feature = "record")]
#[inline(always)]
pub(crate) fn solve_fast<L: Lane>(limb: &TwoBone<L>) -> Option<TwoBoneSolution<L>> {
    drive::solve_fast(limb)
}

/// [`solve`] without the fast path, out of line.
#[inline(never)]
pub(crate) fn solve_full<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    drive::solve_full(limb)
}

/// [`solve`] inlined, for callers with constant inputs (no pole, full weight): the compiler removes
/// most of it.
#[inline(always)]
pub(crate) fn solve_inlined<L: Lane>(limb: &TwoBone<L>) -> TwoBoneSolution<L> {
    drive::solve_full(limb)
}

/// Place of the mid joint after [`solve`], relative to the root joint, for limbs without a pole and
/// stretch: without the turns that bring it there.
#[inline(always)]
pub(crate) fn mid_place<L: Lane>(limb: &TwoBone<L>) -> LaneVec3<L> {
    drive::mid_place(limb)
}
