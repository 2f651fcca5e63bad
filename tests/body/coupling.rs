//! Joints of a body that follow others, and joints that move for the centre of mass alone, judged
//! in f64 from the local transforms.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodyError, BodySettings, Demand, JointCoupling};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, CenterOfMass, Orientation, Position};
use std::sync::Arc;
use testkit::matchers;

/// A finger: a base, then three joints that bend about X; joint 4 is the tip.
fn finger() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let base = builder.joint_at("base", None, Vec3::new(0.1, 1.0, 0.0));
    let mut last = base;
    for (name, length) in [("first", 0.02), ("second", 0.05), ("third", 0.03), ("tip", 0.025)] {
        last = builder.joint_at(name, Some(last), Vec3::new(0.0, 0.0, length));
    }
    Arc::new(builder.build().unwrap())
}

fn hinge(min: f32, max: f32) -> JointModel {
    JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range { min, max } })
}

/// The turn of a joint from rest about an axis, f64, and what of it is about other axes.
fn turn(skeleton: &Skeleton, pose: &Pose, joint: usize, axis: [f64; 3]) -> (f64, f64) {
    let wide = |q: Quat| [q.x, q.y, q.z, q.w].map(f64::from);
    let (rest, now) = (wide(skeleton.rest_local()[joint].rotation), wide(pose.local()[joint].rotation));
    let [a, b] = [[-rest[0], -rest[1], -rest[2], rest[3]], now];
    let q = [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
    let along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2];
    let across: f64 = (0..3).map(|i| (q[i] - along * axis[i]).powi(2)).sum::<f64>().sqrt();
    let angle = 2.0 * along.atan2(q[3]);
    (angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round(), across)
}
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn mimic(driver: usize, ratio: f32) -> JointCoupling {
    JointCoupling { driver, driver_axis: Vec3::X, axis: Vec3::X, ratio, offset_rad: 0.0 }
}

fn coupled_finger(skeleton: &Arc<Skeleton>) -> Body {
    let mut body = Body::new(skeleton.clone(), 0).unwrap();
    body.set_floating(false);
    body.set_joint_limits(1, hinge(-0.3, 1.5)).unwrap();
    body.set_joint_limits(2, hinge(0.0, 1.9)).unwrap();
    body.set_joint_limits(3, hinge(0.0, 1.0)).unwrap();
    body.set_joint_coupling(3, Some(mimic(2, 0.7))).unwrap();
    body
}
/// Place of the tip for these bends of the first two joints, the third following.
fn tip(skeleton: &Skeleton, first: f32, second: f32, third: f32) -> Vec3 {
    let mut local = skeleton.rest_local().to_vec();
    for (joint, angle) in [(1, first), (2, second), (3, third)] {
        local[joint].rotation = skeleton.rest_local()[joint].rotation * axis_angle(Vec3::X, angle);
    }
    let mut pose = Pose::rest(skeleton);
    pose.load(local.into_iter()).unwrap();
    pose.update(skeleton);
    pose.model(4).position
}

#[test]
fn a_finger_bends_as_one() {
    let skeleton = finger();
    for (first, second) in [(0.2, 0.4), (0.9, 1.2), (-0.2, 1.3), (1.4, 0.1), (0.5, 0.0)] {
        let goal = tip(&skeleton, first, second, 0.7 * second);
        let mut body = coupled_finger(&skeleton);
        body.add_task(Demand::new(Position::new(4, goal))).unwrap();
        let mut pose = Pose::rest(&skeleton);
        let outcome = body.solve(&mut pose).unwrap();
        let at = matchers::forward_kinematics(&skeleton, pose.local())[4].position;
        let missed = matchers::distance(at, matchers::wide(goal));
        assert!(missed < 1e-3, "bends {first} {second}: {missed} m, {outcome:?}");
        assert_eq!(outcome.status, Status::Reached);
        let (driver, driven) = (turn(&skeleton, &pose, 2, X), turn(&skeleton, &pose, 3, X));
        assert!((driven.0 - 0.7 * driver.0).abs() < 1e-4, "{driven:?} beside {driver:?}");
        assert!(driven.1 < 1e-4 && driver.1 < 1e-4);
    }
}

