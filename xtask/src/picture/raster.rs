//! A small software renderer: triangles with a depth buffer, one shadow-casting light, a floor, and
//! lines on top.
//!
//! Shading happens once per sample after all triangles are in, so its cost does not depend on the
//! mesh.
#![allow(clippy::disallowed_methods)] // pictures, not poses

use super::vector::{Vec3, smoothstep, vec3};

/// Towards the light, before normalising; stage space.
pub const LIGHT: Vec3 = vec3(-0.42, 0.95, 0.62);

/// Looks from `eye` at `target` with Y up.
#[derive(Clone, Copy)]
pub struct Camera {
    pub eye: Vec3,
    pub target: Vec3,
    /// Full vertical opening, radians.
    pub fov_y_rad: f32,
}

impl Camera {
    /// The nearest place, in direction `back` from the points, from which all of them are seen with
    /// `margin_m` around each. `aspect` is width by height.
    pub fn fit(points: &[Vec3], back: Vec3, fov_y_rad: f32, aspect: f32, margin_m: f32) -> Camera {
        let back = back.unit_or(Vec3::Z);
        let right = Vec3::Y.cross(back).unit_or(Vec3::X);
        let up = back.cross(right);
        let seen: Vec<Vec3> = points.iter().map(|p| vec3(p.dot(right), p.dot(up), p.dot(back))).collect();
        let first = seen.first().copied().unwrap_or_default();
        let (low, high) = seen.iter().fold((first, first), |(l, h), p| (l.min(*p), h.max(*p)));
        let centre = low.lerp(high, 0.5);
        let slope = (fov_y_rad * 0.5).tan();
        let distance = seen.iter().fold(0.0f32, |d, p| {
            let across = ((p.x - centre.x).abs() + margin_m) / (slope * aspect);
            let along = ((p.y - centre.y).abs() + margin_m) / slope;
            d.max(across.max(along) + p.z - centre.z)
        });
        let target = right * centre.x + up * centre.y + back * centre.z;
        Camera { eye: target + back * distance, target, fov_y_rad }
    }
}

/// Everything that is lit: a triangle soup with per-vertex attributes.
#[derive(Default)]
pub struct Scene {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// Linear RGB.
    pub albedo: Vec<Vec3>,
    /// 1 in the open, 0 in folds.
    pub openness: Vec<f32>,
    pub triangles: Vec<[u32; 3]>,
    /// Height of the floor, metres.
    pub floor_y: f32,
    /// Around this the floor is clear; far from it it fades.
    pub centre: Vec3,
    shadow: Option<Shadow>,
}

/// A line over the picture; where something is in front of it, it shines through faintly.
#[derive(Clone, Copy)]
pub struct Line {
    pub from: Vec3,
    pub to: Vec3,
    /// Width in pixels of the finished picture.
    pub width_px: f32,
    /// Plain sRGB.
    pub colour: [u8; 3],
    /// 0 invisible, 1 solid.
    pub alpha: f32,
}

/// A finished picture, plain sRGB, rows from the top.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn new(width: usize, height: usize, fill: [u8; 3]) -> Picture {
        Picture { width, height, pixels: vec![fill; width * height] }
    }

    /// Copies `other` in with its upper left corner at (x, y); parts outside are clipped.
    pub fn paste(&mut self, other: &Picture, x: usize, y: usize) {
        let columns = other.width.min(self.width.saturating_sub(x));
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let to = (y + row) * self.width + x;
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[row * other.width..][..columns]);
        }
    }

    /// Fills a rectangle, mixing with what is there by `alpha`.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3], alpha: f32) {
        for row in y..(y + height).min(self.height) {
            for pixel in
                &mut self.pixels[row * self.width..][..self.width][x.min(self.width)..(x + width).min(self.width)]
            {
                for (to, from) in pixel.iter_mut().zip(colour) {
                    *to = (*to as f32 + (from as f32 - *to as f32) * alpha) as u8;
                }
            }
        }
    }

    /// Writes `text` with dots of `dot` pixels.
    pub fn text(&mut self, text: &str, x: usize, y: usize, dot: usize, colour: [u8; 3]) {
        super::font::each_dot(text, |dx, dy| self.fill(x + dx * dot, y + dy * dot, dot, dot, colour, 1.0));
    }
}

/// sRGB byte to linear light.
pub fn linear(colour: [u8; 3]) -> Vec3 {
    let [r, g, b] = colour.map(|c| (c as f32 / 255.0).powf(2.2));
    vec3(r, g, b)
}

struct View {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    ahead: Vec3,
    /// Pixels per unit of slope.
    zoom: f32,
    centre: (f32, f32),
}

