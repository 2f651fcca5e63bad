//! The skinned mesh of a glTF or VRM file, for pictures of the file's own character.
//!
//! Recorded poses are rotations and positions: what a joint's scale does to the mesh is put into
//! the vertices. With `G` a joint's space at rest, `R` its rotation and `I` its inverse bind
//! matrix, `S = R⁻¹ G` (the linear parts) is the scale that the joint carries in every pose, and a
//! vertex is at `S I v` in the space of the unscaled joint. The inverse of `S I` is where the joint
//! was when the mesh was bound; there the vertices of all joints are put together.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use super::accessor::{Buffers, indices, rows};
use super::skin::{Group, Image};
use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use gltf::{Document, Node, Semantic};
use sinew::skeleton::Skeleton;
use std::path::Path;
use testkit::matchers::{Affine64, forward_kinematics, model_rotations};

/// A mesh bound to the joints of a skeleton, in the file's units and axes.
pub struct Mesh {
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<[u32; 3]>,
    pub groups: Vec<Group>,
    pub images: Vec<Image>,
    /// For each joint where it was when the mesh was bound: position, and rotation `x y z w`.
    pub bind: Vec<([f32; 3], [f32; 4])>,
}

/// One vertex, where it was when the mesh was bound.
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    /// Plain sRGB.
    pub colour: [u8; 3],
    pub joints: [u16; 4],
    pub weights: [f32; 4],
}

/// Extensions without which a mesh cannot be read here.
const COMPRESSIONS: [&str; 2] = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];

/// Reads the meshes of a file; `places` are the joints of its nodes.
///
/// # Errors
///
/// The reason why there is nothing to draw.
pub fn read(path: &Path, file: &gltf::Gltf, places: &[Option<usize>], skeleton: &Skeleton) -> Result<Mesh> {
    let document = &file.document;
    for name in document.extensions_required() {
        ensure!(!COMPRESSIONS.contains(&name), "its mesh is compressed ({name})");
    }
    let buffers = buffers(path, file)?;
    let spaces = spaces(document);
    let mut parents = vec![None; spaces.len()];
    for node in document.nodes() {
        node.children().for_each(|child| parents[child.index()] = Some(node.index()));
    }
    let mut builder = Builder::new(skeleton, &spaces, places, parents, &buffers);
    // Skins first: they state where joints were when the mesh was bound.
    for skin in document.nodes().filter(|node| node.mesh().is_some()).filter_map(|node| node.skin()) {
        builder.bind(&skin)?;
    }
    for node in document.nodes() {
        builder.node(&node).with_context(|| format!("mesh of {:?}", node.name().unwrap_or("a node")))?;
    }
    let mut mesh = builder.mesh;
    ensure!(!mesh.triangles.is_empty(), "it has no mesh on its bones");
    mesh.groups.sort_by_key(|group| group.is_blended);
    for image in document.images() {
        mesh.images.push(picture(path, &image, &buffers)?);
    }
    Ok(mesh)
}

fn buffers(path: &Path, file: &gltf::Gltf) -> Result<Buffers> {
    let read = |buffer: gltf::Buffer| match buffer.source() {
        gltf::buffer::Source::Bin => file.blob.clone().context("no binary part"),
        gltf::buffer::Source::Uri(uri) => external(path, uri),
    };
    file.document.buffers().map(read).collect()
}

/// What a URI in the file names: data in the URI itself, or a file beside.
pub fn external(path: &Path, uri: &str) -> Result<Vec<u8>> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(',').context("a data URI without data")?;
        return Ok(base64::engine::general_purpose::STANDARD.decode(text)?);
    }
    let plain = uri.replace("%20", " ");
    ensure!(!plain.contains("..") && !plain.starts_with('/'), "{uri:?} is outside of the file's folder");
    let file = path.with_file_name(plain);
    std::fs::read(&file).with_context(|| format!("reading {}", file.display()))
}

fn picture(path: &Path, image: &gltf::Image, buffers: &Buffers) -> Result<Image> {
    Ok(match image.source() {
        gltf::image::Source::View { view, .. } => {
            let buffer = buffers.get(view.buffer().index()).context("a buffer is missing")?;
            let end = view.offset() + view.length();
            let bytes = buffer.get(view.offset()..end).context("a picture reaches beyond its buffer")?;
            Image { bytes: bytes.to_vec() }
        }
        gltf::image::Source::Uri { uri, .. } => Image { bytes: external(path, uri)? },
    })
}

