//! Grounding over steps and slopes: what is a step and what is none, risers that a foot meets, and
//! the first frame.

use crate::walker::{BALL, LEVER, Walk, answer, knee, step, step_at};
use sinew::grounding::{GrounderSettings, LegPose, LegResult, Purpose, Quality, Query};
use sinew::math::{Vec3, float};

const DT: f32 = 1.0 / 60.0;

/// 25 degrees, uphill to the side and to the front.
fn steep(x: f32, z: f32) -> (f32, Vec3) {
    (0.33 * x + 0.33 * z, Vec3::new(-0.33, 1.0, -0.33).normalize())
}

#[test]
fn a_steep_slope_has_no_edges_that_feet_avoid() {
    let walk = Walk::biped(1.2);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut furthest: f32 = 0.0;
    for frame in 0..300 {
        let t = frame as f32 * DT;
        let (poses, _, legs) = step(&walk, &mut grounder, t, DT, steep);
        for (i, (pose, leg)) in poses.iter().zip(&legs).enumerate() {
            // Late in the swing nothing of the last lock is left; a foothold would show.
            if walk.ball(i, t).1 && walk.ball(i, t - 0.2).1 {
                let off = leg.ball_ws - pose.ball_ws;
                furthest = furthest.max(float::sqrt(off.x * off.x + off.z * off.z));
            }
        }
    }
    assert!(furthest < 5e-3, "a swinging foot was moved by {furthest} m on a slope");
}

#[test]
fn a_foot_that_drifts_against_a_riser_stays_out_of_it() {
    // A step of 17 cm, 4 cm before the ball when it starts to drift there, low and without a gait.
    let riser = |_: f32, z: f32| (if z > 0.17 { 0.17 } else { 0.0 }, Vec3::Y);
    for speed in [0.9, 2.0, 3.5] {
        let walk = Walk::biped(0.0);
        let mut grounder = walk.grounder(GrounderSettings::default());
        let (mut deepest, mut hits) = (0.0_f32, Vec::new());
        for frame in 0..60 {
            let since = (frame as f32 * DT - 0.3).max(0.0);
            let z = 0.13 + (speed * since).min(0.3);
            let ball = Vec3::new(0.1, BALL + (0.2 * since).min(0.04), z);
            let hip = Vec3::new(0.1, 0.87, 0.0);
            let still = walk.pose(0, 0.0);
            let moved = LegPose {
                hip_ws: hip,
                knee_ws: knee(hip, ball + LEVER),
                ankle_ws: ball + LEVER,
                ball_ws: ball,
                ..still
            };
            let (_, legs) = grounder
                .solve_with(&walk.frame(0.0, DT), &[still, moved], &mut hits, |query| answer(query, riser))
                .expect("a frame");
            let out = legs[1].ball_ws;
            deepest = deepest.max(riser(0.0, out.z).0 + BALL - out.y);
        }
        assert!(deepest < 0.045, "at {speed} m/s the ball was {deepest} m deep in the riser");
    }
}

#[test]
fn the_first_frame_has_the_pelvis_where_it_belongs() {
    // The left foot stands over ground that is 12 cm lower.
    let ground = |x: f32, _: f32| (if x < 0.0 { -0.12 } else { 0.0 }, Vec3::Y);
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let (mut hits, mut offsets) = (Vec::new(), Vec::new());
    let poses = [walk.pose(0, 0.0), walk.pose(1, 0.0)];
    for _ in 0..90 {
        let (body, _) = grounder
            .solve_with(&walk.frame(0.0, DT), &poses, &mut hits, |query| answer(query, ground))
            .expect("a frame");
        offsets.push(body.offset_ws.y);
    }
    let (first, last) = (offsets[0], offsets[89]);
    assert!(last < -0.01, "the pelvis sank by {last} m");
    assert!((first - last).abs() < 0.03, "the pelvis began at {first} m and ended at {last} m");
}