impl View {
    fn new(camera: &Camera, width: usize, height: usize) -> View {
        let ahead = (camera.target - camera.eye).unit_or(-Vec3::Z);
        let right = ahead.cross(Vec3::Y).unit_or(Vec3::X);
        let zoom = height as f32 * 0.5 / (camera.fov_y_rad * 0.5).tan();
        View {
            eye: camera.eye,
            right,
            up: right.cross(ahead),
            ahead,
            zoom,
            centre: (width as f32 * 0.5, height as f32 * 0.5),
        }
    }

    /// Pixel x, pixel y, distance along the view.
    fn project(&self, p: Vec3) -> Vec3 {
        let d = p - self.eye;
        let depth = d.dot(self.ahead);
        let k = self.zoom / depth.max(1e-4);
        vec3(self.centre.0 + d.dot(self.right) * k, self.centre.1 - d.dot(self.up) * k, depth)
    }

    /// The direction through a pixel, with length 1 along the view.
    fn ray(&self, x: f32, y: f32) -> Vec3 {
        self.ahead + self.right * ((x - self.centre.0) / self.zoom) + self.up * ((self.centre.1 - y) / self.zoom)
    }
}

/// Calls `hit(index, b, c, depth)` for every sample a projected triangle covers; `b` and `c` weigh
/// its 2nd and 3rd corner.
fn cover(corners: [Vec3; 3], width: usize, height: usize, mut hit: impl FnMut(usize, f32, f32, f32)) {
    let [a, b, c] = corners;
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if area.abs() < 1e-9 {
        return;
    }
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    if high.x < 0.0 || high.y < 0.0 || low.x > width as f32 || low.y > height as f32 {
        return;
    }
    let x_range = (low.x - 0.5).ceil().max(0.0) as usize..((high.x + 0.5).floor() as usize).min(width);
    let inverse = 1.0 / area;
    for y in (low.y - 0.5).ceil().max(0.0) as usize..((high.y + 0.5).floor() as usize).min(height) {
        let py = y as f32 + 0.5 - a.y;
        for x in x_range.clone() {
            let px = x as f32 + 0.5 - a.x;
            let v = (px * (c.y - a.y) - py * (c.x - a.x)) * inverse;
            let w = ((b.x - a.x) * py - (b.y - a.y) * px) * inverse;
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                hit(y * width + x, v, w, a.z + (b.z - a.z) * v + (c.z - a.z) * w);
            }
        }
    }
}

/// Distances from the light, seen without perspective.
struct Shadow {
    right: Vec3,
    up: Vec3,
    light: Vec3,
    centre: Vec3,
    per_metre: f32,
    depths: Vec<f32>,
}

const SHADOW_SIDE: usize = 1024;

impl Shadow {
    fn new(scene: &Scene) -> Shadow {
        let light = LIGHT.unit_or(Vec3::Y);
        let right = light.cross(Vec3::Y).unit_or(Vec3::X);
        let low = scene.positions.iter().fold(vec3(1e9, 1e9, 1e9), |a, p| a.min(*p));
        let high = scene.positions.iter().fold(vec3(-1e9, -1e9, -1e9), |a, p| a.max(*p));
        let radius = ((high - low).len() * 0.5).clamp(0.01, 1e3);
        let mut shadow = Shadow {
            right,
            up: right.cross(light),
            light,
            centre: low.lerp(high, 0.5),
            per_metre: SHADOW_SIDE as f32 * 0.49 / radius,
            depths: vec![f32::MAX; SHADOW_SIDE * SHADOW_SIDE],
        };
        let seen: Vec<Vec3> = scene.positions.iter().map(|p| shadow.project(*p)).collect();
        let mut depths = std::mem::take(&mut shadow.depths);
        for t in &scene.triangles {
            cover(t.map(|i| seen[i as usize]), SHADOW_SIDE, SHADOW_SIDE, |i, _, _, depth| {
                depths[i] = depths[i].min(depth);
            });
        }
        shadow.depths = depths;
        shadow
    }

    fn project(&self, p: Vec3) -> Vec3 {
        let d = p - self.centre;
        let half = SHADOW_SIDE as f32 * 0.5;
        vec3(half + d.dot(self.right) * self.per_metre, half + d.dot(self.up) * self.per_metre, -d.dot(self.light))
    }

    /// 1 in the light, 0 in full shadow; `spread` is the half width of the soft edge in metres.
    fn lit(&self, p: Vec3, spread: f32) -> f32 {
        let at = self.project(p);
        let step = (spread * self.per_metre * 0.5).max(0.7);
        let mut open = 0.0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                // Offset rows keep the taps from lining up with edges of the map.
                let x = at.x + (dx as f32 + 0.25 * dy as f32) * step;
                let y = at.y + (dy as f32 - 0.25 * dx as f32) * step;
                let inside = x >= 0.0 && y >= 0.0 && x < SHADOW_SIDE as f32 && y < SHADOW_SIDE as f32;
                let depth = if inside { self.depths[y as usize * SHADOW_SIDE + x as usize] } else { f32::MAX };
                open += if depth + 0.006 + 0.4 * step / self.per_metre < at.z { 0.0 } else { 0.04 };
            }
        }
        open
    }
}

