//! A smooth path is walked in small steps; a step in which a joint turns far is bisected.

use crate::oracle::geometry::V3;
use anyhow::Result;
use testkit::Random;

/// Turn of a joint in a step from which on a step is bisected, and that a jump keeps, radians.
const SUSPECT: f64 = 8.0 * std::f64::consts::PI / 180.0;
const BISECTIONS: usize = 14;

/// A closed sum of sines.
pub struct Path {
    middle: V3,
    terms: [(V3, V3, f64); 3],
}

impl Path {
    pub fn new(random: &mut Random, middle: V3, radius: f64) -> Self {
        let mut term = |k: f64| {
            let mut v = || V3(random.in_ball(1.0).to_array().map(f64::from));
            let scale = radius / k.sqrt();
            (v() * scale, v() * scale, k)
        };
        Self { middle, terms: [term(1.0), term(2.0), term(3.0)] }
    }
    /// At `s`, 0 … 1.
    pub fn at(&self, s: f64) -> V3 {
        self.terms.iter().fold(self.middle, |sum, (a, b, k)| {
            let (sine, cosine) = (std::f64::consts::TAU * k * s).sin_cos();
            sum + *a * cosine + *b * sine
        })
    }
}

/// What a walk showed.
#[derive(Default)]
pub struct Found {
    /// Way of the goal.
    pub length: f64,
    /// Turns that bisection does not shrink.
    pub jumps: usize,
    /// Of those, with the goal reached on both sides.
    pub reached: usize,
    /// Of those, more than a right angle.
    pub large: usize,
    /// Degrees per 1 % of the unit of length, without jumps.
    pub steepest: f64,
}

/// What is solved along a path.
pub trait Walker {
    /// A solved pose.
    type Solved: Clone;
    /// Where the goal is at `s`, 0 … 1.
    fn goal(&self, s: f64) -> V3;
    /// The pose at `s`, after another one; not every solve depends on that.
    fn solve(&self, s: f64, after: Option<&Self::Solved>) -> Result<Self::Solved>;
    /// The largest turn of a joint between two poses, radians.
    fn turn(&self, a: &Self::Solved, b: &Self::Solved) -> f64;
    /// Whether the goal was reached.
    fn is_reached(&self, solved: &Self::Solved) -> bool;
    /// Called with each pose of the walk.
    fn see(&mut self, _s: f64, _solved: &Self::Solved) {}
}

/// Walks from 0 to 1 in steps of the goal of this length; `unit` is a limb's or chain's.
pub fn walk<W: Walker>(walker: &mut W, step: f64, unit: f64, found: &mut Found) -> Result<()> {
    let (mut s, mut before) = (0.0, walker.solve(0.0, None)?);
    while s < 1.0 {
        // Steps of equal length, near enough.
        let speed = walker.goal(s).distance(walker.goal(s + 1e-5)) / 1e-5 / unit;
        let next = (s + step / speed.max(1e-3)).min(1.0);
        let after = walker.solve(next, Some(&before))?;
        walker.see(next, &after);
        let turned = walker.turn(&before, &after);
        found.length += step;
        let left = if turned > SUSPECT { bisected(walker, (s, &before), (next, &after))? } else { None };
        match left {
            Some((left, reached)) => {
                found.jumps += 1;
                found.reached += usize::from(reached);
                found.large += usize::from(left > std::f64::consts::FRAC_PI_2);
            }
            None => found.steepest = found.steepest.max(turned.to_degrees() / (step * 100.0)),
        }
        (s, before) = (next, after);
    }
    Ok(())
}

/// The turn that is left when the steeper half of a step is taken again and again, and whether both
/// sides reach; `None` when it shrinks.
fn bisected<W: Walker>(
    walker: &W,
    (mut a_at, a): (f64, &W::Solved),
    (mut b_at, b): (f64, &W::Solved),
) -> Result<Option<(f64, bool)>> {
    let (mut a, mut b) = (a.clone(), b.clone());
    for _ in 0..BISECTIONS {
        let half = 0.5 * (a_at + b_at);
        let middle = walker.solve(half, Some(&a))?;
        // A solve that goes on from the pose before comes to the end by the middle.
        let end = walker.solve(b_at, Some(&middle))?;
        if walker.turn(&a, &middle) >= walker.turn(&middle, &end) {
            (b_at, b) = (half, middle);
        } else {
            (a_at, a, b) = (half, middle, end);
        }
    }
    let left = walker.turn(&a, &b);
    Ok((left > SUSPECT).then(|| (left, walker.is_reached(&a) && walker.is_reached(&b))))
}
