//! Moving pictures for the manual.

use super::exhibit::Exhibit;
use super::sheet::{camera, draw};
use crate::picture::film;
use anyhow::{Context, Result};
use std::path::Path;

const SIDE: usize = 220;
/// Every so many frames of an exhibit are shown.
const EVERY: usize = 3;
const FRAMES_PER_SECOND: u16 = 12;
const COLOURS: usize = 48;

/// Title of the exhibit, and name of the file without its ending.
pub const FILMS: [(&str, &str); 19] = [
    ("default", "solver-default"),
    ("FABRIK", "solver-fabrik"),
    ("CCD", "solver-ccd"),
    ("spring", "solver-spring"),
    ("pole", "pole"),
    ("position and rotation", "rotation"),
    ("weight", "weight"),
    ("out of reach and back", "out-of-reach"),
    ("tree", "tree"),
    ("two bones", "two-bones"),
    ("copied rotation", "copied-rotation"),
    ("spline: Catmull-Rom", "curve"),
    ("aim, shared", "aim"),
    ("cone", "limit-cone"),
    ("hinge", "limit-hinge"),
    ("distance: inside", "distance"),
    ("calibration", "trackers-calibration"),
    ("three trackers", "trackers-three"),
    ("six trackers", "trackers-six"),
];

/// Writes the manual's films into a folder.
pub fn write(exhibits: &[Exhibit], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (title, name) in FILMS {
        let exhibit = exhibits.iter().find(|e| e.title == title).with_context(|| format!("no exhibit {title:?}"))?;
        let camera = camera(exhibit);
        let frames: Vec<_> =
            exhibit.frames.iter().step_by(EVERY).map(|frame| draw(exhibit, frame, &camera, SIDE)).collect();
        film::save(&frames, FRAMES_PER_SECOND, COLOURS, &folder.join(format!("{name}.png")))?;
    }
    Ok(())
}
