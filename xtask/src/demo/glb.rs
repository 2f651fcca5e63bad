//! The built-in mannequin as a glTF file, in the scene's own units and axes.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use super::figure::JointView;
use crate::picture::raster::linear;
use crate::picture::vector::Vec3;
use anyhow::Result;
use serde_json::{Value, json};
use testkit::scene::HoldCylinderScene;

/// How dark a fold is against the open.
const FOLD: f32 = 0.5;

/// Parts of the file's binary chunk, with the tables that name them.
#[derive(Default)]
struct Binary {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Binary {
    /// Adds a list; its number among the accessors.
    fn add(&mut self, kind: &str, component: u32, count: usize, data: impl IntoIterator<Item = u8>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(data);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start }));
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind,
        }));
        self.accessors.len() - 1
    }
}

fn floats(rows: impl IntoIterator<Item = f32>) -> Vec<u8> {
    rows.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// The mannequin of a figure, one node per joint of the scene.
pub fn write(scene: &HoldCylinderScene, figure: &JointView) -> Result<Vec<u8>> {
    const FLOAT: u32 = 5126;
    const SHORT: u32 = 5123;
    const INT: u32 = 5125;
    let (stage, skin) = (figure.stage, &figure.skin);
    let count = skin.vertices.len();
    let points: Vec<[f32; 3]> = skin.vertices.iter().map(|v| stage.point_back(v.position)).collect();
    let shade = |open: f32| FOLD + (1.0 - FOLD) * open;
    let mut binary = Binary::default();
    let position = binary.add("VEC3", FLOAT, count, floats(points.iter().flatten().copied()));
    let (low, high) = bounds(&points);
    binary.accessors[position]["min"] = json!(low);
    binary.accessors[position]["max"] = json!(high);
    let normals = skin.vertices.iter().flat_map(|v| stage.direction_back(v.normal).array());
    let normal = binary.add("VEC3", FLOAT, count, floats(normals));
    let colours = skin.vertices.iter().flat_map(|v| (linear(v.colour) * shade(v.openness)).array());
    let colour = binary.add("VEC3", FLOAT, count, floats(colours));
    let joints = skin.vertices.iter().flat_map(|v| v.joints).flat_map(u16::to_le_bytes);
    let joints = binary.add("VEC4", SHORT, count, joints);
    let weights = binary.add("VEC4", FLOAT, count, floats(skin.vertices.iter().flat_map(|v| v.weights)));
    // A mirrored scene turns the triangles over.
    let order: Vec<u32> = match stage.recording.left_handed {
        true => skin.triangles.iter().flat_map(|[a, b, c]| [*a, *c, *b]).collect(),
        false => skin.triangles.iter().flatten().copied().collect(),
    };
    let indices = binary.add("SCALAR", INT, order.len(), order.into_iter().flat_map(u32::to_le_bytes));
    let inverse = skin.inverse_bind.iter().flat_map(|pose| {
        let (at, turn) = stage.pose_back(*pose);
        let column = |axis: Vec3| turn.turn(axis).array();
        let columns = [column(Vec3::X), column(Vec3::Y), column(Vec3::Z)];
        let last = [at[0], at[1], at[2], 1.0];
        columns.into_iter().flat_map(|[x, y, z]| [x, y, z, 0.0]).chain(last).collect::<Vec<_>>()
    });
    let inverse = binary.add("MAT4", FLOAT, skin.inverse_bind.len(), floats(inverse));

    let skeleton = &scene.skeleton;
    let all = skeleton.joint_count();
    let mut nodes: Vec<Value> = (0..all)
        .map(|joint| {
            let rest = skeleton.rest_local()[joint];
            let mut node = json!({
                "name": skeleton.name(joint),
                "translation": rest.position.to_array(),
                "rotation": rest.rotation.to_array(),
                "scale": rest.scale.to_array(),
            });
            let children: Vec<usize> = skeleton.children(joint).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect();
    nodes.push(json!({ "name": "mannequin", "mesh": 0, "skin": 0 }));
    let mut tops: Vec<usize> = (0..all).filter(|joint| skeleton.parent(*joint).is_none()).collect();
    tops.push(all);
    let attributes = json!({
        "POSITION": position, "NORMAL": normal, "COLOR_0": colour, "JOINTS_0": joints, "WEIGHTS_0": weights,
    });
    let json = json!({
        "asset": { "version": "2.0", "generator": "cargo xtask demo" },
        "scene": 0,
        "scenes": [{ "nodes": tops }],
        "nodes": nodes,
        "meshes": [{ "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.85 } }],
        "skins": [{ "joints": (0..all).collect::<Vec<_>>(), "inverseBindMatrices": inverse }],
        "buffers": [{ "byteLength": binary.bytes.len() }],
        "bufferViews": binary.views,
        "accessors": binary.accessors,
    });
    let mut text = serde_json::to_vec(&json)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    let length = 12 + 8 + text.len() + 8 + binary.bytes.len();
    file.extend([2, length as u32, text.len() as u32].into_iter().flat_map(u32::to_le_bytes));
    file.extend(b"JSON");
    file.extend(text);
    file.extend((binary.bytes.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary.bytes);
    Ok(file)
}

fn bounds(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    points.iter().fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high), p| {
        ([0, 1, 2].map(|i| low[i].min(p[i])), [0, 1, 2].map(|i| high[i].max(p[i])))
    })
}
