//! What jumps: roots that are moved at once, animations that are cut, answers that cannot be. No
//! foot is farther from its animation than that has jumped.

use crate::walker::{Walk, answer, flat, knee};
use sinew::grounding::{Contact, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult, Query};
use sinew::math::{Vec3, axis_angle};

const WALKS: [f32; 2] = [0.0, 1.2];

/// What is wrong with an answer.
type Change = fn(&mut Hit);

fn poses(walk: &Walk, t: f32, moved: Vec3) -> (GrounderFrame, Vec<LegPose>) {
    let mut frame = walk.frame(t, 1.0 / 60.0);
    (frame.root_ws, frame.pelvis_ws) = (frame.root_ws + moved, frame.pelvis_ws + moved);
    let poses = (0..2).map(|leg| {
        let mut pose = walk.pose(leg, if walk.speed == 0.0 { 0.95 } else { t });
        for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
            *p += moved;
        }
        pose
    });
    (frame, poses.collect())
}

fn solve(
    grounder: &mut Grounder,
    frame: &GrounderFrame,
    poses: &[LegPose],
    cast: impl FnMut(&Query) -> Hit,
) -> Vec<LegResult> {
    let mut hits = Vec::new();
    grounder.solve_with(frame, poses, &mut hits, cast).expect("a frame").1.to_vec()
}

/// Largest distance of a ball from where it is animated.
fn farthest(legs: &[LegResult], poses: &[LegPose]) -> f32 {
    legs.iter().zip(poses).map(|(leg, pose)| (leg.ball_ws - pose.ball_ws).length()).fold(0.0, f32::max)
}

