//! Bones that change length inside a solve of a body, and limbs that start in one line, judged by
//! f64 forward kinematics.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::body::{Body, BodySettings, Demand};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, Stretch};
use sinew::math::{Quat, Vec3};
use sinew::outcome::Status;
use sinew::skeleton::{Pose, Skeleton, SkeletonBuilder};
use sinew::tasks::{Axes, CenterOfMass, Orientation, Position};
use std::sync::Arc;
use testkit::matchers;

/// Bones of half a metre, slightly bent, from joint 1 down; joint 0 is a fixed base.
fn arm(bones: usize) -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let base = builder.joint_at("base", None, Vec3::new(0.1, 1.0, 0.0));
    let mut last = builder.joint_at("shoulder", Some(base), Vec3::new(0.0, 0.1, 0.0));
    for number in 0..bones {
        let bend = if number % 2 == 0 { 0.05 } else { -0.05 };
        last = builder.joint_at(&format!("bone {number}"), Some(last), Vec3::new(bend, -0.5, 0.02));
    }
    Arc::new(builder.build().unwrap())
}

fn stretchy(max: f32, compliance: f32) -> JointModel {
    JointModel { stretch: Stretch { min: 0.8, max, compliance }, ..JointModel::FREE }
}

fn body(skeleton: &Arc<Skeleton>, max: f32) -> Body {
    let mut body = Body::new(skeleton.clone(), 0).unwrap();
    body.set_floating(false);
    for joint in 1..skeleton.joint_count() - 1 {
        body.set_joint_limits(joint, stretchy(max, 1.0)).unwrap();
    }
    body
}

/// Model position of a joint, in f64 from the local transforms.
fn place(skeleton: &Skeleton, pose: &Pose, joint: usize) -> [f64; 3] {
    matchers::forward_kinematics(skeleton, pose.local())[joint].position
}
fn away(a: [f64; 3], b: Vec3) -> f64 {
    matchers::distance(a, matchers::wide(b))
}
/// Factor on the rest length of the bone that leads to a joint.
fn factor(skeleton: &Skeleton, pose: &Pose, joint: usize) -> f64 {
    f64::from(pose.local()[joint].position.length()) / f64::from(skeleton.rest_local()[joint].position.length())
}
/// Where the arm starts.
fn shoulder(skeleton: &Skeleton) -> Vec3 {
    Pose::rest(skeleton).model(1).position
}
fn length(skeleton: &Skeleton) -> f32 {
    (2..skeleton.joint_count()).map(|joint| skeleton.rest_local()[joint].position.length()).sum()
}

#[test]
fn goals_out_of_reach_are_reached_by_longer_bones() {
    for bones in [2, 3, 6, 12] {
        let skeleton = arm(bones);
        let (root, reach) = (shoulder(&skeleton), length(&skeleton));
        for direction in [Vec3::X, Vec3::Z, -Vec3::Y, Vec3::new(0.6, 0.64, -0.48)] {
            for share in [1.02, 1.2, 1.35] {
                let goal = root + direction * (reach * share);
                let mut body = body(&skeleton, 1.4);
                body.add_task(Demand::new(Position::new(bones + 1, goal))).unwrap();
                let mut pose = Pose::rest(&skeleton);
                let outcome = body.solve(&mut pose).unwrap();
                let missed = away(place(&skeleton, &pose, bones + 1), goal);
                assert!(missed < 1e-3, "{bones} bones, {share} along {direction}: {missed} m, {outcome:?}");
                assert_eq!(outcome.status, Status::Reached);
                for joint in 2..=bones + 1 {
                    let factor = factor(&skeleton, &pose, joint);
                    assert!((0.8 - 1e-5..=1.4 + 1e-5).contains(&factor), "bone {joint}: {factor}");
                }
            }
        }
    }
}

