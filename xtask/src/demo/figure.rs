//! The character and the things around it, ready to be put into a picture for any frame.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use super::bind::Bind;
use super::body::{parts, sticks};
use super::mesh::Mesh;
use super::paint::Paint;
use super::recording::JointPose;
use super::skin::{Skin, SkinVertex};
use super::stage::{Stage, StageFrame};
use crate::picture::raster::{Line, Scene, linear};
use crate::picture::vector::{Rigid, Vec3, vec3};

/// The colour of the cylinder, plain sRGB.
pub const CYLINDER: [u8; 3] = [236, 158, 62];
/// The colours of X, Y and Z of a pose, plain sRGB.
pub const AXES: [[u8; 3]; 3] = [[226, 68, 72], [72, 174, 84], [64, 118, 232]];
/// The colour of the line from the eyes to what they look at, plain sRGB.
pub const LOOK: [u8; 3] = [14, 150, 150];
/// The colour of the gap between hand and goal, plain sRGB.
pub const GAP: [u8; 3] = [214, 40, 98];

/// What is drawn for the character.
pub enum Body {
    /// The built-in mannequin.
    Mannequin,
    /// One stick per bone: a model without a mesh that can be drawn never gets a body of another's.
    Bones,
    /// The model's own mesh.
    Mesh(Mesh),
}

/// A skinned character on its stage.
pub struct JointView<'a> {
    pub stage: &'a Stage<'a>,
    pub skin: Skin,
    /// Height of the floor: just under the soles, metres.
    pub floor_y: f32,
    /// Size against an adult of 1.75 m.
    pub scale: f32,
    /// How far the body goes beyond its joints, metres.
    pub margin: f32,
    /// The right hand, which takes hold; found by the residual if the rig is unknown.
    pub hand: usize,
    /// What the eye follows in a close-up of the hand: a knuckle, or the hand itself.
    pub knuckle: usize,
    /// What the picture is centred on.
    pub hips: usize,
    /// The head; the joint nearest to the eyes if the rig is unknown.
    pub head: usize,
}

impl<'a> JointView<'a> {
    /// Makes the skin and finds the floor.
    pub fn new(stage: &'a Stage<'a>, body: &Body) -> JointView<'a> {
        let bind = Bind::new(stage);
        let skin = match body {
            Body::Mannequin => Skin::new(&bind, &parts(&bind)),
            Body::Bones => Skin::new(&bind, &[sticks(&bind)]),
            Body::Mesh(mesh) => own_skin(stage, mesh),
        };
        let hand = bind.bone("RightHand").unwrap_or_else(|| hand_by_residual(stage));
        let knuckle = bind.first_of(&["RightMiddleProximal", "RightIndexProximal"]).unwrap_or(hand);
        let hips = bind.bone("Hips").unwrap_or(0);
        let to_eyes =
            |j: usize| stage.frames.iter().step_by(30).map(|f| (f.solved[j].p - f.look_from).len()).sum::<f32>();
        let nearest = || (0..stage.joints.len()).min_by(|a, b| to_eyes(*a).total_cmp(&to_eyes(*b)));
        let head = bind.bone("Head").or_else(nearest).unwrap_or(0);
        let scale = bind.scale;
        let step = (stage.frames.len() / 24).max(1);
        let lowest = |f: &StageFrame| skin.posed(&f.animated).0.iter().fold(f32::MAX, |y, p| y.min(p.y));
        let floor_y = stage.frames.iter().step_by(step).map(lowest).fold(f32::MAX, f32::min);
        JointView { stage, margin: margin(&skin).max(0.1 * scale), skin, floor_y, scale, hand, knuckle, hips, head }
    }

    /// A lit scene of one frame with the character in `pose`.
    pub fn scene(&self, frame: usize, pose: &[Rigid]) -> Scene {
        let mut scene = Scene::default();
        scene.floor_y = self.floor_y;
        scene.centre = pose[self.hips].p;
        let (positions, normals) = self.skin.posed(pose);
        scene.positions = positions;
        scene.normals = normals;
        scene.albedo = self.skin.vertices.iter().map(|v| linear(v.painted)).collect();
        scene.openness = self.skin.vertices.iter().map(|v| v.openness).collect();
        scene.triangles = self.skin.triangles.clone();
        let size = &self.stage.recording.frames[frame].cylinder;
        let (points, normals, triangles) = cylinder(size.radius_m, size.length_m);
        let at = self.stage.frames[frame].cylinder;
        let points: Vec<Vec3> = points.iter().map(|p| at.point(*p)).collect();
        let normals: Vec<Vec3> = normals.iter().map(|n| at.q.turn(*n)).collect();
        scene.add(&points, &normals, &triangles, CYLINDER);
        scene.finish();
        scene
    }

    /// Goal axes, look line and the gap between hand and goal; `width_px` is the width of the
    /// thinnest.
    pub fn lines(&self, frame: usize, width_px: f32) -> Vec<Line> {
        let f = &self.stage.frames[frame];
        let record = &self.stage.recording.frames[frame];
        let line = |from, to, width, colour, alpha| Line { from, to, width_px: width, colour, alpha };
        let mut lines = Vec::new();
        let faint = 0.25 + 0.6 * record.weight;
        lines.push(line(f.look_from, f.look_target, width_px, LOOK, faint));
        lines.push(line(f.look_target, f.look_target, 4.0 * width_px, LOOK, 0.9));
        for (axis, colour) in self.stage.host_axes.into_iter().zip(AXES) {
            lines.push(line(
                f.goal.p,
                f.goal.p + f.goal.q.turn(axis) * (0.085 * self.scale),
                1.6 * width_px,
                colour,
                0.95,
            ));
        }
        if record.weight > 0.0 && record.hand_residual_m > 0.004 {
            lines.push(line(f.solved[self.hand].p, f.goal.p, 1.3 * width_px, GAP, 0.9));
        }
        lines
    }
}

