//! Film strips of a case: legs over the ground, seen from the side, the animation in grey behind
//! the answer.

use super::stage::{Case, Frame};
use crate::oracle::geometry::V3;
use crate::picture::raster::Picture;
use crate::picture::save;
use crate::picture::window::Window;
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

/// The ground below the way of the hips.
fn draw_ground(window: &mut Window, height: impl Fn(V3) -> f64, at: V3) {
    for column in 0..WIDTH {
        let ahead = (column as f64 + 0.5) / WIDTH as f64 * SHOWN_M - 0.5 * SHOWN_M;
        let p = at + window.way * (ahead + window.middle - at.dot(window.way));
        let (_, y) = window.pixel(V3([p.0[0], height(p), p.0[2]]));
        let y = y.clamp(0.0, HEIGHT as f64 - 1.0) as usize;
        window.picture.fill(window.left + column, window.top + y, 1, HEIGHT - y, EARTH, 1.0);
        window.picture.fill(window.left + column, window.top + y, 1, 2.min(HEIGHT - y), EDGE, 1.0);
    }
}

fn draw_legs(window: &mut Window, frame: &Frame, colours: [[u8; 3]; 2], size: usize) {
    for (i, leg) in frame.legs.iter().enumerate().rev() {
        let colour = colours[i % 2];
        window.line(frame.hips, leg.hip, size, colour);
        window.line(leg.hip, leg.knee, size, colour);
        window.line(leg.knee, leg.ankle, size, colour);
        window.line(leg.ankle, leg.ball, size, colour);
        let (x, y) = window.pixel(leg.ball);
        window.dot(x, y, size + 3, colour);
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
        let mut window = Window {
            picture: &mut picture,
            left,
            top,
            size: [WIDTH, HEIGHT],
            scale: WIDTH as f64 / SHOWN_M,
            way,
            middle: after.hips.dot(way),
            floor,
        };
        draw_ground(&mut window, |p| height(p, after.time), after.hips);
        draw_legs(&mut window, before, [GHOST; 2], 2);
        draw_legs(&mut window, after, SIDES, 3);
        picture.fill(left, top, 1, HEIGHT, EDGE, 0.5);
    }
    picture.text(name, 6, 6, 1, EDGE);
    save(&picture, &folder.join(format!("{}.png", name.replace(['/', ' '], "-"))))
}
