//! Turns the soft shapes of a body into a triangle mesh bound to joints.
//!
//! Each part is a distance field: the smooth minimum of its round cones. The field is sampled on a
//! grid, one vertex is placed in every cell the surface crosses and moved onto the surface (a
//! surface net), and neighbouring cells are joined to quads. Normals are the field's gradient, and
//! a vertex follows the joints of the shapes it is near.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use super::bind::Bind;
use super::body::{Part, Shape};
use crate::picture::vector::{Rigid, Vec3, vec3};

/// A skinned mesh in bind space.
pub struct Skin {
    pub vertices: Vec<SkinVertex>,
    pub triangles: Vec<[u32; 3]>,
    /// Takes a joint's own space to bind space, undone: `joint pose * inverse_bind` moves a vertex.
    pub inverse_bind: Vec<Rigid>,
    /// Ranges of triangles with their pictures; empty: all triangles in their vertices' colours.
    pub groups: Vec<Group>,
}

/// Triangles that are drawn alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The first triangle, and how many there are.
    pub first: usize,
    pub count: usize,
    /// Place in `Mesh::images`.
    pub image: Option<usize>,
    /// Drawn over what is behind.
    pub is_blended: bool,
}

/// A PNG, JPEG or WebP file.
#[derive(Clone)]
pub struct Image {
    pub bytes: Vec<u8>,
}

/// One vertex of the skin.
pub struct SkinVertex {
    /// Bind space, metres.
    pub position: Vec3,
    /// Outward, unit length.
    pub normal: Vec3,
    /// Plain sRGB.
    pub colour: [u8; 3],
    /// The same with the picture's colour there, for viewers that draw no pictures.
    pub painted: [u8; 3],
    /// Place in the picture; without one of no meaning.
    pub uv: [f32; 2],
    /// 1 in the open, towards 0 in folds.
    pub openness: f32,
    /// Up to four joints; unused ones have weight zero.
    pub joints: [u16; 4],
    /// Adds up to 1.
    pub weights: [f32; 4],
}

impl Skin {
    /// Makes the skin of a character.
    pub fn new(bind: &Bind, parts: &[Part]) -> Skin {
        let mut skin = Skin {
            vertices: Vec::new(),
            triangles: Vec::new(),
            inverse_bind: bind.pose.iter().map(|pose| pose.inverse()).collect(),
            groups: Vec::new(),
        };
        for part in parts.iter().filter(|p| !p.shapes.is_empty()) {
            skin.add_part(part);
        }
        let fields: Vec<Field> = parts.iter().filter(|p| !p.shapes.is_empty()).map(Field::new).collect();
        for vertex in &mut skin.vertices {
            vertex.openness = openness(&fields, vertex.position, vertex.normal, bind.scale);
        }
        skin
    }

    /// The mesh in a pose: positions and normals, in the order of `vertices`.
    pub fn posed(&self, pose: &[Rigid]) -> (Vec<Vec3>, Vec<Vec3>) {
        let moves: Vec<Rigid> = pose.iter().zip(&self.inverse_bind).map(|(p, b)| *p * *b).collect();
        let blend = |v: &SkinVertex, f: &dyn Fn(&Rigid) -> Vec3| {
            let terms = v.joints.iter().zip(v.weights).filter(|(_, w)| *w > 0.0);
            terms.fold(Vec3::ZERO, |sum, (j, w)| sum + f(&moves[*j as usize]) * w)
        };
        let positions = self.vertices.iter().map(|v| blend(v, &|m| m.point(v.position))).collect();
        let normals = self.vertices.iter().map(|v| blend(v, &|m| m.q.turn(v.normal)).unit_or(Vec3::Y)).collect();
        (positions, normals)
    }

    fn add_part(&mut self, part: &Part) {
        let field = Field::new(part);
        let grid = Grid::sample(&field, part.cell_m);
        let first = self.vertices.len() as u32;
        let (points, quads) = grid.net();
        for mut p in points {
            for _ in 0..3 {
                let (d, gradient) = field.with_gradient(p);
                p = p - gradient * (d / gradient.dot(gradient).max(0.1));
            }
            let normal = field.with_gradient(p).1.unit_or(Vec3::Y);
            let (joints, weights) = field.influences(p);
            self.vertices.push(SkinVertex {
                position: p,
                normal,
                colour: part.colour,
                painted: part.colour,
                uv: [0.0; 2],
                openness: 1.0,
                joints,
                weights,
            });
        }
        let at = |i: u32| self.vertices[(first + i) as usize].position;
        for [a, b, c, d] in quads {
            // Split along the shorter diagonal.
            let halves = if (at(a) - at(c)).len() < (at(b) - at(d)).len() {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            };
            self.triangles.extend(halves.map(|t| t.map(|i| first + i)));
        }
    }
}