#[test]
fn a_root_that_is_moved_at_once_leaves_its_feet_no_farther_away() {
    for speed in WALKS {
        let walk = Walk::biped(speed);
        for rate in [30.0, 60.0, 144.0] {
            for (way, by) in
                [Vec3::X, Vec3::Z, -Vec3::Z].into_iter().flat_map(|way| [0.2, 0.3, 0.5, 1.0].map(|by| (way, by)))
            {
                for late in 0..if speed > 0.0 { 12 } else { 1 } {
                    let mut grounder = walk.grounder(GrounderSettings::default());
                    let at = (2.0 * rate) as usize + late * rate as usize / 12;
                    let mut before = 0.0_f32;
                    for i in 0..at + 3 * rate as usize {
                        let moved = if i >= at { way * by } else { Vec3::ZERO };
                        let (mut frame, poses) = poses(&walk, i as f32 / rate, moved);
                        frame.dt_s = 1.0 / rate;
                        let legs = solve(&mut grounder, &frame, &poses, |query| answer(query, flat));
                        let off = farthest(&legs, &poses);
                        let name =
                            format!("{speed} m/s, {rate} Hz, moved by {} after {at} frames, frame {i}", way * by);
                        if i < at {
                            before = before.max(off);
                        }
                        // A lock that does not break is left as always, only farther behind.
                        let more = if by < 0.25 { 0.08 } else { 0.02 };
                        assert!(i < at || off < by + before + more, "{name}: a foot is {off} m from its animation");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cut_leaves_feet_no_farther_away_than_it_is_wide() {
    let walk = Walk::biped(0.0);
    for contact in [Contact::Auto, Contact::Planted] {
        for rate in [30.0, 60.0, 144.0] {
            for by in [0.2, 0.3, 0.4] {
                let mut grounder = walk.grounder(GrounderSettings::default());
                for i in 0..(3.0 * rate) as usize {
                    let (mut frame, mut poses) = poses(&walk, 0.0, Vec3::ZERO);
                    frame.dt_s = 1.0 / rate;
                    for pose in &mut poses {
                        pose.contact = contact;
                        if i >= rate as usize {
                            let side = Vec3::X * by * pose.ball_ws.x.signum();
                            (pose.ball_ws, pose.ankle_ws) = (pose.ball_ws + side, pose.ankle_ws + side);
                            pose.knee_ws = knee(pose.hip_ws, pose.ankle_ws);
                        }
                    }
                    let legs = solve(&mut grounder, &frame, &poses, |query| answer(query, flat));
                    let off = farthest(&legs, &poses);
                    assert!(off < by + 0.02, "{contact:?}, {rate} Hz, {by} m, frame {i}: a foot is {off} m away");
                }
            }
        }
    }
}

#[test]
fn a_body_that_is_turned_at_once_has_its_feet_no_farther_away() {
    let walk = Walk::biped(0.0);
    for degrees in [60.0_f32, 90.0, 120.0, 180.0] {
        let mut grounder = walk.grounder(GrounderSettings::default());
        let mut by = 0.0;
        for i in 0..200 {
            let (mut frame, mut poses) = poses(&walk, 0.0, Vec3::ZERO);
            let turn = axis_angle(Vec3::Y, if i >= 100 { degrees.to_radians() } else { 0.0 });
            frame.rotation_ws = turn;
            for pose in &mut poses {
                let was = pose.ball_ws;
                for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                    *p = turn * *p;
                }
                pose.foot_ws = turn;
                by = (pose.ball_ws - was).length().max(by);
            }
            let off = farthest(&solve(&mut grounder, &frame, &poses, |query| answer(query, flat)), &poses);
            assert!(off < by + 0.03, "by {degrees} degrees, frame {i}: a foot is {off} m away, its ball went {by} m");
        }
    }
}

#[test]
fn a_platform_that_is_put_elsewhere_leaves_the_feet_of_a_body_that_stays() {
    let walk = Walk::biped(0.0);
    for back in [1.0, 3.0] {
        let mut grounder = walk.grounder(GrounderSettings::default());
        for i in 0..240 {
            // It went with the body, at 1.5 m/s, and is then elsewhere within a frame.
            let x = i.min(120) as f32 / 40.0;
            let (frame, poses) = poses(&walk, 0.0, Vec3::X * x);
            let speed = match i {
                0 => 0.0,
                1..=120 => 1.5,
                121 => -back * 60.0,
                _ => 0.0,
            };
            let legs = solve(&mut grounder, &frame, &poses, |query| Hit {
                body: 9,
                velocity_ws: Vec3::X * speed,
                ..answer(query, flat)
            });
            let off = farthest(&legs, &poses);
            assert!(off < 0.03, "by {back} m, frame {i}: a foot is {off} m from its animation");
        }
    }
}

#[test]
fn one_answer_that_cannot_be_moves_no_foot_far() {
    let walk = Walk::biped(1.2);
    let far = |change: Change| {
        let mut grounder = walk.grounder(GrounderSettings::default());
        (0..240).fold(0.0_f32, |most, i| {
            let (frame, poses) = poses(&walk, i as f32 / 60.0, Vec3::ZERO);
            let mut first = i == 120;
            let legs = solve(&mut grounder, &frame, &poses, |query| {
                let mut hit = answer(query, flat);
                if core::mem::take(&mut first) {
                    change(&mut hit);
                }
                hit
            });
            most.max(farthest(&legs, &poses))
        })
    };
    let usual = far(|_| {});
    let changes: [(&str, Change); 5] = [
        ("50 m/s", |hit| (hit.velocity_ws, hit.body) = (Vec3::X * 50.0, 7)),
        ("1000 m/s", |hit| (hit.velocity_ws, hit.body) = (Vec3::X * 1000.0, 7)),
        ("1e19 m/s", |hit| (hit.velocity_ws, hit.body) = (Vec3::X * 1e19, 7)),
        ("100 m up", |hit| hit.point_ws.y = 100.0),
        ("1e20 m up", |hit| hit.point_ws.y = 1e20),
    ];
    for (name, change) in changes {
        let off = far(change);
        assert!(off < usual + 0.03, "{name}: a foot is {off} m from its animation, {usual} m without");
    }
}

#[test]
fn answers_outside_of_their_query_are_none() {
    for by in [-3.0, 2.0] {
        let walk = Walk::biped(0.0);
        let mut grounder = walk.grounder(GrounderSettings::default());
        for i in 0..120 {
            let (frame, poses) = poses(&walk, 0.0, Vec3::ZERO);
            let legs = solve(&mut grounder, &frame, &poses, |query| {
                let at = query.origin_ws + Vec3::Y * by;
                Hit { hit: true, point_ws: at, normal_ws: Vec3::Y, ..Hit::default() }
            });
            let off = farthest(&legs, &poses);
            assert!(off < 1e-3 && (i == 0 || legs.iter().all(|leg| !leg.planted)), "{by} m, frame {i}: {off} m");
        }
    }
}
