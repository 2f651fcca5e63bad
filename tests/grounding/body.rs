//! What the body does that all feet share: whether it is in the air, weights, the ground's normal.

use crate::walker::{Walk, answer, flat, knee, step, step_at};
use sinew::grounding::{Grounded, GrounderSettings, Hit, LegPose, Quality, Query};
use sinew::math::{Quat, Vec3, float};

/// Level, then up by a gradient from z = 4 on.
fn ramp(gradient: f32) -> impl Fn(f32, f32) -> (f32, Vec3) {
    move |_, z| if z > 4.0 { (gradient * (z - 4.0), Vec3::new(0.0, 1.0, -gradient).normalize()) } else { flat(0.0, z) }
}

#[test]
fn going_up_a_slope_is_no_jump() {
    for quality in [Quality::One, Quality::Three, Quality::Five] {
        for (gradient, speed, period) in [(0.36, 5.0, 0.6), (0.47, 3.0, 0.7), (0.6, 1.6, 1.0), (-0.36, 4.0, 0.6)] {
            let mut walk = Walk::biped(speed);
            walk.period = period;
            let mut grounder = walk.grounder(GrounderSettings { quality, ..GrounderSettings::default() });
            let mut air = 0;
            for frame in 0..420 {
                let t = frame as f32 / 60.0;
                let (_, body, _) = step(&walk, &mut grounder, t, 1.0 / 60.0, ramp(gradient));
                air += u32::from(body.presence < 1.0);
            }
            let name = format!("{quality:?}, gradient {gradient}, {speed} m/s");
            assert!(air < 20, "{name}: {air} of 420 frames count as in the air");
        }
    }
}

#[test]
fn a_jump_up_a_slope_ends() {
    for quality in [Quality::One, Quality::Five] {
        for gradient in [0.27, 0.47] {
            let mut walk = Walk::biped(3.0);
            walk.period = 0.7;
            let mut grounder = walk.grounder(GrounderSettings { quality, ..GrounderSettings::default() });
            let ground = |_: f32, z: f32| (gradient * z, Vec3::new(0.0, 1.0, -gradient).normalize());
            let (mut landed, mut flew, mut late) = (f32::MAX, false, 0);
            for frame in 0..420 {
                let t = frame as f32 / 60.0;
                let (below, since) = (gradient * walk.root(t).z, t - 1.5);
                let flight = gradient * walk.root(1.5).z + 3.5 * since - 4.905 * since * since;
                let flies = since > 0.0 && landed == f32::MAX && (flight > below || since < 0.1);
                if since > 0.0 && !flies {
                    landed = landed.min(t);
                }
                let height = if flies { flight.max(below) } else { below };
                let (_, body, _) = step_at(&walk, &mut grounder, t, 1.0 / 60.0, height, ground);
                flew |= flies && body.presence < 0.5;
                late += u32::from(t > landed + 0.35 && body.presence < 1.0);
            }
            let name = format!("{quality:?}, gradient {gradient}");
            assert!(flew, "{name}: the jump was not seen");
            assert!(late == 0, "{name}: {late} frames in the air after the landing");
        }
    }
}

/// A jump on a planet: how far the feet are from their animation, wherever its centre is.
#[test]
fn a_jump_on_a_planet_does_not_depend_on_where_the_origin_is() {
    const RADIUS: f32 = 20.0;
    let farthest = |centre: Vec3, grounded: Grounded| {
        let walk = Walk::biped(1.2);
        let mut grounder = walk.grounder(GrounderSettings::default());
        let mut farthest = 0.0_f32;
        for frame in 0..240 {
            let t = frame as f32 / 60.0;
            let since = t - 1.5;
            let height = (3.9 * since - 4.905 * since * since).max(0.0);
            // The planet turns below: a place of the walk's plane is at an angle along the equator.
            let angle = walk.root(t).z / RADIUS;
            let (sin, cos) = (float::sin(angle), float::cos(angle));
            let (up, ahead) = (Vec3::new(0.0, cos, sin), Vec3::new(0.0, -sin, cos));
            let turn = Quat::from_xyzw(float::sin(0.5 * angle), 0.0, 0.0, float::cos(0.5 * angle));
            let root = up * (RADIUS + height);
            let place = |p: Vec3| {
                let own = p - walk.root(t);
                centre + root + Vec3::X * own.x + up * own.y + ahead * own.z
            };
            let poses: Vec<LegPose> = (0..2)
                .map(|leg| {
                    let pose = walk.pose(leg, t);
                    LegPose {
                        hip_ws: place(pose.hip_ws),
                        knee_ws: place(knee(pose.hip_ws, pose.ankle_ws)),
                        ankle_ws: place(pose.ankle_ws),
                        ball_ws: place(pose.ball_ws),
                        foot_ws: turn * pose.foot_ws,
                        ..pose
                    }
                })
                .collect();
            let mut now = walk.frame(t, 1.0 / 60.0);
            (now.root_ws, now.up_ws, now.rotation_ws) = (centre + root, up, turn);
            now.pelvis_ws = place(walk.root(t) + Vec3::Y * 0.87);
            now.grounded = if height > 0.0 { grounded } else { Grounded::Auto };
            let cast = |query: &Query| {
                // Where the ray meets the sphere.
                let from = query.origin_ws - centre;
                let half = from.dot(query.direction_ws);
                let square = half * half - (from.length_squared() - RADIUS * RADIUS);
                let way = -half - float::sqrt(square.max(0.0));
                if square < 0.0 || way < 0.0 || way > query.length {
                    return Hit::default();
                }
                let point = from + query.direction_ws * way;
                Hit { hit: true, point_ws: centre + point, normal_ws: point / RADIUS, ..Hit::default() }
            };
            let (_, legs) = grounder.solve_with(&now, &poses, &mut Vec::new(), cast).expect("a frame");
            for (leg, pose) in legs.iter().zip(&poses) {
                farthest = farthest.max((leg.ball_ws - pose.ball_ws).length());
            }
        }
        farthest
    };
    for grounded in [Grounded::Auto, Grounded::No] {
        let near = farthest(Vec3::ZERO, grounded);
        assert!(near < 0.25, "{grounded:?}: a foot is {near} m from its animation");
        for centre in [Vec3::Z * 1000.0, -Vec3::Z * 1000.0, Vec3::new(0.0, -1000.0, 300.0)] {
            let far = farthest(centre, grounded);
            assert!((far - near).abs() < 0.02, "{grounded:?}, centre {centre}: {far} m, {near} m at the origin");
        }
    }
}

