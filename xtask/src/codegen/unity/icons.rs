//! Icons of the components: joints as discs, bones as lines, goals as rings, 64 by 64 pixels on a
//! transparent ground.

use anyhow::Result;

const SIZE: usize = 64;

pub enum Stroke {
    /// From, to, half width.
    Line([f32; 2], [f32; 2], f32),
    /// Centre and radius.
    Disc([f32; 2], f32),
    /// Centre, radius and half width.
    Ring([f32; 2], f32, f32),
}

use Stroke::{Disc, Line, Ring};

pub const BONE: [u8; 3] = [200, 206, 214];
pub const GOAL: [u8; 3] = [80, 200, 100];
pub const LIMIT: [u8; 3] = [244, 160, 60];
pub const GAZE: [u8; 3] = [70, 200, 235];

type Picture = (&'static str, &'static [([u8; 3], Stroke)]);

const PICTURES: &[Picture] = &[
    (
        "SinewGrounder",
        &[
            (LIMIT, Line([4.0, 58.0], [30.0, 58.0], 2.5)),
            (LIMIT, Line([30.0, 58.0], [30.0, 46.0], 2.5)),
            (LIMIT, Line([30.0, 46.0], [60.0, 46.0], 2.5)),
            (BONE, Line([22.0, 6.0], [26.0, 28.0], 3.0)),
            (BONE, Line([26.0, 28.0], [14.0, 52.0], 3.0)),
            (BONE, Line([22.0, 6.0], [46.0, 22.0], 3.0)),
            (BONE, Line([46.0, 22.0], [44.0, 40.0], 3.0)),
            (GOAL, Disc([14.0, 52.0], 5.0)),
            (GOAL, Disc([44.0, 41.0], 5.0)),
        ],
    ),
    (
        "SinewTrackedBody",
        &[
            (BONE, Disc([32.0, 13.0], 7.0)),
            (BONE, Line([32.0, 20.0], [32.0, 40.0], 3.0)),
            (BONE, Line([32.0, 25.0], [14.0, 36.0], 2.5)),
            (BONE, Line([32.0, 25.0], [50.0, 36.0], 2.5)),
            (BONE, Line([32.0, 40.0], [22.0, 60.0], 3.0)),
            (BONE, Line([32.0, 40.0], [42.0, 60.0], 3.0)),
            (GAZE, Line([22.0, 12.0], [42.0, 12.0], 4.5)),
            (GOAL, Ring([12.0, 38.0], 6.0, 2.5)),
            (GOAL, Ring([52.0, 38.0], 6.0, 2.5)),
        ],
    ),
    (
        "SinewBody",
        &[
            (BONE, Disc([32.0, 11.0], 8.0)),
            (BONE, Line([32.0, 20.0], [32.0, 40.0], 3.0)),
            (BONE, Line([32.0, 25.0], [12.0, 20.0], 2.5)),
            (BONE, Line([32.0, 25.0], [52.0, 20.0], 2.5)),
            (BONE, Line([32.0, 40.0], [20.0, 60.0], 3.0)),
            (BONE, Line([32.0, 40.0], [44.0, 60.0], 3.0)),
            (GOAL, Ring([32.0, 38.0], 8.0, 2.0)),
        ],
    ),
    (
        "SinewBodyEffector",
        &[
            (BONE, Line([12.0, 54.0], [34.0, 32.0], 3.0)),
            (BONE, Disc([12.0, 54.0], 6.0)),
            (GOAL, Ring([42.0, 24.0], 14.0, 2.5)),
            (GOAL, Disc([42.0, 24.0], 4.0)),
        ],
    ),
    (
        "SinewAnimator",
        &[
            (BONE, Disc([32.0, 11.0], 8.0)),
            (BONE, Line([32.0, 20.0], [32.0, 40.0], 3.0)),
            (BONE, Line([32.0, 25.0], [14.0, 36.0], 2.5)),
            (BONE, Line([32.0, 25.0], [50.0, 20.0], 2.5)),
            (BONE, Line([32.0, 40.0], [22.0, 60.0], 3.0)),
            (BONE, Line([32.0, 40.0], [42.0, 60.0], 3.0)),
            (GOAL, Disc([52.0, 19.0], 6.0)),
        ],
    ),
    (
        "SinewGoals",
        &[
            (GOAL, Ring([16.0, 16.0], 9.0, 2.5)),
            (GOAL, Ring([48.0, 16.0], 9.0, 2.5)),
            (GOAL, Ring([16.0, 48.0], 9.0, 2.5)),
            (GOAL, Ring([48.0, 48.0], 9.0, 2.5)),
            (GAZE, Disc([32.0, 32.0], 5.0)),
        ],
    ),
    (
        "SinewChain",
        &[
            (BONE, Line([10.0, 54.0], [18.0, 34.0], 2.5)),
            (BONE, Line([18.0, 34.0], [34.0, 24.0], 2.5)),
            (BONE, Line([34.0, 24.0], [50.0, 14.0], 2.5)),
            (BONE, Disc([10.0, 54.0], 6.0)),
            (BONE, Disc([18.0, 34.0], 5.0)),
            (BONE, Disc([34.0, 24.0], 5.0)),
            (GOAL, Disc([52.0, 13.0], 7.0)),
        ],
    ),
    (
        "SinewTwoBone",
        &[
            (BONE, Line([12.0, 52.0], [22.0, 18.0], 3.0)),
            (BONE, Line([22.0, 18.0], [52.0, 34.0], 3.0)),
            (BONE, Disc([12.0, 52.0], 6.0)),
            (BONE, Disc([22.0, 18.0], 6.0)),
            (GOAL, Disc([52.0, 34.0], 7.0)),
        ],
    ),
    (
        "SinewAim",
        &[
            (GAZE, Line([12.0, 52.0], [46.0, 18.0], 2.0)),
            (BONE, Disc([12.0, 52.0], 8.0)),
            (GOAL, Ring([50.0, 14.0], 9.0, 2.5)),
            (GOAL, Disc([50.0, 14.0], 3.0)),
        ],
    ),
    (
        "SinewSpline",
        &[
            (BONE, Line([6.0, 46.0], [18.0, 26.0], 2.5)),
            (BONE, Line([18.0, 26.0], [32.0, 30.0], 2.5)),
            (BONE, Line([32.0, 30.0], [44.0, 40.0], 2.5)),
            (BONE, Line([44.0, 40.0], [58.0, 18.0], 2.5)),
            (GOAL, Disc([6.0, 46.0], 5.0)),
            (GOAL, Disc([20.0, 25.0], 5.0)),
            (GOAL, Disc([43.0, 40.0], 5.0)),
            (GOAL, Disc([58.0, 18.0], 5.0)),
        ],
    ),
    (
        "SinewCopyRotation",
        &[
            (BONE, Ring([22.0, 40.0], 14.0, 3.0)),
            (GOAL, Ring([42.0, 22.0], 14.0, 3.0)),
            (BONE, Line([22.0, 40.0], [22.0, 26.0], 2.5)),
            (GOAL, Line([42.0, 22.0], [42.0, 8.0], 2.5)),
        ],
    ),
    (
        "SinewJointLimits",
        &[
            (LIMIT, Line([14.0, 52.0], [20.0, 10.0], 2.0)),
            (LIMIT, Line([14.0, 52.0], [54.0, 40.0], 2.0)),
            (LIMIT, Line([20.0, 10.0], [44.0, 18.0], 1.5)),
            (LIMIT, Line([44.0, 18.0], [54.0, 40.0], 1.5)),
            (BONE, Line([14.0, 52.0], [36.0, 28.0], 3.0)),
            (BONE, Disc([14.0, 52.0], 7.0)),
        ],
    ),
    (
        "SinewWorld",
        &[
            (GAZE, Ring([32.0, 32.0], 26.0, 2.0)),
            (BONE, Disc([20.0, 26.0], 6.0)),
            (BONE, Disc([44.0, 26.0], 6.0)),
            (BONE, Disc([32.0, 44.0], 6.0)),
            (BONE, Line([20.0, 26.0], [44.0, 26.0], 1.5)),
            (BONE, Line([20.0, 26.0], [32.0, 44.0], 1.5)),
            (BONE, Line([44.0, 26.0], [32.0, 44.0], 1.5)),
        ],
    ),
];

