//! A mesh asset in Unity's text form: vertices in three streams (place and normal; UV; weights and
//! joints), bind poses.

use super::figure::{Joint, Skin, add, sub};
use std::fmt::Write as _;

/// Local file identifier of the mesh in its asset.
pub const FILE_ID: u64 = 4_300_000;

/// The asset's text.
pub fn asset(skin: &Skin) -> String {
    let (low, high) = bounds(skin);
    let centre = add(low, high).map(|x| x * 0.5);
    let extent = sub(high, low).map(|x| x * 0.5);
    let (vertices, indices) = (skin.vertices.len(), skin.triangles.len() * 3);
    let aabb = |indent: &str| format!("{indent}m_Center: {}\n{indent}m_Extent: {}\n", vector(centre), vector(extent));
    let mut text = format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!43 &{FILE_ID}\nMesh:\n  m_ObjectHideFlags: 0\n  \
         m_CorrespondingSourceObject: {{fileID: 0}}\n  m_PrefabInstance: {{fileID: 0}}\n  m_PrefabAsset: {{fileID: 0}}\n  \
         m_Name: Figure\n  serializedVersion: 10\n  m_SubMeshes:\n  - serializedVersion: 2\n    firstByte: 0\n    \
         indexCount: {indices}\n    topology: 0\n    baseVertex: 0\n    firstVertex: 0\n    vertexCount: {vertices}\n    \
         localAABB:\n{}  m_Shapes:\n    vertices: []\n    shapes: []\n    channels: []\n    fullWeights: []\n  m_BindPose:\n",
        aabb("      ")
    );
    for joint in &skin.joints {
        for row in 0..4 {
            for column in 0..4 {
                let value = match (row, column) {
                    (r, 3) if r < 3 => 0.0 - joint.place[r],
                    (r, c) if r == c => 1.0,
                    _ => 0.0,
                };
                let lead = if row + column == 0 { "  - " } else { "    " };
                _ = writeln!(text, "{lead}e{row}{column}: {}", number(value));
            }
        }
    }
    let hashes: String = (0..skin.joints.len()).map(|i| hex(&crc32(&path(&skin.joints, i)).to_le_bytes())).collect();
    _ = write!(text, "  m_BoneNameHashes: {hashes}\n  m_RootBoneNameHash: {}\n  m_BonesAABB:\n", crc32("Hips"));
    for joint in 0..skin.joints.len() {
        let (low, high) = bone_bounds(skin, joint);
        _ = write!(text, "  - m_Min: {}\n    m_Max: {}\n", vector(low), vector(high));
    }
    let index_bytes: String = skin.triangles.iter().flatten().map(|i| hex(&i.to_le_bytes())).collect();
    _ = write!(
        text,
        "  m_VariableBoneCountWeights:\n    m_Data: \n  m_MeshCompression: 0\n  m_IsReadable: 1\n  m_KeepVertices: 1\n  \
         m_KeepIndices: 1\n  m_IndexFormat: 0\n  m_IndexBuffer: {index_bytes}\n  m_VertexData:\n    serializedVersion: 3\n    \
         m_VertexCount: {vertices}\n    m_Channels:\n"
    );
    // Place, normal, tangent, colour, eight UVs, weights, joints: stream, offset, format (0: float,
    // 10: uint), dimension.
    const EMPTY: [u32; 4] = [0, 0, 0, 0];
    let mut channels = [EMPTY; 14];
    channels[0] = [0, 0, 0, 3];
    channels[1] = [0, 12, 0, 3];
    channels[4] = [1, 0, 0, 2];
    channels[12] = [2, 0, 0, 4];
    channels[13] = [2, 16, 10, 4];
    for [stream, offset, format, dimension] in channels {
        _ = write!(
            text,
            "    - stream: {stream}\n      offset: {offset}\n      format: {format}\n      dimension: {dimension}\n"
        );
    }
    let data = vertex_data(skin);
    _ = write!(text, "    m_DataSize: {}\n    _typelessdata: {}\n  m_CompressedMesh:\n", data.len(), hex(&data));
    for (name, ranged) in [
        ("Vertices", true),
        ("UV", true),
        ("Normals", true),
        ("Tangents", true),
        ("Weights", false),
        ("NormalSigns", false),
        ("TangentSigns", false),
        ("FloatColors", true),
        ("BoneIndices", false),
        ("Triangles", false),
    ] {
        let range = if ranged { "      m_Range: 0\n      m_Start: 0\n" } else { "" };
        _ = write!(text, "    m_{name}:\n      m_NumItems: 0\n{range}      m_Data: \n      m_BitSize: 0\n");
    }
    _ = write!(
        text,
        "    m_UVInfo: 0\n  m_LocalAABB:\n{}  m_MeshUsageFlags: 0\n  m_BakedConvexCollisionMesh: \n  \
         m_BakedTriangleCollisionMesh: \n  m_MeshMetrics[0]: 1\n  m_MeshMetrics[1]: 1\n  m_MeshOptimizationFlags: 1\n  \
         m_StreamData:\n    serializedVersion: 2\n    offset: 0\n    size: 0\n    path: \n",
        aabb("    ")
    );
    text
}

