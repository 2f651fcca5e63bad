//! `cargo xtask ground`: walking clips over stairs, slopes, rocks and moving ground, through the C
//! ABI, judged from outside.
//!
//! Everything is recomputed here in double precision from the joint positions that come back; no
//! word of the grounder about
//! itself is used. The baselines are what others do: nothing, one ray a foot, and the same smoothed
//! per frame.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

mod baselines;
pub mod clip;
mod creatures;
mod film;
mod judge;
mod play;
mod stage;
mod table;
mod terrain;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use clip::Clip;
use judge::Metrics;
use stage::{Case, Frame};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What to play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with case files (`*.json`, format "ground-cases-1"). A case's clip is looked for from
    /// its file's folder upwards.
    folder: PathBuf,
    /// Write `{"kinds": {KIND: {METRIC: x}}}` to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Only cases whose names contain this.
    #[arg(long)]
    only: Option<String>,
    /// A line for every case, too.
    #[arg(long)]
    cases: bool,
    /// Write a film strip of every case into this folder, and of a dog on a slope and a spider over
    /// a kerb and up a wall.
    #[arg(long)]
    film: Option<PathBuf>,
    /// Queries a foot: 1, 3 or 5 (the default).
    #[arg(long, default_value_t = 5)]
    quality: i32,
}

#[derive(serde::Deserialize)]
struct CaseFile {
    format: String,
    cases: Vec<Case>,
}

/// The methods, in the order of the table; the last is ours.
const METHODS: [&str; 4] = ["none", "ray", "lerp", "sinew"];

/// Plays, judges, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let files = case_files(&arguments.folder)?;
    let mut clips: BTreeMap<PathBuf, Clip> = BTreeMap::new();
    let mut kinds: Vec<(String, [Vec<Metrics>; 4])> = Vec::new();
    let mut asked = play::Asked::default();
    if let Some(folder) = &arguments.film {
        creatures::write(folder)?;
    }
    println!("{}", table::heading());
    for path in &files {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let file: CaseFile = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        if file.format != "ground-cases-1" {
            bail!("{}: format {:?} is not \"ground-cases-1\"", path.display(), file.format);
        }
        for case in &file.cases {
            if arguments.only.as_ref().is_some_and(|part| !case.id.contains(part)) {
                continue;
            }
            let at = find_clip(path, &case.clip)?;
            if !clips.contains_key(&at) {
                clips.insert(at.clone(), Clip::read(&at)?);
            }
            let clip = &clips[&at];
            let (input, dt) = stage::animation(clip, case);
            let outputs: [Vec<Frame>; 4] = [
                baselines::none(&input),
                baselines::rays(&input, &case.terrain, dt, false),
                baselines::rays(&input, &case.terrain, dt, true),
                play::play(clip, case, &input, dt, arguments.quality, &mut asked).with_context(|| case.id.clone())?,
            ];
            if let Some(folder) = &arguments.film {
                film::write(case, &input, &outputs[METHODS.len() - 1], folder)?;
            }
            let kind = judge::kind(&case.id).to_owned();
            let slot = match kinds.iter().position(|(k, _)| *k == kind) {
                Some(slot) => slot,
                None => {
                    kinds.push((kind, Default::default()));
                    kinds.len() - 1
                }
            };
            for (i, output) in outputs.iter().enumerate() {
                let metrics = judge::score(clip, &case.terrain, &input, output, dt);
                if arguments.cases && i + 1 == METHODS.len() {
                    println!("{}", table::line(&case.id, METHODS[i], 1, &metrics));
                }
                kinds[slot].1[i].push(metrics);
            }
        }
    }
    if kinds.is_empty() {
        bail!("no case to play in {}", arguments.folder.display());
    }
    let mut scores: BTreeMap<&str, Metrics> = BTreeMap::new();
    for (kind, methods) in &kinds {
        for (i, all) in methods.iter().enumerate() {
            let metrics = judge::together(all);
            println!("{}", table::line(kind, METHODS[i], all.len(), &metrics));
            if i + 1 == METHODS.len() {
                scores.insert(kind, metrics);
            }
        }
    }
    println!(
        "queries: at most {} a frame and character, {:.2} on average over {} frames; {:.2} µs a character and frame \
         in this build, the host's answers not counted",
        asked.most,
        asked.total as f64 / asked.frames.max(1) as f64,
        asked.frames,
        asked.seconds * 1e6 / asked.frames.max(1) as f64
    );
    if let Some(json) = &arguments.json {
        let text = serde_json::to_string_pretty(&serde_json::json!({ "kinds": scores }))? + "\n";
        std::fs::write(json, text).with_context(|| format!("writing {}", json.display()))?;
        println!("scores in {}", json.display());
    }
    Ok(())
}

/// Files of cases in a folder, or the one file that was named.
fn case_files(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("no case file (*.json) in {}", folder.display());
    }
    Ok(files)
}

/// The clip of a case: its path is tried from the case file's folder upwards.
fn find_clip(case_file: &Path, clip: &str) -> Result<PathBuf> {
    let from = std::path::absolute(case_file)?;
    from.ancestors()
        .skip(1)
        .map(|folder| folder.join(clip))
        .find(|path| path.is_file())
        .with_context(|| format!("{clip} is in no folder above {}", case_file.display()))
}
