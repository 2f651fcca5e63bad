//! Files of captured motion, format "clip-1".

use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde::Deserialize;
use sinew::humanoid::{HumanBone, HumanMap};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, JointIndex, Skeleton};
use std::collections::BTreeMap;
use std::path::Path;

/// A clip as its file has it.
#[derive(Deserialize)]
pub struct ClipFile {
    #[serde(default)]
    format: String,
    /// Frames per second.
    #[serde(default)]
    pub fps: f64,
    #[serde(default)]
    humanoid: BTreeMap<String, String>,
    #[serde(default)]
    joints: Vec<Joint>,
    #[serde(default)]
    root_t: Vec<[f64; 3]>,
    #[serde(default)]
    local_r: Vec<Vec<f64>>,
    /// Where the rest pose faces: `+Z` unless given.
    #[serde(default)]
    pub rest_facing: Option<String>,
    /// Joints with frames that were captured wrongly.
    #[serde(default)]
    pub rotation_jumps: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Joint {
    name: String,
    parent: i64,
    offset: [f64; 3],
    rest_r: [f64; 4],
}

fn point(p: [f64; 3]) -> Vec3 {
    Vec3::from_array(p.map(|v| v as f32))
}

fn rotation(q: [f64; 4]) -> Quat {
    Quat::from_array(q.map(|v| v as f32)).normalize()
}

impl ClipFile {
    pub fn read(path: &Path) -> Result<Self> {
        let file: Self = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        anyhow::ensure!(file.format == "clip-1", "the format is {:?}", file.format);
        Ok(file)
    }
    pub fn skeleton(&self) -> Result<Skeleton> {
        let joints = self.joints.iter().map(|joint| JointDefinition {
            name: joint.name.clone(),
            parent: usize::try_from(joint.parent).ok(),
            rest: Transform { position: point(joint.offset), rotation: rotation(joint.rest_r), scale: Vec3::ONE },
        });
        Ok(Skeleton::new(joints.collect())?)
    }
    /// The human bones, with the names of their joints.
    pub fn bones(&self, skeleton: &Skeleton) -> impl Iterator<Item = (HumanBone, JointIndex, &str)> {
        self.humanoid.iter().filter_map(|(bone, joint)| {
            Some((HumanBone::from_name(bone)?, skeleton.find_joint(joint)?, joint.as_str()))
        })
    }
    pub fn human_map(&self, skeleton: &Skeleton) -> HumanMap {
        let mut map = HumanMap::new();
        self.bones(skeleton).for_each(|(bone, joint, _)| map.set(bone, Some(joint)));
        map
    }
    /// Local transforms of all joints, by frame.
    pub fn poses(&self, skeleton: &Skeleton) -> Vec<Vec<Transform>> {
        let pose = |(root, row): (&[f64; 3], &Vec<f64>)| -> Vec<Transform> {
            let local = |(j, rest): (usize, &Transform)| Transform {
                position: if skeleton.parents()[j].is_none() { point(*root) } else { rest.position },
                rotation: rotation([0, 1, 2, 3].map(|k| row[4 * j + k])),
                scale: Vec3::ONE,
            };
            skeleton.rest_local().iter().enumerate().map(local).collect()
        };
        self.root_t.iter().zip(&self.local_r).map(pose).collect()
    }
    /// The joint of a human bone, where the clip has it.
    pub fn joint(&self, bone: &str) -> Option<usize> {
        let name = self.humanoid.get(bone)?;
        self.joints.iter().position(|joint| joint.name == *name)
    }
    /// Places and rotations of all joints in the world, by frame, in double precision.
    pub fn world(&self) -> Result<Vec<Vec<(V3, Rotation)>>> {
        let frame = |(root, row): (&[f64; 3], &Vec<f64>)| -> Result<Vec<(V3, Rotation)>> {
            let mut world: Vec<(V3, Rotation)> = Vec::with_capacity(self.joints.len());
            for (j, joint) in self.joints.iter().enumerate() {
                let local = Rotation([0, 1, 2, 3].map(|k| row[4 * j + k]));
                world.push(match usize::try_from(joint.parent) {
                    Ok(parent) => {
                        let (p, r) = *world.get(parent).context("a parent after its child")?;
                        (p + r.rotate(V3(joint.offset)), r * local)
                    }
                    Err(_) => (V3(*root), local),
                });
            }
            Ok(world)
        };
        self.root_t.iter().zip(&self.local_r).map(frame).collect()
    }
}

/// A clip's name: that of its file.
pub fn name(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
