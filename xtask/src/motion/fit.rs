//! The numbers of `src/humanoid/posture.rs`: where people's elbows and knees are about the line
//! from root to end, given the position of hand or foot, or that and its rotation.
//!
//! Linear in their terms, with least absolute error (iteratively reweighted least squares) and a
//! ridge. A clip counts with the root of its length. The judge is the error on subjects that a fit
//! has not seen. Hand-animated clips (KayKit) are judged, not fitted to.
//!
//! Data: clips of the CMU Graphics Lab Motion Capture Database (mocap.cs.cmu.edu, free for use also
//! in products; funded by NSF EIA-0196217), and of Microsoft Rocketbox (MIT).

use super::clips::Clip;
use super::subject::{LIMBS, rotation_of};
use crate::ground::clip::percentile;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::f64::consts::PI;

/// Strength of the ridge, in parts of the weight of all frames times a term's mean square.
const RIDGE: f64 = 0.3;
const ROUNDS: usize = 30;
/// Error below which a frame counts no more than at it, radians.
const LEAST_ERROR: f64 = 5.0 * PI / 180.0;
/// Offset of the mid joint from the line, in parts of the line, below which a limb has no swivel.
const STRAIGHT: f64 = 0.02;
const TERMS: usize = 6;

/// One limb of one frame.
struct Sample {
    terms: [f64; TERMS],
    swivel: f64,
    weight: f64,
    subject: String,
}

/// Fits, prints, and judges on subjects left out.
pub fn run(clips: &[Clip]) -> Result<Value> {
    println!("\npeople's swivel of elbows and knees: error in degrees (mean, 90 %, over 60°), numbers");
    let mut rows = Map::new();
    for (name, limbs, counts) in [("ARM", [2, 3], [TERMS, 2]), ("LEG", [0, 1], [TERMS, 2])] {
        let mut samples = Vec::new();
        for clip in clips {
            for limb in limbs {
                samples.extend(samples_of(clip, limb).with_context(|| clip.subject.name.clone())?);
            }
        }
        for (count, goal) in counts.into_iter().zip(["turned", "placed"]) {
            let mut subjects: Vec<&str> = samples.iter().map(|s| s.subject.as_str()).collect();
            subjects.sort_unstable();
            subjects.dedup();
            let mut unseen = Vec::new();
            for left_out in &subjects {
                let numbers = fit(samples.iter().filter(|s| s.subject != **left_out), count);
                let own: Vec<f64> = errors(samples.iter().filter(|s| s.subject == **left_out), &numbers);
                println!("  {name} {goal} without {left_out:<10} {}", told(&own));
                unseen.extend(own);
            }
            let numbers = fit(samples.iter(), count);
            let text: Vec<String> = numbers.iter().map(|n| format!("{n:.3}")).collect();
            println!("{name} {goal}: unseen subjects {}, all [{}]", told(&unseen), text.join(", "));
            let mean = unseen.iter().sum::<f64>() / unseen.len().max(1) as f64;
            rows.insert(format!("{name} {goal}"), json!({ "numbers": numbers, "unseen_mean_deg": mean }));
        }
    }
    Ok(Value::Object(rows))
}

fn told(errors: &[f64]) -> String {
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let above = 100.0 * errors.iter().filter(|e| **e > 60.0).count() as f64 / errors.len().max(1) as f64;
    format!("{mean:.1} {:.1} {above:.2} %", percentile(errors.to_vec(), 90.0))
}

fn samples_of(clip: &Clip, limb: usize) -> Result<Vec<Sample>> {
    let subject = &clip.subject;
    let [root, mid, end] = LIMBS[limb].map(|bone| subject.joint(bone));
    let (root, mid, end) =
        (root.context("no root of a limb")?, mid.context("no mid joint")?, end.context("no end joint")?);
    let parent = subject.parents[root];
    let t_pose = subject.world(&subject.t_pose);
    let carrier = |world: &[_]| parent.map_or(Rotation::IDENTITY, |p| rotation_of(&world[p]));
    let (carried, end_rest) = (carrier(&t_pose), rotation_of(&t_pose[end]));
    let is_leg = limb < 2;
    let out = if limb % 2 == 1 { subject.right } else { subject.right * -1.0 };
    let axes = Axes { out, up: subject.up, forward: subject.forward };
    let mut samples = Vec::new();
    for frame in &clip.frames {
        let world = subject.world(frame);
        // Turns the frame's limb as if its root's parent were in the T-pose.
        let back = carried * carrier(&world).inverse();
        let at = |joint: usize| V3(world[joint].position);
        let own = |v: V3| axes.of(back.rotate(v));
        let (elbow, hand) = (own(at(mid) - at(root)), own(at(end) - at(root)));
        let turn = back * rotation_of(&world[end]) * end_rest.inverse();
        let terms_and_swivel = measured(is_leg, elbow, hand, [out, subject.up].map(|v| axes.of(turn.rotate(v))));
        if let Some((terms, swivel)) = terms_and_swivel {
            let weight = 1.0 / (clip.frames.len() as f64).sqrt();
            samples.push(Sample { terms, swivel, weight, subject: person(&subject.name) });
        }
    }
    Ok(samples)
}

