//! What interrupts the row of frames: pauses, frames that are begun and not finished, snapshots,
//! teleports.

use crate::walker::{Walk, answer, flat, step, step_at, steps};
use sinew::grounding::{Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult, SteppingSettings};
use sinew::math::Vec3;

const RATES: [f32; 3] = [30.0, 60.0, 144.0];

/// A walker with animated feet, and one whose feet step by themselves.
fn walkers() -> [(Walk, Option<SteppingSettings>); 2] {
    [(Walk::biped(1.2), None), (Walk::biped(1.2), Some(SteppingSettings::default()))]
}

fn grounder(walk: &Walk, stepping: Option<SteppingSettings>) -> Grounder {
    let mut grounder = walk.grounder(GrounderSettings::default());
    assert!(grounder.set_stepping(stepping, &[]));
    grounder
}

/// The frame and the poses of a walk at `t`, its root's plane at the height of the steps below it.
fn given(walk: &Walk, t: f32, dt: f32) -> (GrounderFrame, Vec<LegPose>) {
    let root = walk.root(t);
    let up = Vec3::Y * steps(root.x, root.z).0;
    let mut frame = walk.frame(t, dt);
    frame.root_ws += up;
    frame.pelvis_ws += up;
    let poses = (0..walk.legs.len()).map(|leg| {
        let mut pose = walk.pose(leg, t);
        for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
            *p += up;
        }
        pose
    });
    (frame, poses.collect())
}

fn text(legs: &[LegResult]) -> String {
    format!("{legs:?}")
}

#[test]
fn a_pause_changes_nothing_that_follows() {
    for (walk, stepping) in walkers() {
        for rate in RATES {
            let dt = 1.0 / rate;
            let (mut plain, mut paused) = (grounder(&walk, stepping), grounder(&walk, stepping));
            for frame in 0..(3.0 * rate) as usize {
                let t = frame as f32 * dt;
                let a = step(&walk, &mut plain, t, dt, steps);
                let b = step(&walk, &mut paused, t, dt, steps);
                assert_eq!(text(&a.2), text(&b.2), "{rate} Hz, frame {frame}");
                for _ in 0..frame % 3 {
                    let held = step(&walk, &mut paused, t, 0.0, steps);
                    for (a, b) in a.2.iter().zip(&held.2) {
                        let moved = (a.ball_ws - b.ball_ws).length().max((a.ankle_ws - b.ankle_ws).length());
                        // What looks ahead may have learned of the ground meanwhile.
                        let most = if rate > 100.0 { 2e-3 } else { 1e-4 };
                        assert!(moved < most, "{rate} Hz, frame {frame}: a paused foot moved {moved} m");
                        assert_eq!(a.planted, b.planted, "{rate} Hz, frame {frame}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_frame_that_was_begun_and_not_finished_is_forgotten() {
    for (walk, stepping) in walkers() {
        for rate in RATES {
            let dt = 1.0 / rate;
            let (mut plain, mut twice) = (grounder(&walk, stepping), grounder(&walk, stepping));
            for frame in 0..(3.0 * rate) as usize {
                let t = frame as f32 * dt;
                if frame % 3 != 0 {
                    // One of another moment, and one of this.
                    for at in [t + 3.0 * dt, t] {
                        let (begun, poses) = given(&walk, at, dt);
                        assert!(twice.begin(&begun, &poses).is_some());
                    }
                }
                let a = step(&walk, &mut plain, t, dt, steps);
                let b = step(&walk, &mut twice, t, dt, steps);
                assert_eq!(text(&a.2), text(&b.2), "{rate} Hz, frame {frame}");
            }
        }
    }
}

#[test]
fn a_snapshot_in_a_frame_is_that_of_before_it() {
    for (walk, stepping) in walkers() {
        for rate in RATES {
            let dt = 1.0 / rate;
            let mut grounder = grounder(&walk, stepping);
            let size = grounder.snapshot_size();
            let (mut before, mut within) = (vec![0; size], vec![0; size]);
            for frame in 0..(2.0 * rate) as usize {
                let t = frame as f32 * dt;
                assert!(grounder.snapshot(&mut before));
                let (begun, poses) = given(&walk, t, dt);
                assert!(grounder.begin(&begun, &poses).is_some());
                assert!(grounder.snapshot(&mut within));
                assert!(before == within, "{rate} Hz, frame {frame}");
                step(&walk, &mut grounder, t, dt, steps);
            }
        }
    }
}

#[test]
fn numbers_of_bodies_and_groups_are_any() {
    for number in [0x7f80_0000, 0x7f80_0001, 0xff8a_0000, u32::MAX] {
        let walk = Walk::biped(1.2);
        let start = || {
            let mut grounder = walk.grounder(GrounderSettings::default());
            assert!(grounder.set_stepping(Some(SteppingSettings::default()), &[number, 1]));
            grounder
        };
        let (mut first, mut second) = (start(), start());
        let dt = 1.0 / 60.0;
        let solve = |grounder: &mut Grounder, frame: usize| {
            let t = frame as f32 * dt;
            let poses = [walk.pose(0, t), walk.pose(1, t)];
            let cast = |query: &_| Hit { body: number, ..answer(query, flat) };
            let mut hits = Vec::new();
            text(grounder.solve_with(&walk.frame(t, dt), &poses, &mut hits, cast).expect("a frame").1)
        };
        for frame in 0..40 {
            solve(&mut first, frame);
        }
        let mut bytes = vec![0; first.snapshot_size()];
        assert!(first.snapshot(&mut bytes));
        assert!(second.restore(&bytes), "{number:#x}");
        for frame in 40..80 {
            assert_eq!(solve(&mut first, frame), solve(&mut second, frame), "{number:#x}, frame {frame}");
        }
    }
}

#[test]
fn a_teleport_is_a_new_start() {
    let walk = Walk::biped(1.2);
    for rate in RATES {
        let dt = 1.0 / rate;
        let (mut moved, mut fresh) =
            (walk.grounder(GrounderSettings::default()), walk.grounder(GrounderSettings::default()));
        for frame in 0..rate as usize {
            step(&walk, &mut moved, frame as f32 * dt, dt, steps);
        }
        for frame in 0..rate as usize {
            // Six metres on.
            let t = 6.0 + frame as f32 * dt;
            let a = step_at(&walk, &mut moved, t, dt, 0.0, flat);
            let b = step_at(&walk, &mut fresh, t, dt, 0.0, flat);
            assert_eq!(text(&a.2), text(&b.2), "{rate} Hz, frame {frame}");
        }
    }
}

#[test]
fn frames_of_hardly_any_time_are_pauses() {
    let walk = Walk::biped(1.2);
    let mut grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..20 {
        let (_, body, legs) = step(&walk, &mut grounder, frame as f32 * 0.01, 1e-30, steps);
        assert!(grounder.queries().iter().all(|query| query.origin_ws.is_finite()), "frame {frame}");
        assert!(body.offset_ws.is_finite(), "frame {frame}");
        assert!(legs.iter().all(|leg| leg.ankle_ws.is_finite() && leg.landing_ws.is_finite()), "frame {frame}");
    }
}