/// The space of every node in the scene.
fn spaces(document: &Document) -> Vec<Affine64> {
    let mut spaces = vec![None; document.nodes().count()];
    let mut stack: Vec<(usize, Affine64)> = Vec::new();
    let mut is_child = vec![false; spaces.len()];
    let nodes: Vec<Node> = document.nodes().collect();
    nodes.iter().flat_map(Node::children).for_each(|child| is_child[child.index()] = true);
    stack.extend((0..nodes.len()).filter(|i| !is_child[*i]).map(|i| (i, Affine64::IDENTITY)));
    while let Some((index, above)) = stack.pop() {
        let space = above.then(&affine(nodes[index].transform().matrix()));
        if spaces[index].replace(space).is_none() {
            stack.extend(nodes[index].children().map(|child| (child.index(), space)));
        }
    }
    spaces.into_iter().map(|space| space.unwrap_or(Affine64::IDENTITY)).collect()
}

fn affine(columns: [[f32; 4]; 4]) -> Affine64 {
    let column = |i: usize| [0, 1, 2].map(|row| f64::from(columns[i][row]));
    Affine64 { columns: [column(0), column(1), column(2)], position: column(3) }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn determinant(space: &Affine64) -> f64 {
    dot(space.columns[0], cross(space.columns[1], space.columns[2]))
}

fn inverse(space: &Affine64) -> Affine64 {
    let [a, b, c] = space.columns;
    let det = determinant(space);
    let rows = [cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|x| x / det));
    let columns = [0, 1, 2].map(|i| [rows[0][i], rows[1][i], rows[2][i]]);
    let turned = Affine64 { columns, position: [0.0; 3] };
    let position = turned.direction(space.position).map(|x| -x);
    Affine64 { columns, position }
}

/// The rotation nearest to a space's first two axes.
fn rotation(space: &Affine64) -> Affine64 {
    let unit = |v: [f64; 3]| {
        let length = dot(v, v).sqrt().max(1e-30);
        v.map(|x| x / length)
    };
    let x = unit(space.columns[0]);
    let z = unit(cross(x, space.columns[1]));
    Affine64 { columns: [x, cross(z, x), z], position: [0.0; 3] }
}

fn quaternion(turn: &Affine64) -> [f32; 4] {
    let m = |row: usize, column: usize| turn.columns[column][row];
    let [x, y, z] = [(1, 2, 0), (2, 0, 1), (0, 1, 2)].map(|(i, j, k)| {
        let size = (1.0 + m(k, k) - m(i, i) - m(j, j)).max(0.0).sqrt();
        0.5 * if m(j, i) < m(i, j) { -size } else { size }
    });
    let w = 0.5 * (1.0 + m(0, 0) + m(1, 1) + m(2, 2)).max(0.0).sqrt();
    let length = (x * x + y * y + z * z + w * w).sqrt().max(1e-30);
    [x, y, z, w].map(|part| (part / length) as f32)
}

struct Builder<'a> {
    mesh: Mesh,
    /// What each joint carries in every pose besides its rotation.
    scales: Vec<Affine64>,
    spaces: &'a [Affine64],
    places: &'a [Option<usize>],
    parents: Vec<Option<usize>>,
    buffers: &'a Buffers,
    bound: Vec<bool>,
}

impl<'a> Builder<'a> {
    fn new(
        skeleton: &Skeleton,
        spaces: &'a [Affine64],
        places: &'a [Option<usize>],
        parents: Vec<Option<usize>>,
        buffers: &'a Buffers,
    ) -> Self {
        let rest = skeleton.rest_local();
        let frames = forward_kinematics(skeleton, rest);
        let turns = model_rotations(skeleton, rest).into_iter().map(|q| q.map(|x| x as f32));
        let mut scales = Vec::new();
        let mut bind = Vec::new();
        for (frame, turn) in frames.iter().zip(turns) {
            let rotation =
                sinew::math::Transform { rotation: sinew::math::Quat::from_array(turn), ..Default::default() };
            let linear = Affine64 { position: [0.0; 3], ..*frame };
            scales.push(inverse(&Affine64::from_transform(&rotation)).then(&linear));
            bind.push((frame.position.map(|x| x as f32), turn));
        }
        let mesh = Mesh { vertices: vec![], triangles: vec![], groups: vec![], images: vec![], bind };
        let bound = vec![false; scales.len()];
        Builder { mesh, scales, spaces, places, parents, buffers, bound }
    }