/// Who was captured: clips are named `cmu_SUBJECT_TRIAL_…`, or after their source.
fn person(clip: &str) -> String {
    let mut parts = clip.split('_');
    let source = parts.next().unwrap_or_default();
    if source == "cmu" { format!("cmu_{}", parts.next().unwrap_or_default()) } else { source.into() }
}

struct Axes {
    out: V3,
    up: V3,
    forward: V3,
}

impl Axes {
    /// A vector's parts out, up and forward: right limbs become left ones.
    fn of(&self, v: V3) -> V3 {
        V3([v.dot(self.out), v.dot(self.up), v.dot(self.forward)])
    }
}

/// The terms of a limb and the swivel of its mid joint; `None` for a straight one.
fn measured(is_leg: bool, mid: V3, end: V3, [x, y]: [V3; 2]) -> Option<([f64; TERMS], f64)> {
    let unit = |v: V3| v * (1.0 / v.len());
    let whole = mid.len() + end.distance(mid);
    let (centre, usual) = match is_leg {
        true => (unit(V3([0.0, -1.0, 0.3])), V3([0.0, 0.0, 1.0])),
        false => (unit(V3([0.5, -0.5, 0.7])), V3([0.0, -1.0, 0.0])),
    };
    let off = mid.across(end);
    if off.len() <= STRAIGHT * end.len() {
        return None;
    }
    let along = unit(end);
    let start = unit(usual.across(centre));
    let sum = centre + along;
    let side = unit((start - sum * (2.0 * start.dot(along) / sum.dot(sum).max(1e-9))).across(along));
    let across = along.cross(side);
    let terms = [1.0, end.0[2] / whole, x.dot(side), x.dot(across), y.dot(side), y.dot(across)];
    Some((terms, off.dot(across).atan2(off.dot(side))))
}

fn wrapped(angle: f64) -> f64 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}
fn value(numbers: &[f64], terms: &[f64; TERMS]) -> f64 {
    numbers.iter().zip(terms).map(|(c, t)| c * t).sum()
}
/// Degrees.
fn errors<'a>(samples: impl Iterator<Item = &'a Sample>, numbers: &[f64]) -> Vec<f64> {
    samples.map(|s| wrapped(value(numbers, &s.terms) - s.swivel).abs().to_degrees()).collect()
}

/// The first `count` numbers.
fn fit<'a>(samples: impl Iterator<Item = &'a Sample>, count: usize) -> Vec<f64> {
    let samples: Vec<&Sample> = samples.filter(|s| s.subject != "kaykit").collect();
    let total: f64 = samples.iter().map(|s| s.weight).sum();
    let mut numbers = vec![0.0; count];
    for _ in 0..ROUNDS {
        let mut normal = vec![vec![0.0; count + 1]; count];
        for sample in &samples {
            let now = value(&numbers, &sample.terms);
            let error = wrapped(now - sample.swivel);
            let weight = sample.weight / error.abs().max(LEAST_ERROR);
            for (row, term) in normal.iter_mut().zip(&sample.terms) {
                for (sum, other) in row.iter_mut().zip(&sample.terms[..count]) {
                    *sum += weight * term * other;
                }
                row[count] += weight * term * (now - error);
            }
        }
        for (i, row) in normal.iter_mut().enumerate() {
            let square: f64 = samples.iter().map(|s| s.weight * s.terms[i] * s.terms[i]).sum::<f64>() / total;
            row[i] += RIDGE * total * if i == 0 { 1e-6 } else { square };
        }
        numbers = solved(normal);
    }
    numbers
}

/// Gauss's elimination; the last column is the right side.
fn solved(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let (done, left) = rows.split_at_mut(i + 1);
        for row in left {
            let factor = row[i] / done[i][i];
            row.iter_mut().zip(&done[i]).for_each(|(a, b)| *a -= factor * b);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    x
}