#[test]
fn without_any_leg_the_body_is_where_it_is_animated() {
    for frames in [1, 20] {
        let walk = Walk::biped(0.0);
        let mut grounder = walk.grounder(GrounderSettings::default());
        let mut last = 0.0;
        for frame in 0..240 {
            let t = frame as f32 / 60.0;
            let weight = (1.0 - (frame - 119) as f32 / frames as f32).clamp(0.0, 1.0);
            let mut poses: Vec<LegPose> = (0..2).map(|leg| walk.pose(leg, t)).collect();
            poses.iter_mut().for_each(|pose| pose.weight = weight);
            let low = |_: f32, _: f32| (-0.25, Vec3::Y);
            let now = walk.frame(t, 1.0 / 60.0);
            let (body, legs) =
                grounder.solve_with(&now, &poses, &mut Vec::new(), |query| answer(query, low)).expect("a frame");
            if weight == 0.0 {
                assert_eq!(body.offset_ws, Vec3::ZERO, "frame {frame}, faded in {frames}");
                for (leg, pose) in legs.iter().zip(&poses) {
                    assert_eq!((leg.hip_ws, leg.ankle_ws), (pose.hip_ws, pose.ankle_ws), "frame {frame}");
                }
            }
            if frames > 1 && frame > 60 {
                let moved = (body.offset_ws.y - last).abs();
                assert!(moved < 0.03, "frame {frame}: the pelvis moves by {moved} m");
            }
            last = body.offset_ws.y;
        }
    }
}

#[test]
fn the_normal_is_that_of_the_ground_under_two_feet() {
    let walk = Walk::biped(0.0);
    let mut grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..120 {
        let normal = Vec3::new(0.2, 1.0, -0.3).normalize();
        let tilted = |x: f32, z: f32| (-0.2 * x + 0.3 * z, normal);
        let (_, body, _) = step(&walk, &mut grounder, frame as f32 / 60.0, 1.0 / 60.0, tilted);
        if frame > 60 {
            let off = body.ground_normal_ws.distance(normal);
            assert!(off < 1e-3, "frame {frame}: {} is not {normal}", body.ground_normal_ws);
        }
    }
    let mut grounder = walk.grounder(GrounderSettings::default());
    let (_, body, _) = step(&walk, &mut grounder, 0.0, 1.0 / 60.0, flat);
    assert_eq!(body.ground_normal_ws, Vec3::Y);
}

#[test]
fn a_leg_keeps_below_its_greatest_extension_where_softening_begins_beyond_it() {
    for (soft_extension, max_extension) in [(0.98, 0.9), (1.0, 0.85), (0.8, 0.9)] {
        let walk = Walk::biped(1.2);
        let settings = GrounderSettings { soft_extension, max_extension, ..GrounderSettings::default() };
        let mut grounder = walk.grounder(settings);
        for frame in 0..240 {
            let t = frame as f32 / 60.0;
            let (poses, _, legs) = step(&walk, &mut grounder, t, 1.0 / 60.0, |_, z| (-0.3 * z, Vec3::Y));
            for (leg, pose) in legs.iter().zip(&poses) {
                let of = |hip: Vec3, knee: Vec3, ankle: Vec3| {
                    let [whole, upper, lower] = [ankle - hip, knee - hip, ankle - knee].map(|v| v.length());
                    whole / (upper + lower)
                };
                let animated = of(pose.hip_ws, pose.knee_ws, pose.ankle_ws);
                let most = max_extension.max(animated + 0.005) + 1e-5;
                let extension = of(leg.hip_ws, leg.knee_ws, leg.ankle_ws);
                assert!(extension < most, "{soft_extension}, {max_extension}, frame {frame}: {extension} of {most}");
            }
        }
    }
}
