//! Frame rates: how far apart the whole paths of hips and feet are at 30, 60 and 144 Hz, feet in
//! the air included, on a walk over steps. The bars are what is reached, with a little room; a
//! change that makes frame rates agree less fails.

mod walker;

use sinew::grounding::GrounderSettings;
use walker::{Walk, step, steps};

/// Moments a second that all three rates have in common.
const COMMON: usize = 6;
const SECONDS: usize = 8;

/// Height of the hips' offset and the balls of both feet at the common moments.
fn path(rate: usize) -> Vec<[f64; 7]> {
    let walk = Walk::biped(1.2);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let dt = 1.0 / rate as f32;
    let mut path = Vec::new();
    for frame in 0..rate * SECONDS {
        let (_, body, legs) = step(&walk, &mut grounder, frame as f32 * dt, dt, steps);
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

#[test]
fn whole_paths_over_steps_keep_together_at_all_frame_rates() {
    let middle = path(60);
    for (rate, most_hips, most_feet) in [(30, 0.018, 0.019), (144, 0.026, 0.012)] {
        let (hips, feet) = apart(&path(rate), &middle);
        println!("{rate} Hz beside 60 Hz: hips {hips:.4} m, feet {feet:.4} m");
        assert!(hips < most_hips, "at {rate} Hz the hips are {hips} m from those at 60 Hz");
        assert!(feet < most_feet, "at {rate} Hz a foot is {feet} m from where it is at 60 Hz");
    }
}