#[test]
fn limits_of_both_hold() {
    let skeleton = finger();
    // 1.9 · 0.7 is more than 1: the driven joint's limit stops the driver at 1 / 0.7.
    for goal in [Vec3::new(0.1, 0.9, -0.2), Vec3::new(0.1, 1.2, 0.3), Vec3::new(0.3, 1.0, 0.02)] {
        let mut body = coupled_finger(&skeleton);
        body.add_task(Demand::new(Position::new(4, goal))).unwrap();
        let mut pose = Pose::rest(&skeleton);
        body.solve(&mut pose).unwrap();
        let (driver, driven) = (turn(&skeleton, &pose, 2, X), turn(&skeleton, &pose, 3, X));
        assert!((-1e-4..=1.0001 / 0.7).contains(&driver.0), "{goal}: driver {driver:?}");
        assert!((-1e-4..=1.0001).contains(&driven.0), "{goal}: driven {driven:?}");
        assert!((driven.0 - 0.7 * driver.0).abs() < 1e-4, "{goal}: {driven:?} beside {driver:?}");
    }
}

/// An arm whose forearm has a twist bone beside the hand, as rigs have; joint 4 carries nothing but
/// its own tip, joint 5.
fn forearm() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let base = builder.joint_at("base", None, Vec3::new(0.0, 1.0, 0.0));
    let upper = builder.joint_at("upper", Some(base), Vec3::new(0.1, 0.0, 0.0));
    let lower = builder.joint_at("lower", Some(upper), Vec3::new(0.0, 0.3, 0.05));
    builder.joint_at("hand", Some(lower), Vec3::new(0.0, 0.27, 0.0));
    let twist = builder.joint_at("twist", Some(lower), Vec3::new(0.0, 0.13, 0.0));
    builder.joint_at("patch", Some(twist), Vec3::new(0.05, 0.05, 0.0));
    Arc::new(builder.build().unwrap())
}

#[test]
fn a_twist_bone_takes_half_of_the_hands_twist() {
    let skeleton = forearm();
    let half = JointCoupling { driver: 3, driver_axis: Vec3::Y, axis: Vec3::Y, ratio: 0.5, offset_rad: 0.1 };
    for (axis, angle) in [(Vec3::Y, 1.2_f32), (Vec3::new(0.6, 0.8, 0.0), -1.7), (Vec3::new(0.36, 0.48, 0.8), 2.0)] {
        let mut body = Body::new(skeleton.clone(), 0).unwrap();
        body.set_floating(false);
        body.set_joint_coupling(4, Some(half)).unwrap();
        body.add_task(Demand::new(Orientation::new(3, axis_angle(axis, angle)))).unwrap();
        body.add_task(Demand::new(Position::new(3, Vec3::new(0.3, 1.3, 0.1)))).unwrap();
        let mut pose = Pose::rest(&skeleton);
        assert_eq!(body.solve(&mut pose).unwrap().status, Status::Reached);
        let (driver, driven) = (turn(&skeleton, &pose, 3, Y), turn(&skeleton, &pose, 4, Y));
        assert!(driven.1 < 1e-5, "the bone bends: {driven:?}");
        let error = driven.0 - 0.5 * driver.0 - 0.1;
        assert!(error.abs() < 1e-4, "{driven:?} beside {driver:?}");
    }
}

#[test]
fn what_a_driven_joint_carries_reaches_its_goal_by_the_driver() {
    // The patch is on the twist bone: only the hand's twist moves it about the forearm.
    let skeleton = forearm();
    let coupling = JointCoupling { driver: 3, driver_axis: Vec3::Y, axis: Vec3::Y, ratio: -0.8, offset_rad: 0.0 };
    let mut body = Body::new(skeleton.clone(), 0).unwrap();
    body.set_floating(false);
    for joint in [1, 2] {
        body.set_joint_limits(joint, JointModel::limited(Freedom::Fixed)).unwrap();
    }
    // Nothing but the tasks, so that the number of iterations is that of Gauss and Newton.
    let settings = BodySettings { posture: 0.0, damping: 1e-7, ..BodySettings::default() };
    body.set_settings(settings);
    body.set_joint_coupling(4, Some(coupling)).unwrap();
    let twist = Pose::rest(&skeleton).model(4).position;
    let goal = twist + axis_angle(Vec3::Y, 0.9) * Vec3::new(0.05, 0.05, 0.0);
    body.add_task(Demand::new(Position::new(5, goal))).unwrap();
    body.add_task(Demand { importance: 1e-4, ..Demand::new(Position::new(3, Vec3::new(0.1, 1.57, 0.05))) }).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let outcome = body.solve(&mut pose).unwrap();
    let missed =
        matchers::distance(matchers::forward_kinematics(&skeleton, pose.local())[5].position, matchers::wide(goal));
    assert!(missed < 1e-3, "{missed} m, {outcome:?}");
    assert!(outcome.iterations < 10, "{outcome:?}: the Jacobian is not the driver's");
    let (driver, driven) = (turn(&skeleton, &pose, 3, Y).0, turn(&skeleton, &pose, 4, Y).0);
    assert!((driven - 0.9).abs() < 0.03 && (driver + driven / 0.8).abs() < 1e-3, "{driver} {driven}");
}

