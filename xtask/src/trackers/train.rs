//! `cargo xtask train`: the tables of `src/trackers/tables.rs` from clips.
//!
//! Linear maps with least absolute error: ridge regression, reweighted eight times by one over the
//! error (iteratively reweighted least squares), per place and per pair of axes. Every clip counts
//! with the root of its length, and once more in a mirror. Hand-animated clips (CC0, chibi) are not
//! trained on. The judge of the gain is a table that has not seen the clip's subject:
//! `--without SUBJECT` leaves one out.
//!
//! Data: clips of the CMU Graphics Lab Motion Capture Database (mocap.cs.cmu.edu, free for use also
//! in products; funded by NSF EIA-0196217), and of Microsoft Rocketbox (MIT).

use super::clip::{self, Clip};
use super::play::{self, SETS};
use anyhow::{Context, Result};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap};
use sinew::trackers::{TrackedBody, TrackedBodySettings, TrackerRole, TrackerSample, TrainingFrame};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// What to train on.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with clips and truths.
    folder: PathBuf,
    /// Leave out clips whose names begin with this, to judge on them; may be given several times.
    #[arg(long)]
    without: Vec<String>,
    /// Writes nothing, but leaves each subject out in turn and states how far hips and feet are off
    /// for people whom the tables have seen and for those they have not, for several ridges.
    #[arg(long)]
    cross_validate: bool,
    /// Where to write; default: `src/trackers/tables.rs`.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Strength of the ridge, in parts of the weight of all frames.
const RIDGE: f64 = 0.05;
const ROUNDS: usize = 8;
/// Error below which a frame counts no more than at it, heights of the head.
const LEAST_ERROR: f64 = 0.02;

/// Trains and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let inner = arguments.folder.join("clips");
    let mut clips = clip::read_folder(if inner.is_dir() { &inner } else { &arguments.folder })?;
    clips.retain(|c| {
        let name = &c.subject.name;
        !name.starts_with("kaykit") && !arguments.without.iter().any(|w| name.starts_with(w.as_str()))
    });
    if arguments.cross_validate {
        return cross_validate(&clips);
    }
    let mut text = String::from(HEADER);
    for (from_hips, name, what, outputs, inputs) in [
        (false, "FROM_HEAD", "Corrections of hips and feet, from head and hands.", 27, 94),
        (true, "FROM_HIPS", "Corrections of feet, from hips, head and hands.", 18, 130),
    ] {
        let frames = clips.iter().map(|clip| frames_of(clip, from_hips)).collect::<Result<Vec<_>>>()?;
        let (frames, weights) = mirrored(&frames);
        let table = fit(&frames, &weights, RIDGE);
        println!("{name}: {} frames, {} x {} numbers", frames.len(), table.len(), table[0].len());
        writeln!(text, "\n/// {what}")?;
        writeln!(text, "#[rustfmt::skip]")?;
        writeln!(text, "pub(super) static {name}: [[f32; {outputs}]; {inputs}] = [")?;
        for row in &table {
            let cells: Vec<String> = row.iter().map(|w| format!("{w:.5}")).collect();
            for (i, line) in cells.chunks(9).enumerate() {
                writeln!(
                    text,
                    "    {}{},{}",
                    if i == 0 { "[" } else { " " },
                    line.join(", "),
                    if (i + 1) * 9 == row.len() { "]," } else { "" }
                )?;
            }
        }
        writeln!(text, "];")?;
    }
    let path = arguments.out.clone().unwrap_or_else(|| crate::paths::root().join("src/trackers/tables.rs"));
    std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    println!("tables in {}", path.display());
    Ok(())
}

const HEADER: &str = "//! Tables of `prior.rs`, written by `cargo xtask train`; xtask/src/trackers/train.rs names the
//! data and its licences.
";

/// The frames of clips and of their mirrors, with their weights.
fn mirrored(clips: &[Vec<TrainingFrame>]) -> (Vec<TrainingFrame>, Vec<f64>) {
    let (mut frames, mut weights) = (Vec::new(), Vec::new());
    for own in clips {
        let weight = 1.0 / (own.len() as f64).sqrt();
        weights.extend(std::iter::repeat_n(weight, 2 * own.len()));
        frames.extend(own.iter().map(TrainingFrame::mirrored));
        frames.extend(own.iter().cloned());
    }
    (frames, weights)
}

/// Ridges that are compared.
const RIDGES: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8];

