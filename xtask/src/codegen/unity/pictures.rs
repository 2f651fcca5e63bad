//! Pictures of the manual: for each component what the Scene view draws of it, in the colours of
//! its legend. The pose before is dark, the one after light.

use super::icons::Stroke::{self, Disc, Line, Ring};
use super::icons::{BONE, GAZE, GOAL, LIMIT, png};
use anyhow::Result;

const WIDTH: usize = 480;
const HEIGHT: usize = 240;
const GROUND: [u8; 3] = [56, 58, 62];
const BEFORE: [u8; 3] = [104, 108, 114];
const POLE: [u8; 3] = [248, 216, 40];
const RESIDUAL: [u8; 3] = [240, 64, 52];
const BODY: [u8; 3] = [216, 90, 228];
const TWIST: [u8; 3] = [116, 154, 255];

type Strokes = Vec<([u8; 3], Stroke)>;

/// The files, below the package's folder.
pub fn all() -> Result<Vec<(String, Vec<u8>)>> {
    let pages: [(&str, Strokes); 12] = [
        ("sinew-animator", animator()),
        ("sinew-goals", goals()),
        ("sinew-chain", chain()),
        ("sinew-two-bone", two_bone()),
        ("sinew-aim", aim()),
        ("sinew-spline", spline()),
        ("sinew-copy-rotation", copy_rotation()),
        ("sinew-joint-limits", joint_limits()),
        ("sinew-world", world()),
        ("sinew-grounder", grounder()),
        ("sinew-body", body()),
        ("sinew-tracked-body", tracked_body()),
    ];
    pages
        .iter()
        .map(|(page, strokes)| {
            Ok((format!("Documentation~/images/{page}.png"), png(strokes, WIDTH, HEIGHT, Some(GROUND))?))
        })
        .collect()
}

/// Bones from point to point, with a disc at each joint.
fn bones(strokes: &mut Strokes, colour: [u8; 3], points: &[[f32; 2]]) {
    for pair in points.windows(2) {
        strokes.push((colour, Line(pair[0], pair[1], 3.0)));
    }
    for point in points {
        strokes.push((colour, Disc(*point, 6.0)));
    }
}

fn cross(strokes: &mut Strokes, colour: [u8; 3], [x, y]: [f32; 2]) {
    strokes.push((colour, Line([x - 11.0, y], [x + 11.0, y], 1.5)));
    strokes.push((colour, Line([x, y - 11.0], [x, y + 11.0], 1.5)));
    strokes.push((colour, Line([x - 7.0, y - 7.0], [x + 7.0, y + 7.0], 1.0)));
}

