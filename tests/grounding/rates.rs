//! Frame rates: how far apart the whole paths of hips and feet are at 30, 60 and 144 Hz, feet in
//! the air included, on walks up a slope, over bumps and over steps at seven speeds. The bars are
//! what is reached in the middle of the seven, with a little room; a change that makes frame rates
//! agree less fails. The worst of the seven over steps has a foot that goes to another place of a
//! step, which no bar measures.
//!
//! Over steps the root goes up as that of a capsule does, which rolls over an edge. One walk has a
//! root that is 10 cm higher from one frame to the next: when in that frame is not known, so that a
//! foot may be released before it at one rate and after it at another. Feet over steps at 30 Hz
//! know of edges later: they ask half as often.

use crate::walker::{Walk, flat, slope, step_at, steps};
use sinew::grounding::GrounderSettings;
use sinew::math::{Vec3, float};

/// Moments a second that all three rates have in common.
const COMMON: usize = 6;
const SECONDS: usize = 8;
/// Of the root, m/s.
const SPEEDS: [f32; 7] = [0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4];

type Ground = fn(f32, f32) -> (f32, Vec3);

/// Bumps of 6 cm.
fn bumps(x: f32, z: f32) -> (f32, Vec3) {
    let (a, b) = (9.0 * x + 2.0, 8.0 * z);
    let (rise_x, rise_z) = (0.54 * float::sin(b) * float::cos(a), 0.48 * float::cos(b) * float::sin(a));
    (0.06 * float::sin(b) * float::sin(a), Vec3::new(-rise_x, 1.0, -rise_z).normalize())
}

/// Mean height of the ground 25 cm before and behind the root, what is near counting more.
fn rolled(ground: Ground, z: f32) -> f32 {
    const PARTS: usize = 512;
    let parts = (0..PARTS).map(|i| (i as f32 + 0.5) * 2.0 / PARTS as f32 - 1.0);
    parts.map(|u| ground(0.0, z + 0.25 * u).0 * (1.0 - u.abs())).sum::<f32>() * 2.0 / PARTS as f32
}

/// Height of the hips' offset and the balls of both feet at the common moments.
fn path(ground: Ground, root: fn(Ground, f32) -> f32, speed: f32, rate: usize) -> Vec<[f64; 7]> {
    let walk = Walk::biped(speed);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let dt = 1.0 / rate as f32;
    let mut path = Vec::new();
    for frame in 0..rate * SECONDS {
        let t = frame as f32 * dt;
        let height = root(ground, walk.root(t).z);
        let (_, body, legs) = step_at(&walk, &mut grounder, t, dt, height, ground);
        if frame % (rate / COMMON) == 0 {
            let ball = |leg: usize| legs[leg].ball_ws.to_array().map(f64::from);
            let ([a, b, c], [d, e, f]) = (ball(0), ball(1));
            path.push([f64::from(body.offset_ws.y), a, b, c, d, e, f]);
        }
    }
    path
}

/// Largest distances of hips and of a foot between two paths, metres.
fn apart(a: &[[f64; 7]], b: &[[f64; 7]]) -> (f64, f64) {
    let foot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    // The first two seconds: feet that were in the air at the start.
    a.iter().zip(b).skip(2 * COMMON).fold((0.0, 0.0), |(hips, feet), (a, b)| {
        let both = foot(&a[1..4], &b[1..4]).max(foot(&a[4..], &b[4..]));
        (f64::max(hips, (a[0] - b[0]).abs()), f64::max(feet, both))
    })
}

/// The one in the middle.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn whole_paths_keep_together_at_all_frame_rates() {
    let at_once: fn(Ground, f32) -> f32 = |ground, z| ground(0.0, z).0;
    for (name, ground, root, bars) in [
        ("slope", slope as Ground, at_once, [(30, 0.001, 0.0015), (144, 0.0005, 0.0005)]),
        ("bumps", bumps, rolled, [(30, 0.0012, 0.003), (144, 0.001, 0.0044)]),
        ("steps", steps, rolled, [(30, 0.003, 0.0105), (144, 0.0007, 0.0028)]),
        ("steps, a root that jumps", steps, at_once, [(30, 0.022, 0.0105), (144, 0.010, 0.0031)]),
    ] {
        let middle = SPEEDS.map(|speed| path(ground, root, speed, 60));
        for (rate, most_hips, most_feet) in bars {
            let all: Vec<(f64, f64)> = SPEEDS
                .iter()
                .zip(&middle)
                .map(|(speed, middle)| apart(&path(ground, root, *speed, rate), middle))
                .collect();
            let (hips, feet) = (median(all.iter().map(|a| a.0)), median(all.iter().map(|a| a.1)));
            println!("{name}, {rate} Hz beside 60 Hz: hips {hips:.4} m, feet {feet:.4} m");
            assert!(hips < most_hips, "{name}: at {rate} Hz the hips are {hips} m from those at 60 Hz");
            assert!(feet < most_feet, "{name}: at {rate} Hz a foot is {feet} m from where it is at 60 Hz");
        }
    }
}

/// Hosts play a sound of a step where a foot is planted: once, at any frame rate.
#[test]
fn feet_are_planted_and_released_as_often_at_all_frame_rates() {
    // Low thresholds are crossed slowly.
    for (name, ground, plant_speed, abrupt) in [
        ("flat", flat as Ground, 0.45, false),
        ("flat, abrupt", flat, 0.45, true),
        ("flat, slow", flat, 0.05, false),
        ("slope", slope, 0.1, false),
        ("slope, abrupt", slope, 0.45, true),
    ] {
        let settings = GrounderSettings { plant_speed, release_speed: 1.7 * plant_speed, ..Default::default() };
        for speed in SPEEDS {
            let counts = [60, 75, 90, 100, 120, 144, 165, 240].map(|rate| {
                // No whole number of frames.
                let walk = Walk { abrupt, period: 0.25 + 0.8 * speed, ..Walk::biped(speed) };
                let mut grounder = walk.grounder(settings);
                let (dt, mut was, mut count) = (1.0 / rate as f32, [true; 2], [0; 2]);
                for frame in 0..rate * SECONDS {
                    let t = frame as f32 * dt;
                    let height = rolled(ground, walk.root(t).z);
                    // Engines may go through a frame twice, the second time in no time.
                    for dt in [dt, 0.0] {
                        let (_, body, legs) = step_at(&walk, &mut grounder, t, dt, height, ground);
                        assert_eq!(body.planted as usize, legs.iter().filter(|leg| leg.planted).count());
                        for (leg, (was, count)) in legs.iter().zip(was.iter_mut().zip(&mut count)) {
                            assert!(!leg.planted || leg.time_to_landing_s == 0.0);
                            *count += usize::from(leg.planted && !*was);
                            *was = leg.planted;
                        }
                    }
                }
                count
            });
            // One that is planted at the very end may be so in one more frame.
            let usual = counts[0];
            let off = |count: &[usize; 2]| count.iter().zip(usual).map(|(a, b)| a.abs_diff(b)).max();
            assert!(counts.iter().all(|count| off(count) <= Some(1)), "{name}, {speed} m/s, {plant_speed}: {counts:?}");
        }
    }
}