#[test]
fn bones_keep_their_length_to_the_bit_where_joints_suffice() {
    let skeleton = arm(4);
    let goal = shoulder(&skeleton) + Vec3::new(0.9, -0.8, 0.3);
    let mut body = body(&skeleton, 1.4);
    body.add_task(Demand::new(Position::new(5, goal))).unwrap();
    let mut pose = Pose::rest(&skeleton);
    assert_eq!(body.solve(&mut pose).unwrap().status, Status::Reached);
    for (local, rest) in pose.local().iter().zip(skeleton.rest_local()) {
        assert_eq!(local.position.to_array().map(f32::to_bits), rest.position.to_array().map(f32::to_bits));
    }
}

#[test]
fn bounds_hold_and_what_is_missing_is_what_they_leave() {
    let skeleton = arm(3);
    let (root, reach) = (shoulder(&skeleton), length(&skeleton));
    let goal = root + Vec3::new(0.6, 0.0, 0.8) * (1.5 * reach);
    let mut body = body(&skeleton, 1.2);
    body.add_task(Demand::new(Position::new(4, goal))).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let outcome = body.solve(&mut pose).unwrap();
    let missed = away(place(&skeleton, &pose, 4), goal);
    assert_ne!(outcome.status, Status::Reached);
    assert!((missed - 0.3 * f64::from(reach)).abs() < 2e-3 * f64::from(reach), "{missed}");
    assert!((f64::from(outcome.residual_m) - missed).abs() < 1e-4);
}

