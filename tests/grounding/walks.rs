//! Grounding a known walk: flat ground changes nothing, planted feet stay where they are, whatever
//! moves.

use crate::walker::{BALL, Walk, answer, flat, slope, step, steps};
use sinew::grounding::{Contact, Grounded, GrounderSettings, Hit, LegPose, Quality};
use sinew::math::{Quat, Vec3, axis_angle};

const DT: f32 = 1.0 / 60.0;

fn bits(v: Vec3) -> [u32; 3] {
    [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()]
}

/// Height and normal of the ground at a place.
type Ground = fn(f32, f32) -> (f32, Vec3);

#[test]
fn flat_ground_leaves_swinging_feet_and_hips_bit_for_bit() {
    let walk = Walk::biped(1.2);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let (mut same, mut swings) = (0, 0);
    for frame in 0..300 {
        let t = frame as f32 * DT;
        let (poses, body, legs) = step(&walk, &mut grounder, t, DT, flat);
        assert_eq!(body.offset_ws, Vec3::ZERO, "frame {frame}: the pelvis moved on flat ground");
        for (i, (pose, leg)) in poses.iter().zip(&legs).enumerate() {
            assert_eq!(bits(leg.hip_ws), bits(pose.hip_ws));
            // In the middle of the swing, what is left of the lock is over.
            if walk.ball(i, t - 0.2).1 && walk.ball(i, t).1 && walk.ball(i, t).0.y > BALL + 0.03 {
                swings += 1;
                same += usize::from(
                    bits(leg.ankle_ws) == bits(pose.ankle_ws)
                        && bits(leg.knee_ws) == bits(pose.knee_ws)
                        && leg.foot_ws == pose.foot_ws,
                );
            }
        }
    }
    assert!(swings > 40, "{swings} frames in swing");
    assert_eq!(same, swings, "a swinging foot over flat ground was touched");
}

#[test]
fn weight_zero_is_the_animation_bit_for_bit_without_queries() {
    let walk = Walk::biped(1.0);
    let mut grounder = walk.grounder(GrounderSettings { weight: 0.0, ..GrounderSettings::default() });
    for frame in 0..60 {
        let (poses, body, legs) = step(&walk, &mut grounder, frame as f32 * DT, DT, steps);
        assert!(grounder.queries().is_empty() && body.offset_ws == Vec3::ZERO);
        for (pose, leg) in poses.iter().zip(&legs) {
            assert_eq!(bits(leg.ankle_ws), bits(pose.ankle_ws));
            assert_eq!(bits(leg.knee_ws), bits(pose.knee_ws));
        }
    }
}

#[test]
fn planted_feet_do_not_slide_and_bones_keep_their_lengths() {
    let walk = Walk::biped(1.2);
    let grounds: [(Ground, f32); 3] = [(flat, 0.009), (steps, 0.03), (slope, 0.012)];
    for (ground, jolt) in grounds {
        let mut grounder = walk.grounder(GrounderSettings::default());
        let mut last: Vec<Option<Vec3>> = vec![None; 2];
        let mut still = 0;
        for frame in 0..300 {
            let (poses, _, legs) = step(&walk, &mut grounder, frame as f32 * DT, DT, ground);
            for (i, leg) in legs.iter().enumerate() {
                // A settled lock: planted in the frame before, too.
                if let (true, Some(before)) = (leg.planted && leg.shortage_m == 0.0, last[i]) {
                    let moved = (leg.ball_ws - before).length();
                    still += usize::from(moved < 1e-6);
                    assert!(moved < jolt, "frame {frame}: a planted ball moved {moved}");
                }
                last[i] = leg.planted.then_some(leg.ball_ws);
                for (a, b, c, d) in [
                    (leg.hip_ws, leg.knee_ws, poses[i].hip_ws, poses[i].knee_ws),
                    (leg.knee_ws, leg.ankle_ws, poses[i].knee_ws, poses[i].ankle_ws),
                    (leg.ankle_ws, leg.ball_ws, poses[i].ankle_ws, poses[i].ball_ws),
                ] {
                    let (now, was) = ((b - a).length(), (d - c).length());
                    assert!((now - was).abs() < 2e-4, "frame {frame}: a bone of {was} is {now}");
                }
            }
        }
        assert!(still > 150, "feet stood still in {still} frames");
    }
}