    fn node(&mut self, node: &Node) -> Result<()> {
        let Some(mesh) = node.mesh() else { return Ok(()) };
        let spaces = match node.skin() {
            Some(skin) => self.bind(&skin)?,
            None => match self.carrier(node.index()) {
                Some(space) => vec![space],
                None => return Ok(()),
            },
        };
        for primitive in mesh.primitives() {
            if primitive.mode() == gltf::mesh::Mode::Triangles {
                self.primitive(&primitive, &spaces, node.skin().is_some())?;
            }
        }
        Ok(())
    }

    /// For a mesh without a skin: the nearest joint above it, and its space in that joint's bind.
    fn carrier(&self, node: usize) -> Option<(usize, Affine64)> {
        let mut above = node;
        let joint = loop {
            match self.places.get(above).copied().flatten() {
                Some(joint) => break joint,
                None => above = self.parents[above]?,
            }
        };
        let inside = inverse(&self.spaces[above]).then(&self.spaces[node]);
        Some((joint, self.bind_space(joint).then(&self.scales[joint]).then(&inside)))
    }

    fn bind_space(&self, joint: usize) -> Affine64 {
        let (position, turn) = self.mesh.bind[joint];
        let rotation = sinew::math::Quat::from_array(turn);
        let space = sinew::math::Transform { rotation, ..Default::default() };
        Affine64 { position: position.map(f64::from), ..Affine64::from_transform(&space) }
    }

    /// Joints of a skin, each with what takes the mesh to where it was bound.
    fn bind(&mut self, skin: &gltf::Skin) -> Result<Vec<(usize, Affine64)>> {
        let joints: Vec<usize> = skin.joints().map(|joint| self.places[joint.index()].unwrap_or(0)).collect();
        let inverses = match skin.inverse_bind_matrices() {
            Some(accessor) => rows::<16>(&accessor, self.buffers)?,
            None => vec![[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]; joints.len()],
        };
        ensure!(inverses.len() >= joints.len(), "{} bind matrices for {} joints", inverses.len(), joints.len());
        let to_joint: Vec<Affine64> = joints
            .iter()
            .zip(&inverses)
            .map(|(joint, m)| {
                let column = |i: usize| [m[4 * i], m[4 * i + 1], m[4 * i + 2], m[4 * i + 3]];
                self.scales[*joint].then(&affine([column(0), column(1), column(2), column(3)]))
            })
            .collect();
        // The unit of the mesh in that of the skeleton.
        let mut units: Vec<f64> = to_joint.iter().map(|space| determinant(space).abs().cbrt()).collect();
        units.sort_by(f64::total_cmp);
        let unit = units.get(units.len() / 2).copied().unwrap_or(1.0);
        let mut out = Vec::new();
        for (joint, space) in joints.into_iter().zip(to_joint) {
            ensure!(determinant(&space).abs() > 1e-30, "a bind matrix has no inverse");
            let bound = inverse(&space);
            let turn = rotation(&bound);
            let position = bound.position.map(|x| x * unit);
            if !std::mem::replace(&mut self.bound[joint], true) {
                self.mesh.bind[joint] = (position.map(|x| x as f32), quaternion(&turn));
            }
            out.push((joint, self.bind_space(joint).then(&space)));
        }
        Ok(out)
    }

