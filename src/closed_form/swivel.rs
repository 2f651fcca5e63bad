//! Which swivel a limb takes whose root joint has limits.
//!
//! About the line from its root to its end a limb may swivel without moving either. Every limit is
//! `a + b cos φ + c sin φ ≥ 0` there ([`crate::limits::HalfSpace`]): all of the circle when `a ≥ r
//! = √(b² + c²)`, none when `a < −r`, else the arc `atan2(c, b) ± acos(−a/r)`.
//!
//! The choice is continuous in the conditions, but where a top ends that has a share:
//!
//! 1. The free swivel (φ = 0) is kept when all conditions hold there.
//! 2. What a condition lacks at every swivel counts for none: it is lifted until its best swivel
//!    fulfils it, and one that hardly depends on the swivel until all of them do.
//! 3. A *top* is a swivel at which the least value is greater than beside it. Each top has one
//!    answer. Where the least value is 0 or more that is the free swivel, retracted onto the arc
//!    about the top: the nearer end; and within 30° of the middle of the forbidden arc from one end
//!    to the other through the arc, along a smooth step. Below 0 it is the top itself. With what
//!    the conditions lack there it returns to the free swivel, which is all that is left from
//!    `GIVEN_UP` on.
//! 4. Where some top is admissible, an answer costs its angle, and much for what its top lacks;
//!    else it costs what its top lacks. The cheapest is taken. Others that cost little more, or in
//!    the second case less than twice as much, share in a weighted mean, so that one answer passes
//!    into the other. Between two arcs that are equally far the swivel is thus admissible in
//!    neither.
//!
//! A top is the maximum of one condition or a crossing of two.

use crate::limits::{JointModel, SwivelCondition, onto_arc};
use crate::math::{float, wrap_angle};

/// Least value, below zero, from which on the free swivel is kept.
const GIVEN_UP: f32 = 0.2;
/// Value above which a condition holds.
const HOLDS: f32 = -1e-6;
/// Cost of what a top lacks, radians per unit of value: 0.0016 outweighs half a turn.
const LACK_COST: f32 = 2000.0;
/// Difference of costs, radians, from which on the dearer answer has no share.
const SHARED: f32 = 0.05;
/// Amplitude below which a condition hardly depends on the swivel, and the lack from which on that
/// counts in full.
const FLAT: (f32, f32) = (0.1, 0.02);
/// Radians about half a turn in which an angle that returns changes sides, and how fast that width
/// grows with what it has returned by.
const HALF_TURN: (f32, f32) = (0.5, 3.0);
/// Value within which a condition is the least one.
const SAME: f32 = 1e-5;
const PI: f32 = core::f32::consts::PI;

/// A swivel, radians, −π … π, and whether all conditions hold there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swivel {
    /// The angle.
    pub angle_rad: f32,
    /// Whether it is admissible.
    pub is_admissible: bool,
}

fn value(condition: &SwivelCondition, (sine, cosine): (f32, f32)) -> f32 {
    condition.a + condition.b * cosine + condition.c * sine
}
fn least(conditions: &[SwivelCondition], at: (f32, f32)) -> f32 {
    conditions.iter().map(|k| value(k, at)).fold(f32::INFINITY, f32::min)
}
fn amplitude(condition: &SwivelCondition) -> f32 {
    float::sqrt(condition.b * condition.b + condition.c * condition.c)
}

/// The admissible swivel for the free swivel 0; where there is none, one at which little is lacked.
/// Of more than ten conditions those after the tenth only count for `is_admissible`.
pub fn choose(conditions: &[SwivelCondition]) -> Swivel {
    if least(conditions, (0.0, 1.0)) >= HOLDS {
        return Swivel { angle_rad: 0.0, is_admissible: true };
    }
    let mut lifted = [SwivelCondition::FREE; JointModel::MAX_ENCLOSING];
    for (to, from) in lifted.iter_mut().zip(conditions) {
        *to = lift(from);
    }
    let lifted = &lifted[..conditions.len().min(JointModel::MAX_ENCLOSING)];
    let tops = Tops::of(lifted);
    let greatest = tops.found().iter().fold(f32::NEG_INFINITY, |most, top| most.max(top.least));
    let mut answers = [(0.0, 0.0); Tops::MOST];
    let mut cheapest = f32::INFINITY;
    for ((angle, cost), top) in answers.iter_mut().zip(tops.found()) {
        *angle = answer(lifted, top, -least(conditions, top.at));
        let lack = (-top.least).max(0.0);
        *cost = if greatest < HOLDS { lack } else { angle.abs() + LACK_COST * lack };
        cheapest = cheapest.min(*cost);
    }
    let shared = if greatest < HOLDS { -greatest } else { SHARED };
    let (mut sum, mut weights) = (0.0, 0.0);
    for (angle, cost) in &answers[..tops.count] {
        let weight = 1.0 - float::smooth_step(cheapest, cheapest + shared, *cost);
        sum += weight * angle;
        weights += weight;
    }
    let angle_rad = if weights > 0.0 { sum / weights } else { 0.0 };
    Swivel { angle_rad, is_admissible: least(conditions, float::sin_cos(angle_rad)) >= HOLDS }
}

