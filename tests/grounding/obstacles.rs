//! Ground where no foot can stand, ground that moves by itself, and legs at their limits.

use crate::walker::{BALL, LEVER, Walk, answer, knee, step_at};
use sinew::grounding::{BodyResult, Contact, Grounder, GrounderSettings, Hit, LegPose, LegResult, Query};
use sinew::math::Vec3;

const DT: f32 = 1.0 / 60.0;

/// The floor, and the top of a slab between two places of the way that only rays from above meet.
fn under_slab(query: &Query, top: f32, from: f32, to: f32) -> Hit {
    let at = query.origin_ws;
    let over = at.z > from && at.z < to && at.y >= top;
    answer(query, |_, _| (if over { top } else { 0.0 }, Vec3::Y))
}

/// A walk on level ground whose queries are answered by `cast`; what each frame gives.
fn walk_under(
    walk: &Walk,
    settings: GrounderSettings,
    in_place: bool,
    cast: impl Fn(&Query) -> Hit,
    mut each: impl FnMut(usize, &[LegPose], &BodyResult, &[LegResult]),
) {
    let mut grounder = walk.grounder(settings);
    let mut hits = Vec::new();
    for frame in 0..300 {
        let t = frame as f32 * DT;
        let mut given = walk.frame(t, DT);
        let back = if in_place { walk.root(t) } else { Vec3::ZERO };
        given.root_ws -= back;
        given.pelvis_ws -= back;
        let poses = [0, 1].map(|leg| {
            let mut pose = walk.pose(leg, t);
            for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                *p -= back;
            }
            pose
        });
        let (body, legs) = grounder.solve_with(&given, &poses, &mut hits, &cast).expect("a frame");
        each(frame, &poses, body, legs);
    }
}

#[test]
fn tables_and_beams_overhead_are_no_ground() {
    for speed in [0.8, 1.3, 2.0] {
        for top in [0.7, 0.75, 0.9, 1.2, 1.6] {
            let walk = Walk::biped(speed);
            let cast = |query: &Query| under_slab(query, top, 1.5, 3.0);
            walk_under(&walk, GrounderSettings::default(), false, cast, |frame, poses, body, legs| {
                for (pose, leg) in poses.iter().zip(legs) {
                    let high = leg.ball_ws.y - pose.ball_ws.y;
                    assert!(high < 0.03, "{speed} m/s, top {top}, frame {frame}: a foot is {high} m too high");
                }
                assert!(body.offset_ws.y.abs() < 0.01, "{speed} m/s, top {top}, frame {frame}: {:?}", body.offset_ws);
            });
        }
    }
}

#[test]
fn walking_against_a_wall_plants_no_foot_on_it() {
    for top in [0.7, 0.8, 0.9] {
        let walk = Walk::biped(1.3);
        // Solid: rays that start within it meet nothing.
        let cast = |query: &Query| answer(query, |_, z| (if z > 0.35 { top } else { 0.0 }, Vec3::Y));
        walk_under(&walk, GrounderSettings::default(), true, cast, |frame, _, _, legs| {
            for leg in legs {
                let high = leg.ball_ws.y;
                assert!(high < 0.3, "wall of {top} m, frame {frame}: a ball is {high} m high");
            }
        });
    }
}

#[test]
fn steep_stairs_are_still_ground() {
    // 20 cm up every 26 cm, which is 38 degrees.
    let stairs = |_: f32, z: f32| (0.2 * ((z - 0.5) / 0.26).ceil().max(0.0), Vec3::Y);
    let walk = Walk::biped(0.9);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let (mut standing, mut on_ground) = (0, 0);
    for frame in 0..300 {
        let t = frame as f32 * DT;
        let height = 0.2 * ((walk.root(t).z + 0.13 - 0.5) / 0.26).max(0.0);
        let (_, _, legs) = step_at(&walk, &mut grounder, t, DT, height, stairs);
        for leg in legs.iter().filter(|leg| leg.planted) {
            standing += 1;
            let over = leg.ball_ws.y - stairs(0.0, leg.ball_ws.z).0 - BALL;
            on_ground += usize::from(over.abs() < 0.03);
        }
    }
    assert!(standing > 200 && on_ground * 20 > standing * 19, "{on_ground} of {standing}");
}

