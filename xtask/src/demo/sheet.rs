//! Pictures made without a browser: a contact sheet of the run's key moments, and large stills.

use std::path::Path;

use anyhow::{Result, ensure};

use super::figure::{Body, JointView};
use super::recording::{RecordedFrame, Recording};
use super::stage::Stage;
use crate::picture::film;
use crate::picture::font;
use crate::picture::raster::{Camera, Picture};
use crate::picture::save;
use crate::picture::vector::{Vec3, vec3};

const COLUMNS: usize = 6;
const CELLS: usize = 12;
const CELL_WIDTH: usize = 320;
const WHOLE_HEIGHT: usize = 380;
const HAND_HEIGHT: usize = 220;
const CAPTION_HEIGHT: usize = 76;
const GAP: usize = 8;
const HEADER_HEIGHT: usize = 64;

const PAPER: [u8; 3] = [248, 249, 251];
const INK: [u8; 3] = [32, 38, 48];
const FAINT_INK: [u8; 3] = [106, 116, 130];

/// Writes a PNG with the run's key moments: the whole character and, below it, its right hand, with
/// time, weight, status and residuals in print.
///
/// # Errors
///
/// When the recording cannot be drawn (see [`Recording::check`]) or the file cannot be written.
pub fn write_contact_sheet(recording: &Recording, body: &Body, path: &Path) -> Result<()> {
    recording.check()?;
    let stage = Stage::new(recording);
    let figure = JointView::new(&stage, body);
    let keys = key_frames(recording, CELLS);
    let rows = keys.len().div_ceil(COLUMNS);
    let cell_height = WHOLE_HEIGHT + HAND_HEIGHT + CAPTION_HEIGHT;
    let width = COLUMNS * (CELL_WIDTH + GAP) + GAP;
    let mut sheet = Picture::new(width, HEADER_HEIGHT + rows * (cell_height + GAP), PAPER);
    sheet.text(&recording.title, 2 * GAP, 12, 3, INK);
    sheet.text(&footline(recording), 2 * GAP, 44, 1, FAINT_INK);
    for (cell, (frame, why)) in keys.iter().enumerate() {
        let x = GAP + cell % COLUMNS * (CELL_WIDTH + GAP);
        let y = HEADER_HEIGHT + cell / COLUMNS * (cell_height + GAP);
        let scene = figure.scene(*frame, &stage.frames[*frame].solved);
        let lines = figure.lines(*frame, 1.6);
        let whole = scene.render(
            &whole_view(&figure, *frame, CELL_WIDTH as f32 / WHOLE_HEIGHT as f32),
            &lines,
            CELL_WIDTH,
            WHOLE_HEIGHT,
            2,
        );
        sheet.paste(&whole, x, y);
        let hand = scene.render(&hand_view(&figure, *frame), &lines, CELL_WIDTH, HAND_HEIGHT, 2);
        sheet.paste(&hand, x, y + WHOLE_HEIGHT);
        sheet.fill(x, y + WHOLE_HEIGHT, CELL_WIDTH, 2, PAPER, 1.0);
        caption(&mut sheet, &recording.frames[*frame], why, x, y + WHOLE_HEIGHT + HAND_HEIGHT);
    }
    save(&sheet, path)
}

/// Writes one large PNG of the character after IK in frame `frame_index`.
///
/// # Errors
///
/// When the recording cannot be drawn, the frame does not exist, or the file cannot be written.
pub fn write_still(
    recording: &Recording,
    body: &Body,
    frame_index: usize,
    (width, height): (usize, usize),
    path: &Path,
) -> Result<()> {
    recording.check()?;
    ensure!(frame_index < recording.frames.len(), "frame {frame_index} of {}", recording.frames.len());
    ensure!(width > 0 && height > 0, "picture of {width} x {height}");
    let stage = Stage::new(recording);
    let figure = JointView::new(&stage, body);
    let scene = figure.scene(frame_index, &stage.frames[frame_index].solved);
    let lines = figure.lines(frame_index, height as f32 / 300.0);
    save(&scene.render(&whole_view(&figure, frame_index, width as f32 / height as f32), &lines, width, height, 3), path)
}