#[derive(Clone, Copy)]
struct Sample {
    depth: f32,
    triangle: u32,
    b: f32,
    c: f32,
}

impl Scene {
    /// Adds an open or closed mesh of one colour.
    pub fn add(&mut self, positions: &[Vec3], normals: &[Vec3], triangles: &[[u32; 3]], colour: [u8; 3]) {
        let first = self.positions.len() as u32;
        self.positions.extend(positions);
        self.normals.extend(normals);
        self.albedo.extend(positions.iter().map(|_| linear(colour)));
        self.openness.extend(positions.iter().map(|_| 1.0));
        self.triangles.extend(triangles.iter().map(|t| t.map(|i| first + i)));
    }

    /// Casts the shadows; call once when everything has been added.
    pub fn finish(&mut self) {
        self.shadow = Some(Shadow::new(self));
    }

    /// Draws the scene; `samples` per pixel and axis smooth the edges.
    pub fn render(&self, camera: &Camera, lines: &[Line], width: usize, height: usize, samples: usize) -> Picture {
        let (w, h) = (width * samples, height * samples);
        let view = View::new(camera, w, h);
        let seen: Vec<Vec3> = self.positions.iter().map(|p| view.project(*p)).collect();
        let mut buffer = vec![Sample { depth: f32::MAX, triangle: u32::MAX, b: 0.0, c: 0.0 }; w * h];
        for (index, t) in self.triangles.iter().enumerate() {
            let corners = t.map(|i| seen[i as usize]);
            if corners.iter().any(|p| p.z < 0.02) {
                continue;
            }
            cover(corners, w, h, |i, b, c, depth| {
                if depth < buffer[i].depth {
                    buffer[i] = Sample { depth, triangle: index as u32, b, c };
                }
            });
        }
        let mut colours: Vec<Vec3> = Vec::with_capacity(w * h);
        for y in 0..h {
            for x in 0..w {
                let ray = view.ray(x as f32 + 0.5, y as f32 + 0.5);
                let sample = &mut buffer[y * w + x];
                colours.push(if sample.triangle == u32::MAX {
                    self.backdrop(&view, ray, &mut sample.depth)
                } else {
                    self.surface(&view, ray, sample)
                });
            }
        }
        for line in lines {
            draw_line(&view, line, samples as f32, w, h, &buffer, &mut colours);
        }
        resolve(&colours, width, height, samples)
    }

    fn surface(&self, view: &View, ray: Vec3, sample: &Sample) -> Vec3 {
        let corners = self.triangles[sample.triangle as usize].map(|i| i as usize);
        let shares = [1.0 - sample.b - sample.c, sample.b, sample.c];
        let mix = |values: &[Vec3]| (0..3).fold(Vec3::ZERO, |sum, k| sum + values[corners[k]] * shares[k]);
        let normal = mix(&self.normals).unit_or(Vec3::Y);
        let open: f32 = (0..3).map(|k| self.openness[corners[k]] * shares[k]).sum();
        let point = view.eye + ray * sample.depth;
        let light = LIGHT.unit_or(Vec3::Y);
        let to_eye = (-ray).unit_or(Vec3::Z);
        let facing = normal.dot(light);
        let lit = match &self.shadow {
            Some(shadow) if facing > 0.0 => shadow.lit(point + normal * 0.008, 0.008),
            _ => 1.0,
        };
        let key = facing.max(0.0) * lit;
        let sky = vec3(0.42, 0.38, 0.36).lerp(vec3(0.66, 0.72, 0.82), 0.5 + 0.5 * normal.y) * (0.72 * open);
        let rim = (1.0 - normal.dot(to_eye).max(0.0)).powi(3) * 0.22 * open * (0.6 + 0.4 * normal.y);
        let gleam = normal.dot((light + to_eye).unit_or(Vec3::Y)).max(0.0).powi(32) * 0.07 * lit;
        let near_floor = 1.0 - 0.35 * (1.0 - smoothstep(0.0, 0.25, point.y - self.floor_y));
        let body = mix(&self.albedo).times(sky * near_floor + vec3(1.0, 0.95, 0.88) * (key * 0.92));
        body + vec3(0.8, 0.9, 1.0) * rim + vec3(1.0, 1.0, 1.0) * gleam
    }