/// Prints mean errors of the places of hips and feet, centimetres at 1.6 m.
fn cross_validate(clips: &[Clip]) -> Result<()> {
    let subject = |clip: &Clip| clip.subject.name.split('_').take(2).collect::<Vec<_>>().join("_");
    let mut subjects: Vec<String> = clips.iter().map(subject).collect();
    let of: Vec<String> = subjects.clone();
    subjects.sort();
    subjects.dedup();
    println!("{:<12}{:>8}{:>12}{:>12}{:>12}", "from", "ridge", "no table", "seen", "not seen");
    for (from_hips, name) in [(false, "head"), (true, "hips")] {
        let all = clips.iter().map(|clip| frames_of(clip, from_hips)).collect::<Result<Vec<_>>>()?;
        let none = vec![vec![0.0; all[0][0].targets.len()]; all[0][0].inputs.len()];
        for ridge in RIDGES {
            let (mut without, mut seen, mut unseen) = (0.0, 0.0, 0.0);
            let (frames, weights) = mirrored(&all);
            let whole = fit(&frames, &weights, ridge);
            for left_out in &subjects {
                let own = |is_out: bool| {
                    let picked = all.iter().zip(&of).filter(move |(_, of)| (*of == left_out) == is_out);
                    picked.map(|(frames, _)| frames.clone()).collect::<Vec<_>>()
                };
                let (frames, weights) = mirrored(&own(false));
                let table = fit(&frames, &weights, ridge);
                for frames in own(true) {
                    without += off(&frames, &none);
                    seen += off(&frames, &whole);
                    unseen += off(&frames, &table);
                }
            }
            let mean = |sum: f64| 160.0 * sum / all.len() as f64;
            println!("{name:<12}{ridge:>8}{:>12.2}{:>12.2}{:>12.2}", mean(without), mean(seen), mean(unseen));
        }
    }
    Ok(())
}

/// How far a table is off on average, places only, heights of the head.
fn off(frames: &[TrainingFrame], table: &[Vec<f64>]) -> f64 {
    let blocks = frames[0].targets.len() / 9;
    let mut sum = 0.0;
    for frame in frames {
        for block in 0..blocks {
            let axis = |k: usize| {
                let own: f64 = frame.inputs.iter().zip(table).map(|(x, row)| f64::from(*x) * row[9 * block + k]).sum();
                (own - f64::from(frame.targets[9 * block + k])).powi(2)
            };
            sum += (0..3).map(axis).sum::<f64>().sqrt();
        }
    }
    sum / (frames.len() * blocks) as f64
}

/// The frames of a clip as a table sees them.
fn frames_of(clip: &Clip, from_hips: bool) -> Result<Vec<TrainingFrame>> {
    let subject = &clip.subject;
    let mut map = HumanMap::new();
    for (bone, joint) in HumanBone::ALL.into_iter().zip(&subject.human) {
        map.set(bone, *joint);
    }
    let narrow = |v: crate::oracle::geometry::V3| sinew::math::Vec3::from_array(v.0.map(|x| x as f32));
    let definition = AvatarDefinition {
        map,
        up: Some(narrow(subject.up)),
        forward: Some(narrow(subject.forward)),
        ..AvatarDefinition::default()
    };
    let avatar = Arc::new(Avatar::new(Arc::new(subject.skeleton.clone()), &definition)?);
    let settings = TrackedBodySettings { prior_weight: 0.0, ..TrackedBodySettings::default() };
    let mut body = TrackedBody::new(avatar, settings);
    let t_pose = clip::bones(subject, &subject.t_pose);
    let set = SETS[if from_hips { 1 } else { 0 }].1;
    let give = |body: &mut TrackedBody, frame: &clip::Frame, time_s: f64| {
        for (role, bone) in set {
            let Some((at, own)) = play::placed(frame, *bone) else { continue };
            let sample = TrackerSample {
                time_s,
                position: Some(narrow(at)),
                rotation: Some(sinew::math::Quat::from_array(own.0.map(|x| x as f32)).normalize()),
                confidence: 1.0,
            };
            body.set_tracker(TrackerRole::ALL[*role as usize], &sample);
        }
    };
    let sole = play::sole(
        &t_pose,
        subject.up,
        [0, 1].map(|i| body.avatar().foot_bottom_height(sinew::humanoid::IkGoal::ALL[i]).into()),
    );
    give(&mut body, &t_pose, 0.0);
    body.calibrate(sinew::trackers::CalibrationPose::TPose, sinew::trackers::ScalePolicy::Height, sole as f32)
        .with_context(|| format!("{} was not calibrated", subject.name))?;
    let mut calibration = *body.calibration();
    calibration.floor = play::floor(clip, &t_pose, sole) as f32;
    body.set_calibration(calibration);
    TrackerRole::ALL.into_iter().for_each(|role| body.clear_tracker(role));
    body.reset();
    let mut out = Vec::with_capacity(clip.frames.len());
    for (i, (frame, pose)) in clip.frames.iter().zip(&clip.poses).enumerate() {
        let time = i as f64 / clip.fps;
        give(&mut body, frame, time);
        body.update(time);
        out.push(body.training_frame(pose, from_hips));
    }
    Ok(out)
}

