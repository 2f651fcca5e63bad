//! Motion laws of the grounder: time-to-go cubics, critically damped springs and soft limits, each
//! exact in the time step.

use crate::math::{Lane, float};

/// Below this many metres a correction counts as none.
pub(super) const SNAP: f32 = 2e-4;

/// One step of the cubic that brings position `x` and velocity `v` to `goal` at rest in `left_s`
/// seconds. Stepping with a goal
/// that stays gives points of one cubic, whatever the steps. Returns position, velocity and the
/// acceleration at the start.
pub(super) fn cubic_start(x: f32, v: f32, goal: f32, left_s: f32) -> (f32, f32) {
    let d = goal - x;
    let a = (6.0 * d - 4.0 * v * left_s) / (left_s * left_s);
    let j = (6.0 * v * left_s - 12.0 * d) / (left_s * left_s * left_s);
    (a, j)
}

/// Least time in which the cubic of [`cubic_start`] covers the distance `d` ≥ 0, with velocity `v`
/// along it, without starting at more than `most` acceleration.
pub(super) fn least_time(d: f32, v: f32, most: f32) -> f32 {
    let (w, z) = (2.0 * v / most, 6.0 * d / most);
    let quick = float::sqrt(w * w + z) - w;
    // Fast towards a near goal: it has to slow down.
    if w > 0.0 && w * w > z { quick.max(w + float::sqrt(w * w - z)) } else { quick }
}

/// Acceleration and jerk of the least-effort way that is at `goal` in `left_s` seconds with any
/// velocity.
#[inline(always)]
pub(super) fn pass_start<L: Lane>(x: L, v: L, goal: L, left_s: L) -> (L, L) {
    let a = L::splat(3.0) * (goal - x - v * left_s) / (left_s * left_s);
    (a, -a / left_s)
}

/// Position and velocity after `dt` under acceleration `a` and jerk `j`.
pub(super) fn advance(x: f32, v: f32, a: f32, j: f32, dt: f32) -> (f32, f32) {
    (x + dt * (v + dt * (a * 0.5 + dt * (j / 6.0))), v + dt * (a + dt * (j * 0.5)))
}

/// Rate of the spring that has gone nine tenths of the way to a goal after `time_s`.
pub(super) fn rate(time_s: f32) -> f32 {
    3.89 / time_s.max(1e-4)
}

/// `max(x, 0)` with a parabola between `−soft` and `soft`; exactly `x` from `soft` on.
pub(super) fn soft_floor(x: f32, soft: f32) -> f32 {
    if x >= soft {
        x
    } else if x <= -soft {
        0.0
    } else {
        (x + soft) * (x + soft) / (4.0 * soft)
    }
}

/// `x` up to `from`, then ever slower towards `most`, which it never exceeds; slope 1 at `from`.
pub(super) fn soft_ceiling(x: f32, from: f32, most: f32) -> f32 {
    let room = most - from;
    if x <= from {
        x
    } else if room <= 1e-6 {
        from
    } else {
        let t = (x - from) / room;
        from + room * (t / (1.0 + t))
    }
}

/// Part of the way to a goal that an exponential with this half-life makes in `dt`.
pub(super) fn decay(half_life_s: f32, dt: f32) -> f32 {
    1.0 - float::exp(halvings(half_life_s, dt))
}

fn halvings(half_life_s: f32, dt: f32) -> f32 {
    -core::f32::consts::LN_2 * dt / half_life_s.max(1e-4)
}

/// The exponentials of the last frame, one at a place: most frames take as long as the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponentials([(f32, f32); 7]);

impl Exponentials {
    pub const VELOCITY: usize = 0;
    pub const SLOWING: usize = 1;
    pub const FOOT_TILT: usize = 2;
    pub const FOLLOW: usize = 3;
    pub const TREND: usize = 4;
    pub const GUARD: usize = 5;
    pub const BODY_TILT: usize = 6;

    pub fn new() -> Self {
        Self([(0.0, 1.0); 7])
    }

    /// `e` to the power of `x`.
    fn exp(&mut self, place: usize, x: f32) -> f32 {
        let last = &mut self.0[place];
        if last.0 != x {
            *last = (x, float::exp(x));
        }
        last.1
    }

    /// Critically damped spring of rate `omega` (1/s) after `dt` > 0, exact for a goal that goes
    /// from `from` to `to` in a straight line meanwhile.
    #[allow(clippy::too_many_arguments)]
    pub fn pursue(&mut self, place: usize, x: f32, v: f32, from: f32, to: f32, omega: f32, dt: f32) -> (f32, f32) {
        let slope = (to - from) / dt;
        // It follows such a goal at a distance of two time constants.
        let behind = 2.0 * slope / omega;
        let (d, w) = (x - from + behind, v - slope);
        let c = w + d * omega;
        let e = self.exp(place, -omega * dt);
        (to - behind + e * (d + c * dt), slope + e * (w - c * omega * dt))
    }

    /// [`decay`].
    pub fn decay(&mut self, place: usize, half_life_s: f32, dt: f32) -> f32 {
        1.0 - self.exp(place, halvings(half_life_s, dt))
    }
}