fn dashes(strokes: &mut Strokes, colour: [u8; 3], from: [f32; 2], to: [f32; 2]) {
    for i in (0..12).step_by(2) {
        let at = |t: f32| [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
        strokes.push((colour, Line(at(i as f32 / 12.0), at((i + 1) as f32 / 12.0), 1.0)));
    }
}

// Head, spine, legs and the left arm of a person that stands at `x`.
fn person(strokes: &mut Strokes, colour: [u8; 3], x: f32, hand: [f32; 2], elbow: [f32; 2]) {
    strokes.push((colour, Disc([x, 40.0], 15.0)));
    bones(strokes, colour, &[[x, 62.0], [x, 95.0], [x, 130.0]]);
    bones(strokes, colour, &[[x, 130.0], [x - 16.0, 172.0], [x - 18.0, 220.0]]);
    bones(strokes, colour, &[[x, 130.0], [x + 16.0, 172.0], [x + 18.0, 220.0]]);
    bones(strokes, colour, &[[x, 70.0], [x - 30.0, 100.0], [x - 34.0, 140.0]]);
    bones(strokes, colour, &[[x, 70.0], elbow, hand]);
}

fn animator() -> Strokes {
    let mut s = vec![];
    person(&mut s, BEFORE, 130.0, [166.0, 140.0], [162.0, 102.0]);
    person(&mut s, BONE, 320.0, [402.0, 74.0], [362.0, 100.0]);
    cross(&mut s, GOAL, [402.0, 74.0]);
    s.push((GAZE, Line([334.0, 40.0], [398.0, 70.0], 1.0)));
    s
}

fn goals() -> Strokes {
    let mut s = vec![];
    person(&mut s, BONE, 240.0, [318.0, 78.0], [280.0, 104.0]);
    for at in [[318.0, 78.0], [206.0, 140.0], [222.0, 220.0], [258.0, 220.0]] {
        cross(&mut s, GOAL, at);
    }
    cross(&mut s, POLE, [300.0, 150.0]);
    dashes(&mut s, POLE, [280.0, 104.0], [300.0, 150.0]);
    cross(&mut s, GAZE, [390.0, 36.0]);
    dashes(&mut s, GAZE, [254.0, 40.0], [390.0, 36.0]);
    cross(&mut s, BODY, [240.0, 120.0]);
    s
}

fn chain() -> Strokes {
    let mut s = vec![];
    bones(
        &mut s,
        BEFORE,
        &[[60.0, 210.0], [100.0, 180.0], [140.0, 150.0], [180.0, 120.0], [220.0, 90.0], [260.0, 60.0]],
    );
    bones(
        &mut s,
        BONE,
        &[[60.0, 210.0], [108.0, 198.0], [157.0, 205.0], [205.0, 192.0], [245.0, 162.0], [292.0, 146.0]],
    );
    cross(&mut s, GOAL, [292.0, 146.0]);
    s.push((LIMIT, Ring([380.0, 100.0], 44.0, 1.0)));
    cross(&mut s, GOAL, [380.0, 100.0]);
    dashes(&mut s, RESIDUAL, [292.0, 146.0], [340.0, 122.0]);
    s
}

fn two_bone() -> Strokes {
    let mut s = vec![];
    bones(&mut s, BEFORE, &[[120.0, 60.0], [130.0, 130.0], [120.0, 200.0]]);
    bones(&mut s, BONE, &[[120.0, 60.0], [182.0, 92.0], [236.0, 138.0]]);
    cross(&mut s, GOAL, [236.0, 138.0]);
    cross(&mut s, POLE, [300.0, 50.0]);
    dashes(&mut s, POLE, [182.0, 92.0], [300.0, 50.0]);
    s
}

fn aim() -> Strokes {
    let mut s = vec![];
    bones(&mut s, BEFORE, &[[120.0, 220.0], [120.0, 170.0], [120.0, 120.0]]);
    s.push((BEFORE, Line([120.0, 120.0], [240.0, 120.0], 1.0)));
    bones(&mut s, BONE, &[[120.0, 220.0], [118.0, 170.0], [112.0, 121.0]]);
    s.push((GAZE, Line([112.0, 121.0], [360.0, 46.0], 1.5)));
    cross(&mut s, GOAL, [360.0, 46.0]);
    dashes(&mut s, LIMIT, [112.0, 121.0], [260.0, 30.0]);
    dashes(&mut s, LIMIT, [112.0, 121.0], [270.0, 190.0]);
    s
}

fn spline() -> Strokes {
    let points = [[50.0, 190.0], [140.0, 80.0], [260.0, 100.0], [330.0, 180.0], [430.0, 70.0]];
    let mut s = vec![];
    bones(
        &mut s,
        BEFORE,
        &[[50.0, 190.0], [126.0, 190.0], [202.0, 190.0], [278.0, 190.0], [354.0, 190.0], [430.0, 190.0]],
    );
    bones(
        &mut s,
        BONE,
        &[
            [50.0, 190.0],
            [84.0, 130.0],
            [140.0, 82.0],
            [205.0, 78.0],
            [262.0, 104.0],
            [296.0, 156.0],
            [344.0, 178.0],
            [394.0, 134.0],
            [430.0, 70.0],
        ],
    );
    for point in points {
        s.push((GOAL, Disc(point, 8.0)));
    }
    s
}

fn copy_rotation() -> Strokes {
    let mut s = vec![];
    for (x, colour) in [(130.0_f32, GOAL), (340.0, BONE)] {
        s.push((colour, Ring([x, 120.0], 50.0, 2.0)));
        s.push(([226, 68, 72], Line([x, 120.0], [x + 43.0, 95.0], 2.5)));
        s.push(([72, 174, 84], Line([x, 120.0], [x - 25.0, 77.0], 2.5)));
        s.push((colour, Disc([x, 120.0], 7.0)));
    }
    dashes(&mut s, GOAL, [190.0, 120.0], [280.0, 120.0]);
    s.push((TWIST, Line([340.0, 120.0], [300.0, 50.0], 1.5)));
    s
}

fn joint_limits() -> Strokes {
    let mut s = vec![];
    let joint = [110.0, 200.0];
    let rim =
        [[150.0, 40.0], [210.0, 24.0], [280.0, 44.0], [320.0, 96.0], [316.0, 150.0], [260.0, 130.0], [200.0, 84.0]];
    for i in 0..rim.len() {
        s.push((LIMIT, Line(rim[i], rim[(i + 1) % rim.len()], 1.5)));
        s.push((LIMIT, Line(joint, rim[i], 0.6)));
    }
    for handle in [rim[0], rim[2], rim[4], rim[6]] {
        s.push((LIMIT, Disc(handle, 5.0)));
    }
    s.push((TWIST, Ring(joint, 34.0, 1.5)));
    s.push((TWIST, Disc([144.0, 200.0], 5.0)));
    bones(&mut s, BONE, &[[60.0, 224.0], joint, [230.0, 90.0]]);
    s
}

fn world() -> Strokes {
    let mut s = vec![];
    let viewer = [90.0, 120.0];
    for (radius, colour) in [(90.0, GOAL), (210.0, POLE), (330.0, RESIDUAL)] {
        s.push((colour, Ring(viewer, radius, 1.0)));
    }
    for row in 0..5 {
        for column in 0..9 {
            let at = [40.0 + 50.0 * column as f32, 30.0 + 45.0 * row as f32];
            let away = [at[0] - viewer[0], at[1] - viewer[1]].map(|d| d * d).iter().sum::<f32>().sqrt();
            let colour = if away < 90.0 {
                GOAL
            } else if away < 210.0 {
                POLE
            } else if away < 330.0 {
                RESIDUAL
            } else {
                BEFORE
            };
            s.push((colour, Disc(at, 8.0)));
        }
    }
    s.push((GAZE, Disc(viewer, 10.0)));
    s
}

fn grounder() -> Strokes {
    let mut s = vec![];
    let steps = [[20.0, 220.0], [150.0, 220.0], [150.0, 192.0], [270.0, 192.0], [270.0, 164.0], [460.0, 164.0]];
    for pair in steps.windows(2) {
        s.push((LIMIT, Line(pair[0], pair[1], 2.5)));
    }
    bones(&mut s, BEFORE, &[[210.0, 60.0], [222.0, 130.0], [196.0, 206.0], [226.0, 216.0]]);
    bones(&mut s, BEFORE, &[[210.0, 60.0], [262.0, 120.0], [284.0, 200.0], [314.0, 212.0]]);
    bones(&mut s, BONE, &[[214.0, 44.0], [228.0, 112.0], [196.0, 178.0], [226.0, 188.0]]);
    bones(&mut s, BONE, &[[214.0, 44.0], [286.0, 88.0], [300.0, 150.0], [330.0, 160.0]]);
    for foot in [[226.0, 190.0], [330.0, 162.0]] {
        dashes(&mut s, GOAL, [foot[0], foot[1] - 60.0], foot);
        s.push((GOAL, Disc(foot, 5.0)));
    }
    s.push((BODY, Line([210.0, 60.0], [214.0, 44.0], 2.0)));
    s
}

fn body() -> Strokes {
    let mut s = vec![];
    person(&mut s, BEFORE, 130.0, [166.0, 140.0], [162.0, 102.0]);
    s.push((BONE, Disc([368.0, 76.0], 15.0)));
    bones(&mut s, BONE, &[[352.0, 92.0], [326.0, 118.0], [300.0, 142.0]]);
    bones(&mut s, BONE, &[[300.0, 142.0], [318.0, 184.0], [302.0, 220.0]]);
    bones(&mut s, BONE, &[[300.0, 142.0], [340.0, 178.0], [338.0, 220.0]]);
    bones(&mut s, BONE, &[[352.0, 92.0], [370.0, 140.0], [398.0, 184.0]]);
    for at in [[302.0, 220.0], [338.0, 220.0], [398.0, 184.0]] {
        cross(&mut s, GOAL, at);
    }
    cross(&mut s, BODY, [322.0, 150.0]);
    s
}

fn tracked_body() -> Strokes {
    let mut s = vec![];
    s.push((BONE, Disc([240.0, 44.0], 16.0)));
    bones(&mut s, BONE, &[[240.0, 68.0], [242.0, 100.0], [240.0, 132.0]]);
    bones(&mut s, BONE, &[[240.0, 74.0], [206.0, 104.0], [168.0, 92.0]]);
    bones(&mut s, BONE, &[[240.0, 74.0], [276.0, 106.0], [318.0, 74.0]]);
    bones(&mut s, BONE, &[[240.0, 132.0], [216.0, 172.0], [220.0, 218.0]]);
    bones(&mut s, BONE, &[[240.0, 132.0], [270.0, 170.0], [264.0, 218.0]]);
    // Headset and controllers; feet without trackers stand, and one is about to step.
    s.push((GAZE, Line([226.0, 42.0], [256.0, 42.0], 7.0)));
    for at in [[156.0, 92.0], [330.0, 72.0]] {
        cross(&mut s, GOAL, at);
    }
    dashes(&mut s, POLE, [220.0, 222.0], [176.0, 222.0]);
    dashes(&mut s, BODY, [240.0, 48.0], [240.0, 128.0]);
    s
}
