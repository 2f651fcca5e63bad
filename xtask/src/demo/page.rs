//! Writes the page that plays a recording: one file, no network, drawn by the scripts beside this
//! file.

use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::figure::{AXES, Body, CYLINDER, GAP, JointView, LOOK, cylinder};
use super::recording::{RecordedFrame, Recording};
use super::skin::Group;
use super::stage::{Stage, StageFrame};
use crate::picture::vector::{Rigid, Vec3};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("page_data.js"),
    include_str!("page_gl.js"),
    include_str!("page_flat.js"),
    include_str!("page_plots.js"),
    include_str!("page_app.js"),
];

/// Numbers per joint in a packed pose: position, then rotation x y z w.
const POSE_FLOATS: usize = 7;

/// Writes one self-contained HTML file that plays `recording`: IK off and IK on side by side, with
/// plots of the residuals.
///
/// `#t=2.5&view=side&paused=1` in the address opens a given moment.
///
/// # Errors
///
/// When the recording cannot be drawn (see [`Recording::check`]) or the file cannot be written.
pub fn write_page(recording: &Recording, body: &Body, path: &Path) -> Result<()> {
    recording.check()?;
    let stage = Stage::new(recording);
    let figure = JointView::new(&stage, body);
    let blobs = [
        ("animated", floats(stage.frames.iter().flat_map(|f| poses(&f.animated)))),
        ("solved", floats(stage.frames.iter().flat_map(|f| poses(&f.solved)))),
        ("moments", floats(moments(&stage))),
        ("inverse-bind", floats(poses(&figure.skin.inverse_bind))),
        ("vertices", vertices(&figure)),
        ("indices", indices(&figure)),
        ("shapes", floats(shapes(&figure))),
    ];
    let mut blobs: Vec<String> = blobs.iter().map(|(id, data)| blob(id, data)).collect();
    blobs.extend(figure.skin.images.iter().enumerate().map(|(i, image)| blob(&format!("image-{i}"), &image.bytes)));
    let script = format!("\"use strict\";\n(() => {{\n{}\n}})();", SCRIPTS.join("\n"));
    let page = TEMPLATE
        .replace("{{title}}", &escape(&recording.title))
        .replace("{{subtitle}}", &escape(&recording.subtitle))
        .replace("{{style}}", STYLE)
        .replace("{{meta}}", &meta(&figure).to_string().replace("</", "<\\/"))
        .replace("{{script}}", &script)
        // Last: nothing in the data is looked at again.
        .replace("{{blobs}}", &blobs.join("\n"));
    std::fs::write(path, page).with_context(|| format!("writing {}", path.display()))
}

fn meta(figure: &JointView) -> serde_json::Value {
    let recording = figure.stage.recording;
    json!({
        "fps": recording.fps,
        "frames": recording.frames.len(),
        "joints": recording.joints.len(),
        "parents": recording.joints.iter().map(|j| j.parent.map_or(-1, |p| p as i64)).collect::<Vec<_>>(),
        "scale": figure.scale,
        "margin": figure.margin,
        "floor": figure.floor_y,
        "hips": figure.hips,
        "hand": figure.hand,
        "knuckle": figure.knuckle,
        "head": figure.head,
        "axes": figure.stage.host_axes.map(Vec3::array),
        "colours": { "axes": AXES, "look": LOOK, "gap": GAP, "cylinder": CYLINDER },
        "cylinder": [recording.frames[0].cylinder.radius_m, recording.frames[0].cylinder.length_m],
        "cylinderIndices": cylinder(1.0, 1.0).2.len() * 3,
        "statuses": statuses(recording),
        "hosts": recording.hosts.iter().map(|h| json!({ "host": h.host, "hash": h.hash })).collect::<Vec<_>>(),
        "hostsAgree": recording.hosts_agree(),
        "leftHanded": recording.left_handed,
        "wideIndices": wide_indices(figure),
        "groups": groups(figure),
        "images": figure.skin.images.iter().map(|image| &image.kind).collect::<Vec<_>>(),
        "isOwnMesh": !figure.skin.groups.is_empty(),
    })
}

/// Ranges of the index list, each with its picture; the cylinder is not among them.
fn groups(figure: &JointView) -> serde_json::Value {
    let all = figure.skin.triangles.len();
    let whole = [Group { first: 0, count: all, image: None, cutoff: 0.0, is_blended: false }];
    let groups = if figure.skin.groups.is_empty() { &whole[..] } else { &figure.skin.groups };
    let one = |g: &Group| {
        json!({
            "first": 3 * g.first,
            "count": 3 * g.count,
            "image": g.image.map_or(-1, |image| image as i64),
            "cutoff": g.cutoff,
            "blended": g.is_blended,
        })
    };
    groups.iter().map(one).collect()
}