impl Shape {
    /// Signed distance to the surface (first order where flattened), metres, and how far along from
    /// `a` to `b` (0 to 1).
    ///
    /// In the half plane (t along the axis, y away from it) the cone's normal is `(k, c)` with
    /// `k = (ra - rb) / L`: the nearest sphere is centred at `t - y k / c`, clamped to the two
    /// ends.
    pub fn distance(&self, p: Vec3) -> (f32, f32) {
        let stretch = 1.0 / self.flat - 1.0;
        let squashed = |v: Vec3| v + self.flat_axis * (v.dot(self.flat_axis) * stretch);
        let (to_p, to_b) = (squashed(p - self.a), squashed(self.b - self.a));
        let length = to_b.len();
        let mut share = 0.0;
        let slope = (self.radius_a - self.radius_b) / length.max(1e-9);
        if length > 1e-6 && slope.abs() < 0.999 {
            let axis = to_b * (1.0 / length);
            let t = to_p.dot(axis);
            let y = to_p.across(axis).len();
            share = ((t - y * slope / (1.0 - slope * slope).sqrt()) / length).clamp(0.0, 1.0);
        } else if self.radius_b > self.radius_a {
            share = 1.0;
        }
        let away = to_p - to_b * share;
        let far = away.len();
        let distance = far - (self.radius_a + (self.radius_b - self.radius_a) * share);
        let steep = away.dot(self.flat_axis) / far.max(1e-9) * (stretch + 1.0);
        let flat_part = away.dot(self.flat_axis) / far.max(1e-9);
        let gradient = (1.0 - flat_part * flat_part + steep * steep).max(0.01).sqrt();
        (distance / gradient, share)
    }

    fn bound(&self) -> (Vec3, f32) {
        let centre = self.a.lerp(self.b, 0.5);
        (centre, (self.b - self.a).len() * 0.5 + self.radius_a.max(self.radius_b) * self.flat.max(1.0))
    }
}

struct Field<'a> {
    shapes: &'a [Shape],
    bounds: Vec<(Vec3, f32)>,
}

impl<'a> Field<'a> {
    fn new(part: &'a Part) -> Field<'a> {
        Field { shapes: &part.shapes, bounds: part.shapes.iter().map(Shape::bound).collect() }
    }

    fn at(&self, p: Vec3) -> f32 {
        let mut nearest = f32::MAX;
        for (shape, (centre, radius)) in self.shapes.iter().zip(&self.bounds) {
            let far = nearest + shape.blend_m + radius;
            if far < 1e6 && (p - *centre).dot(p - *centre) > far * far {
                continue;
            }
            let d = shape.distance(p).0;
            let melt = (shape.blend_m - (d - nearest).abs()).max(0.0) / shape.blend_m.max(1e-6);
            nearest = d.min(nearest) - melt * melt * shape.blend_m * 0.25;
        }
        nearest
    }

    fn with_gradient(&self, p: Vec3) -> (f32, Vec3) {
        let h = 4e-4;
        let corners = [vec3(1.0, -1.0, -1.0), vec3(-1.0, -1.0, 1.0), vec3(-1.0, 1.0, -1.0), vec3(1.0, 1.0, 1.0)];
        let mut gradient = Vec3::ZERO;
        let mut mean = 0.0;
        for corner in corners {
            let d = self.at(p + corner * h);
            mean += 0.25 * d;
            gradient = gradient + corner * (d / (4.0 * h));
        }
        (mean, gradient)
    }

    fn influences(&self, p: Vec3) -> ([u16; 4], [f32; 4]) {
        let distances: Vec<(f32, f32)> = self.shapes.iter().map(|s| s.distance(p)).collect();
        let nearest = distances.iter().fold(f32::MAX, |a, d| a.min(d.0));
        let mut sums: Vec<(u16, f32)> = Vec::new();
        for (shape, (d, share)) in self.shapes.iter().zip(distances) {
            let fade = 0.35 * shape.blend_m + 0.12 * shape.radius_a.max(shape.radius_b);
            let weight = (-(d - nearest) / fade).exp();
            for (joint, weight) in [(shape.joint_a, weight * (1.0 - share)), (shape.joint_b, weight * share)] {
                match sums.iter_mut().find(|(j, _)| *j == joint as u16) {
                    Some((_, sum)) => *sum += weight,
                    None => sums.push((joint as u16, weight)),
                }
            }
        }
        sums.sort_by(|a, b| b.1.total_cmp(&a.1));
        sums.truncate(4);
        let total: f32 = sums.iter().map(|(_, w)| w).sum();
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        for (i, (joint, weight)) in sums.into_iter().enumerate() {
            (joints[i], weights[i]) = (joint, weight / total);
        }
        (joints, weights)
    }
}

/// Walks outwards and measures how much less room there is than over a flat surface.
fn openness(fields: &[Field], p: Vec3, normal: Vec3, scale: f32) -> f32 {
    let mut closed = 0.0;
    for (step, share) in [(0.008, 0.2), (0.025, 0.3), (0.055, 0.3), (0.1, 0.2)] {
        let h = step * scale;
        let probe = p + normal * h;
        let room = fields.iter().fold(f32::MAX, |a, f| a.min(f.at(probe)));
        closed += share * (1.0 - room / h).clamp(0.0, 1.0);
    }
    1.0 - 0.85 * closed
}

struct Grid {
    origin: Vec3,
    cell: f32,
    size: [usize; 3],
    values: Vec<f32>,
}

impl Grid {
    fn sample(field: &Field, cell: f32) -> Grid {
        let corner = |(c, r): &(Vec3, f32), sign: f32| *c + vec3(1.0, 1.0, 1.0) * (sign * (r + 2.0 * cell));
        let low = field.bounds.iter().map(|b| corner(b, -1.0)).reduce(Vec3::min).unwrap_or_default();
        let high = field.bounds.iter().map(|b| corner(b, 1.0)).reduce(Vec3::max).unwrap_or_default();
        let size = (high - low).array().map(|e| (e / cell) as usize + 2);
        let mut values = vec![f32::MAX; size[0] * size[1] * size[2]];
        for (i, value) in values.iter_mut().enumerate() {
            let (x, y, z) = (i % size[0], i / size[0] % size[1], i / size[0] / size[1]);
            *value = field.at(low + vec3(x as f32, y as f32, z as f32) * cell);
        }
        Grid { origin: low, cell, size, values }
    }

