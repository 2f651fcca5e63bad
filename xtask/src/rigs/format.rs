//! Rig files (`"format": "rig-1"`): a skeleton in its rest pose, its axes, and a table of human
//! bones made by hand.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use sinew::humanoid::{HumanBone, HumanMap};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use testkit::axes::BodyAxes;
use testkit::matchers::{distance, forward_kinematics};

/// A rig as its file describes it.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Stem of the file's name.
    pub name: String,
    /// The joints in their rest pose.
    pub skeleton: Skeleton,
    /// The file's own table of human bones; empty for animals.
    pub humanoid: HumanMap,
    /// Right, up and forward as stated in the file, model space.
    pub axes: BodyAxes,
    /// Largest distance between a joint's rest place by our forward kinematics and the file's, as
    /// part of the rig's extent; 0 when the file gives none.
    pub rest_deviation: f64,
}

impl Rig {
    /// Height between the lowest and the highest human joint in the rest pose, rig units.
    pub fn height(&self) -> f64 {
        let rest = forward_kinematics(&self.skeleton, self.skeleton.rest_local());
        let up = self.axes.up.to_array().map(f64::from);
        let heights = self.humanoid.iter().map(|(_, joint)| {
            let p = rest[joint].position;
            p[0] * up[0] + p[1] * up[1] + p[2] * up[2]
        });
        let (low, high) = heights.fold((f64::MAX, f64::MIN), |(low, high), h| (low.min(h), high.max(h)));
        if low <= high { high - low } else { 0.0 }
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    format: String,
    up: String,
    facing: String,
    handedness: String,
    #[serde(default)]
    humanoid: BTreeMap<String, String>,
    joints: Vec<Joint>,
    #[serde(default)]
    rest_world_t: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Joint {
    name: String,
    parent: i64,
    rest_local: Local,
}

#[derive(Deserialize)]
struct Local {
    t: [f32; 3],
    r: [f32; 4],
    s: [f32; 3],
}

/// Every rig file of a folder, in the order of their names; other JSON files are ignored.
pub fn read_folder(folder: &Path) -> Result<Vec<Rig>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut rigs = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let value: serde_json::Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        if value["format"] != "rig-1" {
            println!("{}: not a rig-1 file, passed over", path.display());
            continue;
        }
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        rigs.push(read(&name, value).with_context(|| format!("reading {}", path.display()))?);
    }
    ensure!(!rigs.is_empty(), "{} has no rig-1 file", folder.display());
    Ok(rigs)
}

/// A rig from the contents of its file.
pub fn read(name: &str, value: serde_json::Value) -> Result<Rig> {
    let file: File = serde_json::from_value(value)?;
    ensure!(file.format == "rig-1", "the format is {:?}", file.format);
    let joints = file.joints.iter().map(|joint| JointDefinition {
        name: joint.name.clone(),
        parent: usize::try_from(joint.parent).ok(),
        rest: Transform {
            position: Vec3::from_array(joint.rest_local.t),
            rotation: Quat::from_array(joint.rest_local.r).normalize(),
            scale: Vec3::from_array(joint.rest_local.s),
        },
    });
    let skeleton = Skeleton::new(joints.collect())?;
    let mut humanoid = HumanMap::new();
    for (bone, joint) in &file.humanoid {
        let human = HumanBone::from_name(bone).with_context(|| format!("{bone} is no human bone"))?;
        let joint = skeleton.find_joint(joint).with_context(|| format!("{bone}: there is no joint {joint}"))?;
        humanoid.set(human, Some(joint));
    }
    let left_handed = match file.handedness.as_str() {
        "left" => true,
        "right" => false,
        other => bail!("handedness {other:?}"),
    };
    let axes = BodyAxes::new(axis(&file.up)?, axis(&file.facing)?, left_handed);
    let rest_deviation = rest_deviation(&skeleton, &file.rest_world_t);
    Ok(Rig { name: name.into(), skeleton, humanoid, axes, rest_deviation })
}

fn axis(text: &str) -> Result<Vec3> {
    let unit = match text.trim_start_matches(['+', '-']) {
        "X" => Vec3::X,
        "Y" => Vec3::Y,
        "Z" => Vec3::Z,
        _ => bail!("{text:?} is no axis"),
    };
    Ok(if text.starts_with('-') { -unit } else { unit })
}

fn rest_deviation(skeleton: &Skeleton, expected: &[[f64; 3]]) -> f64 {
    let rest = forward_kinematics(skeleton, skeleton.rest_local());
    let extent = expected.iter().map(|p| distance(*p, expected[0])).fold(0.0, f64::max);
    let off = rest.iter().zip(expected).map(|(frame, p)| distance(frame.position, *p)).fold(0.0, f64::max);
    if extent > 0.0 { off / extent } else { 0.0 }
}
