//! Clips with their truth.

use crate::motion::subject::{Subject, rotation_of};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde::Deserialize;
use sinew::humanoid::{HumanBone, HumanMap};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
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
struct File {
    #[serde(default)]
    format: String,
    fps: f64,
    humanoid: BTreeMap<String, String>,
    joints: Vec<Joint>,
    root_t: Vec<[f32; 3]>,
    local_r: Vec<Vec<f32>>,
    #[serde(default)]
    rest_facing: Option<String>,
    #[serde(default)]
    rotation_jumps: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Joint {
    name: String,
    parent: i64,
    offset: [f32; 3],
    rest_r: [f32; 4],
}

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
    let file: File = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    anyhow::ensure!(file.format == "clip-1", "the format is {:?}", file.format);
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(path.with_extension("truth.json"))?)?;
    let joints = file.joints.iter().map(|joint| JointDefinition {
        name: joint.name.clone(),
        parent: usize::try_from(joint.parent).ok(),
        rest: Transform {
            position: Vec3::from_array(joint.offset),
            rotation: Quat::from_array(joint.rest_r).normalize(),
            scale: Vec3::ONE,
        },
    });
    let skeleton = Skeleton::new(joints.collect())?;
    let mut map = HumanMap::new();
    let mut flawed = Vec::new();
    for (bone, joint) in &file.humanoid {
        if let (Some(bone), Some(index)) = (HumanBone::from_name(bone), skeleton.find_joint(joint)) {
            map.set(bone, Some(index));
            if file.rotation_jumps.contains_key(joint) {
                flawed.push(bone);
            }
        }
    }
    let forward = match file.rest_facing.as_deref() {
        Some("-Z") => [0.0, 0.0, -1.0],
        Some("+X") => [1.0, 0.0, 0.0],
        Some("-X") => [-1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    };
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let poses: Vec<Vec<Transform>> = file
        .root_t
        .iter()
        .zip(&file.local_r)
        .map(|(root, row)| {
            let local = |(j, rest): (usize, &Transform)| Transform {
                position: if skeleton.parents()[j].is_none() { Vec3::from_array(*root) } else { rest.position },
                rotation: Quat::from_slice(&row[4 * j..4 * j + 4]).normalize(),
                scale: Vec3::ONE,
            };
            skeleton.rest_local().iter().enumerate().map(local).collect()
        })
        .collect();
    let subject = Subject::new(&name, skeleton, &map, V3([0.0, 1.0, 0.0]), V3(forward));
    let frames = poses.iter().map(|pose| bones(&subject, pose)).collect();
    Ok(Clip { subject, fps: file.fps, poses, frames, low: truth.lowest_foot_point_y, contacts: truth.contacts, flawed })
}
