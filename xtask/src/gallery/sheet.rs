//! Stills of every exhibit on one sheet, for eyes without a browser.

use super::exhibit::{Exhibit, Frame};
use crate::picture::raster::{Camera, Line, Picture, Scene};
use crate::picture::save;
use crate::picture::vector::{Vec3, vec3};
use anyhow::Result;
use std::path::Path;

const CAPTION: usize = 26;
const GAP: usize = 6;

/// Format of a sheet.
pub struct Format {
    stills: usize,
    side: usize,
    columns: usize,
}

/// Everything at a glance.
pub const SMALL: Format = Format { stills: 5, side: 150, columns: 2 };
/// For rigs of many bones.
pub const LARGE: Format = Format { stills: 5, side: 340, columns: 1 };

fn point(p: [f32; 3]) -> Vec3 {
    vec3(p[0], p[1], p[2])
}

/// Writes the sheet.
pub fn write(exhibits: &[Exhibit], path: &Path, format: &Format) -> Result<()> {
    let Format { stills, side, columns } = *format;
    let (width, height) = (stills * side + GAP, side + CAPTION + GAP);
    let rows = exhibits.len().div_ceil(columns);
    let mut sheet = Picture::new(columns * width + GAP, rows * height + GAP, [248, 249, 251]);
    for (index, exhibit) in exhibits.iter().enumerate() {
        let (x, y) = (GAP + index / rows * width, GAP + index % rows * height);
        sheet.text(&exhibit.title, x, y + 4, 2, [32, 38, 48]);
        let camera = camera(exhibit);
        for still in 0..stills {
            let frame = &exhibit.frames[still * exhibit.frames.len() / stills];
            sheet.paste(&draw(exhibit, frame, &camera, side), x + still * side, y + CAPTION);
        }
    }
    save(&sheet, path)
}

/// One camera for all frames, from the front and a little to the side.
pub fn camera(exhibit: &Exhibit) -> Camera {
    let all: Vec<Vec3> =
        exhibit.frames.iter().flat_map(|f| f.joints.iter().chain(&f.targets)).map(|p| point(*p)).collect();
    Camera::fit(&all, vec3(0.75, 0.35, 0.8), 0.5, 1.0, 0.03)
}

pub fn draw(exhibit: &Exhibit, frame: &Frame, camera: &Camera, side: usize) -> Picture {
    let mut scene = Scene::default();
    scene.floor_y = -0.02;
    let at = |joint: usize| point(frame.joints[joint]);
    for (joint, parent) in exhibit.parents.iter().enumerate() {
        if let Some(parent) = *parent {
            bone(&mut scene, at(parent), at(joint), point(frame.fins[joint]));
        }
    }
    for target in &frame.targets {
        ball(&mut scene, point(*target), 0.028, [204, 61, 53]);
    }
    if let Some(pole) = frame.pole {
        ball(&mut scene, point(pole), 0.028, [47, 111, 214]);
    }
    scene.finish();
    let mut lines = Vec::new();
    for polyline in &frame.lines {
        for pair in polyline.windows(2) {
            lines.push(Line {
                from: point(pair[0]),
                to: point(pair[1]),
                width_px: 1.2,
                colour: [22, 136, 90],
                alpha: 0.9,
            });
        }
    }
    for (joint, parent) in exhibit.parents.iter().enumerate() {
        if let Some(parent) = *parent {
            let middle = at(parent).lerp(at(joint), 0.5);
            lines.push(Line {
                from: middle,
                to: point(frame.fins[joint]),
                width_px: 1.5,
                colour: [201, 117, 47],
                alpha: 1.0,
            });
        }
    }
    scene.render(camera, &lines, side, side, 2)
}

/// A slim octahedron from joint to joint.
fn bone(scene: &mut Scene, from: Vec3, to: Vec3, aside: Vec3) {
    let along = to - from;
    let length = along.len();
    if length < 1e-6 {
        return;
    }
    let across = (aside - from.lerp(to, 0.5)).unit_or(Vec3::X);
    let other = along.cross(across).unit_or(Vec3::Y);
    let waist = from.lerp(to, 0.2);
    let r = (0.17 * length).min(0.035);
    let ring = [across * r, other * r, across * -r, other * -r].map(|d| waist + d);
    for i in 0..4 {
        for (tip, a, b) in [(to, ring[i], ring[(i + 1) % 4]), (from, ring[(i + 1) % 4], ring[i])] {
            let normal = (a - tip).cross(b - tip).unit_or(Vec3::Y);
            let out = if normal.dot(a.lerp(b, 0.5) - waist) < 0.0 { normal * -1.0 } else { normal };
            scene.add(&[tip, a, b], &[out; 3], &[[0, 1, 2]], [96, 108, 128]);
        }
    }
}

fn ball(scene: &mut Scene, centre: Vec3, radius: f32, colour: [u8; 3]) {
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
    let mut triangles: Vec<[Vec3; 3]> = Vec::new();
    for x in [0, 3] {
        for y in [1, 4] {
            for z in [2, 5] {
                triangles.push([corners[x], corners[y], corners[z]]);
            }
        }
    }
    for _ in 0..2 {
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| p.lerp(q, 0.5).unit_or(Vec3::X));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    for corners in triangles {
        scene.add(&corners.map(|d| centre + d * radius), &corners, &[[0, 1, 2]], colour);
    }
}
