//! How corrections to limits come in with the weight of what is solved.
//!
//! What the animation exceeds is left as it is at weight 0, and the nearest admissible pose may be
//! far from it. So where the animation exceeds a limit the result comes in over the first tenth of
//! the weight.

use crate::math::float;

/// Weight up to which results come in where the animation exceeds a limit.
pub(crate) const ONSET_WEIGHT: f32 = 0.1;
/// By how much the animation then exceeds it, radians or values of conditions; over less.
const EXCESS: f32 = 0.02;

/// The weight from which on corrections are made in full, for what the animation exceeds.
pub(crate) fn onset(excess: f32) -> f32 {
    ONSET_WEIGHT * float::smooth_step(0.0, EXCESS, excess)
}

/// The part, 0 … 1, of the corrections that is made at a weight; `None` where all of them are.
pub(crate) fn onset_part(weight: f32, onset: f32) -> Option<f32> {
    (weight < onset).then(|| float::smooth_step(0.0, onset, weight))
}