/// What a film shows of the run, seconds.
const FILM_S: std::ops::Range<f32> = 0.8..7.6;
const FILM_FRAMES_PER_SECOND: u16 = 12;
const FILM_SIZE: (usize, usize) = (300, 330);
const FILM_COLOURS: usize = 96;

/// Writes a moving picture: the animation on the left, the same with goals on the right.
///
/// # Errors
///
/// When the recording cannot be drawn or the file cannot be written.
pub fn write_film(recording: &Recording, body: &Body, path: &Path) -> Result<()> {
    recording.check()?;
    let stage = Stage::new(recording);
    let figure = JointView::new(&stage, body);
    let step = ((recording.fps / f32::from(FILM_FRAMES_PER_SECOND)).round() as usize).max(1);
    let shown: Vec<usize> =
        (0..recording.frames.len()).step_by(step).filter(|i| FILM_S.contains(&recording.frames[*i].time_s)).collect();
    ensure!(!shown.is_empty(), "the run is shorter than the film");
    let (width, height) = FILM_SIZE;
    let points: Vec<Vec3> = shown.iter().flat_map(|frame| seen(&figure, *frame)).collect();
    let camera = view_of(&figure, &points, width as f32 / height as f32);
    let draw = |frame: &usize| {
        let mut picture = Picture::new(2 * width + GAP, height, PAPER);
        let poses = &stage.frames[*frame];
        for (side, (pose, words)) in [(&poses.animated, "animation"), (&poses.solved, "with Sinew")].iter().enumerate()
        {
            let lines = if side == 1 { figure.lines(*frame, 1.4) } else { Vec::new() };
            let mut half = figure.scene(*frame, pose).render(&camera, &lines, width, height, 2);
            half.text(words, 10, 10, 2, FAINT_INK);
            picture.paste(&half, side * (width + GAP), 0);
        }
        picture
    };
    let frames: Vec<Picture> = shown.iter().map(draw).collect();
    film::save(&frames, FILM_FRAMES_PER_SECOND, FILM_COLOURS, path)
}

