//! Film strips of a clip: the truth in grey, the bodies from three, four and six trackers over it.
//! For a body of another build the truth has the body's size.

use super::clip::{Clip, Frame, bones};
use super::play::Played;
use super::score::index;
use crate::oracle::geometry::{Rotation, V3};
use crate::picture::raster::Picture;
use crate::picture::save;
use crate::picture::window::Window;
use anyhow::Result;
use sinew::humanoid::HumanBone;
use std::path::Path;

/// Moments of a strip.
const COLUMNS: usize = 9;
/// Size of a panel, pixels, and of the strip at its left for the row's name.
const WIDTH: usize = 190;
const HEIGHT: usize = 200;
const NAME: usize = 90;
/// What a panel shows, in heights of the figure's head above its soles.
const SHOWN: f64 = 1.35;

const PAPER: [u8; 3] = [250, 249, 245];
const INK: [u8; 3] = [90, 84, 72];
const TRUTH: [u8; 3] = [186, 186, 190];
const LEFT: [u8; 3] = [196, 60, 48];
const RIGHT: [u8; 3] = [40, 96, 184];
const MIDDLE: [u8; 3] = [60, 60, 66];

/// Chains of bones that are drawn, and their colour.
const CHAINS: [(&[HumanBone], [u8; 3]); 5] = {
    use HumanBone::*;
    [
        (&[Hips, Spine, Chest, UpperChest, Neck, Head], MIDDLE),
        (&[Hips, RightUpperLeg, RightLowerLeg, RightFoot, RightToes], RIGHT),
        (&[Hips, LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToes], LEFT),
        (&[UpperChest, RightShoulder, RightUpperArm, RightLowerArm, RightHand], RIGHT),
        (&[UpperChest, LeftShoulder, LeftUpperArm, LeftLowerArm, LeftHand], LEFT),
    ]
};

fn place(frame: &Frame, bone: HumanBone) -> Option<V3> {
    frame[index(bone)].map(|(at, _)| at)
}

/// `ahead`: from the head's own axes to those that face forward in the T-pose.
fn figure(window: &mut Window, frame: &Frame, ahead: Rotation, truth: bool) {
    for (chain, colour) in CHAINS {
        let (colour, size) = if truth { (TRUTH, 2) } else { (colour, 3) };
        let joints: Vec<V3> = chain.iter().filter_map(|bone| place(frame, *bone)).collect();
        for pair in joints.windows(2) {
            window.line(pair[0], pair[1], size, colour);
        }
    }
    if let Some((head, turn)) = frame[index(HumanBone::Head)] {
        let colour = if truth { TRUTH } else { MIDDLE };
        let (x, y) = window.pixel(head);
        window.dot(x, y, 9, colour);
        let ahead = head + (turn * ahead).rotate(V3([0.0, 0.0, 1.0])) * (12.0 / window.scale);
        window.line(head, ahead, 2, colour);
    }
}

/// A frame `scale` times as large.
fn sized(frame: &Frame, scale: f64) -> Frame {
    frame.iter().map(|placed| placed.map(|(at, turn)| (at * scale, turn))).collect()
}

/// Writes `NAME.png`: a row per set of trackers, moments at equal times, seen from the front right.
pub fn write(name: &str, clip: &Clip, rows: &[(usize, Played)], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut picture = Picture::new(NAME + COLUMNS * WIDTH, rows.len() * HEIGHT, PAPER);
    let size = rows.first().map_or(1.0, |(_, played)| played.scale);
    let heads = clip.frames.iter().filter_map(|frame| place(frame, HumanBone::Head));
    let tallest = size * heads.map(|head| head.0[1] - clip.low).fold(0.0, f64::max).max(1e-3);
    let low = size * clip.low;
    let scale = HEIGHT as f64 / (SHOWN * tallest);
    let way = V3([0.8, 0.0, -0.6]);
    let t_pose = bones(&clip.subject, &clip.subject.t_pose);
    let ahead = t_pose[index(HumanBone::Head)].map_or(Rotation::IDENTITY, |(_, turn)| turn.inverse());
    for (row, (count, played)) in rows.iter().enumerate() {
        picture.text(&format!("{count} trackers"), 6, row * HEIGHT + 6, 1, INK);
        for column in 0..COLUMNS {
            let frame = column * (played.frames.len() - 1) / (COLUMNS - 1);
            let truth = &sized(&clip.frames[frame], size);
            let hips = place(truth, HumanBone::Hips).unwrap_or(V3::ZERO);
            let mut window = Window {
                picture: &mut picture,
                left: NAME + column * WIDTH,
                top: row * HEIGHT,
                size: [WIDTH, HEIGHT],
                scale,
                way,
                middle: hips.dot(way),
                floor: low - 0.08 * tallest,
            };
            let at = V3([hips.0[0], low, hips.0[2]]);
            let half = 0.5 * WIDTH as f64 / scale;
            window.line(at + way * -half, at + way * half, 1, TRUTH);
            figure(&mut window, truth, ahead, true);
            figure(&mut window, &played.frames[frame], ahead, false);
        }
        picture.fill(0, (row + 1) * HEIGHT - 1, NAME + COLUMNS * WIDTH, 1, TRUTH, 1.0);
    }
    picture.text(name, 6, HEIGHT - 16, 1, INK);
    save(&picture, &folder.join(format!("{name}.png")))
}
