//! Frames that are longer or shorter than the steps of a grounder: what holds at 60 Hz holds at
//! all frame rates.

use crate::walker::{BALL, Walk, answer, flat, step, steps};
use sinew::grounding::{Grounder, GrounderSettings, Hit, LegPose, LegResult, Quality};
use sinew::math::{Vec3, float};

/// Frames a second: two steps and more a frame, one, and several frames a step.
const RATES: [f32; 7] = [24.0, 30.0, 45.0, 60.0, 90.0, 144.0, 240.0];

fn frames(rate: f32, seconds: f32) -> usize {
    (rate * seconds) as usize
}

#[test]
fn flat_ground_leaves_swinging_feet_and_hips_bit_for_bit() {
    for rate in RATES {
        let walk = Walk::biped(1.2);
        let mut grounder = walk.grounder(GrounderSettings::default());
        let (dt, mut swings) = (1.0 / rate, 0);
        for frame in 0..frames(rate, 5.0) {
            let t = frame as f32 * dt;
            let (poses, body, legs) = step(&walk, &mut grounder, t, dt, flat);
            assert_eq!(body.offset_ws, Vec3::ZERO, "{rate} Hz, frame {frame}: the pelvis moved");
            for (i, (pose, leg)) in poses.iter().zip(&legs).enumerate() {
                // In the middle of the swing, what is left of the lock is over.
                if walk.ball(i, t - 0.22).1 && walk.ball(i, t).1 && walk.ball(i, t).0.y > BALL + 0.03 {
                    swings += 1;
                    assert_eq!(leg.ankle_ws, pose.ankle_ws, "{rate} Hz, frame {frame}");
                    assert_eq!(leg.knee_ws, pose.knee_ws, "{rate} Hz, frame {frame}");
                }
            }
        }
        assert!(swings > rate as usize / 2, "{rate} Hz: {swings} frames in swing");
    }
}

/// A walk on a platform, everything of it carried along: most that a planted ball moved on it from
/// frame to frame, and from where it was planted.
fn on_platform(rate: f32, moved: impl Fn(f32) -> Vec3) -> (f32, f32) {
    let walk = Walk::biped(0.8);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let dt = 1.0 / rate;
    let (mut hits, mut last) = (Vec::new(), [None; 2]);
    let (mut most, mut furthest) = (0.0_f32, 0.0_f32);
    for frame in 0..frames(rate, 4.0) {
        let t = frame as f32 * dt;
        let at = moved(t);
        let velocity = (at - moved(t - dt)) / dt;
        let mut given = walk.frame(t, dt);
        given.root_ws += at;
        given.pelvis_ws += at;
        let pose = |leg| {
            let mut pose: LegPose = walk.pose(leg, t);
            for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                *p += at;
            }
            pose
        };
        let cast = |query: &_| Hit { body: 7, velocity_ws: velocity, ..answer(query, |_, _| (at.y, Vec3::Y)) };
        let (_, legs) = grounder.solve_with(&given, &[pose(0), pose(1)], &mut hits, cast).expect("a frame");
        for (leg, last) in legs.iter().zip(&mut last) {
            let local = leg.ball_ws - at;
            *last = match *last {
                Some((was, first)) if leg.planted => {
                    let (was, first): (Vec3, Vec3) = (was, first);
                    most = most.max((local - was).length());
                    furthest = furthest.max((local - first).length());
                    Some((local, first))
                }
                _ => leg.planted.then_some((local, local)),
            };
        }
    }
    (most, furthest)
}

#[test]
fn planted_feet_go_with_lifts_and_trams() {
    let sine = |t: f32, hz: f32| float::sin(core::f32::consts::TAU * hz * t);
    for rate in RATES {
        let flat = on_platform(rate, |_| Vec3::ZERO);
        for (name, moved) in [
            ("lift", on_platform(rate, |t| Vec3::Y * (0.2 * sine(t, 0.5)))),
            ("tram", on_platform(rate, |t| Vec3::X * (0.8 * sine(t, 0.25)))),
        ] {
            assert!((moved.0 - flat.0).abs() < 1e-3, "{name}, {rate} Hz: {moved:?}, on flat ground {flat:?}");
            assert!((moved.1 - flat.1).abs() < 2e-3, "{name}, {rate} Hz: {moved:?}, on flat ground {flat:?}");
        }
    }
}