// Each stream begins at a multiple of 16 bytes.
fn vertex_data(skin: &Skin) -> Vec<u8> {
    let mut data = Vec::new();
    let floats = |data: &mut Vec<u8>, values: &[f32]| values.iter().for_each(|x| data.extend(x.to_le_bytes()));
    for v in &skin.vertices {
        floats(&mut data, &v.place);
        floats(&mut data, &v.normal);
    }
    data.resize(data.len().next_multiple_of(16), 0);
    for v in &skin.vertices {
        floats(&mut data, &v.uv);
    }
    data.resize(data.len().next_multiple_of(16), 0);
    for v in &skin.vertices {
        floats(&mut data, &[v.weights[0], v.weights[1], 0.0, 0.0]);
        for joint in [v.joints[0], v.joints[1], 0, 0] {
            data.extend((joint as u32).to_le_bytes());
        }
    }
    data
}

fn bounds(skin: &Skin) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::MAX; 3];
    let mut high = [f32::MIN; 3];
    for v in &skin.vertices {
        low = std::array::from_fn(|i| low[i].min(v.place[i]));
        high = std::array::from_fn(|i| high[i].max(v.place[i]));
    }
    (low, high)
}

// In the joint's own space.
fn bone_bounds(skin: &Skin, joint: usize) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::MAX; 3];
    let mut high = [f32::MIN; 3];
    for v in skin.vertices.iter().filter(|v| (0..2).any(|i| v.joints[i] == joint && v.weights[i] > 0.0)) {
        let own = sub(v.place, skin.joints[joint].place);
        low = std::array::from_fn(|i| low[i].min(own[i]));
        high = std::array::from_fn(|i| high[i].max(own[i]));
    }
    (low, high)
}

fn path(joints: &[Joint], at: usize) -> String {
    match joints[at].parent {
        Some(parent) => format!("{}/{}", path(joints, parent), joints[at].name),
        None => joints[at].name.to_string(),
    }
}

fn crc32(text: &str) -> u32 {
    !text.bytes().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ byte as u32, |c, _| if c & 1 == 1 { (c >> 1) ^ 0xedb8_8320 } else { c >> 1 })
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A vector as Unity writes it.
pub fn vector([x, y, z]: [f32; 3]) -> String {
    format!("{{x: {}, y: {}, z: {}}}", number(x), number(y), number(z))
}

/// The shortest number that reads back as the same; no negative zero.
pub fn number(x: f32) -> String {
    if x == 0.0 { "0".into() } else { format!("{x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_usual_one() {
        assert_eq!(crc32("123456789"), 0xcbf4_3926);
    }

    #[test]
    fn streams_are_aligned_and_complete() {
        let skin = super::super::figure::skin();
        let n = skin.vertices.len();
        let expected = (n * 24).next_multiple_of(16) + (n * 8).next_multiple_of(16) + n * 32;
        assert_eq!(vertex_data(&skin).len(), expected);
    }
}
