//! Film strips of a case: legs over the ground, seen from the side, the animation in grey behind
//! the answer.

use super::stage::{Case, Frame};
use crate::oracle::geometry::V3;
use crate::picture::raster::Picture;
use crate::picture::save;
use anyhow::Result;
use std::path::Path;

/// Panels of a strip.
const COLUMNS: usize = 8;
const ROWS: usize = 2;
/// Size of a panel, pixels, and what it shows, metres.
const WIDTH: usize = 220;
const HEIGHT: usize = 200;
const SHOWN_M: f64 = 1.9;

const PAPER: [u8; 3] = [250, 249, 245];
const EARTH: [u8; 3] = [214, 205, 188];
const EDGE: [u8; 3] = [120, 104, 80];
const GHOST: [u8; 3] = [190, 190, 195];
const SIDES: [[u8; 3]; 2] = [[196, 60, 48], [40, 96, 184]];

/// A window on the plane of the walk.
struct Window<'a> {
    picture: &'a mut Picture,
    left: usize,
    top: usize,
    /// Unit vector of the walk, level.
    way: V3,
    /// What is in the middle of the window's width, and at its lower edge.
    middle: f64,
    floor: f64,
}

impl Window<'_> {
    fn pixel(&self, p: V3) -> (f64, f64) {
        let scale = WIDTH as f64 / SHOWN_M;
        let x = (p.dot(self.way) - self.middle) * scale + 0.5 * WIDTH as f64;
        (x, HEIGHT as f64 - (p.0[1] - self.floor) * scale)
    }
    fn dot(&mut self, x: f64, y: f64, size: usize, colour: [u8; 3]) {
        let half = size as f64 * 0.5;
        let (x, y) = (x - half, y - half);
        if x >= 0.0 && y >= 0.0 && x + half * 2.0 < WIDTH as f64 && y + half * 2.0 < HEIGHT as f64 {
            self.picture.fill(self.left + x as usize, self.top + y as usize, size, size, colour, 1.0);
        }
    }
    fn line(&mut self, from: V3, to: V3, size: usize, colour: [u8; 3]) {
        let ((x0, y0), (x1, y1)) = (self.pixel(from), self.pixel(to));
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let t = step as f64 / steps as f64;
            self.dot(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, size, colour);
        }
    }
    /// The ground below the way of the hips.
    fn ground(&mut self, height: impl Fn(V3) -> f64, at: V3) {
        for column in 0..WIDTH {
            let ahead = (column as f64 + 0.5) / WIDTH as f64 * SHOWN_M - 0.5 * SHOWN_M;
            let p = at + self.way * (ahead + self.middle - at.dot(self.way));
            let (_, y) = self.pixel(V3([p.0[0], height(p), p.0[2]]));
            let y = y.clamp(0.0, HEIGHT as f64 - 1.0) as usize;
            self.picture.fill(self.left + column, self.top + y, 1, HEIGHT - y, EARTH, 1.0);
            self.picture.fill(self.left + column, self.top + y, 1, 2.min(HEIGHT - y), EDGE, 1.0);
        }
    }
    fn legs(&mut self, frame: &Frame, colours: [[u8; 3]; 2], size: usize) {
        for (i, leg) in frame.legs.iter().enumerate().rev() {
            let colour = colours[i % 2];
            self.line(frame.hips, leg.hip, size, colour);
            self.line(leg.hip, leg.knee, size, colour);
            self.line(leg.knee, leg.ankle, size, colour);
            self.line(leg.ankle, leg.ball, size, colour);
            let (x, y) = self.pixel(leg.ball);
            self.dot(x, y, size + 3, colour);
        }
    }
}

/// Writes `ID.png` into a folder: moments of the case at equal times.
pub fn write(case: &Case, input: &[Frame], output: &[Frame], folder: &Path) -> Result<()> {
    let height = |p: V3, time: f64| case.terrain.height(p.0[0], p.0[2], time);
    strip(&case.id, height, input, output, 1.35, folder)
}

/// Draws moments at equal times, the hips `hip_height` metres over the lower edge.
pub fn strip(
    name: &str,
    height: impl Fn(V3, f64) -> f64,
    input: &[Frame],
    output: &[Frame],
    hip_height: f64,
    folder: &Path,
) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let (Some(first), Some(last)) = (output.first(), output.last()) else { return Ok(()) };
    let way = V3([last.hips.0[0] - first.hips.0[0], 0.0, last.hips.0[2] - first.hips.0[2]]);
    let way = if way.len() > 1e-3 { way * (1.0 / way.len()) } else { V3([0.0, 0.0, 1.0]) };
    let mut picture = Picture::new(COLUMNS * WIDTH, ROWS * HEIGHT, PAPER);
    let panels = COLUMNS * ROWS;
    for panel in 0..panels {
        let frame = panel * (output.len() - 1) / (panels - 1);
        let (before, after) = (&input[frame], &output[frame]);
        let (left, top) = (panel % COLUMNS * WIDTH, panel / COLUMNS * HEIGHT);
        let floor = after.hips.0[1] - hip_height;
        let mut window = Window { picture: &mut picture, left, top, way, middle: after.hips.dot(way), floor };
        window.ground(|p| height(p, after.time), after.hips);
        window.legs(before, [GHOST; 2], 2);
        window.legs(after, SIDES, 3);
        picture.fill(left, top, 1, HEIGHT, EDGE, 0.5);
    }
    picture.text(name, 6, 6, 1, EDGE);
    save(&picture, &folder.join(format!("{}.png", name.replace(['/', ' '], "-"))))
}
