//! What a grounded animation is worth, recomputed in double precision from joint positions alone.

use super::clip::{Clip, percentile};
use super::stage::Frame;
use super::terrain::Terrain;
use crate::oracle::geometry::V3;
use std::collections::BTreeMap;

/// Metrics by name; lengths in mm, angles in degrees, per frame where it says acceleration.
pub type Metrics = BTreeMap<&'static str, f64>;

/// How far a knee is bent in each frame, degrees.
fn knee_bends(frames: &[Frame], leg: usize) -> Vec<f64> {
    let bend = |frame: &Frame| {
        let l = &frame.legs[leg];
        let (a, b) = (l.knee - l.hip, l.ankle - l.knee);
        (a.dot(b) / a.len() / b.len()).clamp(-1.0, 1.0).acos().to_degrees()
    };
    frames.iter().map(bend).collect()
}

/// Largest second difference over the frames.
fn acceleration(values: &[f64]) -> f64 {
    values.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0, f64::max)
}

fn jerk(frames: &[Frame], dt: f64) -> f64 {
    let p: Vec<V3> = frames.iter().map(|f| f.hips).collect();
    let third: Vec<f64> = p
        .windows(4)
        .map(|w| {
            let j = (w[3] - w[0] + (w[1] - w[2]) * 3.0) * (1.0 / dt.powi(3));
            j.dot(j)
        })
        .collect();
    if third.is_empty() { 0.0 } else { (third.iter().sum::<f64>() / third.len() as f64).sqrt() }
}

/// Judges `output` against the `input` it was made from.
pub fn score(clip: &Clip, terrain: &Terrain, input: &[Frame], output: &[Frame], dt: f64) -> Metrics {
    let mut m = Metrics::new();
    let frames = output.len();
    let mm = 1000.0;
    if terrain.kind == "patches" {
        let mut sums = [0.0; 3];
        for (leg, truth) in clip.legs.iter().enumerate() {
            for (f, frame) in output.iter().enumerate() {
                let l = &frame.legs[leg];
                sums[0] += l.hip.distance(truth.hip[f]);
                sums[1] += l.knee.distance(truth.knee[f]);
                sums[2] += l.ankle.distance(truth.ankle[f]);
            }
        }
        let count = (frames * clip.legs.len()) as f64;
        for (name, sum) in ["err_hip", "err_knee", "err_ankle"].into_iter().zip(sums) {
            m.insert(name, sum / count * mm);
        }
    }
    let (mut deep, mut high, mut slides, mut straight, mut over) = (vec![], vec![], vec![], 0u32, 0u32);
    let (mut knee, mut knee_in, mut pop) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut bend, mut bend_in) = (0.0_f64, 0.0_f64);
    for (i, leg) in clip.legs.iter().enumerate() {
        let mut clearance = Vec::with_capacity(frames);
        for frame in output {
            let l = &frame.legs[i];
            let [bx, by, bz] = l.ball.0;
            let [ax, ay, az] = l.ankle.0;
            let slant = terrain.ray(bx, bz, frame.time).1.0[1];
            let ball = (by - leg.ball_height - terrain.height(bx, bz, frame.time)) * slant;
            let ankle = (ay - leg.ankle_height - terrain.height(ax, az, frame.time)) * slant;
            deep.push((-ball.min(if leg.toes { ankle } else { ball })).max(0.0) * mm);
            clearance.push(ball.min(ankle));
        }
        for [a, b] in leg.contact.iter().copied().filter(|[a, b]| b - a >= 4) {
            let stance = &output[a..b.min(frames)];
            let at: Vec<V3> = stance.iter().map(|f| f.legs[i].ball - terrain.moved(f.time)).collect();
            let mean = at.iter().fold(V3::ZERO, |s, p| s + *p) * (1.0 / at.len() as f64);
            slides.push(at.iter().map(|p| p.distance(mean)).fold(0.0, f64::max) * mm);
            high.extend(clearance[a..b.min(frames)].iter().map(|c| c.max(0.0) * mm));
        }
        let whole = (leg.knee[0] - leg.hip[0]).len() + (leg.ankle[0] - leg.knee[0]).len();
        for (o, f) in output.iter().zip(input) {
            let extension = |l: &super::stage::LegFrame| (l.ankle - l.hip).len() / whole;
            straight += u32::from(extension(&o.legs[i]) > 0.998 && extension(&f.legs[i]) < 0.99);
            over += u32::from(o.legs[i].over);
        }
        let (bends, bends_in) = (knee_bends(output, i), knee_bends(input, i));
        knee = knee.max(acceleration(&bends));
        knee_in = knee_in.max(acceleration(&bends_in));
        bend = bends.into_iter().fold(bend, f64::max);
        bend_in = bends_in.into_iter().fold(bend_in, f64::max);
        let moved: Vec<V3> = output.iter().zip(input).map(|(o, f)| o.legs[i].ball - f.legs[i].ball).collect();
        pop = moved.windows(3).map(|w| (w[2] - w[1] * 2.0 + w[0]).len() * mm).fold(pop, f64::max);
    }
    let mean = |v: &[f64]| if v.is_empty() { 0.0 } else { v.iter().sum::<f64>() / v.len() as f64 };
    let most = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
    m.insert("pen_p95", percentile(deep.clone(), 95.0));
    m.insert("pen_max", most(&deep));
    m.insert("float_mean", mean(&high));
    m.insert("float_p95", percentile(high, 95.0));
    m.insert("slide_med", percentile(slides.clone(), 50.0));
    m.insert("slide_max", most(&slides));
    m.insert("stances", slides.len() as f64);
    m.insert("pelvis_jerk", jerk(output, dt));
    m.insert("pelvis_jerk_in", jerk(input, dt));
    m.insert("straight", f64::from(straight));
    m.insert("unreached", f64::from(over));
    m.insert("knee_acc", knee);
    m.insert("knee_acc_in", knee_in);
    m.insert("knee_bend_max", bend);
    m.insert("knee_bend_max_in", bend_in);
    m.insert("pop", pop);
    m.insert("frames", (frames * 2) as f64);
    m
}

/// Metrics of the cases of one kind together: the worst of maxima, counts and pops, the mean of all
/// else.
pub fn together(all: &[Metrics]) -> Metrics {
    let mut out = Metrics::new();
    for name in all.iter().flat_map(|m| m.keys().copied()) {
        let values: Vec<f64> = all.iter().filter_map(|m| m.get(name)).copied().collect();
        let worst = name.contains("max") || matches!(name, "straight" | "pop");
        let value = if worst {
            values.iter().copied().fold(0.0, f64::max)
        } else {
            values.iter().sum::<f64>() / values.len() as f64
        };
        out.insert(name, value);
    }
    out
}

/// Kind of ground in a case's name: what follows the clip, without its number.
pub fn kind(id: &str) -> &str {
    let rest = id.split("__").nth(1).unwrap_or(id);
    rest.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-'))
}
