//! A humanoid from a glTF or VRM file, as a rig that the scene can be played on.

use super::mesh;
use anyhow::{Context, Result, bail};
use sinew::humanoid::{HumanBone, HumanMap, body_axes, map_joints, t_pose};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::path::Path;
use testkit::scene::{HoldCylinderScene, Motion};

/// Reads the file and sets up the scene; the second is the file's mesh, or the reason why there is
/// none to draw.
pub fn scene(path: &Path) -> Result<(HoldCylinderScene, Result<mesh::Mesh>)> {
    let bytes = std::fs::read(path)?;
    // A mesh or texture that cannot be decoded must not stop us: the skeleton is enough to play.
    let file = gltf::Gltf::from_slice_without_validation(&bytes).context("this is no glTF or VRM file")?;
    let (joints, order) = joints(&file.document)?;
    let skeleton = Skeleton::new(joints)?;
    let map = match vrm_map(&file.document, &order) {
        Some(map) => {
            println!("{}: {} human bones from the file's VRM table", path.display(), map.len());
            map
        }
        None => {
            let report = map_joints(&skeleton);
            println!("{}: {} human bones found by names and shape", path.display(), report.map.len());
            report.map
        }
    };
    let missing = map.missing_required();
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|b| b.name()).collect();
        bail!("this is no complete humanoid: no joint for {}", names.join(", "));
    }
    let axes = body_axes(&skeleton, &map, None, None).context("up and forward cannot be told from the joints")?;
    let pose = t_pose(&skeleton, &map, &axes);
    let axes = testkit::axes::BodyAxes { right: axes.right, up: axes.up, forward: axes.forward };
    let mesh = mesh::read(path, &file, &order, &skeleton);
    Ok((HoldCylinderScene::for_rig(skeleton, *map.as_array(), pose, axes, Motion::Idle, None)?, mesh))
}

/// Every node above or at a skin's joint, and every VRM bone, parents first; and for each glTF node
/// its place in the list.
fn joints(document: &gltf::Document) -> Result<(Vec<JointDefinition>, Vec<Option<usize>>)> {
    let count = document.nodes().count();
    let mut parent = vec![None; count];
    for node in document.nodes() {
        for child in node.children() {
            parent[child.index()] = Some(node.index());
        }
    }
    let mut wanted = vec![false; count];
    let mut want = |mut node: usize| {
        while !std::mem::replace(&mut wanted[node], true) {
            match parent[node] {
                Some(up) => node = up,
                None => break,
            }
        }
    };
    let mut any = false;
    for skin in document.skins() {
        for joint in skin.joints() {
            want(joint.index());
            any = true;
        }
    }
    for (_, node) in vrm_bones(document) {
        if node < count {
            want(node);
            any = true;
        }
    }
    if !any {
        bail!("the file has neither a skin nor a VRM table, so no skeleton");
    }
    let mut places = vec![None; count];
    let mut joints = Vec::new();
    let nodes: Vec<_> = document.nodes().collect();
    let mut stack: Vec<usize> = (0..count).filter(|n| parent[*n].is_none() && wanted[*n]).rev().collect();
    while let Some(index) = stack.pop() {
        let node = &nodes[index];
        let (t, r, s) = node.transform().decomposed();
        places[index] = Some(joints.len());
        joints.push(JointDefinition {
            name: node.name().unwrap_or("").to_string(),
            parent: parent[index].and_then(|p| places[p]),
            rest: Transform {
                position: Vec3::from_array(t),
                rotation: Quat::from_array(r).normalize(),
                scale: Vec3::from_array(s),
            },
        });
        let mut children: Vec<_> = node.children().map(|c| c.index()).filter(|c| wanted[*c]).collect();
        children.reverse();
        stack.extend(children);
    }
    Ok((joints, places))
}

/// The table of human bones a VRM file (0.x or 1.0) carries, as places in the joint list.
fn vrm_map(document: &gltf::Document, places: &[Option<usize>]) -> Option<HumanMap> {
    let mut map = HumanMap::default();
    for (bone, node) in vrm_bones(document) {
        map.set(bone, places.get(node).copied().flatten());
    }
    (!map.is_empty()).then_some(map)
}

/// Human bones and glTF nodes of a VRM table; empty when there is none.
fn vrm_bones(document: &gltf::Document) -> Vec<(HumanBone, usize)> {
    let node_of = |bone: &serde_json::Value| Some(bone.get("node")?.as_u64()? as usize);
    let humanoid = |name| document.extension_value(name).and_then(|v| v.get("humanoid")?.get("humanBones"));
    let new = humanoid("VRMC_vrm").and_then(|bones| bones.as_object()).into_iter().flatten();
    let new = new.filter_map(|(name, bone)| Some((HumanBone::from_name(in_old_terms(name))?, node_of(bone)?)));
    let old = humanoid("VRM").and_then(|bones| bones.as_array()).into_iter().flatten();
    let old = old.filter_map(|bone| Some((HumanBone::from_name(bone.get("bone")?.as_str()?)?, node_of(bone)?)));
    new.chain(old).collect()
}

/// A VRM 1.0 bone in the terms of VRM 0.x, which are Unity's: 1.0 counts the thumb from the
/// metacarpal.
fn in_old_terms(name: &str) -> &str {
    match name {
        "leftThumbMetacarpal" => "leftThumbProximal",
        "leftThumbProximal" => "leftThumbIntermediate",
        "rightThumbMetacarpal" => "rightThumbProximal",
        "rightThumbProximal" => "rightThumbIntermediate",
        other => other,
    }
}
