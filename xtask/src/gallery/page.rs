//! The page: all exhibits as data, with the script and the module that solve them.

use super::exhibit::Exhibit;
use super::live;
use crate::demo::page::blob;
use crate::web::playground::Bundle;
use anyhow::Result;
use serde_json::{Value, json};

/// Points in millimetres, flat.
fn points(points: &[[f32; 3]]) -> Vec<i32> {
    points.iter().flatten().map(|x| (x * 1000.0).round() as i32).collect()
}

/// The exhibits as data of the page.
pub fn data(exhibits: &[Exhibit]) -> Value {
    let one = |exhibit: &Exhibit| {
        let lines: Vec<Vec<Vec<i32>>> =
            exhibit.frames.iter().map(|frame| frame.lines.iter().map(|line| points(line)).collect()).collect();
        json!({
            "group": exhibit.group,
            "title": exhibit.title,
            "note": exhibit.note,
            "parents": exhibit.parents.iter().map(|p| p.map_or(-1, |p| p as i64)).collect::<Vec<_>>(),
            "live": exhibit.live,
            "lines": lines,
            "checked": {
                "frame": live::CHECKED,
                "joints": points(&exhibit.frames[live::CHECKED].joints),
                "residual": exhibit.frames[live::CHECKED].residual,
            },
        })
    };
    exhibits.iter().map(one).collect()
}

/// The whole page, in one file.
pub fn page(bundle: &Bundle, exhibits: &[Exhibit]) -> Result<String> {
    let data = blob("sinew-gallery", &serde_json::to_vec(&data(exhibits))?)?;
    bundle.page("Sinew: the gallery", &[data, blob("sinew-module", &bundle.module)?].join("\n"))
}