/// The files, below the package's folder.
pub fn all() -> Result<Vec<(String, Vec<u8>)>> {
    PICTURES
        .iter()
        .map(|(name, strokes)| Ok((format!("Editor/Icons/{name}.png"), png(strokes, SIZE, SIZE, None)?)))
        .collect()
}

/// Strokes on a transparent ground, or on a colour.
pub fn png(strokes: &[([u8; 3], Stroke)], width: usize, height: usize, ground: Option<[u8; 3]>) -> Result<Vec<u8>> {
    let start = ground.map_or([0; 4], |[r, g, b]| [r, g, b, 255]);
    let mut pixels = start.repeat(width * height);
    for y in 0..height {
        for x in 0..width {
            let at = [x as f32 + 0.5, y as f32 + 0.5];
            let pixel = &mut pixels[(y * width + x) * 4..][..4];
            for (colour, stroke) in strokes {
                // One pixel of soft border.
                let cover = (0.5 - distance(stroke, at)).clamp(0.0, 1.0);
                let below = pixel[3] as f32 / 255.0 * (1.0 - cover);
                let all = cover + below;
                if cover <= 0.0 {
                    continue;
                }
                for (channel, wanted) in pixel.iter_mut().zip(colour) {
                    *channel = ((*wanted as f32 * cover + *channel as f32 * below) / all + 0.5) as u8;
                }
                pixel[3] = (all * 255.0 + 0.5) as u8;
            }
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(file)
}

/// Distance to the shape, below 0 inside.
fn distance(stroke: &Stroke, [x, y]: [f32; 2]) -> f32 {
    let length = |dx: f32, dy: f32| (dx * dx + dy * dy).sqrt();
    match stroke {
        Disc([cx, cy], radius) => length(x - cx, y - cy) - radius,
        Ring([cx, cy], radius, half) => (length(x - cx, y - cy) - radius).abs() - half,
        Line([ax, ay], [bx, by], half) => {
            let (dx, dy) = (bx - ax, by - ay);
            let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            length(x - ax - dx * along, y - ay - dy * along) - half
        }
    }
}
