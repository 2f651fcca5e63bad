//! Ground that moves: lifts beside the way, decks that pitch, turntables.

use crate::walker::{BALL, Walk};
use sinew::grounding::{FootModel, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult, Query};
use sinew::grounding::{Quality, SteppingSettings};
use sinew::math::{Quat, Vec3, axis_angle, float};

/// Level ground at a height, if the query meets it.
fn level(query: &Query, height: f32) -> Option<Hit> {
    let at = query.origin_ws;
    let down = at.y - height;
    let hit = Hit { hit: true, point_ws: Vec3::new(at.x, height, at.z), normal_ws: Vec3::Y, ..Hit::default() };
    (0.0..=query.length).contains(&down).then_some(hit)
}

/// A frame of a walk whose root is at `root`; `turn` turns all of it about the origin.
fn frame_of(walk: &Walk, t: f32, dt: f32, root: Vec3, turn: Quat) -> (GrounderFrame, Vec<LegPose>) {
    let moved = root - walk.root(t);
    let to = |p: Vec3| turn * (p + moved);
    let mut frame = walk.frame(t, dt);
    (frame.root_ws, frame.pelvis_ws) = (to(frame.root_ws), to(frame.pelvis_ws));
    frame.rotation_ws = turn;
    let poses = (0..walk.legs.len()).map(|leg| {
        let pose = walk.pose(leg, t);
        LegPose {
            hip_ws: to(pose.hip_ws),
            knee_ws: to(pose.knee_ws),
            ankle_ws: to(pose.ankle_ws),
            ball_ws: to(pose.ball_ws),
            foot_ws: (turn * pose.foot_ws).normalize(),
            ..pose
        }
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

#[test]
fn a_lift_that_has_gone_up_is_forgotten() {
    let walk = Walk::biped(1.2);
    for quality in [Quality::Three, Quality::Five] {
        for (speed, starts) in [(0.3, 0.6), (0.6, 0.6), (1.0, 1.0), (1.0, 1.2), (2.0, 1.2), (2.0, 1.4), (4.0, 1.4)] {
            let mut grounder = walk.grounder(GrounderSettings { quality, ..GrounderSettings::default() });
            let mut since_met = 0;
            for i in 0..420 {
                let t = i as f32 / 60.0;
                let rises = t > starts;
                let height = 0.02 + speed * (t - starts).max(0.0);
                let velocity_ws = Vec3::Y * if rises { speed } else { 0.0 };
                let (frame, poses) = frame_of(&walk, t, 1.0 / 60.0, walk.root(t), Quat::IDENTITY);
                let mut met = false;
                let legs = solve(&mut grounder, &frame, &poses, |query| {
                    let over = (2.0..=3.0).contains(&query.origin_ws.z);
                    let lift = level(query, height).filter(|_| over);
                    met |= lift.is_some();
                    let lift = lift.map(|hit| Hit { body: 3, velocity_ws, ..hit });
                    lift.or_else(|| level(query, 0.0)).unwrap_or_default()
                });
                since_met = if met { 0 } else { since_met + 1 };
                for (leg, pose) in legs.iter().zip(&poses) {
                    let over = leg.ball_ws.y - pose.ball_ws.y;
                    assert!(over < 0.7, "{quality:?}, {speed} m/s from {starts} s, frame {i}: a foot is {over} m up");
                    let name = format!("{quality:?}, {speed} m/s from {starts} s, frame {i}");
                    assert!(since_met < 20 || over < 0.02, "{name}: {over} m up, {since_met} frames after the lift");
                }
            }
        }
    }
}

#[test]
fn feet_keep_to_a_deck_that_pitches() {
    let walk = Walk::biped(1.2);
    for rate in [30.0, 60.0] {
        for (arm, changes) in [(2.0, false), (5.0, false), (10.0, false), (5.0, true)] {
            let mut grounder = walk.grounder(GrounderSettings::default());
            let dt = 1.0 / rate;
            let angle = |t: f32| 0.1745 * float::sin(core::f32::consts::FRAC_PI_2 * t);
            let axis = Vec3::Z * arm;
            for i in 0..(8.0 * rate) as usize {
                let t = i as f32 * dt;
                let now = angle(t);
                let turned = now - angle(t - dt);
                let back = axis_angle(Vec3::X, -turned);
                let slope = -float::sin(now) / float::cos(now);
                let height = |z: f32| slope * (z - arm);
                let normal_ws = axis_angle(Vec3::X, now) * Vec3::Y;
                let root = Vec3::new(0.0, height(1.2 * t), 1.2 * t);
                let (frame, poses) = frame_of(&walk, t, dt, root, Quat::IDENTITY);
                let legs = solve(&mut grounder, &frame, &poses, |query| {
                    let Some(hit) = level(query, height(query.origin_ws.z)) else { return Hit::default() };
                    let was = axis + back * (hit.point_ws - axis);
                    let body = if changes { i as u32 + 1 } else { 4 };
                    let velocity_ws = (hit.point_ws - was) / dt;
                    Hit { normal_ws, body, velocity_ws, angular_velocity_ws: Vec3::X * (turned / dt), ..hit }
                });
                if t < 1.0 {
                    continue;
                }
                for (leg, pose) in legs.iter().zip(&poses) {
                    let over = (leg.ball_ws.y - height(leg.ball_ws.z)) * normal_ws.y - BALL;
                    let own = if leg.planted { 0.0 } else { pose.ball_ws.y - root.y - BALL };
                    let name = format!("{rate} Hz, axis {arm} m away, ids change: {changes}, {t} s");
                    // A foot in the air is on its way to where the ground was when it was met.
                    let most = if leg.planted { 0.01 } else { 0.05 };
                    assert!(over - own < most, "{name}: planted {}, {} m too high", leg.planted, over - own);
                }
            }
        }
    }
}

/// Answers of a table that turns about the origin.
fn turntable(query: &Query, omega: f32, dt: f32) -> Hit {
    let hit = level(query, 0.0).unwrap_or_default();
    let velocity_ws = (hit.point_ws - axis_angle(Vec3::Y, -omega * dt) * hit.point_ws) / dt;
    Hit { body: 5, velocity_ws, angular_velocity_ws: Vec3::Y * omega, ..hit }
}

#[test]
fn feet_on_a_turntable_stay_where_they_stand() {
    let walk = Walk::biped(0.0);
    for (rate, omega, away, most) in [
        (60.0, 1.0, 2.0, 3e-3),
        (60.0, 2.0, 3.0, 3e-3),
        (30.0, 2.0, 1.0, 5e-3),
        (30.0, 2.0, 3.0, 5e-3),
        (20.0, 2.0, 1.0, 1e-2),
        (144.0, 2.0, 3.0, 3e-3),
        (144.0, 6.0, 1.0, 5e-3),
        (60.0, 6.0, 1.0, 5e-3),
        (30.0, 6.0, 1.0, 2e-2),
    ] {
        let mut grounder = walk.grounder(GrounderSettings::default());
        for i in 0..(20.0 * rate) as usize {
            let turn = axis_angle(Vec3::Y, omega * i as f32 / rate);
            let (mut frame, mut poses) = frame_of(&walk, 0.95, 1.0 / rate, Vec3::X * away, turn);
            frame.dt_s = 1.0 / rate;
            poses.iter_mut().for_each(|pose| pose.weight = 1.0);
            let legs = solve(&mut grounder, &frame, &poses, |query| turntable(query, omega, 1.0 / rate));
            for (leg, pose) in legs.iter().zip(&poses) {
                let name = format!("{rate} Hz, {omega} rad/s, {away} m from the axis, frame {i}");
                let off = (leg.ball_ws - pose.ball_ws).length();
                assert!(off < most, "{name}: a foot is {off} m from where it stands");
                assert!(leg.planted || i < 20, "{name}: not planted");
            }
        }
    }
}

#[test]
fn feet_that_step_by_themselves_turn_with_the_ground() {
    for has_sole in [false, true] {
        for (omega, away) in [(0.25, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)] {
            let foot = FootModel { ball_height: BALL, heel_height: BALL, has_sole, ..FootModel::default() };
            let mut grounder = Grounder::new(&[foot; 6], GrounderSettings::default());
            assert!(grounder.set_stepping(Some(SteppingSettings::default()), &[]));
            for i in 0..600 {
                let turn = axis_angle(Vec3::Y, omega * i as f32 / 60.0);
                let root = turn * (Vec3::X * away);
                let frame = GrounderFrame {
                    root_ws: root,
                    rotation_ws: turn,
                    pelvis_ws: root + Vec3::Y * 0.35,
                    ..Walk::biped(0.0).frame(0.0, 1.0 / 60.0)
                };
                let poses: Vec<LegPose> = (0..6)
                    .map(|k| {
                        let way = turn * axis_angle(Vec3::Y, (k as f32 + 0.5) * core::f32::consts::TAU / 6.0) * Vec3::Z;
                        let (hip_ws, ball_ws) = (root + way * 0.15 + Vec3::Y * 0.35, root + way * 0.5 + Vec3::Y * BALL);
                        let ankle_ws = if has_sole { ball_ws - way * 0.05 } else { ball_ws };
                        LegPose {
                            hip_ws,
                            knee_ws: root + way * 0.4 + Vec3::Y * 0.5,
                            ankle_ws,
                            ball_ws,
                            foot_ws: turn,
                            ..Walk::biped(0.0).pose(0, 0.0)
                        }
                    })
                    .collect();
                let legs = solve(&mut grounder, &frame, &poses, |query| turntable(query, omega, 1.0 / 60.0));
                for leg in legs {
                    assert!(leg.planted || i < 3, "{omega} rad/s, {away} m from the axis, frame {i}: a step");
                }
            }
        }
    }
}
