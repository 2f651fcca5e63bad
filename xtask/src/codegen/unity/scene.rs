//! A scene in Unity's text form: objects with transforms and components, references by local file
//! identifier.

use super::mesh::{number, vector};
use std::fmt::Write as _;

/// Place of an object in a [`Scene`].
#[derive(Clone, Copy, PartialEq)]
pub struct Node(usize);

struct Object {
    name: String,
    tag: &'static str,
    parent: Option<Node>,
    place: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    /// Identifier, class number, and text after the common lines.
    components: Vec<(u64, u32, &'static str, String)>,
}

/// Objects and components; identifiers count up from 1000, so that the same calls give the same
/// file.
#[derive(Default)]
pub struct Scene {
    objects: Vec<Object>,
    components: u64,
}

/// Built-in meshes: their numbers in Unity's default resources.
#[derive(Clone, Copy)]
pub enum Shape {
    Cube = 10202,
    Cylinder = 10206,
    Sphere = 10207,
}

impl Scene {
    /// An object; place, rotation and scale in its parent.
    pub fn object(
        &mut self,
        name: &str,
        parent: Option<Node>,
        place: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    ) -> Node {
        self.objects.push(Object {
            name: name.into(),
            tag: "Untagged",
            parent,
            place,
            rotation,
            scale,
            components: vec![],
        });
        Node(self.objects.len() - 1)
    }

    /// Gives an object a tag.
    pub fn tag(&mut self, node: Node, tag: &'static str) {
        self.objects[node.0].tag = tag;
    }

    /// Identifier of an object.
    pub fn id(&self, node: Node) -> u64 {
        1000 + 2 * node.0 as u64
    }

    /// Identifier of an object's Transform.
    pub fn transform(&self, node: Node) -> u64 {
        self.id(node) + 1
    }

    /// Adds a component; `text` is what follows the lines that all have.
    pub fn component(&mut self, node: Node, class: u32, name: &'static str, text: String) -> u64 {
        let id = 100_000 + self.components;
        self.components += 1;
        self.objects[node.0].components.push((id, class, name, text));
        id
    }

    /// A script's component: GUID of the script, and fields as lines `name: value`.
    pub fn script(&mut self, node: Node, guid: &str, fields: &str) -> u64 {
        let text = format!(
            "  m_EditorHideFlags: 0\n  m_Script: {{fileID: 11500000, guid: {guid}, type: 3}}\n  m_Name: \n  \
             m_EditorClassIdentifier: \n{fields}"
        );
        self.component(node, 114, "MonoBehaviour", text)
    }

    /// A built-in mesh with the default material, and optionally its collider.
    pub fn shape(&mut self, node: Node, shape: Shape, has_collider: bool) {
        let mesh = format!("  m_Mesh: {{fileID: {}, guid: 0000000000000000e000000000000000, type: 0}}\n", shape as u32);
        self.component(node, 33, "MeshFilter", mesh);
        self.component(node, 23, "MeshRenderer", renderer(""));
        if has_collider {
            let text = format!(
                "  m_Material: {{fileID: 0}}\n  m_IsTrigger: 0\n  serializedVersion: 2\n  m_Size: {}\n  m_Center: {}\n",
                vector([1.0; 3]),
                vector([0.0; 3])
            );
            self.component(node, 65, "BoxCollider", text);
        }
    }

    /// Objects that something is drawn at.
    pub fn drawn(&self) -> Vec<Node> {
        let is_drawn = |object: &Object| object.components.iter().any(|(_, class, ..)| matches!(class, 23 | 137));
        (0..self.objects.len()).filter(|i| is_drawn(&self.objects[*i])).map(Node).collect()
    }

    /// The file.
    pub fn text(&self) -> String {
        let mut text = String::from("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n");
        text += SETTINGS;
        const OF_ALL: &str = "  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  \
             m_PrefabAsset: {fileID: 0}\n";
        for (i, object) in self.objects.iter().enumerate() {
            let (id, transform) = (self.id(Node(i)), self.transform(Node(i)));
            _ = write!(
                text,
                "--- !u!1 &{id}\nGameObject:\n{OF_ALL}  serializedVersion: 6\n  m_Component:\n  - component: {{fileID: {transform}}}\n"
            );
            for (component, ..) in &object.components {
                _ = writeln!(text, "  - component: {{fileID: {component}}}");
            }
            _ = write!(
                text,
                "  m_Layer: 0\n  m_Name: {}\n  m_TagString: {}\n  m_Icon: {{fileID: 0}}\n  m_NavMeshLayer: 0\n  \
                 m_StaticEditorFlags: 0\n  m_IsActive: 1\n",
                object.name, object.tag
            );
            let [x, y, z, w] = object.rotation.map(number);
            _ = write!(
                text,
                "--- !u!4 &{transform}\nTransform:\n{OF_ALL}  m_GameObject: {{fileID: {id}}}\n  m_LocalRotation: {{x: {x}, y: {y}, \
                 z: {z}, w: {w}}}\n  m_LocalPosition: {}\n  m_LocalScale: {}\n  m_ConstrainProportionsScale: 0\n",
                vector(object.place),
                vector(object.scale)
            );
            let children: Vec<usize> =
                (0..self.objects.len()).filter(|c| self.objects[*c].parent == Some(Node(i))).collect();
            text += if children.is_empty() { "  m_Children: []\n" } else { "  m_Children:\n" };
            for child in children {
                _ = writeln!(text, "  - {{fileID: {}}}", self.transform(Node(child)));
            }
            let father = object.parent.map_or(0, |p| self.transform(p));
            let order = (0..i).filter(|o| self.objects[*o].parent == object.parent).count();
            _ = write!(
                text,
                "  m_Father: {{fileID: {father}}}\n  m_RootOrder: {order}\n  m_LocalEulerAnglesHint: {}\n",
                vector([0.0; 3])
            );
            for (component, class, name, body) in &object.components {
                _ = write!(
                    text,
                    "--- !u!{class} &{component}\n{name}:\n{OF_ALL}  m_GameObject: {{fileID: {id}}}\n  m_Enabled: 1\n{body}"
                );
            }
        }
        text
    }
}

/// Lines of every renderer; `more` follows them.
pub fn renderer(more: &str) -> String {
    format!(
        "  m_CastShadows: 1\n  m_ReceiveShadows: 1\n  m_Materials:\n  - {{fileID: 10303, guid: 0000000000000000f000000000000000, \
         type: 0}}\n{more}"
    )
}

/// What a scene has besides objects; Unity fills in what is left out.
const SETTINGS: &str = "--- !u!29 &1\nOcclusionCullingSettings:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  \
     m_SceneGUID: 00000000000000000000000000000000\n  m_OcclusionCullingData: {fileID: 0}\n--- !u!104 &2\nRenderSettings:\n  \
     m_ObjectHideFlags: 0\n  serializedVersion: 9\n  m_Fog: 0\n  m_AmbientSkyColor: {r: 0.45, g: 0.5, b: 0.55, a: 1}\n  \
     m_AmbientMode: 3\n  m_SkyboxMaterial: {fileID: 0}\n--- !u!157 &3\nLightmapSettings:\n  m_ObjectHideFlags: 0\n  \
     serializedVersion: 12\n  m_GIWorkflowMode: 1\n--- !u!196 &4\nNavMeshSettings:\n  serializedVersion: 2\n  \
     m_ObjectHideFlags: 0\n  m_NavMeshData: {fileID: 0}\n";
