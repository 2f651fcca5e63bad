//! Turns: what a planted foot does when the body or the ground under it turns.

use crate::walker::{Walk, answer, flat};
use sinew::grounding::{Contact, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult};
use sinew::math::{Quat, Vec3, axis_angle};

const DT: f32 = 1.0 / 60.0;

/// A body that stands, turned about up: root, and both feet with it or not.
fn turned(root: f32, feet: f32) -> (GrounderFrame, Vec<LegPose>) {
    let walk = Walk::biped(0.0);
    let mut frame = walk.frame(0.0, DT);
    frame.rotation_ws = axis_angle(Vec3::Y, root);
    let turn = axis_angle(Vec3::Y, feet);
    let poses = (0..2).map(|leg| {
        let pose = walk.pose(leg, 0.95);
        // Feet a little before the hips.
        let ahead = Vec3::Z * 0.1;
        LegPose {
            hip_ws: turn * pose.hip_ws,
            knee_ws: turn * crate::walker::knee(pose.hip_ws, pose.ankle_ws + ahead),
            ankle_ws: turn * (pose.ankle_ws + ahead),
            ball_ws: turn * (pose.ball_ws + ahead),
            foot_ws: turn,
            ..pose
        }
    });
    (frame, poses.collect())
}

/// Answers of flat ground of body 3 that turns about the origin.
fn solve(grounder: &mut Grounder, frame: &GrounderFrame, poses: &[LegPose], omega: f32) -> Vec<LegResult> {
    let mut hits = Vec::new();
    let before = axis_angle(Vec3::Y, -omega * DT);
    let solved = grounder.solve_with(frame, poses, &mut hits, |query| {
        let hit = answer(query, flat);
        let velocity_ws = (hit.point_ws - before * hit.point_ws) / DT;
        Hit { body: 3, velocity_ws, angular_velocity_ws: Vec3::Y * omega, ..hit }
    });
    solved.expect("a frame").1.to_vec()
}

/// Angle between two rotations, exact where it is small.
fn between(a: Quat, b: Quat) -> f32 {
    let turn = (a * b.conjugate()).normalize();
    2.0 * Vec3::new(turn.x, turn.y, turn.z).length()
}

#[test]
fn a_body_that_turns_on_the_spot_steps_one_foot_at_a_time() {
    for speed in [0.5, 1.5, 3.0] {
        let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
        let mut planted_at: [Option<f32>; 2] = [None; 2];
        let (mut steps, mut highest, mut both) = (0, 0.0_f32, 0);
        for frame in 0..420 {
            let angle = (frame as f32 * DT - 0.5).max(0.0) * speed;
            let (given, poses) = turned(angle, angle);
            let legs = solve(&mut grounder, &given, &poses, 0.0);
            for (i, leg) in legs.iter().enumerate() {
                if leg.planted {
                    let twist = angle - *planted_at[i].get_or_insert(angle);
                    assert!(twist < 1.0 + 0.35 * speed, "{speed} rad/s: a planted foot is twisted by {twist}");
                } else if planted_at[i].take().is_some() {
                    steps += 1;
                }
                highest = highest.max(leg.ball_ws.y - poses[i].ball_ws.y);
                let off = (leg.ball_ws - poses[i].ball_ws).length();
                assert!(off < 0.25, "{speed} rad/s: a foot is {off} m from where it is animated");
            }
            both += usize::from(frame > 10 && legs.iter().all(|leg| !leg.planted));
            let side = given.rotation_ws * Vec3::X;
            let apart = (legs[1].ball_ws - legs[0].ball_ws).dot(side);
            assert!(apart > 0.0 || speed > 2.0, "{speed} rad/s, turned by {angle}: the feet cross by {apart} m");
        }
        assert!(steps > 2, "{speed} rad/s: {steps} steps");
        assert!(highest > 0.01, "{speed} rad/s: feet are lifted by {highest} m");
        assert!(both < 3, "{speed} rad/s: both feet are in the air in {both} frames");
    }
}

#[test]
fn feet_that_the_animation_leaves_where_they_are_do_not_counter_turn() {
    for omega in [0.0, 1e-4] {
        let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
        for frame in 0..60 {
            // The root turns, the feet do not.
            let (given, poses) = turned(frame as f32 * DT, 0.0);
            for (leg, pose) in solve(&mut grounder, &given, &poses, omega).iter().zip(&poses) {
                let off = between(leg.foot_ws, pose.foot_ws);
                assert!(off < 0.01, "ground turns by {omega} rad/s, frame {frame}: a foot is turned by {off}");
            }
        }
    }
}

#[test]
fn ground_that_hardly_turns_is_as_ground_that_does_not() {
    let run = |omega: f32| {
        let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
        (0..240)
            .map(|frame| {
                let angle = frame as f32 * DT * 0.8;
                let (given, poses) = turned(angle, angle);
                solve(&mut grounder, &given, &poses, omega)
            })
            .collect::<Vec<_>>()
    };
    for (frame, (a, b)) in run(0.0).iter().zip(&run(1e-5)).enumerate() {
        for (a, b) in a.iter().zip(b) {
            let (moved, turned) = ((a.ankle_ws - b.ankle_ws).length(), between(a.foot_ws, b.foot_ws));
            // A lock may end a frame earlier.
            assert!(moved < 0.06 && turned < 0.03, "frame {frame}: {moved} m, {turned} rad");
        }
    }
}

#[test]
fn a_body_that_rides_on_turning_ground_keeps_its_feet_for_ever() {
    let omega = 0.6;
    let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
    for frame in 0..600 {
        let angle = omega * frame as f32 * DT;
        let (given, mut poses) = turned(angle, angle);
        poses.iter_mut().for_each(|pose| pose.contact = Contact::Planted);
        let legs = solve(&mut grounder, &given, &poses, omega);
        for (leg, pose) in legs.iter().zip(&poses) {
            assert!(leg.planted || frame < 2, "frame {frame}");
            let off = (leg.ball_ws - pose.ball_ws).length();
            assert!(off < 3e-3 && between(leg.foot_ws, pose.foot_ws) < 1e-2, "frame {frame}: {off} m");
        }
    }
}
