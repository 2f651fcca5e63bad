//! The joints of a glTF or VRM file. A file may be anything: what does not fit together is an error
//! and nothing else.

use anyhow::{Context, Result, bail, ensure};
use sinew::humanoid::{HumanBone, HumanMap};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};

/// What a file has.
pub struct Rig {
    /// The file.
    pub file: gltf::Gltf,
    /// Its joints.
    pub skeleton: Skeleton,
    /// The human bones of its VRM table, if it has one.
    pub map: Option<HumanMap>,
    /// For each node its place in the skeleton.
    pub places: Vec<Option<usize>>,
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Rig> {
    ensure!(!bytes.is_empty(), "the file is empty");
    let begins_as_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    ensure!(
        bytes.starts_with(b"glTF") || begins_as_json,
        "not a glTF file: it begins neither with \"glTF\" (.glb, .vrm) nor with a brace (.gltf)"
    );
    if bytes.starts_with(b"glTF") {
        // Header and first chunk; the length is that of both and more. The reader trusts it.
        let length = bytes.get(8..12).and_then(|n| n.try_into().ok()).map(u32::from_le_bytes);
        let fits = bytes.len() >= 20 && length.is_some_and(|n| (20..=bytes.len()).contains(&(n as usize)));
        ensure!(fits, "the file has {} bytes, its header states {}", bytes.len(), length.unwrap_or(0));
    }
    // A mesh or texture that cannot be decoded must not stop us: the skeleton is enough to play.
    let file = gltf::Gltf::from_slice_without_validation(bytes).context("not a glTF file that can be read")?;
    check_indices(file.document.as_json())?;
    let (joints, places) = joints(&file.document)?;
    let map = vrm_map(&file.document, &places);
    Ok(Rig { skeleton: Skeleton::new(joints)?, map, places, file })
}

/// Whether nodes and skins refer to nodes that exist, and the nodes are trees.
fn check_indices(json: &gltf::json::Root) -> Result<()> {
    let count = json.nodes.len();
    let mut parent = vec![None; count];
    for (index, node) in json.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            ensure!(child < count, "node {index} has child {child}, of {count} nodes");
            if let Some(other) = parent[child].replace(index) {
                bail!("node {child} is a child of node {other} and of node {index}");
            }
        }
    }
    for (number, skin) in json.skins.iter().enumerate() {
        if let Some(joint) = skin.joints.iter().map(|joint| joint.value()).find(|joint| *joint >= count) {
            bail!("skin {number} has joint {joint}, of {count} nodes");
        }
    }
    // With one parent each, a walk upward that does not end is a circle.
    let mut ends = vec![false; count];
    for start in 0..count {
        let mut way = vec![start];
        while let Some(up) = way.last().and_then(|node| parent[*node]) {
            ensure!(way.len() <= count, "node {start} is its own ancestor");
            if ends[up] {
                break;
            }
            way.push(up);
        }
        way.into_iter().for_each(|node| ends[node] = true);
    }
    Ok(())
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
