//! A page on which the frames of a recording are played.

use sinew::ffi::replay::{PlayError, Player};
use sinew::record::Log;
use std::fmt::Write as _;

/// Most frames of a page.
pub const PAGE_FRAMES: usize = 2000;

const PAGE: &str = include_str!("page.html");

/// A page, complete in one file, with the skeletons of all characters after each frame, from the
/// front and from the side, with the hash of the frame. Of a longer recording it has the first
/// [`PAGE_FRAMES`], and says so.
pub fn page(log: &Log) -> Result<String, PlayError> {
    let mut player = Player::new(&log.head)?;
    let mut frames = String::new();
    let (mut count, mut all) = (0, 0);
    for entry in &log.entries {
        let Some(played) = player.play(entry) else { continue };
        all += usize::from(played.is_frame);
        if !played.is_frame || count == PAGE_FRAMES {
            continue;
        }
        let comma = if count == 0 { "" } else { ",\n" };
        let same = played.is_same();
        let _ = write!(
            frames,
            "{comma}{{\"call\":\"{}\",\"hash\":\"{:016x}\",\"same\":{same},\"figures\":[",
            played.function, played.recorded_hash
        );
        for (place, figure) in player.figures().iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let joints: Vec<String> = figure.joints.iter().map(|[x, y, z]| format!("[{x:.4},{y:.4},{z:.4}]")).collect();
            let _ = write!(frames, "{comma}{{\"parents\":{:?},\"joints\":[{}]}}", figure.parents, joints.join(","));
        }
        frames += "]}";
        count += 1;
    }
    let left_out = match all - count {
        0 => String::new(),
        more => format!("The first {count} of {all} frames; {more} are left out."),
    };
    Ok(PAGE.replace("/*FRAMES*/", &frames).replace("NaN", "null").replace("<!--LEFT OUT-->", &left_out))
}