#[test]
fn feet_are_never_deep_in_a_step() {
    let walk = Walk::biped(1.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut deepest: f32 = 0.0;
    for frame in 0..400 {
        let (_, _, legs) = step(&walk, &mut grounder, frame as f32 * DT, DT, steps);
        for leg in &legs {
            deepest = deepest.max(steps(0.0, leg.ball_ws.z).0 + BALL - leg.ball_ws.y);
        }
    }
    assert!(deepest < 0.045, "a ball was {deepest} m deep");
}

/// The walk on a platform: everything of the walk, root included, is carried along.
fn on_platform(moved: impl Fn(f32) -> Vec3) -> f32 {
    let walk = Walk::biped(0.8);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut hits = Vec::new();
    let mut last: Vec<Option<Vec3>> = vec![None; 2];
    let mut most: f32 = 0.0;
    for frame in 0..240 {
        let t = frame as f32 * DT;
        let at = moved(t);
        let velocity = (at - moved(t - DT)) / DT;
        let mut given = walk.frame(t, DT);
        given.root_ws += at;
        given.pelvis_ws += at;
        let poses: Vec<LegPose> = (0..2)
            .map(|leg| {
                let mut pose = walk.pose(leg, t);
                for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                    *p += at;
                }
                pose
            })
            .collect();
        let (_, legs) = grounder
            .solve_with(&given, &poses, &mut hits, |query| Hit {
                body: 7,
                velocity_ws: velocity,
                ..answer(query, |_, _| (at.y, Vec3::Y))
            })
            .expect("a frame");
        for (i, leg) in legs.iter().enumerate() {
            let local = leg.ball_ws - at;
            if let (true, Some(before)) = (leg.planted, last[i]) {
                most = most.max((local - before).length());
            }
            last[i] = leg.planted.then_some(local);
        }
    }
    most
}

#[test]
fn a_planted_foot_goes_with_a_lift_and_a_tram_as_on_flat_ground() {
    let sine = |t: f32, hz: f32| sinew::math::float::sin(core::f32::consts::TAU * hz * t);
    let flat = on_platform(|_| Vec3::ZERO);
    let lift = on_platform(|t| Vec3::Y * (0.2 * sine(t, 0.5)));
    let tram = on_platform(|t| Vec3::X * (0.8 * sine(t, 0.25)));
    assert!((lift - flat).abs() < 1e-3, "lift {lift}, flat {flat}");
    assert!((tram - flat).abs() < 1e-3, "tram {tram}, flat {flat}");
}

#[test]
fn a_turning_platform_takes_the_foot_with_it() {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings { release_distance: 1.0, ..GrounderSettings::default() });
    let omega = 0.5;
    let mut hits = Vec::new();
    let mut start = None;
    let mut poses: Vec<LegPose> = (0..2).map(|leg| walk.pose(leg, 0.9)).collect();
    poses.iter_mut().for_each(|pose| pose.contact = Contact::Planted);
    for frame in 0..60 {
        let angle = omega * frame as f32 * DT;
        let before = axis_angle(Vec3::Y, -omega * DT);
        let mut given = walk.frame(0.0, DT);
        given.grounded = Grounded::Yes;
        let (_, legs) = grounder
            .solve_with(&given, &poses, &mut hits, |query| {
                let hit = answer(query, flat);
                let velocity_ws = (hit.point_ws - before * hit.point_ws) / DT;
                Hit { body: 3, velocity_ws, angular_velocity_ws: Vec3::Y * omega, ..hit }
            })
            .expect("a frame");
        // Seen from the platform, the foot stays.
        let local = axis_angle(Vec3::Y, -angle) * legs[0].ball_ws;
        let toes = axis_angle(Vec3::Y, -angle) * (legs[0].foot_ws * Vec3::Z);
        let (at, way) = *start.get_or_insert((local, toes));
        assert!((local - at).length() < 2e-3, "frame {frame}: the foot slid {}", (local - at).length());
        assert!((toes - way).length() < 1e-2, "frame {frame}: the foot did not turn");
    }
}

#[test]
fn never_more_queries_than_the_limit() {
    for (quality, most) in [(Quality::One, 2), (Quality::Three, 6), (Quality::Five, 10)] {
        let walk = Walk::biped(1.3);
        let mut grounder = walk.grounder(GrounderSettings { quality, ..GrounderSettings::default() });
        let (mut seen, mut planted) = (0, 0);
        for frame in 0..200 {
            let (_, body, legs) = step(&walk, &mut grounder, frame as f32 * DT, DT, slope);
            seen = seen.max(grounder.queries().len());
            planted += body.planted;
            assert!(grounder.queries().len() <= most);
            for leg in legs.iter().filter(|leg| leg.planted) {
                let over = leg.ball_ws.y - 0.2 * leg.ball_ws.z;
                assert!((over - BALL).abs() < 0.06, "{quality:?}: a planted ball {over} m over the slope");
            }
        }
        assert!(seen > most / 2, "{quality:?} asks {seen}");
        assert!(planted > 180, "{quality:?} plants {planted} feet in 200 frames");
    }
}