/// A condition without what it lacks at every swivel.
fn lift(condition: &SwivelCondition) -> SwivelCondition {
    let size = amplitude(condition);
    let lack = (-(condition.a + size)).max(0.0);
    let flat = 2.0 * (FLAT.0 - size).max(0.0) * (lack / FLAT.1).min(1.0);
    SwivelCondition { a: condition.a + lack + flat, ..*condition }
}

/// The answer of a top; `lack` is what the conditions as they are given lack there.
fn answer(conditions: &[SwivelCondition], top: &Top, lack: f32) -> f32 {
    let middle = float::atan2(top.at.0, top.at.1);
    let lost = float::smooth_step(0.0, GIVEN_UP, lack);
    if top.least < HOLDS {
        return returned(middle, lost);
    }
    // How far the arc reaches from there.
    let (mut up, mut down) = (f32::INFINITY, f32::INFINITY);
    for condition in conditions {
        let size = amplitude(condition);
        if condition.a >= size {
            continue;
        }
        let half = float::acos((-condition.a / size.max(1e-20)).clamp(-1.0, 1.0));
        let off = wrap_angle(middle - float::atan2(condition.c, condition.b));
        up = up.min((half - off).max(0.0));
        down = down.min((half + off).max(0.0));
    }
    let before = wrap_angle(middle - down);
    let to_free = if before > 0.0 { 2.0 * PI - before } else { -before };
    if to_free <= up + down { 0.0 } else { returned(wrap_angle(onto_arc(middle - down, middle + up)), lost) }
}

/// An angle that has returned to the free swivel by a share. Half a turn on either side is the same
/// swivel; so about that it passes from one side to the other through the free one.
fn returned(angle: f32, share: f32) -> f32 {
    let width = HALF_TURN.0 * (HALF_TURN.1 * share).min(1.0);
    let side = if width > 0.0 { float::smooth_step(0.0, width, PI - angle.abs()) } else { 1.0 };
    angle * (1.0 - share) * side
}

/// A swivel, sine and cosine, at which the least value is greater than beside it.
#[derive(Clone, Copy)]
struct Top {
    at: (f32, f32),
    least: f32,
}

struct Tops {
    all: [Top; Self::MOST],
    count: usize,
}

impl Tops {
    /// Two conditions cross at most twice; so `n` of them are in turn the least one on at most
    /// `2 n − 2` arcs of the circle, each with one top at most. What is beyond that is a copy.
    const MOST: usize = 2 * JointModel::MAX_ENCLOSING;

    fn of(conditions: &[SwivelCondition]) -> Self {
        let mut tops = Self { all: [Top { at: (0.0, 1.0), least: 0.0 }; Self::MOST], count: 0 };
        for (i, k) in conditions.iter().enumerate() {
            let size = amplitude(k);
            if size > 1e-9 {
                tops.add(conditions, (k.c / size, k.b / size), k, k);
            }
            for other in &conditions[i + 1..] {
                // a + b cos φ + c sin φ = 0 for the difference, at ±acos(−a/r) from its direction.
                let (a, b, c) = (k.a - other.a, k.b - other.b, k.c - other.c);
                let size2 = b * b + c * c;
                let left = size2 - a * a;
                if left < 0.0 || size2 < 1e-18 {
                    continue;
                }
                let (along, across) = (-a / size2, float::sqrt(left) / size2);
                tops.add(conditions, (c * along + b * across, b * along - c * across), k, other);
                tops.add(conditions, (c * along - b * across, b * along + c * across), k, other);
            }
        }
        tops
    }
    /// Adds a place where two conditions have the same value, if it is a top: no other is below
    /// them, and one falls where the other rises.
    fn add(&mut self, all: &[SwivelCondition], at: (f32, f32), one: &SwivelCondition, other: &SwivelCondition) {
        let least = least(all, at);
        let slope = |k: &SwivelCondition| k.c * at.1 - k.b * at.0;
        let is_least = least >= value(one, at).min(value(other, at)) - SAME;
        if is_least && slope(one) * slope(other) <= 1e-6 && self.count < Self::MOST {
            self.all[self.count] = Top { at, least };
            self.count += 1;
        }
    }
    fn found(&self) -> &[Top] {
        &self.all[..self.count]
    }
}
