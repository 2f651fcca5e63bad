//! Which swivel a limb takes whose root joint has limits.
//!
//! About the line from its root to its end a limb may swivel without moving either. Every limit is
//! `a + b cos φ + c sin φ ≥ 0` there ([`crate::limits::HalfSpace`]): all of the circle when `a ≥ r
//! = √(b² + c²)`, none when `a < −r`, else the arc `atan2(c, b) ± acos(−a/r)`.
//!
//! The choice is continuous in the conditions wherever they leave a single arc:
//!
//! 1. The free swivel (φ = 0) is kept when all conditions hold there.
//! 2. Else the arc is taken that holds `φ*`, the swivel at which the least value is greatest. The
//!    circle is retracted onto it: the nearer end; and within 30° of the middle of the forbidden
//!    arc from one end to the other through the arc, along a smooth step.
//! 3. No arc: the same with all conditions lowered until `φ*` fulfils them, and farther with what
//!    they lack of that: from nothing, where an arc ends in a point, to all of the circle where
//!    they lack `GIVEN_UP` or more. So the free swivel comes back as the limits become hopeless,
//!    and two swivels that are equally good then do not matter.
//!
//! `φ*` is a maximum of one condition or a crossing of two.

use crate::limits::{SwivelCondition, onto_arc};
use crate::math::{float, wrap_angle};

/// Least value, below zero, from which on the free swivel is kept.
const GIVEN_UP: f32 = 0.2;
/// Value above which a condition holds.
const HOLDS: f32 = -1e-6;

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

/// The admissible swivel for the free swivel 0; where there is none, one whose least value is near
/// the greatest possible.
pub fn choose(conditions: &[SwivelCondition]) -> Swivel {
    if conditions.iter().all(|k| k.a + k.b >= HOLDS) {
        return Swivel { angle_rad: 0.0, is_admissible: true };
    }
    let (best, least) = best(conditions);
    let is_admissible = least >= HOLDS;
    let lowered = match -least / GIVEN_UP {
        _ if is_admissible => 0.0,
        lack if lack < 0.999 => -least / (1.0 - lack),
        _ => f32::INFINITY,
    };
    if conditions.iter().all(|k| k.a + k.b + lowered >= HOLDS) {
        return Swivel { angle_rad: 0.0, is_admissible };
    }
    // How far the arc reaches from there.
    let (mut up, mut down) = (f32::INFINITY, f32::INFINITY);
    for condition in conditions {
        let size = float::sqrt(condition.b * condition.b + condition.c * condition.c);
        let a = condition.a + lowered;
        if a >= size {
            continue;
        }
        let half = float::acos((-a / size.max(1e-20)).clamp(-1.0, 1.0));
        let off = wrap_angle(best - float::atan2(condition.c, condition.b));
        up = up.min((half - off).max(0.0));
        down = down.min((half + off).max(0.0));
    }
    let (low, high) = (best - down, best + up);
    let angle = onto_arc(low, high);
    Swivel { angle_rad: wrap_angle(angle), is_admissible }
}

/// The swivel at which the least value is greatest, and that value.
fn best(conditions: &[SwivelCondition]) -> (f32, f32) {
    let least_at = |at: (f32, f32)| conditions.iter().map(|k| value(k, at)).fold(f32::INFINITY, f32::min);
    let (mut best, mut greatest) = ((0.0, 1.0), least_at((0.0, 1.0)));
    let mut candidate = |at: (f32, f32)| {
        let least = least_at(at);
        if least > greatest {
            (best, greatest) = (at, least);
        }
    };
    for (i, k) in conditions.iter().enumerate() {
        let size = float::sqrt(k.b * k.b + k.c * k.c);
        if size > 1e-9 {
            candidate((k.c / size, k.b / size));
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
            candidate((c * along + b * across, b * along - c * across));
            candidate((c * along - b * across, b * along + c * across));
        }
    }
    (float::atan2(best.0, best.1), greatest)
}