#[test]
fn a_speed_between_the_thresholds_neither_plants_nor_releases() {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    let mut hits = Vec::new();
    let mut changes = 0;
    let mut last = None;
    let mut z = 0.0;
    for frame in 0..200 {
        // Between 0.45 and 0.75 m/s, back and forth; at rest in the beginning.
        let speed = if frame < 20 { 0.0 } else { 0.6 };
        z += if (frame / 10) % 2 == 0 { speed * DT } else { -speed * DT };
        let poses: Vec<LegPose> = (0..2)
            .map(|leg| {
                let mut pose = walk.pose(leg, 0.9);
                pose.ball_ws.z += z;
                pose.ankle_ws.z += z;
                pose.knee_ws = crate::walker::knee(pose.hip_ws, pose.ankle_ws);
                pose
            })
            .collect();
        let frame = walk.frame(0.0, DT);
        let (_, legs) = grounder.solve_with(&frame, &poses, &mut hits, |q| answer(q, flat)).expect("a frame");
        if last.replace(legs[0].planted).is_some_and(|was| was != legs[0].planted) {
            changes += 1;
        }
    }
    assert_eq!(changes, 1, "planted once, never released");
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let walk = Walk::biped(1.2);
    let mut first = walk.grounder(GrounderSettings::default());
    for frame in 0..77 {
        step(&walk, &mut first, frame as f32 * DT, DT, steps);
    }
    let mut bytes = vec![0; first.snapshot_size()];
    assert!(first.snapshot(&mut bytes));
    let mut second = walk.grounder(GrounderSettings::default());
    assert!(second.restore(&bytes));
    for frame in 77..200 {
        let a = step(&walk, &mut first, frame as f32 * DT, DT, steps);
        let b = step(&walk, &mut second, frame as f32 * DT, DT, steps);
        assert_eq!(format!("{:?}", a), format!("{:?}", b), "frame {frame}");
    }
    assert!(!second.restore(&bytes[1..]), "a wrong length is refused");
    bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(!second.restore(&bytes), "what is no snapshot is refused");
}

#[test]
fn reset_starts_anew_and_pause_holds() {
    let walk = Walk::biped(1.2);
    let mut used = walk.grounder(GrounderSettings::default());
    for frame in 0..50 {
        step(&walk, &mut used, frame as f32 * DT, DT, steps);
    }
    let held = step(&walk, &mut used, 49.0 * DT, 0.0, steps);
    let again = step(&walk, &mut used, 49.0 * DT, 0.0, steps);
    for (a, b) in held.2.iter().zip(&again.2) {
        assert!((a.ankle_ws - b.ankle_ws).length() < 1e-5, "a paused foot moved");
    }
    used.reset();
    let mut fresh = walk.grounder(GrounderSettings::default());
    for frame in 0..50 {
        let t = 3.0 + frame as f32 * DT;
        let a = step(&walk, &mut used, t, DT, steps);
        let b = step(&walk, &mut fresh, t, DT, steps);
        assert_eq!(format!("{:?}", a.2), format!("{:?}", b.2), "frame {frame}");
    }
}

#[test]
fn in_the_air_everything_fades_out() {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..30 {
        step(&walk, &mut grounder, frame as f32 * DT, DT, slope);
    }
    let mut hits = Vec::new();
    let poses: Vec<LegPose> = (0..2).map(|leg| walk.pose(leg, 0.9)).collect();
    let mut presence = 1.0;
    for frame in 0..120 {
        let given = walk.frame(0.5 + frame as f32 * DT, DT);
        // The ground is two metres below.
        let (body, legs) = grounder
            .solve_with(&given, &poses, &mut hits, |query| answer(query, |_, _| (-2.0, Vec3::Y)))
            .expect("a frame");
        assert!(body.presence <= presence);
        presence = body.presence;
        if frame == 119 {
            assert_eq!(presence, 0.0);
            for (pose, leg) in poses.iter().zip(legs) {
                assert!((leg.ankle_ws - pose.ankle_ws).length() < 1e-4, "a foot in the air is not the animation's");
            }
        }
    }
}

