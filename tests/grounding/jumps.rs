//! Jumps and falls: feet leave the ground with the body and come down with it.

use crate::walker::{BALL, Walk, answer};
use sinew::grounding::{BodyResult, Grounded, Grounder, GrounderSettings, LegPose, LegResult};
use sinew::math::{Vec3, float};

const GRAVITY: f32 = 9.81;

/// One frame of a body that stands still over `ground`, its root at `height`.
fn stand_at(
    grounder: &mut Grounder,
    height: f32,
    dt: f32,
    grounded: Grounded,
    ground: impl Fn(f32, f32) -> (f32, Vec3),
) -> (Vec<LegPose>, BodyResult, Vec<LegResult>) {
    let walk = Walk::biped(0.0);
    let up = Vec3::Y * height;
    let mut frame = walk.frame(0.0, dt);
    frame.root_ws += up;
    frame.pelvis_ws += up;
    frame.grounded = grounded;
    let poses: Vec<LegPose> = (0..2)
        .map(|leg| {
            let mut pose = walk.pose(leg, 0.95);
            for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                *p += up;
            }
            pose
        })
        .collect();
    let mut hits = Vec::new();
    let (body, legs) = grounder.solve_with(&frame, &poses, &mut hits, |query| answer(query, &ground)).expect("a frame");
    (poses, *body, legs.to_vec())
}

fn level(_: f32, _: f32) -> (f32, Vec3) {
    (0.0, Vec3::Y)
}

#[test]
fn a_jump_takes_the_feet_along() {
    for rate in [30.0, 60.0, 144.0] {
        for (grounded, most) in [(Grounded::Auto, 0.21), (Grounded::No, 0.16)] {
            for apex in [0.15, 0.34, 1.0] {
                let name = format!("{rate} Hz, {grounded:?}, apex {apex}");
                let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
                let speed = float::sqrt(2.0 * GRAVITY * apex);
                let flight = 2.0 * speed / GRAVITY;
                let dt = 1.0 / rate;
                for frame in 0..(3.0 * rate) as usize {
                    let since = frame as f32 * dt - 0.5;
                    let flies = since > 0.0 && since < flight;
                    let height = if flies { speed * since - 0.5 * GRAVITY * since * since } else { 0.0 };
                    let given = if flies { grounded } else { Grounded::Auto };
                    let (poses, body, legs) = stand_at(&mut grounder, height, dt, given, level);
                    let offset = body.offset_ws.y;
                    assert!(offset.abs() < 0.1, "{name}, {since} s: the pelvis is moved by {offset} m");
                    for (pose, leg) in poses.iter().zip(&legs) {
                        let back = (leg.ball_ws - pose.ball_ws).length();
                        assert!(back < most, "{name}, {since} s: a foot is held back by {back} m");
                        if since > if rate < 60.0 { 0.35 } else { 0.25 } && since < flight - 0.05 {
                            assert!(!leg.planted && back < 0.05, "{name}, {since} s: {back} m in the air");
                        }
                        if since > flight + 0.05 {
                            assert!(back < 5e-3, "{name}, {since} s: {back} m after the landing");
                            assert!(offset.abs() < 0.02, "{name}, {since} s: the pelvis is moved by {offset} m");
                        }
                        if since > flight + 0.3 {
                            assert!(leg.planted, "{name}, {since} s: not planted again");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_fall_ends_with_each_foot_on_its_ground() {
    // The left foot lands 12 cm lower.
    let uneven = |x: f32, _: f32| (if x < 0.0 { -0.12 } else { 0.0 }, Vec3::Y);
    for grounded in [Grounded::Auto, Grounded::No] {
        let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
        let lands = float::sqrt(2.0 * 1.5 / GRAVITY);
        for frame in 0..150 {
            let t = frame as f32 / 60.0;
            let height = (1.5 - 0.5 * GRAVITY * t * t).max(0.0);
            let given = if height > 0.0 { grounded } else { Grounded::Auto };
            let (_, _, legs) = stand_at(&mut grounder, height, 1.0 / 60.0, given, uneven);
            for leg in legs {
                let over = leg.ball_ws.y - uneven(leg.ball_ws.x, 0.0).0 - BALL;
                if t > lands + 0.35 {
                    assert!(over.abs() < 5e-3, "{grounded:?}, {} s after the landing: {over} m", t - lands);
                }
            }
        }
    }
}

#[test]
fn a_lift_without_velocity_is_no_jump() {
    let mut grounder = Walk::biped(0.0).grounder(GrounderSettings::default());
    for frame in 0..120 {
        let height = (2.5 * (frame as f32 / 60.0 - 0.5)).max(0.0);
        let (_, _, legs) =
            stand_at(&mut grounder, height, 1.0 / 60.0, Grounded::Auto, |_: f32, _: f32| (height, Vec3::Y));
        for leg in legs {
            let over = leg.ball_ws.y - height - BALL;
            assert!(over.abs() < 0.02, "frame {frame}: a ball is {over} m over the ground");
            assert!(frame < 5 || leg.planted, "frame {frame}");
        }
    }
}