    fn index(&self, at: [usize; 3]) -> usize {
        at[0] + self.size[0] * (at[1] + self.size[1] * at[2])
    }

    /// One vertex per crossed cell, one quad per crossed edge, counter-clockwise from outside.
    fn net(&self) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        let mut points = Vec::new();
        let mut vertex_of_cell = vec![u32::MAX; self.values.len()];
        let [nx, ny, nz] = self.size;
        for (i, vertex) in vertex_of_cell.iter_mut().enumerate() {
            let at = [i % nx, i / nx % ny, i / nx / ny];
            if at[0] + 1 < nx
                && at[1] + 1 < ny
                && at[2] + 1 < nz
                && let Some(p) = self.cell_point(at)
            {
                *vertex = points.len() as u32;
                points.push(p);
            }
        }
        let mut quads = Vec::new();
        for i in 0..self.values.len() {
            let at = [i % nx, i / nx % ny, i / nx / ny];
            for axis in 0..3 {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                if at[axis] + 1 >= self.size[axis] || at[u] == 0 || at[v] == 0 {
                    continue;
                }
                let mut next = at;
                next[axis] += 1;
                let (here, there) = (self.values[i] < 0.0, self.values[self.index(next)] < 0.0);
                if here == there {
                    continue;
                }
                let cell = |du: usize, dv: usize| {
                    let mut c = at;
                    c[u] -= du;
                    c[v] -= dv;
                    vertex_of_cell[self.index(c)]
                };
                let mut quad = [cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)];
                if !here {
                    quad.reverse();
                }
                if quad.iter().all(|q| *q != u32::MAX) {
                    quads.push(quad);
                }
            }
        }
        (points, quads)
    }

    fn cell_point(&self, at: [usize; 3]) -> Option<Vec3> {
        let corner = |c: usize| [at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2 & 1)];
        let value = |c: usize| self.values[self.index(corner(c))];
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for a in 0..8 {
            for bit in [1, 2, 4] {
                let b = a | bit;
                if b != a && (value(a) < 0.0) != (value(b) < 0.0) {
                    let t = value(a) / (value(a) - value(b));
                    let [pa, pb] = [a, b].map(|c| vec3_of(corner(c)));
                    sum = sum + pa.lerp(pb, t);
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| self.origin + sum * (self.cell / count))
    }
}

fn vec3_of(at: [usize; 3]) -> Vec3 {
    vec3(at[0] as f32, at[1] as f32, at[2] as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_net_of_a_ball_is_on_the_ball_and_faces_out() {
        let shape = Shape {
            a: vec3(0.1, 0.2, 0.3),
            b: vec3(0.1, 0.2, 0.3),
            radius_a: 0.1,
            radius_b: 0.1,
            flat_axis: Vec3::Z,
            flat: 1.0,
            joint_a: 0,
            joint_b: 0,
            blend_m: 0.0,
        };
        let part = Part { colour: [0; 3], cell_m: 0.02, shapes: vec![shape.clone()] };
        let mut skin = Skin { vertices: vec![], triangles: vec![], inverse_bind: vec![], groups: vec![] };
        skin.add_part(&part);
        assert!(skin.vertices.len() > 50);
        for v in &skin.vertices {
            assert!(((v.position - shape.a).len() - 0.1).abs() < 1e-4);
        }
        for t in &skin.triangles {
            let [a, b, c] = t.map(|i| skin.vertices[i as usize].position);
            assert!((b - a).cross(c - a).dot(a - shape.a) > 0.0);
        }
    }
}
