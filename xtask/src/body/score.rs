//! Scores by kind.

use super::format::{Case, Rig, Sequence};
use super::judge::{Judged, Reading};
use super::peers;
use super::run::Answer;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A reach case is reached within this, and within the limits to this.
const REACHED_MM: f64 = 1.0;
const REACHED_DEG: f64 = 0.5;
const LIMIT_DEG: f64 = 0.05;
const ROOT_MOVED: f64 = 0.1;

/// What is known of one kind.
#[derive(Default)]
struct Kind {
    n: usize,
    reached: usize,
    is_reach: bool,
    missed_mm: Vec<f64>,
    violations: usize,
    us: Vec<f64>,
    iterations: Vec<f64>,
    over_best_mm: BTreeMap<String, Vec<f64>>,
    turns_deg: Vec<f64>,
    returns_deg: Vec<f64>,
    frames_off_percent: Vec<f64>,
}

/// All kinds, in the order of the files.
#[derive(Default)]
pub struct Kinds {
    kinds: Vec<(String, Kind)>,
}

fn rank(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * (sorted.len().max(1) - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(low), sorted.get(high)) {
        (Some(a), Some(b)) => a + (b - a) * (place - low as f64),
        _ => 0.0,
    }
}
fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn is_violated(judged: &Judged, reading: Reading) -> bool {
    let violation = judged.violation_deg(reading);
    violation.is_nan() || violation >= LIMIT_DEG
}

impl Kinds {
    fn kind(&mut self, name: &str) -> &mut Kind {
        let at = self.kinds.iter().position(|(n, _)| n == name).unwrap_or_else(|| {
            self.kinds.push((name.to_owned(), Kind::default()));
            self.kinds.len() - 1
        });
        &mut self.kinds[at].1
    }

    pub fn add_case(&mut self, rig: &Rig, case: &Case, answer: &Answer, reading: Reading) {
        let judged = Judged::new(rig, &answer.pose);
        let (mm, degrees) = judged.worst(case.tasks.iter().map(|t| (t, t.goal.as_slice())));
        let violated = is_violated(&judged, reading);
        let root_stays = case.root != "fixed" || judged.root_moved(&case.start) < ROOT_MOVED;
        let kind = self.kind(&case.kind);
        kind.n += 1;
        kind.us.push(answer.us);
        kind.iterations.push(f64::from(answer.iterations));
        kind.violations += usize::from(violated);
        match &case.best {
            None => {
                kind.is_reach = true;
                if mm <= REACHED_MM && degrees <= REACHED_DEG && !violated && root_stays {
                    kind.reached += 1;
                } else {
                    kind.missed_mm.push(mm);
                }
            }
            Some(best) => {
                for (priority, objective) in &best.objective {
                    let ours = judged.objective(&case.tasks, priority.parse().unwrap_or(0));
                    let over = (ours.sqrt() - objective.sqrt()) * 1000.0;
                    kind.over_best_mm.entry(priority.clone()).or_default().push(over);
                }
            }
        }
    }

    pub fn add_sequence(&mut self, rig: &Rig, sequence: &Sequence, answers: &[Answer], reading: Reading) {
        let judged: Vec<Judged> = answers.iter().map(|a| Judged::new(rig, &a.pose)).collect();
        // The goals that are pulled away or faded are not those that have to be met.
        let left_out = match sequence.kind.as_str() {
            "fade" => 2,
            "out_and_back" => 1,
            _ => 0,
        };
        let count = sequence.tasks.len() - left_out;
        let off = judged.iter().zip(&sequence.goals).filter(|(pose, goals)| {
            let (mm, degrees) = pose.worst(sequence.tasks[..count].iter().zip(goals.iter().map(Vec::as_slice)));
            mm > REACHED_MM || degrees > REACHED_DEG
        });
        let off = 100.0 * off.count() as f64 / judged.len().max(1) as f64;
        let turns: Vec<f64> = judged.windows(2).map(|w| w[1].turn_deg(&w[0])).collect();
        let back = match (judged.first(), judged.last()) {
            (Some(first), Some(last)) => last.turn_deg(first),
            _ => 0.0,
        };
        let violations = judged.iter().filter(|j| is_violated(j, reading)).count();
        let kind = self.kind(&sequence.kind);
        kind.n += 1;
        kind.violations += violations;
        kind.us.extend(answers.iter().map(|a| a.us));
        kind.iterations.extend(answers.iter().map(|a| f64::from(a.iterations)));
        kind.turns_deg.push(most(&turns));
        kind.returns_deg.push(back);
        kind.frames_off_percent.push(off);
    }

    pub fn print(&self) {
        for (name, kind) in &self.kinds {
            print!(
                "{name:<13} n {:<3} µs median {:8.1} p90 {:8.1} max {:8.1}  iterations {:3.0}  violations {}",
                kind.n,
                rank(&kind.us, 0.5),
                rank(&kind.us, 0.9),
                most(&kind.us),
                rank(&kind.iterations, 0.5),
                kind.violations
            );
            if kind.is_reach {
                print!("  reached {}/{}", kind.reached, kind.n);
                kind.missed_mm.iter().for_each(|mm| print!(" (missed {mm:.1} mm)"));
            }
            for (priority, over) in &kind.over_best_mm {
                let (median, p90) = (rank(over, 0.5), rank(over, 0.9));
                print!("  level {priority} over best: median {median:.2} p90 {p90:.2} max {:.1} mm", most(over));
            }
            if !kind.turns_deg.is_empty() {
                print!(
                    "  frames off {:.1} %  turn a frame: max {:.1} median {:.1}  return {:.3} degrees",
                    kind.frames_off_percent.iter().sum::<f64>() / kind.n as f64,
                    most(&kind.turns_deg),
                    rank(&kind.turns_deg, 0.5),
                    most(&kind.returns_deg)
                );
            }
            println!();
            if let Some(line) = peers::line(name) {
                println!("{:13} {line}", "");
            }
        }
    }

    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        for (name, kind) in &self.kinds {
            let over: Map<String, Value> = kind
                .over_best_mm
                .iter()
                .map(|(p, v)| (p.clone(), json!({"median": rank(v, 0.5), "p90": rank(v, 0.9), "max": most(v)})))
                .collect();
            let mean_off = kind.frames_off_percent.iter().sum::<f64>() / kind.n as f64;
            out.insert(
                name.clone(),
                json!({
                    "n": kind.n,
                    "reached": kind.reached,
                    "missed_mm": kind.missed_mm,
                    "violations": kind.violations,
                    "us_median": rank(&kind.us, 0.5),
                    "us_p90": rank(&kind.us, 0.9),
                    "us_max": most(&kind.us),
                    "iterations_median": rank(&kind.iterations, 0.5),
                    "over_best_mm": over,
                    "turn_max_deg": most(&kind.turns_deg),
                    "return_deg": most(&kind.returns_deg),
                    "frames_off_percent": mean_off,
                }),
            );
        }
        Value::Object(out)
    }
}