#[test]
fn no_leg_is_longer_than_it_is() {
    for top in [0.7, 0.9, 1.2] {
        let settings = GrounderSettings { max_step_up: 1.3, ..GrounderSettings::default() };
        let walk = Walk::biped(1.3);
        let cast = |query: &Query| answer(query, |_, z| (if z > 0.3 { top } else { 0.0 }, Vec3::Y));
        walk_under(&walk, settings, true, cast, |frame, poses, _, legs| {
            for (pose, leg) in poses.iter().zip(legs) {
                let (leg_m, shank) = ((leg.ankle_ws - leg.hip_ws).length(), (leg.ankle_ws - leg.knee_ws).length());
                let animated = (pose.ankle_ws - pose.hip_ws).length().max(0.918);
                assert!(
                    leg_m < animated + 1e-3 && shank < 0.5 * animated + 2e-3,
                    "ground at {top} m, frame {frame}: {leg_m} m, shank {shank} m"
                );
            }
        });
    }
}

/// A body that stands on ground at `height`, its root with it; frames of 60 Hz.
fn ride(frames: usize, height: impl Fn(f32) -> f32, mut each: impl FnMut(usize, f32, &[LegResult])) {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..frames {
        let at = height(frame as f32 * DT);
        let (_, _, legs) = step_at(&walk, &mut grounder, 0.95, DT, at, |_, _| (at, Vec3::Y));
        each(frame, at, &legs);
    }
}

#[test]
fn ground_that_rises_at_once_takes_planted_feet_along() {
    for jump in [0.02, 0.04, 0.08, 0.15] {
        ride(
            90,
            |t| if t > 0.495 { jump } else { 0.0 },
            |frame, at, legs| {
                for leg in legs {
                    let over = leg.ball_ws.y - at - BALL;
                    assert!(over > -0.035, "{jump} m, frame {frame}: a ball is {} m in the ground", -over);
                    assert!(frame < 60 || (over.abs() < 2e-3 && leg.planted), "{jump} m, frame {frame}: {over} m");
                }
            },
        );
    }
    for speed in [1.0, 1.7, 1.9, 3.0] {
        ride(
            90,
            |t| (t - 0.5).max(0.0) * speed,
            |frame, at, legs| {
                for leg in legs {
                    let deep = at + BALL - leg.ball_ws.y;
                    assert!(deep < 0.035, "{speed} m/s, frame {frame}: a ball is {deep} m in the ground");
                }
            },
        );
    }
}

/// Feet of a standing body before and behind it.
fn astride(apart: f32) -> Vec<LegPose> {
    let walk = Walk::biped(0.0);
    (0..2)
        .map(|leg| {
            let pose = walk.pose(leg, 0.95);
            let hip = pose.hip_ws - Vec3::Y * 0.05;
            let ahead = Vec3::Z * if leg == 0 { apart } else { -apart };
            let (ankle, ball) = (pose.ankle_ws + ahead, pose.ball_ws + ahead);
            LegPose { hip_ws: hip, knee_ws: knee(hip, ankle), ankle_ws: ankle, ball_ws: ball, ..pose }
        })
        .collect()
}

#[test]
fn the_pelvis_keeps_to_its_furthest_offset() {
    let ground = |_: f32, z: f32| (if z > 0.0 { 0.0 } else { -0.4 }, Vec3::Y);
    for most in [0.05, 0.1, 0.2] {
        let walk = Walk::biped(0.0);
        let settings = GrounderSettings { max_pelvis_offset: most, ..GrounderSettings::default() };
        let mut grounder = walk.grounder(settings);
        let (poses, mut hits) = (astride(0.22), Vec::new());
        for frame in 0..120 {
            // The ground under the back foot goes away when the body stands.
            let cast = |query: &Query| answer(query, |x, z| if frame < 30 { (0.0, Vec3::Y) } else { ground(x, z) });
            let (body, _) = grounder.solve_with(&walk.frame(0.0, DT), &poses, &mut hits, cast).expect("a frame");
            let offset = body.offset_ws.y;
            assert!(offset.abs() <= most + 1e-6, "{most} m, frame {frame}: moved by {offset} m");
        }
    }
}

