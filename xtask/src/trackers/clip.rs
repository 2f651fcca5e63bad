//! Clips with their truth.

use crate::motion::clip_file::{self, ClipFile};
use crate::motion::subject::{Subject, rotation_of};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde::Deserialize;
use sinew::humanoid::HumanBone;
use sinew::math::Transform;
use std::collections::BTreeMap;
use std::path::Path;

/// The bones that count, as the published measures have them.
pub const BONES: [HumanBone; 22] = [
    HumanBone::Hips,
    HumanBone::Spine,
    HumanBone::Chest,
    HumanBone::UpperChest,
    HumanBone::Neck,
    HumanBone::Head,
    HumanBone::LeftShoulder,
    HumanBone::LeftUpperArm,
    HumanBone::LeftLowerArm,
    HumanBone::LeftHand,
    HumanBone::RightShoulder,
    HumanBone::RightUpperArm,
    HumanBone::RightLowerArm,
    HumanBone::RightHand,
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::LeftToes,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
    HumanBone::RightToes,
];

#[derive(Deserialize)]
struct Truth {
    lowest_foot_point_y: f64,
    #[serde(default)]
    contacts: BTreeMap<String, Vec<[usize; 2]>>,
}

/// Places and rotations of the bones that count; `None` where the skeleton lacks one.
pub type Frame = Vec<Option<(V3, Rotation)>>;

/// A clip.
pub struct Clip {
    pub subject: Subject,
    pub fps: f64,
    /// Local transforms.
    pub poses: Vec<Vec<Transform>>,
    /// The truth.
    pub frames: Vec<Frame>,
    /// Height of the lowest foot joint.
    pub low: f64,
    pub contacts: BTreeMap<String, Vec<[usize; 2]>>,
    /// Bones whose recorded rotations jump.
    pub flawed: Vec<HumanBone>,
}

/// Frames of the bones that count.
pub fn bones(subject: &Subject, pose: &[Transform]) -> Frame {
    let world = subject.world(pose);
    BONES.iter().map(|b| subject.joint(*b).map(|j| (V3(world[j].position), rotation_of(&world[j])))).collect()
}

/// Every clip of a folder that has a truth, by name.
pub fn read_folder(folder: &Path) -> Result<Vec<Clip>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.to_string_lossy().ends_with(".json") && !p.to_string_lossy().ends_with(".truth.json"));
    paths.retain(|p| p.with_extension("truth.json").is_file());
    paths.sort();
    anyhow::ensure!(!paths.is_empty(), "{} has no clip with a truth", folder.display());
    paths.iter().map(|path| read(path).with_context(|| path.display().to_string())).collect()
}

fn read(path: &Path) -> Result<Clip> {
    let file = ClipFile::read(path)?;
    anyhow::ensure!(file.fps > 0.0, "there is no fps");
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(path.with_extension("truth.json"))?)?;
    let skeleton = file.skeleton()?;
    let map = file.human_map(&skeleton);
    let jumps = file.bones(&skeleton).filter(|(_, _, joint)| file.rotation_jumps.contains_key(*joint));
    let flawed = jumps.map(|(bone, ..)| bone).collect();
    let forward = match file.rest_facing.as_deref() {
        Some("-Z") => [0.0, 0.0, -1.0],
        Some("+X") => [1.0, 0.0, 0.0],
        Some("-X") => [-1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    };
    let poses = file.poses(&skeleton);
    let subject = Subject::new(&clip_file::name(path), skeleton, &map, V3([0.0, 1.0, 0.0]), V3(forward));
    let frames = poses.iter().map(|pose| bones(&subject, pose)).collect();
    Ok(Clip { subject, fps: file.fps, poses, frames, low: truth.lowest_foot_point_y, contacts: truth.contacts, flawed })
}