#[test]
fn frame_rates_agree_where_feet_stand() {
    // Contacts are found to a frame; what follows from them is exact in time. Compared where both
    // feet are settled.
    let walk = Walk::biped(1.0);
    let path = |rate: usize| -> Vec<(Vec3, Vec3, bool)> {
        let mut grounder = walk.grounder(GrounderSettings::default());
        let dt = 1.0 / rate as f32;
        (0..rate * 6)
            .filter_map(|frame| {
                let (_, body, legs) = step(&walk, &mut grounder, frame as f32 * dt, dt, slope);
                (frame % (rate / 6) == 0).then(|| (legs[0].ball_ws, body.offset_ws, legs[0].planted))
            })
            .collect()
    };
    let (a, b, c) = (path(30), path(60), path(144));
    let (mut worst, mut compared): (f32, usize) = (0.0, 0);
    for i in 12..a.len() {
        if a[i].2 && b[i].2 && c[i].2 && a[i - 1].2 && b[i - 1].2 && c[i - 1].2 {
            compared += 1;
            for (x, y) in [(&a[i], &b[i]), (&c[i], &b[i])] {
                worst = worst.max((x.0 - y.0).length());
            }
        }
    }
    println!("largest distance of a settled ball between 30, 60 and 144 Hz: {worst} m in {compared} samples");
    assert!(compared > 4 && worst < 0.002, "{worst} m");
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let walk = Walk::quadruped(0.9);
    let run = || {
        let mut grounder = walk.grounder(GrounderSettings { body_tilt: 0.8, ..GrounderSettings::default() });
        (0..120).map(|f| format!("{:?}", step(&walk, &mut grounder, f as f32 * DT, DT, steps))).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_quadruped_tilts_with_the_slope() {
    let walk = Walk::quadruped(0.6);
    let mut grounder = walk.grounder(GrounderSettings { body_tilt: 1.0, ..GrounderSettings::default() });
    let mut forward = Vec3::Z;
    for frame in 0..240 {
        let (_, body, legs) = step(&walk, &mut grounder, frame as f32 * DT, DT, slope);
        forward = body.turn_ws * Vec3::Z;
        assert!(legs.iter().all(|leg| leg.ankle_ws.is_finite()));
    }
    let wanted = Vec3::new(0.0, 0.2, 1.0).normalize();
    assert!(forward.dot(wanted) > 0.995, "the body points along {forward}, the slope along {wanted}");
}

#[test]
fn a_wall_is_a_floor_for_who_stands_on_it() {
    // The same walk with up along −x: everything turned by a quarter about z.
    let walk = Walk::biped(0.8);
    let turn = axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2);
    let back = turn.conjugate();
    let (mut floor, mut wall) =
        (walk.grounder(GrounderSettings::default()), walk.grounder(GrounderSettings::default()));
    let mut hits = Vec::new();
    for frame in 0..150 {
        let t = frame as f32 * DT;
        let (poses, _, legs) = step(&walk, &mut floor, t, DT, flat);
        let mut given = walk.frame(t, DT);
        given.root_ws = turn * given.root_ws;
        given.pelvis_ws = turn * given.pelvis_ws;
        given.up_ws = turn * Vec3::Y;
        given.rotation_ws = turn;
        let turned: Vec<LegPose> = poses
            .iter()
            .map(|pose| LegPose {
                hip_ws: turn * pose.hip_ws,
                knee_ws: turn * pose.knee_ws,
                ankle_ws: turn * pose.ankle_ws,
                ball_ws: turn * pose.ball_ws,
                foot_ws: turn * pose.foot_ws,
                ..*pose
            })
            .collect();
        let (_, on_wall) = wall
            .solve_with(&given, &turned, &mut hits, |query| {
                let upright = sinew::grounding::Query {
                    origin_ws: back * query.origin_ws,
                    direction_ws: back * query.direction_ws,
                    ..*query
                };
                let hit = answer(&upright, flat);
                Hit { point_ws: turn * hit.point_ws, normal_ws: turn * hit.normal_ws, ..hit }
            })
            .expect("a frame");
        for (a, b) in legs.iter().zip(on_wall) {
            assert!((turn * a.ankle_ws - b.ankle_ws).length() < 2e-3, "frame {frame}");
            assert!((turn * a.knee_ws - b.knee_ws).length() < 5e-3, "frame {frame}");
        }
    }
    assert_ne!(turn, Quat::IDENTITY);
}

#[test]
fn a_wrong_number_of_poses_or_answers_changes_nothing() {
    let walk = Walk::biped(1.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    assert!(grounder.begin(&walk.frame(0.0, DT), &[]).is_none());
    assert!(grounder.finish(&[]).is_none(), "no frame is under way");
    let poses: Vec<LegPose> = (0..2).map(|leg| walk.pose(leg, 0.0)).collect();
    let asked = grounder.begin(&walk.frame(0.0, DT), &poses).map(<[_]>::len).unwrap_or(0);
    assert!(asked > 0 && grounder.finish(&[]).is_none());
    assert!(grounder.finish(&vec![Hit::default(); asked]).is_some(), "ground may be missing everywhere");
}
