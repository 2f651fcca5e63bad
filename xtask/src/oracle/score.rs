//! Scores: one line of numbers per group and solver.

use super::measure::Measure;
use super::run::{CaseResult, GroupResult, REFERENCE, median};
use super::sweep::{step, turn};
use serde::Serialize;

/// A missed goal: this much more error than can be had, over chain length; rotations in radians.
pub const COARSE: f64 = 1e-3;
/// The same, for a solver that claims precision.
pub const FINE: f64 = 1e-5;

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Frames whose goals can be met, that the solver took.
    pub reachable: usize,
    /// Of these, missed by more than 1e-3.
    pub missed_1e3: usize,
    /// Of these, missed by more than 1e-5.
    pub missed_1e5: usize,
    /// Position error over chain length, reachable frames.
    pub median: f64,
    pub p90: f64,
    pub max: f64,
    /// Frames whose goals cannot be met.
    pub unreachable: usize,
    /// Error above the best that can be had, frames out of reach.
    pub excess_max: f64,
    /// Largest rotation error, radians, reachable frames.
    pub rot_max: f64,
    /// Frames with a lock or limit overrun by more than 1e-3 rad.
    pub violations: usize,
    /// Torn joints, over all frames.
    pub torn: usize,
    /// Steps between neighbouring frames in which a joint flipped.
    pub flips: usize,
    /// Largest remaining angle, radians, between a pole and the direction that faces it.
    pub pole_max: f64,
    pub us_median: f64,
    /// Slowest frame.
    pub us_max: f64,
    /// Cases that the solver does not support.
    pub not_applicable: usize,
}

/// A frame that a solver did worse than is possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub case: String,
    pub frame: i64,
    pub what: String,
}

/// Whether the goals of a frame can be met, and the error from which misses count; `None` where it
/// is not scored.
fn best(result: &CaseResult, frame: usize) -> Option<(bool, f64)> {
    let reach = result.reach[frame]?;
    let found = result.runs.iter().map(|run| &run.measures[frame]).filter(|m| m.is_valid()).map(Measure::worst);
    let found = found.fold(f64::INFINITY, f64::min);
    Some(match (reach.reachable, reach.best) {
        (Some(true), best) => (true, best.unwrap_or(0.0)),
        (Some(false), _) => (false, found),
        (None, _) => (found <= COARSE, found),
    })
}

/// Error above what can be had out of reach: above the known optimum, else how much better in every
/// goal the best other pose is.
fn excess(result: &CaseResult, frame: usize, m: &Measure) -> f64 {
    if let Some(best) = result.reach[frame].and_then(|reach| reach.best) {
        return m.position - best;
    }
    let others = result.runs.iter().map(|run| &run.measures[frame]).filter(|other| other.is_valid());
    others.map(|other| m.dominated_by(other)).fold(0.0, f64::max)
}

/// Scores one solver on the cases of a group that `wanted` lets through.
pub fn score(
    group: &GroupResult,
    solver: &str,
    wanted: impl Fn(&CaseResult) -> bool,
    failures: &mut Vec<Failure>,
) -> Score {
    let mut s = Score::default();
    let (mut errors, mut times) = (Vec::new(), Vec::new());
    for result in group.cases.iter().filter(|r| wanted(r)) {
        let Some(run) = result.runs.iter().find(|run| run.solver == solver) else {
            s.not_applicable += 1;
            continue;
        };
        let mut fail = |frame: usize, what: String| {
            failures.push(Failure { case: result.case.id.clone(), frame: result.case.frames[frame].frame, what });
        };
        for (frame, m) in run.measures.iter().enumerate() {
            times.push(run.times_us[frame]);
            if m.violation > COARSE {
                s.violations += 1;
                fail(frame, format!("outside a lock or limit by {:.2e} rad", m.violation));
            }
            s.torn += m.torn;
            if m.torn > 0 {
                fail(frame, format!("{} torn", m.torn));
            }
            let Some((reachable, best)) = best(result, frame) else { continue };
            if m.pole > s.pole_max {
                s.pole_max = m.pole;
            }
            if reachable {
                let error = m.worst() - best;
                s.reachable += 1;
                errors.push(m.position);
                s.rot_max = s.rot_max.max(m.rotation);
                s.missed_1e3 += usize::from(error > COARSE);
                s.missed_1e5 += usize::from(error > FINE);
                if error > FINE {
                    let pose = format!("{:.2e} L, {:.2e} rad", m.position, m.rotation);
                    fail(frame, format!("missed by {pose}"));
                }
            } else {
                let error = excess(result, frame, m);
                s.unreachable += 1;
                s.excess_max = s.excess_max.max(error);
                if error > FINE {
                    fail(frame, format!("{error:.2e} L more than can be had out of reach"));
                }
            }
        }
        for (frame, beyond) in flips(result, solver) {
            s.flips += 1;
            fail(
                frame,
                format!("flips: a joint turns {:.0}° more than allowed to the next frame", beyond.to_degrees()),
            );
        }
    }
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors.get((errors.len() as f64 * part) as usize).copied().unwrap_or(0.0);
    (s.median, s.p90, s.max) = (at(0.5), at(0.9), errors.last().copied().unwrap_or(0.0));
    times.retain(|t| !t.is_nan());
    s.us_max = times.iter().copied().fold(0.0, f64::max);
    s.us_median = if times.is_empty() { 0.0 } else { median(&mut times) };
    s
}

/// Steps in which a solver flipped though a continuous answer exists: first frame, and turn beyond
/// what is allowed.
fn flips(result: &CaseResult, solver: &str) -> Vec<(usize, f64)> {
    let case = result.case;
    let mut flipped = Vec::new();
    for frame in 1..case.frames.len() {
        let pair = [frame - 1, frame];
        let goals = pair.map(|f| result.goals[f].as_deref());
        let step = step(case, pair.map(|f| &case.frames[f]), goals);
        let turns = |run: &super::run::CaseRun| turn(case, &run.poses[frame - 1], &run.poses[frame]);
        let Some(run) = result.runs.iter().find(|run| run.solver == solver) else { return flipped };
        if step.is_singular || turns(run) <= step.allowed {
            continue;
        }
        let is_good = |m: &Measure, f: usize| {
            let met = |(reachable, best)| if reachable { m.worst() - best } else { excess(result, f, m) } <= COARSE;
            m.is_valid() && best(result, f).is_none_or(met)
        };
        let shown = |other: &super::run::CaseRun| {
            turns(other) <= step.allowed && pair.iter().all(|f| is_good(&other.measures[*f], *f))
        };
        if step.is_continuous || result.runs.iter().any(shown) {
            flipped.push((frame - 1, turns(run) - step.allowed));
        }
    }
    flipped
}

/// The solvers that took part in a group: the default first, the reference last.
pub fn solvers(group: &GroupResult, subjects: &[super::subjects::Subject]) -> Vec<String> {
    let took = |name: &str| group.cases.iter().any(|r| r.runs.iter().any(|run| run.solver == name));
    let mut names: Vec<String> = subjects.iter().map(|s| s.name.to_owned()).filter(|name| took(name)).collect();
    names.push(REFERENCE.to_owned());
    names
}
