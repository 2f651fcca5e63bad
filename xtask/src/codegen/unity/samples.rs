//! The scenes of the samples: each with a figure, ground, light and camera, and everything wired
//! up.

use super::figure;
use super::mesh;
use super::scene::{Node, Scene, Shape, renderer};
use crate::codegen::metas;
use std::fmt::Write as _;
use std::path::Path;

/// Folders below `Samples~`; each has a scene of the same name.
pub const NAMES: [&str; 6] = ["HoldCylinder", "FootPlacement", "Grounder", "Aim", "Crowd", "Trackers"];

const STRAIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
const ONE: [f32; 3] = [1.0; 3];

struct Maker<'a> {
    scene: Scene,
    package: &'a Path,
    sample: &'a str,
    mesh: &'a str,
}

/// The text of a sample's scene.
pub fn scene(sample: &str, package: &Path, mesh: &str) -> String {
    let mut maker = Maker { scene: Scene::default(), package, sample, mesh };
    match sample {
        "HoldCylinder" => maker.hold_cylinder(),
        "FootPlacement" => maker.foot_placement(),
        "Grounder" => maker.grounder(),
        "Aim" => maker.aim(),
        "Trackers" => maker.trackers(),
        _ => maker.crowd(),
    }
    maker.scene.text()
}