#[test]
fn a_slope_below_a_foot_is_no_step_in_the_first_frame() {
    // Downhill to the front: the ground below the heel is 6 cm higher than that below the ball.
    let downhill = |_: f32, z: f32| (-0.45 * z, Vec3::new(0.0, 1.0, 0.45).normalize());
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut hits = Vec::new();
    let poses = [walk.pose(0, 0.0), walk.pose(1, 0.0)];
    for frame in 0..10 {
        let (_, legs) = grounder
            .solve_with(&walk.frame(0.0, DT), &poses, &mut hits, |query| answer(query, downhill))
            .expect("a frame");
        for leg in legs {
            let over = leg.ball_ws.y - downhill(0.0, leg.ball_ws.z).0;
            assert!(over < BALL * 1.1 + 5e-3, "frame {frame}: the ball is {over} m over the slope");
        }
    }
}

#[test]
fn marching_on_the_spot_astride_a_step_keeps_the_hips_at_their_height() {
    // The left foot stands 8 cm above the root's plane, the right one 8 cm below it.
    let astride = |x: f32, _: f32| (if x < 0.0 { 0.08 } else { -0.08 }, Vec3::Y);
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let (mut lowest, mut highest) = (f32::MAX, f32::MIN);
    for frame in 0..300 {
        let (_, body, _) = step_at(&walk, &mut grounder, frame as f32 / 60.0, 1.0 / 60.0, 0.0, astride);
        if frame > 60 {
            lowest = lowest.min(body.offset_ws.y);
            highest = highest.max(body.offset_ws.y);
        }
    }
    assert!(highest - lowest < 0.01, "the hips go up and down by {} m", highest - lowest);
}

#[test]
fn feet_that_come_down_stairs_neither_slide_far_nor_stay_in_a_riser() {
    let (mut slides, mut sinks) = (0.0_f32, 0.0_f32);
    for tread in [0.28, 0.30, 0.33, 0.36] {
        for start in [0.3, 0.4, 0.5] {
            let stairs = |_: f32, z: f32| (-0.15 * ((z - start) / tread).ceil().max(0.0), Vec3::Y);
            let walk = Walk::biped(1.2);
            let mut grounder = walk.grounder(GrounderSettings::default());
            let mut stood: [Option<Vec3>; 2] = [None; 2];
            for frame in 0..400 {
                // The root goes down as a slope, as that of a capsule.
                let z = walk.root(frame as f32 / 60.0).z;
                let height = -0.15 * ((z + 0.5 * tread - start) / tread).max(0.0);
                let (_, _, legs) = step_at(&walk, &mut grounder, frame as f32 / 60.0, 1.0 / 60.0, height, stairs);
                for (leg, stood) in legs.iter().zip(&mut stood) {
                    let heel = stairs(0.0, leg.ankle_ws.z).0 + BALL + LEVER.y - leg.ankle_ws.y;
                    assert!(heel < 0.045, "treads of {tread}, frame {frame}: a heel is {heel} m deep in a riser");
                    let at = *stood.get_or_insert(leg.ball_ws);
                    let moved = leg.ball_ws - at;
                    slides = slides.max(float::sqrt(moved.x * moved.x + moved.z * moved.z));
                    // A leg that is too short for its new lock comes down as the pelvis gives way.
                    sinks = sinks.max(moved.y.abs());
                    if !leg.planted {
                        *stood = None;
                    }
                }
            }
        }
    }
    println!("planted feet slide by {slides} m and come down by {sinks} m");
    assert!(slides < 0.09, "a planted foot slid by {slides} m");
    assert!(sinks < 0.12, "a planted foot came down by {sinks} m");
}