    fn backdrop(&self, view: &View, ray: Vec3, depth: &mut f32) -> Vec3 {
        let height = ray.unit_or(Vec3::Z).y;
        let far = vec3(0.84, 0.87, 0.9).lerp(vec3(0.70, 0.75, 0.82), smoothstep(-0.05, 0.6, height));
        let reach = (self.floor_y - view.eye.y) / ray.y;
        if !(ray.y < -1e-4 && reach > 0.0) {
            return far;
        }
        *depth = reach;
        let p = view.eye + ray * reach;
        let pixel = reach / view.zoom / (-height).max(0.05);
        let grid = |spacing: f32| {
            let near = |v: f32| ((v / spacing + 0.5).rem_euclid(1.0) - 0.5).abs() * spacing;
            1.0 - smoothstep(0.0, 1.6 * pixel + 0.003, near(p.x).min(near(p.z)))
        };
        let lines = 0.10 * grid(0.25) + 0.16 * grid(1.0);
        let lit = self.shadow.as_ref().map_or(1.0, |s| s.lit(p, 0.022));
        let floor = vec3(0.74, 0.77, 0.8) * (1.0 - lines) * (0.58 + 0.42 * lit);
        let away = vec3(p.x - self.centre.x, 0.0, p.z - self.centre.z).len();
        floor.lerp(far, smoothstep(2.0, 7.0, away))
    }
}

fn draw_line(view: &View, line: &Line, scale: f32, w: usize, h: usize, buffer: &[Sample], colours: &mut [Vec3]) {
    let (mut from, mut to) = (line.from, line.to);
    let depth_of = |p: Vec3| (p - view.eye).dot(view.ahead);
    let (near_from, near_to) = (depth_of(from), depth_of(to));
    if near_from.max(near_to) < 0.03 {
        return;
    }
    let cut = |t: f32| line.from.lerp(line.to, t);
    if near_from < 0.03 {
        from = cut((0.03 - near_from) / (near_to - near_from));
    } else if near_to < 0.03 {
        to = cut((0.03 - near_from) / (near_to - near_from));
    }
    let (a, b) = (view.project(from), view.project(to));
    let half = line.width_px * scale * 0.5;
    let (low, high) = (a.min(b), a.max(b));
    let colour = linear(line.colour);
    let along = vec3(b.x - a.x, b.y - a.y, 0.0);
    let length_squared = along.dot(along).max(1e-6);
    for y in (low.y - half).max(0.0) as usize..((high.y + half + 1.0).max(0.0) as usize).min(h) {
        for x in (low.x - half).max(0.0) as usize..((high.x + half + 1.0).max(0.0) as usize).min(w) {
            let d = vec3(x as f32 + 0.5 - a.x, y as f32 + 0.5 - a.y, 0.0);
            let t = (d.dot(along) / length_squared).clamp(0.0, 1.0);
            if (d - along * t).len() <= half {
                let depth = 1.0 / ((1.0 - t) / a.z + t / b.z);
                let hidden = depth > buffer[y * w + x].depth + 0.002;
                let alpha = line.alpha * if hidden { 0.3 } else { 1.0 };
                let pixel = &mut colours[y * w + x];
                *pixel = pixel.lerp(colour, alpha);
            }
        }
    }
}

fn resolve(colours: &[Vec3], width: usize, height: usize, samples: usize) -> Picture {
    let mut picture = Picture::new(width, height, [0; 3]);
    let share = 1.0 / (samples * samples) as f32;
    // Averaging after the curve keeps bright edges smooth.
    let curve: Vec<f32> = (0..=1024).map(|i| (i as f32 / 1024.0).powf(1.0 / 2.2) * 255.0).collect();
    let shown = |v: f32| curve[(v.clamp(0.0, 1.0) * 1024.0) as usize];
    for y in 0..height {
        for x in 0..width {
            let mut sum = Vec3::ZERO;
            for sy in 0..samples {
                for sx in 0..samples {
                    let c = colours[(y * samples + sy) * width * samples + x * samples + sx];
                    sum = sum + vec3(shown(c.x), shown(c.y), shown(c.z));
                }
            }
            picture.pixels[y * width + x] = (sum * share).array().map(|v| (v + 0.5) as u8);
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_camera_sees_every_point() {
        let points = [vec3(-1.0, 0.0, 0.4), vec3(0.3, 1.8, -0.2), vec3(0.9, 0.5, 1.2)];
        for (width, height) in [(320, 380), (1200, 400)] {
            let camera = Camera::fit(&points, vec3(-0.7, 0.3, 1.0), 0.5, width as f32 / height as f32, 0.05);
            let view = View::new(&camera, width, height);
            for p in points {
                let at = view.project(p);
                assert!(at.x > 0.0 && at.x < width as f32 && at.y > 0.0 && at.y < height as f32, "{at:?}");
            }
        }
    }
}