impl Maker<'_> {
    fn hold_cylinder(&mut self) {
        self.surroundings([0.9, 1.6, 2.2], [0.0, 0.9836, -0.1805, 0.0]);
        self.box_at("Floor", [0.0, -0.05, 0.0], STRAIGHT, [10.0, 0.1, 10.0]);
        let figure = self.figure([0.0, 0.0, 0.0]);
        let cylinder = self.scene.object("Cylinder", None, [0.35, 1.2, 0.4], STRAIGHT, [0.08, 0.15, 0.08]);
        self.scene.shape(cylinder, Shape::Cylinder, false);
        // The palm lies against the cylinder, the fingers point forward, the back of the hand to
        // the right.
        let quarter = 0.5_f32.sqrt();
        let handle = self.scene.object("Handle", Some(cylinder), [0.6, 0.0, -0.8], [0.0, 0.0, -quarter, quarter], ONE);
        let fields = format!(
            "  ikActive: 1\n  rightHandObj: {}\n  lookObj: {}\n",
            self.reference(handle),
            self.reference(cylinder)
        );
        self.sample_script(figure, "HoldCylinderIK", &fields);
        let fields = format!("  cylinder: {}\n  period: 6\n", self.reference(cylinder));
        self.sample_script(figure, "HoldCylinderMotion", &fields);
    }

    fn foot_placement(&mut self) {
        self.surroundings([3.2, 1.4, 2.5], [0.02, -0.704, 0.02, 0.71]);
        self.box_at("Floor", [0.0, -0.05, 2.5], STRAIGHT, [10.0, 0.1, 12.0]);
        // Turned by 8 degrees about X, up and down again; steps to the left and right of the way.
        let (s, c) = (0.069_756_47, 0.997_564_1);
        self.box_at("Ramp Up", [0.0, 0.05, 1.4], [-s, 0.0, 0.0, c], [2.0, 0.1, 1.4]);
        self.box_at("Ramp Down", [0.0, 0.05, 2.7], [s, 0.0, 0.0, c], [2.0, 0.1, 1.4]);
        for (i, z) in [3.9_f32, 4.3, 4.7].into_iter().enumerate() {
            let x = if i % 2 == 0 { -0.1 } else { 0.1 };
            self.box_at(&format!("Step {}", i + 1), [x, 0.03, z], STRAIGHT, [0.2, 0.06, 0.3]);
        }
        let figure = self.figure([0.0, 0.0, 0.0]);
        let everything = "  ground:\n    serializedVersion: 2\n    m_Bits: 4294967295\n";
        self.sample_script(
            figure,
            "FootPlacementIK",
            &format!("  weight: 1\n{everything}  range: 0.5\n  bodySpeed: 1\n"),
        );
        self.sample_script(figure, "FootPlacementWalk", "  speed: 0.8\n  length: 5\n");
    }

    fn grounder(&mut self) {
        self.surroundings([4.2, 1.7, 3.5], [0.03, -0.704, 0.03, 0.71]);
        self.box_at("Floor", [0.0, -0.05, 3.5], STRAIGHT, [10.0, 0.1, 14.0]);
        // Three steps up, a landing, a slope of 8 degrees down, rocks.
        for (i, z) in [1.15_f32, 1.45].into_iter().enumerate() {
            let height = 0.12 * (i + 1) as f32;
            self.box_at(&format!("Step {}", i + 1), [0.0, 0.5 * height, z], STRAIGHT, [2.0, height, 0.3]);
        }
        self.box_at("Landing", [0.0, 0.18, 2.2], STRAIGHT, [2.0, 0.36, 1.2]);
        let (s, c) = (0.069_756_47, 0.997_564_1);
        self.box_at("Slope", [0.0, 0.129, 4.075], [s, 0.0, 0.0, c], [2.0, 0.1, 2.6]);
        for (i, (x, z, height)) in
            [(-0.1, 5.7, 0.08), (0.12, 5.95, 0.05), (-0.08, 6.25, 0.1), (0.1, 6.5, 0.07)].into_iter().enumerate()
        {
            let name = format!("Rock {}", i + 1);
            self.box_at(&name, [x, 0.5 * height, z], [0.0, 0.258_819, 0.0, 0.965_926], [0.3, height, 0.28]);
        }
        let figure = self.figure([0.0, 0.0, 0.0]);
        self.package_script(figure, "SinewGrounder", "");
        self.sample_script(figure, "GrounderWalk", "  speed: 0.8\n  length: 7\n  climb: 0.6\n");
    }

    fn aim(&mut self) {
        self.surroundings([1.6, 1.7, 3.2], [0.0, 0.976, -0.05, -0.21]);
        self.box_at("Floor", [0.0, -0.05, 0.0], STRAIGHT, [10.0, 0.1, 10.0]);
        let figure = self.figure([0.0, 0.0, 0.0]);
        let target = self.scene.object("Target", None, [0.0, 1.6, 2.0], STRAIGHT, [0.15; 3]);
        self.scene.shape(target, Shape::Sphere, false);
        let fields = format!(
            "  target: {}\n  arguments: 5\n  weight: 1\n  bodyWeight: 0.3\n  headWeight: 0.8\n  eyesWeight: 1\n  clampWeight: 0.5\n",
            self.reference(target)
        );
        self.sample_script(figure, "AimIK", &fields);
        let fields = format!("  target: {}\n  period: 8\n", self.reference(target));
        self.sample_script(figure, "AimMotion", &fields);
    }

    fn trackers(&mut self) {
        self.surroundings([1.8, 1.6, 3.0], [0.0, 0.966, -0.03, -0.256]);
        self.box_at("Floor", [0.0, -0.05, 0.0], STRAIGHT, [10.0, 0.1, 10.0]);
        let figure = self.figure([0.0, 0.0, 0.0]);
        self.package_script(figure, "SinewTrackedBody", "");
        self.sample_script(figure, "TrackersPlayer", "  trackerCount: 3\n  playerSize: 1.1\n  period: 6\n");
    }

    fn crowd(&mut self) {
        let camera = self.surroundings([9.0, 6.0, -9.0], [0.17, 0.0, 0.0, 0.9854]);
        self.box_at("Floor", [9.0, -0.05, 9.0], STRAIGHT, [40.0, 0.1, 40.0]);
        let figure = self.figure([0.0, 0.0, 0.0]);
        let ball = self.scene.object("Ball", None, [9.0, 1.9, 9.0], STRAIGHT, [0.3; 3]);
        self.scene.shape(ball, Shape::Sphere, false);
        self.sample_script(ball, "CrowdMotion", "  size: 9\n");
        let fields = format!("  ball: {}\n  reach: 2.5\n", self.reference(ball));
        self.sample_script(figure, "CrowdIK", &fields);
        let spawner = self.scene.object("Crowd", None, [0.0; 3], STRAIGHT, ONE);
        let fields = format!("  figure: {{fileID: {}}}\n  count: 200\n  spacing: 1.4\n", self.scene.id(figure));
        self.sample_script(spawner, "Crowd", &fields);
        let world = self.scene.object("Sinew World", None, [0.0; 3], STRAIGHT, ONE);
        let band = |distance: u32, level: u32, interval: u32| {
            format!("  - distance: {distance}\n    level: {level}\n    iterations: 0.5\n    interval: {interval}\n")
        };
        let fields = format!(
            "  viewer: {}\n  bands:\n{}{}{}  budgetMilliseconds: 0\n  useJobThreads: 1\n  workerThreads: 0\n  jobThreshold: 8\n",
            self.reference(camera),
            band(15, 1, 4),
            band(40, 3, 4),
            band(80, 4, 4)
        );
        self.package_script(world, "SinewWorld", &fields);
    }

    /// Camera and light.
    fn surroundings(&mut self, from: [f32; 3], rotation: [f32; 4]) -> Node {
        let length = rotation.iter().map(|x| x * x).sum::<f32>().sqrt();
        let camera = self.scene.object("Main Camera", None, from, rotation.map(|x| x / length), ONE);
        self.scene.tag(camera, "MainCamera");
        let text = "  serializedVersion: 2\n  m_ClearFlags: 2\n  m_BackGroundColor: {r: 0.75, g: 0.8, b: 0.85, a: 0}\n  \
                    near clip plane: 0.1\n  far clip plane: 200\n  field of view: 45\n  orthographic: 0\n  m_Depth: -1\n";
        self.scene.component(camera, 20, "Camera", text.into());
        self.scene.component(camera, 81, "AudioListener", String::new());
        let light = self.scene.object(
            "Directional Light",
            None,
            [0.0, 3.0, 0.0],
            [0.408_217_9, -0.234_569_7, 0.109_381_65, 0.875_426_1],
            ONE,
        );
        let text = "  serializedVersion: 10\n  m_Type: 1\n  m_Color: {r: 1, g: 0.96, b: 0.9, a: 1}\n  m_Intensity: 1\n  \
                    m_Shadows:\n    m_Type: 2\n    m_Strength: 1\n";
        self.scene.component(light, 108, "Light", text.into());
        camera
    }

    fn box_at(&mut self, name: &str, place: [f32; 3], rotation: [f32; 4], size: [f32; 3]) {
        let node = self.scene.object(name, None, place, rotation, size);
        self.scene.shape(node, Shape::Cube, true);
    }

    /// Joints, skin and SinewAnimator.
    fn figure(&mut self, place: [f32; 3]) -> Node {
        let root = self.scene.object("Figure", None, place, STRAIGHT, ONE);
        let joints = figure::joints();
        let mut nodes: Vec<Node> = Vec::new();
        for joint in &joints {
            let (parent, own) = match joint.parent {
                Some(p) => (nodes[p], figure::sub(joint.place, joints[p].place)),
                None => (root, joint.place),
            };
            nodes.push(self.scene.object(joint.name, Some(parent), own, STRAIGHT, ONE));
        }
        let skin = self.scene.object("Skin", Some(root), [0.0; 3], STRAIGHT, ONE);
        let mut more = format!(
            "  serializedVersion: 2\n  m_Quality: 0\n  m_UpdateWhenOffscreen: 1\n  m_SkinnedMotionVectors: 1\n  m_Mesh: {{fileID: {}, \
             guid: {}, type: 2}}\n  m_Bones:\n",
            mesh::FILE_ID,
            metas::guid(self.package, self.mesh)
        );
        for node in &nodes {
            _ = writeln!(more, "  - {}", self.reference(*node));
        }
        _ = write!(
            more,
            "  m_BlendShapeWeights: []\n  m_RootBone: {}\n  m_AABB:\n    m_Center: {}\n    m_Extent: {}\n  m_DirtyAABB: 0\n",
            self.reference(nodes[0]),
            mesh::vector([0.0; 3]),
            mesh::vector([1.0, 1.2, 1.0])
        );
        self.scene.component(skin, 137, "SkinnedMeshRenderer", renderer(&more));
        self.package_script(root, "SinewAnimator", "");
        root
    }

    fn reference(&self, node: Node) -> String {
        format!("{{fileID: {}}}", self.scene.transform(node))
    }

    fn sample_script(&mut self, node: Node, class: &str, fields: &str) {
        let guid = metas::guid(self.package, &format!("Samples~/{}/{class}.cs", self.sample));
        self.scene.script(node, &guid, fields);
    }

    fn package_script(&mut self, node: Node, class: &str, fields: &str) {
        let guid = metas::guid(self.package, &format!("Runtime/Components/{class}.cs"));
        self.scene.script(node, &guid, fields);
    }
}
