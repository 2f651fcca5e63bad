//! Root finding and minimization of a function of one variable in an interval.
//!
//! Sources: M. Dowell, P. Jarratt, "A modified regula falsi method for computing the root of an
//! equation", BIT 11 (1971), the Illinois variant of false position; J. Kiefer, "Sequential minimax
//! search for a maximum", Proc. AMS 4 (1953), the golden section.

/// A bracket: two places where the function has opposite signs. False position, where the value of
/// an end that stays twice is halved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    low: f32,
    at_low: f32,
    high: f32,
    at_high: f32,
    /// The end that moved last: 1 the low one, −1 the high one, 0 none yet.
    moved: i32,
}

impl Bracket {
    /// The bracket of two places, each with the function's value.
    pub fn new((low, at_low): (f32, f32), (high, at_high): (f32, f32)) -> Self {
        Self { low, at_low, high, at_high, moved: 0 }
    }
    /// Zero of the line through both ends (the secant).
    pub fn guess(&self) -> f32 {
        let share = self.at_low / (self.at_low - self.at_high);
        self.low + (self.high - self.low) * share
    }
    /// Midpoint.
    pub fn middle(&self) -> f32 {
        0.5 * (self.low + self.high)
    }
    /// Whether the bracket is narrow relative to its larger end.
    pub fn is_narrow(&self) -> bool {
        (self.high - self.low).abs() <= 1e-7 * self.high.abs().max(self.low.abs())
    }
    /// Replaces the end with the same sign by a place in between.
    pub fn put(&mut self, at: f32, value: f32) {
        if (value < 0.0) == (self.at_low < 0.0) {
            (self.low, self.at_low) = (at, value);
            if self.moved > 0 {
                self.at_high *= 0.5;
            }
            self.moved = 1;
        } else {
            (self.high, self.at_high) = (at, value);
            if self.moved < 0 {
                self.at_low *= 0.5;
            }
            self.moved = -1;
        }
    }
}

/// Line search: the minimum between two places after `rounds` golden sections, and the value there.
pub(crate) fn least(from: f32, to: f32, rounds: u32, mut of: impl FnMut(f32) -> f32) -> (f32, f32) {
    const GOLDEN: f32 = 0.618_034;
    let (mut a, mut b) = (from, to);
    let (mut c, mut d) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut at_c, mut at_d) = (of(c), of(d));
    for _ in 0..rounds {
        if at_c < at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - GOLDEN * (b - a);
            at_c = of(c);
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + GOLDEN * (b - a);
            at_d = of(d);
        }
    }
    if at_c < at_d { (c, at_c) } else { (d, at_d) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_from_either_side() {
        for root in [0.1_f32, 0.5, 0.93] {
            for sign in [1.0, -1.0] {
                let of = |x: f32| sign * (x * x * x - root * root * root);
                let mut bracket = Bracket::new((0.0, of(0.0)), (1.0, of(1.0)));
                for _ in 0..20 {
                    let at = bracket.guess();
                    bracket.put(at, of(at));
                    if bracket.is_narrow() || of(at) == 0.0 {
                        break;
                    }
                }
                assert!((bracket.guess() - root).abs() < 1e-5, "{root} {sign}: {bracket:?}");
                assert!(bracket.low <= root + 1e-6 && root - 1e-6 <= bracket.high, "{root} {sign}: {bracket:?}");
            }
        }
    }

    #[test]
    fn the_least_place_is_found_whichever_way_one_looks() {
        for (from, to) in [(0.0, 1.0), (1.0, 0.0)] {
            let (at, value) = least(from, to, 24, |x| (x - 0.3) * (x - 0.3) + 2.0);
            assert!((at - 0.3).abs() < 1e-3 && (value - 2.0).abs() < 1e-6, "{at} {value}");
        }
    }
}