    fn primitive(&mut self, primitive: &gltf::Primitive, spaces: &[(usize, Affine64)], has_skin: bool) -> Result<()> {
        let get = |semantic: Semantic| primitive.get(&semantic);
        let points = rows::<3>(&get(Semantic::Positions).context("no positions")?, self.buffers)?;
        let count = points.len();
        let or = |rows: Option<Result<Vec<[f32; 4]>>>, other: [f32; 4]| -> Result<Vec<[f32; 4]>> {
            let mut rows = rows.transpose()?.unwrap_or_default();
            rows.resize(count, other);
            Ok(rows)
        };
        let four = |semantic: Semantic| get(semantic).map(|accessor| rows::<4>(&accessor, self.buffers));
        let normals = or(four(Semantic::Normals), [0.0; 4])?;
        let places = or(four(Semantic::Joints(0)).filter(|_| has_skin), [0.0; 4])?;
        let weights = or(four(Semantic::Weights(0)).filter(|_| has_skin), [1.0, 0.0, 0.0, 0.0])?;
        let material = primitive.material();
        let pbr = material.pbr_metallic_roughness();
        let texture = pbr.base_color_texture();
        let set = texture.as_ref().map_or(0, |t| t.tex_coord());
        let uvs = or(four(Semantic::TexCoords(set)), [0.0; 4])?;
        let tints = or(four(Semantic::Colors(0)), [1.0; 4])?;
        let factor = pbr.base_color_factor();
        let first = self.mesh.vertices.len() as u32;
        for i in 0..count {
            let vertex = self.vertex(points[i], normals[i], places[i], weights[i], spaces)?;
            let colour = [0, 1, 2].map(|c| srgb(factor[c] * tints[i][c]));
            self.mesh.vertices.push(Vertex { uv: [uvs[i][0], uvs[i][1]], colour, ..vertex });
        }
        let order = match primitive.indices() {
            Some(accessor) => indices(&accessor, self.buffers)?,
            None => (0..count as u32).collect(),
        };
        let start = self.mesh.triangles.len();
        for triangle in order.as_chunks::<3>().0 {
            ensure!(triangle.iter().all(|i| (*i as usize) < count), "an index beyond the vertices");
            self.mesh.triangles.push(triangle.map(|i| first + i));
        }
        if get(Semantic::Normals).is_none() {
            self.flat_normals(start, first as usize);
        }
        use gltf::material::AlphaMode;
        self.mesh.groups.push(Group {
            first: start,
            count: self.mesh.triangles.len() - start,
            image: texture.map(|t| t.texture().source().index()),
            is_blended: material.alpha_mode() == AlphaMode::Blend,
        });
        Ok(())
    }

    /// One vertex where it was when the mesh was bound.
    fn vertex(
        &self,
        point: [f32; 3],
        normal: [f32; 4],
        places: [f32; 4],
        weights: [f32; 4],
        spaces: &[(usize, Affine64)],
    ) -> Result<Vertex> {
        let total: f32 = weights.iter().sum();
        let weights = if total > 1e-6 { weights.map(|w| w / total) } else { [1.0, 0.0, 0.0, 0.0] };
        let (mut at, mut out, mut joints) = ([0.0f64; 3], [0.0f64; 3], [0u16; 4]);
        for (slot, (place, weight)) in places.into_iter().zip(weights).enumerate().filter(|(_, (_, w))| *w > 0.0) {
            let (joint, space) = spaces.get(place as usize).context("a vertex names a joint that the skin lacks")?;
            joints[slot] = u16::try_from(*joint)?;
            let moved = space.point(point.map(f64::from));
            let turned = space.direction([normal[0], normal[1], normal[2]].map(f64::from));
            for axis in 0..3 {
                at[axis] += f64::from(weight) * moved[axis];
                out[axis] += f64::from(weight) * turned[axis];
            }
        }
        ensure!(at.iter().all(|x| x.is_finite()), "a vertex is not finite");
        let normal = out.map(|x| x as f32);
        let position = at.map(|x| x as f32);
        Ok(Vertex { position, normal, uv: [0.0; 2], colour: [255; 3], joints, weights })
    }

    fn flat_normals(&mut self, from_triangle: usize, from_vertex: usize) {
        let at = |v: &Vertex| v.position.map(f64::from);
        let mut sums = vec![[0.0f64; 3]; self.mesh.vertices.len() - from_vertex];
        for triangle in &self.mesh.triangles[from_triangle..] {
            let [a, b, c] = triangle.map(|i| at(&self.mesh.vertices[i as usize]));
            let side = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
            let normal = cross(side(b), side(c));
            for i in triangle {
                let sum = &mut sums[*i as usize - from_vertex];
                (0..3).for_each(|axis| sum[axis] += normal[axis]);
            }
        }
        for (vertex, sum) in self.mesh.vertices[from_vertex..].iter_mut().zip(sums) {
            vertex.normal = sum.map(|x| x as f32);
        }
    }
}

fn srgb(linear: f32) -> u8 {
    (linear.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8
}