/// A walk on stairs of 15 cm whose root goes up as a slope, backwards where `speed` is below 0.
fn on_stairs(
    speed: f32,
    hip: f32,
    start: f32,
    mut each: impl FnMut(usize, &[LegPose], &[LegResult], &dyn Fn(f32) -> f32),
) {
    let way = if speed < 0.0 { -1.0 } else { 1.0 };
    let stairs = move |z: f32| 0.15 * ((way * z - start) / 0.3).ceil().max(0.0);
    let mut walk = Walk::biped(speed);
    walk.legs.iter_mut().for_each(|leg| leg.0.y = hip);
    let mut grounder: Grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..300 {
        let t = frame as f32 * DT;
        let height = 0.15 * ((way * walk.root(t).z + 0.15 - start) / 0.3).max(0.0);
        let (poses, _, legs) = step_at(&walk, &mut grounder, t, DT, height, |_, z| (stairs(z), Vec3::Y));
        each(frame, &poses, &legs, &stairs);
    }
}

#[test]
fn backwards_up_stairs_planted_feet_stay_on_their_steps() {
    let (mut off, mut planted, mut worst) = (0, 0, 0.0_f32);
    for phase in 0..12 {
        on_stairs(-0.9, 0.93, 0.5 + 0.025 * phase as f32, |frame, _, legs, stairs| {
            for leg in legs.iter().filter(|leg| leg.planted && frame > 60) {
                let over = leg.ball_ws.y - stairs(leg.ball_ws.z) - BALL;
                planted += 1;
                // The ankle counts, too, where the ball overhangs an edge.
                let heel = leg.ankle_ws.y - stairs(leg.ankle_ws.z) - BALL - LEVER.y;
                off += usize::from(over > 0.03 && heel > 0.03);
                worst = worst.max(over.min(heel));
            }
        });
    }
    println!("off the ground: {off} of {planted} frames, {worst} m at most");
    assert!(worst < 0.03, "{off} of {planted} frames, {worst} m");
}

#[test]
fn locks_on_stairs_down_wait_for_the_pelvis() {
    let mut short = 0;
    for (rise, tread) in [(0.15, 0.30), (0.17, 0.29), (0.18, 0.25)] {
        for speed in [0.8, 1.0, 1.2] {
            for phase in 0..8 {
                let start = 0.5 + tread * phase as f32 / 8.0;
                let stairs = |_: f32, z: f32| (-rise * ((z - start) / tread).ceil().max(0.0), Vec3::Y);
                let mut walk = Walk::biped(speed);
                walk.legs.iter_mut().for_each(|leg| leg.0.y = 0.93);
                let mut grounder = walk.grounder(GrounderSettings::default());
                let mut stood = [0; 2];
                for frame in 0..300 {
                    let t = frame as f32 * DT;
                    let height = -rise * ((walk.root(t).z + 0.5 * tread - start) / tread).max(0.0);
                    let (_, _, legs) = step_at(&walk, &mut grounder, t, DT, height, stairs);
                    for (leg, stood) in legs.iter().zip(&mut stood) {
                        short += usize::from(frame > 60 && !leg.planted && (1..6).contains(stood));
                        *stood = if leg.planted { *stood + 1 } else { 0 };
                    }
                }
            }
        }
    }
    println!("{short} locks of less than six frames");
    assert!(short < 5, "{short} locks of less than six frames");
}

#[test]
fn contacts_of_the_host_count_in_the_next_frame_after_a_pause() {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut hits = Vec::new();
    for frame in 0..40 {
        let contact = if frame < 20 { Contact::Swing } else { Contact::Planted };
        let dt = if (18..24).contains(&frame) { 0.0 } else { DT };
        let poses = [0, 1].map(|leg| LegPose { contact, ..walk.pose(leg, 0.95) });
        let (_, legs) = grounder
            .solve_with(&walk.frame(0.0, dt), &poses, &mut hits, |query| answer(query, |_, _| (0.0, Vec3::Y)))
            .expect("a frame");
        assert!(legs.iter().all(|leg| leg.planted == (frame >= 24)), "frame {frame}");
    }
}