/// The skin of a model's own mesh.
fn own_skin(stage: &Stage, mesh: &Mesh) -> Skin {
    let vertex = |v: &super::mesh::Vertex| {
        let (position, normal) = stage.point(v.position, v.normal);
        SkinVertex {
            position,
            normal: normal.unit_or(Vec3::Y),
            colour: v.colour,
            painted: v.colour,
            uv: v.uv,
            openness: 1.0,
            joints: v.joints,
            weights: v.weights,
        }
    };
    let inverse = |(position, rotation): &([f32; 3], [f32; 4])| {
        stage.pose(&JointPose { position: *position, rotation: *rotation }).inverse()
    };
    let mut vertices: Vec<SkinVertex> = mesh.vertices.iter().map(vertex).collect();
    for group in &mesh.groups {
        let Some(paint) = group.image.and_then(|image| Paint::decode(mesh.images.get(image)?)) else { continue };
        for i in mesh.triangles[group.first..group.first + group.count].as_flattened() {
            let vertex = &mut vertices[*i as usize];
            vertex.painted = paint.over(vertex.colour, vertex.uv);
        }
    }
    Skin {
        vertices,
        triangles: mesh.triangles.clone(),
        inverse_bind: mesh.bind.iter().map(inverse).collect(),
        groups: mesh.groups.clone(),
    }
}

/// The distance of the farthest vertex of a model's own mesh from the nearest joint, where the mesh
/// was bound; 0 for the built-in bodies.
fn margin(skin: &Skin) -> f32 {
    if skin.groups.is_empty() {
        return 0.0;
    }
    let joints: Vec<Vec3> = skin.inverse_bind.iter().map(|inverse| inverse.inverse().p).collect();
    let nearest = |p: Vec3| joints.iter().map(|j| (*j - p).dot(*j - p)).fold(f32::MAX, f32::min);
    let step = (skin.vertices.len() / 4000).max(1);
    skin.vertices.iter().step_by(step).map(|v| nearest(v.position)).fold(0.0, f32::max).sqrt()
}

/// The joint whose distance to the goal is the recorded residual, for rigs whose bones have no
/// human names.
fn hand_by_residual(stage: &Stage) -> usize {
    let miss = |j: usize| -> f32 {
        let frames = stage.recording.frames.iter().zip(&stage.frames).step_by(10);
        frames.map(|(r, f)| ((f.solved[j].p - f.goal.p).len() - r.hand_residual_m).abs()).sum()
    };
    (0..stage.joints.len()).min_by(|a, b| miss(*a).total_cmp(&miss(*b))).unwrap_or(0)
}

/// Points, normals and triangles of a closed cylinder along Y with slightly bevelled rims, centred,
/// metres.
pub fn cylinder(radius: f32, length: f32) -> (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>) {
    const AROUND: usize = 48;
    let bevel = (0.15 * radius).min(0.1 * length);
    let half = 0.5 * length;
    // Rings from bottom to top: radius, height, normal outwards, normal upwards. Doubled rings make
    // sharp edges.
    let rings = [
        (0.0, -half, 0.0, -1.0),
        (radius - bevel, -half, 0.0, -1.0),
        (radius, bevel - half, 1.0, 0.0),
        (radius, half - bevel, 1.0, 0.0),
        (radius - bevel, half, 0.0, 1.0),
        (0.0, half, 0.0, 1.0),
    ];
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (ring, (r, y, out, up)) in rings.into_iter().enumerate() {
        for i in 0..AROUND {
            let (s, c) = (i as f32 / AROUND as f32 * std::f32::consts::TAU).sin_cos();
            points.push(vec3(c * r, y, s * r));
            normals.push(vec3(c * out, up, s * out));
            if ring > 0 {
                let next = (i + 1) % AROUND;
                let at = |ring: usize, i: usize| (ring * AROUND + i) as u32;
                triangles.push([at(ring - 1, i), at(ring, i), at(ring, next)]);
                triangles.push([at(ring - 1, i), at(ring, next), at(ring - 1, next)]);
            }
        }
    }
    (points, normals, triangles)
}
