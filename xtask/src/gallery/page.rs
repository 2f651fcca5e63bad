//! The page: all exhibits as data, and a script that plays them.

use super::exhibit::Exhibit;
use anyhow::Result;
use serde_json::{Value, json};

/// Points in millimetres, flat: the page is a third of the size.
fn points(points: &[[f32; 3]]) -> Vec<i32> {
    points.iter().flatten().map(|x| (x * 1000.0).round() as i32).collect()
}

fn data(exhibits: &[Exhibit]) -> Value {
    exhibits
        .iter()
        .map(|exhibit| {
            let frames: Vec<Value> = exhibit
                .frames
                .iter()
                .map(|f| {
                    json!([
                        points(&f.joints),
                        points(&f.fins),
                        points(&f.targets),
                        f.pole.map(|p| points(&[p])),
                        f.lines.iter().map(|l| points(l)).collect::<Vec<_>>(),
                        format!("{:.1e}", f.residual),
                        f.status,
                        f.iterations
                    ])
                })
                .collect();
            json!({
                "group": exhibit.group,
                "title": exhibit.title,
                "note": exhibit.note,
                "parents": exhibit.parents.iter().map(|p| p.map_or(-1, |p| p as i64)).collect::<Vec<_>>(),
                "frames": frames,
            })
        })
        .collect()
}

/// The whole page, self-contained.
pub fn page(exhibits: &[Exhibit]) -> Result<String> {
    // "</" would end the script element.
    let data = serde_json::to_string(&data(exhibits))?.replace("</", "<\\/");
    Ok(include_str!("page.html").replace("{{data}}", &data).replace("{{script}}", include_str!("page.js")))
}