#[test]
fn couplings_hold_in_track_mode_with_a_centre_of_mass_and_without_tasks_nothing_changes() {
    let skeleton = finger();
    let mut body = coupled_finger(&skeleton);
    let mut pose = Pose::rest(&skeleton);
    let before = pose.local().to_vec();
    body.solve(&mut pose).unwrap();
    assert_eq!(pose.local(), before);
    for joint in 0..5 {
        body.set_mass(joint, 1.0, Vec3::ZERO).unwrap();
    }
    let goal = tip(&skeleton, 0.6, 1.0, 0.7);
    let task = body.add_task(Demand::new(Position::new(4, goal))).unwrap();
    let axes = Axes { on: [false, true, false], ..Axes::ALL };
    let mass = CenterOfMass { goal: Vec3::new(0.0, 0.97, 0.0), axes };
    body.add_task(Demand { level: 1, ..Demand::new(mass) }).unwrap();
    for frame in 0..60 {
        let mut pose = Pose::rest(&skeleton);
        let bend = 0.3 + 0.015 * frame as f32;
        body.set_task(task, Demand::new(Position::new(4, tip(&skeleton, 0.5, bend, 0.7 * bend)))).unwrap();
        body.track(&mut pose, 1.0 / 60.0).unwrap();
        let (driver, driven) = (turn(&skeleton, &pose, 2, X), turn(&skeleton, &pose, 3, X));
        assert!((driven.0 - 0.7 * driver.0).abs() < 1e-4, "frame {frame}: {driven:?} beside {driver:?}");
    }
}

#[test]
fn what_cannot_follow_is_refused() {
    let skeleton = finger();
    let mut body = coupled_finger(&skeleton);
    let refused = |result: Result<(), BodyError>| matches!(result, Err(BodyError::BadCoupling { .. }));
    assert!(refused(body.set_joint_coupling(3, Some(mimic(3, 1.0)))));
    assert!(refused(body.set_joint_coupling(2, Some(mimic(0, 1.0)))));
    assert!(refused(body.set_joint_coupling(0, Some(mimic(2, 1.0)))));
    assert!(refused(body.set_joint_coupling(1, Some(mimic(3, 1.0)))), "3 follows");
    assert!(refused(body.set_joint_coupling(2, Some(mimic(1, 1.0)))), "2 is followed");
    assert!(matches!(body.set_joint_coupling(9, None), Err(BodyError::NoSuchJoint { .. })));
    let crooked = JointCoupling { axis: Vec3::new(1.0, 1.0, 0.0), ..mimic(1, 1.0) };
    assert!(matches!(body.set_joint_coupling(3, Some(crooked)), Err(BodyError::OutOfRange { .. })));
    assert_eq!(body.joint_coupling(3).unwrap(), Some(&mimic(2, 0.7)));
    body.set_joint_coupling(3, None).unwrap();
    assert_eq!(body.joint_coupling(3).unwrap(), None);
    body.set_joint_coupling(2, Some(mimic(1, 1.0))).unwrap();
}

#[test]
fn tasks_on_the_centre_of_mass_alone_move_what_has_a_mass() {
    let skeleton = forearm();
    for masses_first in [true, false] {
        let mut body = Body::new(skeleton.clone(), 0).unwrap();
        body.set_floating(false);
        let axes = Axes { on: [true, false, true], ..Axes::ALL };
        let goal = CenterOfMass { goal: Vec3::new(0.2, 0.0, 0.05), axes };
        let heavy = |body: &mut Body| {
            for (joint, mass) in [(1, 2.0), (2, 1.5), (3, 0.5)] {
                body.set_mass(joint, mass, Vec3::new(0.0, 0.1, 0.0)).unwrap();
            }
        };
        if masses_first {
            heavy(&mut body);
        }
        body.add_task(Demand::new(goal)).unwrap();
        if !masses_first {
            heavy(&mut body);
        }
        let mut pose = Pose::rest(&skeleton);
        let outcome = body.solve(&mut pose).unwrap();
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        let frames = matchers::forward_kinematics(&skeleton, pose.local());
        let mut center = [0.0; 3];
        for (joint, mass) in [(1, 2.0), (2, 1.5), (3, 0.5)] {
            let point = frames[joint].point([0.0, 0.1, 0.0]);
            (0..3).for_each(|i| center[i] += mass * point[i] / 4.0);
        }
        assert!((center[0] - 0.2).abs() < 1e-3 && (center[2] - 0.05).abs() < 1e-3, "{center:?}");
        assert_eq!(pose.local()[4], skeleton.rest_local()[4], "a joint without a mass moved");
    }
}