/// The table, a row per input.
fn fit(frames: &[TrainingFrame], weights: &[f64], strength: f64) -> Vec<Vec<f64>> {
    let (inputs, outputs) = (frames[0].inputs.len(), frames[0].targets.len());
    let wide = |v: &[f32]| v.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
    let total: f64 = weights.iter().sum();
    // Inputs in units of their own spread, so that the ridge treats them alike.
    let mut spread = vec![1.0; inputs];
    let mut means = vec![0.0; inputs];
    for i in 1..inputs {
        let at = |f: &TrainingFrame| f64::from(f.inputs[i]);
        means[i] = frames.iter().zip(weights).map(|(f, w)| at(f) * w).sum::<f64>() / total;
        let square: f64 = frames.iter().zip(weights).map(|(f, w)| (at(f) - means[i]).powi(2) * w).sum::<f64>() / total;
        spread[i] = square.sqrt() + 1e-2;
    }
    let rows: Vec<Vec<f64>> = frames
        .iter()
        .map(|f| {
            wide(&f.inputs)
                .iter()
                .enumerate()
                .map(|(i, x)| if i == 0 { 1.0 } else { (x - means[i]) / spread[i] })
                .collect()
        })
        .collect();
    let mut table = vec![vec![0.0; outputs]; inputs];
    let groups = (0..outputs).step_by(9).flat_map(|at| [(at, 3), (at + 3, 6)]);
    for (from, count) in groups {
        let mut own = weights.to_vec();
        for _ in 0..ROUNDS {
            let solution = ridge(&rows, frames, &own, strength, from, count);
            for ((row, frame), (weight, base)) in rows.iter().zip(frames).zip(own.iter_mut().zip(weights)) {
                let off = |k: usize| {
                    let sum: f64 = row.iter().zip(&solution).map(|(x, w)| x * w[k]).sum();
                    sum - f64::from(frame.targets[from + k])
                };
                let error = (0..count).map(|k| off(k).powi(2)).sum::<f64>().sqrt();
                *weight = base / error.max(LEAST_ERROR);
            }
            for (row, solved) in table.iter_mut().zip(&solution) {
                row[from..from + count].copy_from_slice(solved);
            }
        }
    }
    for i in 1..inputs {
        let (constant, rest) = table.split_at_mut(i);
        for (factor, to) in rest[0].iter_mut().zip(&mut constant[0]).take(outputs) {
            *factor /= spread[i];
            *to -= *factor * means[i];
        }
    }
    table
}

/// Weighted ridge regression of some targets, by Cholesky's method.
fn ridge(
    rows: &[Vec<f64>],
    frames: &[TrainingFrame],
    weights: &[f64],
    strength: f64,
    from: usize,
    count: usize,
) -> Vec<Vec<f64>> {
    let n = rows[0].len();
    let mut normal = vec![vec![0.0; n]; n];
    let mut right = vec![vec![0.0; count]; n];
    for ((row, frame), weight) in rows.iter().zip(frames).zip(weights) {
        for i in 0..n {
            let own = row[i] * weight;
            for (sum, x) in normal[i][..=i].iter_mut().zip(row) {
                *sum += own * x;
            }
            for (sum, target) in right[i].iter_mut().zip(&frame.targets[from..]) {
                *sum += own * f64::from(*target);
            }
        }
    }
    let total: f64 = weights.iter().sum();
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += total * if i == 0 { 1e-3 } else { strength };
    }
    for i in 0..n {
        for j in 0..=i {
            let (above, own) = normal.split_at_mut(i);
            let left = if i == j { own[0][..j].to_vec() } else { above[j][..j].to_vec() };
            let sum: f64 = own[0][..j].iter().zip(&left).map(|(a, b)| a * b).sum();
            let rest = own[0][j] - sum;
            own[0][j] = if i == j { rest.sqrt() } else { rest / above[j][j] };
        }
    }
    let solve =
        |right: &mut Vec<Vec<f64>>, i: usize, k: usize, factors: &dyn Fn(usize) -> f64, from: usize, to: usize| {
            let sum: f64 = (from..to).map(|j| factors(j) * right[j][k]).sum();
            right[i][k] = (right[i][k] - sum) / normal[i][i];
        };
    (0..count).for_each(|k| {
        (0..n).for_each(|i| solve(&mut right, i, k, &|j| normal[i][j], 0, i));
        (0..n).rev().for_each(|i| solve(&mut right, i, k, &|j| normal[j][i], i + 1, n));
    });
    right
}