/// The words for outcomes that occur, in order of first appearance.
fn statuses(recording: &Recording) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for frame in &recording.frames {
        if !words.contains(&frame.status.as_str()) {
            words.push(&frame.status);
        }
    }
    words
}

fn poses(poses: &[Rigid]) -> impl Iterator<Item = f32> + '_ {
    poses.iter().flat_map(|pose| pack(*pose))
}

fn pack(pose: Rigid) -> [f32; POSE_FLOATS] {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.p.array(), pose.q.array());
    [x, y, z, qx, qy, qz, qw]
}

/// Per frame: time, weight, active, status, three residuals, goal, cylinder, look target, look
/// from, look direction.
fn moments<'a>(stage: &'a Stage) -> impl Iterator<Item = f32> + 'a {
    let words = statuses(stage.recording);
    let one = move |(r, f): (&RecordedFrame, &StageFrame)| {
        let status = words.iter().position(|w| *w == r.status).unwrap_or(0);
        let mut row = vec![r.time_s, r.weight, r.ik_active as u8 as f32, status as f32];
        row.extend([r.hand_residual_m, r.hand_residual_rad, r.look_residual_rad]);
        row.extend(pack(f.goal));
        row.extend(pack(f.cylinder));
        row.extend([f.look_target, f.look_from, f.look_dir].iter().flat_map(|v| v.array()));
        row
    };
    stage.recording.frames.iter().zip(&stage.frames).flat_map(one)
}

/// 40 bytes each: position as 3 floats, normal and openness as signed bytes, colour as 4 bytes, 4
/// joints as 16 bits, 4 weights as bytes, place in the picture as 2 floats. The cylinder follows
/// the skin and is bound to one additional joint than there are.
fn vertices(figure: &JointView) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push = |p: Vec3, n: Vec3, open: f32, colour: [u8; 3], joints: [u16; 4], weights: [f32; 4], uv: [f32; 2]| {
        bytes.extend(p.array().iter().flat_map(|v| v.to_le_bytes()));
        bytes.extend([n.x, n.y, n.z, open].map(|v| (v * 127.0).round() as i8 as u8));
        bytes.extend([colour[0], colour[1], colour[2], 255]);
        bytes.extend(joints.iter().flat_map(|j| j.to_le_bytes()));
        bytes.extend(weights.map(|w| (w * 255.0).round() as u8));
        bytes.extend(uv.iter().flat_map(|v| v.to_le_bytes()));
    };
    for v in &figure.skin.vertices {
        push(v.position, v.normal, v.openness, v.colour, v.joints, v.weights, v.uv);
    }
    let size = &figure.stage.recording.frames[0].cylinder;
    let (points, normals, _) = cylinder(size.radius_m, size.length_m);
    let carrier = figure.stage.joints.len() as u16;
    for (p, n) in points.into_iter().zip(normals) {
        push(p, n, 1.0, CYLINDER, [carrier, 0, 0, 0], [1.0, 0.0, 0.0, 0.0], [0.0; 2]);
    }
    bytes
}

fn wide_indices(figure: &JointView) -> bool {
    figure.skin.vertices.len() > 60_000
}

fn indices(figure: &JointView) -> Vec<u8> {
    let first = figure.skin.vertices.len() as u32;
    let (_, _, cylinder) = cylinder(1.0, 1.0);
    let moved = cylinder.into_iter().map(|t| t.map(|i| first + i));
    let all = figure.skin.triangles.iter().copied().chain(moved).flatten();
    if wide_indices(figure) {
        all.flat_map(|i| i.to_le_bytes()).collect()
    } else {
        all.flat_map(|i| (i as u16).to_le_bytes()).collect()
    }
}

/// Seventeen numbers per shape: ends, radii, flattening axis and factor, joints, colour (0 to 255).
fn shapes<'a>(figure: &'a JointView) -> impl Iterator<Item = f32> + 'a {
    figure.skin.shapes.iter().flat_map(|(s, colour)| {
        let mut row = Vec::with_capacity(17);
        row.extend(s.a.array());
        row.extend(s.b.array());
        row.extend([s.radius_a, s.radius_b]);
        row.extend(s.flat_axis.array());
        row.extend([s.flat, s.joint_a as f32, s.joint_b as f32]);
        row.extend(colour.map(f32::from));
        row
    })
}

fn floats(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_le_bytes).collect()
}

fn blob(id: &str, data: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"data-{id}\">{}</script>", STANDARD.encode(data))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_from_the_network() {
        for text in [TEMPLATE, STYLE].iter().chain(&SCRIPTS) {
            for word in ["http:", "https:", "src=", "@import", "url(", "fetch(", "import("] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn data_cannot_end_its_script_element() {
        assert_eq!(escape("<b title=\"x\">&"), "&lt;b title=&quot;x&quot;&gt;&amp;");
        assert!(!blob("x", b"</script>").trim_end_matches("</script>").contains("</script>"));
    }
}