/// The frames worth looking at, in order, each with the reason in a word or two.
fn key_frames(recording: &Recording, wanted: usize) -> Vec<(usize, &'static str)> {
    let frames = &recording.frames;
    let mut keys: Vec<(usize, &'static str)> = Vec::new();
    let mut take = |index: usize, why| {
        if keys.iter().all(|(k, _)| *k != index) {
            keys.push((index, why));
        }
    };
    let by_residual = |a: &usize, b: &usize| frames[*a].hand_residual_m.total_cmp(&frames[*b].hand_residual_m);
    let unreachable = (0..frames.len()).filter(|i| frames[*i].status == "unreachable").max_by(by_residual);
    if let Some(index) = unreachable {
        take(index, "farthest");
    }
    let full = |f: &RecordedFrame| f.status == "reached" && f.weight > 0.999;
    for i in 1..frames.len() {
        match (frames[i - 1].ik_active, frames[i].ik_active) {
            (false, true) => take(i, "IK on"),
            (true, false) => take(i, "IK off"),
            _ => {}
        }
        if full(&frames[i]) && !full(&frames[i - 1]) {
            take(i, "reached");
        }
    }
    take(0, "start");
    take(frames.len() - 1, "end");
    keys.truncate(wanted);
    // Fill the widest gaps in time.
    while keys.len() < wanted.min(frames.len()) {
        let gap = |i: &usize| keys.iter().map(|(k, _)| k.abs_diff(*i)).min().unwrap_or(0);
        let Some(widest) = (0..frames.len()).max_by_key(gap) else { break };
        keys.push((widest, ""));
    }
    keys.sort_by_key(|(k, _)| *k);
    keys
}

fn whole_view(figure: &JointView, frame: usize, aspect: f32) -> Camera {
    view_of(figure, &seen(figure, frame), aspect)
}

fn view_of(figure: &JointView, points: &[Vec3], aspect: f32) -> Camera {
    Camera::fit(points, vec3(-0.68, 0.3, 0.95), 0.5, aspect, figure.margin)
}

/// What must be in the picture of a frame.
fn seen(figure: &JointView, frame: usize) -> Vec<Vec3> {
    let f = &figure.stage.frames[frame];
    let s = figure.scale;
    let mut points: Vec<Vec3> = f.solved.iter().map(|j| j.p).collect();
    points.push(f.solved[figure.head].p + vec3(0.0, 0.16 * s, 0.0));
    points.push(vec3(f.solved[figure.hips].p.x, figure.floor_y, f.solved[figure.hips].p.z));
    let record = &figure.stage.recording.frames[frame];
    if record.weight > 0.0 {
        let half = f.cylinder.q.turn(Vec3::Y) * (0.5 * record.cylinder.length_m);
        points.extend([f.cylinder.p + half, f.cylinder.p - half]);
    }
    points
}

fn hand_view(figure: &JointView, frame: usize) -> Camera {
    let pose = &figure.stage.frames[frame].solved;
    let s = figure.scale;
    let target = pose[figure.hand].p.lerp(pose[figure.knuckle].p, 0.8);
    Camera { eye: target + vec3(-0.8, 0.45, 0.75).unit_or(Vec3::Z) * (0.9 * s), target, fov_y_rad: 0.44 }
}

fn caption(sheet: &mut Picture, frame: &RecordedFrame, why: &str, x: usize, y: usize) {
    sheet.fill(x, y, CELL_WIDTH, CAPTION_HEIGHT, [236, 239, 243], 1.0);
    let colour = match frame.status.as_str() {
        "reached" => [22, 138, 84],
        "inactive" => [130, 138, 150],
        "unreachable" => [208, 62, 54],
        _ => [196, 128, 20],
    };
    sheet.fill(x, y, 5, CAPTION_HEIGHT, colour, 1.0);
    let time = format!("{:.2} s", frame.time_s);
    sheet.text(&time, x + 14, y + 8, 2, INK);
    sheet.text(why, x + 26 + 2 * font::width_dots(&time), y + 12, 1, FAINT_INK);
    let status = frame.status.as_str();
    sheet.text(status, x + CELL_WIDTH - 10 - 2 * font::width_dots(status), y + 8, 2, colour);
    let hand = format!("hand {} mm {:.1}°", millimetres(frame.hand_residual_m), frame.hand_residual_rad.to_degrees());
    sheet.text(&hand, x + 14, y + 31, 2, INK);
    let look = format!("look {:.1}°  weight {:.2}", frame.look_residual_rad.to_degrees(), frame.weight);
    sheet.text(&look, x + 14, y + 53, 2, FAINT_INK);
}

fn millimetres(metres: f32) -> String {
    let mm = metres * 1000.0;
    if mm < 1.0 { format!("{mm:.3}") } else { format!("{mm:.1}") }
}

fn footline(recording: &Recording) -> String {
    let hosts: Vec<&str> = recording.hosts.iter().map(|h| h.host.as_str()).collect();
    let verdict = match (hosts.is_empty(), recording.hosts_agree()) {
        (true, _) => "no host hashes".to_string(),
        (false, true) => format!("same hash in {}: {}", hosts.join(", "), recording.hosts[0].hash),
        (false, false) => format!("HASHES DIFFER between {}", hosts.join(", ")),
    };
    format!(
        "{}  ·  {} frames, {:.1} s  ·  {verdict}",
        recording.subtitle,
        recording.frames.len(),
        recording.duration_s()
    )
}