#[test]
fn a_ball_that_comes_down_at_an_edge_does_not_go_through_the_tread() {
    // Treads begin at forty places of a stride, so that balls come down at every distance from an
    // edge.
    for tread in [0.28, 0.30, 0.33, 0.36, 0.6] {
        for speed in [0.8, 1.2, 1.5] {
            for phase in 0..40 {
                let start = 0.3 + tread * phase as f32 / 40.0;
                let stairs = |_: f32, z: f32| (-0.15 * ((z - start) / tread).ceil().max(0.0), Vec3::Y);
                let walk = Walk::biped(speed);
                let mut grounder = walk.grounder(GrounderSettings::default());
                for frame in 0..240 {
                    let t = frame as f32 * DT;
                    let height = -0.15 * ((walk.root(t).z + 0.5 * tread - start) / tread).max(0.0);
                    let (_, _, legs) = step_at(&walk, &mut grounder, t, DT, height, stairs);
                    for leg in &legs {
                        let deep = stairs(0.0, leg.ball_ws.z).0 + BALL - leg.ball_ws.y;
                        assert!(
                            deep < 0.045,
                            "treads of {tread} from {start}, {speed} m/s, frame {frame}: a ball is {deep} m deep"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_foot_that_lands_where_a_step_has_appeared_stays_in_front_of_it() {
    let walk = Walk::biped(1.2);
    let settings = GrounderSettings { quality: Quality::Three, ..GrounderSettings::default() };
    // On flat ground: the frames before and in which the second foot lands for the third time.
    let mut grounder = walk.grounder(settings);
    let mut landings = Vec::new();
    let mut before = (Vec3::ZERO, true);
    for frame in 0..240 {
        let (_, _, legs) = step_at(&walk, &mut grounder, frame as f32 * DT, DT, 0.0, crate::walker::flat);
        let now = (legs[1].ball_ws, legs[1].planted);
        if now.1 && !before.1 {
            landings.push((frame, before.0, now.0));
        }
        before = now;
    }
    let (landing, last, place) = landings[2];
    assert!(place.z > last.z + 5e-4, "{last} {place}");
    let edge = 0.5 * (last.z + place.z);
    // A step of 17 cm appears there in that frame, and only rays below the foot see it.
    let mut grounder = walk.grounder(settings);
    let (mut hits, mut moved) = (Vec::new(), [Vec3::ZERO; 2]);
    for frame in 0..landing + 12 {
        let t = frame as f32 * DT;
        let rises = |query: &Query| frame >= landing && query.leg == 1 && query.purpose != Purpose::Landing;
        let poses = [walk.pose(0, t), walk.pose(1, t)];
        let (_, legs) = grounder
            .solve_with(&walk.frame(t, DT), &poses, &mut hits, |query| {
                let step = |_: f32, z: f32| (if rises(query) && z > edge { 0.17 } else { 0.0 }, Vec3::Y);
                answer(query, step)
            })
            .expect("a frame");
        let now = legs[1].ball_ws - poses[1].ball_ws;
        let jump = (now - moved[0] * 2.0 + moved[1]).length();
        moved = [now, moved[0]];
        if frame >= landing {
            assert!(jump < 0.06, "frame {frame}: the foot jumps by {jump} m");
            assert!(legs[1].planted && legs[1].ball_ws.z < edge + 0.01, "frame {frame}: {:?}", legs[1]);
        }
    }
}

/// Bumps of up to 8 cm whose planes hold for a hand's breadth only.
fn rocks(x: f32, z: f32) -> (f32, Vec3) {
    let (across, along) = (9.0 * x + 2.0, 8.0 * z);
    let height = 0.08 * float::sin(along) * float::sin(across);
    let slope_x = 0.08 * 9.0 * float::sin(along) * float::cos(across);
    let slope_z = 0.08 * 8.0 * float::cos(along) * float::sin(across);
    (height, Vec3::new(-slope_x, 1.0, -slope_z).normalize())
}

#[test]
fn on_rocks_with_one_query_a_foot_neither_jumps_nor_stands_far_from_where_it_is_animated() {
    for speed in [0.8, 1.2, 1.6] {
        let walk = Walk::biped(speed);
        let settings = GrounderSettings { quality: Quality::One, ..GrounderSettings::default() };
        let mut grounder = walk.grounder(settings);
        let mut before = [[Vec3::ZERO; 2]; 2];
        let (mut jump, mut aside) = (0.0_f32, 0.0_f32);
        for frame in 0..480 {
            let (poses, _, legs) = step_at(&walk, &mut grounder, frame as f32 * DT, DT, 0.0, rocks);
            for (i, (pose, leg)) in poses.iter().zip(&legs).enumerate() {
                let moved = leg.ball_ws - pose.ball_ws;
                if frame >= 2 {
                    jump = jump.max((moved - before[i][0] * 2.0 + before[i][1]).length());
                }
                before[i] = [moved, before[i][0]];
                if leg.planted {
                    aside = aside.max(Vec3::new(moved.x, 0.0, moved.z).length());
                }
            }
        }
        assert!(jump < 0.06, "at {speed} m/s a foot jumps by {jump} m in a frame");
        assert!(aside < 0.1, "at {speed} m/s a foot stands {aside} m from where it is animated");
    }
}

/// How deep balls and heels are in `ground`, metres.
fn depth(leg: &LegResult, ground: impl Fn(f32, f32) -> (f32, Vec3)) -> f32 {
    let over = |at: Vec3, own: f32| at.y - own - ground(at.x, at.z).0;
    -over(leg.ball_ws, BALL).min(over(leg.ankle_ws, BALL + LEVER.y))
}

#[test]
fn a_person_who_stands_at_an_edge_from_the_start_stands_on_its_step() {
    // The ball is over the lower step, most of the foot over the upper one; the root's plane is
    // between the two, as a capsule has it.
    let walk = Walk::biped(0.0);
    let still = walk.pose(0, 0.0);
    for place in [Vec3::ZERO, Vec3::new(3.0, 0.0, -2.0), Vec3::new(-1.0, 0.0, 4.0)] {
        for (beyond, low) in [(0.01, 0.02), (0.04, 0.08), (0.06, 0.05), (0.06, 0.14)] {
            let name = format!("at {place}, {beyond} m beyond the edge");
            let at = place - Vec3::Y * low;
            let edge = place.z + still.ball_ws.z - beyond;
            let stairs = |_: f32, z: f32| (if z > edge { -0.17 } else { 0.0 }, Vec3::Y);
            let mut grounder = walk.grounder(GrounderSettings::default());
            let poses = [0.0, 0.2].map(|side| {
                let there = |point: Vec3| point + at + Vec3::X * side;
                LegPose {
                    hip_ws: there(still.hip_ws),
                    knee_ws: there(still.knee_ws),
                    ankle_ws: there(still.ankle_ws),
                    ball_ws: there(still.ball_ws),
                    ..still
                }
            });
            let mut frame = walk.frame(0.0, DT);
            frame.root_ws += at;
            frame.pelvis_ws += at;
            let mut hits = Vec::new();
            for i in 0..60 {
                let (_, legs) =
                    grounder.solve_with(&frame, &poses, &mut hits, |query| answer(query, stairs)).expect("a frame");
                for leg in legs {
                    let (deep, high) = (depth(leg, stairs), leg.ball_ws.y - BALL);
                    assert!(deep < 5e-3, "{name}, frame {i}: {deep} m in the step");
                    assert!(high.abs() < 5e-3, "{name}, frame {i}: {high} m over the step");
                }
            }
        }
    }
}

#[test]
fn heels_on_stairs_stay_out_of_risers() {
    for rise in [0.17, -0.17] {
        for (speed, from) in
            [0.9, 1.1, 1.3, 1.5].into_iter().flat_map(|v| (0..12).map(move |k| (v, 0.5 + 0.025 * k as f32)))
        {
            let stairs = |_: f32, z: f32| (rise * ((z - from) / 0.29).ceil().max(0.0), Vec3::Y);
            let walk = Walk::biped(speed);
            let mut grounder = walk.grounder(GrounderSettings::default());
            for i in 0..240 {
                let t = i as f32 * DT;
                let z = walk.root(t).z;
                // A capsule's height.
                let height = (0..9).map(|k| stairs(0.0, z - 0.28 + 0.07 * k as f32).0).sum::<f32>() / 9.0;
                let (_, _, legs) = step_at(&walk, &mut grounder, t, DT, height, stairs);
                for leg in &legs {
                    let deep = depth(leg, stairs);
                    assert!(deep < 0.03, "steps of {rise} m from {from}, {speed} m/s, frame {i}: {deep} m in a step");
                }
            }
        }
    }
}
