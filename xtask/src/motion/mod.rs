//! `cargo xtask motion`: how people's motion looks on clips and rigs, through the C ABI, judged
//! from outside in double precision.
//!
//! | section | what |
//! |---|---|
//! | `clips` | goals from captured motion: reached, called unreachable, thighs rolled by a hint |
//! | `paths` | smooth paths of hands and feet: jumps, with and without human limits |
//! | `reaches` | everyday reaches within human limits: the distance left |
//! | `elbows` | the swivel of elbows and knees against the captured ones |
//! | `chains` | limited chains on paths that admissible poses draw: missed goals, jumps |
//! | `look` | gazes at near and far points: what is left, what is called reached, jumps |
//! | `cost` | time of a solve, clips and random goals |
//! | `fit` | not played unless named: the numbers of `src/humanoid/posture.rs`, fitted to the clips |
//!
//! A jump is a turn of a joint by more than 8° that bisection of the goal's way does not shrink.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

mod chains;
mod clips;
pub mod clip_file;
mod continuity;
mod fit;
pub mod host;
mod look;
mod paths;
mod reaches;
pub mod subject;

use crate::rigs::format as rig_format;
use anyhow::{Context, Result};
use serde_json::{Map, Value};
use std::path::PathBuf;
use subject::Subject;

/// What to play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with `clips/` (format "clip-1") and `rigs/` (format "rig-1").
    folder: PathBuf,
    /// Only this section; may be given several times. Default: all.
    #[arg(long, value_enum)]
    section: Vec<Section>,
    /// Write the tables to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Every how many frames of a clip and seeds of a path are played. 1 plays all.
    #[arg(long, default_value_t = 4)]
    every: usize,
    /// Draw the reaches into this folder.
    #[arg(long)]
    pictures: Option<PathBuf>,
}

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Section {
    /// Goals from captured motion.
    Clips,
    /// Continuity on smooth paths.
    Paths,
    /// Everyday reaches.
    Reaches,
    /// Elbows and knees.
    Elbows,
    /// Limited chains.
    Chains,
    /// Gazes.
    Look,
    /// Time.
    Cost,
    /// Numbers of the posture, fitted to the clips.
    Fit,
}

/// Plays, judges, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let all = [
        Section::Clips,
        Section::Paths,
        Section::Reaches,
        Section::Elbows,
        Section::Chains,
        Section::Look,
        Section::Cost,
    ];
    let sections = if arguments.section.is_empty() { &all[..] } else { &arguments.section };
    let needs = |wanted: &[Section]| sections.iter().any(|s| wanted.contains(s));
    let every = arguments.every.max(1);
    let rigs: Vec<Subject> = if needs(&[Section::Paths, Section::Reaches, Section::Look]) {
        let rigs = rig_format::read_folder(&arguments.folder.join("rigs"))?;
        rigs.iter().filter(|rig| rig.humanoid.missing_required().is_empty()).map(Subject::of_rig).collect()
    } else {
        Vec::new()
    };
    let clips = if needs(&[Section::Clips, Section::Elbows, Section::Cost, Section::Fit]) {
        clips::read_folder(&arguments.folder.join("clips"))?
    } else {
        Vec::new()
    };
    let mut json = Map::new();
    for section in sections {
        let (name, value): (&str, Value) = match section {
            Section::Clips => ("clips", clips::goals(&clips, every)?),
            Section::Paths => ("paths", paths::run(&rigs, every)?),
            Section::Reaches => ("reaches", reaches::run(&rigs, arguments.pictures.as_deref())?),
            Section::Elbows => ("elbows", clips::elbows(&clips, every)?),
            Section::Chains => ("chains", chains::run(every)?),
            Section::Look => ("look", look::run(&rigs)?),
            Section::Cost => ("cost", clips::cost(&clips, every)?),
            Section::Fit => ("fit", fit::run(&clips)?),
        };
        json.insert(name.into(), value);
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&Value::Object(json))? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        println!("results in {}", path.display());
    }
    Ok(())
}
