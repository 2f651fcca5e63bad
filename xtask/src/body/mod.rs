//! `cargo xtask body`: the whole-body solver on a folder of cases, judged here in double precision.
//!
//! Nothing that the solver says about its own success is used: forward kinematics, residuals and
//! limits are computed from the joint rotations and the file alone ([`judge`]). The limits of a
//! ball joint can be read in two ways. Best known objectives were sought among poses with three
//! angles in their ranges; so cases that have one are solved and judged with these
//! (`Freedom::Angles`), all others with the swing inside an ellipse, which is the engine's default.
//! `--limits` has one reading for all.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

mod format;
mod judge;
mod peers;
mod run;
mod score;

use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with cases (`*.json`, format "body-cases-1").
    folder: PathBuf,
    /// Write `{"kinds": {KIND: {…}}}` to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Write the poses to this file.
    #[arg(long)]
    answers: Option<PathBuf>,
    /// Reading of the limits of ball joints, for all cases.
    #[arg(long)]
    limits: Option<judge::Reading>,
    /// Stay in this build. Without it an unoptimised build hands over to an optimised one, so that
    /// times mean something.
    #[arg(long)]
    debug: bool,
}

/// Reads, solves, judges, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) && !arguments.debug {
        return run_optimised(arguments);
    }
    let files = format::read_folder(&arguments.folder)?;
    let mut kinds = score::Kinds::default();
    let (mut cases, mut sequences) = (Map::new(), Map::new());
    for file in &files {
        for rig in &file.rigs {
            for case in file.cases.iter().filter(|c| c.rig == rig.name) {
                let own = if case.best.is_some() { judge::Reading::Box } else { judge::Reading::Ellipse };
                let reading = arguments.limits.unwrap_or(own);
                let answer = run::solve_case(rig, case, reading)?;
                kinds.add_case(rig, case, &answer, reading);
                cases.insert(case.id.clone(), answer.to_json());
            }
            for sequence in file.sequences.iter().filter(|s| s.rig == rig.name) {
                let reading = arguments.limits.unwrap_or(judge::Reading::Ellipse);
                let answers = run::track_sequence(rig, sequence, reading)?;
                kinds.add_sequence(rig, sequence, &answers, reading);
                sequences.insert(sequence.id.clone(), answers.iter().map(run::Answer::to_json).collect());
            }
        }
    }
    kinds.print();
    if let Some(path) = &arguments.json {
        write(path, &json!({ "kinds": kinds.to_json() }))?;
    }
    if let Some(path) = &arguments.answers {
        write(path, &json!({ "cases": cases, "sequences": sequences }))?;
    }
    Ok(())
}

fn write(path: &PathBuf, value: &Value) -> Result<()> {
    std::fs::write(path, value.to_string() + "\n").with_context(|| format!("writing {}", path.display()))
}

/// Hands over to an optimised build of this program.
fn run_optimised(arguments: &Arguments) -> Result<()> {
    let mut cargo =
        sh::cargo(&["run", "--release", "--quiet", "--package", "sinew-xtask", "--bin", "xtask", "--", "body"]);
    cargo.arg(std::path::absolute(&arguments.folder)?);
    if let Some(reading) = arguments.limits {
        cargo.arg("--limits").arg(if reading == judge::Reading::Box { "box" } else { "ellipse" });
    }
    for (option, path) in [("--json", &arguments.json), ("--answers", &arguments.answers)] {
        if let Some(path) = path {
            cargo.arg(option).arg(std::path::absolute(path)?);
        }
    }
    if !cargo.status().context("starting cargo")?.success() {
        bail!("the optimised build did not succeed");
    }
    Ok(())
}