/// Where the readiest bones stand on their bounds, bones of a twentieth of their compliance take
/// over: all that the bounds allow is reached, from straight and from bent limbs.
#[test]
fn bones_of_little_compliance_take_over_at_the_bounds() {
    let mut builder = SkeletonBuilder::new();
    let mut last = builder.joint_at("base", None, Vec3::ZERO);
    for length in [0.3, 0.25, 0.12] {
        last = builder.joint_at("bone", Some(last), Vec3::X * length);
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let mut body = Body::new(skeleton.clone(), 0).unwrap();
    for (joint, (max, compliance)) in [(1.1, 0.3), (1.5, 1.0), (1.2, 0.05)].into_iter().enumerate() {
        body.set_joint_limits(joint, stretchy(max, compliance)).unwrap();
    }
    let most = 0.3 * 1.1 + 0.25 * 1.5 + 0.12 * 1.2;
    body.add_task(Demand::new(Position::new(0, Vec3::ZERO))).unwrap();
    let reach = body.add_task(Demand::new(Position::new(3, Vec3::ZERO))).unwrap();
    let mut missed = Vec::new();
    for case in 0..200 {
        let number = case as f32;
        let direction = Vec3::new((1.7 * number).sin(), (2.3 * number).cos(), (0.9 * number).sin()).normalize();
        let goal = direction * (most * (0.9 + 0.099 * (case % 10) as f32 / 9.0));
        body.set_task(reach, Demand::new(Position::new(3, goal))).unwrap();
        let mut pose = Pose::rest(&skeleton);
        if case % 2 == 1 {
            for joint in 0..3 {
                let turn = Quat::from_xyzw(0.3 * number.sin(), 0.2, 0.3 * (number + joint as f32).cos(), 1.0);
                pose.local_mut()[joint].rotation = turn.normalize();
            }
            pose.update(&skeleton);
        }
        body.solve(&mut pose).unwrap();
        let off = away(place(&skeleton, &pose, 3), goal).max(away(place(&skeleton, &pose, 0), Vec3::ZERO));
        if off > 1e-3 {
            missed.push((case, off));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn the_change_of_length_goes_by_compliance() {
    let skeleton = arm(3);
    let (root, reach) = (shoulder(&skeleton), length(&skeleton));
    let mut body = body(&skeleton, 2.0);
    body.set_joint_limits(2, stretchy(2.0, 0.25)).unwrap();
    body.add_task(Demand::new(Position::new(4, root + Vec3::X * (1.15 * reach)))).unwrap();
    let mut pose = Pose::rest(&skeleton);
    assert_eq!(body.solve(&mut pose).unwrap().status, Status::Reached);
    let [first, second, third] = [2, 3, 4].map(|joint| factor(&skeleton, &pose, joint) - 1.0);
    assert!((first / third - 1.0).abs() < 0.15, "{first} {third}");
    assert!((second / first - 0.25).abs() < 0.08, "{second} {first}");
}

#[test]
fn a_straight_leg_of_locked_joints_becomes_shorter() {
    let skeleton = arm(2);
    let mut body = body(&skeleton, 1.0);
    let locked =
        JointModel { stretch: Stretch { min: 0.5, max: 1.0, compliance: 1.0 }, ..JointModel::limited(Freedom::Fixed) };
    (1..3).for_each(|joint| body.set_joint_limits(joint, locked).unwrap());
    let rest = Pose::rest(&skeleton);
    let (root, end) = (shoulder(&skeleton), rest.model(3).position);
    let goal = root + (end - root) * 0.7;
    body.add_task(Demand::new(Position::new(3, goal))).unwrap();
    let mut pose = rest.clone();
    assert_eq!(body.solve(&mut pose).unwrap().status, Status::Reached);
    assert!(away(place(&skeleton, &pose, 3), goal) < 1e-3);
    assert!(pose.local().iter().all(|local| local.rotation == Quat::IDENTITY));
}

/// A goal walks out of reach and back.
#[test]
fn the_edge_of_reach_is_crossed_without_a_jump() {
    let skeleton = arm(3);
    let (root, reach) = (shoulder(&skeleton), length(&skeleton));
    let direction = Vec3::new(0.36, -0.48, 0.8);
    let frames = 400;
    let share = |frame: usize| {
        let t = frame as f32 / frames as f32;
        0.9 + 0.4 * (1.0 - (2.0 * t - 1.0).abs())
    };
    let mut last: Option<Pose> = None;
    let (mut most_m, mut most_factor) = (0.0_f64, 0.0_f64);
    for frame in 0..=frames {
        let mut body = body(&skeleton, 1.5);
        body.set_settings(BodySettings { max_attempts: 0, ..BodySettings::default() });
        body.add_task(Demand::new(Position::new(4, root + direction * (reach * share(frame))))).unwrap();
        let mut pose = Pose::rest(&skeleton);
        body.solve(&mut pose).unwrap();
        if let Some(before) = &last {
            for joint in 2..=4 {
                let (a, b) = (place(&skeleton, before, joint), place(&skeleton, &pose, joint));
                most_m = most_m.max(matchers::distance(a, b));
                most_factor =
                    most_factor.max((factor(&skeleton, before, joint) - factor(&skeleton, &pose, joint)).abs());
            }
        }
        last = Some(pose);
    }
    println!("{most_m} m, {most_factor} a frame");
    // The goal moves 3 mm a frame; near the edge of reach an elbow moves by the root of that.
    assert!(most_m < 0.06, "a joint jumps by {most_m} m");
    assert!(most_factor < 0.01, "a length jumps by {most_factor}");
}

#[test]
fn track_mode_stretches_and_comes_back() {
    let skeleton = arm(3);
    let (root, reach) = (shoulder(&skeleton), length(&skeleton));
    let mut body = body(&skeleton, 1.5);
    let task = body.add_task(Demand::new(Position::new(4, root + Vec3::X * (0.8 * reach)))).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let mut most_m = 0.0_f64;
    for frame in 0..240 {
        let t = frame as f32 / 120.0;
        let share = if t < 1.0 { 0.8 + 0.5 * t } else { 0.8 + 0.5 * (2.0 - t) };
        let goal = root + Vec3::X * (share * reach);
        body.set_task(task, Demand::new(Position::new(4, goal))).unwrap();
        pose = Pose::rest(&skeleton);
        body.track(&mut pose, 1.0 / 60.0).unwrap();
        most_m = most_m.max(away(place(&skeleton, &pose, 4), goal));
        if frame == 100 {
            let bytes = {
                let mut bytes = vec![0; body.snapshot_size()];
                assert!(body.snapshot_into(&mut bytes));
                bytes
            };
            let mut twin = body.clone();
            twin.reset();
            twin.restore(&bytes).unwrap();
            let (mut a, mut b) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
            body.clone().track(&mut a, 1.0 / 60.0).unwrap();
            twin.track(&mut b, 1.0 / 60.0).unwrap();
            assert_eq!(a.local(), b.local());
        }
    }
    // The goal moves at 0.75 m/s; at the edge of reach the effector falls behind for some frames.
    println!("at most {most_m} m off");
    assert!(most_m < 0.08, "{most_m}");
    for joint in 2..=4 {
        let factor = factor(&skeleton, &pose, joint);
        assert!((factor - 1.0).abs() < 0.02, "bone {joint} is left at {factor}");
    }
}

/// The rows of the centre of mass know the lengths, too.
#[test]
fn the_centre_of_mass_is_lifted_by_longer_bones() {
    let skeleton = arm(2);
    let mut body = body(&skeleton, 1.5);
    body.set_mass(3, 1.0, Vec3::ZERO).unwrap();
    body.set_mass(2, 0.5, Vec3::ZERO).unwrap();
    let root = shoulder(&skeleton);
    let reach = length(&skeleton);
    // The whole arm straight has it at (1 + 0.5 · 0.5) / 1.5 of the reach.
    let goal = root + Vec3::X * (0.833 * 1.2 * reach);
    body.add_task(Demand::new(CenterOfMass { goal, axes: Axes::ALL })).unwrap();
    body.add_task(Demand { level: 1, ..Demand::new(Position::new(3, root + Vec3::X * (1.2 * reach))) }).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let outcome = body.solve(&mut pose).unwrap();
    let (a, b) = (place(&skeleton, &pose, 2), place(&skeleton, &pose, 3));
    let center = [0, 1, 2].map(|i| (0.5 * a[i] + b[i]) / 1.5);
    assert!(away(center, goal) < 2e-3, "{} {outcome:?}", away(center, goal));
}

/// A squat of two straight legs, knees free in all directions but with a side that they prefer:
/// they bend to it, alike. Knees that are hinges bend to the side that is open.
#[test]
fn straight_legs_bend_to_the_side_that_they_prefer() {
    let mut builder = SkeletonBuilder::new();
    let hips = builder.joint_at("hips", None, Vec3::Y);
    let legs = [-0.1, 0.1].map(|side| {
        let thigh = builder.joint_at("thigh", Some(hips), Vec3::X * side);
        let knee = builder.joint_at("knee", Some(thigh), Vec3::Y * -0.45);
        [knee, builder.joint_at("foot", Some(knee), Vec3::Y * -0.45)]
    });
    let skeleton = Arc::new(builder.build().unwrap());
    let start = Pose::rest(&skeleton);
    let hinge = |min, max| Freedom::Hinge { axis: HingeAxis::X, range: Range::new(min, max) };
    for (model, side) in [
        (JointModel { preferred_bend: Vec3::X, ..JointModel::FREE }, 1.0),
        (JointModel { preferred_bend: -Vec3::X, ..JointModel::FREE }, -1.0),
        (JointModel::limited(hinge(0.0, 2.5)), 1.0),
        (JointModel::limited(hinge(-2.5, 0.0)), -1.0),
    ] {
        for down in [0.01, 0.1, 0.4] {
            let mut body = Body::new(skeleton.clone(), hips).unwrap();
            for [knee, foot] in legs {
                body.set_joint_limits(knee, model).unwrap();
                body.add_task(Demand::new(Position::new(foot, start.model(foot).position))).unwrap();
                body.add_task(Demand::new(Orientation::new(foot, Quat::IDENTITY))).unwrap();
            }
            let goal = Vec3::Y * (1.0 - down);
            body.add_task(Demand::new(Position::new(hips, goal))).unwrap();
            let mut pose = start.clone();
            body.solve(&mut pose).unwrap();
            // Half of a leg that is `down` shorter: the knee is that far to the front.
            let ahead = (0.45_f64.powi(2) - (0.45 - 0.5 * f64::from(down)).powi(2)).sqrt();
            for [knee, foot] in legs {
                let at = place(&skeleton, &pose, knee);
                assert!(away(place(&skeleton, &pose, foot), start.model(foot).position) < 1e-3);
                assert!((at[2] * side - ahead).abs() < 0.01, "{side} {down}: {at:?}");
            }
            assert!(away(place(&skeleton, &pose, hips), goal) < 1e-3);
        }
    }
}
