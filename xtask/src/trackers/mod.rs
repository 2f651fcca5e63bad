//! `cargo xtask trackers`: bodies from trackers, through the C ABI, judged from outside in double
//! precision.
//!
//! Trackers are taken from the truth of clips: 3 (head, hands), 4 (and hips), 6 (and feet), 8 (and
//! elbows), 10 (and knees), 11 (and chest). They are calibrated in a T-pose of the clip's skeleton,
//! somewhere in the room; then each clip is played once with exact trackers and once with noise,
//! latency and losses. Measures as the published ones: mean error of joints (MPJPE, cm), of local
//! rotations (MPJRE, degrees), of velocities (MPJVE, cm/s), mean jerk beside the truth's own, and
//! so on: `score.rs`.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

mod clip;
mod film;
mod host;
mod play;
mod score;
pub mod train;

use crate::sh;
use anyhow::{Context, Result, bail};
use play::Reports;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use testkit::build::Build;

/// What to play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with clips and truths (`NAME.json`, `NAME.truth.json`), or one with `clips/`.
    folder: PathBuf,
    /// Write `{"sets": {N: {METRIC: x}}}` to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Write a film strip of each clip into this folder: the truth in grey, the bodies from three,
    /// four and six trackers over it.
    #[arg(long)]
    film: Option<PathBuf>,
    /// Build of the body in the film strips: the player's own, or one that is none of a person.
    #[arg(long, value_enum, default_value_t = Body::Player)]
    body: Body,
    /// Print every clip.
    #[arg(long)]
    clips: bool,
    /// Only these sets; may be given several times.
    #[arg(long)]
    set: Vec<usize>,
    /// Part of the trained tables, 0 … 1.
    #[arg(long, default_value_t = 1.0)]
    prior: f32,
    /// Stay in this build. Without it an unoptimised build hands over to an optimised one, so that
    /// times mean something.
    #[arg(long)]
    debug: bool,
}

/// Builds of bodies.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Body {
    Player,
    Chibi,
    Giant,
}

impl Body {
    fn build(self) -> Option<(Build, &'static str)> {
        match self {
            Self::Player => None,
            Self::Chibi => Some((Build::Chibi, "chibi")),
            Self::Giant => Some((Build::Giant, "giant")),
        }
    }
}

const SHOWN: [&str; 20] = [
    "mpjpe",
    "mpjpe_upright",
    "mpjre",
    "mpjve",
    "jit",
    "jit0",
    "root",
    "spine",
    "shoulder",
    "elbow",
    "knee",
    "lower",
    "foot",
    "head",
    "hand",
    "head_deg",
    "hand_deg",
    "skate",
    "pen",
    "us",
];

/// Plays, judges, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) && !arguments.debug {
        return run_optimised(arguments);
    }
    let inner = arguments.folder.join("clips");
    let clips = clip::read_folder(if inner.is_dir() { &inner } else { &arguments.folder })?;
    if let Some(folder) = &arguments.film {
        return films(&clips, folder, arguments);
    }
    let (mut sets, mut per_clip) = (Map::new(), Map::new());
    println!("{:<14}{}", "", SHOWN.map(|name| format!("{:>9}", name.replace("mpjpe_", ""))).concat());
    for (count, set) in play::SETS {
        if !arguments.set.is_empty() && !arguments.set.contains(&count) {
            continue;
        }
        let mut values = Map::new();
        let mut own = Map::new();
        for (reports, prefix) in [(Reports::Exact, ""), (Reports::Real, "real_")] {
            let mut settings = play::settings(reports)?;
            settings.prior_weight = arguments.prior;
            let mut scores = Vec::new();
            for clip in &clips {
                let played = play::play(clip, &clip.subject, set, reports, &settings)?;
                scores.push((clip.subject.name.clone(), score::score(clip, &played)));
            }
            let means = score::summary(&scores);
            print_row(&format!("{count} {}", if prefix.is_empty() { "exact" } else { "real" }), &means);
            for (name, scores) in &scores {
                let values: Map<String, Value> = scores.iter().map(|(k, v)| ((*k).into(), json!(v))).collect();
                if arguments.clips {
                    print_row(&name.chars().take(13).collect::<String>(), &values);
                }
                own.insert(format!("{prefix}{name}"), Value::Object(values));
            }
            values.extend(means.into_iter().map(|(k, v)| (format!("{prefix}{k}"), v)));
        }
        sets.insert(count.to_string(), Value::Object(values));
        per_clip.insert(count.to_string(), Value::Object(own));
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&json!({ "sets": sets, "clips": per_clip }))? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        println!("results in {}", path.display());
    }
    Ok(())
}

/// Sets that the film strips show.
const FILMED: [usize; 3] = [3, 4, 6];

fn films(clips: &[clip::Clip], folder: &Path, arguments: &Arguments) -> Result<()> {
    let mut settings = play::settings(Reports::Exact)?;
    settings.prior_weight = arguments.prior;
    for clip in clips {
        let odd = match arguments.body.build() {
            Some((build, name)) => Some((clip.subject.built(build)?, name)),
            None => None,
        };
        let body = odd.as_ref().map_or(&clip.subject, |(body, _)| body);
        let mut rows = Vec::new();
        for (count, set) in play::SETS.iter().filter(|(count, _)| FILMED.contains(count)) {
            rows.push((*count, play::play(clip, body, set, Reports::Exact, &settings)?));
        }
        let name = odd.as_ref().map(|(_, name)| format!("{} {name}", clip.subject.name));
        film::write(name.as_ref().unwrap_or(&clip.subject.name), clip, &rows, folder)?;
    }
    println!("film strips in {}", folder.display());
    Ok(())
}

fn print_row(name: &str, values: &Map<String, Value>) {
    let cell = |key: &str| match values.get(key).and_then(Value::as_f64) {
        Some(value) => format!("{value:>9.2}"),
        None => format!("{:>9}", ""),
    };
    println!("{name:<14}{}", SHOWN.map(cell).concat());
}

/// Hands over to an optimised build of this program.
fn run_optimised(arguments: &Arguments) -> Result<()> {
    let mut cargo =
        sh::cargo(&["run", "--release", "--quiet", "--package", "sinew-xtask", "--bin", "xtask", "--", "trackers"]);
    cargo.arg(std::path::absolute(&arguments.folder)?);
    if let Some(path) = &arguments.json {
        cargo.arg("--json").arg(std::path::absolute(path)?);
    }
    if let Some(folder) = &arguments.film {
        cargo.arg("--film").arg(std::path::absolute(folder)?);
        if let Some((_, name)) = arguments.body.build() {
            cargo.args(["--body", name]);
        }
    }
    if arguments.clips {
        cargo.arg("--clips");
    }
    for set in &arguments.set {
        cargo.arg("--set").arg(set.to_string());
    }
    cargo.arg("--prior").arg(arguments.prior.to_string());
    if !cargo.status().context("starting cargo")?.success() {
        bail!("the optimised build did not succeed");
    }
    Ok(())
}
