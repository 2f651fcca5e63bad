//! The files: rigs with limits and masses, single cases, sequences.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of cases.
#[derive(Deserialize)]
pub struct File {
    format: String,
    pub rigs: Vec<Rig>,
    pub cases: Vec<Case>,
    #[serde(default)]
    pub sequences: Vec<Sequence>,
}

/// A rig.
#[derive(Deserialize)]
pub struct Rig {
    pub name: String,
    pub joints: Vec<Joint>,
}

/// A joint: local rest rotation, offset in the parent, mass and its centre, limits.
#[derive(Deserialize)]
pub struct Joint {
    pub name: String,
    pub parent: i64,
    pub offset: [f64; 3],
    pub rest_r: [f64; 4],
    #[serde(default)]
    pub mass: f64,
    #[serde(default)]
    pub com: [f64; 3],
    pub limit: Option<Limit>,
}

/// Limits in limit space, radians.
#[derive(Deserialize)]
pub struct Limit {
    #[serde(rename = "type")]
    pub kind: String,
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub z: [f64; 2],
    pub frame: [f64; 4],
}

/// A pose: root position and whole local rotations.
#[derive(Deserialize, Clone)]
pub struct PoseRecord {
    pub root_t: [f64; 3],
    pub local_r: Vec<[f64; 4]>,
}

/// A task.
#[derive(Deserialize)]
pub struct Task {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub joint: usize,
    #[serde(default)]
    pub goal: Vec<f64>,
    pub tip: Option<[f64; 3]>,
    pub axes: Option<[f64; 3]>,
    pub weight: f64,
    pub priority: u8,
}

/// Best known objectives by priority.
#[derive(Deserialize)]
pub struct Best {
    pub objective: BTreeMap<String, f64>,
}

/// A single case.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    pub kind: String,
    pub rig: String,
    pub root: String,
    pub start: PoseRecord,
    pub tasks: Vec<Task>,
    pub best: Option<Best>,
}

/// Goals by frame.
#[derive(Deserialize)]
pub struct Sequence {
    pub id: String,
    pub kind: String,
    pub rig: String,
    pub root: String,
    pub fps: f64,
    pub start: PoseRecord,
    pub tasks: Vec<Task>,
    pub goals: Vec<Vec<Vec<f64>>>,
    /// Of each frame, the weight of the last two tasks.
    pub last_two_weight: Option<Vec<f64>>,
}

/// Every file of the folder, by name.
pub fn read_folder(folder: &Path) -> Result<Vec<File>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "json"));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let file: File = serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
        if file.format != "body-cases-1" {
            bail!("{}: the format is {:?}, not \"body-cases-1\"", path.display(), file.format);
        }
        files.push(file);
    }
    if files.is_empty() {
        bail!("no case files in {}", folder.display());
    }
    Ok(files)
}
