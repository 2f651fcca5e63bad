//! Roots that a network or a script corrects, and frames of any time: queries stay near, numbers
//! stay numbers.

use crate::walker::{Walk, answer, slope};
use sinew::grounding::{GrounderSettings, Hit};
use sinew::math::{Vec3, float};

#[test]
fn queries_stay_near_a_root_that_is_corrected() {
    let walk = Walk::biped(1.4);
    for correction in [0.05, 0.2, 0.5, 1.0, 2.0, 8.0] {
        let patterns: [fn(usize) -> f32; 4] = [
            |frame| [0.0, 1.0, 2.0][frame.saturating_sub(59).min(2)],
            |frame| if frame == 60 { 1.0 } else { 0.0 },
            |frame| if frame > 60 && frame % 2 == 0 { 1.0 } else { 0.0 },
            |frame| if frame > 60 { (frame - 60) as f32 } else { 0.0 },
        ];
        for (number, moves) in patterns.into_iter().enumerate() {
            let mut grounder = walk.grounder(GrounderSettings::default());
            let mut hits = Vec::new();
            for frame in 0..120 {
                let t = frame as f32 / 60.0;
                let way = Vec3::X * (correction * moves(frame));
                let mut given = walk.frame(t, 1.0 / 60.0);
                given.root_ws += way;
                given.pelvis_ws += way;
                let poses: Vec<_> = (0..2)
                    .map(|leg| {
                        let mut pose = walk.pose(leg, t);
                        for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                            *p += way;
                        }
                        pose
                    })
                    .collect();
                let root = given.root_ws;
                let (mut farthest, mut longest) = (0.0_f32, 0.0_f32);
                let ground = |_: f32, z: f32| (0.1 * float::sin(z), Vec3::Y);
                let solved = grounder.solve_with(&given, &poses, &mut hits, |query| {
                    let away = query.origin_ws - root;
                    farthest = farthest.max(Vec3::new(away.x, 0.0, away.z).length());
                    longest = longest.max(query.length);
                    answer(query, ground)
                });
                assert!(solved.is_some(), "a frame");
                let what = format!("{correction} m, pattern {number}, frame {frame}");
                assert!(farthest < 7.0, "{what}: a ray {farthest} m away");
                assert!(longest < 8.0, "{what}: a ray {longest} m long");
            }
        }
    }
}

#[test]
fn frames_of_any_time_leave_numbers() {
    let walk = Walk::biped(1.4);
    for long in [1.0, 60.0, 1e3, 1e5, 5e5, 1e6] {
        for period in [1, 2, 3, 5] {
            let mut grounder = walk.grounder(GrounderSettings::default());
            let mut hits = Vec::new();
            for frame in 0..240 {
                let t = frame as f32 / 60.0;
                let dt = if (20..120).contains(&frame) && frame % period == 0 { long } else { 1.0 / 60.0 };
                let poses: Vec<_> = (0..2).map(|leg| walk.pose(leg, t)).collect();
                let (body, legs) = grounder
                    .solve_with(&walk.frame(t, dt), &poses, &mut hits, |query| {
                        if frame % 2 == 0 { answer(query, slope) } else { Hit::default() }
                    })
                    .expect("a frame");
                let what = format!("{long} s in one frame of {period}, frame {frame}");
                assert!(body.offset_ws.is_finite(), "{what}: {body:?}");
                for leg in legs {
                    let points = [leg.hip_ws, leg.knee_ws, leg.ankle_ws, leg.ball_ws];
                    assert!(points.iter().all(|p| p.is_finite() && p.length() < 100.0), "{what}: {leg:?}");
                }
            }
        }
    }
}