fn as_text(legs: &[LegResult]) -> String {
    format!("{legs:?}")
}

#[test]
fn snapshots_between_steps_go_on_with_the_same_bits() {
    for rate in RATES {
        let walk = Walk::biped(1.2);
        let dt = 1.0 / rate;
        for taken in frames(rate, 1.2)..frames(rate, 1.2) + 5 {
            let mut first = walk.grounder(GrounderSettings::default());
            for frame in 0..taken {
                step(&walk, &mut first, frame as f32 * dt, dt, steps);
            }
            let mut bytes = vec![0; first.snapshot_size()];
            assert!(first.snapshot(&mut bytes));
            let mut second = walk.grounder(GrounderSettings::default());
            assert!(second.restore(&bytes));
            for frame in taken..taken + frames(rate, 1.0) {
                let a = step(&walk, &mut first, frame as f32 * dt, dt, steps);
                let b = step(&walk, &mut second, frame as f32 * dt, dt, steps);
                assert_eq!(as_text(&a.2), as_text(&b.2), "{rate} Hz, taken at {taken}, frame {frame}");
            }
        }
    }
}

#[test]
fn frames_that_look_ahead_are_forgotten_and_paused_without_a_trace() {
    let walk = Walk::biped(1.2);
    let dt = 1.0 / 144.0;
    let start = || -> Grounder { walk.grounder(GrounderSettings::default()) };
    let (mut plain, mut twice) = (start(), start());
    for frame in 0..frames(144.0, 3.0) {
        let t = frame as f32 * dt;
        let poses = [walk.pose(0, t), walk.pose(1, t)];
        if frame % 3 == 0 {
            // Begun, and begun anew.
            twice.begin(&walk.frame(t, dt), &poses);
        }
        let mut hits = Vec::new();
        let solve = |grounder: &mut Grounder, dt: f32, hits: &mut Vec<Hit>| {
            let solved = grounder.solve_with(&walk.frame(t, dt), &poses, hits, |query| answer(query, flat));
            solved.expect("a frame").1.to_vec()
        };
        let a = solve(&mut plain, dt, &mut hits);
        let b = solve(&mut twice, dt, &mut hits);
        for (a, b) in a.iter().zip(&b) {
            assert!((a.ankle_ws - b.ankle_ws).length() < 1e-5, "frame {frame}: begun twice");
        }
    }
    let held = step(&walk, &mut plain, 3.0, dt, flat);
    for _ in 0..5 {
        let again = step(&walk, &mut plain, 3.0, 0.0, flat);
        for (a, b) in held.2.iter().zip(&again.2) {
            assert!((a.ankle_ws - b.ankle_ws).length() < 1e-5, "a paused foot moved");
        }
    }
}

#[test]
fn faster_frames_ask_little_more() {
    for (quality, limit) in [(Quality::One, 2), (Quality::Three, 6), (Quality::Five, 10)] {
        let asked = |rate: f32| {
            let walk = Walk::biped(1.3);
            let mut grounder = walk.grounder(GrounderSettings { quality, ..GrounderSettings::default() });
            let mut total = 0;
            for frame in 0..frames(rate, 3.0) {
                step(&walk, &mut grounder, frame as f32 / rate, 1.0 / rate, steps);
                assert!(grounder.queries().len() <= limit, "{quality:?} at {rate} Hz");
                total += grounder.queries().len();
            }
            total as f32
        };
        // 2.4 times the frames.
        let ratio = asked(144.0) / asked(60.0);
        let most = if quality == Quality::One { 2.5 } else { 2.1 };
        assert!(ratio < most, "{quality:?}: {ratio} times the queries of 60 Hz at 144 Hz");
    }
}
